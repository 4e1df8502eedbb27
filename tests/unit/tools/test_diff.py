"""`lanewise diff`: its answers, their JSON, exit codes, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

import lanewise as lw
from documents import checked
from lanewise.core.comparison import UNKNOWN, Comparison
from lanewise.pica200.api.file import ShaderFile
from lanewise.pica200.proof.code import code_of
from lanewise.pica200.proof.matching import match
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Printed = pytest.CaptureFixture[str]

SOURCE = """.fvec m[4]
.constf one(1.0, 0.0, 2.0, 0.5)
.in pos v0
.out outp position
.out outc color
.proc main
mov r0, pos
dp4 outp.x, m[0], r0
dp4 outp.y, m[1], r0
dp4 outp.z, m[2], r0
dp4 outp.w, m[3], r0
add r1, one, pos
mov outc, r1
end
.end
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)

    def write(**changes: tuple[str, str]) -> None:
        (tmp_path / "a.v.pica").write_text(SOURCE)
        for name, (old, new) in changes.items():
            assert old in SOURCE
            (tmp_path / f"{name}.v.pica").write_text(SOURCE.replace(old, new))

    return write


def loaded(path: str) -> ShaderFile:
    file = lw.load(path)
    assert isinstance(file, ShaderFile)
    return file


def assembled(text: str) -> ShaderFile:
    file = lw.assemble(text)
    assert isinstance(file, ShaderFile)
    return file


def diff(capsys: Printed, *argv: str) -> tuple[int, str]:
    code = cli.main(["diff", *argv])
    return code, capsys.readouterr().out


def test_equal(files: Write, capsys: Printed):
    files(b=("add r1, one, pos\nmov outc, r1", "add outc, one, pos"))
    code, text = diff(capsys, "a.v.pica", "b.v.pica")
    assert code == 0
    assert "a.v.pica and b.v.pica are equal" in text
    assert "all NaN are one value" in text
    code, text = diff(capsys, "a.v.pica", "b.v.pica", "--profile", "hardware", "--format", "json")
    assert code == 0
    document = checked(text)
    assert document["verdict"] == "equal"
    assert document["used"][0] == "profile hardware"


def test_a_difference_has_values_that_show_it(files: Write, capsys: Printed):
    files(b=("m[3], r0", "m[2], r0"))
    code, text = diff(capsys, "a.v.pica", "b.v.pica", "--format", "json")
    assert code == 1
    example = checked(text)["example"]
    assert example["output"] == "position.w"
    # The values of the answer, run again, give what it says.
    values = {setting["register"]: [int(word, 16) for word in setting["bits"]] for setting in example["uniforms"]}
    inputs = {setting["register"]: [int(word, 16) for word in setting["bits"]] for setting in example["vertices"][-1]}
    for name, wanted in (("a", example["first"]), ("b", example["second"])):
        shader = loaded(f"{name}.v.pica").vertex
        result = shader.run(
            {key: lw.Words([row]) for key, row in inputs.items()}, {key: lw.Words(row) for key, row in values.items()}
        )
        assert f"({result.bits['position'][0, 3]:#08x})" in wanted


def test_a_difference_of_one_vertex_is_shown_without_others(files: Write, capsys: Printed):
    """Also where the proof failed for registers that keep their values, and the search began with these."""
    files(a=("add r1, one, pos", "mov r1.xyz, pos"), b=("add r1, one, pos", "mov r1.xyz, -pos"))
    code, text = diff(capsys, "a.v.pica", "b.v.pica", "--format", "json")
    example = checked(text)["example"]
    assert (code, example["output"], len(example["vertices"]), example["profile"]) == (1, "color.x", 1, "hardware")


def test_constants_that_are_known_are_not_among_the_uniforms(tmp_path: Path, capsys: Printed):
    head = ".in a\n.out outp position\n.proc main\n"
    (tmp_path / "sum.v.pica").write_text(f"{head}add r0, a, a\nadd outp, r0, a\nend\n.end\n")
    (tmp_path / "four.v.pica").write_text(f".constf four(4.0, 0.0, 0.0, 0.0)\n{head}mul outp, four.xxxx, a\nend\n.end\n")
    code, text = diff(
        capsys, str(tmp_path / "sum.v.pica"), str(tmp_path / "four.v.pica"), "--constants-known", "--format", "json"
    )
    assert code == 1
    assert checked(text)["example"]["uniforms"] == []


