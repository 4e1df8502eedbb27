"""`lanewise diff`: whether two programs are equal for all inputs."""

from __future__ import annotations

from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN
from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import COMPILER_OPTIONS, FLAG, FOLLOW, STDIO, Answer, Option, UsageError
from lanewise.packages import difference
from lanewise.tools.command import (
    STDIN_NAME,
    one_match,
    parse,
    refuse_foreign,
    report_errors,
    request_for,
    show,
    sources_of,
    stdin_name,
)
from lanewise.tools.command_line import FORMAT, TIMEOUT, CommandLine
from lanewise.tools.console import OLD_EXIT_CODES, WRONG_USAGE
from lanewise.tools.folders import expanded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.package import Loaded
    from lanewise.core.service import Request
    from lanewise.packages import Match
    from lanewise.tools.command import Parsed

LINE = CommandLine(
    name="diff",
    about="Say whether two programs are equal for all inputs: with a proof, or with values for which they differ.",
    options=(
        Option(
            names=(OLD_EXIT_CODES,),
            kind=FLAG,
            help="exit with 1 for anything but equal programs, with 2 for wrong usage only, as before; for one release",
        ),
        STDIN_NAME,
        TIMEOUT._replace(help="end after so many seconds, with an error, exit code 2 and no output"),
        FORMAT,
    ),
    examples="",
    file_help="two files, sources or binaries; FILE:NAME is one program of a file; - is standard input",
    codes="0 equal, 1 they differ, 2 wrong usage or an input that cannot be used, 3 unknown",
)

_OLD = OLD_EXIT_CODES.lstrip("-")
_EXIT_CODES = {EQUAL: 0, DIFFERS: 1, UNKNOWN: 3}


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if len(parsed.files) != 2:
        raise UsageError(f"name two FILEs to compare, found {len(parsed.files)}; see lanewise diff --help")
    if list(parsed.files).count(STDIO) > 1:
        raise UsageError("standard input is one program: name a file for the other")
    try:
        name, follow = stdin_name(parsed), parsed.flag(FOLLOW.key)
        linked = [sources_of(expanded((file,), parsed.configuration, follow=follow), name) for file in parsed.files]
        matches = [one_match(parsed, sources) for sources in linked]
        refuse_foreign(parsed, [match.package for match in matches])
        first, second = (
            match.with_member(request_for(_for(parsed, match, matches), sources, match.package))
            for sources, match in zip(linked, matches, strict=True)
        )
        programs = _read(matches[0], first), _read(matches[1], second)
        comparison = difference(programs, (first, second))
    except InputError as error:
        failed = report_errors(error.diagnostics, parsed)
        return failed if parsed.flag(_OLD) else WRONG_USAGE
    failed = show(Answer(data=comparison.to_json(), page=comparison.page(), failed=comparison.verdict != EQUAL), parsed)
    return failed if parsed.flag(_OLD) else _EXIT_CODES[comparison.verdict]


def _read(match: Match, request: Request) -> Loaded:
    """The program of a FILE: of several sources where it is a list, or in a unit of the configuration. Raises InputError."""
    return match.package.load(request) if len(request.sources) > 1 else match.read(request)


def _for(parsed: Parsed, match: Match, matches: Sequence[Match]) -> Parsed:
    """The command line for one of the files: options of sources that are compiled are for the other one where only that is
    one, or where that is a source of another instruction set and this a binary."""
    binary = match.language is None
    elsewhere = any(
        each.compiled or (binary and each.language is not None and each.package is not match.package) for each in matches
    )
    if match.compiled or not elsewhere:
        return parsed
    return parsed._replace(values={key: value for key, value in parsed.values.items() if key not in COMPILER_OPTIONS})
