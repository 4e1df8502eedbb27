import assert from "node:assert/strict";
import { test } from "node:test";

import { readFrame } from "../src/frames";

function frame(head: object, body: Uint8Array): ArrayBuffer {
  let text = JSON.stringify(head);
  while ((4 + text.length) % 8 !== 0) text += " ";
  const bytes = new Uint8Array(4 + text.length + body.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(new TextEncoder().encode(text), 4);
  bytes.set(body, 4 + text.length);
  return bytes.buffer;
}

test("arrays of a frame are views of the same bytes", () => {
  const body = new Uint8Array(32);
  new Float32Array(body.buffer, 0, 4).set([1, -0, NaN, Infinity]);
  new Uint8Array(body.buffer, 16, 3).set([1, 2, 3]);
  new Uint32Array(body.buffer, 24, 1).set([0xdeadbeef]);
  const buffer = frame({ id: 3, pane: "mesh", arrays: [
    { name: "position", type: "f32", shape: [1, 4], offset: 0 }, { name: "flags", type: "u8", shape: [3], offset: 16 }, { name: "index", type: "u32", shape: [1], offset: 24 },
  ] }, body);
  const { head, arrays } = readFrame(buffer);
  assert.equal(head.id, 3);
  const position = arrays.get("position");
  assert.deepEqual(position?.shape, [1, 4]);
  assert.deepEqual([...new Uint8Array(buffer, position?.data.byteOffset, 16)], [...body.subarray(0, 16)]);
  assert.ok(Object.is(position?.data[1], -0));
  assert.deepEqual([...(arrays.get("flags")?.data ?? [])], [1, 2, 3]);
  assert.equal(arrays.get("index")?.data[0], 0xdeadbeef);
});

test("a frame whose arrays go beyond its end is refused", () => {
  const buffer = frame({ id: 1, pane: "mesh", arrays: [{ name: "position", type: "f32", shape: [3, 4], offset: 0 }] }, new Uint8Array(16));
  assert.throws(() => readFrame(buffer), /position goes beyond the end/);
  assert.throws(() => readFrame(new ArrayBuffer(2)), /no head/);
  assert.throws(() => readFrame(Uint8Array.from([255, 255, 0, 0, 1]).buffer), /65535 bytes/);
});
