import assert from "node:assert/strict";
import { test } from "node:test";

import { readOptions, writeOptions } from "../src/options";

test("options are read as commands read them, and written so that they are read again", () => {
  const options = readOptions('--semantic glow=color -DLAMPS=2 --define "NAME=two words" --semantic=uv=texcoord1 --output-locations --entry-point main');
  assert.deepEqual(options, { semantic: ["glow=color", "uv=texcoord1"], define: ["LAMPS=2", "NAME=two words"], "output-locations": true, "entry-point": "main" });
  assert.ok(typeof options !== "string");
  const line = writeOptions(options);
  assert.equal(line, '--semantic glow=color --semantic uv=texcoord1 -D LAMPS=2 -D "NAME=two words" --output-locations --entry-point main');
  assert.deepEqual(readOptions(line), options);
  assert.deepEqual(readOptions("  "), {});
  assert.equal(writeOptions({ direct3d8: false }), "");
});

test("a line that is wrong is a sentence", () => {
  assert.match(String(readOptions("--semantics a=b")), /^unknown option --semantics: use -D, --define, --semantic/);
  assert.equal(readOptions("-D"), "-D has no value");
  assert.equal(readOptions("--semantic="), "--semantic has no value");
  assert.match(String(readOptions("--direct3d8=yes")), /^unknown option/);
});
