"""What a pipeline was given, in registers and lists: the vertices that are used, and what each run of a geometry shader
takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from lanewise.core.diagnostics import ERROR, INDICES, About, Diagnostic
from lanewise.core.engines import AUTO
from lanewise.core.missing import zeros_requested
from lanewise.core.record import TYPE_CHECKING, Record, TypeVar
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.api.emission_report import declared_masks
from lanewise.pica200.api.missing import missing, unknown_extents, without_preamble
from lanewise.pica200.api.primitives import StageFault
from lanewise.pica200.engine import geometry
from lanewise.pica200.engine.binding import Inputs, floats_of
from lanewise.pica200.engine.geometry_batch import Fed, Work, fed_arrays
from lanewise.pica200.engine.placing import bind_interface
from lanewise.pica200.engine.reads import reads
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.engine.results import LaneFault
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, GEOMETRY_MODES, INTEGER, RESERVED_BOOLEAN
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.registers import FLOAT_COUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from lanewise.arrays.words import Words
    from lanewise.pica200.api.interface import OutputBinding
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Uniforms
    from lanewise.pica200.engine.reads import Reads
    from lanewise.pica200.engine.reference import Words as Vector
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.sem.profile import Profile

    Values = Mapping[str, ArrayLike | Words]

T = TypeVar("T")
_INPUTS = 16
_MOST_SHOWN = 12  # indices in a message


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """The values of a call of `Pipeline.run` or `Pipeline.trace`, as its arguments of these names say them."""

    inputs: Values
    "Values of vertex inputs, by name or register."
    indices: ArrayLike | None
    "Numbers of the vertices to take; None for all in order."
    uniforms: Values
    "Values by name, for the stages that declare them."
    vertex_uniforms: Values
    "Values for the vertex shader alone."
    geometry_uniforms: Values
    "Values for the geometry shader alone."
    vertices_per_primitive: int | None
    "Vertices that a run of a geometry shader in point mode takes; None for the default."
    count: int | None
    "Number of vertices; None where the inputs say it."
    defaults: int | None = None
    "0: values that are read and not given are 0; None: they are findings."


class Options(Record):
    """How shaders are run: the arguments of these names of `Pipeline.run`."""

    budget: int
    progress: Callable[[int, int], None] | None = None
    engine: str = AUTO
    threads: int = 1


class Bound(Record):
    """The values of a pipeline, bound to registers."""

    inputs: Inputs
    "Inputs of the vertex shader."
    uniforms: Uniforms
    "Uniforms of the vertex shader."
    outputs: frozenset[int]
    "Numbers of the o registers that go on to the geometry shader."
    used: NDArray[np.int64]
    "Numbers of the vertices that are run, in the order of first use."
    places: NDArray[np.int64]
    "Place in `used` of each vertex of the stream, run after run or triangle after triangle."
    runs: Runs | None
    "Runs of the geometry shader; None without one."
    rules: Profile
    "Profile of both stages."
    incomplete: tuple[Diagnostic, ...] = ()
    "Warnings about indexed arrays that lack values."

    def run_vertices(self, shader: Shader, options: Options, count: int | None = None) -> ShaderResult:
        """The vertex shader for the vertices that are used, in that order, or the first `count` of them."""
        used = self.used[:count]
        runner = shader.any_runner(self.rules)
        inputs = self.inputs.take(used)
        done = runner.run(inputs, self.uniforms, shader.outputs, self.outputs, *options)
        done.zeroed = tuple([f"v{number}" for number in self.inputs.zeroed])
        return done

    def lane_faults(self, done: ShaderResult) -> tuple[LaneFault, ...]:
        """The vertices of `run_vertices` that stopped, by their own numbers."""
        return tuple(LaneFault(int(self.used[lane]), fault) for lane, fault in done.faults)

    def faults(self, done: ShaderResult) -> tuple[StageFault, ...]:
        """The same as faults of the vertex stage."""
        return tuple(StageFault("vertex", number, fault) for number, fault in self.lane_faults(done))


class Runs(Record):
    """The runs of a geometry shader."""

    geometry: Shader
    "The shader."
    registers: tuple[int, ...]
    "Outputs of the vertex shader that go on, in order."
    uniforms: Uniforms
    "Uniforms of the geometry shader."
    needed: Reads
    "Registers that it reads."
    size: int
    "Vertices that a run takes in point and fixed mode."
    chunks: geometry.Chunks
    "Vertices of each run."

    def program(self, rules: Profile, budget: int) -> Reference:
        """The geometry shader on the reference engine."""
        shader = self.geometry
        entry = shader.interface.entry
        return Reference(shader.words, shader.descriptors, entry, profile=rules, budget=budget, geometry=True)

    def feeds(
        self, places: NDArray[np.int64], done: ShaderResult, rules: Profile, count: int | None = None
    ) -> Iterator[geometry.Feed[Vector]]:
        """What each run is given, or each of the first `count`; `places` are the lanes of the vertices of all chunks, one after
        another."""
        columns = [done.bits[f"o{number}"].tolist() for number in self.registers]
        sizes = self.chunks.sizes[:count].tolist()
        listed = iter(places.tolist())
        for size in sizes:
            lanes = [*islice(listed, size)]
            number = number_rule(rules).constant(float(size))
            yield self.feed([[_four(column[lane]) for column in columns] for lane in lanes], (number, number, number, number))

    @property
    def fed(self) -> range:
        """The c registers that feeds overwrite."""
        taken = self._homes().floats
        return range(min(taken), max(taken) + 1) if taken else range(0)

    def _homes(self) -> geometry.Feed[tuple[int, int]]:
        """Of the longest run: which vertex and which of its outputs each register is; (-1, 0) is how many vertices there
        are."""
        vertices = [[(vertex, output) for output in self.registers] for vertex in range(self.chunks.most)]
        return self.feed(vertices, (-1, 0))

    def work(self, places: NDArray[np.int64], done: ShaderResult, rules: Profile, wirings: Sequence[OutputBinding]) -> Work:
        """The runs for an engine; arguments as for `feeds`. `wirings` are the outputs of the result."""
        written = self.needed.outputs
        registers = sorted({int(binding.register[1:]) for binding in self.geometry.outputs} | written)
        return Work(
            runs=self.chunks.runs,
            feeds=partial(self.feeds, places, done, rules),
            arrays=partial(self._arrays, places, done, rules),
            fed=self.fed,
            uniforms=self.uniforms,
            written=written,
            registers=registers,
            declared=declared_masks(wirings),
            wirings=wirings,
        )

    def _arrays(self, places: NDArray[np.int64], done: ShaderResult, rules: Profile) -> Fed:
        columns = {number: done.outputs[f"o{number}"] for number in self.registers}
        return fed_arrays(self._homes(), self.chunks.sizes, places, columns, floats_of(self.uniforms, rules))

    def feed(self, vertices: Sequence[Sequence[T]], count: T) -> geometry.Feed[T]:
        """Where the outputs of a run's vertices go; `count` stands for their number, which variable mode gives as well."""
        interface = self.geometry.interface
        if interface.geometry_mode == geometry.FIXED:
            return geometry.fixed_feed(vertices, interface.array_start)
        if interface.geometry_mode == geometry.VARIABLE:
            return geometry.variable_feed(vertices, interface.vertex_count, count)
        return geometry.point_feed(vertices, interface.input_registers)


