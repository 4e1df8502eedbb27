/** Compiled code: the source on the left, what it became on the right, linked line by line. */

import type { Actions } from "../actions";
import type { Store } from "../state";
import { counted } from "../numbers";
import { clear, empty, h, loading, roving } from "../widgets/dom";
import { follow, hex, link } from "./words";

export function compiledPane(store: Store, actions: Actions): HTMLElement {
  const body = h("div", { class: "scroll compiled" });
  const waiting = (): void => { // the tab is offered only where there is some
    clear(body, store.value.source?.ok === false ? empty("Nothing is compiled", "The code appears here as soon as the source has no errors.") : loading("Compiled code"));
  };
  store.on(["source"], ({ compiled }) => {
    if (compiled === null) waiting();
  });
  store.on(["compiled"], ({ compiled }) => {
    if (compiled === null) {
      waiting();
      return;
    }
    if (compiled.reason !== undefined) {
      clear(body, empty("Nothing is compiled", compiled.reason));
      return;
    }
    // a source that the editor shows is marked there, and not shown again
    const own = store.value.state.files.find((file) => file.name === compiled.left.name);
    const again = own?.data !== undefined || own?.text.split("\n").length !== compiled.left.rows.length;
    const used = new Set(compiled.right.rows.map((row) => row.line));
    const left = h("ol", { class: "listing source-listing", "aria-label": compiled.left.name }, ...compiled.left.rows.map((row, index) => {
      const item = h("li", { class: `linked-row${used.has(row.line) ? "" : " quiet"}`, tabIndex: index === 0 ? 0 : -1, data: { file: compiled.left.name, line: String(row.line) } }, h("span", { class: "address" }, String(row.line)), lineCost(row), h("code", { class: "text" }, row.text));
      link(item, store, actions, compiled.left.name, row.line);
      return item;
    }));
    const right = h("ol", { class: "listing", "aria-label": compiled.right.name }, ...compiled.right.rows.map((row, index) => {
      const item = h("li", { class: "linked-row", tabIndex: index === 0 ? 0 : -1, data: { file: compiled.left.name, line: String(row.line ?? ""), address: String(row.address) }, "aria-label": `${hex(row.address)}, ${row.text}${row.line === null ? "" : `, line ${String(row.line)}`}` },
        again ? null : h("span", { class: "of-line", title: row.line === null ? "no line of the source" : `line ${String(row.line)} of the source` }, row.line === null ? "" : String(row.line)), h("span", { class: "address" }, hex(row.address)), row.cycles === null ? null : h("span", { class: "cycles", title: `issues in cycle ${String(row.cycles)}, ${counted(row.takes ?? 0, "cycle")} to the next` }, String(row.cycles)), h("code", { class: "text" }, row.text));
      link(item, store, actions, compiled.left.name, row.line);
      return item;
    }));
    roving(left, "li", "y");
    roving(right, "li", "y");
    const targets = compiled.targets ?? [];
    const target = h("select", { "aria-label": "target", onchange: () => { actions.ask("compiled", { target: target.value }); } }, ...targets.map((name) => h("option", { value: name, selected: name === compiled.target }, name)));
    clear(body, h("div", { class: "bar" }, targets.length > 1 ? target : null, h("p", { class: "cost" }, compiled.cost.text)), again ? h("div", { class: "two" }, h("div", {}, h("h2", { class: "name" }, compiled.left.name), left), h("div", {}, h("h2", { class: "name" }, compiled.right.name), right)) : h("div", { class: "one" }, h("h2", { class: "name" }, compiled.right.name, h("span", { class: "quiet" }, `  each line marks its own in ${compiled.left.name}`)), right));
  });
  follow(store, body);
  return body;
}

/** What a line of the source costs: cycles where the target has a timing, otherwise words. */
function lineCost({ words, cycles }: { words: number; cycles: number | null }): HTMLElement {
  if (words === 0) {
    return h("span", { class: "cycles" });
  }
  const each = counted(words, "word");
  return h("span", { class: "cycles", title: cycles === null ? each : `${counted(cycles, "cycle")}, ${each}` }, cycles === null ? `${String(words)} w` : `${String(cycles)} cy`);
}
