"""Presets: shader tests of folders, opened and saved."""

from __future__ import annotations

import base64
import os
import shutil
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lanewise.core.diagnostics import InputError
from lanewise.tools.cli import main

from lanewise_studio.app import hello, opened
from lanewise_studio.asks import Ask, Desk
from lanewise_studio.presets import Preset, Presets
from lanewise_studio.saving import MARK, MESH_MARK, restored
from lanewise_studio.state import plain_state, read_state
from lanewise_studio.stop import Stop
from test_steps import STATES, Asked

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class Folder:
    """A desk that saves to a folder, with an example evaluated."""

    def __init__(self, path: Path, state: Mapping[str, Any]) -> None:
        self.desk = Desk({}, Presets([path]))
        self.ask("evaluate", state=state, panes=[])

    def ask(self, kind: str, **message: Any) -> dict[str, Any]:
        sent: list[Any] = []
        self.desk.answer(Ask(1, kind, message, sent.append, Stop()))
        return {each["pane"]: each["value"] for each in sent}


def test_the_tests_of_a_folder_are_listed_with_their_programs() -> None:
    found = Presets([EXAMPLES]).listed()
    assert Preset("toon.shadertest.toml", "four bands", ("toon.v.pica",)) in found
    assert Preset("subdivide.shadertest.toml", "corners and middles", ("subdivide.v.pica", "subdivide.g.pica")) in found
    assert [row.name for row in found] == sorted([row.name for row in found])


def test_a_test_gives_program_profile_and_uniforms(tmp_path: Path) -> None:
    state = Presets([EXAMPLES]).opened("toon.shadertest.toml", "the highlight of a glossy surface").state
    assert state.files[0].text == (EXAMPLES / "toon.v.pica").read_text()
    rows = {
        row["name"]: row
        for row in Asked(plain_state(state)).ask("evaluate", state=plain_state(state), panes=["data"])["uniforms"]
    }
    assert rows["glossy"]["value"] is True and rows["sun"]["value"] == [[0, 0, 1, 4]]
    (tmp_path / "a.sc").write_text("mov o0.xyzw, v0.xyzw\nend\n")
    test = (
        'program = "a.sc"\ndevice = "document,start_delay=3"\n[[test]]\ncycles = 3\n[test.inputs]\nweight = [0.5]\n'
        "position = [[1, 2, 3]]\n"
    )
    (tmp_path / "a.shadertest.toml").write_text(test)
    [row] = Presets([tmp_path]).listed()
    state = Presets([tmp_path]).opened(row.name, row.test).state
    assert (state.profile, state.set, state.inputs) == ("document", "start_delay=3", {"weight": [0.5]})


def test_a_profile_with_a_setting_is_that_of_the_test(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "toon.v.pica", tmp_path)
    head = 'program = "toon.v.pica"\n[[test]]\nname = "t"\nfaults = "R003"\n'
    path = tmp_path / "t.shadertest.toml"
    path.write_text(f'{head}profile = {{ preset = "azahar", rounding = "nearest" }}\n')
    state = Presets([tmp_path]).opened(path.name, "t").state
    assert (state.profile, state.set) == ("azahar", "rounding=nearest")
    path.write_text(f'{head}profile = {{ rounding = "nearest", precision = "exact" }}\n')
    with pytest.raises(InputError, match="has the settings rounding=nearest, precision=exact"):
        Presets([tmp_path]).opened(path.name, "t")


def test_the_textures_of_a_test_are_colours() -> None:
    state = plain_state(Presets([EXAMPLES]).opened("cutout.shadertest.toml", "transparent texels are discarded").state)
    assert state["uniforms"] == {"s0": [1, 0.5, 0.25, 1]} and state["profile"] == "d3d9"
    asked = Asked(state)
    [row] = asked.ask("evaluate", state=state, panes=["data"])["uniforms"]
    assert (row["kind"], row["value"], row["help"]) == (
        "colour",
        [[1, 0.5, 0.25, 1]],
        "texture in s0; the colour that it has everywhere; set on this page",
    )
    assert asked.evaluation.result.outputs["color"][0].tolist() == [1, 0.5, 0.25, 1]
    assert any(
        write["new"]["values"] == [1, 0.5, 0.25, 1]
        for step in asked.ask("trace", thread=0)["steps"]
        for write in step["writes"]
    )
    assert "[samplers]\ns0 = [1.0, 0.5, 0.25, 1.0]\n" in asked.ask("save")["text"]
    white: dict[str, Any] = {**state, "uniforms": {}}
    assert Asked(white).ask("evaluate", state=white, panes=["data"])["table"]["rows"][0] == [1, 1, 1, 1]


