"""Layout of statements: a `Layout` policy pads, closes blocks and resolves names. Each language has its policy.

Padding is the NOPs that picasso inserts. Source: conformance rules 18-24 (observed); the reason is the
hardware's four independent stacks, which cannot close two blocks at one address or a block whose last word jumps (3dbrew,
Control Flow).
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Edit
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.problems import Suggestions
from lanewise.pica200.isa import module as m
from lanewise.pica200.isa.module import Mark
from lanewise.pica200.isa.program import BLOCK, Interface, Operation, Procedure, Program, Reference, Target
from lanewise.pica200.isa.table import BREAK, BY_NAME, CALL, END, GEOMETRY, JUMP, LAST, NOP, NUM_MAX, TARGET_MAX, VERTEX

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Alternative
    from lanewise.core.source import Span
    from lanewise.pica200.isa.module import Module, Unit

_NOP = BY_NAME["nop"]
# Kinds of instructions that a block, and that a loop must not end with (conformance rules 22, 23; errata E3, E4).
BLOCK_LEAVERS = frozenset((CALL, JUMP))
LOOP_LEAVERS = frozenset((CALL, JUMP, BREAK))

_UNDEFINED = {
    "label": "define it: {}:",
    "procedure": "define it: .proc {}; or link the file that has it, with --link for `lanewise check`",
}


class Layout(Record):
    """A layout policy.

    `pads`: block ends get the padding that the hardware needs. `exact_limits`: a vertex shader ends at word 512 (otherwise at
    513, as in picasso). `labels`: a program starts at a label, not at a procedure. `merges`: instructions share a descriptor if
    they agree on the bits that they read; otherwise only equal descriptors are shared.
    """

    pads: bool
    exact_limits: bool
    labels: bool = False
    merges: bool = True


class _Open(Record):
    """A block whose end has not been read yet."""

    name: str
    start: int
    operation: Operation | None
    otherwise: int


class _Place:
    """The state of one pass over the statements of a module."""

    def __init__(self, layout: Layout, padding: bool) -> None:
        self.layout = layout
        self.padding = padding and layout.pads
        self.code: list[Operation] = []
        self.labels: dict[tuple[str, str], int] = {}
        self.addresses: dict[str, int] = {}  # of labels, of whatever file: the first one of a name
        self.suggestions = Suggestions()
        self.procedures: dict[str, Procedure] = {}
        self.waiting: list[tuple[int, str]] = []
        self.open: list[_Open] = []
        self.closed = False  # the flag CLOSED of the rules: an if or for has just ended
        self.file = ""
        self.geometry = False
        self.diagnostics: list[Diagnostic] = []
        self.strict = layout.exact_limits  # whether what hardware cannot hold is an error

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        fix: str = "",
        severity: str = ERROR,
        edits: tuple[Edit, ...] = (),
        alternatives: tuple[Alternative, ...] = (),
    ) -> None:
        self.diagnostics.append(
            Diagnostic(
                code=code,
                severity=severity,
                message=message,
                span=span,
                notes=(),
                fix=fix,
                related=(),
                edits=edits,
                alternatives=alternatives,
            )
        )

    def pad(self, span: Span, empty: bool) -> None:
        """Insert a padding NOP with a note, or warn where none may be inserted.

        `empty`: the block has no word yet.
        """
        if self.closed:
            why = "another block ends directly before it"
        elif empty:
            why = "the block is empty"
        else:
            why = f"{self.code[-1].op.name} is its last instruction"
        self.closed = False
        from lanewise.pica200.isa.cures import before

        edits = before(span, _NOP.name, deeper=True)
        if self.padding:
            self.code.append(Operation(op=_NOP, operands=(), descriptor=-1, span=span))
            self.report(
                "V106",
                f"a NOP is inserted before this end: {why}",
                span,
                "write `nop` before it to make the NOP explicit",
                NOTE,
                edits,
            )
        else:
            fix = "insert `nop` before this line, or drop `--no-nop`" if self.layout.pads else "insert `nop` before this line"
            self.report("V040", f"a padding NOP is required here: {why}", span, fix, WARNING, edits)

    def count(self, what: str, size: int, span: Span) -> None:
        """Report a size that NUM cannot hold."""
        if size > NUM_MAX:
            message = f"{what} has {size} words, but NUM counts at most {NUM_MAX}: hardware uses {size & NUM_MAX}"
            self.report("V081", message, span, "split it", ERROR if self.strict else WARNING)

    def instruction(self, operation: Operation) -> None:
        self.closed = False
        address = len(self.code)
        if address >= VERTEX.code_words and (not self.geometry or address == GEOMETRY.code_words):
            self.beyond(address, operation)
        operands = operation.operands
        if operands:
            last = operands[-1]
            if last is BLOCK:
                self.open.append(_Open(operation.op.name, address, operation, -1))
            elif isinstance(last, Reference):
                self.waiting.append((address, self.file))
        self.code.append(operation)

    def beyond(self, address: int, operation: Operation) -> None:
        """Report a word past the unit's memory. picasso checks vertex shaders only, one word late."""
        span = operation.span
        if span is None:
            return
        if self.geometry:
            message = f"word {address + 1} is past the limit: the geometry unit has {GEOMETRY.code_words}"
            severity = ERROR if self.strict else WARNING
            self.report("V041", message, span, "shorten the program: the code after this cannot be reached", severity)
            return
        limit = VERTEX.code_words
        message = f"word {address + 1} is past the limit: a vertex shader has {limit}"
        fix = "shorten the program, or move work to a geometry shader (4,096 words)"
        if address == limit:
            self.report("V041", message, span, fix, ERROR if self.strict else WARNING)
        elif address == limit + 1 and not self.layout.exact_limits:
            self.report("V041", message, span, fix)

    def needs_padding(self, kinds: frozenset[str], empty: bool) -> bool:
        if self.closed:
            return True
        return bool(self.code) and (empty or self.code[-1].op.kind in kinds)

    def mark(self, mark: Mark) -> None:
        kind = mark.kind
        if kind == m.LABEL:
            self.labels[self.file, mark.name] = len(self.code)
            self.addresses.setdefault(mark.name, len(self.code))
        elif kind == m.PROC:
            self.open.append(_Open(mark.name, len(self.code), None, -1))
        elif kind == m.ELSE:
            block = self.open.pop()
            empty = len(self.code) == block.start + 1
            if self.closed or self.code[-1].op.kind in BLOCK_LEAVERS or empty:
                self.pad(mark.span, empty)
            self.open.append(block._replace(otherwise=len(self.code)))
        elif kind == m.END_PROC:
            block = self.open.pop()
            empty = len(self.code) == block.start
            if self.needs_padding(BLOCK_LEAVERS, empty):
                self.pad(mark.span, empty)
            self.last_word(block.start)
            self.procedures[block.name] = Procedure(block.name, block.start, len(self.code) - block.start)
        elif kind in (m.END_IF, m.END_FOR):
            self.end_block(kind, mark.span)
        elif kind == m.FILE:
            self.file = mark.name
            self.geometry = False
        elif kind == m.GEOMETRY:
            self.geometry = True

    def last_word(self, start: int) -> None:
        """An unknown operation that comes last, where none is `end`, is taken for it: a misspelt `end` leads nowhere else."""
        last = self.code[-1] if len(self.code) > start else None
        if last is not None and last.damaged and last.op.kind == NOP and not any(o.op.kind == END for o in self.code[start:]):
            self.code[-1] = last._replace(op=LAST)

    def end_block(self, kind: str, span: Span) -> None:
        block = self.open.pop()
        leaves = LOOP_LEAVERS if kind == m.END_FOR else BLOCK_LEAVERS
        empty = len(self.code) == block.start + 1
        if self.needs_padding(leaves, empty):
            self.pad(span, empty)
        here = len(self.code)
        if kind == m.END_FOR:
            target = Target(here - 1)
        elif block.otherwise < 0:
            target = Target(here)
        else:
            target = Target(block.otherwise, here - block.otherwise)
            if here == block.otherwise:
                from lanewise.pica200.isa.cures import before

                edits = before(span, _NOP.name, deeper=True)
                self.report("V080", "empty .else", span, "remove it, or add a `nop`", WARNING, edits)
        operation = self.code[block.start]
        self.count("the else part", target.num, operation.span or span)
        self.code[block.start] = operation._replace(operands=(*operation.operands[:-1], target))
        self.closed = True

    def resolve(self, end: Span) -> None:
        """Replace names by addresses."""
        for address, file in self.waiting:
            operation = self.code[address]
            reference = operation.operands[-1]
            if not isinstance(reference, Reference):
                continue
            span = operation.span or end
            if reference.until:
                target = self.stretch(reference, file, span)
            elif operation.op.kind == JUMP:
                label = self.label(reference.name, file, span)
                target = Target(label, reference.num) if label is not None else None
            else:
                procedure = self.procedures.get(reference.name)
                target = Target(procedure.start, procedure.size) if procedure is not None else None
                if procedure is None:
                    self.undefined("procedure", reference.name, file, span)
            if target is not None and operation.op.kind == CALL:
                self.count("the called procedure", target.num, span)
            if target is not None and target.address > TARGET_MAX:
                message = (
                    f"'{reference.name}' is at word {target.address}, but a target has 12 bits: the result is "
                    f"{target.address & TARGET_MAX} and changed fields"
                )
                fix = f"move it below word {TARGET_MAX + 1}"
                self.report("V090", message, span, fix, ERROR if self.strict else WARNING)
            operands = (*operation.operands[:-1], target or Target(0))
            self.code[address] = operation._replace(operands=operands, damaged=operation.damaged or target is None)

    def label(self, name: str, file: str, span: Span, within: range | None = None) -> int | None:
        """The address of a label of the same file.

        With the policy `labels`, labels of other files are known too. One that is undefined is meant to be one of the addresses
        `within`, if they are given.
        """
        found = self.labels.get((file, name))
        if found is None and self.layout.labels:
            found = self.addresses.get(name)
        if found is None:
            self.undefined("label", name, file, span, within)
        return found

    def stretch(self, reference: Reference, file: str, span: Span) -> Target | None:
        """The words between two labels, which become a procedure."""
        last = len(self.code)
        until = self.labels.get((file, reference.until), self.addresses.get(reference.until, last))
        start = self.label(reference.name, file, span, range(until))
        end = self.label(reference.until, file, span, range(0 if start is None else start + 1, last + 1))
        if start is None or end is None:
            return None
        if end <= start:
            message = f"'{reference.until}' does not come after '{reference.name}': the call would run {end - start} words"
            self.report("V110", message, span, f"call {reference.name} until a label after it")
            return None
        known = self.procedures.get(reference.name)
        name = reference.name if known is None or known.size == end - start else f"{reference.name} until {reference.until}"
        self.procedures[name] = Procedure(name, start, end - start)
        return Target(start, end - start)

    def undefined(self, what: str, name: str, file: str, span: Span, within: range | None = None) -> None:
        near = ""
        if self.suggestions.left(self.labels if what == "label" else self.procedures):
            labels = [n for (f, n), at in self.labels.items() if f == file and (within is None or at in within)]
            known = labels if what == "label" else list(self.procedures)
            near = self.suggestions.nearest(name, known)
        fix = f"did you mean {near}?" if near else _UNDEFINED[what].format(name)
        from lanewise.pica200.isa.cures import name_in, renamed

        place = name_in(span, name)
        self.report("V042", f"{what} '{name}' is undefined", place, fix, ERROR, renamed(place, near))


