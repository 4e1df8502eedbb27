"""Warnings of Python about the values of a run: at the line of the program, once, and not from lanewise's own runs."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise
from lanewise import InputWarning
from lanewise.arrays import announcing
from lanewise.core.diagnostics import Diagnostic
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = """
.fvec projection[4]
.in position
.in color
.out place position
.out paint color
.proc main
    dp4 place.x, projection[0], position
    dp4 place.y, projection[1], position
    dp4 place.z, projection[2], position
    dp4 place.w, projection[3], position
    mov paint, color
    end
.end
"""
FAR = 13.404954 + np.arange(4000).reshape(-1, 1) * 1e-6
MOVED = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [5, 0, 0, 1]]


def said(run: Callable[[], object], kind: type[Warning] = InputWarning) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        run()
    return [each for each in found if issubclass(each.category, kind)]


@pytest.fixture(scope="module")
def shader() -> Any:
    return lanewise.assemble(SOURCE).vertex


@pytest.mark.parametrize(
    ("code", "inputs", "uniforms"),
    [
        ("B019", {"position": [1e30, 0, 0]}, {}),
        ("B020", {"position": np.arange(130000, 134000).reshape(-1, 1)}, {}),  # more rows than are examined at first
        ("B022", {"color": np.full((3, 3), 255, np.uint8)}, {}),
        ("B023", {}, {"projection": MOVED}),
        ("B025", {"position": FAR}, {}),
        ("R012", {"color": [255, 128, 0]}, {}),
    ],
)
def test_values_that_give_a_plausible_and_wrong_result(
    shader: Any, code: str, inputs: Any, uniforms: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lanewise.arrays.announcing._MOST_ROWS", 1000)
    given = {"position": [0, 0, 0], "color": [1, 1, 1], **inputs}, {"projection": np.eye(4), **uniforms}
    [found] = said(lambda: shader.run(*given).outputs["position"])
    assert str(found.message).startswith(f"{code}: ") and ". Fix: " in str(found.message)
    assert found.filename == __file__
    assert code in [each.code for each in shader.run(*given).warnings]
    of_results = code in ("B022", "R012")  # which a batch does not have yet
    assert [str(each.message)[:4] for each in said(lambda: shader.batch(*given))] == ([] if of_results else [code])


def test_other_values(shader: Any) -> None:
    assert not said(lambda: shader.run({"position": np.zeros((9000, 3)), "color": [1, 1, 1]}, {"projection": np.eye(4)}))


def test_each_line_warns_once_and_not_all_of_its_runs_are_examined(shader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("lanewise.arrays.announcing.monotonic", lambda: now[0])

    def run(position: Any) -> None:
        shader.run({"position": position, "color": [1, 1, 1]}, {"projection": np.eye(4)})

    assert len(said(lambda: [run([1e30, 0, 0]) for _ in range(3)])) == 1
    assert len(said(lambda: run([[0, 1 << 20 | 1, 0]]))) == 1  # something else
    for _ in range(8):
        run([0, 0, 0])
    assert not said(lambda: run(FAR))
    now[0] += 1
    assert len(said(lambda: run(FAR))) == 1


def test_all_rows_are_examined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanewise.arrays.announcing._MOST_ROWS", 10)
    asked: list[int] = []

    def find(step: int) -> list[Diagnostic]:
        asked.append(step)
        return [Diagnostic(code="B021", severity="warning", message="column 'x'", span=Span(file="a"), fix="b")]

    def look() -> None:
        announcing.announce(find, 35)

    assert len(said(lambda: [look() for _ in range(3)])) == 1
    assert asked == [4, 1, 4, 4]


def test_a_look_reads_some_rows_of_what_was_given(shader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    monkeypatch.setattr("lanewise.arrays.announcing._MOST_ROWS", 100)
    rows = np.zeros((1000, 3))
    rows[1, 0] = np.nan  # no eleventh row
    frame = pandas.DataFrame({"position.x": rows[:, 0], "color": 1.0})
    for given in ({"position": rows, "color": [1, 1, 1]}, frame):
        assert not said(lambda given=given: shader.run(given, {"projection": np.eye(4)}))
        assert [each.code for each in shader.run(given, {"projection": np.eye(4)}).warnings] == ["B021"]


def test_what_lanewise_runs_itself_is_reported_by_what_runs_it(shader: Any) -> None:
    given = {"position": [1e30, 0, 0], "color": [1, 1, 1]}, {"projection": np.eye(4)}
    assert not said(lambda: lanewise.pica200.Pipeline(shader).run(given[0], uniforms=given[1]))
    namespace: dict[str, Any] = {"__name__": "lanewise.tools.run", "run": lambda: shader.run(*given)}
    exec("def call(f, *given):\n    return f(*given)\n", namespace)
    assert not said(lambda: namespace["call"](shader.run, *given))
    assert len(said(lambda: shader.run(*given))) == 1


def test_they_can_be_errors(shader: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputWarning)
        with pytest.raises(InputWarning, match=r"B019.*scale it"):
            shader.run({"position": [1e30, 0, 0], "color": [1, 1, 1]}, {"projection": np.eye(4)})


def test_the_other_instruction_sets() -> None:
    shader: Any = lanewise.load(b"vs_2_0\ndcl_position v0\nmov oPos, v0\n", name="a.vsa")
    program: Any = lanewise.load(b".input v0 position\nmov o0.x, v0.x\nend\n", name="a.sc")
    [of_shader] = said(lambda: shader.run({"position": [1e300, 0, 0]}))
    [of_program] = said(lambda: program.run({"position": [1e300, 0, 0]}))
    assert str(of_shader.message) == str(of_program.message)
    assert "B019: input 'position' has 1e+300, which is stored as infinity" in str(of_program.message)
