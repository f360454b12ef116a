// Owns the seam to Python: the traits' types and the `Ui` view model. It holds no code and decides nothing.

export type Tone = "ok" | "warn" | "bad" | "";
export type Dot = "live" | "ok" | "warn" | "bad" | "";
export type ActivityName = "idle" | "queued" | "running" | "waiting_input";

export interface Activity {
  state: ActivityName;
  task_ids: string[];
  pending_question: string | null;
}

export interface Meter {
  label: string;
  used: number;
  total: number;
  unit: string;
}

export interface Card {
  task_id: string;
  short_id: string;
  agent_id: string;
  version: number;
  question: string;
  status: string;
  live: boolean;
  dot: Dot;
  headline: string;
  elapsed_s: number;
  ticking: boolean;
  meters: Meter[];
  meters_of: string;
  acknowledgement: string;
  progress: string;
  error: string;
  problems: string[];
  search: string;
  foot: string;
  listed: number;
  can_ask: boolean;
  activity: Activity;
  task_type: string;
  asked: string;
  result: string;
  rests: Rest[];
}

export interface SourceRow {
  id: string;
  title: string;
  url: string;
  host: string;
  state: string;
  tag: string;
  tone: Tone;
  took: string;
  detail: string;
}

export interface Citation {
  key: string;
  source: string;
  url: string;
  quote: string | null;
  mark: string;
  tone: Tone;
}

export interface Claim {
  key: string;
  text: string;
  no_source: boolean;
  citations: Citation[];
}

export interface Section {
  key: string;
  title: string;
  ordered: boolean;
  claims: Claim[];
}

export interface Guide {
  summary: string;
  lead: Claim | null;
  sections: Section[];
  unknowns: string[];
  sources: { id: string; title: string; url: string; host: string; tag: string; tone: Tone }[];
  unread: { title: string; url: string; reason: string }[];
}

export interface Rest {
  source: string;
  title: string;
  url: string;
  message: number;
  quotes: string[];
}

export interface Item {
  id: string;
  ordinal: number;
  question: string;
  answer: string;
  live: boolean;
  status: string;
  status_words: string;
  problem: string;
  tool: string;
  known: string;
  tokens: string;
  ahead: number | null;
  rests: Rest[];
  promoted: boolean;
  can_promote: boolean;
}

export interface Side {
  parent: string;
  parent_words: string;
  can_ask: boolean;
  why_not: string;
  snapshot: { age_s: number; boundary: string; ahead: number | null } | null;
  items: Item[];
  next_cursor: number;
  version: number;
}

export interface RosterTask {
  task_id: string;
  short_id: string;
  question: string;
  asked: string;
  status: string;
  headline: string;
  dot: Dot;
  elapsed_s: number;
  ticking: boolean;
  meters: Meter[];
  read: number;
  model: string;
  search: string;
}

export interface Roster {
  version: number;
  activity: Activity;
  agents: { agent_id: string; name: string; state: string; task_ids: string[] }[];
  tasks: RosterTask[];
  note: string;
}

export type Message = Record<string, unknown>;

/** What the interface sees of the other side: a widget's model now, HTTP in JupyterLab's panels. */
export interface Ui {
  get(name: string): unknown;
  on(name: string, callback: (value: unknown) => void): () => void;
  send(message: Message): void;
}

export interface Trouble {
  error: string;
  hint: string;
}
