"""Run a command on any instruction set.

Reads the command line by the option rows of the packages, recognises the files and prints the answer."""

from __future__ import annotations

import os
import sys
import time

from lanewise.core import files
from lanewise.core.diagnostics import InputError
from lanewise.core.members import split
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import FLAG, FOLLOW, STDIO, TEXT, Answer, InputFailure, Option, Request, SourceFile, UsageError
from lanewise.packages import Match, common_language, language_of, package_of, packages, recognise, unknown_file
from lanewise.tools.command_line import (
    DIALECT,
    ISA,
    TIMEOUT,
    CommandLine,
    OptionRow,
    Read,
    asks_for_help,
    command_rows,
    help_text,
    read_any,
    read_plain,
)
from lanewise.tools.configuration import Configuration
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    DiskFiles,
    document,
    end_limit,
    json_bytes,
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
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.core.origins import Origins
    from lanewise.core.package import IsaPackage, Loaded
    from lanewise.core.service import Searched, Value
    from lanewise.tools.command_line import Owner


class Parsed(Record):
    """A command line."""

    line: CommandLine
    "Arguments of the command."
    files: tuple[str, ...]
    "FILE arguments as written."
    values: dict[str, Value]
    "Values of options by key; those that are not given are missing."
    package: IsaPackage | None
    "Instruction set that `--isa` or `--dialect` names; None without them."
    language: str
    "Language that `--dialect` names; empty without it."
    owners: dict[str, tuple[Owner, ...]]
    "Instruction sets and commands that have each option, by key."
    used: list[str]
    "Names of the instruction sets of its files, as they are recognised."
    origins: Origins
    "Places of the values that its requests have read."
    configuration: Configuration = Configuration(off=True)
    "Settings of files."

    @property
    def isa(self) -> str | None:
        """The instruction set of the files, for JSON; None where it is unknown or there are several."""
        return self.used[0] if len(set(self.used)) == 1 else None

    def flag(self, key: str) -> bool:
        return bool(self.values.get(key, False))

    def text(self, key: str, default: str = "") -> str:
        value = self.values.get(key, default)
        return value if isinstance(value, str) else default

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key, ())
        return value if isinstance(value, tuple) else ()

    @property
    def as_json(self) -> bool:
        return self.text("format", "text") == "json"


_HEAD = 1 << 20  # bytes of a file by which it is recognised


def parse(line: CommandLine, argv: Sequence[str]) -> Parsed:
    """Read a command line; --help prints and exits. Raises UsageError."""
    if asks_for_help(argv):
        package = _named(argv) or package_of_files(argv)
        print_text(help_text(line, argv, (package,) if package is not None else packages(), chosen=package is not None))
        raise SystemExit(OK)
    _named(argv)  # looks up an instruction set of another distribution
    rows, known = command_rows(line), len(packages())
    values, names = read_plain(line, rows.values(), argv) or _read_any(line, argv)
    if (len(names) > 1 or (names and line.files == "*")) and not all(name == STDIO or os.path.lexists(name) for name in names):
        from lanewise.tools.loose_values import joined, redirected, switched

        flags = {name for row in rows.values() for name in row.option.names if row.option.kind == FLAG}
        if switch := switched(argv, flags):
            raise UsageError(switch)
        fix = redirected(line.name, str(values.get("format", "")), [name for name in names if not os.path.lexists(name)])
        if fix:
            raise UsageError(fix)
        split = joined(argv, {name: row.option.metavar for row in rows.values() for name in row.option.names})
        if split:
            raise UsageError(split)
    if "=" in names:
        raise UsageError("'=' has blanks around it: write NAME=VALUE without them")
    if len(packages()) > known:
        rows = command_rows(line)
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
            if option.kind == FLAG and not os.path.lexists(names[0]):
                raise UsageError(f"--{option.key} prints: redirect it, `lanewise {line.name} --{option.key} > {names[0]}`")
            raise UsageError(f"--{option.key} takes the place of FILE: leave out {names[0]}")
        if option.key in values and option.needs and option.needs not in values:
            fix = ""
            if option.needs == "words" and len(names) == 2:  # which are the files of words, given without the options
                fix = f": write --words {names[0]} --descriptors {names[1]}"
            raise UsageError(f"--{option.key} goes with --{option.needs}{fix}")
    configuration = configuration_of(values) if line.configured else Configuration(off=True)
    return Parsed(
        line=line,
        files=names,
        values=values,
        package=package,
        language=dialect if isinstance(dialect, str) else "",
        owners=_owners(rows),
        used=[],
        origins={},
        configuration=configuration,
    )


