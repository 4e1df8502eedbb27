"""Findings with several fixes: editors, SARIF and logs have each of them, the likeliest first, and none is done unasked."""

from __future__ import annotations

import io
import random
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types as t

from editors.session import Doc
from habits import HABITS, NIHSTRO, PICASSO, mistake
from lanewise.core.diagnostics import NOTE
from lanewise.core.editing import chosen, edited
from lanewise.core.service import Report
from lanewise.lsp.documents import Documents, Rules
from lanewise.lsp.findings import FIX_ALL, Client, actions, reported
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.tools.check_report import FORMATS, sarif, written
from property.test_edits_of_mistakes import correct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic

EACH = 4  # texts of a kind of mistake that are tried
# What precedes a source: characters of two units of UTF-16 in a line of their own, and in that of the mistake.
HEADS = {PICASSO: "; \U0001f600 \u00e9\n", NIHSTRO: "// \U0001f600 \u00e9\n"}
# Texts that are among those.
MORE = {
    PICASSO: (".in p\n.out o position\n.proc main\n\tdot o, p, p\n\tend\n.end\n",),
    NIHSTRO: (
        ".alias o o0 as position\n.alias tone v0\n.alias tune v1\nmain:\n    mov o, tine\n    end\n",
        ".alias o o0 as position\n.alias pos v0\n.alias posy v1.x\nmain:\n    mov o.x, posx\n    end\n",
    ),
}
SUFFIXES = {PICASSO: ".v.pica", NIHSTRO: ".vsh"}


def findings(name: str, text: str, language: str) -> list[Diagnostic]:
    return [each for each in assemble_sources([(name, text)], dialect=language).diagnostics if each.severity != NOTE]


@cache
def ambiguous(language: str) -> tuple[str, ...]:
    """Texts with a mistake of which several things can be meant."""
    rng = random.Random(f"alternatives {language}")
    found = [HEADS[language] + text for text in MORE[language]]
    for habit in HABITS:
        kept = 0
        for text in correct(language) if language in habit.languages else ():
            made = mistake(habit, text, language, rng) if kept < EACH else None
            if made is not None and any(each.alternatives for each in findings("x", made.text, language)):
                kept += 1
                found.append(HEADS[language] + made.text)
    return tuple(found)


def fixes(finding: Diagnostic) -> list[tuple[str, Sequence[Any]]]:
    return [(finding.fix, finding.edits), *[(other.fix, other.edits) for other in finding.alternatives]]


@pytest.mark.parametrize("language", [PICASSO, NIHSTRO])
def test_there_are_some(language: str):
    assert len(ambiguous(language)) >= len(MORE[language])
    for text in ambiguous(language):
        for finding in findings("x", text, language):
            texts = [edited(text, edits) for _, edits in fixes(finding)]
            assert finding.alternatives or text not in [HEADS[language] + each for each in MORE[language]]
            if finding.alternatives:
                assert all(edits for _, edits in fixes(finding))
                assert len({text, *texts}) == len(texts) + 1, "each is another text"
                assert len({fix for fix, _ in fixes(finding)}) == len(texts), "each has another name"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("language", [PICASSO, NIHSTRO])
def test_editors(language: str, ends: str, encoding: str):
    """An action for each fix, in their order; none is preferred, as editors do that unasked, nor among all fixes."""
    for text in ambiguous(language):
        uri = f"file:///a{SUFFIXES[language]}"
        whole = text.replace("\n", ends)
        documents = Documents(lambda _: Rules(), encoding)
        documents.put(uri, whole, 1)
        view = documents.analyse(uri)
        assert view is not None
        documents.views[uri] = view
        document = Doc(SimpleNamespace(encoding=encoding), uri, whole)  # pyright: ignore[reportArgumentType]
        every = actions(documents, view, 0, len(whole), [t.CodeActionKind.QuickFix], Client())
        for finding in reported(documents, view):
            if not finding.alternatives:
                continue
            offered = [
                action
                for action in every
                if action.edit is not None and action.diagnostics and finding.message in action.diagnostics[0].message
            ]
            wanted = [edited(whole, edits) for _, edits in fixes(finding)]
            results = [document.applied(document.edits(action.edit)) for action in offered]
            assert results[: len(wanted)] == wanted
            assert not any(action.is_preferred for action in offered)
            assert offered[0].diagnostics is not None
            said = offered[0].diagnostics[0].message
            places = [said.index(fix) for fix, _ in fixes(finding)]
            assert places == sorted(places)
            _, taken = chosen([finding])
            assert not taken
        for action in actions(documents, view, 0, len(whole), [FIX_ALL], Client()):
            done = document.edits(action.edit)
            ambiguous_lines = {each.span.line - 1 for each in reported(documents, view) if each.alternatives}
            assert not {edit.range.start.line for edit in done} & ambiguous_lines


def applied(text: str, fix: Any) -> str:
    """A text with a fix of SARIF done: regions of lines and columns from 1, in characters, up to the one before their end."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    (change,) = fix["artifactChanges"]
    pieces: list[tuple[int, int, str]] = []
    for each in change["replacements"]:
        region: dict[str, int] = each["deletedRegion"]
        first, last = region["startLine"], region.get("endLine", region["startLine"])
        pieces.append(
            (
                starts[first - 1] + region["startColumn"] - 1,
                starts[last - 1] + region["endColumn"] - 1,
                each["insertedContent"]["text"],
            )
        )
    for start, end, new in sorted(pieces, reverse=True):
        text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize("language", [PICASSO, NIHSTRO])
def test_sarif(language: str):
    for text in ambiguous(language):
        found = findings("a", text, language)
        document: Any = sarif(found, [])
        for finding, result in zip(found, document["runs"][0]["results"], strict=True):
            wanted = [edited(text, edits) for _, edits in fixes(finding) if edits]
            assert [applied(text, fix) for fix in result.get("fixes", ())] == wanted
            assert [fix["description"]["text"] for fix in result.get("fixes", ())] == [
                fix for fix, edits in fixes(finding) if edits
            ]
            assert all(fix in result["message"]["text"] for fix, _ in fixes(finding))


@pytest.mark.parametrize("form", FORMATS)
def test_each_form_of_a_report_names_each_fix(form: str):
    (finding,) = findings("a.v.pica", HEADS[PICASSO] + MORE[PICASSO][0], PICASSO)
    said = written([Report((finding,))], form, stats=False, stream=io.StringIO())
    assert 0 < said.index("dp4 o, p, p") < said.index("dp3 o, p, p")
