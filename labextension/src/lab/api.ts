// Owns what the page asks of a kernel's API, whatever way the requests take: JSON in and out, and streams of events.
import type { Message, Trouble } from "../ui/model";
import { trans } from "../ui/words";

export type Answer = { ok: true; data: Message } | ({ ok: false; status: number; kind: string } & Trouble);
export interface ServerEvent {
  kind: string;
  id: string;
  data: Message;
}

/** It keeps nothing, and never throws. */
export interface Api {
  /** Whether the kernel offers its research, which most do not; null where nobody says. */
  isOffered(): Promise<boolean | null>;
  ask(method: string, path: string, body?: Message): Promise<Answer>;
  /**
   * Calls `heard` for each event until the stream ends, or says nothing for `silence` milliseconds; returns
   * whether it was heard to its end.
   */
  listen(path: string, last: string, silence: number, signal: AbortSignal, heard: (event: ServerEvent) => void): Promise<boolean>;
}

/** Milliseconds after which a look has failed (DESIGN §8), and something that is done: an end waits for its store. */
const LOOK = 8_000;
const WORK = 60_000;

export const limitOf = (method: string): number => (method === "GET" ? LOOK : WORK);

export const unreachable = (): Answer =>
  ({ ok: false, status: 0, kind: "unreachable", error: trans.__("No answer from the server."), hint: trans.__("Try again.") });

/** What the API says with a status. */
export function answerOf(status: number, data: Message): Answer {
  if (status >= 200 && status < 300) return { ok: true, data };
  const { error, detail, hint } = data;
  return { ok: false, status, kind: String(error), error: String(detail ?? trans.__("That did not work.")), hint: String(hint ?? "") };
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
