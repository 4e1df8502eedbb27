"""Programs of raw words, for every command: `--words`, `--descriptors`, `--entry`, or the program of a data file."""

from __future__ import annotations

from os.path import relpath, sep

from lanewise.core.data import Geometry, data_of, flat_words
from lanewise.core.diagnostics import InputError, has_errors
from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.core.service import InputFailure, UsageError
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.api.file import ShaderFile
from lanewise.pica200.container.mispacked import mispacked
from lanewise.pica200.container.mistaken import begins_at_end, begins_inside, mistaken, reversed_selectors
from lanewise.pica200.container.raw import as_unsigned, read_descriptors, read_words, write_words
from lanewise.pica200.ir.graph import reached
from lanewise.pica200.isa.codec import decode

if TYPE_CHECKING:
    from lanewise.core.data import DataFile
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Request

_MOST_BYTES = 1 << 20  # 64 times what the largest unit holds; each word costs time


class Raw(Record):
    """The words of a program that is not in a container."""

    name: str
    "File of the words."
    words: tuple[int, ...] | None
    "Machine words; None if they have errors."
    descriptors: tuple[int, ...] | None
    "Operand descriptors; None if none were asked for."
    entry: int
    "Address of the first instruction."
    geometry: Geometry | None
    "Mode of a geometry shader; None for a vertex shader."
    data: DataFile | None
    "Data file of the request; None without one."
    findings: list[Diagnostic]
    "Findings about the words and the options."

    @property
    def file(self) -> ShaderFile:
        """The program as a file. Raises InputError."""
        if self.words is None:
            raise InputError(self.findings)
        mode = self.geometry or Geometry("")
        file = ShaderFile.from_words(
            self.words,
            self.descriptors or (),
            entry=self.entry,
            name=self.name,
            outputs=self.data.outputs if self.data else None,
            geometry=mode.mode,
            array_start=mode.array_start,
            vertex_count=mode.vertex_count,
        )
        known = {finding.code for finding in file.diagnostics}
        file.diagnostics = (*[finding for finding in self.findings if finding.code not in known], *file.diagnostics)
        return file


def has_raw(request: Request) -> bool:
    """Whether a request without files has raw words. Raises InputFailure, InputError."""
    if request.has("words"):
        return True
    data = data_of(request) if request.has("data") else None
    return data is not None and data.program is not None


def read_raw(request: Request) -> Raw:
    """The raw program of a request. Raises UsageError, InputFailure, InputError."""
    data = data_of(request)
    program = data.program if data is not None else None
    entry = _entry(request, program.entry if program is not None else None)
    folder = f"{data.folder}/" if data is not None and data.folder else ""
    if request.sources:
        name, words, findings = request.sources[0].name, *_words(request.sources[0].data, request.sources[0].name)
    elif request.text("words"):
        name, words, findings = (
            request.text("words"),
            *_words(_file(request, request.text("words"), "words"), request.text("words")),
        )
    elif program is not None and data is not None and isinstance(program.words, str):
        name, words, findings = (
            folder + program.words,
            *_words(_read(request, data, folder + program.words, "words"), folder + program.words),
        )
    elif program is not None and data is not None and program.words is not None:
        name, words, findings = data.path, *_words(_bytes(data, program.words, "words"), data.path)
    else:
        raise UsageError("name a FILE, or raw words with --words CODE, or a program in the file of --data")
    table: tuple[int, ...] | None = None
    more: list[Diagnostic] = []
    if request.text("descriptors"):
        path = request.text("descriptors")
        table, more = read_descriptors(_file(request, path, "descriptors"), path)
    elif program is not None and data is not None and program.descriptors is not None:
        inside = not isinstance(program.descriptors, str)
        path = data.path if inside else f"{folder}{program.descriptors}"
        listed = _bytes(data, program.descriptors, "descriptors") if inside else _read(request, data, path, "descriptors")
        table, more = read_descriptors(listed, path)
    findings = [*findings, *more]
    if words is not None and not has_errors(findings):
        as_text = b"\0" not in request.files.read(name) if name == request.text("words") else False
        findings += mistaken(words, table, name, request.text("descriptors"), text=as_text)
    if words is not None and not 0 <= entry < max(1, len(words)):
        bytewise = f"; a program counter of {entry} bytes is word {entry // 4}" if 0 < entry < 4 * len(words) else ""
        raise UsageError(f"--entry {entry}: {name} has {len(words)} words, counted from 0{bytewise}")
    if words is not None and not has_errors(findings):
        findings += begins_at_end(words, entry, name)
    if words is not None and not has_errors(findings):
        findings += begins_inside(words, entry, name)
    if words is not None and table and not has_errors(findings):
        findings += reversed_selectors(words, table, request.text("descriptors") or name)
    geometry = _geometry(request, program.geometry if program is not None else None)
    if words is not None and table and not has_errors(findings):
        places = reached([decode(word) for word in words], entry)
        if not isinstance(places, BudgetExceeded):
            file = request.text("descriptors")
            findings += mispacked(words, table, name, file, reached=places, geometry=geometry is not None)
    return Raw(
        name=name,
        words=None if has_errors(findings) else words,
        descriptors=table,
        entry=entry,
        geometry=geometry,
        data=data,
        findings=findings,
    )


