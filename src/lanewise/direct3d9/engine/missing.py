"""Inputs and constants that a run of a Direct3D 9 shader may read and that have no value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.missing import (
    components_text,
    consecutive,
    constant_missing,
    extent_unknown,
    input_missing,
    register_range,
    rows_text,
)
from lanewise.core.source import Span
from lanewise.direct3d9.engine.data import CONSTANTS
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import BUMP

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.direct3d9.engine.data import Data, Named
    from lanewise.direct3d9.engine.reads import Reads
    from lanewise.direct3d9.isa.interface import Port

_BUMP_STAGES = 16  # the luminance of a stage has the number of its matrix and 16


class Missing(NamedTuple):
    """Errors about what is read without a value, and warnings about what a relative address may reach."""

    errors: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]


def missing(
    found: Reads,
    data: Data,
    ports: Sequence[Port],
    given: Collection[Port],
    named: Sequence[Named],
    file: str,
) -> Missing:
    """Findings about registers that `found` reads and `data` lacks. `given` are the ports with data, `file` is the shader's
    name."""
    errors = _inputs(found, ports, given, file)
    floats = {cell.number: place for cell, place in found.components.items() if cell.file == isa.CONST}
    arrays = _Arrays(found, data, named, file)
    files = (
        ("c", {**arrays.read, **floats}, data.constants),
        ("i", found.integers, data.integers),
        ("b", found.booleans, data.booleans),
    )
    for letter, read, there in files:
        errors += _constants(letter, {n: place for n, place in read.items() if n not in there}, named, file)
    if data.partial:
        errors += _partly(found, data, named, file)
    errors += _bumps(found, data, file)
    return Missing(tuple(errors), (*arrays.warnings, *_indexed_inputs(found, ports, given, file)))


def _inputs(found: Reads, ports: Sequence[Port], given: Collection[Port], file: str) -> list[Diagnostic]:
    errors: list[Diagnostic] = []
    for port in ports:
        read = [
            place
            for cell, place in found.components.items()
            if (cell.file, cell.number) == (port.file, port.number) and port.mask >> cell.component & 1
        ]
        if read and port not in given:
            what = port.name if port.name == port.register else f"{port.name} ({port.register})"
            errors.append(input_missing(what, port.name, "lane", "shader", read[0] or Span(file=file)))
    return errors


def _constants(letter: str, lacking: Mapping[int, Span | None], named: Sequence[Named], file: str) -> list[Diagnostic]:
    """One finding for each name, and for each run of registers without one."""
    owners = {n: entry for entry in named if entry.file == letter for n in range(entry.first, entry.first + entry.size)}
    errors: list[Diagnostic] = []
    kind, option, argument, value = {
        "c": ("constant", "--uniform", "uniforms", "4 numbers"),
        "i": ("integer constant", "--int", "integers", "count, start, step"),
        "b": ("boolean constant", "--bool", "booleans", "true or false"),
    }[letter]
    for entry in dict.fromkeys(owners[n] for n in sorted(lacking) if n in owners):
        mine = [n for n in sorted(lacking) if owners.get(n) == entry]
        what = f"{entry.name} ({', '.join(register_range(letter, *run) for run in consecutive(mine))})"
        each = rows_text(entry.size, value)
        errors.append(_constant(kind, what, option, argument, entry.name, each, lacking[mine[0]] or Span(file=file)))
    for first, last in consecutive(n for n in lacking if n not in owners):
        if letter == "c":
            each = rows_text(last - first + 1, value)
            what = register_range(letter, first, last)
            errors.append(
                _constant(
                    kind if first == last else f"{kind}s",
                    what,
                    option,
                    argument,
                    f"c{first}",
                    each,
                    lacking[first] or Span(file=file),
                )
            )
            continue
        names = {f"{letter}{n}": lacking[n] for n in range(first, last + 1)}
        errors += [_constant(kind, name, option, argument, name, value, at or Span(file=file)) for name, at in names.items()]
    return errors


def _partly(found: Reads, data: Data, named: Sequence[Named], file: str) -> list[Diagnostic]:
    """One finding for each name, and each c# without one, of which components are read that its value does not have."""
    owners = {n: entry for entry in named if entry.file == "c" for n in range(entry.first, entry.first + entry.size)}
    read = {(cell.number, cell.component): place for cell, place in found.components.items() if cell.file == isa.CONST}
    for cell, place in found.indexed.items():
        owner = owners.get(cell.number)
        last = CONSTANTS if owner is None else owner.first + owner.size
        if cell.file == isa.CONST:
            first = cell.number if owner is None else owner.first
            reach = next((n for n in range(first, last) if n not in data.constants), last)
            read = {(n, cell.component): place for n in range(first, reach)} | read
    parts: dict[str, list[tuple[int, int]]] = {}
    for number, component in sorted(read):
        if component >= data.partial.get(number, 4):
            parts.setdefault(owners[number].name if number in owners else f"c{number}", []).append((number, component))
    errors: list[Diagnostic] = []
    for name, places in parts.items():
        owner, text = owners.get(places[0][0]), components_text("c", places)
        what = f"{name} ({text})" if owner is not None else text
        each = rows_text(owner.size if owner is not None else 1, "4 numbers")
        errors.append(_constant("constant", what, "--uniform", "uniforms", name, each, read[places[0]] or Span(file=file)))
    return errors


