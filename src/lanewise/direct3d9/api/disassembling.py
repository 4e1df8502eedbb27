"""Disassemble Direct3D 9 shaders.

The source was reassembled and compared; `lost` names the parts that it does not carry."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.direct3d9.container.stream import write_stream
from lanewise.direct3d9.container.tables import constants_of, fourcc, kind_of, read_table
from lanewise.direct3d9.text.listing import lost, microsoft_listing
from lanewise.direct3d9.text.printer import print_shader, printed
from lanewise.direct3d9.text.reader import read_source_text
from lanewise.direct3d9.text.symbols import symbols_of

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.constants import Constant
    from lanewise.direct3d9.isa.program import Comment, Shader

LOSSLESS, MICROSOFT = "lossless", "microsoft"
STYLES = (LOSSLESS, MICROSOFT)
_MOST_NAMED = 1000  # constants that are listed beside a comment


class Disassembly(Record):
    """A source, and what it does not carry of the shader, in words; nothing where it assembles to the same bytes."""

    text: str
    lost: tuple[str, ...]


def disassemble_shader(shader: Shader, style: str = LOSSLESS, *, symbols: bool = False) -> Disassembly:
    """The source of a shader in one of `STYLES`; `symbols` names constants and samplers as the constant table does."""
    table = constants_of(shader).table
    if style == MICROSOFT:
        text = microsoft_listing(shader, table)
        return Disassembly(text, tuple(lost(shader, text)))
    if symbols and table is not None:
        text = print_shader(shader, symbols_of(table), _describe)
        if _assembles(text, shader):
            return Disassembly(text, ())
    text, verified = printed(shader, None, _describe)
    if not verified and not _assembles(text, shader):
        raise AssertionError("what is printed of a shader assembles to it")
    return Disassembly(text, ("the names of the constants",) if symbols and table is not None else ())


def _assembles(text: str, shader: Shader) -> bool:
    again = read_source_text(text, "").shader
    return again is not None and write_stream(again) == write_stream(shader)


def _describe(comment: Comment) -> list[str]:
    """The description next to the words of a comment."""
    found = [kind_of(comment)]
    if fourcc(comment) == "CTAB":
        table = read_table(comment, Span(file="")).table
        found += [constant_text(constant) for constant in table.constants[:_MOST_NAMED]] if table is not None else []
    return ["".join(c if c.isprintable() else "?" for c in line) for line in found]


def constant_text(constant: Constant) -> str:
    """`World: c0-c3, float4x4`."""
    last = f"-{constant.register_name[0]}{constant.register + constant.registers - 1}" if constant.registers > 1 else ""
    elements = f"[{constant.type.elements}]" if constant.type.elements > 1 else ""
    return f"{constant.name}: {constant.register_name}{last}, {constant.type.name}{elements}"
