"""Registers that a run of a ShaderCore program reads and that have no value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.missing import (
    ZEROS,
    components_text,
    consecutive,
    constant_missing,
    input_missing,
    register_range,
    rows_text,
)
from lanewise.core.source import Span
from lanewise.shadercore.isa.codec import register
from lanewise.shadercore.isa.table import COMPONENTS, END, SOURCE_FILES, C

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from lanewise.shadercore.api.program import ShaderCoreProgram

Place = tuple[int, int]  # a register of a file, and a component


def read_components(program: ShaderCoreProgram, file: str) -> dict[Place, int]:
    """The components of `v` or `c` that are read before the program ends, with the number of an instruction that reads each."""
    found: dict[Place, int] = {}
    for number, inst in enumerate(program.insts):
        for source in inst.operands:
            place = (SOURCE_FILES[source.file], source.number, source.component) if source.file == C else register(source)
            if place is not None and place[0] == file:
                found.setdefault(place[1:], number)
        if inst.op is END:
            break
    return found


def missing(
    program: ShaderCoreProgram, inputs: Collection[Place], constants: Collection[Place], numbers: Mapping[Place, str]
) -> list[Diagnostic]:
    """Errors for inputs without data and constants without a value; warnings for components that an input lacks.

    `inputs` and `constants` are what the run was given, `numbers` the i# and b# of a compiled shader by their components.
    """
    span = _Places(program)
    read = read_components(program, "v")
    names = {int(register[1:]): name for name, register in program.inputs.items() if name != register}
    given = {number for number, _ in inputs}
    found: list[Diagnostic] = []
    for number in sorted({number for number, _ in read}):
        name = names.get(number, f"v{number}")
        what = f"{name} (v{number})" if number in names else name
        lacking = sorted(n for register, n in read if register == number and (number, n) not in inputs)
        first = min(read[number, n] for n in lacking) if lacking else 0
        if number not in given:
            found.append(input_missing(what, name, "vertex", "program", span.of(first)))
        elif lacking:
            letters = "".join(COMPONENTS[n] for n in lacking)
            fix = _of_components(name, number, letters)
            message = f"no data for v{number}.{letters}, which the program reads: 0 in all lanes"
            found.append(Diagnostic(code="B202", severity=WARNING, message=message, span=span.of(first), notes=(), fix=fix))
    beside = program.beside
    counters = {name for name, limits in beside.limits.items() if limits.reads_counter} if beside is not None else set[str]()
    texts = beside.names if beside is not None else dict[int, str]()
    others = _constants(read_components(program, "c"), constants, numbers, counters, texts, span)
    if others and beside is None and program.name.lower().endswith((".scb", ".scbin")):
        interface = f"{program.name.rpartition('.')[0].replace(chr(92), '/').rpartition('/')[2]}.json"
        if (number := max(place[0] for place in read_components(program, "c") if place not in constants)) > _OF_COMPILER:
            fix = f"copy {interface}, which `lanewise compile` wrote beside it: it has this constant and the names of uniforms"
            others = [others[-1]._replace(fix=fix, message=f"no value for c{number}, which the compiler has set")]
        else:
            note = (
                f"the file has no constants: `lanewise compile` writes them to {interface} beside it; of a program in .sc run "
                "the source, which has those of .const"
            )
            others[0] = others[0]._replace(notes=(*others[0].notes, note))
    return found + others


_OF_COMPILER = 127  # constants of a compiled program are from c255 down


def _of_components(name: str, number: int, letters: str) -> str:
    """The fix of components that an input lacks: w of a position is 1."""
    if letters != "w":
        return f"give {name} more components; {ZEROS}"
    return f"give {name} w, such as 1 after its x, y and z, or set it with `--initial v{number}=0,0,0,1`; {ZEROS}"


def _constants(
    read: Mapping[Place, int],
    given: Collection[Place],
    numbers: Mapping[Place, str],
    counters: Collection[str],
    names: Mapping[int, str],
    span: _Places,
) -> list[Diagnostic]:
    """`counters`: the i# of which a program depends on start and step too; `names`: of registers in the shader."""
    lacking = {place: at for place, at in read.items() if place not in given}
    found: list[Diagnostic] = []
    for place in [place for place in lacking if place in numbers]:
        name, at = numbers[place], lacking.pop(place)
        kind, value = (
            ("integer constant", "count, start and step" if name in counters else "a count")
            if name[0] == "i"
            else ("boolean constant", "0 or 1")
        )
        found.append(constant_missing(f"{kind} {name}", name, value, span.of(at)))
    there = {number for number, _ in given}
    absent: dict[str, set[int]] = {}  # by the name in the shader, of whose rows some may not be read
    for number in sorted({number for number, _ in lacking if number not in there}):
        absent.setdefault(names.get(number, "").partition("[")[0], set()).add(number)
    for name, registers in absent.items():
        every = {number for number, text in names.items() if text.partition("[")[0] == name} if name else registers
        for first, last in consecutive(every):
            at = min((at for (number, _), at in lacking.items() if first <= number <= last), default=0)
            most = max((n for number, n in read if first <= number <= last), default=3) + 1 if name else len(COMPONENTS)
            rows = rows_text(last - first + 1, "one number" if most == 1 else f"{most} numbers")
            kind = "constants" if last > first else "constant"
            text = names.get(first, "")  # the rest of an array where what is before it is not read
            what, key = (
                register_range("c", first, last),
                (text if "[" in text and not text.endswith("[0]") else name) or f"c{first}",
            )
            found.append(constant_missing(f"{kind} {f'{name} ({what})' if name else what}", key, rows, span.of(at)))
    partly = sorted(place for place in lacking if place[0] in there)
    if partly:
        what = components_text("c", partly)
        key, at = f"c{partly[0][0]}", min(lacking[place] for place in partly)
        kind = "constant" if len({number for number, _ in partly}) == 1 else "constants"
        found.append(constant_missing(f"{kind} {what}", key, "4 numbers", span.of(at)))
    return found


class _Places:
    """The places of instructions, looked up when they are needed."""

    def __init__(self, program: ShaderCoreProgram) -> None:
        self._program = program
        self._places: tuple[Span, ...] | None = None

    def of(self, number: int) -> Span:
        if self._places is None:
            self._places = self._program.placed().places
        return self._places[number] if number < len(self._places) else Span(file=self._program.name)
