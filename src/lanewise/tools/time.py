"""`lanewise time`: show the cycles and stalls of a program on a device."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.service import FLAG, FORCE, Option
from lanewise.packages import package_of
from lanewise.tools.command import lacks, parse, report_errors, show
from lanewise.tools.command_line import FORMAT, ONE, TIMEOUT, CommandLine
from lanewise.tools.compiled import load_for, target_option

LINE = CommandLine(
    name="time",
    about="Show when each instruction issues and what it waits for.",
    options=(
        target_option("shadercore"),
        Option(names=("--json",), kind=FLAG, help="the same as --format json"),
        FORCE,
        TIMEOUT,
        FORMAT,
    ),
    examples="",
    files=ONE,
    file_help="a ShaderCore source or program, with --target a shader that is compiled; - is standard input",
    dialect=False,
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if parsed.values.pop("json", False):
        parsed.values["format"] = "json"
    try:
        loaded, request = load_for(parsed)
        if loaded.time is None:
            raise lacks(
                package_of(loaded.isa), "timing model; --target shadercore times what `lanewise compile` makes of a shader"
            )
        return show(loaded.time(request), parsed)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
