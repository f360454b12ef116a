// Owns what a side answer rests on: sources of its snapshot, with the quotes that were found there.
import type { Item, Rest } from "./model";
import { SafeLink } from "./SafeLink";
import { useView } from "./context";
import { trans } from "./words";

export function Rests({ item }: { item: Pick<Item, "id" | "ordinal" | "rests"> }) {
  const view = useView();
  const { session } = view;
  if (item.rests.length === 0) return null;
  const key = (index: number) => `rest:${item.id}:${index}`;
  const id = (index: number) => `${view.id}-${item.ordinal}-rest-${index}`;
  const open = item.rests.map((_, index) => index).filter((index) => session.open.has(key(index)));
  const onKeyDown = (event: KeyboardEvent) => {
    const last = open.at(-1);
    if (event.key !== "Escape" || last === undefined) return;
    event.stopPropagation();
    view.focus(key(last));
    session.toggle(key(last), false);
  };
  return (
    <div class="lzu-rests" onKeyDown={onKeyDown}>
      <span class="lzu-dim">{trans.__("Rests on")}</span>{" "}
      {item.rests.map((rest, index) => {
        const shown = session.open.has(key(index));
        return (
          <button key={index} type="button" data-k={key(index)} class="lzu-cite" title={rest.title || rest.url} aria-expanded={shown}
            aria-controls={shown ? id(index) : undefined} aria-label={`${rest.source}: ${rest.title || rest.url}`} onClick={() => session.toggle(key(index))}>
            {rest.source}
          </button>
        );
      })}
      {item.rests.map((rest, index) => (session.open.has(key(index)) ? <Opened key={index} rest={rest} id={id(index)} /> : null))}
    </div>
  );
}

function Opened({ rest, id }: { rest: Rest; id: string }) {
  return (
    <div class="lzu-quote" id={id} role="group" aria-label={`From ${rest.source}`}>
      {rest.quotes.map((quote, index) => <blockquote key={index} dir="auto">“{quote}”</blockquote>)}
      <div class="lzu-quote-from">
        <span class="lzu-n">{rest.source}</span> <SafeLink url={rest.url} text={rest.title || rest.url || rest.source} />
        <span class="lzu-dim">{trans.__("message %1", rest.message)}</span>
      </div>
    </div>
  );
}
