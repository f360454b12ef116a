// Owns handing text over to the page around the card: clipboard, a file, a new cell. It asks no one else.
import { trans } from "./words";

/** Puts text on the clipboard; false when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

// Pages without TLS, and frames without the permission, have no clipboard object.
function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const area = Object.assign(document.createElement("textarea"), { value: text });
  area.style.cssText = "position:fixed;opacity:0";
  document.body.append(area);
  area.select();
  let done = false;
  try {
    done = document.execCommand("copy");
  } catch {
    done = false;
  }
  area.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}

/** Lets the browser save a text as a file. */
export function download(name: string, text: string, media: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: media || "text/plain" }));
  const anchor = Object.assign(document.createElement("a"), { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What is to become a cell, as the event `lazyboy:insert-cell` carries it. */
export interface CellOffer {
  source: string;
  type: "markdown" | "code";
}

/** Offers a text to whoever can make a cell of it; otherwise copies it. Returns what to tell the person. */
export async function insertCell(from: Element | null, source: string, type: CellOffer["type"] = "markdown"): Promise<string> {
  const detail: CellOffer = { source, type };
  const offer = new CustomEvent("lazyboy:insert-cell", { bubbles: true, cancelable: true, detail });
  const taken = from !== null && !from.dispatchEvent(offer);
  if (taken) return trans.__("Inserted as a cell");
  if (!(await copyText(source))) return trans.__("The browser did not allow to copy");
  return type === "markdown" ? trans.__("Copied: paste it into a Markdown cell") : trans.__("Copied: paste it into a cell");
}
