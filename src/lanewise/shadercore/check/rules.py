"""The rules of `lanewise check` for ShaderCore.

A row has the code, the severity, the device parameter value under which it holds, and the function.

`shadercore.codes` describes each rule; `shadercore.isa.devices` has the parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic
from lanewise.core.record import Record, by_position
from lanewise.shadercore.check import register_rules as registers
from lanewise.shadercore.check import word_rules as words
from lanewise.shadercore.check.context import AnalysisContext
from lanewise.shadercore.isa.devices import BY_KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.core.finding import Finding
    from lanewise.core.source import Span
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Damage, Program


class Rule(Record):
    """A rule that holds on some devices, or on all."""

    code: str
    "The code of its findings."
    severity: str
    "The severity of its findings."
    key: str
    "The device parameter that decides whether it holds; empty: it holds on every device."
    value: str
    "The value of the parameter with which it holds."
    find: Callable[[AnalysisContext], Iterator[Finding]]
    "The function that finds it in a program."

    def holds(self, device: Device) -> bool:
        return not self.key or device.value(self.key) == self.value


_rule = by_position(Rule)
RULES = (
    _rule("V210", WARNING, "between_waves",  "kept",    registers.left_by_the_wave_before),
    _rule("V210", NOTE,    "between_waves",  "zero",    registers.zero_at_first),
    _rule("V211", WARNING, "",               "",        registers.input_not_named),
    _rule("V212", WARNING, "x7x",            "cleared", registers.hangs),
    _rule("V213", WARNING, "x7x",            "cleared", registers.cleared),
    _rule("V214", WARNING, "one_register",   "zero",    registers.one_is_zero),
    _rule("V215", WARNING, "constant_ports", "one",     words.two_constants),
    _rule("V216", WARNING, "nop_dest",       "zero",    words.zero_to_destination),
    _rule("V217", WARNING, "exports",        "fixed",   registers.never_exported),
    _rule("V218", WARNING, "",               "",        registers.nothing_written),
    _rule("V219", WARNING, "",               "",        registers.declared_and_not_written),
    _rule("V220", WARNING, "rsq_gate",       "stale",   registers.rsq_of_later_quads),
    _rule("V221", WARNING, "exp_log",        "zero",    words.nothing_computed),
    _rule("V222", WARNING, "stray_special",  "lands",   words.stray_results),
    _rule("V223", NOTE,    "hazard_fields",  "both",    words.false_dependences),
    _rule("V224", NOTE,    "",               "",        words.discarded),
    _rule("V224", WARNING, "",              "",        words.overwritten),
    _rule("V225", ERROR,   "",               "",        words.beyond_the_device),
    _rule("V240", NOTE,    "",               "",        words.nops_that_cost),
    _rule("V241", WARNING, "",               "",        registers.integer_as_float),
    _rule("V242", WARNING, "",               "",        registers.comparison_as_mask),
)  # fmt: skip


def check(program: Program, device: Device, locate: Callable[[int], Span], damage: Sequence[Damage] = ()) -> list[Diagnostic]:
    """The findings of a program on a device, one per place and code, in the order of slots.

    `locate` gives the place of a slot, and of the program as a whole for -1. With `damage`, they are those that hold whatever
    the damaged statements are. Never raises, whatever the words are.
    """
    context = AnalysisContext(program, device, damage)
    found: dict[tuple[str, int, Span, str], tuple[int, Diagnostic]] = {}
    for rule in RULES:
        if not rule.holds(device):
            continue
        for each in rule.find(context):
            slot, message, topic = each.pc, each.message, each.topic
            place = each.span or locate(slot)
            # lines stand for several instructions; where there are no lines, the slot tells findings apart
            key = (rule.code, -1 if place.line else slot, place, "" if place.line else topic)
            if key in found and place.line:
                number, first = found[key]
                found[key] = (number, first._replace(notes=_counted(first, message)))
            else:
                found[key] = (
                    slot,
                    Diagnostic(
                        code=rule.code,
                        severity=each.severity or rule.severity,
                        message=message,
                        span=place,
                        notes=each.notes,
                        fix=each.fix,
                        related=each.related,
                        edits=each.edits,
                    ),
                )
    return [finding for _, finding in sorted(found.values(), key=lambda pair: pair[0])]


def _counted(first: Diagnostic, message: str) -> tuple[str, ...]:
    """The notes of a finding when the same line makes another."""
    note = f"also in this line: {message}"
    return first.notes if note in first.notes or message == first.message else (*first.notes, note)


def check_rules(rules: tuple[Rule, ...] = RULES) -> None:
    """Raise ValueError for a rule that asks a question which no device answers, or for an answer that does not exist."""
    for rule in rules:
        if rule.key and rule.value not in BY_KEY[rule.key].answers:
            raise ValueError(f"{rule.code} wants {rule.key}={rule.value}, which no device can be")
