"""`lanewise opt --each`: many programs, each by itself, on several processes if asked."""

from __future__ import annotations

import os
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lanewise.core.service import FORCE, STDIO, InputFailure, UsageError
from lanewise.core.text.counting import counted
from lanewise.packages import packages
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, print_json, print_remark, print_text, reason, write_files
from lanewise.tools.folders import units_of
from lanewise.tools.progress_line import Line

if TYPE_CHECKING:
    from lanewise.distributed.campaign import Campaign, Totals
    from lanewise.tools.command import Parsed

OWN = ("each", "workers", "scheduler", "record", "resume", "piece")
_SUFFIX = ".shbin"


def asked(parsed: Parsed) -> bool:
    """Whether a command line is about many programs. Raises UsageError for options that only those have."""
    if parsed.flag("each") or parsed.flag("resume"):
        return True
    for key in OWN:
        if key in parsed.values:
            raise UsageError(f"--{key} is for many programs: add --each")
    return False


def main(parsed: Parsed) -> int:
    """Optimise each program of a command line. Raises UsageError, InputFailure."""
    from lanewise.distributed.campaign import CampaignError
    from lanewise.distributed.fuzzing import started
    from lanewise.distributed.record import RecordFile

    if parsed.flag("source"):
        raise UsageError("--each writes SHBINs: leave out --source")
    record, resume = parsed.text("record"), parsed.flag("resume")
    if resume and not record:
        raise UsageError("--resume needs --record FILE: the record of the run to continue")
    try:
        if resume:
            kept, campaign = RecordFile.resume(record)
            with kept:
                pass
            if parsed.files:
                given = _campaign(parsed)
                if dict(given.options) != dict(campaign.options):
                    raise UsageError(f"the programs or options are others than those of {record}: leave them out")
        else:
            campaign = _campaign(parsed)
        line = Line(not parsed.as_json)
        totals = started(
            campaign, scheduler=parsed.text("scheduler") or None, workers=_number(parsed, "workers"), record=record or None,
            resume=resume, progress=lambda found: line.show(f"{found.counts.get('programs', 0)} of {campaign.last} programs"),
        )  # fmt: skip
        line.clear()
    except (CampaignError, ValueError) as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise InputFailure(f"cannot read {error.filename}: {reason(error)}") from None
    return _shown(parsed, campaign, totals)


def _campaign(parsed: Parsed) -> Campaign:
    """The campaign of a command line. Raises UsageError, InputFailure, OSError."""
    from lanewise.distributed.optimising import campaign_of

    rows = [row for package in packages() if package.optimise is not None for row in (*package.languages, *package.containers)]
    units = units_of(parsed.files, tuple([suffix for row in rows for suffix in row.suffixes]), parsed.configuration)
    for remark in units.remarks:
        print_remark(remark)
    programs = [unit.files for unit in units.units]
    if not programs:
        raise UsageError("name programs or folders; see lanewise opt --help")
    if any(STDIO in files for files in programs):
        raise UsageError("--each takes files: standard input has no path for workers")
    values = {key: value for key, value in parsed.values.items() if key not in (*OWN, "output", "report", "format", FORCE.key)}
    paths = [[str(Path(path).resolve()) for path in files] for files in programs]
    return campaign_of(paths, values, parsed.language, size=_number(parsed, "piece") or 1)


def _number(parsed: Parsed, key: str) -> int | None:
    value = parsed.values.get(key)
    if value is None:
        return None
    if not isinstance(value, int) or value < 1:
        raise UsageError(f"--{key} is at least 1")
    return value


def _shown(parsed: Parsed, campaign: Campaign, totals: Totals) -> int:
    """Write the files, and print a line for each program."""
    found: list[dict[str, Any]] = sorted(totals.findings, key=lambda finding: str(finding["number"]).zfill(9))
    names = [str(program[0][0]) for program in cast("list[Any]", campaign.options["programs"])]
    root = os.path.commonpath([str(Path(name).parent) for name in names])
    folder = parsed.text("output")
    files: list[tuple[str, bytes]] = []
    listed: list[dict[str, Any]] = []
    for finding in found:
        number: int = finding["number"]
        name = os.path.relpath(names[number], root)
        kept = {key: value for key, value in finding.items() if key not in ("binary", "number")} | {"name": name}
        if "binary" in finding and folder:
            place = str(Path(folder) / (name if name.endswith(_SUFFIX) else name + _SUFFIX))
            files.append((place, b64decode(finding["binary"])))
            kept["file"] = place
        listed.append(kept)
    for place, _ in files:
        try:
            Path(place).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputFailure(f"cannot create the folder {Path(place).parent}: {reason(error)}") from None
    write_files(files, force=parsed.flag("force"))
    failed: list[dict[str, Any]] = [
        {"first": one.piece.first, "count": one.piece.items, "why": list(one.reasons)} for one in totals.failed
    ]
    counts = {key: totals.counts.get(key, 0) for key in ("programs", "before", "after", "errors")}
    if parsed.as_json:
        data = {"root": root, "files": listed, **counts, "failed": failed, "digest": totals.digest, "complete": totals.complete}
        print_json("opt-files", data)
    else:
        lines = [_line(one) for one in listed]
        lines += [
            f"programs {one['first']} to {one['first'] + one['count'] - 1} failed: {'; '.join(one['why'])}" for one in failed
        ]
        errors = f", {counts['errors']} with errors" if counts["errors"] else ""
        lines.append(
            f"{counted(counts['programs'], 'program')}{errors}: {counts['before']} words before, {counts['after']} after"
        )
        if not totals.complete and parsed.text("record"):
            lines.append(f"continue with: lanewise opt --record {parsed.text('record')} --resume")
        print_text("\n".join(lines) + "\n")
    return INPUT_HAS_ERRORS if counts["errors"] or failed or not totals.complete else OK


def _line(one: dict[str, Any]) -> str:
    if "error" in one:
        return f"{one['name']}: {one['error']}"
    before, after = one["words"]["before"], one["words"]["after"]
    moves = ", ".join([f"{name} {count}" if count > 1 else name for name, count in one["moves"].items()])
    return f"{one['name']}: {before} words before, {after} after" + (f" ({moves})" if moves else "")


__all__ = ["asked", "main"]
