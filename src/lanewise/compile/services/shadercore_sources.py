"""Sources of front ends to files of ShaderCore: the program, its interface by the names of the source, and what each line
costs."""

from __future__ import annotations

import re

from lanewise.compile.services.counts import MOST, count_meant
from lanewise.compile.services.outputs import findings_shown
from lanewise.compile.services.pipeline import lowered, spirv_of
from lanewise.compile.services.premises import of_vector_compiled, premises_json, premises_page
from lanewise.compile.services.shadercore import (
    OPTIMISED,
    as_words,
    cost_page,
    cost_report,
    outputs_of,
    result_of,
    saving,
    stage,
    written,
)
from lanewise.compile.services.stages import VECTOR_STAGES, spirv_text
from lanewise.compile.shadercore.described import vector_interface
from lanewise.compile.shadercore.report import report
from lanewise.compile.shadercore.vector import OUTPUTS, SEMANTICS, compile_vector
from lanewise.compile.spirv.lower import Options
from lanewise.compile.spirv.outputs import NOWHERE
from lanewise.compile.spirv.semantics import LOCATIONS, usage_of
from lanewise.core.compiled import Costs, LineCost
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, has_errors, to_json
from lanewise.core.later import Later, Prepared
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, UsageError
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.api.services.files import files_beside
from lanewise.shadercore.container.c_header import Places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.services.loaded import CompiledFile
    from lanewise.compile.services.pipeline import Lowered
    from lanewise.compile.services.premises import Premise
    from lanewise.compile.shadercore.report import Report
    from lanewise.compile.shadercore.vector import Result, VectorCompiled
    from lanewise.core.compiled import CompileReport
    from lanewise.core.document import Block
    from lanewise.core.service import Request
    from lanewise.shadercore.isa.devices import Device

# What ShaderCore has of outputs: those with a meaning, and others by their names; and the whole numbers of a float.
TARGET = Options(
    semantics=OUTPUTS,
    unnamed=True,
    output_locations={n: name for n, name in LOCATIONS.items() if name in SEMANTICS},
    exact=1 << 24,
)
_BOUND = re.compile(r"([^=<>,;]+)=(\d{1,4})")


def compile_source(loaded: CompiledFile, request: Request) -> Answer:
    """The program of a source with its interface, and what is shown of it. Raises UsageError, InputFailure, InputError."""
    device = device_of(request)
    _refuse_options(request)
    outputs = outputs_of(request)
    which = request.text("stage")
    if which == "spirv":
        return Answer(text=spirv_text(spirv_of(request, loaded.language).data, request.name))
    program = lowered(request, loaded.language, TARGET)
    if which in VECTOR_STAGES:
        return Answer(text=VECTOR_STAGES[which](program.vector))
    result = compiled_for(program, device, request)
    findings = (*program.diagnostics, *result.diagnostics)
    compiled = result.compiled
    if compiled is None or has_errors(findings):
        return Answer(first=findings, failed=True)
    if which:
        return Answer(text=stage(compiled, which))
    costs = report(compiled) if request.flag("report") else None
    interface = vector_interface(compiled)
    files: list[tuple[str, bytes]] = []
    if outputs.program:
        files += written(compiled.program, request, outputs, interface)
        files += files_beside(request, compiled.program, request.sources[0].stem, _places(compiled))
    shown = findings_shown(findings, checked=request.flag("check"))
    premises = of_vector_compiled(program.premises, compiled)
    remark = f"{program.spirv.compiler} compiles it to SPIR-V" if program.spirv.compiler else ""
    return Answer(
        data=_data(interface, compiled, costs, shown) | {"premises": premises_json(premises)} if request.as_json else {},
        page=(*_page(costs, compiled, request.name), *premises_page(premises)) if costs is not None else (),
        first=tuple(shown),
        remarks=(remark,) if remark and costs is None else (),
        files=tuple(files),
        result=result_of(
            request.name,
            compiled.program,
            device,
            interface,
            Later(_report, compiled, premises, request.name),
            Prepared(_saved, compiled, interface, request.silent()),
        )._replace(diagnostics=tuple(shown)),
    )


def _saved(
    compiled: VectorCompiled, interface: Mapping[str, object], request: Request, path: str
) -> Sequence[tuple[str, bytes]]:
    """The files that a compilation writes for a path. Raises UsageError."""
    request = saving(request, path)
    files = written(compiled.program, request, outputs_of(request), interface)
    return [*files, *files_beside(request, compiled.program, request.sources[0].stem, _places(compiled))]


def _report(compiled: VectorCompiled, premises: Sequence[Premise], name: str) -> CompileReport:
    costs = report(compiled)
    rows = [
        LineCost(
            span.file if span else "",
            span.line if span else 0,
            span.text.strip() if span else "",
            Costs(slots=slots, cycles=cycles, live=live),
        )
        for span, (slots, cycles, live) in _rows(costs, compiled)
    ]
    return cost_report(costs, compiled, rows, premises, [*_page(costs, compiled, name), *premises_page(premises)])


