"""Every shape and dtype of every kind of value, in every instruction set: the numbers that it says, or an error with a code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from together import together

if TYPE_CHECKING:
    from collections.abc import Callable

ROW = [1.0, 2.0, 3.0, 4.0]
RIGHT: dict[str, Any] = {
    "vector": ROW,
    "tuple": tuple(ROW),
    "row": [ROW],
    "float16": np.array(ROW, np.float16),
    "float64": np.array(ROW),
    "int8": np.array(ROW, np.int8),
    "uint64": np.array(ROW, np.uint64),
    "big-endian": np.array(ROW, ">f4"),
    "big-endian integers": np.array(ROW, ">i8"),
    "Fortran": np.asfortranarray([ROW]),
    "reversed": np.array(ROW[::-1])[::-1],
    "stepped": np.array([ROW, ROW]).T.reshape(-1)[::2],
    "read-only": np.broadcast_to(np.array(ROW, np.float32), (1, 4)),
    "column slice": np.arange(8.0).reshape(1, 8)[:, 1:5],
    "strings of fields": np.array([(1, 2, 3, 4)], [(c, "f8") for c in "xyzw"]),
    "array.array": np.array(ROW, np.float32).data,
    "unaligned": np.frombuffer(b"\0" + np.array(ROW, np.float32).tobytes(), np.float32, 4, 1),
}
WRONG: dict[str, Any] = {
    "empty": [],
    "no columns": np.zeros((1, 0)),
    "five": [1, 2, 3, 4, 5],
    "three dimensions": np.zeros((1, 1, 4)),
    "ragged": [[1, 2], [3]],
    "strings": ["a"] * 4,
    "bytes": b"1234",
    "objects": np.array([object()] * 4),
    "None": [None] * 4,
    "complex": np.array(ROW, complex),
    "masked": np.ma.masked_array(np.array(ROW), np.array([False, True, False, False])),
    "dates": np.array([1, 2, 3, 4], "datetime64[s]"),
    "huge": [10**400] * 4,
    "mapping": {"x": 1},
    "text": "1,2,3,4",
    "set": {1, 2, 3, 4},
    "alien fields": np.array([(1, 2)], [("a", "f4"), ("x", "f4")]),
}
PICA = (
    ".in a v0\n.out o position\n.ivec i i0\n.bool b b0\n.proc main\nadd r0, c4, a\nfor i0\nnop\n.end\nifu b0\nnop\n.end\n"
    "mov o, r0\nend\n.end\n"
)
D3D9 = "vs_2_0\ndcl_position v0\nadd r0, c4, v0\nrep i0\nmov r1, r0\nendrep\nif b0\nmov r1, r0\nendif\nmov oPos, r0\n"
WAVE = ".output o0 position\n" + "".join([f"add o0.{c}, v0.{c}, c4.{c}\n" for c in "xyzw"]) + "end\n"


def pica() -> Callable[[dict[str, Any], dict[str, Any]], Any]:
    shader = lw.assemble(PICA).vertex
    return lambda inputs, uniforms: shader.run(inputs, {"i0": [0, 0, 0], "b0": False, **uniforms}, engine="reference")


def batch() -> Callable[[dict[str, Any], dict[str, Any]], Any]:
    shader = lw.assemble(PICA).vertex
    return lambda inputs, uniforms: shader.batch(inputs, {"i0": [0, 0, 0], "b0": False, **uniforms}, engine="reference")


def direct3d9() -> Callable[[dict[str, Any], dict[str, Any]], Any]:
    shader = lw.Direct3DShader.from_source(D3D9)
    return lambda inputs, uniforms: shader.run(inputs, {"i0": [0], "b0": False, **uniforms}, engine="reference")


def shadercore() -> Callable[[dict[str, Any], dict[str, Any]], Any]:
    program = lw.shadercore.ShaderCoreProgram.from_source(WAVE)
    return lambda inputs, uniforms: program.run(inputs, uniforms, engine="reference")


RUNS = [pica, batch, direct3d9, shadercore]
SUM = ".in a v0\n.in b v1\n.out o position\n.fvec c\n.proc main\nmov r0, b\nadd r0, c, r0\nadd o, a, r0\nend\n.end\n"
SAMPLED = "ps_2_0\ndcl_2d s0\ndcl t0.xy\ntexld r0, t0, s0\nmov oC0, r0\n"
NOUGHT = [0.0] * 4


def mapped(key: str, value: object) -> list[list[float]]:
    array = pytest.importorskip("dask.array", reason="Dask is not installed: pip install 'dask[array]'")
    values = {"a": array.from_array(np.zeros((1, 4)), chunks=-1), "b": NOUGHT, "c": NOUGHT, key: value}
    inputs = {name: values[name] for name in "ab"}
    found = lw.distributed.map_vertices(lw.assemble(SUM).vertex, inputs, {"c": values["c"]}, engine="reference")
    return found["position"].compute(scheduler="synchronous").tolist()


def sampled(value: object, engine: str) -> list[list[float]]:
    shader = lw.Direct3DShader.from_source(SAMPLED)
    return shader.run({"t0": [0.5, 0.5]}, samplers={0: value}, engine=engine).outputs["color"].tolist()


def sampler_gives(value: object) -> list[list[float]]:
    def sampler(request: object) -> object:
        return value

    return sampled(sampler, "reference")


def set_later(value: object) -> list[list[float]]:
    found = batch()({"v0": NOUGHT}, {"c4": NOUGHT})
    found.set_uniforms({"c4": value, "i0": [0, 0, 0], "b0": False})
    return position(found)


def compiled(value: object) -> list[list[float]]:
    made = lw.Direct3DShader.from_source("vs_2_0\ndcl_position v0\nmov oPos, v0\n").compile()
    return position(made.run({"v0": value}, engine="reference"))


def expected(value: object) -> list[list[float]]:
    case = lw.Case(outputs={"position": value}, inputs={"a": ROW, "b": NOUGHT}, uniforms={"c": NOUGHT})
    return [ROW] if lw.mismatches(lw.assemble(SUM).vertex, case) == [] else []


def fixed(value: Any) -> list[list[float]]:
    return [lw.pica200.fetch_vertices(bytes(16), [("a", "float32", 4)], fixed={"b": value})["b"].tolist()]


def picture(value: Any) -> list[list[float]]:
    return lw.Picture(value).texels[0].tolist()


def fetched(value: Any) -> list[list[float]]:
    return lw.pica200.fetch_vertices(value, [("a", "float32", 4)])["a"].tolist()


def streamed(value: Any) -> list[list[float]]:
    streams = [lw.shadercore.Stream(input="v0", kind="float4", data=value)]
    return position(
        lw.shadercore.ShaderCoreProgram.from_source(WAVE).run({}, {"c4": NOUGHT}, streams=streams, engine="reference")
    )


# Every other public entry that takes numbers, and the values above that it takes or refuses though runs do not.
ENTRIES: dict[str, tuple[Callable[[Any], list[list[float]]], set[str]]] = {
    "map_vertices, a row": (lambda value: mapped("b", value), set()),
    "map_vertices, a uniform": (lambda value: mapped("c", value), set()),
    "sampler": (lambda value: sampled(value, "reference"), {"three dimensions"}),  # a picture
    "sampler on llvm": (lambda value: sampled(value, "llvm"), {"three dimensions"}),
    "what a sampler gives": (sampler_gives, set()),
    "set_uniforms": (set_later, set()),
    "Compiled.run": (compiled, set()),
    "Case": (expected, {"three dimensions"}),  # primitives
    "fetch_vertices, fixed": (fixed, {"row", "Fortran", "read-only", "column slice", "strings of fields"}),  # two dimensions
}
# Those that take memory or texels: the values that are right.
OTHERS: dict[str, tuple[Callable[[Any], list[list[float]]], dict[str, Any]]] = {
    "Picture": (
        picture,
        {"floats": [[ROW]], "float16": np.array([[ROW]], np.float16), "integers": np.array([[ROW]], np.uint64)},
    ),
    "fetch_vertices": (
        fetched,
        {"array": np.array(ROW, "<f4"), "bytes": np.array(ROW, "<f4").tobytes(), "view": np.array(ROW, "<f4").data},
    ),
    "Stream": (
        streamed,
        {
            "array": np.array([ROW], "<f4"),
            "bytes": bytearray(np.array(ROW, "<f4").tobytes()),
            "view": np.array(ROW, "<f4").data,
        },
    ),
}
NOT_MEMORY = ("empty", "ragged", "strings", "objects", "None", "masked", "huge", "mapping", "text", "set")


def position(found: Any) -> list[list[float]]:
    outputs = found.run() if hasattr(found, "set_uniforms") else found.outputs
    return outputs["position"].tolist()


@pytest.mark.parametrize("make", RUNS)
@pytest.mark.parametrize("kind", ["inputs", "uniforms"])
def test_right_values(make: Callable[[], Any], kind: str):
    run = make()
    for name, value in RIGHT.items():
        found = run({"v0": value}, {"c4": [0] * 4}) if kind == "inputs" else run({"v0": [0] * 4}, {"c4": value})
        assert position(found) == [ROW], name


@pytest.mark.parametrize("make", RUNS)
@pytest.mark.parametrize("key", ["v0", "c4", "i0", "b0"])
def test_wrong_values(make: Callable[[], Any], key: str):
    if make is shadercore and key in ("i0", "b0"):
        pytest.skip("ShaderCore has float constants only")
    run = make()
    for name, value in WRONG.items():
        inputs, uniforms = ({"v0": value}, {"c4": [0] * 4}) if key == "v0" else ({"v0": [0] * 4}, {"c4": [0] * 4, key: value})
        with pytest.raises(lw.InputError) as error:
            run(inputs, uniforms)
        assert {finding.code for finding in error.value.diagnostics} <= {"B002", "B003", "B005", "B007", "B008"}, (
            name,
            error.value,
        )
        assert all(finding.fix for finding in error.value.diagnostics), name


@pytest.mark.parametrize("entry", ENTRIES)
def test_other_entries(entry: str):
    work, others = ENTRIES[entry]
    for name, value in RIGHT.items():
        if name not in others:
            assert work(value) == [ROW], name
    for name, value in WRONG.items():
        if name not in others:
            with pytest.raises((lw.InputError, ValueError)) as error:
                work(value)
            if isinstance(error.value, lw.InputError):
                assert all(finding.fix for finding in error.value.diagnostics), name
            else:
                assert str(error.value).startswith(("input 'b' ", "uniform 'c' ")), name


@pytest.mark.parametrize("entry", OTHERS)
def test_memory_and_texels(entry: str):
    work, right = OTHERS[entry]
    for name, value in right.items():
        assert work(value) == [ROW], name
    for name in WRONG if entry == "Picture" else NOT_MEMORY:
        if (entry, name) == ("Picture", "three dimensions"):
            continue  # a picture of one texel
        with pytest.raises(
            lw.InputError if entry != "Picture" else ValueError, match=r"expected bytes|expected a value|a picture "
        ):
            work(WRONG[name])


def test_chunks_are_rows_of_numbers():
    array = pytest.importorskip("dask.array", reason="Dask is not installed: pip install 'dask[array]'")
    for name, value in RIGHT.items():
        given = np.atleast_2d(np.asarray(value))
        if given.dtype.names is None:
            assert mapped("a", array.from_array(given, chunks=-1)) == [ROW], name
    for name in (
        "empty",
        "no columns",
        "five",
        "three dimensions",
        "strings",
        "objects",
        "None",
        "complex",
        "dates",
        "huge",
        "mapping",
        "alien fields",
    ):
        with pytest.raises((lw.InputError, ValueError), match=r"input 'a' "):
            mapped("a", array.from_array(np.asarray(WRONG[name]), chunks=-1))


def test_named_columns_of_what_is_expected():
    """By name, as those of inputs are: a table with z, y, x was compared by place."""
    table = np.array([(3, 2, 1)], [(c, "f4") for c in "zyx"])
    assert expected(table) == [ROW]
    with pytest.raises(lw.InputError, match="has the columns a, x, expected x, y, z, w"):
        expected(WRONG["alien fields"])


def test_ragged_words_are_a_sentence():
    with pytest.raises(ValueError, match=r"^words are not an array: .*; give rows of equal length$"):
        lw.Words(WRONG["ragged"])


@pytest.mark.parametrize("make", RUNS)
def test_special_numbers_are_values(make: Callable[[], Any]):
    run = make()
    found = np.array(position(run({"v0": [np.nan, np.inf, -np.inf, -0.0]}, {"c4": [0] * 4})))
    assert np.isnan(found[0, 0]) and found[0, 1:].tolist() == [np.inf, -np.inf, 0]
    assert position(run({"v0": np.array([True, False, True, True])}, {"c4": [0] * 4})) == [[1, 0, 1, 1]]


@together("make", RUNS)
@together(("rows", "components"), [(1, 1), (3, 1), (3, 2), (2, 3), (5, 4)])
def test_rows_are_vertices(make: Callable[[], Any], rows: int, components: int):
    given = np.arange(1.0, 1 + rows * components).reshape(rows, components)
    filled = [0, 0, 0, 0 if make is shadercore else 1]
    wanted = [[*row, *filled[components:]] for row in given.tolist()]
    assert position(make()({"v0": given}, {"c4": [0] * 4})) == wanted