def bind_runs(
    vertex: Shader,
    shader: Shader,
    given: Values,
    listed: NDArray[np.int64] | None,
    lanes: int,
    per_primitive: int | None,
    rules: Profile,
    defaults: int | None = None,
) -> tuple[Runs, list[Diagnostic], list[Diagnostic]]:
    """The runs of a geometry `shader` after `vertex`, what is wrong with what was given, and warnings about arrays that lack
    values.

    `listed` are the indices, None for each of `lanes` vertices in turn; `defaults` is that of `Pipeline.run`.
    """
    interface = shader.interface
    own, more = bind_interface(given, shader.uniform_names, interface, rules)
    findings = shader.placed(more)
    known = {n: own.booleans[n] for n in range(16) if BOOLEAN + n in own.given and n != RESERVED_BOOLEAN}
    counts = {n: own.integers[n] for n in range(4) if INTEGER + n in own.given}
    needed = reads(shader.words, shader.descriptors, interface.entry, known, rules, counts, geometry=interface.geometry)
    registers = tuple(number for number in range(16) if vertex.interface.output_mask >> number & 1)
    checks = _Checks(vertex, shader, len(registers))
    size, more = checks.size(needed, per_primitive, lanes)
    findings += more
    chunks, more = checks.chunks(listed, lanes, size, rules)
    findings += more
    most = checks.floats(chunks.most if chunks.runs else size)
    if not chunks.runs and interface.geometry_mode == geometry.VARIABLE:
        most = FLOAT_COUNT  # nobody knows which a run would take, as there is none
    taken = geometry.uniforms_taken(interface.geometry_mode, interface.array_start, most)
    fed = {FLOAT + number for number in taken} | {BOOLEAN + RESERVED_BOOLEAN}
    warnings: list[Diagnostic] = []
    if not more and zeros_requested(defaults):
        findings += without_preamble(shader, needed, own)
    elif not more:
        values = own._replace(given=own.given | fed)
        findings += missing(shader, needed, None, values, rules)
        warnings = unknown_extents(shader, needed, values)
    return Runs(geometry=shader, registers=registers, uniforms=own, needed=needed, size=size, chunks=chunks), findings, warnings


