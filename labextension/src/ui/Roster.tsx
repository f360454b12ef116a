// Owns the dashboard: the agents of a conversation and their tasks, each with its state and its budget.
import type { Shown } from "./activity";
import { LIVE } from "./activity";
import { isStopping, stop } from "./actions";
import { AnswerBox } from "./AnswerBox";
import { Button } from "./Button";
import { Clamp } from "./Clamp";
import { Clock } from "./Clock";
import { Dot } from "./Dot";
import { Meters } from "./Meters";
import type { RosterTask } from "./model";
import { Said } from "./Said";
import { useView } from "./context";
import { trans, wordsOf } from "./words";

export function Roster() {
  const { session } = useView();
  const { roster } = session;
  const waits = session.belief.activity.pending_question;
  const lost = session.shown === "unknown";
  return (
    <section class="lzu-card lzu-roster" tabIndex={-1} data-k="card" aria-label={trans.__("Research status")}>
      <header class="lzu-head">
        <Dot look={lost ? "lost" : session.shown === "running" ? "live" : ""} moves={session.moving} />
        <h3 class="lzu-q">{trans.__("Research")}</h3>
        <span class={lost ? "lzu-phase lost" : "lzu-phase"}>{wordsOf(session.shown)}</span>
      </header>
      {waits && !roster?.tasks.some((task) => task.asked) && <div class="lzu-body"><p class="lzu-waits" dir="auto"><b>{trans.__("Waiting for you:")}</b> {waits}</p></div>}
      {roster && roster.agents.length > 0 && (
        <ul class="lzu-agents" aria-label={trans.__("Agents")}>
          {roster.agents.map((agent) => (
            <li key={agent.agent_id} class={agent.state}>
              <b dir="auto">{agent.name || agent.agent_id}</b> <span>{wordsOf(agent.state as Shown)}{agent.task_ids.length > 1 ? trans._n(", %1 task", ", %1 tasks", agent.task_ids.length) : ""}</span>
            </li>
          ))}
        </ul>
      )}
      {roster && roster.tasks.length > 0 ? (
        <ul class="lzu-tasks" aria-label={trans.__("Tasks")}>{roster.tasks.map((task) => <Task key={task.task_id} task={task} lost={lost} />)}</ul>
      ) : (
        <p class="lzu-empty">{trans.__("No research yet. Start one in a cell with")} <code>%%research</code>.</p>
      )}
      {roster?.note && <footer class="lzu-foot"><span class="lzu-spent" dir="auto">{roster.note}</span></footer>}
    </section>
  );
}

function Task({ task, lost }: { task: RosterTask; lost: boolean }) {
  const { session, openTask, inSight } = useView();
  const live = LIVE.includes(task.status);
  const runs = live && task.ticking && session.moving && inSight;
  const stopping = isStopping(session, task.task_id);
  const facts = [task.read > 0 ? trans.__("%1 read", task.read) : "", task.model, task.search].filter(Boolean).join(" · ");
  return (
    <li class={live ? "lzu-task" : "lzu-task ended"}>
      <Dot look={live && lost ? "lost" : task.dot} moves={session.moving} />
      <div class="lzu-task-q"><Clamp text={task.question || trans.__("Untitled")} k={`task:${task.task_id}`} most={200} /></div>
      <span class="lzu-phase">
        {task.headline}
        {live && task.elapsed_s > 0 && <>, <Clock elapsed={task.elapsed_s} since={session.shownAt} runs={runs} /></>}
      </span>
      {live && (
        <Button k={`stop:${task.task_id}`} label={stopping ? trans.__("stopping: %1", task.question.slice(0, 60)) : trans.__("Stop: %1", task.question.slice(0, 60))} disabled={stopping} act={() => stop(session, task.task_id)}>
          {stopping ? trans.__("stopping…") : trans.__("Stop")}
        </Button>
      )}
      {openTask && <Button k={`open:${task.task_id}`} label={trans.__("Open: %1", task.question.slice(0, 60))} act={() => openTask(task.task_id)}>{trans.__("Open")}</Button>}
      <div class="lzu-task-more">
        {live && task.asked && <AnswerBox question={task.asked} taskId={task.task_id} />}
        {live && task.status !== "queued" && task.meters.length > 0 && <Meters meters={task.meters} of="" since={session.shownAt} runs={runs} />}
        <div class="lzu-facts"><span>{facts}</span><code>{task.short_id}</code></div>
        <Said place={`stop:${task.task_id}`} />
      </div>
    </li>
  );
}
