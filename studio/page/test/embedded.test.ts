import assert from "node:assert/strict";
import { test } from "node:test";

import { embedded } from "../../playground/src/embedded";
import { initial, Store, type App } from "../src/state";

function page(): { store: Store; done: string[] } {
  const store = new Store(initial());
  const done: string[] = [];
  embedded(store, { pick: (vertex) => { done.push(`pick ${String(vertex)}`); }, seek: (step) => { done.push(`seek ${String(step)}`); } }, () => { done.push("ready"); });
  return { store, done };
}

test("inside another page a vertex is picked, and that page learns once when its values are there", () => {
  const { store, done } = page();
  store.set({ mesh: { head: { vertices: 3 }, arrays: new Map() } as unknown as App["mesh"] });
  assert.deepEqual(done, ["pick 0"]);
  store.set({ vertex: 0, time: { steps: [{}, {}], complete: false } as unknown as App["time"] });
  assert.deepEqual(done, ["pick 0"], "all steps are wanted");
  store.set({ time: { steps: [{}, {}, {}], complete: true } as unknown as App["time"] });
  assert.deepEqual(done, ["pick 0", "seek 3", "ready"]);
  store.set({ time: { steps: [{}], complete: true } as unknown as App["time"] });
  assert.equal(done.length, 3);
});

test("a program with errors is something to see", () => {
  const { store, done } = page();
  store.set({ source: { ok: false } as unknown as App["source"] });
  assert.deepEqual(done, ["ready"]);
});
