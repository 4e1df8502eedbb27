/** Presets: the choice among those of the folder, and the dialog that saves one. */

import type { Actions } from "../actions";
import type { Store } from "../state";
import type { Preset, State } from "../types";
import { button, clear, fresh, h } from "./dom";

const SUFFIX = ".shadertest.toml";

/** The presets of the sources on the page first, then the others, each group by file. */
export function grouped(presets: readonly Preset[], files: readonly string[]): { label: string; presets: { index: number; text: string }[] }[] {
  const rows = presets.map((preset, index) => ({ index, text: preset.test === "" ? preset.name.slice(0, -SUFFIX.length) : `${preset.name.slice(0, -SUFFIX.length)}: ${preset.test}`, own: preset.programs.some((name) => files.includes(name)) }));
  return [
    { label: "of this program", presets: rows.filter((row) => row.own) },
    { label: "of other programs", presets: rows.filter((row) => !row.own) },
  ].filter((group) => group.presets.length > 0);
}

export function presetChoice(store: Store, actions: Actions): HTMLElement {
  const select = h("select", { "aria-label": "open a preset", onchange: () => {
    const preset = store.value.hello?.presets?.[Number(select.value)];
    if (preset !== undefined && select.value !== "") actions.ask("preset", { name: preset.name, test: preset.test });
    select.value = "";
  } });
  store.on(["hello", "state"], ({ hello, state }) => {
    const presets = hello?.presets ?? [];
    const groups = grouped(presets, state.files.map((file) => file.name));
    clear(select, h("option", { value: "" }, "Presets…"), ...groups.map((group) => h("optgroup", { label: group.label }, ...group.presets.map((row) => h("option", { value: String(row.index) }, row.text)))));
    select.hidden = presets.length === 0;
  });
  return select;
}

/** What a saved file holds, in words. */
export function held({ mesh, draw }: Pick<State, "mesh" | "draw">): string {
  if (draw !== undefined) return `sources and values; opening it needs the recorded frame ${draw.file}`;
  return `sources, values, camera${mesh !== undefined && "file" in mesh ? ` and the mesh ${mesh.file}` : ""}`;
}

/** Ask for a name, and save the state in the folder of presets or download it. */
export function saveDialog(store: Store, actions: Actions): void {
  const folder = store.value.hello?.folder ?? "";
  const title = fresh("save");
  const id = fresh("name");
  const first = store.value.state.files[0]?.name ?? "shader";
  const name = h("input", { id, type: "text", value: first.replace(/\..*$/, ""), spellcheck: false, autocomplete: "off" });
  const finish = (body: Record<string, unknown>): void => {
    actions.ask("save", body);
    dialog.close();
  };
  const form = h("form", { method: "dialog", onsubmit: (event: Event) => {
    event.preventDefault();
    if (name.value.trim() !== "") finish({ name: name.value.trim() });
  } },
    h("div", { class: "field" }, h("label", { for: id }, "name"), name, h("span", { class: "quiet" }, SUFFIX)),
    h("p", { class: "quiet" }, `in ${folder}: ${held(store.value.state)}`),
    h("div", { class: "bar" }, h("button", { type: "submit", class: "primary" }, "Save"), button("download the file", "Download", () => { finish({}); }), button("close", "Cancel", () => { dialog.close(); })));
  const dialog = h("dialog", { class: "keys", "aria-labelledby": title, onclose: () => { dialog.remove(); } }, h("h2", { id: title }, "Save as a preset"), form);
  document.body.append(dialog);
  dialog.showModal();
  name.select();
}
