/** Time: the steps of the picked vertex, forward and backward; breakpoints on data; where a value comes from. */

import type { Actions } from "../actions";
import { asTyped, short, variantText } from "../numbers";
import { rounds, stateAfter, stepOnLine, type Place } from "../replay";
import type { App, Place as Line, Store } from "../state";
import type { ExplainNode, Plain, TimePane, TraceStep } from "../types";
import { announce, button, clear, empty, h, keepingFocus, longPress, s, write } from "../widgets/dom";
import { grid } from "../widgets/grid";
import { causesDrawing } from "./causes";
import { hex } from "./words";

export interface TimeView {
  element: HTMLElement;
  step(by: number): void;
  onLine(back: boolean): void;
}

const HEADINGS: Record<string, string> = { written: "Written so far", input: "Inputs", register: "Registers", uniform: "Uniforms", constant: "Constants" };
const COMPACT = 1180; // pixels up to which an explanation takes the place of the steps

/** `pick` says how a vertex is picked. */
export function timePane(store: Store, actions: Actions, pick = "Click a triangle in the mesh view or a row of the table"): TimeView {
  const body = h("div", { class: "time" });
  // not a query of a container: what changes in one is styled and laid out twice
  new ResizeObserver(() => { body.classList.toggle("compact", body.clientWidth <= COMPACT); }).observe(body);
  const slider = h("input", { type: "range", min: "0", max: "0", value: "0", class: "scrubber", "aria-label": "steps done", oninput: () => { actions.seek(Number(slider.value)); } });
  const [at, justDone, next] = [h("span"), h("span", { class: "at-done" }), h("span", { class: "at-next" })];
  const where = h("output", { class: "where", "aria-live": "off" }, justDone, " ", next, " ", at);
  const loop = h("button", { type: "button", class: "link loop", hidden: true, title: "to the field of this count" });
  let starts: LoopStart[] = []; // in the order of the steps
  const stages = h("span", { class: "buttons stages", role: "group", "aria-label": "stages" });
  const profile = h("div", { class: "profile" });
  const done = h("div", { class: "done" });
  const condition = h("input", { type: "text", class: "condition", placeholder: "r0.x > 1 or changes r0.x", "aria-label": "stop where", spellcheck: false, onkeydown: (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      event.preventDefault();
      search(event.shiftKey);
    }
  } });
  const usual = h("select", { "aria-label": "usual queries", class: "queries", onchange: () => {
    if (usual.value !== "") {
      condition.value = usual.value;
      usual.value = "";
      search(false);
    }
  } });
  store.on(["source", "explain"], ({ source, explain }) => {
    const place = explain === null ? [] : [["changes", explain.place] as const];
    const others = (source?.variants ?? []).filter((variant) => variant.name !== source?.variant).map((variant) => ["differs", variant.name, variantText(variant)] as const);
    clear(usual, h("option", { value: "" }, "usual…"), ...[...place, ["nan", ""] as const, ["infinity", ""] as const, ...others].map(([kind, name, called]) => {
      const text = { changes: `${name} changes`, nan: "NaN is written", infinity: "an infinity is written", differs: `it differs from ${called ?? name}` }[kind];
      return h("option", { value: `${kind} ${name}`.trim() }, text);
    }));
  });
  const answer = h("span", { class: "quiet answer" });
  const step = (by: number): void => {
    const { time, step: now } = store.value;
    if (time !== null) {
      actions.seek(Math.min(Math.max(now + by, 0), time.steps.length));
    }
  };
  const search = (back: boolean): void => {
    const text = asTyped(condition.value.trim()); // a number may be copied from a table
    condition.setAttribute("aria-invalid", "false");
    if (text !== "") {
      actions.until(text, back);
    }
  };
  const bar = h("div", { class: "bar" },
    h("span", { class: "buttons", role: "group", "aria-label": "steps" },
      button("first step", "|◀", () => { actions.seek(0); }), button("one step back  (Alt+,)", "◀", () => { step(-1); }), button("one step on  (Alt+.)", "▶", () => { step(1); }),
      button("last step", "▶|", () => { step(Infinity); })),
    where, stages,
    h("span", { class: "until" }, h("label", {}, h("span", {}, "stop where"), condition), usual, button("search back  (Shift+Enter)", "◀", () => { search(true); }), button("search on  (Enter)", "▶", () => { search(false); })), answer);
  const steps = grid("steps", (row) => { actions.seek(row + 1); });
  const sections = h("div");
  const registers = h("div", { class: "registers scroll" }, h("p", { class: "hint" }, h("span", {}, "Choose a value for its causes."), loop), sections);
  const explained = h("div", { class: "explain scroll" });
  let drawn = false; // explanations are shown as graphs
  let shown = { rows: "", results: {} as TimePane["results"], cells: new Map<string, HTMLElement>() }; // the registers that are drawn
  let filled: TimePane | null = null;
  let told = 0; // the step that is said
  const columns = h("div", { class: "time-columns unexplained" }, steps.element, registers, explained);

  store.on(["time", "vertex", "mesh"], (app) => {
    const { time } = app;
    if (time !== null && time === filled && body.contains(columns)) return; // another picture of the same steps
    filled = time;
    keepingFocus(body, () => { fill(app); });
  });

  function fill(app: Readonly<App>): void {
    const { time } = app;
    if (time === null) {
      clear(body, empty("No vertex picked", `${pick}: its steps appear here, and you can go through them in both directions.`,
        h("button", { type: "button", class: "primary", hidden: (app.mesh?.head.vertices ?? 0) === 0, onclick: () => { actions.pick(0, null); } }, "Vertex 0")));
      return;
    }
    clear(body, bar, h("div", { class: "timeline-row" }, profile, slider), columns);
    clear(stages, ...stageButtons(time));
    where.style.setProperty("--digits", String(String(time.steps.length).length));
    slider.max = String(time.steps.length);
    starts = loopStarts(time.steps);
    const round = rounds(time.steps);
    steps.fill([
      { label: "step", width: Math.max(4, String(time.steps.length).length), text: (row) => String(time.steps[row]?.number ?? row) },
      { label: "at", width: 3, text: (row) => hex(time.steps[row]?.address ?? 0) },
      { label: "instruction", width: 34, kind: "text", text: (row) => `${time.steps[row]?.instruction ?? ""}${(round?.[row] ?? 0) > 0 ? `  · round ${String(round?.[row])}` : ""}` },
      { label: "writes", width: 52, kind: "text", cut: true, text: (row) => written(time.steps[row]) },
    ], time.steps.length);
    clear(profile, sparkline(time, (at) => { actions.seek(at); }), done);
  }
  store.on(["time", "step"], (app) => {
    const { time, step: now } = app;
    if (time === null) {
      return;
    }
    slider.value = String(now);
    const text = describeStep(time, now);
    slider.setAttribute("aria-valuetext", text);
    const focus = document.activeElement; // the slider says its value, the table its row
    if (now !== told && !body.hidden && focus !== slider && !steps.element.contains(focus)) announce(text);
    told = now;
    write(at, `of ${String(time.steps[0]?.number ?? 0)} to ${String(time.steps.at(-1)?.number ?? 0)}`); // of the vertex that the tab names
    for (const [mark, which, what] of [[justDone, now - 1, "done"], [next, now, "next"]] as const) { // in the colours of their lines
      const number = time.steps[which]?.number;
      mark.hidden = number === undefined;
      write(mark, number === undefined ? "" : `step ${String(number)} ${what}`);
    }
    steps.select(now > 0 ? now - 1 : null, !steps.element.contains(document.activeElement));
    done.style.transform = `translateX(${String(100 * (time.steps.length === 0 ? 0 : now / time.steps.length) - 100)}%)`;
    drawRegisters(app);
  });
  store.on(["time", "step", "data"], (app) => {
    const last = app.time === null ? undefined : starts.findLast((start) => start.at < app.step);
    const field = app.data?.uniforms.find((row) => row.name === last?.name || row.register === last?.name);
    loop.hidden = starts.length === 0 || app.data === null; // the playground's values are text
    loop.style.visibility = field === undefined ? "hidden" : ""; // it keeps its room while steps are gone through
    if (last === undefined || field === undefined) return;
    loop.textContent = `loop ${last.name}: ${last.times}`;
    loop.onclick = () => { actions.field(field.name); };
  });
  store.on(["stop"], ({ stop, time }) => {
    answer.textContent = stop?.text ?? "";
    if (stop !== null) announce([stop.text, stop.step === null || time === null ? "" : describeStep(time, stop.step)].filter(Boolean).join("; "));
  });
  store.on(["explain"], ({ explain, cameFrom }) => {
    columns.classList.toggle("unexplained", explain === null);
    if (explain === null) {
      clear(explained);
      return;
    }
    const drawing = causesDrawing(explain.graph, actions, (place) => { store.set({ hover: place }); });
    const list = tree(explain.tree, actions, lineOf, (line) => { store.set({ hover: line }); });
    const show = (graph: boolean): void => {
      drawn = graph;
      toggle.setAttribute("aria-pressed", String(graph));
      list.hidden = graph;
      if (drawing !== null) drawing.hidden = !graph;
      if (graph && drawing !== null) result(drawing);
    };
    const toggle = h("button", { type: "button", class: "toggle", title: "a small graph: expressions of the source, calls and loops", onclick: () => { show(!drawn); } }, "Graph");
    const back = cameFrom === null ? null : button("back to the table of vertices  (Escape)", "←", goBack, { class: "back" });
    const chips = components(explain.place);
    clear(explained, h("div", { class: "explain-head" }, back, h("h2", { "aria-label": `where ${explain.place} comes from` }, h("code", {}, chips === null ? explain.place : explain.place.replace(/\.\w$/, "")), chips, " comes from"), drawing === null ? null : toggle, button("close", "×", () => { store.set({ explain: null, cameFrom: null }); }, { class: "close" })), list, drawing);
    show(drawn && drawing !== null);
    if (back !== null && document.activeElement === document.body) back.focus(); // the table that had the focus is no longer in view
    const line = lineOf(explain.tree);
    if (line !== null) store.set({ hover: line, reveal: { ...line, stamp: performance.now() } }); // the line that wrote it, not the one that comes next
  });

  /** To the table in which the explanation was asked for. */
  function goBack(): void {
    const tab = store.value.cameFrom;
    store.set({ cameFrom: null });
    if (tab !== null) actions.tab(tab);
  }
  body.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && store.value.cameFrom !== null && event.target !== condition) {
      event.preventDefault();
      goBack();
    }
  });

  /** The other components of a register: each is asked for by a letter. */
  function components(place: string): HTMLElement | null {
    const { time, step } = store.value;
    const [register = "", chosen = ""] = place.split(".");
    const places = time === null ? null : stateAfter(time, step);
    const letters = [..."xyzw"].filter((letter) => places?.has(`${register}.${letter}`) === true || time?.results[`${register}.${letter}`] !== undefined);
    return letters.length < 2 ? null : h("span", { class: "buttons components", role: "group", "aria-label": `components of ${register}` },
      ...letters.map((letter) => button(`where ${register}.${letter} comes from`, letter, () => { actions.explain(`${register}.${letter}`); }, { class: "toggle", "aria-pressed": String(letter === chosen) })));
  }

  /** The line of the step that a node of an explanation is about. */
  function lineOf(node: ExplainNode): Line | null {
    const { column, length } = node;
    const { file, line } = node.step === null || length > 0 ? node : (store.value.time?.steps[node.step] ?? node);
    return file === null || line === null ? null : { file, line, column, length };
  }

  /** From a run of a geometry shader to the vertices that it takes, and back. */
  function stageButtons({ run, sources }: TimePane): HTMLElement[] {
    if (run !== null) {
      return [button("the geometry shader's run that takes this vertex", `run ${String(run)}`, () => { actions.before(null); })];
    }
    return sources.map((source) => button("its steps in the vertex shader, before this run", source.title, () => { actions.before(source.thread); }));
  }

  function drawRegisters(app: Readonly<App>): void {
    const time = app.time;
    if (time === null) {
      return;
    }
    const places = stateAfter(time, app.step);
    const rows = [...places].map(([place, { name, kind }]) => `${place} ${kind} ${name}`).join("\n");
    if (rows !== shown.rows || shown.results !== time.results) {
      shown = { rows, results: time.results, cells: new Map() };
      drawRows(places, new Set(Object.values(time.results).map((place) => place.split(".")[0])));
    }
    const lastStep = time.steps[app.step - 1]?.number;
    for (const [place, { value, step: at }] of places) {
      const cell = shown.cells.get(place);
      if (cell === undefined) {
        continue;
      }
      const text = short(value, 5);
      write(cell, text);
      cell.parentElement?.classList.toggle("fresh", at === lastStep && lastStep !== undefined);
    }
  }

  /** The table of the registers, without values: they change with each step, and the rows hardly ever do. */
  function drawRows(places: Map<string, Place>, outputs: ReadonlySet<string | undefined>): void {
    const groups = new Map<string, { name: string; kind: string; values: { place: string; letter: string }[] }>();
    for (const [place, value] of places) {
      const [register = place, letter = ""] = place.split(".");
      const group = groups.get(register) ?? { name: value.name, kind: value.kind, values: [] };
      if (value.name !== "" && value.name !== place) group.name = value.name; // one without a name is called as its place
      if (value.kind === "written") group.kind = "written";
      group.values.push({ place, letter });
      groups.set(register, group);
    }
    const order = ["written", "input", "register", "uniform", "constant"];
    const sorted = [...groups].sort(([one, a], [two, b]) => order.indexOf(a.kind) - order.indexOf(b.kind) || Number(outputs.has(two)) - Number(outputs.has(one)));
    const kinds = order.map((kind) => ({ kind, rows: sorted.filter(([, group]) => group.kind === kind) })).filter(({ rows }) => rows.length > 0);
    clear(sections, ...kinds.flatMap(({ kind, rows }) => [
      h("h2", {}, HEADINGS[kind] ?? kind),
      h("table", { class: "plain values", "aria-label": HEADINGS[kind] ?? kind }, h("tbody", {}, ...rows.map(([register, group]) =>
        h("tr", {}, h("th", { scope: "row" }, group.name === "" || group.name === register ? register : group.name, ...(group.name !== "" && group.name !== register ? [" ", h("span", { class: "register" }, register)] : [])),
          ...["x", "y", "z", "w", ""].filter((letter) => group.values.some((value) => value.letter === letter) || (letter !== "" && group.values.some((value) => value.letter !== ""))).map((letter) => {
            const value = group.values.find((entry) => entry.letter === letter);
            const cell = value && h("button", {
              type: "button", class: "value", title: `where ${value.place} comes from`, data: { place: value.place },
              onclick: (event: MouseEvent) => {
                if (event.altKey) {
                  condition.value = `changes ${value.place}`;
                  search(false);
                } else {
                  actions.explain(value.place);
                }
              },
            });
            if (value !== undefined && cell !== undefined) shown.cells.set(value.place, cell);
            // Alt+click where there is no Alt
            if (cell !== undefined) longPress(cell, () => { condition.value = `changes ${cell.dataset["place"] ?? ""}`; search(false); });
            return h("td", {}, cell);
          }))))),
    ]));
  }

  return {
    element: body,
    step,
    onLine: (back) => {
      const { time, hover, step: now } = store.value;
      if (time !== null && hover !== null) {
        const found = stepOnLine(time.steps, hover.file, hover.line, now - 1, back ? -1 : 1);
        if (found !== null) {
          actions.seek(found + 1);
        }
      }
    },
  };
}

