"""A ShaderCore program: words, usages, constants, places in the source."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, Edit, Related
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.shadercore.isa.codec import decode, register, written
from lanewise.shadercore.isa.table import END, SLOTS, SOURCE_FILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.table import Op

REGISTERS = 8  # inputs, and outputs
NO_HASH = 0xFFFFFFFF  # of a shader that comes from no Direct3D tokens (reference 1)

# What an input or output means: bits 0-2 of its byte in the header. Bits 3-4 count those of one kind. Source: reference 1.
USAGES = ("position", "texcoord", "color", "normal", "blendweight", "blendindices", "psize", "fog")
USAGE_NUMBERS = 4


def usage_name(byte: int) -> str:
    """`texcoord1` for 9; a byte with bits that mean nothing, as a number."""
    if byte >> 5:
        return f"0x{byte:02X}"
    return USAGES[byte & 7] + (str(byte >> 3) if byte >> 3 else "")


def usage_byte(text: str) -> int | None:
    """9 for `texcoord1`, in any case; None for an unknown usage."""
    name = text.lower()
    if name.startswith("0x") and len(name) == 4 and all(c in "0123456789abcdef" for c in name[2:]):
        return int(name, 16)
    kind = name.rstrip("0123456789")
    digits = name[len(kind) :]
    if kind not in USAGES or len(digits) > 1 or int(digits or 0) >= USAGE_NUMBERS:
        return None
    return USAGES.index(kind) | int(digits or 0) << 3


class Constant(Record):
    """The bits of the four components of register c`number`."""

    number: int
    values: tuple[int, ...]


class Declaration(Record):
    """A `.input` or `.output` of a source: the file (`v` or `o`), the register, the place."""

    file: str
    number: int
    place: Span


class Program(Record):
    """A program."""

    words: tuple[int, ...]
    "Machine words of 64 bits."
    inputs: tuple[int, ...] = (0,) * REGISTERS
    "The usage bytes of v0 to v7, 0 where unknown (which is also position)."
    outputs: tuple[int, ...] = (0,) * REGISTERS
    "The usage bytes of o0 to o7, 0 where unknown (which is also position)."
    hash: int = NO_HASH
    "The hash of the Direct3D tokens in the header, kept from the file."
    padding: int = 0
    "The 8 bytes of padding in the header as one number, kept from the file."
    constants: tuple[Constant, ...] = ()
    "Constants that a source declares; the application sets them, and no file of words holds them."
    places: tuple[Span, ...] = ()
    "The place in the source of each word; () for words from a file."
    declared: tuple[Declaration, ...] = ()
    "The declarations of a source; () for words from a file."
    added: tuple[Op, ...] = ()
    "Instructions that the device of the program adds to the table."

    @property
    def insts(self) -> list[Inst]:
        return [decode(word, self.added) for word in self.words]


class Damage(Record):
    """A statement that could not be read, and its placeholder."""

    place: Span
    "The place of the statement."
    slot: int
    "The first slot of the placeholder."
    words: int
    "Slots of the placeholder."
    head: str
    "The first word of the statement in lower case."
    writes: tuple[tuple[str, int], ...] | None
    "Registers (file, number) that the statement may write; None where that may be any."
    reads: tuple[tuple[str, int], ...] | None
    "Registers (file, number) that the statement may read; None where that may be any."


def used_inputs(insts: Sequence[Inst]) -> set[int]:
    """The input registers that instructions read, in the operands that they have."""
    sources = [source for inst in insts for source in inst.operands]
    return {found[1] for found in map(register, sources) if found is not None and found[0] == "v"}


def used_outputs(insts: Sequence[Inst]) -> set[int]:
    """The output registers that instructions write."""
    return {inst.dest.number for inst in insts if inst.op.dests and inst.dest.file == 2}


_OTHERS = {"r": "x0 to x6", "x": "r0 to r7"}  # x7.x hangs the public hardware


def lacking(insts: Sequence[Inst], device: Device, *, shortened: bool = False) -> list[tuple[int, str, str]]:
    """Where a program goes beyond the sizes of a device: the slot, what the device lacks, and the fix; of a register its first
    use. Of a program that is to be `shortened` the slots do not count."""
    most = {file: device.cycles(f"{file}_registers") for file in ("r", "x", "c")}
    found: list[tuple[int, str, str]] = []
    slots = device.cycles("slots")
    if slots < len(insts) <= SLOTS and not shortened:  # V201 has those that no core has
        found.append(
            (
                slots,
                f"the program has {len(insts)} words, but the device has {slots} slots",
                f"set slots={len(insts)} in the device file or with --set, or remove instructions",
            )
        )
    first: dict[tuple[str, int], int] = {}
    for slot, inst in enumerate(insts):
        sources = [register(source) or (SOURCE_FILES[source.file], source.number) for source in inst.operands]
        used = [place[:2] for place in (*sources, written(inst.dest) if inst.op.dests else None) if place is not None]
        for file, number in used:
            if number >= most.get(file, number + 1):
                first.setdefault((file, number), slot)
    for (file, number), slot in first.items():
        there = f"{file}0 to {file}{most[file] - 1}" if most[file] else f"no {file}"
        others = [each for each in (there if most[file] else "", _OTHERS.get(file, "")) if each]
        size = 1 + max(n for each, n in first if each == file)
        fix = f"set {file}_registers={size} in the device file or with --set"
        found.append(
            (
                slot,
                f"unknown register {file}{number}: the device has {there}",
                f"use {' or '.join(others)}; or {fix}" if others else fix,
            )
        )
    return found


def review(program: Program, name: str, damage: Sequence[Damage] = ()) -> list[Diagnostic]:
    """Findings about a whole program: too long, without END, code after END. Of one with `damage`, those that hold whatever
    that is."""
    found: list[Diagnostic] = []

    def place(number: int) -> Span:
        return program.places[number] if number < len(program.places) else Span(file=name)

    words = program.words
    if len(words) > SLOTS:
        found.append(
            Diagnostic(
                code="V201",
                severity=ERROR,
                message=f"the program has {len(words)} words, but the core has {SLOTS} slots",
                span=place(SLOTS),
                fix="shorten the program: the vector shorthand takes one slot per component",
            )
        )
    unknown = {one.slot for one in damage if one.words}
    low = [number for number, word in enumerate(words) if word & 31 == END.opcode and number not in unknown]
    ends = [number for number in low if decode(words[number], program.added).op is END]
    if not ends and not unknown:
        place_of_last = place(max(0, len(words) - 1))
        found.append(
            Diagnostic(
                code="V202",
                severity=WARNING,
                message="no `end` in the program",
                span=place_of_last,
                fix="write `end` after the last instruction",
                edits=_after(place_of_last, "end"),
            )
        )
    elif ends and ends[0] + 1 < len(words):
        count = len(words) - ends[0] - 1
        lines = dict.fromkeys([span for span in program.places[ends[0] + 1 :] if span.line])
        found.append(
            Diagnostic(
                code="V203",
                severity=WARNING,
                message=f"{count} instruction{'s' if count > 1 else ''} after end: unreachable",
                span=place(ends[0] + 1),
                fix="remove them, or the `end` before them",
                related=_at(place(ends[0]), "the program ends here"),
                edits=tuple([Edit(span, "") for span in lines]),
            )
        )
    return found


def _at(span: Span, message: str) -> tuple[Related, ...]:
    return (Related(span, message),) if span.line else ()


def _after(span: Span, statement: str) -> tuple[Edit, ...]:
    """The edit that writes a statement in a line after that of `span`, indented like it."""
    if not span.line:
        return ()
    line = span.text
    indentation = line[: len(line) - len(line.lstrip())]
    return (Edit(span.at(len(line) + 1, 0), f"\n{indentation}{statement}"),)
