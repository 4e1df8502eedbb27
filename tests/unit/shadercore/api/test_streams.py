"""Vertex streams: what a descriptor fetches, DWORD by DWORD, and what is refused."""

from __future__ import annotations

import json
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.core.record import by_position
from lanewise.shadercore.api.streams import KINDS, fetch
from lanewise.shadercore.isa.devices import DOCUMENT, RTL, Device
from lanewise.tools import cli
from shadercore_cases import needs_vectors, program_vectors
from together import together

MEMORY = b"".join(struct.pack("<I", 0x10000 + n) for n in range(200))


def values(stream: lw.shadercore.Stream, device: Device = RTL, **more: Any) -> dict[int, list[int]]:
    return {place[1]: array.tolist() for place, array in fetch({0: stream}, device, **more).values.items()}


@together("kind", [f"float{n}" for n in range(1, 5)])
@together(("stride", "offset", "base"), [(None, 0, 0), (4, 0, 0), (7, 3, 0), (1, 63, 5), (63, 1, 2), (0, 9, 1)])
def test_elements(kind: str, stride: int | None, offset: int, base: int):
    found = values(
        lw.shadercore.Stream(input="v0", kind=kind, data=MEMORY, stride=stride, offset=offset, base=base), indices=[0, 1, 0, 1]
    )
    step = int(kind[5:]) if stride is None else stride
    assert set(found) == set(range(int(kind[5:])))
    for component, patterns in found.items():
        assert patterns == [0x10000 + base + index * step + offset + component for index in (0, 1, 0, 1)]


def test_missing_components_are_a_matter_of_the_device():
    stream = lw.shadercore.Stream(input="v0", kind="float2", data=MEMORY)
    assert sorted(values(stream)) == [0, 1]
    found = values(stream, DOCUMENT, count=2)
    assert (found[2], found[3]) == ([0, 0], [0x3F800000, 0x3F800000])
    program = lw.shadercore.ShaderCoreProgram.from_source("mov o0.xyzw, v0.xyzw\nend\n")

    def outputs(device: str) -> list[list[float]]:
        streams = [lw.shadercore.Stream(input="v0", kind="float1", data=MEMORY[:8])]
        return program.run(streams=streams, initial={"v0": [9, 9, 9, 9]}, device=device).outputs["o0"][:, 1:].tolist()

    assert outputs("rtl") == [[9, 9, 9], [9, 9, 9]]
    assert outputs("document") == outputs("rtl,missing_components=defaults") == [[0, 0, 1], [0, 0, 1]]


def test_colours_of_the_document_are_correctly_rounded():
    data = b"".join(struct.pack("<I", n << 24 | (255 - n) << 16 | (n ^ 0x55) << 8 | (n * 7 & 255)) for n in range(256))
    found = values(lw.shadercore.Stream(input="v0", kind="d3dcolor", data=data), DOCUMENT)
    assert found == values(lw.shadercore.Stream(input="v0", kind="d3dcolor", data=data), RTL.set("d3dcolor=n/255"))
    for n in range(256):
        for component, part in enumerate((255 - n, n ^ 0x55, n * 7 & 255, n)):
            pattern = found[component][n]
            near = [struct.unpack("<f", struct.pack("<I", p))[0] for p in (max(pattern - 1, 0), pattern, pattern + 1)]
            errors = [abs(Fraction(value) - Fraction(part, 255)) for value in near]
            assert errors[1] == min(errors), part
    assert (found[3][0], found[3][255]) == (0, 0x3F800000)


