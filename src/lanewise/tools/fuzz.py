"""`lanewise fuzz`: random programs of an instruction set on both engines.

Programs on which the engines differ are reduced and written as sources.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core.fuzzing import Compared, Difference, RandomPrograms, Reduced, digest_of
from lanewise.core.record import Record
from lanewise.distributed.campaign import digest_text
from lanewise.distributed.fuzzing import HANGS, as_fuzzing, kind_of, origin, service, targets
from lanewise.packages import look_up
from lanewise.tools import campaign
from lanewise.tools.configuration import Configuration
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    UsageError,
    add_format,
    make_parser,
    print_json,
    print_text,
    write_bytes,
)
from lanewise.tools.fuzz_limits import MANY, add_limits, check_limits, last_line, seconds_of, stoppable
from lanewise.tools.progress_line import Line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    Work = Callable[[Connection, int, int, int, str], None]

LEVELS = ("native", "avx512", "avx2", "sse")

_EPILOG = """Program N of a seed runs again with --seed S --first N --programs 1. A program on which the engines differ is \
reduced and
written as a source that assembles to the same words; its comments have the data, both results and the commands that
reproduce them.

examples:
  lanewise fuzz --minutes 10
  lanewise fuzz --programs 20000 --seed 7
  lanewise fuzz --minutes 60 --level avx2 -o found/
  lanewise fuzz --seed 7 --first 1234 --programs 1
  lanewise fuzz --target direct3d9 --minutes 10
  lanewise fuzz --target shadercore --minutes 10     the compiler for ShaderCore; see --target shadercore --help
  lanewise fuzz --target pica200-opt --minutes 10    the optimiser of the PICA200: each program beside its smaller form
  lanewise fuzz --against ./my_unit --minutes 10     an implementation outside; see --against X --help
  lanewise fuzz --programs 100000 --workers 4 --record night.record     on four processes; the record says what is done
  lanewise fuzz --record night.record --resume --scheduler tcp://10.0.0.1:8786     go on, on a Dask cluster

