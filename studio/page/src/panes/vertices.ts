/** The vertices as a table: every output, with what is wrong with a position. */

import type { Actions } from "../actions";
import { FLAGS, flagNames } from "../colours";
import { bits, short } from "../numbers";
import type { Mesh, Store } from "../state";
import { clear, empty, h } from "../widgets/dom";
import { grid, type Column } from "../widgets/grid";

interface ValueColumn extends Column {
  value?: (vertex: number) => number;
  /** What its values are called where it is asked where they come from. */
  place?: string;
}

export function verticesPane(store: Store, actions: Actions): HTMLElement {
  let rows: Uint32Array | null = null; // the vertices of the table, in its order; null for all in theirs
  let filter = "";
  let order: { column: number; down: boolean } | null = null;
  let asBits = false;
  let columns: ValueColumn[] = [];
  let selected: number | null = null; // the row of the picked vertex
  const vertexOf = (row: number): number => rows?.[row] ?? row;
  const rowOf = (vertex: number): number => (rows === null ? vertex : rows.indexOf(vertex));
  const table = grid("vertices", (row, column) => {
    const place = row === selected ? columns[column ?? -1]?.place : undefined;
    if (place === undefined) actions.pick(vertexOf(row), null);
    else actions.origin(vertexOf(row), place);
  }, (column) => {
    order = order?.column === column ? (order.down ? null : { column, down: true }) : { column, down: false };
    fill();
  });
  const choose = h("select", { "aria-label": "rows", onchange: () => { filter = choose.value; fill(); } },
    h("option", { value: "" }, "all vertices"), ...FLAGS.map((flag) => h("option", { value: String(flag.bit) }, `only ${flag.name}`)), h("option", { value: "differs" }, "only differing"), h("option", { value: "triangle" }, "only the picked triangle"));
  const format = h("button", { type: "button", class: "toggle", "aria-pressed": "false", title: "bit patterns instead of numbers", onclick: () => { asBits = !asBits; format.setAttribute("aria-pressed", String(asBits)); fill(); } }, "Bits");
  const go = h("input", { type: "text", inputMode: "numeric", class: "number-input", placeholder: "number", "aria-label": "go to vertex", onkeydown: (event: KeyboardEvent) => {
    if (event.key === "Enter" && /^\d+$/.test(go.value)) actions.pick(Number(go.value), null);
  } });
  const total = h("span", { class: "quiet" });
  const none = h("p", { class: "none", role: "status" });
  const bar = h("div", { class: "bar" }, choose, format, h("label", {}, "go to ", go), total);
  const body = h("div", { class: "vertices" });

  const cell = (value: number): string => (asBits ? bits(value) : short(value));

  function columnsOf(mesh: Mesh): ValueColumn[] {
    const list: ValueColumn[] = [
      { label: "#", width: 6, text: (row) => String(vertexOf(row)), value: (vertex) => vertex },
      ...(mesh.arrays.has("flags") ? [{ label: "state", width: 14, kind: "text", text: (row) => flagNames(flagsAt(vertexOf(row))), classes: (row) => (flagsAt(vertexOf(row)) === 0 ? "" : "flagged"), hint: "what is wrong with the position" }] satisfies Column[] : []),
    ];
    const flagsAt = (vertex: number): number => mesh.arrays.get("flags")?.data[vertex] ?? 0;
    if (mesh.arrays.has("object")) {
      const object = mesh.arrays.get("object");
      for (const k of [0, 1, 2]) {
        list.push({ label: `in.${"xyz"[k] ?? ""}`, kind: "given", width: 10, text: (row) => cell(object?.data[vertexOf(row) * 3 + k] ?? NaN), value: (vertex) => object?.data[vertex * 3 + k] ?? NaN, classes: () => "given", hint: "position of the mesh" });
      }
    }
    for (const output of mesh.head.outputs) {
      const array = mesh.arrays.get(`output:${output.name}`);
      const size = array?.shape[1] ?? output.components.length;
      for (let k = 0; array !== undefined && k < size; k += 1) {
        const place = size === 1 ? output.name : `${output.name}.${output.components[k] ?? String(k)}`;
        list.push({
          label: place, place, link: `where ${place} comes from`, width: Math.max(10, output.name.length + 4), text: (row) => cell(array.data[vertexOf(row) * size + k] ?? NaN),
          value: (vertex) => array.data[vertex * size + k] ?? NaN, classes: (row) => (Number.isFinite(array.data[vertexOf(row) * size + k] ?? NaN) ? "" : "flagged"), hint: output.register,
        });
      }
    }
    return list;
  }

  function select(scroll: boolean): void {
    const { vertex } = store.value;
    selected = vertex === null ? null : rowOf(vertex);
    table.select(selected, scroll);
  }

  function chosenRows(mesh: Mesh): Uint32Array | null {
    const count = mesh.head.vertices;
    let list: number[] | null = null;
    const { differs, triangle } = store.value;
    const flags = mesh.arrays.get("flags")?.data;
    const index = mesh.arrays.get("index")?.data;
    if (filter === "differs") {
      list = Array.from({ length: count }, (_, vertex) => vertex).filter((vertex) => (differs?.[vertex] ?? 0) !== 0);
    } else if (filter === "triangle") {
      list = triangle === null || index === undefined ? [] : [0, 1, 2].map((k) => index[triangle * 3 + k] ?? 0);
    } else if (filter !== "") {
      list = Array.from({ length: count }, (_, vertex) => vertex).filter((vertex) => ((flags?.[vertex] ?? 0) & Number(filter)) !== 0);
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
      clear(body, empty(mesh === null ? "No vertices yet" : "No vertices", mesh?.head.reason ?? "Each vertex that the program has run for is a row here."));
      return;
    }
    if (!body.contains(table.element)) {
      clear(body, bar, none, table.element);
    }
    choose.hidden = !mesh.arrays.has("flags"); // programs that are not drawn have all rows
    columns = columnsOf(mesh);
    rows = chosenRows(mesh);
    const labelled = columns.map((column, index) => ({ ...column, label: column.label + (order?.column === index ? (order.down ? " ↓" : " ↑") : "") }));
    table.fill(labelled, rows?.length ?? mesh.head.vertices);
    total.textContent = rows === null || rows.length === mesh.head.vertices ? "" : `${rows.length.toLocaleString("en")} of ${mesh.head.vertices.toLocaleString("en")}`;
    none.textContent = rows?.length === 0 ? nothing() : "";
    table.element.hidden = rows?.length === 0;
    select(false);
  }

  /** What an empty table says. */
  function nothing(): string {
    const flag = FLAGS.find((each) => String(each.bit) === filter);
    const all = store.value.mesh?.head.vertices ?? 0;
    return flag !== undefined ? `None of the ${all.toLocaleString("en")} vertices ${flag.says}.`
      : filter === "differs" ? (store.value.differs === null ? "Nothing has been compared yet: choose another profile or a kept version under Compare." : `None of the ${all.toLocaleString("en")} vertices differs.`)
      : "No triangle is picked: click one in the picture.";
  }

  let later: ReturnType<typeof setTimeout> | undefined;
  store.on(["mesh", "differs"], ({ mesh }) => {
    if (mesh?.head.hot === true) {
      later ??= setTimeout(fill, 250);
    } else {
      fill();
    }
  });
  store.on(["vertex", "triangle"], () => {
    if (filter === "triangle") {
      fill();
    }
    select(!body.contains(document.activeElement));
  });
  return body;
}
