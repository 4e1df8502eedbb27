"""`--profile FILE.toml`: profiles from files, for every command and in configurations."""

from __future__ import annotations

from pathlib import Path

import pytest

import lanewise as lw
from documents import checked
from lanewise.core.service import InputFailure
from lanewise.pica200.sem.profile import PRESETS, profiles, read_profile
from lanewise.tools import cli

SOURCE = (
    ".out pos position\n.constf k(0.0, 1.0, -1.0, 0.00001144)\n.proc main\n    mov r0, k.wwww\n    add r0, k.yyyy, r0\n"
    "    add pos, k.zzzz, r0\n    end\n.end\n"
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.v.pica").write_text(SOURCE)
    Path("console.toml").write_text('# of a console\nrounding = "nearest"\nal_break = "none"\n')


@pytest.mark.parametrize("preset", PRESETS)
def test_a_profile_and_its_file_are_equal(preset: str):
    profile = profiles[preset].replace(dot_order="once", emit_slots="4")
    text = profile.to_toml("of a run\non a console")
    assert text.startswith("# of a run\n# on a console\npreset = ")
    assert read_profile(text.encode(), "p.toml") == profile


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert cli.main([*arguments, "--format", "json"]) == 0
    return checked(capsys.readouterr().out)


def test_a_run_uses_the_file(capsys: pytest.CaptureFixture[str]):
    usual = shown(capsys, "run", "p.v.pica")
    found = shown(capsys, "run", "p.v.pica", "--profile", "console.toml", "--set", "al_last=none")
    assert found["variant"] == "hardware, rounding=nearest, al_break=none, al_last=none"
    assert found["outputs"] != usual["outputs"]
    assert shown(capsys, "graph", "p.v.pica", "--profile", "console.toml")["diagnostics"] == []


def test_a_debugger_uses_the_file(capsys: pytest.CaptureFixture[str]):
    Path("script").write_text("continue\nprint o0.x\n")
    usual = shown(capsys, "debug", "p.v.pica", "--headless", "script")
    found = shown(capsys, "debug", "p.v.pica", "--headless", "script", "--profile", "console.toml")
    assert found["variant"] == "profile hardware, rounding=nearest, al_break=none"
    assert usual["variant"] == "profile hardware"
    assert usual["commands"] != found["commands"]


def test_a_configuration_names_the_file_relative_to_itself(capsys: pytest.CaptureFixture[str]):
    Path("sub").mkdir()
    Path("sub/p.v.pica").write_text(SOURCE)
    Path("lanewise.toml").write_text('profile = "console.toml"\n')
    assert shown(capsys, "run", "sub/p.v.pica")["variant"] == "hardware, rounding=nearest, al_break=none"
    assert shown(capsys, "run", "sub/p.v.pica", "--profile", "hardware")["variant"] == "hardware"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('rounding = "up"', "rounding cannot be 'up': use zero, nearest or float32"),
        (
            'roundin = "zero"\npreset = "citra"',
            "preset is 'citra': use hardware, azahar or panda3ds; unknown profile field 'roundin': did you mean rounding?",
        ),
        ("rounding = 1", "rounding cannot be '1'"),
    ],
)
def test_wrong_files(text: str, reason: str, capsys: pytest.CaptureFixture[str]):
    Path("bad.toml").write_text(text)
    assert cli.main(["run", "p.v.pica", "--profile", "bad.toml"]) == 2
    assert f"bad.toml: {reason}" in capsys.readouterr().err
    assert cli.main(["bench", "--profile", "bad.toml"]) == 2
    assert f"bad.toml: {reason}" in capsys.readouterr().err
    with pytest.raises(ValueError, match=r"bad\.toml"):
        read_profile(text.encode(), "bad.toml")


def test_files_that_cannot_be_read(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", "p.v.pica", "--profile", "none.toml"]) == 1
    assert "none.toml" in capsys.readouterr().err
    with pytest.raises(InputFailure, match="not valid TOML"):
        read_profile(b"=", "x.toml")
    with pytest.raises(ValueError, match=r"tomllib\.load"):
        lw.load("p.v.pica").vertex.run(profile="console.toml")  # pyright: ignore[reportAttributeAccessIssue]
