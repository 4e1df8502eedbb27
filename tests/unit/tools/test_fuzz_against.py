"""`lanewise fuzz --against`: findings and their files, processes that misbehave, what is refused."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from documents import checked
from effort import sample, times
from installed import needs
from lanewise.core.vectors import flat
from lanewise.core.vectors.model import FLAT, LINES, Case, Identity, Wanted
from lanewise.core.vectors.peer import Peer
from lanewise.core.vectors.process import DIED, HANGS, WRONG_FORM, PeerError
from lanewise.pica200.sem.profile import find_profile
from lanewise.pica200.vectors import random_jobs, running
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path

HEADER = REPOSITORY / "src" / "lanewise" / "include"
# A process that answers in JSON lines that all outputs are 0, in the words of a program that knows the form only.
ZEROS = """
import json, sys
for line in sys.stdin:
    data = json.loads(line)
    if "job" in data:
        lanes = data["job"]["lanes"]
        outputs = {n: [[0, 0, 0, 0]] * lanes for n in data["job"]["outputs"]}
        print(json.dumps({"case": data["case"], "status": ["ended"] * lanes, "outputs": outputs}), flush=True)
"""


def script(path: Path, text: str) -> str:
    path.write_text(text)
    return f"{sys.executable} -S -E {path}"


def one_job() -> Case:
    job = random_jobs.job(Wanted(seed=1, variant="azahar"), 0)
    return Case(name="", group="", ops=(), shows="", job=job, expected=running.run(job, find_profile("azahar")))


@pytest.mark.parametrize(
    ("text", "form", "kind", "message"),
    [
        ("import sys; sys.exit(3)", FLAT, DIED, "exit code 3"),
        ("import os; os.kill(os.getpid(), 11)", FLAT, DIED, "SIGSEGV"),
        (
            "import sys; sys.stdin.close(); sys.stdout.buffer.write(b'GARBAGE!GARBAGE!'); sys.stdout.flush()",
            FLAT,
            WRONG_FORM,
            "found the text 'GARBAGE!': standard output is for answers",
        ),
        (
            "import sys; sys.stdout.buffer.write(b'\\2\\0\\0\\0\\xff\\xff\\xff\\xff'); sys.stdout.flush(); sys.stdin.read()",
            FLAT,
            WRONG_FORM,
            "limit",
        ),
        (
            "import sys; sys.stdout.buffer.write(b'\\2\\0\\0\\0\\4\\0\\0\\0half'); sys.stdout.flush(); sys.stdin.read()",
            FLAT,
            HANGS,
            "after 4 bytes",
        ),
        ("import sys; sys.stdout.buffer.write(b'\\2\\0\\0\\0\\4\\0\\0\\0half')", FLAT, DIED, "middle of an answer"),
        ("import sys; sys.stdin.read()", FLAT, HANGS, "no answer in time"),
        ("import os, time; os.close(1); time.sleep(60)", FLAT, DIED, "closed its standard output"),
        ("import sys; print('not JSON'); sys.stdout.flush(); sys.stdin.read()", LINES, WRONG_FORM, "not JSON"),
        (
            'import sys; print(\'{"case": 99, "status": ["ended"]}\'); sys.stdout.flush(); sys.stdin.read()',
            LINES,
            WRONG_FORM,
            "job 99",
        ),
        ("import sys; sys.stderr.write('first\\nthe reason\\n'); sys.exit(1)", FLAT, DIED, "exit code 1: the reason"),
    ],
)
def test_a_process_that_does_not_answer_is_an_error(text: str, form: str, kind: str, message: str, tmp_path: Path):
    peer = Peer(
        script(tmp_path / "peer.py", text).split(),
        Identity(isa="pica200", suite="against", seed=1, variant="azahar", bits=32),
        form,
        0.4,
        0.4,
    )
    with pytest.raises(PeerError, match=message) as caught:
        peer.ask(one_job())
    peer.stop()
    assert caught.value.kind == kind


def test_a_list_with_blanks_is_said_to_be_one(capsys: pytest.CaptureFixture[str]):
    for names in (["add,", "mov,", "mul"], ["add", "mov", "mul"]):
        assert main(["fuzz", "--against", "./peer", "--only", *names, "-o", "found"]) == 2
        assert f"--only {' '.join(names)}: a list is one argument: write --only add,mov,mul" in capsys.readouterr().err


def test_a_second_answer_is_an_error_and_the_process_starts_again(tmp_path: Path):
    twice = ZEROS.replace("flush=True)", "flush=True); print('more', flush=True)")
    peer = Peer(
        script(tmp_path / "peer.py", twice).split(),
        Identity(isa="pica200", suite="against", seed=1, variant="azahar", bits=32),
        LINES,
        5.0,
        30.0,
    )
    case = one_job()
    assert peer.ask(case).status == (0,) * case.job.lanes
    with pytest.raises(PeerError) as caught:
        peer.ask(case)
    assert caught.value.kind == WRONG_FORM
    assert peer.ask(case).status == (0,) * case.job.lanes
    peer.stop()
    assert (peer.starts, peer.answers) == (2, 2)


def test_a_second_answer_ends_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """It is no finding: a harness that answers twice is told at once."""
    twice = ZEROS.replace("print(", "print(*2 * [").replace("}), flush", "})], sep='\\n', flush")  # in one piece
    command = script(tmp_path / "peer.py", twice)
    arguments = ["--form", "jsonl", "--only", "mov,add,mul", "--seed", "1", "--programs", "20", "-o", str(tmp_path / "found")]
    assert main(["fuzz", "--against", command, *arguments]) == 2
    text = capsys.readouterr().err
    assert "the process wrote more than one answer to a job; write one answer for each job that is read" in text
    assert not [*(tmp_path / "found").glob("*")]


@pytest.mark.parametrize(
    ("after", "text"),
    [
        ("first", "the process ends with exit code 0 after its first answer: answer jobs in a loop until the input ends"),
        ("of 3", "then an equal answer; answer jobs in a loop until the input ends, whatever the jobs before were"),
    ],
)
def test_a_process_that_ends_is_told_to_loop(after: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Nothing is said to be kept between jobs where the answers are right."""
    limit = 1 if after == "first" else 3
    text_of_peer = LANEWISE.replace("while head := data.read(8):", f"for _ in range({limit}):\n    head = data.read(8)")
    command = script(tmp_path / "peer.py", text_of_peer).replace("-S -E ", "") + " pica200 azahar"
    arguments = ["--profile", "azahar", "--only", "mov", "--seed", "1", "--programs", str(limit + 1)]
    assert main(["fuzz", "--against", command, *arguments, "-o", str(tmp_path / "found")]) == (2 if limit == 1 else 1)
    found = "".join(capsys.readouterr())
    assert text in " ".join(found.split())
    assert "something is kept" not in found


