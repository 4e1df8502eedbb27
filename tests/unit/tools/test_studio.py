"""The command `lanewise studio`: what it says without its package, and what it gives to it."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from lanewise.tools import studio
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A package in place of lanewise-studio, which keeps what it is started with."""
    found: list[Any] = []

    def serve(start: Any, announce: Callable[[str], None]) -> None:
        announce("http://127.0.0.1:1/enter?key=k")
        found.append(start)
        if start.port == 81:
            raise OSError(98, "Address already in use")

    def start(**given: object) -> Any:
        return SimpleNamespace(**given)

    def is_frame(data: bytes) -> bool:
        return data.startswith(b"CiTr")

    app = ModuleType("lanewise_studio.app")
    app.__dict__.update(serve=serve, Start=start, is_frame=is_frame)
    monkeypatch.setitem(sys.modules, "lanewise_studio", ModuleType("lanewise_studio"))
    monkeypatch.setitem(sys.modules, "lanewise_studio.app", app)
    monkeypatch.setattr(studio, "find_spec", lambda name: object())  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    return found


def test_without_the_package_the_command_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(studio, "find_spec", lambda name: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert main(["studio"]) == 2
    assert "pip install ./studio" in capsys.readouterr().err


def test_files_go_to_the_page_by_their_names(started: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("a/one.sc", "1"), ("b/one.sc", "2"), ("b/two.obj", "3")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    paths = [str(tmp_path / name) for name in ("a/one.sc", "b/one.sc", "b/two.obj")]
    assert main(["studio", *paths, "--port", "8123", "--no-browser"]) == 0
    [start] = started
    assert start.files == {paths[0]: b"1", paths[1]: b"2", "two.obj": b"3"}
    assert (start.port, start.browser) == (8123, False)
    assert start.folders == (str(tmp_path / "a"), str(tmp_path / "b"), ".")
    assert capsys.readouterr().out == "http://127.0.0.1:1/enter?key=k\n"


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["board.v.pica", "a.obj"], ["board.v.pica", "corners.pica", "a.obj"]),
        (["a.obj", "corners.pica"], ["a.obj", "board.v.pica", "corners.pica"]),
        (["board.shlist", "a.obj"], ["corners.pica", "board.v.pica", "a.obj"]),
        (["board.v.pica", "other.pica"], ["board.v.pica", "other.pica"]),
        (["--no-config", "board.v.pica"], ["board.v.pica"]),
    ],
)
def test_a_source_stands_for_its_unit(
    started: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], names: list[str]
) -> None:
    """The only source for the unit of lanewise.toml that has it, a list for its sources; several are linked as named."""
    monkeypatch.chdir(tmp_path)
    for name in ("board.v.pica", "corners.pica", "other.pica", "a.obj"):
        (tmp_path / name).write_text("")
    (tmp_path / "board.shlist").write_text("corners.pica board.v.pica\n")
    (tmp_path / "lanewise.toml").write_text('[units]\nboard = ["board.v.pica", "corners.pica"]\n')
    assert main(["studio", "--no-browser", *arguments]) == 0
    assert list(started[0].files) == names


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--port", "70000"], 2, "expected a port, 0 to 65535"),
        (["-"], 2, "standard input has none"),
        (["missing.sc"], 1, "missing.sc"),
        (["--port", "81"], 1, "cannot serve on port 81"),
        (["b.sc:3"], 2, "b.sc:3: one draw of a recorded frame is opened by its number"),
        (["a.ctf:3", "a.ctf:4"], 2, "a.ctf:3: one draw of a recorded frame is opened by its number"),
        (["b.sc", "--sources", "."], 2, "--sources is about a recorded frame"),
        (["b.sc", "--source", "b.sc"], 2, "--source is about a recorded frame"),
        (["a.ctf", "--sources", "nowhere"], 1, "--sources nowhere: there is no such folder"),
        (["a.ctf", "--source", "nowhere.v.pica"], 1, "nowhere.v.pica"),
    ],
)
def test_what_is_wrong(
    started: list[Any],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ctf").write_bytes(b"CiTrace")
    (tmp_path / "b.sc").write_bytes(b"nop")
    assert main(["studio", *arguments]) == code
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "draw"), [("a.ctf", ("", "")), ("a.ctf:12", ("a.ctf", "12")), ("a.ctf:1/2", ("a.ctf", "1/2"))]
)
def test_a_draw_of_a_recorded_frame_is_opened(
    started: list[Any], tmp_path: Path, name: str, draw: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ctf").write_bytes(b"CiTrace")
    assert main(["studio", "--no-browser", name]) == 0
    assert (started[0].files, started[0].draw) == ({"a.ctf": b"CiTrace"}, draw)


def test_sources_of_a_frame_are_named_by_their_programs(
    started: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source").mkdir()
    (tmp_path / "a.ctf").write_bytes(b"CiTrace")
    (tmp_path / "own.v.pica").write_text(".out o position\n.proc main\nmov o, v0\nnop\nend\n.end\n")
    (tmp_path / "source" / "light.vsh").write_text('.include "names.inc"\nmain:\n    mov out, place\n    end\n')
    (tmp_path / "source" / "names.inc").write_text(".alias place v0\n.alias out o0 as position\n")
    (tmp_path / "source" / "broken.v.pica").write_text("mull\n")
    assert main(["studio", "--no-browser", "a.ctf", "--source", "own.v.pica", "--sources", "source"]) == 0
    [start] = started
    assert [*start.files] == ["a.ctf", "own.v.pica"]
    assert [[*files] for _, files in start.known] == [["own.v.pica"], ["light.vsh", "names.inc"]]
    assert start.known[1][1]["names.inc"].startswith(b".alias place v0\n")
    assert all(len(identity) == 8 for identities, _ in start.known for identity in identities)
    assert "broken.v.pica left out" in capsys.readouterr().err


def test_a_source_of_a_frame_may_have_errors(started: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ctf").write_bytes(b"CiTrace")
    (tmp_path / "own.v.pica").write_text("mull\n")
    assert main(["studio", "--no-browser", "a.ctf", "--source", "own.v.pica"]) == 0
    assert ([*started[0].files], started[0].known) == (["a.ctf", "own.v.pica"], [])


@pytest.mark.parametrize(("link", "state"), [("http://127.0.0.1:8123/#jd-_9", "jd-_9"), ("jd-_9", "jd-_9")])
def test_a_link_of_another_session_is_opened(started: list[Any], link: str, state: str) -> None:
    assert main(["studio", "--no-browser", "--link", link]) == 0
    assert started[0].state == state


@pytest.mark.parametrize("link", ["http://127.0.0.1:8123/", "http://127.0.0.1:8123/#", "#a b"])
def test_a_link_without_a_state_is_refused(started: list[Any], link: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studio", "--link", link]) == 2 and not started
    assert "copy the whole link" in capsys.readouterr().err
