// Owns the language of what the page itself says: English, until a front end that has translations gives its own.
import type { Shown } from "./activity";

/** As JupyterLab's translation bundles are: `%1`, `%2` stand for what is filled in, the number first. */
export interface Bundle {
  __(words: string, ...filled: unknown[]): string;
  _n(one: string, many: string, count: number, ...filled: unknown[]): string;
}

const fill = (words: string, filled: unknown[]): string => words.replaceAll(/%(\d)/g, (_, at: string) => String(filled[Number(at) - 1] ?? ""));

const ENGLISH: Bundle = {
  __: (words, ...filled) => fill(words, filled),
  _n: (one, many, count, ...filled) => fill(count === 1 ? one : many, [count, ...filled]),
};

// Each widget loads its own copy of this module, and speaks the page's language.
const KEY = Symbol.for("lazyboy_jupyter.words.1");
const holder = globalThis as { [KEY]?: Bundle };

export function speakBy(bundle: Bundle): void {
  holder[KEY] = bundle;
}

export const trans: Bundle = {
  __: (words, ...filled) => (holder[KEY] ?? ENGLISH).__(words, ...filled),
  _n: (one, many, count, ...filled) => (holder[KEY] ?? ENGLISH)._n(one, many, count, ...filled),
};

/** What an agent does, in words. */
export function wordsOf(shown: Shown): string {
  switch (shown) {
    case "idle": return trans.__("idle");
    case "queued": return trans.__("queued");
    case "running": return trans.__("running");
    case "waiting_input": return trans.__("waiting for you");
    default: return trans.__("unknown, reconnecting");
  }
}
