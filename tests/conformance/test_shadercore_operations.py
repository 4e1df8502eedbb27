"""Single operations of the public hardware: bits wherever a vector gives bits, else as it names."""

from __future__ import annotations

import struct
from collections import Counter
from typing import Any

from lanewise.isa.shadercore import BY_NAME, OPS
from lanewise.isa.shadercore_devices import RTL
from lanewise.sem.shadercore import meanings
from lanewise.sem.shadercore_numbers import Words, is_nan
from shadercore import needs_vectors, single_vectors

# A vector is of one operation alone in the unit: what a wave does to RCP and RSQ is in the programs.
ALONE = Words(RTL.set("rcp_sigma=fixed,rsq_gate=fixed"))
# Modes of the unit that no instruction word selects, tested as words: SHFT_X4 is a * 2**2.
SCALES = {f"SHFT_{way}{2**n}": n if way == "X" else -n for way in "XD" for n in range(1, 5)}


def result(op: str, inputs: list[int]) -> int:
    sources = [(value,) for value in inputs]
    if op in SCALES:
        return ALONE.scale(sources[0], SCALES[op])[0]
    if op == "ADD(a,-b)":
        op, sources = "ADD", [sources[0], ALONE.xor(sources[1], 0x80000000)]
    function = meanings(ALONE)[BY_NAME[op.lower()].name]
    assert function is not None
    return function(sources[0], sources[-1])[0]


def number(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def agrees(vector: dict[str, Any], found: int) -> bool:
    if "hdl_model" in vector or vector["compare"] == "bits":
        return found == int(vector.get("hdl_model", vector["expected"]), 16)
    match vector["compare"]:
        case "isnan":
            return is_nan(found)
        case "float_equal":
            return number(found) == number(int(vector["expected"], 16))
        case "low16":
            return found & 0xFFFF == int(vector["expected"], 16) & 0xFFFF
        case "mask7FFF":
            return found & 0x7FFF == int(vector["expected"], 16) & 0x7FFF
        case "within_2_ulp":
            return abs(found - int(vector["expected"], 16)) <= 2
        case other:
            raise AssertionError(f"vectors compare as {other}, which this test does not know")


@needs_vectors
def test_every_vector():
    """SPEC2, SPEC3 and SPEC7 are modes of the unit that give 0 and that no word selects: there is nothing to ask for them."""
    wrong: list[str] = []
    count: Counter[str] = Counter()
    for vector in single_vectors():
        op = vector["op"]
        if op in ("encode", "core_program"):
            continue
        if op.startswith("SPEC"):
            assert int(vector["expected"], 16) == 0
            continue
        found = result(op, [int(value, 16) for value in vector["inputs"]])
        count[op.partition("(")[0]] += 1
        if not agrees(vector, found):
            wrong.append(f"{op} {vector['inputs']}: {found:#010x}, not {vector['expected']}")
    assert wrong == []
    assert sum(count.values()) == 2060
    measured = {BY_NAME[op.lower()].name for op in count if op.lower() in BY_NAME}
    silent = {"nop", "end", "unused", "exp", "log", "shft"}  # in programs; SHFT as SHFT_X2
    assert measured | silent == {op.name for op in OPS}
    assert not measured & silent
