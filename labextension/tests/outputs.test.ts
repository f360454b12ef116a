// A task as an output keeps it: what was saved, until its kernel says how it stands; nothing in it is trusted.
import { describe, expect, test } from "vitest";
import { OutputValues } from "../src/lab/output_values";
import { placed, PUBLICATION, publicationOf } from "../src/lab/publication";
import type { Json } from "./server";
import { Server, until } from "./server";

const ID = "019ad0c0-0000-7000-8000-000000000001";
const PLACE = `lazyboy-${"0".repeat(32)}`;
const CARD = { task_id: ID, short_id: "00000001", status: "running", live: true, headline: "collecting", can_ask: true, dot: "live" };

const saved = (more: Json = {}) =>
  publicationOf({ data: { [PUBLICATION]: { format: 1, task_id: ID, place: PLACE, card: CARD, sources: [], guide: null, ...more }, "text/markdown": ["### Q", "?"] } });

function served(card: Json): Server {
  const server = new Server();
  server.answers[`GET /tasks/${ID}`] = { card: { ...card, agent_id: "a" }, sources: [], guide: null };
  server.answers[`GET /tasks/${ID}/chat/side-questions`] = { items: [], current: null, next_cursor: 0, can_ask: true };
  return server;
}

describe("what an output says of its task", () => {
  test("is read, its Markdown too", () => {
    expect(saved()).toMatchObject({ taskId: ID, place: PLACE, card: CARD, markdown: "### Q?" });
  });

  test.each([[undefined], [null], [7], ["x"], [[1]], [{}], [{ card: 7, guide: "x" }]])("is read whatever stands there: %o", (value) => {
    expect(publicationOf({ data: { [PUBLICATION]: value } })).toMatchObject({ taskId: "", place: "", markdown: "" });
  });

  test.each([["../../../contents"], [`${ID}/../..`], [`${ID}?x`], [7], [""]])("an id that is none asks no kernel: %o", async (task_id) => {
    const server = served(CARD);
    const values = new OutputValues(saved({ task_id }), server.api());
    values.follow();
    values.send({ type: "stop", id: 1 });
    await Promise.resolve();
    expect(server.asked).toEqual([]);
  });

  test("a place that is none is no place", () => {
    expect(saved({ place: 'x" onload="' }).place).toBe("");
    expect(placed({ "text/html": "<p>" }, "")).toEqual({ "text/html": "<p>" });
    const html = placed({ "text/html": "<p></p>", [PUBLICATION]: {} }, PLACE)["text/html"];
    expect(html).toBe(`<div data-lazyboy-view="${PLACE}"><p></p></div>`);
  });
});

describe("an output", () => {
  test("that was saved as live says so where its kernel offers nothing, and animates nothing", () => {
    const values = new OutputValues(saved(), null);
    expect(values.get("card")).toMatchObject({ live: false, ticking: false, dot: "", can_ask: false, headline: "collecting, when this was saved" });
  });

  test("says what the kernel says from then on", async () => {
    const server = served({ ...CARD, live: false, status: "completed", headline: "complete in 3 s" });
    const values = new OutputValues(saved(), undefined);
    expect(values.get("card")).toMatchObject({ live: true, can_ask: false });
    values.offered(server.api());
    values.follow();
    await until(() => (values.get("card") as Json).status === "completed");
    values.offered(null); // its kernel was restarted
    expect(values.get("card")).toMatchObject({ headline: "collecting, when this was saved" });
  });

  test("gives its guide as Markdown without a kernel, and says what needs one", async () => {
    const values = new OutputValues(saved(), null);
    const replies: Json[] = [];
    values.on("message", (message) => replies.push(message as Json));
    values.send({ type: "export", format: "md", id: 1 });
    values.send({ type: "export", format: "bib", id: 2 });
    values.send({ type: "hello", id: 3 });
    values.send({ type: "reconcile", id: 4 });
    expect(replies.map(({ id, ok }) => [id, ok])).toEqual([[1, true], [2, false], [3, true]]);
    expect(replies[0]).toMatchObject({ name: "guide-00000001.md", text: "### Q?" });
    expect(replies[1]).toMatchObject({ hint: "%load_ext lazyboy_jupyter" });
  });

  test("keeps what was clicked until it knows its kernel", async () => {
    const server = served(CARD);
    server.answers[`POST /tasks/${ID}/cancel`] = {};
    const values = new OutputValues(saved(), undefined);
    values.send({ type: "stop", id: 1 });
    expect(server.asked).toEqual([]);
    values.offered(server.api());
    await until(() => server.asked.includes(`POST /tasks/${ID}/cancel`));
    values.close();
  });
});
