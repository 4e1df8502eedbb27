"""The evaluator of SPIR-V: against NumPy on shaders of our own, and its bounds. Against llvmpipe: `test_witness.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from spirv import approximate as ap
from spirv import functions, shaders
from spirv.approximate import Real, Truth
from spirv.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from spirv.evaluator import Outcome

    Array = NDArray[Any]

COUNT = 200


def outcome(name: str, level: str, given: shaders.Data, count: int = COUNT) -> Outcome:
    named = shaders.for_level(name, level, given)
    return Evaluator(shaders.binary(name, level)).run(named.inputs, named.uniforms, count)


def homogeneous(points: Array, last: float = 1.0) -> Array:
    return np.concatenate([points, np.full((len(points), 1), last)], 1)


def unit(vectors: Array) -> Array:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def triangle(i: Mapping[str, Array], u: Mapping[str, Array]) -> tuple[Array, Array]:
    return homogeneous(i["point"]) @ u["projection"].T, i["tint"]


def sprite(i: Mapping[str, Array], u: Mapping[str, Array]) -> tuple[Array, Array]:
    return homogeneous(i["point"]) @ (u["projection"] @ u["world"]).T, i["bytes"] / 255


def lamp(i: Mapping[str, Array], u: Mapping[str, Array]) -> tuple[Array, Array]:
    up = unit(i["normal"] @ u["world"][:3, :3].T)
    lit = np.maximum(-up @ u["lamp"], 0)[:, None]
    shine = np.maximum(-up @ u["halfway"], 0)[:, None]
    color = u["emission"] + u["light"] * (u["ambient"] + lit * u["diffuse"] + shine**2 * u["specular"])
    return homogeneous(i["point"]) @ (u["projection"] @ u["world"]).T, np.minimum(color, 1)


def skin(i: Mapping[str, Array], u: Mapping[str, Array]) -> tuple[Array, Array]:
    bones = u["rows"].reshape(-1, 3, 4)
    chosen = bones[(i["bone"] // 3).astype(int)]  # vertices, 2, rows, 4
    place = np.einsum("vb,vbrc,vc->vr", i["weight"], chosen, homogeneous(i["point"]))
    up = np.einsum("vb,vbrc,vc->vr", i["weight"], chosen, homogeneous(i["normal"], 0.0))
    lit = np.maximum(unit(up) @ u["lamp"], 0)
    return homogeneous(place) @ u["projection"].T, homogeneous(np.stack([lit] * 3, 1))


def lamps(i: Mapping[str, Array], u: Mapping[str, Array]) -> tuple[Array, Array]:
    position = homogeneous(i["point"]) @ u["projection"].T
    colors: list[Array] = []
    for point, up, kind, place in zip(i["point"], unit(i["normal"] @ u["turned"].T), i["kind"], position, strict=True):
        total = np.full(3, 0.1)
        for light, tint in zip(u["lamps"][: int(u["count"])], u["tints"], strict=False):
            there = light[:3] - point
            near = there @ there
            if light[3] < 0 or near > 9:
                continue
            total = total + tint * max(up @ there / np.sqrt(near), 0) / (1 + near)
            if total[0] > 2:
                break
        if kind == 1:
            total = total[::-1]
        elif kind > 1:
            total = total * 0.5
        if u["fog"]:
            far = min(max(place[3] * 0.25, 0), 1)
            total = total * (1 - far) + np.array([0.7, 0.7, 0.8]) * far
        colors.append(np.append(total, 0.5 if kind == 2 else 1.0))
    return position, np.array(colors)


BY_HAND: Mapping[str, Callable[[Mapping[str, Array], Mapping[str, Array]], tuple[Array, Array]]] = {
    "triangle": triangle,
    "sprite": sprite,
    "lamp": lamp,
    "skin": skin,
    "lamps": lamps,
}


@pytest.mark.parametrize("level", shaders.LEVELS)
@pytest.mark.parametrize("name", BY_HAND)
def test_values_are_those_by_hand(name: str, level: str):
    for seed in range(4):
        given = shaders.data(name, COUNT, seed)
        found = outcome(name, level, given)
        color = found.outputs.get("color") or found.outputs["location 1"]
        for value, wanted in zip((found.outputs["gl_Position"].value, color.value), BY_HAND[name](*given), strict=True):
            np.testing.assert_allclose(value[~found.apart], wanted[~found.apart], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", shaders.NAMES)
def test_levels_agree(name: str):
    """Both levels of a shader give the same, but for constants that the outside compiler has folded."""
    given = shaders.data(name, COUNT, 7)
    plain, optimised = (outcome(name, level, given) for level in shaders.LEVELS)
    for one, other in zip(
        plain.outputs.values(), (optimised.outputs[key] for key in order(name, plain, optimised)), strict=True
    ):
        known = ~(plain.apart | optimised.apart)[:, None] & np.isfinite(one.error)
        assert known.mean() > 0.9
        np.testing.assert_allclose(one.value[known], other.value[known], rtol=1e-6, atol=1e-6)


def order(name: str, plain: Outcome, optimised: Outcome) -> list[str]:
    if plain.outputs.keys() == optimised.outputs.keys():
        return list(plain.outputs)
    locations = Evaluator(shaders.binary(name, "O0")).interface().outputs
    return [key if key == "gl_Position" else f"location {locations[key][1]}" for key in plain.outputs]


@pytest.mark.parametrize("name", shaders.NAMES)
def test_bounds_are_small(name: str):
    """A bound that is as large as the value would let wrong values pass."""
    found = outcome(name, "O0", shaders.data(name, COUNT))
    assert found.apart.mean() <= 0.01
    for output in found.outputs.values():
        assert np.median(output.error / (np.abs(output.value) + 0.1)) < 2e-3


def numbers(*values: float) -> Real:
    return ap.given(np.array(values))


def test_rounding_is_counted_once_and_exact_results_are_exact():
    third = ap.real(1 / 3)
    assert third.error[0] == pytest.approx(2**-16 / 3)
    twice = ap.multiply(third, ap.real(2.0))
    assert twice.error[0] == pytest.approx(2 * 2**-16 / 3 + 2**-16 * 2 / 3)
    assert ap.add(numbers(1.0), numbers(2.0**-16)).error[0] == 0
    assert ap.add(numbers(1.0), numbers(2.0**-17)).error[0] > 0
    assert ap.multiply(numbers(3.0), numbers(0.5)).error[0] == 0
    # 6 / 3 is 6 times a reciprocal that float24 does not have.
    assert ap.divide(numbers(6.0), numbers(3.0)).error[0] > 0
    assert ap.divide(numbers(6.0), numbers(4.0)).error[0] == 0


def test_errors_are_carried_along():
    off = Real(np.array([2.0]), np.array([0.01]))
    with np.errstate(all="ignore"):
        assert ap.multiply(off, off).error[0] == pytest.approx(2 * 2 * 0.01 + 0.01**2 + 4 * 2**-16)
        assert ap.reciprocal(off).error[0] >= 1 / 1.99 - 1 / 2
        assert ap.inverse_root(off).error[0] >= 1.99**-0.5 - 2**-0.5
        assert ap.exp2(off).error[0] >= 2**2.01 - 4
        assert ap.log2(off).error[0] >= 1 - np.log2(1.99)
        assert not np.isfinite(ap.reciprocal(Real(np.array([0.005]), np.array([0.01]))).error[0])


def test_nan_and_infinity():
    with np.errstate(all="ignore"):
        nan, one = numbers(np.nan), numbers(1.0)
        assert ap.add(nan, one).error[0] == 0  # certainly NaN
        for found, wanted in (
            (ap.less(nan, one, equal=False), False),
            (ap.less(nan, one, equal=False, ordered=False), True),
            (ap.same(nan, nan), False),
            (ap.different(nan, nan, ordered=False), True),
            (ap.different(nan, one, ordered=True), False),
        ):
            assert (bool(found.value[0]), bool(found.doubt[0])) == (wanted, False)
        # What GLSL leaves open is not known: NaN in min, 0 * inf, 0 * NaN, 1 / 0, more than float24 has.
        infinity = numbers(np.inf)
        for value in (
            ap.minimum(nan, one),
            ap.multiply(numbers(0.0), infinity),
            ap.multiply(numbers(0.0), nan),
            ap.reciprocal(numbers(0.0)),
            ap.multiply(numbers(2.0**40), numbers(2.0**40)),
        ):
            assert np.isinf(value.error[0])


def test_decisions_within_the_bound_are_in_doubt():
    close, other = Real(np.array([1.0]), np.array([0.001])), numbers(1.002)
    assert ap.less(close, other, equal=False).doubt[0]
    assert not ap.less(close, numbers(1.01), equal=False).doubt[0]
    assert not ap.less(numbers(1.0), numbers(1.0), equal=False).doubt[0]
    chosen = ap.select(Truth(np.array([True]), np.array([True])), numbers(1.0), numbers(3.0))
    assert chosen.error[0] == 2
    assert functions.floor(Real(np.array([2.9999]), np.array([0.001]))).error[0] >= 1
    assert functions.floor(numbers(2.0)).error[0] == 0
    assert functions.round_any(numbers(2.5)).error[0] == 1


def test_inverse_is_the_inverse():
    matrix = np.array([[2.0, 0.5, 0.25, 1.0], [0.0, 1.5, 1.0, 0.5], [1.0, 0.0, 3.0, 0.25], [0.5, 1.0, 0.0, 2.0]])
    columns = [[numbers(matrix[row, column]) for row in range(4)] for column in range(4)]
    found = np.array([[item.value[0] for item in column] for column in functions.inverse(columns)]).T
    np.testing.assert_allclose(found @ matrix, np.eye(4), atol=1e-12)
