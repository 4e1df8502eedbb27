"""A C header for applications that use citro3d: registers of uniforms and inputs, what outputs are, and functions that set
counts and flags.

Numbers are those that citro3d takes: c# for float uniforms, 0x60 on for integers, 0x68 on for booleans (devkitPro/citro3d,
include/c3d/uniforms.h).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, SEMANTICS, register_name
from lanewise.pica200.isa.uniforms import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.compile.pica200.backend import Counted
    from lanewise.compile.services.pipeline import Compiled
    from lanewise.pica200.isa.program import Interface, Uniform

MARK = b"compiled by lanewise"
_INTEGERS, _BOOLEANS = 0x60, 0x68  # added to i# and b# by citro3d
_STAGE = "GPU_VERTEX_SHADER"


def c_header(compiled: Compiled, name: str) -> str:
    """The header of a program; `name` begins every name in it."""
    interface = compiled.file.program.interfaces[0]
    most = {count.name: count.most for count in compiled.lowered.vector.counts}
    usages = {row.name: row.semantic for row in compiled.lowered.vector.inputs if row.semantic}
    more: Sequence[str] = ()
    own = interface.preamble
    if own is not None and compiled.preamble is not None:
        from lanewise.compile.services.citro3d_preamble import preamble_functions

        more = preamble_functions(compiled.preamble, _identifier(name), own.register - FLOAT, exact=own.exact)
    return "\n".join([*_lines(interface, compiled.result.counts, most, usages, _identifier(name)), *more]) + "\n"


def _lines(
    interface: Interface, counts: Sequence[Counted], most: Mapping[str, int], usages: Mapping[str, str], name: str
) -> Iterator[str]:
    names = _Names(name)
    yield f"/* {name}: a program for the PICA200, {MARK.decode()}. */"
    yield "#pragma once"
    yield ""
    yield "#include <citro3d.h>"
    if interface.preamble is not None:
        from lanewise.compile.services.citro3d_preamble import INCLUDES

        yield from [f"#include {each}" for each in INCLUDES]
    if interface.inputs:
        yield from ("", "/* Inputs: registers for AttrInfo_AddLoader. */")
        for row in interface.inputs:
            yield names.define("IN", row.name, str(row.first)) + (f" /* {usages[row.name]} */" if row.name in usages else "")
    if interface.outputs:
        yield from ("", "/* Outputs: register, name and semantic. */")
        yield from [
            f"/* o{row.register} {row.name or SEMANTICS[row.semantic]}: {SEMANTICS[row.semantic]}.{_mask(row.mask)} */"
            for row in interface.outputs
        ]
    floats = [row for row in interface.uniforms if row.first < INTEGER]
    if floats:
        yield from (
            "",
            "/* Uniforms: first register and number of registers, for C3D_FVUnifSet, C3D_FVUnifMtx4x4 and C3D_FVUnifMtxNx4. */",
        )
        for row in floats:
            yield names.define("FVEC", row.name, str(row.first - FLOAT))
            yield names.define("ULEN", row.name, str(row.size))
    loops: dict[str, list[Counted]] = {}
    for count in counts:
        loops.setdefault(count.name, []).append(count)
    for label, rows in loops.items():
        yield from _count(names, label, rows, most[label])
    flags = [row for row in interface.uniforms if row.first >= BOOLEAN and not count_of(row.name)]
    for row in flags:
        yield from _flag(names, row)


def _count(names: _Names, name: str, rows: Sequence[Counted], most: int) -> Iterator[str]:
    """The function that sets the count of loops, 0 to its most: the boolean that is false for 0, and an integer register for
    each start and step."""
    yield from ("", f"/* How often loops over {name} run: 0 to {most}. */")
    for row in rows:
        yield names.define("IVEC", name, f"0x{_INTEGERS + row.register:02X}")
    guards = sorted({row.guard for row in rows if row.guard >= 0})
    for guard in guards:
        yield names.define("FLAG", f"{name}_some", f"0x{_BOOLEANS + guard:02X}")
    yield f"static inline void {names.function(name)}(int count)"
    yield "{"
    yield f"\tcount = count < 0 ? 0 : count > {most} ? {most} : count;"
    for guard in guards:
        yield f"\tC3D_BoolUnifSet({_STAGE}, 0x{_BOOLEANS + guard:02X}, count > 0);"
    yield "\tif (count == 0)"
    yield "\t\treturn;"
    for row in rows:
        yield (
            f"\tC3D_IVUnifSet({_STAGE}, 0x{_INTEGERS + row.register:02X}, count - 1, {row.start & 0xFF}, {row.step & 0xFF}, 0);"
        )
    yield "}"


def _flag(names: _Names, row: Uniform) -> Iterator[str]:
    yield from ("", f"/* {row.name}: {register_name(row.first)} */")
    for number in range(row.first, row.last + 1):
        name = row.name if row.size == 1 else f"{row.name}_{number - row.first}"
        place = f"0x{_BOOLEANS + number - BOOLEAN:02X}"
        yield names.define("FLAG", name, place)
        yield f"static inline void {names.function(name)}(bool value)"
        yield "{"
        yield f"\tC3D_BoolUnifSet({_STAGE}, {place}, value);"
        yield "}"


class _Names:
    """Names in C, each once."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.taken: set[str] = set()

    def define(self, kind: str, name: str, value: str) -> str:
        return f"#define {self._free(f'{self.program}_{kind}_{_identifier(name)}')} {value}"

    def function(self, name: str) -> str:
        return self._free(f"{self.program}_set_{_identifier(name)}")

    def _free(self, name: str) -> str:
        found, again = name, 2
        while found in self.taken:
            found, again = f"{name}_{again}", again + 1
        self.taken.add(found)
        return found


def _mask(mask: int) -> str:
    return "".join([letter for bit, letter in enumerate("xyzw") if mask >> bit & 1])


def _identifier(name: str) -> str:
    """A name in C."""
    text = "".join([c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name])
    return f"_{text}" if not text or text[0].isdigit() else text
