"""What consoles have shown, run as encoded words on the reference engine.

Two sources: the table of 3dbrew (GPU/Shader Instruction Set, Floating-Point Behavior), written out here; and the collected
vectors of `../shared/vectors/pica200_hardware.json`, each with its own source. A vector is compared as finely as it was
measured.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from engines.shaders import ZEROS, descriptor, run, splat, vector, word
from lanewise.api.loading import assemble as assemble_text
from lanewise.core.numbers.floats import NAN, ONE, float24_from_float, float_from_float24
from lanewise.pica200.api.pipeline import Pipeline
from lanewise.pica200.api.primitives import Primitives
from lanewise.pica200.engine.geometry import TOPOLOGIES, assemble, winding
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import BY_NAME, FLOAT, TEMPORARY
from lanewise.pica200.sem.profile import HARDWARE, Profile

Words = tuple[int, int, int, int]

VECTORS = Path(__file__).resolve().parents[2].parent / "shared" / "vectors" / "pica200_hardware.json"
ENTRIES: list[dict[str, Any]] = json.loads(VECTORS.read_text()) if VECTORS.exists() else []
needs_vectors = pytest.mark.skipif(not ENTRIES, reason="../shared/vectors/pica200_hardware.json is not there")

R, C = TEMPORARY, FLOAT
END = word("end")
INF, NEG_INF, NEG_ZERO = 0x7F0000, 0xFF0000, 0x800000
S, N = 0x00FFFF, 0x010000  # 3dbrew's s and n: the largest subnormal, the smallest normal
TWO, HALF, MINUS_ONE, MINUS_TWO = 0x400000, 0x3E0000, 0xBF0000, 0xC00000
AS_3DBREW = HARDWARE.replace(max_zero_neg_inf="-inf")
MADE_NAN = "NaN (made by rsq(-1))"


def operand(value: Any) -> tuple[Words, bool]:
    """(the words of an operand of a vector, whether a program must make it by RSQ of -1)."""
    if isinstance(value, list):
        parts = [operand(part)[0][0] for part in cast("list[Any]", value)]
        x, y, z, w = (*parts, *[0] * (4 - len(parts)))
        return (x, y, z, w), False
    if value == MADE_NAN:
        return splat(MINUS_ONE), True
    if value == "NaN":
        return splat(NAN), False
    if isinstance(value, str) and value.startswith("0x"):
        return splat(int(value, 16)), False
    return splat(float24_from_float(float(value))), False


def compute(*names: str, operands: list[Any], wide: int = 0, profile: Profile = HARDWARE) -> Words:
    """o0 after a chain of instructions: the first takes the operands, each other one the result before it.

    Operands come from v registers, or from temporaries if they are made; `wide` is the source that comes from a uniform.
    """
    words: list[int] = []
    inputs: dict[int, Words] = {}
    floats: dict[int, Words] = {}
    sources: dict[str, int] = {}
    for n, value in enumerate(operands, 1):
        given, made = operand(value)
        if wide == n:
            floats[7] = given
        else:
            inputs[n] = given
        if made:
            words.append(word("rsq", dst=R + n, src1=n))
        sources[f"src{n}"] = C + 7 if wide == n else R + n if made else n
    words.append(word(names[0], dst=R, **sources))
    words += [word(name, dst=R, src1=R) for name in names[1:]]
    lane = run([*words, word("mov", dst=0, src1=R), END], inputs=inputs, floats=floats, profile=profile)
    assert lane.fault is None
    return lane.outputs[0]


def kind(value: int) -> str:
    """The class of a result, as fp-tests tells them apart with CMP."""
    named = {0: "zero", ONE: "one", INF: "+inf", NEG_INF: "-inf", NAN: "NaN"}
    return named.get(value, "finite-negative" if value >> 23 else "finite-positive")


TABLE = [
    # 3dbrew's rows in its order: names, operands, result. max(0, -inf) has a test of its own.
    (("mul",), [INF, 0], 0),
    (("mul",), [0, INF], 0),
    (("mad",), [INF, 0, 0], 0),
    (("dp3",), [INF, 0], 0),
    (("dp4",), [INF, 0], 0),
    (("dph",), [[INF, INF, INF, 0], 0], 0),
    (("mul",), [NAN, 0], NAN),
    (("add",), [INF, NEG_INF], NAN),
    (("rcp", "rsq"), [NEG_INF], INF),
    (("rcp",), [NEG_ZERO], INF),
    (("rcp",), [0], INF),
    (("rcp",), [INF], 0),
    (("rcp",), [NAN], NAN),
    (("rsq",), [NEG_ZERO], INF),
    (("rsq",), [MINUS_TWO], NAN),
    (("rsq",), [INF], 0),
    (("rsq",), [NEG_INF], NAN),
    (("rsq",), [NAN], NAN),
    (("max",), [0, INF], INF),
    (("max",), [0, NAN], NAN),
    (("max",), [NAN, 0], 0),
    (("max",), [NEG_INF, INF], INF),
    (("min",), [0, INF], 0),
    (("min",), [0, NEG_INF], NEG_INF),
    (("min",), [0, NAN], NAN),
    (("min",), [NAN, 0], 0),
    (("min",), [NEG_INF, INF], NEG_INF),
    (("max",), [S, 0], S),
    (("mul",), [S, TWO], 0),
    (("mul",), [N, HALF], 0),
]


@pytest.mark.parametrize(("names", "operands", "expected"), TABLE)
def test_table_of_3dbrew(names: tuple[str, ...], operands: list[int | list[int]], expected: int):
    parts = [[hex(part) for part in (value if isinstance(value, list) else [value] * 4)] for value in operands]
    assert compute(*names, operands=parts) == splat(expected)


def test_max_of_0_and_negative_infinity():
    """3dbrew's row says -inf; fp-tests 10, a program that checks itself, says 0: a choice of the profile."""
    operands = [["0x000000"] * 4, ["0xFF0000"] * 4]
    assert compute("max", operands=operands) == ZEROS
    assert compute("max", operands=operands, profile=AS_3DBREW) == splat(NEG_INF)


