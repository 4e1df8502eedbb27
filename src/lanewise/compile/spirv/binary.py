"""The binary form of SPIR-V: words in either byte order, and the instructions they make.

Specification 1.6, section 2.3 (physical layout) and 2.2.1 (instructions).
"""

from __future__ import annotations

from lanewise.compile.spirv.opcodes import OPCODES, name_of
from lanewise.core.diagnostics import ERROR, Diagnostic, PortableError
from lanewise.core.record import Record
from lanewise.core.source import Span

MAGIC = 0x07230203
_HEADER = 5  # words
_VERSIONS = range(7)  # minor versions of 1.x
_SPEC_CONSTANT_OP = 52  # its first operand is another operation, the rest are the operands of that
_MOST_IDS = 1 << 22  # the specification's universal limit is 4,194,303


class Malformed(PortableError):
    """A module that does not mean anything: what is wrong, and the offset of the instruction in bytes."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.span: Span | None = None  # the place in the source, where it is known

    code = "S001"
    fix = "compile the shader again, or check it with `spirv-val`"

    def diagnostic(self, name: str) -> Diagnostic:
        return Diagnostic(
            code=self.code,
            severity=ERROR,
            message=self.message,
            span=self.span or Span(file=name, offset=self.offset),
            fix=self.fix,
        )


class Unsupported(Malformed):
    """A module that means something that is not supported."""

    code = "S016"
    fix = "rewrite that part of the shader"


class Instruction(Record):
    """An instruction of a module."""

    opcode: int
    "The number of the instruction."
    type: int
    "The id of the type of its result; 0 where it has none."
    result: int
    "The id of its result; 0 where it has none."
    words: tuple[int, ...]
    "The operands without type and id of the result."
    offset: int
    "The offset of its first word in the file, in bytes."
    line: int = -1
    "An index of `Module.lines`; -1: none."

    @property
    def name(self) -> str:
        return name_of(self.opcode)


class Header(Record):
    version: tuple[int, int]
    generator: int
    bound: int
    big_endian: bool


def is_spirv(data: bytes) -> bool:
    """Whether bytes begin with the magic number of SPIR-V, in either byte order."""
    return data[:4] in (MAGIC.to_bytes(4, "little"), MAGIC.to_bytes(4, "big"))


def read_instructions(data: bytes) -> tuple[Header, list[Instruction]]:
    """The header and all instructions of a module. Raises Malformed."""
    if not is_spirv(data):
        raise Malformed("not a SPIR-V module: the first word is not 0x07230203")
    if len(data) % 4:
        raise Malformed(f"the file is cut off: {len(data)} bytes are not whole words", len(data) & ~3)
    if len(data) < 4 * _HEADER:
        raise Malformed(f"the file is cut off: expected a header of {_HEADER} words, found {len(data) // 4}")
    big = data[0] == 0x07
    order = "big" if big else "little"
    words = [int.from_bytes(data[at : at + 4], order) for at in range(0, len(data), 4)]
    major, minor = words[1] >> 16 & 0xFF, words[1] >> 8 & 0xFF
    if major != 1 or minor not in _VERSIONS:
        raise Malformed(f"unknown version {major}.{minor} of SPIR-V: expected 1.0 to 1.6", 4)
    if not 0 < words[3] <= _MOST_IDS:
        raise Malformed(f"the bound of ids is {words[3]}: expected 1 to {_MOST_IDS}", 12)
    header = Header((major, minor), words[2], words[3], big)
    instructions: list[Instruction] = []
    at = _HEADER
    while at < len(words):
        count, opcode = words[at] >> 16, words[at] & 0xFFFF
        if not count or at + count > len(words):
            raise Malformed(f"the length of {name_of(opcode)} is {count} words: {len(words) - at} are left in the file", 4 * at)
        instructions.append(_instruction(opcode, words[at + 1 : at + count], 4 * at, header.bound))
        at += count
    return header, instructions


def _instruction(opcode: int, words: list[int], offset: int, bound: int) -> Instruction:
    row = OPCODES.get(opcode)
    if row is None:
        return Instruction(opcode=opcode, type=0, result=0, words=tuple(words), offset=offset)
    results = row.typed + row.result
    if len(words) < results:
        raise Malformed(f"{name_of(opcode)} has too few words", offset)
    type_id = words[0] if row.typed else 0
    result = words[results - 1] if row.result else 0
    operands = tuple(words[results:])
    for number in words[:results]:
        if not 0 < number < bound:
            raise Malformed(f"id {number} of {name_of(opcode)} is outside of the module's bound of {bound}", offset)
    _check(row.operands, operands, opcode, offset, bound)
    if opcode == _SPEC_CONSTANT_OP and (inner := OPCODES.get(operands[0])) is not None:
        _check(inner.operands, operands[1:], operands[0], offset, bound)
    return Instruction(opcode=opcode, type=type_id, result=result, words=operands, offset=offset)


def _check(signature: str, words: tuple[int, ...], opcode: int, offset: int, bound: int) -> None:
    """Check the number of operands, and that ids are within the bound. Raises Malformed."""
    at = 0
    for position, letter in enumerate(signature):
        if letter in "?*":
            continue
        if letter == ".":
            return
        follows = signature[position + 1 : position + 2]
        while at < len(words):
            if letter == "s":
                at += len(string_words(words[at:]))
            else:
                if letter == "i" and not 0 < words[at] < bound:
                    raise Malformed(f"id {words[at]} of {name_of(opcode)} is outside of the module's bound of {bound}", offset)
                at += 1
            if follows != "*":
                break
        else:
            if follows not in ("?", "*"):
                raise Malformed(f"{name_of(opcode)} has too few operands", offset)
    if at < len(words):
        raise Malformed(f"{name_of(opcode)} has too many operands", offset)


def string_words(words: tuple[int, ...]) -> tuple[int, ...]:
    """The words of the string that begins here: up to the one with its zero byte."""
    for at, word in enumerate(words):
        if not word & 0xFF or not word & 0xFF00 or not word & 0xFF0000 or not word & 0xFF000000:
            return words[: at + 1]
    return words


def string(words: tuple[int, ...]) -> str:
    """The string that begins here: UTF-8, the first character in the lowest byte of a word."""
    data = b"".join([word.to_bytes(4, "little") for word in string_words(words)])
    return data.partition(b"\0")[0].decode("utf-8", "replace")
