// Owns the dot that says how a run is, and breathes while it moves. It holds no state.
import { useMemo } from "preact/hooks";

/** Milliseconds of a breath, as in the style sheet. */
const BREATH = 2_000;

/** All dots of a page breathe at the same moments: apart, fifty of them would have it drawn for each. */
export function Dot({ look, moves }: { look: string; moves: boolean }) {
  const since = useMemo(() => -Math.round(Number(document.timeline.currentTime ?? 0) % BREATH), [look, moves]);
  return <i class={`lzu-dot ${look}`} style={{ "--since": `${since}ms` }} />;
}
