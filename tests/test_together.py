import inspect

import pytest

import together as module
from effort import EXHAUSTIVE
from together import together

in_one = pytest.mark.skipif(EXHAUSTIVE, reason="in an exhaustive run each case is a test of pytest's")


@in_one
def test_all_cases_run_and_those_that_fail_are_named():
    seen: list[tuple[int, str]] = []

    @together(
        ("number", "text"), [(1, "a"), pytest.param(2, "b", id="the second"), (3, "c"), (4, "d")], ids=lambda value: value
    )
    def case(number: int, text: str) -> None:
        seen.append((number, text))
        if number == 2:
            raise ValueError(text)
        if number == 3:
            pytest.fail(text)

    with pytest.raises(BaseExceptionGroup, match="2 of 4 cases fail") as caught:
        case()
    assert seen == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    assert [error.__notes__ for error in caught.value.exceptions] == [["case the second"], ["case 3-c"]]


@in_one
def test_one_failure_is_the_failure_of_the_test():
    @together("number", range(5), ids=["a", "b", "c", "d", "e"])
    def case(number: int) -> None:
        assert number != 3

    with pytest.raises(AssertionError) as caught:
        case()
    assert caught.value.__notes__ == ["case d"]


@in_one
def test_tables_may_be_stacked_and_fixtures_are_left():
    seen: list[tuple[int, int, str]] = []

    @together("a", (1, 2))
    @together("b", (3, 4))
    def case(a: int, b: int, fixture: str) -> None:
        seen.append((a, b, fixture))

    assert [*inspect.signature(case).parameters] == ["fixture"]
    case(fixture="f")
    assert seen == [(a, b, "f") for a in (1, 2) for b in (3, 4)]


@in_one
def test_the_cases_behind_one_that_is_skipped_run():
    @together("number", range(3))
    def case(number: int) -> None:
        if number == 0:
            pytest.skip("no zero")
        assert number != 2

    with pytest.raises(AssertionError):
        case()


@in_one
def test_a_test_without_cases_is_skipped():
    @together("number", [])
    def case(number: int) -> None:
        raise AssertionError(number)

    with pytest.raises(pytest.skip.Exception):
        case()


@in_one
def test_marks_and_unknown_names_are_refused():
    @together("number", [pytest.param(1, marks=pytest.mark.xfail)])
    def marked(number: int) -> None:
        assert number

    with pytest.raises(TypeError, match=r"use pytest\.mark\.parametrize"):
        marked()
    with pytest.raises(TypeError, match="no parameter 'other'"):

        @together("other", [1])
        def unknown(number: int) -> None:
            assert number


def test_in_an_exhaustive_run_each_case_is_a_test(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "EXHAUSTIVE", True)

    @module.together("row", [(1, 2), (3, 4)], ids=str)
    def case(row: tuple[int, int]) -> None:
        assert row[0] < row[1]

    (mark,) = case.pytestmark  # type: ignore[attr-defined]
    assert (mark.name, mark.args, mark.kwargs) == ("parametrize", ("row", [(1, 2), (3, 4)]), {"ids": str})
