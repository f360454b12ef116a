// Owns where a widget lives: in an output that was drawn as static HTML and names a place, which the
// notebook's file keeps and which reads without us. While the widget lives there, what is static is hidden.
// It never looks into the widget.

/** Draws in an element of its own; the function returned takes it away. */
type Show = (host: HTMLElement) => () => void;

const NAMED = "[data-lazyboy-view]";

class Places {
  readonly #shows = new Map<string, Show>();
  readonly #taken = new Map<Element, () => void>();
  readonly #observer = new MutationObserver((changes) => this.#changed(changes));

  /** Shows a widget wherever its place is, and wherever it comes to be, until the function returned is called. */
  claim(place: string, show: Show): () => void {
    if (this.#shows.size === 0) this.#observer.observe(document, { childList: true, subtree: true });
    this.#shows.set(place, show);
    for (const element of document.querySelectorAll(NAMED)) this.#settle(element);
    return () => {
      this.#shows.delete(place);
      for (const [element, leave] of this.#taken) if (nameOf(element) === place) leave();
      if (this.#shows.size === 0) this.#observer.disconnect();
    };
  }

  // Called before the page is painted: nobody sees the static form come and go.
  #changed(changes: MutationRecord[]): void {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(NAMED)) this.#settle(node);
        for (const element of node.querySelectorAll(NAMED)) this.#settle(element);
      }
    }
    // Thrown away, deleted with its cell, or only scrolled out of sight: what comes back is settled again.
    for (const [element, leave] of this.#taken) if (!element.isConnected) leave();
  }

  #settle(element: Element): void {
    const show = this.#shows.get(nameOf(element));
    if (show === undefined || this.#taken.has(element)) return;
    const host = document.createElement("div");
    const still = [...element.children].filter((one): one is HTMLElement => one instanceof HTMLElement);
    const uncover = () => {
      host.remove();
      for (const one of still) one.hidden = false;
    };
    element.append(host);
    for (const one of still) one.hidden = true;
    try {
      const close = show(host);
      this.#taken.set(element, () => {
        this.#taken.delete(element);
        close();
        uncover();
      });
    } catch (error) {
      uncover(); // the static form says it all, and the other places are settled
      console.error(error);
    }
  }
}

function nameOf(element: Element): string {
  return element.getAttribute("data-lazyboy-view") ?? "";
}

// Each widget loads its own copy of this module, so what they share lives on globalThis.
const KEY = Symbol.for("lazyboy_jupyter.places.1");
const holder = globalThis as { [KEY]?: Places };

export const places: Places = (holder[KEY] ??= new Places());
