"""A third language: one row makes every command know it, and nothing reads it as one of the others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import lanewise
from lanewise import packages
from lanewise.core.package import CERTAIN, NO
from lanewise.core.text.formatting import Line
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.package import PICA200, language_of
from lanewise.pica200.text import dialects
from lanewise.pica200.text.dialect import Dialect, Draft, Options
from lanewise.pica200.text.nihstro.dialect import NIHSTRO
from lanewise.pica200.text.picasso.dialect import PICASSO
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.isa.module import Module
    from lanewise.pica200.isa.program import Program

SOURCE = """! which picasso would read as a statement
.in value v0
.out pos position
.proc main
mov   pos,value   ! copied
 end
.end
"""
AS_PICASSO = SOURCE.replace("!", ";")


def _recognises(text: str) -> int:
    return CERTAIN if text.startswith("!") else NO


def _read(sources: Sequence[tuple[str, str]], options: Options) -> tuple[Module, list[Diagnostic]]:
    return PICASSO.read([(name, text.replace("!", ";")) for name, text in sources], options)


def _read_line(text: str) -> Line:
    assert PICASSO.read_line is not None
    line = PICASSO.read_line(text.replace("!", ";"))
    return line._replace(comment=line.comment.replace(";", "!"))


def _drafts(program: Program, stem: str) -> Iterator[Draft]:
    assert PICASSO.drafts is not None
    for draft in PICASSO.drafts(program, stem):
        sources = [(name.replace(".v.pica", ".t3"), text.replace(";", "!")) for name, text in draft.made.sources]
        yield draft._replace(made=draft.made._replace(sources=tuple(lanewise.Source(*source) for source in sources)))


STUB = Dialect(
    name="third",
    title="third",
    suffixes=(".t3",),
    comment="!",
    recognises=_recognises,
    read=_read,
    layout=PICASSO.layout,
    mnemonics=PICASSO.mnemonics,
    instructions=PICASSO.instructions,
    takes={"no-nop": "--no-nop"},
    instead={"entry": ".entry"},
    fixes=lambda: {"V083": "write it, in the third language"},
)
WHOLE = STUB._replace(
    read_line=_read_line,
    modes=(Options(), Options(padding=False)),
    adapt=PICASSO.adapt,
    drafts=_drafts,
    set_field=PICASSO.set_field,
)
UNWRITTEN = SOURCE.replace("mov   pos,value", "mov   pos.xyz,value")


@pytest.fixture(autouse=True)
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.t3").write_text(SOURCE)
    (tmp_path / "unwritten.t3").write_text(UNWRITTEN)
    (tmp_path / "a.v.pica").write_text(AS_PICASSO)
    (tmp_path / "a.vsh").write_text("// nihstro\n.alias pos o0 as position\nmain:\n    mov pos, v0\n    end\n")
    return tmp_path


def know(monkeypatch: pytest.MonkeyPatch, row: Dialect) -> None:
    rows = (PICASSO, NIHSTRO, row)
    pica200 = PICA200._replace(languages=tuple(map(language_of, rows)))
    monkeypatch.setattr(dialects, "DIALECTS", rows)
    monkeypatch.setattr(packages, "PACKAGES", tuple(pica200 if p is PICA200 else p for p in packages.PACKAGES))


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    know(monkeypatch, STUB)


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    know(monkeypatch, WHOLE)


def expected() -> bytes:
    data = assemble_sources([("a.t3", AS_PICASSO)], dialect="picasso").data
    assert data is not None
    return data


def test_without_its_row_the_text_is_not_picasso():
    assert assemble_sources([("a.t3", SOURCE)], dialect="picasso").data is None
    with pytest.raises(ValueError, match="unknown dialect 'third': use picasso, nihstro"):
        assemble_sources([("a.t3", SOURCE)], dialect="third")


@pytest.mark.usefixtures("stub")
def test_asm_reads_it():
    assert cli.main(["asm", "a.t3"]) == 0
    assert Path("a.shbin").read_bytes() == expected()
    assert lanewise.assemble(SOURCE, dialect="third").to_bytes() == expected()


@pytest.mark.usefixtures("stub")
def test_of_two_languages_that_are_certain_neither_is_chosen(capsys: pytest.CaptureFixture[str]):
    Path("noname").write_text(SOURCE)
    assert cli.main(["asm", "noname", "-o", "b.shbin"]) == 2
    assert "unknown language of noname" in capsys.readouterr().err
    assert cli.main(["asm", "noname", "--dialect", "third", "-o", "b.shbin"]) == 0
    assert Path("b.shbin").read_bytes() == expected()


@pytest.mark.usefixtures("stub")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["asm", "a.t3", "-e", "main"], "-e is for nihstro sources: in third sources write .entry"),
        (["asm", "a.t3", "--header", "x.h"], "--header is for picasso sources"),
        (["check", "a.t3", "--entry", "main"], "-e is for nihstro sources and --words: in third sources write .entry"),
        (["fmt", "a.t3"], "`lanewise fmt` does not format third"),
        (["convert", "a.v.pica", "--to", "third"], "--to third: use "),
    ],
)
def test_what_it_does_not_have_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    try:
        code: object = cli.main(arguments)
    except SystemExit as stopped:
        code = stopped.code
    assert code == 2
    assert said in capsys.readouterr().err
    assert Path("a.t3").read_text() == SOURCE


@pytest.mark.usefixtures("stub")
def test_sources_of_two_languages_are_not_linked(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["asm", "a.t3", "a.v.pica"]) == 1
    assert "P066" in capsys.readouterr().err


@pytest.mark.usefixtures("stub")
def test_check_reads_it_and_speaks_its_words(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["check", "a.t3"]) == 0
    cli.main(["check", "unwritten.t3"])
    text = capsys.readouterr().out
    assert "V083" in text
    assert "write it, in the third language" in text
    (finding,) = [found for found in lanewise.load("unwritten.t3").check() if found.code == "V083"]
    assert finding.fix == "write it, in the third language"


@pytest.mark.usefixtures("whole")
def test_fmt_keeps_its_comments():
    assert cli.main(["fmt", "a.t3"]) == 0
    text = Path("a.t3").read_text()
    assert "    mov pos, value ! copied\n    end\n" in text
    assert ";" not in text
    assert lanewise.format_source("b", SOURCE, "third") == text


@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("source", ["a.v.pica", "a.vsh", "a.t3"])
def test_convert_writes_it(source: str):
    assert cli.main(["convert", source, "--to", "third", "-o", "b.t3"]) == 0
    text = Path("b.t3").read_text()
    assert text.startswith("! ")
    assert cli.main(["asm", "b.t3"]) == 0
    assert cli.main(["asm", source, "-o", "source.shbin"]) == 0
    words = [lanewise.load(file).words for file in ("b.shbin", "source.shbin")]
    assert words[0] == words[1]


@pytest.mark.usefixtures("whole")
def test_it_is_converted_to_the_others():
    for to, name in (("picasso", "b.v.pica"), ("nihstro", "b.vsh")):
        assert cli.main(["convert", "a.t3", "--to", to, "-o", name]) == 0
        assert cli.main(["asm", name, "-o", f"{to}.shbin"]) == 0
        assert lanewise.load(f"{to}.shbin").words == lanewise.load("a.t3").words


@pytest.mark.usefixtures("whole")
def test_a_lossless_language_gives_the_bytes_of_a_file_back():
    assert cli.main(["asm", "a.vsh", "-o", "n.shbin", "--layout", "nihstro"]) == 0
    data = Path("n.shbin").read_bytes()
    assert cli.main(["dis", "n.shbin", "--dialect", "third", "-o", "n.t3"]) == 0
    assert ".shbin" in Path("n.t3").read_text()
    assert cli.main(["asm", "n.t3", "-o", "again.shbin"]) == 0
    assert Path("again.shbin").read_bytes() == data
