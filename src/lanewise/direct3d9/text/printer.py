"""Direct3D 9 shaders as text that assembles to the same words.

Every line is reassembled and compared; items that differ become `.dword`.
"""

from __future__ import annotations

from bisect import bisect_right

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.numbers import float32_text
from lanewise.direct3d9.isa.operands import BOOLEAN, FLOAT, INTEGER
from lanewise.direct3d9.isa.program import Comment, Inst, Source
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
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.direct3d9.isa.program import Dest, Item, Shader
    from lanewise.direct3d9.isa.table import Version

INDENT = "    "
_SIGNS = {GT: ">", EQ: "==", GE: ">=", LT: "<", NE: "!=", LE: "<="}
_A_LINE = 8  # words of a .dword or .comment in a line


class Names:
    """The names of registers. `symbols` has names of ranges: (file, first number) to (name, count)."""

    def __init__(self, version: Version, symbols: Mapping[tuple[int, int], tuple[str, int]] | None = None) -> None:
        self.version = version
        self._symbols = symbols or {}
        self._starts = sorted(self._symbols)

    def register(self, file: int, number: int) -> str | None:
        """The name of a register, in brackets where it is one of several; None for one that has no name."""
        at = bisect_right(self._starts, (file, number)) - 1
        if at >= 0 and self._starts[at][0] == file:
            first = self._starts[at][1]
            name, count = self._symbols[file, first]
            if number < first + count:
                return f"{name}[{number - first}]" if number > first else name
        return register_name(self.version, file, number)


def print_shader(
    shader: Shader, symbols: Mapping[tuple[int, int], tuple[str, int]] | None = None,
    describe: Callable[[Comment], Sequence[str]] | None = None,
) -> str:  # fmt: skip
    """The source of a shader. `symbols` names ranges of registers, `describe` gives the contents of a comment as lines of text."""
    version = shader.version
    names = Names(version, symbols)
    lines = [version_text(version)]
    for (file, first), (name, _) in (symbols or {}).items():
        lines.append(f"#define {name} {register_name(version, file, first)}")
    plain = Names(version)
    depth = 1
    known: dict[tuple[int, ...], str] = {}
    for item in shader.items:
        if isinstance(item, Inst):
            if item.op.part in (CLOSES, SPLITS):
                depth = max(1, depth - 1)
            words = item.words
            text = known.get(words)
            if text is None:
                text = known[words] = _checked(item, words, plain, names, version)
            lines.append(INDENT * min(depth, 16) + text)
            if item.op.part in (OPENS, SPLITS):
                depth += 1
        else:
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
    return "\n".join(lines) + "\n"


def version_text(version: Version) -> str:
    """`vs_2_0`; the token of an undefined version."""
    return (
        version.name if version.token in BY_TOKEN else f".dword 0x{version.token:08X}  // {version.name}, which does not exist"
    )


def _checked(inst: Inst, words: tuple[int, ...], plain: Names, names: Names, version: Version) -> str:
    """The line of an instruction, or its words if no line encodes them."""
    text = instruction_text(inst, plain)
    if text is None or read_line(text, version) != words:
        return f".dword {', '.join(f'0x{word:08X}' for word in words)}  // {_reason(inst, text, version)}"
    return (instruction_text(inst, names) or text) if names is not plain else text


def _reason(inst: Inst, text: str | None, version: Version) -> str:
    """Why the words of an instruction are not a line of the language."""
    operands = [*inst.operands, *([inst.predicate] if inst.predicate is not None else [])]
    if text is not None and not all(exists(version, operand.file) for operand in operands):
        return f"{text}: a register that {version.name} does not have"
    return f"{inst.op.name}, with bits that no line sets"


def _words(item: Item) -> list[str]:
    if isinstance(item, Comment) and item.token == COMMENT | len(item.data) << 16:
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
    if inst.op.role == DECLARATION:
        return _declaration(inst, names)
    name = mnemonic_of(inst.op, inst.control, names.version)
    if name is None:
        return None
    operands: list[str | None] = []
    if inst.dest is not None:
        ending = _endings(inst.dest)
        if ending is None:
            return None
        name += ending
        operands.append(dest_text(inst.dest, names))
    operands += [source_text(source, names) for source in inst.sources]
    operands += _payload(inst, number or float32_text)
    texts = [text for text in operands if text is not None]
    if len(texts) != len(operands):
        return None
    if inst.predicate is not None:
        predicate = source_text(inst.predicate, names)
        if predicate is None:
            return None
        name = f"({predicate}) {name}"
    return ("+" if inst.coissue else "") + f"{name} {', '.join(texts)}".strip()


def condition_text(inst: Inst, names: Names) -> str | None:
    """The condition of an instruction of flow: `r0.x > c1.x`, `!b0`; None for a reserved comparison, which never holds."""
    texts = [source_text(source, names) or "?" for source in inst.sources]
    if inst.op.control != COMPARED:
        return texts[-1]
    sign = _SIGNS.get(inst.control & 7)
    return f"{texts[0]} {sign} {texts[1]}" if sign is not None else None


def _payload(inst: Inst, number: Callable[[int], str]) -> list[str | None]:
    if inst.op.dest == FLOAT:
        return [number(word) for word in inst.payload]
    if inst.op.dest == INTEGER:
        return [str(word - ((word & 0x80000000) << 1)) for word in inst.payload]
    if inst.op.dest == BOOLEAN:
        return ["true" if word == 1 else "false" if word == 0 else f"0x{word:08X}" for word in inst.payload]
    return []


def _endings(dest: Dest) -> str | None:
    """`_x2_sat` and so on; None for a modifier that has no name."""
    shift = {value: f"_{name}" for name, value in SHIFTS.items()} | {0: ""}
    if dest.shift not in shift or dest.modifiers & 8:
        return None
    return shift[dest.shift] + "".join(f"_{name}" for name, bit in RESULTS.items() if dest.modifiers & bit)


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
    register = _register(dest, names)
    mask = dest.mask
    if register is None or not mask:
        return None
    return register + ("" if mask == ALL else "." + "".join(c for n, c in enumerate(COMPONENTS) if mask >> n & 1))


def source_text(source: Source, names: Names) -> str | None:
    """`-c[a0.x+4].w`; None for a modifier or register without a name."""
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
