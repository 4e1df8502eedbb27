"""Timing of a ShaderCore program: issue cycles, stalls, cycles of a wave.

All of it follows from the fields of group `time` of a device, and the latencies of its table (`isa.devices`). For `document`:
quad q of an instruction that issues at t starts at t + q and its result is there L cycles later; nothing else makes it wait.
For `rtl` the rules are those of reference 3, which GHDL runs of whole programs have confirmed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.record import Record
from lanewise.shadercore.isa.codec import Inst, register, written
from lanewise.shadercore.isa.table import END, LANES, QUADS, SPEC
from lanewise.shadercore.isa.vertex_cache import hit_cycles, miss_cycles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.vertex_cache import WaveFetch

_SPEC_KEPT = 4  # SPEC instructions whose results may still land: an earlier one is older than any latency
_MOST_OVERTAKEN = 64  # instructions between two whose results come in the wrong order, at most
_MOST_STALL = 4096  # no hazard lasts longer, whatever the device


class Wait(NamedTuple):
    """A reason why an instruction waits: `kind` is `o` for the write port, `i` for a source; `register` is what instruction
    `writer` writes.

    `cycles` are those in which it is a reason to wait; where there are several reasons in one cycle, each counts.
    """

    kind: str
    writer: int
    register: tuple[str, int, int]
    cycles: int


class Issue(Record):
    """One instruction of a wave. Cycles count from the first issue."""

    number: int
    "The number of the instruction in the program."
    cycle: int
    "The cycle in which it issues."
    ready: int
    "The first cycle that the interval of the instruction before allows."
    latency: int
    "Cycles until its result is there."
    interval: int
    "Cycles to the next issue at least."
    waited: str
    "A letter for each cycle from `ready` to `cycle`: `o` for the write port, `i` for a source."
    waits_for: tuple[int, ...]
    "Numbers of the instructions that it waits for, ascending."
    waits: tuple[Wait, ...] = ()
    "The reasons, in the order in which they begin."

    @property
    def stalls(self) -> int:
        return len(self.waited)

    @property
    def output_stalls(self) -> int:
        return self.waited.count("o")

    @property
    def input_stalls(self) -> int:
        return self.waited.count("i")


class Timing(Record):
    """A wave's run of a program, cycles counted from the first issue."""

    device: Device
    "The device that the timing is of."
    insts: tuple[Inst, ...]
    "Instructions up to the first END, or to the one that never issues."
    issues: tuple[Issue, ...]
    "The instructions that issue, in order."
    ended: bool
    "END was reached."
    hangs: int | None
    "The number of the instruction that never issues, or None."
    run_cycles: int | None
    "Cycles until END has issued; None without END."
    drain_cycles: int | None
    "Cycles that END waits for writes; None without END."
    overtaken: tuple[tuple[int, int], ...]
    "Pairs (earlier, later) of instructions that write one register and whose results come in the wrong order."

    @property
    def output_stalls(self) -> int:
        return sum(issue.output_stalls for issue in self.issues)

    @property
    def input_stalls(self) -> int:
        return sum(issue.input_stalls for issue in self.issues)

    @property
    def total_cycles(self) -> int | None:
        """From the first issue to the last write, None where it is not defined."""
        if self.run_cycles is None or self.drain_cycles is None:
            return None
        return self.run_cycles + self.drain_cycles

    def starts(self, issue: Issue) -> range:
        """The cycles in which the quads of an instruction start; their results are written a latency later."""
        first = issue.cycle + self.device.cycles("start_delay")
        return range(first, first + QUADS)

    def target(self, issue: Issue) -> tuple[str, int, int] | None:
        """(file, number, component) of the register that an instruction writes on this device."""
        return target_of(self.insts[issue.number], self.device)

    def occupancy(self, pipe: str) -> int:
        """Cycles in which a pipe takes a quad."""
        return QUADS * sum(self.device.pipe(self.insts[issue.number].op) == pipe for issue in self.issues)


