"""`optimise`: apply moves to a program while each step is proved to keep its outputs."""

from __future__ import annotations

from lanewise.core.extras import require_numpy
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.optimising.driver import Driver
from lanewise.pica200.check.rules import check, contexts_of
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.isa.table import NOP, VERTEX
from lanewise.pica200.opt.editing import Draft, Edit, draft_of
from lanewise.pica200.opt.encoding import encoded_of, shared
from lanewise.pica200.opt.moves import MOVES
from lanewise.pica200.opt.unrolling import known_counts, loops_of, unrolled
from lanewise.pica200.opt.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Protocol

    from lanewise.core.source import Span
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.isa.encoder import Encoded
    from lanewise.pica200.isa.program import Operation, Program
    from lanewise.pica200.opt.operations import Candidate, Move

    class Proof(Protocol):
        """A proof that programs do what the first one does."""

        def keeps(self, program: Program, encoded: Encoded) -> bool:
            """Whether a program has the outputs of the first one, for all inputs. False where that is not shown."""
            ...

        def measured(self, fields: Sequence[str]) -> Proof:
            """The proof with the answers of `hardware` to some questions that are settled, also where emulators have others."""
            ...


# Findings about declarations that fewer words make true: a uniform that only instructions without an effect have read is never
# read.
_OF_DECLARATIONS = frozenset(("V097",))
# Findings that another step ends: a result that nothing reads any more.
_REMOVED_LATER = frozenset(("V096",))
_COMPETING = frozenset(("sum", "parts"))  # a product that becomes part of a mad is not joined with others
_OTHER_ORDER = tuple(sorted(MOVES, key=lambda move: move.name == "sum"))
# In larger programs one order is tried, and a move ends after so many edits that are not proved: a proof takes up to seconds.
LARGE, _MOST_IN_VAIN = 128, 8
UNROLL = "unroll"
_SETTLED = ("loop_rounds",)
_OF_LOOPS = ("al_last", "al_restore")
MOST_PLACES = 40_000  # words of a graph, once for each state that reaches them; more would take seconds


class Step(Record):
    """A step of the optimiser."""

    move: str
    "Name of the move."
    reason: str
    "Why the step is possible."
    fix: str
    "How to do it by hand."
    words: tuple[int, ...]
    "First addresses of the words that went away."
    changed: tuple[int, ...]
    "First addresses of the words that took another form."
    spans: tuple[Span, ...]
    "Places in the source."
    rests_on: tuple[str, ...] = ()
    "Facts that it rests on without being measured."
    title: str = ""
    "Title of the move."


class Optimised(Record):
    """A program with the steps that led to it."""

    program: Program
    "The smaller program."
    encoded: Encoded
    "Machine words and operand descriptors."
    origins: tuple[int, ...]
    "First address of each word."
    steps: tuple[Step, ...]
    "Moves that were proved, in order."
    refused: int = 0
    "Number of moves that were not proved."
    proofs: int = 0
    "Number of proofs, those in vain included."


class Made(Record):
    """A draft with its words and contexts."""

    draft: Draft
    encoded: Encoded
    contexts: tuple[AnalysisContext, ...]


class Options(Record):
    """The options of an optimisation."""

    constants: bool = False
    "Constants of the file are known."
    avoid: frozenset[str] = frozenset()
    "Instructions that are not to be introduced."
    allow: frozenset[str] = frozenset()
    "Findings of `check` that may be added."
    keep: frozenset[int] = frozenset()
    "Addresses of words that stay."
    search: bool = False
    "Look for one instruction in place of several, which takes long."
    pack: bool = True
    "Sources of instructions change places to share descriptors; with `constants` those of the file may move too."
    unroll: bool = False
    "Loops whose counts are known may go, where that is better."
    given: Mapping[int, tuple[int, ...]] = {}
    "Values of integer registers that the application always sets."
    share: bool = True
    "Operand descriptors are shared as the hardware allows, also where the assembler does not need it."
    patience: int = 0
    "Words of programs that may be created in vain before it ends; 0 for any number."
    progress: Callable[[], None] | None = None
    "Called for each program that is tried, and each group of instructions that is searched for."


