// Owns what the Timing panel shows: a task's waterfall, and the time by stage, as the store has them. It decides
// nothing.
import type { Chart } from "../ui/chart";
import { parseChart } from "../ui/chart";
import type { Answer, Api } from "./api";
import { Again } from "./pause";

/** Milliseconds between two looks: what happens meanwhile is in the next. */
const APART = 1_000;

export class TimingValues {
  readonly #api: Api;
  readonly taskId: string;
  readonly #changed: () => void;
  readonly #looks = new Again(() => this.#look());
  #closed = false;
  #looked = false;
  waterfall: Chart | null = null;
  stages: Chart | null = null;
  /** Why there is nothing to show, in one line. */
  trouble = "";

  constructor(api: Api, taskId: string, changed: () => void) {
    this.#api = api;
    this.taskId = taskId;
    this.#changed = changed;
  }

  /** Whether the panel is shown. */
  seen(looked: boolean): void {
    const begins = looked && !this.#looked;
    this.#looked = looked;
    if (begins) this.refresh();
  }

  refresh(): void {
    void this.#looks.want();
  }

  close(): void {
    this.#closed = true;
  }

  async #look(): Promise<void> {
    if (this.#closed || !this.#looked) return;
    const [waterfall, stages] = await Promise.all([
      this.#api.ask("GET", `/tasks/${this.taskId}/waterfall`),
      this.#api.ask("GET", "/timing/stages"),
    ]);
    if (this.#closed) return;
    this.waterfall = chartOf(waterfall) ?? this.waterfall;
    this.stages = chartOf(stages) ?? this.stages;
    this.trouble = waterfall.ok ? "" : `${waterfall.error} ${waterfall.hint}`.trim();
    this.#changed();
    await new Promise((resolve) => setTimeout(resolve, APART));
  }
}

const chartOf = (answer: Answer): Chart | null => (answer.ok ? parseChart(answer.data) : null);
