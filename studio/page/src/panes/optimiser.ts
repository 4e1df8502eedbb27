/** The optimiser's steps, each with its reason, and the source that they lead to. */

import type { Actions } from "../actions";
import { withText } from "../files";
import { counted } from "../numbers";
import type { App, Store } from "../state";
import { announce, button, clear, empty, h, keepingFocus } from "../widgets/dom";

/** The savings of a step: what its optimiser says, or the items that go. */
function savings(step: { saved: number; savings: Record<string, number> }): HTMLElement | null {
  const units = Object.entries(step.savings).filter(([, count]) => count !== 0).map(([unit, count]) => `−${String(count)} ${unit}`);
  const text = units.length > 0 ? units.join(", ") : step.saved !== 0 ? `−${String(step.saved)}` : "";
  return text === "" ? null : h("span", { class: "saved" }, text);
}

export function optimiserPane(store: Store, actions: Actions): HTMLElement {
  const body = h("div", { class: "scroll optimiser" });
  const run = (): HTMLElement => h("button", { type: "button", class: "primary", onclick: () => { actions.ask("opt"); } }, "Find smaller programs");
  let told: App["opt"] = null;
  store.on(["opt", "source"], (app) => {
    keepingFocus(body, () => { draw(app); });
    const { opt } = app;
    if (opt !== null && opt !== told) announce(opt.reason ?? body.querySelector(".sizes")?.textContent ?? "");
    told = opt;
  });
  function draw({ opt, source, state, active }: Readonly<App>): void {
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
    const apply = opt.source !== null && opt.changes.length > 0 && smaller.length > 0 ? button(`put the shorter program in place of ${file}; undo brings it back`, "Apply", () => {
      actions.change(withText(state.files, file, opt.source ?? "", source?.listing));
      store.set({ opt: null });
      actions.say(`${file} is the shorter program; undo brings the old one back`);
    }, { class: "primary" }) : null;
    const stays = smaller.length === 0 || apply !== null ? ""
      : source?.compiled === true ? "The source is compiled: the words become fewer, and no source is written of them. Change it by the reasons below."
      : opt.source === null ? "The program has several files: change them by the reasons below."
      : "No line of the source changes.";
    clear(body,
      h("div", { class: "bar" }, h("p", { class: "sizes" }, smaller.length === 0 ? `${sizes}: nothing was found that makes it smaller` : `${sizes}: proved equal${rules}`), apply),
      stays === "" ? null : h("p", { class: "cost" }, stays),
      opt.changes.length > 0 ? h("section", { class: "changes", "aria-label": "changes of the source" }, h("h2", {}, "Before and after"), h("pre", { class: "diff" }, ...opt.changes.map(([sign, text]) => h("span", { class: sign === "-" ? "removed" : "added" }, `${sign === "-" ? "−" : "+"} ${text}\n`)))) : null,
      smaller.length === 0 && tried.length > 0 ? h("section", { "aria-label": "what was tried" }, h("h2", {}, "What was tried"), h("ul", { class: "report" }, ...tried.map((line) => h("li", {}, line)))) : null,
      ...opt.remarks.map((remark) => h("p", { class: "quiet" }, remark)),
      opt.steps.length > 0 ? h("h2", {}, counted(opt.steps.length, "step")) : null,
      h("ol", { class: "steps" }, ...opt.steps.map((step) =>
        h("li", {}, h("p", { class: "step-head" }, h("b", {}, step.title), savings(step)), h("p", {}, step.text), step.fix === "" ? null : h("p", { class: "quiet" }, step.fix),
          ...(step.lines.length > 0 ? [h("ul", { class: "lines" }, ...step.lines.map((line, at) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => { actions.reveal(file, line); }, onmouseenter: () => { store.set({ hover: { file, line } }); } }, `line ${String(line)}`), step.before[at] === undefined ? null : h("code", {}, step.before[at].trim()))))] : [])))));
  }
  return body;
}
