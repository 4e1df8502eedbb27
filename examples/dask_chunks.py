"""Run a shader over chunks of a vertex array on dask's workers: the same bits as in one piece.

pip install 'dask[array,distributed]' && python examples/dask_chunks.py
"""

# pyright: basic, reportMissingImports=false, reportArgumentType=false
# dask has few types, and they are too narrow.

from __future__ import annotations

from pathlib import Path

import dask.array as da
import numpy as np
from dask.distributed import Client
from numpy.typing import NDArray

import lanewise as lw

HERE = Path(__file__).resolve().parent
COUNT = 100_000
UNIFORMS = {"projection": np.diag([1.0, 2.0, 0.5, 1.0])}


def positions(block: NDArray[np.float32], shader: lw.Shader) -> NDArray[np.float32]:
    """The outputs of a chunk; the shader comes pickled, and the worker compiles it once, or finds it compiled."""
    inputs = {"position": block, "color": [1, 1, 1, 1], "texcoord": [0, 0]}
    return shader.run(inputs, UNIFORMS, engine="llvm").outputs["position"]


def main() -> None:
    shader = lw.load(HERE / "transform.v.pica").vertex
    vertices = np.random.default_rng(7).uniform(-1, 1, (COUNT, 3)).astype(np.float32)
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        chunks = da.from_array(vertices, chunks=(COUNT // 8, 3))
        found = chunks.map_blocks(positions, shader, chunks=(COUNT // 8, 4), dtype=np.float32).compute()
    print(f"{len(found)} vertices, equal to one run: {np.array_equal(found, positions(vertices, shader))}")


if __name__ == "__main__":
    main()
