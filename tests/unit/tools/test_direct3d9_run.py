"""`lanewise run` for Direct3D 9 shaders: files of every kind, data by name, rules, choices, both engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from documents import columns
from lanewise.direct3d9.container.stream import write_stream
from lanewise.tools import cli

SOURCE = """vs_2_0
dcl_position v0
dcl_texcoord1 v1
mov r0, v0
rep i0
  add r0, r0, c0
endrep
if b0
  mov r0.w, v1.x
endif
mov oPos, r0
rcp oFog, v1.x
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(SOURCE)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert cli.main(["run", *argv, "--format", "json", "--default", "0"]) == 0
    return json.loads(capsys.readouterr().out)


def values(data: dict[str, Any]) -> dict[str, list[float]]:
    return columns(data)


def test_numbers_in_and_out(folder: Path, capsys: pytest.CaptureFixture[str]):
    data = run(
        capsys, "a.txt", "-i", "position=1,2;3,4", "-i", "texcoord1=0.5", "-c", "c0=1,1", "--int", "i0=3", "--bool", "b0=true"
    )
    assert values(data) == {"oPos.x": [4, 6], "oPos.y": [5, 7], "oPos.z": [0, 0], "oPos.w": [0.5, 0.5], "oFog.x": [2, 2]}
    assert (data["unit"], data["variant"], data["lanes"], data["inputs_without_data"]) == ("vertex", "ieee", 2, [])
    assert columns(data, "bits")["oPos.x"] == [0x40800000, 0x40C00000]
    assert run(capsys, "a.txt")["inputs_without_data"] == ["position", "texcoord1"]


def test_files_of_words(folder: Path, capsys: pytest.CaptureFixture[str]):
    shader = lw.load(folder / "a.txt", isa="direct3d9")
    (folder / "a.vso").write_bytes(write_stream(shader.shader))
    text = run(capsys, "a.txt", "-i", "v0=1,2,3", "-i", "v1=2")
    words = run(capsys, "a.vso", "-i", "v0=1,2,3", "-i", "v1=2")
    assert values(text) == values(words)
    loaded = lw.load(folder / "a.vso")
    assert isinstance(loaded, lw.Direct3DShader)
    assert loaded.run({"v0": [1, 2, 3]}, defaults=0).outputs["position"].tolist() == [[1, 2, 3, 1]]
    with pytest.raises(ValueError, match="leave out"):
        lw.load(folder / "a.vso", 0)


def test_rules_devices_and_choices(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "d.toml").write_text('base = "rtl"\n[set]\nrcp = "exact"\nrcp_sigma = "fixed"\n')
    argv = ["a.txt", "-i", "v1=0", "-i", "v0=1"]
    assert columns(run(capsys, *argv), "bits")["oFog.x"] == [0x7F800000]
    largest = run(capsys, *argv, "--set", "rcp_zero=largest,scalar=x")
    assert columns(largest, "bits")["oFog.x"] == [0x7F7FFFFF]
    assert largest["variant"] == "ieee, rcp_zero=largest, scalar=x"
    assert run(capsys, *argv, "--rule", "rtl")["variant"] == "rtl"
    assert run(capsys, *argv, "--device", "d.toml")["variant"].startswith("d")
    third = columns(run(capsys, "a.txt", "-i", "v1=3", "--device", "d.toml"), "bits")["oFog.x"]
    assert third == [0x3EAAAAAB]
    assert run(capsys, *argv, "--engine", "llvm")["engine"] == "llvm"


def test_pixels(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "p.psa").write_text("ps_2_0\ndcl t0\ndcl_2d s0\ntexkill t0\ntexld r0, t0, s0\nmov oC0, r0\n")
    np.save(folder / "s.npy", np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.float32))
    data = run(capsys, "p.psa", "-i", "t0=1,1;-1,1", "--sampler", "0=s.npy")
    assert data["killed"] == [False, True]
    assert values(data)["oC0.x"] == [1, 5]
    assert cli.main(["run", "p.psa", "-i", "t0=1", "--sampler", "0=1,1,1,1", "--engine", "llvm", "--default", "0"]) == 0
    assert "run by the reference engine: texld samples" in capsys.readouterr().err
    assert cli.main(["run", "p.psa", "--default", "0"]) == 1
    error = capsys.readouterr().err
    assert "R307" in error and "also without data" not in error
    (folder / "q.psa").write_text(
        "ps_2_0\ndcl t0\ndcl_2d s0\ndcl_2d s1\ndcl_2d s4\n" + "".join([f"texld r{n}, t0, s{n}\n" for n in (0, 1, 4)])
    )
    assert cli.main(["run", "q.psa", "--default", "0", "--sampler", "1=1,1,1,1"]) == 1
    assert "note: also without data: s4\n" in capsys.readouterr().err  # all of them at once


