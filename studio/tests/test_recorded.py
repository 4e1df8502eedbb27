"""Draws of recorded frames: the list, a draw with its data, small pictures, edits, and files that are made to do harm."""

from __future__ import annotations

import base64
import signal
import tomllib
from itertools import count
from multiprocessing import Pipe
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from lanewise.core.diagnostics import InputError
from lanewise.pica200.api.file import assemble_texts
from lanewise.pica200.api.frame_review import hash_of_words
from lanewise.tools.cli import main
from pica200_frames import EMIT, FLOAT, IDENTITY, PASS, TRIANGLE, Recorder, assembled, triangle

from lanewise_studio import background
from lanewise_studio.app import hello
from lanewise_studio.asks import Ask, Desk
from lanewise_studio.frames import unpack
from lanewise_studio.panes import apart
from lanewise_studio.presets import Presets
from lanewise_studio.recorded import Recorded, known_sources
from lanewise_studio.stop import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pages import Page

_numbers = count(1)


def _no_progress(done: int, total: int, what: str) -> None:
    pass


def ask(desk: Desk, kind: str, **message: object) -> dict[str, Any]:
    """The panes of an answer by name; of a frame its head with its arrays."""
    found: dict[str, Any] = {}

    def take(sent: Mapping[str, object] | bytes) -> None:
        if isinstance(sent, bytes):
            head, arrays = unpack(sent)
            found[head["pane"] + " frame" if head["pane"] == "compare" else head["pane"]] = {**head, **arrays}
        else:
            found[str(sent.get("pane"))] = sent.get("value")

    desk.answer(Ask(next(_numbers), kind, message, take, Stop(_no_progress)))
    return found


def two_draws() -> Recorder:
    """A triangle, and the same with another matrix and viewport."""
    recorder = triangle()
    recorder.uniforms([(0.5, 0.0, 0.0, 0.0), *IDENTITY[1:]]).write(0x41, 0x460000).arrays(3).submit()
    return recorder


@pytest.fixture
def desk() -> Desk:
    return Desk({"a.ctf": two_draws().citrace()})


def test_the_list_has_counts_changes_and_findings(desk: Desk) -> None:
    frame = ask(desk, "frame", file="a.ctf")["frame"]
    assert (frame["file"], frame["total"], frame["findings"]) == ("a.ctf", 2, [])
    first, second = frame["draws"]
    assert (first["vertices"], first["topology"], first["programs"][0]["stage"]) == (3, "triangles", "vertex")
    assert second["changed"] == ["c0", "viewport"]
    assert [finding["code"] for finding in first["findings"]] == ["F015"]


def test_a_draw_has_its_state_attributes_and_what_changed(desk: Desk) -> None:
    draw = ask(desk, "draw", file="a.ctf", name="0/1")["draw"]
    assert draw["number"] == 1
    assert draw["state"]["draw"] == {"file": "a.ctf", "number": 1}
    assert draw["state"]["files"][0]["name"] == "a_1.v.pica"
    assert [(row["register"], row["source"], row["value"]) for row in draw["attributes"]] == [
        ("v0", "loaded", ""),
        ("v1", "default", "(1, 0.5, 0, 1)"),
    ]
    changed = {row["name"]: (row["before"], row["value"]) for topic in draw["topics"] for row in topic["rows"] if row["before"]}
    assert changed == {"c0": ("(1, 0, 0, 0)", "(0.5, 0, 0, 0)"), "GPUREG_VIEWPORT_WIDTH": ("?", "0x00460000")}
    assert {topic["topic"]: topic["changed"] for topic in draw["topics"]}["viewport"] == 1


