"""Measurements of `lanewise bench` for one case under one profile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.api.loading import assemble
from lanewise.core.engines import REFERENCE
from lanewise.llvm.caches import bypassed_from
from lanewise.llvm.movers import NO_MOVERS, movers
from lanewise.llvm.target import assembly, compile_object, host, load_object
from lanewise.pica200.engine.llvm.arguments import BAILED_COUNT, COUNT
from lanewise.pica200.engine.llvm.generate import generate
from lanewise.pica200.engine.llvm.kernel import Call, Kernel
from lanewise.pica200.engine.llvm.plan import Plan, plan, unrolled
from lanewise.pica200.engine.llvm.repeat import Sampled, seconds_of
from lanewise.pica200.engine.llvm.running import Columns, columns, table_of
from lanewise.pica200.engine.llvm.shape import QUICK, quick_shape
from lanewise.pica200.engine.llvm.shape import best as best_shape
from lanewise.pica200.engine.placing import bind_inputs, bind_uniforms
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.ir.ssa import Unsupported
from lanewise.pica200.sem.profile import HARDWARE, profiles
from lanewise_bench.bound import Limit
from lanewise_bench.bound import bound as bound_of
from lanewise_bench.cases import CASES, RING, arrays_of, bound, executed, shader_of
from lanewise_bench.copying import MOVED, aligned, copiers
from lanewise_bench.emitted import code_of, longest, machine_code, operations
from lanewise_bench.emitted import executed as runs_of
from lanewise_bench.floors import floors
from lanewise_bench.machine import Clock, Pieces, pieces, rounds, traced
from lanewise_bench.needed import WIDTH as _VECTOR
from lanewise_bench.needed import needed
from lanewise_bench.processors import core_of
from lanewise_bench.throughput import throughput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from lanewise.llvm.target import Loaded, Target
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.llvm.shape import Shape
    from lanewise.pica200.sem.profile import Profile
    from lanewise_bench.cases import BenchCase
    from lanewise_bench.copying import Copier
    from lanewise_bench.emitted import Machine
    from lanewise_bench.floors import Floors

    JSON = (
        str
        | int
        | float
        | bool
        | dict[str, dict[str, float]]
        | dict[str, int]
        | dict[str, str | bool | float | dict[str, float]]
    )

PROFILES = {"hardware": HARDWARE, "rounding=nearest": HARDWARE.replace(rounding="nearest"), "azahar": profiles["azahar"]}
_PLAIN = "azahar"  # the profile that computes in plain float32
STREAM, _STREAMS = 1 << 20, 12
_FUEL = 1_000_000
# Of how many samples the best counts, and how many seconds each takes at least: short ones, which nothing interrupts on a busy
# machine.
SAMPLES, _SAMPLE = 40, 0.001
_COMPILED = 3  # times that each kernel is compiled; the best counts
_BY_REFERENCE = 24  # vertices that the reference engine does
_TRACED, _FEWEST = 24, 4  # vectors of which it is seen what runs, at most and at least


class Measured(NamedTuple):
    """Times of a vertex in ns: of the best kernel, and of the one that is compiled first (`quick_ns`).

    `stream` are two: of a million vertices, and of the faster kernel that only moves the same data.
    """

    name: str
    profile: str
    instructions: float
    vertices: int
    ns: float
    quick_ns: float
    exact_ns: float
    float32_ns: float
    reference_ns: float
    bytes_moved: int
    compile_ms: float
    best_compile_ms: float
    exact_compile_ms: float
    reload_ms: float
    floors: Floors
    copied_ns: float
    width: int
    longest_ns: float
    code: Machine
    stream: tuple[float, float] | None

    @property
    def reached(self) -> bool:
        """Whether the time is near enough to a floor."""
        return self.floors.reached(self.ns)

    def to_json(self, bandwidth: float) -> dict[str, JSON]:
        """Everything by name; `bandwidth` is in bytes a second."""
        floors = self.floors
        found: dict[str, JSON] = {
            "name": self.name,
            "profile": self.profile,
            "instructions": self.instructions,
            "vertices": self.vertices,
            "ns_per_vertex": self.ns,
            "quick_ns_per_vertex": self.quick_ns,
            "float32_ns_per_vertex": self.float32_ns,
            "exact_ns_per_vertex": self.exact_ns,
            "reference_ns_per_vertex": self.reference_ns,
            "instructions_per_second": self.instructions / self.ns * 1e9,
            "bytes_per_vertex": self.bytes_moved,
            "bandwidth_share": self.bytes_moved / self.ns * 1e9 / bandwidth,
            "times_float32": self.ns / self.float32_ns,
            "times_exact": self.exact_ns / self.ns,
            "times_reference": self.reference_ns / self.ns,
            "compile_ms": self.compile_ms,
            "best_compile_ms": self.best_compile_ms,
            "exact_compile_ms": self.exact_compile_ms,
            "reload_ms": self.reload_ms,
            "floor_ns_per_vertex": floors.floor,
            "floor_reason": floors.reason,
            "times_floor": self.ns / floors.floor,
            "results_ns_per_vertex": floors.results,
            "moving_ns_per_vertex": floors.moving,
            "copying_ns_per_vertex": self.copied_ns,
            "emitted_ns_per_vertex": floors.emitting,
            "times_emitted": self.ns / floors.emitting,
            "reached": self.reached,
            "limited_by": floors.part,
            "shares_ns": floors.shares(self.ns)._asdict(),
            "width": self.width,
            "longest_chain_ns": self.longest_ns,
            "machine_code": {"instructions": self.code.instructions, "on_stack": self.code.on_stack},
            "operations": {"results": {**floors.needed}, "moving": {**floors.moved}, "emitted": {**floors.emitted}},
        }
        if floors.limit is not None:
            found["bound"] = floors.limit.to_json()
        if self.stream is not None:
            whole, moved = self.stream
            found |= {"stream_ns_per_vertex": whole, "move_ns_per_vertex": moved, "times_move": whole / moved}
        return found


class Data(NamedTuple):
    """A case with vertices: its data as kernels read it, and memory for its outputs."""

    plan: Plan
    inputs: Inputs
    uniforms: Uniforms
    columns: Columns
    outputs: Mapping[int, NDArray[np.float32]]
    flags: Mapping[int, NDArray[np.uint8]]

    @property
    def vertices(self) -> int:
        return self.inputs.lanes

    def best(self, target: Target) -> tuple[Plan, Shape]:
        """What the best kernel for these uniforms is generated from."""
        plan = unrolled(self.plan, self.uniforms.integers)
        table = table_of(self.plan, self.uniforms)
        return plan, best_shape(plan, target, table.bound, table.unclear)

    def call(self, kernel: Kernel) -> Call:
        arrays = {register: self.columns.arrays[register] for register in kernel.inputs}
        return Call(kernel, table_of(kernel.plan, self.uniforms), self.vertices, arrays, self.outputs, self.flags, _FUEL)

    def copiers(self, target: Target, at_least: float) -> list[Copier]:
        """Kernels that only move the same data."""
        outputs = list(self.outputs.values())
        inputs = [self.columns.arrays[register] for register in sorted(self.plan.inputs) if register in self.columns.arrays]
        return copiers(target, inputs, outputs, at_least)


def prepared(shader: Shader, inputs: Inputs, uniforms: Uniforms, rules: Profile, *, in_place: bool = False) -> Data:
    """Data for kernels of a shader, in aligned memory unless `in_place`.

    Raises RuntimeError if the shader cannot be compiled.
    """
    result = plan_of(shader, dict(enumerate(uniforms.booleans)), rules)
    found = columns({register: column.numbers for register, column in inputs.words.columns.items()})
    arrays = dict(found.arrays)
    for register, array in found.arrays.items() if not in_place else ():
        arrays[register] = aligned(*array.shape)
        arrays[register][:] = array
    outputs = {register: aligned(inputs.lanes) for register in result.outputs}
    flags = {register: np.zeros(inputs.lanes, np.uint8) for register in result.unsure}
    return Data(result, inputs, uniforms, Columns(arrays, found.layouts), outputs, flags)


class _Ready(NamedTuple):
    """A case under a profile: its kernels, what they gave, and what it took to make them."""

    data: Data
    best: Sampled
    quick: Sampled
    exact: Sampled
    wanted: Mapping[int, NDArray[np.float32]]
    times: tuple[float, float, float, float]  # ms: the quick kernel, the best, the exact, one from the cache


class Bench:
    """Measures cases at a level of the processor; what is the same for several is measured once."""

    def __init__(self, level: str, *, stream: bool, vertices: int = RING, profiles: Mapping[str, Profile] = PROFILES) -> None:
        """`profiles` are those that cases may be measured under, by name; `azahar` is among them. Raises ValueError for a level
        that this machine does not have."""
        self.target = host(level)
        self._profiles = profiles
        self.throughput = throughput(self.target)
        self.core = core_of(host().cpu, self.target.level) if self.target.family == "x86" else None
        self.clock = Clock(self.target, _SAMPLE) if self.core is not None else None
        self._stream, self._vertices = stream, vertices
        self._plain: tuple[str, _Ready | None] = "", None
        # The first compilation in a process takes longer than the others.
        shader = assemble(_FIRST).vertex
        nothing = bind_inputs({}, shader.interface.inputs, 0, HARDWARE)[0], bind_uniforms({}, (), (), HARDWARE)[0]
        _timed(prepared(shader, *nothing, HARDWARE), self.target, plan_of(shader, {}, HARDWARE), QUICK, times=1)

    def measure(self, case: BenchCase, profile: str) -> Measured:
        """Raises RuntimeError if compiled code does not give what the reference engine does, or cannot do the case."""
        rules = self._profiles[profile]
        shader = shader_of(case)
        ready = self._ready(case, profile)
        data = ready.data
        part = data.inputs.take(np.arange(_BY_REFERENCE))
        start = time.thread_time()
        wanted = Runner(shader.words, shader.descriptors, shader.interface.entry, rules).run(
            part, data.uniforms, shader.outputs, (), 10_000, engine=REFERENCE
        )
        reference = (time.thread_time() - start) / _BY_REFERENCE
        for register, array in ready.wanted.items():
            if not np.array_equal(array[:_BY_REFERENCE].view(np.uint32), wanted.outputs[f"o{register}"].view(np.uint32)):
                raise RuntimeError(f"{case.name}, {profile}: o{register} is not what the reference engine gives")
        if profile == _PLAIN:
            plain = ready
        elif self._plain[0] == case.name and self._plain[1] is not None:
            plain = self._plain[1]
        else:
            plain = self._ready(case, _PLAIN)
            self._plain = case.name, plain
        moving = data.copiers(self.target, _SAMPLE)
        sampled = [ready.best, ready.quick, ready.exact, plain.best]
        clock = [self.clock.sampled] if self.clock is not None else []
        best, quick, exact, floats = seconds_of([*sampled, *(one.sampled for one in moving), *clock], SAMPLES)[: len(sampled)]
        each = 1e9 / data.vertices
        moved = each * min(one.sampled.best for one in moving if one.kind == MOVED)
        found = self.floors(data, ready.best, moved)
        quick_ms, best_ms, exact_ms, reload_ms = ready.times
        return Measured(
            case.name,
            profile,
            executed(shader, data.inputs, data.uniforms, rules, _BY_REFERENCE),
            data.vertices,
            each * best,
            each * quick,
            each * exact,
            each * floats,
            1e9 * reference,
            16 * (case.inputs + case.outputs),
            quick_ms,
            best_ms,
            exact_ms,
            reload_ms,
            found,
            each * min(one.sampled.best for one in moving),
            data.best(self.target)[1].width,
            longest(code_of(self._ir(data), self.target), self.throughput.latencies(found.emitted)),
            machine_code(self._ir(data), self.target),
            self._streamed(case, profile) if self._stream else None,
        )

    def _ir(self, data: Data) -> str:
        """The module of the best kernel."""
        plan, shape = data.best(self.target)
        return generate(plan, dict(data.columns.layouts), self.target, exact=False, shape=shape)

    def _emitted(self, data: Data, best: Sampled) -> dict[str, float]:
        """The operations of the best kernel for a vector of 16 vertices."""
        code = code_of(self._ir(data), self.target)
        vectors = data.vertices / _VECTOR
        times = {label: n / vectors for label, n in runs_of(code, self.target, best.arguments).items()}
        return operations(code, times, masked=self.target.embedded_rounding)

    def data(self, case: BenchCase, profile: str, vertices: int = 0) -> Data:
        """A case with so many vertices, or as many as this measures."""
        shader, rules = shader_of(case), self._profiles[profile]
        return prepared(shader, *bound(case, shader, vertices or self._vertices, rules), rules)

    def floors(self, data: Data, best: Sampled, moving_ns: float) -> Floors:
        """The floors of data whose kernel is measured, and which a kernel moves in so many ns a vertex."""
        found, limit = needed(data.plan, data.inputs, data.uniforms), self.limit(data)
        return floors(found, self._emitted(data, best), moving_ns, data.plan.profile, self.target, self.throughput, limit)

    def limit(self, data: Data) -> Limit | None:
        """The bound of the best kernel on data of several vectors, by the clock as sampled so far; None without a table of the
        processor."""
        if self.core is None or self.clock is None:
            return None
        core, known = self.core
        (plan, shape), code = data.best(self.target), self.machine_code(data)
        vectors = min(data.vertices // shape.width, _TRACED)
        if vectors < _FEWEST:
            return None
        kernel = Kernel.of(data.plan, dict(data.columns.layouts), shape.width, self._loaded(data))
        call = data.call(kernel)
        call.run()
        arguments = call.repeat()
        call.words[COUNT] = vectors
        run = rounds(traced(code, self.target, arguments), vectors)
        read, written = (16 * len(registers) for registers in (plan.inputs, plan.outputs))
        whole = data.vertices * (read + written)
        # Stores that bypass the caches bring nothing into them.
        moved = 0 if whole <= core.l1 else read if whole >= bypassed_from() else read + written
        found = bound_of([[one for piece in vector for one in code.code[piece]] for vector in run], core, moved * shape.width)
        return Limit(found, shape.width, self.clock.cycle_ns, core.name, known)

    def machine_code(self, data: Data) -> Pieces:
        """The best kernel's machine code."""
        return pieces(assembly(self._ir(data), self.target))

    def _loaded(self, data: Data) -> Loaded:
        return load_object(compile_object(self._ir(data), self.target), self.target)

    def _ready(self, case: BenchCase, profile: str) -> _Ready:
        """The kernels of a case, checked against each other."""
        data = self.data(case, profile)
        shader, rules = shader_of(case), self._profiles[profile]
        booleans = dict(enumerate(data.uniforms.booleans))
        planned = _best(lambda: plan_of(shader, booleans, rules), 1, _COMPILED)
        short = quick_shape(data.plan, self.target)
        quick, quick_s, reload_s = _timed(data, self.target.quick, data.plan, short)
        unrolling = _best(lambda: data.best(self.target), 1, _COMPILED)
        best, best_s, _ = _timed(data, self.target, *data.best(self.target))
        exact, exact_s, _ = _timed(data, self.target.quick, data.plan, short, exact=True)
        calls: list[Call] = []
        results: list[dict[int, NDArray[np.float32]]] = []
        for kernel in (quick, best):
            call = data.call(kernel)
            if call.run() or call.bailed():
                raise RuntimeError(f"{case.name}: its numbers are not ordinary")
            calls.append(call)
            results.append({register: array.copy() for register, array in data.outputs.items()})
        exactly = data.call(exact)
        exactly.words[BAILED_COUNT] = 0
        exactly.run_exactly(exact, exactly.every_vector())
        results.append({register: array.copy() for register, array in data.outputs.items()})
        for other in results[1:]:
            if any(not np.array_equal(other[n].view(np.uint32), results[0][n].view(np.uint32)) for n in other):
                raise RuntimeError(f"{case.name}: kernels give different results")
        first, last = (Sampled.of(kernel, call, _SAMPLE) for kernel, call in zip((quick, best), calls, strict=True))
        return _Ready(
            data,
            last,
            first,
            Sampled.of(exact, exactly, _SAMPLE),
            results[0],
            (1e3 * (planned + quick_s), 1e3 * (unrolling + best_s), 1e3 * exact_s, 1e3 * reload_s),
        )

    def kernel(self, data: Data, *, quick: bool = False) -> Sampled:
        """The best kernel, or the one that is compiled first, ready to be measured."""
        plan, shape = (data.plan, quick_shape(data.plan, self.target)) if quick else data.best(self.target)
        kernel, *_ = _timed(data, self.target.quick if quick else self.target, plan, shape, times=1)
        call = data.call(kernel)
        call.run()
        return Sampled.of(kernel, call, 0.0)

    def _streamed(self, case: BenchCase, profile: str) -> tuple[float, float]:
        """ns of a vertex of a million, and of moving the same data."""
        data = self.data(case, profile, STREAM)
        moving = [one.sampled for one in data.copiers(self.target, 0.0) if one.kind == MOVED]
        whole, *moved = seconds_of([self.kernel(data), *moving], _STREAMS)
        return 1e9 * whole / STREAM, 1e9 * min(moved) / STREAM


