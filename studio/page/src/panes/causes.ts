/** Where a value comes from as a small graph, drawn by the server; a box points at its expression in the source, and leads to its step. */

import type { Actions } from "../actions";
import { exact } from "../numbers";
import type { Place } from "../state";
import type { CauseGraph } from "../types";
import { h, roving, s } from "../widgets/dom";
import { safeSvg, STYLE } from "./graph";

const LEAST = 0.65; // of its own size, below which it is scrolled

/** The drawing; null where the server has drawn none. `pointed`: what the pointer or the focus is at. */
export function causesDrawing(graph: CauseGraph, actions: Actions, pointed: (place: Place | null) => void): HTMLElement | null {
  const drawing = safeSvg(graph.svg);
  if (drawing === null) {
    return null;
  }
  const { width } = drawing.viewBox.baseVal;
  drawing.style.width = `clamp(${String(Math.round(width * LEAST))}px, 100%, ${String(width)}px)`; // whole where it can be read
  drawing.removeAttribute("width");
  drawing.removeAttribute("height");
  drawing.setAttribute("role", "group");
  drawing.setAttribute("aria-label", `graph of ${String(graph.nodes.length)} causes`);
  drawing.querySelectorAll<SVGElement>(".block").forEach((box, number) => {
    const node = graph.nodes[number];
    if (node === undefined) {
      return;
    }
    const open = (): void => {
      const step = node.steps.at(-1);
      if (step !== undefined) actions.seek(step + 1);
    };
    box.setAttribute("tabindex", number === graph.nodes.length - 1 ? "0" : "-1");
    box.setAttribute("role", "group");
    const values = valuesText(node);
    box.setAttribute("aria-label", [values.startsWith(node.text) ? "" : node.text, values, node.heading].filter(Boolean).join(", "));
    if (values !== "") box.prepend(s("title", {}, values));
    box.addEventListener("click", open);
    const { file, line, column, length } = node;
    if (line > 0) {
      for (const event of ["mouseenter", "focus"]) box.addEventListener(event, () => { pointed({ file, line, column, length }); });
      for (const event of ["mouseleave", "blur"]) box.addEventListener(event, () => { pointed(null); });
    }
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        open();
      }
    });
  });
  roving(drawing as unknown as HTMLElement, ".block", "both");
  const host = h("div", { class: "drawing" });
  host.attachShadow({ mode: "open" }).append(drawing, h("style", {}, STYLE));
  return host;
}

/** The values of a box in all their digits: the drawing has them as short as tables have. */
export function valuesText({ text, values }: Pick<CauseGraph["nodes"][number], "text" | "values">): string {
  return values.map(({ name, value }) => `${name === text ? "" : `${name} = `}${value === null ? "never written" : exact(value)}`).join(", ");
}