def test_a_draw_runs_with_its_data_and_again_after_an_edit(desk: Desk) -> None:
    state = ask(desk, "draw", file="a.ctf", number=1)["draw"]["state"]
    found = ask(desk, "evaluate", state=state)
    assert [(row["register"], row["binding"]) for row in found["data"]["inputs"]] == [
        ("v0", "draw:fed"),
        ("v1", "draw:default"),
    ]
    assert {row["register"]: row.get("source") for row in found["data"]["uniforms"]} == dict.fromkeys(
        ["c0", "c1", "c2", "c3"], "draw"
    )
    expected = np.array([(x / 2, y, z, 1) for x, y, z in TRIANGLE], np.float32)
    assert np.array_equal(found["mesh"]["output:position"], expected)
    assert np.array_equal(found["mesh"]["output:color"], [[1, 0.5, 0, 1]] * 3)
    text = state["files"][0]["text"]
    edited = {**state, "files": [{"name": "a_1.v.pica", "text": text.replace("c0", "c1")}]}
    assert np.array_equal(ask(desk, "evaluate", state=edited)["mesh"]["output:position"][:, 0], expected[:, 1])
    changed = {**state, "uniforms": {"c0": [2, 0, 0, 0]}}
    found = ask(desk, "evaluate", state=changed)
    assert np.array_equal(found["mesh"]["output:position"][:, 0], expected[:, 0] * 4)
    assert [row["source"] for row in found["data"]["uniforms"]] == ["page", "draw", "draw", "draw"]
    assert ask(desk, "trace", thread=2)["time"]["steps"]
    assert ask(desk, "why")["why"]["triangles"] == 1
    hot = ask(desk, "uniforms", uniforms={"c1": [0, 1, 0, 0.5]})["mesh"]
    assert np.array_equal(hot["position"][:, 1], expected[:, 1] + 0.5)


def test_vertices_that_differ_between_two_edits_are_listed(desk: Desk) -> None:
    state = ask(desk, "draw", file="a.ctf", number=0)["draw"]["state"]
    ask(desk, "evaluate", state=state)
    pane = ask(desk, "compare", other={**state, "draw": {"file": "a.ctf", "number": 1}})["compare"]
    assert [(row["vertex"], row["place"], row["left"], row["right"]) for row in pane["list"]] == [
        (0, "position.x", -0.5, -0.25),
        (1, "position.x", 0.5, 0.25),
    ]


def uneven() -> Recorder:
    """A triangle that profiles agree on, one that they do not, and a draw that begins after its code."""
    recorder = triangle().uniforms([(1 / 3, 1 / 3, 1 / 3, 0.0), *IDENTITY[1:]], wide=True)
    recorder.vertices([(0.1, 0.7, -0.9), (0.0, 0.0, -0.5), (0.3, 0.6, -0.7)]).arrays(3).submit()
    return recorder.write(0x2BA, 0x7FFF0100).arrays(3).submit()


def test_vertices_of_a_whole_frame_that_differ_between_two_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_BETWEEN", -1.0)
    parts: list[dict[str, Any]] = []
    message = {"file": "a.ctf", "profile": "hardware", "against": "azahar"}
    last: dict[str, Any] = apart.apart(message, {"a.ctf": uneven().citrace()}, Stop(_no_progress), parts.append)
    assert [part["at"] for part in (*parts, last)] == [0, 1, 2, 3]
    assert (last["profiles"], last["total"], last["draws"]) == (["hardware", "azahar"], 3, [])
    same, differs, broken = [row for part in parts for row in part["draws"]]
    assert (same["differ"], same["compared"], same["first"]) == (0, 3, None)
    assert (differs["number"], differs["differ"], differs["unit"]) == (1, 2, "vertex")
    assert (differs["first"]["row"], differs["first"]["output"]) == (0, "position.x")
    assert broken["number"] == 2 and "entry point" in broken["refused"]


