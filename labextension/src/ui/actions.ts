// Owns what a click sends to Python, and what its reply changes on the page. It never draws.
import { copyText, download } from "./handover";
import type { Message } from "./model";
import { link, parseItems, text } from "./parse";
import type { Session } from "./session";
import { trans } from "./words";

const unanswered = new WeakMap<Session, { question: string; id: string }>();

/** Stops the run, or one of the dashboard's. It stays "stopping" until its end is shown. */
export function stop(session: Session, taskId?: string): void {
  const place = taskId === undefined ? "stop" : `stop:${taskId}`;
  const message = taskId === undefined ? { type: "stop" } : { type: "stop", task_id: taskId };
  session.perform(place, message, () => {
    session.open.add(`stopped:${taskId ?? ""}`);
  });
}

export const isStopping = (session: Session, taskId?: string): boolean =>
  session.busy.has(taskId === undefined ? "stop" : `stop:${taskId}`) || session.open.has(`stopped:${taskId ?? ""}`);

/** Has another task go on where this one ended; `begun` is called with it. */
export function resume(session: Session, begun: (taskId: string) => void): void {
  session.perform("resume", { type: "resume" }, (data) => begun(text(data.task_id)));
}

/** Answers what a task asks; `place`: where its reply is said and its draft is. */
export function answer(session: Session, draft: string, place: string, taskId?: string): void {
  const said = draft.trim();
  if (said === "") return;
  const message = taskId === undefined ? { type: "answer", text: said } : { type: "answer", text: said, task_id: taskId };
  session.perform(place, message, () => {
    session.answers.delete(place);
  });
}

/** Asks a side question. A question that got no reply keeps its id, so that it is asked once only. */
export function ask(session: Session, question: string): void {
  const asked = question.trim();
  if (asked === "") return;
  const before = unanswered.get(session);
  const id = before?.question === asked ? before.id : newId();
  session.perform(
    "ask",
    { type: "ask", question: asked, client_request_id: id },
    () => {
      unanswered.delete(session);
      if (session.draft.trim() === asked) session.draft = "";
    },
    (reply) => {
      if (!reply.ok && reply.answered) unanswered.delete(session);
      else unanswered.set(session, { question: asked, id });
    },
  );
}

export const stopSide = (session: Session): void => session.perform("side_stop", { type: "side_stop" }, () => undefined);

export function clearSide(session: Session): void {
  session.perform("side_clear", { type: "side_clear" }, () => {
    session.open.delete("clearing");
    session.older.forget();
  });
}

export function fetchOlder(session: Session, before: number): void {
  session.perform("older", { type: "side_older", before }, (data) => {
    session.older.add(parseItems(data.items), Number(data.next_cursor) || 0);
  });
}

/** Asks what the agent would be told; `sure` gives it to the agent. */
export function promote(session: Session, ordinal: number, { sure }: { sure: boolean }): void {
  const place = `promote:${ordinal}`;
  session.perform(place, { type: "promote", ordinal, sure }, (data) => {
    if (sure) session.open.delete(place);
    else {
      session.open.add(place);
      session.notes.set(`preview:${ordinal}`, text(data.note));
    }
  });
}

/** Opens or closes a citation; the first time, its quote's surroundings are fetched. */
export function toggleCitation(session: Session, key: string): void {
  session.toggle(`cite:${key}`);
  if (!session.open.has(`cite:${key}`) || session.contexts.has(key)) return;
  session.perform(`context:${key}`, { type: "context", claim: key }, (data) => {
    const { before, quote, after, title, url } = data;
    session.contexts.set(key, {
      before: text(before), quote: text(quote), after: text(after), title: text(title), url: link(url),
    });
  });
}

export function copyGuide(session: Session): void {
  exported(session, "md", async (data) => {
    session.note("export", (await copyText(text(data.text))) ? trans.__("Copied as Markdown") : trans.__("The browser did not allow to copy"));
  });
}

export function copyResult(session: Session, result: string): void {
  void copyText(result).then((copied) => {
    session.note("export", copied ? trans.__("Copied as Markdown") : trans.__("The browser did not allow to copy"));
  });
}

export function exportGuide(session: Session, format: string): void {
  exported(session, format, (data) => {
    const name = text(data.name) || `research.${format}`;
    download(name, text(data.text), text(data.media));
    session.note("export", trans.__("Saved %1", name));
  });
}

function exported(session: Session, format: string, use: (data: Message) => void): void {
  session.perform("export", { type: "export", format }, use);
}

// `crypto.randomUUID` is missing on pages without TLS.
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, "0")).join("");
}
