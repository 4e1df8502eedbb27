"""What names mean where a thread is, and how deep functions are that the compiler has inlined."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from debugger_sessions import CALLS, session
from lanewise.core.debugging import Inlined
from lanewise.core.diagnostics import InputError
from lanewise.debugger.threads import Threads
from lanewise.debugger.values import Values
from together import together

SIZES = {"light.colour": 3, "light.on": 1, "place": 4, "turn": 1}


@together(
    ("name", "places"),
    [
        ("place", ["place.x", "place.y", "place.z", "place.w"]),
        ("place.wy", ["place.w", "place.y"]),
        ("turn", ["turn"]),
        ("turn.x", []),
        (" light.colour ", ["light.colour.x", "light.colour.y", "light.colour.z"]),
        ("light.colour.zx", ["light.colour.z", "light.colour.x"]),
        ("light.colour.w", []),
        ("light.on", ["light.on"]),
        ("light", []),
        ("light.gone", []),
    ],
)
def test_components_of_variables(name: str, places: list[str]):
    reader = SimpleNamespace(variables=SIZES, elsewhere={})
    values = SimpleNamespace(_variable_sizes=SIZES, reader={0: reader}.get)
    assert list(Values.variable_places(cast("Any", values), 0, name)) == places


def test_functions_that_are_inlined_are_counted():
    """A word of no function is with the one before it."""
    main, one, two = (Inlined(name, None, ()) for name in ("main", "one", "two"))
    active = [(), (main,), (two, one, main), (), (one, main), ()]
    threads = SimpleNamespace(_inlined=[], source_map=active, debuggee=SimpleNamespace(inlined=active.__getitem__))
    depths = [Threads.inlined_depth(cast("Any", threads), address) for address in range(-1, 7)]
    assert depths == [0, 0, 0, 2, 2, 1, 1, 0]


def test_one_component_is_explained():
    s = session(CALLS, input=("position=1,2,3,1",), uniform=("offset=1,0,0,0",))
    s.goto(0, 5)
    assert s.explain(0, "r0.y").causes
    for name, choice in (("r0", "r0.x, r0.y, r0.z, r0.w"), ("r0.xy", "")):
        with pytest.raises(InputError) as raised:
            s.explain(0, name)
        (found,) = raised.value.diagnostics
        assert found.message == f"'{name}' has several components"
        assert found.fix.endswith(choice)


def test_what_a_step_is_about_is_told_apart() -> None:
    found = session(CALLS, input=("position=1,2,3,1",), uniform=("offset=1,0,0,0",))
    names: list[dict[str, list[str]]] = []
    for _ in range(8):
        names.append({group.name: [register.name for register in group.registers] for group in found.touched(0)})
        found.step(0)
    assert names[0] == {"changed": [], "read by it": [], "read next": ["v0"]}
    assert names[1] == {"changed": ["r0"], "read by it": ["v0"], "read next": []}
    assert {"changed": ["r0"], "read by it": ["c0"], "read next": []} in names[3:]
    found.go_on(0)
    assert found.touched(0)[2].registers == ()
