// The panel's view models over a small server of the test's own: streams that break, answers that are late.
import { afterEach, describe, expect, test } from "vitest";
import { Lines } from "../src/lab/api";
import { RosterValues } from "../src/lab/roster_values";
import { TaskValues } from "../src/lab/task_values";
import type { Json } from "./server";
import { Server, until } from "./server";

const IDLE = { state: "idle", task_ids: [], pending_question: null };
const STREAM = [
  'event: state\ndata: {"a": "x: y"}\nid: 7\n\n',
  ": ping\n\n",
  "event: task\ndata: {\ndata: }\nid: 8\n\n",
  "event: beat\ndata: {}\n\n",
].join("");
const EVENTS = [
  { kind: "state", id: "7", data: { a: "x: y" } },
  { kind: "task", id: "8", data: {} },
  { kind: "beat", id: "", data: {} },
];

const told = (kind: string, data: Json, id = "") => `event: ${kind}\ndata: ${JSON.stringify(data)}\n${id && `id: ${id}\n`}\n`;

describe("a stream", () => {
  test("is taken apart wherever it is cut", () => {
    for (let first = 0; first <= STREAM.length; first += 1) {
      for (const second of [first, (first + STREAM.length) >> 1, STREAM.length]) {
        const heard: unknown[] = [];
        const lines = new Lines((event) => heard.push(event));
        for (const piece of [STREAM.slice(0, first), STREAM.slice(first, second), STREAM.slice(second)]) lines.take(piece);
        expect(heard).toEqual(EVENTS);
      }
    }
  });

  test("says whether it was heard to its end, and never throws", async () => {
    const server = new Server();
    server.streams["/events"] = [STREAM, "event: task\ndata: no json\n\n", null];
    const heard: unknown[] = [];
    const listen = () => server.api().listen("/events", "", 20, new AbortController().signal, (event) => heard.push(event));
    expect(await listen()).toBe(true);
    expect(await listen()).toBe(true);
    expect(await listen()).toBe(false); // it says nothing for too long
    expect(await listen()).toBe(false); // it is refused
    expect(heard).toEqual(EVENTS);
  });
});

describe("the roster", () => {
  const STATE = { activity: IDLE, agents: [], tasks: [], note: "", version: 7 };
  const opened: RosterValues[] = [];
  const open = (server: Server) => {
    const roster = new RosterValues(server.api());
    opened.push(roster);
    return roster;
  };
  afterEach(() => {
    for (const one of opened.splice(0)) one.close();
  });

  test("is what the stream says, and comes back with the number of the last event", async () => {
    const server = new Server();
    server.streams["/events"] = [told("state", STATE, "7") + told("task", { task_id: "t", activity: IDLE }, "8"), told("state", STATE, "8")];
    const roster = open(server);
    const happened: string[] = [];
    roster.follow((kind) => happened.push(kind));
    await server.until(() => server.lasts.length >= 3);
    expect(server.lasts.slice(0, 3)).toEqual([null, "8", "8"]);
    expect(happened).toEqual(["state", "task", "state"]);
    expect(roster.get("roster")).toEqual(STATE);
    expect(server.asked).not.toContain("GET /agents"); // nobody looks at it
  });

  test("is asked for when somebody looks, and after what happens", async () => {
    const server = new Server();
    server.streams["/events"] = [null];
    server.answers["GET /agents"] = { ...STATE, note: "all" };
    const roster = open(server);
    roster.seen({ hidden: false, looked: true });
    await server.until(() => server.asked.includes("GET /agents"));
    await until(() => (roster.get("roster") as Json | null)?.note === "all");
    server.send(told("state", STATE, "9"));
    await until(() => server.asked.filter((one) => one === "GET /agents").length === 2);
    expect((roster.get("roster") as Json).note).toBe("all");
  });

  test("nobody knows after a silence, and until a word comes", async () => {
    const server = new Server();
    const roster = open(server);
    await until(() => roster.problem !== null);
    expect(roster.problem?.kind).toBe("unreachable");
    server.streams["/events"] = [null];
    roster.wake();
    await server.until(() => server.lasts.length >= 2);
    server.send(told("beat", { activity: IDLE }));
    await until(() => roster.problem === null);
  });

  test("is unknown while the server starts anew, and then what it says: the kernel may be gone, or come back", async () => {
    const server = new Server();
    server.streams["/events"] = [told("state", STATE, "7")];
    const roster = open(server);
    await until(() => roster.get("roster") !== null);
    server.down = true;
    await until(() => roster.problem?.kind === "unreachable");
    expect(roster.offered).toBe(true); // as far as anybody knows
    Object.assign(server, { down: false, offered: false });
    roster.wake();
    await until(() => roster.problem?.kind === "no_api");
    expect(roster.offered).toBe(false);
    server.offered = true;
    server.streams["/events"] = [told("state", { ...STATE, note: "anew" }, "9")];
    roster.wake();
    await until(() => roster.problem === null);
    expect(server.lasts.at(-1)).toBe("7");
    expect(roster.get("roster")).toMatchObject({ note: "anew" });
  });

  test("of a page that is hidden holds no connection, and goes on where it was", async () => {
    const server = new Server();
    server.streams["/events"] = [null, null];
    const roster = open(server);
    await server.until(() => server.lasts.length >= 1);
    server.send(told("state", STATE, "7"));
    await until(() => roster.get("roster") !== null);
    roster.seen({ hidden: true, looked: false });
    await until(() => server.aborted === 1);
    roster.seen({ hidden: false, looked: false });
    await server.until(() => server.lasts.length >= 2);
    expect(server.lasts).toEqual([null, "7"]);
    expect(roster.problem).toBeNull();
  });

  test("asks nothing of a kernel that offers nothing, until that has done something", async () => {
    const server = new Server();
    server.offered = false;
    server.streams["/events"] = [STREAM];
    const roster = open(server);
    const shown: unknown[] = [];
    roster.on("problem", (problem) => shown.push(problem));
    await until(() => shown.length === 1);
    expect(shown).toMatchObject([{ kind: "no_api" }]);
    expect(server.asked).toEqual(["GET /lazyboy/kernels"]);
    server.offered = true;
    roster.wake();
    await server.until(() => server.asked.includes("GET /events"));
  });
});

