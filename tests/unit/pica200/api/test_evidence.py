"""Programs that decide open questions: each tells its hypotheses apart, and what a console shows settles the fields of a
profile."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path

import pytest

import lanewise as lw
from documents import checked
from effort import sample
from installed import needs
from lanewise.core.diagnostics import InputError
from lanewise.core.evidence import MEASURED
from lanewise.pica200.api.evidence.kit import kit
from lanewise.pica200.api.evidence.plan import ALWAYS, NEVER, QUESTIONS, fields_of, separations
from lanewise.pica200.api.evidence.programs import HANG, NOTHING, colour, outcomes, pictures, read_word, value_word
from lanewise.pica200.api.evidence.results import FIRST_LINE, digest, read_results, rows, settle
from lanewise.pica200.isa.experiments import RUN, UNDECIDABLE
from lanewise.pica200.isa.facts import CHOICES, Fact
from lanewise.pica200.sem.profile import HARDWARE, read_profile
from lanewise.tools import cli
from pica200_evidence_headers import CITRO3D, CTRU

# Answers that no program tells apart, each with a reason among the undecidable ones.
NEVER_APART = {("winding_swap", "first", "outer"), ("dot_order", "left", "from-zero")}


def console(profile: lw.pica200.Profile) -> dict[str, str]:
    """What a console with these rules shows."""
    return {
        picture.name: outcomes(picture.name)[tuple([getattr(profile, field) for field in picture.experiment.fields])]
        for picture in pictures()
    }


def result_file(colours: dict[str, str]) -> str:
    lines = [FIRST_LINE, f"kit {digest()}", "console New 3DS"]
    for name, shown in colours.items():
        lines += [f"begin {name}", *([f"cell {name} {shown}"] if shown != HANG else [])]
    return "\n".join(lines) + "\n"


def test_every_question_has_programs():
    assert tuple([f"C{number}" for number in range(1, 17)]) == QUESTIONS
    for picture in pictures():
        assert picture.experiment.fields
        assert set(picture.experiment.fields) <= CHOICES.keys()
    topics = {field for question in QUESTIONS for field in fields_of(question)} | {each.field for each in UNDECIDABLE}
    named = {key for key, fact in CHOICES.items() if "(C" in fact.topic}
    assert named <= topics


def test_each_pair_of_answers_is_told_apart_or_has_a_reason():
    apart = [each for question in QUESTIONS for field in fields_of(question) for each in separations(field)]
    assert {(each.field, *each.answers) for each in apart if each.when == NEVER} == NEVER_APART - {
        ("winding_swap", "first", "outer")
    }
    sometimes = {(each.field, *each.answers) for each in apart if each.when not in (ALWAYS, NEVER)}
    assert sometimes == {("negative_zero", "unseen", "ieee")}
    reasons = {each.field for each in UNDECIDABLE if each.reason}
    assert {field for field, *_ in (*NEVER_APART, *sometimes)} <= reasons


def test_outcomes_are_what_the_method_says():
    assert outcomes("past-end") == {("stop",): HANG, ("end",): "00FF00", ("wrap",): "FF0000"}
    assert outcomes("emit-slots") == {("4",): "00FF00", ("3",): NOTHING}
    assert outcomes("gs-registers") == {("kept",): "00FF00", ("cleared",): "FF0000"}
    assert outcomes("code-wrap") == {("none",): "00FF00", ("dropped",): "00FF00", ("wrap",): "FF0000"}
    assert {values[0]: shown for values, shown in outcomes("code-high").items()} == {
        "none": "00FF00",
        "dropped": HANG,
        "wrap": HANG,
    }
    words = {picture.name: picture.words for picture in pictures()}
    assert words["add-rounding"] == (0, 0x2F0000, 0x2E8000)  # 0, 2^-16, 1.5 * 2^-17
    assert words["loop-register"] == (0x410000, 0x3F0000)  # 4 iterations, 1


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"rounding": "nearest", "dot_order": "pairs", "mova_fraction": "floor", "past_end": "wrap", "precision": "float32"},
        {
            "al_width": "s16",
            "al_restore": "kept",
            "code_limit": "wrap",
            "cmp_operators": "unchanged",
            "emit_slots": "3",
            "overflow": "largest",
        },
        {
            "subnormal_mov": "flush",
            "subnormal_arithmetic": "keep",
            "litp_nan": "through",
            "litp_mask": "obeyed",
            "loop_register": "zeros",
            "dot_order": "once",
        },
        {
            "negative_zero": "ieee",
            "litp_flags": "sign",
            "mad_rounding": "once",
            "keep_registers_between_invocations": "cleared",
            "code_limit": "dropped",
        },
    ],
)
def test_results_settle_the_fields_of_the_console_that_gave_them(changes: dict[str, str]):
    truth = HARDWARE.replace(**changes)
    settled = settle(console(truth))
    assert not settled.unexplained
    assert not settled.missing
    for field, values in settled.left.items():
        assert getattr(truth, field) in values
    open_fields = {field for field, values in settled.left.items() if len(values) > 1}
    assert open_fields <= {"dot_order", "negative_zero", "zero_reciprocal", "past_end"}
    assert {field: settled.fields.get(field, changes[field]) for field in changes} == changes
    for field in settled.fields:
        assert getattr(settled.profile, field) == settled.fields[field]


MEASURED_ONES = ("loop_rounds",)  # a picture may depend on what consoles have shown


def test_a_colour_depends_on_the_named_fields_only():
    cases = [
        (picture, field, value)
        for picture in pictures()
        for field, fact in CHOICES.items()
        if field not in (*picture.experiment.fields, *MEASURED_ONES)
        for value in list(fact.answers)[1:]
    ]
    for picture, field, value in sample(cases, 45):
        usual = outcomes(picture.name)[tuple([getattr(HARDWARE, each) for each in picture.experiment.fields])]
        assert colour(picture, HARDWARE.replace(**{field: value})) == usual, (picture.name, field, value)


def test_numbers_are_read_out_bit_by_bit():
    for name, profile in (
        ("rcp-3", HARDWARE),
        ("rsq-9", HARDWARE.replace(rounding="nearest", precision="float32")),
        ("lg2-15", HARDWARE),
    ):
        high, low = [next(each for each in pictures() if each.name == f"{name}-{part}") for part in ("high", "low")]
        word = value_word(high.experiment, profile)
        assert high.experiment.read is not None
        assert read_word(colour(high, profile), colour(low, profile), high.experiment.read) == word
        assert settle(console(profile)).numbers[name] == word


def test_an_approximation_is_a_number_that_no_hypothesis_explains():
    shown = console(HARDWARE)
    shown["rcp-0-low"] = "0415FF"  # the last four bits are 0
    settled = settle(shown)
    assert [(each.picture, each.word) for each in settled.unexplained] == [("rcp-0-low", 0x3D5550)]
    assert "precision" in settled.left


def test_a_little_off_is_the_same_colour_and_a_contradiction_settles_nothing():
    shown = console(HARDWARE)
    near = {name: each if each == HANG else f"{max(int(each[:2], 16) - 3, 0):02X}{each[2:]}" for name, each in shown.items()}
    assert settle(near).fields == settle(shown).fields
    shown["subnormal-sge"] = "FF0000"
    settled = settle(shown)
    assert {each.picture for each in settled.unexplained} & {"subnormal-slt", "subnormal-sge"}
    assert settled.left["subnormal_set"] == ("keep", "flush")


def test_what_is_disputed_stays_open_and_the_rest_is_settled():
    """The picture of sums says one rounding, that of products another: no row says that either is measured."""
    shown = console(HARDWARE) | {"mul-rounding": console(HARDWARE.replace(rounding="nearest"))["mul-rounding"]}
    settled = settle(shown)
    assert settled.left["rounding"] == ("zero", "nearest")
    assert [each.disputes for each in settled.unexplained] == [("rounding",)]
    assert settled.fields["al_break"] == "step"
    assert not any('Fact(key="rounding"' in row for row in rows(settled, "a run"))


def test_rows_can_be_pasted():
    settled = settle(console(HARDWARE.replace(max_zero_neg_inf="-inf", al_restore="kept", rounding="nearest")))
    made = [eval(row.strip().rstrip(","), {"Fact": Fact, "MEASURED": MEASURED}) for row in rows(settled, "a run")]
    assert len(made) == len(settled.fields) > 20
    for fact in made:
        before = CHOICES[fact.key]
        assert (fact.default, fact.known, fact.source[:5]) == (settled.fields[fact.key], MEASURED, "a run")
        assert (dict(fact.answers), fact.ops, fact.geometry) == (dict(before.answers), before.ops, before.geometry)
        assert [fact.value(preset) for preset in ("azahar", "panda3ds")] == [
            before.value(preset) for preset in ("azahar", "panda3ds")
        ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "C015"),
        ("hello\n", "C015"),
        (f"{FIRST_LINE}\ncell rcp-0-high 00FG00\n", "C016"),
        (f"{FIRST_LINE}\nsell rcp-0-high 00FF00\n", "C016"),
        (f"{FIRST_LINE}\ncell litp-nan 00FF00\ncell litp-nan FF0000\n", "C016"),
    ],
)
def test_what_is_wrong_with_a_result_file(text: str, code: str):
    with pytest.raises(InputError) as error:
        read_results(text.encode(), "r.txt")
    assert [finding.code for finding in error.value.diagnostics] == [code]


def test_another_kit_is_a_warning():
    found = read_results(f"{FIRST_LINE}\nkit 00\ncell nobody FF0000\nbegin past-end\n".encode(), "r.txt")
    assert [finding.code for finding in found.findings] == ["C017", "C017"]
    assert found.colours == {"past-end": HANG}


def test_the_kit_says_that_it_has_never_run():
    files = kit()
    for path in ("README.md", "Makefile", "source/main.c", "source/pictures.c", "expected.txt"):
        assert RUN in files[path].decode().lower().split("\n\n")[0] + files[path].decode().lower()[:400], path
    for path, data in files.items():
        if path.endswith((".v.pica", ".g.pica")) and not data.startswith(b".entry pass"):
            assert data.decode().startswith(f"; {RUN}\n"), path
        if path.endswith(".shbin"):
            assert lw.load(data).words


@needs("cc")
def test_the_kit_compiles_against_headers_of_our_own(tmp_path: Path):
    files = {
        **{path: data for path, data in kit().items() if path.startswith("source/")},
        "3ds.h": CTRU.encode(),
        "citro3d.h": CITRO3D.encode(),
    }
    (tmp_path / "source").mkdir()
    for path, data in files.items():
        (tmp_path / path).write_bytes(data)
    sources = [str(tmp_path / "source" / name) for name in ("main.c", "pictures.c")]
    done = subprocess.run(
        ["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{tmp_path}", *sources],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["evidence", "plan", "c1", "C6"]) == 0
    shown = capsys.readouterr().out
    assert "max_zero_neg_inf=-inf" in shown
    assert "No picture of the kit shows which two vertices" in shown
    assert cli.main(["evidence", "plan", "--format", "json"]) == 0
    document = checked(capsys.readouterr().out)
    assert [each["question"] for each in document["questions"]] == list(QUESTIONS)
    assert cli.main(["evidence", "kit", "kit", "--format", "json"]) == 0
    assert str(Path("kit", "source", "main.c")) in checked(capsys.readouterr().out)["files"]
    assert cli.main(["evidence", "kit", "kit"]) == 0
    Path("other").mkdir()
    Path("other", "mine").write_text("x")
    assert cli.main(["evidence", "kit", "other"]) == 2
    Path("r.txt").write_text(result_file(console(HARDWARE.replace(max_zero_neg_inf="-inf"))))
    capsys.readouterr()
    assert cli.main(["evidence", "import", "r.txt", "-o", "p.toml", "--format", "json"]) == 0
    document = checked(capsys.readouterr().out)
    assert document["settled"]["max_zero_neg_inf"] == "-inf"
    assert Path("p.toml").read_text() == document["profile"]
    assert read_profile(Path("p.toml").read_bytes(), "p.toml").max_zero_neg_inf == "-inf"
    assert cli.main(["evidence", "import", "r.txt"]) == 0
    shown = capsys.readouterr().out
    assert 'Fact(key="max_zero_neg_inf"' in shown
    assert 'max_zero_neg_inf = "-inf"' in shown
    assert cli.main(["evidence", "import", "r.txt", "-o", "-"]) == 0
    assert capsys.readouterr().out == document["profile"]
    assert cli.main(["evidence", "import", "r.txt", "-o", "-", "--format", "json"]) == 2
    capsys.readouterr()
    Path("one.txt").write_text("lanewise-evidence 1\ncell max-zero-neg-inf 000000\n")
    assert cli.main(["evidence", "import", "one.txt"]) == 0
    shown = capsys.readouterr().out
    assert "1 picture, " in shown
    assert "No field is settled." in shown
    Path("bad.txt").write_text("no\n")
    assert cli.main(["evidence", "import", "bad.txt", "--format", "json"]) == 1
    assert [each["code"] for each in json.loads(capsys.readouterr().out)["diagnostics"]] == ["C015"]
    assert cli.main(["evidence", "plan", "C17"]) == 2
    assert cli.main(["evidence", "plan", "-o", "x"]) == 2
    capsys.readouterr()
    assert cli.main(["evidence", "import", "r.txt", "-o", "console"]) == 2  # which --profile would not take for a file
    assert "expected a name that ends in .toml" in capsys.readouterr().err
    assert not Path("console").exists()
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    assert cli.main(["evidence", "import", "-"]) == 1
    assert "--> <stdin>:1" in capsys.readouterr().err


def test_the_limit_of_vertex_code_is_not_that_of_a_geometry_shader():
    past = next(picture for picture in pictures() if picture.name == "past-end")
    for limit in ("wrap", "dropped"):
        for end, shown in (("end", "00FF00"), ("wrap", "FF0000"), ("stop", HANG)):
            assert colour(past, HARDWARE.replace(code_limit=limit, past_end=end)) == shown
