"""`--ulp` and `--range` for the PICA200: bounds hold for what a search finds, under each rounding; a search is
never equal."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
from effort import times
from lanewise.core.nearness import Near
from lanewise.core.service import UsageError
from lanewise.pica200.api.proving import Question, compare_shaders
from lanewise.pica200.sem.profile import HARDWARE, profiles
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from lanewise.core.comparison import Comparison
    from lanewise.pica200.sem.profile import Profile

HEAD = ".fvec u[4]\n.out o position\n.in i v0\n.in n v1\n.proc main\n"
DOT = "\tdp4 o.x, u[0], i\n"
SUM = "\tmul r1, u[0], i\n\tadd r2.x, r1.w, r1.z\n\tadd r2.x, r2.x, r1.y\n\tadd o.x, r2.x, r1.x\n"
NEAREST = HARDWARE._replace(rounding="nearest")
RULES = (HARDWARE, NEAREST, profiles["azahar"], HARDWARE._replace(subnormal_arithmetic="keep"))


def shader(text: str) -> lw.Shader:
    return lw.assemble(f"{HEAD}{text}\tend\n.end\n", name="a.v.pica").vertex


def compared(
    one: str, other: str, ulp: int, ranges: Mapping[str, tuple[float, float]], profile: Profile = HARDWARE
) -> Comparison:
    near = Near(ulp, {name: (ends,) for name, ends in ranges.items()})
    question = Question(profiles=(profile,), rounds=2, near=near)
    return compare_shaders(shader(one), shader(other), ("one", "other"), question)


def test_verdicts():
    found = compared(DOT, SUM, 12, {"*": (0.5, 1)})
    assert found.verdict == "equal"
    assert found.ulps is not None
    assert (found.ulps.proved, found.ulps.found, found.ulps.output) == (12, None, "position.x")
    assert "everything else is in 0.5..1" in found.used
    found = compared(DOT, SUM, 11, {"i": (0.5, 1), "u[0]": (0.5, 1)})
    assert found.verdict == "unknown"
    assert found.ulps is not None
    assert found.ulps.proved == 12
    assert 0 < (found.ulps.found or 0) <= 12
    found = compared(DOT, SUM, 0, {"i": (0.5, 1), "u": (0.5, 1)})
    assert found.verdict == "differs"
    assert found.example is not None
    assert all(
        0.5 <= float(value) <= 1 for setting in found.example.vertices[0] for value in setting.values if setting.name == "i"
    )
    found = compared(DOT, DOT.replace("u[0]", "u[0]"), 0, {})
    assert found.verdict == "equal"
    for other, ranges, reason in (
        (SUM, {"u[0]": (0.5, 1)}, "i.y has no --range"),
        (SUM, {"i": (0.5, 1)}, "u[0].y has no --range"),
        (SUM, {"*": (-1, 1)}, "but may be close to 0"),
        (
            SUM.replace("add o.x, r2.x, r1.x", "add r2, r2.x, r1.x\n\tmul o.x, u[1], r2"),
            {"*": (1, 2)},
            "not shown to be the same",
        ),
        ("\tex2 o.x, i.x\n", {"*": (1, 2)}, "nothing is known of the range of exp2"),
        (
            "\tcmp i.x, gt, gt, i.y\n\tifc cmp.x\n\t\tmov o.x, i.x\n\t.else\n" + DOT + "\t.end\n",
            {"*": (1, 2)},
            "branches and loops",
        ),
    ):
        found = compared(DOT, other, 1 << 30, ranges)
        assert found.verdict in ("unknown", "differs"), reason
        assert found.ulps is not None
        assert found.ulps.proved is None
        assert reason in found.ulps.reason


def written(rng: random.Random, order: list[int], kind: int) -> str:
    """A sum of products in an order, with more operations of a kind."""
    names = ["i.x", "i.y", "n.x", "n.y"]
    lines = [f"\tmov r{n}, u[{n}]\n\tmul r{n}.x, {names[n]}, r{n}.x\n" for n in order]
    first, *rest = order
    lines.append(f"\tmov r8.x, r{first}.x\n")
    lines += [f"\tadd r8.x, r8.x, r{n}.x\n" for n in rest]
    ends = (
        "\tmov o.x, r8.x\n",
        "\tmax o.x, r8.x, r3.x\n",
        "\tmul o.x, r8.x, r3.y\n",
        "\trcp o.x, r8.x\n",
        "\tsge r9.x, i.x, r8.x\n\tmul o.x, r8.x, r9.x\n",
    )
    return "".join(lines) + ends[kind]


@pytest.mark.parametrize("profile", RULES, ids=lambda profile: profile.describe())
def test_bounds_hold(profile: Profile):
    proved = 0
    for seed in range(times(4, 120)):
        rng = random.Random(seed)
        low = rng.choice((0.25, 0.5, 1.0, 2.0**-20, -2.0))
        ranges = {"*": (low, abs(low) * rng.choice((1.5, 4, 100)))}
        one, other = (written(rng, rng.sample(range(4), 4), seed % 5) for _ in range(2))
        found = compared(one, other, 0, ranges, profile)
        ulps = found.ulps
        if ulps is not None and ulps.proved is not None and ulps.found is not None:
            proved += 1
            assert ulps.found <= ulps.proved, (seed, profile)
    assert proved


ROWS = ".fvec m[4]\n.out o position\n.in i v0\n.proc main\n" + "".join(
    f"\tdp4 o.{c}, m[{n}], i\n" for n, c in enumerate("xyzw")
)
COLUMNS = """.fvec pad, m[4]
.out o position
.in i v0
.proc main
\tmul r0, m[0], i.x
\tmad r0, i.y, m[1], r0
\tmad r0, i.z, m[2], r0
\tmad o, i.w, m[3], r0
"""
SMALL = ".fvec m[2], n\n.out o position\n.in i v0\n.proc main\n\tmul o, m[{}], i.x\n"


def test_matrices_by_rows_and_by_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A matrix is the same for a program that multiplies by its rows, and one that adds up its columns."""
    texts = {"rows": ROWS, "columns": COLUMNS, "wrong": COLUMNS.replace("i.z, m[2]", "i.z, m[1]")}
    texts |= {"first": SMALL.format(0), "second": SMALL.format(0).replace("m[0]", "m[0].xxzw"), "third": SMALL.format(1)}
    for name, text in texts.items():
        (tmp_path / f"{name}.v.pica").write_text(f"{text}\tend\n.end\n")
    for one, other, options, code, words in (
        ("rows", "columns", "--profile hardware", 1, "differ"),
        (
            "rows",
            "columns",
            "--profile hardware --transposed m",
            0,
            "registers of m are its rows in one program and its columns",
        ),
        ("columns", "rows", "--profile hardware --transposed m", 0, "are equal"),
        ("rows", "wrong", "--profile hardware --transposed m", 1, "differ"),
        (
            "rows",
            "columns",
            "--set dot_order=pairs --transposed m --ulp 24 --range *=0.5..1",
            0,
            "everything else is in 0.5..1",
        ),
        ("rows", "rows", "--profile hardware --transposed m", 1, "m[3]"),
        ("first", "third", "--transposed m --profile hardware", 1, "differ"),
        ("rows", "columns", "--transposed n", 2, "'n' is not a uniform of 2 to 4 registers in both programs"),
        ("first", "third", "--transposed n", 2, "'n' is not a uniform"),
    ):
        paths = [str(tmp_path / f"{name}.v.pica") for name in (one, other)]
        assert cli.main(["diff", *paths, *options.split()]) == code, (one, other, options)
        shown = capsys.readouterr()
        assert words in shown.out + shown.err, (one, other, options)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    paths = [str(tmp_path / name) for name in ("a.v.pica", "b.v.pica")]
    for path, text in zip(paths, (DOT, SUM), strict=True):
        (tmp_path / path).write_text(f"{HEAD}{text}\tend\n.end\n")
    for options, code, words in (
        (["--ulp", "12", "--range", "*=0.5..1"], 0, "are equal within 12 ulp"),
        (["--ulp", "1", "--range", "*=0.5..1", "--searches", "0"], 3, "Proved: at most 12 ulp apart"),
        (["--range", "*=0.5..1"], 2, "--range goes with --ulp"),
        (["--ulp", "1", "--range", "*=0.1..0.1"], 2, "there is no float24 number from 0.1 to 0.1"),
        (["--ulp", "7", "--range", "*=0.5..1", "--profile", "azahar"], 0, "profile azahar"),
    ):
        assert cli.main(["diff", *paths, *options]) == code, options
        shown = capsys.readouterr()
        assert words in " ".join((shown.out + shown.err).split()), options  # a long path breaks lines elsewhere
    with pytest.raises(UsageError, match="no float24"):
        compared(DOT, SUM, 0, {"*": (0.1, 0.1)})
