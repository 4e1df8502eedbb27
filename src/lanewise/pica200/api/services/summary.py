"""What an SHBIN holds, in terms of shaders: as a value, as plain JSON values, and as a page."""

from __future__ import annotations

from lanewise.core.diagnostics import Diagnostic, to_json
from lanewise.core.document import Heading, Items, Table
from lanewise.core.numbers.floats import float_from_float24
from lanewise.core.plain import plain_number
from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.pica200.container import layout as at
from lanewise.pica200.container import tables
from lanewise.pica200.container.build import interfaces
from lanewise.pica200.isa.outmap import output_map
from lanewise.pica200.isa.table import (
    BOOLEAN,
    FLOAT,
    GEOMETRY,
    GEOMETRY_MODES,
    INTEGER,
    SEMANTICS,
    TEMPORARY,
    VERTEX,
    register_name,
)
from lanewise.pica200.isa.uniforms import PREAMBLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.document import Block
    from lanewise.pica200.container.shbin import Dvle, Shbin
    from lanewise.pica200.isa.program import Constant, Interface, Uniform
    from lanewise.pica200.isa.table import Device

_UNKNOWN_SIZE = 0xFFFFFFFF


class Named(Record):
    """An input or uniform: its registers (`c0-c3`), its name, how many registers (`size`)."""

    registers: str
    name: str
    size: int


class Wired(Record):
    """An output: the register, the components of it, the property they go to."""

    register: str
    components: str
    semantic: str


class Preset(Record):
    """A constant: the register, its values, and the words of the file (float24 patterns, bytes or a bit)."""

    register: str
    values: tuple[float | int | bool | str, ...]
    words: tuple[int, ...]


class Place(Record):
    """A label: its name, the word it stands for, how many words belong to it (-1: unknown)."""

    name: str
    word: int
    size: int


class Mode(Record):
    """How vertices reach a geometry shader. `array` is the register of the first vertex (fixed mode), or empty."""

    name: str
    vertices: int
    array: str
    merged_outputs: bool


class Shader(Record):
    """One object of a file."""

    number: int
    "Place in the file, from 0."
    stage: str
    "vertex or geometry."
    entry: int
    "Address of the first instruction."
    entry_end: int
    "Address after the entry procedure."
    version: int
    "Field of the DVLE."
    inputs: tuple[Named, ...]
    "Names of v registers."
    outputs: tuple[Wired, ...]
    "Components of o registers with their properties."
    uniforms: tuple[Named, ...]
    "Names of c, i and b registers."
    constants: tuple[Preset, ...]
    "Registers that the file presets."
    labels: tuple[Place, ...]
    "Names of addresses, in their order."
    mode: Mode | None
    "How vertices reach a geometry shader; None for a vertex shader."
    input_mask: int
    "Bit n is set for v register n."
    output_mask: int
    "Bit n is set for o register n."


class Room(Record):
    """A unit that has to hold the file's code."""

    unit: str
    "vertex or geometry."
    words: int
    "Words that the unit has room for."
    free_words: int
    "Words that are left; negative where the code is too long."
    descriptors: int
    "Operand descriptors that the unit has room for."
    free_descriptors: int
    "Operand descriptors that are left; negative where there are too many."


class Row(Record):
    """A word of an output map."""

    register: str
    "Name of the register of the GPU."
    word: int
    "Its value."
    output: str
    "Output of the last stage that meets it (`o0`); empty for none."
    semantics: tuple[str, ...]
    "Properties of x, y, z and w; empty for a component without one."
    stages: tuple[str, ...]
    "Stages that declare it."


