"""Control-flow graph: all states that `sem.flow.step` reaches, joined to blocks.

A block is specialised: a run of words *and* the rings with which they execute, so code that is called from two places is in the
graph twice. Facts that vary at an address, such as the return address of a procedure, are fixed for a block. There are finitely
many states, but there can be very many; `unfold` stops at a limit and gives the reason.
"""

from __future__ import annotations

from lanewise.core.cached import cached_property
from lanewise.core.objects import checked
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.flow import Branch, BudgetExceeded, Flow, Goto
from lanewise.graph.order import reverse_postorder
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.flow import Ask, Boolean, ControlState, End, Hang
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.flow import Action, Question, Tree
    from lanewise.pica200.sem.profile import Profile

    # End of a block: the tree of `sem.flow` with blocks in place of states.
    Terminator = Goto[Action] | Branch[Question, Action, End | Hang] | End | Hang

MOST_STATES = 20_000
# A profile without a bound lets rings grow with each round of a recursion, and states are as large as their rings.
MOST_SLOTS = 200


class Block(Record):
    """A block: `size` words from `state.pc`, executed with the rings of `state`.

    Between two words of a block there are no questions, and neither rings nor values of the flow change. Execution past the
    last word leads to a block of size 0 at an address without a word; by default its terminator is a `Hang`.
    """

    number: int
    state: ControlState
    size: int
    terminator: Terminator

    @property
    def addresses(self) -> range:
        return range(self.state.pc, self.state.pc + self.size)

    @property
    def last(self) -> int:
        """The address of the last word: it decides the successor, or the program hangs."""
        return self.state.pc + max(self.size - 1, 0)


class Edge(Record):
    """An edge out of block `source`: the answers and all actions on it, in order.

    Actions before a question are in `actions` too: the block's terminator has their exact order.
    """

    source: int
    target: int | End | Hang
    answers: tuple[tuple[Question, bool], ...] = ()
    actions: tuple[Action, ...] = ()

    @property
    def back(self) -> bool:
        """Whether this is a back edge: to a block with the same or a lower number.

        Every cycle has such an edge.
        """
        return isinstance(self.target, int) and self.target <= self.source


