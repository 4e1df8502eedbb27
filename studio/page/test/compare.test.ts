import assert from "node:assert/strict";
import { test } from "node:test";
import { seenText } from "../src/panes/compare";

test("a difference is told as what can be seen of it", () => {
  const screen = { width: 400, height: 240 };
  assert.equal(seenText({ seen: { ...screen, pixels: 0.0123, colour: 0.0074 } }), "It can hardly be seen: on the 400×240 screen a vertex moves by 0.012 pixels at most, a colour changes by 0.0074 of 255 at most.");
  assert.match(seenText({ seen: { ...screen, pixels: 0.5, colour: 0 } }), /^It can be seen: /);
  assert.equal(seenText({ seen: null }), "");
});
