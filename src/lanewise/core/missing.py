"""Inputs and constants that a program reads and that have no value: errors, unless zeros are requested."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, UNIFORM, WARNING, About, Diagnostic
from lanewise.core.diagnostics import INPUT as INPUT_VALUE
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from lanewise.core.source import Span

MISSING = (INPUT, CONSTANT) = ("B004", "B005")
ZEROS = "or use `--default 0` (defaults=0) for zeros"


def zeros_requested(defaults: int | None) -> bool:
    """Whether `defaults` of a run asks for zeros in registers without a value. Raises ValueError unless it is 0 or None."""
    if defaults is not None and (isinstance(defaults, bool) or defaults != 0):
        from lanewise.core.argument_kinds import shown

        raise ValueError(f"defaults is {shown(defaults)}: use 0, or None to refuse missing data")
    return defaults is not None


def input_missing(what: str, key: str, lane: str, program: str, place: Span) -> Diagnostic:
    """B004. `what` names the input with its register, `key` is its name for `--input`; a row is for each `lane`."""
    fix = (
        f"give `--input {key}=...` (inputs={{'{key}': ...}}): a row of 1 to 4 numbers for each {lane}, or one for all; {ZEROS}"
    )
    return Diagnostic(
        code=INPUT,
        severity=ERROR,
        message=f"no data for input {what}: the {program} reads it",
        span=place,
        notes=(),
        fix=fix,
        about=(About(INPUT_VALUE, key, missing=True),),
    )


def constant_missing(
    what: str, key: str, value: str, place: Span, *, option: str = "--uniform", argument: str = "uniforms"
) -> Diagnostic:
    """B005. `what` names a constant with its registers and says what it is called.

    `option` and `argument` of a call give its `key` a `value` on the command line and in Python.
    """
    return Diagnostic(
        code=CONSTANT,
        severity=ERROR,
        message=f"no value for {what}",
        span=place,
        notes=(),
        fix=f"give `{option} {key}=...` ({argument}={{'{key}': ...}}): {value}; {ZEROS}",
        about=(About(UNIFORM, key, missing=True),),
    )


def in_other_argument(finding: Diagnostic, names: Collection[str], what: str, argument: str) -> Diagnostic:
    """A finding about an unknown name; of one that another argument has, with that as its fix."""
    name = finding.message.partition("'")[2].partition("'")[0]
    if finding.code != "B001" or name not in names:
        return finding
    return finding._replace(fix=f"{name} is {what}: give it with `--{argument[:-1]}` ({argument}={{'{name}': ...}})")


def extent_unknown(array: str, first: str, fix: str, place: Span) -> Diagnostic:
    """B018: a relative address leads into an `array` that may go on; `first` is a register without a value that it may
    reach."""
    message = f"the extent of the array at {array} is unknown: a read of a register without a value, such as {first}, gives 0"
    return Diagnostic(code="B018", severity=WARNING, message=message, span=place, notes=(), fix=f"{fix}; {ZEROS}")


def rows_text(count: int, value: str) -> str:
    """The form of a value of so many registers: `value`, or rows of it."""
    return f"{count} rows of {value}" if count > 1 else value


def components_text(file: str, places: Iterable[tuple[int, int]]) -> str:
    """`c0.w, c1.zw` of (register, component) pairs."""
    letters: dict[int, str] = {}
    for register, component in sorted(places):
        letters[register] = letters.get(register, "") + "xyzw"[component]
    return ", ".join([f"{file}{register}.{part}" for register, part in letters.items()])


def consecutive(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """The numbers as runs, (first, last) each."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] + 1 == number:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def register_range(file: str, first: int, last: int) -> str:
    """`c4` or `c4-c7`."""
    return f"{file}{first}" if first == last else f"{file}{first}-{file}{last}"
