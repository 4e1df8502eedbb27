"""The table of the toy, its codec and its meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.bits import Field
from lanewise.core.table import Format, check_formats, check_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

OPCODE = Field("opcode", 12, 4)
REGISTER = Format("register", (OPCODE, Field("unused", 3, 9, reserved=True), Field("operand", 0, 3)))
IMMEDIATE = Format("immediate", (OPCODE, Field("operand", 0, 12)))
INPUTS, REGISTERS, MOST_STEPS = 4, 8, 10_000


class Op(NamedTuple):
    """A row: `operand` is `register`, `number`, `label` or empty."""

    name: str
    opcode: int
    format: Format
    operand: str
    summary: str

    @property
    def match(self) -> tuple[int, int]:
        return OPCODE.mask, OPCODE.insert(self.opcode)


OPS = (
    Op("load", 0, REGISTER, "register", "acc = REG"),
    Op("store", 1, REGISTER, "register", "REG = acc"),
    Op("add", 2, REGISTER, "register", "acc = acc + REG"),
    Op("sub", 3, REGISTER, "register", "acc = acc - REG"),
    Op("mul", 4, REGISTER, "register", "acc = acc * REG"),
    Op("set", 5, IMMEDIATE, "number", "acc = NUMBER"),
    Op("jnz", 6, IMMEDIATE, "label", "go to LABEL if acc is not 0"),
    Op("halt", 7, IMMEDIATE, "", "stop"),
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


class Step(NamedTuple):
    """One step of a lane: the address, the instruction, and the accumulator after it."""

    address: int
    inst: Inst
    acc: int


def steps(insts: Sequence[Inst], registers: list[int]) -> Iterator[Step]:
    """Run one lane; `registers` change. Ends at `halt` or after the last instruction; stops after MOST_STEPS."""
    acc, pc = 0, 0
    for _ in range(MOST_STEPS):
        if pc >= len(insts):
            return
        op, operand = insts[pc]
        address, pc = pc, pc + 1
        match op.name:
            case "load":
                acc = registers[operand]
            case "store":
                registers[operand] = acc
            case "add":
                acc += registers[operand]
            case "sub":
                acc -= registers[operand]
            case "mul":
                acc *= registers[operand]
            case "set":
                acc = operand
            case "jnz" if acc:
                pc = operand
            case _:
                pass
        yield Step(address, insts[address], acc)
        if op.name == "halt":
            return
    raise OverflowError(MOST_STEPS)


def run_lane(insts: Sequence[Inst], inputs: Mapping[int, int]) -> list[int]:
    """The registers at the end. Raises OverflowError after MOST_STEPS."""
    registers = [inputs.get(number, 0) for number in range(REGISTERS)]
    for _ in steps(insts, registers):
        pass
    return registers
