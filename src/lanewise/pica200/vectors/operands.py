"""Cases about operands: every instruction with each file of registers, index register, write mask, selector and sign."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from lanewise.pica200.isa.table import ARITHMETIC, IDENTITY, OPS
from lanewise.pica200.vectors.building import INDEXED_LOOP, INDEXED_X, INDEXED_Y, C, Code, R, descriptor, wide_place
from lanewise.pica200.vectors.data import SHOWN
from lanewise.pica200.vectors.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.vectors.model import Vector
    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.vectors.data import Numbers

COMPUTING = tuple(op for op in OPS if op.kind == ARITHMETIC)
_SELECTORS = (0xE4, 0x00, 0x55, 0xAA, 0xFF)  # wzyx, xxxx, yyyy, zzzz, wwww
_OTHERS = tuple([n for n in range(256) if n not in (*_SELECTORS, IDENTITY)])
_ALL_MASKS = ("mov", "add", "mad", "dp4", "rcp", "mova")
_SOME_MASKS = (0x0, 0x1, 0x2, 0x4, 0x8, 0xA, 0x7)
_ZEROS, _ONES = C + 90, C + 91
_FIRST = 40  # the uniforms of indexed reads begin here
_INDICES = (2.0, -3.0, 0.0, 0.0)


def show_flags(code: Code, to: int) -> None:
    """Write the flags to an output as 1 and 0, by conditional instructions."""
    code.mov(R + 15, _ZEROS)
    for component in range(2):
        at = code.add("ifc", condop=2 + component, refx=1, refy=1)
        code.mov(R + 15, _ONES, descriptor(8 >> component))
        code.patch(at, dst=code.here)
        code.add("nop")
    code.mov(to, R + 15)


def flag_uniforms(numbers: Numbers) -> dict[int, Vector]:
    """The uniforms that `show_flags` reads."""
    return {_ZEROS - C: numbers.vector(0, 0, 0, 0), _ONES - C: numbers.vector(1, 1, 1, 1)}


class _Shown:
    """One instruction with operands, and data in which they show."""

    def __init__(self, numbers: Numbers, op: Op) -> None:
        self.numbers, self.op = numbers, op

    def draft(
        self,
        name: str,
        shows: str,
        *,
        desc: int | None = None,
        sources: Sequence[int] = (),
        to: int = R + 3,
        idx: int = 0,
        **fields: int,
    ) -> Draft:
        """The instruction on v0, r1 and r2, or on other sources. Temporaries are shown as they are, a0 by what it leads to."""
        op, numbers, code = self.op, self.numbers, Code()
        given = list(sources) or [0, R + 1, R + 2][: op.source_count]
        reads = {source for source in given if source < R} or {0}
        first = min(reads)
        floats: dict[int, Vector] = {}
        for n, source in enumerate(given):
            if source >= R and source < C and source != to:
                code.mov(source, _ZEROS + 2 + n)  # c92 and on: one input register in an instruction at most
                floats[_ZEROS + 2 + n - C] = numbers.vector(*SHOWN[n])
            elif source >= C and not idx:
                floats[source - C] = numbers.vector(*SHOWN[n])
        if to >= R and "dst" in op.writes:
            code.mov(to, _ZEROS + 5)
            floats[_ZEROS + 5 - C] = numbers.vector(*SHOWN[3])
        if idx in (INDEXED_X, INDEXED_Y):
            code.add("mova", src1=_ZEROS + 1)
            floats[_ZEROS + 1 - C] = numbers.vector(*_INDICES)
            if "a0" in op.writes:
                code.add("nop")  # two in a row freeze a console
        if idx:
            for n in range(-4, 5):
                floats[_FIRST + n] = numbers.vector(n + 20.5, n - 7.25, 3.0 * n, 30.0 - n)
        integers: dict[int, Vector] = {}
        if idx == INDEXED_LOOP:
            integers[2] = 0, 3, 1, 0
            code.add("for", reg=2, dst=code.here + 1)
        if "adr" in op.operands:
            code.add("mova", src1=_ZEROS + 1)
            floats[_ZEROS + 1 - C] = numbers.vector(*_INDICES)
            code.add("nop")
        code.operate(op.name, to, given, desc, idx, **fields)
        if idx == INDEXED_LOOP:
            code.add("nop")
        if "cmp" in op.writes:
            show_flags(code, 1)
            floats |= flag_uniforms(numbers)
        if "a0" in op.writes:
            code.add("nop")
            for n, index in enumerate((INDEXED_X, INDEXED_Y)):
                code.mov(n, C + 10, idx=index)
            floats |= {10 + n: numbers.vector(n, n + 0.5, -n, 1) for n in range(-8, 9)}
        if to >= R and "dst" in op.writes:
            code.mov(0, to)
        code.end()
        job = code.job({first: (numbers.vector(*SHOWN[0]),)}, floats, integers)
        return Draft(name=f"{op.name}/{name}", group="operands", ops=(op.name,), shows=shows, job=job)


def operands(numbers: Numbers, seed: int, *, full: bool) -> Iterator[Draft]:
    """Every instruction x operand form."""
    for op in COMPUTING:
        yield from _of_op(numbers, op, Random(f"operands {seed} {op.name}"), full=full)


def _of_op(numbers: Numbers, op: Op, rng: Random, *, full: bool) -> Iterator[Draft]:
    shown, count, wide = _Shown(numbers, op), op.source_count, wide_place(op.name)
    usual = [0, R + 1, R + 2][:count]
    masks = range(16) if full or op.name in _ALL_MASKS else _SOME_MASKS
    for mask in masks:
        yield shown.draft(f"mask-{mask:x}", f"write mask {mask:#x}", desc=descriptor(mask))
    for source in range(count):
        selectors = [*_SELECTORS, *rng.sample(_OTHERS, 24 if full else 2)]
        for selector in selectors:
            chosen = [IDENTITY] * source + [selector]
            yield shown.draft(
                f"selector{source + 1}-{selector:02x}",
                f"selector {selector:#x} of source {source + 1}",
                desc=descriptor(selectors=chosen),
            )
    for signs in range(1, 1 << count):
        negated = ", ".join([str(n + 1) for n in range(count) if signs >> n & 1])
        yield shown.draft(f"negate-{signs}", f"negated source {negated}", desc=descriptor(signs=signs))
    for source in range(count):
        files = [1, 15, R, R + 15] + ([C, C + 1, C + 47, C + 89] if source == wide else [])
        for register in files:
            sources = [*usual]
            if register < R and source:
                sources[0] = register  # no second input register
            sources[source] = register
            yield shown.draft(
                f"source{source + 1}-{register:02x}", f"source {source + 1} is register {register:#x}", sources=sources
            )
    if "dst" in op.writes:
        for to in (0, 6, 15, R, R + 15):
            yield shown.draft(
                f"destination-{to:02x}", f"destination {to:#x}", to=to, sources=[0, *[R + 7 + n for n in range(count - 1)]]
            )
        same = [R + 3] * count
        yield shown.draft("same-register", "one register is all sources and the destination", sources=same)
        if wide:
            same[wide] = C + 20
            yield shown.draft("same-narrow", "one register is the narrow sources and the destination", sources=same)
    for idx, index in ((INDEXED_X, "a0.x"), (INDEXED_Y, "a0.y"), (INDEXED_LOOP, "aL")):
        sources = [R + 1, R + 1, R + 2][:count]
        sources[wide] = C + _FIRST
        yield shown.draft(f"index-{index}", f"uniform indexed by {index}", sources=sources, idx=idx)
    if "cmp" in op.operands:
        for x in range(8):
            for y in range(8) if full else ((x + 3) % 8, x):
                yield shown.draft(f"operators-{x}{y}", f"operators {x} and {y}", cmpx=x, cmpy=y)
    for number in range(40 if full else 4):
        chosen = [rng.randrange(256) for _ in range(3)]
        desc = descriptor(rng.choice((0xF, rng.randrange(1, 16))), chosen, rng.randrange(8))
        yield shown.draft(f"mixed-{number}", "mask, selectors and signs together", desc=desc)
