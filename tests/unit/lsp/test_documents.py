"""Texts of an editor: which language they are in, what they include, and what happens when an analysis fails."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from lsprotocol import types as t

from editors.matrix import SAMPLES
from lanewise import packages
from lanewise.core.editor import Analysis, Placed
from lanewise.core.service import Request, UsageError
from lanewise.core.source import Span
from lanewise.lsp import lenses
from lanewise.lsp.beside import ShaderTestsBeside
from lanewise.lsp.documents import Documents, Rules, Text, View, path_of
from lanewise.lsp.positions import UTF16
from lanewise.packages import recognise
from lanewise.tools.configuration import Configuration
from lanewise.tools.lsp import host, sources
from together import together
from toy_isa.package import TOY

NIHSTRO = SAMPLES["nihstro"].source


def documents(rules: Rules | None = None) -> Documents:
    return Documents(lambda _: rules or Rules())


def viewed(uri: str, text: str, language: str = "", rules: Rules | None = None) -> View | None:
    found = documents(rules)
    found.put(uri, text, 1, language)
    return found.analyse(uri)


@together(
    ("uri", "text", "language", "dialect", "wanted"),
    [
        ("file:///a.v.pica", "", "", "", "picasso"),
        ("untitled:a", "mov r0, r1\n", "nihstro", "", "nihstro"),
        ("untitled:a", "mov r0, r1\n", "lanewise-picasso", "", "picasso"),
        ("file:///a.vsh", SAMPLES["picasso"].source, "nihstro", "", "picasso"),  # what it certainly is
        ("file:///a.vsh", "mov r0, r1\n", "", "picasso", "picasso"),
        ("file:///a.vsh", "mov r0, r1\n", "nihstro", "picasso", "nihstro"),
        ("file:///a.sc", "", "plaintext", "picasso", "shadercore"),  # a dialect of another instruction set
        ("file:///a.txt", "hello world\n", "plaintext", "", ""),
        ("file:///a.bin", "DVLB\0", "", "", ""),
    ],
)
def test_languages(uri: str, text: str, language: str, dialect: str, wanted: str):
    view = viewed(uri, text, language, Rules(dialect=dialect))
    assert (view.language if view is not None else "") == wanted
    assert (view.request.language if view is not None else "") == wanted


def test_a_language_without_an_editor_has_findings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(packages, "PACKAGES", (*packages.PACKAGES, TOY))
    view = viewed("file:///a.toy", ".toy\nload r7\nhalt\n")
    assert view is not None
    assert [finding.code for finding in view.analysis.findings] == ["V901"]
    assert [placed.address for placed in view.placed] == [0, 1]
    broken = viewed("file:///a.toy", ".toy\nlaod r7\n")
    assert broken is not None
    assert broken.analysis.findings[0].is_error


def test_open_texts_are_included_before_files(tmp_path: Path):
    (tmp_path / "part.inc").write_text(".alias other c0\n")
    whole, part = (tmp_path / "a.vsh").as_uri(), (tmp_path / "part.inc").as_uri()
    texts = documents()
    texts.put(whole, f'.include "part.inc"\n{NIHSTRO.replace(".alias scale c0", "")}', 1)
    view = texts.analyse(whole)
    assert view is not None
    assert any(finding.is_error for finding in view.analysis.findings)
    texts.put(part, ".alias scale c0\n", 1)
    view = texts.analyse(whole)
    assert view is not None
    assert not any(finding.is_error for finding in view.analysis.findings)
    texts.views[whole] = view
    assert texts.dependents(path_of(part)) == [whole]


def test_two_spellings_of_a_resource_are_one(tmp_path: Path):
    texts = documents()
    path = tmp_path / "a b%.v.pica"
    texts.put(path.as_uri(), "", 1)
    texts.put(path.as_uri().replace("%20", " "), ".proc main", 2)
    assert [text.version for text in texts.texts.values()] == [2]
    assert texts.uri_of(str(path)) == path.as_uri().replace("%20", " ")


def test_a_fault_of_an_editor_is_a_finding(monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> Analysis:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("lanewise.lsp.documents.analysed", broken)
    view = viewed("file:///a.sc", "end\n")
    assert view is not None
    assert [finding.code for finding in view.analysis.findings] == ["U005"]
    assert isinstance(view.failure, ZeroDivisionError)


def test_options_of_users_count_where_the_configuration_says_nothing():
    texts = documents(Rules(options={"device": "document", "profile": "azahar"}))
    plain = documents()
    texts.options = {"device": "rtl", "include": ["parts"], "define": ["A=1"], "profile": ""}
    shadercore, direct3d9 = packages.package_of("shadercore"), packages.package_of("direct3d9")
    assert texts.values("/x/a.sc", shadercore, "check") == {"device": "document"}
    assert texts.values("/x/a.vsa", direct3d9, "check") == {"include": ("/x/parts",), "define": ("A=1",)}
    plain.options = texts.options
    assert plain.values("/x/a.sc", shadercore, "check") == {"device": "rtl"}
    pica200 = packages.package_of("pica200")
    plain.options = {"semantic": ["glow=color"], "entry-point": "main", "output-locations": True, "picasso-compat": False}
    expected = {"semantic": ("glow=color",), "entry-point": "main", "output-locations": True}
    assert plain.values("/x/a.vert", pica200, "check") == expected


def test_a_wrong_option_is_a_finding(monkeypatch: pytest.MonkeyPatch):
    def refused(*_: object) -> Analysis:
        raise UsageError("--device x: unknown device")

    monkeypatch.setattr("lanewise.lsp.documents.analysed", refused)
    view = viewed("file:///a.sc", "end\n")
    assert view is not None
    assert [(finding.code, finding.message) for finding in view.analysis.findings] == [("U001", "--device x: unknown device")]


def test_marks_and_halves_of_characters_keep_their_columns():
    view = viewed("file:///a.sc", "\ufeffmovv r0.x, v0.x ; \ud800\n")
    assert view is not None
    assert [view.text[slice(*view.positions.bounds(each.span))] for each in view.analysis.findings][:1] == ["movv"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and links are made as on POSIX")
def test_files_of_a_folder_that_are_pipes_or_links_are_left_out(tmp_path: Path):
    """A pipe would keep the server waiting, and a link would show the lines of another folder's file."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "private").write_text("secret words\n")
    (folder / "good.sc").write_text("end\n")
    (folder / "link.sc").symlink_to(tmp_path / "private")
    for name in ("pipe.sc", "pipe.shadertest.toml"):
        os.mkfifo(folder / name)
    assert sources(str(folder), Configuration()) == [str(folder / "good.sc")]
    os.mkfifo(folder / "lanewise.toml")
    assert sources(str(folder), Configuration()) == [], "the settings of the folder cannot be known"
    (folder / "lanewise.toml").unlink()
    found = documents()
    assert found.view_of_file(str(folder / "good.sc")) is not None
    assert found.view_of_file(str(folder / "pipe.sc")) is None
    assert ShaderTestsBeside().tests(str(folder / "good.sc")) == []
    for included, sentence in ((tmp_path / "private", "outside of the project"), (folder / "pipe.sc", "a pipe (FIFO)")):
        view = viewed(f"file://{folder}/a.vsh", f'.include "{included}"\nmain:\n    end\n', "nihstro")
        assert view is not None
        texts = [finding.message + str(finding.span.text) for finding in view.analysis.findings]
        assert any(sentence in text for text in texts), texts
        assert not any("secret" in text for text in texts)


