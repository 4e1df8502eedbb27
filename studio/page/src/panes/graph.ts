/** The control-flow graph as the server draws it; a click on a block or a row shows its line. */

import type { Actions } from "../actions";
import type { Store } from "../state";
import type { FlowGraph, GraphPane } from "../types";
import { button, clear, empty, h, loading, roving } from "../widgets/dom";

// The drawing brings its own colours for a light ground; it gets those of the page, and an inside of its own, so that neither changes the other.
export const STYLE = `
h3 { margin: 12px 0 4px; font: 600 12px var(--ui); color: var(--faint); text-align: center; }
svg { display: block; margin: 0 auto; }
.ground { fill: none !important; }
text, text:not([fill]) { fill: var(--text); font-family: var(--mono); }
.number { fill: var(--text); }
.faint, text.faint:not([fill]) { fill: var(--faint); }
.box { fill: var(--pane); stroke: var(--faint); }
.head { fill: var(--raised); }
.foot { fill: var(--raised); }
.rule { stroke: var(--line); }
rect[rx="13"] { fill: var(--accent-soft); stroke: var(--accent); }
.arrow[stroke="#475467"] { stroke: var(--faint); }
marker path[fill="#475467"], marker[fill="#475467"] { fill: var(--faint); }
.block { cursor: pointer; outline: none; }
.block:focus-visible .box, .block.linked .box { stroke: var(--accent); stroke-width: 2.5; }
.block.current .head { fill: var(--step); }
.row { cursor: pointer; }
.row.linked, .row:hover { fill: var(--accent); font-weight: bold; }
.row.current { fill: var(--fresh); font-weight: bold; }
`;

const READABLE = 0.55; // the least scale at which a graph opens: letters of 6.6 pixels

