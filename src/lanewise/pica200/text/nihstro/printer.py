"""Operations as nihstro text, and whether the language can say them at all.

What only lanewise reads is said with a comment behind it (`OURS`).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Condition, Dest, Emission, Source, Target
from lanewise.pica200.isa.table import BOOLEAN, COMPONENTS, FLOAT, INTEGER, NUM_MAX, UNKNOWN, register_name
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.text.nihstro.syntax import COMPARISONS, SPELLING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.pica200.isa.program import Operation, Uniform

OURS = "// lanewise only"
_INDEX = ("", "a0", "a1", "lcnt")
_FIRST = frozenset(("ex2", "lg2", "rcp", "rsq"))
_OPEN = {"ifc": "if", "ifu": "if", "for": "loop"}
JUMPS = ("jmpc", "jmpu")
CALLS = ("call", "callc", "callu")


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
    """What registers are called in one source: declared names where there are some, numbers otherwise."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.arrays: dict[int, tuple[str, int, int]] = {}  # register: (name, offset in it, its size)
        self.written: dict[int, tuple[str, int]] = {}  # output: (name, the components that the name has)

    def unused(self, name: str) -> str:
        """A name that nothing has yet; it is taken now."""
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
        """A destination with its write mask. A name that has some of the components goes only as far as they do."""
        name, has = self.written.get(register, ("", 0))
        if not name or mask & ~has:
            return register_name(register, written=True) + letters(enabled(mask))
        return name if mask == has else name + letters(enabled(mask))


class Printer:
    """Prints operations of one source.

    `label(address)` is the name of a place, or nothing where there is none; `until(address)` that of a place where calls return.
    """

    def __init__(self, names: Names, label: Callable[[int], str], until: Callable[[int], str]) -> None:
        self.names, self.label, self.until = names, label, until

    def operation(self, operation: Operation, *, block: bool = False) -> str:
        """The text of an operation, or nothing where the language cannot say it. `block`: it opens a block that is written."""
        op, operands = operation.op, operation.operands
        name = op.name
        if op is UNKNOWN:
            return ""
        if "src" in op.operands:
            return self.arithmetic(operation) if _sayable(operation) else ""
        if name in _OPEN:
            return f"{_OPEN[name]} {self.test(operands[0], name)}" if block and opens(operation) else ""
        if name == "breakc":
            return f"breakc {self.test(operands[0], name)}" if _tests(operands[0], name) else ""
        if name in JUMPS:
            return self.jump(operation)
        if name in CALLS:
            return self.call(operation)
        if name == "setemit":
            return self.setemit(operands[0])
        return f"break {OURS}" if name == "break" else name

    # Instructions with sources

    def arithmetic(self, operation: Operation) -> str:
        op = operation.op
        name = SPELLING.get(op.name, op.name)
        sources = [operand for operand in operation.operands if isinstance(operand, Source)]
        if op.name == "cmp":
            x, y = (COMPARISONS[operand] for operand in operation.operands if isinstance(operand, int))
            first, second = (self.source(source, (0, 1)) for source in sources)
            return f"cmp {first}, {second}, {x}, {y}"
        dest = operation.operands[0]
        mask = dest.mask if isinstance(dest, Dest) else 0
        if op.name == "mova":
            text = self.source(sources[0], enabled(mask))
            return f"mova {text}" if mask == 12 else f"mova a0{letters(enabled(mask))}, {text} {OURS}"
        ours = ""
        slots = live_slots(operation)
        if op.name in _FIRST:
            slots = ((0,) * mask.bit_count(),)
        elif op.name in ("dst", "litp") and mask != 0xF:
            if all(_rest_is_x(source, mask) for source in sources):
                slots = (enabled(mask),) * len(sources)
            else:
                ours = f" {OURS}"
        texts = [self.source(source, place) for source, place in zip(sources, slots, strict=True)]
        register = dest.register if isinstance(dest, Dest) else 0
        return f"{name} {self.names.dest(register, mask)}, {', '.join(texts)}{ours}"

    def source(self, source: Source, slots: tuple[int, ...]) -> str:
        parts = parts_of(source.selector)
        sign = "-" if source.negate else ""
        return f"{sign}{self.names.source(source.register, source.relative)}{letters(tuple([parts[slot] for slot in slots]))}"

    # Flow

    def test(self, operand: object, name: str) -> str:
        if isinstance(operand, Condition):
            return condition_text(operand)
        number = operand if isinstance(operand, int) else 0
        return self.names.source(number + (INTEGER if name == "for" else BOOLEAN))

    def jump(self, operation: Operation) -> str:
        test, target = operation.operands
        name = self.label(target.address) if isinstance(target, Target) else ""
        if not name or not _tests(test, operation.op.name):
            return ""
        inverted = operation.op.name == "jmpu" and isinstance(target, Target) and target.num & 1
        return f"jmp {name} if {'!' if inverted else ''}{self.test(test, operation.op.name)}" + (f" {OURS}" if inverted else "")

    def call(self, operation: Operation) -> str:
        *tests, target = operation.operands
        if not isinstance(target, Target) or not 0 < target.num <= NUM_MAX:
            return ""
        start, end = self.label(target.address), self.until(target.address + target.num)
        if not start or not end:
            return ""
        condition = f" if {self.test(tests[0], operation.op.name)}" if tests else ""
        return f"call {start} until {end}{condition}"

    def setemit(self, operand: object) -> str:
        if not isinstance(operand, Emission):
            return ""
        flags = [word for word, on in (("prim", operand.primitive), ("inv", operand.invert)) if on]
        return ", ".join((f"setemitraw {operand.vertex}", *flags))


