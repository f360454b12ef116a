// Owns one drawing of a session in one element: when it is drawn, where its focus goes, what is announced.
// It keeps nothing that its successor would miss: that is the session's.
import { render } from "preact";
import type { Moment } from "./announce";
import { announcement, momentOf } from "./announce";
import { ViewContext } from "./context";
import { Pacer } from "./pacer";
import { page } from "./page";
import { Root } from "./Root";
import type { Session } from "./session";

const FOCUSABLE = "a[href],button,textarea,[tabindex]";

export class View {
  readonly session: Session;
  readonly element: HTMLElement;
  readonly openTask: ((taskId: string) => void) | null;
  readonly id = page.nextId();
  /** Whether its clocks are seen: a card out of sight is drawn for its phases, and else seldom. */
  inSight = true;
  readonly #pacer = new Pacer(() => this.#draw());
  readonly #sight = new IntersectionObserver((seen) => this.#seen(seen.at(-1)?.isIntersecting === true), { rootMargin: "200px" });
  readonly #unwatch: () => void;
  #moment: Moment;
  #said = "";
  #soon = false;
  #closed = false;
  #wanted: string | null = null;
  #attached = false;

  /** `openTask`: opens one of the tasks that a dashboard shows, where there is room for it. */
  constructor(session: Session, element: HTMLElement, openTask: ((taskId: string) => void) | null = null) {
    this.session = session;
    this.openTask = openTask;
    this.element = element;
    this.#moment = momentOf(session);
    element.addEventListener("focusin", this.#focused);
    element.addEventListener("focusout", this.#blurred);
    this.#unwatch = session.watch((own) => (own || this.#isNews() ? this.#drawSoon() : this.#pacer.request()));
    this.#draw();
    this.#sight.observe(element);
    this.#arrive(60);
  }

  /**
   * Whether the element was thrown away. JupyterLab also takes cells out of the page that are scrolled
   * out of sight: those come back, still inside of their cell.
   */
  get discarded(): boolean {
    return this.#attached && !this.element.isConnected && this.element.closest(".jp-Cell") === null;
  }

  /** Moves the focus to the element with this key in the next drawing, which comes at once. */
  focus(key: string): void {
    this.#wanted = key;
    this.#drawSoon();
  }

  dispose(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#sight.disconnect();
    page.moves(this, false);
    this.#pacer.stop();
    this.#unwatch();
    this.element.removeEventListener("focusin", this.#focused);
    this.element.removeEventListener("focusout", this.#blurred);
    render(null, this.element);
  }

  #seen(inSight: boolean): void {
    if (inSight === this.inSight) return;
    this.inSight = inSight;
    this.#pacer.sight(inSight);
    this.#pacer.request();
  }

  /** Whether a screen reader has something to say, wherever the card is. */
  #isNews(): boolean {
    return !this.inSight && announcement(this.#moment, momentOf(this.session)) !== "";
  }

  // What the person does shows at once; many changes of one click make one drawing.
  #drawSoon(): void {
    if (this.#soon) return;
    this.#soon = true;
    queueMicrotask(() => {
      this.#soon = false;
      if (!this.#closed) this.#draw();
    });
  }

  #draw(): void {
    if (this.#closed) return;
    this.#attached ||= this.element.isConnected;
    const moment = momentOf(this.session);
    this.#said = announcement(this.#moment, moment) || this.#said;
    this.#moment = moment;
    const had = this.element.contains(document.activeElement) ? this.session.focus?.key : undefined;
    render(<ViewContext.Provider value={this}><Root said={this.#said} /></ViewContext.Provider>, this.element);
    const lost = had !== undefined && !this.element.contains(document.activeElement);
    const target = this.#find(this.#wanted ?? (lost ? had : null)) ?? (lost ? this.#find("card") : undefined);
    this.#wanted = null;
    target?.focus({ preventScroll: true });
  }

  #find(key: string | null): HTMLElement | undefined {
    if (key === null) return undefined;
    return [...this.element.querySelectorAll<HTMLElement>("[data-k]")].find((one) => one.dataset.k === key);
  }

  #focused = (event: FocusEvent): void => {
    const target = event.target as HTMLElement;
    const key = target.dataset.k ?? `#${[...this.element.querySelectorAll(FOCUSABLE)].indexOf(target)}`;
    this.session.focus = { key, start: null, end: null };
  };

  // JupyterLab empties the element of a view that it replaces; that is no decision of the person.
  #blurred = (event: FocusEvent): void => {
    const target = event.target as HTMLElement;
    const focus = this.session.focus;
    if (focus && target instanceof HTMLTextAreaElement) {
      focus.start = target.selectionStart;
      focus.end = target.selectionEnd;
    }
    setTimeout(() => {
      const left = target.isConnected && !this.element.contains(document.activeElement) && document.hasFocus();
      if (left && this.session.focus === focus) this.session.focus = null;
    }, 0);
  };

  // A view is drawn before its element is put into the page, and only there it can have the focus.
  #arrive(frames: number): void {
    if (this.element.isConnected) {
      // Heights and places to scroll to were not known before.
      if (!this.#attached) this.#draw();
      this.#takeUpFocus();
    } else if (frames > 0 && !this.#closed) requestAnimationFrame(() => this.#arrive(frames - 1));
  }

  #takeUpFocus(): void {
    const focus = this.session.focus;
    const active = document.activeElement;
    const free = active === null || active === document.body || active.contains(this.element);
    if (!focus || !free) return;
    const found = focus.key.startsWith("#")
      ? this.element.querySelectorAll<HTMLElement>(FOCUSABLE)[Number(focus.key.slice(1))]
      : this.#find(focus.key);
    found?.focus({ preventScroll: true });
    if (found instanceof HTMLTextAreaElement && focus.start !== null) found.setSelectionRange(focus.start, focus.end);
  }
}
