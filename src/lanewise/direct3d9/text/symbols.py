"""Names of a constant table as macros of the language.

`#define World c0`, then `World[2]` and `World[a0.x+2]`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.sniff import version_length
from lanewise.direct3d9.isa.constants import SET_FILES
from lanewise.direct3d9.isa.table import VERSIONS
from lanewise.direct3d9.text.names import FILE_SIZE, MNEMONICS, RESULTS, SUFFIXES, find_register

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.constants import ConstantTable

_WORDS = frozenset(("true", "false", "none", "dword", "comment", "end", "byte", "defined", *RESULTS, *SUFFIXES))


def symbols_of(table: ConstantTable) -> dict[tuple[int, int], tuple[str, int]]:
    """(register file, first number) to (name, count), each name unambiguous as a register."""
    found: dict[tuple[int, int], tuple[str, int]] = {}
    taken: set[str] = set()
    for constant in table.constants:
        if constant.set >= len(SET_FILES) or not constant.registers or constant.register >= FILE_SIZE:
            continue
        key = SET_FILES[constant.set], constant.register
        if key in found:
            continue
        name = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in constant.name)[:100] or "_"
        if name[0].isdigit() or _means_something(name):
            name = f"const_{name}"
        while name in taken:
            name += "_"
        taken.add(name)
        found[key] = name, constant.registers
    return found


def _means_something(name: str) -> bool:
    """Whether a name already has a meaning in the language: an instruction, a register, components, an ending."""
    lower = name.lower()
    first = lower.partition("_")[0]
    return (
        (len(lower) <= 4 and set(lower) <= set("xyzwrgba"))
        or first in MNEMONICS
        or lower in MNEMONICS
        or lower.lstrip("_") in _WORDS
        or first == "dcl"
        or version_length(name, 0) > 0
        or any(find_register(version, first) is not None for version in VERSIONS)
    )
