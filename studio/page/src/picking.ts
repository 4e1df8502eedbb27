/** Which triangle is at a point of a view: exact edge functions in homogeneous coordinates, so that corners behind the viewer are right too. */

import type { Matrix } from "./camera";
import type { Numbers } from "./types";

export interface Picked {
  triangle: number;
  /** The corner that is nearest to the point. */
  vertex: number;
  barycentric: [number, number, number];
  depth: number;
}

/**
 * The nearest triangle at (x, y), -1 to 1, y upward.
 *
 * `positions` are rows of `size` numbers (w is 1 where there are three), `matrix` leads to the clip space of WebGL. `cull` leaves out triangles whose area in the view has that
 * sign: 1 counterclockwise, -1 clockwise, 0 none. `skip` are triangles that the view does not show.
 */
export function pick(
  positions: Numbers,
  size: number,
  indices: Numbers,
  matrix: Matrix,
  x: number,
  y: number,
  cull: number,
  skip?: (triangle: number) => boolean,
): Picked | null {
  const rows = matrix.map((row) => [row[0] ?? 0, row[1] ?? 0, row[2] ?? 0, row[3] ?? 0]);
  const corner = new Float64Array(12);
  let best: Picked | null = null;
  for (let triangle = 0; triangle * 3 < indices.length; triangle += 1) {
    for (let k = 0; k < 3; k += 1) {
      const at = (indices[triangle * 3 + k] ?? 0) * size;
      const [px, py, pz] = [positions[at] ?? NaN, positions[at + 1] ?? NaN, size > 2 ? (positions[at + 2] ?? NaN) : 0];
      const pw = size > 3 ? (positions[at + 3] ?? NaN) : 1;
      for (let row = 0; row < 4; row += 1) {
        const [a, b, c, d] = rows[row] as [number, number, number, number];
        // a zero of the matrix leaves out its component, NaN or not
        corner[k * 4 + row] = (a === 0 ? 0 : a * px) + (b === 0 ? 0 : b * py) + (c === 0 ? 0 : c * pz) + (d === 0 ? 0 : d * pw);
      }
    }
    const [x0, y0, z0, w0, x1, y1, z1, w1, x2, y2, z2, w2] = corner as unknown as number[] as [
      number, number, number, number, number, number, number, number, number, number, number, number,
    ];
    // distances of the corners to the eye ray through (x, y): each corner moved so that the point is the origin
    const [u0, v0, u1, v1, u2, v2] = [x0 - x * w0, y0 - y * w0, x1 - x * w1, y1 - y * w1, x2 - x * w2, y2 - y * w2];
    const e0 = u1 * v2 - u2 * v1;
    const e1 = u2 * v0 - u0 * v2;
    const e2 = u0 * v1 - u1 * v0;
    if (!((e0 >= 0 && e1 >= 0 && e2 >= 0) || (e0 <= 0 && e1 <= 0 && e2 <= 0))) {
      continue;
    }
    const sum = e0 + e1 + e2;
    const w = (e0 * w0 + e1 * w1 + e2 * w2) / sum;
    const z = (e0 * z0 + e1 * z1 + e2 * z2) / sum;
    if (!(w > 0) || !(Math.abs(z) <= w * (1 + 1e-7))) {
      continue;
    }
    const area = x0 * (y1 * w2 - y2 * w1) - y0 * (x1 * w2 - x2 * w1) + w0 * (x1 * y2 - x2 * y1);
    if ((cull !== 0 && area * cull > 0) || (skip?.(triangle) ?? false)) {
      continue;
    }
    const depth = z / w;
    if (best === null || depth < best.depth) {
      const shares: [number, number, number] = [e0 / sum, e1 / sum, e2 / sum];
      // on the screen, not in space: which corner of the picture is nearest
      const distance = [[u0, v0, w0], [u1, v1, w1], [u2, v2, w2]].map(([u, v, d]) => ((d ?? 0) > 0 ? Math.hypot((u ?? 0) / (d ?? 1), (v ?? 0) / (d ?? 1)) : Infinity));
      const nearest = distance.indexOf(Math.min(...distance));
      best = { triangle, vertex: indices[triangle * 3 + Math.max(nearest, 0)] ?? 0, barycentric: shares, depth };
    }
  }
  return best;
}
