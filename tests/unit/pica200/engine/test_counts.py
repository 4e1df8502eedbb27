"""Counts of loops by name: a number sets the integer register and the boolean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.core.diagnostics import InputError
from lanewise.pica200.api.file import ShaderFile, read_file
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.isa.program import Constant, Uniform
from lanewise.pica200.isa.table import BOOLEAN, INTEGER
from lanewise.tools.cli import main

# As compilers name them: n is the count of two loops, the second of which goes up by 3.
SOURCE = """
.ivec n
.ivec n2
.bool guard
.bool flag
.constf one(1.0, 0.0, 0.0, 0.0)
.out pos position
.in place v0
.proc main
    mov r0, place
    ifu guard
        for n
            add r0.x, one.x, r0.x
        .end
        for n2
            add r0.y, one.x, r0.y
        .end
    .end
    mov pos, r0
    end
.end
"""


@pytest.fixture(scope="module")
def shbin() -> bytes:
    """The program with the names and presets that the compiler gives it."""
    file = lw.assemble(SOURCE)
    (interface,) = file.program.interfaces
    names = {INTEGER: "n", INTEGER + 1: "n.2", BOOLEAN: "n.some", BOOLEAN + 1: "flag"}
    named = tuple([Uniform(name=name, first=register, last=register) for register, name in names.items()])
    presets = (*interface.constants, Constant(INTEGER, (0, 0, 1, 0)), Constant(INTEGER + 1, (0, 6, 3, 0)))
    changed = file.program._replace(interfaces=(interface._replace(uniforms=named, constants=presets, declared=()),))
    return write_shbin(build(changed, file.vertex.words, file.vertex.descriptors))


def file(shbin: bytes) -> ShaderFile:
    return read_file(shbin, "loops.shbin")


@pytest.mark.parametrize("count", [0, 1, 5, 255])
@pytest.mark.parametrize("kind", ["int", "float", "int32", "list", "array"])
def test_a_count(shbin: bytes, count: int, kind: str):
    forms: dict[str, Any] = {
        "int": count,
        "float": float(count),
        "int32": np.int32(count),
        "list": [count],
        "array": np.array([count]),
    }
    result = file(shbin).vertex.run({"place": [0, 0, 0, 1]}, {"n": forms[kind]})
    assert result.outputs["position"].tolist() == [[count, count, 0, 1]]


def test_registers_can_be_given_too(shbin: bytes):
    shader = file(shbin).vertex
    result = shader.run({"place": [0, 0, 0, 1]}, {"n": [4, 0, 1], "n.2": [2, 0, 1], "n.some": True})
    assert result.outputs["position"].tolist() == [[5, 3, 0, 1]]


@pytest.mark.parametrize("count", [-1, 256, 1.5, True])
def test_a_count_out_of_range(shbin: bytes, count: float):
    with pytest.raises(InputError, match=f"uniform 'n' is {float(count):g}, expected a number of iterations") as raised:
        file(shbin).vertex.run({"place": [0, 0, 0, 1]}, {"n": count})
    assert [each.fix for each in raised.value.diagnostics] == ["give a whole number from 0 to 255"]


def test_a_missing_count_is_named(shbin: bytes):
    with pytest.raises(InputError) as raised:
        file(shbin).vertex.run({"place": [0, 0, 0, 1]})
    (finding,) = raised.value.diagnostics
    assert "n, the count of a loop" in finding.message
    assert "--uniform n=..." in finding.fix
    assert "a number from 0 to 255" in finding.fix


def test_an_integer_without_a_guard_is_not_a_count():
    shader = lw.assemble(SOURCE.replace("ifu guard", "ifu flag")).vertex
    with pytest.raises(InputError, match="expected 3 or 4 integers"):
        shader.run({"place": [0, 0, 0, 1]}, {"n": 3, "n2": 2, "flag": True})


def test_commands_take_it(shbin: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    Path("loops.shbin").write_bytes(shbin)
    assert main(["run", "loops.shbin", "-i", "place=0", "-u", "n=3", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"]["position"]["values"] == [[3, 3, 0, 1]]
    Path("scene.toml").write_text("n = 0\n")
    assert main(["run", "loops.shbin", "-i", "place=0", "--uniforms", "scene.toml", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"]["position"]["values"] == [[0, 0, 0, 1]]
    tests = (
        'program = "loops.shbin"\n[[test]]\nname = "four"\ninputs.place = [0]\nintegers.n = 4\n'
        "outputs.position = [[4, 4, 0, 1]]\n"
    )
    Path("loops.shadertest.toml").write_text(tests)
    assert main(["test", "loops.shadertest.toml"]) == 0, capsys.readouterr()
    Path("loops.shadertest.toml").write_text(tests.replace("integers.n", "uniforms.n"))
    assert main(["test", "loops.shadertest.toml"]) == 0, capsys.readouterr()
