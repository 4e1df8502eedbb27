"""The program of the back end through the optimiser of the PICA200: fewer words, and the same places in the source.

Each step is proved; what `lanewise opt` tries for longer is left to it. Variables of a debugger stay where a component has the
value that it had: from the same instructions, unchanged.
"""

from __future__ import annotations

from lanewise.core.bits import bit_numbers
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.dataflow import Step as Effect
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.rules import contexts_of
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.table import COMPONENTS, FLOAT, NOP, TEMPORARY
from lanewise.pica200.opt.driver import Options, optimise
from lanewise.pica200.opt.moves import MOVES
from lanewise.pica200.opt.operations import by_channel
from lanewise.pica200.opt.proof import StructuralProof
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.debugging import Inlined, Variable
    from lanewise.pica200.isa.encoder import Encoded
    from lanewise.pica200.isa.program import Program
    from lanewise.pica200.opt.driver import Optimised

    _Place = tuple[str, int]  # a component of a register
    _Held = Mapping[_Place, frozenset[object]]

_PATIENCE = 450  # words of programs that are made in vain
_IN_PLACE = frozenset([move.name for move in MOVES if move.in_place])
_WRITTEN = ("r", "o")  # files of registers that a program writes, as places name them


class Shrunk(Record):
    """A program with its words; `origins` are the addresses that these had before."""

    program: Program
    encoded: Encoded
    origins: tuple[int, ...]


def shrunk(program: Program, encoded: Encoded, avoid: frozenset[str] = frozenset()) -> Shrunk:
    """The program with fewer words where steps are found quickly that keep all outputs under all profiles; else itself."""
    same = Shrunk(program, encoded, tuple(range(len(encoded.words))))
    # Assemblers would put padding back into a source that is written of the program.
    padding = frozenset([pc for pc, operation in enumerate(program.operations) if operation.op.kind == NOP])
    options = Options(avoid=avoid, keep=padding, pack=False, share=False, patience=_PATIENCE)
    found = optimise(program, StructuralProof(program, encoded, profiles=(HARDWARE,), quick=True), options)
    if not found.steps:
        return same
    every = StructuralProof(program, encoded, quick=True)
    if not every.keeps(found.program, found.encoded):
        found = optimise(program, every, options)
    return Shrunk(_placed(program, encoded, found), found.encoded, found.origins) if found.steps else same


def _placed(program: Program, encoded: Encoded, found: Optimised) -> Program:
    """The optimised program with the places and variables that its words had."""
    before = program.operations
    operations = tuple(
        [
            operation._replace(span=before[origin].span)
            for operation, origin in zip(found.program.operations, found.origins, strict=True)
        ]
    )
    placed = found.program._replace(operations=operations)
    return placed._replace(inlined=_inlined(program, encoded, found)) if program.inlined else placed


def _inlined(program: Program, encoded: Encoded, found: Optimised) -> tuple[tuple[Inlined, ...], ...]:
    """By word what a debugger sees of the source, without what may be elsewhere now."""
    moved = {pc for step in found.steps if step.move not in _IN_PLACE for pc in step.changed}
    old = _held(program, encoded, range(len(encoded.words)))
    new = _held(found.program, found.encoded, [-1 - pc if pc in moved else pc for pc in found.origins])
    result: list[tuple[Inlined, ...]] = []
    for pc, origin in enumerate(found.origins):
        mine = new.get(pc, {})
        same = {place for place, values in old.get(origin, {}).items() if values == mine.get(place)}
        result.append(
            tuple(
                [
                    frame._replace(variables=tuple([_kept(variable, same) for variable in frame.variables]))
                    for frame in program.inlined[origin]
                ]
            )
        )
    return tuple(result)


def _kept(variable: Variable, same: set[_Place]) -> Variable:
    """A variable with the places that have its value."""
    return variable._replace(components=tuple([place if _is_kept(place, same) else None for place in variable.components]))


def _is_kept(place: str | float | None, same: set[_Place]) -> bool:
    if not isinstance(place, str):
        return True
    register, _, component = place.removeprefix("-").partition(".")
    return not register.startswith(_WRITTEN) or (register, COMPONENTS.index(component)) in same


def _held(program: Program, encoded: Encoded, origins: Sequence[int]) -> Mapping[int, _Held]:
    """By address, what each component of a temporary or output may hold in front of that word: the words that have written it,
    by their `origins`, or what they compute of inputs and uniforms, which do not change."""
    (context,) = contexts_of(program, *encoded)
    graph = context.graph
    if not isinstance(graph, Graph):
        return {}
    written: list[tuple[_Place, object]] = []
    own: dict[int, int] = {}
    of_place: dict[_Place, int] = {}
    for pc in sorted({pc for block in graph.blocks for pc in block.addresses}):
        instruction = context.resolved(pc)
        fixed = instruction is not None and all(
            not source.relative and not TEMPORARY <= source.register < FLOAT for source in instruction.sources
        )
        values = by_channel(program.operations[pc], instruction) if instruction is not None and fixed else {}
        for component in dataflow.components(context.effect(pc).writes & dataflow.REGISTERS):
            if component.file in _WRITTEN:
                place = f"{component.file}{component.number}", component.channel
                bit = 1 << len(written)
                written.append((place, values.get(component.channel, origins[pc])))
                own[pc] = own.get(pc, 0) | bit
                of_place[place] = of_place.get(place, 0) | bit

    def step(pc: int) -> Effect:
        mine, gone = own.get(pc, 0), 0
        for n in bit_numbers(mine):
            gone |= of_place[written[n][0]]
        return Effect(~gone, mine)

    found: dict[int, dict[_Place, frozenset[object]]] = {}
    for _, pc, held in dataflow.before(graph, dataflow.forward(graph, step, 0, must=False), step):
        here = found.setdefault(pc, {})
        for place, bits in of_place.items():
            values = [written[n][1] for n in bit_numbers(held & bits)]
            if values:
                here[place] = here.get(place, frozenset()) | frozenset(values)
    return found


__all__ = ["Shrunk", "shrunk"]
