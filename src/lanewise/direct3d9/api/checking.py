"""Findings of Direct3D 9 files: from reading and from the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.check.rules import check
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.text.printer import instruction_text, plain_names

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.direct3d9.api.reading import Reading
    from lanewise.direct3d9.isa.program import Shader


def check_reading(reading: Reading, name: str) -> list[Diagnostic]:
    """The findings about a file that was read."""
    if reading.shader is None:
        return [*reading.diagnostics, *(check(reading.rest, name, reading.damage) if reading.rest is not None else ())]
    return [*reading.diagnostics, *check_shader(reading.shader, name)]


def check_shader(shader: Shader, name: str) -> list[Diagnostic]:
    """The findings of the rules; without a source line, they show the instruction."""
    return _shown(check(shader, name), shader)


def _shown(findings: list[Diagnostic], shader: Shader) -> list[Diagnostic]:
    """The findings with their instruction, for files without source lines."""
    wanted = {finding.span.offset for finding in findings if finding.span.offset >= 0}
    if not wanted:
        return findings
    names = plain_names(shader.version)
    texts = {
        item.place.offset: instruction_text(item, names) or item.op.name
        for item in shader.items
        if isinstance(item, Inst) and item.place is not None and item.place.offset in wanted
    }
    return [
        finding._replace(notes=(texts[finding.span.offset], *finding.notes)) if finding.span.offset in texts else finding
        for finding in findings
    ]
