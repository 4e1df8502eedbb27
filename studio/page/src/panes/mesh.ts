/** Mesh view: object, clip and screen space; colours by output, fate, flags or path; a click picks a triangle and its nearest vertex. */

import type { Actions } from "../actions";
import { CAMERA, fitted, orbited, zoomed } from "../camera";
import { flagNames, legend, oneColour } from "../colours";
import { counts } from "../fates";
import { pageFix } from "../fixes";
import { MeshView, type Space } from "../meshview";
import { counted, short, withSignedNumbers } from "../numbers";
import type { App, Store } from "../state";
import type { Finding, Numbers, State } from "../types";
import { announce, button, clear, empty, fitChoice, fresh, h, keepingFocus, loading, roving } from "../widgets/dom";
import { turns } from "./data";
import { shapes } from "../widgets/shapes";

const SPACES: [Space, string, string][] = [
  ["object", "Object", "the mesh as it is, with the camera's frustum"],
  ["clip", "Clip", "x/w, y/w and z/w with the clip volume as a box"],
  ["screen", "Screen", "what the rasterizer keeps, on the screen"],
];

/** Reasons that no camera and no range of depth changes. */
const NO_CAMERA: ReadonlySet<string> = new Set(["nan", "infinite", "degenerate", "transparent", "stopped"]);

/** Findings of a recorded draw that leave nothing to see: an attribute that nothing feeds, and a matrix with reversed rows. */
const CAUSES: ReadonlySet<string> = new Set(["F004", "F016"]);

export interface MeshPane {
  element: HTMLElement;
  view: MeshView | null;
  /** Another mesh comes: the camera fits it, whatever has moved it. */
  refit(mesh: State["mesh"]): void;
}

const [SHORT, WIDE] = [380, 400]; // pixels of a pane in which a picture above a card has its controls beside it

