"""Random programs and draws on the public hardware description itself, under GHDL: issue cycles, stalls, exports, every
register of all lanes.

Needs `ghdl` and, in the environment variable LANEWISE_RTL, the folder of a clone of code-tom-code/FPGAGPUTesting; skipped with
the reason where one is missing. The bench without the hardware, on a stub with the same ports, is tried where there is `ghdl`.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from conformance.rtl_stub import stub
from corpus import REPOSITORY
from installed import missing
from lanewise.shadercore.api.testbench import (
    BENCH_FILE,
    CACHE_PORTS,
    DATA_FILE,
    ENTITY,
    PORTS,
    Case,
    Draw,
    Measured,
    Place,
    Stream,
    data_package,
    parse,
)
from lanewise.shadercore.api.testbench import bench as bench_text
from lanewise.shadercore.engine.recording import Data, record, write_log
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.codec import Dest, Inst, Source, decode, encode, register
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.table import BY_NAME, DEST_FILES, LANES, OPS, SOURCE_FILES
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.isa.vertex_cache import Descriptor, fetch_waves
from lanewise.shadercore.opt.operands import cycles
from lanewise.shadercore.opt.program import optimised_program
from lanewise.shadercore.sem.fetch import Element, color_components, idle_lanes
from lanewise.shadercore.sem.steps import EXPORTS, X7X
from lanewise.shadercore.text.reader import read_source_text
from lanewise.tools.cli import main
from shadercore_cases import random_inst

if TYPE_CHECKING:
    from numpy.typing import NDArray

GHDL = shutil.which("ghdl") or shutil.which("ghdl-mcode")
CLONE = os.environ.get("LANEWISE_RTL", "")
SOURCES = Path(CLONE) / "CPUDrivenGPUTest4" / "CPUDrivenGPUTest4.srcs" / "sources_1" / "new"
CORE = SOURCES / "VertexPipeline" / "ShaderCore.vhd"
CACHE = SOURCES / "VertexPipeline" / "VertexStreamCache.vhd"
PROGRAMS = 20
OPTIMISED = 30
EXAMPLES = sorted([*(REPOSITORY / "examples").glob("*.sc"), *(REPOSITORY / "examples" / "direct3d9").glob("*.vsa")])

needs_ghdl = pytest.mark.skipif(GHDL is None, reason=missing("ghdl"))
needs_rtl = pytest.mark.skipif(
    not CLONE or not CORE.is_file(), reason="LANEWISE_RTL names no clone of the public hardware description"
)
STANDARD = ["--std=08", "-frelaxed", "-Wno-binding"]


STREAM_INPUT = ("v", 7, 0)  # what a wave without a draw fetches: what it holds anyway


def bench(
    words: list[int],
    constants: dict[tuple[int, int], int],
    registers: dict[Place, list[int]],
    draw: Draw | None = None,
) -> dict[str, str]:
    """The files of a bench; without a draw it is one wave of 16 vertices with one stream of one DWORD."""
    fetched = registers.get(STREAM_INPUT, [0] * LANES)
    draw = draw or Draw((Stream(number=STREAM_INPUT[1], dwords=1, color=False, stride=1, offset=0),), fetched, (range(LANES),))
    return {
        DATA_FILE: data_package(Case(words=words, constants=constants, registers=registers, draw=draw)),
        BENCH_FILE: bench_text(),
    }


def simulated(folder: Path, files: dict[str, str], sources: list[Path], *generics: str) -> str:
    """What the bench prints. GHDL finds out by itself in which order files have to be read."""
    assert GHDL is not None
    for name, text in files.items():
        (folder / name).write_text(text)
    paths = [*map(str, sources), *(str(folder / name) for name in files)]
    run = ["-r", *STANDARD, ENTITY, "-gTRACE=true", *generics]
    for command in (["-i", *STANDARD, *paths], ["-m", *STANDARD, ENTITY], run):
        done = subprocess.run([GHDL, *command], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def hardware() -> list[Path]:
    names = ["PacketType.vhd", "FloatALU_Types.vhd", "FloatALU.vhd"]
    return [
        *(SOURCES / name for name in names),
        SOURCES / "UNORM8ToFloat.vhd",
        *(
            SOURCES / "FloatALU" / f"{name}.vhd"
            for name in ("FloatALU_CMP", "FloatALU_CNV", "FloatALU_RSQ", "FloatALU_SHFT", "FloatCommon")
        ),
        CORE,
        CACHE,
    ]


def random_program(rng: random.Random) -> list[int]:
    """Instructions that issue: none names x7.x as a source, in no field. The last is END."""

    def issues(source: Source) -> bool:
        return register(source) != ("x", 7, 0)

    insts: list[Inst] = []
    while len(insts) < 24:
        inst = random_inst(rng)
        if inst.op is not OPS[-1] and issues(inst.a) and issues(inst.b):
            insts.append(inst)
    return [encode(inst) for inst in (*insts, Inst(op=OPS[-1]))]


# Zeros, subnormals, infinities, NaN, powers of two and their neighbours, ends of integers and halves.
SPECIAL = (
    0, 1, 0x7FFFFF, 0x800000, 0x00FFFFFF, 0x01000000, 0x0C000000, 0x0BFFFFFF, 0x33800000, 0x387FC000, 0x38800000, 0x3E800000,
    0x3EFFFFFF, 0x3F000000,
    0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x40000000, 0x46FFFE00, 0x46FFFEFF, 0x46FFFF00, 0x47000000, 0x477FE000, 0x4AFFFFFF,
    0x4B000000, 0x4B7FFFFF,
    0x7E800000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF, 0x3C00, 0xFFFF,
)  # fmt: skip


def random_bits(rng: random.Random) -> int:
    """Patterns of numbers near 1 for the most part; now and then a special one, or any bits at all."""
    kind = rng.random()
    if kind < 0.1:
        return rng.getrandbits(32)
    if kind < 0.3:
        return rng.choice(SPECIAL) | rng.getrandbits(1) << 31
    return rng.getrandbits(1) << 31 | rng.randrange(120, 134) << 23 | rng.getrandbits(23)


def setting(rng: random.Random) -> tuple[dict[tuple[int, int], int], dict[Place, list[int]]]:
    constants = {(number, component): random_bits(rng) for number in range(256) for component in range(4)}
    registers = {(file, n, c): [random_bits(rng) for _ in range(LANES)] for file in "vorx" for n in range(8) for c in range(4)}
    return constants, registers


def random_draw(rng: random.Random) -> Draw:
    """Up to three streams, one of them a D3DCOLOR, and a full wave or two before one that is not full."""
    stride = rng.choice([5, 7, 9])
    vertices = rng.randrange(20, 40)
    numbers = rng.sample(range(8), 3)
    streams = [
        Stream(number=numbers[0], dwords=rng.randrange(1, 4), color=False, stride=stride, offset=0),
        Stream(number=numbers[1], dwords=1, color=True, stride=stride, offset=3),
        Stream(number=numbers[2], dwords=1, color=False, stride=stride, offset=4),
    ]
    rng.shuffle(streams)
    memory = [rng.getrandbits(32) if n % stride == 3 else random_bits(rng) for n in range(stride * vertices)]
    counts = [LANES] * rng.randrange(1, 3) + [rng.choice([1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15])]
    return Draw(streams, memory, [[rng.randrange(vertices) for _ in range(count)] for count in counts])


def draw_program(rng: random.Random, draw: Draw) -> list[int]:
    """RCP of inputs, whose lanes look at each other, into what is exported; any instructions before it."""
    count = 8
    insts = [decode(word) for word in random_program(rng)[:count]]
    inputs = [(stream.number, c) for stream in draw.streams for c in range(4 if stream.color else stream.dwords)]
    for _, number, component in rng.sample(EXPORTS, 6):
        source = Source(SOURCE_FILES.index("v"), *rng.choice(inputs))
        insts.append(Inst(op=BY_NAME["rcp"], dest=Dest(DEST_FILES.index("o"), number, component), a=source))
    return [encode(inst) for inst in (*insts, Inst(op=OPS[-1]))]


def elements_of_draw(draw: Draw) -> list[Element]:
    indices = [index for batch in draw.batches for index in batch]

    def dwords(stream: Stream) -> list[list[int]]:
        return [[draw.memory[index * stream.stride + stream.offset + n] for index in indices] for n in range(stream.dwords)]

    return [Element(stream.number, dwords(stream), stream.color) for stream in draw.streams]


def compare(
    found: Measured,
    words: list[int],
    constants: dict[tuple[int, int], int],
    registers: dict[Place, list[int]],
    draw: Draw | None = None,
) -> None:
    """Compare cycles, what left the core, and all registers at the end with the reference engine."""
    insts = [decode(word) for word in words]
    timing = time_program(insts, RTL)
    core = Core(insts, RTL, constants, registers)
    exports: list[tuple[int, ...]] = []
    if draw is None:
        core.run()
        exports = list(zip(*core.exported().values(), strict=True))
    else:
        elements, first = elements_of_draw(draw), 0
        inputs: dict[tuple[int, int], tuple[int, ...]] = {}
        for element in elements:
            columns = [tuple(map(int, column[:])) for column in element.dwords]
            lanes = color_components(columns[0], RTL) if element.color else columns
            inputs |= {(element.number, n): values for n, values in enumerate(lanes)}
        for batch in draw.batches:
            end = first + len(batch)
            idle = idle_lanes(
                [element._replace(dwords=[column[:end] for column in element.dwords]) for element in elements], end, RTL
            )
            core.begin({place: [*values[first:end], *idle.get(place, ())] for place, values in inputs.items()}, len(batch))
            core.run()
            exports += list(zip(*core.exported().values(), strict=True))[: len(batch)]
            first = end
    compare_writes(found, words, constants, registers, draw)
    waves = len(found.issues)
    assert waves == (1 if draw is None else len(draw.batches))
    assert found.issues == [[issue.cycle for issue in timing.issues]] * waves
    assert timing.run_cycles is not None
    assert timing.drain_cycles is not None
    counts = (timing.output_stalls, timing.input_stalls, timing.run_cycles, timing.drain_cycles)
    assert (found.o_stalls, found.i_stalls, found.run_cycles, found.wait_cycles) == tuple(waves * count for count in counts)
    assert found.exports == exports
    for place, lanes in found.registers.items():
        assert tuple(core.value(place)) == lanes, place


def compare_writes(
    found: Measured,
    words: list[int],
    constants: dict[tuple[int, int], int],
    registers: dict[Place, list[int]],
    draw: Draw | None = None,
) -> None:
    """Compare every row of the write port, in every cycle of every wave, with the write log.

    The idle write slots of the hardware name quad 0 of x7.x and write 0 (reference 3); they are not in the log.
    """
    timing = time_program([decode(word) for word in words], RTL)
    if draw is None:
        data = Data(constants=constants, inputs={}, vertices=LANES, initial=registers, elements=())
    else:
        elements = elements_of_draw(draw)
        inputs: dict[tuple[int, int], NDArray[np.uint32]] = {}
        for element in elements:
            columns = [tuple(map(int, column[:])) for column in element.dwords]
            lanes = color_components(columns[0], RTL) if element.color else columns
            inputs |= {(element.number, n): np.array(values, np.uint32) for n, values in enumerate(lanes)}
        data = Data(
            constants=constants, inputs=inputs, vertices=sum(map(len, draw.batches)), initial=registers, elements=elements
        )
    idle = (0, X7X, (0,) * 4)
    assert len(found.writes) == (1 if draw is None else len(draw.batches))
    for number, rows in enumerate(found.writes):
        wave = record(timing, data, number)[-1]
        log = {row.cycle: (row.quad, row.register, row.data) for row in write_log(timing, wave)}
        assert len(log) == len(write_log(timing, wave)), "the port writes one quad in a cycle"
        port = {cycle: (quad, place, lanes) for cycle, quad, place, lanes in rows}
        assert log.keys() <= port.keys()
        assert port == {cycle: log.get(cycle, idle) for cycle in port}


@needs_ghdl
@needs_rtl
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_programs(seed: int, tmp_path: Path):
    rng = random.Random(seed)
    words = random_program(rng)
    constants, registers = setting(rng)
    compare(parse(simulated(tmp_path, bench(words, constants, registers), hardware())), words, constants, registers)


@needs_ghdl
@needs_rtl
@pytest.mark.parametrize("seed", range(OPTIMISED))
def test_optimised_programs(seed: int, tmp_path: Path):
    """What `lanewise opt` makes of random programs takes the predicted cycles, and leaves what the programs leave."""
    rng = random.Random(f"optimised {seed}")
    program = Program(words=tuple(random_program(rng)))
    found = optimised_program(program, RTL)
    assert found.steps
    words = list(found.program.words)
    assert cycles(found.program.insts, RTL) < cycles(program.insts, RTL)
    constants, registers = setting(rng)
    measured = parse(simulated(tmp_path, bench(words, constants, registers), hardware()))
    compare(measured, words, constants, registers)
    before = Core(program.insts, RTL, constants, registers)
    before.run()
    assert measured.exports == list(zip(*before.exported().values(), strict=True))


@needs_ghdl
@needs_rtl
@pytest.mark.parametrize("seed", range(8))
def test_random_draws(seed: int, tmp_path: Path):
    """Several streams with a colour among them, and partial waves after full ones."""
    rng = random.Random(f"draw {seed}")
    draw = random_draw(rng)
    words = draw_program(rng, draw)
    constants, registers = setting(rng)
    compare(parse(simulated(tmp_path, bench(words, constants, registers, draw), hardware())), words, constants, registers, draw)


@needs_ghdl
@needs_rtl
@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_examples(path: Path, tmp_path: Path):
    """The example programs, Direct3D 9 shaders compiled: cycles, every word of the write port, every register."""
    if path.suffix == ".sc":
        program = lw.load(path, isa="shadercore").program
    else:
        arrays = {"c10": (12, 3)} if path.stem == "skin" else {}
        shader = lw.Direct3DShader.from_source(path.read_text(), str(path), include=[path.parent / "common"])
        program = shader.compile(arrays=arrays).program
    rng = random.Random(path.stem)
    constants, registers = setting(rng)
    constants |= {(number, n): value for number, values in program.constants for n, value in enumerate(values)}
    words = list(program.words)
    compare(parse(simulated(tmp_path, bench(words, constants, registers), hardware())), words, constants, registers)


def edge_program() -> tuple[list[int], dict[Place, list[int]]]:
    """ADD of powers of two and the negated number next to them, in both orders, and RND_SINT16NE near its clamp; of 16 lanes
    each."""
    powers = [exponent << 23 for exponent in (1, 2, 3, 23, 24, 25, 30, 90, 120, 126, 127, 128, 150, 200, 253, 254)]
    near = [
        0x46FFFCFF,
        0x46FFFD00,
        0x46FFFDFF,
        0x46FFFE00,
        0x46FFFE01,
        0x46FFFE80,
        0x46FFFEFF,
        0x46FFFF00,
        0x46FFFFFF,
        0x47000000,
        0x47000001,
        0x7F800000,
        0x7F800001,
        0x3F000000,
        0x3EFFFFFF,
        0x40200000,
    ]
    registers: dict[Place, list[int]] = {
        ("v", 0, 0): powers,
        ("v", 0, 1): [power - 1 | 1 << 31 for power in powers],
        ("v", 0, 2): [power + 1 | 1 << 31 for power in powers],
        ("v", 1, 0): near,
        ("v", 1, 1): [bits | 1 << 31 for bits in near],
    }
    text = (
        "add r0.x, v0.x, v0.y; add r0.y, v0.y, v0.x; add r0.z, -v0.x, -v0.y; add r0.w, v0.x, v0.z; add r1.x, v0.x, -v0.x; "
        "add r1.y, -v0.z, -v0.x; "
    )
    text += "rnd_sint16ne r2.x, v1.x; rnd_sint16ne r2.y, v1.y; end"
    program = read_source_text(text.replace("; ", "\n"), "edges.sc").program
    assert program is not None
    return list(program.words), registers


@needs_ghdl
@needs_rtl
def test_exact_cancellation_and_the_clamp_of_rnd_sint16ne(tmp_path: Path):
    words, registers = edge_program()
    found = parse(simulated(tmp_path, bench(words, {}, registers), hardware()))
    compare(found, words, {}, registers)
    assert 0x34000000 in found.registers["r", 0, 0]  # 1.0 and the number below it
    assert found.registers["r", 2, 1][2:9] == (0x8001, *[0x7FFF] * 6)


def in_order(seed: int) -> list[int]:
    """A program that has a faster order: the example, or random instructions whose results do not depend on the cycles."""
    if not seed:
        return list(lw.load(REPOSITORY / "examples" / "transform.sc", isa="shadercore").program.words)
    rng = random.Random(f"order {seed}")
    insts = [inst for inst in map(decode, random_program(rng)) if inst.op.built and inst.op.dests and inst.dest.number < 7]
    return [encode(inst) for inst in (*insts, Inst(op=OPS[-1]))]


@needs_ghdl
@needs_rtl
@pytest.mark.parametrize("seed", [0, 1, 2, 4])
def test_faster_orders(seed: int, tmp_path: Path):
    """They take the cycles that `lanewise time` says, and leave the same in every register."""
    words = in_order(seed)
    constants, registers = setting(random.Random(seed))
    faster = lw.shadercore.ShaderCoreProgram.from_words(words).faster_order()
    assert faster is not None
    found: list[Measured] = []
    for order in (range(len(words)), faster.order):
        (tmp_path / str(len(found))).mkdir()
        made = [words[slot] for slot in order]
        found.append(parse(simulated(tmp_path / str(len(found)), bench(made, constants, registers), hardware())))
    before, after = found
    assert before.registers == after.registers
    assert after.run_cycles + after.wait_cycles == faster.timing.total_cycles
    assert after.run_cycles + after.wait_cycles < before.run_cycles + before.wait_cycles


@needs_ghdl
@needs_rtl
@pytest.mark.parametrize("latency", [1, 20, 57])
def test_the_vertex_cache(latency: int, tmp_path: Path):
    """The cycles of every fetch: which DWORDs the cache of the hardware has, and what the others cost."""
    rng = random.Random(f"cache {latency}")
    streams = [
        Stream(
            number=n, dwords=rng.randrange(1, 5), color=False, stride=rng.choice([0, 3, 8, 32, 40, 63]), offset=rng.randrange(9)
        )
        for n in range(7)
    ]
    streams.append(Stream(number=7, dwords=1, color=True, stride=4, offset=1))
    batches = [[rng.randrange(rng.choice([16, 60, 200])) for _ in range(count)] for count in (16, 16, 16, 11)]
    memory = [rng.getrandbits(32) for _ in range(63 * 200 + 16)]
    files = bench([encode(Inst(op=OPS[-1]))], {}, {}, Draw(streams, memory, batches))
    found = parse(simulated(tmp_path, files, hardware(), "-gCACHE=true", f"-gLATENCY={latency}"))
    waves = fetch_waves(RTL, [Descriptor(*stream[1:5]) for stream in streams], [index for batch in batches for index in batch])
    assert waves is not None
    miss = RTL.cycles("fetch_miss") + latency
    assert found.fetches == [(wave.hit_cycles or 0) + miss * wave.misses for wave in waves]
    for stream in streams[:-1]:  # and what has been fetched is what the memory has
        lanes = found.registers["v", stream.number, 0]
        assert list(lanes[:11]) == [memory[index * stream.stride + stream.offset] for index in batches[-1]]


@needs_ghdl
@needs_rtl
def test_data_out_of_reach(tmp_path: Path):
    """What warnings about streams say: a base inside a line, and an address beyond 2^20 DWORDs, read other data."""
    words = [encode(Inst(op=OPS[-1]))]
    memory = list(range(1000, 1128))
    uneven = bench(
        words, {}, {}, Draw([Stream(number=0, dwords=1, color=False, stride=1, offset=0, base=3)], memory, [list(range(LANES))])
    )
    found = parse(simulated(tmp_path, uneven, hardware(), "-gCACHE=true"))
    assert found.registers["v", 0, 0] == tuple(memory[:LANES])  # not memory[3:19]
    memory = [0] * 99_992
    near, far = 32 * 40_000 % (1 << 20), 32 * 40_000
    memory[near % len(memory)], memory[far % len(memory)] = 1, 2
    beyond = bench(words, {}, {}, Draw([Stream(number=0, dwords=1, color=False, stride=32, offset=0)], memory, [[40_000]]))
    found = parse(simulated(tmp_path, beyond, hardware(), "-gCACHE=true"))
    assert found.registers["v", 0, 0][0] == 1


def user_bench(folder: Path) -> list[str]:
    """The command lines of the README of a bench for `examples/transform.sc` with 20 vertices, in the folder."""
    rng = random.Random(20)
    rows = [";".join(",".join(f"{rng.uniform(-4, 4):.6f}" for _ in range(n)) for _ in range(20)) for n in (3, 4)]
    source = str(REPOSITORY / "examples" / "transform.sc")
    assert main(["rtl", source, "--bench", str(folder), "-i", f"position={rows[0]}", "-i", f"color={rows[1]}"]) == 0
    block = (folder / "README.md").read_text().partition("```sh\n")[2].partition("```")[0].replace("\\\n", " ")
    lines = [line for line in block.splitlines() if line]
    assert [line.split()[:2] for line in lines] == [["ghdl", "-i"], ["ghdl", "-m"], ["ghdl", "-r"]]
    return lines


def run_commands(folder: Path, lines: list[str]) -> subprocess.CompletedProcess[str]:
    script = "\n".join(["set -e", *lines]).replace("ghdl ", f"{GHDL} ")
    environment = {**os.environ, "RTL": str(SOURCES)}
    return subprocess.run(
        ["sh", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


@needs_ghdl
@needs_rtl
def test_a_bench_of_the_command_passes_and_fails(tmp_path: Path):
    """It passes on the hardware description, with the vertex cache too, and fails with any one expected word changed."""
    lines = user_bench(tmp_path)
    done = run_commands(tmp_path, lines)
    assert (done.returncode, done.stdout) == (0, "PASS: 2 waves, 20 vertices, 512 registers of four lanes\n"), done.stderr
    done = run_commands(tmp_path, [f"{lines[-1]} -gCACHE=true -gLATENCY=31"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS" in done.stdout
    data = (tmp_path / "data.vhd").read_text()
    last = {name: int(words) for name, words in re.findall(r"constant (EXPECTED_\w+) : natural := (\d+);", data)}
    changes = [(f"{name} : natural := {value};", f"{name} : natural := {value + 1};") for name, value in last.items()]
    issues = re.search(r"EXPECTED_ISSUES .*?\(0 => 0, 1 => 8, 2 => 16", data)
    assert issues
    changes.append((issues[0], issues[0].replace("2 => 16", "2 => 17")))
    for name in ("EXPECTED_EXPORTS", "EXPECTED_REGISTERS"):
        word = re.search(rf'constant {name} .*?\n.*?\n    (\d+ => x"\w+)"', data)
        assert word, name
        digit = "1" if word[1][-1] != "1" else "2"
        changes.append((word[0], word[0][: -len(word[1]) - 1] + word[1][:-1] + digit + '"'))
    for before, after in changes:
        assert data.count(before) == 1
        (tmp_path / "data.vhd").write_text(data.replace(before, after))
        done = run_commands(tmp_path, lines[1:])
        assert done.returncode != 0, before
        assert done.stdout.startswith("FAIL: "), before
    (tmp_path / "data.vhd").write_text(re.sub(r"(EXPECTED_MISSES .*?0 => )(\d+)", lambda m: f"{m[1]}{int(m[2]) + 1}", data))
    done = run_commands(tmp_path, [lines[1], f"{lines[-1]} -gCACHE=true"])
    assert "FAIL: wave 0: cycles of the fetch: expected" in done.stdout
    assert done.returncode != 0


@needs_ghdl
@needs_rtl
def test_the_public_entity_as_a_file(tmp_path: Path):
    """`examples/public_core.toml` describes it: a bench passes, of a program that reads the register 1 too, and fails with one
    wrong word of the program, cycle of an issue, cycle of a wave, or register."""
    source = tmp_path / "a.sc"
    source.write_text(
        ".input v0 position\n.output o0 position\nrcp r0.x, v0.x\nmul r1.x, r0.x, c1.x\nor o0.x, v0.y, 1\n"
        "and o0.y, 1, v0.x\nmov o0.z, 1\nor o0.w, v0.x, -1\nend\n"
    )
    rows = ";".join(f"{n},{n + 0.5},{-n},{n * 3}" for n in range(18))
    command = ["rtl", str(source), "--entity", str(REPOSITORY / "examples" / "public_core.toml")]
    assert main([*command, "--bench", str(tmp_path), "-i", f"position={rows}", "-u", "c1=2"]) == 0
    right = (tmp_path / "bench.vhd").read_text()
    lines = [
        f"ghdl -i {' '.join(STANDARD)} bench.vhd {' '.join(map(str, hardware()))}",
        f"ghdl -m {' '.join(STANDARD)} {ENTITY}",
        f"ghdl -r {' '.join(STANDARD)} {ENTITY}",
    ]
    done = run_commands(tmp_path, lines)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS: 1042 comparisons" in done.stdout
    for pattern, words in (
        (r"(load_program\(9x\"2\", 64x\"\w+?)\w(\"\);)", "FAIL: wave 0: "),
        (r"(bench_issues : bench_cycles_t := \(0 => )\d+(,)", "FAIL: wave 0: issue of instruction 0: expected 7, found 57"),
        (r"(run_wave\(1, )\d+(\);)", "FAIL: wave 1: cycles: expected 7, found"),
        (r"(read_results\(9x\"20\", 128x\"\w+?)\w(\", \"wave 1)", "FAIL: wave 1: o0.x, lanes 0 to 3: expected"),
    ):
        text, count = re.subn(pattern, r"\g<1>7\2", right, count=1)
        assert count == 1, pattern
        assert text != right, pattern
        (tmp_path / "bench.vhd").write_text(text)
        done = run_commands(tmp_path, lines[1:])
        assert done.returncode != 0, pattern
        assert words in done.stdout, (pattern, done.stdout[:1000])


@needs_rtl
@pytest.mark.parametrize("path", [CORE, CACHE], ids=["core", "cache"])
def test_the_ports_are_those_of_the_entity(path: Path):
    head = path.read_text(encoding="latin-1").partition(f"end {path.stem};")[0]
    found = re.findall(
        r"^\s*(?:Port\s*\()?(\w+)\s*:\s*(in|out)\s+STD_LOGIC(?:_VECTOR\((\w+(?:-1)?) downto 0\))?", head, re.MULTILINE
    )
    listed = {name: (way == "out", int(high.partition("-")[0]) + ("-" not in high) if high else 0) for name, way, high in found}
    if path == CORE:
        assert listed == {name: (out, bits) for name, out, bits in PORTS}
    else:
        shared = {name: (not out, bits) for name, out, bits in PORTS if name in listed and name != "clk"}
        own = {name: (out, bits) for name, out, bits in CACHE_PORTS}
        assert {name: row for name, row in listed.items() if not name.startswith("DBG_") and name != "clk"} == shared | own


# What can be tried without the hardware


def measured(seed: int = 1) -> tuple[list[int], dict[tuple[int, int], int], dict[Place, list[int]], dict[str, str]]:
    rng = random.Random(seed)
    words = random_program(rng)
    constants, registers = setting(rng)
    return words, constants, registers, bench(words, constants, registers)


def test_the_bench_holds_program_constants_and_registers():
    words, constants, registers, files = measured()
    text = files[DATA_FILE]
    for number, word in enumerate(words):
        assert f'{number} => x"{word:016X}"' in text
    assert f'{4 * 255 + 3} => x"{constants[255, 3]:08X}"' in text
    quad = "".join(f"{registers['x', 7, 3][8 + unit]:08X}" for unit in (3, 2, 1, 0))
    assert f'{2 << 7 | 3 << 5 | 7 << 2 | 3} => x"{quad}"' in text
    assert files == measured()[3]
    core = files[BENCH_FILE].partition("entity work.ShaderCore port map (\n")[2].partition(");")[0]
    assert [line.strip() for line in core.split(",")] == [f"{name} => {name}" for name, _, _ in PORTS]


def test_random_programs_differ_and_end():
    programs = {tuple(random_program(random.Random(seed))) for seed in range(PROGRAMS)}
    assert len(programs) == PROGRAMS
    for words in programs:
        timing = time_program([decode(word) for word in words], RTL)
        assert timing.ended
        assert timing.hangs is None


def test_what_a_run_prints_is_read():
    registers = "\n".join(f"register {n} {n:032X}" for n in range(512))
    waves = (
        f"issue 60\nissue 68\nissue 77\nvertex {7:072X}{5:08X}\nfetch 9\nwave\nissue 160\nissue 168\nissue 177\nfetch 8\nwave\n"
    )
    text = f"{waves}cycles 18 4\nstalls 1 2\n{registers}\n"
    found = parse(text)
    assert isinstance(found, Measured)
    assert found[:5] == ([0, 8, 17], 1, 2, 18, 4)
    assert found.issues == [[0, 8, 17]] * 2
    assert found.exports == [(5, 7, *[0] * 8)]
    assert found.fetches == [9, 8]
    assert found.registers["o", 2, 1][::4] == tuple(quad << 7 | 1 << 5 | 2 << 2 | 1 for quad in range(4))
    with pytest.raises(ValueError, match="did not end"):
        parse("timeout\n" + text)


@needs_ghdl
def test_the_bench_runs_on_a_stub(tmp_path: Path):
    words, _, registers, files = measured()
    (tmp_path / "stub.vhd").write_text(stub())
    found = parse(simulated(tmp_path, files, [tmp_path / "stub.vhd"]))
    assert (found.issue_cycle, found.o_stalls, found.i_stalls, found.run_cycles, found.wait_cycles) == ([0, 2], 1, 0, 3, 1)
    assert (found.issues, found.exports) == ([[0, 2]], [(0, 0xFFFFFFFF, *[0] * 8)])
    fetched = registers[STREAM_INPUT][3]
    assert found.registers["o", 0, 0][4:8] == (LANES, fetched, words[1] & 0xFFFFFFFF, words[1] >> 32)
    for place, lanes in registers.items():
        kept = [lane for lane in range(LANES) if place != ("o", 0, 0) or not 4 <= lane < 8]
        assert [found.registers[place][lane] for lane in kept] == [lanes[lane] for lane in kept], place


@needs_ghdl
def test_a_bench_of_the_command_fails_on_a_stub(tmp_path: Path):
    """Without the hardware description: what a core does otherwise is said, the first differences of many."""
    lines = user_bench(tmp_path)
    (tmp_path / "stub.vhd").write_text(stub())
    done = run_commands(tmp_path, [f"ghdl -i {' '.join(STANDARD)} data.vhd bench.vhd stub.vhd", *lines[1:]])
    assert done.returncode != 0
    shown = done.stdout.splitlines()
    assert shown[0] == "FAIL: wave 0: issue of instruction 1: expected 8, found 2"
    assert "FAIL: wave 0: instructions that issue: expected 33, found 2" in shown
    assert sum(line.startswith("FAIL: ") for line in shown) == 40
