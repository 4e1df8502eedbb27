"""`lanewise vectors`: files, the C++ header, reports, and what is refused."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from documents import checked
from installed import needs
from lanewise.core.vectors import flat, lines
from lanewise.core.vectors.alone import Alone
from lanewise.core.vectors.model import VERTEX, Case, Identity, Job, Suite
from lanewise.pica200.sem.profile import profiles
from lanewise.pica200.vectors import running
from lanewise.tools.cli import main
from lanewise.tools.command import parse
from lanewise.tools.vectors import HEADER, LINE, header
from lanewise.tools.vectors_report import right_alone
from lanewise.tools.vectors_supervise import Supervisor

if TYPE_CHECKING:
    from pathlib import Path

    from lanewise.core.vectors.model import Outcome

STATE = "pica200-state-hardware"
EXAMPLES = REPOSITORY / "examples" / "vectors"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("vectors")
    assert main(["vectors", "pica200", "--suite", "state", "-o", str(found)]) == 0
    return found


def answers_of(folder: Path, preset: str, path: Path, *, as_lines: bool = False) -> None:
    """A file of the answers of a project that follows a preset in float24 words."""
    suite = flat.read((folder / f"{STATE}.lwv").read_bytes())
    found: dict[int, Outcome] = {case.job.number: running.run(case.job, profiles[preset]) for case in suite.cases}
    if as_lines:
        path.write_text(lines.answer_text(suite.identity, found))
        return
    records = b"".join([flat.answer_bytes(number, outcome) for number, outcome in found.items()])
    path.write_bytes(flat.header_bytes(suite.identity) + records)


def test_files(folder: Path):
    words, text = (folder / f"{STATE}.lwv").read_bytes(), (folder / f"{STATE}.jsonl").read_text()
    assert flat.read(words).cases == lines.read(text).cases
    assert flat.read(words).identity == lines.read(text).identity
    assert (folder / HEADER).read_bytes() == header()
    assert header().count(b"\n") < 320


def test_json(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert (
        main(["vectors", "pica200", "--suite", "state, state", "--form", "flat", "-o", str(tmp_path), "--format", "json"]) == 0
    )
    document = checked(capsys.readouterr().out)
    assert document["cases"] == 5
    assert [row["path"].rpartition("/")[2] for row in document["files"]] == [f"{STATE}.lwv", HEADER]
    assert (tmp_path / f"{STATE}.lwv").read_bytes() == (folder / f"{STATE}.lwv").read_bytes()
    assert main(["vectors", "pica200", "--list", "--format", "json"]) == 0
    assert [row["name"] for row in checked(capsys.readouterr().out)["suites"]][:2] == ["quick", "full"]


def test_the_header_alone(capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path):
    assert main(["vectors", "--header"]) == 0
    assert capsysbinary.readouterr().out == header()
    assert main(["vectors", "--header", "-o", str(tmp_path / "new")]) == 0
    assert (tmp_path / "new" / HEADER).read_bytes() == header()


@pytest.mark.parametrize("as_lines", [False, True])
def test_a_report_names_what_a_project_follows(
    as_lines: bool, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "answers"
    answers_of(folder, "hardware", path, as_lines=as_lines)
    assert main(["vectors", "pica200", "--report", str(path), "--format", "json"]) == 0
    assert checked(capsys.readouterr().out)["unexplained"] == 0
    suite = flat.read((folder / f"{STATE}.lwv").read_bytes())
    kept = profiles["hardware"].replace(initial_state="kept", al_last="none")
    found = {case.job.number: running.run(case.job, kept) for case in suite.cases}
    wrong = found[0].outputs[0]
    found[0] = found[0]._replace(outputs={0: ((1, 2, 3, 4), *wrong[1:])})
    del found[3]
    if as_lines:
        path.write_text(lines.answer_text(suite.identity, found))
    else:
        path.write_bytes(flat.header_bytes(suite.identity) + b"".join([flat.answer_bytes(*row) for row in found.items()]))
    assert main(["vectors", "--report", str(path), "--format", "json"]) == 1
    document = checked(capsys.readouterr().out)
    assert document["follows"] == "hardware, al_last=none, initial_state=kept"
    assert (document["answered"], document["explained"], document["unexplained"]) == (4, 2, 1)
    assert [(row["case"], row["count"]) for row in document["differences"]] == [(0, 1)]
    assert (document["unanswered"], document["left_out"]) == ([3], 0)
    questions = {row["key"]: row for row in document["questions"]}
    assert questions["al_last"]["follows"] == "none"
    assert main(["vectors", "--report", str(path), "--cases", str(folder / f"{STATE}.lwv")]) == 1
    page = capsys.readouterr().out
    assert "Differences that no variant explains" in page
    assert "Without an answer: 1" in page


def test_a_report_leaves_out_presets_of_other_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The data of a suite in float32 have no form in float24."""
    assert main(["vectors", "pica200", "--suite", "state", "--profile", "azahar", "--form", "flat", "-o", str(tmp_path)]) == 0
    suite = flat.read((tmp_path / "pica200-state-azahar.lwv").read_bytes())
    records = b"".join([flat.answer_bytes(case.job.number, case.expected) for case in suite.cases])
    (tmp_path / "answers").write_bytes(flat.header_bytes(suite.identity) + records)
    capsys.readouterr()
    assert main(["vectors", "--report", str(tmp_path / "answers"), "--format", "json"]) == 0
    presets = {row["name"]: row["differing"] for row in checked(capsys.readouterr().out)["presets"]}
    assert presets == {"azahar": 0, "panda3ds": 0}


