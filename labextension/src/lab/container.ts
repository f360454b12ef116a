// Owns how the page finds us: a container of modules as JupyterLab loads them, and what it shares with us. It
// decides nothing.
import type { Plugin } from "./jupyter";
import { pluginsOf } from "./plugins";

type Factory = () => unknown;
type Offered = Record<string, { get(): Promise<Factory> | Factory }>;
export type Scope = Record<string, Offered | undefined>;

let scope: Scope = {};

/** A package that the page shares, or null where it shares none of that name. */
async function shared<T>(name: string): Promise<T | null> {
  const offered = Object.values(scope[name] ?? {})[0];
  return offered === undefined ? null : ((await offered.get())() as T);
}

const container = {
  init(given: Scope): void {
    scope = given;
  },

  async get(module: string): Promise<Factory> {
    if (module !== "./extension") return () => ({});
    const plugins: Plugin[] = await pluginsOf(shared);
    return () => ({ __esModule: true, default: plugins });
  },
};

const holder = globalThis as unknown as { _JUPYTERLAB?: Record<string, unknown> };
(holder._JUPYTERLAB ??= {})["lazyboy-jupyter"] = container;
