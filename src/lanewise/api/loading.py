"""Files and texts to shaders: `load`, `assemble`, `disassemble`, and the `ShaderFile` that they give or take."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import InputFailure
from lanewise.core.source import Span, decode_text
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.text.dialects import DIALECTS, SOURCE_SUFFIXES, dialect_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.api.shader import Direct3DShader
    from lanewise.pica200.api.disassembling import Disassembly
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.isa.program import Program
    from lanewise.shadercore.api.program import ShaderCoreProgram

_MAGIC = b"DVLB"


class ShaderFile:
    """A file with one or more shaders that share one code memory.

    `name` is for messages; `program` is all of the file; `programs` are its shaders, in order; `diagnostics` is what
    there was to say while reading or assembling it (no errors: those are raised).
    """

    def __init__(
        self, name: str, data: bytes, program: Program, words: Sequence[int], descriptors: Sequence[int], diagnostics: Sequence[Diagnostic],
        nihstro: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.program = program
        self.diagnostics = tuple(diagnostics)
        read = program.encoding is not None  # or else linked from sources, each of which has its own name
        self.programs = tuple([
            Shader(name if read else interface.name, program, interface, words, descriptors) for interface in program.interfaces
        ])  # fmt: skip
        self._data = data
        self._nihstro = nihstro  # assembled from that language

    def __repr__(self) -> str:
        return f"<ShaderFile {self.name}: {', '.join(f'{shader.name} ({shader.stage})' for shader in self.programs) or 'no shaders'}>"

    @property
    def vertex(self) -> Shader:
        """The only vertex shader. Raises InputError if there is none, or more than one."""
        return self._only("vertex")

    @property
    def geometry(self) -> Shader:
        """The only geometry shader. Raises InputError if there is none, or more than one."""
        return self._only("geometry")

    @property
    def pipeline(self) -> Pipeline:
        """The only vertex shader, with the only geometry shader behind it if there is one. Raises InputError for more of either."""
        from lanewise.pica200.api.pipeline import Pipeline

        there = any(shader.stage == "geometry" for shader in self.programs)
        return Pipeline(self.vertex, self.geometry if there else None)

    def shader(self, program: str | int) -> Shader:
        """A shader by its name or its number, counted from 0. Raises InputError."""
        if isinstance(program, int) or (program.isdecimal() and all(shader.name != program for shader in self.programs)):
            if 0 <= int(program) < len(self.programs):
                return self.programs[int(program)]
            raise self._no_such(f"there is no shader number {int(program)}")
        found = [shader for shader in self.programs if program in (shader.name, Path(shader.name).name)]
        if len(found) == 1:
            return found[0]
        raise self._no_such(f"there is no shader '{program}'" if not found else f"more than one shader is called '{program}'")

    def check(self) -> tuple[Diagnostic, ...]:
        """What `lanewise check` says about the file, in the order of places: `diagnostics` too, notes too.

        Findings that a comment in the source keeps quiet are left out.
        """
        from lanewise.pica200.api.checking import check_assembled, check_shbin

        if self.program.encoding is not None:
            return check_shbin(self._data, self.name).findings
        shader = self.programs[0] if self.programs else None
        words, descriptors = (shader.words, shader.descriptors) if shader else ((), ())
        return check_assembled(self.program, words, descriptors, self.diagnostics, nihstro=self._nihstro).findings

    def to_bytes(self) -> bytes:
        """The SHBIN file: as it was read, or as it was assembled."""
        return self._data

    def edited(self, program: Program) -> ShaderFile:
        """This file with another program, such as `file.program.with_operation(5, operation)`.

        Of a program read from a file, only the edited operations are encoded anew; words, descriptors and container fields that
        were there stay. Raises InputError where an operation cannot be encoded.
        """
        from lanewise.core.diagnostics import has_errors
        from lanewise.pica200.container.read import read_shbin
        from lanewise.pica200.container.shbin import write_shbin
        from lanewise.pica200.isa.encoder import encode_program

        shbin, _ = read_shbin(self._data, self.name)
        encoded, findings = encode_program(program)
        if shbin is None or has_errors(findings):
            raise InputError(findings)
        return read_file(write_shbin(shbin._replace(words=encoded.words, descriptors=encoded.descriptors)), self.name)

    def _only(self, stage: str) -> Shader:
        found = [shader for shader in self.programs if shader.stage == stage]
        if len(found) != 1:
            if self.programs and not found:
                has = ", ".join(f"{shader.name} ({shader.stage})" for shader in self.programs)
                fix = f"link the source of one too, or give a file that has one; here is {has}"
                raise self._no_such(f"there is no {stage} shader", fix)
            raise self._no_such(f"there are {len(found)} {stage} shaders")
        return found[0]

    def _no_such(self, message: str, fix: str = "") -> InputError:
        listed = ", ".join(f"{n} {shader.name} ({shader.stage})" for n, shader in enumerate(self.programs))
        fix = fix or (f"choose one by name or number: {listed}" if listed else "the file has no shaders at all")
        place = " + ".join(dict.fromkeys(shader.file for shader in self.programs)) or self.name
        return InputError([Diagnostic("B010", ERROR, message, Span(place), (), fix)])


def read_file(data: bytes, name: str) -> ShaderFile:
    """The shaders of an SHBIN's bytes; `name` is for messages. Raises InputError."""
    from lanewise.pica200.api.disassembling import program_of
    from lanewise.pica200.container.read import read_shbin

    shbin, diagnostics = read_shbin(data, name)
    if shbin is None:
        raise InputError(diagnostics)
    return ShaderFile(name, bytes(data), program_of(shbin), shbin.words, shbin.descriptors, diagnostics)


