"""Requests one by one: what is refused and how, and what a session does with them."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dap_client import Client, ProcessClient
from dap_tours import EXAMPLES, TOON, tours
from debugger_sessions import CALLS
from lanewise.dap.framing import Malformed
from lanewise.dap.launch import KEYS
from lanewise.debugger.forms import FORMS
from lanewise.debugger.session import MOST_THREADS
from lanewise.packages import languages, packages
from together import together

TOON_LAUNCH: dict[str, Any] = {"program": str(EXAMPLES / "toon.v.pica"), **TOON}
LONG = """.ivec a
.in value v0
.out outpos position
.proc main
    mov r0, value
    for a
        for a
            for a
                add r0, r0, value
            .end
            mov r1, r0
        .end
        mov r2, r0
    .end
    mov outpos, r0
    end
.end
"""
FAULTS = """.in value v0
.out outpos position
.proc main
    mov r2, value
    rcp r0.x, value.x
    add r1, r0.xxxx, -r0.xxxx
    mov outpos.yzw, r1
    mov outpos.x, r5.x
    end
.end
"""
HANG = """.bool always
.out outpos position
.in value v0
.proc main
    mov outpos, value
again:
    jmpu always, again
    end
.end
"""


def launched(launch: dict[str, Any], *, configured: bool = True, **initialize: object) -> Client:
    client = Client()
    client.request("initialize", adapterID="lanewise", **initialize)
    client.request("launch", **launch)
    if configured:
        client.request("configurationDone")
    return client


def written(folder: Path, text: str, name: str = "test.v.pica") -> Path:
    path = folder / name
    path.write_text(text)
    return path


TEST = """program = "test.v.pica"
[[test]]
name = "first"
[test.inputs]
position = [1, 2, 3]
[test.uniforms]
offset = [7, 0, 0, 0]
[test.outputs]
position = [15, 2, 3, 1]
"""


def test_a_launch_without_values_takes_those_of_a_test_and_says_so(tmp_path: Path):
    path = written(tmp_path, CALLS)
    written(tmp_path, TEST, "test.shadertest.toml")
    client = launched({"program": str(path), "profile": "hardware"})
    assert "those of the test 'first'" in client.output()
    assert client.request("evaluate", expression="offset.x")["result"] == "7"
    other = launched({"program": str(path), "inputs": {"position": [1, 2, 3]}, "options": {"default": "0"}})
    assert "first" not in other.output() and "no values, so that they are 0: offset\n" in other.output()


def test_a_launch_without_values_says_how_to_give_them(tmp_path: Path):
    client = Client()
    client.request("initialize", adapterID="lanewise")
    assert "no data for input position" in client.refused("launch", program=str(written(tmp_path, CALLS)))
    assert 'in the launch configuration: "inputs"' in client.output()
    client.refused("launch", program=str(written(tmp_path, "nonsense", "wrong.v.pica")))
    assert client.output().count("in the launch configuration") == 1


@pytest.fixture
def calls(tmp_path: Path) -> Client:
    path = written(tmp_path, CALLS)
    return launched({"program": str(path), "inputs": {"position": [1, 2, 3]}, "uniforms": {"offset": [1, 0, 0, 0]}})


def lines(client: Client) -> list[int]:
    """The lines of the frames of the thread that stopped last."""
    frames = client.request("stackTrace", threadId=client.stop()["threadId"])["stackFrames"]
    return [frame["line"] for frame in frames]


# messages that are wrong


@together(
    ("message", "words"),
    [
        ({}, "no type"),
        ({"seq": 1, "type": "request"}, "no 'command'"),
        ({"seq": "one", "type": "request", "command": "threads"}, "no number 'seq'"),
        ({"type": "request", "command": "threads"}, "no number 'seq'"),
        ({"seq": True, "type": "request", "command": "threads"}, "no number 'seq'"),
        ({"seq": 1, "type": "request", "command": "threads"}, "first request is 'initialize'"),
        ({"seq": 1, "type": "request", "command": "nothing"}, "unknown request 'nothing'"),
        ({"seq": 1, "type": "request", "command": "__init__"}, "unknown request"),
        ({"seq": 1, "type": "request", "command": "initialize", "arguments": 3}, "expected an object"),
        ({"seq": 1, "type": "request", "command": "initialize", "arguments": {"pathFormat": 3}}, "expected a text"),
        ({"seq": 1, "type": "request", "command": "launch", "arguments": {}}, "first request is 'initialize'"),
        ({"seq": 1, "type": "request", "command": "terminate"}, "no program is launched"),
    ],
)
def test_a_wrong_message_gets_an_error(message: dict[str, object], words: str):
    (answer,) = Client().send(message)
    assert not answer["success"] and words in answer["body"]["error"]["format"]
    assert answer["request_seq"] == (message["seq"] if message.get("seq") == 1 and message.get("seq") is not True else 0)


def test_a_message_that_is_not_json_gets_an_error():
    (answer,) = Client().send(Malformed("the message is not JSON"))
    assert (answer["success"], answer["request_seq"], answer["command"]) == (False, 0, "")


def test_answers_and_events_of_a_client_are_ignored():
    assert Client().send({"seq": 1, "type": "response", "request_seq": 3, "command": "runInTerminal", "success": True}) == []


def test_a_process_goes_on_after_messages_that_cannot_be_read():
    with ProcessClient() as client:
        for data in (
            b"Content-Length: 3\r\n\r\n{a}",
            b"junk\r\n\r\n",
            b"Content-Length: 2\r\n\r\n[]",
            b"Content-Length: 4\r\n\r\nnull",
        ):
            client.to.write(data)
            client.to.flush()
            assert client.read()["success"] is False
        assert client.request("initialize")["supportsStepBack"] is True
        client.request("disconnect")
        assert client.process.wait() == 0


def test_a_process_ends_with_its_input():
    with ProcessClient() as client:
        client.request("initialize")
        client.to.close()
        assert client.process.wait() == 0


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("launch", TOON_LAUNCH, "launched already"),
    ("initialize", {}, "initialized already"),
    ("configurationDone", {}, "configured already"),
    ("attach", {}, 'use "request": "launch"'),
    ("modules", {}, "unknown request"),
    ("setBreakpoints", {}, "'source' is missing"),
    ("setBreakpoints", {"source": {"path": "x"}, "breakpoints": [{}]}, "breakpoints[0]: 'line' is missing"),
    ("setBreakpoints", {"source": {"path": "x"}, "breakpoints": 3}, "expected a list"),
    ("setInstructionBreakpoints", {"breakpoints": [{"instructionReference": "main"}]}, "expected the number of a word"),
    ("stackTrace", {"threadId": 99}, "there is no thread 99"),
    ("stackTrace", {"threadId": "1"}, "expected a whole number"),
    ("continue", {}, "'threadId' is missing"),
    ("next", {"threadId": 1, "granularity": "page"}, "granularity is 'page'"),
    ("scopes", {"frameId": 12345}, "no frame 12345"),
    ("variables", {"variablesReference": 12345}, "no reference 12345"),
    ("evaluate", {"expression": ""}, "is empty"),
    ("evaluate", {"expression": "__import__('os')"}, "unexpected '''"),
    ("evaluate", {"expression": "1 = 2"}, "use == to compare"),
    ("evaluate", {"expression": "explain", "context": "repl"}, "unknown name 'explain'"),
    ("goto", {"threadId": 1, "targetId": 7}, "no target 7"),
    ("disassemble", {"memoryReference": "0x0", "instructionCount": -1}, "instructionCount is -1"),
    ("source", {"sourceReference": 5}, "no source 5"),
    ("source", {"sourceReference": 0, "source": {"path": "/etc/passwd"}}, "not part of the program"),
    ("locations", {"locationReference": 5}, "no location 5"),
    ("setExpression", {"expression": "r0.x", "value": "1"}, "cannot be set"),
    ("setExpression", {"expression": "position", "value": "1, 2"}, "4 components"),
    ("lanewise/numberForm", {"form": "roman"}, "form is 'roman'"),
    ("lanewise/addThread", {"vertex": 99}, "does not exist"),
    ("lanewise/goto", {"threadId": 1, "step": -1}, "step is -1"),
    ("lanewise/until", {"threadId": 1, "query": "changes"}, "'changes' takes NAME"),
    ("lanewise/until", {"threadId": 1, "query": "differs nowhere"}, "unknown profile 'nowhere'"),
    ("lanewise/runToCursor", {"threadId": 1, "source": {"path": "elsewhere"}, "line": 1}, "no instruction"),
    ("restart", {"arguments": {"program": 3}}, "expected a list"),
]


@pytest.mark.parametrize(("command", "arguments", "words"), REFUSED)
def test_a_request_that_cannot_be_done_is_refused_and_the_session_goes_on(
    command: str, arguments: dict[str, object], words: str
):
    client = launched(TOON_LAUNCH)
    assert words in client.refused(command, **arguments)
    client.move("next", threadId=1)


# launching


@pytest.mark.parametrize(
    ("launch", "words"),
    [
        ({}, "has no program"),
        ({"program": "missing.v.pica"}, "missing.v.pica"),
        ({"program": "a", "test": "b"}, "leave one out"),
        ({"program": "a", "testName": "b"}, "without 'test'"),
        ({"program": "a", "progam": "b"}, "did you mean 'program'?"),
        ({**TOON_LAUNCH, "vertices": [3]}, "vertex 3 does not exist"),
        ({**TOON_LAUNCH, "vertices": []}, "expected 1 to 64"),
        ({**TOON_LAUNCH, "vertices": list(range(65))}, "65 numbers"),
        ({**TOON_LAUNCH, "numberForm": "roman"}, "use number"),
        ({**TOON_LAUNCH, "inputs": {"position": {"x": 1}}}, "expected a number"),
        ({**TOON_LAUNCH, "inputs": {"position": []}}, "empty list"),
        ({**TOON_LAUNCH, "profile": "snes"}, "snes"),
        ({**TOON_LAUNCH, "rule": "ieee"}, "`rule` in the launch configuration"),
        ({**TOON_LAUNCH, "options": {"no-such": True}}, "no-such"),
        ({"program": str(EXAMPLES / "lighting.v.pica")}, "no data for input"),
    ],
)
def test_a_launch_that_cannot_be_done_says_why_and_can_be_tried_again(launch: dict[str, object], words: str):
    client = Client()
    client.request("initialize")
    assert words in client.refused("launch", **launch)
    client.request("launch", **TOON_LAUNCH)
    client.move("configurationDone")


def test_errors_of_a_program_are_put_out_with_their_places(tmp_path: Path):
    path = written(tmp_path, CALLS.replace("mov r0", "mvo r0").replace("add r0", "ad r0"))
    client = Client()
    client.request("initialize")
    message = client.refused("launch", program=str(path))
    assert f"{path}:5:5" in message and "'mvo'" in message and "1 more" in message
    found = client.events("output")
    assert [(each["source"]["path"], each["line"]) for each in found] == [(str(path), 5), (str(path), 15)]
    assert all(each["category"] == "stderr" for each in found)


def test_without_a_stop_on_entry_it_runs_to_the_first_breakpoint(tmp_path: Path):
    path = written(tmp_path, CALLS)
    client = launched(
        {"program": str(path), "inputs": {"position": [1, 2, 3]}, "uniforms": {"offset": [1, 0, 0, 0]}, "stopOnEntry": False},
        configured=False,
    )
    client.request("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": 5}])
    client.move("configurationDone")
    assert (client.stop()["reason"], lines(client)) == ("breakpoint", [5])


def test_a_run_without_debugging_prints_the_outputs_of_all_threads():
    client = launched({**TOON_LAUNCH, "noDebug": True, "vertices": [0, 1, 2]})
    assert client.events("stopped") == [] and client.events("exited") == [{"exitCode": 0}]
    assert client.output().count("position = 1, 2, 3, 1") == 3


def test_lines_and_columns_from_0_and_paths_as_uris(tmp_path: Path):
    path = written(tmp_path, CALLS, "a b.v.pica")
    client = launched(
        {"program": str(path), "inputs": {"position": 1}, "options": {"default": "0"}},
        configured=False,
        linesStartAt1=False,
        columnsStartAt1=False,
        pathFormat="uri",
    )
    (source,) = client.request("loadedSources")["sources"]
    assert source["path"] == path.as_uri()
    (found,) = client.request("setBreakpoints", source={"path": path.as_uri()}, breakpoints=[{"line": 4}])["breakpoints"]
    assert found["verified"] and found["line"] == 4
    client.move("configurationDone")
    frame = client.request("stackTrace", threadId=1)["stackFrames"][0]
    assert (frame["line"], frame["column"]) == (4, 4)


# moving


def test_steps_over_into_and_out_of_calls_in_both_directions(calls: Client):
    assert lines(calls) == [5]
    calls.move("next", threadId=1)
    calls.move("next", threadId=1)
    assert lines(calls) == [7]
    calls.move("lanewise/reverseNext", threadId=1)
    assert lines(calls) == [6]
    calls.move("stepIn", threadId=1)
    calls.move("stepIn", threadId=1)
    assert lines(calls) == [15, 11, 6]
    calls.move("stepOut", threadId=1)
    assert lines(calls) == [12, 6]
    calls.move("stepBack", threadId=1)
    assert lines(calls) == [15, 11, 6]
    calls.move("lanewise/reverseStepOut", threadId=1)
    assert lines(calls) == [11, 6]


def test_frames_can_be_restarted(calls: Client):
    calls.request(
        "setBreakpoints", source=calls.request("loadedSources")["sources"][0], breakpoints=[{"line": 15, "hitCondition": "2"}]
    )
    calls.move("continue", threadId=1)
    frames = calls.request("stackTrace", threadId=1)["stackFrames"]
    assert [frame["line"] for frame in frames] == [15, 12, 6]
    calls.move("restartFrame", frameId=frames[1]["id"])
    assert lines(calls) == [11, 6]
    frames = calls.request("stackTrace", threadId=1)["stackFrames"]
    calls.move("restartFrame", frameId=frames[1]["id"])
    assert lines(calls) == [5]


def test_a_run_to_the_cursor_goes_in_both_directions(calls: Client):
    (source,) = calls.request("loadedSources")["sources"]
    calls.move("lanewise/runToCursor", threadId=1, source=source, line=12)
    assert (lines(calls), calls.stop()["reason"]) == ([12, 6], "goto")
    calls.move("lanewise/runToCursorBack", threadId=1, source=source, line=15)
    assert lines(calls) == [15, 11, 6]
    calls.move("lanewise/runToCursorBack", threadId=1, source=source, line=12)
    assert (lines(calls), calls.stop()["reason"]) == ([5], "entry")


def test_goto_goes_back_where_the_line_does_not_come_again(calls: Client):
    (source,) = calls.request("loadedSources")["sources"]
    calls.request("setBreakpoints", source=source, breakpoints=[{"line": 15, "logMessage": "seen"}])
    for line, frames in ((7, [7]), (6, [6]), (15, [15, 11, 6])):
        (target,) = calls.request("gotoTargets", source=source, line=line)["targets"]
        calls.move("goto", threadId=1, targetId=target["id"])
        assert lines(calls) == frames
    assert "seen" not in calls.output()


def test_threads_are_run_one_after_another_until_one_stops():
    client = launched({**TOON_LAUNCH, "vertices": [0, 2]})
    assert [each["name"] for each in client.request("threads")["threads"]] == ["vertex 0", "vertex 2"]
    client.move("continue", threadId=1)
    assert (client.stop()["threadId"], client.stop()["reason"], client.stop()["allThreadsStopped"]) == (1, "end", True)
    client.move("continue", threadId=1)
    assert (client.stop()["threadId"], client.stop()["reason"]) == (3, "end")
    client.request("lanewise/addThread", vertex=1)
    assert client.events("thread") == [{"reason": "started", "threadId": 2}] and client.stop()["threadId"] == 2
    client.move("continue", threadId=2, singleThread=True)
    client.request("continue", threadId=2)
    assert client.events("terminated") and client.output().count("position = 1, 2, 3, 1") == 3
    assert "no program" in client.refused("threads")


def test_the_end_is_passed_without_its_filter():
    client = launched({**TOON_LAUNCH, "vertices": [0, 2]})
    client.request("setExceptionBreakpoints", filters=[])
    client.request("continue", threadId=1)
    assert client.events("exited") == [{"exitCode": 0}]


# breakpoints


def test_conditions_hits_and_messages(calls: Client):
    (source,) = calls.request("loadedSources")["sources"]
    asked = [
        {"line": 15, "hitCondition": "% 2"},
        {"line": 12, "condition": "r0.x == 2"},
        {"line": 7, "logMessage": "r0 is {r0.x + 1}"},
        {"line": 7, "hitCondition": "often"},
        {"line": 7, "condition": "r99.x > 1 +"},
        {"line": 7, "logMessage": "{"},
    ]
    found = calls.request("setBreakpoints", source=source, breakpoints=asked)["breakpoints"]
    assert [each["verified"] for each in found] == [True, True, True, False, False, True]
    assert "rule for hits" in found[3]["message"] and "ends too early" in found[4]["message"]
    calls.move("continue", threadId=1)
    assert (lines(calls), calls.stop()["hitBreakpointIds"]) == ([12, 6], [found[1]["id"]])
    calls.move("continue", threadId=1)
    assert (lines(calls), calls.stop()["hitBreakpointIds"]) == ([15, 12, 6], [found[0]["id"]])
    calls.move("continue", threadId=1)
    assert "r0 is 4\n" in calls.output()


def test_function_breakpoints(calls: Client):
    found = calls.request("setFunctionBreakpoints", breakpoints=[{"name": "add_offset"}, {"name": "add_ofset"}])["breakpoints"]
    assert found[0]["verified"] and found[0]["line"] == 15
    assert "did you mean add_offset" in found[1]["message"]
    calls.move("continue", threadId=1)
    assert calls.stop()["reason"] == "function breakpoint"


def test_function_breakpoints_at_labels_of_direct3d9(tmp_path: Path):
    path = written(
        tmp_path, "vs_2_0\ndcl_position v0\nmov r0, v0\ncall l1\nmov oPos, r0\nret\nlabel l1\nadd r0, r0, r0\nret\n", "sub.vsa"
    )
    client = launched({"program": str(path), "inputs": {"position": [1, 2, 3]}})
    client.request("setFunctionBreakpoints", breakpoints=[{"name": "l1"}])
    client.move("continue", threadId=1)
    assert (client.stop()["reason"], lines(client)) == ("function breakpoint", [8, 4])


def test_a_condition_that_fails_stops_with_the_reason(calls: Client):
    (source,) = calls.request("loadedSources")["sources"]
    (found,) = calls.request("setBreakpoints", source=source, breakpoints=[{"line": 12, "condition": "nothing > 1"}])[
        "breakpoints"
    ]
    assert found["verified"]
    calls.move("continue", threadId=1)
    assert "unknown name 'nothing'" in calls.output()


def test_data_breakpoints_on_components_and_registers(calls: Client):
    assert calls.request("dataBreakpointInfo", name="position")["dataId"] == "o0.xyzw"
    assert calls.request("dataBreakpointInfo", name="v0.x")["dataId"] is None
    assert calls.request("dataBreakpointInfo", name="1 + 1")["dataId"] is None
    frame = calls.request("stackTrace", threadId=1)["stackFrames"][0]
    scopes = calls.request("scopes", frameId=frame["id"])["scopes"]
    (temporaries,) = [each for each in scopes if each["name"] == "Temporaries"]
    registers = calls.request("variables", variablesReference=temporaries["variablesReference"])["variables"]
    found = calls.request("dataBreakpointInfo", variablesReference=temporaries["variablesReference"], name="r0")
    assert found["dataId"] == "r0.xyzw"
    found = calls.request("dataBreakpointInfo", variablesReference=registers[0]["variablesReference"], name="y")
    assert found["dataId"] == "r0.y"
    rows = [
        {"dataId": "r0.y"},
        {"dataId": "r0.x", "accessType": "read"},
        {"dataId": "r0.x", "hitCondition": "often"},
        {"dataId": "?"},
        {"dataId": "r0.z", "hitCondition": "> 9"},
    ]
    verified = [each["verified"] for each in calls.request("setDataBreakpoints", breakpoints=rows)["breakpoints"]]
    assert verified == [True, False, False, False, True]
    calls.move("continue", threadId=1)
    assert "step 0 writes r0.y = 2" in calls.stop()["text"]
    scopes = calls.request("scopes", frameId=calls.request("stackTrace", threadId=1)["stackFrames"][0]["id"])["scopes"]
    changed = calls.request("variables", variablesReference=scopes[0]["variablesReference"])["variables"]
    assert [each["name"] for each in changed] == ["r0"] and "hasDataBreakpoint" in changed[0]["presentationHint"]["attributes"]


@pytest.mark.parametrize(
    ("kind", "line", "words"),
    [("nan", 6, "r1.x"), ("infinity", 5, "r0.x"), ("unwritten", 8, "r5.x is read"), ("hazard", 8, "V0")],
)
def test_faults(tmp_path: Path, kind: str, line: int, words: str):
    client = launched({"program": str(written(tmp_path, FAULTS)), "inputs": {"value": [0, 0, 0, 0]}})
    client.request("setExceptionBreakpoints", filters=[kind])
    client.move("continue", threadId=1)
    assert (client.stop()["reason"], lines(client)) == ("exception", [line])
    found = client.request("exceptionInfo", threadId=1)
    assert words in found["description"] and found["details"]["typeName"] == kind


def test_a_value_is_followed_to_its_causes(calls: Client):
    calls.move("continue", threadId=1)
    told = calls.request("evaluate", expression="causes position.x", context="repl")["result"]
    assert told.split("\n")[1].startswith("  r0.x = 3 (step 5, ")
    assert "in add_offset): add r0, offset, r0" in told
    graph = calls.request("lanewise/causes", threadId=1, name="position.x")
    assert graph["nodes"][-1]["text"] == "mov outpos, r0" and graph["nodes"][-1]["sources"]
    assert "nothing" in calls.refused("lanewise/causes", threadId=1, name="nothing.x")


def test_a_query_is_gone_to_in_both_directions(calls: Client):
    calls.move("lanewise/until", threadId=1, query="changes r0.x")
    assert (calls.stop()["reason"], calls.stop()["text"]) == ("goto", "step 0 writes r0.x = 1, was 0")
    calls.move("lanewise/until", threadId=1, query="r0.x == 3")
    assert calls.stop()["text"] == "r0.x == 3 is true"
    calls.move("lanewise/untilBack", threadId=1, query="changes r0.x")
    assert calls.stop()["text"] == "step 3 writes r0.x = 2, was 1"
    calls.move("evaluate", expression="until-back written r0", context="repl")
    assert calls.stop()["text"].startswith("step 0 writes r0.x = 1")
    calls.move("evaluate", expression="until differs azahar", context="repl")
    assert calls.stop()["text"] == "not after this step: differs azahar"
    assert "did not stop at a fault" in calls.refused("exceptionInfo", threadId=1)


def test_a_query_is_the_condition_of_an_exception_filter(calls: Client):
    asked = [{"filterId": "query", "condition": "changes r0.x"}, {"filterId": "query", "condition": "differs azahar"}]
    found = calls.request("setExceptionBreakpoints", filters=["end"], filterOptions=asked)["breakpoints"]
    assert [each["verified"] for each in found] == [True, True, True]
    calls.move("continue", threadId=1)
    assert (calls.stop()["reason"], calls.stop()["hitBreakpointIds"]) == ("exception", [found[1]["id"]])
    told = calls.request("exceptionInfo", threadId=1)
    assert (told["exceptionId"], told["description"]) == ("Query", "step 0 writes r0.x = 1, was 0")
    calls.move("continue", threadId=1)
    calls.move("reverseContinue", threadId=1)
    assert calls.request("exceptionInfo", threadId=1)["description"] == "step 3 writes r0.x = 2, was 1"
    calls.move("restart")
    calls.move("continue", threadId=1)
    assert calls.stop()["reason"] == "exception"
    calls.request("setExceptionBreakpoints", filters=["end"])
    calls.move("continue", threadId=1)
    assert calls.stop()["reason"] == "end"


@pytest.mark.parametrize("condition", ["", "changes", "differs nowhere", "r0.x >"])
def test_a_filter_with_a_query_that_cannot_be_read_is_not_set(calls: Client, condition: str):
    asked = [{"filterId": "query", "condition": condition}]
    found = calls.request("setExceptionBreakpoints", filters=["hang"], filterOptions=asked)["breakpoints"]
    assert [each["verified"] for each in found] == [True, False] and found[1]["message"]


def test_a_hang_is_a_fault_and_the_run_fails(tmp_path: Path):
    launch = {"program": str(written(tmp_path, HANG)), "inputs": {"value": [1, 2, 3]}, "uniforms": {"always": True}}
    client = launched(launch)
    client.move("continue", threadId=1)
    assert client.stop()["reason"] == "exception"
    assert client.request("exceptionInfo", threadId=1)["details"]["typeName"] == "hang"
    client.move("stepBack", threadId=1)
    assert lines(client) == [7]
    client = launched({**launch, "noDebug": True})
    assert client.events("exited") == [{"exitCode": 1}] and "R0" in client.output()


# long runs


def long_session(tmp_path: Path) -> Client:
    launch = {"program": str(written(tmp_path, LONG)), "inputs": {"value": [1, 0, 0, 0]}, "uniforms": {"a": [255, 0, 1]}}
    return launched({**launch, "options": {"budget": "200000"}})


def test_a_run_can_be_paused_and_answers_meanwhile(tmp_path: Path):
    client = long_session(tmp_path)
    client.during = [
        client.message("threads"),
        client.message("stackTrace", {"threadId": 1}),
        client.message("pause", {"threadId": 1}),
    ]
    client.move("continue", threadId=1)
    assert client.stop()["reason"] == "pause" and client.request("lanewise/timeline", threadId=1)["steps"] < 2000
    answers = {each["command"]: each for each in client.messages if each["type"] == "response"}
    assert answers["threads"]["success"] and answers["pause"]["success"]
    assert answers["stackTrace"]["message"] == "notStopped"


def test_breakpoints_set_during_a_run_count_at_once(tmp_path: Path):
    client = long_session(tmp_path)
    (source,) = client.request("loadedSources")["sources"]
    client.during = [client.message("setBreakpoints", {"source": source, "breakpoints": [{"line": 11}]})]
    client.move("continue", threadId=1)
    assert (client.stop()["reason"], client.request("stackTrace", threadId=1)["stackFrames"][0]["line"]) == ("breakpoint", 11)


@pytest.mark.parametrize("command", ["terminate", "disconnect"])
def test_a_run_ends_with_the_session(tmp_path: Path, command: str):
    client = long_session(tmp_path)
    client.during = [client.message(command)]
    client.request("continue", threadId=1)
    assert len(client.events("stopped")) == 1 and bool(client.events("terminated")) == (command == "terminate")
    assert client.adapter.ended == (command == "disconnect")


def test_a_restart_ends_a_run(tmp_path: Path):
    client = long_session(tmp_path)
    client.during = [client.message("restart")]
    client.move("continue", threadId=1)
    assert client.stop()["reason"] == "entry" and lines(client) == [5]


def test_loops_are_frames(tmp_path: Path):
    client = long_session(tmp_path)
    client.request(
        "setBreakpoints", source=client.request("loadedSources")["sources"][0], breakpoints=[{"line": 9, "hitCondition": "3"}]
    )
    client.move("continue", threadId=1)
    frames = client.request("stackTrace", threadId=1)["stackFrames"]
    assert [frame["presentationHint"] for frame in frames] == ["normal", "subtle", "subtle", "subtle"]
    assert frames[1]["name"] == "loop a: iteration 3 of 256"
    part = client.request("stackTrace", threadId=1, startFrame=1, levels=2)
    assert [frame["name"] for frame in part["stackFrames"]] == [frame["name"] for frame in frames[1:3]] and part[
        "totalFrames"
    ] == 4


# values


def test_forms_of_values(calls: Client):
    frame = {"frameId": calls.request("stackTrace", threadId=1)["stackFrames"][0]["id"]}
    assert calls.request("evaluate", expression="v0.y", **frame)["result"] == "2"
    assert calls.request("evaluate", expression="v0.y", format={"hex": True}, **frame)["result"] == "0x400000"
    calls.request("lanewise/numberForm", form="float32")
    assert calls.request("evaluate", expression="v0.y", **frame)["result"] == "0x40000000"
    assert calls.request("evaluate", expression="v0 * 2", context="watch", **frame)["result"] == "2, 4, 6, 2"


def test_other_values_run_again_to_the_same_step(calls: Client):
    (source,) = calls.request("loadedSources")["sources"]
    calls.move("lanewise/runToCursor", threadId=1, source=source, line=7)
    assert calls.request("evaluate", expression="r0.x")["result"] == "3"
    calls.move("setExpression", expression="offset.x", value="10")
    assert (lines(calls), calls.request("evaluate", expression="r0.x")["result"]) == ([7], "21")
    calls.move("evaluate", expression="set position = 2, 3, 4, 5", context="repl")
    assert calls.request("evaluate", expression="r0")["result"] == "22, 3, 4, 5"
    calls.move("evaluate", expression="goto 0", context="repl")
    assert lines(calls) == [5]


def test_completions(calls: Client):
    def labels(text: str) -> list[str]:
        return [each["label"] for each in calls.request("completions", text=text, column=len(text) + 1)["targets"]]

    assert labels("pos") == ["position"] and labels("offset.") == ["x", "y", "z", "w"]
    assert "explain" in labels("ex") and labels("explain off") == ["offset"] and labels("1 + isn") == ["isnan"]


def test_a_restart_reads_the_program_again_and_keeps_breakpoints(tmp_path: Path):
    path = written(tmp_path, CALLS)
    client = launched({"program": str(path), "inputs": {"position": [1, 2, 3]}, "uniforms": {"offset": [1, 0, 0, 0]}})
    (source,) = client.request("loadedSources")["sources"]
    (before,) = client.request("setBreakpoints", source=source, breakpoints=[{"line": 14}])["breakpoints"]
    path.write_text("; a line more\n; and one\n" + CALLS)
    client.move("restart")
    (event,) = client.events("breakpoint")
    assert event["breakpoint"]["id"] == before["id"] and event["breakpoint"]["line"] == 14 and before["line"] == 15
    client.move("continue", threadId=1)
    assert client.stop()["hitBreakpointIds"] == [before["id"]]
    path.write_text("nonsense\n")
    assert "nonsense" in client.refused("restart")
    client.move("next", threadId=1)


# shader tests


def test_a_failing_shader_test_begins_at_the_write_of_the_first_wrong_component(tmp_path: Path):
    path = written(tmp_path, CALLS, "calls.v.pica")
    text = f"""program = "{path.name}"
