// Owns one side question with its answer, what it rests on, and what can be done with it.
import { ask, promote, stopSide } from "./actions";
import { Button } from "./Button";
import { Clamp } from "./Clamp";
import { copyText, insertCell } from "./handover";
import { Markdown } from "./markdown";
import type { Item } from "./model";
import { Rests } from "./Rests";
import { itemMarkdown } from "./safe_markdown";
import { Said } from "./Said";
import { useView } from "./context";
import { trans, wordsOf } from "./words";

export function SideItem({ item, canAsk }: { item: Item; canAsk: boolean }) {
  const { session } = useView();
  const lost = item.live && session.shown === "unknown";
  const bad = ["failed", "timed_out"].includes(item.status);
  const needs = item.status === "needs_tools";
  const told = needs ? item.problem !== "" : item.status !== "completed" || item.problem !== "";
  return (
    <article class={item.live ? "lzu-item live" : "lzu-item"} aria-label={trans.__("Question %1", item.ordinal)}>
      <div class="lzu-asked"><span class="lzu-n" aria-hidden="true">{item.ordinal}</span><div><Clamp text={item.question} k={`item:${item.id}`} most={600} /></div></div>
      <div class="lzu-answer">
        {item.answer && <Markdown text={item.answer} live={item.live} />}
        {item.live && <p class={lost ? "lzu-dim" : "lzu-dim lzu-works"}>{lost ? wordsOf("unknown") : item.status_words}</p>}
        {!item.live && told && (
          <p class={bad ? "lzu-error" : "lzu-note"} dir="auto">
            {item.status_words}{item.problem && !item.status_words.includes(item.problem) ? `: ${item.problem}` : ""}
          </p>
        )}
        {needs && <NeedsTools item={item} />}
        <Rests item={item} />
        <p class="lzu-known" dir="auto">{[item.known, item.tokens, item.promoted ? trans.__("given to the agent") : ""].filter(Boolean).join(" · ")}</p>
        <Actions item={item} canAsk={canAsk} />
        <Preview item={item} />
        <Said place={`item:${item.id}`} />
      </div>
    </article>
  );
}

function NeedsTools({ item }: { item: Item }) {
  const { session } = useView();
  const busy = session.busy.has(`promote:${item.ordinal}`);
  return (
    <p class="lzu-needs">
      <span>{trans.__("A side answer uses no tools, and it would need one:")} <code>{item.tool || "…"}</code></span>
      {item.can_promote && !item.promoted && (
        <Button k={`give:${item.id}`} kind="primary" disabled={busy} act={() => promote(session, item.ordinal, { sure: true })}>
          {busy ? trans.__("asking…") : trans.__("Ask the agent itself")}
        </Button>
      )}
    </p>
  );
}

function Actions({ item, canAsk }: { item: Item; canAsk: boolean }) {
  const view = useView();
  const { session } = view;
  const place = `item:${item.id}`;
  if (item.live) {
    const busy = session.busy.has("side_stop");
    return (
      <div class="lzu-acts">
        <Button k="side_stop" disabled={busy} act={() => stopSide(session)}>{busy ? trans.__("stopping…") : trans.__("Stop")}</Button>
        <Said place="side_stop" />
      </div>
    );
  }
  const copy = async () => session.note(place, (await copyText(itemMarkdown(item))) ? trans.__("Copied") : trans.__("The browser did not allow to copy"));
  const insert = async () => session.note(place, await insertCell(view.element.firstElementChild, itemMarkdown(item)));
  const open = session.open.has(`promote:${item.ordinal}`);
  const ahead = item.ahead ?? 0;
  return (
    <div class="lzu-acts">
      {item.answer && <Button k={`copy:${item.id}`} act={() => void copy()}>{trans.__("Copy")}</Button>}
      {item.answer && <Button k={`cell:${item.id}`} act={() => void insert()}>{trans.__("Insert as cell")}</Button>}
      {item.can_promote && !item.promoted && item.status !== "needs_tools" && !open && (
        <Button k={`tell:${item.id}`} disabled={session.busy.has(`promote:${item.ordinal}`)} act={() => promote(session, item.ordinal, { sure: false })}>
          Tell the agent
        </Button>
      )}
      {ahead > 0 && canAsk && (
        <Button k={`again:${item.id}`} disabled={session.busy.has("ask")} title={trans.__("Ask the same question on the latest snapshot")} act={() => ask(session, item.question)}>
          {trans._n("%1 step ahead: ask again on the latest", "%1 steps ahead: ask again on the latest", ahead)}
        </Button>
      )}
    </div>
  );
}

function Preview({ item }: { item: Item }) {
  const view = useView();
  const { session } = view;
  const place = `promote:${item.ordinal}`;
  const busy = session.busy.has(place);
  if (!session.open.has(place)) return <Said place={place} />;
  const cancel = () => {
    view.focus(`tell:${item.id}`);
    session.toggle(place, false);
    session.forget(place);
  };
  return (
    <div class="lzu-preview" role="group" tabIndex={-1} data-k={`tell:${item.id}`} aria-label={trans.__("What the agent would be told")}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        cancel();
      }}>
      <b>{trans.__("The agent would be told, at its next step:")}</b>
      <pre tabIndex={0} dir="auto">{session.notes.get(`preview:${item.ordinal}`)}</pre>
      <div class="lzu-acts">
        <Button k={`sure:${item.id}`} kind="primary" disabled={busy} act={() => promote(session, item.ordinal, { sure: true })}>{busy ? trans.__("telling…") : trans.__("Tell it")}</Button>
        <Button k={`untell:${item.id}`} act={cancel}>{trans.__("Cancel")}</Button>
      </div>
      <Said place={place} />
    </div>
  );
}
