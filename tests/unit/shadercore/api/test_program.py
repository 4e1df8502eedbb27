"""ShaderCore programs in Python: loading, running, checking, timing, saving."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.shadercore.isa.devices import DOCUMENT, RTL

SOURCE = """.input v0 position
.input v2 color1
.output o0 position
.output o2 texcoord
.const c0 (2.0, 3.0, 4.0, 5.0)
mul r0.xyz, v0.xyz, c0.xyz
rcp o0.x, r0.x
add o0.y, r0.y, v2.x
mov o0.zw, r0.z
mov o2.xy, v2.xy
end
"""
END = 0x00000001400280DF


def codes(error: pytest.ExceptionInfo[lw.InputError]) -> list[str]:
    return [finding.code for finding in error.value.diagnostics]


def loaded(name: str) -> object:
    """What `load` gives, of whatever type it is."""
    return lw.load(name)


@pytest.fixture
def program() -> lw.shadercore.ShaderCoreProgram:
    return lw.shadercore.ShaderCoreProgram.from_source(SOURCE, "a.sc")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sc").write_text(SOURCE)
    return tmp_path


def test_load_takes_every_form(folder: Path, program: lw.shadercore.ShaderCoreProgram):
    for name in ("b.scbin", "b.scb", "b.bin", "b.hex", "b.mem", "b.c", "b.sc", "b"):
        program.save(name)
        found = loaded(name)
        assert isinstance(found, lw.shadercore.ShaderCoreProgram), name
        assert found.program.words == program.program.words
        assert (found.inputs == program.inputs) == (name in ("b.scbin", "b.scb", "b.sc", "b")), name
    assert isinstance(lw.load("a.sc", isa="shadercore"), lw.shadercore.ShaderCoreProgram)
    program.save("b.txt", "vhdl")
    assert b"package a_rom is" in Path("b.txt").read_bytes()
    with pytest.raises(ValueError, match="unknown form"):
        program.to_bytes("elf")
    with pytest.raises(ValueError, match="leave out program"):
        lw.load("a.sc", 0)
    with pytest.raises(ValueError, match="unknown instruction set"):
        lw.load("a.sc", isa="x")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="load reads it"):
        lw.assemble("a.sc")


def test_what_is_no_program(folder: Path):
    Path("x.bin").write_bytes((0x0000000284008003).to_bytes(8, "little"))
    with pytest.raises(lw.InputError) as error:
        lw.load("x.bin")
    assert codes(error) == ["C001"]
    assert "not a ShaderCore file: the last word is mul, not end" in error.value.diagnostics[0].notes
    assert lw.load("x.bin", isa="shadercore").program.words == (0x0000000284008003,)
    with pytest.raises(lw.InputError) as error:
        lw.shadercore.ShaderCoreProgram.from_source("mov r9.x, 0\n")
    assert codes(error) == ["P205"]
    with pytest.raises(lw.InputError) as error:
        lw.shadercore.ShaderCoreProgram.from_words([])
    assert codes(error) == ["C207"]
    with pytest.raises(ValueError, match="not a 64-bit word"):
        lw.shadercore.ShaderCoreProgram.from_words([1 << 64])


def test_registers_that_are_not_declared_leave_the_declared_names_alone():
    text = ".input v0 position\n.output o0 position\nmov o0.x, v0.x\nmov o1.x, v1.y\nend\n"
    program = lw.shadercore.ShaderCoreProgram.from_source(text)
    assert program.inputs == {"position": "v0", "v1": "v1"}
    assert program.outputs == {"position": "o0", "o1": "o1"}
    result = program.run({"position": [[1, 2]], "v1": [[3, 4]]})
    assert (result.outputs["position"][0, 0], result.outputs["o1"][0, 0]) == (1, 4)
    assert [port.name for port in result.ports] == ["position", "o1"]
    twice = lw.shadercore.ShaderCoreProgram.from_source(
        ".output o0 position\n.output o1 position\nmov o0.x, 1\nmov o1.x, 1\nend\n"
    )
    assert twice.outputs == {"o0": "o0", "o1": "o1"}


def test_names(program: lw.shadercore.ShaderCoreProgram):
    assert program.inputs == {"position": "v0", "color1": "v2"}
    assert program.outputs == {"position": "o0", "texcoord": "o2"}
    assert repr(program) == "<ShaderCoreProgram a.sc: 10 words, position, color1 -> position, texcoord>"
    bare = lw.shadercore.ShaderCoreProgram.from_words(program.program.words)
    assert (bare.inputs, bare.outputs) == ({"v0": "v0", "v2": "v2"}, {"o0": "o0", "o2": "o2"})
    twice = lw.shadercore.ShaderCoreProgram.from_source(".input v0 color\n.input v1 color\nadd o0.x, v0.x, v1.x\nend\n")
    assert twice.inputs == {"v0": "v0", "v1": "v1"}


def test_run(program: lw.shadercore.ShaderCoreProgram):
    result = program.run({"position": [[1, 1, 1], [4, 2, 3]], "color1": [0.5, 1]})
    assert result.lanes == 2
    assert list(result.outputs) == ["position", "texcoord"]
    np.testing.assert_array_equal(result.outputs["position"], np.array([[0.5, 3.5, 4, 4], [0.125, 6.5, 12, 12]], np.float32))
    assert result.outputs["texcoord"].shape == (2, 2)
    assert result.outputs["o0"].dtype == np.float32
    assert result.bits["o0"].dtype == np.uint32
    np.testing.assert_array_equal(result.bits["position"], result.outputs["o0"].view(np.uint32))
    assert result.device == RTL
    assert result.warnings == ()
    with pytest.raises(KeyError, match="unknown output 'o7'"):
        result.outputs["o7"]
    whole = program.run({"v0": [1, 1, 1], "v2": 0}, device="document", count=3)
    assert whole.outputs["texcoord"].shape == (3, 4)
    assert whole.device == DOCUMENT
    with pytest.raises(lw.InputError, match="v2"):
        program.run({"v0": [1, 1, 1]})


def test_constants(program: lw.shadercore.ShaderCoreProgram):
    given = {"position": [1, 1, 1], "color1": [0, 0]}
    result = program.run(given, {"c0": [4]})
    np.testing.assert_array_equal(result.outputs["position"][0], np.array([0.25, 3, 4, 4], np.float32))
    rows = lw.shadercore.ShaderCoreProgram.from_source("mov o0.x, c4.y\nmov o0.y, c5.z\nend\n")
    result = rows.run(uniforms={"c4": np.arange(8).reshape(2, 4)}, defaults=0)
    np.testing.assert_array_equal(result.outputs["o0"][0, :2], [1, 6])
    bits = rows.run(uniforms={"c4": lw.Words([0, 0x7F812345])}, defaults=0).bits["o0"]
    assert hex(bits[0, 0]) == "0x7f812345"


def test_initial_registers_and_partial_waves():
    program = lw.shadercore.ShaderCoreProgram.from_source("add o0.x, r0.x, v1.w\nmov r0.x, v0.x\nend\n")
    values = np.arange(18, dtype=np.float32)
    result = program.run({"v0": values[:, None]}, initial={"r0.x": np.full(16, 7), "v1": [0, 0, 0, 0.5]})
    # the second wave finds what the first has left
    np.testing.assert_array_equal(result.outputs["o0"][:, 0], [7.5] * 16 + [0.5, 1.5])
    zero = program.run({"v0": values[:, None]}, initial={"r0.x": 7}, device="rtl,between_waves=zero", defaults=0)
    np.testing.assert_array_equal(zero.outputs["o0"][:, 0], [7] * 18)


def test_engines_and_threads_agree(program: lw.shadercore.ShaderCoreProgram):
    rng = np.random.default_rng(6)
    given = {"position": rng.normal(size=(50, 3)), "color1": rng.normal(size=(50, 2))}
    first = program.run(given, engine="reference")
    second = program.run(given, threads=2)
    np.testing.assert_array_equal(first.bits["position"], second.bits["position"])
    with pytest.raises(ValueError, match="unknown engine"):
        program.run(given, engine="gpu")
    with pytest.raises(ValueError, match="unknown device"):
        program.run(given, device="gpu")


@pytest.mark.parametrize(
    ("inputs", "more", "code"),
    [
        ({"normal": [1]}, {}, "B001"),
        ({"v0": [1], "position": [1]}, {}, "B006"),
        ({"v0": [[1, 2, 3, 4, 5]]}, {}, "B002"),
        ({"v0": np.zeros((2, 2, 2))}, {}, "B002"),
        ({"v0": np.zeros((0, 3))}, {}, "B002"),
        ({"v0": ["a"]}, {}, "B003"),
        ({"v0": [[1], [1, 2]]}, {}, "B003"),
        ({"v0": lw.Words([1.5])}, {}, "B003"),
        ({"v0": lw.Words([1 << 32])}, {}, "B007"),
        ({"v0": [[1], [2]], "v2": [[1], [2], [3]]}, {}, "B008"),
        ({"v0": [[1], [2]]}, {"count": 3}, "B008"),
        ({"v0": [1]}, {"count": 0}, "B008"),
        ({}, {"uniforms": {"c256": [1]}}, "B001"),
        ({}, {"uniforms": {"c255": [[1], [2]]}}, "B002"),
        ({}, {"uniforms": {"c0": [[1], [2]], "c1": [1]}}, "B006"),
        ({}, {"initial": {"c0": [1]}}, "B001"),
        ({}, {"initial": {"r0.q": 1}}, "B001"),
        ({}, {"initial": {"": 1}}, "B001"),
        ({}, {"initial": {"r0.x": [1, 2]}}, "B002"),
        ({}, {"initial": {"r0": np.zeros((4, 16))}}, "B002"),
        ({"v0": [1]}, {"indices": [0.5]}, "B011"),
        ({"v0": [[1], [2]]}, {"indices": [2]}, "B011"),
        ({"v0": [1]}, {"indices": [0, 99]}, "B011"),
        ({"v0": [[1]], "v2": [3, 4]}, {"indices": [1]}, "B011"),
        ({}, {"streams": [lw.shadercore.Stream(input="v0", kind="float1", data=bytes(4))], "indices": [1]}, "B011"),
        ({}, {"streams": [lw.shadercore.Stream(input="v0", kind="float1", data=b"")]}, "B201"),
        ({"v0": [[1], [2]]}, {"indices": [-1]}, "B011"),
    ],
)
def test_data_that_does_not_fit(
    program: lw.shadercore.ShaderCoreProgram, inputs: dict[str, object], more: dict[str, object], code: str
):
    with pytest.raises(lw.InputError) as error:
        program.run(inputs, **more)  # type: ignore[arg-type]
    assert code in codes(error)
    assert all(finding.fix for finding in error.value.diagnostics)
    assert {finding.span.file for finding in error.value.diagnostics} == {program.name}


def test_one_row_is_for_all_vertices_that_others_have(program: lw.shadercore.ShaderCoreProgram):
    inputs = {"position": [[1, 1, 1], [2, 2, 2]], "color1": [0, 0]}
    assert program.run(inputs, indices=[0, 1]).lanes == 2
    assert program.run({"position": [1, 1, 1], "color1": [0, 0]}, indices=[0, 0, 0]).lanes == 3
    same = lw.shadercore.Stream(input="position", kind="float3", data=bytes(12), stride=0)
    assert program.run({"color1": [0, 0]}, streams=[same], indices=[7, 99]).lanes == 2


def test_indices_choose_rows(program: lw.shadercore.ShaderCoreProgram):
    result = program.run({"position": [[1, 1, 1], [2, 2, 2]], "color1": [0, 0]}, indices=[1, 1, 0])
    np.testing.assert_array_equal(result.outputs["position"][:, 0], np.array([0.25, 0.25, 0.5], np.float32))


def test_a_program_that_never_ends():
    for text in ("mov o0.x, x7.x\nend\n", "mov o0.x, v0.x\n"):
        with pytest.raises(lw.InputError) as error:
            lw.shadercore.ShaderCoreProgram.from_source(text, "h.sc").run({"v0": [1]})
        assert codes(error) == ["R201"]
        assert error.value.diagnostics[0].span.line == 1
    words = lw.shadercore.ShaderCoreProgram.from_source("mov o0.x, x7.x\nend\n").program.words
    with pytest.raises(lw.InputError) as error:
        lw.shadercore.ShaderCoreProgram.from_words(words).run()
    assert error.value.diagnostics[0].span.offset == 0


def test_check(program: lw.shadercore.ShaderCoreProgram, folder: Path):
    assert [(d.code, d.span.line) for d in program.check()] == []
    bad = lw.shadercore.ShaderCoreProgram.from_source("mov o0.x, 1\nmov o0.y, 1 ; lanewise: ignore\nend\n", "b.sc")
    assert [(d.code, d.span.line) for d in bad.check()] == [("V214", 1)]
    assert bad.check("document") == ()
    bad.save("b.scb")
    found = lw.load("b.scb", isa="shadercore").check()
    assert [(d.code, d.span.offset, d.notes[0]) for d in found] == [
        ("V214", 32, "slot 0: mov o0.x, 1"),
        ("V214", 40, "slot 1: mov o0.y, 1"),
    ]
    assert [d.code for d in lw.shadercore.ShaderCoreProgram.from_words([0x0000000284008003]).check()] == ["V202", "V218"]


def test_time(program: lw.shadercore.ShaderCoreProgram):
    timing = program.time()
    assert timing.total_cycles == program.time("rtl").total_cycles
    assert [issue.cycle for issue in program.time("document").issues][:3] == [0, 4, 8]
    stream = lw.shadercore.Stream(input="position", kind="float3", data=b"")
    draw = program.time_draw(20, streams=[stream])
    assert (draw.waves, draw.fetch) == (2, 7 * 3 * 20 + 3 * 5)
    assert program.time_draw(device="document").total is None


def test_disassembly(program: lw.shadercore.ShaderCoreProgram, folder: Path):
    again = lw.shadercore.ShaderCoreProgram.from_source(program.disassemble(), "a.sc")
    assert again.program.words == program.program.words
    assert again.program.constants == program.program.constants
    program.save("b.scb")
    for given in ("b.scb", program, program.to_bytes()):
        (source,) = lw.disassemble(given).sources
        assert source.name.endswith(".sc")
        assert lw.shadercore.ShaderCoreProgram.from_source(source.text).program.words == program.program.words


def test_programs_travel(program: lw.shadercore.ShaderCoreProgram):
    again = pickle.loads(pickle.dumps(program))
    np.testing.assert_array_equal(
        again.run({"v0": [1, 1, 1], "v2": [0]}).bits["o0"], program.run({"v0": [1, 1, 1], "v2": [0]}).bits["o0"]
    )


def test_the_example():
    program = lw.load(REPOSITORY / "examples" / "transform.sc", isa="shadercore")
    assert program.inputs == {"position": "v0", "color": "v1"}
    assert program.check() == ()
