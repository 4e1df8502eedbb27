/** What the colours of the mesh view mean: numbers and names, so that legend and picture come from one place. */

import type { MeshHead, Numbers } from "./types";

export const FLAGS = [
  { bit: 1, name: "NaN", text: "a component of the position is NaN", says: "has a NaN in its position" },
  { bit: 2, name: "infinite", text: "a component of the position is infinite", says: "has an infinite position" },
  { bit: 4, name: "w ≤ 0", text: "w is 0 or less: behind the viewer", says: "has w at or below 0" },
  { bit: 8, name: "outside", text: "outside the clip volume", says: "is outside the clip volume" },
  { bit: 16, name: "stopped", text: "the program stopped without end", says: "stopped without end" },
] as const;

export const VISIBLE = 255;
const UNFOLLOWED = 65535;

/** Okabe and Ito's colours, which people who see few colours tell apart too; the first is for what is right. */
export const PALETTE: readonly [number, number, number][] = [
  [0.62, 0.68, 0.76], [0.84, 0.37, 0.0], [0.0, 0.45, 0.7], [0.8, 0.47, 0.65], [0.0, 0.62, 0.45], [0.9, 0.62, 0.0], [0.34, 0.71, 0.91], [0.94, 0.89, 0.26],
];

export function css(colour: readonly [number, number, number]): string {
  return `rgb(${colour.map((part) => String(Math.round(part * 255))).join(" ")})`;
}

export function categoryColour(number: number): [number, number, number] {
  const found = PALETTE[number < PALETTE.length ? number : 1 + ((number - 1) % (PALETTE.length - 1))];
  return found ? [...found] : [0.5, 0.5, 0.5];
}

/** The worst flag of each vertex as a category: 0 none, else its number in FLAGS and 1. */
export function flagCategories(flags: Numbers): Float32Array {
  const found = new Float32Array(flags.length);
  for (let at = 0; at < flags.length; at += 1) {
    const value = flags[at] ?? 0;
    found[at] = value === 0 ? 0 : value & 1 ? 1 : value & 2 ? 2 : value & 16 ? 5 : value & 4 ? 3 : 4;
  }
  return found;
}

/** Names of the flags of a vertex, for tables. */
export function flagNames(value: number): string {
  return FLAGS.filter((flag) => value & flag.bit)
    .map((flag) => flag.name)
    .join(" ");
}

/** The least and greatest finite value of the first three components; 0 and 1 where they leave nothing to stretch. */
export function range(values: Numbers, size: number): { low: number[]; high: number[] } {
  const count = Math.min(size, 3);
  const low = new Array<number>(count).fill(Infinity);
  const high = new Array<number>(count).fill(-Infinity);
  for (let at = 0; at < values.length; at += size) {
    for (let k = 0; k < count; k += 1) {
      const value = values[at + k] ?? NaN;
      if (Number.isFinite(value)) {
        if (value < (low[k] ?? 0)) low[k] = value;
        if (value > (high[k] ?? 0)) high[k] = value;
      }
    }
  }
  // values that are colours already stay what they are
  if (Math.min(...low) >= 0 && Math.max(...high) <= 1) {
    return { low: low.map(() => 0), high: high.map(() => 1) };
  }
  return { low: low.map((value) => (Number.isFinite(value) ? value : 0)), high: high.map((value, k) => (value > (low[k] ?? 0) ? value : (low[k] ?? 0) + 1)) };
}

const SHADE = 1 / 64; // colours that differ by less are one to the eye

/** The colour of all vertices, if they have but one; null where colours differ. Components are cut to 0 to 1, NaN are left out. */
export function oneColour(values: Numbers): [number, number, number] | null {
  const low = [1, 1, 1];
  const high = [0, 0, 0];
  for (let at = 0; at < values.length; at += 4) {
    for (let k = 0; k < 3; k += 1) {
      const value = Math.min(Math.max(values[at + k] ?? NaN, 0), 1);
      if (value < (low[k] ?? 1)) low[k] = value;
      if (value > (high[k] ?? 0)) high[k] = value;
      if ((high[k] ?? 0) - (low[k] ?? 1) > SHADE) {
        return null;
      }
    }
  }
  return [high[0] ?? 0, high[1] ?? 0, high[2] ?? 0];
}

