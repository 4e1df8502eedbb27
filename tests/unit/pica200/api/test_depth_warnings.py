"""Values of desktop programs: a warning, and none where the fix is followed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lanewise.tools.cli import main
from together import together

SHADER = """.fvec projection[4], time
.in position
.in color
.out pos position
.out clr color
.proc main
    mov r0, position
    add r0.x, time, r0
    dp4 pos.x, projection[0], r0
    dp4 pos.y, projection[1], r0
    dp4 pos.z, projection[2], r0
    dp4 pos.w, projection[3], r0
    mov clr, color
    end
.end
"""
SAME = "1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
CONSOLE = "0,1.5,0,0;-1.5,0,0,0;0,0,-0.01,-0.101;0,0,-1,0"
UPRIGHT = "1.5,0,0,0;0,1.5,0,0"
POINTS = "0,0,-2;0.25,0,-2;0.4,1,-2"


@together(
    ("projection", "points", "color", "time", "code", "fix"),
    [
        (f"{UPRIGHT};0,0,-1.02,-0.202;0,0,-1,0", POINTS, "1", "0", "B044", "write [[0, 1.5, 0, 0], [-1.5, 0, 0, 0], [0"),
        (f"{UPRIGHT};0,0,-1.01,-0.101;0,0,-1,0", POINTS, "1", "0", "B044", "[0, 0, -0.005, -0.0505], [0, 0, -1, 0]]"),
        ("1.5,0,1,0;0,1.5,0,0;0,0,-1.02,-0.202;0,0,-1,0", POINTS, "1", "0", "B044", "write [[1.5, 0, 1, 0], [0, 1.5, 0, 0]"),
        (
            f"{UPRIGHT};0,0,1.02,-0.202;0,0,1,0",
            "0,0,2;0,1,2;1,0,2",
            "1",
            "0",
            "B044",
            "write [[0, 1.5, 0, 0], [-1.5, 0, 0, 0], [0, 0, 0.01",
        ),
        (f"{UPRIGHT};0,0,-1.02,-0.202;0,0,-1,0", "0,0,-0.15;1,0,-0.15;0,1,-0.15", "1", "0", "", ""),  # near enough to be seen
        (CONSOLE, POINTS, "1", "0", "", ""),
        (SAME, POINTS, "1", "100000", "B045", "wrap it before it is sent, such as fmodf(time, 6.2831853f)"),
        (SAME, "0,0,-2;2,0,-2;0,1,-2", "1", "100000", "", ""),
        (SAME, POINTS, "1", "3.1", "", ""),
        (SAME, POINTS, "0,5;0,25;0,125", "0", "R012", "write decimals with a point: 0.5 in place of 0,5"),
        (SAME, POINTS, "0,5,1", "0", "", ""),
    ],
)
def test_values_of_other_programs(
    projection: str,
    points: str,
    color: str,
    time: str,
    code: str,
    fix: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    path = tmp_path / "a.v.pica"
    path.write_text(SHADER)
    values = ["-i", f"position={points}", "-i", f"color={color}", "--uniform", f"time={time}"]
    for more in ([], ["--draw", str(tmp_path / "a.svg")]):
        assert main(["run", str(path), *values, "--uniform", f"projection={projection}", *more]) == 0
        told = capsys.readouterr().err
        assert re.findall(r"\[([BR]\d+)\]", told) == ([code] if code else [])
        assert fix in told
        if code == "B044":
            rows = told[told.index("[[") + 2 : told.index("]]")].replace(" ", "").replace("],[", ";")
            assert main(["run", str(path), *values, "--uniform", f"projection={rows}", *more]) == 0
            assert not capsys.readouterr().err


LIT = """.fvec sun, ambient
.in position
.in normal
.out pos position
.out clr color
.constf one(1.0, 0.0, 0.0, 0.0)
.proc main
    mov pos, position
    dp3 r0, sun, normal
    HERE
    add r0, ambient, r0
    min clr, one.xxxx, r0
    end
.end
"""


@together(
    ("uniforms", "line", "code", "fix"),
    [
        ("sun=0,0,5;ambient=0.1,0.1,0.1,1", "nop", "B049", "divide it by its length: [0, 0, 1]"),
        ("sun=0,3,4;ambient=0.1,0.1,0.1,1", "nop", "B049", "divide it by its length: [0, 0.6, 0.8]"),
        ("sun=0.5,1,0.3;ambient=0.1,0.1,0.1,1", "nop", "B049", "divide it by its length: [0.43193"),
        ("sun=0,0.96,1.28;ambient=0.1,0.1,0.1,1", "nop", "", ""),  # as bright as it is long
        ("sun=0,0,5;ambient=0.1,0.1,0.1,1", "mov r1.xyz, sun", "", ""),  # it may be normalized
        ("sun=0,0,1;ambient=0.1,0.1,0.1,32", "nop", "", ""),  # an exponent
        ("sun=0,0,0.25;ambient=64,64,0,0", "mul r0, r0, r0\n mul r0, r0, r0\n mul clr, ambient, r0\n end", "", ""),  # far lamp
        ("sun=0,0,5;ambient=0.1,0.1,0.1,1", "mul r0.xyz, sun, r0", "", ""),
        ("sun=0,0,1;ambient=51,0,0,0", "nop", "B022", "divide it by 255: [0.2, 0, 0, 0]"),
        ("sun=0,0,1;ambient=51,0.5,0,0", "nop", "", ""),
        ("sun=0,0,0;ambient=1,1,2,0", "nop", "", ""),
    ],
)
def test_uniforms_in_other_units(
    uniforms: str, line: str, code: str, fix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "a.v.pica"
    path.write_text(LIT.replace("HERE", line))

    def told(values: str, *more: str) -> str:
        options = [part for each in values.split(";") for part in ("--uniform", each)]
        assert main(["run", str(path), "-i", "position=0,0,0;1,0,0;0,1,0", "-i", "normal=0,0,1", *options, *more]) == 0
        return capsys.readouterr().err

    for more in ((), ("--draw", str(tmp_path / "a.svg"))):
        text = told(uniforms, *more)
        assert re.findall(r"warning\[(B\d+)\]", text) == ([code] if code else [])
        assert fix in text
        if code:
            name = text.partition("uniform '")[2].partition("'")[0]
            right = text.rpartition(": [")[2].partition("]")[0].replace(" ", "")
            assert not told(re.sub(rf"{name}=[^;]*", f"{name}={right}", uniforms), *more)
