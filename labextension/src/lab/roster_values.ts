// Owns what all agents of a kernel do, as the panel and the status bar show it: the stream of events, kept up
// whatever breaks it, and the roster after each.
import type { Message } from "../ui/model";
import { text } from "../ui/parse";
import type { Answer, Api } from "./api";
import { Values } from "./values";

/** Milliseconds before the stream is opened again, longer after each failure. */
const AGAIN = 1_000;
const SELDOM = 8_000;

const UNLOADED = { kind: "no_api", error: "This kernel has not loaded the extension.", hint: "%load_ext lazyboy_jupyter" };

export interface Problem {
  kind: string;
  error: string;
  hint: string;
}

export class RosterValues extends Values {
  readonly #api: Api;
  readonly #closing = new AbortController();
  readonly #happened = new Set<(kind: string, data: Message) => void>();
  #last = "";
  #asking = false;
  #stale = false;
  #wake: (() => void) | null = null;
  /** Why there is nothing new to show; null while there is. */
  problem: Problem | null = null;

  constructor(api: Api) {
    super({ kind: "status" });
    this.#api = api;
    void this.#listen();
  }

  close(): void {
    this.#closing.abort();
  }

  /** Calls back for what happens to tasks and to side questions. */
  follow(heard: (kind: string, data: Message) => void): () => void {
    this.#happened.add(heard);
    return () => void this.#happened.delete(heard);
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    for (let wait = AGAIN; !signal.aborted; wait = Math.min(2 * wait, SELDOM)) {
      if ((await this.#api.isOffered()) === false) {
        this.#show(UNLOADED);
        await this.#pause(SELDOM);
        continue;
      }
      const begun = await this.#api.listen("/events", this.#last, signal, ({ kind, id, data }) => {
        if (id !== "") this.#last = id;
        if (kind === "beat") this.#beat(data);
        else void this.refresh();
        for (const one of [...this.#happened]) one(kind, data);
      });
      if (begun) wait = AGAIN;
      if (signal.aborted) return;
      await this.refresh();
      await this.#pause(wait);
    }
  }

  /** Looks again at once: the kernel has done something. */
  wake = (): void => this.#wake?.();

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #show(problem: Problem | null): void {
    if (problem?.kind === this.problem?.kind) return;
    this.problem = problem;
    this.put({ problem });
  }

  #beat(data: Message): void {
    const version = (this.get("roster") as Message | null)?.version ?? 0;
    this.say({ type: "beat", version, activity: data.activity });
  }

  async refresh(): Promise<void> {
    if (this.#asking) {
      this.#stale = true;
      return;
    }
    this.#asking = true;
    const answer = await this.#api.ask("GET", "/agents");
    this.#asking = false;
    if (this.#closing.signal.aborted) return;
    // What is known of a kernel that does not answer stays: it is said to be unknown.
    this.#show(answer.ok ? null : answer);
    if (answer.ok) this.put({ roster: answer.data });
    if (this.#stale) {
      this.#stale = false;
      await this.refresh();
    }
  }

  send(message: Message): void {
    const { id } = message;
    void this.#done(message).then((answer) => {
      if (answer.ok) this.say({ type: "reply", ok: true, ...answer.data, id });
      else if (answer.status > 0) this.say({ type: "reply", ok: false, error: answer.error, hint: answer.hint, id });
    });
  }

  async #done(message: Message): Promise<Answer> {
    if (message.type === "reconcile") return this.#api.ask("GET", "/agents/all/activity");
    if (message.type === "stop") return this.#api.ask("POST", `/tasks/${text(message.task_id)}/cancel`);
    return { ok: true, data: {} };
  }
}
