"""Sessions of `lanewise dap` that use every request, for programs of each instruction set and language."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus import REPOSITORY
from dap_client import Client
from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLES = REPOSITORY / "examples"
IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


class Tour(Record):
    """A program to debug. `writes` is a component that it writes, `reads` an input component."""

    name: str
    launch: Mapping[str, Any]
    writes: str
    reads: str
    has_path: bool = True

    def record(self, client: Client | None = None) -> Client:
        """A session with every request; each answer is checked against the types of the protocol as it comes."""
        client = Client() if client is None else client
        client.request("initialize", adapterID="lanewise", clientID="tests", supportsInvalidatedEvent=True)
        client.request("launch", **self.launch)
        _configure(client, self)
        _look(client, self)
        _move(client, self)
        _set(client, self)
        _end(client)
        return client


def _configure(client: Client, tour: Tour) -> None:
    sources = client.request("loadedSources")["sources"]
    assert sources and ("path" in sources[0]) == tour.has_path
    source = sources[0]
    if tour.has_path:
        text = client.request("source", source=source, sourceReference=0)["content"]
        assert text == Path(source["path"]).read_text()
    else:
        text = client.request("source", source=source, sourceReference=source["sourceReference"])["content"]
    lines = text.count("\n")
    places = client.request("breakpointLocations", source=source, line=1, endLine=lines)["breakpoints"]
    assert places and all(1 <= place["line"] <= lines for place in places)
    first, last = places[0]["line"], places[-1]["line"]
    found = client.request(
        "setBreakpoints",
        source=source,
        breakpoints=[{"line": 1}, {"line": last}, {"line": lines + 9}, {"line": last, "condition": "1 +"}],
    )["breakpoints"]
    assert [each["verified"] for each in found] == [True, True, False, False]
    assert found[0]["line"] == first and found[1]["line"] == last and found[2]["message"] and found[3]["message"]
    assert len({each["id"] for each in found}) == 4
    client.request("setBreakpoints", source=source, breakpoints=[])
    client.request("setFunctionBreakpoints", breakpoints=[{"name": "nowhere"}])
    client.request("setExceptionBreakpoints", filters=["nan", "infinity", "hang", "end"])
    client.move("configurationDone")
    assert client.stop()["reason"] == "entry"


def _top(client: Client) -> dict[str, Any]:
    return client.request("stackTrace", threadId=client.stop()["threadId"])["stackFrames"][0]


def _registers(client: Client) -> dict[str, str]:
    """All registers of all scopes by name, read through the protocol."""
    found: dict[str, str] = {}
    for scope in client.request("scopes", frameId=_top(client)["id"])["scopes"][1:]:
        for variable in client.request("variables", variablesReference=scope["variablesReference"])["variables"]:
            found[variable["name"]] = variable["value"]
    return found


def _look(client: Client, tour: Tour) -> None:
    thread = client.stop()["threadId"]
    threads = client.request("threads")["threads"]
    assert thread in [each["id"] for each in threads]
    frame = _top(client)
    assert frame["line"] > 0 and frame["instructionPointerReference"]
    scopes = client.request("scopes", frameId=frame["id"])["scopes"]
    assert len(scopes) > 2
    for scope in scopes:
        variables = client.request("variables", variablesReference=scope["variablesReference"])["variables"]
        assert len(variables) == scope["namedVariables"]
    vector = next(each for each in variables_of(client, scopes) if each["variablesReference"])
    parts = client.request("variables", variablesReference=vector["variablesReference"])["variables"]
    assert ", ".join([part["value"] for part in parts]) == vector["value"]
    page = client.request("variables", variablesReference=vector["variablesReference"], filter="named", start=1, count=1)[
        "variables"
    ]
    assert page == parts[1:2]
    shown = client.request("variables", variablesReference=vector["variablesReference"], format={"hex": True})["variables"]
    assert all(each["value"].startswith("0x") for each in shown)
    again = client.request("evaluate", expression=vector["evaluateName"], frameId=frame["id"], context="watch")
    assert again["result"] == vector["value"]
    assert client.request("evaluate", expression=tour.reads, context="hover", frameId=frame["id"])["result"]
    assert client.request("evaluate", expression=f"{tour.reads} + 1 > 0", context="watch")["result"] in ("true", "false")
    assert "unknown name" in client.refused("evaluate", expression="nothing_of_this_name", context="watch")
    assert "explain" in client.request("evaluate", expression="help", context="repl")["result"]
    instructions = client.request(
        "disassemble", memoryReference=frame["instructionPointerReference"], instructionOffset=-2, instructionCount=6
    )["instructions"]
    assert len(instructions) == 6
    here = next(each for each in instructions if each["address"] == frame["instructionPointerReference"])
    assert here["instruction"] and here["line"] == frame["line"]
    client.request("completions", text=tour.reads[:2], column=3, frameId=frame["id"])


def variables_of(client: Client, scopes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        variable
        for scope in scopes
        for variable in client.request("variables", variablesReference=scope["variablesReference"])["variables"]
    ]


def _move(client: Client, tour: Tour) -> None:
    thread = client.stop()["threadId"]
    start = _registers(client)
    for command in ("next", "stepIn", "next", "next"):
        client.move(command, threadId=thread, granularity="instruction")
    for _ in range(4):
        client.move("stepBack", threadId=thread, granularity="instruction")
    client.move("lanewise/goto", threadId=thread, step=0)
    assert client.request("lanewise/causes", threadId=thread, name=tour.writes)["nodes"]
    client.move("lanewise/until", threadId=thread, query=f"written {tour.writes}")
    client.move("lanewise/untilBack", threadId=thread, query="nan")
    client.move("lanewise/goto", threadId=thread, step=0)
    assert _registers(client) == start
    client.move("next", threadId=thread)
    client.move("stepBack", threadId=thread)
    assert _registers(client) == start
    information = client.request("dataBreakpointInfo", name=tour.writes)
    assert information["dataId"], information
    client.request("setDataBreakpoints", breakpoints=[{"dataId": information["dataId"], "accessType": "write"}])
    client.move("continue", threadId=thread)
    assert client.stop()["reason"] == "data breakpoint", client.stop()
    written = _top(client)
    value = client.request("evaluate", expression=tour.writes, frameId=written["id"])["result"]
    explained = client.request("evaluate", expression=f"explain {tour.writes}", context="repl", frameId=written["id"])
    assert value in explained["result"]
    steps = client.request("variables", variablesReference=explained["variablesReference"])["variables"]
    assert steps and client.request("locations", locationReference=steps[-1]["valueLocationReference"])["line"] > 0
    client.request("setDataBreakpoints", breakpoints=[])
    client.request("setExceptionBreakpoints", filters=["end"])
    client.move("continue", threadId=thread)
    assert client.stop()["reason"] == "end" and " = " in client.output()
    client.request("setDataBreakpoints", breakpoints=[{"dataId": information["dataId"]}])
    client.move("reverseContinue", threadId=thread)
    assert client.stop()["reason"] == "data breakpoint"
    client.request("setDataBreakpoints", breakpoints=[])
    client.move("reverseContinue", threadId=thread)
    assert client.stop()["reason"] == "entry" and _registers(client) == start
    _jump(client, thread)
    assert client.request("lanewise/timeline", threadId=thread)["steps"] > 0


def _jump(client: Client, thread: int) -> None:
    """Instruction breakpoints, goto and runs to the cursor."""
    reference = _top(client)["instructionPointerReference"]
    client.move("stepIn", threadId=thread, granularity="instruction")
    second = _top(client)
    client.move("lanewise/runToCursorBack", threadId=thread, instructionReference=reference)
    assert _top(client)["instructionPointerReference"] == reference
    found = client.request(
        "setInstructionBreakpoints",
        breakpoints=[{"instructionReference": second["instructionPointerReference"]}, {"instructionReference": "0x7fff"}],
    )
    assert [each["verified"] for each in found["breakpoints"]] == [True, False]
    client.move("continue", threadId=thread, singleThread=True)
    assert client.stop()["reason"] == "instruction breakpoint"
    assert client.stop()["hitBreakpointIds"] == [found["breakpoints"][0]["id"]]
    client.request("setInstructionBreakpoints", breakpoints=[])
    source = second["source"]
    (target,) = client.request("gotoTargets", source=source, line=second["line"])["targets"]
    client.move("lanewise/goto", threadId=thread, step=0)
    (target,) = client.request("gotoTargets", source=source, line=second["line"])["targets"]
    client.move("goto", threadId=thread, targetId=target["id"])
    assert _top(client)["line"] == second["line"]
    client.move("lanewise/reverseNext", threadId=thread)
    client.move("lanewise/reverseStepOut", threadId=thread)
    client.move("lanewise/runToCursor", threadId=thread, source=source, line=second["line"])
    client.move("restartFrame", frameId=_top(client)["id"])
    client.move("stepOut", threadId=thread)
    client.move("lanewise/goto", threadId=thread, step=0)


def _set(client: Client, tour: Tour) -> None:
    frame = _top(client)
    client.move("setExpression", expression=tour.reads, value="3", frameId=frame["id"])
    assert client.request("evaluate", expression=tour.reads, frameId=_top(client)["id"])["result"] == "3"
    scopes = client.request("scopes", frameId=_top(client)["id"])["scopes"]
    inputs = next(scope for scope in scopes if scope["name"] == "Inputs")
    register = client.request("variables", variablesReference=inputs["variablesReference"])["variables"][0]
    letter = client.request("variables", variablesReference=register["variablesReference"])["variables"][0]["name"]
    client.move("setVariable", variablesReference=register["variablesReference"], name=letter, value="1 + 1")
    assert client.refused("setVariable", variablesReference=10**6, name=letter, value="1")
    for form in ("hex", "fraction", "number"):
        assert client.request("lanewise/numberForm", form=form)["form"] == form
    assert client.events("invalidated")
    client.move("pause", threadId=client.stop()["threadId"])
    client.request("cancel", requestId=1)


def _end(client: Client) -> None:
    assert client.refused("exceptionInfo", threadId=client.stop()["threadId"])
    client.move("restart")
    assert client.stop()["reason"] == "entry"
    client.request("terminate")
    client.request("disconnect")
    assert client.events("terminated") == [{}]


@cache
def binary(name: str, *arguments: str) -> str:
    """The path of a binary of an example, which is assembled."""
    import tempfile

    from lanewise.tools.cli import main

    folder = tempfile.mkdtemp()
    path = str(Path(folder) / name)
    assert main(["asm", *arguments, "-o", path]) == 0
    return path


TOON = {
    "inputs": {"position": [1, 2, 3], "normal": [[0, 0, -1], [0, 0.6, 0.8], [0, 0, 1]]},
    "uniforms": {
        "projection": IDENTITY,
        "sun": [0, 0, 1, 4],
        "shade": [0.125, 0, 0],
        "paint": [0.5, 1, 0],
        "shine": [0, 0, 1, 0.75],
        "glossy": False,
    },
}
LANTERNS = {
    "inputs": {"position": [1, 2, 3], "normal": [0, 0.6, 0.8]},
    "uniforms": {
        "projection": IDENTITY,
        "ambient": [0.1, 0.1, 0.1, 1],
        "lanterns": [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]],
        "rounds": [1, 0, 2],
        "dark": False,
    },
}
PARTICLES = {
    "inputs": {"position": [[0, 0, 0], [4, 0, 0]], "color": [1, 0.5, 0]},
    "uniforms": {"projection": IDENTITY, "size": [0.5, 0.25, 0, 0]},
    "options": {"indices": "0,1"},
}
SPOT = {
    "inputs": {"position": [0, 0, 0], "normal": [0, 0, 1]},
    "uniforms": {"c0": IDENTITY, "c4": [[0, 0, 2, 0.1], [0, 0, -1, 0.5], [1, 0, 0, 1], [0.1, 0.1, 0.1, 1]]},
}


def tours() -> tuple[Tour, ...]:
    toon, skin = str(EXAMPLES / "toon.v.pica"), str(EXAMPLES / "direct3d9" / "spot.vsa")
    particles = [str(EXAMPLES / name) for name in ("particles.v.pica", "particles.g.pica")]
    transform = str(EXAMPLES / "transform.sc")
    triangle = {
        "inputs": {"position": [0, 1, 2], "color": [1, 0.5, 2, -1]},
        "uniforms": {"c0": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -4], [0, 0, -1, 0]]},
    }
    return (
        Tour(name="picasso", launch={"program": toon, **TOON, "vertices": [0, 1]}, writes="o1.x", reads="normal.z"),
        Tour(
            name="nihstro", launch={"program": str(EXAMPLES / "lanterns.vsh"), **LANTERNS}, writes="outclr.x", reads="normal.x"
        ),
        Tour(
            name="shbin",
            launch={"program": binary("toon.shbin", toon), **TOON, "vertices": [1]},
            writes="o1.x",
            reads="v1.z",
            has_path=False,
        ),
        Tour(name="geometry", launch={"program": particles, **PARTICLES}, writes="o0.x", reads="v0.x"),
        Tour(name="ShaderCore", launch={"program": transform, "inputs": triangle["inputs"]}, writes="o0.x", reads="v0.x"),
        Tour(
            name="scb",
            launch={"program": binary("transform.scb", transform), **triangle},
            writes="o0.x",
            reads="v0.x",
            has_path=False,
        ),
        Tour(name="Direct3D 9", launch={"program": skin, **SPOT}, writes="o0.x", reads="v0.x"),
        Tour(name="vso", launch={"program": binary("spot.vso", skin), **SPOT}, writes="o0.x", reads="v0.x", has_path=False),
    )
