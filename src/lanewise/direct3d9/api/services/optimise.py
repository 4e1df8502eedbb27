"""`lanewise opt` for Direct3D 9 shaders: fewer instruction slots."""

from __future__ import annotations

from itertools import count

from lanewise.core.diagnostics import span_json, visible
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, UsageError
from lanewise.core.source import decode_text, encode_text
from lanewise.direct3d9.api.services.plan import chosen_rule
from lanewise.direct3d9.container.stream import write_stream
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.isa.slots import shader_cost
from lanewise.direct3d9.opt.editing import edited_source
from lanewise.direct3d9.opt.shader import RULES, optimised_shader
from lanewise.direct3d9.text.printer import print_shader
from lanewise.optimising.optimiser import Optimised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.direct3d9.api.services.loaded import LoadedShader
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.optimising.optimiser import Step

_SOURCES = (".vsa", ".psa")


def optimised(loaded: LoadedShader, request: Request) -> Answer:
    """The shader with fewer slots, and what was done. Raises UsageError, InputFailure, InputError."""
    program = loaded.program
    shader, flow = program.shader, program.flow
    named = request.has("rule") or request.has("device") or request.has("set")
    rules = (chosen_rule(request),) if named else RULES
    report, numbers = request.progress, count(1)
    progress = None if report is None else lambda: report(next(numbers), 0)
    try:
        found = optimised_shader(shader, rules, progress) if flow.insts else None
    except ValueError as error:
        raise UsageError(f"{loaded.name}: {error}") from None
    output, remarks = request.text("output"), list[str]()
    if found is None:
        remarks.append("nothing was tried: the shader cannot be proved to equal itself, so no step could be proved")
        found = Optimised(shader.items, tuple(range(len(shader.items))), (), 0, 0)
    smaller = shader._replace(items=found.items)
    files: tuple[tuple[str, bytes], ...] = ()
    if request.flag("source") or output.lower().endswith(_SOURCES):
        text = _source(loaded, smaller, found.origins, remarks) if found.steps else loaded.text
        files = ((output or STDIO, encode_text(text, loaded.source.data if loaded.reading.source else b"")),)
    elif output:
        files = ((output, write_stream(smaller)),)
    elif found.steps:
        remarks.append("nothing is written: name a file with -o, or ask for the source with --source")
    before, after = shader_cost(shader).total, shader_cost(smaller).total
    described = [rule.describe() for rule in rules]
    data: dict[str, object] = {
        "name": loaded.name,
        "slots": {"before": before, "after": after},
        "rules": described,
        "proofs": found.proofs,
        "refused": found.refused,
        "steps": [_step_json(step, shader) for step in found.steps],
    }
    lines = [line for step in found.steps for line in _lines(step, shader)] if request.flag("report") else []
    saved = f"{before - after} fewer" if after < before else "none fewer"
    lines.append(
        f"{visible(loaded.name, '')}: {before} instruction slots before, {after} after ({saved}); "
        f"proved under {' and '.join(described)}"
    )
    return Answer(data, text="\n".join(lines) + "\n", remarks=tuple(remarks), files=files)


def _source(loaded: LoadedShader, smaller: Shader, origins: Sequence[int], remarks: list[str]) -> str:
    """The source with its statements removed and changed; written anew, with a remark, where they cannot be."""
    if loaded.reading.source:
        edited = edited_source(decode_text(loaded.source.data), loaded.name, loaded.shader, smaller, origins)
        if not isinstance(edited, str):
            remarks.append(f"written anew, without comments and layout: {edited.reason}")
        else:
            return edited
    return print_shader(smaller)


def _lines(step: Step, shader: Shader) -> list[str]:
    """A step for a reader: where, why and how."""
    first = (step.removed or step.changed)[0]
    place = shader.items[first].place
    where = f"{place.file}:{place.line}" if place is not None and place.line else f"instruction {_number(shader, first)}"
    return [f"{where}: {step.reason}", f"    {step.fix}"]


def _number(shader: Shader, place: int) -> int:
    return sum([isinstance(item, Inst) for item in shader.items[:place]])


def _step_json(step: Step, shader: Shader) -> dict[str, object]:
    places = [place for n in (*step.removed, *step.changed) if (place := shader.items[n].place) is not None]
    return {
        "move": step.move,
        "title": step.title,
        "code": "",
        "reason": step.reason,
        "fix": step.fix,
        "removed": [_number(shader, n) for n in step.removed],
        "changed": [_number(shader, n) for n in step.changed],
        "places": [span_json(place) for place in places],
        "rests_on": [],
    }
