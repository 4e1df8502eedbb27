"""Load, assemble, disassemble, convert and format programs."""

from __future__ import annotations

import os
from os import PathLike, fspath
from pathlib import Path

from lanewise.api.public import public
from lanewise.core import files, loaded_files
from lanewise.core.diagnostics import InputError
from lanewise.core.members import split
from lanewise.core.objects import checked
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import Answer, Disassembly, Request, Source, SourceFile
from lanewise.core.source import decode_text
from lanewise.core.text.counting import counted
from lanewise.core.text.formatting import indent_named
from lanewise.packages import Match, common_language, language_of, languages, package_of, packages, recognise, unknown_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import IO, Literal, overload

    from lanewise.api.compiling import Direct3DEffect, Direct3DShader
    from lanewise.core.package import IsaPackage, Loaded, Program
    from lanewise.core.service import Value
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.shader import Shader
    from lanewise.shadercore.api.program import ShaderCoreProgram

    File = str | PathLike[str] | bytes | IO[bytes] | IO[str]

    @overload
    def load(path: File, program: None = None, *, isa: Literal["", "pica200"] = "", name: str = "") -> ShaderFile: ...
    @overload
    def load(path: File, program: str | int, *, isa: Literal["", "pica200"] = "", name: str = "") -> Shader: ...
    @overload
    def load(path: File, program: None = None, *, isa: Literal["shadercore"], name: str = "") -> ShaderCoreProgram: ...
    @overload
    def load(path: File, program: str | int | None = None, *, isa: Literal["direct3d9"], name: str = "") -> Direct3DShader: ...
    @overload
    def load(
        path: File, program: None = None, *, isa: None, name: str = ""
    ) -> ShaderFile | ShaderCoreProgram | Direct3DShader | Direct3DEffect: ...
    @overload
    def load(
        path: File, program: None = None, *, isa: str, name: str = ""
    ) -> ShaderFile | ShaderCoreProgram | Direct3DShader: ...


class DiskFiles:
    """The files of this machine, or those of a scope. Errors are those of the operating system."""

    def __init__(self, scope: files.Scope | None = None) -> None:
        self._scope = scope

    def read(self, path: str) -> bytes:
        kind = files.kind_of(path)
        return files.read(path, kind) if self._scope is None else self._scope.read(path, kind)

    def exists(self, path: str) -> bool:
        return Path(path).exists()

    def within(self, path: str) -> DiskFiles:
        return DiskFiles(files.Scope([path]))


@checked
def load(path: File, program: str | int | None = None, *, isa: str | None = "", name: str = "") -> Program | Shader:
    """Load a program of any instruction set from a source or binary: a path, its bytes, or an open file.

    The file is recognised by its content and suffix. `name` is that of bytes or an open file in messages, whose suffix counts
    too.

    `path` may be `FILE:NAME` for one program of a file that holds several (an SHBIN, an effect, a shader cache). A file of the
    PICA200 gives a `ShaderFile`, with `program`, a name or a number counted from 0, one of its shaders (`Shader`); one of
    ShaderCore a `ShaderCoreProgram`; one of Direct3D 9 a `Direct3DShader`, an effect a `Direct3DEffect`. `isa` (`pica200`,
    `shadercore` or `direct3d9`) names the instruction set of a file that cannot be recognised. Type checkers see neither
    content nor suffix, and take the result for a `ShaderFile`: for them use `load_pica200`, `load_shadercore`,
    `load_direct3d9`, or `isa=None`, whose result has all types, which its `isa` narrows. Raises InputError with all findings,
    OSError, TypeError for what is no file, ValueError for another `isa`.
    """
    from lanewise.pica200.api.file import ShaderFile

    package = package_of(isa) if isa else None
    if hasattr(program, "__fspath__") or (isinstance(program, str) and "." in program and Path(program).is_file()):
        both = f"`lanewise.assemble({[str(path), str(program)]})`"
        raise TypeError(f"load() takes one file, and the name of a program in it: sources are linked by {both}")
    if program in ("r", "rb", "rt") and isinstance(path, (str, PathLike)):
        raise TypeError(f"load() opens the file itself, and takes no mode: leave out {program!r}")
    file, data, member = content_of(path, name)
    try:
        loaded = public(_opened(file, data, package, member).program)
    except InputError as error:
        match = recognise(file, data)
        if package is None or match is None or match.package.name == package.name:
            raise
        first, *others = error.diagnostics
        note = f"recognised as {match.title}: lanewise.load_{match.package.name} reads it"
        raise InputError([first._replace(notes=(*first.notes, note)), *others]) from None
    if program is None and member and isinstance(loaded, ShaderFile):
        return loaded.programs[0] if len(loaded.programs) == 1 else loaded.shader(member)
    if program is None:
        return loaded
    if not isinstance(loaded, ShaderFile):
        if loaded.isa == "direct3d9":
            from lanewise.api.compiling import Direct3DEffect

            if isinstance(loaded, Direct3DEffect):
                return loaded.shader(program)
        raise ValueError(f"{loaded.name} holds one program: leave out program={program!r}")
    return loaded.shader(program)