def _rest_is_x(source: Source, mask: int) -> bool:
    """Whether the slots that a mask leaves out select x, so that the short form says the same."""
    return all(part == 0 for slot, part in enumerate(parts_of(source.selector)) if not mask & (8 >> slot))


def _tests(operand: object, name: str) -> bool:
    """Whether a condition can be said: any of the flags, or a boolean or integer uniform that exists."""
    return isinstance(operand, Condition) or (isinstance(operand, int) and (name != "for" or operand < 4))


def opens(operation: Operation) -> bool:
    """Whether an instruction can be written as the beginning of a block."""
    target = operation.operands[-1] if operation.operands else None
    fits = isinstance(target, Target) and (operation.op.name == "for" or target.num <= NUM_MAX)
    return fits and _tests(operation.operands[0], operation.op.name)


def _sayable(operation: Operation) -> bool:
    """Whether the language has operands like these: it refuses what the hardware does not forgive or ignores."""
    op = operation.op
    sources = [operand for operand in operation.operands if isinstance(operand, Source)]
    if sources_fault(op, sources) is not None or any(source.relative and source.register < FLOAT for source in sources):
        return False
    dest = operation.operands[0]
    if isinstance(dest, Dest) and (not dest.mask or (op.name == "mova" and dest.mask not in (4, 8, 12))):
        return False
    return all(operand < len(COMPARISONS) for operand in operation.operands if isinstance(operand, int))


def live_slots(operation: Operation) -> tuple[tuple[int, ...], ...]:
    """The slots of each source that an instruction looks at. Source: 3dbrew; dst and litp count as looking at all."""
    name = operation.op.name
    dest = operation.operands[0]
    mask = dest.mask if isinstance(dest, Dest) else 0
    count = operation.op.source_count
    fixed = {"dp3": ((0, 1, 2),) * 2, "dph": ((0, 1, 2), (0, 1, 2, 3)), "cmp": ((0, 1),) * 2}
    if name in fixed:
        return fixed[name]
    if name in ("dp4", "dst", "litp"):
        return ((0, 1, 2, 3),) * count
    return ((0,),) if name in _FIRST else (enabled(mask),) * count


def normal(operation: Operation) -> Operation:
    """An operation without what has no meaning: slots nobody looks at, unused flag values, NUM of a jump or loop, number, place.

    Two programs whose operations are equal so compute the same.
    """
    operands = list(operation.operands)
    slots = iter(live_slots(operation) if "src" in operation.op.operands else ())
    for i, operand in enumerate(operands):
        if isinstance(operand, Source):
            live = next(slots)
            parts = parts_of(operand.selector)
            operands[i] = operand._replace(selector=sum(parts[slot] << (6 - 2 * slot) for slot in live))
        elif isinstance(operand, Condition) and operand.combine > 1:
            x, y = (operand.x, 1) if operand.combine == 2 else (1, operand.y)
            operands[i] = Condition(operand.combine, x, y)
        elif isinstance(operand, Target) and operation.op.name in (*JUMPS, "for"):
            operands[i] = Target(operand.address, operand.num & (operation.op.name == "jmpu"))
    return operation._replace(operands=tuple(operands), descriptor=-1, span=None)


def named_places(labels: Mapping[str, int]) -> dict[int, list[str]]:
    """The names of each address, in order."""
    places: dict[int, list[str]] = {}
    for name, address in labels.items():
        places.setdefault(address, []).append(name)
    return places
