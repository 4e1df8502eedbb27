"""Rules about register values: uninitialised reads and missing outputs.

Two sets go through the shader, component by component: what some way has written, and what every way has. A read of what no way has
written is an error (Microsoft's X5036). Loops may have been through before; subroutines may have been called after anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import AnalysisContext, Finding, mask_text, swizzled
from lanewise.direct3d9.isa.program import Source
from lanewise.direct3d9.isa.table import (
    ADDR,
    ALL,
    BEGINS,
    CALLS,
    CLOSES,
    COLOROUT,
    COMPONENTS,
    LOOP_BLOCK,
    MARK,
    OPENS,
    PREDICATE,
    RASTOUT,
    REP_BLOCK,
    SPLITS,
    TEMP,
    TEXTURE,
    TEXTURING,
    limited,
    register_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.direct3d9.isa.program import Inst

Written = dict[tuple[int, int], int]  # components by register

_LOOPS = (LOOP_BLOCK, REP_BLOCK)
_MOST = 40  # findings about one shader
_MOST_WORK = 5_000_000  # blocks and calls times registers: nobody's shader has so many


def unwritten(context: AnalysisContext) -> Iterator[Finding]:
    """Components that are read but written on no path to the instruction; skipped for shaders with too many blocks and registers."""
    registers = {(inst.dest.file, inst.dest.number) for _, inst in context.code if inst.dest is not None}
    if context.branching * len(registers) > _MOST_WORK:
        return
    reported: set[tuple[int, int, int]] = set()
    for at, file, number, missing in _Walk(context).unwritten():
        key = file, number, missing
        if key in reported or len(reported) >= _MOST:
            continue
        reported.add(key)
        name = f"{register_name(context.version, file, number)}{mask_text(missing)}"
        yield Finding(f"{name} is read before it is written", "write it before this instruction", at, "Microsoft: X5036")


def undefined(context: AnalysisContext) -> Iterator[Finding]:
    """Components that are read after an instruction left them undefined: the scratch registers of sgn, the rest of sincos's destination."""
    lossy = [at for at, inst in context.code if _lost(context, inst)]
    registers = {(inst.dest.file, inst.dest.number) for _, inst in context.code if inst.dest is not None}
    if not lossy or context.branching * len(registers) > _MOST_WORK:
        return
    walk = _Walk(context)
    reported: set[tuple[int, int]] = set()
    for at, number, missing, by in walk.undefined():
        if (number, missing) in reported or len(reported) >= _MOST:
            continue
        reported.add((number, missing))
        name = f"{register_name(context.version, TEMP, number)}{mask_text(missing)}"
        message = f"{name} is read, but {context.called(context.insts[by])} has left it undefined"
        yield Finding(message, "write it before this instruction, or use another register", at)


def _lost(context: AnalysisContext, inst: Inst) -> list[tuple[int, int]]:
    """The r# of which an instruction leaves components undefined, and which."""
    if not context.has(inst.op):
        return []
    found = [
        (source.number, ALL)
        for source, kind in zip(inst.sources, inst.op.sources, strict=False)
        if kind.scratch and source.file == TEMP
    ]
    dest = inst.dest
    if dest is not None and dest.file == TEMP:
        found += [(dest.number, mask & ~dest.mask) for mask in limited(inst.op.loses, context.version)]
    return found


