/** The page: panes in a grid, the store between them, and the socket to the server. */

import "./style.css";

import type { Actions } from "./actions";
import { explainedOf, issueOf, stopOf, timeOf, wavesOf, type ServerTime, type ServerTimeline, type ServerWave } from "./answers";
import { draws as drawsOf } from "./draws";
import { fileOf, isMesh } from "./files";
import { History, undoKey } from "./history";
import { decodeState } from "./link";
import { configure, connectLanguageServer, FOLDER, languageClient } from "./lsp";
import { absent, type Options } from "./options";
import { comparePane } from "./panes/compare";
import { compiledPane } from "./panes/compiled";
import { dataPane } from "./panes/data";
import { drawPane, registersPane } from "./panes/draw";
import { filmstrip } from "./panes/filmstrip";
import { graphPane } from "./panes/graph";
import { issuePane } from "./panes/issue";
import { isFew, meshPane } from "./panes/mesh";
import { optimiserPane } from "./panes/optimiser";
import { optionsRow } from "./panes/options";
import { sourcePane } from "./panes/source";
import { timePane } from "./panes/time";
import { verticesPane } from "./panes/vertices";
import { wavesPane } from "./panes/waves";
import { wordsPane } from "./panes/words";
import { baseOf, begin, Sessions, type Session } from "./session";
import { isText, keysDialog, noteLine, restoredLine, saveAs, splits, themeButton, themed, topMenu, undoButtons } from "./shell";
import { initial, remember, remembered, Store, type App } from "./state";
import { Keeper } from "./storage";
import type { Camera, ComparePane, CompiledPane, DataPane, Finding, GraphPane, Hello, MeshHead, OptPane, Preset, Saved, Source, SourcePane, State, Value, WhyPane, WordsPane } from "./types";
import { button, clear, h, isPainted, voice, write } from "./widgets/dom";
import { counted, variantText } from "./numbers";
import { missing, Uploads } from "./uploads";
import { paneBar } from "./widgets/panes";
import { presetChoice } from "./widgets/presets";
import { shareDialog } from "./widgets/share";
import { tabs } from "./widgets/tabs";
import { webSocketChannel, Wire, type Listener } from "./wire";

const MOST_STEPS = 50_000; // that the page keeps of one vertex
const PAUSE = 120; // milliseconds after the last change until the program runs again

const keeper = new Keeper("studio");
const store = new Store({ ...initial(), ...remembered(keeper) });
const tabKeeper = new Keeper("studio", () => sessionStorage);
const sessions = new Sessions(tabKeeper, keeper, store);

// ---- the socket

/** The thread whose steps are shown. Where it is a vertex before a geometry shader, `run` is the run that takes it. */
interface Traced {
  thread: number;
  run: number | null;
}

const NO_THREAD: Traced = { thread: 0, run: null };

/** What a message says of a thread. */
function threadOf({ thread, run }: Traced): Record<string, unknown> {
  return { thread, ...(run === null ? {} : { stage: "vertex" }) };
}

let evaluating = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let hot: { uniforms: Record<string, Value>; camera: Camera | null } | null = null;
let hotRuns = false;
let explaining = "";
let opened = false;
let traced = NO_THREAD;
let wanted: string | null = null; // a place to explain as soon as the steps are there
let refused = false; // the note says why the last state was not evaluated

const listener: Listener = {
  connected: (is) => {
    store.set({ connected: is, ...(is ? {} : { busy: null }) });
    hotRuns = false;
  },
  hello: (hello) => {
    void welcome(hello);
  },
  pane: (name, value, ask) => {
    received(name, value, ask);
  },
  frame: (frame, ask) => {
    if (frame.head.pane === "mesh") {
      const head = { ...EMPTY, ...(frame.head as MeshHead) };
      const before = store.value.mesh;
      const arrays = head.hot === true && before !== null ? new Map([...before.arrays, ...frame.arrays]) : frame.arrays;
      if (head.hot === true && before !== null) {
        const fresh = (name: string): boolean => frame.arrays.has(name) || (frame.head.kept ?? []).includes(name);
        if (!fresh("fate") && store.value.colouring !== "fate") arrays.delete("fate");
        // what the frame does not hold is of other uniforms: it is left out until the drag ends
        for (const name of arrays.keys()) if ((name === "path" || name === "screen" || name.startsWith("output:")) && !fresh(name)) arrays.delete(name);
        const position = arrays.get("position");
        if (position !== undefined) arrays.set("output:position", position);
      }
      store.set({ mesh: { head: head.hot === true && before !== null ? { ...before.head, ...frame.head } : head, arrays }, ...(head.hot === true ? {} : { stale: false }) });
      if (head.hot !== true && head.reason === undefined && isFew(head)) wire.ask("why");
      if (store.value.colouring === "path" && ask === "evaluate") wire.ask("paths");
    } else {
      const before = store.value.mesh;
      const array = [...frame.arrays.values()][0];
      if (frame.head.pane === "paths" && before !== null && array !== undefined) {
        store.set({ mesh: { head: before.head, arrays: new Map([...before.arrays, ["path", array]]) }, paths: (frame.head as unknown as { paths: App["paths"] }).paths });
      } else if (frame.head.pane === "thumbnail" && array !== undefined) {
        const pixels = Uint8Array.from(array.data);
        draws.small(frame.head as unknown as { file: string; number: number }, { width: array.shape[1] ?? 0, height: array.shape[0] ?? 0, pixels, empty: !pixels.some((value, index) => index % 4 === 3 && value > 0), lost: (frame.head as { lost?: string }).lost });
      } else if (frame.head.pane === "compare") {
        store.set({ differs: array?.data ?? null });
      }
    }
  },
  progress: (id, what, done, total) => {
    store.set({ busy: { id, what, done, total } });
  },
  ended: (id, ask, how) => {
    if (store.value.busy?.id === id) {
      store.set({ busy: null });
    }
    if (ask === "thumbnail") film.more();
    if (ask === "uniforms") {
      hotRuns = false;
      sendHot();
      if (hot === null && !hotRuns) settle();
    }
    if (ask === "evaluate" && id === evaluating) {
      store.set({ busy: null });
      retrace();
      draws.evaluated();
    }
    if (how.error !== undefined) {
      failed(ask, how.error);
    } else if (how.fault !== undefined) {
      store.set({ note: { text: `The server failed: ${how.fault}`, error: true } });
    }
  },
};