@pytest.mark.parametrize(("rounded", "vertices"), [(False, [0, 1, 2]), (True, [0, 2])])
def test_the_vertices_of_one_draw_are_those_that_the_whole_frame_counts(rounded: bool, vertices: list[int]) -> None:
    desk = Desk({"a.ctf": uneven().citrace()})
    state = ask(desk, "draw", file="a.ctf", number=1)["draw"]["state"]
    ask(desk, "evaluate", state=state, panes=[])
    pane = ask(desk, "compare", other={**state, "profile": "azahar"}, rounded=rounded)["compare"]
    assert [row["vertex"] for row in pane["list"]] == vertices
    assert pane["text"].endswith(" in float24") == rounded


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"file": "b.ctf", "against": "azahar"}, "the recorded frame b.ctf is not here"),
        ({"file": "a.ctf", "against": "nobody"}, "unknown profile 'nobody'"),
        ({"file": "a.ctf", "profile": "hardware", "set": "x=y", "against": "azahar"}, "x"),
    ],
)
def test_a_frame_that_cannot_be_compared_is_a_sentence(message: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        apart.apart(message, {"a.ctf": triangle().citrace()}, Stop(_no_progress), list[object]().append)


def test_a_whole_frame_is_compared_in_another_process(page: Page) -> None:
    page.ask("upload", name="a.ctf", data=base64.b64encode(uneven().citrace()).decode())
    last = page.ask("apart", file="a.ctf", profile="hardware", against="azahar").panes["apart"]
    assert last["at"] + len(last["draws"]) == last["total"] == 3  # what came before is in other parts


def test_other_work_does_not_wait_for_a_whole_frame(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = Event()

    def run(job: background.Job, stop: Stop, part: Callable[[dict[str, object]], None]) -> dict[str, object]:
        part({"at": 0})
        while not ends.wait(0.01):
            stop.check()
        return {"at": 1}

    monkeypatch.setattr(background, "run", run)
    page.ask("upload", name="a.ctf", data=base64.b64encode(triangle().citrace()).decode())
    first = page.send("apart", file="a.ctf")
    assert page.ask("draw", file="a.ctf", number=0).panes["draw"]["state"] is not None
    second = page.send("apart", file="a.ctf")  # ends the first
    assert page.wait(first).last.get("cancelled")
    page.send("cancel", target=second)
    assert page.wait(second).last.get("cancelled")
    ends.set()
    assert page.ask("apart", file="a.ctf").panes["apart"] == {"at": 1}


def test_a_process_whose_server_has_gone_says_nothing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ignored(number: int, handler: object) -> None:
        """It is for the other process."""

    monkeypatch.setattr(signal, "signal", ignored)
    ours, theirs = Pipe()
    ours.close()
    with pytest.raises(SystemExit) as ended:
        background.child(background.Job("opt", {}, {}, {}), theirs)
    assert ended.value.code == 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("apart", [False, True])
def test_both_stages_of_a_draw_run(apart: bool) -> None:
    file = assembled(geometry=EMIT)
    recorder = Recorder().state().write(0x244, 1)
    recorder.program(assembled() if apart else file)
    recorder.program(assembled(PASS.replace("dp4", "dp3"), EMIT) if apart else file, stage="geometry")
    recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=2).uniforms(IDENTITY).default(1, 1, 0.5, 0, 1).vertices(TRIANGLE)
    recorder.write(0x229, 2).write(0x252, 0).write(0x289, 1).write(0x25E, 0x300).arrays(3).submit()
    desk = Desk({"a.ctf": recorder.citrace()})
    draw = ask(desk, "draw", file="a.ctf", number=0)["draw"]
    assert [row["stage"] for row in draw["programs"]] == ["vertex", "geometry"]
    assert len(draw["state"]["files"]) == 2
    found = ask(desk, "evaluate", state=draw["state"])
    assert found["source"]["ok"], found["source"]
    assert found["mesh"]["whole"] is False and found["mesh"]["triangles"] == 3
    assert np.array_equal(
        ask(desk, "thumbnail", file="a.ctf", number=0)["thumbnail"]["pixels"][..., 3] > 0, found_pixels(desk, draw)
    )


def test_uniforms_of_both_stages_are_named_by_stage_and_edited() -> None:
    moves = EMIT.replace(".in a v0", ".fvec move\n.in a v0").replace("mov o, v0", "add o, move, v0")
    recorder = Recorder().state().write(0x244, 1).program(assembled()).program(assembled(geometry=moves), stage="geometry")
    recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=2).uniforms(IDENTITY).default(1, 1, 0.5, 0, 1).vertices(TRIANGLE)
    recorder.uniforms([(0.0, 0.5, 0.0, 0.0)], base=0x280).write(0x229, 2).write(0x252, 0).write(0x289, 1).write(0x25E, 0x300)
    desk = Desk({"a.ctf": recorder.arrays(3).submit().citrace()})
    state = ask(desk, "draw", file="a.ctf", number=0)["draw"]["state"]
    found = ask(desk, "evaluate", state=state)
    rows = {row["name"]: (row["label"], row["stage"], row["source"]) for row in found["data"]["uniforms"]}
    assert rows == {
        **{f"c{n}": (f"c{n}", "vertex", "draw") for n in range(4)},
        "geometry/c0": ("c0", "geometry", "draw"),
    }
    assert [row["value"] for row in found["data"]["uniforms"]][-1] == [[0.0, 0.5, 0.0, 0.0]]
    before = found["mesh"]["output:position"]
    found = ask(desk, "evaluate", state={**state, "uniforms": {"geometry/c0": [0.25, 0.5, 0, 0], "c1": [0, 0, 0, 0]}})
    moved = found["mesh"]["output:position"]
    assert np.array_equal(moved[..., 0], before[..., 0] + 0.25)
    assert np.array_equal(moved[..., 1], np.full_like(before[..., 1], 0.5))
    assert {row["name"]: row["source"] for row in found["data"]["uniforms"]}["geometry/c0"] == "page"
    steps = ask(desk, "trace", thread=0)["time"]["steps"]
    assert [float(moved[0, 0]), 0.5] in [write["new"]["values"][:2] for step in steps for write in step["writes"]]
    with pytest.raises(InputError, match="unknown uniform 'geometry/c9'"):
        ask(desk, "evaluate", state={**state, "uniforms": {"geometry/c9": [1, 0, 0, 0]}})


