"""Benches of `lanewise rtl --entity` on two small cores, one with its memories inside: VHDL in GHDL, Verilog in Icarus Verilog
and Verilator, cocotb in Icarus Verilog. Each passes, and one wrong word, register, cycle or issue fails.

Each language is skipped without its simulator; Verilator, whose compiler takes a minute, only runs with LANEWISE_EXHAUSTIVE.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.small_core import (
    ENTITY,
    JOINED_ENTITY,
    OUTSIDE_ENTITY,
    OUTSIDE_SOURCE,
    OUTSIDE_VERILOG,
    OUTSIDE_VHDL,
    SOURCE,
    VERILOG,
    VHDL,
)
from effort import EXHAUSTIVE
from installed import needs
from lanewise.shadercore.api import entity_languages
from lanewise.shadercore.api.entity import Load, Read, Start
from lanewise.shadercore.api.services import entity_bench
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.shadercore.api.entity import Entity, Step
    from lanewise.shadercore.api.entity_languages import Language

COMPONENT = 1 << 26  # of the first source: c1.w for c1.z
REGISTER = ("wave 1: o0.x, lanes 4 ", "wave 1: o0.x, lanes 0 to 15")  # of either core
SLOT = 1  # of the instruction with c1.z


def altered(steps: Sequence[Step], kind: str) -> list[Step]:
    """The steps with one wrong word of the program, register, cycle or issue."""
    found = list(steps)
    for n, step in enumerate(found):
        if (
            kind == "word"
            and isinstance(step, Load)
            and (step.memory.name, step.address)
            == (
                "program",
                64 // step.memory.width * SLOT,
            )
        ):
            found[n] = step._replace(row=step.row ^ COMPONENT)
        elif kind == "register" and isinstance(step, Read) and step.label.startswith(REGISTER):
            found[n] = step._replace(row=step.row ^ 1 << 40)
        elif kind == "cycle" and isinstance(step, Start) and step.wave == 1:
            found[n] = step._replace(cycles=step.cycles + 1)
        elif kind == "issue" and isinstance(step, Start):
            found[n] = step._replace(issues=(*step.issues[:3], step.issues[3] - 1, *step.issues[4:]))
    assert (found == list(steps)) == (kind == "right")
    return found


def ghdl(folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["ghdl", "-i", "--std=08", "bench.vhd", "core.vhd"], cwd=folder, check=True)
    subprocess.run(["ghdl", "-m", "--std=08", "lanewise_bench"], cwd=folder, check=True)
    return subprocess.run(
        ["ghdl", "-r", "--std=08", "lanewise_bench"], cwd=folder, check=bool(done.returncode), capture_output=True, text=True
    )


def icarus(folder: Path) -> subprocess.CompletedProcess[str]:
    command = ["iverilog", "-Wall", "-Wno-timescale", "-g2005", "-s", "lanewise_bench", "-o", "bench.vvp", "bench.v", "core.v"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert "bench.v" not in built.stderr
    done = subprocess.run(["vvp", "-n", "bench.vvp", "+vcd"], cwd=folder, capture_output=True, text=True, check=False)
    assert "$var" in (folder / "run.vcd").read_text()
    return done


def verilator(folder: Path) -> subprocess.CompletedProcess[str]:
    options = ["--binary", "--timing", "-Wno-fatal", "-CFLAGS", "-O0", "--top-module", "lanewise_bench"]
    subprocess.run(["verilator", *options, "bench.v", "core.v"], cwd=folder, check=True, capture_output=True)
    return subprocess.run(["obj_dir/Vlanewise_bench"], cwd=folder, capture_output=True, text=True, check=False)


def cocotb(folder: Path) -> subprocess.CompletedProcess[str]:
    python = Path(shutil.which("cocotb-config") or "").with_name("python")
    return subprocess.run([python, "bench.py", "core.v"], cwd=folder, capture_output=True, text=True, check=False)


SIMULATORS = (
    pytest.param("vhdl", ghdl, marks=needs("ghdl"), id="ghdl"),
    pytest.param("verilog", icarus, marks=needs("iverilog"), id="icarus"),
    pytest.param(
        "verilog",
        verilator,
        marks=[needs("verilator", "g++"), pytest.mark.skipif(not EXHAUSTIVE, reason="a minute: LANEWISE_EXHAUSTIVE=1")],
        id="verilator",
    ),
    pytest.param("cocotb", cocotb, marks=needs("cocotb-config", "iverilog"), id="cocotb"),
)


@pytest.mark.parametrize(("language", "simulated"), SIMULATORS)
def test_one_wrong_word_register_cycle_or_issue_fails(
    language: str,
    simulated: Callable[[Path], subprocess.CompletedProcess[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(tmp_path)
    Path("a.sc").write_text(SOURCE)
    Path("core.toml").write_text(ENTITY)
    cases = (
        ("right", "PASS: 1044 comparisons"),
        ("word", "wave 0: o0.x, lanes 0 to 3: expected"),
        ("register", "FAIL: wave 1: o0.x, lanes 4 to 7: expected"),
        ("cycle", "FAIL: wave 1: cycles: expected 63, found 62"),
        ("issue", "FAIL: wave 1: issue of instruction 3: expected 24, found 25"),
    )
    run_cases(cases, language, simulated, monkeypatch, {"core.v": VERILOG, "core.vhd": VHDL})


@pytest.mark.parametrize(("language", "simulated"), SIMULATORS)
def test_memories_and_entities_outside_the_core(
    language: str,
    simulated: Callable[[Path], subprocess.CompletedProcess[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(tmp_path)
    Path("a.sc").write_text(OUTSIDE_SOURCE)
    Path("core.toml").write_text(JOINED_ENTITY if language == "cocotb" else OUTSIDE_ENTITY)
    cases = (
        ("right", "PASS: 272 comparisons"),
        ("word", "wave 0: o0.x, lanes 0 to 15: expected"),
        ("issue", "FAIL: wave 1: issue of instruction 3: expected 24, found 25"),
    )
    if EXHAUSTIVE:
        cases += (
            ("register", "FAIL: wave 1: o0.x, lanes 0 to 15: expected"),
            ("cycle", "FAIL: wave 1: cycles: expected 47, found 46"),
        )
    run_cases(cases, language, simulated, monkeypatch, {"core.v": OUTSIDE_VERILOG, "core.vhd": OUTSIDE_VHDL})


def run_cases(
    cases: Sequence[tuple[str, str]],
    language: str,
    simulated: Callable[[Path], subprocess.CompletedProcess[str]],
    monkeypatch: pytest.MonkeyPatch,
    sources: dict[str, str],
) -> None:
    """Benches of `a.sc` with each alteration of their steps say those words."""
    rows = ";".join(f"{n},{n + 0.5},{-n},{n * 3}" for n in range(18))
    command = ["rtl", "a.sc", "--entity", "core.toml", "--language", language, "-i", f"position={rows}", "-u", "c1=1,2,3,4"]
    for kind, words in cases:

        def bench(language: Language, entity: Entity, steps: Sequence[Step], kind: str = kind) -> str:
            return entity_languages.bench(language, entity, altered(steps, kind))

        monkeypatch.setattr(entity_bench, "bench", bench)
        assert cli.main([*command, "--bench", kind]) == 0
        for name, text in sources.items():
            Path(kind, name).write_text(text)
        done = simulated(Path(kind).resolve())
        output = done.stdout + done.stderr
        assert words in output, (kind, output[-2000:])
        assert (done.returncode == 0) == (kind == "right"), kind
        assert ("FAIL:" in output) == (kind != "right")
        if kind == "register":
            assert output.count("FAIL: wave") == 1
