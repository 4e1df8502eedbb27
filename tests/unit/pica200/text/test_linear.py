"""The work of assembling grows as the source does: calls of functions are counted, because times depend on the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lanewise.pica200.api.assembling import assemble_sources
from work import calls

if TYPE_CHECKING:
    from collections.abc import Callable

PICASSO = ".out pos position\n{head}\n.proc main\n{body}\nmov pos, r0\nend\n.end\n{tail}"
NIHSTRO = ".alias pos o0 as position\n{head}\nmain:\n{body}\nmov pos, r0\nend\n{tail}"

# By language and part of a source: what is repeated. Those after the limits of the hardware are refused for their length.
PARTS: dict[str, tuple[str, str, Callable[[int], str]]] = {
    "picasso comments": (PICASSO, "body", lambda i: f"; comment {i}"),
    "picasso aliases": (PICASSO, "head", lambda i: f".alias n{i} c{i % 90}"),
    "picasso aliases between instructions": (PICASSO, "body", lambda i: f".alias n{i} c{i % 90}\nadd r0, n{i}, r{i % 16}"),
    "picasso constants": (PICASSO, "head", lambda i: f".constf k{i}({i}.0, 0.0, 0.0, 0.0)"),
    "picasso presets": (PICASSO, "head", lambda i: f".setf c{i % 90}({i}.0, 0.0, 0.0, 0.0)"),
    "picasso uniforms": (PICASSO, "head", lambda i: f".fvec u{i}"),
    "picasso instructions": (PICASSO, "body", lambda i: f"add r{i % 16}, c{i % 90}, r{i % 7}"),
    "picasso labels": (PICASSO, "body", lambda i: f"l{i}: nop"),
    "picasso jumps": (PICASSO, "body", lambda i: f"l{i}: jmpc cmp.x, l{i}"),
    "picasso procedures": (PICASSO, "tail", lambda i: f".proc p{i}\nnop\n.end"),
    "picasso blocks": (PICASSO, "body", lambda i: "ifu b0\nnop\n.end"),
    "picasso unknown names": (PICASSO, "body", lambda i: f"add r0, k{i}, r2"),
    "nihstro comments": (NIHSTRO, "body", lambda i: f"// comment {i}"),
    "nihstro aliases": (NIHSTRO, "head", lambda i: f".alias n{i} c{i % 90}"),
    "nihstro constants": (NIHSTRO, "head", lambda i: f".alias k{i} c{i % 96} as ({i}.0, 0.0, 0.0, 0.0)"),
    "nihstro instructions": (NIHSTRO, "body", lambda i: f"add r{i % 16}.x, c{i % 90}.x, r{i % 7}.x"),
    "nihstro indices": (NIHSTRO, "body", lambda i: f"add r{i % 16}.x, c{i % 9}[a0].x, r{i % 7}.x"),
    "nihstro labels": (NIHSTRO, "body", lambda i: f"l{i}:\nnop"),
    "nihstro jumps": (NIHSTRO, "body", lambda i: f"l{i}:\njmp l{i} if cc.x"),
    "nihstro unknown names": (NIHSTRO, "body", lambda i: f"add r0.x, k{i}.x, r2.x"),
}


def assembling(text: str, dialect: str) -> int:
    """The calls that assembling a text takes."""
    return calls(lambda: assemble_sources([("text", text)], dialect=dialect))


def source(form: str, part: str, row: Callable[[int], str], count: int) -> str:
    return form.format(**{"head": "", "body": "", "tail": "", part: "\n".join([row(i) for i in range(count)])})


@pytest.mark.parametrize("name", PARTS)
def test_twice_the_lines_are_twice_the_work(name: str):
    """Past the 96 constants and, in the end, the 512 words that the hardware has: the source is read to its end."""
    form, part, row = PARTS[name]
    dialect = name.split(maxsplit=1)[0]
    # The first one imports what findings take.
    _, few, many = (assembling(source(form, part, row, count), dialect) for count in (20, 195, 390))
    assert many < 2.3 * few + 1000


@pytest.mark.parametrize(("name", "most"), [("picasso instructions", 58), ("nihstro instructions", 82)])
def test_a_line_takes_few_calls(name: str, most: int):
    """Instructions whose operands are known: bench/test_assembling.py shows what that is worth."""
    form, part, row = PARTS[name]
    dialect = name.split(maxsplit=1)[0]
    assembling(source(form, part, row, 200), dialect)  # imports, and what is computed once
    few, many = (assembling(source(form, part, row, count), dialect) for count in (200, 400))
    assert (many - few) / 200 < most
