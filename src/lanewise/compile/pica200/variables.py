"""Where variables of the source are at each word of a program, for a debugger.

The front end says which values the variables have in front of a statement; each value is in a cell, and cells are in components
of registers. `Tracking` follows what components hold through the instructions: a component holds a cell from the instruction
that writes it until the first that writes something else there, on all paths. What no component holds for certain is not there:
registers have a stale value or another's.
"""

from __future__ import annotations

from lanewise.compile.pica200.machine import INDEX_AL, Fixed, Inst, Known, successors
from lanewise.compile.vector.code import Held, Ref
from lanewise.core.debugging import Inlined, Variable
from lanewise.core.numbers.floats import float24_from_float, float_from_float24
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import COMPONENTS, register_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.compile.pica200.allocate import Allocation
    from lanewise.compile.pica200.groups import Home
    from lanewise.compile.pica200.lower import Lowering
    from lanewise.compile.vector.code import Frame, Local, Program
    from lanewise.core.source import Span

    _Facts = frozenset[tuple[Home, int]]  # (component of a register, cell that it holds)

_COUNTER = "aL"


def copied(insts: Sequence[Inst]) -> list[Inst]:
    """Instructions as they are now, numbered: `allocate` changes them."""
    for number, inst in enumerate(insts):
        inst.origin = number
    return [
        Inst(i.op, i.dst, tuple(i.sources), i.line, condition=i.condition, number=i.number, inverted=i.inverted, label=i.label)
        for i in insts
    ]


