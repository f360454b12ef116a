// Owns how a plugin asks the front end for what it may not have, and what of its packages it shares with us.
import type { Bundle } from "../ui/words";
import { speakBy } from "../ui/words";
import type { App, Lumino, Plugin, Services, Ui } from "./jupyter";

interface Translator {
  load(domain: string): Bundle;
}

/** A package that the page shares, or null where it shares none of that name. */
export type Shared = <T>(name: string) => Promise<T | null>;

/** What every part of ours needs. */
export interface Page {
  lumino: Lumino;
  services: Services;
  ui: Ui;
  /** Tokens by name, of what JupyterLab or Notebook 7 offers; a missing one is undefined. */
  tokens: Record<string, unknown>;
}

const TOKENS: readonly (readonly [token: string, from: string])[] = [
  ["ICommandPalette", "@jupyterlab/apputils"],
  ["IStatusBar", "@jupyterlab/statusbar"],
  ["ISettingRegistry", "@jupyterlab/settingregistry"],
  ["IRenderMimeRegistry", "@jupyterlab/rendermime"],
  ["INotebookTracker", "@jupyterlab/notebook"],
  ["ITranslator", "@jupyterlab/translation"],
];

/** Returns null in a page that is neither JupyterLab nor Notebook 7. */
export async function pageOf(shared: Shared): Promise<Page | null> {
  const [lumino, services, ui, ...found] = await Promise.all([
    shared<Lumino>("@lumino/widgets"),
    shared<Services>("@jupyterlab/services"),
    shared<Ui>("@jupyterlab/ui-components"),
    ...TOKENS.map(async ([token, from]) => [token, (await shared<Record<string, unknown>>(from))?.[token]] as const),
  ]);
  if (lumino === null || services === null || ui === null) return null;
  return { lumino, services, ui, tokens: Object.fromEntries(found) };
}

/** A plugin that goes without whatever of `wanted`, names of tokens, this front end does not have: Notebook 7 has no status bar. */
export function plugin(
  page: Page, id: string, description: string, wanted: readonly string[], begin: (app: App, given: Record<string, unknown>) => void,
): Plugin {
  const known = ["ITranslator", ...wanted].filter((name) => page.tokens[name] !== undefined);
  return {
    id: `lazyboy-jupyter:${id}`,
    description,
    autoStart: true,
    requires: [],
    optional: known.map((name) => page.tokens[name]),
    activate: (app, ...found) => {
      const given = Object.fromEntries(known.map((name, at) => [name, found[at] ?? null]));
      const translator = given.ITranslator as Translator | null | undefined;
      if (translator) speakBy(translator.load("lazyboy_jupyter"));
      begin(app, given);
    },
  };
}
