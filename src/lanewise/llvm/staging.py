"""Runs of fewer vertices than a vector has lanes, without a copy in Python: rows to scratch memory, the kernel, and rows back.

A kernel does whole vectors. From one vector on, the last one ends with the last vertex and repeats some of the one before; a
shorter run has none before. Its rows are copied to scratch memory of one vector, and the lanes after the last vertex repeat it,
so that they take its path, flag what it flags and read nothing that is not there. The copies are machine code that is compiled
once for all kernels: a copy in each kernel would be compiled with each.
"""

from __future__ import annotations

import ctypes
import struct
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from lanewise.llvm.loading import load_function
from lanewise.llvm.target import host

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# The words of 64 bits of a staged call: the kernel (0: none) and its arguments; the numbers of vertices and of lanes; how many
# inputs, outputs and arrays of bytes follow. An input is an address, the bytes from one row to the next, its components and its
# scratch memory; the others are the address in scratch memory and that of the result.
_KERNEL, _OUTPUTS, _BYTES, _HEAD = 0, 5, 6, 7

_IR = """define void @run(ptr %block) nounwind {
entry:
  %kernel.at = getelementptr i64, ptr %block, i64 0
  %kernel = load ptr, ptr %kernel.at
  %args.at = getelementptr i64, ptr %block, i64 1
  %args = load ptr, ptr %args.at
  %rows.at = getelementptr i64, ptr %block, i64 2
  %rows = load i64, ptr %rows.at
  %lanes.at = getelementptr i64, ptr %block, i64 3
  %lanes = load i64, ptr %lanes.at
  %inputs.at = getelementptr i64, ptr %block, i64 4
  %inputs = load i64, ptr %inputs.at
  %outputs.at = getelementptr i64, ptr %block, i64 5
  %outputs = load i64, ptr %outputs.at
  %bytes.at = getelementptr i64, ptr %block, i64 6
  %bytes = load i64, ptr %bytes.at
  %items = getelementptr i64, ptr %block, i64 7
  %last = sub i64 %rows, 1
  br label %input
input:
  %i = phi i64 [ 0, %entry ], [ %i.next, %input.end ]
  %item = phi ptr [ %items, %entry ], [ %item.next, %input.end ]
  %i.more = icmp ult i64 %i, %inputs
  br i1 %i.more, label %input.begin, label %inputs.end
input.begin:
  %from = load ptr, ptr %item
  %stride.at = getelementptr i64, ptr %item, i64 1
  %stride = load i64, ptr %stride.at
  %components.at = getelementptr i64, ptr %item, i64 2
  %components = load i64, ptr %components.at
  %to.at = getelementptr i64, ptr %item, i64 3
  %to = load ptr, ptr %to.at
  %four = icmp eq i64 %components, 4
  br i1 %four, label %fours, label %row
fours:
  %f = phi i64 [ 0, %input.begin ], [ %f.next, %fours ]
  %f.row = call i64 @llvm.umin.i64(i64 %f, i64 %last)
  %f.offset = mul i64 %f.row, %stride
  %f.from = getelementptr i8, ptr %from, i64 %f.offset
  %f.value = load <4 x i32>, ptr %f.from, align 4
  %f.place = shl i64 %f, 4
  %f.to = getelementptr i8, ptr %to, i64 %f.place
  store <4 x i32> %f.value, ptr %f.to, align 4
  %f.next = add i64 %f, 1
  %f.more = icmp ult i64 %f.next, %lanes
  br i1 %f.more, label %fours, label %input.end
row:
  %r = phi i64 [ 0, %input.begin ], [ %r.next, %row.end ]
  %r.to = phi ptr [ %to, %input.begin ], [ %c.to.next, %row.end ]
  %r.row = call i64 @llvm.umin.i64(i64 %r, i64 %last)
  %r.offset = mul i64 %r.row, %stride
  %r.from = getelementptr i8, ptr %from, i64 %r.offset
  br label %component
component:
  %c = phi i64 [ 0, %row ], [ %c.next, %component ]
  %c.to = phi ptr [ %r.to, %row ], [ %c.to.next, %component ]
  %c.from = getelementptr i32, ptr %r.from, i64 %c
  %c.value = load i32, ptr %c.from, align 4
  store i32 %c.value, ptr %c.to, align 4
  %c.to.next = getelementptr i32, ptr %c.to, i64 1
  %c.next = add i64 %c, 1
  %c.more = icmp ult i64 %c.next, %components
  br i1 %c.more, label %component, label %row.end
row.end:
  %r.next = add i64 %r, 1
  %r.more = icmp ult i64 %r.next, %lanes
  br i1 %r.more, label %row, label %input.end
input.end:
  %i.next = add i64 %i, 1
  %item.next = getelementptr i64, ptr %item, i64 4
  br label %input
inputs.end:
  %none = icmp eq ptr %kernel, null
  br i1 %none, label %output, label %call
call:
  call void %kernel(ptr %args)
  br label %output
output:
  %o = phi i64 [ 0, %inputs.end ], [ 0, %call ], [ %o.next, %output.end ]
  %o.item = phi ptr [ %item, %inputs.end ], [ %item, %call ], [ %o.item.next, %output.end ]
  %o.more = icmp ult i64 %o, %outputs
  br i1 %o.more, label %output.begin, label %byte
output.begin:
  %o.from = load ptr, ptr %o.item
  %o.to.at = getelementptr i64, ptr %o.item, i64 1
  %o.to = load ptr, ptr %o.to.at
  br label %give
give:
  %g = phi i64 [ 0, %output.begin ], [ %g.next, %give ]
  %g.place = shl i64 %g, 4
  %g.from = getelementptr i8, ptr %o.from, i64 %g.place
  %g.value = load <4 x i32>, ptr %g.from, align 4
  %g.to = getelementptr i8, ptr %o.to, i64 %g.place
  store <4 x i32> %g.value, ptr %g.to, align 4
  %g.next = add i64 %g, 1
  %g.more = icmp ult i64 %g.next, %rows
  br i1 %g.more, label %give, label %output.end
output.end:
  %o.next = add i64 %o, 1
  %o.item.next = getelementptr i64, ptr %o.item, i64 2
  br label %output
byte:
  %b = phi i64 [ 0, %output ], [ %b.next, %byte.end ]
  %b.item = phi ptr [ %o.item, %output ], [ %b.item.next, %byte.end ]
  %b.more = icmp ult i64 %b, %bytes
  br i1 %b.more, label %byte.begin, label %done
byte.begin:
  %b.from = load ptr, ptr %b.item
  %b.to.at = getelementptr i64, ptr %b.item, i64 1
  %b.to = load ptr, ptr %b.to.at
  br label %one
one:
  %n = phi i64 [ 0, %byte.begin ], [ %n.next, %one ]
  %n.from = getelementptr i8, ptr %b.from, i64 %n
  %n.value = load i8, ptr %n.from
  %n.to = getelementptr i8, ptr %b.to, i64 %n
  store i8 %n.value, ptr %n.to
  %n.next = add i64 %n, 1
  %n.more = icmp ult i64 %n.next, %rows
  br i1 %n.more, label %one, label %byte.end
byte.end:
  %b.next = add i64 %b, 1
  %b.item.next = getelementptr i64, ptr %b.item, i64 2
  br label %byte
done:
  ret void
}
declare i64 @llvm.umin.i64(i64, i64)
"""


