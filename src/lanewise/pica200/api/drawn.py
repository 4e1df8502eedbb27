"""A draw of a frame as a file of shaders with its data: `drawn_file`."""

from __future__ import annotations

from functools import lru_cache

from lanewise.arrays.words import Words
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.api.file import read_file
from lanewise.pica200.api.frame_review import uses_geometry
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.frame.state import GEOMETRY, VERTEX, WIDE, components
from lanewise.pica200.frame.vertices import (
    DEFAULT,
    LOADED,
    TYPES,
    feeds_of,
    numbers_of,
    topology_of,
    used_of,
    variable,
)
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import lift, operands, procedure_end
from lanewise.pica200.isa.outmap import semantics_by_register
from lanewise.pica200.isa.program import Interface, Output, Program
from lanewise.pica200.isa.table import SEMANTICS, TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.api.primitives import Primitives
    from lanewise.pica200.frame.draws import Draw
    from lanewise.pica200.frame.state import UnitState, Vector
    from lanewise.pica200.frame.vertices import Feed

    Values = dict[str, NDArray[Any] | Words]

_BOOLEAN, _INTEGER, _ENTRY, _OUTMASK, _INPUT, _PERMUTATION = 0x0, 0x1, 0xA, 0xD, 0x9, 0xB
_OUTMAP_TOTAL, _OUTMAP, _VSH_OUTPUTS = 0x4F, 0x50, 0x24A
_MISC0, _MISC1 = 0x252, 0x254
_POINT, _VARIABLE, _FIXED = range(3)
_DUMMY = SEMANTICS.index("dummy")
_WORD, _HALF = 15, 3  # masks of known bytes


class DrawData(Record):
    """The data of a draw, as a run takes it."""

    inputs: Values
    "Inputs by register, a row for each vertex of `vertices`."
    vertex_uniforms: Values
    "Uniforms of the vertex unit that were written, by register."
    geometry_uniforms: Values
    "Uniforms of the geometry unit that were written, by register; none without a geometry shader."
    vertices: Sequence[int]
    "Number of each vertex in the buffers of the application."
    indices: NDArray[Any] | None
    "Rows of the inputs in the order of drawing, with counts in variable mode; None for all in order."
    topology: str
    "How vertices become triangles."
    per_primitive: int | None
    "Vertices of a run of the geometry shader in point mode."

    def beside(self, file: ShaderFile) -> DrawData:
        """The data for other programs: their constants go before uniforms of the draw, which has those of its own."""
        constants: dict[bool, set[str]] = {False: set(), True: set()}
        for shader in file.programs:
            constants[shader.stage == "geometry"] |= {*shader.constants}
        return self._replace(
            vertex_uniforms={key: value for key, value in self.vertex_uniforms.items() if key not in constants[False]},
            geometry_uniforms={key: value for key, value in self.geometry_uniforms.items() if key not in constants[True]},
        )

    def run_on(self, pipeline: Pipeline, **options: Any) -> Primitives:
        """What both stages make of the data; `options` are those of `Pipeline.run`."""
        return pipeline.run(
            self.inputs,
            self.indices,
            vertex_uniforms=self.vertex_uniforms,
            geometry_uniforms=self.geometry_uniforms,
            topology=self.topology,
            vertices_per_primitive=self.per_primitive,
            **options,
        )


def drawn_file(draw: Draw, name: str, stage: str = "") -> ShaderFile:
    """The shaders of a draw, with its data; `stage` names one of them. Raises InputError for one that cannot be a program."""
    vertex, geometry = draw.vertex, draw.geometry if uses_geometry(draw) else None
    if stage == "geometry" and geometry is None:
        raise _wrong(name, "the draw has no geometry shader", "name its vertex shader")
    if stage:
        geometry = geometry if stage == "geometry" else None
        file = _one(draw, name, geometry is None)
    elif geometry is None:
        file = _one(draw, name, True)
    elif same_code(vertex, geometry):
        both = vertex if len(vertex.code) >= len(geometry.code) else geometry
        file = read_file(_shbin(both, name, [_vertex(draw, both, name), _geometry(draw, both, name)]), name)
    else:
        file = _one(draw, name, True)
        file.programs = (*file.programs, *_one(draw, name, False).programs)
    for shader in file.programs:
        if shader.stage == "geometry":
            shader.interface = shader.interface._replace(input_registers=_inputs_of(draw))
    if not stage:
        file.data = data_of(draw)
    return file


