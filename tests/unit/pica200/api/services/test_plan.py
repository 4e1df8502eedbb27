"""`lanewise.pica200.api.services.plan`: a request is read once, and left as it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
from lanewise.core.service import Request, UsageError
from lanewise.core.view import view_of
from lanewise.pica200.api.file import ShaderFile
from lanewise.pica200.api.services import primitives
from lanewise.pica200.api.services.plan import Stages, check_view, plan_of, stages_of
from lanewise.pica200.sem.profile import find_profile

if TYPE_CHECKING:
    from lanewise.core.service import Value

SOURCE = ".out a position\n.out b color\n.in place\n.in paint\n.proc main\nmov a, place\nmov b, paint\nend\n.end\n"
DATA = {"schema": "lanewise/data/1", "inputs": {"place": [[1, 2, 3]], "paint": [0.5]}, "count": 3}


class Memory:
    """One data file, whatever its path."""

    def read(self, path: str) -> bytes:
        return json.dumps(DATA).encode()

    def exists(self, path: str) -> bool:
        return True

    def within(self, path: str) -> Memory:
        return self


def request(**values: Value) -> Request:
    return Request("run", (), {key.replace("_", "-"): value for key, value in values.items()}, files=Memory())


@pytest.fixture(scope="module")
def file() -> ShaderFile:
    made = lw.assemble(SOURCE)
    assert isinstance(made, ShaderFile)
    return made


def test_one_stage(file: ShaderFile):
    asked = request(data="d.json", input=("place=7,8,9",), budget=5, profile="panda3ds")
    before = dict(asked.values)
    plan = plan_of(asked, file)
    assert not isinstance(plan, Stages)
    assert asked.values == before
    assert sorted(plan.inputs) == ["paint", "place"]
    assert (plan.settings.vertices, plan.settings.budget, plan.settings.defaults) == (3, 5, None)
    assert plan.settings.profile == find_profile("panda3ds")
    assert plan_of(request(data="d.json", count=2), file).settings.vertices == 2


def test_both_stages_without_the_request(file: ShaderFile):
    asked = request(data="d.json", indices="2,1,0", topology="strip")
    plan = plan_of(asked, file)
    assert isinstance(plan, Stages)
    asked.values.clear()  # nothing further is read from it
    answer = primitives.show_primitives(plan, view_of(request(format="json")))
    assert answer.data["primitives"] == 1
    assert primitives.scene_primitives(plan).scene is not None


def test_what_is_about_primitives(file: ShaderFile):
    values = {"data": "d.json"}
    assert not isinstance(plan_of(request(**values), file), Stages)
    assert not isinstance(plan_of(request(**values, explain="a.x"), file), Stages)
    for more in ({"indices": "all"}, {"rasterized": True}, {"explain": "a.x@1"}):
        assert isinstance(plan_of(request(**values, **more), file), Stages)
    assert isinstance(stages_of(request(**values), file), Stages)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"trace_stage": "vertex"}, "--trace-stage goes with --trace N"),
        ({"bits": True, "rasterized": True}, "leave out one of them"),
        ({"trace": 0, "topology": "strip"}, "--topology is about primitives"),
        ({"trace": 0, "rasterized": True}, "--rasterized is about primitives"),
    ],
)
def test_options_that_do_not_go_together(values: dict[str, Value], message: str):
    asked = request(**values)
    with pytest.raises(UsageError) as error:
        check_view(asked, view_of(asked))
    assert message in str(error.value)
