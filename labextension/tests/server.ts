// A Jupyter server as the panel's view models see it, small and honest. It decides nothing.
import { HttpApi } from "../src/lab/http";
import type { Services } from "../src/lab/jupyter";

export type Json = Record<string, unknown>;

/** Returns when it holds, looked at after each thing that the page does. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve));
}

/** A Jupyter server: `offered` kernels, answers by method and path, streams by path, each handed out once. */
export class Server {
  readonly asked: string[] = [];
  readonly lasts: (string | null)[] = [];
  offered = true;
  /** Whether nobody listens where it was. */
  down = false;
  /** What it says of its kernels, if it is not `offered`; null: nothing of us is there. */
  kernels: Json | null | undefined = undefined;
  answers: Record<string, Json> = {};
  /** By path: what a stream says whole, or null for one that goes on with what is sent. */
  streams: Record<string, (string | null)[]> = {};
  aborted = 0;
  #open: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly #waiting: (() => void)[] = [];

  readonly services: Services = {
    ServerConnection: {
      makeRequest: async (url, init) => {
        const path = url.replace("http://lab/lazyboy/kernels/k/api", "").replace("http://lab", "");
        const asked = `${init.method ?? "GET"} ${path}`;
        this.asked.push(init.body === undefined ? asked : `${asked} ${String(init.body)}`);
        for (const one of this.#waiting.splice(0)) one();
        if (this.down) throw new TypeError("Failed to fetch");
        if (path === "/lazyboy/kernels" && this.kernels === null) return new Response("<p>404</p>", { status: 404 });
        if (path === "/lazyboy/kernels") return json(this.kernels ?? { kernels: this.offered ? ["k"] : [] });
        if (path.endsWith("/events")) return this.#stream(path, init);
        const answer = this.answers[asked];
        return answer === undefined ? json({ error: "not_found", detail: "No.", hint: "" }, 404) : json(answer);
      },
    },
  };

  api(): HttpApi {
    return new HttpApi(this.services, { baseUrl: "http://lab/" }, "k");
  }

  /** Says more in the stream that goes on. */
  send(text: string): void {
    this.#open?.enqueue(new TextEncoder().encode(text));
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #stream(path: string, init: RequestInit): Response {
    this.lasts.push(new Headers(init.headers).get("Last-Event-ID"));
    const text = this.streams[path]?.shift();
    if (text === null) return new Response(this.#ongoing(init.signal as AbortSignal));
    if (text !== undefined) return new Response(text, { headers: { "Content-Type": "text/event-stream" } });
    return json({ error: "unreachable", detail: "Gone.", hint: "" }, 503);
  }

  #ongoing(signal: AbortSignal): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: (controller) => {
        this.#open = controller;
        signal.addEventListener("abort", () => {
          this.aborted += 1;
          controller.error(signal.reason);
        });
      },
    });
  }
}

export const json = (body: Json, status = 200): Response => new Response(JSON.stringify(body), { status });
