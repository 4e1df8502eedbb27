import assert from "node:assert/strict";
import { test } from "node:test";

import { byFate, flagCategories, flagNames, legend, NEUTRAL, oneColour, range, VISIBLE, visibleColour } from "../src/colours";
import type { MeshHead } from "../src/types";

const head = { fates: ["nan", "culled"], outputs: [] } as unknown as MeshHead;

test("triangles are put in the order of their fates, and none is lost", () => {
  const { indices, groups } = byFate(Uint32Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8]), Uint8Array.from([1, VISIBLE, 1]));
  assert.deepEqual([...indices], [3, 4, 5, 0, 1, 2, 6, 7, 8]);
  assert.deepEqual(groups, [{ fate: VISIBLE, start: 0, count: 3 }, { fate: 1, start: 3, count: 6 }]);
});

test("the legend counts what the picture shows", () => {
  const arrays = new Map([["fate", { data: Uint8Array.from([1, VISIBLE, 1]) }], ["flags", { data: Uint8Array.from([0, 1, 12, 8, 0]) }]]);
  assert.deepEqual(legend("fate", head, arrays, null).map((entry) => [entry.name, entry.count]), [["visible", 1], ["culled", 2]]);
  assert.deepEqual(legend("flags", head, arrays, null).map((entry) => [entry.name, entry.count]), [["inside", 2], ["NaN", 1], ["w ≤ 0", 1], ["outside", 1]]);
  assert.equal(new Set(legend("flags", head, arrays, null).map((entry) => entry.colour)).size, 4);
  assert.deepEqual(legend("", head, arrays, null), []);
});

test("the worst flag decides the colour, all of them are named", () => {
  assert.deepEqual([...flagCategories(Uint8Array.from([0, 1, 2, 4, 8, 16, 12, 13]))], [0, 1, 2, 3, 4, 5, 3, 1]);
  assert.equal(flagNames(12), "w ≤ 0 outside");
});

test("values that leave 0 to 1 are stretched, what is not finite is left out", () => {
  assert.deepEqual(range(Float32Array.from([0.25, 1, 0.5, 0]), 2), { low: [0, 0], high: [1, 1] });
  assert.deepEqual(range(Float32Array.from([-2, 5, NaN, 6, 2, Infinity]), 2), { low: [-2, 5], high: [2, 6] });
  assert.deepEqual(range(Float32Array.from([7, 7]), 1), { low: [7], high: [8] });
});

test("one colour everywhere is known from colours that differ to the eye", () => {
  assert.equal(oneColour(Float32Array.from([1, 1, 1, 1, 1, 0.9, 1, 1])), null);
  assert.deepEqual(oneColour(Float32Array.from([1.5, 0, -2, 1, 7, 0.0078125, 0, 0])), [1, 0.0078125, 0]);
  assert.deepEqual(oneColour(Float32Array.from([NaN, 0.5, Infinity, 1, 0.25, 0.5, 1, 1])), [0.25, 0.5, 1]);
  assert.deepEqual(visibleColour([0, 0.1, 0]), NEUTRAL);
  assert.deepEqual(visibleColour([0, 0.5, 0]), [0, 0.5, 0]);
});
