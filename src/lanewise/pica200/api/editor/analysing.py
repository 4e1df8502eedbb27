"""Sources of the PICA200 for editors: findings, names, word addresses and entries, of any text."""

from __future__ import annotations

from lanewise.core.diagnostics import has_errors
from lanewise.core.editor import Analysis, Entry, Placed
from lanewise.core.occurrences import LABEL, PROCEDURE
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import decode_text
from lanewise.pica200.api.checking import Reading, examine
from lanewise.pica200.api.services.loaded import LinkedSources
from lanewise.pica200.isa.table import GEOMETRY, VERTEX

if TYPE_CHECKING:
    from lanewise.core.occurrences import Occurrence
    from lanewise.core.package import Loaded
    from lanewise.core.service import Request
    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.text.dialect import Dialect
    from lanewise.pica200.text.vocabulary import Vocabulary


class State(Record):
    """What the functions of the editor know of the sources: how they are written, what was assembled, and the contexts of the
    rules."""

    dialect: Dialect
    vocabulary: Vocabulary
    made: Assembly
    contexts: tuple[AnalysisContext, ...]


def analyse(request: Request, dialect: Dialect, vocabulary: Vocabulary) -> Analysis:
    """The analysis of the sources of a request, which are linked into one program."""
    sources = [(source.name, decode_text(source.data)) for source in request.sources]
    names = dialect.names() if dialect.names is not None else None
    reading = Reading(
        compatible=request.flag("picasso-compat"),
        padding=not request.flag("no-nop"),
        dialect=dialect.name,
        entry=request.text("entry"),
        geometry=request.flag("geometry"),
        read=request.read_included,
        folders=request.texts("include"),
        hints=request.flag("hints"),
    )
    examined = examine(sources, reading, names=names)
    assembly, report = examined.made, examined.report
    occurrences = names.occurrences() if names is not None else ()
    loaded: Loaded | None = None
    if assembly.data is not None and not has_errors(report.findings):
        loaded = LinkedSources(request, dialect.name, assembly)
    placed = [
        Placed(operation.span, address, 1, operation.damaged)
        for address, operation in enumerate(assembly.program.operations)
        if operation.span is not None
    ]
    return Analysis(
        findings=tuple(report.findings),
        ignored=tuple(report.ignored),
        occurrences=occurrences,
        placed=tuple(placed),
        entries=_entries(assembly, occurrences),
        loaded=loaded,
        state=State(dialect, vocabulary, assembly, examined.contexts),
    )


def _entries(assembly: Assembly, occurrences: tuple[Occurrence, ...]) -> tuple[Entry, ...]:
    """The entry of each shader, at the name of its procedure or label."""
    found: list[Entry] = []
    units = [unit for unit in assembly.module.units if not unit.is_library]
    for unit in units:
        limit = (GEOMETRY if unit.geometry else VERTEX).code_words
        places = [
            place for place in occurrences if place.definition and place.name == unit.entry and place.kind in (PROCEDURE, LABEL)
        ]
        place = next((place for place in places if place.span.file == unit.name), places[0] if places else None)
        if place is not None:
            name = unit.entry if len(units) > 1 else ""
            found.append(
                Entry(name=name, span=place.span, extent=place.extent, words=len(assembly.program.operations), limit=limit)
            )
    return tuple(found)