describe("a task", () => {
  const CARD = { task_id: "t", agent_id: "a", version: 5, live: false };
  const ITEM = { id: "q", parent: "t", sequence: 3, ordinal: 2, live: false, answer: "42" };
  const GROWING = { id: "r", parent: "t", sequence: 4, ordinal: 3, live: true, answer: "4" };
  const SIDE = { parent: "t", items: [ITEM], current: null, next_cursor: 0, can_ask: true };
  const PAGE = "GET /tasks/t/chat/side-questions";
  const nothing = () => undefined;

  function served(): Server {
    const server = new Server();
    server.answers["GET /tasks/t"] = { card: CARD, sources: [], guide: null };
    server.answers[PAGE] = SIDE;
    return server;
  }

  async function shown(server: Server, gone: () => void = nothing): Promise<TaskValues> {
    const task = new TaskValues(server.api(), "t", "run", gone);
    await until(() => task.get("card") !== null);
    return task;
  }

  test("is shown with its side questions", async () => {
    const task = await shown(served());
    expect(task.get("card")).toEqual(CARD);
    expect(task.get("side")).toMatchObject({ items: [ITEM] });
    task.close();
  });

  test("that is no longer there is said to be gone", async () => {
    const server = served();
    let gone = 0;
    const task = await shown(server, () => (gone += 1));
    delete server.answers["GET /tasks/t"];
    await task.refresh();
    expect(gone).toBe(1);
    task.close();
  });

  test("two looks that are wanted at once are two looks, one after the other", async () => {
    const server = served();
    const task = await shown(server);
    const before = server.asked.filter((one) => one === PAGE).length;
    const first = task.refresh();
    server.answers[PAGE] = { ...SIDE, items: [] };
    await Promise.all([first, task.refresh()]);
    expect(server.asked.filter((one) => one === PAGE).length - before).toBe(2);
    expect(task.get("side")).toMatchObject({ items: [] });
    task.close();
  });

  test("what the stream said is not overwritten by a page that is older, and its end is looked up", async () => {
    const server = served();
    server.answers[PAGE] = { ...SIDE, current: GROWING };
    server.streams["/side-questions/r/events"] = [null];
    const task = await shown(server);
    await server.until(() => server.lasts.length === 1);
    server.send(told("snapshot", { ...GROWING, sequence: 6, answer: "42 and" }, "6"));
    await until(() => (task.get("current") as Json).answer === "42 and");
    await task.refresh();
    expect(task.get("current")).toMatchObject({ answer: "42 and" });
    const ended = { ...GROWING, sequence: 7, live: false, answer: "42 and more" };
    server.answers[PAGE] = { ...SIDE, items: [ended, ITEM] };
    server.send(told("snapshot", ended, "7"));
    await until(() => task.get("current") === null);
    expect(task.get("side")).toMatchObject({ items: [ended, ITEM] });
    task.close();
  });

  test("an answer's stream that is refused is opened again, and not at once", async () => {
    const server = served();
    server.answers[PAGE] = { ...SIDE, current: GROWING };
    const task = await shown(server);
    await server.until(() => server.lasts.length === 1);
    await task.refresh();
    expect(server.lasts.length).toBe(1);
    await server.until(() => server.lasts.length === 2);
    task.close();
  });

  test("an older answer is given to its agent by its own id", async () => {
    const server = served();
    server.answers["GET /tasks/t/chat/side-questions?before=2"] = { items: [{ ...ITEM, id: "p", ordinal: 1 }], next_cursor: 0 };
    const task = await shown(server);
    task.send({ type: "side_older", before: 2, id: 1 });
    await server.until(() => server.asked.includes("GET /tasks/t/chat/side-questions?before=2"));
    await until(() => server.asked.filter((one) => one === PAGE).length > 1);
    task.send({ type: "promote", ordinal: 1, sure: false, id: 2 });
    await server.until(() => server.asked.includes('POST /side-questions/p/promote {"sure":false}'));
    task.close();
  });

  test.each([
    [{ type: "stop" }, "POST /tasks/t/cancel"],
    [{ type: "resume" }, "POST /tasks/t/resume"],
    [{ type: "ask", question: "Q?", client_request_id: "1" }, 'POST /tasks/t/chat/side-questions {"question":"Q?","client_request_id":"1"}'],
    [{ type: "side_clear" }, "DELETE /tasks/t/chat/side-questions"],
    [{ type: "side_older", before: 2 }, "GET /tasks/t/chat/side-questions?before=2"],
    [{ type: "promote", ordinal: 2, sure: true }, 'POST /side-questions/q/promote {"sure":true}'],
    [{ type: "context", claim: "0.1" }, "GET /tasks/t/citations/0.1"],
    [{ type: "export", format: "bib" }, "GET /tasks/t/guide?format=bib"],
    [{ type: "reconcile" }, "GET /agents/a/activity"],
  ])("sends %o on its way, and says what the server refuses", async (message, asked) => {
    const server = served();
    const task = await shown(server);
    const reply = new Promise((resolve) => task.on("message", resolve));
    task.send({ ...message, id: 9 });
    expect(await reply).toEqual({ type: "reply", ok: false, error: "No.", hint: "", id: 9 });
    expect(server.asked).toContain(asked);
    task.close();
  });
});
