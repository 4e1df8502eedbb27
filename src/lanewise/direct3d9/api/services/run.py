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
from lanewise.direct3d9.engine.reads import reads
from lanewise.direct3d9.isa.constants import FLOAT_SET
from lanewise.direct3d9.isa.table import COMPONENTS, CONST, CONSTANT_FILES, CONSTBOOL, CONSTINT, SAMPLER, TEXTURING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.core.service import Answer, Request
    from lanewise.direct3d9.api.services.plan import Named, Plan
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
    remarks += _elsewhere(shader, plan, request)
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


def _elsewhere(shader: Direct3DShader, plan: Plan, request: Request) -> Iterator[str]:
    """Remarks about constants of which the shader reads only components that are 0, and others have the numbers."""
    rows = {
        int(name[1:]): numbers
        for name, value in plan.named.uniforms.items()
        if name[:1] in "cC" and name[1:].isdecimal() and not isinstance(value, Words)
        if len(numbers := asarray(value).reshape(-1).tolist()) == len(COMPONENTS) and any(numbers[:3])
    }
    found = reads(shader.flow, plan.rule.choices, {}, {}) if rows else None
    if found is None or any(file == CONST for file, _ in found.open):
        return
    for number, numbers in rows.items():
        read = {cell.component for cell in found.components if (cell.file, cell.number) == (CONST, number)}
        unread = [n for n, value in enumerate(numbers[:3]) if value and n not in read]  # w alone is often 1
        if read and unread and not any(numbers[n] for n in read):
            without, only = ("".join([COMPONENTS[n] for n in sorted(each)]) for each in (unread, read))
            yield (
                f"c{number}.{without} {'is' if len(unread) == 1 else 'are'} given but never read: the shader reads only "
                f"c{number}.{only}, which {'is' if len(read) == 1 else 'are'} 0{_by_condition(request)}"
            )


def _by_condition(request: Request) -> str:
    """The rest of a remark about a source that has other lines where a name is defined."""
    defined = {text.partition("=")[0].strip() for text in request.texts("define")}
    found = re.findall(rb"^[ \t]*#[ \t]*ifdef[ \t]+(\w+)", request.sources[0].data if request.sources else b"", re.MULTILINE)
    names = [name for name in dict.fromkeys([each.decode() for each in found]) if name not in defined]
    return f"; the source has other lines with {' or '.join([f'-D {name}' for name in names])}" if names else ""


def _unread_samplers(shader: Direct3DShader, names: Sequence[str]) -> list[str]:
    """The samplers of the command line that no instruction samples."""
    flow = shader.flow
    stages = {source.number for inst in flow.insts for source in inst.sources if source.file == SAMPLER}
    if flow.version.major < 2:  # the stage of the destination
        stages |= {inst.dest.number for inst in flow.insts if inst.op.role == TEXTURING and inst.dest is not None}
    given = [shader.stage(name) for name in names]
    return [f"s{stage}" for stage in given if stage not in stages]
