"""`lanewise.core.view`: the options of `lanewise run` that say what is shown, read and checked once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from lanewise.core.service import Request, UsageError
from lanewise.core.view import View, view_of

if TYPE_CHECKING:
    from lanewise.core.service import Value


def view(**values: Value) -> View:
    return view_of(Request("run", (), {key.replace("_", "-"): value for key, value in values.items()}))


def test_results():
    assert view() == View(
        output="", as_json=False, registers=False, bits=False, everything=False, lane=None, trace_format="", component=""
    )
    assert view(output="a.npz", registers=True, bits=True, all=True) == View(
        output="a.npz", as_json=False, registers=True, bits=True, everything=True, lane=None, trace_format="", component=""
    )
    assert view(format="json").as_json


@pytest.mark.parametrize(
    ("values", "style"),
    [
        ({}, "text"),
        ({"format": "json"}, "json"),
        ({"output": "a.json"}, "json"),
        ({"output": "a.VCD"}, "vcd"),
        ({"output": "a.json", "trace_format": "table"}, "table"),
        ({"output": "a.txt", "format": "json"}, "json"),
    ],
)
def test_style_of_a_trace(values: dict[str, Value], style: str):
    read = view(trace=3, **values)
    assert (read.lane, read.style, read.output) == (3, style, values.get("output", "-"))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"explain": "o0.x"}, "--explain and --trace-format go with --trace N"),
        ({"trace_format": "table"}, "--explain and --trace-format go with --trace N"),
        ({"trace": -1}, "counted from 0"),
        ({"trace": 0, "explain": "o0.x", "trace_format": "vcd"}, "--explain is text or json"),
        ({"trace": 0, "output": "a.npz"}, "-o a.npz: --trace writes text"),
        ({"trace": 0, "engine": "llvm"}, "--engine and --threads cannot be used with --trace"),
        ({"trace": 0, "threads": 2}, "--engine and --threads cannot be used with --trace"),
        ({"output": "-", "format": "json"}, "both want standard output"),
        ({"output": "a.b/c.XML"}, "not as .XML; without -o the table"),
        ({"output": "a.vcd"}, "a waveform needs --trace N"),
        ({"output": "a.wat"}, "without -o the table goes to standard output"),
    ],
)
def test_options_that_do_not_go_together(values: dict[str, Value], message: str):
    with pytest.raises(UsageError) as error:
        view(**values)
    assert message in str(error.value)


def test_what_computes_and_shows_does_not_take_the_request():
    """A request is read into a view and a plan; an option that is read further down would be in two places."""
    source = REPOSITORY / "src" / "lanewise"
    services = [source / "pica200" / "api" / "services" / name for name in ("primitives.py", "primitive_report.py")]
    below = [source / "core" / "trace.py", source / "arrays" / "report.py", *services, *(source / "drawing").glob("*.py")]
    assert [path.name for path in below if re.search(r"\bRequest\b", path.read_text("utf-8"))] == []
