"""Bind user data to the registers of a Direct3D 9 shader.

Inputs, constants, integers and booleans by name.

Whatever is wrong with the values is a `Diagnostic`; all of them are found in one go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lanewise.arrays.lists import Lists, asarray, broadcast, clipped, float32_patterns, table
from lanewise.arrays.words import FILL, MASKED, Words, by_name, is_masked, masked_at
from lanewise.core.diagnostics import ERROR, INPUT, UNIFORM, About, Diagnostic, InputError
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.interface import find
from lanewise.direct3d9.sem.algebra import ONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.direct3d9.isa.interface import Port
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow

T = TypeVar("T")

DEFAULTS = (0, 0, 0, ONE)  # what a component of an input is that nobody gives
MOST_ITERATIONS = 100_000
MOST_LANES = 1 << 24
CONSTANTS, INTEGERS = 8192, 2048  # registers that the software versions have
_REGISTER = re.compile(r"([cib])(\d{1,4})", re.IGNORECASE)
_ELEMENT = re.compile(r"(.+)\[(\d{1,4})\]")
_OTHER_OPTION = {
    "b": "give it by `--bool` (booleans=)",
    "i": "give it by `--int` (integers=)",
    "c": "give it by `--uniform` (uniforms=)",
}
_BUMP = re.compile(r"bump(\d{1,2})", re.IGNORECASE)


class Fetch(NamedTuple):
    """The request of a texture instruction to a sampler function: the instruction, (k, 4) coordinates, the numbers of the k
    pixels, and of texldd two gradients like the coordinates. texldp's coordinates are divided already; w is the bias of texldb,
    the level of texldl."""

    instruction: str
    coordinates: NDArray[np.float32]
    pixels: NDArray[np.int64]
    gradients: tuple[NDArray[np.float32], ...] = ()


class Named(Record):
    """A constant with a name, from a constant table."""

    name: str
    "The name in the shader's source."
    file: str
    "Its register file: `c`, `i`, `b` or `s`; empty: an unknown one."
    first: int
    "The number of its first register."
    size: int
    "How many registers it has; registers at the end of its type that nothing reads may be missing."
    rows: int
    "How many registers its type has."
    default: tuple[tuple[int, ...], ...] = ()
    "Its value where a run gives none: four patterns for each register of the file `c`; empty: it has none."


class Data(Record):
    """The data of a run."""

    lanes: int
    "How many lanes there are."
    inputs: Mapping[tuple[int, int], NDArray[np.uint32]]
    "Patterns (lanes, 4) by (file, number)."
    constants: Mapping[int, tuple[int, ...]]
    "Four patterns by c#, with those that the shader defines."
    integers: Mapping[int, tuple[int, ...]]
    "Four patterns by i#."
    booleans: Mapping[int, bool]
    "Values by b#."
    bumps: Mapping[int, tuple[int, ...]]
    "Four patterns by stage: its bump matrix, and at 16 more its luminance."
    samplers: Mapping[int, object]
    "An array or a function by s#."
    iterations: int = MOST_ITERATIONS
    "The most iterations of all loops."
    partial: Mapping[int, int] = {}
    "By c#, how many components a run gives, where they are fewer than four; the others are 0."


class Raw(NamedTuple):
    """The result of an engine: (lanes, 4) patterns by (file, number), and the pixels stopped by texkill, None without one."""

    outputs: Mapping[tuple[int, int], NDArray[np.uint32]]
    killed: NDArray[np.bool_] | None


def patterns(value: object, what: str, found: list[Diagnostic], most: int = 4) -> NDArray[np.uint32] | None:
    """(rows, 1 to `most`) float32 patterns of numbers, or of raw words; None, with a finding, for anything else."""
    raw = isinstance(value, Words)
    if is_masked(value):
        return _wrong(found, "B003", f"{what} {MASKED}{masked_at(value)}", FILL)
    try:
        table = by_name(value)
    except ValueError as error:
        from lanewise.arrays.unfit import columns_fix, columns_of

        return _wrong(found, "B002", f"{what} {error}", columns_fix(columns_of(value), what))
    try:
        array, wrong = asarray(table.array if isinstance(table, Words) else table), None
    except (ValueError, TypeError, OverflowError, RuntimeError) as error:
        array, wrong = None, error
    if raw and array is not None and array.dtype.kind not in "iu":
        return _wrong(found, "B003", f"{what} is not an array of words", "give integers")
    if array is None or array.dtype.kind not in "fiub":
        from lanewise.arrays.unfit import not_numbers

        unfit = not_numbers(value, array, wrong)
        return _wrong(found, "B003", f"{what} {unfit.what}", unfit.fix)
    if array.ndim == 0:
        array = array.reshape(1)
    if array.ndim > 2 or not 1 <= array.shape[-1] <= most or array.shape[0] < 1:
        from lanewise.arrays.unfit import constant_fix, shape_fix

        expected = f"expected rows of 1 to {most} numbers, or one row"
        several = what.startswith("constant ") and array.ndim == 1 and len(array)
        fix = constant_fix(array.tolist()) if several else shape_fix(array.shape, most, value)
        return _wrong(found, "B002", f"{what} has the shape {array.shape}, {expected}", fix)
    grid = array.reshape(-1, array.shape[-1])
    if raw:
        if int(grid.min()) < 0 or int(grid.max()) >= 1 << 32:
            return _wrong(found, "B007", f"{what}: a word has 32 bits", "use words from 0 to 0xFFFFFFFF")
        return grid if isinstance(grid, Lists) else grid.astype("uint32")
    return float32_patterns(grid)


def _wrong(found: list[Diagnostic], code: str, message: str, fix: str, *about: About) -> None:
    found.append(Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=""), notes=(), fix=fix, about=about))


def _about(found: list[Diagnostic], first: int, kind: str, name: str) -> None:
    """Findings from the `first` on are about a value."""
    found[first:] = [finding if finding.about else finding._replace(about=(About(kind, name),)) for finding in found[first:]]


def bind(
    flow: Flow,
    ports: Sequence[Port],
    rule: Rule,
    *,
    inputs: Mapping[str, object],
    constants: Mapping[str, object],
    integers: Mapping[str, object],
    booleans: Mapping[str, object],
    samplers: Mapping[int, object],
    named: Sequence[Named] = (),
    count: int | None = None,
    iterations: int = MOST_ITERATIONS,
) -> Data:
    """Values by name to registers. `count` is how many lanes there are: by default as many as the inputs have rows. Raises
    InputError."""
    found: list[Diagnostic] = []
    rows = _inputs(ports, inputs, found)
    lanes = _count({name: len(grid) for name, (_, grid) in rows.items()}, count, found)
    tables = _Tables(named, found)
    kinds = ((constants, tables.constant), (integers, tables.integer), (booleans, tables.boolean))
    for values, put in kinds:
        for name, value in values.items():
            first = len(found)
            put(name, value)
            _about(found, first, UNIFORM, name)
    if not found:
        _check_counts(flow, tables.integers, found)
    if found:
        raise InputError(found)
    columns: dict[tuple[int, int], NDArray[np.uint32]] = {}
    defaults = table([DEFAULTS], "u", 4)
    for port, grid in rows.values():
        whole = columns.setdefault((port.file, port.number), broadcast(defaults, (lanes, 4)).copy())
        given = port.components[: grid.shape[1]] if port.mask != isa.ALL else range(grid.shape[1])
        for n, component in enumerate(given):
            whole[:, component] = grid[:lanes, n] if len(grid) > 1 else grid[0, n]
    presets = _presets(named)
    partial = {number: width for number, width in tables.widths.items() if number not in flow.constants}
    for number in partial.keys() & presets.keys():
        width = partial.pop(number)
        tables.constants[number] = (*tables.constants[number][:width], *presets[number][width:])
    data = Data(
        lanes=lanes,
        inputs=columns,
        constants=presets | tables.constants | dict(flow.constants),
        integers=tables.integers,
        booleans=tables.booleans,
        bumps=tables.bumps,
        samplers=dict(samplers),
        iterations=iterations,
        partial=partial,
    )
    return limited(flow, rule, data)


def _presets(named: Sequence[Named]) -> dict[int, tuple[int, ...]]:
    """The constants to which the file gives a value that a run may replace."""
    return {n: row for entry in named if entry.file == "c" for n, row in enumerate(entry.default, entry.first)}


def limited(flow: Flow, rule: Rule, data: Data) -> Data:
    """ps_1_x holds its constants and colors between limits, if so chosen."""
    if flow.version.kind != isa.PIXEL or flow.version.major >= 2:
        return data
    constants, inputs = data.constants, dict(data.inputs)
    if rule.choices.value("ps1_constants") == "clamped":
        constants = {n: tuple(clipped(table(values, "u"), -1.0).tolist()) for n, values in constants.items()}
    if rule.choices.value("ps1_colors") == "clamped":
        inputs |= {key: clipped(grid, 0.0) for key, grid in inputs.items() if key[0] == isa.INPUT}
    return data._replace(constants=constants, inputs=inputs)


def _inputs(
    ports: Sequence[Port], inputs: Mapping[str, object], found: list[Diagnostic]
) -> dict[str, tuple[Port, NDArray[np.uint32]]]:
    rows: dict[str, tuple[Port, NDArray[np.uint32]]] = {}
    taken: dict[tuple[int, int, int], str] = {}
    for name, value in inputs.items():
        ports_found = find(ports, name)
        if not ports_found:
            listed = ", ".join(dict.fromkeys(port.name for port in ports)) or "none"
            _wrong(found, "B001", f"unknown input '{name}'", f"use one of {listed}", About(INPUT, name))
            continue
        first = len(found)
        grid = patterns(value, f"input {name}", found)
        _about(found, first, INPUT, name)
        if grid is None:
            continue
        if len(grid) > MOST_LANES:
            most = f"give at most {MOST_LANES} at once"
            _wrong(found, "B008", f"input {name} has {len(grid)} rows", most, About(INPUT, name))
            continue
        port = ports_found[0]._replace(mask=isa.ALL) if len(ports_found) > 1 else ports_found[0]
        key = (port.file, port.number, port.mask)
        if key in taken:
            about = About(INPUT, name), About(INPUT, taken[key])
            _wrong(found, "B006", f"{name} and {taken[key]} are the same register", "give one of them", *about)
        taken[key] = name
        rows[name] = port, grid
    return rows


def _count(sizes: Mapping[str, int], asked: int | None, found: list[Diagnostic]) -> int:
    several = {size for size in sizes.values() if size > 1}
    if len(several) > 1:
        from lanewise.arrays.unfit import rows_fix

        listed = ", ".join(f"{name} {size}" for name, size in sizes.items())
        _wrong(
            found,
            "B008",
            f"inputs have different numbers of rows: {listed}",
            rows_fix({name: size for name, size in sizes.items() if size > 1}),
            *[About(INPUT, name) for name, size in sizes.items() if size > 1],
        )
        return 1
    count = max(several, default=1) if asked is None else asked
    if count < 1 or count > MOST_LANES or (several and count > min(several)):
        about = [About(INPUT, name) for name, size in sizes.items() if size > 1]
        _wrong(found, "B008", f"{count} lanes requested", f"there are {min(several, default=1)}", *about)
        return 1
    return count


class _Tables:
    """The constant registers of a run."""

    def __init__(self, named: Sequence[Named], found: list[Diagnostic]) -> None:
        self._named = {entry.name: entry for entry in named}
        self._found = found
        self.constants: dict[int, tuple[int, ...]] = {}
        self.widths: dict[int, int] = {}  # of constants with fewer than four components
        self.integers: dict[int, tuple[int, ...]] = {}
        self.booleans: dict[int, bool] = {}
        self.bumps: dict[int, tuple[int, ...]] = {}

    def _place(self, key: str, file: str) -> tuple[int, int] | None:
        """(first register, how many there may be) of a name; None, with a finding, for an unknown name."""
        element = _ELEMENT.fullmatch(key)
        entry = self._named.get(key) or (self._named.get(element[1]) if element else None)
        if entry is not None:
            skipped = int(element[2]) if element and key not in self._named else 0
            if entry.file == file and skipped < entry.size:
                return entry.first + skipped, entry.size - skipped
        register = _REGISTER.fullmatch(key.strip())
        most = CONSTANTS if file == "c" else INTEGERS
        if entry is None and register and register[1].lower() == file and int(register[2]) < most:
            return int(register[2]), most - int(register[2])
        what = {"c": "constant", "i": "integer", "b": "boolean"}[file]
        listed = [entry.name for entry in self._named.values() if entry.file == file]
        other = register[1].lower() if register else file
        _wrong(
            self._found,
            "B001",
            f"unknown {what} '{key}'",
            _OTHER_OPTION[other]
            if other != file
            else f"write {file}0, {file}1, ..." + (f" or {', '.join(listed)}" if listed else ""),
        )
        return None

    def constant(self, key: str, value: object) -> None:
        bump = _BUMP.fullmatch(key)
        if bump:
            grid = patterns(value, key, self._found, 6)
            if grid is not None:
                row = [*grid.reshape(-1).tolist(), *[0] * 6]
                self.bumps |= {int(bump[1]): tuple(row[:4]), int(bump[1]) + 16: (*row[4:6], 0, 0)}
            return
        entry, element, register = self._named.get(key), _ELEMENT.fullmatch(key), _REGISTER.fullmatch(key.strip())
        whole = entry or (self._named.get(element[1]) if element else None)
        file = whole.file if whole is not None else register[1].lower() if register else "c"
        if file in ("i", "b"):
            (self.integer if file == "i" else self.boolean)(key, _whole(value))
            return
        place, grid = self._place(key, "c"), patterns(value, f"constant {key}", self._found)
        if place is None or grid is None:
            return
        if entry is not None and len(grid) <= entry.rows:
            grid = grid[: place[1]]
        if len(grid) > place[1]:
            _wrong(self._found, "B002", f"constant {key} has {len(grid)} rows", f"it is {place[1]} registers")
            return
        for number, row in enumerate(grid.tolist(), place[0]):
            self._put(self.constants, number, tuple([*row, 0, 0, 0][:4]), f"c{number}")
            if len(row) < 4:
                self.widths[number] = len(row)

    def integer(self, key: str, value: object) -> None:
        """One to four whole numbers; those that are not given are 0."""
        place = self._place(key, "i")
        array = _array(value)
        if is_masked(value):
            _wrong(self._found, "B003", f"integer {key} {MASKED}", FILL)
        elif array.dtype.kind not in "iub" or array.ndim > 1 or not 1 <= array.size <= 4:
            _wrong(self._found, "B003", f"integer {key} is not an array of integers", "give one to four: count, start, step")
        elif any(not -(1 << 31) <= n < 1 << 32 for n in array.reshape(-1).tolist()):
            _wrong(self._found, "B007", f"integer {key} has more than 32 bits", "use smaller numbers")
        elif place is not None:
            row = [int(n) & 0xFFFFFFFF for n in array.reshape(-1).tolist()]
            self._put(self.integers, place[0], tuple([*row, 0, 0, 0][:4]), f"i{place[0]}")

    def boolean(self, key: str, value: object) -> None:
        place = self._place(key, "b")
        array = _array(value)
        if is_masked(value):
            _wrong(self._found, "B003", f"boolean {key} {MASKED}", FILL)
        elif array.dtype.kind not in "iub" or array.size != 1:
            _wrong(self._found, "B003", f"boolean {key} is neither true nor false", "give true, false, 1 or 0")
        elif place is not None:
            self._put(self.booleans, place[0], bool(array.reshape(-1)[0]), f"b{place[0]}")

    def _put(self, table: dict[int, T], number: int, value: T, what: str) -> None:
        if number in table:
            _wrong(self._found, "B006", f"{what} is given twice", "give it once")
        table[number] = value


def _array(value: object) -> NDArray[Any]:
    """The array of a value; one of no numbers for what has none."""
    try:
        return asarray(value)
    except (ValueError, TypeError, OverflowError, RuntimeError):
        return asarray(None)


def _whole(value: object) -> object:
    """Floating-point numbers that are whole as integers; anything else unchanged."""
    if isinstance(value, Words) or is_masked(value):
        return value
    try:
        array = asarray(value)
    except (ValueError, TypeError):
        return value
    if array.dtype.kind != "f":
        return value
    numbers: list[float] = array.reshape(-1).tolist()
    whole = all(number.is_integer() and abs(number) < 1 << 53 for number in numbers)
    return asarray([int(number) for number in numbers]).reshape(*array.shape) if whole else value


def _check_counts(flow: Flow, integers: Mapping[int, tuple[int, ...]], found: list[Diagnostic]) -> None:
    for inst in flow.insts:
        if inst.op.part == isa.OPENS and inst.op.block in (isa.LOOP_BLOCK, isa.REP_BLOCK) and inst.sources:
            number = inst.sources[-1].number
            count = signed(flow.integers.get(number) or integers.get(number) or (0,))
            if not 0 <= count <= 255:
                found.append(
                    Diagnostic(
                        code="R306",
                        severity=ERROR,
                        message=f"count of i{number} is {count}, expected 0 to 255",
                        span=inst.place or Span(file=""),
                        notes=(),
                        fix="use a count from 0 to 255",
                    )
                )


def signed(values: Sequence[int], component: int = 0) -> int:
    """A component of an i# as a number."""
    word = values[component] if component < len(values) else 0
    return word - (1 << 32) if word >> 31 else word
