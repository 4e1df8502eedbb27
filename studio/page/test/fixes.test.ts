import assert from "node:assert/strict";
import { test } from "node:test";

import { pageFix } from "../src/fixes";
import type { OptionRow } from "../src/options";

test("a fix names the control of the page", () => {
  assert.deepEqual(pageFix("exchange two indices, or draw with C3D_CullFace(GPU_CULL_NONE) and --cull none"), {
    text: "exchange two indices, or draw with C3D_CullFace(GPU_CULL_NONE) and cull nothing here", label: "Cull nothing", patch: { cull: "none" },
  });
  assert.equal(pageFix("set the state of culling to none (--cull none)").text, "set the state of culling to none (here: cull nothing)");
  const row = { key: "semantic", names: ["--semantic"] } as unknown as OptionRow;
  assert.equal(pageFix("use `--semantic glow=SEMANTIC`", [row]).text, "use `--semantic glow=SEMANTIC` (under Options, above the source)");
  assert.equal(pageFix("use --entry main").text, "use --entry main (the choice of the program at the top)");
  assert.deepEqual(pageFix("write position.w - 1"), { text: "write position.w - 1" });
});
