import assert from "node:assert/strict";
import { test } from "node:test";

import { History, named, replaced, subject } from "../src/history";
import { begin, sessionOf } from "../src/session";
import { initial, Store } from "../src/state";
import type { State } from "../src/types";

const first: State = { files: [{ name: "a.v.pica", text: "one" }] };

test("text and values are one stack, and changes of the same thing that follow each other are one", () => {
  const store = new Store({ ...initial(), state: first });
  let told = [false, false];
  const changes = new History(store, (state, active) => { store.set({ state, active }); }, (...both) => { told = both; });
  for (const text of ["one t", "one tw", "one two"]) store.set({ state: { ...store.value.state, files: [{ name: "a.v.pica", text }] } });
  store.set({ state: { ...store.value.state, uniforms: { sun: [[1, 0, 0, 0]] } } });
  store.set({ state: { files: [{ name: "b.v.pica", text: "another" }] } });
  changes.undo();
  assert.deepEqual(store.value.state.uniforms, { sun: [[1, 0, 0, 0]] });
  changes.undo();
  assert.equal(store.value.state.uniforms, undefined);
  changes.undo();
  assert.deepEqual([store.value.state, told], [first, [false, true]]);
  changes.redo();
  assert.equal(store.value.state.files[0]?.text, "one two");
  store.set({ state: { ...store.value.state, entry: "main" } });
  assert.deepEqual(told, [true, false]);
});

test("what is replaced in a text is as small as it can be", () => {
  assert.deepEqual(replaced("add r0, r1", "add r2, r1"), { from: 5, to: 6, insert: "2" });
  assert.deepEqual(replaced("aa", "aaa"), { from: 2, to: 2, insert: "a" });
  assert.equal(subject(first, { ...first, camera: { yaw: 1 } as never }), "camera");
});

test("a recorded frame that is opened is one change, and walking among its draws is none", () => {
  const store = new Store({ ...initial(), state: first });
  const changes = new History(store, (state, active) => { store.set({ state, active }); }, () => undefined);
  const draw = (number: number): State => ({ files: [{ name: "black.v.pica", text: "end" }], draw: { file: "black.ctf", number } });
  store.set({ state: draw(0) });
  assert.equal(changes.undo(), "opening black.ctf");
  assert.deepEqual(store.value.state, first);
  assert.equal(changes.redo(), "opening black.ctf");
  store.set({ state: draw(1) });
  assert.equal(changes.undo(), "");
});

test("what was undone has a name", () => {
  const store = new Store({ ...initial(), state: { ...first, mesh: { name: "torus" } } });
  const changes = new History(store, (state, active) => { store.set({ state, active }); }, () => undefined);
  assert.equal(changes.undo(), "");
  store.set({ state: { ...store.value.state, mesh: { name: "cube" } } });
  changes.quietly(() => { store.set({ state: { ...store.value.state, camera: { yaw: 1 } as never } }); });
  assert.equal(changes.undo(), "mesh cube");
  assert.equal(changes.redo(), "mesh cube");
  assert.equal(named(first, { files: [{ name: "a.v.pica", text: "two" }], uniforms: { sun: [[1, 0, 0, 0]] } }), "text of a.v.pica, value of sun");
  assert.equal(named(first, { files: [{ name: "b.v.pica", text: "" }], mesh: { name: "cube" } }), "opening b.v.pica");
});

test("a session that does not fit is none, and one of other files is offered only", () => {
  const session = { base: "1", hash: "", state: first, active: 7, vertex: null };
  assert.deepEqual(sessionOf(JSON.parse(JSON.stringify(session))), session);
  assert.equal(sessionOf({ ...session, state: { files: [] } }), null);
  assert.equal(sessionOf({ ...session, vertex: 1.5 }), null);
  const fresh: State = { files: [{ name: "a.v.pica", text: "other" }] };
  assert.deepEqual([begin(fresh, session, "1").state, begin(fresh, session, "1").active], [first, 0]);
  const offered = begin(fresh, session, "2");
  assert.deepEqual([offered.state, offered.restored?.state], [fresh, first]);
  assert.equal(begin(first, session, "1").restored, null);
});
