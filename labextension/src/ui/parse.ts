// Owns reading what Python sent: every field gets its type, a missing one its empty value, a link only
// http or https. It never throws and never invents a fact.
import type { Activity, ActivityName, Card, Claim, Dot, Guide, Item, Meter, Rest, Roster, Side, SourceRow, Tone } from "./model";

type Raw = Record<string, unknown>;

const isRaw = (value: unknown): value is Raw => typeof value === "object" && value !== null && !Array.isArray(value);
export const raw = (value: unknown): Raw => (isRaw(value) ? value : {});
const bool = (value: unknown): boolean => value === true;
export const num = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const numOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);
export const many = <T>(value: unknown, one: (value: Raw) => T): T[] => (Array.isArray(value) ? value.filter(isRaw).map(one) : []);
export const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text).filter(Boolean) : []);

/** The value as text: a string as it is, a number in digits, everything else as nothing. */
export const text = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

/** The address when a click may open it (http or https), else nothing. */
export function link(value: unknown): string {
  const url = text(value).trim();
  try {
    return /^https?:$/.test(new URL(url).protocol) ? url : "";
  } catch {
    return "";
  }
}

const tone = (value: unknown): Tone => (value === "ok" || value === "warn" || value === "bad" ? value : "");
const dot = (value: unknown): Dot => (value === "live" ? value : tone(value));
const NAMES: readonly ActivityName[] = ["idle", "queued", "running", "waiting_input"];

export function parseActivity(value: unknown): Activity {
  const from = raw(value);
  return {
    state: NAMES.find((name) => name === from.state) ?? "idle",
    task_ids: texts(from.task_ids),
    pending_question: text(from.pending_question) || null,
  };
}

const meter = (from: Raw): Meter => ({
  label: text(from.label),
  used: Math.max(0, num(from.used)),
  total: Math.max(0, num(from.total)),
  unit: text(from.unit),
});

export function parseCard(value: unknown): Card | null {
  if (!isRaw(value)) return null;
  const v = value;
  return {
    task_id: text(v.task_id), short_id: text(v.short_id), agent_id: text(v.agent_id), version: num(v.version),
    question: text(v.question), status: text(v.status), live: bool(v.live), dot: dot(v.dot), headline: text(v.headline),
    elapsed_s: num(v.elapsed_s), ticking: bool(v.ticking), meters: many(v.meters, meter), meters_of: text(v.meters_of),
    acknowledgement: text(v.acknowledgement), progress: text(v.progress), error: text(v.error),
    problems: texts(v.problems), search: text(v.search), foot: text(v.foot), listed: num(v.listed),
    can_ask: bool(v.can_ask), activity: parseActivity(v.activity),
    task_type: text(v.task_type) || "research", asked: text(v.asked), result: text(v.result), rests: rests(v.rests),
  };
}

const rests = (value: unknown): Rest[] => many(value, (r) => ({
  source: text(r.source), title: text(r.title), url: link(r.url), message: num(r.message), quotes: texts(r.quotes),
}));

export function parseSources(value: unknown): SourceRow[] {
  return many(value, (v) => ({
    id: text(v.id), title: text(v.title), url: link(v.url), host: text(v.host), state: text(v.state),
    tag: text(v.tag), tone: tone(v.tone), took: text(v.took), detail: text(v.detail),
  }));
}

const claim = (v: Raw): Claim => ({
  key: text(v.key),
  text: text(v.text),
  no_source: bool(v.no_source),
  citations: many(v.citations, (c) => ({
    key: text(c.key), source: text(c.source), url: link(c.url), quote: text(c.quote) || null, mark: text(c.mark),
    tone: tone(c.tone),
  })),
});

export function parseGuide(value: unknown): Guide | null {
  if (!isRaw(value) || (!text(value.summary) && texts(value.unknowns).length === 0 && many(value.sections, claim).length === 0)) return null;
  return {
    summary: text(value.summary),
    lead: isRaw(value.lead) ? claim(value.lead) : null,
    sections: many(value.sections, (v) => ({
      key: text(v.key), title: text(v.title), ordered: bool(v.ordered), claims: many(v.claims, claim),
    })),
    unknowns: texts(value.unknowns),
    sources: many(value.sources, (v) => ({
      id: text(v.id), title: text(v.title), url: link(v.url), host: text(v.host), tag: text(v.tag), tone: tone(v.tone),
    })),
    unread: many(value.unread, (v) => ({ title: text(v.title), url: link(v.url), reason: text(v.reason) })),
  };
}

export function parseItem(value: unknown): Item | null {
  if (!isRaw(value)) return null;
  const v = value;
  return {
    id: text(v.id), ordinal: num(v.ordinal), question: text(v.question), answer: text(v.answer), live: bool(v.live),
    status: text(v.status), status_words: text(v.status_words), problem: text(v.problem), tool: text(v.tool),
    known: text(v.known), tokens: text(v.tokens), ahead: numOrNull(v.ahead),
    rests: rests(v.rests),
    promoted: bool(v.promoted), can_promote: bool(v.can_promote),
  };
}

export const parseItems = (value: unknown): Item[] =>
  Array.isArray(value) ? value.map(parseItem).filter((item) => item !== null) : [];

export function parseSide(value: unknown): Side | null {
  if (!isRaw(value)) return null;
  const snapshot = isRaw(value.snapshot) ? value.snapshot : null;
  return {
    parent: text(value.parent), parent_words: text(value.parent_words), can_ask: bool(value.can_ask),
    why_not: text(value.why_not),
    snapshot: snapshot && { age_s: num(snapshot.age_s), boundary: text(snapshot.boundary), ahead: numOrNull(snapshot.ahead) },
    items: parseItems(value.items), next_cursor: num(value.next_cursor), version: num(value.version),
  };
}

export function parseRoster(value: unknown): Roster | null {
  if (!isRaw(value)) return null;
  return {
    version: num(value.version),
    activity: parseActivity(value.activity),
    agents: many(value.agents, (v) => ({
      agent_id: text(v.agent_id), name: text(v.name), state: text(v.state), task_ids: texts(v.task_ids),
    })),
    tasks: many(value.tasks, (v) => ({
      task_id: text(v.task_id), short_id: text(v.short_id), question: text(v.question), asked: text(v.asked), status: text(v.status),
      headline: text(v.headline), dot: dot(v.dot), elapsed_s: num(v.elapsed_s), ticking: bool(v.ticking),
      meters: many(v.meters, meter), read: num(v.read), model: text(v.model), search: text(v.search),
    })),
    note: text(value.note),
  };
}
