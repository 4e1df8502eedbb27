"""Run a command on any instruction set.

Reads the command line by the option rows of the packages, recognises the files and prints the answer."""

from __future__ import annotations

import os
import sys
import time

from lanewise.core.members import split
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import (
    FLAG,
    FOLLOW,
    INTEGER,
    OPTIONAL,
    STDIO,
    TEXT,
    TEXTS,
    Answer,
    InputFailure,
    Option,
    Request,
    SourceFile,
    UsageError,
    take_form,
)
from lanewise.packages import Match, common_language, language_of, languages, package_of, packages, recognise, unknown_file
from lanewise.tools.configuration import Configuration
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    DiskFiles,
    end_limit,
    make_parser,
    print_findings,
    print_json,
    print_page,
    print_remark,
    print_text,
    read_bytes,
    refuse_overwriting,
    scope_of,
    write_files,
)
from lanewise.tools.folders import expanded

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.compile.frontends import Frontend
    from lanewise.compile.targets import Target
    from lanewise.core.package import IsaPackage, Loaded
    from lanewise.core.service import Searched, Value

    # What adds options to a command: an instruction set, or a front end or a target of the compilers.
    Owner = IsaPackage | Frontend | Target


FORMAT = Option(("--format",), TEXT, "output format (default: text)", "", ("text", "json"))
CONFIG = (
    Option(
        ("--config",), TEXT, "the configuration (default: the nearest lanewise.toml or pyproject.toml, upwards of FILE)", "TOML"
    ),
    Option(("--no-config",), FLAG, "read no configuration"),
    FOLLOW,
)
ISA, DIALECT = "isa", "dialect"
ONE = "one"


TIMEOUT = Option(("--timeout",), TEXT, "end after so many seconds, with an error, exit code 1 and no output", "SECONDS")


class CommandLine(Record):
    """The arguments of a command. `files` is the argparse count of its FILE arguments, or ONE; `isa`, `dialect`: whether the
    kind of the files can be named; `codes`: what its exit codes say; `forms`: suffixes of -o, as in `Manual`."""

    name: str
    about: str
    options: tuple[Option, ...]
    examples: str
    files: str = "+"
    file_help: str = "a file of any instruction set; - is standard input"
    isa: bool = True
    dialect: bool = True
    codes: str = "0 fine, 1 the input has errors, 2 wrong usage"
    forms: Mapping[str, str] = {}

    @property
    def configured(self) -> bool:
        """Whether the command reads files whose kind a configuration may name."""
        return bool(self.files) and (self.isa or self.dialect)


class Parsed(Record):
    """A command line: the files, the values of options by key, the package and the language that were named.

    `used` are the names of the instruction sets of its files, as they are recognised.
    """

    line: CommandLine
    files: tuple[str, ...]
    values: dict[str, Value]
    package: IsaPackage | None
    language: str
    owners: dict[str, tuple[Owner, ...]]
    used: list[str]
    configuration: Configuration = Configuration(off=True)

    @property
    def isa(self) -> str | None:
        """The instruction set of the files, for JSON; None where it is unknown or there are several."""
        return self.used[0] if len(set(self.used)) == 1 else None

    def flag(self, key: str) -> bool:
        return bool(self.values.get(key, False))

    def text(self, key: str, default: str = "") -> str:
        value = self.values.get(key, default)
        return value if isinstance(value, str) else default

    @property
    def as_json(self) -> bool:
        return self.text("format", "text") == "json"


