"""`lanewise time`: the cycles of a ShaderCore program, on the specification's device, the public hardware, or another."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import to_json
from lanewise.core.document import Heading, Items, Paragraph, Table, as_text
from lanewise.shadercore.api.streams import KINDS, MOST_STREAMS
from lanewise.shadercore.isa.table import LANES, PIPES
from lanewise.shadercore.isa.timing import time_program, time_waves
from lanewise.shadercore.text.printer import line_of
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    UsageError,
    add_format,
    make_parser,
    print_findings,
    refuse_overwriting,
    use_colour,
    write_bytes,
)
from lanewise.tools.devices import add_device, device_of
from lanewise.tools.shadercore_files import add_from, load
from lanewise.tools.streams import stream_kind

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.document import Block
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.timing import Issue, Timing, WaveTime

NOT_DEFINED = "not defined"

_EPILOG = """examples:
  lanewise time light.sc                               the public hardware
  lanewise time light.sc --device document             what the specification promises
  lanewise time light.scbin --set issue_interval=4     what if
  lanewise time light.sc --vertices 36 --stream float3,float3,d3dcolor
  lanewise time light.sc --svg light.svg --vcd light.vcd
  lanewise time light.sc --json

FILE is a source (.sc), a file with a header, or words in any form. `lanewise isa shadercore --evidence`
says what the fields of a device are. The time to fetch vertices is an estimate and in no total.

Exit codes: 0 fine, 1 the file has errors or the program never ends, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser("lanewise time", "Show when each instruction of a ShaderCore program issues and why it waits.", _EPILOG)
    made.add_argument("file", metavar="FILE", help="a ShaderCore program; - is standard input")
    add_device(made)
    add_from(made)
    made.add_argument(
        "--vertices", type=int, default=LANES, metavar="N", help=f"vertices that are drawn (default: a wave of {LANES})"
    )
    made.add_argument(
        "--stream",
        action="append",
        default=[],
        metavar="TYPES",
        help="types of the inputs, for the estimate of fetching: float1-4, d3dcolor, with commas; or NAME=TYPE:FILE as for lanewise run",
    )
    made.add_argument("--svg", metavar="FILE", help="also draw the quads over the cycles")
    made.add_argument("--vcd", metavar="FILE", help="also write a waveform, one nanosecond for each cycle")
    made.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")
    add_format(made)
    return made


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    if options.vertices < 1:
        raise UsageError(f"--vertices {options.vertices}: draw at least one")
    stream = _stream(options.stream)
    device = device_of(options)
    outputs = [path for path in (options.svg, options.vcd) if path is not None]
    if outputs.count(STDIO) + (options.format == "json") > 1:
        raise UsageError("two results want standard output: name files")
    refuse_overwriting([options.file], outputs)
    loaded = load(options.file, options.form)
    program, found = loaded.program, loaded.diagnostics
    if program is None:
        print_findings(found, options.format, sys.stdout if options.format == "json" else None)
        return INPUT_HAS_ERRORS
    timing = time_program(program.insts, device)
    wave = time_waves(timing, options.vertices, stream)
    name = "<stdin>" if options.file == STDIO else options.file
    if options.svg is not None:
        from lanewise.tools.timeline import as_svg

        write_bytes(options.svg, as_svg(timing, f"{name} on {device.describe()}").encode())
    if options.vcd is not None:
        from lanewise.tools.vcd import as_vcd

        write_bytes(options.vcd, as_vcd(timing).encode())
    if options.format == "json":
        print(json.dumps(data(timing, wave, program, found, bool(stream)), indent=2))
    else:
        print_findings(found)
        if STDIO not in outputs:
            print(as_text(page(timing, wave, program, name, bool(stream)), colour=use_colour(sys.stdout)), end="")
    return OK if timing.ended else INPUT_HAS_ERRORS


def _stream(texts: Sequence[str]) -> list[tuple[int, bool]]:
    """(DWORDs, whether it is a D3DCOLOR) of each input. Raises UsageError."""
    kinds: list[str] = []
    for text in texts:
        # of what `lanewise run` takes the type alone counts
        kinds += [text.partition("=")[2].partition(":")[0]] if "=" in text else text.split(",") if text else []
    found: list[tuple[int, bool]] = []
    for text in kinds:
        kind = stream_kind(text)
        if kind is None:
            raise UsageError(f"--stream: there is no type '{text.strip()}': use {', '.join(KINDS)}")
        found.append((KINDS[kind].dwords, KINDS[kind].color))
    if len(found) > MOST_STREAMS:
        raise UsageError(f"--stream: there are {MOST_STREAMS} inputs, here are {len(found)}")
    return found


def shown(cycles: int | None) -> str:
    return NOT_DEFINED if cycles is None else str(cycles)


