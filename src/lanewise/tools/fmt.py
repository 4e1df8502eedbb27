"""`lanewise fmt`: sources with their blocks indented and their comments in columns."""

from __future__ import annotations

import argparse
import json
import sys
from difflib import unified_diff

from lanewise.api.formatting import format_source
from lanewise.core.sniff import begins_with_version
from lanewise.core.source import decode_text
from lanewise.pica200.text.dialects import DIALECTS, dialect_of
from lanewise.shadercore.api.reading import named_shadercore
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    UsageError,
    add_format,
    make_parser,
    read_bytes,
    read_included,
    write_bytes,
)

_EPILOG = """examples:
  lanewise fmt light.v.pica light.vsh          format the files in place
  lanewise fmt --check *.pica                  say which would change, for CI
  lanewise fmt --diff light.vsh                show what would change
  lanewise fmt - --dialect nihstro < light.vsh

Comments, blank lines and the order of all lines stay; a formatted source assembles to the same bytes, which is checked.

Exit codes: 0 fine, 1 with --check if a file would change, or a file cannot be read, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser("lanewise fmt", "Format sources: blocks indented, blanks in their places, comments in columns.", _EPILOG)
    made.add_argument("files", nargs="+", metavar="FILE", help="sources; - is standard input, which goes to standard output")
    made.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a file would change")
    made.add_argument("--diff", action="store_true", help="change nothing; show what would change")
    made.add_argument("--dialect", choices=sorted(DIALECTS), help="the language of the sources (default: by suffix)")
    add_format(made)
    return made


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    names: list[str] = options.files
    for name in names:
        if not options.dialect and named_shadercore(name):
            raise UsageError(f"{name} is for ShaderCore, and `lanewise fmt` formats sources of the PICA200")
        if not options.dialect and not dialect_of(name):
            what = "of standard input" if name == STDIO else f"of {name} by its suffix"
            raise UsageError(f"cannot tell the language {what}: say --dialect {' or '.join(DIALECTS)}")
    dry = options.check or options.diff
    if options.format == "json" and options.diff:
        raise UsageError("--diff is text: leave out --format json")
    if options.format == "json" and STDIO in names and not dry:
        raise UsageError("--format json and the source both want standard output: say --check")
    rows: list[dict[str, object]] = []
    for name in names:
        changed = _file(name, options.dialect or "", check=options.check, diff=options.diff, quiet=options.format == "json")
        rows.append({"file": name, "changed": changed})
    if options.format == "json":
        print(json.dumps({"files": rows}, indent=2))
    return INPUT_HAS_ERRORS if options.check and any(row["changed"] for row in rows) else OK


def _file(name: str, dialect: str, *, check: bool, diff: bool, quiet: bool) -> bool:
    """Format one file, or say what would change. Whether something does. Raises InputFailure."""
    data = read_bytes(name)
    text = decode_text(data)
    shown = "<stdin>" if name == STDIO else name
    if not dialect and begins_with_version(text):
        raise UsageError(
            f"{shown} begins with a version, so it is for Direct3D 9, and `lanewise fmt` formats sources of the PICA200"
        )
    made = format_source(shown, text, dialect, read_included)
    changed = made != text
    if diff:
        # A last line without a line end gets one, as in a source that is formatted.
        before, after = ([line + "\n" for line in source.splitlines()] for source in (text, made))
        sys.stdout.writelines(unified_diff(before, after, shown, f"{shown} (formatted)"))
    if not check and not diff and (name == STDIO or changed):
        write_bytes(name, _encoded(made, data))
    if changed and not quiet and not diff and name != STDIO:
        print(f"{'would format' if check else 'formatted'} {name}", file=sys.stderr)
    return changed


def _encoded(text: str, like: bytes) -> bytes:
    """Bytes in the encoding that the file had: UTF-8, with its mark if there was one, or else Latin-1."""
    try:
        like.decode("utf-8")
    except UnicodeDecodeError:
        return text.encode("latin-1")
    return text.encode("utf-8-sig" if like.startswith(b"\xef\xbb\xbf") else "utf-8")
