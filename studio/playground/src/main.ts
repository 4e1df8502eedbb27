/** The playground: the studio's panes, with lanewise in a worker instead of a server. */

import "../../page/src/style.css";
import "./style.css";

import type { Actions } from "../../page/src/actions";
import { explainedOf, stopOf, timeOf, type ServerTime } from "../../page/src/answers";
import { History, undoKey } from "../../page/src/history";
import { decodeState, encodeState, TooLong } from "../../page/src/link";
import { variantText } from "../../page/src/numbers";
import { graphPane } from "../../page/src/panes/graph";
import { optimiserPane } from "../../page/src/panes/optimiser";
import { sourcePane } from "../../page/src/panes/source";
import { timePane } from "../../page/src/panes/time";
import { verticesPane } from "../../page/src/panes/vertices";
import { wordsPane } from "../../page/src/panes/words";
import { baseOf, begin, Sessions } from "../../page/src/session";
import { copyLink, isText, keysDialog, noteLine, restoredLine, saveAs, splits, themeButton, themed, topMenu, undoButtons } from "../../page/src/shell";
import { initial, remember, remembered, Store, themeOf } from "../../page/src/state";
import { Keeper } from "../../page/src/storage";
import type { Finding, GraphPane, OptPane, Source, SourcePane, State, WordsPane } from "../../page/src/types";
import { button, clear, fresh, h } from "../../page/src/widgets/dom";
import { paneBar } from "../../page/src/widgets/panes";
import { tabs } from "../../page/src/widgets/tabs";
import { Wire, type Listener } from "../../page/src/wire";
import { workerChannel } from "./channel";
import { meshOf } from "./mesh";
import { convertPane } from "./panes/convert";
import { findingsPane } from "./panes/findings";
import { referencePane } from "./panes/reference";
import type { ConvertPane, Loading, PlaygroundHello, ReferenceIndex, ReferencePage, RunPane } from "./protocol";
import { embedded, READY } from "./embedded";
import { recordedHello, recordedPanes } from "./recorded";
import { edited, squiggles, type Fixable } from "./squiggles";

const PAUSE = 120; // milliseconds after the last change until the program is read again
const MOST_STEPS = 50_000; // that the page keeps of one vertex

const keeper = new Keeper("playground");
const store = new Store({ ...initial(), theme: keeper.read("theme", themeOf) ?? "auto", ...remembered(keeper) });

const sessions = new Sessions(new Keeper("playground", () => sessionStorage), keeper, store);

let timer: ReturnType<typeof setTimeout> | undefined;
let explaining = "";
let wanted: string | null = null; // a place to explain as soon as the steps are there
let refused = false; // the note says why the last state was not read
let opened = false;
let hello: PlaygroundHello | null = null;
let ahead = false; // the worker was asked before it could answer
let written = location.hash; // the fragment that this page has put there

// ---- the worker

const listener: Listener = {
  connected: (is) => {
    if (!is) ahead = false; // with its questions
    store.set({ connected: is, ...(is ? {} : { busy: null }) });
  },
  hello: (value) => {
    if (ahead) {
      ahead = false;
      hello = value as PlaygroundHello;
      store.set({ hello });
    } else {
      void welcome(value as PlaygroundHello);
    }
  },
  pane: (name, value, ask) => {
    receive[name]?.(value, ask);
  },
  frame: () => undefined,
  progress: () => undefined,
  ended: (id, ask, how) => {
    if (store.value.busy?.id === id) {
      store.set({ busy: null });
    }
    if (ask === "evaluate" && how.error === undefined && how.cancelled !== true) {
      retrace();
    }
    if (how.error !== undefined) {
      failed(ask, how.error);
    } else if (how.fault !== undefined) {
      say(`lanewise failed: ${how.fault}`, true);
    }
  },
};

const wire = new Wire(() => workerChannel(loading), listener);

async function welcome(value: PlaygroundHello): Promise<void> {
  hello = value;
  store.set({ hello });
  if (!opened) {
    opened = true;
    sessions.base = baseOf(hello.examples.map((example) => example.name));
    const linked = await stateOfLink();
    const kept = sessions.find();
    const state = linked ?? hello.examples[0]?.state ?? { files: [{ name: "shader.v.pica", text: "" }] };
    store.set(begin(state, kept, linked !== null && kept !== null ? kept.base : sessions.base));
  }
  evaluate();
  wire.ask("reference", { isa: "", name: "" });
}

