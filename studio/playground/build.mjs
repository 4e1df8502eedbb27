// Builds the page and its worker into a folder: `node build.mjs FOLDER`. bundle.py calls it, and puts Python's part beside it.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

import { licences } from "../page/licences.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "built"));
const MODULES = ["pyodide", "pyodide.asm"]; // .mjs, which many servers do not know: modules have to come as JavaScript
const PYODIDE = ["pyodide.asm.wasm", "python_stdlib.zip"];
const LOCK = "pyodide-lock.json"; // also of hundreds of packages, none of which is loaded

for (const folder of ["assets", "pyodide"]) {
  mkdirSync(join(out, folder), { recursive: true });
}
const result = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts", worker: "src/worker.ts" },
  outdir: join(out, "assets"),
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome119", "firefox121", "safari17"], // Pyodide's own
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  nodePaths: [join(here, "..", "page", "node_modules")],
});
copyFileSync(join(here, "src", "index.html"), join(out, "index.html"));
copyFileSync(join(here, "..", "page", "src", "icon.svg"), join(out, "assets", "icon.svg"));
for (const name of MODULES) {
  const text = readFileSync(join(here, "node_modules", "pyodide", `${name}.mjs`), "utf8");
  writeFileSync(join(out, "pyodide", `${name}.js`), text.replaceAll("pyodide.asm.mjs", "pyodide.asm.js"));
}
for (const name of PYODIDE) {
  copyFileSync(join(here, "node_modules", "pyodide", name), join(out, "pyodide", name));
}
const lock = JSON.parse(readFileSync(join(here, "node_modules", "pyodide", LOCK), "utf8"));
writeFileSync(join(out, "pyodide", LOCK), JSON.stringify({ ...lock, packages: {} }));
writeFileSync(join(out, "assets", "LICENSES.txt"), licences("The playground of lanewise", here, [...Object.keys(result.metafile.inputs), "node_modules/pyodide/"]));
