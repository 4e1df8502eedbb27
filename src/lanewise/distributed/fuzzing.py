"""`lanewise fuzz` as a campaign: the random programs of a target, a piece of their numbers at a time."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from lanewise.core.fuzzing import Origin, digest_of
from lanewise.distributed.campaign import PIECE, Campaign, CampaignError, Inline, Outcome, run
from lanewise.distributed.record import RecordFile
from lanewise.packages import package_of, packages

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from lanewise.core.fuzzing import RandomPrograms
    from lanewise.core.package import IsaPackage
    from lanewise.distributed.campaign import Json, Pool, Totals

WORK = "fuzz"  # in `WORKS`
COMPILED = {
    "shadercore": "direct3d9"
}  # what the compiler is fuzzed for: the target, and the instruction set of its random programs
# seconds without a word before a program counts as one that does not come back; compiling a large one takes long, too
HANGS = 900.0


def able() -> list[IsaPackage]:
    """The packages that have random programs."""
    return [package for package in packages() if package.random_programs is not None]


def targets() -> list[str]:
    """The targets that can be fuzzed: engines of instruction sets, the compiler by the name of what it compiles for, and
    optimisers."""
    return [*[package.name for package in able()], *COMPILED, *_optimisers()]


def _optimisers() -> dict[str, IsaPackage]:
    """The packages whose optimiser has random programs, by the name of the target."""
    return {f"{package.name}-opt": package for package in packages() if package.optimised_programs is not None}


def service(target: str, options: Mapping[str, Json] | None = None) -> RandomPrograms:
    """The random programs of a target. `options` are those of the compiler: `devices`. Raises ValueError."""
    if target in COMPILED:
        from lanewise.compile.shadercore.random_compiled import compiled_programs

        return compiled_programs(cast("list[str]", (options or {}).get("devices", [])))
    optimiser = _optimisers().get(target)
    if optimiser is not None and optimiser.optimised_programs is not None:
        return optimiser.optimised_programs()
    found = package_of(target).random_programs
    if found is None:
        raise ValueError(f"unknown target '{target}': use {', '.join(targets())}")
    if target not in COMPILED.values():
        return found()
    from lanewise.compile.shadercore.random_routes import with_compiled

    return with_compiled(found())


def command(target: str, seed: int, first: int, programs: int, level: str) -> str:
    """The command that runs some programs alone."""
    options = ("" if target == targets()[0] else f" --target {target}") + ("" if level == "native" else f" --level {level}")
    if target in COMPILED:  # whose programs have only a seed
        return f"lanewise fuzz --seed {seed + first} --programs {programs}{options}"
    return f"lanewise fuzz --seed {seed} --first {first} --programs {programs}{options}"


def origin(target: str, seed: int, number: int, level: str) -> Origin:
    """The file and the command of a program."""
    return Origin(f"fuzz-{seed}-{number}", command(target, seed, number, 1, level))


def kind_of(reason: str) -> str:
    """A reason for not compiling without what is particular to one program."""
    return re.sub(r"\b(0x[0-9a-f]+|\d+)\b", "N", reason.partition(" (")[0])


def piece(options: Mapping[str, Any], first: int, count: int) -> Outcome:
    """Programs of a seed on both engines. The first `findings` that differ are reduced, the others are only named.

    Raises ValueError if this processor does not have the vector instructions of `level`; another worker may.
    """
    from lanewise.llvm.target import host

    target, seed, level = options["target"], int(options["seed"]), options["level"]
    host(level)  # a processor without it fails here: its programs do not differ
    programs = service(target, options)
    counts: Counter[str] = Counter(programs=0, compiled=0, vertices=0, ended=0, differences=0)
    reasons: Counter[str] = Counter()
    digest = 0
    findings: list[dict[str, Json]] = []
    with as_fuzzing(), ended_if_it_hangs() as alive:
        for number in range(first, first + count):
            alive()
            found = programs.compare(seed, number, level)
            counts.update(
                programs=1,
                compiled=not found.reason,
                vertices=found.lanes,
                ended=found.ended,
                differences=found.difference is not None,
            )
            if found.reason:
                reasons[kind_of(found.reason)] += 1
            digest += digest_of(found)
            if found.difference is None:
                continue
            finding: dict[str, Json] = {"program": number, **found.difference._asdict()}
            if len(findings) < options["findings"]:
                place = origin(target, seed, number, level)
                small = programs.reduce(seed, number, level, place, alive)
                finding |= {"source": small.source, "suffix": small.suffix, "words": small.words, **small.difference._asdict()}
            findings.append(finding)
    return Outcome(dict(counts), digest % (1 << 128), dict(reasons), findings)


class _Setting:
    """Settings of a process while it runs random programs: no kernels on disk, and a rare garbage collector. Threads of a
    worker share them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._before: str | None = None
        self._thresholds = 0, 0, 0

    def take(self) -> None:
        with self._lock:
            if not self._users:
                self._before = os.environ.get(_CACHE)
                os.environ[_CACHE] = "off"
                self._thresholds = gc.get_threshold()
                gc.set_threshold(*_RARELY)
            self._users += 1

    def give_back(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                del os.environ[_CACHE]
                if self._before is not None:
                    os.environ[_CACHE] = self._before
                gc.set_threshold(*self._thresholds)


_CACHE = "LANEWISE_CACHE"
_RARELY = 50_000, 20, 50
_setting = _Setting()


@contextmanager
def as_fuzzing() -> Generator[None]:
    """Random programs do not run again: keep none of their kernels on disk. They leave much, and little of it in cycles:
    collect rarely."""
    _setting.take()
    try:
        yield
    finally:
        _setting.give_back()


@contextmanager
def ended_if_it_hangs(limit: float = HANGS, poll: float = 5.0) -> Generator[Callable[[], None]]:
    """A function to call now and then; a worker that does not for `limit` seconds is in code that does not come back, and is
    ended."""
    if not _on_worker():
        yield lambda: None
        return
    heard, done = [time.monotonic()], threading.Event()

    def watch() -> None:
        while not done.wait(poll):
            if time.monotonic() - heard[0] > limit:
                os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

    def alive() -> None:
        heard[0] = time.monotonic()

    threading.Thread(target=watch, name="lanewise", daemon=True).start()
    try:
        yield alive
    finally:
        done.set()


def _on_worker() -> bool:
    """Whether this is a worker of Dask, whose death is noticed."""
    distributed: Any = sys.modules.get("distributed")
    try:
        return distributed is not None and distributed.get_worker() is not None
    except ValueError:
        return False


def fuzz_campaign(
    target: str,
    seed: int,
    first: int,
    programs: int | None,
    *,
    level: str = "native",
    size: int = PIECE,
    findings: int = 1,
    devices: list[str] | None = None,
) -> Campaign:
    """The campaign of a seed."""
    options: dict[str, Json] = {"target": target, "seed": seed, "level": level, "findings": findings}
    if devices is not None:
        options["devices"] = [*devices]
    last = None if programs is None else first + programs
    return Campaign(work=WORK, options=options, first=first, last=last, size=size, unit="programs")


def fuzz(
    target: str = "pica200",
    *,
    programs: int | None = None,
    seed: int = 0,
    first: int = 0,
    level: str = "native",
    findings: int | None = 1,
    scheduler: str | None = None,
    workers: int | None = None,
    record: str | Path | None = None,
    resume: bool = False,
    size: int = PIECE,
    seconds: float | None = None,
    progress: Callable[[Totals], None] | None = None,
) -> Totals:
    """Run random programs on both engines, on the workers of a scheduler, on processes of this machine, or in this process.

    `programs`, or None for as many as `seconds` allow; it ends with so many `findings` (None: goes on). `record` is a file that
    says which pieces are done, and with `resume` the run continues it. Raises ValueError, CampaignError.
    """
    if target not in targets():
        raise ValueError(f"unknown target '{target}': use {', '.join(targets())}")
    from lanewise.llvm.target import LEVELS

    if level not in LEVELS:
        raise ValueError(f"unknown level '{level}': use {', '.join(LEVELS)}")
    campaign = fuzz_campaign(target, seed, first, programs, level=level, size=size, findings=findings or 1)
    return started(
        campaign,
        scheduler=scheduler,
        workers=workers,
        record=record,
        resume=resume,
        seconds=seconds,
        findings=findings,
        progress=progress,
    )


def started(
    campaign: Campaign,
    *,
    scheduler: str | None,
    workers: int | None,
    record: str | Path | None,
    resume: bool,
    seconds: float | None = None,
    findings: int | None = None,
    progress: Callable[[Totals], None] | None = None,
    ended: Callable[[], bool] = lambda: False,
) -> Totals:
    """Run a campaign with its record on what was asked for. Raises ValueError, CampaignError."""
    campaign.check()
    if resume and record is None:
        raise ValueError("resume needs the record of the run to continue")
    if scheduler is not None and workers is not None:
        raise ValueError("give a scheduler, or a number of workers, not both")
    if record is None:
        with pool_of(scheduler, workers) as pool:
            return run(campaign, pool, seconds=seconds, findings=findings, progress=progress, ended=ended)
    with (
        RecordFile.resume(record, campaign)[0] if resume else RecordFile.create(record, campaign) as kept,
        pool_of(scheduler, workers) as pool,
    ):
        return run(campaign, pool, kept, seconds=seconds, findings=findings, progress=progress, ended=ended)


@contextmanager
def pool_of(scheduler: str | None, workers: int | None) -> Generator[Pool]:
    """The pool that does the pieces. Raises CampaignError."""
    if scheduler is None and workers is None:
        yield Inline()
        return
    if workers is not None and workers < 1:
        raise CampaignError(f"workers is {workers}: expected 1 or more")
    from lanewise.distributed.cluster import dask_pool

    found: AbstractContextManager[Pool] = dask_pool(scheduler, workers)
    with found as pool:
        yield pool
