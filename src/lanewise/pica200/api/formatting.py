"""Formatting sources. What a source assembles to is compared before the answer is given."""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.formatting import BLANKS, format_text
from lanewise.pica200.api.assembling import assemble_in
from lanewise.pica200.text.dialects import dialects_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.text.formatting import Indent
    from lanewise.pica200.api.assembling import Assembly


def format_source(
    name: str, text: str, dialect: str = "", read: Callable[[str], str] | None = None, indent: Indent = BLANKS
) -> str:
    """The source with blocks indented, blanks in their places and comments in columns; it assembles to the same bytes.

    Comments, blank lines, the end of each line (LF or CR LF) and the order of all lines stay; formatting twice
    is formatting once. `dialect` and `read` are those of `assemble_sources`. A text with a byte 0 comes back as it is. Raises
    ValueError for another dialect or one without a format, RuntimeError if the bytes differ, which is a bug.
    """
    language = dialects_of([name], dialect)[0]
    if language.read_line is None:
        raise ValueError(f"{language.title} sources have no formatter")
    formatted = format_text(text, language.read_line, indent)
    if formatted == text:
        return text
    for mode in language.modes:
        options = mode._replace(read=read)
        before, after = (assemble_in(language, [(name, source)], options) for source in (text, formatted))
        if before.data != after.data or (before.data is not None and _findings(before) != _findings(after)):
            raise RuntimeError(f"{name}, formatted, is another program")
    return formatted


def _findings(assembly: Assembly) -> list[str]:
    """Warnings; of notes one is about the line end that a formatted source has."""
    return [finding.code for finding in assembly.diagnostics if finding.severity != NOTE]