def _inputs_of(draw: Draw) -> tuple[int, ...]:
    """The input register of each input of a run in point mode; empty where they are v0, v1, ... Source: 3dbrew,
    GPUREG_GSH_ATTRIBUTES_PERMUTATION_LOW."""
    low = GEOMETRY + _PERMUTATION
    if draw.registers[_MISC0] & 0xFF != _POINT or not draw.known[low]:
        return ()
    bits = draw.registers[low] | draw.registers[low + 1] << 32
    registers = tuple([bits >> 4 * n & 15 for n in range(16)])
    count = (draw.registers[GEOMETRY + _INPUT] & 15) + 1
    return () if registers[:count] == tuple(range(count)) else registers


def same_code(one: UnitState, other: UnitState) -> bool:
    """Whether two units hold one program: libctru sends the vertex unit at most 512 words of it (shaderProgram.c)."""
    size = min(len(one.code), len(other.code))
    return one.code[:size] == other.code[:size] and one.descriptors == other.descriptors


def _one(draw: Draw, name: str, vertex: bool) -> ShaderFile:
    unit = draw.vertex if vertex else draw.geometry
    interface = (_vertex if vertex else _geometry)(draw, unit, name)
    return read_file(_shbin(unit, name, [interface]), name)


def _shbin(unit: UnitState, name: str, interfaces: list[Interface]) -> bytes:
    words = unit.code
    used = [decode(word) for word in words]
    highest = max([inst.field("desc") for inst in used if "src" in inst.op.operands], default=-1)
    descriptors = (*unit.descriptors, *(0,) * (highest + 1 - len(unit.descriptors)))
    program = Program(operations=(), interfaces=tuple(interfaces), labels={})
    return write_shbin(build(program, words, descriptors))


def _vertex(draw: Draw, unit: UnitState, name: str) -> Interface:
    last = not uses_geometry(draw)
    return _interface(draw, unit, name, VERTEX, last)


def _geometry(draw: Draw, unit: UnitState, name: str) -> Interface:
    interface = _interface(draw, unit, name, GEOMETRY, True)
    misc = draw.registers[_MISC0]
    mode = misc & 0xFF if misc & 0xFF <= _FIXED else _POINT
    count = (draw.registers[_MISC1] & 0xF) + 1 if mode == _VARIABLE else (misc >> 8 & 0xF) + 1
    return interface._replace(
        name="geometry",
        geometry=True,
        geometry_mode=mode,
        array_start=misc >> 16 & 0xFF if mode == _FIXED else 0,
        vertex_count=count if mode != _POINT else 0,
    )


def _interface(draw: Draw, unit: UnitState, name: str, base: int, last: bool) -> Interface:
    entry = draw.registers[base + _ENTRY] & 0xFFFF
    if entry >= len(unit.code):
        where = "vertex" if base == VERTEX else "geometry"
        message = f"the entry point of the {where} shader is word {entry}, and {len(unit.code)} words were sent"
        raise _wrong(name, message, "send the code before the draw, or correct GPUREG_VSH_ENTRYPOINT", "F010")
    mask = draw.registers[base + _OUTMASK] & 0xFFFF
    outputs: list[Output] = []
    if last:
        table = draw.registers[_OUTMAP : _OUTMAP + 7]
        for key, semantic in semantics_by_register(mask, draw.registers[_OUTMAP_TOTAL] & 7, table):
            register, _, letters = key.partition(".")
            wired = sum([1 << "xyzw".index(letter) for letter in letters])
            outputs.append(Output(semantic=SEMANTICS.index(semantic), register=int(register[1:]), mask=wired))
    operations = lift(unit.code, unit.descriptors)
    if not last:  # what goes on has no property
        for register, components_written in sorted(_written(unit.code, unit.descriptors).items()):
            if mask >> register & 1:
                outputs.append(Output(semantic=_DUMMY, register=register, mask=components_written))
    return Interface(
        name="main",
        entry=entry,
        entry_end=procedure_end(operations, entry),
        outputs=tuple(outputs),
        output_mask=mask,
    )


@lru_cache(maxsize=256)
def _written(code: tuple[int, ...], descriptors: tuple[int, ...]) -> dict[int, int]:
    """The components of each o register that any word writes, x in bit 0."""
    found: dict[int, int] = {}
    for word in code:
        inst = decode(word)
        if "dst" in inst.op.operands and "src" in inst.op.operands and inst.field("desc") < len(descriptors):
            dest = operands(inst, descriptors[inst.field("desc")])[1]
            if dest.register < TEMPORARY:
                found[dest.register] = found.get(dest.register, 0) | sum([1 << n for n in range(4) if dest.mask >> 3 - n & 1])
    return found


