// Owns requests to a kernel's API through the Jupyter server. It keeps nothing.
import type { Message } from "../ui/model";
import type { Answer, Api, ServerEvent } from "./api";
import { answerOf, limitOf, Lines, unreachable } from "./api";
import type { ServerSettings, Services } from "./jupyter";

/** Where a kernel's research is to be had: through the server, from the kernel alone, nowhere yet; null: nobody says. */
export type Where = "here" | "kernel" | "nowhere" | null;

export class HttpApi implements Api {
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

  /** A kernel on another machine has no socket here, and a server without us knows of none. */
  async where(): Promise<Where> {
    const answer = await this.#fetched("GET", `${this.#settings.baseUrl}lazyboy/kernels`);
    if (!answer.ok) return answer.status === 404 ? "kernel" : null;
    const among = (ids: unknown): boolean => Array.isArray(ids) && ids.includes(this.#kernelId);
    return among(answer.data.kernels) ? "here" : among(answer.data.remote) ? "kernel" : "nowhere";
  }

  async isOffered(): Promise<boolean | null> {
    const where = await this.where();
    return where === null ? null : where === "here";
  }

  ask(method: string, path: string, body?: Message): Promise<Answer> {
    return this.#fetched(method, this.#base + path, body);
  }

  async #fetched(method: string, url: string, body?: Message): Promise<Answer> {
    try {
      // What hangs is given up: a browser has six connections to a server, and JupyterLab needs them too.
      const init: RequestInit = { method, signal: AbortSignal.timeout(limitOf(method)) };
      if (body !== undefined) {
        init.body = JSON.stringify(body);
        init.headers = { "Content-Type": "application/json" };
      }
      const response = await this.#services.ServerConnection.makeRequest(url, init, this.#settings);
      const text = await response.text();
      if (response.status === 404 && !text.startsWith("{")) return answerOf(404, {});
      return answerOf(response.status, JSON.parse(text) as Message);
    } catch {
      return unreachable();
    }
  }

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
