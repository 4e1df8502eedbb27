/** Draws of a recorded frame: the one that is shown, the edits that stay with each, small pictures, and what profiles make of all of them. */

import type { Store } from "./state";
import type { ApartPane, DrawPane, FramePane, State, Thumbnail } from "./types";
import type { Wire } from "./wire";

export interface Draws {
  /** The list of a file has come. */
  listed(value: unknown): FramePane;
  /** A draw has come: its state is loaded. */
  shown(value: unknown): DrawPane;
  /** The small picture of a draw has come. */
  small(of: { file: string; number: number }, picture: Thumbnail): void;
  /** Rows of a comparison of the whole frame have come. */
  compared(value: unknown): ApartPane | null;
  /** Open a file at one of its draws, by number or by name. */
  open(file: string, draw: { number: number } | { name: string }): void;
  /** Look at a draw, and at one of its vertices where another profile is asked about it. */
  go(number: number, leads?: Lead): void;
  /** The draw that is shown has been evaluated. */
  evaluated(): void;
  /** Put what was recorded in place of the edited draw. */
  recorded(): void;
  /** The states of the edited draws. */
  edits(): State[];
  /** Open a file again at the draw of a state, with the edited draws of the last visit. */
  resume(state: State, edits: readonly State[], shown: () => void): void;
}

/** Where a row of a comparison leads: a vertex, and the profile of the comparison. */
export interface Lead {
  vertex: number | null;
  against: string;
}

/** What happens to the page. */
export interface Page {
  load(state: State): void;
  /** Ask for the next small picture. */
  more(): void;
  /** Show a vertex of the draw, and compare it with another profile. */
  lead(lead: Lead): void;
}

export function draws(store: Store, wire: Pick<Wire, "ask">, page: Page): Draws {
  const edits = new Map<number, State>(); // states of draws that were edited, by number
  let recordedState = ""; // of the draw that is shown, as it was recorded
  let beginning = false;
  let pictured = "";
  let leads: { number: number; lead: Lead } | null = null;
  let resumed: { state: State; shown: () => void } | null = null; // what the draw that comes next is shown with

  /** Whether the state differs from the recording: camera and such are no edits. */
  function isEdited(state: State): boolean {
    return recordedState !== "" && changesOf(state) !== recordedState;
  }

  function keepEdit(draw: DrawPane | null, state: State): void {
    if (draw === null || state.draw?.number !== draw.number || draw.state === null) {
      return;
    }
    const is = isEdited(state);
    if (is) edits.set(draw.number, state);
    else edits.delete(draw.number);
    if (is !== store.value.edited.has(draw.number)) {
      store.set({ edited: new Set(edits.keys()) });
    }
  }

  function begin(draw: DrawPane): void {
    if (draw.state === null) {
      recordedState = "";
      leads = null;
      store.set({ mesh: null, time: null, data: null, words: null, graph: null, why: null, vertex: null, triangle: null, source: null, stale: false, state: { files: [] }, active: 0, note: null });
      return;
    }
    recordedState = changesOf(draw.state);
    const { hello } = store.value;
    if (resumed?.state.draw?.number === draw.number) {
      beginning = true;
      const { state, shown } = resumed;
      resumed = null;
      page.load(state);
      shown();
      store.set({ edited: new Set(edits.keys()) });
      return;
    }
    const first = !beginning && hello?.draw?.file === draw.file && hello.files.length > 0; // sources that were named beside the frame run with its first draw
    beginning = true;
    page.load(edits.get(draw.number) ?? (first ? { ...draw.state, files: hello?.files ?? [] } : draw.state));
  }

  /** After a run of an edited draw: its small picture. */
  function picture(): void {
    const { draw, state, frame } = store.value;
    if (draw === null || frame === null || state.draw?.number !== draw.number || store.value.stale) {
      page.more();
      return;
    }
    keepEdit(draw, state);
    const now = `${String(draw.number)} ${changesOf(state)}`;
    if (now !== pictured && (edits.has(draw.number) || pictured.startsWith(`${String(draw.number)} `))) {
      wire.ask("thumbnail", { file: frame.file, number: draw.number, ...(edits.has(draw.number) ? { state } : {}) });
    } else {
      page.more();
    }
    pictured = now;
  }

  return {
    listed: (value) => {
      const frame = camel(value) as unknown as FramePane;
      frame.draws = frame.draws.map((draw) => camel(draw) as unknown as FramePane["draws"][number]);
      return frame;
    },
    shown: (value) => {
      const draw = camel(value) as unknown as DrawPane;
      queueMicrotask(() => {
        begin(draw);
      });
      return draw;
    },
    small: ({ file, number }, picture) => {
      if (store.value.frame?.file === file) {
        store.set({ thumbnails: new Map([...store.value.thumbnails, [number, picture]]) });
      }
    },
    compared: (value) => {
      const part = value as ApartPane & { at: number };
      const before = store.value.apart;
      if (store.value.frame?.file !== part.file) {
        return before;
      }
      return part.at === 0 || before === null ? part : { ...before, draws: [...before.draws, ...part.draws] };
    },
    open: (file, draw) => {
      edits.clear();
      leads = resumed = null;
      wire.ask("frame", { file });
      wire.ask("draw", { file, ...draw });
    },
    go: (number, lead) => {
      const { frame, draw, state, wantedDraw } = store.value;
      if (frame === null || number < 0 || number >= frame.draws.length) {
        return;
      }
      leads = lead === undefined ? null : { number, lead };
      const isAway = wantedDraw === null && draw?.state != null && state.draw === undefined; // something else was opened since
      if (number === (wantedDraw ?? draw?.number) && !isAway) {
        if (wantedDraw === null && lead !== undefined && draw?.state !== null) {
          leads = null;
          page.lead(lead);
        }
        return;
      }
      keepEdit(draw, state);
      store.set({ wantedDraw: number });
      wire.ask("draw", { file: frame.file, number });
    },
    evaluated: () => {
      picture();
      const { draw, wantedDraw, stale } = store.value;
      if (leads !== null && wantedDraw === null && leads.number === draw?.number && !stale) {
        const { lead } = leads;
        leads = null;
        page.lead(lead);
      }
    },
    edits: () => {
      const { draw, state } = store.value;
      keepEdit(draw, state);
      return [...edits.values()];
    },
    resume: (state, states, shown) => {
      const { file = "", number = 0 } = state.draw ?? {};
      edits.clear();
      for (const each of states) {
        if (each.draw?.file === file) edits.set(each.draw.number, each);
      }
      resumed = { state, shown };
      wire.ask("frame", { file });
      wire.ask("draw", { file, number });
    },
    recorded: () => {
      const { draw } = store.value;
      if (draw?.state !== null && draw?.state !== undefined) {
        edits.delete(draw.number);
        store.set({ edited: new Set(edits.keys()) });
        page.load(draw.state);
      }
    },
  };
}

function camel(value: unknown): Record<string, unknown> {
  const { in_frame: inFrame, ...rest } = value as Record<string, unknown>;
  return { ...rest, inFrame };
}

function changesOf(state: State): string {
  return JSON.stringify([state.files, state.inputs ?? {}, state.uniforms ?? {}, state.topology ?? "", state.cull ?? "", state.entry ?? ""]);
}