export function meshPane(store: Store, actions: Actions, dark: () => boolean): MeshPane {
  let view: MeshView | null = null;
  let failure = "";
  try {
    view = new MeshView();
  } catch (error) {
    failure = String(error);
  }
  let raw = false;
  const spaces = h("div", { class: "segments", role: "radiogroup", "aria-label": "space" });
  roving(spaces, "button", "x");
  spaces.append(...SPACES.map(([space, label, hint]) => h("button", { type: "button", role: "radio", title: hint, data: { space }, onclick: () => { store.set({ space }); } }, label)));
  const colouring = h("select", { "aria-label": "colours by", title: "colours by", onchange: () => { store.set({ colouring: colouring.value }); if (colouring.value === "path") actions.ask("paths"); } });
  const screen = h("select", { "aria-label": "screen", title: "screen", onchange: () => {
    const [name, how] = screen.value.split("/");
    raw = how === "raw";
    if (name !== undefined && name !== (store.value.mesh?.head.screen.name ?? "")) actions.change({ screen: name });
    update();
  } });
  const cull = h("select", { "aria-label": "culled faces", title: "faces that are left out", onchange: () => { actions.change({ cull: cull.value }); } },
    ...(["back", "front", "none"] as const).map((name) => h("option", { value: name }, name === "none" ? "cull nothing" : `cull ${name}`)));
  const wire = button("draw the edges only", "Edges", () => { store.set({ wireframe: !store.value.wireframe }); }, { class: "toggle" });
  const fit = button("the whole mesh in the picture  (F)", "Fit", () => { fitAll(); });
  const turned = h("div", { class: "turn-row", hidden: true }, h("span", {}, "model, in degrees (drag: camera)"), turns(store, actions));
  const turning = button("turn of the model around its axes, in degrees; a drag in the picture turns the camera", "Angles…", () => {
    turned.hidden = !turned.hidden;
    turning.setAttribute("aria-expanded", String(!turned.hidden));
  }, { class: "toggle", "aria-expanded": "false" });
  const tools = h("div", { class: "mesh-tools" }, spaces, colouring, turning);
  const views = h("div", { class: "stage-tools" }, screen, cull, wire, fit);
  const legendBox = h("div", { class: "legend" });
  const overlay = h("div", { class: "overlay" });
  const card = h("div", { class: "card" }); // below the picture, which it does not cover
  const caption = h("p", { class: "caption", id: fresh("caption"), "aria-live": "off" });
  const shape = h("span", { class: "caption-shape" });
  const stage = h("div", { class: "stage" }, views, view?.canvas, legendBox, overlay);
  const element = h("section", { class: "pane mesh-pane", "aria-label": "mesh view" }, h("div", { class: "pane-head" }, tools), stage, card, turned, h("div", { class: "caption-row" }, shape, caption));

  new ResizeObserver(() => { element.classList.toggle("short", element.clientHeight <= SHORT && element.clientWidth >= WIDE); }).observe(element);
  if (view === null) {
    clear(stage, empty("No picture", `This browser has no WebGL 2: ${failure}`));
  } else {
    interact(view, view.canvas);
  }

  function update(): void {
    const app = store.value;
    for (const choice of spaces.querySelectorAll<HTMLElement>("button")) {
      const on = choice.dataset["space"] === app.space;
      choice.setAttribute("aria-checked", String(on));
      choice.tabIndex = on ? 0 : -1;
    }
    wire.setAttribute("aria-pressed", String(app.wireframe));
    stage.classList.toggle("stale", app.stale);
    const { mesh } = app;
    if (mesh === null) {
      const errors = app.source?.ok === false ? app.source.diagnostics.filter((finding) => finding.severity === "error") : [];
      clear(overlay, errors.length > 0 ? refusal(errors)
        : app.stale && app.note?.error === true ? empty("No picture", `It does not run: ${app.note.text}`)
        : app.busy !== null || app.source === null ? loading("The program runs") : empty("No picture yet", "The mesh appears here as soon as the program runs."));
      view?.show(null, look());
      caption.textContent = "";
      return;
    }
    view?.show(mesh, look());
    if (mesh.head.hot === true) {
      // while a value is dragged the picture comes first, and words about it a few times a second
      later ??= setTimeout(words, 200);
    } else {
      words();
    }
  }

  let later: ReturnType<typeof setTimeout> | undefined;
  function words(): void {
    clearTimeout(later);
    later = undefined;
    const app = store.value;
    if (app.mesh === null) {
      return;
    }
    options(app);
    overlays(app);
    legends(app);
    const text = describe(app);
    if (text !== caption.textContent) {
      caption.textContent = caption.title = text;
    }
  }

  /** Why there is no picture: the first errors of the source, with their places and fixes. */
  function refusal(errors: readonly Finding[]): HTMLElement {
    return h("div", { class: "why", role: "status" }, h("h2", {}, "No picture"), ...errors.slice(0, 3).map((finding) => {
      const { file, line } = finding.span ?? { file: "", line: 0 };
      return h("div", { class: "reason" }, h("p", {}, finding.message),
        file !== "" && line ? h("p", { class: "blame" }, button(`show line ${String(line)}`, `${file}:${String(line)}`, () => { actions.reveal(file, line); }, { class: "link" })) : null,
        finding.fix === undefined || finding.fix === "" ? null : fixed(finding.fix));
    }), errors.length > 3 ? h("p", { class: "blame" }, `and ${String(errors.length - 3)} more in the editor`) : null);
  }

  /** Findings of the recorded draw that make it invisible: they are the cause where there is one. */
  function recorded({ draw, state, edited }: Readonly<App>): HTMLElement[] {
    const findings = draw === null || state.draw?.number !== draw.number || edited.has(draw.number) ? [] : draw.findings;
    return findings.filter((finding) => CAUSES.has(finding.code)).map((finding) =>
      h("div", { class: "reason" }, h("p", {}, `The recording is a likely cause (${finding.code}, under Draw): ${finding.message}`), finding.fix === undefined || finding.fix === "" ? null : fixed(finding.fix)));
  }

  /** The remedy, with a button where the page has one. */
  function fixed(fix: string): HTMLElement {
    const { text, label, patch } = pageFix(fix);
    return h("p", { class: "fix" }, `fix: ${text} `, patch === undefined || label === undefined ? null : h("button", { type: "button", class: "small", onclick: () => { actions.change(patch); } }, label));
  }

  /** What a program may have been written for, to try at once: another range of depth, a camera inside of the mesh. */
  function attempts({ state, data, why }: Readonly<App>): HTMLElement | null {
    if (data?.uniforms.some((row) => row.camera !== "") !== true || (why?.reasons ?? []).some((reason) => NO_CAMERA.has(reason.code))) {
      return null;
    }
    const camera = { ...CAMERA, ...state.camera };
    return h("div", { class: "attempts" },
      (state.depth ?? "") !== "" ? null : h("button", { type: "button", title: "for programs that were written for OpenGL: range of z under Data leads back", onclick: () => { actions.change({ depth: "opengl" }); } }, "Draw with the depth of OpenGL"),
      camera.distance === 0 ? null : h("button", { type: "button", title: "for skies and rooms: under Data is the distance", onclick: () => { actions.change({ camera: { ...camera, distance: 0 }, cull: "none" }); } }, "Camera inside"));
  }

  function look(): Parameters<MeshView["show"]>[1] {
    const app = store.value;
    return {
      space: app.space, colouring: app.colouring, wireframe: app.wireframe, cull: app.state.cull ?? "back", raw, dark: dark(), vertex: app.vertex, triangle: app.triangle, differs: app.differs,
    };
  }

  let optionsKey = "";
  function options(app: Readonly<App>): void {
    const { mesh } = app;
    if (mesh === null) {
      return;
    }
    const key = JSON.stringify([mesh.head.outputs, mesh.head.volume.screens, mesh.head.screen, app.paths !== null, app.differs !== null, raw, app.state.cull, app.colouring, app.space]);
    if (key === optionsKey) {
      return;
    }
    optionsKey = key;
    const choice = (value: string, text: string): HTMLElement => h("option", { value, selected: value === app.colouring }, text);
    clear(colouring,
      h("optgroup", { label: "as drawn" }, choice("", "vertex colour")),
      h("optgroup", { label: "outputs" }, ...mesh.head.outputs.map((output) => choice(`output:${output.name}`, output.name))),
      h("optgroup", { label: "what happens" }, choice("fate", "visible, culled, clipped"), choice("flags", "w ≤ 0, NaN, outside"), choice("path", "path through the program"), app.differs !== null ? choice("differs", "differs in comparison") : null));
    clear(screen, ...mesh.head.volume.screens.flatMap((one) => [
      h("option", { value: one.name, selected: one.name === mesh.head.screen.name && !raw }, `${one.name} ${String(one.width)}×${String(one.height)}`),
      mesh.head.volume.turn && one.name === mesh.head.screen.name ? h("option", { value: `${one.name}/raw`, selected: raw }, `${one.name} as built in ${String(one.height)}×${String(one.width)}`) : null,
    ]));
    screen.hidden = app.space !== "screen" || mesh.head.volume.screens.length === 0;
    cull.value = app.state.cull ?? "back";
    cull.hidden = app.space !== "screen" || mesh.head.volume.screens.length === 0;
    for (const select of [colouring, screen, cull]) fitChoice(select);
  }

  let told: string | null = null; // what the box says, once for screen readers
  let closed: string | null = null; // what the box said that the user has closed

  function overlays(app: Readonly<App>): void {
    clear(card);
    const head = app.mesh?.head;
    const places = app.mesh?.arrays.get(app.space === "object" ? "object" : "position");
    if (head === undefined) {
      return;
    }
    const few = app.space === "screen" && !app.stale && isFew(head);
    if (places === undefined) {
      clear(overlay, empty(head.reason === undefined ? "No positions in this space" : "No triangles", app.space === "object" && head.reason === undefined ? "The vertices of this picture come from a geometry shader: look at clip or screen space." : head.reason ?? "The program has no position output."));
    } else if (few) {
      clear(overlay);
      const reasons = app.why?.reasons ?? [];
      const key = `${String(app.state.draw?.number)} ${String(head.visible)} ${reasons.map((reason) => reason.message).join()}`;
      if (closed !== null && closed !== key) closed = null; // another reason, or another draw
      const what = head.visible === 0 ? "nothing is visible" : `only ${head.visible.toLocaleString("en")} of ${counted(head.triangles, "triangle")} ${head.visible === 1 ? "is" : "are"} visible`;
      if (closed !== null) {
        clear(card, button(`why ${what}`, head.visible === 0 ? "Why is nothing visible?" : "Why is so little visible?", () => { closed = null; overlays(store.value); }, { class: "link reopen" }));
        return;
      }
      const title = what.charAt(0).toUpperCase() + what.slice(1);
      if (app.why !== null && told !== key) {
        told = key;
        announce([title, ...reasons.slice(0, 3).map((reason) => `${share(reason.share, reason.triangles)}: ${reason.message}`)].join(". "));
      }
      clear(card, h("div", { class: "why" }, button("close: it stays one click away", "×", () => { closed = key; overlays(store.value); view?.canvas.focus(); }, { class: "close" }), h("h2", {}, title),
        ...recorded(app),
        ...(reasons.length === 0 ? [h("p", {}, counts(head.counts))] : reasons.slice(0, 3).map((reason) => {
          const source = reason.blame?.source;
          return h("div", { class: "reason" }, h("p", {}, `${share(reason.share, reason.triangles)}: ${reason.message}`),
            reason.blame && h("p", { class: "blame" }, source ? button(`show line ${String(source.line)}`, `line ${String(source.line)}`, () => { actions.reveal(source.file, source.line); }, { class: "link" }) : null, ` ${withSignedNumbers(reason.blame.message.replace(/^\S+:\d+(:\d+)?: /, "")).replace(/\bnan\b/g, "NaN")}`), // the button names the place
            fixed(reason.fix));
        })), attempts(app)));
    } else {
      if (!app.stale) told = null;
      clear(overlay);
    }
  }

  function legends(app: Readonly<App>): void {
    if (app.mesh === null) {
      return;
    }
    const arrays = new Map<string, { data: Numbers }>(app.mesh.arrays);
    if (app.differs !== null) {
      arrays.set("differs", { data: app.differs });
    }
    const inGrey = !app.stale && app.space === "screen" && app.colouring === "" && app.mesh.head.visible === 0 && (app.mesh.head.counts["transparent"] ?? 0) > 0;
    clear(legendBox, inGrey ? h("span", { class: "legend-entry" }, "invisible triangles, shown in grey") : null, ...legend(app.colouring, app.mesh.head, arrays, app.paths).map((entry) =>
      h("span", { class: "legend-entry", title: entry.text }, h("i", { style: { background: entry.colour }, "aria-hidden": "true" }), entry.name, h("b", {}, entry.count.toLocaleString("en")))));
  }

  function interact(three: MeshView, canvas: HTMLCanvasElement): void {
    canvas.tabIndex = 0;
    // it takes keys that readers keep for themselves in a picture; what it shows is its description, said while it has the focus
    const roles = { role: "application", "aria-roledescription": "picture", "aria-label": "the mesh", "aria-describedby": caption.id, "aria-keyshortcuts": "ArrowLeft ArrowRight ArrowUp ArrowDown + - F N P" };
    for (const [name, value] of Object.entries(roles)) canvas.setAttribute(name, value);
    canvas.addEventListener("focus", () => { caption.setAttribute("aria-live", "polite"); });
    canvas.addEventListener("blur", () => { caption.setAttribute("aria-live", "off"); });
    const fingers = new Map<number, [number, number]>();
    let start: [number, number] | null = null; // of a press that is neither a drag nor a pinch yet
    const apart = (): number => {
      const [a, b] = [...fingers.values()];
      return a === undefined || b === undefined ? 0 : Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    canvas.onpointerdown = (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
      start = fingers.size === 1 ? [event.offsetX, event.offsetY] : null;
    };
    canvas.onpointermove = (move) => {
      const last = fingers.get(move.pointerId);
      if (last === undefined || (start !== null && Math.hypot(move.offsetX - start[0], move.offsetY - start[1]) < 4)) {
        return;
      }
      start = null;
      const before = apart();
      fingers.set(move.pointerId, [move.offsetX, move.offsetY]);
      if (fingers.size === 1) {
        turn(three, move.offsetX - last[0], move.offsetY - last[1], canvas.clientHeight);
      } else if (before > 0 && apart() > 0) {
        zoom(three, before / apart());
      }
    };
    canvas.onpointerup = canvas.onpointercancel = (up) => {
      fingers.delete(up.pointerId);
      if (start !== null && up.type === "pointerup") {
        const found = three.pickAt(up.offsetX, up.offsetY);
        actions.pick(found?.vertex ?? null, found?.triangle ?? null);
      }
      start = null;
    };
    // a long press picks, and leads to the steps of what it picked
    let held: ReturnType<typeof setTimeout> | undefined;
    canvas.addEventListener("pointerdown", (event) => {
      clearTimeout(held);
      if (event.pointerType === "mouse") return;
      const [x, y] = [event.offsetX, event.offsetY];
      held = setTimeout(() => {
        const found = start === null || fingers.size !== 1 ? null : three.pickAt(x, y);
        if (found === null) return;
        start = null;
        actions.pick(found.vertex, found.triangle);
        actions.tab("time");
      }, 500);
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { clearTimeout(held); });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(three, Math.exp(event.deltaY * 0.001));
    }, { passive: false });
    canvas.onkeydown = (event) => {
      const turns: Record<string, [number, number]> = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] };
      const by = turns[event.key];
      const { vertex, mesh } = store.value;
      if (by !== undefined) {
        turn(three, by[0], by[1], canvas.clientHeight);
      } else if (event.key.toLowerCase() === "f" && !event.ctrlKey && !event.metaKey) {
        fitAll();
      } else if (event.key === "+" || event.key === "-") {
        zoom(three, event.key === "+" ? 1 / 1.15 : 1.15);
      } else if ((event.key === "n" || event.key === "p") && mesh !== null) {
        const next = vertex === null ? 0 : Math.min(Math.max(vertex + (event.key === "n" ? 1 : -1), 0), mesh.head.vertices - 1);
        actions.pick(next, null);
      } else {
        return;
      }
      event.preventDefault();
    };
  }

  function turn(three: MeshView, dx: number, dy: number, height: number): void {
    const { space, state, data } = store.value;
    if (space === "screen") {
      if (data?.uniforms.some((row) => row.camera !== "")) {
        actions.camera(orbited({ ...CAMERA, ...state.camera }, dx * 1.6, dy * 1.6, height));
      } else {
        actions.say("No uniform is bound to the camera: choose one under Data, or turn the object in object space.");
      }
      return;
    }
    three.orbits[space] = orbited(three.orbits[space], dx * 1.6, dy * 1.6, height);
    three.request();
  }

  function zoom(three: MeshView, factor: number): void {
    const { space, state, data } = store.value;
    if (space === "screen") {
      if (data?.uniforms.some((row) => row.camera !== "")) {
        actions.camera(zoomed({ ...CAMERA, ...state.camera }, factor));
      }
      return;
    }
    three.orbits[space] = zoomed(three.orbits[space], factor);
    three.request();
  }

  /** The whole mesh in the space that is shown. */
  function fitAll(): void {
    const { space, state, mesh, data } = store.value;
    const box = mesh?.head.bounds;
    if (box === undefined) {
      return;
    }
    if (space === "screen" && data?.uniforms.some((row) => row.camera !== "") === true) {
      actions.camera(fitted({ ...CAMERA, ...state.camera }, box));
    } else if (view !== null && space !== "screen") {
      const orbit = { ...CAMERA, ...view.orbits[space] };
      const { target, distance } = space === "object" ? fitted(orbit, box) : { target: [0, 0, 0] as [number, number, number], distance: 6.2 };
      view.orbits[space] = { ...view.orbits[space], target, distance };
      view.request();
    }
  }

  // the name of the mesh, and the choice of another one
  let shown = "";
  store.on(["data", "hello", "draw"], ({ data, hello, state, draw }) => {
    const follows = data?.uniforms.some((row) => row.camera !== "") === true; // what nothing in the program follows cannot be turned
    turning.hidden = !follows;
    if (!follows) turned.hidden = true;
    const key = JSON.stringify([state.mesh, data?.mesh?.name, hello?.meshes.length, hello?.meshFiles, draw?.number, follows]);
    if (key === shown) return;
    shown = key;
    keepingFocus(shape, () => { clear(shape, data?.mesh == null ? null : state.draw !== undefined ? data.mesh.name : shapes(store, actions, { "aria-label": "mesh of the picture", title: "the mesh: choose another one" })); });
  });

  // a mesh from a file has any size: the camera that nobody has moved fits it, and so does any camera when another mesh is chosen
  let next: { mesh: State["mesh"]; before: string } | null = null;
  const refit = (mesh: State["mesh"]): void => {
    next = { mesh, before: JSON.stringify(store.value.mesh?.head.bounds) };
  };
  let fits = "";
  let auto = "";
  store.on(["mesh", "data"], ({ mesh, data, state }) => {
    const box = mesh?.head.bounds;
    const chosen = typeof state.mesh === "object" && "file" in state.mesh ? state.mesh.file : "";
    const key = JSON.stringify([chosen, box]);
    if (next !== null && state.mesh !== next.mesh) next = null; // undone before it came
    const other = next !== null && JSON.stringify(box) !== next.before;
    if (box !== undefined && (other || (chosen !== "" && key !== fits)) && state.draw === undefined && data?.uniforms.some((row) => row.camera !== "") === true) {
      fits = key;
      next = null;
      if (other || state.camera === undefined || JSON.stringify(state.camera) === auto) {
        const isAuto = state.camera === undefined || JSON.stringify(state.camera) === auto;
        const camera = fitted(isAuto ? CAMERA : { ...CAMERA, ...state.camera }, box);
        if (isAuto) auto = JSON.stringify(camera);
        actions.fitted(camera);
      }
    }
  });
  let lastBusy = false;
  let bounds = "";
  store.on(["mesh"], ({ mesh }) => {
    const box = mesh?.head.bounds;
    const key = JSON.stringify(box);
    if (view !== null && box !== undefined && key !== bounds) {
      bounds = key;
      const [low, high] = box;
      const target = [0, 1, 2].map((k) => ((low[k] ?? 0) + (high[k] ?? 0)) / 2) as [number, number, number];
      const radius = Math.hypot(...[0, 1, 2].map((k) => ((high[k] ?? 0) - (low[k] ?? 0)) / 2));
      view.orbits.object = { ...view.orbits.object, target, distance: Math.max(radius, 0.01) * 4.6 };
    }
  });
  store.on(["mesh", "why", "paths", "differs", "space", "colouring", "wireframe", "vertex", "triangle", "stale", "theme", "source", "note", "busy"], (app) => {
    if (app.mesh === null || lastBusy === (app.busy !== null)) update();
    lastBusy = app.busy !== null;
  });
  return { element, view, refit };
}