class Graph:
    """The blocks that a program can reach; the first is the entry.

    They are numbered so that a block comes before all its successors, except over back edges; of two answers the yes comes
    first. All data by block is a tuple with an entry for each block, by number.
    """

    def __init__(self, blocks: tuple[Block, ...]) -> None:
        self.blocks = blocks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and self.blocks == other.blocks

    def __hash__(self) -> int:
        return hash(self.blocks)

    def __repr__(self) -> str:
        return f"Graph(blocks={self.blocks!r})"

    @property
    def entry(self) -> Block:
        return self.blocks[0]

    @cached_property
    def edges(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges out of each block, yes before no."""
        return tuple(tuple(_edges(block.number, block.terminator)) for block in self.blocks)

    @cached_property
    def flow(self) -> Flow:
        """The edges without actions; exits are the blocks with END or a hang."""
        targets = [dict.fromkeys(edge.target for edge in leaving if isinstance(edge.target, int)) for leaving in self.edges]
        exits = frozenset(edge.source for leaving in self.edges for edge in leaving if not isinstance(edge.target, int))
        return Flow(tuple(map(tuple, targets)), exits)

    @property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """The successors of each block, each once."""
        return self.flow.successors

    @property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """The predecessors of each block, in order."""
        return self.flow.predecessors

    @cached_property
    def ends(self) -> frozenset[int]:
        """The blocks that may end with END."""
        return frozenset(edge.source for leaving in self.edges for edge in leaving if isinstance(edge.target, End))

    @cached_property
    def at(self) -> Mapping[int, tuple[int, ...]]:
        """The blocks that contain a word, by its address. Other addresses are unreachable."""
        found: dict[int, tuple[int, ...]] = {}
        several: dict[int, list[int]] = {}  # of words that more than one block contains
        for block in self.blocks:
            shared = found.keys() & block.addresses
            for address in shared:
                several.setdefault(address, [*found[address]]).append(block.number)
            found.update(dict.fromkeys(block.addresses, (block.number,)))
        found.update({address: tuple(numbers) for address, numbers in several.items()})
        return {address: found[address] for address in sorted(found)}

    def following(self, address: int) -> tuple[int, ...]:
        """The addresses that may execute right after the word at `address`, in order.

        They are for all states of the rings, each once. An address without a word is among them if execution can continue
        there.
        """
        found: set[int] = set()
        for number in self.at.get(address, ()):
            block = self.blocks[number]
            if address < block.last:
                found.add(address + 1)
            else:
                found.update(self.blocks[target].state.pc for target in self.successors[number])
        return tuple(sorted(found))

    def walk(self, answers: Iterable[bool]) -> Iterator[Edge]:
        """Yield the edges of the path from the entry with these answers to its questions.

        The path ends with the edge to END or to a hang, or at a question when the answers are used up. A cycle without
        questions yields edges without end.
        """
        given = iter(answers)
        block = self.entry
        while True:
            terminator, asked, actions = block.terminator, (), ()
            while isinstance(terminator, Branch):
                answer = next(given, None)
                if answer is None:
                    return
                asked = (*asked, (terminator.question, answer))
                actions = (*actions, *terminator.actions)
                terminator = terminator.yes if answer else terminator.no
            if not isinstance(terminator, Goto):
                yield Edge(block.number, terminator, asked, actions)
                return
            yield Edge(block.number, terminator.node, asked, (*actions, *terminator.actions))
            block = self.blocks[terminator.node]


def _edges(source: int, terminator: Terminator) -> Iterator[Edge]:
    match terminator:
        case Goto(block, actions):
            yield Edge(source, block, (), actions)
        case Branch(question, yes, no, actions):
            for answer, side in ((True, yes), (False, no)):
                for edge in _edges(source, side):
                    answers = ((question, answer), *edge.answers)
                    yield edge._replace(answers=answers, actions=(*actions, *edge.actions))
        case _:
            yield Edge(source, terminator)


@checked
def unfold(
    insts: Sequence[Inst],
    entry: int,
    *,
    booleans: Mapping[int, bool] | None = None,
    limit: int = MOST_STATES,
    profile: Profile = HARDWARE,
    steps: dict[ControlState, Tree] | None = None,
) -> Graph | BudgetExceeded:
    """Build the graph of the program that starts at the word `entry`.

    `insts` are the decoded contents of the code memory (`flow.code_memory`); `profile` has the choices about flow. `booleans`
    are uniforms b0 to b15 with known values: the graph has no questions about them, and no paths that they exclude. `limit` is
    the maximum number of states, each a word with its rings. `steps` keeps what follows each state, for other graphs of the
    same words and profile.
    """
    trees = _explore(insts, ControlState(entry), booleans or {}, limit, profile, {} if steps is None else steps)
    if isinstance(trees, BudgetExceeded):
        return trees
    runs = _runs(trees, ControlState(entry), len(insts))
    order = _reading_order(trees, runs, ControlState(entry))
    numbers = {state: number for number, state in enumerate(order)}
    blocks: list[Block] = []
    for number, state in enumerate(order):
        last = state._replace(pc=state.pc + max(runs[state] - 1, 0))
        blocks.append(Block(number, state, runs[state], _numbered(trees[last], numbers)))
    return Graph(tuple(blocks))


def reached(
    insts: Sequence[Inst],
    entry: int,
    *,
    booleans: Mapping[int, bool] | None = None,
    limit: int = MOST_STATES,
    profile: Profile = HARDWARE,
) -> frozenset[int] | BudgetExceeded:
    """The addresses of words that the graph of `unfold` has, without its blocks."""
    trees = _explore(insts, ControlState(entry), booleans or {}, limit, profile, {})
    if isinstance(trees, BudgetExceeded):
        return trees
    return frozenset([state.pc for state in trees if 0 <= state.pc < len(insts)])


def _explore(
    insts: Sequence[Inst],
    start: ControlState,
    booleans: Mapping[int, bool],
    limit: int,
    profile: Profile,
    steps: dict[ControlState, Tree],
) -> dict[ControlState, Tree] | BudgetExceeded:
    """The tree of every state that can be reached."""
    trees: dict[ControlState, Tree] = {}
    seen = {start}
    waiting = [start]
    while waiting:
        if len(seen) > limit:
            from collections import Counter

            address, count = Counter(state.pc for state in seen).most_common(1)[0]
            return BudgetExceeded(
                f"the program has more than {limit} states of address and rings; word {address:#x} has {count} of them"
            )
        state = waiting.pop()
        if len(state.calls) > MOST_SLOTS or len(state.ifs) > MOST_SLOTS or len(state.loops) > MOST_SLOTS:
            return BudgetExceeded(
                f"at word {state.pc:#x} a ring has more than {MOST_SLOTS} slots: each iteration opens more than it leaves"
            )
        tree = steps.get(state)
        if tree is None:
            inst = insts[state.pc] if 0 <= state.pc < len(insts) else None
            tree = steps[state] = flow.step(state, inst, profile)
        if booleans:
            tree = _pruned(tree, booleans)
        trees[state] = tree
        for following in (tree.state,) if isinstance(tree, flow.Edge) else _leaves(tree):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return trees


def _pruned(tree: Tree, booleans: Mapping[int, bool]) -> Tree:
    """The tree without questions about known booleans; their actions move to the node that follows."""
    if not isinstance(tree, Ask):
        return tree
    yes, no = _pruned(tree.yes, booleans), _pruned(tree.no, booleans)
    if not isinstance(tree.question, Boolean) or tree.question.number not in booleans:
        return tree._replace(yes=yes, no=no)
    taken = yes if booleans[tree.question.number] else no
    return taken._replace(actions=(*tree.actions, *taken.actions)) if isinstance(taken, (flow.Edge, Ask)) else taken


def _leaves(tree: Tree) -> Iterator[ControlState]:
    """The states that may come next, yes before no."""
    if isinstance(tree, flow.Edge):
        yield tree.state
    elif isinstance(tree, Ask):
        yield from _leaves(tree.yes)
        yield from _leaves(tree.no)


def _runs(trees: Mapping[ControlState, Tree], entry: ControlState, size: int) -> dict[ControlState, int]:
    """The number of words of the block, for each state that starts one."""
    arrivals: dict[ControlState, int] = {}
    for tree in trees.values():
        for following in _leaves(tree):
            arrivals[following] = arrivals.get(following, 0) + 1
    straight: set[ControlState] = set()
    inside: set[ControlState] = set()
    next_of: dict[ControlState, ControlState] = {}
    for state, tree in trees.items():
        if not isinstance(tree, flow.Edge) or tree.actions:
            continue
        after = tree.state
        if after.pc != state.pc + 1 or after.pc >= size or after[1:] != state[1:]:
            continue
        if arrivals[after] == 1 and after != entry:
            straight.add(state)
            next_of[state] = after
            inside.add(after)
    runs: dict[ControlState, int] = {}
    for head in trees:
        if head in inside:
            continue
        words = 1 if 0 <= head.pc < size else 0
        at = head
        while at in straight:
            words += 1
            at = next_of[at]
        runs[head] = words
    return runs


def _reading_order(
    trees: Mapping[ControlState, Tree], runs: Mapping[ControlState, int], entry: ControlState
) -> list[ControlState]:
    """The starts of the blocks in reverse postorder. The no side is visited first, so that the yes side comes first."""

    def successors(state: ControlState) -> list[ControlState]:
        last = state._replace(pc=state.pc + max(runs[state] - 1, 0))
        return list(_leaves(trees[last]))[::-1]

    return reverse_postorder([entry], successors)


def _numbered(tree: Tree, numbers: Mapping[ControlState, int]) -> Terminator:
    match tree:
        case flow.Edge(state, actions):
            return Goto(numbers[state], actions)
        case Ask(question, yes, no, actions):
            return Branch(question, _numbered(yes, numbers), _numbered(no, numbers), actions)
        case _:
            return tree
