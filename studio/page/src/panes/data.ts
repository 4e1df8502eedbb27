/** Data: the mesh, what its attributes are bound to, and a control for each uniform that fits its kind. */

import type { Actions } from "../actions";
import { CAMERA } from "../camera";
import { counted, exact, numberIn, typed } from "../numbers";
import type { Store } from "../state";
import type { Camera, Plain, UniformRow, Value } from "../types";
import { clear, empty, fresh, h, keepingFocus, loading } from "../widgets/dom";
import { sourceBadge } from "./draw";

const BINDINGS = ["projection", "view", "model", "modelview", "viewprojection", "modelviewprojection", "normal"];

export function dataPane(store: Store, actions: Actions): HTMLElement {
  const meshPart = h("div", { class: "field-group" });
  const inputsPart = h("div", { class: "field-group" });
  const uniformsPart = h("div", { class: "field-group" });
  const cameraPart = h("div", { class: "field-group" });
  const faults = h("div", { class: "faults" });
  const body = h("div", { class: "scroll data" });
  let key = "";
  const controls = new Map<string, (value: UniformRow["value"]) => void>();
  const explained = new Map<string, (help: string) => void>();

  store.on(["data", "hello", "source"], ({ data, hello, state }) => {
    if (data === null) {
      clear(body, store.value.source?.ok === false ? empty("No data", "Attributes and uniforms appear here as controls once the source has no errors.") : loading("Attributes and uniforms"));
      key = "";
      return;
    }
    if (["empty", "loading"].includes(body.firstElementChild?.className ?? "")) {
      clear(body, faults, meshPart, uniformsPart, inputsPart, cameraPart);
    }
    clear(faults, ...data.diagnostics.filter((finding) => finding.severity === "error").map((finding) => h("p", { class: "problem", role: "alert" }, finding.message)));
    const next = JSON.stringify([data.inputs.map((row) => [row.name, row.components, row.binding]), data.uniforms.map((row) => [row.name, row.kind, row.registers, row.camera]), data.mesh, data.primitives, hello?.meshes.length, hello?.meshFiles, state.depth, state.camera?.distance === 0]);
    if (next !== key) {
      key = next;
      keepingFocus(body, () => {
        drawMesh();
        drawInputs();
        drawUniforms();
        drawCamera();
      });
    } else {
      for (const row of data.uniforms) {
        controls.get(row.name)?.(row.value);
        explained.get(row.name)?.(row.help ?? ""); // who gave the value changes while it is dragged, its control stays
      }
    }
  });

  function drawMesh(): void {
    const { data, state } = store.value;
    const own = state.mesh !== undefined && "file" in state.mesh;
    const detail = state.mesh !== undefined && "name" in state.mesh ? (state.mesh.detail ?? 0) : 0;
    const detailId = fresh("detail");
    const sizes = h("select", { id: detailId, onchange: () => {
      const mesh = store.value.state.mesh;
      actions.change({ mesh: { name: mesh !== undefined && "name" in mesh ? mesh.name : (data?.mesh?.name ?? "torus"), detail: Number(sizes.value) } });
    } },
      ...[0, 100, 1000, 10000, 100000].map((size) => h("option", { value: String(size), selected: size === detail }, size === 0 ? "default" : `about ${size.toLocaleString("en")}`)));
    if (state.draw !== undefined) {
      clear(meshPart, h("h2", {}, "Draw"), h("p", { class: "cost" }, `${data?.mesh?.name ?? ""}: ${counted(data?.mesh?.vertices ?? 0, "vertex", "vertices")}${store.value.source?.emits === true ? ", of which a geometry shader makes triangles" : `, ${counted(data?.mesh?.triangles ?? 0, "triangle")}`}`));
      return;
    }
    clear(meshPart, h("h2", {}, "Mesh"),
      h("p", { class: "cost", title: "another mesh is chosen below the picture" }, data?.mesh ? `${own ? data.mesh.name : (store.value.hello?.meshes.find((mesh) => mesh.name === data.mesh?.name)?.title ?? data.mesh.name)}: ${counted(data.mesh.vertices, "vertex", "vertices")}, ${counted(data.mesh.triangles, "triangle")}` : ""),
      own ? null : h("div", { class: "field" }, h("label", { for: detailId }, "vertices"), sizes),
      data?.mesh?.placed === true ? h("p", { class: "quiet" }, "Nothing in the program follows the camera: the mesh is moved to fill the screen.") : null,
      primitives());
  }

  /** The primitives of a geometry shader, in the words of who draws: how many vertices, from which triangles, with their number in front. */
  function primitives(): HTMLElement | null {
    const row = store.value.data?.primitives ?? null;
    if (row === null) {
      return null;
    }
    const id = fresh("primitive");
    const size = h("input", { id, type: "number", min: "1", max: "16", class: "number-input", value: String(row.vertices), disabled: !row.chosen, onchange: () => {
      const number = Number(size.value);
      if (Number.isInteger(number) && number >= 1 && number <= 16) actions.change({ primitive: number });
    } });
    return h("div", { class: "field", title: "how many vertices the geometry shader takes at a time, in the order of the triangles of the mesh" }, h("label", { for: id }, "primitives"), h("span", { class: "beside" }, size,
      h("span", { class: "quiet" }, `${row.vertices === 1 ? "vertex" : "vertices"} each${row.counted ? ", counted: their number is in front of each" : ""}${row.chosen ? "" : ", as the program says"}`)));
  }

  function drawInputs(): void {
    const data = store.value.data;
    if (data === null || data.inputs.length === 0) {
      clear(inputsPart);
      return;
    }
    clear(inputsPart, h("h2", {}, "Attributes"), ...data.inputs.map((row) => {
      const id = fresh("input");
      const bound = typeof row.binding === "string" ? row.binding : "";
      const properties = data.mesh?.properties ?? [];
      const select = h("select", { id, onchange: () => {
        const inputs = { ...store.value.state.inputs };
        if (select.value === "") delete inputs[row.name];
        else inputs[row.name] = select.value === "constant" ? [0, 0, 0, 1].slice(0, Math.max(row.components, 1)) : select.value;
        actions.change({ inputs });
      } },
        ...(store.value.state.draw === undefined ? [] : [h("option", { value: "", selected: bound.startsWith("draw:") }, "as the draw")]),
        ...properties.map((name) => h("option", { value: `mesh:${name}`, selected: bound === `mesh:${name}` }, `mesh ${name}`)),
        h("option", { value: "constant", selected: !bound.startsWith("draw:") && (bound === "" || !properties.includes(bound.replace("mesh:", ""))) }, "constant"));
      const constant = Array.isArray(row.binding) && !Array.isArray(row.binding[0]) ? (row.binding as number[]) : null;
      return h("div", { class: "field" }, h("label", { for: id }, row.name, row.register === row.name ? null : " ", row.register === row.name ? null : h("span", { class: "register" }, row.register), bound.startsWith("draw:") ? " " : null, bound.startsWith("draw:") ? sourceBadge(bound.slice("draw:".length)) : null), select,
        constant && vector(row.name, constant, (value) => { actions.change({ inputs: { ...store.value.state.inputs, [row.name]: value } }); }).element);
    }));
  }

  function drawUniforms(): void {
    const data = store.value.data;
    controls.clear();
    if (data === null || data.uniforms.length === 0) {
      clear(uniformsPart, h("h2", {}, "Uniforms"), h("p", { class: "quiet" }, "This program has no uniforms."));
      return;
    }
    clear(uniformsPart, h("h2", {}, "Uniforms"), ...data.uniforms.map((row) => {
      const control = controlOf(row);
      controls.set(row.name, control.set);
      const [label, help] = [fresh("uniform"), fresh("help")];
      const text = h("span", { id: help, hidden: true }, row.help ?? "");
      const field = h("div", { class: `field kind-${row.kind}`, role: "group", "aria-labelledby": label, "aria-describedby": help, data: { uniform: row.name }, title: row.help ?? "" },
        h("span", { class: "label", id: label }, row.label ?? row.name, row.register === (row.label ?? row.name) ? null : " ", row.register === (row.label ?? row.name) ? null : h("span", { class: "register" }, row.register), row.stage === undefined ? null : h("span", { class: "of-stage" }, row.stage), row.source === undefined || row.source === "draw" ? null : " ", row.source === undefined || row.source === "draw" ? null : sourceBadge(row.source)), control.element, text);
      for (const inner of [control.element, ...control.element.children]) { // the field has this name already
        if (inner.getAttribute("aria-label") === row.name && inner.getAttribute("role") === "group") for (const name of ["role", "aria-label"]) inner.removeAttribute(name);
      }
      explained.set(row.name, (said) => { field.title = text.textContent = said; });
      return field;
    }));
  }

  interface Control {
    element: HTMLElement;
    set(value: UniformRow["value"]): void;
  }

  function controlOf(row: UniformRow): Control {
    const change = (value: Value): void => {
      actions.uniform(row.name, value);
    };
    // a `float` of the source has one slider; what its register has besides stays
    const all = (value: UniformRow["value"]): number[] => (Array.isArray(value) ? value.flat().map(Number) : [Number(value)]);
    const whole = (numbers: number[]): number[] => [...numbers, ...all(row.value).slice(numbers.length)];
    const shaped = (numbers: number[]): Value => (Array.isArray(row.value) && Array.isArray(row.value[0]) ? [whole(numbers)] : whole(numbers));
    const flat = (value: UniformRow["value"]): number[] => all(value).slice(0, row.components ?? 4);
    switch (row.kind) {
      case "boolean": {
        const box = h("input", { type: "checkbox", class: "switch", "aria-label": row.name, checked: row.value === true, onchange: () => { change(box.checked); } });
        return { element: box, set: (value) => { box.checked = value === true; } };
      }
      case "matrix":
        return matrix(row, change);
      case "colour": {
        const numbers = vector(row.name, flat(row.value), (value) => { picker.value = cssColour(value); change(shaped(value)); });
        const picker = h("input", { type: "color", "aria-label": `${row.name} as a colour`, value: cssColour(flat(row.value)), oninput: () => {
          const parts = [1, 3, 5].map((at) => Number.parseInt(picker.value.slice(at, at + 2), 16) / 255);
          const now = numbers.get();
          const next = now.map((value, index) => parts[index] ?? value);
          numbers.set(next);
          change(shaped(next));
        } });
        return { element: h("span", { class: "colour-control" }, picker, numbers.element), set: (value) => { numbers.set(flat(value)); picker.value = cssColour(flat(value)); } };
      }
    }
    if (Array.isArray(row.value) && Array.isArray(row.value[0]) && row.value.length > 1) {
      return rows(row, change);
    }
    const range = { low: row.least ?? -4, high: row.greatest ?? 4, step: row.kind === "integer" ? 1 : 0.01 };
    const control = vector(row.name, flat(row.value), (value) => { change(shaped(value)); }, false, range);
    return { element: control.element, set: (value) => { control.set(flat(value)); } };
  }

  function matrix(row: UniformRow, change: (value: Value) => void): Control {
    const select = h("select", { "aria-label": `source of ${row.name}`, onchange: () => {
      if (select.value === "") {
        const now = store.value.data?.uniforms.find((other) => other.name === row.name)?.value;
        actions.change({ uniforms: { ...store.value.state.uniforms, [row.name]: now as Value } });
      } else {
        actions.change({ uniforms: { ...store.value.state.uniforms, [row.name]: { camera: select.value } } });
      }
    } },
      h("option", { value: "", selected: row.camera === "" }, "numbers"), ...BINDINGS.map((name) => h("option", { value: name, selected: row.camera === name }, `camera: ${name}`)));
    const numbers = rows(row, change, row.camera !== "");
    const details = h("details", { open: row.camera === "" }, h("summary", {}, "values"), numbers.element);
    return { element: h("span", { class: "matrix-control" }, select, details), set: numbers.set };
  }

  function rows(row: UniformRow, change: (value: Value) => void, locked = false): Control {
    const table = (value: UniformRow["value"]): number[][] => (value as Plain[][]).map((numbers) => numbers.map(Number)); // infinities and NaN are texts
    const lines = table(row.value).map((numbers, index) => vector(`${row.name} ${String(index)}`, numbers, () => { change(lines.map((line) => line.get())); }, locked));
    return { element: h("span", { class: "rows" }, ...lines.map((line) => line.element)), set: (next) => { table(next).forEach((numbers, index) => lines[index]?.set(numbers)); } };
  }

  function drawCamera(): void {
    const { data, state, source } = store.value;
    if (!data?.uniforms.some((row) => row.camera !== "")) {
      clear(cameraPart);
      return;
    }
    const camera: Camera = { ...CAMERA, ...state.camera };
    const slide = (name: "fov" | "near" | "far" | "distance", low: number, high: number, unit: string): HTMLElement => {
      const id = fresh("camera");
      const text = h("output", { for: id, class: "quiet", "aria-live": "off" }, `${exact(camera[name])}${unit}`);
      const input = h("input", { type: "range", id, min: String(low), max: String(high), step: "any", value: String(camera[name]), oninput: () => {
        const value = Number(Number(input.value).toPrecision(3));
        text.textContent = `${exact(value)}${unit}`;
        actions.camera({ ...CAMERA, ...store.value.state.camera, [name]: value });
      } });
      return h("div", { class: "field" }, h("label", { for: id }, { fov: "field of view", near: "near plane", far: "far plane", distance: "distance" }[name]), input, text);
    };
    const depthId = fresh("depth");
    const depths = h("select", { id: depthId, onchange: () => { actions.change({ depth: depths.value as "" | "opengl" | "direct3d" }); } },
      ...([["", `${source?.title ?? "the GPU"}'s own`], ["opengl", "OpenGL's: −w to w"], ["direct3d", "Direct3D's: 0 to w"]] as const).map(([value, text]) => h("option", { value, selected: value === (state.depth ?? "") }, text)));
    const depth = h("div", { class: "field", title: "the z that are drawn, from the nearest to the farthest: for programs that were written for another GPU" }, h("label", { for: depthId }, "range of z"), depths);
    clear(cameraPart, h("h2", {}, "Camera"), slide("distance", 0, 20, ""), slide("fov", 10, 120, "°"), slide("near", 0.01, 5, ""), slide("far", 2, 200, ""), depth);
  }

  return body;
}