class WaveTime(Record):
    """The cycles of a draw, of all its waves together; None where the device does not define them."""

    vertices: int
    "Vertices of the draw."
    waves: int
    "Waves of the draw."
    setup: int | None
    "Cycles before the first instructions of waves."
    export: int | None
    "Cycles of the export of vertices."
    batch: int | None
    "Cycles to take the next vertices."
    run: int | None
    "Cycles from first issues to last writes."
    total: int | None
    "The sum of setup, export, batch and run, without the fetch."
    fetch: int | None
    "Cycles of the fetch if the cache has all that the vertices need."
    waves_fetched: tuple[WaveFetch, ...] | None = None
    "The fetch of each wave; None where the addresses or the cache are not known."
    missing: int | None = None
    "Cycles that misses add; None without `waves_fetched`, and without a `memory_latency`."

    @property
    def misses(self) -> int | None:
        """DWORDs that the cache lacks, None where the addresses or the cache are not known."""
        return None if self.waves_fetched is None else sum(wave.misses for wave in self.waves_fetched)

    @property
    def dwords(self) -> int | None:
        """DWORDs that the fetch reads, None as for `misses`."""
        return None if self.waves_fetched is None else sum(wave.dwords for wave in self.waves_fetched)

    @property
    def whole(self) -> int | None:
        """The cycles of the draw with its fetch, misses and all; None where a part is not defined."""
        if self.total is None or self.fetch is None or self.missing is None:
            return None
        return self.total + self.fetch + self.missing


class _Writer(NamedTuple):
    """An issued instruction that writes a register: the cycle of its issue with the latency, the first in which the result can
    be read, and the register."""

    number: int
    ends: int
    readable: int
    register: tuple[str, int, int]


def time_program(insts: Sequence[Inst], device: Device) -> Timing:
    """The timing of one wave. The program ends with its first END. Time is linear in the number of instructions."""
    issues: list[Issue] = []
    earliest = 0
    hangs = None
    ended = False
    both = device.value("hazard_fields") == "both"
    cleared = device.value("x7x") == "cleared"
    window = device.value("write_port") == "window"
    delay = device.cycles("read_delay")
    # what an instruction could still wait for is no further back than latency and delay reach
    reach = 2 * QUADS + device.cycles("start_delay") + delay
    paces: dict[int, tuple[int, int]] = {}  # latency and interval, by opcode
    targets: list[tuple[str, int, int] | None] = []
    writers: list[_Writer] = []  # that an instruction could wait for, the last first
    for number, inst in enumerate(insts):
        op = inst.op
        wanted = _reads(inst, both)
        if cleared and ("x", 7, 0) in wanted:
            hangs = number
            break
        pace = paces.get(op.opcode)
        if pace is None:
            pace = paces[op.opcode] = device.latency(op), device.interval(op)
        latency, interval = pace
        writers = [writer for writer in writers if earliest - writer.ends <= reach]
        issue = _issue(number, earliest, latency, interval, wanted, writers, window)
        issues.append(issue)
        cycle = issue.cycle
        target = target_of(inst, device)
        targets.append(target)
        if target is not None:
            writers.insert(0, _Writer(number, cycle + latency, cycle + latency + delay, target))
        earliest = cycle + interval
        if op is END:
            ended = True
            break
    run = drain = None
    if ended:
        end = issues[-1].cycle
        run = end + 1
        writes = [_last_write(issue) for issue, target in zip(issues, targets, strict=True) if target is not None]
        last = max(writes, default=0) + device.cycles("drain_delay") if writes else 0
        drain = max(device.cycles("drain_least"), last - run)
    done = tuple(insts[: len(issues) + (hangs is not None)])
    return Timing(
        device=device,
        insts=done,
        issues=tuple(issues),
        ended=ended,
        hangs=hangs,
        run_cycles=run,
        drain_cycles=drain,
        overtaken=_overtaken(issues, targets),
    )


def _issue(
    number: int,
    ready: int,
    latency: int,
    interval: int,
    wanted: set[tuple[str, int, int]],
    writers: Sequence[_Writer],
    window: bool,
) -> Issue:
    """When an instruction issues that could at `ready`. Output collisions are looked at first, then sources, each cycle
    anew."""
    sources = [writer for writer in writers if writer.register in wanted] if wanted else []
    waited = ""
    reasons: dict[tuple[str, int], int] = {}
    cycle = ready
    while cycle - ready < _MOST_STALL:
        # a write of an earlier instruction would come in the four cycles of the new one, or in the one before them (reference
        # 3)
        first = cycle + latency - QUADS
        late = [writer.number for writer in writers if first <= writer.ends <= first + 2 * QUADS - 2] if window else ()
        kind = "o"
        if not late:
            late = [writer.number for writer in sources if cycle < writer.readable]
            if not late:
                break
            kind = "i"
        waited += kind
        for writer in late:
            reasons[kind, writer] = reasons.get((kind, writer), 0) + 1
        cycle += 1
    if not waited:
        return Issue(number=number, cycle=cycle, ready=ready, latency=latency, interval=interval, waited="", waits_for=())
    written_by = {writer.number: writer.register for writer in writers}
    waits = tuple([Wait(kind, writer, written_by[writer], count) for (kind, writer), count in reasons.items()])
    return Issue(
        number=number,
        cycle=cycle,
        ready=ready,
        latency=latency,
        interval=interval,
        waited=waited,
        waits_for=tuple(sorted({wait.writer for wait in waits})),
        waits=waits,
    )


