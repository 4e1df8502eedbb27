"""Warnings about matrices whose columns are in the registers where a program takes their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.arrays.matrices import suspect
from lanewise.shadercore.isa.codec import register
from lanewise.shadercore.isa.table import FILES, SOURCE_FILES, C

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.shadercore.api.program import ShaderCoreProgram

_PRODUCT = "mul"
_ROWS, _DIRECTION = 4, 3


def matrix_warnings(program: ShaderCoreProgram, constants: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """B023 for a constant of four rows, each of which is multiplied by the components of one vector."""
    suspects = {name: found for name, value in constants.items() if (found := suspect(name, value, program.name)) is not None}
    products = _products(program) if suspects else {}
    for name, found in suspects.items():
        first = _first(program, name)
        factors = [[products.get((first + row, n)) for n in range(_DIRECTION)] for row in range(_DIRECTION)]
        if None not in factors[0] and all(row == factors[0] for row in factors) and len(set(factors[0])) == _DIRECTION:
            yield found


def _first(program: ShaderCoreProgram, name: str) -> int:
    """The first register of a constant by register or by name; one that there is not for an unknown name."""
    digits = name[1:]
    if name[:1] in ("c", "C") and digits.isascii() and digits.isdigit():
        return int(digits)
    names = program.beside.names if program.beside is not None else dict[int, str]()
    return min((number for number, text in names.items() if text.partition("[")[0] == name), default=FILES["c"].size)


def _products(program: ShaderCoreProgram) -> dict[tuple[int, int], tuple[str, int, int]]:
    """The register that each component of a constant is multiplied by."""
    found: dict[tuple[int, int], tuple[str, int, int]] = {}
    for inst in program.insts:
        if inst.op.operation != _PRODUCT or len(inst.operands) < 2:
            continue
        a, b = inst.operands[:2]
        for constant, other in ((a, b), (b, a)):
            place = register(other)
            if SOURCE_FILES[constant.file] == SOURCE_FILES[C] and place is not None:
                found.setdefault((constant.number, constant.component), place)
    return found


__all__ = ["matrix_warnings"]
