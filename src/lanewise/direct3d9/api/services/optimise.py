"""`lanewise opt` for Direct3D 9 shaders: fewer instruction slots."""

from __future__ import annotations

from itertools import accumulate

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, UsageError
from lanewise.core.source import decode_text, encode_text
from lanewise.core.text.counting import counted
from lanewise.direct3d9.api.services.plan import chosen_rule
from lanewise.direct3d9.container.stream import write_stream
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.isa.slots import shader_cost
from lanewise.direct3d9.opt.editing import NotEditable, edited_source, uneditable
from lanewise.direct3d9.opt.shader import RULES, least_slots, optimised_shader
from lanewise.direct3d9.text.printer import print_shader
from lanewise.optimising.optimiser import Optimised
from lanewise.optimising.report import EDITED, LEFT, Report, answer, progress_of

if TYPE_CHECKING:
    from lanewise.core.service import Answer, Request
    from lanewise.direct3d9.api.services.loaded import LoadedShader
    from lanewise.direct3d9.isa.program import Item

_SOURCES = (".vsa", ".psa")
_WHERE = "the statements have others beside them, or come from a macro or another file"


def optimised(loaded: LoadedShader, request: Request) -> Answer:
    """The shader with fewer slots, and what was done. Raises UsageError, InputFailure, InputError."""
    program = loaded.program
    shader, flow = program.shader, program.flow
    named = request.has("rule") or request.has("device") or request.has("set")
    rules = (chosen_rule(request),) if named else RULES
    try:
        found = optimised_shader(shader, rules, progress_of(request)) if flow.insts else None
    except ValueError as error:
        raise UsageError(f"{loaded.name}: {error}") from None
    output, remarks = request.text("output"), list[str]()
    if found is None:
        remarks.append("nothing was tried: the shader cannot be proved to equal itself, so no step could be proved")
        found = Optimised(items=shader.items, origins=tuple(range(len(shader.items))), steps=(), proofs=0, refused=0)
    left = ""
    if request.flag(EDITED) and isinstance(_edited(loaded, found), NotEditable):
        part = optimised_shader(shader, rules, progress_of(request), fixed=uneditable(loaded.name, loaded.shader))
        assert part is not None  # it was proved to equal itself
        costs = [shader_cost(shader._replace(items=each.items)).total for each in (found, part)]
        left = f"{counted(costs[1] - costs[0], 'more slot')} can go by hand: {_WHERE}"
        found = part
    smaller = shader._replace(items=found.items)
    files: tuple[tuple[str, bytes], ...] = ()
    if request.flag("source") or output.lower().endswith(_SOURCES):
        text = _source(loaded, found, remarks) if found.steps else loaded.text
        files = ((output or STDIO, encode_text(text, loaded.source.data if loaded.reading.source else b"")),)
    elif output:
        files = ((output, write_stream(smaller)),)
    instructions = accumulate([isinstance(item, Inst) for item in shader.items], initial=0)
    report = Report(
        name=loaded.name,
        steps=found.steps,
        places=[item.place for item in shader.items],
        sizes=[("slots", shader_cost(shader).total, shader_cost(smaller).total)],
        rules=[rule.describe() for rule in rules],
        proofs=found.proofs,
        refused=found.refused,
        item="instruction",
        least=least_slots(shader, flow),
        numbers=[*instructions],
    )
    result = answer(request, report, files, remarks)
    return result._replace(data={**result.data, LEFT: left}) if left else result


def _edited(loaded: LoadedShader, found: Optimised[Item]) -> str | NotEditable:
    return edited_source(decode_text(loaded.source.data), loaded.name, loaded.shader, found)


def _source(loaded: LoadedShader, found: Optimised[Item], remarks: list[str]) -> str:
    """The source with its statements removed and changed; written anew, with a remark, where they cannot be."""
    if loaded.reading.source:
        edited = _edited(loaded, found)
        if not isinstance(edited, str):
            remarks.append(f"written anew, without comments and layout: {edited.reason}")
        else:
            return edited
    return print_shader(loaded.shader._replace(items=found.items))
