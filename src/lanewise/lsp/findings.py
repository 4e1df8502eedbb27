"""Findings as diagnostics and code actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lanewise.api.findings import findings as known
from lanewise.core.diagnostics import ERROR, NOTE, WARNING, plain_text
from lanewise.core.editing import chosen
from lanewise.core.elsewhere import placed
from lanewise.core.ignoring import ignoring
from lanewise.core.record import Record
from lanewise.lsp import optimising

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic, Edit
    from lanewise.lsp.documents import Documents, View
    from lanewise.lsp.positions import Positions

SOURCE = "lanewise"
FIX_ALL = "source.fixAll.lanewise"
DISASSEMBLE = "source.lanewise.disassemble"
_SEVERITIES = {
    ERROR: t.DiagnosticSeverity.Error,
    WARNING: t.DiagnosticSeverity.Warning,
    NOTE: t.DiagnosticSeverity.Information,
}


class Client(Record):
    """The abilities of an editor with findings and edits."""

    link: Callable[[str], str] = lambda _: ""
    "The address of the page of a code; empty for none."
    related: bool = True
    "It shows related places; without it they are lines of the message."
    tags: bool = True
    "It shows code that is not needed faintly."
    versions: bool = True
    "It takes edits for a version of a text."
    preferred: bool = True
    "It takes a mark on the fix that comes first."
    applies: bool = True
    "It applies edits that the server asks for."


def by_resource(documents: Documents, view: View, client: Client) -> dict[str, list[t.Diagnostic]]:
    """The diagnostics of a view for each resource that they are in; its own always, if only to say that there are none."""
    found: dict[str, list[t.Diagnostic]] = {view.uri: []}
    for finding in reported(documents, view):
        file = finding.span.file or view.name
        places = documents.positions(file, view)
        if places is None:  # a file that cannot be read: what is said of it is said of the text that names it
            moved = finding._replace(span=finding.span._replace(file=view.name, line=0, offset=-1))
            found[view.uri].append(diagnostic(documents, view, moved, view.positions, client))
            continue
        uri = view.uri if file == view.name else documents.uri_of(file)
        found.setdefault(uri, []).append(diagnostic(documents, view, finding, places, client))
    return found


def reported(documents: Documents, view: View) -> list[Diagnostic]:
    """The findings of a view that the configuration asks for, with fixes for an editor. Errors always are."""
    rules = {view.name: documents.rules(view.path).reported}
    kept: list[Diagnostic] = []
    for finding in view.analysis.findings:
        file = finding.span.file or view.name
        if file not in rules:
            rules[file] = documents.rules(file).reported
        if finding.severity == ERROR or rules[file](finding.code):
            kept.append(placed(finding, documents.surface))
    return kept


def diagnostic(documents: Documents, view: View, finding: Diagnostic, places: Positions, client: Client) -> t.Diagnostic:
    """A finding in the words of the protocol."""
    text = plain_text(finding)
    related: list[t.DiagnosticRelatedInformation] = []
    for place in finding.related:
        there = documents.positions(place.span.file, view)
        if there is not None and client.related:
            location = t.Location(documents.uri_of(place.span.file), there.range(place.span))
            related.append(t.DiagnosticRelatedInformation(location, place.message))
        else:
            text += f"\n{place.span}: {place.message}"
    row = known().get(finding.code)
    link = client.link(finding.code)
    return t.Diagnostic(
        range=places.marking(finding.span),
        message=text,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=t.CodeDescription(link) if link else None,
        source=SOURCE,
        tags=[t.DiagnosticTag.Unnecessary] if row is not None and row.unneeded and client.tags else None,
        related_information=related or None,
    )


def actions(documents: Documents, view: View, start: int, end: int, only: Sequence[str], client: Client) -> list[t.CodeAction]:
    """The actions for the findings of a range, and for the whole text; of the kinds `only`, all if it is empty."""
    found_actions: list[t.CodeAction] = []
    found = reported(documents, view)
    here = [finding for finding in found if finding.span.file in ("", view.name) and _touches(view, finding, start, end)]
    if _asked(only, t.CodeActionKind.QuickFix):
        for finding in here:
            found_actions += _fixes(documents, view, finding, found, client)
        found_actions += [
            action for finding in here for action in (*_ignores(documents, view, finding, client), _explains(finding))
        ]
    if _asked(only, t.CodeActionKind.SourceFixAll, FIX_ALL) and only:
        taken, edits = chosen(found)
        if taken:
            change = workspace_edit(documents, view, edits, client)
            found_actions.append(t.CodeAction(title="Apply all fixes of lanewise", kind=FIX_ALL, edit=change))
    if _asked(only, DISASSEMBLE):
        command = t.Command("Disassemble", "lanewise.disassemble", arguments=[view.uri])
        found_actions.append(t.CodeAction(title="Disassemble", kind=DISASSEMBLE, command=command))
    if _asked(only, optimising.KIND) and client.applies:
        for name, constants in optimising.choices(view):
            command = t.Command(name, optimising.COMMAND, arguments=[view.uri, constants])
            found_actions.append(t.CodeAction(title=name, kind=optimising.KIND, command=command))
    return [action for number, action in enumerate(found_actions) if action not in found_actions[:number]]


def _fixes(
    documents: Documents, view: View, finding: Diagnostic, found: Sequence[Diagnostic], client: Client
) -> list[t.CodeAction]:
    """The edits of a finding, one action for each that can be meant, and those of all findings with its code."""
    if not finding.edits:
        return []
    shown = diagnostic(documents, view, finding, view.positions, client)
    alike, together = chosen([other for other in found if other.code == finding.code])
    own = workspace_edit(documents, view, _by_file(finding.edits), client)
    first = t.CodeAction(title=title(finding), kind=t.CodeActionKind.QuickFix, diagnostics=[shown], edit=own)
    first.is_preferred = True if client.preferred and not finding.alternatives else None
    shares = [first]
    for other in finding.alternatives:
        change = workspace_edit(documents, view, _by_file(other.edits), client)
        name = _titled(other.fix)
        shares.append(t.CodeAction(title=name, kind=t.CodeActionKind.QuickFix, diagnostics=[shown], edit=change))
    if len(alike) < 2:
        return shares
    name = f"Fix all {len(alike)} findings of {finding.code}"
    edit = workspace_edit(documents, view, together, client)
    return [*shares, t.CodeAction(title=name, kind=t.CodeActionKind.QuickFix, diagnostics=[shown], edit=edit)]


def title(finding: Diagnostic) -> str:
    """The title of the edits of a finding: its fix, or how the text changes."""
    text = finding.fix or finding.message
    edit = finding.edits[0]
    before = edit.span.text[edit.span.column - 1 : edit.span.column - 1 + edit.span.length] if edit.span.text else ""
    if text.startswith("did you mean") and len(finding.edits) == 1 and before:
        return f"Change '{before}' to '{edit.text}'"
    return _titled(text)


def _titled(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".").replace("`", "")


def _ignores(documents: Documents, view: View, finding: Diagnostic, client: Client) -> list[t.CodeAction]:
    """The comment that suppresses a finding."""
    edit = ignoring(finding, view.editor.comment if view.editor is not None else ";")
    if edit is None:
        return []
    change = workspace_edit(documents, view, _by_file([edit]), client)
    return [t.CodeAction(title=f"Ignore {finding.code} on this line", kind=t.CodeActionKind.QuickFix, edit=change)]


def _explains(finding: Diagnostic) -> t.CodeAction:
    name = f"Explain {finding.code}"
    return t.CodeAction(
        title=name, kind=t.CodeActionKind.QuickFix, command=t.Command(name, "lanewise.explain", arguments=[finding.code])
    )


def _touches(view: View, finding: Diagnostic, start: int, end: int) -> bool:
    first, last = view.positions.marked(finding.span)
    return first <= end and start <= max(last, first)


def _asked(only: Sequence[str], *kinds: str) -> bool:
    """Whether an editor asks for one of the kinds; it names them by their beginnings."""
    return not only or any(kind == asked or kind.startswith(f"{asked}.") for kind in kinds for asked in only)


def _by_file(edits: Iterable[Edit]) -> dict[str, list[Edit]]:
    found: dict[str, list[Edit]] = {}
    for edit in edits:
        found.setdefault(edit.span.file, []).append(edit)
    return found


def workspace_edit(documents: Documents, view: View, edits: Mapping[str, Sequence[Edit]], client: Client) -> t.WorkspaceEdit:
    """Edits of files in the words of the protocol, for the versions that the editor has."""
    changes: dict[str, list[t.TextEdit]] = {}
    for file, listed in edits.items():
        places = documents.positions(file or view.name, view)
        if places is not None:
            uri = documents.uri_of(file) if file and file != view.name else view.uri
            changes[uri] = [t.TextEdit(places.range(edit.span), edit.text) for edit in listed]
    return _edit_of(documents, changes, client)


def whole_edit(documents: Documents, view: View, edits: Sequence[t.TextEdit], client: Client) -> t.WorkspaceEdit:
    """Edits of the text of a view, for the version that the editor has."""
    return _edit_of(documents, {view.uri: list(edits)}, client)


def _edit_of(documents: Documents, changes: Mapping[str, Sequence[t.TextEdit]], client: Client) -> t.WorkspaceEdit:
    if not client.versions:
        return t.WorkspaceEdit(changes={uri: list(listed) for uri, listed in changes.items()})
    documented = [
        t.TextDocumentEdit(t.OptionalVersionedTextDocumentIdentifier(uri, version_of(documents, uri)), list(listed))
        for uri, listed in changes.items()
    ]
    return t.WorkspaceEdit(document_changes=documented)


def version_of(documents: Documents, uri: str) -> int | None:
    """The version of an open text."""
    view = documents.view(uri)
    return view.version if view is not None else None


__all__ = [
    "DISASSEMBLE",
    "FIX_ALL",
    "Client",
    "actions",
    "by_resource",
    "diagnostic",
    "reported",
    "title",
    "whole_edit",
    "workspace_edit",
]
