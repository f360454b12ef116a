// The panel's view models over a small server of the test's own: streams that break, answers that are late.
import { describe, expect, test } from "vitest";
import { Api, Lines } from "../src/lab/api";
import type { Services } from "../src/lab/jupyter";
import { RosterValues } from "../src/lab/roster_values";
import { TaskValues } from "../src/lab/task_values";

type Json = Record<string, unknown>;
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

/** A Jupyter server: `offered` kernels, answers by method and path, streams by path, each handed out once. */
class Server {
  readonly asked: string[] = [];
  readonly lasts: (string | null)[] = [];
  offered = true;
  answers: Record<string, Json> = { "GET /agents": { activity: IDLE, agents: [], tasks: [], note: "", version: 1 } };
  streams: Record<string, string[]> = {};
  readonly #waiting: (() => void)[] = [];

  readonly services: Services = {
    ServerConnection: {
      makeRequest: async (url, init) => {
        const path = url.replace("http://lab/lazyboy/kernels/k/api", "").replace("http://lab", "");
        const asked = `${init.method ?? "GET"} ${path}`;
        this.asked.push(init.body === undefined ? asked : `${asked} ${String(init.body)}`);
        for (const one of this.#waiting.splice(0)) one();
        if (path === "/lazyboy/kernels") return json({ kernels: this.offered ? ["k"] : [] });
        if (path.endsWith("/events")) return this.#stream(path, init);
        const answer = this.answers[asked];
        return answer === undefined ? json({ error: "not_found", detail: "No.", hint: "" }, 404) : json(answer);
      },
    },
  };

  api(): Api {
    return new Api(this.services, { baseUrl: "http://lab/" }, "k");
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #stream(path: string, init: RequestInit): Response {
    this.lasts.push(new Headers(init.headers).get("Last-Event-ID"));
    const text = this.streams[path]?.shift();
    if (text !== undefined) return new Response(text, { headers: { "Content-Type": "text/event-stream" } });
    return json({ error: "unreachable", detail: "Gone.", hint: "" }, 503);
  }
}

const json = (body: Json, status = 200): Response => new Response(JSON.stringify(body), { status });

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

  test("says whether it had begun, and never throws", async () => {
    const server = new Server();
    server.streams["/events"] = [STREAM, "event: task\ndata: no json\n\n"];
    const heard: unknown[] = [];
    const listen = () => server.api().listen("/events", "", new AbortController().signal, (event) => heard.push(event));
    expect(await listen()).toBe(true);
    expect(await listen()).toBe(true);
    expect(await listen()).toBe(false);
    expect(heard).toEqual(EVENTS);
  });
});

describe("the roster", () => {
  test("comes back with the number of the last event, and looks again", async () => {
    const server = new Server();
    server.streams["/events"] = [STREAM, ""];
    const roster = new RosterValues(server.api());
    await server.until(() => server.lasts.length >= 1);
    await server.until(() => server.asked.filter((one) => one === "GET /agents").length >= 1);
    roster.wake();
    await server.until(() => {
      roster.wake();
      return server.lasts.length >= 2;
    });
    expect(server.lasts.slice(0, 2)).toEqual([null, "8"]);
    expect(roster.problem).toBeNull();
    expect(roster.get("roster")).toMatchObject({ note: "" });
    roster.close();
  });

  test("asks nothing of a kernel that offers nothing, until that has done something", async () => {
    const server = new Server();
    server.offered = false;
    server.streams["/events"] = [STREAM];
    const roster = new RosterValues(server.api());
    const told: unknown[] = [];
    roster.on("problem", (problem) => told.push(problem));
    await server.until(() => server.asked.length > 0);
    await new Promise((resolve) => setTimeout(resolve));
    expect(told).toMatchObject([{ kind: "no_api" }]);
    expect(server.asked).toEqual(["GET /lazyboy/kernels"]);
    server.offered = true;
    roster.wake();
    await server.until(() => server.asked.includes("GET /events"));
    roster.close();
  });
});

describe("a task", () => {
  const CARD = { task_id: "t", agent_id: "a", version: 5, live: false };
  const ITEM = { id: "q", parent: "t", sequence: 3, ordinal: 2, live: false, answer: "42" };
  const SIDE = { parent: "t", items: [ITEM], current: null, next_cursor: 0, can_ask: true };

  function served(): Server {
    const server = new Server();
    server.answers["GET /tasks/t"] = { card: CARD, sources: [], guide: null };
    server.answers["GET /tasks/t/chat/side-questions"] = SIDE;
    return server;
  }

  test("is shown with its side questions", async () => {
    const server = served();
    const task = new TaskValues(server.api(), "t");
    await new Promise<void>((resolve) => task.on("card", () => resolve()));
    expect(task.get("card")).toEqual(CARD);
    expect(task.get("side")).toMatchObject({ items: [ITEM] });
    task.close();
  });

  test.each([
    [{ type: "stop" }, "POST /tasks/t/cancel"],
    [{ type: "ask", question: "Q?", client_request_id: "1" }, 'POST /tasks/t/chat/side-questions {"question":"Q?","client_request_id":"1"}'],
    [{ type: "side_clear" }, "DELETE /tasks/t/chat/side-questions"],
    [{ type: "side_older", before: 2 }, "GET /tasks/t/chat/side-questions?before=2"],
    [{ type: "promote", ordinal: 2, sure: true }, 'POST /side-questions/q/promote {"sure":true}'],
    [{ type: "context", claim: "0.1" }, "GET /tasks/t/citations/0.1"],
    [{ type: "export", format: "bib" }, "GET /tasks/t/guide?format=bib"],
    [{ type: "reconcile" }, "GET /agents/a/activity"],
  ])("sends %o on its way, and says what the server refuses", async (message, asked) => {
    const server = served();
    const task = new TaskValues(server.api(), "t");
    await new Promise<void>((resolve) => task.on("card", () => resolve()));
    const reply = new Promise((resolve) => task.on("message", resolve));
    task.send({ ...message, id: 9 });
    expect(await reply).toEqual({ type: "reply", ok: false, error: "No.", hint: "", id: 9 });
    expect(server.asked).toContain(asked);
    task.close();
  });
});
