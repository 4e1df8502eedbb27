"""Errors reach another process, and come back from one, as they were raised."""

from __future__ import annotations

import builtins
import copy
import importlib
import multiprocessing
import pickle
import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = REPOSITORY / "src"
BUILT_IN = {name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)}
CLASS = re.compile(r"^class (\w+)\(([^)]*)\):", re.MULTILINE)
ENDLESS = ".in p\n.out pos position\n.proc main\n\tmov pos, p\n\tbreak\n\tend\n.end\n"
TIMEOUT = 60  # seconds, for a pool that would wait forever


@cache
def errors() -> tuple[type[BaseException], ...]:
    """All classes of lanewise that are exceptions, by their bases in the sources."""
    rows = [
        (path, name, {base.rpartition(".")[2].strip() for base in bases.split(",")})
        for path in sorted((SOURCES / "lanewise").rglob("*.py"))
        if path.parent.name != "lsp"  # its errors are of the library of the protocol
        for name, bases in CLASS.findall(path.read_text("utf-8"))
    ]
    names = set(BUILT_IN)
    found: dict[tuple[Path, str], None] = {}
    while more := [
        row for row in rows if row[:2] not in found and any(base in names or base.endswith("Exception") for base in row[2])
    ]:
        found |= {row[:2]: None for row in more}
        names |= {name for _, name, _ in more}
    kinds: list[type[BaseException]] = []
    for path, name in found:
        module = ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
        kinds.append(getattr(importlib.import_module(module), name))
    return tuple(kinds)


def test_every_error_keeps_its_message_attributes_and_notes():
    assert {lw.InputError, lw.pica200.RunError, lw.pica200.PipelineError, lw.distributed.CampaignError} <= set(errors())
    for kind in errors():
        error = kind.__new__(kind, "a sentence")
        error.place = 7  # pyright: ignore[reportAttributeAccessIssue]
        error.add_note("in the chunk of vertices 3 to 5")
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(error, protocol))
            assert (type(again), again.args, again.__dict__) == (kind, ("a sentence",), error.__dict__)
        assert copy.deepcopy(error).__dict__ == error.__dict__


def test_an_input_error_has_its_findings():
    with pytest.raises(lw.InputError) as caught:
        lw.assemble("mull")
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostics == caught.value.diagnostics
    assert str(again) == str(caught.value)


def test_errors_of_runs_have_their_results():
    shader = lw.assemble(ENDLESS, name="endless.v.pica").vertex
    for run, kind in ((shader.run, lw.pica200.RunError), (lw.pica200.Pipeline(shader).run, lw.pica200.PipelineError)):
        with pytest.raises(kind) as caught:
            run({"p": [1, 2, 3]})
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.diagnostics) == (str(caught.value), caught.value.diagnostics)
        np.testing.assert_array_equal(again.result.outputs["position"], caught.value.result.outputs["position"])
        assert again.result.faults == caught.value.result.faults


def test_a_pool_gets_the_error_and_does_not_wait_for_it():
    with multiprocessing.get_context("spawn").Pool(1) as pool, pytest.raises(lw.InputError) as caught:
        pool.map_async(lw.assemble, ["mull"]).get(TIMEOUT)
    assert [finding.code for finding in caught.value.diagnostics] == ["P001"]
