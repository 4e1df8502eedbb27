/** A table of many rows of which only those in view are in the document; arrow keys choose a row. */

import { beforePaint, h, roving, write } from "./dom";

export interface Column {
  label: string;
  /** The whole name of a column whose label is a part of it. */
  name?: string;
  /** Its width, in characters. */
  width: number;
  text: (row: number) => string;
  /** What is given does not change while the program does: its column is as wide as its texts. */
  kind?: "number" | "given" | "text";
  /** What a click on a value leads to, beside its row. */
  link?: (row: number) => string;
  classes?: (row: number) => string;
  /** In each row the last text has the room that the one before it leaves, and is cut where that is not enough; where the choice is, the text before it is cut in its place.
   * In a narrow table it has a line of its own below. Otherwise the table scrolls sideways. */
  cut?: boolean;
  hint?: string;
  /** The table is in the order of this column. */
  sorted?: "ascending" | "descending" | undefined;
}

export interface Grid {
  element: HTMLElement;
  /** Show other columns and so many rows. */
  fill(columns: readonly Column[], count: number): void;
  /** The texts of the rows in view again. */
  refresh(): void;
  /** Mark a row; `scroll`: bring it into view. */
  select(row: number | null, scroll?: boolean): void;
}

/** Pixels of a row, and of the head. */
export const HEIGHT = 24;
const STACKED = 44; // of a row whose last text is below the others
const NARROW = 440; // pixels up to which it is
const MORE = 3; // rows above and below those in view
const PAUSE = 200; // milliseconds after a leap
const SAMPLE = 64; // rows whose texts are measured
const LONGEST = 90; // characters of a column; what is longer is cut, and whole where the pointer is
const GAPS = 50; // pixels between the cells of four such columns, and beside them
const LEAST = 14; // characters that a last text keeps which is cut

