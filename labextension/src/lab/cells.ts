// Owns what becomes of a notebook's cells: questions are written as Markdown, a result that no page was there
// to take is shown when one is, and what a card hands over becomes a cell. It runs nothing.
import type { CellOffer } from "../ui/handover";
import { insertBelow } from "../ui/notebook";
import { text } from "../ui/parse";
import type { Api } from "./api";
import type { App, CellModel, NotebookPanel, NotebookTracker, Plugin, SettingRegistry, Settings } from "./jupyter";
import type { Page } from "./plugin";
import { plugin } from "./plugin";
import type { Research } from "./research";

const ASKS = /^\s*%%(research|btw|chat)\b/;
const BEGINS = /^\s*%%?research\b/;
/** JupyterLab's Markdown, with formulas. */
const MARKDOWN = "text/x-ipythongfm";

interface Given {
  INotebookTracker?: NotebookTracker | null;
  ISettingRegistry?: SettingRegistry | null;
}

export function cellPlugin(page: Page, research: (app: App) => Research): Plugin {
  const wanted = ["INotebookTracker", "ISettingRegistry"];
  const made = plugin(page, "cells", "Questions as Markdown, and results shown again.", wanted, (app, given) => {
    const { INotebookTracker: notebooks, ISettingRegistry: settings } = given as Given;
    if (!notebooks) return;
    const cells = new Cells(notebooks, research(app));
    void settings?.load(made.id).then((chosen) => cells.chosen(chosen));
  });
  return made;
}

class Cells {
  readonly #notebooks: NotebookTracker;
  readonly #research: Research;
  /** How a cell is written when it is no question. */
  readonly #code = new WeakMap<CellModel, string>();
  /** Of each notebook, the kernel that has shown its results again. */
  readonly #shown = new WeakMap<NotebookPanel, Api>();
  #highlights = true;
  #showsAgain = true;

  constructor(notebooks: NotebookTracker, research: Research) {
    this.#notebooks = notebooks;
    this.#research = research;
    notebooks.forEach((one) => this.#opened(one));
    notebooks.widgetAdded.connect((_sender, one) => this.#opened(one));
    research.on(() => void this.#showAgain());
    document.addEventListener("lazyboy:insert-cell", (event) => this.#insert(event as CustomEvent<CellOffer>));
  }

  chosen(settings: Settings): void {
    const apply = () => {
      this.#highlights = settings.get("highlight").composite !== false;
      this.#showsAgain = settings.get("showAgain").composite !== false;
      this.#notebooks.forEach((panel) => cellsOf(panel).forEach(this.#write));
    };
    settings.changed.connect(apply);
    apply();
  }

  #opened(panel: NotebookPanel): void {
    void panel.context.ready.then(() => {
      for (const cell of cellsOf(panel)) this.#follow(cell);
      panel.content.model?.cells.changed.connect((_sender, { newValues }) => {
        for (const cell of newValues) this.#follow(cell);
      });
    });
  }

  #follow(cell: CellModel): void {
    if (cell.type !== "code") return;
    cell.contentChanged.connect(this.#write);
    cell.mimeTypeChanged.connect(this.#write);
    this.#write(cell);
  }

  /** Writes a cell as Markdown for as long as it is a question. */
  #write = (cell: CellModel): void => {
    const asks = this.#highlights && ASKS.test(cell.sharedModel.getSource().slice(0, 200));
    if (cell.mimeType !== MARKDOWN) this.#code.set(cell, cell.mimeType);
    const mimeType = asks ? MARKDOWN : this.#code.get(cell);
    if (mimeType !== undefined && cell.mimeType !== mimeType) cell.mimeType = mimeType;
  };

  /** Once for each life of a notebook's kernel: a cell that began research, and shows nothing, shows the newest of its question. */
  async #showAgain(): Promise<void> {
    const panel = this.#notebooks.currentWidget;
    const { offered } = this.#research;
    if (!offered && panel !== null) this.#shown.delete(panel);
    if (!this.#showsAgain || !offered || panel === null || panel.node !== this.#research.kernels.get()?.node) return;
    if (this.#shown.get(panel) === offered) return;
    this.#shown.set(panel, offered);
    const empty = cellsOf(panel).filter((cell) => isEmpty(cell) && BEGINS.test(cell.sharedModel.getSource()));
    if (empty.length === 0) return;
    const tasks = await offered.ask("GET", "/tasks?limit=200");
    if (!tasks.ok) return;
    for (const cell of empty) {
      const asked = folded(cell.sharedModel.getSource());
      const task = (tasks.data.items as Record<string, unknown>[]).find((one) => asked.endsWith(` ${folded(text(one.question))}`));
      if (task === undefined) continue;
      const output = await offered.ask("GET", `/tasks/${text(task.task_id)}/output`);
      if (output.ok && isEmpty(cell)) cell.outputs?.add({ output_type: "display_data", data: output.data.data, metadata: {} });
    }
  }

  #insert(event: CustomEvent<CellOffer>): void {
    const panel = this.#notebooks.currentWidget;
    if (event.defaultPrevented || panel === null || !(event.target instanceof Element)) return;
    const inside = panel.node.contains(event.target);
    const below = inside ? event.target : panel.content.activeCell?.node;
    if (below && insertBelow(panel, below, event.detail)) event.preventDefault();
  }
}

function cellsOf(panel: NotebookPanel): CellModel[] {
  const { cells } = panel.content.model ?? {};
  return cells === undefined ? [] : Array.from({ length: cells.length }, (_, at) => cells.get(at)).filter(({ type }) => type === "code");
}

/** One that runs, or waits to, shows something of its own soon. */
const isEmpty = (cell: CellModel): boolean => cell.outputs?.length === 0 && cell.executionState !== "running";

const folded = (source: string): string => source.trim().replaceAll(/\s+/g, " ");
