"""Names and texts of others in what other programs read: JSON, SARIF, annotations, SVG and HTML. They stay texts."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import lanewise as lw
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path

NAME = "a&quot; onload=x`[x](command:y)%0A,::error::.v.pica"  # letters that every system has in names
EVIL = "</script></svg>]]>--><script>alert(1)</script><img src=x onerror=alert(1)>\u2028::error::"
GOOD = f"; {EVIL}\n.out position position\n.in vertex\n.proc main\n    mov position, vertex ; {EVIL}\n    end\n.end\n"


class Elements(HTMLParser):
    """The elements of a page, and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *[name for name, _ in attrs if name.startswith("on")]}


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = NAME.replace(":", "_") if tmp_path.drive else NAME
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(GOOD.replace("mov position", 'mov "</script>", position'), "utf-8")
    (tmp_path / f"good {name}").write_text(GOOD, "utf-8")
    return name


def test_findings_are_one_document(hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "json", hostile]) == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert {row["span"]["file"] for row in found} == {hostile}
    assert main(["check", "--format", "sarif", hostile]) == 1
    found = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    places = [row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for row in found]
    assert {unquote(place) for place in places} == {hostile} and ":" not in "".join(places)


def test_an_annotation_is_one_line(hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "github", hostile]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines
    for line in lines:
        assert line.startswith(("::error file=a&quot;", "::warning file=a&quot;", "::notice file=a&quot;"))
        assert line.partition("::")[2].partition("::")[0].count(",title=") == 1


def test_a_drawing_has_no_elements_of_others(hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "--format", "svg", f"good {hostile}"]) == 0
    drawing = ElementTree.fromstring(capsys.readouterr().out)
    names = {element.tag.partition("}")[2] for element in drawing.iter()}
    assert "script" not in names and not [
        name for name in names if name.lower() in {"foreignobject", "image", "iframe", "use", "animate", "set"}
    ]
    assert not [key for element in drawing.iter() for key in element.attrib if key.startswith("on")]
    addresses = [value for element in drawing.iter() for key, value in element.attrib.items() if key.endswith("href")]
    assert addresses and not [address for address in addresses if not address.startswith("good%20a%26quot") or ":" in address]
    assert hostile in str(drawing.findtext("{*}title"))


def test_pages_of_notebooks_have_no_elements_of_others(hostile: str) -> None:
    shader = lw.load(f"good {hostile}").vertex
    shown = [shader, shader.graph(), shader.trace({"vertex": [1, 2, 3, 4]}), shader.run({"vertex": [[1, 2, 3, 4]]})]
    pages = [html() for each in shown if (html := getattr(each, "_repr_html_", None)) is not None]
    pages = [page for page in pages if page]
    assert pages
    for page in pages:
        assert not {"script", "img", "iframe", "onload", "onerror"} & Elements(page).found
