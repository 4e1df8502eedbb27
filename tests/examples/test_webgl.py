from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


OTHER = """.fvec projection[4], modelView[3], tint[2]
.in inpos v0
.in weight v1
.in innrm v2
.out outpos position
.out outclr color
.proc main
    mov r0, inpos
    dp4 r1.x, modelView[0], r0
    dp4 r1.y, modelView[1], r0
    dp4 r1.z, modelView[2], r0
    mov r1.w, inpos.w
    dp4 outpos.x, projection[0], r1
    dp4 outpos.y, projection[1], r1
    dp4 outpos.z, projection[2], r1
    dp4 outpos.w, projection[3], r1
    mul r2, tint[1], weight
    mad outclr, innrm, tint[0], r2
    end
.end
"""


NAMES = ("vertexText", "fragmentText", "inputs", "registers", "values", "turning", "matrices", "switches")


def written(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> dict[str, Any]:
    """The data of the page by name."""
    monkeypatch.setattr(sys, "argv", ["webgl_page.py", *arguments])
    runpy.run_path(str(EXAMPLES / "webgl_page.py"), run_name="__main__")
    text = Path(arguments[0]).read_text()
    assert not re.search(r"https?:|//cdn|src=|@import|fetch\(", text)  # one file, no network
    found = {name: re.search(rf"^const {name} = (.*);(?: +// [^;]*)?$", text, re.M) for name in NAMES}
    return {name: json.loads(each[1]) for name, each in found.items() if each}


def test_webgl_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    data = written(monkeypatch, str(tmp_path / "toon.html"))
    vertex = data["vertexText"]
    assert vertex.startswith("#version 300 es\n")
    # What the page sets is what the shader reads, at its register.
    registers = data["registers"]
    assert data["inputs"] == {"position": "position", "normal": "normal"}
    assert data["matrices"] == {"projection": registers["projection"]}
    assert data["switches"] == {"glossy": 0}
    assert [number for number, _ in data["values"]] == [registers[name] for name in ("consts", "shade", "paint", "shine")]
    assert [number for number, _ in data["turning"]] == [registers["sun"]]
    for name in ("projection", "sun", "shade", "paint", "shine", "consts"):
        assert f"const int {name} = {registers[name]};" in vertex
    for name in data["inputs"]:
        assert f"in vec4 {name};" in vertex
    (color,) = re.findall(r"^in vec4 (\w+);", data["fragmentText"], re.M)
    assert f"out vec4 {color};" in vertex
    validator = shutil.which("glslangValidator")
    if validator:
        for suffix in ("vert", "frag"):
            source = tmp_path / f"toon.{suffix}"
            source.write_text(data["vertexText" if suffix == "vert" else "fragmentText"])
            done = subprocess.run([validator, str(source)], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout


def test_a_page_of_another_shader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shader = tmp_path / "lit.v.pica"
    shader.write_text(OTHER)
    data = written(monkeypatch, str(tmp_path / "lit.html"), str(shader), "weight=color", "tint=1,0,0,0;0,1,0,0")
    assert data["inputs"] == {"inpos": "position", "innrm": "normal", "weight": "color"}
    assert data["matrices"] == {"projection": 0, "model": 4}
    assert data["values"] == [[7, [1, 0, 0, 0, 0, 1, 0, 0]]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.pica"], "No such file or directory: 'nowhere.pica'"),
        ([str(EXAMPLES / "particles.g.pica")], "there is no vertex shader"),
        ([str(EXAMPLES / "toon.v.pica"), "sun=a,b"], "could not convert string to float: 'a'"),
        ([str(EXAMPLES / "toon.v.pica"), "foo=1"], "toon.v.pica has no 'foo': it has position"),
    ],
)
def test_wrong_arguments_are_said_in_one_message(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(SystemExit) as stopped:
        written(monkeypatch, str(tmp_path / "page.html"), *arguments)
    assert message in str(stopped.value)
