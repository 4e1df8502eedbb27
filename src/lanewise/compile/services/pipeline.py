"""A source of a front end, stage by stage: SPIR-V, the vector program, the program of the PICA200 and its file."""

from __future__ import annotations

from lanewise.compile.outside.fixed_function import shown
from lanewise.compile.outside.module import Spirv
from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.services.preamble import EXACT, FLOAT32, asked, placed, prepared
from lanewise.compile.services.premises import ORDER, Premise, listed, of_values, of_vector
from lanewise.compile.services.specializing import values_of
from lanewise.compile.spirv.lower import Options, lower
from lanewise.compile.spirv.module import read_module
from lanewise.compile.spirv.outputs import NOWHERE, unknown_name
from lanewise.compile.spirv.semantics import LOCATIONS
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, has_errors, visible
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import UsageError
from lanewise.core.source import Span, decode_text
from lanewise.pica200.api.file import ShaderFile
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.isa.program import Constant
from lanewise.pica200.isa.table import INTEGER
from lanewise.pica200.text.dialects import dialects

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.compile.pica200.backend import Counted, Result
    from lanewise.compile.spirv.lower import Lowered as LoweredModule
    from lanewise.compile.vector.code import Program as Vector
    from lanewise.core.package import Loaded
    from lanewise.core.service import Request, SourceFile
    from lanewise.pica200.isa.program import Program

SPIRV, SSA, HLSL = "spirv", "ssa", "hlsl"
SETTING = "compile."  # in front of the key of a value that a configuration gives
_WRAPPED = ".data"
_APART, _JOINED = "(A * B) * v is A * (B * v)", "A * (B * v) is (A * B) * v"  # the order of products of matrices


class Lowered(Record):
    """The vector program of a source, with the module that it was read from, if any, and the findings."""

    vector: Vector
    "The program that is compiled."
    spirv: Spirv
    "The module that it was read from; without data where there is none."
    diagnostics: tuple[Diagnostic, ...]
    "What there was to say."
    premises: tuple[Premise, ...] = ()
    "What it is compiled for."
    joined: Joined | None = None
    "The same for a preamble, which computes products of matrices first, where that is another program."
    alike: tuple[Span, ...] = ()
    "Where the source has products of matrices that are the same for all vertices, and the program does not."


class Joined(Record):
    """A vector program that computes products of matrices of uniforms first."""

    vector: Vector
    "The program."
    premises: tuple[Premise, ...]
    "What it is compiled for."


class Compiled(Record):
    """The file of a program, with the stages before it and the findings of all."""

    lowered: Lowered
    "The vector program."
    result: Result
    "The program of the back end."
    file: ShaderFile
    "The file."
    diagnostics: tuple[Diagnostic, ...]
    "What there was to say in all stages."
    preamble: Vector | None = None
    "What computes registers before a draw; None: nothing does."


def spirv_of(request: Request, language: str, *, plain: bool = False) -> Spirv:
    """The module of the source of a request: itself, or what a compiler makes of it, `plain` for a debugger. Raises
    InputError."""
    source = request.sources[0]
    if language == SPIRV:
        return Spirv(data=source.data)
    if language == SSA:
        raise UsageError(f"{source.name} is a function in SSA form, which does not become SPIR-V")
    from lanewise.compile.outside.modules import to_spirv  # what runs compilers takes a fifth of the time of a module

    return to_spirv(
        source,
        language,
        compiler=_text(request, "glsl-compiler"),
        defines=_macros(request),
        folders=_texts(request, "include"),
        entry=_entry(request),
        optimised=request.flag("O") or request.flag(f"{SETTING}O"),
        plain=plain,
        read=request.read_included,
    )


def _text(request: Request, key: str) -> str:
    """The value of an option; that of the configuration where the command line does not have it."""
    return request.text(key) or request.text(f"{SETTING}{key}")


def _texts(request: Request, key: str) -> Sequence[str]:
    """The values of an option, those of the configuration first."""
    return (*request.texts(f"{SETTING}{key}"), *request.texts(key))


