"""The table of operations: what each means, and the laws that passes may use.

One name has one meaning. Operations that differ on some operand have different names, such as `min` here, which gives the
second where an operand is NaN, and a minimum that gives the number; and `lt`, a truth value, and `set_lt`, 1.0 or 0.0. Results
are rounded as the target rounds; what an operation gives beyond that is the same everywhere.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record, by_position
from lanewise.ssa.nodes import NUMBER, TRUTH, WIDTHS, number_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.ssa.nodes import Immediate

# Laws.
COMMUTES = "commutes"  # the first two sources can change places: where both are NaN, either may be the result


class Operation(Record):
    """A row of the table."""

    name: str
    "One name has one meaning."
    sources: str
    "Their classes: `n` numbers of one width, `1` one number, `t` a truth value; `+` after it: one or more."
    immediates: str
    "Their classes: `name`, `int`, `float`; `+` after it: one or more."
    result: str
    "Its type; or `n` as wide as the sources, `count` as the number of sources or immediates, `width` as the immediate says."
    meaning: str
    "Of one lane."
    laws: tuple[str, ...] = ()
    "The laws that passes may use."


_row = by_position(Operation)

_ROWS = (
    # name          sources  immediates    result     meaning
    _row("const",     "",    "float+",   "count",   "known numbers, rounded as the target does"),
    _row("undefined", "",    "int",      "width",   "any numbers; the interpreter takes 0.0"),
    _row("parameter", "",    "",         "",        "what the block is entered with"),
    _row("input",     "",    "name",     "number4", "an input of the run; the lanes that it lacks are (0, 0, 0, 1)"),
    _row("uniform",   "",    "name int", "number4", "a row of a uniform"),
    _row("uniform_at", "1",  "name int", "number4", "a row of a uniform, plus a number; undefined outside of the uniform"),
    _row("table",     "1",   "float+",   "number4", "a row of known rows of four by its number; undefined outside of them"),
    _row("flag",      "",    "name",     "truth",   "a boolean that the application sets"),
    _row("count",     "",    "name",     "number",  "a whole number that the application sets"),
    _row("pack",      "1+",  "",         "count",   "numbers side by side"),
    _row("add",       "n n", "",         "n",       "a + b", (COMMUTES,)),
    _row("mul",       "n n", "",         "n",       "a * b; 0 * infinity is the target's", (COMMUTES,)),
    _row("mad",       "n n n", "",       "n",       "a * b + c, rounded once or twice as the target does", (COMMUTES,)),
    _row("dot",       "n n", "",         "number",  "the sum of a * b by lane, added in the order of the target", (COMMUTES,)),
    _row("min",       "n n", "",         "n",       "a < b ? a : b; the second where an operand is NaN, and of 0 and -0"),
    _row("max",       "n n", "",         "n",       "a > b ? a : b; the second where an operand is NaN, and of 0 and -0"),
    _row("floor",     "n",   "",         "n",       "the largest whole number that is not above a"),
    _row("trunc",     "n",   "",         "n",       "a without its fraction, toward zero"),
    _row("rcp",       "n",   "",         "n",       "1 / a, as exact as the target's"),
    _row("rsq",       "n",   "",         "n",       "1 / sqrt(a), as exact as the target's"),
    _row("exp2",      "n",   "",         "n",       "2 to the power of a, as exact as the target's"),
    _row("log2",      "n",   "",         "n",       "the logarithm of a, base 2, as exact as the target's"),
    _row("set_lt",    "n n", "",         "n",       "1.0 where a < b, else 0.0, of NaN too"),
    _row("set_le",    "n n", "",         "n",       "1.0 where a <= b, else 0.0, of NaN too"),
    _row("set_eq",    "n n", "",         "n",       "1.0 where a = b, else 0.0, of NaN too", (COMMUTES,)),
    _row("set_ne",    "n n", "",         "n",       "0.0 where a = b, else 1.0, of NaN too", (COMMUTES,)),
    _row("set_and",   "n n", "",         "n",       "1.0 where both are 1.0, else 0.0", (COMMUTES,)),
    _row("set_or",    "n n", "",         "n",       "1.0 where one is 1.0, else 0.0", (COMMUTES,)),
    _row("set_not",   "n",   "",         "n",       "0.0 where a is 1.0, else 1.0"),
    _row("select",    "n n n", "",       "n",       "the second where the first is 1.0, else the third"),
    _row("lt",        "1 1", "",         "truth",   "a < b; false of NaN"),
    _row("le",        "1 1", "",         "truth",   "a <= b; false of NaN"),
    _row("eq",        "1 1", "",         "truth",   "a = b; false of NaN", (COMMUTES,)),
    _row("ne",        "1 1", "",         "truth",   "not a = b; true of NaN", (COMMUTES,)),
    _row("is_one",    "1",   "",         "truth",   "a is 1.0: the truth value of 1.0 and 0.0"),
    _row("one_if",    "t",   "",         "number",  "1.0 where a is true, else 0.0"),
    _row("known",     "",    "int",      "truth",   "true (1) or false (0)"),
)  # fmt: skip

OPERATIONS: Mapping[str, Operation] = {row.name: row for row in _ROWS}

_IMMEDIATES = {"int": ("int",), "float": ("int", "float"), "name": ("str",)}  # the classes of immediates


def result_type(row: Operation, sources: Sequence[str], immediates: Sequence[Immediate]) -> str:
    """The type of an operation on sources of these types. Raises ValueError that says what is wrong with them."""
    _check_immediates(row, immediates)
    _check_sources(row, sources)
    if row.result == "count":
        return _wide(row, len(sources) or len(immediates))
    if row.result == "width":
        return _wide(row, int(immediates[0]))
    return sources[0] if row.result == "n" else row.result


def _wide(row: Operation, width: int) -> str:
    if not 1 <= width <= 4:
        raise ValueError(f"{row.name} has {width} lanes, expected 1 to 4")
    return number_type(width)


def _check_immediates(row: Operation, immediates: Sequence[Immediate]) -> None:
    kinds = row.immediates.split()
    if row.immediates.endswith("+"):
        kinds = [row.immediates[:-1]] * max(1, len(immediates))
    if len(kinds) != len(immediates):
        raise ValueError(f"{row.name} has {len(immediates)} immediates, expected {len(kinds)}")
    for kind, immediate in zip(kinds, immediates, strict=True):
        if type(immediate).__name__ not in _IMMEDIATES[kind]:
            raise ValueError(f"{row.name} has the immediate {immediate!r}, expected {kind}")
    if row.name == "table" and len(immediates) % 4:
        raise ValueError(f"table has {len(immediates)} numbers, expected rows of 4")


def _check_sources(row: Operation, sources: Sequence[str]) -> None:
    classes = row.sources.split()
    if row.sources.endswith("+"):
        classes = [row.sources[:-1]] * max(1, len(sources))
    if len(classes) != len(sources):
        raise ValueError(f"{row.name} has {len(sources)} sources, expected {len(classes)}")
    for number, (kind, source) in enumerate(zip(classes, sources, strict=True), 1):
        expected = {"1": NUMBER, "t": TRUTH}.get(kind, "")
        if expected and source != expected:
            raise ValueError(f"source {number} of {row.name} is a {source}, expected a {expected}")
        if not expected and (source == TRUTH or WIDTHS[source] != WIDTHS[sources[0]]):
            raise ValueError(f"source {number} of {row.name} is a {source}, expected numbers of one width")
    if row.name == "dot" and WIDTHS[sources[0]] < 2:
        raise ValueError("dot has sources of 1 lane, expected 2 to 4")
