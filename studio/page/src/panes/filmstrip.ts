/** Filmstrip: the draws of a recorded frame, each with a small picture, counts and findings. Only cards in view are in the document. */

import type { Actions } from "../actions";
import { apartSummary, apartText, CARD, drawAt, drawLabel, findingsText, inView, nextWanted, scrolledTo } from "../filmstrip";
import { LOST } from "../fates";
import { counted } from "../numbers";
import type { Store } from "../state";
import type { ApartRow, FrameDraw } from "../types";
import { button, clear, fresh, h } from "../widgets/dom";

export interface Filmstrip {
  element: HTMLElement;
  /** Ask for the next small picture that is missing, if none is on its way. */
  more(): void;
}

export function filmstrip(store: Store, actions: Actions, waits: () => boolean): Filmstrip {
  const id = fresh("draw");
  const space = h("div", { class: "film-space", role: "presentation" });
  const scroll = h("div", { class: "film", tabIndex: 0, role: "listbox", "aria-label": "draws", "aria-orientation": "horizontal" }, space);
  const title = h("p", { class: "film-title" });
  const findings = h("ul", { class: "film-findings" });
  const apart = h("button", { type: "button", class: "film-apart", title: "the draws that differ, as a list", hidden: true, onclick: () => { actions.tab("compare"); } });
  const previous = button("previous draw  (Alt+PageUp)", "◂", () => { actions.draw((store.value.draw?.number ?? 0) - 1); });
  const next = button("next draw  (Alt+PageDown)", "▸", () => { actions.draw((store.value.draw?.number ?? -1) + 1); });
  const element = h("section", { class: "pane filmstrip", "aria-label": "draws of the recorded frame", hidden: true }, h("div", { class: "film-head" }, previous, next, title, apart, findings), scroll);
  const cards = new Map<number, HTMLElement>();
  const differing = new Map<number, ApartRow>();
  let range: [number, number] = [0, 0];

  const chosen = (): number => store.value.wantedDraw ?? store.value.draw?.number ?? 0;

  function card(draw: FrameDraw): HTMLElement {
    const element = h("div", { class: "film-card", role: "option", id: `${id}-${String(draw.number)}`, "aria-setsize": String(store.value.frame?.draws.length ?? 0), "aria-posinset": String(draw.number + 1), onclick: () => { actions.draw(draw.number); } });
    element.style.left = `${String(draw.number * CARD)}px`;
    fill(element, draw);
    return element;
  }

  function fill(element: HTMLElement, draw: FrameDraw): void {
    const small = store.value.thumbnails.get(draw.number);
    const edited = store.value.edited.has(draw.number);
    const isNote = draw.findings.every((finding) => finding.severity === "note");
    const picture = h("div", { class: `film-picture${small === undefined ? " waiting" : ""}`, "aria-hidden": "true" });
    if (small?.pixels !== undefined) {
      const canvas = h("canvas", { width: small.width, height: small.height, "aria-hidden": "true" });
      canvas.getContext("2d")?.putImageData(new ImageData(Uint8ClampedArray.from(small.pixels), small.width, small.height), 0, 0);
      picture.append(canvas);
      if (small.empty) picture.append(h("span", { class: "film-reason", title: "nothing of this draw is visible" }, h("b", {}, "not visible"), LOST[small.lost ?? ""] ?? ""));
    } else if (small !== undefined) {
      picture.append(h("span", { class: "film-reason" }, small.reason ?? ""));
    }
    const differ = apartText(differing.get(draw.number));
    const label = drawLabel(draw, edited, differ);
    element.title = `${label}${draw.changed.length > 0 ? `; changed since the draw before: ${draw.changed.join(", ")}` : ""}`;
    const lost = small?.empty === true ? (LOST[small.lost ?? ""] ?? "nothing visible") : "";
    clear(element, h("span", { class: "unseen" }, [label, lost].filter(Boolean).join(", ")), picture,
      draw.inFrame === 0 ? h("span", { class: "film-frame", "aria-hidden": "true" }, `frame ${String(draw.frame)}`) : null,
      h("div", { class: "film-marks", "aria-hidden": "true" },
      edited ? h("span", { class: "film-edited", title: "edited" }, "✎") : null,
      differ === "" ? null : h("span", { class: "film-differ", title: differ }, `≠${(differing.get(draw.number)?.differ ?? 0).toLocaleString("en")}`),
      draw.findings.length === 0 ? null : h("span", { class: isNote ? "film-notes" : "film-wrong", title: marked(draw) }, counted(draw.findings.length, isNote ? "note" : "finding"))),
      h("div", { class: "film-text", "aria-hidden": "true" }, h("b", {}, String(draw.number)),
        h("span", { class: "film-count", title: `${counted(draw.vertices, "vertex is", "vertices are")} drawn, ${draw.different.toLocaleString("en")} different` }, counted(draw.different, "vertex", "vertices"))));
  }

  /** What the mark of a card counts. */
  function marked(draw: FrameDraw): string {
    return [`${findingsText(draw.findings)} of this draw (listed under Draw):`, ...draw.findings.map((finding) => finding.message)].join("\n");
  }

  function draw(again: boolean): void {
    const { frame } = store.value;
    const draws = frame?.draws ?? [];
    range = inView(scroll.scrollLeft, scroll.clientWidth, draws.length);
    for (const [number, element] of cards) {
      if (again || number < range[0] || number >= range[1]) {
        element.remove();
        cards.delete(number);
      }
    }
    for (let number = range[0]; number < range[1]; number += 1) {
      const row = draws[number];
      if (row !== undefined && !cards.has(number)) {
        const element = card(row);
        cards.set(number, element);
        space.append(element);
      }
    }
    mark();
    more();
  }

  function mark(): void {
    for (const [number, element] of cards) {
      element.setAttribute("aria-selected", String(number === chosen()));
    }
    if (cards.has(chosen())) scroll.setAttribute("aria-activedescendant", `${id}-${String(chosen())}`);
    else scroll.removeAttribute("aria-activedescendant");
  }

  function more(): void {
    const { frame, thumbnails } = store.value;
    if (frame === null || waits()) {
      return;
    }
    const wanted = nextWanted(range, (number) => thumbnails.has(number), chosen());
    if (wanted !== null) actions.thumbnail(wanted);
  }

  scroll.onscroll = () => {
    draw(false);
  };
  new ResizeObserver(() => {
    draw(false);
  }).observe(scroll);
  scroll.onkeydown = (event) => {
    const to = drawAt(event.key, chosen(), store.value.frame?.draws.length ?? 0, Math.max(Math.floor(scroll.clientWidth / CARD) - 1, 1));
    if (to !== null && !event.altKey) {
      event.preventDefault();
      actions.draw(to);
    }
  };
  store.on(["frame"], ({ frame }) => {
    element.hidden = frame === null;
    if (frame === null) {
      return;
    }
    const cut = frame.total > frame.draws.length ? `, of which ${frame.draws.length.toLocaleString("en")} are listed` : "";
    title.textContent = `${frame.file} · ${counted(frame.total, "draw")} in ${counted(frame.frames, "frame")}${cut}`;
    title.title = frame.layout;
    const told = [...frame.findings.map((finding) => finding.message), ...Object.entries(frame.missing).map(([name, reason]) => `${name}: ${reason}`)];
    clear(findings, ...told.map((text) => h("li", {}, text)));
    space.style.width = `${String(frame.draws.length * CARD)}px`;
    draw(true);
  });
  store.on(["draw", "wantedDraw"], ({ frame }) => {
    const last = (frame?.draws.length ?? 0) - 1;
    previous.disabled = chosen() <= 0;
    next.disabled = chosen() >= last;
    scroll.scrollLeft = scrolledTo(chosen(), scroll.scrollLeft, scroll.clientWidth);
    draw(false);
  });
  store.on(["thumbnails", "edited", "apart"], ({ frame, apart: pane }) => {
    differing.clear();
    for (const row of pane?.draws ?? []) {
      differing.set(row.number, row);
    }
    apart.hidden = pane === null;
    apart.textContent = pane === null ? "" : apartSummary(pane);
    for (const [number, element] of cards) {
      const row = frame?.draws[number];
      if (row !== undefined) fill(element, row);
    }
    mark();
    more();
  });
  return { element, more };
}
