"""What the house knows of the toy: its language, its container and its services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.arrays.data import option_values, run_data
from lanewise.arrays.report import answered
from lanewise.arrays.results import Port, Result
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import WARNING, Diagnostic, InputError, has_errors
from lanewise.core.document import Heading, Paragraph, Table
from lanewise.core.package import CERTAIN, Container, IsaPackage, Language, Reference
from lanewise.core.program import ProgramServices
from lanewise.core.replaying import Replayed, Whole, unchangeable
from lanewise.core.service import NOTHING_ADDED, STDIO, Answer, Disassembly, Report, Source, UsageError
from lanewise.core.shadertests import ShaderTests
from lanewise.core.source import Span, decode_text
from lanewise.core.trace import Decision, Given, Operand, Step, Trace, Value, Write, shown
from lanewise.core.view import view_of
from lanewise.graph.draw import drawn
from lanewise.graph.flow import targets
from lanewise.graph.picture import Branch, Goto, Node, Picture, Row, Stop
from lanewise.translating.blocks import joined
from toy_isa import text as language
from toy_isa.codes import ROWS, finding
from toy_isa.machine import BY_NAME, INPUTS, MAGIC, MASK, MOST_STEPS, OPS, REGISTERS, Inst, decode, encode, ended, nodes, steps
from toy_isa.optimising import optimised
from toy_isa.proof import compare
from toy_isa.translate import translation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from lanewise.core.comparison import Comparison
    from lanewise.core.package import Loaded, Program
    from lanewise.core.service import Manual, Request

NAMES = [f"r{number}" for number in range(REGISTERS)]
OUTPUTS = NAMES[INPUTS:]


class ToyProgram(ProgramServices):
    """The public object."""

    isa = "toy"

    def __init__(self, name: str, insts: Sequence[Inst], diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.name, self.insts, self.diagnostics = name, tuple(insts), tuple(diagnostics)

    def run(self, given: Mapping[str, ArrayLike]) -> Result:
        """The registers of each lane for values of r0 to r3; r4 to r7 are the outputs. Raises InputError."""
        import numpy as np

        inputs = _integers(given, self.name)
        lanes = range(max([len(values) for values in inputs.values()], default=1))
        try:
            ends = [ended(self.insts, _registers(inputs, lane)) for lane in lanes]
        except OverflowError:
            raise InputError([finding("R901", f"more than {MOST_STEPS} steps", Span(file=self.name))]) from None
        held = {name: np.array([[end[n]] for end in ends], np.uint32) for n, name in enumerate(NAMES)}
        bits = {name: held[name] for name in OUTPUTS}
        numbers = {name: array.view(np.int32) for name, array in bits.items()}
        found = Result(len(lanes), numbers, bits, registers=held.copy, ports=[Port(name, name, "") for name in OUTPUTS])
        found.isa, found.format = "toy", "int32"
        return found


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
            finding("V901", f"r{inst.operand} is never written", place, f"store r{inst.operand} first", WARNING)
            for inst, place in zip(self.insts, self.source_map, strict=False)
            if inst.op.operand == "register" and inst.operand >= INPUTS and inst.operand not in stored
        ]
        return Report((*self.diagnostics, *(found if not has_errors(self.diagnostics) else ())))

    def disassemble(self, request: Request) -> Answer:
        if request.flag("listing"):
            rows = enumerate(self.program.insts)
            return Answer(text="".join([f"{address} {encode(inst):04X} {inst.text}\n" for address, inst in rows]))
        sources = _write(self, request)
        return Answer(data={"sources": [source._asdict() for source in sources.sources]}, sources=sources)

    def inspect(self, request: Request) -> Answer:
        page = (Paragraph(f"Toy program of {len(self.words)} words."),)
        return Answer(data={"name": self.name, "words": self.words}, page=page)

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
        inputs = _inputs(request)
        self.program.run(inputs)  # raises InputError for one without end
        return shown(view_of(request), self.diagnostics, self._traced(inputs, request.integer("trace")))

    def debug(self, request: Request) -> Replayed:
        inputs, texts = _inputs(request), [inst.text for inst in self.program.insts]
        lanes = range(max(map(len, inputs.values()), default=1))

        def steps(lane: int, changed: Mapping[str, float]) -> Whole:
            if changed:
                raise unchangeable(min(changed), self.name)
            return Whole(self._traced(inputs, lane))

        return Replayed("toy", self.name, "lane", lanes, steps, lambda at: texts[at] if 0 <= at < len(texts) else "")

    def _traced(self, inputs: Mapping[str, Sequence[int]], lane: int) -> Trace:
        registers, taken = _registers(inputs, lane), list[Step]()
        held = {name: Value(n, n) for name, n in zip(NAMES, registers, strict=True)}
        given = {name: Given("register" if name in OUTPUTS else "input", value) for name, value in held.items()}
        for address, (op, operand), acc in steps(self.program.insts, registers):
            name, asked, new = f"r{operand}", op.name == "jnz", (Value(acc, acc),)
            reads = (name,) if op.operand == "register" and op.name != "store" else ()
            reads += () if op.name in ("load", "set", "halt") else ("acc",)
            place = "acc" if op.compute is not None else name if op.name == "store" else ""
            old = (held[place],) if place in held else ()
            operands = [Operand(register=each, values=(held.get(each, Value(0, 0)),), places=(each,)) for each in reads]
            step = Step(
                number=len(taken),
                address=address,
                instruction=self.insts[address].text,
                span=self.source_map[address],
                operands=tuple(operands) if not asked else (),
                writes=(Write(register=place, new=new, old=old),) if place else (),
                made={place: reads} if place else {},
                decisions=(Decision("acc != 0?", "yes" if acc else "no", reads),) if asked else (),
            )
            taken.append(step)
            held |= {place: new[0]} if place else {}
        results = {name: name for name in OUTPUTS}
        return Trace("toy", self.name, f"lane {lane}", taken, given=given, results=results, format="int")


def _integers(given: Mapping[str, ArrayLike | Words], file: str) -> dict[str, list[int]]:
    """The values of inputs by their names. Raises InputError."""
    import numpy as np

    found: dict[str, list[int]] = {}
    for name, value in given.items():
        array = np.asarray(value.array if isinstance(value, Words) else value).reshape(-1)
        if name not in NAMES[:INPUTS]:
            raise InputError([finding("B001", f"unknown input '{name}'", Span(file=file), "use r0 to r3")])
        if array.dtype.kind not in "biuf" or not all(float(number).is_integer() for number in array):
            raise InputError([finding("B003", f"values of {name} are not whole numbers", Span(file=file), "round them")])
        found[name] = [int(number) for number in array]
    return found


def _inputs(request: Request) -> dict[str, list[int]]:
    return _integers(option_values(request, "input", run_data(request).inputs), request.name)


def _registers(inputs: Mapping[str, Sequence[int]], lane: int) -> list[int]:
    given = [inputs.get(name, (0,)) for name in NAMES]
    return [values[lane % len(values)] & MASK for values in given]


def _read_source(request: Request) -> Loaded:
    source = request.only("toy programs")
    text = decode_text(source.data)
    insts, places, found = language.read(source.name, text)
    return ToyFile(source.name, insts, places, found, text)


def _read_binary(request: Request) -> Loaded:
    source = request.only("toy programs")
    data = source.data.removeprefix(MAGIC)
    insts = [decode(int.from_bytes(data[at : at + 2], "little")) for at in range(0, len(data), 2)]
    known = [inst for inst in insts if inst is not None]
    whole = source.data.startswith(MAGIC) and len(data) % 2 == 0 and len(known) == len(insts)
    place = Span(file=source.name, offset=0)
    found = () if whole else (finding("C901", "not a whole toy file", place, "get the whole file"),)
    return ToyFile(source.name, known, [Span(file=source.name, offset=4 + 2 * n) for n in range(len(known))], found)


def _binary(loaded: Loaded) -> bytes:
    return MAGIC + b"".join([word.to_bytes(2, "little") for word in loaded.words])


def _write(loaded: Loaded, request: Request) -> Disassembly:
    text = language.write([inst for word in loaded.words if (inst := decode(word))])
    return Disassembly(sources=(Source("converted.toy", text),))


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


def _manual(command: str) -> Manual:
    return NOTHING_ADDED


def _assemble(request: Request) -> Answer:
    loaded, path = _read_source(request), request.sources[0].path
    output = request.text("output") or (STDIO if path == STDIO else f"{path.removesuffix('.toy')}.toyb")
    return Answer(files=((output, _binary(loaded)),), first=tuple(loaded.program.diagnostics))


TEXT = Language(
    name="toy",
    title="toy",
    suffixes=(".toy",),
    recognises=_is_text,
    read=_read_source,
    write=_write,
    format=language.formatted,
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
    manual=_manual,
    load=_load,
    assemble=_assemble,
    reference=lambda: Reference(overview=_overview, instruction=_instruction),
    wrap=_wrap,
    optimise=optimised,
    translate=translation,
    shader_tests=lambda: ShaderTests(kinds=(ToyProgram,), title="Toy", tables=("inputs",)),
)
