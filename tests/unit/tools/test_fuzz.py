"""`lanewise fuzz` as a user meets it: what it says, what it writes, how it ends."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise
from documents import checked
from effort import times
from engines.fuzz_workers import WRONG, dies, dies_once, finds
from lanewise.core.engines import REFERENCE
from lanewise.core.fuzzing import Origin
from lanewise.direct3d9.engine import differential
from lanewise.direct3d9.engine import random_programs as direct3d9
from lanewise.direct3d9.engine.differential import Difference
from lanewise.llvm import movement, movers
from lanewise.llvm.text import Text
from lanewise.packages import package_of
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.services.fuzz_case import case_source
from lanewise.pica200.engine.differential import compare, data_of
from lanewise.pica200.engine.llvm import compiled, first
from lanewise.pica200.engine.random_programs import Case, case
from lanewise.pica200.engine.reduce import reduced
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem.numbers import Float24, Float32
from lanewise.tools import cli, fuzz
from lanewise.tools.fuzz_compiler import asks_for_compiler

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

TESTS = Path(__file__).parents[2]


def test_programs_are_compared(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["fuzz", "--programs", "6", "--seed", "5"]) == 0
    out, err = capsys.readouterr()
    assert re.match(
        r"6 programs in [\d.]+ s \([\d.]+ a second\), seed 5 from 0, level native\n\d+ lanes, \d+ of them ran to the end\n",
        out,
    )
    assert out.endswith("no difference\n")
    assert err.startswith("seed 5, level native\n")


def test_json(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["fuzz", "--programs", "3", "--seed", "5", "--first", "40", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    found = checked(out)
    assert (found["seed"], found["first"], found["programs"], found["findings"], found["interrupted"]) == (5, 40, 3, [], False)
    assert found["compiled"] + sum(found["reasons"].values()) == 3
    assert err == ""


def test_time_is_kept(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["fuzz", "--minutes", "0.01", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["seconds"] >= 0.6


def test_what_differs_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "new" / "found"
    arguments = ["--seed", "3", "--programs", "9", "-o", str(folder), "--format", "json"]
    assert fuzz.main(arguments, finds) == 1
    found = checked(capsys.readouterr().out)
    assert found["programs"] == 2
    assert found["reasons"] == {"because of N reasons": 1}
    place = folder / "fuzz-3-1.v.pica"
    assert found["findings"] == [{"program": 1, "file": str(place), "words": 1, **WRONG._asdict()}]
    text = place.read_text()
    assert "; Found by: lanewise fuzz --seed 3 --first 1 --programs 1\n" in text
    assert [decode(word).op.name for word in assemble_sources([("x.v.pica", text)]).encoded.words] == ["mov"]
    assert fuzz.main([*arguments[:-2], "--findings", "2"], finds) == 1
    assert f"program 1 differs: o1 of vertex 0, {place}\n1 differ\n" in capsys.readouterr().out


def test_a_crash_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["--seed", "3", "--programs", "3", "--findings", "2", "-o", str(tmp_path), "--format", "json"]
    assert fuzz.main(arguments, dies) == 1
    found = checked(capsys.readouterr().out)
    assert found["programs"] == 3
    assert [finding["where"] for finding in found["findings"]] == ["the process died with SIGKILL"]
    assert (tmp_path / "fuzz-3-0.v.pica").exists()


def test_a_process_that_somebody_ends_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("FUZZ_TEST", str(tmp_path / "ended"))
    assert fuzz.main(["--seed", "3", "--programs", "4", "-o", str(tmp_path), "--format", "json"], dies_once) == 0
    found = checked(capsys.readouterr().out)
    assert (found["programs"], found["ended"], found["findings"]) == (4, 4, [])
    assert (tmp_path / "ended").exists()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_control_c_ends_it_with_the_summary(how: signal.Signals, tmp_path: Path):
    code = (
        "import signal\n"
        "from engines.fuzz_workers import interrupts\n"
        "from lanewise.tools import fuzz\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored by what a shell runs in the background
        "raise SystemExit(fuzz.main(['--minutes', '5', '--seed', '1'], interrupts))\n"
    )
    paths = os.pathsep.join([str(TESTS), *(path for path in sys.path if path)])
    environment = os.environ | {"PYTHONPATH": paths, "FUZZ_TEST": str(int(how))}
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    out, err = process.stdout, process.stderr
    assert process.returncode == 0, err
    assert ", interrupted\n" in out
    assert out.endswith("no difference\n")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--minutes", "0"],
        ["--minutes", "nan"],
        ["--programs", "0"],
        ["--first", "-1"],
        ["--level", "mmx"],
        ["-o", "/dev/null/found"],
        ["-o", "-"],
        ["x"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert cli.main(["fuzz", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


@pytest.mark.parametrize("number", range(12))
def test_a_case_as_a_source(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """The source assembles to the words, and its commands give the answer of the reference engine."""
    one = _one_lane(case(11, number))
    text = case_source(one, WRONG._replace(budget=64), "found", "lanewise fuzz")
    made = assemble_sources([("found.v.pica", text)])
    assert (made.encoded.words, made.encoded.descriptors) == (one.words, one.descriptors)
    monkeypatch.chdir(tmp_path)
    Path("found.v.pica").write_text(text)
    commands = [line.removeprefix(";   ") for line in text.splitlines() if line.startswith(";   lanewise run")]
    assert [command.rpartition(" ")[2] for command in commands] == ["reference", "llvm"]
    wanted = Runner(one.words, one.descriptors, 0, one.profile).run(*data_of(one), (), range(16), 64, engine=REFERENCE)
    for command in commands:
        cli.main([*shlex.split(command)[1:], "--format", "json"])
        out, err = capsys.readouterr()
        found = checked(out)
        assert "outputs" in found, (found, err)
        assert {fault["code"] for fault in found["faults"]} == {fault.code for _, fault in wanted.faults}
        for key, output in found["outputs"].items():
            assert _numbers(output["bits"], one) == _numbers(wanted.bits[key].tolist(), one), key


def test_shaders_of_direct3d9_are_compared(capsys: pytest.CaptureFixture[str]):
    """Seed and number give the same shader each time, alone or among others."""
    found: list[dict[str, int]] = []
    half = times(1, 3)
    for extra in (["--programs", f"{2 * half}"], ["--programs", f"{half}"], ["--first", f"{half}", "--programs", f"{half}"]):
        assert cli.main(["fuzz", "--target", "direct3d9", "--seed", "2", "--format", "json", *extra]) == 0
        found.append(json.loads(capsys.readouterr().out))
    whole, first, second = found
    assert (whole["programs"], whole["findings"]) == (2 * half, [])
    for key in ("compiled", "vertices", "ended"):
        assert whole[key] == first[key] + second[key] > 0, key


def test_a_shader_of_direct3d9_that_differs_is_reduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Where every shader with a `mul` differs, a `mul` is what is left, in a source that runs."""

    def differs(one: direct3d9.Case, rule: object, level: str) -> differential.Comparison:
        muls = [item for item in one.shader.insts if item.op.name == "mul"]
        return differential.Comparison(
            Difference(register="oPos", component=1, lane=0, reference=0x3F800000, llvm=0) if muls else None, b""
        )

    service = package_of("direct3d9").random_programs
    assert service is not None
    monkeypatch.setattr(differential, "compared", differs)
    number = next(number for number in range(100) if service().compare(4, number, "native").difference is not None)
    ticks: list[None] = []
    origin = Origin("found", f"lanewise fuzz --target direct3d9 --seed 4 --first {number} --programs 1")
    small = service().reduce(4, number, "native", origin, lambda: ticks.append(None))
    assert ticks
    assert small.difference[:3] == ("oPos.y of lane 0", "0x3F800000", "0x00000000")
    assert "Lanes: 1" in small.source
    assert "words:" not in small.source, "no data is needed for it"
    comments = [line for line in small.source.splitlines() if line.startswith("//")]
    assert f"// Found by: {origin.command}" in comments
    assert len([line for line in small.source.splitlines() if line.strip().startswith("mul")]) == 1
    (tmp_path / "found.vsa").write_text(small.source)
    assert lanewise.load(tmp_path / "found.vsa").isa == "direct3d9"
    whole = service().written(4, number, small.difference, origin)
    assert whole.words > small.words