class _Checks(Record):
    """Whether the vertices fit: the shaders, and how many `outputs` of a vertex go on."""

    vertex: Shader
    shader: Shader
    outputs: int

    def floats(self, vertices: int) -> int:
        interface = self.shader.interface
        return geometry.float_count(interface.geometry_mode, vertices, self.outputs, interface.vertex_count)

    def size(self, needed: Reads, asked: int | None, lanes: int) -> tuple[int, list[Diagnostic]]:
        """How many of the vertices, `lanes`, a run is given; 1 in variable mode, where the index list says it."""
        interface = self.shader.interface
        mode, outputs = interface.geometry_mode, self.outputs
        read = sorted(register for register in needed.direct if register < _INPUTS)
        if interface.input_registers:  # which input of the run each is
            homes = {home: n for n, home in enumerate(interface.input_registers)}
            read = sorted([homes.get(register, register) for register in read])
        if not outputs:
            return 1, [
                _finding("B012", f"{self.vertex.name} has no outputs for the geometry shader", self.vertex, "declare `.out`")
            ]
        if mode != geometry.POINT:
            name = GEOMETRY_MODES[mode]
            if asked is not None:
                fix = (
                    "remove vertices_per_primitive: `.gsh` determines it"
                    if mode == geometry.FIXED
                    else "remove it: the index list contains the counts"
                )
                return 1, [_finding("B012", f"mode {name} does not use vertices_per_primitive", self.shader, fix)]
            if read:
                message = f"{self.shader.name} reads v{read[0]}: in mode {name} the vertices are float uniforms"
                return 1, [_finding("B012", message, self.shader, "read them from c registers, or use `.gsh point`")]
            if mode == geometry.FIXED and interface.vertex_count < 1:
                return 1, [
                    _finding("B012", "a primitive of 0 vertices", self.shader, "give `.gsh fixed` the number of vertices")
                ]
            return max(1, interface.vertex_count), []
        size = asked if asked is not None else (read[-1] // outputs + 1 if read else 1)
        fix = f"use 1 to {_INPUTS // outputs} vertices per run: {self.vertex.name} has {outputs} outputs"
        if not 1 <= size * outputs <= _INPUTS:
            return 1, [_finding("B012", f"{size} vertices of {outputs} outputs do not fit v0-v15", self.shader, fix)]
        if read and read[-1] >= size * outputs:
            wanted = read[-1] // outputs + 1
            if size < wanted <= min(lanes, _INPUTS // outputs):
                fix = f"add --vertices-per-primitive {wanted} (vertices_per_primitive={wanted}): there are {lanes} vertices"
            has = f"{counted(size, 'vertex', 'vertices')} of {counted(outputs, 'output')}, up to v{size * outputs - 1}"
            message = f"{self.shader.name} reads v{read[-1]}, but a run has {has}"
            return 1, [_finding("B012", message, self.shader, fix)]
        return size, []

    def chunks(
        self, listed: NDArray[np.int64] | None, lanes: int, size: int, rules: Profile
    ) -> tuple[geometry.Chunks, list[Diagnostic]]:
        interface = self.shader.interface
        mode = interface.geometry_mode
        nothing = geometry.Chunks(np.zeros(0, np.int64), np.zeros(0, np.int64), 0)
        if listed is None:
            if mode == geometry.VARIABLE or (mode == geometry.FIXED and rules.fixed_by_arrays == "refused"):
                fix = "give a list of indices" + (
                    ", with a count before each primitive"
                    if mode == geometry.VARIABLE
                    else "; `--set fixed_by_arrays=drawn` runs it as Azahar does"
                )
                return nothing, [_finding("B013", f"mode {GEOMETRY_MODES[mode]} draws only by indices", self.shader, fix)]
            listed = np.arange(lanes, dtype=np.int64)
        chunks = geometry.counted_chunks(listed) if mode == geometry.VARIABLE else geometry.chunks_of(listed, size)
        if isinstance(chunks, int):
            message = f"primitive at index {chunks} of the list has a count of 0"
            return nothing, [_finding("B013", message, self.shader, "put the number of its indices before each primitive")]
        start = interface.array_start if mode == geometry.FIXED else 0
        different, first = np.unique(chunks.sizes, return_index=True)
        wrong = [
            place
            for place, size in zip(first.tolist(), different.tolist(), strict=True)
            if start + self.floats(size) > FLOAT_COUNT
        ]
        if wrong:
            number = min(wrong)
            message = f"primitive {number} has {chunks.sizes[number]} vertices, which extend from c{start} past c95"
            return nothing, [_finding("B012", message, self.shader, "use fewer vertices, or fewer outputs")]
        return chunks, []


def first_uses(stream: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different numbers of a stream in the order in which they first come, and for each of the stream its place among
    them."""
    if np.all(stream[1:] > stream[:-1]):
        return stream, np.arange(len(stream), dtype=np.int64)
    numbers, first, inverse = np.unique(stream, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return numbers[order], rank[inverse.reshape(-1)]


def range_findings(stream: NDArray[np.int64], lanes: int, shader: Shader) -> list[Diagnostic]:
    """What is wrong with numbers of vertices."""
    beyond = stream >= lanes
    if not beyond.any():
        return []
    wrong = stream[np.argmax(beyond)]
    one = "give the inputs a row for each vertex, or `--count N` (`count=N`): there is one, number 0"
    fix = f"use 0 to {lanes - 1}: there are {lanes} vertices" if lanes > 1 else one
    if lanes > 1 and wrong == lanes and stream.min() == 1:  # as OBJ files and Fortran count
        listed = ",".join(map(str, (stream[:_MOST_SHOWN] - 1).tolist())) + (",..." if len(stream) > _MOST_SHOWN else "")
        fix = f"vertices count from 0: write {listed}"
    return [_finding("B011", f"index {wrong} is out of range", shader, fix)._replace(about=(About(INDICES, ""),))]


def _four(values: Sequence[int]) -> tuple[int, int, int, int]:
    x, y, z, w = values
    return x, y, z, w


def _finding(code: str, message: str, shader: Shader, fix: str) -> Diagnostic:
    return Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=shader.file), notes=(), fix=fix)
