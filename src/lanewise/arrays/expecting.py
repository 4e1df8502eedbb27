"""Expected results of a run: `Case`, compared with a result of any instruction set."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from lanewise.arrays.results import LETTERS
from lanewise.arrays.words import COLUMNS, FILL, MASKED, Words, by_name, is_masked
from lanewise.core.diagnostics import ERROR, OUTPUT, About, Diagnostic, InputError
from lanewise.core.numbers.floats import float_from_float24
from lanewise.core.objects import checked_fields
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from lanewise.arrays.results import Result
    from lanewise.core.shadertests import ShaderTests

    Values = Mapping[str, Any]

MOST_SHOWN = 8
_BARE = "-"  # the letter of what has no components


class _Float(NamedTuple):
    """The patterns of a float format: sign bit, magnitude, the pattern of infinity, hexadecimal digits."""

    sign: int
    magnitude: int
    infinity: int
    digits: int


_LEAST = 2.0**-60  # numbers of a usual size are above
_FLOATS = {"float24": _Float(0x800000, 0x7FFFFF, 0x7F0000, 6), "float32": _Float(1 << 31, 0x7FFFFFFF, 0x7F800000, 8)}


@checked_fields
@dataclass(frozen=True, kw_only=True)
class Case:
    """A run and its expected results. Data and settings are as for `run` of the program.

    The results expected of an output or register are an array of (vertices, components), or one vector of 1 to 4 numbers for
    all vertices; a longer vector is x of each vertex; `Words` are compared bit by bit.
    """

    outputs: Values
    "Expected outputs by semantic, register or name in the source, with the components meant after a dot (`color.xy`)."
    inputs: Values | None = None
    "Inputs by usage, register or name in the source; None for none."
    uniforms: Values | None = None
    "Uniforms or constants by name or register; None for none."
    tolerance: Any = 0
    'Steps of the format that a result may be off, for all outputs or by key; `{"abs": 0.01, "ulp": 2}` allows either.'
    profile: Any = None
    "Profile, or its name; PICA200 only."
    count: int | None = None
    "The number of lanes; None for as many as the inputs have."
    indices: Any = None
    "The order of vertices; PICA200 pipelines only."
    geometry_uniforms: Values | None = None
    "Uniforms of the geometry shader; PICA200 only."
    topology: str | None = None
    "How indices become triangles; PICA200 pipelines only."
    vertices_per_primitive: int | None = None
    "Vertices of a run of the geometry shader in point mode; PICA200 pipelines only."
    registers: Values | None = None
    "Expected registers at the end, by name as in `outputs`; None: not compared."
    killed: Any = None
    "Whether pixels are discarded, one truth value for all or one for each; None: not compared."
    faults: Any = None
    'The code with which all lanes stop, or one for each, "" for a lane that ends; None: none may stop.'
    cycles: int | None = None
    "The time that the run takes, where a device has a timing; None: not compared."
    integers: Values | None = None
    "Integer constants by name; Direct3D 9 only."
    booleans: Values | None = None
    "Boolean constants by name; Direct3D 9 only."
    samplers: Values | None = None
    "Pictures by sampler; Direct3D 9 only."
    initial: Values | None = None
    "Registers before the run; ShaderCore only."
    defaults: int | None = None
    "The value of what has no data; None where that is an error."
    device: Any = None
    "Device, or its name; ShaderCore only."
    rule: Any = None
    "Number rule, or its name; Direct3D 9 only."
    shader: str | int | None = None
    "The name or number of one of the shaders of a file; PICA200 only."


# The fields of a case that every instruction set has.
COMMON = ("outputs", "tolerance", "count", "registers", "faults", "defaults")


class Tolerance(NamedTuple):
    """How far a number may be off: steps of its format, or a difference."""

    ulp: int = 0
    difference: float = 0.0


class Mismatch(Record):
    """A component that differs."""

    key: str
    "The output, or the register."
    component: str
    "Its letter; empty for an output or register without components."
    lane: int
    "The number of the lane from 0, through all primitives where there are some."
    expected: int
    "The expected pattern, as bits."
    got: int
    "The pattern of the run, as bits."
    ulps: int | None
    "Steps of the format between the two patterns; None where one of them is NaN, for `Words`, and for formats without steps."
    allowed: int
    "Steps that the tolerance allows."
    written: bool
    "The program has written the component, as far as the result tells."
    format: str = "float24"
    "The format of the patterns."
    unit: str = "vertex"
    "The word for a lane, such as vertex or lane."
    exact: bool = False
    "The patterns had to be equal bit by bit."
    difference: float = 0.0
    "The absolute difference that the tolerance allows as well; 0.0: none."

    @property
    def vertex(self) -> int:
        """The number of the lane."""
        return self.lane

    def __str__(self) -> str:
        nobody = "" if self.written else "; never written"
        where = f"{self.key}.{self.component}" if self.component else self.key
        return (
            f"{where} of {self.unit} {self.lane}: expected {shown(self.expected, self.format)}, got "
            f"{shown(self.got, self.format)}{self._apart()}{nobody}"
        )

    def _apart(self) -> str:
        if self.exact:
            if self.format == "float24" and self.expected - self.got == 1:
                return f": one step apart, numbers are rounded toward zero, not to the nearest; write 0x{self.got:06X} for that"
            return ": the bits differ"
        if self.format not in _FLOATS:
            return ""
        if self.ulps is None:
            return ": one of them is NaN"
        steps = f": {self.ulps} ulp{'' if self.ulps == 1 else 's'} apart, {self.allowed} allowed"
        return steps + (f", or {self.difference:g}" if self.difference else "")


def shown(pattern: int, form: str) -> str:
    """`0.5 [3e0000]`."""
    if form not in _FLOATS:
        return str(int(number(pattern, form)))
    return f"{number(pattern, form):.9g} [{pattern:0{_FLOATS[form].digits}x}]"


def number(pattern: int, form: str) -> float:
    """The number that a pattern is."""
    if form not in _FLOATS:
        return pattern - (1 << 32) if pattern >> 31 else pattern
    return float_from_float24(pattern) if form == "float24" else struct.unpack("<f", struct.pack("<I", pattern))[0]


def ulps(first: NDArray[np.uint32], second: NDArray[np.uint32], form: str = "float24") -> NDArray[np.int64]:
    """The steps between patterns: 1 for neighbours, 0 for zeros of both signs and for two NaN; -1 where one of them is NaN.

    Infinity is one step from the largest number.
    """
    sign, magnitude, infinity, _ = _FLOATS[form]
    places = [np.where(words & sign, -1, 1) * (words & magnitude).astype(np.int64) for words in (first, second)]
    nan = [(words & magnitude) > infinity for words in (first, second)]
    steps = np.abs(places[0] - places[1])
    return np.where(nan[0] & nan[1], 0, np.where(nan[0] | nan[1], -1, steps))


def differences(result: Result, case: Case, tests: ShaderTests, program: object, file: str) -> tuple[list[Mismatch], list[str]]:
    """The components that differ, by output as listed, then by lane; then what else does, as lines. Raises InputError for
    expectations that do not fit."""
    compared = _Comparison(result, case, tests, program, file)
    found = [mismatch for key, values in case.outputs.items() for mismatch in compared.output(key, values)]
    found += [mismatch for key, values in (case.registers or {}).items() for mismatch in compared.register(key, values)]
    lines = [*compared.killed(), *compared.faults()]
    if case.cycles is not None and tests.cycles is not None:
        cycles = tests.cycles(program, case)
        if cycles != case.cycles:
            device = f" on {tests.device_of_cycles(program, case, cycles)}" if tests.device_of_cycles is not None else ""
            lines.append(f"cycles: expected {case.cycles}, got {cycles}{device}")
    if compared.findings:
        raise InputError(compared.findings)
    return found, lines


def _range(name: str, names: Iterable[str]) -> str:
    """The fix for a number beyond those of a file of registers; empty for any other name."""
    file = name.rstrip("0123456789")
    numbers = sorted([int(rest) for each in names if (rest := each.removeprefix(file)).isdecimal() and each != rest])
    if not file or file == name or numbers != list(range(len(numbers))) or len(numbers) < 2:
        return ""
    return f"use {file}0 to {file}{numbers[-1]}"


class _Place(Record):
    """One output or register of a result."""

    key: str
    "Its name in the result."
    bits: NDArray[np.uint32]
    "Its patterns (lanes, components)."
    written: NDArray[np.bool_] | None
    "Components that were written (lanes, components); None: not known."
    letters: str
    "The letter of each column of `bits`; `-` for the only one of a place without components."
    format: str
    "The format of the patterns."


class _Comparison:
    """A result while it is compared; findings are about the expectations."""

    def __init__(self, result: Result, case: Case, tests: ShaderTests, program: object, file: str) -> None:
        self.result, self.case, self.file = result, case, file
        self.findings: list[Diagnostic] = []
        self._encode: Callable[[Any, str], Any] = tests.encode or encode
        self._exact = tests.exact
        self._ports = {port.name: port for port in result.ports}
        names: dict[str, str] = {}
        for port in result.ports:
            names.setdefault(port.register, port.name)
        self._names = {
            **names,
            **(tests.names(program) if tests.names is not None else {}),
            **{name: name for name in self._ports},
        }

    def output(self, key: str, values: object) -> list[Mismatch]:
        """The differences in an output that a key names."""

        def place(name: str) -> _Place | None:
            port = self._ports.get(self._names.get(name, ""))
            if port is not None:
                written = self.result.written[port.name] if self.result.written is not None else None
                bits, form = self.result.bits, self.result.format
                if isinstance(values, Words) and self._exact is not None:
                    bits, form = self._exact(self.result)
                found = bits[port.name].reshape(len(self.result.bits[port.name]), -1)
                return _Place(key=port.name, bits=found, written=written, letters=port.components or _BARE, format=form)
            return None

        return self._compared("output", key, values, place, self._names, list(self._ports))

    def register(self, key: str, values: object) -> list[Mismatch]:
        """The differences in a register at the end."""
        try:
            registers = self.result.registers
        except ValueError as error:
            fix = "leave registers out: only outputs can be compared"
            self.findings.append(_finding("B001", str(error), fix, self.file))
            return []

        def place(name: str) -> _Place | None:
            bits = registers.get(name)
            if bits is None:
                return None
            bits = bits[: self.result.lanes]  # a wave has lanes without a vertex, too
            form = self.result.register_formats.get(name, self.result.format)
            return _Place(
                key=name, bits=bits, written=None, letters=LETTERS[: bits.shape[1]] if bits.shape[1] > 1 else _BARE, format=form
            )

        return self._compared("register", key, values, place, registers, list(registers))

    def _of_float32(self, expected: NDArray[Any], most: int, form: str) -> str:
        """The meaning of the first word that is too large, where it may be a pattern of float32; empty for others."""
        words = [int(word) for word in expected.reshape(-1) if word > most]
        if most == 0xFFFFFFFF or not words or words[0] >> 32:
            return ""
        number = float(np.array(words[0], np.uint32).view(np.float32))
        if not _LEAST < abs(number) < 1 / _LEAST:
            return ""
        word = int(np.asarray(self._encode(np.array([number]), form))[0])
        return (
            f": {words[0]:#010x} is {number:g} as float32, as {form} it is {word:#08x}; words of an emulator with float32 are "
            "compared under its `profile`"
        )

    def _compared(
        self,
        what: str,
        key: str,
        values: object,
        place: Callable[[str], _Place | None],
        names: Mapping[str, object],
        listed: Sequence[str],
    ) -> list[Mismatch]:
        try:
            found, letters = self._place(what, key, place, names, listed)
            tolerance = self._tolerance(key)
            exact = isinstance(values, Words)
            expected = expected_of(key, values, len(found.bits), len(letters), self.file, self.result.unit)
        except InputError as error:
            self.findings += [finding._replace(about=(About(OUTPUT, key),)) for finding in error.diagnostics]
            return []
        columns = [found.letters.index(letter) for letter in letters[: expected.shape[1]]]
        got = found.bits[:, columns]
        most = 2 * _FLOATS[found.format].sign - 1 if found.format in _FLOATS else 0xFFFFFFFF
        if exact and not ((expected >= 0) & (expected <= most) & (expected == np.floor(expected))).all():
            words = f"{what} {key} expects raw words that are not whole numbers of {most.bit_length()} bits"
            fix = f"use 0 to 0x{most:X} for {found.format} words{self._of_float32(expected, most, found.format)}"
            wrong = _finding("B007", words, fix, self.file)
            self.findings.append(wrong._replace(about=(About(OUTPUT, key),)))
            return []
        wanted = expected.astype(np.uint32) if exact else np.asarray(self._encode(expected, found.format), np.uint32)
        steps = ulps(got, wanted, found.format) if found.format in _FLOATS and not exact else np.where(got == wanted, 0, -1)
        wrong = (steps < 0) | (steps > tolerance.ulp)
        if tolerance.difference and not exact:
            numbers = [_numbers(part, found.format) for part in (got, wanted)]
            with np.errstate(invalid="ignore"):
                wrong &= ~(np.abs(numbers[0] - numbers[1]) <= tolerance.difference)
        mismatches: list[Mismatch] = []
        for lane, column in np.argwhere(wrong).tolist():
            apart = int(steps[lane, column])
            written = True if found.written is None else bool(found.written[lane, columns[column]])
            letter = letters[column] if found.letters != _BARE else ""
            mismatches.append(
                Mismatch(
                    key=found.key,
                    component=letter,
                    lane=lane,
                    expected=int(wanted[lane, column]),
                    got=int(got[lane, column]),
                    ulps=None if apart < 0 else apart,
                    allowed=tolerance.ulp,
                    written=written,
                    format=found.format,
                    unit=self.result.unit,
                    exact=exact,
                    difference=tolerance.difference,
                )
            )
        return mismatches

    def _place(
        self, what: str, key: str, place: Callable[[str], _Place | None], names: Mapping[str, object], listed: Sequence[str]
    ) -> tuple[_Place, str]:
        """The place that a key names, and its components. Raises InputError."""
        found = place(key)
        if found is not None:
            return found, found.letters
        name, _, letters = key.rpartition(".")
        found = place(name)
        if found is None:
            close = near(name or key, names)
            fix = f"did you mean {' or '.join(close)}?" if close else f"the {what}s are {', '.join(listed) or 'none'}"
            base, bracket, number = key.partition("[")
            if bracket and number in ("0]", "1]", "2]", "3]") and place(base) is not None:
                fix = f'write "{base}.{LETTERS[int(number[0])]}"'
            fix = _range(name or key, names) or fix
            raise _wrong("B001", f"unknown {what} '{key}'", fix, self.file)
        wrong = [letter for letter in letters if letter not in found.letters]
        if wrong or not letters:
            raise _wrong(
                "B001", f"{what} {name} has no component '{''.join(wrong)}'", f"its components are {found.letters}", self.file
            )
        return found, letters

    def _tolerance(self, key: str) -> Tolerance:
        value: Any = self.case.tolerance
        return tolerance_of(value.get(key, 0) if by_key(value) else value)

    def killed(self) -> list[str]:
        """The lanes that are discarded or live against the expectation."""
        if self.case.killed is None:
            return []
        if self.result.killed is None:
            self.findings.append(
                _finding("B003", "killed is expected, but the program discards nothing", "remove killed", self.file)
            )
            return []
        wanted = np.asarray(self.case.killed)
        if wanted.dtype != bool or wanted.size not in (1, self.result.lanes):
            fix = f"give one truth value, or {self.result.lanes}"
            self.findings.append(_finding("B002", f"killed is not a truth value for each {self.result.unit}", fix, self.file))
            return []
        wrong = np.flatnonzero(np.broadcast_to(wanted.reshape(-1), self.result.lanes) != self.result.killed).tolist()
        states = ("live", "killed")
        return [
            (
                f"{self.result.unit} {lane}: expected {states[not self.result.killed[lane]]}, got "
                f"{states[bool(self.result.killed[lane])]}"
            )
            for lane in wrong
        ]

    def faults(self) -> list[str]:
        """The lanes that stop otherwise than expected."""
        expected = self.case.faults
        if expected is True:
            codes = sorted({fault.fault.code for fault in self.result.faults})
            fix = f"write faults = {codes[0]!r}".replace("'", '"') if codes else "remove it, no lane stops"
            return [f"faults is true, expected the code with which lanes stop: {fix}"]
        if expected is not None and not isinstance(expected, str) and not hasattr(expected, "__iter__"):
            raise TypeError(
                f"faults is {expected!r}, expected the code with which lanes stop, such as 'R001', or a list of codes"
            )
        listed = [expected] * self.result.lanes if expected is None or isinstance(expected, str) else list(expected)
        if len(listed) != self.result.lanes or any(not isinstance(code, str) for code in listed if code is not None):
            message = f"faults is not a code for each of {self.result.lanes} lanes"
            self.findings.append(_finding("B002", message, 'give one code, or a list with "" for lanes that end', self.file))
            return []
        found = {fault.lane: fault.fault for fault in self.result.faults}
        lines: list[str] = []
        for lane, code in enumerate(listed):
            fault = found.get(lane)
            if (code or "") != (fault.code if fault is not None else ""):
                got = f"stopped: {fault.code}, {fault.message}" if fault is not None else "ended"
                lines.append(f"{self.result.unit} {lane}: expected {code or 'its end'}, it {got}")
        return lines


def by_key(value: Any) -> bool:
    """Whether a tolerance is a table by the keys of outputs."""
    return isinstance(value, Mapping) and not set(cast("Mapping[str, Any]", value)) <= {"ulp", "abs"}


def tolerance_of(value: Any) -> Tolerance:
    """A tolerance as a case has it. Raises ValueError for another one."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return Tolerance(value)
    if isinstance(value, Mapping) and not by_key(value):
        table = cast("Mapping[str, Any]", value)
        ulp, difference = table.get("ulp", 0), table.get("abs", 0.0)
        known = [isinstance(part, (int, float)) and not isinstance(part, bool) and part >= 0 for part in (ulp, difference)]
        if all(known) and isinstance(ulp, int):
            return Tolerance(ulp, float(difference))
    form = "expected a whole number of steps, 0 or more, or a difference of numbers, {'abs': 0.001}"
    given: Any = [*cast("Mapping[str, Any]", value).values()][:1] if isinstance(value, Mapping) else [value]
    number = _positive(given[0]) if given else None
    if number is not None:
        steps = number % 1 == 0 and isinstance(value, str)
        form = "expected a whole number of steps, 0 or more: write "
        form += f"{int(number)}" if steps else f"{{'abs': {number!r}}} for a difference of numbers"
    raise ValueError(f"tolerance is {value!r}, {form}")


