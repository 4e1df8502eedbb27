"""Register components: the unit of dataflow."""

from __future__ import annotations

from lanewise.core.cached import cache
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.table import COMPONENTS, FLOAT, TEMPORARY
from lanewise.pica200.sem.flow import Flags
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.registers import SLOTS, is_indexed

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Source
    from lanewise.pica200.sem.flow import Question
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.profile import Profile

_INDEX = {1: ("a0", 0, 0), 2: ("a0", 0, 1), 3: ("aL", 0, 0)}


class Component(Record):
    """One component of a register, or of other state that lives between instructions.

    `file` is v, o, r, c, a0, cmp or aL, `number` counts within the file, `channel` from 0 (x). c96 to c127 are the rows of ones
    that an index past the last uniform reads. SSA also has counter and saved (of the LOOP ring, `number` the slot) and written
    (whether o `number` has been written). A geometry shader also has bank (the outputs that the next EMIT brings back), banked
    (whether they have been written), and setemit (the operands of the last SETEMIT).
    """

    file: str
    number: int = 0
    channel: int = 0

    def __str__(self) -> str:
        if self.file in ("aL", "setemit"):
            return self.file
        if self.file == "bank":
            return f"o{self.number}.{COMPONENTS[self.channel]} of the other bank"
        if self.file in ("counter", "saved"):
            return f"{self.file}{self.number}"
        number = "" if self.file in ("a0", "cmp") else str(self.number)
        return f"{self.file}{number}.{COMPONENTS[self.channel]}"

    @property
    def component(self) -> int:
        """The old name of `channel`."""
        import warnings

        warnings.warn("Component.component is deprecated: use Component.channel", DeprecationWarning, stacklevel=2)
        return self.channel


_TEMPORARIES = tuple(Component("r", number, channel) for number in range(16) for channel in range(4))
AL = Component("aL")
SETEMIT = Component("setemit")


def component_of(row: int, channel: int) -> Component:
    """The component of a row of `Registers.readable`."""
    file, first = ("v", 0) if row < TEMPORARY else ("r", TEMPORARY) if row < FLOAT else ("c", FLOAT)
    return Component(file, row - first, channel)


def index_component(relative: int) -> Component:
    """The index register of a relative operand, from the field of its word (1 to 3)."""
    return Component(*_INDEX[relative])


def components_written(instruction: ResolvedInst) -> tuple[Component, ...]:
    """Every component that an instruction writes."""
    register = instruction.dest.register
    file, number = ("r", register - TEMPORARY) if register >= TEMPORARY else ("o", register)
    return tuple(
        Component(file, number, channel) if what == "dst" else Component(what, 0, channel)
        for what, channel in written(instruction)
    )


def components_influenced(instruction: ResolvedInst, profile: Profile) -> dict[Component, frozenset[Component]]:
    """Every component that an instruction writes, with those among temporaries, flags and index registers that its value
    depends on."""
    register = instruction.dest.register
    file, number = ("r", register - TEMPORARY) if register >= TEMPORARY else ("o", register)
    found: dict[Component, frozenset[Component]] = {}
    for (what, channel), slots in written(instruction).items():
        target = Component(file, number, channel) if what == "dst" else Component(what, 0, channel)
        found[target] = frozenset(component for n, slot in slots for component in _read(instruction.sources[n], slot, profile))
    return found


def inputs_influencing(instruction: ResolvedInst, target: Component, profile: Profile) -> frozenset[Component] | None:
    """The components of v and c that the value of a component which an instruction writes depends on; None if an index can lead
    to any."""
    found: set[Component] = set()
    for (what, channel), slots in written(instruction).items():
        if channel != target.channel or (what if what != "dst" else "r") != target.file:
            continue
        for n, slot in slots:
            source = instruction.sources[n]
            if is_indexed(source, profile):
                return None
            component = component_of(source.register, SLOTS[source.selector][slot])
            if component.file != "r":
                found.add(component)
    return frozenset(found)


def _read(source: Source, slot: int, profile: Profile) -> tuple[Component, ...]:
    """The components that a slot of a source reads, of those that a program can write."""
    if is_indexed(source, profile):
        reaches = profile.index_files == "added" or profile.index_wrap == "registers"
        return (index_component(source.relative), *(_TEMPORARIES if reaches else ()))
    temporary = TEMPORARY <= source.register < FLOAT
    return (component_of(source.register, SLOTS[source.selector][slot]),) if temporary else ()


def slots_used(instruction: ResolvedInst) -> frozenset[tuple[int, int]]:
    """The slots that an instruction's results depend on: (number of the source, slot).

    Other slots are fetched without effect.
    """
    return frozenset[tuple[int, int]]().union(*written(instruction).values())


@cache
def flags_used(question: Question) -> tuple[Component, ...]:
    """The flags that a question reads: `combine` 2 and 3 read one."""
    if not isinstance(question, Flags):
        return ()
    return tuple(Component("cmp", 0, n) for n in range(2) if question.combine != 3 - n)


def flows(instruction: ResolvedInst, profile: Profile) -> tuple[tuple[Component, tuple[Component, ...]], ...]:
    """Every component that an instruction writes, with those of `components_read` that its value depends on."""
    slots = written(instruction).values()
    return tuple(
        (component, _behind(instruction, mine, profile))
        for component, mine in zip(components_written(instruction), slots, strict=True)
    )


def components_read(instruction: ResolvedInst, profile: Profile) -> tuple[Component, ...]:
    """The components that an instruction reads, of those that a program can write.

    Temporaries that a profile reads by index are left out.
    """
    return _behind(instruction, slots_used(instruction), profile)


def _behind(instruction: ResolvedInst, slots: frozenset[tuple[int, int]], profile: Profile) -> tuple[Component, ...]:
    """The components that the selectors and index registers put into some slots."""
    components: dict[Component, None] = {}
    for number, slot in sorted(slots):
        source = instruction.sources[number]
        if is_indexed(source, profile):
            components[index_component(source.relative)] = None
        elif TEMPORARY <= source.register < FLOAT:
            components[component_of(source.register, SLOTS[source.selector][slot])] = None
    return tuple(components)