class Optimiser(Driver["Move", "Candidate"]):
    """The state of an optimisation: the draft so far, and what has been tried in vain."""

    options: Options
    allowed: frozenset[str]
    now: Made
    proofs: int

    def __init__(
        self,
        program: Program,
        proof: Proof,
        options: Options | None = None,
        moves: Sequence[Move] = MOVES,
        *,
        strict: bool = False,
        start: Draft | None = None,
    ) -> None:
        """`strict`: a step may not leave an instruction without an effect, which another would remove. `start`: a draft of the
        program to go on from."""
        super().__init__()
        self.options = options or Options()
        self.moves = moves
        self.allowed = self.options.allow if strict else self.options.allow | _REMOVED_LATER
        self.proof = proof
        now = self.make(draft_of(program))
        if now is None:
            raise ValueError("the program cannot be encoded")
        self._first = now
        self._before: Mapping[str, int] | None = None
        if start is not None:
            now = self.make(start)
            if now is None:
                raise ValueError("the draft cannot be encoded")
        self.now = now
        self._findings: Mapping[str, int] | None = None
        self.steps: list[Step] = []
        self.proofs = 0
        self._words_in_vain = 0

    @property
    def findings(self) -> Mapping[str, int]:
        """How many findings of each code `check` has about the program so far."""
        return self.before if self._findings is None else self._findings

    @property
    def before(self) -> Mapping[str, int]:
        """The findings about the program that was given."""
        if self._before is None:
            self._before = _counts(self._first)
        return self._before

    def make(self, draft: Draft) -> Made | None:
        """The words of a draft; None where they cannot be encoded."""
        if self.options.progress is not None:
            self.options.progress()
        encoded, _ = encoded_of(draft.program)
        if encoded is None:
            return None
        return Made(draft, encoded, tuple(contexts_of(draft.program, *encoded)))

    def run(self) -> Optimised:
        """Apply moves until none is left."""
        self.apply_all(self.moves)
        if self.options.share:
            self.now = self.shared(self.now)
        now = self.now
        return Optimised(
            program=now.draft.program,
            encoded=now.encoded,
            origins=now.draft.origins,
            steps=tuple(self.steps),
            refused=len(self.in_vain),
            proofs=self.proofs,
        )

    def shared(self, now: Made) -> Made:
        """The program with fewer operand descriptors, where instructions share those that differ in bits which the hardware
        does not read."""
        better = shared(now.draft.program, exchange=self.options.pack)
        if better is None or len(better.encoded.descriptors) >= len(now.encoded.descriptors):
            return now
        found = Made(
            now.draft._replace(program=better.program), better.encoded, tuple(contexts_of(better.program, *better.encoded))
        )
        new = _adds(_counts(found), self.findings)
        return now if new or not self.proof.keeps(better.program, better.encoded) else found

    def most_in_vain(self) -> int:
        return _MOST_IN_VAIN if len(self.now.draft.origins) > LARGE else 0

    def exhausted(self) -> bool:
        return 0 < self.options.patience <= self._words_in_vain

    def candidates(self, move: Move) -> Iterator[Candidate]:
        contexts = self.now.contexts
        for context in contexts:
            graph = context.graph
            if not isinstance(graph, Graph) or sum([block.size for block in graph.blocks]) > MOST_PLACES:
                continue
            others = [other for other in contexts if other is not context]
            for candidate in move.find(
                Values(context, graph, others, constants=self.options.constants, progress=self.options.progress)
            ):
                if self._wanted(candidate):
                    yield candidate

    def _wanted(self, candidate: Candidate) -> bool:
        options, origins = self.options, self.now.draft.origins
        if any(origins[pc] in options.keep for pc in candidate.edit.words) or (candidate.edit.interfaces and not options.pack):
            return False
        introduced = {operation.op.base for _, operation in candidate.edit.replaced}
        there = {self.now.draft.program.operations[pc].op.base for pc, _ in candidate.edit.replaced}
        return options.avoid.isdisjoint(introduced - there)

    def take(self, move: Move, batch: Sequence[Candidate]) -> bool:
        """Do the edits of candidates if the result is shorter, is proved, and has no new finding."""
        draft = self.now.draft
        found = self._proved(batch)
        if found is None:
            self._words_in_vain += len(draft.origins)
            return False
        after, findings = found
        self.steps += [_step(move, candidate, draft, self.now.contexts) for candidate in batch]
        self.now, self._findings = after, findings
        return True

    def touched(self, candidate: Candidate) -> Sequence[int]:
        return candidate.edit.words

    def proves(self, candidate: Candidate) -> bool:
        """Whether the edit of a candidate could be done now."""
        return self._proved([candidate]) is not None

    def _proved(self, batch: Sequence[Candidate]) -> tuple[Made, Mapping[str, int]] | None:
        """The program after the edits of candidates, with its findings; None where it is not proved, longer, or has new
        findings."""
        draft = self.now.draft
        after = self.make(draft.edited(_together([candidate.edit for candidate in batch])))
        if after is None or _size(after.draft) >= _size(draft):
            return None
        if self.options.patience and not self._keeps(after):  # a quick proof takes less time than all rules
            return None
        findings = _counts(after)
        if _adds(findings, self.findings, self.allowed):
            return None
        return (after, findings) if self.options.patience or self._keeps(after) else None

    def _keeps(self, after: Made) -> bool:
        self.proofs += 1
        return self.proof.keeps(after.draft.program, after.encoded)

    def key(self, candidate: Candidate) -> tuple[object, ...]:
        origins = self.now.draft.origins
        removed = tuple([origins[pc] for pc in candidate.edit.removed])
        replaced = tuple([(origins[pc], operation._replace(span=None)) for pc, operation in candidate.edit.replaced])
        return removed, replaced, tuple([(n, interface.constants) for n, interface in candidate.edit.interfaces])


