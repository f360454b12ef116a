// Owns the bond to anywidget: a model becomes a `Ui`, and each place or `render` a view of it. It never reads
// what is shown.
import type { CellOffer } from "./handover";
import type { Message, Ui } from "./model";
import { insertBelow } from "./notebook";
import { places } from "./places";
import { Session } from "./session";
import { View } from "./view";

type Callback = (value: unknown) => void;

interface Model {
  get(name: string): unknown;
  on(name: string, callback: Callback): void;
  off(name: string, callback: Callback): void;
  send(content: Message): void;
  widget_manager?: unknown;
}

function uiOf(model: Model): Ui {
  return {
    get: (name) => model.get(name),
    on(name, callback) {
      const event = name === "message" ? "msg:custom" : `change:${name}`;
      const listener: Callback = (value) => callback(value);
      model.on(event, listener);
      return () => model.off(event, listener);
    },
    send: (message) => model.send(message),
  };
}

/**
 * One widget. anywidget calls this once for each model, and hands `initialize` and every `render` another
 * wrapping of that model: what views share is therefore kept here, not by the model's identity.
 */
export default function widget() {
  let session: Session | null = null;
  const views = new Set<View>();
  const open = (model: Model): Session => (session ??= new Session(uiOf(model)));

  const show = (model: Model, element: HTMLElement): (() => void) => {
    // JupyterLab empties an output that is drawn anew, and tells no one.
    for (const old of views) {
      if (!old.discarded && old.element !== element) continue;
      old.dispose();
      views.delete(old);
    }
    element.addEventListener("lazyboy:insert-cell", (event) => {
      const offer = (event as CustomEvent<CellOffer>).detail;
      if (!event.defaultPrevented && insertBelow(model.widget_manager, element, offer)) event.preventDefault();
    });
    const view = new View(open(model), element);
    views.add(view);
    return () => {
      view.dispose();
      views.delete(view);
    };
  };

  return {
    initialize({ model }: { model: Model }): () => void {
      const place = model.get("place");
      const leave = typeof place === "string" && place !== "" ? places.claim(place, (host) => show(model, host)) : null;
      return () => {
        leave?.();
        for (const view of views) view.dispose();
        views.clear();
        session?.dispose();
        session = null;
      };
    },

    render: ({ model, el }: { model: Model; el: HTMLElement }): (() => void) => show(model, el),
  };
}