/** Bring the box of the value itself, the last, into view where the graph of its causes is larger than its pane. */
function result(drawing: HTMLElement): void {
  const [box, pane] = [[...(drawing.shadowRoot?.querySelectorAll(".block") ?? [])].at(-1)?.getBoundingClientRect(), drawing.parentElement];
  if (box === undefined || pane === null) return;
  const { left, width, bottom } = pane.getBoundingClientRect();
  pane.scrollLeft += box.left + box.width / 2 - left - width / 2;
  pane.scrollTop += box.bottom + 12 - bottom;
}

interface LoopStart {
  at: number;
  name: string;
  times: string;
}

/** The steps that begin a loop, with the count that it reads and how often it runs. */
function loopStarts(steps: readonly TraceStep[]): LoopStart[] {
  return steps.flatMap((step, at) => {
    const times = step.notes.map((note) => /^runs (.+ times?)$/.exec(note)?.[1]).find((text) => text !== undefined);
    const name = /^for (\S+)$/.exec(step.instruction)?.[1];
    return times === undefined || name === undefined ? [] : [{ at, name, times }];
  });
}

/** Values of a register, once where they are alike. */
function values(numbers: readonly Plain[]): string {
  const [first = "", ...others] = numbers.map((value) => short(value, 4));
  return others.length > 0 && others.every((other) => other === first) ? `all ${first}` : [first, ...others].join(", ");
}

