"""`lanewise graph`: the flow of a shader as text, Graphviz, SVG or JSON."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.api.loading import assemble_texts, load_bytes
from lanewise.core.diagnostics import InputError
from lanewise.core.source import decode_text
from lanewise.graph.dot import as_dot
from lanewise.graph.flow import BudgetExceeded
from lanewise.graph.json import as_json
from lanewise.graph.svg import as_svg
from lanewise.graph.text import as_text
from lanewise.pica200.api.picture import flow_picture
from lanewise.pica200.ir.graph import MOST_STATES
from lanewise.pica200.isa.table import BOOLEAN, register_name
from lanewise.pica200.text.dialects import DIALECTS
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    InputFailure,
    UsageError,
    make_parser,
    print_findings,
    read_bytes,
    write_bytes,
)
from lanewise.tools.profiles import add_profile, profile_of
from lanewise.tools.shadercore_files import refuse_shadercore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.api.loading import ShaderFile
    from lanewise.graph.picture import Picture
    from lanewise.pica200.api.shader import Shader

FORMATS = ("text", "dot", "svg", "json")

SUFFIXES = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".json": "json", ".txt": "text", "": "text"}

_EPILOG = """examples:
  lanewise graph light.v.pica                          every block: its words, what it asks, what comes next
  lanewise graph light.v.pica -o light.svg             a picture, for a browser
  lanewise graph ball.shbin --program 1 -o ball.dot    for Graphviz
  lanewise graph toon.v.pica --boolean glossy=false    without what that rules out
  lanewise graph light.shbin --format json

Exit codes: 0 fine, 1 the input has errors or the graph is too large, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser(
        "lanewise graph", "Show every way that a shader can go: its blocks and what leads from one to the next.", _EPILOG
    )
    made.add_argument("file", metavar="FILE", help="a source or an SHBIN; - is standard input")
    made.add_argument(
        "--program", metavar="NAME|N", help="which shader of the file (default: the only one, or the only vertex shader)"
    )
    made.add_argument("-o", "--output", default=STDIO, metavar="OUT", help="the file to write (default: standard output)")
    made.add_argument("--dialect", choices=sorted(DIALECTS), help="the file is a source in this language (default: by suffix)")
    made.add_argument("--format", choices=FORMATS, help="default: by the suffix of OUT, otherwise text")
    made.add_argument(
        "--boolean",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a boolean uniform that is known: b0=true, glossy=false",
    )
    made.add_argument(
        "--limit",
        type=int,
        default=MOST_STATES,
        metavar="N",
        help="give up at more than N states of address and rings (default: %(default)s)",
    )
    add_profile(made)
    return made


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    if options.limit < 1:
        raise UsageError("--limit is at least 1")
    profile = profile_of(options)
    style: str = options.format or format_of(options.output)
    name = "<stdin>" if options.file == STDIO else options.file
    try:
        data = read_bytes(options.file)
        if not options.dialect:
            refuse_shadercore(options.file, data, "graph")
        file = (
            assemble_texts([(name, decode_text(data))], dialect=options.dialect) if options.dialect else load_bytes(data, name)
        )
        shader = choose(file, options.program)
    except InputError as error:
        print_findings(error.diagnostics)
        return INPUT_HAS_ERRORS
    known = booleans(options.boolean, shader)
    title = Path(shader.name).name
    picture = flow_picture(shader, booleans=known, limit=options.limit, profile=profile, title=title)
    if isinstance(picture, BudgetExceeded):
        raise InputFailure(f"{picture.reason}: --boolean NAME=VALUE rules branches out, --limit N allows more")
    write_bytes(options.output, drawn(picture, style).encode())
    return OK


def format_of(output: str) -> str:
    """The format that a file's suffix asks for. Raises UsageError."""
    suffix = Path(output).suffix.lower()
    if suffix not in SUFFIXES:
        known = " ".join(name for name in SUFFIXES if name)
        raise UsageError(f"no format goes with {suffix}: name a file with one of {known}, or say --format")
    return SUFFIXES[suffix]


def choose(file: ShaderFile, program: str | None) -> Shader:
    """The shader that is asked for. Raises InputError."""
    if program is not None:
        return file.shader(program)
    return file.programs[0] if len(file.programs) == 1 else file.vertex


def booleans(given: Sequence[str], shader: Shader) -> dict[int, bool]:
    """The known boolean uniforms by number, from NAME=VALUE. Raises UsageError."""
    numbers = {register_name(BOOLEAN + number): number for number in range(16)}
    for uniform in shader.interface.uniforms:
        for offset in range(uniform.size if uniform.first >= BOOLEAN else 0):
            numbers[f"{uniform.name}[{offset}]"] = uniform.first + offset - BOOLEAN
            if uniform.size == 1:
                numbers[uniform.name] = uniform.first - BOOLEAN
    known: dict[int, bool] = {}
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        truth = {"true": True, "1": True, "false": False, "0": False}.get(value.lower())
        if truth is None:
            raise UsageError(f"--boolean takes NAME=true or NAME=false, got '{text}'")
        if name not in numbers:
            raise UsageError(f"--boolean {name}: {shader.name} has no such boolean uniform, and b0-b15 are the registers")
        if known.setdefault(numbers[name], truth) is not truth:
            raise UsageError(f"--boolean {name} is given twice, as true and as false")
    return known


def drawn(picture: Picture, style: str) -> str:
    """The graph in one of `FORMATS`. Raises InputFailure."""
    if style == "svg":
        text = as_svg(picture)
        if isinstance(text, BudgetExceeded):
            raise InputFailure(f"{text.reason}: --boolean NAME=VALUE rules branches out, --format text has no limit")
        return text
    return {"text": as_text, "dot": as_dot, "json": as_json}[style](picture)
