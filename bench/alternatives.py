"""Two shaders in float32 beside what else a user would take: `python bench/alternatives.py [PART ...]`.

PART is `time` (processor time of a vertex on one thread, the least and the median of rounds in which all take turns), `memory`
(beyond inputs and outputs), `threads` (two beside one), `pieces` (10^7 vertices through buffers of 65,536) or `dask` (two
workers beside one); without any, all. NumPy by hand, Numba, JAX, gcc and clang are compared where they are there: `pip install
numba jax`; `ziglang` from pip is a clang too. Every result is compared with that of lanewise first.
"""

from __future__ import annotations

import argparse
import ctypes
import logging
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import lanewise as lw
from lanewise.pica200.api.translating import translated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.pica200.api.shader import Shader

    Arrays = Mapping[str, Any]

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PROFILE = "azahar"  # float32
PIECE, PIECES = 65_536, 153  # some 10^7 vertices
LIGHTS = 4
CFLAGS = (
    "-std=c11",
    "-O3",
    "-march=native",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-shared",
    "-fPIC",
    "-w",
)
_DASK_CHUNK, _DASK_CHUNKS = 1 << 22, 16  # of which the scheduler's part is small
_TOLERANCE = 1e-4


class Case(NamedTuple):
    """A shader with uniforms, and data for it."""

    name: str
    shader: Shader
    uniforms: Mapping[str, Any]

    def inputs(self, count: int) -> dict[str, Any]:
        rng = np.random.default_rng(1)
        given = {binding.name: rng.uniform(-1, 1, (count, 4)).astype(np.float32) for binding in self.shader.inputs}
        given["position"][:, 3] = 1
        if "bone" in given:
            given["bone"][:] = rng.integers(0, 20, (count, 4))
        return given

    def outputs(self, count: int) -> dict[str, Any]:
        return {output.name: np.zeros((count, 4), np.float32) for output in self.shader.outputs}


class Work(NamedTuple):
    """What is measured: `run` computes all vertices, `results` gives them afterwards, by output; `kept` is data that only
    addresses refer to."""

    name: str
    run: Callable[[], object]
    results: Callable[[], Arrays]
    kept: object = None


def cases() -> list[Case]:
    rng = np.random.default_rng(2)

    def rows(count: int) -> Any:
        return rng.uniform(-1, 1, (count, 4)).astype(np.float32)

    camera = {"projection": rows(4)}
    lit = {**camera, "modelview": rows(4), "ambient": rows(1)[0], "direction": rows(8), "light": rows(8)}
    return [
        Case("lighting", lw.load(EXAMPLES / "lighting.v.pica").vertex, {**lit, "lights": (LIGHTS - 1, 0, 1)}),
        Case("skinning", lw.load(EXAMPLES / "skinning.v.pica").vertex, {**camera, "bones": rows(60)}),
    ]


# By hand


def _lighting(np_: Any, given: Arrays, uniforms: Arrays) -> list[Any]:
    """For NumPy and JAX."""
    seen = given["position"] @ uniforms["modelview"].T
    normal = given["normal"][:, :3] @ uniforms["modelview"][:3, :3].T
    normal = normal / np_.sqrt((normal * normal).sum(1, keepdims=True))
    lit = np_.maximum(normal @ uniforms["direction"][:LIGHTS, :3].T, 0)
    color = np_.minimum(uniforms["ambient"][:3] + lit @ uniforms["light"][:LIGHTS, :3], 1)
    return [seen @ uniforms["projection"].T, np_.concatenate([color, np_.ones_like(color[:, :1])], 1)]


def _skinning(np_: Any, given: Arrays, uniforms: Arrays) -> list[Any]:
    bones = uniforms["bones"].reshape(20, 3, 4)
    numbers = given["bone"].astype(np_.int32)
    place = given["position"][:, :, None]
    one, other = ((bones[numbers[:, n]] @ place)[:, :, 0] for n in (0, 1))
    weight = given["weight"]
    mixed = weight[:, :1] * one + weight[:, 1:2] * other
    mixed = np_.concatenate([mixed, np_.ones_like(mixed[:, :1])], 1)
    return [mixed @ uniforms["projection"].T, given["texcoord"] + 0]


