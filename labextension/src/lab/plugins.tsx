// Owns what JupyterLab and Notebook 7 get of us: the panel, the status-bar item, the commands.
import { render } from "preact";
import style from "../../../lazyboy_jupyter/widgets/static/ui.css";
import own from "./lab.css";
import type { App, LabWidget, Lumino, Palette, Plugin, Services, StatusBar } from "./jupyter";
import { Panel } from "./Panel";
import { Research } from "./research";
import { Status } from "./Status";

const PANEL = "lazyboy-research";
const OPEN = "lazyboy:open";
const CATEGORY = "Research";

type Shared = <T>(name: string) => Promise<T | null>;

export async function pluginsOf(shared: Shared): Promise<Plugin[]> {
  const [lumino, services, apputils, statusbar] = await Promise.all([
    shared<Lumino>("@lumino/widgets"),
    shared<Services>("@jupyterlab/services"),
    shared<{ ICommandPalette: unknown }>("@jupyterlab/apputils"),
    shared<{ IStatusBar: unknown }>("@jupyterlab/statusbar"),
  ]);
  if (lumino === null || services === null) return [];
  return [
    {
      id: "lazyboy-jupyter:panel",
      description: "The Research panel and the status-bar item.",
      autoStart: true,
      requires: [],
      optional: [apputils?.ICommandPalette, statusbar?.IStatusBar].filter((one) => one !== undefined),
      activate(app, ...found) {
        const palette = found.find((one): one is Palette => typeof (one as Palette | null)?.addItem === "function");
        const bar = found.find((one): one is StatusBar => typeof (one as StatusBar | null)?.registerStatusItem === "function");
        activate(app, lumino, services, palette ?? null, bar ?? null);
      },
    },
  ];
}

function activate(app: App, lumino: Lumino, services: Services, palette: Palette | null, bar: StatusBar | null): void {
  const sheet = document.createElement("style");
  sheet.textContent = style + own;
  document.head.append(sheet);

  const research = new Research(app, services);
  const panel = widget(lumino, "lzl-panel");
  panel.id = PANEL;
  panel.title.caption = "Research";
  panel.title.iconClass = "lzl-icon jp-SideBar-tabIcon";
  render(<Panel research={research} />, panel.node);
  app.shell.add(panel, "right", { rank: 650 });

  const open = () => app.shell.activateById(PANEL);
  app.commands.addCommand(OPEN, { label: "Show the Research Panel", execute: open });
  palette?.addItem({ command: OPEN, category: CATEGORY });

  if (bar !== null) {
    const item = widget(lumino, "lzl-status-item");
    render(<Status research={research} open={open} />, item.node);
    bar.registerStatusItem("lazyboy-jupyter:activity", { item, align: "left", rank: 90 });
  }
}

function widget(lumino: Lumino, name: string): LabWidget {
  const made = new lumino.Widget();
  made.addClass(name);
  return made;
}
