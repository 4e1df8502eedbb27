"""Which float32 numbers RSQ, EXP and LOG are hard to round for: those whose exact result is next to a middle between two
float32.

    python -m engines.float32_sweep            look at all of them again and compare with float32_hard.json
    python -m engines.float32_sweep --write    write that file anew

Run in the folder `tests`, or as `nox -s exhaustive`. The kernels compute in float64, right to far less than 2**-48 of the
result (`SLACK`; test_float32_functions.py looks at that). So a result can only be wrong where 2**-48 more or less rounds to
another float32; those numbers are in the file, and for each of them the test compares with the reference engine.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.memory import address
from lanewise.llvm import float32_functions
from lanewise.llvm import target as targets
from lanewise.llvm.text import Text
from lanewise.shadercore.engine.llvm.ops import MODE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from lanewise.llvm.target import Loaded, Target
    from lanewise.llvm.text import Name

SLACK = 2.0**-48
DOUBLES: dict[str, Callable[[Text, Name], Name]] = {
    "rsq": float32_functions.rsq_double,
    "exp2": float32_functions.exp2_double,
    "log2": float32_functions.log2_double,
}
# Patterns that give something else than infinity, zero, one or NaN for a reason that needs no arithmetic. The mantissas of two
# powers of two are all there is for RSQ: four times a number has half the root, and no root is subnormal. EXP is 1.0 of what is
# below 2**-26, and infinite or zero from 160 on.
RANGES = {
    "rsq": [range(0x3F800000, 0x40800000)],
    "exp2": [range(0x32800000, 0x43200000), range(0xB2800000, 0xC3200000)],
    "log2": [range(0x00000001, 0x7F800000)],
}
HARD = Path(__file__).parent / "float32_hard.json"
_PIECE = 1 << 24
_Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def module(name: str, target: Target, *, doubles: bool = False) -> str:
    """A kernel (waves, first pattern, results): 16 bits for each 16 patterns, set where the rounding is in doubt; or the
    float64 themselves."""
    text = Text(target.width, rounds=target.rounds)
    kinds = ("i64", "i32", "ptr")
    count, first, to = (text.load(kind, text.new(f"getelementptr i64, ptr %args, i64 {n}")) for n, kind in enumerate(kinds))
    text.add("  br label %loop")
    text.label("loop")
    text.add("  %n = phi i64 [ 0, %entry ], [ %next, %loop ]")
    at = text.new("mul i64 %n, 16")
    start = text.new(f"add i32 {first}, {text.new(f'trunc i64 {at} to i32')}")
    lanes = ", ".join([f"i32 {lane}" for lane in range(16)])
    value = DOUBLES[name](text, text.number_of(text.iadd(text.splat("i32", start), f"<{lanes}>")))
    if doubles:
        text.store(text.f64, value, text.new(f"getelementptr double, ptr {to}, i64 {at}"), 8)
    else:
        ends = [text.double_op("fmul", value, text.double(factor)) for factor in (1 - SLACK, 1 + SLACK)]
        low, high = (text.bits(text.narrow(end)) for end in ends)
        packed = text.new(f"bitcast {text.i1} {text.icmp('ne', low, high)} to i16")
        text.store("i16", packed, text.new(f"getelementptr i16, ptr {to}, i64 %n"))
    text.add("  %next = add i64 %n, 1")
    text.add(f"  br i1 {text.new(f'icmp ult i64 %next, {count}')}, label %loop, label %done")
    body = "\n".join(text.lines)
    declared = "\n".join(sorted(text.declared.values()))
    kernel = f"define internal void @kernel(ptr %args) noinline nounwind {{\nentry:\n{body}\ndone:\n  ret void\n}}\n"
    return f"{declared}\n{kernel}{targets.wrapper(target, MODE)}"


def run(code: Loaded, first: int, results: NDArray[np.uint16] | NDArray[np.float64], waves: int) -> None:
    """So many times 16 patterns from the first."""
    _Function(code.address)(address(np.array([waves, first, address(results)], np.int64)))


def compiled(name: str, level: str = "native", *, doubles: bool = False) -> Loaded:
    target = targets.host(level)
    return targets.load_object(targets.compile_object(module(name, target, doubles=doubles), target), target)


def pieces(name: str) -> list[range]:
    """All patterns of a function, in parts of a binade or two."""
    return [
        range(max(first, patterns.start), min(first + _PIECE, patterns.stop))
        for patterns in RANGES[name]
        for first in range(patterns.start & ~15, patterns.stop, _PIECE)
    ]


def doubtful(name: str, parts: Sequence[range]) -> list[int]:
    """The patterns of some parts whose rounding is in doubt."""
    code = compiled(name)
    found: list[int] = []
    for part in parts:
        first = part.start & ~15
        masks = np.empty(-(-(part.stop - first) // 16), np.uint16)
        run(code, first, masks, len(masks))
        for place in np.nonzero(masks)[0].tolist():
            found += [first + 16 * place + bit for bit in range(16) if int(masks[place]) >> bit & 1]
    return [pattern for pattern in found if any(pattern in part for part in parts)]


def recorded() -> dict[str, list[int]]:
    """The patterns in the tree, by word."""
    return {name: [int(word, 16) for word in words.split()] for name, words in json.loads(HARD.read_text()).items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {HARD.name} anew")
    options = parser.parse_args()
    found: dict[str, list[int]] = {}
    for name in DOUBLES:
        start = time.monotonic()
        found[name] = doubtful(name, pieces(name))
        print(
            f"{name}: {len(found[name])} of {sum(map(len, RANGES[name]))} patterns ({time.monotonic() - start:.0f} s)",
            flush=True,
        )
    if options.write:
        HARD.write_text(
            json.dumps({name: " ".join([f"{word:08X}" for word in words]) for name, words in found.items()}, indent=4) + "\n"
        )
        return 0
    wrong = [name for name, words in found.items() if words != recorded()[name]]
    print("\n".join([f"differs from {HARD.name}: {name}" for name in wrong]) or f"all as in {HARD.name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
