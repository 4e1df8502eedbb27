/** The program in another language, and as a binary. */

import type { Actions } from "../../../page/src/actions";
import type { Store } from "../../../page/src/state";
import { clear, empty, h } from "../../../page/src/widgets/dom";
import type { ConvertPane } from "../protocol";

export interface ConvertView {
  element: HTMLElement;
  received(pane: ConvertPane): void;
}

export function convertPane(store: Store, actions: Actions): ConvertView {
  const body = h("div", { class: "scroll convert" });
  let shown: ConvertPane | null = null;
  const draw = (): void => {
    const { source, hello, state, active } = store.value;
    if (source?.ok !== true) {
      clear(body, empty("No program yet", "A program without errors can be formatted, converted and saved here."));
      return;
    }
    const file = state.files[active]?.name ?? "";
    const offers = source.offers ?? [];
    const others = (hello?.languages ?? []).filter((language) => language.isa === source.isa && offers.includes(`convert ${language.name}`));
    const bar = h("div", { class: "bar" },
      !offers.includes("format") || file.endsWith(".toml") ? null : h("button", { type: "button", title: "arrange the source in the editor", onclick: () => { actions.ask("format", { file }); } }, "Format the source"),
      ...others.map((language) => h("button", { type: "button", onclick: () => { actions.ask("convert", { to: language.name }); } }, `Convert to ${language.title ?? language.name}`)),
      !offers.includes("assemble") ? null : h("button", { type: "button", title: "the binary of this program, as a file", onclick: () => { actions.ask("assemble"); } }, "Save the binary"));
    if (shown === null) {
      clear(body, bar, empty("The same program, written otherwise", "Formatting and conversion keep what the program computes."));
      return;
    }
    const found = shown;
    clear(body, bar,
      ...found.remarks.map((remark) => h("p", { class: "cost" }, remark)),
      ...found.sources.flatMap((one) => [h("h2", { class: "name" }, one.name), h("pre", { class: "converted", tabIndex: 0, "aria-label": `${found.title} source` }, one.text)]),
      h("div", { class: "bar" }, h("button", { type: "button", class: "primary", onclick: () => {
        const data = store.value.state.files.filter((other) => other.name.endsWith(".toml"));
        actions.load({ ...store.value.state, files: [...found.sources, ...data] });
      } }, "Go on with this source")));
  };
  store.on(["source", "hello", "active"], draw);
  store.on(["state"], () => {
    shown = null;
  });
  return {
    element: body,
    received: (pane) => {
      shown = pane;
      draw();
    },
  };
}
