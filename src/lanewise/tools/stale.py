"""A binary that is older than the source beside it, from which another is assembled now."""

from __future__ import annotations

import os

from lanewise.core.diagnostics import WARNING, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import InputFailure, Request, SourceFile, UsageError
from lanewise.core.source import Span
from lanewise.core.suffixes import suffix_of
from lanewise.packages import recognise
from lanewise.tools.console import DiskFiles, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.core.package import Container, Loaded
    from lanewise.packages import Match


def stale(source: SourceFile, match: Match) -> Diagnostic | None:
    """The warning about a binary whose source was changed after it was written; None for one that is up to date, or that has no
    source of its name beside it."""
    container = match.container
    if container is None or container.write is None:
        return None
    folder, slash, name = source.path.replace(os.sep, "/").rpartition("/")
    stem = name.rpartition(".")[0] or name
    try:
        with os.scandir(folder + slash or ".") as entries:
            times = {entry.name: entry.stat().st_mtime_ns for entry in entries if entry.name.startswith(f"{stem}.")}
        for names in _sources(stem, times, match):
            newer = [other for other in names if times[other] > times.get(name, times[other])]
            if newer:
                return _compared(source, container, match, [folder + slash + other for other in names], newer[0])
    except OSError:
        pass
    return None


def _sources(stem: str, names: Mapping[str, int], match: Match) -> Iterator[Sequence[str]]:
    """The files of which a binary may be made: those of a pair together."""
    for language in match.package.languages:
        pair = [stem + suffix for suffix in language.pair]
        found = [name for name in pair if name in names]
        if found:
            yield found
        yield from [[stem + suffix] for suffix in language.suffixes if stem + suffix in names and stem + suffix not in pair]


def _compared(source: SourceFile, container: Container, match: Match, paths: Sequence[str], newer: str) -> Diagnostic | None:
    """The warning, if the sources give other bytes now."""
    try:
        loaded = _assembled(paths, match)
        if loaded is None or container.write is None or container.write(loaded) == source.data:
            return None
        what = f"gives another {suffix_of(source.path)[1:].upper()} now"
    except InputError:
        what = "has errors now"
    except (InputFailure, UsageError):
        return None
    return Diagnostic(
        code="U008",
        severity=WARNING,
        message=f"{newer} was changed after {source.path.rpartition('/')[2]} was written, and {what}",
        span=Span(file=source.name),
        fix=f"write it again: `lanewise asm {' '.join(paths)} -o {source.path}`",
    )


def _assembled(paths: Sequence[str], match: Match) -> Loaded | None:
    """The program of sources; None for those that are not assembly for the instruction set."""
    from pathlib import Path  # few binaries come so far, and a start should be short

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
