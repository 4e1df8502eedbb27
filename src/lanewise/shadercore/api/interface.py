"""The interface file of a compiled ShaderCore program.

`lanewise compile` writes this JSON file with the constants and the usages of inputs and outputs."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple, cast

from lanewise.core import files
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.nesting import document_of
from lanewise.core.record import Record
from lanewise.core.service import STDIO, InputFailure
from lanewise.core.source import Span
from lanewise.core.text.numbers import register_number
from lanewise.proving.naming import key
from lanewise.shadercore.isa.program import Constant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.core.service import Files
    from lanewise.proving.naming import Key, Place

INTERFACE = "lanewise-shadercore-interface"  # the value of `kind` in the JSON
VERSION = 1


class Limits(NamedTuple):
    """The values of an i# that a program was compiled for: the largest count, start and step of aL where it depends on them,
    and the exact count if that is compiled in; None: any."""

    most: int | None = None
    start: int | None = None
    step: int | None = None
    exact: int | None = None

    @property
    def reads_counter(self) -> bool:
        """Whether the program depends on start or step."""
        return self.start is not None or self.step is not None

    def unlike(self, name: str, given: Sequence[int]) -> list[Diagnostic]:
        """B203: how count, start and step of an i# differ; those that are not given are 0."""
        count, start, step = (*given, 0, 0, 0)[:3]
        found: list[Diagnostic] = []
        if self.most is not None and count > self.most:
            fix = f"use a count of at most {self.most}, or compile it again with `--bound {name}={count}`"
            found.append(other_than_compiled(f"count of {name}", count, f"at most {self.most}", fix))
        pairs = (("count", count, self.exact), ("start", start, self.start), ("step", step, self.step))
        return found + [
            other_than_compiled(f"{what} of {name}", value, fixed, f"use {fixed}, or compile it again with another {what}")
            for what, value, fixed in pairs
            if fixed is not None and value != fixed
        ]


class Beside(Record):
    """The contents of an interface file."""

    path: str
    "The path of the interface file."
    program: str
    "`digest_of` the words that it is for; empty: unknown."
    constants: tuple[Constant, ...]
    "Constants that come with the program."
    inputs: Mapping[str, int]
    "The number of the v register of each input, by its meaning."
    outputs: Mapping[str, int]
    "The number of the o register of each output, by its meaning."
    numbers: Mapping[str, tuple[int, int]]
    "The component of a constant, (register, component), that replaces each i# or b#."
    limits: Mapping[str, Limits]
    "The values that each i# of `numbers` may have."
    known: Mapping[str, Limits | bool] = {}
    "The i# and b# that are compiled in, with their values."
    names: Mapping[int, str] = {}
    "The names of constants in the shader, by register."
    flags: frozenset[str] = frozenset()
    "Names in `numbers` of booleans."
    sources: Mapping[str, int] = {}
    "The number of the o register of each output, by its name in the source; empty where the file has no lines."
    places: tuple[Span, ...] = ()
    "The place in the source of each word; () where the file does not say it."
    columns: Mapping[str, tuple[int, int]] = {}
    "Rows and columns of each matrix whose registers are its columns, by name."
    device: str = ""
    "The device that the program was compiled for, as `Device.describe` has it; empty where the file does not say it."

    @property
    def keys(self) -> dict[Place, Key]:
        """The meaning of each component of a constant that has a name."""
        found = {place: (name, 0, 0) for name, place in self.numbers.items()}
        for number, text in self.names.items():
            name, index = _indexed(text)
            found |= {(number, c): key(name, index, c, self.columns.get(name)) for c in range(4)}
        return found


def _indexed(text: str) -> tuple[str, int]:
    """`World` and 2 for `World[2]`; `sun` and 0 for `sun`."""
    name, _, index = text.removesuffix("]").rpartition("[")
    return (name, int(index)) if text.endswith("]") and index.isascii() and index.isdigit() else (text, 0)


def other_than_compiled(what: str, value: object, compiled: object, fix: str) -> Diagnostic:
    """B203: a value in a run of a compiled shader that differs from the one that it was compiled for."""
    return Diagnostic(
        code="B203",
        severity=ERROR,
        message=f"{what} is {value}, and the program was compiled for {compiled}",
        span=Span(file=""),
        fix=fix,
    )


def truth_unlike(name: str, value: bool) -> Diagnostic:
    """B203 of a boolean, which is the opposite of the one that was compiled in."""
    fixed = not value
    fix = f"give {name}={int(fixed)}, or compile it again with `--bool {name}={int(value)}`"
    return other_than_compiled(name, str(value).lower(), str(fixed).lower(), fix)


def digest_of(words: Sequence[int]) -> str:
    """The first 16 digits of the SHA-256 of machine words: the program of an interface, independent of the form of its file."""
    return sha256(b"".join(word.to_bytes(8, "little") for word in words)).hexdigest()[:16]


