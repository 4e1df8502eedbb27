"""Runs of the example geometry shaders as golden traces: `geometry_traces/NAME.txt`, rewritten by `pytest --bless`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY

if TYPE_CHECKING:
    from lanewise.pica200.api.tracing import Trace

HERE = Path(__file__).parent / "geometry_traces"


def pipeline(name: str) -> lw.pica200.Pipeline:
    return lw.assemble([str(REPOSITORY / "examples" / f"{name}.{stage}.pica") for stage in "vg"]).pipeline


def particles() -> Trace:
    """The second of two particles."""
    inputs = {"position": [[0, 0, 0], [4, 0, 0]], "color": [1, 0.5, 0]}
    uniforms = {"projection": np.eye(4), "size": [0.5, 0.25, 0, 0]}
    return pipeline("particles").trace(inputs, uniforms=uniforms, number=1)


def subdivide() -> Trace:
    """A triangle, its corners not in the order of their numbers."""
    inputs = {"position": [[0, 0, 0], [4, 0, 0], [0, 8, 0]], "color": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
    return pipeline("subdivide").trace(inputs, [2, 0, 1], {"projection": np.eye(4) / 8})


TRACES = {
    "particles": lambda: particles().text(),
    "particles_explained": lambda: particles().explain("position.y@3").text(),
    "subdivide": lambda: subdivide().table(),
    "subdivide_explained": lambda: subdivide().explain("color.x@1").text(),
}


@pytest.mark.parametrize("name", TRACES)
def test_golden(name: str, bless: bool):
    found = TRACES[name]().replace(f"{REPOSITORY}/", "") + "\n"
    expected = HERE / f"{name}.txt"
    if bless:
        HERE.mkdir(exist_ok=True)
        expected.write_text(found)
    assert expected.read_text() == found


def test_every_golden_trace_is_expected():
    assert {path.stem for path in HERE.glob("*.txt")} == set(TRACES)
