"""Direct3D 9 shaders to files of ShaderCore, for `lanewise compile`: the program, its interface, and what each instruction or
line costs."""

from __future__ import annotations

import json
import math
from typing import NamedTuple

from lanewise.compile.services.direct3d9 import facts_of, shader_of, unused
from lanewise.compile.services.manuals import SHADERCORE as MANUAL
from lanewise.compile.services.outputs import default_output, stem
from lanewise.compile.services.premises import of_shadercore, premises_json, premises_page
from lanewise.compile.services.stages import VECTOR_STAGES
from lanewise.compile.shadercore.accuracy import Accuracy, measure
from lanewise.compile.shadercore.backend import Finished
from lanewise.compile.shadercore.described import interface
from lanewise.compile.shadercore.direct3d9 import OPTIMISED, Options, compile_shader, named_arrays
from lanewise.compile.shadercore.report import Report, baselines, report
from lanewise.core.compiled import CompileReport, CompilerResult, Costs, LineCost
from lanewise.core.diagnostics import Diagnostic, to_json
from lanewise.core.document import Heading, Items, Paragraph, Table
from lanewise.core.later import Later, Prepared
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, Answer, Request, UsageError
from lanewise.core.suffixes import take_form
from lanewise.direct3d9.api.services.effect import file_name
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.isa.constants import FLOAT_SET
from lanewise.direct3d9.text.printer import Names, instruction_text
from lanewise.shadercore.api.interface import holds_something_else, read_interface
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.api.services.files import SUFFIXES, constants_file, converted, refuse_shape
from lanewise.shadercore.container.c_header import Places, c_header
from lanewise.shadercore.container.header import write_binary
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.text.printer import line_of, print_program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from lanewise.compile.services.premises import Premise
    from lanewise.compile.shadercore.direct3d9 import Compiled
    from lanewise.compile.shadercore.vector import VectorCompiled
    from lanewise.core.document import Block
    from lanewise.core.package import Loaded
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program

SUFFIX, SOURCE_SUFFIX, INTERFACE_SUFFIX = ".scb", ".sc", ".json"
STAGES = ("trace", "code", "schedule", "program")


class Outputs(NamedTuple):
    """Where the program and its interface are written; empty for what is not."""

    program: str
    interface: str


def outputs_of(request: Request) -> Outputs:
    """Raises UsageError for names that cannot be."""
    refuse_shape(request)
    if request.flag("check") or request.has("stage"):
        return Outputs("", "")
    output = _output(request)
    beside = "" if output == STDIO else stem(output) + INTERFACE_SUFFIX
    if beside and holds_something_else(beside):
        raise UsageError(f"{beside} is not an interface file and would be overwritten: use another name with -o")
    return Outputs(output, beside)


def written(program: Program, request: Request, outputs: Outputs, interface: Mapping[str, object]) -> list[tuple[str, bytes]]:
    """The files of a program: a source, a file with a header, or words in the form of `--to`, and the interface."""
    to = request.text("to")
    if to:
        data = converted(program, to, request.sources[0].stem, request)
    elif outputs.program.lower().endswith(SOURCE_SUFFIX):
        data = print_program(program).encode()
    else:
        data = write_binary(program)
    beside = [(outputs.interface, (json.dumps(interface, indent=2) + "\n").encode())] if outputs.interface else []
    return [(outputs.program, data), *beside]


def compile_file(loaded: Loaded, request: Request) -> Answer:
    """The program of a shader with its interface, and what is shown of it. Raises UsageError, InputFailure, InputError."""
    if request.text("stage") in ("spirv", *VECTOR_STAGES):
        raise UsageError(
            f"--stage {request.text('stage')}: a Direct3D 9 shader does not have this stage, use {', '.join(STAGES)}"
        )
    device, known = device_of(request), facts_of(request)
    source = request.sources[0]
    name = f"{source.name}:{source.member}" if source.member else source.name
    outputs = outputs_of(request)
    shader = shader_of(loaded)
    known = known._replace(arrays=named_arrays(shader.constants, known.arrays))
    illegal = [finding for finding in shader.check() if finding.is_error]
    if illegal:
        return Answer(first=tuple(illegal), failed=True)
    findings = [*shader.diagnostics, *unused(shader, known, name)]
    result = compile_shader(shader.shader, device, known, name=name, strategy=request.text("strategy", OPTIMISED))
    findings += result.diagnostics
    compiled = result.compiled
    if compiled is None or any(finding.is_error for finding in findings):
        return Answer(first=tuple(findings), failed=True)
    if request.has("stage"):
        return Answer(text=stage(compiled, request.text("stage")))
    costs = _costs(shader, device, known, compiled) if request.flag("report") else None
    accuracy = measure(compiled, shader.flow) if request.flag("accuracy") else []
    premises = of_shadercore(compiled, shader.flow)
    shown = [*page(costs, compiled, shader, name), *premises_page(premises)] if costs is not None else []
    blocks = [*shown, *accuracy_page(accuracy, compiled)]
    files: list[tuple[str, bytes]] = []
    if outputs.program:
        files += written(compiled.program, request, outputs, interface(compiled, shader.constants))
        files += _for_drivers(request, compiled, shader)
    data = as_json(compiled, costs, shader, findings, accuracy) if request.as_json else {}
    finished = result_of(
        name,
        compiled.program,
        device,
        interface(compiled, shader.constants),
        Later(_report, compiled, shader, device, known, name),
        Prepared(_saved, compiled, shader, request.silent()),
    )
    return Answer(
        data=data,
        page=tuple(blocks),
        first=tuple(findings),
        files=tuple(files),
        result=finished._replace(diagnostics=tuple(findings)),
    )


