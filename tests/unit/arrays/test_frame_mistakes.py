"""Values and frames of pandas that are refused: what is said, and that what is said to do works."""

from __future__ import annotations

from ast import literal_eval
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw

if TYPE_CHECKING:
    from collections.abc import Callable

pd: Any = import_module("pandas")
EXAMPLES = Path(__file__).parents[3] / "examples"
POINTS = np.linspace(-1, 1, 18).reshape(6, 3)
NAMES = [f"{name}.{letter}" for name in ("position", "normal") for letter in "xyz"]
FRAME = pd.DataFrame(np.hstack([POINTS, POINTS / 2]), columns=NAMES)
SCENE: dict[str, Any] = {
    "projection": np.eye(4),
    "sun": [0, 0, 1, 4],
    "shade": [0.1] * 3,
    "paint": [0.8] * 3,
    "shine": [1, 1, 1, 0.7],
    "glossy": True,
}
REST = {name: value for name, value in SCENE.items() if name != "glossy"}


class Tensor:
    """As those of libraries that compute gradients."""

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")


@pytest.fixture(scope="module")
def shader() -> Any:
    return lw.load(EXAMPLES / "toon.v.pica").vertex


def long(frame: Any) -> Any:
    return frame.rename_axis("vertex").reset_index().melt("vertex", var_name="channel", value_name="value")


def dashed(frame: Any) -> Any:
    """A column in which a dash stands for a number that is missing."""
    return frame.assign(**{"normal.y": [*frame["normal.y"].map(str)[:-1], "-"]})


def noted(frame: Any) -> Any:
    """A column of numbers with a text."""
    return frame.assign(**{"normal.y": pd.Series([*frame["normal.y"][:-1], "n/a"], dtype=object)})


def decimals(frame: Any) -> Any:
    return frame.map(str).map(Decimal)


def numeric(shader: Any, frame: Any) -> Any:
    return shader.run(frame.assign(**{"normal.y": pd.to_numeric(frame["normal.y"], errors="coerce")}).dropna(), SCENE)


def named(values: Any) -> dict[str, Any]:
    return {"position": values[:, :3], "normal": values[:, 3:6]}


def glossy(shader: Any, frame: Any) -> None:
    for value, rows in frame.groupby("glossy"):
        shader.run(rows.drop(columns="glossy"), {**REST, "glossy": value})


