"""Every rule of `lanewise check`: its code, severity and function.

The text of a rule is its row in `pica200.codes`.
"""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE, WARNING, Diagnostic, in_order
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.check import counterexample
from lanewise.pica200.check import flow_rules as flow
from lanewise.pica200.check import link_rules as links
from lanewise.pica200.check import matrix_rules as matrices
from lanewise.pica200.check import output_rules as outputs
from lanewise.pica200.check import register_rules as registers
from lanewise.pica200.check import scalar_rules as scalars
from lanewise.pica200.check import value_rules as values
from lanewise.pica200.check import word_rules as words
from lanewise.pica200.check.context import AnalysisContext
from lanewise.pica200.check.structure import recursive_calls
from lanewise.pica200.ir.graph import Graph
from lanewise.pica200.isa.table import EMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lanewise.core.finding import Finding
    from lanewise.pica200.isa.program import Program


class WordRule(Record):
    """A rule about reached words and the interface, without the graph."""

    code: str
    severity: str
    find: Callable[[AnalysisContext], Iterator[Finding]]


class FlowRule(Record):
    """A rule about the graph."""

    code: str
    severity: str
    find: Callable[[AnalysisContext, Graph], Iterator[Finding]]


class ProgramRule(Record):
    """A rule about all shaders of a file."""

    code: str
    severity: str
    find: Callable[[Sequence[AnalysisContext]], Iterator[Finding]]


WORD_RULES = (
    WordRule("V003", WARNING, words.two_inputs),
    WordRule("V014", WARNING, words.index_without_effect),
    WordRule("V041", WARNING, words.too_long),
    WordRule("V061", WARNING, values.nan_constants),
    WordRule("V062", WARNING, values.subnormal_constants),
    WordRule("V076", WARNING, flow.recursion),
    WordRule("V077", WARNING, flow.jump_across_border),
    WordRule("V078", WARNING, flow.jump_past_end),
    WordRule("V081", WARNING, words.too_long_to_count),
    WordRule("V082", WARNING, outputs.emit_in_vertex_shader),
    WordRule("V083", WARNING, outputs.never_written),
    WordRule("V085", WARNING, outputs.not_wired),
    WordRule("V086", NOTE, words.input_not_declared),
    WordRule("V087", WARNING, outputs.no_position),
    WordRule("V093", WARNING, flow.empty_blocks),
    WordRule("V100", WARNING, values.zero_times_infinity),
    WordRule("V101", WARNING, values.loop_counts),
    WordRule("V108", WARNING, words.unknown_word),
    WordRule("V109", WARNING, words.missing_descriptor),
    WordRule("V120", WARNING, outputs.lost_components),
    WordRule("V121", NOTE, outputs.position_without_w),
    WordRule("V125", WARNING, outputs.gaps),
    WordRule("V128", WARNING, outputs.no_primitive),
    WordRule("V129", WARNING, words.moved_direction),
    WordRule("V130", WARNING, flow.end_in_procedure),
    WordRule("V131", WARNING, matrices.row_taken_twice),
    WordRule("V133", WARNING, registers.boolean_of_the_unit),
)

# Findings on some path. A finding in the whole graph is checked again for each assignment of the boolean uniforms
# (`AnalysisContext.assignments`): a path on which a boolean is true at one place and false at another does not exist.
PATH_RULES = (
    FlowRule("P061", WARNING, scalars.other_components),
    FlowRule("V040", WARNING, flow.flow_at_block_end),
    FlowRule("V070", WARNING, flow.adjacent_mova),
    FlowRule("V071", WARNING, flow.empty_break),
    FlowRule("V072", WARNING, flow.break_leaves_entries),
    FlowRule("V073", WARNING, flow.deep_loops),
    FlowRule("V074", WARNING, flow.deep_conditionals),
    FlowRule("V075", WARNING, flow.deep_calls),
    FlowRule("V079", WARNING, flow.runs_past_end),
    FlowRule("V083", WARNING, outputs.left_unwritten),
    FlowRule("V084", WARNING, outputs.written_twice),
    FlowRule("V088", WARNING, outputs.stale_outputs),
    FlowRule("V092", WARNING, flow.ends_together),
    FlowRule("V095", WARNING, values.read_before_written),
    FlowRule("V099", WARNING, outputs.emit_without_setemit),
    FlowRule("V102", WARNING, values.index_past_array),
    FlowRule("V103", WARNING, values.wide_al),
)