def result_of(
    name: str,
    program: Program,
    device: Device,
    interface: Mapping[str, object],
    report: Callable[[], CompileReport],
    files: Callable[[str], Sequence[tuple[str, bytes]]],
) -> CompilerResult:
    """A program with its interface, for Python; `report` and `files` as in `CompilerResult`."""
    beside = read_interface(name, interface)
    loaded = ShaderCoreProgram(name, program).with_interface(beside)
    return CompilerResult(program=loaded, report=report, files=files, run=Prepared(_run, loaded, device))


def _run(program: ShaderCoreProgram, device: Device, *arguments: Any, **options: Any) -> object:
    return program.run(*arguments, device=device, **options)


def _saved(compiled: Compiled, shader: Direct3DShader, request: Request, path: str) -> Sequence[tuple[str, bytes]]:
    """The files that a compilation writes for a path. Raises UsageError."""
    request = saving(request, path)
    files = written(compiled.program, request, outputs_of(request), interface(compiled, shader.constants))
    return [*files, *_for_drivers(request, compiled, shader)]


def saving(request: Request, path: str) -> Request:
    """The request with a path to write to. Raises UsageError for a suffix that names no form."""
    values = {**request.values, "output": path}
    take_form(values, MANUAL.forms)
    return request.with_values(values)


def _report(compiled: Compiled, shader: Direct3DShader, device: Device, known: Options, name: str) -> CompileReport:
    costs = _costs(shader, device, known, compiled)
    premises = of_shadercore(compiled, shader.flow)
    rows = [
        LineCost(
            name,
            _line(shader, line.number),
            _source(shader, line.number),
            Costs(slots=line.slots, cycles=line.cycles, live=line.live),
        )
        for line in costs.lines
    ]
    return cost_report(costs, compiled, rows, premises, [*page(costs, compiled, shader, name), *premises_page(premises)])


def _line(shader: Direct3DShader, number: int) -> int:
    """The line of an instruction in the source; 0 for a binary, and for words that belong to none."""
    place = shader.flow.insts[number].place if number >= 0 else None
    return place.line if place is not None else 0


def cost_report(
    costs: Report,
    compiled: Compiled | VectorCompiled,
    rows: Sequence[LineCost],
    premises: Sequence[Premise],
    page: Sequence[Block],
) -> CompileReport:
    """The report for Python."""
    cycles = costs.cycles[compiled.strategy]
    totals = {
        "slots": costs.slots[compiled.strategy],
        **({"cycles": cycles} if cycles is not None else {}),
        "live": max([row.costs["live"] for row in rows], default=0),
        "registers": costs.registers[compiled.strategy],
    }
    return CompileReport(
        target=f"shadercore, {compiled.device.describe()}",
        totals=Costs(totals),
        lines=tuple(rows),
        premises=tuple([premise.text for premise in premises]),
        page=tuple(page),
    )


def _output(request: Request) -> str:
    to, source = request.text("to"), request.sources[0]
    member = file_name(source.member) if source.member else ""
    return request.text("output") or default_output(source, SUFFIXES[to] if to else SUFFIX, member)


def _for_drivers(request: Request, compiled: Compiled, shader: Direct3DShader) -> list[tuple[str, bytes]]:
    """The files of `--constants` and `--header`. Raises UsageError."""
    name, found = request.sources[0].stem, list[tuple[str, bytes]]()
    if request.has("constants"):
        path = request.text("constants")
        found.append((path, constants_file(compiled.program, path, request.text("to"), name)))
    if request.has("header"):
        named = {row.name: (row.register, row.registers) for row in shader.constants if row.set == FLOAT_SET}
        named |= {
            f"c{array.first}": (array.first, array.size)
            for array in compiled.options.arrays
            if all(array.first != first for first, _ in named.values())
        }
        inputs, outputs = ({place.meaning: place.register for place in rows} for rows in (compiled.inputs, compiled.outputs))
        places = Places(inputs, outputs, named, compiled.counts)
        found.append((request.text("header"), c_header(compiled.program, name, places).encode()))
    return found


