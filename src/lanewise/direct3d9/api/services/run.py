"""`lanewise run` for Direct3D 9 shaders, under a number rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lanewise.arrays.lists import asarray
from lanewise.arrays.report import answered
from lanewise.arrays.words import Words
from lanewise.core.engines import LLVM
from lanewise.core.trace import shown
from lanewise.core.view import view_of
from lanewise.direct3d9.api.services.plan import plan_of
from lanewise.direct3d9.isa.constants import FLOAT_SET
from lanewise.direct3d9.isa.table import CONSTANT_FILES, CONSTBOOL, CONSTINT, SAMPLER, TEXTURING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.service import Answer, Request
    from lanewise.direct3d9.api.services.plan import Named
    from lanewise.direct3d9.api.shader import Direct3DShader


def run(shader: Direct3DShader, request: Request) -> Answer:
    """The outputs of a shader over lanes. Raises UsageError, InputFailure, InputError."""
    view, plan = view_of(request), plan_of(request)
    result = shader.run(**plan.arguments(), engine=plan.engine, progress=plan.progress)
    remarks: list[str] = []
    unused = [
        *_unused(shader, plan.named),
        *_unread_constants(shader, plan.named.uniforms),
        *_unread_samplers(shader, plan.named.samplers),
    ]
    if unused:
        remarks.append(f"no effect: {', '.join(unused)}; the shader does not read it or defines it")
    if plan.engine == LLVM and result.reason:
        remarks.append(f"run by the reference engine: {result.reason}")
    if request.has("device"):
        name = request.text("device")
        remarks.append(
            f"--device {name} is the number rule of its core: the shader itself is run, not a compiled program, whose bits "
            "--rule rtl-compiled has and whose cycles `lanewise time --target shadercore` counts"
        )
    return answered(view, result, shader.name, before=shader.diagnostics, remarks=remarks, origins=request.origins)


def trace(shader: Direct3DShader, request: Request) -> Answer:
    """Trace one lane, or explain where a component came from. Raises UsageError, InputFailure, InputError."""
    view, plan = view_of(request), plan_of(request)
    return shown(view, shader.diagnostics, shader.trace(**plan.arguments(), lane=view.lane or 0))


def _unused(shader: Direct3DShader, named: Named) -> list[str]:
    """The i# and b# of the command line that have no effect, such as those with a wrong number."""
    flow = shader.flow
    read = {(source.file, source.number) for inst in flow.insts for source in inst.sources}
    found: list[str] = []
    groups = (("i", named.integers, CONSTINT, flow.integers), ("b", named.booleans, CONSTBOOL, flow.booleans))
    for letter, names, file, own in groups:
        for name in (*names, *named.uniforms):
            digits = name[1:]
            if name[:1].lower() == letter and digits.isdigit() and (int(digits) in own or (file, int(digits)) not in read):
                found.append(name)
    return found


def _unread_constants(shader: Direct3DShader, given: Mapping[str, object]) -> list[str]:
    """The constants of the command line that have no effect. A relative address may read any that the shader does not
    define."""
    flow = shader.flow
    read: set[int] = set()
    sources = [(inst, source) for inst in flow.insts for source in inst.sources if source.file in CONSTANT_FILES]
    relative = any(source.is_relative for _, source in sources)
    for inst, source in sources:
        read.update(range(source.constant, source.constant + max(1, inst.op.rows)))
    table = {constant.name: constant for constant in shader.constants}
    found: list[str] = []
    for name, value in given.items():
        constant = table.get(name)
        register = re.fullmatch(r"[cC](\d{1,4})", name)
        if constant is not None and constant.set == FLOAT_SET:
            numbers = set(range(constant.register, constant.register + constant.registers))
        elif constant is None and register is not None:
            array = asarray(value.array if isinstance(value, Words) else value)
            rows = len(array) if array.ndim > 1 else 1
            numbers = set(range(int(register[1]), int(register[1]) + rows))
        else:
            continue
        numbers -= set(flow.constants)
        if not numbers or not (relative or numbers & read):
            found.append(name)
    return found


def _unread_samplers(shader: Direct3DShader, names: Sequence[str]) -> list[str]:
    """The samplers of the command line that no instruction samples."""
    flow = shader.flow
    stages = {source.number for inst in flow.insts for source in inst.sources if source.file == SAMPLER}
    if flow.version.major < 2:  # the stage of the destination
        stages |= {inst.dest.number for inst in flow.insts if inst.op.role == TEXTURING and inst.dest is not None}
    given = [shader.stage(name) for name in names]
    return [f"s{stage}" for stage in given if stage not in stages]
