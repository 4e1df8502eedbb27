"""A shader of a file, ready to run on arrays: `Shader`."""

from __future__ import annotations

from lanewise.arrays.frames import inputs_of, of_label, uniforms_of
from lanewise.core.cached import cache, partial
from lanewise.core.diagnostics import ERROR, VERTEX, About, Diagnostic, InputError
from lanewise.core.extras import compiler_lacks, require_compiler, require_numpy
from lanewise.core.later import Later
from lanewise.core.objects import Content, Named, checked
from lanewise.core.ranges import COUNT, STEPS, THREADS, count_or_none, whole, whole_or_none
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.api.interface import BUDGET, Binding, OutputBinding, RunError, binding, presets, wired
from lanewise.pica200.api.missing import unknown_extents
from lanewise.pica200.api.naming import bindable, listed
from lanewise.pica200.api.values import Remembered, bind, bind_uniforms

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Literal

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from lanewise.arrays.frames import Frame
    from lanewise.arrays.words import Words
    from lanewise.core.comparison import Comparison
    from lanewise.core.program import Drawing, ProgramServices
    from lanewise.drawing.scene import Scene
    from lanewise.pica200.api.batch import Batch
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.geometry_batch import GeometryRunner
    from lanewise.pica200.engine.reads import Reads
    from lanewise.pica200.engine.results import LaneFault, ShaderResult
    from lanewise.pica200.engine.run import Runner
    from lanewise.pica200.engine.small import SmallRunner
    from lanewise.pica200.isa.program import Alias, Interface, Program, Uniform
    from lanewise.pica200.sem.profile import Profile

_WORKED_OUT = ("_uniforms_seen", "_bindable", "_runners", "_geometry_runners", "_remembered", "_outputs")
_ALL_FLOATS = 96


