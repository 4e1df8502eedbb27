"""Programs as statements: words, branches, loops; or numbered blocks where their flow has no such form.

The states of `sem.flow` that behave alike from here on are one: where a ring keeps a slot that nothing looks at again, as after a BREAK
out of a branch, the code that follows is not there twice. Blocks of the rest become statements by their dominators: a block that several
paths lead to comes after the statement that these paths leave. Source of the method: Ramsey, Beyond Relooper (2022).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.graph.flow import BudgetExceeded, Flow
from lanewise.graph.order import reverse_postorder
from lanewise.graph.paths import dominates, dominators
from lanewise.pica200.ir.graph import unfold
from lanewise.pica200.sem.flow import Ask, ControlState, CounterIsZero, Edge, End, Hang, Pop, StepAl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.flow import Action, Question, Tree
    from lanewise.pica200.sem.profile import Profile

MOST_TRIES = 100  # of forms of a program


class Word(Record):
    """The instruction at an address, but for what it does to the flow."""

    address: int


class Do(Record):
    """Actions on the values of the flow."""

    actions: tuple[Action, ...]


class If(Record):
    question: Question
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
    """The program ends; `code` is that of a fault, or empty."""

    code: str


class GoTo(Record):
    """Go on with a block of the dispatcher."""

    block: int


class Dispatcher(Record):
    """Blocks that name their successor, the first first."""

    blocks: tuple[tuple[Statement, ...], ...]


Statement = Word | Do | If | Loop | Once | Leave | Again | Stop | GoTo | Dispatcher


class _Goto(Record):
    """After `actions` the program goes on in a block."""

    block: int
    actions: tuple[Action, ...]


class _Branch(Record):
    question: Question
    yes: _Exit
    no: _Exit
    actions: tuple[Action, ...]


_Exit = _Goto | _Branch | End | Hang


class _Block(Record):
    addresses: tuple[int, ...]
    exit: _Exit


class UnstructuredError(Exception):
    """A path to a block that statements cannot express where it leaves."""

    def __init__(self, block: int) -> None:
        super().__init__(f"a path to block {block}")
        self.block = block


def statements(insts: Sequence[Inst], entry: int, profile: Profile) -> tuple[Statement, ...] | BudgetExceeded:
    """The program that starts at the word `entry`."""
    blocks = _blocks(insts, entry, profile)
    if isinstance(blocks, BudgetExceeded):
        return blocks
    try:
        return _Structure(blocks).program()
    except UnstructuredError:
        return (Dispatcher(tuple([_dispatched(block) for block in blocks])),)


def _blocks(insts: Sequence[Inst], entry: int, profile: Profile) -> list[_Block] | BudgetExceeded:
    """The blocks in reverse postorder."""
    trees: dict[ControlState, Tree] = {}
    found = unfold(insts, entry, profile=profile, steps=trees)
    if isinstance(found, BudgetExceeded):
        return found
    first = ControlState(entry)
    of_state = _classes(trees, len(insts))
    nodes: dict[int, tuple[int, _Exit]] = {}
    for state, tree in trees.items():
        number = of_state[state]
        if number not in nodes:
            nodes[number] = (state.pc if 0 <= state.pc < len(insts) else -1, _mapped(tree, of_state))
    return _joined(nodes, of_state[first])


def _classes(trees: Mapping[ControlState, Tree], size: int) -> dict[ControlState, int]:
    """The number of the class of each state: those of a class do the same for any values, for ever."""

    def shape(tree: Tree) -> object:
        match tree:
            case Edge(_, actions):
                return repr(actions)  # records of different classes with equal fields are equal
            case Ask(question, yes, no, actions):
                return (repr(question), shape(yes), shape(no), repr(actions))
            case _:
                return repr(tree)

    def states(tree: Tree) -> list[ControlState]:
        match tree:
            case Edge(state, _):
                return [state]
            case Ask(_, yes, no, _):
                return [*states(yes), *states(no)]
            case _:
                return []

    after = {state: states(tree) for state, tree in trees.items()}
    keys: dict[object, int] = {}
    found = {
        state: keys.setdefault((state.pc if 0 <= state.pc < size else -1, shape(tree)), len(keys))
        for state, tree in trees.items()
    }
    while True:
        count = len(keys)
        keys = {}
        found = {
            state: keys.setdefault((found[state], *[found[other] for other in after[state]]), len(keys)) for state in trees
        }
        if len(keys) == count:
            return found


def _mapped(tree: Tree, of_state: Mapping[ControlState, int]) -> _Exit:
    match tree:
        case Edge(state, actions):
            return _Goto(of_state[state], actions)
        case Ask(question, yes, no, actions):
            one, other = _mapped(yes, of_state), _mapped(no, of_state)
            if repr(one) == repr(other):  # such as a branch over nothing
                return _before(actions, one)
            return _Branch(question, one, other, actions)
        case _:
            return tree


def _before(actions: tuple[Action, ...], exit: _Exit) -> _Exit:
    if isinstance(exit, _Goto | _Branch):
        return exit._replace(actions=(*actions, *exit.actions))
    return exit


def _targets(exit: _Exit) -> list[int]:
    match exit:
        case _Goto(block, _):
            return [block]
        case _Branch(_, yes, no, _):
            return [*_targets(yes), *_targets(no)]
        case _:
            return []


def _joined(nodes: Mapping[int, tuple[int, _Exit]], entry: int) -> list[_Block]:
    """Words that always follow each other are one block."""
    arrivals: dict[int, int] = {entry: 1}
    for _, exit in nodes.values():
        for target in _targets(exit):
            arrivals[target] = arrivals.get(target, 0) + 1

    def chain(head: int) -> tuple[tuple[int, ...], _Exit]:
        addresses: list[int] = []
        at = head
        while True:
            address, exit = nodes[at]
            if address >= 0:
                addresses.append(address)
            if not isinstance(exit, _Goto) or exit.actions or arrivals[exit.block] != 1:
                return tuple(addresses), exit
            at = exit.block

    chains: dict[int, tuple[tuple[int, ...], _Exit]] = {}

    def following(head: int) -> list[int]:
        if head not in chains:
            chains[head] = chain(head)
        return _targets(chains[head][1])[::-1]

    order = reverse_postorder([entry], following)
    numbers = {head: number for number, head in enumerate(order)}

    def numbered(exit: _Exit) -> _Exit:
        match exit:
            case _Goto(block, actions):
                return _Goto(numbers[block], actions)
            case _Branch(question, yes, no, actions):
                return _Branch(question, numbered(yes), numbered(no), actions)
            case _:
                return exit

    return [_Block(chains[head][0], numbered(chains[head][1])) for head in order]


def _dispatched(block: _Block) -> tuple[Statement, ...]:
    return (*[Word(address) for address in block.addresses], *_leaving(block.exit))


def _leaving(exit: _Exit) -> tuple[Statement, ...]:
    match exit:
        case _Goto(block, actions):
            return (*_done(actions), GoTo(block))
        case _Branch(question, yes, no, actions):
            return (*_done(actions), If(question, _leaving(yes), _leaving(no)))
        case End():
            return (Stop(""),)
        case Hang(code):
            return (Stop(code),)


def _done(actions: tuple[Action, ...]) -> tuple[Statement, ...]:
    kept = tuple([action for action in actions if not isinstance(action, Pop)])  # a popped slot is not looked at
    return (Do(kept),) if kept else ()


def _leaves(body: Sequence[Statement]) -> bool:
    """Whether nothing comes after these statements."""
    return bool(body) and isinstance(body[-1], Leave | Again | Stop)


def _first_steps(exit: _Exit) -> tuple[Action, ...]:
    """The steps of aL with which an exit begins."""
    actions = exit.actions if isinstance(exit, _Goto | _Branch) else ()
    count = next((n for n, action in enumerate(actions) if not isinstance(action, StepAl)), len(actions))
    return actions[:count]


def _hoisted(branch: _Branch) -> _Branch:
    """A branch on a counter with the steps of aL that both sides begin with before the question."""
    if (
        not isinstance(branch.question, CounterIsZero)
        or isinstance(branch.yes, End | Hang)
        or isinstance(branch.no, End | Hang)
    ):
        return branch
    steps = _first_steps(branch.yes)
    if not steps or steps != _first_steps(branch.no):
        return branch
    yes, no = (side._replace(actions=side.actions[len(steps) :]) for side in (branch.yes, branch.no))
    return branch._replace(yes=yes, no=no, actions=(*branch.actions, *steps))


class _Around(Record):
    """What surrounds a statement: the block that execution falls into after it (-1: none), the innermost loop's head and the block after it."""

    follow: int = -1
    head: int = -1
    after: int = -1


