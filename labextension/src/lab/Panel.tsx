// Owns the Research panel: a question to begin with, the roster, or the task that is open. It holds no state of
// the research.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Session } from "../ui/session";
import { View } from "../ui/view";
import type { Research } from "./research";
import { LOAD } from "./research";

export function Panel({ research }: { research: Research }) {
  const [, draw] = useState(0);
  useEffect(() => research.on(() => draw((count) => count + 1)), [research]);
  const current = research.kernels.get();
  return (
    <div class="lzl">
      <header class="lzl-head">
        <h2>Research</h2>
        {current && <span class="lzl-name" title={current.name}>{current.name}</span>}
      </header>
      {current === null ? <p class="lzl-empty">Open a notebook: its kernel does the research, and keeps it.</p> : <Body research={research} />}
    </div>
  );
}

function Body({ research }: { research: Research }) {
  const { problem, task, roster, shown } = research;
  const open = useRef((taskId: string) => research.openTask(taskId)).current;
  if (problem?.kind === "no_api") return <Unloaded research={research} />;
  return (
    <>
      {problem && <p class="lzl-trouble" role="alert">{problem.error} {problem.hint}</p>}
      {task ? (
        <>
          <button type="button" class="lzl-back" onClick={() => research.closeTask()}>‹ All research</button>
          {shown && <Drawn key={task.values.taskId} session={task.session} />}
        </>
      ) : (
        <>
          <Begin research={research} />
          {roster && shown && <Drawn key="roster" session={roster.session} openTask={open} />}
        </>
      )}
    </>
  );
}

function Unloaded({ research }: { research: Research }) {
  const [busy, setBusy] = useState(false);
  const load = () => {
    setBusy(true);
    void research.load().finally(() => setBusy(false));
  };
  return (
    <div class="lzl-empty">
      <p>This notebook's kernel has not loaded the extension.</p>
      <p><code>{LOAD}</code></p>
      <button type="button" class="lzl-primary" disabled={busy} onClick={load}>{busy ? "Loading…" : "Load it now"}</button>
    </div>
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
      <textarea rows={2} dir="auto" aria-label="A question to research" placeholder="A question to research" value={question}
        onInput={(event) => setQuestion(event.currentTarget.value)} onKeyDown={onKeyDown} />
      <button type="button" class="lzl-primary" disabled={busy || question.trim() === ""} onClick={begin}>Research</button>
      {research.trouble && <p class="lzl-trouble" role="alert">{research.trouble}</p>}
    </div>
  );
}

/** A session, drawn as in a cell. */
function Drawn({ session, openTask }: { session: Session; openTask?: (taskId: string) => void }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const view = new View(session, host.current, openTask ?? null);
    return () => view.dispose();
  }, [session, openTask]);
  return <div class="lzl-drawn" ref={host} />;
}