def _constant(kind: str, what: str, option: str, argument: str, key: str, value: str, place: Span) -> Diagnostic:
    return constant_missing(f"{kind} {what}", key, value, place, option=option, argument=argument)


def _bumps(found: Reads, data: Data, file: str) -> list[Diagnostic]:
    read = {cell.number % _BUMP_STAGES: place for cell, place in found.components.items() if cell.file == BUMP}
    return [
        _constant(
            "constant",
            f"bump{n}, the bump matrix of stage {n}",
            "--uniform",
            "uniforms",
            f"bump{n}",
            "4 numbers, 6 with luminance scale and offset",
            place or Span(file=file),
        )
        for n, place in sorted(read.items())
        if n not in data.bumps
    ]


class _Arrays:
    """The c# from which relative addresses start that are not known. An array ends where its name does; one without a name may
    go on."""

    def __init__(self, found: Reads, data: Data, named: Sequence[Named], file: str) -> None:
        owners = [entry for entry in named if entry.file == "c"]
        self.read: dict[int, Span | None] = {}  # the registers of arrays that have a name
        self.warnings: list[Diagnostic] = []
        places: set[Span | None] = set()  # a matrix begins several arrays
        for (register_file, base), place in sorted(found.open.items()):
            owner = next((entry for entry in owners if entry.first <= base < entry.first + entry.size), None)
            if register_file != isa.CONST:
                continue
            free = next((n for n in range(base, CONSTANTS) if n not in data.constants), None)
            if owner is not None:
                self.read.update(dict.fromkeys(range(owner.first, owner.first + owner.size), place))
            elif free is not None and place not in places:
                places.add(place)
                fix = (
                    f"give `--uniform c{base}=...` (uniforms={{'c{base}': ...}}) a row for each register that the address "
                    "reaches"
                )
                self.warnings.append(extent_unknown(f"c{base}", f"c{free}", fix, place or Span(file=file)))


def _indexed_inputs(found: Reads, ports: Sequence[Port], given: Collection[Port], file: str) -> list[Diagnostic]:
    """Warnings for inputs that a relative address may reach."""
    there = {port.number for port in given}
    for (register_file, base), place in found.open.items():
        lacking = [port.number for port in ports if port.number >= base and port.number not in there]
        if register_file == isa.INPUT and lacking:
            return [
                extent_unknown(
                    f"v{base}",
                    f"v{min(lacking)}",
                    "give data for the inputs that the address reaches",
                    place or Span(file=file),
                )
            ]
    return []
