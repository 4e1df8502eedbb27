"""`lanewise.shadercore.api.services.plan`: a request is read once, and what it says goes before the data file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lanewise.arrays.words import Words
from lanewise.core.service import Request, UsageError
from lanewise.shadercore.api.services.plan import plan_of
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.tools.console import DiskFiles

if TYPE_CHECKING:
    from pathlib import Path

    from lanewise.core.service import Value


def request(**values: Value) -> Request:
    return Request("run", (), values, files=DiskFiles())


def test_nothing_is_given():
    plan = plan_of(request())
    assert (plan.inputs, plan.uniforms, plan.initial, plan.streams, plan.indices) == ({}, {}, {}, [], None)
    assert (plan.vertices, plan.device, plan.defaults, plan.engine, plan.threads) == (None, RTL, None, "auto", 1)


def test_options_go_before_the_data_file(tmp_path: Path):
    path = tmp_path / "d.json"
    content = {"inputs": {"position": [[1, 2]]}, "uniforms": {"c0": [1.0]}, "initial": {"r0.x": 2.0}, "count": 5}
    path.write_text(json.dumps({"schema": "lanewise/data/1", "isa": "shadercore", **content}))
    asked = request(data=str(path), uniform=("c0=3",), initial=("r1.x=words:7",), device="document", default="0", indices="2,1")
    before = dict(asked.values)
    plan = plan_of(asked)
    assert asked.values == before
    assert [*plan.inputs] == ["position"]
    assert plan.uniforms["c0"].tolist() == [3.0]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    start = plan.initial["r1.x"]
    assert isinstance(start, Words) and start.array.shape == ()  # a number, not a vector of one
    assert plan.indices is not None and plan.indices.tolist() == [2, 1]
    settings = plan.settings()
    assert (settings["count"], settings["device"], settings["defaults"]) == (5, DOCUMENT, 0)


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("threads", -1, "1 to 1,024"),
        ("threads", 1025, "1 to 1,024"),
        ("count", 0, "1 to 134,217,728"),
        ("count", 1 << 40, "1 to"),
    ],
)
def test_numbers_out_of_their_ranges(option: str, value: int, expected: str):
    """Of a trace too, which takes no threads."""
    with pytest.raises(UsageError, match=f"--{option} is {value}, expected {expected}"):
        plan_of(request(**{option: value}))
