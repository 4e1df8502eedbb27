"""`lanewise frame`: list the draws of a recorded frame, or write it in another form."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core import files as door
from lanewise.core.diagnostics import InputError
from lanewise.core.members import split
from lanewise.core.service import STDIO, InputFailure, Request, SourceFile, UsageError
from lanewise.core.shadertests import SUFFIX
from lanewise.packages import packages
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    DiskFiles,
    add_format,
    make_parser,
    print_findings,
    print_json,
    print_page,
    print_remark,
    read_bytes,
    refuse_overwriting,
    write_files,
)
from lanewise.tools.frame_sources import sources_in

if TYPE_CHECKING:
    import argparse

    from lanewise.core.package import FrameServices, IsaPackage
    from lanewise.core.service import Answer

CONVERT = "convert"
OWN = {"kit": "lanewise_frame.c", "header": "lanewise_citrace.h"}
"Files of ours by the word that prints them: the recorder that homebrew compiles, and the structures of CiTrace."
_TEXTS = ("against", "profile", "tolerance", "save")
_EPILOG = """A draw is a program with its data: FILE:12 is draw 12 of the file, FILE:1/12 draw 12 of frame 1, both from 0, for
every command. A frame holds data of a game: `convert --only 12` keeps what one draw reads.

examples:
  lanewise frame frame.ctf                              the draws, what changed, what is wrong
  lanewise frame frame.ctf --format json
  lanewise run frame.ctf:12                             what the shaders of draw 12 give
  lanewise run frame.ctf:12 --why                       why nothing of it is seen
  lanewise run frame.ctf:0/target --draw frame.png      all draws of frame 0 to its first target
  lanewise run frame.ctf:12 --trace 0                   its first vertex, step by step
  lanewise dis frame.ctf:12                             its program
  lanewise frame convert frame.ctf --only 12 -o one.ctf
  lanewise frame frame.ctf:12 --save shot.shadertest.toml       draw 12 as a bug report: `lanewise test` runs it
  lanewise frame kit -o source/lanewise_frame.c         a recorder for homebrew, in one C file
  lanewise frame header -o citrace.h                    the structures of CiTrace, for emulators
  lanewise frame frame.ctf --sources source/            which of the project's sources its programs are
  lanewise frame frame.ctf --profile hardware --against azahar   vertices that differ, by draw
  lanewise frame --list list.bin@0x20000000 --memory linear.bin@0x20000000

