"""Habits of other languages in sources of the PICA200: what assembles computes what is meant, is reported, or is listed."""

from __future__ import annotations

import random

import pytest

import pica200_habits as habits
from effort import times
from lanewise.core.diagnostics import NOTE
from lanewise.pica200.api.assembling import assemble_sources
from pica200_meaning import NIHSTRO, PICASSO, drawn
from together import together


def test_the_table_names_each_habit_once():
    rows = [(row.name, row.language, row.kind) for row in habits.HABITS]
    assert len(set(rows)) == len(rows) >= 60
    assert {row.name for row in habits.HABITS} >= habits.WITHOUT_RULE.keys()


@pytest.mark.parametrize("language", [PICASSO, NIHSTRO])
def test_plain_texts_compute_what_is_meant(language: str):
    """The evaluator and the assembler agree where nothing is written in another way."""
    plain = habits.habit("plain", language, "", "", assembles=True)
    for seed in range(times(5, 300)):
        meant = drawn(random.Random(seed))
        text = habits.printed(meant, plain, 0)
        assert text is not None
        assert habits.outcome(text, plain, meant) == (habits.SAME, ""), text


def test_nothing_else_assembles_silently_to_something_else():
    silent = {
        (case.habit.name, case.text)
        for case in habits.campaign(times(10, 1000), seed=30)
        if case.outcome == habits.SILENT and case.habit.name not in habits.WITHOUT_RULE
    }
    assert not silent


def codes(text: str, name: str) -> list[tuple[str, int]]:
    return [(found.code, found.span.line) for found in assemble_sources([(name, text)]).diagnostics if found.severity != NOTE]


NIHSTRO_HEAD = ".alias p v0\n.alias m c0-c3\n.alias pos o0 as position\nmain:\n"


@together(
    ("line", "found"),
    [
        ("mul pos, m, p", ["V113"]),
        ("dp4 pos.x, m, p", ["V113"]),
        ("mov pos, m", []),
        ("mul pos, m[0], p", []),
        ("mul pos, m[a0+4], p", ["V015"]),
        ("mul pos, m[a0+3], p", []),
        ("mul pos, m[1], p; mov r0, p", ["V116"]),
        ("mul pos, m[1], p ; mov r0, p", []),
        ("mul pos, m[1], p // text; mov r0, p", []),
        ("mul pos, m[1], p; mov r0, and p", []),
        ("mul pos, m[1], p; mov r0, unknown", []),
    ],
)
def test_rules_in_nihstro(line: str, found: list[str]):
    assert codes(f"{NIHSTRO_HEAD}\tmov r1, m[2]\n\t{line}\n\tend\n", "x.vsh") == [(code, 6) for code in found if code != "V113"]
    assert codes(f"{NIHSTRO_HEAD}\t{line}\n\tend\n", "x.vsh") == [(code, 5) for code in found]


def test_short_swizzles_of_aliases():
    head = (
        ".in p\n.out pos position\n.alias zw p.zw\n.alias to r0.zw\n.alias full p.xyzw\n.proc main\n\tmov pos, p\n\tmov r0, p\n"
    )
    for line, found in (
        ("mov to, p.zw", True),
        ("mov r0.zw, zw", True),
        ("mov r0.zw, -zw", True),
        ("mov r0.zw, full", False),
        ("mov r0.xy, zw", False),
        ("mov to, p", False),
    ):
        assert codes(f"{head}\t{line}\n\tend\n.end\n", "x.v.pica") == ([("V111", 9)] if found else []), line


def test_a_row_whose_index_is_missing_in_nihstro():
    rows = "\tdp4 pos.x, m[0], p\n\tdp4 pos.y, m, p\n\tdp4 pos.z, m[2], p\n\tdp4 pos.w, m[3], p\n"
    assert codes(f"{NIHSTRO_HEAD}{rows}\tend\n", "x.vsh") == [("V113", 6)]
    assert codes(f"{NIHSTRO_HEAD}{rows.replace('pos.y, m,', 'pos.y, m[1],')}\tend\n", "x.vsh") == []
    assert codes(f"{NIHSTRO_HEAD}// m[0]\n{rows.replace('m[0]', 'm')}\tend\n", "x.vsh") == []
