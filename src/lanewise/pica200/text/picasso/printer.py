"""Operations as picasso text: operands, and whether the language can say them at all."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.codec import row_of
from lanewise.pica200.isa.encoder import arithmetic_word, flow_word, form
from lanewise.pica200.isa.program import Condition, Dest, Emission, Source, Target
from lanewise.pica200.isa.table import (
    BOOLEAN,
    CALL,
    COMPARISONS,
    FLOAT,
    IDENTITY,
    INDEX_NAMES,
    INTEGER,
    JUMP,
    LOOP,
    NUM_MAX,
    TEMPORARY,
    UNKNOWN,
    mask_text,
    register_name,
    selector_text,
)
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.text.picasso.syntax import MNEMONICS, takes_count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.pica200.isa.program import Operation, Uniform
    from lanewise.pica200.isa.table import Op

_ADDRESS_NAMES = {8: "a0.x", 4: "a0.y", 12: "a0.xy"}
_GEOMETRY_OUTPUTS = 7


def inverts(op: Op) -> bool:
    """Whether NUM bit 0 inverts the test, which is written `!` before the register: a jump on a boolean uniform."""
    return op.kind == JUMP and "bool" in op.operands


def swizzle(selector: int, reach: int = 0) -> str:
    """`.xy` for the selector xyyy, nothing for xyzw: the shortest text with the meaning.

    `reach`: so many components count, and a swizzle of several letters has one for each (V111, V114).
    """
    if selector == IDENTITY:
        return ""
    letters = selector_text(selector)
    short = letters.rstrip(letters[-1]) + letters[-1]
    return "." + (short if len(short) == 1 else letters[: max(len(short), reach)])


def reaches(op: Op, operands: Sequence[object]) -> tuple[int, ...]:
    """How many components of each operand count for the components that are written."""
    if op.widths:
        widths = iter(op.widths)
        return tuple([next(widths) if kind == "src" else 0 for kind in op.operands])
    to = operands[0] if operands else None
    partial = op.picasso_merge == "lane" and isinstance(to, Dest) and 0 < to.mask < 15
    reach = 4 - ((to.mask & -to.mask).bit_length() - 1) if partial and isinstance(to, Dest) else 0  # x is bit 3
    return tuple([reach if kind == "src" else 0 for kind in op.operands])


def write_mask(mask: int) -> str:
    return "" if mask == 0xF else "." + mask_text(mask)


def condition_text(condition: Condition) -> str:
    x = "cmp.x" if condition.x else "!cmp.x"
    y = "cmp.y" if condition.y else "!cmp.y"
    return (f"{x} || {y}", f"{x} && {y}", x, y)[condition.combine]


class Names:
    """Names of registers in one file: declared names if any, otherwise numbers.

    An indexed v or r register has an alias, as picasso does not accept an index on its number.
    """

    def __init__(self, *, geometry: bool = False) -> None:
        self.geometry = geometry
        self.arrays: dict[int, tuple[str, int, int]] = {}  # register -> (name, offset in the array, size of the array)
        self.written: dict[int, str] = {}
        self.taken: set[str] = set()
        self.aliases: dict[str, str] = {}  # register text -> alias to be declared before all other names

    def declare(self, name: str, uniform: Uniform) -> None:
        self.taken.add(name)
        for offset in range(uniform.size):
            self.arrays.setdefault(uniform.first + offset, (name, offset, uniform.size))

    def plain(self, number: int, *, written: bool = False) -> str:
        """A register by its number, or by an alias where a declared name hides it."""
        text = register_name(number, written=written)
        if text == "v15":
            text = "v14[1]"
        elif written and self.geometry and _GEOMETRY_OUTPUTS <= number < TEMPORARY:
            text = f"o6[{number - 6}]"
        return self.alias(text) if text.partition("[")[0] in self.taken else text

    def alias(self, text: str) -> str:
        if text not in self.aliases:
            name = f"reg_{text.replace('[', '_').rstrip(']')}"
            while name in self.taken:
                name += "_"
            self.aliases[text] = name
        return self.aliases[text]

    def source(self, source: Source, reach: int = 0) -> str:
        """The text of a source, of which so many components count."""
        sign = "-" if source.negate else ""
        index = INDEX_NAMES[source.relative]
        name, offset, size = self.arrays.get(source.register, ("", 0, 1))
        if not name:
            text = self.plain(source.register)
            if index and source.register < FLOAT:
                text = self.alias(text)
        elif size > 1 and not index:
            text = f"{name}[{offset}]"
        else:
            text = name
        if index:
            text += f"[{index}+{offset}]" if offset else f"[{index}]"
        return sign + text + swizzle(source.selector, reach)

    def dest(self, dest: Dest) -> str:
        text = self.written.get(dest.register) or self.plain(dest.register, written=True)
        return text + write_mask(dest.mask)

    def flag(self, number: int, base: int) -> str:
        """An i or b register by its number within its file."""
        name, offset, size = self.arrays.get(base + number, ("", 0, 1))
        if not name:
            return self.plain(base + number)
        return f"{name}[{offset}]" if size > 1 else name


class _RegisterNames(Names):
    """Registers only by number, for comments, without declarations."""

    def alias(self, text: str) -> str:
        return text


class Printer:
    """Printer of operations of one file.

    `call` and `jump` give the names of targets, or an empty text.
    """

    names: Names
    call: Callable[[Target], str]
    jump: Callable[[int], str]
    pinned: Mapping[int, int] | None
    plain: bool

    def __init__(
        self,
        names: Names,
        call: Callable[[Target], str],
        jump: Callable[[int], str],
        *,
        pinned: Mapping[int, int] | None = None,
        plain: bool = True,
    ) -> None:
        self.names, self.call, self.jump, self.pinned, self.plain = names, call, jump, pinned, plain

    def operation(self, operation: Operation, word: int, *, block: bool = False) -> str:
        """The text of an operation, or `.word` if the language cannot express this word."""
        text = self.expressible(operation, word, block=block)
        if text:
            return text
        meaning = self.describe(operation)
        return f".word {word:#010x}" + (f" ; {meaning}" if meaning else "")

    def describe(self, operation: Operation) -> str:
        """The operation for a reader, also where no source can say it."""
        if operation.op is UNKNOWN:
            return ""
        op, names = operation.op, _RegisterNames()
        reach = reaches(op, operation.operands)
        parts = [operand_text(names, *row) for row in zip(op.operands, operation.operands, reach, strict=True)]
        target = operation.operands[-1] if operation.operands else None
        if isinstance(target, Target) and not takes_count(op):
            parts[-1] = f"{target.address:#x}"  # NUM means nothing here, but for the inversion of a test
            parts[0] = "!" * (inverts(op) and target.num & 1) + parts[0]
        return f"{op.name} {', '.join(parts)}".strip()

    def expressible(self, operation: Operation, word: int, *, block: bool) -> str:
        op = operation.op
        if not sayable(operation, word, plain=self.plain):
            return ""
        kinds = op.operands[:-1] if block else op.operands
        reach = reaches(op, operation.operands)
        parts: list[str] = []
        for i, kind in enumerate(kinds):
            operand = operation.operands[i]
            if isinstance(operand, Target):
                text = self.target(op, operand)
                if not text:
                    return ""
                parts.append(text)
            elif kind == "bool" and inverts(op):
                target = operation.operands[-1]
                inverted = isinstance(target, Target) and target.num & 1
                parts.append("!" * inverted + operand_text(self.names, kind, operand))
            else:
                parts.append(operand_text(self.names, kind, operand, reach[i]))
        pin = f" @{operation.descriptor}" if self.pinned is not None and operation.descriptor >= 0 else ""
        return f"{op.name} {', '.join(parts)}{pin}".rstrip()

    def target(self, op: Op, target: Target) -> str:
        """A target by name, or by numbers (which only lanewise reads)."""
        if op.kind == JUMP:
            return self.jump(target.address) or f"{target.address:#x}"
        text = self.call(target) if op.kind == CALL else ""
        if text:
            return text
        if target.num > 0xFF:
            return ""
        return f"{target.address:#x}" if op.kind == LOOP else f"{target.address:#x}, {target.num}"


def operand_text(names: Names, kind: str, operand: object, reach: int = 0) -> str:
    """An operand of some kind, its registers by their names; `reach` components of a source count."""
    if isinstance(operand, Source):
        return names.source(operand, reach)
    if isinstance(operand, Dest):
        return _ADDRESS_NAMES.get(operand.mask, f"a0{write_mask(operand.mask)}") if kind == "adr" else names.dest(operand)
    if isinstance(operand, Condition):
        return condition_text(operand)
    if isinstance(operand, Target):
        return f"{operand.address:#x}, {operand.num}"
    if isinstance(operand, int) and kind in ("bool", "int"):
        return names.flag(operand, BOOLEAN if kind == "bool" else INTEGER)
    return COMPARISONS[operand] if isinstance(operand, int) and kind == "cmp" else str(operand)


def word_of(operation: Operation) -> int:
    """The encoded word of an operation whose descriptor number n is known.

    The operation has n, or -1 - n if the number need not be written.
    """
    op = operation.op
    if "src" not in op.operands:
        return flow_word(operation)
    number = operation.descriptor
    return arithmetic_word(operation) | (number if number >= 0 else -1 - number)


def sayable(operation: Operation, word: int, *, plain: bool) -> bool:
    """Whether the language has a spelling for this word.

    Forms that picasso writes although hardware ignores them count only if `plain`.
    """
    op = operation.op
    if op.name not in MNEMONICS or word_of(operation) != word:
        return False
    if not all(_has_spelling(kind, operand, plain) for kind, operand in zip(op.operands, operation.operands, strict=True)):
        return False
    target = operation.operands[-1] if operation.operands else None
    if isinstance(target, Target) and target.num > _highest_num(op, plain):
        return False
    sources = [operand for operand in operation.operands if isinstance(operand, Source)]
    return not sources or (sources_fault(op, sources) is None and form(op, sources) is row_of(word))


def _highest_num(op: Op, plain: bool) -> int:
    """The largest NUM that the text of an instruction with a target can express."""
    if takes_count(op):
        return 0x3FF if plain else NUM_MAX
    return int(inverts(op))


def _has_spelling(kind: str, operand: object, plain: bool) -> bool:
    if isinstance(operand, Source):
        return plain or not operand.relative or operand.register >= FLOAT
    if isinstance(operand, Dest):
        return operand.mask in _ADDRESS_NAMES if kind == "adr" else operand.mask != 0
    if isinstance(operand, Emission):
        return operand.vertex < 3
    if isinstance(operand, Condition):
        return not ((operand.combine == 2 and not operand.y) or (operand.combine == 3 and not operand.x))
    if isinstance(operand, int):
        return operand < {"cmp": 6, "int": 8 if plain else 4, "bool": 16}[kind]
    return True
