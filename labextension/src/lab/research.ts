// Owns the research of the current kernel as the whole page sees it: one stream of events for panels, status bar
// and outputs, and the task that each panel has open. It draws nothing.
import { LIVE } from "../ui/activity";
import type { Message, RosterTask } from "../ui/model";
import { text } from "../ui/parse";
import { Session } from "../ui/session";
import { trans } from "../ui/words";
import type { App, Services } from "./jupyter";
import { CurrentKernel } from "./kernels";
import type { Offered } from "./output_values";
import type { Problem } from "./roster_values";
import { RosterValues } from "./roster_values";
import { TaskValues } from "./task_values";
import { TimingValues } from "./timing_values";
import { KernelApi } from "./way";

/** The panels. */
export type Place = "research" | "side" | "timing";

export interface Open<V> {
  values: V;
  session: Session;
}

export const LOAD = "%load_ext lazyboy_jupyter";

export class Research {
  readonly kernels: CurrentKernel;
  readonly #app: App;
  readonly #services: Services;
  readonly #listeners = new Set<() => void>();
  readonly #happened = new Set<(kind: string, data: Message) => void>();
  readonly #shown = new Set<Place>();
  /** The task that a person chose in a panel. */
  readonly #chosen = new Map<Place, string>();
  #api: KernelApi | null = null;
  roster: Open<RosterValues> | null = null;
  /** The task that is open in the Research panel. */
  task: Open<TaskValues> | null = null;
  side: Open<TaskValues> | null = null;
  timing: TimingValues | null = null;
  /** Of what the person did last in the panel, in one line. */
  trouble = "";

  constructor(app: App, services: Services) {
    this.#app = app;
    this.#services = services;
    this.kernels = new CurrentKernel(app);
    this.kernels.on(() => this.#follow());
    this.kernels.onRan(() => this.#wake());
    document.addEventListener("visibilitychange", () => this.#seen());
    this.#follow();
  }

  get problem(): Problem | null {
    return this.roster?.values.problem ?? null;
  }

  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls back for what happens to tasks and to side questions of the current kernel. */
  onEvent(heard: (kind: string, data: Message) => void): void {
    this.#happened.add(heard);
  }

  /** The current kernel's research; null: it offers none; undefined: it was not heard of yet. */
  get offered(): Offered {
    const offered = this.roster?.values.offered;
    return offered === true ? this.#api : offered === false ? null : undefined;
  }

  /** Whether a panel is shown: what nobody looks at is not asked for. */
  show(place: Place, shown: boolean): void {
    if (shown) this.#shown.add(place);
    else this.#shown.delete(place);
    this.#changed();
  }

  shown(place: Place): boolean {
    return this.#shown.has(place);
  }

  get tasks(): readonly RosterTask[] {
    return this.roster?.session.roster?.tasks ?? [];
  }

  /** The task that a panel beside the Research panel speaks of: the chosen one, the open one, a live one, the newest. */
  choice(place: Place): string | null {
    const there = (taskId: string | undefined): string | undefined => this.tasks.find((one) => one.task_id === taskId)?.task_id;
    const live = this.tasks.find((one) => LIVE.includes(one.status));
    return there(this.#chosen.get(place)) ?? this.task?.values.taskId ?? live?.task_id ?? this.tasks[0]?.task_id ?? null;
  }

  choose(place: Place, taskId: string): void {
    this.#chosen.set(place, taskId);
    this.#changed();
  }

  #seen(): void {
    const { hidden } = document;
    const looks = (place: Place): boolean => !hidden && this.#shown.has(place);
    const roster = (looks("research") && this.task === null) || looks("side") || looks("timing");
    this.roster?.values.seen({ hidden, looked: roster });
    this.task?.values.seen(looks("research"));
    this.side?.values.seen(looks("side"));
    this.timing?.seen(looks("timing"));
  }

  #changed(): void {
    this.#settle();
    this.#seen();
    for (const one of [...this.#listeners]) one();
  }

  /** Opens what the panels beside the Research panel speak of. */
  #settle(): void {
    const side = this.#shown.has("side") ? this.choice("side") : null;
    if (this.#api !== null && side !== null && side !== this.side?.values.taskId) {
      this.#close(this.side);
      this.side = this.#opened(side, "side", () => {
        this.#close(this.side);
        this.side = null;
      });
    }
    const timing = this.#shown.has("timing") ? this.choice("timing") : null;
    if (this.#api !== null && timing !== null && timing !== this.timing?.taskId) {
      this.timing?.close();
      this.timing = new TimingValues(this.#api, timing, () => this.#changed());
    }
  }

  #opened(taskId: string, kind: "run" | "side", gone: () => void): Open<TaskValues> {
    const values = new TaskValues(this.#api as KernelApi, taskId, kind, gone);
    return { values, session: new Session(values) };
  }

  #close(open: Open<TaskValues> | null): void {
    open?.values.close();
    open?.session.dispose();
  }

  #follow(): void {
    for (const one of [this.task, this.side]) this.#close(one);
    this.timing?.close();
    this.roster?.values.close();
    this.roster?.session.dispose();
    this.task = this.side = this.timing = this.roster = this.#api = null;
    this.#chosen.clear();
    this.trouble = "";
    const current = this.kernels.get();
    if (current !== null) {
      this.#api = new KernelApi(this.#services, this.#app.serviceManager.serverSettings, current.kernel);
      const values = new RosterValues(this.#api);
      this.roster = { values, session: new Session(values) };
      for (const name of ["roster", "problem", "offered"]) values.on(name, () => this.#changed());
      values.follow((kind, data) => this.#heard(kind, data));
    }
    this.#changed();
  }

  #heard(kind: string, data: Message): void {
    for (const heard of this.#happened) heard(kind, data);
    const about = text(kind === "side" ? data.parent : data.task_id);
    for (const one of [this.task, this.side]) {
      if (kind === "state" || about === one?.values.taskId) void one?.values.refresh();
    }
    if (kind !== "side") this.timing?.refresh();
  }

  openTask(taskId: string): void {
    if (this.#api === null) return;
    this.#close(this.task);
    for (const place of ["side", "timing"] as const) this.#chosen.delete(place); // they go along
    this.task = this.#opened(taskId, "run", () => {
      this.trouble = trans.__("That task is no longer there.");
      this.closeTask();
    });
    this.#changed();
  }

  closeTask(): void {
    this.#close(this.task);
    this.task = null;
    this.#changed();
  }

  /** Begins research, and opens it; returns whether it could. */
  async begin(question: string): Promise<boolean> {
    const api = this.#api;
    if (api === null || question.trim() === "") return false;
    const answer = await api.ask("POST", "/tasks", { question: question.trim() });
    if (api !== this.#api) return answer.ok; // another notebook is looked at by now
    this.trouble = answer.ok ? "" : `${answer.error} ${answer.hint}`.trim();
    if (answer.ok) this.openTask(text(answer.data.task_id));
    this.#changed();
    return answer.ok;
  }

  /** Lets the notebook's kernel offer its research. */
  async load(): Promise<void> {
    await this.kernels.get()?.kernel.requestExecute({ code: LOAD, store_history: false }).done;
    this.#wake();
  }

  /** The kernel has done something: whether it offers its research is asked at once. */
  #wake(): void {
    this.#api?.ran();
    this.roster?.values.wake();
  }
}
