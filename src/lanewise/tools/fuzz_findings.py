"""The findings of `lanewise fuzz --against`: their files, and the summary of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.core.text.counting import counted
from lanewise.core.vectors.comparing import differences
from lanewise.core.vectors.flat import suite_bytes
from lanewise.core.vectors.model import Case, Suite
from lanewise.tools.console import write_bytes
from lanewise.tools.fuzz_limits import last_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.vectors.against import Comparing, Finding
    from lanewise.core.vectors.candidates import Separation
    from lanewise.core.vectors.model import Job, Outcome


class Written(Record):
    """A finding whose files are written."""

    cause: str
    "The key by which differences count as one."
    explained: bool
    "An answer to an open question explains it and other programs."
    answers: tuple[str, ...]
    "Answers with which lanewise gives the same."
    data: dict[str, object]
    "Plain data."
    lines: tuple[str, ...]
    "Lines of the summary."
    habit: str
    "The one of `lines` that names a habit; empty for none. It is left out where one mistake explains all."


class Summary(Record):
    """The totals of a run."""

    against: str
    "Command of the peer."
    variant: str
    "Preset or variant whose answers are expected."
    seed: int
    "Seed of the programs."
    first: int
    "Number of the first program."
    programs: int
    "Number of programs."
    skipped: int
    "Number of programs that do not end or stop early."
    vertices: int
    "Number of lanes."
    differing: int
    "Number of programs that differ."
    causes: dict[str, int]
    "Number of programs by cause."
    restarts: int
    "How often the peer was started again."
    findings: list[Written]
    "Causes with their files."
    let_through: int
    "Number of programs that are equal only by the steps of --ulp."
    mistake: str
    "The one mistake that explains all answers that differ; empty where none does."
    hints: tuple[str, ...]
    "What makes implementations give the answers of `closest`."
    closest: list[str]
    "Preset, and `field=value`s, whose answers the causes that an answer explains have."
    seconds: float
    "Wall time."
    interrupted: bool
    "The user has stopped the run."
    enough: bool
    "The run ended because it has as many causes as are wanted."


def closest(comparing: Comparing) -> list[str]:
    """The preset and the answers that are nearest to the peer: those expected, with the answers that explain a cause. Empty
    where none does."""
    variant = comparing.variant
    for finding in comparing.findings.values():
        for name in finding.confirmed[:1]:
            try:
                variant = comparing.vectors.with_answer(variant, name)
            except ValueError:  # it does not go with the others
                continue
    return [part.strip() for part in variant.split(",")] if variant != comparing.variant else []


def written(finding: Finding, comparing: Comparing, origin: str, folder: str, again: str) -> Written:
    """Write a finding as a source and as a suite of one case, and the program that separates its answers likewise.

    `origin` is part of the names of the files, `again` the command that finds the program again.
    """
    stem = f"against-{origin}-{finding.number}"
    job = finding.job
    steps = list(comparing.jobs.steps(job, comparing.variant, finding.lane))
    comments = [f"Differs: {finding.message}", f"Found by: {again}"]
    if finding.step:
        comments.append(f"The first wrong step: {finding.step}")
    if finding.answers:
        comments.append(f"lanewise gives the same with: {', '.join(finding.answers)}")
    if finding.depends:
        comments.append(f"The expected answer depends on: {', '.join(finding.depends)}")
    comments += [f"Steps of lane {finding.lane}, from the first that can differ:", *[f"  {step}" for step in steps]]
    place, suite = _saved(comparing, job, finding.expected, stem, folder, comments, finding.message, finding.ops)
    separates = finding.separation and _separating(finding.separation, comparing, stem, folder)
    known = comparing.chooser.known
    data: dict[str, object] = {
        "program": finding.number,
        "file": place,
        "suite": suite,
        "cause": finding.cause,
        "kind": finding.kind,
        "where": finding.message,
        "step": finding.step,
        "words": len(job.code),
        "vertices": job.lanes,
        "instructions": list(finding.ops),
        "answers": list(finding.answers),
        "candidates": [{"answer": name, "known": known(name), "others": name in finding.confirmed} for name in finding.answers],
        "separates": separates,
        "depends": list(finding.depends),
        "steps": steps,
    }
    length = "1 word" if len(job.code) == 1 else f"{len(job.code)} words"
    lines = [finding.message, f"{length}, {place}"]
    if finding.answers:
        fits = ", ".join([f"{name} ({known(name)})" for name in finding.answers])
        others = f"; other programs fit {', '.join(finding.confirmed) or 'none of them'}"
        lines.append(f"fits {fits}" + (others if finding.answers != finding.confirmed else ""))
    known_habit = _habit(finding, comparing)
    if known_habit:
        lines.append(known_habit)
    op = finding.step.replace(",", " ").partition(" ")[0]
    if op in comparing.jobs.mnemonics and not finding.answers:
        lines.append(f"its rules: lanewise isa {comparing.peer.identity.isa} {op}")
    if separates:
        lines.append(f"{separates['file']} separates them")
    elif len(finding.answers) > 1:
        lines.append("no other program separates them")
    return Written(
        cause=finding.cause,
        explained=bool(finding.confirmed),
        answers=finding.answers,
        data=data,
        lines=tuple(lines),
        habit=known_habit,
    )


def _habit(finding: Finding, comparing: Comparing) -> str:
    """The habit of implementations that gives the answer of a finding; empty where nothing is known, or an answer to an open
    question explains it."""
    remark = comparing.vectors.remark
    if remark is None or finding.found is None or finding.confirmed:
        return ""
    step = finding.step or ", ".join(finding.concerned[:1])
    found = differences(finding.job, finding.expected, finding.found, comparing.bits, comparing.tolerance)
    texts = [
        remark(finding.job, step, each.expected, each.found, comparing.bits)
        for each in found
        if each.component >= 0 and each.what != "written"
    ]
    return next(filter(None, texts), "")


def _separating(found: Separation, comparing: Comparing, stem: str, folder: str) -> dict[str, object]:
    """Write the program that separates answers."""
    usual = found.expected[""]
    gives = {name: _beside(comparing, found.job, usual, outcome) for name, outcome in found.expected.items() if name}
    comments = ["Separates answers that explain a difference:", *[f"  {name}: {text}" for name, text in gives.items()]]
    comments.append(f"The answer is that of: {', '.join(found.fits) or 'none of them'}")
    ops = tuple(comparing.jobs.ops(found.job))
    text = f"separates {', '.join(gives)}"
    place, suite = _saved(comparing, found.job, usual, f"{stem}-separates", folder, comments, text, ops)
    return {"file": place, "suite": suite, "gives": gives, "fits": list(found.fits)}


def _beside(comparing: Comparing, job: Job, usual: Outcome, other: Outcome) -> str:
    """The first place in which an outcome is not the usual one."""
    first = next(differences(job, usual, other, comparing.bits, comparing.tolerance), None)
    if first is None:
        return "as expected"
    return first.text(comparing.vectors.register(first.register) if first.register >= 0 else "").replace("found", "gives")


def _saved(
    comparing: Comparing,
    job: Job,
    expected: Outcome,
    stem: str,
    folder: str,
    comments: Sequence[str],
    shows: str,
    ops: tuple[str, ...],
) -> tuple[str, str]:
    """Write a job as a source and as a suite of one case; their paths."""
    jobs = comparing.jobs
    place = Path(folder) / f"{stem}{jobs.suffix(job)}"
    write_bytes(str(place), jobs.source(job, comparing.variant, stem, comments).encode())
    case = Case(name=stem, group="against", ops=ops, shows=shows, job=job._replace(number=0), expected=expected)
    suite = place.parent / f"{stem}.lwv"
    write_bytes(str(suite), suite_bytes(Suite(comparing.peer.identity, (case,))))
    return str(place), str(suite)


def as_text(summary: Summary) -> str:
    """The summary as text."""
    rate, sent = summary.programs / summary.seconds if summary.seconds else 0.0, summary.programs - summary.skipped
    lines = [
        f"{counted(summary.programs, 'program')} in {summary.seconds:.1f} s ({rate:.1f} a second), seed {summary.seed} from "
        f"{summary.first}, {summary.variant}" + (", interrupted" if summary.interrupted else ""),
        (
            f"{counted(sent, 'program was', 'programs were')} sent, {counted(summary.vertices, 'lane')}; "
            f"{counted(summary.skipped, 'does', 'do')} not end or stop early"
        ),
        f"{counted(summary.restarts, 'restart')} of {summary.against}",
    ]
    files = {finding.cause: finding for finding in summary.findings}
    for cause, count in summary.causes.items():
        lines.append(f"{count:6}  {cause}")
        if cause in files:
            own = files[cause]
            lines += [f"        {line}" for line in own.lines if line != own.habit or not summary.mistake]
    if summary.let_through:
        count = counted(summary.let_through, "program is", "programs are")
        lines.append(
            f"{count} equal by --ulp only, which is for all instructions: test inexact ones with --only and --ulp, "
            "the others exactly, with --without"
        )
    if summary.mistake:
        lines.append(f"one mistake explains all of them: {summary.mistake}")
    elif summary.closest:
        preset, *settings = summary.closest
        options = f"--profile {preset}" + (f" --set {','.join(settings)}" if settings else "")
        left = [finding for finding in summary.findings if not finding.explained]
        unknown = sum(not set(settings).intersection(finding.answers) for finding in left)
        rest = f", but for {counted(unknown, 'cause')} that no answer explains" if unknown else ""
        lines.append(f"the answers are those of {options}{rest}")
        lines += summary.hints
    if summary.enough:
        lines.append(f"stopped after {counted(len(summary.findings), 'cause')}: --findings N goes on to N")
    return "\n".join([*lines, last_line(sent, summary.differing)])
