"""What a program takes and gives, and how it is run, for each instruction set: `Subject`. Reading one needs no NumPy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lanewise.core.numbers.floats import float_from_bits
from lanewise.core.record import Record
from lanewise.core.service import UsageError
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.isa.table import register_name
from lanewise.drawing.volume import Volume
from lanewise.packages import package_of
from lanewise.pica200 import ShaderFile
from lanewise.pica200.isa.table import GEOMETRY_MODES
from lanewise.pica200.isa.table import register_name as name_of
from lanewise.pica200.isa.uniforms import hidden
from lanewise.pica200.sem.profile import find_profile
from lanewise.shadercore.api.program import ShaderCoreProgram

from lanewise_studio.stages import stages
from lanewise_studio.state import DEPTHS, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    import numpy as np
    from lanewise.arrays.results import Result
    from lanewise.core.package import Loaded
    from lanewise.pica200.api.drawn import DrawData
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.sem.profile import Profile
    from numpy.typing import NDArray

    from lanewise_studio.program import Program

    Values = Mapping[str, Any]
    Hot = Callable[[Values], Mapping[str, NDArray[np.float32]]]

_MOST_INPUTS = 16
_MATRIX = 4  # registers
_MOST_INDEXED = 72  # registers of an array that has no name: 24 bones of three rows
FLOAT, INTEGER, BOOLEAN, SAMPLER = "float", "integer", "boolean", "sampler"
GEOMETRY = "geometry"
POINT, VARIABLE, FIXED = [GEOMETRY_MODES.index(name) for name in ("point", "variable", "fixed")]
_OF_GEOMETRY = "geometry/"  # in front of the names of uniforms of a geometry shader, whose registers are its own


class Input(NamedTuple):
    """An input: its name, its register, and how many components it has."""

    name: str
    register: str
    components: int = 4


class Uniform(Record):
    """A uniform, constant or texture."""

    name: str
    "Its name in a state; of the geometry shader of a draw `geometry/NAME`."
    register: str
    "Its first register."
    registers: int
    "How many it has."
    kind: str = FLOAT
    "FLOAT, INTEGER, BOOLEAN or SAMPLER."
    known: tuple[tuple[float, ...], ...] = ()
    "The value that the file gives, or the draw that it runs with."
    source: str = ""
    "Of a draw: `draw` for its value, `missing` for one that was never written."
    stage: str = ""
    "Of a draw with two stages: the one that has it."
    by_register: bool = False
    "It is longer than its declaration, as a matrix whose first row alone has the name: runs take its rows by register."
    components: int = 4
    "How many components of a single register the source has: 1 for a `float`."

    @property
    def label(self) -> str:
        """The name in its program."""
        return self.name.removeprefix(_OF_GEOMETRY) if self.stage == GEOMETRY else self.name


class Output(NamedTuple):
    name: str
    register: str
    components: str


class Subject(ABC):
    """A program that was read, with the choices of a state."""

    def __init__(self, loaded: Loaded, program: Program) -> None:
        self.loaded, self.program = loaded, program
        self.drawn: DrawData | None = None  # the data of a draw that it runs with
        self.variant = program.variant

    @cached_property
    def inputs(self) -> Sequence[Input]:
        return self._inputs()

    @abstractmethod
    def _inputs(self) -> Sequence[Input]: ...

    @cached_property
    def uniforms(self) -> Sequence[Uniform]:
        return self._uniforms()

    @abstractmethod
    def _uniforms(self) -> Sequence[Uniform]: ...

    @cached_property
    def outputs(self) -> Sequence[Output]:
        return self._outputs()

    @abstractmethod
    def _outputs(self) -> Sequence[Output]: ...

    @cached_property
    def stage(self) -> str:
        return "vertex"

    @property
    def entries(self) -> Sequence[str]:
        """The programs of the files, where a state chooses one."""
        return ()

    @property
    def emits(self) -> bool:
        """Whether a geometry shader makes the triangles."""
        return False

    @cached_property
    def takes(self) -> int:
        """How many vertices a run of the geometry shader takes."""
        return 3

    @property
    def counts(self) -> bool:
        """Whether the number of its indices is in front of each primitive of the geometry shader."""
        return False

    @property
    def chooses(self) -> bool:
        """Whether the application says how many vertices a primitive has."""
        return False

    @cached_property
    def volume(self) -> Volume | None:
        """What the rasterizer keeps, in the range of depth that the state says; None for a program that is not drawn."""
        found, planes = self.own_volume(), DEPTHS[self.program.state.depth]
        if found is None or planes is None:
            return found
        return found._replace(nearest=planes[0], farthest=planes[1], wrong_range=(inf, inf))

    def own_volume(self) -> Volume | None:
        """That of the target."""
        make = self.program.package.volume
        found = make() if make is not None else None
        return found if isinstance(found, Volume) else None

    @abstractmethod
    def run(self, inputs: Values, uniforms: Values, count: int | None = None) -> Result:
        """The results of all vertices: `count` of a draw, whose inputs may all have one row. Raises InputError, ValueError."""

    def described(self) -> Mapping[str, Any]:
        """What `lanewise inspect` says of the file."""
        service = self.loaded.inspect
        none: dict[str, Any] = {}
        if service is None:
            return none
        return cast("Mapping[str, Any]", service(self.program.request("inspect", {"format": "json"})).data["file"])

    def own(self, uniforms: Values) -> Values:
        """The values of uniforms that `run` takes."""
        return uniforms

    def hot(self, inputs: Values, uniforms: Values) -> Hot:
        """The outputs for other uniforms, again and again, on the same inputs."""
        return lambda changed: self.run(inputs, changed).outputs


class PicaSubject(Subject):
    """A shader of the PICA200, with the geometry shader of its files."""

    def __init__(self, loaded: Loaded, program: Program) -> None:
        super().__init__(loaded, program)
        self.file = cast("ShaderFile", loaded.program)
        self.drawn = self.file.data
        self.shader, self.geometry = stages(self.file, program.shader)
        profile = find_profile(self.variant)
        self.profile = profile.set(program.state.set) if program.state.set else profile

    @cached_property
    def stage(self) -> str:
        return self.shader.stage

    def own_volume(self) -> Volume | None:
        from lanewise.pica200.api.scene import VOLUME

        return VOLUME

    @property
    def entries(self) -> Sequence[str]:
        if self.program.is_hlsl:
            return self.program.members
        return [shader.name for shader in self.file.programs if shader.stage == "vertex"]

    @property
    def emits(self) -> bool:
        return self.geometry is not None

    @property
    def counts(self) -> bool:
        return self.geometry is not None and self.geometry.interface.geometry_mode == VARIABLE

    @property
    def chooses(self) -> bool:
        return self.geometry is not None and self.geometry.interface.geometry_mode != FIXED

    @cached_property
    def takes(self) -> int:
        if self.geometry is None:
            return 3
        if self.drawn is not None and self.drawn.per_primitive is not None:
            return self.drawn.per_primitive
        interface = self.geometry.interface
        if interface.geometry_mode != POINT:
            return max(interface.vertex_count, 1)
        from lanewise.pica200.api.pipeline import Pipeline

        inputs = {row.register: [[0.0, 0.0, 0.0, 1.0]] for row in self.inputs}
        return Pipeline(self.shader, self.geometry).run(inputs, [0], defaults=0, keep_faults=True).taken

    def _inputs(self) -> Sequence[Input]:
        found = [Input(row.name, row.register) for row in self.shader.inputs]
        if self.drawn is not None and self.shader.stage == "vertex":  # its registers have no names
            from lanewise_studio.recorded import EditedFile

            registers = self.loaded.registers if isinstance(self.loaded, EditedFile) else ()
            declared = {row.register for row in found}
            found += [Input(register, register) for register in registers if register not in declared]
        if self.drawn is None and self.shader.stage == "vertex":  # registers that are read without a name
            declared = {row.register for row in found}
            found += [Input(name, name) for name in _inputs_read(self.shader) if name not in declared]
        return found

    def _uniforms(self) -> Sequence[Uniform]:
        kinds = {"c": FLOAT, "i": INTEGER, "b": BOOLEAN}
        found: dict[str, Uniform] = {}
        drawn = self.drawn
        vertices = self._vertex_registers
        for shader in (self.shader, *((self.geometry,) if self.geometry is not None else ())):
            known: dict[str, object] = {**shader.constants}
            sent = _sent_to(shader, drawn)
            stage = shader.stage if drawn is not None and self.geometry is not None else ""
            computed = {name_of(n) for n in hidden(shader.interface) if shader.interface.preamble is not None}
            rows_of = [(row.name, row.register, row.size) for row in shader.uniforms if row.register not in computed]
            if drawn is not None:
                named = {f"{row.register[0]}{int(row.register[1:]) + n}" for row in shader.uniforms for n in range(row.size)}
                rows_of += [(register, register, 1) for register in _read(shader) if register not in named]
            if shader is self.geometry:
                rows_of = [row for row in rows_of if row[1] not in vertices]
            longer = _longer(shader, known) if drawn is None else set[str]()
            for name, register, declared in rows_of:
                kind, first, size = register[0], int(register[1:]), _MATRIX if register in longer else declared
                registers = [f"{kind}{first + n}" for n in range(size)]
                values = [known[key] if key in known else _sent(sent[key]) if key in sent else None for key in registers]
                rows = tuple([_row(value) for value in values if value is not None])
                whole = len(rows) == size
                given = drawn is None or any(key in known for key in registers)  # the program has the value
                source = "" if given else "draw" if whole else "missing"
                key = f"{_OF_GEOMETRY}{name}" if stage == GEOMETRY else name
                found.setdefault(
                    key,
                    Uniform(
                        name=key,
                        register=register,
                        registers=size,
                        kind=kinds[kind],
                        known=rows if whole else (),
                        source=source,
                        stage=stage,
                        by_register=register in longer,
                        components=_components(shader, first) if kind == "c" and size == 1 and self.program.is_compiled else 4,
                    ),
                )
        return [*found.values()]

    @property
    def _vertex_registers(self) -> Collection[str]:
        """The float registers of a geometry shader in which the vertices of a primitive arrive: they are no uniforms. In
        variable mode their number is before them, and the first output of further vertices after them."""
        if self.geometry is None or self.geometry.interface.geometry_mode == POINT:
            return ()
        interface = self.geometry.interface
        count = interface.vertex_count * self.shader.interface.output_mask.bit_count()
        first = interface.array_start if interface.geometry_mode == FIXED else 0
        end = first + count + (2 if interface.geometry_mode == VARIABLE else 0)
        return {f"c{number}" for number in range(first, end)}

    def _outputs(self) -> Sequence[Output]:
        rows = (self.file.pipeline if self.geometry is not None else self.shader).outputs
        return [Output(row.semantic, row.register, row.components) for row in rows]

    def run(self, inputs: Values, uniforms: Values, count: int | None = None) -> Result:
        if self.stage == "geometry":
            raise refused(
                f"{self.shader.name} is a geometry shader: it runs on what a vertex shader gives",
                "open a vertex shader beside it",
            )
        return self.under(self.profile, inputs, uniforms, count)

    def under(self, profile: Profile, inputs: Values, uniforms: Values, count: int | None = None) -> Result:
        """The results of all vertices under another profile."""
        return self.shader.run(inputs, self.own(uniforms), count=count, profile=profile, keep_faults=True, defaults=0)

    def hot(self, inputs: Values, uniforms: Values) -> Hot:
        if self.geometry is not None:
            raise UsageError("primitives of a geometry shader are not counted again while a value is dragged")
        batch = self.shader.batch(inputs, self.own(uniforms), profile=self.profile, defaults=0)

        def again(changed: Values) -> Mapping[str, NDArray[np.float32]]:
            batch.set_uniforms(self.own(changed))
            return cast("Mapping[str, NDArray[np.float32]]", batch.run())

        return again

    def own(self, uniforms: Values) -> Values:
        """Those of the vertex shader: the geometry shader has its own."""
        own = {row.name for row in self.shader.uniforms}
        return {
            name: value for name, value in uniforms.items() if self.geometry is None or name in own or not self._names(name)
        }

    def _names(self, name: str) -> bool:
        return self.geometry is not None and name in {row.name for row in self.geometry.uniforms}


class CoreSubject(Subject):
    """A ShaderCore program."""

    def __init__(self, loaded: Loaded, program: Program) -> None:
        super().__init__(loaded, program)
        self.code = cast("ShaderCoreProgram", loaded.program)
        settings = program.state.set
        self.device = f"{self.variant}{f',{settings}' if settings else ''}"

    def _inputs(self) -> Sequence[Input]:
        return [Input(name, register) for name, register in self.code.inputs.items()]

    def _uniforms(self) -> Sequence[Uniform]:
        table = self.described()
        known = {row.number: tuple([float_from_bits(word) for word in row.values]) for row in self.code.program.constants}
        read = sorted({int(str(register)[1:]) for register in table.get("constants", ())} | known.keys())
        names: Mapping[int, str] = self.code.beside.names if self.code.beside is not None else {}
        return _grouped(read, known, {number: names.get(number, "") for number in read})

    def _outputs(self) -> Sequence[Output]:
        return [Output(name, register, "xyzw") for name, register in self.code.outputs.items()]

    def run(self, inputs: Values, uniforms: Values, count: int | None = None) -> Result:
        return self.code.run(inputs, uniforms, device=self.device, defaults=0)


class DirectSubject(Subject):
    """A Direct3D 9 shader."""

    def __init__(self, loaded: Loaded, program: Program) -> None:
        super().__init__(loaded, program)
        if not isinstance(loaded.program, Direct3DShader):
            raise UsageError(f"{program.name} holds no shader that runs alone")
        self.code = loaded.program

    @property
    def entries(self) -> Sequence[str]:
        return self.program.members

    @cached_property
    def stage(self) -> str:
        return "pixel" if self.code.shader.version.name.startswith("ps") else "vertex"

    def own_volume(self) -> Volume | None:
        return super().own_volume() if self.stage == "vertex" else None

    def _inputs(self) -> Sequence[Input]:
        return [Input(port.name, port.register, len(port.components)) for port in self.code.inputs]

    def _uniforms(self) -> Sequence[Uniform]:
        table = self.described()
        registers = cast("Mapping[str, Sequence[str]]", table.get("registers", {}))
        defined = {str(row).split(",")[0].split()[1] for row in table.get("definitions", ())}
        names = {row.register_name: row.name for row in self.code.constants}
        sizes = {row.register_name: row.registers for row in self.code.constants}
        used = {int(name[1:]) for name in registers.get("c", ()) if not name.endswith("]")}
        fixed = {int(name[1:]) for name in defined if name.startswith("c")}
        indexed = self._indexed(used | fixed)
        used |= {n for array in indexed for n in array}
        floats = sorted(used - fixed)
        named = {number: names.get(f"c{number}", "") for number in floats}
        named |= {n: f"c{each[0]}[{n - each[0]}]" for each in indexed if f"c{each[0]}" not in names for n in each}
        for register, size in sizes.items():
            if register.startswith("c"):
                named |= {
                    int(register[1:]) + n: f"{names[register]}[{n}]" for n in range(1, size) if int(register[1:]) + n in floats
                }
        found = _grouped(floats, {}, named)
        for letter, kind in (("i", INTEGER), ("b", BOOLEAN), ("s", SAMPLER)):
            found += [
                Uniform(name=names.get(name, name), register=name, registers=1, kind=kind)
                for name in registers.get(letter, ())
                if name not in defined
            ]
        return found

    def _indexed(self, taken: Collection[int]) -> list[range]:
        """The constants that a relative address may read: all arrays with names, or from its base to the next register that is
        taken."""
        code = self.code.shader
        bases = {
            source.number
            for inst in code.insts
            for source in inst.sources
            if source.is_relative and str(register_name(code.version, source.file, 0)) == "c0"
        }
        arrays = [
            range(int(row.register_name[1:]), int(row.register_name[1:]) + row.registers)
            for row in self.code.constants
            if bases and row.registers > 1 and row.register_name.startswith("c")
        ]
        for base in sorted(bases - {n for array in arrays for n in array}):
            end = min([n for n in taken if n > base], default=base + _MOST_INDEXED)
            arrays.append(range(base, min(end, base + _MOST_INDEXED)))
        return arrays

    def _outputs(self) -> Sequence[Output]:
        return [Output(port.name, port.register, "".join(["xyzw"[n] for n in port.components])) for port in self.code.outputs]

    def run(self, inputs: Values, uniforms: Values, count: int | None = None) -> Result:
        stages = {row.name: int(row.register[1:]) for row in self.uniforms if row.kind == SAMPLER}
        samplers = {stages[name]: colour for name, colour in uniforms.items() if name in stages}
        others = {name: value for name, value in uniforms.items() if name not in stages}
        return self.code.run(inputs, others, samplers=samplers, rule=self.variant, defaults=0)


def _sent_to(shader: Shader, drawn: DrawData | None) -> Mapping[str, object]:
    """The uniforms that a draw gives a shader, by register."""
    if drawn is None:
        return {}
    return drawn.geometry_uniforms if shader.stage == GEOMETRY else drawn.vertex_uniforms


def _longer(shader: Shader, known: Collection[str]) -> set[str]:
    """The uniforms of one register that are the first rows of matrices: of the three after it two at least are read, and none
    has a name or a value, as in `.alias projection c0 // -c3` of nihstro's examples."""
    taken = {f"c{int(row.register[1:]) + n}" for row in shader.uniforms if row.register[0] == "c" for n in range(row.size)}
    taken |= {*known}
    read = {*_read(shader)} - taken
    found: set[str] = set()
    for row in shader.uniforms:
        after = [f"{row.register[0]}{int(row.register[1:]) + n}" for n in range(1, _MATRIX)]
        if row.register[0] == "c" and row.size == 1 and read.issuperset(after[:2]) and after[2] not in taken:
            found.add(row.register)
    return found


