"""SPIR-V modules by the compilers of other projects: `to_spirv`.

A compiler runs as a process with the source in a folder of its own, which is removed.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from lanewise.compile.outside.compilers import Job, installed
from lanewise.compile.outside.effects import without_effects
from lanewise.compile.outside.fixed_function import as_written
from lanewise.compile.outside.includes import MARK, Copy, Included, resolve
from lanewise.compile.outside.meant import defined
from lanewise.compile.outside.messages import messages
from lanewise.compile.outside.module import Spirv
from lanewise.compile.outside.refusing import MOST_NOTES, refuse_nonsense, refuse_pixels, refuse_stage, without_old
from lanewise.compile.outside.running import run
from lanewise.compile.outside.sources import entry_of, including, is_modern, is_vulkan, safe_name
from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, InputError, has_errors, visible
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span, decode_text
from lanewise.core.writing import write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.service import SourceFile

LIMIT = 60.0  # seconds that a compiler may take
_UNKNOWN = re.compile("undeclared|undefined|no matching overloaded|unknown type")
_MARKED = re.compile(f"{MARK}([0-9]{{1,6}})")


def to_spirv(
    source: SourceFile,
    language: str,
    *,
    compiler: str = "",
    defines: Sequence[str] = (),
    folders: Sequence[str] = (),
    entry: str = "",
    optimised: bool = False,
    plain: bool = False,
    limit: float = LIMIT,
    read: Callable[[str], str] | None = None,
) -> Spirv:
    """The SPIR-V module of a source. `read` gives the text of a file that it includes, and raises OSError; without it no file
    is included. `plain`: for a debugger of HLSL, which compilers optimise otherwise.

    Raises InputError with the findings of the compiler, or where there is none.
    """
    text = decode_text(source.data)
    refuse_nonsense(source)
    refuse_stage(source, text, language)
    if language == "hlsl":
        refuse_pixels(source, text, entry_of(source, text, language, entry))
    plain = plain and language == "hlsl" and not optimised
    chosen, command = installed(source.name, language, compiler, plain=plain)
    with tempfile.TemporaryDirectory(prefix="lanewise-") as folder:
        given = Path(folder, safe_name(source, language))
        output = Path(folder, "module.spv")
        included = resolve(text, "" if source.path == "-" else source.path, language, folders, read)
        asks = chosen.name == "glslang" and language == "glsl"
        modern = language != "glsl" or is_modern(text)
        copies = [copy.given for copy in included.copies]
        main, *copies = without_old(source, [included.given, *copies]) if language == "glsl" else [included.given, *copies]
        if language == "hlsl":
            main, *copies = map(without_effects, [main, *copies])
        write(given, (including(main) if asks else main).encode())
        names = dict.fromkeys((*_names(given), "0"), source.name)
        inside: dict[str, Copy] = {}
        for copy, copied in zip(included.copies, copies, strict=True):
            place = Path(folder, copy.name)
            place.parent.mkdir(parents=True, exist_ok=True)
            write(place, copied.encode())
            names |= dict.fromkeys(_names(place, copy.name), copy.shown)
            inside |= dict.fromkeys(_names(place, copy.name), copy)
        job = Job(
            language=language,
            source=given.name,
            output=output.name,
            defines=tuple(defines),
            entry=entry_of(source, text, language, entry),
            optimised=optimised,
            modern=modern,
            plain=plain,
        )
        ran = run([*command, *chosen.arguments(job)], folder, output.name, limit)
        if ran.failed and chosen.has_modes and language == "glsl" and has_errors(messages(chosen.name, ran.text, {}, {})):
            other = run([*command, *chosen.arguments(job._replace(vulkan=True))], folder, output.name, limit)
            if other.code == 0 or (other.failed and is_vulkan(text)):
                job, ran = job._replace(vulkan=True), other
        refused = ran.failed and optimised and not has_errors(messages(chosen.name, ran.text, {}, {}))
        if refused:  # the optimiser of glslang is stricter than its front end, for one on uniforms of type bool
            ran = run([*command, *chosen.arguments(job._replace(optimised=False))], folder, output.name, limit)
        texts = {source.name: text, **{copy.shown: copy.text for copy in included.copies}}
        told = [_told(each, included) for each in messages(chosen.name, ran.text, names, texts, language)]
        found = _fewer([defined(each, defines) for each in told], chosen.name)
        if refused:
            message = f"{chosen.name} cannot optimise this source: it is compiled without"
            found.append(
                Diagnostic(
                    code="L902", severity=WARNING, message=message, span=Span(file=source.name), notes=(), fix="leave out -O"
                )
            )
        title = f"{chosen.name} ({command[-1]})"
        if ran.stopped:
            raise InputError([*found, _failed(source.name, f"{chosen.name} {ran.stopped}")])
        data = ran.read(output.name)
        if ran.code != 0 or has_errors(found) or data is None:
            said = [line.strip() for line in ran.text.splitlines() if line.strip() and not line.startswith(("#", "---"))]
            first = next((line for line in said if "error" in line.lower()), said[-1] if said else "")
            why = f"{chosen.name} ends with code {ran.code}" + (f": {first[:_MOST_SHOWN]}" if first else "")
            raise InputError(found if has_errors(found) else [*found, _failed(source.name, why)])
        return Spirv(data=data, compiler=title, diagnostics=tuple(found), written=_names(given), included=inside)


def _names(place: Path, name: str = "") -> tuple[str, ...]:
    """The names that a file in the folder of a compiler may have in its messages and its module."""
    name = name or place.name
    return tuple(dict.fromkeys((name, f"./{name}", str(place), str(place.resolve()))))


def _told(found: Diagnostic, included: Included) -> Diagnostic:
    """The finding of an include that was not read, instead of that of the `#error` in its place."""
    found = found._replace(message=as_written(found.message))
    marked = _MARKED.search(found.message)
    if marked is None or int(marked[1]) >= len(included.missing):
        return found
    missing = included.missing[int(marked[1])]
    message = f"'{visible(missing.name, '')}' is not included: {missing.reason}"
    return Diagnostic(code="L905", severity=ERROR, message=message, span=found.span, fix=missing.fix)


def _fewer(found: list[Diagnostic], name: str) -> list[Diagnostic]:
    """The findings without errors that are likely to follow from the first ones."""
    if any(each.code == "L905" for each in found):  # names may be of the file that was not read
        found = [each for each in found if each.severity != ERROR or not _UNKNOWN.search(each.message)]
    errors = [each for each in found if each.severity == ERROR]
    left = len(errors) - MOST_NOTES
    if left <= 0:
        return found
    last = errors[MOST_NOTES - 1]
    noted = last._replace(notes=(*last.notes, f"{name} reports {left} more error{'s' * (left > 1)}"))
    return [noted if each is last else each for each in found if each.severity != ERROR or each in errors[:MOST_NOTES]]


_MOST_SHOWN = 300  # of a line of a compiler


def _failed(name: str, message: str) -> Diagnostic:
    return Diagnostic(
        code="L904",
        severity=ERROR,
        message=message,
        span=Span(file=name),
        notes=(),
        fix="use another compiler with `--glsl-compiler`",
    )
