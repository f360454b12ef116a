// Owns the pairing of requests with replies, and their time limit. It never reads what a reply carries.
import type { Message, Trouble, Ui } from "./model";
import { trans } from "./words";

export type Reply = { ok: true; data: Message } | ({ ok: false; answered: boolean } & Trouble);

/** Milliseconds after which a request has failed (DESIGN §8). */
export const REQUEST_LIMIT = 8_000;

const silence = (): Reply => ({ ok: false, answered: false, error: trans.__("No answer from the kernel."), hint: trans.__("Try again.") });

/**
 * Sends messages and gives each its reply, or a failure after `REQUEST_LIMIT`. It never throws.
 *
 * Every open page hears the kernel's replies, so ids begin at a random number: another page's
 * reply is then nobody's.
 */
export class Requests {
  readonly #ui: Ui;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #last = Math.floor(Math.random() * 2 ** 40);

  constructor(ui: Ui) {
    this.#ui = ui;
  }

  /** Sends one message. `settled` is called once, at most `REQUEST_LIMIT` later; returns its id. */
  send(message: Message, settled: (reply: Reply) => void): number {
    const id = ++this.#last;
    const timer = setTimeout(() => this.#settle(id, silence()), REQUEST_LIMIT);
    this.#waiting.set(id, (reply) => {
      clearTimeout(timer);
      settled(reply);
    });
    try {
      this.#ui.send({ ...message, id });
    } catch {
      setTimeout(() => this.#settle(id, silence()), 0);
    }
    return id;
  }

  /** Takes a pushed message; returns whether it was a reply to one of these requests. */
  take(message: Message): boolean {
    const { type, id, ok, ...data } = message;
    if (type !== "reply" || typeof id !== "number") return false;
    const said = (value: unknown, otherwise: string) => (typeof value === "string" && value ? value : otherwise);
    return this.#settle(
      id,
      ok === true
        ? { ok: true, data }
        : { ok: false, answered: true, error: said(data.error, trans.__("That did not work.")), hint: said(data.hint, "") },
    );
  }

  #settle(id: number, reply: Reply): boolean {
    const settled = this.#waiting.get(id);
    this.#waiting.delete(id);
    settled?.(reply);
    return settled !== undefined;
  }
}
