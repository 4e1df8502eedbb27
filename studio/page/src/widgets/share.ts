/** One dialog for what leaves the page: a file that holds everything, and a link; each says what a friend needs to open it. */

import type { Actions } from "../actions";
import { encodeState, TooLong } from "../link";
import { copied } from "../shell";
import type { Store } from "../state";
import type { State } from "../types";
import { button, fresh, h } from "./dom";
import { SUFFIX } from "./presets";

const LOOPBACK = /^(127\.|localhost$|\[::1\]$)/;

/** What a saved file holds, in words. */
export function held({ mesh, draw }: Pick<State, "mesh" | "draw">): string {
  if (draw !== undefined) return `sources and values; the recorded frame ${draw.file} is not in it`;
  return `sources, values, camera${mesh !== undefined && "file" in mesh ? ` and the mesh ${mesh.file}` : ""}`;
}

/** What a link does not hold, in words; empty where it holds everything. */
export function left({ mesh, draw }: Pick<State, "mesh" | "draw">): string {
  return draw !== undefined ? `the recorded frame ${draw.file}` : mesh !== undefined && "file" in mesh ? `the mesh ${mesh.file}` : "";
}

/** The command that opens a saved file, or a link. */
export function opens({ draw }: Pick<State, "draw">, what: string): string {
  return `lanewise studio ${draw === undefined ? "" : `${draw.file} `}${what}`;
}

/** The part of a state that the playground opens, which has no server and no compiler of GLSL: texts with the program and the profile; null where there is none. */
export function forPlayground({ files, entry, profile, draw }: State, compiled = false): State | null {
  if (draw !== undefined || compiled || files.some((file) => file.data !== undefined)) return null;
  return { files, ...(entry === undefined ? {} : { entry }), ...(profile === undefined ? {} : { profile }) };
}

export function shareDialog(store: Store, actions: Actions): void {
  const { state, hello } = store.value;
  const folder = hello?.folder ?? "";
  const [title, id] = [fresh("share"), fresh("name")];
  const name = h("input", { id, type: "text", class: "condition", value: (state.files[0]?.name ?? "shader").replace(/\..*$/, ""), spellcheck: false, autocomplete: "off", oninput: () => { howTo.textContent = opening(); } });
  const opening = (): string => (state.draw === undefined ? opens(state, `${folder === "" ? "FILE" : name.value.trim()}${SUFFIX}`) : `lanewise studio ${state.draw.file}, then Open…`);
  const howTo = h("code", { class: "command" }, opening());
  const status = h("p", { class: "share-status", role: "status" });
  const save = (): void => {
    if (name.value.trim() !== "") actions.ask("save", folder === "" ? {} : { name: name.value.trim() });
  };
  const copy = async (base: string, of: State): Promise<void> => {
    try {
      const text = await encodeState(of);
      if (base === "") history.replaceState(null, "", `#${text}`);
      actions.say(await copied(`${base === "" ? `${location.origin}${location.pathname}` : base}#${text}`, text.length, base === ""));
    } catch (error) {
      actions.say(error instanceof TooLong ? error.message : `No link: ${String(error)}`, true);
    }
  };
  const isLocal = LOOPBACK.test(location.hostname);
  const missing = left(state);
  const playground = forPlayground(state, store.value.source?.compiled);
  const open = hello?.playground ?? "";
  const command = (text: string): HTMLElement => h("code", { class: "command" }, text);
  const dialog = h("dialog", { class: "keys share", "aria-labelledby": title, onclose: () => { stop(); dialog.remove(); } }, h("h2", { id: title }, "Save or share"),
    h("form", { method: "dialog", onsubmit: (event: Event) => { event.preventDefault(); save(); } },
      h("h3", {}, "A file"),
      h("p", {}, `It holds ${held(state)}.`),
      h("p", {}, "A friend with lanewise opens it: ", howTo),
      h("div", { class: "field" }, h("label", { for: id }, "name"), name, h("span", { class: "quiet" }, SUFFIX)),
      h("div", { class: "bar" }, folder === "" ? null : h("button", { type: "submit", class: "primary", title: folder }, "Save"), button("download the file", "Download", () => { actions.ask("save"); }, folder === "" ? { class: "primary" } : {}), folder === "" ? null : h("span", { class: "quiet" }, `Save puts it in ${folder}`))),
    h("h3", {}, "A link"),
    open === "" || playground === null ? null : h("div", {}, h("p", {}, "To the public playground: a friend needs a browser only. It holds the source, without mesh and values."), h("div", { class: "bar" }, button("copy a link to the public playground", "Copy playground link", () => { void copy(open, playground); }))),
    h("p", {}, `${isLocal ? "It works on this machine only: what a friend needs is the file. " : ""}It holds sources and values${missing === "" ? "" : `, not ${missing}`}.`),
    isLocal ? h("p", {}, "In a terminal: ", command(opens(state, "--link 'LINK'"))) : null,
    h("div", { class: "bar" }, button("copy a link that carries source and data", "Copy link", () => { void copy("", store.value.state); })),
    status, h("div", { class: "bar" }, button("close", "Close", () => { dialog.close(); })));
  let before = store.value.note;
  const stop = store.on(["note"], ({ note }) => { // what is said of it is said here, where it is seen
    if (note === before) return;
    before = note;
    status.textContent = note?.text ?? "";
    status.classList.toggle("error", note?.error === true);
  });
  document.body.append(dialog);
  dialog.showModal();
  name.select();
}
