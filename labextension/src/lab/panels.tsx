// Owns what stands around the notebook: the panels, the status-bar item, the commands.
import type { ComponentChild } from "preact";
import { render } from "preact";
import { Drawer } from "./drawer";
import { iconOf } from "./icons";
import type { App, LabWidget, Lumino, Palette, Plugin, SettingRegistry, StatusBar } from "./jupyter";
import { Panel } from "./Panel";
import type { Page } from "./plugin";
import { plugin } from "./plugin";
import type { Place, Research } from "./research";
import { SideQuestions } from "./SideQuestions";
import { Status } from "./Status";
import { Timing } from "./Timing";
import { trans } from "../ui/words";

const RANK = 650;

interface Given {
  ICommandPalette?: Palette | null;
  IStatusBar?: StatusBar | null;
  ISettingRegistry?: SettingRegistry | null;
}

interface Kind {
  place: Place;
  title: string;
  label: string;
  command: string;
  draw: (research: Research) => ComponentChild;
}

const kinds = (): Kind[] => [
  {
    place: "research", title: trans.__("Research"), label: trans.__("Show the Research Panel"),
    command: "lazyboy:open", draw: (research) => <Panel research={research} />,
  },
  {
    place: "side", title: trans.__("Side Questions"), label: trans.__("Show the Side Questions Panel"),
    command: "lazyboy:open-side-questions", draw: (research) => <SideQuestions research={research} />,
  },
  {
    place: "timing", title: trans.__("Timing"), label: trans.__("Show the Timing Panel"),
    command: "lazyboy:open-timing", draw: (research) => <Timing research={research} />,
  },
];

export function panelPlugin(page: Page, research: (app: App) => Research): Plugin {
  const wanted = ["ICommandPalette", "IStatusBar", "ISettingRegistry"];
  const made = plugin(page, "panel", "The panels and the status-bar item.", wanted, (app, given) =>
    begin(app, page, research(app), given as Given, made.id));
  return made;
}

function begin(app: App, page: Page, research: Research, given: Given, id: string): void {
  const { ICommandPalette: palette, IStatusBar: bar, ISettingRegistry: settings } = given;
  const drawer = new Drawer(app, page.lumino);
  kinds().forEach((kind, at) => {
    const panel = panelOf(kind, page, research);
    drawer.add(panel, RANK + at);
    app.commands.addCommand(kind.command, { label: kind.label, execute: () => drawer.show(panel) });
    palette?.addItem({ command: kind.command, category: trans.__("Research") });
  });

  if (bar) {
    const item = widget(page.lumino, "lzl-status-item");
    render(<Status research={research} open={() => void app.commands.execute("lazyboy:open")} />, item.node);
    bar.registerStatusItem("lazyboy-jupyter:activity", { item, align: "left", rank: 90 });
    void settings?.load(id).then((chosen) => {
      const apply = () => item.node.classList.toggle("lzl-off", chosen.get("statusBar").composite === false);
      chosen.changed.connect(apply);
      apply();
    });
  }
}

function panelOf({ place, title, draw }: Kind, page: Page, research: Research): LabWidget {
  const panel = widget(page.lumino, "lzl-panel");
  panel.id = `lazyboy-${place}`;
  panel.title.caption = title;
  panel.title.icon = iconOf(page.ui, place);
  const look = () => research.show(place, panel.isVisible);
  panel.onAfterShow = panel.onAfterHide = panel.onAfterAttach = panel.onAfterDetach = look;
  render(draw(research), panel.node);
  return panel;
}

function widget(lumino: Lumino, name: string): LabWidget {
  const made = new lumino.Widget();
  made.addClass(name);
  return made;
}
