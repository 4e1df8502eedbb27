"""The record of a campaign: a file of JSON lines, the campaign first, then a line for each piece that is done.

Each line is on disk before the next piece counts. A line that a crash has cut is not there: its piece is done again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lanewise.distributed.campaign import Campaign, CampaignError, Done, Failed, Outcome, described

if TYPE_CHECKING:
    from types import TracebackType

    from lanewise.distributed.campaign import Json

FORMAT = 1
_WHAT = {
    "campaign": "work", "options": "options", "first": "first item", "last": "end", "size": "size of a piece", "unit": "unit",
    "version": "version of lanewise", "generation": "source of lanewise",
}  # fmt: skip


class RecordFile:
    """A record that is open: `done` are the pieces in it by number."""

    def __init__(self, path: Path, handle: int, done: dict[int, Done]) -> None:
        self.path, self.done = path, done
        self._handle = handle

    @classmethod
    def create(cls, path: str | Path, campaign: Campaign) -> RecordFile:
        """A new record. Raises CampaignError if there is a file of that name, OSError."""
        place = Path(path)
        try:
            handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except FileExistsError:
            raise CampaignError(
                f"{place}: the file exists: continue it with `--resume` (resume=True), or name another"
            ) from None
        _lock(place, handle)
        record = cls(place, handle, {})
        record._write({"record": FORMAT, **described(campaign)})
        return record

    @classmethod
    def resume(cls, path: str | Path, campaign: Campaign | None = None) -> tuple[RecordFile, Campaign]:
        """The record of a run that was ended, and its campaign, which must be the given one. Raises CampaignError, OSError.

        A last line without an end is removed.
        """
        place = Path(path)
        handle = os.open(place, os.O_RDWR | os.O_APPEND)
        try:
            _lock(place, handle)
            done, known = _read(place, campaign)
        except BaseException:
            os.close(handle)
            raise
        return cls(place, handle, done), known

    def add(self, one: Done) -> None:
        """Write a piece that is done. Raises OSError."""
        outcome = one.outcome
        self._write({
            "piece": one.piece, "counts": dict(outcome.counts), "digest": f"{outcome.digest:x}", "reasons": dict(outcome.reasons),
            "findings": list(outcome.findings), "worker": one.worker, "seconds": round(one.seconds, 3),
            "busy": round(one.busy, 3),
        })  # fmt: skip
        self.done[one.piece] = one

    def failed(self, one: Failed) -> None:
        """Write a piece that failed; the next run tries it again. Raises OSError."""
        self._write({"failed": one.piece.number, "why": list(one.reasons)})

    def _write(self, line: dict[str, Json]) -> None:
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[os.write(self._handle, data) :]
        os.fsync(self._handle)

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._handle)


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
    header = _header(place, lines[0] if lines else b"")
    known = _campaign(header)
    wanted = described(known if campaign is None else campaign)
    for key, text in _WHAT.items():
        if header.get(key) != wanted[key]:
            raise CampaignError(
                f"{place}: {text}: the record has {_shown(header.get(key))}, this run {_shown(wanted[key])}: "
                "use what the record has, or begin another record"
            )
    done: dict[int, Done] = {}
    for number, line in enumerate(lines[1:], 2):
        one = _piece(place, number, line)
        if one is not None:
            if one.piece in done and done[one.piece].outcome != one.outcome:
                raise CampaignError(f"{place}:{number}: piece {one.piece} has two results: delete one of the lines")
            done[one.piece] = one
    if whole < len(data):
        os.truncate(place, whole)
    return done, known


def _header(place: Path, line: bytes) -> dict[str, Any]:
    found = _object(line)
    if found is None or "record" not in found:
        raise CampaignError(f"{place}:1: not the record of a campaign: name a file that `--record` has written")
    if found["record"] != FORMAT:
        raise CampaignError(f"{place}:1: the record is of format {found['record']}, expected {FORMAT}: begin another record")
    return found


def _campaign(header: dict[str, Any]) -> Campaign:
    return Campaign(header["campaign"], header["options"], header["first"], header["last"], header["size"], header["unit"])


def _piece(place: Path, number: int, line: bytes) -> Done | None:
    """The piece of a line; None for one that failed. Raises CampaignError."""
    found = _object(line)
    try:
        if found is not None and "failed" in found:
            return None
        if found is not None:
            outcome = Outcome(found["counts"], int(found["digest"], 16), found["reasons"], found["findings"])
            return Done(int(found["piece"]), outcome, found["worker"], found["seconds"], found["busy"])
    except (KeyError, ValueError, TypeError):
        pass
    raise CampaignError(f"{place}:{number}: the line is damaged: delete it, and its piece is done again")


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
