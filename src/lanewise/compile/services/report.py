"""Report the needs of a compiled program, in all and by line of its source: words, operand descriptors, temporaries,
constants."""

from __future__ import annotations

from lanewise.compile.services.premises import premises_json, premises_page
from lanewise.core.compiled import CompileReport, Costs, LineCost
from lanewise.core.document import Heading, Items, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Dest, Source
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, SEMANTICS, TEMPORARY, VERTEX, register_name
from lanewise.pica200.isa.uniforms import hidden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.services.pipeline import Compiled
    from lanewise.core.document import Block
    from lanewise.pica200.isa.program import Interface, Operation

_WORD = 4  # bytes
_LONGEST = 44  # characters of a line of the source in a table


class Needs(Record):
    """How much some instructions need: words, and different descriptors, temporaries and registers of constants."""

    words: int
    descriptors: int
    temporaries: int
    constants: int


class Line(Record):
    """A line of the source, or an instruction of a binary, with the needs of its instructions."""

    file: str
    "The name of the file; empty without a place."
    number: int
    "The number of the line; 0 without one."
    word: int
    "The number of the first word in a binary; -1 without one."
    text: str
    "The text of the line without blanks around it."
    needs: Needs
    "The words, descriptors and registers of its instructions."


def needs(compiled: Compiled, addresses: Sequence[int]) -> Needs:
    """Return the needs of the instructions at some addresses together."""
    shader = compiled.file.programs[0]
    known = {constant.register for constant in compiled.file.program.interfaces[0].constants if constant.register < INTEGER}
    lifted = lift(shader.words, shader.descriptors)
    descriptors, temporaries, constants = set[int](), set[int](), set[int]()
    for address in addresses:
        operation = lifted[address]
        if operation.descriptor >= 0:
            descriptors.add(operation.descriptor)
        registers = _registers(operation)
        temporaries |= {register for register in registers if TEMPORARY <= register < FLOAT}
        constants |= registers & known
    return Needs(len(addresses), len(descriptors), len(temporaries), len(constants))


def _registers(operation: Operation) -> set[int]:
    """The registers of an instruction; outputs are left out."""
    found = {operand.register for operand in operation.operands if isinstance(operand, Source)}
    written = [
        operand.register for operand in operation.operands if isinstance(operand, Dest) and "dst" in operation.op.operands
    ]
    return found | {register for register in written if register >= TEMPORARY}


def lines(compiled: Compiled) -> list[Line]:
    """The lines of the source that became instructions, in their order; those without a place are line 0 and word -1."""
    addresses: dict[tuple[str, int, int], list[int]] = {}
    texts: dict[tuple[str, int, int], str] = {}
    for address, operation in enumerate(compiled.file.program.operations):
        span = operation.span
        key = "", 0, -1
        if span is not None and (span.line or span.offset >= 0):
            key = span.file, span.line, span.offset // _WORD if span.offset >= 0 else -1
        addresses.setdefault(key, []).append(address)
        texts[key] = span.text.strip() if span is not None else ""
    return [Line._make((*key, texts[key], needs(compiled, addresses[key]))) for key in sorted(addresses)]


def page_of(compiled: Compiled, name: str) -> list[Block]:
    """The report as a page."""
    every = lines(compiled)
    rows = [(_place(line, name), *map(str, line.needs), _shown(line.text)) for line in every]
    place = "word" if any(line.word >= 0 for line in every) else "line"
    whole = needs(compiled, range(len(compiled.file.program.operations)))
    interface = compiled.file.program.interfaces[0]
    floats = sum(row.size for row in interface.uniforms if row.first < INTEGER)
    spirv = compiled.lowered.spirv
    totals = [
        ("words", f"{whole.words} of {VERTEX.code_words}"),
        ("operand descriptors", f"{whole.descriptors} of {VERTEX.descriptors}"),
        ("temporaries", f"{whole.temporaries} of {FLOAT - TEMPORARY}"),
        ("float registers", f"{floats} of uniforms and {whole.constants} of constants, of {INTEGER - FLOAT}"),
        *([("SPIR-V", f"by {spirv.compiler}")] if spirv.compiler else []),
        *([("preamble", _preamble(interface))] if interface.preamble is not None else []),
    ]
    return [
        Heading(2, f"{name} on the PICA200"),
        Table((place, "words", "descriptors", "registers", "constants", "source"), tuple(rows)),
        Items(tuple(totals)),
        Paragraph(
            "Lines share descriptors, registers and constants, so that the columns sum up to more than the program needs."
        ),
        *premises_page(compiled.lowered.premises),
    ]


