"""`lanewise compile`: compile a shader for another instruction set.

The front end is recognised by the file, the target takes it or not: `compile.frontends` and `compile.targets` have a row for
each, which has the options.
"""

from __future__ import annotations

import sys

from lanewise.api.pairing import match_of, pair_of
from lanewise.compile.frontends import frontends
from lanewise.compile.targets import targets, targets_of
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.document import as_text
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import FLAG, FORCE, STDIO, TEXT, TEXTS, Option, Request
from lanewise.core.source import Span
from lanewise.core.suffixes import suffix_of, take_form
from lanewise.packages import language_of_suffix
from lanewise.tools.command import Progress, begin_limit, configuration_of, sources_of
from lanewise.tools.command_line import (
    CONFIG,
    FORMAT,
    ONE,
    TIMEOUT,
    CommandLine,
    asks_for_help,
    command_rows,
    help_text,
    read_any,
    read_plain,
)
from lanewise.tools.command_line import parser as parser_of
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    DiskFiles,
    InputFailure,
    UsageError,
    end_limit,
    print_findings,
    print_json,
    print_page,
    print_remark,
    print_text,
    refuse_overwriting,
    scope_of,
    use_colour,
    write_files,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from lanewise.compile.frontends import Frontend
    from lanewise.compile.targets import Target
    from lanewise.core.service import Answer, SourceFile, Value
    from lanewise.packages import Match
    from lanewise.tools.command_line import OptionRow, Owner


# What an output of the PICA200 can be, and `none` for an output that is left out.
SEMANTICS = ("position", "normalquat", "color", "texcoord0", "texcoord0w", "texcoord1", "texcoord2", "view", "none")


def _line() -> CommandLine:
    return CommandLine(
        name="compile",
        about="Compile a shader for another instruction set.",
        options=(
            Option(
                names=("-o", "--output"),
                kind=TEXTS,
                help="the file to write (default: the name of the shader with the suffix of the target); - is standard output",
                metavar="FILE",
            ),
            Option(
                names=("--target",),
                kind=TEXT,
                help="the instruction set to compile for (default: pica200, for Direct3D 9 shadercore)",
                metavar="",
                choices=tuple([row.name for row in targets()]),
            ),
            Option(
                names=("--language",),
                kind=TEXT,
                help="the language of FILE (default: recognised)",
                metavar="",
                choices=tuple([row.name for row in frontends()]),
            ),
            Option(names=("--check",), kind=FLAG, help="report errors and warnings, write nothing"),
            TIMEOUT,
            FORMAT,
            FORCE,
            *CONFIG,
        ),
        examples="",
        files=ONE,
        file_help=f"a shader: {', '.join([row.title for row in frontends()])}; - is standard input",
        isa=False,
        dialect=False,
    )


def _owners() -> tuple[Owner, ...]:
    return (*frontends(), *targets())


def parser() -> argparse.ArgumentParser:
    return parser_of(_line(), owners=_owners())


def main(argv: list[str]) -> int:
    line = _line()
    rows = command_rows(line, _owners())
    if asks_for_help(argv):
        print_text(_help(line, argv))
        raise SystemExit(OK)
    given = read_plain(line, rows.values(), argv)
    if given is None:
        from lanewise.tools.field_words import of_fxc

        message = of_fxc(argv, [name for row in rows.values() for name in row.option.names])
        if message:
            raise UsageError(message)
        given = read_any(line, argv, _owners())
    begin_limit(given.values)
    (source,) = sources_of(given.files)
    job = job_of(given.values, source, rows)
    values, target = job.values, job.target
    settings = configuration_of(values).of(source.path).compile
    progress = Progress("steps") if sys.stderr.isatty() else None
    scope = scope_of([source.path], values)
    request = Request(
        "compile",
        (source,),
        {**settings, **values},
        files=DiskFiles(follow=scope.follow),
        read_included=scope.included,
        progress=progress,
    )
    if request.as_json and _to_stdout(request):
        raise UsageError("--format json and the program both want standard output: name a file with -o")
    refuse_overwriting([source.path], [request.text(key) for key in ("output", "header", "constants")])
    try:
        answer = job.compiled(request)
    except InputError as error:
        return _report(request, target, job.findings(source, error))
    finally:
        if progress is not None:
            progress.clear()
    end_limit()
    return _show(answer, request, target)


class Job(Record):
    """A shader, what reads it, and what it is compiled for, by a command line."""

    values: dict[str, Value]
    "Values of options by key: `output` is the file, `semantic` what outputs of the shader are."
    match: Match
    "Kind of the file."
    frontend: Frontend
    "Front end that reads it."
    target: Target
    "Instruction set that it is compiled for."

    def compiled(self, request: Request) -> Answer:
        """Compile. Raises InputError, UsageError, InputFailure."""
        return self.target.compile(self.match.read(self.match.with_member(request)), request)

    def findings(self, source: SourceFile, error: InputError) -> Sequence[Diagnostic]:
        """The findings about a source that cannot be compiled."""
        known = self.match.language is not None or self.match.container is not None
        return error.diagnostics if known else _unknown(source, error.diagnostics, self.frontend)


