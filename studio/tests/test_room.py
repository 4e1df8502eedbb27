"""The socket of the page: panes, frames, what is dropped and what is cancelled."""

from __future__ import annotations

import base64
import http.client
import json
import threading
from typing import TYPE_CHECKING, Any

import lanewise as lw
import numpy as np
import pytest
from lanewise.drawing import camera_matrices as camera
from lanewise.drawing.camera import Camera
from lanewise.pica200.api.scene import VOLUME

from lanewise_studio.asks import Ask, Desk
from lanewise_studio.examples import EXAMPLES
from lanewise_studio.frames import unpack
from lanewise_studio.meshes import shape
from lanewise_studio.panes.mesh import BEHIND, INFINITE, NAN, OUTSIDE, VISIBLE, flags_of
from lanewise_studio.shelf import LARGE
from lanewise_studio.stop import Stop
from pages import Page

if TYPE_CHECKING:
    from pages import Running

STATES: dict[str, Any] = {example.name: example.plain()["state"] for example in EXAMPLES}
BROKEN = {"files": [{"name": "light.v.pica", "text": ".proc main\n    mull r0, r1, r2\n    end\n.end\n"}]}


def test_what_a_page_is_told_first(page: Page) -> None:
    hello = page.hello
    assert hello["files"] == [{"name": "given.v.pica", "text": "; a file of the command line\n"}]
    assert [row["name"] for row in hello["meshes"]] == ["torus", "cube", "icosphere", "pot", "grid"]
    assert {row["name"] for row in hello["variants"]["pica200"]} >= {"hardware", "azahar"}


def test_large_frames_are_fetched(running: Running) -> None:
    """Once, by a page of this session; the page is told where they lie, and messages keep their order."""
    with running.connect("/room?frames=fetched") as socket:
        socket.recv()
        mesh = {"name": "torus", "detail": 10_000}
        socket.send(
            json.dumps({"id": 1, "ask": "evaluate", "state": {**STATES["picasso"], "mesh": mesh}, "panes": ["mesh", "data"]})
        )
        told = json.loads(socket.recv(timeout=120))
        path = f"/frame/{told['frame']}"
        assert fetched(running, path, cookie="")[0] == 403
        status, content = fetched(running, path)
        assert status == 200
        head, arrays = unpack(content)
        assert (head["id"], head["pane"]) == (1, "mesh")
        assert len(content) > LARGE
        assert arrays["position"].shape == (head["vertices"], 4)
        assert fetched(running, path)[0] == 404
        assert json.loads(socket.recv(timeout=120))["pane"] == "data"
        assert json.loads(socket.recv(timeout=120))["done"]


