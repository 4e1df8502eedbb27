"""Preambles: the registers that a compiler computes before a draw, from the values that the application gives.

A preamble is data that comes with a file. It is read as a function in SSA form, and refused in a sentence where it is not one
of the shader; what it may do is arithmetic, for a bounded number of steps.
"""

from __future__ import annotations

from lanewise.core.cached import lru_cache
from lanewise.core.diagnostics import PortableError
from lanewise.core.numbers.floats import float24_from_float32_bits, float_from_bits, float_from_float24
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.engine.names import UNIFORM_FILES, find
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER
from lanewise.pica200.isa.uniforms import GUARD, PREAMBLE
from lanewise.pica200.sem.vector_numbers import Singles, Words
from lanewise.ssa.interpret import run
from lanewise.ssa.meaning import Meaning
from lanewise.ssa.nodes import LETTERS
from lanewise.ssa.reading import SyntaxFaultError, read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.engine.binding import Uniforms
    from lanewise.pica200.engine.names import Named
    from lanewise.pica200.isa.program import Interface, Preamble
    from lanewise.ssa.function import Declaration, Function
    from lanewise.ssa.nodes import Node

_KINDS = {"uniform": FLOAT, "flag": BOOLEAN, "count": INTEGER, "output": -1}
_MOST_TEXT, _MOST_STEPS = 1 << 20, 200_000
_ENDS = {FLOAT: INTEGER, INTEGER: BOOLEAN, BOOLEAN: BOOLEAN + 16}


class PreambleError(PortableError):
    """A preamble that is not one of the shader, or does not end: why."""


class _Read(Record):
    """A preamble that fits its shader."""

    function: Function
    "What computes it."
    places: Mapping[tuple[str, str], int]
    "First register of each declaration, by kind and name."
    rows: Mapping[tuple[str, str], int]
    "Number of rows of each uniform."
    targets: tuple[tuple[int, int], ...]
    "Register and component of each result."
    guards: Mapping[str, int]
    "Register of the boolean that says whether a count is not 0."


def check_preamble(preamble: Preamble, interface: Interface) -> None:
    """Raise PreambleError for a preamble that is not one of the shader."""
    _read(preamble, interface.uniforms)


def registers_read(preamble: Preamble, named: tuple[Named, ...]) -> list[int]:
    """The registers whose values a preamble takes."""
    found = _read(preamble, named)
    declared = [(place, found.rows.get(key, 1)) for key, place in found.places.items()]
    return sorted({place + n for place, count in declared for n in range(count)} | set(found.guards.values()))


def computed(preamble: Preamble, named: tuple[Named, ...], values: Uniforms) -> dict[int, tuple[float, ...]]:
    """The numbers of each register that a preamble computes. `values` have float32 patterns. Raises PreambleError."""
    found = _read(preamble, named)
    numbers = Words() if preamble.exact else Singles()
    taken = float24_from_float32_bits if preamble.exact else int

    def register(row: int) -> list[int]:
        return [numbers.canonical(taken(word)) for word in values.floats[row - FLOAT]]

    uniforms: dict[str, list[list[int]]] = {}
    flags: dict[str, bool] = {}
    counts: dict[str, int] = {}
    for (kind, name), place in found.places.items():
        if kind == "uniform":
            uniforms[name] = [register(place + n) for n in range(found.rows[kind, name])]
        elif kind == "flag":
            flags[name] = values.booleans[place - BOOLEAN]
        else:
            guard = found.guards.get(name)
            runs = guard is None or values.booleans[guard - BOOLEAN]
            counts[name] = values.integers[place - INTEGER][0] + 1 if runs else 0
    try:
        results = run(found.function, _Total(numbers, {}, uniforms, flags, counts), _MOST_STEPS)
    except RuntimeError as error:
        raise PreambleError(f"the preamble: {error}") from None
    number = float_from_float24 if preamble.exact else float_from_bits
    rows: dict[int, list[float]] = {}
    for (row, component), result in zip(found.targets, results, strict=True):
        rows.setdefault(row, [0.0] * 4)[component] = number(result)
    return {row: tuple(each) for row, each in rows.items()}


