/** Lanes of a wave as a heat map: which lanes do which instruction, and how often. */

import type { Actions } from "../actions";
import { counted } from "../numbers";
import type { App, Store } from "../state";
import { clear, empty, h, keepingFocus, roving, s } from "../widgets/dom";
import type { WavesPane } from "../types";
import { hex, link } from "./words";

const CELL = 20;
const ROW = 18;
const LEFT = 300;

export function wavesPane(store: Store, actions: Actions): HTMLElement {
  const body = h("div", { class: "scroll waves" });
  let squares = false; // lanes that are alike are shown nevertheless
  store.on(["waves"], () => {
    squares = false;
  });
  store.on(["waves", "mesh"], (app) => { keepingFocus(body, () => { draw(app); }); });
  function draw({ waves, mesh }: Pick<App, "waves" | "mesh">): void {
    if (waves === null) {
      clear(body, empty("Lanes side by side", "The vertices that run together, one column each, and the instructions that only some of them do.",
        mesh === null ? null : h("button", { type: "button", class: "primary", onclick: () => { actions.ask("wave", { thread: store.value.time?.vertex ?? 0 }); } }, "Show the lanes")));
      return;
    }
    const most = Math.max(1, ...waves.rows.flatMap((row) => row.counts));
    const height = (waves.rows.length + 1) * ROW + 4;
    const width = LEFT + waves.lanes.length * CELL + 8;
    const diverging = waves.rows.filter((row) => row.diverges).length;
    const svg = s("svg", { width, height, viewBox: `0 0 ${String(width)} ${String(height)}`, role: "group", "aria-label": `${String(waves.lanes.length)} lanes, ${String(waves.rows.length)} instructions, ${String(diverging)} of them diverge` },
      ...waves.lanes.map((lane, column) => {
        const label = s("text", { x: LEFT + column * CELL + CELL / 2, y: 12, class: "lane", "text-anchor": "middle", role: "button", tabindex: column === 0 ? 0 : -1, "aria-label": `pick ${waves.one} ${String(lane)}` }, String(lane % 1000));
        label.addEventListener("click", () => { actions.thread(lane); });
        label.addEventListener("keydown", (event) => { if (event.key === "Enter") actions.thread(lane); });
        return label;
      }),
      ...waves.rows.map((row, index) => {
        const y = (index + 1) * ROW;
        const group = s("g", { class: `linked-row wave-row${row.diverges ? " diverges" : ""}`, "data-file": row.file ?? "", "data-line": String(row.line ?? ""), "data-address": String(row.address), role: "img", "aria-label": rowText(row, waves) },
          s("text", { x: 2, y: y + 13, class: "label", "aria-hidden": "true" }, `${hex(row.address)}  ${row.text.length > 36 ? `${row.text.slice(0, 35)}…` : row.text}`),
          ...waves.lanes.map((lane, column) => {
            const count = row.counts[column] ?? 0;
            const idle = count === 0;
            return s("rect", { "aria-hidden": "true", x: LEFT + column * CELL + 1, y: y + 1, width: CELL - 2, height: ROW - 2, rx: 3, class: idle ? "idle" : "busy", "fill-opacity": idle ? 1 : 0.3 + (0.7 * count) / most },
              s("title", {}, `${waves.one} ${String(lane)}: ${row.text}, ${idle ? "not done" : count === 1 ? "once" : `${String(count)} times`}${(row.writes[column] ?? 0) < count ? `, wrote ${String(row.writes[column] ?? 0)} times` : ""}`));
          }));
        link(group, store, actions, row.file, row.line);
        return group;
      }));
    roving(svg as unknown as HTMLElement, ".lane", "x");
    const lanes = `${String(waves.lanes.length)} ${waves.together ? "lanes of a wave" : "vertices, which run one after the other,"}`;
    if (diverging === 0 && !squares) {
      const steps = waves.rows.reduce((sum, row) => sum + (row.counts[0] ?? 0), 0);
      clear(body, h("div", { class: "alike" }, h("p", { class: "empty-title" }, `All ${String(waves.lanes.length)} alike`), h("p", {}, `${lanes} take the same path: ${counted(steps, "step")} through ${counted(waves.rows.length, "instruction")}, and each writes what the others write.`),
        h("button", { type: "button", onclick: () => { squares = true; keepingFocus(body, () => { draw(store.value); }); } }, "Show every lane")));
      return;
    }
    clear(body, h("p", { class: "cost" }, diverging === 0 ? `${lanes} take the same path` : `${lanes} diverge in ${String(diverging)} of ${String(waves.rows.length)} instructions`), svg);
    const part = waves.rows.findIndex((row) => row.diverges);
    if (part >= 0) body.scrollTop = Math.max((part - 2) * ROW, 0); // they part here
  }
  return body;
}

/** A row of squares in words: who does the instruction. */
function rowText(row: WavesPane["rows"][number], { lanes, one }: WavesPane): string {
  const busy = lanes.filter((_, column) => (row.counts[column] ?? 0) > 0);
  const who = busy.length === lanes.length ? `all ${String(lanes.length)}` : busy.length === 0 ? "none" : `${String(busy.length)} of ${String(lanes.length)}: ${one} ${busy.join(", ")}`;
  return `${hex(row.address)}, ${row.text}, ${who}`;
}
