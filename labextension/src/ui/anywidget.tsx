// Owns the bond to anywidget: a model becomes a `Ui`, each `render` a view. It never reads a trait's value.
import type { Message, Ui } from "./model";
import { Session } from "./session";
import { View } from "./view";

type Callback = (value: unknown) => void;

interface Model {
  get(name: string): unknown;
  on(name: string, callback: Callback): void;
  off(name: string, callback: Callback): void;
  send(content: Message): void;
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

  return {
    initialize({ model }: { model: Model }): () => void {
      open(model);
      return () => {
        for (const view of views) view.dispose();
        views.clear();
        session?.dispose();
        session = null;
      };
    },

    render({ model, el }: { model: Model; el: HTMLElement }): () => void {
      // JupyterLab empties an output whose static twin was updated, and tells no one.
      for (const old of views) {
        if (old.element.isConnected && old.element !== el) continue;
        old.dispose();
        views.delete(old);
      }
      const view = new View(open(model), el);
      views.add(view);
      return () => {
        view.dispose();
        views.delete(view);
      };
    },
  };
}