@checked
def load_pica200(path: File, *, name: str = "") -> ShaderFile:
    """Load a source or SHBIN of the PICA200. Raises as `load` does."""
    return load(path, isa="pica200", name=name)


@checked
def load_shadercore(path: File, *, name: str = "") -> ShaderCoreProgram:
    """Load a source or file of words of ShaderCore. Raises as `load` does."""
    return load(path, isa="shadercore", name=name)


@checked
def load_direct3d9(path: File, *, name: str = "") -> Direct3DShader:
    """Load a source or stream of Direct3D 9, or an effect with one shader; `FILE:NAME` is one of several. Raises as `load`
    does."""
    from lanewise.api.compiling import Direct3DEffect

    found: Direct3DShader | Direct3DEffect = load(path, isa="direct3d9", name=name)
    return found.only if isinstance(found, Direct3DEffect) else found


@checked
def load_effect(path: File, *, name: str = "") -> Direct3DEffect:
    """Load a compiled effect: techniques, passes, parameters, and shaders by name.

    `path` is a file of fx_2_0, MGFX, XNB or DXBC, or its bytes with a `name` for messages. Raises InputError, OSError.
    """
    from lanewise.api.compiling import Direct3DEffect
    from lanewise.direct3d9.api import effect

    given, data, _ = content_of(path, name, members=False)
    return Direct3DEffect.of(effect.Direct3DEffect.from_bytes(data, given))


def content_of(file: File, name: str, *, members: bool = True) -> tuple[str, bytes, str]:
    """The name of a file for messages, what is in it, and the member that `FILE:NAME` asks for. Raises OSError, TypeError."""
    if isinstance(file, str) and "\n" in file and not os.path.exists(file):  # noqa: PTH110  Path raises for long texts
        if file.startswith(_MAGIC):
            raise TypeError(f"the text is that of a binary, {file[:4]}, whose bytes were decoded: {_BINARY}")
        if os.path.exists(file.strip()):  # noqa: PTH110  as above
            raise TypeError(f"the path ends in a line feed: {file!r}; use `path.strip()`")
        lines = counted(file.count("\n") + 1, "line")
        source = "lanewise.assemble(text) takes the text of a source" if members else "give `text.encode()`"
        raise TypeError(f"a text of {lines} is given, expected a path, bytes or an open file: {source}")
    if isinstance(file, (str, PathLike)):
        path, member = split(str(file), os.path.exists) if members else (str(file), "")
        return path, _read(path), member
    if isinstance(file, bytes):
        if len(file) < _MOST_NAMED and file.isascii() and os.path.isfile(file):  # noqa: PTH113  of bytes
            raise TypeError(f"bytes are the content of a file: give the path as text, {file.decode()!r}")
        return name or "<bytes>", file, ""
    if not hasattr(file, "read"):
        raise TypeError(f"expected a path, bytes or an open file, got {type(file).__name__}{_instead(file)}")
    known: object = getattr(file, "name", "")
    given = name or (known if isinstance(known, str) else "") or "<file>"
    try:
        data = file.read()
    except UnicodeDecodeError as error:
        raise TypeError(f"{given} is opened as text in {error.encoding}, which it is not: {_BINARY}") from None
    if isinstance(data, str):
        if "\0" in data:
            raise TypeError(f"{given} is opened as text, and is a binary: {_BINARY}")
        data = data.encode()
    return given, data, ""


