"""Assembling sources of the PICA200 for `lanewise asm`."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer
from lanewise.core.source import decode_text
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.doubts import doubtful
from lanewise.pica200.api.services.refusing import refuse_options
from lanewise.pica200.text.dialects import dialects_of, source_suffixes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Request
    from lanewise.pica200.api.assembling import Assembly

_OF_THE_RULES = frozenset(("V104",))  # about the rules, not about the program


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
    files = [(request.text("output") or default_output(request.sources[0].path), result.data)]
    if request.has("header"):
        from lanewise.pica200.text.picasso.header import c_header

        files.append((request.text("header"), c_header(result.module, "lanewise").encode()))
    if request.has("words") or request.has("descriptors"):
        from lanewise.pica200.container.raw import write_descriptors, write_words

        if request.has("words"):
            files.append((request.text("words"), write_words(result.encoded.words)))
        if request.has("descriptors"):
            files.append((request.text("descriptors"), write_descriptors(result.encoded.descriptors)))
    compatible = request.flag("picasso-compat")
    wrong = () if compatible or not doubtful(result.program) else _wrong(result, sources, request.language)
    return Answer(first=(*result.diagnostics, *wrong), files=tuple(files))


def _wrong(result: Assembly, sources: Sequence[tuple[str, str]], language: str) -> tuple[Diagnostic, ...]:
    """What the rules of `lanewise check` warn of, that the assembler does not say."""
    from lanewise.pica200.api.checking import examined

    known = {(finding.code, finding.span.file, finding.span.line) for finding in result.diagnostics}
    found = examined(result, sources, language).report.findings
    return tuple(
        [
            finding
            for finding in found
            if finding.severity == WARNING
            and finding.code not in _OF_THE_RULES
            and (finding.code, finding.span.file, finding.span.line) not in known
        ]
    )


def default_output(source: str) -> str:
    """`light.v.pica` becomes `light.shbin` beside it; standard input goes to standard output."""
    if source == STDIO:
        return STDIO
    for suffix in source_suffixes():
        if source.lower().endswith(suffix) and not source.endswith("/" + suffix) and source != suffix:
            return source[: -len(suffix)] + ".shbin"
    return source + ".shbin"
