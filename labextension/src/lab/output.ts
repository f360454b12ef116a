// Owns one output that carries a task, as JupyterLab shows it: the card that was saved, and, where its kernel
// offers research, the card as it stands now. A widget of the output covers it while there is one.
import { LIVE } from "../ui/activity";
import type { Message } from "../ui/model";
import { text } from "../ui/parse";
import { Session } from "../ui/session";
import { View } from "../ui/view";
import type { MimeModel, Renderer } from "./jupyter";
import type { Offered } from "./output_values";
import { OutputValues } from "./output_values";
import type { Publication } from "./publication";
import { placed, publicationOf } from "./publication";

/** Milliseconds in which the kernel's own drawing of an end arrives, where it does. */
const GRACE = 5_000;
/** Milliseconds in which a widget comes to cover a card that is live, where there is one. */
const COVER = 400;

export class Output {
  readonly node: HTMLElement;
  /** The kernel of the notebook that it is in, as far as that is known. */
  kernelId = "";
  #model: MimeModel | null = null;
  #publication: Publication | null = null;
  #values: OutputValues | null = null;
  #session: Session | null = null;
  #view: View | null = null;
  readonly #still = document.createElement("div");
  readonly #covered = new MutationObserver(() => this.#draw());
  #api: Offered;
  #attached = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;

  /** `arrived` is called when the output came into a page: its notebook can be told then. */
  constructor(widget: Renderer, arrived: () => void) {
    this.node = widget.node;
    widget.onAfterAttach = () => {
      this.#attached = true;
      arrived();
      this.#draw();
    };
    widget.onBeforeDetach = () => {
      this.#attached = false;
      this.#draw();
    };
    widget.disposed.connect(() => this.#dispose());
    for (const event of ["pointerenter", "focusin"]) this.node.addEventListener(event, () => this.#wanted());
    this.#covered.observe(this.#still, { attributes: true, attributeFilter: ["hidden"] });
  }

  get taskId(): string {
    return this.#publication?.taskId ?? "";
  }

  render(model: MimeModel): void {
    const before = this.#publication;
    const now = (this.#publication = publicationOf(model));
    this.#model = model;
    if (this.#values === null || before?.taskId !== now.taskId) {
      this.#forget();
      this.#values = new OutputValues(now, this.#api);
      this.#session = new Session(this.#values);
    } else this.#values.update(now);
    if (before?.place !== now.place || this.node.firstElementChild === null) this.#settle(now.place);
    this.#draw();
  }

  /** Its kernel offers research now, or does not. */
  offered(api: Offered): void {
    if (api === this.#api) return;
    this.#api = api;
    this.#values?.offered(api);
    this.#draw();
    if (this.#view !== null && this.#publication?.card.live === true) this.#values?.follow();
    void this.#bringUpToDate();
  }

  /** Its task has come a stage further. */
  happened(data: Message): void {
    this.#values?.refresh();
    if (LIVE.includes(text(data.status))) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#bringUpToDate(), GRACE);
  }

  // A widget that is named here draws itself over what is still.
  #settle(place: string): void {
    const host = document.createElement("div");
    if (place !== "") host.dataset.lazyboyView = place;
    this.#still.hidden = false;
    host.append(this.#still);
    this.node.replaceChildren(host);
  }

  #draw(): void {
    clearTimeout(this.#soon);
    const shown = this.#attached && !this.#still.hidden && this.#session !== null;
    this.#values?.seen(shown);
    if (!shown) {
      this.#view?.dispose();
      this.#view = null;
    } else if (this.#view === null) {
      const live = this.#publication?.card.live === true;
      this.#soon = setTimeout(() => this.#show(live), live ? COVER : 0);
    }
  }

  #show(live: boolean): void {
    if (this.#session === null) return;
    if (live) this.#values?.follow();
    this.#view = new View(this.#session, this.#still);
  }

  /** Somebody turns to it: what can be done with it is done by its kernel. */
  #wanted(): void {
    if (!this.#still.hidden) this.#values?.follow();
  }

  /** The kernel may have ended a task while no page was open: then the notebook still keeps it as live. */
  async #bringUpToDate(): Promise<void> {
    const api = this.#api;
    const stale = (): boolean => api === this.#api && this.#publication?.card.live === true && this.taskId !== "";
    if (!api || !stale()) return;
    const task = await api.ask("GET", `/tasks/${this.taskId}`);
    if (!task.ok || (task.data.card as Message).live !== false || !stale()) return;
    const output = await api.ask("GET", `/tasks/${this.taskId}/output`);
    if (!output.ok || !stale() || this.#model === null || this.#publication === null) return;
    this.#model.setData({ data: placed(output.data.data as Message, this.#publication.place), metadata: this.#model.metadata });
  }

  #forget(): void {
    this.#view?.dispose();
    this.#view = null;
    this.#session?.dispose();
    this.#values?.close();
  }

  #dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    this.#covered.disconnect();
    this.#forget();
    this.#model = this.#publication = this.#values = this.#session = null;
  }
}
