// Builds lanewise-VERSION.vsix. The version is that of the Python package, in pyproject.toml.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LARGEST = 2_000_000; // bytes

const version = /^version = "([^"]+)"$/m.exec(readFileSync("../../pyproject.toml", "utf8"))?.[1];
if (!version) throw new Error("pyproject.toml has no version");

/** The licences of the packages whose files are in the bundle, as they ask for. */
function notice() {
  const inputs = JSON.parse(readFileSync("dist/inputs.json", "utf8"));
  const folders = new Set(inputs.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each));
    if (!file) throw new Error(`${name} has no text of its licence`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  return `lanewise for VS Code contains these packages:\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" });
writeFileSync("NOTICE.txt", notice());
const { repository } = JSON.parse(readFileSync("package.json", "utf8"));
const unpublished = repository ? [] : ["--allow-missing-repository"]; // src/lanewise/core/where.py names it as soon as there is one
const vsce = "node_modules/@vscode/vsce/vsce";
const out = process.argv[2] ?? `lanewise-${version}.vsix`;
const options = ["--no-update-package-json", "--no-git-tag-version", "--no-dependencies", ...unpublished, "--out", out];
execFileSync(process.execPath, [vsce, "package", version, ...options], { stdio: "inherit" });
const { size } = statSync(out);
if (size > LARGEST) throw new Error(`${out} has ${size} bytes; the extension may have ${LARGEST}`);
