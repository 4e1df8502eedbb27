"""`lanewise opt`: its report, its files, sources with names and comments kept, and what is refused."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
from corpus import REPOSITORY
from documents import checked
from lanewise.lsp.documents import Documents, Rules
from lanewise.lsp.optimising import smaller
from lanewise.pica200.api.checking import Reading, check_sources
from lanewise.pica200.api.file import ShaderFile
from lanewise.pica200.api.services.optimise import least_words
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

EXAMPLES = REPOSITORY / "examples"
PICASSO = """; a light
.fvec projection[4], glow
.constf myconst(0.0, 1.0, -1.0, 0.5)
.alias  ones    myconst.yyyy ; (1,1,1,1)
.out outpos position
.out outclr color
.in inpos
.alias inclr v1

.proc main
	; the position
	mov r0.xyz, inpos     ; x, y and z
	mov r0.w,   ones
	dp4 outpos.x, projection[0], r0
	dp4 outpos.y, projection[1], r0
	dp4 outpos.z, projection[2], r0
	dp4 outpos.w, projection[3], r0
	mul r1, glow, inclr   ; the colour
	mov outclr, r1
	end
.end
"""
SMALLER = """; a light
.fvec projection[4], glow
.constf myconst(0.0, 1.0, -1.0, 0.5)
.alias  ones    myconst.yyyy ; (1,1,1,1)
.out outpos position
.out outclr color
.in inpos
.alias inclr v1

.proc main
	; the position
	; x, y and z
	dph outpos.x, inpos, projection[0]
	dph outpos.y, inpos, projection[1]
	dph outpos.z, inpos, projection[2]
	dph outpos.w, inpos, projection[3]
	mul outclr, glow, inclr   ; the colour
	end
.end
"""
NIHSTRO = """// a light
.alias outpos o0 as position
.alias outclr o1 as color
.alias glow c4
.alias light c0-c3

main:
	mul r1, glow, v1   // the colour
	mov outclr, r1
	dp4 outpos.x, light[0], v0
	dp4 outpos.y, light[1], v0
	dp4 outpos.z, light[2], v0
	dp4 outpos.w, light[3], v0
	nop
	end
endmain:
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "light.v.pica").write_text(PICASSO)
    (tmp_path / "light.vsh").write_text(NIHSTRO)

    def opt(*argv: str) -> tuple[int, str, str]:
        code = cli.main(["opt", *argv])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return opt


def test_report(run: Run, tmp_path: Path):
    code, out, err = run("light.v.pica", "--report")
    assert code == 0
    assert "light.v.pica:19: r1 is only moved to outclr" in out
    assert "light.v.pica: 9 words before, 8 after (1 fewer)" in out
    assert "nothing is written" in err
    code, out, _ = run("light.v.pica", "--constants-known", "--report", "-o", "light.shbin")
    assert code == 0
    assert "9 words before, 6 after (3 fewer)" in out
    assert "rests on subnormal_mov (inferred)" in out
    code, out, err = run("light.v.pica", "--source", "-o", "-", "--report")
    assert (code, "outclr" in out, "before" in out, "9 words before, 8 after" in err) == (0, True, False, True)
    small = lw.load(tmp_path / "light.shbin")
    assert len(small.words) == 6
    before, after = lw.load(tmp_path / "light.v.pica").vertex, small.vertex
    inputs = {"v0": [1, 2, 3, 4], "v1": [5, 6, 7, 8]}
    uniforms = {"projection": [[1, 2, 3, 4]] * 4, "glow": [1, 2, 3, 4]}
    first, second = before.run(inputs, uniforms), after.run(inputs, uniforms)
    assert first.bits["position"].tolist() == second.bits["position"].tolist()
    assert first.bits["color"].tolist() == second.bits["color"].tolist()
    lines = run("light.shbin", "--constants-known")[1].splitlines()
    assert lines[0].endswith("6 words before, 6 after (none fewer); operand descriptors: 5 before, 5 after")
    assert lines[1] == "found nothing to try of 16 kinds, which --report lists"
    listed = run("light.shbin", "--constants-known", "--report")[1].splitlines()[1]
    assert listed.startswith("found nothing to try: unreachable words, ")
    assert lines[2:] == ["no program with these outputs has fewer than 3 words"]


