// Owns one task as the panel shows it: its card, and the side questions of its agent, over HTTP. What people do
// with it goes the same way as in a cell.
import type { Message } from "../ui/model";
import { text } from "../ui/parse";
import type { Answer, Api } from "./api";
import { Values } from "./values";

const EVERY = 1_000;

export class TaskValues extends Values {
  readonly #api: Api;
  readonly taskId: string;
  #version = 0;
  #agentId = "";
  #timer: ReturnType<typeof setTimeout> | null = null;
  #asking = false;
  #stream: AbortController | null = null;
  #closed = false;

  constructor(api: Api, taskId: string) {
    super({ kind: "run", sources: [] });
    this.#api = api;
    this.taskId = taskId;
    void this.refresh();
  }

  close(): void {
    this.#closed = true;
    this.#stream?.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Looks at the task now, and once a second while it is live. */
  async refresh(): Promise<void> {
    if (this.#asking || this.#closed) return;
    this.#asking = true;
    const [task] = await Promise.all([this.#api.ask("GET", `/tasks/${this.taskId}`), this.refreshSide()]);
    this.#asking = false;
    if (this.#closed) return;
    let live = true;
    if (task.ok) {
      const card = task.data.card as Message;
      live = card.live === true;
      this.#agentId = text(card.agent_id);
      this.put({ sources: task.data.sources, guide: task.data.guide, card });
    }
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = live ? setTimeout(() => void this.refresh(), EVERY) : null;
  }

  async refreshSide(): Promise<void> {
    const page = await this.#api.ask("GET", this.#side);
    if (!page.ok || this.#closed) return;
    const { items, current, ...side } = page.data;
    const ended = (items as Message[]).filter((one) => one.live !== true);
    this.put({ side: { ...side, items: ended, version: ++this.#version }, current });
    if (current !== null && this.#stream === null) void this.#follow(text((current as Message).id));
  }

  get #side(): string {
    return `/tasks/${this.taskId}/chat/side-questions`;
  }

  /** Follows an answer as it grows. */
  async #follow(id: string): Promise<void> {
    const stream = (this.#stream = new AbortController());
    await this.#api.listen(`/side-questions/${id}/events`, "", stream.signal, ({ kind, data }) => {
      if (kind === "snapshot" && data.live === true) this.put({ current: data });
      else stream.abort();
    });
    this.#stream = null;
    if (!this.#closed) await this.refreshSide();
  }

  send(message: Message): void {
    const { id, type } = message;
    void this.#done(message).then((answer) => {
      if (this.#closed) return;
      if (answer.ok) this.say({ type: "reply", ok: true, ...answer.data, id });
      else if (answer.status > 0) this.say({ type: "reply", ok: false, error: answer.error, hint: answer.hint, id });
      if (type !== "reconcile" && type !== "hello" && type !== "bye") void this.refresh();
    });
  }

  async #done(message: Message): Promise<Answer> {
    const task = `/tasks/${this.taskId}`;
    switch (message.type) {
      case "reconcile":
        return this.#api.ask("GET", `/agents/${this.#agentId}/activity`);
      case "stop":
        return this.#api.ask("POST", `${task}/cancel`);
      case "ask":
        return this.#api.ask("POST", this.#side, { question: message.question, client_request_id: message.client_request_id });
      case "side_stop": {
        const current = this.get("current") as Message | null;
        return current === null ? { ok: true, data: {} } : this.#api.ask("POST", `/side-questions/${text(current.id)}/cancel`);
      }
      case "side_clear":
        return this.#api.ask("DELETE", this.#side);
      case "side_older":
        return this.#api.ask("GET", `${this.#side}?before=${text(message.before)}`);
      case "promote":
        return this.#api.ask("POST", `/side-questions/${this.#idOf(message.ordinal)}/promote`, { sure: message.sure === true });
      case "context":
        return this.#api.ask("GET", `${task}/citations/${encodeURIComponent(text(message.claim))}`);
      case "export":
        return this.#api.ask("GET", `${task}/guide?format=${encodeURIComponent(text(message.format))}`);
      default:
        return { ok: true, data: {} };
    }
  }

  #idOf(ordinal: unknown): string {
    const side = this.get("side") as { items: Message[] } | null;
    return text(side?.items.find((one) => one.ordinal === ordinal)?.id);
  }
}
