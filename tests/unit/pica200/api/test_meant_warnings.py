"""Values of a run that a console does not see as they are meant: one warning, and none where the fix is followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanewise.tools.cli import main
from together import together

SHADER = """.fvec projection[4], model[4], tint
.constf half(0.5, 0.5, 0.5, 0.5)
.in position
.in normal
.out pos position
.out clr color
.proc main
    dp4 r0.x, model[0], position
    dp4 r0.y, model[1], position
    dp4 r0.z, model[2], position
    dp4 r0.w, model[3], position
    dp4 pos.x, projection[0], r0
    dp4 pos.y, projection[1], r0
    dp4 pos.z, projection[2], r0
    dp4 pos.w, projection[3], r0
    dp3 r1, model[2], normal
    mul r1, half, r1
    add clr, tint, r1
    end
.end
"""
SAME = "1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
MOVED = "1,0,0,5;0,1,0,0;0,0,1,0;0,0,0,1"
MIRROR = "-1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"


@together(
    ("old", "new", "given", "code", "fix"),
    [
        ("", "", "half=1,1,1,1", "B028", "declare it `.fvec half` and set it"),
        (".constf half(0.5, 0.5, 0.5, 0.5)", ".fvec half", "half=1,1,1,1", "", ""),
        ("dp4 r0", "dp3 r0", f"model={MOVED}", "B029", "write `dp4` for `dp3` in lines 8, 9, 10, 11, 16: a point has w"),
        ("dp4 pos", "dp3 pos", f"projection={MOVED}", "B029", "write `dp4` for `dp3` in lines 12, 13, 14, 15: a point"),
        ("dp4 pos.x", "dp3 pos.x", f"projection={MOVED}", "B029", "write `dp4` for `dp3` in line 12: a point has w"),
        ("dp4 pos.w", "dp3 pos.w", f"projection={SAME}", "B029", "write `dp4` for `dp3` in line 15: a point has w"),
        ("dp4 pos.y", "dp3 pos.y", f"projection={MOVED}", "", ""),
        ("dp4 r0", "dp3 r0", f"model={SAME}", "", ""),  # nothing is lost
        ("], position", "], normal", f"model={MOVED}", "", ""),
        ("", "", f"model={MOVED}", "", ""),
        ("", "", f"model={MIRROR}", "B030", "mirror the mesh in the program that exports it, or cull the other side"),
        ("", "", f"projection={MIRROR}", "", ""),  # as one for a turned screen does
        ("projection[", "model[", f"projection={SAME}", "B040", "remove `projection` from the source"),
        ("add clr,", "add clr.xyz,", "tint=1,2,1,0.5", "B042", "write it as x, y, z, w: [0.5, 1, 2, 1] if it is"),
        ("add clr,", "add clr.xyz,", "tint=0,5,3,20", "", ""),  # a place and a radius
        ("add clr,", "add clr.xyz,", "tint=1,1,1,32", "", ""),  # a color and an exponent
        ("dp4 r0", "dp3 r0", "model=1,0,0,0.5;0,1,0,0;0,0,1,0;0,0,0,1", "B029", ""),  # rows of a matrix, not B042
        ("add clr,", "add clr.xyz,", "tint=0.5,2,1,0.5", "", ""),
        ("add clr,", "add clr.xyz,", "tint=0,2,1,1", "", ""),
        ("", "", "tint=1,2,1,0.5", "", ""),
        ("", "", "model=2,0,0,0;0,-0.5,0,0;0,0,1,0;0,0,0,1", "", ""),
    ],
)
def test_a_value_that_is_seen_otherwise(
    old: str, new: str, given: str, code: str, fix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "a.v.pica"
    path.write_text(SHADER.replace(old, new).replace(".fvec model[4]", ".fvec projection[4]") if old else SHADER)
    uniforms = [f"{name}={value}" for name, value in (("projection", SAME), ("model", SAME), ("tint", "1,1,1,1"))]
    uniforms = [given, *[each for each in uniforms if each.partition("=")[0] != given.partition("=")[0]]]
    options = [part for each in uniforms for part in ("--uniform", each)]
    assert main(["run", str(path), "-i", "position=1,2,3", "-i", "normal=0,0,1", *options]) == 0
    told = capsys.readouterr().err
    assert (f"[{code}]" in told) == bool(code) and fix in told
    assert ("[B0" in told) == bool(code)
