/** Panes of a narrow window: one at a time, chosen by a bar at the bottom. In a wide one all are there and the bar is not. */

import { fresh, h, roving } from "./dom";
import { badged } from "./tabs";

export interface NarrowPane {
  id: string;
  label: string;
  element: HTMLElement;
}

export interface PaneBar {
  element: HTMLElement;
  show(id: string): void;
  /** The pane after the one that has the focus, or before it; it is shown. */
  next(back: boolean): HTMLElement | null;
  /** A short text after a label, such as a number; empty for none. `more` is for screen readers only. */
  badge(id: string, text: string, more?: string): void;
  current(): string;
}

/** `chosen` is told of each choice. What is not shown is hidden by the style sheet, which knows how wide the window is. */
export function paneBar(panes: readonly NarrowPane[], first: string, chosen: (id: string) => void): PaneBar {
  const bar = h("div", { class: "pane-bar", role: "tablist", "aria-label": "panes" });
  let current = "";
  const show = (id: string): void => {
    const pane = panes.find((each) => each.id === id) ?? panes[0];
    if (pane === undefined || pane.id === current) {
      return;
    }
    current = pane.id;
    for (const [index, each] of panes.entries()) {
      const button = bar.children[index] as HTMLButtonElement;
      button.setAttribute("aria-selected", String(each === pane));
      button.tabIndex = each === pane ? 0 : -1;
      each.element.classList.toggle("chosen", each === pane);
    }
    chosen(current);
    intoView(pane.element);
  };
  /** Where the window is low, such as at 400 %, what is above a pane may leave it no room: then the page is scrolled to it. */
  const intoView = (element: HTMLElement): void => {
    if (bar.offsetParent !== null && element.getBoundingClientRect().top > innerHeight / 2) element.scrollIntoView({ block: "start" });
  };
  for (const pane of panes) {
    pane.element.id ||= fresh("pane");
    bar.append(h("button", { type: "button", role: "tab", "aria-controls": pane.element.id, data: { pane: pane.id }, onclick: () => { show(pane.id); intoView(pane.element); } }, pane.label, h("span", { class: "badge" })));
  }
  roving(bar, "button", "x");
  show(first);
  return {
    element: bar,
    show,
    next: (back) => {
      const bared = bar.offsetParent !== null; // a bar that is seen: one pane at a time
      const now = panes.findIndex((pane) => (bared ? pane.id === current : pane.element.contains(document.activeElement)));
      const pane = panes[(now + (back ? -1 : 1) + panes.length) % panes.length];
      if (pane !== undefined) show(pane.id);
      return pane?.element ?? null;
    },
    badge: (id, text, more) => {
      const button = bar.querySelector<HTMLElement>(`[data-pane='${id}']`);
      if (button !== null) badged(button, text, more);
    },
    current: () => current,
  };
}
