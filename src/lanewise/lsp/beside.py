"""Shader tests in the folder of a source: which there are, and the last value of each register in the first of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lanewise.core.diagnostics import InputError
from lanewise.core.service import InputFailure, UsageError
from lanewise.lsp.documents import normal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.shadertests import Beside
    from lanewise.lsp.documents import View

_LETTERS = "xyzw"
_MOST_STEPS = 20_000  # of a trace that a hover waits for


class Last(NamedTuple):
    """The last values of a register by component, the line that wrote the last of them (0: given), and the test."""

    values: Mapping[str, float]
    line: int
    test: str

    def __str__(self) -> str:
        shown = ", ".join([f"{letter} = {value:.7g}" if letter else f"{value:.7g}" for letter, value in self.values.items()])
        where = f"written last in line {self.line}" if self.line else "given"
        return f"In the shader test '{self.test}', first vertex: {shown}, {where}."


class ShaderTestsBeside:
    """The shader tests beside sources; none without a `disk`. What is known of a source is kept until `forget`."""

    def __init__(self, *, disk: bool = True) -> None:
        self._disk = disk
        self._tests: dict[str, list[Beside]] = {}
        self._values: dict[str, Mapping[str, Last]] = {}

    def forget(self, path: str = "") -> None:
        """A source was saved, or all: a test has changed."""
        for known in (self._tests, self._values):
            if path:
                known.pop(normal(path), None)
            else:
                known.clear()

    def tests(self, path: str) -> list[Beside]:
        """The tests of a source. A test file with errors has none."""
        if not path or not self._disk:
            return []
        key = normal(path)
        if key not in self._tests:
            from lanewise.api.testing import tests_beside

            self._tests[key] = tests_beside(Path(path))
        return self._tests[key]

    def last(self, view: View, register: str) -> str:
        """The last value of a register in a sentence; empty where there is none."""
        if not view.path:
            return ""
        key = normal(view.path)
        if key not in self._values:
            self._values[key] = self._traced(view)
        found = self._values[key].get(register)
        return str(found) if found is not None else ""

    def _traced(self, view: View) -> Mapping[str, Last]:
        for beside in self.tests(view.path):
            try:
                program = program_of(view, beside)
                tests = service(program)
                trace = (
                    tests.trace(tests.chosen(program, beside.test.case), beside.test.case, 0)
                    if tests.trace is not None
                    else None
                )
                if trace is not None and len(trace) <= _MOST_STEPS:
                    return last_values(trace.to_json(), beside.test.name)
            except (
                InputError,
                InputFailure,
                UsageError,
                OSError,
                TypeError,
                ValueError,
            ):  # a program or a test that cannot run has no values
                continue
        return {}


def program_of(view: View, beside: Beside) -> Any:
    """The program of a test: as it is in the editor where its sources are those of the view. Raises InputError, OSError."""
    from lanewise.api.testing import linked

    loaded = view.analysis.loaded
    same = [normal(str(path)) for path in beside.test.programs] == [normal(each.path) for each in view.request.sources]
    if same and not beside.test.options and loaded is not None:
        return loaded.program
    return linked(beside.test.programs, beside.test.options, beside.test.sources)


def service(program: Any) -> Any:
    from lanewise.api.cases import service_of

    return service_of(program)


def last_values(trace: Mapping[str, Any], test: str) -> dict[str, Last]:
    """The value of each register at the end, of the JSON of a trace (schema `trace`)."""
    values: dict[str, dict[str, float]] = {}
    lines: dict[str, int] = {}
    for step in trace["steps"]:
        source: Mapping[str, Any] = step.get("source") or {}
        for read in step.get("operands", ()):
            for place, value in zip(read["places"], read["values"], strict=False):
                register, _, letter = place.partition(".")
                if not lines.get(register):
                    values.setdefault(register, {})[letter] = _number(value)
        for read in step.get("read", ()):
            if read.get("index") is None and not lines.get(read["register"]):
                values.setdefault(read["register"], {}).update(_by_letter(_LETTERS, read["values"]))
        for write in (*step.get("writes", ()), *step.get("wrote", ())):
            letters = write.get("components", write.get("mask", "")) or ""
            values.setdefault(write["register"], {}).update(_by_letter(letters, write["new"]["values"]))
            lines[write["register"]] = int(source.get("line", 0))
    return {
        register: Last(
            {letter: found[letter] for letter in sorted(found, key=(*_LETTERS, "").index)}, lines.get(register, 0), test
        )
        for register, found in values.items()
        if all(letter in (*_LETTERS, "") for letter in found)
    }


def _by_letter(letters: str, values: Sequence[Any]) -> dict[str, float]:
    if not letters:
        return {"": _number(values[0])} if values else {}
    if len(values) == len(letters):
        return {letter: _number(value) for letter, value in zip(letters, values, strict=True)}
    return {letter: _number(values[_LETTERS.index(letter)]) for letter in letters if _LETTERS.index(letter) < len(values)}


def _number(value: Any) -> float:
    return float(value) if value is not None else float("nan")


__all__ = ["Last", "ShaderTestsBeside", "last_values", "program_of", "service"]
