"""Help while a user writes: completion, operands, hover, format."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types as t

from lanewise.core import occurrences as names
from lanewise.core.diagnostics import InputError, text_form
from lanewise.core.document import Paragraph, as_markdown
from lanewise.core.text.formatting import indent_named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.document import Block
    from lanewise.core.editor import Completion
    from lanewise.lsp.documents import Documents, View
    from lanewise.lsp.positions import Positions

_MARK = "\ufeff"  # the byte order mark, which some editors send
_KINDS = {
    names.INSTRUCTION: t.CompletionItemKind.Keyword,
    names.DIRECTIVE: t.CompletionItemKind.Keyword,
    names.REGISTER: t.CompletionItemKind.Variable,
    names.INPUT: t.CompletionItemKind.Field,
    names.OUTPUT: t.CompletionItemKind.Property,
    names.UNIFORM: t.CompletionItemKind.Variable,
    names.CONSTANT: t.CompletionItemKind.Constant,
    names.ALIAS: t.CompletionItemKind.Reference,
    names.LABEL: t.CompletionItemKind.Reference,
    names.PROCEDURE: t.CompletionItemKind.Function,
    names.MACRO: t.CompletionItemKind.Function,
    names.PARAMETER: t.CompletionItemKind.Variable,
    names.FILE: t.CompletionItemKind.File,
    names.SEMANTIC: t.CompletionItemKind.EnumMember,
    names.SAMPLER: t.CompletionItemKind.Variable,
    names.MODIFIER: t.CompletionItemKind.Operator,
}


class Listed(NamedTuple):
    """Completions of a place; their pages are made when the editor asks for one of them."""

    items: list[t.CompletionItem]
    pages: Sequence[Callable[[], Sequence[Block]] | None]


def completions(view: View, text: str, places: Positions, offset: int, *, snippets: bool, list_id: int) -> Listed:
    """The completions at an offset of the text as it is now, of which the view may be older."""
    if view.editor is None:
        return _mnemonics(view, text, places, offset)
    line, column = places.place(offset)
    found = view.editor.complete(view.analysis, view.name, text, line, column)
    items = [_item(each, places, number, list_id, snippets=snippets) for number, each in enumerate(found)]
    return Listed(items, [each.about for each in found])


def _item(each: Completion, places: Positions, number: int, list_id: int, *, snippets: bool) -> t.CompletionItem:
    snippet = each.snippet if snippets else ""
    return t.CompletionItem(
        each.text,
        kind=_KINDS.get(each.kind),
        detail=each.detail or None,
        sort_text=f"{each.order + 500:04d}{number:05d}",
        filter_text=each.text,
        text_edit=t.TextEdit(places.range(each.span), snippet or each.text),
        insert_text_format=t.InsertTextFormat.Snippet if snippet else t.InsertTextFormat.PlainText,
        data={"list": list_id, "item": number} if each.about is not None else None,
    )


def _mnemonics(view: View, text: str, places: Positions, offset: int) -> Listed:
    """The instructions of a language that has nothing more for editors, at the start of a statement."""
    line, column = places.place(offset)
    start = places.offset(line, 1)
    before = text[start : start + column - 1]
    language = view.match.language
    if language is None or (before.strip() and before != before.lstrip() and " " in before.strip()):
        return Listed([], [])
    word = len(before) - len(before.rstrip(".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"))
    replaced = places.between(offset - word, offset)
    items = [
        t.CompletionItem(name, kind=t.CompletionItemKind.Keyword, text_edit=t.TextEdit(replaced, name))
        for name in sorted(language.mnemonics())
    ]
    return Listed(items, [None] * len(items))


def signature(view: View, text: str, places: Positions, offset: int) -> t.SignatureHelp | None:
    """The operands of what is at an offset of the text as it is now."""
    if view.editor is None:
        return None
    line, column = places.place(offset)
    found = view.editor.signature(view.analysis, view.name, text, line, column)
    if found is None:
        return None
    parts: list[t.ParameterInformation] = []
    at = 0
    for name, about in found.parts:  # the place of each in the label, as names may occur twice
        start = found.label.find(name, at)
        at = start + len(name) if start >= 0 else at
        label = (_units(found.label[:start], places), _units(found.label[:at], places)) if start >= 0 else name
        parts.append(t.ParameterInformation(label, _page([Paragraph(about)]) if about else None))
    page = _page(found.about()) if found.about is not None else None
    active = min(max(found.active, 0), max(len(parts) - 1, 0))
    return t.SignatureHelp([t.SignatureInformation(found.label, page, parts, active)], 0, active)


def _page(blocks: Sequence[Block]) -> t.MarkupContent:
    return t.MarkupContent(t.MarkupKind.Markdown, as_markdown(blocks))


def _units(text: str, places: Positions) -> int:
    from lanewise.lsp.positions import units

    return units(text, places.encoding)


def hover(view: View, offset: int, value: Callable[[str], str]) -> t.Hover | None:
    """The page of the name at an offset. `value` gives the last value of a register in the shader test beside the text, empty
    if it is not known."""
    here = view.at(offset)
    if here is None:
        return _word(view, offset)
    page = as_markdown(view.editor.describe(view.analysis, here)) if view.editor is not None else ""
    if here.register or here.kind == names.REGISTER:
        last = value(here.register or here.name)
        page += "\n\n" + as_markdown([Paragraph(last)]) if last else ""  # the name of the test is in it
    return t.Hover(t.MarkupContent(t.MarkupKind.Markdown, page), view.positions.range(here.span)) if page.strip() else None


def _word(view: View, offset: int) -> t.Hover | None:
    """The page of an instruction in a language that has nothing more for editors."""
    from lanewise.core.service import UsageError

    language, package = view.match.language, view.match.package
    if view.editor is not None or language is None or package.reference is None:
        return None
    start = end = offset
    while start and (view.text[start - 1].isalnum() or view.text[start - 1] == "_"):
        start -= 1
    while end < len(view.text) and (view.text[end].isalnum() or view.text[end] == "_"):
        end += 1
    if view.text[start:end] not in set(language.mnemonics()):
        return None
    try:
        page, _ = package.reference().instruction(view.text[start:end])
    except UsageError:
        return None
    return t.Hover(_page(page), view.positions.between(start, end))


def formatted(
    documents: Documents, view: View, options: t.FormattingOptions, within: t.Range | None = None
) -> list[t.TextEdit]:
    """The edits that format a text, or the lines of a range. None for a text with errors: it is left as it is."""
    new = _formatted(documents, view, view.text, options)
    return changes(view, new, within) if new is not None else []


def finished(
    documents: Documents, view: View, text: str, places: Positions, line: int, options: t.FormattingOptions
) -> list[t.TextEdit]:
    """The edit that formats a line of the protocol, from 0, of a text that may be newer than the view: the line that Enter has
    ended. None where it would change more than blanks, or where the text cannot be read."""
    if not 0 <= line < places.lines:
        return []
    new = _formatted(documents, view, text, options)
    number, column = places.place(places.offset_at(t.Position(line, 0)))
    before, after = text.split("\n"), new.split("\n") if new is not None else []
    if len(before) != len(after) or column != 1:
        return []
    one, other = before[number - 1].removesuffix("\r"), after[number - 1].removesuffix("\r")
    if one == other or one.split() == [] or "".join(one.split()) != "".join(other.split()):
        return []
    start = places.offset(number, 1)
    return [t.TextEdit(places.between(start, start + len(one)), other)]


def _formatted(documents: Documents, view: View, text: str, options: t.FormattingOptions) -> str | None:
    """A text with its lines arranged; None for one with errors, or of a language without a formatter."""
    language = view.match.language
    if language is None or language.format is None:
        return None
    own = "tab" if not options.insert_spaces else str(options.tab_size)
    try:
        indent = indent_named(documents.rules(view.path).indent or own)
    except ValueError:
        indent = indent_named("4")
    mark = _MARK if text.startswith(_MARK) else ""
    text = text.removeprefix(mark)
    if text_form(view.name, text):
        return None
    try:
        return mark + language.format(view.name, text, documents.text_of, indent)
    except InputError:
        return None


def changes(view: View, new: str, within: t.Range | None = None) -> list[t.TextEdit]:
    """The edits that make another text, line by line; those that touch the lines of a range."""
    before, after = _lines(view.text), _lines(new)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    found: list[t.TextEdit] = []
    for first, last, start, end in _changed(before, after):
        pieces = [(first, last, start, end)]
        if last - first == end - start:  # lines that changed one for one are edits of their own
            pieces = [(first + n, first + n + 1, start + n, start + n + 1) for n in range(last - first)]
        for a, b, c, d in pieces:
            place = view.positions.between(starts[a], starts[b])
            if within is None or (
                place.start.line <= within.end.line and within.start.line <= max(place.start.line, place.end.line - 1)
            ):
                found.append(t.TextEdit(place, "".join(after[c:d])))
    return found


def _changed(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """The difference of two texts: lines `first` to `last` of one are lines `start` to `end` of the other. Texts of equal lines
    are the usual case and the worst one of SequenceMatcher."""
    if len(before) == len(after):  # formatters keep most lines
        return [(n, n + 1, n, n + 1) for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    least = min(len(before), len(after))
    head = next((n for n in range(least) if before[n] != after[n]), least)
    tail = next((n for n in range(least - head) if before[-1 - n] != after[-1 - n]), least - head)
    between = SequenceMatcher(None, before[head : len(before) - tail], after[head : len(after) - tail])
    return [
        (head + first, head + last, head + start, head + end)
        for kind, first, last, start, end in between.get_opcodes()
        if kind != "equal"
    ]


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return [*[f"{line}\n" for line in lines[:-1]], *([lines[-1]] if lines[-1] else [])]


__all__ = ["Listed", "changes", "completions", "finished", "formatted", "hover", "signature"]