class _Structure:
    """Blocks to statements. Raises UnstructuredError."""

    def __init__(self, blocks: Sequence[_Block]) -> None:
        self._blocks = blocks
        self._after = [list(dict.fromkeys(_targets(block.exit))) for block in blocks]
        self._before: list[list[int]] = [[] for _ in blocks]
        for number, targets in enumerate(self._after):
            for target in targets:
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
        for source, targets in enumerate(self._after):
            for head in targets:
                if head > source:
                    continue
                if not dominates(self._dominator, head, source):
                    raise UnstructuredError(head)
                body = found.setdefault(head, {head})
                waiting = [source]
                while waiting:
                    block = waiting.pop()
                    if block not in body:
                        body.add(block)
                        waiting += self._before[block]
        return {head: frozenset(body) for head, body in found.items()}

    def _merges(self, block: int) -> bool:
        """Whether several paths lead forward to a block, which is then there once. A block that only ends the program is there for each."""
        if self._ends(block):
            return False
        return sum(1 for source in self._before[block] if source < block) > 1 or self._split(block)

    def _ends(self, block: int) -> bool:
        return isinstance(self._blocks[block].exit, End | Hang) and len(self._blocks[block].addresses) <= 1

    def _split(self, block: int) -> bool:
        """Whether one block leads to it on several paths."""
        return any(_targets(self._blocks[source].exit).count(block) > 1 for source in self._before[block] if source < block)

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
            raise UnstructuredError(block)
        inside = _Around(block, block, after)
        merging = [other for other in below if other in body and self._merges(other)]
        loop = Loop(tuple(_without_last(Again(), self._sequences(block, merging, inside))))
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
        found: list[Statement] = [Word(address) for address in self._blocks[block].addresses]
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

    def _exit(self, exit: _Exit, around: _Around) -> list[Statement]:
        match exit:
            case _Goto(block, actions):
                return [*_done(actions), *self._goto(block, around)]
            case _Branch():
                question, yes, no, actions = _hoisted(exit)
                one, other = tuple(self._exit(yes, around)), tuple(self._exit(no, around))
                if one and other and isinstance(one[-1], Stop) and isinstance(other[-1], Stop) and one[-1] == other[-1]:
                    return [*_done(actions), If(question, one[:-1], other[:-1]), one[-1]]
                if _leaves(one):
                    return [*_done(actions), If(question, one, ()), *other]
                return [*_done(actions), If(question, one, other)]
            case End():
                return [Stop("")]
            case Hang(code):
                return [Stop(code)]

    def _goto(self, block: int, around: _Around) -> list[Statement]:
        if block == around.follow:
            return [Again()] if block == around.head else []
        if block == around.head:
            return [Again()]
        if block == around.after:
            return [Leave()]
        if self._ends(block):
            return [
                *[Word(address) for address in self._blocks[block].addresses],
                *self._exit(self._blocks[block].exit, around),
            ]
        if block in self._placed or self._merges(block):
            raise UnstructuredError(block)
        return self._tree(block, around)


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