def compile_report(compiled: Compiled, name: str) -> CompileReport:
    """The report for Python."""
    rows = [
        LineCost(line.file, line.number, line.text, Costs({key: int(value) for key, value in line.needs._asdict().items()}))
        for line in lines(compiled)
    ]
    whole = needs(compiled, range(len(compiled.file.program.operations)))
    return CompileReport(
        target="pica200",
        totals=Costs({key: int(value) for key, value in whole._asdict().items()}),
        lines=tuple(rows),
        premises=tuple([premise.text for premise in compiled.lowered.premises]),
        page=tuple(page_of(compiled, name)),
    )


def _preamble(interface: Interface) -> str:
    """The registers that a preamble computes."""
    registers = hidden(interface)
    places = register_name(registers[0]) + (f" to {register_name(registers[-1])}" if len(registers) > 1 else "")
    return f"computes {places} before a draw"


def _place(line: Line, name: str) -> str:
    if line.word >= 0:
        return str(line.word)
    if not line.number:
        return "(none)"
    return str(line.number) if line.file == name else f"{line.file}:{line.number}"


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def data_of(compiled: Compiled, *, report: bool) -> dict[str, object]:
    """The program as plain data: its interface and words, and with `report` what its lines need."""
    shader, interface = compiled.file.programs[0], compiled.file.program.interfaces[0]
    whole = needs(compiled, range(len(compiled.file.program.operations)))
    found: dict[str, object] = {
        "program": compiled.file.name,
        "compiler": compiled.lowered.spirv.compiler or None,
        "inputs": [{"name": row.name, "register": register_name(row.first)} for row in interface.inputs],
        "outputs": [
            {
                "name": row.name,
                "register": f"o{row.register}",
                "semantic": SEMANTICS[row.semantic],
                "components": "".join([letter for bit, letter in enumerate("xyzw") if row.mask >> bit & 1]),
            }
            for row in interface.outputs
        ],
        "uniforms": [
            {"name": row.name, "register": register_name(row.first), "registers": row.size, "kind": _kind(row.first)}
            for row in interface.uniforms
        ],
        "counts": [
            {"name": row.name, "register": f"i{row.register}", "start": row.start, "step": row.step, "guard": f"b{row.guard}"}
            for row in compiled.result.counts
        ],
        "constants": [
            {"register": register_name(row.register), "words": [f"0x{word:06X}" for word in row.values]}
            for row in interface.constants
        ],
        "words": [f"0x{word:08X}" for word in shader.words],
        "descriptors": [f"0x{word:08X}" for word in shader.descriptors],
        "needs": whole._asdict(),
        "premises": premises_json(compiled.lowered.premises),
    }
    if interface.preamble is not None:
        own = interface.preamble
        found["preamble"] = {
            "register": register_name(own.register),
            "rows": len(hidden(interface)),
            "numbers": "float24" if own.exact else "float32",
            "text": own.text.splitlines(),
        }
    if report:
        found["lines"] = [
            {
                "file": line.file,
                "line": line.number,
                "word": line.word if line.word >= 0 else None,
                "source": line.text,
                **line.needs._asdict(),
            }
            for line in lines(compiled)
        ]
    return found


def _kind(register: int) -> str:
    return "bool" if register >= BOOLEAN else "int" if register >= INTEGER else "float"
