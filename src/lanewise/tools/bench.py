"""`lanewise bench`: benchmark the compiled engine."""

from __future__ import annotations

import os
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.pica200.package import PICA200
from lanewise.tools.console import OK, InputFailure, UsageError, add_format, make_parser, print_json

if TYPE_CHECKING:
    import argparse

    from lanewise.tools.measure import Bench, Measured

LEVELS = ("native", "avx512", "avx2", "sse")

_EPILOG = """Batches of 1,024 vertices run repeatedly as machine code on one thread, data transfer included; the best of 40 samples
counts. Each case is first compared with the reference engine. Columns:
  ns          time per vertex, in nanoseconds
  Ginstr/s    billions of shader instructions per second
  memory      data read and written, relative to the speed of a memory copy; batches stay in the cache, so it can exceed 100 %
  x float32   time relative to plain float32 (the profile azahar)
  exact x     time of the exact kernel, which computes vectors with special values, relative to this one
  reference x time of the reference engine relative to this one

Compare ratios of one run: times depend on the machine and on its load.

examples:
  lanewise bench
  lanewise bench --case loop16 --case branchy --level avx2
  lanewise bench --stream
  lanewise bench --format json > bench.json"""


def parser() -> argparse.ArgumentParser:
    parser = make_parser("lanewise bench", "Measure the compiled engine on seven programs.", _EPILOG)
    parser.add_argument("--case", action="append", metavar="NAME", help="run only this program; may be repeated")
    parser.add_argument(
        "--profile",
        action="append",
        metavar="NAME",
        help="run only this profile: hardware, rounding=nearest or azahar; may be repeated",
    )
    parser.add_argument(
        "--level", choices=LEVELS, default="native", help="the vector instructions of the compiled code (default: %(default)s)"
    )
    parser.add_argument(
        "--stream", action="store_true", help="also run a million vertices, and a kernel that only moves the same data"
    )
    add_format(parser)
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")
    return parser


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    from lanewise.tools import measure
    from lanewise.tools.bench_cases import CASES

    names = _chosen(options.case, [case.name for case in CASES], "--case")
    profiles = _chosen(options.profile, list(measure.PROFILES), "--profile")
    show = options.format != "json"
    try:
        bench = measure.Bench(options.level, stream=options.stream)
    except ValueError as error:
        raise UsageError(f"--level {options.level}: {error}") from None
    moved = measure.bandwidth()
    about = _machine(bench)
    if show:
        print(
            f"{about['processor']}, {bench.target.level}, {about['cores']} cores, load {about['load']:.2f}; copying moves {moved / 1e9:.1f} GB/s\n"
        )
        print(_HEAD + ("  stream   move  x move" if options.stream else ""), flush=True)
    found: list[Measured] = []
    wanted = [(case, profile) for case in CASES if case.name in names for profile in measure.PROFILES if profile in profiles]
    for number, (case, profile) in enumerate(wanted):
        _note(f"{number + 1} of {len(wanted)}: {case.name}, {profile}")
        try:
            found.append(bench.measure(case, profile))
        except RuntimeError as error:
            _note("")
            raise InputFailure(str(error)) from None
        _note("")
        if show:
            print(_row(found[-1], moved), flush=True)
    _note("calls from Python")
    overheads = measure.calls()
    _note("")
    if show:
        print(
            f"\na call on 16 vertices: {overheads['batch_16_us']:.1f} us by a prepared batch, {overheads['run_16_us']:.1f} us by shader.run"
        )
        return OK
    found_there = {
        "machine": about, "level": bench.target.level, "bytes_per_second": moved, "ring": measure.RING,
        "cases": [one.to_json(moved) for one in found], "calls": overheads,
    }  # fmt: skip
    print_json("bench", found_there, PICA200.name)
    return OK


def _chosen(given: list[str] | None, there: list[str], option: str) -> list[str]:
    """Raises UsageError for a name that does not exist."""
    for name in given or ():
        if name not in there:
            raise UsageError(f"unknown {option} {name}: use {', '.join(there)}")
    return given or there


_HEAD = (
    f"{'case':17} {'profile':17} {'instr.':>6} {'ns':>7} {'Ginstr/s':>9} {'memory':>7} {'x float32':>10} {'exact x':>8} {'reference x':>12}"
    f" {'compile ms':>11}"
)


def _row(one: Measured, moved: float) -> str:
    values = one.to_json(moved)
    line = (
        f"{one.name:17} {one.profile:17} {one.instructions:6.1f} {one.ns:7.3f} {float(values['instructions_per_second']) / 1e9:9.2f}"
        f" {float(values['bandwidth_share']):7.0%} {float(values['times_float32']):10.2f} {float(values['times_exact']):8.2f}"
        f" {float(values['times_reference']):12,.0f} {one.compile_ms:5.1f}{one.exact_compile_ms:6.1f}"
    )
    if one.stream is not None:
        line += f" {one.stream[0]:7.2f} {one.stream[1]:6.2f} {one.stream[0] / one.stream[1]:7.2f}"
    return line


def _machine(bench: Bench) -> dict[str, str | int | float]:
    """Where and with what this is measured."""
    return {
        "processor": _processor(),
        "target": bench.target.cpu,
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 1,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else -1.0,
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        **{name: version(name) for name in ("lanewise", "numpy", "llvmlite")},
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _note(text: str) -> None:
    """Show the current case on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
