"""Demand on random programs: what the analysis calls without effect has none in a run."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from effort import times
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.context import AnalysisContext
from lanewise.pica200.check.demand import demand, effective
from lanewise.pica200.check.value_rules import read_before_written
from lanewise.pica200.engine.random_programs import BUDGET, case, vertex
from lanewise.pica200.engine.reference import Machine, Reference
from lanewise.pica200.engine.uninitialised import Watch
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Interface, Output, Program
from lanewise.pica200.isa.table import TEMPORARY
from lanewise.pica200.sem.components import Component
from lanewise.pica200.sem.flow import LoopValues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.engine.reference import Words

# Outputs of which each property takes only some components, and one that is not declared (o6).
OUTPUTS = tuple(Output(semantic=semantic, register=register) for register, semantic in enumerate((0, 3, 4, 8, 2, 5)))
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
    """The path of a lane, and what later stages get: the emitted vertices of a geometry shader, and the outputs at the end."""
    path: list[int] = []
    vectors: list[Sequence[Words]] = []
    while not machine.finished and len(path) < BUDGET:
        step = machine.step()
        path.append(step.pc)
        if (emitted := step.result.get("emit")) is not None:
            vectors.append(emitted.vertex.outputs)
    vectors.append(machine.registers.outputs)
    return path, [outputs[n][c] for outputs in vectors for n, mask in enumerate(TAKEN) for c in range(4) if mask & 8 >> c]


@pytest.mark.parametrize("geometry", [False, True])
def test_values_without_demand_have_no_effect(geometry: bool):
    """And demand is not everything: of the components that a program reads first, many have none.

    A geometry shader runs twice: what the first run leaves may have its effect in the second.
    """
    looked: Counter[str] = Counter()
    for number in range(times(36, 3000)):
        one = case(11 + geometry, number)
        profile = one.profile.replace(empty_break="nothing", unknown_words="nothing", stack_depth="unlimited")
        profile = profile.replace(index_wrap="uniforms", index_files="ignored", keep_registers_between_invocations="kept")
        program = Program(
            operations=lift(one.words, one.descriptors),
            interfaces=(Interface(name="x", geometry=geometry, outputs=OUTPUTS),),
            labels={},
        )
        context = AnalysisContext(program, program.interfaces[0], one.words, one.descriptors, profile=profile)
        if not isinstance(context.graph, Graph):
            continue
        live = demand(context, context.graph).live[0]
        reference = Reference(one.words, one.descriptors, 0, profile=profile, budget=BUDGET, geometry=geometry)

        given = vertex(one, 0), one.floats, one.integers, one.booleans
        usual, spoiled, other = (reference.start(*given) for _ in range(3))
        rng = random.Random(number)
        spoil(spoiled, rng, live)
        spoil(other, rng, 0)
        expected = seen(usual)
        assert seen(spoiled) == expected, number
        if geometry and usual.fault is None:
            assert seen(reference.start(*given, spoiled)) == seen(reference.start(*given, usual)), number
        raw = 0
        for pc in context.graph.entry.addresses:
            raw |= context.effect(pc).reads
        looked["programs"] += 1
        looked["without effect"] += bool(raw & ~live)
        looked["of effect"] += seen(other) != expected
    assert looked["of effect"] > looked["programs"] / 10, looked
    assert looked["without effect"] > looked["programs"] / 20, looked


def test_reads_of_a_run_are_reads_of_the_check():
    """Where a run reads an uninitialised component with effect, the rule has a finding for that word or for one before it."""
    found = 0
    for case_number in range(times(60, 3000)):
        one = case(13, case_number)
        profile = one.profile.replace(
            empty_break="nothing", unknown_words="nothing", stack_depth="unlimited", initial_state="zero"
        )
        profile = profile.replace(index_wrap="uniforms", index_files="ignored")
        program = Program(
            operations=lift(one.words, one.descriptors), interfaces=(Interface(name="x", outputs=OUTPUTS),), labels={}
        )
        context = AnalysisContext(program, program.interfaces[0], one.words, one.descriptors, profile=profile)
        if not isinstance(context.graph, Graph):
            continue
        reference = Reference(one.words, one.descriptors, 0, profile=profile, budget=BUDGET)
        watch = Watch(reference)
        watch.run(0, reference.start(vertex(one, 0), one.floats, one.integers, one.booleans))
        has_effect, demanded = effective(context), demand(context, context.graph)
        read: set[Component] = set()
        for pc, component, *_ in watch.found:
            blocks = context.graph.at[pc]
            # A word that is in two blocks may have an effect in one: a run warns in both.
            if all(demanded.at[number, pc] & dataflow.bit(component) for number in blocks):
                assert has_effect(pc, component)
                read.add(component)
        told = {finding.topic for finding in read_before_written(context, context.graph)}
        assert {str(component).partition(".")[0] for component in read} <= told, case_number
        found += bool(read)
    assert found > 10