def test_what_the_values_of_constants_would_save_is_said(run: Run, tmp_path: Path):
    """As many words as the run with the option saves more, and the hints name the option."""
    assert run("light.v.pica")[1].splitlines()[1:] == [
        "2 more with --constants-known: if the application does not overwrite the constants of the file"
    ]
    data = json.loads(run("light.v.pica", "--format", "json")[1])
    assert (data["words"], data["constants_known_saves"], data["least"]) == ({"before": 9, "after": 8}, 2, 3)
    assert "constants-known" not in run("light.v.pica", "--constants-known")[1]
    report = check_sources([("light.v.pica", (tmp_path / "light.v.pica").read_text())], Reading(hints=True))
    hints = [finding for finding in report.findings if finding.code.startswith("H")]
    named = [any("--constants-known" in note for note in finding.notes) for finding in hints]
    saved = [sum(int(note.split()[1]) for note in finding.notes if note.startswith("saves ")) for finding in hints]
    assert sum(n for n, known in zip(saved, named, strict=True) if not known) == 1
    assert sum(saved) == 3


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.v.pica")), ids=lambda path: path.name)
def test_no_program_has_fewer_words_than_the_bound(path: Path):
    file = lw.load(path)
    assert isinstance(file, ShaderFile)
    small = file.optimise(constants_known=True)
    assert 1 <= least_words(file) <= len(small.file.words)


def test_several_programs_are_linked_and_said_to_be(run: Run, tmp_path: Path):
    (tmp_path / "other.v.pica").write_text(PICASSO)
    code, _, err = run("light.v.pica", "other.v.pica")
    assert (code, "P043" in err, "--each takes each by itself" in err) == (1, True, True)


def test_json(run: Run):
    code, out, _ = run("light.v.pica", "--format", "json", "--constants-known")
    document = checked(out)
    assert code == 0
    assert document["words"] == {"before": 9, "after": 6}
    assert [step["move"] for step in document["steps"]] == ["one", "copy", "result", "constants"]
    assert document["constants"] == {"before": 1, "after": 0}
    assert document["steps"][0]["code"] == "H008"
    assert document["steps"][0]["places"][0]["line"] == 13


def test_names_comments_and_layout_stay(run: Run, tmp_path: Path):
    assert run("light.v.pica", "--source", "--constants-known", "-o", "small.v.pica")[0] == 0
    assert (tmp_path / "small.v.pica").read_text() == SMALLER
    assert run("light.v.pica", "--source", "--constants-known", "-o", "-")[1] == SMALLER
    code, out, _ = run("light.vsh", "--source")
    assert code == 0
    assert "\tmul outclr, glow, v1   // the colour\n\tdp4 outpos.x, light[0], v0\n" in out
    assert "mov outclr" not in out
    assert "nop" not in out


def test_a_binary_becomes_its_disassembly(run: Run, tmp_path: Path):
    assert cli.main(["asm", "light.v.pica"]) == 0
    code, out, _ = run("light.shbin", "--source", "--constants-known")
    assert code == 0
    assert "dph" in out
    (tmp_path / "again.v.pica").write_text(out)
    assert len(lw.load(tmp_path / "again.v.pica").words) == 6


def test_blocks_go_with_their_marks(run: Run, tmp_path: Path):
    text = (
        PICASSO.replace("\tend\n", "\tifu b0\n\t\tmov r4, inpos\n\t.else\n\t\tmov r5, inpos\n\t.end ; done\n\tend\n")
        .replace(".end\n", ".end\n.proc unused\n\tmov r1, inpos\n.end\n")
        .replace(".end ; done", ".end")
    )
    (tmp_path / "light.v.pica").write_text(text[: text.rindex(".proc unused")] + ".proc unused\n\tmov r1, inpos\n.end\n")
    code, out, err = run("light.v.pica", "--source", "--constants-known")
    assert code == 0
    assert "ifu" not in out
    assert ".else" not in out
    assert "unused" not in out
    assert "anew" not in err


