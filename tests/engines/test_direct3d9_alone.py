"""The masks of the walker against flow as one lane sees it: every lane of a random shader, run by itself with Python's own
branches and loops."""

from __future__ import annotations

import random

import numpy as np
import pytest

from effort import sample
from lanewise.arrays.words import Words
from lanewise.direct3d9.engine.data import Data, bind, signed
from lanewise.direct3d9.engine.random_programs import VERSIONS, Case, Options, random_case
from lanewise.direct3d9.engine.reference import Machine, run
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.sem.algebra import Component
from lanewise.direct3d9.sem.flow import Walker
from lanewise.direct3d9.sem.numbers import Flags, Integers, Rule, Waves, rule_of
from lanewise.direct3d9.sem.tree import Block, Call, Flow, If, Leave, Loop, Step, resolve
from lanewise.shadercore.sem.numbers import Wave

FLOW = [version for version in VERSIONS if version not in ("vs_1_1", "ps_1_1", "ps_1_4", "ps_2_0")]


class Broken(Exception):
    """A break."""


class Returned(Exception):
    """A ret."""


class Alone(Walker[Wave, Flags, Integers]):
    """All lanes have the same data, so every question has one answer: no masks, only Python's flow."""

    def __init__(self, flow: Flow, words: Waves, machine: Machine, rule: Rule) -> None:
        super().__init__(flow, words, machine, rule.choices)
        self._every = words.truth(True)
        self._machine = machine

    def run(self, mask: Flags) -> None:
        self._routine_alone(self.flow.main.block)

    def _routine_alone(self, block: Block) -> None:
        try:
            self._walk(block)
        except Returned:
            return

    def _walk(self, block: Block) -> None:
        for node in block:
            if isinstance(node, Step):
                self.step(node.insts, self._every)
            elif isinstance(node, If):
                self._walk(node.then if self.condition(node.inst)[0] else node.other)
            elif isinstance(node, Loop):
                self._turns(node)
            elif isinstance(node, Call):
                if node.inst.op.name == "call" or self.condition(node.inst)[0]:
                    self._routine_alone(self.flow.routines[node.label].block)
            else:
                self._left(node)

    def _turns(self, node: Loop) -> None:
        values = self.flow.integers.get(node.register) or self._machine.data.integers.get(node.register) or (0, 0, 0)
        counter = Component(isa.LOOP, self.depth, 0)
        self.depth += node.counts
        try:
            for turn in range(signed(values)):
                self._machine.write_integer(counter, self.ops.integer(signed(values, 1) + turn * signed(values, 2)))
                self._walk(node.body)
        except Broken:
            pass
        finally:
            self.depth -= node.counts

    def _left(self, node: Leave) -> None:
        name = node.inst.op.name
        if name == "ret":
            raise Returned
        if name == "break" or self.condition(node.inst)[0]:
            raise Broken


def bound(case: Case, flow: Flow, rule: Rule, lane: int | None = None) -> Data:
    """The data of a case; of one lane for all of them."""
    inputs = {name: Words(grid if lane is None else np.tile(grid[lane], (case.lanes, 1))) for name, grid in case.inputs.items()}
    constants = {name: Words(row) for name, row in case.constants.items()}
    return bind(
        flow,
        interface.inputs(case.shader),
        rule,
        inputs=inputs,
        constants=constants,
        integers=case.integers,
        booleans=case.booleans,
        samplers={},
        count=case.lanes,
    )


@pytest.mark.parametrize("version", FLOW)
def test_every_lane_goes_its_own_way(version: str):
    rule = rule_of("d3d9")
    for seed in sample(range(10), 6):
        rng = random.Random(f"alone {version} {seed}")
        case = random_case(rng, Options(versions=(version,), size=10))
        if any(inst.op.name in ("dsx", "dsy") for inst in case.shader.insts):
            continue  # these do look at other lanes
        flow, _ = resolve(case.shader)
        assert flow is not None
        wanted = tuple((port.file, port.number) for port in interface.outputs(case.shader))
        together = run(flow, rule, bound(case, flow, rule), wanted).outputs
        for lane in rng.sample(range(case.lanes), 4):
            words = Waves(rule)
            data = bound(case, flow, rule, lane)
            machine = Machine(flow, words, data)
            given = {Component(*key, c): tuple(grid[:, c].tolist()) for key, grid in data.inputs.items() for c in range(4)}
            machine.begin(0, given, case.lanes)
            Alone(flow, words, machine, rule).run(words.truth(True))
            for file, number in wanted:
                for c in range(4):
                    found = machine.read(Component(file, number, c))[lane]
                    assert found == together[file, number][lane, c], (seed, lane, file, number, c)
