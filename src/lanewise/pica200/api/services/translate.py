"""Shaders as source code for `lanewise translate`."""

from __future__ import annotations

from pathlib import Path

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, InputFailure, UsageError
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.api.translating import DEFAULTS, FLOAT24, RefusedError, translated
from lanewise.pica200.translate.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.pica200.api.interface import Binding
    from lanewise.pica200.api.services.loaded import PicaFile
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.translating import Layout


def translation(loaded: PicaFile, request: Request) -> Answer:
    """The text in the language of the request. Raises UsageError, InputFailure, InputError."""
    request, file = loaded.request_of(request), loaded.program
    to = request.text("to")
    if not to:
        raise UsageError("name a language: --to c, cpp, glsl or wgsl")
    shaders: Sequence[Shader] = file.programs
    remarks: list[str] = []
    if request.text("program"):
        shaders = [file.shader(request.text("program"))]
    elif len(shaders) > 1 and not LANGUAGES[to].row.is_library:
        remarks = [
            f"{LANGUAGES[to].row.title} has vertex shaders only: the {each.stage} shader {Path(each.name).name} is left out"
            for each in shaders
            if each.stage != "vertex"
        ]
        shaders = [file.vertex]
    numbers = request.text("numbers", FLOAT24)
    if request.flag("finite") and numbers == FLOAT24:
        raise UsageError("--finite is for --numbers float: float24 code has no tests to leave out")
    if request.flag("batch") and (to != "c" or numbers == FLOAT24):
        raise UsageError("--batch is for --to c --numbers float: the loop of a batch is one that compilers of C vectorise")
    profile = profile_of(request, DEFAULTS[numbers])
    name = Path(loaded.name).name
    try:
        options = {"finite": request.flag("finite"), "batch": request.flag("batch")}
        found = translated(shaders, to, numbers=numbers, **options, profile=profile, file=name)
    except RefusedError as error:
        message = f"{error}: {error.fix}" if error.fix else str(error)
        raise (UsageError if error.fix else InputFailure)(message) from None
    output = request.text("output")
    data: dict[str, object] = {
        "name": loaded.name,
        "to": to,
        "numbers": numbers,
        "finite": found.finite,
        "profile": found.profile,
        "shaders": [_shader(layout) for layout in found.shaders],
        "text": found.text,
    }
    files = ((output, found.text.encode()),) if output and output != STDIO else ()
    return Answer(data=data, text="" if files else found.text, remarks=tuple(remarks), files=files)


def _shader(layout: Layout) -> dict[str, object]:
    return {
        "name": layout.name,
        "shader": Path(layout.shader).name,
        "stage": layout.stage,
        "structured": layout.structured,
        "inputs": _members(layout.inputs),
        "uniforms": _members(layout.uniforms),
        "outputs": _members(layout.outputs),
    }


def _members(bindings: Sequence[Binding]) -> list[dict[str, object]]:
    return [{"name": binding.name, "register": binding.register, "size": binding.size} for binding in bindings]