def optimise(program: Program, proof: Proof, options: Options | None = None) -> Optimised:
    """A program with the same outputs, bit for bit, and as few words as the moves give. Raises ValueError for one that cannot
    be encoded.

    What moves find depends on their order; where two of them compete, another order is tried as well.
    """
    options = options or Options()
    more: tuple[Move, ...] = ()
    if options.search:
        require_numpy("the search of -O3")
        from lanewise.pica200.opt.search import SEARCH

        more = (SEARCH,)
    found = _in_order(program, proof, options, (*MOVES, *more))
    if {step.move for step in found.steps} >= _COMPETING and len(program.operations) <= LARGE:
        other = _in_order(program, proof, options, (*_OTHER_ORDER, *more))
        if len(other.program.operations) < len(found.program.operations):
            found = other
    return _unrolled(program, proof, options, (*MOVES, *more), found) if options.unroll else found


def _unrolled(program: Program, proof: Proof, options: Options, moves: Sequence[Move], found: Optimised) -> Optimised:
    """The program with loops unrolled, one after the other, where that saves words or ends findings of `check`.

    How often a loop runs is measured; one emulator runs it once more, and under its profile nothing could be unrolled.
    """
    proof = proof.measured(_SETTLED)
    known = known_counts(program.interfaces, options.given, constants=options.constants)
    again = True
    while again:
        again = False
        draft = Draft(found.program, found.origins)
        for pc, rounds in loops_of(draft, known):
            longer = unrolled(draft, pc, known, VERTEX.code_words)
            other = _after(program, proof, options, moves, longer) if longer is not None else None
            if other is None or not _better(other, found):
                continue
            loop = found.program.operations[pc]
            times = f"{rounds} times" if rounds > 1 else "once"
            step = Step(
                move=UNROLL,
                reason=f"the loop runs {times}",
                fix=f"write its body {times} without the loop" if rounds > 1 else "remove the loop, and keep its body",
                words=(found.origins[pc],),
                changed=(),
                spans=(loop.span,) if loop.span is not None else (),
                rests_on=(*_SETTLED, *[key for key in _OF_LOOPS if CHOICES[key].known != "measured"]),
                title="loops whose counts are known",
            )
            found = other._replace(
                steps=(*found.steps, step, *other.steps),
                refused=found.refused + other.refused,
                proofs=found.proofs + other.proofs + 1,
            )
            again = True
            break
    return found


