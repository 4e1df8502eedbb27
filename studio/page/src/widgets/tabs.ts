/** Tabs, and splits that can be moved with pointer and keyboard. */

import { fresh, h, roving } from "./dom";

export interface Tab {
  id: string;
  label: string;
  body: HTMLElement;
  hint?: string;
}

export interface Tabs {
  element: HTMLElement;
  show(id: string): void;
  /** Whether a tab is offered at all. */
  offer(id: string, is: boolean): void;
  /** A short text after the label, such as a number; empty for none. `more` is for screen readers only. */
  badge(id: string, text: string, more?: string): void;
  current(): string;
}

export function tabs(label: string, list: readonly Tab[], first: string, shown: (id: string) => void, extra?: HTMLElement): Tabs {
  const strip = h("div", { class: "tabs", role: "tablist", "aria-label": label });
  const bodies = h("div", { class: "tab-bodies" });
  const buttons = new Map<string, HTMLButtonElement>();
  let current = "";
  const show = (id: string): void => {
    const chosen = buttons.has(id) && buttons.get(id)?.hidden === false ? id : (list.find((tab) => buttons.get(tab.id)?.hidden === false)?.id ?? "");
    if (chosen === current) {
      return;
    }
    current = chosen;
    for (const tab of list) {
      const on = tab.id === chosen;
      const tabButton = buttons.get(tab.id);
      tabButton?.setAttribute("aria-selected", String(on));
      if (tabButton !== undefined) {
        tabButton.tabIndex = on ? 0 : -1;
      }
      tab.body.hidden = !on;
    }
    shown(chosen);
  };
  for (const tab of list) {
    const id = fresh("tab");
    const panel = fresh("panel");
    const tabButton = h("button", { type: "button", class: "tab", role: "tab", id, "aria-controls": panel, "aria-selected": "false", tabIndex: -1, title: tab.hint ?? "", data: { tab: tab.id } },
      tab.label, h("span", { class: "badge" }));
    tabButton.onclick = () => {
      show(tab.id);
    };
    tabButton.onfocus = () => {
      show(tab.id);
    };
    buttons.set(tab.id, tabButton);
    strip.append(tabButton);
    tab.body.id = panel;
    tab.body.setAttribute("role", "tabpanel");
    tab.body.setAttribute("aria-labelledby", id);
    tab.body.classList.add("tab-body");
    tab.body.hidden = true;
    bodies.append(tab.body);
  }
  roving(strip, "button.tab:not([hidden])", "x");
  const element = h("section", { class: "pane", "aria-label": label }, h("div", { class: "pane-head" }, strip, extra), bodies);
  show(first);
  return {
    element,
    show,
    offer: (id, is) => {
      const tabButton = buttons.get(id);
      if (tabButton !== undefined && tabButton.hidden === is) {
        tabButton.hidden = !is;
        if (!is && current === id) {
          show("");
        }
      }
    },
    badge: (id, text, more) => {
      const tabButton = buttons.get(id);
      if (tabButton !== undefined) badged(tabButton, text, more);
    },
    current: () => current,
  };
}

/** Set the text after the label of a tab. The name has a comma between them, or they were one word; `more` only the name has. */
export function badged(tab: HTMLElement, text: string, more = ""): void {
  const badge = tab.querySelector(".badge");
  if (badge === null || badge.textContent === text) return;
  badge.textContent = text;
  for (const unseen of tab.querySelectorAll(".unseen")) unseen.remove();
  if (text === "") return;
  badge.before(h("span", { class: "unseen" }, ", "));
  if (more !== "") badge.after(h("span", { class: "unseen" }, more));
}

/** A line between two areas of a grid: `apply` gets a share of the whole, which it also keeps. */
export function splitter(label: string, axis: "x" | "y", share: () => number, apply: (share: number) => void, whole: () => number): HTMLElement {
  const line = h("div", {
    class: `splitter splitter-${axis}`, role: "separator", tabIndex: 0, "aria-label": label, "aria-orientation": axis === "x" ? "vertical" : "horizontal",
    "aria-valuemin": "10", "aria-valuemax": "90", "aria-valuenow": String(Math.round(share() * 100)),
  });
  const change = (value: number): void => {
    const clamped = Math.min(Math.max(value, 0.1), 0.9);
    line.setAttribute("aria-valuenow", String(Math.round(clamped * 100)));
    apply(clamped);
  };
  line.onpointerdown = (event) => {
    event.preventDefault();
    line.focus();
    line.setPointerCapture(event.pointerId);
    const start = axis === "x" ? event.clientX : event.clientY;
    const before = share();
    line.classList.add("dragging");
    line.onpointermove = (move) => {
      change(before + ((axis === "x" ? move.clientX : move.clientY) - start) / whole());
    };
    line.onpointerup = line.onpointercancel = () => {
      line.onpointermove = null;
      line.classList.remove("dragging");
    };
  };
  line.onkeydown = (event) => {
    const step = { ArrowLeft: -0.02, ArrowUp: -0.02, ArrowRight: 0.02, ArrowDown: 0.02 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      change(share() + step);
    }
  };
  return line;
}
