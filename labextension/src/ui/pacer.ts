// Owns how often a card is drawn for what Python sends: in an animation frame, at most four times a second.
// It never drops the last state and never draws after `stop`.

const INTERVAL = 250;

export class Pacer {
  readonly #draw: () => void;
  #drawnAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame: number | null = null;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Asks for a drawing, soon. Many calls make one drawing. */
  request(): void {
    if (this.#timer !== null || this.#frame !== null) return;
    const wait = this.#drawnAt + INTERVAL - Date.now();
    if (wait <= 0) return this.#inFrame();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#inFrame();
    }, wait);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#timer = this.#frame = null;
  }

  #inFrame(): void {
    this.#frame = requestAnimationFrame(() => {
      this.#frame = null;
      this.#drawnAt = Date.now();
      this.#draw();
    });
  }
}
