"""Variables of GLSL in an editor: a scope, hovers, watches, data breakpoints, frames of functions that are inlined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dap_client import Client

SHADER = Path(__file__).parents[2] / "spirv" / "lines" / "scopes.spv"
UNIT = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
LAUNCH: dict[str, Any] = {
    "program": str(SHADER),
    "stopOnEntry": True,
    "inputs": {"place": [1, 2, 3, 4], "normal": [1, 1, 1]},
    "uniforms": {
        "projection": UNIT,
        "tints": [[2, 1, 0, 0], [4, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]],
        "count": 2,
        "flipped": True,
    },
}


@pytest.fixture
def client() -> Client:
    made = Client()
    made.request("initialize", adapterID="lanewise")
    made.request("launch", **LAUNCH)
    made.request("configurationDone")
    return made


def to_line(client: Client, line: int) -> list[dict[str, Any]]:
    """The frames at the first instruction of a line."""
    for _ in range(200):
        frames = client.request("stackTrace", threadId=client.stop()["threadId"])["stackFrames"]
        if frames[0]["line"] == line:
            return frames
        client.request("stepIn", threadId=client.stop()["threadId"], granularity="instruction")
    raise AssertionError(f"no instruction is at line {line}")


def scopes(client: Client, frame: int) -> dict[str, dict[str, str]]:
    """The values of the scopes of variables by name."""
    found: dict[str, dict[str, str]] = {}
    for scope in client.request("scopes", frameId=frame)["scopes"]:
        if scope["name"].startswith("Variables"):
            rows = client.request("variables", variablesReference=scope["variablesReference"])["variables"]
            found[scope["name"]] = {row["name"]: row["value"] for row in rows}
    return found


def test_a_scope_for_each_function(client: Client):
    frames = to_line(client, 16)
    assert [(frame["name"], frame["line"]) for frame in frames if "loop" not in frame["name"]] == [("weight", 16), ("main", 31)]
    shown = scopes(client, frames[0]["id"])
    assert shown["Variables"] == {"x": "2", "turn": "0", "k": "optimised away"}
    assert shown["Variables of main"]["t"] == "2, 1, 0, 0"
    assert shown["Variables of main"]["p"] == "1, 2, 3, 4"


def test_values_of_all_types(client: Client):
    frames = to_line(client, 51)
    shown = scopes(client, frames[0]["id"])["Variables"]
    assert shown["turned[1]"] == "1, 1, 1"
    assert shown["ends[2]"] == "4"
    assert shown["high"] in ("true", "false", "optimised away")
    frame = frames[0]["id"]
    assert client.request("evaluate", expression="turned[1].y * 2", frameId=frame, context="hover")["result"] == "2"
    assert client.request("evaluate", expression="p", frameId=frame, context="watch")["result"] == "1, 2, 3, 4"
    failed = client.answer("evaluate", {"expression": "k", "frameId": frame, "context": "watch"})
    assert not failed["success"]
    assert "k has no value here" in failed["body"]["error"]["format"] + failed["message"]


def test_stop_where_a_variable_gets_another_value(client: Client):
    frames = to_line(client, 32)
    info = client.request("dataBreakpointInfo", name="total", frameId=frames[0]["id"])
    assert info["dataId"] == "total"
    (made,) = client.request("setDataBreakpoints", breakpoints=[{"dataId": "total"}])["breakpoints"]
    assert made["verified"]
    client.request("continue", threadId=client.stop()["threadId"])
    assert client.stop()["reason"] == "data breakpoint"
    assert "sets total = 9.5, was 0.5" in client.stop()["text"]


def test_out_of_a_function_that_is_inlined(client: Client):
    to_line(client, 16)
    client.request("stepOut", threadId=client.stop()["threadId"])
    frames = client.request("stackTrace", threadId=client.stop()["threadId"])["stackFrames"]
    assert frames[0]["name"] == "main"


def test_names_are_completed(client: Client):
    frames = to_line(client, 16)
    targets = client.request("completions", frameId=frames[0]["id"], text="tu", column=3)["targets"]
    assert "turn" in [target["label"] for target in targets]


def test_an_expression_of_the_source_is_marked_and_has_a_value(client: Client):
    frame = to_line(client, 39)[0]
    line = SHADER.with_suffix(".vert").read_text("utf-8").split("\n")[38]
    assert line[frame["column"] - 1 : frame["endColumn"] - 1] == "pair.high > total"
    frame = to_line(client, 51)[0]
    asked = {"frameId": frame["id"], "context": "hover"}
    assert client.request("evaluate", expression="turned * mixed(normal, step)", **asked)["result"] == "12.5, 21.875, 18.75"
    nodes = client.request("lanewise/causes", threadId=client.stop()["threadId"], name="n.x")["nodes"]
    (node,) = [each for each in nodes if each["text"] == "turned * mixed(normal, step)"]
    assert (node["line"], node["column"], node["length"]) == (42, 12, 28)
