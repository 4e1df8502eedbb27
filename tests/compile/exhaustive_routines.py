"""The errors of the routines over all mantissas and the exponents that matter, on each device, and what they cost.

    python -m compile.exhaustive_routines              compute all and compare with routine_bounds.json
    python -m compile.exhaustive_routines --write      write that file and the table of docs/compiler-routines.md anew
    python -m compile.exhaustive_routines rtl --case rsq --processes 4

Run in the folder `tests`, or as `nox -s exhaustive`. Each line has the worst error as a power of two, and the input that has
it.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from compile.bounds import (
    BY_NAME,
    COSTS,
    DEVICES,
    EACH,
    POWER_BOUND,
    RECORD,
    SIGMAS,
    AnySigma,
    Span,
    Worst,
    recorded,
    sigmas,
    worst_of,
)
from compile.recorder import record
from compile.table import write_table
from lanewise.shadercore.sem.routines import Routines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.shadercore.isa.devices import Device

_PIECE = 1 << 16
Job = tuple[str, str, tuple[Span, ...]]


def _pieces(span: Span) -> Iterator[Span]:
    for first in range(span.first, span.end, _PIECE * span.step):
        yield Span(first, min(first + _PIECE * span.step, span.end), span.step, span.picks)


def _jobs(device: str, case: str) -> Iterator[Job]:
    each = EACH.get(device, 17)
    spans = [Span(span.first, span.end, span.step * each, span.picks) for span in BY_NAME[case].spans]
    pieces = [piece for span in spans for piece in _pieces(span)]
    for first in range(0, len(pieces), 16):
        yield device, case, tuple(pieces[first : first + 16])


def _worst(job: Job) -> Worst:
    device, case, spans = job
    found = Worst(-1.0, 0, 0)
    for span in spans:
        patterns = np.arange(span.first, span.end, span.step, dtype=np.int64).astype(np.uint32)
        found = max(found, worst_of(DEVICES[device], BY_NAME[case], patterns, span.picks))
    return found


def _power_job(job: tuple[str, int]) -> tuple[float, int, int]:
    """The worst |a|**b for a piece of the mantissas from 1/2 to 2, with exponents that bring the result near the ends of the
    range."""
    name, first = job
    device = DEVICES[name]
    rng = np.random.default_rng(first)
    a = np.arange(first, first + _PIECE, EACH.get(name, 17), dtype=np.int64).astype(np.uint32)
    log = np.log2(a.view(np.float32).astype(np.float64))
    m = AnySigma(device)
    worst = (-1.0, 0, 0)
    for target in (127.99, -125.99):
        with np.errstate(divide="ignore", over="ignore"):
            b = (target * (1 - 0.02 * rng.random(len(a)) ** 2) / log).astype(np.float32)
        found = Routines(m, device, m.constant).power(a, b.view(np.uint32)).view(np.float32).astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            true = np.exp2(b.astype(np.float64) * log)
            error = np.abs(found / true - 1)
        error[~np.isfinite(b) | (true < 2.0**-126) | (true > 3.4e38)] = 0
        error[np.isnan(error)] = np.inf
        place = int(np.argmax(error))
        worst = max(worst, (float(error[place]), int(a[place]), int(b.view(np.uint32)[place])))
    return worst


def _costs(device: Device, name: str) -> dict[str, Any]:
    made = record(device, name, COSTS[name])
    return {"slots": len(made.insts), "cycles": made.cycles, "constants": len(made.constants)}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("devices", nargs="*", choices=[*DEVICES, []], help="the devices, all by default")
    parser.add_argument("--case", action="append", choices=[*BY_NAME, "power"], help="the routines, all by default")
    parser.add_argument("--write", action="store_true", help="write the record anew")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    given = parser.parse_args(arguments)
    found = recorded() if RECORD.is_file() else {}
    assert sigmas() == SIGMAS
    differs = False
    with multiprocessing.Pool(given.processes) as pool:
        for device in given.devices or DEVICES:
            before = found.get(device, {})
            figures = {name: _costs(DEVICES[device], name) for name in COSTS}
            for name in (*BY_NAME, "power"):
                start = time.perf_counter()
                if given.case and name not in given.case:
                    figures[name] = before.get(name, {}) | figures[name]
                    continue
                if name == "power":
                    size, a, b = max(
                        pool.imap_unordered(_power_job, [(device, n) for n in range(0x3F000000, 0x40000000, _PIECE)])
                    )
                    figures[name] |= _told(size, POWER_BOUND) | {"input": f"{a:08X} {b:08X}"}
                else:
                    worst = max(pool.imap_unordered(_worst, list(_jobs(device, name))))
                    told = _told(worst.error, BY_NAME[name].bound)
                    figures[name] |= told | {"input": f"{worst.pattern:08X}", "pick": worst.pick}
                _say(device, name, figures[name], start)
            differs |= found.get(device) != figures
            found[device] = figures
    if given.write:
        RECORD.write_text(json.dumps(found, indent=1) + "\n")
        write_table(found)
        return 0
    if differs:
        print("the record differs: run again with --write, and read the difference")
    return int(differs)


def _told(error: float, bound: float) -> dict[str, Any]:
    return {"error": error, "power": round(math.log2(error), 2) if error else None, "bound": bound}


def _say(device: str, name: str, figures: dict[str, Any], start: float) -> None:
    mark = "" if figures["error"] <= figures["bound"] else "  MISSES ITS BOUND"
    seconds = time.perf_counter() - start
    print(
        f"{device}: {name} 2^{figures['power']} at {figures['input']}, {figures.get('slots')} slots, {seconds:.0f} s{mark}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
