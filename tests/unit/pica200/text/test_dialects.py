"""The rows of the languages: names and suffixes tell them apart, and no code outside of them decides by a name."""

from __future__ import annotations

from pathlib import Path

import pytest

import lanewise
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.source import Span
from lanewise.pica200 import package
from lanewise.pica200.text import dialects
from lanewise.pica200.text.nihstro.dialect import NIHSTRO
from lanewise.pica200.text.picasso.dialect import PICASSO
from sources import facts

ROOT = Path(lanewise.__file__).parent
# Where the words are names of something else: layouts of the container and their choices of `--layout`, lexers of Pygments,
# and the languages that `lanewise compile` writes.
OTHERS = {
    "__main__.py",
    "api/compilation.py",  # what users call a target
    "compile/services/manuals.py",
    "highlighting.py",
    "pica200/container/layout.py",
    "pica200/options.py",
    "pica200/package.py",  # what users call the instruction set
}


def test_names_and_suffixes_are_those_of_one_language():
    rows = dialects.dialects()
    assert len({row.name for row in rows}) == len(rows)
    suffixes = dialects.source_suffixes()
    assert len({*suffixes}) == len(suffixes)
    for row in rows:
        assert dialects.dialect_named(row.name) is row
        for suffix in row.suffixes:
            assert dialects.dialect_of(f"A{suffix.upper()}") is row


def test_an_option_has_one_meaning():
    for row in dialects.dialects():
        assert not row.takes.keys() & row.instead.keys()
        assert row.instead.keys() <= {key for other in dialects.dialects() for key in other.takes}


@pytest.mark.parametrize(
    ("names", "dialect", "expected"),
    [
        (["a.pica", "b.g.pica"], "", (PICASSO,)),
        (["a.vsh", "b.vsh", "c.gsh"], "", (NIHSTRO,)),
        (["a.vsh", "b.pica", "c"], "", (NIHSTRO, PICASSO)),
        (["a.vsh", "c"], "", (NIHSTRO,)),
        (["a.vsh"], "picasso", (PICASSO,)),
        (["a", "<stdin>"], "", (PICASSO,)),
        ([], "", (PICASSO,)),
    ],
)
def test_the_languages_of_sources(names: list[str], dialect: str, expected: tuple[object, ...]):
    assert dialects.dialects_of(names, dialect) == expected


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="unknown dialect 'glsl': use picasso, nihstro"):
        dialects.dialects_of(["a.pica"], "glsl")


def test_the_package_offers_every_row():
    assert [(row.name, row.suffixes) for row in package.PICA200.languages] == [
        (row.name, row.suffixes) for row in dialects.dialects()
    ]


def test_fixes_are_phrased_where_a_language_has_its_own_words():
    findings = [
        Diagnostic(code=code, severity=ERROR, message="", span=Span(file="x"), notes=(), fix="theirs")
        for code in ("V043", "V999")
    ]
    assert PICASSO.phrased(findings) == findings
    assert [finding.fix for finding in NIHSTRO.phrased(findings)] == ["write a label `main:` and instructions", "theirs"]


def test_no_code_outside_of_the_rows_decides_by_a_name():
    names = {row.name for row in dialects.dialects()}
    quoted = [f'"{name}"' for name in names]  # only a file that has one in quotes, as the formatter writes them, is parsed
    found = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if not path.is_relative_to(ROOT / "pica200" / "text")
        if any(name in path.read_text(encoding="utf-8") for name in quoted)
        if not names.isdisjoint(facts(path).strings) or not {name.encode() for name in names}.isdisjoint(facts(path).bytes)
    }
    assert found == OTHERS