def _macros(request: Request) -> Sequence[str]:
    """The macros that are defined. Raises UsageError for a text that begins with something else than a name."""
    found = _texts(request, "define")
    for text in found:
        name, equals, value = text.strip().partition("=")
        if not name.partition("(")[0].isidentifier():
            own = name.lstrip("-").removeprefix("D").removeprefix("define").strip()
            own, _, after = own.partition(" ")  # of a line of C
            meant = f": write {own}{'=' if after else equals}{after or value}" if own.isidentifier() else ""
            raise UsageError(f"define {text!r}: expected NAME or NAME=VALUE{meant}")
    return found


def _entry(request: Request) -> str:
    """The name of the vertex shader; other commands than `compile` have another `--entry`."""
    return (request.text("entry") if request.command == "compile" else "") or _text(request, "entry-point")


def lowered(request: Request, language: str, target: Options | None = None, *, variables: bool = False) -> Lowered:
    """The vector program of a source; with its `variables` for a debugger. `target`: what the target has of outputs (default:
    the PICA200). Raises InputError, UsageError."""
    target = target or Options()
    source = request.sources[0]
    if language == SSA:
        from lanewise.compile.services.ssa import of_function

        function = of_function(source, target, semantics(request))
        return Lowered(vector=function, spirv=Spirv(data=b""), diagnostics=(), premises=tuple(of_vector(function)))
    if variables and language == HLSL:
        try:
            return _of_module(request, language, target, spirv_of(request, language, plain=True), variables=True)
        except InputError:  # what the optimiser removes may not be supported
            pass
    return _of_module(request, language, target, spirv_of(request, language), variables=variables)


def with_variables(request: Request, language: str, program: Lowered) -> Lowered:
    """The same vector program with what a debugger sees of the source. Raises InputError, UsageError."""
    return _of_module(request, language, Options(), program.spirv, variables=True) if program.spirv.data else program


def _of_module(request: Request, language: str, target: Options, spirv: Spirv, *, variables: bool) -> Lowered:
    """The vector program of a module. Raises InputError, UsageError."""
    source = request.sources[0]
    module = read_module(spirv.data, spirv.written[0] if spirv.written else source.name)
    places = _Places(source, spirv)
    if isinstance(module, list):
        raise InputError(places.findings([*spirv.diagnostics, *module]))
    if language == "glsl":
        module.is_glsl = True
    module.names = {number: shown(name) for number, name in module.names.items()}
    own = semantics(request)
    usual = _usual_semantics(request)  # those of the PICA200, of which other targets have some
    usual = {name: each for name, each in usual.items() if not target.unnamed or each in (*target.semantics, NOWHERE)}
    by_location = request.flag("output-locations") or request.flag(f"{SETTING}output-locations")
    options = target._replace(
        entry=_entry(request) if language == SPIRV else "",
        outputs={**usual, **own},
        output_locations=target.output_locations or LOCATIONS if by_location else {},
        variables=variables,
        constants=values_of(module, request.texts("constant")),
        strict=request.flag("strict") or request.flag(f"{SETTING}strict"),
    )
    result = lower(module, options)
    missing = [unknown_name(name) for name in usual if name not in own]
    findings = [each for each in result.diagnostics if each.code != "S015" or each.message not in missing]
    given = places.findings([*spirv.diagnostics, *findings])
    if result.program is None or has_errors(given):
        raise InputError(given)

    def of_source(program: Vector) -> Vector:
        vector = program._replace(lines=tuple([places.span(span) for span in program.lines]))
        return without_wrappers(vector) if spirv.compiler.startswith("slang") else vector

    vector = of_source(result.program)

    def premises(found: LoweredModule, program: Vector, order: str = _APART) -> tuple[Premise, ...]:
        orders = _reassociated([places.span(span) for span in found.reassociated], order)
        orders += _rewritten([(name, places.span(span)) for name, span in found.rewritten])
        return (*orders, *of_vector(program))

    joined = None
    if asked(request) == FLOAT32 and not options.strict:  # `exact` has the bits of the program without a preamble
        other = lower(module, options._replace(joined=True))
        if other.program is not None and other.program != result.program:
            program = of_source(other.program)
            joined = Joined(vector=program, premises=premises(other, program, _JOINED))
    return Lowered(
        vector=vector,
        spirv=spirv,
        diagnostics=tuple(given),
        premises=premises(result, vector),
        joined=joined,
        alike=tuple([places.span(span) for span in result.alike]),
    )


