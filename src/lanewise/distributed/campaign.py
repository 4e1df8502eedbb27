"""Campaigns: numbered items of work, cut into pieces with known results, each counted once.

What runs the pieces is a `Pool`: workers of Dask (`cluster`), or this process (`Inline`). The digest of a campaign is a sum
over items, so it depends neither on how items are cut into pieces, nor on the workers, nor on the order in which they answer.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lanewise.core.record import Record
from lanewise.distributed.versions import identity
from lanewise.distributed.works import WORKS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from lanewise.distributed.record import RecordFile

    Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

TRIES = 3  # of a piece, each on another worker if there is one
DIGEST_BITS = 128
PIECE = 256  # items, if nothing else is said
_AHEAD = 2  # pieces that wait for each thread of a worker, so that it never does
_POLL = 0.1  # seconds


class CampaignError(Exception):
    """A campaign cannot be started or continued; the text has the fix."""


class RecordError(CampaignError):
    """A record is damaged, or not one; the text has the line and the reason."""


class Piece(NamedTuple):
    """Consecutive items; pieces of a campaign are numbered from 0."""

    number: int
    first: int
    items: int

    @property
    def range(self) -> str:
        return f"{self.first} to {self.first + self.items - 1}"


class Outcome(NamedTuple):
    """The result of a piece. `counts` and `reasons` add up over pieces, `digest` too, modulo 2**128; `findings` are JSON
    objects."""

    counts: Mapping[str, int]
    digest: int = 0
    reasons: Mapping[str, int] = {}
    findings: Sequence[dict[str, Json]] = ()


class Campaign(Record):
    """Numbered items of work, in pieces."""

    work: str
    "The function of a piece: a name in `WORKS`, or a `module:function` that the program names, never a record."
    options: Mapping[str, Json]
    "Options of the function (JSON), in the record too."
    first: int
    "The number of the first item."
    last: int | None
    "The number after the last item; None: without end."
    size: int = PIECE
    "Items of a piece; the last one may have fewer."
    unit: str = "items"
    "The word for items in reports."
    here: Mapping[str, Json] = {}
    "Options of this run that are not in its record."

    @property
    def given(self) -> dict[str, Json]:
        """The options that the work gets."""
        return {**self.options, **self.here}

    def check(self) -> None:
        """Raises ValueError."""
        if self.size < 1:
            raise ValueError("a piece has at least 1 item")
        if max(self.first, self.last or 0, self.size) >= 1 << 62:
            raise ValueError("items are numbered to 2^62")
        if self.first < 0 or (self.last is not None and self.last <= self.first):
            raise ValueError("a campaign has at least 1 item, numbered from 0")

    @property
    def total(self) -> int | None:
        """The number of pieces; None without end."""
        return None if self.last is None else -(-(self.last - self.first) // self.size)

    def piece(self, number: int) -> Piece:
        start = self.first + number * self.size
        return Piece(number, start, self.size if self.last is None else min(self.size, self.last - start))

    def pieces(self, done: Collection[int]) -> Iterator[Piece]:
        """The pieces that are not done, in order."""
        numbers = count() if self.total is None else range(self.total)
        return (self.piece(number) for number in numbers if number not in done)


def work_of(name: str) -> Callable[[Mapping[str, Json], int, int], Outcome]:
    """The function of a name in `WORKS`, or `module:function`. Raises ImportError, AttributeError."""
    module, _, function = (WORKS[name].function if name in WORKS else name).partition(":")
    found = import_module(module)
    for part in function.split("."):
        found = getattr(found, part)
    return found  # pyright: ignore[reportReturnType]


class Done(Record):
    """A piece that is done."""

    piece: int
    "Its number in the campaign, from 0."
    outcome: Outcome
    "The sums over its items."
    worker: str = ""
    "The worker that did it, as reports name it."
    seconds: float = 0.0
    "Wall time of the piece."
    busy: float = 0.0
    "Processor time of the piece in seconds."


class Failed(NamedTuple):
    """A piece that failed as often as it may be tried, and how each time."""

    piece: Piece
    reasons: tuple[str, ...]


class Answer(Record):
    """The answer of a pool about a piece: its outcome, an error, or a refusal."""

    piece: int
    "Its number in the campaign, from 0."
    worker: str = ""
    "The worker that had it, as reports name it; empty: not known."
    outcome: Outcome | None = None
    "The sums over its items; None where it was not done."
    error: str = ""
    "The exception as text; empty where there was none."
    tries: int = 1
    "How often it was tried before the error."
    refused: bool = False
    "The worker does nothing, so that this is no try of the piece."
    seconds: float = 0.0
    "Wall time of the piece."
    busy: float = 0.0
    "Processor time of the piece in seconds."


class Pool(Protocol):
    """Workers that do pieces of a campaign."""

    @property
    def refused(self) -> Sequence[str]:
        """Workers that do nothing, a sentence for each that says why."""
        ...

    def threads(self) -> int:
        """How many pieces are done at the same time, now."""
        ...

    def submit(self, campaign: Campaign, piece: Piece, avoid: Collection[str]) -> None:
        """Do a piece, if possible not on the workers to `avoid`."""
        ...

    def hear(self, seconds: float) -> Answer | None:
        """The next answer, None if there is none within so many seconds. Raises CampaignError if there will be none."""
        ...


class Inline:
    """Pieces in this process, one after the other."""

    refused: Sequence[str] = ()

    def __init__(self) -> None:
        self._waiting: deque[tuple[Campaign, Piece]] = deque()

    def threads(self) -> int:
        return 1

    def submit(self, campaign: Campaign, piece: Piece, avoid: Collection[str]) -> None:
        self._waiting.append((campaign, piece))

    def hear(self, seconds: float) -> Answer | None:
        if not self._waiting:
            return None
        campaign, piece = self._waiting.popleft()
        start, busy = time.monotonic(), time.process_time()
        try:
            outcome = work_of(campaign.work)(campaign.given, piece.first, piece.items)
        except Exception as error:
            return Answer(piece=piece.number, worker="this process", error=f"{type(error).__name__}: {error}")
        return Answer(
            piece=piece.number,
            worker="this process",
            outcome=outcome,
            seconds=time.monotonic() - start,
            busy=time.process_time() - busy,
        )


class Totals(Record):
    """The sums over all pieces that are done, in this run and in earlier ones."""

    counts: Mapping[str, int]
    "Numbers of items by kind of result, summed."
    reasons: Mapping[str, int]
    "How often each reason was given, the most frequent first."
    digest: str
    "The sum of the digests of all items modulo 2^128, in hexadecimal."
    findings: Sequence[dict[str, Json]]
    "JSON objects, in the order in which their pieces were counted."
    failed: Sequence[Failed]
    "Pieces of this run that failed as often as they may be tried."
    pieces: int
    "How many pieces are done."
    of: int | None
    "How many pieces the campaign has; None: without end."
    resumed: int
    "How many pieces were done before this run."
    items: int
    "Items that are done in this run."
    seconds: float
    "Wall time of this run so far."
    threads: int
    "Pieces that the pool does at the same time; 0 at the end."
    interrupted: bool
    "The run was ended by Ctrl-C or its caller."
    refused: Sequence[str]
    "Workers that do nothing, a sentence for each that says why."

    @property
    def complete(self) -> bool:
        return self.pieces == self.of

    @property
    def rate(self) -> float:
        """Items in a second, in this run."""
        return self.items / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """How many seconds the rest may take; None where that is not known."""
        done = self.pieces - self.resumed
        return None if self.of is None or not done else (self.of - self.pieces) * self.seconds / done


class _Sums:
    """Totals while they grow."""

    def __init__(self, campaign: Campaign) -> None:
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.digest = 0
        self.findings: list[dict[str, Json]] = []
        self.failed: list[Failed] = []
        self.done: set[int] = set()
        self.resumed = self.items = 0
        self._campaign, self._start = campaign, time.monotonic()

    def add(self, one: Done) -> None:
        if one.piece in self.done:
            raise AssertionError(f"piece {one.piece} was counted already")
        self.done.add(one.piece)
        self.counts.update(one.outcome.counts)
        self.reasons.update(one.outcome.reasons)
        self.digest = (self.digest + one.outcome.digest) % (1 << DIGEST_BITS)
        self.findings += one.outcome.findings

    def totals(self, pool: Pool, threads: int = 0, *, interrupted: bool = False) -> Totals:
        return Totals(
            counts=dict(self.counts),
            reasons=dict(self.reasons.most_common()),
            digest=digest_text(self.digest),
            findings=[*self.findings],
            failed=[*self.failed],
            pieces=len(self.done),
            of=self._campaign.total,
            resumed=self.resumed,
            items=self.items,
            seconds=time.monotonic() - self._start,
            threads=threads,
            interrupted=interrupted,
            refused=pool.refused,
        )


def digest_text(digest: int) -> str:
    """A sum of digests as text."""
    return f"{digest % (1 << DIGEST_BITS):0{DIGEST_BITS // 4}x}"


def run(
    campaign: Campaign,
    pool: Pool,
    record: RecordFile | None = None,
    *,
    seconds: float | None = None,
    findings: int | None = None,
    progress: Callable[[Totals], None] | None = None,
    ended: Callable[[], bool] = lambda: False,
) -> Totals:
    """Run the pieces that the record does not have. Ctrl-C ends the run, and so does `ended`; what is done then is in the
    record.

    It ends after so many `seconds`, or with so many new `findings`, and pieces that are not done then do not count. `progress`
    is called often. Raises CampaignError.
    """
    campaign.check()
    sums = _Sums(campaign)
    for known in record.done.values() if record is not None else ():
        sums.add(known)
    sums.resumed, known_findings = len(sums.done), len(sums.findings)
    waiting = campaign.pieces(frozenset(sums.done))
    running: dict[int, _Running] = {}
    end = float("inf") if seconds is None else time.monotonic() + seconds
    interrupted = False
    try:
        while (
            not (interrupted := ended())
            and time.monotonic() < end
            and (findings is None or len(sums.findings) - known_findings < findings)
        ):
            threads = pool.threads()
            while len(running) < _AHEAD * max(threads, 1):
                piece = next(waiting, None)
                if piece is None:
                    break
                running[piece.number] = _Running(piece)
                pool.submit(campaign, piece, ())
            if progress is not None:
                progress(sums.totals(pool, threads))
            if not running:
                break
            answer = pool.hear(_POLL)
            state = running.get(answer.piece) if answer is not None else None
            if answer is not None and state is not None:
                _heard(campaign, pool, record, sums, running, state, answer)
    except KeyboardInterrupt:
        interrupted = True
    totals = sums.totals(pool, interrupted=interrupted)
    if progress is not None:
        progress(totals)
    return totals


class _Running:
    """A piece on its way: how it failed, and the workers to avoid."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.tries = 0
        self.reasons: list[str] = []
        self.avoid: set[str] = set()


