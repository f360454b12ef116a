// Owns the build of the anywidget module and its style sheet, with
// the licenses of what is bundled. It writes three files and nothing else.
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const out = new URL("../lazyboy_jupyter/widgets/static/", import.meta.url).pathname;
const here = new URL(".", import.meta.url).pathname;
const common = { bundle: true, minify: true, sourcemap: false, legalComments: "none", logLevel: "warning" };

await build({
  ...common,
  entryPoints: [`${here}src/ui/anywidget.tsx`],
  outfile: `${out}ui.js`,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
});
await build({
  ...common,
  entryPoints: [`${here}src/ui/style.css`],
  outfile: `${out}ui.css`,
  target: ["chrome111", "firefox113", "safari16.4"],
});
// JupyterLab styles the lists, code and tables of an HTML output by up to three classes; four weigh more.
const style = await readFile(`${out}ui.css`, "utf8");
await writeFile(`${out}ui.css`, style.replaceAll(/\.lzu(?![\w-])/g, ".lzu".repeat(4)));

const licenses = ["marked", "preact"].map(async (name) => `${name}\n\n${await readFile(`${here}node_modules/${name}/LICENSE`, "utf8")}`);
await writeFile(`${out}ui.LICENSES.txt`, (await Promise.all(licenses)).join("\n\n"));
