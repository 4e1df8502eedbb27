"""Single operations of the public hardware, on both engines: bits wherever a vector gives bits, else as it names."""

from __future__ import annotations

import struct
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from engines.kernels import LEVELS, need_level
from engines.wave_words import as_array, compiled_word
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.table import BY_NAME, LANES, OPS
from lanewise.shadercore.sem.meaning import meanings
from lanewise.shadercore.sem.numbers import WaveOps, is_nan
from shadercore_cases import needs_vectors, single_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.sem.algebra import Algebra

V = TypeVar("V")
# A vector is of one operation alone in the unit: what a wave does to RCP and RSQ is in the programs.
DEVICE = RTL.set("rcp_sigma=fixed,rsq_gate=fixed")
ALONE = WaveOps(DEVICE)
# Modes of the unit that no instruction word selects, tested as words: SHFT_X4 is a * 2**2.
SCALES = {f"SHFT_{way}{2**n}": n if way == "X" else -n for way in "XD" for n in range(1, 5)}


def operation(m: Algebra[V], op: str, a: V, b: V) -> V:
    """What the unit makes of its inputs."""
    if op in SCALES:
        return m.scale(a, SCALES[op])
    if op == "ADD(a,-b)":
        op, b = "ADD", m.xor(b, 0x80000000)
    function = meanings(m)[BY_NAME[op.lower()].name]
    assert function is not None
    return function(a, b)


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


def vectors() -> dict[str, list[dict[str, Any]]]:
    """Of each operation of the unit. SPEC2, SPEC3 and SPEC7 are modes that give 0 and that no word selects: there is nothing to
    ask for them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for vector in single_vectors():
        op = vector["op"]
        if op.startswith("SPEC"):
            assert int(vector["expected"], 16) == 0
        elif op not in ("encode", "core_program"):
            found.setdefault(op, []).append(vector)
    return found


def sources(vector: dict[str, Any]) -> tuple[int, int]:
    given = [int(value, 16) for value in vector["inputs"]]
    return given[0], given[-1]


def wrong(op: str, listed: list[dict[str, Any]], results: Sequence[int]) -> list[str]:
    return [
        f"{op} {vector['inputs']}: {found:#010x}, not {vector['expected']}"
        for vector, found in zip(listed, results, strict=True)
        if not agrees(vector, found)
    ]


@needs_vectors
def test_every_vector():
    count: Counter[str] = Counter()
    for op, listed in vectors().items():
        count[op.partition("(")[0]] += len(listed)
        results = [operation(ALONE, op, (a,), (b,))[0] for a, b in map(sources, listed)]
        assert wrong(op, listed, results) == []
    assert sum(count.values()) == 2060
    measured = {BY_NAME[op.lower()].name for op in count if op.lower() in BY_NAME}
    silent = {"nop", "end", "unused", "exp", "log", "shft"}  # in programs; SHFT as SHFT_X2
    assert measured | silent == {op.name for op in OPS}
    assert not measured & silent


@needs_vectors
@pytest.mark.parametrize("level", LEVELS)
def test_every_vector_compiled(level: str):
    need_level(level)
    for op, listed in vectors().items():
        pairs = [sources(vector) for vector in listed]
        pairs += [pairs[0]] * (-len(pairs) % LANES)
        run = compiled_word(DEVICE, lambda m, a, b, op=op: operation(m, op, a, b), level)
        results = run(as_array([a for a, _ in pairs]), as_array([b for _, b in pairs]))
        assert wrong(op, listed, results.tolist()[: len(listed)]) == []
