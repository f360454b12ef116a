// Owns the rows of sources while a run reads them. What was merely listed is counted, not shown.
import { Button } from "./Button";
import type { SourceRow } from "./model";
import { SafeLink } from "./SafeLink";
import { Tag } from "./Tag";
import { useView } from "./context";
import { trans } from "./words";

const FIRST = 8;

export function Sources({ rows, listed }: { rows: SourceRow[]; listed: number }) {
  const { session } = useView();
  if (rows.length === 0 && listed === 0) return null;
  const all = rows.length <= FIRST + 2 || session.open.has("sources");
  const runs = (row: SourceRow) => row.state === "reading" || row.state === "searching";
  const shown = all ? rows : rows.filter((row, index) => index < FIRST || runs(row));
  const more = rows.length - shown.length;
  return (
    <div class="lzu-sources">
      <ul aria-label={trans.__("Sources")}>{shown.map((row, index) => <Row key={row.id === "…" ? `…${index}` : row.id} row={row} runs={runs(row)} />)}</ul>
      {more > 0 && <Button k="sources" kind="text" expanded={false} act={() => session.toggle("sources")}>{trans.__("Show %1 more", more)}</Button>}
      {all && rows.length > FIRST + 2 && <Button k="sources" kind="text" expanded act={() => session.toggle("sources")}>{trans.__("Show fewer")}</Button>}
      {listed > 0 && <div class="lzu-listed">{trans.__("%1 more listed by searches, not read", listed)}</div>}
    </div>
  );
}

function Row({ row, runs }: { row: SourceRow; runs: boolean }) {
  return (
    <li class={runs ? "lzu-row runs" : "lzu-row"}>
      <span class="lzu-n">{row.id}</span>
      <span class="lzu-where" title={row.title || row.url}>
        <SafeLink url={row.url} text={row.title || row.url || row.host || trans.__("untitled")} /> <span class="lzu-host">{row.host}</span>
      </span>
      <Tag words={row.tag} tone={row.tone} />
      <span class="lzu-took">{row.took}</span>
      {row.detail && <span class="lzu-detail" dir="auto">{row.detail}</span>}
    </li>
  );
}
