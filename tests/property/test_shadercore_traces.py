"""Whatever a ShaderCore program is, its trace, its explanations and its graph can be shown, and say the same as its run."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import lanewise as lw
from effort import times
from lanewise.core.diagnostics import InputError
from lanewise.shadercore.engine.recording import PLACES
from lanewise.shadercore.isa.codec import DISCARD, Inst, encode
from lanewise.shadercore.isa.table import OPS
from lanewise.shadercore.text.printer import line_of
from shadercore_cases import random_inst

END = encode(Inst(op=OPS[-1], dest=DISCARD))


def program_of(rng: random.Random) -> lw.shadercore.ShaderCoreProgram:
    words = [encode(random_inst(rng)) for _ in range(rng.randrange(1, 24))]
    return lw.shadercore.ShaderCoreProgram.from_words([*words, END])


@pytest.mark.parametrize("seed", range(times(12, 200)))
def test_any_program(seed: int):
    rng = random.Random(seed)
    program, device = program_of(rng), rng.choice(["rtl", "rtl", "document"])
    vertices = rng.choice([1, 7, 21, 35])
    inputs = {f"v{n}": np.array([[rng.gauss(0, 2) for _ in range(4)] for _ in range(vertices)], np.float32) for n in range(8)}
    drawing = program.graph(device, each=rng.random() < 0.5, order=rng.random() < 0.5)
    assert drawing.text() and drawing.dot() and drawing.svg() and json.dumps(drawing.to_json(), allow_nan=False)
    lane = rng.randrange(vertices)
    try:
        result = program.run(inputs, device=device, defaults=0)
    except InputError as error:
        with pytest.raises(InputError, match=error.diagnostics[0].code):
            program.trace(inputs, device=device, defaults=0, lane=lane)
        return
    trace = program.trace(inputs, device=device, defaults=0, lane=lane)
    assert [step.instruction for step in trace.steps] == [line_of(word) for word in program.program.words[: len(trace)]]
    for name, place in trace.results.items():
        output, _, letter = name.rpartition(".")
        if output in result.bits:  # a NOP may write others, which a run does not list
            assert trace.last[place].bits == result.bits[output][lane, "xyzw".index(letter)]
    assert trace.text() and trace.table() and trace.vcd() and json.dumps(trace.to_json(), allow_nan=False)
    known = [place for place in PLACES if place in trace.waves[-1].leaving]
    for file, number, component in rng.sample(known, min(6, len(known))):
        explanation = trace.explain(f"{file}{number}.{'xyzw'[component]}")
        assert explanation.text() and json.dumps(explanation.to_json(), allow_nan=False)
        made = explanation.causes[-1].step if explanation.causes else None
        if made is not None:
            assert made.writes[0].new[0].bits == trace.waves[-1].leaving[file, number, component][trace.lane]
    last = program.trace(inputs, device=device, defaults=0, lane=vertices - 1)
    assert {name: lanes.tolist() for name, lanes in last.registers.items()} == {
        name: lanes.tolist() for name, lanes in result.registers.items()
    }