def _dot(row: Any, x: Any, y: Any, z: Any, w: Any) -> Any:
    return row[0] * x + row[1] * y + row[2] * z + row[3] * w


def _looped(dot: Any, sqrt: Any) -> dict[str, Any]:
    """Loops over vertices, for Numba."""

    def lighting(
        position: Any, normal: Any, m: Any, p: Any, ambient: Any, direction: Any, light: Any, out: Any, color: Any
    ) -> None:
        for n in range(len(position)):
            x, y, z, w = position[n]
            seen = (dot(m[0], x, y, z, w), dot(m[1], x, y, z, w), dot(m[2], x, y, z, w), dot(m[3], x, y, z, w))
            a, b, c = normal[n, 0], normal[n, 1], normal[n, 2]
            i = m[0, 0] * a + m[0, 1] * b + m[0, 2] * c
            j = m[1, 0] * a + m[1, 1] * b + m[1, 2] * c
            k = m[2, 0] * a + m[2, 1] * b + m[2, 2] * c
            scale = np.float32(1) / sqrt(i * i + j * j + k * k)
            i, j, k = i * scale, j * scale, k * scale
            red, green, blue = ambient[0], ambient[1], ambient[2]
            for number in range(LIGHTS):
                lit = max(direction[number, 0] * i + direction[number, 1] * j + direction[number, 2] * k, np.float32(0))
                red += lit * light[number, 0]
                green += lit * light[number, 1]
                blue += lit * light[number, 2]
            for row in range(4):
                out[n, row] = dot(p[row], seen[0], seen[1], seen[2], seen[3])
            color[n, 0], color[n, 1], color[n, 2] = min(red, 1), min(green, 1), min(blue, 1)
            color[n, 3] = 1

    def skinning(position: Any, texcoord: Any, bone: Any, weight: Any, p: Any, bones: Any, out: Any, tex: Any) -> None:
        for n in range(len(position)):
            x, y, z, w = position[n]
            one, other = 3 * int(bone[n, 0]), 3 * int(bone[n, 1])
            s, t = weight[n, 0], weight[n, 1]
            a = s * dot(bones[one], x, y, z, w) + t * dot(bones[other], x, y, z, w)
            b = s * dot(bones[one + 1], x, y, z, w) + t * dot(bones[other + 1], x, y, z, w)
            c = s * dot(bones[one + 2], x, y, z, w) + t * dot(bones[other + 2], x, y, z, w)
            for row in range(4):
                out[n, row] = dot(p[row], a, b, c, np.float32(1))
                tex[n, row] = texcoord[n, row]

    return {"lighting": lighting, "skinning": skinning}


_BY_HAND = {"lighting": _lighting, "skinning": _skinning}
_ARGUMENTS = {
    "lighting": (("position", "normal"), ("modelview", "projection", "ambient", "direction", "light")),
    "skinning": (("position", "texcoord", "bone", "weight"), ("projection", "bones")),
}


def works(case: Case, given: Arrays, folder: Path, missing: dict[str, str]) -> list[Work]:
    """What there is on this machine, lanewise first; `missing` gets the reason for what there is not."""
    count = len(given["position"])
    names = [output.name for output in case.shader.outputs]
    found = [_lanewise(case, given, 1)]
    found.append(_returned("NumPy", lambda: _BY_HAND[case.name](np, given, case.uniforms), names))
    for name, make in (("Numba", _numba), ("JAX", _jax)):
        try:
            found.append(make(case, given, names))
        except ImportError:
            missing[name] = f"pip install {name.lower()}"
    for command in (_gcc(), _clang()):
        if isinstance(command, str):
            missing[command.split(",")[0]] = command
            continue
        for batch, finite in ((False, False), (True, False), (True, True)):
            found.append(_c(case, given, count, folder, command, batch=batch, finite=finite))
    if shutil.which("ispc") is None:
        missing["ispc"] = "not on the PATH"
    return found


