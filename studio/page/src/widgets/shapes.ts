/** The choice of a mesh: the shapes that come with the studio, the files that were opened, and another file. */

import type { Actions } from "../actions";
import type { Store } from "../state";
import { fitChoice, h } from "./dom";

const FILE = "file:"; // in front of a name among the choices
const OPEN = "open:"; // the choice that asks for a file

type Named = { file: string } | { name: string };

export function meshOf(choice: string): Named {
  return choice.startsWith(FILE) ? { file: choice.slice(FILE.length) } : { name: choice };
}

export function shapes(store: Store, actions: Actions, properties: Record<string, unknown>): HTMLElement {
  const { data, hello, state } = store.value;
  const own = state.mesh !== undefined && "file" in state.mesh ? state.mesh.file : null;
  const chosen = state.mesh !== undefined && "name" in state.mesh ? state.mesh.name : (data?.mesh?.name ?? "");
  const file = h("input", { type: "file", accept: ".obj,.ply,.stl,.glb", class: "hidden-input", tabIndex: -1, "aria-hidden": "true", "aria-label": "mesh file", onchange: () => { actions.upload([...(file.files ?? [])]); file.value = ""; } });
  let now = "";
  const select = h("select", { ...properties, onchange: () => {
    if (select.value === OPEN) {
      select.value = now; // until the file is there
      file.click();
    } else {
      now = select.value;
      actions.shape(meshOf(now));
    }
  } },
    ...(hello?.meshes ?? []).map((mesh) => h("option", { value: mesh.name, selected: own === null && mesh.name === chosen }, mesh.title ?? mesh.name)),
    ...[...new Set([...(hello?.meshFiles ?? []), ...(own === null ? [] : [own])])].map((name) => h("option", { value: FILE + name, selected: name === own }, name)),
    h("option", { value: OPEN }, "open a mesh file…"));
  now = select.value;
  queueMicrotask(() => { fitChoice(select); });
  return h("span", { class: "shapes" }, select, file);
}
