"""Shaders over chunks of `dask.array`, on Dask's scheduler of one thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.distributed import vertices
from lanewise.pica200.engine.llvm import compiled

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
COUNT = 1000
POSITIONS = np.random.default_rng(7).uniform(-1, 1, (COUNT, 3)).astype(np.float32)
UNIFORMS = {"projection": np.diag([1.0, 2.0, 0.5, 1.0])}
CONSTANT = {"color": [1, 1, 1, 1], "texcoord": [0, 0]}


@pytest.fixture
def dask() -> Any:
    pytest.importorskip("dask.array")
    import dask

    return dask


@pytest.fixture
def shader() -> lw.pica200.Shader:
    return lw.load(EXAMPLES / "transform.v.pica").vertex


def chunked(dask: Any, array: np.ndarray[Any, Any], chunks: Any = (300, -1)) -> Any:
    return dask.array.from_array(array, chunks=chunks)


@pytest.mark.parametrize("profile", ["hardware", "azahar"])
def test_chunks_give_the_bits_of_one_run(profile: str, dask: Any, shader: lw.pica200.Shader):
    colors = np.random.default_rng(8).uniform(0, 1, (COUNT, 4))
    inputs = {"position": chunked(dask, POSITIONS), "color": chunked(dask, colors), "texcoord": [0, 0]}
    wanted = shader.run({**inputs, "position": POSITIONS, "color": colors}, UNIFORMS, profile=profile)
    found = lw.distributed.map_vertices(shader, inputs, UNIFORMS, profile=profile)
    assert list(found) == list(wanted.outputs)
    for name, array in found.items():
        assert array.chunks == ((300, 300, 300, 100), (wanted.outputs[name].shape[1],))
        assert array.dtype == np.float32
    (computed,) = dask.compute(found, scheduler="sync")
    for name, array in computed.items():
        assert np.array_equal(array.view(np.uint32), np.ascontiguousarray(wanted.outputs[name]).view(np.uint32)), name


@pytest.mark.parametrize("rows", [(0, 1, 0, 31, 168, 0), (0,)])
def test_empty_chunks_stay(rows: tuple[int, ...], dask: Any, shader: lw.pica200.Shader):
    position = POSITIONS[: sum(rows)]
    found = lw.distributed.map_vertices(shader, {"position": chunked(dask, position, (rows, -1)), **CONSTANT}, UNIFORMS)
    wanted = shader.run({"position": position, **CONSTANT}, UNIFORMS, count=sum(rows)).outputs
    for name, array in found.items():
        assert array.chunks == (rows, (wanted[name].shape[1],))
        assert np.array_equal(array.compute(scheduler="sync"), wanted[name])
        assert np.array_equal((array[:5] + 1).compute(scheduler="sync"), wanted[name][:5] + 1)


def test_a_worker_compiles_a_shader_once(dask: Any, shader: lw.pica200.Shader, monkeypatch: pytest.MonkeyPatch):
    vertices._job.cache_clear()  # pyright: ignore[reportPrivateUsage]
    made: list[object] = []
    real = compiled.Compiled.__init__

    def counted(self: compiled.Compiled, *arguments: Any, **options: Any) -> None:
        made.append(self)
        real(self, *arguments, **options)

    monkeypatch.setattr(compiled.Compiled, "__init__", counted)
    found = lw.distributed.map_vertices(shader, {"position": chunked(dask, POSITIONS), **CONSTANT}, UNIFORMS)
    found["position"].compute(scheduler="sync")
    found["color"].compute(scheduler="sync")
    assert len(made) == 1


@pytest.mark.parametrize(
    ("array", "chunks", "message"),
    [
        (POSITIONS.T, (3, 300), "input 'position' has 3 rows of 1000 components, .*: use `position.T`"),
        (POSITIONS, (300, 1), r"input 'position' has its components in 3 chunks: use `position.rechunk\(\{1: -1\}\)`"),
        (
            POSITIONS[:, 0],
            300,
            r"input 'position' has 1 dimension, expected \(vertices, components\): use `position\[:, None\]`",
        ),
        (POSITIONS[:900], (300, -1), "input 'color' has 1000 vertices, 'position' 900: give as many"),
        (POSITIONS, (250, -1), r"input 'color' has other chunks than 'position': use `color\.rechunk"),
    ],
)
def test_chunks_that_do_not_fit(array: np.ndarray[Any, Any], chunks: Any, message: str, dask: Any, shader: lw.pica200.Shader):
    inputs = {"position": chunked(dask, array, chunks), "color": chunked(dask, np.ones((COUNT, 4))), "texcoord": [0, 0]}
    with pytest.raises(ValueError, match=message):
        lw.distributed.map_vertices(shader, inputs, UNIFORMS)


def test_what_is_wrong_is_known_before_anything_runs(dask: Any, shader: lw.pica200.Shader):
    position = chunked(dask, POSITIONS)
    with pytest.raises(lw.InputError, match="projection"):
        lw.distributed.map_vertices(shader, {"position": position, **CONSTANT})
    frame: Any = type("Frame", (), {"to_dask_array": None})()
    with pytest.raises(TypeError, match="inputs are a Frame of Dask, expected arrays by name"):
        lw.distributed.map_vertices(shader, frame)
    with pytest.raises(ValueError, match=r"no input is a dask\.array"):
        lw.distributed.map_vertices(shader, {"position": POSITIONS, **CONSTANT}, UNIFORMS)
    with pytest.raises(ValueError, match=r"input 'color' has a row for each vertex: give it as a dask\.array"):
        lw.distributed.map_vertices(shader, {"position": position, "color": np.ones((COUNT, 4)), "texcoord": [0, 0]}, UNIFORMS)
    other: dict[str, Any] = {"color": np.ones((COUNT, 4)), "texcoord": [0, 0]}
    with pytest.raises(ValueError, match="with the chunks of the others") as caught:
        lw.distributed.map_vertices(shader, {"position": position, **other}, UNIFORMS)
    code = str(caught.value).split("`")[1]
    other["color"] = eval(code, {"dask": dask, "position": position, **other})
    assert lw.distributed.map_vertices(shader, {"position": position, **other}, UNIFORMS)["color"].shape == (COUNT, 4)
    with pytest.raises(TypeError, match=r"`\{'position': array, 'color': array, 'texcoord': array\}`"):
        lw.distributed.map_vertices(shader, position, UNIFORMS)
    with pytest.raises(ValueError, match=r"`distributed.Client\(n_workers=4\)` before it"):
        lw.distributed.map_vertices(shader, {"position": position, **CONSTANT}, UNIFORMS, n_workers=4)
    with pytest.raises(ValueError, match="count and progress are of one run"):
        lw.distributed.map_vertices(shader, {"position": position, **CONSTANT}, UNIFORMS, count=3)
    with pytest.raises(lw.InputError, match="input 'position' is complex numbers"):
        lw.distributed.map_vertices(shader, {"position": position * 1j, **CONSTANT}, UNIFORMS)
    wrong: list[tuple[Any, str]] = [
        (lw.load(EXAMPLES / "transform.v.pica"), r"use its `\.vertex`$"),
        ("light.v.pica", r"^'light\.v\.pica' is not a shader: load it, `lw\.load\('light\.v\.pica'\)\.vertex`$"),
        (EXAMPLES / "x.v.pica", r"load it, `lw\.load\('.*x\.v\.pica'\)\.vertex`$"),
        (".proc main\nend\n.end\n", r"load its text, `lw\.load\(text\.encode\(\)\)\.vertex`$"),
        (3, r"^3 is not a shader: give the `vertex` of a file"),
    ]
    for given, text in wrong:
        with pytest.raises(TypeError, match=text):
            lw.distributed.map_vertices(given, {}, UNIFORMS)
    unknown = position[position[:, 0] > 0]
    with pytest.raises(ValueError, match=r"chunks of unknown size: use `position\.compute_chunk_sizes"):
        lw.distributed.map_vertices(shader, {"position": unknown, **CONSTANT}, UNIFORMS)


def test_vertices_that_see_each_other_are_refused(dask: Any):
    """Under azahar registers stay from vertex to vertex, and this program reads one before it writes it."""
    text = ".out position position\n.proc main\n    mov position, r0\n    mov r0, v0\n    end\n.end\n"
    shader = lw.assemble(text).vertex
    inputs = {"v0": chunked(dask, POSITIONS)}
    with pytest.raises(ValueError, match="registers stay from vertex to vertex"):
        lw.distributed.map_vertices(shader, inputs, profile="azahar")
    found = lw.distributed.map_vertices(shader, inputs, profile=lw.pica200.profiles["azahar"].replace(initial_state="zero"))
    assert not found["position"].compute(scheduler="sync").any()


def test_a_vertex_that_stops_says_where_its_chunk_is(dask: Any):
    loop = "again:\n    mov position, v0\n    mov r0, v1\n    cmp v0, gt, gt, r0\n    jmpc cmp.x, again\n"
    shader = lw.assemble(f".out position position\n.proc main\n{loop}    end\n.end\n").vertex
    rows = POSITIONS.copy()
    rows[:, 0] = -1
    rows[650, 0] = 1
    found = lw.distributed.map_vertices(shader, {"v0": chunked(dask, rows), "v1": [0, 0, 0, 0]}, budget=1000)
    with pytest.raises(lw.pica200.RunError) as error:
        found["position"].compute(scheduler="sync")
    assert error.value.__notes__ == ["in the chunk of vertices 600 to 899: vertex N there is vertex 600 + N"]


# What runs, its options, and the chunks of 200 vertices.
OTHERS: tuple[tuple[str, dict[str, Any], tuple[int, ...]], ...] = (
    ("transform.sc", {"device": "rtl"}, (48, 0, 128, 24, 0)),
    ("transform.sc", {"device": "document"}, (64, 136)),
    ("direct3d9/lit.vsa", {}, (50, 149, 1)),
    ("direct3d9/lit.vsa", {"rule": "rtl"}, (64, 136)),
    ("direct3d9/tone.psa", {}, (96, 104)),
)


@pytest.mark.parametrize(("name", "options", "rows"), OTHERS, ids=[f"{row[0]} {row[1]}" for row in OTHERS])
def test_every_instruction_set_gives_the_bits_of_one_run(name: str, options: dict[str, Any], rows: tuple[int, ...], dask: Any):
    program: Any = lw.load(EXAMPLES / name, isa=None)
    names = [port if isinstance(port, str) else port.name for port in program.inputs]
    random = np.random.default_rng(9)
    given = {key: random.uniform(0.5, 2, (sum(rows), 3)).astype(np.float32) for key in names}
    wanted = program.run(given, defaults=0, **options)
    inputs = {key: chunked(dask, value, (rows, -1)) for key, value in given.items()}
    found = lw.distributed.map_vertices(program, inputs, defaults=0, **options)
    (computed,) = dask.compute(found, scheduler="sync")
    assert computed.keys() == {*wanted.outputs}
    for key, array in computed.items():
        assert np.array_equal(array.view(np.uint32), np.ascontiguousarray(wanted.outputs[key]).view(np.uint32)), key


def test_chunks_are_waves_where_lanes_see_each_other(dask: Any):
    core = lw.load_shadercore(EXAMPLES / "transform.sc")

    def mapped(program: Any, rows: tuple[int, ...], **options: Any) -> Any:
        names = [port if isinstance(port, str) else port.name for port in program.inputs]
        inputs = {name: chunked(dask, np.ones((sum(rows), 3)), (rows, -1)) for name in names}
        return lw.distributed.map_vertices(program, inputs, defaults=0, **options)

    with pytest.raises(
        ValueError, match=r"a chunk has 15 vertices, expected a multiple of 16 on rtl, .* `array.rechunk\(\{0: 16\}\)`"
    ):
        mapped(core, (15, 16))
    with pytest.raises(ValueError, match="the last chunk has 15 vertices"):
        mapped(core, (16, 15, 0))
    assert mapped(core, (2,)).keys() == {"position", "color"}
    with pytest.raises(ValueError, match="expected a multiple of 16 for ps_2_0 under ieee"):
        mapped(lw.load_direct3d9(EXAMPLES / "direct3d9/tone.psa"), (4, 4))
    with pytest.raises(ValueError, match="streams is of one run: leave it out"):
        mapped(core, (16,), streams=())
    left = lw.shadercore.ShaderCoreProgram.from_source("mov o0.x, r0.x\nmov r0.x, v0.x\nend\n")
    with pytest.raises(ValueError, match="registers stay from wave to wave"):
        mapped(left, (16, 16))
