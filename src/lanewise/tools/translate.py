"""`lanewise translate`: a program as source code of another language."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.service import FORCE, TEXT, Option
from lanewise.packages import package_of
from lanewise.tools.command import lacks, load, parse, report_errors, show
from lanewise.tools.command_line import FORMAT, TIMEOUT, CommandLine

LINE = CommandLine(
    name="translate",
    about="Translate a program to C, C++, GLSL or WGSL: structured, with the names of the file, and with the exact arithmetic "
    "of the hardware.",
    options=(
        Option(
            names=("--to",),
            kind=TEXT,
            help="the language (default: by the suffix of OUT)",
            metavar="",
            choices=("c", "cpp", "glsl", "wgsl"),
        ),
        Option(names=("-o", "--output"), kind=TEXT, help="the file to write (default: standard output)", metavar="OUT"),
        FORCE,
        TIMEOUT,
        FORMAT,
    ),
    examples="",
    files="*",
    file_help="a binary, or sources, which are linked; FILE:NAME is one shader of a file; - is standard input",
    forms={
        ".c": "to=c",
        ".h": "to=c",
        ".cpp": "to=cpp",
        ".cc": "to=cpp",
        ".cxx": "to=cpp",
        ".hpp": "to=cpp",
        ".hh": "to=cpp",
        ".glsl": "to=glsl",
        ".vert": "to=glsl",
        ".wgsl": "to=wgsl",
        ".txt": "",
    },
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    try:
        loaded, request = load(parsed)
        package = package_of(loaded.isa)
        if package.translate is None:
            raise lacks(package, "translation to other languages")
        answer = package.translate(loaded, request)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    return show(answer, parsed)