Exit codes: 0 the engines agree, 1 they differ or a piece failed, 2 wrong usage. Ctrl-C or SIGTERM stops the run and prints \
the summary."""


def parser() -> argparse.ArgumentParser:
    parser = make_parser("lanewise fuzz", "Run random programs on both engines and compare every bit.", _EPILOG)
    add_limits(parser, findings="differing programs")
    parser.add_argument(
        "--level", choices=LEVELS, default="native", help="the vector instructions of the compiled code (default: %(default)s)"
    )
    parser.add_argument(
        "--target",
        choices=targets(),
        default=targets()[0],
        help="the instruction set whose engines are compared (default: %(default)s), for direct3d9 the programs compiled for "
        "ShaderCore too; shadercore compares only those; those with -opt compare programs with what `lanewise opt` makes",
    )
    campaign.add_options(parser)
    add_format(parser)
    return parser


class Summary(Record):
    """The totals of a run."""

    seed: int
    "Seed of the programs."
    first: int
    "Number of the first program."
    level: str
    "Vector instructions of the compiled code."
    programs: int
    "Number of programs."
    compiled: int
    "Number of those that were compiled."
    vertices: int
    "Number of lanes."
    ended: int
    "Number of lanes that ran to the end."
    reasons: Counter[str]
    "Number of programs that were not compiled, by reason."
    findings: list[dict[str, str | int]]
    "Differing programs as plain data, with their files."
    seconds: float
    "Wall time."
    interrupted: bool
    "The user has stopped the run."
    digest: str
    "Sum of hashes of all results: equal for equal programs, in one run or several."


def main(argv: list[str], work: Work | None = None) -> int:
    """`work` is what the process does; tests give another."""
    from lanewise.tools import fuzz_against, fuzz_compiler

    Configuration().of(STDIO)  # what a file says that nothing reads is an error
    if fuzz_against.asks_for_peer(argv):
        return fuzz_against.main(argv)
    if fuzz_compiler.asks_for_compiler(argv):
        return fuzz_compiler.main(argv)
    if any(name == "--target" and target not in targets() for name, target in pairwise(argv)):
        look_up()
    given = next((each for each in argv[:1] if not each.startswith("-")), "")
    if given:
        command = given if "/" in given else f"./{given}"
        raise UsageError(
            f"unexpected argument '{given}': programs are random; `lanewise fuzz --against {command}` compares a unit, "
            f"`lanewise run {given} --trace 0 --against LOG` a shader with another implementation"
        )
    fuzz_against.refuse_alone(argv)
    options = parser().parse_args(argv)
    if options.scheduler is None:  # its workers may have other processors
        _check(options)
    if campaign.wanted(options):
        return campaign.main(options, parser())
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4))
    watched = options.format != "json"
    if watched:
        print(f"seed {seed}, level {options.level}", file=sys.stderr, flush=True)
    with stoppable():
        summary = _run(options, seed, work or partial(_work, options.target), show=watched)
    if options.format == "json":
        totals = {**summary._asdict(), "reasons": dict(summary.reasons.most_common()), "seconds": round(summary.seconds, 3)}
        print_json("fuzz", totals, options.target)
    else:
        print_text(as_text(summary, service(options.target).done) + "\n")
    return INPUT_HAS_ERRORS if summary.findings else OK


def _check(options: argparse.Namespace) -> None:
    """Raises UsageError."""
    check_limits(options)
    if options.level != "native":
        from lanewise.llvm.target import host

        try:
            host(options.level)
        except ValueError as error:
            raise UsageError(f"--level {options.level}: {error}") from None


def _run(options: argparse.Namespace, seed: int, work: Work, *, show: bool) -> Summary:
    start = time.monotonic()
    until = start + seconds_of(options.minutes, options.programs)
    last = options.first + (options.programs or MANY)
    reasons: Counter[str] = Counter()
    findings: list[dict[str, str | int]] = []
    done = vertices = ended = digest = 0
    interrupted = False
    line = Line(show)
    number, retried = options.first, -1
    worker = _Worker(work, seed, number, last, options.level)
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
            if not isinstance(answer, Compared):
                continue
            done, number = done + 1, answer.number + 1
            vertices, ended = vertices + answer.lanes, ended + answer.ended
            digest += digest_of(answer)
            if answer.reason:
                reasons[kind_of(answer.reason)] += 1
            if answer.difference is not None:
                line.say(f"program {answer.number}: the engines differ, {answer.difference.where}; reducing it ...")
                small = _small(options, worker, seed, answer)
                findings.append(_written(options, seed, answer.number, small))
                line.say(f"program {answer.number}: {small.words} words, see {findings[-1]['file']}")
                if worker.lost:
                    worker.stop()
                    worker = _Worker(work, seed, number, last, options.level)
            seconds = time.monotonic() - start
            line.show(
                f"{done} programs, {done / seconds:.1f} a second, {sum(reasons.values())} not compiled, {len(findings)} differ"
            )
    except KeyboardInterrupt:
        interrupted = True
    finally:
        worker.stop()
        line.clear()
    return Summary(
        seed=seed,
        first=options.first,
        level=options.level,
        programs=done,
        compiled=done - sum(reasons.values()),
        vertices=vertices,
        ended=ended,
        reasons=reasons,
        findings=findings,
        seconds=time.monotonic() - start,
        interrupted=interrupted,
        digest=digest_text(digest),
    )


def _service(target: str) -> RandomPrograms:
    """The random programs of a target."""
    try:
        return service(target)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _small(options: argparse.Namespace, worker: _Worker, seed: int, answer: Compared) -> Reduced:
    """The reduced program from the worker; the whole one if reducing it has killed the worker."""
    while not worker.lost:
        heard = worker.hear()
        if isinstance(heard, Reduced):
            return heard
    if answer.difference is None:
        raise ValueError("only a program that differs is reduced")
    place = origin(options.target, seed, answer.number, options.level)
    return _service(options.target).written(seed, answer.number, answer.difference, place)


def _lost(options: argparse.Namespace, seed: int, number: int, how: str) -> dict[str, str | int]:
    """A finding that has taken the process with it."""
    programs = _service(options.target)
    difference = Difference(how, "comes back", "does not", programs.budget)
    place = origin(options.target, seed, number, options.level)
    return _written(options, seed, number, programs.written(seed, number, difference, place))


def _written(options: argparse.Namespace, seed: int, number: int, small: Reduced) -> dict[str, str | int]:
    place = Path(options.output) / f"{origin(options.target, seed, number, options.level).stem}{small.suffix}"
    write_bytes(str(place), small.source.encode())
    return {"program": number, "file": str(place), "words": small.words, **small.difference._asdict()}


def as_text(summary: Summary, did: str = "compiled") -> str:
    """The summary as text. `did`: what is said of programs without a reason."""
    rate = summary.programs / summary.seconds if summary.seconds else 0.0
    lines = [
        f"{summary.programs} programs in {summary.seconds:.1f} s ({rate:.1f} a second), seed {summary.seed} from "
        f"{summary.first}, level {summary.level}" + (", interrupted" if summary.interrupted else ""),
        f"{summary.vertices} lanes, {summary.ended} of them ran to the end",
        f"{summary.compiled} programs were {did}, {sum(summary.reasons.values())} were not:",
    ]
    lines[-1] = lines[-1] if summary.reasons else f"{summary.compiled} programs were {did}, all of them"
    lines += [f"{count:6}  {reason}" for reason, count in summary.reasons.most_common()]
    lines.append(f"digest {summary.digest}")
    for finding in summary.findings:
        lines.append(f"program {finding['program']} differs: {finding['where']}, {finding['file']}")
    return "\n".join([*lines, last_line(summary.programs, len(summary.findings))])


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
        if not self.lost and time.monotonic() - self._heard > HANGS:
            self.lost = "the compiled engine does not come back"
        return None

    def stop(self) -> None:
        self._process.terminate()
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
        self._connection.close()


def _work(target: str, connection: Connection, seed: int, first: int, last: int, level: str) -> None:
    """The work of the process: compare, report, and reduce what differs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    programs = _service(target)
    with as_fuzzing():
        for number in range(first, last):
            found = programs.compare(seed, number, level)
            connection.send(found)
            if found.difference is not None:
                place = origin(target, seed, number, level)
                connection.send(programs.reduce(seed, number, level, place, lambda: connection.send(None)))
