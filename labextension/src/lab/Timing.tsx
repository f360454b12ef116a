// Owns the Timing panel: where a task's time went, and by stage that of all tasks.
import { ChartView } from "./Chart";
import { Frame, TaskChoice, useResearch } from "./Frame";
import type { Research } from "./research";
import { trans } from "../ui/words";

export function Timing({ research }: { research: Research }) {
  useResearch(research);
  return <Frame research={research} title={trans.__("Timing")}><Body research={research} /></Frame>;
}

function Body({ research }: { research: Research }) {
  const { timing } = research;
  if (research.choice("timing") === null || timing === null) {
    return <p class="lzl-empty">{trans.__("Nothing was timed yet. Each stage of a task is, from its first request on.")}</p>;
  }
  const { waterfall, stages, trouble } = timing;
  return (
    <>
      <TaskChoice research={research} place="timing" />
      {trouble && <p class="lzl-trouble" role="alert">{trouble}</p>}
      {waterfall && <ChartView chart={waterfall} none={trans.__("Nothing of this task was timed yet.")} />}
      {stages && <ChartView chart={stages} none={trans.__("Nothing was timed yet.")} />}
    </>
  );
}
