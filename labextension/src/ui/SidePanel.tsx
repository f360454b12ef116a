// Owns the side questions of one parent: how old its snapshot is, the history, and the box to ask.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { clearSide, fetchOlder } from "./actions";
import { AskBox } from "./AskBox";
import { Button } from "./Button";
import { useNow } from "./Clock";
import type { Item, Side } from "./model";
import { Said } from "./Said";
import { SideItem } from "./SideItem";
import type { Session } from "./session";
import { useView } from "./context";
import { trans } from "./words";

export function SidePanel({ alone }: { alone: boolean }) {
  const view = useView();
  const { session } = view;
  const { side } = session;
  const items = itemsOf(session);
  const oldest = items[0];
  const cursor = session.older.cursor ?? side?.next_cursor ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || alone || event.isComposing) return;
    event.stopPropagation();
    view.focus("ask-open");
    session.toggle("side", false);
  };
  return (
    <section class={alone ? "lzu-side alone" : "lzu-side"} id={`${view.id}-side`} aria-label={trans.__("Side questions")} onKeyDown={onKeyDown}>
      <Head side={side} some={items.length > 0} />
      <History>
        {cursor > 0 && oldest && (
          <div class="lzu-older">
            <Button k="older" kind="text" disabled={session.busy.has("older")} act={() => fetchOlder(session, cursor)}>
              {session.busy.has("older") ? trans.__("fetching…") : trans.__("Show older ones")}
            </Button>
            <Said place="older" />
          </div>
        )}
        {items.map((item) => <SideItem key={item.id} item={item} canAsk={side?.can_ask ?? false} />)}
        {items.length === 0 && <p class="lzu-empty">{side?.can_ask === false ? trans.__("No questions were asked.") : trans.__("Ask about what it knows so far. The run goes on undisturbed.")}</p>}
      </History>
      <AskBox side={side} />
    </section>
  );
}

/** Oldest first: what was fetched, what Python keeps, and the answer that grows in its place. */
function itemsOf(session: Session): Item[] {
  const { side, current } = session;
  const items = side?.items ?? [];
  const known = items.map((item) => (current && item.id === current.id ? current : item));
  const first = items[0];
  const isNew = current && !items.some((item) => item.id === current.id) && (!first ? current.live : current.ordinal > first.ordinal);
  return [...(isNew ? [current] : []), ...known, ...session.older.items].reverse();
}

function Head({ side, some }: { side: Side | null; some: boolean }) {
  const view = useView();
  const { session } = view;
  const clearing = session.open.has("clearing");
  const busy = session.busy.has("side_clear");
  const ask = (on: boolean) => {
    view.focus(on ? "keep" : "clear");
    session.toggle("clearing", on);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    ask(false);
  };
  return (
    <header class="lzu-head">
      <h3 class="lzu-q">{trans.__("Side questions")} {side?.parent_words && <span class="lzu-host">{side.parent_words}</span>}</h3>
      {side?.snapshot && <Age key={side.version} snapshot={side.snapshot} since={session.shownAt} />}
      <span class="lzu-acts">
        {some && !clearing && <Button k="clear" act={() => ask(true)}>{trans.__("Clear")}</Button>}
      </span>
      {some && clearing && (
        <div class="lzu-confirm" role="group" aria-label={trans.__("Delete all questions and answers?")} onKeyDown={onKeyDown}>
          <span>{trans.__("Delete all questions and answers here?")}</span>
          <Button k="delete" kind="danger" disabled={busy} act={() => clearSide(session)}>{busy ? trans.__("deleting…") : trans.__("Delete")}</Button>
          <Button k="keep" act={() => ask(false)}>{trans.__("Keep")}</Button>
        </div>
      )}
      <Said place="side_clear" />
    </header>
  );
}

function Age({ snapshot, since }: { snapshot: NonNullable<Side["snapshot"]>; since: number }) {
  const now = useNow(true);
  const seconds = snapshot.age_s + Math.max(0, now - since) / 1000;
  const { ahead, boundary } = snapshot;
  const parts = [trans.__("snapshot %1 old", aged(seconds)), boundary, ahead ? trans._n("%1 step behind", "%1 steps behind", ahead) : ""];
  return <span class="lzu-phase">{parts.filter(Boolean).join(", ")}</span>;
}

const aged = (s: number): string =>
  s < 60 ? `${Math.floor(s)} s` : s < 3600 ? `${Math.floor(s / 60)} min` : s < 86_400 ? `${Math.floor(s / 3600)} h` : trans._n("%1 day", "%1 days", Math.floor(s / 86_400));

/** Scrolls; stays at its end while it grows, unless the person scrolled away from there. */
function History({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  const onScroll = () => {
    const it = box.current;
    if (it) atEnd.current = it.scrollHeight - it.scrollTop - it.clientHeight < 24;
  };
  return <div class="lzu-history" ref={box} tabIndex={0} role="group" aria-label={trans.__("Questions and answers")} onScroll={onScroll}>{children}</div>;
}