def _reassociated(places: Sequence[Span], order: str) -> list[Premise]:
    """The premise that products of matrices are not in the order of the source."""
    if not places:
        return []
    text = f"reassociated: {order}, which rounds otherwise ({listed(places)}); --strict keeps the order"
    return [Premise(ORDER, "", text)]


def _rewritten(found: Sequence[tuple[str, Span]]) -> list[Premise]:
    """The premise that operations are done otherwise than in the source, by rules that GLSL and HLSL allow."""
    if not found:
        return []
    shown = ", ".join([f"{name} at {span.file}:{span.line}" if span.line else name for name, span in dict.fromkeys(found)])
    text = f"rewritten: {shown}, by rules that are not exact (lanewise isa --rewrites); --strict keeps the source's operations"
    return [Premise(ORDER, "", text)]


def without_wrappers(vector: Vector) -> Vector:
    """The program with arrays by their own names: Slang wraps them in structs with one member, `data`."""
    names = [row.name for row in vector.uniforms]
    wrapped = {name: name.removesuffix(_WRAPPED) for name in names if name.endswith(_WRAPPED)}
    alone = {
        name for name, plain in wrapped.items() if sum(other == plain or other.startswith(f"{plain}.") for other in names) == 1
    }
    return vector._replace(
        uniforms=tuple([row._replace(name=wrapped[row.name] if row.name in alone else row.name) for row in vector.uniforms])
    )


def of_direct3d9(loaded: Loaded, request: Request) -> Lowered:
    """The vector program of a Direct3D 9 shader. Raises InputError, UsageError."""
    from lanewise.compile.direct3d9 import Array, Bound, Options, lower
    from lanewise.compile.services.direct3d9 import facts_of, shader_of
    from lanewise.direct3d9.text.printer import instruction_text, plain_names

    shader = shader_of(loaded)
    facts = facts_of(request)
    if facts.elements:
        raise UsageError(
            "--decl is for ShaderCore: on the PICA200 the application gives the types of inputs to AttrInfo_AddLoader"
        )
    found = [finding for finding in shader.check() if finding.is_error]
    if found:
        raise InputError(found)
    options = Options(
        integers=facts.integers,
        bounds={number: Bound(*bound) for number, bound in facts.bounds.items()},
        booleans=facts.booleans,
        arrays=tuple([Array(*array) for array in facts.arrays]),
        outputs=semantics(request),
    )
    result = lower(shader.shader, options, name=request.name)
    found = [*shader.diagnostics, *result.diagnostics]
    if result.program is None or has_errors(found):
        raise InputError(found)
    names = plain_names(shader.shader.version)
    texts = {
        inst.place.offset: instruction_text(inst, names) or inst.op.name
        for inst in shader.shader.insts
        if inst.place is not None
    }
    # A binary has no lines: its instructions are shown as its disassembly has them.
    lines = [place._replace(text=texts.get(place.offset, "")) if place.offset >= 0 else place for place in result.program.lines]
    premises = (*of_vector(result.program), *of_values(options))
    program = result.program._replace(lines=tuple(lines))
    return Lowered(vector=program, spirv=Spirv(data=b""), diagnostics=tuple(found), premises=premises)


def semantics(request: Request) -> Mapping[str, str]:
    """The semantics of outputs and inputs by name, of `--semantic NAME=SEMANTIC`. Raises UsageError for a name that is given
    twice."""
    found: dict[str, str] = {}
    option = "--output" if request.command == "compile" else "--semantic"
    for text in request.texts("semantic"):
        name, equals, semantic = text.partition("=")
        if not equals or not name or not semantic:
            raise UsageError(f"{option} {text}: write OUTPUT=SEMANTIC, such as tint=color")
        if name in found:
            raise UsageError(f"{option} {text}: {name} is given twice")
        found[name] = semantic
    return found


