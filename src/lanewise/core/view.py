"""The views of a run or a trace, and their places: `View`, read once from a request.

Options of a command line that show something are read and checked here; what computes, prints or writes results takes the
`View`.
"""

from __future__ import annotations

from lanewise.core.extras import require_numpy
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import STDIO, UsageError
from lanewise.core.suffixes import KNOWN_SUFFIXES, suffix_of

if TYPE_CHECKING:
    from lanewise.core.service import Request

FORMATS = ("text", "table", "json", "vcd")
_SUFFIXES = {".json", ".vcd", ".txt"}  # of traces
_INSTEAD = {  # of a suffix: what writes such a file
    ".vcd": "a waveform needs --trace N and an instruction set with cycles",
    **dict.fromkeys((".svg", ".png"), "--draw {output} draws a picture"),
    **dict.fromkeys((".shbin", ".scb", ".scbin", ".vso", ".pso"), "`lanewise asm {source} -o {output}` assembles"),
    ".h": "`lanewise asm {source} -H {output}` writes the header of a program",
    **dict.fromkeys((".pica", ".vsh", ".gsh", ".sc", ".vsa", ".psa"), "`lanewise dis {source} -o {output}` writes source"),
}


class View(Record):
    """The contents of an answer, and where it goes."""

    output: str
    """The path of `-o`. Without it a trace has `-`, and results, whose table goes to standard output, have an empty text."""
    as_json: bool
    """Whether the answer is for a program to read."""
    registers: bool
    """Whether all registers at the end are shown too."""
    bits: bool
    """Whether patterns are shown instead of numbers."""
    everything: bool
    """Whether all rows are shown, not only the first ones."""
    lane: int | None
    """The vertex, lane or run that is traced; None for results."""
    trace_format: str
    """The format of the trace that was asked for, one of `FORMATS`; empty for the one that the file's suffix says."""
    component: str
    """The component of which the trace shows where it came from; empty for the whole trace."""

    @property
    def style(self) -> str:
        """The format of the trace: as asked for, or by the suffix of the file."""
        suffix = self.output.lower().rpartition(".")[2]
        by_suffix = suffix if suffix in ("json", "vcd") else ""
        return self.trace_format or by_suffix or ("json" if self.as_json else "text")


def view_of(request: Request) -> View:
    """The view of a request. Raises UsageError for options that do not go together and outputs that are not written,
    InputError where a library for the output is missing."""
    lane, component = request.whole("trace"), request.text("explain")
    view = View(
        output=request.text("output", STDIO if lane is not None else ""),
        as_json=request.as_json,
        registers=request.flag("registers"),
        bits=request.flag("bits"),
        everything=request.flag("all"),
        lane=lane,
        trace_format=request.text("trace-format"),
        component=component,
    )
    if lane is not None:
        if request.has("explain") and not component:
            raise UsageError("--explain with --trace takes a component, such as --explain position.x")
        _check_trace(view, lane, explained=request.has("explain"))
        if request.text("engine", "auto") != "auto" or request.integer("threads", 1) != 1:  # the reference engine traces
            raise UsageError("--engine and --threads cannot be used with --trace")
    elif request.has("explain") or view.trace_format:
        raise UsageError("--explain and --trace-format go with --trace N, the number of a vertex: add --trace 0 for the first")
    else:
        _check_results(view, request.sources[0].path if request.sources else "FILE")
    return view


def _check_trace(view: View, lane: int, *, explained: bool) -> None:
    if lane < 0:
        raise UsageError("--trace takes the number of a vertex, lane or run, counted from 0")
    if explained and view.trace_format in ("table", "vcd"):
        raise UsageError("--explain is text or json")
    if suffix_of(view.output) in KNOWN_SUFFIXES - _SUFFIXES:
        raise UsageError(f"-o {view.output}: --trace writes text (.txt), JSON or a waveform (.vcd)")


def _check_results(view: View, source: str) -> None:
    output = view.output
    if view.as_json and output == STDIO:
        raise UsageError("--format json and -o - both want standard output: name a file")
    suffix = suffix_of(output)
    if suffix not in ("", ".npz"):
        named = output[-len(suffix) :]
        instead = _INSTEAD.get(suffix, "without -o the table goes to standard output").format(output=output, source=source)
        forms = "outputs are written as .npz or .json, meshes as .obj, .ply or .csv"
        raise UsageError(f"-o {output}: {forms}, not as {named}; {instead}")
    if output:
        require_numpy(f"-o {output}")
