"""Warnings about the values of a run as Python has them: `announce`, at the line of the program that called `run`."""

from __future__ import annotations

import sys
import warnings
from time import monotonic
from typing import TYPE_CHECKING, Any, cast
from weakref import ref

from lanewise.core.diagnostics import InputWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import CodeType, FrameType

    from lanewise.core.diagnostics import Diagnostic

# Of one call in a program the values of the first runs are examined, and then once in a while: a loop pays for these only.
_MOST_RUNS, _SECONDS = 8, 0.1
_PAUSE = 20  # times as long as a look takes: no more than a twentieth of a loop is spent in looks
_MOST_ROWS = 1 << 15  # of a run, evenly spread: all are examined once where these show something
# Between a program and the `run` that it called; what other modules of lanewise run, they report themselves.
_BETWEEN = frozenset(
    (
        "arrays.announcing",
        "arrays.frames",
        "arrays.results",
        "core.objects",
        "api.compilation",
        "api.compiling",
        "distributed.vertices",
        "pica200.api.batch",
        "pica200.api.batch_looks",
    )
)
_MOST_PLACES = 1024


class _Place:
    """A call in a program: the numbers of its runs and what was said of them, by the instruction. A code is weakly held, and
    known by its id, because its hash takes longer than a small run."""

    def __init__(self, code: CodeType) -> None:
        self.code = ref(code)
        self.runs: dict[int, int] = {}
        self.next = 0.0  # when it is examined again
        self.said: tuple[set[str], set[str]] = (set(), set())  # of all rows, and of some

    def unsaid(self, found: Sequence[Diagnostic], instruction: int, *, some: bool = False) -> Iterator[Diagnostic]:
        """Findings that no run by an instruction had before, in all rows or `some`."""
        for finding in found:
            about = f"{instruction} {finding.code} {finding.message.partition(':')[0]}"
            if about not in self.said[some]:
                self.said[some].add(about)
                yield finding


_looked: dict[int, _Place] = {}


def announce(find: Callable[[int], Sequence[Diagnostic]], lanes: int) -> None:
    """Warn of what `find` finds in the values of a run of so many lanes, if a program outside of lanewise has called it.

    `find` takes a number n and examines each n-th row.
    """
    # `inspect.currentframe` is the same, and takes 10 ms to import
    frame = _caller(sys._getframe())  # pyright: ignore[reportPrivateUsage]: as above
    if frame is None:
        return
    code = frame.f_code
    place = _looked.get(id(code))
    if place is None or place.code() is not code:
        if len(_looked) >= _MOST_PLACES:
            _looked.clear()
        place = _looked[id(code)] = _Place(code)
    runs = place.runs.get(frame.f_lasti, 0)
    now = monotonic()
    if runs >= _MOST_RUNS and now < place.next:
        return
    place.runs[frame.f_lasti] = runs + 1
    step = lanes // _MOST_ROWS + 1
    found = find(step)
    if step > 1:
        found = find(1) if [*place.unsaid(found, frame.f_lasti, some=True)] else ()
    after = monotonic()
    place.next = after + max(_SECONDS, _PAUSE * (after - now))
    for finding in place.unsaid(found, frame.f_lasti):
        _show(f"{finding.code}: {finding.message}. Fix: {finding.fix}", frame)


def warn(text: str) -> None:
    """Warn at the line of the program that called."""
    frame = _caller(sys._getframe())  # pyright: ignore[reportPrivateUsage]: as above
    if frame is not None:
        _show(text, frame)


def variables() -> list[object]:
    """The values of the variables of the program that called, and of the attributes of its `self`."""
    frame = _caller(sys._getframe())  # pyright: ignore[reportPrivateUsage]: as above
    if frame is None:
        return []
    own = frame.f_locals
    return [*own.values(), *frame.f_globals.values(), *getattr(own.get("self"), "__dict__", {}).values()]


def _show(text: str, frame: FrameType) -> None:
    values = frame.f_globals
    name, registry = values.get("__name__", "<unknown>"), values.setdefault("__warningregistry__", {})
    warnings.warn_explicit(text, InputWarning, frame.f_code.co_filename, frame.f_lineno, name, registry)


def _caller(frame: FrameType | None) -> FrameType | None:
    """The frame of the program that called; None where that is lanewise."""
    inner = ""  # the module of `run`
    while frame is not None:
        package, _, name = str(frame.f_globals.get("__name__", "")).partition(".")
        if package != "lanewise":
            return frame
        if name not in _BETWEEN:
            if inner and name != inner:
                return None
            inner = name
        frame = frame.f_back
    return None


def thinned(values: Mapping[str, Any], step: int, lanes: int) -> dict[str, Any]:
    """Every n-th row of the values that have a row for each lane, without those that are not computed yet."""
    ready = {name: value for name, value in values.items() if not hasattr(value, "compute")}
    if step == 1:
        return ready
    return {name: value[::step] if _rows(value) == lanes else value for name, value in ready.items()}


def thinned_frame(frame: Any, step: int, lanes: int) -> Any:
    """Every n-th row of inputs as they were given: values by name, or a data frame of pandas."""
    if step <= 1:
        return frame
    if isinstance(frame, dict):
        return thinned(cast("Mapping[str, Any]", frame), step, lanes)
    return frame.iloc[::step] if hasattr(frame, "iloc") else frame


def _rows(value: object) -> int:
    return len(cast("Any", value)) if hasattr(value, "__len__") and getattr(value, "shape", True) else 0


__all__ = ["announce", "thinned", "thinned_frame", "variables", "warn"]
