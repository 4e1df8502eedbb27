"""Mutated files, the same in every run, and the harness itself: it finds what it is for."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from effort import times
from fuzz import harness, processes
from fuzz.__main__ import main as fuzz_main
from fuzz.commands import FILE, OUT
from fuzz.harness import Harness, Mutant, command, limited_memory, mutant
from fuzz.hlsl import hlsl, mutate_hlsl
from fuzz.kinds import BY_NAME, KINDS
from fuzz.processes import Processes
from fuzz.shrinking import shrunk
from installed import needs
from lanewise.compile.outside.modules import to_spirv
from lanewise.core.diagnostics import InputError
from lanewise.core.service import STDIO, InputFailure, SourceFile
from lanewise.dap.adapter import Adapter
from lanewise.pica200.engine.run import Runner
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 20261122
INPUTS = times(80, 20000)
SHARE = sum(kind.weight for kind in KINDS)
# Commands that refuse every file of the kind, or every seed, such as runs without data.
REFUSING = {
    ("picasso", "run", "--count"),
    ("nihstro", "run", "--count"),
    ("included", "compile"),
    ("shbin", "asm"),
    ("data", "check"),
    ("words", "inspect"),
    ("program", "inspect", "--scan"),
    ("npy", "run"),
    ("direct3d9", "run", "--count", "1"),
    ("stream", "run", "--count", "1"),
    ("answers", "--cases"),
    ("units", "build", "--check"),
}


@pytest.fixture
def fuzzed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Harness:
    """A harness whose runs use one engine, as users' runs do: the two are compared elsewhere."""
    run: Any = Runner.run
    monkeypatch.setattr(Runner, "run", run.__wrapped__)
    return Harness(tmp_path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_mutants(kind: str, fuzzed: Harness):
    count = max(times(4, 6), round(INPUTS * BY_NAME[kind].weight / SHARE))
    with limited_memory():
        for number in range(count):
            one = mutant(BY_NAME[kind], SEED, number)
            code, fault = fuzzed.run(one)
            assert fault is None, f"python -m fuzz --kind {kind} --seed {SEED} --first {number} --inputs 1: {fault}"
            assert code in (0, 1, 2)


@needs("glslc")
def test_most_mutants_of_hlsl_are_shaders():
    """Others end in the compiler outside."""
    passed = 0
    seeds = hlsl()
    for number in range(times(6, 200)):
        rng = random.Random(number)
        seed = rng.choice(seeds)
        with suppress(InputError):
            to_spirv(SourceFile(seed.name, mutate_hlsl(rng, seed, seeds)), "hlsl", entry="main")
            passed += 1
    assert passed >= times(3, 120)


def test_the_commands_take_the_seeds(fuzzed: Harness):
    """Each command succeeds for some seed of its kind that is not mutated; otherwise it would never get beyond its first
    check."""
    refusing: set[tuple[str, ...]] = set()
    for kind in KINDS:
        for template in kind.commands:
            known = any(set(row) <= {kind.name, *template} for row in REFUSING)
            for seed in kind.seeds()[: times(1, 60) if known else 60]:
                name = kind.file.replace("*", seed.name.rpartition(".")[2])
                code, fault = fuzzed.run(Mutant(kind, 0, name, seed.data, command(template, seed)))
                assert fault is None, (kind.name, template, seed.name, fault)
                if code == 0:
                    break
            else:
                refusing.add((kind.name, *template))
    unexpected = {row for row in refusing if not any(set(known) <= set(row) for known in REFUSING)}
    assert unexpected == set()


def test_mutants_are_the_same_in_every_process():
    rows = [mutant(kind, 7, number) for kind in KINDS for number in range(3)]
    assert rows == [mutant(kind, 7, number) for kind in KINDS for number in range(3)]
    assert len({row.data for row in rows}) > len(KINDS)


# The harness


def raising(arguments: list[str]) -> int:
    raise ValueError("7 of 'x'")


def changing_its_input(arguments: list[str]) -> int:
    Path(arguments[1]).write_text("changed")
    return 0


def changing_an_output(arguments: list[str]) -> int:
    Path(arguments[-1]).write_text("half of i")
    print("an error")
    return 1


def leaving_a_file(arguments: list[str]) -> int:
    Path(arguments[-1]).with_name(".name.tmp").touch()
    return 0


def never_ending(arguments: list[str]) -> int:
    end = time.process_time() + 60
    while time.process_time() < end:
        pass
    return 0


def taking_memory(arguments: list[str]) -> int:
    return len(bytearray(2 * harness.MEMORY)) and 0  # twice, as the process may have given memory back since


def printing_an_escape(arguments: list[str]) -> int:
    print("unknown name '\x1b]0;x'", file=sys.stderr)
    return 1


def saying_nothing(arguments: list[str]) -> int:
    return 1


def leaving(arguments: list[str]) -> int:
    raise SystemExit(3)


def internal(arguments: list[str]) -> int:
    return cli.guarded("lanewise", raising, arguments)


@pytest.mark.parametrize(
    ("main", "what"),
    [
        (raising, "raises ValueError: 7 of 'x' in "),
        (changing_its_input, "an input was changed"),
        (changing_an_output, "an output was changed after an error"),
        (leaving_a_file, "left files: .name.tmp"),
        (never_ending, "takes more than"),
        (taking_memory, "raises MemoryError"),
        (printing_an_escape, "prints a control character"),
        (saying_nothing, "exit code 1 without a message"),
        (leaving, "exit code 3"),
        (internal, "internal error: ValueError"),
    ],
)
def test_faults_are_found(main: Callable[[list[str]], int], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found = Harness(tmp_path)
    monkeypatch.setattr(harness.cli, "main", main)
    if main is never_ending:
        monkeypatch.setattr(harness, "CPU_SECONDS", 0.2)
    with limited_memory():
        _, fault = found.run(Mutant(BY_NAME["picasso"], 0, "x.v.pica", b"mov\n", ("asm", FILE, "-o", OUT)))
    assert fault is not None
    assert fault.what.startswith(what)
    assert "7" not in fault.signature  # one cause, one signature
    assert [path.name for folder in ("in", "out") for path in (tmp_path / folder).iterdir()] == []


def test_good_commands_have_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuses(arguments: list[str]) -> int:
        raise InputFailure("x")

    def guarded(arguments: list[str]) -> int:
        return cli.guarded("lanewise", refuses, arguments)

    monkeypatch.setattr(harness.cli, "main", guarded)
    assert Harness(tmp_path).run(Mutant(BY_NAME["shbin"], 0, "x.shbin", b"", ("dis", FILE, "-o", OUT))) == (1, None)


def waiting(arguments: list[str]) -> int:
    time.sleep(60)
    return 0


def catching_everything(arguments: list[str]) -> int:
    with suppress(BaseException):
        never_ending(arguments)
    return 0


@pytest.mark.parametrize(
    ("main", "what"), [(waiting, "does not end within 0.05 s"), (catching_everything, "takes more than 0.1 s")]
)
def test_commands_that_wait_or_catch_everything_are_found(
    main: Callable[[list[str]], int], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(harness.cli, "main", main)
    monkeypatch.setattr(harness, "CPU_SECONDS", 0.1)
    monkeypatch.setattr(harness, "WALL_SECONDS", 0.05 if main is waiting else 60)
    _, fault = Harness(tmp_path).run(Mutant(BY_NAME["shbin"], 0, "x.shbin", b"", ("dis", FILE)))
    assert fault is not None and fault.what.startswith(what)


# Programs in the place of `lanewise asm`, and what is wrong with them.
PROGRAMS = (
    ("raise ValueError(7)", "prints a traceback"),
    ("bytearray(1 << 36)", "prints a traceback"),
    ("import os; os.kill(os.getpid(), 9)", "the process ends with -9"),
    ("raise SystemExit(3)", "exit code 3"),
    ("raise SystemExit(1)", "exit code 1 without a message"),
    ("print()", ""),
)


@pytest.mark.parametrize(("program", "what"), PROGRAMS)
def test_faults_of_processes_are_found(program: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(processes, "OTHER_PROGRAMS", {"asm": ("-S", "-c", program)})
    _, fault = Processes(tmp_path).run(Mutant(BY_NAME["picasso"], 0, "x.v.pica", b"mov\n", ("asm", FILE, "-o", OUT)))
    assert (fault.what if fault is not None else "") == what


@pytest.mark.parametrize("name", ["picasso", "shadertest"])
def test_a_process_gives_what_the_command_gives_here(name: str, tmp_path: Path):
    kind = BY_NAME[name]
    one = mutant(kind, SEED, 0)
    one = one._replace(arguments=command(kind.commands[0], kind.seeds()[0]))
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    assert Harness(tmp_path / "here").run(one) == Processes(tmp_path / "there").run(one)


def silent(adapter: Adapter, message: object) -> None:
    """Nothing is answered."""


def test_a_server_that_does_not_answer_has_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Adapter, "handle", silent)
    kind = BY_NAME["dap"]
    one = Mutant(kind, 0, "talk.jsonl", kind.seeds()[0].data, kind.commands[0])
    _, fault = Harness(tmp_path).run(one)
    assert fault is not None and fault.what.startswith("raises Silent: no answer to 'initialize'")


@pytest.mark.parametrize("name", ["lsp", "dap"])
def test_a_conversation_is_sent_to_a_process(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What the process prints is looked at, but for its log."""
    kind = BY_NAME[name]
    one = Mutant(kind, 0, "talk.jsonl", kind.seeds()[0].data, kind.commands[0])
    assert Processes(tmp_path).run(one) == (0, None)
    monkeypatch.setattr(
        processes, "OTHER_PROGRAMS", {name: ("-S", "-c", "import sys; sys.stdin.read(); print('internal error (x): please')")}
    )
    (tmp_path / "other").mkdir()
    _, fault = Processes(tmp_path / "other").run(one)
    assert fault is not None and fault.what == "internal error: x"


def test_shrinking():
    data = b"one\ntwo and more\nthree\n" * 20
    tried: list[bytes] = []

    def faulty(candidate: bytes) -> bool:
        tried.append(candidate)
        return candidate.count(b"w") >= 2

    assert shrunk(data, faulty, 1000) == b"ww"
    assert len(tried) < 200
    tried.clear()
    assert faulty(shrunk(data, faulty, 5))
    assert len(tried) == 6


def of_two_processes(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[list[Path], str]:
    """The saved files and the table of a run of 40 mutants."""
    kinds = ["--kind", "shadercore", "--kind", "nihstro"]
    assert fuzz_main([*kinds, "--inputs", "40", "--seed", "5", "--jobs", "2", "-o", str(folder)]) == 1
    return sorted(folder.iterdir()), capsys.readouterr().out


def raising_for_mov(arguments: list[str]) -> int:
    return raising(arguments) if b"mov" in read(arguments[1]) else 0


def read(path: str) -> bytes:
    return Path(path).read_bytes() if path != STDIO else b""


def ending_for_mul(arguments: list[str]) -> int:
    if b"mul" in read(arguments[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.mark.skipif(os.name != "posix", reason="processes are started by fork")
def test_faults_are_shrunk_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(harness.cli, "main", raising_for_mov)
    saved, table = of_two_processes(tmp_path / "faults", capsys)
    assert {path.read_bytes() for path in saved if path.suffix == ".vsh"} == {b"mov"}
    assert "raises ValueError: 7 of 'x'" in saved[1].read_text("utf-8")
    assert table.splitlines()[-2].split()[:2] == ["all", "40"]


@pytest.mark.skipif(os.name != "posix", reason="processes are started by fork")
def test_a_process_that_ends_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(harness.cli, "main", ending_for_mul)
    saved, table = of_two_processes(tmp_path / "faults", capsys)
    assert any("the process ends with -9" in path.read_text("utf-8") for path in saved if path.suffix == ".txt")
    assert table.splitlines()[-2].split()[:2] == ["all", "40"]
