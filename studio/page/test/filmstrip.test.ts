import assert from "node:assert/strict";
import { test } from "node:test";
import { apartSummary, apartText, CARD, drawAt, drawLabel, findingsText, inView, nextWanted, scrolledTo } from "../src/filmstrip";
import type { FrameDraw, FrameFinding } from "../src/types";

const NOTE: FrameFinding = { code: "F015", severity: "note", message: "a default" };
const WRONG: FrameFinding = { code: "F004", severity: "warning", message: "nothing feeds v1" };
const DRAW: FrameDraw = { number: 12, frame: 1, inFrame: 3, kind: "arrays", topology: "strip", vertices: 1292, different: 4, size: [240, 400], programs: [{ stage: "vertex", hash: "902d1be7", entry: 0, words: 14 }], changed: [], findings: [NOTE, WRONG, WRONG] };

test("only cards in view, and two on each side, are in the document, of 500 draws too", () => {
  assert.deepEqual(inView(0, 5 * CARD, 500), [0, 7]);
  assert.deepEqual(inView(100 * CARD + 1, 5 * CARD, 500), [98, 108]);
  assert.deepEqual(inView(499 * CARD, 5 * CARD, 500), [497, 500]);
  assert.deepEqual(inView(0, 5 * CARD, 0), [0, 0]);
});

test("the strip follows the chosen draw, and stays where it is in view", () => {
  assert.equal(scrolledTo(3, 0, 5 * CARD), 0);
  assert.equal(scrolledTo(7, 0, 5 * CARD), 3 * CARD);
  assert.equal(scrolledTo(2, 4 * CARD, 5 * CARD), 2 * CARD);
});

test("small pictures are asked for from the chosen draw on", () => {
  assert.equal(nextWanted([0, 8], () => false, 5), 5);
  assert.equal(nextWanted([0, 8], (draw) => draw === 5 || draw === 4, 5), 6);
  assert.equal(nextWanted([0, 8], () => true, 5), null);
});

test("keys move among draws and stop at the ends", () => {
  assert.deepEqual(["ArrowRight", "ArrowLeft", "End", "Home", "PageDown"].map((key) => drawAt(key, 3, 500, 7)), [4, 2, 499, 0, 10]);
  assert.equal(drawAt("ArrowLeft", 0, 500, 7), 0);
  assert.equal(drawAt("Enter", 3, 500, 7), null);
  assert.equal(drawAt("End", 0, 0, 7), null);
});

test("a draw has a name for screen readers", () => {
  assert.equal(findingsText(DRAW.findings), "2 findings, 1 note");
  assert.equal(drawLabel(DRAW, true), "draw 12, frame 1, 1,292 vertices, strip, vertex 902d1be7, 2 findings, 1 note, edited");
  assert.match(drawLabel({ ...DRAW, programs: [{ stage: "vertex", hash: "902d1be7", entry: 0, words: 14, sources: ["light.v.pica"] }] }, false), /, vertex light\.v\.pica, /);
  assert.match(drawLabel({ ...DRAW, topology: null, findings: [] }, false), /unknown topology.*no findings$/);
});

test("a comparison of the whole frame has a text for each draw and one for all", () => {
  const row = { number: 1, unit: "vertex" as const, compared: 1292, differ: 1 };
  assert.equal(apartText(row), "1 of 1,292 vertices differs");
  assert.equal(apartText({ ...row, unit: "corner", differ: 9 }), "9 of 1,292 corners differ");
  assert.equal(apartText({ ...row, differ: 0 }) + apartText(undefined) + apartText({ number: 3, refused: "no code" }), "");
  assert.match(drawLabel(DRAW, false, apartText(row)), /, 1 of 1,292 vertices differs$/);
  const pane = { file: "a.ctf", profiles: ["hardware", "azahar"] as [string, string], total: 500, draws: [row, { ...row, number: 2, differ: 0 }] };
  assert.equal(apartSummary(pane), "hardware against azahar: 1 draw differs, 2 of 500 compared");
  assert.equal(apartSummary({ ...pane, total: 2, draws: [] }), "hardware against azahar: no draw differs, 0 of 2 compared");
});
