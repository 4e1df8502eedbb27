"""What a run of a geometry shader is given by which vertex."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.core.service import Request, SourceFile
from lanewise.packages import package_of
from lanewise.pica200.api.debugging import GeometryRuns

EXAMPLES = Path(__file__).resolve().parents[4] / "examples"
FACES = np.array([[0, 1, 2], [2, 1, 3]])


class Arrays:
    """Files of a request: arrays by name."""

    def read(self, path: str) -> bytes:
        stream = io.BytesIO()
        np.save(stream, {"faces.npy": FACES.reshape(-1), "position.npy": np.arange(16.0).reshape(4, 4)}[path])
        return stream.getvalue()

    def exists(self, path: str) -> bool:
        return path.endswith(".npy")

    def within(self, path: str) -> Arrays:
        return self


def runs(*names: str) -> GeometryRuns:
    sources = tuple([SourceFile(name, (EXAMPLES / name).read_bytes(), name) for name in names])
    values = {"indices": "faces.npy", "input": ("position=position.npy",), "default": "0"}
    loaded = package_of("pica200").load(Request("debug", sources, values, files=Arrays()))
    assert loaded.debug is not None
    found = loaded.debug(Request("debug", sources, values, files=Arrays()))
    assert isinstance(found, GeometryRuns)
    return found


def test_the_vertices_and_outputs_that_a_run_takes() -> None:
    found = runs("subdivide.v.pica", "subdivide.g.pica")
    assert [found.vertices(run) for run in found.threads] == [(0, 1, 2), (2, 1, 3)]
    # both outputs of each vertex, one vertex after another
    assert [found.source(1, f"v{number}") for number in range(6)] == [
        (vertex, output) for vertex in (2, 1, 3) for output in ("o0", "o1")
    ]
    assert found.source(1, "v6") is None and found.source(1, "c0") is None and found.source(1, "r0") is None
    machine = found.machine(1, {})
    assert machine.given["v4.y"].value.number == 13.0  # y of vertex 3, passed on as it is


def test_triangles_know_the_run_that_sent_them() -> None:
    file = lw.assemble([EXAMPLES / "subdivide.v.pica", EXAMPLES / "subdivide.g.pica"])
    inputs = {"position": np.arange(16.0).reshape(4, 4)}
    scene = file.pipeline.run(inputs, FACES.reshape(-1), geometry_uniforms={"projection": np.eye(4)}, defaults=0).scene()
    assert scene.runs is not None and scene.runs.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    alone = lw.load(EXAMPLES / "transform.v.pica")
    assert isinstance(alone, lw.pica200.ShaderFile)
    assert alone.pipeline.run(inputs, FACES.reshape(-1), {"projection": np.eye(4)}, defaults=0).scene().runs is None


@pytest.mark.parametrize("run", [0, 1])
def test_a_point_shader_takes_one_vertex(run: int) -> None:
    found = runs("particles.v.pica", "particles.g.pica")
    assert found.vertices(run) == (int(FACES.reshape(-1)[run]),) and found.source(run, "v1") == (
        int(FACES.reshape(-1)[run]),
        "o1",
    )
