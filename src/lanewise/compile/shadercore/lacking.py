"""Instructions of pixel shaders for which a device has no unit: textures, other pixels, and discarding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.text.names import mnemonic_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lanewise.core.source import Span
    from lanewise.direct3d9.isa.program import Inst
    from lanewise.direct3d9.sem.tree import Flow

ABSENT = "L001"
_SAMPLING = ("tex", "texldl", "texldd")
_COLOURS = 2  # inputs v# of ps_2_0


def lacking(flow: Flow, span: Callable[[int], Span]) -> Iterator[Diagnostic]:
    """L001 for each of them, in the order of the shader."""
    taken = {each.number for inst in flow.insts for each in inst.sources if each.file == isa.INPUT}
    for number, inst in enumerate(flow.insts):
        what, fix = _fault(flow, inst, taken)
        if what:
            message = f"{what}, which the device does not support"
            yield Diagnostic(code=ABSENT, severity=ERROR, message=message, span=span(number), fix=fix)


def _fault(flow: Flow, inst: Inst, taken: set[int]) -> tuple[str, str]:
    """The effect of an instruction that no device has, and the fix; empty for any other."""
    name = inst.op.name
    shown = mnemonic_of(inst.op, inst.control, flow.version) or name
    if name == "texkill":
        return "texkill discards pixels", "remove it; write what it tests to an output instead, and discard in the application"
    if name in ("dsx", "dsy"):
        return f"{name} reads other pixels", "pass the gradient in as an input"
    if name not in _SAMPLING or inst.dest is None:
        return "", ""
    fix = "sample it beforehand, and pass the result in as an input"
    free = next((n for n in range(_COLOURS) if n not in taken), None)
    register = isa.register_name(flow.version, inst.dest.file, inst.dest.number)
    if flow.version.kind == isa.PIXEL and flow.version.major == 2 and free is not None:
        taken.add(free)
        moved = f"`mov {register}, v{free}` for the {shown}"
        fix = f"pass the texel in as an input: write `dcl v{free}` for the dcl_2d, {moved}"
    return f"{shown} samples a texture", fix
