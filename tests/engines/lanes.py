"""Small functions of vectors, written with `Text`, compiled and called on arrays: for tests of single roundings."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from lanewise.llvm.target import compile_object, load_object, wrapper
from lanewise.llvm.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name

FLOAT = np.dtype(np.float32)


class Lanes:
    """A function of two vectors of float32 that gives one, in a mode of the processor."""

    def __init__(self, target: Target, mode: str, body: Callable[[Text, Name, Name], Name], width: int = 16) -> None:
        self.width = width
        self.loaded = load_object(compile_object(module(target, mode, body, width), target), target)
        self.run = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.loaded.address)

    def __call__(self, a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
        """The results of arrays of equal size, whose number of elements is a multiple of the width."""
        assert a.shape == b.shape
        assert a.size % self.width == 0
        assert a.dtype == b.dtype == FLOAT
        a, b, found = np.ascontiguousarray(a), np.ascontiguousarray(b), np.empty(a.shape, FLOAT)
        words = np.array([a.ctypes.data, b.ctypes.data, found.ctypes.data, a.size], np.int64)
        self.run(words.ctypes.data)
        return found


def module(target: Target, mode: str, body: Callable[[Text, Name, Name], Name], width: int = 16) -> str:
    """The IR: a loop over all vectors."""
    text = Text(width, rounds=target.rounds)
    at = text.variable("i64")
    places = [text.load("ptr", text.new(f"getelementptr i64, ptr %args, i64 {n}")) for n in range(3)]
    count = text.load("i64", text.new("getelementptr i64, ptr %args, i64 3"))
    text.store("i64", "0", at)
    text.add("  br label %more")
    text.label("more")
    index = text.load("i64", at)
    text.add(f"  br i1 {text.new(f'icmp ult i64 {index}, {count}')}, label %vector, label %done")
    text.label("vector")
    a, b = (text.load(text.f32, text.new(f"getelementptr float, ptr {place}, i64 {index}"), 4) for place in places[:2])
    text.store(text.f32, body(text, a, b), text.new(f"getelementptr float, ptr {places[2]}, i64 {index}"), 4)
    text.store("i64", text.new(f"add i64 {index}, {width}"), at)
    text.add("  br label %more")
    text.label("done")
    text.add("  ret void")
    lines = "\n".join(
        [
            *sorted(text.declared.values()),
            "define internal void @kernel(ptr noalias %args) noinline nounwind {",
            "entry:",
            *text.heads,
            *text.lines,
            "}",
        ]
    )
    return f"{lines}\n{wrapper(target, mode)}"
