import assert from "node:assert/strict";
import { test } from "node:test";

import { lastOnLines, outdated, rounds, stateAfter, stepOnLine } from "../src/replay";
import type { TimePane, TraceStep } from "../src/types";

const step = (number: number, line: number, register: string, components: string, values: number[]): TraceStep => ({
  number, address: line, instruction: "", file: "a", line, operands: [], decisions: [], notes: [],
  writes: [{ register, name: register, components, old: [], new: values }],
});
const time: TimePane = {
  sources: [], run: null,
  subject: "vertex 0", vertex: 0, given: { "v0.x": { kind: "input", value: 4, name: "position" } }, results: {},
  steps: [step(0, 1, "r0", "xy", [1, 2]), step(1, 2, "r0", "y", [3]), step(2, 1, "r0", "x", [5]), step(3, 9, "aL", "", [1])],
};

test("the state after any number of steps, forward and backward", () => {
  const values = (count: number): Record<string, unknown> => Object.fromEntries([...stateAfter(time, count)].map(([place, value]) => [place, value.value]));
  assert.deepEqual(values(0), { "v0.x": 4 });
  assert.deepEqual(values(2), { "v0.x": 4, "r0.x": 1, "r0.y": 3 });
  assert.deepEqual(values(4), { "v0.x": 4, "r0.x": 5, "r0.y": 3, aL: 1 });
  assert.deepEqual(values(1), { "v0.x": 4, "r0.x": 1, "r0.y": 2 });
  assert.equal(stateAfter(time, 2).get("r0.y")?.step, 1);
});

test("the last step of each line so far", () => {
  assert.deepEqual([...lastOnLines(time.steps, "a", 2)].map(([line, one]) => [line, one.number]), [[1, 0], [2, 1]]);
  assert.deepEqual([...lastOnLines(time.steps, "a", 3)].map(([line, one]) => [line, one.number]), [[1, 2], [2, 1]]);
  assert.equal(lastOnLines(time.steps, "b", 4).size, 0);
});

test("the next time on a line, in both directions", () => {
  assert.equal(stepOnLine(time.steps, "a", 1, 0, 1), 2);
  assert.equal(stepOnLine(time.steps, "a", 1, 2, -1), 0);
  assert.equal(stepOnLine(time.steps, "a", 1, 2, 1), null);
});

test("a step says how often its instruction has run, where one runs again", () => {
  const at = (...addresses: number[]) => addresses.map((address, number) => ({ number, address })) as unknown as TraceStep[];
  assert.deepEqual(rounds(at(0, 1, 2, 1, 2, 1, 3)), [0, 1, 1, 2, 2, 3, 0]);
  assert.equal(rounds(at(0, 1, 2)), null);
  // in the second round what the first has left is old; what is before the loop, and what two calls share, is not
  const never = Infinity;
  assert.deepEqual(outdated(at(0, 1, 2, 1, 2, 1, 3)), [never, 3, 3, 5, 5, never, never]);
  assert.deepEqual(outdated(at(0, 1, 1, 2, 0, 1, 2)), [4, 2, 4, 4, never, never, never]);
  assert.deepEqual(outdated(at(0, 7, 8, 1, 7, 8, 2)), [never, 4, 4, never, never, never, never]);
});

test("the state after any number of steps is that of doing them one after another", () => {
  let seed = 7;
  const random = (most: number): number => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % most; };
  const steps = Array.from({ length: 300 }, (_, number) => step(number, 1 + random(9), `r${String(random(5))}`, ["x", "xy", "xyzw", ""][random(4)] ?? "", Array.from({ length: 4 }, () => random(100))));
  for (const each of steps) for (const write of each.writes) write.new.length = Math.max(write.components.length, 1);
  const run = { ...time, steps };
  const places = new Map<string, unknown>([["v0.x", 4]]);
  const lines = new Map<number, number>();
  for (let count = 0; count <= steps.length; count += 1) {
    const found = new Map([...stateAfter(run, count)].map(([place, value]) => [place, value.value]));
    assert.deepEqual(found, places);
    assert.deepEqual(new Map([...lastOnLines(steps, "a", count)].map(([line, one]) => [line, one.number])), lines);
    const next = steps[count];
    for (const write of next?.writes ?? []) write.new.forEach((value, part) => places.set(write.components === "" ? write.register : `${write.register}.${write.components[part] ?? ""}`, value));
    if (next?.line !== null && next !== undefined) lines.set(next.line, next.number);
  }
});
