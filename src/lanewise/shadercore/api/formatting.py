"""Formatting ShaderCore sources. What a source assembles to is compared before the answer is given."""

from __future__ import annotations

from lanewise.core.diagnostics import text_form
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.formatting import BLANKS, format_text
from lanewise.shadercore.text.formatting import first_indented, read_line
from lanewise.shadercore.text.reader import read_source_text

if TYPE_CHECKING:
    from lanewise.core.text.formatting import Indent
    from lanewise.shadercore.isa.program import Program


def format_source(name: str, text: str, indent: Indent = BLANKS) -> str:
    """The source with directives at the margin, instructions indented if the first one is, commas between operands, comments in
    columns; it assembles to the same words.

    Comments, blank lines, the end of each line (LF or CR LF) and the order of all lines stay; formatting twice is formatting
    once. A text with a byte 0, or with lines that only a carriage return ends, comes back unchanged. Raises RuntimeError if the
    words differ, which is a bug.
    """
    if text_form(name, text):
        return text
    indented = first_indented(text.split("\n"))
    formatted = format_text(text, lambda line: read_line(line, indented=indented), indent)
    if formatted != text and _result(formatted) != _result(text):
        raise RuntimeError(f"{name}, formatted, is another program")
    return formatted


def _result(text: str) -> tuple[Program | None, list[str]]:
    """The program without its places, and the codes of the findings."""
    program, found, *_ = read_source_text(text, "")
    return program._replace(places=(), declared=()) if program is not None else None, [finding.code for finding in found]
