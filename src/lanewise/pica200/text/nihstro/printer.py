"""Operations as nihstro text, as far as the language can express them.

Forms that only lanewise reads are followed by a comment (`OURS`).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Condition, Dest, Emission, Source, Target
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BOOLEAN,
    BREAK,
    CALL,
    COMPONENTS,
    CONDITIONAL,
    FLOAT,
    INTEGER,
    JUMP,
    LOOP,
    NUM_MAX,
    SETEMIT,
    register_name,
)
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.text.nihstro.syntax import COMPARISONS, NARROW, ONE_ORDER, SAYS, SCALAR, SPELLING, WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.pica200.isa.program import Operation, Uniform
    from lanewise.pica200.isa.table import Op

OURS = "// lanewise only"
_INDEX = ("", "a0", "a1", "lcnt")
_OPEN = {CONDITIONAL: "if", LOOP: "loop"}


def enabled(mask: int) -> tuple[int, ...]:
    """The slots that a write mask enables."""
    return tuple(slot for slot in range(4) if mask & (8 >> slot))


def parts_of(selector: int) -> tuple[int, int, int, int]:
    """The component of each slot."""
    return selector >> 6 & 3, selector >> 4 & 3, selector >> 2 & 3, selector & 3


def letters(parts: tuple[int, ...]) -> str:
    """`.zw`; nothing for all four components in order."""
    return "" if parts == (0, 1, 2, 3) else "." + "".join(COMPONENTS[part] for part in parts)


def condition_text(condition: Condition) -> str:
    x = "cc.x" if condition.x else "!cc.x"
    y = "cc.y" if condition.y else "!cc.y"
    return (f"{x} || {y}", f"{x} && {y}", x, y)[condition.combine]


class Names:
    """Names of registers in one source: declared names if any, otherwise numbers."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.arrays: dict[int, tuple[str, int, int]] = {}  # register: (name, offset in it, its size)
        self.written: dict[int, tuple[str, int]] = {}  # output: (name, the components that the name has)

    def unused(self, name: str) -> str:
        """Reserve an unused name, derived from `name`."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def declare(self, name: str, uniform: Uniform) -> None:
        self.taken.add(name)
        for offset in range(uniform.size):
            self.arrays.setdefault(uniform.first + offset, (name, offset, uniform.size))

    def source(self, register: int, relative: int = 0) -> str:
        name, offset, size = self.arrays.get(register, (register_name(register), 0, 1))
        if relative:
            return f"{name}[{_INDEX[relative]}{f'+{offset}' if offset else ''}]"
        return f"{name}[{offset}]" if size > 1 else name

    def dest(self, register: int, mask: int) -> str:
        """A destination with its write mask.

        A name with some of the components is used only if it has all components of the mask.
        """
        name, has = self.written.get(register, ("", 0))
        if not name or mask & ~has:
            return register_name(register, written=True) + letters(enabled(mask))
        return name if mask == has else name + letters(enabled(mask))


class Printer:
    """Printer of operations of one source.

    `label(address)` is the name of a place, or empty; `until(address)` that of a place where calls return.
    """

    names: Names
    label: Callable[[int], str]
    until: Callable[[int], str]

    def __init__(self, names: Names, label: Callable[[int], str], until: Callable[[int], str]) -> None:
        self.names, self.label, self.until = names, label, until

    def operation(self, operation: Operation, *, block: bool = False) -> str:
        """The text of an operation, or empty if the language cannot express it.

        `block`: it opens a block that is written.
        """
        op, operands = operation.op, operation.operands
        if op.name not in SAYS:
            return ""
        if op.kind == ARITHMETIC:
            return self.arithmetic(operation) if _sayable(operation) else ""
        if op.kind in _OPEN:
            return f"{_OPEN[op.kind]} {self.test(operands[0], op)}" if block and opens(operation) else ""
        if op.kind == BREAK:
            return f"breakc {self.test(operands[0], op)}" if operands else f"break {OURS}"
        if op.kind == JUMP:
            return self.jump(operation)
        if op.kind == CALL:
            return self.call(operation)
        return self.setemit(operands[0]) if op.kind == SETEMIT else op.name

    # Instructions with sources

    def arithmetic(self, operation: Operation) -> str:
        op = operation.op
        name = SPELLING.get(op.name, op.name)
        sources = [operand for operand in operation.operands if isinstance(operand, Source)]
        if "cmp" in op.operands:
            x, y = (COMPARISONS[operand] for operand in operation.operands if isinstance(operand, int))
            first, second = (self.source(source, (0, 1)) for source in sources)
            return f"cmp {first}, {second}, {x}, {y}"
        dest = operation.operands[0]
        mask = dest.mask if isinstance(dest, Dest) else 0
        if "adr" in op.operands:
            text = self.source(sources[0], enabled(mask))
            return f"mova {text}" if mask == 12 else f"mova a0{letters(enabled(mask))}, {text} {OURS}"
        ours = ""
        slots = printed_slots(op, mask)
        if op.name in WHOLE and mask != 0xF:
            if all(_rest_is_x(source, mask) for source in sources):
                slots = (enabled(mask),) * len(sources)
            else:
                ours = f" {OURS}"
        texts = [self.source(source, place) for source, place in zip(sources, slots, strict=True)]
        register = dest.register if isinstance(dest, Dest) else 0
        if op.name in ONE_ORDER or (op.name in NARROW and _is_wide(sources[1])):
            ours = f" {OURS}"
        return f"{name} {self.names.dest(register, mask)}, {', '.join(texts)}{ours}"

    def source(self, source: Source, slots: tuple[int, ...]) -> str:
        parts = parts_of(source.selector)
        sign = "-" if source.negate else ""
        return f"{sign}{self.names.source(source.register, source.relative)}{letters(tuple([parts[slot] for slot in slots]))}"

    # Flow

    def test(self, operand: object, op: Op) -> str:
        if isinstance(operand, Condition):
            return condition_text(operand)
        number = operand if isinstance(operand, int) else 0
        return self.names.source(number + (INTEGER if op.kind == LOOP else BOOLEAN))

    def jump(self, operation: Operation) -> str:
        test, target = operation.operands
        name = self.label(target.address) if isinstance(target, Target) else ""
        if not name:
            return ""
        inverted = "bool" in operation.op.operands and isinstance(target, Target) and target.num & 1
        return f"jmp {name} if {'!' if inverted else ''}{self.test(test, operation.op)}" + (f" {OURS}" if inverted else "")

    def call(self, operation: Operation) -> str:
        *tests, target = operation.operands
        if not isinstance(target, Target) or not 0 < target.num <= NUM_MAX:
            return ""
        start, end = self.label(target.address), self.until(target.address + target.num)
        if not start or not end:
            return ""
        condition = f" if {self.test(tests[0], operation.op)}" if tests else ""
        return f"call {start} until {end}{condition}"

    def setemit(self, operand: object) -> str:
        if not isinstance(operand, Emission):
            return ""
        flags = [word for word, on in (("prim", operand.primitive), ("inv", operand.invert)) if on]
        return ", ".join((f"setemitraw {operand.vertex}", *flags))


def _is_wide(source: Source) -> bool:
    """Whether only the source with seven bits and the index register can hold it."""
    return source.register >= FLOAT or source.relative > 0


def _rest_is_x(source: Source, mask: int) -> bool:
    """Whether the slots outside a mask select x, so that the short form is equivalent."""
    return all(part == 0 for slot, part in enumerate(parts_of(source.selector)) if not mask & (8 >> slot))


def opens(operation: Operation) -> bool:
    """Whether an instruction can be written as the start of a block."""
    target = operation.operands[-1] if operation.operands else None
    if not isinstance(target, Target):
        return False
    if operation.op.kind == LOOP:
        register = operation.operands[0]
        return isinstance(register, int) and register < 4  # there is no other integer uniform
    return target.num <= NUM_MAX


def _sayable(operation: Operation) -> bool:
    """Whether the language can express the operands: it refuses those that the hardware cannot read, or ignores."""
    op = operation.op
    sources = [operand for operand in operation.operands if isinstance(operand, Source)]
    if sources_fault(op, sources) is not None or any(source.relative and source.register < FLOAT for source in sources):
        return False
    dest = operation.operands[0]
    if isinstance(dest, Dest) and (not dest.mask or ("adr" in op.operands and dest.mask not in (4, 8, 12))):
        return False
    return all(operand < len(COMPARISONS) for operand in operation.operands if isinstance(operand, int))


def printed_slots(op: Op, mask: int) -> tuple[tuple[int, ...], ...]:
    """The slots of each source whose components the text names, under a write mask."""
    if op.widths:
        return tuple([tuple(range(width)) for width in op.widths])
    if op.name in SCALAR:
        return ((0,) * mask.bit_count(),)
    return ((0, 1, 2, 3) if op.name in WHOLE else enabled(mask),) * op.source_count


def named_places(labels: Mapping[str, int]) -> dict[int, list[str]]:
    """The names of each address, in order."""
    places: dict[int, list[str]] = {}
    for name, address in labels.items():
        places.setdefault(address, []).append(name)
    return places
