// Owns the research of the current kernel as the whole page sees it: one stream of events for the panel and the
// status bar, and the task that is open. It draws nothing.
import { Session } from "../ui/session";
import type { Message } from "../ui/model";
import { text } from "../ui/parse";
import { Api } from "./api";
import type { App, Services } from "./jupyter";
import { CurrentKernel } from "./kernels";
import type { Offered } from "./output_values";
import type { Problem } from "./roster_values";
import { RosterValues } from "./roster_values";
import { TaskValues } from "./task_values";

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
  #api: Api | null = null;
  #shown = false;
  roster: Open<RosterValues> | null = null;
  task: Open<TaskValues> | null = null;
  /** Of what the person did last in the panel, in one line. */
  trouble = "";

  constructor(app: App, services: Services) {
    this.#app = app;
    this.#services = services;
    this.kernels = new CurrentKernel(app);
    this.kernels.on(() => this.#follow());
    this.kernels.onStatus((status) => status === "idle" && this.roster?.values.wake());
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

  /** Whether the panel is shown: what nobody looks at is not asked for. */
  show(shown: boolean): void {
    this.#shown = shown;
    this.#seen();
    this.#changed();
  }

  get shown(): boolean {
    return this.#shown;
  }

  #seen(): void {
    const { hidden } = document;
    const looked = this.#shown && !hidden;
    this.roster?.values.seen({ hidden, looked: looked && this.task === null });
    this.task?.values.seen(looked);
  }

  #changed(): void {
    for (const one of [...this.#listeners]) one();
  }

  #follow(): void {
    this.closeTask();
    this.roster?.values.close();
    this.roster?.session.dispose();
    this.roster = null;
    this.#api = null;
    this.trouble = "";
    const current = this.kernels.get();
    if (current !== null) {
      this.#api = new Api(this.#services, this.#app.serviceManager.serverSettings, current.kernel.id);
      const values = new RosterValues(this.#api);
      this.roster = { values, session: new Session(values) };
      values.on("roster", () => this.#changed());
      values.on("problem", () => this.#changed());
      values.on("offered", () => this.#changed());
      values.follow((kind, data) => {
        const about = text(kind === "side" ? data.parent : data.task_id);
        for (const heard of this.#happened) heard(kind, data);
        if (kind === "state" || about === this.task?.values.taskId) void this.task?.values.refresh();
      });
      this.#seen();
    }
    this.#changed();
  }

  openTask(taskId: string): void {
    if (this.#api === null) return;
    this.closeTask();
    const values = new TaskValues(this.#api, taskId, () => {
      this.trouble = "That task is no longer there.";
      this.closeTask();
    });
    this.task = { values, session: new Session(values) };
    this.#seen();
    this.#changed();
  }

  closeTask(): void {
    this.task?.values.close();
    this.task?.session.dispose();
    this.task = null;
    this.#seen();
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
    this.roster?.values.wake();
  }
}
