"""Direct3D 9 files to findings: what reading them says, and what is not legal in their version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.api.direct3d9_reading import read_shader
from lanewise.check.direct3d9 import check
from lanewise.isa.direct3d9_program import Inst
from lanewise.text.direct3d9.printer import Names, instruction_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.isa.direct3d9_program import Shader


def check_direct3d9(data: bytes, name: str, read: Callable[[str], str] | None = None) -> list[Diagnostic]:
    """What there is to say about a source or a file of words; `read` gives the text of files that a source includes."""
    loaded = read_shader(data, name, None, read)
    if loaded.shader is None:
        return loaded.diagnostics
    found = check(loaded.shader, name)
    return [*loaded.diagnostics, *(found if loaded.source else _shown(found, loaded.shader))]


def _shown(findings: list[Diagnostic], shader: Shader) -> list[Diagnostic]:
    """The findings with the instruction that each is about, as there is no source line to show."""
    names = Names(shader.version)
    texts = {
        item.place.offset: instruction_text(item, names) or item.op.name
        for item in shader.items
        if isinstance(item, Inst) and item.place is not None
    }
    return [
        finding._replace(notes=(texts[finding.span.offset], *finding.notes)) if finding.span.offset in texts else finding
        for finding in findings
    ]
