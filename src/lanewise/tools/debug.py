"""`lanewise debug`: a program in a debugger that goes both ways, on a screen or by a script."""

from __future__ import annotations

import json
import os
import sys

from lanewise.core.diagnostics import InputError, visible
from lanewise.core.extras import extra
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, INTEGER, TEXT, TEXTS, Answer, InputFailure, Option, UsageError
from lanewise.core.shadertests import SUFFIX
from lanewise.packages import package_of
from lanewise.tools.command import lacks, load, parse, report_errors, show
from lanewise.tools.command_line import FORMAT, CommandLine
from lanewise.tools.console import DiskFiles, print_remark, read_text, scope_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.debugger.commands import Done
    from lanewise.debugger.session import Session
    from lanewise.tools.command import Parsed

LINE = CommandLine(
    name="debug",
    about="Step through a program in both directions: breakpoints, data breakpoints, faults, where values came from.",
    options=(
        Option(names=("-i", "--input"), kind=TEXTS, help="data for an input, by name or register", metavar="NAME=VALUE"),
        Option(
            names=("-u", "--uniform", "-c", "--const"),
            kind=TEXTS,
            help="data for a uniform or constant, by name or register",
            metavar="NAME=VALUE",
        ),
        Option(
            names=("--data",),
            kind=TEXT,
            help="inputs, uniforms and all other values of a JSON or TOML file (lanewise/data/1); options go before it",
            metavar="FILE",
        ),
        Option(
            names=("--count",),
            kind=INTEGER,
            help="number of vertices or lanes (default: as many as the inputs have)",
            metavar="N",
        ),
        Option(
            names=("--default",),
            kind=TEXT,
            help="0: inputs and constants without data are zeros (default: they are an error)",
            metavar="",
            choices=("0",),
        ),
        Option(
            names=("--vertices",),
            kind=TEXT,
            help="the vertices, lanes or runs to debug: 0,17,20-23 (default: the first that fails, and one of each path)",
            metavar="LIST",
        ),
        Option(
            names=("--test",),
            kind=TEXT,
            help="with a shader test file: the test to debug (default: the first that fails)",
            metavar="NAME",
        ),
        Option(
            names=("--headless",),
            kind=TEXT,
            help="do the commands of a file, one a line, and print what they answer; - is standard input",
            metavar="SCRIPT",
        ),
        Option(
            names=("--values",),
            kind=FLAG,
            help="print the values of the first thread as a data file, for --data; with --default 0 one to fill in",
        ),
        FORMAT,
    ),
    examples="""
  lanewise debug light.v.pica --data frame.json                      on a screen: F1 or ? shows the keys
  lanewise debug light.v.pica --data frame.json --headless script    without one""",
    files="*",
    file_help="a file of any instruction set, or a *.shadertest.toml file, whose failing test starts at the instruction that "
    "wrote the first wrong component",
)
INSTALL = f"the screen of lanewise debug needs textual: {extra('editor')}, or use --headless SCRIPT"


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if parsed.as_json and "headless" not in parsed.values:
        raise UsageError("--format json goes with --headless SCRIPT")
    script = parsed.text("headless")
    if script and " " in script and not os.path.lexists(script):
        raise UsageError(f"--headless {script}: a file of commands is named, one a line: write `{script}` to one")
    try:
        session = session_of(parsed)
        if "headless" in parsed.values:
            return show(_headless(session, parsed), parsed)
        if parsed.flag("values"):
            return show(_values(session), parsed)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    for remark in session.launch.remarks:
        print_remark(f"lanewise debug: {remark}")
    return _screen(session)


def session_of(parsed: Parsed) -> Session:
    """The session of a command line. Raises UsageError, InputFailure, InputError."""
    from lanewise.debugger.launching import Launch
    from lanewise.debugger.session import Session
    from lanewise.debugger.shadertests import session_of_test
    from lanewise.tools.shadertest import read

    if any(path.endswith(SUFFIX) for path in parsed.files):
        own: list[str] = [
            key for key in parsed.values if key not in ("test", "headless", "values", "format", "config", "no-config", "follow")
        ]
        if own or len(parsed.files) > 1:
            raise UsageError(
                "a shader test has its own program and values: leave out "
                f"{', '.join([f'--{key}' for key in own]) or 'the other files'}"
            )
        scope = scope_of(parsed.files, parsed.values)
        session = session_of_test(next(iter(parsed.files)), parsed.text("test"), DiskFiles(scope), scope.included, read)
        parsed.used.append(session.debuggee.isa)
        return session
    if parsed.text("test"):
        raise UsageError("--test goes with a *.shadertest.toml file")
    loaded, request = load(parsed)
    if loaded.debug is None:
        raise lacks(package_of(loaded.isa), "debugger")
    return Session(Launch(loaded, request, _numbers(parsed.text("vertices"))))


