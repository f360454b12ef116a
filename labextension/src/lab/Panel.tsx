// Owns the Research panel: a question to begin with, the roster, or the task that is open. It holds no state of
// the research.
import { useRef, useState } from "preact/hooks";
import { Drawn } from "./Drawn";
import { Frame, useResearch } from "./Frame";
import type { Research } from "./research";
import { trans } from "../ui/words";

export function Panel({ research }: { research: Research }) {
  useResearch(research);
  return <Frame research={research} title={trans.__("Research")}><Body research={research} /></Frame>;
}

function Body({ research }: { research: Research }) {
  const { task, roster } = research;
  const shown = research.shown("research");
  const open = useRef((taskId: string) => research.openTask(taskId)).current;
  if (task !== null) {
    return (
      <>
        <button type="button" class="lzl-back" onClick={() => research.closeTask()}>{trans.__("‹ All research")}</button>
        {shown && <Drawn key={task.values.taskId} session={task.session} openTask={open} />}
      </>
    );
  }
  return (
    <>
      <Begin research={research} />
      {roster && shown && <Drawn key="roster" session={roster.session} openTask={open} />}
    </>
  );
}

function Begin({ research }: { research: Research }) {
  const [question, setQuestion] = useState("");
  const [busy, setBusy] = useState(false);
  const begin = () => {
    setBusy(true);
    void research.begin(question).then((begun) => {
      setBusy(false);
      if (begun) setQuestion("");
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!busy) begin();
  };
  return (
    <div class="lzl-begin">
      <textarea rows={2} dir="auto" aria-label={trans.__("A question to research")} placeholder={trans.__("A question to research")} value={question}
        onInput={(event) => setQuestion(event.currentTarget.value)} onKeyDown={onKeyDown} />
      <button type="button" class="lzl-primary" disabled={busy || question.trim() === ""} onClick={begin}>{trans.__("Research")}</button>
      {research.trouble && <p class="lzl-trouble" role="alert">{research.trouble}</p>}
    </div>
  );
}
