"""H009: instructions whose results are the same for all vertices, since they depend on uniforms and constants alone.

No move does this: what is computed before the draw goes into uniforms, which the application has to set.
"""

from __future__ import annotations

from lanewise.core.bits import bit_numbers
from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.counting import counted
from lanewise.graph.order import strongly_connected
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.table import FLOAT, INTEGER, TEMPORARY
from lanewise.pica200.opt.driver import MOST_PLACES
from lanewise.pica200.opt.editing import Edit
from lanewise.pica200.opt.operations import Candidate
from lanewise.pica200.opt.values import Values
from lanewise.pica200.sem.components import slots_used
from lanewise.pica200.sem.meaning import COPY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.check.context import AnalysisContext

_FEW = 2  # words: fewer are not worth a uniform
_R = (1 << FLOAT - TEMPORARY << 2) - 1  # the components of temporaries, as bits of `check.dataflow`


class UniformWork(Record):
    """The words of a shader that depend on uniforms alone, and how many registers what they leave for others is."""

    words: tuple[int, ...]
    results: int


def uniform_work(values: Values) -> UniformWork:
    """The words that need not be computed for each vertex. Those in loops, in procedures that are called from two places, and
    those of values that come from two words count as such that have to."""
    once = _once(values)
    same = {pc for pc in values.all if pc in once and _reads_uniforms_alone(values, pc)}
    feeding: dict[int, list[int]] = {}
    for owner, readers in values.readers.items():
        for reader in readers:
            feeding.setdefault(reader, []).append(owner)
    while varying := {pc for pc in same if not _is_fed(values, pc, feeding.get(pc, ()), same)}:
        same -= varying
    # A uniform that is only moved for others is moved still; what nothing reads is another hint's.
    left = {pc for pc in same if not values.readers[pc].keys() <= same}
    moved = {pc for pc in left if values.context.op(pc) == COPY and not feeding.get(pc)}
    unread = {pc for pc in same if not values.readers[pc]}
    words = sorted(same - moved - unread)
    return UniformWork(tuple(words), len({values.all[pc].register for pc in left - moved}))


def _once(values: Values) -> set[int]:
    """The words that a run passes at most once, in one place of the graph."""
    graph = values.graph
    following = graph.successors
    groups = strongly_connected(range(len(graph.blocks)), lambda number: following[number])
    straight = {group[0] for group in groups if len(group) == 1 and group[0] not in following[group[0]]}
    return {pc for pc, places in values.places.items() if len(places) == 1 and places[0] in straight}


def _reads_uniforms_alone(values: Values, pc: int) -> bool:
    """Whether an instruction reads float uniforms and temporaries, none of them by an index."""
    instruction = values.resolved[pc]
    used = [instruction.sources[number] for number in {number for number, _ in slots_used(instruction)}]
    return all(TEMPORARY <= source.register < INTEGER and not source.relative for source in used)


def _is_fed(values: Values, pc: int, owners: Sequence[int], same: set[int]) -> bool:
    """Whether each temporary that a word reads comes from one word, which is one of `same`."""
    for component in bit_numbers(values.read(pc) & _R):
        register, channel = TEMPORARY + (component >> 2), component & 3
        found = [each for each in owners if values.all[each].register == register and channel in values.all[each].channels]
        if len(found) != 1 or found[0] not in same:
            return False
    return True


def uniform_texts(contexts: Sequence[AnalysisContext], least: int = _FEW) -> list[str]:
    """H009 as sentences, for reports: `64 of 81 words depend on uniforms only (line 12)`, where so many words do."""
    return [candidate.finding.message for candidate in uniform_hints(contexts, least)]


def uniform_hints(contexts: Sequence[AnalysisContext], least: int = _FEW) -> Iterator[Candidate]:
    """H009: words of a shader whose results are the same for all vertices."""
    for context in contexts:
        graph = context.graph
        if not isinstance(graph, Graph) or sum([block.size for block in graph.blocks]) > MOST_PLACES:
            continue
        values = Values(context, graph)
        work = uniform_work(values)
        if len(work.words) < least:
            continue
        message = f"{len(work.words)} of {len(values.places)} words depend on uniforms only ({values.listed(work.words)})"
        fix = f"compute them before the draw, and set {counted(work.results, 'uniform')} to what they give"
        yield Candidate("H009", Finding(message=message, fix=fix, pc=work.words[0]), Edit(()))
