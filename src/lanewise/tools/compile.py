"""`lanewise compile`: compile a Direct3D 9 shader for ShaderCore.

Writes the program and its interface; reports the cost of each instruction."""

from __future__ import annotations

import json
import math
import os
import re
import sys

from lanewise.compile.shadercore.accuracy import Accuracy, measure
from lanewise.compile.shadercore.backend import Finished
from lanewise.compile.shadercore.direct3d9 import OPTIMISED, STRATEGIES, Options, compile_shader, named_arrays
from lanewise.compile.shadercore.interface import ELEMENTS
from lanewise.compile.shadercore.pairs import sources, targets
from lanewise.compile.shadercore.report import Report, baselines, interface, report
from lanewise.compile.shadercore.tracer import Array, Bound
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, to_json
from lanewise.core.document import Heading, Items, Paragraph, Table, as_text
from lanewise.core.members import split
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FORCE, TEXT, TEXTS, Option, Request, SourceFile, stem_of
from lanewise.core.source import Span
from lanewise.direct3d9.api.services.effect import LoadedEffect, file_name
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.isa.constants import FLOAT_SET
from lanewise.direct3d9.isa.table import CONSTBOOL, CONSTINT, INPUT
from lanewise.direct3d9.package import DIRECT3D9
from lanewise.direct3d9.text.preprocess import setting_of
from lanewise.direct3d9.text.printer import Names, instruction_text
from lanewise.packages import recognise
from lanewise.shadercore.api.interface import holds_something_else
from lanewise.shadercore.api.services.files import constants_file, converted
from lanewise.shadercore.api.services.manuals import DEVICE
from lanewise.shadercore.container.c_header import Places, c_header
from lanewise.shadercore.container.header import TARGETS, write_binary
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.options import BESIDE
from lanewise.shadercore.text.printer import line_of, print_program
from lanewise.tools.command import FORMAT, add_rows, sources_of
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    InputFailure,
    UsageError,
    make_parser,
    print_findings,
    print_json,
    print_page,
    print_text,
    read_included,
    refuse_overwriting,
    use_colour,
    write_files,
)
from lanewise.tools.devices import device_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lanewise.compile.shadercore.direct3d9 import Compiled
    from lanewise.compile.shadercore.tracer import Three
    from lanewise.core.document import Block
    from lanewise.shadercore.isa.devices import Device

SUFFIX, INTERFACE_SUFFIX = ".scb", ".json"
STAGES = ("trace", "code", "schedule", "program")

_EPILOG = """facts that the shader does not contain:
  --int i0=4,0,1      the value of an integer constant that no defi gives: count, start of aL, step
  --bound i0=8        an upper bound of its count; the program reads the actual count from a constant
  --bound i0=8,0,1    the same with start and step of aL, which a shader that reads aL needs
  --bool b0=1         a boolean constant; without it both branches are computed and the program reads it from a constant
  --array c10=24      c10 to c33 are an array for relative addresses; reads outside of it give 0
  --array c10=24/3    the same with elements of three registers, such as matrices of three rows
  --decl v0=float3,v1=d3dcolor   the vertex elements; missing components are (0, 0, 0, 1)

The compiler also writes a JSON file next to the program, with its constants, inputs and outputs; `lanewise run` reads it.
The device has no flow control: loops are unrolled, calls inlined, and branches become selections.

examples:
  lanewise compile light.vsa -o light.scb
  lanewise compile light.vso --device document --report
  lanewise compile skin.vsa --array c10=12/3 --decl v0=float3,v1=float2 -o skin.scb
  lanewise compile light.vso --accuracy --check
  lanewise compile light.vsa --stage program
  lanewise compile water.fxb:Water/P0/vertex         a shader of an effect

Exit codes: 0 fine, 1 the shader has errors or cannot be compiled, 2 wrong usage."""


