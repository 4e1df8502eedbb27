"""Direct3D 9 vertex shaders as vector programs for the PICA200.

The semantics of `direct3d9.sem` run on a machine that records; so the program computes what they say, in the numbers of its
target. Open questions of Direct3D 9 have the answers of `CHOICES`: where the hardware has an operation, its result is the
answer. `mad` is a product and a sum, as its two roundings are; the back end makes one instruction of them where it can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.direct3d9.live import without_dead
from lanewise.compile.direct3d9.options import Lowered, Options, Refused, Sources
from lanewise.compile.direct3d9.outputs import Wiring
from lanewise.compile.direct3d9.recorder import Recorder
from lanewise.compile.direct3d9.walker import Structured
from lanewise.compile.vector.code import Program
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.source import Span
from lanewise.direct3d9.container.tables import constants_of
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.choices import choices_of
from lanewise.direct3d9.sem.tree import resolve

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.sem.tree import Flow

RULE = "pica200"
# Of two whole numbers that are equally near an address is the greater one: a sum and a floor.
CHOICES = choices_of(RULE).replace({"mova_tie": "up"})


def lower(shader: Shader, options: Options | None = None, *, name: str = "shader") -> Lowered:
    """The vector program of a vertex shader. `name` is for messages and the program."""
    flow, found = resolve(shader, name)
    if flow is None:
        return Lowered(None, tuple(found))

    def span(line: int) -> Span:
        return (flow.insts[line].place if 0 <= line < len(flow.insts) else None) or Span(file=name)

    if shader.version.kind != isa.VERTEX:
        message = f"{shader.version.name} is a pixel shader: the PICA200 has no programs for pixels"
        return Lowered(
            None,
            (
                Diagnostic(
                    code="L301", severity=ERROR, message=message, span=span(-1), fix="use the texture combiners of the GPU"
                ),
            ),
        )
    options = options or Options()
    unused = _unused(flow, options)
    if unused:
        return Lowered(
            None,
            tuple(
                [
                    Diagnostic(
                        code="L310",
                        severity=ERROR,
                        message=f"an option names {register}, which the shader does not read, or defines itself",
                        span=span(-1),
                        fix="leave it out, or name the register that is meant",
                    )
                    for register in unused
                ]
            ),
        )
    try:
        table = constants_of(shader).table
        recorder = Recorder(shader, flow, table.constants if table is not None else (), options)
        walker = Structured(recorder, CHOICES)
        walker.walk()
        wiring = Wiring(shader, recorder, recorder.options.outputs, name)
        outputs = wiring.outputs()
        body = (*recorder.initial(), *recorder.first, *recorder.block)
        program = Program(
            name=name,
            inputs=recorder.named_inputs(),
            outputs=outputs,
            uniforms=tuple(recorder.constants.uniforms),
            flags=tuple(recorder.flags),
            counts=tuple(walker.counts),
            variables=tuple(recorder.variables),
            body=body,
            lines=tuple(recorder.lines),
        )
        sources = Sources(
            uniforms=recorder.constants.first,
            flags=tuple(recorder.booleans),
            counts=tuple(walker.count_of),
            outputs=tuple(wiring.sources),
            reach=recorder.constants.reach,
        )
        program, sources = without_dead(program, sources)
        program = program._replace(uniforms=recorder.constants.placed(program.uniforms, sources.uniforms))
    except Refused as reason:
        return Lowered(
            None,
            (Diagnostic(code=reason.code, severity=ERROR, message=reason.message, span=span(reason.line), fix=reason.fix),),
        )
    return Lowered(program, tuple(wiring.findings), sources)


def _unused(flow: Flow, options: Options) -> list[str]:
    """The registers of options that change nothing."""
    used = {(source.file, source.number) for inst in flow.insts for source in inst.sources}
    integers = [n for n in {**options.integers, **options.bounds} if n in flow.integers or (isa.CONSTINT, n) not in used]
    booleans = [n for n in options.booleans if n in flow.booleans or (isa.CONSTBOOL, n) not in used]
    return [*[f"i{n}" for n in integers], *[f"b{n}" for n in booleans]]
