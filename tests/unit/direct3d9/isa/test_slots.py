"""Slots: our table is the published one, its cells read."""

from __future__ import annotations

import json
import re

import pytest

from direct3d9_cases import SHARED
from lanewise.direct3d9.isa.program import Shader, make_source
from lanewise.direct3d9.isa.slots import TABLE, Slots, cost, limits, shader_cost
from lanewise.direct3d9.isa.table import BY_NAME, BY_VERSION_NAME, OPS, has
from lanewise.direct3d9.text.reader import read_source_text

PUBLISHED = SHARED / "vectors" / "direct3d9_tables.json"
_COLUMNS = {
    "vs_1_1": "vs1",
    "vs_2_0": "vs2",
    "vs_2_x": "vs2",
    "vs_3_0": "vs2",
    "ps_1_1": "ps1",
    "ps_1_2": "ps1",
    "ps_1_3": "ps1",
    "ps_1_4": "ps1",
    "ps_2_0": "ps2",
    "ps_2_x": "ps2",
    "ps_3_0": "ps3",
}
# The rows of the published tables that are several of ours, or have another name.
_NAMES = {
    "callnz bool": "callnz",
    "callnz pred": "callnz",
    "if bool": "if",
    "if pred": "if",
    "if_comp": "ifc",
    "break_comp": "breakc",
    "setp_comp": "setp",
    "dcl_usage input": "dcl",
    "dcl_samplerType": "dcl",
    "dcl_semantics": "dcl",
    "texcrd": "texcoord",
}
# "See note N", as the notes say: a texture that is no cube map, a card without the capability.
_NOTES = {
    ("texldl", "vs_3_0"): 2,
    ("texldl", "ps_3_0"): 2,
    ("texkill", "ps_2_x"): 1,
    ("texld", "ps_2_x"): 1,
    ("texld", "ps_3_0"): 1,
    ("texldb", "ps_2_x"): 1,
    ("texldp", "ps_2_x"): 1,
    ("texldp", "ps_3_0"): 3,
}


def shader(text: str) -> Shader:
    found = read_source_text(text, "x").shader
    assert found is not None
    return found


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the folder ../shared is not there")
def test_costs_are_the_published_ones():
    published: dict[str, dict[str, str]] = json.loads(PUBLISHED.read_text(encoding="utf-8"))["slots"]
    compared = 0
    for name, cells in published.items():
        if name in ("_notes", "vs", "ps"):
            continue
        row = TABLE[_NAMES.get(name, name)]
        for version, cell in cells.items():
            number = re.match(r"\d+", cell)
            expected = int(number.group()) if number else _NOTES[name, version]
            assert getattr(row, _COLUMNS[version]) == expected, (name, version)
            compared += 1
    assert compared > 350


def test_every_instruction_of_a_version_has_a_cost():
    for op in OPS:
        for version in BY_VERSION_NAME.values():
            if has(op, version) and op.name != "tex":
                row: Slots = TABLE[op.name]
                column = _COLUMNS.get(version.name)
                assert column is None or getattr(row, column) is not None, (op.name, version.name)


def test_cubes_predicates_pairs_and_double_slots():
    text = (
        "ps_3_0\ndcl_texcoord v0\ndcl_cube s1\ndcl_2d s0\ntexld r0, v0, s0\ntexldp r1, v0, s1\ntexldb r0, v0, s0\n"
        "(p0) mov r0, r1\n"
    )
    assert shader_cost(shader(text)) == (2, 1 + 4 + 6)
    assert shader_cost(shader("ps_1_1\ntex t0\nmov r0.rgb, t0\n+mov r0.a, v0\ntexbeml t1, t0\n")) == (2, 2)
    assert shader_cost(shader("ps_1_2\ncmp r0, r0, c0, c1\n")).total == 2
    assert shader_cost(shader("ps_1_4\ncmp r0, r0, c0, c1\n")).total == 1
    assert shader_cost(shader("vs_1_1\nm4x4 oPos, v0, c0\nexp r0, v0.x\n")).total == 14


def test_what_a_version_has_not_costs_nothing():
    (inst,) = shader("vs_2_0\ncmp r0, r0, c0, c1\n").insts
    assert cost(inst, BY_VERSION_NAME["vs_2_0"]).total == 0
    assert cost(inst._replace(predicate=make_source(19, 0)), BY_VERSION_NAME["vs_2_x"]).total == 0
    assert cost(inst._replace(op=BY_NAME["texm3x3diff"], sources=(make_source(3, 0),)), BY_VERSION_NAME["ps_1_1"]).total == 0


def test_limits_are_those_of_the_version():
    assert limits(BY_VERSION_NAME["ps_1_0"]) == limits(BY_VERSION_NAME["ps_1_3"])
    assert limits(BY_VERSION_NAME["vs_3_sw"]).arithmetic is None
    assert limits(BY_VERSION_NAME["vs_1_1"]).arithmetic == 128
