// Owns what JupyterLab and Notebook 7 get of us: the panel, the status-bar item, the commands.
import { render } from "preact";
import style from "../../../lazyboy_jupyter/widgets/static/ui.css";
import own from "./lab.css";
import type { App, LabWidget, Lumino, Palette, Plugin, Services, SettingRegistry, StatusBar } from "./jupyter";
import { Panel } from "./Panel";
import { Research } from "./research";
import { Status } from "./Status";

const PLUGIN = "lazyboy-jupyter:panel";
const PANEL = "lazyboy-research";
const OPEN = "lazyboy:open";
const CATEGORY = "Research";

type Shared = <T>(name: string) => Promise<T | null>;

export async function pluginsOf(shared: Shared): Promise<Plugin[]> {
  const [lumino, services, apputils, statusbar, settings] = await Promise.all([
    shared<Lumino>("@lumino/widgets"),
    shared<Services>("@jupyterlab/services"),
    shared<{ ICommandPalette: unknown }>("@jupyterlab/apputils"),
    shared<{ IStatusBar: unknown }>("@jupyterlab/statusbar"),
    shared<{ ISettingRegistry: unknown }>("@jupyterlab/settingregistry"),
  ]);
  if (lumino === null || services === null) return [];
  // What a front end does not have it does not share: Notebook 7 has no status bar.
  const tokens = Object.entries({
    palette: apputils?.ICommandPalette,
    bar: statusbar?.IStatusBar,
    settings: settings?.ISettingRegistry,
  }).filter(([, token]) => token !== undefined);
  return [
    {
      id: PLUGIN,
      description: "The Research panel and the status-bar item.",
      autoStart: true,
      requires: [],
      optional: tokens.map(([, token]) => token),
      activate(app, ...found) {
        const given = (name: string): unknown => found[tokens.findIndex(([known]) => known === name)] ?? null;
        const palette = given("palette") as Palette | null;
        const registry = given("settings") as SettingRegistry | null;
        activate(app, lumino, services, palette, given("bar") as StatusBar | null, registry);
      },
    },
  ];
}

function activate(
  app: App, lumino: Lumino, services: Services, palette: Palette | null, bar: StatusBar | null, registry: SettingRegistry | null,
): void {
  const sheet = document.createElement("style");
  sheet.textContent = style + own;
  document.head.append(sheet);

  const research = new Research(app, services);
  const panel = widget(lumino, "lzl-panel");
  panel.id = PANEL;
  panel.title.caption = "Research";
  panel.title.iconClass = "lzl-icon jp-SideBar-tabIcon";
  panel.onAfterShow = () => research.show(true);
  panel.onAfterHide = () => research.show(false);
  render(<Panel research={research} />, panel.node);
  app.shell.add(panel, "right", { rank: 650 });

  const open = () => app.shell.activateById(PANEL);
  app.commands.addCommand(OPEN, { label: "Show the Research Panel", execute: open });
  palette?.addItem({ command: OPEN, category: CATEGORY });

  if (bar !== null) {
    const item = widget(lumino, "lzl-status-item");
    render(<Status research={research} open={open} />, item.node);
    bar.registerStatusItem("lazyboy-jupyter:activity", { item, align: "left", rank: 90 });
    void registry?.load(PLUGIN).then((settings) => {
      const apply = () => item.node.classList.toggle("lzl-off", settings.get("statusBar").composite === false);
      settings.changed.connect(apply);
      apply();
    });
  }
}

function widget(lumino: Lumino, name: string): LabWidget {
  const made = new lumino.Widget();
  made.addClass(name);
  return made;
}