def _usual_semantics(request: Request) -> Mapping[str, str]:
    """The semantics of outputs by name that a configuration gives for all sources: not each has all of them."""
    return {name: semantic for name, _, semantic in [text.partition("=") for text in request.texts(f"{SETTING}semantic")]}


def assembled(program: Lowered, source: SourceFile, request: Request) -> Compiled:
    """The file of a vector program. Raises InputError."""
    mode, preamble = asked(request), None
    if mode:
        programs = [program.vector, *([program.joined.vector] if program.joined is not None else [])]
        result, vector, preamble = prepared(programs, request, source.stem)
        if program.joined is not None and vector is program.joined.vector:
            program = program._replace(premises=program.joined.premises)
    else:
        result = compile_vector(
            program.vector, name=source.stem, avoid=frozenset(request.texts("avoid")), progress=request.progress
        )
    unplaced = Span(file=source.stem)  # what has no line in the source is about all of it
    own = [each._replace(span=Span(file=source.name)) if each.span == unplaced else each for each in result.diagnostics]
    found = (*program.diagnostics, *own)
    if result.program is None or has_errors(found):
        raise InputError(found)
    compiled = _of_source(result.program, result.counts, stripped=program.vector.stripped)
    compiled = placed(compiled, preamble, exact=mode == EXACT)
    data = write_shbin(build(compiled, *result.encoded))
    file = ShaderFile(source.name, data, compiled, *result.encoded, found, dialects()[0])
    return Compiled(lowered=program, result=result, file=file, diagnostics=found, preamble=preamble)


def _of_source(program: Program, counts: Sequence[Counted], *, stripped: bool) -> Program:
    """The program of a source: the file has the start and step of loops over counts, which the application keeps. `stripped`:
    the names are not those of a source."""
    (interface,) = program.interfaces
    constants = {constant.register: constant for constant in interface.constants}
    for count in counts:
        register = INTEGER + count.register
        constants[register] = Constant(register, (0, count.start & 0xFF, count.step & 0xFF, 0))
    changed = interface._replace(
        uniforms=tuple(sorted(interface.uniforms, key=lambda uniform: uniform.first)),
        constants=tuple([constants[register] for register in sorted(constants)]),
        declared=(),
        stripped=stripped,
    )
    return program._replace(interfaces=(changed,), compiled=True)


class _Places:
    """Places in a module as places in the source: the compiler had it under another name."""

    def __init__(self, source: SourceFile, spirv: Spirv) -> None:
        self.source, self.written = source, spirv.written
        self.included = {name: (copy.shown, copy.text.split("\n")) for name, copy in spirv.included.items()}
        self.lines = decode_text(source.data).split("\n") if spirv.written else []

    def span(self, span: Span) -> Span:
        if span.file in self.included:
            shown, lines = self.included[span.file]
            return _shown_as(span, visible(shown, ""), _line(lines, span.line))
        if span.file not in self.written:
            return _shown_as(span, visible(span.file, ""), visible(span.text, "\t"))
        return _shown_as(span, self.source.name, _line(self.lines, span.line))

    def findings(self, found: Iterable[Diagnostic]) -> Sequence[Diagnostic]:
        return [
            each._replace(
                span=self.span(each.span), related=tuple([row._replace(span=self.span(row.span)) for row in each.related])
            )
            for each in found
        ]


def _shown_as(span: Span, file: str, text: str) -> Span:
    """A place with the text that the user wrote: part of a line that the compiler had otherwise is the whole line."""
    begin, end = max(0, span.column - 1), max(0, span.column - 1) + span.length
    part = span.at(0, 1) if span.length > 1 and span.text[begin:end] != text[begin:end] else span
    return part._replace(file=file, text=text)


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


__all__ = ["ERROR", "Compiled", "Lowered", "assembled", "lowered", "semantics", "spirv_of", "with_variables"]
