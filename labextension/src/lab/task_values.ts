// Owns one task as the panel shows it: its card, and the side questions of its agent, over HTTP. What people do
// with it goes the same way as in a cell.
import type { Message } from "../ui/model";
import { text } from "../ui/parse";
import type { Answer, Api } from "./api";
import { Again, Pause } from "./pause";
import { Values } from "./values";

/** Milliseconds between two looks at a task that is live. */
const EVERY = 1_000;
/** Milliseconds without a word after which an answer's stream is opened again; a ping comes every 15 seconds. */
const SILENCE = 20_000;

export class TaskValues extends Values {
  readonly #api: Api;
  readonly taskId: string;
  readonly #gone: () => void;
  readonly #looks = new Again(() => this.#look());
  readonly #pause = new Pause();
  readonly #ids = new Map<number, string>();
  #version = 0;
  #agentId = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stream: AbortController | null = null;
  #closed = false;
  #looked = true;

  /** `kind`: whether all of it is shown, or its side questions; `gone` is called when the task is no longer there. */
  constructor(api: Api, taskId: string, kind: "run" | "side", gone: () => void) {
    super({ kind, sources: [] });
    this.#api = api;
    this.taskId = taskId;
    this.#gone = gone;
    void this.refresh();
  }

  close(): void {
    this.#closed = true;
    this.#stream?.abort();
    this.#pause.end();
    clearTimeout(this.#timer);
  }

  /** Whether the panel shows it. */
  seen(looked: boolean): void {
    if (looked && !this.#looked) void this.refresh();
    this.#looked = looked;
  }

  /** Looks at the task now, and once a second while it is live and shown. */
  refresh(): Promise<void> {
    return this.#looks.want();
  }

  async #look(): Promise<void> {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    const [task] = await Promise.all([this.#api.ask("GET", `/tasks/${this.taskId}`), this.#lookAside()]);
    if (this.#closed) return;
    if (!task.ok && task.status === 404) return this.#gone();
    if (task.ok) {
      this.#agentId = text((task.data.card as Message).agent_id);
      this.put(task.data);
    }
    const ended = (this.get("card") as Message | null)?.live === false;
    if (!ended) this.#timer = setTimeout(() => this.#looked && void this.refresh(), EVERY);
  }

  async #lookAside(): Promise<void> {
    const page = await this.#api.ask("GET", this.#side);
    if (!page.ok || this.#closed) return;
    const { items, current, ...side } = page.data;
    const ended = this.#known(items).filter((one) => one.live !== true);
    this.put({ side: { ...side, items: ended, version: ++this.#version }, current: this.#newer(current as Message | null) });
    if (current !== null && this.#stream === null) void this.#follow(text((current as Message).id));
  }

  /** Of the same answer, what has come furthest: a page may be older than what the stream has said. */
  #newer(current: Message | null): Message | null {
    const known = this.get("current") as Message | null;
    return current !== null && known?.id === current.id && Number(known?.sequence) > Number(current.sequence) ? known : current;
  }

  #known(items: unknown): Message[] {
    const all = items as Message[];
    for (const one of all) this.#ids.set(Number(one.ordinal), text(one.id));
    return all;
  }

  get #side(): string {
    return `/tasks/${this.taskId}/chat/side-questions`;
  }

  /** Follows an answer as it grows. */
  async #follow(id: string): Promise<void> {
    const stream = (this.#stream = new AbortController());
    let ended = false;
    await this.#api.listen(`/side-questions/${id}/events`, "", SILENCE, stream.signal, ({ kind, data }) => {
      ended = kind === "cleared" || data.live !== true;
      if (ended) stream.abort();
      else this.put({ current: this.#newer(data) });
    });
    if (!ended && !this.#closed) await this.#pause.for(EVERY);
    this.#stream = null;
    if (!this.#closed) await this.refresh();
  }

  send(message: Message): void {
    void this.#done(message).then((answer) => {
      if (this.#closed) return;
      this.reply(message, answer);
      if (!["reconcile", "hello", "bye"].includes(text(message.type))) void this.refresh();
    });
  }

  async #done(message: Message): Promise<Answer> {
    const task = `/tasks/${this.taskId}`;
    switch (message.type) {
      case "reconcile":
        if (this.#agentId === "") await this.refresh(); // whose it is comes with the card
        return this.#api.ask("GET", `/agents/${this.#agentId || "all"}/activity`);
      case "stop":
        return this.#api.ask("POST", `${task}/cancel`);
      case "answer":
        return this.#api.ask("POST", `${task}/answer`, { text: message.text });
      case "resume":
        return this.#api.ask("POST", `${task}/resume`);
      case "ask":
        return this.#api.ask("POST", this.#side, { question: message.question, client_request_id: message.client_request_id });
      case "side_stop": {
        const current = this.get("current") as Message | null;
        return current === null ? { ok: true, data: {} } : this.#api.ask("POST", `/side-questions/${text(current.id)}/cancel`);
      }
      case "side_clear":
        return this.#api.ask("DELETE", this.#side);
      case "side_older": {
        const older = await this.#api.ask("GET", `${this.#side}?before=${text(message.before)}`);
        if (older.ok) this.#known(older.data.items);
        return older;
      }
      case "promote": {
        const id = this.#ids.get(Number(message.ordinal)) ?? "";
        return this.#api.ask("POST", `/side-questions/${id}/promote`, { sure: message.sure === true });
      }
      case "context":
        return this.#api.ask("GET", `${task}/citations/${encodeURIComponent(text(message.claim))}`);
      case "export":
        return this.#api.ask("GET", `${task}/guide?format=${encodeURIComponent(text(message.format))}`);
      default:
        return { ok: true, data: {} };
    }
  }
}
