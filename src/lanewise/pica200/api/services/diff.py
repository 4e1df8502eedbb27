"""Comparison of two files of the PICA200 for `lanewise diff`."""

from __future__ import annotations

from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison
from lanewise.core.nearness import near
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.pica200.api.proving import Question, compare_shaders
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.isa.uniforms import PREAMBLE
from lanewise.pica200.proof.structure import Assumptions

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.shader import Shader

MOST_SEARCHES = 10_000


def compared(files: tuple[ShaderFile, ShaderFile], requests: tuple[Request, Request]) -> Comparison:
    """Compare the shaders that two requests name, or all shaders of two files in their order. Raises UsageError, InputError."""
    request = requests[0]
    searches = request.integer("searches", Question().rounds)
    if not 0 <= searches <= MOST_SEARCHES:
        raise UsageError(f"--searches is 0 to {MOST_SEARCHES}")
    asked = near(request)
    chosen = (profile_of(request),) if asked is not None or request.has("profile") or request.has("set") else None
    assumptions = Assumptions(request.flag("constants-known"), request.flag("nan-patterns"))
    question = Question(
        profiles=chosen, assumptions=assumptions, rounds=searches, near=asked, transposed=request.texts("transposed")
    )
    pairs = _pairs(files, requests)
    if asked is not None:
        shaders = [shader for pair in pairs for shader in pair]
        asked.check([row.name for shader in shaders for row in (*shader.input_names, *shader.uniform_names)])
    try:
        found = [compare_shaders(*pair, _names(files, pair, several=len(pairs) > 1), question) for pair in pairs]
    except ValueError as error:
        raise UsageError(f"--transposed: {error}") from None
    for comparison in (*[each for each in found if each.verdict == DIFFERS], *[each for each in found if not each]):
        return comparison
    if len(found) == 1:
        return found[0]
    names = files[0].name, files[1].name
    apart = [each.ulps for each in found if each.ulps is not None]
    return Comparison(
        EQUAL,
        names,
        used=[*dict.fromkeys(line for each in found for line in each.used)],
        ulps=max(apart, key=lambda each: each.proved or 0) if apart else None,
    )


def preambles_compared(files: tuple[ShaderFile, ShaderFile], found: Comparison) -> Comparison:
    """A comparison of programs, and of what computes their registers before a draw: equal where it is the same function."""
    one, other = (file.preamble for file in files)
    if one is not None and other is not None:
        if found and one != other:
            reason = "the programs are equal, and the preambles, which compute registers before a draw, are not the same text"
            return Comparison(UNKNOWN, found.names, reason=reason)
        return found.with_premises([f"registers of {PREAMBLE} are what the same preamble gives"]) if found else found
    without = [file.name for file, own in zip(files, (one, other), strict=True) if own is None and _reads_one(file)]
    return found.with_premises([f"the preamble of {name} is not at hand" for name in without]) if found else found


def _reads_one(file: ShaderFile) -> bool:
    return any(row.own_name == PREAMBLE for each in file.program.interfaces for row in each.uniforms)


def _pairs(files: tuple[ShaderFile, ShaderFile], requests: tuple[Request, Request]) -> list[tuple[Shader, Shader]]:
    """The shaders to compare. Raises UsageError, InputError."""
    named = [request.text("program") for request in requests]
    if not any(named):
        first, second = files[0].programs, files[1].programs
        if len(first) != len(second) or not first:
            counts = f"{files[0].name} has {len(first)} shaders and {files[1].name} {len(second)}"
            raise UsageError(f"{counts}: name one of each, as FILE:NAME")
        return [*zip(first, second, strict=True)]
    one, other = (
        file.shader(name) if name else file.programs[0] if len(file.programs) == 1 else file.vertex
        for file, name in zip(files, named, strict=True)
    )
    return [(one, other)]


def _names(files: tuple[ShaderFile, ShaderFile], pair: tuple[Shader, Shader], *, several: bool) -> tuple[str, str]:
    """The names of two shaders for messages; with those of the shaders where there are several."""
    first, second = (f"{file.name}:{shader.name}" if several else file.name for file, shader in zip(files, pair, strict=True))
    return (first, second) if first != second else (f"{first} (first)", f"{second} (second)")
