"""Instructions before they have registers: components of temporaries are cells, which later share the 16 registers of four.

A source is a tuple of `Part`s, one for each lane that the instruction reads. What must be in one register is not yet: `fit` and
`allocate` see to it.
"""

from __future__ import annotations

from lanewise.core.numbers.floats import MAGNITUDE, SIGN, float24_from_float, float_from_float24
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.table import BY_NAME, FLOAT, TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.pica200.isa.program import Condition

# Instructions that compute each lane of the result from the same lane of the sources, and those that compute it from the first.
LANES = frozenset(name for name, op in BY_NAME.items() if op.picasso_merge == "lane")
FIRST = frozenset(name for name, op in BY_NAME.items() if op.picasso_merge == "first")

# What is in a list of instructions beside them.
ELSE, END_IF, END_FOR, LABEL = ".else", ".end if", ".end for", ".label"
CONDITIONALS, JUMPS = ("ifc", "ifu"), ("jmpc", "jmpu")
BLOCKS = (*CONDITIONALS, "for")
WIDTH = 4  # components of a register
INDEX_AL = 3
BOTH = 3  # a `mova` that sets a0.x and a0.y


class Known(Record):
    """A float24 word, which will be a component of a constant register."""

    word: int

    @property
    def turned(self) -> Known:
        """With the other sign; 0 has none."""
        return Known(self.word ^ SIGN) if self.word & MAGNITUDE else self

    @property
    def value(self) -> float:
        return float_from_float24(self.word)


class Fixed(Record):
    """A component of an input or a uniform, numbered as in `isa.table`.

    `offset` is the number that is added to the register's, `held` the index register that holds it: 0 until one does.
    """

    register: int
    component: int
    offset: Part | None = None
    held: int = 0

    @property
    def wide(self) -> bool:
        return self.register >= FLOAT or self.offset is not None or self.held > 0


class Part(Record):
    """A lane of a source: the number of a cell, a component of an input or uniform, or a known number; and whether its sign is
    turned."""

    what: int | Fixed | Known
    negated: bool = False

    @property
    def turned(self) -> Part:
        return Part(self.what, not self.negated)

    @property
    def copied(self) -> int:
        """The cell that a copy of the lane takes unchanged, or -1."""
        return self.what if isinstance(self.what, int) and not self.negated else -1


def known(value: float) -> Part:
    """A known number."""
    return Part(Known(float24_from_float(value)))


ZERO, ONE = Known(0), Known(float24_from_float(1.0))

Source = tuple[Part, ...]
# What the lanes of one source must have in common: the register with its index, or what is free until registers are chosen; and
# the sign.
Bank = tuple[object, ...]


def bank(part: Part) -> Bank:
    """Return a key that lanes of one source must have in common, before cells have registers."""
    match part.what:
        case int():
            return "cell", part.negated
        case Known():
            return ("known",)
        case Fixed(register, _, offset, held):
            return register, offset, held, part.negated


def is_wide(source: Source) -> bool:
    """Whether a source is a uniform, a constant or indexed."""
    what = source[0].what
    return isinstance(what, Known) or (isinstance(what, Fixed) and what.wide)


def input_of(source: Source) -> int:
    """The number of the input that a source reads, or -1."""
    what = source[0].what
    return what.register if isinstance(what, Fixed) and what.register < TEMPORARY else -1


class Inst:
    """An instruction, or one of the marks above.

    `condition` is a test of flags, `number` a boolean or integer register (for `jmpu` with `inverted`), `label` a target,
    `compare` the operators of `cmp`. A `pinned` copy is one that sources need, a pinned jump one that is always taken. `origin`
    is the number that the instruction had before registers were allocated; -2 - n for a copy that instruction n needs, -1 for
    none.
    """

    __slots__ = ("compare", "condition", "dst", "inverted", "label", "line", "number", "op", "origin", "pinned", "sources")

    compare: tuple[int, int]
    condition: Condition | None
    dst: tuple[int, ...]
    inverted: bool
    label: str
    line: int
    number: int
    op: str
    origin: int
    pinned: bool
    sources: list[Source]

    def __init__(
        self,
        op: str,
        dst: tuple[int, ...] = (),
        sources: tuple[Source, ...] = (),
        line: int = -1,
        *,
        condition: Condition | None = None,
        number: int = -1,
        inverted: bool = False,
        label: str = "",
        compare: tuple[int, int] = (0, 0),
        pinned: bool = False,
    ) -> None:
        self.op, self.dst, self.sources, self.line = op, dst, list(sources), line
        self.condition, self.number, self.inverted, self.label, self.compare = condition, number, inverted, label, compare
        self.pinned = pinned
        self.origin = -1

    def parts(self) -> Iterator[Part]:
        """The parts of all sources, and the offsets of those that have one without an index register."""
        for source in self.sources:
            for part in source:
                yield part
                if isinstance(part.what, Fixed) and part.what.offset is not None and not part.what.held:
                    yield part.what.offset

    def cells(self) -> set[int]:
        """The cells that it reads."""
        return {part.what for part in self.parts() if isinstance(part.what, int)}

    def reads(self) -> list[int]:
        """The cells that it reads, those of index registers too."""
        found: list[int] = []
        for source in self.sources:
            for part in source:
                what = part.what
                if isinstance(what, int):
                    found.append(what)
                elif isinstance(what, Fixed):
                    if 0 < what.held < INDEX_AL:
                        found.append(what.held - 1)
                    elif what.offset is not None and not what.held and isinstance(what.offset.what, int):
                        found.append(what.offset.what)
        return found

    def indices(self) -> set[int]:
        """The index registers that it reads, as the cells 0 and 1."""
        return {
            p.what.held - 1
            for source in self.sources
            for p in source
            if isinstance(p.what, Fixed) and 0 < p.what.held < INDEX_AL
        }

    def sets(self) -> tuple[int, ...]:
        """The index registers that it sets, as the cells 0 and 1."""
        return ((0, 1) if self.number == BOTH else (self.number - 1,)) if self.op == "mova" else ()

    def __repr__(self) -> str:
        return f"{self.op} {self.dst} {self.sources} {self.label}{self.number if self.number >= 0 else ''}"


def successors(insts: list[Inst], always: int) -> list[tuple[int, ...]]:
    """The numbers of the instructions that may come after each one; `always` is the boolean that is true."""
    places = {inst.label: n for n, inst in enumerate(insts) if inst.op == LABEL}
    found: list[tuple[int, ...]] = [(n + 1,) for n in range(len(insts))]
    opened: list[int] = []
    breaks: list[list[int]] = []
    for n, inst in enumerate(insts):
        kind = inst.op
        if kind in CONDITIONALS:
            opened.append(n)
        elif kind == ELSE:
            found[opened[-1]] = (opened[-1] + 1, n + 1)
            opened[-1] = n
        elif kind == END_IF:
            start = opened.pop()
            found[start] = (n,) if insts[start].op == ELSE else (start + 1, n)
        elif kind == "for":
            opened.append(n)
            breaks.append([])
        elif kind == END_FOR:
            found[n] = (n + 1, opened.pop() + 1)
            for place in breaks.pop():
                found[place] = (n + 1,) if insts[place].op == "break" else (place + 1, n + 1)
        elif kind in ("break", "breakc"):
            breaks[-1].append(n)
        elif kind == "jmpc":
            found[n] = (n + 1, places[inst.label])
        elif kind == "jmpu":
            found[n] = (places[inst.label],) if inst.number == always and not inst.inverted else (n + 1, places[inst.label])
        elif kind == "end":
            found[n] = ()
    return found
