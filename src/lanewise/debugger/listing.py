"""A program without a source as text: its disassembly, with the place of each word in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import InputError
from lanewise.core.service import InputFailure, Request, SourceFile, UsageError
from lanewise.core.source import Span
from lanewise.packages import recognise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.debugging import Debuggee
    from lanewise.core.package import Loaded


class Listing(NamedTuple):
    """A text with the place of each word. `is_source`: it assembles to the same words, in the language `language`."""

    text: str
    places: Sequence[Span | None]
    language: str = ""

    @property
    def is_source(self) -> bool:
        return bool(self.language)


def starts(debuggee: Debuggee, words: int) -> list[int]:
    """The addresses of instructions, some of which have several of the words."""
    return [address for address in range(words) if debuggee.instruction(address)]


def listing(loaded: Loaded, name: str, debuggee: Callable[[], Debuggee]) -> Listing:
    """The disassembly of a program under a name, or a list of its instructions, as a debuggee has them, where that does not
    assemble to the same words."""
    return disassembly(loaded, name) or _instructions(loaded, name, debuggee())


def disassembly(loaded: Loaded, name: str) -> Listing | None:
    """The disassembly of a program under a name; None where it does not assemble to the same words."""
    try:
        text = loaded.text
        data = text.encode()
        match = recognise("", data)
        if match is None or match.language is None:
            return None
        again = match.read(Request("debug", [SourceFile(name, data, name)], {}))
        same = list(again.words) == list(loaded.words) and len(again.source_map) == len(loaded.source_map)
    except (InputError, InputFailure, UsageError, ValueError):
        return None
    return Listing(text, again.source_map, match.language.name) if same else None


def _instructions(loaded: Loaded, name: str, debuggee: Debuggee) -> Listing:
    rows = [(address, debuggee.instruction(address)) for address in starts(debuggee, len(loaded.words))]
    places = {
        address: Span(file=name, line=line, column=1, length=len(text), text=text)
        for line, (address, text) in enumerate(rows, 1)
    }
    return Listing("".join([f"{text}\n" for _, text in rows]), [places.get(n) for n in range(len(loaded.words))])


__all__ = ["Listing", "disassembly", "listing", "starts"]
