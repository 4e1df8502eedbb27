"""The sources of a folder by the programs that they assemble to, for recorded draws."""

from __future__ import annotations

from pathlib import Path

from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import InputFailure, Request, SourceFile, UsageError
from lanewise.packages import recognise
from lanewise.tools.configuration import Configuration
from lanewise.tools.console import DiskFiles, print_findings, print_remark, read_bytes, scope_of
from lanewise.tools.folders import units_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.core.package import FrameServices, IsaPackage
    from lanewise.packages import Match


class Source(Record):
    """A unit of a folder."""

    files: tuple[str, ...]
    "Paths of its sources, in the order in which they are linked."
    identities: tuple[str, ...]
    "Names of its program in lists of draws."
    contents: Mapping[str, bytes]
    "Contents of its sources and of the files that they include, by path."

    @property
    def name(self) -> str:
        return " + ".join(self.files)


def sources_in(folder: str, package: IsaPackage, services: FrameServices, command: str) -> Iterator[Source]:
    """The sources of a folder; those with errors are left out with a remark. Raises InputFailure."""
    if not Path(folder).is_dir():
        if Path(folder).exists():
            one = f"--source {folder} gives one source"
            fix = one if command not in ("frame", "studio") else f"give its folder, --sources {Path(folder).parent}"
            raise UsageError(f"--sources {folder}: a file, not a folder: {fix}")
        raise InputFailure(f"--sources {folder}: there is no such folder")
    suffixes = tuple([suffix for language in package.languages for suffix in language.suffixes])
    found = units_of([folder], suffixes, Configuration())
    for line in found.remarks:
        print_remark(f"lanewise {command}: {line}")
    print_findings(found.unread)
    for unit in found.units:
        try:
            source = source_of(unit.files, package, services)
        except (InputError, InputFailure, UsageError, OSError) as error:
            first = error.diagnostics[0].message if isinstance(error, InputError) else str(error)
            print_remark(f"lanewise {command}: {' + '.join(unit.files)} left out: {first}")
        else:
            if source is not None:
                yield source


def source_of(paths: Sequence[str], package: IsaPackage, services: FrameServices) -> Source | None:
    """Sources that are linked; None for those of another instruction set, and what is not assembled. Raises InputError,
    InputFailure, UsageError, OSError."""
    sources = [SourceFile(path, read_bytes(path), path) for path in paths]
    match = recognise(sources[0].name, sources[0].data)
    if match is None or match.package is not package or match.language is None:
        return None
    contents = {source.path: bytes(source.data) for source in sources}
    scope = scope_of(paths, {})

    def included(path: str) -> str:
        text = scope.included(path)
        contents[path] = text.encode()
        return text

    request = Request("inspect", sources, {}, files=DiskFiles(), read_included=included)
    loaded = package.load(request) if len(sources) > 1 else match.read(request)
    return Source(files=tuple(paths), identities=tuple(services.identities(loaded)), contents=contents)


def with_sources(request: Request, match: Match) -> Request:
    """A request for a recorded draw with the sources that `--sources DIR` has for it, as `--source` gives them. Raises
    InputFailure, InputError, UsageError."""
    services, folder = match.package.frames, request.text("sources")
    if services is None or not folder:
        return request
    if request.has("source"):
        raise UsageError("--source names the sources, and so does --sources: use one of them")
    values = {key: value for key, value in request.values.items() if key != "sources"}
    wanted = set(services.identities(match.read(request)))
    found = [source for source in sources_in(folder, match.package, services, request.command) if wanted & {*source.identities}]
    whole = min(
        [source for source in found if wanted <= {*source.identities}], key=lambda source: len(source.files), default=None
    )
    chosen = [whole] if whole is not None else found  # or one for each stage
    if not chosen:
        raise InputFailure(
            f"--sources {folder}: no source there assembles to the program of {request.name}; give --source FILE"
        )
    files = tuple(dict.fromkeys([file for source in chosen for file in source.files]))
    others = [source.name for source in found if whole is not None and source is not whole]
    print_remark(
        f"lanewise {request.command}: the source is {' + '.join(files)}"
        + "".join([f"; {name} assembles to the same" for name in others])
    )
    scope = scope_of([request.sources[0].path, *files], {})
    return Request(
        request.command,
        request.sources,
        {**values, "source": files},
        language=request.language,
        files=request.files,
        read_included=scope.included,
        progress=request.progress,
    )


__all__ = ["Source", "source_of", "sources_in", "with_sources"]