_MOST_NAMED = 200  # bytes that may be a path
_MAGIC = ("DVLB", "DVLP", "\x00\x02", "\x01\x09")  # at the beginning of binaries


def _instead(file: object) -> str:
    """The fix for an object that is not a file."""
    if hasattr(file, "columns") or hasattr(file, "schema"):
        return "; data are an argument of `run`: lanewise.load(path).vertex.run(data, uniforms)"
    if hasattr(file, "isa") or hasattr(file, "stage"):
        return ": it is loaded"
    array = hasattr(file, "dtype")
    listed = cast("list[object]", file) if isinstance(file, (list, tuple)) else []
    if listed and all(isinstance(each, (str, PathLike)) for each in listed):
        return f": each file is loaded alone, sources are linked by `lanewise.assemble({[*map(str, listed)]})`"
    if listed or array:
        return "; words of a program are read by lanewise.pica200.ShaderFile.from_words"
    return ", such as `lanewise.load('light.v.pica')`"


_BINARY = 'open it with mode "rb", or give its path'


def _read(path: str | PathLike[str], kind: str = "program") -> bytes:
    """The bytes of a file. Raises OSError; of a file that does not exist with a note of the name that is meant."""
    try:
        data = files.read(path, kind)
    except FileNotFoundError as error:
        name = fspath(path)
        if not name:
            raise ValueError("the path is empty, expected the name of a file") from None
        if "://" in name:
            error.add_note("programs are read from files: download it, `urllib.request.urlretrieve(url, name)`")
        elif name[:1] == "~":
            error.add_note(f"Python does not replace ~: `pathlib.Path({name!r}).expanduser()`")
        else:
            files.note_meant(error)
        raise
    except OSError as error:
        if os.path.isdir(path):  # noqa: PTH112 - a path may be a text
            error.add_note(f"give one of its files, such as those of `pathlib.Path({fspath(path)!r}).glob('*.v.pica')`")
        raise
    loaded_files.remember(fspath(path))
    return data


def load_with(path: str, options: Mapping[str, Value]) -> Program:
    """Load a program, `FILE:NAME` too, with values of options of the commands that read it. Raises as `load` does."""
    file, data, member = content_of(path, "")
    return public(_opened(file, data, member=member, options=options).program)


def load_texts(sources: Sequence[tuple[str, str]], options: Mapping[str, Value]) -> Program:
    """Load a source, or link several, from their names and texts. Raises InputError."""
    named = [(name, text.encode("utf-8", "surrogatepass")) for name, text in sources]
    match = recognise(*named[0])
    if match is None:
        raise unknown_file(*named[0])
    if len(named) == 1:
        return public(match.read(_request("load", named, options)).program)
    listed = [SourceFile(name, data, name) for name, data in named]
    request = _request("load", named, options, language=common_language(match.package, listed))
    return public(match.package.load(request).program)


def _opened(
    name: str, data: bytes, package: IsaPackage | None = None, member: str = "", options: Mapping[str, Value] | None = None
) -> Loaded:
    """A file as its package reads it. Raises InputError for one that no package recognises."""
    match = recognise(name, data)
    if package is not None and (match is None or match.package.name != package.name):
        match = Match(package)
    if match is None:
        raise unknown_file(name, data)
    return match.read(_request("load", ((name, data),), options or {}, member=member))


def _request(
    command: str, named: Sequence[tuple[str, bytes]], values: Mapping[str, Value], member: str = "", language: str = ""
) -> Request:
    include = values.get("include", ())
    scope = files.Scope(
        [name for name, _ in named], include if isinstance(include, tuple) else (), follow=bool(values.get("follow", False))
    )
    return Request(
        command,
        [SourceFile(name, data, name, member) for name, data in named],
        values,
        language=language,
        files=DiskFiles(),
        read_included=scope.included,
    )


