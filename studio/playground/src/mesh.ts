/** The results of a run as the table of vertices takes them. */

import type { Mesh } from "../../page/src/state";
import type { RunPane } from "./protocol";

export function meshOf(run: RunPane): Mesh {
  const outputs = Object.entries(run.outputs ?? {});
  return {
    head: {
      id: 0, pane: "mesh", arrays: [], vertices: run.lanes ?? 0, triangles: 0, whole: true, visible: 0, fates: [], counts: {},
      outputs: outputs.map(([name, { register, components }]) => ({ name, register, components })),
      volume: { nearest: -1, farthest: 1, front: "counterclockwise", turn: false, screens: [] },
      screen: { name: "", width: 4, height: 3 },
      ...(run.reason === undefined ? {} : { reason: run.reason }),
    },
    arrays: new Map(outputs.map(([name, { values }]) => [`output:${name}`, { shape: [values.length, values[0]?.length ?? 0], data: Float32Array.from(values.flat().map(Number)) }])),
  };
}
