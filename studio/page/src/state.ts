/** One store for the whole page: what is shared in links, what the server said, and what is looked at. */

import { oneOf, record, recordOf, type Keeper } from "./storage";
import type {
  ApartPane, ComparePane, CompiledPane, DataPane, DrawPane, Explained, FramePane, GraphPane, Hello, IssuePane, MeshHead, Numbers, OptPane, SourcePane, State, StopPane, Thumbnail, TimePane, WavesPane, WhyPane, WordsPane,
} from "./types";

export interface Mesh {
  head: MeshHead;
  arrays: Map<string, { shape: number[]; data: Numbers }>;
}

export interface Place {
  file: string;
  line: number;
  /** A part of the line: its first character, from 1, and how many. */
  column?: number;
  length?: number;
}

export interface App {
  connected: boolean;
  hello: Hello | null;
  /** Source and data: what a link holds. */
  state: State;
  /** The file in the editor, by its number. */
  active: number;

  source: SourcePane | null;
  words: WordsPane | null;
  graph: GraphPane | null;
  data: DataPane | null;
  mesh: Mesh | null;
  why: WhyPane | null;
  paths: { text: string; vertices: number }[] | null;
  time: TimePane | null;
  explain: Explained | null;
  /** The tab in which the explanation was asked for, to which it leads back. */
  cameFrom: string | null;
  stop: StopPane | null;
  waves: WavesPane | null;
  issue: IssuePane | null;
  compiled: CompiledPane | null;
  opt: OptPane | null;
  compare: ComparePane | null;
  /** 1 for vertices that differ in the last comparison. */
  differs: Numbers | null;

  /** The recorded frame that is open, the draw of it that is shown, and the one that is on its way. */
  frame: FramePane | null;
  draw: DrawPane | null;
  wantedDraw: number | null;
  thumbnails: ReadonlyMap<number, Thumbnail>;
  /** The draws whose shader or values are not those of the recording. */
  edited: ReadonlySet<number>;

  /** The vertices of all draws that differ between two profiles, as far as they have come. */
  apart: ApartPane | null;

  /** The panes show an older source: the present one has errors. */
  stale: boolean;
  /** What the server works on: a text, and how much of it is done. */
  busy: { id: number; what: string; done: number; total: number } | null;
  /** A sentence for the line at the foot of the page, and whether it is an error. */
  /** What is said of the last action; beside the control that did it, if there is one. */
  note: { text: string; error: boolean; near?: HTMLElement } | null;

  /** What was found of the last visit, and the state that its button leads to. */
  restored: { text: string; undo: string; state: State } | null;

  /** The vertex that is looked at. */
  vertex: number | null;
  triangle: number | null;
  /** So many steps of the picked vertex are done. */
  step: number;
  /** The line that the pointer or the cursor is on, in any pane. */
  hover: Place | null;
  /** The line that a pane asks the editor to show. */
  reveal: (Place & { stamp: number }) | null;

  theme: "auto" | "light" | "dark";
  space: "object" | "clip" | "screen";
  colouring: string;
  wireframe: boolean;
  tabs: Record<string, string>;
}

export type Key = keyof App;

export class Store {
  private readonly listeners = new Map<Key, Set<(app: Readonly<App>) => void>>();
  private readonly waiting = new Set<(app: Readonly<App>) => void>();
  private running = false;

  constructor(private readonly app: App) {}

  get value(): Readonly<App> {
    return this.app;
  }

  /** Change some values; those who listen to them are called once, after the change. */
  set(patch: Partial<App>): void {
    for (const key of Object.keys(patch) as Key[]) {
      if (!Object.is(this.app[key], patch[key])) {
        (this.app as unknown as Record<Key, unknown>)[key] = patch[key];
        for (const listener of this.listeners.get(key) ?? []) {
          this.waiting.add(listener);
        }
      }
    }
    if (this.running) {
      return;
    }
    this.running = true;
    try {
      for (const listener of this.waiting) {
        this.waiting.delete(listener);
        listener(this.app);
      }
    } finally {
      this.running = false;
    }
  }

  /** Call `listener` now and after each change of one of `keys`, until the function that comes back is called. */
  on(keys: readonly Key[], listener: (app: Readonly<App>) => void): () => void {
    for (const key of keys) {
      const set = this.listeners.get(key) ?? new Set();
      set.add(listener);
      this.listeners.set(key, set);
    }
    listener(this.app);
    return () => {
      for (const key of keys) {
        this.listeners.get(key)?.delete(listener);
      }
    };
  }
}

export function initial(): App {
  return {
    connected: false, hello: null, state: { files: [] }, active: 0,
    source: null, words: null, graph: null, data: null, mesh: null, why: null, paths: null, time: null, explain: null, cameFrom: null, stop: null, waves: null, issue: null,
    compiled: null, opt: null, compare: null, differs: null,
    frame: null, draw: null, wantedDraw: null, thumbnails: new Map(), edited: new Set(), apart: null,
    stale: false, busy: null, note: null, restored: null,
    vertex: null, triangle: null, step: 0, hover: null, reveal: null,
    theme: "auto", space: "screen", colouring: "", wireframe: false, tabs: {},
  };
}

type Look = Pick<App, "theme" | "space" | "wireframe" | "tabs">;

export const themeOf = oneOf("auto", "light", "dark");
const spaceOf = oneOf("object", "clip", "screen");
const tabsOf = recordOf((value) => (typeof value === "string" && value.length <= 64 ? value : null));

function lookOf(value: unknown): Look | null {
  const given = record(value);
  const theme = themeOf(given?.["theme"]);
  const space = spaceOf(given?.["space"]);
  const tabs = tabsOf(given?.["tabs"]);
  const wireframe = given?.["wireframe"];
  return theme === null || space === null || tabs === null || typeof wireframe !== "boolean" ? null : { theme, space, tabs, wireframe };
}

/** What this browser remembers of its last visit: how things are shown. */
export function remembered(keeper: Keeper): Partial<App> {
  return keeper.read("look", lookOf) ?? {};
}

export function remember(keeper: Keeper, { theme, space, wireframe, tabs }: Readonly<App>): void {
  keeper.write("look", { theme, space, wireframe, tabs } satisfies Look);
}
