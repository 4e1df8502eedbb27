"""Test files `*.shadertest.toml`: parsed, and read by the package of their program."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lanewise.api.loading import assemble, load
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.source import Span, decode_text
from lanewise.packages import packages, recognise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.package import IsaPackage
    from lanewise.core.shadertests import ShaderTest, ShaderTests

SUFFIX = ".shadertest.toml"


def read(path: Path) -> Sequence[ShaderTest]:
    """The tests of a file. Raises InputError with everything that is wrong with it, OSError."""
    text = decode_text(path.read_bytes())
    try:
        content = cast("dict[str, object]", tomllib.loads(text.replace("\r\n", "\n")))
    except tomllib.TOMLDecodeError as error:
        raise InputError([_invalid(path, text, str(error))]) from None
    except ValueError:  # Python converts no more than 4,300 digits
        raise InputError([_invalid(path, text, "An integer has too many digits")]) from None
    except RecursionError:
        raise InputError([_invalid(path, text, "Values are nested too deeply")]) from None
    return _service(path, content).read(path, text, content)


def failure(test: ShaderTest) -> str:
    """Run a test: what differs, or an empty text. Raises InputError, OSError."""
    return test.failure(linked(test.programs))


def linked(programs: Sequence[Path]) -> object:
    """A program, or the one that several sources give. Raises InputError, OSError."""
    return load(programs[0]) if len(programs) == 1 else assemble(list(programs))


def service_of(program: object) -> ShaderTests:
    """The shader tests that take a program. Raises TypeError for an object that none takes."""
    found = [service for _, service in _services() if isinstance(program, service.kinds)]
    if not found:
        raise TypeError(f"shader tests take a path or a {_kinds()}, not a {type(program).__name__}")
    return found[0]


def _services() -> list[tuple[IsaPackage, ShaderTests]]:
    return [(package, package.shader_tests()) for package in packages() if package.shader_tests is not None]


def _kinds() -> str:
    return ", ".join([kind.__name__ for _, service in _services() for kind in service.kinds])


def _service(path: Path, content: dict[str, object]) -> ShaderTests:
    """The service of the package that its program belongs to; where the program is missing, the first, which reports that."""
    services = _services()
    value = content.get("program")
    names = cast("list[object]", value) if isinstance(value, list) else [value]
    program = path.parent / names[0] if names and isinstance(names[0], str) else None
    match = recognise(str(program), program.read_bytes()) if program is not None and program.is_file() else None
    if match is None:
        return services[0][1]
    for package, service in services:
        if package.name == match.package.name:
            return service
    able = ", ".join([package.title for package, _ in services])
    message = f"{program} is a {match.title}: shader tests run programs of {able}"
    raise InputError([Diagnostic("T005", ERROR, message, Span(str(path)), (), f"name a program of {able}")])


def _invalid(path: Path, text: str, message: str) -> Diagnostic:
    place = re.search(r" \(at line (\d+), column (\d+)\)", message)
    lines = text.split("\n")
    span = Span(str(path))
    if place and int(place[1]) <= len(lines):
        span = Span(str(path), int(place[1]), int(place[2]), 1, lines[int(place[1]) - 1].rstrip("\r"))
    said = message[: place.start()] if place else message
    fix = "see toml.io for how tables, texts and lists are written"
    return Diagnostic("T001", ERROR, f"invalid TOML: {said[:1].lower()}{said[1:]}", span, (), fix)
