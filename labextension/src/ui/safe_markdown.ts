// Owns an answer as Markdown for a notebook cell, which another renderer will draw: the same set of
// elements as on the page, all other text escaped. No image and no markup gets through.
import type { Token, Tokens } from "marked";
import { decoded, lex } from "./markdown";
import type { Item } from "./model";
import { link } from "./parse";

const escaped = (text: string): string => text.replace(/[\\`*_{}[\]<>#|!~$&]/g, "\\$&");
const oneLine = (text: string): string => escaped(text.replace(/\s+/g, " ").trim());
const address = (url: string): string => url.replace(/[<>\s]/g, encodeURIComponent);

/** A side question with its answer and what it rests on. */
export function itemMarkdown(item: Item): string {
  const rests = item.rests.map(({ source, title, url }) => {
    const name = oneLine(title || url || source);
    const linked = link(url) ? `[${name}](<${address(url)}>)` : name;
    return `- ${oneLine(source)} ${linked}`;
  });
  return [`**${oneLine(item.question)}**`, safeMarkdown(item.answer), rests.join("\n")].filter(Boolean).join("\n\n");
}

export const safeMarkdown = (text: string): string => written(lex(text), 0);

function written(tokens: readonly Token[], depth: number): string {
  return tokens.map((token) => block(token as Tokens.Generic, depth)).filter(Boolean).join("\n\n");
}

function block(token: Tokens.Generic, depth: number): string {
  if (depth > 12) return oneLine(token.raw);
  switch (token.type) {
    case "space":
    case "def":
      return "";
    case "heading":
      return `${"#".repeat(Math.min(6, token.depth + 2))} ${inlines(token, depth)}`;
    case "paragraph":
    case "text":
      return token.tokens ? inlines(token, depth) : escaped(decoded(token.text));
    case "code":
      return fenced(token.text, token.lang ?? "");
    case "blockquote":
      return written(token.tokens ?? [], depth + 1).replace(/^/gm, "> ");
    case "list":
      return list(token as Tokens.List, depth);
    case "table":
      return table(token as Tokens.Table, depth);
    case "hr":
      return "---";
    default:
      return oneLine(token.raw);
  }
}

function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language.replace(/[^\w+#-]/g, "")}\n${code}\n${fence}`;
}

function list(token: Tokens.List, depth: number): string {
  const items = token.items.map((item, index) => {
    const mark = token.ordered ? `${(Number(token.start) || 1) + index}. ` : "- ";
    const parts = item.tokens.filter((part) => part.type !== "checkbox");
    const box = item.task ? (item.checked ? "☑ " : "☐ ") : "";
    return mark + box + written(parts, depth + 1).replace(/\n/g, `\n${" ".repeat(mark.length)}`);
  });
  return items.join(token.loose ? "\n\n" : "\n");
}

function table(token: Tokens.Table, depth: number): string {
  const row = (cells: Tokens.TableCell[]) => `| ${cells.map((cell) => inlines(cell, depth).replace(/\n/g, " ")).join(" | ")} |`;
  return [row(token.header), `|${" --- |".repeat(token.header.length)}`, ...token.rows.map(row)].join("\n");
}

function inlines(holder: { tokens?: Token[] | undefined }, depth: number): string {
  return (holder.tokens ?? []).map((token) => inline(token as Tokens.Generic, depth + 1)).join("");
}

function inline(token: Tokens.Generic, depth: number): string {
  if (depth > 12) return oneLine(token.raw);
  switch (token.type) {
    case "strong":
      return `**${inlines(token, depth)}**`;
    case "em":
      return `*${inlines(token, depth)}*`;
    case "del":
      return `~~${inlines(token, depth)}~~`;
    case "codespan": {
      const tick = "`".repeat(Math.max(0, ...[...token.text.matchAll(/`+/g)].map((run: RegExpMatchArray) => run[0].length)) + 1);
      return tick.length > 1 ? `${tick} ${token.text} ${tick}` : `\`${token.text}\``;
    }
    case "br":
      return "  \n";
    case "link": {
      const href = link(token.href);
      return href ? `[${inlines(token, depth)}](<${address(href)}>)` : inlines(token, depth);
    }
    case "image":
      return escaped(token.text || "image");
    case "checkbox":
      return "";
    case "escape":
      return `\\${token.text}`;
    case "text":
      return token.tokens ? inlines(token, depth) : escaped(decoded(token.text));
    default:
      return escaped(token.raw);
  }
}
