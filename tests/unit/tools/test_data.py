"""`lanewise run --data FILE` on ShaderCore, Direct3D 9 and the toy; `test_dumps` has the PICA200 and what is wrong with
files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lanewise import packages
from lanewise.tools.cli import main
from toy_isa.package import TOY

PROGRAMS = {
    "s.sc": ".input v0 position\n.output o0 position\nadd r0.xyzw, v0.xyzw, c0.xyzw\nadd o0.xyzw, r0.xyzw, r1.xyzw\nend\n",
    "v.vsa": (
        "vs_2_0\ndcl_position v0\nmov r0, v0\nloop aL, i0\nadd r0, r0, c0\nendloop\nif b0\nadd r0.x, r0.x, c1.x\nendif\n"
        "mov oPos, r0\n"
    ),
    "p.psa": "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, c0\nmov oC0, r0\n",
    "t.toy": ".toy\n    load r0\n    mul r1\n    store r7\n    halt\n",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(packages, "PACKAGES", (*packages.PACKAGES, TOY))
    monkeypatch.chdir(tmp_path)
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("program", "data", "options", "outputs"),
    [
        (
            "s.sc",
            {
                "inputs": {"position": [[1, 2, 3, 4], [0, 0, 0, 0]]},
                "uniforms": {"c0": [1, 1, 1, 1]},
                "initial": {"r1": 0.5},
                "count": 1,
            },
            (),
            {"position": [[2.5, 3.5, 4.5, 5.5]]},
        ),
        (
            "s.sc",
            {"inputs": {"position": {"bits": ["3f800000"] * 4}}, "uniforms": {"c0": [1, 1, 1, 1]}},
            ("-u", "c0=3,3,3,3"),
            {"position": [[4, 4, 4, 4]]},
        ),
        (
            "v.vsa",
            {
                "inputs": {"position": [[1, 2, 3], [4, 5, 6]]},
                "uniforms": {"c0": [1, 0, 0, 0], "c1": 9},
                "integers": {"i0": [2, 0, 0]},
                "booleans": {"b0": True},
            },
            ("--bool", "b0=false"),
            {"position": [[3, 2, 3, 1], [6, 5, 6, 1]]},
        ),
        (
            "p.psa",
            {"inputs": {"texcoord0": [[0, 0]]}, "uniforms": {"c0": [2, 2, 2, 2]}, "samplers": {"s0": [1, 0.5, 0.25, 1]}},
            (),
            {"color": [[2, 1, 0.5, 2]]},
        ),
        ("t.toy", {"inputs": {"r0": [2, 3], "r1": 4}}, ("-i", "r0=5,6"), {"r7": [[20], [24]]}),
    ],
)
def test_data(
    program: str,
    data: dict[str, object],
    options: tuple[str, ...],
    outputs: dict[str, list[list[float]]],
    here: Path,
    capsys: pytest.CaptureFixture[str],
):
    (here / "d.json").write_text(json.dumps(data))
    assert main(["run", program, "--data", "d.json", *options, "--format", "json", "--default", "0"]) == 0
    found = json.loads(capsys.readouterr().out)["outputs"]
    assert {name: found[name]["values"] for name in outputs} == outputs


@pytest.mark.parametrize(
    ("program", "table", "message"),
    [
        ("s.sc", {"booleans": {"b0": True}}, "ShaderCore has no booleans: leave the table out of the data file"),
        ("v.vsa", {"outputs": {"o0": "position"}}, "Direct3D 9 has no outputs"),
        ("p.psa", {"samplers": {"tex": [1, 0, 0, 1]}}, "unknown sampler 'tex'"),
        ("t.toy", {"inputs": {"r0": 0.5}}, "values of r0 are not whole numbers"),
    ],
)
def test_tables_that_there_are_not(
    program: str, table: dict[str, object], message: str, here: Path, capsys: pytest.CaptureFixture[str]
):
    (here / "d.json").write_text(json.dumps(table))
    assert main(["run", program, "--data", "d.json", "--default", "0"]) == 1
    assert message in capsys.readouterr().err


def test_a_trace_takes_the_data(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "d.json").write_text('{"inputs": {"r0": [2, 3], "r1": 4}}')
    assert main(["run", "t.toy", "--data", "d.json", "--trace", "1", "--explain", "r7"]) == 0
    assert "r7 = 12" in capsys.readouterr().out
    (here / "d.json").write_text('{"inputs": {"position": [[1, 2, 3, 4]]}, "uniforms": {"c0": [1, 1, 1, 1]}}')
    assert main(["run", "s.sc", "--data", "d.json", "--trace", "0", "--explain", "position.x", "--default", "0"]) == 0
    assert "position.x (o0.x) = 2" in capsys.readouterr().out