SPECIFICATION = Path(__file__).resolve().parents[2].parent / "shared" / "spec" / "000_3d6098f37f1f5199.txt"
NUMBERS = {
    "inf": INF,
    "+inf": INF,
    "-inf": NEG_INF,
    "NaN": NAN,
    "0": 0,
    "-0": NEG_ZERO,
    "-2": MINUS_TWO,
    "2": TWO,
    "0.5": HALF,
    "s": S,
    "n": N,
}


def rows_of_the_specification() -> list[tuple[str, str]]:
    """The computations of its table and their results, as they are written there."""
    if not SPECIFICATION.is_file():
        return []
    lines = SPECIFICATION.read_text().replace("\\", "").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("| Computation"))
    cells = [[cell.strip() for cell in line.split("|")[1:3]] for line in lines[start + 2 : lines.index("", start)]]
    return [(computation, result) for computation, result in cells]


def computed(text: str, profile: Profile) -> int | bool:
    """What a computation of the specification gives: `rsq(rcp(-inf))`, `max(0, NaN)`, `inf * 0`, `+inf - +inf`, `cmp(s, 0)` for
    equal."""
    if called := re.fullmatch(r"(\w+)\((.*)\)", text):
        name, inside = called.groups()
        if name == "cmp":
            left, right = (splat(NUMBERS[part.strip()]) for part in inside.split(","))
            return flags_of(word("cmp", src1=1, src2=2), {1: left, 2: right})[0]
        values = [computed(inside, profile)] if "(" in inside else [NUMBERS[part.strip()] for part in inside.split(",")]
        sources = {f"src{n}": n for n in range(1, len(values) + 1)}
        return one_component(word(name, **sources), values, descriptor(), profile)
    left, operation, right = text.split(" ")
    difference = descriptor(negate=(False, operation == "-", False))
    return one_component(
        word({"*": "mul", "-": "add"}[operation], src1=1, src2=2), [NUMBERS[left], NUMBERS[right]], difference, profile
    )


def one_component(instruction: int, values: list[int], description: int, profile: Profile) -> int:
    inputs = {n: splat(value) for n, value in enumerate(values, 1)}
    lane = run([instruction, END], descriptors=[description], inputs=inputs, profile=profile)
    (value,) = set(lane.outputs[0])
    return value