def test_colours_of_the_hardware_are_256ths_but_for_1():
    data = b"".join(struct.pack("<I", n << 24 | (255 - n) << 16 | (n ^ 0x55) << 8 | (n * 7 & 255)) for n in range(256))
    found = values(lw.shadercore.Stream(input="v0", kind="d3dcolor", data=data))
    for n in range(256):
        parts = (255 - n, n ^ 0x55, n * 7 & 255, n)
        numbers = [struct.unpack("<f", struct.pack("<I", found[component][n]))[0] for component in range(4)]
        assert numbers == [1.0 if part == 255 else part / 256 for part in parts]
    # measured
    assert values(lw.shadercore.Stream(input="v0", kind="d3dcolor", data=b"\xc0\x7f\x3e\xff")) == {
        0: [0x3E780000],
        1: [0x3EFE0000],
        2: [0x3F400000],
        3: [0x3F800000],
    }


@needs_vectors
def test_the_repositorys_own_program_on_an_interleaved_buffer():
    """Position, texture coordinate, normal and D3DCOLOR of 15 vertices from one buffer, the 16th lane as the measurement set
    it."""
    vector = next(v for v in program_vectors() if v["name"] == "repo_test_program_82")
    lanes = {name: [[int(bits, 16) for bits in row] for row in rows] for name, rows in vector["v"].items()}
    data = b""
    for vertex in range(vector["lanes_active"]):
        dwords = [*lanes["v0"][vertex][:3], *lanes["v1"][vertex][:2], *lanes["v2"][vertex][:3]]
        red, green, blue, alpha = (255 * (bits == 0x3F800000) for bits in lanes["v3"][vertex])
        data += struct.pack("<9I", *dwords, alpha << 24 | red << 16 | green << 8 | blue)
    streams = [
        lw.shadercore.Stream(input="v0", kind="float3", data=data, stride=9),
        lw.shadercore.Stream(input="v1", kind="float2", data=data, stride=9, offset=3),
        lw.shadercore.Stream(input="v2", kind="float3", data=data, stride=9, offset=5),
        lw.shadercore.Stream(input="v3", kind="d3dcolor", data=data, stride=9, offset=8),
    ]
    program = lw.shadercore.ShaderCoreProgram.from_words([int(word, 16) for word in vector["words"]])
    constants = {f"c{n}": lw.Words([int(bits, 16) for bits in row]) for n, row in vector["c"].items()}
    initial = {name: lw.Words(rows) for name, rows in lanes.items()}
    result = program.run(uniforms=constants, streams=streams, initial=initial, device="rtl,idle_lanes=kept")
    exported = np.concatenate([result.bits["o0"], result.bits["o2"], result.bits["o1"]], axis=1)
    assert [[f"0x{bits:08X}" for bits in row] for row in exported.tolist()] == vector["expected"]["export"]


@together(
    ("stream", "more", "told"),
    [
        (("v0", "float5", MEMORY), {}, "B201 the stream of v0 has the type 'float5'"),
        (("v0", "float3", MEMORY, 64), {}, "B201 the stream of v0 has a stride of 64 DWORDs"),
        (("v0", "float3", MEMORY, -1), {}, "B201 the stream of v0 has a stride of -1"),
        (("v0", "float3", MEMORY, 3, 64), {}, "B201 the stream of v0 has an offset of 64"),
        (("v0", "float3", MEMORY, 3, 0, -1), {}, "B201 the stream of v0 has a base of -1"),
        (("v0", "float3", MEMORY[:8]), {}, "B201 no vertices"),
        (
            ("v0", "float3", MEMORY[:24]),
            {"count": 3},
            "B011 vertex 2 of the stream of v0 is out of range: its data has 2 vertices",
        ),
        (("v0", "float3", MEMORY[:24]), {"count": -1}, "B201 -1 vertices requested"),
        (("v0", "float3", MEMORY, 0), {"count": 70000}, "B201 70000 vertices are too many: an index has 16 bits"),
        (("v0", "float3", MEMORY), {"indices": [65536]}, "B011 index 65536 does not fit"),
        (("v0", "float3", MEMORY), {"indices": [-1]}, "B011 index -1"),
        (("v0", "float3", MEMORY), {"indices": []}, "B011 the indices are not a list"),
        (("v0", "float3", MEMORY), {"indices": [0, 1], "count": 3}, "B008 2 indices for 3 vertices"),
        (("v0", "float3", MEMORY), {"indices": [0], "count": 3}, "B008 1 index for 3 vertices"),
        (
            ("v0", "float3", MEMORY[:12]),
            {"indices": [1]},
            "B011 indices[0]: vertex 1 of the stream of v0 is out of range: its data has 1 vertex",
        ),
        (("v0", "float3", MEMORY, 0, 0, 198), {}, "B011 vertex 0 of the stream of v0 is out of range: its data has 0 vertices"),
        (("v9", "float3", MEMORY), {}, "B001 unknown input 'v9'"),
    ],
)
def test_what_is_refused(stream: tuple[Any, ...], more: dict[str, Any], told: str):
    program = lw.shadercore.ShaderCoreProgram.from_source("mov o0.x, v0.x\nend\n")
    with pytest.raises(lw.InputError) as error:
        program.run(streams=[by_position(lw.shadercore.Stream)(*stream)], **more)
    found = [f"{d.code} {d.message}" for d in error.value.diagnostics]
    assert any(text.startswith(told) for text in found), found
    assert all(d.fix for d in error.value.diagnostics)


