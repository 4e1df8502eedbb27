"""Records behave as named tuples do; type checkers take them for such."""

from __future__ import annotations

import pickle

import pytest

from lanewise.core.record import Record
from lanewise.core.source import Span


class Point(Record):
    """A point."""

    x: int
    y: int = 2

    def swapped(self) -> Point:
        return Point(self.y, self.x)

    @property
    def total(self) -> int:
        return self.x + self.y


class Empty(Record):
    """Nothing."""


def test_it_is_a_named_tuple_in_all_but_name():
    point = Point(1)
    assert point == (1, 2) == Point(x=1, y=2)
    assert repr(point) == "Point(x=1, y=2)"
    assert point._replace(y=5) == Point(1, 5)
    assert point._asdict() == {"x": 1, "y": 2}
    assert Point._make([3, 4]).swapped() == (4, 3)
    assert (point.total, Point._fields, Point._field_defaults, Point.__doc__) == (3, ("x", "y"), {"y": 2}, "A point.")
    assert hash(point) == hash((1, 2))
    assert Empty() == ()
    match point:
        case Point(x, y):
            assert (x, y) == (1, 2)


@pytest.mark.parametrize("call", ["Point()", "Point(1, 2, 3)", "Point(1, z=2)", "Point._make([1])"])
def test_wrong_calls(call: str):
    with pytest.raises(TypeError):
        eval(call)


def test_it_is_immutable():
    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 5  # type: ignore[misc]  # that is the test
    with pytest.raises(AttributeError):
        point.z = 5  # type: ignore[attr-defined]  # likewise
    with pytest.raises(ValueError, match="no field z"):
        point._replace(z=1)  # type: ignore[call-arg]  # likewise


def test_it_pickles():
    span = Span(file="a.pica", line=3, column=4)
    assert pickle.loads(pickle.dumps(span)) == span
    assert type(pickle.loads(pickle.dumps(span))) is Span


def test_fields_with_defaults_are_the_last():
    """The values of the others would be put into the wrong places."""
    with pytest.raises(TypeError, match="Wrong has a field without a default after one with a default"):
        exec("class Wrong(Record):\n    x: int = 1\n    y: int\n", {"Record": Record})
