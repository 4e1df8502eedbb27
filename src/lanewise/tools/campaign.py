"""`lanewise fuzz` on several processes: `--workers`, `--scheduler`, `--record`, `--resume`."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanewise.core.service import InputFailure
from lanewise.core.text.counting import counted
from lanewise.distributed.campaign import PIECE, CampaignError, RecordError
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, UsageError, print_json, print_remark, print_text, write_bytes
from lanewise.tools.fuzz_limits import check_limits, last_line, seconds_of
from lanewise.tools.progress_line import Line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import NoReturn

    from lanewise.distributed.campaign import Campaign, Totals


def add_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("several processes (with the extra distributed; docs/scale.md)")
    group.add_argument("--workers", type=int, metavar="N", help="run on so many processes of this machine")
    group.add_argument(
        "--scheduler", metavar="ADDRESS", help="run on the workers of a Dask scheduler, such as tcp://10.0.0.1:8786"
    )
    group.add_argument(
        "--record", metavar="FILE", help="write a line for each piece that is done, so that a run that is ended can go on"
    )
    group.add_argument(
        "--resume", action="store_true", help="go on with the run of --record, with its seed, programs and options"
    )
    group.add_argument("--piece", type=int, metavar="N", help=f"programs of a piece (default: {PIECE}, fewer for short runs)")


def wanted(options: argparse.Namespace) -> bool:
    """Whether a command line asks for a campaign."""
    return options.resume or any(getattr(options, name) is not None for name in ("workers", "scheduler", "record", "piece"))


def main(options: argparse.Namespace, parser: argparse.ArgumentParser, devices: list[str] | None = None) -> int:
    """Run the campaign of a command line. `devices`: of the compiler. Raises UsageError."""
    from lanewise.distributed import fuzzing

    _check(options)
    try:
        campaign = _resumed(options, parser) if options.resume else _campaign(options, devices)
        shown = _Progress(options.format != "json", campaign)
        interrupts: list[int] = []
        before = _listen(interrupts)
        try:
            totals = fuzzing.started(
                campaign,
                scheduler=options.scheduler,
                workers=options.workers,
                record=options.record,
                resume=options.resume,
                seconds=seconds_of(options.minutes, campaign.last),
                findings=getattr(options, "findings", 1),
                progress=shown,
                ended=lambda: bool(interrupts),
            )
        finally:
            for how, handler in before.items():
                signal.signal(how, handler)
        shown.line.clear()
    except RecordError as error:
        raise InputFailure(str(error)) from None
    except (CampaignError, ValueError) as error:
        raise UsageError(str(error)) from None
    findings = _files(options.output, campaign.options["seed"], totals.findings)
    if options.format == "json":
        print_json("fuzz", as_data(campaign, totals, findings, options.record), str(campaign.options["target"]))
    else:
        print_text(as_text(campaign, totals, findings, options.record) + "\n")
    return INPUT_HAS_ERRORS if findings or totals.failed else OK


def _listen(interrupts: list[int]) -> dict[signal.Signals, Any]:
    """Note SIGINT and SIGTERM, and raise KeyboardInterrupt, which may get lost in a finalizer of Dask; gives the handlers of
    before.

    What is ignored, as SIGINT of a job in the background, stays so.
    """

    def heard(how: int, _frame: object) -> NoReturn:
        interrupts.append(how)
        raise KeyboardInterrupt

    both = [how for how in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(how) is not signal.SIG_IGN]
    return {how: signal.signal(how, heard) for how in both}


def _check(options: argparse.Namespace) -> None:
    """Raises UsageError."""
    check_limits(options)
    if options.resume and not options.record:
        raise UsageError("--resume needs --record FILE: the record of the run to continue")
    if options.scheduler and options.workers:
        raise UsageError("--scheduler and --workers exclude each other: use one of them")


def _campaign(options: argparse.Namespace, devices: list[str] | None) -> Campaign:
    from lanewise.distributed.fuzzing import fuzz_campaign

    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(3))
    size = options.piece
    if size is None:
        size = PIECE if options.programs is None else max(1, min(PIECE, options.programs // (16 * (options.workers or 1))))
    return fuzz_campaign(
        options.target,
        seed,
        getattr(options, "first", 0),
        options.programs,
        level=getattr(options, "level", "native"),
        size=size,
        findings=getattr(options, "findings", 1),
        devices=devices,
    )


def _resumed(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Campaign:
    """The campaign of a record; options that are given must be those of it. Raises UsageError, InputFailure, CampaignError."""
    from lanewise.distributed.fuzzing import WORK, service, targets
    from lanewise.distributed.record import RecordFile
    from lanewise.llvm.target import LEVELS

    kept, campaign = RecordFile.resume(options.record, WORK)
    with kept:
        if kept.dropped:
            print_remark(kept.dropped)
    target, level = str(campaign.options["target"]), campaign.options["level"]
    damaged = f"{options.record}:1: the options are damaged: {{}}: begin another record"
    if target not in targets():
        raise InputFailure(damaged.format(f"unknown target '{target}'"))
    if level not in LEVELS:
        raise InputFailure(damaged.format(f"unknown level '{level}'"))
    try:
        service(target, campaign.options)
    except ValueError as error:
        raise InputFailure(damaged.format(error)) from None
    programs = None if campaign.last is None else campaign.last - campaign.first
    known: dict[str, Any] = {**campaign.options, "first": campaign.first, "programs": programs, "piece": campaign.size}
    for name in ("target", "seed", "first", "programs", "level", "piece"):
        given = getattr(options, name, None)
        if given not in (None, parser.get_default(name), known.get(name)):
            raise UsageError(f"--{name} is {given}, but {known.get(name)} in {options.record}: leave it out")
    return campaign


class _Progress:
    """Says what happens while a campaign runs."""

    def __init__(self, show: bool, campaign: Campaign) -> None:
        self.line = Line(show)
        self._said = self._findings = self._failed = self._refused = 0
        of = "" if campaign.total is None else f" of {campaign.total}"
        self._of, self._show, self._campaign = of, show, campaign

    def __call__(self, totals: Totals) -> None:
        if not self._said and self._show:
            options = self._campaign.options
            self.line.say(f"seed {options['seed']}, level {options['level']}, pieces of {self._campaign.size} programs")
        if not self._said and totals.resumed:
            self.line.say(f"{counted(totals.resumed, 'piece is', 'pieces are')} done already")
            self._findings = len(totals.findings)
        self._said = 1
        for sentence in totals.refused[self._refused :]:
            self.line.say(sentence)
        for finding in totals.findings[self._findings :]:
            self.line.say(f"program {finding['program']}: the engines differ, {finding['where']}")
        for failed in totals.failed[self._failed :]:
            self.line.say(
                f"piece {failed.piece.number}, programs {failed.piece.range}: failed {counted(len(failed.reasons), 'time')}"
            )
        self._refused, self._findings, self._failed = len(totals.refused), len(totals.findings), len(totals.failed)
        self.line.show(self._text(totals))

    def _text(self, totals: Totals) -> str:
        text = f"{totals.pieces}{self._of} pieces, {totals.counts.get('programs', 0)} programs, {totals.rate:.1f} a second"
        text += f", {totals.threads} worker{'s' if totals.threads != 1 else ''}"
        left = totals.left
        return text if left is None else f"{text}, {_duration(left)} left"


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{round(seconds)} s" if seconds < 100 else f"{minutes} min" if minutes < 100 else f"{seconds / 3600:.1f} h"


def _files(folder: str, seed: object, findings: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The findings with the files of their sources, which are written now.

    Of programs that became the same code the first has the file; the others say which one that is (`same_as`).
    """
    first: dict[str, object] = {}
    found: list[dict[str, Any]] = []
    for finding in findings:
        kept = {key: value for key, value in finding.items() if key not in ("source", "suffix")}
        if "source" in finding:
            known = first.setdefault(_code(finding["source"]), finding["program"])
            if known == finding["program"]:
                place = Path(folder) / f"fuzz-{seed}-{finding['program']}{finding['suffix']}"
                write_bytes(str(place), finding["source"].encode())
                kept["file"] = str(place)
            else:
                kept["same_as"] = known
        found.append(kept)
    return found


