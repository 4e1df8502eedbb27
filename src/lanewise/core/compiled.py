"""A compiled program with its costs: `CompilerResult`, `CompileReport`, `LineCost`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.document import Block
    from lanewise.core.package import Program


class Costs(dict[str, int]):
    """Numbers by name; the error of a name that there is not lists those that there are."""

    def __missing__(self, name: object) -> int:
        timed = "cycles are those of target='shadercore', " if name in ("cycles", "time", "latency") else ""
        raise KeyError(f"there is no cost {name!r}: {timed}here there are {', '.join(self)}")


class LineCost(Record):
    """The cost of a line of a source, or of an instruction of a binary."""

    file: str
    "Name of the file; empty for words that belong to no line."
    line: int
    "Number of the line; 0 without one."
    source: str
    "Text of the line."
    costs: Mapping[str, int]
    "Numbers by name: words, descriptors, temporaries and constants, or slots, cycles and live."


class CompileReport(Record):
    """The cost of a compiled program, in all and by line of its source, as `lanewise compile --report` prints it."""

    target: str
    "Name of the instruction set, with the device that it was compiled for, if there are several."
    totals: Mapping[str, int]
    "Numbers of the whole program, by the names of `costs` of its lines. Lines share things, and add up to more."
    lines: tuple[LineCost, ...]
    "Lines in the order of the source."
    premises: tuple[str, ...]
    "Sentences on what the program was compiled for."
    page: tuple[Block, ...]
    "The same as text, in blocks."

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            totals = self.totals
            instead = f"`totals['{name}']`" if name in totals else "`totals`" if name in ("total", "costs", "cycles") else ""
            raise AttributeError(f"a report has no attribute '{name}'{instead and ': use '}{instead}", name=name, obj=self)

        def __getitem__(self, key):
            if isinstance(key, str):
                raise TypeError(f"a report has its numbers in `totals`: use `totals[{key!r}]`")
            return tuple.__getitem__(self, key)

    def text(self) -> str:
        """The report as `lanewise compile --report` prints it."""
        from lanewise.core.document import as_text

        return as_text(self.page)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<CompileReport for {self.target}: {', '.join([f'{value} {key}' for key, value in self.totals.items()])}>"

    def to_json(self) -> dict[str, object]:
        """The numbers as plain values that `json.dumps` takes."""
        return {
            "target": self.target,
            "totals": dict(self.totals),
            "lines": [{"file": line.file, "line": line.line, "source": line.source, **line.costs} for line in self.lines],
            "premises": list(self.premises),
        }

    def _repr_html_(self) -> str:
        """The lines as a table, for notebooks."""
        from lanewise.core import html

        rows = [(line.line or "", *line.costs.values(), line.source) for line in self.lines]
        return html.title(repr(self)[1:-1]) + html.table(["line", *self.totals, "source"], rows)


class CompilerResult(Record):
    """The result of a compiler for Python, `Answer.result` of a target."""

    program: Program
    "The program, with the names of its source."
    report: Callable[[], CompileReport]
    "Its costs."
    files: Callable[[str], Sequence[tuple[str, bytes]]]
    "The files that `lanewise compile -o PATH` writes, from a path. Raises UsageError."
    run: Callable[..., object]
    "Run the program: `run` of its shader, on the device that it was compiled for."
    diagnostics: tuple[Diagnostic, ...] = ()
    "What there was to say."


__all__ = ["CompileReport", "CompilerResult", "Costs", "LineCost"]
