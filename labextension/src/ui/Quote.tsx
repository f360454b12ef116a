// Owns an opened citation: the quote in its place on the page, with its mark and its source.
import type { Citation } from "./model";
import { SafeLink } from "./SafeLink";
import { Said } from "./Said";
import { Tag } from "./Tag";
import { useView } from "./context";
import { trans } from "./words";

export function Quote({ citation, id }: { citation: Citation; id: string }) {
  const { session } = useView();
  const found = session.contexts.get(citation.key);
  const quote = found?.quote || citation.quote;
  const looking = session.busy.has(`context:${citation.key}`);
  const url = citation.url || found?.url || "";
  const title = found?.title || session.guide?.sources.find((one) => one.id === citation.source)?.title;
  return (
    <div class={`lzu-quote ${citation.tone}`} id={id} role="group" aria-label={trans.__("Quote from %1", citation.source)}>
      {quote || found?.before || found?.after ? (
        <blockquote dir="auto">
          {found?.before && <span>{found.before}</span>}
          {quote && (found?.before || found?.after ? <mark>{quote}</mark> : <>“{quote}”</>)}
          {found?.after && <span>{found.after}</span>}
        </blockquote>
      ) : (
        !looking && <p class="lzu-dim">{trans.__("Nothing was quoted from this source.")}</p>
      )}
      <div class="lzu-quote-from">
        <Tag words={citation.mark} tone={citation.tone} />
        <span class="lzu-n">{citation.source}</span> <SafeLink url={url} text={title || url || citation.source} />
        {looking && <span class="lzu-dim">looking up where it stands…</span>}
      </div>
      <Said place={`context:${citation.key}`} />
    </div>
  );
}
