"""Both shader stages on arrays: `Pipeline`."""

from __future__ import annotations

import numpy as np

from lanewise.arrays.frames import inputs_of
from lanewise.arrays.outputs import Arrays
from lanewise.arrays.words import FILL, MASKED, Words, is_masked
from lanewise.core.diagnostics import ERROR, INDICES, WARNING, About, Diagnostic, InputError
from lanewise.core.engines import AUTO
from lanewise.core.later import Prepared
from lanewise.core.missing import zeros_requested
from lanewise.core.objects import checked
from lanewise.core.ranges import COUNT, STEPS, THREADS, count_or_none, whole, whole_or_none
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.suggestions import instead
from lanewise.pica200.api.colours import bright_colours
from lanewise.pica200.api.interface import BUDGET, OutputBinding, counted
from lanewise.pica200.api.missing import missing, unknown_extents, without_preamble
from lanewise.pica200.api.primitives import PipelineError, Primitives, StageFault
from lanewise.pica200.api.scene import Origin
from lanewise.pica200.api.stages import Arguments, Bound, Options, bind_runs, first_uses, range_findings
from lanewise.pica200.engine import geometry
from lanewise.pica200.engine.names import UNIFORM_FILES, find, suggestion, with_reads
from lanewise.pica200.engine.placing import bind_inputs, bind_interface
from lanewise.pica200.engine.reads import reads
from lanewise.pica200.engine.results import LaneFault
from lanewise.pica200.isa.outmap import carried, output_map
from lanewise.pica200.isa.table import BOOLEAN, GEOMETRY_MODES, INTEGER, mask_text
from lanewise.pica200.sem.profile import find_profile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from lanewise.arrays.frames import Frame
    from lanewise.drawing.scene import Cause
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.stages import Runs
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.isa.outmap import OutputMap
    from lanewise.pica200.sem.profile import Profile

    Values = Mapping[str, ArrayLike | Words]