def test_a_defect_of_an_engine_is_found_and_reduced(monkeypatch: pytest.MonkeyPatch):
    """A compiled engine that loses bit 0 of every result. Candidates that do not run, as their data or blocks do not fit, do
    not count."""
    real = differential.kernels.run

    def broken(*arguments: Any, **options: Any) -> Any:
        found = real(*arguments, **options)
        if isinstance(found, str):
            return found
        return found._replace(outputs={key: grid & np.uint32(0xFFFFFFFE) for key, grid in found.outputs.items()})

    monkeypatch.setattr(differential.kernels, "run", broken)
    service = package_of("direct3d9").random_programs
    assert service is not None
    for numbers in (range(4), range(4, 8)):  # the second four have random answers to open questions
        number = next(number for number in numbers if service().compare(9, number, "native").difference is not None)
        small = service().reduce(9, number, "native", Origin("found", "x"), lambda: None)
        assert small.words < 30
        assert small.difference.reference != small.difference.compiled
        assert small.source.startswith("// The engines differ under lanewise run --rule ")
        assert (" --set " in small.source.splitlines()[0]) is (number > 3)


def _odd_arrays(monkeypatch: pytest.MonkeyPatch):
    """First results lose bit 7."""
    real = first.run

    def broken(*given: Any) -> Any:
        found = real(*given)
        return found and ({n: _without_bit_7(rows) for n, rows in found[0].items()}, found[1])

    monkeypatch.setattr(first, "run", broken)


