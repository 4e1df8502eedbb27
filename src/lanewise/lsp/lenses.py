"""Remarks of an editor in the text: code lenses and inlay hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lanewise.core.editor import Inlay
from lanewise.core.missing import consecutive
from lanewise.core.source import Span
from lanewise.core.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.editor import Entry
    from lanewise.lsp.documents import View

_WORDS = "words"
_COMPILED = {_WORDS: "machine words of the line"}  # the kinds of remarks of sources that are compiled


def lenses(view: View, tests: int) -> list[t.CodeLens]:
    """Above each place where a run begins: words used, run, trace of the first vertex, and the number of shader tests beside
    the text."""
    found: list[t.CodeLens] = []
    package = view.match.package
    for number, entry in enumerate(view.analysis.entries):
        if entry.span.file not in ("", view.name):
            continue
        place = view.positions.range(entry.span)
        commands: list[t.Command] = []
        if entry.words:
            commands.append(t.Command(words(entry), ""))
        if view.analysis.loaded is not None and not _has_errors(view):
            commands.append(t.Command("run", "lanewise.run", arguments=[view.uri, entry.name]))
            commands.append(t.Command("trace vertex 0", "lanewise.trace", arguments=[view.uri, entry.name, 0]))
        if tests and number == 0 and package.shader_tests is not None:
            commands.append(t.Command(f"{tests} {'test' if tests == 1 else 'tests'}", "lanewise.tests", arguments=[view.uri]))
        found += [t.CodeLens(place, command) for command in commands]
    return found


def words(entry: Entry) -> str:
    """`14 of 512 words`."""
    if entry.limit:
        return f"{entry.words} of {entry.limit} words"
    return f"{entry.words} {'word' if entry.words == 1 else 'words'}"


def _has_errors(view: View) -> bool:
    return any(finding.is_error for finding in view.analysis.findings)


def kinds(view: View, wanted: object) -> list[str]:
    """The kinds of remarks that an editor shows: all that the language has, but those that its settings switch off."""
    if wanted is False:
        return []
    off = [key for key, value in wanted.items() if value is False] if isinstance(wanted, dict) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    there = view.editor.inlays if view.editor is not None else _COMPILED if view.match.compiled else {}
    return [kind for kind in there if kind not in off]


def hints(view: View, wanted: Sequence[str], start: int, end: int) -> list[t.InlayHint]:
    """The remarks of those kinds between two offsets."""
    if not wanted:
        return []
    remarks = view.editor.remarks(view.analysis, wanted) if view.editor is not None else _words_by_line(view)
    there = view.editor.inlays if view.editor is not None else _COMPILED
    found: list[t.InlayHint] = []
    for remark in remarks:
        if remark.span.file not in ("", view.name):
            continue
        at = _end_of_word(view.positions.text, view.positions.bounds(remark.span)[1])
        if start <= at <= end:
            about = remark.about or there.get(remark.kind, "")
            found.append(t.InlayHint(view.positions.position(at), remark.text, tooltip=about or None, padding_left=True))
    return found


def _end_of_word(text: str, at: int) -> int:
    """The end of the word that an offset is in: the place of a statement with a misspelt name is that of one with the right
    name, which may be shorter."""
    while 0 < at < len(text) and all(letter.isalnum() or letter in "_.[]" for letter in text[at - 1 : at + 1]):
        at += 1
    return at


def _words_by_line(view: View) -> list[Inlay]:
    """The number of machine words of each line of a compiled source."""
    lines: dict[int, list[int]] = {}
    for placed in view.placed:
        lines.setdefault(placed.span.line, []).append(placed.address)
    return [
        Inlay(Span(file=view.name, line=line, column=0), _WORDS, counted(len(words), "word"), _runs(words))
        for line, words in sorted(lines.items())
    ]


def _runs(numbers: Sequence[int]) -> str:
    """`words 0x004 to 0x006, 0x010`."""
    found = [f"{first:#05x}" if first == last else f"{first:#05x} to {last:#05x}" for first, last in consecutive(numbers)]
    return f"word{'s' * (len(numbers) > 1)} {', '.join(found)}"


__all__ = ["hints", "kinds", "lenses", "words"]