def interface_beside(path: str, files: Files) -> Beside | None:
    """Read the interface file of a program; None if it does not exist or is another kind of file.

    Raises InputError (C209) for an interface file that cannot be read.
    """
    if path == STDIO or not PurePath(path).name:
        return None
    place = PurePath(path).with_suffix(".json")
    if place == PurePath(path) or not files.exists(str(place)):
        return None
    try:
        data = document_of(files.read(str(place)), INTERFACE)
    except InputFailure:
        return None
    if data is None:
        return None
    try:
        if data["version"] != VERSION:
            raise ValueError(f"unsupported version {data['version']!r}: this lanewise reads {VERSION}")
        return read_interface(str(place), data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(
            [
                Diagnostic(
                    code="C209",
                    severity=ERROR,
                    message=f"malformed interface of the program: {type(error).__name__}, {error}",
                    span=Span(file=str(place)),
                    fix="compile the shader again, or move the file away and give all constants with --uniform",
                )
            ]
        ) from None


def holds_something_else(path: str) -> bool:
    """Whether a file exists that is not the interface of a program: writing one there would destroy it."""
    if not Path(path).exists():
        return False
    try:
        return document_of(files.read(path, "data"), INTERFACE) is None
    except OSError:
        return True


def read_interface(path: str, document: Mapping[str, object]) -> Beside:
    """The contents of an interface file. Raises KeyError, TypeError, ValueError, AttributeError or IndexError."""
    data = cast("Mapping[str, Sequence[Mapping[str, object]]]", document)
    constants: list[Constant] = []
    for row in data["constants"]:
        bits = [int(str(text), 16) for text in cast("Sequence[object]", row["bits"])]
        if len(bits) != 4 or any(not 0 <= word < 1 << 32 for word in bits):
            raise ValueError("constants have four patterns of 32 bits")
        constants.append(Constant(_register(row["register"], "c", 256), tuple(bits)))
    inputs, outputs = (
        {str(row["meaning"]): _register(row["register"], file, 8) for row in data[key]}
        for key, file in (("inputs", "v"), ("outputs", "o"))
    )
    # What Direct3D 9 calls an output is the name of a register, which may be another one here.
    sources = {str(row["source"]): _register(row["register"], "o", 8) for row in data["outputs"] if "lines" in data}
    numbers = cast("Mapping[str, Mapping[str, object]]", data["numbers"])
    places = {name: _component(row["register"]) for name, row in numbers.items()}
    # Interfaces of earlier releases have no limits, or only `most`, and not what is compiled in.
    flags = frozenset([name for name, row in numbers.items() if row.get("kind", "flag" if name[:1] == "b" else "") == "flag"])
    limits = {name: Limits(*(_whole(row, key) for key in Limits._fields)) for name, row in numbers.items() if name not in flags}
    rows = cast("Mapping[str, Mapping[str, object]]", data.get("known") or {})
    known = {name: _known(name, row) for name, row in rows.items()}
    named = cast("Mapping[str, object]", data.get("names") or {})
    names = {_register(register, "c", 256): str(name) for register, name in named.items()}
    matrices = cast("Mapping[str, Mapping[str, object]]", data.get("matrices") or {})
    columns = {name: (int(str(row["rows"])), int(str(row["columns"]))) for name, row in matrices.items()}
    if any(not 1 <= size <= 4 for shape in columns.values() for size in shape):
        raise ValueError("matrices have 1 to 4 rows and columns")
    return Beside(
        path=path,
        program=str(data.get("program", "")),
        constants=tuple(constants),
        inputs=inputs,
        outputs=outputs,
        numbers=places,
        limits=limits,
        known=known,
        names=names,
        flags=flags,
        sources=sources,
        places=tuple(_places(data, path)),
        columns=columns,
        device=str(data.get("device", "")),
    )


def _places(data: Mapping[str, object], path: str) -> Iterator[Span]:
    """The place of each word, by the numbers of lines of the source; -1 is a word of no line."""
    lines = cast("Sequence[Mapping[str, object]]", data.get("lines") or ())
    spans = [Span(file=str(line["file"]), line=int(str(line["line"])), text=str(line["text"])) for line in lines]
    for number in cast("Sequence[int]", data.get("places") or ()):
        yield spans[number] if number >= 0 else Span(file=PurePath(path).name)


def _whole(row: Mapping[str, object], key: str) -> int | None:
    return int(str(row[key])) if key in row else None


def _known(name: str, row: Mapping[str, object]) -> Limits | bool:
    if name[:1] not in ("i", "b"):
        raise ValueError(f"'{name}' is no integer or boolean constant")
    if name[0] == "i":
        return Limits(*(_whole(row, key) for key in Limits._fields))
    if not isinstance(row["value"], bool):
        raise ValueError(f"{name} is neither true nor false")
    return row["value"]


def _register(text: object, file: str, count: int) -> int:
    name = str(text)
    if name[:1] != file or not 0 <= register_number(name) < count:
        raise ValueError(f"unknown register '{name}': expected {file}0 to {file}{count - 1}")
    return register_number(name)


def _component(text: object) -> tuple[int, int]:
    register, _, letter = str(text).partition(".")
    return _register(register, "c", 256), "xyzw".index(letter)
