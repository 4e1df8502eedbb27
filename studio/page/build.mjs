// Builds the page into dist/: index.html and assets/. `npm ci && node build.mjs`.
import { gzipSync } from "node:zlib";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

import { licences } from "./licences.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "dist");
const limit = 380_000; // bytes of everything that is loaded first, gzipped

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "assets"), { recursive: true });
const result = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts" },
  outdir: join(out, "assets"),
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome111", "firefox115", "safari16.4"],
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});
for (const name of ["index.html"]) {
  copyFileSync(join(here, "src", name), join(out, name));
}
copyFileSync(join(here, "src", "icon.svg"), join(out, "assets", "icon.svg"));
writeFileSync(join(out, "assets", "LICENSES.txt"), licences("The page of lanewise studio", here, Object.keys(result.metafile.inputs)));

let total = 0;
for (const name of ["index.html", ...readdirSync(join(out, "assets")).map((file) => join("assets", file))]) {
  const bytes = readFileSync(join(out, name));
  const packed = gzipSync(bytes, { level: 9 }).length;
  total += packed;
  console.log(`${name.padEnd(24)} ${String(bytes.length).padStart(9)} bytes ${String(packed).padStart(8)} gzipped`);
}
console.log(`total gzipped ${String(total)}`);
if (total > limit) {
  throw new Error(`the page has ${String(total)} bytes gzipped, more than ${String(limit)}`);
}
