"""Warnings about values that a command was given and that a console does not see as they are meant: constants by name,
translations that no instruction reads, mirrors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.arrays.matrices import is_mirror, is_transformation, rows_of
from lanewise.arrays.value_warnings import warning
from lanewise.core.diagnostics import NOTE, UNIFORM, About, Related
from lanewise.core.missing import components_text
from lanewise.core.numbers.floats import float_from_float24
from lanewise.pica200.engine.names import UNIFORM_FILES, find
from lanewise.pica200.engine.reads import reads
from lanewise.pica200.isa.program import Dest, Source
from lanewise.pica200.isa.table import FLOAT, INTEGER, TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.arrays.matrices import Rows
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.reads import Reads
    from lanewise.pica200.sem.profile import Profile

_THREE = 3  # components of a direction, and the place of w
_POSITION = 0  # semantic


def meant_warnings(uniforms: Mapping[str, object], shader: Shader, profile: Profile) -> list[Diagnostic]:
    """The warnings about the values of uniforms."""
    return [
        *_constants(uniforms, shader),
        *_matrices(uniforms, shader),
        *_unread(uniforms, shader),
        *_from_w(uniforms, shader, profile),
    ]


def _from_w(uniforms: Mapping[str, object], shader: Shader, profile: Profile) -> Iterator[Diagnostic]:
    """B042: a uniform whose w is a part of 1 that nothing reads, and whose x, which is read, is the 1 that w mostly is.

    Arrays, constants of registers, x = 0 and larger w are what programs have: a matrix for directions, a radius, an exponent.
    """
    read: Reads | None = None
    declared = {each.name for each in shader.interface.uniforms if each.span is not None and each.first == each.last}
    for name, value in uniforms.items():
        array: Any = getattr(value, "array", value)
        place = find(name, shader.uniform_names, UNIFORM_FILES)
        if place is None or name not in declared or not FLOAT <= place.first < INTEGER:
            continue
        if getattr(array, "shape", ()) not in ((_THREE + 1,), (1, _THREE + 1)):
            continue
        row = array.reshape(-1).tolist()
        x, y, z, w = [float_from_float24(int(each)) if array is not value else float(each) for each in row]
        if x != 1 or not 0 < abs(w) < 1:
            continue
        read = reads(shader.words, shader.descriptors, shader.interface.entry, {}) if read is None else read
        seen = shader.uniforms_seen(profile)
        used = [any(seen(at, each) for at in read.components.get((place.first, each), ())) for each in range(_THREE + 1)]
        if read.relative or not used[0] or used[_THREE]:
            continue
        message = f"uniform '{name}' has x = {x:g} and w = {w:g}, which no output depends on: the row may be written from w on"
        fix = f"write it as x, y, z, w: [{w:g}, {z:g}, {y:g}, {x:g}] if it is the order of the GPU's register, w first"
        yield warning("B042", message, fix, shader.name, About(UNIFORM, name))._replace(severity=NOTE)


def _unread(uniforms: Mapping[str, object], shader: Shader) -> Iterator[Diagnostic]:
    """B040: a uniform that the source declares, that is given, and that no instruction reads."""
    given = [row for row in shader.interface.uniforms if row.name in uniforms and row.span is not None]
    if not given or shader.interface.preamble is not None:
        return
    read = reads(shader.words, shader.descriptors, shader.interface.entry, {})
    bases = {row.first: row for row in shader.interface.uniforms}
    known = all(any(row.first <= base <= row.last for row in bases.values()) for base in read.relative)
    for row in given:
        registers = range(row.first, row.last + 1)
        if read.direct.keys().isdisjoint(registers) and known and not any(base in registers for base in read.relative):
            message = f"uniform '{row.name}' is given, and no instruction reads it"
            fix = f"read it where it is meant, or remove `{row.name}` from the source and from the values"
            found = warning("B040", message, fix, shader.name, About(UNIFORM, row.name))
            related = (Related(row.span, "it is declared here"),) if row.span is not None else ()
            yield found._replace(severity=NOTE, related=related)


def _constants(uniforms: Mapping[str, object], shader: Shader) -> Iterator[Diagnostic]:
    """B028: a constant of a source that is given by its name, which no file has."""
    listed = {uniform.name for uniform in shader.interface.uniforms}
    private = {uniform.name: uniform for uniform in shader.interface.private}
    for name in uniforms:
        constant = private.get(name) if name not in listed else None
        if constant is not None:
            fix = f"declare it `.fvec {name}` and set it in the program, or change the constant"
            message = f"'{name}' is a constant of the shader: this run takes the value, and no program can give it by that name"
            found = warning("B028", message, fix, shader.name, About(UNIFORM, name))
            place = constant.span
            yield found._replace(related=(Related(place, "the constant is declared here"),) if place is not None else ())


def _matrices(uniforms: Mapping[str, object], shader: Shader) -> Iterator[Diagnostic]:
    """B029 and B030: matrices of four rows that the shader multiplies with vectors."""
    given = {name: rows for name, value in uniforms.items() if (rows := rows_of(value)) is not None and is_transformation(rows)}
    read = reads(shader.words, shader.descriptors, shader.interface.entry, {}) if given else None
    for name, rows in given.items():
        place = find(name, shader.uniform_names, UNIFORM_FILES)
        if read is not None and place is not None and place.first >= FLOAT and place.size == len(rows):
            lost = _lost(shader, read, place.first, name, rows)
            if lost is not None:
                yield lost
            elif is_mirror(rows) and not _projects(shader, read, place.first):
                fix = "mirror the mesh in the program that exports it, or cull the other side: C3D_CullFace(GPU_CULL_FRONT_CCW)"
                message = f"uniform '{name}' mirrors: each triangle turns the other way round, and its front is culled"
                yield warning("B030", message, fix, shader.name, About(UNIFORM, name))._replace(severity=NOTE)


def _lost(shader: Shader, read: Reads, first: int, name: str, rows: Rows) -> Diagnostic | None:
    """The warning about numbers in the fourth column of a matrix that no instruction reads, where points are multiplied."""
    factors = {row: places for row in range(len(rows)) if (places := read.components.get((first + row, 0), ()))}
    short = {row: places for row, places in factors.items() if (first + row, _THREE) not in read.components}
    unread = [row for row in short if rows[row][_THREE]]
    some = len(short) < len(factors)  # others are read whole
    if not set(read.relative).isdisjoint(range(first, first + len(rows))) or not unread or (not some and unread == [_THREE]):
        return None
    if some and not all(_of_three(shader, address) for row in unread for address in short[row]):
        return None
    if not any(_of_points(shader, address) for places in factors.values() for address in places):
        return None
    places = [address for addresses in short.values() for address in addresses]
    lines = sorted({span.line for address in places if (span := shader.span(address)).line})
    shown = ", ".join([f"{name}[{row}].w = {rows[row][_THREE]:g}" for row in unread])
    where = f" in line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}" if lines else ""
    message = f"no instruction reads {components_text('c', [(first - FLOAT + row, _THREE) for row in unread])}: {shown}"
    fix = f"write `dp4` for `dp3`{where}: a point has w, and is moved by the fourth number of each row"
    return warning("B029", message, fix, shader.name, About(UNIFORM, name))


def _of_three(shader: Shader, address: int) -> bool:
    """Whether an instruction adds three products."""
    operations = shader.program.operations
    return address < len(operations) and set(operations[address].op.widths) == {_THREE}


def _operands(shader: Shader, address: int) -> Sequence[object]:
    operations = shader.program.operations
    return operations[address].operands if address < len(operations) else ()


def _position(shader: Shader) -> frozenset[int]:
    """The output registers of the position."""
    return frozenset([output.register for output in shader.interface.outputs if output.semantic == _POSITION])


def _of_points(shader: Shader, address: int) -> bool:
    """Whether an instruction writes the position, or reads an input that has the name of one."""
    names = {uniform.first: uniform.name for uniform in shader.interface.inputs}
    for operand in _operands(shader, address):
        if isinstance(operand, Dest) and operand.register in _position(shader):
            return True
        if isinstance(operand, Source) and operand.register < TEMPORARY and "pos" in names.get(operand.register, "").lower():
            return True
    return False


def _projects(shader: Shader, read: Reads, first: int) -> bool:
    """Whether a row of a matrix is a factor of the position itself, as that of a projection is."""
    places = [address for row in range(_THREE + 1) for address in read.components.get((first + row, 0), ())]
    return any(
        isinstance(operand, Dest) and operand.register in _position(shader)
        for address in places
        for operand in _operands(shader, address)
    )


__all__ = ["meant_warnings"]
