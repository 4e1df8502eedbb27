/** The optimiser's steps, each with its reason, and the source that they lead to. */

import type { Actions } from "../actions";
import { withText } from "../files";
import type { Store } from "../state";
import { clear, empty, h } from "../widgets/dom";

/** The savings of a step: what its optimiser says, or the items that go. */
function savings(step: { saved: number; savings: Record<string, number> }): HTMLElement | null {
  const units = Object.entries(step.savings).filter(([, count]) => count !== 0).map(([unit, count]) => `−${String(count)} ${unit}`);
  const text = units.length > 0 ? units.join(", ") : step.saved !== 0 ? `−${String(step.saved)}` : "";
  return text === "" ? null : h("span", { class: "saved" }, text);
}

export function optimiserPane(store: Store, actions: Actions): HTMLElement {
  const body = h("div", { class: "scroll optimiser" });
  const run = (): HTMLElement => h("button", { type: "button", class: "primary", onclick: () => { actions.ask("opt"); } }, "Find smaller programs");
  store.on(["opt", "source"], ({ opt, source, state, active }) => {
    if (opt?.reason !== undefined) {
      clear(body, empty("No optimiser", opt.reason));
      return;
    }
    if (opt === null) {
      clear(body, empty("Smaller programs with the same bits", "Each step is proved to keep every output bit for bit.", source?.ok ? run() : null));
      return;
    }
    const file = opt.file ?? state.files[active]?.name ?? "";
    const smaller = opt.sizes.filter((size) => size.after < size.before);
    const sizes = opt.sizes.map((size) => (size.after < size.before ? `${String(size.before)} to ${String(size.after)} ${size.unit}` : `${String(size.before)} ${size.unit}`)).join(", ");
    const tried = (opt.text ?? "").split("\n").slice(1).map((line) => line.trim()).filter((line) => line !== ""); // without the sizes
    const rules = opt.rules.length > 0 ? ` under ${opt.rules.join(" and ")}` : "";
    clear(body,
      h("p", { class: "cost" }, smaller.length === 0 ? `${sizes}: nothing was found that makes it smaller` : `${sizes}: proved equal${rules}`),
      smaller.length === 0 && tried.length > 0 ? h("section", { "aria-label": "what was tried" }, h("h2", {}, "What was tried"), h("ul", { class: "report" }, ...tried.map((line) => h("li", {}, line)))) : null,
      ...opt.remarks.map((remark) => h("p", { class: "quiet" }, remark)),
      h("ol", { class: "steps" }, ...opt.steps.map((step) =>
        h("li", {}, h("p", { class: "step-head" }, h("b", {}, step.title), savings(step)), h("p", {}, step.text), step.fix === "" ? null : h("p", { class: "quiet" }, step.fix),
          ...(step.lines.length > 0 ? [h("p", { class: "lines" }, ...step.lines.map((line) => h("button", { type: "button", class: "link", onclick: () => { actions.reveal(file, line); }, onmouseenter: () => { store.set({ hover: { file, line } }); } }, `line ${String(line)}`)))] : []),
          step.before.length > 0 ? h("pre", { class: "diff" }, ...step.before.map((text) => h("span", {}, `${text.trim()}\n`))) : null))),
      opt.changes.length > 0 ? h("section", { class: "changes", "aria-label": "changes of the source" }, h("h2", {}, "Changes of the source"), h("pre", { class: "diff" }, ...opt.changes.map(([sign, text]) => h("span", { class: sign === "-" ? "removed" : "added" }, `${sign === "-" ? "−" : "+"} ${text}\n`)))) : null,
      opt.source !== null && smaller.length > 0 ? h("button", { type: "button", class: "primary", onclick: () => {
        actions.change(withText(state.files, file, opt.source ?? "", source?.listing));
        store.set({ opt: null });
      } }, "Use this source") : null);
  });
  return body;
}
