"""The table of the toy, its codec and its meaning."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.bits import Field
from lanewise.core.table import Format, check_formats, check_rows
from lanewise.graph.flow import Branch, Goto, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

OPCODE = Field("opcode", 12, 4)
REGISTER = Format("register", (OPCODE, Field("unused", 3, 9, reserved=True), Field("operand", 0, 3)))
IMMEDIATE = Format("immediate", (OPCODE, Field("operand", 0, 12)))
MAGIC = b"TOY1"
INPUTS, REGISTERS, MOST_STEPS = 4, 8, 10_000
MASK = 0xFFFFFFFF  # arithmetic is modulo 2^32


def _second(_: int, value: int) -> int:
    return value


class Op(NamedTuple):
    """A row: `operand` is `register`, `number`, `label` or empty; `compute` gives the accumulator from itself and the
    operand."""

    name: str
    opcode: int
    format: Format
    operand: str
    summary: str
    compute: Callable[[int, int], int] | None = None

    @property
    def match(self) -> tuple[int, int]:
        return OPCODE.mask, OPCODE.insert(self.opcode)


OPS = (
    Op(name="load", opcode=0, format=REGISTER, operand="register", summary="acc = REG", compute=_second),
    Op(name="store", opcode=1, format=REGISTER, operand="register", summary="REG = acc"),
    Op(name="add", opcode=2, format=REGISTER, operand="register", summary="acc = acc + REG", compute=operator.add),
    Op(name="sub", opcode=3, format=REGISTER, operand="register", summary="acc = acc - REG", compute=operator.sub),
    Op(name="mul", opcode=4, format=REGISTER, operand="register", summary="acc = acc * REG", compute=operator.mul),
    Op(name="set", opcode=5, format=IMMEDIATE, operand="number", summary="acc = NUMBER", compute=_second),
    Op(name="jnz", opcode=6, format=IMMEDIATE, operand="label", summary="go to LABEL if acc is not 0"),
    Op(name="halt", opcode=7, format=IMMEDIATE, operand="", summary="stop"),
)
BY_NAME = {op.name: op for op in OPS}
BY_OPCODE = {op.opcode: op for op in OPS}
check_formats([REGISTER, IMMEDIATE], 16)
check_rows(OPS)


class Inst(NamedTuple):
    """A decoded word."""

    op: Op
    operand: int = 0

    @property
    def text(self) -> str:
        shown = {"register": f"r{self.operand}", "number": str(self.operand), "label": f"L{self.operand}", "": ""}
        return f"{self.op.name} {shown[self.op.operand]}".rstrip()


def encode(inst: Inst) -> int:
    return OPCODE.insert(inst.op.opcode) | inst.op.format.field("operand").insert(inst.operand)


def decode(word: int) -> Inst | None:
    """The instruction of a word; None for a word that is not one."""
    op = BY_OPCODE.get(OPCODE.extract(word))
    return Inst(op, op.format.field("operand").extract(word)) if op is not None else None


def steps(insts: Sequence[Inst], registers: list[int]) -> Iterator[tuple[int, Inst, int]]:
    """Run one lane: address, instruction and accumulator of each step; `registers` change. Ends at `halt` or after the last
    instruction; stops after MOST_STEPS."""
    acc, pc = 0, 0
    for _ in range(MOST_STEPS):
        if pc >= len(insts):
            return
        op, operand = insts[pc]
        address, pc = pc, pc + 1
        if op.compute is not None:
            acc = op.compute(acc, registers[operand] if op.operand == "register" else operand) & MASK
        elif op.name == "store":
            registers[operand] = acc
        elif op.name == "jnz" and acc:
            pc = operand
        yield address, insts[address], acc
        if op.name == "halt":
            return
    raise OverflowError(MOST_STEPS)


def ended(insts: Sequence[Inst], registers: Sequence[int]) -> list[int]:
    """The registers after a lane. Raises OverflowError for one that makes too many steps."""
    found = [*registers]
    for _ in steps(insts, found):
        pass
    return found


def nodes(insts: Sequence[Inst]) -> list[Node[int, str, object, object]]:
    """A node for each instruction, by address, and one for the end after them."""
    found: list[Node[int, str, object, object]] = []
    for number, (op, operand) in enumerate(insts):
        after: Goto[object] = Goto(number + 1)
        jump = Branch("acc != 0", Goto(min(operand, len(insts))), after) if op.name == "jnz" else after
        found.append(Node((number,), None if op.name == "halt" else jump))
    return [*found, Node((), None)]