[[test]]
name = "right"
[test.inputs]
position = [1, 2, 3]
[test.uniforms]
offset = [1, 0, 0, 0]
[test.outputs]
position = [3, 2, 3, 1]
[[test]]
name = "wrong"
[test.inputs]
position = [1, 2, 3]
[test.uniforms]
offset = [1, 0, 0, 0]
[test.outputs]
position = [3, 2, 4, 1]
"""
    test = written(tmp_path, text, "calls.shadertest.toml")
    client = launched({"test": str(test)})
    assert lines(client) == [7] and client.stop()["reason"] not in ("exception", "end")
    client.move("stepBack", threadId=1)
    assert lines(client) == [13, 6]  # picasso puts a nop behind a call that ends a procedure
    assert "left" in launched_refusal({"test": str(test), "testName": "left"})
    test.write_text(text.replace("3, 2, 4, 1", "3, 2, 3, 1"))
    assert launched_refusal({"test": str(test)}).endswith(
        'choose one with `"testName": "NAME"` in the launch configuration: right, wrong'
    )


def launched_refusal(launch: dict[str, Any]) -> str:
    client = Client()
    client.request("initialize")
    return client.refused("launch", **launch)


# what clients are told of launch configurations


def test_the_schema_names_the_keys_that_are_read():
    schema = json.loads(resources.files("lanewise.dap").joinpath("launch.schema.json").read_text("utf-8"))
    properties = schema["properties"]
    assert sorted(properties) == sorted(KEYS)
    assert properties["numberForm"]["enum"] == list(FORMS)
    assert properties["isa"]["enum"] == [package.name for package in packages()]
    assert properties["dialect"]["enum"] == [language.name for _, language in languages()]
    assert properties["vertices"]["maxItems"] == MOST_THREADS
    validator = Draft202012Validator(schema)
    for tour in tours():
        assert list(validator.iter_errors(dict(tour.launch))) == []  # pyright: ignore[reportUnknownMemberType]
