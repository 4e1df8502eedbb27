"""`lanewise time`: show the cycles and stalls of a program on a device."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FORCE, Option, UsageError
from lanewise.packages import package_of
from lanewise.tools.command import lacks, match_of, parse, report_errors, show, sources_of
from lanewise.tools.command_line import FORMAT, ONE, TIMEOUT, CommandLine
from lanewise.tools.compiled import load_for, target_option

if TYPE_CHECKING:
    from lanewise.tools.command import Parsed

_TIMING = "timing model"
_COUNTS = "`lanewise check --stats` counts its instructions"
_COMPILED = "--target shadercore times what `lanewise compile` makes of it"

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


def _without_timing(parsed: Parsed) -> UsageError:
    """The error about a program without a timing model, with what else there is for it."""
    from lanewise.api.pairing import pair_of

    package, (source, *_) = package_of(parsed.used[-1]), sources_of(parsed.files)
    try:
        pair_of(source, match_of(parsed, source), "shadercore")
        instead = f"{_COUNTS}; {_COMPILED}"
    except (UsageError, InputError):
        instead = f"{_COUNTS}; the same shader in GLSL or HLSL is timed by --target shadercore"
    return UsageError(f"{lacks(package, _TIMING)}: {instead}")


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    if parsed.values.pop("json", False):
        parsed.values["format"] = "json"
    try:
        given = dict(parsed.values)  # from which `load_for` takes the target
        plain = parsed._replace(values={key: value for key, value in given.items() if not parsed.owners.get(key)})
        try:
            loaded, request = load_for(parsed)
        except UsageError:  # about an option: leaving it out would not help where there is no timing
            if "target" not in plain.values and plain.values != given and load_for(plain)[0].time is None:
                raise _without_timing(plain) from None
            raise
        if loaded.time is None:
            raise _without_timing(parsed)
        return show(loaded.time(request), parsed)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
