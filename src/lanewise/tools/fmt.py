"""`lanewise fmt`: format sources."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import InputError, line_ends, visible
from lanewise.core.service import FLAG, FORCE, STDIO, Option, SourceFile, UsageError
from lanewise.core.source import decode_text
from lanewise.packages import languages, recognise
from lanewise.tools.command import FORMAT, CommandLine, match_of, parse, report_errors
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, print_json, print_remark, read_bytes, read_included, write_bytes

if TYPE_CHECKING:
    from lanewise.tools.command import Parsed

LINE = CommandLine(
    "fmt",
    "Format sources: blocks indented, comments in columns. A formatted source assembles to the same bytes, which is checked.",
    (
        Option(("--check",), FLAG, "change nothing; exit with 1 if a file would change"),
        Option(("--diff",), FLAG, "change nothing; show what would change"),
        FORCE,
        FORMAT,
    ),
    "",
    file_help="sources; - is standard input, which goes to standard output",
    isa=False,
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if parsed.as_json and parsed.flag("diff"):
        raise UsageError("--diff is text: leave out --format json")
    if parsed.as_json and STDIO in parsed.files and not (parsed.flag("check") or parsed.flag("diff")):
        raise UsageError("--format json and the source both want standard output: use --check")
    try:
        rows = [{"file": name, "changed": _file(name, parsed)} for name in parsed.files]
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    if parsed.as_json:
        print_json("fmt", {"files": rows}, parsed.isa)
    return INPUT_HAS_ERRORS if parsed.flag("check") and any(row["changed"] for row in rows) else OK


def _file(name: str, parsed: Parsed) -> bool:
    """Format one file, or show what would change. Whether something does. Raises UsageError, InputFailure, InputError."""
    data = read_bytes(name)
    text = decode_text(data)
    shown = "<stdin>" if name == STDIO else name
    match = match_of(parsed, SourceFile(shown, data, name)) if parsed.language else recognise(name, data)
    if match is not None and not parsed.language:
        parsed.used.append(match.package.name)
    if match is None:
        known = ", ".join([language.name for _, language in languages() if language.format is not None])
        raise UsageError(f"unknown language of {shown}: no known suffix or content; use --dialect {known}")
    if match.language is None:
        raise UsageError(f"{shown} is {match.title}, not a source: `lanewise fmt` formats sources")
    if match.language.format is None:
        raise UsageError(f"{shown} is {match.title}: `lanewise fmt` does not format {match.language.title}")
    if line_ends(shown, text):
        raise InputError(line_ends(shown, text))
    formatted = match.language.format(shown, text, read_included)
    changed = formatted != text
    check, diff = parsed.flag("check"), parsed.flag("diff")
    if diff:
        # A last line without a line end gets one, as in a source that is formatted.
        before, after = ([line + "\n" for line in source.splitlines()] for source in (text, formatted))
        lines = unified_diff(before, after, visible(shown, ""), visible(f"{shown} (formatted)", ""))
        write_bytes(STDIO, "".join(lines).encode("utf-8", "surrogateescape"))
    if not check and not diff and (name == STDIO or changed):
        write_bytes(name, _encoded(formatted, data), force=parsed.flag("force"), in_place=True)
    if changed and not parsed.as_json and not diff and name != STDIO:
        print_remark(f"{'would format' if check else 'formatted'} {name}")
    return changed


def _encoded(text: str, like: bytes) -> bytes:
    """Bytes in the encoding that the file had: UTF-8, with its mark if there was one, or else Latin-1."""
    try:
        like.decode("utf-8")
    except UnicodeDecodeError:
        return text.encode("latin-1")
    return text.encode("utf-8-sig" if like.startswith(b"\xef\xbb\xbf") else "utf-8")
