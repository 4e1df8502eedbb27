/** The reference: a page for each instruction and each finding, from lanewise's own tables. */

import { clear, empty, h } from "../../../page/src/widgets/dom";
import type { Block, ReferenceIndex, ReferencePage } from "../protocol";

export interface ReferenceView {
  element: HTMLElement;
  index(index: ReferenceIndex): void;
  page(page: ReferencePage): void;
  /** Show the page of a code or of an instruction. */
  open(isa: string, name: string): void;
}

/** `ask` asks for the index, or for a page. */
export function referencePane(ask: (isa: string, name: string) => void): ReferenceView {
  const list = h("datalist", { id: "reference-names" });
  const search = h("input", { type: "text", class: "condition", placeholder: "mad, pica200 rcp, V012", list: "reference-names", "aria-label": "instruction or finding", spellcheck: false, onchange: () => { find(); } });
  const sets = h("select", { "aria-label": "instruction set", onchange: () => { ask(sets.value, ""); } });
  const answer = h("span", { class: "quiet", role: "status" });
  const page = h("article", { class: "page" });
  const body = h("div", { class: "scroll reference", tabIndex: 0 }, h("div", { class: "bar" }, sets, h("label", {}, "page of ", search), answer), list, page);
  const places = new Map<string, [string, string]>();
  clear(page, empty("Instructions and findings", "Choose an instruction set, or write the name of an instruction or the code of a finding."));

  function find(): void {
    const text = search.value.trim();
    const found = places.get(text.toLowerCase()) ?? places.get(`${sets.value} ${text}`.toLowerCase());
    answer.textContent = found === undefined && text !== "" ? `there is no page of '${text}'` : "";
    if (found !== undefined) {
      ask(...found);
    }
  }

  return {
    element: body,
    index: (index) => {
      places.clear();
      const names: string[] = [];
      for (const set of index.sets) {
        for (const name of set.names) {
          names.push(`${set.isa} ${name}`);
          places.set(`${set.isa} ${name}`.toLowerCase(), [set.isa, name]);
          if (!places.has(name.toLowerCase())) places.set(name.toLowerCase(), [set.isa, name]);
        }
      }
      for (const { code, title } of index.codes.flatMap((group) => group.rows)) {
        names.push(code);
        places.set(code.toLowerCase(), ["", code]);
        list.append(h("option", { value: code }, title));
      }
      clear(list, ...names.map((name) => h("option", { value: name })));
      clear(sets, ...index.sets.map((set) => h("option", { value: set.isa }, set.title)));
    },
    page: (value) => {
      answer.textContent = "";
      clear(page, ...value.blocks.map((block) => element(block, value.isa, ask, places)));
      body.scrollTop = 0;
    },
    open: (isa, name) => {
      search.value = name;
      ask(isa, name);
    },
  };
}

function element(block: Block, isa: string, ask: (isa: string, name: string) => void, places: ReadonlyMap<string, [string, string]>): HTMLElement {
  switch (block.kind) {
    case "heading":
      return h(block.level > 1 ? "h3" : "h2", { class: "name" }, block.text);
    case "paragraph":
      return h("p", {}, ...coded(block.text));
    case "fixed":
      return h("pre", {}, block.text);
    case "table":
      return h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ...block.head.map((cell) => h("th", { scope: "col" }, cell)))),
        h("tbody", {}, ...block.rows.map((row) => h("tr", {}, ...row.map((cell, at) => h("td", {}, ...(at === 0 ? linked(cell, isa, ask, places) : coded(cell))))))));
    case "items":
      return h("dl", {}, ...block.points.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, ...coded(text))]));
  }
}

/** The first cell of a row: a link where it names a page. */
function linked(cell: string, isa: string, ask: (isa: string, name: string) => void, places: ReadonlyMap<string, [string, string]>): (Node | string)[] {
  const found = places.get(`${isa} ${cell}`.toLowerCase()) ?? (/^[A-Z]\d{3}$/.test(cell) ? places.get(cell.toLowerCase()) : undefined);
  return found === undefined ? coded(cell) : [h("button", { type: "button", class: "link", onclick: () => { ask(...found); } }, cell)];
}

/** A text in which words in backquotes are code. */
function coded(text: string): (Node | string)[] {
  return text.split("`").map((part, at) => (at % 2 === 1 ? h("code", {}, part) : part));
}
