"""`lanewise run --buffer --attribute`: vertices as they lie in memory, described as citro3d's calls describe them."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from effort import times
from lanewise.core.service import InputFailure, Request, UsageError
from lanewise.pica200.api.services.buffers import buffers_of
from lanewise.tools import run as run_command
from lanewise.tools.cli import main
from lanewise.tools.command import parse
from lanewise.tools.console import DiskFiles

SHADER = ".out a position\n.out b color\n.in place\n.in paint\n.proc main\nmov a, place\nmov b, paint\nend\n.end\n"
CORNERS = [(0.0, 0.5, -1.0), (1.0, 2.0, 3.0), (4.0, 5.0, 6.5)]
INTERLEAVED = b"".join(struct.pack("<3f4B", *corner, 255, 128, 0, n) for n, corner in enumerate(CORNERS))
SHORTS = struct.pack("<8h", 0, -1, 300, -300, 32767, -32768, 7, 8)
BOTH = ("--attribute", "place=float*3", "--attribute", "paint=ubyte*4")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.v.pica").write_text(SHADER)
    (tmp_path / "all.bin").write_bytes(INTERLEAVED)
    (tmp_path / "places.bin").write_bytes(SHORTS)
    (tmp_path / "paints.bin").write_bytes(bytes([1, 2, 253, 4]))
    return tmp_path


def read(*argv: str) -> dict[str, list[Any]]:
    return {name: array.tolist() for name, array in buffers_of(asked(*argv)).fetched()[0].items()}


def asked(*argv: str) -> Request:
    """The request of a command line of `lanewise run`."""
    return Request("run", (), parse(run_command.LINE, ["x.v.pica", *argv]).values, files=DiskFiles())


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(["run", "s.v.pica", *argv])
    out, err = capsys.readouterr()
    return code, out, err


PLACES = [[*corner, 1.0] for corner in CORNERS]
PAINTS = [[255, 128, 0, n] for n in range(3)]


@pytest.mark.parametrize(
    "form", ["float*3", "float32*3", "float3", "float x3", "GPU_FLOAT,3", "f32x3", "FLOAT 3"]
)  # as C, NumPy and libctru call it
def test_spellings_of_a_type(form: str):
    assert read("--attribute", f"v0={form}", "--attribute", "v1=GPU_UNSIGNED_BYTE,4", "--buffer", "all.bin") == {
        "v0": PLACES,
        "v1": PAINTS,
    }


def test_integers_count_by_value_and_lack_0_0_0_1():
    assert read("--attribute", "p=short*2", "--buffer", "places.bin")["p"] == [
        [0, -1, 0, 1],
        [300, -300, 0, 1],
        [32767, -32768, 0, 1],
        [7, 8, 0, 1],
    ]
    assert read("--attribute", "p=byte*1", "--buffer", "paints.bin")["p"] == [
        [1, 0, 0, 1],
        [2, 0, 0, 1],
        [-3, 0, 0, 1],
        [4, 0, 0, 1],
    ]
    assert read("--attribute", "p=u8*1", "--buffer", "paints.bin")["p"][2] == [253, 0, 0, 1]


def test_offset_and_stride():
    assert read(*BOTH, "--buffer", "all.bin:16") == {"place": PLACES[1:], "paint": PAINTS[1:]}
    assert read("--attribute", "place=float*3", "--buffer", "all.bin:0:16") == {"place": PLACES}
    assert read("--attribute", "place=float*3", "--buffer", "all.bin:0x10:32") == {"place": PLACES[1:2]}
    assert read("--attribute", "place=float*3", "--buffer", "all.bin::16") == {"place": PLACES}


def test_permutations():
    """BufInfo_Add(info, data, 16, 2, 0x10) of interleaved data; separate arrays; the other way about; padding."""
    assert read(*BOTH, "--buffer", "all.bin:0:16:0x10") == {"place": PLACES, "paint": PAINTS}
    other = ("--attribute", "1=ubyte*4", "--attribute", "0=float*3")
    assert read(*other, "--buffer", "all.bin:0:16:0x01") == {"v0": PLACES, "v1": PAINTS}
    separate = ("--attribute", "place=short*2", "--attribute", "paint=ubyte*1")
    found = read(*separate, "--buffer", "places.bin:0:4:0x0", "--buffer", "paints.bin:0:1:0x1")
    assert found["place"][1] == [300, -300, 0, 1]
    assert found["paint"] == [[1, 0, 0, 1], [2, 0, 0, 1], [253, 0, 0, 1], [4, 0, 0, 1]]
    assert read("--attribute", "place=float*3", "--buffer", "all.bin:0:16:0xC0") == {"place": PLACES}  # C: 4 bytes of nothing
    assert read("--attribute", "paint=ubyte*4", "--buffer", "all.bin:0:16:0x0E") == {"paint": PAINTS}  # E: 12 bytes
    assert read("--attribute", "_=float*3", "--attribute", "paint=ubyte*4", "--buffer", "all.bin") == {"paint": PAINTS}


def test_a_file_whose_name_has_colons(here: Path):
    (here / "odd:16").write_bytes(INTERLEAVED)
    assert read(*BOTH, "--buffer", "odd:16")["paint"] == PAINTS
    assert read(*BOTH, "--buffer", "odd:16:32")["paint"] == PAINTS[2:]


def test_the_same_as_the_library(capsys: pytest.CaptureFixture[str], here: Path):
    code, out, err = run(capsys, *BOTH, "--buffer", "all.bin", "-o", "out.npz")
    assert (code, err.count("warning[")) == (0, 1)
    assert "warning[R012]: color.x (o1) reaches 255" in err
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["0", "0", "0.5", "-1", "1", "255", "128", "0", "0"],
        ["1", "1", "2", "3", "1", "255", "128", "0", "1"],
        ["2", "4", "5", "6.5", "1", "255", "128", "0", "2"],
    ]
    inputs = lw.pica200.fetch_vertices(INTERLEAVED, [("place", "float32", 3), ("paint", "uint8", 4)])
    expected = lw.load("s.v.pica").vertex.run(inputs)
    with np.load(here / "out.npz") as arrays:
        assert arrays["position"].tolist() == expected.outputs["position"].tolist()
        assert arrays["color"].tolist() == expected.outputs["color"].tolist()


def test_a_fixed_attribute_is_an_input(capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(capsys, "--attribute", "place=float*3", "--buffer", "all.bin:0:16", "-i", "paint=1,0.5", "--count", "2")
    assert code == 0
    assert [line.split()[5:] for line in out.splitlines()[2:]] == [["1", "0.5", "0", "1"]] * 2


def test_traces_and_primitives_take_buffers(capsys: pytest.CaptureFixture[str]):
    given = (*BOTH, "--buffer", "all.bin")
    assert "paint" in run(capsys, *given, "--trace", "1")[1]
    assert run(capsys, *given, "--indices", "2,1,0")[1].splitlines()[2].split()[:4] == ["0", "0", "4", "5"]


def test_what_is_left_over_is_a_warning(capsys: pytest.CaptureFixture[str], here: Path):
    (here / "more.bin").write_bytes(INTERLEAVED + b"\0\0\0")
    code, _, err = run(capsys, *BOTH, "--buffer", "more.bin")
    assert code == 0
    assert "warning[B015]: left over behind the last whole vertex: 3 bytes; a vertex takes 16\n  --> more.bin" in err
    for more in ((), ("--indices", "all"), ("--trace", "0"), ("--trace", "0", "--explain", "color.x")):
        _, out, err = run(capsys, *BOTH, "--buffer", "more.bin", *more, "--format", "json")
        codes = [finding["code"] for finding in json.loads(out)["diagnostics"]]
        assert ([code for code in codes if code != "R012"], err) == (["B015"], "")
    (here / "less.bin").write_bytes(INTERLEAVED[:-4])  # only what fills the last vertex up is missing
    assert run(capsys, "--attribute", "place=float*3", "--buffer", "less.bin:0:16", "-i", "paint=1")[::2] == (0, "")


@pytest.mark.parametrize(
    ("argv", "code", "says"),
    [
        (("--attribute", "place=half*2", "--buffer", "all.bin"), 2, "there is no type 'half*2'"),
        (("--attribute", "place=float", "--buffer", "all.bin"), 2, "it has 1 to 4 components"),
        (("--attribute", "place=float*5", "--buffer", "all.bin"), 2, "it has 1 to 4 components"),
        (
            ("--attribute", "place=float*3,paint=u8*4", "--buffer", "all.bin"),
            2,
            "give each attribute an --attribute of its own",
        ),
        (("--attribute", "place", "--buffer", "all.bin"), 2, "write NAME=TYPE*COUNT"),
        (("--attribute", "=float*3", "--buffer", "all.bin"), 2, "write NAME=TYPE*COUNT"),
        (("--attribute", "place=float*3"), 2, "there is no --buffer"),
        (("--buffer", "all.bin"), 2, "there is no --attribute"),
        (("--attribute", "place=float*3", "--buffer", "none.bin:4:16"), 1, "cannot read none.bin: No such file"),
        (
            ("--attribute", "place=float*3", "--buffer", "all.bin:40"),
            1,
            "all.bin has 48 bytes, and the first vertex ends at byte 52",
        ),
        (("--attribute", "place=float*3", "--buffer", "all.bin:0:8"), 1, "use a stride of at least 12"),
        (("--attribute", "place=float*3", "--buffer", "all.bin:0:0"), 2, "a STRIDE of 0"),
        (
            ("--attribute", "place=float*3", "--buffer", "all.bin:x"),
            2,
            "OFFSET is a number of bytes such as 12 or 0x10, not 'x'",
        ),
        (("--attribute", "place=float*3", "--buffer", "all.bin:-4"), 2, "not '-4'"),
        (("--attribute", "place=float*3", "--buffer", "all.bin:0:16:10"), 2, "PERMUTATION is 0x and a digit"),
        (("--attribute", "place=float*3", "--buffer", "all.bin:0:16:0x"), 2, "PERMUTATION is 0x and a digit"),
        (("--attribute", "place=float*3", "--buffer", "all.bin:0:16:0x1"), 2, "holds attribute 1, and there are 1"),
        ((*BOTH, "--buffer", "all.bin:0:16:0x0"), 2, "attribute 1 (paint) is in no buffer"),
        ((*BOTH, "--buffer", "all.bin", "--buffer", "places.bin"), 2, "each has to say which attributes it holds"),
        (
            (*BOTH, "--buffer", "all.bin:0:16:0x10", "--buffer", "places.bin:0:4:0x0"),
            2,
            "is in all.bin and again in places.bin",
        ),
        ((*BOTH, "--buffer", "all.bin:0:32:0x010"), 2, "is in all.bin and again in all.bin"),
        ((*BOTH, "--buffer", "all.bin:0:16:0xC", "--buffer", "all.bin:0:16:0x10"), 2, "every attribute in it is skipped"),
        (
            ("--attribute", "place=float*3", "--attribute", "place=float*1", "--buffer", "all.bin"),
            2,
            "--attribute place is given twice",
        ),
        ((*BOTH, "--buffer", "all.bin", "-i", "place=1"), 2, "place is given twice: by --input and by --attribute"),
        ((*BOTH, "--buffer", "all.bin", "-i", "v0=1"), 1, "B006"),
        (("--attribute", "where=float*3", "--buffer", "all.bin"), 1, "unknown input 'where'"),
        (("--attribute", "16=float*3", "--buffer", "all.bin"), 1, "unknown input 'v16'"),
        ((*BOTH, "--buffer", "all.bin", "--count", "4"), 1, "B008"),
        (("--attribute", "_=float*3", "--buffer", "all.bin"), 2, "every attribute in it is skipped"),
        (("--attribute", "_=u8*1") * 13 + ("--buffer", "all.bin"), 2, "12 attributes"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], code: int, says: str):
    found, out, err = run(capsys, *argv)
    assert (found, out) == (code, "")
    assert says in err


def test_different_numbers_of_vertices_are_named(capsys: pytest.CaptureFixture[str]):
    argv = (
        "--attribute",
        "place=short*2",
        "--attribute",
        "paint=u8*2",
        "--buffer",
        "places.bin:0:4:0x0",
        "--buffer",
        "paints.bin:0:2:0x1",
    )
    code, _, err = run(capsys, *argv)
    assert code == 1
    assert "place has 4, paint has 2" in err
    assert run(capsys, *argv, "--count", "2")[0] == 0


def test_any_text_is_an_attribute_or_a_line():
    rng = np.random.default_rng(3)
    letters = list("flotushrbye*x,=:_- 0123456789GPU")
    for _ in range(times(100, 300)):
        text = "".join(rng.choice(letters, rng.integers(0, 12)))
        try:
            read("--attribute=a=float*1", f"--attribute={text}", f"--buffer=all.bin:{text}")
        except (UsageError, InputFailure, lw.InputError) as error:
            assert str(error)
