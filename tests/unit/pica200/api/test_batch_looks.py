"""What a batch says in its first runs of arrays that it does not read, and of results that are overwritten; and what it does
not say."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw

if TYPE_CHECKING:
    from collections.abc import Callable

PATH = Path(__file__).parents[4] / "examples" / "transform.v.pica"
REST = {"color": [1, 0.5, 0], "texcoord": [0, 0]}
UNIFORMS: dict[str, Any] = {"projection": np.eye(4)}

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 14) or not hasattr(sys, "getrefcount"), reason="counts references, as CPython before 3.14 does"
)


@pytest.fixture(scope="module")
def shader() -> Any:
    return lw.load(PATH).vertex


def points() -> Any:
    return np.ones((20, 3), np.float32)


def rebound(shader: Any) -> None:
    position = points()
    batch = shader.batch({"position": position, **REST}, UNIFORMS)
    for _ in range(3):
        position = position * 0.9
        batch.run()


class Cloud:
    def __init__(self, shader: Any) -> None:
        self.points = points()
        self.batch = shader.batch({"position": self.points, **REST}, UNIFORMS)

    def step(self) -> None:
        self.points = self.points * 0.9
        self.batch.run()


def rebound_in_an_object(shader: Any) -> None:
    cloud = Cloud(shader)
    for _ in range(3):
        cloud.step()


def rebound_in_a_dict(shader: Any) -> None:
    position = points()
    inputs = {"position": position, **REST}
    batch = shader.batch(inputs, UNIFORMS)
    for _ in range(3):
        batch.run()
        inputs["position"] = position * 0.9


def kept(shader: Any) -> None:
    batch = shader.batch({"position": points(), **REST}, UNIFORMS)
    np.stack([batch.run()["position"] for _ in range(3)])


def kept_whole(shader: Any) -> None:
    batch, history = shader.batch({"position": points(), **REST}, UNIFORMS), {}
    for step in range(3):
        history[step] = batch.run()


SAID: list[tuple[Callable[[Any], None], str]] = [
    (rebound, "the program has no name of the array of input 'position' any more.*`position *= 0.9`"),
    (rebound_in_an_object, "the program has no name of the array of input 'position' any more"),
    (rebound_in_a_dict, r"inputs\['position'\] is another array now"),
    (kept, r"keep copies, `batch.run\(\)\['position'\].copy\(\)`"),
    (kept_whole, r"keep copies, `batch.run\(\)\['position'\].copy\(\)`"),
]


@pytest.mark.parametrize(("mistake", "text"), SAID)
def test_what_is_said(shader: Any, mistake: Callable[[Any], None], text: str) -> None:
    with pytest.warns(lw.InputWarning, match=text.replace("*=", r"\*=")) as seen:
        mistake(shader)
    assert [warning.filename for warning in seen] == [__file__]


def in_place(shader: Any) -> None:
    position = points()
    batch = shader.batch({"position": position, **REST}, UNIFORMS)
    history: list[Any] = []
    for _ in range(4):
        position *= 0.9
        history.append(batch.run()["position"].copy())
    assert np.stack(history).std(axis=0).max() > 0


def without_a_name(shader: Any) -> None:
    batch = shader.batch({"position": points(), **REST}, UNIFORMS)
    for _ in range(4):
        out = batch.run()["position"]
        assert len(out) == 20


def of_a_function(shader: Any) -> None:
    """Arrays of a function that has ended, one of which its caller fills, or other uniforms each time."""

    def batch_of(position: Any) -> Any:
        color = np.ones((20, 3), np.float32)
        return shader.batch({"position": position, "color": color, "texcoord": [0, 0]}, UNIFORMS)

    position = points()
    batch = batch_of(position)
    other = batch_of(points())
    for step in range(4):
        position += step
        batch.run()
        other.uniforms["projection"][0, 0] = step
        other.run()


def timed(shader: Any) -> None:
    """A batch of a function that has ended, which runs again and again, as in a benchmark."""

    def batch_of() -> Any:
        position, color = points(), points()
        return shader.batch({"position": position, "color": color, "texcoord": [0, 0]}, UNIFORMS)

    batch = batch_of()
    for _ in range(4):
        batch.run()


@pytest.mark.parametrize("fine", [in_place, without_a_name, of_a_function, timed])
def test_what_is_not_said(shader: Any, fine: Callable[[Any], None]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine(shader)
