"""Assembling sources of the PICA200 for `lanewise asm`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer
from lanewise.core.source import decode_text
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.doubts import warnings
from lanewise.pica200.api.services.refusing import refuse_options
from lanewise.pica200.text.dialects import dialects_of, source_suffixes

if TYPE_CHECKING:
    from lanewise.core.service import Request


def assemble(request: Request) -> Answer:
    """One SHBIN of all sources, and the files beside it that are asked for. Raises UsageError."""
    refuse_options(request, dialects_of([source.path for source in request.sources], request.language))
    sources = [(source.name, decode_text(source.data)) for source in request.sources]
    result = assemble_sources(
        sources,
        compatible=request.flag("picasso-compat"),
        padding=not request.flag("no-nop"),
        dialect=request.language,
        entry=request.text("entry"),
        geometry=request.flag("geometry"),
        layout=request.text("layout"),
        read=request.read_included,
        folders=request.texts("include"),
    )
    if result.data is None:
        return Answer(first=result.diagnostics, failed=True)
    remarks: tuple[str, ...] = ()
    files = [(request.text("output") or default_output(request.sources[0].path), result.data)]
    if request.has("header"):
        from lanewise.pica200.text.picasso.header import c_header

        files.append((request.text("header"), c_header(result.module, "lanewise").encode()))
        remarks = _of_two_writers(files[0][0], request.text("header"))
    if request.has("words") or request.has("descriptors"):
        from lanewise.pica200.container.raw import write_descriptors, write_words

        if request.has("words"):
            files.append((request.text("words"), write_words(result.encoded.words)))
        if request.has("descriptors"):
            files.append((request.text("descriptors"), write_descriptors(result.encoded.descriptors)))
    wrong = () if request.flag("picasso-compat") else warnings(result, sources, request.language)
    return Answer(first=(*result.diagnostics, *wrong), files=tuple(files), remarks=remarks)


def _of_two_writers(program: str, header: str) -> tuple[str, ...]:
    """A remark on a header whose name is that of the one which devkitPro's `bin2s` writes for the program."""
    embedded = program.replace("\\", "/").rpartition("/")[2].replace(".", "_") + ".h"
    if header.replace("\\", "/").rpartition("/")[2] != embedded:
        return ()
    other = f"{header[: -len(embedded)]}{program.replace(chr(92), '/').rpartition('/')[2].partition('.')[0]}_uniforms.h"
    return (f"devkitPro's rules write {embedded} too, for the bytes of {program}: with them, name this one -H {other}",)


def default_output(source: str) -> str:
    """`light.v.pica` becomes `light.shbin` beside it; standard input goes to standard output."""
    if source == STDIO:
        return STDIO
    for suffix in source_suffixes():
        if source.lower().endswith(suffix) and not source.endswith("/" + suffix) and source != suffix:
            return source[: -len(suffix)] + ".shbin"
    return source + ".shbin"
