/** When a core issues each instruction, and what it waits for. */

import type { Actions } from "../actions";
import { counted } from "../numbers";
import type { Store } from "../state";
import type { Floor, IssuePane } from "../types";
import { button, clear, empty, h, s } from "../widgets/dom";
import { hex } from "./words";

const ROW = 18;
const LONGEST = 32;
const SHORT = 16; // letters of an instruction where there is no room for columns
const LETTER = 7;
const MARGIN = 40;
const COLUMN = 52; // of a number beside the instruction
const ROOM = 560; // pixels from which the columns have room
const HINT = "Point at an instruction: this line says what it waits for. A click or Enter keeps the line.";
const KEY = [["item", "issue"], ["flight", "until its result is there"], ["stall", "wait"], ["floor", "least possible"]] as const; // what the chart draws

type Row = IssuePane["rows"][number];

/** What a row says, in a sentence. */
export function issueText(row: Row): string {
  return `${row.text}: issued in cycle ${String(row.issue)}${row.stall > 0 ? ` after ${counted(row.stall, "cycle")} of waiting` : ""}${row.writes === "" ? "" : `; ${row.writes} is there in cycle ${String(row.end)}`}${row.why === "" ? "" : `; ${row.why}`}`;
}

export function issuePane(store: Store, actions: Actions): HTMLElement {
  const body = h("div", { class: "scroll issue" });
  const told = h("span", { class: "told", role: "status" }, HINT);
  const place = h("span", { class: "held-line" });
  let scale = 0;
  let held: number | null = null; // the address of the row whose sentence stays
  let wide = true;
  const draw = (): void => {
    const { issue } = store.value;
    if (issue === null) {
      clear(body, empty("No cycles", "For ShaderCore programs this shows the cycle in which each instruction is issued, and what stalls wait for."));
      return;
    }
    wide = body.clientWidth === 0 || body.clientWidth >= ROOM;
    const letters = wide ? LONGEST : SHORT;
    const names = (Math.min(Math.max(...issue.rows.map((row) => row.text.length), 0), letters) + 7) * LETTER;
    const left = names + (wide ? 2 * COLUMN + 10 : 0);
    if (scale === 0) {
      scale = Math.min(Math.max(((body.clientWidth || 990) - left - MARGIN - 30) / Math.max(issue.cycles, 1), 0.5), 12);
    }
    const width = left + issue.cycles * scale + MARGIN;
    const height = issue.rows.length * ROW + 8;
    const tick = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * scale >= 50) ?? 1000;
    const ticks = Array.from({ length: Math.floor(issue.cycles / tick) + 1 }, (_, index) => index * tick);
    const floor = issue.floor === null ? null : left + issue.floor.cycles * scale;
    const ruler = s("svg", { width, height: ROW, class: "ruler", "aria-hidden": "true" },
      ...(wide ? [s("text", { x: 2, y: 12 }, "word  instruction"), s("text", { x: names + COLUMN, y: 12, "text-anchor": "end" }, "issue"), s("text", { x: names + 2 * COLUMN, y: 12, "text-anchor": "end" }, "wait")] : [s("text", { x: left - 8, y: 12, "text-anchor": "end" }, "cycle")]),
      ...ticks.map((at) => s("g", { class: "tick" }, s("line", { x1: left + at * scale, x2: left + at * scale, y1: 3, y2: ROW }), s("text", { x: left + at * scale + 2, y: 12 }, String(at)))));
    const svg = s("svg", { width, height, viewBox: `0 0 ${String(width)} ${String(height)}`, role: "group", "aria-label": issue.text },
      ...ticks.map((at) => s("g", { class: "tick" }, s("line", { x1: left + at * scale, x2: left + at * scale, y1: 0, y2: height }))),
      ...issue.rows.map((row, index) => {
        const y = index * ROW;
        const text = issueText(row);
        const group = s("g", { class: `linked-row issue-row${row.stall > 0 ? " stalls" : ""}${row.address === held ? " held" : ""}`, tabindex: index === 0 ? 0 : -1, role: "button", "aria-pressed": String(row.address === held), "aria-label": text, "data-file": row.file ?? "", "data-line": String(row.line ?? ""), "data-address": String(row.address) },
          s("text", { x: 2, y: y + 13, class: "label" }, `${hex(row.address)}  ${row.text.length > letters ? `${row.text.slice(0, letters - 1)}…` : row.text}`),
          ...(wide ? [s("text", { x: names + COLUMN, y: y + 13, class: "number", "text-anchor": "end" }, String(row.issue)), s("text", { x: names + 2 * COLUMN, y: y + 13, class: "number wait", "text-anchor": "end" }, row.stall > 0 ? String(row.stall) : "")] : []),
          s("rect", { x: 0, y, width, height: ROW, class: "hit" }),
          row.stall > 0 ? s("rect", { x: left + (row.issue - row.stall) * scale, y: y + 5, width: Math.max(row.stall * scale, 2), height: ROW - 10, class: "stall" }) : null,
          ...row.quads.map((start) => s("rect", { x: left + start * scale, y: y + 6, width: Math.max(row.latency * scale, 1.5), height: ROW - 12, class: "flight" })),
          s("rect", { x: left + row.issue * scale, y: y + 3, width: Math.max(scale, 3), height: ROW - 6, rx: 1.5, class: `item pipe-${row.pipe}` }));
        const point = (): void => {
          if (held === null) told.textContent = text;
          if (row.file !== null && row.line !== null) store.set({ hover: { file: row.file, line: row.line } });
        };
        group.addEventListener("mouseenter", point);
        group.addEventListener("focus", point);
        group.addEventListener("mouseleave", () => { store.set({ hover: null }); });
        group.addEventListener("click", () => { hold(row.address === held ? null : row); });
        group.addEventListener("keydown", (event) => {
          const next = event.key === "ArrowDown" ? group.nextElementSibling : event.key === "ArrowUp" ? group.previousElementSibling : null;
          if (next instanceof SVGElement && next.classList.contains("issue-row")) {
            event.preventDefault();
            next.focus();
          } else if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            hold(row.address === held ? null : row);
          } else if (event.key === "Escape") {
            hold(null);
          }
        });
        return group;
      }),
      floor === null ? null : s("g", { class: "floor", role: "img", "aria-label": `least possible: ${String(issue.floor?.cycles ?? 0)} cycles` },
        s("title", {}, "the floor: no order of these instructions takes fewer cycles"),
        s("line", { x1: floor, x2: floor, y1: 0, y2: height }), s("text", { x: floor - 4, y: height - 4, "text-anchor": "end" }, `least possible ${String(issue.floor?.cycles ?? 0)}`)));
    const zoom = (factor: number): void => { scale = Math.min(Math.max(scale * factor, 0.25), 24); draw(); };
    clear(body, h("p", { class: "cost" }, issue.text), issue.floor === null ? null : floors(issue.floor),
      h("p", { class: "issue-key", "aria-label": "legend" }, ...KEY.filter(([kind]) => kind !== "floor" || issue.floor !== null).map(([kind, text]) => h("span", {}, h("i", { class: `key-${kind}`, "aria-hidden": "true" }), text))),
      h("div", { class: "issue-head" }, h("div", { class: "issue-told" }, h("p", {}, told, place), h("button", { type: "button", "aria-label": "smaller", title: "fewer pixels for each cycle", onclick: () => { zoom(1 / 1.5); } }, "−"), h("button", { type: "button", "aria-label": "larger", title: "more pixels for each cycle", onclick: () => { zoom(1.5); } }, "+")), ruler), svg);
  };
  /** Keep the sentence of a row, with its line in the source; null lets go. */
  function hold(row: Row | null): void {
    held = row?.address ?? null;
    if (row !== null) told.textContent = issueText(row);
    const { file = null, line = null } = row ?? {};
    clear(place, row === null || file === null || line === null ? null : button(`show line ${String(line)}`, `line ${String(line)}`, () => { actions.reveal(file, line); }, { class: "link" }),
      row === null ? null : button("let go of the line", "×", () => { hold(null); }, { class: "small" }));
    for (const group of body.querySelectorAll<SVGElement>(".issue-row")) {
      const on = held !== null && group.dataset["address"] === String(held);
      group.classList.toggle("held", on);
      group.setAttribute("aria-pressed", String(on));
    }
  }
  store.on(["issue"], () => {
    hold(null);
    told.textContent = HINT;
    draw();
  });
  new ResizeObserver(() => {
    if (body.clientWidth > 0 && (body.clientWidth >= ROOM) !== wide) draw();
  }).observe(body);
  return body;
}

/** What keeps a program from taking fewer cycles. */
function floors(floor: Floor): HTMLElement {
  const rows = [...floor.bounds.map((bound): [string, string, string] => [bound.name, String(bound.cycles), bound.text]), ...(floor.memory === "" ? [] : [["memory", "", floor.memory] as [string, string, string]])];
  return h("details", { class: "floors" }, h("summary", { title: "the floor: no order of these instructions takes fewer cycles" }, floor.verdict),
    h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ...["bound", "cycles", "because of"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...rows.map(([name, cycles, text]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, cycles), h("td", {}, text))))));
}
