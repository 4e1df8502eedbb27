"""ShaderCore programs in Python: `ShaderCoreProgram`.

`lanewise.load` returns it for a `.sc` source or a file of words."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lanewise.arrays.frames import inputs_of, of_label, uniforms_of
from lanewise.arrays.results import renamed
from lanewise.core import writing
from lanewise.core.diagnostics import NOTE, WARNING, Diagnostic, InputError
from lanewise.core.objects import checked
from lanewise.core.program import Drawing, ProgramServices
from lanewise.core.ranges import STEPS, whole
from lanewise.core.source import Span
from lanewise.core.suffixes import refused
from lanewise.shadercore.api.devices import device as device_of
from lanewise.shadercore.api.reading import SOURCE, SUFFIX, places_of, read_program
from lanewise.shadercore.api.results import WaveResult
from lanewise.shadercore.container.forms import FORMS_BY_SUFFIX, TARGETS
from lanewise.shadercore.container.header import write_binary, write_words
from lanewise.shadercore.container.memory import Shape, constant_memory, program_memory, write_memory
from lanewise.shadercore.isa.devices import RTL, Device
from lanewise.shadercore.isa.program import Declaration, Program
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.text.printer import print_program

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from numpy.typing import ArrayLike

    from lanewise.arrays.frames import Frame
    from lanewise.arrays.words import Words
    from lanewise.shadercore.api.interface import Beside
    from lanewise.shadercore.api.streams import Stream
    from lanewise.shadercore.api.timing import ProgramTiming
    from lanewise.shadercore.api.tracing import WaveTrace
    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.schedule import Reordering
    from lanewise.shadercore.isa.timing import WaveTime


_ELSEWHERE = {  # of a program: what other names mean
    "use `time().total_cycles`": ("cycles", "total_cycles", "timing", "duration", "clocks"),
    "use `len(program.words)`": ("slots", "size", "length", "instructions", "count"),
    "use `disassemble()`": ("dis", "disassembly", "listing"),
    "use `to_bytes()`, or `save(path)`": ("to_binary", "binary", "data", "bytes", "tobytes", "write", "dump", "assemble"),
    "use `equivalent(other)`": ("equals", "equal", "diff", "compare", "same_as"),
    "`lanewise opt FILE` shortens programs": ("opt", "optimize", "optimise", "optimized", "optimised", "shrink"),
    "use `faster_order()`": ("reorder", "reordered", "schedule"),
}


class ShaderCoreProgram(ProgramServices):
    """A program of the ShaderCore. Nothing changes it; `run` may be called from several threads.

    `name` is for messages; `program` has the words, the header and the constants of a source; `diagnostics` is what there was
    to say while reading it (no errors: those are raised); `inputs` and `outputs` are registers by what they are:
    `{"position": "v0"}`.
    """

    isa: Literal["shadercore"] = "shadercore"
    _internal = frozenset(("beside", "insts", "placed", "with_interface"))

    name: str
    program: Program
    diagnostics: tuple[Diagnostic, ...]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]

    def _content(self) -> Hashable:
        beside = self.beside
        names = () if beside is None else (tuple(sorted(beside.names.items())), tuple(sorted(beside.numbers.items())))
        ports = tuple(sorted(self.inputs.items())), tuple(sorted(self.outputs.items()))
        return self.words, self.program.added, self.program.constants, ports, names

    def __init__(
        self,
        name: str,
        program: Program,
        diagnostics: Sequence[Diagnostic] = (),
        data: bytes = b"",
        form: str = "",
        beside: Beside | None = None,
    ) -> None:
        """`data` and `form`: the file it was read from, if there is one; `beside` is its interface."""
        from lanewise.shadercore.api.binding import Binder

        self.name = name
        self.program = program
        self.diagnostics = tuple(diagnostics)
        self.insts: tuple[Inst, ...] = tuple(program.insts)
        binder = Binder.of(program, self.insts, beside)
        self.inputs, self.outputs = binder.inputs, binder.outputs
        self._data = data
        self._form = form
        self.beside = beside

    def with_interface(self, beside: Beside | None) -> ShaderCoreProgram:
        """The program with its interface file: constants, names of inputs, and (0, 0, 0, 1) for components not given.

        An interface of another program is ignored with the finding C210.
        """
        if beside is None:
            return self
        from lanewise.shadercore.api.interface import digest_of

        if beside.program and beside.program != digest_of(self.program.words):
            # A source often lies beside the program that something else of its name was compiled to: that is nothing to warn
            # of.
            severity = NOTE if self._form == SOURCE else WARNING
            finding = Diagnostic(
                code="C210",
                severity=severity,
                message=f"{beside.path} is the interface of another program, and is ignored",
                span=Span(file=self.name),
                fix="compile the shader again, or give the files different names",
            )
            return ShaderCoreProgram(self.name, self.program, (*self.diagnostics, finding), self._data, self._form)
        own = {constant.number for constant in self.program.constants}
        constants = (*self.program.constants, *(row for row in beside.constants if row.number not in own))
        declared = tuple(
            Declaration(file, number, Span(file=beside.path))
            for file, named in (("v", beside.inputs), ("o", beside.outputs))
            for number in named.values()
        )
        program = self.program._replace(
            constants=constants, declared=(*self.program.declared, *declared), places=self.program.places or beside.places
        )
        return ShaderCoreProgram(self.name, program, self.diagnostics, self._data, self._form, beside)

    def _elsewhere(self, name: str) -> str:
        from lanewise.arrays.elsewhere import of_program

        own = next((text for text, words in _ELSEWHERE.items() if name in words), "")
        return own or of_program(name, "program.run(inputs, uniforms)")

    def _other_inputs(self, name: str) -> list[str] | None:
        """None for a name to which data is given, and otherwise those that there are."""
        from lanewise.shadercore.api.binding import Binder

        known = Binder.of(self.program, self.insts, self.beside).register(name) is not None
        return None if known else [*self.inputs]

    def __repr__(self) -> str:
        return (
            f"<ShaderCoreProgram {self.name}: {len(self.program.words)} words, {', '.join(self.inputs) or 'nothing'} -> "
            f"{', '.join(self.outputs) or 'nothing'}>"
        )

    def _repr_html_(self) -> str:
        """The interface, for notebooks."""
        from lanewise.core import html

        constants = [
            (f"c{row.number}", ", ".join([f"0x{value:08X}" for value in row.values])) for row in self.program.constants
        ]
        return html.title(self.name, f"ShaderCore program, {len(self.program.words)} words") + html.tables(
            (
                ("Inputs", ["name", "register"], [*self.inputs.items()]),
                ("Outputs", ["name", "register"], [*self.outputs.items()]),
                ("Constants", ["register", "patterns"], constants),
            )
        )

    @classmethod
    def from_source(cls, text: str, name: str = "<string>", device: Device = RTL) -> ShaderCoreProgram:
        """Assemble a source, with the instructions of a device. Raises InputError with all findings."""
        return read_shadercore(text.encode(), name, SOURCE, device)

    @classmethod
    def from_words(cls, words: Sequence[int], name: str = "<words>") -> ShaderCoreProgram:
        """A program of 64-bit words. Raises InputError for none or more than 512, ValueError for one of more bits."""
        for number, word in enumerate(words):
            if word < 0 or word >> 64:
                raise ValueError(f"word {number}, {word:#x}, is not a 64-bit word")
        return read_shadercore(write_words(Program(words=tuple(words))), name, "words")

    @checked
    def run(
        self,
        inputs: Mapping[str, ArrayLike | Words] | Frame | None = None,
        uniforms: Mapping[str, ArrayLike | Words] | None = None,
        *,
        device: str | Device = RTL,
        engine: str = "auto",
        threads: int = 1,
        count: int | None = None,
        streams: Sequence[Stream] = (),
        indices: ArrayLike | None = None,
        initial: Mapping[str, ArrayLike | Words] | None = None,
        defaults: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        constants: Mapping[str, ArrayLike | Words] | None = None,
    ) -> WaveResult:
        """Run the program over vertices, in waves of 16 lanes that are cut from the first vertex on.

        `inputs` by what they are (`position`) or by register (`v0`): (vertices, 1 to 4), or one vector for all vertices;
        numbers become float32, `Words` are raw patterns of 32 bits. Components that are not given are not written. `uniforms`
        by register: `{"c0": matrix}` gives c0 to c3 a row each; they go before those of the source (`constants` is the former
        name of the argument). What the program reads and neither the call nor the file gives is an error; `defaults=0` makes it
        0. `streams` read inputs from memory as the hardware does, `indices` (16 bits) choose their vertices, and those of
        `inputs`. `count`: how many vertices (default: all). `initial`: what registers hold before the first wave,
        `{"r0.x": 16 numbers or one, "v1": (16, 4) or a vector}`, by default 0. `device` is what
        `lanewise.shadercore.device` takes; `engine` is `auto`, `reference` or `llvm`. The reference engine calls `progress`
        with the number of vertices done and of all.

        Raises InputError (B codes) for data that does not fit, and for a program that never ends on the device; ValueError for
        another device or engine, or a number out of range.
        """
        from lanewise.shadercore.api.running import run

        if constants is not None:
            renamed("constants=", "uniforms=")
            uniforms = {**constants, **(uniforms or {})}
        try:
            given = inputs_of(inputs, self._other_inputs)
            result = run(
                self,
                given,
                uniforms_of(uniforms),
                device=device_of(device),
                engine=engine,
                threads=threads,
                count=count,
                streams=streams,
                indices=indices,
                initial=initial or {},
                defaults=defaults,
                progress=progress,
            )
            result.of_inputs(inputs)
            own = self, device_of(device), inputs, given, uniforms_of(uniforms)
            found = partial(_run_warnings, tuple(result.warnings), *own)
            result.warn(found, partial(found, result))
            return result
        except InputError as error:  # what is not about a file of data is about the program
            placed = [
                finding if finding.span.file else finding._replace(span=Span(file=self.name)) for finding in error.diagnostics
            ]
            raise InputError(placed) from None

    @checked
    def trace(
        self,
        inputs: Mapping[str, ArrayLike | Words] | Frame | None = None,
        uniforms: Mapping[str, ArrayLike | Words] | None = None,
        *,
        lane: int = 0,
        device: str | Device = RTL,
        count: int | None = None,
        streams: Sequence[Stream] = (),
        indices: ArrayLike | None = None,
        initial: Mapping[str, ArrayLike | Words] | None = None,
        defaults: int | None = None,
    ) -> WaveTrace:
        """Trace the wave of vertex `lane` of a run with these arguments: `.text()`, `.table()` (the write log), `.log`,
        `.vcd()`, `.explain("position.x")`.

        The other arguments are those of `run`. Raises InputError for data that does not fit, a program that never ends, and a
        vertex that does not exist; ValueError for another device, or a number out of range.
        """
        from lanewise.shadercore.api.tracing import trace

        of_label(inputs, lane, self.name)
        try:
            return trace(
                self,
                inputs_of(inputs, self._other_inputs),
                uniforms_of(uniforms),
                lane=lane,
                device=device_of(device),
                count=count,
                streams=streams,
                indices=indices,
                initial=initial or {},
                defaults=defaults,
            )
        except InputError as error:
            placed = [
                finding if finding.span.file else finding._replace(span=Span(file=self.name)) for finding in error.diagnostics
            ]
            raise InputError(placed) from None

    def check(self, device: str | Device = RTL) -> tuple[Diagnostic, ...]:
        """The findings of `lanewise check` on a device, in the order of places, without those that comments suppress.

        Raises ValueError for another device.
        """
        from lanewise.shadercore.api.checking import check_loaded

        return check_loaded(self.placed(), self.name, device_of(device), self.diagnostics, source=self._form == SOURCE).findings

    def time(self, device: str | Device = RTL) -> ProgramTiming:
        """When each instruction issues in a wave, and why it waits: `.issues`, `.total_cycles`, `.output_stalls`,
        `.input_stalls`; to look at, `.table()` and `.svg()`.

        Raises ValueError for another device.
        """
        from lanewise.shadercore.api.timing import ProgramTiming

        return ProgramTiming.of(self.insts, device_of(device))

    def time_draw(
        self,
        vertices: int = LANES,
        device: str | Device = RTL,
        streams: Sequence[Stream] = (),
        indices: Sequence[int] | None = None,
    ) -> WaveTime:
        """The cycles of a draw, part by part.

        `streams` are for the time of the fetch, which is not in the total but in `.whole`: with them the vertex cache is
        followed from vertex to vertex, those of `indices` (default: 0, 1, 2 and so on), and `.misses` are counted. What a miss
        costs needs the parameter `memory_latency` of a device (`"rtl,memory_latency=20"`). Raises ValueError for no vertex or
        another device.
        """
        from lanewise.shadercore.api.streams import descriptor_of, time_streams

        count = whole("vertices", vertices, STEPS) if indices is None else len(indices)
        return time_streams(self.time(device), count, [descriptor_of(stream) for stream in streams], indices)

    def faster_order(self, device: str | Device = RTL) -> Reordering | None:
        """Another order of the slots that takes fewer cycles and leaves the same in every register; None where none is found.

        `.order` has the old slot of each new one, `.timing` the timing of the new order. Raises ValueError for another device.
        """
        from lanewise.shadercore.api.reordering import reordered

        return reordered(self.time(device))

    def graph(self, device: str | Device = RTL, *, each: bool = False, order: bool = False) -> Drawing:
        """The dependences between instructions on a device, with the cycles that they cost: a box for each expression.

        An expression is instructions whose values only it needs. `each`: a box for each instruction; `order`: also WAR and WAW,
        which matter to whoever moves instructions. Raises ValueError for another device.
        """
        from lanewise.graph.draw import drawn
        from lanewise.shadercore.api.picture import dependence_picture

        picture = dependence_picture(self.time(device), self.program, _stem(self.name), each=each, order=order)
        return Drawing(self.isa, self.name, partial(drawn, picture))

    @property
    def words(self) -> tuple[int, ...]:
        """The machine words, 64 bits each."""
        return self.program.words

    def disassemble(self) -> str:
        """A source that assembles to the same words and header."""
        return print_program(self.program)

    def to_bytes(self, form: str = "file", *, width: int = 0, depth: int = 0, fill: int | None = None) -> bytes:
        """The program as `file` (with a header), `source`, or one of bin, hex, c, vhdl, verilog, coe, mem, mif: only the words.

        `width`: bits of a row of a memory, 32, 64, 128 or 256 (0: as usual in the form). `depth`: rows of the whole memory (0:
        those of the program, in a MIF the slots of a core). `fill`: the machine word after the program (None: NOP). Raises
        ValueError.
        """
        if form == "file":
            return write_binary(self.program)
        if form == SOURCE:
            return self.disassemble().encode()
        if form not in TARGETS:
            raise ValueError(f"unknown form {form!r}: use file, source, {', '.join(TARGETS)}")
        return write_memory(program_memory(self.program, form, Shape(width, depth, fill)), form, _stem(self.name))

    def constants_to_bytes(self, form: str = "bin") -> bytes:
        """The constants that come with the program in a form of `to_bytes` but `file` and `source`: 32-bit words from c0.x to
        the last constant. Raises ValueError."""
        if form not in TARGETS:
            raise ValueError(f"unknown form {form!r}: use {', '.join(TARGETS)}")
        return write_memory(constant_memory(self.program), form, f"{_stem(self.name)}_constants")

    def c_header(self, name: str = "") -> str:
        """A C header with the places of inputs, outputs and constants; `name` begins each macro (default: that of the file)."""
        from lanewise.shadercore.container.c_header import Places, c_header

        beside = self.beside
        places = None if beside is None else Places(beside.inputs, beside.outputs, {}, beside.numbers)
        return c_header(self.program, name or _stem(self.name), places)

    def save(self, path: str | PathLike[str], form: str | None = None) -> None:
        """Write the program to a file, in a form of `to_bytes` (default: by the suffix; a file with a header for one that names
        no form).

        Only the form `source` keeps the constants of a source. Raises ValueError, for the suffix of another form too, and
        OSError.
        """
        suffix = Path(path).suffix.lower()
        if form is None and (message := refused(str(path), (SUFFIX, *self._package().manual("asm").forms))):
            raise ValueError(message)
        writing.write(path, self.to_bytes(form or (SOURCE if suffix == SUFFIX else FORMS_BY_SUFFIX.get(suffix, "file"))))

    def placed(self) -> Program:
        """The program with the places of its words in the file that it was read from."""
        if self.program.places or not self._data:
            return self.program
        loaded = read_program(self._data, self.name, self._form, added=self.program.added)
        return self.program._replace(places=places_of(self._data, self.name, loaded))


def read_shadercore(data: bytes, name: str, form: str | None = None, device: Device = RTL) -> ShaderCoreProgram:
    """The program of a file's bytes, with the instructions of a device: `source` or a form of words (default: by the name, or
    as they look). Raises InputError."""
    loaded = read_program(data, name, form, added=device.added)
    if loaded.program is None:
        raise InputError(loaded.diagnostics)
    return ShaderCoreProgram(name, loaded.program, loaded.diagnostics, bytes(data), loaded.form)


def _run_warnings(
    found: Sequence[Diagnostic],
    program: ShaderCoreProgram,
    device: Device,
    frame: Any,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, object],
    result: WaveResult,
    step: int = 0,
) -> list[Diagnostic]:
    """The warnings about a run and its values; with a `step` those about values only, of each such row."""
    from lanewise.arrays.announcing import thinned, thinned_frame
    from lanewise.arrays.layout_warnings import layout_warnings
    from lanewise.arrays.value_warnings import format_warnings, frame_warnings
    from lanewise.shadercore.api.stream_warnings import cut_waves

    name = program.name
    some = thinned(inputs, step, result.lanes) if step else inputs
    own = [
        *frame_warnings(thinned_frame(frame, step, result.lanes), name),
        *format_warnings(some, uniforms, name),
        *layout_warnings(some, name),
    ]
    own += cut_waves(inputs, program.program, device, name)
    return [*(() if step else found), *own]


def _stem(name: str) -> str:
    return Path(name).name.partition(".")[0] or "shader"
