import assert from "node:assert/strict";
import { test } from "node:test";

import { compiledRules, pieces } from "../src/language";

const rules = compiledRules({
  rules: [
    { pattern: ";[^\\n]*", kinds: ["comment"], end: "" },
    { pattern: "/\\*", kinds: ["block comment"], end: "\\*/" },
    { pattern: "(\\.proc)([ \\t]+)([a-z]+)", kinds: ["directive", "text", "procedure"], end: "" },
    { pattern: "(?<![a-z])(?:mov|add)(?![a-z])", kinds: ["instruction"], end: "" },
    { pattern: "[a-z]+", kinds: ["name"], end: "" },
  ],
});

const kinds = (line: string): [string, string][] => {
  let from = 0;
  return pieces(rules, line, null).pieces.map(([to, kind]) => {
    const piece: [string, string] = [line.slice(from, to), kind];
    from = to;
    return piece;
  });
};

test("each piece has the kind of its rule, and all letters are in one", () => {
  assert.deepEqual(kinds("mov moved ; add"), [["mov", "instruction"], [" ", "text"], ["moved", "name"], [" ", "text"], ["; add", "comment"]]);
  assert.deepEqual(kinds(".proc main"), [[".proc", "directive"], [" ", "text"], ["main", "procedure"]]);
});

test("a comment of several lines goes on until its end", () => {
  const first = pieces(rules, "add /* a", null);
  assert.equal(first.open?.kinds[0], "block comment");
  const second = pieces(rules, "b */ mov", first.open);
  assert.equal(second.open, null);
  assert.deepEqual(second.pieces, [[4, "block comment"], [5, "text"], [8, "instruction"]]);
});

test("a rule that this engine cannot read is left out", () => {
  assert.equal(compiledRules({ rules: [{ pattern: "(", kinds: ["name"], end: "" }, { pattern: "a", kinds: ["name"], end: "" }] }).length, 1);
});