def _lanewise(case: Case, given: Arrays, threads: int) -> Work:
    count = len(given["position"])
    batch = case.shader.batch(given, case.uniforms, profile=PROFILE, engine="llvm", threads=threads, count=count, defaults=0)
    return Work("lanewise", batch.run, lambda: batch.outputs)


def _returned(name: str, function: Callable[[], Sequence[Any]], names: Sequence[str]) -> Work:
    kept: list[Sequence[Any]] = [()]

    def run() -> None:
        kept[0] = function()

    return Work(name, run, lambda: dict(zip(names, map(np.asarray, kept[0]), strict=True)))


def _numba(case: Case, given: Arrays, names: Sequence[str]) -> Work:
    numba: Any = import_module("numba")
    njit: Any = numba.njit
    function = njit(_looped(njit(_dot), np.sqrt)[case.name])
    inputs, uniforms = _ARGUMENTS[case.name]
    out = case.outputs(len(given["position"]))
    arguments = [*(given[name] for name in inputs), *(case.uniforms[name] for name in uniforms), *out.values()]
    function(*arguments)  # compiles
    return Work("Numba", lambda: function(*arguments), lambda: dict(zip(names, out.values(), strict=True)))


def _jax(case: Case, given: Arrays, names: Sequence[str]) -> Work:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax: Any = import_module("jax")

    def by_hand(inputs: Any, uniforms: Any) -> list[Any]:
        return _BY_HAND[case.name](jax.numpy, inputs, uniforms)

    function = jax.jit(by_hand)
    inputs, uniforms = (
        jax.device_put(dict(given)),
        jax.device_put({key: np.asarray(value) for key, value in case.uniforms.items()}),
    )
    return _returned("JAX", lambda: jax.block_until_ready(function(inputs, uniforms)), names)


def _gcc() -> list[str] | str:
    return ["gcc"] if shutil.which("gcc") else "gcc, not on the PATH"


def _clang() -> list[str] | str:
    if shutil.which("clang"):
        return ["clang"]
    try:
        import_module("ziglang")
    except ImportError:
        return "clang, not on the PATH; pip install ziglang brings one"
    return [sys.executable, "-m", "ziglang", "cc"]


def _c(case: Case, given: Arrays, count: int, folder: Path, command: Sequence[str], *, batch: bool, finite: bool) -> Work:
    """The translation over arrays of structures, or of columns."""
    found = translated([case.shader], "c", numbers="float", finite=finite, batch=batch, file=f"{case.name}.v.pica")
    (layout,) = found.shaders
    loop = f"""
void all(size_t count, const {case.name}_inputs *in, const {case.name}_uniforms *u, {case.name}_outputs *out) {{
    for (size_t n = 0; n < count; n++) {case.name}(in + n, u, out + n);
}}
"""
    compiler = "clang" if command[0] != "gcc" else "gcc"
    source = folder / f"{case.name}_{compiler}_{batch}_{finite}.c"
    source.write_text(found.text.replace("#include <math.h>", "#include <math.h>\n#include <stddef.h>") + loop)
    library = source.with_suffix(".so")
    subprocess.run([*command, *CFLAGS, str(source), "-o", str(library), "-lm"], check=True, capture_output=True)
    uniforms = b"".join([_packed(case, binding.name, binding.register, binding.size) for binding in layout.uniforms])
    name = f"{compiler}{' --batch' if batch else ''}{' --finite' if finite else ''}"
    size, outputs = ctypes.c_size_t(count), [binding.name for binding in layout.outputs]
    function: Any
    if batch:
        columns = [np.ascontiguousarray(given[binding.name][:, lane]) for binding in layout.inputs for lane in range(4)]
        results = [np.zeros(count, np.float32) for _ in range(4 * len(outputs))]
        sides = [(ctypes.c_void_p * len(side))(*[each.ctypes.data for each in side]) for side in (columns, results)]
        function = getattr(ctypes.CDLL(str(library)), f"{case.name}_batch")
        return Work(
            name,
            lambda: function(size, sides[0], uniforms, sides[1]),
            lambda: {each: np.stack(results[4 * n : 4 * n + 4], 1) for n, each in enumerate(outputs)},
            columns,
        )
    rows = np.ascontiguousarray(np.stack([given[binding.name] for binding in layout.inputs], 1))
    out = np.zeros((count, len(outputs), 4), np.float32)
    function = ctypes.CDLL(str(library)).all
    return Work(
        name,
        lambda: function(size, rows.ctypes.data_as(ctypes.c_void_p), uniforms, out.ctypes.data_as(ctypes.c_void_p)),
        lambda: {each: out[:, n] for n, each in enumerate(outputs)},
        rows,
    )


