"""Read Direct3D 9 files: sources by first statement, words in any form."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.sniff import begins_with_version
from lanewise.core.source import Span, decode_text
from lanewise.direct3d9.container.forms import is_direct3d9_file, read_file
from lanewise.direct3d9.text.preprocess import NO_SETTING
from lanewise.direct3d9.text.reader import read_source_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.direct3d9.isa.program import Damage, Shader
    from lanewise.direct3d9.text.notes import Notes
    from lanewise.direct3d9.text.preprocess import Setting

SOURCE = "source"


class Reading(Record):
    """A file that has been read."""

    shader: Shader | None
    "The shader; None where it cannot be read."
    diagnostics: list[Diagnostic]
    "The findings of reading it."
    source: bool
    "The file is an assembly source."
    rest: Shader | None = None
    "The readable part of a source with errors; None where there is none."
    damage: tuple[Damage, ...] = ()
    "The statements of a source that cannot be read."


def is_source(data: bytes) -> bool:
    """Whether bytes are a text whose first statement is a version."""
    return b"\0" not in data and begins_with_version(decode_text(data))


def read_shader(
    data: bytes,
    name: str,
    form: str | None = None,
    read: Callable[[str], str] | None = None,
    setting: Setting = NO_SETTING,
    notes: Notes | None = None,
) -> Reading:
    """A source, or words in a form (default: as they look).

    `read` gives the text of a file that a source includes, `setting` has macros and folders for a source. `notes` get the names
    of a source.
    """
    if form == SOURCE or (form is None and not is_direct3d9_file(data) and is_source(data)):
        result = read_source_text(decode_text(data), name, read, setting, notes)
        return Reading(
            shader=result.shader, diagnostics=result.diagnostics, source=True, rest=result.rest, damage=result.damage
        )
    found = read_file(data, name, form or "")
    return Reading(shader=found.shader, diagnostics=found.diagnostics, source=False)


def of_direct3d8(reading: Reading, name: str) -> Reading:
    """The same by the rules of Direct3D 8; a finding for a version that it does not have."""
    if reading.shader is None:
        rest = reading.rest._replace(direct3d8=True) if reading.rest is not None else None
        return reading._replace(rest=rest)
    if reading.shader.version.major > 1:
        finding = Diagnostic(
            code="C318",
            severity=ERROR,
            message=f"{reading.shader.version.name} is not a version of Direct3D 8",
            span=Span(file=name, offset=0),
            fix="leave out --direct3d8: Direct3D 8 has vs_1_0, vs_1_1 and ps_1_0 to ps_1_4",
        )
        return reading._replace(diagnostics=[*reading.diagnostics, finding])
    return reading._replace(shader=reading.shader._replace(direct3d8=True))
