"""`lanewise.direct3d9.api.services.plan`: a request is read once; what options name is known apart from the data file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lanewise.core.service import Request, UsageError
from lanewise.direct3d9.api.services.plan import plan_of
from lanewise.direct3d9.sem.numbers import IEEE, rule_of
from lanewise.tools.console import DiskFiles

if TYPE_CHECKING:
    from pathlib import Path

    from lanewise.core.service import Value


def request(**values: Value) -> Request:
    return Request("run", (), values, files=DiskFiles())


def test_options_go_before_the_data_file(tmp_path: Path):
    path = tmp_path / "d.json"
    content = {"uniforms": {"c0": [1.0], "c1": [2.0]}, "integers": {"i0": [4, 0, 1]}, "booleans": {"b0": True}, "count": 5}
    path.write_text(json.dumps({"schema": "lanewise/data/1", "isa": "direct3d9", **content}))
    plan = plan_of(request(data=str(path), uniform=("c1=3", "k=4"), int=("i0=2,0,1", "i1=1,0,0"), bool=("b1=off",)))
    assert {name: value.tolist() for name, value in plan.uniforms.items()} == {"c0": [1.0], "c1": [3.0], "k": [4.0]}  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    assert plan.integers == {"i0": [2, 0, 1], "i1": [1, 0, 0]}
    assert plan.booleans == {"b0": True, "b1": False}
    assert plan.lanes == 5
    assert plan.rule == rule_of(IEEE)
    assert [*plan.named.uniforms] == ["c1", "k"]
    assert plan.named[1:] == (("i0", "i1"), ("b1",), ())
    assert plan_of(request(data=str(path), count=2)).arguments()["count"] == 2


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"turns": 0}, "--turns is 0"),
        ({"count": 0}, "--count is 0"),
        ({"rule": "d3d9", "device": "rtl"}, "--rule and --device both name a number rule"),
        ({"sampler": ("s0",)}, "--sampler s0: write NAME=VALUE"),
        ({"int": ("i0=1", "i0=2")}, "--int i0 is given twice"),
    ],
)
def test_wrong_usage(values: dict[str, Value], message: str):
    with pytest.raises(UsageError) as error:
        plan_of(request(**values))
    assert message in str(error.value)
