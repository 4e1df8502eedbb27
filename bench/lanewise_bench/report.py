"""The report of `lanewise bench`: its tables, its JSON document, and where the time of a program goes."""

from __future__ import annotations

import os
import platform
import sys
import time
from importlib.metadata import version
from typing import TYPE_CHECKING

from lanewise.core import files
from lanewise.pica200.package import PICA200
from lanewise.tools.console import OK, InputFailure, UsageError, print_json
from lanewise_bench import measure
from lanewise_bench.cases import CASES

if TYPE_CHECKING:
    import argparse

    from lanewise.pica200.sem.profile import Profile
    from lanewise_bench.bound import Limit
    from lanewise_bench.measure import Bench, Measured

_MOST_VERTICES = 1 << 22


def report(options: argparse.Namespace, read: dict[str, Profile]) -> int:
    """Measure and print what the options of `lanewise bench` ask for. `read` has the profiles of files, by path. Raises
    UsageError, InputFailure."""
    there = [case.name for case in CASES]
    explained = _chosen(options.explain, there, "--explain") if options.explain else []
    names = _chosen(options.case or explained, there, "--case")
    known = measure.PROFILES | read
    profiles = _chosen(options.profile, list(known), "--profile")
    if not 0 < options.vertices <= _MOST_VERTICES or options.vertices % 32:
        raise UsageError(f"--vertices {options.vertices}: expected a multiple of 32, from 32 to {_MOST_VERTICES}")
    show = options.format != "json"
    try:
        bench = measure.Bench(options.level, stream=options.stream, vertices=options.vertices, profiles=known)
    except ValueError as error:
        raise UsageError(f"--level {options.level}: {error}") from None
    moved = measure.bandwidth()
    about = _machine(bench)
    _note("")
    if show:
        print(
            f"{about['processor']}, {bench.target.level}, {about['cores']} cores, load {about['load']:.2f}; copying moves "
            f"{moved / 1e9:.1f} GB/s; {_core(bench)}\n"
        )
        print(_HEAD, flush=True)
    found: list[Measured] = []
    wanted = [(case, profile) for case in CASES if case.name in names for profile in known if profile in profiles]
    for number, (case, profile) in enumerate(wanted):
        _note(f"{number + 1} of {len(wanted)}: {case.name}, {profile}")
        try:
            found.append(bench.measure(case, profile))
        except RuntimeError as error:
            _note("")
            raise InputFailure(str(error)) from None
        _note("")
        if show:
            print(_row(found[-1]), flush=True)
    _note("calls from Python")
    overheads = measure.calls()
    _note("")
    if not show:
        found_there = {
            "machine": about,
            "level": bench.target.level,
            "bytes_per_second": moved,
            "ring": options.vertices,
            "throughputs": bench.throughput.limits(()).own,
            "cases": [one.to_json(moved) for one in found],
            "calls": overheads,
        }
        print_json("bench", found_there, PICA200.name)
        return OK
    print("\n" + "\n".join([_MORE, *(_more(one) for one in found)]))
    if options.stream:
        print("\n" + "\n".join([_STREAMED, *(_streamed(one) for one in found)]))
    for one in found:
        if one.name in explained:
            print("\n" + "\n".join(explanation(one)))
    print(
        f"\na call on 16 vertices: {overheads['batch_16_us']:.1f} us by a prepared batch, {overheads['run_16_us']:.1f} us by "
        "shader.run"
    )
    return OK


def _chosen(given: list[str] | None, there: list[str], option: str) -> list[str]:
    """Raises UsageError for a name that does not exist."""
    for name in given or ():
        if name not in there:
            raise UsageError(f"unknown {option} {name}: use {', '.join(there)}")
    return given or there


_HEAD = (
    f"{'case':17} {'profile':17} {'instr.':>6} {'ns':>7} {'floor':>7} {'x floor':>7} {'by':7} {'width':>5} {'spills':>6} "
    f"{'results':>8} {'moving':>7}  reached"
)


def _row(one: Measured) -> str:
    floors = one.floors
    spills = f"{floors.limit.bound.spills:6.0f}" if floors.limit is not None else f"{one.code.on_stack:6}"
    return (
        f"{one.name:17} {one.profile:17} {one.instructions:6.1f} {one.ns:7.3f} {floors.floor:7.3f} {one.ns / floors.floor:7.2f}"
        f" {floors.reason:7} {one.width:5} {spills} {floors.results:8.3f} {floors.moving:7.3f}"
        f"  {'yes' if one.reached else 'no'}"
    )


