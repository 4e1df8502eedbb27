"""A C header with the places of a program's inputs, outputs and constants."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.container.memory import identifier
from lanewise.shadercore.isa.program import usage_name, used_inputs, used_outputs
from lanewise.shadercore.isa.table import SOURCE_FILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lanewise.shadercore.isa.program import Program


class Places(Record):
    """The names in a header besides registers: v# and o# by meaning, (first c#, how many) by the name of a constant, components
    by the i# or b# in them."""

    inputs: Mapping[str, int] = {}
    outputs: Mapping[str, int] = {}
    constants: Mapping[str, tuple[int, int]] = {}
    numbers: Mapping[str, tuple[int, int]] = {}


def c_header(program: Program, name: str, places: Places | None = None) -> str:
    """The header. `name` begins every macro; without `places` inputs and outputs are named by the usages of the program."""
    return "\n".join(_lines(program, identifier(name).upper(), places or Places())) + "\n"


def _lines(program: Program, name: str, places: Places) -> Iterator[str]:
    inputs, outputs = places.inputs or _named(program, "v"), places.outputs or _named(program, "o")
    yield f"/* {name}: a program for ShaderCore. */"
    yield "#pragma once"
    yield ""
    yield f"#define {name}_SLOTS {len(program.words)}"
    for title, kind, registers in (("Inputs: v#", "INPUT", inputs), ("Outputs: o#", "OUTPUT", outputs)):
        if registers:
            yield from ("", f"/* {title} */")
            yield from _defines(f"{name}_{kind}", {meaning: str(number) for meaning, number in registers.items()})
    wanted = _wanted(program, places)
    if wanted:
        yield from ("", "/* Constants that the application sets: the first c#, and how many */")
        yield from _defines(f"{name}_CONSTANT", {label: str(first) for label, (first, _) in wanted.items()})
        yield from _defines(f"{name}_SIZE", {label: str(count) for label, (_, count) in wanted.items()})
    if places.numbers:
        yield from ("", "/* Integer and boolean constants, as numbers: 4 * c# + component */")
        yield from _defines(f"{name}_NUMBER", {label: str(4 * n + c) for label, (n, c) in places.numbers.items()})
    if program.constants:
        yield from ("", "/* Constants of the program, which the application sets too: X(c#, bits of x, y, z, w) */")
        rows = [f"    X({number}, {', '.join(f'0x{bits:08X}U' for bits in values)})" for number, values in program.constants]
        yield f"#define {name}_CONSTANTS(X) \\"
        yield from (f"{row} \\" for row in rows[:-1])
        yield rows[-1]


def _defines(prefix: str, values: Mapping[str, str]) -> Iterator[str]:
    """A macro for each name; of names that C writes alike the later ones get a number."""
    used: set[str] = set()
    for label, value in values.items():
        base = macro = f"{prefix}_{identifier(label).upper().lstrip('_') or '_'}"
        again = 2
        while macro in used:
            macro, again = f"{base}_{again}", again + 1
        used.add(macro)
        yield f"#define {macro} {value}"


def _named(program: Program, file: str) -> dict[str, int]:
    """Registers by usage: those that are declared, or else those that are used; by register where the file says no usage."""
    usages = program.inputs if file == "v" else program.outputs
    declared = [declaration.number for declaration in program.declared if declaration.file == file]
    used = used_inputs(program.insts) if file == "v" else used_outputs(program.insts)
    known = bool(declared) or any(usages)
    found: dict[str, int] = {}
    for number in sorted(declared or used):
        label = usage_name(usages[number]) if known else f"{file}{number}"
        found[label if label not in found else f"{label}_{file}{number}"] = number
    return found


def _wanted(program: Program, places: Places) -> dict[str, tuple[int, int]]:
    """The constants that an application sets: those with a name, and registers that are read and have neither name nor
    value."""
    sources = [source for inst in program.insts for source in inst.operands]
    read = {source.number for source in sources if SOURCE_FILES[source.file] == "c"}
    given = {constant.number for constant in program.constants} | {number for number, _ in places.numbers.values()}
    for first, count in places.constants.values():
        given |= set(range(first, first + count))
    return {**places.constants, **{f"c{number}": (number, 1) for number in sorted(read - given)}}
