"""The sources of a program in messages: files by path, and texts that only the adapter has, such as the disassembly of a
binary."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core import files
from lanewise.core.paths import path_of_uri, uri_of
from lanewise.dap.arguments import Refusal
from lanewise.debugger.listing import listing, starts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.source import Span
    from lanewise.dap.arguments import Arguments
    from lanewise.dap.context import Client, Context
    from lanewise.dap.protocol import Disassembly, Instruction, Source, Sources, SourceText
    from lanewise.debugger.session import Session

_OUTSIDE: Instruction = {
    "address": "0xffffffffffffffff",
    "instruction": "outside of the program",
    "presentationHint": "invalid",
}
MOST_INSTRUCTIONS = 1 << 14


class Place(NamedTuple):
    """Where an instruction is in a source; lines and columns count from 1, `end` is the column after it, 0 if it is not
    known."""

    source: Source
    line: int
    column: int = 1
    end: int = 0


class SourceBook:
    """The sources of a session, and the words of their lines.

    A program without a source, such as a binary, is shown as its disassembly, or as a list of its instructions where that
    cannot be read back.
    """

    starts: list[int]
    text: str
    files: dict[str, str]

    def __init__(self, session: Session, client: Client) -> None:
        self._session, self._client = session, client
        self._spans: Sequence[Span | None] = [session.span(address) for address in range(len(session.source_map))]
        # the addresses of instructions, some of which have several words
        self.starts = starts(session.debuggee, len(self._spans))
        self.digits = 16 if max(session.launch.words, default=0) >> 32 else 8
        self.text = ""
        self._listing: Source | None = None
        if not any(self._spans):
            self._list()
        self.files = {_normal(span.file): span.file for span in self._spans if span is not None}
        self.lines: dict[str, dict[int, list[int]]] = {}
        for address, span in enumerate(self._spans):
            if span is not None:
                self.lines.setdefault(span.file, {}).setdefault(span.line, []).append(address)

    def _list(self) -> None:
        name = f"{Path(self._session.debuggee.name).name} (disassembly)"
        self._listing = {"name": name, "sourceReference": 1, "origin": "disassembly"}
        found = listing(self._session.launch.loaded, name, lambda: self._session.debuggee)
        self.text, self._spans = found.text, found.places

    def place(self, address: int) -> Place | None:
        """Where a word is."""
        span = self._spans[address] if 0 <= address < len(self._spans) else None
        return self.of_span(span) if span is not None else None

    def of_span(self, span: Span) -> Place:
        end = span.column + span.length if span.column else 0
        return Place(self.source(span.file), span.line, max(span.column, 1), end)

    def source(self, file: str) -> Source:
        """The source of a file, as spans name it."""
        return self._listing if self._listing is not None else file_source(file, self._client)

    def all(self) -> list[Source]:
        return [self.source(file) for file in self.lines]

    def file_of(self, source: Arguments) -> str | None:
        """The file that a client means, as spans name it; None for one that is not of the program."""
        if source.integer("sourceReference", 0) > 0:
            if self._listing is None or source.integer("sourceReference") != self._listing.get("sourceReference"):
                return None
            return next(iter(self.lines), "")
        path = source.text("path", "")
        if self._client.uris:
            path = path_of_uri(path)
        return self.files.get(_normal(path)) if path and self._listing is None else None

    def code(self, file: str, line: int) -> tuple[int, list[int]] | None:
        """The first line from a line on that has words, and these."""
        lines = self.lines.get(file, {})
        found = min((number for number in lines if number >= line), default=None)
        return (found, lines[found]) if found is not None else None


def _normal(path: str) -> str:
    """A path by which the same file has the same name."""
    return str(Path(path).resolve())


def file_source(file: str, client: Client) -> Source:
    """The source of a file."""
    path = str(Path(file).absolute())
    return {"name": Path(file).name, "path": uri_of(path) if client.uris else path}


def memory_reference(address: int) -> str:
    """A word in messages."""
    return f"0x{address:04x}"


def address_of(arguments: Arguments, name: str) -> int:
    """The word that a request names. Raises Refusal."""
    text = arguments.text(name)
    try:
        return int(text, 0)
    except ValueError:
        raise Refusal(f"{arguments.of}: '{name}' is '{text[:60]}', expected the number of a word, such as 0x0010") from None


# requests


def _source(context: Context, arguments: Arguments) -> SourceText:
    number = arguments.integer("sourceReference", 0) or arguments.inner("source", {}).integer("sourceReference", 0)
    if number:
        if number != 1 or not context.sources.text:
            raise Refusal(f"source: there is no source {number}")
        return {"content": context.sources.text}
    path = arguments.inner("source").text("path")
    file = context.sources.file_of(arguments.inner("source"))
    if file is None:
        raise Refusal(f"source: {path[:200]} is not part of the program")
    return {"content": files.read(file, "source").decode("utf-8", "replace")}


def _loaded_sources(context: Context, arguments: Arguments) -> Sources:
    return {"sources": context.sources.all()}


def _disassemble(context: Context, arguments: Arguments) -> Disassembly:
    count = arguments.integer("instructionCount")
    if not 0 <= count <= MOST_INSTRUCTIONS:
        raise Refusal(f"disassemble: instructionCount is {count}, expected 0 to {MOST_INSTRUCTIONS}")
    address = address_of(arguments, "memoryReference") + arguments.integer("offset", 0)
    starts = context.sources.starts
    first = (
        bisect_right(starts, address) - 1 if 0 <= address < len(context.session.source_map) else address
    ) + arguments.integer("instructionOffset", 0)
    return {
        "instructions": [_instruction(context, n) if 0 <= n < len(starts) else _OUTSIDE for n in range(first, first + count)]
    }


def _instruction(context: Context, number: int) -> Instruction:
    session, starts = context.session, context.sources.starts
    address = starts[number]
    end = starts[number + 1] if number + 1 < len(starts) else len(session.launch.words)
    words = " ".join([f"{word:0{context.sources.digits}x}" for word in session.launch.words[address:end]])
    found: Instruction = {
        "address": memory_reference(address),
        "instruction": session.debuggee.instruction(address) or "no instruction",
        "instructionBytes": session.debuggee.encoding(address) or words,
    }
    names = [name for name, at in session.debuggee.labels.items() if at == address]
    if names:
        found["symbol"] = names[0]
    place = context.sources.place(address)
    if place is not None:
        found["location"], found["line"] = place.source, context.client.line(place.line)
        found["column"] = context.client.column(place.column)
    return found


HANDLERS: Mapping[str, Callable[[Context, Arguments], object]] = {
    "source": _source,
    "loadedSources": _loaded_sources,
    "disassemble": _disassemble,
}
