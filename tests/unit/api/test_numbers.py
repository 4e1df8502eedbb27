"""Numbers and arrays that no run can use are errors with a name, a range or a fix: on every instruction set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

import lanewise as lw
from lanewise.arrays.words import Words, is_masked
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.pica200.api.file import assemble_texts
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.api.streams import Stream
from lanewise.tools import cli
from together import together

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = (
    ".in place v0\n.out pos position\n.fvec scale\n.ivec times\n.bool flag\n.proc main\n    mul pos, scale, place\n    end\n"
    ".end\n"
)
VERTEX = ".in place v0\n.out - dummy o0\n.proc main\n    mov o0, place\n    end\n.end\n"
GEOMETRY = ".gsh point c0\n.entry gmain\n.out p position\n.proc gmain\n    mov p, v0\n    setemit 0\n    emit\n    end\n.end\n"
CORE = "mul o0.xyzw, v0.xyzw, c0.xyzw\nend\n"
VERTEX_9 = (
    "vs_3_0\ndcl_position v0\ndcl_position o0\nmov r0, v0\nrep i0\nmul r0, r0, c0\nendrep\nif b0\nmov r0, c0\nendif\n"
    "mov o0, r0\n"
)

PLACE = np.ones((20, 4), np.float32)
SCALE = np.ones(4, np.float32)


def given(values: dict[str, Any], **usual: Any) -> dict[str, Any]:
    """Arguments of a run: the usual ones, but for `values`."""
    return usual | values


def pica(**values: Any) -> object:
    return lw.assemble(SOURCE).vertex.run(**given(values, inputs={"place": PLACE}, uniforms={"scale": SCALE}))


def batch(**values: Any) -> object:
    return lw.assemble(SOURCE).vertex.batch(**given(values, inputs={"place": PLACE}, uniforms={"scale": SCALE}))


def traced(**values: Any) -> object:
    return lw.assemble(SOURCE).vertex.trace(**given(values, inputs={"place": PLACE}, uniforms={"scale": SCALE}))


def stages(**values: Any) -> object:
    both = assemble_texts([("vertex", VERTEX), ("geometry", GEOMETRY)]).pipeline
    return both.run(**given(values, inputs={"place": PLACE}, indices=np.arange(6)))


def stages_traced(**values: Any) -> object:
    both = assemble_texts([("vertex", VERTEX), ("geometry", GEOMETRY)]).pipeline
    return both.trace(**given(values, inputs={"place": PLACE}, indices=np.arange(6)))


def core(**values: Any) -> object:
    return ShaderCoreProgram.from_source(CORE).run(**given(values, inputs={"v0": PLACE}, uniforms={"c0": SCALE}))


def direct3d9(**values: Any) -> object:
    usual = given(values, inputs={"position": PLACE}, uniforms={"c0": SCALE}, integers={"i0": 1}, booleans={"b0": True})
    return Direct3DShader.from_source(VERTEX_9).run(**usual)


STEPPING: list[Callable[..., object]] = [pica, batch, stages]
WRONG: list[tuple[str, list[Callable[..., object]], list[object]]] = [
    ("threads", [pica, batch, stages, core], [0, -1, 1.5, "x", None, 10**6]),
    ("budget", [pica, batch, stages], [0, -1, 1.5, "x", None, 10**16]),
    ("budget", [traced, stages_traced], [0, -1, 1.5, "x", 10**16]),
    ("turns", [direct3d9], [0, -1, 1.5, "x", None, 10**16]),
    ("count", [pica, batch, traced, stages, stages_traced, core, direct3d9], [1.5, "x", 2.0]),
    ("vertices_per_primitive", [stages, stages_traced], [-1, 1.5, "x"]),
]


@together(("name", "run", "value"), [(name, run, value) for name, runs, values in WRONG for run in runs for value in values])
def test_a_number_out_of_range(name: str, run: Callable[..., object], value: object):
    with pytest.raises(ValueError, match=rf"^{name} is .*, expected (a whole number from )?[01] to [\d,]+(: (`os|wr)[^:]*)?$"):
        run(**{name: value})


@pytest.mark.parametrize("run", [pica, batch, stages, core, traced, stages_traced, direct3d9])
def test_numbers_of_numpy(run: Callable[..., object]):
    numbers = {"threads": np.int64(2), "budget": np.int32(100), "turns": np.uint16(100), "count": np.uint8(20)}
    taken = [name for name, runs, _ in WRONG if run in runs and name in numbers]
    assert taken
    run(**{name: numbers[name] for name in taken})


def test_numbers_of_other_functions():
    shader = lw.assemble(SOURCE).vertex
    with pytest.raises(ValueError, match=r"vertices is 1\.5"):
        shader.explain_engine(vertices=1.5)  # pyright: ignore[reportArgumentType]
    both = assemble_texts([("vertex", VERTEX), ("geometry", GEOMETRY)]).pipeline
    with pytest.raises(ValueError, match="runs is -1"):
        both.explain_engine(runs=-1)
    with pytest.raises(ValueError, match="vertices is 0, expected 1 to"):
        ShaderCoreProgram.from_source(CORE).time_draw(0)
    with pytest.raises(ValueError, match="count is 'x'"):
        lw.pica200.fetch_vertices(bytes(64), [("place", "float32", 4)], count="x")  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        ("x.v.pica", ["--threads", "0"]),
        ("x.v.pica", ["--threads", "-1"]),
        ("x.v.pica", ["--threads", "5000"]),
        ("x.v.pica", ["--budget", "-1"]),
        ("x.v.pica", ["--count", "-1"]),
        ("x.v.pica", ["--budget", "1.5"]),
        ("x.v.pica", ["--threads", "x"]),
        ("x.sc", ["--threads", "0"]),
        ("x.sc", ["--count", "0"]),
        ("x.vsa", ["--turns", "0"]),
        ("x.vsa", ["--count", "-1"]),
    ],
)
def test_options_out_of_range(source: str, arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / source).write_text({"x.v.pica": SOURCE, "x.sc": CORE, "x.vsa": VERTEX_9}[source])
    assert cli.main(["run", str(tmp_path / source), *arguments]) == 2
    assert arguments[0] in capsys.readouterr().err


def masked(array: object, mask: object) -> Any:
    return np.ma.masked_array(cast("Any", array), mask=cast("Any", mask))


HIDDEN = masked(np.ones((20, 4), np.float32), np.eye(20, 4, dtype=np.bool_))
ROW = HIDDEN[0]
NUMBERS = masked([1, 0, 1], [False, True, False])
FLAG = masked(True, True)


@together(
    ("run", "values", "what"),
    [
        (pica, {"inputs": {"place": HIDDEN}}, "input 'place'"),
        (pica, {"inputs": {"place": Words(HIDDEN.astype(np.uint32))}}, "input 'place'"),
        (pica, {"inputs": {"place": list(HIDDEN)}}, "input 'place'"),
        (batch, {"inputs": {"place": HIDDEN}}, "input 'place'"),
        (pica, {"uniforms": {"scale": ROW}}, "uniform 'scale'"),
        (pica, {"uniforms": {"scale": SCALE, "times": NUMBERS}}, "uniform 'times'"),
        (pica, {"uniforms": {"scale": SCALE, "flag": FLAG}}, "uniform 'flag'"),
        (stages, {"indices": NUMBERS}, "the list of indices"),
        (core, {"inputs": {"v0": HIDDEN}}, "input 'v0'"),
        (core, {"inputs": {"v0": Words(HIDDEN.astype(np.uint32))}}, "input 'v0'"),
        (core, {"uniforms": {"c0": ROW}}, "constant 'c0'"),
        (core, {"initial": {"r0": ROW}}, "register 'r0'"),
        (core, {"indices": NUMBERS}, "the list of indices"),
        (
            core,
            {"inputs": {}, "streams": [Stream(input="v0", kind="float4", data=np.asarray(PLACE))], "indices": NUMBERS},
            "the list of indices",
        ),
        (core, {"inputs": {}, "streams": [Stream(input="v0", kind="float4", data=HIDDEN)]}, "the stream of v0"),
        (direct3d9, {"inputs": {"position": HIDDEN}}, "input position"),
        (direct3d9, {"uniforms": {"c0": ROW}}, "constant c0"),
        (direct3d9, {"integers": {"i0": NUMBERS}}, "integer i0"),
        (direct3d9, {"booleans": {"b0": FLAG}}, "boolean b0"),
    ],
)
def test_a_masked_array(run: Callable[..., object], values: dict[str, Any], what: str):
    run()  # the same values without a mask are known then
    with pytest.raises(lw.InputError) as error:
        run(**values)
    (finding,) = error.value.diagnostics
    assert f"{what} is a masked array, expected a value for every number" in finding.message
    assert "array.filled" in finding.fix


def test_other_masked_values():
    with pytest.raises(lw.InputError, match="fixed attribute 'paint' is a masked array"):
        lw.pica200.fetch_vertices(bytes(64), [("place", "float32", 4)], fixed={"paint": ROW})
    with pytest.raises(lw.InputError, match="the buffer is a masked array"):
        lw.pica200.fetch_vertices(HIDDEN, [("place", "float32", 4)])
    with pytest.raises(lw.InputError, match="what is expected of position is a masked array"):
        lw.mismatches(
            lw.assemble(SOURCE).vertex, lw.Case(inputs={"place": PLACE}, uniforms={"scale": SCALE}, outputs={"position": ROW})
        )


def test_what_is_masked():
    assert is_masked(HIDDEN)
    assert is_masked([np.ones(4), ROW])
    assert not is_masked([[1.0, 2.0], [3.0, 4.0]])
    assert not is_masked([])
    assert not is_masked(np.ones(3))
    assert not is_masked(Words([1, 2]))
    nothing = masked(np.full((2, 4), 2, np.float32), False)
    assert not is_masked(nothing)
    assert not is_masked([nothing[0], nothing[1]])
    assert not is_masked(Words(nothing.astype(np.uint32)))


@together(("run", "name"), [(pica, "place"), (batch, "place"), (core, "v0"), (direct3d9, "position")])
def test_the_place_that_a_mask_hides(run: Callable[..., Any], name: str):
    run(inputs={name: masked(np.ones((20, 4), np.float32), False)})  # hides nothing
    hidden = masked(np.ones((20, 4), np.float32), False)
    hidden[3, 1] = np.ma.masked
    for value in (hidden, list(hidden)):
        with pytest.raises(lw.InputError, match=r"is a masked array, .*: none in row 3, component y"):
            run(inputs={name: value})
