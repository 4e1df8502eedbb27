"""Every edit that a finding offers removes it and makes no other."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY, rows
from effort import sample, times
from lanewise.core.editing import edited
from lanewise.pica200.api.checking import Reading, examine
from lanewise.pica200.text.dialects import dialect_of, source_suffixes

if TYPE_CHECKING:
    from pathlib import Path

    from lanewise.core.diagnostics import Diagnostic

Sources = list[tuple[str, str]]
COMPATIBLE = Reading(compatible=True)


def cases(path: Path) -> list[Sources]:
    """The programs of a file with several, which lines `; CASE` part, or the one that it is."""
    text = path.read_text()
    parts = re.split(r"^; CASE .*\n", text, flags=re.MULTILINE)
    return [[(path.name, part)] for part in parts if part.strip()]


def sources() -> list[Sources]:
    files = [
        *sorted((REPOSITORY / "tests" / "check" / "rules").glob("*.pica")),
        REPOSITORY / "tests" / "check" / "peers.pica",
        *[path for path in sorted((REPOSITORY / "tests" / "golden").iterdir()) if path.name.endswith(source_suffixes())],
    ]
    found = sample([case for path in files for case in cases(path)], times(36, 2000))
    corpus = [row.sources() for part in ("bad", "hand") for row in rows("picasso", part) if complete(row.folder, row.files)]
    corpus = [case for case in corpus if not case[0][0].startswith("lim_")]  # as large as a unit's memory: no place for a word
    return found + sample([case for case in corpus if all(dialect_of(name) for name, _ in case)], times(8, 2000))


def complete(folder: Path, names: tuple[str, ...]) -> bool:
    return all((folder / name).exists() for name in names)


def findings(given: Sources, reading: Reading) -> list[Diagnostic]:
    report = examine(given, reading).report
    return [*report.findings, *report.ignored]


def known(found: list[Diagnostic]) -> Counter[tuple[str, str]]:
    """Findings by code and message, without line numbers. Notes about nihstro itself come once for a file, wherever that is."""
    return Counter((f.code, re.sub(r"(line|word) \w+", r"\1", f.message)) for f in found if f.code not in ("P070", "P071"))


def wrong(given: Sources, reading: Reading) -> list[str]:
    """What is wrong with the edits of the findings of a program, each done alone.

    Where a program has other errors, the cure of one may let the reader see the next.
    """
    before = findings(given, reading)
    was, bad = known(before), list[str]()
    errors = any(other.is_error for other in before)
    for finding in examine(given, reading).report.findings:
        if not finding.edits:
            continue
        texts = dict(given)
        by_file = {edit.span.file for edit in finding.edits}
        if not by_file <= texts.keys():  # an included file
            continue
        for name in by_file:
            texts[name] = edited(texts[name], [edit for edit in finding.edits if edit.span.file == name])
        now = known(findings(list(texts.items()), reading))
        key = next(iter(known([finding])), None)
        kinds = Counter(code for code, _ in was.elements()), Counter(code for code, _ in now.elements())
        more = [code for code in kinds[1] if kinds[1][code] > kinds[0][code]]
        if key is not None and (now[key] >= was[key] or (more and not errors)):
            bad.append(f"{finding.span}: {finding.code} {finding.message}: {finding.fix}; {more}\n{finding.span.text}")
    return bad


@pytest.mark.parametrize("reading", [Reading(), COMPATIBLE], ids=["strict", "compatible"])
def test_edits_cure(reading: Reading):
    assert not [text for case in sources() for text in wrong(case, reading)]
