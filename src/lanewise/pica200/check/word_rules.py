"""Rules of single words, and of unused uniforms and unreachable code.

The rules of words are for programs that lanewise's assemblers did not check.
"""

from __future__ import annotations

from itertools import permutations

from lanewise.core.diagnostics import Edit
from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.facts import FOUR_PRODUCTS
from lanewise.pica200.isa.lift import flow_uniform
from lanewise.pica200.isa.table import (
    CALL,
    CONDITIONAL,
    FLOAT,
    INTEGER,
    NOP,
    NUM_MAX,
    TEMPORARY,
    UNKNOWN,
    register_name,
)
from lanewise.pica200.isa.uniforms import PREAMBLE
from lanewise.pica200.isa.verify import sources_fault

# How names of inputs that are directions end.
_DIRECTIONS = ("normal", "tangent", "binormal", "bitangent")

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.check.context import AnalysisContext


def two_inputs(context: AnalysisContext) -> Iterator[Finding]:
    """V003: two different input registers in one instruction (E2)."""
    for pc in sorted(context.reached):
        fault = sources_fault(context.operations[pc].op, context.sources[pc])
        if fault is not None and fault.code == "V003":
            yield Finding(message=fault.message, fix=fault.fix, pc=pc)


def index_without_effect(context: AnalysisContext) -> Iterator[Finding]:
    """V014: an index register on an input or a temporary (E14)."""
    for pc in sorted(context.reached):
        for source in context.sources[pc]:
            if source.relative and source.register < FLOAT:
                message = f"{register_name(source.register)} is indexed, but only c0-c95 can be: the index has no effect"
                yield Finding(message=message, fix="move the table to c registers", pc=pc)


def too_long(context: AnalysisContext) -> Iterator[Finding]:
    """V041: more words than the code memory holds."""
    limit = context.device.code_words
    beyond = [pc for pc in sorted(context.reached) if pc >= limit]
    if beyond:
        message = f"word {beyond[0] + 1} is past the limit: the {context.device.name} has {limit}"
        yield Finding(message=message, fix="shorten the program, or move work to a geometry shader (4,096 words)", pc=beyond[0])


def too_long_to_count(context: AnalysisContext) -> Iterator[Finding]:
    """V081: a size that NUM cannot hold."""
    for pc, target in context.targets:
        kind = context.kind(pc)
        if target.num > NUM_MAX and kind in (CALL, CONDITIONAL):
            what = "the else part" if kind == CONDITIONAL else "the called procedure"
            yield Finding(
                message=f"{what} has {target.num} words, but NUM counts at most {NUM_MAX}: hardware uses "
                f"{target.num & NUM_MAX}",
                fix="split it",
                pc=pc,
            )


def input_not_declared(context: AnalysisContext) -> Iterator[Finding]:
    """V086: reads of undeclared inputs, one finding for a shader.

    nihstro's files have no mask and need not name inputs. `.alias NAME vN` names an input too: devkitPro's examples do so.
    """
    known = context.interface.input_mask
    silent = not known and context.program.encoding is not None
    for uniform in context.interface.inputs:
        known |= sum(1 << register for register in range(uniform.first, uniform.last + 1) if register < TEMPORARY)
    for alias in context.interface.aliases:
        known |= 1 << alias.register if not alias.written and alias.register < TEMPORARY else 0
    if not context.wired or context.interface.geometry or silent:
        return
    read: dict[int, int] = {}
    for pc in sorted(context.reached):
        for source in context.sources[pc]:
            if source.register < TEMPORARY and not known >> source.register & 1:
                read.setdefault(source.register, pc)
    if read:
        registers = [f"v{register}" for register in sorted(read)]
        text = " and ".join([", ".join(registers[:-1]), registers[-1]] if len(registers) > 1 else registers)
        message = (
            f"{text} {'are' if len(read) > 1 else 'is'} read but not declared: the file's input mask omits "
            f"{'them' if len(read) > 1 else 'it'}"
        )
        yield Finding(
            message=message,
            fix=f"declare `.in NAME {registers[0]}`" + (" and so on" if len(read) > 1 else ""),
            pc=min(read.values()),
        )


def unknown_word(context: AnalysisContext) -> Iterator[Finding]:
    """V108: a word that is not a documented instruction."""
    for pc in sorted(context.reached):
        if context.insts[pc].op is UNKNOWN:
            yield Finding(
                message=f"unknown instruction {context.words[pc]:#010x}",
                fix="jump around data; if a tool wrote it, report it",
                pc=pc,
            )


