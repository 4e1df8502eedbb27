"""Campaigns without a cluster: what counts, how often a piece is tried, what a record says of a run that was ended."""

from __future__ import annotations

import errno
import json
import os
import random
import sys
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
import pieces
from effort import sample
from lanewise.distributed.campaign import (
    TRIES,
    Answer,
    Campaign,
    CampaignError,
    Done,
    Inline,
    Outcome,
    Piece,
    RecordError,
    Totals,
    run,
    work_of,
)
from lanewise.distributed.record import RecordFile
from lanewise.distributed.works import WORKS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

ITEMS = 100
DIGEST = f"{sum(map(pieces.part, range(ITEMS))) % (1 << 128):032x}"


def campaign(size: int = 7, work: str = "pieces:counts", **options: int) -> Campaign:
    return Campaign(work=work, options=dict(options), first=0, last=ITEMS, size=size)


class Workers:
    """Several workers that answer in a random order; `spoil` may change an answer, and `log` has who was asked what."""

    refused: Sequence[str] = ()

    def __init__(self, count: int, spoil: Callable[[Answer], Answer | BaseException] = lambda answer: answer) -> None:
        self._names = [f"w{number}" for number in range(count)]
        self._waiting: list[tuple[Campaign, Piece, str]] = []
        self._spoil, self._rng = spoil, random.Random(count)
        self.log: list[tuple[int, str]] = []

    def threads(self) -> int:
        return len(self._names)

    def submit(self, campaign: Campaign, piece: Piece, avoid: Collection[str]) -> None:
        name = self._rng.choice([name for name in self._names if name not in avoid] or self._names)
        self.log.append((piece.number, name))
        self._waiting.append((campaign, piece, name))

    def hear(self, seconds: float) -> Answer | None:
        if not self._waiting:
            return None
        campaign, piece, name = self._waiting.pop(self._rng.randrange(len(self._waiting)))
        try:
            answer = Answer(
                piece=piece.number, worker=name, outcome=work_of(campaign.work)(campaign.options, piece.first, piece.items)
            )
        except ArithmeticError as error:
            answer = Answer(piece=piece.number, worker=name, error=str(error))
        found = self._spoil(answer)
        if isinstance(found, BaseException):
            raise found
        return found