def job_of(given: Mapping[str, Value], source: SourceFile, rows: Mapping[str, OptionRow]) -> Job:
    """The job of a command line, with the suffix of its output obeyed. Raises UsageError, InputFailure."""
    named = str(given.get("target", ""))
    match = match_of(source, str(given.get("language", "")), named)
    own = language_of_suffix(source.path, match) if not given.get("language") else None
    if own is not None and match.language is not None:
        print_remark(
            f"lanewise compile: {source.name} is read as {match.language.title}, for its content; its suffix is for "
            f"{own.title}: rename it to {match.language.suffixes[0]}"
        )
    frontend, target = pair_of(source, match, named)
    for key in given:
        owners = rows[key].owners
        if owners and frontend not in owners and target not in owners:
            titles = " and ".join([owner.title for owner in owners])
            other = next((each.name for each in targets_of(frontend.name, frontend.isa) if each in owners), "")
            fix = f": add --target {other}" if other else ""
            raise UsageError(
                f"--{key} is an option for {titles}, but {source.name} is {frontend.title} and compiled for {target.title}{fix}"
            )
    _check_choices(given, (frontend, target))
    values = _outputs(given)
    refuse_overwriting([source.path], [str(values.get("output", STDIO))])
    others = [each for each in targets_of(frontend.name, frontend.isa) if each.name != target.name]
    try:
        remark = take_form(values, target.manual("compile").forms)
        if remark:
            print_remark(f"lanewise compile: {remark}")
    except UsageError as error:
        suffix = suffix_of(str(values["output"]))
        default = "" if named else f", by default for {frontend.title}"
        written = [each for each in others if suffix in each.manual("compile").forms]
        reasons = {each: _refusal(source, match, each, given) for each in written}
        hints = [each.name for each, reason in reasons.items() if not reason]
        if not hints and _refusal(source, match, target, given):  # the reason is in the source, not in the name
            return Job({key: value for key, value in values.items() if key != "output"}, match, frontend, target)
        refused = [f"; it cannot be compiled for {each.title}: {reason}" for each, reason in reasons.items()]
        more = f"; --target {' or '.join(hints)} writes {suffix}" if hints else "".join(refused)
        if match.language is not None and suffix in match.package.manual("asm").forms:
            more += f"; `lanewise asm {source.name} -o {values['output']}` assembles the shader itself"
        raise UsageError(f"{error}; the program is compiled for {target.title}{default}{more}") from None
    return Job(values, match, frontend, target)


def rows_of() -> dict[str, OptionRow]:
    """The options of the command by key."""
    return command_rows(_line(), _owners())


def _help(line: CommandLine, argv: Sequence[str]) -> str:
    """The help, for the shader and the target that are named, if any."""
    target = next((row for row in targets() if row.name in (each.removeprefix("--target=") for each in argv)), None)
    from pathlib import Path

    paths = [each for each in argv if not each.startswith("-") and Path(each).is_file()]
    for source in sources_of(paths[:1]):
        try:
            pair = pair_of(source, match_of(source, "", ""), target.name if target is not None else "")
        except (UsageError, InputFailure):
            continue
        return help_text(line, argv, pair, chosen=True)
    return help_text(line, argv, _owners() if target is None else (target,), chosen=target is not None)


_USUAL = {
    **dict.fromkeys(("colour", "color0", "diffuse", "sv_target", "rgba"), "color"),
    **dict.fromkeys(("uv", "texcoord", "uv0", "tex", "st"), "texcoord0"),
    **dict.fromkeys(("pos", "sv_position", "gl_position"), "position"),
    **dict.fromkeys(("normal", "quaternion", "tangent"), "normalquat"),
    **dict.fromkeys(("discard", "null", "no", "off"), "none"),
}


