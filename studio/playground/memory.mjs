// The memory of Python with lanewise in it, as a page begins with it: `node memory.mjs FOLDER`. bundle.py calls it.
//
// Pyodide starts here as it does in a browser and answers what a page asks, by warm.py; then its memory is written, and the
// answers to the examples. What is printed says how large the memory is, and which modules are in it and need no files.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

process.on("uncaughtException", (error) => {
  console.error(String(error?.stack ?? error)); // without the line of a module that is one line
  process.exit(1);
});

const out = resolve(process.argv[2]);
const indexURL = `${join(out, "pyodide")}/`;
const [ARCHIVE, BUILD] = ["/lanewise.zip", "/build"];
const bytesOf = (path) => new Uint8Array(readFileSync(path));
const { loadPyodide } = await import(pathToFileURL(`${indexURL}pyodide.js`).href);
const examples = readFileSync(join(out, "examples.json"), "utf8");
const env = { LANG: "C.UTF-8", PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" }; // the same bytes each time, without what tracebacks underline

/** Call a function of warm.py with JSON. */
function warm(python, call, ...values) {
  values.forEach((value, at) => python.globals.set(`given${String(at)}`, value));
  const result = python.runPython(`import json, warm\nresult = ${call.replace(/\$(\d)/g, "json.loads(given$1)")}\nresult`);
  python.runPython(`del json, warm, result${values.map((_, at) => `, given${String(at)}`).join("")}`);
  return result;
}

/** Python with an archive of lanewise. */
async function begun(options, archive) {
  const python = await loadPyodide({ indexURL, env, ...options });
  python.FS.writeFile(ARCHIVE, archive);
  python.FS.mkdir(BUILD);
  python.FS.writeFile(`${BUILD}/warm.py`, bytesOf(new URL("warm.py", import.meta.url)));
  python.runPython(`import sys; sys.path[:0] = ["${ARCHIVE}", "${BUILD}"]; del sys`);
  return python;
}

const first = await begun({}, bytesOf(join(out, "lanewise.zip")));
const { modules, recorded } = JSON.parse(warm(first, "warm.first($0)", examples));
warm(first, `warm.compiled("${ARCHIVE}", "/compiled.zip")`);

const second = await begun({ _makeSnapshot: true }, first.FS.readFile("/compiled.zip"));
const desk = warm(second, "warm.second($0, $1)", examples, JSON.stringify(modules));
second.globals.set("desk", desk);
desk.destroy();
const files = JSON.parse(warm(second, "warm.loaded()"));
second.runPython(`import sys, gc; sys.path.remove("${BUILD}"); del sys.modules["warm"]; gc.collect(); del sys, gc`);
const memory = second.makeMemorySnapshot();

writeFileSync(join(out, "pyodide", "memory.packed"), gzipSync(memory, { level: 9 }));
mkdirSync(join(out, "recorded"));
for (const [name, messages] of Object.entries(recorded)) {
  writeFileSync(join(out, "recorded", `${name}.json`), JSON.stringify(messages));
}
console.log(JSON.stringify({ memory: memory.length, files }));
process.exit(0);