class _Total(Meaning[int]):
    """Rows outside of a uniform or a table are zeros."""

    def operate(self, node: Node, sources: Sequence[Sequence[int]]) -> Sequence[int]:
        if node.op in ("uniform_at", "table"):
            first = int(node.immediates[1]) if node.op == "uniform_at" else 0
            count = len(self.uniforms[str(node.immediates[0])]) if node.op == "uniform_at" else len(node.immediates) // 4
            at = self.numbers.value(sources[0][0]) + first
            if not 0 <= at < count:
                return [self.zero] * 4
        return super().operate(node, sources)


@lru_cache(64)
def _read(preamble: Preamble, named: tuple[Named, ...]) -> _Read:
    """A preamble and where its names are. Raises PreambleError."""
    if len(preamble.text) > _MOST_TEXT:
        raise PreambleError(f"the preamble has {len(preamble.text)} characters, expected at most {_MOST_TEXT}")
    try:
        function = read(preamble.text)
    except SyntaxFaultError as error:
        raise PreambleError(f"line {error.line} of the preamble: {error.message}") from None
    places: dict[tuple[str, str], int] = {}
    rows: dict[tuple[str, str], int] = {}
    guards: dict[str, int] = {}
    for declaration in function.declarations:
        if declaration.kind == "output":
            continue
        key = declaration.kind, declaration.name
        if key in places:
            raise PreambleError(f"the preamble declares {declaration.kind} '{declaration.name}' twice")
        places[key], rows[key] = _place(declaration, named)
        guard = find(declaration.name + GUARD, named, UNIFORM_FILES) if declaration.kind == "count" else None
        if guard is not None and guard.first >= BOOLEAN:
            guards[declaration.name] = guard.first
    _check_nodes(function, places, rows)
    own = find(PREAMBLE, named, UNIFORM_FILES)
    size = own.size if own is not None and own.whole and own.first == preamble.register else 0
    return _Read(
        function=function,
        places=places,
        rows=rows,
        targets=tuple([_target(name, preamble.register, size) for name in function.results]),
        guards=guards,
    )


def _place(declaration: Declaration, named: tuple[Named, ...]) -> tuple[int, int]:
    """The first register of a declaration, and how many it has."""
    kind, name = declaration.kind, declaration.name
    if kind not in _KINDS:
        raise PreambleError(f"the preamble declares {kind} '{name}': expected {', '.join(_KINDS)}")
    found = find(name, named, UNIFORM_FILES)
    if found is None or not found.whole or not _KINDS[kind] <= found.first < _ENDS[_KINDS[kind]]:
        raise PreambleError(f"the preamble reads {kind} '{name}', which the shader does not have")
    count = dict(declaration.facts).get("rows", 1) if kind == "uniform" else 1
    if not isinstance(count, int) or not 1 <= count <= found.size:
        raise PreambleError(f"the preamble reads {count} rows of '{name}', which has {found.size}")
    return found.first, count


def _check_nodes(function: Function, places: Mapping[tuple[str, str], int], rows: Mapping[tuple[str, str], int]) -> None:
    """Raise PreambleError for an operation on what is not declared."""
    for node in function.nodes:
        kind = node.op.removesuffix("_at")
        if node.op == "input":
            raise PreambleError(f"the preamble reads input '{node.immediates[0]}', which differs by vertex")
        if kind not in ("uniform", "flag", "count"):
            continue
        key = kind, str(node.immediates[0])
        if key not in places:
            raise PreambleError(f"the preamble reads {kind} '{key[1]}', which it does not declare")
        if node.op == "uniform" and not 0 <= int(node.immediates[1]) < rows[key]:
            raise PreambleError(f"the preamble reads row {node.immediates[1]} of '{key[1]}', which has {rows[key]}")


def _target(name: str, first: int, size: int) -> tuple[int, int]:
    """The register and component of a result, such as `row2.y`."""
    row, _, letter = name.partition(".")
    number = row.removeprefix("row")
    if not number.isdecimal() or len(number) > 2 or int(number) >= size or len(letter) != 1 or letter not in LETTERS:
        raise PreambleError(f"the preamble gives '{name}', which is not a component of its {size} registers")
    return first + int(number), LETTERS.index(letter)
