/** Presets: the choice among those of the folder. */

import type { Actions } from "../actions";
import type { Store } from "../state";
import type { Preset } from "../types";
import { clear, h } from "./dom";

export const SUFFIX = ".shadertest.toml";

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
