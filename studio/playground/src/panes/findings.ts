/** Findings: all that is wrong, and what to do about it. */

import type { Actions } from "../../../page/src/actions";
import type { Store } from "../../../page/src/state";
import { clear, empty, h } from "../../../page/src/widgets/dom";
import type { Fixable } from "../squiggles";

/** `page` shows the page of a code, `fix` makes the edits of a finding. */
export function findingsPane(store: Store, actions: Actions, page: (code: string) => void, fix: (finding: Fixable) => void): HTMLElement {
  const body = h("div", { class: "scroll findings" });
  store.on(["source"], ({ source }) => {
    const found: readonly Fixable[] = source?.diagnostics ?? [];
    if (found.length === 0) {
      clear(body, empty(source === null ? "Not checked yet" : "Nothing was found", "Errors, warnings and hints for the source and its data appear here, each with its page in the reference."));
      return;
    }
    clear(body, h("ul", { "aria-label": "findings" }, ...found.map((finding) => {
      const { span } = finding;
      return h("li", { class: `finding severity-${finding.severity}` },
        h("p", {}, h("b", { class: "severity" }, finding.severity), " ",
          h("button", { type: "button", class: "link", title: `what ${finding.code} means`, onclick: () => { page(finding.code); } }, finding.code), " ",
          span !== null && span.line > 0 ? h("button", { type: "button", class: "link", onclick: () => { actions.reveal(span.file, span.line); } }, `${span.file}:${String(span.line)}`) : null, " ", finding.message),
        ...(finding.notes ?? []).map((note) => h("p", { class: "quiet" }, note)),
        finding.fix ? h("p", { class: "help" }, `help: ${finding.fix} `, (finding.edits ?? []).length > 0 ? h("button", { type: "button", onclick: () => { fix(finding); } }, "Fix") : null) : null);
    })));
  });
  return body;
}
