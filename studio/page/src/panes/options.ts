/** The line of options for the compiler or the assembler, above the source. */

import { readOptions, writeOptions, type OptionRow } from "../options";
import type { Store } from "../state";
import type { State } from "../types";
import { fresh, h } from "../widgets/dom";

/** A button, and the row that it opens, which is open where a state has options; below it with what else the source is read. */
export function optionsRow(store: Store, change: (patch: Partial<State>) => void): { button: HTMLElement; row: HTMLElement } {
  const id = fresh("options");
  let shown = "";
  const rows = (): readonly OptionRow[] => store.value.hello?.options ?? [];
  const wrong = h("p", { class: "wrong", role: "alert" });
  const input = h("input", {
    id, type: "text", spellcheck: false, autocomplete: "off", "aria-label": "options", placeholder: "--semantic glow=color  -D LAMPS=2",
    onchange: () => {
      const found = readOptions(input.value, rows());
      wrong.textContent = typeof found === "string" ? found : "";
      if (typeof found !== "string") {
        shown = writeOptions(found, rows());
        change({ options: found });
      }
    },
  });
  const row = h("div", { class: "options-row", hidden: true }, h("label", { for: id }, "options"), input, wrong);
  const open = (is: boolean): void => {
    row.hidden = !is;
    button.setAttribute("aria-expanded", String(is));
  };
  const button = h("button", {
    type: "button", class: "small", title: "options for the compiler and the assembler", "aria-expanded": "false",
    onclick: () => {
      open(row.hidden !== false);
      input.focus();
    },
  }, "Options");
  const remarks = h("div", { class: "remarks", role: "status" });
  store.on(["source"], ({ source }) => {
    const implied = source?.implied ?? {};
    const keep = h("button", { type: "button", class: "small", title: `write ${writeOptions(implied, rows())} among the options`, onclick: () => { change({ options: { ...store.value.state.options, ...implied } }); } }, "Keep");
    remarks.replaceChildren(...(source?.remarks ?? []).map((text) => h("p", {}, text)), ...(Object.keys(implied).length > 0 ? [keep] : []));
  });
  store.on(["hello", "state"], ({ state }) => {
    input.title = rows().map((each) => `${each.names.join(", ")}: ${each.help}`).join("\n");
    const line = writeOptions(state.options ?? {}, rows());
    if (line !== shown) {
      shown = line;
      input.value = line;
      wrong.textContent = "";
      open(line !== "");
    }
  });
  return { button, row: h("div", {}, row, remarks) };
}
