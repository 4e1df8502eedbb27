"""Read ShaderCore files: sources by suffix, words in any form."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import decode_text
from lanewise.shadercore.container.header import form_of, places, read
from lanewise.shadercore.text.reader import read_source_text

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.source import Span
    from lanewise.shadercore.isa.program import Damage, Program
    from lanewise.shadercore.isa.table import Op
    from lanewise.shadercore.text.notes import Notes

SUFFIX = ".sc"
SOURCE = "source"


class Loaded(Record):
    """A file that has been read."""

    program: Program | None
    "The program; None if it has errors."
    diagnostics: list[Diagnostic]
    "The findings of reading it."
    form: str
    "`SOURCE`, or one of `shadercore.container.FORMS`."
    rest: Program | None = None
    "The program of a source with errors, with placeholders for what cannot be read; None where there is none."
    damage: tuple[Damage, ...] = ()
    "The statements that cannot be read."

    @property
    def source(self) -> bool:
        return self.form == SOURCE


def read_program(
    data: bytes, name: str, form: str | None = None, notes: Notes | None = None, added: tuple[Op, ...] = ()
) -> Loaded:
    """A source, by its suffix where no form is asked for, or words in a form (default: as they look). `notes` get the names of
    a source; `added` are instructions of a device besides those of the table."""
    if form == SOURCE or (form is None and name.lower().endswith(SUFFIX)):
        result = read_source_text(decode_text(data), name, notes, added)
        return Loaded(
            program=result.program, diagnostics=result.diagnostics, form=SOURCE, rest=result.rest, damage=result.damage
        )
    form = form or form_of(data)
    program, found = read(data, name, form)
    if program is not None and added:
        program = program._replace(added=added)
    return Loaded(program=program, diagnostics=found, form=form)


def places_of(data: bytes, name: str, loaded: Loaded) -> tuple[Span, ...]:
    """The place of each word of a program: its line or offset."""
    if loaded.program is None:
        return ()
    return loaded.program.places if loaded.source else places(data, name, loaded.form)
