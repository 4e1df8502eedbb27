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