def test_the_table_for_people(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", "a.txt", "-i", "v0=1,2;3,4", "-i", "v1=2", "--default", "0"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["position", "(oPos)", "fog", "(oFog)"]
    assert out[1].split() == ["vertex", "x", "y", "z", "w", "x"]
    assert out[2].split() == ["0", "1", "2", "0", "1", "0.5"]
    assert cli.main(["run", "a.txt", "--count", "30", "--bits", "--default", "0"]) == 0
    shown = capsys.readouterr()
    assert "0x7F800000" in shown.out and "10 more vertices" in shown.out


def test_a_shader_that_runs_too_long(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", "a.txt", "--int", "i0=9", "--turns", "8", "--default", "0"]) == 1
    assert "R305" in capsys.readouterr().err
    assert cli.main(["run", "a.txt", "--int", "i0=9", "--turns", "9", "--default", "0"]) == 0


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["a.txt", "-i", "normal=1"], 1, "B001"),
        (["a.txt", "-i", "position"], 2, "NAME=VALUE"),
        (["a.txt", "-i", "v0=1", "-i", "v0=2"], 2, "twice"),
        (["a.txt", "--int", "i0=many"], 1, "whole numbers"),
        (["a.txt", "--bool", "b0=maybe"], 1, "neither true nor false"),
        (["a.txt", "--int", "i0=300"], 1, "R306"),
        (["a.txt", "--sampler", "x=1,1,1,1"], 1, "B001"),
        (["a.txt", "--sampler", "0=1,1,1,1", "--sampler", "s0=1,1,1,1"], 1, "B006"),
        (["a.txt", "--rule", "fast"], 2, "--rule"),
        (["a.txt", "--rule", "ieee", "--device", "rtl"], 2, "both name"),
        (["a.txt", "--device", "gpu"], 2, "unknown number rule"),
        (["a.txt", "--set", "rcp=never"], 2, "rcp cannot be"),
        (["a.txt", "--turns", "0"], 2, "--turns is 0, expected 1 to"),
        (["b.txt", "--isa", "direct3d9"], 1, "P3"),
        (["none.vso"], 1, "cannot read"),
    ],
)
def test_what_is_wrong_is_said(argv: list[str], code: int, said: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "b.txt").write_text("vs_2_0\nmov r0\n")
    assert cli.main(["run", *argv]) == code
    assert said in capsys.readouterr().err


