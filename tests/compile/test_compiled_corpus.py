"""Every program of the corpus that can be compiled: the same bits as the shader under the device's rule, never more slots than
the table's sequences, and fewer cycles than the public compiler's."""

from __future__ import annotations

import json
import math
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from compile.direct3d9_programs import EDGES, shader_of
from corpus import CONFORMANCE, REPOSITORY, needs_shared
from effort import times
from lanewise.api.findings import findings as codes
from lanewise.compile.shadercore.comparing import compare
from lanewise.compile.shadercore.direct3d9 import OPTIMISED, PUBLIC, TABLE, Options, compile_shader
from lanewise.compile.shadercore.random_cases import uses_routines
from lanewise.compile.shadercore.tracer import Array, Bound
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.engine.data import Data
from lanewise.direct3d9.sem.tree import resolve
from lanewise.shadercore.isa.devices import DEVICES, RTL, Device
from lanewise.shadercore.isa.timing import time_program

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.program import Shader

CODES = codes()

CHUNKS = 20
PART = times(36, 1)  # one in so many programs of the corpus, with each run of the tests
ARRAY = 32  # registers that relative addresses reach
OPTIONS = Options(arrays=(Array(0, ARRAY),), bounds={n: Bound(3, 0, 1) for n in range(16)})


@cache
def rows() -> list[dict[str, Any]]:
    path = CONFORMANCE / "direct3d9.json"
    found: list[dict[str, Any]] = json.loads(path.read_text())["rows"] if path.is_file() else []
    return [row for row in found if row["expect"] == "legal" and row["words"]]


def numbers(rng: np.random.Generator, *shape: int) -> np.ndarray[Any, np.dtype[np.uint32]]:
    values = rng.normal(0, 3, shape).astype(np.float32).view(np.uint32)
    chosen = rng.random(shape) < 0.2
    values[chosen] = rng.choice(np.array(EDGES, np.uint32), int(chosen.sum()))
    return values


@needs_shared
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_corpus(chunk: int):
    rng = np.random.default_rng(chunk)
    compiled = 0
    for number, row in enumerate(rows()):
        if number % CHUNKS != chunk or number // CHUNKS % PART:
            continue
        shader = read_stream([int(word, 16) for word in row["words"]], row["name"]).shader
        assert shader is not None
        flow, _ = resolve(shader, row["name"])
        assert flow is not None
        for device in DEVICES.values():
            result = compile_shader(shader, device, OPTIONS)
            if result.compiled is None:
                assert result.diagnostics[0].code in CODES and result.diagnostics[0].fix, row["name"]
                continue
            compiled += 1
            table = compile_shader(shader, device, OPTIONS, strategy=TABLE).compiled
            assert table is None or result.compiled.slots <= table.slots, row["name"]
            if number // CHUNKS // PART % 2 or uses_routines(shader, device):
                continue
            # behind the array nothing is set, so that what is outside of it is 0 for both
            relative = any(source.is_relative for inst in shader.insts for source in inst.sources)
            constants = {n: tuple(map(int, numbers(rng, 4))) for n in range(ARRAY if relative else 100)} | dict(flow.constants)
            inputs = {(place.file, place.number): numbers(rng, 17, 4) for place in result.compiled.inputs}
            data = Data(
                lanes=17,
                inputs=inputs,
                constants=constants,
                integers=dict.fromkeys(range(16), (2, 0, 1, 0)),
                booleans={n: bool(n & 1) for n in range(16)},
                bumps={},
                samplers={},
            )
            assert not compare(result.compiled, flow, data), (row["name"], device.name)
    assert compiled


STRAIGHT = ("vs_1_1", "vs_2_0", "vs_3_0", "ps_2_0")


def ratio(source: Shader, options: Options, device: Device = RTL) -> float | None:
    """Cycles of the compiled program in proportion to the public compiler's; None where one of them refuses it."""
    made = [compile_shader(source, device, options, strategy=strategy).compiled for strategy in (OPTIMISED, PUBLIC)]
    cycles = [time_program(one.program.insts, device).total_cycles or 0 for one in made if one is not None]
    return None if len(cycles) < 2 else cycles[0] / cycles[1]


@needs_shared
def test_programs_take_at_most_seven_tenths_of_the_public_compilers_cycles():
    """The geometric mean over the examples and the straight-line programs of the corpus."""
    examples = REPOSITORY / "examples" / "direct3d9"
    found = [ratio(shader_of((examples / name).read_text()), Options()) for name in ("lit.vsa", "spot.vsa", "tone.psa")]
    straight = [
        row for row in rows() if row["profile"] in STRAIGHT and row["category"] in ("opcode", "realistic", "swizzle", "srcmod")
    ]
    for row in random.Random(3).sample(straight, 60):  # a sample: each is compiled twice
        shader = read_stream([int(word, 16) for word in row["words"]], row["name"]).shader
        assert shader is not None
        found.append(ratio(shader, Options()))
    known = [one for one in found if one is not None]
    assert len(known) > 40
    assert math.exp(sum(map(math.log, known)) / len(known)) <= 0.7
