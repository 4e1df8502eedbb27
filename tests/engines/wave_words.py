"""Single words of ShaderCore on the compiled engine: a kernel of nothing but one word, over arrays of waves."""

from __future__ import annotations

import ctypes
import random
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from lanewise.arrays.memory import address
from lanewise.llvm import target as targets
from lanewise.llvm.routines import Routines
from lanewise.llvm.text import Text
from lanewise.shadercore.engine.llvm.ops import MODE, VectorOps
from lanewise.shadercore.isa.devices import DOCUMENT, PARAMETERS, RTL, Device
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.algebra import OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name
    from lanewise.shadercore.sem.algebra import Algebra

    Emit = Callable[[VectorOps, Name, Name], Name]
    Run = Callable[[NDArray[np.uint32], NDArray[np.uint32]], NDArray[np.uint32]]

V = TypeVar("V")
_Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

# Operations of two values, of one, and of one with numbers.
TWO = tuple(name for name, operation in OPERATIONS.items() if operation.values == 2)
WORDS: dict[str, tuple[str, tuple[int, ...]]] = {
    **{name: (name, ()) for name, operation in OPERATIONS.items() if not operation.immediate},
    **{name: (name, (bits,)) for name, bits in (("xor", 0x80000000), ("mask", 0x7FFFFFFF), ("set", 0x80000000))},
    **{f"unorm{n}": ("unorm", (n,)) for n in (8, 16)},
    **{f"shift_{way}{n}": (f"shift_{way}", (n,)) for way in ("left", "right") for n in (8, 16, 24)},
    **{f"scale{n}": ("scale", (n,)) for n in (-4, -3, -2, -1, 1, 2, 3, 4)},
}


def apply(m: Algebra[V], name: str, a: V, b: V) -> V:
    """A word of `WORDS` by a vocabulary; `b` is of no use to words of one value."""
    word, numbers = WORDS[name]
    return m.apply(word, a, b) if name in TWO else m.apply(word, a, immediate=numbers[0] if numbers else None)


def module(device: Device, emit: Emit, target: Target) -> str:
    """The IR of a kernel (waves, a, b, results) that does one word over arrays."""
    text = Text(target.width, rounds=target.rounds)
    routines = Routines(target)
    words = VectorOps(text, device, routines)
    count = text.load("i64", "%args")
    bases = [text.load("ptr", text.new(f"getelementptr i64, ptr %args, i64 {n}")) for n in (1, 2, 3)]
    text.add("  br label %loop")
    text.label("loop")
    text.add("  %n = phi i64 [ 0, %entry ], [ %next, %loop ]")
    at = text.new(f"mul i64 %n, {LANES}")
    places = [text.new(f"getelementptr i32, ptr {base}, i64 {at}") for base in bases]
    given = [text.load(text.i32, place, 4) for place in places[:2]]
    text.store(text.i32, emit(words, given[0], given[1]), places[2], 4)
    text.add("  %next = add i64 %n, 1")
    text.add(f"  br i1 {text.new(f'icmp ult i64 %next, {count}')}, label %loop, label %done")
    body = "\n".join(text.lines)
    head = routines.module(text.declared)
    return (
        f"{head}define internal void @kernel(ptr %args) noinline nounwind {{\nentry:\n{body}\ndone:\n  ret void\n}}\n"
        + targets.wrapper(target, MODE)
    )


@cache
def _loaded(text: str, level: str) -> targets.Loaded:
    """The code of a module, which is the same for devices that do the word alike."""
    target = targets.host(level)
    return targets.load_object(targets.compile_object(text, target), target)


