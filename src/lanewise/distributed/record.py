"""The record of a campaign: a file of JSON lines, the campaign first, then a line for each piece that is done.

Each line is on disk before the next piece counts. A line that a crash has cut is not there: its piece is done again.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lanewise.core.text.counting import counted
from lanewise.distributed.campaign import Campaign, CampaignError, Done, Failed, Outcome, described

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from lanewise.distributed.campaign import Json

FORMAT = 1
_WHAT = {
    "campaign": "work", "options": "options", "first": "first item", "last": "end", "size": "size of a piece", "unit": "unit",
    "version": "version of lanewise", "generation": "source of lanewise",
}  # fmt: skip

_CAMPAIGN = {"campaign": str, "options": dict, "first": int, "last": (int, type(None)), "size": int, "unit": str}
_PIECE = {
    "piece": int, "counts": dict, "digest": str, "reasons": dict, "findings": list, "worker": str, "seconds": (int, float),
    "busy": (int, float),
}  # fmt: skip


class RecordFile:
    """A record that is open: `done` are the pieces in it by number."""

    def __init__(self, path: Path, handle: int, done: dict[int, Done]) -> None:
        self.path, self.done = path, done
        self._handle = handle

    @classmethod
    def create(cls, path: str | Path, campaign: Campaign) -> RecordFile:
        """A new record. Raises CampaignError if there is a file of that name, or none can be written."""
        place = Path(path)
        try:
            handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except FileExistsError:
            raise CampaignError(
                f"{place}: the file exists: continue it with `--resume` (resume=True), or name another"
            ) from None
        except OSError as error:
            raise CampaignError(f"{place}: {error.strerror}") from None
        try:
            _lock(place, handle)
            _append(handle, {"record": FORMAT, **described(campaign)})
        except BaseException as error:
            os.close(handle)
            place.unlink()
            if isinstance(error, OSError):
                raise CampaignError(f"{place}: {error.strerror}") from None
            raise
        return cls(place, handle, {})

    @classmethod
    def resume(cls, path: str | Path, campaign: Campaign | None = None) -> tuple[RecordFile, Campaign]:
        """The record of a run that was ended, and its campaign, which must be the given one. Raises CampaignError.

        A last line without an end is removed.
        """
        place = Path(path)
        try:
            handle = os.open(place, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise CampaignError(f"{place}: {error.strerror}") from None
        try:
            _lock(place, handle)
            done, known = _read(place, campaign)
        except BaseException:
            os.close(handle)
            raise
        return cls(place, handle, done), known

    def add(self, one: Done) -> None:
        """Write a piece that is done. Raises CampaignError."""
        outcome = one.outcome
        self._write({
            "piece": one.piece, "counts": dict(outcome.counts), "digest": f"{outcome.digest:x}", "reasons": dict(outcome.reasons),
            "findings": list(outcome.findings), "worker": one.worker, "seconds": round(one.seconds, 3),
            "busy": round(one.busy, 3),
        })  # fmt: skip
        self.done[one.piece] = one

    def failed(self, one: Failed) -> None:
        """Write a piece that failed; the next run tries it again. Raises CampaignError."""
        self._write({"failed": one.piece.number, "why": list(one.reasons)})

    def _write(self, line: dict[str, Json]) -> None:
        try:
            _append(self._handle, line)
        except OSError as error:
            raise CampaignError(
                f"{self.path}: {error.strerror}: {counted(len(self.done), 'piece is', 'pieces are')} in the record, continue it with "
                "`--resume` (resume=True)"
            ) from None

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._handle)


def _append(handle: int, line: dict[str, Json]) -> None:
    """Write a line that is on the disk afterwards. Raises OSError."""
    data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
    while data:
        data = data[os.write(handle, data) :]
    os.fsync(handle)


def _lock(place: Path, handle: int) -> None:
    """Keep other runs from this record while it is open, where the system can. Raises CampaignError."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CampaignError(f"{place}: another run writes this record: wait until it ends, or end it") from None
    except OSError:  # a file system without locks
        return


def _read(place: Path, campaign: Campaign | None) -> tuple[dict[int, Done], Campaign]:
    """The pieces and the campaign of a record; a last line without an end is removed. Raises CampaignError."""
    data = place.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    header, known = _header(place, lines[0] if lines else b"")
    wanted = described(known if campaign is None else campaign)
    for key, text in _WHAT.items():
        if header.get(key) != wanted[key]:
            raise CampaignError(
                f"{place}: {text}: the record has {_shown(header.get(key))}, this run {_shown(wanted[key])}: "
                "use what the record has, or begin another record"
            )
    done: dict[int, Done] = {}
    for number, line in enumerate(lines[1:], 2):
        one = _piece(place, number, line, known)
        if one is not None:
            if one.piece in done and done[one.piece].outcome != one.outcome:
                raise CampaignError(f"{place}:{number}: piece {one.piece} has two results: delete one of the lines")
            done[one.piece] = one
    if whole < len(data):
        os.truncate(place, whole)
    return done, known


def _header(place: Path, line: bytes) -> tuple[dict[str, Any], Campaign]:
    """The first line, and the campaign that it says. Raises CampaignError."""
    if not line:
        raise CampaignError(f"{place}: the record is empty: delete it, and run without `--resume` (resume=True)")
    found = _object(line)
    if found is None or "record" not in found:
        raise CampaignError(f"{place}:1: not the record of a campaign: name a file that `--record` has written")
    if found["record"] != FORMAT:
        raise CampaignError(f"{place}:1: the record is of format {found['record']}, expected {FORMAT}: begin another record")
    if _fits(found, _CAMPAIGN):
        campaign = Campaign(*[found[key] for key in _CAMPAIGN])
        with suppress(ValueError):
            campaign.check()
            return found, campaign
    raise CampaignError(f"{place}:1: the campaign of the record is damaged: begin another record")


def _piece(place: Path, number: int, line: bytes, campaign: Campaign) -> Done | None:
    """The piece of a line; None for one that failed. Raises CampaignError."""
    found = _object(line)
    if found is not None and "failed" in found:
        return None
    if found is not None and _fits(found, _PIECE) and _numbers(found["counts"]) and _numbers(found["reasons"]):
        piece: int = found["piece"]
        if piece < 0 or (campaign.total is not None and piece >= campaign.total):
            last = "" if campaign.total is None else f" to {campaign.total - 1}"
            raise CampaignError(f"{place}:{number}: unknown piece {piece}: the campaign has pieces 0{last}: delete the line")
        with suppress(ValueError):
            outcome = Outcome(found["counts"], int(found["digest"], 16), found["reasons"], found["findings"])
            return Done(piece, outcome, found["worker"], found["seconds"], found["busy"])
    raise CampaignError(f"{place}:{number}: the line is damaged: delete it, and its piece is done again")


def _fits(found: dict[str, Any], kinds: Mapping[str, type | tuple[type, ...]]) -> bool:
    """Whether an object has all of these keys, with values of these types."""
    return all(key in found and isinstance(found[key], kind) for key, kind in kinds.items())


def _numbers(found: dict[str, Any]) -> bool:
    return all(isinstance(value, int) for value in found.values())


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
