"""Kernels that only move data: the loads, transposes and stores of a program, to measure how fast data can move.

`MOVED` moves vertices as every program must: rows are transposed to components and back. `COPIED` leaves out the transposes.
Both have ordinary stores, and stores that bypass the cache where that is faster.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.llvm import movement
from lanewise.llvm.target import compile_object, load_object
from lanewise.llvm.text import Text
from lanewise.pica200.engine.llvm.repeat import Sampled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lanewise.llvm.target import Loaded, Target
    from lanewise.llvm.text import Name

MOVED, COPIED = "moved", "copied"
_ROWS = 4  # vectors of an attribute of 16 vertices


class Copier(NamedTuple):
    """A copying kernel to measure. `bypassing`: its stores do not go through the cache."""

    kind: str
    bypassing: bool
    sampled: Sampled


def copiers(
    target: Target, inputs: Sequence[NDArray[np.float32]], outputs: Sequence[NDArray[np.float32]], at_least: float
) -> list[Copier]:
    """Kernels that move inputs to outputs, each (vertices, 4) in C order, the outputs 64-byte aligned; whole vectors only."""
    arrays = [*inputs, *outputs]
    vertices = len(outputs[0])
    if vertices % target.width or not all(array.flags.c_contiguous for array in arrays):
        raise ValueError("data to move is not whole vectors of rows")
    if any(array.ctypes.data % 64 for array in outputs):
        raise ValueError("outputs are not 64-byte aligned")
    words = np.array([vertices // target.width, *(array.ctypes.data for array in arrays)], np.int64)
    found: list[Copier] = []
    for kind in (MOVED, COPIED):
        for bypassing in (False, True):
            code = _code(target, len(inputs), len(outputs), kind, bypassing=bypassing)
            found.append(Copier(kind, bypassing, Sampled(code.address, words.ctypes.data, at_least, (code, words, arrays))))
    return found


@cache
def _code(target: Target, inputs: int, outputs: int, kind: str, *, bypassing: bool) -> Loaded:
    return load_object(compile_object(copying(target, inputs, outputs, kind, bypassing=bypassing), target), target)


def copying(target: Target, inputs: int, outputs: int, kind: str, *, bypassing: bool) -> str:
    """The module of a copying kernel. Output n has the values of input n, or of input 0 where there are fewer inputs."""
    text = Text(target.width, rounds=target.rounds)
    count = text.load("i64", "%args")
    bases = [text.load("ptr", text.new(f"getelementptr i64, ptr %args, i64 {n}")) for n in range(1, 1 + inputs + outputs)]
    # What is in two blocks is not joined: transposing twice is nothing.
    place = text.variable("ptr")
    for label in ("loaded", "stored"):
        text.add(f"  store volatile ptr blockaddress(@kernel, %{label}), ptr {place}")
    text.add("  br label %more")
    text.label("more")
    text.add("  %index = phi i64 [ 0, %entry ], [ %next, %stored ]")
    start = text.new(f"mul i64 %index, {target.width * _ROWS}")
    rows = [[_load(text, base, start, row) for row in range(_ROWS)] for base in bases[:inputs]]
    text.add("  br label %loaded")
    text.label("loaded")
    if kind == MOVED:
        rows = [movement.transposed(text, four) for four in rows]
    text.add("  br label %stored")
    text.label("stored")
    for n, base in enumerate(bases[inputs:]):
        four = rows[n if n < inputs else 0]
        if kind == MOVED:
            four = movement.transposed(text, four)
        for row, value in enumerate(four):
            hint = ", !nontemporal !0" if bypassing else ""
            at = _address(text, base, start, row)
            text.add(f"  store {text.f32} {value}, ptr {at}, align 64{hint}")
    text.add("  %next = add i64 %index, 1")
    text.add(f"  br i1 {text.new(f'icmp ult i64 %next, {count}')}, label %more, label %done")
    text.label("done")
    if bypassing and target.family == "x86":
        text.call("void", "llvm.x86.sse.sfence")
    text.add("  ret void")
    declared = "\n".join(sorted(text.declared.values()))
    head, body = "\n".join(text.heads), "\n".join(text.lines)
    return (
        f"{declared}\n!0 = !{{i32 1}}\ndefine internal void @kernel(ptr noalias %args) noinline nounwind {{\nentry:\n{head}\n"
        f"{body}\n}}\n"
        "define void @run(ptr %args) nounwind {\n  call void @kernel(ptr %args)\n  ret void\n}\n"
    )


def _address(text: Text, base: Name, start: Name, row: int) -> Name:
    first = text.new(f"getelementptr float, ptr {base}, i64 {start}")
    return text.new(f"getelementptr float, ptr {first}, i64 {row * text.width}")


def _load(text: Text, base: Name, start: Name, row: int) -> Name:
    # Volatile, as an input that no output has the values of is read too.
    return text.new(f"load volatile {text.f32}, ptr {_address(text, base, start, row)}, align 4")


def aligned(vertices: int, components: int = 4) -> NDArray[np.float32]:
    """Zeros, (vertices, components), at a multiple of 64 bytes, as stores that bypass the cache need."""
    size = 4 * vertices * components
    raw = np.zeros(size + 64, np.uint8)
    return raw[-raw.ctypes.data % 64 :][:size].view(np.float32).reshape(vertices, components)