class Pipeline:
    """A vertex shader and what follows it: a geometry shader, or none. They may be of one file or of two.

    The geometry shader's mode is that of its `.gsh`. In point mode the outputs of the vertices, packed in the order of their
    registers, are its v0, v1, ...; in fixed mode they are float uniforms from a register that the shader says; in variable mode
    c0 is the number of vertices and they follow from c1, all outputs of the first ones and the first output of the others.

    A geometry shader with `dummy` outputs asks for merged output maps: one table for both stages, in which the properties that
    only the vertex shader declares stand behind those of the geometry shader. What the geometry shader emits in its `dummy`
    outputs arrives as these properties, so that it can hand on what it does not know, and the primitives have it under their
    names. `output_map` is that table; a `dummy` output that no word is left for is no semantic.
    """

    def __init__(self, vertex: Shader, geometry: Shader | None = None) -> None:
        """Raises InputError (B014) for a shader of the other stage."""
        for each in (vertex, *([] if geometry is None else [geometry])):
            if not hasattr(each, "stage"):
                fix = "`file.vertex` is one, `file.pipeline` is that of a file"
                raise TypeError(f"expected a shader, found {type(each).__name__}: {fix}")
        findings = [
            _finding("B014", f"{shader.name} is a {shader.stage} shader", shader, f"give a {stage} shader")
            for shader, stage in ((vertex, "vertex"), (geometry, "geometry"))
            if shader is not None and shader.stage != stage
        ]
        if len(findings) > 1:
            message = f"the shaders are exchanged: {vertex.name} is a geometry shader"
            findings = [_finding("B014", message, vertex, "give the vertex shader first: `Pipeline(vertex, geometry)`")]
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
        """What the registers hold that wire outputs to the rasterizer, as libctru writes them; its `diagnostics` are what does
        not fit."""
        stages = dict.fromkeys([self.vertex.file] if self.geometry is None else [self.vertex.file, self.geometry.file])
        geometry = None if self.geometry is None else self.geometry.interface
        return output_map(self.vertex.interface, geometry, " + ".join(stages))

    @checked
    def run(
        self,
        inputs: Values | Frame | None = None,
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
        engine: str = AUTO,
        threads: int = 1,
        defaults: int | None = None,
    ) -> Primitives:
        """Run every vertex that is used, once and in the order of first use, then the geometry shader, and give the triangles.

        `inputs`, `count`, `budget`, `progress`, `profile`, `engine`, `threads` and `defaults` are as in `Shader.run`; each
        stage is run by the engine that suits it (`explain_engine`). `indices`: numbers of vertices in an array of any shape;
        none means each vertex in turn. In variable mode a count stands before the indices of each primitive; variable and fixed
        mode cannot do without indices. `uniforms` go to the stages that have that name, registers (`c4`) to both;
        `vertex_uniforms` and `geometry_uniforms` to one stage, and go before. `topology`: how vertices become triangles,
        `triangles`, `strip`, `fan` or `geometry`, which is the default with a geometry shader and the only one in which the
        winding flag of `setemit` counts. `vertices_per_primitive`: how many vertices a run of a geometry shader in point mode
        is given (default: as many as the v registers that it reads need).

        Raises ValueError for a profile, topology or engine that does not exist; InputError with everything that is wrong with
        the values; PipelineError, unless `keep_faults`, if a vertex or a run of the geometry shader stopped without `end`.
        """
        if isinstance(indices, dict):
            raise TypeError("indices, which come second, are a dict: give uniforms by name, `uniforms=...`")
        rules = find_profile(profile)
        count, budget, threads = (
            count_or_none(count),
            whole("budget", budget, STEPS),
            whole("threads", threads, THREADS),
        )
        vertices_per_primitive = whole_or_none("vertices_per_primitive", vertices_per_primitive, COUNT)
        topology = topology or (geometry.LIST if self.geometry is None else geometry.GEOMETRY)
        if indices is not None and topology == geometry.LIST:
            from lanewise.arrays.announcing import warn
            from lanewise.drawing.lanes import left_over

            if left := left_over(indices, 0, topology):
                warn(left)
        if topology not in geometry.TOPOLOGIES:
            raise ValueError(f"unknown topology '{topology}': {instead(str(topology), geometry.TOPOLOGIES)}")
        given = Arguments(
            inputs=inputs_of(inputs, self.vertex.other_inputs),
            indices=indices,
            uniforms=uniforms or {},
            vertex_uniforms=vertex_uniforms or {},
            geometry_uniforms=geometry_uniforms or {},
            vertices_per_primitive=vertices_per_primitive,
            count=count,
            defaults=defaults,
        )
        bound = self._bind(given, rules)
        options = Options(budget, progress, engine, threads)
        vertices = bound.run_vertices(self.vertex, options)
        if bound.runs is None:
            result, corners = self._vertices_alone(bound, vertices, topology)
        else:
            result, corners = self._with_geometry(bound, bound.runs, vertices, topology, options)
        origin = self._origin(given, rules, topology, options, corners)
        result = result._replace(incomplete=bound.incomplete, origin=origin)
        if result.faults and not keep_faults:
            raise PipelineError(result, self.describe(result))
        return result

    def explain_engine(
        self,
        uniforms: Values | None = None,
        *,
        vertices: int = 1_000_000,
        runs: int = 1_000_000,
        vertex_uniforms: Values | None = None,
        geometry_uniforms: Values | None = None,
        profile: Profile | str | None = None,
        engine: str = AUTO,
    ) -> str:
        """Which engine `run` takes for each stage, so many vertices and runs of the geometry shader, and why: a line for each
        stage.

        Only booleans among the uniforms matter; those not given count as false. Raises ValueError for a profile or engine that
        does not exist, InputError for wrong values.
        """
        (mine, own), unknown = self._uniforms_of_stages(uniforms or {}, vertex_uniforms or {}, geometry_uniforms or {})
        if unknown:
            raise InputError(unknown)
        said = self.vertex.explain_engine(mine, vertices=vertices, profile=profile, engine=engine)
        if self.geometry is None:
            return said
        other = self.geometry.explain_engine(own, vertices=whole("runs", runs, COUNT), profile=profile, engine=engine)
        return f"vertex shader: {said}\ngeometry shader: {other}"

    def trace(
        self,
        inputs: Values | Frame | None = None,
        indices: ArrayLike | None = None,
        uniforms: Values | None = None,
        *,
        number: int = 0,
        stage: str | None = None,
        vertex_uniforms: Values | None = None,
        geometry_uniforms: Values | None = None,
        vertices_per_primitive: int | None = None,
        count: int | None = None,
        profile: Profile | str | None = None,
        budget: int | None = None,
        defaults: int | None = None,
    ) -> Trace:
        """What a run of the geometry shader does, or a vertex, step by step.

        `stage`: `geometry`, for the run of this `number`, or `vertex`, for the vertex of this number (default: the last stage
        that there is). Values and indices are as in `run`. What comes before is run too, as far as it matters: the vertices
        that runs take, and the runs before, which leave uniforms, vertices in the slots and what the profile keeps.

        `budget`: the most steps to take (default: 20,000 in what is traced, which is kept, and as in `run` before). A fault is
        no error here: the trace has it, and those of the vertices that the run takes. Raises ValueError for a profile or stage
        that does not exist; InputError with everything that is wrong with the values, or if there is no such vertex or run.
        """
        from lanewise.pica200.api.run_tracing import trace_run
        from lanewise.pica200.api.tracing import TRACE_BUDGET, trace_lane

        budget = whole_or_none("budget", budget, STEPS)
        stage = stage or ("vertex" if self.geometry is None else "geometry")
        if stage not in ("vertex", "geometry"):
            raise ValueError(f"unknown stage '{stage}': use vertex or geometry")
        if stage == "geometry" and self.geometry is None:
            fix = "add one, or trace a vertex: stage 'vertex'"
            raise InputError([_finding("B014", "the pipeline has no geometry shader to trace", self.vertex, fix)])
        bound = self.bound(
            inputs,
            indices,
            uniforms,
            vertex_uniforms=vertex_uniforms,
            geometry_uniforms=geometry_uniforms,
            vertices_per_primitive=vertices_per_primitive,
            count=count,
            profile=profile,
            defaults=defaults,
        )
        rules = bound.rules
        if stage == "vertex" or bound.runs is None:
            order = bound.used.tolist()
            if number not in order:
                there = f"use one of the vertices that run: {_listed(order)}" if order else "no vertex runs"
                raise InputError([_finding("B008", f"vertex {number} does not run", self.vertex, there)])
            before = order[: order.index(number)]
            return trace_lane(self.vertex, bound.inputs, bound.uniforms, number, rules, budget, before)
        total = bound.runs.chunks.runs
        if not 0 <= number < total:
            there = counted(total) if total else "give a run its vertices: there are no runs"
            raise InputError(
                [_finding("B008", f"run {number} of the geometry shader does not exist", bound.runs.geometry, there)]
            )
        limits = (BUDGET, TRACE_BUDGET) if budget is None else (budget, budget)
        return trace_run(self.vertex, bound, bound.runs, number, self.outputs, *limits)

    def bound(
        self,
        inputs: Values | Frame | None = None,
        indices: ArrayLike | None = None,
        uniforms: Values | None = None,
        *,
        vertex_uniforms: Values | None = None,
        geometry_uniforms: Values | None = None,
        vertices_per_primitive: int | None = None,
        count: int | None = None,
        profile: Profile | str | None = None,
        defaults: int | None = None,
    ) -> Bound:
        """The values of a run in registers, and which vertices each run takes. Raises ValueError for a profile that does not
        exist, InputError."""
        vertices_per_primitive = whole_or_none("vertices_per_primitive", vertices_per_primitive, COUNT)
        given = Arguments(
            inputs=inputs_of(inputs, self.vertex.other_inputs),
            indices=indices,
            uniforms=uniforms or {},
            vertex_uniforms=vertex_uniforms or {},
            geometry_uniforms=geometry_uniforms or {},
            vertices_per_primitive=vertices_per_primitive,
            count=count_or_none(count),
            defaults=defaults,
        )
        return self._bind(given, find_profile(profile))

    def describe(self, result: Primitives) -> list[Diagnostic]:
        """The faults of a result in words, with the source line where it is known."""
        found: list[Diagnostic] = []
        for shader, one, many in ((self.vertex, "vertex", "vertices"), (self.geometry, "run", "runs of the geometry shader")):
            if shader is not None:
                mine = [LaneFault(fault.number, fault.fault) for fault in result.faults if fault.stage == shader.stage]
                found += shader.describe_faults(mine, one if shader.stage == "vertex" else "geometry shader's run", many)
        return found

    def warnings(self, result: Primitives) -> list[Diagnostic]:
        """What a console may not forgive in a result of `run`, in both stages: reads of what nobody had written, outputs left
        unwritten; and vertices that are left over.

        In the geometry shader, what a run before has written counts where the profile keeps registers between runs; outputs are
        looked at in each vertex that EMIT puts into a slot. Behind the compiled engine only the first 4,096 vertices, and runs,
        are looked at.
        """
        from lanewise.pica200.api.result_findings import reads_unwritten

        numbers = result.used.tolist()
        vertices = self.vertex.warnings(result.vertices.numbered(numbers), feeds_geometry=self.geometry is not None)
        found = [*result.incomplete, *vertices]
        notes = result.notes
        if self.geometry is not None and notes is not None:
            found += reads_unwritten(
                self.geometry, notes.unwritten, notes.runs, "run", "runs of the geometry shader", profile=result.profile
            )
            found += [self._lacking(self.geometry, lacking, notes.emitted) for lacking in notes.lacking]
        found += self._bright(result)
        if result.left_over or (result.taken and self._counts):
            found.append(self._left_over(result))
        return found

    def _bright(self, result: Primitives) -> list[Diagnostic]:
        """Warnings about colours that the rasterizer clamps; with a geometry shader without the value that makes them so."""
        origin = result.origin
        if self.geometry is not None or origin is None:
            last = self.geometry or self.vertex
            return bright_colours(last, self.outputs, result.outputs, None)
        numbers = result.used.tolist()
        outputs = result.vertices.outputs
        return bright_colours(self.vertex, self.vertex.outputs, outputs, lambda row: origin.trace("vertex", numbers[row]))

    def _lacking(self, shader: Shader, lacking: geometry.Lacking, emitted: int) -> Diagnostic:
        register, mask, vertices, run, places = lacking
        declared = next(own for own in shader.interface.outputs if own.register == register)
        mine = [binding for binding in self.outputs if binding.register == f"o{register}"]
        first = next(iter(places))
        who = f"{vertices} of {emitted} emitted vertices lack" if emitted > 1 else "the emitted vertex lacks"
        at = shader.span(first)
        notes = (f"that emit is at {at}",) if at.line else ()
        name = " and ".join(binding.semantic for binding in mine)
        message = f"{who} {name}.{mask_text(mask)} (o{register}), first at word {first:#x} in run {run}"
        fix = "write it before every `emit`, which switches the output bank, or declare fewer components"
        return Diagnostic(
            code="R007", severity=WARNING, message=message, span=declared.span or Span(file=shader.file), notes=notes, fix=fix
        )

    @property
    def _counts(self) -> bool:
        """Whether the index list has a count before each primitive."""
        return self.geometry is not None and self.geometry.interface.geometry_mode == geometry.VARIABLE

    def _left_over(self, result: Primitives) -> Diagnostic:
        last = self.geometry or self.vertex
        some = f"{result.left_over} {'vertex is' if result.left_over == 1 else 'vertices are'}"
        drawn = result.triangles if self.geometry is None else len(result.used)
        message = f"{some} left over at the end of the list" if drawn else f"no primitive is complete: {some} given"
        if self._counts:
            fix = "give as many indices as the count says"
            return _finding("R008", f"{message}; the count before them is {result.taken}", last, fix, WARNING)
        what = "a triangle" if self.geometry is None else "a run of the geometry shader"
        fix = f"give {result.taken - result.left_over} more, or repeat vertices: one index may come several times"
        return _finding("R008", f"{message}; {what} takes {result.taken}", last, fix, WARNING)

    def _uniforms_of_stages(self, both: Values, vertex: Values, own: Values) -> tuple[tuple[Values, Values], list[Diagnostic]]:
        """The uniforms of each stage; a name that no stage has is a finding."""
        if self.geometry is None:
            return ({**both, **vertex, **own}, {}), []
        mine: list[dict[str, ArrayLike | Words]] = [{}, {}]
        findings: list[Diagnostic] = []
        declared = (self.vertex.uniform_names, self.geometry.uniform_names)
        for key, value in both.items():
            homes = [stage for stage in (0, 1) if find(key, declared[stage], UNIFORM_FILES) is not None]
            if not homes:
                names = [uniform.name for stage in declared for uniform in stage]
                fix = suggestion(key, names, "c0-c95, i0-i3, b0-b15", len(findings))
                findings.append(_finding("B001", f"unknown uniform '{key}' in both shaders", self.vertex, fix))
            for stage in homes:
                mine[stage][key] = value
        return ({**mine[0], **vertex}, {**mine[1], **own}), findings

    def _indices(self, indices: ArrayLike | None, lanes: int) -> tuple[NDArray[np.int64] | None, list[Diagnostic]]:
        """The index list as it was given, counts and all."""
        if indices is None:
            return None, []
        if is_masked(indices):
            return None, [_finding("B011", f"the list of indices {MASKED}", self.vertex, FILL)]
        try:
            array = np.asarray(indices)
        except ValueError:
            array = np.array("uneven")
        wrong = -1
        if array.dtype.kind in "iuf":
            with np.errstate(invalid="ignore"):  # signalling NaN
                right = (array >= 0) & (array < np.float64(1 << 31)) & (array == np.floor(array))
            wrong = -1 if right.all() else int(np.argmin(right.reshape(-1)))
        elif array.size:
            wrong = 0
        if wrong >= 0:
            numbers = array.dtype.kind in "iuf"
            what = (
                f"{array.reshape(-1)[wrong]:.10g}, number {wrong} of the list (from 0), is not an index"
                if numbers
                else "not a list of indices"
            )
            there = {0: "there are no vertices", 1: "there is one vertex, 0"}.get(
                lanes, f"there are {lanes} vertices, 0 to {lanes - 1}"
            )
            fix = f"give the numbers of vertices: {there}"
            if numbers and array.ndim == 2 and float(array.reshape(-1)[wrong]) == -1 and (array >= 0).all(axis=1).any():
                fix = "-1 fills rows that are not faces: leave them out, `faces[(faces >= 0).all(axis=1)]`"
            wrong_one = _finding("B011", f"{what}: indices are non-negative integers", self.vertex, fix)
            return None, [wrong_one._replace(about=(About(INDICES, ""),))]
        return array.reshape(-1).astype(np.int64), []

    def _bind(self, given: Arguments, rules: Profile) -> Bound:
        """Everything given, in registers and lists of vertices. Raises InputError with all that is wrong with it."""
        stages = [self.vertex] if self.geometry is None else [self.vertex, self.geometry]
        findings = [finding for shader in stages for finding in shader.entry_findings()]
        if findings:
            raise InputError(findings)
        bound, findings = bind_inputs(given.inputs, self.vertex.input_names, given.count, rules)
        counted = not findings
        (mine, own), unknown = self._uniforms_of_stages(given.uniforms, given.vertex_uniforms, given.geometry_uniforms)
        values, more = bind_interface(mine, self.vertex.uniform_names, self.vertex.interface, rules)
        findings = [*self.vertex.placed([*findings, *more]), *unknown]
        known = {number: values.booleans[number] for number in range(16) if BOOLEAN + number in values.given}
        counts = {number: values.integers[number] for number in range(4) if INTEGER + number in values.given}
        needed = reads(self.vertex.words, self.vertex.descriptors, self.vertex.interface.entry, known, rules, counts)
        findings = [with_reads(finding, needed.direct) for finding in findings]
        zeros, incomplete = zeros_requested(given.defaults), list[Diagnostic]()
        if not findings and zeros:
            bound = bound.with_zeros(needed.direct, rules)
            findings = without_preamble(self.vertex, needed, values)
        elif not findings:
            findings = missing(self.vertex, needed, bound, values, rules)
            incomplete = unknown_extents(self.vertex, needed, values)
        listed, more = self._indices(given.indices, bound.lanes)
        findings += more
        runs: Runs | None = None
        if self.geometry is None:
            stream = np.arange(bound.lanes, dtype=np.int64) if listed is None else listed
            outputs = needed.outputs
        else:
            size = given.vertices_per_primitive
            arguments = own, listed, bound.lanes, size, rules, given.defaults
            runs, more, warnings = bind_runs(self.vertex, self.geometry, *arguments)
            findings += more
            incomplete += warnings
            stream = runs.chunks.indices
            outputs = frozenset(runs.registers)
        if counted:
            findings += range_findings(stream, bound.lanes, self.vertex)
        if findings:
            raise InputError([*self._shared_entry(), *findings])
        used, places = first_uses(stream)
        return Bound(
            inputs=bound,
            uniforms=values,
            outputs=outputs,
            used=used,
            places=places,
            runs=runs,
            rules=rules,
            incomplete=tuple(incomplete),
        )

    def _shared_entry(self) -> list[Diagnostic]:
        """What explains that values of a geometry shader are missing, or of other inputs: it is the vertex shader."""
        if self.geometry is None:
            return []
        from lanewise.pica200.api.setup import shared_entry

        cause = shared_entry(self.vertex, self.geometry)
        return [] if cause is None else [_finding("B014", cause.message, self.geometry, cause.fix)]

    def _origin(self, given: Arguments, rules: Profile, topology: str, options: Options, corners: NDArray[np.int64]) -> Origin:
        """How to trace and repeat a run."""
        again = Prepared(_again, self, given, rules, topology, options._replace(progress=None))
        return Origin(
            corners=corners,
            trace=Prepared(_traced, self, given, rules),
            matrices=self._matrices(given),
            again=again,
            causes=Prepared(_causes, self, rules),
            emitted=self.geometry is not None,
        )

    def _matrices(self, given: Arguments) -> dict[str, NDArray[np.float64]]:
        """The float uniforms of both stages that have four registers and were given as numbers, by name."""
        found: dict[str, NDArray[np.float64]] = {}
        own = () if self.geometry is None else self.geometry.uniforms
        values = {**given.geometry_uniforms, **given.uniforms, **given.vertex_uniforms}
        for binding in (*self.vertex.uniforms, *own):
            value = values.get(binding.name)
            if binding.size == 4 and binding.register.startswith("c") and value is not None and not isinstance(value, Words):
                array = np.asarray(value)
                if array.shape == (4, 4):
                    found[binding.name] = array.astype(np.float64)
        return found

    def _vertices_alone(self, bound: Bound, done: ShaderResult, topology: str) -> tuple[Primitives, NDArray[np.int64]]:
        """Triangles of the vertex shader's own outputs, and the numbers of the vertices at their corners."""
        triangles = geometry.assemble(len(bound.places), topology)
        rows = bound.places[triangles.corners]
        arrays = [_rows(part, rows) for part in (done.outputs, done.bits, done.written)]
        count = len(triangles.corners)
        primitives = Primitives(
            triangles=count,
            outputs=arrays[0],
            bits=arrays[1],
            written=arrays[2],
            runs=np.arange(count),
            left_over=triangles.left_over,
            faults=bound.faults(done),
            bindings=self.outputs,
            profile=bound.rules,
            output_map=self.output_map,
            vertices=done,
            used=bound.used,
            find_notes=_no_notes,
            taken=3,
            engine="",
        )
        return primitives, bound.used[rows]

    def _with_geometry(
        self, bound: Bound, runs: Runs, done: ShaderResult, topology: str, options: Options
    ) -> tuple[Primitives, NDArray[np.int64]]:
        """Triangles of what the geometry shader's runs send, and the numbers of the emitted vertices at their corners."""
        rules, shader = bound.rules, runs.geometry
        wirings = self.outputs
        work = runs.work(bound.places, done, rules, wirings)
        sent = shader.geometry_runner(rules).run(work, *options)
        triangles = geometry.assemble(len(sent.rows), topology, sent.inverted, rules)
        arrays = [part.rows(sent.rows[triangles.corners]) for part in sent.arrays]
        numbers = sent.runs[triangles.corners.max(axis=1) // 3] if len(triangles.corners) else np.zeros(0, np.int64)
        faults = (*bound.faults(done), *(StageFault("geometry", number, fault) for number, fault in sent.faults))
        taken = runs.chunks.required if shader.interface.geometry_mode == geometry.VARIABLE else runs.size
        primitives = Primitives(
            triangles=len(triangles.corners),
            outputs=arrays[0],
            bits=arrays[1],
            written=arrays[2],
            runs=numbers,
            left_over=runs.chunks.left_over,
            faults=faults,
            bindings=wirings,
            profile=rules,
            output_map=self.output_map,
            vertices=done,
            used=bound.used,
            find_notes=sent.notes,
            taken=taken,
            engine=sent.engine,
        )
        return primitives, sent.rows[triangles.corners]


def _causes(pipeline: Pipeline, rules: Profile, table: OutputMap) -> tuple[Cause, ...]:
    from lanewise.pica200.api.setup import causes_of

    return causes_of(pipeline.vertex, pipeline.geometry, table, rules)


def _traced(pipeline: Pipeline, given: Arguments, rules: Profile, stage: str, number: int) -> Trace:
    """The trace of a vertex or a run of what a pipeline was given."""
    return pipeline.trace(
        given.inputs,
        given.indices,
        given.uniforms,
        number=number,
        stage=stage,
        vertex_uniforms=given.vertex_uniforms,
        geometry_uniforms=given.geometry_uniforms,
        vertices_per_primitive=given.vertices_per_primitive,
        count=given.count,
        profile=rules,
        defaults=given.defaults,
    )


def _again(
    pipeline: Pipeline,
    given: Arguments,
    rules: Profile,
    topology: str,
    options: Options,
    changed: Mapping[str, NDArray[np.float64]],
) -> Primitives:
    """What a pipeline gives with other uniforms."""
    both, vertex, own = [
        {name: changed.get(name, value) for name, value in values.items()}
        for values in (given.uniforms, given.vertex_uniforms, given.geometry_uniforms)
    ]
    return pipeline.run(
        given.inputs,
        given.indices,
        both,
        vertex_uniforms=vertex,
        geometry_uniforms=own,
        topology=topology,
        vertices_per_primitive=given.vertices_per_primitive,
        count=given.count,
        budget=options.budget,
        keep_faults=True,
        profile=rules,
        engine=options.engine,
        threads=options.threads,
        defaults=given.defaults,
    )


def _no_notes() -> None:
    """Of a pipeline without a geometry shader."""


def _rows(arrays: Mapping[str, NDArray[np.generic]], rows: NDArray[np.int64]) -> Arrays:
    if not isinstance(arrays, Arrays):
        raise TypeError("results hold Arrays")
    return arrays.rows(rows)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:8])) + (", ..." if len(numbers) > 8 else "")


def _finding(code: str, message: str, shader: Shader, fix: str, severity: str = ERROR) -> Diagnostic:
    return Diagnostic(code=code, severity=severity, message=message, span=Span(file=shader.file), notes=(), fix=fix)