def _without_bit_7(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return (rows.view(np.uint32) & np.uint32(0xFFFFFF7F)).view(np.float32)


def _odd_products(monkeypatch: pytest.MonkeyPatch):
    """Kernels have sums in place of products of one kind."""
    monkeypatch.setattr(Text, "fmul", Text.fadd)


def _odd_movers(monkeypatch: pytest.MonkeyPatch):
    """What kernels call to load and store exchanges two components."""
    real = movement.transposed

    def broken(text: Text, rows: list[str]) -> list[str]:
        return real(text, [rows[1], rows[0], *rows[2:]])

    monkeypatch.setattr(movement, "transposed", broken)
    monkeypatch.setattr(compiled, "movers", movers.movers.__wrapped__)


def _odd_reference(monkeypatch: pytest.MonkeyPatch):
    """The reference engine adds what it is to multiply."""
    for rule in (Float24, Float32):
        monkeypatch.setattr(rule, "mul", rule.add)


@pytest.mark.parametrize(
    ("plant", "number"),
    [
        (_odd_arrays, 2),
        (_odd_products, 22),  # quick kernels
        (_odd_products, 16),  # the best
        (_odd_products, 3),  # of geometry shaders
        (_odd_movers, 2),
        (_odd_movers, 21),
        (_odd_reference, 22),
        (_odd_reference, 3),
    ],
)
def test_a_defect_of_each_engine_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], number: int, monkeypatch: pytest.MonkeyPatch
):
    """A program of seed 3 differs with what is planted, and not without it: vertex and geometry shaders, kernels of both tiers,
    and arrays."""
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    service = package_of("pica200").random_programs
    assert service is not None
    assert service().compare(3, number, "native").difference is None
    plant(monkeypatch)
    assert service().compare(3, number, "native").difference is not None


def _numbers(rows: list[list[int]], one: Case) -> list[list[int | str]]:
    """Words; a command line has no way to say which NaN of float32 is meant."""
    wide = one.profile.rounding == "float32"
    return [["NaN" if wide and word & 0x7FFFFFFF > 0x7F800000 else word for word in row] for row in rows]


def _one_lane(one: Case) -> Case:
    return one._replace(lanes=1, inputs=tuple(rows[:1] for rows in one.inputs))


def test_the_smallest_case_is_found():
    """Of a case that needs a loop, an rsq and a negative v2.y, nothing else is left."""

    def shows(candidate: Case) -> bool:
        names = {decode(word).op.name for word in candidate.words}
        negative = any(len(row) > 1 and row[1] >> 23 == 1 for row in candidate.inputs[2])
        return {"for", "rsq"} <= names and negative and compare(candidate).difference is None

    one = next(one for one in (case(3, number) for number in range(0, 600, 6)) if shows(one))
    small = reduced(one, shows)
    assert sorted(decode(word).op.name for word in small.words) == ["for", "rsq"]
    assert small.lanes == 1
    assert not any(any(vector) for vector in (*small.floats, *small.integers))
    assert not any(small.booleans)
    assert [len(rows) for rows in small.inputs] == [0, 0, 1, 0]
    assert small.inputs[2][0][0] == 0
    assert small.profile.differences() == {}


def test_no_arguments_ask_for_no_compiler():
    assert not asks_for_compiler([])
    assert asks_for_compiler(["--target", "shadercore"])
    assert asks_for_compiler(["--target=shadercore"])
    assert not asks_for_compiler(["--seed", "1", "--target"])
