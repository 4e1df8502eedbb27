"""The record of a campaign: a file of JSON lines, the campaign first, then a line for each piece that is done.

Each line is on disk before the next piece counts, and ends with a hash of itself and of the first line (`check`). A last line
that a crash has cut is dropped: its piece is done again. Any other damage is an error with its line. A record is data: it names
its work by the name of a table (`works`), or has to be that of a campaign that the program gives.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lanewise.core.files import read_stream
from lanewise.core.nesting import json_value
from lanewise.core.text.counting import counted
from lanewise.core.writing import open_record
from lanewise.distributed.campaign import DIGEST_BITS, Campaign, CampaignError, Done, Failed, Outcome, RecordError, described
from lanewise.distributed.works import ANY, COUNT, DIGEST, NULL, NUMBER, SECONDS, TEXT, WORKS, Shape, any_of, dict_of, list_of

if TYPE_CHECKING:
    from types import TracebackType
    from typing import BinaryIO

    from lanewise.distributed.campaign import Json

FORMAT = 2
_WHAT = {
    "campaign": "work",
    "options": "options",
    "first": "first item",
    "last": "end",
    "size": "size of a piece",
    "unit": "unit",
    "version": "version of lanewise",
    "generation": "source of lanewise",
}
_OBJECT = dict_of(ANY)

_CAMPAIGN = Shape(
    {
        "record": COUNT,
        "campaign": TEXT,
        "options": _OBJECT,
        "first": COUNT,
        "last": any_of("a whole number or null", COUNT, NULL),
        "size": COUNT,
        "unit": TEXT,
        "version": TEXT,
        "generation": TEXT,
    }
)
_PIECE = Shape(
    {
        "piece": COUNT,
        "counts": dict_of(NUMBER),
        "digest": DIGEST,
        "reasons": dict_of(NUMBER),
        "findings": list_of(_OBJECT),
        "worker": TEXT,
        "seconds": SECONDS,
        "busy": SECONDS,
    }
)
_FAILED = Shape({"failed": COUNT, "why": list_of(TEXT)})


class RecordFile:
    """A record that is open: `done` are the pieces in it by number, `dropped` says which line was cut and is gone."""

    path: Path
    done: dict[int, Done]
    dropped: str

    def __init__(self, path: Path, file: BinaryIO, seal: bytes, done: dict[int, Done], dropped: str = "") -> None:
        self.path, self.done, self.dropped = path, done, dropped
        self._file, self._seal = file, seal

    @classmethod
    def create(cls, path: str | Path, campaign: Campaign) -> RecordFile:
        """A new record. Raises CampaignError if there is a file of that name, or none can be written."""
        place = Path(path)
        try:
            file = open_record(place, new=True)
        except FileExistsError:
            raise CampaignError(
                f"{place}: the file exists: continue it with `--resume` (resume=True), or name another"
            ) from None
        except OSError as error:
            raise CampaignError(f"{place}: {error.strerror}") from None
        try:
            _lock(place, file)
            seal = _append(file, {"record": FORMAT, **described(campaign)}, b"")
        except BaseException as error:
            file.close()
            place.unlink()
            if isinstance(error, OSError):
                raise CampaignError(f"{place}: {error.strerror}") from None
            raise
        return cls(place, file, seal, {})

    @classmethod
    def resume(cls, path: str | Path, expected: Campaign | str) -> tuple[RecordFile, Campaign]:
        """The record of a run that was ended, and its campaign: the `expected` one, or one of the work of that name in `WORKS`.

        A last line without an end is removed. Raises CampaignError, RecordError.
        """
        place = Path(path)
        try:
            file = open_record(place, new=False)
        except OSError as error:
            raise CampaignError(f"{place}: {error.strerror}") from None
        try:
            _lock(place, file)
            data = read_stream(file, "record")
            whole = data.rfind(b"\n") + 1
            reader = _Reader(place, data[:whole].split(b"\n")[:-1], expected)
            reader.pieces()
            dropped = ""
            if whole < len(data):
                file.truncate(whole)
                dropped = f"{place}:{len(reader.lines) + 1}: the last line was cut and is dropped: its piece is done again"
        except OSError as error:
            file.close()
            raise CampaignError(f"{place}: {error.strerror}") from None
        except BaseException:
            file.close()
            raise
        return cls(place, file, reader.seal, reader.done, dropped), reader.campaign

    def add(self, one: Done) -> None:
        """Write a piece that is done. Raises CampaignError."""
        outcome = one.outcome
        self._write(
            {
                "piece": one.piece,
                "counts": dict(outcome.counts),
                "digest": f"{outcome.digest % (1 << DIGEST_BITS):x}",
                "reasons": dict(outcome.reasons),
                "findings": list(outcome.findings),
                "worker": one.worker,
                "seconds": round(one.seconds, 3),
                "busy": round(one.busy, 3),
            }
        )
        self.done[one.piece] = one

    def failed(self, one: Failed) -> None:
        """Write a piece that failed; the next run tries it again. Raises CampaignError."""
        self._write({"failed": one.piece.number, "why": list(one.reasons)})

    def _write(self, line: dict[str, Json]) -> None:
        try:
            _append(self._file, line, self._seal)
        except OSError as error:
            raise CampaignError(
                f"{self.path}: {error.strerror}: {counted(len(self.done), 'piece is', 'pieces are')} in the record, continue "
                "it with `--resume` (resume=True)"
            ) from None

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()


def _text(line: dict[str, Json]) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode()


def _seal(line: bytes, first: bytes) -> bytes:
    """The hash of a line without its check, and of the check of the first line: a line of another record does not fit."""
    return blake2b(line, key=first, digest_size=8).hexdigest().encode()


def _append(file: BinaryIO, line: dict[str, Json], first: bytes) -> bytes:
    """Write a line that is on the disk afterwards; gives its check. Raises OSError."""
    seal = _seal(_text(line), first)
    data = _text({**line, "check": seal.decode()}) + b"\n"
    while data:
        data = data[os.write(file.fileno(), data) :]
    os.fsync(file.fileno())
    return seal


def _lock(place: Path, file: BinaryIO) -> None:
    """Keep other runs from this record while it is open, where the system can. Raises CampaignError."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CampaignError(f"{place}: another run writes this record: wait until it ends, or end it") from None
    except OSError:  # a file system without locks
        return


