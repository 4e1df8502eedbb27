// Runs pytest in Pyodide, Python for browsers: node in_pyodide.mjs PYODIDE PACKAGES CHECKOUT [ARGUMENTS OF PYTEST]
// The folders are those of the npm package `pyodide`, of packages of pure Python, and of the repository: `nox -s pyodide`.
import { pathToFileURL } from "node:url";
import { join, resolve } from "node:path";

const [pyodide, packages, checkout, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(resolve(pyodide), "pyodide.mjs")));
const python = await loadPyodide({ env: { HOME: "/home/pyodide" } });
for (const [place, folder] of [["/packages", packages], ["/clone/lanewise", checkout]]) {
  python.FS.mkdirTree(place);
  python.mountNodeFS(place, resolve(folder));
}
python.globals.set("words", python.toPy(words));
let code = 3;
try {
  code = await python.runPythonAsync(`
import os, sys
sys.dont_write_bytecode = True
sys.path[:0] = ["/clone/lanewise/src", "/clone/lanewise/tests", "/packages"]
os.chdir("/clone/lanewise")
import pytest
int(pytest.main(words))
`);
} catch (error) {
  console.error(error.message); // without the source of Pyodide, which is one line of a megabyte
}
process.exit(code);
