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
});

test("base64url has no letters that addresses change", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  assert.doesNotMatch(toBase64(bytes), /[+/=]/);
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
});
