"""A program as picasso source: one sheet for each shader, and a `.nodvle` one for what they share.

Plain sheets hold nothing that picasso does not know. Extended ones may use numeric targets, `.word`, explicit registers,
`.symbol` and pinned descriptors, so that any program can be written.
"""

from __future__ import annotations

from lanewise.core.cached import cached_property
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.encoder import Descriptors, descriptor_word, form
from lanewise.pica200.isa.layout import BLOCK_LEAVERS, LOOP_LEAVERS
from lanewise.pica200.isa.program import Dest, Source, Target
from lanewise.pica200.isa.table import ARITHMETIC, FIRST_SLOT, JUMP, LOOP, NOP, merge_bits
from lanewise.pica200.text.picasso.declaring import Declarations
from lanewise.pica200.text.picasso.plan import NotPlain, Plan
from lanewise.pica200.text.picasso.printer import Printer
from lanewise.pica200.text.spelling import live_selectors
from lanewise.pica200.text.structure import Interval

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Operation, Program
    from lanewise.pica200.text.picasso.plan import SourceFile

__all__ = ["NotPlain", "Writer"]


class Writer:
    """Writes the sheets of a program that was read from a file.

    `implicit`: leave out the NOPs that the assembler pads with; `extended`: use what only lanewise knows; `pinned`: write the
    descriptor table too; `bare`: no names and no structure either.
    """

    plan: Plan
    program: Program
    extended: bool
    implicit: bool
    pins: dict[int, int] | None
    table: Descriptors
    every_label: bool

    def __init__(
        self, program: Program, *, implicit: bool = False, extended: bool = False, pinned: bool = False, bare: bool = False
    ) -> None:
        self.plan = Plan(program, extended=extended, bare=bare)
        self.program, self.extended, self.implicit = program, extended, implicit
        self.pins = dict(enumerate(self.plan.encoding.descriptors)) if pinned else None
        self.table = Descriptors(self.pins)
        # nihstro lists every label of a source in the file: then they all are written.
        self.every_label = self.plan.encoding.container.get("layout") == b"nihstro"

    def files_text(self) -> list[tuple[str, str]]:
        """(suffix, text) of every source file, in the order of the command line.

        Raises NotPlain.
        """
        files = self.plan.files
        declarations = Declarations(self.plan)
        for file in files:
            declarations.declare(file)
            self.write_code(file)
        if self.pins:
            files[0].fields += [f".opdesc {number} {value:#010x}" for number, value in self.pins.items()]
        if self.extended:
            files[0].fields.append(".nonop")
            if not self.program.interfaces:
                files[0].fields.append(".shbin dvlb.count 0")
        return [(file.suffix, file.text()) for file in files]

    def write_code(self, file: SourceFile) -> None:
        """The words of a sheet, with its procedures, blocks and labels."""
        low, high = file.start, file.end
        last = file is self.plan.files[-1]
        labels = self.labels(low, high)
        printer = Printer(
            file.names, self.call_name, lambda address: labels.get(address, ""), pinned=self.pins, plain=not self.extended
        )
        code = _Code(file.body)
        waiting = [p for p in self.plan.structure.procedures if low <= p.start < high or (p.start == high and last)]
        ends = {stretch.start: stretch.end for stretch in self.plan.structure.top}
        for pc in range(low, high + 1):
            code.close(pc)
            while waiting and waiting[0].start == pc:
                procedure = waiting.pop(0)
                code.put(f".proc {self.plan.procedures[procedure]}")
                code.open("proc", pc, procedure.end)
                code.close(pc)
            if pc < high and not code.blocks:
                code.put(f".proc {self.plan.stretches[pc]}")
                code.open("proc", pc, ends.get(pc, high))
            if pc in labels:
                file.body.append(f"{labels[pc]}:")
            if pc < high:
                kind = self.program.operations[pc].op.kind
                if not (self.implicit and kind == NOP and code.pads(pc)):
                    code.put(self.instruction(printer, pc))
                code.written(kind)
                block = self.plan.structure.blocks.get(pc)
                if block is not None:
                    code.open(kind, pc + 1, block[1], block[0] if block[1] > block[0] else -1)
        if file is self.plan.files[0] and not self.plan.procedures and not self.plan.structure.top:
            file.body += [f".proc {self.plan.stretches[0]}", ".end"]

    def labels(self, low: int, high: int) -> dict[int, str]:
        """Names for the targets of jumps inside a sheet."""
        found: dict[int, str] = {}
        if self.plan.bare:
            return found
        known = self.plan.known
        for operation in self.program.operations[low:high]:
            if operation.op.kind == JUMP:
                target = operation.operands[-1]
                if isinstance(target, Target) and low <= target.address <= high:
                    generic = f"at_{target.address:x}" + "_" * (f"at_{target.address:x}" in known.values())
                    found[target.address] = known.get(target.address, generic)
        if self.every_label:
            here = {
                address: name
                for address, name in known.items()
                if low <= address < high or address == high == len(self.plan.words)
            }
            found.update(here)
        return found

    def call_name(self, target: Target) -> str:
        return self.plan.procedures.get(Interval(target.address, target.address + target.num), "")

    def instruction(self, printer: Printer, pc: int) -> str:
        operation = self.program.operations[pc]
        if pc in self.repeating:
            operation = _repeated(operation)
        elif operation.descriptor >= 0:
            operation = self.settle(operation)
        text = printer.operation(operation, self.plan.words[pc], block=pc in self.plan.structure.blocks)
        if not self.extended and text.startswith(".word"):
            raise NotPlain(text)
        return text

    @cached_property
    def repeating(self) -> frozenset[int]:
        """The instructions of one component whose text repeats it, where the file has others in slots that they do not read.

        Those slots are what instructions with the same descriptor read, or of no effect: the assembler gives the same words. So
        it does where a slot is read by none only if the first instruction with the descriptor has it in its text, because that
        one sets it.
        """
        table = self.plan.encoding.descriptors
        users: dict[int, list[int]] = {}
        for pc, (operation, word) in enumerate(zip(self.program.operations, self.plan.words, strict=True)):
            if operation.op.kind == ARITHMETIC:
                users.setdefault(decode(word).field("desc"), []).append(pc)
        found: set[int] = set()
        for number, pcs in users.items() if self.pins is None else ():
            wanted = [pc for pc in pcs if _is_in_doubt(self.program.operations[pc])]
            if not wanted or number >= len(table):
                continue
            free = 0xFFFFFFFF
            for pc in pcs:
                free &= ~_used_bits(self.program.operations[pc])
            first = _value_of(_repeated(self.program.operations[pcs[0]]))
            found.update([pc for pc in wanted if pc != pcs[0] or not (first ^ table[number]) & free])
        return frozenset(found)

    def settle(self, operation: Operation) -> Operation:
        """Leave the descriptor's number out where the assembler finds it by itself."""
        if self.pins is None:
            return operation
        operation = live_selectors(operation)
        found = self.table.find(_value_of(operation), _used_bits(operation))
        return operation._replace(descriptor=-1 - operation.descriptor) if found == operation.descriptor else operation


