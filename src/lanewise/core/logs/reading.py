"""Entries of an execution log: lines that match a pattern, or JSON lines with the same names as keys."""

from __future__ import annotations

import json
import math

from lanewise.core.diagnostics import PortableError
from lanewise.core.logs.pattern import COMPONENTS, FIELDS, STATE, Miss, Pattern
from lanewise.core.record import TYPE_CHECKING, Record, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_ENTRIES = 2_000_000
MOST_LINE = 1 << 16  # letters
_BEGUN = 3  # fields of a line that is meant as an entry
_MASK32 = 0xFFFFFFFF
_TRUTH = {"true": 1, "false": 0}


class LogError(PortableError, ValueError):
    """A log cannot be read: one sentence, and its line from 1; 0 for the whole log."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class Logged(Record):
    """A component as a log has it: the word of a number, or a number as text."""

    text: str
    "As in the log."
    word: int | None
    "The machine word; None for a number."
    number: float = 0.0
    "The number; 0 for a word."


class Entry(Record):
    """Line of a log about one instruction. Parts that it does not have are None or empty."""

    line: int
    "Line of the log, from 1."
    address: int | None
    "Address of the instruction."
    register: str
    "Register that was written, in lower case, without components."
    values: Mapping[str, Logged]
    "Components of the register, by letter."
    state: Mapping[str, int]
    "Flags, address registers and aL afterwards, by name."


class Log(Record):
    """The entries of one vertex in order."""

    entries: tuple[Entry, ...]
    "In the order of the log."
    skipped: int
    "Lines that are something else."
    miss: tuple[int, Miss] | None
    "The first of these, with the reason; None for JSON lines."
    other: int
    "Entries of other vertices."
    longer: int
    "Lines that go on where the pattern ends."
    rest: tuple[int, str] | None
    "The first of these, with what is left out."
    cut: int
    "Number of a last line without an end, which is left out; 0 for none."
    precision: Precision
    "How exactly its numbers are written."
    broken: int = 0
    "How many of the lines that are something else begin as entries, with a value."


class Precision(Record):
    """How exactly the numbers of a log are written: all with so many decimals, or else with at most so many digits."""

    decimals: int | None
    digits: int

    def fits(self, logged: Logged, number: float) -> bool:
        """Whether a number may have been written so."""
        found = logged.number
        if math.isnan(found) or math.isnan(number):
            return math.isnan(found) and math.isnan(number)
        if found == number:
            return True
        if math.isinf(found) or math.isinf(number):
            return False
        if self.decimals is not None:
            unit = 10.0**-self.decimals
        else:
            unit = 10.0 ** (math.floor(math.log10(max(abs(found), abs(number)))) + 1 - self.digits)
        return abs(found - number) <= unit * 0.5000001 + abs(found) * 2**-52


class _Number(str):
    """A number of a JSON document as its text."""

    __slots__ = ()


def read_log(text: str, pattern: Pattern | None, vertex: int) -> Log:
    """The entries of a vertex; without a pattern the log is JSON lines. Raises LogError."""
    lines = text.split("\n")
    cut = len(lines) if lines[-1].strip() and len(lines) > 1 else 0
    entries: list[Entry] = []
    skipped = other = 0
    longer = broken = 0
    miss: tuple[int, Miss] | None = None
    rest: tuple[int, str] | None = None
    for number, line in enumerate(lines[:-1] if cut else lines, 1):
        if not line.strip():
            continue
        read = _read_line(line, number, pattern)
        if isinstance(read, Miss):
            skipped += 1
            begun = read.fields >= _BEGUN
            miss = (number, read) if miss is None or (begun and not broken) else miss
            broken += begun
            continue
        found, left = read
        if left:
            longer += 1
            rest = rest or (number, left)
        if found.pop("vertex", vertex) != vertex:
            other += 1
            continue
        entry = _entry(found, number)
        if entry.address is None and not entry.register:
            skipped += 1
            continue
        entries.append(entry)
        if len(entries) > MOST_ENTRIES:
            raise LogError(number, f"the log has more than {MOST_ENTRIES} entries: name one with fewer vertices")
    return Log(
        entries=tuple(entries),
        skipped=skipped,
        miss=miss,
        other=other,
        longer=longer,
        rest=rest,
        cut=cut,
        precision=_precision(entries),
        broken=broken,
    )


def _read_line(line: str, number: int, pattern: Pattern | None) -> tuple[dict[str, object], str] | Miss:
    """The fields of a line, and what follows them."""
    if len(line) > MOST_LINE:
        return Miss(MOST_LINE, f"the end of the line: at most {MOST_LINE} letters are read")
    if pattern is None:
        data = _of_json(line, number)
        return data if isinstance(data, Miss) else (data, "")
    found = pattern.matched(line)
    if isinstance(found, Miss):
        return found
    types = pattern.types
    return {
        name: text if name == "dst" and not types[name] else _checked(text, name, number, types[name])
        for name, text in found[0].items()
    }, found[1]


def _of_json(line: str, number: int) -> dict[str, object] | Miss:
    if not line.lstrip().startswith("{"):
        return Miss(1, "a JSON object")
    try:
        data: object = json.loads(line, parse_float=_Number, parse_int=_Number, parse_constant=_Number)
    except (ValueError, RecursionError) as error:
        if line.rstrip().endswith("},"):
            raise LogError(
                number, "a comma at the end of the line, which is one object: remove it, and so in the others"
            ) from None
        if line.lstrip().startswith("{'"):
            raise LogError(number, "a dict as Python prints it, not JSON: write lines with json.dumps") from None
        raise LogError(number, f"not JSON: {error}") from None
    keys: dict[str, object] = dict(data) if isinstance(data, dict) else {}  # pyright: ignore[reportUnknownArgumentType]
    for name, all_of in (("words", COMPONENTS), ("values", COMPONENTS), ("cmp", ("cmp.x", "cmp.y")), ("a0", ("a0.x", "a0.y"))):
        listed, letters = keys.pop(name, None), all_of
        if isinstance(listed, dict):
            named = cast("dict[str, object]", listed)
            letters = tuple([letter for letter in all_of if letter[-1] in named])
            listed = [named[letter[-1]] for letter in letters]
        if isinstance(listed, list):
            several: Sequence[object] = cast("Sequence[object]", listed)
            if len(several) > len(letters):
                raise LogError(
                    number, f"{name} has {len(several)} numbers, expected at most {len(letters)}, {', '.join(letters)}"
                )
            for letter, value in zip(letters, several, strict=False):
                if name == "words" and isinstance(value, _Number) and not value.isdecimal():
                    raise LogError(number, f"a word is {value}, expected a whole number: numbers are given as values")
                keys[letter] = f"{int(value):x}" if name == "words" and isinstance(value, _Number) else value
        elif listed is not None:
            raise LogError(number, f"{name} is {json.dumps(listed)[:40]}, expected a list, such as {_SUCH[name]}")
    found: dict[str, object] = {}
    for name, value in keys.items():
        if name in COMPONENTS and isinstance(value, str):
            found[name] = _checked(value, name, number, "" if isinstance(value, _Number) else "x")
        elif name == "dst" and isinstance(value, str) and not isinstance(value, _Number):
            found[name] = value
        elif name in ("pc", "dst", "vertex", *STATE) and isinstance(value, (str, bool)):
            found[name] = _checked(str(value).lower(), name, number, "")
        elif name in COMPONENTS or (name in ("pc", "vertex", *STATE) and value is not None):
            raise LogError(number, _not_a_number(name, value))
    if "pc" not in found and "dst" not in found:
        has = ", ".join([*keys][:6])
        fix = 'name its keys "pc", "dst" and "values"'
        raise LogError(number, f"it has neither pc nor dst, by which lines are aligned with steps, but {has}: {fix}")
    _refuse_others(keys, found, number)
    return found


_SUCH = {"values": "[0.5, 2, 6, 0]", "words": '["3f0000", "400000"]', "cmp": "[0, 1]", "a0": "[2, 0]"}
# What others call the register and its values.
_REGISTERS = frozenset(("dest", "destination", "out", "output", "rd", "reg", "register", "target", "write"))
_VALUES = frozenset(
    ("data", "float", "floats", "number", "numbers", "out", "result", "results", "val", "vals", "value", "vec", "xyzw")
)


def _refuse_others(keys: Mapping[str, object], found: Mapping[str, object], number: int) -> None:
    """Raise LogError for a register or values under other keys, which would not be compared."""
    for key, value in keys.items():
        lower = key.lower()
        if key in found or lower in found or key in FIELDS:
            continue
        if "dst" not in found and lower in (*_REGISTERS, "dst") and isinstance(value, str) and not isinstance(value, _Number):
            raise LogError(number, f"the key of the register is {key}: name it dst")
        if any(letter in found for letter in COMPONENTS):
            continue
        if lower in COMPONENTS and isinstance(value, str):
            raise LogError(number, f"the key of a component is {key}: name it {lower}")
        if lower in (*_VALUES, "values", "words") and isinstance(value, (list, dict)):
            raise LogError(number, f"the key of the numbers is {key}: name it {'words' if lower == 'words' else 'values'}")


def _not_a_number(name: str, value: object) -> str:
    """The sentence about a value that is null, a truth, a list or an object."""
    if value is None:
        return f"{name} is null, as NaN and infinity are written by JavaScript and others: write the word, as hexadecimal text"
    wanted = "a number, or the word of one as hexadecimal text" if name in COMPONENTS else "a whole number"
    return f"{name} is {json.dumps(value)[:40]}, expected {wanted}"


def _checked(text: str, name: str, line: int, kind: str) -> object:
    try:
        return _logged(text, kind) if name in COMPONENTS else _whole(text, kind)
    except (ValueError, OverflowError):
        wanted = "a number, or the word of one as hexadecimal text" if name in COMPONENTS else "a whole number"
        plain = text[:40]
        if kind == "x" and name in COMPONENTS and _is_number(text):
            wanted = f"the word as hexadecimal text, or a number without quotes: write {plain}, or name the field without :x"
        elif name not in COMPONENTS and _is_number(text) and float(text) % 1 == 0:
            wanted += f": write {int(float(text))}"
        raise LogError(line, f"{name} is '{plain}', expected {wanted}") from None


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _whole(text: str, kind: str) -> int:
    if text in _TRUTH:
        return _TRUTH[text]
    base = 16 if kind == "x" or text.lstrip("+-")[:2].lower() == "0x" else 10
    if len(text) > 24:
        raise ValueError(text)
    return int(text, base)


def _logged(text: str, kind: str) -> Logged:
    if kind or text.lstrip("+-")[:2].lower() == "0x":
        return Logged(text, _whole(text, kind) & _MASK32)
    plain = text.partition("(")[0]
    return Logged(text, None, float(plain))


def _entry(found: Mapping[str, object], line: int) -> Entry:
    address, register = found.get("pc"), found.get("dst", "")
    name = register.partition(".")[0].lower() if isinstance(register, str) else f"{register}"
    return Entry(
        line=line,
        address=address if isinstance(address, int) else None,
        register=name,
        values={letter: value for letter in COMPONENTS if isinstance(value := found.get(letter), Logged)},
        state={name: value for name in STATE if isinstance(value := found.get(name), int)},
    )


def _precision(entries: Sequence[Entry]) -> Precision:
    decimals: set[int] = set()
    digits = 1
    for entry in entries:
        for value in entry.values.values():
            if value.word is None and math.isfinite(value.number):
                mantissa = value.text.lower().lstrip("+-").partition("e")[0]
                decimals.add(len(mantissa.partition(".")[2]) if "e" not in value.text.lower() else -1)
                digits = max(digits, len(mantissa.replace(".", "").lstrip("0")))
    fixed = decimals.pop() if len(decimals) == 1 else -1
    return Precision(fixed if fixed > 0 else None, digits)
