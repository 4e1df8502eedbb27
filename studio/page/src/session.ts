/** What is on a page, kept by the browser: a reload, a crash and a second tab find it again. */

import { record, type Keeper } from "./storage";
import { whyNot } from "./link";
import type { App, Store } from "./state";
import type { State } from "./types";

export const MOST = 4 * 1024 * 1024; // characters of a session
const MOST_EDITS = 4096; // draws: as many as are listed
const PAUSE = 300; // milliseconds after the last change until it is kept

export interface Session {
  /** What the page would begin with by itself, as a number, and the fragment of its address. */
  base: string;
  hash: string;
  state: State;
  active: number;
  vertex: number | null;
  /** The edited draws of a recorded frame. */
  edits?: State[];
}

export function sessionOf(value: unknown): Session | null {
  const given = record(value) ?? {};
  const { base, hash, state, active, vertex, edits = [] } = given;
  if (typeof base !== "string" || typeof hash !== "string" || whyNot(state) !== "" || !Number.isInteger(active) || !(vertex === null || Number.isInteger(vertex)) || !isStates(edits)) {
    return null;
  }
  return { base, hash, state: state as State, active: active as number, vertex: vertex as number | null, ...(edits.length > 0 ? { edits } : {}) };
}

function isStates(value: unknown): value is State[] {
  return Array.isArray(value) && value.length <= MOST_EDITS && value.every((each) => whyNot(each) === "");
}

/** A short text for what a page begins with: that of another beginning is another. */
export function baseOf(value: unknown): string {
  let sum = 0x811c9dc5;
  for (const letter of JSON.stringify(value)) {
    sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return sum.toString(36);
}

/** `tab` is the storage of this tab, `all` that of all tabs of the page. */
export class Sessions {
  base = "";
  /** The states of the edited draws. */
  edits: () => State[] = () => [];
  /** Called when what is on the page does not fit, until it does again. */
  tooLarge: () => void = () => undefined;
  private isTooLarge = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly tab: Keeper, private readonly all: Keeper, private readonly store: Store) {
    store.on(["state", "active", "vertex"], () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { this.keep(); }, PAUSE);
    });
    addEventListener("pagehide", () => { this.keep(); });
  }

  /** The session of this tab, or of another one; null where the page begins with something else. */
  find(): Session | null {
    const mine = this.tab.read("session", sessionOf, MOST);
    if (mine !== null && mine.hash === location.hash) {
      return mine;
    }
    const other = location.hash === "" ? this.all.read("session", sessionOf, MOST) : null;
    return other?.base === this.base ? other : null;
  }

  keep(): void {
    clearTimeout(this.timer);
    const { state, active, vertex } = this.store.value;
    if (this.base === "" || state.files.length === 0) {
      return; // before the page has begun
    }
    const edits = state.draw === undefined ? [] : this.edits();
    const session: Session = { base: this.base, hash: location.hash, state, active, vertex, ...(edits.length > 0 ? { edits } : {}) };
    const fits = this.tab.write("session", session, MOST);
    this.all.write("session", session, MOST);
    if (!fits && !this.isTooLarge) this.tooLarge();
    this.isTooLarge = !fits;
  }
}

/** What to begin with: what the page has by itself, or what was kept, and what to say of it. */
export function begin(fresh: State, kept: Session | null, base: string): { state: State; active: number; vertex: number | null; restored: App["restored"] } {
  const own = { state: fresh, active: 0, vertex: null, restored: null };
  if (kept === null) {
    return own;
  }
  const same = JSON.stringify(kept.state) === JSON.stringify(fresh);
  if (kept.base !== base) {
    return same ? own : { ...own, restored: { text: "The files are others than at the last visit.", undo: "Back to what was on the page", state: kept.state } };
  }
  const active = Math.min(Math.max(kept.active, 0), kept.state.files.length - 1);
  return { state: kept.state, active, vertex: kept.vertex, restored: same ? null : { text: "Restored from the last visit.", undo: "Begin afresh", state: fresh } };
}
