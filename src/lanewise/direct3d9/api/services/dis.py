"""`lanewise dis`: a Direct3D 9 shader as source, or its words in another form."""

from __future__ import annotations

from lanewise.core.diagnostics import to_json
from lanewise.core.document import columns
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, Disassembly, Source, UsageError, stem_of
from lanewise.direct3d9.api.disassembling import LOSSLESS, disassemble_shader
from lanewise.direct3d9.api.services.inspect import listed
from lanewise.direct3d9.container.forms import write_form
from lanewise.direct3d9.isa.table import NAME, PIXEL

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.direct3d9.api.services.loaded import LoadedShader

SUFFIXES = {True: ".psa", False: ".vsa"}  # of sources, by whether the shader is a pixel shader


def disassemble(loaded: LoadedShader, request: Request) -> Answer:
    """The source of a shader, its listing, or its words in the form of `--to`. Raises UsageError, InputError."""
    style, target = request.text("style", LOSSLESS), request.text("to")
    if request.flag("listing"):
        return _listing(loaded, request)
    if target and request.as_json:
        raise UsageError("--to writes machine words: leave out --format json")
    if request.text("dialect", NAME) != NAME:
        raise UsageError(f"--dialect {request.text('dialect')}: the language of Direct3D 9 shaders is {NAME}")
    if request.flag("symbols") and style != LOSSLESS:
        raise UsageError("--symbols goes with --style lossless: leave out --style microsoft")
    shader, findings = loaded.shader, tuple(loaded.reading.diagnostics)
    stem = stem_of(loaded.source.path or loaded.name)
    if target:
        data = write_form(shader, target, request.text("name") or stem)
        return Answer(first=findings, files=((request.text("output", STDIO), data),))
    result = disassemble_shader(shader, style, symbols=request.flag("symbols"))
    source = Source(stem + SUFFIXES[shader.version.kind == PIXEL], result.text)
    data = {
        "version": shader.version.name,
        "sources": [source._asdict()],
        "lost": list(result.lost),
        "diagnostics": [to_json(finding) for finding in findings],
    }
    if request.as_json:  # `data` has the findings and what is lost
        return Answer(data=data, sources=Disassembly(sources=(source,)))
    return Answer(data=data, first=findings, sources=Disassembly(sources=(source,), lost=result.lost))


def _listing(loaded: LoadedShader, request: Request) -> Answer:
    """Byte offset, machine words and text of each instruction."""
    others = [f"--{key}" for key in ("to", "style", "symbols") if request.has(key)]
    if others:
        raise UsageError(f"--listing shows the machine words: leave out {' and '.join(others)}")
    rows = [(f"0x{row['offset']:04X}", str(row["words"]), str(row["text"])) for row in listed(loaded.shader)]
    text = "\n".join(columns([("offset", "words", "text"), *rows])) + "\n"
    return Answer(first=tuple(loaded.reading.diagnostics), files=((request.text("output", STDIO), text.encode()),))
