"""Effects of words as bits: the same components as those of `sem.components`, each word looked up once."""

from __future__ import annotations

import random
from typing import Any

import pytest

from effort import times
from lanewise.pica200.check import context, dataflow
from lanewise.pica200.check.rules import check, contexts_of
from lanewise.pica200.engine.random_programs import case
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import lift, operands
from lanewise.pica200.isa.program import Interface, Program
from lanewise.pica200.sem.components import components_read, components_written, flows
from lanewise.pica200.sem.instruction import computes, resolve
from lanewise.pica200.sem.profile import HARDWARE


def test_effects_are_those_of_the_components():
    rng = random.Random(4)
    profiles = (HARDWARE, HARDWARE.replace(index_files="added"))
    seen = 0
    for _ in range(times(2000, 200_000)):
        inst = decode(rng.getrandbits(32))
        if not computes(inst):
            continue
        seen += 1
        for profile in profiles:
            resolved = resolve(inst, operands(inst, rng.getrandbits(31)), profile)
            found = dataflow.flows_of(resolved, profile)
            assert found == tuple([(dataflow.bit(one), dataflow.bits(behind)) for one, behind in flows(resolved, profile)])
            assert sum(written for written, _ in found) == dataflow.bits(components_written(resolved))
            reads = 0
            for _, behind in found:
                reads |= behind
            assert reads == dataflow.bits(components_read(resolved, profile))
    assert seen > 500


def test_components_of_a_set_are_in_order():
    rng = random.Random(5)
    for _ in range(200):
        found = rng.getrandbits(135) & rng.getrandbits(135)
        listed = dataflow.components(found)
        assert dataflow.bits(listed) == found & dataflow.REGISTERS
        assert [dataflow.bit(component) for component in listed] == sorted(dataflow.bit(component) for component in listed)


def test_each_word_is_resolved_once(monkeypatch: pytest.MonkeyPatch):
    """Whatever rules look at it, and however many graphs it is in."""
    program = case(3, 0)
    calls: list[Any] = []

    def counted(*arguments: Any, original: Any = context.resolve) -> Any:
        calls.append(arguments)
        return original(*arguments)

    monkeypatch.setattr(context, "resolve", counted)
    words, descriptors = program.words, program.descriptors
    read = Program(operations=lift(words, descriptors), interfaces=(Interface(name="x"),), labels={})
    check(contexts_of(read, words, descriptors, wired=False))
    assert 0 < len(calls) <= len(words)
