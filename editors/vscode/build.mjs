// Bundles the extension into dist/extension.js, and its pure parts for the tests.
import { build } from "esbuild";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";

const common = { bundle: true, platform: "node", target: "node20", logLevel: "warning", legalComments: "none" };
const { metafile } = await build({ ...common, metafile: true, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", external: ["vscode"], format: "cjs", minify: true });
await build({ ...common, entryPoints: ["src/pure.ts"], outfile: "dist/pure.mjs", format: "esm" });

writeFileSync("dist/inputs.json", JSON.stringify(Object.keys(metafile.inputs))); // whose licences package.mjs collects

// The pictures of the walkthrough are those of the documentation.
mkdirSync("media", { recursive: true });
for (const name of ["quickfix", "graph", "debug", "tests"]) {
  const picture = `../../docs/pictures/vscode-${name}.png`;
  if (existsSync(picture)) cpSync(picture, `media/${name}.png`);
}