class Tracking:
    """The contents of registers in front of each instruction. `before` are the instructions without registers, `names` the
    registers that allocation gave to cells."""

    program: Program
    lowering: Lowering
    before: list[Inst]
    allocation: Allocation
    names: Mapping[int, int]
    heads: dict[int, int]

    def __init__(
        self,
        program: Program,
        lowering: Lowering,
        before: list[Inst],
        allocation: Allocation,
        names: Mapping[int, int],
        always: int,
    ) -> None:
        self.program, self.lowering, self.before, self.allocation, self.names = program, lowering, before, allocation, names
        self.groups: dict[int, list[Inst]] = {}  # by instruction before: what it has become, with the copies that it needs
        for inst in allocation.insts:
            number = inst.origin if inst.origin >= 0 else -2 - inst.origin
            if number >= 0:
                self.groups.setdefault(number, []).append(inst)
        # A counter is stepped in its cell, perhaps before the end of the turn: its number of this turn is a cell of its own,
        # which begins with the turn.
        self.heads = {inst.origin + 1: cell for inst, cell in lowering.heads}
        self.facts: list[_Facts | None] = self._solved(always)
        self._known: dict[tuple[int, int], tuple[Inlined, ...]] = {}

    def home(self, cell: int) -> Home | None:
        """Where a cell is if it is somewhere."""
        cell = self.name(cell)
        return (self.allocation.homes or {}).get(self.allocation.groups.cell(cell))

    def name(self, cell: int) -> int:
        while cell in self.names:
            cell = self.names[cell]
        return cell

    def _solved(self, always: int) -> list[_Facts | None]:
        """The facts in front of each instruction; None where nothing leads."""
        following = successors(self.before, always)
        facts: list[_Facts | None] = [None] * (len(self.before) + 1)
        nothing: _Facts = frozenset()
        facts[0] = nothing
        waiting = [0]
        while waiting:
            number = waiting.pop()
            if number >= len(self.before):
                continue
            held = facts[number]
            assert held is not None
            after = self._after(number, held)
            for place in following[number]:
                old = facts[place]
                arriving = self._in_turn(place, after)
                new = arriving if old is None else old & arriving
                if new != old:
                    facts[place] = new
                    waiting.append(place)
        return facts

    def _after(self, number: int, facts: _Facts) -> _Facts:
        inst = self.before[number]
        if not inst.dst:
            return facts
        last: dict[
            Home, tuple[int, bool]
        ] = {}  # by component: the cell that is written last, and whether by the instruction itself
        for each in self.groups.get(number, ()):
            for cell in each.dst:
                last[self.allocation.home(cell)] = self.allocation.groups.cell(cell), each.origin >= 0
        kept = [(home, cell) for home, cell in facts if home not in last]
        found = {(home, cell) for home, cell in kept if cell not in inst.dst}
        sources = inst.sources[0] if inst.op == "mov" else ()
        for lane, cell in enumerate(inst.dst):
            origin = sources[lane].what if sources and not sources[lane].negated else None
            if isinstance(origin, int):
                found |= {(home, cell) for home, other in kept if other == origin}
            home = self.home(cell)
            if home is not None and last.get(home) == (self.allocation.groups.cell(self.name(cell)), True):
                found.add((home, cell))
                if isinstance(origin, int) and origin not in inst.dst:
                    found.add((home, origin))
        return frozenset(found)

    def _in_turn(self, place: int, facts: _Facts) -> _Facts:
        """The facts where a place is reached: at the beginning of a turn the counter of its loop is the number of the turn."""
        counter = self.heads.get(place)
        if counter is None:
            return facts
        mine = -1 - counter
        return frozenset(
            [fact for fact in facts if fact[1] != mine] + [(home, mine) for home, cell in facts if cell == counter]
        )

    # Asking

    def of(self, inst: Inst, call: Callable[[int], Span]) -> tuple[Inlined, ...]:
        """The functions that are active in front of an instruction, with their variables and where these are. `call` gives the
        place of a line."""
        if not 0 <= inst.line < len(self.program.scopes) or inst.origin == -1:
            return ()
        number = inst.origin if inst.origin >= 0 else -2 - inst.origin
        facts = self.facts[number]
        if facts is None:
            return ()
        gone: set[Home] = set()
        for each in self.groups[number]:
            if each is inst:
                break
            gone |= {self.allocation.home(cell) for cell in each.dst}
        at: dict[int, Home] = {}
        for home, cell in sorted(facts):
            if home not in gone:
                at.setdefault(cell, home)
        return tuple([self._frame(frame, at, call) for frame in self.program.scopes[inst.line]])

    def _frame(self, frame: Frame, at: Mapping[int, Home], call: Callable[[int], Span]) -> Inlined:
        place = call(frame.line) if frame.line >= 0 else None
        return Inlined(frame.function, place, tuple([self._variable(local, at) for local in frame.locals]), frame.expression)

    def _variable(self, local: Local, at: Mapping[int, Home]) -> Variable:
        return Variable(local.name, local.kind, tuple([self._place(component, at) for component in local.components]))

    def _place(self, component: Ref | Held | float | None, at: Mapping[int, Home]) -> str | float | None:
        if isinstance(component, Held):
            register = self.lowering.places.uniforms[component.uniform] + component.row
            return f"{'-' if component.negated else ''}{register_name(register)}.{COMPONENTS[component.lane]}"
        if not isinstance(component, Ref):
            return None if component is None else float_from_float24(float24_from_float(component))
        part = self.lowering.lanes.get((component.value, component.lane))
        if part is None:
            return None
        negated = part.negated != component.negated
        if isinstance(part.what, Known):
            number = float_from_float24(part.what.word)
            return -number if negated else number
        if isinstance(part.what, Fixed):
            fixed = part.what
            index = f"[{_COUNTER}]" if fixed.held == INDEX_AL else ""
            known = bool(index) or (fixed.offset is None and not fixed.held)
            place = f"{register_name(fixed.register)}{index}.{COMPONENTS[fixed.component]}" if known else None
        elif (cell := -1 - part.what if part.what in self.heads.values() else part.what) in at:
            register, channel = at[cell]
            place = f"{register_name(register, written=True)}.{COMPONENTS[channel]}"
        elif self.lowering.counters.get(component.value) == 1 and self.lowering.counter_is_index(component.value):
            place = _COUNTER
        else:
            place = None
        return f"-{place}" if place is not None and negated else place
