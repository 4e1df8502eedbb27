"""Services that a package may use instead of its own: assembling one source, listing and sources of a disassembly, no
options."""

from __future__ import annotations

from lanewise.core.program import binary
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import NOTHING_ADDED, STDIO, Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.package import Container, Language, Loaded
    from lanewise.core.service import Disassembly, Manual, Request


def nothing_added(command: str) -> Manual:
    """The additions to a command of an instruction set that has none."""
    return NOTHING_ADDED


def assembled(request: Request, language: Language, container: Container) -> Answer:
    """The file of the one source of a request, next to it unless `--output` names another. Raises InputError."""
    loaded, path = language.read(request), request.sources[0].path
    suffix = next((suffix for suffix in language.suffixes if path.endswith(suffix)), "")
    output = request.text("output") or (STDIO if path == STDIO else path.removesuffix(suffix) + container.suffixes[0])
    return Answer(files=((output, binary(loaded, container)),), first=tuple(loaded.program.diagnostics))


def disassembled(request: Request, loaded: Loaded, sources: Disassembly, texts: Sequence[str], digits: int) -> Answer:
    """The sources of a program, or with `--listing` address, machine word of so many hexadecimal digits, and text of each
    instruction."""
    if request.flag("listing"):
        rows = zip(loaded.words, texts, strict=True)
        return Answer(text="".join([f"{address} {word:0{digits}X} {text}\n" for address, (word, text) in enumerate(rows)]))
    return Answer(data={"sources": [source._asdict() for source in sources.sources]}, sources=sources)


__all__ = ["assembled", "disassembled", "nothing_added"]
