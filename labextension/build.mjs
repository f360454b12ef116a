// Owns the build of what each widget carries, of the interface that a page gets once with its style sheet, of
// JupyterLab's extension, and the licenses of what is bundled. It writes these files and nothing else.
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
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

// What JupyterLab loads: a container of modules in webpack's form, which is a small one, so that it takes neither
// webpack nor JupyterLab's packages to build it.
const extension = new URL("../lazyboy_jupyter/labextension/", import.meta.url).pathname;
await rm(extension, { recursive: true, force: true });
const { outputFiles } = await build({
  ...common,
  entryPoints: [`${here}src/lab/container.ts`],
  write: false,
  format: "iife",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".css": "text" },
});
const container = outputFiles[0].contents;
const entry = `static/remoteEntry.${createHash("sha256").update(container).digest("hex").slice(0, 20)}.js`;
await mkdir(`${extension}static`, { recursive: true });
await writeFile(extension + entry, container);
const { name, version, description, license } = JSON.parse(await readFile(`${here}package.json`, "utf8"));
const jupyterlab = { extension: true, _build: { load: entry, extension: "./extension" } };
const about = JSON.stringify({ name, version, description, license, jupyterlab }, null, 2);
await writeFile(`${extension}package.json`, about);
// The settings' schema, and whose it is, where JupyterLab looks for them.
await cp(`${here}schema`, `${extension}schemas/${name}`, { recursive: true });
await writeFile(`${extension}schemas/${name}/package.json.orig`, about);

const licenses = ["marked", "preact"].map(async (name) => `${name}\n\n${await readFile(`${here}node_modules/${name}/LICENSE`, "utf8")}`);
const said = (await Promise.all(licenses)).join("\n\n");
await writeFile(`${out}ui.LICENSES.txt`, said);
await writeFile(`${extension}static/LICENSES.txt`, said);
