import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeState, encodeState, MOST, TooLong, toBase64, fromBase64 } from "../src/link";

test("a link gives back the state that it was made of", async () => {
  const state = { files: [{ name: "ä.v.pica", text: ".proc main\n  mov o0, v0 ; ∞\n.end\n" }], uniforms: { sun: [[0, 1, 2, 3]] }, mesh: { name: "torus", detail: 100 } };
  const text = await encodeState(state);
  assert.match(text, /^[\w-]+$/);
  assert.deepEqual(await decodeState(text), state);
});

test("a state that is too long is refused with its size", async () => {
  let noise = "";
  let seed = 1;
  while (noise.length < 3 * MOST) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    noise += seed.toString(36);
  }
  await assert.rejects(encodeState({ files: [{ name: "a.v.pica", text: noise }] }), (error) => error instanceof TooLong && /32 kB/.test(error.message));
  await assert.rejects(decodeState("A".repeat(MOST + 1)), TooLong);
});

test("damaged links are refused with a sentence", async () => {
  const text = await encodeState({ files: [{ name: "a", text: "b" }] });
  for (const damaged of [text.slice(0, -4), `!${text}`, "", "AAAA"]) {
    await assert.rejects(decodeState(damaged), /damaged/);
  }
  const packed = async (value: unknown): Promise<string> => encodeState(value as never);
  await assert.rejects(decodeState(await packed({ files: [{ name: 1 }] })), /no program/);
  await assert.rejects(decodeState(await packed([])), /no program/);
  await assert.rejects(decodeState(await packed({ files: [] })), /no program/);
});

test("links that are made to do harm end in a sentence", async () => {
  const packed = async (value: unknown): Promise<string> => encodeState(value as never);
  const file = { name: "a.sc", text: "end\n" };
  const empty = (count: number): unknown => ({ files: Array.from({ length: count }, (_, index) => ({ name: index.toString(36), text: "" })) });
  await assert.rejects(decodeState(await packed({ files: Array.from({ length: 100_000 }, () => ({ name: "", text: "" })) })), /100000 files: at most 64/);
  await assert.rejects(decodeState(await packed(empty(65))), /65 files: at most 64/);
  assert.equal((await decodeState(await packed(empty(64)))).files.length, 64);
  for (const name of ["", "x".repeat(256), "x".repeat(2_000_000), "a\nb", "\u001b[2J", "\ud800"]) {
    await assert.rejects(decodeState(await packed({ files: [{ ...file, name }] })), /usable name/);
  }
  await assert.rejects(decodeState(await packed({ files: [file, file] })), /usable name/);
  await assert.rejects(decodeState(await packed({ files: [{ ...file, text: "x".repeat(5_000_000) }] })), /damaged/);
  await assert.rejects(decodeState(await packed({ files: [{ ...file, data: 3 }] })), /no program/);
  for (const wrong of [{ entry: 3 }, { uniforms: [] }, { camera: "x" }, { mesh: 7 }, { options: 1 }, { inputs: "x" }]) {
    await assert.rejects(decodeState(await packed({ files: [file], ...wrong })), /another version/);
  }
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const text = `{"files":[{"name":"a","text":""}],"uniforms":{"a":${deep}}}`;
  const bytes = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  await assert.rejects(decodeState(toBase64(new Uint8Array(bytes))), /values inside of values|damaged/);
});

test("base64url has no letters that addresses change", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  assert.doesNotMatch(toBase64(bytes), /[+/=]/);
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
});
