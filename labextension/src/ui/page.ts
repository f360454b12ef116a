// Owns what all cards of a page share: one timer and a counter for element ids. Each widget loads its own
// copy of this module, so it lives on globalThis. It never keeps a timer that nobody needs.

type Tick = (now: number) => void;

class Page {
  readonly #ticks = new Set<Tick>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #ids = 0;

  nextId(): string {
    return `lzu${++this.#ids}`;
  }

  /** Calls back once a second until the returned function is called. */
  everySecond(tick: Tick): () => void {
    this.#ticks.add(tick);
    this.#timer ??= setInterval(() => {
      const now = Date.now();
      for (const each of [...this.#ticks]) each(now);
    }, 1_000);
    return () => {
      this.#ticks.delete(tick);
      if (this.#ticks.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }
}

const KEY = Symbol.for("lazyboy_jupyter.page.1");
const holder = globalThis as { [KEY]?: Page };

export const page: Page = (holder[KEY] ??= new Page());
