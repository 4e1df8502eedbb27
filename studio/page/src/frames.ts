/** Binary frames: a length, a JSON head and arrays as they lie in memory. */

import type { ArrayHead, Frame, FrameHead, Numbers } from "./types";

const SIZES = { f32: 4, u32: 4, u16: 2, u8: 1 } as const;

/** The head of a frame, and views of its arrays: nothing is copied. Throws where lengths do not fit. */
export function readFrame(buffer: ArrayBuffer): Frame {
  const view = new DataView(buffer);
  if (buffer.byteLength < 4) {
    throw new Error(`a frame of ${String(buffer.byteLength)} bytes has no head`);
  }
  const length = view.getUint32(0, true);
  if (4 + length > buffer.byteLength) {
    throw new Error(`the head of the frame has ${String(length)} bytes, the frame ${String(buffer.byteLength)}`);
  }
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as FrameHead;
  const start = 4 + length;
  const arrays = new Map<string, { shape: number[]; data: Numbers }>();
  for (const array of head.arrays) {
    arrays.set(array.name, { shape: array.shape, data: viewOf(buffer, start + array.offset, array) });
  }
  return { head, arrays };
}

function viewOf(buffer: ArrayBuffer, offset: number, array: ArrayHead): Numbers {
  const count = array.shape.reduce((product, size) => product * size, 1);
  if (offset + count * SIZES[array.type] > buffer.byteLength) {
    throw new Error(`the array ${array.name} goes beyond the end of the frame`);
  }
  switch (array.type) {
    case "f32":
      return new Float32Array(buffer, offset, count);
    case "u32":
      return new Uint32Array(buffer, offset, count);
    case "u16":
      return new Uint16Array(buffer, offset, count);
    case "u8":
      return new Uint8Array(buffer, offset, count);
  }
}
