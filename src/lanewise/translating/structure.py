"""Programs as statements: words, branches, loops; or numbered blocks where their flow has no such form.

Blocks become statements by their dominators: a block that several paths lead to comes after the statement that these paths
leave. Source of the method: Ramsey, Beyond Relooper (2022). A path that `break` and `continue` cannot take gets a copy of the
block that it leads to, if these are small; the paths of loops with two entries are such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import Record
from lanewise.graph.flow import Branch, Flow, Goto, targets
from lanewise.graph.order import strongly_connected
from lanewise.graph.paths import dominates, dominators
from lanewise.translating.blocks import blocks, copied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lanewise.translating.blocks import Block, Exit

MOST_TRIES = 100  # of forms of a program
MOST_TRIED = 3  # blocks of which one at a time is copied
MOST_COPIED = 40  # words that are copied to give a program a form; a block counts for one more than its words


class Word(Record):
    """The item with a number, such as the instruction at an address, but for what it does to the flow."""

    address: int


class Do(Record):
    """Actions on the values of the flow, and calls."""

    actions: tuple[object, ...]


class If(Record):
    question: object
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...]


class Loop(Record):
    """Statements that are repeated until a `Leave`."""

    body: tuple[Statement, ...]


class Once(Record):
    """Statements that are done once; a `Leave` leaves them."""

    body: tuple[Statement, ...]


class Leave(Record):
    """Leave the innermost `Loop` or `Once`."""


class Again(Record):
    """Go on with the next iteration of the innermost loop."""


class Stop(Record):
    """The program or the procedure ends; `code` is that of a fault, or empty."""

    code: str


class GoTo(Record):
    """Go on with a block of the dispatcher."""

    block: int


class Dispatcher(Record):
    """Blocks that name their successor, the first first."""

    blocks: tuple[tuple[Statement, ...], ...]


Statement = Word | Do | If | Loop | Once | Leave | Again | Stop | GoTo | Dispatcher


class Routine(Record):
    """The statements of a program, or of the procedure that begins at an address."""

    address: int
    body: tuple[Statement, ...]

    @property
    def structured(self) -> bool:
        return not any(isinstance(statement, Dispatcher) for statement in self.body)


class UnstructuredError(PortableError):
    """A path to a block that statements cannot express where it leaves."""

    def __init__(self, block: int) -> None:
        super().__init__(f"a path to block {block}")
        self.block = block


class Customs(Record):
    """How an instruction set writes exits: `branch` gives a branch with what may be done before its question, `actions` those
    of some actions that count."""

    branch: Callable[[Branch[object, object, object]], Branch[object, object, object]] = lambda branch: branch
    actions: Callable[[Sequence[object]], Sequence[object]] = lambda actions: actions

    def done(self, actions: Sequence[object]) -> tuple[Statement, ...]:
        """The actions as a statement."""
        kept = tuple(self.actions(actions))
        return (Do(kept),) if kept else ()


PLAIN = Customs()


def routine(address: int, nodes: Mapping[int, Block], customs: Customs = PLAIN) -> Routine:
    """Statements of the nodes, which begin in node 0, or their blocks by numbers."""
    whole = blocks(nodes)
    body = _formed(whole, MOST_COPIED, customs)
    return Routine(address, body or (Dispatcher(tuple([_dispatched(block, customs) for block in whole])),))


def _formed(found: Sequence[Block], room: int, customs: Customs) -> tuple[Statement, ...]:
    """Blocks as statements, with copies of at most `room` words; nothing where these do not help."""
    try:
        return _Structure(found, customs).program()
    except UnstructuredError as error:
        place = error.block
    sources: dict[int, set[int]] = {}
    for number, block in enumerate(found):
        for target in targets(block.exit):
            sources.setdefault(target, set()).add(number)
    costs = {number: (len(each) - 1) * (1 + len(found[number].items)) for number, each in sources.items() if len(each) > 1}
    for number in sorted(costs, key=lambda each: costs[each])[:MOST_TRIED]:
        if costs[number] <= room and max(sources[number]) < number:  # a copy of a loop's head would be an iteration before it
            try:
                return _Structure(copied(found, number), customs).program()
            except UnstructuredError:
                pass
    if place not in costs or costs[place] > room:
        return ()
    return _formed(copied(found, place), room - costs[place], customs)


def _dispatched(block: Block, customs: Customs) -> tuple[Statement, ...]:
    return (*[Word(item) for item in block.items], *_leaving(block.exit, customs))


def _leaving(exit: Exit, customs: Customs) -> tuple[Statement, ...]:
    if isinstance(exit, Goto):
        goto = cast("Goto[object]", exit)
        return (*customs.done(goto.actions), GoTo(goto.node))
    if isinstance(exit, Branch):
        question, yes, no, actions = customs.branch(cast("Branch[object, object, object]", exit))
        return (*customs.done(actions), If(question, _leaving(yes, customs), _leaving(no, customs)))
    return (_stop(exit),)


def _stop(end: object) -> Stop:
    return Stop(str(getattr(end, "code", "")))


def _is_end(exit: Exit) -> bool:
    return not isinstance(exit, Goto | Branch)


def every(body: Iterable[Statement]) -> Iterator[Statement]:
    """All statements, with those inside others."""
    for statement in body:
        yield statement
        match statement:
            case If(_, yes, no):
                yield from every(yes)
                yield from every(no)
            case Loop(inner) | Once(inner):
                yield from every(inner)
            case Dispatcher(blocks):
                for block in blocks:
                    yield from every(block)
            case _:
                pass


def _leaves(body: Sequence[Statement]) -> bool:
    """Whether nothing comes after these statements."""
    return bool(body) and isinstance(body[-1], Leave | Again | Stop)


class _Around(Record):
    """The surroundings of a statement: the block that execution falls into after it (-1: none), the innermost loop's head and
    the block after it."""

    follow: int = -1
    head: int = -1
    after: int = -1


class _Structure:
    """Blocks to statements. Raises UnstructuredError."""

    def __init__(self, blocks: Sequence[Block], customs: Customs) -> None:
        self._blocks = blocks
        self._customs = customs
        self._after = [list(dict.fromkeys(targets(block.exit))) for block in blocks]
        self._before: list[list[int]] = [[] for _ in blocks]
        for number, after in enumerate(self._after):
            for target in after:
                self._before[target].append(number)
        self._dominator = dominators(Flow(tuple(map(tuple, self._after))))
        self._loops = self._natural_loops()
        self._placed: set[int] = set()
        self._tries = MOST_TRIES

    def program(self) -> tuple[Statement, ...]:
        return tuple(_without_last(Stop(""), self._tree(0, _Around())))

    def _natural_loops(self) -> dict[int, frozenset[int]]:
        """The blocks of each loop by its head."""
        found: dict[int, set[int]] = {}
        for source, after in enumerate(self._after):
            for head in after:
                if head > source:
                    continue
                if not dominates(self._dominator, head, source):
                    raise UnstructuredError(self._entry(head))
                body = found.setdefault(head, {head})
                waiting = [source]
                while waiting:
                    block = waiting.pop()
                    if block not in body:
                        body.add(block)
                        waiting += self._before[block]
        return {head: frozenset(body) for head, body in found.items()}

    def _entry(self, head: int) -> int:
        """Of the blocks at which a loop is entered, the one with the fewest words."""
        above = self._dominator[head]
        inside = [block for block in range(len(self._blocks)) if block != above and dominates(self._dominator, above, block)]
        within = frozenset(inside)
        groups = strongly_connected(inside, lambda block: [other for other in self._after[block] if other in within])
        loop = next(frozenset(group) for group in groups if head in group)
        entries = [block for block in loop if any(source not in loop for source in self._before[block])]
        return min(entries, key=lambda block: len(self._blocks[block].items))

    def _merges(self, block: int) -> bool:
        """Whether several paths lead forward to a block, which is then there once. A block that only ends the program is there
        for each."""
        if self._ends(block):
            return False
        return sum(1 for source in self._before[block] if source < block) > 1 or self._split(block)

    def _ends(self, block: int) -> bool:
        return _is_end(self._blocks[block].exit) and len(self._blocks[block].items) <= 1

    def _split(self, block: int) -> bool:
        """Whether one block leads to it on several paths."""
        return any(targets(self._blocks[source].exit).count(block) > 1 for source in self._before[block] if source < block)

    def _tree(self, block: int, around: _Around) -> list[Statement]:
        """A block with all that it dominates."""
        if block in self._placed:
            raise UnstructuredError(block)
        self._placed.add(block)
        below = [other for other in range(block + 1, len(self._blocks)) if self._dominator[other] == block]
        body = self._loops.get(block)
        if body is None:
            return self._sequences(block, [other for other in below if self._merges(other)], around)
        after = self._after_loop(body, around)
        late = [other for other in below if other not in body and other != after and self._merges(other)]
        if late:
            raise UnstructuredError(late[0])
        inside = _Around(block, block, after)
        merging = [other for other in below if other in body and self._merges(other)]
        loop = Loop(_turned(_without_last(Again(), self._sequences(block, merging, inside))))
        if after < 0 or after == around.follow:
            return [loop]
        if after in (around.head, around.after):
            return [loop, *self._goto(after, around)]
        return [loop, *self._tree(after, around)]

    def _after_loop(self, body: frozenset[int], around: _Around) -> int:
        """The block after a loop, -1 if there is none."""
        exits = sorted({target for block in body for target in self._after[block]} - body)
        if around.follow in exits:
            return around.follow
        merging = [target for target in exits if self._merges(target)]
        if merging:
            return merging[-1]
        return ([target for target in exits if not self._ends(target)] or [-1])[-1]

    def _sequence(self, block: int, merging: Sequence[int], around: _Around) -> list[Statement]:
        """A block, and the blocks that several paths from it lead to, one after the other."""
        first = merging[0] if merging else around.follow
        found: list[Statement] = [Word(item) for item in self._blocks[block].items]
        found += self._exit(self._blocks[block].exit, around._replace(follow=first))
        return [*found, *self._following(merging, around)]

    def _following(self, blocks: Sequence[int], around: _Around) -> list[Statement]:
        """Blocks with all that they dominate, one after the other."""
        found: list[Statement] = []
        for place, other in enumerate(blocks):
            follow = blocks[place + 1] if place + 1 < len(blocks) else around.follow
            found += self._tree(other, around._replace(follow=follow))
        return found

    def _sequences(self, block: int, merging: Sequence[int], around: _Around) -> list[Statement]:
        """A block, and the blocks that several paths from it lead to.

        Where a path leads past some of these, all before its goal are in a `Once`, which the path leaves.
        """
        split = -1
        while True:
            placed = frozenset(self._placed)
            try:
                if split < 0:
                    return self._sequence(block, merging, around)
                goal = merging[split]
                inner = self._sequences(block, merging[:split], _Around(goal, -1, goal))
                return [Once(tuple(_without_last(Leave(), inner))), *self._following(merging[split:], around)]
            except UnstructuredError as error:
                self._tries -= 1
                place = merging.index(error.block) if error.block in merging else -1
                if place <= split or self._tries < 0:
                    raise
                split = place
                self._placed = set(placed)

    def _exit(self, exit: Exit, around: _Around) -> list[Statement]:
        if isinstance(exit, Goto):
            goto = cast("Goto[object]", exit)
            return [*self._customs.done(goto.actions), *self._goto(goto.node, around)]
        if not isinstance(exit, Branch):
            return [_stop(exit)]
        question, yes, no, actions = self._customs.branch(cast("Branch[object, object, object]", exit))
        one, other = tuple(self._exit(yes, around)), tuple(self._exit(no, around))
        before = self._customs.done(actions)
        if one and other and isinstance(one[-1], Stop) and isinstance(other[-1], Stop) and one[-1] == other[-1]:
            return [*before, If(question, one[:-1], other[:-1]), one[-1]]
        if _leaves(one):
            return [*before, If(question, one, ()), *other]
        return [*before, If(question, one, other)]

    def _goto(self, block: int, around: _Around) -> list[Statement]:
        if block == around.follow:
            return [Again()] if block == around.head else []
        if block == around.head:
            return [Again()]
        if block == around.after:
            return [Leave()]
        if self._ends(block):
            return [
                *[Word(item) for item in self._blocks[block].items],
                *self._exit(self._blocks[block].exit, around),
            ]
        if block in self._placed or self._merges(block):
            raise UnstructuredError(block)
        return self._tree(block, around)


def _turned(body: list[Statement]) -> tuple[Statement, ...]:
    """The body of a loop without a `continue` before the way out of it: the branch asks for that way."""
    for place, statement in enumerate(body[:-1]):
        match statement:
            case If(question, (Again(),), ()) if isinstance(body[-1], Leave | Stop):
                return (*body[:place], If(question, (), tuple(body[place + 1 :])))
            case _:
                pass
    return tuple(body)


def _without_last(dropped: Statement, body: list[Statement]) -> list[Statement]:
    """A body without a statement that does at its end what happens there anyway."""
    if not body:
        return body
    if type(body[-1]) is type(dropped) and body[-1] == dropped:
        return _without_last(dropped, body[:-1])
    match body[-1]:
        case If(question, yes, no):
            one, other = _without_last(dropped, list(yes)), _without_last(dropped, list(no))
            return [*body[:-1], If(question, tuple(one), tuple(other))]
        case _:
            return body
