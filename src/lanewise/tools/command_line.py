"""The command line of a command on any instruction set: `CommandLine`, the options that the packages add to it, and how it is
read.

Plain command lines are read here, all others by argparse, whose parser is made from the same rows.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import FLAG, FOLLOW, INTEGER, OPTIONAL, STDIO, TEXT, TEXTS, Option, UsageError, whole_number
from lanewise.packages import languages, packages
from lanewise.tools.console import make_parser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.compile.frontends import Frontend
    from lanewise.compile.targets import Target
    from lanewise.core.package import IsaPackage
    from lanewise.core.service import Value

    # What adds options to a command: an instruction set, or a front end or a target of the compilers.
    Owner = IsaPackage | Frontend | Target


FORMAT = Option(names=("--format",), kind=TEXT, help="output format (default: text)", metavar="", choices=("text", "json"))
CONFIG = (
    Option(
        names=("--config",),
        kind=TEXT,
        help="the configuration (default: the nearest lanewise.toml or pyproject.toml, upwards of FILE)",
        metavar="TOML",
    ),
    Option(names=("--no-config",), kind=FLAG, help="read no configuration"),
    FOLLOW,
)
ISA, DIALECT = "isa", "dialect"
ONE = "one"


TIMEOUT = Option(
    names=("--timeout",),
    kind=TEXT,
    help="end after so many seconds, with an error, exit code 1 and no output",
    metavar="SECONDS",
)


class CommandLine(Record):
    """The arguments of a command."""

    name: str
    "Name after `lanewise`."
    about: str
    "Sentence of the help."
    options: tuple[Option, ...]
    "Options of the command; those of instruction sets are in `Manual`."
    examples: str
    "Command lines at the end of the help."
    files: str = "+"
    "argparse count of its FILE arguments, or ONE."
    file_help: str = "a file of any instruction set; - is standard input"
    "Help of FILE."
    isa: bool = True
    "`--isa` can name the instruction set of the files."
    dialect: bool = True
    "`--dialect` can name the language of the files."
    codes: str = "0 fine, 1 the input has errors, 2 wrong usage"
    "Meaning of its exit codes."
    forms: Mapping[str, str] = {}
    "Suffixes of -o, as in `Manual`."

    @property
    def configured(self) -> bool:
        """Whether the command reads files whose kind a configuration may name."""
        return bool(self.files) and (self.isa or self.dialect)


def kinds(line: CommandLine) -> tuple[Option, ...]:
    """`--isa` and `--dialect` where a command has them, with what there is to choose from."""
    rows = (
        Option(
            names=("--isa",),
            kind=TEXT,
            help="the instruction set of FILE (default: recognised)",
            metavar="",
            choices=tuple([p.name for p in packages()]),
        ),
        Option(
            names=("--dialect",),
            kind=TEXT,
            help="the language of the sources (default: recognised)",
            metavar="",
            choices=tuple([lang.name for _, lang in languages()]),
        ),
    )
    return tuple([row for row, wanted in zip(rows, (line.isa, line.dialect), strict=True) if wanted])


class OptionRow(Record):
    """An option of a command. `owners` are the instruction sets that add it, none for one of the command; `checked`: other
    values than its choices are wrong."""

    option: Option
    owners: tuple[Owner, ...] = ()
    checked: bool = True


def command_rows(line: CommandLine, asked: Iterable[Owner] | None = None) -> dict[str, OptionRow]:
    """The options of a command by key, with those of all instruction sets or of the owners asked for."""
    manuals = [(package, package.manual(line.name)) for package in (packages() if asked is None else asked)]
    rows = {option.key: OptionRow(option) for option in (*line.options, *kinds(line), *(CONFIG if line.configured else ()))}
    theirs: dict[str, list[tuple[Owner, Option]]] = {}
    for package, manual in manuals:
        for option in manual.options:
            theirs.setdefault(option.key, []).append((package, option))
    for key, shared in theirs.items():
        for package, option in shared:
            before = rows.get(key)
            if before is None:
                rows[key] = OptionRow(_joined(shared), (package,), len(shared) == 1)
            elif before.option.kind != option.kind or not set(option.names) <= set(before.option.names):
                raise ValueError(
                    f"{line.name}: {option.names} is {option.kind} for {package.name}, elsewhere {before.option.names} is "
                    f"{before.option.kind}"
                )
            elif before.owners:
                rows[key] = before._replace(owners=(*before.owners, package))
    return rows


def parser(line: CommandLine, only: IsaPackage | None = None, owners: Sequence[Owner] | None = None) -> argparse.ArgumentParser:
    """The parser of a command, with the options of all instruction sets or of `owners`. With `only`, only those of that
    instruction set are shown."""
    asked: Sequence[Owner] = (only,) if only is not None else owners or packages()
    manuals = [(package, package.manual(line.name)) for package in asked]
    texts = dict.fromkeys([text.strip("\n") for text in (line.examples, *[manual.examples for _, manual in manuals]) if text])
    explained: dict[str, list[str]] = {}
    for package, manual in manuals:
        explained.setdefault(manual.values.strip("\n"), []).append(package.title)
    values = [f"{_listed(titles)}:\n{text}\n" for text, titles in explained.items() if text]
    epilog = "\n".join([*values, "examples:", *texts, "", f"Exit codes: {line.codes}."])
    built = make_parser(f"lanewise {line.name}", line.about, epilog)
    if line.files:
        built.add_argument("files", nargs=None if line.files == ONE else line.files, metavar="FILE", help=line.file_help)
    groups: dict[str, argparse._ArgumentGroup] = {}  # pyright: ignore[reportPrivateUsage]
    for row in command_rows(line, asked).values():
        if not row.owners:
            _add(built, row.option)
            continue
        title = f"{_listed([owner.title for owner in row.owners])} options"
        if title not in groups:
            groups[title] = built.add_argument_group(title)
        _add(groups[title], row.option, checked=row.checked)
    return built


HELP, HELP_ALL = ("-h", "--help"), "--help-all"


def asks_for_help(argv: Sequence[str]) -> bool:
    """Whether a command line asks for help in place of all else."""
    return bool({*HELP, HELP_ALL} & set(argv))


def help_text(line: CommandLine, argv: Sequence[str], owners: Sequence[Owner], *, chosen: bool) -> str:
    """The help of a command on one screen, with `--help-all` the whole one. `owners` are those whose options there are;
    `chosen`: a FILE or an option has named them."""
    if HELP_ALL in argv:
        return parser(line, owners=owners).format_help()
    from lanewise.tools.short_help import short_help

    files = {"": "", ONE: "FILE", "+": "FILE ...", "*": "[FILE ...]", "?": "[FILE]"}[line.files]
    own = (*line.options, *kinds(line), *(CONFIG if line.configured else ()))
    theirs = [(owner.title, owner.manual(line.name)) for owner in owners]
    return short_help((line.name, line.about, files), own, theirs, line.examples, line.codes, chosen=chosen)


def _joined(theirs: Sequence[tuple[Owner, Option]]) -> Option:
    """The option of several instruction sets: the choices of all, none if one takes any text, and what it means for each if
    that differs."""
    option = theirs[0][1]
    listed = all(other.choices for _, other in theirs)
    helps: dict[str, list[str]] = {}
    for package, other in theirs:
        helps.setdefault(other.help, []).append(package.title)
    return option._replace(
        choices=tuple(dict.fromkeys([choice for _, other in theirs for choice in other.choices])) if listed else (),
        help=option.help if len(helps) == 1 else "; ".join([f"{_listed(titles)}: {text}" for text, titles in helps.items()]),
    )


def _listed(titles: Sequence[str]) -> str:
    return " and ".join([", ".join(titles[:-1]), titles[-1]] if len(titles) > 1 else titles)


def _add(parser: argparse._ActionsContainer, option: Option, *, checked: bool = True) -> None:  # pyright: ignore[reportPrivateUsage]
    """Add an option; `checked`: argparse refuses other texts than its choices, otherwise its package does."""
    from argparse import SUPPRESS

    choices = list(option.choices) if option.choices and checked else None
    metavar = option.metavar or (f"{{{','.join(option.choices)}}}" if option.choices else None)
    help_text = option.help.replace("%", "%%")
    if option.kind == FLAG:
        parser.add_argument(*option.names, dest=option.key, action="store_true", default=SUPPRESS, help=help_text)
    elif option.kind == TEXTS:
        parser.add_argument(
            *option.names, dest=option.key, action="append", default=SUPPRESS, metavar=metavar, choices=choices, help=help_text
        )
    elif option.kind == OPTIONAL:
        parser.add_argument(
            *option.names, dest=option.key, nargs="?", const="", default=SUPPRESS, metavar=metavar, help=help_text
        )
    else:
        kind = int if option.kind == INTEGER else str
        parser.add_argument(
            *option.names, dest=option.key, type=kind, default=SUPPRESS, metavar=metavar, choices=choices, help=help_text
        )


def _without_values(line: CommandLine, argv: Sequence[str]) -> list[str]:
    """A command line whose options that may have a value, and are followed by a FILE, are written as `--option=`."""
    patterns = {name: option.value for option in line.options if option.value for name in option.names}
    found = [*argv]
    for place, following in enumerate(argv[1:]):
        name = argv[place]
        if name in patterns and not following.startswith("-"):
            import re

            if not re.fullmatch(patterns[name], following):
                found[place] = f"{name}="
    return found


class Read(Record):
    """A command line that was read: the values of options by key, and its FILEs."""

    values: dict[str, Value]
    files: tuple[str, ...]


def read_plain(line: CommandLine, rows: Iterable[OptionRow], argv: Sequence[str]) -> Read | None:
    """Read a plain command line as argparse does; None for any other, which is for argparse.

    A plain one has whole names of options, and no value that begins with `-`. To import argparse and to build its parser takes
    as long as many a command does.
    """
    named = {name: row for row in rows for name in row.option.names}
    values: dict[str, Value] = {}
    files: list[str] = []
    waiting = [*reversed(argv)]
    while waiting:
        argument = waiting.pop()
        if argument == STDIO or not argument.startswith("-"):
            files.append(argument)
            continue
        name, equals, value = argument.partition("=")
        row = named.get(name)
        if row is None or row.option.kind == OPTIONAL or (equals and (row.option.kind == FLAG or not value or name[1] != "-")):
            return None
        key, kind, choices = row.option.key, row.option.kind, row.option.choices if row.checked else ()
        if kind == FLAG:
            values[key] = True
            continue
        if not equals:
            value = waiting.pop() if waiting else "--"
            if value.startswith("-") and value != STDIO:
                return None
        number = whole_number(value) if kind == INTEGER else None
        if (choices and value not in choices) or (kind == INTEGER and number is None):
            return None
        before = values.get(key, ())
        if kind == TEXTS:
            values[key] = (*before, value) if isinstance(before, tuple) else (value,)
        else:
            values[key] = value if number is None else number
    possible = {"": len(files) == 0, ONE: len(files) == 1, "?": len(files) < 2, "+": len(files) > 0, "*": True}
    return Read(values, tuple(files)) if possible[line.files] else None


def read_any(line: CommandLine, argv: Sequence[str], owners: Sequence[Owner] | None = None) -> Read:
    """Read a command line by argparse. Raises UsageError."""
    # argparse takes "-:NAME", a program of standard input, for an option, but nothing with a blank.
    given = [f" {each}" if each.startswith("-:") else each for each in _without_values(line, argv)]
    built = parser(line, owners=owners)
    read, more = built.parse_known_intermixed_args(given)
    if more and not any(each.startswith("-") for each in more):
        from lanewise.tools.loose_values import joined

        rows = command_rows(line, owners).values()
        split = joined(argv, {name: row.option.metavar for row in rows for name in row.option.names})
        if split:
            raise UsageError(f"{split}; see {built.prog} --help")
    if more and line.files in (ONE, "?") and not any(each.startswith("-") for each in more):
        first = [each for each in (vars(read).get("files"),) if isinstance(each, str)]
        before = dict(zip(argv[1:], argv, strict=False))
        flag = next((before[each] for each in (*first, *more) if before.get(each, "").startswith("--")), "")
        hint = f"; {flag} takes no value" if flag else ""
        names = ", ".join([*first, *more])
        raise UsageError(f"name one FILE, found {len(more) + 1}: {names}{hint}; see {built.prog} --help")
    if more:
        built.error(f"unrecognized arguments: {' '.join(more)}")
    found: dict[str, Value | list[str] | None] = vars(read)
    files = found.pop("files", None)
    names = [files] if isinstance(files, str) else files if isinstance(files, list) else []
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in found.items() if value is not None}
    return Read(values, tuple([each.removeprefix(" ") if each.startswith(" -:") else each for each in names]))
