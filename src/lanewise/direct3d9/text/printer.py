"""Direct3D 9 shaders as text that assembles to the same words.

A line is its instruction's name and its operands, each of which is read without regard to the others. So a line is read back
and compared unless its name and all its operands have been read back in other lines; instructions that differ become `.dword`.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.numbers import float32_text
from lanewise.direct3d9.isa.operands import BOOLEAN, FLOAT, INTEGER
from lanewise.direct3d9.isa.program import Comment, Inst, Source, Unknown
from lanewise.direct3d9.isa.table import (
    ADDR,
    ALL,
    BY_TOKEN,
    CLOSES,
    COMMENT,
    COMPARED,
    COMPONENTS,
    DECLARATION,
    END,
    EQ,
    GE,
    GT,
    INPUT,
    LE,
    LOOP,
    LT,
    MISC,
    NE,
    OPENS,
    OUTPUT,
    PIXEL,
    SAMPLER,
    SAMPLER_TYPES,
    SPLITS,
    USAGES,
    VERTEX,
    constant_base,
    exists,
    register_name,
)
from lanewise.direct3d9.text.names import MODIFIERS, RESULTS, SHIFTS, mnemonic_of
from lanewise.direct3d9.text.reader import read_line

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from typing import TypeVar

    from lanewise.direct3d9.isa.program import Dest, Item, Shader
    from lanewise.direct3d9.isa.table import Op, Version

    _Key = TypeVar("_Key", bound=Hashable)

INDENT = "    "
_SIGNS = {GT: ">", EQ: "==", GE: ">=", LT: "<", NE: "!=", LE: "<="}
_SHIFT_NAMES = {value: f"_{name}" for name, value in SHIFTS.items()} | {0: ""}
_MOST_KEPT = 1 << 15  # texts of one kind
_A_LINE = 8  # words of a .dword or .comment in a line


class Names:
    """The names of registers. `symbols` has names of ranges: (file, first number) to (name, count).

    The texts of operands are kept: there are few different ones in a program.
    """

    def __init__(self, version: Version, symbols: Mapping[tuple[int, int], tuple[str, int]] | None = None) -> None:
        self.version = version
        self._symbols = symbols or {}
        self._starts = sorted(self._symbols)
        self._sources: dict[Source, str | None] = {}
        self._dests: dict[Dest, str | None] = {}
        self._heads: dict[tuple[str, int, int], str | None] = {}

    def register(self, file: int, number: int) -> str | None:
        """The name of a register, in brackets where it is one of several; None for one that has no name."""
        at = bisect_right(self._starts, (file, number)) - 1
        if at >= 0 and self._starts[at][0] == file:
            first = self._starts[at][1]
            name, count = self._symbols[file, first]
            if number < first + count:
                return f"{name}[{number - first}]" if number > first else name
        return register_name(self.version, file, number)

    def source(self, source: Source) -> str | None:
        """`source_text`, kept."""
        try:
            return self._sources[source]
        except KeyError:
            return _kept(self._sources, source, _source_text(source, self))

    def dest(self, dest: Dest) -> str | None:
        """`dest_text`, kept."""
        try:
            return self._dests[dest]
        except KeyError:
            return _kept(self._dests, dest, _dest_text(dest, self))

    def head(self, op: Op, control: int, dest: Dest | None) -> str | None:
        """The name of an instruction with the endings of its result, kept; None where one of them has no name."""
        key = op.name, control, -1 if dest is None else dest.word >> 20 & 0xFF
        try:
            return self._heads[key]
        except KeyError:
            name = mnemonic_of(op, control, self.version)
            ending = _endings(dest) if dest is not None else ""
            return _kept(self._heads, key, None if name is None or ending is None else name + ending)


def _kept(texts: dict[_Key, str | None], key: _Key, text: str | None) -> str | None:
    """The text, which is kept with others, but not without end."""
    if len(texts) >= _MOST_KEPT:
        texts.clear()
    texts[key] = text
    return text


@lru_cache(maxsize=32)
def plain_names(version: Version) -> Names:
    """The names of registers without symbols, with the texts of all operands that were shown before."""
    return Names(version)


class _ReadBack:
    """The names of instructions, with result modifiers, and the operands of a version that were read back as they are."""

    def __init__(self) -> None:
        self._heads: set[tuple[int, ...]] = set()
        self._dests: set[Dest] = set()
        self._sources: set[Source] = set()
        self._predicates: set[Source] = set()
        self._payloads: set[tuple[int, ...]] = set()

    def has(self, inst: Inst) -> bool:
        """Whether all parts of an instruction were read back."""
        return (
            _head(inst) in self._heads
            and (inst.dest is None or inst.dest in self._dests)
            and self._sources.issuperset(inst.sources)
            and (inst.predicate is None or inst.predicate in self._predicates)
            and (not inst.payload or (inst.op.opcode, *inst.payload) in self._payloads)
        )

    def add(self, inst: Inst) -> None:
        """Note that the line of an instruction was read back."""
        if max(len(self._sources), len(self._payloads), len(self._heads), len(self._dests)) >= _MOST_KEPT:
            self.__init__()
        self._heads.add(_head(inst))
        if inst.dest is not None:
            self._dests.add(inst.dest)
        self._sources.update(inst.sources)
        if inst.predicate is not None:
            self._predicates.add(inst.predicate)
        if inst.payload:
            self._payloads.add((inst.op.opcode, *inst.payload))


def _head(inst: Inst) -> tuple[int, ...]:
    """The words of an instruction that its name gives, and how many words of each kind there are besides; the usage of a
    declaration."""
    dest = inst.dest
    relative = 0 if dest is None or dest.relative is None else 1
    for source in inst.sources:
        relative += source.relative is not None
    if inst.op.role == DECLARATION:
        return inst.op.opcode, inst.token, relative, *inst.payload, -1 if dest is None else dest.word
    return (
        inst.op.opcode,
        inst.token,
        relative,
        len(inst.sources),
        len(inst.payload),
        -1 if dest is None else dest.word >> 20 & 0xFF,
        inst.predicate is not None,
    )


@lru_cache(maxsize=32)
def _read_back(version: Version) -> _ReadBack:
    return _ReadBack()


class Printed(Record):
    """The source of a shader. `verified`: all of it was read back, line by line, and gives the words of the shader."""

    text: str
    verified: bool


def print_shader(
    shader: Shader,
    symbols: Mapping[tuple[int, int], tuple[str, int]] | None = None,
    describe: Callable[[Comment], Sequence[str]] | None = None,
) -> str:
    """The source of a shader. `symbols` names ranges of registers, `describe` gives the contents of a comment as lines of
    text."""
    return printed(shader, symbols, describe).text


def printed(
    shader: Shader,
    symbols: Mapping[tuple[int, int], tuple[str, int]] | None = None,
    describe: Callable[[Comment], Sequence[str]] | None = None,
) -> Printed:
    """The source as `print_shader` gives it, and whether it was verified; with symbols, and with words for instructions, it was
    not."""
    version = shader.version
    plain = plain_names(version)
    names = Names(version, symbols) if symbols else plain
    verified = not symbols and version.token in BY_TOKEN and shader.end == END and not shader.tail and not shader.rest
    lines = [version_text(version)]
    for (file, first), (name, _) in (symbols or {}).items():
        lines.append(f"#define {name} {register_name(version, file, first)}")
    known = _read_back(version)
    depth = 1
    indent = INDENT
    unlike: dict[tuple[int, ...], str] = {}  # words of instructions that no line encodes
    for item in shader.items:
        if isinstance(item, Inst):
            part = item.op.part
            if part in (CLOSES, SPLITS):
                depth = max(1, depth - 1)
                indent = INDENT * min(depth, 16)
            text = instruction_text(item, plain)
            if text is None or not known.has(item):
                words = item.words
                if words in unlike or text is None or read_line(text, version) != words:
                    verified = False
                    text = unlike[words] = unlike.get(words) or _as_words(item, words, text, version)
                else:
                    known.add(item)
                    text = text if names is plain else instruction_text(item, names) or text
            elif names is not plain:
                text = instruction_text(item, names) or text
            lines.append(indent + text)
            if part in (OPENS, SPLITS):
                depth += 1
                indent = INDENT * min(depth, 16)
        else:
            verified = verified and _is_plain(item)
            if isinstance(item, Comment) and describe is not None:
                lines += [f"{INDENT}// {line}".rstrip() for line in describe(item)]
            lines += _words(item)
    if shader.end != END:
        lines.append(f"{INDENT}.end " + ("none" if shader.end is None else f"0x{shader.end:08X}"))
    elif shader.tail:
        lines.append(f"{INDENT}.end")
    lines += _rows(".dword", shader.tail)
    if shader.rest:
        lines.append(f"{INDENT}.byte {', '.join(f'0x{byte:02X}' for byte in shader.rest)}")
    return Printed("\n".join(lines) + "\n", verified)


def version_text(version: Version) -> str:
    """`vs_2_0`; the token of an undefined version."""
    return (
        version.name if version.token in BY_TOKEN else f".dword 0x{version.token:08X}  // {version.name}, which does not exist"
    )


def _as_words(inst: Inst, words: tuple[int, ...], text: str | None, version: Version) -> str:
    """The line of an instruction that has none, or whose line is that of other words."""
    return f".dword {', '.join(f'0x{word:08X}' for word in words)}  // {_reason(inst, text, version)}"


def _reason(inst: Inst, text: str | None, version: Version) -> str:
    """Why the words of an instruction are not a line of the language."""
    operands = [*inst.operands, *([inst.predicate] if inst.predicate is not None else [])]
    if text is not None and not all(exists(version, operand.file) for operand in operands):
        return f"{text}: a register that {version.name} does not have"
    return f"{inst.op.name}, with bits that no line sets"


def _is_plain(item: Item) -> bool:
    """Whether an item is a comment whose token says no more than how many words follow."""
    return isinstance(item, Comment) and item.token == COMMENT | len(item.data) << 16


def _words(item: Comment | Unknown) -> list[str]:
    if _is_plain(item):
        return _rows(".comment", item.data) if item.data else [f"{INDENT}.comment"]
    return _rows(".dword", item.words)


def _rows(directive: str, words: Sequence[int]) -> list[str]:
    """Words in lines of eight. A list continues in the next line after a comma."""
    texts = [f"0x{word:08X}" for word in words]
    rows = [", ".join(texts[n : n + _A_LINE]) for n in range(0, len(texts), _A_LINE)]
    lead = f"{INDENT}{directive} "
    return [(lead if n == 0 else " " * len(lead)) + row + ("," if n + 1 < len(rows) else "") for n, row in enumerate(rows)]


def instruction_text(inst: Inst, names: Names, number: Callable[[int], str] | None = None) -> str | None:
    """An instruction as text; None where something in it has no name. `number` writes the values of def."""
    op, dest = inst.op, inst.dest
    if op.role == DECLARATION:
        return _declaration(inst, names)
    name = names.head(op, inst.control, dest)
    if name is None:
        return None
    texts: list[str] = []
    if dest is not None:
        text = names.dest(dest)
        if text is None:
            return None
        texts.append(text)
    for source in inst.sources:
        text = names.source(source)
        if text is None:
            return None
        texts.append(text)
    if inst.payload:
        texts += _payload(inst, number or float32_text)
    if inst.predicate is not None:
        predicate = names.source(inst.predicate)
        if predicate is None:
            return None
        name = f"({predicate}) {name}"
    if inst.coissue:
        name = "+" + name
    return f"{name} {', '.join(texts)}" if texts else name


def condition_text(inst: Inst, names: Names) -> str | None:
    """The condition of an instruction of flow: `r0.x > c1.x`, `!b0`; None for a reserved comparison, which never holds."""
    texts = [source_text(source, names) or "?" for source in inst.sources]
    if inst.op.control != COMPARED:
        return texts[-1]
    sign = _SIGNS.get(inst.control & 7)
    return f"{texts[0]} {sign} {texts[1]}" if sign is not None else None


def _payload(inst: Inst, number: Callable[[int], str]) -> list[str]:
    if inst.op.dest == FLOAT:
        return [number(word) for word in inst.payload]
    if inst.op.dest == INTEGER:
        return [str(word - ((word & 0x80000000) << 1)) for word in inst.payload]
    if inst.op.dest == BOOLEAN:
        return ["true" if word == 1 else "false" if word == 0 else f"0x{word:08X}" for word in inst.payload]
    return []


def _endings(dest: Dest) -> str | None:
    """`_x2_sat` and so on; None for a modifier that has no name."""
    shift = _SHIFT_NAMES.get(dest.shift)
    if shift is None or dest.modifiers & 8:
        return None
    return shift + "".join(f"_{name}" for name, bit in RESULTS.items() if dest.modifiers & bit)


def _declaration(inst: Inst, names: Names) -> str | None:
    if inst.dest is None or not inst.payload:
        return None
    usage = inst.payload[0]
    ending = _endings(inst.dest)
    register = dest_text(inst.dest, names)
    if ending is None or register is None or usage >> 31 == 0:
        return None
    if inst.dest.file == SAMPLER:
        kind = usage >> 27 & 0xF
        name = "" if not kind else f"_{SAMPLER_TYPES[kind]}" if kind < len(SAMPLER_TYPES) else None
    else:
        name = _usage(inst.dest.file, usage & 0xF, usage >> 16 & 0xF, names.version)
    return None if name is None else f"dcl{name}{ending} {register}"


def _usage(file: int, usage: int, index: int, version: Version) -> str | None:
    """`_texcoord1`; nothing where registers are declared without a usage, and for a usage 0 there."""
    if usage >= len(USAGES):
        return None
    bare = version.kind == PIXEL and (file == MISC or version.major < 3)
    if bare and usage == index == 0:
        return ""
    return f"_{USAGES[usage]}{index or ''}"


def dest_text(dest: Dest, names: Names) -> str | None:
    """`r0.xy`, `o[a0.x+1]`."""
    return names.dest(dest)


def _dest_text(dest: Dest, names: Names) -> str | None:
    register = _register(dest, names)
    mask = dest.mask
    if register is None or not mask:
        return None
    return register + ("" if mask == ALL else "." + "".join(c for n, c in enumerate(COMPONENTS) if mask >> n & 1))


def source_text(source: Source, names: Names) -> str | None:
    """`-c[a0.x+4].w`; None for a modifier or register without a name."""
    return names.source(source)


def _source_text(source: Source, names: Names) -> str | None:
    register = _register(source, names)
    around = MODIFIERS.get(source.modifier)
    if register is None or around is None:
        return None
    if around[1] and register != register_name(names.version, source.file, source.number) and not register.endswith("]"):
        register += "[0]"  # so that the name and the modifier are two words
    return around[0] + register + around[1] + _swizzle(source.swizzle)


def _swizzle(parts: tuple[int, int, int, int]) -> str:
    """Nothing for .xyzw; the last letter once."""
    text = "".join(COMPONENTS[part] for part in parts)
    if text == COMPONENTS:
        return ""
    while len(text) > 1 and text[-1] == text[-2]:
        text = text[:-1]
    return "." + text


def _register(operand: Source | Dest, names: Names) -> str | None:
    """A register, with its address where that is relative."""
    name = names.register(operand.file, operand.number)
    if not operand.is_relative or name is None:
        return name
    version = names.version
    if operand.relative is None:
        address = "a0.x" if version.kind == VERTEX else None
    else:
        token = Source(operand.relative)
        if token.file == LOOP:
            address = "aL"
        elif token.file == ADDR and version.kind == VERTEX:
            address = f"a{token.number}.{COMPONENTS[token.swizzle[0]]}"
        else:
            address = None
    if address is None:
        return None
    plain = register_name(version, operand.file, operand.number)
    if name != plain:
        base, _, index = name.partition("[")
        return f"{base}[{address}{'+' + index[:-1] if index else ''}]"
    if operand.file not in (INPUT, OUTPUT) and constant_base(operand.file) == 0 and not name.startswith("c"):
        return None
    number = operand.number + constant_base(operand.file)
    return f"{name.rstrip('0123456789')}[{address}{f'+{number}' if number else ''}]"