def _parts(operation: Operation) -> tuple[int, list[Source]]:
    """The write mask of an operation, and its sources."""
    first = operation.operands[0]
    return first.mask if isinstance(first, Dest) else 0, [each for each in operation.operands if isinstance(each, Source)]


def _value_of(operation: Operation) -> int:
    return descriptor_word(*_parts(operation))


def _used_bits(operation: Operation) -> int:
    mask, sources = _parts(operation)
    return merge_bits(form(operation.op, sources), mask)


def _is_in_doubt(operation: Operation) -> bool:
    """Whether an instruction that reads the first slot only has other components in the slots that it writes."""
    if operation.op.picasso_merge != FIRST_SLOT:
        return False
    mask, (source, *_) = _parts(operation)
    return any(mask >> slot & 1 and source.selector >> 2 * slot & 3 != source.selector >> 6 for slot in range(4))


def _repeated(operation: Operation) -> Operation:
    """An instruction that reads the first slot only with the same component in all slots."""
    if operation.op.picasso_merge != FIRST_SLOT:
        return operation
    return operation._replace(
        operands=tuple(
            [
                each._replace(selector=(each.selector >> 6) * 0x55) if isinstance(each, Source) else each
                for each in operation.operands
            ]
        )
    )


class _Open(Record):
    """A block being written: what opened it, its first word, where it ends, where its else part begins (or -1)."""

    kind: str
    start: int
    end: int
    middle: int


class _Code:
    """Lines of code with the blocks that are open, and what the assembler's padding rules know (conformance rules 22-24)."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.blocks: list[_Open] = []
        self.closed = False
        self.last = ""

    def put(self, text: str) -> None:
        self.lines.append("\t" * len(self.blocks) + text)

    def open(self, kind: str, start: int, end: int, middle: int = -1) -> None:
        self.blocks.append(_Open(kind, start, end, middle))

    def written(self, kind: str) -> None:
        self.closed, self.last = False, kind

    def close(self, pc: int) -> None:
        """End what ends before this word, and begin else parts."""
        while self.blocks:
            block = self.blocks[-1]
            if block.middle == pc:
                self.blocks.pop()
                self.put(".else")
                self.blocks.append(block._replace(middle=-1))
            elif block.end <= pc:
                self.blocks.pop()
                self.put(".end")
                self.closed = block.kind != "proc"
            else:
                return

    def pads(self, pc: int) -> bool:
        """Whether the assembler inserts the NOP of this word by itself."""
        block = self.blocks[-1] if self.blocks else None
        if block is None or pc + 1 not in (block.end, block.middle) or (block.middle >= 0 and pc + 1 != block.middle):
            return False
        empty = pc == block.start
        if self.closed:
            return True
        if not self.last:
            return False
        return empty or self.last in (LOOP_LEAVERS if block.kind == LOOP else BLOCK_LEAVERS)
