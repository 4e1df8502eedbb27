"""Disassembling and converting programs of the PICA200."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, UsageError
from lanewise.pica200.api.converting import convert_assembly, convert_file
from lanewise.pica200.text.dialects import dialects, source_suffixes
from lanewise.pica200.text.picasso.listing import listing_lines

if TYPE_CHECKING:
    from lanewise.core.service import Disassembly, Request
    from lanewise.pica200.api.services.loaded import PicaFile
    from lanewise.pica200.container.shbin import Shbin


def disassembled(request: Request, shbin: Shbin, data: bytes | None, *, quiet: bool = False) -> Answer:
    """The sources of a file in the language of `--dialect`, or its listing; `quiet` is as in `disassemble`. Raises
    UsageError."""
    if request.flag("listing"):
        lines = listing_lines(shbin.words, shbin.descriptors)
        return Answer(files=((request.text("output", STDIO), ("\n".join(lines) + "\n").encode()),))
    to = request.text("dialect", dialects()[0].name)
    known = [dialect.name for dialect in dialects() if dialect.drafts is not None]
    if to not in known:
        raise UsageError(f"--dialect {to}: for the PICA200 use {', '.join(known)}")
    path = request.sources[0].path if request.sources else request.text("words") or request.text("data")
    found = convert_file(shbin, to, stem_of(path), data, quiet=quiet)
    return Answer(data=as_json(found), sources=found)


def sources_of(file: PicaFile, request: Request, to: str) -> Disassembly:
    """A program as sources in another language. Raises InputError."""
    stem = stem_of(request.sources[0].path)
    assembly = file.assembly()
    if assembly is not None:
        return convert_assembly(assembly, to, stem)
    shbin, data = file.shbin()
    return convert_file(shbin, to, stem, data)


def as_json(disassembly: Disassembly) -> dict[str, object]:
    return {
        "plain": disassembly.plain,
        "arguments": list(disassembly.arguments),
        "lost": list(disassembly.lost),
        "sources": [{"name": source.name, "text": source.text} for source in disassembly.sources],
    }


def stem_of(path: str) -> str:
    """What the names of sources begin with: the file's name without its suffix, in characters that any file name may have."""
    if path == STDIO or not path:
        return "shader"
    for suffix in source_suffixes():
        if path.lower().endswith(suffix):
            path = path[: -len(suffix)] + ".shbin"
            break
    name = path.replace("\\", "/").rpartition("/")[2]
    stem = name.rpartition(".")[0] or name
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in stem) or "shader"
