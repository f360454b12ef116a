// Owns the card of one run: its head, its budget, its sources, its guide, and what can be done with it.
import { LIVE } from "./activity";
import { copyGuide, copyResult, exportGuide, isStopping, resume, stop } from "./actions";
import { AnswerBox } from "./AnswerBox";
import { Button } from "./Button";
import { Clamp } from "./Clamp";
import { Clock } from "./Clock";
import { Dot } from "./Dot";
import { GuideView } from "./GuideView";
import { Menu } from "./Menu";
import { Markdown } from "./markdown";
import { Meters } from "./Meters";
import type { Card } from "./model";
import { Rests } from "./Rests";
import { safeMarkdown } from "./safe_markdown";
import { Said } from "./Said";
import { SidePanel } from "./SidePanel";
import { Sources } from "./Sources";
import { useView } from "./context";
import { trans, wordsOf } from "./words";

/** Ends with which there is something to go on. */
const EARLY = ["interrupted", "failed", "cancelled"];
const FORMATS = [["md", "Markdown"], ["html", "HTML"], ["json", "JSON"], ["bib", "BibTeX"]] as const;

export function RunCard() {
  const view = useView();
  const { session } = view;
  const { card, guide, sources } = session;
  if (card === null) return <section class="lzu-card" tabIndex={-1} data-k="card" aria-label={trans.__("Research")}><p class="lzu-empty">{trans.__("Nothing to show yet.")}</p></section>;
  const runs = card.ticking && session.moving && view.inSight;
  const rows = card.live || guide === null;
  return (
    <section class="lzu-card" tabIndex={-1} data-k="card" aria-label={trans.__("Research: %1", card.question.slice(0, 80))}>
      <Head card={card} runs={runs} />
      {card.live && card.status !== "queued" && card.meters.length > 0 && <Meters meters={card.meters} of={card.meters_of} since={session.shownAt} runs={runs} />}
      {rows && <Sources rows={sources} listed={card.listed} />}
      <Body card={card} />
      {card.result && <Result card={card} />}
      {guide && <div class="lzu-body"><GuideView guide={guide} ended={!card.live} /></div>}
      <Foot card={card} />
      {session.open.has("side") && <SidePanel alone={false} />}
    </section>
  );
}

function Head({ card, runs }: { card: Card; runs: boolean }) {
  const { session } = useView();
  const lost = card.live && session.shown === "unknown";
  const stopping = isStopping(session);
  return (
    <header class="lzu-head">
      <Dot look={lost ? "lost" : card.dot} moves={session.moving} />
      <h3 class="lzu-q"><Clamp text={card.question || trans.__("Untitled")} k="question" most={240} /></h3>
      <span class={lost ? "lzu-phase lost" : "lzu-phase"}>
        {lost ? wordsOf("unknown") : card.headline}
        {!lost && card.live && card.elapsed_s > 0 && <>, <Clock elapsed={card.elapsed_s} since={session.shownAt} runs={runs} /></>}
      </span>
      {card.live && (
        <span class="lzu-acts">
          {card.can_ask && <AskButton words={trans.__("Ask")} />}
          <Button k="stop" disabled={stopping} act={() => stop(session)}>{stopping ? trans.__("stopping…") : trans.__("Stop")}</Button>
        </span>
      )}
      <Said place="stop" />
    </header>
  );
}

function AskButton({ words }: { words: string }) {
  const view = useView();
  const open = view.session.open.has("side");
  const act = () => {
    if (!open) view.focus("question");
    view.session.toggle("side");
  };
  return <Button k="ask-open" kind="primary" expanded={open} controls={`${view.id}-side`} act={act}>{words}</Button>;
}

function Body({ card }: { card: Card }) {
  const { session } = useView();
  // The agent may have asked by another of its tasks; that one has the box.
  const waits = card.asked ? "" : session.belief.activity.pending_question ?? card.activity.pending_question;
  const said = card.live && !session.guide ? card.acknowledgement : "";
  const left = !card.live && LIVE.includes(card.status);
  const lines = [
    ...card.problems.map((problem) => <p class="lzu-error" dir="auto">{problem}</p>),
    !card.live && card.error ? <p class="lzu-error" dir="auto">{card.error}</p> : null,
    left ? <p class="lzu-dim">{trans.__("What became of it is in the store. To see it here:")} <code>%load_ext lazyboy_jupyter</code></p> : null,
    !card.live && !left && !session.guide && !card.result && !card.error && card.problems.length === 0 ? <p class="lzu-dim">{card.task_type === "research" ? trans.__("No guide was published.") : trans.__("There is no result.")}</p> : null,
    card.live && card.asked ? <AnswerBox question={card.asked} /> : null,
    card.live && waits ? <p class="lzu-waits" dir="auto"><b>{trans.__("Waiting for you:")}</b> {waits}</p> : null,
    said && said !== card.progress ? <p class="lzu-dim" dir="auto">{said}</p> : null,
    card.live && card.progress ? <p class="lzu-progress" dir="auto">{card.progress}</p> : null,
  ].filter(Boolean);
  return lines.length > 0 ? <div class="lzu-body lzu-notes">{lines}</div> : null;
}

/** What came of a standard task, or of a turn, as far as it has arrived. */
function Result({ card }: { card: Card }) {
  return (
    <div class="lzu-body lzu-result">
      <Markdown text={card.result} live={card.live} />
      <Rests item={{ id: card.task_id, ordinal: 0, rests: card.rests }} />
    </div>
  );
}

function Foot({ card }: { card: Card }) {
  const { session } = useView();
  const words = [card.search, card.foot].filter(Boolean).join(" · ");
  const busy = session.busy.has("export");
  const entries = FORMATS.map(([format, name]) => ({ words: name, act: () => exportGuide(session, format) }));
  const { openTask } = useView();
  const resumes = openTask !== null && EARLY.includes(card.status);
  if (card.live && !session.guide && !words) return null;
  return (
    <footer class="lzu-foot">
      <span class="lzu-acts">
        {resumes && (
          <Button k="resume" disabled={session.busy.has("resume")} act={() => resume(session, openTask)}
            title={trans.__("Go on with the seconds, searches and pages that were left")}>
            {trans.__("Resume")}
          </Button>
        )}
        {!card.live && card.can_ask && <AskButton words={trans.__("Ask about this")} />}
        {!card.live && card.result && <Button k="copy-result" act={() => copyResult(session, safeMarkdown(card.result))}>{trans.__("Copy")}</Button>}
        {session.guide && <Button k="copy" disabled={busy} act={() => copyGuide(session)}>{trans.__("Copy as Markdown")}</Button>}
        {session.guide && <Menu k="export" words={trans.__("Export")} entries={entries} disabled={busy} />}
      </span>
      <span class="lzu-spent">{words}</span>
      <code title={trans.__("task")}>{card.short_id}</code>
      <Said place="resume" />
      <Said place="export" />
    </footer>
  );
}
