"""Uniforms of a batch as arrays: what is written to them is what a dict would have set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from together import together

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from lanewise.pica200.api.batch import Batch

SOURCE = """.fvec matrix[4], shift
.ivec loop
.bool other
.out pos position
.out col color
.in place
.proc main
    dp4 r0.x, matrix[0], place
    dp4 r0.y, matrix[1], place
    dp4 r0.z, matrix[2], place
    dp4 r0.w, matrix[3], place
    mov pos, r0
    mov r1, shift
    ifu other
        for loop
            add r1, shift, r1
        .end
    .end
    mov col, r1
    end
.end
"""
INPUTS = {"place": np.linspace(-3, 3, 4 * 21, dtype=np.float32).reshape(21, 4)}
START = {"matrix": np.eye(4), "shift": [1.0, 2.0, 3.0, 4.0], "loop": [2, 0, 1], "other": False}


def batch(profile: str = "hardware", engine: str = "auto", rows: int = 21) -> Batch:
    inputs = {"place": INPUTS["place"][:rows]}
    return lw.assemble(SOURCE).vertex.batch(inputs, START, profile=lw.pica200.profiles[profile], engine=engine)


def same(one: Batch, uniforms: dict[str, ArrayLike], profile: str = "hardware") -> None:
    wanted = lw.assemble(SOURCE).vertex.run(INPUTS, {**START, **uniforms}, profile=profile, engine="reference")
    found = one.run()
    for key in ("position", "color"):
        assert np.array_equal(found[key].view(np.uint32), wanted.outputs[key].view(np.uint32)), key


NUMBERS: list[NDArray[np.float32]] = [
    np.arange(16, dtype=np.float32).reshape(4, 4),
    np.full((4, 4), 0.1, np.float32),
    np.full((4, 4), -0.0, np.float32),
    np.array([[2.0**-62, 2.0**-63, -(2.0**-70), 1e-40]] * 4, np.float32),
    np.array([[2.0**23, -(2.0**24), 2.0**63, 3e38]] * 4, np.float32),
    np.array([[np.inf, -np.inf, np.nan, 1.0]] * 4, np.float32),
    np.full((4, 4), -1 / 3, np.float32),
]


@pytest.mark.parametrize("engine", ["auto", "reference"])
@pytest.mark.parametrize("profile", ["hardware", "azahar"])
def test_floats_are_those_of_a_dict(profile: str, engine: str):
    one = batch(profile, engine)
    for numbers in NUMBERS:
        one.uniforms["matrix"][...] = numbers
        same(one, {"matrix": numbers}, profile)
        same(one, {"matrix": numbers}, profile)
    shift = np.array([0.1, -0.3, 5.0, 7.0], np.float32)
    one.uniforms["shift"][...] = shift
    same(one, {"matrix": NUMBERS[-1], "shift": shift}, profile)


@pytest.mark.parametrize("upload", ["nearest", "host", "zero"])
@pytest.mark.parametrize("negative_zero", ["ieee", "unseen"])
def test_every_way_of_upload(upload: str, negative_zero: str):
    rules = lw.pica200.profiles["hardware"].replace(upload=upload, negative_zero=negative_zero)
    one = lw.assemble(SOURCE).vertex.batch(INPUTS, START, profile=rules)
    for numbers in NUMBERS:
        one.uniforms["matrix"] = numbers
        wanted = lw.assemble(SOURCE).vertex.run(INPUTS, {**START, "matrix": numbers}, profile=rules, engine="reference")
        assert np.array_equal(one.run()["position"].view(np.uint32), wanted.outputs["position"].view(np.uint32))


def test_views_are_of_one_memory():
    uniforms = batch().uniforms
    assert uniforms["c"].shape == (96, 4)
    assert uniforms["c"].dtype == np.float32
    assert uniforms["i"].shape == (4, 4)
    assert uniforms["b"].shape == (16,)
    assert list(uniforms) == ["matrix", "shift", "loop", "other"]
    assert np.array_equal(uniforms["matrix"], np.eye(4))
    assert np.array_equal(uniforms["shift"], [1, 2, 3, 4])
    assert uniforms["loop"].tolist() == [2, 0, 1, 0]
    assert not uniforms["other"]
    uniforms["matrix[2]"][...] = 5
    first = next(row for row in range(96) if uniforms["c"][row, 0] == 5)
    assert np.array_equal(uniforms["matrix"][2], [5] * 4)
    assert uniforms[f"c{first}"].shape == (4,)
    uniforms["c"][first] = 6
    assert np.array_equal(uniforms["matrix[2]"], [6] * 4)
    with pytest.raises(KeyError, match="unknown uniform 'matrox': did you mean matrix"):
        _ = uniforms["matrox"]


@together(
    ("name", "value", "message"),
    [
        (
            "matrix",
            [1, 2, 3],
            "uniform 'matrix' has shape (3,), expected (4, 4) or 16 numbers: write to batch.uniforms['matrix']",
        ),
        ("matrix", [1, 2, 3, 4], "uniform 'matrix' has shape (4,), expected (4, 4) or 16 numbers"),
        ("matrix", [[1, 2, 3, 4]], "uniform 'matrix' has shape (1, 4), expected (4, 4) or 16 numbers"),
        ("matrix", np.eye(4)[:, :3], "uniform 'matrix' has shape (4, 3), expected (4, 4) or 16 numbers"),
        ("matrix", np.eye(4)[None], "uniform 'matrix' has shape (1, 4, 4), expected (4, 4) or 16 numbers"),
        ("shift", [1], "uniform 'shift' has shape (1,), expected (4,): write to batch.uniforms['shift'][...] for a part of it"),
        ("shift", None, "uniform 'shift' is not numbers"),
        ("shift", "x", "uniform 'shift' is not numbers"),
        ("loop", [1.5, 0, 1, 0], "uniform 'loop' is integers, not [1.5, 0, 1, 0]"),
        ("other", 2, "uniform 'other' is booleans, not 2"),
    ],
)
def test_a_value_that_does_not_fit_changes_nothing(name: str, value: Any, message: str):
    uniforms = batch().uniforms
    before = uniforms[name].tolist()
    with pytest.raises(ValueError, match=re.escape(message)):
        uniforms[name] = value
    assert uniforms[name].tolist() == before


def test_a_value_is_of_the_shape_of_its_uniform_flat_or_one_number():
    uniforms = batch().uniforms
    for value in (np.arange(16).reshape(4, 4), np.arange(16)):
        uniforms["matrix"] = value
        assert np.array_equal(uniforms["matrix"], np.arange(16).reshape(4, 4))
        uniforms["matrix"] = 2
        assert np.array_equal(uniforms["matrix"], np.full((4, 4), 2))


def test_integers_and_booleans_choose_other_code():
    one = batch()
    same(one, {})
    one.uniforms["other"][...] = True
    same(one, {"other": True})
    one.uniforms["loop"][:3] = 4, 0, 1
    same(one, {"other": True, "loop": [4, 0, 1]})
    one.uniforms["shift"][...] = 0.25
    one.uniforms["b"][:] = False
    same(one, {"shift": [0.25] * 4, "loop": [4, 0, 1]})
    one.uniforms["i"][:, 0] = 256
    with pytest.raises(lw.InputError, match="expected integers from 0 to 255"):
        one.run()
    with pytest.raises(lw.InputError, match="expected integers from 0 to 255"):
        one.run()
    one.uniforms["i"][:, 0] = 1
    one.uniforms["other"] = True
    same(one, {"shift": [0.25] * 4, "loop": [1, 0, 1], "other": True})


def test_a_boolean_that_makes_code_read_what_is_missing():
    source = SOURCE.replace(".fvec matrix[4], shift", ".fvec matrix[4], shift, more").replace(
        "add r1, shift, r1", "add r1, more, r1"
    )
    shader = lw.assemble(source).vertex
    one = shader.batch(INPUTS, START)
    one.run()
    one.uniforms["other"] = True
    with pytest.raises(lw.InputError, match="more"):
        one.run()
    one.uniforms["more"][...] = 2.0
    found = one.run()["color"].copy()
    wanted = shader.run(INPUTS, {**START, "other": True, "more": [2.0] * 4})
    assert np.array_equal(found, wanted.outputs["color"])


def test_with_a_dict_in_between():
    one = batch(rows=21)
    one.uniforms["shift"] = 9.0
    same(one, {"shift": [9.0] * 4})
    one.set_uniforms({**START, "matrix": NUMBERS[0]})
    assert np.array_equal(one.uniforms["matrix"], NUMBERS[0])
    assert np.array_equal(one.uniforms["shift"], [1, 2, 3, 4])
    same(one, {"matrix": NUMBERS[0]})
    one.uniforms["shift"] = 9.0
    same(one, {"matrix": NUMBERS[0], "shift": [9.0] * 4})
    with pytest.raises(lw.InputError):
        one.set_uniforms({})
    same(one, {"matrix": NUMBERS[0], "shift": [9.0] * 4})


def test_raw_words_of_other_rows_stay():
    """A NaN with a payload, which no float32 of the array would be converted to."""
    source = ".fvec shift, raw\n.out pos position\n.in place\n.proc main\n    mov r0, raw\n    mov pos, r0\n    end\n.end\n"
    shader = lw.assemble(source).vertex
    words = lw.Words(np.array([0x7F8123, 0x000001, 0x800000, 0x3F0000]))
    one = shader.batch(INPUTS, {"shift": [1.0] * 4, "raw": words})
    wanted = shader.run(INPUTS, {"shift": [2.0] * 4, "raw": words}, engine="reference")
    one.uniforms["shift"] = 2.0
    assert np.array_equal(one.run()["position"].view(np.uint32), wanted.outputs["position"].view(np.uint32))


def test_threads_read_one_table():
    many = np.repeat(INPUTS["place"], 50, axis=0)
    shader = lw.assemble(SOURCE).vertex
    one = shader.batch({"place": many}, START, threads=3)
    for number in range(3):
        one.uniforms["matrix"] = np.full((4, 4), number, np.float32)
        wanted = shader.run({"place": many}, {**START, "matrix": np.full((4, 4), number)})
        assert np.array_equal(one.run()["position"], wanted.outputs["position"])