def _outputs(given: Mapping[str, Value]) -> dict[str, Value]:
    """The values with those of --output apart: the file, and as `semantic` what outputs of the shader are. Raises
    UsageError."""
    values = dict(given)
    texts = values.pop("output", ())
    listed = texts if isinstance(texts, tuple) else ()
    for text in listed:
        name, _, semantic = text.partition("=")
        if name.isidentifier() and semantic.isidentifier() and semantic not in SEMANTICS:
            from lanewise.core.text.suggestions import near

            meant = near(_USUAL.get(semantic.lower(), semantic), SEMANTICS)
            hint = f" (did you mean {name}={meant[0]}?)" if meant else ""
            raise UsageError(
                f"--output {text}: unknown semantic '{semantic}': use {', '.join(SEMANTICS)}{hint}; write ./{text} for a file "
                "of that name"
            )
    said = values.pop("semantic", ())
    meanings = tuple([text for text in listed if text.partition("=")[2] in SEMANTICS])
    files = [text for text in listed if text not in meanings]
    colon = next((text for text in files if text.partition(":")[2].lower() in SEMANTICS and len(files) > 1), "")
    if colon:
        raise UsageError(f"--output {colon}: write --output {colon.replace(':', '=', 1).lower()}")
    if len(files) > 1:
        raise UsageError(
            f"--output {files[1]}: {files[0]} is the file to write already, and a semantic is one of {', '.join(SEMANTICS)}"
        )
    meanings = (*meanings, *(said if isinstance(said, tuple) else ()))
    return {**values, **({"output": files[0]} if files else {}), **({"semantic": meanings} if meanings else {})}


def _unknown(source: SourceFile, findings: Sequence[Diagnostic], frontend: Frontend) -> tuple[Diagnostic]:
    """The finding about a file that is of no known kind, and not of the one that was tried."""
    reason = next((finding.message for finding in findings if finding.is_error), "it cannot be read")
    note = reason if reason.startswith("not ") else f"not {frontend.title}: {reason}"
    fix = f"name its language with --language: {', '.join([row.name for row in frontends()])}"
    return (
        Diagnostic(
            code="C001",
            severity=ERROR,
            message="unknown kind of file",
            span=Span(file=source.name, offset=0),
            notes=(note,),
            fix=fix,
        ),
    )


def _to_stdout(request: Request) -> bool:
    writes = not request.flag("check") and not request.has("stage")
    return writes and request.text("output", STDIO if request.sources[0].path == STDIO else "") == STDIO


def _refusal(source: SourceFile, match: Match, target: Target, given: Mapping[str, Value]) -> str:
    """Why a target does not take a shader, such as the PICA200, which has no programs for pixels; empty if it does."""
    values = {key: value for key, value in given.items() if key not in ("output", "target")}
    request = Request("compile", (source,), {**values, "check": True}, files=DiskFiles())
    try:
        answer = target.compile(match.read(match.with_member(request)), request)
    except InputError as error:
        return next((each.message for each in error.diagnostics if each.is_error), "it has errors")
    except (InputFailure, UsageError) as error:
        return str(error)
    return next((each.message for each in answer.first if each.is_error), "it has errors") if answer.failed else ""


def _check_choices(given: Mapping[str, Value], owners: Sequence[Owner]) -> None:
    """Raises UsageError for a value that neither the front end nor the target takes."""
    for option in [option for owner in owners for option in owner.manual("compile").options if option.choices]:
        value = given.get(option.key)
        if isinstance(value, str) and value not in option.choices:
            known = ", ".join(option.choices)
            others = [owner for owner in targets() if _takes(owner, option.key, value)]
            if others and len(owners) > 1:
                raise UsageError(f"--{option.key} {value}: that is for {others[0].title}, for {owners[1].title} use {known}")
            from lanewise.tools import field_words

            fix = field_words.stage(value, option.choices) if option.key == "stage" else f"use {known}"
            raise UsageError(f"--{option.key} {value}: {fix}")


def _takes(owner: Owner, key: str, value: str) -> bool:
    return any(value in option.choices for option in owner.manual("compile").options if option.key == key)


def _show(answer: Answer, request: Request, target: Target) -> int:
    """Print an answer and write its files; the exit code. Raises UsageError, InputFailure."""
    if answer.failed:
        return _report(request, target, answer.first)
    written = [path for path, _ in answer.files]
    refuse_overwriting([request.sources[0].path], written)  # included files are known now
    if request.as_json:
        print_json(answer.schema or "compile", answer.data, target.name, answer.first)
    else:
        print_findings(answer.first)
        for remark in answer.remarks:
            print_remark(f"lanewise compile: {remark}")
        if answer.page and STDIO in written:
            print(as_text(answer.page, colour=use_colour(sys.stderr)), end="", file=sys.stderr)
        elif answer.page:
            print_page(answer.page)
        elif answer.text:
            print_text(answer.text)
    write_files(answer.files, force=request.flag("force"))
    if written and not request.as_json and not request.has("output"):
        print_remark(f"lanewise compile: wrote {', '.join(written)}")  # names that were not given
    return OK


def _report(request: Request, target: Target, findings: Sequence[Diagnostic]) -> int:
    if request.as_json:
        print_json("compile", {}, target.name, findings)
    else:
        print_findings(findings)
    return INPUT_HAS_ERRORS
