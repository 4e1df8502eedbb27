/** The vertices as a table: every output, with what is wrong with a position. */

import type { Actions } from "../actions";
import { FLAGS, flagNames, VISIBLE } from "../colours";
import { BRIEF } from "../fates";
import { bits, counted, exact, short } from "../numbers";
import type { Mesh, Store } from "../state";
import type { Numbers } from "../types";
import { clear, empty, h, loading } from "../widgets/dom";
import { grid, type Column } from "../widgets/grid";

interface ValueColumn extends Column {
  value?: (vertex: number) => number;
  /** What its values are called where it is asked where they come from. */
  place?: string;
}

const [LEAST_DIGITS, MOST_DIGITS] = [4, 6]; // of numbers; the few where the table is narrow, and all of them where the pointer is
const LETTER = 7.3; // pixels of a character
const GAP = 14; // pixels between columns, and of the edges together some two gaps
const NAN = 1;
const INFINITE = 2;

/** The vertices with a NaN or an infinity in any output: a sum of NAN and INFINITE for each, and how many there are. */
export interface Broken {
  kinds: Uint8Array;
  nan: number;
  infinite: number;
}

export function brokenOf(mesh: Pick<Mesh, "arrays"> & { head: Pick<Mesh["head"], "vertices" | "outputs"> }): Broken {
  const kinds = new Uint8Array(mesh.head.vertices);
  for (const output of mesh.head.outputs) {
    const array = mesh.arrays.get(`output:${output.name}`);
    const size = array?.shape[1] ?? output.components.length;
    array?.data.forEach((value: number, at: number) => {
      const vertex = Math.floor(at / size);
      if (!Number.isFinite(value)) kinds[vertex] = (kinds[vertex] ?? 0) | (Number.isNaN(value) ? NAN : INFINITE);
    });
  }
  let [nan, infinite] = [0, 0];
  for (const kind of kinds) {
    if ((kind & NAN) !== 0) nan += 1;
    if ((kind & INFINITE) !== 0) infinite += 1;
  }
  return { kinds, nan, infinite };
}

/** Whether a value takes ten letters in few digits too: one with an exponent, or with zeros after the point. */
export function isLong(data: Numbers): boolean {
  return data.some((value: number) => value !== 0 && Number.isFinite(value) && (Math.abs(value) < 0.001 || Math.abs(value) >= 1e6));
}

/** What becomes of the vertices none of whose triangles is visible, though nothing is wrong with their positions: the fate of their triangles as short words; empty for the others. */
export function lostWith(mesh: Pick<Mesh, "arrays"> & { head: Pick<Mesh["head"], "vertices" | "fates"> }): string[] {
  const { vertices, fates } = mesh.head;
  const [index, fate] = [mesh.arrays.get("index")?.data, mesh.arrays.get("fate")?.data];
  const found = new Array<string>(vertices).fill("");
  const seen = new Uint8Array(vertices);
  fate?.forEach((number: number, triangle: number) => {
    for (const corner of [0, 1, 2]) {
      const vertex = index?.[3 * triangle + corner] ?? 0;
      if (number === VISIBLE) seen[vertex] = 1;
      else found[vertex] ||= BRIEF[fates[number] ?? ""] ?? "outside";
    }
  });
  return found.map((text, vertex) => (seen[vertex] === 1 ? "" : text));
}

/** Whether a mesh has values that are no numbers, in words. */
export function brokenText({ nan, infinite }: Broken, vertices: number): string {
  const of = `of ${counted(vertices, "vertex", "vertices")}`;
  const found = [...(nan > 0 ? [`NaN in ${nan.toLocaleString("en")} ${of}`] : []), ...(infinite > 0 ? [`infinity in ${infinite.toLocaleString("en")} ${of}`] : [])];
  return found.length > 0 ? found.join(", ") : "no NaN, no infinity";
}

/** The rows that the table may be left to; `drawn`: only where there are positions to judge. */
const FILTERS: { value: string; name: string; says: string; drawn: boolean }[] = [
  { value: "nan", name: "NaN in any output", says: "has a NaN in an output", drawn: false },
  { value: "infinite", name: "infinite in any output", says: "has an infinity in an output", drawn: false },
  ...FLAGS.filter((flag) => flag.bit > 2).map((flag) => ({ value: String(flag.bit), name: flag.name, says: flag.says, drawn: true })),
  { value: "differs", name: "differing", says: "", drawn: true },
  { value: "triangle", name: "the picked triangle", says: "", drawn: true },
];

