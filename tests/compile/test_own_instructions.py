"""Instructions that a device adds, used by the compiler where their meaning is what it computes: the same bits, fewer slots."""

from __future__ import annotations

import random

import pytest

from compile.evaluate import evaluate
from compile.test_peephole import EDGES
from compile.vector_builder import Builder as VectorBuilder
from effort import times
from lanewise.compile.shadercore.building import Builder
from lanewise.compile.shadercore.code import Code, Output, without_dead
from lanewise.compile.shadercore.own_instructions import patterns, with_own_instructions
from lanewise.compile.shadercore.passes import join_saturation
from lanewise.compile.shadercore.vector import compile_vector
from lanewise.compile.vector import code as v
from lanewise.shadercore.api.equality import compare
from lanewise.shadercore.api.services.device_files import read_device
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.expressions import evaluate as value_of
from lanewise.shadercore.sem.expressions import expression
from lanewise.ssa.nodes import Ref

INPUTS = 4
BYTES = " + ".join([f"abs(cnv_u32_to_f(a {part}) - cnv_u32_to_f(b {part}))" for part in ("& 0xFF", ">> 24")])
OWN = {
    "fma": "a * b + c",
    "msub": "c - a * b",
    "frac": "a - floor(a)",
    "sad": BYTES,
    "max3": "max(max(a, b), c)",
    "snorm8": "min(max(a, -1), 1) * 127.0",
    "distance": "abs(a - b) + c",  # `sad` on numbers
    "less": "max(-(a * b), c)",
    "even": "abs(a) * 0.5 * b",
    "limited": "saturate(a * b)",
    "pick": "select(a < b, a ^ b, ~c)",  # no instruction turns all bits
    "copy": "a",
}


def with_own(base: Device, *names: str, latency: int = 2) -> Device:
    texts = [
        f'[instructions.own_{name}]\nopcode = {32 + n}\npipe = "CMP"\nlatency = {latency}\nmeaning = "{OWN[name]}"\n'
        for n, name in enumerate(names or OWN)
    ]
    found = read_device("\n".join([f'base = "{"rtl" if base is RTL else "document"}"', *texts]).encode(), "mine.toml")
    return found.replace(base.differences(DEVICES["rtl" if base is RTL else "document"]))


def pattern(rng: random.Random) -> int:
    return rng.choice(EDGES) if rng.random() < 0.5 else rng.getrandbits(32) & 0x8FFFFFFF | 0x38000000


def slots(code: Code) -> tuple[int, int]:
    return code.slots, 0