def test_names_are_matched(files: Write, capsys: Printed):
    files(b=(".fvec m[4]", ".fvec k\n.fvec m[4]"), c=(".fvec m[4]", ".fvec other[4]\n.alias m other"))
    code, text = diff(capsys, "a.v.pica", "b.v.pica")
    assert (code, "are equal" in text) == (0, True)
    assert "uniforms by their names, in a.v.pica and b.v.pica: m is c0 and c1; write headers" in " ".join(text.split())
    one, two = ".in x v0\n.in pos v1", ".in pos v0\n.in x v1"
    for name, order in (("a", one), ("b", two)):
        Path(f"{name}.v.pica").write_text(SOURCE.replace(".in pos v0", order))
    code, text = diff(capsys, "a.v.pica", "b.v.pica")
    assert code == 0
    assert "x is v0 and v1, pos is v1 and v0; put the AttrInfo_AddLoader lines" in " ".join(text.split())
    Path("b.v.pica").write_text(SOURCE.replace(".in pos v0", one))
    assert "by their names" not in diff(capsys, "a.v.pica", "b.v.pica")[1]


def test_what_another_program_has_left_is_part_of_the_example(files: Write, capsys: Printed):
    """No instruction writes r5, a0 or cmp: only where they are not zero do the programs differ."""
    for old, new in (
        ("mov outc, r1", "mov outc, r5"),
        ("m[3], r0", "m[a0.x+3], r0"),
        ("mov outc, r1", "ifc cmp.x\nmov r1, r0\n.end\nmov outc, r1"),
    ):
        first = new.replace("r5", "r6") if "r5" in new else old
        files(a=(old, first), b=(old, new))
        code, text = diff(capsys, "a.v.pica", "b.v.pica", "--set", "initial_state=kept", "--format", "json")
        example = checked(text)["example"]
        assert (code, bool(example["start"])) == (1, True)
        names = [setting["register"] for setting in example["start"]]
        assert {"o0", "a0", "aL", "cmp"} <= {*names}
        assert diff(capsys, "a.v.pica", "b.v.pica", "--set", "initial_state=zero")[0] == 0
    assert "Registers at the start" in diff(capsys, "a.v.pica", "b.v.pica", "--set", "initial_state=kept")[1]


def test_names_that_picasso_writes_with_a_dollar_are_those_with_a_dot():
    source = (
        ".bool n$some\n.in pos\n.out outp position\n.proc main\nifu n$some\nmov outp, pos\n.else\nmov outp, -pos\n.end\nend\n"
        ".end\n"
    )
    file = lw.assemble(source)
    interface = file.programs[0].interface
    dotted = interface._replace(uniforms=tuple([each._replace(name="n.some") for each in interface.uniforms]))
    code = code_of(file.program, interface)
    matching = match((code, code), (interface, dotted), ("a", "b"), constants=False)
    assert not matching.unmatched


def test_what_is_not_matched_is_named_and_not_equal(files: Write, capsys: Printed):
    files()
    Path("b.v.pica").write_text(SOURCE.replace(" pos", " place").replace("placeition", "position"))
    code, text = diff(capsys, "a.v.pica", "b.v.pica")
    assert code == 3
    assert "input place (v0) is only in b.v.pica" in text
    assert "unknown whether" in text


@pytest.mark.parametrize("names", [("a.v.pica", "b.v.pica"), ("b.v.pica", "a.v.pica")])
def test_what_one_program_reads_only_is_decided(files: Write, capsys: Printed, names: tuple[str, str]):
    files()
    more = SOURCE.replace(".in pos v0", ".fvec gain\n.in extra v1\n.in pos v0")
    Path("b.v.pica").write_text(more.replace("add r1, one, pos", "add r2, gain, extra\nmax r3, r2, r2\nadd r1, one, pos"))
    code, text = diff(capsys, *names)
    assert (code, "are equal" in text) == (0, True)
    assert "input extra (v1) is only in b.v.pica" in text
    assert "uniform gain (c4) is only in b.v.pica" in text
    Path("b.v.pica").write_text(more.replace("add r1, one, pos", "add r1, one, pos\nadd r1, extra, r1"))
    code, text = diff(capsys, *names, "--format", "json")
    document = checked(text)
    assert (code, document["verdict"]) == (1, "differs")
    assert document["unmatched"] == ["input extra (v1) is only in b.v.pica"]
    assert {each["name"] for vertex in document["example"]["vertices"] for each in vertex} == {"pos", "extra"}


