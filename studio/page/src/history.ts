/** One stack of what was changed: text, values, meshes, examples and presets. */

import type { Store } from "./state";
import type { MeshChoice, State } from "./types";

const MOST = 300;
const TOGETHER = 900; // milliseconds within which changes of the same thing are one

interface Moment {
  state: State;
  active: number;
}

/** What two states differ in: a text for changes that are one when they follow each other, empty for others. */
export function subject(before: State, after: State): string {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof State)[];
  const changed = keys.filter((key) => before[key] !== after[key]);
  const [only] = changed;
  if (changed.length !== 1 || only === undefined) {
    return "";
  }
  if (only === "files") {
    const files = before.files.length === after.files.length ? after.files.filter((file, index) => file !== before.files[index]) : [];
    return files.length === 1 && before.files.some((file) => file.name === files[0]?.name) ? `text ${files[0]?.name ?? ""}` : "";
  }
  if (only === "uniforms" || only === "inputs") {
    const [old, now] = [before[only] ?? {}, after[only] ?? {}];
    return `${only} ${Object.keys({ ...old, ...now }).filter((name) => old[name] !== now[name]).join(" ")}`;
  }
  return only === "camera" ? only : "";
}

const NAMES: Partial<Record<keyof State, string>> = {
  camera: "camera", profile: "profile", set: "profile", entry: "program", options: "options", screen: "screen", cull: "culled faces", topology: "topology", color: "colour", primitive: "primitives",
};

/** What two states differ in, as a user calls it; `titles` of the shapes that come with the studio. */
export function named(before: State, after: State, titles: readonly MeshChoice[] = []): string {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof State)[];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const names = (state: State): string => state.files.map((file) => file.name).join(", ");
  if (before.draw === undefined && after.draw !== undefined) {
    return `opening ${after.draw.file}`;
  }
  if (names(before) !== names(after)) {
    return `opening ${names(after)}`;
  }
  const found = changed.flatMap((key): string[] => {
    if (key === "files") {
      return after.files.filter((file, index) => JSON.stringify(file) !== JSON.stringify(before.files[index])).map((file) => `text of ${file.name}`);
    }
    if (key === "uniforms" || key === "inputs") {
      const [old, now] = [before[key] ?? {}, after[key] ?? {}];
      return Object.keys({ ...old, ...now }).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name])).map((name) => `${key === "uniforms" ? "value of" : "attribute"} ${name}`);
    }
    if (key === "mesh") {
      const mesh = after.mesh ?? { name: "" };
      const name = "file" in mesh ? mesh.file : (titles.find((each) => each.name === mesh.name)?.title ?? mesh.name);
      return [`mesh ${name}`.trim()];
    }
    return [NAMES[key] ?? key];
  });
  const different = [...new Set(found)].filter((name, _, all) => name !== "camera" || all.length === 1); // the camera follows the mesh
  return different.length > 3 ? `${different.slice(0, 3).join(", ")} and ${String(different.length - 3)} more` : different.join(", ");
}

export class History {
  private readonly past: Moment[] = [];
  private future: Moment[] = [];
  private now: Moment;
  private last = { subject: "", at: 0 };
  private walking = false;

  /** `show` puts a moment on the page; `told` is called when there is more or less to undo. */
  constructor(private readonly store: Store, private readonly show: (state: State, active: number) => void, private readonly told: (undo: boolean, redo: boolean) => void) {
    this.now = { state: store.value.state, active: store.value.active };
    store.on(["state"], ({ state, active }) => {
      this.changed({ state, active });
    });
  }

  private changed(next: Moment): void {
    const before = this.now;
    this.now = next;
    if (this.walking || before.state === next.state) {
      return;
    }
    const { draw } = before.state;
    if (before.state.files.length === 0 || (draw !== undefined && (draw.number !== next.state.draw?.number || draw.file !== next.state.draw.file))) {
      this.past.length = 0; // the beginning, and what follows a draw of a recorded frame, which is not a change
    } else {
      const what = subject(before.state, next.state);
      const at = performance.now();
      if (what === "" || what !== this.last.subject || at - this.last.at > TOGETHER || this.past.length === 0) {
        this.past.push(before);
        if (this.past.length > MOST) this.past.shift();
      }
      this.last = { subject: what, at };
    }
    this.future = [];
    this.told(this.past.length > 0, false);
  }

  /** What the page changes by itself: it goes with what came before. */
  quietly(change: () => void): void {
    this.walking = true;
    try {
      change();
    } finally {
      this.walking = false;
      this.now = { state: this.store.value.state, active: this.store.value.active };
    }
  }

  /** What was undone, by name; empty where there is nothing to undo. */
  undo(): string {
    const after = this.store.value.state;
    return this.go(this.past, this.future) ? named(this.store.value.state, after, this.store.value.hello?.meshes) : "";
  }

  /** What was done again. */
  redo(): string {
    const before = this.store.value.state;
    return this.go(this.future, this.past) ? named(before, this.store.value.state, this.store.value.hello?.meshes) : "";
  }

  private go(from: Moment[], to: Moment[]): boolean {
    const moment = from.pop();
    if (moment === undefined) {
      return false;
    }
    to.push({ state: this.store.value.state, active: this.store.value.active });
    this.last = { subject: "", at: 0 };
    this.walking = true;
    try {
      this.show(moment.state, moment.active);
    } finally {
      this.walking = false;
      this.now = { state: this.store.value.state, active: this.store.value.active };
    }
    this.told(this.past.length > 0, this.future.length > 0);
    return true;
  }
}

/** Whether a key is that of undo (-1) or redo (1) for the whole page; fields that are being written in keep theirs. */
export function undoKey(event: KeyboardEvent): number {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) {
    return 0;
  }
  const key = event.key.toLowerCase();
  const by = key === "z" ? (event.shiftKey ? 1 : -1) : key === "y" && !event.shiftKey ? 1 : 0;
  const field = event.target instanceof HTMLInputElement && ["text", "search", "number"].includes(event.target.type) && !event.target.classList.contains("number-input");
  return field ? 0 : by;
}

/** The part of a text that another one replaces: as small as it can be, so that cursors stay. */
export function replaced(old: string, next: string): { from: number; to: number; insert: string } {
  let from = 0;
  const least = Math.min(old.length, next.length);
  while (from < least && old[from] === next[from]) from += 1;
  let end = 0;
  while (end < least - from && old[old.length - 1 - end] === next[next.length - 1 - end]) end += 1;
  return { from, to: old.length - end, insert: next.slice(from, next.length - end) };
}
