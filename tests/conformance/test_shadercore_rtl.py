"""Random programs on the public hardware description itself, under GHDL: issue cycles, stalls, every register of all lanes.

Needs `ghdl` and, in the environment variable LANEWISE_RTL, the folder of a clone of code-tom-code/FPGAGPUTesting; skipped with the reason
where one is missing. The bench without the hardware, on a stub with the same ports, is tried where there is `ghdl`.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conformance.rtl_bench import ENTITY, PORTS, STREAM_INPUT, Measured, Place, bench, parse, stub
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.codec import Inst, Source, decode, encode, register
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.table import LANES, OPS
from lanewise.shadercore.isa.timing import time_program
from shadercore_cases import random_inst

GHDL = shutil.which("ghdl") or shutil.which("ghdl-mcode")
CLONE = os.environ.get("LANEWISE_RTL", "")
SOURCES = Path(CLONE) / "CPUDrivenGPUTest4" / "CPUDrivenGPUTest4.srcs" / "sources_1" / "new"
CORE = SOURCES / "VertexPipeline" / "ShaderCore.vhd"
PROGRAMS = 8

needs_ghdl = pytest.mark.skipif(GHDL is None, reason="ghdl is not installed")
needs_rtl = pytest.mark.skipif(
    not CLONE or not CORE.is_file(), reason="LANEWISE_RTL names no clone of the public hardware description"
)
STANDARD = ["--std=08", "-frelaxed"]


def simulated(folder: Path, text: str, sources: list[Path]) -> str:
    """What the bench prints. GHDL finds out by itself in which order files have to be read."""
    assert GHDL is not None
    path = folder / "bench.vhd"
    path.write_text(text)
    for command in (["-i", *STANDARD, *map(str, sources), str(path)], ["-m", *STANDARD, ENTITY], ["-r", *STANDARD, ENTITY]):
        done = subprocess.run([GHDL, *command], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def hardware() -> list[Path]:
    names = ["PacketType.vhd", "FloatALU_Types.vhd", "FloatALU.vhd"]
    return [*(SOURCES / name for name in names), *sorted((SOURCES / "FloatALU").glob("*.vhd")), CORE]


def random_program(rng: random.Random) -> list[int]:
    """Instructions that issue: none names x7.x as a source, in no field. The last is END."""

    def issues(source: Source) -> bool:
        return register(source) != ("x", 7, 0)

    insts: list[Inst] = []
    while len(insts) < 24:
        inst = random_inst(rng)
        if inst.op is not OPS[-1] and issues(inst.a) and issues(inst.b):
            insts.append(inst)
    return [encode(inst) for inst in (*insts, Inst(OPS[-1]))]


def random_bits(rng: random.Random) -> int:
    """Patterns of numbers near 1 for the most part; now and then any bits at all."""
    return (
        rng.getrandbits(32)
        if rng.random() < 0.1
        else rng.getrandbits(1) << 31 | rng.randrange(120, 134) << 23 | rng.getrandbits(23)
    )


def setting(rng: random.Random) -> tuple[dict[tuple[int, int], int], dict[Place, list[int]]]:
    constants = {(number, component): random_bits(rng) for number in range(256) for component in range(4)}
    registers = {(file, n, c): [random_bits(rng) for _ in range(LANES)] for file in "vorx" for n in range(8) for c in range(4)}
    return constants, registers


@needs_ghdl
@needs_rtl
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_programs(seed: int, tmp_path: Path):
    rng = random.Random(seed)
    words = random_program(rng)
    constants, registers = setting(rng)
    found = parse(simulated(tmp_path, bench(words, constants, registers), hardware()))
    insts = [decode(word) for word in words]
    timing = time_program(insts, RTL)
    expected = (timing.output_stalls, timing.input_stalls, timing.run_cycles, timing.drain_cycles)
    assert found.issue_cycle == [issue.cycle for issue in timing.issues]
    assert (found.o_stalls, found.i_stalls, found.run_cycles, found.wait_cycles) == expected
    core = Core(insts, RTL, constants, registers)
    core.run()
    for place, lanes in found.registers.items():
        assert tuple(core.value(place)) == lanes, place


@needs_rtl
def test_the_ports_are_those_of_the_entity():
    head = CORE.read_text(encoding="latin-1").partition("end ShaderCore;")[0]
    found = re.findall(
        r"^\s*(?:Port\s*\()?(\w+)\s*:\s*(in|out)\s+STD_LOGIC(?:_VECTOR\((\d+|544-1) downto 0\))?", head, re.MULTILINE
    )
    listed = [(name, way == "out", int(high.partition("-")[0]) + ("-" not in high) if high else 0) for name, way, high in found]
    assert sorted(listed) == sorted(PORTS)


# What can be tried without the hardware


def measured(seed: int = 1) -> tuple[list[int], dict[tuple[int, int], int], dict[Place, list[int]], str]:
    rng = random.Random(seed)
    words = random_program(rng)
    constants, registers = setting(rng)
    return words, constants, registers, bench(words, constants, registers)


def test_the_bench_holds_program_constants_and_registers():
    words, constants, registers, text = measured()
    for number, word in enumerate(words):
        assert f'{number} => x"{word:016X}"' in text
    assert f'{4 * 255 + 3} => x"{constants[255, 3]:08X}"' in text
    quad = "".join(f"{registers['x', 7, 3][8 + unit]:08X}" for unit in (3, 2, 1, 0))
    assert f'{2 << 7 | 3 << 5 | 7 << 2 | 3} => x"{quad}"' in text
    assert text == measured()[3]
    core = text.partition("entity work.ShaderCore port map (")[2].partition(");")[0]
    assert core.split(", ") == [f"{name} => {name}" for name, _, _ in PORTS]


def test_random_programs_differ_and_end():
    programs = {tuple(random_program(random.Random(seed))) for seed in range(PROGRAMS)}
    assert len(programs) == PROGRAMS
    for words in programs:
        timing = time_program([decode(word) for word in words], RTL)
        assert timing.ended
        assert timing.hangs is None


def test_what_a_run_prints_is_read():
    registers = "\n".join(f"register {n} {n:032X}" for n in range(512))
    text = f"issue 60\nissue 68\nissue 77\ncycles 18 4\nstalls 1 2\n{registers}\n"
    found = parse(text)
    assert isinstance(found, Measured)
    assert found[:5] == ([0, 8, 17], 1, 2, 18, 4)
    assert found.registers["o", 2, 1][::4] == tuple(quad << 7 | 1 << 5 | 2 << 2 | 1 for quad in range(4))
    with pytest.raises(ValueError, match="did not end"):
        parse("timeout\n" + text)


@needs_ghdl
def test_the_bench_runs_on_a_stub(tmp_path: Path):
    words, _, registers, text = measured()
    (tmp_path / "stub.vhd").write_text(stub())
    found = parse(simulated(tmp_path, text, [tmp_path / "stub.vhd"]))
    assert (found.issue_cycle, found.o_stalls, found.i_stalls, found.run_cycles, found.wait_cycles) == ([0, 2], 1, 0, 2, 1)
    fetched = registers[STREAM_INPUT][3]
    assert found.registers["o", 0, 0][4:8] == (LANES, fetched, words[1] & 0xFFFFFFFF, words[1] >> 32)
    for place, lanes in registers.items():
        kept = [lane for lane in range(LANES) if place != ("o", 0, 0) or not 4 <= lane < 8]
        assert [found.registers[place][lane] for lane in kept] == [lanes[lane] for lane in kept], place