class _Reader:
    """The lines of a record while they are read: its campaign, and the pieces that are done."""

    def __init__(self, place: Path, lines: list[bytes], expected: Campaign | str) -> None:
        """Read the first line. Raises CampaignError, RecordError."""
        self.place, self.lines = place, lines
        self.seal = b""
        self.done: dict[int, Done] = {}
        if not lines:
            raise RecordError(f"{place}: the record is empty: delete it, and run without `--resume` (resume=True)")
        header, seal = self._object(1)
        if "record" not in header:
            raise self._refuse(1, "not the record of a campaign: name a file that `--record` has written")
        if header["record"] != FORMAT:
            raise self._refuse(
                1, f"the record is of format {_shown(header['record'])}, expected {FORMAT}: begin another record"
            )
        self._sealed(1, header, seal)
        if fault := _CAMPAIGN.fault(header):
            raise self._refuse(1, f"the campaign is damaged: {fault}: begin another record")
        self.seal = seal
        self.campaign = expected if isinstance(expected, Campaign) else self._named(header, expected)
        wanted = described(self.campaign)
        for key, text in _WHAT.items():
            if header[key] != wanted[key]:
                raise CampaignError(
                    f"{place}: {text}: the record has {_shown(header[key])}, this run {_shown(wanted[key])}: "
                    "use what the record has, or begin another record"
                )

    def _named(self, header: dict[str, Any], name: str) -> Campaign:
        """The campaign that the first line describes, of a work in the table. Raises RecordError."""
        if header["campaign"] != name:
            raise self._refuse(
                1, f"the record of {_shown(header['campaign'])}: name one that `lanewise {name} --record` has written"
            )
        if fault := WORKS[name].options.fault(header["options"]):
            raise self._refuse(1, f"the options are damaged: {fault}: begin another record")
        campaign = Campaign(
            work=header["campaign"], **{key: header[key] for key in ("options", "first", "last", "size", "unit")}
        )
        try:
            campaign.check()
        except ValueError as error:
            raise self._refuse(1, f"the campaign is damaged: {error}: begin another record") from None
        return campaign

    def pieces(self) -> None:
        """Read the other lines. Raises RecordError."""
        for number in range(2, len(self.lines) + 1):
            one = self._piece(number)
            if one is not None:
                if one.piece in self.done and self.done[one.piece].outcome != one.outcome:
                    raise self._refuse(number, f"piece {one.piece} has two results: delete one of the lines")
                self.done[one.piece] = one

    def _piece(self, number: int) -> Done | None:
        """The piece of a line; None for one that failed. Raises RecordError."""
        found, seal = self._object(number)
        self._sealed(number, found, seal)
        failed = "failed" in found
        if fault := (_FAILED if failed else _PIECE).fault(found):
            raise self._damaged(number, fault)
        total, piece = self.campaign.total, found["failed" if failed else "piece"]
        if total is not None and piece >= total:
            raise self._refuse(number, f"unknown piece {piece}: the campaign has pieces 0 to {total - 1}: delete the line")
        if failed:
            return None
        outcome = Outcome(found["counts"], int(found["digest"], 16), found["reasons"], found["findings"])
        if (work := WORKS.get(self.campaign.work)) is not None:
            items = self.campaign.piece(piece)
            for finding in outcome.findings:
                if fault := work.fault(finding, items.first, items.items):
                    raise self._damaged(number, fault)
        return Done(piece=piece, outcome=outcome, worker=found["worker"], seconds=found["seconds"], busy=found["busy"])

    def _object(self, number: int) -> tuple[dict[str, Any], bytes]:
        """The object of a line, and its check. Raises RecordError."""
        try:
            found = json_value(self.lines[number - 1].decode("ascii"))
            if not isinstance(found, dict):
                raise ValueError
            line = cast("dict[str, Any]", found)
            seal = line.pop("check", None)
            return line, seal.encode() if isinstance(seal, str) else b""
        except UnicodeDecodeError as error:
            reason = f"byte {error.start + 1} is not ASCII"
        except json.JSONDecodeError as error:
            reason = f"column {error.colno}: not JSON"
        except (ValueError, RecursionError):
            reason = "not a JSON object"
        raise self._damaged(number, reason)

    def _sealed(self, number: int, line: dict[str, Any], seal: bytes) -> None:
        """The check of a line fits. Raises RecordError."""
        with suppress(RecursionError):
            if _seal(_text(line), self.seal) == seal:
                return
        raise self._damaged(number, "its check does not fit")

    def _damaged(self, number: int, reason: str) -> RecordError:
        what = "begin another record" if number == 1 else "delete it, and its piece is done again"
        return self._refuse(number, f"the line is damaged: {reason}: {what}")

    def _refuse(self, number: int, text: str) -> RecordError:
        return RecordError(f"{self.place}:{number}: {text}")


def _shown(value: object) -> str:
    try:
        text = json.dumps(value)
    except RecursionError:
        return "..."
    return text if len(text) <= 80 else f"{text[:77]}..."