def found_pixels(desk: Desk, draw: Mapping[str, Any]) -> Any:
    return ask(desk, "thumbnail", file="a.ctf", number=0, state=draw["state"])["thumbnail"]["pixels"][..., 3] > 0


def test_a_small_picture_is_that_of_the_draw(desk: Desk) -> None:
    pixels = ask(desk, "thumbnail", file="a.ctf", number=0)["thumbnail"]["pixels"]
    assert pixels.shape == (77, 128, 4)
    assert 0.1 < (pixels[..., 3] > 0).mean() < 0.3
    smaller = ask(desk, "thumbnail", file="a.ctf", number=1)["thumbnail"]["pixels"]
    assert (smaller[..., 3] > 0).sum() < (pixels[..., 3] > 0).sum()


def test_a_small_picture_leaves_out_what_is_transparent() -> None:
    frame = Path(__file__).parents[2] / "examples" / "black.ctf"
    desk = Desk({"black.ctf": frame.read_bytes()})  # alpha is 0 in all corners of its first draw
    small = [ask(desk, "thumbnail", file="black.ctf", number=number)["thumbnail"] for number in range(3)]
    assert not any(each["pixels"][..., 3].any() for each in small)
    assert [each["lost"] for each in small] == ["transparent", "behind", "culled"]


def test_a_small_picture_has_viewport_and_scissor_also_after_an_edit() -> None:
    recorder = Recorder().write(0x41, 0x44E000).write(0x43, 0x459000).write(0x68, 0)  # 120 x 200 pixels
    recorder = triangle(recorder).write(0x68, 0x00C8_0078).arrays(3).submit()  # in the other corner
    recorder.write(0x65, 3).write(0x66, 200 << 16 | 120).write(0x67, 299 << 16 | 239).arrays(3).submit()  # its half
    desk = Desk({"a.ctf": recorder.citrace()})
    shown = [ask(desk, "thumbnail", file="a.ctf", number=number)["thumbnail"]["pixels"][..., 3] > 0 for number in range(3)]
    assert [each.shape for each in shown] == [(77, 128)] * 3
    first, second, third = ({tuple(place) for place in np.argwhere(each).tolist()} for each in shown)
    assert max(y for y, _ in first) - min(y for y, _ in first) < 40 and len(first) > 100
    assert not first & second
    assert third < second and 0.3 < len(third) / len(second) < 0.8
    state = ask(desk, "draw", file="a.ctf", number=2)["draw"]["state"]
    again = ask(desk, "thumbnail", file="a.ctf", number=2, state=state)["thumbnail"]["pixels"][..., 3] > 0
    assert np.array_equal(again, shown[2])


