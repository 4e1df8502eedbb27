"""Values that are right in other places: row numbers, words of another format, one list as all rows, strides in bytes. What is
said, and that nothing is said once it is followed."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY

EXAMPLES = REPOSITORY / "examples"
POINTS = np.random.default_rng(1).uniform(-1, 1, (5, 3))
NUMBERED = np.c_[np.arange(5), POINTS]
REST: dict[str, Any] = {"color": [1, 1, 1], "texcoord": [0, 0]}
SHARED = [[0] * 4] * 4
for place in range(4):
    SHARED[place][place] = 1


def pica(inputs: dict[str, Any], projection: Any = None) -> Any:
    return lw.load_pica200(EXAMPLES / "transform.v.pica").vertex.run(
        {**REST, **inputs}, {"projection": np.eye(4) if projection is None else projection}
    )


def core(color: Any) -> Any:
    return lw.load_shadercore(EXAMPLES / "transform.sc").run({"position": [1, 2, -4], "color": color})


def lit(example: str, normal: Any) -> Any:
    sun: dict[str, Any] = {
        "sun": [0, 0, 1, 4],
        "shade": [0.1] * 3,
        "paint": [0.8] * 3,
        "shine": [1, 1, 1, 0.7],
        "glossy": False,
    }
    light: dict[str, Any] = {"ambient": [0.1] * 3, "direction": [[0, 0, 1]], "light": [[0.9, 0.6, 0.3]], "lights": [0, 0, 1]}
    more = sun if example == "toon" else {**light, "modelview": np.eye(4)}
    shader = lw.load_pica200(EXAMPLES / f"{example}.v.pica").vertex
    return shader.run({"position": [0, 0, 0], "normal": normal}, {"projection": np.eye(4), **more})


FAR = np.random.default_rng(1).uniform(-1, 1, (200, 3)) - [0, 0, 5]


def far(position: Any, device: str = "rtl") -> Any:
    return lw.load_shadercore(EXAMPLES / "transform.sc").run({"position": position, "color": [1, 1, 1, 1]}, device=device)


COUNTED = np.c_[POINTS, np.arange(5)]
CLOCK = 1796030500.25  # as time.time() gives
NORMALS = np.array([[0, 0, 32767], [0, 23170, 23170]], np.int16)
SOME_ZEROS = np.array([[0, 0, 1], [0, 0, 0]])


# The code, what is given, a part of the fix, what is given then.
WARNED: list[tuple[str, Callable[[], Any], str, Callable[[], Any]]] = [
    ("B034", lambda: pica({"position": NUMBERED}), "`values[:, 1:]`", lambda: pica({"position": NUMBERED[:, 1:]})),
    (
        "B034",
        lambda: pica({"position": np.array([[0, 0.5, 1, 2], [1, 1, 0, 3]])}),
        "`index=False` of `to_csv`",
        lambda: pica({"position": np.array([[0.5, 1, 2], [1, 0, 3]])}),
    ),
    ("B034", lambda: pica({"position": COUNTED}), "`values[:, :3]`", lambda: pica({"position": COUNTED[:, :3]})),
    (
        "B035",
        lambda: pica({"position": np.array([[0x3F0000, 0x400000, 0]], np.uint32)}),
        "`lanewise.Words(values)`",
        lambda: pica({"position": lw.Words(np.array([[0x3F0000, 0x400000, 0]], np.uint32))}),
    ),
    (
        "B035",
        lambda: pica({"position": [0x3F0000, 0xC00000, 0]}),
        "`lanewise.Words(values)`",
        lambda: pica({"position": lw.Words([0x3F0000, 0xC00000, 0])}),
    ),
    ("B025", lambda: pica({"position": [CLOCK, 0, 0]}), "`t - start`", lambda: pica({"position": [CLOCK - CLOCK, 0, 0]})),
    (
        "B025",
        lambda: pica({"position": [1, 2, 3]}, np.diag([CLOCK, 1, 1, 1])),
        "`t % period`",
        lambda: pica({"position": [1, 2, 3]}, np.diag([CLOCK % 60, 1, 1, 1])),
    ),
    (
        "B035",
        lambda: core(lw.Words([0x3E0000, 0x3F0000, 0x3E0000, 0x3F0000])),
        "write words of float32: 0x3f000000, 0x3f800000, 0x3f000000, 0x3f800000",
        lambda: core(lw.Words([0x3F000000, 0x3F800000, 0x3F000000, 0x3F800000])),
    ),
    (
        "B036",
        lambda: pica({"position": [1, 2, 3]}, SHARED),
        "`[[0] * 4 for _ in range(4)]`",
        lambda: pica({"position": [1, 2, 3]}, [[int(row == column) for column in range(4)] for row in range(4)]),
    ),
    (
        "B022",
        lambda: lit("toon", NORMALS),
        "`normal / numpy.float32(32767)`",
        lambda: lit("toon", NORMALS / np.float32(32767)),
    ),
    (
        "B031",
        lambda: pica({"position": np.array([[1.0], [2.0], [3.0]])}),
        "`values.T`",
        lambda: pica({"position": np.array([[1.0], [2.0], [3.0]]).T}),
    ),
    (
        "R012",
        lambda: pica({"position": [0, 0, 0], "color": 0xFF8000}),
        "green and blue [255 / 255, 128 / 255, 0 / 255]",
        lambda: pica({"position": [0, 0, 0], "color": [255 / 255, 128 / 255, 0 / 255]}),
    ),
    (
        "B048",
        lambda: (far(FAR[:143]), far(FAR[143:]))[1],
        "device='rtl,rcp_sigma=fixed'",
        lambda: far(FAR[143:], "rtl,rcp_sigma=fixed"),
    ),
    ("B048", lambda: (far(FAR), far(FAR[143:150]))[1], "`values[n:n + 160]`", lambda: far(FAR[160:167])),
    ("B038", lambda: lit("lighting", SOME_ZEROS), "such as 0, 0, 1, or leave", lambda: lit("lighting", SOME_ZEROS[:1])),
]


@pytest.mark.parametrize(("code", "mistake", "said", "then"), WARNED)
@pytest.mark.filterwarnings("ignore::lanewise.InputWarning")
def test_a_habit_is_said(code: str, mistake: Callable[[], Any], said: str, then: Callable[[], Any]) -> None:
    [found] = [each for each in mistake().warnings if each.code == code]
    assert said in found.fix
    assert not [each for each in then().warnings if each.code == code]


@pytest.mark.parametrize(
    "inputs",
    [
        {"position": np.c_[np.arange(5), np.zeros(5), POINTS[:, 0], np.ones(5)]},  # a curve over whole numbers
        {"position": NUMBERED[:, :3]},
        {"position": COUNTED[:2]},
        {"position": np.c_[POINTS, np.ones(5)]},
        {"position": [0, 1, 2], "color": COUNTED},
        {"position": np.array([[0, 0, 0, 1], [1, 0, 0, 0]])},
        {"position": np.array([[0, 0.5, 0, 2], [1, 0.5, 0, 2]])},
        {"position": np.c_[np.arange(5)[::-1], POINTS]},
    ],
)
def test_other_columns_that_count(inputs: Any) -> None:
    assert not [each for each in pica(inputs).warnings if each.code == "B034"]


@pytest.mark.parametrize(
    ("example", "normal"),
    [("lighting", NORMALS), ("toon", SOME_ZEROS * [[0], [1]]), ("toon", [0, 0, 0]), ("toon", NORMALS // 99)],
)
def test_other_directions(example: str, normal: Any) -> None:
    assert not {"B022", "B038"} & {each.code for each in lit(example, normal).warnings}  # normalized, or none is meant


@pytest.mark.parametrize(
    "position",
    [
        np.array([[4_000_000, 3 << 20, 0]]),
        np.array([[1 << 20, 0, 0]], np.uint32),
        np.array([[0x3F0000, 1, 0]], np.uint32),
        [2e9, 0, 0],
        [5e8 + 0.5, 0, 0],
    ],
)
def test_other_large_numbers(position: Any) -> None:
    assert not {"B025", "B035"} & {each.code for each in pica({"position": position}).warnings}


def test_a_part_behind_a_head_is_an_array() -> None:
    points = FAR.copy()
    assert [each.code for _ in range(2) for each in far(points[1:]).warnings if each.code == "B048"] == []


def test_one_row_for_all_registers_of_a_table_is_no_matrix() -> None:
    assert not [each for each in pica({"position": [1, 2, 3]}, [[0.0] * 4] * 4).warnings if each.code == "B036"]


@pytest.mark.parametrize(
    "words",
    [
        [1, 2, 3, 4],
        [0x300000, 0x300010, 0x300020, 0x300030],  # addresses
        [0x404040] * 4,  # a gray
        [0x3F8040, 0x40C0A0, 0x4040F0, 0x3F0000],  # other colors
    ],
)
def test_integers_are_not_words_of_float24(words: list[int]) -> None:
    assert not [each for each in core(lw.Words(words)).warnings if each.code == "B035"]


@pytest.mark.parametrize(
    ("words", "said"), [([0x3F8000] * 3, 0), ([0x400000, 0x3F8000, 0], 0), ([0x400000, 0, 0, 0x3F8000], 1)]
)
def test_words_of_float24_that_are_whole_numbers_as_float32(words: list[int], said: int) -> None:
    found = pica({"position": [0, 0, 0], "color": lw.Words(words)}).warnings
    assert [each.code for each in found if each.code == "B035"] == ["B035"] * said


BOTH = [("position", "int16", 2), ("color", "uint8", 3)]
PACKED = b"".join(struct.pack("<hhBBB", x, y, 255, 128, 0) for x, y in [(0, 0), (8, 0), (0, 8)])
FILLED = b"".join(struct.pack("<hhBBBx", x, y, 255, 128, 0) for x, y in [(0, 0), (8, 0), (0, 8)])


def test_packed_vertices_are_not_read_as_those_with_padding() -> None:
    fetch: Any = lw.pica200.fetch_vertices
    with pytest.raises(lw.InputError, match=r"7 bytes are filled up to 8, .* 21 bytes has 3 of 7\nhelp: .* stride=7 if they"):
        fetch(PACKED, BOTH)
    for found in (fetch(FILLED, BOTH), fetch(PACKED, BOTH, stride=7)):
        assert found["position"][:, :2].tolist() == [[0, 0], [8, 0], [0, 8]]
    assert len(fetch(FILLED + b"12", BOTH)["position"]) == 3


@pytest.mark.parametrize(
    ("called", "meant"),
    [("short", "int16"), ("unsigned char", "uint8"), ("GL_FLOAT", "float32"), ("<f4", "float32"), (np.float32, "float32")],
)
def test_types_as_others_call_them(called: Any, meant: str) -> None:
    with pytest.raises(lw.InputError, match=f"write '{meant}'"):
        lw.pica200.fetch_vertices(bytes(16), [("position", called, 2)])
    lw.pica200.fetch_vertices(bytes(16), [("position", meant, 2)])


def test_strides_and_offsets_in_bytes() -> None:
    program = lw.load_shadercore(EXAMPLES / "transform.sc")
    data = b"".join(struct.pack("<3fI", x, y, -2, 0xFF8000FF) for x, y in [(0, 0), (8, 0), (0, 8)])

    def run(stride: int, offset: int) -> Any:
        streams = [
            lw.shadercore.Stream(input="position", kind="float3", data=data, stride=stride),
            lw.shadercore.Stream(input="color", kind="d3dcolor", data=data, stride=stride, offset=offset),
        ]
        return program.run(streams=streams, indices=[0, 1, 2])

    with pytest.raises(lw.InputError) as caught:
        run(16, 12)
    [found] = caught.value.diagnostics
    assert found.fix == "if they are bytes, write stride=4, offset=0 for position and stride=4, offset=3 for color"
    assert run(4, 3).lanes == 3


def test_a_binary_that_was_decoded() -> None:
    data = lw.load_pica200(EXAMPLES / "toon.v.pica").to_bytes()
    with pytest.raises(TypeError, match=r"the text is that of a binary, DVLB, .*: open it with mode \"rb\""):
        lw.load(data.decode("utf-8", "ignore"))
    assert lw.load(data)


def test_numbers_of_vertices_in_one_row() -> None:
    flat = [0, 0, 0, 1, 0, 0, 0, 1, 0]
    with pytest.raises(lw.InputError, match=r"`numpy\.reshape\(values, \(-1, 3\)\)` of x, y, z in turn"):
        pica({"position": flat})
    assert pica({"position": np.reshape(flat, (-1, 3))}).lanes == 3


def test_a_frame_of_dask_by_the_names_of_its_columns() -> None:
    """Without `dask.dataframe`, whose import takes seconds."""
    pytest.importorskip("dask.array")
    names = [f"{name}.{letter}" for name in ("position", "normal") for letter in "xy"]
    frame: Any = type("DataFrame", (), {"to_dask_array": None, "columns": names})()
    toon = lw.load_pica200(EXAMPLES / "toon.v.pica").vertex
    with pytest.raises(TypeError) as caught:
        lw.distributed.map_vertices(toon, frame)
    position = "'position': frame[['position.x', 'position.y']].to_dask_array(lengths=True)"
    assert f"`{{{position}, {position.replace('position', 'normal')}}}`" in str(caught.value)


FETCHED: list[tuple[Any, str, Any]] = [
    ((np.zeros((4, 3)), [("position", "float32", 3)]), "`array.astype(numpy.float32)`", np.zeros((4, 3), np.float32)),
    ((np.zeros((4, 3), ">f4"), [("position", "float32", 3)]), "`array.astype(numpy.float32)`", np.zeros((4, 3), np.float32)),
    (([0.0] * 12, [("position", "float32", 3)]), "`numpy.array(values, numpy.float32)`", np.zeros(12, np.float32)),
    (("x.bin", [("position", "float32", 3)]), r"`pathlib.Path('x.bin').read_bytes()`", bytes(48)),
    ((bytes(48), [("position", 3, "float")]), "components: ('position', 'float32', 3)", bytes(48)),
    ((bytes(48), np.dtype([("position", "f4", 3)])), "such as [('position', 'float32', 3)]", bytes(48)),
]


@pytest.mark.parametrize(("given", "said", "then"), FETCHED)
def test_buffers_and_attributes_of_other_kinds(given: Any, said: str, then: Any) -> None:
    with pytest.raises((lw.InputError, TypeError)) as caught:
        lw.pica200.fetch_vertices(*given)
    assert said in str(caught.value)
    assert len(lw.pica200.fetch_vertices(then, [("position", "float32", 3)])["position"]) == 4


def test_a_stride_in_elements() -> None:
    with pytest.raises(lw.InputError, match="a stride counts bytes: write stride=12,"):
        lw.pica200.fetch_vertices(bytes(48), [("position", "float32", 3)], stride=3)
    assert len(lw.pica200.fetch_vertices(bytes(48), [("position", "float32", 3)], stride=12)["position"]) == 4


LOADED: list[tuple[Callable[[], Any], str]] = [
    (lambda: lw.load(EXAMPLES / "toon.v.pica", "rb"), "load() opens the file itself, and takes no mode: leave out 'rb'"),
    (lambda: lw.load(str(EXAMPLES / "toon.v.pica").encode()), "bytes are the content of a file: give the path as text"),
    (lambda: lw.load(f"{EXAMPLES / 'toon.v.pica'}\n"), "use `path.strip()`"),
    (lambda: cast("Any", lw.assemble)("toon.v.pica", "-o", "a.shbin"), "write the file with `.save('a.shbin')`"),
]


@pytest.mark.parametrize(("mistake", "said"), LOADED)
def test_loads_as_other_functions_have_them(mistake: Callable[[], Any], said: str) -> None:
    with pytest.raises(TypeError) as caught:
        mistake()
    assert said in str(caught.value)
