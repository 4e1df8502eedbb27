"""Operations to words and a descriptor table.

Descriptors are shared as in picasso, so that the bytes equal picasso's, or as in nihstro. Source: conformance
rules 13-20 and 25-29 (observed on picasso 2.7.1), nihstro rule 4.
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, NOTE, Diagnostic, PortableError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.isa.program import Condition, Dest, Emission, Source, Target
from lanewise.pica200.isa.table import ARITHMETIC, END, FLOAT, NO_OPERATION, OPS, VERTEX, WIDE_SOURCE, Descriptor, merge_bits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.pica200.isa.program import Operation, Program
    from lanewise.pica200.isa.table import Op

INVERTED = {op.base: op for op in OPS if op.name != op.base}
_NOWHERE = Span(file="")


class _Encoding(Record):
    """Lowest bits of the operand fields of an arithmetic row."""

    opcode: int
    "Value of the opcode's bits in the word."
    dst: int
    "Of the destination; 0 without one."
    sources: tuple[int, ...]
    "Of each source, in order."
    idx: int
    "Of the index."
    wide: int
    "Number of the source that may be a uniform, from 0."
    cmpx: int
    "Of the operator of x; 0 where the row is not a comparison."
    cmpy: int
    "Of the operator of y; 0 where the row is not a comparison."
    reach: int
    "Number of descriptors that the row can name."


def _encoding(op: Op, fields: Mapping[str, int]) -> _Encoding:
    """Of a row in whose format the fields begin at these bits."""
    sources = tuple(fields[f"src{i + 1}"] for i in range(op.source_count))
    wide = WIDE_SOURCE[op.format.name] - 1
    cmpx, cmpy = fields.get("cmpx", 0), fields.get("cmpy", 0)
    reach = 1 << op.format.field("desc").width
    return _Encoding(
        opcode=op.match[1],
        dst=fields.get("dst", 0),
        sources=sources,
        idx=fields["idx"],
        wide=wide,
        cmpx=cmpx,
        cmpy=cmpy,
        reach=reach,
    )


_FORMATS = {op.format.name: {field.name: field.low for field in op.format.fields} for op in OPS if op.kind == ARITHMETIC}
_ENCODINGS = {op.name: _encoding(op, _FORMATS[op.format.name]) for op in OPS if op.kind == ARITHMETIC}


def form(op: Op, sources: Sequence[Source]) -> Op:
    """The row that encodes these sources: the inverted one for a wide operand elsewhere.

    Source: conformance rules 13, 14.
    """
    other = INVERTED.get(op.name)
    if other is None:
        return op
    if len(sources) == 3:
        second, third = sources[1], sources[2]
        swap = second.register < FLOAT and (third.register >= FLOAT or (third.relative > 0 and not second.relative))
    else:
        swap = sources[0].register < FLOAT <= sources[1].register
    return other if swap else op


class _Entry:
    """A descriptor of the table being built: its value, the bits that instructions read, whether a mad uses it."""

    __slots__ = ("mad", "mask", "value")

    def __init__(self, value: int, mask: int) -> None:
        self.value = value
        self.mask = mask
        self.mad = False


class DescriptorError(PortableError):
    """No descriptor is available; carries the code and the texts of the finding."""

    code: str
    message: str
    fix: str

    def __init__(self, code: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.code, self.message, self.fix = code, message, fix


class Descriptors:
    """The operand descriptor table while it is being filled (rules 25-29).

    An instruction takes the first entry that agrees with it on the bits significant to both; its significant bits are then
    copied into the entry. A mad that gets an entry past 31 exchanges it with the lowest entry below 32 that no mad uses.
    """

    pinned: bool

    def __init__(self, pinned: Mapping[int, int] | None = None) -> None:
        self.entries: list[_Entry] = []
        self.pinned = bool(pinned)
        self._free = [number for number in range(VERTEX.descriptors) if number not in pinned] if pinned else []
        self._lacking: dict[int, int] = {}  # numbers of descriptors that a pinned table needs, by value
        self._known: dict[tuple[int, int], int] = {}  # a result is valid until two entries change places
        if pinned:
            for number in range(max(pinned) + 1):
                self.entries.append(_Entry(pinned.get(number, 0), 0xFFFFFFFF))

    def find(self, value: int, mask: int) -> int:
        """The number of the entry for a descriptor word. Raises DescriptorError.

        Only the bits `mask` are significant.
        """
        key = value, mask
        number = self._known.get(key, -1)
        if number < 0:
            number = self._known[key] = self._search(value, mask)
        return number

    def _search(self, value: int, mask: int) -> int:
        for number, entry in enumerate(self.entries):
            if not (entry.value ^ value) & entry.mask & mask:
                if not self.pinned:
                    entry.value = (entry.value & ~mask) | (value & mask)
                    entry.mask |= mask
                return number
        if self.pinned:
            if value not in self._lacking and self._free:
                self._lacking[value] = self._free.pop(0)
            place = self._lacking.get(value, -1)
            fix = f"add the line .opdesc {place} {value:#010x}" if place >= 0 else "write another instruction: all are pinned"
            raise DescriptorError("V033", f"operand descriptor {value:#010x} is not among the pinned ones", fix)
        if len(self.entries) == VERTEX.descriptors:
            raise DescriptorError(
                "V030",
                f"too many operand descriptors: this is number {VERTEX.descriptors + 1}, the table has {VERTEX.descriptors}",
                "use fewer combinations of write mask, swizzles and signs: instructions that agree share one",
            )
        self.entries.append(_Entry(value, mask))
        return len(self.entries) - 1

    def find_for_mad(self, value: int, mask: int) -> tuple[int, int]:
        """As `find`, but below 32: the number, and the number it was exchanged with, or -1."""
        number = self.find(value, mask)
        moved = -1
        if number >= VERTEX.mad_descriptors:
            if self.pinned:
                raise DescriptorError(
                    "V031", f"mad cannot use operand descriptor {number}: it reaches 0 to 31", "pin a fitting one below 32"
                )
            for low in range(VERTEX.mad_descriptors):
                if not self.entries[low].mad:
                    break
            else:
                raise DescriptorError(
                    "V031",
                    "too many operand descriptors for mad: other mad instructions use all 32 that it reaches",
                    "use fewer combinations of write mask, swizzles and signs in mad, or split one into mul and add",
                )
            entries = self.entries
            entries[low], entries[number] = entries[number], entries[low]
            self._known.clear()
            number, moved = low, number
        self.entries[number].mad = True
        return number, moved

    def words(self) -> tuple[int, ...]:
        return tuple(entry.value for entry in self.entries)


class Encoded(Record):
    """Result of the encoder: instruction words and the descriptor table."""

    words: tuple[int, ...]
    descriptors: tuple[int, ...]


_EVERY_BIT = 0xFFFFFFFF
_NOP = NO_OPERATION.match[1]


def _second_source(row: Op, mask: int) -> int:
    """The selector bits that nihstro stores for a second source: .xyzw, in order, in the enabled slots (its rule 4)."""
    if row.source_count != 1 or "dst" not in row.operands:
        return 0
    selector = component = 0
    for slot in range(4):
        if mask & (8 >> slot):
            selector |= component << (6 - 2 * slot)
            component += 1
    return Descriptor.SELECTOR[1].insert(selector)


def descriptor_word(mask: int, sources: Sequence[Source]) -> int:
    """Descriptor of a write mask and up to three sources; absent sources are zero."""
    value = mask
    shift = 4
    for source in sources:
        value |= (source.selector << 1 | source.negate) << shift
        shift += 9
    return value


def encode_program(
    program: Program,
    pinned: Mapping[int, int] | None = None,
    *,
    merges: bool = True,
    reads: Callable[[Op, int], int] = merge_bits,
) -> tuple[Encoded, list[Diagnostic]]:
    """Encode a program.

    A program with an `Encoding` keeps its pinned words and its table, to which edits may add. `pinned` fixes the descriptor
    table by number; `merges` is the layout's: whether instructions share descriptors that differ in bits they ignore.
    `reads(row, mask)` are the bits that must agree, with those of others or of a pinned table. Findings are V030 to V033; the
    words are complete only without errors.
    """
    encoder = _Encoder(pinned, merges, reads)
    if program.encoding is not None:
        for value in program.encoding.descriptors:
            encoder.table.entries.append(_Entry(value, 0xFFFFFFFF))
            encoder.table.entries[-1].mad = True  # words of the file refer to it: it must not change places
        for operation, word in zip(program.operations, program.encoding.words, strict=True):
            if word is None:
                encoder.add(operation)
            else:
                encoder.words.append(word)
    else:
        for operation in program.operations:
            encoder.add(operation)
    return Encoded(tuple(encoder.words), encoder.table.words()), encoder.diagnostics


class _Encoder:
    def __init__(self, pinned: Mapping[int, int] | None, merges: bool, reads: Callable[[Op, int], int]) -> None:
        self.table = Descriptors(pinned)
        self.merges, self.reads = merges, reads
        self.words: list[int] = []
        self.numbers: dict[tuple[str, int], int] = {}  # of descriptors by row and value, until two change places
        self.diagnostics: list[Diagnostic] = []

    def add(self, operation: Operation) -> None:
        if operation.damaged and not operation.op.opens_block and operation.op.kind != END:
            self.words.append(_NOP)
            return
        try:
            word = self.arithmetic(operation) if operation.op.kind == ARITHMETIC else flow_word(operation)
        except DescriptorError as error:
            self.diagnostics.append(
                Diagnostic(
                    code=error.code,
                    severity=ERROR,
                    message=error.message,
                    span=operation.span or _NOWHERE,
                    notes=(),
                    fix=error.fix,
                )
            )
            word = 0
        self.words.append(word)

    def arithmetic(self, operation: Operation) -> int:
        row, mask, word, value = _fields(operation)
        pinned = operation.descriptor >= 0
        number = self.numbers.get((row.name, value), -1)
        if number >= 0 and not pinned:
            return word | number
        descriptor, bits = value, self.reads(row, mask)
        if not self.merges and not self.table.pinned:
            descriptor, bits = value | _second_source(row, mask), _EVERY_BIT
        number = self.descriptor(operation, descriptor, bits)
        if not pinned and _ENCODINGS[row.name].reach >= VERTEX.descriptors:
            self.numbers[row.name, value] = number
        return word | number

    def descriptor(self, operation: Operation, value: int, mask: int) -> int:
        number = operation.descriptor
        if number >= 0:
            self.check_pin(operation, number, value, mask)
            return number
        if _ENCODINGS[operation.op.name].reach >= VERTEX.descriptors:
            before = len(self.table.entries)
            number = self.table.find(value, mask)
            if not self.merges and before < len(self.table.entries) == VERTEX.descriptors:
                last = VERTEX.descriptors
                message = f"operand descriptor {last} is the last one: nihstro itself stops at {last - 1}"
                self.note("P070", message, operation, "use fewer combinations of write mask, swizzles and signs")
            return number
        number, moved = self.table.find_for_mad(value, mask)
        if moved >= 0:
            self.exchange(number, moved)
            if not self.merges:
                message = (
                    f"operand descriptors {moved} and {number} change places: nihstro itself cuts the number to five bits "
                    "for mad"
                )
                self.note(
                    "P071", message, operation, "with nihstro, use this mad before the 33rd combination of mask and swizzles"
                )
        return number

    def note(self, code: str, message: str, operation: Operation, fix: str) -> None:
        self.diagnostics.append(
            Diagnostic(code=code, severity=NOTE, message=message, span=operation.span or _NOWHERE, notes=(), fix=fix)
        )

    def check_pin(self, operation: Operation, number: int, value: int, mask: int) -> None:
        entries = self.table.entries
        if number >= len(entries):
            raise DescriptorError(
                "V032",
                f"unknown operand descriptor {number}: the table has {len(entries)}",
                f"add `.opdesc {number} {value:#010x}`",
            )
        if number >= _ENCODINGS[operation.op.name].reach:
            raise DescriptorError(
                "V031",
                f"{operation.op.name} cannot use operand descriptor {number}: it reaches 0 to 31",
                "use a number from 0 to 31",
            )
        if (entries[number].value ^ value) & mask:
            raise DescriptorError(
                "V032",
                f"operand descriptor {number} is {entries[number].value:#010x}, but the operands need {value:#010x}",
                "change the operands or the `.opdesc` line",
            )

    def exchange(self, first: int, second: int) -> None:
        """Exchange two descriptor numbers in all words so far.

        Words of mad and words without a descriptor are not changed.
        """
        self.numbers.clear()
        for address, word in enumerate(self.words):
            top = word >> 26
            if top < 0x20 or top in (0x2E, 0x2F):
                number = word & 0x7F
                if number in (first, second):
                    self.words[address] = word ^ first ^ second


def arithmetic_word(operation: Operation) -> int:
    """The word of an instruction with sources, with descriptor number 0."""
    _, _, word, _ = _fields(operation)
    return word


def _fields(operation: Operation) -> tuple[Op, int, int, int]:
    """(row, write mask, word with descriptor number 0, descriptor) of an instruction with sources."""
    operands = operation.operands
    sources = [operand for operand in operands if isinstance(operand, Source)]
    row = form(operation.op, sources)
    encoding = _ENCODINGS[row.name]
    first = operands[0]
    if isinstance(first, Dest):
        mask = first.mask
        word = encoding.opcode | first.register << encoding.dst
    else:
        x, y = [operand for operand in operands if isinstance(operand, int)]
        mask = 0
        word = encoding.opcode | x << encoding.cmpx | y << encoding.cmpy
    for i, low in enumerate(encoding.sources):
        word |= sources[i].register << low
    return row, mask, word | sources[encoding.wide].relative << encoding.idx, descriptor_word(mask, sources)


def flow_word(operation: Operation) -> int:
    """The word of an instruction without sources.

    NUM and DST are ORed in as in picasso, so that values that are too large change other fields.
    """
    op = operation.op
    word = op.match[1]
    for kind, operand in zip(op.operands, operation.operands, strict=True):
        if isinstance(operand, Target):
            word |= (operand.num & 0x3FF if kind == "block" else operand.num) | operand.address << 10
        elif isinstance(operand, Condition):
            word |= operand.combine << 22 | operand.y << 24 | operand.x << 25
        elif isinstance(operand, Emission):
            word |= operand.invert << 22 | operand.primitive << 23 | operand.vertex << 24
        elif isinstance(operand, int):
            word |= operand if kind == "word" else operand << 22
    return word & 0xFFFFFFFF
