import assert from "node:assert/strict";
import { test } from "node:test";

import { CAMERA, fitted } from "../src/camera";
import { counts } from "../src/fates";

test("what becomes of triangles is a sentence", () => {
  assert.equal(counts({ nan: 48, infinite: 486, behind: 1959, hidden: 0 }), "Of the triangles 1,959 are behind the viewer (w is 0 or less), 486 have a position that is infinite, 48 have a position that is not a number.");
});

test("a camera fits a mesh of any size at any place", () => {
  const camera = fitted(CAMERA, [[4.9, 5, 5], [5.1, 5, 5]]);
  assert.deepEqual(camera.target, [5, 5, 5]);
  assert.ok(Math.abs(camera.distance * Math.sin((25 * Math.PI) / 180) - 0.105) < 1e-9 && camera.near < camera.distance - 0.1);
  assert.equal(fitted(CAMERA, [[1, 1, 1], [1, 1, 1]]), CAMERA);
  assert.ok(fitted(CAMERA, [[-500, -500, -500], [500, 500, 500]]).far > 2000);
});
