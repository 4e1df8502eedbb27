"""Hostile names in the real viewers of what lanewise writes: a browser, compilers, GTKWave's reader, dot.

`test_injections.py` judges the same surfaces by readers of their formats, without any of these programs. `nox -s viewers` says
which are missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

import lanewise as lw
from installed import needs
from lanewise.core.html import code, table, title, unfolding
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

if os.name == "nt":
    pytest.skip("names of files of this system have no such characters: run it on Linux or macOS", allow_module_level=True)

EXAMPLES = Path(__file__).parents[1] / "examples"
# What a browser would ask for if it took the name, or what is in quotation marks or comments around it, for elements.
HARM = "-->]]>\"'><img src=ran1 onerror=location='?ran2'><image href=ran3 /><script>fetch('ran4')<\\script><style>@import ran5;"
NAME = HARM.replace("/", "")
# What a compiler would see if the name ended a comment or a text, or began a line.
ENDS = 'a*\\\n#error ran\r#error ran\n*) "\n#error ran\u2028#error ran ??\\'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def asked(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of a server of the folder, and what is asked of it."""
    found: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.append(self.path)
            path = folder / unquote(self.path.lstrip("/"))
            self.send_response(200 if path.is_file() else 404)
            kinds = {".html": "text/html; charset=utf-8", ".svg": "image/svg+xml"}
            self.send_header("Content-Type", kinds.get(path.suffix, "text/plain"))
            self.end_headers()
            self.wfile.write(path.read_bytes() if path.is_file() else b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", found
        server.shutdown()
        thread.join()


def looked_at(address: str, asked: list[str], pages: list[str]) -> list[str]:
    """What a browser asks for that shows these pages beside each other, and is not one of them."""
    frames = "".join([f'<iframe src="{page}"></iframe>' for page in pages])
    Path("index.html").write_text(f"<!doctype html>{frames}")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=2000"]
    options += [f"--user-data-dir={Path.cwd() / 'browser'}", "--no-first-run", "--dump-dom"]
    subprocess.run(["chromium", *options, f"{address}/index.html"], check=True, capture_output=True)
    assert {f"/{page}" for page in pages} <= {*asked}, "the browser has not come to all pages"
    return [path for path in asked if path[1:] not in (*pages, "index.html", "favicon.ico")]


@needs("chromium")
def test_drawings_and_pages_in_a_browser(asked: tuple[str, list[str]]):
    source, wave = f"{NAME}.v.pica", f"{NAME}.sc"
    shutil.copy(EXAMPLES / "lighting.v.pica", source)
    shutil.copy(EXAMPLES / "transform.sc", wave)
    shutil.copy(EXAMPLES / "tetra.obj", "tetra.obj")
    lines = {
        "graph.svg": ["graph", source, "--format", "svg", "-o", "graph.svg"],
        "waves.svg": ["graph", wave, "--format", "svg", "-o", "waves.svg"],
        "time.svg": ["time", wave, "--svg", "time.svg"],
        "draw.svg": ["run", source, "--mesh", "tetra.obj", "--uniforms", str(EXAMPLES / "tetra.json"), "--draw", "draw.svg"],
    }
    for line in lines.values():
        assert cli.main(line) == 0
    program = lw.load(wave)
    shown = [title(HARM, HARM), code(HARM), table([HARM], [[HARM]]), unfolding([(HARM, HARM)]), program._repr_html_()]  # pyright: ignore[reportPrivateUsage]: notebooks call it
    Path("notebook.html").write_text("\n".join(shown), "utf-8")
    # A graph in a notebook is part of the page, and not an image, which runs nothing.
    Path("inline.html").write_text("\n".join([Path(name).read_text("utf-8") for name in lines]), "utf-8")
    address, found = asked
    assert looked_at(address, found, [*lines, "notebook.html", "inline.html"]) == []
    Path("control.html").write_text(f'<p title="{HARM}">{HARM}', "utf-8")
    found.clear()
    assert {path.partition("?")[2] or path for path in looked_at(address, found, ["control.html"])} >= {"/ran1", "ran2"}


@pytest.mark.parametrize("end", ["", "\\"])
@pytest.mark.parametrize(
    ("language", "command"),
    [
        pytest.param("c", ["gcc", "-x", "c", "-std=c99", "-trigraphs", "-fsyntax-only", "out"], marks=needs("gcc")),
        pytest.param("cpp", ["g++", "-x", "c++", "-std=c++11", "-trigraphs", "-fsyntax-only", "out"], marks=needs("g++")),
        pytest.param("glsl", ["glslangValidator", "--stdin", "-S", "vert"], marks=needs("glslangValidator")),
    ],
)
def test_generated_code_in_compilers(language: str, command: list[str], end: str, folder: Path):
    source = f"{ENDS}{end}.v.pica"
    shutil.copy(EXAMPLES / "toon.v.pica", source)
    assert cli.main(["translate", source, "--to", language, "-o", "out"]) == 0
    text = Path("out").read_bytes()
    assert b"ran" in text, "the name of the source is in what is generated"
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@needs("vcd2fst", "fst2vcd")
def test_waves_in_gtkwave(folder: Path):
    """GTKWave's own reader, in both directions: the scopes and signals of the file are those of a file with a harmless name."""
    found: list[list[str]] = []
    for stem in ("plain", f"{ENDS} $end $var wire 1 ! ran $end"):
        shutil.copy(EXAMPLES / "transform.sc", f"{stem}.sc")
        assert cli.main(["time", f"{stem}.sc", "--vcd", "out.vcd"]) == 0
        subprocess.run(["vcd2fst", "out.vcd", "out.fst"], check=True, capture_output=True)
        again = subprocess.run(["fst2vcd", "out.fst"], check=True, capture_output=True, text=True).stdout
        found.append([line for line in again.splitlines() if line.startswith(("$var", "$scope", "$upscope"))])
        assert "smul\\040r0.x,\\040v0.x,\\040c0.x " in again, "instructions have their texts, with spaces"
    plain, hostile = found
    assert [line.split()[:2] for line in hostile] == [line.split()[:2] for line in plain]
    assert [line for line in hostile if line.startswith("$var")] == [line for line in plain if line.startswith("$var")]


@needs("dot")
def test_graphs_in_dot(folder: Path):
    shutil.copy(EXAMPLES / "toon.v.pica", f"{ENDS}{NAME}.v.pica")
    assert cli.main(["graph", f"{ENDS}{NAME}.v.pica", "--format", "dot", "-o", "out.dot"]) == 0
    shutil.copy(EXAMPLES / "toon.v.pica", "plain.v.pica")
    assert cli.main(["graph", "plain.v.pica", "--format", "dot", "-o", "plain.dot"]) == 0
    drawn: list[list[str]] = []
    for name in ("out.dot", "plain.dot"):
        done = subprocess.run(["dot", "-Tplain", name], check=True, capture_output=True, text=True)
        drawn.append([word for line in done.stdout.splitlines() if (word := line.partition(" ")[0]) in ("node", "edge")])
    assert drawn[0] == drawn[1] != []