def _packed(case: Case, name: str, register: str, size: int) -> bytes:
    """A member of the structure of uniforms."""
    value = case.uniforms.get(name, case.shader.constants.get(register))
    if register.startswith("c"):
        return np.broadcast_to(np.asarray(0 if value is None else value, np.float32), (size, 4)).tobytes()
    width = 4 if register.startswith("i") else 1
    return bytes([*(value or ())]).ljust(width * size, b"\0")


# Figures


def check(case: Case, found: Sequence[Work]) -> None:
    """Raise an error where the results of one differ from those of the first by more than rounding."""
    for work in found:
        work.run()
        for (name, wanted), output in zip(found[0].results().items(), case.shader.outputs, strict=True):
            got = np.asarray(work.results()[output.name])[:, : wanted.shape[1]]
            scale = 1 + np.abs(wanted)
            worst = float((np.abs(got - wanted) / scale).max())
            if not worst < _TOLERANCE:
                raise SystemExit(f"{case.name}: {name} of {work.name} is off by {worst:.2g}")


def times(case: Case, sizes: Sequence[int], rounds: int, folder: Path, missing: dict[str, str]) -> None:
    table: dict[str, list[str]] = {}
    for count in sizes:
        found = works(case, case.inputs(count), folder, missing)
        check(case, found)
        spent: dict[str, list[float]] = {work.name: [] for work in found}
        for _ in range(max(3, rounds * min(sizes) // count, rounds // 5)):
            for work in found:
                start = time.process_time_ns()
                work.run()
                spent[work.name].append((time.process_time_ns() - start) / count)
        least = min(spent["lanewise"])
        for name, each in spent.items():
            table.setdefault(name, []).append(f"{min(each):.2f}, {statistics.median(each):.2f} ({min(each) / least:.2f})")
    print(f"\n{case.name}: ns of processor time for a vertex, least and median (least as a multiple of that of lanewise)\n")
    print(f"| | {' | '.join([f'{count:,} vertices' for count in sizes])} |\n|---|{'---|' * len(sizes)}")
    for name, cells in table.items():
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def memory(case: Case, folder: Path, missing: dict[str, str], count: int = 1_000_000) -> None:
    print(f"\n{case.name}: bytes of memory for a vertex during a run of {count:,}, beyond inputs and outputs\n")
    found = works(case, case.inputs(count), folder, missing)
    size = 16 * len(case.shader.outputs)
    trim: Any = getattr(ctypes.CDLL(None), "malloc_trim", abs)  # what is free may stay in the process otherwise
    for work in found:
        work.run()
        trim(0)
        before = _resident("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")  # the high-water mark begins again
        work.run()
        more = (_resident("VmHWM") - before) / count
        returned = size if work.name in ("NumPy", "JAX") else 0
        print(f"| {work.name} | {max(0.0, more - returned):.1f} |", flush=True)


def _resident(key: str) -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(key))
    return 1024 * int(line.split()[1])


def threads(case: Case, sizes: Sequence[int], rounds: int) -> None:
    print(f"\n{case.name}: two threads beside one, least wall time of {rounds} rounds")
    for count in sizes:
        given = case.inputs(count)
        pair = [_lanewise(case, given, number) for number in (1, 2)]
        best = [float("inf")] * 2
        for _ in range(rounds):
            for n, work in enumerate(pair):
                start = time.perf_counter_ns()
                work.run()
                best[n] = min(best[n], time.perf_counter_ns() - start)
        print(f"{count:,} vertices: {best[0] / 1e3:.0f} us, {best[1] / 1e3:.0f} us, {best[0] / best[1]:.2f} times", flush=True)


def pieces(case: Case) -> None:
    """10^7 vertices that are in no memory at once."""
    given = case.inputs(PIECE)
    work = _lanewise(case, given, 1)
    work.run()
    before, spent, total = _resident("VmRSS"), 0, 0.0
    for number in range(PIECES):
        given["position"][:, 0] = number
        start = time.thread_time_ns()
        work.run()
        spent += time.thread_time_ns() - start
        total += float(next(iter(work.results().values()))[0, 0])
    more, count = (_resident("VmRSS") - before) / 2**20, PIECES * PIECE
    print(f"\n{case.name}: {count:,} vertices by pieces: {spent / count:.2f} ns each, {more:.1f} MiB more at the end")


def dask(case: Case) -> None:
    """Wall time of chunks that workers make, compute and sum; of a chunk of no work; and with a worker that is killed."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        print("\nDask: pip install 'lanewise[distributed]'")
        return
    took: list[float] = []
    same = False
    for workers in (1, 2):
        with (
            distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.ERROR
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            total = _summed(case, _DASK_CHUNK)
            wanted, best = float(total.compute()), float("inf")  # the first compiles
            for _ in range(4):
                start = time.perf_counter()
                total.compute()
                best = min(best, time.perf_counter() - start)
            took.append(best)
            small, each = _summed(case, 16), float("inf")
            for _ in range(4):
                start = time.perf_counter()
                small.compute()
                each = min(each, time.perf_counter() - start)
            print(f"{case.name}: {1e3 * each / _DASK_CHUNKS:.1f} ms a chunk of 16 vertices, workers: {workers}")
            if workers == 2:
                running = client.compute(total)
                time.sleep(best / 3)
                os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
                same = float(running.result()) == wanted
    print(
        f"{case.name}: {_DASK_CHUNKS} chunks of {_DASK_CHUNK:,} vertices with Dask: one worker {took[0]:.2f} s, "
        f"two {took[1]:.2f} s, {took[0] / took[1]:.2f} times; the same sum when one is killed: {'yes' if same else 'no'}"
    )


def _summed(case: Case, chunk: int) -> Any:
    """The sum of all outputs of chunks of so many vertices."""
    array: Any = import_module("dask.array")
    given = {
        binding.name: array.ones((chunk * _DASK_CHUNKS, 4), chunks=(chunk, 4), dtype=np.float32)
        for binding in case.shader.inputs
    }
    outputs = lw.distributed.map_vertices(case.shader, given, case.uniforms, profile=PROFILE)
    found: Any = sum([each.sum() for each in outputs.values()])
    return found


def _versions() -> str:
    found = [f"Python {platform.python_version()}"]
    for name in ("numpy", "llvmlite", "numba", "jax", "ziglang", "dask"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    for command in (_gcc(), _clang()):
        if not isinstance(command, str):
            done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
            found.append(done.stdout.splitlines()[0])
    return ", ".join(found)


PARTS = ("time", "memory", "threads", "pieces", "dask")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", default=[], help=", ".join(PARTS))
    parser.add_argument("--sizes", default="1000,100000,1000000", help="numbers of vertices")
    parser.add_argument("--rounds", type=int, default=41)
    options = parser.parse_args()
    wanted: Sequence[str] = options.parts or PARTS
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        parser.error(f"unknown part '{unknown[0]}': use {', '.join(PARTS)}")
    sizes = [int(size) for size in options.sizes.split(",")]
    missing: dict[str, str] = {}
    print(f"{time.strftime('%Y-%m-%d')}, {_versions()}, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        for case in cases():
            whole = os.sched_getaffinity(0)
            if "time" in wanted:
                os.sched_setaffinity(0, {min(whole)})  # what has threads of its own has one processor, too
                times(case, sizes, options.rounds, Path(name), missing)
                os.sched_setaffinity(0, whole)
            if "memory" in wanted:
                memory(case, Path(name), missing)
            if "threads" in wanted:
                threads(case, [32_768, *sizes[1:]], options.rounds)
            if "pieces" in wanted:
                pieces(case)
            if "dask" in wanted:
                dask(case)
    for name, reason in missing.items():
        print(f"not compared: {name} ({reason})")


if __name__ == "__main__":
    main()
