"""The control-flow graph of a shader for `lanewise graph`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core.service import Answer, InputFailure, UsageError
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.api.wording import wording
from lanewise.pica200.ir.drawing import as_dot, as_text
from lanewise.pica200.ir.graph import MOST_SHAPES, Graph, unfold
from lanewise.pica200.ir.svg import as_svg
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import BOOLEAN, GEOMETRY, VERTEX, register_name
from lanewise.pica200.sem import flow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.ir.graph import Passage
    from lanewise.pica200.ir.wording import Wording


def drawn(request: Request, file: ShaderFile) -> Answer:
    """The graph of the shader that is asked for, in the format of the request. Raises UsageError, InputFailure, InputError."""
    limit = request.integer("limit", MOST_SHAPES)
    if limit < 1:
        raise UsageError("--limit is at least 1")
    profile = profile_of(request)
    shader = _chosen(file, request.text("program"))
    known = booleans(request.texts("boolean"), shader)
    size = (GEOMETRY if shader.interface.geometry else VERTEX).code_words
    memory = flow.code_memory(shader.words, profile, size)
    graph = unfold([decode(word) for word in memory], shader.interface.entry, booleans=known, limit=limit, profile=profile)
    if not isinstance(graph, Graph):
        raise InputFailure(f"{graph.reason}: --boolean NAME=VALUE rules branches out, --limit N allows more")
    words, title = wording(shader, memory), Path(shader.name).name
    style = request.text("format", "text")
    if style == "json":
        return Answer(text=json.dumps(as_json(graph, words), indent=2) + "\n")
    if style == "svg":
        picture = as_svg(graph, words, title)
        if not isinstance(picture, str):
            raise InputFailure(f"{picture.reason}: --boolean NAME=VALUE rules branches out, --format text has no limit")
        return Answer(text=picture)
    return Answer(text=as_dot(graph, words) if style == "dot" else as_text(graph, words))


def _chosen(file: ShaderFile, program: str) -> Shader:
    """The shader that is asked for. Raises InputError."""
    if program:
        return file.shader(program)
    return file.programs[0] if len(file.programs) == 1 else file.vertex


def booleans(given: Sequence[str], shader: Shader) -> dict[int, bool]:
    """The known boolean uniforms by number, from NAME=VALUE. Raises UsageError."""
    numbers = {register_name(BOOLEAN + number): number for number in range(16)}
    for uniform in shader.interface.uniforms:
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


def as_json(graph: Graph, words: Wording) -> dict[str, object]:
    """The graph as plain values."""
    blocks: list[dict[str, object]] = []
    for block in graph.blocks:
        shape = block.shape
        blocks.append(
            {
                "number": block.number,
                "address": shape.pc,
                "place": words.place(shape.pc) or None,
                "calls": [slot._asdict() for slot in shape.calls],
                "ifs": [slot._asdict() for slot in shape.ifs],
                "loops": [slot._asdict() for slot in shape.loops],
                "instructions": [{"address": address, "text": words.instruction(address)} for address in block.addresses],
                "next": [_passage(passage) for passage in graph.passages[block.number]],
            }
        )
    return {"entry": graph.entry.number, "blocks": blocks}


def _passage(passage: Passage) -> dict[str, object]:
    match passage.target:
        case flow.End():
            goal: dict[str, object] = {"end": True}
        case flow.Hang(code):
            goal = {"hang": code}
        case number:
            goal = {"block": number, "back": passage.back}
    return {
        **goal,
        "answers": [{**_named(question), "answer": answer} for question, answer in passage.answers],
        "actions": [_named(action) for action in passage.actions],
    }


def _named(word: flow.Question | flow.Action) -> dict[str, object]:
    """A question or an action: its name in `sem.flow` and its numbers."""
    return {"kind": type(word).__name__, **word._asdict()}