def test_a_difference_is_reduced_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    command = script(tmp_path / "peer.py", ZEROS)
    arguments = ["--form", "jsonl", "--profile", "azahar", "--only", "mov,add,mul", "--seed", "1", "--programs", "20"]
    assert main(["fuzz", "--against", command, *arguments, "-o", str(tmp_path), "--format", "json"]) == 1
    found = checked(capsys.readouterr().out)
    (finding,) = found["findings"]
    assert (found["variant"], found["differing"], finding["kind"], finding["vertices"]) == ("azahar", 1, "differs", 1)
    assert finding["words"] <= 2
    assert finding["steps"]
    source = tmp_path / f"against-pica200-1-{finding['program']}.v.pica"
    text = source.read_text()
    assert f"--seed 1 --first {finding['program']} --programs 1 --profile azahar --only mov,add,mul --form jsonl" in text
    # The suite of one case expects what lanewise gives, and the source is its program.
    suite = flat.read((tmp_path / f"{source.name.removesuffix('.v.pica')}.lwv").read_bytes())
    (case,) = suite.cases
    assert running.run(case.job, find_profile("azahar")).outputs == case.expected.outputs
    given = [word for rows in case.job.inputs.values() for row in rows for word in row if word]
    given += [word for row in case.job.floats.values() for word in row if word]
    assert len(given) <= 1, "data that do not matter are 0"


