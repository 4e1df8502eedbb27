"""Colours of sources: the Pygments lexers, and the files that editors read, are made from the tables.

The golden files in editors/vscode/test/golden have the pieces of each line. The tests of the extension compare what its
TextMate grammars give with the same files.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from pygments.token import Error

from corpus import REPOSITORY
from lanewise.core.lexicon import KINDS
from lanewise.direct3d9.text.preprocess import DIRECTIVES as PREPROCESSOR
from lanewise.direct3d9.text.preprocess import Preprocessor
from lanewise.highlighting import LEXERS
from lanewise.packages import packages
from lanewise.shadercore.text.lexicon import DIRECTIVES
from lanewise.shadercore.text.reader import line_result
from lanewise.tools import grammars
from together import together

if TYPE_CHECKING:
    from pathlib import Path

EXTENSION = REPOSITORY / "editors" / "vscode"
GOLDEN = EXTENSION / "test" / "golden"
SOURCES = [
    *sorted((EXTENSION / "test" / "sources").iterdir()),
    *[
        REPOSITORY / "examples" / name
        for name in (
            "toon.v.pica",
            "particles.g.pica",
            "lanterns.vsh",
            "transform.sc",
            "direct3d9/fog.vsa",
            "direct3d9/spot.vsa",
        )
    ],
]
LANGUAGES = {language.name: language for package in packages() for language in package.languages}
_KIND = {token: kind for kind, (_, token) in KINDS.items()}
_EVERY = [
    path
    for folder in ("examples", "tests/golden", "editors/vscode/test/sources")
    for path in sorted((REPOSITORY / folder).rglob("*"))
    if path.name.endswith((".pica", ".vsh", ".gsh", ".sc", ".vsa", ".psa", ".inc"))
]


def lexer_of(path: Path) -> Any:
    return next(lexer for lexer in LEXERS if path.name.endswith(tuple(name[1:] for name in lexer.filenames)))()


def pieces(path: Path) -> list[list[tuple[str, str]]]:
    """The kind and the text of the pieces of each line; neighbours of one kind are one piece, and blanks are left out."""
    lines: list[list[tuple[str, str]]] = [[]]
    for _, token, text in lexer_of(path).get_tokens_unprocessed(path.read_text()):
        kind = _KIND[str(token).removeprefix("Token.")]
        for number, part in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if part:
                line = lines[-1]
                before = line.pop()[1] if line and line[-1][0] == kind else ""
                line.append((kind, before + part))
    return [[(kind, text.strip()) for kind, text in line if kind != "text"] for line in lines]


def golden(path: Path) -> str:
    """The pieces as the golden file has them: one line for each."""
    return "".join(f"{number}\t{kind}\t{text}\n" for number, line in enumerate(pieces(path), 1) for kind, text in line)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_pieces_of_sources(path: Path, bless: bool):
    expected = GOLDEN / f"{path.name}.txt"
    if bless:
        expected.write_text(golden(path))
    assert golden(path) == expected.read_text()


def test_golden_files_show_every_kind():
    shown = {line.split("\t")[1] for path in GOLDEN.iterdir() for line in path.read_text().splitlines()}
    assert shown == set(KINDS) - {"text"}


@together("path", _EVERY, ids=lambda path: path.name)
def test_every_character_is_in_a_rule(path: Path):
    name = path.name.replace(".inc", ".vsh")
    text = path.read_text()
    found = list(lexer_of(path.with_name(name)).get_tokens_unprocessed(text))
    assert "".join(part for _, _, part in found) == text
    assert Error not in {token for _, token, _ in found}


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_mnemonic_is_coloured(name: str):
    lexer: Any = next(lexer for lexer in LEXERS if set(LANGUAGES[name].suffixes) <= {n[1:] for n in lexer.filenames})()
    for mnemonic in LANGUAGES[name].mnemonics():
        kinds = [
            _KIND[str(token).removeprefix("Token.")]
            for _, token, text in lexer.get_tokens_unprocessed(f"    {mnemonic} r0")
            if text.strip()
        ]
        assert (mnemonic, kinds[-1]) == (mnemonic, "register")
        assert (mnemonic, kinds[0]) in [(mnemonic, kind) for kind in ("instruction", "flow", "directive")]


def test_directives_are_those_of_the_readers():
    assert [name for name in DIRECTIVES if "P202" in line_result(f"{name} x")[1]] == []
    assert "P202" in line_result(".inputs x")[1]
    for name in PREPROCESSOR:
        preprocessor = Preprocessor()
        preprocessor.source(f"#{name}\n", "")
        assert not any("unknown directive" in finding.message for finding in preprocessor.found)


def test_generated_files_are_current():
    files = grammars.files()
    assert {path: (EXTENSION / path).read_text() for path in files} == files
    assert {
        str(path.relative_to(EXTENSION)) for folder in ("syntaxes", "languages") for path in (EXTENSION / folder).iterdir()
    } == set(files)


def test_the_command_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert grammars.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("\n") == len(grammars.files())
    for path, text in grammars.files().items():
        assert (tmp_path / path).read_text() == text
    assert grammars.main(["--help"]) == 2


def test_the_extension_declares_the_languages_and_the_launch_configuration():
    text = (EXTENSION / "package.json").read_text()
    assert grammars.manifest(text) == text
    contributes: dict[str, Any] = json.loads(text)["contributes"]
    assert {row["id"]: tuple(row["extensions"]) for row in contributes["languages"]} == {
        **{name: language.suffixes for name, language in LANGUAGES.items()},
        **grammars.COMPILED,
    }
    assert "program" in contributes["debuggers"][0]["configurationAttributes"]["launch"]["properties"]
    assert '"$ref"' not in text
    assert contributes["debuggers"][0]["languages"] == [*LANGUAGES, *grammars.COMPILED]


def test_the_extension_has_a_setting_for_each_kind_of_inlay_hint():
    settings: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text())["contributes"]["configuration"][
        "properties"
    ]
    kinds = {kind for language in LANGUAGES.values() if language.editor is not None for kind in language.editor().inlays}
    assert kinds <= {name.removeprefix("lanewise.inlayHints.") for name in settings}


@together(
    ("name", "before", "line", "after"),
    [
        ("picasso", 0, ".proc main", 1),
        ("picasso", 0, "    ifc x, or, y", 1),
        ("picasso", -1, "    .else", 1),
        ("picasso", -1, ".end", 0),
        ("picasso", 0, "    end", 0),
        ("picasso", 0, ".constfa table[]", 1),
        ("picasso", 0, ".constfa (1, 2, 3, 4)", 0),
        ("nihstro", 0, "  if b0", 1),
        ("nihstro", -1, "else", 1),
        ("nihstro", -1, " endloop", 0),
        ("nihstro", 0, "call a until b if b0", 0),
        ("direct3d9", 0, "IF_GT r0.x, r1.x", 1),
        ("direct3d9", -1, "endrep", 0),
        ("direct3d9", -1, "else", 1),
        ("direct3d9", 0, "(p0.x) if b0", 1),
    ],
)
def test_indentation(name: str, before: int, line: str, after: int):
    language = LANGUAGES[name]
    assert language.lexicon is not None
    lexicon = language.lexicon()
    assert bool(re.search(lexicon.closes, line, re.IGNORECASE)) == bool(before)
    assert bool(re.search(lexicon.opens, line, re.IGNORECASE)) == bool(after)


def test_pygments_finds_the_language_of_a_text():
    for name in ("toon.v.pica", "direct3d9/fog.vsa", "transform.sc"):
        path = REPOSITORY / "examples" / name
        lexer = lexer_of(path)
        assert lexer.analyse_text(path.read_text()) == 1
        assert not [other for other in LEXERS if other is not type(lexer) and other.analyse_text(path.read_text()) == 1]
    assert not any(lexer.analyse_text("int main(void) { return 0; }") for lexer in LEXERS)