VERTEX = ".in p\n.out pos position\n.proc main\n    mov pos, p\n    end\n.end\n"
GEOMETRY = ".gsh point c0\n.out pos position\n.proc gmain\n    setemit 0, prim\n    mov pos, v0\n    emit\n    end\n.end\n"


def codes(view: View | None) -> list[tuple[str, str]]:
    return [(found.code, Path(found.span.file).name) for found in view.analysis.findings] if view is not None else []


def test_open_texts_whose_names_make_a_pair_are_linked(tmp_path: Path):
    found = documents()
    vertex, geometry = (tmp_path / "a.v.pica").as_uri(), (tmp_path / "a.g.pica").as_uri()
    found.put(vertex, VERTEX, 1)
    assert codes(found.analyse(vertex)) == []
    found.put(geometry, GEOMETRY, 1)
    for uri in (vertex, geometry):
        view = found.analyse(uri)
        assert view is not None
        found.views[uri] = view
        assert ("V112", "a.g.pica") in codes(view)
        assert [Path(source.path).name for source in view.request.sources] == ["a.v.pica", "a.g.pica"]
    text = found.texts[geometry]
    assert found.dependents(text.path) == [vertex]
    assert found.included(text) is None  # its own analysis is of the whole link
    found.put(geometry, GEOMETRY.replace(".proc", ".entry gmain\n.proc"), 2)
    assert codes(found.analyse(vertex)) == []


