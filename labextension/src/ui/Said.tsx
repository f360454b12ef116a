// Owns the line that a place shows after a click: what went wrong with the next step, or what was done.
import { useView } from "./context";
import { trans } from "./words";

export function Said({ place }: { place: string }) {
  const { session } = useView();
  const trouble = session.troubles.get(place);
  const note = session.notes.get(place);
  if (!trouble && !note) return null;
  return (
    <div class={trouble ? "lzu-said bad" : "lzu-said"}>
      <span dir="auto">{trouble ? trouble.error : note}{trouble?.hint ? <span class="lzu-hint"> {trouble.hint}</span> : null}</span>
      {trouble && <button type="button" data-k={`x:${place}`} class="lzu-b text" aria-label={trans.__("Dismiss")} onClick={() => session.forget(place)}>×</button>}
    </div>
  );
}
