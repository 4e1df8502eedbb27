"""Disassembling and converting programs of the PICA200."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.service import STDIO, Answer, Disassembly, UsageError
from lanewise.pica200.api.converting import convert_assembly, convert_file
from lanewise.pica200.text.dialects import DIALECTS, SOURCE_SUFFIXES
from lanewise.pica200.text.picasso.listing import listing_lines

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.pica200.api.services.loaded import PicaFile
    from lanewise.pica200.container.shbin import Shbin

PICASSO = "picasso"


def disassembled(request: Request, shbin: Shbin, data: bytes | None) -> Answer:
    """The sources of a file in the language of `--dialect`, or its listing. Raises UsageError."""
    if request.flag("listing"):
        lines = listing_lines(shbin.words, shbin.descriptors)
        return Answer(files=((request.text("output", STDIO), ("\n".join(lines) + "\n").encode()),))
    to = request.text("dialect", PICASSO)
    if to not in DIALECTS:
        raise UsageError(f"--dialect {to}: for the PICA200 use {', '.join(DIALECTS)}")
    made = convert_file(shbin, to, stem_of(request.sources[0].path), data)
    return Answer(as_json(made), sources=_sources(made, to))


def sources_of(file: PicaFile, request: Request, to: str) -> Disassembly:
    """A program as sources in another language. Raises InputError."""
    stem = stem_of(request.sources[0].path)
    assembly = file.assembly()
    made = convert_assembly(assembly, to, stem) if assembly is not None else convert_file(*_swapped(file, to, stem))
    return _sources(made, to)


def _swapped(file: PicaFile, to: str, stem: str) -> tuple[Shbin, str, str, bytes | None]:
    shbin, data = file.shbin()
    return shbin, to, stem, data


def _sources(made: Disassembly, to: str) -> Disassembly:
    return made._replace(comment=";" if to == PICASSO else "//")


def as_json(made: Disassembly) -> dict[str, object]:
    return {
        "plain": made.plain,
        "arguments": list(made.arguments),
        "lost": list(made.lost),
        "sources": [{"name": source.name, "text": source.text} for source in made.sources],
    }


def stem_of(path: str) -> str:
    """What the names of sources begin with: the file's name without its suffix, in characters that any file name may have."""
    if path == STDIO or not path:
        return "shader"
    for suffix in SOURCE_SUFFIXES:
        if path.lower().endswith(suffix):
            path = path[: -len(suffix)] + ".shbin"
            break
    name = path.replace("\\", "/").rpartition("/")[2]
    stem = name.rpartition(".")[0] or name
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in stem) or "shader"