def _reads(inst: Inst, both: bool) -> set[tuple[str, int, int]]:
    """The registers that an instruction waits for."""
    sources = inst.fields if both else inst.operands
    return {found for source in sources if (found := register(source)) is not None}


def target_of(inst: Inst, device: Device) -> tuple[str, int, int] | None:
    """The register that an instruction writes on a device."""
    if not inst.op.dests and device.value("nop_dest") == "ignored":
        return None
    return written(inst.dest)


def _last_write(issue: Issue) -> int:
    """The first cycle in which the result of the last quad is there by the latency only."""
    return issue.cycle + QUADS - 1 + issue.latency


def _overtaken(issues: Sequence[Issue], targets: Sequence[tuple[str, int, int] | None]) -> tuple[tuple[int, int], ...]:
    """Pairs of instructions that write one register, of which the later has its result first or at the same time."""
    found: list[tuple[int, int]] = []
    writes: dict[
        tuple[str, int, int], list[tuple[int, int]]
    ] = {}  # of each register: instructions and the ends of their latencies
    for later, target in zip(issues, targets, strict=True):
        if target is None:
            continue
        number, ends = later.number, later.cycle + later.latency
        before = writes.get(target, ())
        near = [(other, end) for other, end in before if other >= number - _MOST_OVERTAKEN]
        found += [(other, number) for other, end in near if end >= ends]
        writes[target] = [*near, (number, ends)]
    return tuple(found)


def landing(issued: int, cycle: int, latency: int, special_latency: int) -> list[tuple[int, int]]:
    """Where a result of SPEC that nothing waits for meets the writes of a later instruction that no pipe computes: (quad, quad
    of SPEC).

    SPEC has issued in the cycle `issued`, the later instruction, of this latency, in `cycle`.
    """
    late = special_latency - latency - (cycle - issued)
    return [(quad, quad - late) for quad in range(QUADS) if 0 <= quad - late < QUADS]


def strays(timing: Timing, number: int) -> list[tuple[int, list[tuple[int, int]]]]:
    """The SPEC instructions whose results land in what an instruction writes, with the quads as in `landing`.

    That happens where no pipe computes the result of the instruction, on a device that lets them land.
    """
    device, inst = timing.device, timing.insts[number]
    computes = inst.op.dests and (inst.op.built or device.value("exp_log") != "zero")
    if computes or device.value("stray_special") != "lands":
        return []
    cycle, latency = timing.issues[number].cycle, timing.issues[number].latency
    late = device.cycles("special_latency")
    earlier: list[Issue] = []
    for issue in reversed(timing.issues[max(0, number - late) : number]):
        if len(earlier) == _SPEC_KEPT or cycle - issue.cycle >= late + QUADS:
            break
        if device.pipe(timing.insts[issue.number].op) == SPEC:
            earlier.insert(0, issue)
    landed = [(issue.number, landing(issue.cycle, cycle, latency, late)) for issue in earlier]
    return [(earlier_number, quads) for earlier_number, quads in landed if quads]


def time_waves(
    timing: Timing, vertices: int, stream: Sequence[tuple[int, bool]] = (), fetched: tuple[WaveFetch, ...] | None = None
) -> WaveTime:
    """The cycles for a draw: each wave is set up, fetched, run and exported, one after the other.

    `stream` has for each input its DWORDs and whether it is a D3DCOLOR; `fetched` is what `vertex_cache.fetch_waves` gives for
    them, where the addresses are known. Raises ValueError for fewer than one vertex.
    """
    if vertices < 1:
        raise ValueError("a draw has at least one vertex")
    device = timing.device
    waves = -(-vertices // LANES)
    setup, batch, vertex, end = (
        device.defined_cycles(key) for key in ("setup_cycles", "batch_cycles", "export_cycles", "export_end")
    )
    export = None if vertex is None or end is None else vertex * vertices + end * waves
    run = None if timing.total_cycles is None else timing.total_cycles * waves
    setups = None if setup is None else setup * waves
    batches = None if batch is None else batch * waves
    parts = (setups, export, batches, run)
    total = None
    if run is not None and setups is not None and export is not None and batches is not None:
        total = setups + export + batches + run
    missing = None
    if fetched is not None:
        longer, misses = miss_cycles(device), sum(wave.misses for wave in fetched)
        missing = None if longer is None else longer * misses
    return WaveTime._make((vertices, waves, *parts[:3], run, total, hit_cycles(device, vertices, stream), fetched, missing))
