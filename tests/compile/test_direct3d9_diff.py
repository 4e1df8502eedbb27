"""`lanewise diff` of Direct3D 9 shaders and programs for other instruction sets."""

from __future__ import annotations

from pathlib import Path

import pytest

import lanewise as lw
from documents import checked
from lanewise.tools import cli

SHADER = """vs_2_0
def c8, 0, 1, 0.5, 2
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c0
dp3 r0.x, v1, c4
max r0.x, r0.x, c8.x
rsq r0.y, v1.w
mad oD0, r0.x, c5, r0.y
mov oT0.xy, v1
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("light.vsa").write_text(SHADER)


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    code = cli.main(list(argv))
    return code, capsys.readouterr().out


def picasso(capsys: pytest.CaptureFixture[str]) -> str:
    code, text = run(capsys, "compile", "light.vsa", "--target", "pica200", "--stage", "picasso")
    assert code == 0
    return text


def test_a_compiled_program_is_equal(capsys: pytest.CaptureFixture[str]):
    assert run(capsys, "compile", "light.vsa", "--target", "pica200", "-o", "light.shbin")[0] == 0
    code, text = run(capsys, "diff", "light.vsa", "light.shbin", "--profile", "azahar")
    assert (code, "light.vsa and light.shbin are equal." in text) == (0, True)
    code, text = run(capsys, "diff", "light.shbin", "light.vsa", "--profile", "hardware", "--format", "json")
    document = checked(text)
    assert (code, document["verdict"], document["first"]) == (0, "equal", "light.shbin")
    assert "profile hardware" in document["used"]


def test_other_code_that_computes_the_same_is_equal(capsys: pytest.CaptureFixture[str]):
    """Dead code and another register make no difference."""
    text = picasso(capsys)
    Path("changed.v.pica").write_text(text.replace("\tend\n", "\tmov r9, c95\n\tend\n", 1))
    assert run(capsys, "diff", "light.vsa", "changed.v.pica", "--profile", "hardware")[0] == 0


def test_a_wrong_program_differs_with_an_example(capsys: pytest.CaptureFixture[str]):
    text = picasso(capsys)
    assert "dp3" in text
    Path("wrong.v.pica").write_text(text.replace("dp3", "dp4", 1))
    code, answer = run(capsys, "diff", "wrong.v.pica", "light.vsa", "--format", "json")
    document = checked(answer)
    assert (code, document["verdict"]) == (1, "differs")
    example = document["example"]
    assert example["output"].startswith("color.")
    assert {setting["register"] for setting in example["vertices"][0]} == {"v0", "v1"}
    assert example["first"] != example["second"]


COUNTED = """vs_2_0
dcl_position v0
mov r0, v0
loop aL, i0
add r0, r0, c[aL+8]
endloop
if b1
add r0, r0, c3
endif
mov oPos, r0
mov oD0, r0
"""


SUM = """function sum -> position.x, position.y, position.z, position.w
input place lanes=4
uniform lights rows=4
count n most=255
output position semantic=position mask=15
block 0:
  %0 = input place
  %1 = const 0.0
  %2 = const 1.0
  %3 = count n
  jump block 1(%0, %1)
block 1(%4: number4, %5: number):
  %6 = lt %5, %3
  branch %6, block 2, block 3
block 2:
  %7 = uniform_at %5, lights, 0
  %8 = add %4, %7
  %9 = add %5, %2
  jump block 1(%8, %9)
block 3:
  return %4.x, %4.y, %4.z, %4.w