# Inputs, what is said, and what one runs then.
INPUTS: list[tuple[Any, str, Callable[[Any, Any], object]]] = [
    (
        long(FRAME),
        r"in the column 'channel'\nhelp: .*`frame.pivot\(index='vertex', columns='channel', values='value'\)`$",
        lambda s, f: s.run(f.pivot(index="vertex", columns="channel", values="value"), SCENE),
    ),
    (
        FRAME.melt(),
        r"`frame.assign\(vertex=frame.groupby\('variable'\).cumcount\(\)\).pivot\(index='vertex', columns='variable', ",
        lambda s, f: s.run(
            f.assign(vertex=f.groupby("variable").cumcount()).pivot(index="vertex", columns="variable", values="value"), SCENE
        ),
    ),
    (
        {"position": FRAME, "normal": FRAME},
        r"`run\(frame, uniforms\)`, or choose those of one input: `frame\[\['normal.x', 'normal.y', 'normal.z'\]\]`",
        lambda s, _: s.run(FRAME, SCENE),
    ),
    (
        {"position": FRAME.to_numpy()},
        r"such as `values\[:, :3\]` for one and `values\[:, 3:6\]` for another",
        lambda s, f: s.run(named(f["position"]), SCENE),
    ),
    ({"position": POINTS.T, "normal": POINTS}, r"`values.T`", lambda s, f: s.run({**f, "position": f["position"].T}, SCENE)),
    (
        noted(FRAME),
        r"in row 5, 'n/a', .*\n.*`na_values=\['n/a'\]`, or `pandas.to_numeric\(frame\['normal.y'\], errors='",
        numeric,
    ),
    (dashed(FRAME), r"in row 5, '-', .*\n.*`na_values=\['-'\]`, or `pandas.to_numeric\(frame\['normal.y'\], errors='", numeric),
    (
        decimals(FRAME),
        r"5 other columns too\nhelp: .*`frame = frame.astype\(float\)`",
        lambda s, f: s.run(f.astype(float), SCENE),
    ),
    (
        FRAME.assign(glossy=FRAME["normal.z"] > 0),
        r"'glossy' is a uniform.*\n.*`for value, rows in frame.groupby\('glossy'",
        glossy,
    ),
    (
        FRAME.assign(**{"sun.x": 1.0}),
        r"columns sun.x are a uniform.*\n.*`frame.drop\(columns=\['sun.x'\]\)`",
        lambda s, f: s.run(f.drop(columns=["sun.x"]), SCENE),
    ),
    (
        FRAME.rename(columns=str.upper),
        r"names have small letters\nhelp: .*`frame.rename\(columns=str.lower\)`$",
        lambda s, f: s.run(f.rename(columns=str.lower), SCENE),
    ),
    *[
        (
            FRAME.rename(columns=dict(zip(NAMES[:3], there, strict=True))),
            rf"`frame.rename\(columns=\{{'{there[0].replace('[', '.')[:8]}.*: 'position.x', .*: 'position.z'\}}\)`",
            lambda s, f, there=there: s.run(f.rename(columns=dict(zip(there, NAMES[:3], strict=True))), SCENE),
        )
        for there in (
            ("position[0]", "position[1]", "position[2]"),
            ("position.0", "position.1", "position.2"),
            ("position_1", "position_2", "position_3"),
        )
    ],
    (
        pd.DataFrame({"position": [str(row) for row in POINTS.tolist()], "normal": POINTS.tolist()}),
        r"`\[ast.literal_eval\(each\) for each in frame\['position'\]\]`",
        lambda s, f: s.run(f.assign(position=[literal_eval(each) for each in f["position"]]), SCENE),
    ),
    (FRAME.T, r"its columns the vertices\nhelp: turn it: `frame.T`", lambda s, f: s.run(f.T, SCENE)),
    ({"position": Tensor(), "normal": POINTS}, r"give `values.detach\(\).cpu\(\).numpy\(\)`", lambda s, f: s),
]


@pytest.mark.parametrize(("inputs", "said", "then"), INPUTS)
def test_inputs(shader: Any, inputs: Any, said: str, then: Callable[..., object]) -> None:
    with pytest.raises(lw.InputError, match=said):
        shader.run(inputs, REST if "glossy" in inputs else SCENE)
    then(shader, inputs)


def test_uniforms(shader: Any) -> None:
    with pytest.raises(lw.InputError, match=r"uniform 'paint' does not become an array .*\n.*\nhelp: give `values.detach"):
        shader.run(FRAME, {**SCENE, "paint": Tensor()})
    with pytest.raises(lw.InputError, match=r"or declare `\.in sun` in its place"):
        shader.run(FRAME, {**SCENE, "sun": np.ones((20, 4))})


def test_faces_that_are_filled_with_minus_one(shader: Any) -> None:
    result, faces = shader.run(FRAME, SCENE), np.array([[0, 1, 2], [-1, -1, -1]])
    with pytest.raises(lw.InputError, match=r"`faces\[\(faces >= 0\).all\(axis=1\)\]`"):
        result.svg(faces)
    result.svg(faces[(faces >= 0).all(axis=1)])


def test_a_picture_whose_channels_come_first() -> None:
    cut, image = lw.load_direct3d9(EXAMPLES / "cutout.psa"), np.zeros((3, 4, 5), np.uint8)
    with pytest.raises(lw.InputError, match=r"`numpy.moveaxis\(picture, 0, -1\)`"):
        cut.run({"t0": [[0.5, 0.5]]}, samplers={"s0": image})
    cut.run({"t0": [[0.5, 0.5]]}, samplers={"s0": np.moveaxis(image, 0, -1)}, defaults=0)


def test_a_boolean_that_is_none(shader: Any) -> None:
    for value in (None, "yes"):
        with pytest.raises(lw.InputError, match=r"expected true, false, 1 or 0: it is a boolean\n.*\n.*give True or False"):
            shader.run(FRAME, {**SCENE, "glossy": value})
