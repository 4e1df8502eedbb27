"""`lanewise dis`: a binary back to source that assembles to the same bytes."""

from __future__ import annotations

import os

from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FORCE, STDIO, TEXT, InputFailure, Option, UsageError
from lanewise.packages import languages, package_of
from lanewise.tools.command import lacks, load, parse, report_errors, show
from lanewise.tools.command_line import FORMAT, CommandLine
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    document,
    json_bytes,
    print_findings,
    print_remark,
    print_text,
    reason,
    refuse_overwriting,
    write_bytes,
    write_files,
)

if TYPE_CHECKING:
    from lanewise.core.service import Answer, Disassembly
    from lanewise.tools.command import Parsed


def line() -> CommandLine:
    names = tuple([language.name for _, language in languages()])
    return CommandLine(
        name="dis",
        about="Disassemble a binary into source that assembles to the same bytes.",
        options=(
            Option(
                names=("-o", "--output"),
                kind=TEXT,
                help="a file for one source, a folder for several (default: standard output)",
                metavar="OUT",
            ),
            Option(
                names=("--dialect",),
                kind=TEXT,
                help="the language to write (default: the first of the instruction set)",
                metavar="",
                choices=names,
            ),
            Option(names=("--listing",), kind=FLAG, help="print address, machine word and text of each instruction instead"),
            FORCE,
            FORMAT,
        ),
        examples="",
        forms={".json": "format=json", ".txt": ""},
        files="?",
        file_help="a binary; - is standard input",
        dialect=False,
    )


def main(argv: list[str]) -> int:
    parsed = parse(line(), argv)
    if parsed.flag("listing") and parsed.as_json:
        raise UsageError("--listing is text: for JSON use `lanewise inspect --listing --format json`")
    try:
        loaded, request = load(parsed)
        if loaded.disassemble is None:
            raise lacks(package_of(loaded.isa), "disassembler")
        answer = loaded.disassemble(request)
        if parsed.flag("listing") and answer.sources is not None:
            raise lacks(package_of(loaded.isa), "listing")
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    if answer.sources is None:
        return show(answer, parsed)
    return show_sources(answer, answer.sources, parsed)


def show_sources(answer: Answer, sources: Disassembly, parsed: Parsed) -> int:
    """Print or write the sources of an answer, or its data as JSON; the exit code."""
    output = parsed.text("output", STDIO)
    refuse_overwriting(parsed.files, [output])
    findings = (*answer.first, *sources.findings)
    if parsed.as_json:
        shown = document(parsed.line.name, answer.data, parsed.isa, findings)
        write_bytes(output, json_bytes(shown), force=parsed.flag("force"))
        return INPUT_HAS_ERRORS if answer.failed else OK
    print_findings(findings)
    for remark in (*answer.remarks, *[f"left out: {lost}" for lost in sources.lost]):
        print_remark(f"lanewise {parsed.line.name}: {remark}")
    write_sources(sources, output, f"lanewise {parsed.line.name}", force=parsed.flag("force"))
    return INPUT_HAS_ERRORS if answer.failed else OK


def write_sources(result: Disassembly, output: str, command: str, *, force: bool) -> None:
    """One source to a file or standard output, several into a folder (to standard output one after the other)."""
    several = len(result.sources) > 1
    if output == STDIO:
        parts = [
            f"{result.comment} ---- {source.name} ----\n{source.text}" if several else source.text for source in result.sources
        ]
        write_bytes(STDIO, "\n".join(parts).encode())
        if result.arguments and not several:
            print_remark(f"{command}: to get the same bytes, assemble with {' '.join(result.arguments)}")
        if several:
            names = ", ".join(source.name for source in result.sources)
            print_remark(f"{command}: {len(result.sources)} sources ({names}): -o FOLDER writes them")
        return
    if not result.sources:
        raise InputFailure(f"{output} is not written: there is no program in the file")
    if not several and not output.endswith(("/", os.sep)) and not os.path.isdir(output):
        write_bytes(output, result.sources[0].text.encode(), force=force)
        return
    try:
        os.makedirs(output, exist_ok=True)
    except OSError as error:
        raise InputFailure(f"cannot create the folder {output}: {reason(error)}") from None
    files = [(os.path.join(output, source.name), source.text.encode()) for source in result.sources]
    write_files(files, force=force)
    print_text("".join([f"{path}\n" for path, _ in files]))
