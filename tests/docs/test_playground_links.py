"""Links of the site that open programs in the playground."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import TYPE_CHECKING

import pytest
from lanewise_site import examples, playground, repository

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = ".in position\n.out o position\n.proc main\n    mov o, position\n    end\n.end\n"
PAGE = (
    f"A whole program:\n\n```pica\n{PROGRAM}```\n\nA part of one:\n\n```pica\n    mov o, position\n```\n\n```console\n"
    "$ lanewise asm\n```\n"
)


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the built playground."""
    folder = tmp_path / "built"
    folder.mkdir()
    (folder / "manifest.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(playground, "FOLDER", folder)
    return folder


def opened(text: str) -> list[dict[str, str]]:
    """The files of each link of a page."""
    found: list[dict[str, str]] = []
    for packed in re.findall(r'href="[^"#]*#([\w-]+)"', text):
        data = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15)
        found.append({file["name"]: file["text"] for file in json.loads(data)["files"]})
    return found


def test_whole_programs_of_a_page_have_a_link(built: Path) -> None:
    text = playground.linked("tutorials/first", PAGE)
    assert opened(text) == [{"first.v.pica": PROGRAM}]
    assert 'href="../playground/index.html#' in text and text.index("href=") < text.index("A part of one")


def test_examples_are_opened_with_their_data(built: Path) -> None:
    text = examples.pages()["reference/examples/toon-v-pica.md"]
    (files,) = opened(text)
    assert [*files] == ["toon.v.pica", "toon.toml"] and files["toon.v.pica"] == examples.sources()["examples/toon.v.pica"]
    assert 'href="../../playground/index.html#' in text


def test_the_built_playground_is_part_of_the_site(built: Path, tmp_path: Path) -> None:
    playground.copy(tmp_path / "site")
    assert (tmp_path / "site" / "playground" / "manifest.json").is_file()


def test_without_it_there_are_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playground, "FOLDER", tmp_path / "nothing")
    playground.copy(tmp_path / "site")
    assert playground.linked("tutorials/first", PAGE) == PAGE
    assert "playground" not in examples.pages()["reference/examples/toon-v-pica.md"]
    assert not (tmp_path / "site").exists()


def test_the_front_page_runs_the_playground(built: Path) -> None:
    path = "docs/index.md"
    text = repository.rewritten(path, (examples.ROOT / path).read_text(encoding="utf-8"))  # as the site reads it
    shown = playground.front(text)
    assert "](/ring.svg)" in shown and [*opened(shown)[0]] == ["toon.v.pica", "toon.toml"]
    assert 'data-src="playground/index.html#' in shown and "<iframe" not in shown, "nothing is loaded before it is asked for"
    (built / "manifest.json").unlink()
    assert playground.front(text) == text
