"""The program between front ends and back ends: structured control flow over values that are lists of components.

An operand is a tuple of `Ref`s, one a lane: selections, masks and signs are free, and no operation moves components. A value is
a number: a truth is 1.0 or 0.0 and a whole number is a number without a fraction, as on the hardware. What changes over time is
a component of a `Variable`, which `Load` reads and `Store` writes; front ends need no phi. A back end turns them into SSA form
or into registers as it likes.

Every operation rounds as the target's does. Front ends that promise the bits of another machine state that promise over these
operations.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.debugging import Expression
    from lanewise.core.source import Span

# Operations by lane: each lane of the result from the same lane of the operands. MIN is `a < b ? a : b`, MAX `a > b ? a : b`:
# where an operand is NaN, the second. ShaderCore gives the other one of a NaN and a number: front ends rely on the second only
# where it is a number. TRUNC rounds toward zero, as address registers do: an offset of a `Row` may be one for nothing.
ADD, MUL, MAD, MIN, MAX, FLOOR, TRUNC = "add", "mul", "mad", "min", "max", "floor", "trunc"
# Comparisons by lane, 1.0 or 0.0. All are false where an operand is NaN, but NE, which is true: `a != b` of IEEE 754.
LT, LE, EQ, NE = "lt", "le", "eq", "ne"
# Truths by lane; operands are 1.0 or 0.0.
AND, OR, NOT = "and", "or", "not"
# By lane: the second operand where the first is 1.0, the third where it is 0.0.
SELECT = "select"
# A lane each for itself.
RCP, RSQ, EXP2, LOG2 = "rcp", "rsq", "exp2", "log2"
# One lane from all lanes of two operands, which are 2 to 4 wide; the sum is in the order of the target, that of two lanes is
# `x + y`.
DOT = "dot"

OPERATIONS: Mapping[str, int] = {
    ADD: 2,
    MUL: 2,
    MAD: 3,
    MIN: 2,
    MAX: 2,
    FLOOR: 1,
    TRUNC: 1,
    LT: 2,
    LE: 2,
    EQ: 2,
    NE: 2,
    AND: 2,
    OR: 2,
    NOT: 1,
    SELECT: 3,
    RCP: 1,
    RSQ: 1,
    EXP2: 1,
    LOG2: 1,
    DOT: 2,
}


MOST_TURNS = 255  # of a loop whose count is not known better


class Ref(Record):
    """A component of a value: the number of what made it, which of its lanes, and whether its sign is turned."""

    value: int
    lane: int = 0
    negated: bool = False

    def turned(self, by: bool = True) -> Ref:
        """With its sign turned, or not where `by` is False."""
        return Ref(self.value, self.lane, self.negated != by)


Operand = tuple[Ref, ...]


def lanes_of(mask: int) -> list[int]:
    """The lanes of a mask, which has bit n for lane n."""
    return [lane for lane in range(4) if mask >> lane & 1]


class Input(Record):
    """An attribute of a vertex."""

    name: str
    "The name in the source, or one that the front end makes up."
    register: int = -1
    "The number of the v#; -1: the back end chooses."
    lanes: int = 4
    "How many lanes it has; the others are (0, 0, 0, 1)."
    line: int = -1
    "An index of `Program.lines`; -1: none."
    semantic: str = ""
    "The usage that the source or an option says, such as `normal` or `texcoord0`; empty: none."


class Output(Record):
    """An output of the program."""

    name: str
    "The name in the source, or one that the front end makes up."
    semantic: str
    "The semantic, such as `position` or `texcoord0`."
    variable: int
    "The index of the variable whose lanes it is at the end."
    mask: int = 0xF
    "Lanes of the semantic that it has; bit n for lane n."
    line: int = -1
    "An index of `Program.lines`; -1: none."

    @property
    def lanes(self) -> list[int]:
        return lanes_of(self.mask)


class Uniform(Record):
    """Registers of four lanes that the application sets."""

    name: str
    "The name in the source, or one that the front end makes up."
    rows: int = 1
    "How many registers there are."
    columns: int = 4
    "How many lanes of a row are meant."
    register: int = -1
    "The number of the first c#; -1: the back end chooses."
    line: int = -1
    "An index of `Program.lines`; -1: none."


class Flag(Record):
    """A boolean that the application sets. `register` is b#, -1: the back end chooses."""

    name: str
    register: int = -1
    line: int = -1


class Count(Record):
    """A whole number that the application sets, which bounds loops and nothing else. `register` is i#, -1: the back end
    chooses. `most` is the most it can be."""

    name: str
    register: int = -1
    most: int = MOST_TURNS
    line: int = -1


class Variable(Record):
    """Up to four components that change over time. `name` is that of the source, or empty. What nothing has stored is
    undefined: any number."""

    name: str = ""
    lanes: int = 4
    line: int = -1


# Leaves and operations. Each defines the value of its number; `line` is an index of `Program.lines`, -1: none.


class Number(Record):
    """Known numbers, as float32, one a lane: what a back end does with those that its format does not have exactly is its own
    rounding of them."""

    result: int
    values: tuple[float, ...]
    line: int = -1