# What is shown


def stage(compiled: Compiled | VectorCompiled, which: str) -> str:
    """A stage of the compilation as text."""
    finished: Finished = compiled.finished
    if which == "trace":
        return f"{compiled.traced}\n"
    if which == "code":
        return f"{finished.code}\n"
    if which == "schedule":
        cycles = [issue.cycle for issue in time_program(compiled.program.insts, compiled.device).issues]
        lines = [
            f"{cycle:6}  {line_of(word, compiled.program.added)}"
            for cycle, word in zip(cycles, compiled.program.words, strict=False)
        ]
        return "\n".join(lines) + "\n"
    return print_program(compiled.program)


def _costs(shader: Direct3DShader, device: Device, known: Options, compiled: Compiled) -> Report:
    return report(compiled, *baselines(shader.shader, device, known))


def page(costs: Report, compiled: Compiled, shader: Direct3DShader, name: str) -> list[Block]:
    """The report as a page."""
    strategies = list(costs.slots)
    rows = [
        (
            _source(shader, line.number),
            str(line.slots),
            str(line.cycles),
            str(line.live),
            *(str(line.others[strategy]) for strategy in strategies[1:]),
        )
        for line in costs.lines
    ]
    return cost_page(
        costs,
        compiled,
        name,
        ("instruction", "slots", "cycles", "live", *(f"{strategy}: slots" for strategy in strategies[1:])),
        rows,
    )


def cost_page(
    costs: Report, compiled: Compiled | VectorCompiled, name: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]
) -> list[Block]:
    """A page of rows, with the totals of each strategy."""
    totals = [
        (
            strategy,
            (
                f"{costs.slots[strategy]} slots, {costs.cycles[strategy]} cycles a wave, {costs.registers[strategy]} "
                "components of registers"
            ),
        )
        for strategy in costs.slots
    ]
    totals += [(strategy, f"does not fit: {reason}") for strategy, reason in costs.refused.items()]
    return [
        Heading(2, f"{name} on {compiled.device.describe()}"),
        Table(head, tuple(rows)),
        Items(tuple(totals)),
        Paragraph(
            "Cycles are those until the next instruction issues. The scheduler moves instructions, so those of a line may be "
            "apart."
        ),
    ]


def as_words(compiled: Compiled | VectorCompiled) -> list[str]:
    return [f"0x{word:016X}" for word in compiled.program.words]


def accuracy_page(accuracy: Sequence[Accuracy], compiled: Compiled) -> list[Block]:
    """The accuracy as a page; empty if it was not measured."""
    if not accuracy:
        return []
    rows = tuple(
        (row.name, str(row.compared), str(row.disagree), f"2^{math.log2(row.error):.1f}" if row.error else "0")
        for row in accuracy
    )
    return [
        Heading(2, f"{compiled.device.name} against IEEE 754"),
        Table(("inputs", "compared", "disagree", "error of the rest"), rows),
        Paragraph(
            "A quarter of the components is of the class, the rest are ordinary numbers from -2 to 2. Values disagree when "
            "only one of them is finite, or when they are more than 2^-12 apart; errors are relative, and absolute for "
            "values below 1."
        ),
    ]


def _source(shader: Direct3DShader, number: int) -> str:
    if number < 0:
        return "(outputs, end)"
    return instruction_text(shader.flow.insts[number], Names(shader.shader.version)) or shader.flow.insts[number].op.name


def as_json(
    compiled: Compiled,
    costs: Report | None,
    shader: Direct3DShader,
    findings: Sequence[Diagnostic],
    accuracy: Sequence[Accuracy] = (),
) -> dict[str, object]:
    """The interface, the words, the report if there is one, and the findings."""
    premises = premises_json(of_shadercore(compiled, shader.flow))
    found: dict[str, object] = interface(compiled, shader.constants) | {"words": as_words(compiled), "premises": premises}
    if costs is not None:
        found["report"] = {
            "slots": dict(costs.slots),
            "cycles": dict(costs.cycles),
            "registers": dict(costs.registers),
            "refused": dict(costs.refused),
            "lines": [
                {"instruction": _source(shader, line.number), "slots": line.slots, "cycles": line.cycles, "alive": line.live}
                | {f"{strategy}_slots": count for strategy, count in line.others.items()}
                for line in costs.lines
            ],
        }
    if accuracy:
        found["accuracy"] = [row._asdict() for row in accuracy]
    return found | {"diagnostics": [to_json(finding) for finding in findings]}
