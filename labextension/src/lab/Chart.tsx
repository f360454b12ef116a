// Owns how a chart looks in a panel: a table that reads without its colours, the SQL that made it folded below.
import { useState } from "preact/hooks";
import type { Bar, Chart } from "../ui/chart";
import { toneOf } from "../ui/chart";
import { copyText, insertCell } from "../ui/handover";
import { trans } from "../ui/words";

export function ChartView({ chart, none }: { chart: Chart; none: string }) {
  return (
    <figure class="lzl-chart">
      <figcaption>{chart.title}</figcaption>
      {chart.bars.length === 0 ? <p class="lzl-dim">{none}</p> : <table><tbody>{chart.bars.map((bar, at) => <Row key={at} bar={bar} />)}</tbody></table>}
      {chart.bars.length > 0 && chart.tones.length > 1 && (
        <p class="lzl-legend">{chart.tones.map((tone) => <span key={tone}><i class={`lzl-tone ${toneOf(tone)}`} /> {tone}</span>)}</p>
      )}
      {chart.bars.length > 0 && chart.notes.map((note, at) => <p key={at} class="lzl-dim">{note}</p>)}
      {chart.bars.length > 0 && <Sql sql={chart.sql} />}
    </figure>
  );
}

function Row({ bar }: { bar: Bar }) {
  return (
    <tr>
      <th scope="row" dir="auto">{bar.label}</th>
      <td class="lzl-value">{bar.value}</td>
      <td class="lzl-bar" title={bar.detail}>
        {bar.spans.map((span, at) => (
          <i key={at} class={`lzl-tone ${span.tone}`} style={{ insetInlineStart: `${span.start * 100}%`, width: `max(2px, ${(span.end - span.start) * 100}%)` }} />
        ))}
        <span class="lzl-hidden">{bar.detail}</span>
      </td>
    </tr>
  );
}

function Sql({ sql }: { sql: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => setSaid((await copyText(sql)) ? trans.__("Copied") : trans.__("The browser did not allow to copy"));
  const insert = async (event: Event) => setSaid(await insertCell(event.currentTarget as Element, `%%timing\n${sql}`, "code"));
  return (
    <details>
      <summary>{trans.__("SQL")}</summary>
      <pre tabIndex={0}>{sql}</pre>
      <p class="lzl-acts">
        <button type="button" onClick={() => void copy()}>{trans.__("Copy")}</button>
        <button type="button" onClick={(event) => void insert(event)}>{trans.__("Insert as cell")}</button>
        <span class="lzl-dim" role="status">{said}</span>
      </p>
    </details>
  );
}
