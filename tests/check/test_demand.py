"""Demand on random programs: what the analysis calls without effect has none in a run."""

from __future__ import annotations

import random
from collections import Counter

from effort import times
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.context import AnalysisContext
from lanewise.pica200.check.demand import demand
from lanewise.pica200.engine.random_programs import BUDGET, case, vertex
from lanewise.pica200.engine.reference import Machine, Reference
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Interface, Output, Program
from lanewise.pica200.isa.table import TEMPORARY
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.flow import LoopValues

# Outputs of which each property takes only some components, and one that is not declared (o6).
OUTPUTS = tuple(Output(semantic, register) for register, semantic in enumerate((0, 3, 4, 8, 2, 5)))
TAKEN = (0b1111, 0b1100, 0b1000, 0b1110, 0b1111, 0b1100)


def spoil(machine: Machine, rng: random.Random, keep: int) -> None:
    """Put other values into all registers of which no component is kept, and into the other components of the rest."""
    registers = machine.registers

    def kept(file: str, number: int, channel: int) -> bool:
        return bool(keep & dataflow.bit(Component(file, number, channel)))

    word = 0x3F0000 + rng.randrange(0x20000)
    for number in range(16):
        before = registers.readable[TEMPORARY + number]
        x, y, z, w = (before[c] if kept("r", number, c) else word for c in range(4))
        registers.readable[TEMPORARY + number] = (x, y, z, w)
    registers.cmp = (not kept("cmp", 0, 0), not kept("cmp", 0, 1))  # they start as false
    registers.a0 = (0 if kept("a0", 0, 0) else 3, 0 if kept("a0", 0, 1) else 5)
    if not keep & dataflow.bit(Component("aL")):
        registers.loops = LoopValues(7)


def seen(machine: Machine) -> tuple[list[int], list[int]]:
    """The path of a lane, and what the rasterizer gets."""
    path: list[int] = []
    while not machine.finished and len(path) < BUDGET:
        path.append(machine.step().pc)
    outputs = machine.registers.outputs
    return path, [outputs[n][c] for n, mask in enumerate(TAKEN) for c in range(4) if mask & 8 >> c]


def test_values_without_demand_have_no_effect():
    """And demand is not everything: of the components that a program reads first, many have none."""
    looked: Counter[str] = Counter()
    for number in range(times(250, 5000)):
        one = case(11, number)
        profile = one.profile.replace(empty_break="nothing", unknown_words="nothing", stack_depth="unlimited")
        profile = profile.replace(index_wrap="uniforms", index_files="ignored")
        program = Program(lift(one.words, one.descriptors), (Interface("x", outputs=OUTPUTS),), {})
        context = AnalysisContext(program, program.interfaces[0], one.words, one.descriptors, profile=profile)
        if not isinstance(context.graph, Graph):
            continue
        live = demand(context, context.graph).live[0]
        reference = Reference(one.words, one.descriptors, 0, profile=profile, budget=BUDGET)
        usual, spoiled, other = (reference.start(vertex(one, 0), one.floats, one.integers, one.booleans) for _ in range(3))
        rng = random.Random(number)
        spoil(spoiled, rng, live)
        spoil(other, rng, 0)
        expected = seen(usual)
        assert seen(spoiled) == expected, number
        raw = 0
        for block in context.graph.blocks[:1]:
            for pc in block.addresses:
                raw |= context.effect(pc).reads
        looked["programs"] += 1
        looked["demand"] += bool(live)
        looked["without effect"] += bool(raw & ~live)
        looked["of effect"] += seen(other) != expected
    assert looked["of effect"] > looked["programs"] / 10, looked
    assert looked["without effect"] > looked["programs"] / 10, looked
