"""Value change dump (IEEE 1364) of a ShaderCore timing.

One nanosecond per cycle, for waveform viewers."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.table import LANES, QUADS
from lanewise.shadercore.text.printer import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.engine.recording import PortWrite
    from lanewise.shadercore.isa.timing import Timing


class _Signal(Record):
    name: str
    width: int  # 0: a text
    mark: str  # the short name by which the dump calls it


_TEXT = 0
_FIRST_MARK, _MARKS = ord("!"), ord("~") - ord("!") + 1
_FILES = "vorx"  # numbers of register files in the hardware (SC:341-346)
_UNITS = LANES // QUADS


def _signals(pipes: Sequence[str], data: bool) -> list[_Signal]:
    names = [("slot", 9), ("instruction", _TEXT), ("issue", 1), ("stall_write_port", 1), ("stall_source", 1), ("draining", 1)]
    for pipe in pipes:
        names += [(f"{pipe.lower()}_starts", 1), (f"{pipe.lower()}_quad", 2), (f"{pipe.lower()}_instruction", _TEXT)]
    names += [("writes", 1), ("write_quad", 2), ("write_slot", 9), ("write_instruction", _TEXT), ("write_target", _TEXT)]
    if data:
        names += [
            ("write_file", 2),
            ("write_register", 3),
            ("write_component", 2),
            *[(f"write_data{unit}", 32) for unit in range(_UNITS)],
        ]
    return [_Signal(name, width, _mark(n)) for n, (name, width) in enumerate(names)]


def _mark(number: int) -> str:
    """One or more printable characters (IEEE 1364, 18.2.1)."""
    more, last = divmod(number, _MARKS)
    return (_mark(more - 1) if more else "") + chr(_FIRST_MARK + last)


def as_vcd(timing: Timing, log: Sequence[PortWrite] = ()) -> str:
    """The dump. A quad number or slot that nothing gives is x, a text empty. With the write log of a wave it has the registers
    and the data of the write port too.

    `slot` is the instruction that issues next; `issue` is 1 in the cycle in which it does. `<pipe>_starts` and `<pipe>_quad`: a
    quad enters the pipe; `writes`, `write_quad` and `write_slot`: a quad's result is written. `instruction`,
    `<pipe>_instruction`, `write_instruction` and `write_target` name them in text, with GTKWave's type `string`. Where a device
    lets several be written in one cycle, the last instruction is shown.
    """
    signals = {signal.name: signal for signal in _signals(timing.device.pipes, bool(log))}
    cycles: dict[int, dict[str, int | str]] = {}
    texts = [text_of(inst) or inst.op.name for inst in timing.insts]

    def at(cycle: int, name: str, value: int | str) -> None:
        cycles.setdefault(cycle, {})[name] = value

    for issue in timing.issues:
        pipe = timing.device.pipe(timing.insts[issue.number].op).lower()
        at(issue.cycle, "issue", 1)
        for cycle in range(issue.ready, issue.cycle + 1):
            at(cycle, "slot", issue.number)
            at(cycle, "instruction", texts[issue.number])
        for cycle, letter in enumerate(issue.waited, issue.ready):
            at(cycle, "stall_write_port" if letter == "o" else "stall_source", 1)
        for quad, cycle in enumerate(timing.starts(issue)):
            at(cycle, f"{pipe}_starts", 1)
            at(cycle, f"{pipe}_quad", quad)
            at(cycle, f"{pipe}_instruction", texts[issue.number])
            target = timing.target(issue)
            if target is not None:
                at(cycle + issue.latency, "writes", 1)
                at(cycle + issue.latency, "write_quad", quad)
                at(cycle + issue.latency, "write_slot", issue.number)
                at(cycle + issue.latency, "write_instruction", texts[issue.number])
                at(cycle + issue.latency, "write_target", f"{target[0]}{target[1]}.{'xyzw'[target[2]]}")
    for row in log:
        file, number, component = row.register
        values = {"file": _FILES.index(file), "register": number, "component": component}
        values |= {f"data{unit}": value for unit, value in enumerate(row.data)}
        for name, value in values.items():
            at(row.cycle, f"write_{name}", value)
    if timing.run_cycles is not None:
        for cycle in range(timing.run_cycles, timing.run_cycles + (timing.drain_cycles or 0)):
            at(cycle, "draining", 1)
    lines = ["$comment one nanosecond is one cycle $end", "$timescale 1 ns $end", "$scope module shadercore $end"]
    lines += [
        f"$var {f'wire {signal.width}' if signal.width else 'string 1'} {signal.mark} {signal.name} $end"
        for signal in signals.values()
    ]
    lines += ["$upscope $end", "$enddefinitions $end"]
    before: dict[str, int | str | None] = {}
    last = max([*cycles, timing.total_cycles or 0], default=0)
    for cycle in range(last + 2):
        given = cycles.get(cycle, {})
        changes: list[str] = []
        for name, signal in signals.items():
            value = given.get(name, 0 if signal.width == 1 else None)
            if cycle == 0 or before[name] != value:
                changes.append(_change(signal, value))
            before[name] = value
        if changes:
            lines += [f"#{cycle}", *(("$dumpvars", *changes, "$end") if cycle == 0 else changes)]
    lines.append(f"#{last + 2}")
    return "\n".join(lines) + "\n"


def _change(signal: _Signal, value: int | str | None) -> str:
    if signal.width == _TEXT:
        text = str(value or "").replace("\\", "\\x5c").replace(" ", "\\x20")  # GTKWave reads C's escapes
        return f"s{text} {signal.mark}"
    if signal.width == 1:
        return f"{value}{signal.mark}"
    return f"b{'x' if value is None else format(value, 'b')} {signal.mark}"