def test_several_sources(run: Run, tmp_path: Path):
    (tmp_path / "lib.pica").write_text(".nodvle\n.proc twice\n\tadd r2, r1, r1\n\tmov r1, r2\n.end\n")
    (tmp_path / "light.v.pica").write_text(PICASSO.replace("\tmov outclr, r1\n", "\tcall twice\n\tmov outclr, r1\n"))
    code, out, _ = run("light.v.pica", "lib.pica", "--source", "-o", "out/")
    assert code == 0
    assert "fewer" in out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"light.v.pica", "lib.pica"}
    assert "mov r1, r2" not in (tmp_path / "out" / "lib.pica").read_text()
    assert run("light.v.pica", "lib.pica", "--source")[0] == 2


def test_a_source_that_cannot_be_edited_is_written_anew(run: Run, tmp_path: Path):
    (tmp_path / "part.inc").write_text(".alias outclr o1 as color\n.alias glow c4\n")
    (tmp_path / "light.vsh").write_text(
        '.include "part.inc"\n' + NIHSTRO.replace(".alias outclr o1 as color\n.alias glow c4\n", "")
    )
    assert run("light.vsh", "--source")[0] == 0
    (tmp_path / "part.inc").write_text("mul r1, c4, v1\nmov o1, r1\n")
    body = NIHSTRO.replace("\tmul r1, glow, v1   // the colour\n\tmov outclr, r1\n", '.include "part.inc"\n')
    (tmp_path / "light.vsh").write_text(body)
    code, out, err = run("light.vsh", "--source")
    assert code == 0
    assert "written anew, without comments and layout: a statement is not in the files given" in err
    assert "mov" not in out.replace("move", "")


def test_avoid_and_allow(run: Run):
    assert "9 words before, 8 after" in run("light.v.pica", "--constants-known", "--avoid", "dph")[1]
    code, _, err = run("light.v.pica", "--avoid", "dpx")
    assert code == 2
    assert "--avoid dpx: unknown instruction" in err
    code, _, err = run("light.v.pica", "--allow", "V088,V99")
    assert code == 2
    assert "--allow V99: unknown code" in err


def test_a_source_with_an_error(run: Run, tmp_path: Path):
    (tmp_path / "bad.v.pica").write_text(".proc main\n\tmov r0, r99\n.end\n")
    assert run("bad.v.pica")[0] == 1


def test_progress_is_shown_from_the_second_second_on(run: Run, monkeypatch: pytest.MonkeyPatch):
    seconds = count()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("lanewise.tools.command.time.monotonic", lambda: next(seconds))
    _, _, err = run("light.v.pica", "-O3", "--report")
    assert err.startswith("\r1 steps tried\r2 steps tried\r")
    assert "\r\x1b[K" in err


DIRECT3D9 = """vs_2_0
dcl_position v0
mov r0, v0    // the position
dp4 r1.x, r0, c0
dp4 r1.yzw, r0, c1
mov oPos, r1  // copied
"""


def test_a_direct3d9_shader(run: Run, tmp_path: Path):
    (tmp_path / "a.vsa").write_text(DIRECT3D9)
    code, out, _ = run("a.vsa", "-o", "b.vsa", "--report")
    assert code == 0
    assert "a.vsa:3: the source of `mov r0, v0` is still there wherever the copy is read" in out
    assert "4 slots before, 2 after; proved under ieee and d3d9" in out
    assert (tmp_path / "b.vsa").read_text() == (
        "vs_2_0\ndcl_position v0\n    // the position\ndp4 oPos.x, v0, c0\ndp4 oPos.yzw, v0, c1\n  // copied\n"
    )
    document = checked(run("a.vsa", "-o", "b.vso", "--rule", "d3d9", "--format", "json")[1])
    assert document["slots"] == {"before": 4, "after": 2}
    assert document["rules"] == ["d3d9"]
    assert run("b.vso")[1].startswith("b.vso: 2 slots before, 2 after")
    assert run("a.vsa", "--rule", "x")[0] == 2
    (tmp_path / "bad.vsa").write_text("vs_2_0\nif b0\nmov oPos, v0\n")
    assert run("bad.vsa")[0] == 1