def random_code(device: Device, rng: random.Random) -> Code:
    """Code of the operations in `OWN`, many of them with signs and some read twice."""
    b = Builder(device)
    values = [*[b.constant(bits) for bits in (0x3F000000, 0x3F800000, 0x40490FDB)], *[b.input(0, n) for n in range(INPUTS)]]

    def one() -> Ref:
        ref = values[-1] if rng.random() < 0.4 else rng.choice(values)
        return Ref(ref.node, rng.choice((0, 0, 0, 1, 1, 2))) if b.bits(ref) is None else ref

    for _ in range(rng.randint(8, 20)):
        op = rng.choice(("mul", "mul", "mul", "add", "add", "max", "max", "min", "floor", "saturate"))
        if op == "floor":
            a = one()
            values.append(b.add(a, b.negate(b.fraction(a))))
        elif op == "saturate":
            values.append(b.saturate(one()))
        else:
            values.append(b.op(op, one(), one()))
    for n, ref in enumerate(rng.sample(values[-8:], 4)):
        b.outputs.append(Output(n // 2, n % 2, ref))
    return join_saturation(without_dead(b.code()))


DEVICES_TRIED = [
    with_own(device)
    for device in (
        RTL,
        DOCUMENT,
        DOCUMENT.replace({"nan": "signed"}),
        RTL.replace({"mul": "nearest"}),
        RTL.replace({"nan": "one"}),
    )
]


@pytest.mark.parametrize("device", DEVICES_TRIED, ids=lambda device: device.describe().partition(", with")[0])
def test_bits_stay(device: Device):
    rng = random.Random(11)
    used: set[str] = set()
    for number in range(times(15, 2_000)):
        code = random_code(device, rng)
        found = with_own_instructions(code, device, slots)
        used |= {node.op for node in found.nodes if node.op.startswith("own_")}
        assert found.slots < code.slots or found == code
        inputs = {(0, n): tuple([pattern(rng) for _ in range(LANES)]) for n in range(INPUTS)}
        assert evaluate(found, device, inputs, {}) == evaluate(code, device, inputs, {}), f"{number}\n{code}\n{found}"
    assert {"own_fma"} < used


def test_what_no_instructions_compute_is_not_looked_for():
    names = [pattern.op.name for pattern in patterns(with_own(RTL))]
    assert names[0] == "own_sad"
    assert {name.removeprefix("own_") for name in names} == OWN.keys() - {"pick", "copy"}


def code_of(device: Device, make: list[tuple[str, str, tuple[int, ...]]]) -> Code:
    """Code of instructions by what they read: inputs 0 to 3, then earlier ones; the last two are outputs."""
    b = Builder(device)
    values = [b.input(0, n) for n in range(4)]
    for op, signs, sources in make:
        values.append(
            b.op(op, *[b.negate(values[n]) if sign == "-" else values[n] for sign, n in zip(signs, sources, strict=True)])
        )
    b.outputs += [Output(0, n, ref) for n, ref in enumerate(values[-2:])]
    return b.code()


def ops(code: Code) -> list[str]:
    return [node.op.removeprefix("own_") for node in code.nodes if not node.is_leaf]


def test_only_what_saves_slots_is_used():
    product = ("mul", "++", (0, 1))
    device = with_own(RTL, "fma")
    for second, wanted in (
        ([product, ("add", "++", (4, 2)), ("add", "++", (4, 3))], ["fma", "fma"]),  # the product is done twice
        ([product, ("max", "++", (4, 3)), ("add", "++", (4, 2))], ["mul", "max", "add"]),  # it is needed anyway
        ([("add", "++", (1, 3)), product, ("add", "++", (2, 5))], ["add", "mul", "add"]),
    ):
        assert ops(with_own_instructions(code_of(device, second), device, slots)) == wanted
    # A sum to nearest has one NaN, so that its sources may change places; the public hardware gives the first.
    for base, wanted in ((DOCUMENT, ["fma", "frc"]), (RTL, ["mul", "add", "frc"])):
        device = with_own(base, "fma")
        code = code_of(device, [product, ("add", "++", (2, 4)), ("frc", "+", (3,))])
        assert ops(with_own_instructions(code, device, slots)) == wanted
    # Before a maximum the sign of a NaN is seen: it is that of the factors on the public hardware only.
    for base, wanted in ((DOCUMENT, ["mul", "max", "frc"]), (RTL, ["less", "frc"])):
        device = with_own(base, "less")
        code = code_of(device, [("mul", "-+", (0, 1)), ("max", "++", (4, 2)), ("frc", "+", (3,))])
        assert ops(with_own_instructions(code, device, slots)) == wanted


def test_differences_of_bytes_are_found_in_code():
    """In code by hand: no source gives them, as values of the compiler are numbers, and no operation of vector code makes a
    number of the bits of another."""
    device = with_own(RTL, "sad")
    assert "cnv_u32_to_f" in {node.op for node in patterns(device)[0].nodes}
    b = Builder(device)
    found = value_of(b, expression(BYTES).node, [b.input(0, 2), b.input(0, 0)])
    b.outputs.append(Output(0, 0, b.add(found, b.input(0, 1))))
    code = without_dead(b.code())
    assert ops(with_own_instructions(code, device, slots)) == ["sad", "add"]


@pytest.mark.parametrize("base", DEVICES.values(), ids=DEVICES)
def test_compiled_programs_have_them(base: Device):
    """`x - (x - fract(x))` is `frac` on the public hardware. Where FRC is exact it is FRC, as `x - floor(x)` is everywhere: no
    source gives `frac` there."""
    b = VectorBuilder()
    a, c = b.input("a"), b.input("c")
    largest = b.op(v.MAX, b.op(v.MAX, a.x, a.y), a.z)
    snorm = b.op(v.MIN, b.op(v.MAX, a.w, -1.0), 1.0) * 127.0
    between = a.xy - c.xy
    distances = b.op(v.MAX, between, -between)
    fraction = c.x - b.op(v.FLOOR, c.x)
    b.output("position", b.op(v.MAD, a, c, a))
    b.output("texcoord0", b.vec(snorm, distances.x + distances.y, b.dot(a.xyz, c.yzw), c.y))
    b.output("color", b.vec(largest, b.dot(a, c), fraction, c.x - (c.x - fraction)))
    device = with_own(base)
    own, plain = (compile_vector(b.program(), each).compiled for each in (device, base))
    assert own is not None
    assert plain is not None
    assert own.slots < plain.slots
    names = {inst.op.name for inst in own.program.insts}
    assert {"own_fma", "own_max3", "own_snorm8", "own_distance"} <= names
    assert ("own_msub" in names) == (base is RTL)  # whose sums do not commute, but a sign changes no bit of a product
    assert ("own_frac" in names) == (base is RTL)
    assert compare(plain.program, own.program, device, constants_known=True)
    slow = compile_vector(b.program(), with_own(base, "fma", latency=200)).compiled
    assert slow is not None
    assert slow.slots < plain.slots  # slots come before cycles