class Map(Record):
    """The registers that wire outputs to the rasterizer for a vertex shader alone, or with a geometry shader."""

    vertex: int
    "Number of the vertex shader in the file."
    geometry: int | None
    "Number of the geometry shader in the file; None without one."
    merged: bool
    "Both stages share the table."
    total: int
    "GPUREG_SH_OUTMAP_TOTAL."
    mode: int
    "GPUREG_SH_OUTATTR_MODE."
    clock: int
    "GPUREG_SH_OUTATTR_CLOCK."
    vertex_mask: int
    "GPUREG_VSH_OUTMAP_MASK."
    vertex_total: int
    "Outputs that go on from the vertex shader; GPUREG_VSH_OUTMAP_TOTAL1 and 2 hold one less."
    geometry_mask: int | None
    "GPUREG_GSH_OUTMAP_MASK; None without that stage."
    rows: tuple[Row, ...]
    "Words of the table."
    findings: tuple[Diagnostic, ...]
    "Outputs that do not fit together."


class File(Record):
    """A whole SHBIN."""

    name: str
    "Name of the file in messages."
    size: int
    "Bytes."
    layout: str
    "Program that has written it, by its arrangement: picasso, official, nihstro or custom."
    words: int
    "Machine words."
    descriptors: int
    "Operand descriptors."
    rooms: tuple[Room, ...]
    "Units that have to hold the code."
    stray_bytes: int
    "Bytes that belong to no part of the file."
    sources: tuple[str, ...]
    "Names of source files that official tools leave in a file."
    shaders: tuple[Shader, ...]
    "Objects in the order of the file."
    output_maps: tuple[Map, ...]
    "One for each vertex shader alone and each pair of shaders."

    @property
    def pair(self) -> tuple[Map, ...]:
        """The output map of both stages, if the file has one shader of each."""
        both = [found for found in self.output_maps if found.geometry is not None]
        return tuple(both) if len(both) == 1 else ()


def summarise(shbin: Shbin, name: str, size: int) -> File:
    """What a file of `size` bytes holds."""
    found = interfaces(shbin)
    units = [GEOMETRY] * any(i.geometry for i in found) + [VERTEX] * (not found or any(not i.geometry for i in found))
    return File(
        name=name,
        size=size,
        layout=shbin.layout if shbin.layout in at.LAYOUTS else "custom",
        words=len(shbin.words),
        descriptors=len(shbin.descriptors),
        rooms=tuple(_room(unit, shbin) for unit in reversed(units)),
        stray_bytes=sum(map(len, shbin.after.values())),
        sources=tuple(ascii(part.decode("latin-1"))[1:-1] for part in shbin.files.split(b"\0") if part),
        shaders=tuple(_shader(n, interface, dvle) for n, (interface, dvle) in enumerate(zip(found, shbin.dvles, strict=True))),
        output_maps=tuple(_maps(found, name)),
    )


def _room(unit: Device, shbin: Shbin) -> Room:
    words, descriptors = unit.code_words, unit.descriptors
    return Room(
        unit=unit.name,
        words=words,
        free_words=words - len(shbin.words),
        descriptors=descriptors,
        free_descriptors=descriptors - len(shbin.descriptors),
    )


def _shader(number: int, interface: Interface, dvle: Dvle) -> Shader:
    labels = [
        Place(
            tables.name(dvle.symbols, label.symbol) or f"unnamed{n}",
            label.word,
            -1 if label.size == _UNKNOWN_SIZE else label.size,
        )
        for n, label in enumerate(dvle.labels)
    ]
    return Shader(
        number=number,
        stage=stage(interface),
        entry=interface.entry,
        entry_end=interface.entry_end,
        version=dvle.version,
        inputs=tuple(_named(uniform) for uniform in interface.inputs),
        outputs=tuple(_wired(output.semantic, output.register, output.mask) for output in interface.outputs),
        uniforms=tuple(_named(uniform) for uniform in interface.uniforms),
        constants=tuple(_preset(constant) for constant in interface.constants),
        labels=tuple(labels),
        mode=_mode(interface) if interface.geometry else None,
        input_mask=interface.input_mask,
        output_mask=interface.output_mask,
    )


