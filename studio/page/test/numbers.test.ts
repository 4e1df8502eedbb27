import assert from "node:assert/strict";
import { test } from "node:test";

import { bits, exact, short } from "../src/numbers";

test("numbers are short and keep what they are", () => {
  const cases: [number | string, string][] = [
    [0, "0.0"], [-0, "−0.0"], [1, "1.0"], [-1.5, "−1.5"], [1 / 3, "0.333333"], [1e9, "1.000e9"], [1.25e-7, "1.250e−7"], [123456, "123456.0"], [999999.7, "1000000.0"], [NaN, "NaN"], [Infinity, "∞"], [-Infinity, "−∞"],
    ["NaN", "NaN"], ["-Infinity", "−∞"],
  ];
  for (const [value, text] of cases) {
    assert.equal(short(value as never), text, String(value));
  }
  assert.equal(short(null), "");
});

test("exact is the shortest number with the same float32", () => {
  assert.equal(exact(Math.fround(0.1)), "0.1");
  assert.equal(exact(16777216), "16777216");
  for (const value of [Math.PI, 1e-40, 3.4e38, -7.25].map(Math.fround)) {
    assert.equal(Math.fround(Number(exact(value))), value);
  }
});

test("bits of a float32", () => {
  assert.equal(bits(1), "3f800000");
  assert.equal(bits(-0), "80000000");
});