def rows() -> tuple[Option, ...]:
    return (
        Option(("-o", "--output"), TEXT, "the file to write (default: the name of the shader with .scb); - is standard output", "FILE"),
        Option(("--target",), TEXT, "the instruction set to compile for", "", tuple(targets())),
        *DEVICE,
        Option(("--to",), TEXT, "write machine words without a header, in this form", "", TARGETS),
        BESIDE[0],
        BESIDE[1]._replace(names=("--header",)),
        *[
            option._replace(help=text, metavar=metavar)
            for name, text, metavar in (
                ("int", "the value of an integer constant; may be repeated", "iN=COUNT,START,STEP"),
                ("bool", "the value of a boolean constant; may be repeated", "bN=0|1"),
            )
            for option in DIRECT3D9.manual("run").options
            if option.key == name
        ],
        *[option for option in DIRECT3D9.manual("run").options if option.key in ("define", "include", "direct3d8")],
        Option(("--bound",), TEXTS, "the largest iteration count; may be repeated", "iN=COUNT,START,STEP"),
        Option(("--array",), TEXTS, "the size of an array of constants; may be repeated", "cN=COUNT[/STRIDE]"),
        Option(("--decl",), TEXT, "the types of the inputs: float1 to float4, d3dcolor", "vN=TYPE,..."),
        Option(
            ("--strategy", "--manner"), TEXT,
            "optimised (default), or a baseline: table (the sequences of the specification) or public", "", STRATEGIES,
        ),
        Option(("--report",), FLAG, "show slots and cycles of each instruction and of both baselines"),
        Option(("--accuracy",), FLAG, "run the program on random vertices and compare with the shader under IEEE 754"),
        Option(("--stage",), TEXT, "print the output of a compiler stage instead of writing a program", "", STAGES),
        Option(("--check",), FLAG, "report errors and warnings, write nothing"),
        FORMAT,
        FORCE,
    )  # fmt: skip


def parser() -> argparse.ArgumentParser:
    parser = make_parser("lanewise compile", "Compile a Direct3D 9 shader for ShaderCore.", _EPILOG)
    parser.add_argument("file", metavar="FILE", help="a Direct3D 9 shader, binary or source; - is standard input")
    add_rows(parser, rows())
    parser.set_defaults(target=targets()[0], device=RTL.name, strategy=OPTIMISED, format="text")
    return parser


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    device = device_of(options)
    known = given_options(options)
    source = sources_of((options.file,))[0]
    _refuse_others(source.path, source.data, options.target)
    name = f"{source.name}:{source.member}" if source.member else source.name
    writes = not options.check and not options.stage
    output = _output(options) if writes else ""
    beside = "" if not writes or output == STDIO else _beside(output)
    if beside and beside == output:
        raise UsageError(f"-o {output} is the name of the interface file: give the program another suffix, such as {SUFFIX}")
    if options.format == "json" and output == STDIO:
        raise UsageError("--format json and the program both want standard output: name a file with -o")
    written = [path for path in (output, beside, options.constants, options.header) if path]
    refuse_overwriting([source.path], written)
    if beside and holds_something_else(beside):
        raise UsageError(f"{beside} is not an interface file and would be overwritten: use another name with -o")
    try:
        shader = _shader(source, options)
        shader = shader.as_direct3d8() if options.direct3d8 else shader
        known = known._replace(arrays=named_arrays(shader.constants, known.arrays))
        illegal = [finding for finding in shader.check() if finding.is_error]
        if illegal:
            return _refused(illegal, options)
        findings = [*shader.diagnostics, *_for_nothing(shader, known, name)]
        result = compile_shader(shader.shader, device, known, name=name, strategy=options.strategy)
    except InputError as failure:
        return _refused(failure.diagnostics, options)
    findings += result.diagnostics
    compiled = result.compiled
    if compiled is None or any(finding.is_error for finding in findings):
        return _refused(findings, options)
    if options.stage:
        print_text(stage(compiled, options.stage))
        return OK
    refuse_overwriting([], written)  # included files are known now
    costs = _costs(shader, device, known, compiled) if options.report else None
    accuracy = measure(compiled, shader.flow) if options.accuracy else []
    if options.format == "json":
        print_json("compile", as_json(compiled, costs, shader, findings, accuracy), options.target)
    else:
        print_findings(findings)
        blocks = [*(page(costs, compiled, shader, name) if costs is not None else []), *accuracy_page(accuracy, compiled)]
        if blocks:
            if output == STDIO:
                print(as_text(blocks, colour=use_colour(sys.stderr)), end="", file=sys.stderr)
            else:
                print_page(blocks)
    if writes:
        program = (
            converted(compiled.program, options.to, stem_of(options.file)) if options.to else write_binary(compiled.program)
        )
        description = (
            [(beside, (json.dumps(interface(compiled, shader.constants), indent=2) + "\n").encode())] if beside else []
        )
        write_files([(output, program), *description, *_for_drivers(options, compiled, shader)], force=options.force)
    return OK


