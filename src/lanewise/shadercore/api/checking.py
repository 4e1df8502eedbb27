"""Findings of ShaderCore files: from reading and from the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.document import columns
from lanewise.core.ignoring import is_ignored, unused_comments
from lanewise.core.service import Report, Stats
from lanewise.core.source import Span, decode_text
from lanewise.shadercore.api.reading import places_of, read_program
from lanewise.shadercore.check.cost import cost
from lanewise.shadercore.check.rules import check
from lanewise.shadercore.container.header import IMAGES, C
from lanewise.shadercore.isa.program import review
from lanewise.shadercore.text.printer import line_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.shadercore.api.reading import Loaded
    from lanewise.shadercore.check.cost import WaveCost
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Damage, Program
    from lanewise.shadercore.isa.timing import Timing


def check_shadercore(data: bytes, name: str, device: Device, form: str | None = None, *, stats: bool = False) -> Report:
    """The findings about a file in any form, those that comments keep quiet, and with `stats` its cost. Never raises, whatever
    the bytes are."""
    loaded = read_program(data, name, form, added=device.added)
    if loaded.program is None:
        return check_damaged(loaded, name, device)
    program = loaded.program._replace(places=places_of(data, name, loaded))
    texts = [(name, decode_text(data))] if loaded.source or loaded.form in (C, *IMAGES) else []
    report = check_loaded(program, name, device, loaded.diagnostics, texts, source=loaded.source)
    return report._replace(stats=(stats_of(cost(program, device, name)),)) if stats else report


def check_damaged(loaded: Loaded, name: str, device: Device) -> Report:
    """The findings about a file with errors: those of reading it, and those of the rules that hold whatever the statements with
    errors are."""
    if loaded.rest is None or not loaded.rest.words:
        return Report(tuple(loaded.diagnostics))
    found = [*loaded.diagnostics, *check_program(loaded.rest, device, name, loaded.damage)]
    return _report(found)


def check_loaded(
    program: Program,
    name: str,
    device: Device,
    reading: Sequence[Diagnostic],
    texts: Sequence[tuple[str, str]] = (),
    *,
    source: bool,
) -> Report:
    """The findings about a program with its `places`; `reading` are those from reading it.

    `source`: it comes from one, so that lines show what findings are about. `texts` are looked through for comments that
    nothing needs.
    """
    found = list(reading) if source else [*reading, *review(program, name)]
    rules = check_program(program, device, name)
    found += rules if source else shown(rules, program)
    found += unused_comments(found, texts, ("H",))
    return _report(found)


def _report(found: list[Diagnostic]) -> Report:
    """The findings by place, without those that comments keep quiet."""
    found.sort(key=lambda d: (d.span.offset, d.span.line, d.span.column, d.code))
    quiet = tuple(finding for finding in found if is_ignored(finding))
    return Report(tuple(finding for finding in found if not is_ignored(finding)), quiet)


def check_program(program: Program, device: Device, name: str, damage: Sequence[Damage] = ()) -> list[Diagnostic]:
    """The findings of the rules in the order of slots, with places if `places` are known."""

    def locate(slot: int) -> Span:
        return program.places[slot] if 0 <= slot < len(program.places) else Span(file=name)

    return check(program, device, locate, damage)


def shown(findings: Sequence[Diagnostic], program: Program) -> list[Diagnostic]:
    """The findings with a note that shows the instruction that each is about, as the file has no line that does."""
    slots = {place: slot for slot, place in enumerate(program.places)}

    def with_line(finding: Diagnostic) -> Diagnostic:
        slot = slots.get(finding.span)
        if slot is None:
            return finding
        return finding._replace(notes=(f"slot {slot}: {line_of(program.words[slot], program.added)}", *finding.notes))

    return [with_line(finding) for finding in findings]


def stats_of(cost: WaveCost) -> Stats:
    """The cost of a program, as plain data and as text."""
    timing = cost.timing
    data: dict[str, object] = {
        "shader": cost.name,
        "device": timing.device.describe(),
        "uses": {use.name: {"used": use.used, "of": use.of} for use in cost.uses},
        "total_cycles": timing.total_cycles,
        "o_stalls": timing.output_stalls,
        "i_stalls": timing.input_stalls,
        "hangs": timing.hangs,
    }
    rows = [("", "used", "of", "left"), *((use.name, str(use.used), str(use.of), str(use.of - use.used)) for use in cost.uses)]
    lines = [f"{cost.name} (ShaderCore)", *(f"  {line}" for line in columns(rows)), f"  {_cycles(timing)}"]
    return Stats(data, "\n".join(lines) + "\n")


def _cycles(timing: Timing) -> str:
    on = f"a wave on {timing.device.describe()}"
    if timing.hangs is not None:
        return f"{on}: instruction {timing.hangs} never issues"
    if timing.total_cycles is None:
        return f"{on}: not defined without an end"
    return (
        f"{on}: {timing.total_cycles} cycles, {timing.output_stalls} stalls for the write port and {timing.input_stalls} for "
        "sources among them"
    )
