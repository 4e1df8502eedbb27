"""ShaderCore files to programs: sources by their suffix, files of words in any form."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import decode_text
from lanewise.shadercore.container.header import form_of, places, read
from lanewise.shadercore.text.reader import read_source_text

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.source import Span
    from lanewise.shadercore.isa.program import Program

SUFFIX = ".sc"
SOURCE = "source"


class Loaded(Record):
    """The program of a file, None if it has errors; what was found; its form: `SOURCE`, or one of `container.shadercore.FORMS`."""

    program: Program | None
    diagnostics: list[Diagnostic]
    form: str

    @property
    def source(self) -> bool:
        return self.form == SOURCE


def read_program(data: bytes, name: str, form: str | None = None) -> Loaded:
    """A source, by its suffix where no form is asked for, or words in a form (default: as they look)."""
    if form == SOURCE or (form is None and name.lower().endswith(SUFFIX)):
        result = read_source_text(decode_text(data), name)
        return Loaded(result.program, result.diagnostics, SOURCE)
    form = form or form_of(data)
    program, found = read(data, name, form)
    return Loaded(program, found, form)


def places_of(data: bytes, name: str, loaded: Loaded) -> tuple[Span, ...]:
    """Where each word of a program stands: its line, or its offset."""
    if loaded.program is None:
        return ()
    return loaded.program.places if loaded.source else places(data, name, loaded.form)
