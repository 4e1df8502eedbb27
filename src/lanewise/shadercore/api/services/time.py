"""`lanewise time` for ShaderCore programs, on any device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import to_json
from lanewise.core.document import Heading, Items, Paragraph, Table
from lanewise.core.service import STDIO, Answer, UsageError
from lanewise.core.text.counting import counted
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.api.services.streams import stream_kind
from lanewise.shadercore.api.streams import KINDS, MOST_STREAMS
from lanewise.shadercore.isa.codec import encode
from lanewise.shadercore.isa.table import LANES, PIPES
from lanewise.shadercore.isa.timing import time_program, time_waves
from lanewise.shadercore.text.printer import line_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.document import Block
    from lanewise.core.service import Request
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.timing import Issue, Timing, WaveTime

NOT_DEFINED = "not defined"
HEAD = ("slot", "issues", "latency", "stall", "instruction", "waited")


def timed(request: Request, program: Program, found: Sequence[Diagnostic]) -> Answer:
    """The cycles of a program, with a picture and a waveform where asked for. Raises UsageError, InputFailure."""
    vertices = request.integer("vertices", LANES)
    if vertices < 1:
        raise UsageError(f"--vertices {vertices}: expected at least 1")
    stream = _stream(request.texts("stream"))
    device = device_of(request)
    outputs = [request.text(key) for key in ("svg", "vcd") if request.has(key)]
    if outputs.count(STDIO) + request.as_json > 1:
        raise UsageError("--svg and --vcd both want standard output: name a file for one of them")
    timing = time_program(program.insts, device)
    wave = time_waves(timing, vertices, stream)
    files: list[tuple[str, bytes]] = []
    if request.has("svg"):
        from lanewise.shadercore.api.services.timeline import as_svg

        files.append((request.text("svg"), as_svg(timing, f"{request.name} on {device.describe()}").encode()))
    if request.has("vcd"):
        from lanewise.shadercore.api.services.vcd import as_vcd

        files.append((request.text("vcd"), as_vcd(timing).encode()))
    return Answer(
        data(timing, wave, program, found, bool(stream)) if request.as_json else {},
        () if request.as_json else tuple(page(timing, wave, program, request.name, bool(stream))),
        first=tuple(found),
        files=tuple(files),
        failed=not timing.ended,
    )


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
            raise UsageError(f"--stream: unknown type '{text.strip()}': use {', '.join(KINDS)}")
        found.append((KINDS[kind].dwords, KINDS[kind].color))
    if len(found) > MOST_STREAMS:
        raise UsageError(f"--stream: found {len(found)} inputs, expected at most {MOST_STREAMS}")
    return found


def shown(cycles: int | None) -> str:
    return NOT_DEFINED if cycles is None else str(cycles)


def why(issue: Issue, timing: Timing) -> str:
    """The reason why an instruction waited; empty if it did not."""
    if not issue.stalls:
        return ""
    parts: list[str] = []
    if issue.output_stalls:
        parts.append(f"{issue.output_stalls} for the write port")
    if issue.input_stalls:
        parts.append(f"{issue.input_stalls} for a source")
    behind = ", ".join(f"{number} {timing.insts[number].op.name}" for number in issue.waits_for)
    return f"{' and '.join(parts)}: after {behind}"


def problems(timing: Timing) -> list[str]:
    """Warnings about a program, besides its cycles."""
    messages: list[str] = []
    if timing.hangs is not None:
        messages.append(
            f"instruction {timing.hangs} never issues: it reads x7.x, which idle write slots write continuously. The core hangs: use another register."
        )
    elif not timing.ended:
        messages.append(
            "the program has no end: the core runs on into unknown slots, whose time is not defined. Add `end` after the last instruction."
        )
    for earlier, later in timing.overtaken[:8]:
        messages.append(
            f"instructions {earlier} and {later} write the same register, and the result of {earlier} does not arrive first: the final value is {NOT_DEFINED}."
        )
    return messages


def rows(timing: Timing) -> list[tuple[str, ...]]:
    """A row under `HEAD` for each instruction."""
    found = [
        (
            str(issue.number),
            str(issue.cycle),
            str(issue.latency),
            str(issue.stalls) if issue.stalls else "",
            line_of(encode(timing.insts[issue.number])),
            why(issue, timing),
        )
        for issue in timing.issues
    ]
    if timing.hangs is not None:
        found.append((str(timing.hangs), "never", "", "", line_of(encode(timing.insts[timing.hangs])), "for x7.x"))
    return found


def page(timing: Timing, wave: WaveTime, program: Program, name: str, streams: bool) -> list[Block]:
    top = [
        Heading(1, f"{name} on {timing.device.describe()}"),
        *([Items(tuple(("", text) for text in messages))] if (messages := problems(timing)) else []),
        Table(HEAD, tuple(rows(timing))),
        Heading(2, "Time"),
    ]
    stalls = ("stalls", f"{timing.output_stalls} for the write port, {timing.input_stalls} for sources")
    if not timing.ended:
        return [*top, Items((("one wave", "never ends"), stalls))]
    whole = (
        (
            "one wave",
            f"{shown(timing.total_cycles)} cycles: {shown(timing.run_cycles)} until end issues, {shown(timing.drain_cycles)} for the remaining writes",
        ),
        stalls,
    )
    draw = (
        ("waves", f"{wave.waves} for {counted(wave.vertices, 'vertex', 'vertices')}"),
        ("set up", shown(wave.setup)),
        ("run", shown(wave.run)),
        ("export", shown(wave.export)),
        ("next vertices", shown(wave.batch)),
        ("fetch", _fetch_text(wave, timing.device, streams)),
        ("all", _total_text(wave, streams)),
    )
    return [
        *top,
        Items(whole),
        Heading(2, "Pipes"),
        Table(("pipe", "quads", "of the run"), tuple(_pipes(timing))),
        Heading(2, "Draw"),
        Items(draw),
        *([] if streams else [Paragraph("`--stream float3,...` gives the input types for the time of the fetch.")]),
    ]  # fmt: skip


def _fetch_text(wave: WaveTime, device: Device, streams: bool) -> str:
    if not streams:
        return "unknown: no input types given"
    if wave.fetch is None:
        return NOT_DEFINED
    miss = device.defined_cycles("fetch_miss")
    more = "a miss takes longer" if miss is None else f"each miss adds {miss} cycles and the latency of the memory"
    return f"{wave.fetch} if the cache has all data; {more}"


def _total_text(wave: WaveTime, streams: bool) -> str:
    if wave.total is None:
        return NOT_DEFINED
    if not streams or wave.fetch is None:
        return f"{wave.total} without the fetch"
    return f"{wave.total + wave.fetch} with the fetch if the cache has all data, {wave.total} without it"


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
            "fetch_miss_cycles": timing.device.defined_cycles("fetch_miss"),
        },
        "diagnostics": [to_json(finding) for finding in found],
    }
