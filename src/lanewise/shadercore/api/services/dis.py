"""Disassembling ShaderCore programs for `lanewise dis`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, Disassembly, Source, UsageError
from lanewise.shadercore.api.services.files import converted, files_beside, refuse_shape
from lanewise.shadercore.api.services.inspect import listing_lines
from lanewise.shadercore.isa.table import NAME
from lanewise.shadercore.text.printer import print_program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Request
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.isa.program import Program


def disassembled(
    request: Request, program: Program, found: Sequence[Diagnostic], with_interface: Callable[[], ShaderCoreProgram]
) -> Answer:
    """The source of a program, its listing, or its words in the form of `--to`; its constants and a C header besides. Raises
    UsageError.

    `with_interface` gives the program with the constants and names of the compiler's interface file.
    """
    to = request.text("to")
    if request.text("dialect", NAME) != NAME:
        raise UsageError(f"--dialect {request.text('dialect')}: for ShaderCore use {NAME}")
    if request.as_json and (request.has("constants") or request.has("header")):
        raise UsageError("--constants and --header write files: leave out --format json")
    if to and (request.flag("listing") or request.as_json):
        raise UsageError("--to writes machine words: leave out --listing and --format json")
    refuse_shape(request)
    sources = sources_of(program, request)
    if request.as_json:
        data = {"sources": [{"name": source.name, "text": source.text} for source in sources.sources]}
        return Answer(data=data, first=tuple(found), sources=sources)
    if to:
        written = converted(program, to, request.text("name") or request.sources[0].stem, request)
    elif request.flag("listing"):
        written = ("\n".join(listing_lines(program)) + "\n").encode()
    else:
        written = sources.sources[0].text.encode()
    files = [(request.text("output") or STDIO, written), *_beside(request, with_interface)]
    if [path for path, _ in files].count(STDIO) > 1:
        raise UsageError("several files want standard output: name a file for all but one of them")
    return Answer(first=tuple(found), files=tuple(files))


def _beside(request: Request, with_interface: Callable[[], ShaderCoreProgram]) -> list[tuple[str, bytes]]:
    """The files of `--constants` and `--header`. Raises UsageError."""
    if not request.has("constants") and not request.has("header"):
        return []
    from lanewise.shadercore.container.c_header import Places

    whole = with_interface()
    beside = whole.beside
    places = None if beside is None else Places(beside.inputs, beside.outputs, {}, beside.numbers)
    return files_beside(request, whole.program, request.text("name") or request.sources[0].stem, places)


def sources_of(program: Program, request: Request) -> Disassembly:
    """The one source of a program, named like the file."""
    name = f"{request.sources[0].stem}.sc" if request.sources else "shader.sc"
    return Disassembly(sources=(Source(name, print_program(program)),))
