"""Uninitialised reads: components that lanes read before anything writes them.

On a console they hold values of an earlier program or vertex, so a shader that needs them works only by luck.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.engine.reference import BUDGET_SPENT, SEARCH
from lanewise.pica200.isa.table import LOOP
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.components import AL, Component, components_read, components_written, flags_used

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.engine.reference import Fault, Machine, Reference
    from lanewise.pica200.sem.flow import Question
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.profile import Profile

_LONG = 64  # answers; for more, a hash of 64 bytes is kept
_STRETCH = 256  # instructions; a path may cycle without a question


class UninitialisedRead(Record):
    """The instruction at word `pc` read a component that was not written before.

    `lane` is the first vertex, or run of a geometry shader, in which it did, and `lanes` the number of them.
    """

    pc: int
    component: Component
    lane: int = 0
    lanes: int = 1


class Watch:
    """Collector of the uninitialised reads of lanes.

    Each instruction and component is reported once. The reads depend only on the path through the program, and the answers to
    the questions of the flow determine the path. So lanes run as usual, and each different path is walked once more afterwards,
    without computing anything. Temporaries that a profile reads by index are not checked.
    """

    def __init__(self, program: Reference) -> None:
        self._program = program
        self._kept = program.keeps_registers
        self._tallies: dict[tuple[frozenset[Component], int, bytes], _Tally] = {}
        self._stretches: dict[flow.ControlState, _Stretch] = {}
        self._path = bytearray()
        self.known: frozenset[Component] = frozenset()
        """The components written when the next lane starts: that of the lanes before, where the profile keeps registers."""

    def run(self, lane: int, machine: Machine, *, decided: bool = False) -> bytearray | None:
        """Run a lane that has been started to its end. The result is its path, for `note`.

        `decided`: leave a lane when it is `undecided`, for `resume`; the result is None.
        """
        self._path = bytearray()
        return self.resume(lane, machine, decided=decided)

    def resume(self, lane: int, machine: Machine, *, decided: bool = False) -> bytearray | None:
        """Run the last lane that `run` has left to its end."""
        path, step = self._path, machine.step
        while not machine.finished:
            if decided and machine.steps >= SEARCH and machine.undecided:
                return None
            answers = step().answers
            for _, yes in answers:
                path.append(yes)
        self.note(lane, path, machine.steps, machine.fault)
        return path

    def note(self, lane: int, path: bytes | bytearray, steps: int, fault: Fault | None = None) -> None:
        """Add a lane that the caller has run.

        `path` is the concatenation of its `encoded` answers, `steps` its number of steps, `fault` the one that it stopped with.
        A lane that used up its budget is left out.
        """
        if fault is not None and fault.code == BUDGET_SPENT:
            return
        key = (self.known, steps, bytes(path) if len(path) < _LONG else _digest(path))
        tally = self._tallies.get(key)
        if tally is None:
            tally = self._tallies[key] = _Tally(lane, *self._walk(path, steps))
        tally.lanes += 1
        if self._kept and not (fault is not None and fault.endless):
            self.known = tally.known

    def _walk(self, path: bytes | bytearray, steps: int) -> tuple[tuple[tuple[int, Component], ...], frozenset[Component]]:
        """Walk `steps` steps of a path with these answers: its uninitialised reads, and the components written after it."""
        known = set(self.known)
        found: dict[tuple[int, Component], None] = {}
        answers = iter(path)
        state = flow.ControlState(self._program.entry)
        while steps > 0:
            stretch = self._stretches.get(state)
            if stretch is None:
                stretch = self._stretches[state] = _stretch(self._program, state)
            if steps < len(stretch.uses) or not known.issuperset(stretch.needs):
                _look(stretch.uses[:steps], known, found)
            if steps < len(stretch.uses):
                break
            known |= stretch.writes
            steps -= len(stretch.uses)
            tree = stretch.tree
            while type(tree) is flow.Ask:
                found.update(
                    {
                        (stretch.uses[-1].pc, component): None
                        for component in flags_used(tree.question)
                        if component not in known
                    }
                )
                tree = tree.yes if next(answers) else tree.no
            if not isinstance(tree, flow.Edge):
                break
            state = tree.state
            if state.loops:
                known.add(AL)
        return tuple(found), frozenset(known)

    @property
    def found(self) -> tuple[UninitialisedRead, ...]:
        """The reads found in all lanes so far, in the order of discovery."""
        first: dict[tuple[int, Component], UninitialisedRead] = {}
        for tally in self._tallies.values():
            for read in tally.reads:
                before = first.get(read)
                first[read] = (
                    UninitialisedRead(*read, tally.lane, tally.lanes)
                    if before is None
                    else before._replace(lanes=before.lanes + tally.lanes)
                )
        return tuple(first.values())


def may_read_uninitialised(program: Reference, most: int = 20_000) -> bool:
    """Whether some path through a program has an uninitialised read.

    This is for the first vertex. The result is True if the program has more than `most` states, where the answer is unknown.
    """
    entry = flow.ControlState(program.entry)
    known: dict[flow.ControlState, frozenset[Component]] = {entry: frozenset()}
    waiting = [entry]
    while waiting:
        state = waiting.pop()
        stretch = _stretch(program, state)
        before = known[state]
        if not before.issuperset(stretch.needs):
            return True
        after = before | stretch.writes
        trees = [stretch.tree]
        while trees:
            tree = trees.pop()
            if isinstance(tree, flow.Ask):
                if not after.issuperset(flags_used(tree.question)):
                    return True
                trees += (tree.yes, tree.no)
            elif isinstance(tree, flow.Edge):
                mine = after | {AL} if tree.state.loops else after
                old = known.get(tree.state)
                if old is None or not old <= mine:
                    known[tree.state] = mine if old is None else old & mine
                    waiting.append(tree.state)
        if len(known) > most or any(len(ring) > most // 100 for ring in state[1:]):
            return True
    return False


def encoded(answers: Sequence[tuple[Question, bool]]) -> bytes:
    """The answers of a step, encoded for `Watch.note`."""
    return bytes([yes for _, yes in answers])


class _Tally:
    """Lanes on the same path: the first, their number, its uninitialised reads, the components written after it."""

    __slots__ = ("known", "lane", "lanes", "reads")

    def __init__(self, lane: int, reads: tuple[tuple[int, Component], ...], known: frozenset[Component]) -> None:
        self.lane = lane
        self.lanes = 0
        self.reads = reads
        self.known = known


class _Use(Record):
    """The reads and writes of the instruction at `pc`, of the components that a program can write and read."""

    pc: int
    reads: tuple[Component, ...]
    writes: tuple[Component, ...]


class _Stretch(Record):
    """Instructions that follow each other whatever the data are; `tree` is how the last goes on.

    `needs` are what they use before they write it themselves, `writes` all that they write.
    """

    uses: tuple[_Use, ...]
    needs: frozenset[Component]
    writes: frozenset[Component]
    tree: flow.Tree


def _stretch(program: Reference, state: flow.ControlState) -> _Stretch:
    uses: list[_Use] = []
    needs: set[Component] = set()
    writes: set[Component] = set()
    while True:
        place = program.place(state)
        use = _use(state.pc, place.resolved, program.profile)
        tree = place.tree
        starts = place.inst is not None and place.inst.op.kind == LOOP  # the loop may be over at once, if it has no body
        if starts or (isinstance(tree, flow.Edge) and tree.state.loops):
            use = use._replace(writes=(*use.writes, AL))
        uses.append(use)
        needs.update(component for component in use.reads if component not in writes)
        writes.update(use.writes)
        if not isinstance(tree, flow.Edge) or len(uses) == _STRETCH:
            return _Stretch(tuple(uses), frozenset(needs), frozenset(writes), tree)
        state = tree.state


def _use(pc: int, instruction: ResolvedInst | None, profile: Profile) -> _Use:
    if instruction is None:
        return _Use(pc, (), ())
    written = tuple([component for component in components_written(instruction) if component.file != "o"])
    return _Use(pc, components_read(instruction, profile), written)


def _look(uses: Sequence[_Use], known: set[Component], found: dict[tuple[int, Component], None]) -> None:
    """Go through instructions, adding to what has been written and to what was used before."""
    for pc, reads, writes in uses:
        found.update({(pc, component): None for component in reads if component not in known})
        known.update(writes)


def _digest(path: bytes | bytearray) -> bytes:
    from hashlib import blake2b

    return blake2b(path).digest()
