"""Vector programs compiled for ShaderCore, run beside the interpreter in the device's numbers."""

from __future__ import annotations

import random
import struct

import numpy as np

from compile.devices import random_device
from lanewise.compile.shadercore.numbers import DeviceNumbers
from lanewise.compile.shadercore.vector import VectorCompiled, compile_vector
from lanewise.compile.vector import code as v
from lanewise.compile.vector.interpret import interpret
from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.isa.devices import Device

LANES = 16
BOUND = 5  # of counts
NAN = 0x7FC00000
EDGES = (
    0,
    0x80000000,
    0x3F800000,
    0xBF800000,
    0x7F800000,
    0xFF800000,
    NAN,
    0xFFC00001,
    1,
    0x80400000,
    0x00800000,
    0x7F7FFFFF,
    0x3F000000,
    0x40490FDB,
    0xB0000001,
)


def without_neighbours(device: Device) -> Device:
    """A device whose reciprocals do not depend on other lanes, which the interpreter does not have."""
    return device.replace({"rcp_sigma": "fixed", "rsq_gate": "fixed"})


def some_device(rng: random.Random) -> Device:
    return without_neighbours(random_device(rng))


def words(r: random.Random, rows: int, *, nan: bool) -> list[list[int]]:
    """Rows of four patterns: edges, numbers near 1, any; without `nan` infinities in place of NaN."""
    found = [[_word(r) for _ in range(4)] for _ in range(rows)]
    return found if nan else [[word if one_nan(word) != NAN else word & 0xFF800000 for word in row] for row in found]


def _word(r: random.Random) -> int:
    kind = r.random()
    if kind < 0.3:
        return r.choice(EDGES)
    if kind < 0.9:
        return int(struct.unpack("<I", struct.pack("<f", r.uniform(-8, 8)))[0])
    return r.getrandbits(32)


def compiled(program: v.Program, device: Device) -> VectorCompiled:
    result = compile_vector(program, device, {count.name: BOUND for count in program.counts})
    assert result.compiled is not None, result.diagnostics
    return result.compiled


def one_nan(word: int) -> int:
    return NAN if word & 0x7FFFFFFF > 0x7F800000 else word


def compare(program: v.Program, device: Device, seed: int, made: VectorCompiled | None = None) -> None:
    """Run a program on random data, and compare every component that leaves the core with the interpreter. NaN are one
    value."""
    made = made or compiled(program, device)
    r = random.Random(seed)
    numbers = DeviceNumbers(device)
    # The adder of the public hardware makes a number of infinity and NaN, by the pattern of the NaN, which a product by 1.0
    # would change; it compares patterns, too.
    nan = device.value("add") != "floor" and device.value("compare") == "ieee"
    inputs = [words(r, LANES, nan=nan) for _ in program.inputs]
    rows = [words(r, uniform.rows, nan=nan) for uniform in program.uniforms]
    flags = {flag.name: r.random() < 0.5 for flag in program.flags}
    counts = {count.name: r.choice((0, 1, 2, BOUND)) for count in program.counts}
    given = dict(zip([row.name for row in program.inputs], inputs, strict=True))
    constants = {(upload.number, n): bits or 0 for upload in made.uploads for n, bits in enumerate(upload.values)}
    values = dict(zip([row.name for row in program.uniforms], rows, strict=True))
    for row in made.uniforms:
        constants |= {(row.first + at, n): word for at, each in enumerate(values[row.name]) for n, word in enumerate(each)}
    for setting in made.settings:
        number = float(flags[setting.name] if setting.is_flag else counts[setting.name])
        constants[setting.register, setting.component] = numbers.known(number)
    columns = {
        (port.register, n): np.array([row[n] for row in given[port.name]], np.uint32) for port in made.inputs for n in range(4)
    }
    found = run_waves(made.program.insts, device, constants, columns, LANES)
    for lane in range(LANES):
        wanted = interpret(program, numbers, [each[lane] for each in inputs], rows, list(flags.values()), list(counts.values()))
        for port in made.outputs:
            for n in range(4):
                register = ("o", port.register, n)
                if port.mask >> n & 1 and register in found:
                    got, want = one_nan(int(found[register][lane])), one_nan(wanted[port.name][n])
                    assert got == want, (
                        f"{device.describe()}: {port.name}.{'xyzw'[n]} of lane {lane} is {got:#x}, expected {want:#x}"
                    )
