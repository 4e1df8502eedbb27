"""Which front end reads a shader, and for which target it is compiled."""

from __future__ import annotations

from re import compile

from lanewise.compile.frontends import frontend_named, frontend_of, frontends
from lanewise.compile.targets import targets, targets_of
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import InputFailure, UsageError
from lanewise.packages import Match, package_of, recognise

if TYPE_CHECKING:
    from lanewise.compile.frontends import Frontend
    from lanewise.compile.targets import Target
    from lanewise.core.service import SourceFile


# What a text is like that has nothing certain: a function of a shader without its outputs.
_LIKE = {
    "glsl": compile(rb"\b(?:[biu]?vec[234]|mat[34]|void\s+main\w*)\b"),
    "hlsl": compile(rb"\b(?:float|half)[234](?:x[34])?\b"),
}
_MOST = 1 << 20


def match_of(source: SourceFile, language: str, target: str) -> Match:
    """The kind of a file: as it is named, or recognised. Raises InputFailure for a known kind that is not a shader."""
    if language:
        frontend = frontend_named(language)
        return Match(package_of(frontend.isa), frontend.language, frontend.container)
    match = recognise(source.path, source.data)
    if match is not None:
        return match
    from lanewise.core.foreign import foreign_kind

    kind = foreign_kind(source.path, source.data)
    if kind is not None:
        raise InputFailure(f"{source.path} is {kind.title}, not a shader that is compiled; {kind.fix}")
    named = next((name for name, form in _LIKE.items() if form.search(source.data[:_MOST])), "")
    if named:
        frontend = frontend_named(named)
        return Match(package_of(frontend.isa), frontend.language, frontend.container)
    taken = next((row for row in targets() if row.name == target), targets()[0]).sources
    return Match(package_of(frontend_named(taken[0]).isa))


def pair_of(source: SourceFile, match: Match, target: str) -> tuple[Frontend, Target]:
    """The front end of a file and the target: the one that is named, or the first that takes it. Raises UsageError."""
    row = match.language or match.container
    frontend = frontend_of(match.package.name, row.name if row is not None else "")
    possible = targets_of(frontend.name, frontend.isa) if frontend is not None else ()
    chosen = [each for each in possible if target in ("", each.name)]
    if frontend is None or not chosen:
        already = (
            " already"
            if match.package.name == target or (not target and match.package.name in [row.name for row in targets()])
            else ""
        )
        kind = f"is {frontend.title}" if frontend is not None and match.compiled else f"is for {match.package.title}{already}"
        taken = [
            row.title for row in frontends() for each in targets() if row.name in each.sources and target in ("", each.name)
        ]
        fix = f"give a shader in {', '.join(dict.fromkeys(taken))}"
        if already:
            own = f"`lanewise.load({source.path!r})`"
            if source.path[:1] == "<":
                assembled = match.package.name == targets()[-1].name
                own = "`lanewise.assemble(text)`" if assembled else "`lanewise.load(text.encode())`"
            how = "asm {} assembles it" if match.language is not None else "dis {} shows it"
            command, _, does = how.partition(" {}")
            fix = f"it needs no compiler: `lanewise {command} {source.path}`{does}, in Python {own}"
        elif possible:
            fix = f"use --target {' or '.join([each.name for each in possible])}"
        raise UsageError(f"{source.path} {kind}: {fix}")
    return frontend, chosen[0]


__all__ = ["match_of", "pair_of"]
