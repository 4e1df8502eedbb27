"""ShaderCore programs as source code for `lanewise translate`."""

from __future__ import annotations

from pathlib import Path

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, InputFailure, UsageError, stem_of
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.api.surprises import of_device
from lanewise.shadercore.text.printer import text_of
from lanewise.shadercore.translate.program import CONSTANTS, translate
from lanewise.shadercore.translate.statements import Subject
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.core.source import Span
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.api.services.loaded import ShaderCoreFile


def translation(loaded: ShaderCoreFile, request: Request) -> Answer:
    """The text in the language of the request. Raises UsageError, InputFailure, InputError."""
    to = request.text("to")
    if not to:
        raise UsageError("name a language: --to c, cpp, glsl or wgsl")
    device = device_of(request)
    program, file = loaded.program, Path(loaded.name).name
    title = f"{file or 'program'} on {device.describe()}, exact on patterns of float32, written by lanewise translate."
    try:
        found = translate(subject_of(program), to, device, lanes=int(request.text("lanes", "0")), title=[title])
    except RefusedError as error:
        message = f"{error}: {error.fix}" if error.fix else str(error)
        raise (UsageError if error.fix else InputFailure)(message) from None
    output = request.text("output")
    shader: dict[str, object] = {
        "name": found.name,
        "shader": file,
        "stage": "vertex",
        "structured": True,
        "lanes": found.lanes,
        "inputs": _members(found.inputs),
        "uniforms": [{"name": "c", "register": "c0", "size": CONSTANTS}],
        "outputs": _members(found.outputs),
    }
    data: dict[str, object] = {
        "name": loaded.name,
        "to": to,
        "numbers": "words",
        "profile": device.describe(),
        "shaders": [shader],
        "text": found.text,
    }
    files = ((output, found.text.encode()),) if output and output != STDIO else ()
    first = tuple(of_device(program.placed(), device, program.name, found.lanes))
    return Answer(data=data, first=first, text="" if files else found.text, files=files)


def _members(names: tuple[str, ...]) -> list[dict[str, object]]:
    return [{"name": name, "register": name, "size": 1} for name in names]


def subject_of(program: ShaderCoreProgram) -> Subject:
    """A program to translate, with the lines of its source."""
    placed = program.placed()
    words = program.words
    places = [*placed.places, *[None] * len(words)][: len(words)]
    notes: dict[str, str] = {}
    for name, register in (*program.inputs.items(), *program.outputs.items()):
        notes.setdefault(register, name if name != register else "")
    constants = [(each.number, each.values) for each in placed.constants]
    if program.beside is not None:
        constants += [(each.number, each.values) for each in program.beside.constants]
    return Subject(
        name=stem_of(program.name),
        insts=program.insts,
        constants=list(dict(constants).items()),
        comments=[_comment(place) or text_of(inst) for inst, place in zip(program.insts, places, strict=True)],
        places=[_place(program.name, number, place) for number, place in enumerate(places)],
        notes=notes,
    )


def _comment(place: Span | None) -> str:
    return " ".join(place.text.partition(";")[0].split()) if place is not None and place.line else ""


def _place(name: str, number: int, place: Span | None) -> str:
    return f"{place.file}:{place.line}" if place is not None and place.line else f"{name}: instruction {number}"