def test_a_project_may_leave_out_hazards(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Answers to all other cases are complete."""
    suite = flat.read((folder / f"{STATE}.lwv").read_bytes())
    cases = tuple([case._replace(flags=case.job.number & 1) for case in suite.cases])
    source, path = tmp_path / "cases.lwv", tmp_path / "answers.lwv"
    source.write_bytes(flat.suite_bytes(Suite(suite.identity, cases)))
    identity, _ = flat.read_header(source.read_bytes())
    records = [flat.answer_bytes(case.job.number, case.expected) for case in cases if not case.flags]
    path.write_bytes(flat.header_bytes(identity) + b"".join(records))
    assert main(["vectors", "--report", str(path), "--cases", str(source), "--format", "json"]) == 0
    document = checked(capsys.readouterr().out)
    assert (document["unanswered"], document["left_out"]) == ([], 2)


def test_differences_are_in_words_of_the_suite(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """So is a unit in the last place, which is 128 of those of float32."""
    suite = flat.read((folder / f"{STATE}.lwv").read_bytes())
    found = {case.job.number: case.expected for case in suite.cases}
    (x, y, z, w), *rest = found[0].outputs[0]
    found[0] = found[0]._replace(outputs={0: ((x + 1, y, z, w), *rest)})
    path = tmp_path / "answers.lwv"
    path.write_bytes(flat.header_bytes(suite.identity) + b"".join([flat.answer_bytes(*row) for row in found.items()]))
    command = ["vectors", "--report", str(path), "--cases", str(folder / f"{STATE}.lwv"), "--format", "json"]
    assert main(command) == 1
    difference = checked(capsys.readouterr().out)["differences"][0]["difference"]
    assert difference == f"o0.x of lane 0: expected {x:#010x}, found {x + 1:#010x}"
    assert main([*command, "--ulp", "1"]) == 0


def test_a_word_with_more_bits_than_a_number_is_a_finding(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    suite = flat.read((folder / f"{STATE}.lwv").read_bytes())
    found = {case.job.number: case.expected for case in suite.cases}
    (_, *parts), *rest = found[0].outputs[0]
    found[0] = found[0]._replace(outputs={0: ((1 << 31, *parts), *rest)})
    path = tmp_path / "answers.lwv"
    path.write_bytes(flat.header_bytes(suite.identity) + b"".join([flat.answer_bytes(*row) for row in found.items()]))
    assert main(["vectors", "--report", str(path), "--cases", str(folder / f"{STATE}.lwv")]) == 1
    err = capsys.readouterr().err
    assert "error[T006]: 0x80000000 is not a word of 24 bits" in err
    assert "help: answer in words of 24 bits; a unit whose answers are float32 is asked with `--profile azahar`" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the instruction set"),
        (["vax"], "unknown instruction set"),
        (["pica200", "shadercore"], "one instruction set"),
        (["pica200"], "name a folder with -o"),
        (["pica200", "--suite", "small", "-o", "x"], "unknown suite 'small'"),
        (["pica200", "--profile", "snes", "-o", "x"], "unknown profile 'snes'"),
        (["pica200", "--set", "rounding=up", "-o", "x"], "rounding cannot be 'up'"),
        (["pica200", "--seed", "4294967296", "-o", "x"], "--seed is 4294967296"),
        (["pica200", "--list", "--header"], "mutually exclusive"),
        (["pica200", "--ulp", "1", "-o", "x"], "--ulp goes with --report"),
        (["pica200", "-o", "-"], "name a folder with -o"),
        (["--report", "answers.lwv", "--ulp", "-1"], "--ulp is -1, expected 0 or more"),
    ],
)
def test_wrong_usage(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    assert main(["vectors", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_answers_that_cannot_be_used(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    suite = folder / f"{STATE}.lwv"
    path = tmp_path / "answers.lwv"
    answers_of(folder, "hardware", path)
    good = path.read_bytes()
    for data, message in (
        (b"nonsense", "does not begin with a header"),
        (b"{}", 'no "schema"'),
        (b"{\xff", "not UTF-8"),
        (suite.read_bytes(), "this is a suite"),
        (good[:-3], "past the end"),
        (good[:32] + bytes(32) + good[64:], "the answers are for another suite"),
        (good + flat.record(flat.ANSWER, [7, flat.STATUS, 1, 0]), "case 7, which the suite does not have"),
    ):
        path.write_bytes(data)
        assert main(["vectors", "--report", str(path), "--format", "json"]) == 1
        finding = json.loads(capsys.readouterr().out)["diagnostics"][0]
        assert (finding["code"], message in finding["message"]) == ("T006", True), finding
        assert ("the file is cut: run the program" in finding.get("fix", "")) == (message == "past the end")
    path.write_bytes(good)
    assert main(["vectors", "--report", str(path), "--cases", str(path)]) == 1
    assert "this is not a suite" in capsys.readouterr().err
    assert main(["vectors", "--report", str(suite), "--cases", str(path)]) == 1
    assert f"exchange both: --report {path} --cases {suite}" in capsys.readouterr().err
    read = flat.read(good)
    other = read.identity._replace(suite="flow", variant="azahar", digest="00" * 32)
    path.write_bytes(flat.header_bytes(other) + good[int.from_bytes(good[12:16], "little") :])
    assert main(["vectors", "--report", str(path), "--cases", str(suite)]) == 1
    err = capsys.readouterr().err
    assert f"the answers are for the suite flow, azahar; {suite} is state, hardware" in err
    assert f"run your program on {suite}, or name the suite flow, azahar with --cases" in err
    path.write_bytes(good[: int.from_bytes(good[12:16], "little")])
    assert main(["vectors", "--report", str(path), "--cases", str(suite)]) == 1
    page = capsys.readouterr().out
    assert "Without an answer: 5" in page
    assert "Open questions" not in page
    path.write_bytes(good)
    assert main(["vectors", "shadercore", "--report", str(path)]) == 2
    assert "has answers for pica200" in capsys.readouterr().err
    assert main(["vectors", "--report", str(tmp_path / "none")]) == 1


def test_the_python_of_the_page(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """It finds no difference, and its answers are those of the suite; a wrong word is a line."""
    page = (REPOSITORY / "docs" / "vectors.md").read_text()
    program = page.partition("```py\n")[2].partition("```")[0]
    (tmp_path / "vectors").symlink_to(folder)
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "vectors.md", "exec"), {})
    assert capsys.readouterr().out == ""
    assert main(["vectors", "--report", "answers.jsonl", "--cases", f"vectors/{STATE}.jsonl"]) == 0
    capsys.readouterr()
    wrong = program.replace('case["expected"]["outputs"]', '{"0": [[1, 2, 3, 4]] * 3}')
    exec(compile(wrong, "vectors.md", "exec"), {})
    assert "state/temporaries: o0.x of lane 0: expected 0x3f0000, found 0x1\n" in capsys.readouterr().out


@needs("g++")
def test_the_header_reads_and_compares(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The example that answers a suite is built without warnings; its answers are those of the suite, byte for byte what
    lanewise writes."""
    program, answers = tmp_path / "answer", tmp_path / "answers.lwv"
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
    subprocess.run(["g++", *flags, f"-I{folder}", str(EXAMPLES / "answer.cpp"), "-o", str(program)], check=True)
    done = subprocess.run([program, folder / f"{STATE}.lwv", answers], capture_output=True, text=True, check=True)
    assert done.stdout == "5 cases, 0 differ\n"
    assert done.stderr == "run_shader of shader_unit.h gives the expected outcome: call your unit there\n"
    suite = flat.read((folder / f"{STATE}.lwv").read_bytes())
    expected = b"".join([flat.answer_bytes(case.job.number, case.expected) for case in suite.cases])
    assert answers.read_bytes() == flat.header_bytes(suite.identity) + expected
    assert main(["vectors", "--report", str(answers), "--format", "json"]) == 0
    assert checked(capsys.readouterr().out)["equal"] == 5
    broken = tmp_path / "broken.lwv"
    broken.write_bytes((folder / f"{STATE}.lwv").read_bytes()[:-2])
    done = subprocess.run([program, broken, answers], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"{broken}: the file ends inside a record\n")
    data = bytearray((folder / f"{STATE}.lwv").read_bytes())
    first = int.from_bytes(data[12:16], "little")
    data[first + 20 : first + 24] = (1 << 30).to_bytes(4, "little")  # four words for each of these lanes are 2**32
    broken.write_bytes(data)
    done = subprocess.run([program, broken, answers], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"{broken}: a job of less than 5 words, or not of 1 to 65536 lanes\n")
    broken.write_bytes((folder / f"{STATE}.lwv").read_bytes().replace(b"\n", b"\r\n"))
    for name, said in ((broken, "write *.lwv binary to .gitattributes"), (folder, "is a folder, or empty: give one file")):
        done = subprocess.run([program, name, answers], capture_output=True, text=True, check=False)
        assert (done.returncode, said in done.stderr) == (2, True)


_FRAMEWORKS = (
    ("catch2", "catch2/catch_test_macros.hpp", ("-lCatch2Main", "-lCatch2")),  # version 3
    ("catch2", "catch2/catch.hpp", ()),  # version 2
    ("googletest", "gtest/gtest.h", ("-lgtest_main", "-lgtest")),
)


@needs("g++")
@pytest.mark.skipif(not os.environ.get("LANEWISE_VECTORS"), reason="nox -s cpp builds the examples of Catch2 and GoogleTest")
@pytest.mark.parametrize(("name", "include", "libraries"), _FRAMEWORKS, ids=["catch2-3", "catch2-2", "googletest"])
def test_examples_of_frameworks(name: str, include: str, libraries: tuple[str, ...], folder: Path, tmp_path: Path):
    """They pass, and fail with a shader unit whose answers are wrong."""
    probe = f"#if !__has_include(<{include}>)\n#error missing\n#endif\n"
    if subprocess.run(["g++", "-E", "-x", "c++", "-"], input=probe, text=True, capture_output=True, check=False).returncode:
        pytest.skip(f"<{include}> is not installed: apt-get install catch2 libgtest-dev")
    shutil.copy(EXAMPLES / f"{name}.cpp", tmp_path)
    right = (EXAMPLES / "shader_unit.h").read_text()
    wrong = right.replace(
        "return c.expected;", "auto found = c.expected; found.outputs.begin()->second[0][0] ^= 1; return found;"
    )
    assert wrong != right
    environment = {**os.environ, "LANEWISE_VECTORS": str(folder / f"{STATE}.lwv")}
    for unit, passes in ((right, True), (wrong, False)):
        (tmp_path / "shader_unit.h").write_text(unit)
        program = str(tmp_path / name)
        command = ["g++", "-std=c++17", f"-I{folder}", str(tmp_path / f"{name}.cpp"), "-o", program, *libraries, "-pthread"]
        subprocess.run(command, check=True)
        done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) is passes, done.stdout
        assert passes or "expected 0x" in done.stdout


