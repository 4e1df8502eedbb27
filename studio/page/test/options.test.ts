import assert from "node:assert/strict";
import { test } from "node:test";

import { absent, readOptions, writeOptions, type OptionRow } from "../src/options";

const ROWS: OptionRow[] = [
  { key: "define", names: ["-D", "--define"], kind: "texts", help: "" },
  { key: "semantic", names: ["--semantic"], kind: "texts", help: "" },
  { key: "entry-point", names: ["--entry-point"], kind: "text", help: "" },
  { key: "output-locations", names: ["--output-locations"], kind: "flag", help: "" },
  { key: "preamble", names: ["--preamble"], kind: "optional", help: "" },
  { key: "direct3d8", names: ["--direct3d8"], kind: "flag", help: "" },
];

test("options are read as commands read them, and written so that they are read again", () => {
  const options = readOptions('--semantic glow=color -DLAMPS=2 --define "NAME=two words" --semantic=uv=texcoord1 --output-locations --entry-point main', ROWS);
  assert.deepEqual(options, { semantic: ["glow=color", "uv=texcoord1"], define: ["LAMPS=2", "NAME=two words"], "output-locations": true, "entry-point": "main" });
  assert.ok(typeof options !== "string");
  const line = writeOptions(options, ROWS);
  assert.equal(line, '--semantic glow=color --semantic uv=texcoord1 -D LAMPS=2 -D "NAME=two words" --output-locations --entry-point main');
  assert.deepEqual(readOptions(line, ROWS), options);
  assert.deepEqual(readOptions("  ", ROWS), {});
  assert.equal(writeOptions({ direct3d8: false }, ROWS), "");
  assert.deepEqual(ROWS.map(absent), [[], [], "", false, false, false]);
});

test("an option may have a value or none", () => {
  for (const [line, options] of [["--preamble", { preamble: true }], ["--preamble exact", { preamble: "exact" }], ["--preamble --direct3d8", { preamble: true, direct3d8: true }]] as const) {
    assert.deepEqual(readOptions(line, ROWS), options);
    assert.equal(writeOptions(options, ROWS), line);
  }
  assert.deepEqual(readOptions("--preamble=exact", ROWS), { preamble: "exact" });
});

test("a line that is wrong is a sentence", () => {
  assert.match(String(readOptions("--semantics a=b", ROWS)), /^unknown option --semantics: use -D, --define, --semantic/);
  assert.equal(readOptions("-D", ROWS), "-D has no value");
  assert.equal(readOptions("--semantic=", ROWS), "--semantic has no value");
  assert.match(String(readOptions("--direct3d8=yes", ROWS)), /^unknown option/);
});
