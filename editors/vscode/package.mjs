// Builds lanewise-VERSION.vsix. The version is that of the Python package, in pyproject.toml.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const version = /^version = "([^"]+)"$/m.exec(readFileSync("../../pyproject.toml", "utf8"))?.[1];
if (!version) throw new Error("pyproject.toml has no version");

/** The licences of the packages that are bundled, as they ask for. */
function notice() {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  const seen = new Map();
  const add = (name, from) => {
    const path = [...parents(from), ""].map((folder) => `${folder}node_modules/${name}`).find((path) => path in lock);
    if (!path || seen.has(path)) return;
    seen.set(path, lock[path]);
    for (const inner of Object.keys(lock[path].dependencies ?? {})) add(inner, `${path}/`);
  };
  add("vscode-languageclient", "");
  const texts = [...seen].map(([path, row]) => `${path.replace(/.*node_modules\//, "")} ${row.version} (${row.license})\n\n${licence(path)}`);
  return `lanewise for VS Code contains these packages:\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

function parents(from) {
  const found = [];
  for (let at = from; at; at = dirname(at) === "." ? "" : `${dirname(at)}/`) if (!at.endsWith("node_modules/")) found.push(at);
  return found;
}

function licence(path) {
  for (const name of ["LICENSE", "LICENSE.md", "LICENSE.txt", "License.txt", "license.txt", "license"]) {
    try {
      return readFileSync(join(path, name), "utf8").trim() + "\n";
    } catch {
      // the next name
    }
  }
  return "";
}

execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" });
writeFileSync("NOTICE.txt", notice());
const vsce = "node_modules/@vscode/vsce/vsce";
const out = process.argv[2] ?? `lanewise-${version}.vsix`;
execFileSync(process.execPath, [vsce, "package", version, "--no-update-package-json", "--no-git-tag-version", "--no-dependencies", "--allow-missing-repository", "--out", out], { stdio: "inherit" });