def package_of_files(argv: Sequence[str]) -> IsaPackage | None:
    """The package of the first file on a command line that one recognises."""
    for path in argv:
        try:
            match = None if path.startswith("-") else recognise(path, files.head(path, _HEAD))
        except (OSError, ValueError, InputError):
            continue
        if match is not None:
            return match.package
    return None


def _owners(rows: Mapping[str, OptionRow]) -> dict[str, tuple[Owner, ...]]:
    """The instruction sets that add each option, by key."""
    return {key: row.owners for key, row in rows.items()}


def _read_any(line: CommandLine, argv: Sequence[str]) -> Read:
    """`read_any`; where that fails, with the options of other distributions' instruction sets, if a file is for one."""
    try:
        return read_any(line, argv)
    except UsageError:
        known = len(packages())
        for path in argv:
            try:
                recognise(path, files.head(path, _HEAD))
            except OSError:
                continue
        if len(packages()) == known:
            raise
        return read_any(line, argv)


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
    """The package that `--isa` or `--dialect` names on a command line."""
    return named(argv, (("--isa", package_of), ("--dialect", package_of_language)))


def named(argv: Sequence[str], options: Iterable[tuple[str, Callable[[str], IsaPackage]]]) -> IsaPackage | None:
    """The package that one of some options names on a command line. Raises UsageError for a name that is unknown."""
    for before, argument in zip(("", *argv), argv, strict=False):
        for option, find in options:
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


def package_of_language(dialect: str) -> IsaPackage:
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
    known = len(packages())
    found = _match_of(parsed, source)
    if (
        len(packages()) > known
    ):  # an instruction set of another distribution, which may have options that are those of others so far
        parsed.owners.update(_owners(command_rows(parsed.line)))
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
            raise unknown_file(source.name, source.data, raw="words" in parsed.owners)
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
    names=("--stdin-filename",),
    kind=TEXT,
    help="what standard input is called: in findings, and for its suffix and configuration",
    metavar="NAME",
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
        from lanewise.core.suffixes import take_form

        remark = take_form(parsed.values, {**package.manual(parsed.line.name).forms, **parsed.line.forms})
        refuse_overwriting([source.path for source in sources], [parsed.text("output")])
        if remark:
            print_remark(f"lanewise {parsed.line.name}: {remark}")
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
        read_included=scope_of([source.path for source in sources] + _of_draw(parsed), parsed.values).included,
        progress=progress,
        searched=searched,
        origins=parsed.origins,
    )


def _of_draw(parsed: Parsed) -> list[str]:
    """The sources of a recorded draw, which may include others as if they were named as FILE."""
    value = parsed.values.get("source", ())
    return [*value] if isinstance(value, tuple) else []


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
                    from lanewise.tools import field_words

                    raise UsageError(f"--{key} {text}: for {package.title} {field_words.value(str(text), row.choices)}")
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


_INSTEAD = {  # of options that only one instruction set has
    "vertices-per-primitive": "; --count N is the number of vertices",
    "mesh": "; give a table, `-i NAME=FILE.csv`, with a row of x, y, z for each vertex",
}


