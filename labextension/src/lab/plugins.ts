// Owns the list of what JupyterLab and Notebook 7 get of us.
import style from "../../../lazyboy_jupyter/widgets/static/ui.css";
import type { App, Plugin } from "./jupyter";
import own from "./lab.css";
import { cellPlugin } from "./cells";
import { outputPlugin } from "./outputs";
import { panelPlugin } from "./panels";
import type { Shared } from "./plugin";
import { pageOf } from "./plugin";
import { Research } from "./research";

export async function pluginsOf(shared: Shared): Promise<Plugin[]> {
  const page = await pageOf(shared);
  if (page === null) return [];
  const sheet = document.createElement("style");
  sheet.textContent = style + own;
  document.head.append(sheet);
  let made: Research | null = null;
  const research = (app: App): Research => (made ??= new Research(app, page.services));
  return [panelPlugin(page, research), outputPlugin(page, research), cellPlugin(page, research)];
}
