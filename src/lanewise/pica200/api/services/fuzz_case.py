"""A case on which engines differ, as a source file.

Comments have its data, both results and the commands that reproduce it."""

from __future__ import annotations

import numpy as np

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.api.disassembling import disassemble
from lanewise.pica200.container.build import build
from lanewise.pica200.engine.reads import reads
from lanewise.pica200.isa.program import Interface, Program
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, GEOMETRY_MODES, INTEGER, register_name
from lanewise.pica200.sem.profile import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.pica200.engine.differential import Difference
    from lanewise.pica200.engine.differential_geometry import GeometryCase
    from lanewise.pica200.engine.random_programs import Case

_ZEROS = (0, 0, 0, 0)


def case_source(one: Case, difference: Difference, stem: str, origin: str) -> str:
    """The text of `stem.v.pica`, which assembles to the words and descriptors of the case. `origin` is the command that
    generated it."""
    command = " ".join(["lanewise run", f"{stem}.v.pica", *run_arguments(one), f"--budget {difference.budget}"])
    head = [
        f"The engines differ: {difference.where}",
        f"  reference: {difference.reference}",
        f"  llvm:      {difference.compiled}",
        f"Found by: {origin}",
        f"Profile: {one.profile.describe()}",
        f"Vertices: {one.lanes}",
        *data_lines(one),
        "Both answers again" + (" (all NaN are one to these commands):" if one.profile.rounding == "float32" else ":"),
        f"  {command} --engine reference",
        f"  {command} --engine llvm",
    ]
    return commented(head, Interface(name="main"), one.words, one.descriptors, stem)


def geometry_source(one: GeometryCase, difference: Difference, stem: str, origin: str) -> str:
    """The text of `stem.g.pica`, which assembles to the words and descriptors of the case, with its data and `origin`."""
    program = one.program
    taken = "each" if len(set(one.sizes)) == 1 else "in turn"
    head = [
        f"The engines differ: {difference.where}",
        f"  reference: {difference.reference}",
        f"  llvm:      {difference.compiled}",
        f"Found by: {origin}",
        f"Profile: {program.profile.describe()}",
        f"Runs: {len(one.sizes)} in mode {GEOMETRY_MODES[one.mode]}, start c{one.start}; vertices of {taken}: "
        + (str(one.sizes[0]) if taken == "each" else ", ".join(map(str, one.sizes))),
        f"Vertex n of all runs has the outputs v0 and v1 of row 7 n modulo {program.lanes}:",
        *data_lines(program),
    ]
    return commented(
        head, Interface(name="main", geometry=True, geometry_mode=one.mode), program.words, program.descriptors, stem
    )


def commented(head: Iterable[str], interface: Interface, words: Sequence[int], descriptors: Sequence[int], stem: str) -> str:
    """The source of a program of all these words, after comments; `stem` is the name of its file."""
    shbin = build(Program(operations=(), interfaces=(interface._replace(entry_end=len(words)),), labels={}), words, descriptors)
    comments = "".join([f"; {line}\n" for text in head for line in text.splitlines()])
    return f"{comments}\n{disassemble(shbin, stem).sources[0].text}"


def data_lines(one: Case) -> Iterable[str]:
    """The data of a case, a line for each register."""
    digits = 8 if one.profile.rounding == "float32" else 6
    kind = "float32 patterns" if digits == 8 else "float24 words"
    yield f"Inputs and uniforms, {kind}; c registers that are not here are zeros:"
    for register, rows in enumerate(one.inputs):
        if rows:
            yield f"  v{register} = {'; '.join([_hex(row, digits) for row in rows])}"
    for register, vector in enumerate(one.floats):
        if vector != _ZEROS:
            yield f"  c{register} = {_hex(vector, digits)}"
    for register, vector in enumerate(one.integers):
        if vector != _ZEROS:
            yield f"  i{register} = {', '.join(map(str, vector))}"
    given = [f"b{number}" for number, value in enumerate(one.booleans) if value]
    if given:
        yield f"  true: {', '.join(given)}"


def _hex(row: Sequence[int], digits: int) -> str:
    return ", ".join([f"0x{word:0{digits}X}" for word in row])


def run_arguments(one: Case) -> Iterable[str]:
    """The arguments of `lanewise run` for the case: a value for everything that the code may read."""
    needed = reads(one.words, one.descriptors, 0, {}, one.profile)
    read = {*needed.direct, *needed.relative}
    yield f"--count {one.lanes}"
    for register in range(16):
        rows = one.inputs[register] if register < len(one.inputs) else ()
        if rows or register in read:
            yield f"-i v{register}={_value(rows or [_ZEROS], one)}"
    for register, vector in enumerate(one.floats):
        if vector != _ZEROS or FLOAT + register in read:
            yield f"-u c{register}={_value([vector], one)}"
    for register, vector in enumerate(one.integers):
        if vector != _ZEROS or INTEGER + register in read:
            yield f"-u i{register}={','.join(map(str, vector))}"
    for number, value in enumerate(one.booleans):
        if value or BOOLEAN + number in read:
            yield f"-u {register_name(BOOLEAN + number)}={str(value).lower()}"
    preset, *settings = one.profile.describe().split(", ")
    if preset != DEFAULT:
        yield f"--profile {preset}"
    for setting in settings:
        yield f"--set {setting}"


def _value(rows: Sequence[Sequence[int]], one: Case) -> str:
    if one.profile.rounding != "float32":
        return f"'words:{';'.join([','.join([f'0x{word:06X}' for word in row]) for row in rows])}'"
    numbers = np.array(rows, np.uint32).view(np.float32)
    return f"'{';'.join([','.join([f'{number:.9g}' for number in row]) for row in numbers.tolist()])}'"