def test_streams_that_do_not_go_together():
    program = lw.shadercore.ShaderCoreProgram.from_source("add o0.x, v0.x, v1.x\nend\n")
    twice = [
        lw.shadercore.Stream(input="v0", kind="float1", data=MEMORY),
        lw.shadercore.Stream(input="v0", kind="float2", data=MEMORY),
    ]
    with pytest.raises(lw.InputError, match="B006"):
        program.run(streams=twice)
    with pytest.raises(lw.InputError, match="B006"):
        program.run({"v0": [1]}, streams=twice[:1])
    with pytest.raises(lw.InputError, match=r"B008.*v0 200, v1 100"):
        program.run(streams=[twice[0], lw.shadercore.Stream(input="v1", kind="float2", data=MEMORY)])
    with pytest.raises(lw.InputError, match=r"B008.*v1 2, the streams 200"):
        program.run({"v1": [[1], [2]]}, streams=twice[:1])
    assert program.run(streams=[twice[0], lw.shadercore.Stream(input="v1", kind="float2", data=MEMORY)], count=5).lanes == 5
    constant = [lw.shadercore.Stream(input="v0", kind="float1", data=MEMORY, stride=0)]
    assert program.run({"v1": [[1], [2]]}, streams=constant).lanes == 2
    assert program.run(streams=constant, defaults=0).lanes == 1
    left = program.run({"v1": [1]}, streams=[lw.shadercore.Stream(input="v0", kind="float1", data=MEMORY + b"x")])
    assert [d.code for d in left.warnings] == ["B201"]


def test_data_that_the_hardware_does_not_reach():
    """Both measured: an address loses its low five bits on its way to the memory, and its bits above the DWORD 2^20."""
    program = lw.shadercore.ShaderCoreProgram.from_source("mov o0.x, v0.x\nend\n")
    uneven = lw.shadercore.Stream(input="v0", kind="float1", data=MEMORY, stride=1, offset=0, base=3, name="m.bin")
    (warning,) = program.run(streams=[uneven]).warnings
    assert (warning.code, warning.severity, warning.span.file) == ("B201", "warning", "m.bin")
    assert "begin at DWORD 3, which is not a multiple of 8" in warning.message
    assert "align the data to 32 bytes" in warning.fix
    assert program.run(streams=[uneven._replace(base=8)]).warnings == ()
    assert program.run(streams=[uneven], device="document").warnings == ()
    assert program.run(streams=[uneven], device="rtl,cache_base=any").warnings == ()
    far = lw.shadercore.Stream(input="v0", kind="float1", data=np.zeros((1 << 20) + 1, np.uint32), stride=32)
    (warning,) = program.run(streams=[far], indices=[0, 1 << 15]).warnings
    assert "vertex 32768 of the stream of v0 ends 1048577 DWORDs after the base" in warning.message
    assert program.run(streams=[far], indices=[0, (1 << 15) - 1]).warnings == ()
    assert program.run(streams=[far], indices=[1 << 15], device="rtl,cache_reach=all").warnings == ()


