"""`lanewise convert`: convert a program to another assembly language."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.service import FORCE, STDIO, TEXT, Answer, Option, UsageError
from lanewise.packages import language_of, languages
from lanewise.tools.command import named, one_match, package_of_language, parse, report_errors, request_of, sources_of
from lanewise.tools.command_line import FORMAT, CommandLine
from lanewise.tools.console import refuse_overwriting
from lanewise.tools.dis import show_sources
from lanewise.tools.folders import expanded


def line() -> CommandLine:
    names = tuple([language.name for _, language in languages() if language.write is not None])
    return CommandLine(
        name="convert",
        about="Convert sources or a binary to another assembly language of the same instruction set.",
        options=(
            Option(names=("--to",), kind=TEXT, help="the language to write (required)", metavar="", choices=names),
            Option(
                names=("-o", "--output"),
                kind=TEXT,
                help="a file for one source, a folder for several (default: standard output)",
                metavar="OUT",
            ),
            FORCE,
            FORMAT,
        ),
        examples="",
        file_help="a binary, or sources, which are linked; - is standard input",
        forms={".json": "format=json", ".txt": ""},
        isa=False,
    )


def main(argv: list[str]) -> int:
    named(argv, [("--to", package_of_language)])  # looks up an instruction set of another distribution
    parsed = parse(line(), argv)
    to = parsed.text("to")
    if not to:
        names = [language.name for _, language in languages() if language.write is not None]
        output = parsed.text("output").lower()
        meant = [
            language.name for _, language in languages() if output.endswith(tuple(language.suffixes)) and language.name in names
        ]
        written = (
            f"add --to {meant[0]} for {parsed.text('output')}"
            if meant
            else f"add --to {', --to '.join(names[:-1])} or --to {names[-1]}"
        )
        raise UsageError(f"the language to write is not named: {written}")
    refuse_overwriting(parsed.files, [parsed.text("output", STDIO)])
    package, language = language_of(to)
    try:
        sources = sources_of(expanded(parsed.files, follow=parsed.flag("follow")))
        match = one_match(parsed, sources)
        if match.package.name != package.name or language.write is None:
            raise UsageError(f"{sources[0].name} is for {match.package.title}, and {to} is a language of {package.title}")
        request = request_of(parsed, sources, match.package)
        loaded = match.package.load(request) if len(sources) > 1 else match.read(request)
        result = language.write(loaded, request)
    except InputError as error:
        return report_errors(error.diagnostics, parsed)
    data = {
        "plain": result.plain,
        "arguments": list(result.arguments),
        "lost": list(result.lost),
        "sources": [{"name": source.name, "text": source.text} for source in result.sources],
    }
    return show_sources(Answer(data=data), result, parsed)
