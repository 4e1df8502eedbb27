import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped } from "../src/widgets/presets";
import { forPlayground, held, left, opens } from "../src/widgets/share";

test("presets of the sources on the page come first", () => {
  const presets = [
    { name: "fog.shadertest.toml", test: "near", programs: ["fog.vsa"] },
    { name: "light.shadertest.toml", test: "", programs: ["light.v.pica", "light.g.pica"] },
  ];
  assert.deepEqual(grouped(presets, ["light.g.pica"]), [
    { label: "of this program", presets: [{ index: 1, text: "light", own: true }] },
    { label: "of other programs", presets: [{ index: 0, text: "fog: near", own: false }] },
  ]);
  assert.deepEqual(grouped(presets, ["other.sc"]).map((group) => group.label), ["of other programs"]);
  assert.deepEqual(grouped([], ["fog.vsa"]), []);
});

test("the dialog says what a saved file holds", () => {
  assert.equal(held({ mesh: { file: "tetra.obj" } }), "sources, values, camera and the mesh tetra.obj");
  assert.equal(held({ mesh: { name: "cube" } }), "sources, values, camera");
  assert.match(held({ draw: { file: "a.ctf", number: 1 } }), /the recorded frame a.ctf is not in it/);
  assert.equal(left({ mesh: { file: "tetra.obj" } }), "the mesh tetra.obj");
  assert.equal(left({ mesh: { name: "cube" } }), "");
  assert.equal(opens({ draw: { file: "a.ctf", number: 1 } }, "--link 'LINK'"), "lanewise studio a.ctf --link 'LINK'");
  const files = [{ name: "a.sc", text: "end" }];
  assert.deepEqual(forPlayground({ files, profile: "rtl", mesh: { file: "tetra.obj" } }), { files, profile: "rtl" });
  assert.equal(forPlayground({ files }, true), null);
  assert.equal(forPlayground({ files: [{ name: "a.bin", text: "", data: "AA" }] }), null);
});