def test_included_files_and_definitions_come_with_a_test() -> None:
    state = Presets([EXAMPLES]).opened("fog.shadertest.toml", "near, between and far").state
    assert [file.name for file in state.files] == ["fog.vsa", "registers.inc"] and state.options == {"define": ["LINEAR"]}
    asked = Asked(plain_state(state))
    assert "mad r1.x" in {row["instruction"].split(",")[0] for row in asked.ask("trace", thread=0)["steps"]}


@pytest.mark.parametrize("name", ["picasso", "direct3d9"])
def test_a_saved_preset_is_listed_opened_and_tested(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state: dict[str, Any] = {**STATES[name], "camera": {"yaw": 1.0}}
    file = state["files"][0]
    folder = Folder(tmp_path, state)
    saved = folder.ask("save", name="dusk")
    assert saved["save"] == {
        "name": "dusk.shadertest.toml",
        "folder": str(tmp_path),
        "remarks": [f"`lanewise test` needs {file['name']} beside it"],
    }
    assert saved["presets"] == [{"name": "dusk.shadertest.toml", "test": "", "programs": [file["name"]]}]
    opened = folder.ask("preset", name="dusk.shadertest.toml", test="")["open"]["state"]
    assert opened == plain_state(read_state(state))
    (tmp_path / file["name"]).write_text(file["text"] + "\n")
    [remark] = folder.ask("save", name="dusk.shadertest.toml")["save"]["remarks"]
    assert "another version" in remark
    (tmp_path / file["name"]).write_text(file["text"])
    assert folder.ask("save", name="dusk")["save"]["remarks"] == []
    assert main(["test", str(tmp_path / "dusk.shadertest.toml")]) == 0, capsys.readouterr()


def test_a_saved_state_holds_the_mesh_of_the_user() -> None:
    mesh, name = (EXAMPLES / "tetra.obj").read_bytes(), "lighting.v.pica"
    state: dict[str, Any] = {"files": [{"name": name, "text": (EXAMPLES / name).read_text()}], "mesh": {"file": "tetra.obj"}}
    asks: list[tuple[str, dict[str, Any]]] = [("evaluate", {"state": state, "panes": []}), ("save", {})]
    sent: list[Any] = []
    desk = Desk({"tetra.obj": mesh})
    for kind, message in asks:
        desk.answer(Ask(1, kind, message, sent.append, Stop()))
    [saved] = [each["value"] for each in sent if each.get("pane") == "save"]
    assert saved["remarks"] == [] and restored(saved["text"]).meshes == {"tetra.obj": mesh}
    other, sent = Desk({}), []  # of another machine
    other.answer(Ask(2, "open", {"text": saved["text"]}, sent.append, Stop()))
    [found] = sent[-1]["value"]["meshes"]
    other.answer(Ask(3, "upload", {"name": found["file"], "data": found["data"]}, sent.append, Stop()))
    other.answer(Ask(4, "evaluate", {"state": sent[0]["value"]["state"], "panes": []}, sent.append, Stop()))
    assert other.evaluation(Ask(5, "", {}, sent.append, Stop())).vertices == 12
    swapped = saved["text"].replace(MESH_MARK, f"{MESH_MARK}A")
    with pytest.raises(InputError, match="the mesh in this file is damaged"):
        restored(swapped)
    desk.files["tetra.obj"] = mesh + b"#" * (1 << 20)
    sent.clear()
    for kind, message in asks:
        desk.answer(Ask(1, kind, message, sent.append, Stop()))
    [saved] = [each["value"] for each in sent if each.get("pane") == "save"]
    assert MESH_MARK not in saved["text"] and "tetra.obj has more than 1 MiB" in saved["remarks"][0]


@pytest.mark.parametrize("name", ["../dusk", "/tmp/dusk", "a\\b", ".hidden", "", "a\nb", "a\0b"])
def test_presets_are_saved_under_the_name_of_a_file_only(name: str, tmp_path: Path) -> None:
    presets = Presets([tmp_path])
    with pytest.raises(InputError, match="is not the name of a file"):
        presets.write(name, "", read_state(STATES["picasso"]))
    assert not [*tmp_path.iterdir()]


def test_a_file_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "toon.shadertest.toml"
    shutil.copy(EXAMPLES / path.name, path)
    before = path.read_text()
    with pytest.raises(InputError, match="the studio has not saved it"):
        Folder(tmp_path, STATES["shadercore"]).ask("save", name="toon")
    assert path.read_text() == before


@pytest.mark.parametrize("dangles", [True, False])
def test_nothing_is_written_through_a_link(dangles: bool, tmp_path: Path) -> None:
    folder, victim = tmp_path / "folder", tmp_path / "victim"
    folder.mkdir()
    if not dangles:
        victim.write_text("# studio: x\n")
    link = folder / "toon.shadertest.toml"
    try:
        link.symlink_to("../victim")
    except OSError:
        pytest.skip("this user may not make links: on Windows switch the developer mode on")
    with pytest.raises(InputError, match="link"):
        Folder(folder, STATES["shadercore"]).ask("save", name="toon")
    assert link.is_symlink() and victim.exists() != dangles
    assert dangles or victim.read_text() == "# studio: x\n"


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "loop", "huge"])
def test_what_is_no_file_of_the_folder_is_left_out(kind: str, tmp_path: Path) -> None:
    """At once: a pipe would wait for ever, and a file of gigabytes would take all memory."""
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copy(EXAMPLES / "toon.shadertest.toml", folder)
    (tmp_path / "outside.toml").write_text(f"# x\n{MARK}abc\n")
    path = folder / "odd.shadertest.toml"
    if kind == "pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("named pipes in folders: POSIX only")
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "huge":
        with path.open("wb") as file:
            file.truncate(3 << 30)
    else:
        try:
            path.symlink_to(path if kind == "loop" else tmp_path / "outside.toml")
        except OSError:
            pytest.skip("this user may not make links: on Windows switch the developer mode on")
    presets = Presets([folder])
    assert {row.name for row in presets.listed()} == {"toon.shadertest.toml"}
    with pytest.raises(InputError, match="unknown preset" if kind != "huge" else "larger than"):
        presets.opened("odd.shadertest.toml", "")