def _maps(found: tuple[Interface, ...], name: str) -> Iterator[Map]:
    """The output maps of each vertex shader alone and in front of each geometry shader."""
    behind = [None, *[number for number, interface in enumerate(found) if interface.geometry]]
    for vertex, interface in enumerate(found):
        for geometry in behind if not interface.geometry else ():
            outputs = output_map(interface, None if geometry is None else found[geometry], name)
            rows = [
                Row(
                    register=f"GPUREG_SH_OUTMAP_O{n}",
                    word=slot.word,
                    output=f"o{slot.register}" if slot.register >= 0 else "",
                    semantics=slot.semantics,
                    stages=slot.stages,
                )
                for n, slot in enumerate(outputs.slots)
            ]
            yield Map(
                vertex=vertex,
                geometry=geometry,
                merged=outputs.merged,
                total=outputs.total,
                mode=outputs.mode,
                clock=outputs.clock,
                vertex_mask=outputs.vertex_mask,
                vertex_total=outputs.vertex_total,
                geometry_mask=outputs.geometry_mask,
                rows=tuple(rows),
                findings=outputs.diagnostics,
            )


def stage(interface: Interface) -> str:
    return "geometry" if interface.geometry else "vertex"


def _named(uniform: Uniform) -> Named:
    first, last = register_name(uniform.first), register_name(uniform.last)
    return Named(first if uniform.size == 1 else f"{first}-{last}", uniform.name, uniform.size)


def _wired(semantic: int, register: int, mask: int) -> Wired:
    components = "".join(letter for bit, letter in enumerate("xyzw") if mask >> bit & 1)
    return Wired(register_name(register, written=True), components, SEMANTICS[semantic])


def _preset(constant: Constant) -> Preset:
    register, words = constant
    values: tuple[float | int | bool | str, ...]
    if FLOAT <= register < INTEGER:
        numbers = [float_from_float24(word) for word in words]
        values = tuple([plain_number(number) for number in numbers])
    elif register >= BOOLEAN:
        values = (bool(words[0]),)
    else:
        values = words
    return Preset(register_name(register), values, words)


def _mode(interface: Interface) -> Mode:
    name = GEOMETRY_MODES[interface.geometry_mode]
    array = f"c{interface.array_start}" if name == "fixed" else ""
    return Mode(name, interface.vertex_count, array, interface.merge_outputs)


def plain(value: object) -> object:
    """A value of this module as JSON has it: records become objects by field name."""
    if isinstance(value, Diagnostic):
        return to_json(value)
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        names = getattr(items, "_fields", None)
        if names is not None:
            return {name: plain(item) for name, item in zip(names, items, strict=True)}
        return [plain(item) for item in items]
    return value


# The page


def page(file: File, maps: Sequence[Map] = ()) -> list[Block]:
    """The file for a reader, with these output maps."""
    blocks: list[Block] = [Heading(1, file.name), Items(tuple(_head(file)))]
    for shader in file.shaders:
        blocks += _shader_page(shader)
    for found in maps:
        blocks += _map_page(found)
    return blocks


def _map_page(found: Map) -> list[Block]:
    who = (
        f"shader {found.vertex} alone"
        if found.geometry is None
        else f"shader {found.vertex} in front of shader {found.geometry}"
    )
    points = [
        ("OUTMAP_TOTAL", str(found.total)),
        ("OUTMAP_MASK", f"vertex {_mask_text(found.vertex_mask, 'o')}"),
        ("OUTATTR", f"MODE {found.mode}, CLOCK 0x{found.clock:X}"),
    ]
    if found.geometry_mask is not None:
        points[1] = ("OUTMAP_MASK", f"{points[1][1]}; geometry {_mask_text(found.geometry_mask, 'o')}")
        table = "both stages share the table" if found.merged else "the table is the geometry shader's own"
        points.insert(0, ("stages", f"{table}; {_count(found.vertex_total, 'output')} of each vertex go on to it"))
    head = ("register", "value", "gets", "x", "y", "z", "w", "declared by")
    rows = [
        (
            row.register,
            f"0x{row.word:08X}",
            row.output or "nothing",
            *[name or "-" for name in row.semantics],
            " and ".join(row.stages) or "-",
        )
        for row in found.rows
    ]
    blocks: list[Block] = [Heading(2, f"Output map: {who}"), Items(tuple(points))]
    return [*blocks, Table(head, tuple(rows))] if rows else blocks