@pytest.mark.parametrize("size", [1, 7, 50, 1000])
def test_the_digest_depends_on_no_cut_and_no_order(size: int):
    for pool in (Inline(), Workers(1), Workers(5)):
        found = run(campaign(size), pool)
        assert found.digest == DIGEST
        assert found.counts == {"items": ITEMS, "sum": sum(range(ITEMS))}
        assert (found.pieces, found.of, found.complete) == (-(-ITEMS // size), -(-ITEMS // size), True)


def test_a_piece_that_fails_is_tried_on_another_worker():
    failed: set[int] = set()

    def once(answer: Answer) -> Answer:
        if answer.piece % 3 or answer.piece in failed:
            return answer
        failed.add(answer.piece)
        return Answer(piece=answer.piece, worker=answer.worker, error="lost")

    pool = Workers(2, once)
    found = run(campaign(), pool)
    assert (found.digest, found.failed, found.counts["items"]) == (DIGEST, [], ITEMS)
    for piece in failed:
        first, second = [name for number, name in pool.log if number == piece]
        assert first != second


def test_a_piece_that_fails_thrice_is_named_and_the_others_count(tmp_path: Path):
    place = tmp_path / "record"
    one = campaign(work="pieces:fails")
    with RecordFile.create(place, one) as record:
        found = run(one, Workers(2), record)
    (failed,) = found.failed
    assert (failed.piece, len(failed.reasons)) == (Piece(1, 7, 7), TRIES)
    assert all(reason.endswith(": seven") for reason in failed.reasons)
    assert (found.counts["items"], found.complete) == (ITEMS - 7, False)
    record, _ = RecordFile.resume(place, one)
    with record:
        assert 1 not in record.done
        assert len(run(one, Workers(2), record).failed) == 1, "the next run tries it again"


def test_deaths_that_a_scheduler_has_counted_count():
    found = run(campaign(work="pieces:fails"), Workers(2, lambda a: a._replace(tries=3) if a.error else a))
    assert len(found.failed[0].reasons) == 1


def test_a_refused_worker_is_no_failure():
    pool = Workers(3, lambda answer: Answer(piece=answer.piece, worker="w0", refused=True) if answer.worker == "w0" else answer)
    pool.refused = ("worker w0 is refused",)
    found = run(campaign(), pool)
    assert (found.digest, found.failed, found.refused) == (DIGEST, [], pool.refused)


def test_control_c_leaves_a_record_that_goes_on(tmp_path: Path):
    place, one = tmp_path / "record", campaign()
    for ended in (4, 3):
        answers: list[int] = []

        def interrupted(answer: Answer, answers: list[int] = answers, ended: int = ended) -> Answer | BaseException:
            answers.append(answer.piece)
            return KeyboardInterrupt() if len(answers) > ended else answer

        with RecordFile.resume(place, one)[0] if place.exists() else RecordFile.create(place, one) as record:
            found = run(one, Workers(2, interrupted), record)
        assert found.interrupted
    assert found.pieces == 7
    record, known = RecordFile.resume(place, one)
    with record:
        pool = Workers(3)
        found = run(known, pool, record)
    assert (found.digest, found.resumed, found.items, found.complete) == (DIGEST, 7, ITEMS - 49, True)
    assert len(pool.log) == 15 - 7


def test_a_run_ends_when_it_is_asked_to():
    answers: list[Totals] = []
    found = run(campaign(), Inline(), progress=answers.append, ended=lambda: len(answers) > 2)
    assert (found.interrupted, found.complete, found.counts["items"]) == (True, False, 7 * found.pieces)
    assert answers[-1].pieces == found.pieces


def test_findings_end_a_run_and_those_of_before_do_not(tmp_path: Path):
    place, one = tmp_path / "record", campaign(odd=20)
    with RecordFile.create(place, one) as record:
        assert len(run(one, Inline(), record, findings=2).findings) == 2
    with RecordFile.resume(place, one)[0] as record:
        assert len(run(one, Inline(), record, findings=2).findings) == 4
    with RecordFile.resume(place, one)[0] as record:
        found = run(one, Inline(), record, findings=2)
    assert [finding["number"] for finding in found.findings] == [19, 39, 59, 79, 99]
    assert found.complete


def test_a_run_without_end_ends_in_time():
    found = run(Campaign(work="pieces:counts", options={}, first=5, last=None, size=10), Inline(), seconds=0)
    assert (found.items, found.of, found.complete, found.left) == (0, None, False, None)
    assert Campaign(work="pieces:counts", options={}, first=5, last=None, size=10).piece(3) == Piece(3, 35, 10)


def recorded(place: Path, one: Campaign, count: int = 4) -> list[bytes]:
    with RecordFile.create(place, one) as record:
        for number in range(count):
            piece = one.piece(number)
            record.add(
                Done(
                    piece=number,
                    outcome=pieces.counts(one.options, piece.first, piece.items),
                    worker="w",
                    seconds=1.5,
                    busy=1.25,
                )
            )
    return place.read_bytes().splitlines(keepends=True)


def test_a_line_that_was_cut_is_not_there(tmp_path: Path):
    place, one = tmp_path / "record", campaign()
    lines = recorded(place, one)
    place.write_bytes(b"".join(lines)[:-9])
    record, _ = RecordFile.resume(place, one)
    with record:
        assert sorted(record.done) == [0, 1, 2]
        assert record.done[1].outcome == pieces.counts({}, 7, 7)
        assert (record.done[1].worker, record.done[1].seconds, record.done[1].busy) == ("w", 1.5, 1.25)
        assert place.read_bytes() == b"".join(lines[:-1])
        assert record.dropped == f"{place}:5: the last line was cut and is dropped: its piece is done again"
        assert run(one, Inline(), record).digest == DIGEST
    assert json.loads(place.read_bytes().splitlines()[-1])["piece"] == 14
    record, _ = RecordFile.resume(place, one)
    with record:
        assert len(record.done) == 15


def test_a_line_twice_counts_once_and_two_results_are_refused(tmp_path: Path):
    place, one = tmp_path / "record", campaign()
    lines = recorded(place, one)
    place.write_bytes(b"".join([*lines, lines[2]]))
    with RecordFile.resume(place, one)[0] as record:
        assert run(one, Inline(), record).digest == DIGEST
    place.write_bytes(pieces.resealed([*lines, lines[2].replace(b'"items":7', b'"items":8')]))
    with pytest.raises(RecordError, match="record:6: piece 1 has two results"):
        RecordFile.resume(place, one)


DAMAGE: list[tuple[Callable[[list[bytes]], list[bytes]], str]] = [
    (lambda lines: [], "record: the record is empty: delete it"),
    (lambda lines: [lines[0][:40]], "record: the record is empty: delete it"),
    (lambda lines: [b"{}\n", *lines[1:]], "record:1: not the record of a campaign"),
    (lambda lines: [lines[0].replace(b'"record":2', b'"record":9')], "the record is of format 9, expected 2"),
    (lambda lines: [*lines[:2], b"[1]\n", *lines[2:]], "record:3: the line is damaged: not a JSON object: delete it"),
    (lambda lines: [*lines[:2], b"[" * 100_000 + b"\n"], "record:3: the line is damaged: not a JSON object"),
    (lambda lines: [*lines[:2], b'{"piece":\xff}\n'], "record:3: the line is damaged: byte 10 is not ASCII"),
    (lambda lines: [*lines[:2], b'{"piece":}\n'], "record:3: the line is damaged: column 10: not JSON"),
    (
        lambda lines: [*lines[:2], lines[2].replace(b'"items":7', b'"items":8')],
        "record:3: the line is damaged: its check does not fit",
    ),
    (lambda lines: [lines[0].replace(b'"size":7', b'"size":8')], "record:1: the line is damaged: its check does not fit"),
]


@pytest.mark.parametrize(("change", "message"), DAMAGE)
def test_a_record_that_cannot_go_on(change: Callable[[list[bytes]], list[bytes]], message: str, tmp_path: Path):
    place, one = tmp_path / "record", campaign()
    place.write_bytes(b"".join(change(recorded(place, one))))
    with pytest.raises(RecordError, match=message):
        RecordFile.resume(place, one)


LIES: list[tuple[int, bytes, bytes, str]] = [
    (0, b'"size":7', b'"bytes":7', "record:1: the campaign is damaged: 'size' is missing"),
    (0, b'"first":0', b'"first":"0"', "record:1: the campaign is damaged: 'first' is not a whole number"),
    (0, b'"first":0', b'"first":false', "record:1: the campaign is damaged: 'first' is not a whole number"),
    (0, b'"generation":"', b'"generation":"0', 'source of lanewise: the record has "0'),
    (2, b'"digest":"', b'"digest":"x', "record:3: the line is damaged: 'digest' is not a hexadecimal number"),
    (2, b'"items":7', b'"items":"7"', "record:3: the line is damaged: 'counts' is not an object of a whole number"),
    (2, b'"findings":[]', b'"findings":[1]', "record:3: the line is damaged: 'findings' is not a list of an object"),
    (2, b'"seconds":1.5', b'"seconds":NaN', "record:3: the line is damaged: 'seconds' is not seconds"),
    (2, b'"worker":', b'"more":1,"worker":', "record:3: the line is damaged: unknown key 'more'"),
    (2, b'"piece":1', b'"piece":15', "record:3: unknown piece 15: the campaign has pieces 0 to 14"),
]


@pytest.mark.parametrize(("line", "before", "after", "message"), LIES)
def test_a_record_that_fits_its_checks_is_not_believed(line: int, before: bytes, after: bytes, message: str, tmp_path: Path):
    place, one = tmp_path / "record", campaign()
    lines = recorded(place, one)
    assert before in lines[line]
    lines[line] = lines[line].replace(before, after)
    place.write_bytes(pieces.resealed(lines))
    with pytest.raises(CampaignError, match=message):
        RecordFile.resume(place, one)


def test_no_bit_of_a_record_may_be_another(tmp_path: Path):
    """Each bit of a small one: a sentence, or the pieces that it had, without a last one whose end is gone."""
    place, one = tmp_path / "record", campaign(50)
    whole = b"".join(recorded(place, one, 2))
    with RecordFile.resume(place, one)[0] as record:
        known = dict(record.done)
    for number in sample(range(8 * len(whole)), 333):
        data = bytearray(whole)
        data[number // 8] ^= 1 << number % 8
        place.write_bytes(data)
        try:
            record, _ = RecordFile.resume(place, one)
        except RecordError as error:
            assert "\n" not in str(error)
        else:
            with record:
                assert record.dropped
                assert record.done == {0: known[0]}


def test_a_line_of_another_record_does_not_fit(tmp_path: Path):
    place, one = tmp_path / "record", campaign()
    other = recorded(tmp_path / "other", campaign(odd=3))
    place.write_bytes(b"".join([*recorded(place, one)[:1], *other[1:]]))
    with pytest.raises(RecordError, match="record:2: the line is damaged: its check does not fit"):
        RecordFile.resume(place, one)


def test_a_record_does_not_decide_what_is_imported(tmp_path: Path):
    place, one = tmp_path / "record", Campaign(work="antigravity:geohash", options={"target": "pica200"}, first=0, last=1)
    RecordFile.create(place, one).__exit__(None, None, None)
    for name in WORKS:
        with pytest.raises(RecordError, match=f'the record of "antigravity:geohash": name one that `lanewise {name}'):
            RecordFile.resume(place, name)
    assert "antigravity" not in sys.modules


def test_what_is_no_file_is_no_record(tmp_path: Path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("a system without named pipes")
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(CampaignError, match="not a regular file"):
        RecordFile.resume(tmp_path / "fifo", "fuzz")
    (tmp_path / "link").symlink_to("record")
    with pytest.raises(CampaignError, match="it is a link"):
        RecordFile.create(tmp_path / "link", campaign())
    with pytest.raises(CampaignError, match="Is a directory"):
        RecordFile.resume(tmp_path, "fuzz")


@pytest.mark.parametrize("room", [0, 1, 3])
def test_a_full_disk_ends_a_run_that_goes_on(room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The disk has room for so many lines, and half of the next."""
    place, written = tmp_path / "record", 0
    write = os.write

    def full(handle: int, data: bytes) -> int:
        nonlocal written
        written += 1
        if written == room + 1:
            return write(handle, data[: len(data) // 2])
        if written > room + 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(CampaignError, match="record: No space left on device") as found:
            lw.distributed.sweep("pieces:counts", ITEMS, size=7, record=place)
    if not room:
        assert not place.exists()
        return
    assert f"{room - 1} piece{'s are' if room != 2 else ' is'} in the record, continue it with `--resume`" in str(found.value)
    totals = lw.distributed.sweep("pieces:counts", ITEMS, size=7, record=place, resume=True)
    assert (totals.digest, totals.resumed) == (DIGEST, room - 1)


def test_a_record_belongs_to_one_run(tmp_path: Path):
    place, one = tmp_path / "record", campaign()
    with RecordFile.create(place, one), pytest.raises(CampaignError, match="another run writes this record"):
        RecordFile.resume(place, one)
    with RecordFile.resume(place, one)[0], pytest.raises(CampaignError, match="another run writes this record"):
        RecordFile.resume(place, one)
    with RecordFile.resume(place, one)[0] as record:
        assert run(one, Inline(), record).complete


def test_another_campaign_does_not_go_on(tmp_path: Path):
    place = tmp_path / "record"
    recorded(place, campaign())
    with pytest.raises(CampaignError, match="record: size of a piece: the record has 7, this run 8"):
        RecordFile.resume(place, campaign(8))
    with pytest.raises(CampaignError, match=r"options: the record has \{\}, this run"):
        RecordFile.resume(place, campaign(odd=3))
    with pytest.raises(CampaignError, match="the file exists: continue it with `--resume`"):
        RecordFile.create(place, campaign())


def test_a_sweep_names_its_work(tmp_path: Path):
    assert lw.distributed.sweep(pieces.counts, ITEMS, size=9).digest == DIGEST
    place = tmp_path / "record"
    seen: list[Totals] = []
    lw.distributed.sweep("pieces:counts", ITEMS, {"odd": 50}, record=place, size=10, progress=seen.append)
    assert json.loads(place.read_text().splitlines()[0])["campaign"] == "pieces:counts"
    assert seen[-1].pieces == 10
    assert len(lw.distributed.sweep("pieces:counts", ITEMS, {"odd": 50}, record=place, size=10, resume=True).findings) == 2

    def local(options: object, first: int, count: int) -> Outcome:
        return Outcome({})

    with pytest.raises(ValueError, match="workers cannot import it by this name"):
        lw.distributed.sweep(local, 3)
    with pytest.raises(ValueError, match="at least 1 item"):
        lw.distributed.sweep(pieces.counts, 0)
    with pytest.raises(ValueError, match="not both"):
        lw.distributed.sweep(pieces.counts, 1, scheduler="tcp://x", workers=1)
    with pytest.raises(ValueError, match="resume needs the record"):
        lw.distributed.sweep(pieces.counts, 1, resume=True)


def test_a_processor_without_the_level_gives_no_difference(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ValueError, match="unknown level 'bad': use native, avx512, avx2, sse"):
        lw.distributed.fuzz(programs=1, level="bad")

    def lacks(level: str = "native") -> None:
        raise ValueError(f"this machine has no {level}")

    monkeypatch.setattr("lanewise.llvm.target.host", lacks)
    totals = lw.distributed.fuzz(programs=1, level="avx512")
    assert (totals.findings, totals.counts) == ([], {})
    assert totals.failed[0].reasons[0] == "this process: ValueError: this machine has no avx512"