def _file(request: Request, path: str, what: str) -> bytes:
    """The bytes of a file of words or descriptors. Raises UsageError for words in its place, InputFailure."""
    parts = path.replace(",", " ").split()
    if parts and all(part.lower().startswith("0x") for part in parts) and not request.files.exists(path):
        raise UsageError(f"--{what} {path}: a file is named: write the words to {what}.txt, and --{what} {what}.txt")
    return request.files.read(path)


def _words(data: bytes, name: str) -> tuple[tuple[int, ...] | None, list[Diagnostic]]:
    if len(data) > _MOST_BYTES:
        raise InputFailure(
            f"{name} has {len(data)} bytes, which are too many for the words of a program: at most {_MOST_BYTES} are read; "
            "`lanewise inspect --scan` finds SHBINs inside other files"
        )
    return read_words(data, name)


def _read(request: Request, data: DataFile, path: str, what: str) -> bytes:
    """The bytes of a file that a data file names. Raises InputError with the place there."""
    try:
        return request.files.read(path)
    except InputFailure as error:
        said, _, near = str(error).partition(" (did you mean ")  # a name from here
        fix = "the name is relative to the data file"
        if near:
            fix = f'write "{relpath(near.removesuffix("?)"), data.folder or ".").replace(sep, "/")}": {fix}'
        data.reader.report("T005", f"{what}: {said}", fix, what)
        raise InputError(data.reader.findings) from None


def _bytes(data: DataFile, listed: object, what: str) -> bytes:
    """The bytes of words that a data file lists. Raises InputError."""
    found = flat_words(cast("list[object]", listed) if isinstance(listed, list) else [listed])
    if isinstance(found, tuple):
        fix = as_unsigned(found[1]) or 'write integers, or texts such as "0x4C201000"'
        data.reader.report("T004", f"item {found[0]} of {what} is not a 32-bit word: {str(found[1])[:40]!r}", fix, what)
        raise InputError(data.reader.findings)
    return write_words(found)


def _entry(request: Request, default: int | None) -> int:
    if not request.has("entry"):
        return default or 0
    text = request.text("entry")
    try:
        return int(text, 0)
    except ValueError:
        plain = text.partition(".")[0].lstrip("0") or "0"
        meant = plain if plain.isdecimal() else "1"
        why = "a whole number" if meant == plain else "words have no names: give the number of the first word"
        raise UsageError(f"--entry {text}: {why}, such as --entry {meant}") from None


def _geometry(request: Request, found: Geometry | None) -> Geometry | None:
    """The mode of the program: that of the data file, or of --geometry, which is a flag for most commands. Raises
    UsageError."""
    mode = request.text("geometry")
    if mode:
        if mode not in ("point", "variable", "fixed"):
            raise UsageError(f"--geometry {mode}: with --words it is point, variable or fixed")
        return (found or Geometry())._replace(mode=mode)
    return found or (Geometry() if request.flag("geometry") else None)
