from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_webgl_page(tmp_path: Path):
    path = tmp_path / "toon.html"
    command = [sys.executable, str(EXAMPLES / "webgl_page.py"), str(path)]
    subprocess.run(command, capture_output=True, check=True)
    text = path.read_text()
    assert not re.search(r"https?:|//cdn|src=|@import|fetch\(", text)  # one file, no network
    texts: dict[str, Any] = {}
    for name in ("vertexText", "fragmentText", "registers", "preset"):
        found = re.search(rf"const {name} = (.*);", text)
        assert found
        texts[name] = json.loads(found[1])
    vertex = texts["vertexText"]
    assert vertex.startswith("#version 300 es\n")
    # What the page sets is what the shader reads, at its register.
    for name in re.findall(r'set\("(\w+)"', text):
        assert re.search(rf"const int {name} = {texts['registers'][name]};", vertex), name
    for name in re.findall(r'attribute\("(\w+)"', text):
        assert f"in vec4 {name};" in vertex
    assert [number for number, _ in texts["preset"]] == [texts["registers"]["consts"]]
    (color,) = re.findall(r"^in vec4 (\w+);", texts["fragmentText"], re.M)
    assert f"out vec4 {color};" in vertex
    validator = shutil.which("glslangValidator")
    if validator:
        for suffix in ("vert", "frag"):
            source = tmp_path / f"toon.{suffix}"
            source.write_text(texts["vertexText" if suffix == "vert" else "fragmentText"])
            done = subprocess.run([validator, str(source)], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout
