"""Cases of one test that are too small to be tests of their own: pytest takes milliseconds for each test, and twice that
between processes."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

import pytest

from effort import EXHAUSTIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from _pytest.mark import ParameterSet

    Test = Callable[..., None]

_PARAM = type(pytest.param())


def together(
    names: str | Sequence[str],
    rows: Iterable[ParameterSet | Sequence[object] | object],
    ids: Iterable[object] | Callable[[Any], object] | None = None,
) -> Callable[[Test], Test]:
    """`pytest.mark.parametrize`, but one test that runs all rows and then names those that fail.

    Rows share the fixtures of the test, so it asks for none whose state a row changes. An exhaustive run has a test for each
    row: its sweeps are for all processors.
    """
    cases = [*rows]
    if EXHAUSTIVE:
        return pytest.mark.parametrize(names, cases, ids=ids)  # pyright: ignore[reportArgumentType]
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]

    def decorate(test: Test) -> Test:
        @wraps(test)
        def all_of_them(**fixtures: object) -> None:
            failed: list[BaseException] = []
            skipped: list[str] = [] if cases else ["no cases"]
            for number, case in enumerate(cases):
                try:
                    test(**fixtures, **dict(zip(names, _values(case, len(names)), strict=True)))
                except pytest.skip.Exception as error:
                    skipped.append(str(error))
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"case {_name(number, case, names, ids)}")
                    failed.append(error)
            if len(failed) == 1:
                raise failed[0]
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases fail", failed)
            if skipped:
                pytest.skip(skipped[0])

        signature = inspect.signature(test)
        unknown = {*names} - {*signature.parameters}
        if unknown:
            raise TypeError(f"{test.__name__} has no parameter {min(unknown)!r}")
        left = [parameter for name, parameter in signature.parameters.items() if name not in names]
        all_of_them.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined] # pytest asks for the rest
        return all_of_them

    return decorate


def _values(case: object, count: int) -> Sequence[object]:
    if isinstance(case, _PARAM):
        if case.marks:
            raise TypeError("a mark of a case: use pytest.mark.parametrize")
        return case.values
    return (case,) if count == 1 else cast("Sequence[object]", case)


def _name(number: int, case: object, names: Sequence[str], ids: Iterable[object] | Callable[[Any], object] | None) -> str:
    if isinstance(case, _PARAM) and case.id is not None:
        return str(case.id)
    if callable(ids):
        return "-".join(str(ids(value)) for value in _values(case, len(names)))
    if ids is not None:
        return str([*ids][number])
    return repr(case)
