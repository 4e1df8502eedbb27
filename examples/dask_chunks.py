"""Run a shader over chunks of a vertex array on dask's workers: the same bits as in one piece.

pip install '.[distributed]' && python examples/dask_chunks.py
"""

# pyright: basic
# dask has types for a part only.

from __future__ import annotations

from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
from dask.distributed import Client

import lanewise as lw

HERE = Path(__file__).resolve().parent
COUNT = 100_000
UNIFORMS = {"projection": np.diag([1.0, 2.0, 0.5, 1.0])}
CONSTANT = {"color": [1, 1, 1, 1], "texcoord": [0, 0]}


def main() -> None:
    shader = lw.load(HERE / "transform.v.pica").vertex
    vertices: Any = np.random.default_rng(7).uniform(-1, 1, (COUNT, 3)).astype(np.float32)
    pieces: Any = (COUNT // 8, 3)
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=":0"):
        chunks = da.from_array(vertices, chunks=pieces)
        outputs = lw.distributed.map_vertices(shader, {"position": chunks, **CONSTANT}, UNIFORMS)
        found = outputs["position"].compute()
    wanted = shader.run({"position": vertices, **CONSTANT}, UNIFORMS).outputs["position"]
    print(f"{len(found)} vertices, equal to one run: {np.array_equal(found, wanted)}")


if __name__ == "__main__":
    main()
