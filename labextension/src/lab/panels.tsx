// Owns what stands around the notebook: the panel, the status-bar item, the commands.
import { render } from "preact";
import type { App, LabWidget, Lumino, Palette, Plugin, SettingRegistry, StatusBar } from "./jupyter";
import { Panel } from "./Panel";
import type { Page } from "./plugin";
import { plugin } from "./plugin";
import type { Research } from "./research";
import { Status } from "./Status";

const PANEL = "lazyboy-research";
const OPEN = "lazyboy:open";
const CATEGORY = "Research";

interface Given {
  ICommandPalette?: Palette | null;
  IStatusBar?: StatusBar | null;
  ISettingRegistry?: SettingRegistry | null;
}

export function panelPlugin(page: Page, research: (app: App) => Research): Plugin {
  const wanted = ["ICommandPalette", "IStatusBar", "ISettingRegistry"];
  const made = plugin(page, "panel", "The Research panel and the status-bar item.", wanted, (app, given) =>
    begin(app, page.lumino, research(app), given as Given, made.id));
  return made;
}

function begin(app: App, lumino: Lumino, research: Research, given: Given, id: string): void {
  const { ICommandPalette: palette, IStatusBar: bar, ISettingRegistry: settings } = given;
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

  if (bar) {
    const item = widget(lumino, "lzl-status-item");
    render(<Status research={research} open={open} />, item.node);
    bar.registerStatusItem("lazyboy-jupyter:activity", { item, align: "left", rank: 90 });
    void settings?.load(id).then((chosen) => {
      const apply = () => item.node.classList.toggle("lzl-off", chosen.get("statusBar").composite === false);
      chosen.changed.connect(apply);
      apply();
    });
  }
}

function widget(lumino: Lumino, name: string): LabWidget {
  const made = new lumino.Widget();
  made.addClass(name);
  return made;
}
