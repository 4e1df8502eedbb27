"""`lanewise man`: the manual page of lanewise or of a command, written from the rows that `--help` and the completions show."""

from __future__ import annotations

from importlib import import_module

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.tools import command_line, field_words
from lanewise.tools.cli import COMMANDS, EXIT_CODES, usage
from lanewise.tools.console import OK, make_parser, print_text, unknown

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

_EPILOG = """examples:
  lanewise man > lanewise.1
  lanewise man run > lanewise-run.1
  lanewise man run | man -l -                        show it"""


class ManualRow(Record):
    """An option of a command, or an argument of it."""

    names: tuple[str, ...]
    metavar: str
    help: str


class Manual(Record):
    """Help of a command."""

    name: str
    "Name after `lanewise`."
    summary: str
    "Line of `lanewise --help`."
    about: str
    "Sentences on its effect."
    synopsis: str
    "Usage, without the name of the program."
    groups: tuple[tuple[str, tuple[ManualRow, ...]], ...]
    "Arguments and options under their titles."
    epilog: str
    "Text after the options."


def parser() -> argparse.ArgumentParser:
    built = make_parser("lanewise man", "Write the manual page of lanewise, or of a command, for man(1).", _EPILOG)
    built.add_argument("command", metavar="COMMAND", nargs="?", help="a command (default: the page about all)")
    return built


def main(argv: list[str]) -> int:
    name = parser().parse_args(argv).command
    every = manuals()
    found = next((manual for manual in every if manual.name == name), None)
    if name is not None and found is None:
        names = [manual.name for manual in every]
        raise unknown("command", name, names, "see lanewise --help", meant=field_words.commands(name))
    print_text(page(every) if found is None else page_of(found))
    return OK


def parsers() -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Name, summary and parser of every command."""
    for command in COMMANDS:
        module = import_module(f"lanewise.tools.{command.module}")
        line: object = getattr(module, "LINE", None) or (module.line() if hasattr(module, "line") else None)
        yield (
            command.name,
            command.help,
            command_line.parser(line) if isinstance(line, command_line.CommandLine) else module.parser(),
        )


def manuals() -> list[Manual]:
    """The help of every command, in the order of `lanewise --help`."""
    return [_manual(name, summary, built) for name, summary, built in parsers()]


def _manual(name: str, summary: str, built: argparse.ArgumentParser) -> Manual:
    groups: list[tuple[str, tuple[ManualRow, ...]]] = []
    for group in built._action_groups:  # pyright: ignore[reportPrivateUsage]: there is no public list
        rows = tuple([_row(built, action) for action in group._group_actions])  # pyright: ignore[reportPrivateUsage]
        if rows:
            title = (group.title or "options").replace("positional arguments", "arguments")
            groups.append((title[:1].upper() + title[1:], rows))
    synopsis = " ".join(built.format_usage().removeprefix("usage: ").split()).removeprefix("lanewise ")
    return Manual(
        name=name,
        summary=summary,
        about=built.description or "",
        synopsis=synopsis,
        groups=tuple(groups),
        epilog=built.epilog or "",
    )


def _row(built: argparse.ArgumentParser, action: argparse.Action) -> ManualRow:
    if isinstance(action.metavar, str):
        metavar = action.metavar
    elif action.choices is not None:
        metavar = "{" + ",".join(map(str, action.choices)) + "}"
    else:
        metavar = action.dest.upper()
    summary = built._get_formatter()._expand_help(action) if action.help else ""  # pyright: ignore[reportPrivateUsage]
    if not action.option_strings:
        return ManualRow((metavar,), "", summary)
    return ManualRow(tuple(action.option_strings), "" if action.nargs == 0 else metavar, summary)


# Pages in roff, with the macros of man(7)


def page(every: Sequence[Manual]) -> str:
    """lanewise(1): all commands."""
    about = usage().partition("\n\n")[2].partition("\n\n")[0]
    lines = [
        *_head("LANEWISE"),
        ".SH NAME",
        "lanewise \\- assemble, check, run and debug programs of small GPU shader ISAs",
        ".SH SYNOPSIS",
    ]
    lines += [".B lanewise", "COMMAND ...", ".SH DESCRIPTION", _text(about), ".SH COMMANDS"]
    for manual in every:
        lines += [".TP", f".BR lanewise\\-{_text(manual.name)} (1)", _text(manual.summary)]
    examples = usage().partition("\nexamples:\n")[2].partition("\n\n")[0]
    lines += [".SH EXAMPLES", ".nf", *[_text(line.strip()) for line in examples.splitlines()], ".fi"]
    return "\n".join([*lines, ".SH EXIT STATUS", _text(EXIT_CODES), ""])


def page_of(manual: Manual) -> str:
    """lanewise-COMMAND(1)."""
    lines = [
        *_head(f"LANEWISE-{manual.name.upper()}"),
        ".SH NAME",
        f"lanewise\\-{_text(manual.name)} \\- {_text(manual.summary)}",
        ".SH SYNOPSIS",
    ]
    lines += [
        ".ad l",  # a set of choices may be as long as a line
        f".B lanewise {_text(manual.name)}",
        _text(manual.synopsis.removeprefix(manual.name).strip()),
        ".ad b",
        ".SH DESCRIPTION",
        _text(manual.about),
    ]
    for title, rows in manual.groups:
        lines.append(f".SH {_text(title.upper())}")
        for row in rows:
            names = ", ".join([f"\\fB{_text(name)}\\fR" for name in row.names])
            lines += [".TP", names + (f" \\fI{_text(row.metavar)}\\fR" if row.metavar else ""), _text(row.help)]
    if manual.epilog:
        notes, _, examples = manual.epilog.partition("examples:\n")
        for title, text in (("NOTES", notes), ("EXAMPLES", examples)):
            if text.strip():
                lines += [f".SH {title}", ".nf", *[_text(line.strip()) for line in text.strip().splitlines()], ".fi"]
    return "\n".join([*lines, ".SH SEE ALSO", ".BR lanewise (1)", ""])


def _head(title: str) -> list[str]:
    from lanewise import __version__

    return [f'.TH {title} 1 "" "lanewise {__version__}" "User Commands"']


def _text(text: str) -> str:
    """A text whose backslashes, hyphens and leading dots are not roff's."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join([f"\\&{line}" if line[:1] in (".", "'") else line for line in escaped.split("\n")])


__all__ = ["Manual", "ManualRow", "main", "manuals", "page", "page_of", "parsers"]
