import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenOf, brokenText, isLong } from "../src/panes/vertices";

const outputs = [{ name: "position", components: "xyzw" }, { name: "fog", components: "x" }] as never;

test("a NaN or an infinity of any output is counted, once for each vertex", () => {
  const arrays = new Map([
    ["output:position", { shape: [3, 4], data: Float32Array.of(0, 0, 0, 1, NaN, NaN, Infinity, 1, 0, 0, 0, 1) }],
    ["output:fog", { shape: [3, 1], data: Float32Array.of(0, NaN, -Infinity) }],
  ]);
  const found = brokenOf({ head: { vertices: 3, outputs }, arrays });
  assert.deepEqual([...found.kinds], [0, 3, 2]);
  assert.equal(brokenText(found, 3), "NaN in 1 of 3 vertices, infinity in 2 of 3 vertices");
  assert.equal(brokenText(brokenOf({ head: { vertices: 3, outputs }, arrays: new Map() }), 3), "no NaN, no infinity");
});

test("values with an exponent or zeros after the point are long", () => {
  assert.deepEqual([[0, 1, -0.09766], [-4.531e-18], [-0.0001234], [2e6], [NaN, Infinity]].map((values) => isLong(Float32Array.from(values))), [false, true, true, true, false]);
});
