// Owns the status-bar item: what the agents of the current kernel do, by the one activity. It holds no state.
import { useEffect, useState } from "preact/hooks";
import { useNow } from "../ui/Clock";
import { useResearch } from "./Frame";
import type { Research } from "./research";
import { trans, wordsOf } from "../ui/words";

export function Status({ research, open }: { research: Research; open: () => void }) {
  const [, draw] = useState(0);
  useResearch(research);
  const session = research.roster?.session ?? null;
  useEffect(() => session?.watch(() => draw((count) => count + 1)), [session]);
  useNow(session?.live ?? false);
  const { problem } = research;
  if (session === null || session.roster === null || problem?.kind === "no_api") return null;
  const { belief } = session;
  const shown = problem === null ? session.shown : "unknown";
  const at = belief.activity.task_ids.length;
  const words = shown === "running" && at > 1 ? trans.__("%1 at work", at) : wordsOf(shown);
  return (
    <button type="button" class={`lzl-status ${shown}`} title={trans.__("Show the Research panel")} onClick={open}>
      <i class="lzl-dot" /> {trans.__("Research: %1", words)}
    </button>
  );
}
