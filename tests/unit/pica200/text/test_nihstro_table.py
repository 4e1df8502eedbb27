"""What the nihstro language says of the instruction table: whole texts, and operands in places that hardware has."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.isa.program import Operation, Source
from lanewise.pica200.isa.table import ARITHMETIC, BUT_NAN, COMPONENTS, MIRRORED, NO, OPS, Op
from lanewise.pica200.sem.influence import slots_read
from lanewise.pica200.text.nihstro.printer import printed_slots
from lanewise.pica200.text.nihstro.syntax import COMPARISONS, MNEMONICS, SAYS, SPELLING
from together import together

COMPUTING = [op for op in OPS if op.kind == ARITHMETIC and op.name == op.base]


def name_of(op: Op) -> str:
    return op.name


def test_the_language_says_every_row():
    """Inverted forms are found by themselves; `.word` is for words without a row."""
    assert {op.base for op in OPS} == SAYS
    assert set(SPELLING) <= SAYS
    assert set(SPELLING.values()) <= MNEMONICS


@together("op", COMPUTING, ids=name_of)
def test_the_text_names_every_slot_that_is_read(op: Op):
    for mask in (12, 8, 4) if "adr" in op.operands else range(1, 16):
        printed = printed_slots(op, mask)
        for read, slots in zip(slots_read(op, mask), printed, strict=True):
            assert set(read) <= set(slots), f"mask {mask:04b}"
    if op.widths:
        assert printed_slots(op, 0xF) == slots_read(op, 0xF)


def assembled(op: Op, first: str, second: str) -> tuple[Operation | None, list[Diagnostic]]:
    """An instruction with the registers of its first two sources."""
    widths = op.widths or (4, 4, 4)
    texts = [f"{name}.{COMPONENTS[:width]}" for name, width in zip((first, second, "r3"), widths, strict=False)]
    dest, operators = ("", ", <, <=") if "cmp" in op.operands else ("r0, ", "")
    line = f"{op.name} {dest}{', '.join(texts[: op.source_count])}{operators}"
    made = assemble_sources([("a.vsh", f"main:\n{line}\nnop\nend\n")])
    errors = [finding for finding in made.diagnostics if finding.is_error]
    return made.program.operations[0] if not errors else None, [*made.diagnostics, *made.notes]


@together("op", [op for op in COMPUTING if op.source_count == 2], ids=name_of)
def test_a_uniform_in_the_second_place_is_exchanged_where_sources_commute(op: Op):
    operation, findings = assembled(op, "r1", "c5")
    codes = {finding.code for finding in findings}
    if operation is None:
        assert op.commutes == NO
        return
    registers = [operand.register for operand in operation.operands if isinstance(operand, Source)]
    assert registers == ([0x25, 0x11] if op.commutes != NO else [0x11, 0x25])
    assert ("P072" in codes) == (op.commutes == BUT_NAN)
    operators = [operand for operand in operation.operands if isinstance(operand, int)]
    assert operators == ([COMPARISONS.index(">"), COMPARISONS.index(">=")] if op.commutes == MIRRORED else [])


@pytest.mark.parametrize(
    ("line", "fits", "differs"),
    [
        ("mova v0.xy", 0x20C, 0x20F),  # the write mask counts whole
        ("litp r0, v0", 0x36F, 0x32F),  # a component of the source that litp does not read counts
        ("cmp v0.xy, r1.xy, ==, ==", 0x4020F, 0x4021F),  # the write mask does not, the sign of a source does
    ],
)
def test_how_an_instruction_finds_its_pinned_descriptor(line: str, fits: int, differs: int):
    for value, codes in ((fits, []), (differs, ["V033"])):
        made = assemble_sources([("a.vsh", f".opdesc 0 0x{value:X}\nmain:\n{line}\nend\n")])
        assert [finding.code for finding in made.diagnostics if finding.severity == ERROR] == codes
