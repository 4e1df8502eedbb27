"""`lanewise time`: show the cycles and stalls of a program on a device."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.service import FLAG, FORCE, Option
from lanewise.packages import package_of
from lanewise.tools.command import lacks, load, parse, report_errors, show
from lanewise.tools.command_line import FORMAT, ONE, TIMEOUT, CommandLine

LINE = CommandLine(
    name="time",
    about="Show when each instruction issues and what it waits for.",
    options=(Option(names=("--json",), kind=FLAG, help="the same as --format json"), FORCE, TIMEOUT, FORMAT),
    examples="",
    files=ONE,
    file_help="a ShaderCore source or program; - is standard input",
    dialect=False,
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if parsed.values.pop("json", False):
        parsed.values["format"] = "json"
    try:
        loaded, request = load(parsed)
        if loaded.time is None:
            compiling = "`lanewise compile` makes a ShaderCore program of a Direct3D 9 shader"
            raise lacks(package_of(loaded.isa), f"timing model; {compiling}")
        return show(loaded.time(request), parsed)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
