// Owns what all cards of a page share: one timer, turns at drawing, and a counter for element ids. Each widget
// loads its own copy of this module, so it lives on globalThis. It never keeps a timer that nobody needs.

/** What one frame draws at most, so that a key is drawn between fifty cards: cards, and milliseconds. */
const MOST = 8;
const LONGEST = 8;
/** How many cards may move at once before all stand still: each movement has the page drawn for a while. */
const CROWD = 8;

type Tick = (now: number) => void;

class Page {
  readonly #ticks = new Set<Tick>();
  #timer: ReturnType<typeof setInterval> | null = null;
  readonly #turns = new Set<() => void>();
  #frame: number | null = null;
  readonly #moving = new Set<object>();
  #ids = 0;

  nextId(): string {
    return `lzu${++this.#ids}`;
  }

  /** Says whether something runs in sight; returns whether it may move, since not too many others do. */
  moves(one: object, runs: boolean): boolean {
    if (runs) this.#moving.add(one);
    else this.#moving.delete(one);
    return runs && this.#moving.size <= CROWD;
  }

  /** Calls back in one of the next animation frames, once, unless the returned function is called before. */
  inTurn(draw: () => void): () => void {
    this.#turns.add(draw);
    this.#frame ??= requestAnimationFrame(() => this.#next());
    return () => void this.#turns.delete(draw);
  }

  #next(): void {
    this.#frame = null;
    const began = performance.now();
    let drawn = 0;
    try {
      for (const draw of this.#turns) {
        this.#turns.delete(draw);
        draw();
        if (++drawn >= MOST || performance.now() - began > LONGEST) break;
      }
    } finally {
      if (this.#turns.size > 0) this.#frame ??= requestAnimationFrame(() => this.#next());
    }
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

const KEY = Symbol.for("lazyboy_jupyter.page.2");
const holder = globalThis as { [KEY]?: Page };

export const page: Page = (holder[KEY] ??= new Page());