def lay_out(module: Module, layout: Layout) -> tuple[Program, list[Diagnostic]]:
    """Assign addresses to all statements.

    The program is complete only if no diagnostic is an error.
    """
    place = _Place(layout, module.padding)
    place.strict = layout.exact_limits and not module.raw
    for item in module.items:
        if isinstance(item, Mark):
            place.mark(item)
        else:
            place.instruction(item)
    if layout.labels:
        place.last_word(0)
    place.resolve(module.end)
    units = [unit for unit in module.units if not unit.is_library]
    if not units and "dvlb.count" not in module.container:
        message, fix = "no file defines a shader", "add a procedure with instructions to a file without `.nodvle`"
        if not any(isinstance(item, Operation) for item in module.items) and not module.units:  # nothing at all
            message, fix = (
                "the source is empty: it has no shader",
                "write it again: a command that ends in `> FILE` empties FILE",
            )
        place.report("V043", message, module.end, fix)
    interfaces = tuple(_interface(module, unit, place) for unit in units)
    labels = {name: address for (_, name), address in place.labels.items()}
    procedures = tuple(sorted(place.procedures.values(), key=lambda p: (p.start, -p.size)))
    return Program(operations=tuple(place.code), interfaces=interfaces, labels=labels, procedures=procedures), place.diagnostics


