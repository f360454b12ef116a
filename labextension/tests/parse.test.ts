// What Python sent is read without trust: no link but http and https, no surprise from a missing field.
import { expect, it } from "vitest";
import { link, parseCard, parseGuide, parseItem, parseRoster, parseSide, parseSources, text } from "../src/ui/parse";

it.each(["https://a.test/b?c=1#d", "http://a.test", " https://a.test ", "HTTPS://A.test/"])("%j may be opened", (url) => {
  expect(link(url)).toBe(url.trim());
});

it.each(["javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "//a.test", "/a", "pydoc:topic/with", "file:///a", "", null, undefined, {}, 7])(
  "%j may not",
  (url) => {
    expect(link(url)).toBe("");
  },
);

it("takes nothing but text for text", () => {
  expect([text("a"), text(3), text(null), text({ toString: () => "x" }), text(["x"])]).toEqual(["a", "3", "", "", ""]);
});

it.each([null, undefined, "text", 3, []])("reads %j as nothing", (value) => {
  for (const parse of [parseCard, parseGuide, parseItem, parseSide, parseRoster]) expect(parse(value)).toBeNull();
  expect(parseSources(value)).toEqual([]);
});

it("fills what is missing", () => {
  const card = parseCard({ question: "q", meters: [{ used: "many", total: -1 }, null], activity: { state: "dancing" } });
  expect(card).toMatchObject({ question: "q", live: false, meters: [{ label: "", used: 0, total: 0, unit: "" }] });
  expect(card?.activity).toEqual({ state: "idle", task_ids: [], pending_question: null });
});

it("an empty guide is none", () => {
  expect(parseGuide({})).toBeNull();
  expect(parseGuide({ summary: "s" })?.sections).toEqual([]);
});
