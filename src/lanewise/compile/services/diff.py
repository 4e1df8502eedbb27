"""`lanewise diff` of a shader and a program for another instruction set: one of Direct3D 9, or for ShaderCore a source of
another front end.

For the PICA200 a shader is compared by its own meaning. Where that is no proof, it is compiled, its program compared with the
other one, and both are run besides: the shader by its semantics in float24, so that a mistake of the compiler is found and not
proved. ShaderCore is `diff_shadercore`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.direct3d9 import Array, Bound, Options, lower
from lanewise.compile.outside.module import Spirv
from lanewise.compile.proving.direct3d9 import compare, random_data
from lanewise.compile.proving.meaning import operations_of, unproved
from lanewise.compile.services.diff_shadercore import setting, source_with_shadercore, with_shadercore
from lanewise.compile.services.direct3d9 import facts_of, shader_of
from lanewise.compile.services.loaded import CompiledFile
from lanewise.compile.services.pipeline import Lowered, assembled
from lanewise.compile.services.premises import of_values, of_vector
from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison, Example, Setting
from lanewise.core.diagnostics import InputError
from lanewise.core.nearness import near
from lanewise.core.numbers.floats import float_from_float24
from lanewise.core.service import SourceFile, UsageError
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.table import NAME as DIRECT3D9
from lanewise.pica200.api.file import ShaderFile
from lanewise.pica200.api.proving import Question, compare_shaders, question_used
from lanewise.pica200.api.services.profiles import profile_of
from lanewise.pica200.proof.code import code_of_words
from lanewise.pica200.proof.structure import Assumptions

if TYPE_CHECKING:
    from lanewise.compile.direct3d9 import Lowered as Vector
    from lanewise.compile.proving.direct3d9 import Difference
    from lanewise.core.package import Loaded
    from lanewise.core.service import Request
    from lanewise.direct3d9.api.shader import Direct3DShader
    from lanewise.direct3d9.engine.data import Data
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.sem.profile import Profile

PICA200, SHADERCORE = "pica200", "shadercore"
_VERTICES, _SEEDS = 192, 4  # that both programs are run on, and how often with other uniforms


def difference(programs: tuple[Loaded, Loaded], requests: tuple[Request, Request]) -> Comparison | None:
    """Compare two programs for different instruction sets; None where neither is a shader that compiles to the other's. Raises
    UsageError, InputError."""
    by_isa = {program.isa: (program, request) for program, request in zip(programs, requests, strict=True)}
    compiled = by_isa.get(PICA200)
    if compiled is not None and isinstance(compiled[0], CompiledFile) and SHADERCORE in by_isa:
        found = source_with_shadercore(compiled[0], compiled[1], by_isa[SHADERCORE])
        return found if programs[0] is compiled[0] else _turned(found)
    source = by_isa.pop(DIRECT3D9, None)
    against = {PICA200: _with_pica200, SHADERCORE: with_shadercore}
    if source is None or len(by_isa) != 1 or not by_isa.keys() <= against.keys():
        return None
    ((target, other),) = by_isa.items()
    found = against[target](source, other)
    return found if programs[0].isa == DIRECT3D9 else _turned(found)


def _with_pica200(source: tuple[Loaded, Request], target: tuple[Loaded, Request]) -> Comparison:
    names = source[0].name, target[0].name
    shader = shader_of(source[0])
    options = _options(source[1])
    lowered = lower(shader.shader, options, name=shader.name)
    if lowered.program is None:
        raise InputError(lowered.diagnostics)
    premises = [premise.text for premise in (*of_vector(lowered.program), *of_values(options))]
    own = assembled(
        Lowered(vector=lowered.program, spirv=Spirv(data=b""), diagnostics=()), _source_of(source), source[1]
    ).file.programs[0]
    other = _shader(*target)
    request = target[1]
    asked = near(request)
    profiles = (profile_of(request),) if asked is not None or request.has("profile") or request.has("set") else None
    # numbers of the shader are constants of the file
    turned = request.texts("transposed")
    question = Question(
        profiles=profiles, assumptions=Assumptions(True, request.flag("nan-patterns")), near=asked, transposed=turned
    )
    code = code_of_words(other.words, other.descriptors, other.interface)
    meant = not request.flag("nan-patterns") and not turned
    if meant and not unproved(shader.shader, shader.flow, lowered, code, other.interface, profiles):
        used = [
            "the shader's own meaning, in numbers and operations of the PICA200",
            *operations_of(shader.flow),
            *premises,
            *question_used((code, code), question),
        ]
        return Comparison(EQUAL, names, used=used)
    try:
        proved = compare_shaders(own, other, names, question)
    except ValueError as error:
        raise UsageError(f"--transposed: {error}") from None
    program = f"the program that {names[0]} compiles to"
    if proved.unmatched or asked is not None or turned:
        return proved.with_premises([program, *premises]) if proved else proved
    profile, vertices = profile_of(request), 0
    for seed in range(_SEEDS):
        data = _drawn(shader, options, seed)
        found = compare(shader.shader, lowered, other.words, other.descriptors, other.interface, data, profile)
        vertices += found.vertices
        if found.differences:
            return Comparison(DIFFERS, names, example=_example(found.differences[0], lowered, data, profile))
    if proved.verdict == EQUAL:
        used = [
            f"{program}, and {vertices} vertices of both",
            *premises,
            *proved.used,
        ]
        return Comparison(EQUAL, names, used=used)
    if proved.example is None:
        return Comparison(UNKNOWN, names, reason=proved.reason)
    same = f"{vertices} vertices of the shader gave the same"
    return Comparison(UNKNOWN, names, reason=f"{program} gives {proved.example.output} otherwise, but {same}")


def _drawn(shader: Direct3DShader, options: Options, seed: int) -> Data:
    """Values for all inputs and constants; numbers that the shader was compiled for are those."""
    data = random_data(shader.shader, _VERTICES, seed)
    integers = {n: (row[0], row[1] or 0, row[2] or 0, 0) for n, row in options.integers.items()}
    for n, bound in options.bounds.items():
        count, start, step, last = data.integers[n]
        known = bound.start if bound.start is not None else start, bound.step if bound.step is not None else step
        integers[n] = (min(count, bound.most), *known, last)
    return data._replace(integers={**data.integers, **integers}, booleans={**data.booleans, **options.booleans})


def _source_of(source: tuple[Loaded, Request]) -> SourceFile:
    """The file of a program; one of that name for a program in Python."""
    loaded, request = source
    return request.sources[0] if request.sources else SourceFile(loaded.name, b"", loaded.name)


def _options(request: Request) -> Options:
    """Return the options of the command line for a shader. Raises UsageError."""
    facts = facts_of(request)
    outputs: dict[str, str] = {}
    for text in request.texts("output"):
        name, equals, semantic = text.partition("=")
        if not equals or name in outputs:
            raise UsageError(f"--output {text}: write NAME=SEMANTIC, each name once")
        outputs[name] = semantic
    bounds = {number: Bound(*bound) for number, bound in facts.bounds.items()}
    return Options(
        integers=facts.integers,
        bounds=bounds,
        booleans=facts.booleans,
        arrays=tuple([Array(*array) for array in facts.arrays]),
        outputs=outputs,
    )


def _shader(loaded: Loaded, request: Request) -> Shader:
    """The vertex shader of a file. Raises UsageError, InputError."""
    file = loaded.program
    if not isinstance(file, ShaderFile):
        raise TypeError(f"expected a PICA200 file, found a program of {loaded.isa}")
    named = request.text("program")
    return file.shader(named) if named else file.vertex


def _example(difference: Difference, lowered: Vector, data: Data, profile: Profile) -> Example:
    program, sources = lowered.program, lowered.sources
    assert program is not None
    assert sources is not None
    vertex = tuple(
        [
            setting(port.name, f"v{port.register}", data.inputs[isa.INPUT, port.register][difference.vertex].tolist())
            for port in program.inputs
        ]
    )
    uniforms = [
        setting(uniform.name if uniform.rows == 1 else f"{uniform.name}[{row}]", f"c{first + row}", data.constants[first + row])
        for first, uniform in zip(sources.uniforms, program.uniforms, strict=True)
        for row in range(uniform.rows)
    ]
    uniforms += [
        Setting(count.name, f"i{n}", tuple(map(str, data.integers[n])))
        for n, count in zip(sources.counts, program.counts, strict=True)
    ]
    uniforms += [
        Setting(flag.name, f"b{n}", (str(data.booleans[n]).lower(),))
        for n, flag in zip(sources.flags, program.flags, strict=True)
    ]
    output = f"{difference.semantic}.{'xyzw'[difference.component]}"
    first, second = (f"{float_from_float24(word)} (0x{word:06x})" for word in (difference.shader, difference.program))
    return Example(
        vertices=(vertex,), uniforms=tuple(uniforms), output=output, first=first, second=second, profile=profile.describe()
    )


def _turned(comparison: Comparison) -> Comparison:
    """The same with the other program first."""
    example = comparison.example
    return Comparison(
        comparison.verdict,
        (comparison.names[1], comparison.names[0]),
        used=comparison.used,
        unmatched=comparison.unmatched,
        reason=comparison.reason,
        example=None if example is None else example._replace(first=example.second, second=example.first),
    )