function written(step: TraceStep | undefined): string {
  if (step === undefined) {
    return "";
  }
  const writes = step.writes.map((write) => `${write.name || write.register}${write.components === "" || write.components === "xyzw" ? "" : `.${write.components}`} = ${values(write.new)}`);
  return [...writes, ...step.decisions.map((decision) => `${decision.question} ${decision.answer}`), ...step.notes].join("; ");
}

export function describeStep(time: TimePane, count: number): string {
  const [step, next] = [time.steps[count - 1], time.steps[count]];
  return `${time.subject}${step === undefined ? "" : `; step ${String(step.number)} done, ${step.instruction}: ${written(step)}`}${next === undefined ? "; all steps done" : `; step ${String(next.number)} next, ${next.instruction}`}`;
}

/** Where the run is in the program, over its steps: loops are saw teeth. Of steps that share a place the least and the greatest address are drawn. */
function sparkline(time: TimePane, seek: (step: number) => void): SVGSVGElement {
  const [width, height] = [1000, 36];
  const count = Math.max(time.steps.length, 1);
  const most = time.steps.reduce((sum, step) => Math.max(sum, step.address), 1);
  const places = Math.min(count, width);
  const points = Array.from({ length: time.steps.length === 0 ? 0 : places }, (_, place) => {
    const [from, to] = [Math.floor((place * count) / places), Math.floor(((place + 1) * count) / places)];
    const addresses = time.steps.slice(from, to).map((step) => step.address);
    const [low, high] = [Math.min(...addresses), Math.max(...addresses)].map((address) => (2 + (address / most) * (height - 4)).toFixed(1));
    return `${((from / count) * width).toFixed(1)},${low ?? ""} ${((to / count) * width).toFixed(1)},${high ?? ""}`;
  });
  const svg = s("svg", { viewBox: `0 0 ${String(width)} ${String(height)}`, preserveAspectRatio: "none", "aria-hidden": "true" }, s("polyline", { points: points.join(" ") }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    seek(Math.round(((event.clientX - box.left) / box.width) * count));
  });
  return svg;
}

