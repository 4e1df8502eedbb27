/** The choice of a mesh: the shapes that come with the studio, and the files that were opened. */

import type { Actions } from "../actions";
import type { Store } from "../state";
import { h } from "./dom";

const FILE = "file:"; // in front of a name among the choices

type Named = { file: string } | { name: string };

export function meshOf(choice: string): Named {
  return choice.startsWith(FILE) ? { file: choice.slice(FILE.length) } : { name: choice };
}

export function shapes(store: Store, actions: Actions, properties: Record<string, unknown>): HTMLSelectElement {
  const { data, hello, state } = store.value;
  const own = state.mesh !== undefined && "file" in state.mesh ? state.mesh.file : null;
  const chosen = state.mesh !== undefined && "name" in state.mesh ? state.mesh.name : (data?.mesh?.name ?? "");
  const select = h("select", { ...properties, onchange: () => { actions.shape(meshOf(select.value)); } },
    ...(hello?.meshes ?? []).map((mesh) => h("option", { value: mesh.name, selected: own === null && mesh.name === chosen }, mesh.title ?? mesh.name)),
    ...[...new Set([...(hello?.meshFiles ?? []), ...(own === null ? [] : [own])])].map((name) => h("option", { value: FILE + name, selected: name === own }, name)));
  return select;
}
