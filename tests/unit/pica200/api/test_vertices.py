"""Attribute buffers as bytes made by struct, against values worked out by hand."""

import struct
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from together import together

POSITION = ("position", "float32", 3)
COLOR = ("color", "uint8", 4)


def interleaved(count: int) -> bytes:
    return b"".join(struct.pack("<fffBBBB", n, n + 0.5, -n, n, 128, 255, 0) for n in range(count))


def test_interleaved():
    found = lw.pica200.fetch_vertices(interleaved(3), [POSITION, COLOR])
    assert found["position"].tolist() == [[0, 0.5, 0, 1], [1, 1.5, -1, 1], [2, 2.5, -2, 1]]
    assert found["color"].tolist() == [[0, 128, 255, 0], [1, 128, 255, 0], [2, 128, 255, 0]]  # by value, not divided by 255
    assert found["color"].dtype == np.float32


@pytest.mark.parametrize(
    ("kind", "code", "values"),
    [("float32", "f", [0.25, -3]), ("int8", "b", [-128, 127]), ("uint8", "B", [0, 255]), ("int16", "h", [-32768, 32767])],
)
def test_types_and_missing_components(kind: str, code: str, values: list[float]):
    data = struct.pack(f"<2{code}", *values)
    assert lw.pica200.fetch_vertices(data, [("a", kind, 2)])["a"].tolist() == [[*values, 0, 1]]
    assert lw.pica200.fetch_vertices(data, [("a", kind, 1)])["a"].tolist() == [[values[0], 0, 0, 1], [values[1], 0, 0, 1]]


def test_attributes_begin_at_multiples_of_their_element():
    """A byte, a byte of nothing, a short, then four bytes for a float; two vertices of 12 bytes with 4 more between them."""
    vertex = struct.pack("<bxhf", -1, 300, 2.5)
    found = lw.pica200.fetch_vertices(
        vertex + bytes(4) + vertex, [("a", "int8", 1), ("b", "int16", 1), ("c", "float32", 1)], stride=12
    )
    assert [found[key][1].tolist() for key in "abc"] == [[-1, 0, 0, 1], [300, 0, 0, 1], [2.5, 0, 0, 1]]
    # Without a stride: a short and a byte are four bytes.
    data = struct.pack("<hbxhbx", 1, 2, 3, 4)
    assert lw.pica200.fetch_vertices(data, [("a", "int16", 1), ("b", "int8", 1)])["b"][:, 0].tolist() == [2, 4]


def test_offset_count_skipped_bytes_and_arrays():
    data = b"header" + interleaved(4)
    found = lw.pica200.fetch_vertices(data, [(None, "float32", 3), COLOR], offset=6 + 16, count=2)
    assert list(found) == ["color"]
    assert found["color"][:, 0].tolist() == [1, 2]
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert lw.pica200.fetch_vertices(array, [("a", "float32", 2)], stride=16)["a"][:, :2].tolist() == [[0, 1], [4, 5], [8, 9]]
    assert lw.pica200.fetch_vertices(b"", [POSITION])["position"].shape == (0, 4)
    assert lw.pica200.fetch_vertices(interleaved(2)[:-1], [POSITION, COLOR])["color"].shape == (1, 4)


def test_permutation_and_fixed_attributes():
    found = lw.pica200.fetch_vertices(interleaved(2), [POSITION, COLOR], permutation=(3, 0), fixed={"v1": (0.5, 0.25), "v2": 7})
    assert list(found) == ["v3", "v0", "v1", "v2"]
    assert (found["v1"].tolist(), found["v2"].tolist()) == ([0.5, 0.25, 0, 1], [7, 0, 0, 1])


def test_what_is_fetched_runs():
    text = (
        ".out o position\n.out c color\n.in position\n.in color\n.in normal\n.proc main\nmov r0, normal\n"
        "mul o, position, r0\nmov c, color\nend\n.end\n"
    )
    inputs = lw.pica200.fetch_vertices(interleaved(3), [POSITION, COLOR], fixed={"normal": (2, 4)})
    result = lw.assemble(text).vertex.run(inputs)
    assert result.outputs["position"].tolist() == [[0, 2, 0, 1], [2, 6, 0, 1], [4, 10, 0, 1]]
    assert result.outputs["color"][:, 1].tolist() == [128] * 3
    separate = lw.pica200.fetch_vertices(np.arange(3, dtype=np.int16), [("position", "int16", 1)]) | lw.pica200.fetch_vertices(
        bytes(range(3)), [("color", "uint8", 1)], fixed={"normal": 1}
    )
    assert lw.assemble(text).vertex.run(separate).outputs["color"].tolist() == [[n, 0, 0, 1] for n in range(3)]


@together(
    ("attributes", "given", "words"),
    [
        ([("a", "float16", 1)], {}, "'float16'"),
        ([("a", "int8", 5)], {}, "5 components"),
        ([("a", "int8", 1), ("a", "int8", 1)], {}, "duplicate"),
        ([], {}, "no attribute"),
        ([(None, "int8", 1)], {}, "no attribute"),
        ([("a", "int8", 1)] * 13, {}, "the loader has 12"),
        ([POSITION, COLOR], {"stride": 12}, "stride of 12"),
        ([POSITION, COLOR], {"stride": 0}, "stride of 0"),
        ([POSITION], {"offset": -1}, "offset is -1"),
        ([POSITION, COLOR], {"count": 4}, "requested are 4"),
        ([POSITION, COLOR], {"count": -1}, "requested are -1"),
        ([POSITION, COLOR], {"offset": 100}, "requested are 1"),
        ([POSITION, COLOR], {"permutation": (0,)}, "1 registers for 2"),
        ([POSITION, COLOR], {"permutation": (1, 1)}, "separate register"),
        ([POSITION, COLOR], {"permutation": (1, 16)}, "outside v0-v15"),
        ([POSITION], {"fixed": {"a": (1, 2, 3, 4, 5)}}, "1 to 4 numbers"),
        ([POSITION], {"fixed": {"position": 1}}, "and fixed"),
    ],
)
def test_mistakes(attributes: Any, given: dict[str, Any], words: str):
    if given == {"offset": 100}:
        given = {"offset": 100, "count": 1}
    with pytest.raises(lw.InputError) as error:
        lw.pica200.fetch_vertices(interleaved(3), attributes, **given)
    assert {finding.code for finding in error.value.diagnostics} == {"B015"}
    assert words in str(error.value)
