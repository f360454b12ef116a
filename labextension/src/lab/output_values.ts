// Owns one task as an output of the notebook keeps it: what was saved, until its kernel says how it stands now.
// What people do with the card goes to the kernel; where there is none that offers it, they are told so.
import type { Message } from "../ui/model";
import { text } from "../ui/parse";
import { trans } from "../ui/words";
import type { Answer, Api } from "./api";
import type { Publication } from "./publication";
import { TaskValues } from "./task_values";
import { Values } from "./values";

const FREE = ["hello", "bye", "reconcile"];
const unloaded = (): Answer => ({
  ok: false, status: 503, kind: "no_api", hint: "%load_ext lazyboy_jupyter",
  error: trans.__("That needs the notebook's kernel, which has not loaded the extension."),
});

/** The kernel that an output belongs to: null offers no research; undefined: that is not known yet. */
export type Offered = Api | null | undefined;

export class OutputValues extends Values {
  #publication: Publication;
  #api: Offered;
  #task: TaskValues | null = null;
  /** A message that came before its kernel was known to offer research or not. */
  #early: Message[] = [];

  constructor(publication: Publication, api: Offered) {
    super({ kind: "run" });
    this.#publication = publication;
    this.#api = api;
    this.#show();
  }

  /** The output was drawn anew. */
  update(publication: Publication): void {
    this.#publication = publication;
    if (this.#task === null) this.#show();
  }

  /** Its kernel offers research now, or does not. */
  offered(api: Offered): void {
    if (api === this.#api) return;
    this.#unfollow();
    this.#api = api;
    this.#show();
    if (api !== undefined) for (const message of this.#early.splice(0)) this.send(message);
  }

  /** From now on it says what the kernel says. Does nothing where the kernel offers no research. */
  follow(): TaskValues | null {
    if (this.#task !== null || !this.#api || this.#publication.taskId === "") return this.#task;
    const task = (this.#task = new TaskValues(this.#api, this.#publication.taskId, "run", () => this.#unfollow()));
    for (const name of ["card", "sources", "guide", "side", "current"]) task.on(name, (value) => this.put({ [name]: value }));
    task.on("message", (message) => this.say(message as Message));
    return task;
  }

  /** Whether anybody sees it. */
  seen(looked: boolean): void {
    this.#task?.seen(looked);
  }

  refresh(): void {
    void this.#task?.refresh();
  }

  close(): void {
    this.#unfollow();
    this.#early = [];
  }

  #unfollow(): void {
    this.#task?.close();
    this.#task = null;
  }

  #show(): void {
    const { card, sources, guide } = this.#publication;
    this.put({ card: this.#asSaved(card), sources, guide });
  }

  /** Of a kernel that offers nothing nobody knows whether it is still at work. */
  #asSaved(card: Message): Message {
    if (card.live !== true || this.#api !== null) return { ...card, can_ask: card.can_ask === true && Boolean(this.#api) };
    return { ...card, live: false, ticking: false, dot: "", can_ask: false, headline: trans.__("%1, when this was saved", text(card.headline)) };
  }

  send(message: Message): void {
    const task = FREE.includes(text(message.type)) ? this.#task : this.follow();
    if (task !== null) return task.send(message);
    if (message.type === "reconcile") return; // nobody knows
    if (FREE.includes(text(message.type))) return this.reply(message, { ok: true, data: {} });
    if (this.#api === undefined) return void this.#early.push(message);
    this.reply(message, this.#saved(message));
  }

  /** The guide as Markdown is in the output itself. */
  #saved(message: Message): Answer {
    if (message.type !== "export" || message.format !== "md") return unloaded();
    const name = `guide-${text(this.#publication.card.short_id)}.md`;
    return { ok: true, data: { name, text: this.#publication.markdown, media: "text/markdown" } };
  }
}
