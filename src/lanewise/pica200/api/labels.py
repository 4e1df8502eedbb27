"""Node labels of a shader: instructions as picasso text, with the names that its file has."""

from __future__ import annotations

from functools import cache

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.api.naming import LineNames, statement
from lanewise.pica200.codes import CODES
from lanewise.pica200.ir.labels import Labels
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.table import BOOLEAN, INTEGER
from lanewise.pica200.text.picasso.printer import Printer
from lanewise.pica200.text.spelling import live_selectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.isa.program import Target


def labels(shader: Shader, memory: Sequence[int]) -> Labels:
    """The words of `memory` as picasso text with the names that the shader's file has."""
    program = shader.program
    names = LineNames(shader.interface)
    procedures = {(procedure.start, procedure.size): procedure.name for procedure in program.procedures}
    places = {address: name for name, address in reversed(list(program.labels.items()))}
    places |= {procedure.start: procedure.name for procedure in reversed(program.procedures) if procedure.size}

    def call(target: Target) -> str:
        return procedures.get((target.address, target.num), "")

    def jump(address: int) -> str:
        return places.get(address, "")

    printer = Printer(names, call, jump)
    lifted = lift(memory, shader.descriptors)
    operations = [live_selectors(operation) if operation.descriptor >= 0 else operation for operation in lifted]

    @cache
    def instruction(address: int) -> str:
        operation, word = operations[address], memory[address]
        names.enter(lifted[address], statement(shader.span(address)))
        block = "block" in operation.op.operands  # where it ends is what the graph shows
        return printer.expressible(operation, word, block=block) or printer.describe(operation) or f".word {word:#010x}"

    def boolean(number: int) -> str:
        return names.flag(number, BOOLEAN)

    def integer(number: int) -> str:
        return names.flag(number, INTEGER) if number < 4 else f"i{number}"

    def hang(code: str) -> str:
        return CODES[code].title

    return Labels(instruction, boolean, integer, jump, hang)