def test_a_difference_is_reduced_where_the_process_also_dies(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Each process gives three answers, and dies of the fourth job."""
    dies = ZEROS.replace("for line", "answers = 0\nfor line").replace(
        "        lanes =", "        answers += 1\n        if answers > 3: sys.exit(1)\n        lanes ="
    )
    command = script(tmp_path / "peer.py", dies)
    arguments = [
        "--form",
        "jsonl",
        "--profile",
        "azahar",
        "--only",
        "mov,add,mul",
        "--seed",
        "1",
        "--first",
        "1",
        "--programs",
        "1",
    ]
    assert main(["fuzz", "--against", command, *arguments, "-o", str(tmp_path), "--format", "json"]) == 1
    (finding,) = checked(capsys.readouterr().out)["findings"]
    assert finding["kind"] == "differs"
    assert finding["words"] <= 2


# A process that is lanewise itself under another variant: what it answers differs only where the variants do.
LANEWISE = f"""
import sys
sys.path[:0] = {[str(REPOSITORY / "src"), *sys.path]!r}
from lanewise.core.vectors import flat
from lanewise.packages import packages
target, variant = sys.argv[1:]
vectors = next(package for package in packages() if package.name == target).vectors()
data = sys.stdin.buffer
data.read(int.from_bytes(data.read(16)[12:], "little") - 16)
while head := data.read(8):
    words = memoryview(data.read(4 * int.from_bytes(head[4:], "little"))).cast("I")
    case = flat.read_job(tuple(words), 0)
    sys.stdout.buffer.write(flat.answer_bytes(case.job.number, vectors.run(case.job, variant)))
    sys.stdout.buffer.flush()
"""


def under(path: Path, target: str, variant: str) -> str:
    return script(path, LANEWISE).replace("-S -E ", "") + f' {target} "{variant}"'


# The same with planted defects: every loop steps aL by 1; rcp of 0 is 0.
LOOP_STEP = """
old_run = vectors.run
def stepped(job, variant):
    return old_run(job._replace(integers={n: (x, y, 1, w) for n, (x, y, _, w) in job.integers.items()}), variant)
vectors = vectors._replace(run=stepped)
"""
RCP_OF_ZERO = """
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import find_profile
rule = type(number_rule(find_profile("azahar")))
old_rcp = rule.rcp
rule.rcp = lambda m, a: 0 if not a & 0x7FFFFFFF else old_rcp(m, a)
"""


AL_KEPT = """
sys.argv[2] = "azahar, al_restore=kept"
target, variant = sys.argv[1:]
"""


@pytest.mark.parametrize(
    ("defects", "kind", "causes"),
    sample(  # two defects at once by default
        [
            (LOOP_STEP + RCP_OF_ZERO, "vertex", {"differs: for, step of aL", "differs: rcp"}),
            (LOOP_STEP + AL_KEPT, "vertex", {"differs: for, step of aL", "al_restore=kept"}),
            (LOOP_STEP, "vertex", {"differs: for, step of aL"}),
            (LOOP_STEP + RCP_OF_ZERO, "geometry", {"differs: for, step of aL", "differs: rcp"}),
            (RCP_OF_ZERO, "vertex", {"differs: rcp"}),
        ],
        3,
    ),
)
def test_a_defect_is_one_finding(defects: str, kind: str, causes: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = LANEWISE.replace("data = sys.stdin.buffer", defects + "data = sys.stdin.buffer")
    command = script(tmp_path / "peer.py", text).replace("-S -E ", "") + " pica200 azahar"
    only = "add,mul,mov,mad,dp4,max,min,sge,slt,rcp,for" + (",emit,setemit" if kind == "geometry" else "")
    arguments = ["--profile", "azahar", "--only", only, "--kind", kind, "--nested", "--seed", "1", "--format", "json"]
    programs, findings = (times(110, 150), 9) if kind == "vertex" else (times(150, 300), 2)
    limits = ["--programs", str(programs), "--findings", str(findings)]
    assert main(["fuzz", "--against", command, *arguments, *limits, "-o", str(tmp_path)]) == 1
    found = checked(capsys.readouterr().out)
    assert set(found["causes"]) == causes
    assert found["differing"] > len(causes)


def test_an_open_question_explains_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A process that multiplies as the hardware does not: the finding names the answer of the profile that it follows."""
    command = under(tmp_path / "peer.py", "pica200", "hardware, mad_rounding=once")
    arguments = ["--only", "mad,madi,mov", "--seed", "3", "--first", "39", "--programs", "1", "--nested"]
    assert main(["fuzz", "--against", command, *arguments, "-o", str(tmp_path)]) == 1
    assert "mad_rounding=once" in capsys.readouterr().out


def test_a_program_separates_the_answers_that_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    command = under(tmp_path / "peer.py", "pica200", "azahar, al_restore=kept")
    arguments = ["--profile", "azahar", "--only", "add,mov,for", "--nested", "--seed", "1", "--programs", "20"]
    arguments += ["--findings", "1", "-o", str(tmp_path)]
    assert main(["fuzz", "--against", command, *arguments, "--format", "json"]) == 1
    (finding,) = checked(capsys.readouterr().out)["findings"]
    assert len(finding["answers"]) > 1
    assert {row["answer"]: row["others"] for row in finding["candidates"]}["al_restore=kept"]
    separates = finding["separates"]
    assert set(separates["gives"]) == set(finding["answers"])
    assert separates["fits"] == ["al_restore=kept"]
    # The suite has what the profile gives; each answer gives what is said of it.
    (case,) = flat.read((tmp_path / separates["suite"]).read_bytes()).cases
    assert case.expected.outputs == running.run(case.job, find_profile("azahar")).outputs
    outcomes = {name: running.run(case.job, find_profile("azahar").set(name)).outputs for name in separates["gives"]}
    assert [name for name, found in outcomes.items() if found == outcomes["al_restore=kept"]] == ["al_restore=kept"]
    assert {name for name, text in separates["gives"].items() if text == "as expected"} == {
        name for name, found in outcomes.items() if found == case.expected.outputs
    }
    text = (tmp_path / separates["file"]).read_text()
    assert "; The answer is that of: al_restore=kept" in text
    assert main(["fuzz", "--against", command, *arguments]) == 1
    assert f"{separates['file']} separates them" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("peer", "expected", "closest"),
    [
        ("azahar, loop_rounds=x+2", ["--profile", "azahar"], ["azahar", "loop_rounds=x+2"]),
        ("panda3ds", ["--profile", "panda3ds", "--set", "loop_rounds=x+1"], ["panda3ds"]),
        ("azahar", ["--profile", "azahar"], []),
    ],
)
def test_the_nearest_preset(
    peer: str, expected: list[str], closest: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    command = under(tmp_path / "peer.py", "pica200", peer)
    arguments = [*expected, "--only", "add,mov,for", "--nested", "--seed", "1", "--programs", "12", "--findings", "1"]
    main(["fuzz", "--against", command, *arguments, "-o", str(tmp_path), "--format", "json"])
    assert checked(capsys.readouterr().out)["closest"] == closest


def test_a_profile_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "console.toml").write_text('preset = "azahar"\nmad_rounding = "once"\n')
    command = under(tmp_path / "peer.py", "pica200", "azahar, mad_rounding=once")
    arguments = ["--only", "mad,mov", "--seed", "3", "--programs", "3", "--profile", str(tmp_path / "console.toml")]
    assert main(["fuzz", "--against", command, *arguments]) == 0
    assert "azahar, mad_rounding=once" in capsys.readouterr().out
    (tmp_path / "wrong.toml").write_text('colour = "red"\n')
    assert main(["fuzz", "--against", command, "--profile", str(tmp_path / "wrong.toml")]) == 2
    assert "colour" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("target", "options", "variant", "cause"),
    [
        ("pica200", ("--kind", "geometry"), "hardware, winding_swap=outer", "winding_swap=outer"),
        ("shadercore", (), "rtl, mul=nearest", "mul=nearest"),
        ("direct3d9", ("--kind", "pixel"), "ieee, zero_product=zero", "zero_product=zero"),
    ],
)
def test_every_target_has_random_programs(
    target: str, options: tuple[str, ...], variant: str, cause: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    command = under(tmp_path / "peer.py", target, variant)
    arguments = ["--target", target, *options, "--seed", "1", "--programs", "40"]
    assert main(["fuzz", "--against", command, *arguments, "-o", str(tmp_path), "--format", "json"]) == 1
    found = checked(capsys.readouterr().out)
    (finding,) = found["findings"]
    assert finding["cause"] == cause
    assert finding["steps"]
    read = flat.read((tmp_path / finding["suite"]).read_bytes())
    assert (read.identity.isa, len(read.cases)) == (target, 1)
    # The source is the program of the case, for a command that knows the instruction set.
    assert main(["inspect", finding["file"]]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["./no-such-command"], "cannot start the command"),
        (
            [str(REPOSITORY / "examples" / "vectors" / "peer.cpp")],
            "a C++ source, not a program: build it first, `g++ -std=c++17 -I",
        ),
        ([str(REPOSITORY / "examples" / "dump" / "code.txt")], "a text, not a program: --against takes a command that answers"),
        ([f"{REPOSITORY / 'noxfile.py'} --fast"], 'a Python program is started by its interpreter: --against "python3 '),
        ([str(REPOSITORY)], "a folder, not a program"),
        ([""], "names a command"),
        (['"'], "close the quotation marks"),
        (["true", "--only", "nonsense"], "unknown instruction 'nonsense'"),
        (["true", "--profile", "nobody"], "unknown profile 'nobody'"),
        (["true", "--target", "shadercore", "--kind", "geometry"], "--kind geometry: shadercore has wave"),
        (["true", "--timeout", "0"], "--timeout is a number above 0"),
        (["true", "--programs", "9"], "; read the header first, then answer each job, and flush the answer, before you read"),
        (["true", "--programs", "2", "--first", "10"], "never answers"),  # the second one is not sent
    ],
)
def test_wrong_usage(arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["fuzz", "--against", *arguments, "-o", str(tmp_path), "--seed", "1"]) == 2
    assert message in capsys.readouterr().err


@needs("g++")
def test_the_example_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program = tmp_path / "peer"
    source = REPOSITORY / "examples" / "vectors" / "peer.cpp"
    subprocess.run(
        ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{HEADER}", str(source), "-o", str(program)], check=True
    )
    arguments = ["--profile", "azahar", "--only", "add,mov,mul", "--ignore-nan", "--seed", "1", "--programs", "40"]
    assert main(["fuzz", "--against", str(program), *arguments, "-o", str(tmp_path)]) == 0
    assert "no difference" in capsys.readouterr().out
    arguments = ["--profile", "azahar", "--ignore-nan", "--seed", "3", "--programs", "6", "-o", str(tmp_path)]
    assert main(["fuzz", "--against", str(program), *arguments]) == 1
    err = capsys.readouterr().err
    assert err.count("reducing it") == 1
    assert "it dies of" in err and ": --only add,mov,mul leaves out the others" in err
