"""`lanewise lsp`: the language server for editors."""

from __future__ import annotations

import gc
import logging
import os
import sys
from importlib.util import find_spec

from lanewise.core.extras import extra
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, INTEGER, STDIO, Option, UsageError
from lanewise.tools.command import parse
from lanewise.tools.command_line import CommandLine
from lanewise.tools.configuration import Configuration, chosen_codes
from lanewise.tools.console import OK, fail, print_remark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lanewise.lsp.documents import Rules
    from lanewise.lsp.server import Host

LINE = CommandLine(
    name="lsp",
    about="Run the language server, which an editor starts: findings while you write, hover, completion, rename, and more.",
    options=(
        Option(
            names=("--stdio",), kind=FLAG, help="talk on standard input and output, which is the default: some editors say so"
        ),
        Option(
            names=("--tcp",),
            kind=INTEGER,
            help="wait for one editor on this port of this machine, to debug the server; 0 takes a free one",
            metavar="PORT",
        ),
        Option(names=("--verbose",), kind=FLAG, help="log every message to standard error"),
    ),
    examples="""
  lanewise lsp                 what an editor is told to run; docs/editors.md has the lines for each
  lanewise lsp --tcp 9257      one editor connects to 127.0.0.1:9257""",
    files="",
    isa=False,
    dialect=False,
)
INSTALL = f"lanewise lsp needs the package pygls: {extra('editor')}"


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if find_spec("pygls") is None:
        raise UsageError(INSTALL)
    from lanewise import __version__
    from lanewise.lsp.features import wire
    from lanewise.lsp.server import NoSentences, Server
    from lanewise.tools.loopback import one_client

    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(NoSentences())
    logging.basicConfig(level=logging.INFO if parsed.flag("verbose") else logging.ERROR, handlers=[handler], force=True)
    gc.set_threshold(
        50_000, 20, 20
    )  # an analysis makes many objects that stay until the next one: fewer collections while it runs
    server = Server(host(), __version__)
    wire(server)
    port = parsed.values.get("tcp")
    if isinstance(port, int) and "tcp" in parsed.values:
        if not 0 <= port < 1 << 16:
            raise UsageError(f"--tcp is {port}: expected a port, 0 to 65535")
        with one_client(port, _announce) as (source, target):
            server.start_io(source, target)  # pyright: ignore[reportUnknownMemberType]: pygls leaves some open
        return OK
    if sys.stdin.isatty():
        return fail("this is the language server: editors start it and talk to it; docs/editors.md says how", 2, "lanewise lsp")
    out = sys.stdout.buffer
    sys.stdout = sys.stderr  # what is printed by mistake must not go between the messages
    server.start_io(None, out)  # pyright: ignore[reportUnknownMemberType]: pygls leaves some open
    return OK


def _announce(port: int) -> None:
    print_remark(f"lanewise lsp: waiting on 127.0.0.1:{port}")


def host() -> Host:
    """The configuration of this machine, for the server."""
    from lanewise.lsp.documents import Rules
    from lanewise.lsp.server import Host

    class Machine(Host):
        def __init__(self) -> None:
            self.forget()

        def forget(self) -> None:
            self._configuration = Configuration()

        def rules(self, path: str) -> Rules:
            settings = self._configuration.of(path or STDIO)
            reported = chosen_codes(settings, path, (), ())
            units = settings.units_with(path) if path else ()
            return Rules(
                reported=reported,
                dialect=settings.dialect,
                indent=settings.indent,
                options=settings.options,
                unit=units[0].files if units else (),
            )

        def sources(self, folder: str) -> Iterable[str]:
            return sources(folder, self._configuration)

    return Machine()


def sources(folder: str, configuration: Configuration) -> list[str]:
    """The sources in a folder; none of one that cannot be read."""
    from lanewise.core.service import InputFailure
    from lanewise.packages import languages
    from lanewise.tools.folders import units_of

    suffixes = [suffix for _, language in languages() for suffix in language.suffixes]
    try:
        units = units_of([folder], suffixes, configuration, linked=False).units if os.path.isdir(folder) else ()
    except (InputFailure, UsageError):
        return []
    return list(dict.fromkeys([file for unit in units for file in unit.files]))


__all__ = ["INSTALL", "LINE", "host", "main", "sources"]
