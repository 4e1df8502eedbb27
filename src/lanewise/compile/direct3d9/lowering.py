"""Direct3D 9 vertex shaders as vector programs for the PICA200.

The semantics of `direct3d9.sem` run on a machine that records; so the program computes what they say, in the numbers of its target. Open questions
of Direct3D 9 have the answers of `CHOICES`: where the hardware has an operation, its result is the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.direct3d9.options import Lowered, Options, Refused
from lanewise.compile.direct3d9.outputs import Wiring
from lanewise.compile.direct3d9.recorder import Recorder
from lanewise.compile.direct3d9.walker import Structured
from lanewise.compile.vector.code import Program
from lanewise.core.diagnostics import ERROR, NOTE, Diagnostic
from lanewise.core.source import Span
from lanewise.direct3d9.container.tables import constants_of
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.choices import choices_of
from lanewise.direct3d9.sem.tree import resolve

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.program import Shader

RULE = "pica200"
# Of two whole numbers that are equally near an address is the greater one: a sum and a floor.
CHOICES = choices_of(RULE).replace({"mova_tie": "up"})


def lower(shader: Shader, options: Options | None = None, *, name: str = "shader") -> Lowered:
    """The vector program of a vertex shader. `name` is for messages and the program."""
    flow, found = resolve(shader, name)
    if flow is None:
        return Lowered(None, tuple(found))

    def span(line: int) -> Span:
        return (flow.insts[line].place if 0 <= line < len(flow.insts) else None) or Span(name)

    if shader.version.kind != isa.VERTEX:
        message = f"{shader.version.name} is a pixel shader: the PICA200 has no programs for pixels"
        return Lowered(None, (Diagnostic("L101", ERROR, message, span(-1), fix="use the texture combiners of the GPU"),))
    try:
        table = constants_of(shader).table
        recorder = Recorder(shader, flow, table.constants if table is not None else (), options or Options())
        walker = Structured(recorder, CHOICES)
        walker.walk()
        recorder.constants.check()
        wiring = Wiring(shader, recorder, recorder.options.outputs, name)
        outputs = wiring.outputs()
    except Refused as reason:
        return Lowered(None, (Diagnostic(reason.code, ERROR, reason.message, span(reason.line), fix=reason.fix),))
    notes = [
        Diagnostic("L105", NOTE, f"relative addresses from c{first} are taken to reach c{first + size - 1}", span(line),
                   fix=f"give the number of registers: --array c{first}=COUNT")
        for first, size, line in recorder.constants.guessed
    ]  # fmt: skip
    body = (*recorder.initial(), *recorder.first, *recorder.block)
    program = Program(name, recorder.named_inputs(), outputs, tuple(recorder.constants.uniforms), tuple(recorder.flags), tuple(walker.counts),
                      tuple(recorder.variables), body, tuple(recorder.lines))  # fmt: skip
    return Lowered(program, (*notes, *wiring.findings))
