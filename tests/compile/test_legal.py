"""Whatever is compiled for whatever device, in each of the three manners: the program is one that the device can run, and
`check` finds nothing."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from compile.devices import random_device
from corpus import CONFORMANCE, needs_shared
from effort import times
from lanewise.compile.shadercore.direct3d9 import OPTIMISED, STRATEGIES, Compiled, Options, compile_shader
from lanewise.compile.shadercore.random_cases import ARRAYS, case_of
from lanewise.compile.shadercore.tracer import Array, Bound
from lanewise.core.source import Span
from lanewise.direct3d9.container.stream import read_stream
from lanewise.shadercore.check.rules import check
from lanewise.shadercore.isa.codec import encode, register, written
from lanewise.shadercore.isa.devices import DEVICES, Device
from lanewise.shadercore.isa.table import ONE, SLOTS, C, V
from lanewise.shadercore.isa.timing import time_program

if TYPE_CHECKING:
    from lanewise.direct3d9.isa.program import Shader

CHUNKS = 6
# What `check` says of the shader rather than of how it was compiled: outputs that are not exported or never written, inputs
# whose usage a header has no byte for.
OF_THE_SHADER = {"V211", "V217", "V218", "V219"}


@cache
def corpus() -> list[Shader]:
    """The legal programs of the corpus, in an order of chance."""
    path = CONFORMANCE / "direct3d9.json"
    rows: list[dict[str, Any]] = json.loads(path.read_text())["rows"] if path.is_file() else []
    found = [
        read_stream([int(word, 16) for word in row["words"]], row["name"]).shader
        for row in rows
        if row["expect"] == "legal" and row["words"]
    ]
    random.Random(11).shuffle(found)
    return [shader for shader in found if shader is not None]


def assert_legal(one: Compiled) -> None:
    """Every word, constant and register, one by one."""
    device, insts = one.device, one.program.insts
    assert 0 < len(insts) <= SLOTS
    assert [inst.op.name for inst in insts].index("end") == len(insts) - 1
    assert tuple(encode(inst) for inst in insts) == one.program.words
    there = {(upload.number, c) for upload in one.uploads for c in range(4) if upload.values[c] is not None}
    there |= {(number, c) for number in one.uniforms for c in range(4)} | set(one.counts.values())
    inputs = {(place.register, c) for place in one.inputs for c in range(4) if place.mask >> c & 1}
    made: set[tuple[str, int, int]] = set()
    for inst in insts:
        sources = (inst.a, inst.b)[: inst.op.sources]
        assert all(register(s) is None and s.file not in (C, ONE) for s in (inst.a, inst.b)[inst.op.sources :])
        constants = {(s.number, s.component) for s in sources if s.file == C}
        assert constants <= there
        assert len(constants) < 2 or device.value("constant_ports") == "two"
        assert device.value("one_register") == "fixed" or all(s.file != ONE for s in sources)
        for source in sources:
            place = register(source)
            assert place is None or source.file == C or (place[1:] in inputs if source.file == V else place in made)
            assert place != ("x", 7, 0) or device.value("x7x") == "normal"
        target = written(inst.dest)
        assert target is None or target != ("x", 7, 0) or device.value("x7x") == "normal"
        assert inst.op.name not in ("exp", "log") or device.value("exp_log") == "exact"
        if target is not None:
            made.add(target)
    outputs = [("o", place.register, c) for place in one.outputs for c in range(4) if place.mask >> c & 1]
    assert len(set(outputs)) == len(outputs)
    assert set(outputs) <= made
    timing = time_program(insts, device)
    assert timing.hangs is None and timing.ended
    if one.strategy == OPTIMISED:
        assert not timing.overtaken
        assert timing.issues[-1].cycle == one.finished.schedule.cycles
        assert not {finding.code for finding in check(one.program, device, lambda _: Span(file="compiled"))} - OF_THE_SHADER


@needs_shared
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_programs_of_the_corpus(chunk: int):
    options = Options(arrays=(Array(0, 24),), bounds={n: Bound(2, 0, 1) for n in range(16)})
    rng = random.Random(chunk)
    done = 0
    for shader in corpus()[chunk : times(16, 24) * CHUNKS : CHUNKS]:
        device = rng.choice((*DEVICES.values(), random_device(rng), random_device(rng)))
        for strategy in STRATEGIES if rng.random() < 0.2 else (OPTIMISED,):
            one = compile_shader(shader, device, options, strategy=strategy).compiled
            if one is not None:
                done += 1
                assert_legal(one)
    assert done > 10


@pytest.mark.parametrize("first", range(0, times(40, 80), 20))
def test_random_programs_on_random_devices(first: int):
    rng = random.Random(first)
    done = 0
    for seed in range(5000 + first, 5020 + first):
        case = case_of(seed)
        integers = {int(name[1:]): (v[0], v[1], v[2]) for name, v in case.integers.items()}
        one = compile_shader(case.shader, random_device(rng), Options(integers=integers, arrays=ARRAYS)).compiled
        if one is not None:
            done += 1
            assert_legal(one)
    assert done > 10


def test_the_property_can_fail():
    """A program whose first instruction reads what nothing has written."""
    case = case_of(1)
    device: Device = DEVICES["rtl"]
    integers = {int(name[1:]): (v[0], v[1], v[2]) for name, v in case.integers.items()}
    one = compile_shader(case.shader, device, Options(integers=integers)).compiled
    assert one is not None
    insts = one.program.insts
    wrong = insts[0]._replace(a=insts[0].a._replace(file=0, number=7, component=3))
    words = (encode(wrong), *one.program.words[1:])
    with pytest.raises(AssertionError):
        assert_legal(one._replace(program=one.program._replace(words=words)))
