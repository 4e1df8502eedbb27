"""Formatting: the same program, the same comments and blank lines, and nothing more to do the second time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus import CONFORMANCE, REPOSITORY, needs_shared
from effort import examples, sample
from lanewise.api.loading import format_source
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.text.nihstro.lexer import comment_of
from property.test_nihstro_text import TOKENS as NIHSTRO
from property.test_text import TOKENS as PICASSO
from together import together

SUFFIXES = (".pica", ".vsh", ".gsh")
WRITTEN = sorted(
    path
    for folder in (CONFORMANCE, REPOSITORY / "examples", REPOSITORY / "tests" / "golden")
    for path in folder.rglob("*")
    if path.suffix in SUFFIXES
)
# Of those that are generated, and of those that no assembler takes, a part.
GENERATED = [path for path in WRITTEN if path.parent.name == "gen"]
BAD = [path for path in WRITTEN if path.parent.name == "bad"]
SOURCES = [*sorted({*WRITTEN} - {*GENERATED} - {*BAD}), *sample(GENERATED, 30), *sample(BAD, 100)]


def comments(text: str, dialect: str) -> list[str]:
    """What each line says behind its code; a position marker is no comment."""
    found: list[str] = []
    for line in text.split("\n"):
        at = comment_of(line) if dialect == "nihstro" else line.find(";") % (len(line) + 1)
        found.append(line[at:].strip())
    return found


def check(name: str, text: str, dialect: str, folder: Path | None = None, indent: str = "4") -> None:
    def read(path: str) -> str:
        if folder is None:
            raise FileNotFoundError(2, "No such file")
        return (folder / path).read_bytes().decode("latin-1")

    made = format_source(name, text, dialect, read, indent)  # compares the bytes itself, and raises
    assert format_source(name, made, dialect, read, indent) == made
    if "\0" in text:
        assert made == text
        return
    after = made.replace("\r", "").rstrip("\n").split("\n")
    stripped = text.replace("\r", "").split("\n")
    while len(stripped) > 1 and not stripped[-1].strip():
        stripped.pop()
    assert len(after) == len(stripped)
    assert [not line.strip() for line in after] == [not line.strip() for line in stripped]
    assert comments("\n".join(after), dialect) == comments("\n".join(stripped), dialect)


@needs_shared
@pytest.mark.one_of(3)
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_the_corpus(path: Path):
    check(path.name, path.read_bytes().decode("latin-1"), "nihstro" if path.suffix in SUFFIXES[1:] else "picasso", path.parent)


@needs_shared
@pytest.mark.parametrize("path", sample(SOURCES, 12), ids=lambda path: path.stem)
def test_the_corpus_with_tabs(path: Path):
    text = path.read_bytes().decode("latin-1")
    check(path.name, text, "nihstro" if path.suffix in SUFFIXES[1:] else "picasso", path.parent, "tab")


@together("path", [path for path in SOURCES if "examples" in path.parts], ids=lambda path: path.name)
def test_examples_are_formatted(path: Path):
    text = path.read_text()
    assert format_source(path.name, text) == text


@pytest.mark.parametrize("dialect", ["picasso", "nihstro"])
@examples(48, 800)
@given(text=st.text(max_size=200))
@example(text="\r\n\r\n ; a \r\n")
@example(text='main : mov r0 ,r1 ;c\n# 3 "x" ; no comment\n')
@example(text='mova\t: ; c\n.symbol "a\tb" ; d\n')
@example(text="\t; a\n\t\t\t\t; b\nmov r0,\t r1\t\t; c\n\t\t\t; d\n")
@example(text=".setb // d ,\n.proc a , b\n.alias a , r0\n")
@example(text="\x0b\x0c mov r0,\xa0r1\x85 ; \u2028 x\n")
@example(text="mov r0. x, r1 .y // a\n\t.alias k c0 as(1e -3,- 2 ,+3,.5)#b\n")
@example(text=".fvec [\n.ENTRY [\n.alias : , c0\n. fvec ]\n")
@example(text="\u200b")
@example(text=".out o position\n.proc main\nmov o, v0;mov r0, v0\nend\n.end\n")
def test_any_text(dialect: str, text: str):
    check("x", text, dialect)
    check("x", text, dialect, indent="tab")


@pytest.mark.parametrize(("dialect", "tokens"), [("picasso", PICASSO), ("nihstro", NIHSTRO)])
@examples(30, 1200)
@given(data=st.data())
def test_any_tokens(dialect: str, tokens: list[str], data: st.DataObject):
    blanks = st.sampled_from(["", " ", "  ", "\t", "\t\t\t", " ; c", " // d "])
    indent = data.draw(st.sampled_from(["4", "tab"]))
    words = st.lists(st.tuples(st.sampled_from(tokens), blanks).map("".join), max_size=7).map("".join)
    lines: list[str] = data.draw(st.lists(words, max_size=14))
    start = ".proc main\n" if dialect == "picasso" else "main:\n"
    check("x", start + "\n".join(lines), dialect, indent=indent)


@pytest.mark.parametrize("indent", ["4", "tab"])
@pytest.mark.parametrize(
    ("name", "head", "statement"),
    [
        ("a.v.pica", ".in p\n.out o position\n.proc main\n", "mov o , p;MOV r0, p"),
        ("a.v.pica", ".in p\n.out o position\n.proc main\n", "l: mov o,  p; mov r0, -p.x ; note"),
        ("a.vsh", ".alias p v0\n.alias o o0 as position\nmain:\n", "mov o , p; mov r0, p"),
    ],
)
def test_a_statement_in_a_comment_is_reported_after_formatting_too(name: str, head: str, statement: str, indent: str):
    """V116 depends on the blank before the comment, so none is put there."""
    end = ".end\n" if name.endswith("pica") else ""
    text = f"{head}{statement}\nmov r1, p ;   a comment\n  mov r2, p; mov it, too\nend\n{end}"
    formatted = format_source(name, text, "", None, indent)
    codes = [[each.code for each in assemble_sources([(name, each)]).diagnostics] for each in (text, formatted)]
    assert codes[0] == codes[1]
    assert ("V116" in codes[0]) == ("MOV" not in statement)
    assert format_source(name, formatted, "", None, indent) == formatted
    assert formatted != text