def assemble_texts(
    sources: Sequence[tuple[str, str]],
    *,
    compatible: bool = False,
    padding: bool = True,
    dialect: str = "",
    entry: str = "",
    geometry: bool = False,
) -> ShaderFile:
    """Assemble (name, text) pairs, linked together; what they include is read from files. Raises InputError."""
    from lanewise.pica200.api.assembling import assemble_sources, languages_of

    result = assemble_sources(
        sources,
        compatible=compatible,
        padding=padding,
        dialect=dialect,
        entry=entry,
        geometry=geometry,
        read=lambda path: decode_text(Path(path).read_bytes()),
    )
    if result.data is None:
        raise InputError(result.diagnostics)
    name = sources[0][0] if sources else "<nothing>"
    nihstro = languages_of([name for name, _ in sources], dialect) == {"nihstro"}
    return ShaderFile(
        name, result.data, result.program, result.encoded.words, result.encoded.descriptors, result.diagnostics, nihstro
    )


def load_bytes(data: bytes, name: str) -> ShaderFile:
    """An SHBIN, or the text of a source, told apart by their first letters and the suffix of `name`. Raises InputError.

    A name in angle brackets, such as `<stdin>`, may be either; a source is then in picasso's language.
    """
    if data.startswith(_MAGIC) or not (name.lower().endswith(SOURCE_SUFFIXES) or name.startswith("<")):
        return read_file(data, name)
    return assemble_texts([(name, decode_text(data))])


if TYPE_CHECKING:
    from typing import Literal, overload

    @overload
    def load(path: str | PathLike[str], program: None = None, *, isa: Literal["", "pica200"] = "") -> ShaderFile: ...
    @overload
    def load(path: str | PathLike[str], program: str | int, *, isa: Literal["", "pica200"] = "") -> Shader: ...
    @overload
    def load(path: str | PathLike[str], program: None = None, *, isa: Literal["shadercore"]) -> ShaderCoreProgram: ...
    @overload
    def load(path: str | PathLike[str], program: None = None, *, isa: Literal["direct3d9"]) -> Direct3DShader: ...


def load(
    path: str | PathLike[str], program: str | int | None = None, *, isa: str = ""
) -> ShaderFile | Shader | ShaderCoreProgram | Direct3DShader:
    """The shaders of a file: sources (.pica, .v.pica, .g.pica; nihstro's .vsh, .gsh) are assembled, all else is read as an SHBIN.

    With `program`, a name or a number counted from 0, that shader alone. Files of ShaderCore (.sc, .scbin, .scb, and words in any form that
    look like a program) give a `ShaderCoreProgram`, which has one shader, those of Direct3D 9 (words in any form, and sources that begin with
    their version, whatever the file is called) a `Direct3DShader`; `isa` (`pica200`, `shadercore` or `direct3d9`) says what a file is that
    does not show it, and tells it to type checkers. Raises InputError with all findings, OSError, ValueError for another `isa`.
    """
    if isa not in ("", "pica200", "shadercore", "direct3d9"):
        raise ValueError(f"no instruction set {isa!r}: pica200, shadercore, direct3d9")
    data, name = Path(path).read_bytes(), str(path)
    if isa == "direct3d9" or (not isa and is_for_direct3d9(data)):
        from lanewise.direct3d9.api.shader import read_direct3d9

        if program is not None:
            raise ValueError(f"{name} is a Direct3D 9 shader, the only one of its file: leave out program={program!r}")
        return read_direct3d9(data, name)
    if isa == "shadercore" or (not isa and is_for_shadercore(data, name)):
        from lanewise.core.service import Request, SourceFile
        from lanewise.shadercore.api.services.loaded import load as load_shadercore

        if program is not None:
            raise ValueError(f"{name} is a ShaderCore program, the only one of its file: leave out program={program!r}")
        return load_shadercore(Request("load", (SourceFile(name, data, name),), {}, files=_Disk())).program
    file = load_bytes(data, name)
    return file if program is None else file.shader(program)


class _Disk:
    """The files of this machine."""

    def read(self, path: str) -> bytes:
        try:
            return Path(path).read_bytes()
        except OSError as error:
            raise InputFailure(f"cannot read {path}: {error}") from None

    def exists(self, path: str) -> bool:
        return Path(path).exists()


def is_for_direct3d9(data: bytes) -> bool:
    """Whether a file is no SHBIN and shows that it is a Direct3D 9 shader."""
    if data.startswith(_MAGIC):
        return False
    from lanewise.direct3d9.api.reading import for_direct3d9

    return for_direct3d9(data)


