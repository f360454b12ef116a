// Owns how a widget comes by the interface: one module and one style sheet for all widgets of a page, sent by the
// kernel to the first that asks. It knows nothing of what is shown.

interface Model {
  get(name: string): unknown;
  on(name: string, callback: (value: unknown) => void): void;
  off(name: string, callback: (value: unknown) => void): void;
  send(content: Record<string, unknown>): void;
}
interface Context {
  model: Model;
}
interface Definition {
  initialize(context: Context): () => void;
  render(context: Context & { el: HTMLElement }): () => void;
}
interface Interface {
  default: () => Definition;
}
type Begin = (module: Interface) => void;

/** Milliseconds after which another widget asks too: the kernel of the first may be busy, or gone. */
const PATIENCE = 2_000;

/** What the widgets of a page share that are of one version. */
class Shared {
  loaded: Interface | null = null;
  readonly #waiting = new Map<Model, Begin>();
  readonly #asked = new Map<Model, (message: unknown) => void>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #taking = false;

  /** Calls `begin` when the interface is there, however late, unless the returned function is called before. */
  wait(model: Model, begin: Begin): () => void {
    this.#waiting.set(model, begin);
    if (this.#asked.size === 0) this.#ask(model);
    this.#timer ??= setInterval(() => this.#askNext(), PATIENCE);
    return () => {
      this.#waiting.delete(model);
      this.#listenNoMore(model);
      if (this.#asked.size === 0) this.#askNext();
    };
  }

  /** The newest asks: it is of another kernel more likely than those before. */
  #askNext(): void {
    const next = [...this.#waiting.keys()].filter((one) => !this.#asked.has(one)).at(-1);
    if (next !== undefined) return this.#ask(next);
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #ask(model: Model): void {
    const heard = (message: unknown): void => {
      const { type, script, style } = (message ?? {}) as Record<string, unknown>;
      if (type === "interface") void this.#take(String(script), String(style));
    };
    this.#asked.set(model, heard);
    model.on("msg:custom", heard);
    model.send({ type: "interface" });
  }

  #listenNoMore(model: Model): void {
    const heard = this.#asked.get(model);
    if (heard !== undefined) model.off("msg:custom", heard);
    this.#asked.delete(model);
  }

  async #take(script: string, style: string): Promise<void> {
    if (this.#taking || this.loaded !== null) return;
    this.#taking = true;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    try {
      this.loaded = (await import(address)) as Interface;
      const sheet = document.createElement("style");
      sheet.textContent = style;
      document.head.append(sheet);
      for (const begin of this.#waiting.values()) begin(this.loaded);
    } catch (error) {
      console.error(error); // the static twins say it all
    } finally {
      this.#taking = false;
      URL.revokeObjectURL(address);
      this.#waiting.clear();
      for (const model of [...this.#asked.keys()]) this.#listenNoMore(model);
      this.#askNext();
    }
  }
}

function sharedOf(version: string): Shared {
  const holder = globalThis as unknown as Record<symbol, Shared | undefined>;
  return (holder[Symbol.for(`lazyboy_jupyter.interface.${version}`)] ??= new Shared());
}

export default function widget() {
  let definition: Definition | null = null;
  let ready: Promise<void> | null = null;

  return {
    /** Never waits for the kernel: the front end would give up, and the static twin shows as long. */
    initialize(context: Context): () => void {
      let end = (): void => undefined;
      const begin = (module: Interface): void => {
        definition = module.default();
        end = definition.initialize(context);
      };
      const shared = sharedOf(String(context.model.get("interface")));
      if (shared.loaded !== null) {
        begin(shared.loaded);
        return () => end();
      }
      let leave = (): void => undefined;
      ready = new Promise((resolve) => {
        leave = shared.wait(context.model, (module) => {
          begin(module);
          resolve();
        });
      });
      return () => {
        leave();
        end();
      };
    },

    render(context: Context & { el: HTMLElement }): (() => void) | Promise<(() => void) | undefined> | undefined {
      return definition?.render(context) ?? ready?.then(() => definition?.render(context));
    },
  };
}
