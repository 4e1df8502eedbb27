"""Values and names that a command line has in several arguments: `--set FIELD 4`, `--only ADD MOV`, `My Shaders/lit.v.pica`."""

from __future__ import annotations

import os
from itertools import pairwise

from lanewise.core.missing import MISSING
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic

_OF_NUMBERS = frozenset("0123456789+-.eE,;")
_FORMS = {"junit": (".xml",), "sarif": (".sarif", ".json"), "text": (".txt", ".log"), "jsonl": (".jsonl", ".json")}
_LISTS = ("OPS", "NAMES", "CODES", "TYPES", "KINDS", "EXT,...")
_MOST, _PARTS = 100, 8  # arguments that are looked at, and in how many a name may be split


_SWITCHES = ("on", "off", "true", "false", "yes", "no", "1", "0")


def switched(argv: Sequence[str], flags: Collection[str]) -> str:
    """The message about a truth value after an option that has none, `--wireframe on`; empty without one."""
    for option, value in pairwise(argv):
        if option in flags and value.lower() in _SWITCHES and not os.path.lexists(value):
            off = value.lower() in ("off", "false", "no", "0")
            return f"{option} has no value: " + (f"leave out {option} {value}" if off else f"remove {value} after it")
    return ""


def joined(argv: Sequence[str], metavars: Mapping[str, str]) -> str:
    """The message about the first option whose value goes on in the next argument; empty without one.

    `metavars` are by the names of options: those with `=` are pairs, some are lists.
    """
    for place, argument in enumerate(argv):
        name, equals, first = argument.partition("=") if argument.startswith("--") else (argument, "", "")
        metavar = metavars.get(name, "")
        values: list[str] = [first] if equals else []
        for each in argv[place + 1 :]:
            if each.startswith("-") and not each[1:2].isdigit():
                break
            values.append(each)
        if len(values) < 2:
            continue
        if "=" in metavar and all(map(_is_pair, values)):
            written = " ".join([f"{name} {value}" for value in values])
            return f"{name} {' '.join(values)}: {name} takes one value: write {written}"
        if "=" in metavar and not _is_pair(values[0]):
            key, *rest = [each.strip() for each in values]
            value = next((each.strip("=") for each in rest if each.strip("=")), "")
            if value:
                return f"{name} {' '.join(values)}: write {name} {key.rstrip('=')}={value}"
        elif "=" in metavar and len(numbers := _numbers(values)) > 1:
            one = any("," in each for each in numbers)
            written = (";" if one else ",").join(each.strip(",;") for each in numbers)
            why = "a blank ends an argument" if one else "a blank ends an argument, and PowerShell makes blanks of commas"
            return f'{name} {" ".join(numbers)}: {why}: write {name} "{written}"'
        elif metavar in _LISTS and all(each.strip(",").replace("_", "").isalnum() for each in values):
            found = ",".join(each.strip(",") for each in values if each.strip(","))
            return f"{name} {' '.join(values)}: a list is one argument: write {name} {found}"
    return ""


