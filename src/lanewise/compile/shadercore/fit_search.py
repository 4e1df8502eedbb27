"""Search for the largest array or bound with which a program fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.shadercore.allocate import TooMany
from lanewise.compile.shadercore.backend import TooLong, finish, prepared
from lanewise.compile.shadercore.constants import NoRoom
from lanewise.direct3d9.isa.table import CONSTANT_FILES, IF_BLOCK, OPENS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.compile.shadercore.code import Code
    from lanewise.compile.shadercore.direct3d9 import Options
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.shadercore.isa.devices import Device

MOST_TRIALS = 32  # programs that are tried: each is walked, and may be long


def largest(flow: Flow, device: Device, options: Options, code_of: Callable[[Options], Code | None]) -> str:
    """A sentence for the user; empty where no single array or bound would do.

    `code_of` gives the program under other options before it is optimised, None where even that is refused.
    """
    return _Search(flow, device, options, code_of).run()


def element(flow: Flow, first: int, size: int) -> int:
    """The registers of an element, where relative addresses in an array are its first ones with no gap; 0 otherwise."""
    named = {
        source.constant - first + row
        for inst in flow.insts
        for source in inst.sources
        if source.is_relative and source.file in CONSTANT_FILES and first <= source.constant < first + size
        for row in range(max(1, inst.op.rows))
    }
    return len(named) if named == set(range(len(named))) else 0


class _Search:
    def __init__(self, flow: Flow, device: Device, options: Options, code_of: Callable[[Options], Code | None]) -> None:
        self.flow, self.device, self.options, self.code_of = flow, device, options, code_of
        self.left = MOST_TRIALS

    def run(self) -> str:
        options = self.options
        found: list[str] = []
        counted = {inst.sources[-1].number for inst in self.flow.insts if inst.op.part == OPENS and inst.op.block != IF_BLOCK}
        for register, bound in options.bounds.items():
            if register not in counted:
                continue  # no loop reads it

            def with_most(most: int, register: int = register) -> Options:
                return options._replace(bounds={**options.bounds, register: options.bounds[register]._replace(most=most)})

            most = self._most(with_most, 1, bound.most)
            if most:
                rest = "" if bound.start is None or bound.step is None else f",{bound.start},{bound.step}"
                found.append(f"--bound i{register}={most}{rest} would fit")
        for place, array in enumerate(options.arrays):
            least = self._least(array.first, array.size)
            if not least:
                continue
            rows = self._rows(array.first, array.size)
            if array.stride == 1 and rows > 1:
                # every register may be the first of a matrix: the offsets of the shader say that only each `rows`th is
                apart = list(options.arrays)
                apart[place] = array._replace(stride=rows)
                if self._finishes(options._replace(arrays=tuple(apart))):
                    steps = f"where each address is a multiple of {rows}"
                    found.append(f"--array c{array.first}={array.size}/{rows} would fit, {steps}")
                    continue

            def with_count(count: int, place: int = place) -> Options:
                arrays = list(options.arrays)
                arrays[place] = arrays[place]._replace(size=count * arrays[place].stride)
                return options._replace(arrays=tuple(arrays))

            most = self._most(with_count, -(-least // array.stride), array.size // array.stride)
            if most:
                stride = f"/{array.stride}" if array.stride > 1 else ""
                found.append(f"--array c{array.first}={most * array.stride}{stride} would fit")
        return "; ".join(found)

    def _least(self, first: int, size: int) -> int:
        """The size that an array must have for all bases of relative addresses to be in it that are; 0 if none is."""
        bases = [
            source.constant - first + max(1, inst.op.rows)
            for inst in self.flow.insts
            for source in inst.sources
            if source.is_relative and source.file in CONSTANT_FILES
        ]
        return max([base for base in bases if 0 < base <= size], default=0)

    def _rows(self, first: int, size: int) -> int:
        """The registers of an element, where the relative addresses in an array are its first registers, with no gap,
        and its size is that of whole elements; 1 otherwise."""
        rows = element(self.flow, first, size)
        return rows if rows and size % rows == 0 else 1

    def _most(self, options: Callable[[int], Options], least: int, now: int) -> int:
        """The largest number from `least` to below `now` whose program fits, 0 if none was found. Low ones, whose programs are
        short, first."""
        low, high = 0, now
        doubling = True
        while high - max(low, least - 1) > 1 and self.left:
            middle = min(max(2 * low, least), high - 1) if doubling else (low + high) // 2
            self.left -= 1
            code = self.code_of(options(middle))
            if code is not None and prepared(code, self.device).slots < self.device.cycles("slots"):
                low = middle
            else:
                high, doubling = middle, False
        while low and not self._finishes(options(low)):
            low = low * 3 // 4 if low * 3 // 4 >= least else 0
        return low

    def _finishes(self, options: Options) -> bool:
        """Whether a program that is short enough finds registers, too."""
        code = self.code_of(options)
        if code is None:
            return False
        try:
            finish(code, self.device)
        except (TooMany, TooLong, NoRoom):
            return False
        return True
