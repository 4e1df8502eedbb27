"""The findings of Direct3D 9 files, as `lanewise check` orders its reader and its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.api.checking import check_reading
from lanewise.direct3d9.api.reading import read_shader

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.diagnostics import Diagnostic


def check_direct3d9(data: bytes, name: str, read: Callable[[str], str] | None = None) -> list[Diagnostic]:
    """The findings about a source or a file of words; `read` gives the text of an included file."""
    return check_reading(read_shader(data, name, None, read), name)