/** What the head of a program without triangles leaves out. */
const EMPTY = { outputs: [], fates: [], counts: {}, visible: 0, whole: true, volume: { nearest: -1, farthest: 1, front: "counterclockwise", turn: false, screens: [] }, screen: { name: "", width: 4, height: 3 } };

const wire = new Wire(() => webSocketChannel(address("/room")), listener);

function address(path: string): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
}

async function welcome(hello: Hello): Promise<void> {
  store.set({ hello });
  if (!opened) {
    opened = true;
    let state: State | null = null;
    const fragment = location.hash.replace(/^#/, "");
    if (fragment !== "") {
      try {
        state = await decodeState(fragment);
      } catch (error) {
        say(error instanceof Error ? error.message : String(error), true);
      }
    }
    sessions.base = baseOf([hello.state ?? null, hello.files, hello.meshFiles?.[0] ?? null, ...(hello.draw === undefined ? [] : [hello.draw])]);
    if (store.value.state.files.length > 0) { // opened by the user before the server had answered
      sessions.keep();
      evaluate();
      return;
    }
    if (state?.draw !== undefined) wire.ask("frame", { file: state.draw.file });
    const linked = state !== null;
    let kept = sessions.find();
    let changed: Session | null = null; // that of another content of the frame
    const lost = kept === null ? [] : await uploads.restore(missing(kept.state, hello));
    if (kept?.state.draw !== undefined && (linked || kept.base !== sessions.base || lost.length > 0)) {
      if (lost.length > 0) say(notKept(lost));
      else if (!linked) changed = kept;
      kept = null;
    }
    if (kept?.state.draw !== undefined) {
      resume(kept);
      return;
    }
    if (state === null && hello.draw !== undefined) {
      draws.open(hello.draw.file, hello.draw.name === "" ? { number: 0 } : { name: hello.draw.name });
      if (changed?.state.draw?.file === hello.draw.file) {
        store.set({ restored: { text: "The frame is another than at the last visit.", undo: "Back to what was on the page", state: changed.state } });
      }
      return;
    }
    if (lost.length > 0) say(notKept(lost));
    state ??= hello.state ?? (hello.files.length > 0 ? { files: hello.files, ...(hello.meshFiles?.[0] === undefined ? {} : { mesh: { file: hello.meshFiles[0] } }) } : (hello.examples[0]?.state ?? { files: [{ name: "shader.v.pica", text: "" }] }));
    if (tabKeeper.problem !== "") say(tabKeeper.problem, true);
    // a link that was opened in this tab is what the tab began with: its edits are those of the session
    store.set(begin(state, kept, linked && kept !== null ? kept.base : sessions.base));
  } else {
    await uploads.restore(missing(store.value.state, hello)); // a server that was started again has none
  }
  evaluate();
}

function notKept(names: readonly string[]): string {
  return `${names.join(", ")} of the last visit is not kept by this browser: open it again.`;
}

/** The draw of the last visit, as it was edited. */
function resume({ state, active, vertex, edits = [] }: Session): void {
  const text = edits.length === 1 ? "Restored from the last visit, with an edited draw." : `Restored from the last visit, with ${String(edits.length)} edited draws.`;
  draws.resume(state, edits, () => {
    const recorded = store.value.draw?.state ?? null;
    const isEdited = edits.some((edit) => edit.draw?.number === state.draw?.number);
    store.set({ active, vertex, ...(edits.length === 0 || recorded === null || !isEdited ? {} : { restored: { text, undo: "Back to what was recorded", state: recorded } }) });
  });
}

const NO_SOURCE: SourcePane = { ok: false, isa: "", title: "", language: "", stage: "", entry: "", entries: [], variant: "", variants: [], option: "profile", diagnostics: [], stale: false };

const panes: Record<string, (value: unknown, ask: string) => Partial<App>> = {
  source: (value) => {
    // a source with errors gives its findings only: what it was stays
    const source = { ...(store.value.source ?? NO_SOURCE), ...(value as SourcePane) };
    return { source, stale: !source.ok, ...(source.ok ? { opt: null } : {}) };
  },
  words: (value) => ({ words: value as WordsPane }),
  graph: (value) => ({ graph: value as GraphPane }),
  data: (value) => ({ data: value as DataPane }),
  why: (value) => ({ why: value as WhyPane }),
  time: (value) => {
    const part = timeOf(value as ServerTime, traced.run);
    const before = store.value.time;
    const time = (part.first ?? 0) > 0 && before?.vertex === part.vertex ? { ...part, steps: [...before.steps, ...part.steps] } : part;
    if (part.complete === false && time.steps.length < MOST_STEPS) {
      wire.ask("trace", { ...threadOf(traced), first: time.steps.length });
      if (before?.vertex === part.vertex && (part.first ?? 0) > 0) return { time };
    }
    if (wanted !== null) {
      explainAt(time.steps.length, wanted);
      wanted = null;
      return { time, step: time.steps.length, explain: null, stop: null };
    }
    return { time, step: Math.min(store.value.step, time.steps.length), explain: null, stop: null };
  },
  explain: (value) => ({ explain: explainedOf(value as Parameters<typeof explainedOf>[0], explaining) }),
  seek: (value) => {
    const stop = stopOf(value as Parameters<typeof stopOf>[0]);
    return { stop, ...(stop.step === null ? {} : { step: stop.step }) };
  },
  wave: (value) => ({ waves: wavesOf(value as ServerWave) }),
  timeline: (value) => ({ issue: issueOf(value as ServerTimeline) }),
  compiled: (value) => ({ compiled: value as CompiledPane }),
  opt: (value) => ({ opt: value as OptPane }),
  compare: (value) => ({ compare: value as ComparePane }),
  diff: (value) => ({ compare: { ...(store.value.compare ?? { text: "", names: [], only: [], vertices: 0, differ: 0, first: null, outputs: [] }), verdict: value as ComparePane["verdict"] } }),
  save: (value) => {
    const { name, text, folder, remarks } = value as Saved;
    if (text !== undefined) download(name, text, remarks);
    else say([`Saved: ${folder ?? ""}/${name}.`, ...(remarks ?? [])].join(" "));
    return {};
  },
  presets: (value) => {
    const { hello } = store.value;
    return hello === null ? {} : { hello: { ...hello, presets: value as Preset[] } };
  },
  open: (value) => {
    const { state, meshes } = value as { state: State; meshes: { file: string; data: string }[] };
    for (const each of meshes) void uploads.adopt(each.file, each.data); // asked for before the state that needs them
    load(state);
    return {};
  },
  frame: (value) => ({ frame: draws.listed(value), thumbnails: new Map(), edited: new Set(), apart: null }),
  draw: (value) => ({ draw: draws.shown(value), wantedDraw: null }),
  apart: (value) => ({ apart: draws.compared(value) }),
  thumbnail: (value) => {
    const { file, number, reason } = value as { file: string; number: number; reason: string };
    draws.small({ file, number }, { width: 0, height: 0, reason });
    return {};
  },
  upload: (value) => {
    const { file, frame, vertices = 0, triangles = 0 } = value as { file: string; frame?: boolean; vertices?: number; triangles?: number };
    const { hello } = store.value;
    const again = uploads.isAgain(file);
    if (frame === true && again) return {};
    if (frame === true) {
      const { state } = store.value;
      draws.open(file, { number: 0 });
      if (state.files.length > 0 && state.draw === undefined) say(`${file} opened; undo leads back`, false, openButton);
      return {};
    }
    if (!again) {
      actions.shape({ file });
      say(`${file} opened (${counted(vertices, "vertex", "vertices")}, ${counted(triangles, "triangle")}); undo leads back`, false, openButton);
    }
    return hello === null ? {} : { hello: { ...hello, meshFiles: [...new Set([...(hello.meshFiles ?? []), file])] } };
  },
};

const draws = drawsOf(store, wire, {
  load: (state) => { load(state); },
  more: () => { film.more(); },
  lead: ({ vertex, against }) => {
    const { state, source: pane } = store.value;
    if (vertex !== null) pick(vertex, null);
    if (against !== (pane?.variant ?? "")) actions.ask("compare", { other: { ...state, profile: against, set: "" }, rounded: true });
  },
});

function received(name: string, value: unknown, ask: string): void {
  const take = panes[name];
  if (take !== undefined) {
    store.set(take(value, ask));
  }
}

function failed(ask: string, findings: readonly Finding[]): void {
  const text = findings.map((finding) => finding.message + (finding.fix === undefined || finding.fix === "" ? "" : `: ${finding.fix}`)).join("; ");
  if (ask === "evaluate") {
    refused = true;
    store.set({ stale: true, note: { text, error: true } });
  } else if (ask === "compiled") {
    store.set({ compiled: { reason: text } as CompiledPane, note: { text, error: true } });
  } else if (ask === "seek") {
    store.set({ stop: { step: null, text } });
  } else {
    store.set({ note: { text, error: true } });
  }
}

// ---- what panes ask for

function evaluate(): void {
  clearTimeout(timer);
  timer = undefined;
  if (store.value.state.files.length === 0) {
    return;
  }
  evaluating = wire.ask("evaluate", { state: store.value.state });
  if (evaluating !== 0) {
    store.set({ busy: { id: evaluating, what: "run", done: 0, total: 0 }, ...(refused ? { note: null } : {}) });
    refused = false;
  }
}

function change(patch: Partial<State>): void {
  store.set({ state: { ...store.value.state, ...patch } });
  clearTimeout(timer);
  timer = setTimeout(evaluate, PAUSE);
}

/** The newest values, as soon as those before have come back. */
function sendHot(): void {
  if (hot === null || hotRuns) {
    return;
  }
  const { uniforms, camera } = hot;
  hot = null;
  const { colouring, mesh } = store.value;
  const arrays = ["position", "color", "flags", ...(colouring.startsWith("output:") && colouring !== "output:position" ? [colouring] : [])];
  const has = mesh === null ? {} : { has: { mesh: mesh.head.id, arrays: [...mesh.arrays.keys()] } };
  hotRuns = wire.ask("uniforms", { uniforms, arrays, ...has, ...(camera === null ? {} : { camera }) }) !== 0;
}

/** After the last value of a drag: everything that depends on it. */
function settle(): void {
  clearTimeout(timer);
  timer = setTimeout(evaluate, 300);
}

function uniform(name: string, value: Value): void {
  const { state } = store.value;
  if (store.value.source?.emits === true) { // triangles are counted again only where nothing is dragged
    change({ uniforms: { ...state.uniforms, [name]: value } });
    return;
  }
  store.set({ state: { ...state, uniforms: { ...state.uniforms, [name]: value } } });
  hot = { uniforms: { ...hot?.uniforms, [name]: value }, camera: hot?.camera ?? null };
  sendHot();
}

function camera(value: Camera): void {
  if (store.value.source?.emits === true) {
    change({ camera: value });
    return;
  }
  store.set({ state: { ...store.value.state, camera: value } });
  hot = { uniforms: hot?.uniforms ?? {}, camera: value };
  sendHot();
}

function pick(vertex: number | null, triangle: number | null): void {
  store.set({ vertex, triangle });
  traced = NO_THREAD;
  retrace();
}

/** Trace the picked vertex again, if it is one. */
function retrace(): void {
  const { vertex, mesh } = store.value;
  if (vertex === null || mesh === null) {
    store.set({ time: null, explain: null });
    return;
  }
  if (vertex >= mesh.head.vertices) {
    store.set({ vertex: null, triangle: null, time: null });
    return;
  }
  const thread = mesh.arrays.get("vertex")?.data[vertex] ?? vertex;
  trace(traced.run === thread ? traced : { thread, run: null });
}

function trace(next: Traced): void {
  traced = next;
  wire.ask("trace", threadOf(traced));
  if (bottom.current() === "wave") wire.ask("wave", threadOf(traced));
  else store.set({ waves: null });
}

/** The steps of a vertex of the stage before, or again those of the run that takes it. */
function before(vertex: number | null, place?: string): void {
  const run = traced.run ?? traced.thread;
  wanted = place ?? null;
  store.set({ step: 0 });
  trace(vertex === null ? { thread: run, run: null } : { thread: vertex, run });
}

function pickThread(thread: number): void {
  const { mesh } = store.value;
  if (traced.run !== null) before(thread);
  else pick(mesh?.head.whole === false ? (mesh.arrays.get("vertex")?.data.indexOf(thread) ?? -1) : thread, null);
}

function explainAt(position: number, place: string): void {
  explaining = place;
  wire.ask("explain", { ...threadOf(traced), position, place });
}

function say(text: string, error = false, near?: HTMLElement): void {
  store.set({ note: { text, error, ...(near === undefined ? {} : { near }) } });
}

/** Undo or redo, and say what. */
function walk(forwards: boolean): void {
  const what = forwards ? changes.redo() : changes.undo();
  if (what !== "") say(`${forwards ? "done again" : "undone"}: ${what}`, false, undo.elements[forwards ? 1 : 0]);
}

function load(state: State): void {
  traced = NO_THREAD;
  store.set({ state, active: 0, vertex: null, triangle: null, time: null, explain: null, cameFrom: null, step: 0, compare: null, differs: null, opt: null, compiled: null, waves: null, issue: null, words: null, graph: null, data: null, mesh: null, why: null, paths: null, colouring: "" });
  evaluate();
}

/** A moment of the history, on the page. */
function moment(state: State, active: number): void {
  const names = (files: readonly Source[]): string => files.map((file) => file.name).join("/");
  const same = names(state.files) === names(store.value.state.files) && (state.draw === undefined) === (store.value.state.draw === undefined);
  if (same) store.set({ state, active });
  else load(state);
  if (!same) store.set({ active });
  evaluate();
}

const undo = undoButtons(() => { walk(false); }, () => { walk(true); });
const changes = new History(store, moment, undo.told);

const actions: Actions = {
  change, uniform, camera, pick, before, load, say,
  shape: (next) => {
    mesh.refit(next);
    change({ mesh: next });
  },
  fitted: (value) => {
    changes.quietly(() => { camera(value); });
  },
  thread: pickThread,
  seek: (step) => {
    store.set({ step });
  },
  explain: (place) => {
    explainAt(store.value.step, place);
  },
  origin: (vertex, place) => {
    wanted = place;
    pick(vertex, null);
    bottom.show("time");
    panesBar.show("values");
  },
  until: (query, back) => {
    const { step } = store.value;
    wire.ask("seek", { ...threadOf(traced), position: step, back, query });
  },
  reveal: (file, line) => {
    if (file !== null && line !== null) {
      store.set({ reveal: { file, line, stamp: performance.now() } });
      panesBar.show("source");
    }
  },
  field: (uniform) => {
    lower.show("data");
    panesBar.show("data");
    const field = document.querySelector<HTMLElement>(`[data-uniform="${CSS.escape(uniform)}"]`);
    field?.scrollIntoView({ block: "center" });
    field?.querySelector<HTMLElement>("input, select, button")?.focus();
  },
  ask: (what, body) => {
    if (!store.value.connected) {
      if (what !== "why" && what !== "paths") say("The server is gone, and this needs it: start lanewise studio again; this page connects by itself.", true);
      return 0;
    }
    const id = wire.ask(what, body);
    if (id !== 0 && what !== "why" && what !== "paths") {
      store.set({ busy: { id, what, done: 0, total: 0 } });
    }
    return id;
  },
  upload: (files) => {
    for (const file of files) void uploads.send(file);
  },
  cancel: () => {
    const { busy } = store.value;
    if (busy !== null) wire.cancel(busy.id);
  },
  tab: (id) => {
    bottom.show(id);
    panesBar.show("values");
  },
  draw: draws.go,
  thumbnail: (number) => {
    wire.ask("thumbnail", { file: store.value.frame?.file ?? "", number });
  },
  recorded: draws.recorded,
};

const uploads = new Uploads((name, data) => { actions.ask("upload", { name, data }); }, say);
sessions.edits = draws.edits;
sessions.tooLarge = () => { say("What is on the page is more than the 4 million characters that this browser keeps: save it, or it is lost with the page."); };

const dark = themed(store);

// ---- the grid

const client = languageClient();
let told = "";

/** What the language server has to know of a state, beside its texts. */
function settings(): Options {
  const { hello, state, source } = store.value;
  const none = [...(hello?.options ?? []).map((row) => [row.key, absent(row)]), ...Object.values(hello?.variants ?? {}).flat().map((row) => [row.option, ""])];
  return { ...(Object.fromEntries(none) as Options), ...state.options, ...source?.implied, [source?.option ?? "profile"]: state.profile ?? "" };
}

store.on(["hello", "state", "source"], () => {
  const now = settings();
  if (client.connected && JSON.stringify(now) !== told) {
    told = JSON.stringify(now);
    configure(client, now);
  }
});
const source = sourcePane(store, (name, language) => client.plugin(FOLDER + encodeURIComponent(name), language), change, optionsRow(store, change));
const mesh = meshPane(store, actions, dark);
const time = timePane(store, actions);

const film = filmstrip(store, actions, () => wire.waits("thumbnail") || wire.waits("evaluate"));
const lower = tabs("data", [
  { id: "data", label: "Data", body: dataPane(store, actions) },
  { id: "draw", label: "Draw", body: drawPane(store, actions), hint: "attributes, findings and programs of the draw" },
  { id: "registers", label: "Registers", body: registersPane(store), hint: "registers by topic, and what changed since the draw before" },
], "data", () => undefined);
const middle = tabs("program", [
  { id: "words", label: "Words", body: wordsPane(store, actions), hint: "machine words and operand descriptors" },
  { id: "graph", label: "Graph", body: graphPane(store, actions), hint: "control-flow graph" },
  { id: "compiled", label: "Compiled", body: compiledPane(store, actions), hint: "source and compiled code" },
  { id: "optimiser", label: "Optimiser", body: optimiserPane(store, actions), hint: "smaller programs with the same bits" },
], store.value.tabs["middle"] ?? "words", (id) => { shown("middle", id); if (id === "compiled") refreshTab(id); });
const bottom = tabs("vertices and time", [
  { id: "vertices", label: "Vertices", body: verticesPane(store, actions), hint: "every vertex with its outputs" },
  { id: "time", label: "Time", body: time.element, hint: "the steps of the picked vertex" },
  { id: "wave", label: "Wave", body: wavesPane(store, actions), hint: "lanes that run together, and where they diverge" },
  { id: "issue", label: "Cycles", body: issuePane(store, actions), hint: "when each instruction is issued" },
  { id: "compare", label: "Compare", body: comparePane(store, actions), hint: "two versions, profiles or devices" },
], store.value.tabs["bottom"] ?? "vertices", (id) => { shown("bottom", id); if (id !== "time") store.set({ cameFrom: null }); refreshTab(id); if (id === "time") queueMicrotask(pickFirst); });

const panesBar = paneBar([
  { id: "source", label: "Source", element: source.element },
  { id: "data", label: "Data", element: lower.element },
  { id: "program", label: "Program", element: middle.element },
  { id: "picture", label: "Picture", element: mesh.element },
  { id: "values", label: "Values", element: bottom.element },
], store.value.tabs["pane"] ?? "source", (id) => {
  shown("pane", id);
  if (store.value.note?.near !== undefined && !store.value.note.error) store.set({ note: null }); // it would cover the pane
});

function shown(where: string, id: string): void {
  queueMicrotask(() => {
    store.set({ tabs: { ...store.value.tabs, [where]: id } });
  });
}

/** The steps of the first vertex are shown until another one is picked. */
function pickFirst(): void {
  const { vertex, mesh: now } = store.value;
  if (vertex === null && now !== null && now.head.vertices > 0) pick(0, null);
}

function refreshTab(id: string): void {
  queueMicrotask(() => {
    const app = store.value;
    if (!app.connected || app.mesh === null) {
      return;
    }
    if (id === "wave") wire.ask("wave", threadOf(traced));
    if (id === "issue" && app.source?.isa === "shadercore") wire.ask("timeline");
    if (id === "compiled") wire.ask("compiled");
  });
}

store.on(["source"], ({ source: pane }) => {
  middle.offer("compiled", pane?.compiled === true || pane?.isa === "direct3d9");
  bottom.offer("issue", pane?.isa === "shadercore");
});
store.on(["draw"], ({ draw }) => {
  lower.offer("draw", draw !== null);
  lower.offer("registers", draw !== null);
  if (draw !== null && draw.state === null) lower.show("draw");
  const wrong = draw?.findings.length ?? 0;
  lower.badge("draw", wrong === 0 ? "" : String(wrong), wrong === 1 ? " finding" : " findings");
  const changed = draw?.topics.reduce((sum, topic) => sum + topic.changed, 0) ?? 0;
  lower.badge("registers", changed === 0 ? "" : `${String(changed)} changed`);
});
store.on(["words"], ({ words }) => {
  middle.badge("words", words === null ? "" : String(words.rows.length));
  if (words !== null) {
    refreshTab(middle.current());
    refreshTab(bottom.current());
  }
});
store.on(["mesh"], ({ mesh: value }) => {
  bottom.badge("vertices", value === null ? "" : value.head.vertices.toLocaleString("en"));
});
store.on(["time"], ({ time: value }) => {
  bottom.badge("time", value?.subject ?? "");
});

const split = splits(keeper, { left: 0.36, lower: 0.6, middle: 0.46, bottom: 0.58 });
const app = h("div", { class: "app" });
const workspace = h("main", { class: "workspace" });
const leftColumn = h("div", { class: "column left" });
const rightColumn = h("div", { class: "column right" });
const upperRow = h("div", { class: "row upper" });
split.line("left", workspace.style, "gridTemplateColumns");
split.line("lower", leftColumn.style, "gridTemplateRows");
split.line("bottom", rightColumn.style, "gridTemplateRows");
split.line("middle", upperRow.style, "gridTemplateColumns");
leftColumn.append(source.element, split.handle("source and data", "lower", "y", leftColumn), lower.element);
upperRow.append(middle.element, split.handle("program and mesh", "middle", "x", upperRow), mesh.element);
rightColumn.append(upperRow, split.handle("upper and lower panes", "bottom", "y", rightColumn), bottom.element);
workspace.append(leftColumn, split.handle("left and right panes", "left", "x", workspace), rightColumn);

// ---- header and foot

const openButton = button("open files from the disk: sources, binaries, meshes, recorded frames, saved states", "Open…", () => undefined);
const saveButton = button("a file with everything, or a link  (Ctrl+S)", "Save, share", save);

function header(): HTMLElement {
  const examples = h("select", { "aria-label": "open an example", onchange: () => {
    const found = store.value.hello?.examples.find((example) => example.name === examples.value);
    if (found !== undefined) load(found.state);
    examples.value = "";
  } });
  const entry = h("select", { "aria-label": "program", title: "program", onchange: () => { change({ entry: entry.value }); } });
  const variant = h("select", { "aria-label": "profile", onchange: () => { change({ profile: variant.value }); } });
  const called = h("span", { class: "called", "aria-hidden": "true" });
  const kind = h("span", { class: "kind" });
  const file = h("input", { type: "file", class: "hidden-input", tabIndex: -1, "aria-hidden": "true", "aria-label": "open a file", multiple: true, onchange: () => { void openFiles([...(file.files ?? [])]); file.value = ""; } });
  store.on(["hello"], ({ hello }) => {
    clear(examples, h("option", { value: "" }, "Examples…"), ...(hello?.examples ?? []).map((example) => h("option", { value: example.name }, example.title)));
  });
  store.on(["source"], ({ source: pane }) => {
    kind.textContent = pane === null ? "" : pane.title;
    clear(entry, ...(pane?.entries ?? []).map((name) => h("option", { value: name, selected: name === pane?.entry }, name)));
    entry.hidden = (pane?.entries.length ?? 0) < 2;
    clear(variant, ...(pane?.variants ?? []).map((one) => h("option", { value: one.name, title: one.summary, selected: one.name === pane?.variant }, variantText(one))));
    variant.title = pane === null ? "" : `the ${pane.option} of the picture and of all panes; Compare runs another one beside it`;
    called.textContent = pane?.option ?? "";
    called.hidden = (pane?.variants.length ?? 0) < 2;
    variant.setAttribute("aria-label", pane?.option ?? "profile");
    variant.hidden = (pane?.variants.length ?? 0) < 2;
  });
  openButton.onclick = () => { file.click(); };
  const top = h("header", { class: "top" }, h("h1", {}, h("img", { src: "/assets/icon.svg", alt: "", width: 20, height: 20 }), "lanewise", h("span", {}, "studio")), examples);
  top.append(...topMenu(top, presetChoice(store, actions), openButton, file, h("span", { class: "gap" }), kind, entry, called, variant, h("span", { class: "gap" }),
    saveButton, ...undo.elements, themeButton(store), button("keys  (?)", "?", help)));
  return top;
}

function foot(): HTMLElement {
  const status = h("span", { class: "status", role: "status" });
  const told = (text: string): void => { write(status, text); }; // the same again is not said again
  const busy = h("span", { class: "busy" });
  const fault = h("button", { type: "button", class: "link fault", hidden: true }); // the first error, and the way to it
  store.on(["source", "data", "mesh", "stale", "connected", "hello", "draw"], (value) => {
    if (value.mesh?.head.hot === true && value.connected && !value.stale) {
      return; // a line that changes with every frame of a drag says nothing
    }
    const error = value.source?.diagnostics.find((finding) => finding.severity === "error");
    const { file = "", line = 0 } = error?.span ?? {};
    fault.hidden = !value.connected || !value.stale || error === undefined || file === "" || line === 0;
    if (error !== undefined && !fault.hidden) {
      fault.textContent = fault.title = `line ${String(line)}: ${error.message.split("\n")[0] ?? ""}`;
      fault.onclick = () => { actions.reveal(file, line); };
    }
    status.className = `status ${!value.connected ? "off" : value.stale ? "bad" : value.source?.ok === true ? "good" : ""}`;
    if (value.connected && value.draw?.state === null) {
      status.className = "status bad";
      told(`draw ${String(value.draw.number)} does not run: its findings say why`);
    } else if (!value.connected) {
      told(value.hello === null ? "connecting…" : "The server is gone. Start lanewise studio again; this page connects by itself.");
    } else if (value.stale) {
      const count = value.source?.diagnostics.filter((finding) => finding.severity === "error").length ?? 0;
      const kept = value.mesh === null ? "" : count === 0 ? ": the picture is of the last version that ran" : ": the panes show the last version that ran";
      told(`${count === 0 ? "the program does not run" : count === 1 ? "1 error" : `${String(count)} errors`}${kept}`);
    } else if (value.source !== null) {
      const head = value.mesh?.head;
      told([value.words && `${String(value.words.rows.length)} ${value.words.what}s`, head && `${head.vertices.toLocaleString("en")} vertices`].filter(Boolean).join("  ·  "));
    }
  });
  store.on(["busy"], (value) => {
    const { busy: work } = value;
    clearTimeout(busyTimer);
    if (work === null) {
      clear(busy);
      return;
    }
    busyTimer = setTimeout(() => {
      clear(busy, h("progress", { "aria-label": work.what, ...(work.total > 0 ? { max: work.total, value: work.done } : {}) }), work.what === "run" ? "running" : work.what, button("cancel", "Cancel", actions.cancel));
    }, 250);
  });
  return h("footer", { class: "foot" }, status, fault, busy, restoredLine(store, (state) => {
    if (state.draw === undefined || state.draw.number === store.value.draw?.number) load(state);
    else draws.resume(state, [state], () => undefined);
  }), noteLine(store));
}

let busyTimer: ReturnType<typeof setTimeout> | undefined;

function save(): void {
  if (document.querySelector("dialog") === null) shareDialog(store, actions);
}

function download(name: string, text: string, remarks: readonly string[] = []): void {
  saveAs(name, new Blob([text], { type: "text/plain" }));
  say([`${name} is downloaded: it is where your browser puts downloads.`, ...remarks].join(" "));
}

async function openFiles(files: readonly File[]): Promise<void> {
  const sources: Source[] = [];
  for (const file of files) {
    if (file.name.toLowerCase().endsWith(".ctf") || isMesh(file.name)) {
      actions.upload([file]);
    } else if (file.name.endsWith(".toml") || file.name.endsWith(".json")) {
      wire.ask("open", { text: await file.text() });
    } else {
      sources.push(fileOf(file.name, new Uint8Array(await file.arrayBuffer())));
    }
  }
  if (sources.length > 0) {
    load({ files: sources });
    say(`${sources.map((each) => each.name).join(", ")} opened; undo leads back`, false, openButton);
  }
}

// files of the folder may be others when the page is looked at again
window.addEventListener("focus", () => {
  if (store.value.connected && (store.value.hello?.folder ?? "") !== "") wire.ask("presets");
});

document.addEventListener("dragover", (event) => {
  event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if ((event.dataTransfer?.files.length ?? 0) > 0) {
    event.preventDefault();
    void openFiles([...(event.dataTransfer?.files ?? [])]);
  }
});

// ---- keys

const KEYS: [string, string][] = [
  ["F6, Shift+F6", "next pane, previous pane"],
  ["Alt+. , Alt+,", "one step on, one step back"],
  ["Alt+PageDown, Alt+PageUp", "next draw, previous draw (recorded frame)"],
  ["Alt+Shift+. , Alt+Shift+,", "next, previous time on the line of the cursor"],
  ["Ctrl+Enter", "run now"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo: text, values, examples, presets"],
  ["Ctrl+S", "save or share"],
  ["Ctrl+Space, F12, F2", "complete, go to definition, rename (editor)"],
  ["Escape, then Tab", "leave the editor"],
  ["arrow keys, + −, F", "turn, zoom, fit the whole mesh (mesh view)"],
  ["n, p", "next, previous vertex (mesh view)"],
  ["arrow keys", "walk in tabs, tables, lists and trees, and move a split"],
  ["Alt+click, long press on a value", "go to the step that changes it next"],
  ["long press on the mesh", "pick a vertex and show its steps"],
  ["?", "these keys"],
];

function help(): void {
  keysDialog(KEYS);
}

document.addEventListener("keydown", (event) => {
  const key = event.key;
  if (key === "F6") {
    event.preventDefault();
    const pane = panesBar.next(event.shiftKey);
    if (pane?.classList.contains("source-pane")) {
      source.focus();
    } else {
      (pane?.querySelector<HTMLElement>("[role=tab][tabindex='0'], canvas, [tabindex='0'], button, input, select"))?.focus();
    }
  } else if (event.altKey && (event.code === "Period" || event.code === "Comma")) {
    event.preventDefault();
    const back = event.code === "Comma";
    if (event.shiftKey) {
      time.onLine(back);
    } else {
      time.step(back ? -1 : 1);
    }
  } else if (event.altKey && (key === "PageDown" || key === "PageUp") && store.value.frame !== null) {
    event.preventDefault();
    const { wantedDraw, draw } = store.value;
    draws.go((wantedDraw ?? draw?.number ?? 0) + (key === "PageDown" ? 1 : -1));
  } else if (undoKey(event) !== 0) {
    event.preventDefault();
    event.stopPropagation();
    walk(undoKey(event) > 0);
  } else if ((event.ctrlKey || event.metaKey) && key === "Enter") {
    event.preventDefault();
    evaluate();
  } else if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "s") {
    event.preventDefault();
    save();
  } else if (key === "?" && !isText(event.target)) {
    help();
  }
}, true);

store.on(["theme", "space", "wireframe", "tabs"], (value) => {
  remember(keeper, value);
});

store.on(["source"], ({ source: pane }) => {
  const errors = pane?.diagnostics.filter((finding) => finding.severity === "error").length ?? 0;
  panesBar.badge("source", errors === 0 ? "" : String(errors), errors === 1 ? " error" : " errors");
});
app.append(header(), film.element, workspace, foot(), panesBar.element, voice());
document.getElementById("app")?.append(app);
if (keeper.problem !== "") say(keeper.problem, true);
connectLanguageServer(() => address("/lsp"), client, settings);
wire.connect();

// for tests in a browser: what is on the screen, as numbers
Object.assign(window, { lanewise: { store, actions, view: mesh.view, wire, quiet: () => timer === undefined && hot === null && wire.idle() && isPainted() } });
