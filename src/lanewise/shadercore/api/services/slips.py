"""Remarks about positions and constants of a run that betray an instruction that was copied and not changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lanewise.core.numbers.floats import float_from_bits
from lanewise.shadercore.isa.codec import register, written
from lanewise.shadercore.isa.table import COMPONENTS, C

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.api.results import WaveResult
    from lanewise.shadercore.isa.codec import Inst

_W = 3
_POSITION = "o0"


def slips(program: ShaderCoreProgram, result: WaveResult) -> Iterator[str]:
    """The remarks; they look at sources, not at compiled shaders."""
    if program.beside is not None or not program.program.declared:
        return
    yield from _taken_twice(program)
    if program.outputs.get("position") == _POSITION and _POSITION in result.outputs:
        last = {target[2]: inst for inst in program.insts if (target := written(inst.dest)) and target[:2] == ("o", 0)}
        rows: list[list[float]] = result.outputs[_POSITION].tolist()
        yield from _saturated(program, last, rows)
        yield from _undivided(program, last, rows)


def _line(program: ShaderCoreProgram, inst: Inst) -> str:
    places, slot = program.placed().places, program.insts.index(inst)
    return f"line {places[slot].line}" if slot < len(places) else f"slot {slot}"


def _taken_twice(program: ShaderCoreProgram) -> Iterator[str]:
    """Of constants of which the program reads three components, one whose fourth is not read, as another's is read twice."""
    read = Counter(
        [
            (source.number, source.component, inst.op.name)
            for inst in program.insts
            for source in inst.operands
            if source.file == C
        ]
    )
    places = {(number, component) for number, component, _ in read}
    for constant in program.program.constants:
        lacking = [n for n, bits in enumerate(constant.values) if bits and (constant.number, n) not in places]
        if len(lacking) != 1 or sum(number == constant.number for number, _ in places) < _W:
            continue
        component = lacking[0]
        twice = [(number, op) for (number, n, op), count in read.items() if n == component and count > 1]
        if len(twice) == 1 and twice[0][0] != constant.number:
            letter, (other, op) = COMPONENTS[component], twice[0]
            lines = [
                _line(program, inst)
                for inst in program.insts
                if inst.op.name == op and any((s.file, s.number, s.component) == (C, other, component) for s in inst.operands)
            ]
            value = float_from_bits(constant.values[component])
            yield (
                f"c{constant.number}.{letter} is {value:g} and never read, and c{other}.{letter} is read in "
                f"{' and '.join(lines)}: write c{constant.number}.{letter} in one of them"
            )


def _saturated(program: ShaderCoreProgram, last: dict[int, Inst], rows: Sequence[Sequence[float]]) -> Iterator[str]:
    """A position that is saturated, and is 0 where it is left of the middle or below it."""
    found = [n for n in (0, 1) if n in last and last[n].dest.saturate]
    cut = sum(any(row[n] in (0, 1) for n in found) for row in rows)
    if len(found) == 2 and 2 * cut > len(rows):
        yield (
            f"{_line(program, last[0])}: {last[0].op.name}_sat cuts the position to 0 to 1, in {cut} of {len(rows)} vertices; "
            f"positions are from -1 to 1: write {last[0].op.name}, in all components"
        )


def _undivided(program: ShaderCoreProgram, last: dict[int, Inst], rows: Sequence[Sequence[float]]) -> Iterator[str]:
    """A position of which x and y are divided by w, and z is not and is outside of the depths that are drawn."""
    if len(last) <= _W or last[0].op.name != "mul" or last[1].op.name != "mul":
        return
    reciprocals = {written(inst.dest) for inst in program.insts if inst.op.operation == "rcp"}
    factors = [{*map(register, last[n].operands)} & reciprocals for n in range(3)]
    inside = [row for row in rows if row[_W] > 0 and abs(row[0]) <= 1 and abs(row[1]) <= 1]
    if len(factors[0]) != 1 or factors[0] != factors[1] or factors[2] or not inside or any(abs(row[2]) <= 1 for row in inside):
        return
    (place,) = factors[0]
    if place is not None and last[2].op.name == "mov":
        factor = f"{place[0]}{place[1]}.{COMPONENTS[place[2]]}"
        source = register(last[2].a)
        value = "" if source is None else f"{source[0]}{source[1]}.{COMPONENTS[source[2]]}"
        yield (
            f"{_line(program, last[2])}: x and y of the position are multiplied by {factor}, and z, {inside[0][2]:g}, is not: "
            f"write mul o0.z, {value}, {factor}"
        )


__all__ = ["slips"]
