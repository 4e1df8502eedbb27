"""Measurements of `lanewise bench` for one case under one profile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.api.loading import assemble
from lanewise.core.engines import REFERENCE
from lanewise.llvm.target import compile_object, host, load_object
from lanewise.pica200.engine.llvm.generate import BAILED_COUNT, generate
from lanewise.pica200.engine.llvm.kernel import Call, Kernel
from lanewise.pica200.engine.llvm.plan import Plan, plan
from lanewise.pica200.engine.llvm.repeat import Sampled, seconds_of
from lanewise.pica200.engine.llvm.running import columns, table_of
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.ir.ssa import Unsupported
from lanewise.pica200.sem.profile import HARDWARE, profiles
from lanewise.tools.bench_cases import CASES, RING, arrays_of, bound, executed, shader_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from lanewise.llvm.target import Loaded, Target
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.llvm.kernel import Layouts
    from lanewise.pica200.sem.profile import Profile
    from lanewise.tools.bench_cases import BenchCase

PROFILES = {"hardware": HARDWARE, "rounding=nearest": HARDWARE.replace(rounding="nearest"), "azahar": profiles["azahar"]}
_PLAIN = "azahar"  # the profile that computes in plain float32
STREAM, _STREAMS = 1 << 20, 12
_FUEL = 1_000_000
# Of how many samples the best counts, and how many seconds each takes at least: short ones, which nothing interrupts on a busy machine.
_SAMPLES, _SAMPLE = 40, 0.001
_COMPILED = 3  # times that each kernel is compiled; the best counts
_BY_REFERENCE = 24  # vertices that the reference engine does


class Measured(NamedTuple):
    """Times of a vertex in ns. `stream` are two: of a million vertices, and of a kernel that only moves the same data."""

    name: str
    profile: str
    instructions: float
    ns: float
    exact_ns: float
    float32_ns: float
    reference_ns: float
    bytes_moved: int
    compile_ms: float
    exact_compile_ms: float
    reload_ms: float
    stream: tuple[float, float] | None

    def to_json(self, bandwidth: float) -> dict[str, str | float]:
        """Everything by name; `bandwidth` is in bytes a second."""
        found: dict[str, str | float] = {
            "name": self.name,
            "profile": self.profile,
            "instructions": self.instructions,
            "ns_per_vertex": self.ns,
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
            "exact_compile_ms": self.exact_compile_ms,
            "reload_ms": self.reload_ms,
        }
        if self.stream is not None:
            whole, moved = self.stream
            found |= {"stream_ns_per_vertex": whole, "move_ns_per_vertex": moved, "times_move": whole / moved}
        return found


class _Ready(NamedTuple):
    """A case on the ring under a profile: both kernels, what they gave, and what it took to make them."""

    fast: Sampled
    exact: Sampled
    outputs: Mapping[int, NDArray[np.float32]]
    compile_ms: float
    exact_compile_ms: float
    reload_ms: float


class Bench:
    """Measures cases at a level of the processor; what is the same for several is measured once."""

    def __init__(self, level: str, *, stream: bool) -> None:
        """Raises ValueError for a level that this machine does not have."""
        self.target = host(level)
        self._stream = stream
        self._plain: tuple[str, _Ready | None] = "", None
        # The first compilation in a process takes longer than the others.
        _timed(plan_of(assemble(_moving(1, 1)).vertex, {}, HARDWARE), self.target, (), exact=False, times=1)

    def measure(self, case: BenchCase, profile: str) -> Measured:
        """Raises RuntimeError if compiled code does not give what the reference engine does, or cannot do the case."""
        rules = PROFILES[profile]
        shader = shader_of(case)
        inputs, uniforms = bound(case, shader, RING, rules)
        ready = self._ready(case, inputs, uniforms, rules)
        part = inputs.take(np.arange(_BY_REFERENCE))
        start = time.perf_counter()
        wanted = Runner(shader.words, shader.descriptors, shader.interface.entry, rules).run(
            part, uniforms, shader.outputs, (), 10_000, engine=REFERENCE
        )
        reference = (time.perf_counter() - start) / _BY_REFERENCE
        for register, array in ready.outputs.items():
            if not np.array_equal(array[:_BY_REFERENCE].view(np.uint32), wanted.outputs[f"o{register}"].view(np.uint32)):
                raise RuntimeError(f"{case.name}, {profile}: o{register} is not what the reference engine gives")
        if profile == _PLAIN:
            plain = ready
        elif self._plain[0] == case.name and self._plain[1] is not None:
            plain = self._plain[1]
        else:
            plain = self._ready(case, *self._of(case, _PLAIN), PROFILES[_PLAIN])
            self._plain = case.name, plain
        fast, exact, floats = seconds_of([ready.fast, ready.exact, plain.fast], _SAMPLES)
        return Measured(
            case.name,
            profile,
            executed(shader, inputs, uniforms, rules, _BY_REFERENCE),
            1e9 * fast / RING,
            1e9 * exact / RING,
            1e9 * floats / RING,
            1e9 * reference,
            16 * (case.inputs + case.outputs),
            ready.compile_ms,
            ready.exact_compile_ms,
            ready.reload_ms,
            self._streamed(case, rules) if self._stream else None,
        )

    def _of(self, case: BenchCase, profile: str) -> tuple[Inputs, Uniforms]:
        return bound(case, shader_of(case), RING, PROFILES[profile])

    def _ready(self, case: BenchCase, inputs: Inputs, uniforms: Uniforms, rules: Profile) -> _Ready:
        """Both kernels of a case on the ring, and the time of a run of each in seconds."""
        shader = shader_of(case)
        booleans = dict(enumerate(uniforms.booleans))
        result = plan_of(shader, booleans, rules)
        planned = _best(lambda: plan_of(shader, booleans, rules), 1, _COMPILED)
        data = columns({register: column.numbers for register, column in inputs.words.columns.items()})
        fast, compiled, reload = _timed(result, self.target, data.layouts, exact=False)
        exact, exact_compiled, _ = _timed(result, self.target, data.layouts, exact=True)
        outputs = {register: np.zeros((RING, 4), np.float32) for register in result.outputs}
        flags = {register: np.zeros(RING, np.uint8) for register in result.unsure}
        table = table_of(result, uniforms)
        call = Call(fast, table, RING, data.arrays, outputs, flags, _FUEL)
        if call.run() or call.bailed():
            raise RuntimeError(f"{case.name}: its numbers are not ordinary")
        again = {register: np.zeros((RING, 4), np.float32) for register in result.outputs}
        exactly = Call(exact, table, RING, data.arrays, again, flags, _FUEL)
        exactly.words[BAILED_COUNT] = 0
        exactly.run_exactly(exact, exactly.every_vector())
        if any(not np.array_equal(again[n].view(np.uint32), outputs[n].view(np.uint32)) for n in outputs):
            raise RuntimeError(f"{case.name}: fast and exact code give different results")
        return _Ready(
            Sampled(fast, call, _SAMPLE), Sampled(exact, exactly, _SAMPLE), outputs,
            1e3 * (planned + compiled), 1e3 * exact_compiled, 1e3 * reload,
        )  # fmt: skip

    def _streamed(self, case: BenchCase, rules: Profile) -> tuple[float, float]:
        """ns of a vertex of a million, and of moving the same data."""
        shader = shader_of(case)
        inputs, uniforms = bound(case, shader, STREAM, rules)
        result = plan_of(shader, dict(enumerate(uniforms.booleans)), rules)
        mover = plan_of(assemble(_moving(case.inputs, case.outputs)).vertex, {}, PROFILES[_PLAIN])
        plain = bound(case, shader, STREAM, PROFILES[_PLAIN])[0]
        whole, moved = seconds_of([self._through(result, inputs, uniforms), self._through(mover, plain, uniforms)], _STREAMS)
        return 1e9 * whole / STREAM, 1e9 * moved / STREAM

    def _through(self, made: Plan, inputs: Inputs, uniforms: Uniforms) -> Sampled:
        data = columns({register: column.numbers for register, column in inputs.words.columns.items()})
        kernel, *_ = _timed(made, self.target, data.layouts, exact=False, times=1)
        outputs = {register: np.zeros((STREAM, 4), np.float32) for register in made.outputs}
        flags = {register: np.zeros(STREAM, np.uint8) for register in made.unsure}
        call = Call(kernel, table_of(made, uniforms), STREAM, data.arrays, outputs, flags, _FUEL)
        call.run()
        return Sampled(kernel, call, 0.0)


def plan_of(shader: Shader, booleans: Mapping[int, bool], rules: Profile) -> Plan:
    """Raises RuntimeError if the program cannot be compiled."""
    result = plan(shader.words, shader.descriptors, shader.interface.entry, booleans, rules)
    if isinstance(result, Unsupported):
        raise RuntimeError(f"{shader.name} is not compiled: {result.reason}")
    return result


def _timed(made: Plan, target: Target, layouts: Layouts, *, exact: bool, times: int = _COMPILED) -> tuple[Kernel, float, float]:
    """A kernel, and how many seconds it takes to make it, and to load it again."""

    def compiled() -> Loaded:
        return load_object(compile_object(generate(made, dict(layouts), target, exact=exact), target), target)

    code = compile_object(generate(made, dict(layouts), target, exact=exact), target)
    kernel = Kernel.of(made, dict(layouts), target.width, load_object(code, target))
    return kernel, _best(compiled, 1, times), _best(lambda: load_object(code, target), 1, times)


def _moving(inputs: int, outputs: int) -> str:
    """A program that only moves so much data."""
    lines = [f".in from{n} v{n}" for n in range(inputs)]
    lines += [f".out to{n} {semantic}" for n, semantic in zip(range(outputs), _SEMANTICS, strict=False)]
    body = [f"    mov to{n}, from{n % inputs}" for n in range(outputs)]
    return "\n".join([*lines, ".proc main", *body, "    end", ".end", ""])


_SEMANTICS = ("position", "color", "texcoord0", "texcoord1", "view", "normalquat")


def bandwidth() -> float:
    """Bytes a second that a copy of memory reads and writes, both counted."""
    source = np.ones(1 << 24, np.float32)
    target = np.zeros_like(source)
    best = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        np.copyto(target, source)
        best = min(best, time.perf_counter() - start)
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
    """Seconds of a call, in the best of so many samples of `times` calls each."""
    best = float("inf")
    for _ in range(samples):
        start = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, (time.perf_counter() - start) / times)
    return best
