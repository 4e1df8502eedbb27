/** When a core issues each instruction, and what it waits for. */

import type { Actions } from "../actions";
import type { Store } from "../state";
import type { Floor } from "../types";
import { clear, empty, h, s } from "../widgets/dom";
import { hex, link } from "./words";

const ROW = 18;
const LONGEST = 32;
const LETTER = 7;
const MARGIN = 40;

export function issuePane(store: Store, actions: Actions): HTMLElement {
  const body = h("div", { class: "scroll issue" });
  const told = h("p", { class: "told", role: "status" }, "point at an instruction or a stall to see what it waits for");
  let scale = 0;
  const draw = (): void => {
    const { issue } = store.value;
    if (issue === null) {
      clear(body, empty("No cycles", "For ShaderCore programs this shows the cycle in which each instruction is issued, and what stalls wait for."));
      return;
    }
    const left = (Math.min(Math.max(...issue.rows.map((row) => row.text.length), 0), LONGEST) + 7) * LETTER;
    if (scale === 0) {
      scale = Math.min(Math.max(((body.clientWidth || 990) - left - MARGIN - 30) / Math.max(issue.cycles, 1), 0.5), 12);
    }
    const width = left + issue.cycles * scale + MARGIN;
    const height = (issue.rows.length + 1) * ROW + 8;
    const tick = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * scale >= 50) ?? 1000;
    const svg = s("svg", { width, height, viewBox: `0 0 ${String(width)} ${String(height)}`, role: "group", "aria-label": issue.text },
      ...Array.from({ length: Math.floor(issue.cycles / tick) + 1 }, (_, index) => s("g", { class: "tick" },
        s("line", { x1: left + index * tick * scale, x2: left + index * tick * scale, y1: ROW - 3, y2: height }), s("text", { x: left + index * tick * scale + 2, y: 11 }, String(index * tick)))),
      ...issue.rows.map((row, index) => {
        const y = (index + 1) * ROW;
        const text = `${row.text}: issued in cycle ${String(row.issue)}${row.stall > 0 ? ` after ${String(row.stall)} cycles of waiting` : ""}${row.writes === "" ? "" : `; ${row.writes} is there in cycle ${String(row.end)}`}${row.why === "" ? "" : `; ${row.why}`}`;
        const group = s("g", { class: `linked-row issue-row${row.stall > 0 ? " stalls" : ""}`, tabindex: index === 0 ? 0 : -1, role: "button", "aria-label": text, "data-file": row.file ?? "", "data-line": String(row.line ?? ""), "data-address": String(row.address) },
          s("text", { x: 2, y: y + 13, class: "label" }, `${hex(row.address)}  ${row.text.length > LONGEST ? `${row.text.slice(0, LONGEST - 1)}…` : row.text}`),
          s("rect", { x: 0, y, width, height: ROW, class: "hit" }),
          row.stall > 0 ? s("rect", { x: left + (row.issue - row.stall) * scale, y: y + 5, width: Math.max(row.stall * scale, 2), height: ROW - 10, class: "stall" }) : null,
          ...row.quads.map((start) => s("rect", { x: left + start * scale, y: y + 6, width: Math.max(row.latency * scale, 1.5), height: ROW - 12, class: "flight" })),
          s("rect", { x: left + row.issue * scale, y: y + 3, width: Math.max(scale, 3), height: ROW - 6, rx: 1.5, class: `item pipe-${row.pipe}` }));
        const say = (): void => { told.textContent = text; };
        group.addEventListener("mouseenter", say);
        group.addEventListener("focus", say);
        group.addEventListener("keydown", (event) => {
          const next = event.key === "ArrowDown" ? group.nextElementSibling : event.key === "ArrowUp" ? group.previousElementSibling : null;
          if (next instanceof SVGElement && next.classList.contains("issue-row")) {
            event.preventDefault();
            next.focus();
          }
        });
        link(group, store, actions, row.file, row.line);
        return group;
      }),
      issue.floor === null ? null : s("g", { class: "floor", role: "img", "aria-label": `floor: ${String(issue.floor.cycles)} cycles` },
        s("line", { x1: left + issue.floor.cycles * scale, x2: left + issue.floor.cycles * scale, y1: 0, y2: height }), s("text", { x: left + issue.floor.cycles * scale - 4, y: height - 4, "text-anchor": "end" }, `floor ${String(issue.floor.cycles)}`)));
    const zoom = (factor: number): void => { scale = Math.min(Math.max(scale * factor, 0.25), 24); draw(); };
    clear(body, h("div", { class: "bar" }, h("p", { class: "cost" }, issue.text), h("button", { type: "button", "aria-label": "smaller", onclick: () => { zoom(1 / 1.5); } }, "−"), h("button", { type: "button", "aria-label": "larger", onclick: () => { zoom(1.5); } }, "+")), issue.floor === null ? null : floors(issue.floor), told, svg);
  };
  store.on(["issue"], draw);
  return body;
}

/** What keeps a program from taking fewer cycles. */
function floors(floor: Floor): HTMLElement {
  const rows = [...floor.bounds.map((bound): [string, string, string] => [bound.name, String(bound.cycles), bound.text]), ...(floor.memory === "" ? [] : [["memory", "", floor.memory] as [string, string, string]])];
  return h("details", { class: "floors" }, h("summary", {}, floor.verdict),
    h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ...["bound", "cycles", "because of"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...rows.map(([name, cycles, text]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, cycles), h("td", {}, text))))));
}
