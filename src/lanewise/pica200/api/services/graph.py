"""The control-flow graph of a shader for `lanewise graph`."""

from __future__ import annotations

from pathlib import Path

from lanewise.core.data import data_of
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import InputFailure, UsageError
from lanewise.graph.draw import drawn
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.api.naming import listed
from lanewise.pica200.api.picture import flow_picture
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.ir.graph import MOST_STATES
from lanewise.pica200.isa.table import BOOLEAN, register_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Answer, Request
    from lanewise.core.source import Span
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.shader import Shader


def graphed(request: Request, file: ShaderFile, places: Sequence[Span | None]) -> Answer:
    """The graph of the shader that is asked for, in the format of the request; `places` are those of the words. Raises
    UsageError, InputFailure, InputError."""
    limit = request.integer("limit", MOST_STATES)
    if limit < 1:
        raise UsageError("--limit is at least 1")
    profile = profile_of(request)
    shader = _chosen(file, request.text("program"))
    known = {**_of_data(request, shader), **booleans(request.texts("boolean"), shader)}
    picture = flow_picture(shader, booleans=known, limit=limit, profile=profile, title=Path(shader.name).name)
    if isinstance(picture, BudgetExceeded):
        raise InputFailure(f"{picture.reason}: --boolean NAME=VALUE rules branches out, --limit N allows more")
    return drawn(picture, request.text("format", "text"), "--boolean NAME=VALUE rules branches out, ", places)


def _of_data(request: Request, shader: Shader) -> dict[int, bool]:
    """The boolean uniforms of a dump. Raises UsageError, InputFailure, InputError."""
    data = data_of(request)
    given = data.tables["booleans"].items() if data is not None else ()
    return booleans([f"{name}={str(value).lower()}" for name, value in given if isinstance(value, bool)], shader)


def _chosen(file: ShaderFile, program: str) -> Shader:
    """The shader that is asked for. Raises InputError."""
    if program:
        return file.shader(program)
    return file.programs[0] if len(file.programs) == 1 else file.vertex


def booleans(given: Sequence[str], shader: Shader) -> dict[int, bool]:
    """The known boolean uniforms by number, from NAME=VALUE. Raises UsageError."""
    numbers = {register_name(BOOLEAN + number): number for number in range(16)}
    for uniform in listed(shader.interface, inputs=False):
        for offset in range(uniform.size if uniform.first >= BOOLEAN else 0):
            numbers[f"{uniform.name}[{offset}]"] = uniform.first + offset - BOOLEAN
            if uniform.size == 1:
                numbers[uniform.name] = uniform.first - BOOLEAN
    known: dict[int, bool] = {}
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        truth = {"true": True, "1": True, "false": False, "0": False}.get(value.lower())
        if truth is None:
            raise UsageError(f"--boolean takes NAME=true or NAME=false, got '{text}'")
        if name not in numbers:
            raise UsageError(f"--boolean {name}: {shader.name} has no such boolean uniform, and b0-b15 are the registers")
        if known.setdefault(numbers[name], truth) is not truth:
            raise UsageError(f"--boolean {name} is given twice, as true and as false")
    return known
