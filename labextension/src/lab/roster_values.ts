// Owns what all agents of a kernel do, as the panel and the status bar show it: the stream of events, kept up
// whatever breaks it while somebody may look; and the roster, while somebody does.
import type { Message } from "../ui/model";
import { text } from "../ui/parse";
import { trans } from "../ui/words";
import type { Answer, Api } from "./api";
import { Again, Pause } from "./pause";
import { Values } from "./values";

/** Milliseconds before a stream that was heard is opened again, and one that was not, longer after each failure. */
const AT_ONCE = 250;
const SOON = 1_000;
const SELDOM = 8_000;
/** Milliseconds without a beat after which a stream is given up; one comes every two seconds (DESIGN §8). */
const SILENCE = 8_000;
/** Milliseconds between two looks at the roster: what happens meanwhile is in the next. */
const APART = 1_000;

const UNLOADED = "no_api";
const unloaded = (): Problem => ({ kind: UNLOADED, error: trans.__("This kernel has not loaded the extension."), hint: "%load_ext lazyboy_jupyter" });
const lost = (): Problem => ({ kind: "unreachable", error: trans.__("The kernel does not answer."), hint: trans.__("It is asked again and again.") });

export interface Problem {
  kind: string;
  error: string;
  hint: string;
}

export class RosterValues extends Values {
  readonly #api: Api;
  readonly #closing = new AbortController();
  readonly #happened = new Set<(kind: string, data: Message) => void>();
  readonly #looks = new Again(() => this.#look());
  readonly #pause = new Pause();
  #stream = new AbortController();
  #last = "";
  #hidden = false;
  #looked = false;
  /** Why nobody knows how things stand; null while it is known. */
  problem: Problem | null = null;
  #heardOf = false;

  constructor(api: Api) {
    super({ kind: "status" });
    this.#api = api;
    void this.#listen();
  }

  close(): void {
    this.#closing.abort();
    this.#stream.abort();
    this.#pause.end();
  }

  /** Whether the kernel offers its research; undefined: it was not heard of yet. */
  get offered(): boolean | undefined {
    return this.problem?.kind === UNLOADED ? false : this.#heardOf || undefined;
  }

  /** Calls back for what happens to tasks and to side questions. */
  follow(heard: (kind: string, data: Message) => void): () => void {
    this.#happened.add(heard);
    return () => void this.#happened.delete(heard);
  }

  /** Asks again at once, if nobody knows how things stand: the kernel has done something. */
  wake = (): void => this.#pause.end();

  /** `hidden`: the whole page; `looked`: whether the panel shows the roster. */
  seen({ hidden, looked }: { hidden: boolean; looked: boolean }): void {
    this.#hidden = hidden;
    if (hidden) this.#stream.abort();
    this.#pause.end();
    const begins = looked && !this.#looked;
    this.#looked = looked;
    if (begins) void this.#looks.want();
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    for (let wait = SOON; !signal.aborted; ) {
      if (this.#hidden) {
        await this.#pause.for(SELDOM);
        continue;
      }
      const offered = await this.#api.isOffered();
      if (signal.aborted) return;
      if (offered === false) {
        this.#show(unloaded());
        await this.#pause.for(SELDOM);
        continue;
      }
      this.#stream = new AbortController();
      const heard = await this.#api.listen("/events", this.#last, SILENCE, this.#stream.signal, (event) => {
        if (event.id !== "") this.#last = event.id;
        this.#heard(event.kind, event.data);
      });
      if (signal.aborted) return;
      if (!heard && !this.#hidden) this.#show(lost());
      await this.#pause.for(heard || this.#hidden ? AT_ONCE : wait);
      wait = heard ? SOON : Math.min(2 * wait, SELDOM);
    }
  }

  #heard(kind: string, data: Message): void {
    this.#show(null);
    if (!this.#heardOf) {
      this.#heardOf = true;
      this.put({ offered: true });
    }
    if (kind === "state" && !this.#looked) this.put({ roster: data });
    else if (kind === "task" || kind === "beat") this.say({ type: "beat", version: this.#version(), activity: data.activity });
    if (kind !== "beat" && this.#looked) void this.#looks.want();
    for (const one of [...this.#happened]) one(kind, data);
  }

  #version(): number {
    const known = Number((this.get("roster") as Message | null)?.version) || 0;
    return Math.max(known, Number(this.#last) || 0);
  }

  async #look(): Promise<void> {
    if (!this.#looked || this.#closing.signal.aborted) return;
    const answer = await this.#api.ask("GET", "/agents");
    if (this.#closing.signal.aborted) return;
    // What is known of a kernel that does not answer stays: it is said to be unknown.
    if (answer.ok) this.put({ roster: answer.data });
    await new Promise((resolve) => setTimeout(resolve, APART));
  }

  #show(problem: Problem | null): void {
    if (problem?.kind === this.problem?.kind) return;
    this.problem = problem;
    this.put({ problem });
    if (problem !== null) this.say({ type: "lost" }); // an idle agent is asked nothing that could fail
  }

  send(message: Message): void {
    void this.#done(message).then((answer) => this.reply(message, answer));
  }

  async #done(message: Message): Promise<Answer> {
    if (message.type === "reconcile") return this.#api.ask("GET", "/agents/all/activity");
    if (message.type === "answer") return this.#api.ask("POST", `/tasks/${text(message.task_id)}/answer`, { text: message.text });
    if (message.type === "stop") return this.#api.ask("POST", `/tasks/${text(message.task_id)}/cancel`);
    return { ok: true, data: {} };
  }
}
