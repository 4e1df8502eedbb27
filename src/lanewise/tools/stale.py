"""A binary that is older than the source beside it, from which another is assembled now."""

from __future__ import annotations

from pathlib import Path

from lanewise.core.diagnostics import WARNING, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import InputFailure, Request, SourceFile, UsageError
from lanewise.core.source import Span
from lanewise.packages import recognise
from lanewise.tools.console import DiskFiles, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.package import Container, Loaded
    from lanewise.packages import Match


def stale(source: SourceFile, match: Match) -> Diagnostic | None:
    """The warning about a binary whose source was changed after it was written; None for one that is up to date, or that has no
    source of its name beside it."""
    container = match.container
    try:
        if container is None or container.write is None or not Path(source.path).is_file():
            return None
        written = Path(source.path).stat().st_mtime_ns
        for paths in _sources(source.path, match):
            newer = [path for path in paths if Path(path).stat().st_mtime_ns > written]
            if newer:
                return _compared(source, container, match, paths, newer[0])
    except OSError:
        pass
    return None


def _sources(path: str, match: Match) -> Iterator[Sequence[str]]:
    """The files of which a binary of this name may be made: those of a pair together."""
    stem = path.removesuffix(Path(path).suffix)
    for language in match.package.languages:
        pair = [stem + suffix for suffix in language.pair]
        found = [name for name in pair if Path(name).is_file()]
        if found:
            yield found
        for suffix in language.suffixes:
            if stem + suffix not in pair and Path(stem + suffix).is_file():
                yield [stem + suffix]


def _compared(source: SourceFile, container: Container, match: Match, paths: Sequence[str], newer: str) -> Diagnostic | None:
    """The warning, if the sources give other bytes now."""
    try:
        loaded = _assembled(paths, match)
        if loaded is None or container.write is None or container.write(loaded) == source.data:
            return None
        what = f"gives another {Path(source.path).suffix[1:].upper()} now"
    except InputError:
        what = "has errors now"
    except (InputFailure, UsageError):
        return None
    return Diagnostic(
        code="U008",
        severity=WARNING,
        message=f"{Path(newer).name} was changed after {Path(source.path).name} was written, and {what}",
        span=Span(file=source.name),
        fix=f"write it again: `lanewise asm {' '.join(paths)} -o {source.path}`",
    )


def _assembled(paths: Sequence[str], match: Match) -> Loaded | None:
    """The program of sources; None for those that are not assembly for the instruction set."""
    sources = [SourceFile(path, Path(path).read_bytes(), path) for path in paths]  # not inputs, which no output may replace
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
