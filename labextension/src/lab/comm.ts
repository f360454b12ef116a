// Owns requests to a kernel's API over a comm, where the server cannot reach the kernel's socket; the messages are
// described in the kernel's `notebook/api_comm.py`.
import type { Message } from "../ui/model";
import { text } from "../ui/parse";
import type { Answer, Api, ServerEvent } from "./api";
import { answerOf, limitOf, Lines, unreachable } from "./api";
import type { Comm, Kernel } from "./jupyter";

const TARGET = "lazyboy.api";
/** Milliseconds between two words of the page while it listens: of one that is silent the kernel ends the streams. */
const HERE = 15_000;
const LOADED = "'lazyboy_jupyter' in get_ipython().extension_manager.loaded";

type Took = (message: Message) => void;

export class CommApi implements Api {
  readonly #kernel: Kernel;
  readonly #waiting = new Map<number, Took>();
  #comm: Comm | null = null;
  #last = 0;
  #here: ReturnType<typeof setInterval> | undefined;
  /** Whether it was not loaded when it was asked last, and no cell has run since. */
  #denied = false;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** A cell has run, which may have loaded us. */
  ran(): void {
    this.#denied = false;
  }

  /**
   * Asked for silently, so that a kernel that has not loaded us need not complain of a comm that it does not know;
   * and once for each cell that ran, so that a kernel that nobody uses can be taken for idle.
   */
  async isOffered(): Promise<boolean | null> {
    if (this.#comm !== null && !this.#comm.isDisposed) return true;
    if (this.#denied) return false;
    try {
      const asked = { code: "", silent: true, store_history: false, user_expressions: { loaded: LOADED } };
      const { content } = (await this.#kernel.requestExecute(asked).done) as { content: { user_expressions?: Record<string, { data?: Message }> } };
      const loaded = content.user_expressions?.loaded?.data?.["text/plain"] === "True";
      this.#denied = !loaded;
      return loaded;
    } catch {
      return null;
    }
  }

  ask(method: string, path: string, body?: Message): Promise<Answer> {
    return new Promise((resolve) => {
      let status = 0;
      let said = "";
      const settle = (answer: Answer) => {
        clearTimeout(timer);
        leave();
        resolve(answer);
      };
      const leave = this.#begin({ method, path: `/api${path}`, body: body ?? null }, (message) => {
        if (message.type === "head") status = Number(message.status);
        else if (message.type === "piece") said += text(message.text);
        else settle(parsed(status, said));
      });
      const timer = setTimeout(() => settle(unreachable()), limitOf(method));
    });
  }

  listen(path: string, last: string, silence: number, signal: AbortSignal, heard: (event: ServerEvent) => void): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      let begun = false;
      const lines = new Lines(heard);
      const end = (whole: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", aborted);
        leave();
        resolve(begun && whole);
      };
      const aborted = () => end(true);
      const giveUp = () => end(false);
      let timer = setTimeout(giveUp, silence);
      signal.addEventListener("abort", aborted);
      const headers = last === "" ? {} : { "Last-Event-ID": last };
      const leave = this.#begin({ method: "GET", path: `/api${path}`, headers, body: null }, (message) => {
        if (message.type === "head" && message.status !== 200) return end(false);
        if (message.type === "end") return end(true);
        if (message.type !== "piece") return;
        begun = true;
        clearTimeout(timer);
        timer = setTimeout(giveUp, silence);
        try {
          lines.take(text(message.text));
        } catch {
          end(true); // what is no event ends the stream, as over HTTP
        }
      });
    });
  }

  /** Sends a request; the function returned gives it up. */
  #begin(request: Message, took: Took): () => void {
    const id = ++this.#last;
    this.#waiting.set(id, took);
    this.#here ??= setInterval(() => this.#send({ type: "here" }), HERE);
    this.#send({ ...request, id });
    return () => {
      if (this.#waiting.delete(id)) this.#send({ type: "abort", id });
      if (this.#waiting.size > 0) return;
      clearInterval(this.#here);
      this.#here = undefined;
    };
  }

  /** A kernel that is gone hears nothing: whoever waits has a limit. */
  #send(message: Message): void {
    try {
      if (this.#comm === null || this.#comm.isDisposed) this.#comm = this.#opened();
      this.#comm.send(message);
    } catch {
      this.#comm = null;
    }
  }

  #opened(): Comm {
    const comm = this.#kernel.createComm(TARGET);
    comm.onMsg = ({ content: { data } }) => {
      const took = this.#waiting.get(Number(data.id));
      if (data.type === "end") this.#waiting.delete(Number(data.id));
      took?.(data);
    };
    comm.onClose = () => {
      this.#comm = null;
    };
    comm.open({});
    return comm;
  }
}

function parsed(status: number, said: string): Answer {
  try {
    return answerOf(status, JSON.parse(said) as Message);
  } catch {
    return unreachable();
  }
}
