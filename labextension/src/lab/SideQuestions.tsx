// Owns the panel of side questions: of which task, and its questions and answers as a cell shows them.
import { Drawn } from "./Drawn";
import { Frame, TaskChoice, useResearch } from "./Frame";
import type { Research } from "./research";
import { trans } from "../ui/words";

export function SideQuestions({ research }: { research: Research }) {
  useResearch(research);
  return <Frame research={research} title={trans.__("Side questions")}><Body research={research} /></Frame>;
}

function Body({ research }: { research: Research }) {
  const { side } = research;
  if (research.choice("side") === null || side === null) {
    return <p class="lzl-empty">{trans.__("No research yet. Side questions ask its agent what it knows so far, and disturb nothing.")}</p>;
  }
  return (
    <>
      <TaskChoice research={research} place="side" />
      {research.shown("side") && <Drawn key={side.values.taskId} session={side.session} />}
    </>
  );
}