def test_an_instruction_goes_to_another_line(run: Run, tmp_path: Path):
    text = """ps_2_0
dcl t0
dcl_2d s0
  add r0.xy, t0, c0
  mov r1.x, r0.x       // a part
  add r1.y, r0.y, c1.y // the rest
  texld r0, r0, s0     // first
  texld r1, r1, s0     // then
add r0, r0, r1
mov oC0, r0
"""
    (tmp_path / "a.psa").write_text(text)
    assert run("a.psa", "-o", "b.psa")[:2] == (0, "a.psa: 7 slots before, 6 after; proved under ieee and d3d9\n")
    assert (
        (tmp_path / "b.psa").read_text()
        == """ps_2_0
dcl t0
dcl_2d s0
  add r0.xy, t0, c0
         // a part
   // the rest
  texld r2, r0, s0     // first
  add r0.y, r0.y, c1.y
  texld r1, r0, s0     // then
add r0, r2, r1
mov oC0, r0
"""
    )


def test_direct3d9_sources_that_are_written_anew(run: Run, tmp_path: Path):
    (tmp_path / "a.vsa").write_text("#define TWO mov r0, v0\n" + DIRECT3D9.replace("mov r0, v0  ", "TWO"))
    code, _, err = run("a.vsa", "-o", "b.vsa")
    assert code == 0
    assert "written anew, without comments and layout: the statement of line 4" in err
    assert "dp4 oPos.x, v0, c0" in (tmp_path / "b.vsa").read_text()


def test_a_shadercore_program(run: Run, tmp_path: Path):
    (tmp_path / "a.sc").write_text("mov r0.x, v0.x\nmul o0.xy, r0.xx, v0.xy ; out\nmul r1.x, v0.y, v0.y\nend\n")
    code, out, err = run("a.sc", "-o", "b.sc", "--device", "document", "--report")
    assert code == 0
    assert "a.sc:1: the source of `mov r0.x, v0.x` is still there wherever the copy is read" in out
    assert "a.sc: 5 slots and" in out
    assert "proved under document" in out
    assert not err
    assert (tmp_path / "b.sc").read_text() == "mul o0.x, v0.x, v0.x\nmul o0.y, v0.x, v0.y ; out\nend\n"
    assert "3 slots take 12 cycles at least, in any order (2 x 4 + 4 at the end): only fewer slots take less" in out
    document = checked(run("a.sc", "-o", "b.scb", "--format", "json")[1])
    assert [document["floor"][which]["by"] for which in ("before", "after")] == ["issue", "issue"]
    assert document["slots"] == {"before": 5, "after": 3}
    assert document["cycles"]["before"] > document["cycles"]["after"]
    assert "3 slots" in run("b.scb")[1]
    (tmp_path / "c.sc").write_text("mov r0.x, v0.x\n")
    code, _, err = run("c.sc")
    assert code == 1
    assert "the program has no end" in err


def test_the_editors_action_leaves_what_macros_write():
    """A copy in a macro, and one in a line of its own: the second goes, and the message counts the first."""
    text = "vs_2_0\ndcl_position v0\n#define COPY mov r0, v0\nCOPY ; in a macro\n"
    text += "mov r1, v0 ; alone\nadd r2, r0, c0\nadd oPos, r1, r2\n"
    documents = Documents(lambda path: Rules(), disk=False)
    documents.put("untitled:a.vsa", text, 1, "direct3d9")
    view = documents.analyse("untitled:a.vsa")
    assert view is not None
    found = smaller(documents, view)
    assert "COPY ; in a macro" in found.text
    assert "mov r1" not in found.text
    assert found.about.startswith("4 slots before, 3 after")
    assert "1 more slot can go by hand: the statements have others beside them, or come from a macro" in found.about