/** What a slider reaches; other numbers are typed. */
interface Range {
  low: number;
  high: number;
  step: number;
}

/** The turn of the model, for the pane of the picture. */
export function turns(store: Store, actions: Actions): HTMLElement {
  const control = vector("turn of the model in degrees", CAMERA.model, (value) => {
    actions.camera({ ...CAMERA, ...store.value.state.camera, model: value as [number, number, number] });
  });
  store.on(["state"], ({ state }) => { control.set(state.camera?.model ?? CAMERA.model); });
  return control.element;
}

/** Inputs for the components of a vector, with sliders where they have a range. Arrow keys and a drag to the side on a letter change one. */
function vector(label: string, value: readonly number[], changed: (value: number[]) => void, locked = false, range?: Range): { element: HTMLElement; get(): number[]; set(value: readonly number[]): void } {
  const now = [...value];
  const inputs = value.map((number, index) => {
    const letter = value.length === 1 ? "" : ("xyzw"[index] ?? String(index)); // a scalar has no components
    const name = `${label} ${letter}`.trim();
    const input = h("input", { type: "text", inputMode: "decimal", class: "number-input", value: typed(number), readOnly: locked, "aria-label": name });
    const slider = range && h("input", { type: "range", min: String(range.low), max: String(range.high), step: String(range.step), value: String(number), "aria-label": `${name}, slider`, oninput: () => { set(Number(slider?.value)); } });
    const set = (next: number): void => {
      now[index] = next;
      input.value = typed(next);
      if (slider !== undefined) slider.value = String(next);
      changed([...now]);
    };
    input.oninput = () => {
      const next = numberIn(input.value);
      const fine = Number.isFinite(next);
      input.setAttribute("aria-invalid", String(!fine));
      if (fine) {
        now[index] = next;
        if (slider !== undefined) slider.value = String(next);
        changed([...now]);
      }
    };
    input.onkeydown = (event) => {
      const move = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (move !== undefined && !locked) {
        event.preventDefault();
        set(Number(((now[index] ?? 0) + move * (event.shiftKey || range?.step === 1 ? 1 : 0.1)).toFixed(6)));
      }
    };
    input.onblur = () => {
      input.value = typed(now[index] ?? 0);
      input.setAttribute("aria-invalid", "false");
    };
    const grip = h("span", { class: "grip", title: locked ? "" : "drag to change", "aria-hidden": "true" }, letter === "" ? "↔" : letter);
    grip.onpointerdown = (event) => {
      if (locked) {
        return;
      }
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      const [start, before] = [event.clientX, now[index] ?? 0];
      grip.onpointermove = (move) => {
        const moved = before + (move.clientX - start) * (range?.step === 1 ? 0.25 : 0.01);
        set(range?.step === 1 ? Math.min(Math.max(Math.round(moved), range.low), range.high) : Number(moved.toFixed(4)));
      };
      grip.onpointerup = grip.onpointercancel = () => {
        grip.onpointermove = null;
      };
    };
    return { input, grip, slider };
  });
  return {
    element: h("span", { class: "vector", role: "group", "aria-label": label }, ...inputs.map(({ input, grip, slider }) => h("span", { class: `component${slider === undefined ? "" : " slides"}` }, grip, input, slider))),
    get: () => [...now],
    set: (next) => {
      next.forEach((number, index) => {
        now[index] = number;
        const { input, slider } = inputs[index] ?? {};
        if (input !== undefined && input !== document.activeElement) {
          input.value = typed(number);
        }
        if (slider !== undefined && slider !== document.activeElement) {
          slider.value = String(number);
        }
      });
    },
  };
}

export function cssColour(value: readonly number[]): string {
  const part = (number: number | undefined): string => Math.round(Math.min(Math.max(number ?? 0, 0), 1) * 255).toString(16).padStart(2, "0");
  return `#${part(value[0])}${part(value[1])}${part(value[2])}`;
}
