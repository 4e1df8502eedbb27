"""The pane of compiled code beside its source, with what each instruction costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lanewise import Direct3DShader
from lanewise.compile.frontends import frontend_of
from lanewise.compile.services.pipeline import assembled, of_direct3d9
from lanewise.compile.targets import targets_of
from lanewise.core.text.counting import counted
from lanewise.debugger.listing import disassembly
from lanewise.direct3d9.api.shader import Direct3DShader as ShaderOfTokens
from lanewise.direct3d9.isa.program import addresses
from lanewise.direct3d9.package import DIRECT3D9
from lanewise.shadercore.isa.codec import decode
from lanewise.shadercore.isa.devices import find_device
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.text.printer import line_of

from lanewise_studio.attempts import ANY_SEMANTIC
from lanewise_studio.program import Program
from lanewise_studio.state import File

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.package import Loaded
    from lanewise.core.source import Span
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.shadercore.isa.devices import Device

    from lanewise_studio.state import State
    from lanewise_studio.stop import Stop

    Rows = list[dict[str, object]]

_PREAMBLE = "preamble"
_SOURCE = ("define", "semantic", "constant", "entry-point", "output-locations", "strict", "include")
_ONE = {"words": "word", "descriptors": "descriptor", "temporaries": "temporary", "constants": "constant"}


def compiled(state: State, files: Mapping[str, bytes], target: str, stop: Stop) -> dict[str, object]:
    """A source on the left, its compiled program on the right with the line that each instruction comes from, and what it
    costs."""
    program = _as_source(state, files)
    match = program.match
    row = (match.language or match.container) if match.compiled else None
    frontend = frontend_of(program.package.name, row.name if row is not None else "")
    possible = targets_of(frontend.name, frontend.isa) if frontend is not None else ()
    if frontend is None or not possible:
        return {"reason": f"{match.title}: there is nothing to compile; write GLSL or Direct3D 9 assembly", "targets": []}
    chosen = next((each for each in possible if each.name == target), possible[0])
    stop.check()
    values, prepared = program.values("compile"), {}
    read = {key: value for key, value in program.values("check").items() if key in _SOURCE}  # how its source is read
    values |= read
    if chosen.name == program.package.name:  # which has options of its own
        prepared = {key: value for key, value in program.values("check").items() if key == _PREAMBLE}
    else:
        values.pop(program.option, None)
        given = cast("tuple[str, ...]", values.get("semantic", ()))
        values["semantic"] = tuple([text for text in given if text != ANY_SEMANTIC])  # its outputs need none
    loaded = program.load("check" if prepared or read else "compile")
    values |= prepared
    request = program.request("compile", {**values, "output": "-", "format": "json", "report": True})
    answer = chosen.compile(loaded, request)
    if answer.failed:
        return {"reason": "; ".join([finding.message for finding in answer.first]), "targets": [each.name for each in possible]}
    data = cast("Mapping[str, Any]", answer.data)
    name, left = _left(program, loaded)
    make = _shadercore if chosen.name == "shadercore" else _pica200
    right, cost = make(program, loaded, data, name)
    cost = {**cost, "text": "; ".join([str(cost["text"]), *_before(data), *answer.remarks])}
    return {
        "targets": [each.name for each in possible],
        "target": chosen.name,
        "left": {"name": name, "language": frontend.title, "rows": _with_costs(left, right)},
        "right": {"name": chosen.title, "isa": chosen.name, "rows": right},
        "cost": cost,
    }


def _before(data: Mapping[str, Any]) -> list[str]:
    """What is computed before the draw, if anything is."""
    preamble = data.get(_PREAMBLE)
    if not preamble:
        return []
    return [f"{counted(preamble['rows'], 'register')} computed before the draw, in {preamble['numbers']}"]


def _with_costs(left: Rows, right: Rows) -> Rows:
    """The lines with the number of instructions that they became, and with their cycles where instructions have some."""
    words: dict[object, int] = {}
    cycles: dict[object, int] = {}
    for row in right:
        line = row["line"]
        words[line] = words.get(line, 0) + 1
        if row["takes"] is not None:
            cycles[line] = cycles.get(line, 0) + cast("int", row["takes"])
    return [{**row, "words": words.get(row["line"], 0), "cycles": cycles.get(row["line"])} for row in left]


def _as_source(state: State, files: Mapping[str, bytes]) -> Program:
    """The program of a state; a shader of Direct3D 9 that is a binary as its disassembly."""
    program = Program(state, files)
    if program.match.container is None or program.package.name != DIRECT3D9.name:
        return program
    found = disassembly(program.load(), program.name)
    return program if found is None else Program(state._replace(files=(File(program.name, found.text),), entry=""), files)


def _left(program: Program, loaded: Loaded) -> tuple[str, Rows]:
    """The name and the lines of the source; of a SPIR-V module the lines that it names, as it has them."""
    if program.match.container is None:
        return program.name, [{"line": number, "text": line} for number, line in enumerate(loaded.text.split("\n"), 1)]
    spans = [span for span in loaded.source_map if span is not None and span.line]
    name = spans[0].file if spans else program.name
    texts = {span.line: span.text for span in spans if span.file == name}
    return name, [{"line": number, "text": texts[number]} for number in sorted(texts)]


def _line(spans: Sequence[Span | None], number: int, name: str) -> int | None:
    span = spans[number] if number < len(spans) else None
    return span.line if span is not None and span.line and span.file == name else None


def _pica200(program: Program, loaded: Loaded, data: Mapping[str, Any], name: str) -> tuple[Rows, dict[str, object]]:
    own: Any = loaded.program
    if isinstance(own, ShaderOfTokens):
        request = program.request("compile", {"output": "-"})
        file: ShaderFile = assembled(of_direct3d9(loaded, request), program.sources[0], request).file
    else:
        file = own
    texts = _texts(file)
    spans = [each.span for each in file.program.operations]
    rows: Rows = [
        {"address": number, "text": texts.get(number, ""), "line": _line(spans, number, name), "cycles": None, "takes": None}
        for number in range(len(file.words))
    ]
    needs = data.get("needs", {})
    text = ", ".join([counted(value, _ONE[key], key) for key, value in needs.items()])
    return rows, {"text": text, **needs}


def _texts(file: ShaderFile) -> dict[int, str]:
    """The text of each instruction that is reached."""
    found: dict[int, str] = {}
    for shader in file.programs:
        graph = cast("Mapping[str, Any]", shader.graph().to_json())
        for block in graph.get("blocks", ()):
            found |= {int(row["address"]): str(row["text"]) for row in block["instructions"]}
    return found


def _shadercore(program: Program, loaded: Loaded, data: Mapping[str, Any], name: str) -> tuple[Rows, dict[str, object]]:
    words = [int(str(word), 16) for word in data["words"]]
    device = find_device(str(data.get("device", "rtl")).partition(",")[0])
    timing = time_program(tuple([decode(word) for word in words]), device)
    cycles = {issue.number: (issue.cycle, issue.stalls) for issue in timing.issues}
    after = [*[issue.cycle for issue in timing.issues[1:]], timing.total_cycles]
    takes = {issue.number: end - issue.cycle for issue, end in zip(timing.issues, after, strict=True) if end is not None}
    lines: list[int | None]
    if "places" in data:
        listed = [int(row["line"]) if row.get("file") == name else None for row in data["lines"]]
        lines = [listed[place] if place >= 0 else None for place in data["places"]]
    else:
        lines = _lines_of_tokens(loaded.program, name, loaded.source_map, device)
    rows: Rows = [
        {
            "address": number,
            "text": line_of(word),
            "line": lines[number] if number < len(lines) else None,
            "cycles": cycles[number][0] if number in cycles else None,
            "takes": takes.get(number),
            "stalls": cycles[number][1] if number in cycles else 0,
        }
        for number, word in enumerate(words)
    ]
    report = data.get("report", {})
    slots, total = report.get("slots", {}), report.get("cycles", {})
    text = f"{slots.get('optimised', len(words))} slots, {total.get('optimised', timing.total_cycles)} cycles"
    if "public" in slots:
        text += f"; by the public driver {slots['public']} slots, {total.get('public')} cycles"
    return rows, {"text": text, "slots": slots, "cycles": total}


def _lines_of_tokens(own: object, name: str, places: Sequence[Span | None], device: Device) -> list[int | None]:
    """The line of the shader that each word of the compiled program comes from."""
    if not isinstance(own, ShaderOfTokens):
        return []
    program = Direct3DShader.of(own).compile(device).made
    at = addresses(own.shader)
    spans = [places[at[id(inst)]] if id(inst) in at else None for inst in own.flow.insts]
    return [_line(spans, number, name) if number >= 0 else None for number in program.lines]


__all__ = ["compiled"]
