"""`lanewise fmt`: format sources."""

from __future__ import annotations

import os
import stat
import sys

from lanewise.core.diagnostics import InputError, text_form, visible
from lanewise.core.package import CERTAIN
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FORCE, STDIO, TEXT, Option, SourceFile, UsageError
from lanewise.core.source import decode_text, encode_text
from lanewise.core.text.formatting import indent_named
from lanewise.packages import languages
from lanewise.tools.command import STDIN_NAME, match_of, parse, recognised, report_errors, stdin_name
from lanewise.tools.command_line import FORMAT, CommandLine
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    print_json,
    print_remark,
    print_text,
    read_bytes,
    scope_of,
    write_bytes,
)
from lanewise.tools.folders import units_of

if TYPE_CHECKING:
    from lanewise.core.text.formatting import Indent
    from lanewise.packages import Match
    from lanewise.tools.command import Parsed

LINE = CommandLine(
    name="fmt",
    about="Format sources: blocks indented, comments in columns. A formatted source assembles to the same bytes, which is "
    "checked.",
    options=(
        Option(names=("--check",), kind=FLAG, help="change nothing; exit with 1 if a file would change"),
        Option(names=("--diff",), kind=FLAG, help="change nothing; show what would change"),
        Option(
            names=("--indent",),
            kind=TEXT,
            help="blanks for each block (default: 4), or tab, which also keeps columns made by hand",
            metavar="tab|N",
        ),
        STDIN_NAME,
        FORCE,
        FORMAT,
    ),
    examples="""
  lanewise fmt shaders/                        every source in a folder
  lanewise fmt --indent tab light.v.pica       with tabs, and the columns as they are
  lanewise fmt - --stdin-filename a.v.pica     what an editor pipes""",
    file_help="sources; folders; lists of sources (.shlist); - is standard input, which goes to standard output",
    isa=False,
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if parsed.as_json and parsed.flag("diff"):
        raise UsageError("--diff is text: leave out --format json")
    if parsed.as_json and STDIO in parsed.files and not (parsed.flag("check") or parsed.flag("diff")):
        raise UsageError("--format json and the source both want standard output: use --check")
    _indent(parsed.text("indent", "4"))
    stdin = stdin_name(parsed)
    formatted = [suffix for _, language in languages() if language.format is not None for suffix in language.suffixes]
    units, remarks, unread = units_of(parsed.files, formatted, parsed.configuration, follow=parsed.flag("follow"), linked=False)
    names = list(dict.fromkeys([file for unit in units for file in unit.files]))
    rows: list[dict[str, object]] = []
    failed = list(unread)
    for name in names:
        try:
            rows.append({"file": stdin if stdin and name == STDIO else name, "changed": _file(name, parsed, stdin)})
        except InputError as error:
            failed += error.diagnostics
    for remark in [*remarks, *parsed.configuration.hidden()]:
        print_remark(remark)
    if failed:
        return report_errors(failed, parsed)
    if parsed.as_json:
        print_json("fmt", {"files": rows}, parsed.isa)
    elif len(names) == len(rows) == 1 and names[0] in parsed.files and not parsed.flag("check") and not parsed.flag("diff"):
        _redirected(names[0])
    return INPUT_HAS_ERRORS if parsed.flag("check") and any(row["changed"] for row in rows) else OK


def _redirected(name: str) -> None:
    """Say that the file itself is formatted where standard output is redirected to an empty file."""
    try:
        found = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):  # no standard output, or one without a file
        return
    if name != STDIO and stat.S_ISREG(found.st_mode) and not found.st_size:
        copy = f"lanewise fmt - --stdin-filename {name} < {name} > COPY"
        print_remark(f"nothing is written to standard output: for a formatted copy write `{copy}`")


def _indent(text: str) -> Indent:
    """Raises UsageError."""
    try:
        return indent_named(text)
    except ValueError as error:
        raise UsageError(f"--indent: {error}") from None


def _file(name: str, parsed: Parsed, stdin: str) -> bool:
    """Format one file, or show what would change. Whether something does. Raises UsageError, InputFailure, InputError."""
    data = read_bytes(name)
    text = decode_text(data)
    path = stdin if stdin and name == STDIO else name
    shown = "<stdin>" if path == STDIO else path
    source = SourceFile(shown, data, path)
    match = match_of(parsed, source) if parsed.language else recognised(parsed, source)
    if match is not None and not parsed.language:
        parsed.used.append(match.package.name)
    if match is None or _certainty(match, data, text) < CERTAIN:
        from lanewise.core.foreign import foreign_kind, foreign_source

        kind = foreign_kind(path, data) if match is None or match.language is None else foreign_source(text)
        if kind is not None:
            raise UsageError(f"{shown} is {kind.title}, which `lanewise fmt` does not format; {kind.fix}")
    if match is None:
        known = ", ".join([language.name for _, language in languages() if language.format is not None])
        raise UsageError(f"unknown language of {shown}: no known suffix or content; use --dialect {known}")
    if match.language is None:
        raise UsageError(f"{shown} is {match.title}, not a source: `lanewise fmt` formats sources")
    if match.language.format is None:
        raise UsageError(f"{shown} is {match.title}: `lanewise fmt` does not format {match.language.title}")
    unreadable = text_form(shown, text)
    if unreadable:
        raise InputError(unreadable)
    indent = _indent(parsed.text("indent") or parsed.configuration.of(path).indent or "4")
    formatted = match.language.format(shown, text, scope_of([path], parsed.values).included, indent)
    changed = formatted != text
    check, diff = parsed.flag("check"), parsed.flag("diff")
    if diff:
        from difflib import unified_diff

        # A last line without a line end gets one, as in a source that is formatted.
        before, after = ([line + "\n" for line in source.splitlines()] for source in (text, formatted))
        lines = unified_diff(before, after, visible(shown, ""), visible(f"{shown} (formatted)", ""))
        print_text("".join(lines))
    if not check and not diff and (name == STDIO or changed):
        write_bytes(name, encode_text(formatted, data), force=parsed.flag("force"), in_place=True)
    if changed and not parsed.as_json and not diff and name != STDIO:
        print_remark(f"{'would format' if check else 'formatted'} {name}")
    return changed


def _certainty(match: Match, data: bytes, text: str) -> int:
    """How certainly a file is of the kind that it was recognised as."""
    if match.language is not None:
        return match.language.recognises(text)
    return match.container.recognises(data) if match.container is not None else CERTAIN