export function grid(label: string, chosen: (row: number, column?: number) => void, header?: (column: number) => void): Grid {
  const head = h("div", { class: "grid-head", role: "row" });
  const rows = h("div", { class: "grid-rows", role: "rowgroup" });
  const space = h("div", { class: "grid-space" }, rows);
  const scroll = h("div", { class: "grid-scroll", tabIndex: 0, role: "grid", "aria-label": label }, h("div", { class: "grid-headgroup", role: "rowgroup" }, head), space);
  let columns: readonly Column[] = [];
  let count = 0;
  let selected: number | null = null;
  let drawn = "";
  let [top, height] = [0, 0]; // of the view, as last seen: asking for them would lay out the page in each step of a drag
  let tall = HEIGHT; // pixels of a row
  let wanted: number | null = null; // the top that the next frame scrolls to
  let leaping: ReturnType<typeof setTimeout> | undefined; // as long as rows come and go at once, those out of view are not drawn

  const draw = (force: boolean): void => {
    const more = leaping === undefined ? MORE : 0;
    const first = Math.max(Math.floor(top / tall) - more, 0);
    const bottom = Math.max(Math.min(first + Math.ceil(height / tall) + 2 * more, count), first);
    const key = `${String(first)} ${String(bottom)} ${String(selected)}`;
    if (!force && key === drawn) {
      return;
    }
    drawn = key;
    rows.style.transform = `translateY(${String(first * tall)}px)`;
    while (rows.children.length > bottom - first) {
      rows.lastElementChild?.remove();
    }
    while (rows.children.length < bottom - first) {
      rows.append(h("div", { class: "grid-row", role: "row" }, ...columns.map(() => h("span", { role: "gridcell" }))));
    }
    for (let row = first; row < bottom; row += 1) {
      const element = rows.children[row - first] as HTMLElement;
      element.setAttribute("aria-rowindex", String(row + 2));
      element.dataset["row"] = String(row);
      if (row === selected) element.id = `${id}-${String(row)}`;
      else element.removeAttribute("id");
      element.classList.toggle("selected", row === selected);
      element.setAttribute("aria-selected", String(row === selected));
      columns.forEach((column, index) => {
        const cell = element.children[index] as HTMLElement;
        const text = column.text(row);
        if (cell.textContent !== text) {
          write(cell, text);
          cell.title = column.kind === "text" && text.length > 20 ? text : "";
        }
        if (column.link !== undefined) cell.title = column.link(row);
        const classes = `${column.kind === "text" ? "text" : "number"} ${column.link === undefined ? "" : "leads "}${column.classes?.(row) ?? ""}`.trim();
        if (cell.className !== classes) {
          cell.className = classes;
        }
      });
    }
    if (selected !== null) {
      scroll.setAttribute("aria-activedescendant", `${id}-${String(selected)}`);
    } else {
      scroll.removeAttribute("aria-activedescendant");
    }
  };
  /** The widths of the columns: numbers as they may become, texts as long as the longest of some rows; the last text takes what is left. */
  const measure = (): void => {
    const last = columns.findLastIndex((column) => column.kind === "text");
    const stacked = columns.at(-1)?.cut === true && scroll.clientWidth > 0 && scroll.clientWidth <= NARROW;
    scroll.classList.toggle("stacked", stacked);
    tall = stacked ? STACKED : HEIGHT;
    space.style.height = `${String(count * tall)}px`;
    const every = Math.max(Math.floor(count / SAMPLE), 1);
    const sizes = columns.map((column) => {
      const whole = column.kind === "text" || column.kind === "given";
      let width = whole ? column.label.length + 1 : column.width;
      for (let row = 0; whole && row < count; row += every) width = Math.max(width, column.text(row).length);
      return Math.min(width, LONGEST);
    });
    const cut = columns.at(-1)?.cut === true;
    const cells = (size: number): string => `${String(size)}ch`;
    const widths = sizes.map((size, index) => (index === last && index === columns.length - 1 ? `minmax(${cells(cut ? LEAST : size)}, 1fr)` : cut && index === columns.length - 2 ? `minmax(8ch, ${cells(size)})` : cells(size)));
    scroll.style.setProperty("--columns", (stacked ? [...widths.slice(0, -2), "minmax(0, 1fr)"] : widths).join(" "));
    scroll.classList.toggle("cut", cut && !stacked);
    if (!cut || stacked) return;
    // where both texts have room, they begin below their heads
    const [others, room] = [sizes.slice(0, -2), `${String(scroll.clientWidth - GAPS)}px`];
    const beside = (these: readonly number[]): string => `calc(${room} - ${cells(these.reduce((sum, size) => sum + size, 0))})`;
    const rest = `minmax(max(${cells(LEAST)}, ${beside(sizes.slice(0, -1))}), max-content)`;
    scroll.style.setProperty("--rows", [...widths.slice(0, -2), "minmax(min-content, 1fr)", rest].join(" "));
    scroll.style.setProperty("--chosen", [...widths.slice(0, -2), "minmax(8ch, 1fr)", rest].join(" "));
    scroll.style.setProperty("--most", beside([...others, LEAST]));
  };
  const id = `grid-${Math.random().toString(36).slice(2, 8)}`;
  const select = (row: number | null, into = true): void => {
    selected = row !== null && row >= 0 && row < count ? row : null;
    if (selected !== null && into && height > 0) {
      const place = selected * tall;
      const view = height - HEIGHT;
      const end = place + tall * (view > 6 * tall ? Math.min(3, count - selected) : 1); // what comes next is seen too
      if (place < top || end > top + view) {
        top = place < top ? place : end - view;
        wanted = top;
        clearTimeout(leaping);
        leaping = setTimeout(() => {
          leaping = undefined;
          draw(false);
        }, PAUSE);
        beforePaint(scroll, () => {
          if (wanted !== null) scroll.scrollTop = wanted;
          wanted = null;
        });
      }
    }
    draw(true);
  };
  const look = (): void => {
    [top, height] = [scroll.scrollTop, scroll.clientHeight];
  };
  scroll.onscroll = () => {
    if (wanted !== null) return; // the event of a place that is no longer wanted
    top = scroll.scrollTop;
    draw(false);
  };
  new ResizeObserver(() => {
    const opened = height === 0;
    const end = ((selected ?? 0) + 1) * tall;
    const seen = selected !== null && end > top && end <= top + height - HEIGHT;
    const before = tall;
    measure();
    look();
    if (opened || tall !== before) {
      select(selected);
      return;
    }
    if (seen && height > 2 * tall && end > top + height - HEIGHT) { // what is above has grown: the choice stays in view, in this frame
      top = end - height + HEIGHT;
      scroll.scrollTop = top;
    }
    draw(true);
  }).observe(scroll);
  rows.onclick = (event) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>(".grid-row")?.dataset["row"];
    if (row !== undefined) {
      const cell = (event.target as HTMLElement).closest<HTMLElement>("[role=gridcell]");
      const column = cell?.classList.contains("leads") === true ? [...(cell.parentElement?.children ?? [])].indexOf(cell) : undefined;
      select(Number(row));
      chosen(Number(row), column);
    }
  };
  if (header !== undefined) roving(head, "button", "x");
  scroll.onkeydown = (event) => {
    if (event.target !== scroll) return; // keys of a head
    const page = Math.max(Math.floor(height / tall) - 2, 1);
    const moves: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -count, End: count };
    const move = moves[event.key];
    if (move !== undefined && count > 0) {
      event.preventDefault();
      const next = Math.min(Math.max((selected ?? (move > 0 ? -1 : 0)) + move, 0), count - 1);
      select(next);
      chosen(next);
    } else if (event.key === "Enter" && selected !== null) {
      event.preventDefault();
      const linked = columns.findIndex((column) => column.link !== undefined);
      chosen(selected, linked < 0 ? undefined : linked); // the keyboard's way to the first value that leads somewhere
    }
  };
  return {
    element: scroll,
    fill: (list, total) => {
      const same = list.length === columns.length && list.every((column, index) => column.label === columns[index]?.label && column.width === columns[index]?.width && column.sorted === columns[index]?.sorted);
      columns = list;
      count = total;
      if (!same) {
        const at = [...head.children].findIndex((cell) => cell.contains(document.activeElement));
        head.replaceChildren(
          ...list.map((column, index) => h("span", { role: "columnheader", class: column.kind === "text" ? "text" : "number", title: column.hint ?? "", "aria-sort": column.sorted, ...(column.name === undefined ? {} : { "aria-label": column.name }) },
            header === undefined ? column.label : h("button", { type: "button", tabIndex: index === Math.max(at, 0) ? 0 : -1, ...(column.name === undefined ? {} : { "aria-label": column.name }), onclick: () => { header(index); } }, column.label, column.sorted === undefined ? null : h("span", { "aria-hidden": "true" }, column.sorted === "descending" ? " ↓" : " ↑")))),
        );
        head.children[at]?.querySelector("button")?.focus();
        rows.replaceChildren();
      }
      measure();
      scroll.setAttribute("aria-rowcount", String(total + 1));
      if (selected !== null && selected >= total) {
        selected = null;
      }
      look();
      draw(true);
    },
    refresh: () => {
      measure();
      draw(true);
    },
    select,
  };
}
