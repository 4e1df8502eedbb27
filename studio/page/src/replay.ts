/** The state of a run after any of its steps, from what each step wrote. */

import type { Plain, TimePane, TraceStep } from "./types";

export interface Place {
  value: Plain;
  /** The step that wrote it; -1 for what was given. */
  step: number;
  name: string;
  kind: string;
}

/** Something that steps do again and again: the numbers of the steps, ascending, and what each left. */
interface Series<Left> {
  at: number[];
  left: Left[];
}

interface Index {
  places: Map<string, Series<Place>>;
  lines: Map<string, Map<number, Series<TraceStep>>>;
}

// So the state after any step costs as much as there are places, not as much as there are steps before it.
const indices = new WeakMap<readonly TraceStep[], Index>();

function indexOf(steps: readonly TraceStep[]): Index {
  const known = indices.get(steps);
  if (known !== undefined) {
    return known;
  }
  const index: Index = { places: new Map(), lines: new Map() };
  steps.forEach((step, at) => {
    for (const write of step.writes) {
      write.new.forEach((value, part) => {
        append(index.places, placeOf(write.register, write.components, part), at, { value, step: step.number, name: write.name, kind: "written" });
      });
    }
    if (step.file !== null && step.line !== null) {
      const lines = index.lines.get(step.file) ?? new Map<number, Series<TraceStep>>();
      index.lines.set(step.file, lines);
      append(lines, step.line, at, step);
    }
  });
  indices.set(steps, index);
  return index;
}

function append<Key, Left>(series: Map<Key, Series<Left>>, key: Key, at: number, left: Left): void {
  const found = series.get(key);
  if (found === undefined) {
    series.set(key, { at: [at], left: [left] });
  } else {
    found.at.push(at);
    found.left.push(left);
  }
}

/** What the last step among the first `count` left. */
function lastOf<Left>({ at, left }: Series<Left>, count: number): Left | undefined {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) < count) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return left[low - 1];
}

/** All places after the first `count` steps. */
export function stateAfter(time: TimePane, count: number): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const [place, given] of Object.entries(time.given)) {
    places.set(place, { value: given.value, step: -1, name: given.name, kind: given.kind });
  }
  for (const [place, series] of indexOf(time.steps).places) {
    const last = lastOf(series, count);
    if (last !== undefined) places.set(place, last);
  }
  return places;
}

export function placeOf(register: string, components: string, index: number): string {
  const letter = components[index];
  return letter === undefined ? register : `${register}.${letter}`;
}

/** For each line of a file, the last step among the first `count` that is on it. */
export function lastOnLines(steps: readonly TraceStep[], file: string, count: number): Map<number, TraceStep> {
  const lines = new Map<number, TraceStep>();
  for (const [line, series] of indexOf(steps).lines.get(file) ?? []) {
    const last = lastOf(series, count);
    if (last !== undefined) lines.set(line, last);
  }
  return lines;
}

/** For each step, how often its instruction has run by then, 0 if it runs but once; null where every instruction runs at most once. */
export function rounds(steps: readonly TraceStep[]): number[] | null {
  const counts = new Map<number, number>();
  const found = steps.map((step) => {
    const count = (counts.get(step.address) ?? 0) + 1;
    counts.set(step.address, count);
    return count;
  });
  return found.some((count) => count > 1) ? found.map((count, at) => (counts.get(steps[at]?.address ?? 0) === 1 ? 0 : count)) : null;
}

/** For each step, the first one after it in front of which the run has come back to where it was before that step, as a loop does for its next round: from there on it is of an earlier round; Infinity where its round is the last. */
export function outdated(steps: readonly TraceStep[]): number[] {
  const times = rounds(steps);
  const found = steps.map(() => Infinity);
  const before = new Map<number, number>(); // the last step at an address
  const open: number[] = []; // steps of the round that goes on
  const ended = new Set<number>();
  steps.forEach((step, at) => {
    const again = before.get(step.address);
    const isBack = again !== undefined && !ended.has(again); // otherwise it goes on in a round that has begun
    while (isBack && (open.at(-1) ?? -1) >= again) {
      const last = open.pop() ?? 0;
      ended.add(last);
      if ((times?.[last] ?? 0) > 0) found[last] = at; // what runs but once is of no round
    }
    before.set(step.address, at);
    open.push(at);
  });
  return found;
}

/** The next step on a line from a step, in a direction; null if there is none. */
export function stepOnLine(steps: readonly TraceStep[], file: string, line: number, from: number, direction: 1 | -1): number | null {
  for (let at = from + direction; at >= 0 && at < steps.length; at += direction) {
    const step = steps[at];
    if (step?.file === file && step.line === line) {
      return at;
    }
  }
  return null;
}