def test_more_descriptors_than_there_are():
    streams = {n: lw.shadercore.Stream(input=f"v{n}", kind="float1", data=MEMORY) for n in range(9)}
    with pytest.raises(lw.InputError, match="9 streams are too many: a core has 8 descriptors"):
        fetch(streams, RTL)


def test_arrays_count_by_their_bytes():
    array = np.array([[1, 2], [3, 4]], np.float32)
    found = values(lw.shadercore.Stream(input="v0", kind="float2", data=array))
    assert found == {0: [0x3F800000, 0x40400000], 1: [0x40000000, 0x40800000]}
    assert values(lw.shadercore.Stream(input="v0", kind="float2", data=array.T.copy().T)) == found
    assert {kind.dwords for kind in KINDS.values()} == {1, 2, 3, 4}


# The command line

SOURCE = ".input v0 position\n.input v1 color\nmov o0.xyz, v0.xyz\nmov o1.xyzw, v1.xyzw\nend\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sc").write_text(SOURCE)
    (tmp_path / "m.bin").write_bytes(b"".join(struct.pack("<3fI", n, n + 0.5, -n, 0xFF000000 | n << 16) for n in range(3)))
    (tmp_path / "t.u16").write_bytes(struct.pack("<4H", 2, 0, 0, 1))
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, list[float]]:
    capsys.readouterr()
    assert cli.main(["run", "a.sc", *argv, "--format", "json"]) == 0
    outputs = json.loads(capsys.readouterr().out)["outputs"].values()
    return {
        f"{output['register']}.{letter}": [row[column] for row in output["values"]]
        for output in outputs
        for column, letter in enumerate(output["components"])
    }


def test_streams_of_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]):
    streams = ("--stream", "position=float*3:m.bin:0:4", "--stream", "color=D3DCOLOR:m.bin:3:4")
    found = run(capsys, *streams)
    assert found["o0.y"] == [0.5, 1.5, 2.5]
    assert found["o1.w"] == [1, 1, 1]
    assert found["o1.x"][2] == 2 / 256
    assert run(capsys, *streams, "--set", "d3dcolor=n/255")["o1.x"][2] == np.float32(2 / 255)
    assert run(capsys, *streams, "--indices", "t.u16")["o0.x"] == [2, 0, 0, 1]
    assert run(capsys, *streams, "--indices", "1,2")["o0.z"] == [-1, -2]
    assert run(capsys, "--stream", "v0=float3:m.bin:1:0", "-i", "color=1,1,1,1;2,2,2,2")["o0.x"] == [0.5, 0.5]
    assert run(capsys, "--stream", "v0=float1:m.bin:::4", "--count", "1", "-i", "v1=0")["o0.x"] == [1]


