"""Messages that do not fit: each is answered with panes or with findings, never with a fault."""

from __future__ import annotations

import json
import os
import random
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from lanewise.core.diagnostics import InputError
from odd_messages import damaged

from lanewise_studio import background
from lanewise_studio.asks import Ask, Desk
from lanewise_studio.presets import Presets
from lanewise_studio.stop import Cancelled, Stop
from test_steps import SMALL, STATES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pages import Page

    Message = dict[str, Any]

EXHAUSTIVE = bool(os.environ.get("LANEWISE_EXHAUSTIVE"))
CAMERA = {"yaw": 0.5, "target": [0, 0, 0], "fov": 50, "near": 0.1, "far": 100}
STATE: Message = {
    **SMALL,
    "entry": "",
    "profile": "hardware",
    "set": "",
    "inputs": {"position": [1, 2, 3]},
    "uniforms": {"projection": {"camera": "projection"}},
    "camera": CAMERA,
    "screen": "",
    "cull": "back",
    "topology": "triangles",
    "color": "",
    "options": {},
}
OTHER: Message = {"files": STATES["shadercore"]["files"], "mesh": "cube"}
# Messages as the page sends them: what is asked, and its arguments.
ASKS: tuple[tuple[str, Message], ...] = (
    ("evaluate", {"state": STATE, "panes": ["source", "words", "data", "mesh"]}),
    ("evaluate", {"state": OTHER, "panes": ["source", "data"]}),
    (
        "uniforms",
        {
            "uniforms": {"projection": [[1, 0, 0, 0]] * 4},
            "camera": CAMERA,
            "arrays": ["position", "fate"],
            "has": {"mesh": 1, "arrays": ["position"]},
        },
    ),
    ("rows", {"first": 0, "count": 20}),
    ("upload", {"name": "a.obj", "data": "diAwIDAgMAp2IDEgMCAwCnYgMCAxIDAKZiAxIDIgMwo="}),
    ("why", {}),
    ("pick", {"pixel": [100, 100]}),
    ("pick", {"triangle": 3}),
    ("pick", {"vertex": 3}),
    ("paths", {}),
    ("trace", {"thread": 0, "first": 0, "stage": ""}),
    ("step", {"thread": 0, "position": 3}),
    ("seek", {"thread": 0, "position": 0, "back": False, "query": "written outclr.x"}),
    ("seek", {"thread": 0, "position": 0, "query": "differs azahar"}),
    ("seek", {"thread": 0, "position": 0, "query": "r0.x > 0"}),
    ("seek", {"thread": 0, "position": 0, "line": 5, "file": "branch.v.pica"}),
    ("explain", {"thread": 0, "position": 3, "place": "r0.x"}),
    ("wave", {"thread": 0, "stage": ""}),
    ("compare", {"other": STATE}),
    ("compiled", {"target": "pica200"}),
    ("diff", {"other": STATE}),
    ("save", {"name": "dusk"}),
    ("open", {"text": "# studio: abc"}),
    ("preset", {"name": "dusk.shadertest.toml", "test": ""}),
    ("presets", {}),
    ("timeline", {}),
    ("nothing", {}),
)
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2,
    2**31,
    2**70,
    -(2**63),
    1e300,
    -0.0,
    "",
    "\ud800",
    "\0",
    "../x",
    "x" * 3000,
    "/dev/zero",
    "nan",
    [],
    {},
    [[]],
    [{}],
    {"a": {}},
    [None],
    [1e39, -1e39],
    [[1, 2], [3]],
    float("nan"),
    float("inf"),
)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk whose work in processes of their own is done in this one."""

    def run(job: background.Job, stop: Stop, part: Any = None) -> dict[str, object]:
        return background.KINDS[job.kind](job, stop, part)

    monkeypatch.setattr(background, "run", run)
    return Desk({}, Presets([tmp_path]))


def asked(desk: Desk, kind: str, message: Mapping[str, Any]) -> list[Any]:
    """What is sent for a message. Raises whatever is no answer."""
    sent: list[Any] = []
    with suppress(InputError, Cancelled):
        desk.answer(Ask(1, kind, message, sent.append, Stop()))
    for each in sent:
        if not isinstance(each, bytes):
            json.dumps(each, allow_nan=False)
    return sent


@pytest.mark.parametrize(("first", "count"), [(0, 0), (-5, 0), (10**9, 1), (0, -1), (24, 5)])
def test_no_rows_are_an_answer(desk: Desk, first: int, count: int) -> None:
    asked(desk, "evaluate", {"state": STATE, "panes": []})
    [answer] = asked(desk, "rows", {"first": first, "count": count})
    assert answer["value"]["rows"] == [] and answer["value"]["columns"] and answer["value"]["total"] == 24


def test_every_damaged_message_is_answered(desk: Desk) -> None:
    source = random.Random(11)
    good = [asked(desk, kind, message) for kind, message in ASKS if kind != "diff"]
    assert sum(map(bool, good)) >= len(good) - 8
    for number in range(20_000 if EXHAUSTIVE else 150):
        if not number % 20:
            asked(desk, "evaluate", {"state": STATE, "panes": []})
        kind, message = source.choice(ASKS)
        asked(desk, kind, damaged(source, message, ODD))


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_numbers_that_json_lacks_are_texts(desk: Desk, number: float) -> None:
    state = STATE | {"uniforms": {"projection": [[1, number, 0, 0], *[[0, 0, 0, 1]] * 3]}}
    answers = asked(desk, "evaluate", {"state": state, "panes": ["data"]})
    panes = [answer["value"] for answer in answers if answer.get("pane") == "data"]
    assert [isinstance(pane["uniforms"][0]["value"][0][1], str) for pane in panes] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "[" * 100_000,
        "3",
        "{}",
        '{"id": 1}',
        '{"id": "1", "ask": "rows"}',
        '{"id": 1e9, "ask": "rows"}',
        '{"id": 7, "ask": ["rows"]}',
        '"\\ud800"',
        "1" * 5000,
        b"{}",
    ],
)
def test_what_is_no_message_is_answered(page: Page, text: str | bytes) -> None:
    page.socket.send(text)
    assert "a message is a JSON object" in page.wait(0).last["fault"]
    assert "unknown message" in page.ask("nothing").last["error"][0]["message"]
