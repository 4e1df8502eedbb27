"""`lanewise bench`: its cases are what they say, and what it measures makes sense."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from documents import checked
from effort import EXHAUSTIVE
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.tools import bench, cli
from lanewise_bench import measure, throughput
from lanewise_bench.cases import CASES, BenchCase, bound, executed, shader_of

if TYPE_CHECKING:
    from collections.abc import Callable

FIELDS = {
    "ns_per_vertex",
    "float32_ns_per_vertex",
    "exact_ns_per_vertex",
    "reference_ns_per_vertex",
    "instructions",
    "instructions_per_second",
    "bandwidth_share",
    "times_float32",
    "times_reference",
    "times_exact",
    "compile_ms",
    "exact_compile_ms",
    "reload_ms",
    "best_compile_ms",
    "quick_ns_per_vertex",
    "vertices",
    "floor_ns_per_vertex",
    "times_floor",
    "results_ns_per_vertex",
    "moving_ns_per_vertex",
    "copying_ns_per_vertex",
    "emitted_ns_per_vertex",
    "times_emitted",
}


def once(
    best: Callable[[Callable[[], object], int, int], float], call: Callable[[], object], times: int, samples: int
) -> float:
    return best(call, 1, 1)


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    """No test depends on what is measured; in an exhaustive run it is measured twice, on all data."""
    monkeypatch.setattr(measure, "SAMPLES", 2)
    monkeypatch.setattr(throughput, "SAMPLES", 2)
    if EXHAUSTIVE:
        return
    monkeypatch.setattr(measure, "STREAM", 1 << 14)
    monkeypatch.setattr(measure, "_best", partial(once, measure._best))  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_counts(case: BenchCase):
    shader = shader_of(case)
    assert len(shader.words) == case.words
    assert (len(shader.inputs), len(shader.outputs)) == (case.inputs, case.outputs)
    count = 40
    inputs, uniforms = bound(case, shader, count, HARDWARE)
    found = executed(shader, inputs, uniforms, HARDWARE, count)
    assert abs(found - case.executed) <= (1.0 if case.name == "branchy" else 0)


def test_the_branchy_case_has_every_way_to_branch():
    names = {decode(word).op.base for word in shader_of(CASES[-1]).words}
    assert {"ifu", "ifc", "call", "callc", "callu", "jmpc", "jmpu", "cmp"} <= names


def test_the_table(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["bench", "--explain", "loop16", "--profile", "hardware", "--vertices", "64"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[2].split()[:2] == ["case", "profile"]
    assert out[3].split()[:3] == ["loop16", "hardware", "73.0"]
    assert out[3].split()[-1] in ("yes", "no")
    assert out[6].split()[:2] == ["loop16", "hardware"]
    assert "by a prepared batch" in out[-1]
    assert max(map(len, out)) <= 120
    kinds = {line.split()[0]: line.split()[1:4] for line in out[11:-5]}
    assert kinds["add"][0] == "108.0" and float(kinds["add"][2]) >= 108  # 16 rounds of two sums and four, and those of a matrix


def test_json(capsys: pytest.CaptureFixture[str]):
    assert (
        cli.main(
            ["bench", "--json", "--case", "simple_transform", "--case", "branchy", "--profile", "azahar", "--level", "sse"]
        )
        == 0
    )
    found = checked(capsys.readouterr().out)
    assert [(one["name"], one["profile"]) for one in found["cases"]] == [("simple_transform", "azahar"), ("branchy", "azahar")]
    for one in found["cases"]:
        assert one.keys() >= FIELDS
        assert all(one[name] > 0 for name in FIELDS)
        assert one["times_float32"] == 1.0
        assert one["times_reference"] > 100
        if bound := one.get("bound"):
            cycles = bound["cycles_per_vector"]
            assert one["floor_reason"] == bound["reason"] == max(cycles, key=cycles.get)
            assert one["floor_ns_per_vertex"] == max(cycles.values()) * bound["cycle_ns"] / one["width"]
        else:
            assert one["floor_ns_per_vertex"] == max(one["results_ns_per_vertex"], one["moving_ns_per_vertex"])
        assert sum(one["shares_ns"].values()) == pytest.approx(one["ns_per_vertex"])  # pyright: ignore[reportUnknownMemberType]
        assert 0 <= one["machine_code"]["on_stack"] < one["machine_code"]["instructions"]
        assert one["copying_ns_per_vertex"] <= one["moving_ns_per_vertex"]
        assert one["operations"]["results"]["mul"] <= one["operations"]["emitted"]["mul"]
    assert found["level"] == "sse"
    assert {"processor", "load", "date", "llvmlite", "numpy", "python", "lanewise"} <= found["machine"].keys()
    assert {"batch_16_us", "run_16_us"} == found["calls"].keys()


def test_streaming(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    """With the profile of a file, as `lanewise evidence import` writes it; the next run does not know it."""
    console = tmp_path / "console.toml"
    console.write_text(HARDWARE.replace(mad_rounding="once").to_toml("of a console"))
    known = list(measure.PROFILES)
    assert cli.main(["bench", "--json", "--stream", "--case", "simple_transform", "--profile", str(console)]) == 0
    assert list(measure.PROFILES) == known
    (one,) = json.loads(capsys.readouterr().out)["cases"]
    assert one["profile"] == str(console)
    assert one["times_move"] == one["stream_ns_per_vertex"] / one["move_ns_per_vertex"] > 0.5


@pytest.mark.parametrize(
    "arguments",
    [
        ["--case", "teapot"],
        ["--profile", "panda3ds"],
        ["--level", "mmx"],
        ["x"],
        ["--vertices", "40"],
        ["--vertices", "0"],
        ["--explain", "teapot"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert cli.main(["bench", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


def test_the_wheel_has_no_benchmarks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(bench, "_CHECKOUT", tmp_path)
    monkeypatch.setattr(bench, "_PACKAGE", "lanewise_bench_elsewhere")
    assert cli.main(["bench"]) == 2
    assert capsys.readouterr() == ("", f"lanewise bench: error: {bench.INSTALL}\n")


def test_a_checkout_has_them_beside_its_sources(tmp_path: Path):
    if not Path(bench.__file__).is_relative_to(REPOSITORY / "src"):
        pytest.skip("lanewise is installed from a wheel: pip install -e . for this test")
    command = [sys.executable, "-m", "lanewise", "bench", "--case", "teapot"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.startswith("lanewise bench: error: unknown --case teapot: use simple_transform, ")