def test_a_draw_that_cannot_be_served_does_not_hide_the_others() -> None:
    recorder = triangle()
    recorder.write(0x2BA, 0x7FFF0100).arrays(3).submit()  # begins after the code
    recorder.write(0x2BA, 0x7FFF0000).write(0x200, 0x30000000 >> 3).arrays(3).submit()  # nothing is there
    desk = Desk({"a.ctf": recorder.citrace()})
    frame = ask(desk, "frame", file="a.ctf")["frame"]
    assert [[finding["code"] for finding in row["findings"]] for row in frame["draws"]] == [
        ["F015"],
        ["F010"],
        ["F015", "F008"],
    ]
    draw = ask(desk, "draw", file="a.ctf", number=1)["draw"]
    assert draw["state"] is None
    assert draw["refused"][0]["code"] == "F010"
    assert ask(desk, "draw", file="a.ctf", number=0)["draw"]["state"] is not None
    assert "entry point" in ask(desk, "thumbnail", file="a.ctf", number=1)["thumbnail"]["reason"]
    missing = ask(desk, "draw", file="a.ctf", number=2)["draw"]["state"]
    inputs = ask(desk, "evaluate", state=missing)["data"]["inputs"]
    assert [row["binding"] for row in inputs] == ["draw:missing", "draw:default"]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"file": "b.ctf"}, "the recorded frame b.ctf is not here"),
        ({"file": "a.obj"}, "a.obj is not a recorded frame"),
        ({"file": "a.ctf", "number": 9}, "draw 9 does not exist"),
        ({"file": "a.ctf", "name": "2/0"}, "unknown program '2/0'"),
    ],
)
def test_what_is_not_there_is_a_sentence(desk: Desk, message: dict[str, Any], text: str) -> None:
    desk.files["a.obj"] = b"v 0 0 0\n"
    with pytest.raises(InputError, match=text):
        ask(desk, "draw", **message)


@pytest.mark.parametrize("size", [8, 60, 300, -5])
def test_a_cut_file_is_served_as_far_as_it_can_be_read(size: int) -> None:
    data = two_draws().bytes()[:size]
    desk = Desk({"a.bin": data})
    try:
        frame = ask(desk, "frame", file="a.bin")["frame"]
    except InputError as error:
        assert error.diagnostics
        return
    assert frame["findings"]
    assert frame["total"] == len(frame["draws"])


def test_a_page_is_told_which_frames_there_are() -> None:
    data = triangle().citrace()
    told: dict[str, Any] = hello({"a.ctf": data, "b.v.pica": b"; text\n"}, Presets(), ("a.ctf", "0/0"))
    mark = told["draw"].pop("mark")
    assert (told["frames"], told["draw"]) == (["a.ctf"], {"file": "a.ctf", "name": "0/0"})
    other: dict[str, Any] = hello({"a.ctf": data + bytes(4)}, Presets())
    assert other["draw"]["mark"] != mark, "another content of the file is another beginning"
    assert [file["name"] for file in told["files"]] == ["b.v.pica"]
    assert "draw" not in hello({}, Presets())


def of_project(*texts: tuple[str, str]) -> dict[str, Any]:
    """Sources that are linked, as programs that are known."""
    words = assemble_texts(texts).programs[0]
    identity = hash_of_words(tuple(words.words), tuple(words.descriptors))
    return dict(known_sources([((identity,), {name: text.encode() for name, text in texts})]))