class Attribute(Record):
    """All lanes of an input: an index of `Program.inputs`."""

    result: int
    input: int
    line: int = -1


class Row(Record):
    """All four lanes of a row of a uniform. A row outside of the uniform is undefined."""

    result: int
    "The value that it defines."
    uniform: int
    "An index of `Program.uniforms`."
    row: int = 0
    "The number of the row, from 0."
    offset: Ref | None = None
    "A whole number to add to `row`; the counter of a `For`, times a number plus another, may stay in a loop register."
    line: int = -1
    "An index of `Program.lines`; -1: none."


class Table(Record):
    """A row of known rows: `at` is a whole number, that of the row."""

    result: int
    rows: tuple[tuple[float, float, float, float], ...]
    at: Ref
    line: int = -1


class Truth(Record):
    """1.0 where the application has set a flag, else 0.0: an index of `Program.flags`."""

    result: int
    flag: int
    line: int = -1


class Load(Record):
    """All lanes of a variable, as they are now."""

    result: int
    variable: int
    line: int = -1


class Operate(Record):
    """An operation (`OPERATIONS`) on operands of one width; those of DOT give one lane, the others as many as they have, 1 to
    4."""

    result: int
    op: str
    operands: tuple[Operand, ...]
    line: int = -1


# Statements.


class Store(Record):
    """Set lanes of a variable: bit n of `mask` for lane n, the refs in the order of its set bits."""

    variable: int
    mask: int
    operand: Operand
    line: int = -1

    @property
    def lanes(self) -> list[int]:
        return lanes_of(self.mask)

    @property
    def pairs(self) -> list[tuple[int, Ref]]:
        """Each lane with what is stored there."""
        return list(zip(self.lanes, self.operand, strict=True))


class If(Record):
    """Do `yes` where the condition is 1.0, else `no`."""

    condition: Ref
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()
    line: int = -1


class For(Record):
    """Do the body once for each number of a counter."""

    label: int
    "The label that a `Leave` of it names."
    turns: int | CountOf
    "How many turns there are; a count that the application sets may be 0."
    start: int
    "The number in the first turn."
    step: int
    "The difference from turn to turn."
    counter: int
    "The value of one lane, defined in the body, that holds the number of this turn."
    body: tuple[Statement, ...]
    "The statements of a turn."
    line: int = -1
    "An index of `Program.lines`; -1: none."
    end: int = -1
    "The line of the step to the next number; -1: none."


class CountOf(Record):
    """A count that the application sets: an index of `Program.counts`."""

    number: int


class Loop(Record):
    """Do the body again and again, until a `Leave` of its label."""

    label: int
    body: tuple[Statement, ...]
    line: int = -1


class Scope(Record):
    """Do the body; a `Leave` of its label goes on after it. A `continue` leaves a scope that is the body of its loop, a
    `return` one that is the function."""

    label: int
    body: tuple[Statement, ...]
    line: int = -1


class Leave(Record):
    """Go on after the `For`, `Loop` or `Scope` of this label, which is around this statement."""

    label: int
    line: int = -1


Statement = Number | Attribute | Row | Table | Truth | Load | Operate | Store | If | For | Loop | Scope | Leave


class Held(Record):
    """A component of a row of a uniform, of which there need be no value."""

    uniform: int
    row: int
    lane: int
    negated: bool


class Local(Record):
    """A scalar or vector of a variable of the source, such as `n` or `m[1]`: its type (float, int, uint, bool), and each
    component as a ref, a component of a uniform or a known number.

    None is a component without a value that is known.
    """

    name: str
    kind: str
    components: tuple[Ref | Held | float | None, ...]


class Frame(Record):
    """A function of the source that is active: the place in it as a line of the program (of a caller the call), its variables,
    and the expression that is computed in the innermost, where that is known."""

    function: str
    line: int
    locals: tuple[Local, ...]
    expression: Expression | None = None


class Program(Record):
    """The result of a front end. Values are defined before they are used and seen in the block of their definition and blocks
    within it."""

    name: str
    "The name in messages and files."
    inputs: tuple[Input, ...]
    "The attributes of a vertex."
    outputs: tuple[Output, ...]
    "The results that leave the program."
    uniforms: tuple[Uniform, ...]
    "The arrays of registers that the application sets."
    flags: tuple[Flag, ...]
    "The booleans that the application sets."
    counts: tuple[Count, ...]
    "The whole numbers that the application sets."
    variables: tuple[Variable, ...]
    "Components that change over time, by the numbers of `Load` and `Store`."
    body: tuple[Statement, ...]
    "The statements, in order."
    lines: tuple[Span, ...] = ()
    "The places that statements come from; with `scopes` a place has a line for each state of the variables."
    scopes: tuple[tuple[Frame, ...], ...] = ()
    "For a debugger, by line: the active functions in front of its statements, the innermost first; empty without."
    stripped: bool = False
    "Names of inputs and uniforms are not those of a source."
    free: bool = False
    "The source lets all arithmetic be done otherwise: subnormal numbers may be zeros, and bits of a NaN any."
