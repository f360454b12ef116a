// Owns how often a card is drawn for what Python sends: in its turn, at most four times a second. It never
// drops the last state and never draws after `stop`.

import { page } from "./page";

const INTERVAL = 250;
/** Of a card that is out of sight: its page has others to draw. */
const SELDOM = 3_000;

export class Pacer {
  readonly #draw: () => void;
  #drawnAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #leave: (() => void) | null = null;
  #inSight = true;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Asks for a drawing, soon. Many calls make one drawing. */
  request(): void {
    if (this.#timer !== null || this.#leave !== null) return;
    const wait = this.#drawnAt + (this.#inSight ? INTERVAL : SELDOM) - Date.now();
    if (wait <= 0) return this.#inFrame();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#inFrame();
    }, wait);
  }

  /** Whether the card is in sight; what waits to be drawn is drawn when it comes there. */
  sight(inSight: boolean): void {
    this.#inSight = inSight;
    if (!inSight || this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.request();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#leave?.();
    this.#timer = this.#leave = null;
  }

  #inFrame(): void {
    this.#leave = page.inTurn(() => {
      this.#leave = null;
      this.#drawnAt = Date.now();
      this.#draw();
    });
  }
}