@checked
def assemble(
    source: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    name: str = "<string>",
    compatible: bool = False,
    padding: bool = True,
    dialect: str = "",
    entry: str = "",
    geometry: bool = False,
    include: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
) -> ShaderFile:
    """Assemble sources of one language of the PICA200 into one file.

    `source` is a text, the path of a file, or several paths, which are linked. A string is a path if it is one line that
    ends with a suffix of sources. `name` is that of a text in messages. `dialect` is `picasso` or `nihstro` (default:
    recognised, picasso for a text that shows neither). Picasso's: `compatible` accepts what picasso accepts, with its bytes;
    `padding=False` inserts no NOPs. Nihstro's: `entry` is the label at which the program begins (default `main`), `geometry`
    makes geometry shaders, `include` are the folders that are searched for included files after that of the file that includes.
    Raises ValueError for another dialect, InputError with all findings, OSError.
    """
    from lanewise.pica200.api.file import assemble_texts
    from lanewise.pica200.package import PICA200
    from lanewise.pica200.text.dialects import dialect_named

    if dialect:
        dialect_named(dialect)
    if hasattr(source, "read"):
        raise TypeError("source is an open file, expected text or a path: `.read()` gives the text, lanewise.load reads a file")
    if isinstance(source, (bytes, bytearray, memoryview)):
        raise TypeError("source is bytes, expected text or a path: `.decode()` makes text, lanewise.load reads a file")
    if isinstance(source, str) and not _is_path(source):
        if "\\n" in source and "\n" not in source:
            once = "`text.encode().decode('unicode_escape')`"
            raise ValueError(
                f"the text is one line, in which \\n is two characters: it was escaped twice; {once} undoes that once"
            )
        sources = [(name, source)]
    else:
        paths = [source] if isinstance(source, (str, PathLike)) else _paths(source)
        sources = [(str(path), decode_text(_read(path, "source"))) for path in paths]
    for file, text in sources if not dialect else ():
        match = recognise(file, text.encode())
        if match is not None and match.package.name != PICA200.name and not file.startswith("<"):
            raise ValueError(f"{file} is a {match.title}: lanewise.load reads it")
    try:
        return assemble_texts(
            sources,
            compatible=compatible,
            padding=padding,
            dialect=dialect,
            entry=entry,
            geometry=geometry,
            folders=[fspath(folder) for folder in ([include] if isinstance(include, (str, PathLike)) else include)],
        )
    except InputError as error:
        first, *others = error.diagnostics
        if isinstance(source, str):
            _refuse_path(source, first.code)
        language = next((each for each in ("GLSL", "HLSL") if first.code == "P074" and f"is {each}" in first.message), "")
        match = None if language or dialect else recognise(sources[0][0], sources[0][1].encode("utf-8", "surrogatepass"))
        if match is not None and match.package.name != PICA200.name and match.language is not None:
            raise ValueError(f"the text is a {match.title}: `lanewise.load(text.encode())` reads it") from None
        if not language:
            raise
        fix = f"{first.fix}; in Python `lanewise.compile(source, language={language.lower()!r}).program`"
        raise InputError([first._replace(fix=fix), *others]) from None


def _paths(source: Sequence[str | PathLike[str]]) -> list[str | PathLike[str]]:
    """The paths of several sources. Raises TypeError for what is not a list of paths, such as the lines of a source."""
    kind = type(source).__name__
    if not isinstance(source, (list, tuple)):
        raise TypeError(f"source is of the type {kind}, expected text, a path or a list of paths")
    wrong = next((each for each in source if not isinstance(cast("object", each), (str, PathLike))), None)
    if wrong is not None:
        raise TypeError(f"source is a {kind} with {wrong!r}, expected text, a path or a list of paths")
    if any(isinstance(each, str) and not each.strip() for each in source):
        raise TypeError(f"source is a {kind} of lines, expected text or paths: `'\\n'.join(lines)` makes one text")
    return [*source]


def _is_path(text: str) -> bool:
    suffixes = tuple([suffix for _, language in languages() for suffix in language.suffixes])
    return "\n" not in text and text.lower().endswith(suffixes)


def _refuse_path(text: str, code: str) -> None:
    """Raise FileNotFoundError or ValueError for a text that does not assemble, and is the path of a file: one word with a dot
    or slash, or with a file beside whose name is like it."""
    if len(text.split()) != 1 or text != text.strip() or not text.isprintable():
        return
    if os.path.isfile(text):  # noqa: PTH113 - a text
        how = f"give the path, `lanewise.assemble(pathlib.Path({text!r}))`"
        raise ValueError(f"{text!r} is taken as the text of a source: {how}") from None
    formed = "/" in text or "\\" in text or "." in text[1:]
    if formed or (code == "P001" and files.meant(text)):
        try:
            _read(text, "source")
        except OSError as error:
            raise error from None


