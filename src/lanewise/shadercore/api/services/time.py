"""`lanewise time` for ShaderCore programs, on any device."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError, has_errors, to_json
from lanewise.core.document import Heading, Items, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import STDIO, Answer, UsageError
from lanewise.core.suffixes import refused
from lanewise.core.text.counting import counted
from lanewise.shadercore.api.reordering import reordered
from lanewise.shadercore.api.services import floors
from lanewise.shadercore.api.services.devices import compiled_for, device_of
from lanewise.shadercore.api.services.streams import (
    has_file,
    indices_of,
    read_streams,
    refuse_several,
    stream_kind,
    unknown_kind,
)
from lanewise.shadercore.api.services.waits import register_name, why
from lanewise.shadercore.api.streams import (
    KINDS,
    MOST_INDEX,
    MOST_STREAMS,
    check_streams,
    descriptor_of,
    fetch,
    pairs_of_words,
    time_streams,
)
from lanewise.shadercore.api.surprises import of_device
from lanewise.shadercore.isa.devices import BY_KEY, DOCUMENT, RTL, nearest
from lanewise.shadercore.isa.floors import floor_of, memory_floor
from lanewise.shadercore.isa.paces import INTERVAL, LATENCY, PACE_PARAMETERS
from lanewise.shadercore.isa.parameters import CHOSEN
from lanewise.shadercore.isa.schedule import depends_on_cycles, idle_nops
from lanewise.shadercore.isa.table import BY_NAME, LANES
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.isa.vertex_cache import Descriptor
from lanewise.shadercore.text.printer import line_of_inst, print_program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.document import Block
    from lanewise.core.service import Request
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.floors import Floor, MemoryFloor
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.schedule import Reordering
    from lanewise.shadercore.isa.timing import Timing, WaveTime

NOT_DEFINED = "not defined"
HEAD = ("slot", "issues", "latency", "stall", "instruction", "waited")


class Timed(Record):
    """The results that an answer shows."""

    program: Program
    "The program in its own order."
    timing: Timing
    "The issues of one wave of the program."
    wave: WaveTime
    "The cycles of all waves of the draw."
    reordering: Reordering | None
    "A faster order; None where none was found."
    streams: bool
    "The request has input types or files (`--stream`)."
    floor: Floor | None
    "The least cycles of a wave of these instructions; None for a program that does not end."
    memory: MemoryFloor | None
    "The least cycles of the fetch of the draw; None without input types, and where the device does not define them."


def timed(request: Request, subject: ShaderCoreProgram, found: Sequence[Diagnostic]) -> Answer:
    """The cycles of a program, with a picture and a waveform where asked for. Raises UsageError, InputFailure, InputError."""
    device = _device(request)
    program, beside = subject.program, subject.beside
    streams, vertices, indices, warnings = _draw(request, device)
    wanting = [f"--{key}" for key in ("svg", "vcd", "reordered") if request.has(key) and request.text(key) == STDIO]
    wanting += ["--format json"] if request.as_json else []
    if len(wanting) > 1:
        raise UsageError(f"{wanting[0]} and {wanting[1]} both want standard output: name a file for one of them")
    for key, suffix in (("svg", ".svg"), ("vcd", ".vcd")):
        if message := refused(request.text(key), (suffix,)):
            raise UsageError(f"--{key} {message}")
    if request.text("reordered").lower().endswith((".scb", ".scbin")):
        raise UsageError(
            f"--reordered {request.text('reordered')}: source is written; name a .sc file, which lanewise asm assembles"
        )
    timing = time_program(program.insts, device)
    result = Timed(
        program=program,
        timing=timing,
        wave=time_streams(timing, vertices, streams, indices),
        reordering=reordered(timing),
        streams=bool(streams),
        floor=floor_of(timing),
        memory=memory_floor(device, streams, range(vertices) if indices is None else indices) if streams else None,
    )
    found = (*found, *of_device(subject.placed(), device, request.name, vertices), *warnings)
    files: list[tuple[str, bytes]] = []
    if request.has("svg"):
        from lanewise.shadercore.api.services.timeline import as_svg

        files.append((request.text("svg"), as_svg(timing, f"{request.name} on {device.describe()}").encode()))
    if request.has("vcd"):
        from lanewise.shadercore.api.services.vcd import as_vcd

        files.append((request.text("vcd"), as_vcd(timing).encode()))
    if request.has("reordered"):
        files.append((request.text("reordered"), _reordered_source(result).encode()))
    return Answer(
        data=data(result, found) if request.as_json else {},
        page=() if request.as_json else tuple(page(result, request.name)),
        first=found,
        files=tuple(files),
        failed=not timing.ended,
        remarks=(*compiled_for(request, beside, device), *_fetched_less(request, subject, len(streams))),
    )


def _fetched_less(request: Request, program: ShaderCoreProgram, streams: int) -> tuple[str, ...]:
    """A line about the latency of a memory that nothing is fetched from, with the types of the inputs by their usages, and
    about another number of streams than of inputs."""
    names = sorted(program.inputs, key=program.inputs.__getitem__)
    if streams and program.inputs and streams != len(names):
        return (
            f"--stream gives {counted(streams, 'input')}, and the program has {len(names)}, {', '.join(names)}: the fetch is "
            f"timed for {streams}",
        )
    if streams or not request.has("memory-latency"):
        return ()
    kinds = ",".join([_USUAL.get(name.rstrip("0123456789"), "float4") for name in names]) or "float3"
    return (
        f"--memory-latency counts with --stream only, such as --stream {kinds}: the types of {', '.join(names) or 'inputs'}",
    )


_USUAL = {
    "position": "float3",
    "normal": "float3",
    "color": "d3dcolor",
    "texcoord": "float2",
    "psize": "float1",
    "fog": "float1",
}


def _device(request: Request) -> Device:
    """The device with the latency of the memory. Raises UsageError, InputFailure."""
    device = device_of(request)
    latency = request.whole("memory-latency")
    try:
        return device if latency is None else device.replace({"memory_latency": str(latency)})
    except ValueError as error:
        raise UsageError(f"--memory-latency {latency}: {error}") from None


def _draw(request: Request, device: Device) -> tuple[list[Descriptor], int, list[int] | None, tuple[Diagnostic, ...]]:
    """The streams, the number of vertices, their indices (None: 0, 1, 2 and so on), and warnings. Raises UsageError,
    InputFailure, InputError."""
    texts = request.texts("stream")
    count = request.whole("vertices")
    if count is not None and count < 1:
        raise UsageError(f"--vertices {count}: expected at least 1")
    given = indices_of(request)
    named = [text for text in texts if has_file(text)]
    if len(named) > MOST_STREAMS:
        raise UsageError(f"--stream: found {len(named)} inputs, expected at most {MOST_STREAMS}")
    if named:
        if len(named) < len(texts):
            raise UsageError("--stream: give a file for each input, or for none of them")
        found = dict(enumerate(read_streams(texts, request.files)))
        findings = check_streams(found)
        if has_errors(findings):
            raise InputError(findings)
        streams = [descriptor_of(stream) for stream in found.values()]
        if (
            given is None and count is not None
        ):  # addresses follow from the descriptors: more vertices than there are have a time too
            return streams, count, None, ()
        fetched = fetch(found, device, given, count)  # reports what does not fit, and counts the vertices
        return streams, fetched.vertices, None if given is None else [int(index) for index in given], fetched.warnings
    streams = _stream(texts)
    if given is None:
        return streams, LANES if count is None else count, None, ()
    indices = [int(index) for index in given]
    if not indices or min(indices) < 0 or max(indices) > MOST_INDEX:
        raise UsageError(f"--indices: expected whole numbers from 0 to {MOST_INDEX}")
    if count is not None and count != len(indices):
        raise UsageError(f"--vertices {count}: there are {counted(len(indices), 'index', 'indices')}; leave it out")
    return streams, len(indices), indices, tuple(pairs_of_words(given))


def _stream(texts: Sequence[str]) -> list[Descriptor]:
    """The streams of input types without data: each input is in a buffer of its own, vertex after vertex. Raises UsageError."""
    kinds: list[str] = []
    for text in texts:
        if "=" in text:
            refuse_several(text, file=False)
        kinds += [text.partition("=")[2]] if "=" in text else text.split(",") if text else []
    found: list[Descriptor] = []
    for text in kinds:
        kind = stream_kind(text)
        if kind is None:
            raise UsageError(f"--stream: {unknown_kind(text)}")
        found.append(Descriptor(KINDS[kind].dwords, KINDS[kind].color, KINDS[kind].dwords))
    if len(found) > MOST_STREAMS:
        raise UsageError(f"--stream: found {len(found)} inputs, expected at most {MOST_STREAMS}")
    return found


def _reordered_source(result: Timed) -> str:
    """The program in the faster order, as source; in its own order where there is no faster one."""
    program, found = result.program, result.reordering
    if found is None:
        return print_program(program)
    rest = program.words[len(found.order) :]  # what is after END
    return print_program(program._replace(words=(*(program.words[slot] for slot in found.order), *rest)))


def shown(cycles: int | None) -> str:
    return NOT_DEFINED if cycles is None else str(cycles)


def problems(timing: Timing) -> list[str]:
    """Warnings about a program, besides its cycles."""
    messages: list[str] = []
    if timing.hangs is not None:
        messages.append(
            f"instruction {timing.hangs} never issues: it reads x7.x, which idle write slots write continuously. The core "
            "hangs: use another register."
        )
    elif not timing.ended:
        messages.append(
            "the program has no end: the core runs on into unknown slots, whose time is not defined. Add `end` after the "
            "last instruction."
        )
    for earlier, later in timing.overtaken[:8]:
        messages.append(
            f"instructions {earlier} and {later} write the same register, and the result of {earlier} does not arrive first: "
            f"the final value is {NOT_DEFINED}."
        )
    nops = idle_nops(timing)
    if nops is not None:
        slots, saved, whole = nops
        many = len(slots) > 1
        messages.append(
            f"{counted(len(slots), 'nop')} cost{'' if many else 's'} {counted(saved, 'cycle')}: an instruction waits for its "
            f"sources by itself. Without {'them' if many else 'it'} one wave takes {counted(whole, 'cycle')}."
        )
    return [*messages, *_chosen(timing), *_unpaced(timing)]


def _chosen(timing: Timing) -> list[str]:
    """The instructions for whose latency the document has no number, on a device that has it from there."""
    device = timing.device
    if nearest(device) is not DOCUMENT:
        return []
    found: dict[str, list[str]] = {}
    for issue in timing.issues:
        op = timing.insts[issue.number].op
        key = f"{op.name}_{LATENCY}"
        if op.dests and key in PACE_PARAMETERS and BY_KEY[key].kind == CHOSEN and device.setting(key) == BY_KEY[key].document:
            found.setdefault(op.name, []).append(str(issue.number))
    return [
        f"the document has no latency for {name} (slot{'s' if len(slots) > 1 else ''} {', '.join(slots)}): "
        f"{device.latency(BY_NAME[name])} is chosen ({BY_KEY[f'{name}_{LATENCY}'].reason}). Measure with another by "
        f"`--set {name}_{LATENCY}=CYCLES`."
        for name, slots in found.items()
    ]


def _unpaced(timing: Timing) -> list[str]:
    """The instructions of another latency, after which the public hardware would issue the next one later."""
    device = timing.device
    if nearest(device) is not RTL:
        return []
    slow = {
        op.name: device.latency(op)
        for op in dict.fromkeys([inst.op for inst in timing.insts])
        if f"{op.name}_{INTERVAL}" in PACE_PARAMETERS
        and device.setting(f"{op.name}_{INTERVAL}") is None
        and device.latency(op) not in (op.rtl_latency, RTL.latency(op))
        and device.latency(op) + 1 > device.interval(op)
    }
    return [
        f"{name} has a latency of {latency} without an interval: the public hardware issues the next instruction "
        f"max(8, latency + 1) cycles after. For the same here add `--set {name}_{INTERVAL}={latency + 1}`."
        for name, latency in slow.items()
    ]


def rows(timing: Timing) -> list[tuple[str, ...]]:
    """A row under `HEAD` for each instruction."""
    found = [
        (
            str(issue.number),
            str(issue.cycle),
            str(issue.latency),
            str(issue.stalls) if issue.stalls else "",
            line_of_inst(timing.insts[issue.number]),
            why(issue, timing),
        )
        for issue in timing.issues
    ]
    if timing.hangs is not None:
        found.append((str(timing.hangs), "never", "", "", line_of_inst(timing.insts[timing.hangs]), "for x7.x"))
    return found


_WHOLE_DRAW = (
    f"Of more vertices: `--vertices COUNT`, as the waves of {LANES} vertices overlap with their fetch and export. `--stream "
    "float3,...` gives the input types for the time of the fetch."
)


def page(result: Timed, name: str) -> list[Block]:
    _, timing, wave, _, streams, floor, memory = result
    top = [
        Heading(1, f"{name} on {timing.device.describe()}"),
        *([Items(tuple(("", text) for text in messages))] if (messages := problems(timing)) else []),
        Table(HEAD, tuple(rows(timing))),
        Heading(2, "Time"),
    ]
    stalls = ("stalls", f"{timing.output_stalls} for the write port, {timing.input_stalls} for sources")
    if floor is None:
        return [*top, Items((("one wave", "never ends"), stalls))]
    whole = (
        (
            "one wave",
            (
                f"{shown(timing.total_cycles)} cycles: {shown(timing.run_cycles)} until end issues, "
                f"{shown(timing.drain_cycles)} for the remaining writes"
            ),
        ),
        stalls,
        ("order", _order_text(result)),
    )
    draw = (
        ("waves", f"{wave.waves} for {counted(wave.vertices, 'vertex', 'vertices')}"),
        ("set up", shown(wave.setup)),
        ("run", shown(wave.run)),
        ("export", shown(wave.export)),
        ("next vertices", shown(wave.batch)),
        ("fetch", _fetch_text(wave, timing.device, streams)),
        ("all", _total_text(wave, streams)),
        ("floor", _floor_text(floors.draw_cycles(wave, floor, memory, streams=streams), streams)),
    )
    return [
        *top,
        Items(whole),
        Heading(2, "Floor"),
        Paragraph("The cycles that these instructions take at least, in any order."),
        Table(floors.HEAD, tuple(floors.rows(timing, floor))),
        Items((("wave", floors.verdict(timing, floor)), ("memory", floors.memory_text(memory, streams=streams)))),
        Heading(2, "Pipes"),
        Table(("pipe", "quads", "of the run"), tuple(_pipes(timing))),
        Heading(2, "Draw"),
        Items(draw),
        *([] if streams else [Paragraph(_WHOLE_DRAW)]),
    ]


def _order_text(result: Timed) -> str:
    """The gain of another order of the slots."""
    found = result.reordering
    nops = idle_nops(result.timing)
    if nops is not None and (found is None or (found.timing.total_cycles or 0) >= nops[2]):
        return f"{counted(nops[2], 'cycle')} without nops; none found that is as fast with them"
    if found is None:
        if depends_on_cycles(result.timing):
            return "the results depend on the cycles: no other order is given"
        return "no faster one found"
    slots = " ".join(map(str, found.order))
    return (
        f"these {shown(result.timing.total_cycles)} cycles would be {shown(found.timing.total_cycles)}; slots in this order: "
        f"{slots}"
    )


def _fetch_text(wave: WaveTime, device: Device, streams: bool) -> str:
    if not streams:
        return "unknown: no input types given"
    if wave.fetch is None:
        return NOT_DEFINED
    hits = f"{wave.fetch} if the cache has all data"
    own = device.defined_cycles("fetch_miss")
    if wave.misses is None:
        return f"{hits}; " + (
            "a miss takes longer" if own is None else f"each miss adds {own} cycles and the latency of the memory"
        )
    lacking = f"{wave.misses} of {counted(wave.dwords or 0, 'DWORD')} miss"
    if wave.missing is not None:
        each = wave.missing // wave.misses if wave.misses else 0
        return f"{wave.fetch + wave.missing}: {hits}; {lacking}" + (f", {each} cycles each" if wave.misses else "")
    if own is None or not wave.misses:
        return f"{hits}; {lacking}"
    return f"{hits}; {lacking}: each adds {own} cycles and the latency of the memory (--memory-latency)"


def _total_text(wave: WaveTime, streams: bool) -> str:
    if wave.total is None:
        return NOT_DEFINED
    if not streams or wave.fetch is None:
        return f"{wave.total} without the fetch"
    if wave.whole is not None:
        return f"{wave.whole} with the fetch, {wave.total} without it"
    return f"{wave.total + wave.fetch} with the fetch if the cache has all data, {wave.total} without it"


def _floor_text(cycles: int | None, streams: bool) -> str:
    return NOT_DEFINED if cycles is None else f"{cycles} with the fetch" if streams else f"{cycles} without the fetch"


def _pipes(timing: Timing) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    for pipe in timing.device.pipes:
        busy = timing.occupancy(pipe)
        if busy:
            share = f"{100 * busy / timing.total_cycles:.1f} %" if timing.total_cycles else NOT_DEFINED
            rows.append((pipe, str(busy), share))
    return rows


def data(result: Timed, found: Sequence[Diagnostic]) -> dict[str, object]:
    """All of it as plain values; null is: not defined."""
    _, timing, wave, reordering, streams, floor, memory = result
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
                "text": line_of_inst(timing.insts[issue.number]),
                "issue": issue.cycle,
                "latency": issue.latency,
                "starts": list(timing.starts(issue)),
                "waited": issue.waited,
                "o_stalls": issue.output_stalls,
                "i_stalls": issue.input_stalls,
                "waits_for": list(issue.waits_for),
                "waits": [
                    {
                        "for": "write port" if wait.kind == "o" else "source",
                        "register": register_name(wait.register),
                        "slot": wait.writer,
                        "cycles": wait.cycles,
                    }
                    for wait in issue.waits
                ],
            }
            for issue in timing.issues
        ],
        "pipes": {pipe: timing.occupancy(pipe) for pipe in timing.device.pipes},
        "overtaken": [list(pair) for pair in timing.overtaken],
        "reordering": None
        if reordering is None
        else {"order": list(reordering.order), "total_cycles": reordering.timing.total_cycles},
        "floor": None if floor is None else floors.to_json(floor),
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
            "memory_latency": timing.device.defined_cycles("memory_latency"),
            "fetch_dwords": wave.dwords,
            "fetch_misses": wave.misses,
            "missing_cycles": wave.missing,
            "total_with_fetch": wave.whole,
            "fetch_by_wave": None
            if wave.waves_fetched is None
            else [
                {"vertices": each.vertices, "dwords": each.dwords, "misses": each.misses, "hit_cycles": each.hit_cycles}
                for each in wave.waves_fetched
            ],
            "memory_floor": floors.memory_json(memory),
            "floor_cycles": None if floor is None else floors.draw_cycles(wave, floor, memory, streams=streams),
        },
        "diagnostics": [to_json(finding) for finding in found],
    }
