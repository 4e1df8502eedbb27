"""The rows of front ends and targets, and what the command offers and refuses by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lanewise.compile.frontends import FRONTENDS, frontend_named, frontend_of, recognised
from lanewise.compile.targets import TARGETS, targets_of
from lanewise.packages import language_of, packages, recognise
from lanewise.tools import cli, compile
from together import together

if TYPE_CHECKING:
    from pathlib import Path

GLSL = b"#version 330\nin vec4 place;\nvoid main() {\n  gl_Position = place; // done:\n}\n"
PICASSO = b".proc main\nend\n.end\n"
NIHSTRO = b"// { (\nmain:\n  end\n"


def test_a_row_names_packages_and_front_ends():
    names = {package.name for package in packages()}
    assert {frontend.isa for frontend in FRONTENDS} | {target.name for target in TARGETS} <= names
    assert {source for target in TARGETS for source in target.sources} == {frontend.name for frontend in FRONTENDS}
    suffixes = [suffix for frontend in FRONTENDS for suffix in frontend.suffixes]
    taken = {suffix for package in packages() for row in (*package.languages, *package.containers) for suffix in row.suffixes}
    assert len(set(suffixes)) == len(suffixes)
    assert not taken & set(suffixes)


def test_the_first_target_is_the_default():
    assert [target.name for target in targets_of("direct3d9")] == ["shadercore", "pica200"]
    assert [target.name for target in targets_of("glsl", "pica200")] == ["pica200", "shadercore"]


def test_a_target_is_one_that_is_offered(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["compile", "x.vsa", "--target", "z80"]) == 2
    assert "--target z80: use shadercore or pica200" in capsys.readouterr().err
    assert "{shadercore,pica200}" in compile.parser().format_help()


def test_front_ends_are_rows(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    monkeypatch.setattr("lanewise.compile.frontends.FRONTENDS", (FRONTENDS[0],))
    assert "{direct3d9}" in compile.parser().format_help()
    (tmp_path / "x.vert").write_bytes(GLSL.replace(b"//", b""))
    assert cli.main(["compile", str(tmp_path / "x.vert")]) == 1
    assert "is GLSL, not a shader that is compiled" in capsys.readouterr().err
    with pytest.raises(ValueError, match="unknown language 'glsl': use direct3d9"):
        frontend_named("glsl")


@together(
    ("name", "data", "kind"),
    [
        ("a.vsh", GLSL, "glsl"),
        ("a.vsh", PICASSO, "picasso"),
        ("a.vsh", NIHSTRO, "nihstro"),
        ("a.vsh", b"; void main() {\n" + PICASSO, "picasso"),
        ("a.vert", b"// nothing certain", "glsl"),
        ("-", GLSL, "glsl"),
        ("a.bin", b"\x03\x02\x23\x07" + bytes(16), "spirv"),
        ("a.spv", b"\x07\x23\x02\x03" + bytes(16), "spirv"),
        ("a.spv", b"", "spirv"),
        ("a.slang", b"float4 main() : SV_Position { return 0; }", "slang"),
        ("a.vert", b"float4 main(float4 p : POSITION) : SV_Position { return p; }", "hlsl"),
        ("a.vsh", b"float4 main(float4 p : POSITION) : SV_Position { return p; }", "hlsl"),
        ("a.vsa", b"vs_2_0\n#define BODY() { void main() }\n", "direct3d9"),
    ],
)
def test_content_decides(name: str, data: bytes, kind: str):
    match = recognise(name, data)
    row = None if match is None else match.language or match.container
    assert row is not None
    assert row.name == kind
    assert match is not None
    assert match.compiled == (kind in ("glsl", "spirv", "slang", "hlsl"))


def test_an_instruction_set_without_a_front_end():
    assert frontend_of("pica200", "picasso") is None
    assert frontend_of("direct3d9", "effect") == FRONTENDS[0]
    assert recognised("a.v.pica", PICASSO, PICASSO.decode()) is None


def test_an_option_of_another_language_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "x.vert").write_bytes(GLSL)
    assert cli.main(["compile", str(tmp_path / "x.vert"), "--array", "c0=3"]) == 2
    assert "--array is an option for Direct3D 9, but" in capsys.readouterr().err
    assert cli.main(["compile", str(tmp_path / "x.vert"), "--device", "rtl"]) == 2
    assert "--device is an option for ShaderCore, but" in capsys.readouterr().err


def test_a_dialect_of_a_configuration_is_not_glsl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lanewise.compile.outside.compilers.COMPILERS", ())
    (tmp_path / "lanewise.toml").write_text('dialect = "nihstro"\n')
    (tmp_path / "x.vsh").write_bytes(GLSL)
    assert language_of("nihstro")[1].name == "nihstro"
    assert cli.main(["check", "x.vsh"]) == 1
    assert "L900" in "".join(capsys.readouterr())
