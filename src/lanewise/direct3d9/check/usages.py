"""The usage that a register which is not declared probably has, by what the shader computes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.isa.interface import DIRECT3D8
from lanewise.direct3d9.isa.table import ATTROUT, INPUT, OUTPUT, RASTOUT, TEXCRDOUT, USAGES

if TYPE_CHECKING:
    from lanewise.direct3d9.check.context import AnalysisContext
    from lanewise.direct3d9.isa.program import Dest, Inst

POSITION, NORMAL, TEXCOORD, COLOR = (USAGES[n] for n in (0, 3, 5, 10))
_BY_READS = {"xyzw": POSITION, "xyz": NORMAL, "xyz*": NORMAL}  # what the first source of products of vectors is


class Usages:
    """The usages of the registers of one file that a shader does not declare, each another one."""

    def __init__(self, context: AnalysisContext, *, direct3d8: bool) -> None:
        self._context = context
        self._direct3d8 = direct3d8
        self._taken = {
            (inst.dest.file, inst.payload[0] & 0x1F, inst.payload[0] >> 16 & 0xF)
            for _, inst in context.declarations
            if inst.dest is not None and inst.payload
        }

    def of(self, file: int, number: int) -> str:
        """The usage, with its index, such as `texcoord1`."""
        name, index = self._meant(file, number)
        usage = USAGES.index(name)
        if name in (POSITION, NORMAL) and (file, usage, index) in self._taken:
            name, index, usage = TEXCOORD, 0, USAGES.index(TEXCOORD)
        while (file, usage, index) in self._taken:
            index += 1
        self._taken.add((file, usage, index))
        return f"{name}{index or ''}"

    def _meant(self, file: int, number: int) -> tuple[str, int]:
        if file == INPUT and self._direct3d8 and number < len(DIRECT3D8):
            return DIRECT3D8[number]
        for _, inst in self._context.code:
            found = self._by(inst, inst.dest, file, number)
            if found is not None:
                return found
        return (POSITION if number == 0 and self._context.vertex else TEXCOORD), 0

    def _by(self, inst: Inst, dest: Dest | None, file: int, number: int) -> tuple[str, int] | None:
        """The usage that one instruction gives a register; None for none."""
        if dest is None or not self._context.vertex:
            return None
        if file == OUTPUT and self._context.model >= 3:
            named = (dest.file, dest.number) == (file, number)
            return (POSITION, 0) if named and _BY_READS.get(_first(inst)) == POSITION else None
        if not any((source.file, source.number) == (file, number) for source in inst.sources[:1] or ()):
            return None
        if _first(inst) in _BY_READS:
            return _BY_READS[_first(inst)], 0
        if self._context.model < 3:
            if dest.file == RASTOUT and dest.number == 0:
                return POSITION, 0
            if dest.file in (ATTROUT, TEXCRDOUT):
                return (COLOR if dest.file == ATTROUT else TEXCOORD), dest.number
        return None


def _first(inst: Inst) -> str:
    """The components of the first source that an instruction reads, where its row says them."""
    return inst.op.reads[0] if inst.op.reads else ""
