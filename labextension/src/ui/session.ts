// Owns what one widget's views share and Python does not know: what is open, the draft, what waits for a
// reply, what is believed of the agent. It never draws, and never changes a trait.
import type { Belief, Fact } from "./activity";
import { animates, firstBelief, isDue, shownOf, step } from "./activity";
import type { Activity, Message, Trouble, Ui } from "./model";
import { Older } from "./older";
import { page } from "./page";
import { parseActivity, text } from "./parse";
import type { Reply } from "./requests";
import { Requests } from "./requests";
import { TRAITS, Traits } from "./traits";

export interface Context {
  before: string;
  quote: string;
  after: string;
  title: string;
  url: string;
}

const IDLE: Activity = { state: "idle", task_ids: [], pending_question: null };

export class Session extends Traits {
  readonly requests: Requests;
  draft = "";
  /** What is being written in answer to a task, by the place of its box. */
  readonly answers = new Map<string, string>();
  /** Keys of what is unfolded: panels, quotes, menus, long texts. */
  readonly open = new Set<string>();
  /** Places that wait for a reply. */
  readonly busy = new Set<string>();
  readonly troubles = new Map<string, Trouble>();
  /** One line each: a confirmation, or the preview of what would be given to the agent. */
  readonly notes = new Map<string, string>();
  readonly contexts = new Map<string, Context>();
  readonly older = new Older();
  /** What had the focus in a view that is gone, so that its successor takes it up. */
  focus: { key: string; start: number | null; end: number | null } | null = null;
  belief: Belief;
  /** When the shown version came, in ms: the clock runs on from there. */
  shownAt = Date.now();

  readonly #offs: (() => void)[] = [];
  readonly #watchers = new Set<(own: boolean) => void>();
  #stopTicks: (() => void) | null = null;
  #status: string | undefined;

  constructor(ui: Ui) {
    super(ui);
    this.requests = new Requests(ui);
    this.belief = firstBelief(this.card?.agent_id ?? null, this.version, this.card?.activity ?? this.roster?.activity ?? IDLE, Date.now());
    this.#status = this.card?.status;
    this.older.follow(this.side);
    for (const name of TRAITS) this.#offs.push(ui.on(name, () => this.#changed(name)));
    this.#offs.push(ui.on("message", (message) => this.#took(message as Message)));
  }

  get version(): number { return this.card?.version ?? this.roster?.version ?? this.side?.version ?? 0; }

  /** Whether anything goes on that is worth asking after. */
  get live(): boolean {
    if (this.kind === "status") return this.roster !== null && (this.roster.activity.state !== "idle" || this.belief.activity.state !== "idle");
    return this.card?.live === true || this.current?.live === true;
  }

  get shown() { return shownOf(this.belief); }
  get moving(): boolean { return this.live && animates(this.belief); }

  /** Calls back after every change; `own`: it came from this page, not from Python. */
  watch(watcher: (own: boolean) => void): () => void {
    this.#watchers.add(watcher);
    this.#start();
    this.requests.send({ type: "hello" }, () => undefined);
    this.reconcile();
    return () => {
      if (!this.#watchers.delete(watcher)) return;
      this.requests.send({ type: "bye" }, () => undefined);
      if (this.#watchers.size === 0) this.#stop();
    };
  }

  dispose(): void {
    for (const off of this.#offs) off();
    this.#watchers.clear();
    this.#stop();
  }

  /** Draws again for something the person did. */
  changed(): void {
    for (const watcher of [...this.#watchers]) watcher(true);
  }

  toggle(key: string, on = !this.open.has(key)): void {
    if (on) this.open.add(key);
    else this.open.delete(key);
    this.changed();
  }

  /** Shows one line at a place for a while. */
  note(place: string, line: string): void {
    this.notes.set(place, line);
    this.changed();
    setTimeout(() => {
      if (this.notes.get(place) === line) this.forget(place);
    }, 6_000);
  }

  forget(place: string): void {
    this.notes.delete(place);
    this.troubles.delete(place);
    this.changed();
  }

  /** Sends a request for a place, once at a time; its failure is shown there, in one line. */
  perform(place: string, message: Message, succeeded: (data: Message) => void, failed: (reply: Reply) => void = () => undefined): void {
    if (this.busy.has(place)) return;
    this.busy.add(place);
    this.troubles.delete(place);
    this.notes.delete(place);
    this.requests.send(message, (reply) => {
      this.busy.delete(place);
      if (reply.ok) succeeded(reply.data);
      else {
        this.troubles.set(place, { error: reply.error, hint: reply.hint });
        failed(reply);
      }
      this.changed();
    });
    this.changed();
  }

  /** Asks for the true state now, unless nothing goes on. */
  reconcile(): void {
    if (!this.live) return;
    const id = this.requests.send({ type: "reconcile" }, (reply) => {
      const at = Date.now();
      if (!reply.ok) return reply.answered ? this.#learn({ type: "refused", id, at }) : undefined;
      const { agent_id, version, activity } = reply.data;
      const about = { agentId: text(agent_id) || null, version: Number(version) || 0, activity: parseActivity(activity) };
      this.#learn({ type: "answered", id, ...about, at });
    });
    this.#learn({ type: "asked", id, at: Date.now() });
  }

  #start(): void {
    if (this.#stopTicks !== null) return;
    this.#stopTicks = page.everySecond((now) => this.#tick(now));
    document.addEventListener("visibilitychange", this.#woke);
  }

  #stop(): void {
    this.#stopTicks?.();
    this.#stopTicks = null;
    document.removeEventListener("visibilitychange", this.#woke);
  }

  #woke = (): void => {
    if (!document.hidden) this.reconcile();
  };

  #changed(name: string): void {
    const at = Date.now();
    if (name === "card" || name === "roster" || name === "side") this.shownAt = at;
    const activity = name === "card" ? this.card?.activity : name === "roster" ? this.roster?.activity : this.belief.activity;
    const version = name === "current" ? this.belief.version : this.version;
    const { lost } = this.belief;
    const status = name === "card" ? this.card?.status : this.#status;
    if (activity) this.belief = step(this.belief, { type: "shown", agentId: this.card?.agent_id ?? null, version, activity, at });
    if (name === "side") this.older.follow(this.side);
    for (const watcher of [...this.#watchers]) watcher(false);
    if ((lost && !this.belief.lost) || status !== this.#status) this.reconcile();
    this.#status = status;
  }

  #took(message: Message): void {
    if (typeof message !== "object" || message === null || this.requests.take(message)) return;
    if (message.type === "lost") return this.#learn({ type: "lost", at: Date.now() });
    if (message.type !== "beat") return;
    const activity = parseActivity(message.activity);
    this.#learn({ type: "beat", version: Number(message.version) || 0, activity, at: Date.now() });
  }

  #tick(now: number): void {
    if (!this.live) return;
    this.#learn({ type: "ticked", at: now });
    if (isDue(this.belief, now)) this.reconcile();
  }

  #learn(fact: Fact): void {
    const before = this.belief;
    this.belief = step(before, fact);
    const asked = before.activity.pending_question !== this.belief.activity.pending_question;
    if (asked || shownOf(before) !== this.shown) for (const watcher of [...this.#watchers]) watcher(false);
  }
}
