"""`optimised_shader`: a shader of fewer slots, each step proved under number rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import NOTE
from lanewise.direct3d9.check.rules import check
from lanewise.direct3d9.isa.interface import kills, outputs
from lanewise.direct3d9.opt.operands import ShaderOperands
from lanewise.direct3d9.proof.equal import unproved
from lanewise.direct3d9.proof.machine import side_of
from lanewise.direct3d9.sem.numbers import D3D9, IEEE, rule_of
from lanewise.direct3d9.sem.tree import If, Leave, Loop, Step, resolve
from lanewise.optimising.optimiser import optimise

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from lanewise.direct3d9.isa.program import Item, Shader
    from lanewise.direct3d9.proof.machine import Side
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.optimising.optimiser import Optimised

RULES = tuple(map(rule_of, (IEEE, D3D9)))  # for which steps are proved unless one is named


def optimised_shader(
    shader: Shader,
    rules: Sequence[Rule] = RULES,
    progress: Callable[[], None] | None = None,
    *,
    fixed: Collection[int] = (),
) -> Optimised[Item] | None:
    """The items of a shader of fewer slots with the same outputs under all of the rules; None for one that cannot be proved to
    equal itself, so that no step can be proved. `fixed` are the places of items that stay unchanged. Raises ValueError for one
    whose blocks do not fit together, or that is too large."""
    first = _side(shader)
    before = _counts(shader)

    def valid(items: Sequence[Item]) -> bool:
        found = _counts(shader._replace(items=tuple(items)))
        return all(count <= before.get(code, 0) for code, count in found.items())

    def equal(items: Sequence[Item]) -> bool:
        try:
            second = _side(shader._replace(items=tuple(items)))
        except ValueError:
            return False
        return not any(unproved((first, second), rule) for rule in rules)

    if not equal(shader.items):  # more than the effort of a proof, or values of lanes that are elsewhere
        return None
    table = ShaderOperands(shader)
    found = optimise(shader.items, table, valid=valid, equal=equal, progress=progress, fixed=fixed)
    saved = table.cost(found.items)[:2] < table.cost(shader.items)[:2]
    # components that nothing reads are no reason to change a shader
    if saved:
        return found
    return found._replace(items=shader.items, origins=tuple(range(len(shader.items))), steps=(), carried=frozenset())


def least_slots(shader: Shader, flow: Flow) -> int:
    """A number of slots that no shader which writes the same outputs has less than: an instruction writes one register, and
    has a slot at least. Outputs count that are written on every path; none where pixels may be discarded."""
    ports = {(port.file, port.number) for port in outputs(shader)}
    found: set[tuple[int, int]] = set()
    for node in () if kills(shader) else flow.main.block:
        if isinstance(node, Leave) or (isinstance(node, If | Loop) and node.leaves):
            break
        for inst in node.insts if isinstance(node, Step) else ():
            if inst.dest is not None and inst.predicate is None and not inst.dest.is_relative:
                found.add((inst.dest.file, inst.dest.number))
    return len(found & ports)


def _side(shader: Shader) -> Side:
    flow, findings = resolve(shader, "")
    if flow is None:
        raise ValueError(findings[0].message)
    return side_of(shader, flow)


def _counts(shader: Shader) -> dict[str, int]:
    """How many findings of each code `check` has."""
    found: dict[str, int] = {}
    for finding in check(shader, ""):
        if finding.severity != NOTE:
            found[finding.code] = found.get(finding.code, 0) + 1
    return found


__all__ = ["RULES", "least_slots", "optimised_shader"]
