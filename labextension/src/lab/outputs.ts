// Owns the outputs of a page that carry a task: which kernel each belongs to, and what it offers.
import { text } from "../ui/parse";
import type { App, LabWidget, Plugin, Renderer, RenderMimeRegistry } from "./jupyter";
import { Output } from "./output";
import type { Page } from "./plugin";
import { plugin } from "./plugin";
import { PUBLICATION } from "./publication";
import type { Research } from "./research";

/** Before JupyterLab's own forms, a widget's too (DESIGN §17). */
const RANK = -20;

export function outputPlugin(page: Page, research: (app: App) => Research): Plugin {
  const wanted = ["IRenderMimeRegistry"];
  return plugin(page, "outputs", "Cards in the outputs of notebooks.", wanted, (app, { IRenderMimeRegistry: registry }) => {
    const outputs = new Outputs(research(app));
    (registry as RenderMimeRegistry | null)?.addFactory({
      safe: true,
      mimeTypes: [PUBLICATION],
      defaultRank: RANK,
      createRenderer: () => outputs.rendererIn(new page.lumino.Widget()),
    });
  });
}

class Outputs {
  readonly #research: Research;
  readonly #all = new Set<Output>();

  constructor(research: Research) {
    this.#research = research;
    research.on(() => this.#look());
    research.onEvent((kind, data) => {
      if (kind !== "task") return;
      for (const one of this.#all) if (one.taskId !== "" && one.taskId === text(data.task_id)) one.happened(data);
    });
  }

  rendererIn(widget: LabWidget): Renderer {
    widget.addClass("lzl-output");
    const renderer = widget as Renderer;
    const output = new Output(renderer, () => this.#tell(output));
    renderer.renderModel = async (model) => output.render(model);
    this.#all.add(output);
    widget.disposed.connect(() => void this.#all.delete(output));
    return renderer;
  }

  #look(): void {
    for (const one of this.#all) this.#tell(one);
  }

  /** Only the kernel looked at last is followed; what is known of another one stays. */
  #tell(output: Output): void {
    const current = this.#research.kernels.get();
    if (current === null) return;
    if (current.node.contains(output.node)) output.kernelId = current.kernel.id;
    const { offered } = this.#research;
    if (output.kernelId === current.kernel.id && offered !== undefined) output.offered(offered);
  }
}
