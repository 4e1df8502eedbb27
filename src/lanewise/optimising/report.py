"""The answer of `lanewise opt`: what was done, as text and as a document; and as hints of `lanewise check`."""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE, Diagnostic, span_json, visible
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.reporting import counting
from lanewise.core.service import Answer
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.optimising.moves import MOVES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.service import Request
    from lanewise.optimising.optimiser import Step

EDITED = "edited"  # the value of a request that wants the source edited, though some steps may be left out
LEFT = "left"  # the key of a sentence about what was left out
HINTS = "hints"  # the value of a request that wants the steps as findings
UNWRITTEN = "nothing is written: name a file with -o, or ask for the source with --source"


class Report(Record):
    """An optimised program for a report."""

    name: str
    "The program, as messages call it."
    steps: Sequence[Step]
    "The moves that were taken, in order."
    places: Sequence[Span | None]
    "The place in the source of each item of the program given; None, or no line, for those of a binary."
    sizes: Sequence[tuple[str, int, int]]
    "By unit, such as slots: the sizes before and after. `--each` adds up the first unit."
    rules: Sequence[str]
    "The number rules, or the device, of the proofs; empty: the report names none."
    proofs: int
    "How many programs were to be proved equal."
    refused: int
    "How many different candidates were not taken."
    item: str = "slot"
    "The word for an item in messages."
    least: int = 0
    "No program that writes the same outputs is smaller, in the first unit; 0: no bound is known."
    numbers: Sequence[int] | None = None
    "The number of each item in messages and JSON; None: they count from 0."
    notes: Sequence[str] = ()
    "Sentences about the program that is left, after its sizes."
    more: Mapping[str, object] | None = None
    "Keys of the JSON output that only this instruction set has."


def answer(request: Request, report: Report, files: Sequence[tuple[str, bytes]], remarks: Sequence[str] = ()) -> Answer:
    """The answer with the files to write."""
    numbers = report.numbers or range(len(report.places))
    data: dict[str, object] = {
        "name": report.name,
        **{unit: {"before": before, "after": after} for unit, before, after in report.sizes},
        "rules": [*report.rules],
        "proofs": report.proofs,
        "refused": report.refused,
        "least": report.least,
        **(report.more or {}),
        "steps": [_step_json(step, report, numbers) for step in report.steps],
    }
    lines = [line for step in report.steps for line in _lines(step, report, numbers)] if request.flag("report") else []
    before = " and ".join([f"{size} {unit}" for unit, size, _ in report.sizes])
    after = " and ".join([f"{size} {unit}" if n else str(size) for n, (unit, _, size) in enumerate(report.sizes)])
    rules = f"; proved under {' and '.join(report.rules)}" if report.rules else ""
    lines.append(f"{visible(report.name, '')}: {before} before, {after} after{rules}")
    lines += report.notes
    if not report.steps:
        lines.append(in_vain(report.refused, [move.title for move in MOVES], listed=request.flag("report")))
        unit = report.sizes[0][0].removesuffix("s")
        lines += [f"no program that writes these outputs has fewer than {counted(report.least, unit)}"] if report.least else []
    if request.flag(HINTS):
        return Answer(data=data, last=tuple([_hint(step, report, numbers) for step in report.steps]), remarks=tuple(remarks))
    unwritten = [UNWRITTEN] if report.steps and not files else []
    return Answer(data=data, text="\n".join(lines) + "\n", remarks=(*remarks, *unwritten), files=tuple(files))


def in_vain(refused: int, kinds: Sequence[str], *, listed: bool) -> str:
    """The line of an optimiser that has found nothing: what it tried, and the kinds of change that it looked for."""
    tried = f"tried {counted(refused, 'change')} in vain" if refused else "found nothing to try"
    return f"{tried}: {', '.join(kinds)}" if listed else f"{tried} of {len(kinds)} kinds, which --report lists"


def progress_of(request: Request) -> Callable[[], None] | None:
    """The function that an optimiser calls for each program that it tries."""
    return counting(request.progress)


def _lines(step: Step, report: Report, numbers: Sequence[int]) -> list[str]:
    """A step for a reader: where, why and how."""
    first = (step.removed or step.changed)[0]
    place = report.places[first]
    where = f"{place.file}:{place.line}" if place is not None and place.line else f"{report.item} {numbers[first]}"
    return [f"{where}: {step.reason}", f"    {step.fix}"]


def _saved(step: Step, report: Report) -> dict[str, int]:
    """The savings of a step, by unit."""
    return {unit: saved for (unit, _, _), saved in zip(report.sizes, step.saved, strict=False)}


def _hint(step: Step, report: Report, numbers: Sequence[int]) -> Diagnostic:
    """A step as a finding about the first item that it removes, or changes."""
    first = (step.removed or step.changed)[0]
    place = report.places[first]
    saved = [counted(number, unit.removesuffix("s")) for unit, number in _saved(step, report).items() if number]
    notes = [f"saves {' and '.join(saved)}" if saved else "saves nothing by itself"]
    if place is None or not place.line:
        notes.insert(0, f"{report.item} {numbers[first]}")
    if not step.first:
        notes.append("proved after other hints of the program")
    return Diagnostic(
        code=step.code,
        severity=NOTE,
        message=step.reason,
        span=place or Span(file=report.name),
        notes=tuple(notes),
        fix=step.fix,
    )


def _step_json(step: Step, report: Report, numbers: Sequence[int]) -> dict[str, object]:
    spans = [place for n in (*step.removed, *step.changed) if (place := report.places[n]) is not None]
    return {
        "move": step.move,
        "title": step.title,
        "code": step.code,
        "reason": step.reason,
        "fix": step.fix,
        "removed": [numbers[n] for n in step.removed],
        "changed": [numbers[n] for n in step.changed],
        "places": [span_json(place) for place in spans],
        "saved": _saved(step, report),
        "rests_on": [],
    }


__all__ = ["Report", "answer", "in_vain", "progress_of"]
