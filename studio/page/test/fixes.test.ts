import assert from "node:assert/strict";
import { test } from "node:test";

import { pageFix } from "../src/fixes";

test("a fix names the control of the page", () => {
  assert.deepEqual(pageFix("exchange two indices, or draw with C3D_CullFace(GPU_CULL_NONE) and --cull none"), {
    text: "exchange two indices, or draw with C3D_CullFace(GPU_CULL_NONE) and cull nothing here", label: "Cull nothing", patch: { cull: "none" },
  });
  assert.equal(pageFix("set the state of culling to none (--cull none)").text, "set the state of culling to none (here: cull nothing)");
  assert.deepEqual(pageFix("write position.w - 1"), { text: "write position.w - 1" });
});
