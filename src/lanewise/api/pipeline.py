"""Both shader stages on arrays: `Pipeline`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.api.primitives import PipelineError, Primitives, StageFault
from lanewise.api.shader import BUDGET, OutputBinding
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span
from lanewise.engine import geometry
from lanewise.engine.binding import Inputs, bind_inputs, bind_uniforms
from lanewise.engine.names import UNIFORM_FILES, find, suggestion
from lanewise.engine.reads import reads
from lanewise.engine.reference import Reference
from lanewise.engine.results import Arrays, LaneFault, run_lanes
from lanewise.isa.outmap import carried, output_map
from lanewise.isa.pica200 import BOOLEAN, FLOAT, GEOMETRY_MODES, RESERVED_BOOLEAN
from lanewise.sem.profile import find_profile
from lanewise.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from lanewise.api.shader import Shader
    from lanewise.engine.binding import Uniforms, Words
    from lanewise.engine.reads import Reads
    from lanewise.engine.results import Result
    from lanewise.isa.outmap import OutputMap
    from lanewise.sem.profile import Profile

    Values = Mapping[str, ArrayLike | Words]

_INPUTS = 16


class Pipeline:
    """A vertex shader and what follows it: a geometry shader, or none. They may be of one file or of two.

    The geometry shader's mode is that of its `.gsh`. In point mode the outputs of the vertices, packed in the order of their
    registers, are its v0, v1, ...; in fixed mode they are float uniforms from a register that the shader says; in variable mode c0 is
    the number of vertices and they follow from c1, all outputs of the first ones and the first output of the others.

    A geometry shader with `dummy` outputs asks for merged output maps: one table for both stages, in which the properties that only
    the vertex shader declares stand behind those of the geometry shader. What the geometry shader emits in its `dummy` outputs
    arrives as these properties, so that it can hand on what it does not know, and the primitives have it under their names.
    `output_map` is that table; a `dummy` output that no word is left for is no semantic.
    """

    def __init__(self, vertex: Shader, geometry: Shader | None = None) -> None:
        """Raises InputError (B014) for a shader of the other stage."""
        findings = [
            _finding("B014", f"{shader.name} is a {shader.stage} shader", shader, f"give a {stage} shader")
            for shader, stage in ((vertex, "vertex"), (geometry, "geometry"))
            if shader is not None and shader.stage != stage
        ]
        if findings:
            raise InputError(findings)
        self.vertex = vertex
        self.geometry = geometry

    def __repr__(self) -> str:
        if self.geometry is None:
            return f"<Pipeline {self.vertex.name}>"
        return (
            f"<Pipeline {self.vertex.name} -> {self.geometry.name} ({GEOMETRY_MODES[self.geometry.interface.geometry_mode]})>"
        )

    @property
    def outputs(self) -> tuple[OutputBinding, ...]:
        """The outputs that the primitives have under a semantic; a `dummy` one under what it carries in merged output maps."""
        if self.geometry is None:
            return self.vertex.outputs
        declared = [binding for binding in self.geometry.outputs if binding.semantic.split("_")[0] != "dummy"]
        taken = {binding.register for binding in declared}
        names = {binding.register: binding.name for binding in self.geometry.outputs}
        for slot in self.output_map.slots:
            register = f"o{slot.register}"
            for semantic, components in carried(slot.word) if register in names and register not in taken else ():
                if all(binding.semantic != semantic for binding in declared):
                    declared.append(OutputBinding(semantic, register, components, names[register]))
        return tuple(declared)

    @property
    def output_map(self) -> OutputMap:
        """What the registers hold that wire outputs to the rasterizer, as libctru writes them; its `diagnostics` are what does not fit."""
        stages = dict.fromkeys([self.vertex.file] if self.geometry is None else [self.vertex.file, self.geometry.file])
        geometry = None if self.geometry is None else self.geometry.interface
        return output_map(self.vertex.interface, geometry, " + ".join(stages))

    def run(
        self,
        inputs: Values | None = None,
        indices: ArrayLike | None = None,
        uniforms: Values | None = None,
        *,
        vertex_uniforms: Values | None = None,
        geometry_uniforms: Values | None = None,
        topology: str | None = None,
        vertices_per_primitive: int | None = None,
        count: int | None = None,
        budget: int = BUDGET,
        keep_faults: bool = False,
        progress: Callable[[int, int], None] | None = None,
        profile: Profile | str | None = None,
    ) -> Primitives:
        """Run every vertex that is used, once and in the order of first use, then the geometry shader, and give the triangles.

        `inputs`, `count`, `budget`, `progress` and `profile` are as in `Shader.run`. `indices`: numbers of vertices in an array of any shape;
        none means each vertex in turn. In variable mode a count stands before the indices of each primitive; variable and fixed
        mode cannot do without indices. `uniforms` go to the stages that have that name, registers (`c4`) to both;
        `vertex_uniforms` and `geometry_uniforms` to one stage, and go before. `topology`: how vertices become triangles,
        `triangles`, `strip`, `fan` or `geometry`, which is the default with a geometry shader and the only one in which the winding
        flag of `setemit` counts. `vertices_per_primitive`: how many vertices a run of a geometry shader in point mode is
        given (default: as many as the v registers that it reads need).

        Raises ValueError for a profile or topology that does not exist; InputError with everything that is wrong with the values;
        PipelineError, unless `keep_faults`, if a vertex or a run of the geometry shader stopped without `end`.
        """
        rules = find_profile(profile)
        topology = topology or (geometry.LIST if self.geometry is None else geometry.GEOMETRY)
        if topology not in geometry.TOPOLOGIES:
            raise ValueError(f"there is no topology '{topology}': it is {', '.join(geometry.TOPOLOGIES)}")
        stages = [self.vertex] if self.geometry is None else [self.vertex, self.geometry]
        findings = [finding for shader in stages for finding in shader.entry_findings()]
        if findings:
            raise InputError(findings)
        bound, findings = bind_inputs(inputs or {}, self.vertex.interface.inputs, count, rules)
        given, more = self._uniforms_of_stages(uniforms or {}, vertex_uniforms or {}, geometry_uniforms or {})
        findings += more
        values, more = bind_uniforms(given[0], self.vertex.interface.uniforms, self.vertex.interface.constants, rules)
        findings += more
        known = {number: values.booleans[number] for number in range(16) if BOOLEAN + number in values.given}
        needed = reads(self.vertex.words, self.vertex.descriptors, self.vertex.interface.entry, known, rules)
        if not findings:
            findings = self.vertex.missing(needed, bound, values)
        listed, more = self._indices(indices, bound.lanes)
        findings += more
        if self.geometry is None:
            if findings:
                raise InputError(findings)
            result = self._vertices_alone(bound, values, needed, listed, topology, budget, progress, rules)
        else:
            runs = _Runs(self.vertex, self.geometry, rules, budget, progress, self.outputs, self.output_map)
            result = runs.run(bound, values, given[1], listed, vertices_per_primitive, topology, findings)
        if result.faults and not keep_faults:
            raise PipelineError(result, self.describe(result))
        return result

    def describe(self, result: Primitives) -> list[Diagnostic]:
        """The faults of a result in words, with the source line where it is known."""
        found: list[Diagnostic] = []
        for shader, one, many in ((self.vertex, "vertex", "vertices"), (self.geometry, "run", "runs of the geometry shader")):
            if shader is not None:
                mine = [LaneFault(fault.number, fault.fault) for fault in result.faults if fault.stage == shader.stage]
                found += shader.describe_faults(mine, one if shader.stage == "vertex" else "geometry shader's run", many)
        return found

    def _uniforms_of_stages(self, both: Values, vertex: Values, own: Values) -> tuple[tuple[Values, Values], list[Diagnostic]]:
        """The uniforms of each stage; a name that no stage has is a finding."""
        if self.geometry is None:
            return ({**both, **vertex, **own}, {}), []
        mine: list[dict[str, ArrayLike | Words]] = [{}, {}]
        findings: list[Diagnostic] = []
        declared = (self.vertex.interface.uniforms, self.geometry.interface.uniforms)
        for key, value in both.items():
            homes = [stage for stage in (0, 1) if find(key, declared[stage], UNIFORM_FILES) is not None]
            if not homes:
                names = [uniform.name for stage in declared for uniform in stage]
                fix = suggestion(key, names, "c0-c95, i0-i3, b0-b15")
                findings.append(_finding("B001", f"neither shader has a uniform '{key}'", self.vertex, fix))
            for stage in homes:
                mine[stage][key] = value
        return ({**mine[0], **vertex}, {**mine[1], **own}), findings

    def _indices(self, indices: ArrayLike | None, lanes: int) -> tuple[list[int] | None, list[Diagnostic]]:
        """The index list as it was given, counts and all."""
        if indices is None:
            return None, []
        try:
            array = np.asarray(indices)
        except ValueError:
            array = np.array("uneven")
        whole = (
            array.dtype.kind in "iu" or (array.dtype.kind == "f" and bool(np.all(array == np.floor(array)))) or not array.size
        )
        if not whole or (array.size and not 0 <= int(array.min()) <= int(array.max()) < 1 << 31):
            return None, [_finding("B011", "indices are whole numbers from 0 on", self.vertex, "give the numbers of vertices")]
        return [int(number) for number in array.reshape(-1).tolist()], []

    def _vertices_alone(
        self,
        bound: Inputs,
        values: Uniforms,
        needed: Reads,
        listed: list[int] | None,
        topology: str,
        budget: int,
        progress: Callable[[int, int], None] | None,
        rules: Profile,
    ) -> Primitives:
        """Triangles of the vertex shader's own outputs."""
        stream = list(range(bound.lanes)) if listed is None else listed
        findings = range_findings(stream, bound.lanes, self.vertex)
        if findings:
            raise InputError(findings)
        vertices, places = first_uses(stream)
        done = run_vertices(self.vertex, bound, values, vertices, needed.outputs, budget, progress, rules, self.vertex.outputs)
        triangles = geometry.assemble(len(stream), topology)
        rows = np.array(places, np.int64)[triangles.corners]
        arrays = [_rows(part, rows) for part in (done.outputs, done.words, done.written)]
        faults = tuple(StageFault("vertex", int(vertices[lane]), fault) for lane, fault in done.faults)
        count = len(triangles.corners)
        return Primitives(
            count, arrays[0], arrays[1], arrays[2], np.arange(count), triangles.left_over, faults, self.outputs, rules, self.output_map
        )  # fmt: skip