def _code(source: str) -> str:
    """A source without its comments, which have the data."""
    return "\n".join([line for line in source.splitlines() if not line.lstrip().startswith((";", "//"))])


def as_data(campaign: Campaign, totals: Totals, findings: list[dict[str, Any]], record: str | None) -> dict[str, Any]:
    """The summary as JSON; the keys of `lanewise fuzz` in one process, and those of pieces."""
    return {
        "seed": campaign.options["seed"],
        "first": campaign.first,
        "level": campaign.options["level"],
        **{key: totals.counts.get(key, 0) for key in ("programs", "compiled", "vertices", "ended", "differences")},
        "reasons": dict(totals.reasons),
        "findings": findings,
        "failed": [
            {"piece": one.piece.number, "first": one.piece.first, "count": one.piece.items, "why": list(one.reasons)}
            for one in totals.failed
        ],
        "digest": totals.digest,
        "pieces": totals.pieces,
        "of": totals.of,
        "resumed": totals.resumed,
        "refused": list(totals.refused),
        "record": record,
        "seconds": round(totals.seconds, 3),
        "interrupted": totals.interrupted,
    }


def as_text(campaign: Campaign, totals: Totals, findings: list[dict[str, Any]], record: str | None) -> str:
    """The summary as text."""
    from lanewise.distributed.fuzzing import command, service

    did = service(str(campaign.options["target"]), campaign.options).done
    counts, options = totals.counts, campaign.options
    of = "" if totals.of is None else f" of {totals.of}"
    lines = [
        f"{counts.get('programs', 0)} programs in {totals.pieces}{of} pieces, {totals.resumed} of them before; "
        f"{totals.seconds:.1f} s ({totals.rate:.1f} a second), seed {options['seed']} from {campaign.first}, level "
        f"{options['level']}" + (", interrupted" if totals.interrupted else ""),
        f"{counts.get('vertices', 0)} lanes, {counts.get('ended', 0)} of them ran to the end",
        f"{counts.get('compiled', 0)} programs were {did}, {sum(totals.reasons.values())} were not"
        + (":" if totals.reasons else ""),
    ]
    lines += [f"{count:6}  {reason}" for reason, count in totals.reasons.items()]
    lines += [f"digest {totals.digest}", *totals.refused]
    for one in totals.failed:
        again = command(
            str(options["target"]), int(str(options["seed"])), one.piece.first, one.piece.items, str(options["level"])
        )
        lines.append(
            f"piece {one.piece.number} (programs {one.piece.range}) failed {counted(len(one.reasons), 'time')}; `{again}` "
            "runs it alone:"
        )
        lines += [f"  {reason}" for reason in one.reasons]
    for finding in findings:
        more = (
            f", {finding['file']}"
            if "file" in finding
            else f", as program {finding['same_as']}"
            if "same_as" in finding
            else ""
        )
        lines.append(f"program {finding['program']} differs: {finding['where']}{more}")
    if record is not None and not totals.complete:
        lines.append(f"continue with: lanewise fuzz --record {record} --resume")
    return "\n".join([*lines, last_line(counts.get("programs", 0), len(findings))])