export function verticesPane(store: Store, actions: Actions): HTMLElement {
  let rows: Uint32Array | null = null; // the vertices of the table, in its order; null for all in theirs
  let filter = "";
  let order: { column: number; down: boolean } | null = null;
  let asBits = false;
  let columns: ValueColumn[] = [];
  let lost: string[] = [];
  let broken: Broken | null = null; // vertices with a NaN or an infinity in any output
  const vertexOf = (row: number): number => rows?.[row] ?? row;
  const rowOf = (vertex: number): number => (rows === null ? vertex : rows.indexOf(vertex));
  const table = grid("vertices", (row, column) => {
    const place = columns[column ?? -1]?.place;
    if (place === undefined) actions.pick(vertexOf(row), null);
    else {
      store.set({ cameFrom: "vertices" });
      actions.origin(vertexOf(row), place);
    }
  }, (column) => {
    order = order?.column === column ? (order.down ? null : { column, down: true }) : { column, down: false };
    fill();
  });
  const choose = h("select", { "aria-label": "rows", onchange: () => { filter = choose.value; fill(); } },
    h("option", { value: "" }, "all vertices"), ...FILTERS.map((row) => h("option", { value: row.value }, `only ${row.name}`)));
  const format = h("button", { type: "button", class: "toggle", "aria-pressed": "false", title: "bit patterns instead of numbers", onclick: () => { asBits = !asBits; format.setAttribute("aria-pressed", String(asBits)); fill(); } }, "Bits");
  const go = h("input", { type: "text", inputMode: "numeric", class: "number-input", placeholder: "number", "aria-label": "go to vertex", onkeydown: (event: KeyboardEvent) => {
    if (event.key === "Enter" && /^\d+$/.test(go.value)) actions.pick(Number(go.value), null);
  } });
  const total = h("span", { class: "quiet" });
  const none = h("p", { class: "none", role: "status" });
  const bar = h("div", { class: "bar" }, choose, format, h("label", {}, "go to ", go), total, h("span", { class: "quiet" }, "click a value: where it comes from"));
  const body = h("div", { class: "vertices" });

  let digits = MOST_DIGITS;
  const cell = (value: number): string => (asBits ? bits(value) : short(value, digits));

  function columnsOf(mesh: Mesh): ValueColumn[] {
    const list: ValueColumn[] = [
      { label: "#", width: Math.max(3, String(mesh.head.vertices).length), text: (row) => String(vertexOf(row)), value: (vertex) => vertex },
      ...(mesh.arrays.has("flags") ? [{ label: "state", width: 14, kind: "text", text: (row) => flagNames(flagsAt(vertexOf(row))) || (lost[vertexOf(row)] ?? ""), classes: (row) => (flagsAt(vertexOf(row)) !== 0 ? "flagged" : mesh.head.visible === 0 ? "flagged" : "given"), hint: "what is wrong with the position, or why no triangle of the vertex is visible" }] satisfies Column[] : []),
    ];
    const flagsAt = (vertex: number): number => mesh.arrays.get("flags")?.data[vertex] ?? 0;
    for (const output of mesh.head.outputs) {
      const array = mesh.arrays.get(`output:${output.name}`);
      const size = array?.shape[1] ?? output.components.length;
      const long = digits === MOST_DIGITS || asBits || (array !== undefined && isLong(array.data));
      for (let k = 0; array !== undefined && k < size; k += 1) {
        const place = size === 1 ? output.name : `${output.name}.${output.components[k] ?? String(k)}`;
        list.push({
          label: k === 0 ? place : `.${output.components[k] ?? String(k)}`, name: place, place, link: (row) => `${exact(array.data[vertexOf(row) * size + k] ?? NaN)}: click to see where ${place} of vertex ${String(vertexOf(row))} comes from`, width: Math.max(long ? 10 : 8, k === 0 ? place.length : 0), text: (row) => cell(array.data[vertexOf(row) * size + k] ?? NaN),
          value: (vertex) => array.data[vertex * size + k] ?? NaN, classes: (row) => (Number.isFinite(array.data[vertexOf(row) * size + k] ?? NaN) ? "" : "flagged"), hint: `${place}, ${output.register}`,
        });
      }
    }
    if (mesh.arrays.has("object")) {
      const object = mesh.arrays.get("object");
      for (const k of [0, 1, 2]) {
        list.push({ label: `in.${"xyz"[k] ?? ""}`, kind: "given", width: 10, text: (row) => cell(object?.data[vertexOf(row) * 3 + k] ?? NaN), value: (vertex) => object?.data[vertex * 3 + k] ?? NaN, classes: () => "given", hint: "position of the mesh" });
      }
    }
    return list;
  }

  function select(scroll: boolean): void {
    const { vertex } = store.value;
    table.select(vertex === null ? null : rowOf(vertex), scroll);
  }

  function chosenRows(mesh: Mesh): Uint32Array | null {
    const count = mesh.head.vertices;
    let list: number[] | null = null;
    const { differs, triangle } = store.value;
    const flags = mesh.arrays.get("flags")?.data;
    const index = mesh.arrays.get("index")?.data;
    const only = (holds: (vertex: number) => boolean): number[] => Array.from({ length: count }, (_, vertex) => vertex).filter(holds);
    if (filter === "nan" || filter === "infinite") {
      list = only((vertex) => ((broken?.kinds[vertex] ?? 0) & (filter === "nan" ? NAN : INFINITE)) !== 0);
    } else if (filter === "differs") {
      list = only((vertex) => (differs?.[vertex] ?? 0) !== 0);
    } else if (filter === "triangle") {
      list = triangle === null || index === undefined ? [] : [0, 1, 2].map((k) => index[triangle * 3 + k] ?? 0);
    } else if (filter !== "") {
      list = only((vertex) => ((flags?.[vertex] ?? 0) & Number(filter)) !== 0);
    }
    const value = order === null ? undefined : columns[order.column]?.value;
    if (value !== undefined) {
      const sign = order?.down ? -1 : 1;
      const keys = new Float64Array(count).map((_, vertex) => value(vertex));
      list = (list ?? Array.from({ length: count }, (_, vertex) => vertex)).sort((a, b) => {
        const [x, y] = [keys[a] ?? NaN, keys[b] ?? NaN];
        return Number.isNaN(x) ? (Number.isNaN(y) ? a - b : 1) : Number.isNaN(y) ? -1 : sign * (x - y) || a - b;
      });
    }
    return list === null ? null : Uint32Array.from(list);
  }

  function fill(): void {
    clearTimeout(later);
    later = undefined;
    const { mesh } = store.value;
    if (mesh === null || mesh.head.vertices === 0) {
      clear(body, mesh === null && store.value.source?.ok !== false && !store.value.stale ? loading("Vertices") : empty(mesh === null ? "No vertices yet" : "No vertices", mesh?.head.reason ?? "Each vertex that the program has run for is a row here."));
      return;
    }
    if (!body.contains(table.element)) {
      clear(body, bar, none, table.element);
    }
    const isDrawn = mesh.arrays.has("flags");
    broken = brokenOf(mesh);
    for (const option of choose.options) {
      const row = FILTERS.find((each) => each.value === option.value);
      if (row !== undefined) option.hidden = row.drawn && !isDrawn;
      if (row?.value === "nan" || row?.value === "infinite") option.textContent = `only ${row.name} (${(row.value === "nan" ? broken.nan : broken.infinite).toLocaleString("en")})`;
    }
    lost = lostWith(mesh);
    digits = MOST_DIGITS;
    columns = columnsOf(mesh);
    const room = table.element.clientWidth;
    if (room > 0 && columns.reduce((sum, column) => sum + Math.max(column.kind === "number" || column.kind === undefined ? column.width : column.label.length + 1, column.label.length) * LETTER + GAP, GAP) > room) {
      digits = LEAST_DIGITS;
      columns = columnsOf(mesh);
    }
    rows = chosenRows(mesh);
    const labelled = columns.map((column, index): Column => ({ ...column, sorted: order?.column !== index ? undefined : order.down ? "descending" : "ascending" }));
    table.fill(labelled, rows?.length ?? mesh.head.vertices);
    total.textContent = rows === null || rows.length === mesh.head.vertices ? brokenText(broken, mesh.head.vertices) : `${rows.length.toLocaleString("en")} of ${mesh.head.vertices.toLocaleString("en")}`;
    total.classList.toggle("flagged", rows === null && broken.nan + broken.infinite > 0);
    none.textContent = rows?.length === 0 ? nothing() : "";
    table.element.hidden = rows?.length === 0;
    select(false);
  }

  /** What an empty table says. */
  function nothing(): string {
    const row = FILTERS.find((each) => each.value === filter);
    const all = store.value.mesh?.head.vertices ?? 0;
    return row !== undefined && row.says !== "" ? `None of the ${all.toLocaleString("en")} vertices ${row.says}.`
      : filter === "differs" ? (store.value.differs === null ? "Nothing has been compared yet: choose another profile or a kept version under Compare." : `None of the ${all.toLocaleString("en")} vertices differs.`)
      : "No triangle is picked: click one in the picture.";
  }

  let later: ReturnType<typeof setTimeout> | undefined;
  store.on(["source", "stale"], ({ mesh }) => {
    if (mesh === null) fill(); // what was on its way does not come
  });
  store.on(["mesh", "differs"], ({ mesh }) => {
    if (mesh?.head.hot === true) {
      later ??= setTimeout(fill, 250);
    } else {
      fill();
    }
  });
  let width = 0;
  new ResizeObserver(() => { // as many digits as there is room for
    if (body.clientWidth > 0 && body.clientWidth !== width) {
      width = body.clientWidth;
      fill();
    }
  }).observe(body);
  store.on(["vertex", "triangle"], () => {
    if (filter === "triangle") {
      fill();
    }
    select(!body.contains(document.activeElement));
  });
  return body;
}
