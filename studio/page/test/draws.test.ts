import assert from "node:assert/strict";
import { test } from "node:test";
import { draws, type Lead } from "../src/draws";
import { initial, Store } from "../src/state";
import type { State } from "../src/types";

const FRAME = { file: "a.ctf", layout: "", frames: 1, missing: {}, total: 3, findings: [], draws: [0, 1, 2].map((number) => ({ number, frame: 0, in_frame: number, findings: [], programs: [], changed: [] })) };
const stateOf = (number: number): State => ({ files: [{ name: `a_${String(number)}.v.pica`, text: "end" }], draw: { file: "a.ctf", number } });

/** A page of which nothing is drawn: what it was asked, and what it was led to. */
function page() {
  const store = new Store(initial());
  const asked: [string, unknown][] = [];
  const leads: Lead[] = [];
  let more = 0;
  const wire = { ask: (kind: string, body: Record<string, unknown> = {}) => asked.push([kind, body]) };
  const found = draws(store, wire, {
    load: (state) => { store.set({ state }); },
    more: () => { more += 1; },
    lead: (lead) => { leads.push(lead); },
  });
  store.set({ frame: found.listed(FRAME) });
  const arrive = async (number: number, state: State | null = stateOf(number)): Promise<void> => {
    store.set({ draw: found.shown({ number, in_frame: number, file: "a.ctf", state }), wantedDraw: null });
    await Promise.resolve();
    found.evaluated();
  };
  return { store, asked, leads, draws: found, arrive, more: () => more };
}

test("an edit stays with its draw, and what was recorded comes back", async () => {
  const { store, draws, arrive, asked } = page();
  await arrive(0);
  const edited = { ...stateOf(0), files: [{ name: "a_0.v.pica", text: "nop" }] };
  store.set({ state: edited });
  draws.evaluated();
  assert.deepEqual([...store.value.edited], [0]);
  assert.deepEqual(asked.at(-1), ["thumbnail", { file: "a.ctf", number: 0, state: edited }]);
  draws.go(1);
  assert.deepEqual(asked.at(-1), ["draw", { file: "a.ctf", number: 1 }]);
  await arrive(1);
  assert.equal(store.value.state.files[0]?.text, "end");
  await arrive(0);
  assert.equal(store.value.state.files[0]?.text, "nop");
  draws.recorded();
  assert.equal(store.value.state.files[0]?.text, "end");
  assert.equal(store.value.edited.size, 0);
});

test("what was on the page before is no edit of a frame that is opened there", async () => {
  const { store, arrive } = page();
  const hello = { files: [{ name: "named.v.pica", text: "nop" }] } as never;
  store.set({ hello });
  await arrive(0);
  assert.deepEqual([store.value.state.files[0]?.text, store.value.edited.size], ["end", 0]);
});

test("the camera is no edit", async () => {
  const { store, draws, arrive, more } = page();
  await arrive(0);
  const before = more();
  store.set({ state: { ...stateOf(0), screen: "top", profile: "azahar" } });
  draws.evaluated();
  assert.equal(store.value.edited.size, 0);
  assert.equal(more(), before + 1);
});

test("a row leads to its draw, and to the vertex once the draw has been evaluated", async () => {
  const { leads, draws, arrive, asked } = page();
  await arrive(0);
  const lead = { vertex: 7, against: "azahar" };
  draws.go(2, lead);
  assert.deepEqual([asked.at(-1), leads], [["draw", { file: "a.ctf", number: 2 }], []]);
  await arrive(2);
  assert.deepEqual(leads, [lead]);
  draws.evaluated();
  assert.equal(leads.length, 1);
  draws.go(2, { ...lead, vertex: 8 }); // it is shown already
  assert.deepEqual(leads.map((each) => each.vertex), [7, 8]);
});

test("a later wish takes the place of a lead, and a draw that cannot run has none", async () => {
  const { leads, draws, arrive } = page();
  await arrive(0);
  draws.go(2, { vertex: 7, against: "azahar" });
  draws.go(1);
  await arrive(1);
  await arrive(2);
  draws.go(1, { vertex: null, against: "azahar" });
  await arrive(1, null);
  await arrive(1);
  assert.deepEqual(leads, []);
});

test("numbers past the ends are no draws", async () => {
  const { draws, arrive, asked } = page();
  await arrive(2);
  draws.go(3);
  draws.go(-1);
  draws.go(2);
  assert.deepEqual(asked, []);
});

test("rows of a comparison are put together, and those of another file are left out", () => {
  const { store, draws } = page();
  const part = (at: number, numbers: number[], file = "a.ctf") => ({ file, profiles: ["hardware", "azahar"], total: 3, at, draws: numbers.map((number) => ({ number })) });
  for (const each of [part(0, [0]), part(1, [1, 2]), part(0, [9], "b.ctf")]) {
    store.set({ apart: draws.compared(each) });
  }
  assert.deepEqual(store.value.apart?.draws.map((row) => row.number), [0, 1, 2]);
  store.set({ apart: draws.compared(part(0, [0])) });
  assert.equal(store.value.apart?.draws.length, 1);
});
