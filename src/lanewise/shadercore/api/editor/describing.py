"""Pages about the names of a ShaderCore source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.document import Heading, Items, Paragraph
from lanewise.core.occurrences import DIRECTIVE, INSTRUCTION, REGISTER, SEMANTIC
from lanewise.core.text.cursor import line_numbers
from lanewise.shadercore.api.editor.analysing import State
from lanewise.shadercore.api.services.machine import machine_op_page
from lanewise.shadercore.api.services.reference import op_page
from lanewise.shadercore.check.context import place_name
from lanewise.shadercore.isa.program import usage_name
from lanewise.shadercore.isa.table import BY_NAME, FILES, OPS
from lanewise.shadercore.text.printer import number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.document import Block
    from lanewise.core.editor import Analysis
    from lanewise.core.occurrences import Occurrence
    from lanewise.shadercore.isa.table import Op

# Directives: how they are written, and what they are for.
DIRECTIVES = {
    ".input": (".input v0 position", "an input register and its usage, by which a driver binds vertex streams"),
    ".output": (".output o0 position", "an output register and its usage"),
    ".const": (
        ".const c0 (1.0, 0.5, 0x3F800000, -2.0)",
        "the values of a constant, which the application sets: the file does not hold them",
    ),
    ".word": (".word 0x00000001400280C0", "a machine word that no line expresses"),
    ".hash": (".hash 0xFFFFFFFF", "the hash in the header: of the Direct3D tokens that the program was compiled from"),
    ".padding": (".padding 0x0000000000000000", "the last eight bytes of the header"),
}


def describe(analysis: Analysis, occurrence: Occurrence) -> Sequence[Block]:
    """The page of a name."""
    if occurrence.kind == INSTRUCTION:
        op = op_named(analysis, occurrence.symbol.partition(" ")[2])
        return page_of(analysis, op) if op is not None else ()
    if occurrence.kind == DIRECTIVE:
        return directive_page(occurrence.name.lower())
    if occurrence.kind in (REGISTER, SEMANTIC) and occurrence.register and isinstance(analysis.state, State):
        return _register(analysis, analysis.state, occurrence.register)
    return ()


def ops_of(analysis: Analysis) -> Sequence[Op]:
    """The instructions of a source's device."""
    return analysis.state.device.ops if isinstance(analysis.state, State) else OPS


def op_named(analysis: Analysis, name: str) -> Op | None:
    """An instruction of a source's device, by its name or another one that the table has for it."""
    return BY_NAME.get(name) or next((op for op in ops_of(analysis) if op.name == name), None)


def page_of(analysis: Analysis, op: Op) -> Sequence[Block]:
    """The page of an instruction; of one that a device adds, that of the machine."""
    state = analysis.state
    return machine_op_page(state.device, op) if isinstance(state, State) and op in state.device.added else op_page(op)


def directive_page(name: str) -> list[Block]:
    if name not in DIRECTIVES:
        return []
    syntax, about = DIRECTIVES[name]
    return [Heading(1, name), Items((("syntax", f"`{syntax}`"), ("meaning", about)))]


def _register(analysis: Analysis, state: State, register: str) -> list[Block]:
    """The use of a register, its declaration in the source, where it is live, and the instructions that wait for it."""
    file, number = register[0], int(register[1:])
    program, context = state.program, state.context
    points = [("holds", FILES[file].holds)]
    declared = file == "c" or context.declared(file, number) is not None
    if file in "vo" and declared:
        usages = program.inputs if file == "v" else program.outputs
        points.append(("usage", usage_name(usages[number])))
    values = next((one.values for one in program.constants if file == "c" and one.number == number), ())
    points += [("value", ", ".join(map(number_text, values)))] if values else []
    uses = [one for one in analysis.occurrences if one.register == register and one.kind == REGISTER and not one.definition]
    written = line_numbers(one.span.line for one in uses if one.written)
    read = line_numbers(one.span.line for one in uses if not one.written)
    points += [("written", written)] if written else []
    points += [("read", read)] if read else []
    if file in "rxo":
        points.append(("live", live_text(state, file, number)))
    waits = [
        (issue.number, wait)
        for issue in state.timing.issues
        for wait in issue.waits
        if wait.register[:2] == (file, number) and wait.kind == "i"
    ]
    known = [(slot, wait) for slot, wait in waits if slot < context.damaged]
    points += [
        (
            "waits",
            (
                f"line {program.places[slot].line} waits {wait.cycles} cycle{'' if wait.cycles == 1 else 's'} for "
                f"{place_name(wait.register)} on {state.device.describe()}"
            ),
        )
        for slot, wait in known[:6]
    ]
    blocks: list[Block] = [Heading(1, register), Items(tuple(points))]
    if file == "x" and number == 7:
        blocks.append(Paragraph("x7.x cannot be used on the device `rtl`: an instruction that reads it never issues."))
    return blocks


def live_text(state: State, file: str, number: int) -> str:
    """`in lines 4 to 9, and 12 to 13`: where some component of a register holds a value that is still needed."""
    lines: list[tuple[int, int]] = []
    begun: int | None = None
    places = state.program.places
    for slot, live in enumerate(state.live):
        is_live = any(place[:2] == (file, number) for place in live)
        if is_live and begun is None:
            begun = slot
        elif not is_live and begun is not None:
            lines.append((places[begun].line, places[slot].line))
            begun = None
    if begun is not None:
        lines.append((places[begun].line, places[min(len(state.live), len(places)) - 1].line))
    if not lines:
        return "nowhere: no value of it is needed"
    return "in lines " + ", and ".join([f"{first} to {last}" for first, last in lines[:8]])
