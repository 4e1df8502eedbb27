"""The table of Direct3D 9 instructions, and tokens as records."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from corpus import SHARED, needs_shared
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import SCRATCH, SETP, Limit
from lanewise.direct3d9.isa.program import Source, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.table import (
    BY_NAME,
    BY_VERSION_NAME,
    OPS,
    Slots,
    check_table,
    find_version,
    has,
    limited,
    operand_count,
    register_name,
)
from together import together


def test_the_table_is_sound():
    check_table()


@together("op", OPS, ids=lambda op: op.name)
def test_summaries_name_operands_that_there_are(op: isa.Op):
    assert op.summary
    names = {name for version in isa.VERSIONS for name in isa.operand_names(op, version)}
    assert set(re.findall(r"\b(?:dest|src\d*)\b", op.summary)) <= {*names, *(["src"] if op.part == isa.OPENS else [])}
    assert (
        "dest" in op.summary
        or op.dest is None
        or op.role == isa.DEFINITION
        or op.summary.startswith(("declare", "the ", "oDepth", "texbem", "no version"))
    )


def test_two_rows_of_one_opcode_are_refused():
    with pytest.raises(ValueError, match="one opcode"):
        check_table((*OPS, OPS[0]))


@together(
    ("name", "change", "message"),
    [
        ("add", {"role": "other"}, "no role"),
        ("dp3", {"reads": ("xyz",)}, "reads what is not there"),
        ("dp3", {"reads": ("rgb", "rgb")}, "reads what is not there"),
        ("m3x2", {"rows": 3}, "other components than it has rows"),
        ("lrp", {"vs": ("2_5", "")}, "version 2_5"),
        ("crs", {"masks": Limit(("2_0", "2_9"), None, (7,))}, "version 2_9"),
        ("mova", {"ps": ("2_0", "")}, "slots in other versions"),
        ("cnd", {"slots": Slots(vs1=1, vs2=None, ps1=1, ps2=None, ps3=None)}, "slots in other versions"),
        ("mov", {"sources": (SCRATCH,)}, "takes a scratch, and vs_1_0 has no register"),
        ("mov", {"dest": SETP}, "takes a predicate, and vs_1_0 has no register"),
        ("rep", {"block": "other block"}, "opens a block that 0"),
        ("endloop", {"block": "if block"}, "opens a block that 0"),
        ("endrep", {"block": "loop block"}, "opens a block that 2"),
        ("texm3x2pad", {"stages": 4}, "opens a block that 0"),
        ("ret", {"temporary": "must"}, "no destination that could be a temporary"),
        ("nrm", {"temporary": "may"}, "no destination that could be a temporary"),
        ("sincos", {"loses": Limit(("2_0", "2_9"), None, (7,))}, "names version 2_9"),
    ],
)
def test_a_row_that_cannot_be_is_refused(name: str, change: dict[str, Any], message: str):
    wrong = BY_NAME[name]._replace(**change)
    with pytest.raises(ValueError, match=message):
        check_table(tuple(wrong if op.name == name else op for op in OPS))


def test_limits_hold_in_their_versions_only():
    limit = Limit(("2_0", "2_sw"), None, (7,))
    found = {name: limited(limit, BY_VERSION_NAME[name]) for name in ("vs_1_1", "vs_2_0", "vs_2_sw", "vs_3_0", "ps_2_0")}
    assert found == {"vs_1_1": (), "vs_2_0": (7,), "vs_2_sw": (7,), "vs_3_0": (), "ps_2_0": ()}
    assert limited(None, BY_VERSION_NAME["vs_2_0"]) == ()


@needs_shared
def test_opcodes_are_those_that_are_published():
    published = json.loads((SHARED / "vectors" / "direct3d9_tables.json").read_text())["opcodes"]
    ours = {op.name: op.opcode for op in OPS} | {
        "texcoord/texcrd": 64,
        "tex/texld": 66,
        "reserved0": 75,
        "comment": 65534,
        "end": 65535,
    }
    assert {name: ours[name] for name in published} == published


@pytest.mark.parametrize(
    ("text", "name"), [("vs.1.1", "vs_1_1"), ("PS_2_B", "ps_2_x"), ("vs_3_sw", "vs_3_sw"), ("vs_4_0", None)]
)
def test_versions_by_name(text: str, name: str | None):
    found = find_version(text)
    assert (found and found.name) == name


@pytest.mark.parametrize(
    ("op", "version", "expected"),
    [
        ("lrp", "vs_1_1", False),
        ("lrp", "ps_1_1", True),
        ("cnd", "ps_1_4", True),
        ("cnd", "ps_2_0", False),
        ("loop", "ps_2_x", False),
        ("cmp", "ps_1_1", False),
        ("mova", "vs_2_sw", True),
        ("texm3x2depth", "ps_1_4", False),
    ],
)
def test_which_version_has_what(op: str, version: str, expected: bool):
    assert has(BY_NAME[op], BY_VERSION_NAME[version]) is expected


@pytest.mark.parametrize(
    ("op", "version", "expected"),
    [
        ("tex", "ps_1_1", (True, 0)),
        ("tex", "ps_1_4", (True, 1)),
        ("tex", "ps_2_0", (True, 2)),
        ("sincos", "vs_2_0", (True, 3)),
        ("sincos", "vs_3_0", (True, 1)),
        ("callnz", "vs_2_0", (False, 2)),
    ],
)
def test_operands_by_version(op: str, version: str, expected: tuple[bool, int]):
    assert operand_count(BY_NAME[op], BY_VERSION_NAME[version]) == expected


def test_registers_by_name():
    vs, ps, vs3 = (BY_VERSION_NAME[name] for name in ("vs_2_0", "ps_2_0", "vs_3_0"))
    assert [register_name(vs, isa.RASTOUT, n) for n in range(4)] == ["oPos", "oFog", "oPts", None]
    assert [register_name(v, isa.ADDR, 0) for v in (vs, ps)] == ["a0", "t0"]
    assert [register_name(v, isa.TEXCRDOUT, 1) for v in (vs, vs3)] == ["oT1", "o1"]
    assert register_name(vs, isa.CONST3, 5) == "c4101"
    assert register_name(vs3, isa.LOOP, 0) == "aL"


def test_a_predicated_move_with_relative_addresses_has_the_words_of_the_reference():
    """Reference 3, measured: `(!p0.x) mov o3[a0.x+2], c[aL+5]`, where o3[a0.x+2] is o[a0.x+5]."""
    made = make_inst(
        BY_NAME["mov"],
        BY_VERSION_NAME["vs_3_0"],
        make_dest(isa.OUTPUT, 5, relative=0xB0000000),
        (make_source(isa.CONST, 5, relative=0xF0E40800),),
        predicate=Source(0xBD001000),
    )
    assert made.words == (0x15000001, 0xE00F2005, 0xB0000000, 0xBD001000, 0xA0E42005, 0xF0E40800)
    assert made.sources[0].is_relative and made.sources[0].constant == 5 and made.predicate is not None
    assert made.predicate.modifier == isa.NOT and made.predicate.file == isa.PREDICATE


def test_shifts_are_signed():
    assert [make_dest(isa.TEMP, 0, shift=shift).shift for shift in (1, 3, -1, -3)] == [1, 3, -1, -3]
    assert make_dest(isa.TEMP, 0, shift=-1).word == 0x8F0F0000