def _shader(source: SourceFile, options: argparse.Namespace) -> Direct3DShader:
    """The shader of a file, or the one of an effect that is named. Raises InputError, UsageError."""
    match = recognise(source.path, source.data)
    if match is None or match.container is None or match.container.members is None:
        if source.member:
            raise UsageError(f"{source.name} holds one program: leave out ':{source.member}'")
        macros = dict(setting_of(options.define, ()).defines)
        return Direct3DShader.from_bytes(source.data, source.name, read=read_included, defines=macros, include=options.include)
    loaded = match.read(Request("compile", (source,), {}, read_included=read_included))
    if isinstance(loaded, LoadedEffect):
        return loaded.only.program
    program = loaded.program
    assert isinstance(program, Direct3DShader)
    return program


def _refused(findings: Sequence[Diagnostic], options: argparse.Namespace) -> int:
    if options.format == "json":
        print_json("compile", {}, options.target, findings)
    else:
        print_findings(findings)
    return INPUT_HAS_ERRORS


def _refuse_others(path: str, data: bytes, target: str) -> None:
    """Raises UsageError for a file that is recognised as one of another instruction set, InputFailure for another known kind of file."""
    match = recognise(path, data)
    if match is None:
        from lanewise.core.foreign import foreign_kind

        kind = foreign_kind(path, data)
        if kind is not None:
            raise InputFailure(f"{path} is {kind.title}, not a Direct3D 9 shader; {kind.fix}")
    if match is not None and match.package.name not in sources(target):
        already = " already" if match.package.name == target else ""
        raise UsageError(
            f"{path} is for {match.package.title}{already}: give a Direct3D 9 shader, which begins with a version such as vs_2_0"
        )


def _for_drivers(options: argparse.Namespace, compiled: Compiled, shader: Direct3DShader) -> list[tuple[str, bytes]]:
    """The files of `--constants` and `--header`. Raises UsageError."""
    name, found = stem_of(options.file), list[tuple[str, bytes]]()
    if options.constants:
        found.append((options.constants, constants_file(compiled.program, options.constants, options.to or "", name)))
    if options.header:
        named = {row.name: (row.register, row.registers) for row in shader.constants if row.set == FLOAT_SET}
        named |= {f"c{array.first}": (array.first, array.size) for array in compiled.options.arrays
                  if all(array.first != first for first, _ in named.values())}  # fmt: skip
        inputs, outputs = ({place.meaning: place.register for place in rows} for rows in (compiled.inputs, compiled.outputs))
        places = Places(inputs, outputs, named, compiled.counts)
        found.append((options.header, c_header(compiled.program, name, places).encode()))
    return found


def _output(options: argparse.Namespace) -> str:
    if options.output:
        return options.output
    if options.file == STDIO:
        return STDIO
    path, member = split(options.file, os.path.exists)
    stem, dot, _ = path.rpartition(".")
    named = f"_{file_name(member)}" if member else ""
    return (
        (stem if dot and stem and "/" not in path[len(stem) :] else path)
        + named
        + (SUFFIX if not options.to else f".{options.to}")
    )


def _beside(output: str) -> str:
    """The file of the interface of a program."""
    stem, dot, _ = output.rpartition(".")
    return (stem if dot and stem and "/" not in output[len(stem) :] else output) + INTERFACE_SUFFIX


# What the command line says of the shader


def given_options(options: argparse.Namespace) -> Options:
    """Raises UsageError."""
    integers = _numbered(options.int, "i", "--int")
    bounds = {n: Bound(*v) for n, v in _numbered(options.bound, "i", "--bound").items()}
    for n, values in {**{n: (b.most, b.start, b.step) for n, b in bounds.items()}, **integers}.items():
        if not 0 <= values[0] <= 255:
            raise UsageError(f"i{n}: the count is {values[0]}, expected 0 to 255")
    booleans: dict[int, bool] = {}
    for text in options.bool:
        found = re.fullmatch(r"b(\d{1,4})=(0|1|true|false)", text.strip(), re.IGNORECASE)
        if not found:
            raise UsageError(f"--bool {text}: write bN=0 or bN=1")
        booleans[int(found[1])] = found[2].lower() in ("1", "true")
    arrays: list[Array] = []
    for text in options.array:
        found = re.fullmatch(r"c(\d{1,3})=(\d{1,3})(?:/(\d{1,3}))?", text.strip(), re.IGNORECASE)
        if not found or not int(found[2]) or found[3] == "0" or int(found[1]) + int(found[2]) > 256:
            raise UsageError(f"--array {text}: write cN=COUNT or cN=COUNT/STRIDE, within c0 to c255")
        arrays.append(Array(int(found[1]), int(found[2]), int(found[3] or 1)))
    return Options(integers, bounds, booleans, tuple(arrays), _elements(options.decl))


