"""One result for every instruction set: names, former names, tables."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.arrays.report import as_npz, register_table
from lanewise.arrays.results import Port, Result
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = REPOSITORY / "examples"
VERTICES = np.array([[1, 2, 3, 1], [4, np.nan, 6, 1]], np.float32)


def vertex() -> lw.pica200.Shader:
    return lw.load(EXAMPLES / "transform.v.pica").vertex


def wave() -> lw.shadercore.ShaderCoreProgram:
    return lw.load_shadercore(EXAMPLES / "transform.sc")


def pixel() -> lw.Direct3DShader:
    return lw.Direct3DShader.from_source("ps_2_0\ndcl t0\ntexkill t0\nmov oC0, t0\n")


def test_every_result_has_the_same_names():
    runs: tuple[Result, ...] = (
        vertex().run({"position": VERTICES}, {"projection": np.eye(4)}, defaults=0),
        wave().run({"position": VERTICES}, {"c0": np.eye(4)}, defaults=0),
        pixel().run({"t0": VERTICES}),
        lw.load_direct3d9(EXAMPLES / "direct3d9" / "lit.vsa").compile().run({"position": VERTICES}, defaults=0),
    )
    assert [(run.isa, run.format, run.unit, run.variant) for run in runs] == [
        ("pica200", "float24", "vertex", "hardware"),
        ("shadercore", "float32", "vertex", "rtl"),
        ("direct3d9", "float32", "pixel", "ieee"),
        ("shadercore", "float32", "vertex", "rtl"),
    ]
    for run in runs:
        assert run.lanes == 2 and not run.faults and run.engine in ("reference", "llvm")
        assert [port.name for port in run.ports] == list(run.outputs)
        for port in run.ports:
            assert run.outputs[port.name].shape == run.bits[port.name].shape == (2, len(port.components))
            assert run.bits[port.name].dtype == np.uint32
    assert [run.zeroed for run in runs[:3]] == [("v1", "v2"), ("v1",), ()]
    assert runs[0].bits["position"][0].tolist() == [0x3F0000, 0x400000, 0x408000, 0x3F0000]


def test_warnings_are_in_the_result():
    shader = lw.assemble(".out pos position\n.in place\n.proc main\n mov pos.x, place\n end\n.end\n").vertex
    result = shader.run({"place": [1, 2]})
    assert [finding.code for finding in result.warnings] == ["R007"]
    assert result.warnings == tuple(shader.warnings(result))
    assert [each.code for each in lw.load(EXAMPLES / "transform.v.pica").vertex.run(defaults=0).warnings] == ["B033"]


@pytest.mark.parametrize(
    ("former", "present"),
    [
        (lambda: vertex().run(defaults=0).words["position"], lambda: vertex().run(defaults=0).bits["position"]),
        (lambda: pixel().run(defaults=0).words["oC0"], lambda: pixel().run(defaults=0).bits["oC0"]),
        (lambda: wave().run(defaults=0, count=3).vertices, lambda: 3),
        (
            lambda: wave().run({"v0": VERTICES}, constants={"c0": [2, 0, 0, 0]}, defaults=0).bits["o0"],
            lambda: wave().run({"v0": VERTICES}, {"c0": [2, 0, 0, 0]}, defaults=0).bits["o0"],
        ),
        (
            lambda: lit().run({"position": [1, 2, 3]}, constants={"c0": np.eye(4)}, defaults=0).bits["oPos"],
            lambda: lit().run({"position": [1, 2, 3]}, {"c0": np.eye(4)}, defaults=0).bits["oPos"],
        ),
        (
            lambda: lit().compile().run({"position": [1, 2, 3]}, {"c0": np.eye(4)}, defaults=0)["oPos"],
            lambda: lit().compile().run({"position": [1, 2, 3]}, {"c0": np.eye(4)}, defaults=0).outputs["oPos"],
        ),
        (
            lambda: sorted(dict(lit().compile().run(defaults=0).items())),
            lambda: sorted(lit().compile().run(defaults=0).outputs),
        ),
        (
            lambda: lit().compile().run(constants={"c0": np.eye(4)}, defaults=0).lanes,
            lambda: 1,
        ),
    ],
)
def test_former_names(former: Callable[[], object], present: Callable[[], object]):
    with pytest.warns(DeprecationWarning, match="is deprecated: use "):
        found = former()
    assert np.array_equal(np.asarray(found), np.asarray(present()))


def lit() -> lw.Direct3DShader:
    return lw.load_direct3d9(EXAMPLES / "direct3d9" / "lit.vsa")


def test_primitives_have_bits():
    pipeline = lw.assemble([EXAMPLES / "subdivide.v.pica", EXAMPLES / "subdivide.g.pica"]).pipeline
    found = pipeline.run({"v0": VERTICES[[0, 0, 0]]}, indices=[0, 1, 2], defaults=0)
    assert found.format == "float24"
    with pytest.warns(DeprecationWarning, match=r"use Primitives.bits"):
        assert found.words is found.bits


def test_a_table():
    found = pixel().run({"t0": [[1, 2, 3, 4], [-1, np.nan, np.inf, 0]]})
    assert found.table().splitlines() == [
        "         color (oC0)",
        "pixel     x    y    z  w     state",
        "    0     1    2    3  4      live",
        "    1    -1  nan  inf  0    killed",
    ]
    assert "0x7FC00000" in found.table(bits=True) and "0xBF800000" in found.table(bits=True)


def test_components_that_are_not_written_and_lanes_that_stop():
    text = (
        ".out pos position\n.in place\n.proc main\n mov pos.x, place\n cmp place, gt, gt, place.yyyy\n ifc cmp.x\n again:\n"
        "  nop\n  jmpc cmp.x, again\n .end\n end\n.end\n"
    )
    shader = lw.assemble(text).vertex
    result = shader.run({"place": [[1, 2], [5, 4]]}, keep_faults=True, budget=50)
    lines = result.table().splitlines()
    assert lines[2].split() == ["0", "1", "-", "-", "-"]
    assert lines[3].split()[-2:] == ["stopped:", result.faults[0].fault.code]


def test_integers_and_registers():
    held = {"a": np.array([[1], [0xFFFFFFFE]], np.uint32), "b": np.array([[0], [7]], np.uint32)}
    found = Result(2, {"b": held["b"].view(np.int32)}, {"b": held["b"]}, registers=held.copy)
    found.format = "int32"
    assert found.outputs["b"].tolist() == [[0], [7]] and found.registers["a"].tolist() == [[1], [0xFFFFFFFE]]
    assert register_table(found).splitlines() == [
        "lane  register   x",
        "   0         a   1",
        "   0         b   0",
        "   1         a  -2",
        "   1         b   7",
    ]
    assert "0xFFFFFFFE" in register_table(found, bits=True)


def test_registers_of_other_formats():
    held = {
        "r0": np.array([[0x3F0000, 0x7F8000]], np.uint32),
        "a0": np.array([[0xFFFFFFFF, 2]], np.uint32),
        "p0": np.array([[1, 0xFFFFFFFF]], np.uint32),
    }
    found = Result(1, {}, {}, registers=lambda: held, ports=[Port("none", "none", "")][:0])
    found.format, found.register_formats = "float24", {"a0": "int32", "p0": "bool"}
    assert [line.split()[2:] for line in register_table(found).splitlines()] == [
        ["x", "y"],
        ["1", "nan"],
        ["-1", "2"],
        ["1", "4294967295"],
    ]


def test_an_engine_without_registers(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(ValueError, match="has no registers"):
        _ = Result(1, {}, {}).registers


def test_arrays_of_a_file():
    with np.load(io.BytesIO(as_npz(pixel().run({"t0": VERTICES})))) as arrays:
        assert sorted(arrays.files) == ["color", "color_bits", "faults", "killed"]


def test_integers_and_booleans_among_uniforms(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = "vs_2_0\ndcl_position v0\nmov r0, c0\nif b1\nrep i2\nadd r0, r0, v0\nendrep\nendif\nmov oPos, r0\n"
    shader = lw.Direct3DShader.from_source(text)
    data = {"position": [1, 0, 0, 0]}
    old = shader.run(data, {"c0": [5, 5, 5, 5]}, integers={"i2": [3]}, booleans={"b1": True}).outputs["oPos"].tolist()
    assert (
        shader.run(data, {"c0": [5, 5, 5, 5], "i2": [3.0, 0, 0], "b1": True}).outputs["oPos"].tolist() == old == [[8, 5, 5, 5]]
    )
    with pytest.raises(lw.InputError, match="integer i2 is not an array of integers"):
        shader.run(data, {"c0": [5, 5, 5, 5], "i2": [2.5], "b1": True})
    (tmp_path / "a.vsa").write_text(text)
    command = ["run", str(tmp_path / "a.vsa"), "-i", "position=1,0,0,0", "-u", "c0=5,5,5,5"]
    assert main([*command, "-u", "i2=3,0,0", "--uniform", "b1=true"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["0", "8", "5", "5", "5"]
    assert main([*command, "-c", "i2=3", "-c", "b1=1", "-u", "i3=1"]) == 0
    assert "no effect: i3;" in capsys.readouterr().err