def compiled_for(program: Lowered, device: Device, request: Request) -> Result:
    """A vector program compiled for a device, with the bounds of the command line. Raises UsageError, InputError."""
    bounds = bounds_of(request)
    names = [count.name for count in program.vector.counts]
    names += [uniform.name for uniform in program.vector.uniforms if uniform.rows == uniform.columns == 1]
    unused = [
        Diagnostic(
            code="L010",
            severity=ERROR,
            message=f"--bound names {name}, which is not a uniform of one number",
            span=Span(file=request.name),
            fix=_named(name, count, names),
        )
        for name, count in bounds.items()
        if name not in names
    ]
    if unused:
        raise InputError([*program.diagnostics, *unused])
    hashed = _hash(program.spirv.data)
    return compile_vector(program.vector, device, bounds, name=request.name, hashed=hashed)


def _named(name: str, count: int, names: Sequence[str]) -> str:
    """The fix of a bound for something else than a uniform of one number."""
    close = names if len(names) == 1 else near(name, names)[:1]
    if close:
        return f"write --bound {close[0]}={count}"
    return f"use {', '.join(names)}" if names else "leave it out: no uniform is a number"


def bounds_of(request: Request) -> Mapping[str, int]:
    """The most that counts can be, of `--bound NAME=COUNT`. Raises UsageError."""
    found: dict[str, int] = {}
    for text in request.texts("bound"):
        match = _BOUND.fullmatch(text.strip())
        if not match or int(match[2]) > MOST:
            raise UsageError(f"--bound {text}: {count_meant(text, '--bound')}")
        if match[1] in found:
            raise UsageError(f"--bound {text}: {match[1]} is given twice")
        found[match[1]] = int(match[2])
    return found


def _refuse_options(request: Request) -> None:
    """Raises UsageError for options that are about Direct3D 9, and semantics that the device does not have."""
    if request.text("strategy", OPTIMISED) != OPTIMISED:
        raise UsageError(f"--strategy {request.text('strategy')}: the baselines are for Direct3D 9 shaders")
    if request.flag("accuracy"):
        raise UsageError("--accuracy compares with Direct3D 9 under IEEE 754: it is for Direct3D 9 shaders")
    for text in request.texts("semantic"):
        semantic = text.partition("=")[2]
        if semantic != NOWHERE and usage_of(semantic) not in OUTPUTS:
            known = ", ".join((*SEMANTICS, NOWHERE))
            raise UsageError(
                f"--output {text}: outputs of ShaderCore are {known}; inputs and others, in o3 to o7, have a usage "
                "such as normal or texcoord1, or none"
            )


def _hash(data: bytes) -> int:
    from lanewise.compile.shadercore.direct3d9 import token_hash

    return token_hash([int.from_bytes(data[n : n + 4], "little") for n in range(0, len(data), 4)])


def _places(compiled: VectorCompiled) -> Places:
    inputs, outputs = ({port.name: port.register for port in ports} for ports in (compiled.inputs, compiled.outputs))
    constants = {row.name: (row.first, row.rows) for row in compiled.uniforms}
    return Places(inputs, outputs, constants, {row.name: (row.register, row.component) for row in compiled.settings})


def _rows(costs: Report, compiled: VectorCompiled) -> list[tuple[Span | None, tuple[int, int, int]]]:
    """The lines of the source with slots, cycles and live values, in the order of the source."""
    spans = dict(zip(compiled.lines, compiled.spans, strict=True))
    rows = [(spans.get(line.number), (line.slots, line.cycles, line.live)) for line in costs.lines]
    return sorted(rows, key=lambda row: (row[0] is None, row[0].file if row[0] else "", row[0].line if row[0] else 0))


def _page(costs: Report, compiled: VectorCompiled, name: str) -> list[Block]:
    def place(span: Span | None) -> tuple[str, str]:
        if span is None or not span.line:
            return "(none)", ""
        return str(span.line) if span.file == name else f"{span.file}:{span.line}", span.text.strip()

    rows: list[tuple[str, ...]] = []
    for span, numbers in _rows(costs, compiled):
        where, text = place(span)
        rows.append((where, *map(str, numbers), text))
    return cost_page(costs, compiled, name, ("line", "slots", "cycles", "live", "source"), rows)


def _data(
    interface: Mapping[str, object], compiled: VectorCompiled, costs: Report | None, findings: Sequence[Diagnostic]
) -> dict[str, object]:
    found = {**interface, "words": as_words(compiled)}
    if costs is not None:
        found["report"] = {
            "slots": dict(costs.slots),
            "cycles": dict(costs.cycles),
            "registers": dict(costs.registers),
            "refused": {},
            "lines": [
                {
                    "instruction": span.text.strip() if span else "",
                    "file": span.file if span else "",
                    "line": span.line if span else 0,
                    "slots": slots,
                    "cycles": cycles,
                    "alive": live,
                }
                for span, (slots, cycles, live) in _rows(costs, compiled)
            ],
        }
    return found | {"diagnostics": [to_json(finding) for finding in findings]}
