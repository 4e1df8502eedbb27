"""Fuzz the commands with mutated files.

    python -m fuzz --minutes 10                             all kinds of files, in the folder `tests`
    python -m fuzz --kind shbin --inputs 30000 --jobs 2
    python -m fuzz --kind mesh --seed 7 --first 1234 --inputs 1
    python -m fuzz --processes --inputs 500                a process for each command line

`nox -s fuzz -- MINUTES` does the first. `fuzz.guided` is guided by coverage, with atheris. Each fault is shrunk and saved in a
folder, with its command line. Exit code 1 if there are any.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import shlex
import sys
import tempfile
import time
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fuzz.harness import Fault, Harness, Mutant, limited_memory, mutant
from fuzz.kinds import BY_NAME, wanted
from fuzz.processes import Processes
from fuzz.seeds import support
from fuzz.shrinking import shrunk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection

    from fuzz.kinds import Kind

_SAVED = 3  # faults with one cause that are saved
_TRIALS = 400
_EACH = 0.5  # seconds between two reports of a worker


class Plan(NamedTuple):
    """The mutants of a run: number n is of a kind by its weight; worker w of `jobs` takes every jobs-th."""

    kinds: tuple[str, ...]
    seed: int
    first: int
    inputs: int
    until: float  # in seconds since 1970
    processes: bool = False  # one for each command

    def at(self, number: int) -> tuple[Kind, int]:
        """The kind of mutant `number`, and its own number among those of the kind."""
        kinds = wanted(self.kinds)
        ends = list(accumulate(kind.weight for kind in kinds))
        lap, place = divmod(number, ends[-1])
        chosen = next(n for n, end in enumerate(ends) if place < end)
        weight = kinds[chosen].weight
        return kinds[chosen], lap * weight + place - (ends[chosen] - weight)


class Progress(NamedTuple):
    """What a worker has done since its last report: counts by (kind, exit code), seconds by kind, faults, the number that it
    comes to."""

    counts: Counter[tuple[str, int]]
    seconds: dict[str, float]
    faults: list[tuple[str, int, str, bytes, Fault]]
    number: int
    memory: int


def work(plan: Plan, numbers: range, pipe: Connection) -> None:
    """A worker: run mutants and report."""
    with tempfile.TemporaryDirectory(dir=_fast_folder()) as folder, limited_memory():
        os.environ["LANEWISE_CACHE"] = "off"
        harness = (Processes if plan.processes else Harness)(Path(folder))
        counts: Counter[tuple[str, int]] = Counter()
        seconds: dict[str, float] = {}
        faults: list[tuple[str, int, str, bytes, Fault]] = []
        known: Counter[str] = Counter()
        sent = 0.0
        for number in numbers:
            now = time.time()
            if now > plan.until:
                break
            if now - sent > _EACH:
                pipe.send(Progress(counts, seconds, faults, number, _memory()))
                counts, seconds, faults, sent = Counter[tuple[str, int]](), {}, [], now
            kind, own = plan.at(number)
            begin = _processor_time()
            one = mutant(kind, plan.seed, own)
            code, fault = harness.run(one)
            counts[kind.name, code] += 1
            if fault is not None:
                known[fault.signature] += 1
                small = one
                if known[fault.signature] <= _SAVED:
                    small = smallest(harness, one, fault)
                faults.append((kind.name, own, small.name, small.data, fault))
            seconds[kind.name] = seconds.get(kind.name, 0.0) + _processor_time() - begin
        pipe.send(Progress(counts, seconds, faults, numbers.stop, _memory()))


def smallest(harness: Harness, one: Mutant, fault: Fault) -> Mutant:
    def faulty(data: bytes) -> bool:
        found = harness.run(one._replace(data=data))[1]
        return found is not None and found.signature == fault.signature

    slow = "processor time" in fault.what
    return one._replace(data=shrunk(one.data, faulty, 10 if slow else _TRIALS))


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _processor_time() -> float:
    """Seconds that this process has used, and those that it has started."""
    return sum(os.times()[:4])


def _fast_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Worker:
    """A process, and the number that it has come to."""

    def __init__(self, process: multiprocessing.Process, pipe: Connection, numbers: range) -> None:
        self.process, self.pipe, self.numbers, self.at = process, pipe, numbers, numbers.start


class Run:
    """Workers and what they have found."""

    def __init__(self, plan: Plan, jobs: int, output: Path) -> None:
        self.plan, self.jobs, self.output = plan, jobs, output
        self.counts: Counter[tuple[str, int]] = Counter()
        self.seconds: dict[str, float] = {}
        self.faults: Counter[str] = Counter()
        self.by_kind: Counter[str] = Counter()
        self.memory = 0

    def __call__(self) -> None:
        support()  # made once: processes that are forked have it, also each that goes on for one that has died
        last = self.plan.first + self.plan.inputs
        workers = [self._start(range(self.plan.first + number, last, self.jobs)) for number in range(self.jobs)]
        shown = 0.0
        while workers:
            for worker in list(workers):
                if self._hear(worker):
                    continue
                workers.remove(worker)
                code = worker.process.exitcode or 0
                if code > 0:
                    raise SystemExit("a process of the fuzzer has failed")
                if code:
                    workers += self._died(worker)
            now = time.monotonic()
            if sys.stderr.isatty() and now - shown > 0.5:
                print(
                    f"\r{sum(self.counts.values())} inputs, {sum(self.faults.values())} faults",
                    end="",
                    file=sys.stderr,
                    flush=True,
                )
                shown = now

    def _start(self, numbers: range) -> Worker:
        mine, its = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=work, args=(self.plan, numbers, its))
        process.start()
        its.close()
        return Worker(process, mine, numbers)

    def _hear(self, worker: Worker) -> bool:
        """Take the reports of a worker; whether there will be more."""
        try:
            while worker.pipe.poll(0.1):
                progress: Progress = worker.pipe.recv()
                self._take(progress)
                worker.at = progress.number
        except EOFError:
            worker.process.join()
            return False
        return True

    def _take(self, progress: Progress) -> None:
        self.counts += progress.counts
        for kind, used in progress.seconds.items():
            self.seconds[kind] = self.seconds.get(kind, 0.0) + used
        self.memory = max(self.memory, progress.memory)
        for kind, number, name, data, fault in progress.faults:
            self._save(kind, number, name, data, fault)

    def _save(self, kind: str, number: int, name: str, data: bytes, fault: Fault) -> None:
        self.faults[fault.signature] += 1
        self.by_kind[kind] += 1
        if self.faults[fault.signature] > _SAVED:
            return
        self.output.mkdir(parents=True, exist_ok=True)
        place = self.output / f"{kind}-{self.plan.seed}-{number}-{name}"
        place.write_bytes(data)
        place.with_name(place.name + ".txt").write_text(
            f"{fault.what}\n\nlanewise {shlex.join(fault.arguments)}\n"
            f"python -m fuzz --kind {kind} --seed {self.plan.seed} --first {number} --inputs "
            f"1{' --processes' * self.plan.processes}\n\n{fault.printed[:4000]}\n",
            "utf-8",
            "replace",
        )
        print(f"\n{place}: {fault.what[:200]}", file=sys.stderr, flush=True)

    def _died(self, worker: Worker) -> list[Worker]:
        """Go on after a process that has died: the mutants since its last report run one by one, each in a process."""
        numbers = range(max(worker.at, worker.numbers.start), worker.numbers.stop, worker.numbers.step)
        for number in numbers:
            alone = self._start(range(number, number + 1))
            while self._hear(alone):
                pass
            if alone.process.exitcode:
                kind, own = self.plan.at(number)
                one = mutant(kind, self.plan.seed, own)
                what = f"the process ends with {alone.process.exitcode}"
                self._save(kind.name, own, one.name, one.data, Fault(what, one.arguments, "", f"{kind.name} {what}"))
                self.counts[kind.name, 1] += 1
                return [self._start(numbers[numbers.index(number) + 1 :])]
        return []

    def table(self) -> str:
        """Figures by kind of file."""
        lines = [f"{'files':12} {'inputs':>8} {'exit 0':>8} {'exit 1':>8} {'exit 2':>8} {'faults':>7} {'ms each':>8}"]
        for name in [*dict.fromkeys(kind for kind, _ in self.counts), ""]:
            row = {
                code: sum(count for (kind, c), count in self.counts.items() if c == code and name in ("", kind))
                for code in (0, 1, 2)
            }
            total = sum(count for (kind, _), count in self.counts.items() if name in ("", kind))
            seconds = self.seconds.get(name, 0.0) if name else sum(self.seconds.values())
            faults = self.by_kind[name] if name else sum(self.by_kind.values())
            lines.append(
                f"{name or 'all':12} {total:8} {row[0]:8} {row[1]:8} {row[2]:8} {faults:7} "
                f"{1000 * seconds / max(total, 1):8.1f}"
            )
        lines.append(
            f"seed {self.plan.seed} from {self.plan.first}; {len(self.faults)} different faults; at most {self.memory >> 20} "
            "MiB resident"
        )
        return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "python -m fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        choices=list(BY_NAME),
        help="only files of this kind; may be repeated (default: all)",
    )
    parser.add_argument("--inputs", type=int, help="number of mutants (default: as many as --minutes allow)")
    parser.add_argument("--minutes", type=float, help="time (default: 1, without --inputs)")
    parser.add_argument("--seed", type=int, help="of the mutants (default: random)")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--processes", action="store_true", help="run each command line as a process, as users do")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("fuzz-faults"), help="folder for faults (default: %(default)s)"
    )
    options = parser.parse_args(argv)
    minutes = options.minutes if options.minutes is not None else 1.0 if options.inputs is None else None
    until = time.time() + 60 * minutes if minutes is not None else float("inf")
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4))
    inputs = options.inputs if options.inputs is not None else 1 << 40
    run = Run(Plan(tuple(options.kind), seed, options.first, inputs, until, options.processes), options.jobs, options.output)
    try:
        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    print(run.table())
    return int(bool(run.faults))


if __name__ == "__main__":
    raise SystemExit(main())
