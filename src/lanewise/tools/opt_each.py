"""`lanewise opt --each`: many programs, each by itself, on several processes if asked."""

from __future__ import annotations

import os
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lanewise.core.diagnostics import visible
from lanewise.core.service import FLAG, FORCE, INTEGER, OPTIONAL, STDIO, TEXT, TEXTS, InputFailure, UsageError
from lanewise.core.text.counting import counted
from lanewise.packages import packages, suffixes
from lanewise.tools.command_line import TIMEOUT, command_rows
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, print_json, print_remark, print_text, reason, write_files
from lanewise.tools.folders import units_of
from lanewise.tools.progress_line import Line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.service import Option
    from lanewise.distributed.campaign import Campaign, Totals
    from lanewise.tools.command import Parsed

OWN = ("each", "workers", "scheduler", "record", "resume", "piece")
_NOT_RECORDED = (
    *OWN,
    TIMEOUT.key,
    "output",
    "report",
    "format",
    "source",
    "config",
    "no-config",
    "isa",
    "dialect",
    "include",
    FORCE.key,
)
_TYPES = {FLAG: bool, INTEGER: int, TEXT: str, OPTIONAL: str, TEXTS: list}
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
    from lanewise.distributed.campaign import CampaignError, RecordError
    from lanewise.distributed.fuzzing import started

    if parsed.flag("source"):
        raise UsageError("--each writes binaries: leave out --source")
    if "target" in parsed.values:
        raise UsageError("--each takes programs as they are: leave out --target, or give one FILE without --each")
    record, resume = parsed.text("record"), parsed.flag("resume")
    if resume and not record:
        raise UsageError("--resume needs --record FILE: the record of the run to continue")
    try:
        campaign = _resumed(parsed, record) if resume else _campaign(parsed)
        line = Line(not parsed.as_json)
        totals = started(
            campaign,
            scheduler=parsed.text("scheduler") or None,
            workers=_number(parsed, "workers"),
            record=record or None,
            resume=resume,
            progress=lambda found: line.show(f"{found.counts.get('programs', 0)} of {campaign.last} programs"),
        )
        line.clear()
    except RecordError as error:
        raise InputFailure(str(error)) from None
    except (CampaignError, ValueError) as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise InputFailure(f"cannot read {error.filename}: {reason(error)}") from None
    return _shown(parsed, campaign, totals)


def _resumed(parsed: Parsed, record: str) -> Campaign:
    """The campaign of a record. Raises UsageError, InputFailure, CampaignError, OSError."""
    from lanewise.distributed.optimising import WORK, continued
    from lanewise.distributed.record import RecordFile

    kept, campaign = RecordFile.resume(record, WORK)
    with kept:
        if kept.dropped:
            print_remark(kept.dropped)
    options: Mapping[str, Any] = campaign.options
    if campaign.last != len(options["programs"]) or campaign.first:
        raise InputFailure(
            f"{record}:1: the campaign is damaged: it has {len(options['programs'])} programs: begin another record"
        )
    if parsed.files:
        given = _campaign(parsed)
        if dict(given.options) != dict(options):
            raise UsageError(f"the programs or options are others than those of {record}: leave them out")
        return given
    _check_values(parsed, record, options["values"], options["language"])
    return continued(campaign, record)


def _check_values(parsed: Parsed, record: str, values: dict[str, object], language: str) -> None:
    """Options of a record are options of the command. Raises InputFailure."""
    from lanewise.packages import languages

    rows = {key: row for key, row in command_rows(parsed.line).items() if key not in _NOT_RECORDED}
    known = {"", *[found.name for _, found in languages()]}
    for key, value in values.items():
        row = rows.get(key)
        if row is None or not _typed(row.option, value) or (row.checked and not _chosen(row.option, value)):
            raise InputFailure(
                f"{record}:1: the options are damaged: '--{key}' is not an option with such a value: begin another record"
            )
    if language not in known:
        raise InputFailure(f"{record}:1: the options are damaged: unknown language '{language}': begin another record")


def _typed(option: Option, value: object) -> bool:
    return type(value) is _TYPES[option.kind]


def _chosen(option: Option, value: object) -> bool:
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    return not option.choices or all(one in option.choices for one in values)


def _campaign(parsed: Parsed) -> Campaign:
    """The campaign of a command line. Raises UsageError, InputFailure, OSError."""
    from lanewise.distributed.optimising import INCLUDE, campaign_of

    able = [package for package in packages() if package.optimise is not None]
    units = units_of(
        parsed.files,
        suffixes(able),
        parsed.configuration,
        follow=parsed.flag("follow"),
    )
    for remark in [*units.remarks, *[finding.message for finding in units.unread]]:
        print_remark(remark)
    programs = [unit.files for unit in units.units]
    if not programs:
        raise UsageError("name programs or folders; see lanewise opt --help")
    if any(STDIO in files for files in programs):
        raise UsageError("--each takes files: standard input has no path for workers")
    values = {key: value for key, value in parsed.values.items() if key == INCLUDE or key not in _NOT_RECORDED}
    paths = [[os.path.realpath(path) for path in files] for files in programs]
    return campaign_of(paths, values, parsed.language, size=_number(parsed, "piece") or 1, record=parsed.text("record"))


def _number(parsed: Parsed, key: str) -> int | None:
    value = parsed.values.get(key)
    if value is None:
        return None
    if not isinstance(value, int) or value < 1:
        raise UsageError(f"--{key} is at least 1")
    return value


def _shown(parsed: Parsed, campaign: Campaign, totals: Totals) -> int:
    """Write the files, and print a line for each program."""
    from lanewise.distributed.optimising import folder_of, place_of

    found: list[dict[str, Any]] = sorted(totals.findings, key=lambda finding: str(finding["number"]).zfill(9))
    programs: list[list[list[str]]] = cast("Any", campaign.options["programs"])
    names = [place_of(campaign.here["root"], files[0][0]) for files in programs]
    root = folder_of(names)
    folder = parsed.text("output")
    files: list[tuple[str, bytes]] = []
    listed: list[dict[str, Any]] = []
    for finding in found:
        number: int = finding["number"]
        name = os.path.relpath(names[number], root)
        kept = {key: value for key, value in finding.items() if key not in ("binary", "number", "suffix")} | {"name": name}
        if "binary" in finding and folder:
            suffix: str = finding.get("suffix", _SUFFIX)
            place = str(Path(folder) / (name if name.endswith(suffix) else name + suffix))
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
        units = {"words" if "words" in one else "slots" for one in listed if "error" not in one}
        unit = " and ".join(sorted(units, reverse=True)) or "words"
        errors = f", {counts['errors']} with errors" if counts["errors"] else ""
        lines.append(
            f"{counted(counts['programs'], 'program')}{errors}: {counts['before']} {unit} before, {counts['after']} after"
        )
        if not totals.complete and parsed.text("record"):
            lines.append(f"continue with: lanewise opt --record {parsed.text('record')} --resume")
        print_text("\n".join(lines) + "\n")
    return INPUT_HAS_ERRORS if counts["errors"] or failed or not totals.complete else OK


def _line(one: dict[str, Any]) -> str:
    if "error" in one:
        return f"{visible(one['name'], '')}: {one['error']}"
    unit = "words" if "words" in one else "slots"
    before, after = one[unit]["before"], one[unit]["after"]
    moves = ", ".join([f"{name} {count}" if count > 1 else name for name, count in one["moves"].items()])
    return f"{visible(one['name'], '')}: {before} {unit} before, {after} after" + (f" ({moves})" if moves else "")


__all__ = ["asked", "main"]
