"""What the house knows of the toy: its language, its container and its services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.arrays.data import integers_of, option_values, run_data
from lanewise.arrays.report import answered
from lanewise.arrays.results import Result
from lanewise.core.defaults import assembled, disassembled, nothing_added
from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, InputError, has_errors
from lanewise.core.document import Heading, Paragraph, Table
from lanewise.core.package import CERTAIN, Container, IsaPackage, Language, Reference
from lanewise.core.program import ProgramServices
from lanewise.core.recorder import Recorder
from lanewise.core.replaying import Replayed, of_traces
from lanewise.core.service import Answer, Disassembly, Report, Source, UsageError
from lanewise.core.shadertests import ShaderTests
from lanewise.core.source import Span, decode_text
from lanewise.core.text.formatting import formatter
from lanewise.core.trace import shown
from lanewise.core.view import view_of
from lanewise.graph.draw import drawn
from lanewise.graph.flow import targets
from lanewise.graph.picture import Branch, Goto, Node, Picture, Row, Stop
from lanewise.translating.blocks import joined
from toy_isa import text as language
from toy_isa.codes import ROWS
from toy_isa.machine import BY_NAME, INPUTS, MAGIC, MASK, MOST_STEPS, OPS, REGISTERS, Inst, decode, encode, ended, nodes, steps
from toy_isa.optimising import optimised
from toy_isa.proof import compare
from toy_isa.translate import translation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from lanewise.core.comparison import Comparison
    from lanewise.core.package import Loaded, Program
    from lanewise.core.service import Request

NAMES = [f"r{number}" for number in range(INPUTS)]


class ToyProgram(ProgramServices):
    """The public object."""

    isa = "toy"

    def __init__(self, name: str, insts: Sequence[Inst], diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.name, self.insts, self.diagnostics = name, tuple(insts), tuple(diagnostics)

    def run(self, given: Mapping[str, ArrayLike]) -> Result:
        """The registers of each lane for values of r0 to r3; r4 to r7 are the outputs. Raises InputError."""
        inputs = integers_of(given, NAMES, self.name)
        lanes = range(max([len(values) for values in inputs.values()], default=1))
        try:
            ends = [ended(self.insts, _registers(inputs, lane)) for lane in lanes]
        except OverflowError:
            raise InputError(
                [Diagnostic(code="R901", severity=ERROR, message=f"more than {MOST_STEPS} steps", span=Span(file=self.name))]
            ) from None
        registers = {f"r{number}": [end[number] for end in ends] for number in range(REGISTERS)}
        return Result.of_integers("toy", registers, [*registers][INPUTS:])


class ToyFile:
    """A source or a binary."""

    isa, time, scene = "toy", None, None

    def __init__(
        self, name: str, insts: Sequence[Inst], places: Sequence[Span], found: Sequence[Diagnostic], source: str = ""
    ) -> None:
        self.name, self.insts, self.source_map, self.diagnostics, self._source = name, insts, places, tuple(found), source

    @property
    def program(self) -> ToyProgram:
        if has_errors(self.diagnostics):
            raise InputError(self.diagnostics)
        return ToyProgram(self.name, self.insts, self.diagnostics)

    @property
    def words(self) -> list[int]:
        return [encode(inst) for inst in self.program.insts]

    @property
    def text(self) -> str:
        return self._source or language.write(self.program.insts)

    def check(self, request: Request) -> Report:
        stored = {inst.operand for inst in self.insts if inst.op.name == "store"}
        found = [
            Diagnostic(
                code="V901",
                severity=WARNING,
                message=f"r{inst.operand} is never written",
                span=place,
                notes=(),
                fix=f"store r{inst.operand} first",
            )
            for inst, place in zip(self.insts, self.source_map, strict=False)
            if inst.op.operand == "register" and inst.operand >= INPUTS and inst.operand not in stored
        ]
        return Report((*self.diagnostics, *(found if not has_errors(self.diagnostics) else ())))

    def disassemble(self, request: Request) -> Answer:
        return disassembled(request, self, _write(self, request), [inst.text for inst in self.program.insts], 4)

    def inspect(self, request: Request) -> Answer:
        return Answer(
            data={"name": self.name, "words": self.words}, page=(Paragraph(f"Toy program of {len(self.words)} words."),)
        )

    def graph(self, request: Request) -> Answer:
        insts, boxes = self.program.insts, list[Node]()
        for items, exit in joined(dict(enumerate(nodes(insts))), 0):
            ends = [Goto(target=number) for number in targets(exit)] or [Goto(target=Stop("end"))]
            name = f"{items[0]} to {items[-1]}" if items else "end"
            after = Branch("acc != 0", ends[0], ends[1]) if len(ends) > 1 else ends[0]
            boxes.append(Node(heading=name, rows=tuple([Row(n, insts[n].text) for n in items]), leaving=(after,)))
        return drawn(Picture(tuple(boxes), self.name), request.text("format", "text"))

    def difference(self, other: Loaded, requests: tuple[Request, Request]) -> Comparison:
        if not isinstance(other, ToyFile):
            raise TypeError(f"{other.name} is not a toy program")
        names = (self.name, other.name) if self.name != other.name else (f"{self.name} (first)", f"{other.name} (second)")
        return compare(self.program.insts, other.program.insts, names)

    def run(self, request: Request) -> Answer:
        return answered(view_of(request), self.program.run(_inputs(request)), self.name, before=self.diagnostics)

    def trace(self, request: Request) -> Answer:
        inputs, lane = _inputs(request), request.integer("trace")
        self.program.run(inputs)  # raises InputError for one without end
        held = {f"r{n}": value for n, value in enumerate(_registers(inputs, lane))}
        recorder = Recorder(held, [*held][:INPUTS], self.source_map)
        for address, (op, operand), acc in steps(self.program.insts, [*held.values()]):
            name, asked = f"r{operand}", "acc != 0?" if op.name == "jnz" else ""
            reads = [name] if op.operand == "register" and op.name != "store" else []
            reads += ["acc"] if op.name not in ("load", "set", "halt") else []
            writes = {"acc": acc} if op.compute is not None else {name: acc} if op.name == "store" else {}
            recorder.step(address, self.program.insts[address].text, reads, writes, asked, "yes" if acc else "no")
        return shown(view_of(request), self.diagnostics, recorder.trace("toy", self.name, f"lane {lane}", [*held][INPUTS:]))

    def debug(self, request: Request) -> Replayed:
        lanes = range(max(map(len, _inputs(request).values()), default=1))
        return of_traces(self, request, lanes, [inst.text for inst in self.program.insts])


def _inputs(request: Request) -> dict[str, list[int]]:
    return integers_of(option_values(request, "input", run_data(request).inputs), NAMES, request.name)


def _registers(inputs: Mapping[str, Sequence[int]], lane: int) -> list[int]:
    given = [inputs.get(f"r{number}", (0,)) for number in range(REGISTERS)]
    return [values[lane % len(values)] & MASK for values in given]


def _read_source(request: Request) -> Loaded:
    source = request.sources[0]
    text = decode_text(source.data)
    insts, places, found = language.read(source.name, text)
    return ToyFile(source.name, insts, places, found, text)


def _read_binary(request: Request) -> Loaded:
    source = request.sources[0]
    data = source.data.removeprefix(MAGIC)
    insts = [decode(int.from_bytes(data[at : at + 2], "little")) for at in range(0, len(data), 2)]
    known = [inst for inst in insts if inst is not None]
    whole = source.data.startswith(MAGIC) and len(data) % 2 == 0 and len(known) == len(insts)
    place = Span(file=source.name, offset=0)
    missing = Diagnostic(
        code="C901", severity=ERROR, message="not a whole toy file", span=place, notes=(), fix="get the whole file"
    )
    found = () if whole else (missing,)
    return ToyFile(source.name, known, [Span(file=source.name, offset=4 + 2 * n) for n in range(len(known))], found)


def _binary(loaded: Loaded) -> bytes:
    return MAGIC + b"".join([word.to_bytes(2, "little") for word in loaded.words])


def _write(loaded: Loaded, request: Request) -> Disassembly:
    return Disassembly(
        sources=(Source("converted.toy", language.write([inst for word in loaded.words if (inst := decode(word))])),)
    )


def _wrap(program: Program, request: Request) -> Loaded:
    if not isinstance(program, ToyProgram):
        raise TypeError(f"{program.name} is not a toy program")
    return ToyFile(program.name, program.insts, [Span(file=program.name)] * len(program.insts), program.diagnostics)


def _overview() -> tuple[list[Heading | Table], dict[str, object]]:
    rows = tuple([(op.name, op.operand, op.summary) for op in OPS])
    return [Heading(1, "toy"), Table(("name", "operand", "meaning"), rows)], {"instructions": [op.name for op in OPS]}


def _instruction(name: str) -> tuple[list[Heading | Paragraph], dict[str, object]]:
    if name not in BY_NAME:
        raise UsageError(f"unknown instruction '{name}' of toy: lanewise isa toy lists them")
    op = BY_NAME[name]
    return [Heading(1, op.name), Paragraph(op.summary)], {"name": op.name, "opcode": op.opcode, "meaning": op.summary}


def _is_text(text: str) -> int:
    return CERTAIN * text.startswith(".toy\n")


def _is_file(data: bytes) -> int:
    return CERTAIN * data.startswith(MAGIC)


def _load(request: Request) -> Loaded:
    return (_read_binary if request.sources[0].data.startswith(MAGIC) else _read_source)(request)


def _assemble(request: Request) -> Answer:
    return assembled(request, TEXT, FILE)


TEXT = Language(
    name="toy",
    title="toy",
    suffixes=(".toy",),
    recognises=_is_text,
    read=_read_source,
    write=_write,
    format=formatter(language.read_line),
    mnemonics=lambda: BY_NAME,
)
FILE = Container(name="toyb", title="a toy file", suffixes=(".toyb",), recognises=_is_file, read=_read_binary, write=_binary)
TOY = IsaPackage(
    name="toy",
    title="Toy",
    about="Toy, an accumulator machine",
    languages=(TEXT,),
    containers=(FILE,),
    codes=lambda: ROWS,
    variants=tuple,
    manual=nothing_added,
    load=_load,
    assemble=_assemble,
    reference=lambda: Reference(overview=_overview, instruction=_instruction),
    wrap=_wrap,
    optimise=optimised,
    translate=translation,
    shader_tests=lambda: ShaderTests(kinds=(ToyProgram,), title="Toy", tables=("inputs",)),
)
