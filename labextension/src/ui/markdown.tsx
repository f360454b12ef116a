// Owns foreign Markdown on the page: tokens become a fixed set of elements, everything else becomes text.
// It never makes markup from a string, never makes an image, never makes a link but http and https.
import type { Token, Tokens } from "marked";
import { Lexer } from "marked";
import type { ComponentChild } from "preact";
import { h } from "preact";
import { useRef } from "preact/hooks";
import { link } from "./parse";

const LONGEST = 100_000;
const DEEPEST = 12;
/** A name of Python's, such as __init__, is no emphasis of "init": answers in notebooks are full of them. */
const DUNDER = /^__[a-z][a-z0-9_]*__$/;

/** The tokens of a text, at most its first 100,000 characters. */
export function lex(text: string): Token[] {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  try {
    return Lexer.lex(cut, { gfm: true });
  } catch {
    // Thousands of nested quotes or lists end the lexer's stack: they are no Markdown that anyone meant.
    return [{ type: "paragraph", raw: cut, text: cut, tokens: [{ type: "text", raw: cut, text: cut }] }];
  }
}

/** A list of tokens as elements. Deep nesting, which only hostile text has, ends as text. */
export function blocks(tokens: readonly Token[], depth = 0): ComponentChild[] {
  return tokens.map((token) => block(token as Tokens.Generic, depth));
}

function block(token: Tokens.Generic, depth: number): ComponentChild {
  if (depth > DEEPEST) return h("p", null, token.raw);
  const inner = () => blocks(token.tokens ?? [], depth + 1);
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return null;
    case "paragraph":
      return h("p", { dir: "auto" }, inlines(token, depth));
    case "text":
      return token.tokens ? h("span", { dir: "auto" }, inlines(token, depth)) : decoded(token.text);
    case "heading":
      return h(token.depth > 2 ? "h6" : "h5", { dir: "auto" }, inlines(token, depth));
    case "code":
      return h("pre", { tabIndex: 0 }, h("code", null, token.text));
    case "blockquote":
      return h("blockquote", null, inner());
    case "list":
      return list(token as Tokens.List, depth);
    case "table":
      return table(token as Tokens.Table, depth);
    case "hr":
      return h("hr", null);
    default:
      return h("p", { dir: "auto" }, token.raw);
  }
}

function list(token: Tokens.List, depth: number): ComponentChild {
  const items = token.items.map((item) => {
    const box = item.task ? (item.checked ? "☑ " : "☐ ") : "";
    const parts = item.tokens.filter((part) => part.type !== "checkbox");
    return h("li", { dir: "auto" }, box, blocks(parts, depth + 1));
  });
  return token.ordered ? h("ol", { start: Number(token.start) || 1 }, items) : h("ul", null, items);
}

function table(token: Tokens.Table, depth: number): ComponentChild {
  const cells = (name: "th" | "td", row: Tokens.TableCell[]) =>
    h("tr", null, row.map((cell) => h(name, { dir: "auto" }, inlines(cell, depth))));
  const body = token.rows.map((row) => cells("td", row));
  return h("div", { class: "lzu-table", tabIndex: 0 },
    h("table", null, h("thead", null, cells("th", token.header)), h("tbody", null, body)));
}

function inlines(holder: { tokens?: Token[] | undefined; text?: string }, depth: number): ComponentChild[] {
  return (holder.tokens ?? []).map((token) => inline(token as Tokens.Generic, depth + 1));
}

function inline(token: Tokens.Generic, depth: number): ComponentChild {
  if (depth > DEEPEST) return token.raw;
  const inner = () => inlines(token, depth);
  switch (token.type) {
    case "strong":
      return DUNDER.test(token.raw) ? token.raw : h("strong", null, inner());
    case "em":
    case "del":
      return h(token.type, null, inner());
    case "codespan":
      return h("code", null, token.text);
    case "br":
      return h("br", null);
    case "link": {
      const href = link(token.href);
      if (!href) return inner();
      return h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, inner());
    }
    case "image":
      return token.text || "image";
    case "checkbox":
      return null;
    case "escape":
      return token.text;
    case "text":
      return token.tokens ? inner() : decoded(token.text);
    default:
      return token.raw;
  }
}

// The lexer leaves entities to the renderer; these are the ones that models write.
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", "#39": "'" };
export const decoded = (text: string): string => text.replace(/&(#39|[a-z]{2,4});/g, (raw, name: string) => ENTITIES[name] ?? raw);

interface Stream {
  text: string;
  start: number;
  done: ComponentChild[];
  shown: ComponentChild[];
}

/** Foreign Markdown. While `live`, blocks that are finished are parsed and drawn only once. */
export function Markdown({ text, live }: { text: string; live: boolean }) {
  const stream = useRef<Stream & { live: boolean }>({ text: "", start: 0, done: [], shown: [], live });
  if (stream.current.text !== text || stream.current.live !== live) {
    stream.current = { ...(live ? grown(stream.current, text) : whole(text)), live };
  }
  return <div class="lzu-md">{stream.current.shown}</div>;
}

function whole(text: string): Stream {
  return { text, start: 0, done: [], shown: blocks(lex(text)) };
}

/** The stream after more text came: only its last block is parsed again, for only that can still change. */
export function grown(before: Stream, text: string): Stream {
  const { start, done } = text.startsWith(before.text) ? before : { start: 0, done: [] };
  const tokens = lex(text.slice(start));
  const last = tokens.findLastIndex((token) => token.type !== "space");
  const finished = tokens.slice(0, Math.max(0, last));
  const length = finished.reduce((sum, token) => sum + token.raw.length, 0);
  // The lexer may have changed the text (tabs, line ends): then places are not comparable.
  const comparable = text.startsWith(finished.map((token) => token.raw).join(""), start);
  const drawn = comparable ? [...done, ...blocks(finished)] : done;
  const rest = blocks(comparable ? tokens.slice(Math.max(0, last)) : tokens);
  return { text, start: comparable ? start + length : start, done: drawn, shown: [...drawn, ...rest] };
}
