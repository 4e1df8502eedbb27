/** Links that carry source and data: JSON, deflated, in base64url, behind the # of the address, so that no server sees it. */

import type { State } from "./types";

export const MOST = 32 * 1024;

export class TooLong extends Error {}

/** The text of a link for a state. Throws TooLong above 32 kB. */
export async function encodeState(state: State): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  const text = toBase64(packed);
  if (text.length > MOST) {
    throw new TooLong(
      `This link would have ${String(Math.ceil(text.length / 1024))} kB; links hold up to ${String(MOST / 1024)} kB. Save a *.shadertest.toml instead.`,
    );
  }
  return text;
}

/** The state of a link. Throws an Error with a sentence for text that is not one. */
export async function decodeState(text: string): Promise<State> {
  if (text.length > MOST) {
    throw new TooLong(`This link has ${String(Math.ceil(text.length / 1024))} kB; links hold up to ${String(MOST / 1024)} kB.`);
  }
  let value: unknown;
  try {
    const bytes = await through(fromBase64(text), new DecompressionStream("deflate-raw"), 4 * 1024 * 1024);
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("This link is damaged: a part of it is missing or changed.");
  }
  if (!isState(value)) {
    throw new Error("This link holds no program.");
  }
  return value;
}

function isState(value: unknown): value is State {
  if (typeof value !== "object" || value === null || !("files" in value) || !Array.isArray(value.files)) {
    return false;
  }
  const files: unknown[] = value.files;
  return files.every(
    (file) =>
      typeof file === "object" && file !== null && "name" in file && typeof file.name === "string" && "text" in file && typeof file.text === "string",
  );
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most = Infinity): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    length += value.length;
    if (length > most) {
      throw new Error("too long");
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  }
  return btoa(text);
}

/** The alphabet of addresses, without padding. */
export function toBase64(bytes: Uint8Array): string {
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