def test_constants(files: Write, capsys: Printed):
    files(b=("one(1.0, 0.0, 2.0, 0.5)", "one(1.0, 0.0, 2.0, 0.25)"))
    code, text = diff(capsys, "a.v.pica", "b.v.pica", "--format", "json")
    assert code == 1
    document = checked(text)
    assert document["verdict"] == "differs"
    assert document["unmatched"] == ["c95 is preset to other values in b.v.pica than in a.v.pica"]
    assert document["example"]["output"] == "color.w"


def test_python():
    first, second = assembled(SOURCE), assembled(SOURCE.replace("mov outc, r1", "mov outc, r1.xyzw\nnop"))
    assert first.equivalent(second)
    assert first.vertex.equivalent(second.vertex, profile="azahar")
    other = assembled(SOURCE.replace("mov outc, r1", "mov outc, r1.xyzz"))
    found = first.equivalent(other, profile="hardware")
    assert not found
    assert found.example is not None
    assert (found.verdict, found.example.output) == ("differs", "color.w")
    with pytest.raises(ValueError, match="unknown option colour"):
        first.equivalent(second, colour=1)


@pytest.mark.parametrize("argv", [["a.v.pica"], ["a.v.pica", "a.v.pica", "a.v.pica"], ["-", "-"], ["a.v.pica", "b.sc"]])
def test_refused(files: Write, capsys: Printed, argv: list[str]):
    files()
    Path("b.sc").write_text("END\n")
    assert cli.main(["diff", *argv]) == 2


def test_a_faulty_source(files: Write, capsys: Printed):
    files(b=("dp4 outp.x", "dp5 outp.x"))
    assert cli.main(["diff", "a.v.pica", "b.v.pica"]) == 2
    assert "dp5" in capsys.readouterr().err


def test_exit_codes(files: Write, capsys: Printed, monkeypatch: pytest.MonkeyPatch):
    """0 equal, 1 they differ, 2 no answer for another reason, 3 unknown; the old ones by an option."""
    files(b=("add r1, one, pos\nmov outc, r1", "add outc, one, pos"), c=("m[3], r0", "m[2], r0"), d=("dp4", "dp5"))

    def codes(*argv: str) -> tuple[int, int]:
        found = cli.main(["diff", *argv]), cli.main(["diff", "--old-exit-codes", *argv])
        capsys.readouterr()
        return found

    assert codes("a.v.pica", "b.v.pica") == (0, 0)
    assert codes("a.v.pica", "c.v.pica") == (1, 1)
    assert codes("a.v.pica", "c.v.pica", "--format", "json") == (1, 1)
    for trouble in (("a.v.pica", "d.v.pica"), ("a.v.pica", "absent.v.pica"), ("a.v.pica", "d.v.pica", "--format", "json")):
        assert codes(*trouble) == (2, 1), trouble
    assert codes("a.v.pica") == (2, 2)

    def unsure(programs: object, requests: object) -> Comparison:
        return Comparison(UNKNOWN, ("a", "b"), reason="it is not known")

    def broken(programs: object, requests: object) -> Comparison:
        raise MemoryError

    monkeypatch.setattr("lanewise.tools.diff.difference", unsure)
    assert codes("a.v.pica", "b.v.pica") == (3, 1)
    monkeypatch.setattr("lanewise.tools.diff.difference", broken)
    assert codes("a.v.pica", "b.v.pica") == (2, 1)


GEOMETRY = """.gsh point c0
.in pos v0
.out outp position
.out outc color
.proc main
    mov r0, pos
    setemit 0
    mov outp, r0
    mov outc, r0
    emit
    setemit 1
    mov outp, -r0
    mov outc, r0
    emit
    setemit 2, prim
    mov outp, r0.wzyx
    mov outc, r0
    emit
    end
.end
"""


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("mov r0, pos", "mov r0, pos\n    nop", "equal"),
        ("mov outp, r0\n    mov outc, r0", "mov outc, pos\n    mov outp, pos", "equal"),
        ("setemit 1", "setemit 0", "differs"),
        ("setemit 2, prim", "setemit 2, prim inv", "differs"),
        ("mov outp, -r0", "mov outp, r0", "differs"),
        # The banks change places at emit: the third vertex has what the first one wrote.
        ("    mov outc, r0\n    emit\n    end", "    emit\n    end", "equal"),
        ("    mov outc, r0\n    emit\n    setemit 2", "    emit\n    setemit 2", "differs"),
        ("    setemit 0\n", "", "differs"),
    ],
)
def test_emitted_vertices(old: str, new: str, verdict: str):
    assert old in GEOMETRY
    found = assembled(GEOMETRY).equivalent(assembled(GEOMETRY.replace(old, new, 1)))
    assert found.verdict == verdict, found


