"""Rules about register values: uninitialised reads and missing outputs.

Two sets go through the shader, component by component: what some way has written, and what every way has. A read of what no way
has written is an error (Microsoft's X5036). Loops may have been through before; subroutines may have been called after
anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.context import SCRATCHING, AnalysisContext, Finding, mask_text, swizzled
from lanewise.direct3d9.isa.operands import INDEX, MOVED
from lanewise.direct3d9.isa.program import FILE, NUMBER, REGISTER, RELATIVE, Source, register_bits, register_file
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
    OPS,
    PREDICATE,
    RASTOUT,
    REP_BLOCK,
    SPLITS,
    TEMP,
    TEXTURE,
    TEXTURING,
    has,
    limited,
    register_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.isa.table import Version

Written = dict[int, int]  # components by register, which is the bits of an operand that name it

_LOOPS = (LOOP_BLOCK, REP_BLOCK)
_TEMP, _A0, _PREDICATE = register_bits(TEMP, 0), register_bits(ADDR, 0), register_bits(PREDICATE, 0)
_MOST = 40  # findings about one shader
_MOST_WORK = 5_000_000  # blocks and calls times registers: nobody's shader has so many


def unwritten(context: AnalysisContext) -> Iterator[Finding]:
    """Components that are read but written on no path to the instruction; skipped for shaders with too many blocks and
    registers."""
    registers = _registers(context)
    if context.branching * len(registers) > _MOST_WORK:
        return
    reported: set[tuple[int, int]] = set()
    for at, register, missing in _Walk(context).unwritten():
        key = register, missing
        if context.flow_damaged or context.may_write(register_file(register), register & NUMBER):
            continue
        if key in reported or len(reported) >= _MOST:
            continue
        reported.add(key)
        name = f"{register_name(context.version, register_file(register), register & NUMBER)}{mask_text(missing)}"
        yield Finding(
            message=f"{name} is read before it is written",
            fix=f"write `{_addressing(context.version)} {name}, v0.x` before, with the index in place of v0.x"
            if name == "a0.x"
            else "write it before this instruction",
            at=at,
            note="Microsoft: X5036",
        )


def _addressing(version: Version) -> str:
    """The instruction that writes a0 in a version: the one for it, or else that which copies."""
    return next(op.name for kind in (INDEX, MOVED) for op in OPS if op.dest == kind and has(op, version))


def _registers(context: AnalysisContext) -> set[tuple[int, int]]:
    """The registers that instructions write."""
    return {(file, dest.number) for _, _, dest, file in context.targets}


def undefined(context: AnalysisContext) -> Iterator[Finding]:
    """Components that are read after an instruction left them undefined: the scratch registers of sgn, the rest of sincos's
    destination."""
    if not any(op.loses is not None or op.opcode in SCRATCHING for op in context.ops.values()):
        return
    lossy = [at for at, inst in context.code if _lost(context, inst)]
    registers = _registers(context)
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
        related = context.because_of(by, "it is left undefined here")
        yield Finding(message=message, fix="write it before this instruction, or use another register", at=at, related=related)


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
        files = (TEMP, ADDR, PREDICATE) if context.vertex else (TEMP, PREDICATE, *((TEXTURE,) if context.ps13 else ()))
        self.files = frozenset([register_bits(file, 0) for file in files])
        self.everything = self._all(context.code) if context.flows else {}
        self.routines = self._routines() if context.flows else {}

    def unwritten(self) -> Iterator[tuple[int, int, int]]:
        """(instruction, register, components)."""
        now: Written = {}
        stack: list[tuple[Written, Written | None]] = []  # what was written before a block, and in its first arm
        loops = 0
        code = self.context.code
        known = now.get
        for n, (at, inst) in enumerate(code):
            op = inst.op
            part, block = op.part, op.block
            if part == BEGINS:
                now, stack, loops = dict(self.everything), [], 0
                known = now.get
            if not self.context.has(op):
                self._write(inst, now)
                continue
            for register, needed in self._needs(inst):
                missing = needed & ~known(register, 0)
                if missing:
                    yield at, register, missing
            if not part and op.role != MARK:
                self._write(inst, now)
                continue
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
                known = now.get
            elif part == CLOSES and stack:
                before, first = stack.pop()
                _join(now, before if first is None else first)
                loops = max(0, loops - (block in _LOOPS))
            elif part == CALLS and inst.sources:
                _join(now, self.routines.get(inst.sources[0].number, {}))
            elif op.role == MARK:
                for register in [register for register in now if register & FILE == _TEMP]:
                    now[register] &= ~8  # ps_1_4 loses the alpha of r# (reference 4)
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
            for register, needed in self._needs(inst):
                number = register & NUMBER
                missing = needed & now[number][0] if register & FILE == _TEMP and number in now else 0
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
        dest, op = inst.dest, inst.op
        if op.opcode in SCRATCHING:
            for source, taken in zip(inst.sources, op.sources, strict=False):
                if taken.scratch:
                    now[source.word & REGISTER] = ALL
        if dest is None or op.dest is None:
            return
        word = dest.word
        if word & FILE in self.files and op.dest.written:
            register = word & REGISTER
            now[register] = now.get(register, 0) | (ALL if self.context.ps13 and op.role == TEXTURING else word >> 16 & ALL)

    def _needs(self, inst: Inst) -> list[tuple[int, int]]:
        """(register, components) of what an instruction reads."""
        context, op, files = self.context, inst.op, self.files
        found: list[tuple[int, int]] = []
        for index, source in enumerate(inst.sources):
            word, relative = source
            if relative is not None:
                self._address(relative, found)
            elif word & RELATIVE and context.vertex:
                found.append((_A0, 1))
            file = word & FILE
            if file not in files or (op.opcode in SCRATCHING and op.sources[index].scratch):
                continue
            if file == _PREDICATE:
                found.append((word & REGISTER, swizzled(1, source)))
                continue
            needed = context.reads(inst, index)
            if not needed or word & RELATIVE:
                continue
            if index != 1 or not op.rows:
                found.append((word & REGISTER, needed))
            else:
                rows = min(op.rows, NUMBER + 1 - (word & NUMBER))  # no token has a number past that
                found += [((word & REGISTER) + row, needed) for row in range(rows)]
        dest, predicate = inst.dest, inst.predicate
        if dest is not None:
            if dest.relative is not None:
                self._address(dest.relative, found)
            if predicate is not None and predicate.word & FILE == _PREDICATE:
                found.append((predicate.word & REGISTER, swizzled(dest.mask, predicate)))
            if op.dest is not None and op.dest.reads and dest.word & FILE == _TEMP:
                found.append((dest.word & REGISTER, sum(1 << COMPONENTS.index(letter) for letter in op.dest.reads)))
        return found

    def _address(self, word: int, found: list[tuple[int, int]]) -> None:
        """Add the component that an address reads."""
        if word & FILE == _A0 and self.context.vertex:
            found.append((word & REGISTER, swizzled(1, Source(word))))


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
    for _, _, dest, file in context.targets:
        key = file, dest.number
        written[key] = written.get(key, 0) | dest.mask
    last = len(context.insts) - 1
    if context.pixel:
        key, name = ((COLOROUT, 0), "oC0") if context.model >= 2 else ((TEMP, 0), "r0")
        if key not in written:
            yield Finding(message=f"{name} is never written: the shader outputs no color", fix=f"write {name}", at=last)
    elif context.model < 3 and (RASTOUT, 0) not in written:
        yield Finding(message="oPos is never written: the shader outputs no position", fix="write oPos", at=last)