def _inputs_read(shader: Shader) -> list[str]:
    """The input registers that the words of a shader may read, in their order."""
    from lanewise.pica200.engine.reads import reads

    found = reads(tuple(shader.words), tuple(shader.descriptors), shader.interface.entry, {})
    return [f"v{number}" for number in sorted(found.direct) if number < _MOST_INPUTS]


def _read(shader: Shader) -> list[str]:
    """The uniform registers that the words of a shader may read, in their order."""
    from lanewise.pica200.engine.reads import reads
    from lanewise.pica200.isa.table import FLOAT as FLOATS
    from lanewise.pica200.isa.table import register_name

    found = reads(tuple(shader.words), tuple(shader.descriptors), shader.interface.entry, {})
    return [register_name(number) for number in sorted({*found.direct, *found.relative}) if number >= FLOATS]


def _components(shader: Shader, number: int) -> int:
    """The components of a float uniform up to the last one that is read: compiled code reads those that the source has."""
    from lanewise.pica200.engine.reads import reads
    from lanewise.pica200.isa.table import FLOAT as FLOATS

    found = reads(tuple(shader.words), tuple(shader.descriptors), shader.interface.entry, {})
    return max([component + 1 for register, component in found.components if register == FLOATS + number], default=4)


def _sent(value: object) -> object:
    """A uniform of a draw as numbers."""
    from lanewise_studio.recorded import numbers

    found: Any = numbers(value)
    listed = found.reshape(-1).tolist()
    return tuple(listed) if len(listed) > 1 else bool(listed[0])


