"""Random sequences of requests: each gets one answer, of its type, and the adapter goes on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dap_client import Client
from dap_tours import Tour, tours
from effort import examples, sample
from lanewise.dap.adapter import requests

SMALL = st.integers(-2, 40)
TEXTS = st.sampled_from(
    [
        "r0",
        "r0.x",
        "v0",
        "o0.y",
        "position",
        "c0[1].x",
        "1 + 1",
        "explain o0.x",
        "goto 3",
        "set v0.x = 2",
        "help",
        "",
        "main",
        "0x0003",
        "write",
        "line",
        "instruction",
        "hex",
        "%",
        ">= 2",
        "🙂",
        "x" * 300,
        "nan",
        "end",
    ]
)
LEAVES = st.one_of(SMALL, TEXTS, st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False))
ROW_KEYS = ("line", "condition", "hitCondition", "logMessage", "dataId", "instructionReference", "name", "offset", "accessType")
KEYS = {
    "threadId": st.sampled_from([1, 1, 1, 2, 99]),
    "frameId": st.integers(1, 30),
    "variablesReference": st.integers(0, 60),
    "granularity": st.sampled_from(["line", "statement", "instruction", "page"]),
    "expression": TEXTS,
    "name": TEXTS,
    "value": TEXTS,
    "context": st.sampled_from(["repl", "watch", "hover", "clipboard"]),
    "line": SMALL,
    "endLine": SMALL,
    "text": TEXTS,
    "column": SMALL,
    "memoryReference": TEXTS,
    "instructionReference": TEXTS,
    "instructionOffset": SMALL,
    "instructionCount": st.integers(-1, 50),
    "targetId": SMALL,
    "step": st.integers(-1, 100),
    "vertex": SMALL,
    "form": TEXTS,
    "singleThread": st.booleans(),
    "locationReference": SMALL,
    "start": SMALL,
    "count": SMALL,
    "filters": st.lists(st.sampled_from(["nan", "infinity", "unwritten", "hazard", "hang", "end", "other"]), max_size=3),
    "source": st.just("SOURCE"),
    "format": st.just({"hex": True}),
    "breakpoints": st.lists(st.dictionaries(st.sampled_from(ROW_KEYS), LEAVES, max_size=4), max_size=3),
}
COMMANDS = sorted(set(requests()) - {"launch", "disconnect", "terminate", "restart"})


@st.composite
def request(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A request with arguments that may be right: each has the kind of value that it has in the protocol, or now and then
    another."""
    command = draw(st.sampled_from(COMMANDS))
    chosen = draw(st.sets(st.sampled_from(sorted(KEYS)), max_size=4)) | {
        "threadId",
        "source",
        "frameId",
        "line",
        "expression",
        "name",
        "breakpoints",
    }
    arguments: dict[str, Any] = {key: draw(KEYS[key]) for key in sorted(chosen)}
    if draw(st.integers(0, 9)) == 0:
        arguments[draw(st.sampled_from(sorted(KEYS)))] = draw(LEAVES)
    return command, arguments


@pytest.mark.parametrize("tour", sample(tours(), 2), ids=lambda tour: tour.name)
@examples(2)
@given(asked=st.lists(request(), min_size=5, max_size=15))
def test_any_requests_are_answered(tour: Tour, asked: list[tuple[str, dict[str, Any]]]):
    client = Client()
    client.request("initialize")
    client.request("launch", **tour.launch)
    (source, *_) = client.request("loadedSources")["sources"]
    client.move("configurationDone")
    for command, arguments in asked:
        answer = client.answer(command, {key: source if value == "SOURCE" else value for key, value in arguments.items()})
        assert "internal error" not in str(answer), answer
        assert "internal error" not in client.output()
        if client.events("terminated"):
            return
    assert client.request("threads")["threads"]
