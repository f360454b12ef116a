// Owns what all panels have in common: a heading, whose research it is, and what is said where there is none.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Place, Research } from "./research";
import { LOAD } from "./research";
import { trans } from "../ui/words";

/** Draws again whenever the research has changed. */
export function useResearch(research: Research): void {
  const [, draw] = useState(0);
  useEffect(() => research.on(() => draw((count) => count + 1)), [research]);
}

export function Frame({ research, title, children }: { research: Research; title: string; children: ComponentChildren }) {
  const current = research.kernels.get();
  const { problem } = research;
  return (
    <section class="lzl" aria-label={title}>
      <header class="lzl-head">
        <h2>{title}</h2>
        {current && <span class="lzl-name" title={current.name}>{current.name}</span>}
      </header>
      {current === null ? (
        <p class="lzl-empty">{trans.__("Open a notebook: its kernel does the research, and keeps it.")}</p>
      ) : problem?.kind === "no_api" ? (
        <Unloaded research={research} />
      ) : (
        <>
          {problem && <p class="lzl-trouble" role="alert">{problem.error} {problem.hint}</p>}
          {children}
        </>
      )}
    </section>
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
      <p>{trans.__("This notebook's kernel has not loaded the extension.")}</p>
      <p><code>{LOAD}</code></p>
      <button type="button" class="lzl-primary" disabled={busy} onClick={load}>{busy ? trans.__("Loading…") : trans.__("Load it now")}</button>
    </div>
  );
}

const QUESTION = 90;

/** Which task a panel speaks of. */
export function TaskChoice({ research, place }: { research: Research; place: Place }) {
  const { tasks } = research;
  const chosen = research.choice(place) ?? "";
  const open = research.task?.session.card;
  const missing = open && open.task_id === chosen && !tasks.some((one) => one.task_id === chosen) ? [open] : [];
  return (
    <select class="lzl-choice" aria-label={trans.__("Task")} value={chosen} onChange={(event) => research.choose(place, event.currentTarget.value)}>
      {[...missing, ...tasks].map((one) => (
        <option key={one.task_id} value={one.task_id}>
          {one.question.length > QUESTION ? `${one.question.slice(0, QUESTION)}…` : one.question || trans.__("Untitled")} · {one.headline}
        </option>
      ))}
    </select>
  );
}
