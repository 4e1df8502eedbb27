"""`lanewise asm`: sources to the files that an application or a tool loads."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import (
    FLAG,
    FOLLOW,
    FORCE,
    INTEGER,
    STDIO,
    TEXT,
    TEXTS,
    InputFailure,
    Option,
    Request,
    SourceFile,
    UsageError,
    whole_number,
)
from lanewise.core.suffixes import KNOWN_SUFFIXES, suffix_of, take_form
from lanewise.packages import Match, common_language, language_of, language_of_suffix, languages, packages, recognise
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    DiskFiles,
    print_findings,
    print_json,
    print_remark,
    print_text,
    read_bytes,
    refuse_overwriting,
    scope_of,
    write_files,
)
from lanewise.tools.options import OptionError, split_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.package import IsaPackage, Language
    from lanewise.core.service import Value
    from lanewise.packages import Match
    from lanewise.tools.command_line import CommandLine

OPTIONS = (
    Option(
        names=("-o", "--output"),
        kind=TEXT,
        help="the file to write (default: in the folder of the first source); - is standard output",
        metavar="FILE",
    ),
    Option(
        names=("--dialect",),
        kind=TEXT,
        help="the language of the sources (default: recognised by content and suffix)",
        metavar="NAME",
    ),
    Option(names=("--check",), kind=FLAG, help="report errors and warnings, write nothing"),
    Option(
        names=("--format",),
        kind=TEXT,
        help="output format of the findings (default: text)",
        metavar="",
        choices=("text", "json"),
    ),
    FORCE,
    FOLLOW,
    Option(names=("-h", "--help"), kind=FLAG, help="show this help"),
    Option(names=("--help-all",), kind=FLAG, help="show every option, with its whole text"),
)
_HEADERS = (".h", ".hpp")  # picasso writes them for -h
_FIRST = "give a program first; "  # of `core.foreign`
_ABOUT = (
    "Assemble sources. Several files, or those that a .shlist names, are linked into one where the instruction set has a "
    "linker; - is standard input. No configuration is read."
)


def _value(option: Option, text: str) -> Value:
    """The value of an option. Raises UsageError."""
    if option.kind == INTEGER:
        number = whole_number(text)
        if number is None:
            digits = text[: len(text) - len(text.lstrip("0123456789"))]
            thousand = text[len(digits) :].lower() in ("k", "ki", "kib", "kb")
            meant = f", {int(digits[:9]) << 10 if thousand else digits}" if digits else ""
            raise UsageError(f"{option.names[-1]} {text}: use a whole number{meant}")
        return number
    return option.kind == FLAG or text


class Found(Record):
    """The language of the sources with its package; `mixed`: another source is in another language of it."""

    package: IsaPackage
    language: Language
    mixed: bool = False


def main(argv: list[str]) -> int:
    rows: dict[str, Option] = {option.key: option for option in OPTIONS}
    flags: dict[str, str] = {}
    owners: dict[str, list[IsaPackage]] = {}
    own = frozenset([name for option in OPTIONS for name in option.names])
    if any(argument.startswith("-") and argument.partition("=")[0] not in own for argument in argv):
        for package in packages():
            for option in package.manual("asm").options:
                owners.setdefault(option.key, []).append(package)
                rows.setdefault(option.key, option)
    for key, option in rows.items():
        for name in option.names:
            flags[name] = key if option.kind == FLAG else key + "="
    several: dict[str, tuple[str, ...]] = {}
    try:
        given, files = split_options(argv, flags, several)
    except OptionError as error:
        if "--target" in str(error):
            raise UsageError("unknown option --target: `lanewise compile FILE --target NAME` compiles for a machine") from None
        raise UsageError(f"{error}; see lanewise asm --help") from None
    if "-h" in argv and ("output" in given or any(file.endswith(_HEADERS) for file in files)):
        raise UsageError("-h shows the help; a header is -H FILE (lanewise-picasso takes picasso's own options)")
    if "help" in given or "help-all" in given:
        print_text(_help(argv, given.get("dialect", ""), files))
        return OK
    if not files:
        raise UsageError("name a source file, or - for standard input; see lanewise asm --help")
    check_choices(OPTIONS, given)
    to_stdout = given.get("output", STDIO if files[0] == STDIO else "") == STDIO
    if given.get("format") == "json" and to_stdout and "check" not in given:
        raise UsageError("--format json and the assembled file both want standard output: name a file with -o")
    values: dict[str, Value] = {
        key: several[key] if rows[key].kind == TEXTS else _value(rows[key], value) for key, value in given.items()
    }
    header, output = given.get("header", ""), given.get("output", "")
    if suffix_of(header) in KNOWN_SUFFIXES and not header.lower().endswith((*_HEADERS, *language_suffixes())):
        instead = f"-o {header} -H {output}" if output.lower().endswith(_HEADERS) else "-H NAME.h"
        raise UsageError(f"-H {header}: -o is the program and -H its header: write {instead}")
    lists = [path for path in files if path.lower().endswith(".shlist")]
    if lists:
        from lanewise.tools.folders import expanded

        files = list(expanded(files, follow=bool(values.get("follow"))))
    sources = tuple([_source(path, files) for path in files])
    try:
        found = found_language(sources, given.get("dialect", ""), output)
    except UsageError as error:
        what, _, _ = str(error).partition(", not a source: ")
        if what == str(error) or len(files) > 1 or not output.lower().endswith((*language_suffixes(),)):
            raise
        raise UsageError(f"{what}, and {output} is to be written: exchange them, {_written([output], files[0])}") from None
    for key in given:
        if key in owners and found.package not in owners[key]:
            titles = " and ".join([package.title for package in owners[key]])
            raise UsageError(f"--{key} is an option for {titles}, and {sources[0].name} is a {found.language.title} source")
    if "dialect" not in given:
        found = _of_output(sources, found, output)
    check_choices(found.package.manual("asm").options, given)
    if "dialect" not in given:
        for source in sources:
            _remark_suffix(source, found)
    if lists and "output" not in values:  # light.shlist is the list of the sources of light.shbin
        values["output"] = lists[0][: -len(".shlist")] + found.package.containers[0].suffixes[0]
    elif "output" in values:
        try:
            remark = take_form(values, forms_of(found.package))
        except UsageError as error:
            raise UsageError(f"{error}{_compiled_to(sources[0], found, suffix_of(output))}") from None
        refuse_overwriting([source.path for source in sources], [given["output"]])
        if remark:
            print_remark(f"lanewise asm: {remark}")
    language = common_language(found.package, sources) if found.mixed else found.language.name
    scope = scope_of([source.path for source in sources], values)
    request = Request(
        "asm", sources, values, language=language, files=DiskFiles(follow=scope.follow), read_included=scope.included
    )
    return _assemble(request, found)


def _of_output(sources: Sequence[SourceFile], found: Found, output: str) -> Found:
    """The language of the suffix of sources in place of that of their content, if only its instruction set has the form of the
    output: then findings name what is of another language."""
    suffix = suffix_of(output)
    own = [language_of_suffix(source.path, Match(found.package, found.language)) for source in sources]
    if not suffix or suffix in forms_of(found.package) or own[0] is None or any(language is not own[0] for language in own):
        return found
    package, language = language_of(own[0].name)
    return Found(package, language) if suffix in forms_of(package) else found


def _compiling(source: SourceFile, match: Match, output: str) -> str:
    """The command that compiles a source, for the target whose suffix the output has."""
    from lanewise.compile.frontends import frontends
    from lanewise.compile.targets import targets_of

    own = match.package.name
    suffix = suffix_of(output)
    for frontend in frontends():
        if suffix and match.language is not None and frontend.name == match.language.name:
            having = [each.name for each in targets_of(frontend.name, frontend.isa) if suffix in each.manual("compile").forms]
            own = own if own in having else next(iter(having), own)
    return f"`lanewise compile {source.name} --target {own}{f' -o {output}' if output else ''}` compiles it"


def _compiled_to(source: SourceFile, found: Found, suffix: str) -> str:
    """The command that writes a form of another instruction set, where the source is compiled for it; empty for none."""
    from lanewise.compile.frontends import frontends
    from lanewise.compile.targets import targets_of

    for frontend in frontends():
        for target in targets_of(frontend.name, frontend.isa) if frontend.isa == found.package.name else ():
            if suffix in target.manual("compile").forms and target.name != found.package.name:
                return f"; `lanewise compile {source.name} --target {target.name}` writes {suffix}"
    return ""


def _remark_suffix(source: SourceFile, found: Found) -> None:
    """Name the language in which a source is read against its suffix, and the option for that of the suffix."""
    own = language_of_suffix(source.path, Match(found.package, found.language))
    if own is not None and own.name != found.language.name:
        print_remark(
            f"lanewise asm: {source.name} is read as {found.language.title}, for its content; --dialect {own.name} reads it as "
            f"{own.title}, which its suffix is for"
        )


def _source(path: str, paths: Iterable[str]) -> SourceFile:
    """The source at a path. Raises InputFailure, and UsageError for what is meant as the output."""
    try:
        return SourceFile("<stdin>" if path == STDIO else path, read_bytes(path), path)
    except InputFailure as error:
        written = suffix_of(path) in KNOWN_SUFFIXES and all(not path.endswith(suffix) for suffix in language_suffixes())
        others = [each for each in paths if each != path]
        if not others or not written:
            raise
        if path.endswith(_HEADERS):
            raise UsageError(f"{error}; the header to write is -H {path}") from None
        raise UsageError(f"cannot read {path}: it does not exist; write it with {_written(others, path)}") from None


def _written(sources: Iterable[str], path: str) -> str:
    """The command that writes a file that is among its sources."""
    names = [f'"{name}"' if " " in name else name for name in (*sources, path)]
    return f"`lanewise asm {' '.join(names[:-1])} -o {names[-1]}`"


def language_suffixes() -> list[str]:
    """The suffixes of sources."""
    return [suffix for _, language in languages() for suffix in language.suffixes]


def forms_of(package: IsaPackage) -> Mapping[str, str]:
    """The suffixes of what an instruction set assembles to, as in `Manual`."""
    return package.manual("asm").forms or {suffix: "" for row in package.containers for suffix in row.suffixes}


def _refuse_unreadable(match: Match, source: SourceFile) -> None:
    """Raises UsageError for a file that is not a program either, such as HLSL, with the reason."""
    if match.container is None:
        return
    try:
        _ = match.container.read(Request("load", (source,), {})).words
    except InputError as error:
        first = error.diagnostics[0]
        raise UsageError(f"{source.name}: {first.message}; {first.fix}") from None


def _assemble(request: Request, found: Found) -> int:
    try:
        answer = found.package.assemble(request)
    except InputError as error:
        return _report(request, found, error.diagnostics, ())
    if answer.failed:
        answer = answer._replace(first=_as_configured(request, found, answer.first))
    writes = not request.flag("check") and not answer.failed
    paths = [path for path, _ in answer.files]
    if not request.flag("check"):
        refuse_overwriting([source.path for source in request.sources], paths)
    if not request.as_json:
        print_findings(answer.first)
    if writes:
        write_files(answer.files, force=request.flag("force"))
        if not request.text("output") and not request.as_json and STDIO not in paths:
            print_remark(f"lanewise asm: wrote {' and '.join(paths)}")
        for remark in answer.remarks:
            print_remark(f"lanewise asm: {remark}")
    if request.as_json:
        _report(request, found, answer.first, paths if writes else ())
    return INPUT_HAS_ERRORS if answer.failed else OK


def _as_configured(request: Request, found: Found, findings: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Findings, of which those that a setting of a configuration file would remove get the option for it as the fix."""
    from lanewise.tools.configuration import Configuration

    try:
        settings = Configuration().of(request.sources[0].path)
        keys = {option.key for option in found.package.manual("asm").options}
        given = {key: value for key, value in settings.options.items() if key in keys and not request.has(key)}
        if not given:
            return (*findings,)
        values = {**request.values, **given}
        retried = Request(
            "asm", request.sources, values, language=request.language, files=request.files, read_included=request.read_included
        )
        again = found.package.assemble(retried).first
    except (UsageError, InputFailure, InputError):  # the commands that read it say so
        return (*findings,)
    left = {(each.code, each.span) for each in again}
    options = " ".join([f"--{key} {_near(value)}" for key, value in given.items()])
    fix = f"give {options}: `lanewise asm` does not read {_near(settings.path)}, which names it"
    return tuple([each if (each.code, each.span) in left else each._replace(fix=fix, edits=()) for each in findings])


