"""The floor of a program in words and as plain values: what `lanewise time` and `lanewise opt` report of `isa.floors`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.counting import counted
from lanewise.shadercore.isa.floors import CHAIN, ISSUE, PIPE, counts

if TYPE_CHECKING:
    from lanewise.shadercore.isa.floors import Bound, Floor, MemoryFloor
    from lanewise.shadercore.isa.timing import Timing, WaveTime

HEAD = ("bound", "cycles", "because of")
_BELOW = {
    ISSUE: "only fewer slots take less",
    PIPE: "only fewer instructions of {} take less",
    CHAIN: "only a shorter chain takes less",
}


def rows(timing: Timing, floor: Floor) -> list[tuple[str, str, str]]:
    """A row under `HEAD` for each bound, the greatest first."""
    return [(bound.pipe or bound.kind, str(bound.cycles), because(timing, bound)) for bound in floor.bounds]


def because(timing: Timing, bound: Bound) -> str:
    """The instructions of a bound and the cycles that they take."""
    if bound.kind == CHAIN:
        return f"{counted(len(bound.slots), 'slot')}, each reads the one before: {' '.join(map(str, bound.slots))}"
    return f"{counted(len(bound.slots), 'slot')}: {_sum(timing, bound)}"


def _sum(timing: Timing, bound: Bound) -> str:
    """The intervals of a bound as a sum, and the cycles at the end."""
    intervals = counts(timing, bound.slots)
    left = bound.cycles - sum([interval * count for interval, count in intervals.items()])
    return " + ".join([*[f"{count} x {interval}" for interval, count in intervals.items()], f"{left} at the end"])


def verdict(timing: Timing, floor: Floor, what: str = "floor") -> str:
    """How far a program is above its floor, and what for; `what` is what the floor is called."""
    bound, above = floor.bounds[0], _above(timing, floor)
    if not above:
        return f"these {floor.cycles} cycles are the {what}: {_BELOW[bound.kind].format(bound.pipe)}"
    return f"{above} above the {what} of {floor.cycles}{_waits(timing, floor)}"


def of_slots(timing: Timing, floor: Floor) -> str:
    """The floor of the slots of a program, and how far it is above it, as a sentence."""
    bound, above = floor.bounds[0], _above(timing, floor)
    what = because(timing, bound) if bound.kind != ISSUE else _sum(timing, bound)
    pipe = f" of {bound.pipe}" if bound.pipe else ""
    least = f"{counted(len(timing.insts), 'slot')} take {floor.cycles} cycles at least, in any order ({what}{pipe})"
    return (
        f"{least}, {above} fewer than these{_waits(timing, floor)}"
        if above
        else f"{least}: {_BELOW[bound.kind].format(bound.pipe)}"
    )


def _above(timing: Timing, floor: Floor) -> int:
    return (timing.total_cycles or floor.cycles) - floor.cycles


def _waits(timing: Timing, floor: Floor) -> str:
    """The cycles above the floor of issues, by reason, as the end of a sentence."""
    if floor.bounds[0].kind != ISSUE:
        return ""
    left = _above(timing, floor) - timing.input_stalls - timing.output_stalls
    kinds = ((timing.input_stalls, "for sources"), (timing.output_stalls, "for the write port"), (left, "at the end"))
    waits = [f"{number} {what}" for number, what in kinds if number > 0]
    return f": {', '.join(waits)}"


def memory_text(memory: MemoryFloor | None, *, streams: bool) -> str:
    """The least cycles of a fetch."""
    if not streams:
        return "unknown: no input types given"
    if memory is None:
        return "not defined"
    lines = f", {memory.lines} lines that miss once" if memory.lines is not None else ""
    return f"{memory.cycles} for the fetch: {counted(memory.dwords, 'DWORD')} take {memory.hits}{lines}"


def draw_cycles(wave: WaveTime, floor: Floor, memory: MemoryFloor | None, *, streams: bool) -> int | None:
    """The floor of a draw, with its fetch where there are streams; None where a part is not defined."""
    parts = (wave.setup, wave.export, wave.batch)
    if None in parts or (streams and memory is None):
        return None
    fixed = sum([part for part in parts if part is not None])
    return fixed + wave.waves * floor.cycles + (memory.cycles if memory is not None else 0)


def to_json(floor: Floor) -> dict[str, object]:
    return {
        "cycles": floor.cycles,
        "by": floor.bounds[0].kind,
        "bounds": [
            {
                "kind": bound.kind,
                "pipe": bound.pipe or None,
                "cycles": bound.cycles,
                "slots": list(bound.slots),
            }
            for bound in floor.bounds
        ],
    }


def memory_json(memory: MemoryFloor | None) -> dict[str, object] | None:
    if memory is None:
        return None
    return {
        "cycles": memory.cycles,
        "dwords": memory.dwords,
        "hit_cycles": memory.hits,
        "lines": memory.lines,
        "missing_cycles": memory.missing,
    }
