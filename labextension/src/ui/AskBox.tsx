// Owns the box to ask a side question. The draft is the session's, so that no view can lose it.
import { useLayoutEffect, useRef } from "preact/hooks";
import { ask } from "./actions";
import { Button } from "./Button";
import type { Side } from "./model";
import { Said } from "./Said";
import { useView } from "./context";
import { trans } from "./words";

export function AskBox({ side }: { side: Side | null }) {
  const { session } = useView();
  const box = useRef<HTMLTextAreaElement>(null);
  const busy = session.busy.has("ask");
  const canAsk = side?.can_ask ?? session.card?.can_ask ?? false;
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    area.style.height = "auto";
    // An empty box would be as high as its placeholder.
    if (session.draft !== "") area.style.height = `${Math.min(area.scrollHeight + 2, 140)}px`;
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (canAsk) ask(session, session.draft);
  };
  return (
    <div class="lzu-askbox">
      {!canAsk && side?.why_not && <p class="lzu-dim" dir="auto">{side.why_not}</p>}
      <div class="lzu-ask">
        <textarea ref={box} data-k="question" rows={1} dir="auto" aria-label={trans.__("Your side question")} value={session.draft} disabled={!canAsk}
          placeholder={canAsk ? trans.__("Ask what it knows so far") : trans.__("No questions can be asked now")}
          title={trans.__("Enter sends, Shift+Enter starts a new line")} onKeyDown={onKeyDown}
          onInput={(event) => {
            session.draft = event.currentTarget.value;
            session.changed();
          }} />
        <Button k="ask" kind="primary" disabled={!canAsk || busy || session.draft.trim() === ""} act={() => ask(session, session.draft)}>
          {busy ? trans.__("sending…") : trans.__("Ask")}
        </Button>
      </div>
      <Said place="ask" />
    </div>
  );
}
