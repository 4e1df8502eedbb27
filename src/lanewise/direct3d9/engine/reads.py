"""Components of inputs and constants that a Direct3D 9 shader may read.

The walker runs once over an abstract domain: a value is 0 whatever it is, a truth value is true, false or unknown, an address
is all that it may be, or unknown. So what an instruction reads is defined by its meaning alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.direct3d9.engine.data import signed
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import BUMP, LIVE, Algebra, Component
from lanewise.direct3d9.sem.flow import Control, Walker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.source import Span
    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.sem.algebra import Sampling
    from lanewise.direct3d9.sem.tree import Flow, Routine

Truth = bool | None
Addresses = tuple[int, ...] | None
MOST_COUNT = 255  # iterations of a loop
_ANY = (1,)  # a count that is not known


class Reads(Record):
    """The registers that a run may read, each with the place of an instruction that reads it."""

    components: Mapping[Component, Span | None]
    "Components of inputs, constants and bump matrices."
    integers: Mapping[int, Span | None]
    "Numbers of i# that the run gives, not the shader."
    booleans: Mapping[int, Span | None]
    "Numbers of b# that the run gives, not the shader."
    open: Mapping[tuple[int, int], Span | None]
    "The (file, number) of registers from which a relative address starts that is not known."
    indexed: Mapping[Component, Span | None]
    "The components that such addresses read, of the registers from which they start."


def reads(flow: Flow, choices: Choices, integers: Mapping[int, Sequence[int]], booleans: Mapping[int, bool]) -> Reads:
    """The registers that the shader may read with these i# and b#, and those that it defines; branches on others are followed
    on both sides."""
    recorder = _Recorder(flow, {**integers, **flow.integers}, {**booleans, **flow.booleans})
    _Reader(flow, recorder, choices).run(True)
    return Reads(
        components=recorder.components,
        integers=recorder.integers,
        booleans=recorder.booleans,
        open=recorder.open,
        indexed=recorder.indexed,
    )


class _Reader(Walker[int, Truth, Addresses]):
    """Walks a routine once for each aL that it may be called with: a call reads nothing that an equal one has not read."""

    def __init__(self, flow: Flow, recorder: _Recorder, choices: Choices) -> None:
        super().__init__(flow, _Nothing(), recorder, choices)
        self._recorder = recorder
        self._walked: set[tuple[int, int, Addresses]] = set()

    def _routine(self, routine: Routine, mask: Truth) -> None:
        key = id(routine), self.depth, self._recorder.counter(self.depth)
        if key not in self._walked:
            self._walked.add(key)
            super()._routine(routine, mask)


class _Recorder(Control[int, Truth, Addresses]):
    """Records reads of what comes from outside."""

    def __init__(self, flow: Flow, integers: Mapping[int, Sequence[int]], booleans: Mapping[int, bool]) -> None:
        self._integers, self._booleans, self._defined = integers, booleans, flow
        pixel = flow.version.kind == isa.PIXEL
        self._outside = {isa.INPUT, isa.CONST, BUMP, *((isa.TEXTURE, isa.MISC) if pixel else ())}
        self._place: Span | None = None
        self._written: set[Component] = set()
        self._live: dict[Component, Truth] = {}
        self._counters: dict[Component, Addresses] = {}
        self.components: dict[Component, Span | None] = {}
        self.integers: dict[int, Span | None] = {}
        self.booleans: dict[int, Span | None] = {}
        self.open: dict[tuple[int, int], Span | None] = {}
        self.indexed: dict[Component, Span | None] = {}

    def read(self, cell: Component) -> int:
        defined = cell.file == isa.CONST and cell.number in self._defined.constants
        if cell.file in self._outside and cell not in self._written and not defined:
            self.components.setdefault(cell, self._place)
        return 0

    def write(self, cell: Component, value: int) -> None:
        self._written.add(cell)

    def read_truth(self, cell: Component) -> Truth:
        """A predicate may have been set by the iteration before, so only lanes that are live are ever known."""
        return self._live.get(cell, False) if cell.file == LIVE else None

    def write_truth(self, cell: Component, value: Truth) -> None:
        self._live[cell] = value

    def read_integer(self, cell: Component) -> Addresses:
        return self._counters.get(cell) if cell.file == isa.LOOP else None

    def counter(self, depth: int) -> Addresses:
        """The aL of so many loops."""
        return self._counters.get(Component(isa.LOOP, depth - 1, 0)) if depth else None

    def write_integer(self, cell: Component, value: Addresses) -> None:
        self._counters[cell] = value

    def read_indexed(self, file: int, base: int, index: Addresses, component: int) -> int:
        if index is None:
            self.open.setdefault((file, base), self._place)
            self.indexed.setdefault(Component(file, base, component), self._place)
        for offset in index or ():
            if base + offset >= 0:
                self.read(Component(file, base + offset, component))
        return 0

    def known(self, truth: Truth) -> bool | None:
        return truth

    def when(self, mask: Truth, body: Callable[[], None]) -> None:
        if mask is not False:
            body()

    def repeat(self, register: int, body: Callable[[Truth], None], live_lanes: Callable[[], Truth]) -> None:
        """One iteration stands for all: aL has the values of each."""
        count = signed(self._integer(register) or _ANY)
        if count > 0 and live_lanes() is not False:
            body(None if count > 1 else True)

    def _integer(self, number: int) -> Sequence[int] | None:
        if number not in self._defined.integers:
            self.integers.setdefault(number, self._place)
        return self._integers.get(number)

    def boolean(self, number: int) -> Truth:
        if number not in self._defined.booleans:
            self.booleans.setdefault(number, self._place)
        return self._booleans.get(number)

    def loop_value(self, register: int, component: int) -> Addresses:
        """Every value of aL for where it starts: adding the step then changes nothing."""
        values = self._integer(register)
        if values is None or component == 2:
            return None
        count, start, step = (signed(values, n) for n in range(3))
        return tuple(start + n * step for n in range(min(max(count, 0), MOST_COUNT)))

    def sample(self, request: Sampling[int]) -> tuple[int, int, int, int]:
        return 0, 0, 0, 0

    def difference(self, value: int, axis: int) -> int:
        return 0

    def visit(self, inst: Inst) -> None:
        self._place = inst.place


class _Nothing(Algebra[int, Truth, Addresses]):
    """Operations on values that are not known."""

    def apply(self, operation: str, *values: int, immediate: int | None = None) -> int:
        return 0

    def constant(self, bits: int) -> int:
        return 0

    def truth(self, value: bool) -> Truth:
        return value

    def ordered(self, a: int, b: int, *, or_equal: bool) -> Truth:
        return None

    def invert(self, a: Truth) -> Truth:
        return None if a is None else not a

    def both(self, a: Truth, b: Truth) -> Truth:
        return False if a is False or b is False else None if a is None or b is None else True

    def either(self, a: Truth, b: Truth) -> Truth:
        return True if a is True or b is True else None if a is None or b is None else False

    def select(self, condition: Truth, a: int, b: int) -> int:
        return 0

    def address(self, a: int, how: str) -> Addresses:
        return None

    def integer(self, value: int) -> Addresses:
        return (value,)

    def integer_add(self, a: Addresses, b: Addresses) -> Addresses:
        return a

    def integer_select(self, condition: Truth, a: Addresses, b: Addresses) -> Addresses:
        return None

    def integer_is(self, a: Addresses, value: int) -> Truth:
        return None

    def look_up(self, rows: Sequence[int], index: Addresses, outside: int) -> int:
        return 0
