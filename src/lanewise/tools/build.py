"""`lanewise build`: the programs of a configuration, those that are not up to date."""

from __future__ import annotations

import os

from lanewise import __version__
from lanewise.core import files
from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import FLAG, FOLLOW, FORCE, STDIO, TEXTS, InputFailure, Option, Request, SourceFile, UsageError
from lanewise.core.source import Span
from lanewise.core.suffixes import stem_of, suffix_of, take_form
from lanewise.packages import common_language, language_of, languages, recognise
from lanewise.tools import asm, compile
from lanewise.tools.build_record import BuildRecord, Inputs, key_of, make_folder_of
from lanewise.tools.command import parse
from lanewise.tools.command_line import CONFIG, FORMAT, CommandLine
from lanewise.tools.configuration import NAME, Configuration
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    WRONG_USAGE,
    print_findings,
    print_json,
    print_remark,
    print_text,
    read_bytes,
    refuse_overwriting,
    scope_of,
    write_files,
)
from lanewise.tools.folders import units_of
from lanewise.tools.units import Building

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.core.service import Answer, Value
    from lanewise.tools.configuration import Settings

BUILT, CURRENT, STALE, FAILED = "built", "current", "stale", "failed"
LINE = CommandLine(
    name="build",
    about="Build the programs of lanewise.toml that are not up to date: those of [units], and those of the sources in [build].",
    options=(
        Option(names=("--all",), kind=FLAG, help="build all of them, also those that are up to date"),
        Option(
            names=("--check",), kind=FLAG, help="write nothing; say what is not up to date, and exit with 1 if it is something"
        ),
        FORMAT,
        FORCE,
        CONFIG[0]._replace(help="the configuration (default: the nearest lanewise.toml or pyproject.toml, upwards of here)"),
        FOLLOW,
    ),
    examples="""
  lanewise build                                   every program of the nearest lanewise.toml
  lanewise build light source/toon.v.pica          programs by name, or by one of their sources
  lanewise build --check                           what is not up to date
  lanewise build --config app/lanewise.toml --format json""",
    files="*",
    file_help="names of programs, or sources in them (default: all)",
    isa=False,
    dialect=False,
)


class Program(Record):
    """A program that is built."""

    name: str
    "Key of its unit, or the name of its source without suffixes."
    files: tuple[str, ...]
    "Paths of its sources, as they are shown."
    options: Mapping[str, Value] = {}
    "Values of options of `lanewise asm` or `compile`."


class Done(Record):
    """The outcome for a program."""

    name: str
    "Name of the program."
    sources: tuple[str, ...]
    "Paths of its sources."
    state: str
    "`built`, `current`, `stale` (with --check) or `failed`."
    reason: str = ""
    "Why it is not up to date; empty for one that is."
    files: tuple[str, ...] = ()
    "Paths of its outputs."
    isa: str | None = None
    "Instruction set of what was built; None for what was not."
    findings: tuple[Diagnostic, ...] = ()
    "What was found in its sources."
    misused: bool = False
    "Its unit in the configuration is wrong, as a command line would be."

    @property
    def data(self) -> dict[str, object]:
        """The program in JSON."""
        return {
            "name": self.name,
            "sources": list(self.sources),
            "isa": self.isa,
            "state": self.state,
            "reason": self.reason,
            "files": list(self.files),
        }

    @property
    def text(self) -> str:
        """A line about the program."""
        if self.state == BUILT:
            return f"{self.name}: {', '.join(self.files)}\n"
        return f"{self.name}: not up to date: {self.reason}\n" if self.state == STALE else ""


