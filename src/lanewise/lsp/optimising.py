"""The optimiser in an editor: the text with fewer words of code, its names, comments and layout kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import InputError
from lanewise.core.service import STDIO, Request, UsageError
from lanewise.core.source import decode_text
from lanewise.optimising.report import EDITED, LEFT

if TYPE_CHECKING:
    from lanewise.core.service import Value
    from lanewise.lsp.documents import Documents, View

COMMAND, KIND = "lanewise.optimise", "source.lanewise.optimise"
_CONSTANTS = "constants-known"


class Smaller(NamedTuple):
    """A text with fewer words; `about` says how many, `text` is empty where none can go."""

    text: str
    about: str


def arguments(uri: str, constants: bool = False) -> tuple[str, bool]:
    """The arguments of the command: the resource of an open text, and whether its constants are known."""
    return uri, constants


def choices(view: View) -> list[tuple[str, bool]]:
    """The optimisations of a text by their titles, each with whether constants are known; none for a text without an optimiser,
    or with errors."""
    package = view.match.package
    if package.optimise is None or view.match.compiled or view.program != view.uri or view.analysis.loaded is None:
        return []
    if len(view.request.sources) > 1:  # the optimiser edits one text
        return []
    if any(finding.is_error for finding in view.analysis.findings):
        return []
    found = [("Optimise: fewer words, the same outputs", False)]
    if any(option.key == _CONSTANTS for option in package.manual("opt").options):
        found.append(("Optimise, the application does not overwrite constants", True))
    return found


def smaller(documents: Documents, view: View, constants: bool = False) -> Smaller:
    """The text of a view with fewer words. Raises UsageError for one that cannot be edited, InputError for one with errors."""
    package, loaded = view.match.package, view.analysis.loaded
    errors = [finding for finding in view.analysis.findings if finding.is_error]
    if package.optimise is None:
        raise UsageError(f"{package.title} has no optimiser")
    if len(view.request.sources) > 1:
        raise UsageError("the text is linked with others: `lanewise opt` makes the program smaller")
    if errors or loaded is None:
        raise InputError(errors)
    own = documents.values(view.path, package, "opt")
    values: dict[str, Value] = {
        **own,
        "source": True,
        "output": STDIO,
        EDITED: True,
        **({_CONSTANTS: True} if constants else {}),
    }
    request = Request(
        "opt",
        view.request.sources,
        values,
        language=view.request.language,
        files=view.request.files,
        read_included=view.request.read_included,
    )
    answer = package.optimise(loaded, request)
    if answer.remarks:
        raise UsageError(f"the text cannot be edited: {answer.remarks[0].rpartition(': ')[2]}")
    ((_, data),) = answer.files
    about = answer.text.strip().rpartition("\n")[2].partition(": ")[2]
    left = answer.data.get(LEFT)
    if isinstance(left, str):
        about = f"{about}; {left}"
    text = decode_text(data)
    return Smaller("" if text == view.text else text, about)


__all__ = ["COMMAND", "KIND", "Smaller", "arguments", "choices", "smaller"]