def _near(path: str) -> str:
    """A path from here, or a name; what is on another drive, unchanged."""
    import os

    try:
        return os.path.relpath(path)
    except (OSError, ValueError):
        return path


def _report(request: Request, found: Found, findings: Iterable[Diagnostic], written: Iterable[str]) -> int:
    """Print findings, and as JSON the files that were written; the exit code of an input that has errors."""
    if request.as_json:
        print_json("asm", {"files": list(written)}, found.package.name, findings)
    else:
        print_findings(findings)
    return INPUT_HAS_ERRORS


def found_language(sources: tuple[SourceFile, ...], dialect: str, output: str = "") -> Found:
    """The language of sources. Raises UsageError if it is unknown or if there are several packages."""
    if dialect:
        try:
            return Found(*language_of(dialect))
        except ValueError as error:
            raise UsageError(f"--dialect: {error}") from None
    found: Found | None = None
    for source in sources:
        match = recognise(source.path, source.data)
        if match is None:
            from lanewise.core.foreign import foreign_kind

            kind = foreign_kind(source.path, source.data)
            if kind is not None:
                fix = kind.fix
                if source is not sources[0]:
                    fix = f"leave it out (`$<` in a Makefile is the first prerequisite only); {fix.removeprefix(_FIRST)}"
                raise UsageError(f"{source.name} is {kind.title}, not a source of lanewise; {fix}")
            known = ", ".join(language_suffixes())
            names = ", ".join([language.name for _, language in languages()])
            raise UsageError(f"unknown language of {source.name}: no known suffix ({known}) or content; use --dialect {names}")
        if match.compiled:
            title = match.language.title if match.language is not None else match.title
            raise UsageError(f"{source.name} is {title}, not an assembly source; {_compiling(source, match, output)}")
        if match.language is None:
            _refuse_unreadable(match, source)
            others = [each.path for each in sources if each is not source]
            fix = f"write it with {_written(others, source.path)}" if others else "`lanewise dis` turns it into one"
            raise UsageError(f"{source.name} is {match.title}, not a source: {fix}")
        if found is None:
            found = Found(match.package, match.language)
        elif match.package.name != found.package.name:
            raise UsageError(
                f"{source.name} is a {match.title} and {sources[0].name} a {found.language.title} source: assemble them apart"
            )
        elif match.language.name != found.language.name:
            found = found._replace(mixed=True)
    if found is None:
        raise UsageError("name a source file")
    return found


def check_choices(options: Iterable[Option], given: Mapping[str, str]) -> None:
    for option in options:
        value = given.get(option.key)
        if option.choices and value is not None and value not in option.choices:
            from lanewise.tools import field_words

            raise UsageError(f"--{option.key} {value}: {field_words.value(value, option.choices)}")


def line() -> CommandLine:
    """The command line as the other commands have it, for its help."""
    from lanewise.tools.command_line import CommandLine

    return CommandLine(
        name="asm",
        about=_ABOUT,
        options=OPTIONS[:-2],
        examples="",
        isa=False,
        dialect=False,
        file_help="a source, or a list of sources (.shlist)",
    )


def _help(argv: Sequence[str], dialect: str, paths: Sequence[str]) -> str:
    from lanewise.tools.command import package_of_files
    from lanewise.tools.command_line import help_text

    only = package_of_files(paths)
    if dialect:
        try:
            only, _ = language_of(dialect)
        except ValueError as error:
            raise UsageError(f"--dialect: {error}") from None
    return help_text(line(), argv, (only,) if only is not None else packages(), chosen=only is not None)