export function graphPane(store: Store, actions: Actions): HTMLElement {
  const body = h("div", { class: "scroll graph" });
  let root: ShadowRoot | null = null;
  let scale = 1;
  let unseen = true; // the drawing is placed when the pane can be seen
  const zoom = (factor: number): void => {
    scale = Math.min(Math.max(scale * factor, 0.25), 3);
    for (const svg of root?.querySelectorAll("svg") ?? []) {
      svg.style.width = `${String(svg.viewBox.baseVal.width * scale)}px`;
    }
  };
  /** As large as the pane takes, down to what can be read, with the entry in view. */
  const place = (): void => {
    const first = root?.querySelector("svg");
    if (!unseen || !first || body.clientWidth === 0) {
      return;
    }
    unseen = false;
    scale = Math.max(Math.min(1, (body.clientWidth - 24) / first.viewBox.baseVal.width), READABLE);
    zoom(1);
    const entry = root?.querySelector(".block")?.getBoundingClientRect();
    const ground = body.getBoundingClientRect();
    if (entry !== undefined) body.scrollTo({ left: body.scrollLeft + entry.left + entry.width / 2 - ground.left - body.clientWidth / 2, top: Math.max(entry.top - ground.top - 110, 0) });
  };
  new ResizeObserver(place).observe(body);
  const nothing = (graph: GraphPane | null): void => {
    clear(body, graph === null && store.value.source?.ok !== false ? loading("Blocks and paths") : empty("No flow graph", graph?.reason ?? "The blocks of the program and the paths between them appear here once the source has no errors."));
  };
  store.on(["source"], ({ graph }) => {
    if (graph === null) nothing(graph);
  });
  store.on(["graph"], ({ graph }) => {
    root = null;
    unseen = true;
    const shown = (graph?.graphs ?? []).flatMap((each) => {
      const drawing = safeSvg(each.svg);
      return drawing === null ? [] : [{ graph: each, drawing }];
    });
    if (shown.length === 0) {
      nothing(graph);
      return;
    }
    const host = h("div", { class: "drawing" });
    root = host.attachShadow({ mode: "open" });
    for (const { graph: each, drawing } of shown) {
      link(drawing, each);
      root.append(...(each.title === "" ? [] : [h("h3", {}, each.title)]), drawing);
    }
    root.append(h("style", {}, STYLE)); // after those of the drawings
    clear(body, h("div", { class: "zoom" }, button("smaller", "−", () => { zoom(1 / 1.25); }), button("larger", "+", () => { zoom(1.25); }), button("as large as the pane", "Fit", () => { unseen = true; place(); })), host);
    zoom(1);
    place();
  });
  store.on(["hover", "step", "time", "graph"], (app) => {
    const nodes = (app.graph?.graphs ?? []).flatMap((each) => each.nodes);
    const [done, now] = [app.time?.steps[app.step - 1], app.time?.steps[app.step]];
    root?.querySelectorAll<SVGElement>(".block").forEach((element, index) => {
      const node = nodes[index];
      element.classList.toggle("linked", node?.lines.some((line) => line.file === app.hover?.file && line.line === app.hover.line) ?? false);
      element.classList.toggle("current", node?.words.includes((now ?? done)?.address ?? -1) ?? false);
    });
    for (const row of root?.querySelectorAll<SVGElement>(".row") ?? []) {
      const at = row.dataset["line"];
      row.classList.toggle("linked", app.hover !== null && at === `${app.hover.file}#L${String(app.hover.line)}`);
      for (const [mark, step] of [["current", now], ["done", done]] as const) {
        row.classList.toggle(mark, step !== undefined && step.line !== null && at === `${step.file ?? ""}#L${String(step.line)}`);
      }
    }
  });

  function link(drawing: SVGSVGElement, graph: FlowGraph): void {
    drawing.removeAttribute("width");
    drawing.removeAttribute("height");
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-label", `${graph.title === "" ? "" : `${graph.title}: `}flow graph with ${String(graph.nodes.length)} blocks`);
    drawing.querySelectorAll<SVGElement>(".block").forEach((element, index) => {
      const node = graph.nodes[index];
      const first = node?.lines[0];
      if (node === undefined) {
        return;
      }
      element.setAttribute("tabindex", index === 0 ? "0" : "-1");
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", `block ${node.label}, ${String(node.words.length)} instructions`);
      const place = (event: Event): { file: string; line: number } | undefined => {
        const row = (event.target as Element).closest<SVGElement>(".row")?.dataset["line"];
        const parts = row === undefined ? null : /^(.*)#L(\d+)$/.exec(row);
        return parts === null ? first : { file: parts[1] ?? "", line: Number(parts[2]) };
      };
      const open = (event: Event): void => {
        const at = place(event);
        if (at !== undefined) {
          actions.reveal(at.file, at.line);
        }
      };
      element.addEventListener("click", open);
      element.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          open(event);
        }
      });
      element.addEventListener("mouseover", (event) => {
        store.set({ hover: place(event) ?? null });
      });
      element.addEventListener("mouseleave", () => {
        store.set({ hover: null });
      });
    });
    roving(drawing as unknown as HTMLElement, ".block", "both");
  }

  return body;
}

/** A drawing of the server as elements of this page: without scripts, addresses and listeners. Links to lines become rows. */
export function safeSvg(text: string): SVGSVGElement | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (!(root instanceof SVGSVGElement)) {
    return null;
  }
  for (const element of [...root.querySelectorAll("*")]) {
    if (["script", "foreignObject", "image", "use", "title"].includes(element.localName)) {
      element.remove();
      continue;
    }
    if (element.localName === "style") {
      element.textContent = element.textContent.replace(/@media \(prefers-color-scheme[^]*$/, ""); // the colours are those of the page's theme
      continue;
    }
    if (element.localName === "a") {
      const target = element.getAttribute("href") ?? "";
      for (const child of [...element.children]) {
        child.classList.add("row");
        child.setAttribute("data-line", target);
      }
      element.replaceWith(...element.childNodes);
      continue;
    }
    for (const attribute of [...element.attributes]) {
      if (attribute.name.startsWith("on") || attribute.localName === "href") {
        element.removeAttributeNode(attribute);
      }
    }
  }
  return document.importNode(root, true);
}