def fetched(running: Running, path: str, cookie: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
    connection.request("GET", path, headers={"Cookie": running.cookie if cookie is None else cookie})
    response = connection.getresponse()
    found = response.status, response.read()
    connection.close()
    return found


def test_arrays_that_are_as_before_are_not_sent_again(page: Page) -> None:
    """If the page says that it has them, of the mesh that it was sent last."""
    number = page.send("evaluate", state=STATES["picasso"])
    first = page.wait(number).mesh[1]
    names = ["position", "color", "flags"]
    other: dict[str, Any] = {"uniforms": {"sun": [0, 1, 0, 0]}, "arrays": names}
    again = page.send("uniforms", **other, has={"mesh": number, "arrays": [*first]})
    head, arrays = page.wait(again).mesh
    assert (head["kept"], [*arrays]) == (["position", "flags"], ["color"])
    assert not np.array_equal(arrays["color"], first["color"])
    last = page.send("uniforms", **other, has={"mesh": again, "arrays": ["color"]})
    head, kept = page.wait(last).mesh
    assert (head["kept"], [*kept]) == (["color"], ["position", "flags"])
    for has in (None, {"mesh": number, "arrays": names}, {"mesh": last}, 7):
        head, whole = page.ask("uniforms", **other, has=has).mesh
        assert (head["kept"], [*whole]) == ([], names)
        assert np.array_equal(whole["position"], first["position"])


@pytest.mark.parametrize("name", STATES)
def test_each_example_gives_every_pane_and_is_visible(page: Page, name: str) -> None:
    answer = page.ask("evaluate", state=STATES[name])
    assert answer.last["done"], answer.last
    assert set(answer.panes) == {"source", "words", "data", "graph"}
    source = answer.panes["source"]
    assert source["ok"] and not source["diagnostics"]
    assert (
        source["variant"] in {row["name"] for row in source["variants"]}
        and answer.panes["data"]["variant"] == source["variant"]
    )
    assert all(each["svg"].startswith("<svg") and each["nodes"] for each in answer.panes["graph"]["graphs"])
    lines = STATES[name]["files"][0]["text"].split("\n")
    for row in answer.panes["words"]["rows"]:
        assert row["line"] == 0 or lines[row["line"] - 1].strip()
    head, arrays = answer.mesh
    assert head["visible"] > 0.2 * head["triangles"]
    assert int((arrays["fate"] == VISIBLE).sum()) == head["visible"]
    assert sum(head["counts"].values()) + head["visible"] == head["triangles"]
    assert not arrays["flags"].any()


def test_the_buffer_of_the_mesh_is_the_output_of_a_run(page: Page) -> None:
    _, arrays = page.ask("evaluate", state=STATES["picasso"]).mesh
    mesh, eye = shape("torus").arrays, Camera()
    shader = lw.assemble(STATES["picasso"]["files"][0]["text"], name="light.v.pica").vertex
    uniforms = {
        "projection": camera.projection(eye, VOLUME, (400, 240)),
        "modelview": camera.view(eye),
        "sun": [0.3651, 0.5477, 0.7303, 0.0],
        "sunlight": [0.9, 0.8, 0.6, 1.0],
        "ambient": [0.2, 0.2, 0.2, 1.0],
    }
    result = shader.run({"position": mesh["position"], "normal": mesh["normal"]}, uniforms)
    for name in ("position", "color"):
        assert arrays[f"output:{name}"].tobytes() == result.outputs[name].tobytes()
    assert arrays["position"].tobytes() == result.outputs["position"].tobytes()
    assert arrays["object"].tobytes() == mesh["position"].tobytes()
    assert np.array_equal(arrays["index"], mesh_faces())


def mesh_faces() -> np.ndarray[Any, Any]:
    faces = shape("torus").faces
    assert faces is not None
    return faces


def test_dragging_a_uniform_gives_what_an_evaluation_gives(page: Page) -> None:
    state = STATES["picasso"]
    page.ask("evaluate", state=state)
    moved = {"yaw": 1.5, "pitch": -0.3}
    hot = page.ask("uniforms", uniforms={"sun": [0, 1, 0, 0]}, camera=moved)
    assert hot.last["hot"] and hot.last["done"]
    _, whole = page.ask("evaluate", state={**state, "uniforms": {"sun": [0, 1, 0, 0]}, "camera": moved}).mesh
    _, arrays = hot.mesh
    assert set(arrays) == {"position", "color", "flags"}
    for name in arrays:
        assert arrays[name].tobytes() == whole[name].tobytes(), name


@pytest.mark.parametrize("name", STATES)
def test_every_instruction_set_can_be_dragged(page: Page, name: str) -> None:
    page.ask("evaluate", state=STATES[name])
    answer = page.ask("uniforms", camera={"yaw": 1.0})
    assert answer.mesh[1]["position"].shape == (answer.last["vertices"], 4)


def test_a_broken_source_keeps_the_last_good_one(page: Page) -> None:
    page.ask("evaluate", state=STATES["picasso"])
    answer = page.ask("evaluate", state=BROKEN)
    assert answer.last["done"] and set(answer.panes) == {"source"} and not answer.frames
    assert not answer.panes["source"]["ok"]
    [finding] = [row for row in answer.panes["source"]["diagnostics"] if row["severity"] == "error"]
    assert finding["code"] == "P001" and finding["span"]["line"] == 2
    assert page.ask("uniforms", camera={"yaw": 1.0}).mesh[1]["position"].shape == (1200, 4)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"files": []}, "no files"),
        ({"files": 3}, "no files"),
        ({**BROKEN, "other": 1}, "unknown key 'other'"),
        ({**STATES["picasso"], "uniforms": {"nothing": 1}}, "unknown uniform 'nothing'"),
        ({**STATES["picasso"], "inputs": {"nothing": 1}}, "unknown input 'nothing'"),
        ({**STATES["picasso"], "uniforms": {"sun": {"camera": "view"}}}, "sun cannot follow"),
        ({**STATES["picasso"], "uniforms": {"sun": "/etc/passwd"}}, "neither numbers"),
        ({**STATES["picasso"], "inputs": {"normal": [[1, 2, 3], [1, 2, 3]]}}, "values of shape (2, 3)"),
        ({**STATES["picasso"], "mesh": {"name": "boat"}}, "unknown mesh 'boat'"),
        ({**STATES["picasso"], "mesh": {"file": "/etc/passwd.obj"}}, "only files of the page"),
        ({**STATES["picasso"], "profile": "none"}, "none"),
        ({**STATES["picasso"], "screen": "wall"}, "unknown screen 'wall'"),
        ({**STATES["picasso"], "camera": {"fov": 0}}, "fov"),
        ({**STATES["picasso"], "camera": {"near": float("1e400")}}, "not a number"),
    ],
)
def test_states_that_are_wrong_are_findings(page: Page, state: dict[str, Any], message: str) -> None:
    answer = page.ask("evaluate", state=state)
    rows = answer.last.get("error") or answer.panes["source"]["diagnostics"]
    assert message in " ".join([row["message"] for row in rows]), rows


