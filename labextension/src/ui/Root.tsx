// Owns which of the interface's parts a widget shows. It holds no state.
import { page } from "./page";
import { Roster } from "./Roster";
import { RunCard } from "./RunCard";
import { SidePanel } from "./SidePanel";
import { useView } from "./context";
import { trans } from "./words";

export function Root({ said }: { said: string }) {
  const view = useView();
  const { session } = view;
  const moves = page.moves(view, session.moving && view.inSight);
  // Keys typed here are not the notebook's commands; two prices in a quote are no formula.
  return (
    <div class={`lzu mathjax_ignore tex2jax_ignore${moves ? " lzu-moving" : ""}`} data-lm-suppress-shortcuts="true">
      <div class="lzu-hidden" role="status" aria-live="polite">{said}</div>
      {session.kind === "status" ? <Roster /> : session.kind === "side" ? <SideCard /> : <RunCard />}
    </div>
  );
}

function SideCard() {
  return <section class="lzu-card" tabIndex={-1} data-k="card" aria-label={trans.__("Side questions")}><SidePanel alone /></section>;
}
