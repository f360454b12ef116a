// Owns where a panel is: in the right side bar, which JupyterLab resizes, or, where the window is narrow, in a
// drawer over the notebook, which takes the keyboard until it is closed. It draws nothing of the panel.
import type { App, LabWidget, Lumino } from "./jupyter";

const NARROW = "(max-width: 760px)";

export class Drawer {
  readonly #app: App;
  readonly #lumino: Lumino;
  readonly #ranks = new Map<LabWidget, number>();
  readonly #narrow = matchMedia(NARROW);
  readonly #node = document.createElement("div");
  readonly #pane = document.createElement("div");
  #open: LabWidget | null = null;
  #before: Element | null = null;
  #inert: HTMLElement[] = [];

  constructor(app: App, lumino: Lumino) {
    this.#app = app;
    this.#lumino = lumino;
    this.#node.className = "lzl-drawer";
    this.#pane.className = "lzl-drawer-pane";
    this.#pane.setAttribute("role", "dialog");
    this.#pane.setAttribute("aria-modal", "true");
    const close = document.createElement("button");
    Object.assign(close, { type: "button", className: "lzl-close", textContent: "×", title: "Close" });
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => this.close());
    this.#pane.append(close);
    this.#node.append(this.#pane);
    this.#node.addEventListener("click", (event) => event.target === this.#node && this.close());
    // Wherever the focus is: what had it may be gone, such as a question that was sent.
    document.addEventListener("keydown", (event) => event.key === "Escape" && !event.defaultPrevented && this.close());
    this.#narrow.addEventListener("change", () => this.#changed());
  }

  /** Puts a panel into the side bar. */
  add(panel: LabWidget, rank: number): void {
    this.#ranks.set(panel, rank);
    this.#app.shell.add(panel, "right", { rank });
  }

  /** Shows a panel where there is room for it. */
  show(panel: LabWidget): void {
    if (!this.#narrow.matches) return this.#app.shell.activateById(panel.id);
    if (this.#open === panel) return;
    this.close();
    this.#before = document.activeElement;
    this.#open = panel;
    this.#pane.setAttribute("aria-label", panel.title.caption);
    this.#inert = [...document.body.children].filter((one): one is HTMLElement => one instanceof HTMLElement && !one.inert);
    for (const one of this.#inert) one.inert = true;
    document.body.append(this.#node);
    panel.parent = null;
    this.#lumino.Widget.attach(panel, this.#pane);
    panel.show();
    this.#pane.querySelector<HTMLElement>("textarea, select, .lzl button, button")?.focus();
  }

  close(): void {
    const panel = this.#open;
    if (panel === null) return;
    this.#open = null;
    this.#lumino.Widget.detach(panel);
    this.#node.remove();
    for (const one of this.#inert.splice(0)) one.inert = false;
    this.add(panel, this.#ranks.get(panel) ?? 0);
    if (this.#before instanceof HTMLElement) this.#before.focus();
  }

  #changed(): void {
    const panel = this.#open ?? [...this.#ranks.keys()].find((one) => one.isVisible);
    if (panel === undefined) return;
    this.close();
    this.show(panel);
  }
}
