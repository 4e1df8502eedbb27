"""Sources of front ends to files of the PICA200, for `lanewise compile`: the program, its header for citro3d, and what each
line of the source costs."""

from __future__ import annotations

from lanewise.compile.services.citro3d import MARK, c_header
from lanewise.compile.services.loaded import CompiledFile
from lanewise.compile.services.manuals import FORMS, SHBIN, SPIRV
from lanewise.compile.services.manuals import PICA200 as MANUAL
from lanewise.compile.services.outputs import default_output, findings_shown, stem
from lanewise.compile.services.pipeline import assembled, lowered, of_direct3d9, spirv_of
from lanewise.compile.services.preamble import preamble_file, uniform_work
from lanewise.compile.services.report import compile_report, data_of, page_of
from lanewise.compile.services.stages import VECTOR_STAGES, spirv_text
from lanewise.core import files
from lanewise.core.compiled import CompilerResult
from lanewise.core.diagnostics import InputError, has_errors, in_order
from lanewise.core.later import Later, Prepared
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, UsageError
from lanewise.core.suffixes import take_form
from lanewise.pica200.api.checking import check_assembled
from lanewise.pica200.api.converting import convert_file
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.text.dialects import dialect_named, dialects

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lanewise.compile.services.pipeline import Compiled
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.package import Loaded
    from lanewise.core.service import Request
    from lanewise.pica200.api.file import ShaderFile

HEADER = ".h"


def compile_file(loaded: Loaded, request: Request) -> Answer:
    """The files of a program, and what is shown of it. Raises UsageError, InputFailure, InputError."""
    stage = request.text("stage")
    if stage == "spirv":
        if not isinstance(loaded, CompiledFile):
            raise UsageError("--stage spirv: a Direct3D 9 shader does not become SPIR-V")
        module = spirv_of(request, loaded.language)
        return Answer(text=spirv_text(module.data, request.name))
    program = lowered(request, loaded.language) if isinstance(loaded, CompiledFile) else of_direct3d9(loaded, request)
    if stage in VECTOR_STAGES:
        return Answer(text=VECTOR_STAGES[stage](program.vector))
    compiled = assembled(program, request.sources[0], request)
    if stage:
        return Answer(text=_source(compiled, stage, request))
    findings = _findings(compiled, checked=request.flag("check"))
    if has_errors(findings):
        return Answer(first=tuple(findings), failed=True)
    remark = f"{program.spirv.compiler} compiles it to SPIR-V" if program.spirv.compiler else ""
    work = uniform_work(compiled, request)
    return Answer(
        data=data_of(compiled, report=request.flag("report")) if request.as_json else {},
        page=tuple(page_of(compiled, request.name)) if request.flag("report") else (),
        first=tuple(findings),
        remarks=(*([remark] if remark and not request.flag("report") else []), *work),
        files=() if request.flag("check") else tuple(_files(compiled, request)),
        schema="program",
        result=_result(compiled, findings, request),
    )


def _result(compiled: Compiled, findings: Sequence[Diagnostic], request: Request) -> CompilerResult:
    """The program for Python."""
    return CompilerResult(
        program=compiled.file,
        report=Later(compile_report, compiled, request.name),
        files=Prepared(_saved, compiled, request.silent()),
        run=Prepared(_run, compiled.file),
        diagnostics=tuple(findings),
    )


def _run(file: ShaderFile, *arguments: Any, **options: Any) -> object:
    return file.vertex.run(*arguments, **options)


def _saved(compiled: Compiled, request: Request, path: str) -> Sequence[tuple[str, bytes]]:
    """The files that a compilation writes for a path. Raises UsageError."""
    values = {**request.values, "output": path}
    take_form(values, MANUAL.forms)
    return _files(compiled, request.with_values(values))


def _findings(compiled: Compiled, *, checked: bool) -> Sequence[Diagnostic]:
    """Return the findings of the compiler, and with `checked` those of the rules of `lanewise check` too."""
    if not checked:
        return findings_shown(compiled.diagnostics, checked=False)
    shader = compiled.file.programs[0]
    report = check_assembled(
        compiled.file.program, shader.words, shader.descriptors, compiled.diagnostics, dialect=dialects()[0]
    )
    return in_order(report.findings)


def _source(compiled: Compiled, language: str, request: Request) -> str:
    shbin, found = read_shbin(compiled.file.to_bytes(), request.name)
    if shbin is None:
        raise InputError(found)
    return "\n".join([source.text for source in convert_file(shbin, language, request.sources[0].stem).sources])


def _files(compiled: Compiled, request: Request) -> list[tuple[str, bytes]]:
    """The program in the form that is asked for, and its header. Raises UsageError, InputFailure."""
    source = request.sources[0]
    given = request.text("output")
    form = request.text("to", SHBIN)
    output = given or default_output(source, FORMS[form], source.member.replace("/", "_"))
    if form == SPIRV:
        if not compiled.lowered.spirv.data:
            raise UsageError("--to spirv: Direct3D 9 shaders and functions in SSA form do not become SPIR-V")
        return [(output, compiled.lowered.spirv.data)]
    data = compiled.file.to_bytes() if form == SHBIN else _source(compiled, dialect_named(form).name, request).encode()
    wanted = request.text("header", "" if form != SHBIN or output == STDIO else stem(output) + HEADER)
    header = "" if wanted == STDIO else wanted
    if header and not request.has("header") and _holds_something_else(header):
        raise UsageError(
            f"{header} is not a header of lanewise and would be overwritten: name one with --header, or --header - for none"
        )
    beside = preamble_file(compiled, output) if form == SHBIN and output != STDIO else []
    named = stem(output).replace("\\", "/").rpartition("/")[2] if output != STDIO else source.stem
    found = [(output, data), *beside]
    return found if not header else [*found, (header, c_header(compiled, named).encode())]


def _holds_something_else(path: str) -> bool:
    """Whether a file of this name is there that is not a header as this compiler writes them."""
    try:
        return MARK not in files.head(path, 256)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
