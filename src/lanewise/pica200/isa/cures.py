"""Edits of sources that cure findings: a line more, a statement less, a name in the place of another. Imported where there is a
finding."""

from __future__ import annotations

from lanewise.core.diagnostics import Alternative, Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.module import FILE, PROC, Mark
from lanewise.pica200.isa.program import Reference

if TYPE_CHECKING:
    from lanewise.core.source import Span
    from lanewise.pica200.isa.module import Module, Unit


def name_in(span: Span, name: str) -> Span:
    """The last place of a name in a statement; the statement where it is not found."""
    text = span.text
    begin = span.column - 1
    end = begin + span.length
    at = text.rfind(name, begin, end) if name else -1
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or before in ("_", "$")) and not (after.isalnum() or after in ("_", "$")):
            return span.at(at + 1, len(name))
        at = text.rfind(name, begin, at + len(name) - 1)
    return span


def renamed(span: Span, name: str) -> tuple[Edit, ...]:
    """Another name in the place of one; none without a name."""
    return (Edit(span, name),) if name else ()


def _indent(span: Span) -> str:
    return span.text[: len(span.text) - len(span.text.lstrip())]


def before(span: Span, statement: str, *, deeper: bool = False) -> tuple[Edit, ...]:
    """A statement in a line before that of a span; `deeper` as a line of the block that ends there."""
    if not span.line or not span.text.strip():
        return ()
    indent = _indent(span) + ("\t" if deeper and "    " not in span.text[:4] else "    " if deeper else "")
    return (Edit(span.at(1, 0), f"{indent}{statement}\n"),)


def after(span: Span, statement: str) -> tuple[Edit, ...]:
    """A statement in a line after that of a span."""
    text = span.text.rstrip("\r\n")
    if not span.line or not text.strip():
        return ()
    return (Edit(span.at(len(text) + 1, 0), f"\n{_indent(span)}{statement}"),)


def without(span: Span) -> tuple[Edit, ...]:
    """A statement less: its line, where nothing else is on it."""
    if not span.line:
        return ()
    text = span.text.rstrip("\r\n")
    begin, end = span.column - 1, span.column - 1 + span.length
    if text[:begin].strip() or text[end:].strip():
        return (Edit(span, ""),)
    return (Edit(span.at(1, len(text) + 1), ""),)


def procedures_by_file(module: Module) -> dict[str, list[Mark]]:
    """The procedures of each file of a link, by the name of its unit."""
    file, found = "", dict[str, list[Mark]]()
    for item in module.items:
        if isinstance(item, Mark) and item.kind == FILE:
            file = item.name.partition(":")[2]
        elif isinstance(item, Mark) and item.kind == PROC:
            found.setdefault(file, []).append(item)
    return found


def own_entries(module: Module, unit: Unit) -> list[Alternative]:
    """`.entry` for a unit without one: its own procedures that nothing calls, those with `main` in their names first."""
    calls = {
        each.name
        for item in module.items
        if not isinstance(item, Mark)
        for each in item.operands
        if isinstance(each, Reference)
    }
    own = procedures_by_file(module).get(unit.name, [])
    first = [mark for mark in own if mark.name not in calls and mark.name.replace("$", "_").isidentifier()]
    found: list[Alternative] = []
    for mark in sorted(first, key=lambda mark: "main" not in mark.name.lower()):
        head = mark.span.text[: mark.span.column - 1]
        fix = f"add `.entry {mark.name}`, the name of its own procedure: `.proc {mark.name}`"
        found.append(Alternative(fix, (Edit(mark.span._replace(length=0), f".entry {mark.name}\n{head}"),)))
    return found