def test_presets_read_nothing_outside_of_their_folders(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "a.sc").write_text("end\n")
    (inside / "out.shadertest.toml").write_text('program = "../a.sc"\n[[test]]\nname = "t"\ncycles = 1\n')
    presets = Presets([inside])
    with pytest.raises(InputError, match=r"a\.sc is not read: it is outside of"):
        presets.opened("out.shadertest.toml", "t")
    (tmp_path / "lanewise.toml").write_text("")
    with pytest.raises(InputError, match=r"a\.sc is outside of"):
        presets.opened("out.shadertest.toml", "t")
    with pytest.raises(InputError, match="unknown preset"):
        presets.opened("../inside/out.shadertest.toml", "t")
    with pytest.raises(InputError, match="no test 'other'"):
        presets.opened("out.shadertest.toml", "other")
    assert Presets([tmp_path, inside]).opened("out.shadertest.toml", "t").state.files[0].name == "a.sc"


def test_files_that_cannot_be_read_are_left_out_or_are_findings(tmp_path: Path) -> None:
    (tmp_path / "bad.shadertest.toml").write_text("program = \n")
    (tmp_path / "odd.shadertest.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "none.shadertest.toml").write_text('program = "missing.sc"\n[[test]]\nname = "t"\ncycles = 1\n')
    presets = Presets([tmp_path])
    assert [row.name for row in presets.listed()] == ["none.shadertest.toml"]
    with pytest.raises(InputError, match="program not found"):
        presets.opened("none.shadertest.toml", "t")
    with pytest.raises(InputError, match=r"cannot read odd\.shadertest\.toml"):
        presets.opened("odd.shadertest.toml", "")


@pytest.mark.parametrize("state", [b"[" * 100_000, b"1" * 5000, b"\xff"])
def test_a_state_that_is_not_one_is_damaged(state: bytes) -> None:
    with pytest.raises(InputError, match="the state in this file is damaged"):
        restored(MARK + base64.urlsafe_b64encode(zlib.compress(state)).decode())


def test_without_a_folder_nothing_is_saved() -> None:
    asked = Asked(STATES["shadercore"])
    assert not asked.ask("presets") and asked.ask("save")["text"]
    with pytest.raises(InputError, match="no folder for presets"):
        asked.ask("save", name="dusk")


def test_a_saved_file_is_opened_by_the_command_line_with_its_mesh(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"files": STATES["picasso"]["files"], "mesh": {"file": "one.obj"}}
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n"
    desk = Desk({"one.obj": mesh})
    sent: list[Any] = []
    desk.answer(Ask(1, "evaluate", {"state": state, "panes": []}, sent.append, Stop()))
    desk.answer(Ask(2, "save", {}, sent.append, Stop()))
    saved = next(each["value"] for each in sent if each.get("pane") == "save")
    monkeypatch.setattr("lanewise_studio.app.DOCUMENTATION", "https://example.org/")
    files, found = opened({saved["name"]: saved["text"].encode()})
    told = hello(files, Presets(), state=found)
    assert files == {"one.obj": mesh}
    assert told["meshFiles"] == ["one.obj"] and told["files"] == []
    assert read_state(told["state"]) == read_state(state)
    assert told["playground"] == "https://example.org/playground/index.html"


def test_what_is_not_a_saved_file_is_not_opened(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studio", str(EXAMPLES / "toon.shadertest.toml"), "--no-browser"]) == 1
    assert "holds no state of the studio" in capsys.readouterr().err
