import assert from "node:assert/strict";
import { test } from "node:test";

import { IDENTITY, multiply, transform, upright, look, perspective } from "../src/camera";
import { pick } from "../src/picking";

const square = Float32Array.from([-1, -1, 0, 1, 1, -1, 0, 1, 1, 1, 0, 1, -1, 1, 0, 1]);
const faces = Uint32Array.from([0, 1, 2, 0, 2, 3]);

test("the triangle at a point, its nearest vertex and its shares", () => {
  const found = pick(square, 4, faces, IDENTITY, 0.8, -0.7, 0);
  assert.equal(found?.triangle, 0);
  assert.equal(found?.vertex, 1);
  const [a, b, c] = found?.barycentric ?? [0, 0, 0];
  assert.ok(Math.abs(a * -1 + b * 1 + c * 1 - 0.8) < 1e-12 && Math.abs(a * -1 + b * -1 + c * 1 + 0.7) < 1e-12);
  assert.equal(pick(square, 4, faces, IDENTITY, -0.8, 0.7, 0)?.triangle, 1);
  assert.equal(pick(square, 4, faces, IDENTITY, 1.2, 0, 0), null);
});

test("the nearer of two triangles, and only those that face the viewer", () => {
  const two = Float32Array.from([-1, -1, 0.5, 1, 3, -1, 0.5, 1, -1, 3, 0.5, 1, -1, -1, -0.5, 1, -1, 3, -0.5, 1, 3, -1, -0.5, 1]);
  const index = Uint32Array.from([0, 1, 2, 3, 4, 5]);
  assert.equal(pick(two, 4, index, IDENTITY, 0, 0, 0)?.triangle, 1);
  assert.equal(pick(two, 4, index, IDENTITY, 0, 0, -1)?.triangle, 0, "the clockwise one is culled");
  assert.equal(pick(two, 4, index, IDENTITY, 0, 0, 1)?.triangle, 1);
  assert.equal(pick(two, 4, index, IDENTITY, 0, 0, 0, (triangle) => triangle === 1)?.triangle, 0);
});

test("a triangle with a corner behind the viewer is hit in front of it only", () => {
  // a floor at y = -1 that goes from w = 4 in front to w = -2 behind
  const floor = Float32Array.from([-8, -1, 0, 4, 8, -1, 0, 4, 0, -1, 0, -2]);
  const index = Uint32Array.from([0, 1, 2]);
  assert.equal(pick(floor, 4, index, IDENTITY, 0, -0.5, 0)?.triangle, 0);
  assert.equal(pick(floor, 4, index, IDENTITY, 0, 0.5, 0), null);
});

test("NaN hits nothing, and only where it is used", () => {
  const bad = Float32Array.from([-1, -1, NaN, 1, 3, -1, 0, 1, -1, 3, 0, 1]);
  assert.equal(pick(bad, 4, Uint32Array.from([0, 1, 2]), IDENTITY, 0, 0, 0), null);
});

test("a turned volume shows x upward and -y to the right", () => {
  const matrix = upright({ nearest: -1, farthest: 0, turn: true, front: "counterclockwise", screens: [] });
  assert.deepEqual(transform(matrix, [1, 0, -1, 1]), [0, 1, -1, 1]);
  assert.deepEqual(transform(matrix, [0, -1, 0, 1]).map((value) => value + 0), [1, 0, 1, 1]);
});

test("the page's own camera looks at its target", () => {
  const orbit = { yaw: 0.7, pitch: -0.3, distance: 5, target: [1, 2, 3] as [number, number, number] };
  const [x, y, , w] = transform(multiply(perspective(40, 1.5, 0.1, 50), look(orbit)), [1, 2, 3, 1]);
  assert.ok(Math.abs(x) < 1e-12 && Math.abs(y) < 1e-12 && Math.abs(w - 5) < 1e-12);
});
