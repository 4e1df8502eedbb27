"""Node labels of a shader: instructions as picasso text, with the names that its file has."""

from __future__ import annotations

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
    names = _Names(shader, memory)
    return Labels(
        instruction=names.instruction, boolean=names.boolean, integer=names.integer, place=names.place, hang=names.hang
    )


class _Names:
    """The texts of a shader; it pickles as what it was made of."""

    def __init__(self, shader: Shader, memory: Sequence[int]) -> None:
        self._shader, self._memory = shader, memory
        program = shader.program
        self._names = LineNames(shader.interface)
        self._procedures = {(procedure.start, procedure.size): procedure.name for procedure in program.procedures}
        self._places = {address: name for name, address in reversed(list(program.labels.items()))}
        self._places |= {procedure.start: procedure.name for procedure in reversed(program.procedures) if procedure.size}
        self._printer = Printer(self._names, self._call, self.place)
        self._lifted = lift(memory, shader.descriptors)
        self._operations = [live_selectors(operation) if operation.descriptor >= 0 else operation for operation in self._lifted]
        self._texts: dict[int, str] = {}

    def __reduce__(self) -> tuple[type[_Names], tuple[Shader, Sequence[int]]]:
        return _Names, (self._shader, self._memory)

    def _call(self, target: Target) -> str:
        return self._procedures.get((target.address, target.num), "")

    def place(self, address: int) -> str:
        return self._places.get(address, "")

    def instruction(self, address: int) -> str:
        found = self._texts.get(address)
        if found is None:
            found = self._texts[address] = self._instruction(address)
        return found

    def _instruction(self, address: int) -> str:
        operation, word = self._operations[address], self._memory[address]
        self._names.enter(self._lifted[address], statement(self._shader.span(address)))
        block = "block" in operation.op.operands  # where it ends is what the graph shows
        printer = self._printer
        return printer.expressible(operation, word, block=block) or printer.describe(operation) or f".word {word:#010x}"

    def boolean(self, number: int) -> str:
        return self._names.flag(number, BOOLEAN)

    def integer(self, number: int) -> str:
        return self._names.flag(number, INTEGER) if number < 4 else f"i{number}"

    def hang(self, code: str) -> str:
        return CODES[code].title