def cut_off(argv: Sequence[str], findings: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """Findings about values that are missing; where the last argument is a value, a shell may have ended the command in it."""
    last, option = argv[-1] if len(argv) > 1 else "", argv[-2] if len(argv) > 1 else ""
    value = last.partition("=")[2]
    argv_names = {each.partition("=")[0] for each in argv}
    pair = option in ("-i", "-u") or option.endswith(("put", "uniform"))
    if (
        not findings
        or findings[0].code not in MISSING
        or not pair
        or not value
        or not set(value) <= _OF_NUMBERS
        or ";" in value
        or _before(last) in argv_names
        or any(note.startswith("the loop ") for note in findings[0].notes)
    ):
        return findings
    note = f"if a `;` came after {last}, a shell ended the command there: write the value in quotes"
    return [findings[0]._replace(notes=(*findings[0].notes, note)), *findings[1:]]


def _before(value: str) -> str:
    """The register before that of a value: `c2` for `c3=1,0,0,0`, whose rows were given one by one; empty for a name."""
    name = value.partition("=")[0]
    file = name.rstrip("0123456789")
    number = name.removeprefix(file)
    return f"{file}{int(number) - 1}" if number and file else "="


def command_words(name: str, argv: Sequence[str], metavars: Mapping[str, str]) -> str:
    """The message about a command that is the value of an option and goes on in the next arguments; empty for none. `name` is
    the argument that is not known."""
    for place, option in enumerate(argv[:-2]):
        if metavars.get(option) == "COMMAND" and name in argv[place + 2 :]:
            words: list[str] = []
            for each in argv[place + 1 :]:
                if each in metavars:
                    break
                words.append(each)
            own = len(words) == 3 and words[1] == name and len(name) == 2 and not os.path.lexists(words[2])
            if name in words and not words[1].startswith("--") and not own:
                return f'{option} is one argument: write {option} "{" ".join(words)}"'
    return ""


def places(text: str) -> str:
    """The number of places of each format that a relative difference is, a number below 1; empty for another text."""
    try:
        number = float(text)
    except ValueError:
        return ""
    if not 0 < number < 1:
        return ""
    few, many = (max(1, round(number * 2**bits)) for bits in (16, 23))
    return f"a relative difference of {text} is {many} places of float32, {few} of float24: --ulp {many} or --ulp {few}"


def _numbers(values: Sequence[str]) -> list[str]:
    """The first of the values, `NAME=NUMBERS`, and those after it that are numbers too."""
    found = [values[0]]
    for place, value in enumerate((values[0].partition("=")[2], *values[1:])):
        if not value or value[0] not in "+-.0123456789" or not set(value) <= _OF_NUMBERS:
            break
        found += [value] if place else []
    return found


def unquoted(argv: Sequence[str]) -> str:
    """The fix for the name of a file that a shell has split into several arguments; empty without one."""
    for first, argument in enumerate(argv[:_MOST]):
        begin = argument.partition("=")[2] if argument[:1] == "-" else argument
        for last in range(first + 1, min(len(argv), first + _PARTS)):
            name = " ".join([begin, *argv[first + 1 : last + 1]])
            if begin and os.path.lexists(name) and not os.path.lexists(begin):
                return f'; write "{name}" in quotes, as it has a space'
    return ""


def redirected(command: str, form: str, absent: Sequence[str]) -> str:
    """The message about a file that `--format` would write, which prints; empty where none of those that are absent is one."""
    name = next((name for name in absent if form and name.lower().endswith(_FORMS.get(form, (f".{form}",)))), "")
    return (
        f"{name} does not exist, and --format {form} prints: `lanewise {command} ... --format {form} > {name}`" if name else ""
    )


_PER_CYCLE = {"ns": 20, "us": 0.02, "µs": 0.02, "ms": 0.00002, "s": 0.00000002}  # at 50 MHz


def cycles(text: str, metavar: str) -> str:
    """The fix for a time, or a number with its unit, where cycles are wanted; empty for another text."""
    number = text.lower().rstrip("abcdefghijklmnopqrstuvwxyzµ ")
    unit = text.lower()[len(number) :].strip()
    if metavar != "CYCLES" or not number.replace(".", "", 1).isdigit() or not number.isascii():
        return ""
    if unit in ("cycle", "cycles", "clk", "clks", "clock", "clocks", "cyc", "c") and number.isdigit():
        return f", {number}"
    if unit not in _PER_CYCLE:
        return ""
    return f", the time times the clock: at 50 MHz {number} {unit} are {max(1, round(float(number) / _PER_CYCLE[unit]))}"


_UNITS = {"ms": 0.001, "s": 1.0, "sec": 1.0, "secs": 1.0, "seconds": 1.0, "m": 60.0, "min": 60.0, "mins": 60.0, "minutes": 60.0,
    "h": 3600.0, "hours": 3600.0, "hour": 3600.0}  # fmt: skip


def duration(text: str, name: str) -> str:
    """The fix for a time with its unit where seconds or minutes are wanted by an option; empty for another text."""
    number = text.lower().rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = _UNITS.get(text.lower()[len(number) :].strip(), 0.0)
    if name not in ("--timeout", "--startup", "--minutes", "--answer-timeout") or not unit:
        return ""
    try:
        seconds = float(number) * unit
    except ValueError:
        return ""
    return f", {name} {seconds / 60 if name == '--minutes' else seconds:g}"


def _is_pair(text: str) -> bool:
    key, equals, value = text.partition("=")
    return bool(key and equals and value)
