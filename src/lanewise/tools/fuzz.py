"""`lanewise fuzz`: random programs on both engines.

Programs on which the engines differ are reduced and written as sources.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lanewise.tools.console import INPUT_HAS_ERRORS, OK, STDIO, UsageError, add_format, make_parser, write_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from typing import NoReturn

    from lanewise.pica200.engine.differential import Difference
    from lanewise.pica200.engine.random_programs import Case

    Work = Callable[[Connection, int, int, int, str], None]

LEVELS = ("native", "avx512", "avx2", "sse")
_HANGS = 900.0  # seconds without a word before a program counts as one that does not come back; compiling a large one takes long, too
_MANY = 1 << 62

_EPILOG = """Program N of a seed runs again with --seed S --first N --programs 1. A program on which the engines differ is reduced and
written as a source that assembles to the same words; its comments have the data, both results and the commands that
reproduce them.

examples:
  lanewise fuzz --minutes 10
  lanewise fuzz --programs 20000 --seed 7
  lanewise fuzz --minutes 60 --level avx2 -o found/
  lanewise fuzz --seed 7 --first 1234 --programs 1
  lanewise fuzz --target shadercore --minutes 10     the compiler; see lanewise fuzz --target shadercore --help

Exit codes: 0 the engines agree, 1 they differ, 2 wrong usage. Ctrl-C or SIGTERM stops the run and prints the summary."""


def parser() -> argparse.ArgumentParser:
    parser = make_parser("lanewise fuzz", "Run random programs on both engines and compare every bit.", _EPILOG)
    parser.add_argument(
        "--minutes", type=float, metavar="N", help="time limit in minutes (default: 1, or none with --programs)"
    )
    parser.add_argument("--programs", type=int, metavar="K", help="number of programs (default: as many as the time allows)")
    parser.add_argument("--seed", type=int, metavar="S", help="the seed of the programs (default: random)")
    parser.add_argument(
        "--first", type=int, default=0, metavar="N", help="the number of the first program (default: %(default)s)"
    )
    parser.add_argument(
        "--findings", type=int, default=1, metavar="N", help="stop after N differing programs (default: %(default)s)"
    )
    parser.add_argument(
        "--level", choices=LEVELS, default="native", help="the vector instructions of the compiled code (default: %(default)s)"
    )
    parser.add_argument(
        "-o", "--output", default=".", metavar="DIR", help="the folder for the sources of findings (default: current folder)"
    )
    add_format(parser)
    return parser


class Summary(NamedTuple):
    """The totals of a run: programs, vertices, programs that reached END, reasons for not compiling, and files of findings."""

    seed: int
    first: int
    level: str
    programs: int
    compiled: int
    vertices: int
    ended: int
    reasons: Counter[str]
    findings: list[dict[str, str | int]]
    seconds: float
    interrupted: bool


class Done(NamedTuple):
    """A program has been compared."""

    number: int
    reason: str
    lanes: int
    ended: int
    difference: Difference | None


class Small(NamedTuple):
    """The reduced program on which the engines differ."""

    case: Case
    difference: Difference


def main(argv: list[str], work: Work | None = None) -> int:
    """`work` is what the process does; tests give another."""
    if any(argument == "--target" or argument.startswith("--target=") for argument in argv):
        from lanewise.tools import fuzz_direct3d9

        return fuzz_direct3d9.main(argv)
    options = parser().parse_args(argv)
    _check(options)
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4))
    watched = options.format != "json"
    if watched:
        print(f"seed {seed}, level {options.level}", file=sys.stderr, flush=True)
    summary = _run(options, seed, work or _work, show=watched)
    if options.format == "json":
        document = {**summary._asdict(), "reasons": dict(summary.reasons.most_common()), "seconds": round(summary.seconds, 3)}
        print(json.dumps(document, indent=2))
    else:
        print(as_text(summary))
    return INPUT_HAS_ERRORS if summary.findings else OK


def _check(options: argparse.Namespace) -> None:
    """Raises UsageError."""
    if options.minutes is not None and not 0 < options.minutes < 1e6:
        raise UsageError("--minutes is a number above 0")
    for name in ("programs", "findings"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            raise UsageError(f"--{name} is at least 1")
    if options.first < 0:
        raise UsageError("--first is at least 0")
    if options.output == STDIO or not Path(options.output).is_dir():
        raise UsageError(f"-o {options.output}: folder not found")
    if options.level != "native":
        from lanewise.llvm.target import host

        try:
            host(options.level)
        except ValueError as error:
            raise UsageError(f"--level {options.level}: {error}") from None


def _run(options: argparse.Namespace, seed: int, work: Work, *, show: bool) -> Summary:
    minutes = options.minutes if options.minutes is not None else 1.0 if options.programs is None else None
    start = time.monotonic()
    until = start + 60 * minutes if minutes is not None else float("inf")
    last = options.first + (options.programs if options.programs is not None else _MANY)
    reasons: Counter[str] = Counter()
    findings: list[dict[str, str | int]] = []
    done = vertices = ended = 0
    interrupted = False
    line = _Line(show)
    number, retried = options.first, -1
    worker = _Worker(work, seed, number, last, options.level)
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        while number < last and len(findings) < options.findings and time.monotonic() < until:
            answer = worker.hear()
            if worker.lost:
                if number == retried:
                    findings.append(_lost(options, seed, number, worker.lost))
                    line.say(f"program {number}: {worker.lost}; see {findings[-1]['file']}")
                    done, number = done + 1, number + 1
                else:  # somebody else may have ended the process
                    line.say(f"program {number}: {worker.lost}; trying once more")
                    retried = number
                worker.stop()
                worker = _Worker(work, seed, number, last, options.level)
            if not isinstance(answer, Done):
                continue
            done, number = done + 1, answer.number + 1
            vertices, ended = vertices + answer.lanes, ended + answer.ended
            if answer.reason:
                reasons[_kind(answer.reason)] += 1
            if answer.difference is not None:
                line.say(f"program {answer.number}: the engines differ, {answer.difference.where}; reducing it ...")
                small = _small(worker, seed, answer)
                findings.append(_written(options, seed, answer.number, small))
                line.say(f"program {answer.number}: {len(small.case.words)} words, see {findings[-1]['file']}")
                if worker.lost:
                    worker.stop()
                    worker = _Worker(work, seed, number, last, options.level)
            line.show(done, time.monotonic() - start, sum(reasons.values()), len(findings))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        signal.signal(signal.SIGTERM, before)
        worker.stop()
        line.clear()
    return Summary(
        seed, options.first, options.level, done, done - sum(reasons.values()), vertices, ended, reasons, findings,
        time.monotonic() - start, interrupted,
    )  # fmt: skip


def _stop(_signal: int, _frame: object) -> NoReturn:
    """SIGTERM is taken as Ctrl-C is."""
    raise KeyboardInterrupt


def _kind(reason: str) -> str:
    """The reason without what is particular to one program."""
    return re.sub(r"\b(0x[0-9a-f]+|\d+)\b", "N", reason.partition(" (")[0])


def _small(worker: _Worker, seed: int, done: Done) -> Small:
    """The reduced case from the worker; the whole one if the reduction crashed it."""
    from lanewise.pica200.engine.random_programs import case

    while not worker.lost:
        heard = worker.hear()
        if isinstance(heard, Small):
            return heard
    assert done.difference is not None
    return Small(case(seed, done.number), done.difference)


def _lost(options: argparse.Namespace, seed: int, number: int, how: str) -> dict[str, str | int]:
    """A finding that crashed the process."""
    from lanewise.pica200.engine.differential import ROOM, Difference
    from lanewise.pica200.engine.random_programs import case

    return _written(options, seed, number, Small(case(seed, number), Difference(how, "comes back", "does not", ROOM)))


def _written(options: argparse.Namespace, seed: int, number: int, small: Small) -> dict[str, str | int]:
    from lanewise.tools.fuzz_case import case_source

    stem = f"fuzz-{seed}-{number}"
    place = Path(options.output) / f"{stem}.v.pica"
    level = "" if options.level == "native" else f" --level {options.level}"
    origin = f"lanewise fuzz --seed {seed} --first {number} --programs 1{level}"
    write_bytes(str(place), case_source(small.case, small.difference, stem, origin).encode())
    return {"program": number, "file": str(place), "words": len(small.case.words), **small.difference._asdict()}


def as_text(summary: Summary) -> str:
    """The summary as text."""
    rate = summary.programs / summary.seconds if summary.seconds else 0.0
    lines = [
        f"{summary.programs} programs in {summary.seconds:.1f} s ({rate:.1f} a second), seed {summary.seed} from {summary.first}, "
        f"level {summary.level}" + (", interrupted" if summary.interrupted else ""),
        f"{summary.vertices} vertices, {summary.ended} of them ran to END",
        f"{summary.compiled} programs were compiled, {sum(summary.reasons.values())} were not:",
    ]
    lines[-1] = lines[-1] if summary.reasons else f"{summary.compiled} programs were compiled, all of them"
    lines += [f"{count:6}  {reason}" for reason, count in summary.reasons.most_common()]
    for finding in summary.findings:
        lines.append(f"program {finding['program']} differs: {finding['where']}, {finding['file']}")
    return "\n".join([*lines, f"{len(summary.findings)} differ" if summary.findings else "no difference"])


class _Line:
    """How far the run is: a line that changes on a terminal, a line every half minute elsewhere."""

    def __init__(self, show: bool) -> None:
        self._show, self._terminal = show, sys.stderr.isatty()
        self._next = time.monotonic() + (0.2 if self._terminal else 30.0)

    def show(self, done: int, seconds: float, given_up: int, findings: int) -> None:
        now = time.monotonic()
        if not self._show or now < self._next:
            return
        self._next = now + (0.5 if self._terminal else 30.0)
        text = f"{done} programs, {done / seconds:.1f} a second, {given_up} not compiled, {findings} differ"
        print(f"\r{text}\x1b[K" if self._terminal else text, end="" if self._terminal else "\n", file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        self.clear()
        if self._show:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._show and self._terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _Worker:
    """A separate process for the programs, because wrong machine code could crash it."""

    def __init__(self, work: Work, seed: int, first: int, last: int, level: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=work, args=(theirs, seed, first, last, level), daemon=True)
        self._process.start()
        theirs.close()
        self._heard = time.monotonic()
        self.lost = ""  # how the process got lost, if it did

    def hear(self) -> object:
        """The next message of the process, None if none arrives within a short time."""
        try:
            if self._connection.poll(0.2):
                answer = self._connection.recv()
                self._heard = time.monotonic()
                return answer
        except (EOFError, OSError):
            self._process.join(5)
            code = self._process.exitcode or 0
            self.lost = f"the process died with {signal.Signals(-code).name if code < 0 else f'exit code {code}'}"
        if not self.lost and time.monotonic() - self._heard > _HANGS:
            self.lost = "the compiled engine does not come back"
        return None

    def stop(self) -> None:
        self._process.terminate()
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
        self._connection.close()


def _work(connection: Connection, seed: int, first: int, last: int, level: str) -> None:
    """The loop of the process: compare, report, reduce."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ["LANEWISE_CACHE"] = "off"  # nobody will run these programs again
    from lanewise.pica200.engine.differential import compare
    from lanewise.pica200.engine.minimise import minimised
    from lanewise.pica200.engine.random_programs import case

    def differs(candidate: Case) -> bool:
        connection.send(None)
        return compare(candidate, level).difference is not None

    for number in range(first, last):
        one = case(seed, number)
        found = compare(one, level)
        connection.send(Done(number, found.reason, one.lanes, found.ended, found.difference))
        if found.difference is not None:
            small = minimised(one, differs)
            again = compare(small, level).difference
            connection.send(Small(small, again or found.difference))
