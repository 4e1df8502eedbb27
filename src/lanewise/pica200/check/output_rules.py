"""Rules of the outputs: each wired component is written exactly once by a vertex shader, and anew before each EMIT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.finding import Finding
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.dataflow import EMITTED, EVERYTHING, NOTHING, OUTPUTS, SETEMIT, Step, output_bits
from lanewise.pica200.check.subject import wired_mask
from lanewise.pica200.check.ways import decisions, way
from lanewise.pica200.ir.paths import reaching
from lanewise.pica200.isa.table import SEMANTICS, mask_text
from lanewise.pica200.sem.flow import End

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.pica200.check.subject import Subject
    from lanewise.pica200.ir.graph import Graph, Passage
    from lanewise.pica200.isa.program import Output

_POSITION, _DUMMY = SEMANTICS.index("position"), SEMANTICS.index("dummy")


def _writes(subject: Subject, pc: int) -> int:
    return subject.effect(pc).writes & OUTPUTS


def _topic(output: Output) -> str:
    return f"{output.semantic} o{output.register} {output.mask}"


def _label(output: Output) -> str:
    return output.name or f"o{output.register}"


def _what(output: Output, mask: int) -> str:
    """Some components of an output, or all that it has."""
    return f"'{_label(output)}'" if mask == wired_mask(output.mask) else f"{mask_text(mask)} of '{_label(output)}'"


def _lacking(output: Output, written: int) -> int:
    """The components of an output that are not in a set, as a mask with x in bit 3."""
    mask = wired_mask(output.mask)
    return sum(bit for bit in (8, 4, 2, 1) if mask & bit and not written & output_bits(output.register, bit))


def never_written(subject: Subject) -> Iterator[Finding]:
    """V083: a wired component that no word writes (E7)."""
    ever = _all_writes(subject)
    fix = "write it before `end`, or leave the components out of the `.out` mask"
    for output in subject.interface.outputs:
        mask = _lacking(output, ever)
        if mask and not (subject.interface.geometry and output.semantic == _DUMMY):
            message = f"{_what(output, mask)} is never written: the GPU waits for every wired component"
            ends = [pc for pc in subject.reached if subject.op(pc) == "end"]
            yield Finding(message, fix, min(ends, default=subject.interface.entry), output.span, (), _topic(output))


def left_unwritten(subject: Subject, graph: Graph) -> Iterator[Finding]:
    """V083: a wired component of a vertex shader that some way to END leaves unwritten, though another writes it (E7)."""
    if subject.interface.geometry:
        return
    ever = _all_writes(subject)

    def step(pc: int) -> Step:
        return Step(EVERYTHING, _writes(subject, pc))

    values = dataflow.forward(graph, step, 0, must=True)
    told: set[Output] = set()
    for number, pc, value in dataflow.before(graph, values, step):
        if subject.op(pc) != "end":
            continue
        for output in subject.interface.outputs:
            mask = _lacking(output, value) & ~_lacking(output, ever)
            if mask and output not in told:
                told.add(output)
                yield _on_some_way(subject, graph, output, mask, number, pc)


def _all_writes(subject: Subject) -> int:
    found = 0
    for pc in subject.reached:
        found |= _writes(subject, pc)
    return found


def _on_some_way(subject: Subject, graph: Graph, output: Output, mask: int, end: int, pc: int) -> Finding:
    wanted = output_bits(output.register, mask)
    lowest = wanted & -wanted
    writing = {block.number for block in graph.blocks if any(_writes(subject, address) & lowest for address in block.addresses)}

    def arrives(passage: Passage) -> bool:
        return passage.source == end and isinstance(passage.target, End)

    notes = decisions(subject, graph, way(graph, arrives, writing))
    message = f"{_what(output, mask)} is not written on every path to the end in {subject.place(pc)}"
    return Finding(message, "write it on the other paths too, or once after they join", pc, output.span, notes, _topic(output))


def written_twice(subject: Subject, graph: Graph) -> Iterator[Finding]:
    """V084: a write to a component that some way has written before (E7); vertex shaders alone."""
    if subject.interface.geometry:
        return

    def step(pc: int) -> Step:
        return Step(EVERYTHING, _writes(subject, pc))

    values = dataflow.forward(graph, step, 0, must=False)
    told: set[int] = set()
    for number, pc, value in dataflow.before(graph, values, step):
        twice = value & _writes(subject, pc)
        if twice and pc not in told:
            told.add(pc)
            cells = dataflow.cells(twice)
            mask = sum(8 >> cell.component for cell in cells)
            name = f"o{cells[0].number}.{mask_text(mask)}"
            others = sorted({subject.place(other) for other in _earlier(subject, graph, twice, number, pc)})
            again = "is rewritten in each iteration" if others == [subject.place(pc)] else "is written twice"
            notes = (f"it is also written in {', '.join(others)}",) if others != [subject.place(pc)] else ()
            yield Finding(f"{name} {again}: this can hang the GPU", "collect the value in a temporary and write the output once", pc, None, notes)  # fmt: skip


def _earlier(subject: Subject, graph: Graph, twice: int, number: int, pc: int) -> Iterator[int]:
    """The words that may have written some of these components before the word `pc` of a block does."""
    coming = reaching(graph, graph.predecessors[number])
    for block in graph.blocks:
        for address in block.addresses:
            if _writes(subject, address) & twice and (block.number in coming or (block.number == number and address < pc)):
                yield address


def not_wired(subject: Subject) -> Iterator[Finding]:
    """V085: writes to outputs that no semantic is wired to."""
    if not subject.wired:
        return
    told: set[int] = set()
    for pc in sorted(subject.reached):
        for cell in dataflow.cells(_writes(subject, pc)):
            if cell.number not in subject.outputs and cell.number not in told:
                told.add(cell.number)
                yield Finding(f"o{cell.number} is written but not declared: the value is discarded",
                              f"declare `.out NAME PROPERTY o{cell.number}`, or remove the write", pc, None, (), f"o{cell.number}")  # fmt: skip


def no_position(subject: Subject) -> Iterator[Finding]:
    """V087: a vertex shader without a position, unless a geometry shader follows."""
    if subject.interface.geometry or not subject.wired or any(other.geometry for other in subject.program.interfaces):
        return
    outputs = subject.interface.outputs
    if not {_POSITION, _DUMMY} & {output.semantic for output in outputs}:
        place = next((output.span for output in outputs if output.span), None)
        message = (
            "no output is the position: nothing can be drawn" if outputs else "no output is declared: nothing can be drawn"
        )
        yield Finding(message, "declare `.out NAME position`", subject.interface.entry, place)


def emit_in_vertex_shader(subject: Subject) -> Iterator[Finding]:
    """V082: EMIT where there is no geometry unit."""
    if subject.wired and not subject.interface.geometry:
        for pc in sorted(subject.reached):
            if subject.op(pc) == "emit":
                yield Finding("`emit` in a vertex shader", "declare the file with `.gsh`, or remove it", pc)
                return


def emit_without_setemit(subject: Subject, graph: Graph) -> Iterator[Finding]:
    """V099: EMIT before any SETEMIT."""
    if not subject.interface.geometry:
        return

    def step(pc: int) -> Step:
        return Step(EVERYTHING, SETEMIT) if subject.op(pc) == "setemit" else NOTHING

    values = dataflow.forward(graph, step, 0, must=True)
    told: set[int] = set()
    for number, pc, value in dataflow.before(graph, values, step):
        if subject.op(pc) == "emit" and not value & SETEMIT and pc not in told:
            told.add(pc)
            setting = {
                block.number for block in graph.blocks if any(subject.op(address) == "setemit" for address in block.addresses)
            }
            notes = decisions(subject, graph, way(graph, lambda passage, n=number: passage.target == n, setting))
            message = "`emit` before any `setemit`: it uses the state of the previous run"
            yield Finding(message, "select the vertex first: `setemit 0`", pc, None, notes)


def stale_outputs(subject: Subject, graph: Graph) -> Iterator[Finding]:
    """V088: a wired component not written since the EMIT before, or since the start (E8)."""
    if not subject.interface.geometry:
        return
    ever = _all_writes(subject)

    def since(pc: int) -> Step:
        return Step(~OUTPUTS) if subject.op(pc) == "emit" else Step(EVERYTHING, _writes(subject, pc))

    def sent(pc: int) -> Step:
        return Step(EVERYTHING, EMITTED) if subject.op(pc) == "emit" else NOTHING

    written = dataflow.forward(graph, since, 0, must=True)
    emitted = dataflow.forward(graph, sent, 0, must=False)
    told: set[tuple[int, int]] = set()
    pairs = zip(dataflow.before(graph, written, since), dataflow.before(graph, emitted, sent), strict=True)
    for (_, pc, value), (_, _, before) in pairs:
        if subject.op(pc) != "emit":
            continue
        for output in subject.interface.outputs:
            mask = _lacking(output, value) & ~_lacking(output, ever)
            if mask and (pc, output.register) not in told:
                told.add((pc, output.register))
                where = f"o{output.register}.{mask_text(mask)}"
                message = (
                    f"{where} was not written since the last emit: the value of two emits ago is sent"
                    if before & EMITTED
                    else f"{where} has not been written when this vertex is sent"
                )
                yield Finding(message, "write every output before every `emit`", pc, None, (), _topic(output))