def test_included_files_are_those_of_the_page_only(page: Page) -> None:
    files = [
        {"name": "main.vsa", "text": 'vs_1_1\n#include "more.inc"\n'},
        {"name": "more.inc", "text": "dcl_position v0\nmov oPos, v0\n"},
    ]
    assert page.ask("evaluate", state={"files": files}, panes=["source"]).panes["source"]["ok"]
    files[0]["text"] = 'vs_1_1\n#include "/etc/hostname"\nmov oPos, v0\n'
    assert not page.ask("evaluate", state={"files": files[:1]}, panes=["source"]).panes["source"]["ok"]


def test_a_mesh_of_the_user(page: Page) -> None:
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n"
    sent = page.ask("upload", name="C:\\meshes\\one.obj", data=base64.b64encode(text.encode()).decode())
    assert sent.panes["upload"]["file"] == "one.obj" and sent.panes["upload"]["triangles"] == 1
    head, _ = page.ask("evaluate", state={**STATES["picasso"], "mesh": {"file": "one.obj"}}).mesh
    assert (head["vertices"], head["triangles"]) == (3, 1)
    assert page.ask("upload", name="two.obj", data="####").last["error"]
    assert page.ask("upload", name="two.obj", data=base64.b64encode(b"f 1 2 3").decode()).last["error"]


def test_only_the_newest_is_done(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that wait are dropped at once, and the one that runs is interrupted."""
    answer, begun, go = Desk.answer, threading.Event(), threading.Event()

    def held(desk: Desk, ask: Ask) -> None:
        begun.set()
        assert go.wait(60)
        ask.stop.check()
        answer(desk, ask)

    monkeypatch.setattr(Desk, "answer", held)
    first = page.send("evaluate", state=STATES["picasso"], panes=["data"])
    assert begun.wait(60)
    *others, newest = [page.send("evaluate", state=STATES["picasso"], panes=["data"]) for _ in range(5)]
    assert all(page.wait(number).last.get("cancelled") for number in others)
    go.set()
    assert page.wait(first).last.get("cancelled")
    assert page.wait(newest).last.get("done")


def test_cancelling_what_runs_and_what_waits(page: Page) -> None:
    first = page.send("evaluate", state={**STATES["picasso"], "mesh": {"name": "grid", "detail": 100_000}})
    second = page.send("rows", first=0)
    page.send("cancel")
    assert page.wait(first).last.get("cancelled") and page.wait(second).last.get("cancelled")
    assert page.ask("evaluate", state=STATES["picasso"], panes=["source"]).last["done"]


def test_messages_that_are_none(page: Page) -> None:
    page.socket.send("[]")
    assert "fault" in page.wait(0).last
    assert "unknown message" in page.ask("nothing").last["error"][0]["message"]
    assert "nothing has been evaluated" in page.ask("rows").last["error"][0]["message"]


def test_two_pages_have_their_own_states(running: Running) -> None:
    first, second = Page(running), Page(running)
    first.ask("evaluate", state=STATES["picasso"])
    second.ask("evaluate", state=STATES["direct3d9"])
    assert first.ask("rows").panes["rows"]["total"] == 1200
    assert second.ask("rows").panes["rows"]["total"] == 24
    first.close()
    second.close()


def test_flags_of_vertices() -> None:
    nan, inf = float("nan"), float("inf")
    rows = [[0, 0, -0.5, 1], [2, 0, -0.5, 1], [0, 0, 0.5, 1], [0, 0, 0, -1], [nan, 0, 0, 1], [inf, 0, 0, 1], [0, 0, 0, 0]]
    flags = flags_of(np.array(rows, np.float32), VOLUME)
    assert [flag & ~OUTSIDE for flag in flags.tolist()] == [0, 0, 0, BEHIND, NAN, INFINITE, BEHIND]
    assert [bool(flag & OUTSIDE) for flag in flags.tolist()[:4]] == [False, True, True, True]


def test_a_pane_that_is_asked_for_alone() -> None:
    """Without a server: the desk answers on any thread."""
    sent: list[Any] = []
    desk = Desk({})
    desk.answer(Ask(7, "evaluate", {"state": STATES["direct3d9"], "panes": ["words"]}, sent.append, Stop()))
    [message] = sent
    assert message["id"] == 7 and message["pane"] == "words" and json.dumps(message)