# A process that answers as a suite in JSON lines expects. It dies of case 0, and hangs at case 2.
_HARNESS = """
import json, sys, time
known = {}
for line in open(sys.argv[1]):
    data = json.loads(line)
    if "case" in data:
        known[data["case"]] = data["expected"]
for line in sys.stdin:
    data = json.loads(line)
    if "job" in data:
        if data["case"] == 0:
            sys.exit(3)
        while data["case"] == 2:
            time.sleep(60)
        print(json.dumps({**known[data["case"]], "case": data["case"]}), flush=True)
"""


def test_a_harness_that_dies_and_hangs_is_started_again(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "harness.py").write_text(_HARNESS)
    command = f"{sys.executable} -S -E {tmp_path / 'harness.py'} {folder / STATE}.jsonl"
    arguments = ["vectors", "pica200", "--suite", "state", "--supervise", command, "--form", "jsonl", "--answer-timeout", "0.3"]
    assert main([*arguments, "--format", "json"]) == 1
    found = checked(capsys.readouterr().out)
    rows = {row["case"]: row for row in found["silent"]}
    assert rows[0]["kind"] == "died"
    assert "exit code 3" in rows[0]["reason"]
    assert rows[2]["kind"] == "hangs"
    assert rows[2]["reason"].startswith("more than 0.3 s")
    assert found["answered"] + len(rows) == found["cases"] > 3
    assert found["equal"] == found["answered"]
    assert found["restarts"] >= 2