class Output(Record):
    """The files of a program."""

    answer: Answer
    isa: str
    inputs: Mapping[str, str]
    "Digests of the files that it was built from."


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    configuration = Configuration(parsed.text("config"))
    settings = configuration.of(STDIO)
    if not settings.path:
        raise UsageError(f"no {NAME} here or in a folder above: write one with [units]; see lanewise build --help")
    building = settings.build or Building(files.inside(os.path.dirname(settings.path), "build"))
    every = programs_of(settings, building, configuration, follow=parsed.flag(FOLLOW.key))
    builder = _Builder(settings, building, follow=parsed.flag(FOLLOW.key), force=parsed.flag(FORCE.key))
    done: list[Done] = []
    try:
        for program in named(every, parsed.files):
            one = builder.done(program, again=parsed.flag("all"), writes=not parsed.flag("check"))
            done.append(one)
            if not parsed.as_json:
                print_findings(one.findings)
                print_text(one.text)
    finally:
        if not parsed.flag("check"):
            builder.record.write([program.name for program in every])
    counts = {state: sum(one.state == state for one in done) for state in (BUILT, CURRENT, STALE, FAILED)}
    if parsed.as_json:
        isas = {one.isa for one in done if one.isa}
        findings = [finding for one in done for finding in one.findings]
        print_json(
            "build", {"programs": [one.data for one in done], **counts}, isas.pop() if len(isas) == 1 else None, findings
        )
    else:
        print_text(_summary(counts))
        if counts[STALE]:
            record = _shown(builder.record.path)
            print_remark(f"run `lanewise build`, and commit its outputs with {record}: --check compares with them")
    if any(one.misused for one in done):
        return WRONG_USAGE
    return INPUT_HAS_ERRORS if counts[FAILED] or counts[STALE] else OK


def _summary(counts: Mapping[str, int]) -> str:
    titles = {BUILT: "built", CURRENT: "up to date", STALE: "not up to date", FAILED: "failed"}
    count = sum(counts.values())
    return f"{count} program{'s' * (count != 1)}: {', '.join([f'{n} {titles[state]}' for state, n in counts.items() if n])}\n"


def programs_of(settings: Settings, building: Building, configuration: Configuration, *, follow: bool) -> list[Program]:
    """The programs of a configuration. Raises UsageError, InputFailure."""
    found = [Program(unit.name, tuple(map(_shown, unit.files)), unit.options) for unit in settings.units]
    declared = {os.path.normpath(path) for program in found for path in program.files}
    suffixes = [suffix for _, language in languages() for suffix in language.suffixes]
    sources = units_of(map(_shown, building.sources), suffixes, configuration, follow=follow, linked=True)
    if sources.unread:
        raise InputError(sources.unread)
    free = [unit for unit in sources.units if declared.isdisjoint(map(os.path.normpath, unit.files))]
    found += [Program(_name_of(unit.name, suffixes), unit.files) for unit in free]
    names: dict[str, Program] = {}
    for program in found:
        other = names.setdefault(program.name, program)
        if other is not program:
            raise UsageError(
                f"{settings.path}: {', '.join(other.files)} and {', '.join(program.files)} are both called {program.name}: add "
                "a line to [units] for one of them"
            )
    if not found:
        raise UsageError(f"{settings.path} has no program to build: add [units], or sources = [...] to [build]")
    return found


def _name_of(path: str, suffixes: Iterable[str]) -> str:
    """The name of a file without the longest suffix of a language that it has."""
    name = os.path.basename(path)
    ends = [suffix for suffix in (*suffixes, suffix_of(name)) if name.lower().endswith(suffix) and name != suffix]
    return name[: -len(max(ends, key=len))] if ends and max(ends, key=len) else name


def _shown(path: str) -> str:
    """A path as messages have it: from here, where it is in this folder."""
    try:
        near = os.path.relpath(path)
    except (OSError, ValueError):  # another drive
        return path
    return path if near.startswith(os.pardir) else near


def named(programs: Sequence[Program], wanted: Sequence[str]) -> list[Program]:
    """The programs that a command line names, by name or by a source. Raises UsageError."""
    if not wanted:
        return [*programs]
    found: list[Program] = []
    for text in wanted:
        path = os.path.normpath(_shown(os.path.abspath(text)))
        some = [each for each in programs if each.name == text] or [
            each for each in programs if path in map(os.path.normpath, each.files)
        ]
        if not some:
            from lanewise.tools.console import unknown

            raise unknown("program", text, [program.name for program in programs])
        found += [program for program in some if program not in found]
    return found


