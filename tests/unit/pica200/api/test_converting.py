"""Converting a program that has an instruction which the other language lacks: a finding with its place, and the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanewise.core.diagnostics import WARNING
from lanewise.pica200.api import converting
from lanewise.pica200.api.assembling import Assembly, assemble_sources
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.sem.normal import normal
from lanewise.pica200.text import dialects
from lanewise.pica200.text.nihstro import printer as nihstro
from lanewise.pica200.text.picasso import printer as picasso
from lanewise.tools import cli

PICASSO = """.out pos position
.proc main
	mov pos, v0
	dph r0.xy, v0, r1.wzyx
	mul r1, r0, r0
	end
.end
"""
NIHSTRO = """.alias pos o0 as position
main:
    mov pos, v0
    dph r0.xy, v0.xyz, r1.wzyx
    mul r1, r0, r0
    end
"""


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither language knows dph."""
    known = ("mov", "mul", "end")
    rows = tuple([row._replace(instructions=lambda: known) for row in dialects.DIALECTS])
    monkeypatch.setattr(dialects, "DIALECTS", rows)
    monkeypatch.setattr(nihstro, "SAYS", known)
    monkeypatch.setattr(picasso, "MNEMONICS", known)


def assembled(name: str, text: str) -> Assembly:
    made = assemble_sources([(name, text)])
    assert made.data is not None
    return made


@pytest.mark.usefixtures("lacking")
@pytest.mark.parametrize(("name", "text", "to"), [("a.v.pica", PICASSO, "nihstro"), ("a.vsh", NIHSTRO, "picasso")])
def test_the_place_of_a_missing_instruction_is_told(name: str, text: str, to: str):
    made = assembled(name, text)
    result = converting.convert_assembly(made, to, "a")
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("P073", WARNING)
    assert (finding.span.file, finding.span.line) == (name, 4)
    assert f"{to} has no instruction dph" in finding.message
    assert "dph" in finding.fix
    (source,) = result.sources
    assert not result.plain
    assert f".word {made.encoded.words[1]:#010x}" in source.text
    again = assemble_sources([(source.name, source.text)])
    assert again.data is not None
    before, after = (list(map(normal, lift(*assembly.encoded))) for assembly in (made, again))
    assert after == before
    assert after[1].op.name == "dph"


@pytest.mark.usefixtures("lacking")
@pytest.mark.parametrize("to", ["nihstro", "picasso"])
def test_of_a_file_the_place_is_an_offset(to: str):
    data = assembled("a.v.pica", PICASSO).data
    assert data is not None
    shbin, _ = read_shbin(data, "a.shbin")
    assert shbin is not None
    (finding,) = converting.convert_file(shbin, to, "a", data).findings
    word = data[finding.span.offset : finding.span.offset + 4]
    assert int.from_bytes(word, "little") == shbin.words[1]


def test_nothing_is_missing_in_either_language():
    assert converting.convert_assembly(assembled("a.v.pica", PICASSO), "nihstro", "a").findings == ()
    assert converting.convert_assembly(assembled("a.vsh", NIHSTRO), "picasso", "a").findings == ()


@pytest.mark.usefixtures("lacking")
def test_the_command_prints_the_finding_and_writes_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "a.v.pica"
    source.write_text(PICASSO)
    assert cli.main(["convert", str(source), "--to", "nihstro"]) == 0
    captured = capsys.readouterr()
    assert "warning[P073]" in captured.err
    assert "a.v.pica:4:" in captured.err
    assert ".word" in captured.out


ENTRY = """.out pos position
.entry ENTRY
.proc OTHER
	mov r0, v0
.end
.proc ENTRY
	call OTHER
	mov pos, r0
	end
.end
"""
TO_NIHSTRO = "assemble with nihstro-assemble or lanewise"


def to_nihstro(text: str, name: str = "a.v.pica") -> tuple[str, list[tuple[str, int]]]:
    result = converting.convert_assembly(assembled(name, text), "nihstro", "a")
    return result.sources[0].text, [(finding.code, finding.span.line) for finding in result.findings]


def test_the_entry_is_called_main_where_nihstro_begins():
    """nihstro-assemble refuses a source without a label `main`, and .entry."""
    text, _ = to_nihstro(".out pos position\n.entry vmain\n.proc vmain\n\tmov pos, v0\n\tend\n.end\n")
    assert "main:\nvmain:\n" in text
    assert ".entry" not in text
    assert text.startswith(f"// {TO_NIHSTRO}: ")


def test_another_procedure_called_main_gets_another_name():
    text, _ = to_nihstro(ENTRY.replace("ENTRY", "begin").replace("OTHER", "main"))
    assert "main_:\n    mov r0, v0\n" in text
    assert "main:\nbegin:\n    call main_ until main__end\n" in text
    assert ".entry" not in text


def test_a_uniform_called_main_keeps_its_name():
    text, _ = to_nihstro(
        ".fvec main\n" + ENTRY.replace("ENTRY", "begin").replace("OTHER", "helper").replace("r0, v0", "r0, main")
    )
    assert ".entry begin" in text
    assert not text.startswith(f"// {TO_NIHSTRO}: ")


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (
            "a.v.pica",
            ENTRY.replace("ENTRY", "main").replace("OTHER", "helper"),
            8,
        ),  # the entry of nihstro is the offset of a name
        ("a.v.pica", ".out pos position\n.proc main\n\tmova a0.xy, v0\n\tmov pos, c0[a0.x]\n\tend\n.end\n", 6),
        (
            "a.g.pica",
            ".gsh\n.out pos position\n.proc main\n\tsetemit 0\n\tjmpc cmp.x, on\n\tmov pos, v0\non:\n\tend\n.end\n",
            9,
        ),
    ],
)
def test_a_source_of_which_nihstro_makes_another_program_says_so(name: str, text: str, line: int):
    made, findings = to_nihstro(text, name)
    assert findings == [("P071", line)]
    assert made.startswith("// assemble with lanewise, as nihstro-assemble writes another program: ")


@pytest.mark.parametrize("line", ["dph r0, v0, r1", "dst r0, v0, c1", "mova a0.x, v0", "jmpu !b0, on"])
def test_a_source_that_nihstro_refuses_is_not_plain(line: str):
    made = assembled("a.v.pica", f".out pos position\n.proc main\n\t{line}\non:\n\tmov pos, v0\n\tend\n.end\n")
    result = converting.convert_assembly(made, "nihstro", "a")
    assert not result.plain
    assert nihstro.OURS in result.sources[0].text


def test_warnings_of_the_source_are_among_the_findings():
    """With --picasso-compat the source may mean something else than it says."""
    made = assemble_sources([("a.v.pica", PICASSO.replace("mov pos, v0", "mov v0, r0"))], compatible=True)
    result = converting.convert_assembly(made, "nihstro", "a")
    assert [(finding.code, finding.severity) for finding in result.findings] == [("V011", WARNING)]