"""


def test_premises_are_in_text_and_json(capsys: pytest.CaptureFixture[str]):
    """Of a compilation and of a proof; values that the program was compiled for are those of the runs beside the proof."""
    Path("light.vsa").write_text(COUNTED)
    for facts, target, array, rest in (
        (
            "--int i0=3,0,1 --bool b1=1",
            "--target pica200",
            "relative addresses of c8 stay within its 3 registers",
            ["i0 is 3, 0, 1", "b1 is true"],
        ),
        (
            "--bound i0=3,0,1 --array c8=6/2",
            "--target pica200",
            "relative addresses of c8 stay within its 6 registers",
            ["i0 counts to at most 3", "aL of loops over i0 starts at 0 and steps by 1"],
        ),
        (
            "--bound i0=3,0,1 --array c8=6/2 --bool b1=0",
            "--device document",
            "relative addresses of c8 stay within its 6 registers, in steps of 2",
            ["i0 counts to at most 3", "b1 is false", "aL of loops over i0 starts at 0 and steps by 1"],
        ),
    ):
        name = "light.scb" if "document" in target else "light.shbin"
        arguments = ("compile", "light.vsa", *facts.split(), *target.split(), "-o", name)
        code, text = run(capsys, *arguments, "--report")
        assert code == 0
        _, _, shown = text.partition("Premises\n\n")
        assert {line.strip() for line in shown.splitlines()} == {array, *rest}
        document = checked(run(capsys, *arguments, "--format", "json")[1])
        assert {row["text"] for row in document["premises"]} == {array, *rest}
        assert {row["name"] for row in document["premises"]} == {"c8", "i0"} | ({"b1"} if "--bool" in facts else set())
        options = target.split() if "document" in target else []
        code, text = run(capsys, "diff", "light.vsa", name, *facts.split(), *options, "--format", "json")
        document = checked(text)
        if name == "light.shbin":
            assert (code, document["verdict"]) == (0, "equal")
        assert {array, *rest} <= set(document["used"])


def test_premises_of_a_source_that_is_compiled_for_a_proof(capsys: pytest.CaptureFixture[str]):
    Path("sum.ssa").write_text(SUM)
    for name, options in (("sum.shbin", ()), ("sum.scb", ("--bound", "n=9", "--target", "shadercore"))):
        code, text = run(capsys, "compile", "sum.ssa", *options, "-o", name, "--format", "json")
        assert code == 0
        premises = [row["text"] for row in checked(text)["premises"]]
        most = 9 if options else 255
        assert premises == ["relative addresses of lights stay within its 4 registers", f"n counts to at most {most}"]
        for pair in (("sum.ssa", name), (name, "sum.ssa")):
            code, text = run(capsys, "diff", *pair, "--format", "json")
            document = checked(text)
            assert (code, document["verdict"]) == (0, "equal")
            assert document["used"][:3] == ["the program that sum.ssa compiles to", *premises]


def test_a_loop_whose_count_only_the_application_knows(capsys: pytest.CaptureFixture[str]):
    """The file has its start and step, and a count that is no turn more."""
    Path("light.vsa").write_text(
        "vs_2_0\ndcl_position v0\nmov r0, v0\nloop aL, i0\nadd r0, r0, c[aL+4]\nendloop\nmov oPos, r0\nmov oD0, r0\n"
    )
    facts = ("--bound", "i0=4,0,1", "--array", "c4=8")
    code, text = run(capsys, "compile", "light.vsa", "--target", "pica200", *facts, "--stage", "picasso")
    assert code == 0
    assert "[aL]" in text
    Path("light.v.pica").write_text(text)
    Path("wrong.v.pica").write_text(text.replace("[aL]", "[0]"))
    assert run(capsys, "diff", "light.vsa", "light.v.pica", *facts, "--profile", "hardware")[0] == 0
    code, text = run(capsys, "diff", "light.vsa", "wrong.v.pica", *facts, "--profile", "hardware")
    assert (code, "light.vsa and wrong.v.pica differ." in text) == (1, True)


def test_a_shader_that_does_not_compile_is_refused(capsys: pytest.CaptureFixture[str]):
    Path("light.v.pica").write_text(picasso(capsys))
    Path("skin.vsa").write_text("vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nmov oPos, c[a0.x+99]\n")
    assert run(capsys, "diff", "skin.vsa", "light.v.pica")[0] == 2
    assert run(capsys, "diff", "skin.vsa", "light.v.pica", "--array", "c99")[0] == 2


def test_programs_of_shadercore(capsys: pytest.CaptureFixture[str]):
    """Where the device has no RSQ, a routine with a bound stands for it."""
    assert run(capsys, "compile", "light.vsa", "-o", "light.scb", "--device", "document")[0] == 0
    assert run(capsys, "diff", "light.vsa", "light.scb", "--device", "document")[0] == 0
    assert run(capsys, "compile", "light.vsa", "-o", "rtl.scb")[0] == 0
    code, text = run(capsys, "diff", "light.vsa", "rtl.scb", "--format", "json")
    document = checked(text)
    assert (code, document["verdict"]) == (3, "unknown")
    assert document["reason"].endswith("rsq are routines with an error bound on rtl")
    # Compared on another device than it was compiled for.
    document = checked(run(capsys, "diff", "light.vsa", "light.scb", "--format", "json")[1])
    assert document["verdict"] != "equal"
    assert document["unmatched"] == [
        "light.scb is the program that light.vsa compiles to on device document: use --device document"
    ]


def test_options_of_the_preprocessor_are_for_the_source(capsys: pytest.CaptureFixture[str]):
    Path("common").mkdir()
    Path("common/parts.inc").write_text("mov oT0.xy, v1\n")
    Path("light.vsa").write_text(SHADER.replace("mov oT0.xy, v1\n", "#include <parts.inc>\n"))
    for name, device in (("light.shbin", ()), ("light.scb", ("--device", "document"))):
        target = ("--target", "shadercore" if device else "pica200")
        assert run(capsys, "compile", "light.vsa", "-I", "common", *target, *device, "-o", name)[0] == 0
        assert run(capsys, "diff", "light.vsa", name, "-I", "common", *device)[0] == 0
    assert cli.main(["diff", "light.shbin", "light.shbin", "-I", "common"]) == 2


def test_others_are_refused(capsys: pytest.CaptureFixture[str]):
    Path("light.v.pica").write_text(picasso(capsys))
    Path("b.sc").write_text("end\n")
    assert cli.main(["diff", "light.v.pica", "b.sc"]) == 2


def test_in_python(capsys: pytest.CaptureFixture[str]):
    """Options of either program; those that may be repeated take a text or several."""
    Path("skin.vsa").write_text("vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nmov oPos, c[a0.x+99]\n")
    assert run(capsys, "compile", "skin.vsa", "--target", "pica200", "--array", "c99=4", "-o", "skin.shbin")[0] == 0
    shader, program = lw.load("skin.vsa"), lw.load("skin.shbin")
    assert shader.equivalent(program, array="c99=4", profile="hardware")
    assert program.equivalent(shader, array=["c99=4"], profile="hardware", set=["rounding=nearest"])
    with pytest.raises(lw.InputError, match="L305"):
        shader.equivalent(program)
    with pytest.raises(ValueError, match="unknown option colour"):
        shader.equivalent(program, colour=1)
