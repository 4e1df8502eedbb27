"""`lanewise dap`: the debug adapter, which editors start."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core import writing
from lanewise.core.diagnostics import InputError
from lanewise.core.origins import COMMAND_LINE, placed
from lanewise.core.service import UsageError
from lanewise.tools.console import OK, WRONG_USAGE, InputFailure, make_parser, print_remark, reason
from lanewise.tools.loopback import one_client

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from typing import BinaryIO

    from lanewise.core.shadertests import Beside
    from lanewise.dap.launch import Launch
    from lanewise.debugger.session import Session

_EPILOG = """An editor starts it and talks to it on standard input and output, by the Debug Adapter Protocol. \
docs/debugging.md has the settings of
VS Code, Neovim and Helix, the keys of a launch configuration, and what the adapter has beyond the protocol. `lanewise debug` \
is the same
debugger in a terminal.

examples:
  lanewise dap
  lanewise dap --tcp 4711                      for one client that connects, from this machine only
  lanewise dap --log session.log               keep a record of all messages"""


def parser() -> argparse.ArgumentParser:
    parser = make_parser("lanewise dap", "Debug programs in an editor: the debug adapter.", _EPILOG)
    parser.add_argument(
        "--tcp", metavar="PORT", type=int, help="wait for one client on a port of this machine; 0 takes a free one"
    )
    parser.add_argument("--log", metavar="FILE", help="write all messages to a file")
    return parser


def main(argv: list[str]) -> int:
    given = parser().parse_args(argv)
    if given.tcp is not None and not 0 <= given.tcp <= 65535:
        raise UsageError(f"--tcp is {given.tcp}: expected a port, 0 to 65535")
    if given.tcp is None and sys.stdin.isatty():
        print_remark("lanewise dap: this is for editors; `lanewise debug FILE` is the debugger in a terminal")
        return WRONG_USAGE
    with _log(given.log) as log:
        if given.tcp is not None:
            with one_client(given.tcp, _announce) as (source, target):
                _serve(source, target, log)
            return OK
        target = sys.stdout.buffer
        sys.stdout = sys.stderr  # what a library prints must not be between the messages
        # Python ends with an abort if a thread waits in the buffer of sys.stdin then; the end does not touch this one.
        _serve(os.fdopen(sys.stdin.fileno(), "rb", closefd=False), target, log)
    return OK


def _serve(source: BinaryIO, target: BinaryIO, log: BinaryIO | None) -> None:
    from lanewise.dap.adapter import Adapter
    from lanewise.dap.server import serve

    serve(source, target, lambda send, waiting: Adapter(send, waiting, open_session), log)


def _announce(port: int) -> None:
    print_remark(f"lanewise dap: waiting on 127.0.0.1:{port}")


def _log(path: str | None) -> AbstractContextManager[BinaryIO | None]:
    if path is None:
        return nullcontext()
    try:
        return writing.open_log(path)
    except OSError as error:
        raise InputFailure(f"cannot write {path}: {reason(error)}") from None


def open_session(launch: Launch) -> Session:
    """The session of a launch configuration; without values on those of the first shader test beside the program. Raises
    InputError, InputFailure, UsageError."""
    from lanewise.tools.command import parse
    from lanewise.tools.debug import LINE, session_of

    if launch.cwd:
        os.chdir(launch.cwd)
    beside = None if launch.has_values else _test_of(launch.files)
    if beside is None:
        parsed = parse(LINE, launch.command_line)
        try:
            return session_of(parsed)
        except InputError as error:  # those about values of the configuration keep their place
            found = zip(error.diagnostics, placed(error.diagnostics, parsed.origins), strict=True)
            raise InputError([before if after.span.file == COMMAND_LINE else after for before, after in found]) from None
    file, name = str(beside.file), beside.test.name
    session = session_of(parse(LINE, [file, f"--test={name}"]))
    session.launch.remarks.insert(0, f"the launch configuration has no values: those of the test '{name}' of {file} are used")
    return session


def _test_of(files: Sequence[str]) -> Beside | None:
    """The first shader test beside the first program, of exactly these programs if there is one; None without one."""
    from lanewise.api.testing import tests_beside

    found = tests_beside(Path(files[0]))
    wanted = [Path(path).resolve() for path in files]
    same = [each for each in found if [path.resolve() for path in each.test.programs] == wanted]
    return next(iter(same or found), None)
