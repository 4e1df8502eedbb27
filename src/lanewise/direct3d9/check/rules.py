"""The rules of `lanewise check` for Direct3D 9 shaders.

A row has the code, the severity and the function; `direct3d9.codes` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.direct3d9.check import direction_rules as directions
from lanewise.direct3d9.check import operand_rules as operands
from lanewise.direct3d9.check import output_rules as outputs
from lanewise.direct3d9.check import pixel_rules as pixels
from lanewise.direct3d9.check import program_rules as programs
from lanewise.direct3d9.check import register_rules as registers
from lanewise.direct3d9.check import texture_rules as textures
from lanewise.direct3d9.check import value_rules as values
from lanewise.direct3d9.check.context import AnalysisContext, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.direct3d9.isa.program import Damage, Shader

_MOST = 200  # findings about one shader


class Rule(Record):
    """A rule of `lanewise check`."""

    code: str
    "The code of its findings."
    severity: str
    "The severity of its findings."
    find: Callable[[AnalysisContext], Iterator[Finding]]
    "The function that finds it in a shader."
    single: bool = False
    "It is about single instructions, and looks only at the `suspects` of the context."
    partial: bool = False
    "Its findings in a shader that cannot be read entirely hold whatever the rest is; so do those of `single` rules."


RULES = (
    Rule(code="V301", severity=ERROR, find=registers.unknown_instruction, single=True),
    Rule(code="V302", severity=ERROR, find=registers.registers, partial=True),
    Rule(code="V303", severity=ERROR, find=registers.readable_sources, single=True),
    Rule(code="V304", severity=ERROR, find=registers.writable_destinations, single=True),
    Rule(code="V305", severity=ERROR, find=registers.relative, single=True),
    Rule(code="V306", severity=ERROR, find=operands.result_modifiers, single=True),
    Rule(code="V307", severity=ERROR, find=operands.source_modifiers, single=True),
    Rule(code="V308", severity=ERROR, find=operands.masks, single=True),
    Rule(code="V309", severity=ERROR, find=operands.swizzles, single=True),
    Rule(code="V310", severity=ERROR, find=registers.ports, single=True),
    Rule(code="V311", severity=ERROR, find=registers.aliases, single=True),
    Rule(code="V312", severity=ERROR, find=values.unwritten, partial=True),
    Rule(code="V313", severity=ERROR, find=values.outputs),
    Rule(code="V314", severity=ERROR, find=programs.declarations, partial=True),
    Rule(code="V315", severity=ERROR, find=programs.malformed_declarations, single=True),
    Rule(code="V316", severity=ERROR, find=programs.order, partial=True),
    Rule(code="V317", severity=ERROR, find=programs.slots, partial=True),
    Rule(code="V318", severity=ERROR, find=programs.blocks),
    Rule(code="V319", severity=ERROR, find=programs.nesting),
    Rule(code="V320", severity=ERROR, find=programs.subroutines),
    Rule(code="V321", severity=ERROR, find=programs.predicates, partial=True),
    Rule(code="V322", severity=ERROR, find=pixels.pairs),
    Rule(code="V323", severity=ERROR, find=pixels.phases),
    Rule(code="V324", severity=ERROR, find=pixels.matrices),
    Rule(code="V325", severity=ERROR, find=outputs.moved),
    Rule(code="V326", severity=ERROR, find=outputs.plain_sources),
    Rule(code="V327", severity=ERROR, find=outputs.written_once),
    Rule(code="V328", severity=ERROR, find=outputs.consecutive),
    Rule(code="V329", severity=ERROR, find=outputs.conditional),
    Rule(code="V330", severity=ERROR, find=outputs.depth_source),
    Rule(code="V331", severity=WARNING, find=outputs.depth_on_all_paths),
    Rule(code="V332", severity=ERROR, find=outputs.position_declared),
    Rule(code="V333", severity=ERROR, find=outputs.position_written),
    Rule(code="V334", severity=ERROR, find=outputs.repeated_usages, partial=True),
    Rule(code="V335", severity=ERROR, find=outputs.overlapping_declarations, partial=True),
    Rule(code="V336", severity=ERROR, find=outputs.point_size),
    Rule(code="V337", severity=ERROR, find=outputs.too_many_outputs, partial=True),
    Rule(code="V338", severity=ERROR, find=outputs.undeclared_components),
    Rule(code="V339", severity=ERROR, find=outputs.screen_position),
    Rule(code="V340", severity=WARNING, find=programs.repeated_definitions, partial=True),
    Rule(code="V341", severity=WARNING, find=registers.advised_destinations, single=True),
    Rule(code="V342", severity=ERROR, find=programs.macro_constants, partial=True),
    Rule(code="V343", severity=WARNING, find=values.undefined),
    Rule(code="V344", severity=ERROR, find=programs.loop_constants),
    Rule(code="V345", severity=ERROR, find=textures.dependent_reads),
    Rule(code="V346", severity=ERROR, find=textures.gradients),
    Rule(code="V347", severity=WARNING, find=textures.predicated_gradients),
    Rule(code="V348", severity=ERROR, find=programs.returns),
    Rule(code="V349", severity=ERROR, find=textures.bump_sources),
    Rule(code="V350", severity=WARNING, find=textures.selectors),
    Rule(code="V351", severity=ERROR, find=textures.divisions),
    Rule(code="V352", severity=WARNING, find=outputs.repeated_declarations, partial=True),
    Rule(code="V353", severity=WARNING, find=operands.modified_constants, single=True),
    Rule(code="V354", severity=WARNING, find=directions.moved_direction, partial=True),
)


def check(shader: Shader, name: str, damage: Sequence[Damage] = ()) -> list[Diagnostic]:
    """The findings of a shader in the order of its instructions. Never raises; time is linear in the number of words.

    With `damage`, they are those that hold whatever the damaged statements are.
    """
    context = AnalysisContext(shader, damage)
    found: list[tuple[int, Diagnostic]] = []
    for place, token in context.unknown[:_MOST]:
        found.append(
            (
                -1,
                Diagnostic(
                    code="V301",
                    severity=ERROR,
                    message=f"0x{token:08X} and what follows are not an instruction of {shader.version.name}",
                    span=place or Span(file=name),
                    fix="remove these words",
                ),
            )
        )
    suspected: set[int] = set()
    complete = True
    for rule in RULES:
        if damage and not (rule.single or rule.partial):
            continue
        for message, fix, at, note, related, edits in rule.find(context):
            inst = context.insts[at] if 0 <= at < len(context.insts) else None
            place = (inst.place if inst is not None else None) or Span(file=name)
            found.append(
                (
                    at,
                    Diagnostic(
                        code=rule.code,
                        severity=rule.severity,
                        message=message,
                        span=place,
                        notes=(note,) if note else (),
                        fix=fix,
                        related=related,
                        edits=edits,
                    ),
                )
            )
            if rule.single:
                suspected.add(at)
            if len(found) > 10 * _MOST:
                complete = False
                break
    if complete:
        context.pass_forms(suspected)
    found.sort(key=lambda pair: pair[0])
    shown = [finding for _, finding in found[:_MOST]]
    if len(found) > _MOST:
        shown.append(
            Diagnostic(
                code="V301",
                severity=NOTE,
                message=f"{len(found) - _MOST} more findings are not shown",
                span=Span(file=name),
                fix="fix these first",
            )
        )
    return shown
