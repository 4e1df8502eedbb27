"""Shaders that are compiled on the way of another command: `lanewise time --target`, `lanewise opt --target`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import COMPILER_OPTIONS, FOLLOW, TEXT, Option, Request, SourceFile, UsageError
from lanewise.packages import package_of, recognise
from lanewise.tools.command import load, one_match, request_of, sources_of
from lanewise.tools.console import DiskFiles, print_remark, scope_of
from lanewise.tools.folders import expanded

if TYPE_CHECKING:
    from lanewise.core.package import Loaded
    from lanewise.core.service import Value
    from lanewise.tools.command import Parsed, Progress


def target_option(*names: str) -> Option:
    """The option `--target` with these instruction sets."""
    return Option(
        names=("--target",),
        kind=TEXT,
        help="the program that `lanewise compile` makes of FILE for this instruction set, with the settings of lanewise.toml",
        metavar="",
        choices=names,
    )


def load_for(parsed: Parsed, progress: Progress | None = None) -> tuple[Loaded, Request]:
    """The program of a command line as `load` reads it, or what it becomes for `--target`. Raises UsageError, InputFailure,
    InputError."""
    name = str(parsed.values.pop("target", ""))
    if not name:
        return load(parsed, progress)
    sources = sources_of(expanded(parsed.files, parsed.configuration, follow=parsed.flag(FOLLOW.key)))
    if len(sources) != 1:
        raise UsageError("--target takes one FILE: a shader is compiled by itself")
    (source,) = sources
    match = one_match(parsed, sources)
    if match.package.name != name:
        from lanewise.api.pairing import pair_of

        _, target = pair_of(source, match, name)
        values: dict[str, Value] = {
            key: parsed.values[key]
            for key in ("device", "set", *COMPILER_OPTIONS)
            if key in parsed.values and key != "preamble"
        }
        parsed = parsed._replace(
            values={key: each for key, each in parsed.values.items() if key not in values or key in ("device", "set")}
        )
        # what a preamble computes is in a file beside the program, and there is none
        settings = {key: value for key, value in parsed.configuration.of(source.path).compile.items() if key != "preamble"}
        shown = f"{source.stem}{target.binary}"
        request = Request(
            "compile",
            (source,),
            {**settings, **values, "output": shown},
            files=DiskFiles(follow=parsed.flag(FOLLOW.key)),
            read_included=scope_of([source.path], parsed.values).included,
            progress=progress,
        )
        answer = target.compile(match.read(match.with_member(request)), request)
        data = next(data for path, data in answer.files if path == shown)
        apart = len(answer.files) > 1 and parsed.text("output")
        beside = "; its constants and names are in the .json that `lanewise compile` writes" if apart else ""
        print_remark(f"{source.name} is compiled for {target.title}{beside}")
        source = SourceFile(name=shown, data=data, path=shown)
        match = recognise(shown, data)
        assert match is not None, "what is compiled is recognised"
    request = match.with_member(request_of(parsed, (source,), package_of(name), progress))
    return match.read(request), request