def refuse_foreign(parsed: Parsed, used: Sequence[IsaPackage]) -> None:
    """Raise UsageError for an option that none of the packages in use has."""
    for key in parsed.values:
        owners = parsed.owners.get(key, ())
        if owners and not any(package in owners for package in used):
            from lanewise.tools import variants

            titles = " and ".join([package.title for package in owners])
            here = " and ".join(dict.fromkeys([package.title for package in used]))
            instead = _INSTEAD.get(key, "")
            instead = instead or variants.compiled_for(parsed, key, owners) or variants.own(key, parsed.text(key), used)
            raise UsageError(f"--{key} is an option for {titles}, but the input is for {here}{instead}")
        if key in ("profile", "rule"):
            from lanewise.tools import variants

            other = variants.of_another(key, parsed.text(key), used)
            if other:
                raise UsageError(other)


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
    sources = sources_of(expanded(parsed.files, parsed.configuration, follow=parsed.flag(FOLLOW.key)))
    if not sources:
        owner = only_owner(parsed) or _owner_of_data(parsed)
        if owner is None:
            raise UsageError(f"name a FILE; see lanewise {parsed.line.name} --help")
        request = request_of(parsed, (), owner, progress)
        return owner.load(request), request
    match = one_match(parsed, sources)
    request = match.with_member(found_sources(request_of(parsed, sources, match.package, progress), match))
    if len(sources) > 1:
        return match.package.load(request), request
    if sources and match.language is None and parsed.line.name != "dis":  # which is about the binary, whatever its source
        from lanewise.tools.stale import stale

        older = stale(sources[0], match)
        if older is not None:
            print_findings([older])
    return match.read(request), request


def found_sources(request: Request, match: Match) -> Request:
    """The request with the sources of `--sources DIR`, if it has that. Raises InputFailure, InputError, UsageError."""
    if not request.text("sources"):
        return request
    from lanewise.tools.frame_sources import with_sources

    return with_sources(request, match)


def _owner_of_data(parsed: Parsed) -> IsaPackage | None:
    """The package that the file of --data names. Raises UsageError, InputFailure, InputError."""
    from lanewise.core.data import read_data_file

    path = parsed.text("data")
    file = read_data_file(DiskFiles().read(path), path) if path else None
    if file is not None and file.program is None:
        raise UsageError(f"name a FILE, or raw words with --words CODE: {path} has values and no program")
    if file is not None and not file.isa:
        raise UsageError(f"name a FILE, or the instruction set of the program in {path}: --isa")
    try:
        return package_of(file.isa) if file is not None else None
    except ValueError as error:
        raise UsageError(f"{path}: isa: {error}") from None


def lacks(package: IsaPackage, what: str) -> UsageError:
    """The error where an instruction set does not have a service."""
    return UsageError(f"{package.title} has no {what}")


def show(answer: Answer, parsed: Parsed, document_to: str = "") -> int:
    """Print an answer and write its files; the exit code. Its JSON document goes to the file `document_to`, if that is given.
    Raises UsageError, InputFailure."""
    end_limit()
    if document_to:
        findings = (*answer.first, *answer.last)
        found = json_bytes(document(answer.schema or parsed.line.name, answer.data, parsed.isa, findings))
        parsed = parsed._replace(values={**parsed.values, "format": "text"})
        answer = answer._replace(files=(*answer.files, (document_to, found)), page=(), text="")
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
    from lanewise.core.origins import placed
    from lanewise.core.source import Span

    found = placed([finding for finding in findings if isinstance(finding, Diagnostic)], parsed.origins)
    if len(parsed.files) == 1:  # findings about values of the command line are about the program that they are for
        path, _ = split(parsed.files[0], os.path.exists)
        name = "<stdin>" if path == STDIO else path
        found = [finding if finding.span.file else finding._replace(span=Span(file=name)) for finding in found]
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
    "STDIN_NAME",
    "InputFailure",
    "Parsed",
    "Progress",
    "found_sources",
    "lacks",
    "load",
    "match_of",
    "one_match",
    "only_owner",
    "parse",
    "recognised",
    "refuse_foreign",
    "report_errors",
    "request_for",
    "request_of",
    "show",
    "sources_of",
    "stdin_name",
]