# Findings on all paths under one assignment of the boolean uniforms.
ASSIGNMENT_RULES = (FlowRule("V094", WARNING, flow.never_ends),)

# Findings on all paths: looked for in the whole graph.
GRAPH_RULES = (FlowRule("V096", NOTE, values.dead_write), FlowRule("V135", WARNING, registers.counter_of_another_loop))

PROGRAM_RULES = (
    ProgramRule("V097", NOTE, words.unused_uniforms),
    ProgramRule("V098", NOTE, words.unreachable_code),
    ProgramRule("V122", WARNING, links.inputs_never_filled),
    ProgramRule("V123", WARNING, links.overwritten),
    ProgramRule("V124", WARNING, links.other_registers),
    ProgramRule("V134", WARNING, links.crossed),
)

BUDGET_EXCEEDED = "V104"

# Rules that a program with errors is not asked: what a damaged word reads, or a lost declaration names, may be what they miss.
_OF_WHOLE_PROGRAMS = frozenset(("P061", "V085", "V086", "V097", "V098", "V104", "V131"))
# What follows from a recursive call, which is reported.
_AFTER_RECURSION = frozenset(("V083", "V084", "V094", "V096"))
# Nor these, where a damaged word may have been a jump, a call or a condition.
_OF_KNOWN_FLOW = frozenset(
    ("V040", "V070", "V071", "V072", "V079", "V084", "V088", "V092", "V094", "V096", "V099", "V102", "V103", "V130", "V135")
)
_OF_DECLARATIONS = frozenset(("V061", "V062", "V082", "V083", "V087", "V088", "V101", "V120", "V121", "V125", "V128"))


def contexts_of(
    program: Program, code: Sequence[int], descriptors: Sequence[int], *, wired: bool = True, declared: bool = True
) -> list[AnalysisContext]:
    """Analysis contexts of the shaders whose entry is one of the words `code`.

    `wired`: the interfaces declare inputs and outputs; `declared`: no declaration is missing, as one with an error is.
    """
    return [
        AnalysisContext(program, interface, code, descriptors, wired=wired, declared=declared)
        for interface in program.interfaces
        if 0 <= interface.entry < len(code)
    ]


def check(contexts: Sequence[AnalysisContext], locate: Callable[[int], Span] | None = None) -> list[Diagnostic]:
    """Apply all rules to the shaders of a program.

    Returns each finding once, in the order of places. `locate` gives the place of a word where the program has none. Never
    raises, for any words.
    """
    report = _Report(locate or (lambda pc: Span(file="")))
    whole = all(context.whole for context in contexts)
    for context in contexts:
        silent = _silent(context)
        if silent is None:
            continue
        for rule in WORD_RULES:
            if rule.code in silent:
                continue
            report.add(rule.code, rule.severity, rule.find(context), context)
        if isinstance(context.graph, BudgetExceeded):
            if whole:
                report.budget_exceeded(context, context.graph)
            continue
        for rule in (*PATH_RULES, *ASSIGNMENT_RULES):
            if rule.code in silent:
                continue
            if rule in ASSIGNMENT_RULES or context.undivided or any(rule.find(context, context.graph)):
                report.add(rule.code, rule.severity, in_assignments(rule, context), context)
        for rule in [rule for rule in GRAPH_RULES if rule.code not in silent]:
            report.add(rule.code, rule.severity, rule.find(context, context.graph), context)
    for rule in PROGRAM_RULES if whole else ():
        report.add(rule.code, rule.severity, rule.find(contexts), contexts[0] if contexts else None)
    if whole:
        return in_order(report.found.values())
    damaged = {context.program.operations[pc].span for context in contexts for pc in context.damaged}
    return in_order([finding for finding in report.found.values() if finding.span not in damaged])


