"""`lanewise fuzz --target shadercore`: fuzz the compiler.

Random Direct3D 9 shaders are compiled for a device and compared with themselves.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.compile.shadercore.random_cases import case_of, outcome
from lanewise.compile.shadercore.random_compiled import device_described
from lanewise.core.record import Record
from lanewise.direct3d9.api.services.fuzz import data_lines
from lanewise.direct3d9.engine.reduce import reduced
from lanewise.direct3d9.text.printer import print_shader
from lanewise.distributed.fuzzing import COMPILED
from lanewise.shadercore.isa.devices import DEVICES
from lanewise.tools import campaign
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    UsageError,
    add_format,
    make_parser,
    print_json,
    print_text,
    write_bytes,
)
from lanewise.tools.devices import device_of
from lanewise.tools.fuzz_limits import MANY, add_limits, check_limits, last_line, seconds_of, stoppable
from lanewise.tools.progress_line import Line

if TYPE_CHECKING:
    import argparse

    from lanewise.direct3d9.engine.random_programs import Case
    from lanewise.shadercore.isa.devices import Device

_EPILOG = """Each random shader is compiled for a device and runs there; the shader itself runs under the number rule of the \
device. All
bits must agree, except where a routine replaces an instruction that the device lacks. A shader whose results differ is reduced
and written as a source; its comments have the data.

examples:
  lanewise fuzz --target shadercore --minutes 10
  lanewise fuzz --target shadercore --device document --programs 2000 --seed 7
  lanewise fuzz --target shadercore --seed 1234 --programs 1

Exit codes: 0 all agree, 1 results differ, 2 wrong usage. Ctrl-C or SIGTERM stops the run and prints the summary."""


def asks_for_compiler(argv: list[str]) -> bool:
    """Whether a command line asks for the compiler."""
    given = [after for before, after in pairwise(argv) if before == "--target"]
    given += [argument.partition("=")[2] for argument in argv if argument.startswith("--target=")]
    return not set(COMPILED).isdisjoint(given)


def parser() -> argparse.ArgumentParser:
    parser = make_parser(
        "lanewise fuzz --target shadercore", "Compile random Direct3D 9 shaders and compare every bit.", _EPILOG
    )
    parser.add_argument(
        "--target", choices=list(COMPILED), default=next(iter(COMPILED)), help="the instruction set to compile for"
    )
    add_limits(parser, seed="the number of the first program (default: random)")
    parser.add_argument(
        "--device", metavar="NAME", default="", help="document, rtl, or a TOML file (default: both alternately)"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="another value for a device parameter; commas between several",
    )
    campaign.add_options(parser)
    add_format(parser)
    return parser


class Summary(Record):
    """The totals of a run."""

    seed: int
    "Seed of the programs."
    programs: int
    "Number of programs."
    exact: int
    "Number of programs without routines."
    routines: int
    "Number of programs with routines."
    refused: dict[str, int]
    "Number of programs that do not fit, by code of the finding."
    findings: list[dict[str, str | int]]
    "Differing programs as plain data, with their files."
    seconds: float
    "Wall time."
    interrupted: bool
    "The user has stopped the run."


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    if campaign.wanted(options):
        return campaign.main(options, parser(), _described(options))
    check_limits(options)
    devices = _devices(options)
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(3))
    if options.format == "text":
        print(f"seed {seed}", file=sys.stderr, flush=True)
    with stoppable():
        summary = _run(options, devices, seed)
    if options.format == "json":
        print_json("fuzz", {**summary._asdict(), "seconds": round(summary.seconds, 3)}, options.target)
    else:
        print_text(as_text(summary) + "\n")
    return INPUT_HAS_ERRORS if summary.findings else OK


def _devices(options: argparse.Namespace) -> list[Device]:
    if options.device:
        return [device_of(options)]
    if not options.set:
        return list(DEVICES.values())
    raise UsageError("--set changes a device: say which, --device document or rtl")


def _described(options: argparse.Namespace) -> list[str]:
    """The devices as a campaign names them. Raises UsageError."""
    found: list[str] = []
    for device in _devices(options):
        found.append(device.describe())
        if device.added or device_described(found[-1]).differences(device):
            raise UsageError(f"--device {options.device}: several processes take document or rtl, with --set")
    return found


def _run(options: argparse.Namespace, devices: list[Device], seed: int) -> Summary:
    start = time.monotonic()
    counts: Counter[str] = Counter()
    findings: list[dict[str, str | int]] = []
    until = start + seconds_of(options.minutes, options.programs)
    line = Line(options.format != "json")
    done, interrupted = 0, False
    try:
        while done < (options.programs or MANY) and not findings and time.monotonic() < until:
            number = seed + done
            device = devices[number % len(devices)]
            case = case_of(number)
            found = outcome(case, device)
            done += 1
            counts[found.refused or ("exact" if found.exact else "routines")] += 1
            if found.wrong:
                findings.append(_written(options, case, device, number))
            line.show(f"{done} programs, {done / (time.monotonic() - start):.1f} a second")
    except KeyboardInterrupt:
        interrupted = True
    line.clear()
    refused = {code: count for code, count in counts.items() if code not in ("exact", "routines")}
    return Summary(
        seed=seed,
        programs=done,
        exact=counts["exact"],
        routines=counts["routines"],
        refused=refused,
        findings=findings,
        seconds=time.monotonic() - start,
        interrupted=interrupted,
    )


def _written(options: argparse.Namespace, case: Case, device: Device, number: int) -> dict[str, str | int]:
    small = reduced(case, lambda candidate: outcome(candidate, device).wrong)
    (first, *_) = outcome(small, device).differences
    place = Path(options.output) / f"fuzz-{number}-{device.name}.vsa"
    lines = [
        f"Compiled for {device.describe()} it gives other bits: {first}",
        f"Found by: lanewise fuzz --target shadercore --seed {number} --programs 1 --device {device.name}",
    ]
    lines += data_lines(small)
    text = "".join(f"// {line}\n" for line in lines) + print_shader(small.shader)
    write_bytes(str(place), text.encode())
    return {"program": number, "device": device.describe(), "file": str(place), "difference": str(first)}


def as_text(summary: Summary) -> str:
    """The summary as text."""
    rate = summary.programs / summary.seconds if summary.seconds else 0.0
    refused = ", ".join(f"{count} {code}" for code, count in sorted(summary.refused.items())) or "none"
    lines = [
        f"{summary.programs} programs in {summary.seconds:.1f} s ({rate:.1f} a second), from seed {summary.seed}"
        + (", interrupted" if summary.interrupted else ""),
        (
            f"{summary.exact + summary.routines} compared bit for bit, {summary.routines} of them with routines, refused: "
            f"{refused}"
        ),
    ]
    lines += [f"program {f['program']} differs on {f['device']}: {f['difference']}; see {f['file']}" for f in summary.findings]
    return "\n".join([*lines, last_line(summary.programs, len(summary.findings))])
