"""The JITs of emulators as shared libraries, to measure beside lanewise: what a library offers, and the seven public programs.

Nothing of them is in this repository. LANEWISE_PEERS names a folder with `lib/azahar.so` and `lib/panda3ds.so`, which export

    double peer_run(const struct job*, int engine);      // ns of thread CPU time of a vertex; outputs are written
    double peer_compile(const struct job*, int engine);  // ns

with the `Job` below (engine 1 is the JIT), and with the sources of the programs under `corpus/OWNER+NAME/`.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import lanewise as lw
from lanewise.pica200.engine.placing import bind_inputs, bind_uniforms
from lanewise_bench.cases import CASES, numbers, shader_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.sem.profile import Profile

VARIABLE = "LANEWISE_PEERS"
ROOT = Path(os.environ.get(VARIABLE, ""))
PEERS = {name: ROOT / "lib" / f"{name.lower()}.so" for name in ("Azahar", "Panda3DS")}
JIT = 1
_GPU = "devkitPro+3ds-examples/graphics/gpu"


class Job(ctypes.Structure):
    """A run: addresses, then sizes, then masks. Inputs and outputs are packed, (vertices, attributes, 4) float32."""

    _fields_ = [
        *[(name, ctypes.c_void_p) for name in ("code", "descriptors", "floats", "integers", "registers", "inputs", "outputs")],
        *[(name, ctypes.c_int32) for name in ("words", "operands", "entry", "attributes", "vertices")],
        ("booleans", ctypes.c_uint32),
        ("written", ctypes.c_uint32),
        ("fresh", ctypes.c_int32),
        ("passes", ctypes.c_int32),
    ]


class Public(NamedTuple):
    """A program of the comparison: a public source under `corpus`, or one of `lanewise bench`; its loops and booleans."""

    name: str
    source: str
    attributes: int
    integers: dict[int, tuple[int, int, int]]
    booleans: int = 0

    def shader(self) -> Shader:
        if "/" in self.source:
            return lw.load(str(ROOT / "corpus" / self.source)).vertex
        return shader_of(next(case for case in CASES if case.name == self.source))


PROGRAMS = (
    Public("simple_tri", f"{_GPU}/simple_tri/source/vshader.v.pica", 2, {}),
    Public("textured_cube", f"{_GPU}/textured_cube/source/vshader.v.pica", 3, {}),
    Public("fragment_light", f"{_GPU}/fragment_light/source/vshader.v.pica", 3, {}),
    Public("normal_mapping", f"{_GPU}/normal_mapping/source/vshader.v.pica", 4, {}),
    Public("cube_lighting_16", "neobrain+nihstro/examples/assembler/cube_lighting/data/test.vsh", 3, {1: (15, 0, 3)}),
    Public("loop16", "loop16", 2, {0: (15, 0, 1)}),
    Public("branchy", "branchy", 2, {}, 0b0101),
)


class Given(NamedTuple):
    """A program with its data, for lanewise and for the peers."""

    shader: Shader
    rows: NDArray[np.float32]
    named: dict[str, Any]
    uniforms: dict[str, Any]

    def bound(self, rules: Profile) -> tuple[Inputs, Uniforms]:
        interface = self.shader.interface
        inputs, wrong = bind_inputs(self.named, interface.inputs, len(self.rows), rules)
        uniforms, more = bind_uniforms(self.uniforms, interface.uniforms, interface.constants, rules)
        assert not wrong and not more, (wrong, more)
        return inputs, uniforms


def given(program: Public, vertices: int) -> Given:
    """Random float24 numbers from -1 to 1; a position has w = 1."""
    shader = program.shader()
    rng = np.random.default_rng(0x1234567)
    floats, rows = numbers(rng, 96, 4), numbers(rng, vertices, program.attributes, 4)
    rows[:, 0, 3] = 1.0
    for register, value in shader.constants.items():
        if register.startswith("c"):
            floats[int(register[1:])] = value
    uniforms: dict[str, Any] = {f"c{n}": floats[n] for n in range(96)}
    uniforms |= {f"i{n}": program.integers.get(n, (0, 0, 0)) for n in range(4)}
    uniforms |= {f"b{n}": bool(program.booleans >> n & 1) for n in range(16)}
    named = {f"v{n}": np.ascontiguousarray(rows[:, n]) for n in range(program.attributes)}
    return Given(shader, np.ascontiguousarray(rows), named, uniforms)


class Peer:
    """A library that runs programs."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        for function in (self._library.peer_run, self._library.peer_compile):
            function.restype, function.argtypes = ctypes.c_double, [ctypes.POINTER(Job), ctypes.c_int]

    def ns(self, data: Given, program: Public, passes: int) -> float:
        """The time of a vertex."""
        job, kept = _job(data, program, passes)
        result = float(self._library.peer_run(ctypes.byref(job), JIT))
        del kept
        return result

    def compile_ms(self, data: Given, program: Public) -> float:
        job, kept = _job(data, program, 1)
        result = 1e-6 * float(self._library.peer_compile(ctypes.byref(job), JIT))
        del kept
        return result


def _job(data: Given, program: Public, passes: int) -> tuple[Job, list[NDArray[Any]]]:
    """A job, and the arrays that it refers to."""
    shader = data.shader
    written = sorted({int(output.register[1:]) for output in shader.outputs})
    integers = np.zeros((4, 4), np.uint8)
    for n, values in program.integers.items():
        integers[n, :3] = values
    kept: list[NDArray[Any]] = [
        np.array(shader.words, np.uint32),
        np.array(shader.descriptors, np.uint32),
        np.array([data.uniforms[f"c{n}"] for n in range(96)], np.float32),
        integers,
        np.arange(program.attributes, dtype=np.uint8),
        data.rows,
        np.ones((len(data.rows), len(written), 4), np.float32),
    ]
    job = Job(
        *[array.ctypes.data for array in kept],
        len(shader.words),
        len(shader.descriptors),
        shader.interface.entry,
        program.attributes,
        len(data.rows),
        program.booleans,
        sum(1 << n for n in written),
        0,
        passes,
    )
    return job, kept
