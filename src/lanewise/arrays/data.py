"""Values of data files and shader tests as arrays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

from lanewise.arrays.values import (
    ROWS,
    NotNumbersError,
    fix_of,
    is_pattern,
    numbers_of,
    origin_of,
    read_value,
    specials,
    split_key,
)
from lanewise.arrays.words import Words
from lanewise.core.data import data_of
from lanewise.core.diagnostics import INITIAL, INPUT, UNIFORM, InputError
from lanewise.core.files import meant
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.suffixes import suffix_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.arrays.mesh import Mesh
    from lanewise.core.data import DataFile
    from lanewise.core.service import Files, Request
    from lanewise.core.tables import TableReader

    Array = NDArray[Any] | Words


_NONE: Mapping[str, Any] = {}
_FEW = 4  # rows that a fix shows whole
_LETTERS = frozenset("xyzwrgba")
_NUMBERS = frozenset("0123456789+-.eE,; ")
_KINDS = {"input": INPUT, "uniform": UNIFORM, "geometry-uniform": UNIFORM, "initial": INITIAL}  # of options


class RunData:
    """The values of a run by name or register, as `run` of an instruction set takes them; `outputs` maps output registers to
    semantics."""

    inputs: Mapping[str, Array]
    uniforms: Mapping[str, Array]
    integers: Mapping[str, Array]
    booleans: Mapping[str, Array]
    samplers: Mapping[str, Array]
    initial: Mapping[str, Array]
    count: int | None
    outputs: Mapping[str, str]

    def __init__(
        self,
        inputs: Mapping[str, Array] = _NONE,
        uniforms: Mapping[str, Array] = _NONE,
        integers: Mapping[str, Array] = _NONE,
        booleans: Mapping[str, Array] = _NONE,
        samplers: Mapping[str, Array] = _NONE,
        initial: Mapping[str, Array] = _NONE,
        count: int | None = None,
        outputs: Mapping[str, str] = _NONE,
    ) -> None:
        self.inputs, self.uniforms, self.integers, self.booleans = inputs, uniforms, integers, booleans
        self.samplers, self.initial, self.count, self.outputs = samplers, initial, count, outputs

    @property
    def constants(self) -> dict[str, Array]:
        """Uniforms of all kinds."""
        return {**self.uniforms, **self.integers, **self.booleans}


class _Beside:
    """Files by paths that are relative to a folder."""

    def __init__(self, files: Files, folder: str) -> None:
        self._files, self._folder = files, folder

    def _path(self, path: str) -> str:
        return path if not self._folder or path.startswith(("/", "\\")) or path[1:2] == ":" else f"{self._folder}/{path}"

    def read(self, path: str) -> bytes:
        return self._files.read(self._path(path))

    def exists(self, path: str) -> bool:
        return self._files.exists(self._path(path))

    def within(self, path: str) -> Files:
        return self._files.within(path)


def run_data(request: Request, isa: str = "") -> RunData:
    """The values of `--data` for an instruction set; none without it. Raises InputFailure, InputError."""
    file = data_of(request)
    if file is not None and isa and file.isa not in ("", isa):
        fix = f'; write "isa": "{isa}" if the data is of this program, or leave it out'
        raise InputFailure(f"{file.path} is for {file.isa}, but the program is for {isa}{fix}")
    return values_of(file, request.files) if file is not None else RunData()


def values_of(file: DataFile, files: Files) -> RunData:
    """The values of a data file. Raises InputError with everything that is wrong with them."""
    reader = file.reader
    files = files.within(file.path)
    tables = {key: arrays_of(reader, table, key, files, file.folder) for key, table in file.tables.items()}
    if reader.findings:
        raise InputError(reader.findings)
    return RunData(**tables, count=file.count, outputs=file.outputs)  # pyright: ignore[reportArgumentType]: the keys are those of VALUES


def _packed(reader: TableReader, name: str, value: object) -> str:
    """The fix of an integer uniform whose components are the bytes of one number; empty for others."""
    text = str(value).lower()
    if not text.startswith("0x") or len(text) > 10 or not set(text[2:]) <= set("0123456789abcdef"):
        return ""
    word = int(text, 16) if text[2:] else 0
    listed = ", ".join([str(word >> shift & 0xFF) for shift in (0, 8, 16)])
    return f"{reader.write(name, f'[{listed}]')}, a number for each component (the bytes of {value}, lowest first)"


def arrays_of(
    reader: TableReader, table: Mapping[str, object], what: str, files: Files, folder: str, line: int = 1
) -> dict[str, Array]:
    """The values of a table as arrays; findings go to the reader."""
    found: dict[str, Array] = {}
    line = reader.below(what, line)
    for name, value in table.items():
        bits = _bits(reader, value) if what != "integers" else ""
        if bits:
            message = f"{name} has bits as hexadecimal numbers, which are whole numbers in TOML, about a thousand million"
            reader.report("T004", message, reader.write(name, bits), name, line)
            continue
        try:
            found[name] = array_of(value, name, _Beside(files, folder))
        except InputFailure as error:
            line = max(line, reader.span(what, line).line)
            message, meant_text = str(error), ""
            if isinstance(value, str) and not isinstance(error, NotNumbersError):
                message, meant_text = _of_text(reader, name, value, message, files, folder)
            fix = (
                meant_text
                or f"write a number, a list, a list of rows, {{{reader.pair('bits', '...')}}}, or a text as on the command line"
            )
            packed = _packed(reader, name, value) if what == "integers" else ""
            reader.report("T004", message, packed or fix_of(reader, name, error) or fix, name, line)
    return found


def _bits(reader: TableReader, value: object) -> str:
    """The value with `bits` where it has numbers that the file writes as the bits of float32; empty for other values."""
    flat = _flat(value)
    least, most = 0x30000000, 0xCFFFFFFF
    if (
        not reader.toml
        or not all(type(each) is int and 0 <= each <= most for each in flat)
        or not any(type(each) is int and each >= least for each in flat)
    ):
        return ""
    words = [each for each in flat if isinstance(each, int) and each >= least]
    if not all(any(f"0x{word:08x}" in line.lower().replace("_", "") for line in reader.lines) for word in words):
        return ""
    return f"{{bits = {_hexadecimal(value)}}}"


def _flat(value: object) -> list[object]:
    """The items of a list and of the lists in it; a number by itself."""
    if isinstance(value, list):
        return [item for each in cast("list[object]", value) for item in _flat(each)]
    return [value]


def _hexadecimal(value: object) -> str:
    """A number, or lists of numbers, as TOML has them with the bits of each."""
    if isinstance(value, list):
        return f"[{', '.join([_hexadecimal(each) for each in cast('list[object]', value)])}]"
    return f"0x{value:08X}"


def _of_text(reader: TableReader, name: str, text: str, error: str, files: Files, folder: str) -> tuple[str, str]:
    """The message and the fix of a text that is not a value: of a path, the file that is meant, as it is from the data file; no
    fix for other texts."""
    beside = _Beside(files, folder)
    path, key = split_key(text, beside)
    if beside.exists(path):
        message, _, fix = error.rpartition(": ")
        outside = "--follow" in fix
        return (message, fix) if outside else (error, "correct the file, or write the numbers, in a list")
    if not suffix_of(path)[1:].isalpha():
        message, write, value = error.rpartition(": write ")
        return (message, reader.write(name, reader.literal(value))) if write else (error, "")
    near = path if files.exists(path) else meant(f"{folder}/{path}" if folder else path)
    message = f"{name}: {path} does not exist: paths are relative to {reader.path}"
    if not near or path.startswith("/"):
        return message, "write the path from there, or the numbers, in a list"
    given = os.path.relpath(near, folder or os.curdir).replace(os.sep, "/")
    try:
        beside.read(given)
        follow = ""
    except InputFailure as other:
        follow = ", and use --follow" if "--follow" in str(other) else ""
    return message, reader.write(name, reader.literal(f"{given}:{key}" if key else given)) + follow


def _transposed(table: Mapping[str, object]) -> object:
    """The rows of columns x, y, z, w or r, g, b, a of few numbers; None for others."""
    listed: list[list[object]] = []
    for column in table.values():
        if isinstance(column, dict):
            listed.append([*cast("dict[str, object]", column).values()])
        elif isinstance(column, list):
            listed.append(cast("list[object]", column))
    named = next((True for letters in ("xyzw", "rgba") if list(table) == [*letters[: len(table)]]), False)
    if not named or len(listed) != len(table) or len({len(column) for column in listed}) != 1 or len(listed[0]) > _FEW:
        return None
    return [list(row) for row in zip(*listed, strict=True)]


def _meant(table: Mapping[str, object]) -> object:
    """The value of a table that is not `bits`: rows of components by letter, or the only value as bits; None for another."""
    for letters in ("xyzw", "rgba"):
        numbers = [table[letter] for letter in letters if letter in table]
        if table and len(numbers) == len(table) and next(iter(table)) == letters[0]:
            return numbers
    only: object = next(iter(table.values()), None)
    named = not _LETTERS.issuperset("".join(table))
    return {"bits": cast("object", only)} if named and len(table) == 1 and isinstance(only, (int, str, list)) else None


def array_of(value: object, name: str, files: Files) -> Array:
    """A number, truth value, list, or list of rows; `{"bits": ...}` for raw patterns; a text as the command line has it. Raises
    InputFailure."""
    if isinstance(value, str):
        if is_pattern(value) and not files.exists(value):
            raise NotNumbersError(f"{name}: '{value}' is a raw word, which is given as bits", instead={"bits": value})
        return read_value(value, name, files, by_name=name)
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        if set(table) != {"bits"}:
            if any(
                isinstance(column, dict) or (isinstance(column, list) and set(table) <= _LETTERS) for column in table.values()
            ):
                message = f"{name} is a table of columns, {', '.join(table)}, expected a list of rows"
                raise NotNumbersError(message, fix=ROWS, instead=_transposed(table))
            wanted = "bits" if _meant(table) is not None else "a list of rows, or bits"
            raise NotNumbersError(
                f"{name} is a table with the keys {', '.join(table)}, expected {wanted}"
                if table
                else f"{name} is a table without keys, expected bits",
                instead=_meant(table),
            )
        patterns = numbers_of(_patterns(table["bits"], name), name)
        if patterns.dtype.kind not in "iu":
            if patterns.dtype.kind == "f":
                raise NotNumbersError(f"{name} has numbers as bits, which are words", instead=table["bits"])
            raise InputFailure(f"{name}: raw patterns are whole numbers or hexadecimal texts")
        return Words(patterns)
    return numbers_of(specials(value), name)


def _patterns(value: object, name: str) -> object:
    """The same with integers for hexadecimal texts. Raises InputFailure."""
    if isinstance(value, list):
        return [_patterns(item, name) for item in cast("list[object]", value)]
    if not isinstance(value, str):
        return value
    try:
        return int(value, 16)
    except ValueError:
        raise InputFailure(f"{name}: '{value[:40]}' is not a hexadecimal pattern, such as 0x3F0000") from None


def _joined(key: str, name: str, values: Sequence[str]) -> str:
    """The end of a sentence about an option that is given for each vertex: the one that is meant."""
    if key != "input" or not all(_NUMBERS.issuperset(value) for value in values):
        return ""
    return f": `;` separates the vertices of an input: --{key} '{name}={';'.join(values)}'"


def _with_equals(text: str) -> str:
    """A name and a value with `=` between them, which have a colon or a blank there; empty for another text."""
    for between in (":", None):
        before, *rest = text.split(between, 1) or [""]
        after = "".join(rest).strip()
        if before.strip().isidentifier() and after:
            return f"{before.strip()}={after}"
    return ""


def option_values(
    request: Request, key: str, data: Mapping[str, Array] | None = None, what: str = "NAME", mesh: Mesh | None = None
) -> dict[str, Array]:
    """The values NAME=VALUE of an option that may be repeated, in place of those of a data file. Raises UsageError,
    InputFailure."""
    found: dict[str, Array] = {}
    given: dict[str, list[str]] = {}
    for text in request.texts(key):
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals and request.files.exists(text):
            if text.lower().endswith((".obj", ".ply", ".stl", ".glb")):
                raise UsageError(f"--{key} {text}: a mesh has several inputs: --mesh {text}")
            several = key == "uniform" and text.lower().endswith((".json", ".toml"))
            fix = f"--uniforms {text}" if several else f"--{key} {what}={text}"
            reason = "the file has the values of several" if several else f"say which {key} the file is for"
            raise UsageError(f"--{key} {text}: {reason}: {fix}")
        if not equals or not name or not value:
            meant = "" if equals else _with_equals(text)
            fix = f'--{key} "{meant}"' if ";" in meant or " " in meant else meant or f"{what}=VALUE"
            raise UsageError(f"--{key} {text}: write {fix}")
        given.setdefault(name, []).append(value)
    for name, values in given.items():
        if len(values) > 1:
            raise UsageError(
                f"--{key} {name} is given {'twice' if len(values) == 2 else f'{len(values)} times'}{_joined(key, name, values)}"
            )
    for name, (value,) in given.items():
        request.origins[_KINDS[key], name] = origin_of(value, request.files, f"--{key} {name}={value}")
        found[name] = read_value(value, f"--{key} {name}", request.files, mesh, by_name=name)
    return {**(data or {}), **found}


def refuse(data: RunData, title: str, keys: Sequence[str]) -> None:
    """Raise InputFailure for tables that an instruction set does not have."""
    for key in keys:
        if getattr(data, key):
            raise InputFailure(f"{title} has no {key}: leave the table out of the data file")
