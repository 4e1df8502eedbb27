"""`lanewise studio`: a page that shows what shaders do. The page and its server are a distribution of their own."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from lanewise.core.diagnostics import InputError
from lanewise.core.file_list import LIST_SUFFIX
from lanewise.core.files import STREAM
from lanewise.core.members import split
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, FOLLOW, INTEGER, STDIO, TEXT, TEXTS, InputFailure, Option, UsageError
from lanewise.packages import languages, packages
from lanewise.tools.command import configuration_of, parse
from lanewise.tools.command_line import CONFIG, CommandLine
from lanewise.tools.console import OK, print_remark, print_text, read_bytes, reason
from lanewise.tools.folders import expanded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from lanewise.tools.configuration import Configuration
    from lanewise.tools.frame_sources import Source

_PACKAGE = "lanewise_studio"
_FRAMES = ".ctf"  # recorded frames, which may be larger than programs
LINE = CommandLine(
    name="studio",
    about="Open a page in the browser: source, machine words, data, mesh, steps and comparisons of shaders. Everything stays "
    "on this machine.",
    options=(
        Option(names=("--port",), kind=INTEGER, help="the port of this machine (default: a free one)", metavar="PORT"),
        Option(names=("--no-browser",), kind=FLAG, help="only print the link"),
        Option(
            names=("--link",),
            kind=TEXT,
            help="open the sources and the data that a link of another session carries",
            metavar="LINK",
        ),
        Option(
            names=("--source",),
            kind=TEXTS,
            help="of a recorded frame: a source of the first draw's program, shown and run in place of the disassembly of each "
            "draw with its words (once for each source that is linked)",
            metavar="FILE",
        ),
        Option(
            names=("--sources",),
            kind=TEXT,
            help="of a recorded frame: show the sources in a folder that assemble to the programs of draws, in place of the "
            "disassembly",
            metavar="DIR",
        ),
        *CONFIG,
    ),
    examples="""
  lanewise studio                            an example to begin with
  lanewise studio light.v.pica ship.obj      a shader, and a mesh for it
  lanewise studio light.v.pica light.g.pica  sources that are linked
  lanewise studio light.shlist               the sources that a list names
  lanewise studio frame.ctf:12               a recorded frame, at draw 12
  lanewise studio light.shadertest.toml      what the page has saved, with its mesh
  lanewise studio frame.ctf --sources source/   a recorded frame with the sources of the project
  lanewise studio --link 'http://127.0.0.1:8123/#NZBB...'  what somebody else has copied""",
    files="*",
    file_help="programs of one instruction set, files that they include, meshes, a recorded frame, or what the page has "
    "saved; a source stands for the unit of lanewise.toml that has it",
    isa=False,
    dialect=False,
)
INSTALL = "lanewise studio needs the package lanewise-studio: in a checkout of lanewise, `pip install ./studio`"


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    port = parsed.values.get("port", 0)
    if not isinstance(port, int) or not 0 <= port < 1 << 16:
        raise UsageError(f"--port is {port}: expected a port, 0 to 65535")
    if STDIO in parsed.files:
        raise UsageError("the page needs files with names: standard input has none")
    if find_spec(_PACKAGE) is None:
        raise UsageError(INSTALL)
    state = state_of(parsed.text("link"))
    given = [split(path, os.path.exists) for path in parsed.files]
    linked = linked_with([path for path, _ in given], configuration_of(parsed.values), follow=parsed.flag(FOLLOW.key))
    found = [(file, member if file == path else "") for path, member in given for file in linked[path]]
    paths = tuple([path for path, _ in found])
    sources = parsed.texts("source")
    files = named((*paths, *sources))
    app: Any = import_module(f"{_PACKAGE}.app")  # by name, as it may not be there
    frames = [name for name, data in files.items() if app.is_frame(data)]
    for option in ("source", "sources"):
        if option in parsed.values and not frames:
            raise UsageError(f"--{option} is about a recorded frame: lanewise studio frame.ctf --{option} ...")
    names = names_of((*paths, *sources))
    draws = [(name, member) for name, (_, member) in zip(names, found, strict=False) if member]
    for name, member in draws:
        if len(draws) > 1 or not app.is_frame(files[name]):
            raise UsageError(f"{name}:{member}: one draw of a recorded frame is opened by its number, other files as a whole")
    start = app.Start(
        files=files,
        port=port,
        browser=not parsed.flag("no-browser"),
        folders=folders_of(paths),
        state=state,
        draw=draws[0] if draws else ("", ""),
        known=known_of(parsed.text("sources"), sources) if frames else (),
    )
    try:
        app.serve(start, _announce)
    except InputError as error:  # of a saved state
        first = error.diagnostics[0]
        raise InputFailure(f"{first.message}: {first.fix}" if first.fix else first.message) from None
    except OSError as error:
        raise InputFailure(f"cannot serve on port {port} of this machine: {reason(error)}") from None
    return OK


def linked_with(paths: Sequence[str], configuration: Configuration, *, follow: bool) -> dict[str, tuple[str, ...]]:
    """The files that each path of a command line stands for: a list for those that it names, the only source for its unit of
    the configuration. Raises UsageError, InputFailure."""
    suffixes = tuple([suffix for _, language in languages() for suffix in language.suffixes])
    lists = [path for path in paths if path.lower().endswith(LIST_SUFFIX)]
    sources = [path for path in paths if path.lower().endswith(suffixes)]
    alone = not lists and len(sources) == 1
    return {
        path: expanded((path,), configuration if alone else None, follow=follow)
        if path in lists or (alone and path in sources)
        else (path,)
        for path in paths
    }


def known_of(folder: str, sources: Sequence[str]) -> list[tuple[Sequence[str], Mapping[str, bytes]]]:
    """The programs of sources and of those in a folder: the names that lists of draws have for each, and its files by the
    names that the page has for them. Raises InputFailure, UsageError."""
    return [
        (source.identities, dict(zip(names_of(tuple(source.contents)), source.contents.values(), strict=True)))
        for source in _known(folder, sources)
    ]


def _known(folder: str, sources: Sequence[str]) -> Iterator[Source]:
    from lanewise.tools.frame_sources import source_of, sources_in

    for package in packages():
        if package.frames is None:
            continue
        with suppress(InputError):  # the page shows what is wrong with it
            given = source_of(sources, package, package.frames) if sources else None
            if given is not None:
                yield given
        if folder:
            yield from sources_in(folder, package, package.frames, "studio")


def names_of(paths: tuple[str, ...]) -> list[str]:
    """The names of the files of a command line, with folders only where two have the same name."""
    last = [path.replace("\\", "/").rpartition("/")[2] for path in paths]
    return [path if last.count(name) > 1 else name for path, name in zip(paths, last, strict=True)]


def named(paths: tuple[str, ...]) -> dict[str, bytes]:
    """The files of a command line by their names. Raises InputFailure."""
    kinds = ["frame" if path.lower().endswith(_FRAMES) else STREAM for path in paths]
    return {name: read_bytes(path, kind=kind) for path, name, kind in zip(paths, names_of(paths), kinds, strict=True)}


def state_of(link: str) -> str:
    """The state behind the # of a link, as text; empty for no link. Raises UsageError."""
    state = link.rpartition("#")[2]
    if link and (not state or not state.isascii() or not state.replace("-", "a").replace("_", "a").isalnum()):
        raise UsageError("--link: the part after # is missing or damaged: copy the whole link, in quotes")
    return state


def folders_of(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The folders of files, then this one: what the studio saves goes to the first."""
    return tuple(dict.fromkeys([*[str(Path(path).parent) for path in paths], "."]))


def _announce(link: str) -> None:
    print_text(f"{link}\n")
    print_remark(
        "lanewise studio: the link lets one browser of this machine in, once, within ten minutes; Enter prints another one, "
        "Ctrl+C ends the studio"
    )
