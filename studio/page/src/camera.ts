/** Matrices of the orbiting camera, and what is needed to draw: row-major, vectors are columns. */

import type { Camera, Volume } from "./types";

export type Matrix = number[][];
export type Vector = [number, number, number, number];

/** The camera of the shader as it is without another (the default of the server). */
export const CAMERA: Camera = { yaw: 0.6, pitch: 0.4, distance: 3.2, target: [0, 0, 0], fov: 50, near: 0.1, far: 100, model: [0, 0, 0] };

/** A camera that sees a box whole, whatever its turn: the sphere around it fills most of the height of the view. */
export function fitted(camera: Camera, [low, high]: readonly [readonly number[], readonly number[]]): Camera {
  const edge = (k: number): [number, number] => [low[k] ?? 0, high[k] ?? 0];
  const target = [0, 1, 2].map((k) => (edge(k)[0] + edge(k)[1]) / 2) as [number, number, number];
  const radius = Math.hypot(...[0, 1, 2].map((k) => (edge(k)[1] - edge(k)[0]) / 2));
  if (![...target, radius].every(Number.isFinite) || radius === 0) {
    return camera;
  }
  const distance = (1.05 * radius) / Math.sin((camera.fov * Math.PI) / 360);
  return { ...camera, target, distance, near: Math.min(camera.near, (distance - radius) / 4), far: Math.max(camera.far, 4 * distance) };
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => [0, 1, 2, 3].map((column) => row.reduce((sum, value, index) => sum + value * (b[index]?.[column] ?? 0), 0)));
}

export function transform(matrix: Matrix, vector: readonly number[]): Vector {
  return [0, 1, 2, 3].map((row) => (matrix[row] ?? []).reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0)) as Vector;
}

export const IDENTITY: Matrix = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
];

/** From the clip space of a volume to that of WebGL (-w to w in each direction, upright). */
export function upright(volume: Volume): Matrix {
  const span = volume.farthest - volume.nearest;
  const depth = [0, 0, 2 / span, -(volume.farthest + volume.nearest) / span];
  return volume.turn ? [[0, -1, 0, 0], [1, 0, 0, 0], depth, [0, 0, 0, 1]] : [[1, 0, 0, 0], [0, 1, 0, 0], depth, [0, 0, 0, 1]];
}

/** From the eye to the clip space of WebGL. */
export function perspective(fov: number, aspect: number, near: number, far: number): Matrix {
  const scale = 1 / Math.tan((fov * Math.PI) / 360);
  return [
    [scale / aspect, 0, 0, 0],
    [0, scale, 0, 0],
    [0, 0, -(far + near) / (far - near), (-2 * far * near) / (far - near)],
    [0, 0, -1, 0],
  ];
}

/** How the page looks at object space and at the clip volume. The camera of the shader is the server's. */
export interface Orbit {
  yaw: number;
  pitch: number;
  distance: number;
  target: [number, number, number];
}

/** From the world to the eye, which looks along -z, for a camera that orbits around its target. */
export function look(orbit: Orbit): Matrix {
  const [cy, sy, cp, sp] = [Math.cos(orbit.yaw), Math.sin(orbit.yaw), Math.cos(orbit.pitch), Math.sin(orbit.pitch)];
  const turn: Matrix = [
    [cy, 0, -sy, 0],
    [-sp * sy, cp, -sp * cy, 0],
    [cp * sy, sp, cp * cy, 0],
    [0, 0, 0, 1],
  ];
  const [x, y, z] = orbit.target;
  const moved = multiply(turn, [[1, 0, 0, -x], [0, 1, 0, -y], [0, 0, 1, -z], [0, 0, 0, 1]]);
  return moved.map((row, index) => (index === 2 ? [row[0] ?? 0, row[1] ?? 0, row[2] ?? 0, (row[3] ?? 0) - orbit.distance] : row));
}

/** A camera after a drag over so many pixels of a view that is `height` high. */
export function orbited<C extends { yaw: number; pitch: number }>(camera: C, dx: number, dy: number, height: number): C {
  const turn = Math.PI / Math.max(height, 1);
  const pitch = Math.min(Math.max(camera.pitch + dy * turn, -Math.PI / 2), Math.PI / 2);
  return { ...camera, yaw: camera.yaw - dx * turn, pitch };
}

export function zoomed<C extends { distance: number }>(camera: C, factor: number): C {
  return { ...camera, distance: Math.min(Math.max(camera.distance * factor, 0.1), 200) };
}

/** A matrix as WebGL takes it: column by column. */
export function columns(matrix: Matrix): number[] {
  return [0, 1, 2, 3].flatMap((column) => matrix.map((row) => row[column] ?? 0));
}
