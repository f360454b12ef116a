// Owns the side questions that are older than the ones Python keeps in sight. It never fetches.
import type { Item, Side } from "./model";

export class Older {
  /** Newest first, as Python gives them. */
  items: Item[] = [];
  /** Where the next ones begin; 0 at the end, null before the first fetch. */
  cursor: number | null = null;
  #inSight: Item[] = [];

  add(items: Item[], cursor: number): void {
    this.items = [...this.items, ...items];
    this.cursor = cursor;
  }

  forget(): void {
    this.items = [];
    this.cursor = null;
  }

  /** Follows Python's list: what fell out of it is older now; with an empty list all are gone. */
  follow(side: Side | null): void {
    const before = this.#inSight;
    this.#inSight = side?.items ?? [];
    const oldest = this.#inSight.at(-1);
    if (oldest === undefined) return this.forget();
    if (this.cursor === null) return;
    this.items = [...before, ...this.items].filter((item) => item.ordinal < oldest.ordinal);
  }
}
