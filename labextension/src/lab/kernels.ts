// Owns which kernel the panel and the status bar speak of: that of the notebook or console that was looked at
// last. It asks kernels nothing.
import type { App, Kernel, SessionContext } from "./jupyter";

export interface Current {
  kernel: Kernel;
  /** The notebook's name. */
  name: string;
  /** What shows it. */
  node: HTMLElement;
}

export class CurrentKernel {
  readonly #app: App;
  readonly #listeners = new Set<() => void>();
  readonly #ranListeners = new Set<() => void>();
  #runs = false;
  #context: SessionContext | null = null;
  #node: HTMLElement | null = null;
  #known = "";

  constructor(app: App) {
    this.#app = app;
    app.shell.currentChanged?.connect(this.#changed);
    void app.restored.then(this.#changed);
    this.#changed();
  }

  get(): Current | null {
    const kernel = this.#context?.session?.kernel;
    if (!kernel || !this.#context || !this.#node) return null;
    return { kernel, name: this.#context.path.split("/").at(-1) ?? "", node: this.#node };
  }

  /** Calls back when it is another kernel. */
  on(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Calls back when a cell of that kernel has run: what is asked silently is none. */
  onRan(listener: () => void): void {
    this.#ranListeners.add(listener);
  }

  #heard = (_sender: unknown, { header }: { header: { msg_type: string } }): void => {
    this.#runs ||= header.msg_type === "execute_input";
  };

  #status = (_sender: unknown, status: string): void => {
    if (status !== "idle" || !this.#runs) return;
    this.#runs = false;
    for (const one of [...this.#ranListeners]) one();
  };

  #changed = (): void => {
    const looked = this.#app.shell.currentWidget;
    const context = looked?.sessionContext;
    if (looked && context !== undefined && context !== this.#context) {
      this.#context?.kernelChanged.disconnect(this.#tell);
      this.#context?.statusChanged.disconnect(this.#status);
      this.#context?.iopubMessage.disconnect(this.#heard);
      this.#context = context;
      this.#node = looked.node;
      context.statusChanged.connect(this.#status);
      context.iopubMessage.connect(this.#heard);
      context.kernelChanged.connect(this.#tell);
    }
    this.#tell();
  };

  #tell = (): void => {
    const id = this.get()?.kernel.id ?? "";
    if (id === this.#known) return;
    this.#known = id;
    for (const one of [...this.#listeners]) one();
  };
}
