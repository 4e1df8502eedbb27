/** What frames a page: its theme, its splits, its links, its keys. Pages of other connections share it. */

import { encodeState, TooLong } from "./link";
import type { Store } from "./state";
import { recordOf, type Keeper } from "./storage";
import type { State } from "./types";
import { button, clear, fresh, h } from "./widgets/dom";
import { splitter } from "./widgets/tabs";

/** Follow the theme of the store; the function says whether it is dark now. */
export function themed(store: Store): () => boolean {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const dark = (): boolean => (store.value.theme === "auto" ? scheme.matches : store.value.theme === "dark");
  const apply = (): void => {
    document.documentElement.dataset["theme"] = dark() ? "dark" : "light";
  };
  store.on(["theme"], apply);
  scheme.addEventListener("change", apply);
  return dark;
}

export function themeButton(store: Store): HTMLElement {
  const theme = button("theme: as the system", "◐", () => {
    const next = { auto: "light", light: "dark", dark: "auto" } as const;
    store.set({ theme: next[store.value.theme] });
  });
  store.on(["theme"], (value) => {
    theme.title = { auto: "theme: as the system", light: "theme: light", dark: "theme: dark" }[value.theme];
    theme.setAttribute("aria-label", theme.title);
    theme.textContent = { auto: "◐", light: "☀", dark: "☾" }[value.theme];
  });
  return theme;
}

/** The controls of the head of a page but for the first: behind a button where the window is narrow. */
export function topMenu(top: HTMLElement, ...controls: (Node | null)[]): Node[] {
  const id = fresh("menu");
  const menu = h("div", { class: "top-menu", id }, ...controls);
  const opener = button("examples, files, profile, link, theme, keys", "Menu", () => {
    const open = !top.classList.contains("open");
    top.classList.toggle("open", open);
    opener.setAttribute("aria-expanded", String(open));
  }, { class: "menu-button", "aria-expanded": "false", "aria-controls": id });
  return [opener, menu];
}

export interface Splits {
  /** Keep a template of two parts of a grid as the share of this name says. */
  line(name: string, style: CSSStyleDeclaration, template: "gridTemplateColumns" | "gridTemplateRows"): void;
  /** What moves the share of this name. */
  handle(label: string, name: string, axis: "x" | "y", whole: HTMLElement): HTMLElement;
}

const sharesOf = recordOf((value) => (typeof value === "number" && value > 0 && value < 1 ? value : null));

/** Areas in two parts, by names with their usual shares; the browser remembers them. */
export function splits(keeper: Keeper, usual: Record<string, number>): Splits {
  const shares: Record<string, number> = { ...usual, ...keeper.read("splits", sharesOf) };
  const lines = new Map<string, () => void>();
  return {
    line: (name, style, template) => {
      const apply = (): void => {
        const share = shares[name] ?? 0.5;
        style[template] = `minmax(0, ${share.toFixed(4)}fr) 8px minmax(0, ${(1 - share).toFixed(4)}fr)`;
      };
      lines.set(name, apply);
      apply();
    },
    handle: (label, name, axis, whole) =>
      splitter(label, axis, () => shares[name] ?? 0.5, (share) => {
        shares[name] = share;
        lines.get(name)?.();
        keeper.write("splits", shares);
      }, () => (axis === "x" ? whole.clientWidth : whole.clientHeight)),
  };
}

/** Put a link on the clipboard; what became of it. */
export async function copied(link: string, length: number, isHere: boolean): Promise<string> {
  const done = await navigator.clipboard.writeText(link).then(() => true, () => false);
  const where = isHere ? " in the address line" : "";
  return `${done ? `Link copied: it is on the clipboard${isHere ? ` and${where}` : ""}` : isHere ? `The browser refused the clipboard: the link is${where}` : `The browser refused the clipboard: ${link}`} (${(length / 1024).toFixed(1)} kB).`;
}

/** Put a link to a state into the address line and on the clipboard; what became of it. */
export async function copyLink(state: State): Promise<{ text: string; error: boolean }> {
  try {
    const text = await encodeState(state);
    const link = `${location.origin}${location.pathname}#${text}`;
    history.replaceState(null, "", `#${text}`);
    return { text: `${await copied(link, text.length, true)} It holds source and data; nothing was sent anywhere.`, error: false };
  } catch (error) {
    return { text: error instanceof TooLong ? error.message : `No link: ${String(error)}`, error: true };
  }
}

export function saveAs(name: string, content: Blob): void {
  const link = h("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 1000);
}

export function keysDialog(keys: readonly (readonly [string, string])[]): void {
  const id = fresh("keys");
  const close = button("close", "Close", () => { dialog.close(); }, { class: "primary" });
  const dialog = h("dialog", { class: "keys", "aria-labelledby": id, onclose: () => { dialog.remove(); } }, h("h2", { id, tabIndex: -1, autofocus: true }, "Keys"), // the list is read from its beginning
    h("dl", {}, ...keys.flatMap(([names, text]) => [h("dt", {}, h("kbd", {}, names)), h("dd", {}, text)])), close);
  document.body.append(dialog);
  dialog.showModal();
}

/** Two buttons for the stack of changes, and what sets them. */
export function undoButtons(undo: () => void, redo: () => void): { elements: [HTMLElement, HTMLElement]; told: (undo: boolean, redo: boolean) => void } {
  const back = button("undo  (Ctrl+Z)", "↶", undo, { disabled: true });
  const on = button("redo  (Ctrl+Y)", "↷", redo, { disabled: true });
  return { elements: [back, on], told: (undoes, redoes) => { back.disabled = !undoes; on.disabled = !redoes; } };
}

/** What is said of the last action: at the foot of the page, or for some seconds beside the control that did it. */
export function noteLine(store: Store): HTMLElement {
  const note = h("span", { class: "note", role: "status", onclick: () => { settle(); } });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const beside = (near: HTMLElement | undefined): void => {
    const box = near?.getBoundingClientRect();
    const at = box !== undefined && box.width > 0 ? box : undefined;
    note.classList.toggle("near", near !== undefined);
    const onRight = at === undefined || at.left + at.right > innerWidth;
    Object.assign(note.style, near === undefined ? { top: "", left: "", right: "" } : {
      top: `${String((at?.bottom ?? 44) + 6)}px`, left: onRight ? "auto" : `${String(at.left)}px`, right: onRight ? `${String(Math.max(innerWidth - (at?.right ?? innerWidth), 8))}px` : "8px",
    });
  };
  const settle = (): void => {
    clearTimeout(timer);
    beside(undefined);
    if (store.value.note?.error === false) store.set({ note: null });
  };
  store.on(["note"], ({ note: value }) => {
    note.className = `note ${value?.error === true ? "error" : ""}`;
    note.textContent = value?.text ?? "";
    beside(value?.near);
    clearTimeout(timer);
    if (value !== null && (!value.error || value.near !== undefined)) {
      timer = setTimeout(settle, Math.max(9000, value.text.length * 60));
    }
  });
  return note;
}

/** The line that says what was found of the last visit, with a button that leads away from it, and back by undo. */
export function restoredLine(store: Store, load: (state: State) => void): HTMLElement {
  const line = h("span", { class: "restored", role: "status" });
  store.on(["restored"], ({ restored }) => {
    clear(line, ...(restored === null ? [] : [restored.text, button(`${restored.undo}; undo brings it back`, restored.undo, () => {
      store.set({ restored: null });
      load(restored.state);
    }), button("dismiss", "×", () => { store.set({ restored: null }); })]));
  });
  return line;
}

/** Whether keys that are pressed there are text. */
export function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || (target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox") || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement);
}
