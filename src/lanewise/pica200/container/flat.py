"""Text form of an SHBIN: fields other than words and descriptors as `key: value` pairs.

`flatten` gives every such field under a fixed key, `apply` sets fields by key. The set of keys depends only on the counts
(`dvlb.count`, `dvle0.constants.count` ...), so the pairs in which b differs from a convert a into b:

    apply(a', {key: value for key, value in flatten(b).items() if flatten(a).get(key) != value})

writes b's bytes, where a' is a with b's words and descriptor values. Values are integers, or bytes for names and gaps. Default
values stay defaults when a file grows: `-1` for an offset or for `dvlp.unknown18` means the layout's value, and `layout` is
`picasso`, `official`, `nihstro`, or the section names in the order of the file.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record, TypeVar
from lanewise.pica200.container import layout as at
from lanewise.pica200.container.shbin import (
    AS_LAID_OUT,
    ConstantEntry,
    Dvle,
    LabelEntry,
    OutputEntry,
    Shbin,
    UniformEntry,
    header_offsets,
    seconds_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_COUNT_BITS = 16  # far above any file; a mistyped count must not exhaust memory


class Pair(Record):
    """A key with its value. `width`: the bits of an integer; the exact length of a run of bytes, or 0 for any length.
    `usual`: whether `AS_LAID_OUT` is a value too."""

    key: str
    value: int | bytes
    width: int
    usual: bool = False


class Table(Record):
    """A table of an object: name, name of one entry, an empty entry, and the width of every field of it."""

    name: str
    entry: str
    empty: ConstantEntry | LabelEntry | OutputEntry | UniformEntry
    widths: tuple[int, ...]


# fmt: off
_TABLES = (
    Table("constants", "constant", ConstantEntry(), (16, 16, 16)),
    Table("labels",    "label",    LabelEntry(),    (16, 16, 32, 32, 32)),
    Table("outputs",   "output",   OutputEntry(),   (16, 16, 16, 16)),
    Table("uniforms",  "uniform",  UniformEntry(),  (32, 16, 16)),
)
# The fields of an object's header, in the order of `Dvle`.
_DVLE_WIDTHS = (16, 8, 8, 32, 32, 16, 16, 8, 8, 8, 8)
# fmt: on


def flatten(shbin: Shbin) -> dict[str, int | bytes]:
    """All fields except words and descriptor values, by key, in file order."""
    return {pair.key: pair.value for pair in _pairs(shbin)}


def apply(shbin: Shbin, changes: Mapping[str, int | bytes]) -> Shbin:
    """Set the fields in `changes`, in any order; counts are set first.

    A table that grows has empty entries at its end. Raises KeyError for a key that the file (with its new counts) does not
    have, naming the nearest ones; ValueError for a value that does not fit, or if the result cannot be written.
    """
    resized = _resize(shbin, changes)
    pairs = {pair.key: pair for pair in _pairs(resized)}
    flat: dict[str, int | bytes] = {key: pair.value for key, pair in pairs.items()}
    for key, value in changes.items():
        if key not in pairs:
            raise KeyError(_unknown(key, pairs))
        _check(pairs[key], value)
        flat[key] = value
    result = _unflatten(resized, flat)
    header_offsets(result)
    return result


def _pairs(shbin: Shbin) -> Iterator[Pair]:
    yield Pair("dvlb.count", len(shbin.dvles), _COUNT_BITS)
    yield Pair("layout", shbin.layout.encode(), 0)
    yield Pair("dvlp.header", shbin.header, 8)
    yield Pair("dvlp.version", shbin.version, 32)
    yield Pair("dvlp.unknown18", shbin.unknown18, 32, usual=True)
    yield Pair("dvlp.unknown1c", shbin.unknown1c, 32)
    yield Pair("files", shbin.files, 0)
    for i in range(len(shbin.descriptors)):
        yield Pair(f"descriptor[{i}].second", shbin.seconds[i] if i < len(shbin.seconds) else 0, 32)
    for i, dvle in enumerate(shbin.dvles):
        for field, width in zip(Dvle._fields, _DVLE_WIDTHS, strict=False):
            yield Pair(f"dvle{i}.{field}", getattr(dvle, field), width)
        for table in _TABLES:
            entries = getattr(dvle, table.name)
            yield Pair(f"dvle{i}.{table.name}.count", len(entries), _COUNT_BITS)
            for k, entry in enumerate(entries):
                for field, value, width in zip(entry._fields, entry, table.widths, strict=True):
                    yield Pair(f"dvle{i}.{table.entry}[{k}].{field}", value, width)
        yield Pair(f"dvle{i}.symbols", dvle.symbols, 0)
    for name in _placed(len(shbin.dvles)):
        if _is_table(name):
            yield Pair(f"{name}.offset", shbin.offsets.get(name, AS_LAID_OUT), 32, usual=True)
        yield Pair(f"{name}.after", shbin.after.get(name, b""), 0)


def _placed(dvles: int) -> tuple[str, ...]:
    """The sections that bytes can follow: all but the offsets of the DVLB, which the DVLP follows at once."""
    return at.order(at.PICASSO, dvles)[1:]


def _is_table(name: str) -> bool:
    """Whether a section can be empty."""
    return name != at.base_of(name)


def _resize(shbin: Shbin, changes: Mapping[str, int | bytes]) -> Shbin:
    """`shbin` with the counts in `changes`."""

    def count(key: str, present: int) -> int:
        value = changes.get(key, present)
        _check(Pair(key, present, _COUNT_BITS), value)
        return int(value)

    dvles = list(_sized(shbin.dvles, count("dvlb.count", len(shbin.dvles)), Dvle()))
    for i, dvle in enumerate(dvles):
        dvles[i] = dvle._replace(
            constants=_sized(dvle.constants, count(f"dvle{i}.constants.count", len(dvle.constants)), ConstantEntry()),
            labels=_sized(dvle.labels, count(f"dvle{i}.labels.count", len(dvle.labels)), LabelEntry()),
            outputs=_sized(dvle.outputs, count(f"dvle{i}.outputs.count", len(dvle.outputs)), OutputEntry()),
            uniforms=_sized(dvle.uniforms, count(f"dvle{i}.uniforms.count", len(dvle.uniforms)), UniformEntry()),
        )
    return shbin._replace(dvles=tuple(dvles))


_T = TypeVar("_T")


def _sized(entries: tuple[_T, ...], count: int, empty: _T) -> tuple[_T, ...]:
    return (*entries[:count], *(empty,) * (count - len(entries)))


def _unflatten(shbin: Shbin, flat: Mapping[str, int | bytes]) -> Shbin:
    """The mirror of `flatten`; words, descriptor values and counts are those of `shbin`."""
    numbers = {key: value for key, value in flat.items() if isinstance(value, int)}
    strings = {key: value for key, value in flat.items() if isinstance(value, bytes)}
    names = _placed(len(shbin.dvles))
    after = {name: strings[f"{name}.after"] for name in names}
    offsets = {name: numbers[f"{name}.offset"] for name in names if _is_table(name)}
    return shbin._replace(
        layout=strings["layout"].decode(),
        header=numbers["dvlp.header"],
        version=numbers["dvlp.version"],
        unknown18=numbers["dvlp.unknown18"],
        unknown1c=numbers["dvlp.unknown1c"],
        files=strings["files"],
        seconds=seconds_of(numbers[f"descriptor[{i}].second"] for i in range(len(shbin.descriptors))),
        dvles=tuple([_object(dvle, f"dvle{i}", flat) for i, dvle in enumerate(shbin.dvles)]),
        after={name: value for name, value in after.items() if value},
        offsets={name: value for name, value in offsets.items() if value != AS_LAID_OUT},
    )


def _object(dvle: Dvle, prefix: str, flat: Mapping[str, int | bytes]) -> Dvle:
    changes: dict[str, object] = {field: flat[f"{prefix}.{field}"] for field in Dvle._fields[: len(_DVLE_WIDTHS)]}
    for table in _TABLES:
        changes[table.name] = tuple(
            [
                table.empty._make(flat[f"{prefix}.{table.entry}[{k}].{field}"] for field in table.empty._fields)
                for k in range(len(getattr(dvle, table.name)))
            ]
        )
    return dvle._replace(**changes, symbols=flat[f"{prefix}.symbols"])  # pyright: ignore[reportArgumentType] # _check saw the types


def _check(pair: Pair, value: int | bytes) -> None:
    """Raise ValueError unless a value fits the field of a pair."""
    key, present, width, usual = pair
    if isinstance(present, bytes):
        if not isinstance(value, bytes):
            raise ValueError(f"{key} holds bytes, not the number {value}")
        if width and len(value) != width:
            raise ValueError(f"{key} holds {width} bytes, not {len(value)}")
        return
    if not isinstance(value, int):
        raise ValueError(f"{key} holds a number, not bytes")
    if not (0 <= value < 1 << width or (usual and value == AS_LAID_OUT)):
        raise ValueError(f"{key} = {value} does not fit {width} bits{', and is not -1 for the usual value' if usual else ''}")


def _unknown(key: str, known: Mapping[str, Pair]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, known, n=3)
    return f"unknown field {key}" + (f"; did you mean {', '.join(near)}?" if near else "")