class _Walk:
    """Goes through the instructions once, with what has been written so far."""

    def __init__(self, context: AnalysisContext) -> None:
        self.context = context
        self.files = (TEMP, ADDR, PREDICATE) if context.vertex else (TEMP, PREDICATE, *((TEXTURE,) if context.ps13 else ()))
        self.everything = self._all(context.code)
        self.routines = self._routines()

    def unwritten(self) -> Iterator[tuple[int, int, int, int]]:
        """(instruction, file, number, components)."""
        now: Written = {}
        stack: list[tuple[Written, Written | None]] = []  # what was written before a block, and in its first arm
        loops = 0
        code = self.context.code
        for n, (at, inst) in enumerate(code):
            part, block = inst.op.part, inst.op.block
            if part == BEGINS:
                now, stack, loops = dict(self.everything), [], 0
            if not self.context.has(inst.op):
                self._write(inst, now)
                continue
            for file, number, needed in self._needs(inst):
                missing = needed & ~now.get((file, number), 0)
                if missing:
                    yield at, file, number, missing
            if part == OPENS:
                stack.append((dict(now), None))
                if block in _LOOPS:
                    if not loops:
                        _join(now, self._all(code[n : self._end(n)]))
                    loops += 1
            elif part == SPLITS and stack:
                before, _ = stack.pop()
                stack.append((before, now))
                now = dict(before)
            elif part == CLOSES and stack:
                before, first = stack.pop()
                _join(now, before if first is None else first)
                loops = max(0, loops - (block in _LOOPS))
            elif part == CALLS and inst.sources:
                _join(now, self.routines.get(inst.sources[0].number, {}))
            elif inst.op.role == MARK:
                for key in [key for key in now if key[0] == TEMP]:
                    now[key] &= ~8  # ps_1_4 loses the alpha of r# (reference 4)
            self._write(inst, now)

    def undefined(self) -> Iterator[tuple[int, int, int, int]]:
        """(instruction, r#, components, the instruction that left them undefined), where that is so on every path."""
        now: dict[int, tuple[int, int]] = {}  # components and instruction by r#
        stack: list[tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]] | None]] = []
        for at, inst in self.context.code:
            part = inst.op.part
            if part == BEGINS:
                now, stack = {}, []
            if not self.context.has(inst.op):
                continue
            for file, number, needed in self._needs(inst):
                missing = needed & now[number][0] if file == TEMP and number in now else 0
                if missing:
                    yield at, number, missing, now[number][1]
            if part == OPENS:
                stack.append((dict(now), None))
            elif part == SPLITS and stack:
                before, _ = stack.pop()
                stack.append((before, now))
                now = dict(before)
            elif part == CLOSES and stack:
                before, first = stack.pop()
                now = _both(now, before if first is None else first)
            elif part == CALLS:
                now = {}
            for number, mask in _lost(self.context, inst):
                if mask and inst.predicate is None:
                    now[number] = mask | now.get(number, (0, 0))[0], at
            if inst.dest is not None and inst.dest.file == TEMP and inst.op.dest is not None and inst.op.dest.written:
                mask, by = now.get(inst.dest.number, (0, 0))
                if mask & ~inst.dest.mask:
                    now[inst.dest.number] = mask & ~inst.dest.mask, by
                else:
                    now.pop(inst.dest.number, None)

    def _end(self, start: int) -> int:
        """Where the loop that opens here ends."""
        depth = 0
        code = self.context.code
        for n in range(start, len(code)):
            op = code[n][1].op
            if op.block in _LOOPS:
                depth += 1 if op.part == OPENS else -1
            if depth == 0 or op.part == BEGINS:
                return n
        return len(code)

    def _all(self, code: list[tuple[int, Inst]]) -> Written:
        """All that instructions write, calls included."""
        found: Written = {}
        for _, inst in code:
            self._write(inst, found)
        if any(inst.op.part == CALLS for _, inst in code) and code is not self.context.code:
            _join(found, self.everything)
        return found

    def _routines(self) -> dict[int, Written]:
        """The components that each subroutine writes, including its callees, which follow it."""
        code = self.context.code
        starts = [n for n, (_, inst) in enumerate(code) if inst.op.part == BEGINS and inst.sources]
        found: dict[int, Written] = {}
        for n, end in reversed(list(zip(starts, [*starts[1:], len(code)], strict=False))):
            written: Written = {}
            for _, inst in code[n:end]:
                self._write(inst, written)
                if inst.op.part == CALLS and inst.sources:
                    _join(written, found.get(inst.sources[0].number, {}))
            found[code[n][1].sources[0].number] = written
        return found

    def _write(self, inst: Inst, now: Written) -> None:
        dest, kind = inst.dest, inst.op.dest
        for source, taken in zip(inst.sources, inst.op.sources, strict=False):
            if taken.scratch:
                now[source.file, source.number] = ALL
        if dest is not None and dest.file in self.files and kind is not None and kind.written:
            key = dest.file, dest.number
            now[key] = now.get(key, 0) | (ALL if inst.op.role == TEXTURING and self.context.ps13 else dest.mask)

    def _needs(self, inst: Inst) -> Iterator[tuple[int, int, int]]:
        """(file, number, components) of what an instruction reads."""
        context = self.context
        for index, source in enumerate(inst.sources):
            if source.relative is not None:
                yield from self._address(Source(source.relative))
            elif source.is_relative and context.vertex:
                yield ADDR, 0, 1
            if source.file not in self.files or inst.op.sources[index].scratch:
                continue
            if source.file == PREDICATE:
                yield PREDICATE, source.number, swizzled(1, source)
                continue
            needed = context.reads(inst, index)
            for row in range(inst.op.rows if index == 1 and inst.op.rows else 1):
                if needed and not source.is_relative:
                    yield source.file, source.number + row, needed
        dest = inst.dest
        if dest is not None and dest.relative is not None:
            yield from self._address(Source(dest.relative))
        if inst.predicate is not None and inst.predicate.file == PREDICATE and dest is not None:
            yield PREDICATE, inst.predicate.number, swizzled(dest.mask, inst.predicate)
        if dest is not None and dest.file == TEMP and inst.op.dest is not None and inst.op.dest.reads:
            yield TEMP, dest.number, sum(1 << COMPONENTS.index(letter) for letter in inst.op.dest.reads)

    def _address(self, address: Source) -> Iterator[tuple[int, int, int]]:
        if address.file == ADDR and self.context.vertex:
            yield ADDR, address.number, swizzled(1, address)


def _both(one: dict[int, tuple[int, int]], other: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """The components that are undefined in both."""
    found = {number: (mask & other[number][0], by) for number, (mask, by) in one.items() if number in other}
    return {number: (mask, by) for number, (mask, by) in found.items() if mask}


def _join(now: Written, other: Written) -> None:
    for key, mask in other.items():
        now[key] = now.get(key, 0) | mask


def outputs(context: AnalysisContext) -> Iterator[Finding]:
    """Shaders that do not write what they must: a position, a colour."""
    written: dict[tuple[int, int], int] = {}
    for _, inst in context.code:
        if inst.dest is not None:
            key = inst.dest.file, inst.dest.number
            written[key] = written.get(key, 0) | inst.dest.mask
    last = len(context.insts) - 1
    if context.pixel:
        key, name = ((COLOROUT, 0), "oC0") if context.model >= 2 else ((TEMP, 0), "r0")
        if key not in written:
            yield Finding(f"{name} is never written: the shader outputs no color", f"write {name}", last)
    elif context.model < 3 and (RASTOUT, 0) not in written:
        yield Finding("oPos is never written: the shader outputs no position", "write oPos", last)
