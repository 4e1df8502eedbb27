"""The moves of an optimiser on a machine of the tests: `a = b + c`, `a = b` on registers of one letter, `jump N`, `out a`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from lanewise.optimising.operands import Facts, Into, Operands, layout_of
from lanewise.optimising.optimiser import optimise
from together import together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.optimising.operands import Layout


class Line(NamedTuple):
    """`to` is what it writes, O the output; `jump 1` and `maybe 1` go to the last line, or may go there."""

    to: str
    reads: str = ""
    jump: int = -1

    def __str__(self) -> str:
        return f"{self.to}={'+'.join(self.reads)}" if self.jump < 0 else f"{self.to} {self.jump}"


def line(text: str) -> Line:
    to, _, rest = text.partition("=")
    if not rest:
        name, _, number = text.partition(" ")
        return Line(name, "", int(number))
    return Line(to, "".join(sorted(rest.replace("+", ""))))


def bit(name: str) -> int:
    return 1 << "abcdefghO".index(name)


class Table(Operands[Line]):
    def __init__(self) -> None:
        self.into = (Into("copy", self._copy, "remove it", self._read),)

    def _copy(self, item: Line) -> str | None:
        return "a copy" if len(item.reads) == 1 and item.to != "O" else None

    def _read(self, first: Line, second: Line, n: int) -> Line | None:
        return second._replace(reads="".join(sorted(second.reads.replace(second.reads[n], first.reads, 1))))

    def facts(self, item: Line) -> Facts:
        if item.jump >= 0:
            return Facts(effect=True)
        return Facts(sources=tuple(map(bit, item.reads)), writes=bit(item.to), surely=bit(item.to))

    def layout(self, items: Sequence[Line]) -> Layout:
        following = [
            {n + 1} if item.jump < 0 else {len(items) - item.jump, *([n + 1] if item.to == "maybe" else [])}
            for n, item in enumerate(items)
        ]
        return layout_of(following, bit("O"))

    def cost(self, items: Sequence[Line]) -> tuple[int, ...]:
        return (len(items),)

    def text(self, item: Line) -> str:
        return str(item)

    def value(self, item: Line) -> str | None:
        return item.reads if item.jump < 0 else None

    def copy_of(self, first: Line, second: Line) -> Line | None:
        return Line(second.to, first.to)

    def moved(self, item: Line, copy: Line) -> Line | None:
        return item._replace(to=copy.to) if len(copy.reads) == 1 and item.jump < 0 else None


@together(
    ("program", "left", "moves"),
    [
        pytest.param("a=b O=b", "O=b", {"dead"}, id="a result that nothing reads"),
        pytest.param("a=b c=a O=b", "O=b", {"dead"}, id="a result that only such a one reads"),
        pytest.param("a=b O=a+c", "O=b+c", {"into"}, id="a copy"),
        pytest.param("a=b b=c+d O=a+b", "a=b b=c+d O=a+b", set[str](), id="a copy whose source is written again stays"),
        pytest.param("a=b+c d=b+c O=a+d", "a=b+c O=a+a", {"twice"}, id="computed twice"),
        pytest.param("a=b+c a=b+c O=a+d", "a=b+c O=a+d", {"dead"}, id="written twice"),
        pytest.param("a=b+c O=a", "O=b+c", {"moved"}, id="a result that is only copied"),
        pytest.param("jump 1 a=b O=c O=d", "jump 1 O=d", {"unreachable"}, id="behind a jump"),
        pytest.param("a=b maybe 1 b=c+d O=a+b", "a=b maybe 1 b=c+d O=a+b", set[str](), id="a source that one path changes"),
        pytest.param("a=b maybe 1 d=c+e O=a+d", "maybe 1 d=c+e O=b+d", {"into"}, id="a copy before a branch"),
    ],
)
def test_moves(program: str, left: str, moves: set[str]):
    lines = [line(text.replace("_", " ")) for text in _words(program)]
    found = optimise(lines, Table(), valid=lambda _: True, equal=lambda _: True)
    assert " ".join(map(str, found.items)) == left
    assert {step.move for step in found.steps} == moves


def _words(program: str) -> list[str]:
    return program.replace("jump ", "jump_").replace("maybe ", "maybe_").split()


class Pairs(Table):
    """A sum and a copy beside it are issued together: -2 in the place of its jump."""

    def joined(self, first: Line, second: Line) -> Line | None:
        apart = first.jump == second.jump == -1 and len(first.reads) == 2 and len(second.reads) == 1
        return second._replace(jump=-2) if apart else None

    def cost(self, items: Sequence[Line]) -> tuple[int, ...]:
        return (sum(item.jump != -2 for item in items),)

    def facts(self, item: Line) -> Facts:
        return super().facts(item)._replace(effect=item.to == "O")


def test_neighbours_that_are_issued_together():
    pairs = {"O=a+b c=d e=c": 0, "g=a+b c=g O=c+d": 0, "g=a+b c=d O=g+e O=c+e": 1}
    for program, count in pairs.items():
        lines = [line(text) for text in program.split()]
        found = optimise(lines, Pairs(), valid=lambda _: True, equal=lambda items: len(items) == len(lines))  # noqa: B023
        assert sum(item.jump == -2 for item in found.items) == count, program
        assert {step.code for step in found.steps} <= {"H108"}


def test_steps_that_are_not_proved_or_not_valid_are_not_taken():
    lines = [line(text) for text in ("a=b", "c=b", "O=a+b")]
    found = optimise(lines, Table(), valid=lambda _: True, equal=lambda items: line("a=b") in items)
    assert [str(item) for item in found.items] == ["a=b", "O=a+b"]
    assert found.origins == (0, 2)
    assert found.refused
    assert optimise(lines, Table(), valid=lambda _: False, equal=lambda _: True).items == tuple(lines)
