// Owns putting a cell below a card's own, in JupyterLab and Notebook 7, whose widget manager knows
// the notebook. It reads no cell, and does nothing where there is no such notebook.
import type { CellOffer } from "./handover";

interface Shared {
  insertCell(index: number, cell: { cell_type: CellOffer["type"]; source: string }): unknown;
}

/** Inserts the cell; false where that cannot be done. */
export function insertBelow(manager: unknown, card: Element, { source, type }: CellOffer): boolean {
  const shared = sharedOf(manager);
  const index = Number(card.closest<HTMLElement>(".jp-Cell")?.dataset.windowedListIndex ?? Number.NaN);
  if (shared === null || !Number.isInteger(index)) return false;
  shared.insertCell(index + 1, { cell_type: type, source });
  return true;
}

function sharedOf(manager: unknown): Shared | null {
  const shared = ["context", "model", "sharedModel"].reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined),
    manager,
  );
  return typeof (shared as Partial<Shared> | undefined)?.insertCell === "function" ? (shared as Shared) : null;
}