@pytest.mark.skipif(not SPECIFICATION.is_file(), reason="../shared/spec is not beside the repository")
def test_the_table_of_the_specification():
    """Row by row as it stands there. max(0, -inf) contradicts fp-tests 10, and has the specification's answer where it is
    chosen."""
    rows = rows_of_the_specification()
    assert len(rows) == 27
    for text, result in rows:
        expected = result == "true" if text.startswith("cmp") else NUMBERS[result]
        assert computed(text, AS_3DBREW) == expected, text
        assert computed(text, HARDWARE) == (0 if text == "max(0, -inf)" else expected), text


def test_cmp_does_not_flush():
    # eq is false; gt tells that the subnormal has kept its value.
    assert flags_of(word("cmp", src1=1, src2=2, cmpx=0, cmpy=4), {1: splat(S), 2: ZEROS}) == (False, True)


def test_one_can_be_halved_63_times_until_it_is_zero():
    for times, expected in ((62, N), (63, 0)):
        words = [word("mov", dst=R, src1=1), word("for", dst=2), word("mul", dst=R, src1=R, src2=2), word("mov", src1=R), END]
        lane = run(words, inputs={1: splat(ONE), 2: splat(HALF)}, integers={0: (times - 1, 0, 0, 0)})
        assert lane.outputs[0] == splat(expected)


def flags_of(instruction: int, inputs: dict[int, Words], mask: int = 0xF) -> tuple[bool, bool]:
    """cmp.x and cmp.y after one instruction."""
    shown = [
        word("ifc", dst=3, condop=2, refx=1),
        word("mov", dst=14, desc=1),
        word("ifc", dst=5, condop=3, refy=1),
        word("mov", dst=15, desc=1),
    ]
    lane = run([instruction, *shown, END], descriptors=[descriptor(mask), descriptor()], inputs=inputs)
    return bool(lane.written[14]), bool(lane.written[15])


# Vectors by their `op` that no program can show, with the reason.
NOT_RUN = {
    "uniform upload index >= 96": "a rule of the upload registers, in front of the shader",
}
# And one that is run under another profile: 3dbrew's max(0, -inf) = -inf contradicts fp-tests 10, a program that checks itself.
CONTRADICTED = ("max", ["0x000000", "0xFF0000"], "0xFF0000")


def named(index: int) -> str:
    return f"{index}-{re.sub(r'[^0-9a-zA-Z]+', '_', ENTRIES[index]['op'])}"


@needs_vectors
@pytest.mark.parametrize("index", range(len(ENTRIES)), ids=named)
def test_vector(index: int):
    entry = ENTRIES[index]
    op, inputs, expected = entry["op"], entry["inputs"], entry["expected"]
    if op in NOT_RUN:
        pytest.skip(NOT_RUN[op])
    if (op, inputs, expected) == CONTRADICTED:
        compare(compute(op, operands=inputs, profile=AS_3DBREW), expected)
        return
    if op in SPECIAL:
        SPECIAL[op](inputs, expected)
        return
    names = {"rsq(rcp(x))": ("rcp", "rsq"), "lg2(rcp(x))": ("rcp", "lg2")}.get(op, (op,))
    if names[0] not in BY_NAME:
        raise AssertionError(f"no rule for {op}")
    # Where the test program really used the inverted form, its wide second source is a uniform.
    wide = 2 if op.endswith("i") and "test_id" not in entry else 0
    compare(compute(*names, operands=inputs, wide=wide), expected)


def compare(result: Words, expected: Any) -> None:
    """A result against what was measured: a class, a flag or number per component, a framebuffer byte, or the word itself."""
    if isinstance(expected, str):
        assert result == splat(NAN if expected == "NaN" else int(expected, 16))
    elif isinstance(expected, list):
        numbers = cast("list[float]", expected)
        # Pictures: near enough to tell the neighbouring whole numbers apart.
        assert [float_from_float24(part) for part in result[: len(numbers)]] == pytest.approx(numbers, abs=0.4)  # pyright: ignore[reportUnknownMemberType]
    elif "class" in expected:
        assert [kind(part) for part in result] == [expected["class"]] * 4
    else:
        assert [int(float_from_float24(part) * 255) for part in result] == [expected["framebuffer_byte"]] * 4


def flr_negated(inputs: list[Any], expected: Any) -> None:
    words = [word("flr", dst=R, src1=1), word("mul", dst=0, src1=R, src2=2), END]
    lane = run(words, inputs={1: operand(inputs[0])[0], 2: splat(MINUS_ONE)})
    compare(lane.outputs[0], expected)