def test_known_sources_are_shown_in_place_of_the_disassembly() -> None:
    recorder = two_draws().program(assembled(PASS.replace("mov c, tint", "add c, tint, tint"))).arrays(3).submit()
    desk = Desk({"a.ctf": recorder.citrace()}, known=of_project(("pass.v.pica", PASS)))
    first, _, third = ask(desk, "frame", file="a.ctf")["frame"]["draws"]
    assert (first["programs"][0]["sources"], third["programs"][0]["sources"]) == (["pass.v.pica"], [])
    state = ask(desk, "draw", file="a.ctf", number=1)["draw"]["state"]
    assert state["files"] == [{"name": "pass.v.pica", "text": PASS}]
    assert ask(desk, "draw", file="a.ctf", number=2)["draw"]["state"]["files"][0]["name"] == "a_2.v.pica"
    found = ask(desk, "evaluate", state=state)
    [scale] = found["data"]["uniforms"]
    assert (scale["name"], scale["source"], scale["value"][0]) == ("scale", "draw", [0.5, 0.0, 0.0, 0.0])
    assert [(row["name"], row["binding"]) for row in found["data"]["inputs"]] == [
        ("place", "draw:fed"),
        ("tint", "draw:default"),
    ]
    assert np.array_equal(found["mesh"]["output:position"][:, 0], np.array(TRIANGLE)[:, 0] / 2)
    changed = {**state, "uniforms": {"scale": [[2, 0, 0, 0], *[list(row) for row in IDENTITY[1:]]]}}
    moved = ask(desk, "evaluate", state=changed)
    assert np.array_equal(moved["mesh"]["output:position"][:, 0], np.array(TRIANGLE)[:, 0] * 2)
    step = ask(desk, "trace", thread=0)["time"]["steps"][0]
    assert step["writes"][0]["new"]["values"][0] == TRIANGLE[0][0] * 2
    assert (step["source"]["file"], step["source"]["line"]) == ("pass.v.pica", 7)


def test_a_linked_pair_is_shown_with_the_stages_that_the_draw_uses() -> None:
    texts = ("pass.v.pica", PASS), ("emit.g.pica", EMIT)
    file = assemble_texts(texts)
    recorder = Recorder().state().program(file).attributes((FLOAT, 3), (FLOAT, 4), fixed=2).uniforms(IDENTITY)
    recorder.default(1, 1, 0.5, 0, 1).vertices(TRIANGLE).arrays(3).write(0x244, 1).program(file, stage="geometry")
    recorder.write(0x229, 2).write(0x252, 0).write(0x289, 1).write(0x25E, 0x300).arrays(3).submit()
    desk = Desk({"a.ctf": recorder.citrace()}, known=of_project(*texts))
    for number, emits in ((0, False), (1, True)):
        state = ask(desk, "draw", file="a.ctf", number=number)["draw"]["state"]
        assert [each["name"] for each in state["files"]] == ["pass.v.pica", "emit.g.pica"]
        found = ask(desk, "evaluate", state=state)
        assert found["source"]["emits"] == emits
        assert found["mesh"]["triangles"] == (3 if emits else 1)


def test_of_several_programs_in_a_source_a_draw_begins_at_its_own() -> None:
    other = PASS.replace(".proc main", ".entry second\n.proc second").replace("scale[0]", "scale[1]")
    texts = ("pass.v.pica", PASS), ("other.v.pica", other.replace("scale", "more"))
    file = assemble_texts(texts)
    second = file.programs[1].interface.entry
    file.programs = file.programs[:1]
    recorder = Recorder().state().program(file).attributes((FLOAT, 3), (FLOAT, 4), fixed=2).uniforms(IDENTITY)
    recorder.default(1, 1, 0.5, 0, 1).vertices(TRIANGLE).arrays(3).write(0x2BA, 0x7FFF0000 | second).arrays(3)
    recorder.write(0x2BA, 0x7FFF0000 | second + 1).arrays(3).submit()
    desk = Desk({"a.ctf": recorder.citrace()}, known=of_project(*texts))
    states = [ask(desk, "draw", file="a.ctf", number=number)["draw"]["state"] for number in range(3)]
    assert len({states[0]["entry"], states[1]["entry"]}) == 2
    assert states[1]["files"][0]["name"] == "pass.v.pica" and states[2]["files"][0]["name"] == "a_2.v.pica"
    assert ask(desk, "evaluate", state=states[1])["source"]["ok"]