/** Whether so little is on the screen that it may be an accident: the share from which the server looks for reasons. */
export function isFew({ visible, triangles }: { visible: number; triangles: number }): boolean {
  return visible <= 0.05 * triangles;
}

/** Which of the triangles a reason is about. */
function share(part: number, triangles: number): string {
  return part >= 1 ? (triangles === 1 ? "The triangle" : `All ${counted(triangles, "triangle")}`) : `${counted(triangles, "triangle")} (${String(Math.round(part * 1000) / 10)} %)`;
}

/** The picture in words. */
export function describe(app: Pick<App, "mesh" | "vertex" | "triangle" | "stale" | "colouring">): string {
  if (app.mesh === null) {
    return "";
  }
  const { head, arrays } = app.mesh;
  const parts = head.reason !== undefined ? [counted(head.vertices, "vertex", "vertices")] : [`${counted(head.visible, "triangle")} of ${head.triangles.toLocaleString("en")} visible, ${counted(head.vertices, "vertex", "vertices")}`];
  const own = arrays.get("color");
  if (app.vertex === null && app.colouring === "" && head.reason === undefined && head.visible > 0 && (own === undefined || oneColour(own.data) !== null)) {
    parts.push(own === undefined ? "the program writes no colour: shading is added" : "all vertices have one colour: shading is added");
  }
  if (app.vertex !== null && app.vertex < head.vertices) {
    const position = arrays.get("position");
    const values = [...(position?.data.subarray(app.vertex * 4, app.vertex * 4 + 4) ?? [])].map((value) => short(value, 4)).join(", ");
    const flags = flagNames(arrays.get("flags")?.data[app.vertex] ?? 0);
    parts.unshift(`vertex ${String(app.vertex)}${app.triangle === null ? "" : ` of triangle ${String(app.triangle)}`}${values === "" ? "" : ` at (${values})`}${flags === "" ? "" : ` ${flags}`}`);
  }
  return `${app.stale ? "the last good picture; " : ""}${parts.join("; ")}`;
}
