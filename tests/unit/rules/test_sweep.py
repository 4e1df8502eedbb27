"""The programs that `python -m rules_sweep` runs compute the sides of rows, and tell them apart where they differ."""

from __future__ import annotations

import random

import numpy as np
import pytest

import rules_sweep
from lanewise.arrays.words import Words
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.rules.row import EXHAUSTED, TRIED
from lanewise.rules.runs import RUNS, runs_of, runs_text, stated
from lanewise.rules.table import beliefs, rules
from rewriting import Case, Pica, cases_of, given_words, laws_of, leaves_of, of_belief, value_of

NAMES = ("choice of two numbers", "floor of a truncation", "magnitude of a magnitude", "contrary of unequal", "flushed twice")


def test_programs_compute_both_sides():
    rng, numbers, laws = random.Random(1), Pica(HARDWARE), laws_of(HARDWARE)
    for rule in [rule for rule in rules() if rule.name in NAMES]:
        case = cases_of(rule, laws, 1)[0]
        shader = rules_sweep.shader_of(case)
        given = [given_words(case, numbers, rng) for _ in range(12)]
        inputs = {
            each.name: Words(np.array([[words[name]] * 4 for words in given], np.uint32))
            for each, name in zip(shader.inputs, leaves_of(case.before), strict=True)
        }
        bits = shader.run(inputs, count=12, engine="reference").bits
        for n, words in enumerate(given):
            wanted = [value_of(side, numbers, words) for side in (case.before, case.after)]
            assert [*bits["before"][n]] == [wanted[0]] * 4, (case, words)
            assert [*bits["after"][n]] == [wanted[1]] * 4, (case, words)


def test_a_belief_is_refuted(monkeypatch: pytest.MonkeyPatch):
    (belief,) = [each for each in beliefs() if each.name == "halving and doubling cancel"]
    case: Case = of_belief(belief)[0]
    monkeypatch.setattr(rules_sweep, "VERTICES", 64)
    words = np.full((64, 4), 0x020000, np.uint32)
    shader = rules_sweep.shader_of(case)
    assert rules_sweep.unequal(case, shader, {"x": words}, HARDWARE) == ""
    words[5, 2] = 0x010000
    assert rules_sweep.unequal(case, shader, {"x": words}, HARDWARE) == "x = 0x10000"


def test_every_row_that_is_tried_has_run_as_it_is():
    """On all patterns, or 10^8 numbers: `python -m rules_sweep --record FILE`, whose text is that of `rules.runs`."""
    asked = {stated(rule) for rule in rules() if rule.checked in (EXHAUSTED, TRIED)}
    assert {*RUNS} == asked
    for statement, runs in RUNS.items():
        assert any(run.profile == "hardware" and run.numbers >= 1 << 24 for run in runs), statement
    assert runs_of(runs_text(RUNS)) == RUNS
