"""Direct3D 9 files on the command line: which they are, reading them in any form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.api.reading import SOURCE, Loaded, for_direct3d9, read_shader
from lanewise.direct3d9.container.forms import FORMS
from lanewise.direct3d9.container.stream import DXBC
from lanewise.direct3d9.isa.table import NAME
from lanewise.tools.console import STDIO, UsageError, read_included

if TYPE_CHECKING:
    import argparse

_FORMS = {"words": "bin", "file": "bin"}  # ShaderCore's names of forms


def is_one_for_direct3d9(options: argparse.Namespace, data: bytes) -> bool:
    """Whether a file is a Direct3D 9 shader: because the command line says so, or because it looks so. Later Direct3D is refused as such."""
    if options.isa == NAME:
        return True
    return options.isa is None and options.form is None and (for_direct3d9(data) or data.startswith(DXBC))


def load(options: argparse.Namespace, data: bytes, path: str) -> Loaded:
    """The shader of a file, in the form that the command line says, or as it looks. Raises UsageError."""
    form = _FORMS.get(options.form, options.form)
    if form is not None and form not in (*FORMS, SOURCE):
        raise UsageError(f"--from {options.form}: a Direct3D 9 file is words, hex or c")
    return read_shader(data, "<stdin>" if path == STDIO else path, form, read_included)
