"""Sources in another language than the one that they are read in: one finding instead of one for each line.

Asked only about sources with errors, so that a text that a language takes is never refused.
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic, Edit
from lanewise.core.foreign import foreign_source, saved_as_source
from lanewise.core.package import CERTAIN
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.text.dialects import dialects

_LEAST_LINES = 3
_MOST_DIGITS = 6  # cat -n has so many columns for a number
_AFTER_NUMBERS = "\t :|."  # between a number and the text of its line


_AEMSTRO = (
    "give `lanewise dis` the SHBIN that aemstro makes of it, or rewrite it for picasso: `.uniform c0, c3, name` is "
    "`.fvec name[4]`, `.const c20, 0, 1, 0, 1` is `.constf name(0, 1, 0, 1)`, `.out o0, result.position, 0xF` is "
    "`.out name position`, labels of `.vsh` are `.proc main` and `.end`, and masks and swizzles are at the operands"
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.pica200.text.dialect import Dialect, Options


def foreign(
    dialect: Dialect, sources: Iterable[tuple[str, str]], options: Options, found: Sequence[Diagnostic]
) -> Diagnostic | None:
    """The finding about the first source that is in another language than `dialect`. A line of another language among others is
    not: `found` is what reading says, and there must be fewer errors in the other language."""
    errors = sum([each.is_error for each in found])
    for name, text in sources:
        listing = _numbered(name, text)
        if listing is not None:
            return listing
        if is_aemstro(text):
            known = " and ".join([dialect.title for dialect in dialects()])
            message = f"this is an aemstro source: lanewise reads {known} sources"
            fix = _AEMSTRO
            return _finding(name, text, message, fix)
        certainty = dialect.recognises(text)
        other = foreign_source(text) if certainty < CERTAIN else None  # which may have `#include` for cpp
        if other is not None:
            known = " and ".join([dialect.title for dialect in dialects()])
            return _finding(name, text, f"this is {other.title}: lanewise reads {known} sources", other.fix)
        saved = saved_as_source(text)
        if saved is not None:
            known = " and ".join([dialect.title for dialect in dialects()])
            finding = _finding(name, text, f"this is {saved[0].title}: lanewise reads {known} sources", saved[0].fix)
            line = text.split("\n")[saved[1] - 1].rstrip("\r")
            return finding._replace(span=finding.span._replace(line=saved[1], text=line))
        for meant in dialects():
            if meant is dialect or meant.recognises(text) <= certainty:
                continue
            _, others = meant.read([(name, text)], options._replace(names=None))
            if sum([each.is_error for each in others]) <= errors:
                message = f"this is a {meant.title} source, but it is read as {dialect.title}"
                fix = f"use `--dialect {meant.name}` (dialect='{meant.name}')"
                return _finding(name, text, message, fix)
    return None


def is_aemstro(text: str) -> bool:
    """Whether a text has two different kinds of lines that only aemstro's language has.

    Source: aemstro_as.py, and public sources for it: .const, .uniform and .vsh, semantics such as result.position, masks as
    descriptors.
    """
    found: set[str] = set()
    for line in text.split("\n"):
        words = line.partition(";")[0].replace(",", " ").split()
        if not words:
            continue
        first = words[0].lower()
        if (
            first in (".const", ".uniform", ".vsh")
            or (first == ".out" and len(words) > 2 and words[2].startswith("result."))
            or (first == ".opdesc" and len(words) > 2 and not words[1][0].isdigit())
        ):
            found.add(first)
            if len(found) > 1:
                return True
    return False


def _numbered(name: str, text: str) -> Diagnostic | None:
    """The finding about lines that begin with their numbers, as `cat -n` and editors print them (P075)."""
    edits: list[Edit] = []
    first = None
    for number, line in enumerate(text.replace("\r", "").split("\n"), 1):
        if not line.strip():
            continue
        lead = len(line) - len(line.lstrip())
        digits = len(line) - lead - len(line[lead:].lstrip("0123456789"))
        after = line[lead + digits :]
        if not digits or digits > _MOST_DIGITS or (after and after[0] not in _AFTER_NUMBERS):
            return None
        count = int(line[lead : lead + digits]) - number
        first = count if first is None else first
        if count != first:
            return None
        length = lead + digits
        if after.lstrip(" ")[:1] == "|":
            length = line.index("|", length)
        length += line[length : length + 1] in (":", "|", ".")
        length += line[length : length + 1].isspace()
        edits.append(Edit(Span(file=name, line=number, column=1, length=length, text=line), ""))
    if len(edits) < _LEAST_LINES:
        return None
    return Diagnostic(
        code="P075",
        severity=ERROR,
        message="the lines begin with their numbers: this is a listing of a source",
        span=edits[0].span,
        notes=(),
        fix="remove the numbers",
        edits=tuple(edits),
    )


def _finding(name: str, text: str, message: str, fix: str) -> Diagnostic:
    number, line = next(((n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()), (1, ""))
    return Diagnostic(
        code="P074",
        severity=ERROR,
        message=message,
        span=Span(file=name, line=number, column=0, length=0, text=line.rstrip("\r")),
        notes=(),
        fix=fix,
    )
