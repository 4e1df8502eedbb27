import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The licences of the packages that files of a bundle are from; the files are relative to a folder. */
export function licences(page, folder, files) {
  const packages = new Map();
  for (const file of files) {
    const found = /^(.*node_modules\/)((?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (found !== null) {
      packages.set(found[2], resolve(folder, found[1], found[2]));
    }
  }
  const parts = [`${page} holds code of these packages.\n`];
  for (const [name, place] of [...packages].sort()) {
    const { version, license, homepage } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    const file = readdirSync(place).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file !== undefined && existsSync(join(place, file)) ? readFileSync(join(place, file), "utf8") : `Its source and its licence: ${homepage ?? `the package ${name} of the npm registry`}\n`;
    parts.push(`${"=".repeat(80)}\n${name} ${version} (${license})\n\n${text}`);
  }
  return parts.join("\n");
}