/** Show what the page has without Python, which is asked in the meantime. */
async function showRecorded(): Promise<void> {
  const found = await recordedHello();
  if (found === null || hello !== null) return;
  ahead = true;
  await welcome(found);
  waits();
  const { state } = store.value;
  for (const { pane, value } of await recordedPanes(found, state)) {
    if (store.value.connected || store.value.state !== state) return;
    loadingText.textContent = "Python is loading. These values were computed when this page was built.";
    if (pane !== "time" || store.value.vertex === 0) receive[pane]?.(value, "evaluate");
  }
}

async function stateOfLink(): Promise<State | null> {
  const fragment = location.hash.replace(/^#/, "");
  if (fragment === "") {
    return null;
  }
  try {
    return await decodeState(fragment);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true);
    return null;
  }
}

const NO_SOURCE: SourcePane = { ok: false, isa: "", title: "", language: "", stage: "", entry: "", entries: [], variant: "", variants: [], option: "profile", diagnostics: [], stale: false };

const receive: Record<string, (value: unknown, ask: string) => void> = {
  source: (value) => {
    const source = { ...(store.value.source ?? NO_SOURCE), ...(value as SourcePane) };
    store.set({ source, stale: !source.ok, ...(refused ? { note: null } : {}), ...(source.ok ? { opt: null } : {}) });
    refused = false;
  },
  words: (value) => {
    store.set({ words: value as WordsPane });
  },
  graph: (value) => {
    store.set({ graph: value as GraphPane });
  },
  starter: (value) => {
    change({ files: [...sourcesOf(store.value.state), value as Source] });
  },
  run: (value) => {
    const run = value as RunPane;
    const { source } = store.value;
    showCommand(run.command ?? "");
    store.set({
      mesh: meshOf(run),
      ...(source === null ? {} : { source: { ...source, diagnostics: [...source.diagnostics, ...run.diagnostics] } }),
    });
  },
  time: (value) => {
    const part = timeOf(value as ServerTime, null);
    const before = store.value.time;
    const time = (part.first ?? 0) > 0 && before?.vertex === part.vertex ? { ...part, steps: [...before.steps, ...part.steps] } : part;
    if (part.complete === false && time.steps.length < MOST_STEPS) {
      wire.ask("trace", { thread: part.vertex, first: time.steps.length });
    }
    const asked = part.complete === false ? null : wanted;
    store.set({ time, step: asked === null ? Math.min(store.value.step, time.steps.length) : time.steps.length, explain: null, stop: null });
    if (asked !== null) {
      wanted = null;
      actions.explain(asked);
    }
  },
  explain: (value) => {
    store.set({ explain: explainedOf(value as Parameters<typeof explainedOf>[0], explaining) });
  },
  seek: (value) => {
    const stop = stopOf(value as Parameters<typeof stopOf>[0]);
    store.set({ stop, ...(stop.step === null ? {} : { step: stop.step }) });
  },
  opt: (value) => {
    store.set({ opt: value as OptPane });
  },
  format: (value) => {
    const { file, text } = value as { file: string; text: string };
    const same = store.value.state.files.some((other) => other.name === file && other.text === text);
    say(same ? `${file} is formatted already.` : `${file} is formatted.`);
    replace(file, text);
  },
  convert: (value) => {
    converted.received(value as ConvertPane);
  },
  file: (value) => {
    const { name, data } = value as { name: string; data: string };
    saveAs(name, new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
    say(`${name} is saved.`);
  },
  open: (value) => {
    load((value as { state: State }).state);
  },
  index: (value) => {
    reference.index(value as ReferenceIndex);
  },
  page: (value) => {
    reference.page(value as ReferencePage);
  },
};

function failed(ask: string, findings: readonly Finding[]): void {
  const text = findings.map((finding) => finding.message + (finding.fix === undefined || finding.fix === "" ? "" : `: ${finding.fix}`)).join("; ");
  if (ask === "seek") {
    store.set({ stop: { step: null, text } });
  } else if (ask === "trace") {
    store.set({ time: null, explain: null });
  } else {
    refused = ask === "evaluate";
    store.set({ ...(ask === "evaluate" ? { stale: true } : {}), note: { text, error: true } });
  }
}

// ---- what panes ask for

function sourcesOf(state: State): Source[] {
  return state.files.filter((file) => !file.name.endsWith(".toml"));
}

function evaluate(): void {
  clearTimeout(timer);
  timer = undefined;
  if (store.value.state.files.length > 0) {
    wire.ask("evaluate", { state: store.value.state });
  }
}

function change(patch: Partial<State>): void {
  store.set({ state: { ...store.value.state, ...patch } });
  clearTimeout(timer);
  timer = setTimeout(evaluate, PAUSE);
}

function replace(name: string, text: string): void {
  change({ files: store.value.state.files.map((file) => (file.name === name ? { name, text } : file)) });
}

/** Trace the picked vertex again, if it is one. */
function retrace(): void {
  const { vertex, mesh } = store.value;
  if (vertex === null || mesh === null || vertex >= mesh.head.vertices) {
    store.set({ vertex: null, time: null, explain: null });
  } else {
    wire.ask("trace", { thread: vertex });
  }
}

function say(text: string, error = false): void {
  store.set({ note: { text, error } });
}

function load(state: State): void {
  showCommand("");
  store.set({ state, active: 0, source: null, vertex: null, time: null, explain: null, cameFrom: null, step: 0, opt: null, words: null, graph: null, mesh: null, note: null });
  evaluate();
}

/** A moment of the history, on the page. */
function moment(state: State, active: number): void {
  store.set({ state, active });
  evaluate();
}

const undo = undoButtons(() => { changes.undo(); }, () => { changes.redo(); });
const changes = new History(store, moment, undo.told);

const actions: Actions = {
  change, load, say,
  shape: () => undefined,
  uniform: () => undefined, // values are text here
  field: () => undefined, // and have no fields
  camera: () => undefined, // and nothing is drawn
  fitted: () => undefined,
  pick: (vertex) => {
    store.set({ vertex });
    retrace();
  },
  thread: (thread) => {
    actions.pick(thread, null);
  },
  before: () => undefined, // no geometry shader runs here
  seek: (step) => {
    store.set({ step });
  },
  explain: (place) => {
    explaining = place;
    wire.ask("explain", { thread: store.value.vertex ?? 0, position: store.value.step, place });
  },
  origin: (vertex, place) => {
    wanted = place;
    actions.pick(vertex, null);
    actions.tab("time");
  },
  until: (query, back) => {
    wire.ask("seek", { thread: store.value.vertex ?? 0, position: store.value.step, back, query });
  },
  reveal: (file, line) => {
    if (file !== null && line !== null) {
      const active = store.value.state.files.findIndex((other) => other.name === file);
      store.set({ ...(active < 0 ? {} : { active }), reveal: { file, line, stamp: performance.now() } });
      panesBar.show("source");
    }
  },
  ask: (what, body) => {
    const id = wire.ask(what, body);
    if (id !== 0) {
      store.set({ busy: { id, what, done: 0, total: 0 } });
    }
    return id;
  },
  cancel: () => {
    const { busy } = store.value;
    if (busy !== null) wire.cancel(busy.id);
  },
  tab: (id) => {
    lower.show(id);
    panesBar.show("values");
  },
  upload: () => undefined, // meshes and
  draw: () => undefined, // recorded frames are for the studio
  thumbnail: () => undefined,
  recorded: () => undefined,
};

// ---- the grid

themed(store);
const source = sourcePane(store, (name) => squiggles(store, name), change);
const time = timePane(store, actions, "Choose a row of the table of vertices");
const reference = referencePane((isa, name) => {
  wire.ask("reference", { isa, name });
});
const converted = convertPane(store, actions);
const command = h("code", {});
const commandLine = h("p", { class: "command-line", hidden: true }, "the same on your machine: ", command);
const vertices = h("div", { class: "run" }, verticesPane(store, actions), commandLine);

function showCommand(text: string): void {
  command.textContent = text;
  commandLine.hidden = text === "";
}

const findings = tabs("findings", [
  { id: "findings", label: "Findings", body: findingsPane(store, actions, (code) => { upper.show("reference"); panesBar.show("program"); reference.open("", code); }, correct), hint: "errors, warnings and hints" },
], "findings", () => undefined);
const upper = tabs("program", [
  { id: "words", label: "Words", body: wordsPane(store, actions), hint: "machine words and operand descriptors" },
  { id: "graph", label: "Graph", body: graphPane(store, actions), hint: "control-flow graph" },
  { id: "optimiser", label: "Optimiser", body: optimiserPane(store, actions), hint: "smaller programs with the same bits" },
  { id: "convert", label: "Convert", body: converted.element, hint: "formatted, in another language, as a binary" },
  { id: "reference", label: "Reference", body: reference.element, hint: "instructions and findings" },
], store.value.tabs["upper"] ?? "words", (id) => { shown("upper", id); });
const lower = tabs("vertices and time", [
  { id: "vertices", label: "Vertices", body: vertices, hint: "every vertex with its outputs" },
  { id: "time", label: "Time", body: time.element, hint: "the steps of the picked vertex" },
], store.value.tabs["lower"] ?? "vertices", (id) => { shown("lower", id); if (id !== "time") store.set({ cameFrom: null }); });

const panesBar = paneBar([
  { id: "source", label: "Source", element: source.element },
  { id: "findings", label: "Findings", element: findings.element },
  { id: "program", label: "Program", element: upper.element },
  { id: "values", label: "Values", element: lower.element },
], store.value.tabs["pane"] ?? "source", (id) => { shown("pane", id); });

function shown(where: string, id: string): void {
  queueMicrotask(() => {
    store.set({ tabs: { ...store.value.tabs, [where]: id } });
  });
}

/** Make the edits of a finding in the file that it is in. */
function correct(finding: Fixable): void {
  const file = store.value.state.files.find((other) => other.name === finding.span?.file);
  if (file !== undefined) {
    replace(file.name, edited(file.text, finding.edits ?? []));
  }
}

store.on(["source"], ({ source: pane }) => {
  findings.badge("findings", pane === null ? "" : String(pane.diagnostics.length));
  panesBar.badge("findings", (pane?.diagnostics.length ?? 0) === 0 ? "" : String(pane?.diagnostics.length ?? 0));
});
store.on(["words"], ({ words }) => {
  upper.badge("words", words === null ? "" : String(words.rows.length));
});
store.on(["mesh"], ({ mesh }) => {
  lower.badge("vertices", mesh === null ? "" : String(mesh.head.vertices));
});
store.on(["time"], ({ time: pane }) => {
  lower.badge("time", pane?.subject ?? "");
});

const app = h("div", { class: "app" });
const workspace = h("main", { class: "workspace" });
const left = h("div", { class: "column" });
const right = h("div", { class: "column" });
const split = splits(keeper, { columns: 0.44, left: 0.74, right: 0.5 });
split.line("columns", workspace.style, "gridTemplateColumns");
split.line("left", left.style, "gridTemplateRows");
split.line("right", right.style, "gridTemplateRows");
left.append(source.element, split.handle("source and findings", "left", "y", left), findings.element);
right.append(upper.element, split.handle("program and vertices", "right", "y", right), lower.element);
workspace.append(left, split.handle("left and right panes", "columns", "x", workspace), right);

// ---- header and foot

function header(): HTMLElement {
  const examples = h("select", { "aria-label": "open an example", onchange: () => {
    const found = hello?.examples.find((example) => example.name === examples.value);
    if (found !== undefined) load(found.state);
    examples.value = "";
  } });
  const entry = h("select", { "aria-label": "program", title: "program", onchange: () => { change({ entry: entry.value }); } });
  const variant = h("select", { "aria-label": "profile", onchange: () => { change({ profile: variant.value }); } });
  const kind = h("span", { class: "kind" });
  const data = button("values of a fitting shape for this program, in place of its data", "New data", () => { store.set({ active: 0 }); change({ files: sourcesOf(store.value.state) }); });
  const file = h("input", { type: "file", class: "hidden-input", tabIndex: -1, "aria-label": "open a file", multiple: true, onchange: () => { void openFiles([...(file.files ?? [])]); file.value = ""; } });
  store.on(["hello"], () => {
    clear(examples, h("option", { value: "" }, "Examples…"), ...(hello?.examples ?? []).map((example) => h("option", { value: example.name }, example.title)));
  });
  store.on(["source"], ({ source: pane }) => {
    kind.textContent = pane === null ? "" : pane.title;
    data.hidden = pane?.ok !== true || pane.stage === "geometry";
    clear(entry, ...(pane?.entries ?? []).map((name) => h("option", { value: name, selected: name === pane?.entry }, name)));
    entry.hidden = (pane?.entries.length ?? 0) < 2;
    clear(variant, ...(pane?.variants ?? []).map((one) => h("option", { value: one.name, title: one.summary, selected: one.name === pane?.variant }, variantText(one))));
    variant.title = pane?.option ?? "";
    variant.setAttribute("aria-label", pane?.option ?? "profile");
    variant.hidden = (pane?.variants.length ?? 0) < 2;
  });
  const top = h("header", { class: "top" }, h("h1", {}, h("img", { src: "assets/icon.svg", alt: "", width: 20, height: 20 }), "lanewise", h("span", {}, "playground")), examples);
  top.append(...topMenu(top, button("open files from the disk; they stay in this browser", "Open…", () => { file.click(); }), file, data, h("span", { class: "gap" }), kind, entry, variant, h("span", { class: "gap" }),
    button("what this page cannot do, and what does it", "Limits", limits), button("copy a link that carries source and data", "Copy link", () => { void share(); }), ...undo.elements, themeButton(store), button("keys  (?)", "?", help)));
  return top;
}

/** What the page cannot do, each with the command that does it. */
function limits(): void {
  const id = fresh("limits");
  const close = button("close", "Close", () => { dialog.close(); }, { class: "primary" });
  const dialog = h("dialog", { class: "keys", "aria-labelledby": id, onclose: () => { dialog.remove(); } }, h("h2", { id }, "What this page does not do, and what does it on your machine"),
    h("table", { class: "plain limits-table" }, h("tbody", {}, ...(hello?.limits ?? []).map(([what, how]) => h("tr", {}, h("td", {}, what), h("td", {}, h("code", {}, how)))))),
    h("p", { class: "quiet" }, `lanewise ${hello?.lanewise ?? ""} runs in this browser. Nothing that you write leaves it.`), close);
  document.body.append(dialog);
  dialog.showModal();
}

function foot(): HTMLElement {
  const status = h("span", { class: "status", role: "status" });
  const busy = h("span", { class: "busy" });
  store.on(["source", "mesh", "stale", "words"], ({ source: pane, mesh, stale, words }) => {
    const errors = pane?.diagnostics.filter((finding) => finding.severity === "error").length ?? 0;
    status.className = `status ${stale || errors > 0 ? "bad" : pane?.ok === true ? "good" : ""}`;
    status.textContent = stale ? `${errors === 1 ? "1 error" : `${String(errors)} errors`}${words === null ? "" : ": the panes show the last version that assembled"}`
      : [words && `${String(words.rows.length)} ${words.what}s`, mesh && (mesh.head.reason === undefined ? `${String(mesh.head.vertices)} vertices` : "not run")].filter(Boolean).join("  ·  ");
  });
  store.on(["busy"], ({ busy: work }) => {
    clear(busy, ...(work === null ? [] : [h("progress", { "aria-label": work.what }), work.what, button("cancel", "Cancel", actions.cancel)]));
  });
  return h("footer", { class: "foot" }, waiting, status, busy, restoredLine(store, load), noteLine(store));
}

const bar = h("progress", { "aria-label": "loading", max: 1, value: 0 });
const loadingText = h("p", { role: "status" }, "Python is loading.");
const amount = h("span", { class: "amount" });
const cover = h("div", { class: "loading" }, h("h1", {}, "lanewise playground"), bar, loadingText, amount, h("p", { class: "quiet" }, "Everything runs in this browser; nothing that you write is sent anywhere."));
const waiting = h("div", { class: "waiting", hidden: true });

/** The page can be used, and Python is not there yet. */
function waits(): void {
  if (store.value.connected) return;
  cover.remove();
  app.hidden = false;
  waiting.hidden = false;
  waiting.append(bar, loadingText, amount);
}

function loading(progress: Loading | null): void {
  if (progress === null) {
    cover.remove();
    app.hidden = false;
    waiting.hidden = true;
  } else if (progress.failed !== undefined) {
    bar.remove();
    amount.remove();
    loadingText.className = "failed";
    loadingText.textContent = `The playground cannot start: ${progress.failed}`;
  } else {
    bar.value = progress.total > 0 ? Math.min(progress.done / progress.total, 1) : 0;
    const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
    amount.textContent = `${megabytes(progress.done)} of ${megabytes(progress.total)} MB`;
    if (!opened) app.hidden = true;
  }
}

async function share(): Promise<void> {
  const { text, error } = await copyLink(store.value.state);
  written = location.hash;
  say(text, error);
}

async function openFiles(files: readonly File[]): Promise<void> {
  const texts: Source[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes.includes(0)) {
      let text = "";
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      actions.ask("open", { name: file.name, data: btoa(text) });
      return;
    }
    texts.push({ name: file.name, text: new TextDecoder().decode(bytes) });
  }
  if (texts.length > 0) {
    const own = texts.some((file) => !file.name.endsWith(".toml")) ? [] : sourcesOf(store.value.state);
    load({ files: [...own, ...texts] });
  }
}