_MORE = (
    f"{'case':17} {'profile':17} {'Ginstr/s':>8} {'quick x':>8} {'float32 x':>9} {'exact x':>8} {'reference x':>12}"
    f"  {'compile ms':>12} {'exact':>6}"
)


def _more(one: Measured) -> str:
    return (
        f"{one.name:17} {one.profile:17} {one.instructions / one.ns:8.2f} {one.quick_ns / one.ns:8.2f} "
        f"{one.ns / one.float32_ns:9.2f}"
        f" {one.exact_ns / one.ns:8.2f} {one.reference_ns / one.ns:12,.0f}  {one.compile_ms:6.1f}{one.best_compile_ms:6.1f}"
        f" {one.exact_compile_ms:6.1f}"
    )


_STREAMED = f"{'case':17} {'profile':17} {'a million':>10} {'moving':>7} {'x moving':>9}"


def _streamed(one: Measured) -> str:
    assert one.stream is not None
    whole, moved = one.stream
    return f"{one.name:17} {one.profile:17} {whole:10.2f} {moved:7.2f} {whole / moved:9.2f}"


def explanation(one: Measured) -> list[str]:
    """Lines that say where the time of a case goes."""
    floors, part = one.floors, one.floors.part
    costs = floors.limits.parts.get(part, floors.limits.own)
    shares = floors.shares(one.ns)
    lines = [
        f"{one.name}, {one.profile}: operations for 16 vertices by kind, and the ns of a vertex for which they keep busy",
        f"the part of the processor that limits this kernel ({part})",
        f"  {'kind':16} {'results':>8} {'moving':>8} {'emitted':>8} {'rest':>8} {'ns each':>8} {'ns':>8} {'ns of rest':>11}",
    ]
    for kind in sorted({*floors.needed, *floors.moved, *floors.emitted}):
        needed, moved, emitted = (found.get(kind, 0.0) for found in (floors.needed, floors.moved, floors.emitted))
        each = costs.get(kind, 0.0) / 16
        lines.append(
            f"  {kind:16} {needed:8.1f} {moved:8.1f} {emitted:8.1f} {emitted - needed - moved:8.1f} {each:8.4f} "
            f"{emitted * each:8.3f}"
            f" {(emitted - needed - moved) * each:11.3f}"
        )
    lines += [
        f"  results {shares.results:.3f} ns, moving and converting {shares.moving:.3f}, other operations {shares.other:.3f}: "
        "emitted"
        f" {floors.emitting:.3f}",
        f"  latency, registers in memory, caches {shares.waiting:.3f}: measured {one.ns:.3f}",
        (
            f"  longest chain of a vector {one.longest_ns:.0f} ns, of {one.ns * one.width:.0f} that it takes (rounds of loops "
            "counted once)"
        ),
        f"  machine code: {one.code.instructions} instructions, {one.code.on_stack} of them with a vector on the stack",
        *_bound(floors.limit),
    ]
    return lines


def _bound(limit: Limit | None) -> list[str]:
    """Where a floor is from, by the table of a core."""
    if limit is None:
        return []
    found = limit.bound
    cycles = ", ".join(f"{reason} {spent:.1f}" for reason, spent in found.cycles.items())
    return [
        f"  cycles of a vector of {limit.width}, at least: {cycles}; busiest pipes: {found.pipes} of {limit.core}",
        (
            f"  as they run: {found.instructions:.0f} instructions, {found.spills:.0f} with a vector on the stack; "
            f"{1 / limit.cycle_ns:.2f} cycles in a ns"
        ),
    ]


def _core(bench: Bench) -> str:
    """Whose pipes floors are of."""
    if bench.core is None:
        return "floors: results and moving, as this one has no table of pipes"
    core, known = bench.core
    if known:
        return f"floors: by the pipes of {core.name}"
    return f"floors: by the pipes of {core.name}, as this one has no table"


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
        for line in files.head("/proc/cpuinfo", 1 << 14).decode("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _note(text: str) -> None:
    """Show the current case on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