# A process that answers as a suite in JSON lines expects, but for what it keeps: after case 0 it answers case 2 wrongly, after
# case 1 it dies of case 3. It never answers case 4 rightly.
_LEAKING = """
import json, sys
known = {}
for line in open(sys.argv[1]):
    data = json.loads(line)
    if "case" in data:
        known[data["case"]] = data["expected"]
asked = set()
for line in sys.stdin:
    data = json.loads(line)
    if "job" in data:
        case = data["case"]
        if case == 3 and 1 in asked:
            sys.exit("an assertion failed")
        answer = dict(known[case], case=case)
        if case == 4 or case == 2 and 0 in asked:
            answer["outputs"] = {name: [[1, 2, 3, 4]] * len(lanes) for name, lanes in answer["outputs"].items()}
        asked.add(case)
        print(json.dumps(answer), flush=True)
"""


def test_cases_that_areright_alone(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "harness.py").write_text(_LEAKING)
    command = f"{sys.executable} -S -E {tmp_path / 'harness.py'} {folder / STATE}.jsonl"
    arguments = ["vectors", "pica200", "--suite", "state", "--supervise", command, "--form", "jsonl"]
    assert main([*arguments, "--format", "json"]) == 1
    found = checked(capsys.readouterr().out)
    assert [row["case"] for row in found["silent"]] == [3]
    assert found["unexplained"] == 2
    assert found["alone"]["asked"] == 2  # case 4 is the first of its process
    assert {row["case"]: row["after"] for row in found["alone"]["right"]} == {2: 0, 3: 1}
    assert main(arguments) == 1
    text = capsys.readouterr().out
    assert "right alone  2 of 2 that failed are right when each is sent to a fresh process" in text
    assert "Right alone: 2" in text
    names = {case.job.number: case.name for case in flat.read((folder / f"{STATE}.lwv").read_bytes()).cases}
    assert f"0 {names[0]}" in text


