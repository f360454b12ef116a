// Owns what Python shows, parsed: each value once, however often it is read. It never changes a trait.
import type { Card, Guide, Item, Roster, Side, SourceRow, Ui } from "./model";
import { parseCard, parseGuide, parseItem, parseRoster, parseSide, parseSources, text } from "./parse";

export const TRAITS = ["kind", "card", "sources", "guide", "side", "current", "roster"] as const;

export class Traits {
  readonly #ui: Ui;
  readonly #read = new Map<string, { raw: unknown; value: unknown }>();

  constructor(ui: Ui) {
    this.#ui = ui;
  }

  get kind(): string { return text(this.#ui.get("kind")); }
  get card(): Card | null { return this.#parsed("card", parseCard); }
  get sources(): SourceRow[] { return this.#parsed("sources", parseSources); }
  get guide(): Guide | null { return this.#parsed("guide", parseGuide); }
  get side(): Side | null { return this.#parsed("side", parseSide); }
  get current(): Item | null { return this.#parsed("current", parseItem); }
  get roster(): Roster | null { return this.#parsed("roster", parseRoster); }

  #parsed<T>(name: string, parse: (raw: unknown) => T): T {
    const raw = this.#ui.get(name);
    const known = this.#read.get(name);
    if (known && known.raw === raw) return known.value as T;
    const value = parse(raw);
    this.#read.set(name, { raw, value });
    return value;
  }
}
