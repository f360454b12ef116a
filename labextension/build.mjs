// Owns the build of the anywidget module and its style sheet; it writes two files and nothing else.
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
