"""`lanewise asm` for Direct3D 9 sources.

The output has the words for CreateVertexShader and CreatePixelShader."""

from __future__ import annotations

import os

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, failure
from lanewise.core.source import decode_text
from lanewise.direct3d9.container.forms import BINARY, write_form
from lanewise.direct3d9.isa.table import PIXEL
from lanewise.direct3d9.text.preprocess import setting_of
from lanewise.direct3d9.text.reader import read_source_text

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.direct3d9.isa.table import Version

SUFFIXES = {"hex": ".hex", "c": ".h"}


def assemble(request: Request) -> Answer:
    """The file that a source assembles to. Raises UsageError for several sources, InputError."""
    source, target = request.only("Direct3D 9 shaders"), request.text("to", BINARY)
    setting = setting_of(request.texts("define"), request.texts("include"))
    result = read_source_text(decode_text(source.data), source.name, request.read_included, setting)
    if result.shader is None:
        raise failure(result.diagnostics)
    output = request.text("output") or default_output(source.path, target, result.version)
    data = write_form(result.shader, target, request.text("name") or source.stem)
    return Answer(first=tuple(result.diagnostics), files=((output, data),))


def default_output(path: str, target: str, version: Version | None) -> str:
    """The output file of a source, with the suffix of its form; standard output for standard input."""
    if path == STDIO:
        return STDIO
    folder, name = os.path.split(path)
    stem = name.rpartition(".")[0] or name
    suffix = SUFFIXES.get(target) or (".pso" if version is not None and version.kind == PIXEL else ".vso")
    return os.path.join(folder, stem + suffix)