def _silent(context: AnalysisContext) -> frozenset[str] | None:
    """The rules that a shader is not asked because of errors; None for all of them."""
    found = frozenset[str]()
    if recursive_calls(context.operations, [pc for pc, _ in context.targets]):
        found |= _AFTER_RECURSION
    if context.whole:
        return found
    if not context.interface.geometry and any(context.kind(pc) == EMIT for pc in context.reached):
        return None  # what makes it a geometry shader may be damaged
    found |= _OF_WHOLE_PROGRAMS
    if context.lost_flow:
        found |= _OF_KNOWN_FLOW
    return found if context.declared else found | _OF_DECLARATIONS


def reported(
    findings: Iterable[tuple[str, str, Finding]],
    contexts: Sequence[AnalysisContext],
    locate: Callable[[int], Span] | None = None,
) -> list[Diagnostic]:
    """Findings with codes and severities as diagnostics, in the order of places. `locate` is that of `check`."""
    report = _Report(locate or (lambda pc: Span(file="")))
    for code, severity, finding in findings:
        report.add(code, severity, [finding], contexts[0] if contexts else None)
    return in_order(report.found.values())


def in_assignments(rule: FlowRule, context: AnalysisContext) -> Iterator[Finding]:
    """Apply a rule under each assignment of the boolean uniforms.

    Yields each finding once, with a note on the assignments that it needs.
    """
    found: dict[tuple[int, Span | None, str], Finding] = {}
    settings: dict[tuple[int, Span | None, str], list[Mapping[int, bool]]] = {}
    for assignment in context.assignments:
        for finding in rule.find(context, assignment.graph):
            key = (finding.pc if finding.span is None else -1, finding.span, finding.topic)
            if finding.severity and not found.setdefault(key, finding).severity:
                continue  # it is worse under another assignment
            if found.setdefault(key, finding).severity and not finding.severity:
                found[key], settings[key] = finding, []
            if not (known := settings.setdefault(key, [])) or known[-1] is not assignment.booleans:
                known.append(assignment.booleans)
    for key, finding in found.items():
        yield finding._replace(
            notes=(*counterexample.settings(context, settings[key], len(context.assignments)), *finding.notes)
        )


class _Report:
    """Findings as diagnostics, by code and place: the first of each counts."""

    def __init__(self, locate: Callable[[int], Span]) -> None:
        self.locate = locate
        self.found: dict[tuple[str, Span, str], Diagnostic] = {}

    def add(self, code: str, severity: str, findings: Iterable[Finding], context: AnalysisContext | None) -> None:
        for each in findings:
            place = each.span or self.place(each.pc, context)
            found = Diagnostic(
                code=code,
                severity=each.severity or severity,
                message=each.message,
                span=place,
                notes=each.notes,
                fix=each.fix,
                related=each.related,
                edits=each.edits,
            )
            self.found.setdefault((code, place, each.topic), found)

    def place(self, pc: int, context: AnalysisContext | None) -> Span:
        if context is not None and 0 <= pc < len(context.operations):
            span = context.operations[pc].span
            if span is not None and span.file:
                return span
        return self.locate(pc)

    def budget_exceeded(self, context: AnalysisContext, reason: BudgetExceeded) -> None:
        name = context.interface.name or "the shader"
        notes = (
            (
                "rules that need the flow graph are not applied: "
                f"{' '.join(rule.code for rule in (*PATH_RULES, *ASSIGNMENT_RULES, *GRAPH_RULES))}"
            ),
        )
        span = self.place(context.interface.entry, context)
        message = f"flow of {name} cannot be analysed: {reason.reason}"
        fix = "use fewer nested blocks, or fewer procedures called from several places"
        self.found[BUDGET_EXCEEDED, span, name] = Diagnostic(
            code=BUDGET_EXCEEDED, severity=WARNING, message=message, span=span, notes=notes, fix=fix
        )