def plan_of(shader: Shader, booleans: Mapping[int, bool], rules: Profile) -> Plan:
    """Raises RuntimeError if the program cannot be compiled."""
    result = plan(shader.words, shader.descriptors, shader.interface.entry, booleans, rules)
    if isinstance(result, Unsupported):
        raise RuntimeError(f"{shader.name} is not compiled: {result.reason}")
    return result


def _timed(
    data: Data, target: Target, plan: Plan, shape: Shape, *, exact: bool = False, times: int = _COMPILED
) -> tuple[Kernel, float, float]:
    """A kernel, and how many seconds it takes to make it, and to load it again."""
    layouts = dict(data.columns.layouts)

    def compiled() -> bytes:
        return compile_object(generate(plan, layouts, target, exact=exact, shape=shape), target)

    code = compiled()
    called = movers(target, shape.width) if shape.moved else NO_MOVERS
    kernel = Kernel.of(data.plan, layouts, shape.width, load_object(code, target), called)
    loading = _best(lambda: load_object(code, target), 1, times)
    return kernel, _best(compiled, 1, times) + loading, loading


_FIRST = ".in from v0\n.out to position\n.proc main\n    mov to, from\n    end\n.end\n"


def bandwidth() -> float:
    """Bytes a second that a copy of memory reads and writes, both counted."""
    source = np.ones(1 << 24, np.float32)
    target = np.zeros_like(source)
    best = float("inf")
    for _ in range(7):
        start = time.thread_time_ns()
        np.copyto(target, source)
        best = min(best, 1e-9 * (time.thread_time_ns() - start))
    return 2 * source.nbytes / best


def calls() -> dict[str, float]:
    """Microseconds of whole calls from Python on 16 vertices: of a prepared batch and of `Shader.run`."""
    case = CASES[0]
    shader = shader_of(case)
    data = arrays_of(shader, 16)
    rng = np.random.default_rng(3)
    uniforms = {"mvp": rng.uniform(-1, 1, (4, 4)).astype(np.float32)}
    batch = shader.batch(data, uniforms)
    return {
        "batch_16_us": 1e6 * _best(batch.run, 500, 40),
        "run_16_us": 1e6 * _best(lambda: shader.run(data, uniforms, engine="llvm"), 50, 100),
    }


def _best(call: Callable[[], object], times: int, samples: int) -> float:
    """Seconds of CPU time of a call, in the best of so many samples of `times` calls each."""
    best = float("inf")
    for _ in range(samples):
        start = time.process_time_ns()  # code is compiled on another thread
        for _ in range(times):
            call()
        best = min(best, 1e-9 * (time.process_time_ns() - start) / times)
    return best