def _head(file: File) -> list[tuple[str, str]]:
    layouts = {"custom": "an order of its own", "official": "as the official tools lay it out"}
    container = f"SHBIN of {file.size} bytes, {layouts.get(file.layout, f'as {file.layout} lays it out')}"
    points = [
        ("file", container if file.size else "raw words"),
        (
            "code",
            "; ".join([_count(file.words, "word"), *(_left(room.unit, room.free_words, room.words) for room in file.rooms)]),
        ),
        (
            "descriptors",
            f"{file.descriptors}; {_left('vertex', file.rooms[0].free_descriptors, file.rooms[0].descriptors, of_unit=False)}",
        ),
        ("shaders", ", ".join(shader.stage for shader in file.shaders) or "none"),
    ]
    if file.sources:
        points.append(("sources", ", ".join(file.sources)))
    if file.stray_bytes:
        points.append(("other", f"{_count(file.stray_bytes, 'byte')} that belong to no part of the file"))
    return points


def _left(unit: str, free: int, limit: int, *, of_unit: bool = True) -> str:
    where = f" in the {unit} unit" if of_unit else ""
    return f"{free} of {limit} free{where}" if free >= 0 else f"{-free} too many for the {limit}{where}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _shader_page(shader: Shader) -> list[Block]:
    end = f" to 0x{shader.entry_end:X}" if shader.entry_end > shader.entry else ""
    points = [
        (
            "starts at",
            f"word 0x{shader.entry:X}, entry procedure 0x{shader.entry:X}{end}" if end else f"word 0x{shader.entry:X}",
        )
    ]
    if shader.mode is not None:
        points.append(("mode", _mode_text(shader.mode)))
    points.append(("input mask", _mask_text(shader.input_mask, "v")))
    points.append(("output mask", _mask_text(shader.output_mask, "o")))
    hidden = next((uniform.registers for uniform in shader.uniforms if uniform.name == PREAMBLE), "")
    if hidden:
        points.append(("preamble", f"computes {hidden} before a draw: the .json beside the file, NAME_upload of the header"))
    blocks: list[Block] = [Heading(2, f"Shader {shader.number}: {shader.stage}"), Items(tuple(points))]
    parts = (
        (("input", "name"), [(n.registers, n.name) for n in shader.inputs]),
        (
            ("output", "property"),
            [(f"{w.register}{'' if w.components == 'xyzw' else '.' + w.components}", w.semantic) for w in shader.outputs],
        ),
        (("uniform", "name"), [(n.registers, n.name + (f"[{n.size}]" if n.size > 1 else "")) for n in shader.uniforms]),
        (("constant", "value"), [(p.register, _values_text(p)) for p in shader.constants]),
        (("label", "word", "words"), [(p.name, f"0x{p.word:X}", "" if p.size < 0 else str(p.size)) for p in shader.labels]),
    )
    return blocks + [Table(head, tuple(rows)) for head, rows in parts if rows]


def _mode_text(mode: Mode) -> str:
    text = {
        "point": "point: once per primitive, data from v0",
        "variable": f"variable: c0 holds the number of vertices, {mode.vertices} of them complete, data from c1",
        "fixed": f"fixed: {_count(mode.vertices, 'vertex').replace('vertexs', 'vertices')}, data from {mode.array}",
    }[mode.name]
    return text + ("; outputs merged with the vertex shader's" if mode.merged_outputs else "")


def _mask_text(mask: int, letter: str) -> str:
    registers = " ".join(f"{letter}{n}" for n in range(TEMPORARY) if mask >> n & 1)
    return f"0x{mask:04X}" + (f": {registers}" if registers else "")


def _values_text(preset: Preset) -> str:
    texts = [
        str(value).lower() if isinstance(value, bool) else f"{value:.6g}" if isinstance(value, float) else str(value)
        for value in preset.values
    ]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