def infinity_times_zero(inputs: list[Any], expected: Any) -> None:
    for name, rest in (("mul", []), ("dp3", []), ("dp4", []), ("mad", ["0x000000"])):
        compare(compute(name, operands=[*inputs, *rest]), expected)


def compare_equal(inputs: list[Any], expected: Any) -> None:
    a, b = (operand(value)[0] for value in inputs)
    assert expected == "false"
    assert flags_of(word("cmp", src1=1, src2=2), {1: a, 2: b}) == (False, False)


def halving(inputs: list[Any], expected: Any) -> None:
    assert expected == "first compares == 0 at k=63"
    test_one_can_be_halved_63_times_until_it_is_zero()


def mova_truncates(inputs: list[Any], expected: Any) -> None:
    words = [word("mova", src1=1), word("mov", src1=C + 10, idx=1), END]
    lane = run(words, inputs={1: operand(inputs[0])[0]}, floats={10 + n: vector(n / 4) for n in range(4)})
    assert lane.outputs[0] == vector(expected["a0.x"] / 4)


def litp(inputs: list[Any], expected: Any) -> None:
    given = operand(inputs[0])[0]
    assert flags_of(word("litp", dst=0, src1=1), {1: given}) == (expected["cmp.x"], expected["cmp.y"])
    if expected["dst"] is not None:
        numbers = [127.99609375 if isinstance(part, str) else part for part in expected["dst"]]
        assert compute("litp", operands=inputs) == vector(*numbers)


def cmp_ignores_the_mask(inputs: list[Any], expected: Any) -> None:
    for mask in range(16):
        assert flags_of(word("cmp", src1=1, src2=1, cmpx=0, cmpy=0), {1: splat(ONE)}, mask) == (True, True)


def indexed(inputs: list[Any], expected: Any) -> None:
    words = [word("mova", src1=1), word("mov", src1=C + 40, idx=1), END]
    floats = {n: vector(float(n), 0.5, 0.25, 2.0) for n in range(96)}
    lane = run(words, inputs={1: operand(inputs[0])[0]}, floats=floats)
    register = re.match(r"c(\d+)", expected)
    assert lane.outputs[0] == (floats[int(register[1])] if register else splat(ONE))


def loop_body_is_inclusive(inputs: list[Any], expected: Any) -> None:
    # Words 10, 11 and 12 each count; LOOP is word 9 and its DST 11.
    counts = [word("add", dst=R + n, src1=R + n, src2=1) for n in range(3)]
    leave = [word("mov", dst=n, src1=R + n) for n in range(3)]
    for x in (0, 1, 4):
        lane = run(
            [word("nop")] * 9 + [word("for", dst=11), *counts, *leave, END], inputs={1: splat(ONE)}, integers={0: (x, 0, 0, 0)}
        )
        assert [float_from_float24(lane.outputs[n][0]) for n in range(3)] == [x + 1, x + 1, 1]


def mad_encoding(mode: int) -> Any:
    """The seven instructions of JayFoxRox/3ds-tests mad-encoding, built from bit positions, not from the table."""

    def mad(src1: int, src2: int, src3: int, idx: int = 0) -> int:
        return 7 << 29 | 31 << 24 | idx << 22 | src1 << 17 | src2 << 10 | src3 << 5

    def madi(src1: int, src2: int, src3: int, idx: int = 0) -> int:
        return 6 << 29 | 31 << 24 | idx << 22 | src1 << 17 | src2 << 12 | src3 << 5

    v1, r1, r2, r3 = 1, R + 1, R + 2, R + 3
    # (instruction, r1, r2, r3, what r15 becomes: v1, or a uniform from c20 or c30 on by a0.y)
    instruction, one, two, three, source = [
        (0x4FF34000, 1.0, 1.0, 0.0, 20),
        (mad(r1, v1, r3), 1.0, 1.0, 0.0, 0),
        (mad(r1, C + 20, r3, 2), 1.0, 1.0, 0.0, 20),
        (madi(r1, r2, C + 30, 2), 0.0, 0.2, 0.0, 30),
        (madi(r1, v1, r3), 1.0, 1.0, 0.0, 0),
        (madi(v1, r2, r3), 1.0, 1.0, 0.0, 0),
        (madi(r1, r2, v1), 0.0, 0.2, 0.0, 0),
    ][mode]

    def check(inputs: list[Any], expected: Any) -> None:
        assert decode(instruction).op.name == ("mov", "mad", "mad", "madi", "madi", "madi", "madi")[mode]
        floats = {n: vector(float(n), 1.5, 2.5, 3.5) for n in range(20, 34)}
        colour = vector(0.5, 0.25, 0.125, 1.0)
        for vertex in (1, 2, 3):
            given = {0: vector(0.0, vertex), v1: colour, 2: vector(*[one] * 4), 3: vector(*[two] * 4), 4: vector(*[three] * 4)}
            words = [
                word("mova", src1=0),
                *(word("mov", dst=R + n, src1=n + 1) for n in (1, 2, 3)),
                instruction,
                word("mov", src1=R + 15),
                END,
            ]
            lane = run(words, inputs=given, floats=floats)
            assert lane.outputs[0] == (floats[source + vertex] if source else colour)

    return check


