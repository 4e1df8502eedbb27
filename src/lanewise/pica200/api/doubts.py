"""Programs that may compute something else than is meant: those that the rules of `lanewise check` are asked about.

`lanewise asm` and `lanewise run` ask them only then: most programs do without their import, which takes half as long as
assembling.
"""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Dest, Source
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    CALL,
    END,
    FIRST_SLOT,
    FLOAT,
    INDEX_NAMES,
    INTEGER,
    LOOP,
    NOP,
    REGISTER_END,
    TEMPORARY,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.isa.program import Interface, Operation, Program
    from lanewise.pica200.isa.table import Op

_OF_THE_RULES = frozenset(("V104",))  # about the rules, not about the program
# Of paths, which a run warns of where it takes them (`R` and `B`).
OF_A_RUN = frozenset(("V071", "V078", "V079", "V083", "V088", "V094", "V095", "V099", "V101", "V102", "V103"))
_MOST_ROUTES = 64  # calls times loops: the rules take seconds for what no shader has
_WHOLE = "all"  # the rule of a descriptor whose slots all count
_WRITTEN = tuple(
    [sum([8 >> bit for bit in range(4) if mask >> bit & 1]) for mask in range(16)]
)  # masks of outputs as of writes
_UNBROKEN = (0b1, 0b11, 0b111, 0b1111)
_COUNTER = INDEX_NAMES.index("aL")
_INFINITY = 0x7F0000  # of float24
_NOWHERE = Dest(REGISTER_END, 0b1100)


def warnings(
    assembly: Assembly, sources: Sequence[tuple[str, str]], language: str, without: frozenset[str] = frozenset()
) -> tuple[Diagnostic, ...]:
    """What the rules of `lanewise check` warn of in assembled sources, and the assembler has not said; `without` some codes."""
    kinds = [operation.op.kind for operation in assembly.program.operations]
    if not doubtful(assembly.program) or kinds.count(CALL) * kinds.count(LOOP) > _MOST_ROUTES:
        return ()
    from lanewise.pica200.api.checking import examined

    known = {(finding.code, finding.span.file, finding.span.line) for finding in assembly.diagnostics}
    found = examined(assembly, sources, language).report.findings
    wrong = [each for each in found if each.severity == WARNING and each.code not in _OF_THE_RULES | without]
    return tuple([each for each in wrong if (each.code, each.span.file, each.span.line) not in known])


def doubtful(program: Program) -> bool:
    """Whether a program has several paths, procedures or shaders, reads what it has not written, writes an output not at all or
    twice, or has products or constants that look odd."""
    *operations, last = program.operations or (None,)
    if len(program.interfaces) != 1 or last is None or last.op.kind != END:
        return True
    shader = program.interfaces[0]
    if shader.entry or shader.geometry or any(each.op.kind not in (ARITHMETIC, NOP) for each in operations):
        return True
    if 0 < shader.entry_end < len(program.operations):  # from the entry procedure into the next one
        return True
    if any(
        FLOAT <= each.register < INTEGER and _INFINITY in [word & 0x7FFFFF for word in each.values] for each in shader.constants
    ):
        return True
    return _odd_writes(operations, shader) or _odd_reads(operations)


def _odd_writes(operations: Sequence[Operation], shader: Interface) -> bool:
    """Whether outputs are written twice, in part, or not as they are declared."""
    wired = dict[int, int]()
    for output in shader.outputs:
        wired[output.register] = wired.get(output.register, 0) | _WRITTEN[output.mask & 0xF]
    written = dict[int, int]()
    indexing = False
    for operation in operations:
        before, indexing, to = indexing, "adr" in operation.op.operands, _written(operation)
        if before and indexing:
            return True
        if indexing or to.register >= TEMPORARY:
            continue
        had = written.get(to.register, 0)
        if had & to.mask or to.register not in wired or (to.mask != 0xF and to.mask & ~wired[to.register]):
            return True
        written[to.register] = had | to.mask
    unplaced = all(output.semantic for output in shader.outputs)
    broken = any(output.mask not in _UNBROKEN for output in shader.outputs)
    return unplaced or broken or any(mask & ~written.get(register, 0) for register, mask in wired.items())


def _odd_reads(operations: Sequence[Operation]) -> bool:
    """Whether something is read that is not written above, or sources look odd."""
    written = dict[int, int]()
    products, points = set[tuple[int, ...]](), set[int]()
    indexed = 0  # address registers that are written: a0.x in bit 1
    for operation in operations:
        op, to = operation.op, _written(operation)
        sources = [each for each in operation.operands if isinstance(each, Source)]
        for source in sources:
            parts = _parts(source, _slots(op, to.mask))
            if source.relative and (source.relative == _COUNTER or not indexed >> 2 - source.relative & 1):
                return True
            if TEMPORARY <= source.register < FLOAT and parts & ~written.get(source.register, 0):
                return True
            if op.picasso_merge == FIRST_SLOT and _parts(source, to.mask) & ~parts:  # it reads the first slot only
                return True
        if op.widths:
            product = (to.register, *sorted([each.register for each in sources]))
            points.update([each.register for each in sources if each.register < TEMPORARY and op.widths[-1] == 4])
            if product in products or len(points) > 1:  # a row that is taken twice; a direction that is moved
                return True
            products.add(product)
        if "adr" in op.operands:
            indexed |= to.mask >> 2
        else:
            written[to.register] = written.get(to.register, 0) | to.mask
    return False


def _written(operation: Operation) -> Dest:
    return next((each for each in operation.operands if isinstance(each, Dest)), _NOWHERE)


def _slots(op: Op, mask: int) -> int:
    """The slots of its sources that an instruction reads, as a mask."""
    if op.widths:
        return 0xF0 >> max(op.widths) & 0xF
    if op.picasso_merge == FIRST_SLOT:
        return 0b1000
    return 0b1100 if "cmp" in op.operands else 0b1111 if op.picasso_merge == _WHOLE else mask


def _parts(source: Source, slots: int) -> int:
    """The components that slots read, as a mask."""
    parts = 0
    for bit in range(4):
        if slots >> bit & 1:
            parts |= 8 >> (source.selector >> 2 * bit & 3)
    return parts
