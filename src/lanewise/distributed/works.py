"""The works whose records a command continues: a closed table, and what a record may say of each.

A record is data of anybody. It names a work by its name in the table, so it never decides what is imported.
"""

from __future__ import annotations

import re
from base64 import b64decode
from typing import TYPE_CHECKING, NamedTuple, cast

from lanewise.core.paths import is_device

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LARGEST = (1 << 63) - 1
_SUFFIX = re.compile(r"(\.[a-z0-9]+){1,4}")
_DIGEST = re.compile(r"[0-9a-f]{1,32}")


class Kind(NamedTuple):
    """A kind of value: what it is called, and whether a value is one."""

    text: str
    fits: Callable[[object], bool]


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= 4096


def _is_seconds(value: object) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool) and 0 <= value < 1e12


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _is_suffix(value: object) -> bool:
    return isinstance(value, str) and _SUFFIX.fullmatch(value) is not None


def _is_binary(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(b64decode(value, validate=True))
    except ValueError:
        return False


def stays_inside(path: object) -> bool:
    """Whether a path is relative and names something below its folder, on every system: `/` between names, none of them `.` or
    `..`."""
    if not isinstance(path, str) or re.search(r'[\x00-\x1f\x7f\\:*?"<>|]', path):
        return False
    return all(name and not name.endswith((".", " ")) and not is_device(name) for name in path.split("/"))


def _is_file(value: object) -> bool:
    if not isinstance(value, list) or len(found := cast("list[object]", value)) != 2:
        return False
    return stays_inside(found[0]) and _is_digest(found[1])


def _of_type(kind: type) -> Callable[[object], bool]:
    def fits(value: object) -> bool:
        return isinstance(value, kind)

    return fits


def list_of(kind: Kind, *, least: int = 0) -> Kind:
    def fits(value: object) -> bool:
        return isinstance(value, list) and len(found := cast("list[object]", value)) >= least and all(map(kind.fits, found))

    return Kind(f"a list of {kind.text}", fits)


def dict_of(kind: Kind) -> Kind:
    """An object with any keys."""

    def fits(value: object) -> bool:
        return isinstance(value, dict) and all(map(kind.fits, cast("dict[str, object]", value).values()))

    return Kind(f"an object of {kind.text}", fits)


def any_of(text: str, *kinds: Kind) -> Kind:
    def fits(value: object) -> bool:
        return any(kind.fits(value) for kind in kinds)

    return Kind(text, fits)


ANY = Kind("any value", _of_type(object))
NULL = Kind("null", _of_type(type(None)))
COUNT = Kind("a whole number", _is_count)
NUMBER = Kind("a whole number", _is_number)
TEXT = Kind("a text", _of_type(str))
FLAG = Kind("true or false", _of_type(bool))
SECONDS = Kind("seconds", _is_seconds)
DIGEST = Kind("a hexadecimal number", _is_digest)
SUFFIX = Kind("a suffix", _is_suffix)
BINARY = Kind("bytes in base64", _is_binary)
VALUE = any_of("a value of an option", FLAG, COUNT, TEXT, list_of(TEXT))
_FILE = Kind("a path inside and a digest", _is_file)


def _is_saved(value: object) -> bool:
    return dict_of(COUNT).fits(value) and set(cast("dict[str, object]", value)) == {"before", "after"}


_SAVED = Kind("counts before and after", _is_saved)


class Shape(NamedTuple):
    """The keys of an object."""

    needed: Mapping[str, Kind]
    more: Mapping[str, Kind] = {}

    def fault(self, found: Mapping[str, object]) -> str:
        """The fault of an object; empty if there is none."""
        for key in self.needed:
            if key not in found:
                return f"'{key}' is missing"
        for key, value in found.items():
            kind = self.needed.get(key) or self.more.get(key)
            if kind is None:
                return f"unknown key {_quoted(key)}"
            if not kind.fits(value):
                return f"'{key}' is not {kind.text}"
        return ""


def _quoted(key: str) -> str:
    return repr(key if len(key) <= 40 else f"{key[:37]}...")


class Work(NamedTuple):
    """A row: the function that does a piece, its options, what a finding may have, and the key by which a finding names its
    item."""

    function: str
    options: Shape
    findings: tuple[Shape, ...]
    item: str

    def fault(self, finding: Mapping[str, object], first: int, items: int) -> str:
        """The fault of a finding of a piece; empty if there is none."""
        shape = next((shape for shape in self.findings if shape.needed.keys() == finding.keys()), self.findings[0])
        if fault := shape.fault(finding):
            return f"a finding: {fault}"
        item = finding[self.item]
        return "" if item in range(first, first + items) else f"a finding: '{self.item}' is {item}, not of the piece"


_DIFFERENCE = {"program": COUNT, "where": TEXT, "reference": TEXT, "compiled": TEXT, "budget": COUNT}

_SLOTS = {"slots": _SAVED, "moves": dict_of(COUNT), "binary": BINARY, "suffix": SUFFIX}

WORKS = {
    "fuzz": Work(
        "lanewise.distributed.fuzzing:piece",
        Shape({"target": TEXT, "seed": COUNT, "level": TEXT, "findings": COUNT}, {"devices": list_of(TEXT)}),
        (Shape(_DIFFERENCE), Shape({**_DIFFERENCE, "source": TEXT, "suffix": SUFFIX, "words": COUNT})),
        "program",
    ),
    "opt": Work(
        "lanewise.distributed.optimising:piece",
        Shape(
            {
                "programs": list_of(list_of(_FILE, least=1), least=1),
                "values": dict_of(VALUE),
                "include": list_of(TEXT),
                "language": TEXT,
                "beside": FLAG,
            }
        ),
        (
            Shape(
                {
                    "number": COUNT,
                    "name": TEXT,
                    "words": _SAVED,
                    "descriptors": _SAVED,
                    "constants": _SAVED,
                    "moves": dict_of(COUNT),
                    "binary": BINARY,
                }
            ),
            Shape({"number": COUNT, "name": TEXT, **_SLOTS}),
            Shape({"number": COUNT, "name": TEXT, "cycles": _SAVED, **_SLOTS}),
            Shape({"number": COUNT, "name": TEXT, "error": TEXT}),
        ),
        "number",
    ),
}