def _heard(
    campaign: Campaign,
    pool: Pool,
    record: RecordFile | None,
    sums: _Sums,
    running: dict[int, _Running],
    state: _Running,
    answer: Answer,
) -> None:
    """Count an answer, or try the piece again."""
    if answer.outcome is not None:
        one = Done(piece=answer.piece, outcome=answer.outcome, worker=answer.worker, seconds=answer.seconds, busy=answer.busy)
        if record is not None:
            record.add(one)
        sums.add(one)
        sums.items += state.piece.items
        del running[answer.piece]
        return
    if not answer.refused:
        state.tries += answer.tries
        state.reasons.append(f"{answer.worker}: {answer.error}" if answer.worker else answer.error)
        if state.tries >= TRIES:
            sums.failed.append(Failed(state.piece, tuple(state.reasons)))
            if record is not None:
                record.failed(sums.failed[-1])
            del running[answer.piece]
            return
    state.avoid.add(answer.worker)
    pool.submit(campaign, state.piece, state.avoid)


def described(campaign: Campaign) -> dict[str, Json]:
    """The campaign as the first line of its record says it."""
    version, generation = identity()
    return {
        "campaign": campaign.work,
        "options": dict(campaign.options),
        "first": campaign.first,
        "last": campaign.last,
        "size": campaign.size,
        "unit": campaign.unit,
        "version": version,
        "generation": generation,
    }