def compiled_word(device: Device, emit: Emit, level: str = "native") -> Run:
    """A word over two arrays of patterns, a multiple of 16 each."""
    loaded = _loaded(module(device, emit, targets.host(level)), level)
    function = _Function(loaded.address)

    def run(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.uint32]:
        assert loaded.owner and len(a) == len(b) and len(a) % LANES == 0
        found = np.empty(len(a), np.uint32)
        arguments = np.array([len(a) // LANES, address(a), address(b), address(found)], np.int64)
        function(address(arguments))
        return found

    return run


@cache
def kernel(device: Device, name: str, level: str = "native") -> Run:
    """The same for a word of `WORDS`."""
    return compiled_word(device, lambda words, a, b: apply(words, name, a, b), level)


@cache
def edges() -> tuple[int, ...]:
    """Zeros, subnormals, ends, infinities, NaN with payloads, powers of two and their neighbours, halves: of both signs."""
    found = {
        0,
        1,
        2,
        0x3FFFFF,
        0x400000,
        0x7FFFFE,
        0x7FFFFF,
        0x7F7FFFFF,
        0x7F800000,
        0x7F800001,
        0x7FBFFFFF,
        0x7FC00000,
        0x7FC12345,
        0x7FFFFFFF,
    }
    for exponent in (
        1,
        2,
        3,
        23,
        24,
        25,
        80,
        100,
        102,
        103,
        104,
        105,
        111,
        112,
        113,
        114,
        125,
        126,
        127,
        128,
        129,
        134,
        135,
        140,
        141,
        142,
        143,
        148,
        149,
        150,
        151,
        152,
        174,
        200,
        251,
        252,
        253,
        254,
    ):
        first = exponent << 23
        found |= {first - 1, first, first + 1, first + 0x400000, first + 0x7FFFFF, first + 0x555555}
    found |= {
        0x477FE000,
        0x477FE001,
        0x477FF000,
        0x477FEFFF,
        0x46FFFF00,
        0x46FFFEFF,
        0x46FFFE00,
        0x46FFFDFF,
        0x3F7FFFFF,
        0x40200000,
        0x4A7FFFFF,
        0x4AFFFFFF,
    }
    kept = sorted(found)
    return *kept, *[value | 1 << 31 for value in kept]


def random_patterns(rng: random.Random, count: int) -> list[int]:
    """Of all bits, or with an exponent that is not far from that of 1.0, or close to an edge."""
    near = edges()

    def one() -> int:
        kind = rng.randrange(4)
        if kind == 0:
            return rng.getrandbits(32)
        if kind == 1:
            return rng.getrandbits(1) << 31 | rng.randrange(90, 165) << 23 | rng.getrandbits(23)
        if kind == 2:
            return (rng.choice(near) + rng.randrange(-3, 4)) & 0xFFFFFFFF
        return rng.getrandbits(1) << 31 | rng.randrange(90, 165) << 23 | (rng.getrandbits(6) << 17)

    return [one() for _ in range(count)]


def devices() -> dict[str, Device]:
    """The two devices, and each with one field that says what its words do as the other has it, with what has to go with it."""
    found = {"document": DOCUMENT, "rtl": RTL}
    for base in (DOCUMENT, RTL):
        for parameter in PARAMETERS:
            if parameter.group != "meaning":
                continue
            for value in parameter.answers:
                if value != base.value(parameter.key):
                    try:
                        made = base.replace({parameter.key: value})
                    except ValueError:
                        made = base.replace(_together(parameter.key, value))
                    found[f"{base.name},{parameter.key}={value}"] = made
    return found


def _together(key: str, value: str) -> dict[str, str]:
    """A change with what it needs."""
    needs = {
        ("add", "floor"): {"subnormals": "flushed"},
        ("mul", "zero"): {"subnormals": "flushed"},
        ("subnormals", "kept"): {"add": "nearest", "mul": "nearest"},
        ("rcp", "exact"): {"rcp_sigma": "fixed"},
        ("rsq", "exact"): {"rsq_gate": "fixed"},
        ("rcp_sigma", "stale"): {"rcp": "table"},
        ("rsq_gate", "stale"): {"rsq": "table"},
    }
    return {key: value, **needs[key, value]}


def as_array(patterns: Sequence[int]) -> NDArray[np.uint32]:
    return np.array(patterns, np.uint32)
