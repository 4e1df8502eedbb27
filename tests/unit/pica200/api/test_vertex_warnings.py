"""Values of the first vertices that mean something else to the console: one warning, and none where the fix is followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanewise.tools.cli import main
from together import together

SHADER = """.fvec rows[4]
.constf scale(765.0, 1.0, 0.5, 2.0)
.in position
.in bone
.in weight
.in normal
.out pos position
.out quat normalquat
.proc main
    mul r0, scale.xxxx, bone
    mova a0.x, r0.x
    mov r1, position
    mul r1, weight.xxxx, r1
    add pos, rows[a0.x], r1
    mov r2.xyz, normal
    mov r2.w, scale.y
    dp4 r3, r2, r2
    rsq r3, r3.x
    mul quat, r2, r3
    end
.end
"""
ADDED = "add pos, rows[a0.x], r1"
# A row that counts as much as its weight says.
WEIGHTED = (
    "mul r4, rows[a0.x], weight.yyyy\n    add pos, r4, r1",
    "mad pos, weight.yyyy, rows[a0.x], r1",
    "dp4 r4.x, rows[a0.x], position\n    mul r4.x, weight.yyyy, r4.xxxx\n    add pos, r4.xxxx, r1",
    "mov r4.xy, weight.y\n    mov r5, rows[a0.x]\n    dp3 r4, r4.xxy, r5.zyx\n    add pos, r4.xxxx, r1",
)
PRODUCT = "    mul r1, weight.xxxx, r1\n"
TWO = "    mul r2, weight.xxxx, r1\n    mad r1, weight.yyyy, r1, r2\n"
OTHER = "    mova a0.y, r0.x\n    add r1, rows[a0.y], position\n"
REST = "    mul r2, weight.xxxx, r1\n    add r3, scale.yyyy, -weight.xxxx\n    mad r1, r1, r3, r2\n"
LENGTH = "    dp4 r3, r2, r2\n    rsq r3, r3.x\n    mul quat, r2, r3\n"


@together(
    ("old", "new", "given", "code", "fix"),
    [
        ("", "", {}, "", ""),
        ("", "", {"bone": "0.00392156862"}, "R013", "add 0.5 to r0 before it: `add DST, half, r0`"),
        ("    mova a0.x, r0.x", "    add r0, scale.zzzz, r0\n    mova a0.x, r0.x", {"bone": "0.00392156862"}, "", ""),
        ("", "", {"bone": "0.0033"}, "", ""),
        ("", "", {"bone": "0.01"}, "R015", "give data for which a0.x is 0 to 3 here"),
        ("rows[a0.x], r1", "rows[a0.x+3], r1", {"bone": "0.0033"}, "R015", "give data for which a0.x is -3 to 0 here"),
        ("rows[a0.x], r1", "rows[a0.x+3], r1", {}, "", ""),
        *[
            (ADDED, new, {"bone": "0.01", "weight": weight}, code, "reads c7 of vertex 0" if code else "")
            for new in WEIGHTED
            for weight, code in (("1,0", ""), ("1,-0.0", ""), ("0.5,0.5", "R015"))
        ],
        (ADDED, f"{WEIGHTED[0]}\n    mova a0.y, rows[a0.x].x", {"bone": "0.01"}, "R015", "a0.x is 0 to 3 here"),
        ("", "", {"weight": "70,30"}, "B037", "divide it by 100: 0.7,0.3"),
        ("", "", {"weight": "0.7,0.3"}, "", ""),
        ("", "", {"weight": "255,0"}, "B037", "divide it by 255: 1,0"),
        ("scale(765.0, 1.0, 0.5, 2.0)", "scale(765.0, 1.0, 0.5, 0.01)", {"weight": "70,30"}, "", ""),
        ("", "", {"weight": "0.25,0.75"}, "", ""),  # one bone
        ("    mov r1, position\n", OTHER, {"weight": "0.25,0.75"}, "B037", "read weight.yyy as the factor of its bone"),
        (PRODUCT, TWO, {"weight": "0.25,0.75"}, "", ""),
        (PRODUCT, TWO, {"weight": "0.25,0.25"}, "B037", "divide each row by its sum: `weight / weight.sum(axis=1"),
        (PRODUCT, REST, {"weight": "0.25,0.25"}, "", ""),
        ("", "", {"bone": "0;0;0;0.0033;0.01"}, "R015", "give data for which a0.x is 0 to 3 here"),
        (LENGTH, "    mov quat, normal\n", {}, "R014", "write (-n.y, n.x, 0, 1 + n.z), divided by its length"),
        (LENGTH, "    mov quat, r2\n", {"normal": "0.6,0,0.8"}, "R014", "expected a quaternion of length 1"),
        (LENGTH, "    mov quat, normal\n", {"normal": "0,0,0"}, "", ""),
    ],
)
def test_a_value_that_means_something_else(
    old: str, new: str, given: dict[str, str], code: str, fix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "a.v.pica"
    path.write_text(SHADER.replace(old, new) if old else SHADER)
    inputs = {"position": "1,2,3", "bone": "0", "weight": "1,0", "normal": "0,0,1", **given}
    options = [part for each in inputs.items() for part in ("-i", "=".join(each))]
    assert main(["run", str(path), *options, "--uniform", "rows=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"]) == 0
    told = capsys.readouterr().err
    assert fix in told
    assert [each for each in ("R013", "R014", "R015", "B037") if f"[{each}]" in told] == ([code] if code else [])


LOOPED = """.fvec rows[4]
.fvec extra
.ivec count
.in position
.out pos position
.proc main
    mov r0, position
    for count
        add r0, rows[aL], r0
        READ
    .end
    add pos, extra, r0
    end
