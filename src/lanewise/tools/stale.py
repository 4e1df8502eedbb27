"""A binary that is older than the source beside it, from which another is assembled now."""

from __future__ import annotations

from lanewise.core import files
from lanewise.core.diagnostics import WARNING, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import InputFailure, Request, SourceFile, UsageError
from lanewise.core.source import Span
from lanewise.core.suffixes import suffix_of
from lanewise.packages import recognise
from lanewise.tools.console import DiskFiles, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from lanewise.core.package import Container, Loaded
    from lanewise.packages import Match


def stale(source: SourceFile, match: Match) -> Diagnostic | None:
    """The warning about a binary whose source was changed after it was written; None for one that is up to date, or that has no
    source of its name beside it."""
    container = match.container
    if container is None or container.write is None:
        return None
    from pathlib import Path  # a start should be short

    path = Path(source.path)
    try:
        written = path.stat().st_mtime_ns
        for sources in _sources(path, match):
            newer = [other for other in sources if other.stat().st_mtime_ns > written]
            if newer:
                return _compared(source, container, match, [str(other) for other in sources], newer[0].name)
    except OSError:
        pass
    return None


def _sources(path: Path, match: Match) -> Iterator[Sequence[Path]]:
    """The files of which a binary may be made: those of a pair together."""
    for language in match.package.languages:
        pair = [path.with_suffix(suffix) for suffix in language.pair]
        found = [name for name in pair if name.is_file()]
        if found:
            yield found
        others = [path.with_suffix(suffix) for suffix in language.suffixes]
        yield from [[name] for name in others if name not in pair and name.is_file()]


def _compared(source: SourceFile, container: Container, match: Match, paths: Sequence[str], newer: str) -> Diagnostic | None:
    """The warning, if the sources give other bytes now."""
    try:
        loaded = _assembled(paths, match)
        if loaded is None or container.write is None or container.write(loaded) == source.data:
            return None
        what = f"gives another {suffix_of(source.path)[1:].upper()} now"
    except InputError:
        what = "has errors now"
    except (InputFailure, UsageError, OSError):
        return None
    name = source.path.replace("\\", "/").rpartition("/")[2]
    return Diagnostic(
        code="U008",
        severity=WARNING,
        message=f"{newer} was changed after {name} was written, and {what}",
        span=Span(file=source.name),
        fix=f"write it again: `lanewise asm {' '.join(paths)} -o {source.path}`",
    )


def _assembled(paths: Sequence[str], match: Match) -> Loaded | None:
    """The program of sources; None for those that are not assembly for the instruction set."""
    sources = [SourceFile(path, files.read(path, "source"), path) for path in paths]  # not inputs, which no output may replace
    kinds = [recognise(each.path, each.data) for each in sources]
    if any(kind is None or kind.language is None or kind.compiled or kind.package is not match.package for kind in kinds):
        return None
    language = kinds[0].language if kinds[0] is not None else None
    if language is None:
        return None
    request = Request(
        "asm", sources, {}, language=language.name, files=DiskFiles(), read_included=scope_of(list(paths), {}).included
    )
    return language.read(request)
