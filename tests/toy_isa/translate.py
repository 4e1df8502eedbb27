"""The toy as C: a function of its eight registers, its jumps as loops and branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.service import STDIO, Answer, UsageError, stem_of
from lanewise.translating.languages import Language
from lanewise.translating.names import identifier
from lanewise.translating.structure import routine
from lanewise.translating.writing import Writer
from toy_isa.machine import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.package import Loaded
    from lanewise.core.service import Request
    from toy_isa.machine import Inst


class ToyC(Language):
    prefix, reserved = "toy_", "toy_|acc$|r$|block$"


class _Writer(Writer):
    def __init__(self, insts: Sequence[Inst]) -> None:
        super().__init__(ToyC())
        self._insts = insts
        self.variables = ["uint32_t acc = 0;"]

    def word(self, address: int, depth: int) -> None:
        op, operand = self._insts[address]
        if op.name not in ("jnz", "halt"):
            self.line(depth, op.summary.replace("REG", f"r[{operand}]").replace("NUMBER", f"{operand}u") + ";")

    def action(self, action: object, depth: int) -> None:
        raise NotImplementedError("the toy has no actions")

    def truth(self, question: object) -> str:
        return str(question)

    def inverted(self, text: str) -> str:
        return text.replace("!=", "==")

    def numbered(self) -> None:
        self.variables.append("int32_t block = 0;")


def as_c(name: str, insts: Sequence[Inst]) -> str:
    """The C function of a program."""
    writer = _Writer(insts)
    writer.block(routine(0, dict(enumerate(nodes(insts)))).body, 1)
    head = ["#include <stdbool.h>", "#include <stdint.h>", "", f"void {name}(uint32_t r[8]) {{"]
    return "\n".join([*head, *[f"    {line}" for line in (*writer.variables, "(void)acc, (void)r;")], *writer.lines, "}", ""])


def translation(loaded: Loaded, request: Request) -> Answer:
    if request.text("to") != "c":
        raise UsageError("toy programs are translated to C: use --to c")
    language, output = ToyC(), request.text("output")
    name = identifier(stem_of(loaded.name), language, set(), language.functions)
    text = as_c(name, getattr(loaded, "insts", ()))
    files = ((output, text.encode()),) if output and output != STDIO else ()
    data: dict[str, object] = {"name": loaded.name, "to": "c", "numbers": "words", "profile": "", "shaders": [], "text": text}
    return Answer(data=data, text="" if files else text, files=files)