@pytest.mark.parametrize(
    ("answers", "code", "text"),
    [
        (1, 2, "ends with exit code 0 after its first answer: answer jobs in a loop until the input ends, such as for line in"),
        (2, 1, "right when each is sent to a fresh process: answer jobs in a loop until the input ends"),
    ],
)
def test_a_command_that_ends_is_told_to_loop(
    answers: int, code: int, text: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    ends = _LEAKING.replace("case == 3 and 1 in asked", f"len(asked) == {answers}").replace('"an assertion failed"', "0")
    (tmp_path / "harness.py").write_text(ends.replace("case == 4 or case == 2 and 0 in asked", "False"))
    command = f"{sys.executable} -S -E {tmp_path / 'harness.py'} {folder / STATE}.jsonl"
    assert main(["vectors", "pica200", "--suite", "state", "--supervise", command, "--form", "jsonl"]) == code
    said = " ".join("".join(capsys.readouterr()).split())
    assert text in said
    assert "is kept from" not in said
    assert "other words in registers" not in said


def test_a_case_that_was_alone_is_not_sent_again(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The case after one that died is the first of its process."""
    (tmp_path / "harness.py").write_text(_HARNESS.replace('data["case"] == 2', "False"))
    command = f"{sys.executable} -S -E {tmp_path / 'harness.py'} {folder / STATE}.jsonl"
    assert main(["vectors", "pica200", "--suite", "state", "--supervise", command, "--form", "jsonl", "--format", "json"]) == 1
    found = checked(capsys.readouterr().out)
    assert [row["case"] for row in found["silent"]] == [0]
    assert found["alone"] == {"asked": 0, "right": []}


def test_a_unit_that_lacks_the_instructions_of_the_first_cases(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "harness.py").write_text(
        _HARNESS.replace('["case"] == 0', '["case"] < 4').replace('["case"] == 2', '["case"] > 9')
    )
    command = f"{sys.executable} -S -E {tmp_path / 'harness.py'} {folder / STATE}.jsonl"
    assert main(["vectors", "pica200", "--suite", "state", "--supervise", command, "--form", "jsonl"]) == 1
    text = capsys.readouterr().out
    assert "1 of 5 cases" in text
    assert "No answer: 4" in text
    assert "; a suite shows little of what is kept between jobs, lanewise fuzz --against shows more" in " ".join(text.split())
    assert re.search(r"end +4 +0 +state/temporaries +the process died with exit code 3", text)


# A unit whose output registers keep what the jobs before have written.
_KEEPING = """
import json, sys
kept = {}
for line in sys.stdin:
    data = json.loads(line)
    if "job" in data:
        job = data["job"]
        if "KEEP" not in sys.argv[1:]:
            kept = {}
        for word in job["code"]:
            word = int(word, 16) if isinstance(word, str) else word
            if word >> 26 < 0x20 and (word >> 21 & 31) < 16:
                kept[str(word >> 21 & 31)] = [[data["case"] + 1] * 4] * job["lanes"]
        outputs = {str(n): kept.get(str(n), [[0, 0, 0, 0]] * job["lanes"]) for n in job["outputs"]}
        print(json.dumps({"case": data["case"], "status": ["ended"] * job["lanes"], "outputs": outputs}), flush=True)
"""


@pytest.mark.parametrize("keep", ["KEEP", ""])
def test_what_a_unit_keeps_between_jobs_is_seen(keep: str, tmp_path: Path):
    (tmp_path / "unit.py").write_text(_KEEPING)
    profile = profiles["azahar"]
    cases: list[Case] = []
    for register in (0, 1):  # mov o0, v0 and mov o1, v0
        one = 0x3F800000
        job = Job(
            number=register,
            kind=VERTEX,
            lanes=1,
            entry=0,
            code=(0x4C000000 | register << 21, 0x88000000),
            descriptors=(0x36F,),
            inputs={0: ((one, one, one, one),)},
            outputs=(register,),
        )
        cases.append(Case(name=f"case {register}", group="", ops=(), shows="", job=job, expected=running.run(job, profile)))
    suite = Suite(Identity(isa="pica200", suite="x", seed=1, variant="azahar", bits=32), tuple(cases))
    command = f"{sys.executable} -S -E {tmp_path / 'unit.py'} {keep}"
    supervisor = Supervisor(parse(LINE, ["pica200", "--supervise", command, "--form", "jsonl"]), suite)
    found = supervisor.all()
    assert len(found.answers) == 2
    kept = supervisor.kept(found, lambda job: running.run(job, profile))
    assert kept == ((cases[0], cases[1]) if keep else None)
    said = dict(right_alone(Alone(0, ()), kept))
    assert ("kept" in said) is bool(keep)
    if keep:
        assert "0 case 0 has other words in registers that it does not write after case 1 case 1: clear" in said["kept"]


# A process that presses Ctrl-C in place of an answer, and then hangs.
_CTRL_C = """
import os, signal, sys, time
open(sys.argv[1], "w").write(str(os.getpid()))
sys.stdin.buffer.read(1)
os.kill(os.getppid(), signal.SIGINT)
time.sleep(600)
"""


@pytest.mark.skipif(os.name == "nt", reason="os.kill ends a process on Windows")
@pytest.mark.parametrize("command", [["vectors", "pica200", "--suite", "state", "--supervise"], ["fuzz", "--against"]])
def test_ctrl_c_ends_the_process_too(command: list[str], tmp_path: Path):
    (tmp_path / "harness.py").write_text(_CTRL_C)
    harness = f"{sys.executable} -S -E harness.py pid"
    code = (  # SIGINT is ignored by what a shell runs in the background
        "import signal, sys\n"
        "from lanewise.tools.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    words = [sys.executable, "-c", code, *command, harness]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([path for path in sys.path if path])}
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert "interrupted" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--supervise", f"{sys.executable} -c 'raise SystemExit(3)'"], "the command never answers: the process died with"),
        (["--supervise", f"{sys.executable} -c 'raise SystemExit(3)'"], "; read the header first, then answer each job"),
        (["--supervise", "/there/is/none"], "cannot start the command"),
        (["--supervise", __file__], "a Python program is started by its interpreter"),
        (
            ["--supervise", f"{sys.executable} -c 'print(input and 20 * \"text\", flush=True); input()'"],
            "the command writes something else than answers: expected an answer, found the text 'texttext': standard output is",
        ),
        (["--supervise", ""], "names a command"),
        (["--supervise", '"open'], "close the quotation marks"),
        (["--supervise", "x", "--answer-timeout", "0"], "--answer-timeout is '0'"),
        (["--supervise", "x", "--report", "y"], "mutually exclusive"),
        (["--answer-timeout", "3"], "goes with --supervise"),
        (["--ignore-nan", "-o", "x"], "--ignore-nan goes with --report or --supervise"),
    ],
)
def test_a_command_that_cannot_be_supervised(options: list[str], text: str, capsys: pytest.CaptureFixture[str]):
    assert main(["vectors", "pica200", "--suite", "state", *options]) == 2
    assert text in capsys.readouterr().err
