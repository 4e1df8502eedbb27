"""Edits of operations as edits of the statements that they come from."""

from __future__ import annotations

from lanewise.core.diagnostics import Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa import cures
from lanewise.pica200.isa.table import NOP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.source import Span
    from lanewise.pica200.isa.program import Interface, Operation
    from lanewise.pica200.opt import editing
    from lanewise.pica200.text.dialect import Dialect


def is_inserted(operation: Operation) -> bool:
    """Whether the assembler has put a NOP at the end of a block: its place is the statement that ends the block."""
    span = operation.span
    if operation.op.kind != NOP or span is None or not span.line:
        return False
    return not span.text[span.column - 1 :].lower().startswith(operation.op.name)


def place(span: Span) -> tuple[str, int, int]:
    return span.file, span.line, span.column


def without(span: Span) -> tuple[Edit, ...]:
    """A statement less; a comment in its line moves to its place."""
    text = span.text.rstrip("\r\n")
    begin, end = span.column - 1, span.column - 1 + span.length
    rest = text[end:]
    if text[:begin].strip() or not rest.strip():
        return cures.without(span)
    return (Edit(span.at(span.column, span.length + len(rest) - len(rest.lstrip())), ""),)


def interface_of(interfaces: Sequence[Interface], file: str) -> Interface | None:
    """The shader whose names a file has; None for a library."""
    found = [interface for interface in interfaces if interface.name == file]
    return found[0] if found else interfaces[0] if len(interfaces) == 1 else None


def changed(dialect: Dialect, interfaces: Sequence[Interface], operation: Operation, span: Span) -> Edit | None:
    """A statement with another operation; None where the language has none."""
    text = dialect.statement(interface_of(interfaces, span.file), operation) if dialect.statement is not None else ""
    return Edit(span, text) if text and not text.startswith(".") else None


def edits_of(
    edit: editing.Edit, operations: Sequence[Operation], interfaces: Sequence[Interface], dialect: Dialect
) -> tuple[Edit, ...]:
    """The edits of a source that are an edit of its operations; none where a statement gives several words, or is not in the
    source."""
    count: dict[tuple[str, int, int], int] = {}
    for operation in operations:
        if operation.span is not None and not is_inserted(operation):
            count[place(operation.span)] = count.get(place(operation.span), 0) + 1
    spans: dict[int, Span] = {}
    for pc in edit.words:
        span = operations[pc].span
        if span is None or not span.line or is_inserted(operations[pc]) or count[place(span)] > 1:
            return ()
        spans[pc] = span
    found = [edit for pc in edit.removed for edit in without(spans[pc])]
    for pc, operation in edit.replaced:
        edited = changed(dialect, interfaces, operation, spans[pc])
        if edited is None:
            return ()
        found.append(edited)
    return tuple(found)
