import assert from "node:assert/strict";
import { test } from "node:test";

import { initial, remember, remembered } from "../src/state";
import { Keeper, recordOf } from "../src/storage";

/** A storage of a browser. */
function browser(entries: Record<string, string> = {}) {
  const map = new Map(Object.entries(entries));
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

const LOOK = { theme: "dark", space: "clip", wireframe: true, tabs: { middle: "graph" } };

test("what is kept comes back, under a name of this page only", () => {
  const storage = browser({ theme: "of another server" });
  remember(new Keeper("studio", () => storage), { ...initial(), ...LOOK } as never);
  assert.deepEqual([...storage.map.keys()], ["theme", "lanewise.studio.look"]);
  const keeper = new Keeper("studio", () => storage);
  assert.deepEqual(remembered(keeper), LOOK);
  assert.equal(keeper.problem, "");
  assert.deepEqual(remembered(new Keeper("playground", () => storage)), {});
});

test("what is damaged, huge or of another version gives a sentence and a fresh start", () => {
  const entry = (value: unknown, version: unknown = 1): string => JSON.stringify({ version, value });
  const wrong = [
    "", "{", "3", "null", "[]", "{}", `"${"x".repeat(10)}"`, "[".repeat(50_000), entry(LOOK, 2), entry(LOOK, "1"), entry(null), entry([]), entry("dark"),
    entry({ ...LOOK, theme: "pink" }), entry({ ...LOOK, theme: 3 }), entry({ ...LOOK, space: null }), entry({ ...LOOK, wireframe: "yes" }), entry({ ...LOOK, tabs: "x" }),
    entry({ ...LOOK, tabs: { middle: 3 } }), entry({ ...LOOK, tabs: { middle: "x".repeat(100) } }), entry({ ...LOOK, more: "x".repeat(100_000) }),
    entry({ ...LOOK, tabs: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`t${String(index)}`, "a"])) }),
  ];
  for (const text of wrong) {
    const storage = browser({ "lanewise.studio.look": text });
    const keeper = new Keeper("studio", () => storage);
    assert.deepEqual(remembered(keeper), {}, text.slice(0, 80));
    assert.match(keeper.problem, /begins afresh/);
    assert.equal(storage.map.size, 0, "the next visit says nothing");
  }
});

test("shares of splits are numbers between 0 and 1", () => {
  const shares = recordOf((value) => (typeof value === "number" && value > 0 && value < 1 ? value : null));
  assert.deepEqual(shares({ left: 0.25 }), { left: 0.25 });
  for (const wrong of [null, 3, [], [0.5], { left: "0.5" }, { left: 7 }, { left: null }]) {
    assert.equal(shares(wrong), null);
  }
});

test("a browser that keeps nothing, or no more, is no problem", () => {
  const blocked = new Keeper("studio", () => { throw new Error("SecurityError"); });
  const full = new Keeper("studio", () => ({ ...browser(), setItem: () => { throw new Error("QuotaExceededError"); } }));
  for (const keeper of [blocked, full]) {
    remember(keeper, initial());
    assert.deepEqual(remembered(keeper), {});
    assert.equal(keeper.problem, "");
  }
});