@cache
def _code() -> Callable[[int], None]:
    return load_function(_IR, host())


@cache
def _packer(count: int) -> Callable[..., None]:
    return struct.Struct(f"{count}q").pack_into


class Staged:
    """Scratch memory of one vector, with the copies there and back: `inputs`, `outputs` and `flags` are its addresses, in
    order."""

    def __init__(
        self,
        lanes: int,
        vertices: int,
        arguments: int,
        inputs: Sequence[tuple[int, int, int]],
        outputs: Sequence[int],
        flags: Sequence[int],
    ) -> None:
        """`arguments` is the address of those of the kernel. `inputs` are address, bytes from row to row, components; `outputs`
        addresses of rows of four, `flags` of bytes.
        """
        head = _HEAD + 4 * len(inputs) + 2 * (len(outputs) + len(flags))
        size = lanes * (4 * sum([components for _, _, components in inputs]) + 16 * len(outputs) + len(flags))
        self._words = np.empty(head + (size + 7) // 8, np.int64)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._words.data))
        self._arguments = arguments
        place = self._address + 8 * head
        words = [0, arguments, vertices, lanes, len(inputs), len(outputs), len(flags)]
        self.inputs: list[int] = []
        self.outputs: list[int] = []
        self.flags: list[int] = []
        for start, stride, components in inputs:
            words += (start, stride, components, place)
            self.inputs.append(place)
            place += 4 * components * lanes
        for start in outputs:
            words += (place, start)
            self.outputs.append(place)
            place += 16 * lanes
        for start in flags:
            words += (place, start)
            self.flags.append(place)
            place += lanes
        self._view = self._words.data
        _packer(head)(self._view, 0, *words)
        self._run = _code()

    def prepare(self, kernel: Callable[[int], None], entry: int) -> tuple[Callable[[int], None], int]:
        """A function and its argument that run a kernel between the copies. `entry` is the address of its code, 0 for one that
        is not machine code."""
        if not entry:
            return self._around(kernel), self._arguments
        self._view[_KERNEL] = entry
        return self._run, self._address

    def _around(self, kernel: Callable[[int], None]) -> Callable[[int], None]:
        results = tuple(self._view[_OUTPUTS:_HEAD])

        def run(arguments: int) -> None:
            self._view[_KERNEL] = self._view[_OUTPUTS] = self._view[_BYTES] = 0
            self._run(self._address)
            kernel(arguments)
            self._view[_OUTPUTS], self._view[_BYTES] = results
            self._run(self._address)

        return run
