"""How far the advice of findings leads: one mistake in a correct source, its advice followed, the program compared.

python bench/advice.py FOLDER [--each 40] [--seed 1] [--kind NAME] [--list]

FOLDER has public sources in the languages of the PICA200; those without errors are taken, each text once. Each kind of mistake
(`habits.py`) is made in as many of them as `--each` says, in one place that is drawn. Then the first edits of every new finding
are applied, until the program is clean or three times. A program is *back* if its SHBIN has the bytes of the original one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from habits import HABITS, NIHSTRO, PICASSO, mistake
from lanewise.core.diagnostics import NOTE
from lanewise.core.editing import chosen, edited
from lanewise.pica200.api.checking import Reading, examine
from lanewise.pica200.text.dialects import source_suffixes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from habits import Habit, Mistake
    from lanewise.core.diagnostics import Diagnostic

STEPS = 3
BACK, OTHER, NAMED, UNNAMED, SILENT, HARMLESS = "back", "other", "named", "unnamed", "silent", "harmless"
OUTCOMES = (BACK, OTHER, NAMED, UNNAMED, SILENT)
_NIHSTRO = (".vsh", ".gsh")


class Source(NamedTuple):
    """A correct source."""

    name: str
    "Name of its file."
    text: str
    "Its text."
    data: bytes
    "The SHBIN that it gives."
    known: Counter[tuple[str, str]]
    "Warnings that it has, by code and message."

    @property
    def language(self) -> str:
        return NIHSTRO if self.name.endswith(_NIHSTRO) else PICASSO


class Outcome(NamedTuple):
    """What became of a mistake."""

    kind: str
    "One of `OUTCOMES`, or `HARMLESS`: the bytes are the same, and nothing is said."
    text: str
    "The text at the end."
    first: tuple[Diagnostic, ...]
    "What was said of the mistake."
    left: tuple[Diagnostic, ...]
    "What is said at the end."


class Case(NamedTuple):
    """A mistake in a source, and what became of it."""

    source: Source
    mistake: Mistake
    outcome: Outcome


def _examined(name: str, text: str) -> tuple[bytes, list[Diagnostic]]:
    """The SHBIN, empty where there is none, and errors and warnings."""
    found = examine([(name, text)], Reading(dialect=NIHSTRO if name.endswith(_NIHSTRO) else PICASSO))
    return found.made.data or b"", [each for each in found.report.findings if each.severity != NOTE]


def source_of(name: str, text: str) -> Source | None:
    """A text as a source to make mistakes in; None for one with errors."""
    data, findings = _examined(name, text)
    return Source(name, text, data, Counter((each.code, each.message) for each in findings)) if data else None


def sources(folder: Path) -> list[Source]:
    """The correct sources below a folder, each text once."""
    texts: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name.endswith(source_suffixes()):
            texts.setdefault(path.read_bytes().decode("latin-1").replace("\r\n", "\n"), path.name)
    return [found for text, name in texts.items() if (found := source_of(name, text)) is not None]


def _new(findings: Sequence[Diagnostic], known: Counter[tuple[str, str]]) -> list[Diagnostic]:
    """Findings that the correct source does not have."""
    left = Counter(known)
    new: list[Diagnostic] = []
    for each in findings:
        key = each.code, each.message
        if left[key]:
            left[key] -= 1
        else:
            new.append(each)
    return new


def followed(source: Source, text: str, line: int, now: str) -> Outcome:
    """Follow the first advice of each finding about a text with a mistake in a line."""
    data, findings = _examined(source.name, text)
    new = first = _new(findings, source.known)
    if not new:
        return Outcome(HARMLESS if data == source.data else SILENT, text, (), ())
    for _ in range(STEPS):
        _, edits = chosen(new, likely=True)
        if not edits:
            break
        text = edited(text, edits[source.name])
        data, findings = _examined(source.name, text)
        new = _new(findings, source.known)
        if not new:
            return Outcome(BACK if data == source.data else OTHER, text, tuple(first), ())
    word = now.strip(" ,.()[]=;")
    named = any(each.span.line == line or (len(word) > 2 and word in each.message) for each in first)
    return Outcome(NAMED if named else UNNAMED, text, tuple(first), tuple(new))


def measured(habit: Habit, given: Sequence[Source], each: int, seed: int) -> list[Case]:
    """Mistakes of a kind in sources that are drawn, and what became of them."""
    rng = random.Random(f"{seed} {habit.name}")
    fitting = [source for source in given if source.language in habit.languages]
    rng.shuffle(fitting)
    cases: list[Case] = []
    for source in fitting:
        if len(cases) == each:
            break
        made = mistake(habit, source.text, source.language, rng)
        if made is None:
            continue
        outcome = followed(source, made.text, made.line, made.now)
        if outcome.kind != HARMLESS:
            cases.append(Case(source, made, outcome))
    return cases


def shares(cases: Iterable[Case]) -> dict[str, float]:
    """The share of each outcome, from 0 to 1."""
    counts = Counter(case.outcome.kind for case in cases)
    return {kind: counts[kind] / max(1, counts.total()) for kind in OUTCOMES}


def _line_of(case: Case) -> str:
    lines = case.mistake.text.split("\n")
    return lines[case.mistake.line - 1].strip() if case.mistake.line <= len(lines) else ""


def _listed(case: Case) -> list[str]:
    """A case as lines: source, mistake, what is said."""
    kind, _, first, left = case.outcome
    told = [f"      {one.span.line}: {one.code} {one.message} | {one.fix} | {[e.text for e in one.edits]}" for one in first[:3]]
    told += [f"      then {one.span.line}: {one.code} {one.message} | {one.fix}" for one in left[:2]]
    place = f"{case.source.name}:{case.mistake.line}"
    return [f"    {kind} {place}: {case.mistake.was.strip()!r} -> {case.mistake.now.strip()!r} in `{_line_of(case)}`", *told]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=40, help="mistakes of a kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", default="", help="only kinds with this text in their names")
    parser.add_argument("--list", action="store_true", help="list what did not come back, two of each kind and outcome")
    options = parser.parse_args(arguments)
    given = sources(options.folder)
    count = Counter(source.language for source in given)
    print(f"{len(given)} sources: {', '.join(f'{number} {language}' for language, number in sorted(count.items()))}")
    print(f"{'kind':45}  {'n':>4}  " + "  ".join(f"{kind:>7}" for kind in OUTCOMES))
    together: dict[bool, list[dict[str, float]]] = {True: [], False: []}
    unclean: list[Case] = []
    for habit in HABITS:
        if options.kind not in habit.name:
            continue
        cases = measured(habit, given, options.each, options.seed)
        if not cases:
            print(f"{habit.name:45}  {0:4}")
            continue
        found = shares(cases)
        together[habit.enough].append(found)
        unclean += [case for case in cases if case.outcome.kind in (OTHER, SILENT)]
        mark = "" if habit.enough else "  (not enough)"
        print(f"{habit.name:45}  {len(cases):4}  " + "  ".join(f"{found[kind]:7.0%}" for kind in OUTCOMES) + mark, flush=True)
        if options.list:
            for kind in OUTCOMES[1:]:
                for case in [case for case in cases if case.outcome.kind == kind][:2]:
                    print("\n".join(_listed(case)))
    for enough, name in ((True, "kinds that leave enough"), (False, "kinds that do not")):
        rows = together[enough]
        if rows:
            means = "  ".join(f"{sum(row[kind] for row in rows) / len(rows):7.1%}" for kind in OUTCOMES)
            print(f"{name:45}  {len(rows):4}  {means}")
    if unclean:
        print(f"clean but other, or silent: {len(unclean)}")
        for case in unclean:
            print("\n".join(_listed(case)[:1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
