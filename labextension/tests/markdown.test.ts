// Foreign Markdown: only a fixed set of elements and attributes, whatever the text is.
import { expect, it } from "vitest";
import { blocks, grown, lex } from "../src/ui/markdown";
import { safeMarkdown } from "../src/ui/safe_markdown";
import { seen } from "./tree";

const ELEMENTS = new Set("p span h5 h6 pre code blockquote ul ol li div table thead tbody tr th td hr strong em del br a".split(" "));
const ATTRIBUTES = new Set(["dir", "tabIndex", "class", "start", "href", "target", "rel"]);

const drawn = (text: string) => seen(blocks(lex(text)));

function expectSafe(text: string): void {
  const { names, attributes, hrefs } = drawn(text);
  expect([...names].filter((name) => !ELEMENTS.has(name))).toEqual([]);
  expect([...attributes].filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
  for (const href of hrefs) expect(href).toMatch(/^https?:\/\//i);
}

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "text <b onclick='alert(1)'>bold</b> text",
  "<div><div><iframe srcdoc='<script>1</script>'></iframe></div></div>",
  "<svg/onload=alert(1)>",
  "<!-- a --!><img src=x>",
  "<style>@import url(//x.test)</style>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](data:text/html,<script>1</script>)",
  "[x](vbscript:1) [y](file:///etc/passwd) [z](//x.test/a) [r](relative)",
  "<javascript:alert(1)>",
  "[x]\n\n[x]: javascript:alert(1)",
  "![a](https://x.test/a.png) ![b][r]\n\n[r]: https://x.test/b.png",
  "[![a](https://x.test/a.png)](javascript:1)",
  "| <img src=x> | [a](javascript:1) |\n|---|---|\n| <script>1</script> | ![x](https://x.test/y.png) |",
  "- <img src=x onerror=1>\n  - <script>\n1. [a](javascript:1)",
  "> <script>alert(1)</script>\n> > ![x](//x.test/a)",
  '[a](https://x.test/"onmouseover="alert(1))',
  "__proto__ constructor **toString** `dangerouslySetInnerHTML`",
  `${"> ".repeat(300)}deep`,
  `${"- ".repeat(300)}deep`,
  ">".repeat(20_000),
  "- ".repeat(5_000),
  `${"> ".repeat(5_000)}<img src=x>`,
  "*".repeat(2000),
  "[".repeat(2000),
];

it.each(HOSTILE)("draws no markup of its own for %j", (text) => expectSafe(text));

it("shows markup as the text that it is", () => {
  expect(drawn("a <script>alert(1)</script> b").text).toContain("<script>alert(1)</script>");
  expect(drawn("<div onclick=x>hello</div>").text).toContain("<div onclick=x>hello</div>");
});

it("shows an image as its description", () => {
  const { names, text } = drawn("see ![a chart](https://x.test/a.png)");
  expect(text).toContain("a chart");
  expect(names.has("img")).toBe(false);
});

it("keeps http and https links, and the text of the others", () => {
  const { hrefs, text } = drawn("[a](https://x.test/a?b=1) [b](http://x.test) [c](javascript:1) https://bare.test");
  expect(hrefs).toEqual(["https://x.test/a?b=1", "http://x.test", "https://bare.test"]);
  expect(text).toContain("c");
});

it("draws what models write", () => {
  const { names } = drawn("# T\n\n### S\n\n**b** *e* ~~d~~ `c`\n\n- a\n- [x] b\n\n3. c\n\n> q\n\n---\n\n```py\nx<1\n```\n\n|a|b|\n|-|-|\n|1|2|");
  for (const name of "h5 h6 strong em del code ul ol li blockquote hr pre table th td".split(" ")) expect(names).toContain(name);
});

it("shows entities as their signs and code as it is", () => {
  expect(drawn("a &amp; b &lt;i&gt; &copy;").text).toBe("a & b <i> &copy;");
  expect(drawn("`a &amp; <b>` \\*x\\*").text).toBe("a &amp; <b> *x*");
});

it.each(["```py\nfor a in b:", "| a | b |\n|--", "**bold", "[link](https://x.te", "- a\n  - b\n    ", "1. a\n2.", "`code", "> q", "#", "![a](htt"])("a half-streamed %j keeps its text", (text) => {
  expectSafe(text);
  const words = text.match(/[a-z]{4,}/g) ?? [];
  for (const word of words) expect(drawn(text).text).toContain(word);
});

// A small generator with a seed: the same strings in every run (mulberry32).
function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const PIECES = ["<", ">", "script", "img src=x onerror=", "](", "[", "![", "javascript:", "https://x.test", "`", "```", "\n", "\n\n", "* ", "- ", "1. ", "> ", "|", "---", "#", "**", "_", "~~", "\\", "&lt;", "&#x6a;", '"', "'", "a", " ", "\t", "\u202e", "😀", "[x]: ", "<!--", "</p>", "<a href='"];
const random = (next: () => number) => Array.from({ length: 2 + Math.floor(next() * 40) }, () => PIECES[Math.floor(next() * PIECES.length)]).join("");

it("draws only the fixed set for 2,000 random texts, and makes of them Markdown that draws the same way", () => {
  const next = generator(20261130);
  for (let count = 0; count < 2_000; count++) {
    const text = random(next);
    expectSafe(text);
    const rewritten = safeMarkdown(text);
    const types = JSON.stringify(lex(rewritten), (key, value: unknown) => (key === "raw" || key === "text" || key === "href" ? undefined : value));
    expect(types, JSON.stringify({ text, rewritten })).not.toMatch(/"type":"(html|image)"/);
  }
});

it("a stream ends as the whole text, however it is cut", () => {
  const next = generator(7);
  const text = "# Title\n\nA paragraph with **bold** text.\n\n- one\n- two\n\n  more of two\n\n1. x\n2. y\n\n```js\nlet a = 1;\n\nlet b;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\ngoes on\n\nend";
  for (let round = 0; round < 50; round++) {
    let stream = grown({ text: "", start: 0, done: [], shown: [] }, "");
    for (let at = 0; at < text.length; ) {
      at = Math.min(text.length, at + 1 + Math.floor(next() * 25));
      stream = grown(stream, text.slice(0, at));
    }
    expect(seen(stream.shown)).toEqual(drawn(text));
  }
});

it("finished blocks of a stream are drawn once", () => {
  const first = grown({ text: "", start: 0, done: [], shown: [] }, "one\n\ntwo\n\nthr");
  const then = grown(first, "one\n\ntwo\n\nthree and more");
  expect(then.shown[0]).toBe(first.shown[0]);
  expect(then.start).toBeGreaterThanOrEqual("one\n\n".length);
});

it("a stream that is replaced starts anew", () => {
  const first = grown({ text: "", start: 0, done: [], shown: [] }, "one\n\ntwo\n\nthree");
  expect(seen(grown(first, "other\n\ntext").shown)).toEqual(drawn("other\n\ntext"));
});

it("an answer for a cell keeps its form and loses its images and markup", () => {
  const cell = safeMarkdown("## A\n\n**b** <img src=x> ![chart](https://x.test/a.png) [l](https://x.test) [m](javascript:1)\n\n```py\na < b\n```\n\n1. x\n2. y");
  expect(cell).toBe("#### A\n\n**b** \\<img src=x\\> chart [l](<https://x.test>) m\n\n```py\na < b\n```\n\n1. x\n2. y");
});

it("a name of Python's with two underscores is no emphasis", () => {
  expect(drawn("`with` calls __enter__ and __exit__, and __this is strong__.")).toEqual(drawn("`with` calls \\_\\_enter\\_\\_ and \\_\\_exit\\_\\_, and **this is strong**."));
});
