// Owns one claim: its text, its citations as buttons, and the quotes that are open below it.
import { toggleCitation } from "./actions";
import type { Citation, Claim } from "./model";
import { Quote } from "./Quote";
import { Tag } from "./Tag";
import { useView } from "./context";
import { trans } from "./words";

/** A claim with its proof; with `text` null only the proof, for a summary that is the claim. */
export function ClaimText({ claim, text }: { claim: Claim; text: string }) {
  const view = useView();
  const open = claim.citations.filter((one) => view.session.open.has(`cite:${one.key}`));
  const onKeyDown = (event: KeyboardEvent) => {
    const last = open.at(-1);
    if (event.key !== "Escape" || !last) return;
    event.stopPropagation();
    view.focus(`cite:${last.key}`);
    view.session.toggle(`cite:${last.key}`, false);
  };
  return (
    <div onKeyDown={onKeyDown}>
      <span class="lzu-text" dir="auto">{text}</span>{" "}
      {claim.citations.map((one) => <Cite key={one.key} citation={one} id={idOf(view.id, one)} />)}
      {claim.no_source && <Tag words={trans.__("no source")} tone="warn" />}
      {open.map((one) => <Quote key={one.key} citation={one} id={idOf(view.id, one)} />)}
    </div>
  );
}

const idOf = (view: string, citation: Citation): string => `${view}-quote-${citation.key}`;

function Cite({ citation, id }: { citation: Citation; id: string }) {
  const { session } = useView();
  const open = session.open.has(`cite:${citation.key}`);
  return (
    <span class="lzu-cite-box">
      <button type="button" data-k={`cite:${citation.key}`} class={`lzu-cite ${citation.tone}`} aria-expanded={open}
        aria-controls={open ? id : undefined} aria-label={trans.__("%1, %2: the quote", citation.source, citation.mark)}
        title={citation.mark} onClick={() => toggleCitation(session, citation.key)}>
        {citation.source}
      </button>
      {citation.tone !== "ok" && !open && <Tag words={citation.mark} tone={citation.tone} />}{" "}
    </span>
  );
}
