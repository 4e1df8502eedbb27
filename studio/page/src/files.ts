/** Files of the page: texts, and binaries, which the server shows as their disassembly. */

import { base64 } from "./link";
import type { Listing, Source, State } from "./types";

const MESH = /\.(obj|ply|stl|glb)$/i;

export function isMesh(name: string): boolean {
  return MESH.test(name);
}

/** A file of the disk: what has a zero byte is a binary. */
export function fileOf(name: string, bytes: Uint8Array): Source {
  return bytes.includes(0) ? { name, text: "", data: base64(bytes) } : { name, text: new TextDecoder().decode(bytes) };
}

/** What the editor shows of a file. */
export function textOf(file: Source, listing: Listing | undefined): string {
  return file.data === undefined ? file.text : listing?.file === file.name ? listing.text : "";
}

/** The state's files with a text in place of one of them; a binary becomes a source under the name of its disassembly, of which no program is chosen yet. */
export function withText(files: readonly Source[], name: string, text: string, listing: Listing | undefined): Pick<State, "files" | "entry"> {
  const binary = listing?.file === name && files.some((file) => file.name === name && file.data !== undefined);
  const replaced = files.map((file) => (file.name === name ? { name: binary ? listing.source : name, text } : file));
  return { files: replaced, ...(binary ? { entry: "" } : {}) };
}