def _row(value: object) -> tuple[float, ...]:
    numbers = cast("tuple[float, ...]", value) if isinstance(value, tuple) else (bool(value),)
    return tuple([float(number) for number in numbers])


def _grouped(numbers: Sequence[int], known: Mapping[int, tuple[float, ...]], names: Mapping[int, str]) -> list[Uniform]:
    """Float registers as uniforms: those of one array together, and c0 to c3 without names or values as one: a matrix, by
    custom."""
    found: list[Uniform] = []
    left = [*numbers]
    while left:
        first = left.pop(0)
        name = names.get(first, "")
        size = 1
        if name:
            base = name.partition("[")[0]
            while left and left[0] == first + size and names.get(left[0], "").partition("[")[0] == base:
                left.pop(0)
                size += 1
            name = base if size > 1 or name.endswith("[0]") else name
        elif first == 0 and left[:3] == [1, 2, 3] and not any(names.get(number) or number in known for number in range(4)):
            del left[:3]
            size = 4
        rows = tuple([known[first + n] for n in range(size)]) if all(first + n in known for n in range(size)) else ()
        found.append(Uniform(name=name or f"c{first}", register=f"c{first}", registers=size, kind=FLOAT, known=rows))
    return found


def subject_of(loaded: Loaded, program: Program) -> Subject:
    """The program as its instruction set has it. Raises UsageError for one that the studio does not run, InputError."""
    kinds: dict[str, type[Subject]] = {"pica200": PicaSubject, "shadercore": CoreSubject, "direct3d9": DirectSubject}
    if loaded.isa not in kinds:
        raise UsageError(f"the studio does not run programs of {package_of(loaded.isa).title}")
    return kinds[loaded.isa](loaded, program)


__all__ = [
    "BOOLEAN",
    "FLOAT",
    "GEOMETRY",
    "INTEGER",
    "SAMPLER",
    "CoreSubject",
    "Hot",
    "Input",
    "Output",
    "PicaSubject",
    "Subject",
    "Uniform",
    "subject_of",
]
