// The API over a comm: a kernel of the test's own answers as `notebook/api_comm.py` does.
import { describe, expect, test } from "vitest";
import { CommApi } from "../src/lab/comm";
import type { Comm, Kernel } from "../src/lab/jupyter";
import { KernelApi } from "../src/lab/way";
import type { Json } from "./server";
import { Server, until } from "./server";

const BEAT = 'event: beat\ndata: {"activity": {"state": "idle"}}\n\n';

/** Answers what it was given answers for; what it is sent it takes down. */
class FakeKernel implements Kernel {
  readonly id = "k";
  readonly status = "idle";
  readonly said: Json[] = [];
  loaded = true;
  opened = 0;
  silent = 0;
  answers: Record<string, [number, Json]> = {};
  comm: (Comm & { isDisposed: boolean }) | null = null;

  requestExecute = (content: { code: string; silent?: boolean; user_expressions?: Record<string, string> }) => {
    this.silent += content.silent === true && content.code === "" ? 1 : 0;
    const data = { "text/plain": this.loaded ? "True" : "False" };
    return { done: Promise.resolve({ content: { user_expressions: { loaded: { data } } } }) };
  };

  createComm = (target: string): Comm => {
    expect(target).toBe("lazyboy.api");
    this.opened += 1;
    const comm = { isDisposed: false, onMsg: () => undefined, onClose: () => undefined, open: () => undefined, send: (data: Json) => this.#heard(data) };
    this.comm = comm as Comm & { isDisposed: boolean };
    return this.comm;
  };

  tell(id: unknown, message: Json): void {
    this.comm?.onMsg({ content: { data: { id, ...message } } });
  }

  #heard(data: Json): void {
    this.said.push(data);
    const answer = this.answers[`${String(data.method)} ${String(data.path)}`];
    if (answer === undefined) return;
    const [status, body] = answer;
    queueMicrotask(() => {
      this.tell(data.id, { type: "head", status });
      for (const piece of JSON.stringify(body)) this.tell(data.id, { type: "piece", text: piece });
      this.tell(data.id, { type: "end" });
    });
  }
}

describe("the API over a comm", () => {
  test("answers as over HTTP, in pieces, and refuses as it does", async () => {
    const kernel = new FakeKernel();
    kernel.answers["GET /api/agents"] = [200, { note: "é" }];
    kernel.answers["POST /api/tasks"] = [400, { error: "invalid", detail: "No.", hint: "Ask." }];
    const api = new CommApi(kernel);
    expect(await api.ask("GET", "/agents")).toEqual({ ok: true, data: { note: "é" } });
    const refused = await api.ask("POST", "/tasks", { question: "" });
    expect(refused).toEqual({ ok: false, status: 400, kind: "invalid", error: "No.", hint: "Ask." });
    expect(kernel.said.at(-1)).toMatchObject({ method: "POST", body: { question: "" } });
    expect(kernel.opened).toBe(1);
  });

  test("hears events until it is told to stop, and then tells the kernel", async () => {
    const kernel = new FakeKernel();
    const api = new CommApi(kernel);
    const stop = new AbortController();
    const heard: string[] = [];
    const ended = api.listen("/events", "7", 60_000, stop.signal, ({ kind }) => heard.push(kind));
    const [asked] = kernel.said;
    expect(asked).toMatchObject({ path: "/api/events", headers: { "Last-Event-ID": "7" } });
    kernel.tell(asked?.id, { type: "head", status: 200 });
    kernel.tell(asked?.id, { type: "piece", text: BEAT });
    stop.abort();
    expect(await ended).toBe(true);
    expect(heard).toEqual(["beat"]);
    expect(kernel.said.at(-1)).toEqual({ type: "abort", id: asked?.id });
    kernel.tell(asked?.id, { type: "piece", text: BEAT });
    expect(heard).toEqual(["beat"]);
  });

  test("of a silence, a refusal and a stream that is none nothing is heard", async () => {
    const kernel = new FakeKernel();
    const api = new CommApi(kernel);
    const listen = () => api.listen("/events", "", 20, new AbortController().signal, () => undefined);
    expect(await listen()).toBe(false);
    const refused = listen();
    kernel.tell(kernel.said.at(-1)?.id, { type: "head", status: 503 });
    expect(await refused).toBe(false);
  });

  test("opens another comm when the kernel has lost the first", async () => {
    const kernel = new FakeKernel();
    kernel.answers["GET /api/agents"] = [200, {}];
    const api = new CommApi(kernel);
    await api.ask("GET", "/agents");
    if (kernel.comm) kernel.comm.isDisposed = true;
    expect((await api.ask("GET", "/agents")).ok).toBe(true);
    expect(kernel.opened).toBe(2);
  });

  test("asks a kernel that has not loaded us once for each cell that ran", async () => {
    const kernel = new FakeKernel();
    kernel.loaded = false;
    const api = new CommApi(kernel);
    expect([await api.isOffered(), await api.isOffered()]).toEqual([false, false]);
    expect(kernel.silent).toBe(1);
    kernel.loaded = true;
    api.ran();
    expect(await api.isOffered()).toBe(true);
    expect(kernel.opened).toBe(0);
  });
});

describe("the way to a kernel", () => {
  const way = (server: Server, kernel: Kernel) => new KernelApi(server.services, { baseUrl: "http://lab/" }, kernel);

  test.each([
    [{ kernels: ["k"], remote: [] }, "GET /agents", 0],
    [{ kernels: [], remote: ["k"] }, undefined, 1],
    [null, undefined, 1],
  ])("leads through the server, or over a comm where that knows of none: %o", async (known, overHttp, comms) => {
    const server = new Server();
    server.kernels = known;
    server.answers["GET /agents"] = {};
    const kernel = new FakeKernel();
    kernel.answers["GET /api/agents"] = [200, {}];
    const api = way(server, kernel);
    expect(await api.isOffered()).toBe(true);
    expect((await api.ask("GET", "/agents")).ok).toBe(true);
    expect(server.asked.find((one) => one === "GET /agents")).toBe(overHttp);
    expect(kernel.opened).toBe(comms);
  });

  test("of a kernel that the server runs, and that has not loaded us, asks the kernel nothing", async () => {
    const server = new Server();
    server.kernels = { kernels: [], remote: [] };
    const kernel = new FakeKernel();
    expect(await way(server, kernel).isOffered()).toBe(false);
    expect(kernel.silent).toBe(0);
    await until(() => server.asked.length === 1);
  });
});
