"""The campaign of wrong compilers: its changes are other code, and it tells programs and answers apart."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path

import numpy as np
import pytest

import compile_mutations
from compile_mutations import Case, Piece, changed, changes, modules, same
from effort import times


def test_every_change_is_other_code_that_compiles():
    module = "lanewise.compile.vector.sums"
    assert module in modules()
    before = ast.unparse(ast.parse(compile_mutations.path_of(module).read_text("utf-8")))
    found = list(changes(module))
    assert len(found) > 20
    for change in random.Random(1).sample(found, times(4, len(found))):
        tree = changed(change)
        compile(tree, module, "exec")
        assert ast.unparse(tree) != before, change


def test_which_programs_a_module_has_a_part_in():
    shader, module = Path("a.vsa"), Path("a.spv")
    parts = {
        (case.source.suffix, case.target): [
            package for package in compile_mutations.PACKAGES if case.concerns(f"lanewise.compile.{package}.x")
        ]
        for case in (Case(source, target, ()) for source in (shader, module) for target in ("pica200", "shadercore"))
    }
    assert parts[".vsa", "pica200"] == ["direct3d9", "vector", "pica200"]
    assert parts[".spv", "shadercore"] == ["spirv", "vector", "shadercore"]


def test_bits_are_compared_and_all_nan_are_one():
    zero, nan, other = (np.array([bits], np.uint32).view(np.float32) for bits in (0, 0x7FC00000, 0xFFC00001))
    assert same({"a": nan}, {"a": other})
    assert not same({"a": zero}, {"a": -zero})
    assert not same({"a": zero}, {"b": zero})


def test_the_verdict_on_a_change():
    piece = Piece(
        3, "x", [["a for pica200", "unknown", "", "unknown", ""], ["b for pica200", "differs", "", "equal", ""]], "", 0.5
    )
    assert (piece.counts, piece.found, piece.believed) == (True, True, ["b for pica200"])
    assert "WRONG 3 x" in compile_mutations.summary([piece])
    assert "SURVIVES" in compile_mutations.summary([piece._replace(programs=piece.programs[:1])])
    apart = piece._replace(programs=[], failed=compile_mutations.OTHER_NAMES)
    assert "0 change a bit of a run" in compile_mutations.summary([apart])
    assert "1 more change other names" in compile_mutations.summary([apart])


def test_answers_of_children():
    if not hasattr(compile_mutations.os, "fork"):
        pytest.skip("children are forked: POSIX only")
    assert compile_mutations.in_child(lambda: [1, "a"]) == json.loads('[1, "a"]')
    assert compile_mutations.in_child(lambda: 1 // 0).startswith("ZeroDivisionError")
