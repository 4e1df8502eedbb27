"""`lanewise-picasso`: a drop-in replacement for picasso with its bytes.

Options and exit codes are those of picasso 2.7.1 (conformance rule 46), but an unknown option is an error with exit code 1.
"""

from __future__ import annotations

import sys

from lanewise.core.service import UsageError
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.text.picasso.dialect import PICASSO
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    fail,
    guarded,
    print_findings,
    read_text,
    refuse_overwriting,
    write_files,
)
from lanewise.tools.options import OptionError, split_options

HELP = """Usage: lanewise-picasso [options] files...
Options:
  -o, --out=<file>        Specifies the name of the SHBIN file to generate
  -h, --header=<file>     Specifies the name of the header file to generate
  -n, --no-nop            Disables the automatic insertion of padding NOPs
  -v, --version           Displays version information

Takes what picasso takes and writes the same bytes. `lanewise asm` is stricter and reports more."""

_FLAGS = {
    "-o": "output=",
    "--out": "output=",
    "-h": "header=",
    "--header": "header=",
    "-n": "no_nop",
    "--no-nop": "no_nop",
    "-v": "version",
    "--version": "version",
    "--help": "help",
}


def main(argv: list[str] | None = None) -> int:
    """Run the drop-in; the exit code: 0 fine, 1 for every error."""
    code = guarded("lanewise-picasso", run, sys.argv[1:] if argv is None else argv)
    return min(code, INPUT_HAS_ERRORS)


def run(argv: list[str]) -> int:
    try:
        options, files = split_options(argv, _FLAGS)
    except OptionError as error:
        print(HELP, file=sys.stderr)
        raise UsageError(str(error)) from None
    if "version" in options:
        from lanewise import __version__

        print(f"lanewise-picasso {__version__} (gives the bytes of picasso 2.7.1)")
        return OK
    if "help" in options:
        print(HELP)
        return OK
    output = options.get("output", "")
    if not output or not files:
        print(HELP, file=sys.stderr)
        named = f": write -o {files[-1]}" if len(files) > 1 and files[-1].lower().endswith(".shbin") else ""
        message = f"no output file is specified{named}" if files else "no input files"
        return fail(message, INPUT_HAS_ERRORS, "lanewise-picasso")
    padding = "no_nop" not in options
    refuse_overwriting(files, [output, options.get("header", "")])
    result = assemble_sources(
        [(name, read_text(name)) for name in files], compatible=True, padding=padding, dialect=PICASSO.name
    )
    print_findings(result.diagnostics, "compiler")
    if result.data is None:
        return INPUT_HAS_ERRORS
    written = [(output, result.data)]
    if options.get("header"):
        from lanewise.pica200.text.picasso.header import c_header

        written.append((options["header"], c_header(result.module).encode()))
    write_files(written)
    return OK
