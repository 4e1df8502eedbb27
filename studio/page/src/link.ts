/** Links that carry source and data: JSON, deflated, in base64url, behind the # of the address, so that no server sees it. */

import { record } from "./storage";
import type { State } from "./types";

export const MOST = 32 * 1024;
const MOST_FILES = 64;
const MOST_NAME = 255;
const MOST_TEXT = 4 * 1024 * 1024;
const DEEPEST = 12;
const CONTROL = /[\p{Cc}\p{Cs}]/u;

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
  const wrong = whyNot(value);
  if (wrong !== "") {
    throw new Error(wrong);
  }
  return value as State;
}

const TEXTS = ["entry", "profile", "set", "screen", "cull", "topology", "depth", "color"];
const TABLES = ["inputs", "uniforms", "camera", "options", "compare", "draw"];

/** Why a value of a link is not opened, in a sentence; empty for a state. The values of its tables are read by those who use them. */
export function whyNot(value: unknown): string {
  const state = record(value);
  const files = state?.["files"];
  if (state === null || !Array.isArray(files) || files.length === 0) {
    return "This link holds no program.";
  }
  if (files.length > MOST_FILES) {
    return `This link holds ${String(files.length)} files: at most ${String(MOST_FILES)} are opened.`;
  }
  const names = new Set<string>();
  let length = 0;
  for (const each of files as unknown[]) {
    const { name, text, data = "" } = record(each) ?? {};
    if (typeof name !== "string" || typeof text !== "string" || typeof data !== "string") {
      return "This link holds no program.";
    }
    if (name === "" || name.length > MOST_NAME || CONTROL.test(name) || names.has(name)) {
      return `This link holds a file without a usable name: a name has up to ${String(MOST_NAME)} letters, no control characters, and is there once.`;
    }
    names.add(name);
    length += text.length + data.length;
  }
  if (length > MOST_TEXT) {
    return `The files of this link have ${String(length)} characters: at most ${String(MOST_TEXT)} are opened.`;
  }
  const { mesh = {} } = state;
  if (TEXTS.some((key) => typeof (state[key] ?? "") !== "string") || TABLES.some((key) => record(state[key] ?? {}) === null) || (typeof mesh !== "string" && record(mesh) === null) || typeof (state["primitive"] ?? 0) !== "number") {
    return "This link holds settings of another version.";
  }
  return isDeep(state) ? "This link holds values inside of values inside of values, which nothing here has." : "";
}

/** Whether objects and lists lie inside of each other more than `DEEPEST` times: what sends and shows them calls itself for each. */
function isDeep(value: object): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) {
      return true;
    }
    level = level.flatMap((each) => Object.values(each)).filter((each): each is object => typeof each === "object" && each !== null);
  }
  return false;
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
