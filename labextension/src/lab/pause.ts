// Owns waiting that can be cut short. It does nothing by itself.

export class Pause {
  #end: (() => void) | null = null;

  /** Returns after so many milliseconds, or when it is ended. */
  for(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        this.#end = null;
        resolve();
      };
    });
  }

  end(): void {
    this.#end?.();
  }
}

/** Does a piece of work again and again, never twice at once: one that is wanted meanwhile is done once, after it. */
export class Again {
  readonly #work: () => Promise<void>;
  #doing: Promise<void> | null = null;
  #wanted = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Returns when what is true now was looked at. */
  want(): Promise<void> {
    this.#wanted = true;
    return (this.#doing ??= this.#all());
  }

  async #all(): Promise<void> {
    try {
      while (this.#wanted) {
        this.#wanted = false;
        await this.#work();
      }
    } finally {
      this.#doing = null;
    }
  }
}