def test_a_file_of_outputs(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["run", "a.sc", "--stream", "v0=float3:m.bin:0:4", "-i", "v1=1,1,1,1", "-o", "out.npz"]) == 0
    saved = np.load("out.npz")
    assert saved["o0"].shape == (3, 4)
    assert saved["o1"].dtype == np.float32


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("v0", 2, "write NAME=TYPE:FILE"),
        ("v0=int3:m.bin", 2, "unknown type 'int3'"),
        ("v0=float:m.bin", 2, "unknown type 'float'"),
        ("v0=float3", 2, "missing file"),
        ("v0=float3:m.bin:x", 2, "OFFSET is 'x', expected a number of DWORDs"),
        ("v0=float3:m.bin:1z", 2, "OFFSET is '1z', expected a number of DWORDs"),
        ("v0=float3:none.bin:0:4", 1, "none.bin"),
        ("v0=float3:m.bin:64", 1, "use 0 to 63 DWORDs"),
        ("v0=float3:m.bin:0:65", 1, "use 0 to 63 DWORDs"),
        ("v0=float3:m.bin:0:-1", 1, "stride of -1"),
        ("v7=float3:m.bin:0:4:900", 1, "no vertices"),
    ],
)
def test_streams_that_are_wrong(folder: Path, capsys: pytest.CaptureFixture[str], text: str, code: int, told: str):
    assert cli.main(["run", "a.sc", "--stream", text]) == code
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "indices", "warned"),
    [
        ("<I", (2, 2, 1), True),
        ("<I", (0, 1, 2, 1), True),
        ("<H", (2, 2, 1, 0, 1, 2), False),
        ("<H", (0, 0, 0, 0, 0, 0), False),
        ("<H", (2, 0, 1, 0), False),
    ],
)
def test_indices_of_32_bits(
    folder: Path, capsys: pytest.CaptureFixture[str], form: str, indices: tuple[int, ...], *, warned: bool
):
    stream = ["a.sc", "--stream", "v0=float3:m.bin:0:4"]
    (folder / "t.bin").write_bytes(b"".join([struct.pack(form, index) for index in indices]))
    for argv in (["run", *stream, "-i", "v1=0"], ["time", *stream], ["time", "a.sc", "--stream", "float1"]):
        assert cli.main([*argv, "--indices", "t.bin"]) == 0
        err = capsys.readouterr().err
        assert ("warning[B011]: every second index is 0: " in err) == warned, argv
        assert ("--> t.bin" in err) == (warned and argv[0] == "run"), argv
    (folder / "t.bin").write_bytes(b"".join([struct.pack("<q", index) for index in indices]))
    assert cli.main(["run", *stream, "-i", "v1=0", "--indices", "t.bin"]) == 0
    err = capsys.readouterr().err
    assert ("three of four indices are 0: " in err and "64-bit indices, those of numpy.array, write" in err) == any(indices)
    (folder / "t.bin").write_bytes(b"".join([struct.pack("<H", index) for index in indices]))
    assert cli.main(["run", *stream, "-i", "v1=0", "--indices", "t.bin"]) == 0
    assert ("every second index" in capsys.readouterr().err) == (form == "<H" and warned)


def test_indices_that_are_wrong(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "odd.u16").write_bytes(b"abc")
    for text in ("odd.u16", "0.5", "none.u16", "70000"):
        assert cli.main(["run", "a.sc", "--stream", "v0=float3:m.bin:0:4", "-i", "v1=0", "--indices", text]) == 1
    assert "70000 does not fit" in capsys.readouterr().err


def test_time_takes_streams(folder: Path, capsys: pytest.CaptureFixture[str]):
    estimates: list[int] = []
    for argv in (
        ["--stream", "float3,d3dcolor"],
        ["--stream", "position=float3:m.bin:0:4", "--stream", "color=d3dcolor:m.bin:3:4"],
    ):
        assert cli.main(["time", "a.sc", "--vertices", "40", "--json", *argv]) == 0
        estimates.append(json.loads(capsys.readouterr().out)["draw"]["fetch_estimate"])
    assert estimates == [(3 + 1) * 7 * 40 + (3 + 9) * 10] * 2
    assert cli.main(["time", "a.sc", "--stream", "v0=x:m.bin"]) == 2
    assert cli.main(["time", "a.sc", *["--stream", "v0=float1:m.bin"] * 9]) == 2


def test_a_file_of_words_alone_is_run(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["asm", "a.sc", "--to", "bin", "-o", "a.bin"]) == 0
    capsys.readouterr()
    assert cli.main(["run", "--bits", "a.bin", "-i", "v0=1,2,3", "-i", "v1=0"]) == 0
    assert "0x3F800000" in capsys.readouterr().out
    assert cli.main(["run", "m.bin"]) == 1
    err = capsys.readouterr().err
    assert "error[C001]" in err
    assert "not a ShaderCore file: word 0, 0x3F00000000000000, has undefined bits above 42" in err