Exit codes: 0 fine, 1 the input has errors, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    parser = make_parser(
        "lanewise frame", "List the draws of a recorded frame, or write it as CiTrace: what a program told the GPU.", _EPILOG
    )
    parser.add_argument(
        "names",
        nargs="*",
        default=[],
        metavar="[convert] FILE",
        help="a CiTrace (.ctf) or records of a host, FILE:12 for one draw; - is standard input. convert: write it to -o "
        "OUT.ctf. kit, header: write a file of C",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="with convert, kit and header: the file to write; - is standard output"
    )
    parser.add_argument(
        "--only", action="append", metavar="N", help="with convert: only this draw and what it reads; commas between several"
    )
    parser.add_argument(
        "--list",
        action="append",
        metavar="FILE@ADDRESS",
        help="a raw command list and its physical address, in place of FILE (may be repeated)",
    )
    parser.add_argument(
        "--memory", action="append", metavar="FILE@ADDRESS", help="with --list: memory at a physical address (may be repeated)"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace files that are read-only; with kit and header also one with other content"
    )
    parser.add_argument(
        "--against", metavar="NAME|FILE.toml", help="run each draw under --profile and under this profile: vertices that differ"
    )
    parser.add_argument(
        "--profile",
        metavar="NAME|FILE.toml",
        help="with --against: the first profile; with --save: whose results are expected (default: that of `lanewise run`)",
    )
    parser.add_argument(
        "--tolerance",
        metavar="N",
        help="with --against: how far components may be apart, in steps of the number format (4) or as a difference (0.001)",
    )
    parser.add_argument("--sources", metavar="DIR", help="name the sources in a folder that assemble to the programs of draws")
    parser.add_argument(
        "--save",
        metavar="OUT.shadertest.toml",
        help="write one draw, FILE:12, as a shader test that needs no other file: programs, values, results",
    )
    add_format(parser)
    return parser


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    names: list[str] = options.names
    if names and names[0] in OWN:
        if len(names) > 1 or options.list or options.memory or options.only or options.format == "json":
            raise UsageError(f"{names[0]} writes a file of C and takes only -o: lanewise frame {names[0]} -o {OWN[names[0]]}")
        _write_own(names[0], options.output or STDIO, force=options.force)
        return OK
    converts = names[:1] == [CONVERT]
    names = names[1:] if converts else names
    if not converts and (options.output is not None or options.only):
        raise UsageError("-o and --only are for convert: lanewise frame convert FILE -o OUT.ctf")
    if converts and options.format == "json":
        raise UsageError("--format json is for the list of draws: leave out convert")
    if options.tolerance is not None and options.against is None:
        raise UsageError("--tolerance goes with --against PROFILE")
    if options.profile is not None and options.against is None and options.save is None:
        raise UsageError("--profile goes with --against PROFILE or --save OUT")
    for option in ("against", "save"):
        if converts and getattr(options, option) is not None:
            raise UsageError(f"--{option} is for the list of draws: leave out convert")
    if options.save is not None and (options.against is not None or options.format == "json"):
        raise UsageError("--save writes a file: leave out --against and --format json")
    if options.save is not None and options.save != STDIO and not options.save.endswith(SUFFIX):
        raise UsageError(f"--save {options.save}: the name of a shader test ends in {SUFFIX}")
    if not names and not options.list:
        raise UsageError("name a FILE, or raw lists with --list FILE@ADDRESS")
    if len(names) > 1:
        word, *files = names
        hint = f": `lanewise frame {files[0]}` lists its draws, `lanewise run {files[0]}:0` runs one" if word.isalpha() else ""
        parts = [split(name, os.path.exists) for name in names]
        if converts and len({path for path, _ in parts}) == 1 and all(member for _, member in parts):
            output = f" -o {options.output}" if options.output else ""
            only = ",".join([member for _, member in parts])
            hint = f": write lanewise frame convert {parts[0][0]} --only {only}{output}{' --force' if options.force else ''}"
        raise UsageError(f"name one FILE, found {len(names)}{hint}")
    package, services = _services()
    isa = package.name
    request = Request(
        "frame",
        [_source(name) for name in names],
        {
            "format": options.format,
            "output": options.output or "",
            "only": tuple(options.only or ()),
            "list": tuple(options.list or ()),
            "memory": tuple(options.memory or ()),
            "known": tuple(
                [
                    f"{identity}={source.name}"
                    for source in sources_in(options.sources, package, services, "frame")
                    for identity in source.identities
                ]
            )
            if options.sources is not None
            else (),
            **{key: value for key in _TEXTS if (value := getattr(options, key)) is not None},
        },
        files=DiskFiles(),
    )
    try:
        answer = services.convert(request) if converts else services.show(request)
    except InputError as error:
        if options.format == "json":
            print_json("frame", {}, isa, error.diagnostics)
        else:
            print_findings(error.diagnostics)
        return INPUT_HAS_ERRORS
    if answer.files:
        refuse_overwriting([source.path for source in request.sources], [path for path, _ in answer.files])
        write_files(answer.files, force=options.force)
    return _show(answer, isa, as_json=options.format == "json")


def _write_own(word: str, path: str, *, force: bool) -> None:
    """Write a file of ours. Raises InputFailure for a file that is there with other content, unless `force`."""
    data = resources.files("lanewise").joinpath("include", OWN[word]).read_bytes()
    if path != STDIO and not force and Path(path).is_file() and _content(path) != data:
        raise InputFailure(f"{path} exists and is not this file, or is changed: name another with -o, or add --force")
    write_files([(path, data)], force=force)
    if path != STDIO:
        about = "compile it with your program and link with -Wl,--wrap=gspSubmitGxCommand" if word == "kit" else "include it"
        print_remark(f"lanewise frame: wrote {path}: {about}")


def _content(path: str) -> bytes:
    """The bytes of a file that may be replaced; none where it cannot be read."""
    try:
        return door.read(path, door.STREAM)
    except OSError:
        return b""


def _source(given: str) -> SourceFile:
    """The file of `FILE` or `FILE:NUMBER`."""
    path, member = split(given, os.path.exists)
    return SourceFile("<stdin>" if path == STDIO else path, read_bytes(path, kind="frame"), path, member)


def _services() -> tuple[IsaPackage, FrameServices]:
    for package in packages():
        if package.frames is not None:
            return package, package.frames
    raise UsageError("no instruction set has recorded frames")


def _show(answer: Answer, isa: str, *, as_json: bool) -> int:
    for remark in answer.remarks:
        print_remark(f"lanewise frame: {remark}")
    if as_json:
        print_json("frame", answer.data, isa, answer.last)
        return OK
    if answer.page:
        print_page(answer.page)
    print_findings(answer.last)
    return OK