@checked
def disassemble(file: str | PathLike[str] | bytes | Program) -> Disassembly:
    """Sources that assemble to the same bytes as `file`: a path, the bytes of a binary, or what `load` gives.

    Raises InputError if nothing recognises the bytes, OSError.
    """
    loaded, name = _loaded(file, "dis")
    package = package_of(loaded.isa)
    language = package.languages[0]
    if language.write is not None:
        return language.write(loaded, _request("dis", ((name, b""),), {}))
    answer = loaded.disassemble(_request("dis", ((name, b""),), {})) if loaded.disassemble is not None else Answer()
    if answer.sources is not None:
        return answer.sources
    return Disassembly(sources=(Source(f"{_stem(name)}{language.suffixes[0]}", loaded.text),))


@checked
def convert(file: str | PathLike[str] | bytes | Program, to: str) -> Disassembly:
    """Sources in the language `to` (`picasso` or `nihstro`) that compute the same as `file`.

    `file` is a path of a source or a binary, the bytes of a binary, or what `load` gives. Raises ValueError for a language of
    another instruction set, InputError with all findings, OSError.
    """
    package, language = language_of(to)
    loaded, name = _loaded(file, "convert")
    if loaded.isa != package.name or language.write is None:
        raise ValueError(f"{name} is for {package_of(loaded.isa).title}: {to} is not a language to convert it to")
    return language.write(loaded, _request("convert", ((name, b""),), {}))


_EXPECTED = "expected a path, the bytes of a file or what lanewise.load gives"


def _loaded(file: str | PathLike[str] | bytes | Program, command: str) -> tuple[Loaded, str]:
    """A file for a service, and its name."""
    if isinstance(file, bytes):
        return _opened("shader", file), "shader"
    if isinstance(file, (str, PathLike)):
        path, member = split(str(file), os.path.exists)
        return _opened(path, _read(path), None, member), str(file)
    if hasattr(file, "program") and hasattr(file, "report"):  # a compilation
        raise TypeError(f"{_EXPECTED}, found {type(file).__name__}: give its `program`")
    if not (hasattr(file, "isa") and hasattr(file, "diagnostics")):  # a shader of a PICA200 file has no findings
        found = "one shader of a file: give the file" if hasattr(file, "stage") else type(file).__name__
        raise TypeError(f"{_EXPECTED}, found {found}")
    package = package_of(file.isa)
    if package.wrap is None:
        raise ValueError(f"{package.title} programs are read from files: give the path")
    return package.wrap(file, _request(command, (), {})), file.name


@checked
def format_source(
    name: str, text: str, dialect: str = "", read: Callable[[str], str] | None = None, indent: int | str = 4
) -> str:
    """Format a source: indented blocks, normal spacing, aligned comments; it assembles to the same bytes.

    Comments, blank lines, the end of each line (LF or CR LF) and the order of all lines stay; formatting again
    changes nothing. `dialect` names the language (default: recognised by `name` and content, picasso for a text that shows
    none), `read` gives the text of an included file. `indent` is a number of blanks, or "tab", which also keeps columns of
    operands and comments that were made by hand. A text with a byte 0 comes back unchanged. Raises ValueError for another
    dialect or indentation, or a dialect without a format.
    """
    if "\n" in name and "\n" not in text:
        raise TypeError("the name comes first, then the text: `format_source('light.v.pica', text)`")
    unit = indent_named(str(indent))
    if dialect:
        _, language = language_of(dialect)
    else:
        match = recognise(name, text.encode())
        language = match.language if match is not None else None
        if language is None:
            language = packages()[0].languages[0]
    if language.format is None:
        raise ValueError(f"{language.title} sources have no formatter")
    return language.format(name, text, read, unit)


def _stem(name: str) -> str:
    """`light` for `shaders/light.v.pica`; `shader` without a file name."""
    last = Path(name).name
    rows = [row for package in packages() for row in (*package.languages, *package.containers)]
    for suffix in (suffix for row in rows for suffix in row.suffixes):
        last = last.removesuffix(suffix)
    return "shader" if not last or last.startswith("<") else last
