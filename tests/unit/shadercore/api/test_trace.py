"""`lanewise run --trace` of ShaderCore programs: blocks, write log, waveform, JSON, and where values come from."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.core.diagnostics import InputError
from lanewise.drawing.blame import blame, chain_of
from lanewise.shadercore.api.services.vcd import as_vcd
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.timing import time_program
from lanewise.tools.cli import main

TRANSFORM = str(REPOSITORY / "examples" / "transform.sc")
DATA = ["-i", "position=1,2,3;4,5,6;7,8,9", "-i", "color=0.1,0.2,0.3,0.4"]
# 19 vertices: a wave, and three vertices of a second one, whose other lanes keep what the first has left.
INPUTS = {"position": np.array([[1.3 + n, 2.1 + n] for n in range(19)])}
QUIRKS = """.input v0 position
.output o0 position
.const c0 (2.0, 3.0, 4.0, 5.0)
    add r1.x, r0.x, v0.x
    mov r0.x, v0.y
    rcp o0.x, v0.x
    mul r2.x, c0.x, c0.y
    add o0.y, r1.x, r2.x
    exp NULL, v0.y
    mov r3.x, v0.x
    nop o0.z, 0, 0
    mov_sat o0.w, -(-1)
    end
"""


@pytest.fixture
def quirks() -> lw.shadercore.ShaderCoreProgram:
    return lw.shadercore.ShaderCoreProgram.from_source(QUIRKS, "quirks.sc")


def test_blocks(capsys: pytest.CaptureFixture[str]):
    assert main(["run", TRANSFORM, *DATA, "--trace", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        f"{TRANSFORM}, vertex 1: wave 0, lane 1: rtl\n  wave 0 of 1: vertices 0 to 2, 13 lanes without a vertex\n"
        "  275 cycles: 270 until end has issued, 5 to write what is left; 6 of them waited\n"
    )
    assert (
        f"step 24, slot 24, {TRANSFORM}:29:5\n    rcp x0.x, o0.w\n  read   position.w (o0) = -6 [c0c00000]\n"
        "  wrote  x0.x = -0.1666667 [be2aaaab]\n  note   waits 2 cycles for o0.w, written by slot 23\n  state  cycle 194\n"
    ) in out
    assert "    mul r0.y, v0.y, c0.y\n" in out and "  note   line: mul r0.xyz, v0.xyz, c0.xyz\n" in out
    assert "end after 33 steps\n  position = " in out


def test_the_write_log(capsys: pytest.CaptureFixture[str]):
    assert main(["run", TRANSFORM, *DATA, "--trace", "1", "--trace-format", "table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "vertex 1: wave 0, lane 1, marked with *; lane = 4 * quad + unit; cycles from the first issue on rtl"
    assert lines[3].split() == ["10", "0", "0", "r0.x", "1", "4*", "7", "0", "mul", "r0.x,", "v0.x,", "c0.x"]
    assert lines[4].split() == ["11", "0", "1", "r0.x", "0", "0", "0", "0"]
    assert len(lines) == 3 + 4 * 32
    assert main(["run", TRANSFORM, *DATA, "--trace", "1", "--trace-format", "table", "--bits"]) == 0
    assert capsys.readouterr().out.splitlines()[3].split()[4:7] == ["3f800000", "40800000*", "40e00000"]


def test_json(capsys: pytest.CaptureFixture[str]):
    assert main(["run", TRANSFORM, *DATA, "--trace", "1", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["isa"], document["wave"], document["lane"], document["vertices"]) == ("shadercore", 0, 1, [0, 2])
    assert document["log"][0] == {
        "cycle": 10,
        "slot": 0,
        "quad": 0,
        "register": "r0.x",
        "data": [0x3F800000, 0x40800000, 0x40E00000, 0],
    }
    step = document["steps"][24]
    assert (step["cycle"], step["ready"], step["latency"]) == (194, 192, 14)
    assert step["waits"] == [{"for": "source", "register": "o0.w", "slot": 23, "cycles": 2}]
    assert step["wave"][1] == step["writes"][0]["new"]["bits"][0] == 0xBE2AAAAB
    assert {row["name"] for row in document["outputs"]} == {f"{name}.{c}" for name in ("position", "color") for c in "xyzw"}


def test_a_waveform(tmp_path: Path):
    path = tmp_path / "wave.vcd"
    assert main(["run", TRANSFORM, *DATA, "--trace", "0", "-o", str(path)]) == 0
    marks: dict[str, str] = {}
    held: dict[str, str] = {}
    rows: list[tuple[int, int, str, int]] = []
    cycle = -1

    def sample() -> None:
        if held.get("writes") == "1":
            file = "vorx"[int(held["write_file"], 2)]
            place = f"{file}{int(held['write_register'], 2)}.{'xyzw'[int(held['write_component'], 2)]}"
            rows.append((cycle, int(held["write_quad"], 2), place, int(held["write_data1"], 2)))

    for line in path.read_text().splitlines():
        if match := re.fullmatch(r"\$var wire \d+ (\S+) (\w+) \$end", line):
            marks[match[1]] = match[2]
        elif match := re.fullmatch(r"#(\d+)", line):
            until = int(match[1])
            while cycle >= 0 and cycle < until:
                sample()
                cycle += 1
            cycle = until
        elif (match := re.fullmatch(r"b(\w+) (\S+)", line)) or (match := re.fullmatch(r"([01])(\S+)", line)):
            held[marks[match[2]]] = match[1]
    program = lw.load(TRANSFORM, isa="shadercore")
    trace = program.trace({"position": [[1, 2, 3], [4, 5, 6], [7, 8, 9]], "color": [0.1, 0.2, 0.3, 0.4]})
    log = [
        (row.cycle, row.quad, f"{row.register[0]}{row.register[1]}.{'xyzw'[row.register[2]]}", row.data[1]) for row in trace.log
    ]
    assert rows == log


def explained(program: lw.shadercore.ShaderCoreProgram, component: str, lane: int = 17, device: str = "rtl") -> str:
    return program.trace(INPUTS, lane=lane, device=device).explain(component).text()


def test_lanes_that_share_a_unit(quirks: lw.shadercore.ShaderCoreProgram):
    text = explained(quirks, "position.x")
    assert "  from  position@9.x (v0@9, lane 9: a term of its unit is used) = 10.3 [4124cccd]\n" in text
    assert "  left by wave 0: position@9.x (v0@9) = 10.3 [4124cccd]" in text
    assert "@" not in explained(quirks, "position.x", device="rtl,rcp_sigma=fixed")


def test_blame_follows_values_of_other_lanes(quirks: lw.shadercore.ShaderCoreProgram):
    chain = chain_of(quirks.trace(INPUTS, lane=1), "position.x")  # its unit uses a term of lane 9
    assert blame(chain).instruction == "rcp o0.x, v0.x"


def test_what_the_fetch_leaves_in_lanes_without_a_vertex():
    program = lw.shadercore.ShaderCoreProgram.from_source("rcp o0.x, v0.x\nend\n")
    text = program.trace({"v0": np.array([[1.3 + n] for n in range(7)])}, lane=3).explain("o0.x").text()
    # lane 7 gets what the quad before has fetched (reference 3)
    assert "  leftover of the fetch v0@7.x = 4.3 [4089999a]" in text


def test_registers_of_earlier_waves(quirks: lw.shadercore.ShaderCoreProgram):
    text = explained(quirks, "position.y")
    assert "mov r0.x, v0.y  (wave 0)\n  from  position#1.y (v0#1) = 3.1 [40466666]\n  made  r0.x = 3.1" in text
    assert (
        "  input position#1.y (v0#1) = 3.1 [40466666]\n  input position.x (v0) = 18.3 [41926666]\n"
        "  constant c0.x = 2 [40000000]"
    ) in text
    assert "(wave 0)" not in explained(quirks, "position.y", device="rtl,between_waves=zero")


def test_one_constant_port(quirks: lw.shadercore.ShaderCoreProgram):
    assert "  read   c0.x (one constant port: not c0.y) = 2 [40000000]\n" in quirks.trace(INPUTS).text()
    assert "  read   c0.y = 3 [40400000]\n" in quirks.trace(INPUTS, device="document").text()


def test_a_stray_result(quirks: lw.shadercore.ShaderCoreProgram):
    text = explained(quirks, "position.z")
    assert "  from  position@13.y (v0@13) = 15.1 [4171999a]\n  made  SPEC5@13 = 0.06622516 [3d87a10f]\n" in text
    assert "  from  SPEC5@13 (unclaimed result of slot 5, lane 13) = 0.06622516 [3d87a10f]\n" in text
    assert "SPEC5" not in quirks.trace(INPUTS, lane=17, device="rtl,stray_special=lost").text()


def test_fixed_values(quirks: lw.shadercore.ShaderCoreProgram):
    assert "  read   -(-1) = 1 [3f800000]\n  wrote  position.w (o0) = 1" in quirks.trace(INPUTS).text()
    assert explained(quirks, "position.w").endswith("given:\n  fixed value -1 = -1 [bf800000]")


def test_what_is_not_there(quirks: lw.shadercore.ShaderCoreProgram):
    trace = quirks.trace(INPUTS)
    with pytest.raises(InputError, match="'o0' is a whole register"):
        trace.explain("o0")
    with pytest.raises(InputError, match=r"nothing is known of 'r7\.x'"):
        trace.explain("r7.x")
    with pytest.raises(InputError, match="vertex 19 does not exist"):
        quirks.trace(INPUTS, lane=19)
    with pytest.raises(InputError, match="does not terminate"):
        lw.shadercore.ShaderCoreProgram.from_source("mov o0.x, x7.x\nend\n").trace()


def test_another_lane(quirks: lw.shadercore.ShaderCoreProgram):
    trace = quirks.trace(INPUTS, lane=17)
    assert trace.explain("r3@2.x").text().startswith("r3@2.x = 19.3")
    assert trace.explain("v0.x").text().startswith("v0.x = 18.3")


def test_options(capsys: pytest.CaptureFixture[str]):
    assert (
        main(["run", TRANSFORM, *DATA, "--trace", "0", "--explain", "color.x", "--device", "document", "--format", "json"]) == 0
    )
    document = json.loads(capsys.readouterr().out)
    assert (document["component"], document["place"], document["variant"]) == ("color.x", "o1.x", "document")
    assert [given["name"] for given in document["given"]] == ["color"]
    assert main(["run", TRANSFORM, *DATA, "--trace", "3"]) == 1
    assert "error[B008]: vertex 3 does not exist" in capsys.readouterr().err


def test_registers_after_the_wave(capsys: pytest.CaptureFixture[str]):
    assert main(["run", TRANSFORM, *DATA, "--trace", "1", "--registers"]) == 0
    out = capsys.readouterr().out
    assert "\nregisters of lane 1 after wave 0:\n  r0 = 4, 0, 0, 0 [40800000 00000000 00000000 00000000]\n" in out
    assert main(["run", TRANSFORM, *DATA, "--trace", "1", "--registers", "--format", "json"]) == 0
    registers = json.loads(capsys.readouterr().out)["registers"]
    assert len(registers) == 32 and len(registers["x7"]) == 16 and registers["r0"][1] == [0x40800000, 0, 0, 0]


def test_registers_of_a_run(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "out.npz"
    arguments = ["run", TRANSFORM, *DATA, "--engine", "llvm", "--registers"]
    assert main([*arguments, "-o", str(path)]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.split()[:2] == ["lane", "register"])
    assert lines[at + 1].split() == ["0", "r0", "1", "0", "0", "0"] and len(lines) - at - 1 == 16 * 32
    assert "registers are those of the reference engine: compiled code does not keep them" in err
    with np.load(path) as file:
        assert file["register_r0"].shape == (16, 4) and file["register_r0"][1, 0] == 0x40800000
    assert main([*arguments, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["registers"]["r0"]["bits"][1] == [0x40800000, 0, 0, 0]
    assert main(["run", TRANSFORM, *DATA, "--registers", "--engine", "reference"]) == 0
    assert "reference engine" not in capsys.readouterr().err


def test_registers_at_the_end():
    program = lw.shadercore.ShaderCoreProgram.from_source("mov r0.x, v0.x\nmov o0.x, v0.y\nadd x3.w, x3.w, v0.x\nend\n")
    inputs = {"v0": np.array([[n, -n] for n in range(20)], np.float32)}
    for engine in ("reference", "llvm"):
        found = program.run(inputs, engine=engine, initial={"r5": [1, 2, 3, 4]}).registers
        assert len(found) == 32 and all(values.shape == (16, 4) and values.dtype == np.uint32 for values in found.values())
        shown = {name: values.view(np.float32) for name, values in found.items()}
        assert shown["r0"][:5, 0].tolist() == [16, 17, 18, 19, 4], (
            "lane 4 has no vertex in the last wave: it has what the first left"
        )
        assert shown["x3"][:5, 3].tolist() == [16, 18, 20, 22, 8], "all lanes add, whether they have a vertex or not"
        assert shown["r5"][7].tolist() == [1, 2, 3, 4]
        assert shown["o0"][1, 0] == -17
    assert program.run(inputs, device="document").registers["r0"].view(np.float32)[:5, 0].tolist() == [16, 17, 18, 19, 0]


@pytest.mark.parametrize(
    ("count", "vertex", "wave"),
    [
        (1, 0, "wave 0 of 1: vertex 0, 15 lanes without a vertex\n"),
        (2, 1, "wave 0 of 1: vertices 0 to 1, 14 lanes without a vertex\n"),
        (15, 3, "wave 0 of 1: vertices 0 to 14, 1 lane without a vertex\n"),
        (16, 3, "wave 0 of 1: vertices 0 to 15\n"),
        (17, 16, "wave 1 of 2: vertex 16, 15 lanes without a vertex\n"),
    ],
)
def test_the_vertices_of_a_wave(quirks: lw.shadercore.ShaderCoreProgram, count: int, vertex: int, wave: str):
    trace = quirks.trace({"position": np.ones((count, 2))}, lane=vertex)
    assert trace.text().splitlines(keepends=True)[1].strip() == wave.strip()


def test_a_waveform_has_changes_only(quirks: lw.shadercore.ShaderCoreProgram):
    """All signals at the start, then each where it differs from the cycle before."""
    lines = as_vcd(time_program(quirks.program.insts, RTL)).splitlines()
    marks = [line.split()[3] for line in lines if line.startswith("$var")]
    held: dict[str, str] = {}
    at = -1
    for line in lines[lines.index("$enddefinitions $end") + 1 :]:
        if line.startswith("#"):
            assert int(line[1:]) > at
            at = int(line[1:])
        elif not line.startswith("$"):
            mark = line.split()[-1] if line[0] in "bs" else line[1:]
            assert held.get(mark) != line, (at, line)
            assert (at == 0) == (mark not in held)
            held[mark] = line
    assert sorted(held) == sorted(marks)
