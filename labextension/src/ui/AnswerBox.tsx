// Owns the box in which a person answers what a task asks. The draft is the session's, so that no view can lose it.
import { answer } from "./actions";
import { Button } from "./Button";
import { useView } from "./context";
import { Said } from "./Said";
import { trans } from "./words";

/** `taskId`: the task that asks, where a view shows several; `k`: tells the box from others of the view. */
export function AnswerBox({ question, taskId }: { question: string; taskId?: string }) {
  const { session } = useView();
  const k = `answer:${taskId ?? ""}`;
  const draft = session.answers.get(k) ?? "";
  const busy = session.busy.has(k);
  const send = () => answer(session, draft, k, taskId);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    send();
  };
  return (
    <div class="lzu-waits" role="group" aria-label={trans.__("Waiting for you")}>
      <p dir="auto"><b>{trans.__("Waiting for you:")}</b> {question}</p>
      <div class="lzu-ask">
        <textarea data-k={k} rows={1} dir="auto" aria-label={trans.__("Your answer")} value={draft} disabled={busy} placeholder={trans.__("Your answer")}
          title={trans.__("Enter sends, Shift+Enter starts a new line")} onKeyDown={onKeyDown}
          onInput={(event) => {
            session.answers.set(k, event.currentTarget.value);
            session.changed();
          }} />
        <Button k={`${k}:send`} kind="primary" disabled={busy || draft.trim() === ""} act={send}>
          {busy ? trans.__("sending…") : trans.__("Answer")}
        </Button>
      </div>
      <Said place={k} />
    </div>
  );
}