def _numbers(text: str) -> list[int]:
    """`0,17,20-23`. Raises UsageError."""
    found: list[int] = []
    for part in filter(None, text.replace(" ", "").split(",")):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or int(last or first) - int(first) not in range(64):
            raise UsageError(f"--vertices {text}: expected numbers such as 0,17,20-23, 64 at most")
        found += range(int(first), int(last or first) + 1)
    return found


def _headless(session: Session, parsed: Parsed) -> Answer:
    """Run the commands of a script and print their answers; the input has errors if one of them fails. Raises InputFailure."""
    from lanewise.debugger.commands import Commands

    path = parsed.text("headless")
    script = read_text(path, "--headless", "script") if path else ""
    commands = Commands(session)
    first = _first(session)
    done: list[Done] = []
    for line in script.split("\n"):
        answer = commands.do(line)
        if answer.command.strip():
            done.append(answer)
        if commands.quitting:
            break
    failed = [each.error for each in done if each.error is not None]
    threads = ", ".join(thread.name for thread in session.threads)
    lines = [
        f"{visible(session.debuggee.name, '')}: {', '.join(filter(None, (threads, session.debuggee.variant)))}",
        *first,
    ]
    lines += [line for each in done for line in (f"> {each.command}", *each.lines)]
    data: dict[str, object] = {
        "program": session.debuggee.name,
        "variant": session.debuggee.variant,
        "threads": [{"number": thread.number, "name": thread.name} for thread in session.threads],
        "commands": [_command(each) for each in done],
    }
    findings = tuple(session.debuggee.diagnostics)
    return Answer(
        data=data,
        text="\n".join(lines) + "\n",
        first=findings,
        last=tuple(failed) if parsed.as_json else (),
        remarks=tuple(session.launch.remarks),
        failed=bool(failed),
    )


def _values(session: Session) -> Answer:
    """The values of a run as a data file. Raises UsageError for a run of a geometry shader, which has those of its vertices."""
    from lanewise.core.data import SCHEMA
    from lanewise.debugger.given import given_values

    if session.debuggee.one == "run":
        raise UsageError("the values of a geometry shader are those of its vertices: leave it out, or use --data")
    parts = [f'  "schema": "{SCHEMA}"']
    for table, values in given_values(session).items():
        rows = [f"    {json.dumps(name)}: {json.dumps(value, allow_nan=False)}" for name, value in values.items()]
        parts.append(f'  "{table}": {{' + "".join([f"\n{row}," for row in rows])[:-1] + ("\n  }" if rows else "}"))
    return Answer(text="{\n" + ",\n".join(parts) + "\n}\n")


def _first(session: Session) -> Sequence[str]:
    """Where a session begins."""
    from lanewise.debugger.commands import Commands

    stop = session.stop(session.selected)
    return [Commands(session).place(), *([f"  {stop.text}"] if stop.hits else [])]


def _command(done: Done) -> dict[str, object]:
    stop = done.stop
    return {
        "command": done.command,
        "lines": list(done.lines),
        "stop": None
        if stop is None
        else {
            "reason": stop.reason,
            "thread": stop.thread,
            "step": stop.step,
            "hits": [{"what": hit.what, "text": hit.text} for hit in stop.hits],
        },
    }


def _screen(session: Session) -> int:
    """The session on a screen. Raises UsageError without a terminal, InputFailure without textual."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the screen needs a terminal: use --headless SCRIPT, with - for standard input")
    try:
        from lanewise.tools.debug_screen import Screen
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "textual":
            raise
        raise InputFailure(INSTALL) from None
    return Screen(session).show()