def test_findings_as_json(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", "a.txt", "-i", "normal=1", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == "B001"


def test_help_has_examples(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        cli.main(["run", "--isa", "direct3d9", "--help-all"])
    out = capsys.readouterr().out
    assert "--rule" in out and "lanewise run light.vso" in out


def test_outputs_are_written_as_npz(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", "a.txt", "-i", "position=1,2,3", "-o", "out.npz", "--default", "0"]) == 0
    with np.load("out.npz") as made:
        np.testing.assert_array_equal(made["position"], [[1, 2, 3, 1]])
        assert made["position"].dtype == np.float32
    assert cli.main(["run", "a.txt", "-o", "out.txt"]) == 2
    assert cli.main(["run", "a.txt", "-o", "-", "--format", "json"]) == 2
    assert "want standard output" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "given", "unused"),
    [
        ("mul r0, v0, c4", ["--const", "c4=1,1,1,1", "--const", "c9=1"], "c9"),
        ("m4x4 r0, v0, c4", ["--const", "c7=1,1,1,1", "--const", "c8=1"], "c8"),
        ("mul r0, v0, c4", ["--const", "c3=1,1,1,1;2,2,2,2"], ""),
        ("mul r0, v0, c4", ["--const", "C2=1,1,1,1;2,2,2,2"], "C2"),
        ("mova a0.x, v0.x\nmov r0, c[a0.x+4]", ["--const", "c90=1", "--const", "c20=words:0,0,0,0"], "c20"),
        ("mul r0, v0, c4", ["--sampler", "3=1,1,1,1"], "s3"),
    ],
)
def test_constants_and_samplers_that_are_not_read_are_named(
    source: str, given: list[str], unused: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "x.vsa"
    path.write_text(f"vs_2_0\ndef c20, 1, 2, 3, 4\ndcl_position v0\n{source}\nmov oPos, r0\n")
    assert cli.main(["run", str(path), "-i", "v0=1,2,3,4", "--default", "0", *given]) == 0
    error = capsys.readouterr().err
    assert (f"no effect: {unused}; the shader does not read it" in error) if unused else ("no effect" not in error)


@pytest.mark.parametrize(
    "source", ["ps_2_0\ndcl t0\ndcl_2d s1\ntexld r0, t0, s1\nmov oC0, r0\n", "ps_1_1\ntex t1\nmov r0, t1\n"]
)
def test_samplers_that_are_read_are_not_named(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "x.psa"
    path.write_text(source)
    assert cli.main(["run", str(path), "--default", "0", "--sampler", "1=1,1,1,1", "--sampler", "s2=1,1,1,1"]) == 0
    assert "no effect: s2; the shader" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "options", "said"),
    [
        (
            "-0.125,1.25,0,0",
            [],
            "c7.xy are given but never read: the shader reads only c7.z, which is 0; the source has other ",
        ),
        ("-0.125,1.25,0,0", ["-D", "LINEAR"], ""),
        ("-0.125,1.25,-1,0", [], ""),
        ("0,0,0,1", [], ""),
        ("0,0,0,0", [], ""),
    ],
)
def test_numbers_of_a_constant_beside_those_that_are_read(
    value: str, options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "x.vsa"
    lines = "#ifdef LINEAR\nmad r0, v0.w, c7.x, c7.y\n#else\nmul r0, v0.w, c7.z\n#endif\n"
    path.write_text(f"vs_2_0\ndcl_position v0\n{lines}mov oPos, r0\n")
    assert cli.main(["run", str(path), "-i", "v0=1,2,3,4", "-u", f"c7={value}", *options]) == 0
    error = capsys.readouterr().err
    assert (said in error and "with -D LINEAR" in error) if said else "never read" not in error


def test_integers_and_booleans_that_are_not_read_are_named(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert (
        cli.main(["run", "a.txt", "--int", "i0=1", "--int", "i1=1", "--bool", "b0=1", "--bool", "b9=1", "--default", "0"]) == 0
    )
    assert "no effect: i1, b9; the shader does not read it" in capsys.readouterr().err
    assert cli.main(["run", "a.txt", "--int", "i0=1", "--bool", "b0=1", "--default", "0"]) == 0
    assert "does not read" not in capsys.readouterr().err


TRACED = ["a.txt", "-i", "position=1,2,3,4", "-i", "texcoord1=0.5", "-u", "c0=1,1,1,1", "--int", "i0=2", "--bool", "b0=true"]


def test_a_trace_in_every_format(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", *TRACED, "--trace", "0"]) == 0
    out = capsys.readouterr().out
    assert "\nstep 2, word 12, a.txt:6:3\n    add r0, r0, c0\n" in out and "\n  state  iteration 1 of 2 (i0)\n" in out
    assert cli.main(["run", *TRACED, "--trace", "0", "--trace-format", "table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["step", "word", "instruction"] and len(lines) == 11
    assert cli.main(["run", *TRACED, "--trace", "0", "--explain", "fog.x"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("fog.x (oFog.x) = 2 [40000000], lane 0\n") and "input texcoord1.x (v1) = 0.5" in out
    assert cli.main(["run", *TRACED, "--trace", "0", "-o", "trace.json"]) == 0
    shown = json.loads((folder / "trace.json").read_text())
    assert (shown["isa"], shown["version"], len(shown["steps"])) == ("direct3d9", "vs_2_0", 10)
    assert shown["steps"][2]["loops"] == [{"register": "i0", "iteration": 1, "count": 2, "aL": None}]


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--trace", "1"], 1, "lane 1 does not exist"),
        (["--trace", "0", "--trace-format", "vcd"], 2, "--trace-format vcd: a waveform needs cycles"),
        (["--trace", "0", "-o", "wave.vcd"], 2, "error: -o wave.vcd: a waveform needs cycles"),
        (["--trace", "0", "--explain", "fog.q"], 1, "nothing is known of 'fog.q'"),
        (["--trace", "0", "--explain", "position"], 1, "'position' is a whole register"),
        (["--explain", "fog.x"], 2, "go with --trace N"),
    ],
)
def test_traces_that_there_are_not(folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, words: str):
    assert cli.main(["run", *TRACED, *options]) == code
    out, error = capsys.readouterr()
    assert words in out + error


def test_registers_at_the_end(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", *TRACED, "--registers"]) == 0
    outputs, registers = capsys.readouterr().out.split("\n\n")
    assert "fog (oFog)" in outputs
    assert [line.split() for line in registers.splitlines()[:2]] == [
        ["vertex", "register", *"xyzw"],
        ["0", "r0", "3", "4", "5", "0.5"],
    ]
    assert cli.main(["run", *TRACED, "--registers", "--bits"]) == 0
    assert "r0  0x40400000  0x40800000" in capsys.readouterr().out
    assert cli.main(["run", *TRACED, "--registers", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)["registers"]
    assert list(shown) == ["r0", "oPos", "oFog"]
    assert shown["r0"] == {
        "format": "float32",
        "values": [[3, 4, 5, 0.5]],
        "bits": [[0x40400000, 0x40800000, 0x40A00000, 0x3F000000]],
    }