def _numbered(texts: Sequence[str], file: str, option: str) -> dict[int, Three]:
    """Count, start and step by the number of an i#; None where they are not given. Raises UsageError."""
    found: dict[int, Three] = {}
    for text in texts:
        match = re.fullmatch(
            rf"{file}(\d{{1,4}})=(-?\d{{1,4}})(?:,(-?\d{{1,4}}))?(?:,(-?\d{{1,4}}))?", text.strip(), re.IGNORECASE
        )
        if not match:
            raise UsageError(f"{option} {text}: write {file}N=COUNT, or {file}N=COUNT,START,STEP")
        if int(match[1]) in found:
            raise UsageError(f"{option} {text}: {file}{match[1]} is given twice")
        found[int(match[1])] = int(match[2]), int(match[3]) if match[3] else None, int(match[4]) if match[4] else None
    return found


def _elements(text: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for part in filter(None, text.split(",")):
        match = re.fullmatch(r"v(\d{1,2})=(\w+)", part.strip(), re.IGNORECASE)
        if not match or match[2].lower() not in ELEMENTS:
            raise UsageError(f"--decl {part}: write vN=TYPE, of {', '.join(ELEMENTS)}")
        if int(match[1]) in found:
            raise UsageError(f"--decl {part}: v{match[1]} is given twice")
        found[int(match[1])] = match[2].lower()
    return found


def _for_nothing(shader: Direct3DShader, known: Options, name: str) -> list[Diagnostic]:
    """L010: options that change nothing."""
    flow = shader.flow
    used = {(source.file, source.number) for inst in flow.insts for source in inst.sources}
    wrong = [f"i{n}" for n in {**known.integers, **known.bounds} if n in flow.integers or (CONSTINT, n) not in used]
    wrong += [f"b{n}" for n in known.booleans if n in flow.booleans or (CONSTBOOL, n) not in used]
    wrong += [f"v{n}" for n in known.elements if (INPUT, n) not in used]
    return [
        Diagnostic("L010", ERROR, f"an option names {text}, which the shader does not read, or defines itself", Span(name),
                   fix="leave it out, or name the register that is meant")
        for text in wrong
    ]  # fmt: skip


# What is shown


def stage(compiled: Compiled, which: str) -> str:
    """A stage of the compilation as text."""
    finished: Finished = compiled.finished
    if which == "trace":
        return f"{compiled.traced}\n"
    if which == "code":
        return f"{finished.code}\n"
    if which == "schedule":
        cycles = [issue.cycle for issue in time_program(compiled.program.insts, compiled.device).issues]
        lines = [f"{cycle:6}  {line_of(word)}" for cycle, word in zip(cycles, compiled.program.words, strict=False)]
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
    totals = [
        (
            strategy,
            f"{costs.slots[strategy]} slots, {costs.cycles[strategy]} cycles a wave, {costs.registers[strategy]} components of registers",
        )
        for strategy in strategies
    ]
    totals += [(strategy, f"does not fit: {reason}") for strategy, reason in costs.refused.items()]
    return [
        Heading(2, f"{name} on {compiled.device.describe()}"),
        Table(("instruction", "slots", "cycles", "live", *(f"{strategy}: slots" for strategy in strategies[1:])), tuple(rows)),
        Items(tuple(totals)),
        Paragraph(
            "Cycles are those until the next instruction issues. The scheduler moves instructions, so those of a line may be apart."
        ),
    ]


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
        Paragraph("A quarter of the components is of the class, the rest are ordinary numbers from -2 to 2. Values disagree when only one of them is finite, or when they are more "
                  "than 2^-12 apart; errors are relative, and absolute for values below 1."),
    ]  # fmt: skip


def _source(shader: Direct3DShader, number: int) -> str:
    if number < 0:
        return "(outputs, end)"
    return instruction_text(shader.flow.insts[number], Names(shader.shader.version)) or shader.flow.insts[number].op.name


def as_json(
    compiled: Compiled, costs: Report | None, shader: Direct3DShader, findings: Sequence[Diagnostic],
    accuracy: Sequence[Accuracy] = (),
) -> dict[str, object]:  # fmt: skip
    """The interface, the words, the report if there is one, and the findings."""
    found: dict[str, object] = interface(compiled, shader.constants) | {
        "words": [f"0x{word:016X}" for word in compiled.program.words]
    }
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
