"""Assembling ShaderCore sources for `lanewise asm`."""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, UsageError
from lanewise.core.source import Span, decode_text
from lanewise.shadercore.api.reading import SUFFIX
from lanewise.shadercore.api.services.files import (
    SUFFIXES,
    converted,
    files_beside,
    refuse_shape,
    remark_of_depth,
    remark_of_rows,
)
from lanewise.shadercore.container.forms import FORMS_BY_SUFFIX, TARGETS
from lanewise.shadercore.container.header import write_binary
from lanewise.shadercore.text.reader import read_source_text

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.table import Op


HEX = "hex"
_WORDS_OF_LINES = (
    "a .hex file has a word a line, which $readmemh reads; it is not Intel HEX, which Quartus expects of this suffix: "
    "-o FILE.mif is for Quartus, -o FILE.coe for Vivado"
)


def assemble(request: Request) -> Answer:
    """The file of one source: with a header, or the words in the form of `--to`. Raises UsageError."""
    source = request.only("ShaderCore programs")
    refuse_shape(request)
    to = request.text("to")
    result = read_source_text(decode_text(source.data), source.name, added=_added(request))
    program, found = result.program, tuple(result.diagnostics)
    if program is None:
        return Answer(first=found, failed=True)
    if request.has("device"):
        from lanewise.shadercore.api.services.devices import beyond

        lacking = beyond(request, program, source.name, lambda: program.places)
        if lacking:
            return Answer(first=(*found, *lacking), failed=True)
    found += _surprises(request, program, source.name)
    if request.flag("check"):
        return Answer(first=found)
    if request.has("to") and request.has("output"):
        _refuse_other_suffix(request.text("output"), to)
    name = request.text("name") or source.stem
    data = converted(program, to, name, request) if to else write_binary(program)
    output = request.text("output") or default_output(source.path, to)
    left_out = () if request.has("constants") else _left_out(program, source.path)
    remarks = (_WORDS_OF_LINES,) if output.lower().endswith(SUFFIXES[HEX]) and to == HEX else ()
    if to and request.has("depth"):
        remarks += remark_of_depth(request, to)
    if to and request.has("width"):
        remarks += remark_of_rows(request, to)
    return Answer(first=(*found, *left_out), files=((output, data), *files_beside(request, program, name)), remarks=remarks)


def _refuse_other_suffix(output: str, to: str) -> None:
    """Raise UsageError for the name of a file whose suffix is that of another form than `--to`."""
    stem, point, suffix = output.rpartition(".")
    form = FORMS_BY_SUFFIX.get(f"{point}{suffix}".lower(), "")
    if form not in ("", to) and {form, to} != {HEX, "mem"}:  # two names of one form
        instead = f"leave --to out, or write -o {stem}{TARGETS[to][0]}"
        raise UsageError(f"-o {output} is {form} by its suffix, and --to is {to}: {instead}")


def _surprises(request: Request, program: Program, name: str) -> tuple[Diagnostic, ...]:
    """The warnings about what is read otherwise on the device of `--device`, or the usual one. Raises UsageError,
    InputFailure."""
    from lanewise.shadercore.api.surprises import hidden, may_hide, may_surprise, surprises

    surprising, hiding = may_surprise(program.insts, program.constants), may_hide(program)
    if not surprising and not hiding:
        return ()
    from lanewise.shadercore.api.services.devices import device_of

    device = device_of(request)
    found = surprises(program, device, name) if surprising else []
    return (*found, *hidden(program, device, name))


def _added(request: Request) -> tuple[Op, ...]:
    """The instructions of the device of `--device`. Raises UsageError, InputFailure."""
    if not request.has("device"):
        return ()
    from lanewise.shadercore.api.services.devices import added_of

    return added_of(request)


def default_output(source: str, to: str) -> str:
    """`light.sc` becomes `light.scb` in the same folder; standard input goes to standard output."""
    if source == STDIO:
        return STDIO
    return (source[: -len(SUFFIX)] if source.lower().endswith(SUFFIX) else source) + SUFFIXES[to]


def _left_out(program: Program, file: str) -> tuple[Diagnostic, ...]:
    """A note on the constants, which no file holds."""
    if not program.constants:
        return ()
    registers = ", ".join([f"c{constant.number}" for constant in program.constants])
    return (
        Diagnostic(
            code="V204",
            severity=NOTE,
            message=f"constants not in the file: {registers}",
            span=Span(file=file),
            fix="write them with --constants FILE, or set them in the application before it starts the shader; `lanewise "
            "dis` cannot restore them",
        ),
    )
