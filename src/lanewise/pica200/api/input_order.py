"""A source in the place of a recorded program whose inputs are in another order: the registers that the draw loads."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Dest, Source
from lanewise.pica200.isa.table import TEMPORARY, register_name

if TYPE_CHECKING:
    from lanewise.pica200.api.shader import Shader

_PICASSO = ".pica"


def other_order(recorded: Shader, shader: Shader) -> str:
    """A sentence where outputs are computed from another input than that of the recorded program, with the places of the
    inputs there; empty where the order is the same, or nothing can be said."""
    before, after = _inputs_of(recorded), _inputs_of(shader)
    moved: dict[int, int] = {}
    first = ""  # output of which that is said
    for semantic, inputs in after.items():
        there = before.get(semantic, set())
        if len(inputs) == len(there) == 1 and inputs != there:
            first = first or semantic
            moved.setdefault(*inputs, *there)
    if not moved or len({*moved.values()}) != len(moved):
        return ""
    (now,) = after[first]
    names = {each.first: each.name for each in shader.input_names}
    ordered = [
        (names.get(each, ""), register_name(each), register_name(moved[each])) for each in sorted(moved, key=moved.__getitem__)
    ]
    places = [f"{name or register} in {there}" for name, register, there in ordered]
    lines = [f"`.in {name} {there}`" for name, _, there in ordered if name]
    how = f": write {' and '.join(lines)}" if shader.file.endswith(_PICASSO) and len(lines) == len(ordered) else ""
    said = f"the recorded program computes {first} from {register_name(moved[now])}, {shader.file} from {register_name(now)}"
    return f"{said}: the draw has {' and '.join(places)}{how}"


def _inputs_of(shader: Shader) -> dict[str, set[int]]:
    """The input registers that each output is computed from, in whatever order the instructions come."""
    sources: dict[int, set[int]] = {}  # by destination, outputs and temporaries
    for operation in shader.program.operations:
        read = [each.register for each in operation.operands if isinstance(each, Source)]
        for each in operation.operands:
            if isinstance(each, Dest):
                sources.setdefault(each.register, set()).update(read)
    found: dict[str, set[int]] = {}
    for output in shader.outputs:
        seen, left = set[int](), [int(output.register[1:])]
        while left:
            more = sources.get(left.pop(), set()) - seen
            seen |= more
            left += [each for each in more if each >= TEMPORARY]
        found[output.semantic] = {each for each in seen if each < TEMPORARY}
    return found


__all__ = ["other_order"]