function tree(root: ExplainNode, actions: Actions, lineOf: (node: ExplainNode) => Line | null, pointed: (line: Line) => void): HTMLElement {
  const item = (node: ExplainNode, depth: number): HTMLElement => {
    const inner = h("ul", { role: "group" });
    const place = lineOf(node);
    const label = h("span", { class: "node", title: node.text, onmouseenter: () => { if (place !== null) pointed(place); } },
      place === null ? null : h("button", { type: "button", class: "link at", tabIndex: -1, title: "to this line of the source", onclick: (event: MouseEvent) => { event.stopPropagation(); actions.reveal(place.file, place.line); } }, `line ${String(place.line)}`),
      node.place !== undefined && node.place !== "" ? h("code", { class: "place" }, node.place) : null, node.value !== null && node.value !== undefined ? h("b", {}, short(node.value)) : null, node.expression === undefined ? null : h("code", { class: "expression" }, node.expression), h("span", { class: node.expression === undefined ? "" : "of-stage" }, node.text));
    const open = depth < 2;
    const entry = h("li", { role: "treeitem", tabIndex: depth === 0 ? 0 : -1, "aria-level": String(depth + 1), ...(node.children.length > 0 ? { "aria-expanded": String(open) } : {}) }, label);
    if (node.children.length > 0) {
      let filled = false;
      const expand = (is: boolean): void => {
        entry.setAttribute("aria-expanded", String(is));
        inner.hidden = !is;
        if (is && !filled) {
          filled = true;
          inner.append(...node.children.map((child) => item(child, depth + 1)));
        }
      };
      entry.append(inner);
      expand(open);
      entry.addEventListener("toggle-node", (event) => {
        event.stopPropagation();
        expand((event as CustomEvent<boolean>).detail);
      });
    }
    label.onclick = () => {
      if (node.children.length > 0) {
        entry.dispatchEvent(new CustomEvent("toggle-node", { detail: entry.getAttribute("aria-expanded") !== "true" }));
      }
      entry.focus();
      follow();
    };
    const follow = (): void => {
      if (node.from !== undefined) {
        actions.before(node.from.thread, node.from.place);
      } else if (node.step !== null) {
        actions.seek(node.step + 1);
      } else if (node.line !== null) {
        actions.reveal(node.file, node.line);
      }
    };
    entry.onkeydown = (event) => {
      if (event.target === entry && event.key === "Enter") {
        follow();
      }
    };
    return entry;
  };
  const list = h("ul", { role: "tree", "aria-label": "where the value comes from", class: "tree" }, item(root, 0));
  list.onkeydown = (event) => {
    const visible = [...list.querySelectorAll<HTMLElement>("[role=treeitem]")].filter((entry) => entry.offsetParent !== null);
    const at = visible.indexOf(document.activeElement as HTMLElement);
    const now = visible[at];
    if (now === undefined) {
      return;
    }
    const expanded = now.getAttribute("aria-expanded");
    let next: HTMLElement | undefined;
    if (event.key === "ArrowDown") next = visible[at + 1];
    else if (event.key === "ArrowUp") next = visible[at - 1];
    else if (event.key === "ArrowRight") {
      if (expanded === "false") now.dispatchEvent(new CustomEvent("toggle-node", { detail: true }));
      else if (expanded === "true") next = visible[at + 1];
    } else if (event.key === "ArrowLeft") {
      if (expanded === "true") now.dispatchEvent(new CustomEvent("toggle-node", { detail: false }));
      else next = now.parentElement?.closest<HTMLElement>("[role=treeitem]") ?? undefined;
    } else return;
    event.preventDefault();
    if (next !== undefined) {
      for (const entry of visible) entry.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
  };
  return list;
}