def missing_descriptor(context: AnalysisContext) -> Iterator[Finding]:
    """V109: an operand descriptor outside the table."""
    for pc in sorted(context.reached):
        inst = context.insts[pc]
        if not context.sources[pc] and "src" in inst.op.operands and inst.field("desc") >= len(context.descriptors):
            message = (
                f"{inst.op.name} uses operand descriptor {inst.field('desc')}, but the program has {len(context.descriptors)}"
            )
            yield Finding(message=message, fix="supply the whole descriptor table", pc=pc)


# Whole programs


def unused_uniforms(contexts: Sequence[AnalysisContext]) -> Iterator[Finding]:
    """V097: declared uniforms that no shader of the program reads; a preamble, which may not be at hand, may read any."""
    if any(row.own_name == PREAMBLE for context in contexts for row in context.interface.uniforms):
        return
    read: set[int] = set()
    indexed: set[int] = set()
    for context in contexts:
        for pc in context.reached:
            inst = context.insts[pc]
            for source in context.sources[pc]:
                read.add(source.register)
                if source.relative:
                    indexed.add(source.register)
            if not context.sources[pc] and (uniform := flow_uniform(inst)) is not None:
                read.add(uniform)
    named = {
        register
        for context in contexts
        for other in context.interface.uniforms
        for register in range(other.first, other.last + 1)
    }
    by_index = bool(indexed - named)  # from a register outside all named arrays, an index may lead to any
    reported: set[tuple[str, int]] = set()
    for context in contexts:
        for uniform in context.interface.uniforms:
            if (uniform.name, uniform.first) not in reported and read.isdisjoint(range(uniform.first, uniform.last + 1)):
                reported.add((uniform.name, uniform.first))
                if not (by_index and FLOAT <= uniform.first < INTEGER):
                    yield Finding(
                        message=f"uniform '{uniform.name}' is never read",
                        fix="remove it, or begin its name with `_`",
                        pc=-1,
                        span=uniform.span,
                        notes=(),
                        topic=uniform.name,
                    )


def moved_direction(context: AnalysisContext) -> Iterator[Finding]:
    """V129: the dp4 of an input that is a direction with a row of a matrix that moves points."""
    names = {
        register: uniform.name
        for uniform in context.interface.inputs
        for register in range(uniform.first, uniform.last + 1)
        if not context.interface.geometry and uniform.name.lower().rstrip("0123456789").rstrip("_").endswith(_DIRECTIONS)
    }
    products = [pc for pc in sorted(context.reached) if context.op(pc) in FOUR_PRODUCTS and len(context.sources[pc]) == 2]
    points: dict[int, int] = {}
    for pc in products if names else ():
        for row, other in permutations(context.sources[pc]):
            if row.register >= FLOAT and not row.relative and other.register < FLOAT and other.register not in names:
                points.setdefault(row.register, pc)
    for pc in products if points else ():
        for row, other in permutations(context.sources[pc]):
            name = names.get(other.register)
            if name is not None and other.selector & 3 == 3 and row.register in points and not row.relative:
                yield Finding(
                    message=f"dp4 of a direction, '{name}', adds the translation: w of an input of three components is 1",
                    fix="write `dp3` for `dp4`: it only turns",
                    pc=pc,
                    span=None,
                    notes=(),
                    topic="",
                    related=context.related([points[row.register]], "the row moves a point here"),
                    edits=_narrowed(context, pc),
                )


def _narrowed(context: AnalysisContext, pc: int) -> tuple[Edit, ...]:
    """The edit of a product of four components into that of three."""
    span, name = context.span(pc), context.op(pc)
    if span is None or not span.text.startswith(name, span.column - 1):
        return ()
    return (Edit(span.at(span.column, len(name)), name.replace("4", "3")),)


def unreachable_code(contexts: Sequence[AnalysisContext]) -> Iterator[Finding]:
    """V098: unreachable words, one finding per run of them. Runs of NOPs do not count."""
    if not contexts:
        return
    code = contexts[0].operations
    reached = frozenset[int]().union(*(context.reached for context in contexts))
    procedures = {procedure.start: procedure.name for procedure in reversed(contexts[0].program.procedures) if procedure.size}
    pc = 0
    while pc < len(code):
        start = pc
        while pc < len(code) and pc not in reached and (pc == start or pc not in procedures):
            pc += 1
        words = [n for n in range(start, pc) if code[n].op.kind != NOP]
        if words and start in procedures:
            yield Finding(message=f"procedure '{procedures[start]}' is never called", fix="remove it, or call it", pc=words[0])
        elif words:
            yield Finding(
                message=f"{_counted(len(words))} unreachable from here on", fix="remove them, or jump to them", pc=words[0]
            )
        pc = max(pc, start + 1)


def _counted(words: int) -> str:
    return "1 instruction" if words == 1 else f"{words} instructions"