def _positive(value: object) -> float | None:
    """The number that a value or its text is, 0 or more; None for others."""
    try:
        number = float(cast("Any", value))
    except (TypeError, ValueError):
        return None
    return number if number >= 0 else None


def encode(numbers: NDArray[Any], form: str) -> NDArray[np.uint32]:
    """Patterns of numbers: float32, or whole numbers."""
    if form == "float32":
        with np.errstate(over="ignore"):
            return np.ascontiguousarray(numbers, np.float32).view(np.uint32)
    return np.nan_to_num(numbers).astype(np.int64).astype(np.uint32)


def _numbers(patterns: NDArray[np.uint32], form: str) -> NDArray[np.float64]:
    whole = np.ascontiguousarray(patterns, np.uint32)
    if form == "float24":
        return np.array([float_from_float24(word) for word in whole.reshape(-1).tolist()], np.float64).reshape(whole.shape)
    return whole.view(np.float32 if form == "float32" else np.int32).astype(np.float64)


def expected_of(key: str, values: object, lanes: int, components: int, file: str, unit: str = "vertex") -> NDArray[Any]:
    """Expected values as (lanes, some of the components). Raises InputError."""
    if is_masked(values):
        raise _wrong("B003", f"what is expected of {key} {MASKED}", FILL, file)
    try:
        table = by_name(values)
    except ValueError as error:
        raise _wrong("B002", f"what is expected of {key} {error}", COLUMNS, file) from None
    try:
        array: NDArray[Any] = np.asarray(table.array if isinstance(table, Words) else table)
    except (TypeError, ValueError, OverflowError):
        array = np.array(None)
    if (
        array.size and array.dtype.kind not in "biuf"
    ):  # NumPy makes numbers of None, dates, digits in texts and parts of complex numbers too
        raise _wrong(
            "B003", f"expected values of {key} are not an array of numbers", "give numbers, or lists of 1 to 4 numbers", file
        )
    array = array.astype(np.int64 if isinstance(table, Words) and array.dtype.kind in "iu" else np.float64)
    if array.ndim > 2:
        array = array.reshape(-1, array.shape[-1])
    if array.ndim < 2 and array.size > 4 and components > 1 and array.size != lanes:
        fix = f"give 1 to {components} numbers, or a list of them for each {unit}"
        if array.size == lanes * components and array.size <= MOST_SHOWN * components:
            fix = f"write {_rows(array.reshape(lanes, components))}, a list for each {unit}"
        raise _wrong("B002", f"{array.size} numbers in a row expected of {key}, which has {components} components", fix, file)
    if array.ndim < 2:
        array = array.reshape(1, -1) if array.size <= 4 else array.reshape(-1, 1)
    if not 0 < array.shape[1] <= components:
        if array.shape[0] == 1 and components == 1 and array.shape[1] == lanes:  # one number for each lane
            return array.reshape(-1, 1)
        several = f", or {lanes} for the {lanes} {'vertices' if unit == 'vertex' else f'{unit}s'}" if lanes > 1 else ""
        fix = f"give 1 to {components} numbers" if components > 1 else f"give one number{several}"
        raise _wrong("B002", f"{array.shape[1]} components expected of {key}, which has {components}", fix, file)
    if array.shape[0] not in (1, lanes):
        units = "vertices" if unit == "vertex" else f"{unit}s"
        fix = f"give {lanes} row{'s' if lanes > 1 else ''}, one for each {unit} "
        fix += "of the inputs" if lanes < array.shape[0] else "that comes out"  # a geometry shader has more
        fix += ", or one for all of them" if lanes > 1 else ""
        if array.shape[1] == lanes and array.shape[0] <= components:
            fix = f"write {_rows(array.T)}: a list is a {unit}"
        if lanes == 1 and array.shape[1] == 1 and array.shape[0] <= components:
            row = ", ".join([f"{number:.9g}" for number in array.reshape(-1).tolist()])
            fix = f"write [[{row}]] for the components of one {unit}; for {array.shape[0]} give so many rows of inputs"
        raise _wrong("B002", f"{array.shape[0]} {units} expected of {key}, found {lanes}", fix, file)
    return np.broadcast_to(array, (lanes, array.shape[1]))


def _rows(array: NDArray[Any]) -> str:
    """An array as it is written in a test."""
    rows = [", ".join([f"{number:.9g}" for number in row]) for row in array[:MOST_SHOWN].tolist()]
    return f"[{', '.join([f'[{row}]' for row in rows])}]"


def _wrong(code: str, message: str, fix: str, file: str) -> InputError:
    return InputError([_finding(code, message, fix, file)])


def _finding(code: str, message: str, fix: str, file: str) -> Diagnostic:
    return Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=file), notes=(), fix=fix)