def _interface(module: Module, unit: Unit, place: _Place) -> Interface:
    entry = _entry_label(unit, place) if place.layout.labels else place.procedures.get(unit.entry)
    if entry is None:
        known = [name for _, name in place.labels] if place.layout.labels else list(place.procedures)
        names = [name for name in known if name.replace("$", "_").isidentifier()]
        meant = place.suggestions.nearest(unit.entry, names)
        near = meant or min(names, default="")
        if place.layout.labels:
            fix = f"name another with -e {near}" if near else f"write {unit.entry}: before the first instruction"
        else:
            fix = f"name another with .entry {near}" if near else f"add .proc {unit.entry}"
        from lanewise.pica200.isa.cures import name_in, own_entries, renamed

        named = name_in(unit.entry_span, unit.entry)
        edits = renamed(named, meant) if named is not unit.entry_span else ()
        others: tuple[Alternative, ...] = ()
        own = own_entries(module, unit) if unit.entry_span is unit.span and not place.layout.labels else []
        if own:
            (fix, edits), others = own[0], tuple(own[1:])
            if not unit.outputs and not unit.geometry and unit.span.line == 1:
                others, edits = tuple(own), (Edit(unit.span.at(1, 0), ".nodvle\n"),)
                fix = "begin a file of shared procedures with `.nodvle`"
        place.report("V044", f"entry point '{unit.entry}' is undefined", named, fix, ERROR, edits, others)
        entry = Procedure(unit.entry, 0, 0)
    return Interface(
        name=unit.name,
        geometry=unit.geometry,
        entry=entry.start,
        entry_end=entry.start + entry.size,
        inputs=tuple(unit.inputs),
        uniforms=tuple(unit.uniforms),
        outputs=tuple(unit.outputs),
        constants=tuple(unit.constants),
        input_mask=unit.input_mask,
        output_mask=unit.output_mask,
        geometry_mode=max(unit.mode, 0),
        array_start=unit.array_start,
        vertex_count=unit.vertex_count,
        merge_outputs=unit.mode >= 0 and any(output.semantic == 9 for output in unit.outputs),
        declared=tuple(unit.declared),
        private=tuple(unit.private),
        aliases=tuple(unit.aliases),
    )


def _entry_label(unit: Unit, place: _Place) -> Procedure | None:
    """The words from the entry label up to the first `end` outside all blocks, or to the last word."""
    start = place.labels.get((unit.file, unit.entry))
    if start is None:  # the code may be in another file of the link
        start = next((address for (_, label), address in place.labels.items() if label == unit.entry), None)
    if start is None:
        return None
    block = start
    for pc in range(start, len(place.code)):
        operation = place.code[pc]
        last = operation.operands[-1] if operation.operands else None
        if isinstance(last, Target) and operation.op.opens_block:
            block = max(block, last.address + last.num)
        elif operation.op.kind == JUMP and isinstance(last, Target):
            block = max(block, last.address)  # targets of forward jumps belong to the program too
        elif operation.op.kind == END and pc >= block:
            return Procedure(unit.entry, start, pc + 1 - start)
    return Procedure(unit.entry, start, len(place.code) - start)
