"""Counters of loops: which rows the index register of a loop serves, and whether the counter is needed as a number too."""

from __future__ import annotations

from lanewise.compile.vector import code as v
from lanewise.compile.vector.code import Ref
from lanewise.compile.vector.walk import operands_of, statements
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.compile.pica200.uses import Uses
    from lanewise.compile.vector.code import Statement

    _Holds = Callable[[v.Row, int], bool]  # whether a row can be named with a number added

_MOST_OFFSET = 127  # what an index register adds is a byte with a sign


def counter_uses(s: v.For, uses: Uses, holds: _Holds) -> tuple[int, bool]:
    """The scale of a loop's counter that its index register holds, 0 for none; and whether the counter is needed as a
    number."""
    every = list(statements(s.body))
    rows: dict[int, int] = {}  # by scale: how many rows it serves
    # The value of aL after an inner loop is not known.
    for each in every if not any(isinstance(inner, v.For) for inner in every) else ():
        if isinstance(each, v.Row) and each.offset is not None:
            found = uses.affine(each.offset, s.counter)
            if found is not None and _counts(s, found[0]) and holds(each, found[1]):
                rows[found[0]] = rows.get(found[0], 0) + 1
    scale = max(rows, key=lambda scale: rows[scale], default=0)
    readers: dict[int, list[Statement]] = {}
    for each in every:
        for operand in operands_of(each):
            for ref in operand:
                readers.setdefault(ref.value, []).append(each)
    return scale, _numbered(s.counter, s.counter, scale, readers, uses, holds)


def _numbered(value: int, counter: int, scale: int, readers: dict[int, list[Statement]], uses: Uses, holds: _Holds) -> bool:
    """Whether something but rows at the index register reads a value that comes from a counter."""
    for each in readers.get(value, ()):
        if isinstance(each, v.Row) and each.offset is not None:
            found = uses.affine(each.offset, counter)
            if found is None or found[0] != scale or not holds(each, found[1]):
                return True
        elif (
            not isinstance(each, v.Operate)
            or each.op == v.DOT
            or uses.affine(Ref(each.result), counter) is None
            or len(each.operands[0]) > 1
            or _numbered(each.result, counter, scale, readers, uses, holds)
        ):
            return True
    return False


def _counts(s: v.For, scale: int) -> bool:
    """Whether an index register can count so: in bytes without a sign, up to what it adds. A row that is outside of its uniform
    is undefined."""
    start, step = s.start * scale, s.step * scale
    last = start + step * (s.turns - 1) if isinstance(s.turns, int) else start
    return 0 <= start <= _MOST_OFFSET and 0 <= step <= _MOST_OFFSET and last <= _MOST_OFFSET