def why(issue: Issue, program: Program) -> str:
    """What an instruction waited for, in words; empty where it did not."""
    if not issue.stalls:
        return ""
    parts: list[str] = []
    if issue.output_stalls:
        parts.append(f"{issue.output_stalls} for the write port")
    if issue.input_stalls:
        parts.append(f"{issue.input_stalls} for a source")
    behind = ", ".join(f"{number} {program.insts[number].op.name}" for number in issue.waits_for)
    return f"{' and '.join(parts)}: behind {behind}"


def problems(timing: Timing) -> list[str]:
    """What is to be said of a program besides its cycles."""
    said: list[str] = []
    if timing.hangs is not None:
        said.append(
            f"instruction {timing.hangs} never issues: it names x7.x as a source, which idle write slots write for ever. The core hangs; use another register."
        )
    elif not timing.ended:
        said.append(
            "there is no end: the core runs on into the slots behind the program, which nobody can time. Write `end` behind the last instruction."
        )
    for earlier, later in timing.overtaken[:8]:
        said.append(
            f"instructions {earlier} and {later} write one register and the result of {earlier} is not there first: which one stays is {NOT_DEFINED}."
        )
    return said


def page(timing: Timing, wave: WaveTime, program: Program, name: str, streams: bool) -> list[Block]:
    rows = tuple(
        (
            str(issue.number),
            str(issue.cycle),
            str(issue.latency),
            str(issue.stalls) if issue.stalls else "",
            line_of(program.words[issue.number]),
            why(issue, program),
        )
        for issue in timing.issues
    )
    total = timing.total_cycles
    whole = (
        (
            "one wave",
            f"{shown(total)} cycles: {shown(timing.run_cycles)} until end has issued, {shown(timing.drain_cycles)} to write what is left",
        ),
        ("stalls", f"{timing.output_stalls} for the write port, {timing.input_stalls} for sources"),
    )
    draw = (
        ("waves", f"{wave.waves} for {wave.vertices} vertices"),
        ("set up", shown(wave.setup)),
        ("run", shown(wave.run)),
        ("export", shown(wave.export)),
        ("next vertices", shown(wave.batch)),
        ("all", shown(wave.total)),
        ("fetch", _fetch_text(wave, streams)),
    )
    said = problems(timing)
    return [
        Heading(1, f"{name} on {timing.device.describe()}"),
        *([Items(tuple(("", text) for text in said))] if said else []),
        Table(("slot", "issues", "latency", "stall", "instruction", "waited"), rows),
        Heading(2, "Time"),
        Items(whole),
        Heading(2, "Pipes"),
        Table(("pipe", "quads", "of the run"), tuple(_pipes(timing))),
        Heading(2, "Draw"),
        Items(draw),
        *([] if streams else [Paragraph("`--stream float3,...` gives the types of the inputs for the estimate of fetching.")]),
    ]  # fmt: skip


def _fetch_text(wave: WaveTime, streams: bool) -> str:
    if not streams:
        return "no types of inputs given"
    if wave.fetch is None:
        return NOT_DEFINED
    return f"about {wave.fetch}, if all is in the cache: read from the hardware description, not measured, and not in the sum"


def _pipes(timing: Timing) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    for pipe in PIPES:
        busy = timing.occupancy(pipe)
        if busy:
            share = f"{100 * busy / timing.total_cycles:.1f} %" if timing.total_cycles else NOT_DEFINED
            rows.append((pipe, str(busy), share))
    return rows


def data(timing: Timing, wave: WaveTime, program: Program, found: Sequence[Diagnostic], streams: bool) -> dict[str, object]:
    """All of it as plain values; null is: not defined."""
    return {
        "device": timing.device.describe(),
        "issue_cycle": [issue.cycle for issue in timing.issues],
        "o_stalls": timing.output_stalls,
        "i_stalls": timing.input_stalls,
        "run_cycles": timing.run_cycles,
        "drain_cycles": timing.drain_cycles,
        "total_cycles": timing.total_cycles,
        "hangs": timing.hangs,
        "ends": timing.ended,
        "instructions": [
            {
                "slot": issue.number,
                "text": line_of(program.words[issue.number]),
                "issue": issue.cycle,
                "latency": issue.latency,
                "starts": list(timing.starts(issue)),
                "waited": issue.waited,
                "o_stalls": issue.output_stalls,
                "i_stalls": issue.input_stalls,
                "waits_for": list(issue.waits_for),
            }
            for issue in timing.issues
        ],
        "pipes": {pipe: timing.occupancy(pipe) for pipe in PIPES},
        "overtaken": [list(pair) for pair in timing.overtaken],
        "draw": {
            "vertices": wave.vertices,
            "waves": wave.waves,
            "setup_cycles": wave.setup,
            "run_cycles": wave.run,
            "export_cycles": wave.export,
            "batch_cycles": wave.batch,
            "total_cycles": wave.total,
            "fetch_estimate": wave.fetch if streams else None,
        },
        "diagnostics": [to_json(finding) for finding in found],
    }
