"""`lanewise debug`: scripts of commands, JSON, shader tests, and the screen."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import cast

import pytest

from debugger_sessions import CALLS, session
from documents import checked
from lanewise.tools.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"
VALUES = ["-i", "position=1,2,3,1", "-u", "offset=1,0,0,0"]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "calls.v.pica").write_text(CALLS)
    monkeypatch.chdir(tmp_path)
    return "calls.v.pica"


def headless(arguments: list[str], script: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(script.encode())))
    return main(["debug", *arguments, "--headless", "-"])


def test_a_script(program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    script = (
        "break 15 hit 2\ncontinue\nwhere\n\n# a comment\nstep\nexplain r0.x\nprint r0.x * 2\nout-back\nregisters temp\n"
        "form fraction\nprint r0.x\n"
    )
    assert headless([program, *VALUES], script, monkeypatch) == 0
    out = capsys.readouterr().out
    for part in (
        (
            "> break 15 hit 2\nbreakpoint 1 at calls.v.pica:15, on hit 2\n> continue\n"
            "step 5, word 7, calls.v.pica:15: add r0, offset, r0\n"
        ),
        "  in add_offset, word 7, calls.v.pica:15\n  in twice, word 5, calls.v.pica:12\n  in main, word 1, calls.v.pica:6\n",
        "> explain r0.x\nr0.x = 3\nstep 0: mov r0, position\n",
        "> print r0.x * 2\nr0.x * 2 = 6\n",
        "> registers temp\ntemporaries:\n  r0 = 2, 2, 3, 1\n> form",
    ):
        assert part in out, out


def test_a_script_as_json(program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert headless([program, *VALUES, "--format", "json"], "data r0.x\ncontinue\nreverse\nreverse\n", monkeypatch) == 0
    document = checked(capsys.readouterr().out)
    assert document["isa"] == "pica200"
    stops = [row["stop"] for row in document["commands"]]
    assert [stop and (stop["reason"], stop["step"]) for stop in stops] == [None, ("data", 1), ("data", 0), ("start", 0)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("given.v.pica", CALLS),
        (
            "given.v.pica",
            ".ivec n\n.bool flag\n.fvec bones[2]\n.fvec other\n.constf one(1, 1, 1, 1)\n.in p v0\n.out o position\n"
            ".proc main\nadd r0, one, p\nfor n\nadd r0, bones[1], r0\n.end\nifu flag\nadd r0, other, r0\n.end\n"
            "mov o, r0\nend\n.end\n",
        ),
        ("given.sc", "mul r0.x, v0.z, c2.y\nmov o0.x, r0.x\nend\n"),
        (
            "given.vsa",
            "vs_2_0\ndef c1, 1, 1, 1, 1\ndcl_position v0\nmov r0, c1\nrep i0\nadd r0, r0, c0\nendrep\nif b0\nmov r0, v0\n"
            "endif\nmov oPos, r0\n",
        ),
    ],
)
def test_values_to_fill_in_are_a_data_file(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    assert main(["debug", name, "--default", "0", "--values"]) == 0
    content = json.loads(capsys.readouterr().out)
    names = {each for table, values in content.items() if table != "schema" for each in values}
    assert not {"one", "c1"} & names  # what the program defines is not given
    filled = {table: _filled(values) if table != "schema" else values for table, values in content.items()}
    Path("values.json").write_text(json.dumps(filled))
    assert main(["debug", name, "--data", "values.json", "--values"]) == 0  # all that is read has a value
    assert json.loads(capsys.readouterr().out) == filled


def _filled(value: object) -> object:
    """Values of JSON with other numbers."""
    if isinstance(value, dict):
        return {name: _filled(each) for name, each in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_filled(each) for each in cast("list[object]", value)]
    return True if isinstance(value, bool) else 2


def test_wrong_commands_fail_and_the_script_goes_on(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = "stepp\nbreak 99\nbreak\nprint r0.q\nstep x\nthread 7\nquit 1\nfaults what\nquit\nstep\n"
    assert headless([program, *VALUES, "--format", "json"], script, monkeypatch) == 1
    document = checked(capsys.readouterr().out)
    assert [finding["code"] for finding in document["diagnostics"]] == [
        "D003",
        "D002",
        "D003",
        "D001",
        "D003",
        "B008",
        "D003",
        "D002",
    ]
    assert document["commands"][-1]["command"] == "quit"


def test_a_failing_shader_test_starts_where_the_first_wrong_component_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "calls.v.pica").write_text(CALLS)
    (tmp_path / "calls.shadertest.toml").write_text(
        'program = "calls.v.pica"\n[inputs]\nposition = [1, 2, 3, 1]\n[uniforms]\noffset = [1, 0, 0, 0]\n'
        '[[test]]\nname = "right"\n[test.outputs]\n"position.x" = 3\n'
        '[[test]]\nname = "wrong"\n[test.outputs]\nposition = [3, 2, 4, 1]\n'
    )
    path = str(tmp_path / "calls.shadertest.toml")
    assert headless([path], "step\nexplain position.z\n", monkeypatch) == 0
    out = capsys.readouterr().out
    assert "calls.v.pica:7: mov outpos, r0\n  step 7 writes position.z: position.z of vertex 0: expected 4" in out
    assert headless([path, "--test", "right"], "", monkeypatch) == 0
    assert headless([path, "--test", "other"], "", monkeypatch) == 2
    assert headless([path, "-i", "position=1"], "", monkeypatch) == 2


@pytest.mark.parametrize("test", sorted(EXAMPLES.glob("*.shadertest.toml")), ids=lambda path: path.name.partition(".")[0])
def test_the_shader_tests_of_every_instruction_set(
    test: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = next(line for line in test.read_text().splitlines() if line.startswith("name = ")).partition('"')[2].rstrip('"')
    assert headless([str(test), "--test", name], "step\nback\nthreads\n", monkeypatch) == 0
    assert "the test passes" in capsys.readouterr().err


def test_geometry_shaders_are_debugged_by_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLES / "particles.v.pica"), str(EXAMPLES / "particles.g.pica")]
    assert (
        headless(
            [*files, "--indices", "all", "--count", "2", "--default", "0", "--vertices", "1"],
            "threads\nstep 3\nto 26\nstep\n",
            monkeypatch,
        )
        == 0
    )
    out = capsys.readouterr().out
    assert "> threads\n* run 1: step 0" in out
    assert "slot 0" in out
    assert "emits a vertex into slot 0" in out


def test_usage(program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["debug", program, *VALUES]) == 2
    assert "use --headless" in capsys.readouterr().err
    assert headless([program, *VALUES, "--vertices", "1-"], "", monkeypatch) == 2
    assert headless([program, *VALUES, "--vertices", "5"], "", monkeypatch) == 2
    assert headless([program, *VALUES, "--vertices", "x"], "", monkeypatch) == 2
    assert main(["debug", program, *VALUES, "--format", "json"]) == 2
    assert headless([program], "", monkeypatch) == 1
    assert "B004" in capsys.readouterr().err


def test_the_screen() -> None:
    """Keys, a click, the command line."""
    pytest.importorskip("textual")
    from textual.widgets import Input, Static

    from lanewise.tools.debug_screen import Screen, Timeline

    async def use() -> None:
        debugged = session(CALLS, input=("position=1,2,3,1",), uniform=("offset=1,0,0,0",))
        app = Screen(debugged)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("s", "s")
            assert debugged.stop(0).step == 2
            assert "r0 = 1, 2, 3, 1" in str(app.query_one("#registers", Static).content)
            await pilot.press("b", "n")
            assert debugged.stop(0).step == 7
            await pilot.press("f9", "r", "t")
            assert [point.text for point in debugged.breakpoints.values()] == ["breakpoint 1 at test.v.pica:7"]
            assert debugged.stop(0).step == 0
            await pilot.press("f9", "c")
            await pilot.press("colon")
            app.query_one("#line", Input).value = "goto 5"
            await pilot.press("enter", "escape")
            assert debugged.stop(0).step == 5
            await pilot.click(Timeline, offset=(0, 0))
            assert debugged.stop(0).step == 0
            await pilot.click("#source", offset=(8, 6))
            assert not any(point.text.endswith(":7") for point in debugged.breakpoints.values()), "a click removes it"
            await pilot.press("s")
            shown = str(app.query_one("#registers", Static).content)
            assert [line.partition(" =")[0] for line in shown.split("\n")[:3]] == ["changed", "  r0", "inputs"]
            await pilot.resize_terminal(80, 20)
            await pilot.pause()
            shown = str(app.query_one("#registers", Static).content)
            assert [line.partition(" =")[0] for line in shown.split("\n")[:4]] == [
                "changed",
                "  r0",
                "read by it",
                "  position (v0)",
            ]
            await pilot.press("f1", "tab", "d", "q")

    asyncio.run(use())


def test_the_screen_is_read_in_a_small_and_light_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row of the source for each line, however long; the beginning of a long answer; the words if they are wanted."""
    pytest.importorskip("textual")
    from textual.widgets import RichLog, Static

    from lanewise.tools.debug_screen import Screen

    monkeypatch.delenv("TEXTUAL_THEME", raising=False)
    monkeypatch.setenv("COLORFGBG", "0;15")
    long = CALLS.replace("\n", f" ; {'x' * 100}\n", 1)

    async def use() -> None:
        debugged = session(long, input=("position=1,2,3,1",), uniform=("offset=1,0,0,0",))
        app = Screen(debugged)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert app.theme == "textual-light"
            source = app.query_one("#source", Static)
            assert source.size.height == str(source.content).count("\n") + 1
            words = app.query_one("#words", Static)
            assert words.region.height == 0
            await pilot.press("d")
            await pilot.pause()
            assert words.region.height > 0
            await pilot.press("d")
            app.command("goto 7")
            log = app.query_one("#log", RichLog)
            before = len(log.lines)
            app.command("explain position.x")
            await pilot.pause()
            assert len(log.lines) - before > log.size.height
            assert log.scroll_offset.y == before
            assert [line.text for line in log.lines if line.text.startswith("given: uniform")] == [
                "given: uniform offset.x (c0) = 1"
            ]

    asyncio.run(use())
