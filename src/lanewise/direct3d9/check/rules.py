"""The rules of `lanewise check` for Direct3D 9 shaders.

A row has the code, the severity and the function; `direct3d9.codes` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic
from lanewise.core.source import Span
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


class Rule(NamedTuple):
    """A rule: what it finds in a shader. `single`: it is about single instructions, and looks only at the `suspects` of the
    context.

    `partial`: what it finds in a shader that cannot be read entirely holds whatever the rest is. So it does for `single` ones.
    """

    code: str
    severity: str
    find: Callable[[AnalysisContext], Iterator[Finding]]
    single: bool = False
    partial: bool = False


RULES = (
    Rule("V301", ERROR, registers.unknown_instruction, single=True),
    Rule("V302", ERROR, registers.registers, partial=True),
    Rule("V303", ERROR, registers.readable_sources, single=True),
    Rule("V304", ERROR, registers.writable_destinations, single=True),
    Rule("V305", ERROR, registers.relative, single=True),
    Rule("V306", ERROR, operands.result_modifiers, single=True),
    Rule("V307", ERROR, operands.source_modifiers, single=True),
    Rule("V308", ERROR, operands.masks, single=True),
    Rule("V309", ERROR, operands.swizzles, single=True),
    Rule("V310", ERROR, registers.ports, single=True),
    Rule("V311", ERROR, registers.aliases, single=True),
    Rule("V312", ERROR, values.unwritten, partial=True),
    Rule("V313", ERROR, values.outputs),
    Rule("V314", ERROR, programs.declarations, partial=True),
    Rule("V315", ERROR, programs.malformed_declarations, single=True),
    Rule("V316", ERROR, programs.order, partial=True),
    Rule("V317", ERROR, programs.slots, partial=True),
    Rule("V318", ERROR, programs.blocks),
    Rule("V319", ERROR, programs.nesting),
    Rule("V320", ERROR, programs.subroutines),
    Rule("V321", ERROR, programs.predicates, partial=True),
    Rule("V322", ERROR, pixels.pairs),
    Rule("V323", ERROR, pixels.phases),
    Rule("V324", ERROR, pixels.matrices),
    Rule("V325", ERROR, outputs.moved),
    Rule("V326", ERROR, outputs.plain_sources),
    Rule("V327", ERROR, outputs.written_once),
    Rule("V328", ERROR, outputs.consecutive),
    Rule("V329", ERROR, outputs.conditional),
    Rule("V330", ERROR, outputs.depth_source),
    Rule("V331", WARNING, outputs.depth_on_all_paths),
    Rule("V332", ERROR, outputs.position_declared),
    Rule("V333", ERROR, outputs.position_written),
    Rule("V334", ERROR, outputs.repeated_usages, partial=True),
    Rule("V335", ERROR, outputs.overlapping_declarations, partial=True),
    Rule("V336", ERROR, outputs.point_size),
    Rule("V337", ERROR, outputs.too_many_outputs, partial=True),
    Rule("V338", ERROR, outputs.undeclared_components),
    Rule("V339", ERROR, outputs.screen_position),
    Rule("V340", WARNING, programs.repeated_definitions, partial=True),
    Rule("V341", WARNING, registers.advised_destinations, single=True),
    Rule("V342", ERROR, programs.macro_constants, partial=True),
    Rule("V343", WARNING, values.undefined),
    Rule("V344", ERROR, programs.loop_constants),
    Rule("V345", ERROR, textures.dependent_reads),
    Rule("V346", ERROR, textures.gradients),
    Rule("V347", WARNING, textures.predicated_gradients),
    Rule("V348", ERROR, programs.returns),
    Rule("V349", ERROR, textures.bump_sources),
    Rule("V350", WARNING, textures.selectors),
    Rule("V351", ERROR, textures.divisions),
    Rule("V352", WARNING, outputs.repeated_declarations, partial=True),
    Rule("V353", WARNING, operands.modified_constants, single=True),
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
                    "V301",
                    ERROR,
                    f"0x{token:08X} and what follows are not an instruction of {shader.version.name}",
                    place or Span(name),
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
            place = (inst.place if inst is not None else None) or Span(name)
            found.append(
                (at, Diagnostic(rule.code, rule.severity, message, place, (note,) if note else (), fix, related, edits))
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
            Diagnostic("V301", NOTE, f"{len(found) - _MOST} more findings are not shown", Span(name), fix="fix these first")
        )
    return shown
