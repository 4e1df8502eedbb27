"""The answers of the playground: what its page is sent, with NumPy and in a Python that has none."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lanewise.tools.cli import main

from answers import LIMITS, MOST_VERTICES, Desk
from bundle import examples, shared

if TYPE_CHECKING:
    from collections.abc import Mapping

PLAYGROUND = Path(__file__).resolve().parents[1] / "playground"
# Everything that Pyodide has not.
_BLOCKED = ("numpy", "llvmlite", "PIL", "trimesh", "pygls", "lsprotocol", "starlette", "uvicorn", "websockets")
_CHILD = f"""
import sys
for name in {_BLOCKED!r}:
    sys.modules[name] = None
import json, threading
def start(thread):
    raise RuntimeError("can't start new thread")
threading.Thread.start = start
from answers import Desk
print(json.dumps([list(map(json.loads, desk.answer(line))) for desk in [Desk()] for line in sys.stdin]))
"""


def test_all_that_the_answers_import_is_in_the_archive(tmp_path: Path):
    own = [PLAYGROUND / "answers.py", PLAYGROUND / "starter.py"]
    for path in (*own, *shared(own)):
        place = tmp_path / (path.name if path in own else Path(*path.parts[path.parts.index("lanewise_studio") :]))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    studio = str(PLAYGROUND.parent)
    code = f"import sys; sys.path[:] = [{str(tmp_path)!r}, *[each for each in sys.path if not each.startswith({studio!r})]]\n"
    code += "import answers, lanewise_studio; print(lanewise_studio.__file__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.startswith(str(tmp_path)), done.stderr


class Page:
    """A page that has asked, and what came back."""

    def __init__(self) -> None:
        self.desk = Desk(examples())

    def ask(self, kind: str, **more: object) -> dict[str, Any]:
        """The panes of an answer by name; the last message is `last`."""
        messages = [json.loads(text) for text in self.desk.answer(json.dumps({"id": 7, "ask": kind, **more}))]
        assert all(message["id"] == 7 for message in messages)
        panes = {message["pane"]: message["value"] for message in messages[:-1]}
        return {**panes, "last": messages[-1]}


@cache
def example(name: str) -> dict[str, Any]:
    rows: Mapping[str, Any] = {str(row["name"]): row["state"] for row in examples()}
    return rows[name]


def test_each_example_is_without_errors() -> None:
    page = Page()
    for row in examples():
        answer = page.ask("evaluate", state=row["state"])
        assert answer["source"]["ok"] and answer["last"] == {"id": 7, "done": True}, row["name"]
        assert [finding for finding in answer["source"]["diagnostics"] if finding["severity"] == "error"] == []
        assert answer["run"].get("reason") is None and answer["run"]["lanes"] > 0, row["name"]
        assert answer["words"]["rows"] and answer["graph"]["graphs"][0]["svg"].startswith("<svg")


def test_a_run_is_that_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command that the page shows gives the same values."""
    state = example("toon")
    for file in state["files"]:
        (tmp_path / file["name"]).write_text(file["text"], encoding="utf-8")
    run = Page().ask("evaluate", state={**state, "profile": "azahar"})["run"]
    assert run["command"] == "lanewise run toon.v.pica --data toon.toml --profile azahar"
    arguments = [str(tmp_path / word) if "." in word else word for word in run["command"].split()[1:]]
    assert main([*arguments, "--format", "json"]) == 0
    assert run["outputs"] == json.loads(capsys.readouterr().out)["outputs"]
    assert run["lanes"] == MOST_VERTICES


