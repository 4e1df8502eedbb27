"""Tables of the fields of files: records of a fixed layout, sequences whose parts have sizes of their own, and bit fields of
words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lanewise_site.markup import encoding, escape, raw, table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from struct import Struct

_SIZES = {"Q": 8, "I": 4, "H": 2, "B": 1}


class Layout(NamedTuple):
    """A record that `form` reads: its rows are (field, meaning), with a third number for a field of so many equal parts."""

    name: str
    form: Struct
    about: str
    rows: Sequence[tuple[str, str] | tuple[str, str, int]]


class Parts(NamedTuple):
    """Parts that follow each other: (bytes, field, meaning). The bytes are a number, or a text where files differ."""

    name: str
    about: str
    rows: Sequence[tuple[int | str, str, str]]


class Word(NamedTuple):
    """A word of 32 bits: (lowest bit, width, field, meaning), the highest first; a field `-` is reserved."""

    name: str
    about: str
    rows: Sequence[tuple[int, int, str, str]]


def section(record: Layout | Parts | Word) -> str:
    """The heading, the text and the table of a record."""
    head, picture, rows = _of_word(record) if isinstance(record, Word) else _of_bytes(record)
    about = f"{record.form.size} bytes. {record.about}" if isinstance(record, Layout) else record.about
    return "\n\n".join([part for part in (f"## {record.name}", about, picture, table(head, rows)) if part])


def drawn(word: Word) -> list[dict[str, object]]:
    """The fields of a word, for a picture of it."""
    return [{"name": field, "low": low, "width": width, "reserved": field == "-"} for low, width, field, _ in word.rows]


def names(record: Layout | Parts | Word) -> list[str]:
    """The names of a record's fields, without those that are reserved."""
    listed = [row[2] for row in record.rows] if isinstance(record, Word) else [field for _, _, field, _ in _placed(record)]
    return [name for name in listed if name != "-"]


def anchor(record: str, field: str) -> str:
    """The anchor of a field on its page."""
    return "-".join(re.findall(r"[a-z0-9]+", f"{record} {field}".lower()))


def fields(form: str) -> list[tuple[int, int]]:
    """Offset and size of each field of a format of `struct`; padding is none."""
    found: list[tuple[int, int]] = []
    at = 0
    for count, kind in re.findall(r"(\d*)([QIHBsx])", form):
        many = int(count or 1)
        if kind == "x":
            at += many
            continue
        for size in [many] if kind == "s" else [_SIZES[kind]] * many:
            found.append((at, size))
            at += size
    return found


def _of_bytes(record: Layout | Parts) -> tuple[Sequence[str], str, list[tuple[str, ...]]]:
    rows = [
        (
            f'<a id="{anchor(record.name, field)}"></a>{"" if at is None else f"0x{at:02X}"}',
            str(size),
            escape(field),
            escape(meaning),
        )
        for at, size, field, meaning in _placed(record)
    ]
    return ("offset", "bytes", "field", "meaning"), "", rows


def _placed(record: Layout | Parts) -> list[tuple[int | None, int | str, str, str]]:
    """Offset, size, name and meaning of each field; None where the offset is that of what comes before."""
    if isinstance(record, Layout):
        return _laid_out(record)
    found: list[tuple[int | None, int | str, str, str]] = []
    at: int | None = 0
    for size, field, meaning in record.rows:
        found.append((at, size, field, meaning))
        at = at + size if at is not None and isinstance(size, int) else None
    return found


def _laid_out(record: Layout) -> list[tuple[int | None, int | str, str, str]]:
    places = fields(record.form.format)
    found: list[tuple[int | None, int | str, str, str]] = []
    next_place = 0
    for row in record.rows:
        many = row[2] if len(row) == 3 else 1
        taken = places[next_place : next_place + many]
        next_place += many
        if len(taken) < many:
            break
        found.append((taken[0][0], sum([size for _, size in taken]), row[0], row[1]))
    if next_place != len(places):
        raise ValueError(f"{record.name}: names for {next_place} fields, the format has {len(places)}")
    return found


def _of_word(record: Word) -> tuple[Sequence[str], str, list[tuple[str, ...]]]:
    if sorted([bit for low, width, _, _ in record.rows for bit in range(low, low + width)]) != list(range(32)):
        raise ValueError(f"{record.name}: its fields are not the 32 bits of a word")
    rows = [
        (
            f'<a id="{anchor(record.name, field)}"></a>{f"{low + width - 1}:" if width > 1 else ""}{low}',
            escape(field),
            escape(meaning),
        )
        for low, width, field, meaning in record.rows
        if field != "-"
    ]
    return ("bits", "field", "meaning"), raw(f'<div class="lw-scroll">{encoding(drawn(record), 32)}</div>'), rows
