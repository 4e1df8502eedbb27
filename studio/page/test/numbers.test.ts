import assert from "node:assert/strict";
import { test } from "node:test";

import cases from "../../tests/numbers.json";
import { stopOf } from "../src/answers";
import { bits, exact, numberIn, short, typed } from "../src/numbers";

test("numbers are short and keep what they are", () => {
  for (const [value, text] of cases as [number | string, string][]) {
    assert.equal(short(value as never), text, String(value));
  }
  for (const [value, text] of [[NaN, "NaN"], [Infinity, "∞"], [-Infinity, "−∞"], [true, "true"]] as const) {
    assert.equal(short(value), text);
    assert.equal(exact(value), text);
  }
  assert.equal(short(null), "");
});

test("exact is the shortest number with the same float32, as numbers are written everywhere", () => {
  assert.equal(exact(Math.fround(-0.1)), "−0.1");
  assert.equal(exact(-0), "−0");
  assert.equal(exact("-Infinity"), "−∞");
  assert.equal(exact(1e-40), "1e−40");
});

test("what is copied from a table can be typed into a field", () => {
  for (const value of [-0.5, 1.25e-7, -3.25e8, 0]) {
    assert.equal(numberIn(short(value)), value);
  }
  assert.equal(numberIn("0,5"), 0.5);
  assert.ok([" ", "a", "1 2"].every((text) => Number.isNaN(numberIn(text))));
});

test("the sentence of a stop has the signs of its numbers", () => {
  const stop = (reason: string): string => stopOf({ found: true, position: 1, reason }).text;
  assert.equal(stop("outpos.x = -0.5, was -1 (x-y)"), "outpos.x = −0.5, was −1 (x-y)");
});

test("what a field holds is the shortest number with the same float32", () => {
  assert.equal(typed(Math.fround(0.1)), "0.1");
  assert.equal(typed(16777216), "16777216");
  for (const value of [Math.PI, 1e-40, 3.4e38, -7.25].map(Math.fround)) {
    assert.equal(Math.fround(Number(typed(value))), value);
  }
});

test("bits of a float32", () => {
  assert.equal(bits(1), "3f800000");
  assert.equal(bits(-0), "80000000");
});