def is_for_shadercore(data: bytes, name: str) -> bool:
    """Whether a file is no SHBIN and no source of the PICA200, and shows that it is ShaderCore's."""
    if data.startswith(_MAGIC) or name.lower().endswith(SOURCE_SUFFIXES):
        return False
    from lanewise.shadercore.api.reading import for_shadercore

    return for_shadercore(data, name)


def assemble(
    source: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    name: str = "<string>",
    compatible: bool = False,
    padding: bool = True,
    dialect: str = "",
    entry: str = "",
    geometry: bool = False,
) -> ShaderFile:
    """Assemble sources of one language into one file.

    `source` is a text, the path of a file, or several paths, which are linked. A string is a path if it is one line that
    ends with a suffix of sources. `name` stands for a text in messages. `dialect` is `picasso` or `nihstro` (default: by
    suffix, picasso for a text). Picasso's: `compatible` takes what picasso takes, as it takes it; `padding=False` inserts no
    NOPs. Nihstro's: `entry` is the label at which the program begins (default `main`), `geometry` makes geometry shaders.
    Raises ValueError for another dialect, InputError with all findings, OSError.
    """
    if dialect and dialect not in DIALECTS:
        raise ValueError(f"no dialect {dialect!r}: {', '.join(DIALECTS)}")
    named = [source] if isinstance(source, (str, PathLike)) else list(source)
    cores = [str(path) for path in named if "\n" not in str(path) and str(path).lower().endswith(".sc")]
    if cores:
        raise ValueError(
            f"{cores[0]} is a ShaderCore source: lanewise.load reads it, ShaderCoreProgram.from_source takes a text"
        )
    if isinstance(source, str) and not _is_path(source):
        sources = [(name, source)]
    else:
        paths = [source] if isinstance(source, (str, PathLike)) else source
        sources = [(str(path), decode_text(Path(path).read_bytes())) for path in paths]
    return assemble_texts(sources, compatible=compatible, padding=padding, dialect=dialect, entry=entry, geometry=geometry)


def _is_path(text: str) -> bool:
    return "\n" not in text and text.lower().endswith(SOURCE_SUFFIXES)


def disassemble(file: str | PathLike[str] | bytes | ShaderFile | ShaderCoreProgram) -> Disassembly:
    """Sources that assemble to the same bytes as `file`: a path, the bytes of an SHBIN or of a ShaderCore file, or what `load` gives.

    Raises InputError if the bytes are neither, OSError.
    """
    from lanewise.pica200.api.disassembling import Disassembly, Source
    from lanewise.pica200.api.disassembling import disassemble as sources_of
    from lanewise.pica200.container.read import read_shbin
    from lanewise.shadercore.api.program import ShaderCoreProgram, read_shadercore

    if isinstance(file, bytes):
        name, data = "shader", file
    elif isinstance(file, ShaderFile):
        name, data = file.name, file.to_bytes()
    elif isinstance(file, ShaderCoreProgram):
        name, data = file.name, b""
    else:
        name, data = str(file), Path(file).read_bytes()
    core = file if isinstance(file, ShaderCoreProgram) else None
    if core is None and is_for_shadercore(data, name):
        core = read_shadercore(data, name)
    if core is not None:
        return Disassembly((Source(f"{_stem(name)}.sc", core.disassemble()),), False, ())
    shbin, diagnostics = read_shbin(data, name)
    if shbin is None:
        raise InputError(diagnostics)
    return sources_of(shbin, _stem(name), data)


def convert(file: str | PathLike[str] | bytes | ShaderFile, to: str) -> Disassembly:
    """Sources in the language `to` (`picasso` or `nihstro`) that compute the same as `file`.

    `file` is a path (of a source by its suffix, otherwise of an SHBIN), the bytes of an SHBIN, or a ShaderFile. Raises
    ValueError for another language, InputError with all findings, OSError.
    """
    from lanewise.pica200.api.converting import convert_assembly, convert_file
    from lanewise.pica200.container.read import read_shbin

    if isinstance(file, bytes):
        name, data = "shader", file
    elif isinstance(file, ShaderFile):
        name, data = file.name, file.to_bytes()
    else:
        name, data = str(file), Path(file).read_bytes()
        if dialect_of(name) and not data.startswith(_MAGIC):
            from lanewise.pica200.api.assembling import assemble_sources

            made = assemble_sources([(name, decode_text(data))], read=lambda path: decode_text(Path(path).read_bytes()))
            if made.data is None:
                raise InputError(made.diagnostics)
            return convert_assembly(made, to, _stem(name))
    shbin, diagnostics = read_shbin(data, name)
    if shbin is None:
        raise InputError(diagnostics)
    return convert_file(shbin, to, _stem(name), data)


def _stem(name: str) -> str:
    """`light` for `shaders/light.v.pica`; `shader` where there is no file name."""
    last = Path(name).name
    for suffix in (*SOURCE_SUFFIXES, ".shbin", ".sc", ".scbin", ".scb"):
        last = last.removesuffix(suffix)
    return "shader" if not last or last.startswith("<") else last
