// Owns requests to a kernel's API through the Jupyter server: JSON in and out, and streams of events. It keeps
// nothing, and never throws for what the server refuses.
import type { Message, Trouble } from "../ui/model";
import type { ServerSettings, Services } from "./jupyter";

export type Answer = { ok: true; data: Message } | ({ ok: false; status: number; kind: string } & Trouble);
export interface ServerEvent {
  kind: string;
  id: string;
  data: Message;
}

/** Milliseconds after which a look has failed (DESIGN §8), and something that is done: an end waits for its store. */
const LOOK = 8_000;
const WORK = 60_000;

const UNREACHABLE = { ok: false, status: 0, kind: "unreachable", error: "No answer from the server.", hint: "Try again." } as const;

export class Api {
  readonly #services: Services;
  readonly #settings: ServerSettings;
  readonly #kernelId: string;
  readonly #base: string;

  constructor(services: Services, settings: ServerSettings, kernelId: string) {
    this.#services = services;
    this.#settings = settings;
    this.#kernelId = kernelId;
    this.#base = `${settings.baseUrl}lazyboy/kernels/${kernelId}/api`;
  }

  /** Whether the kernel offers its research, which most do not; null where nobody says. */
  async isOffered(): Promise<boolean | null> {
    const answer = await this.#fetched("GET", `${this.#settings.baseUrl}lazyboy/kernels`);
    return answer.ok ? Array.isArray(answer.data.kernels) && answer.data.kernels.includes(this.#kernelId) : null;
  }

  ask(method: string, path: string, body?: Message): Promise<Answer> {
    return this.#fetched(method, this.#base + path, body);
  }

  async #fetched(method: string, url: string, body?: Message): Promise<Answer> {
    try {
      // What hangs is given up: a browser has six connections to a server, and JupyterLab needs them too.
      const init: RequestInit = { method, signal: AbortSignal.timeout(method === "GET" ? LOOK : WORK) };
      if (body !== undefined) {
        init.body = JSON.stringify(body);
        init.headers = { "Content-Type": "application/json" };
      }
      const response = await this.#services.ServerConnection.makeRequest(url, init, this.#settings);
      const data = (await response.json()) as Message;
      if (response.ok) return { ok: true, data };
      const { error, detail, hint } = data;
      return { ok: false, status: response.status, kind: String(error), error: String(detail), hint: String(hint ?? "") };
    } catch {
      return UNREACHABLE;
    }
  }

  /**
   * Calls `heard` for each event until the stream ends, or says nothing for `silence` milliseconds; returns
   * whether it was heard to its end. Never throws.
   */
  async listen(
    path: string, last: string, silence: number, signal: AbortSignal, heard: (event: ServerEvent) => void,
  ): Promise<boolean> {
    let begun = false;
    const silent = new AbortController();
    const giveUp = () => silent.abort();
    let timer = setTimeout(giveUp, silence);
    try {
      const headers: Record<string, string> = last === "" ? {} : { "Last-Event-ID": last };
      const init: RequestInit = { method: "GET", headers, signal: AbortSignal.any([signal, silent.signal]), cache: "no-store" };
      const response = await this.#services.ServerConnection.makeRequest(this.#base + path, init, this.#settings);
      if (!response.ok || response.body === null) return false;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const lines = new Lines(heard);
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, silence);
        begun = true;
        lines.take(piece.value);
      }
    } catch {
      // Aborted, or the connection broke: whoever listens comes again.
    } finally {
      clearTimeout(timer);
    }
    return begun && !silent.signal.aborted;
  }
}

/** Takes a stream of server-sent events apart, wherever it is cut. */
export class Lines {
  readonly #heard: (event: ServerEvent) => void;
  #rest = "";
  #fields: Record<string, string> = {};

  constructor(heard: (event: ServerEvent) => void) {
    this.#heard = heard;
  }

  take(piece: string): void {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line === "") {
      const { event, id, data } = this.#fields;
      this.#fields = {};
      if (event !== undefined) this.#heard({ kind: event, id: id ?? "", data: data === undefined ? {} : (JSON.parse(data) as Message) });
      return;
    }
    const at = line.indexOf(":");
    if (at <= 0) return; // a comment, sent so that the connection is not taken for dead
    const name = line.slice(0, at);
    const value = line.slice(line[at + 1] === " " ? at + 2 : at + 1);
    const before = name === "data" ? this.#fields.data : undefined;
    this.#fields[name] = before === undefined ? value : `${before}\n${value}`;
  }
}
