"""What every loaded program offers, whatever its instruction set, and what a typed user of the API sees."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, assert_type

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw
from corpus import REPOSITORY
from documents import check
from lanewise import packages
from toy_isa.package import TOY, ToyProgram

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.package import Program

EXAMPLES = REPOSITORY / "examples"
FILES = {
    "pica200": EXAMPLES / "transform.v.pica",
    "shadercore": EXAMPLES / "transform.sc",
    "direct3d9": EXAMPLES / "direct3d9" / "lit.vsa",
}
FORMS = {
    "pica200": (".shbin", ".pica", ".v.pica", ".vsh"),
    "shadercore": (".scb", ".scbin", ".sc"),
    "direct3d9": (".vso", ".vsa"),
    "toy": (".toyb", ".toy"),
}


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(packages, "PACKAGES", (*packages.PACKAGES, TOY))
    (tmp_path / "f.toy").write_text(".toy\nagain:\n    load r1\n    jnz again\n    load r5\n    halt\n")


def _narrowed(path: Path) -> None:
    program = lw.load(path, isa=None)
    if program.isa == "pica200":
        assert_type(program, lw.pica200.ShaderFile)
    elif program.isa == "shadercore":
        assert_type(program, lw.shadercore.ShaderCoreProgram)
    else:
        assert_type(program, lw.Direct3DShader | lw.Direct3DEffect)


def test_isa_narrows_the_result_of_load():
    for path in FILES.values():
        _narrowed(path)


def loaded(isa: str, folder: Path) -> Program:
    found: object = lw.load(FILES.get(isa, folder / "f.toy"))
    assert isinstance(found, (lw.pica200.ShaderFile, lw.shadercore.ShaderCoreProgram, lw.Direct3DShader, ToyProgram))
    return found


@pytest.mark.parametrize("isa", FORMS)
def test_text_words_and_files(isa: str, tmp_path: Path):
    program = loaded(isa, tmp_path)
    assert program.isa == isa
    assert len(program.words) > 3
    for suffix in FORMS[isa]:
        path = tmp_path / f"saved{suffix}"
        program.save(path)
        again: Any = lw.load(path)
        assert (again.isa, tuple(again.words)) == (isa, tuple(program.words)), suffix
    path = tmp_path / f"text{FORMS[isa][-1] if isa != 'pica200' else '.v.pica'}"
    path.write_text(program.text)
    again = lw.load(path)
    assert tuple(again.words) == tuple(program.words)


@pytest.mark.parametrize("isa", FORMS)
def test_check_and_graph(isa: str, tmp_path: Path):
    program = loaded(isa, tmp_path)
    assert [finding.code for finding in program.check()] == (["V901"] if isa == "toy" else [])
    if packages.package_of(isa).wrap is None or not _has_graph(isa, program):
        with pytest.raises(ValueError, match="have no graph"):
            program.graph()
        return
    graph = program.graph()
    assert graph.text() and graph.dot().startswith("digraph") and graph.svg().startswith("<svg")
    document = graph.to_json()
    assert document["isa"] == isa
    check(document)


def _has_graph(isa: str, program: Program) -> bool:
    from lanewise.core.service import Request

    wrap = packages.package_of(isa).wrap
    return wrap is not None and wrap(program, Request("graph", (), {})).graph is not None


@pytest.mark.parametrize("isa", FORMS)
def test_bytes_and_open_files(isa: str, tmp_path: Path):
    path = FILES.get(isa, tmp_path / "f.toy")
    words = tuple(loaded(isa, tmp_path).words)
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        found: Sequence[Any] = [
            lw.load(path.read_bytes()),
            lw.load(binary),
            lw.load(text),
            lw.load(io.BytesIO(path.read_bytes())),
            lw.load(io.StringIO(path.read_text()), name=path.name),
        ]
    assert [program.name for program in found] == ["<bytes>", str(path), str(path), "<file>", path.name]
    assert all(tuple(program.words) == words for program in found)


def test_a_shader_of_a_file_has_a_graph():
    shader = lw.load(EXAMPLES / "lighting.v.pica").vertex
    assert shader.isa == "pica200"
    assert shader.graph().text() == lw.load(EXAMPLES / "lighting.v.pica").graph().text()


def test_a_file_of_several_sources_is_not_one_source(tmp_path: Path):
    file = lw.assemble([EXAMPLES / "subdivide.v.pica", EXAMPLES / "subdivide.g.pica"])
    with pytest.raises(ValueError, match="is made of 2 sources"):
        file.save(tmp_path / "both.pica")


def test_a_typed_user():
    """Types are checked by pyright; here the code only runs."""
    vertices = np.zeros((3, 4), np.float32)
    pica = lw.load_pica200(EXAMPLES / "transform.v.pica")
    assert_type(pica, lw.pica200.ShaderFile)
    first = pica.vertex.run({"position": vertices}, {"projection": np.eye(4)}, defaults=0)
    core = lw.load_shadercore(EXAMPLES / "transform.sc")
    assert_type(core, lw.shadercore.ShaderCoreProgram)
    second = core.run({"position": vertices}, {"c0": np.eye(4)}, defaults=0)
    shader = lw.load_direct3d9(EXAMPLES / "direct3d9" / "lit.vsa")
    assert_type(shader, lw.Direct3DShader)
    third = shader.run({"position": vertices}, {"c0": np.eye(4)}, defaults=0)
    fourth = shader.compile().run({"position": vertices}, {"c0": np.eye(4)}, defaults=0)
    for result in (first, second, third, fourth):
        positions: NDArray[Any] = result.outputs["position"]
        assert positions.shape == result.bits["position"].shape == (result.lanes, 4)
        assert_type(result.lanes, int)
        assert_type(result.engine, str)
    assert_type(first.isa, Literal["pica200"])
    assert first.written["position"].all()


def test_the_instruction_set_narrows(tmp_path: Path):
    for isa, path in FILES.items():
        program = lw.load(path, isa=isa)
        if program.isa == "pica200":
            assert_type(program, lw.pica200.ShaderFile)
            assert program.vertex.name
        elif program.isa == "shadercore":
            assert_type(program, lw.shadercore.ShaderCoreProgram)
            assert program.time().total_cycles
        else:
            assert_type(program, lw.Direct3DShader)
            assert program.compile().words


def test_a_compiled_program_is_a_program(tmp_path: Path):
    made = lw.load_direct3d9(FILES["direct3d9"]).compile()
    made.save(tmp_path / "lit.scb")
    loaded = lw.load_shadercore(tmp_path / "lit.scb")
    assert (made.isa, made.words) == (loaded.isa, tuple(loaded.words))
    assert [finding.code for finding in made.check()] == [finding.code for finding in loaded.check()]
    assert made.graph().text() == loaded.graph().text()
    values = {"position": [[1, 2, 3], [4, 5, 6]], "normal": [0, 0, 1]}
    inputs = {name: loaded.inputs[name] for name in values}
    assert set(inputs.values()) <= {"v0", "v1", "v2"}
    found = made.run(values, defaults=0).registers
    expected = loaded.run(values, defaults=0).registers
    assert sorted(found) == sorted(expected)
    assert all(np.array_equal(found[name], expected[name]) for name in found)


def test_an_effect_is_not_a_shader():
    with pytest.raises(lw.InputError, match="holds 5 shaders"):
        lw.load_direct3d9(EXAMPLES / "water.fxb")
    assert lw.load_direct3d9(f"{EXAMPLES / 'water.fxb'}:Flat/Only/pixel").words


def test_a_file_of_another_instruction_set_is_named():
    with pytest.raises(lw.InputError, match=r"recognised as .*ShaderCore.*: lanewise.load_shadercore reads it"):
        lw.load_pica200(FILES["shadercore"])