.end
"""


@together(
    ("read", "count", "extra", "fix"),
    [
        ("", "3,0,1", "1", ""),
        ("", "4,0,1", "1", "make count 3, 0, 1 at most: 4 rounds"),
        ("", "4,0,1", "0", "rows is c0 to c3, aL is 4"),
        ("mul r0, rows[aL], r0", "4,0,1", "0", "rows is c0 to c3, aL is 4"),  # the last of the loop
        ("", "1,2,2", "1", "make count 0, 2, 2 at most: 1 round"),
        ("mov r1, rows[aL+1]", "3,0,1", "1", ""),  # which nothing reads
        ("add r0, rows[aL+1], r0", "3,0,1", "1", "make count 2, 0, 1 at most: 3 rounds"),
    ],
)
def test_a_loop_past_the_end_of_an_array(
    read: str, count: str, extra: str, fix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "a.v.pica"
    path.write_text(LOOPED.replace("READ", read))
    given = ["-i", "position=1,2,3", "-u", "rows=1,2,3,4;1,2,3,4;1,2,3,4;1,2,3,4", "-u", f"extra={extra},0,0,0"]

    def said(values: str) -> str:
        assert main(["run", str(path), *given, "-u", f"count={values}", "--default", "0"]) == 0
        return capsys.readouterr().err

    told = said(count)
    assert ("[R015]" in told) == bool(fix)
    assert fix in told
    if "make count " in told:
        assert "[R015]" not in said(told.split("make count ")[1].partition(" at most")[0].replace(" ", ""))


PALETTE = """.fvec rows[8]
.constf by(3.0, 1.0, 0.0, 0.0)
.in position
.in bone
.out pos position
.proc main
    mul r0.xy, by.yy, bone
    mova a0.xy, r0
    dp4 r1.x, rows[a0.x], position
    dp4 r1.y, rows[a0.x+1], position
    dp4 r1.z, rows[a0.x+2], position
    dp4 r2.x, rows[a0.y], position
    dp4 r2.y, rows[a0.y+1], position
    dp4 r2.z, rows[a0.y+2], position
    add pos.xyz, r1, r2
    mov pos.w, by.y
    end
.end
"""
_FIRST = "an element of rows begins in another: 3 rows are read from a0.x on, which is 1"


@together(
    ("old", "new", "bone", "told"),
    [
        ("", "", "0,1", "elements of rows overlap: 3 rows are read from a0.y on, which is 0 and 1"),
        ("", "", "0,0;0,2", "elements of rows overlap: 3 rows are read from a0.y on, which is 0 and 2"),
        ("", "", "1,1", _FIRST),
        ("", "", "0,3", ""),
        ("by.yy", "by.xx", "0,1", ""),
        ("    mova", "    mul r0.xy, by.xx, r0\n    mova", "0,1", ""),  # the fix
        ("rows[a0.x], ", "rows[a0.x+4], ", "0,1", ""),  # rows that are not one after another
        ("dp4 r1.x, rows[a0.x], position", "add r1.x, rows[a0.x], position", "0,1", ""),  # a table of numbers
    ],
)
def test_elements_that_overlap(old: str, new: str, bone: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.v.pica"
    path.write_text(PALETTE.replace(old, new) if old else PALETTE)
    options = ["-i", "position=1,2,3", "-i", f"bone={bone}", "--uniform", f"rows={';'.join(['1,0,0,0'] * 8)}"]
    assert main(["run", str(path), *options]) == 0
    text = capsys.readouterr().err
    assert (told in text and "`mul DST, three, r0`, with three a constant of 3" in text) if told else "R016" not in text