def test_one_program_of_a_file(files: Write, capsys: Printed):
    files()
    other = SOURCE.replace("mov outc, r1", "mov outc, -r1").replace(".proc main", ".entry other\n.proc other")
    Path("b.v.pica").write_text(other)
    assert cli.main(["asm", "a.v.pica", "b.v.pica", "-o", "ab.shbin"]) == 0
    names = [shader.name for shader in loaded("ab.shbin").programs]
    assert len(names) == 2
    assert diff(capsys, f"ab.shbin:{names[0]}", "a.v.pica")[0] == 0
    assert diff(capsys, f"ab.shbin:{names[1]}", "a.v.pica")[0] == 1
    assert diff(capsys, "ab.shbin", "ab.shbin")[0] == 0
    assert cli.main(["diff", "ab.shbin", "a.v.pica"]) == 2


def test_an_index_without_a_known_range_is_named(files: Write, capsys: Printed):
    """It is the reason under every profile: what registers start with, which is open, is not named."""
    table = ".constf one(1.0, 0.0, 2.0, 0.5)\n.constf spare(3.0, 3.0, 3.0, 3.0)\n"
    text = SOURCE.replace(".constf one(1.0, 0.0, 2.0, 0.5)\n", table).replace(
        "add r1, one, pos", "mul r1, pos, pos\nadd r1, r1, -r1\nmova a0.x, r1.x\nadd r1, one[a0.x], pos"
    )
    Path("b.v.pica").write_text(text)
    Path("c.v.pica").write_text(text.replace("spare(3.0, 3.0", "spare(4.0, 3.0"))
    files()
    assert cli.main(["diff", "b.v.pica", "c.v.pica", "--constants-known", "--searches", "1"]) == 3
    out = " ".join(capsys.readouterr().out.split())
    assert "the constants in reach differ" in out, out
    assert "initial_state" not in out


def test_settings_of_emitted_vertices(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = ".gsh point c0\n.entry main\n.out pos position\n.proc main\nsetemit 2, prim\nmov pos, v0\nemit\nend\n.end\n"
    for name, text in (("first.g.pica", source), ("second.g.pica", source.replace("prim", "prim inv"))):
        (tmp_path / name).write_text(text)
    assert cli.main(["diff", str(tmp_path / "first.g.pica"), str(tmp_path / "second.g.pica"), "--profile", "hardware"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "emitted vertex 0: setemit, with profile hardware" in lines
    assert [line.split("pica", 1)[1].strip() for line in lines if line.startswith("  ") and "prim" in line] == [
        "2, prim",
        "2, prim inv",
    ]


def test_uniforms_that_a_difference_does_not_need_are_zeros(tmp_path: Path, capsys: Printed):
    """An index may reach all of them; JSON has them all."""
    source = ".fvec k[8]\n.in p\n.out pos position\n.proc main\nmova a0.x, p.x\nmov pos, k[a0.x]\nend\n.end\n"
    names = [str(tmp_path / name) for name in ("first.v.pica", "second.v.pica")]
    for name, text in zip(names, (source, source.replace("a0.x]", "a0.x+1]")), strict=True):
        Path(name).write_text(text)
    assert cli.main(["diff", *names, "--profile", "hardware"]) == 1
    out = capsys.readouterr().out
    assert "uniform registers that the programs may read are 0." in out
    assert out.partition("\nUniforms\n")[2].count("0x") // 4 <= 2
    first, second = (lw.load(name).vertex for name in names)
    example = first.equivalent(second, profile="hardware").example
    assert example is not None
    assert len(example.uniforms) == 96
    (vertex,) = example.vertices
    inputs = {"p": [float(value) for value in vertex[0].values]}
    uniforms = {each.register: [float(value) for value in each.values] for each in example.uniforms}
    component = "xyzw".index(example.output[-1])
    values = [shader.run(inputs, uniforms).bits["position"][0, component] for shader in (first, second)]
    assert values[0] != values[1]


@pytest.mark.parametrize("other", ["second", None])
def test_what_is_not_a_program_is_not_compared(other: Any):
    file = lw.assemble(SOURCE)
    with pytest.raises(TypeError, match="expected the program of a file"):
        file.equivalent(other)
    with pytest.raises(TypeError, match="expected a shader"):
        file.vertex.equivalent(other)
    with pytest.raises(TypeError, match="found ShaderFile"):
        file.vertex.equivalent(cast("Any", file))