document.addEventListener("dragover", (event) => {
  event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if ((event.dataTransfer?.files.length ?? 0) > 0) {
    event.preventDefault();
    void openFiles([...(event.dataTransfer?.files ?? [])]);
  }
});

// ---- the address: it always has what is on the page, as far as it is short enough

let linking: ReturnType<typeof setTimeout> | undefined;
store.on(["state"], ({ state }) => {
  clearTimeout(linking);
  if (state.files.length > 0) {
    linking = setTimeout(() => { void keepLink(state); }, 400);
  }
});

async function keepLink(state: State): Promise<void> {
  try {
    written = `#${await encodeState(state)}`;
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    written = "";
  }
  history.replaceState(null, "", written === "" ? location.pathname : written);
}

addEventListener("hashchange", () => {
  if (location.hash !== written) {
    void stateOfLink().then((state) => {
      if (state !== null) load(state);
    });
  }
});

// ---- keys

const KEYS: [string, string][] = [
  ["F6, Shift+F6", "next pane, previous pane"],
  ["Alt+. , Alt+,", "one step on, one step back"],
  ["Alt+Shift+. , Alt+Shift+,", "next, previous time on the line of the cursor"],
  ["Ctrl+Shift+M, F8", "list of findings, next finding (editor)"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo: source, data, examples"],
  ["Escape, then Tab", "leave the editor"],
  ["arrow keys", "walk in tabs, tables, lists and trees, and move a split"],
  ["Alt+click on a value", "go to the step that changes it next"],
  ["?", "these keys"],
];

function help(): void {
  keysDialog(KEYS);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "F6") {
    event.preventDefault();
    const pane = panesBar.next(event.shiftKey);
    if (pane?.classList.contains("source-pane")) {
      source.focus();
    } else {
      pane?.querySelector<HTMLElement>("[role=tab][tabindex='0']")?.focus();
    }
  } else if (event.altKey && (event.code === "Period" || event.code === "Comma")) {
    event.preventDefault();
    const back = event.code === "Comma";
    if (event.shiftKey) {
      time.onLine(back);
    } else {
      time.step(back ? -1 : 1);
    }
  } else if (undoKey(event) !== 0) {
    event.preventDefault();
    event.stopPropagation();
    if (undoKey(event) < 0) changes.undo();
    else changes.redo();
  } else if (event.key === "?" && !isText(event.target)) {
    help();
  }
}, true);

store.on(["theme", "tabs"], (value) => {
  remember(keeper, value);
});

app.append(header(), workspace, foot(), panesBar.element);
app.hidden = true;
if (keeper.problem !== "") say(keeper.problem, true);
document.getElementById("app")?.replaceChildren(cover, app);
if (window.parent !== window) embedded(store, actions, () => { window.parent.postMessage(READY, location.origin); });
void showRecorded(); // its small files before the large ones of the worker
wire.connect();

// for tests in a browser: what is on the screen, as numbers
Object.assign(window, { lanewise: { store, actions, quiet: () => timer === undefined && wire.idle() } });
