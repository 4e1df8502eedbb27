/** The state of a run after any of its steps, from what each step wrote. */

import type { Plain, TimePane, TraceStep } from "./types";

export interface Place {
  value: Plain;
  /** The step that wrote it; -1 for what was given. */
  step: number;
  name: string;
  kind: string;
}

/** All places after the first `count` steps. */
export function stateAfter(time: TimePane, count: number): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const [place, given] of Object.entries(time.given)) {
    places.set(place, { value: given.value, step: -1, name: given.name, kind: given.kind });
  }
  for (const step of time.steps.slice(0, count)) {
    for (const write of step.writes) {
      write.new.forEach((value, index) => {
        places.set(placeOf(write.register, write.components, index), { value, step: step.number, name: write.name, kind: "written" });
      });
    }
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
  for (const step of steps.slice(0, count)) {
    if (step.file === file && step.line !== null) {
      lines.set(step.line, step);
    }
  }
  return lines;
}

/** For each step, how often its instruction has run by then; null where every instruction runs at most once. */
export function passes(steps: readonly TraceStep[]): number[] | null {
  const counts = new Map<number, number>();
  const found = steps.map((step) => {
    const count = (counts.get(step.address) ?? 0) + 1;
    counts.set(step.address, count);
    return count;
  });
  return found.some((count) => count > 1) ? found : null;
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