def banking(inputs: list[Any], expected: Any) -> None:
    """A is 1, 2, 3, 4 and B is 5, 6, 7, 8; the third vertex has o0.y = B.y, and all else of it was A's, two EMITs ago."""
    assert "TWO emits ago" in expected
    yzw, x, y = descriptor(0b0111), descriptor(0b1000), descriptor(0b0100)
    emit = word("emit")
    words = [
        word("mov", src1=0),
        emit,
        word("mov", src1=0, desc=1),
        word("mov", src1=1, desc=2),
        emit,
        word("mov", src1=1, desc=3),
        emit,
        END,
    ]
    program = Reference(words, [descriptor(), yzw, x, y], 0, geometry=True)
    machine = program.start({0: vector(1, 2, 3, 4), 1: vector(5, 6, 7, 8)}, [ZEROS] * 96, [ZEROS] * 4, [False] * 16)
    results = [machine.step().result for _ in words]
    emitted = [result["emit"].vertex.outputs[0] for result in results if "emit" in result]
    assert emitted == [vector(1, 2, 3, 4), vector(5, 2, 3, 4), vector(1, 6, 3, 4)]


def winding_flag(inputs: list[Any], expected: Any) -> None:
    assert "only when topology==3" in expected
    assert winding(True, HARDWARE) == (1, 0, 2)
    assert {name: assemble(3, name, np.array([True])).corners.tolist() for name in TOPOLOGIES} == {
        "triangles": [[0, 1, 2]],
        "strip": [[0, 1, 2]],
        "fan": [[0, 1, 2]],
        "geometry": [[1, 0, 2]],
    }


def unmapped(inputs: list[Any], expected: Any) -> None:
    assert expected == "1.0"
    assert one_vertex([1, 2, 3, 4], "position").rasterized()["texcoord1"].tolist() == [[[1, 1]] * 3]


def colour(inputs: list[Any], expected: Any) -> None:
    assert expected == "min(|c|,1) before interpolation"
    seen = one_vertex([-0.5, 2, -3, 0], "color").rasterized(clamp_colour=True)
    assert seen["color"].tolist() == [[[0.5, 1, 1, 0]] * 3]


def one_vertex(value: list[float], semantic: str) -> Primitives:
    """A triangle whose corners all have one value in one output."""
    text = f".out o {semantic}\n.in value\n.proc main\nmov o, value\nend\n.end\n"
    return Pipeline(assemble_text(text).vertex).run({"value": value}, count=3)


SPECIAL: dict[str, Any] = {
    "gs emit output banking": banking,
    "gs winding flag": winding_flag,
    "unmapped output semantic": unmapped,
    "vertex colour": colour,
    "flr;mul(-1)": flr_negated,
    "mul/mad/dp*": infinity_times_zero,
    "cmp.eq": compare_equal,
    "mul chain": halving,
    "mova": mova_truncates,
    "litp": litp,
    "cmp": cmp_ignores_the_mask,
    "mova a0.x, in ; mov o0, c40[a0.x]": indexed,
    "loop": loop_body_is_inclusive,
} | {f"mad-encoding mode {mode}": mad_encoding(mode) for mode in range(7)}


@needs_vectors
def test_what_is_left_out_is_known():
    assert len([e for e in ENTRIES if e["op"] in NOT_RUN]) == len(NOT_RUN)
    assert len([e for e in ENTRIES if (e["op"], e["inputs"], e["expected"]) == CONTRADICTED]) == 1
    assert len(ENTRIES) == 150