class Shader(Content):
    """One shader of a file.

    `file` is the source or SHBIN that it came from; `name` is that of its source file, or `dvle0` and so on; `stage` is
    `vertex` or `geometry`; `program` is the whole file's and `interface` this shader's part of it; `words` and `descriptors`
    are what the shader unit is given.
    """

    isa: Literal["pica200"] = "pica200"
    _internal = frozenset(
        (
            "analysis_context",
            "any_runner",
            "bound",
            "bound_uniforms",
            "describe_faults",
            "entry_findings",
            "geometry_runner",
            "input_names",
            "other_inputs",
            "placed",
            "runner",
            "span",
            "uniform_names",
            "uniforms_seen",
        )
    )

    file: str
    name: str
    stage: str
    program: Program
    interface: Interface
    words: tuple[int, ...]
    descriptors: tuple[int, ...]

    def _elsewhere(self, name: str) -> str:
        from lanewise.arrays.elsewhere import of_program

        return of_program(name, "shader.run(inputs, uniforms)")

    def _content(self) -> Hashable:
        interface = self.interface
        rows = (interface.inputs, interface.uniforms, interface.outputs, interface.aliases)
        names = tuple([tuple([row._replace(span=None) if "span" in row._fields else row for row in each]) for each in rows])
        rest = (interface.geometry, interface.entry, interface.geometry_mode, interface.array_start, interface.vertex_count)
        computed = interface.preamble
        return (
            self.words,
            self.descriptors,
            names,
            tuple([(row.register, tuple(row.values)) for row in interface.constants]),
            rest,
            None if computed is None else (computed.register, computed.exact, computed.text),
        )

    def __init__(
        self,
        file: str,
        program: Program,
        interface: Interface,
        words: Sequence[int],
        descriptors: Sequence[int],
        *,
        dialect: str = "",
        code_offset: int = 0,
    ) -> None:
        """`dialect` is the language of the sources, and `code_offset` where the words begin in a file that was read."""
        self.file = file
        self.program = program
        self.interface = interface
        self.words = tuple(words)
        self.descriptors = tuple(descriptors)
        self.name = interface.name
        self.stage = "geometry" if interface.geometry else "vertex"
        self._dialect, self._code_offset = dialect, code_offset
        self._forget()

    def __repr__(self) -> str:
        return (
            f"<Shader {self.name}: {self.stage}, {len(self.inputs)} inputs, {len(self.uniforms)} uniforms, "
            f"{len(self.outputs)} outputs>"
        )

    def _repr_html_(self) -> str:
        """The interface, for notebooks."""
        from lanewise.core import html

        own = [(output.semantic, output.register, output.components, output.name) for output in self.outputs]
        names = ["name", "register", "registers"]
        return html.title(self.name, f"{self.stage} shader, {len(self.words)} words") + html.tables(
            (
                ("Inputs", names, [*self.inputs]),
                ("Uniforms", names, [*self.uniforms]),
                ("Outputs", ["semantic", "register", "components", "name"], own),
                ("Constants", ["register", "value"], [*self.constants.items()]),
            )
        )

    @property
    def text(self) -> str:
        """The shader as source in picasso's language, without the other shaders of its file."""
        return self._alone().text

    def check(self) -> tuple[Diagnostic, ...]:
        """What `lanewise check` finds in this shader, in the order of places. What is about all shaders of a file is left out
        where there are several: `ShaderFile.check` reports it, and what was found while reading or assembling."""
        from lanewise.pica200.api.checking import check_shader

        return check_shader(
            self.program, self.interface, self.words, self.descriptors, self.file, self._dialect, self._code_offset
        )

    @checked
    def equivalent(
        self,
        other: Shader,
        *,
        constants_known: bool = False,
        nan_patterns: bool = False,
        profile: Profile | str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Comparison:
        """Compare with another shader for all inputs (docs/proving.md). The result is true if they are equal.

        `constants_known`: applications do not overwrite constants of the files; `nan_patterns`: NaN are compared by their
        patterns. `profile`: by default all presets, and from each of them every other answer to one open question.
        `progress` is called with the steps of the proof so far and 0, as their number is not known. Raises ValueError for a
        profile that does not exist, TypeError for what is not a shader.
        """
        if not _is_shader(other):
            how = "`other.vertex`" if hasattr(other, "vertex") else "such as `lanewise.load(path).vertex`"
            raise TypeError(f"expected a shader, {how}, found {type(other).__name__}")
        from lanewise.core.reporting import reported
        from lanewise.pica200.api.proving import Question, compare_shaders
        from lanewise.pica200.proof.structure import Assumptions
        from lanewise.pica200.sem.profile import find_profile

        chosen = None if profile is None else (find_profile(profile),)
        question = Question(profiles=chosen, assumptions=Assumptions(constants_known, nan_patterns))
        with reported(progress):
            return compare_shaders(self, other, None, question)

    def save(self, path: str | PathLike[str]) -> None:
        """Write this shader to a file without the others of its file: a source or an SHBIN by the suffix, an SHBIN for one that
        names no form.

        Raises OSError, ValueError for the suffix of another form.
        """
        self._alone().save(path)

    def _alone(self) -> ProgramServices:
        """A file with this shader only, with the code memory of the whole file."""
        from lanewise.pica200.container.build import build
        from lanewise.pica200.container.shbin import write_shbin

        shbin = build(self.program._replace(interfaces=(self.interface,)), self.words, self.descriptors)
        # By name: files are made of shaders, so their module is above this one.
        return __import__("lanewise.pica200.api.file", fromlist=["read_file"]).read_file(write_shbin(shbin), self.name)

    @checked
    def graph(self, *, booleans: Mapping[int | str, bool] | None = None, profile: Profile | str | None = None) -> Drawing:
        """The control-flow graph: `.text()`, `.dot()`, `.svg()`, `.to_json()`. `booleans` are known boolean uniforms by number
        or name.

        Raises ValueError for a graph that is too large, and for a boolean that does not exist.
        """
        from lanewise.core.program import Drawing
        from lanewise.graph.draw import drawn
        from lanewise.graph.flow import BudgetExceeded
        from lanewise.pica200.api.naming import booleans_named
        from lanewise.pica200.api.picture import flow_picture
        from lanewise.pica200.ir.graph import MOST_STATES
        from lanewise.pica200.sem.profile import find_profile

        picture = flow_picture(
            self,
            booleans=booleans_named(self.interface, booleans or {}),
            limit=MOST_STATES,
            profile=find_profile(profile),
            title=self.name,
        )
        if isinstance(picture, BudgetExceeded):
            raise ValueError(f"{picture.reason}: booleans= rules branches out")
        return Drawing(self.isa, self.name, partial(drawn, picture))

    @property
    def inputs(self) -> tuple[Binding, ...]:
        """The inputs that the file names, those of aliases in a source too."""
        return Named([binding(uniform) for uniform in listed(self.interface, inputs=True)])

    @property
    def uniforms(self) -> tuple[Binding, ...]:
        """The uniforms that the file names, those of aliases in a source too."""
        return Named([binding(uniform) for uniform in listed(self.interface, inputs=False)])

    @property
    def input_names(self) -> tuple[Uniform | Alias, ...]:
        """The names by which data is given to inputs."""
        return self._names(inputs=True)

    @property
    def uniform_names(self) -> tuple[Uniform | Alias, ...]:
        """The names by which values are given to uniforms, those of constants too."""
        return self._names(inputs=False)

    def other_inputs(self, name: str) -> list[str] | None:
        """None for a name to which data is given, and otherwise those that there are."""
        from lanewise.pica200.engine.names import INPUT_FILES, find

        return None if find(name, self.input_names, INPUT_FILES) else [named.name for named in self.input_names]

    def _names(self, *, inputs: bool) -> tuple[Uniform | Alias, ...]:
        if inputs not in self._bindable:
            self._bindable[inputs] = bindable(self.interface, inputs=inputs)
        return self._bindable[inputs]

    @property
    def outputs(self) -> tuple[OutputBinding, ...]:
        """The outputs that the file wires to a semantic. A semantic that has come before gets a number: `color`, `color_2`."""
        if self._outputs is None:
            self._outputs = Named(wired(self.interface))
        return self._outputs

    @property
    def constants(self) -> Mapping[str, tuple[float, ...] | tuple[int, ...] | bool]:
        """The values that the file presets, by register: four floats for c, four bytes for i, a truth value for b."""
        return presets(self.interface)

    @checked
    def run(
        self,
        inputs: Mapping[str, ArrayLike | Words] | Frame | None = None,
        uniforms: Mapping[str, ArrayLike | Words] | None = None,
        *,
        count: int | None = None,
        budget: int = BUDGET,
        keep_faults: bool = False,
        progress: Callable[[int, int], None] | None = None,
        profile: Profile | str | None = None,
        engine: str = "auto",
        threads: int = 1,
        defaults: int | None = None,
    ) -> ShaderResult:
        """Run the shader once for each vertex, with the hardware's arithmetic or what `profile` says of it.

        `inputs` by name or register (`v0`): arrays (vertices, 1 to 4); a vector of 1 to 4 numbers, or an array of one row,
        is for all vertices; x of each vertex is (vertices, 1). Missing components are 0, 0, 0, 1. `uniforms` by name,
        element (`bones[2]`) or register (`c4`, `i0`, `b3`): floats (registers, 1 to 4), integers as 3 or 4 bytes, truth
        values; they go before the file's constants. What the code may read and neither the call nor the file gives is an error;
        `defaults=0` makes it 0 or false. Numbers of any real dtype are rounded once to float24, toward zero unless
        the profile says otherwise; `Words(array)` are raw float24 words. Booleans that are given decide which uniforms the code
        can reach at all.

        `count`: how many vertices (default: as many as the inputs have rows, 1 without any). `budget`: the most steps a
        vertex may take. `progress` is called with (vertices done, of all) now and then. `profile`: a
        `lanewise.pica200.Profile`, or the name of one in `lanewise.pica200.profiles`; by default `hardware`. A profile that
        computes in float32 takes numbers as float32. `engine`: `reference`, `llvm`, or `auto`, which compiles when there are
        enough vertices; the bits are the same (docs/engines.md). `threads`: among how many the compiled engine shares the
        vertices; results do not depend on it.

        Raises ValueError for a profile or engine that does not exist, or a number out of range; InputError with everything that
        is wrong with the values; RunError, unless `keep_faults`, if a vertex stopped without `end`.
        """
        rules = _profiles().find_profile(profile)
        count, budget, threads = (
            count_or_none(count),
            whole("budget", budget, STEPS),
            whole("threads", threads, THREADS),
        )
        given = inputs_of(inputs, self.other_inputs)
        bound, values, needed = self._bind(given, uniforms, count, rules, defaults)
        runner = self.any_runner(rules)
        result = runner.run(bound, values, self.outputs, needed.outputs, budget, progress, engine, threads)
        result.keep(Later(runner.registers, bound, values, budget, result.faults))
        found = partial(_warnings, self, inputs, given, uniforms)
        result.warn(found, partial(found, result))
        result.of_inputs(inputs)
        result.zeroed = tuple([f"v{number}" for number in bound.zeroed])
        if needed.relative and defaults is None:
            result.incomplete = tuple(unknown_extents(self, needed, values))
        result.make_scene = partial(_scene, self, given, uniforms_of(uniforms), count, profile, defaults)
        if result.faults and not keep_faults:
            raise RunError(result, self.describe(result))
        return result

    @checked
    def batch(
        self,
        inputs: Mapping[str, ArrayLike | Words] | Frame | None = None,
        uniforms: Mapping[str, ArrayLike | Words] | None = None,
        *,
        out: Mapping[str, NDArray[np.float32]] | None = None,
        count: int | None = None,
        budget: int = BUDGET,
        profile: Profile | str | None = None,
        engine: str = "auto",
        threads: int = 1,
        defaults: int | None = None,
    ) -> Batch:
        """A run prepared for buffers that are used again: `batch.run()` reads the input arrays as they are then.

        Arguments are as for `run`; with `auto` it is the compiled engine if it can be. `out` are arrays for outputs, by
        semantic (vertices, as many columns as it has components) or register (`o0`, four columns), float32; (vertices, 4) in C
        order is written directly. Inputs that are float32, with the components of a row side by side, are read where they are.
        Raises as `run` does.
        """
        require_compiler("Shader.batch")
        from lanewise.core.engines import AUTO, LLVM
        from lanewise.pica200.api.batch import Batch
        from lanewise.pica200.api.batch_looks import references
        from lanewise.pica200.sem.profile import find_profile

        rules, before = find_profile(profile), references(inputs)
        count, budget, threads = (
            count_or_none(count),
            whole("budget", budget, STEPS),
            whole("threads", threads, THREADS),
        )
        bound, values, needed = self._bind(inputs, uniforms, count, rules, defaults)
        chosen = LLVM if engine == AUTO else engine
        batch = Batch(self, bound, values, needed, rules, budget, chosen, threads, out, defaults)
        return batch.watching(inputs, uniforms, before)

    @checked
    def explain_engine(
        self,
        uniforms: Mapping[str, ArrayLike | Words] | None = None,
        *,
        vertices: int = 1_000_000,
        profile: Profile | str | None = None,
        engine: str = "auto",
    ) -> str:
        """Which engine `run` takes for so many vertices with these uniforms, and why, in a sentence; of a geometry shader,
        which engine `Pipeline.run` takes for so many runs of it.

        Only booleans among the uniforms matter; those not given count as false. Raises ValueError for a profile or engine that
        does not exist.
        """
        from lanewise.pica200.engine.placing import bind_interface
        from lanewise.pica200.sem.profile import find_profile

        rules = find_profile(profile)
        vertices = whole("vertices", vertices, COUNT)
        values, findings = bind_interface(uniforms_of(uniforms), self.uniform_names, self.interface, rules)
        if findings:
            raise InputError(findings)
        if self.stage == "geometry":
            require_numpy("a geometry shader")
            from lanewise.pica200.engine.geometry import POINT, uniforms_taken
            from lanewise.pica200.engine.reads import reads

            mode, start = self.interface.geometry_mode, self.interface.array_start
            fed = range(0) if mode == POINT else uniforms_taken(mode, start, _ALL_FLOATS)
            needed = reads(self.words, self.descriptors, self.interface.entry, {}, rules, geometry=True)
            choice, _ = self.geometry_runner(rules).choose(engine, values.booleans, vertices, needed.outputs, fed)
            return f"{choice.engine}: {choice.reason}"
        runner = self.any_runner(rules)
        choice, _ = runner.choose(engine, values.booleans, vertices)
        return f"{choice.engine}: {choice.reason}"

    def __getstate__(self) -> dict[str, object]:
        """What the shader is; kernels and other things that were worked out stay behind when it is pickled."""
        return {key: value for key, value in self.__dict__.items() if key not in _WORKED_OUT}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._forget()

    def _forget(self) -> None:
        self._bindable: dict[bool, tuple[Uniform | Alias, ...]] = {}
        self._runners: dict[Profile, Runner] = {}
        self._geometry_runners: dict[Profile, GeometryRunner] = {}
        self._remembered = Remembered()
        self._uniforms_seen: dict[Profile, Callable[[int, int], bool]] = {}
        self._outputs: tuple[OutputBinding, ...] | None = None

    def geometry_runner(self, profile: Profile) -> GeometryRunner:
        """What does the runs of a geometry shader under a profile; it keeps what it has compiled."""
        found = self._geometry_runners.get(profile)
        if found is None:
            from lanewise.pica200.engine.geometry_batch import GeometryRunner

            arguments = self.words, self.descriptors, self.interface.entry, profile
            found = self._geometry_runners[profile] = GeometryRunner(*arguments)
        return found

    def runner(self, profile: Profile) -> Runner:
        """What runs the shader under a profile; it keeps what it has compiled."""
        found = self._runners.get(profile)
        if found is None:
            from lanewise.pica200.engine.run import Runner

            found = self._runners.setdefault(profile, Runner(self.words, self.descriptors, self.interface.entry, profile))
        return found

    def any_runner(self, profile: Profile) -> Runner | SmallRunner:
        """What runs the shader under a profile, also where nothing can be compiled."""
        if not compiler_lacks():
            return self.runner(profile)
        from lanewise.pica200.engine.small import SmallRunner

        return SmallRunner(self.words, self.descriptors, self.interface.entry, profile)

    @checked
    def trace(
        self,
        inputs: Mapping[str, ArrayLike | Words] | Frame | None = None,
        uniforms: Mapping[str, ArrayLike | Words] | None = None,
        *,
        lane: int = 0,
        count: int | None = None,
        profile: Profile | str | None = None,
        budget: int | None = None,
        defaults: int | None = None,
    ) -> Trace:
        """What the vertex number `lane` of the inputs does, step by step. Values and `count` are given as to `run`.

        `budget`: the most steps to take (default: 20,000, as every step is kept). A vertex that stops without `end` is no error
        here: the trace has the steps until then, and the fault. Raises ValueError for a profile that does not exist; InputError
        with everything that is wrong with the values, or if there is no such vertex.
        """
        from lanewise.pica200.api.tracing import trace_lane

        budget = whole_or_none("budget", budget, STEPS)
        of_label(inputs, lane, self.file)
        bound, values, rules = self.bound(inputs, uniforms, count=count, profile=profile, defaults=defaults)
        if not 0 <= (lane := count_or_none(lane, "lane") or 0) < bound.lanes:
            given = {0: "there are no vertices", 1: "one vertex is given"}.get(bound.lanes, f"there are {bound.lanes} vertices")
            fix = (
                f"use 0 to {bound.lanes - 1}" if bound.lanes > 1 else "use 0, or leave it out" if bound.lanes else "give inputs"
            )
            finding = _finding("B008", f"lane={lane}: vertex {lane} does not exist, {given}", self.file, fix)
            raise InputError([finding._replace(about=(About(VERTEX, ""),))])
        return trace_lane(self, bound, values, lane, rules, budget)

    def bound(
        self,
        inputs: Mapping[str, ArrayLike | Words] | Frame | None = None,
        uniforms: Mapping[str, ArrayLike | Words] | None = None,
        *,
        count: int | None = None,
        profile: Profile | str | None = None,
        defaults: int | None = None,
    ) -> tuple[Inputs, Uniforms, Profile]:
        """The values of a run in registers, and its profile. Raises ValueError for a profile that does not exist,
        InputError."""
        rules = _profiles().find_profile(profile)
        values = self._bind(inputs, uniforms, count_or_none(count), rules, defaults)
        return values[0], values[1], rules

    def _bind(
        self,
        inputs: Mapping[str, ArrayLike | Words] | Frame | None,
        uniforms: Mapping[str, ArrayLike | Words] | None,
        count: int | None,
        rules: Profile,
        defaults: int | None,
    ) -> tuple[Inputs, Uniforms, Reads]:
        given = inputs_of(inputs, self.other_inputs), uniforms_of(uniforms)
        return bind(self, self._remembered, *given, count, rules, defaults)

    def bound_uniforms(
        self, given: Mapping[str, ArrayLike | Words], bound: Inputs, rules: Profile, defaults: int | None = None
    ) -> Uniforms:
        """Uniforms for inputs that are bound already. Raises InputError."""
        return bind_uniforms(self, self._remembered, given, bound, rules, defaults)

    def describe(self, result: ShaderResult) -> list[Diagnostic]:
        """The faults of a result in words, those of one place together, with the source line where it is known."""
        return self.describe_faults(result.faults)

    def describe_faults(self, faults: Sequence[LaneFault], one: str = "vertex", many: str = "vertices") -> list[Diagnostic]:
        """The same for some faults, of lanes that are called `one` or `many`."""
        from lanewise.pica200.api.result_findings import fault_findings

        return fault_findings(self, faults, one, many)

    def warnings(self, result: ShaderResult, *, feeds_geometry: bool = False) -> list[Diagnostic]:
        """What a console may not forgive in a result of `run`: reads of uninitialised components, outputs left unwritten.

        There is one warning for each instruction and component that it uses, if the component can have an effect. Outputs are
        looked at in all vertices that reached `end`, in the components that their properties take. `feeds_geometry`: a geometry
        shader gets all outputs whole.
        """
        from lanewise.pica200.api.result_findings import warnings

        return warnings(self, result, feeds_geometry=feeds_geometry)

    def uniforms_seen(self, profile: Profile) -> Callable[[int, int], bool]:
        """Whether a component of the uniform that a word reads can have an effect."""
        if profile not in self._uniforms_seen:
            from lanewise.pica200.check.demand import uniforms_seen

            self._uniforms_seen[profile] = uniforms_seen(self.analysis_context(profile, wired=False))
        return self._uniforms_seen[profile]

    def analysis_context(self, profile: Profile, *, wired: bool = True) -> AnalysisContext:
        """What analyses know of the shader. `wired`: only what outputs are wired to has an effect."""
        from lanewise.pica200.check.context import AnalysisContext

        program = self.program._replace(interfaces=(self.interface,))
        return AnalysisContext(program, self.interface, self.words, self.descriptors, wired=wired, profile=profile)

    def entry_findings(self) -> list[Diagnostic]:
        """What is wrong with the place where the shader starts."""
        entry = self.interface.entry
        if entry < len(self.words):
            return []
        return [
            _finding(
                "C012",
                f"{self.name} starts at word {entry}, but the file has {len(self.words)} words",
                self.file,
                "correct the entry in the DVLE (at 8), a number of a word; of nihstro-assemble, make the entry label the first",
            )
        ]

    def placed(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Findings about values, which have no place of their own: theirs is the shader's file."""
        return [finding if finding.span.file else finding._replace(span=Span(file=self.file)) for finding in findings]

    def span(self, address: int) -> Span:
        """Where a word came from in the source; the file if nobody knows."""
        operations = self.program.operations
        span = operations[address].span if 0 <= address < len(operations) else None
        return span or Span(file=self.file)


def _warnings(shader: Shader, frame: Any, inputs: Any, uniforms: Any, result: ShaderResult, step: int = 0) -> list[Diagnostic]:
    from lanewise.pica200.api.result_findings import run_warnings

    return run_warnings(shader, frame, inputs, uniforms_of(uniforms), result, step)


def _scene(
    shader: Shader,
    inputs: Mapping[str, ArrayLike | Words],
    uniforms: Mapping[str, ArrayLike | Words],
    count: int | None,
    profile: Profile | str | None,
    defaults: int | None,
    result: ShaderResult,
    indices: ArrayLike | None,
    topology: str,
) -> Scene:
    """The triangles of a result: the vertices are run again, those that are used."""
    require_numpy("a scene of triangles")
    from lanewise.pica200.api.pipeline import Pipeline

    primitives = Pipeline(shader).run(
        inputs, indices, uniforms, topology=topology, count=count, profile=profile, defaults=defaults, keep_faults=True
    )
    return primitives.scene()


@cache
def _profiles():
    from lanewise.pica200.sem import profile

    return profile


def _is_shader(value: object) -> bool:
    return isinstance(value, Shader)


def _finding(code: str, message: str, file: str, fix: str) -> Diagnostic:
    return Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=file), notes=(), fix=fix)