def saved_text(desk: Desk, state: Mapping[str, Any]) -> tuple[str, list[str]]:
    ask(desk, "evaluate", state=state)
    found = ask(desk, "save")["save"]
    return found["text"], found["remarks"]


def test_a_saved_draw_is_a_test_that_needs_no_other_file_and_a_state_that_names_its_frame(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = ask(desk, "draw", file="a.ctf", number=1)["draw"]["state"]
    text, remarks = saved_text(desk, {**state, "uniforms": {"c1": [0, 2, 0, 0]}, "inputs": {"v1": [1, 0, 0, 1]}})
    assert "the state needs the recorded frame a.ctf" in remarks[0]
    path = tmp_path / "a.shadertest.toml"
    path.write_text(text)
    assert main(["test", str(path)]) == 0
    capsys.readouterr()
    table = tomllib.loads(text)
    assert table["test"][0]["outputs"]["position"][0] == [-0.25, -1.0, -0.5, 1.0]
    assert table["test"][0]["outputs"]["color"][0] == [1.0, 0.0, 0.0, 1.0]
    opened = ask(desk, "open", text=text)["open"]["state"]
    assert opened["draw"] == {"file": "a.ctf", "number": 1}
    with pytest.raises(InputError, match="is not here"):
        Desk({}).answer(Ask(1, "frame", {"file": opened["draw"]["file"]}, lambda sent: None, Stop(_no_progress)))


def test_a_saved_draw_with_an_edited_source_or_two_stages_runs(tmp_path: Path) -> None:
    file = assembled(geometry=EMIT)
    recorder = Recorder().state().write(0x244, 1).program(file).program(file, stage="geometry")
    recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=2).uniforms(IDENTITY).default(1, 1, 0.5, 0, 1).vertices(TRIANGLE)
    recorder.write(0x229, 2).write(0x252, 0).write(0x289, 1).write(0x25E, 0x300).arrays(3).submit()
    desk = Desk({"a.ctf": recorder.citrace()})
    state = ask(desk, "draw", file="a.ctf", number=0)["draw"]["state"]
    files = [{**each, "text": each["text"].replace("dp4 outpos.x, c0", "dp4 outpos.x, c1")} for each in state["files"]]
    for number, each in enumerate((state, {**state, "files": files})):
        path = tmp_path / f"{number}.shadertest.toml"
        path.write_text(saved_text(desk, each)[0])
        assert main(["test", str(path)]) == 0


def test_a_draw_that_no_test_holds_says_what_it_needs() -> None:
    texts = ("pass.v.pica", PASS), ("emit.g.pica", EMIT)
    recorder = Recorder().state().program(assemble_texts(texts)).attributes((FLOAT, 3), (FLOAT, 4), fixed=2)
    recorder.uniforms(IDENTITY).default(1, 1, 0.5, 0, 1).vertices(TRIANGLE).arrays(3).submit()
    desk = Desk({"a.ctf": recorder.citrace()}, known=of_project(*texts))
    text, remarks = saved_text(desk, ask(desk, "draw", file="a.ctf", number=0)["draw"]["state"])
    assert "a test has one shader for each stage of the draw" in remarks[0] and "# There is no test in this file" in text
    assert ask(desk, "open", text=text)["open"]["state"]["draw"] == {"file": "a.ctf", "number": 0}


def test_sources_of_a_draw_give_its_words_back() -> None:
    frame = Recorded("a.ctf", two_draws().citrace())
    for number in range(2):
        texts = [(file.name, file.text) for file in frame.sources(number)]
        assert assembled(texts[0][1]).words == frame.drawn(number).words