def kinds(line: CommandLine) -> tuple[Option, ...]:
    """`--isa` and `--dialect` where a command has them, with what there is to choose from."""
    rows = (
        Option(("--isa",), TEXT, "the instruction set of FILE (default: recognised)", "", tuple([p.name for p in packages()])),
        Option(
            ("--dialect",),
            TEXT,
            "the language of the sources (default: recognised)",
            "",
            tuple([lang.name for _, lang in languages()]),
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
    for package, manual in manuals:
        for option in manual.options:
            before = rows.get(option.key)
            if before is None:
                theirs = [(other, row) for other, shared in manuals for row in shared.options if row.key == option.key]
                rows[option.key] = OptionRow(_joined(theirs), (package,), len(theirs) == 1)
            elif before.option.kind != option.kind or not set(option.names) <= set(before.option.names):
                raise ValueError(
                    f"{line.name}: {option.names} is {option.kind} for {package.name}, elsewhere {before.option.names} is "
                    f"{before.option.kind}"
                )
            elif before.owners:
                rows[option.key] = before._replace(owners=(*before.owners, package))
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


def add_rows(parser: argparse.ArgumentParser, rows: Sequence[Option]) -> None:
    """Add options to the parser of a command that reads its values from a namespace; those that may be repeated are empty lists
    by default."""
    for row in rows:
        _add(parser, row)
    absent: dict[str, object] = {TEXTS: [], FLAG: False, TEXT: "", INTEGER: None}
    parser.set_defaults(**{row.key.replace("-", "_"): absent[row.kind] for row in rows})


class Read(Record):
    """What a command line gives: the values of options by key, and its FILEs."""

    values: dict[str, Value]
    files: tuple[str, ...]


def read_plain(line: CommandLine, rows: Iterable[OptionRow], argv: Sequence[str]) -> Read | None:
    """Read a plain command line as argparse does; None for any other, which is for argparse.

    A plain one has whole names of options, no value that begins with `-`, and all FILEs in one place. To import argparse and to
    build its parser takes as long as many a command does.
    """
    named = {name: row for row in rows for name in row.option.names}
    values: dict[str, Value] = {}
    files: list[str] = []
    together = True
    waiting = [*reversed(argv)]
    while waiting:
        argument = waiting.pop()
        if argument == STDIO or not argument.startswith("-"):
            if not together:
                return None
            files.append(argument)
            continue
        together = not files
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
        if (choices and value not in choices) or (
            kind == INTEGER and not (value.isascii() and value.isdigit() and len(value) < 10)
        ):
            return None
        before = values.get(key, ())
        if kind == TEXTS:
            values[key] = (*before, value) if isinstance(before, tuple) else (value,)
        else:
            values[key] = int(value) if kind == INTEGER else value
    possible = {"": len(files) == 0, ONE: len(files) == 1, "?": len(files) < 2, "+": len(files) > 0, "*": True}
    return Read(values, tuple(files)) if possible[line.files] else None


def read_any(line: CommandLine, argv: Sequence[str], owners: Sequence[Owner] | None = None) -> Read:
    """Read a command line by argparse. Raises UsageError."""
    # argparse takes "-:NAME", a program of standard input, for an option, but nothing with a blank.
    given = [f" {each}" if each.startswith("-:") else each for each in argv]
    built = parser(line, owners=owners)
    read, more = built.parse_known_args(given)
    if more and line.files == ONE and not any(each.startswith("-") for each in more):
        raise UsageError(f"name one FILE, found {len(more) + 1}; see {built.prog} --help")
    if more:
        built.error(f"unrecognized arguments: {' '.join(more)}")
    found: dict[str, Value | list[str] | None] = vars(read)
    files = found.pop("files", None)
    names = [files] if isinstance(files, str) else files if isinstance(files, list) else []
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in found.items() if value is not None}
    return Read(values, tuple([each.removeprefix(" ") if each.startswith(" -:") else each for each in names]))


def parse(line: CommandLine, argv: Sequence[str]) -> Parsed:
    """Read a command line; --help prints and exits. Raises UsageError."""
    if {"-h", "--help"} & set(argv):
        parser(line, _named(argv)).parse_args(list(argv))
    rows = command_rows(line)
    values, names = read_plain(line, rows.values(), argv) or read_any(line, argv)
    begin_limit(values)
    isa = values.pop(ISA, "") if line.isa else ""
    dialect = values.pop(DIALECT, "") if line.dialect else ""
    package = package_of(isa) if isinstance(isa, str) and isa else None
    if isinstance(dialect, str) and dialect:
        of_dialect, _ = language_of(dialect)
        if package is not None and package.name != of_dialect.name:
            raise UsageError(f"--dialect {dialect} is a language of {of_dialect.title}, but --isa names {package.title}")
        package = of_dialect
    for option in (*line.options, *[option for other in packages() for option in other.manual(line.name).options]):
        if values.get(option.key, "") != "" and option.alone and names:
            raise UsageError(f"--{option.key} takes the place of FILE: leave out {names[0]}")
        if option.key in values and option.needs and option.needs not in values:
            raise UsageError(f"--{option.key} goes with --{option.needs}")
    configuration = configuration_of(values) if line.configured else Configuration(off=True)
    owners = {key: row.owners for key, row in rows.items()}
    return Parsed(line, names, values, package, dialect if isinstance(dialect, str) else "", owners, [], configuration)


def begin_limit(values: Mapping[str, Value]) -> None:
    """Begin the time that `--timeout` gives a command. Raises UsageError."""
    if TIMEOUT.key in values:
        from lanewise.tools.timeout import begin

        begin(str(values[TIMEOUT.key]))


def configuration_of(values: dict[str, Value]) -> Configuration:
    """The configuration that a command line asks for. Takes its options out of the values. Raises UsageError."""
    given, off = values.pop("config", ""), bool(values.pop("no-config", False))
    if given and off:
        raise UsageError("--config and --no-config contradict each other: leave one out")
    return Configuration(str(given), off=off)


def _named(argv: Sequence[str]) -> IsaPackage | None:
    """The package that `--isa` or `--dialect` names on a command line that asks for help."""
    for before, argument in zip(("", *argv), argv, strict=False):
        for option, find in (("--isa", package_of), ("--dialect", _package_of_language)):
            value = (
                argument.removeprefix(f"{option}=")
                if argument.startswith(f"{option}=")
                else argument
                if before == option
                else ""
            )
            if value:
                try:
                    return find(value)
                except ValueError as error:
                    raise UsageError(f"{option}: {error}") from None
    return None


def _package_of_language(dialect: str) -> IsaPackage:
    package, _ = language_of(dialect)
    return package


def only_owner(parsed: Parsed) -> IsaPackage | None:
    """The package that a command line names, or the only one that has its options. Raises UsageError for options of others."""
    if parsed.package is not None:
        refuse_foreign(parsed, [parsed.package])
        return parsed.package
    found: list[IsaPackage] | None = None
    for key in parsed.values:
        owners = parsed.owners.get(key, ())
        if owners:
            found = [package for package in (packages() if found is None else found) if package in owners]
    return found[0] if found is not None and len(found) == 1 else None


def match_of(parsed: Parsed, source: SourceFile) -> Match:
    """The kind of a file: as the command line names it, or recognised. Raises InputError for an unknown one."""
    found = _match_of(parsed, source)
    parsed.used.append(found.package.name)
    return found


def _match_of(parsed: Parsed, source: SourceFile) -> Match:
    if parsed.language:
        package, language = language_of(parsed.language)
        return Match(package, language)
    if parsed.package is not None:
        return Match(parsed.package)
    found = recognised(parsed, source)
    if found is None:
        owner = only_owner(parsed)
        if owner is None:
            raise unknown_file(source.name, source.data)
        return Match(owner)
    return found


def recognised(parsed: Parsed, source: SourceFile) -> Match | None:
    """The kind of a file by its content, its suffix and the dialect of the configuration, which decides between the languages
    of its instruction set."""
    found = recognise(source.path or source.name, source.data)
    dialect = parsed.configuration.of(source.path or STDIO).dialect
    if not dialect:
        return found
    package, language = language_of(dialect)
    ours = found is None or (found.package.name == package.name and found.language is not None and not found.compiled)
    return Match(package, language) if ours else found


STDIN_NAME = Option(
    ("--stdin-filename",), TEXT, "what standard input is called: in findings, and for its suffix and configuration", "NAME"
)


def sources_of(files: Sequence[str], stdin: str = "") -> tuple[SourceFile, ...]:
    """The files of a command line with what is in them. Raises InputFailure."""
    found: list[SourceFile] = []
    for given in files:
        path, member = split(given, os.path.exists)
        if path == STDIO:
            found.append(SourceFile(stdin or "<stdin>", read_bytes(path), stdin or path, member))
        else:
            found.append(SourceFile(path, read_bytes(path), path, member))
    return tuple(found)


def stdin_name(parsed: Parsed) -> str:
    """The value of --stdin-filename. Raises UsageError where standard input is not read."""
    name = parsed.text("stdin-filename")
    if name and STDIO not in parsed.files:
        raise UsageError("--stdin-filename names standard input: give - as FILE too")
    return name


def request_of(parsed: Parsed, sources: Sequence[SourceFile], package: IsaPackage, progress: Progress | None = None) -> Request:
    """The request for a package. Raises UsageError for an option that it does not have."""
    refuse_foreign(parsed, [package])
    if parsed.text("output"):
        refuse_overwriting([source.path for source in sources], [parsed.text("output")])
        take_form(parsed.values, {**package.manual(parsed.line.name).forms, **parsed.line.forms})
    return request_for(parsed, sources, package, progress)


def request_for(
    parsed: Parsed,
    sources: Sequence[SourceFile],
    package: IsaPackage,
    progress: Callable[[int, int], None] | None = None,
    searched: Searched | None = None,
) -> Request:
    """The request with the values that are for a package; those of others are left out. Raises UsageError for a wrong
    choice."""
    parsed.used.append(package.name)
    language = parsed.language or (_common(parsed, package, sources) if len(sources) > 1 else "")
    return Request(
        parsed.line.name,
        sources,
        checked(parsed, package, sources[0].path if sources else STDIO),
        language=language,
        files=DiskFiles(follow=parsed.flag(FOLLOW.key)),
        read_included=scope_of([source.path for source in sources], parsed.values).included,
        progress=progress,
        searched=searched,
    )


def _common(parsed: Parsed, package: IsaPackage, sources: Sequence[SourceFile]) -> str:
    """The language of sources that are linked: as the configuration names it, or recognised."""
    dialect = parsed.configuration.of(sources[0].path).dialect
    return dialect if dialect and language_of(dialect)[0].name == package.name else common_language(package, sources)


def checked(parsed: Parsed, package: IsaPackage, path: str = STDIO) -> dict[str, Value]:
    """The values that are for a package and a file, those with choices checked. Raises UsageError."""
    rows = {option.key: option for option in package.manual(parsed.line.name).options}
    for key, value in parsed.values.items():
        row = rows.get(key)
        if row is not None and row.choices:
            for text in value if isinstance(value, tuple) else (value,):
                if text not in row.choices:
                    raise UsageError(f"--{key} {text}: for {package.title} use {', '.join(row.choices)}")
    found = {key: value for key, value in parsed.values.items() if not parsed.owners.get(key) or package in parsed.owners[key]}
    configured = parsed.configuration.of(path)
    settings = configured.options
    if configured.compile and "semantic" in rows:
        found = {**configured.compile, **found}
    if settings and not any(row.option.lstrip("-") in found for other in packages() for row in other.variants()):
        own = {
            row.option.lstrip("-") for row in package.variants()
        }  # of several that choose the rules, the command line's counts
        found = {**{key: value for key, value in settings.items() if key in rows and key in own}, **found}
    return found


def refuse_foreign(parsed: Parsed, used: Sequence[IsaPackage]) -> None:
    """Raise UsageError for an option that none of the packages in use has."""
    for key in parsed.values:
        owners = parsed.owners.get(key, ())
        if owners and not any(package in owners for package in used):
            titles = " and ".join([package.title for package in owners])
            here = " and ".join(dict.fromkeys([package.title for package in used]))
            raise UsageError(f"--{key} is an option for {titles}, but the input is for {here}")


def one_match(parsed: Parsed, sources: Sequence[SourceFile]) -> Match:
    """The kinds of all files. Raises UsageError where they are of different instruction sets or languages, InputError."""
    matches = [match_of(parsed, source) for source in sources]
    for source, match in zip(sources, matches, strict=True):
        if match.package.name != matches[0].package.name:
            raise UsageError(
                f"{sources[0].name} is for {matches[0].package.title} and {source.name} for {match.package.title}: give them "
                "one at a time"
            )
        if match.compiled and len(sources) > 1:
            raise UsageError(f"{source.name} is compiled, and only sources in an assembly language are linked: give it alone")
    return matches[0]


def load(parsed: Parsed, progress: Progress | None = None) -> tuple[Loaded, Request]:
    """The program of the files of a command line, or that of its options. Raises UsageError, InputFailure, InputError."""
    sources = sources_of(expanded(parsed.files, follow=parsed.flag(FOLLOW.key)))
    if not sources:
        owner = only_owner(parsed) or _owner_of_data(parsed)
        if owner is None:
            raise UsageError(f"name a FILE; see lanewise {parsed.line.name} --help")
        request = request_of(parsed, (), owner, progress)
        return owner.load(request), request
    match = one_match(parsed, sources)
    request = match.with_member(request_of(parsed, sources, match.package, progress))
    if len(sources) > 1:
        return match.package.load(request), request
    return match.read(request), request


def _owner_of_data(parsed: Parsed) -> IsaPackage | None:
    """The package that the file of --data names. Raises UsageError, InputFailure, InputError."""
    from lanewise.core.data import read_data_file

    path = parsed.text("data")
    isa = read_data_file(DiskFiles().read(path), path).isa if path else ""
    if path and not isa:
        raise UsageError(f"name a FILE, or the instruction set of the program in {path}: --isa")
    return package_of(isa) if isa else None


def lacks(package: IsaPackage, what: str) -> UsageError:
    """The error where an instruction set does not have a service."""
    return UsageError(f"{package.title} has no {what}")


def show(answer: Answer, parsed: Parsed) -> int:
    """Print an answer and write its files; the exit code. Raises UsageError, InputFailure."""
    end_limit()
    written = [path for path, _ in answer.files]
    to_stdout = STDIO in written
    plain = parsed.as_json and bool(answer.data)
    if plain and to_stdout:
        raise UsageError("--format json and -o - both want standard output: name a file")
    refuse_overwriting(parsed.files, written)
    if not plain:
        print_findings(answer.first)
    for remark in answer.remarks:
        print_remark(f"lanewise {parsed.line.name}: {remark}")
    write_files(answer.files, force=parsed.flag("force"))
    if plain:
        print_json(answer.schema or parsed.line.name, answer.data, parsed.isa, (*answer.first, *answer.last))
    elif not to_stdout and answer.page:
        print_page(answer.page)
    elif not to_stdout:
        print_text(answer.text)
    if not plain:
        print_findings(answer.last)
    return INPUT_HAS_ERRORS if answer.failed else OK


def report_errors(findings: Sequence[object], parsed: Parsed) -> int:
    """Print the findings of an input that cannot be used; the exit code."""
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.source import Span

    found = [finding for finding in findings if isinstance(finding, Diagnostic)]
    if len(parsed.files) == 1:  # findings about values of the command line are about the program that they are for
        path, _ = split(parsed.files[0], os.path.exists)
        name = "<stdin>" if path == STDIO else path
        found = [finding if finding.span.file else finding._replace(span=Span(name)) for finding in found]
    if parsed.as_json:
        print_json(parsed.line.name, {}, parsed.isa, found)
    else:
        print_findings(found)
    return INPUT_HAS_ERRORS


class Progress:
    """How far long work is, on a terminal, from its second second on. A total of 0 is unknown."""

    def __init__(self, unit: str = "vertices") -> None:
        self._unit = unit
        self._next = time.monotonic() + 1.0
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 0.2
            self._shown = True
            text = f"{done} of {total} {self._unit} ({100 * done // total} %)" if total else f"{done} {self._unit}"
            print(f"\r{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


__all__ = [
    "FORMAT",
    "ONE",
    "STDIN_NAME",
    "CommandLine",
    "InputFailure",
    "Parsed",
    "Progress",
    "add_rows",
    "lacks",
    "load",
    "match_of",
    "one_match",
    "only_owner",
    "parse",
    "parser",
    "recognised",
    "refuse_foreign",
    "report_errors",
    "request_for",
    "request_of",
    "show",
    "sources_of",
    "stdin_name",
]
