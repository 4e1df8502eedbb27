"""Results that are written to outputs where they are computed, and constants of outputs in copies of others."""

from __future__ import annotations

from lanewise.compile.pica200.machine import BLOCKS, END_FOR, END_IF, LANES, WIDTH, Inst, Known, Part, successors
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.compile.pica200.groups import Home
    from lanewise.compile.pica200.machine import Source


def write_outputs(insts: Sequence[Inst], outputs: dict[int, Home], names: dict[int, int]) -> bool:
    """Write results to outputs where they are computed: where nothing else reads them, and each path writes them once.

    Also the paths on which the boolean that is true would be false: `check` does not know it.
    """
    following = successors(list(insts), -1)
    readers: dict[int, list[int]] = {}
    writers: dict[int, list[int]] = {}
    for n, inst in enumerate(insts):
        for cell in inst.cells():
            readers.setdefault(cell, []).append(n)
        for cell in inst.dst:
            writers.setdefault(cell, []).append(n)
    found = False
    for n in range(len(insts) - 1, -1, -1):
        inst = insts[n]
        if inst.op != "mov" or inst.dst[0] not in outputs:
            continue
        lanes: dict[int, list[int]] = {}  # by cell: the components that it is copied to
        for cell, part in zip(inst.dst, inst.sources[0], strict=True):
            if part.copied >= 0 and readers[part.copied] == [n]:
                lanes.setdefault(part.copied, []).append(cell)
        if any(part.negated and part.what in lanes for part in inst.sources[0]):
            continue
        changed = True
        while changed:
            changed = False
            for cell in list(lanes):
                whole = {other for writer in writers[cell] for other in insts[writer].dst}
                spread = len(lanes[cell]) == 1 or whole == {cell}  # one result may be written to several components
                others = [writer for output in lanes[cell] for writer in writers[output] if writer != n]
                if not spread or not whole <= set(lanes) or not _once([*others, *writers[cell]], following):
                    del lanes[cell]
                    changed = True
        if lanes:
            for writer in {writer for cell in lanes for writer in writers[cell]}:
                _redirected(insts[writer], lanes)
            inst.dst, inst.sources = _remaining(inst, lanes)
            names.update({cell: copies[0] for cell, copies in lanes.items() if cell != copies[0]})
            for cell, copies in lanes.items():
                for output in copies:
                    writers[output] = [*[writer for writer in writers[output] if writer != n], *writers[cell]]
            found = True
    return found


def _redirected(inst: Inst, lanes: Mapping[int, Sequence[int]]) -> None:
    """Make an instruction write other cells; what is in several places is computed there, or is in all components of a result
    anyway."""
    if len(inst.dst) == 1:
        inst.dst = tuple(lanes[inst.dst[0]])
        if inst.op in LANES:
            inst.sources = [source * len(inst.dst) for source in inst.sources]
    else:
        inst.dst = tuple([lanes[cell][0] for cell in inst.dst])


def _remaining(inst: Inst, lanes: Mapping[int, Sequence[int]]) -> tuple[tuple[int, ...], list[Source]]:
    """The lanes of a copy that are not written where they are computed; a copy of a cell to itself if none is left."""
    (source,) = inst.sources
    kept = [(cell, part) for cell, part in zip(inst.dst, source, strict=True) if part.copied not in lanes]
    kept = kept or [(inst.dst[0], Part(inst.dst[0]))]
    return tuple([cell for cell, _ in kept]), [tuple([part for _, part in kept])]


def share_constants(insts: list[Inst], outputs: dict[int, Home], new_cell: Callable[[], int]) -> bool:
    """Constants of outputs in copies that other lanes of the same output begin with: no copy of their own."""
    writes: dict[int, int] = {}
    for inst in insts:
        for cell in inst.dst:
            writes[cell] = writes.get(cell, 0) + 1
    depth = 0
    first: dict[int, Inst] = {}  # by cell: the copy of known numbers that it begins with
    taking: dict[int, tuple[Inst, Inst]] = {}  # by output: the copy that takes such cells, and that copy
    giving: dict[int, int] = {}  # by output: the copy of known numbers alone
    for n, inst in enumerate(insts):
        depth += (inst.op in BLOCKS) - (inst.op in (END_IF, END_FOR))
        if inst.label:
            return False
        if inst.op != "mov" or depth:
            continue
        (source,) = inst.sources
        known = all(isinstance(part.what, Known) for part in source)
        if inst.dst[0] not in outputs:
            first |= {cell: inst for cell in inst.dst if known and writes[cell] > 1}
        elif known:
            giving[outputs[inst.dst[0]][0]] = n
        else:
            whats = [part.what for part in source]
            copies = [first[what] for what in whats if isinstance(what, int) and what in first]
            if copies and all(part.copied >= 0 for part in source):
                taking[outputs[inst.dst[0]][0]] = inst, copies[0]
    for register, n in giving.items():
        taker, copy = taking.get(register, (None, None))
        source = insts[n].sources[0]
        if taker is None or copy is None or len({*copy.sources[0], *source}) > WIDTH or len(copy.dst) + len(source) > WIDTH:
            continue
        cells = tuple([new_cell() for _ in source])
        copy.dst, copy.sources = (*copy.dst, *cells), [(*copy.sources[0], *source)]
        taker.dst = (*taker.dst, *insts[n].dst)
        taker.sources = [(*taker.sources[0], *[Part(cell) for cell in cells])]
        del insts[n]
        return True
    return False


def _once(writers: Sequence[int], following: Sequence[tuple[int, ...]]) -> bool:
    """True if every path has at most one of these instructions, and that at most once."""
    wanted = set(writers)
    for start in writers:
        seen: set[int] = set()
        waiting = list(following[start])
        while waiting:
            n = waiting.pop()
            if n in seen or n >= len(following):
                continue
            if n in wanted:
                return False
            seen.add(n)
            waiting += following[n]
    return True
