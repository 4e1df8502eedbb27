"""Programs of files that hold several: `FILE:NAME` and `--program`, for effects and SHBINs."""

from __future__ import annotations

import json
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
from direct3d9_effects import PIXEL, dxbc, mgfx, stream, water, xnb
from lanewise.core.diagnostics import InputError
from lanewise.core.members import choose, split
from lanewise.core.service import Disassembly, InputFailure
from lanewise.direct3d9.container.effects import read_effect
from lanewise.tools.cli import main
from lanewise.tools.dis import write_sources

if TYPE_CHECKING:
    from pathlib import Path

TWO = ".out place position\n.in position\n.proc main\n mov place, position\n end\n.end\n"


@pytest.fixture
def fxb(tmp_path: Path) -> str:
    path = tmp_path / "water.fxb"
    path.write_bytes(water())
    return str(path)


def ran(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = main(list(argv))
    out, err = capsys.readouterr()
    return status, out, err


def test_the_longest_file_that_exists_is_meant():
    files = {"a", "a:b", "c:\\d.fxb"}
    assert split("a:b", files.__contains__) == ("a:b", "")
    assert split("a:b:c", files.__contains__) == ("a:b", "c")
    assert split("a:c:d", files.__contains__) == ("a", "c:d")
    assert split("c:\\d.fxb:P0/pixel", files.__contains__) == ("c:\\d.fxb", "P0/pixel")
    assert split("none:x", files.__contains__) == ("none:x", "")
    assert split("a:", files.__contains__) == ("a:", "")


def test_names_that_are_numbers_are_not_counted():
    names = {"0": "0", "1": "1", "0/0": "0", "0/1": "1", "0/target": "0/target"}
    assert [choose(names, wanted, "x") for wanted in ("1", "0/1", "target")] == ["1", "1", "0/target"]
    for wanted in ("2", "4"):
        with pytest.raises(InputError) as caught:
            choose(names, wanted, "x")
        assert caught.value.diagnostics[0].message == f"unknown program '{wanted}'"
    with pytest.raises(InputError) as caught:
        choose(names, "1/7", "x", "draw")
    note = "draws count from 0, and N/M is draw M of frame N; a vertex is given with --trace"
    assert caught.value.diagnostics[0].notes == (note,)
    for wanted, fix in (("1/0", "write x:0/1: draw 1 of frame 0"), ("1/vertex", "write x:1: draw 1 has one program")):
        with pytest.raises(InputError) as caught:
            choose(names, wanted, "x", "draw")
        assert caught.value.diagnostics[0].fix == fix
        choose(names, fix.split(":")[1], "x", "draw")


def test_a_name_may_be_short_where_it_is_clear():
    names = {name: name for name in ("Water/P0/vertex", "Water/P0/pixel", "Flat/Only/pixel")}
    assert choose(names, "flat/only/PIXEL", "x") == "Flat/Only/pixel"
    assert choose(names, "vertex", "x") == "Water/P0/vertex"
    assert choose(names, "water/pixel", "x") == "Water/P0/pixel"
    assert choose(names, "2", "x") == "Flat/Only/pixel"
    assert choose({**names, "Water/P1/vertex": "Water/P0/vertex"}, "vertex", "x") == "Water/P0/vertex", "both are the same"
    for wanted, says in (
        ("pixel", "'pixel' is the name of 2 programs"),
        ("glow", "unknown program 'glow'"),
        ("3", "unknown program '3'"),
    ):
        with pytest.raises(InputError, match=says) as error:
            choose(names, wanted, "x")
        assert error.value.diagnostics[0].code == "B010"
        assert "Flat/Only/pixel" in (error.value.diagnostics[0].fix or "")


def test_inspect_lists_an_effect(fxb: str, capsys: pytest.CaptureFixture[str]):
    status, out, _ = ran(capsys, "inspect", fxb)
    assert status == 0
    assert "2 techniques, 3 passes, 3 parameters, 5 shaders" in out
    assert "AlphaBlendEnable=True, SrcBlend=SrcAlpha" in out
    assert "Choices[...]" in out
    data = json.loads(ran(capsys, "inspect", fxb, "--format", "json")[1])
    assert [each["name"] for each in data["file"]["techniques"]] == ["Water", "Flat"]
    assert data["file"]["parameters"][0]["default"] == [1, 0.5, 0.25, 1]
    assert data["file"]["shaders"][0] == {
        "name": "Water/P0/vertex",
        "stage": "vertex",
        "code": "Direct3D 9",
        "version": "vs_2_0",
        "slots": 4,
        "size": 36,
        "offset": data["file"]["shaders"][0]["offset"],
        "source": "",
    }


def test_commands_take_one_shader(fxb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert ran(capsys, "dis", f"{fxb}:flat/pixel")[1] == "ps_2_0\n    mov oC0, c1\n"
    assert ran(capsys, "dis", fxb, "--program", "Choices[1]")[1] == "ps_2_0\n    mov oC0, c1\n"
    assert "vertex shader vs_2_0" in ran(capsys, "inspect", f"{fxb}:vertex")[1]
    assert ran(capsys, "check", f"{fxb}:vertex")[0] == 0
    status, out, _ = ran(capsys, "run", f"{fxb}:flat/pixel", "-u", "c1=1,2,3,4", "--count", "1", "--format", "json")
    assert status == 0
    assert json.loads(out)["outputs"]["color"]["values"] == [[1.0, 2.0, 3.0, 4.0]]
    assert ran(capsys, "compile", f"{fxb}:vertex")[0] == 0
    assert (tmp_path / "water_vertex.scb").is_file()


def test_an_effect_without_a_name(fxb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for command in (["run", fxb], ["compile", fxb, "--check"], ["dis", fxb, "--to", "hex"], ["inspect", fxb, "--listing"]):
        status, _, err = ran(capsys, *command)
        assert (status, "error[C312]: this effect holds 5 shaders: name one" in err) == (1, True), command
        assert f"write {fxb}:Water/P0/vertex; it has Water/P0/vertex, Water/P0/pixel" in err
    assert ran(capsys, "dis", fxb, "-o", str(tmp_path / "out"))[0] == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "water_Choices_0_.psa",
        "water_Choices_1_.psa",
        "water_Flat_Only_pixel.psa",
        "water_Water_P0_pixel.psa",
        "water_Water_P0_vertex.vsa",
    ]
    for path in (tmp_path / "out").iterdir():
        assert ran(capsys, "check", str(path))[0] == 0
    status, out, _ = ran(capsys, "check", fxb, "--stats")
    assert (status, out.count("water.fxb:")) == (0, 5)
    assert "not a source: `lanewise dis` turns it into one" in ran(capsys, "asm", fxb)[2]
    assert ran(capsys, "run", f"{fxb}:nope")[2].startswith("error[B010]: unknown program 'nope'")


def test_findings_have_places_in_the_effect(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "water.fxb"
    data = bytearray(water())
    shader = read_effect(bytes(data), "").effect
    assert shader is not None
    at = shader.shaders[2].offset + 12  # the source of mov oC0, c1
    assert data[at : at + 4] == bytes.fromhex("0100e4a0")
    data[at] = 200
    path.write_bytes(bytes(data))
    for file in (str(path), f"{path}:Flat/pixel"):
        status, out, _ = ran(capsys, "check", file, "--format", "json")
        (finding,) = json.loads(out)["diagnostics"]
        assert (status, finding["code"], finding["span"]["file"], finding["span"]["offset"]) == (1, "V302", str(path), at - 8)
        assert finding["notes"][-1] == "in the shader Flat/Only/pixel"


def test_other_code_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "glow.mgfxo"
    path.write_bytes(mgfx(10, 0))
    assert "GLSL" in ran(capsys, "inspect", str(path))[1]
    for command in ("dis", "check", "run", "compile"):
        for name in ("", ":P0/vertex"):
            status, out, err = ran(capsys, command, f"{path}{name}")
            assert (status, "error[C315]: Glow/P0/vertex is GLSL, not Direct3D 9 code" in out + err) == (1, True), command
    path.write_bytes(mgfx(10, 1))
    assert ran(capsys, "dis", f"{path}:P1/pixel")[1].startswith("ps_2_0\n")


def test_a_container_of_one_shader_needs_no_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "one.cso"
    path.write_bytes(dxbc(stream(PIXEL)))
    assert ran(capsys, "dis", str(path))[1].startswith("ps_2_0\n")
    path.write_bytes(xnb(water(xna=True)))
    assert "in an XNB" in ran(capsys, "inspect", str(path))[1]


def test_a_file_of_one_program_takes_no_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "plain.pso"
    path.write_bytes(stream(PIXEL))
    for command in ("dis", "check", "run", "inspect", "compile"):
        assert "holds one program: leave out ':P0'" in ran(capsys, command, f"{path}:P0")[2], command
    odd = tmp_path / "plain.pso:P0"
    odd.write_bytes(stream(PIXEL))
    assert ran(capsys, "dis", str(odd))[1].startswith("ps_2_0\n")


def test_shaders_of_an_shbin_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "first.v.pica").write_text(TWO)
    (tmp_path / "second.v.pica").write_text(
        TWO.replace("mov place,", "add place, position,").replace("main", "other") + ".entry other\n"
    )
    file = str(tmp_path / "both.shbin")
    assert ran(capsys, "asm", str(tmp_path / "first.v.pica"), str(tmp_path / "second.v.pica"), "-o", file)[0] == 0
    data = ["-i", "position=1,2,3,4"]
    names = [shader.name for shader in lw.load(file).programs]
    expected = ran(capsys, "run", file, "--program", names[1], *data)
    assert expected[0] == 0
    assert ran(capsys, "run", f"{file}:{names[1]}", *data) == expected
    assert ran(capsys, "run", f"{file}:1", *data) == expected
    assert ran(capsys, "graph", f"{file}:{names[1]}") == ran(capsys, "graph", file, "--program", names[1])
    assert lw.load(f"{file}:{names[1]}", isa="pica200").name == names[1]
    assert "takes all shaders of" in ran(capsys, "dis", f"{file}:1")[2]
    assert "and so does --program" in ran(capsys, "run", f"{file}:1", "--program", "0", *data)[2]


def test_effects_in_python(fxb: str):
    effect = lw.load_effect(fxb)
    assert effect.techniques[0].passes[0].pixel == "Water/P0/pixel"
    assert list(effect) == ["Water/P0/vertex", "Water/P0/pixel", "Flat/Only/pixel", "Choices[0]", "Choices[1]"]
    result = effect["Flat/Only/pixel"].run(uniforms={"c1": [1, 2, 3, 4]}, count=1)
    assert result.outputs["color"].tolist() == [[1, 2, 3, 4]]
    assert effect.shader(0).compile().program.words
    assert effect.check() == ()
    assert lw.load(f"{fxb}:Water/P0/vertex", isa="direct3d9").shader == effect["Water/P0/vertex"].shader
    assert lw.load(fxb, "Water/P0/vertex", isa="direct3d9").shader == effect["Water/P0/vertex"].shader
    assert isinstance(lw.load(fxb), lw.Direct3DEffect)
    named = [
        "water_Water_P0_vertex.vsa",
        "water_Water_P0_pixel.psa",
        "water_Flat_Only_pixel.psa",
        "water_Choices_0_.psa",
        "water_Choices_1_.psa",
    ]
    for file in (fxb, effect, lw.load(fxb)):
        assert [source.name for source in lw.disassemble(file).sources] == named
    for one in (f"{fxb}:Flat/Only/pixel", lw.load(f"{fxb}:Flat/Only/pixel"), effect["Flat/Only/pixel"]):
        (source,) = lw.disassemble(one).sources
        assert (source.name.endswith(".psa"), source.text) == (True, "ps_2_0\n    mov oC0, c1\n")
    with pytest.raises(InputError, match="C315"):
        lw.load_effect(mgfx(10, 0))["P0/vertex"]
    with pytest.raises(InputError, match="C314"):
        lw.load_effect(b"MGFX")


def test_a_program_of_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def given(*argv: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(water())))
        return ran(capsys, *argv)

    assert given("dis", "-:Flat/Only/pixel") == given("dis", "--program", "Flat/Only/pixel", "-")
    assert given("check", "-:Flat/Only/pixel")[0] == 0
    status, _, err = given("dis", "-:glow")
    assert status == 1
    assert "help: write -:Water/P0/vertex; it has " in err


def test_an_unknown_word_after_a_picture(fxb: str, capsys: pytest.CaptureFixture[str]):
    status, _, err = ran(capsys, "run", f"{fxb}:Water/P0/pixel", "--default", "0", "--sampler", "s0=wall.png,linear,cubic")
    assert status == 1
    assert "unknown word 'cubic' after wall.png: use point, linear, wrap, mirror, clamp, border" in err


def test_a_file_without_programs_is_not_written(tmp_path: Path):
    output = tmp_path / "out.vsa"
    with pytest.raises(InputFailure, match="is not written: there is no program in the file"):
        write_sources(Disassembly(sources=()), str(output), "lanewise dis", force=False)
    assert not output.exists()