def test_without_numpy_every_answer_is_the_same() -> None:
    """Programs run, trace and explain in a Python that has the standard library alone."""
    asks: list[dict[str, Any]] = []
    for name in ("lit", "matrix", "toon", "lighting", "lanterns"):
        asks += [{"ask": "evaluate", "state": example(name)}, {"ask": "trace", "thread": 3}]
        asks += [{"ask": "explain", "thread": 3, "position": 9, "place": "o0.x"}, {"ask": "opt"}]
    asks += [{"ask": "convert", "to": "picasso"}, {"ask": "assemble"}, {"ask": "reference", "isa": "pica200", "name": "mad"}]
    lines = [json.dumps({"id": number, **ask}) for number, ask in enumerate(asks)]
    paths = [str(PLAYGROUND), *[path for path in sys.path if path]]
    found = subprocess.run(
        [sys.executable, "-c", _CHILD],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    small: list[Any] = json.loads(found.stdout)
    desk = Desk()
    for line, answer in zip(lines, small, strict=True):
        assert answer == [json.loads(text) for text in desk.answer(line)], line[:80]


def test_a_program_without_data_gets_some() -> None:
    page = Page()
    for name in [str(row["name"]) for row in examples()]:
        source = example(name)["files"][0]
        starter = page.ask("evaluate", state={"files": [source]})["starter"]
        run = page.ask("evaluate", state={"files": [source, starter]})["run"]
        assert (run.get("reason"), run["lanes"]) == (None, 4), name


def test_a_geometry_shader_is_named_with_what_runs_it() -> None:
    folder = PLAYGROUND.parents[1] / "examples"
    files = [
        {"name": name, "text": (folder / name).read_text(encoding="utf-8")} for name in ("particles.v.pica", "particles.g.pica")
    ]
    page = Page()
    answer = page.ask("evaluate", state={"files": files})
    run = page.ask("evaluate", state={"files": [*files, answer["starter"]]})["run"]
    assert run["lanes"] == 4  # those of the vertex shader
    alone = page.ask("evaluate", state={"files": files[1:]})["run"]
    assert "link the source of a vertex shader" in alone["reason"]


def test_findings_of_source_and_data_have_their_places() -> None:
    page = Page()
    source, data = example("toon")["files"]
    mistake = {**source, "text": source["text"].replace("zeros, r0", "zeroes, r0")}
    broken = page.ask("evaluate", state={"files": [mistake, data]})
    assert not broken["source"]["ok"] and "run" not in broken
    finding = next(one for one in broken["source"]["diagnostics"] if one["severity"] == "error")
    assert (
        finding["span"]["text"][finding["span"]["column"] - 1 :].startswith("zeroes") and finding["edits"][0]["text"] == "zeros"
    )
    wrong = {**data, "text": data["text"].replace("glossy = true", "glossi = true")}
    run = page.ask("evaluate", state={"files": [source, wrong]})["run"]
    assert "glossi" in run["reason"]
    unreadable = {**data, "text": "[inputs\n"}
    finding = page.ask("evaluate", state={"files": [source, unreadable]})["run"]["diagnostics"][0]
    assert (finding["code"], finding["span"]["file"], finding["span"]["line"]) == ("T001", "toon.toml", 1)


def test_more_vertices_than_the_page_runs_are_refused_with_the_command() -> None:
    source, data = example("transform")["files"]
    many = {**data, "text": data["text"].replace("position = [\n", "position = [\n" + "    [0, 0, 0],\n" * MOST_VERTICES)}
    many["text"] = (
        many["text"].partition("color =")[0]
        + "color = [1, 1, 1, 1]\ntexcoord = [0, 0]\n\n[uniforms]"
        + data["text"].partition("[uniforms]")[2]
    )
    run = Page().ask("evaluate", state={"files": [source, many]})["run"]
    assert run["reason"].startswith("68 vertices: this page runs up to 64") and run["command"] in run["reason"]


def test_a_binary_comes_back_as_its_source() -> None:
    page = Page()
    page.ask("evaluate", state=example("toon"))
    saved = page.ask("assemble")["file"]
    opened = page.ask("open", **saved)["open"]["state"]
    words = page.ask("evaluate", state=opened)["words"]["rows"]
    page.ask("evaluate", state=example("toon"))
    assert page.ask("assemble")["file"]["data"] == saved["data"] and len(words) == 21
    refused = page.ask("open", name="photo.jpg", data=base64.b64encode(b"\xff\xd8\xff\xe0\0\x10JFIF").decode())["last"]
    assert "not a program" in refused["error"][0]["message"] or "unknown kind of file" in refused["error"][0]["message"]


def test_formatting_and_conversion() -> None:
    page = Page()
    source, data = example("toon")["files"]
    ugly = {
        **source,
        "text": source["text"].replace("    dp4 outpos.x, projection[0], position", "dp4   outpos.x,projection[0],position"),
    }
    page.ask("evaluate", state={"files": [ugly, data]})
    assert page.ask("format", file="toon.v.pica")["format"] == {"file": "toon.v.pica", "text": source["text"]}
    assert "no formatter" in page.ask("format", file="toon.toml")["last"]["error"][0]["message"]
    converted = page.ask("convert", to="nihstro")["convert"]
    assert [one["name"] for one in converted["sources"]] == ["toon.vsh"] and ".alias projection c0-c3" in converted["sources"][
        0
    ]["text"]
    assert page.ask("convert", to="shadercore")["last"]["error"]


def test_what_is_offered_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """No button ends in a refusal, and GLSL, which needs a compiler, says where it is compiled."""
    page = Page()
    seen: set[str] = set()
    for row in examples():
        state = example(str(row["name"]))
        offers = page.ask("evaluate", state=state)["source"]["offers"]
        seen |= {*offers}
        for offer in offers:
            kind, _, to = offer.partition(" ")
            assert "error" not in page.ask(kind, **({"to": to} if to else {}), file=state["files"][0]["name"])["last"], offer
    assert seen == {"format", "convert nihstro", "convert picasso", "assemble", "opt"}
    monkeypatch.setattr("lanewise.compile.outside.compilers.COMPILERS", ())
    glsl = {"name": "toon.vert", "text": "#version 330\nvoid main() { gl_Position = vec4(1.0); }\n"}
    finding = page.ask("evaluate", state={"files": [glsl]})["source"]["diagnostics"][0]
    assert (finding["code"], "pip" in json.dumps(finding)) == ("L900", False) and "lanewise studio" in finding["fix"]


def test_the_reference_has_a_page_for_each_name() -> None:
    page = Page()
    index = page.ask("reference", isa="", name="")["index"]
    assert {"pica200", "shadercore", "direct3d9"} == {row["isa"] for row in index["sets"]}
    for row in index["sets"]:
        assert page.ask("reference", isa=row["isa"], name=row["names"][0])["page"]["blocks"]
    code = index["codes"][0]["rows"][0]
    blocks = page.ask("reference", isa="", name=code["code"])["page"]["blocks"]
    assert {"kind": "paragraph", "text": code["title"]} in blocks
    assert page.ask("reference", isa="", name="Z999")["last"]["error"][0]["message"] == "unknown code 'Z999'"


@pytest.mark.parametrize(
    "ask", [{"ask": "trace"}, {"ask": "fly"}, {"ask": "evaluate", "state": 3}, {"ask": "evaluate", "state": {"files": []}}]
)
def test_what_cannot_be_answered_is_said(ask: dict[str, Any]) -> None:
    (last,) = [json.loads(text) for text in Desk().answer(json.dumps({"id": 1, **ask}))]
    assert last["error"][0]["message"] and "fault" not in last


def test_limits_name_commands_that_exist() -> None:
    hello = json.loads(Desk().hello())["hello"]
    assert hello["limits"] == [list(row) for row in LIMITS]
    for _, command in LIMITS:
        with pytest.raises(SystemExit) as ended:
            main([command.split()[1].rstrip(","), "--help"])
        assert ended.value.code in (0, None)


def test_the_policy_of_the_page_is_that_of_its_manual() -> None:
    """A host adds who may show the page in a frame, which a page cannot say of itself."""
    root = Path(__file__).resolve().parents[2]
    page = re.findall(r'content="(default-src[^"]*)"', (root / "studio" / "playground" / "src" / "index.html").read_text())[0]
    assert {"base-uri 'none'", "object-src 'none'", "default-src 'self'"} <= set(page.split("; "))
    assert f"Content-Security-Policy: {page}; frame-ancestors 'self'\n" in (root / "docs" / "playground.md").read_text()