# Data


def data_of(draw: Draw) -> DrawData:
    """The data of a draw: what is not in the recording is left out."""
    import numpy as np

    numbers = numbers_of(draw)
    used = used_of(draw, numbers)
    inputs: Values = {}
    for feed in feeds_of(draw):
        rows = _rows(draw, feed, used)
        if rows is not None:
            inputs[f"v{feed.register}"] = rows
    indices = None
    if not isinstance(numbers.listed, range):
        places = {number: row for row, number in enumerate(used)}
        listed = numbers.listed
        counts = variable(draw)
        rows_of: list[int] = []
        at = 0
        while at < len(listed):
            size = listed[at] if counts else len(listed)
            rows_of += [size] if counts else []
            part = listed[at + counts : at + counts + size]
            rows_of += [places[number] for number in part]
            at += counts + max(size, 0)
        indices = np.array(rows_of, np.int64)
    geometry = uses_geometry(draw)
    return DrawData(
        inputs=inputs,
        vertex_uniforms=_uniforms(draw, draw.vertex, VERTEX),
        geometry_uniforms=_uniforms(draw, draw.geometry, GEOMETRY) if geometry else {},
        vertices=used,
        indices=indices,
        topology=topology_of(draw),
        per_primitive=_per_primitive(draw) if geometry else None,
    )


def _per_primitive(draw: Draw) -> int | None:
    """Vertices of a run in point mode: as many as fill the inputs of the geometry shader. Source: Azahar a2d16d4,
    geometry_pipeline.cpp."""
    if draw.registers[_MISC0] & 0xFF != _POINT:
        return None
    outputs = (draw.registers[VERTEX + _OUTMASK] & 0xFFFF).bit_count()
    inputs = (draw.registers[GEOMETRY + _INPUT] & 15) + 1
    return max(1, inputs // outputs) if outputs else None


def _rows(draw: Draw, feed: Feed, used: Sequence[int]) -> NDArray[Any] | Words | None:
    """The values of an attribute, a row for each vertex; None where they are not known."""
    import numpy as np

    if feed.source == DEFAULT:
        vector = draw.defaults[feed.attribute]
        words = components(vector) if vector is not None else (None,)
        return None if None in words else Words(np.array([words], np.uint32))
    if feed.source != LOADED or not used:
        return None
    if draw.immediate:
        return Words(np.array([components(vertex[feed.attribute]) for vertex in draw.immediate], np.uint32))
    low, high = used[0], used[-1]
    kind = np.dtype({"float32": "<f4", "int8": "<i1", "uint8": "<u1", "int16": "<i2"}[TYPES[feed.kind]])
    rows = np.zeros((len(used), 4), np.float32)
    rows[:, 3] = 1
    data = draw.memory.read(feed.address + low * feed.stride, (high - low) * feed.stride + feed.size)
    if data is None:
        for row, number in enumerate(used):
            part = draw.memory.read(feed.address + number * feed.stride, feed.size)
            if part is None:
                return None
            rows[row, : feed.elements] = np.frombuffer(part, kind, feed.elements)
        return rows
    whole = np.ndarray((high - low + 1, feed.elements), kind, data, 0, (feed.stride, kind.itemsize))
    rows[:, : feed.elements] = whole[np.asarray(used) - low]
    return rows


def _uniforms(draw: Draw, unit: UnitState, base: int) -> Values:
    import numpy as np

    found: Values = {}
    for number, vector in enumerate(unit.uniforms):
        value = _float(vector)
        if value is not None:
            found[f"c{number}"] = value
    for number in range(4):
        word = draw.registers[base + _INTEGER + number]
        if draw.known[base + _INTEGER + number] == _WORD:
            found[f"i{number}"] = np.array([word >> 8 * place & 0xFF for place in range(3)])
    if draw.known[base + _BOOLEAN] & _HALF == _HALF:
        for number in range(16):
            found[f"b{number}"] = np.array(bool(draw.registers[base + _BOOLEAN] >> number & 1))
    return found


def _float(vector: Vector | None) -> NDArray[Any] | Words | None:
    """A uniform as it was sent: float24 words, or float32 numbers, which the profile converts."""
    import numpy as np

    words = components(vector) if vector is not None else (None,)
    if vector is None or None in words:
        return None
    array = np.array(words, np.uint32)
    return array.view(np.float32) if vector[0] == WIDE else Words(array)


def _wrong(name: str, message: str, fix: str, code: str = "B014") -> InputError:
    return InputError([Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=name), notes=(), fix=fix)])