def test_a_pair_on_the_disk_is_linked(tmp_path: Path):
    (tmp_path / "a.g.pica").write_text(GEOMETRY)
    uri = (tmp_path / "a.v.pica").as_uri()
    assert ("V112", "a.g.pica") in codes(viewed(uri, VERTEX))
    alone = Documents(lambda _: Rules(), disk=False)
    alone.put(uri, VERTEX, 1)
    assert codes(alone.analyse(uri)) == []


def test_the_unit_of_a_configuration_is_linked(tmp_path: Path):
    (tmp_path / "corners.pica").write_text(GEOMETRY)
    (tmp_path / "lanewise.toml").write_text('[units]\nboard = ["a.v.pica", "corners.pica"]\n')
    uri = (tmp_path / "a.v.pica").as_uri()
    found = Documents(host().rules)
    found.put(uri, VERTEX, 1)
    view = found.analyse(uri)
    assert ("V112", "corners.pica") in codes(view)
    assert view is not None
    assert {Path(path).name for path in view.depends} == {"corners.pica"}
    (tmp_path / "corners.pica").unlink()
    (missing,) = (found.analyse(uri) or view).analysis.findings
    assert (missing.code, missing.span.line) == ("U002", 1)
    assert "which the configuration links with this file: No such file" in missing.message


def test_a_partner_outside_of_the_project_is_not_read(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "lanewise.toml").write_text("")
    (tmp_path / "secret.pica").write_text(GEOMETRY)
    try:
        (project / "a.g.pica").symlink_to(tmp_path / "secret.pica")
    except OSError:
        pytest.skip("this user may not make links")
    assert codes(viewed((project / "a.v.pica").as_uri(), VERTEX)) == []


def test_lines_of_a_compiled_source_have_their_words() -> None:
    text = Text(
        uri="file:///a.vert", name="a.vert", path="", text="void main() {\n    a = b; \r\n}\n", version=1, language_id=""
    )
    places = [(2, 0), (3, 1), (2, 2), (2, 3)]
    placed = tuple([Placed(Span(file="a.vert", line=line, column=0), address) for line, address in places])
    placed = (*placed, Placed(Span(file="b.glsl", line=1, column=0), 4))
    match = recognise("a.vert", b"#version 330\nvoid main() {}\n")
    assert match is not None
    view = View(text, match, Request("check", (), {}), Analysis(placed=placed), (), UTF16)
    wanted = lenses.kinds(view, {"address": False})
    shown = [(hint.position, hint.label, hint.tooltip) for hint in lenses.hints(view, wanted, 0, 99)]
    assert shown == [
        (t.Position(1, 10), "3 words", "words 0x000, 0x002 to 0x003"),
        (t.Position(2, 1), "1 word", "word 0x001"),
    ]
    assert [hint.label for hint in lenses.hints(view, wanted, 0, 26)] == ["3 words"]
    assert lenses.kinds(view, {"words": False}) == lenses.kinds(view, False) == []


def test_remarks_are_behind_a_line_with_a_misspelt_name():
    text = ".out o position\n.in position\n.proc main\n    movvv o, position\n    end;of it\n.end\n"
    view = viewed("file:///a.v.pica", text)
    assert view is not None
    found = lenses.hints(view, ["address"], 0, len(text))
    assert [(hint.position.line, hint.position.character) for hint in found] == [(3, 21), (4, 7)]
