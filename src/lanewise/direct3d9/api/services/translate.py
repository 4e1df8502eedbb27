"""Direct3D 9 shaders as source code for `lanewise translate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core.service import STDIO, Answer, InputFailure, UsageError, stem_of
from lanewise.direct3d9.api.services.loaded import LoadedShader
from lanewise.direct3d9.api.services.plan import chosen_rule
from lanewise.direct3d9.isa.table import PIXEL
from lanewise.direct3d9.translate.program import Subject, translate
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.package import Loaded
    from lanewise.core.service import Request
    from lanewise.direct3d9.api.shader import Direct3DShader
    from lanewise.direct3d9.isa.program import Inst


def translation(loaded: Loaded, request: Request) -> Answer:
    """The text in the language of the request. Raises UsageError, InputFailure, InputError."""
    if not isinstance(loaded, LoadedShader):
        raise UsageError(f"{loaded.name} is an effect: name one of its shaders: FILE:NAME")
    shader = loaded.program
    to = request.text("to")
    if not to:
        raise UsageError("name a language: --to c, cpp, glsl or wgsl")
    rule, file = chosen_rule(request), Path(shader.name).name
    title = f"{file or 'shader'} under the rule {rule.describe()}, exact on patterns of float32, written by lanewise translate."
    try:
        found = translate(subject_of(shader), to, rule, [title])
    except RefusedError as error:
        message = f"{error}: {error.fix}" if error.fix else str(error)
        raise (UsageError if error.fix else InputFailure)(message) from None
    output = request.text("output")
    layout: dict[str, object] = {
        "name": found.name,
        "shader": file,
        "stage": "pixel" if shader.flow.version.kind == PIXEL else "vertex",
        "structured": found.structured,
        "lanes": 1,
        "inputs": _members(found.inputs),
        "uniforms": _members(found.uniforms),
        "outputs": _members(found.outputs),
    }
    data: dict[str, object] = {
        "name": shader.name,
        "to": to,
        "numbers": "words",
        "profile": rule.describe(),
        "shaders": [layout],
        "text": found.text,
    }
    files = ((output, found.text.encode()),) if output and output != STDIO else ()
    return Answer(data=data, text="" if files else found.text, files=files)


def _members(rows: Sequence[tuple[str, str, int]]) -> list[dict[str, object]]:
    return [{"name": name, "register": register, "size": size} for name, register, size in rows]


def subject_of(shader: Direct3DShader) -> Subject:
    """A shader to translate, with the lines of its source."""
    return Subject(stem_of(shader.name), shader.shader, shader.flow, _comment)


def _comment(inst: Inst) -> str:
    place = inst.place
    if place is None or not place.line:
        return inst.op.name
    return " ".join(place.text.partition("//")[0].partition(";")[0].split())
