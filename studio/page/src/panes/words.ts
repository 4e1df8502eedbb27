/** Machine words and descriptors, linked with the lines that they come from. */

import type { Actions } from "../actions";
import { counted } from "../numbers";
import type { App, Store } from "../state";
import type { TraceStep } from "../types";
import { beforePaint, clear, empty, h, loading, roving } from "../widgets/dom";

export function wordsPane(store: Store, actions: Actions): HTMLElement {
  const list = h("ol", { class: "listing", "aria-label": "machine words" });
  const descriptors = h("div", { class: "descriptors" });
  const cost = h("p", { class: "cost" });
  const body = h("div", { class: "scroll" });
  roving(list, "li", "y");

  const nothing = (): void => {
    clear(body, store.value.source?.ok === false ? empty("No machine words", "They appear here as soon as the source has no errors, each beside its line.") : loading("Machine words"));
  };
  store.on(["source"], ({ words }) => {
    if (words === null) nothing();
  });
  store.on(["words"], ({ words }) => {
    if (words === null) {
      nothing();
      return;
    }
    clear(
      list,
      ...words.rows.map((row, index) => {
        const item = h("li", {
          class: "linked-row", tabIndex: index === 0 ? 0 : -1, data: { file: row.file ?? "", line: String(row.line ?? ""), address: String(row.address) }, title: row.encoding ?? "", "aria-label": `${hex(row.address)}, ${row.instruction}`,
        },
          h("span", { class: "address" }, hex(row.address)), h("code", { class: "bits" }, row.bits), h("code", { class: "text" }, row.instruction));
        link(item, store, actions, row.file, row.line);
        return item;
      }),
    );
    clear(
      descriptors,
      words.descriptors.length > 0 && h("h2", {}, "Operand descriptors"),
      words.descriptors.length > 0 &&
        h("table", { class: "plain", "aria-label": "operand descriptors" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "#"), h("th", { scope: "col" }, "bits"), h("th", { scope: "col" }, "meaning"), h("th", { scope: "col", class: "number" }, "used by"))),
          h("tbody", {}, ...words.descriptors.map((row) =>
            h("tr", {}, h("td", { class: "number" }, String(row.number)), h("td", {}, h("code", { class: "bits" }, row.bits)), h("td", {}, h("code", {}, row.text)),
              h("td", { class: "number", title: row.words.map(hex).join(" ") }, String(row.words.length)))))),
    );
    cost.textContent = [counted(words.rows.length, words.what), words.descriptors.length > 0 ? counted(words.descriptors.length, "descriptor") : ""].filter(Boolean).join(", ");
    clear(body, cost, list, descriptors, words.cost !== "" && h("details", { class: "limits" }, h("summary", {}, "What it uses, and what is left"), h("pre", {}, words.cost)));
  });
  follow(store, body);
  return body;
}

export function hex(address: number): string {
  return address.toString(16).padStart(3, "0");
}

/** A row that stands for a line: pointing at it marks the line everywhere, a click shows it in the editor. */
export function link(element: HTMLElement | SVGElement, store: Store, actions: Actions, file: string | null | undefined, line: number | null | undefined): void {
  if (file === null || file === undefined || line === null || line === undefined) {
    return;
  }
  const point = (): void => {
    store.set({ hover: { file, line } });
  };
  element.addEventListener("mouseenter", point);
  element.addEventListener("focus", point);
  element.addEventListener("mouseleave", () => {
    store.set({ hover: null });
  });
  element.addEventListener("click", () => {
    actions.reveal(file, line);
  });
  element.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Enter") {
      actions.reveal(file, line);
    }
  });
}

/** Mark the rows of a pane whose line is pointed at anywhere, that of the step just done and that of the next one. */
export function follow(store: Store, body: HTMLElement): void {
  let followed: TraceStep | undefined;
  let current: HTMLElement[] = [];
  const mark = (app: Readonly<App>): void => {
    const [at, next] = [app.time?.steps[app.step - 1], app.time?.steps[app.step]];
    const rowsAt = (step: TraceStep | undefined): HTMLElement[] => (step === undefined ? [] : [...body.querySelectorAll<HTMLElement>(`.linked-row[data-address="${String(step.address)}"]`)]);
    for (const row of current) row.classList.remove("current", "done");
    const [done, coming] = [rowsAt(at), rowsAt(next)];
    for (const row of done) row.classList.add("done");
    for (const row of coming) row.classList.add("current");
    current = [...done, ...coming];
    if (at !== followed) show(current[0]);
    followed = at;
  };
  const show = (row: HTMLElement | undefined): void => {
    if (row !== undefined && !body.matches(":hover") && !body.contains(document.activeElement)) {
      beforePaint(body, () => { row.scrollIntoView({ block: "nearest" }); });
    }
  };
  store.on(["step"], mark);
  store.on(["hover", "time", "words", "graph", "compiled"], (app) => {
    let first: HTMLElement | undefined;
    for (const row of body.querySelectorAll<HTMLElement>(".linked-row")) {
      const on = app.hover !== null && row.dataset["file"] === app.hover.file && row.dataset["line"] === String(app.hover.line);
      row.classList.toggle("linked", on);
      if (on) first ??= row;
    }
    mark(app);
    show(first);
  });
}