class _Builder:
    """Builds programs of a configuration."""

    def __init__(self, settings: Settings, building: Building, *, follow: bool, force: bool) -> None:
        self._settings, self._building, self._follow, self._force = settings, building, follow, force
        self._folder = os.path.dirname(settings.path)
        self._written: dict[str, str] = {}  # names of programs by the normal paths of their outputs
        self.record = BuildRecord(self._folder, building.output)

    def done(self, program: Program, *, again: bool, writes: bool) -> Done:
        """Build a program unless it is up to date; without `writes` say only whether it is."""
        key = self._key(program)
        why = "--all" if again else self.record.stale(program.name, key)
        whole = Done(name=program.name, sources=program.files, state=CURRENT, reason=why)
        if not why:
            self._claim(program.name, self.record.outputs(program.name))
            return whole._replace(files=tuple(map(_shown, self.record.outputs(program.name))))
        if not writes:
            return whole._replace(state=STALE)
        failed = whole._replace(state=FAILED)
        try:
            output = self._output(program)
            if output.answer.failed:
                return failed._replace(isa=output.isa, findings=output.answer.first)
            outputs = self._placed(program, output.answer)
            self._claim(program.name, [path for path, _ in outputs])
            self._write(program, outputs)
        except InputError as error:
            return failed._replace(findings=error.diagnostics)
        except (UsageError, InputFailure) as error:
            return failed._replace(findings=(self._finding(program, error),), misused=isinstance(error, UsageError))
        self.record.put(program.name, key, output.inputs, outputs)
        paths = tuple([_shown(path) for path, _ in outputs])
        return whole._replace(state=BUILT, files=paths, isa=output.isa, findings=output.answer.first)

    def _key(self, program: Program) -> str:
        settings = self._settings
        return key_of(
            {
                "lanewise": __version__,
                "sources": [self._portable(os.path.abspath(path)) for path in program.files],
                "options": {key: self._portable(value) for key, value in program.options.items()},
                "dialect": settings.dialect,
                "compile": {key: self._portable(value) for key, value in settings.compile.items()},
                "output": self._portable(self._building.output),
                "headers": self._portable(self._building.headers),
            }
        )

    def _portable(self, value: Value) -> Value:
        """A value whose paths are written from the folder of the configuration, wherever that is and however it was named."""
        if isinstance(value, tuple):
            return tuple([str(self._portable(each)) for each in value])
        for folder in (self._folder, os.path.abspath(self._folder)):
            if isinstance(value, str) and folder and value.startswith(folder + os.sep):
                return value[len(folder) + 1 :]
        return value

    def _finding(self, program: Program, error: UsageError | InputFailure) -> Diagnostic:
        message = f"program {program.name} of {_shown(self._settings.path)}: {error}"
        return Diagnostic(code=error.code, severity=ERROR, message=message, span=Span(file=program.files[0]))

    def _output(self, program: Program) -> Output:
        """Assemble or compile a program. Raises InputError, UsageError, InputFailure."""
        values = dict(program.options)
        scope = scope_of(program.files, {**values, **({"follow": True} if self._follow else {})})
        inputs = Inputs(scope)
        sources = tuple([SourceFile(path, inputs.note(path, read_bytes(path)), path) for path in program.files])
        match = recognise(sources[0].path, sources[0].data)
        if "target" in values or (match is not None and match.compiled):
            return self._compiled(program.name, values, sources, inputs)
        return self._assembled(program.name, values, sources, inputs)

    def _assembled(self, name: str, values: dict[str, Value], sources: tuple[SourceFile, ...], inputs: Inputs) -> Output:
        found = asm.found_language(sources, self._dialect(values, sources[0]))
        options = (*asm.OPTIONS, *found.package.manual("asm").options)
        known = {option.key: option for option in options}
        for key in values:
            if key not in known:
                raise UsageError(f"{key} is not an option of `lanewise asm` for {found.language.title}")
        asm.check_choices(options, {key: value for key, value in values.items() if isinstance(value, str)})
        doubt = take_form(values, asm.forms_of(found.package))
        if self._building.headers and "header" in known:
            values.setdefault("header", self._header(name))
        language = common_language(found.package, sources) if found.mixed else found.language.name
        request = Request("asm", sources, values, language=language, files=inputs, read_included=inputs.included)
        answer = found.package.assemble(request)
        if doubt:
            usual = stem_of(str(values["output"])) + next(
                name for name, option in asm.forms_of(found.package).items() if not option
            )
            finding = Diagnostic(
                code="U001",
                severity=WARNING,
                message=f"program {name}: output {_shown(str(values['output']))}: {doubt.partition(': ')[2]}",
                span=Span(file=_shown(self._settings.path)),
                fix=f'write `output = "{_shown(usual)}"`',
            )
            answer = answer._replace(first=(*answer.first, finding))
        return Output(answer, found.package.name, inputs.digests)

    def _dialect(self, values: Mapping[str, Value], source: SourceFile) -> str:
        """The language that the unit names, or the configuration where it decides; empty for the one that is recognised."""
        ours, general = values.get("dialect", ""), self._settings.dialect
        if ours or not general:
            return str(ours)
        package, _ = language_of(general)
        match = recognise(source.path, source.data)
        decides = match is None or (match.package.name == package.name and match.language is not None)
        return general if decides else ""

    def _compiled(self, name: str, values: dict[str, Value], sources: tuple[SourceFile, ...], inputs: Inputs) -> Output:
        source, *others = sources
        if others:
            raise UsageError(f"{source.name} is compiled, and only assembly sources are linked: leave out the others")
        rows = compile.rows_of()
        for key in values:
            if key not in rows:
                raise UsageError(f"{key} is not an option of `lanewise compile`")
        given = {
            key: (value,) if rows[key].option.kind == TEXTS and isinstance(value, str) else value
            for key, value in values.items()
        }
        job = compile.job_of(given, source, rows)
        if "to" not in job.values:  # a service that knows its output looks at what is in the default header's place
            job.values.setdefault("output", self._inside(self._building.output, name + job.target.binary))
            if self._building.headers:
                job.values.setdefault("header", self._header(name))
        request = Request(
            "compile",
            sources,
            {**self._settings.compile, **job.values},
            files=inputs,
            read_included=inputs.included,
        )
        try:
            return Output(job.compiled(request), job.target.name, inputs.digests)
        except InputError as error:
            raise InputError(tuple(job.findings(source, error))) from None

    def _header(self, name: str) -> str:
        """The header of a program that names none."""
        return self._inside(self._building.headers, f"{name}_uniforms.h")

    def _placed(self, program: Program, answer: Answer) -> list[tuple[str, bytes]]:
        """The files of an answer: those that its unit does not name go to the folder of outputs. Raises UsageError."""
        if "output" in program.options:
            return [*answer.files]
        folder = os.path.dirname(program.files[0])
        found: list[tuple[str, bytes]] = []
        for path, data in answer.files:
            beside = os.path.dirname(path) == folder and path not in program.options.values()
            name = program.name + suffix_of(path)
            found.append((self._inside(self._building.output, name) if beside else path, data))
        return found

    def _inside(self, folder: str, name: str) -> str:
        """The path of a file whose name has that of a program. Raises UsageError."""
        try:
            return files.inside(folder, name)
        except ValueError as error:
            raise UsageError(f"{error}; give the unit another name") from None

    def _claim(self, name: str, paths: Iterable[str]) -> None:
        """Note the outputs of a program. Raises UsageError for one that is another's."""
        for path in paths:
            other = self._written.setdefault(os.path.normcase(os.path.abspath(path)), name)
            if other != name:
                raise UsageError(f"{_shown(path)} is an output of {other} already: give {name} another one")

    def _write(self, program: Program, outputs: Sequence[tuple[str, bytes]]) -> None:
        """Write the outputs of a program whole, or none: those that have changed, so that what depends on others is not built
        again. Raises UsageError, InputFailure."""
        refuse_overwriting(program.files, [path for path, _ in outputs])
        for path, _ in outputs:
            make_folder_of(path)
        write_files([(path, data) for path, data in outputs if _content(path) != data], force=self._force)


def _content(path: str) -> bytes | None:
    """The bytes of a file that is there; None for others."""
    try:
        return files.read(path, files.STREAM)
    except (OSError, ValueError):
        return None
