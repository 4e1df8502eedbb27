/** Elements, in one line each. */

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/** An element: properties that begin with `on` are listeners, `class` and those with `-` and `role` are attributes, the others are properties. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, properties);
  append(element, children);
  return element;
}

const waiting = new Map<object, () => void>();

/** Do work once before the next paint, the newest for its key: what looks where elements are goes here, after all that changes them. */
export function beforePaint(key: object, work: () => void): void {
  if (waiting.size === 0) {
    requestAnimationFrame(() => {
      const works = [...waiting.values()];
      waiting.clear();
      for (const each of works) each();
    });
  }
  waiting.set(key, work);
}

/** Whether no work waits for the next paint. */
export function isPainted(): boolean {
  return waiting.size === 0;
}

const SVG = "http://www.w3.org/2000/svg";

export function s<K extends keyof SVGElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  append(element, children);
  return element;
}

function apply(element: HTMLElement, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) {
      continue;
    }
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "class" || name === "role" || name === "for" || name === "list" || name.includes("-")) {
      element.setAttribute(name, String(value));
    } else if (name === "style") {
      Object.assign(element.style, value);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else {
      (element as unknown as Properties)[name] = value;
    }
  }
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
}

export function clear(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Put a text into an element that holds nothing else, of which the text node stays: a new one costs the styles of all around it. */
export function write(element: Element, text: string): void {
  const node = element.firstChild;
  if (!(node instanceof Text) || node.nextSibling !== null) {
    element.textContent = text;
  } else if (node.data !== text) {
    node.data = text;
  }
}

/** What screen readers say of what happens elsewhere than where the focus is; it is seen there. The page has it once, from the start. */
export const voice: () => HTMLElement = () => (spoken ??= h("p", { class: "unseen", role: "status" }));
let spoken: HTMLElement | undefined;
let saying: ReturnType<typeof setTimeout> | undefined;

/** Say the last of what comes within a quarter of a second: what is held down or dragged does not chatter. */
export function announce(text: string): void {
  clearTimeout(saying);
  if (voice().textContent !== "") voice().textContent = ""; // the same may be said again
  saying = setTimeout(() => {
    voice().textContent = text;
    saying = setTimeout(() => { voice().textContent = ""; }, 1000); // who reads the page finds it where it happened
  }, 250);
}

/** Draw a part again: the control that had the focus has it again, found by its name, or else the part has it. */
export function keepingFocus(part: HTMLElement, draw: () => void): void {
  const had = document.activeElement;
  const name = had instanceof HTMLElement && part.contains(had) ? nameOf(had) : null;
  draw();
  if (name === null || part.contains(document.activeElement)) return;
  const same = [...part.querySelectorAll<HTMLElement>("button, input, select, summary")].find((each) => nameOf(each) === name);
  if (same === undefined) part.tabIndex = -1;
  (same ?? part).focus({ preventScroll: true });
}

function nameOf(element: HTMLElement): string {
  const label = element instanceof HTMLSelectElement || element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent;
  return `${element.tagName} ${element.getAttribute("aria-label") ?? label ?? ""}`;
}

/** What an empty pane says: what it would show, and what to do. */
export function empty(title: string, text: string, ...actions: Child[]): HTMLElement {
  return h("div", { class: "empty" }, h("p", { class: "empty-title" }, title), h("p", {}, text), ...actions);
}

/** What a pane shows while what belongs in it is on its way. */
export function loading(text: string): HTMLElement {
  return h("div", { class: "loading", role: "status" }, h("p", {}, h("span", { class: "spinner", "aria-hidden": "true" }), `${text}…`), ...[72, 88, 54].map((wide) => h("span", { class: "bar", style: { width: `${String(wide)}%` }, "aria-hidden": "true" })));
}

const LONG = 500; // milliseconds of a long press

/** Call `act` where a finger or a pen stays on an element for half a second; the click that ends it is none. A mouse has other buttons and keys. */
export function longPress(element: HTMLElement, act: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let done = false;
  let at: [number, number] = [0, 0];
  const end = (): void => {
    clearTimeout(timer);
  };
  element.addEventListener("pointerdown", (event) => {
    end();
    done = false;
    at = [event.clientX, event.clientY];
    if (!event.isPrimary || event.pointerType === "mouse") return;
    timer = setTimeout(() => {
      done = true;
      act();
    }, LONG);
  });
  element.addEventListener("pointermove", (event) => {
    if (Math.hypot(event.clientX - at[0], event.clientY - at[1]) > 6) end();
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(name, end);
  element.addEventListener("contextmenu", (event) => {
    if (done) event.preventDefault();
  });
  element.addEventListener("click", (event) => {
    if (done) {
      event.preventDefault();
      event.stopImmediatePropagation();
      done = false;
    }
  }, true);
}

let numbers = 0;

export function fresh(name: string): string {
  numbers += 1;
  return `${name}-${String(numbers)}`;
}

/** A button with a tooltip, which is its accessible name where its text is a sign only. */
export function button(label: string, text: string, act: () => void, properties: Properties = {}): HTMLButtonElement {
  return h("button", { type: "button", ...(/[a-z]{3}/i.test(text) ? {} : { "aria-label": label }), title: label, onclick: act, ...properties }, text);
}

const ARROW = 36; // pixels of a select beside its text

/** As wide as the choice, not as the longest of the options, in browsers that do not do it by `field-sizing`. */
export function fitChoice(select: HTMLSelectElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return;
  context.font = getComputedStyle(select).font;
  select.style.width = `${String(Math.ceil(context.measureText(select.selectedOptions[0]?.text ?? "").width) + ARROW)}px`;
}

/** Arrow keys walk among the items of a container; only one of them is in the order of the tab key. */
export function roving(container: HTMLElement, selector: string, axis: "x" | "y" | "both"): void {
  const items = (): HTMLElement[] => [...container.querySelectorAll<HTMLElement>(selector)];
  container.addEventListener("keydown", (event) => {
    const keys: Record<string, number> = {
      ...(axis !== "y" ? { ArrowLeft: -1, ArrowRight: 1 } : {}),
      ...(axis !== "x" ? { ArrowUp: -1, ArrowDown: 1 } : {}),
    };
    const all = items();
    const root = container.getRootNode() as Document | ShadowRoot;
    const at = all.indexOf(root.activeElement as HTMLElement);
    if (at < 0) {
      return;
    }
    let next: number | null = null;
    if (event.key in keys) {
      next = Math.min(Math.max(at + (keys[event.key] ?? 0), 0), all.length - 1);
    } else if (event.key === "Home") {
      next = 0;
    } else if (event.key === "End") {
      next = all.length - 1;
    }
    if (next !== null) {
      event.preventDefault();
      focusItem(all, next);
    }
  });
  container.addEventListener("focusin", (event) => {
    const all = items();
    const at = all.indexOf(event.target as HTMLElement);
    if (at >= 0) {
      all.forEach((item, index) => {
        item.tabIndex = index === at ? 0 : -1;
      });
    }
  });
}

function focusItem(items: HTMLElement[], at: number): void {
  const item = items[at];
  if (item !== undefined) {
    item.tabIndex = 0;
    item.focus();
  }
}