/** How a colour looks where only light shows the shape: one that is too dark for that is grey. */
export function visibleColour(colour: readonly [number, number, number]): readonly [number, number, number] {
  return Math.max(...colour) < 0.2 ? NEUTRAL : colour;
}

export const NEUTRAL: readonly [number, number, number] = [0.72, 0.76, 0.82];

/** Triangles in the order of their fates, visible ones first: the indices, and where each fate begins. */
export function byFate(indices: Numbers, fates: Numbers): { indices: Uint32Array; groups: { fate: number; start: number; count: number }[] } {
  const counts = new Uint32Array(256);
  for (const fate of fates) {
    counts[fate] = (counts[fate] ?? 0) + 1;
  }
  const order = [VISIBLE, ...Array.from({ length: 255 }, (_, fate) => fate)].filter((fate) => (counts[fate] ?? 0) > 0);
  const starts = new Uint32Array(256);
  const groups: { fate: number; start: number; count: number }[] = [];
  let at = 0;
  for (const fate of order) {
    starts[fate] = at;
    const count = (counts[fate] ?? 0) * 3;
    groups.push({ fate, start: at, count });
    at += count;
  }
  const sorted = new Uint32Array(fates.length * 3);
  for (let triangle = 0; triangle < fates.length; triangle += 1) {
    const fate = fates[triangle] ?? 0;
    const to = starts[fate] ?? 0;
    for (let k = 0; k < 3; k += 1) {
      sorted[to + k] = indices[triangle * 3 + k] ?? 0;
    }
    starts[fate] = to + 3;
  }
  return { indices: sorted, groups };
}

export interface LegendEntry {
  name: string;
  colour: string;
  count: number;
  text: string;
}

/** What a colouring shows, with numbers. */
export function legend(colouring: string, head: MeshHead, arrays: ReadonlyMap<string, { data: Numbers }>, paths: readonly { text: string; vertices: number }[] | null): LegendEntry[] {
  if (colouring === "flags") {
    const counts = new Array<number>(FLAGS.length + 1).fill(0);
    for (const category of flagCategories(arrays.get("flags")?.data ?? new Uint8Array())) {
      counts[category] = (counts[category] ?? 0) + 1;
    }
    return [{ name: "inside", text: "inside the clip volume" }, ...FLAGS].flatMap((flag, index) =>
      (counts[index] ?? 0) > 0 ? [{ name: flag.name, text: flag.text, count: counts[index] ?? 0, colour: css(categoryColour(index)) }] : [],
    );
  }
  if (colouring === "fate") {
    const fates = arrays.get("fate")?.data ?? new Uint8Array();
    return byFate(new Uint32Array(fates.length * 3), fates).groups.map(({ fate, count }) => ({
      name: fate === VISIBLE ? "visible" : (head.fates[fate] ?? "?"),
      text: "triangles",
      count: count / 3,
      colour: css(categoryColour(fate === VISIBLE ? 0 : fate + 1)),
    }));
  }
  if (colouring === "path") {
    const unknown = (arrays.get("path")?.data ?? new Uint16Array()).filter((path: number) => path === UNFOLLOWED).length;
    const rest = unknown === 0 ? [] : [{ name: "not followed", text: "so many steps are not followed", count: unknown, colour: css(categoryColour(UNFOLLOWED)) }];
    return [...(paths ?? []).slice(0, 12).map((path, index) => ({ name: `path ${String(index + 1)}`, text: path.text, count: path.vertices, colour: css(categoryColour(index)) })), ...rest];
  }
  if (colouring === "differs") {
    const data = arrays.get("differs")?.data ?? new Uint8Array();
    let count = 0;
    for (const value of data) {
      count += value === 0 ? 0 : 1;
    }
    return [
      { name: "equal", text: "the same bits on both sides", count: data.length - count, colour: css(categoryColour(0)) },
      { name: "different", text: "differs in at least one component", count, colour: css(categoryColour(1)) },
    ];
  }
  return [];
}