def _after(program: Program, proof: Proof, options: Options, moves: Sequence[Move], draft: Draft) -> Optimised | None:
    """Apply moves to a draft; None if the result is another program, or has findings that the program had not."""
    try:
        one = Optimiser(program, proof, options, moves, start=draft)
    except ValueError:
        return None
    if not proof.keeps(one.now.draft.program, one.now.encoded):
        return None
    found = one.run()
    return None if _adds(_counts(one.now), one.before, options.allow) else found


def _better(one: Optimised, other: Optimised) -> bool:
    """Whether a program has fewer words than another, or fewer findings; either is worth a loop."""
    sizes = [len(each.program.operations) for each in (one, other)]
    if sizes[0] != sizes[1]:
        fewer = sizes[0] < sizes[1]
        return fewer or _all(one) < _all(other)
    return _all(one) <= _all(other)


def _all(found: Optimised) -> int:
    return sum([1 for _ in check(contexts_of(found.program, *found.encoded))])


def _in_order(program: Program, proof: Proof, options: Options, moves: Sequence[Move]) -> Optimised:
    moves = [move for move in moves if not (move.by_hand and options.patience)]
    first = Optimiser(program, proof, options, moves)
    found = first.run()
    if not found.steps:
        return found
    if not _adds(first.findings, first.before, options.allow):
        return found
    return Optimiser(program, proof, options, moves, strict=True).run()


def _size(draft: Draft) -> tuple[int, int, int]:
    """The number of words, how many of them do something, and the number of constants."""
    operations, interfaces = draft.program.operations, draft.program.interfaces
    constants = sum([len(interface.constants) for interface in interfaces])
    return len(operations), sum([operation.op.kind != NOP for operation in operations]), constants


def _together(edits: Sequence[Edit]) -> Edit:
    """Several edits as one."""
    return Edit(
        tuple([pc for edit in edits for pc in edit.removed]),
        tuple([pair for edit in edits for pair in edit.replaced]),
        tuple([pair for edit in edits for pair in edit.interfaces]),
    )


def _counts(program: Made) -> Mapping[str, int]:
    """How many findings of each code `check` has about the instructions of a program."""
    found: dict[str, int] = {}
    for finding in check(program.contexts):
        if finding.code not in _OF_DECLARATIONS:
            found[finding.code] = found.get(finding.code, 0) + 1
    return found


def _adds(findings: Mapping[str, int], before: Mapping[str, int], allowed: AbstractSet[str] = frozenset()) -> bool:
    """Whether a program has findings that the one before it had not, besides those that are allowed."""
    return any(count > before.get(code, 0) for code, count in findings.items() if code not in allowed)


def _step(move: Move, candidate: Candidate, draft: Draft, contexts: Sequence[AnalysisContext]) -> Step:
    operations: Sequence[Operation] = draft.program.operations
    edit, origins = candidate.edit, draft.origins
    spans = [span for pc in edit.words if (span := operations[pc].span) is not None]
    if candidate.finding.span is not None:
        spans.insert(0, candidate.finding.span)
    return Step(
        move=move.name,
        reason=candidate.finding.message,
        fix=candidate.finding.fix,
        words=tuple([origins[pc] for pc in edit.removed]),
        changed=tuple([origins[pc] for pc, _ in edit.replaced]),
        spans=tuple(dict.fromkeys(spans)),
        rests_on=tuple([key for key in move.rests_on if CHOICES[key].known != "measured"]),
        title=move.title,
    )