class _Runs(NamedTuple):
    """A vertex shader and the runs of a geometry shader behind it."""

    vertex: Shader
    geometry: Shader
    rules: Profile
    budget: int
    progress: Callable[[int, int], None] | None
    wirings: tuple[OutputBinding, ...]
    output_map: OutputMap

    @property
    def registers(self) -> tuple[int, ...]:
        """The vertex shader's outputs that go on, in order: those of its output mask."""
        mask = self.vertex.interface.output_mask
        return tuple(number for number in range(16) if mask >> number & 1)

    def run(
        self,
        bound: Inputs,
        values: Uniforms,
        given: Values,
        listed: list[int] | None,
        per_primitive: int | None,
        topology: str,
        findings: list[Diagnostic],
    ) -> Primitives:
        """Everything behind the vertex shader's inputs. Raises InputError with what was found before as well."""
        interface = self.geometry.interface
        own, more = bind_uniforms(given, interface.uniforms, interface.constants, self.rules)
        findings = [*findings, *more]
        known = {n: own.booleans[n] for n in range(16) if BOOLEAN + n in own.given and n != RESERVED_BOOLEAN}
        needed = reads(self.geometry.words, self.geometry.descriptors, interface.entry, known, self.rules)
        size, more = self._size(needed, per_primitive)
        findings += more
        chunks, more = self._chunks(listed, bound.lanes, size)
        findings += more
        most = max((self._floats(len(chunk)) for chunk in chunks.vertices), default=0)
        taken = geometry.uniforms_taken(interface.geometry_mode, interface.array_start, most)
        fed = {FLOAT + number for number in taken} | {BOOLEAN + RESERVED_BOOLEAN}
        if not more:
            findings += self.geometry.missing(needed, None, own._replace(given=own.given | fed))
        findings += range_findings([number for chunk in chunks.vertices for number in chunk], bound.lanes, self.vertex)
        if findings:
            raise InputError(findings)
        stream = [number for chunk in chunks.vertices for number in chunk]
        vertices, places = first_uses(stream)
        enabled = set(self.registers)
        done = run_vertices(self.vertex, bound, values, vertices, enabled, self.budget, self.progress, self.rules, ())
        program = Reference(
            self.geometry.words,
            self.geometry.descriptors,
            interface.entry,
            profile=self.rules,
            budget=self.budget,
            geometry=True,
        )
        feeds = self._feeds(chunks.vertices, places, done)
        emissions = geometry.run_geometry(program, feeds, len(chunks.vertices), own, self.progress)
        registers = sorted({int(binding.register[1:]) for binding in self.geometry.outputs} | needed.outputs)
        sent = 3 * len(emissions.primitives)
        triangles = geometry.assemble(sent, topology, geometry.winding(emissions.inverted, self.rules))
        arrays = [_rows(p, triangles.corners) for p in geometry.emitted_arrays(emissions, registers, self.wirings, self.rules)]
        runs = np.array([emissions.runs[int(corners.max()) // 3] for corners in triangles.corners], np.int64)
        faults = [StageFault("vertex", int(vertices[lane]), fault) for lane, fault in done.faults]
        faults += [StageFault("geometry", number, fault) for number, fault in emissions.faults]
        return Primitives(
            len(triangles.corners), arrays[0], arrays[1], arrays[2], runs, chunks.left_over, tuple(faults), self.wirings, self.rules,
            self.output_map,
        )  # fmt: skip

    def _floats(self, vertices: int) -> int:
        interface = self.geometry.interface
        return geometry.float_count(interface.geometry_mode, vertices, len(self.registers), interface.vertex_count)

    def _size(self, needed: Reads, asked: int | None) -> tuple[int, list[Diagnostic]]:
        """How many vertices a run is given; 1 in variable mode, where the index list says it."""
        interface = self.geometry.interface
        mode, outputs = interface.geometry_mode, len(self.registers)
        read = sorted(register for register in needed.direct if register < _INPUTS)
        if not outputs:
            return 1, [
                _finding("B012", f"{self.vertex.name} has no outputs for the geometry shader", self.vertex, "declare .out")
            ]
        if mode != geometry.POINT:
            name = GEOMETRY_MODES[mode]
            if asked is not None:
                fix = (
                    "leave out vertices_per_primitive: .gsh says it"
                    if mode == geometry.FIXED
                    else "the index list has the counts"
                )
                return 1, [_finding("B012", f"mode {name} does not take the vertices of a primitive", self.geometry, fix)]
            if read:
                message = f"{self.geometry.name} reads v{read[0]}: in mode {name} the vertices are float uniforms"
                return 1, [_finding("B012", message, self.geometry, "read them from c registers, or say .gsh point")]
            if mode == geometry.FIXED and interface.vertex_count < 1:
                return 1, [
                    _finding("B012", "a primitive of 0 vertices", self.geometry, "give .gsh fixed the number of vertices")
                ]
            return max(1, interface.vertex_count), []
        size = asked if asked is not None else (read[-1] // outputs + 1 if read else 1)
        fix = f"{self.vertex.name} has {outputs} outputs: a run can have 1 to {_INPUTS // outputs} vertices"
        if not 1 <= size * outputs <= _INPUTS:
            return 1, [_finding("B012", f"{size} vertices of {outputs} outputs do not fit v0-v15", self.geometry, fix)]
        if read and read[-1] >= size * outputs:
            message = (
                f"{self.geometry.name} reads v{read[-1]}, but {size} vertices of {outputs} outputs end at v{size * outputs - 1}"
            )
            return 1, [_finding("B012", message, self.geometry, fix)]
        return size, []

    def _chunks(self, listed: list[int] | None, lanes: int, size: int) -> tuple[geometry.Chunks, list[Diagnostic]]:
        interface = self.geometry.interface
        mode = interface.geometry_mode
        nothing = geometry.Chunks((), 0)
        if listed is None:
            if mode != geometry.POINT:
                fix = "give a list of indices" + (", with a count before each primitive" if mode == geometry.VARIABLE else "")
                return nothing, [_finding("B013", f"mode {GEOMETRY_MODES[mode]} draws by indices only", self.geometry, fix)]
            listed = list(range(lanes))
        chunks = geometry.counted_chunks(listed) if mode == geometry.VARIABLE else geometry.chunks_of(listed, size)
        if isinstance(chunks, int):
            message = f"index {chunks} of the list is the count of a primitive, and it is 0"
            return nothing, [_finding("B013", message, self.geometry, "put the number of its indices before each primitive")]
        for number, chunk in enumerate(chunks.vertices):
            start = interface.array_start if mode == geometry.FIXED else 0
            if start + self._floats(len(chunk)) > FLOAT_COUNT:
                message = f"primitive {number} has {len(chunk)} vertices, which run from c{start} past c95"
                return nothing, [_finding("B012", message, self.geometry, "give it fewer vertices, or these fewer outputs")]
        return chunks, []

    def _feeds(self, chunks: Sequence[tuple[int, ...]], places: Sequence[int], done: Result) -> Iterator[geometry.Feed]:
        """What each run is given; `places` are the lanes of the vertices of all chunks, one after another."""
        interface = self.geometry.interface
        columns = [done.words[f"o{number}"].tolist() for number in self.registers]
        start = 0
        for chunk in chunks:
            lanes = places[start : start + len(chunk)]
            start += len(chunk)
            vertices = [[_four(column[lane]) for column in columns] for lane in lanes]
            if interface.geometry_mode == geometry.FIXED:
                yield geometry.fixed_feed(vertices, interface.array_start)
            elif interface.geometry_mode == geometry.VARIABLE:
                yield geometry.variable_feed(vertices, interface.vertex_count, self.rules)
            else:
                yield geometry.point_feed(vertices)


def first_uses(stream: Sequence[int]) -> tuple[NDArray[np.int64], list[int]]:
    """The different numbers of a stream in the order in which they first come, and for each of the stream its place among them."""
    numbers, first, inverse = np.unique(np.array(stream, np.int64), return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return numbers[order], rank[inverse].tolist()


def range_findings(stream: Sequence[int], lanes: int, shader: Shader) -> list[Diagnostic]:
    """What is wrong with numbers of vertices."""
    wrong = next((number for number in stream if number >= lanes), None)
    if wrong is None:
        return []
    fix = f"there are {lanes} vertices, 0 to {lanes - 1}" if lanes > 1 else "give the inputs a row for each vertex, or count="
    return [_finding("B011", f"index {wrong} names no vertex", shader, fix)]


def run_vertices(
    shader: Shader,
    bound: Inputs,
    values: Uniforms,
    vertices: NDArray[np.int64],
    outputs: set[int] | frozenset[int],
    budget: int,
    progress: Callable[[int, int], None] | None,
    rules: Profile,
    wirings: Sequence[OutputBinding],
) -> Result:
    """The vertex shader for some of the vertices, in that order."""
    chosen = Inputs({number: array[vertices] for number, array in bound.words.items()}, len(vertices))
    entry = shader.interface.entry
    return run_lanes(shader.words, shader.descriptors, entry, chosen, values, wirings, outputs, budget, progress, rules)


def _rows(arrays: Mapping[str, NDArray[np.generic]], rows: NDArray[np.int64]) -> Arrays:
    if not isinstance(arrays, Arrays):
        raise TypeError("results hold Arrays")
    return arrays.rows(rows)


def _four(values: Sequence[int]) -> tuple[int, int, int, int]:
    x, y, z, w = values
    return x, y, z, w


def _finding(code: str, message: str, shader: Shader, fix: str) -> Diagnostic:
    return Diagnostic(code, ERROR, message, Span(shader.file), (), fix)
