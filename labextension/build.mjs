// Owns the build of what each widget carries, of the interface that a page gets once with its style sheet,
// and the licenses of what is bundled. It writes four files and nothing else.
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const out = new URL("../lazyboy_jupyter/widgets/static/", import.meta.url).pathname;
const here = new URL(".", import.meta.url).pathname;
const common = { bundle: true, minify: true, sourcemap: false, legalComments: "none", logLevel: "warning" };

for (const [source, built] of [["src/loader.ts", "loader.js"], ["src/ui/anywidget.tsx", "ui.js"]]) {
  await build({
    ...common,
    entryPoints: [here + source],
    outfile: out + built,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
  });
}
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
