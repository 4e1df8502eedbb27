"""Files and texts of the PICA200 to shaders: `ShaderFile`."""

from __future__ import annotations

from _operator import index

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.files import Scope
from lanewise.core.objects import checked
from lanewise.core.program import ProgramServices
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.text.dialects import dialects_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Any, Literal

    from numpy.typing import NDArray

    from lanewise.pica200.api.drawn import DrawData
    from lanewise.pica200.api.pipeline import Pipeline
    from lanewise.pica200.isa.program import Preamble, Program
    from lanewise.pica200.opt.driver import Optimised, Options, Step
    from lanewise.pica200.text.dialect import Dialect


class ShaderFile(ProgramServices):
    """A file with one or more shaders that share one code memory.

    `name` is for messages; `program` is all of the file; `programs` are its shaders, in order; `diagnostics` is what
    there was to say while reading or assembling it (no errors: those are raised).
    """

    isa: Literal["pica200"] = "pica200"
    _internal = frozenset(("is_raw",))

    def _elsewhere(self, name: str) -> str:
        from lanewise.arrays.elsewhere import of_file
        from lanewise.pica200.api.shader import Shader

        return of_file(name, hasattr(Shader, name), len(self.__dict__.get("programs", ())) > 1)

    def _item(self, key: object) -> str:
        return f"`file.shader({key!r})` is one of its shaders, `file.vertex` the vertex shader"

    name: str
    program: Program
    programs: tuple[Shader, ...]
    diagnostics: tuple[Diagnostic, ...]

    def _content(self) -> Hashable:
        computed = self.preamble
        drawn = None if self.data is None else id(self.data)  # a draw of a frame is equal to itself only
        return self._data, None if computed is None else (computed.register, computed.exact, computed.text), drawn

    def __init__(
        self,
        name: str,
        data: bytes,
        program: Program,
        words: Sequence[int],
        descriptors: Sequence[int],
        diagnostics: Sequence[Diagnostic],
        dialect: Dialect | None = None,
    ) -> None:
        self.name = name
        self.program = program
        self.diagnostics = tuple(diagnostics)
        read = program.encoding is not None  # or else linked from sources, each of which has its own name
        language, offset = dialect.name if dialect is not None else "", _code_offset(data) if read else 0
        self.programs = tuple(
            [
                Shader(
                    name if read or program.compiled else interface.name,
                    program,
                    interface,
                    words,
                    descriptors,
                    dialect=language,
                    code_offset=offset,
                )
                for interface in program.interfaces
            ]
        )
        self.is_raw = False  # whether it is of raw words
        self.data: DrawData | None = None  # of a draw of a frame
        self._data = data
        self._dialect = dialect  # of the sources; None for a file that was read

    @classmethod
    def from_words(
        cls,
        words: Sequence[int] | NDArray[Any],
        descriptors: Sequence[int] | NDArray[Any],
        *,
        entry: int = 0,
        name: str = "<words>",
        outputs: Mapping[str, str] | None = None,
        geometry: str = "",
        array_start: int = 0,
        vertex_count: int = 0,
    ) -> ShaderFile:
        """The program of machine words and operand descriptors, as an emulator holds them in the memory of a shader unit.

        Both are integers, also as arrays. `entry` is the number of the word at which it starts. `outputs` maps registers, with
        components if not all are meant, to semantics: `{"o0": "position", "o1.xyz": "color"}`; without it a result has the
        registers. `geometry` is the mode of a geometry shader: point, variable or fixed; `array_start` and `vertex_count`
        belong to the last two. Raises InputError for outputs that do not exist, and for words and descriptors that are
        exchanged, ValueError for other words, entries and modes.
        """
        from lanewise.pica200.api.raw import contained

        code, table = [index(word) for word in words], [index(word) for word in descriptors]
        if any(word >> 31 for word in table):  # which no descriptor has
            from lanewise.pica200.container.mistaken import mistaken

            wrong = mistaken(code, table, name, "")
            if wrong:
                raise InputError(wrong)
        data = contained(
            code,
            table,
            entry=entry,
            name=name,
            outputs=outputs,
            geometry=geometry,
            array_start=array_start,
            vertex_count=vertex_count,
        )
        file = read_file(data, name)
        file.is_raw = True
        return file

    def __repr__(self) -> str:
        return (
            f"<ShaderFile {self.name}: "
            f"{', '.join(f'{shader.name} ({shader.stage})' for shader in self.programs) or 'no shaders'}>"
        )

    def _repr_html_(self) -> str:
        """Its shaders, for notebooks."""
        from lanewise.core import html

        rows = [
            (n, each.name, each.stage, len(each.inputs), len(each.uniforms), len(each.outputs))
            for n, each in enumerate(self.programs)
        ]
        head = ["number", "name", "stage", "inputs", "uniforms", "outputs"]
        return html.title(self.name, f"PICA200, {len(self.words)} words") + html.table(head, rows)

    @property
    def words(self) -> tuple[int, ...]:
        """The code memory, which all shaders of the file share."""
        return tuple(self.programs[0].words) if self.programs else ()

    @property
    def vertex(self) -> Shader:
        """The only vertex shader. Raises InputError if there is none, or more than one."""
        return self.only("vertex")

    @property
    def geometry(self) -> Shader | None:
        """The only geometry shader; None if there is none. Raises InputError for more than one."""
        return self.only("geometry") if any(shader.stage == "geometry" for shader in self.programs) else None

    @property
    def pipeline(self) -> Pipeline:
        """The only vertex shader, with the only geometry shader behind it if there is one. Raises InputError for more of
        either."""
        from lanewise.pica200.api.pipeline import Pipeline

        return Pipeline(self.vertex, self.geometry)

    @checked
    def shader(self, program: str | int) -> Shader:
        """A shader by its name or its number, counted from 0. Raises InputError."""
        if isinstance(program, int) or (program.isdecimal() and all(shader.name != program for shader in self.programs)):
            if 0 <= int(program) < len(self.programs):
                return self.programs[int(program)]
            raise self._no_such(f"there is no shader number {int(program)}")
        from pathlib import Path  # a twentieth of a `diff`

        found = [shader for shader in self.programs if program in (shader.name, Path(shader.name).name)]
        if len(found) == 1:
            return found[0]
        raise self._no_such(f"there is no shader '{program}'" if not found else f"more than one shader is called '{program}'")

    def check(self) -> tuple[Diagnostic, ...]:
        """What `lanewise check` says about the file, in the order of places: `diagnostics` too, notes too.

        Findings that a comment in the source keeps quiet are left out.
        """
        from lanewise.pica200.api.checking import check_assembled, check_shbin

        if self._dialect is None:
            return check_shbin(self._data, self.name).findings
        shader = self.programs[0] if self.programs else None
        words, descriptors = (shader.words, shader.descriptors) if shader else ((), ())
        return check_assembled(self.program, words, descriptors, self.diagnostics, dialect=self._dialect).findings

    def to_bytes(self) -> bytes:
        """The SHBIN file: as it was read, or as it was assembled."""
        return self._data

    @property
    def preamble(self) -> Preamble | None:
        """What computes registers before a draw, of the first shader that has such a preamble; None without."""
        return next((each.preamble for each in self.program.interfaces if each.preamble is not None), None)

    def with_preamble(self, preamble: Preamble | None) -> ShaderFile:
        """This file with what computes the registers that its first shader with the uniform `lanewise.preamble` reads. Raises
        PreambleError for a preamble that is not one of the shader."""
        from lanewise.pica200.engine.preamble import check_preamble
        from lanewise.pica200.isa.uniforms import hidden

        number = next((n for n, each in enumerate(self.program.interfaces) if hidden(each)), -1)
        if preamble is None or number < 0:
            return self
        interfaces = list(self.program.interfaces)
        check_preamble(preamble, interfaces[number])
        interfaces[number] = interfaces[number]._replace(preamble=preamble)
        program = self.program._replace(interfaces=tuple(interfaces))
        shader = self.programs[number]
        found = ShaderFile(self.name, self._data, program, shader.words, shader.descriptors, self.diagnostics, self._dialect)
        found.is_raw, found.data = self.is_raw, self.data
        return found

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

    @checked
    def optimise(
        self,
        *,
        constants_known: bool = False,
        avoid: Iterable[str] = (),
        allow: Iterable[str] = (),
        search: bool = False,
        unroll: bool = False,
        uniforms: Mapping[str, Sequence[int]] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Optimisation:
        """The file with fewer words and the same outputs, bit for bit, as `lanewise opt` writes it, and the steps that led to
        it.

        Each step is proved under the profiles of `lanewise diff`. `constants_known`: the application does not overwrite the
        constants of the file; `avoid`: names of instructions that are not to be introduced; `allow`: codes of findings of
        `check` that may be added; `search`: as `-O3`; `unroll`: loops whose counts are known; `uniforms`: values of integer
        registers that the application always sets, by name. `progress` is called with the number of programs tried and 0, as it
        is not known how many there will be. Raises ValueError for an unknown name or value, InputError for a file that cannot
        be encoded.
        """
        from lanewise.core.reporting import counting
        from lanewise.pica200.isa.table import BY_NAME
        from lanewise.pica200.opt.driver import Options
        from lanewise.pica200.opt.unrolling import given_integers

        unknown = [name for name in avoid if name not in BY_NAME]
        if unknown:
            raise ValueError(f"avoid: unknown instruction '{unknown[0]}'")
        bases = frozenset([BY_NAME[name].base for name in avoid])
        given = given_integers(dict(uniforms or {}), self.program.interfaces)
        options = Options(
            constants=constants_known,
            avoid=bases,
            allow=frozenset(allow),
            search=search,
            unroll=unroll,
            given=given,
            progress=counting(progress),
        )
        return optimise_file(self, options)[0]

    def only(self, stage: str) -> Shader:
        """The only shader of a stage, `vertex` or `geometry`. Raises InputError if there is none, or more than one."""
        found = [shader for shader in self.programs if shader.stage == stage]
        if len(found) != 1:
            if self.programs and not found:
                has = ", ".join(f"{shader.name} ({shader.stage})" for shader in self.programs)
                alone = self.programs[0].file if stage == "vertex" else ""  # of geometry shaders
                fix = (
                    f"a geometry shader runs behind a vertex shader, which is to be named before it: VERTEX.v.pica {alone}; "
                    f"in Python it is `.geometry`, and both are `lanewise.assemble(['VERTEX.v.pica', '{alone}']).pipeline`"
                    if alone
                    else f"link the source of one too, or give a file that has one; here is {has}"
                )
                raise self._no_such(f"there is no {stage} shader", fix)
            raise self._no_such(f"there are {len(found)} {stage} shaders")
        return found[0]

    def _no_such(self, message: str, fix: str = "") -> InputError:
        listed = ", ".join(f"{n} {shader.name} ({shader.stage})" for n, shader in enumerate(self.programs))
        fix = fix or (f"choose one by name or number, `--program 0`: {listed}" if listed else "the file has no shaders at all")
        place = " + ".join(dict.fromkeys(shader.file for shader in self.programs)) or self.name
        return InputError([Diagnostic(code="B010", severity=ERROR, message=message, span=Span(file=place), notes=(), fix=fix)])


def _code_offset(data: bytes) -> int:
    """Where the machine words of an SHBIN begin."""
    program = 8 + 4 * int.from_bytes(data[4:8], "little")  # the DVLP, after the table of shaders
    return program + int.from_bytes(data[program + 8 : program + 12], "little")


class Optimisation(Record):
    """A smaller file with the steps that led to it."""

    file: ShaderFile
    "The smaller file, read from its bytes."
    steps: tuple[Step, ...]
    "Moves that were proved, in order."
    words: tuple[int, int]
    "Machine words before and after."
    descriptors: tuple[int, int]
    "Operand descriptors before and after."
    proofs: int
    "Number of proofs, those in vain included."
    refused: int
    "Number of moves that were not proved."
    constants: tuple[int, int] = (0, 0)
    "Constants of the file before and after."


def optimise_file(file: ShaderFile, options: Options) -> tuple[Optimisation, Optimised]:
    """A file with fewer words. Raises InputError."""
    from lanewise.pica200.api.optimising import smaller

    shrunk = smaller(file.to_bytes(), file.name, file.program, options)
    found = shrunk.found
    return Optimisation(
        file=read_file(shrunk.data, file.name).with_preamble(file.preamble),
        steps=found.steps,
        words=shrunk.words,
        descriptors=shrunk.descriptors,
        proofs=found.proofs,
        refused=found.refused,
        constants=shrunk.constants,
    ), found


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
    folders: Sequence[str] = (),
) -> ShaderFile:
    """Assemble (name, text) pairs, linked together; what they include is read from files of their project and of `folders`.
    Raises InputError."""
    from lanewise.pica200.api.assembling import assemble_sources

    result = assemble_sources(
        sources,
        compatible=compatible,
        padding=padding,
        dialect=dialect,
        entry=entry,
        geometry=geometry,
        read=Scope([name for name, _ in sources], folders).included,
        folders=folders,
    )
    if result.data is None:
        raise InputError(result.diagnostics)
    name = sources[0][0] if sources else "<nothing>"
    language = dialects_of([name for name, _ in sources], dialect)[0]
    return ShaderFile(name, result.data, result.program, *result.encoded, result.diagnostics, language)
