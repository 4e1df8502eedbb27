"""Equality on random programs: components with one value number have one value in a run."""

from __future__ import annotations

from effort import times
from lanewise.pica200.check.context import AnalysisContext
from lanewise.pica200.check.equality import Equality
from lanewise.pica200.engine.random_programs import BUDGET, case, vertex
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Interface, Program
from lanewise.pica200.isa.table import TEMPORARY


def test_components_with_one_number_are_equal():
    """A run is in some block of a word: one of them must agree. Many classes have more than one component, so the test can
    fail."""
    compared = 0
    for number in range(times(50, 3000)):
        one = case(17, number)
        profile = one.profile.replace(empty_break="nothing", unknown_words="nothing", stack_depth="unlimited")
        program = Program(operations=lift(one.words, one.descriptors), interfaces=(Interface(name="x"),), labels={})
        context = AnalysisContext(program, program.interfaces[0], one.words, one.descriptors, profile=profile)
        graph = context.graph
        if not isinstance(graph, Graph) or len(graph.blocks) > 400:
            continue
        equality = Equality(context, graph)
        reference = Reference(one.words, one.descriptors, 0, profile=profile, budget=BUDGET)
        machine = reference.start(vertex(one, 0), one.floats, one.integers, one.booleans)
        for _ in range(60):
            if machine.finished:
                break
            now = [word for register in range(16) for word in machine.registers.readable[TEMPORARY + register]]
            pc = machine.step().pc
            wrong: list[list[int]] = []
            for block in graph.at.get(pc, ()):
                classes: dict[int, list[int]] = {}
                for n, value in enumerate(equality.at(block, pc)):
                    classes.setdefault(value, []).append(n)
                compared += sum(len(members) > 1 for members in classes.values())
                wrong.append([n for members in classes.values() for n in members if now[n] != now[members[0]]])
            assert not wrong or not all(wrong), f"case {number}, word {pc:#x}: {wrong}"
    assert compared > 1000
