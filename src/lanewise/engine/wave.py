"""The reference engine for ShaderCore: one core, a wave of 16 lanes at a time, an instruction at a time, on exact integers.

What single lanes compute is `sem.shadercore`. Here is what belongs to the wave: registers that all lanes have, whether they are on or not;
constants; and what the public hardware does besides, which depends on the cycle (reference 2b and 3), as `isa.shadercore_timing` counts it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.isa.shadercore import (
    LANES,
    MINUS_ONE,
    ONE,
    QUADS,
    SOURCE_FILES,
    ZERO,
    C,
    Inst,
    Source,
    register,
    written,
)
from lanewise.isa.shadercore_timing import Timing, landing, time_program
from lanewise.sem.shadercore import meanings, modified
from lanewise.sem.shadercore_numbers import MINUS_ONE as MINUS_ONE_BITS
from lanewise.sem.shadercore_numbers import Wave, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.isa.shadercore_devices import Device

Register = tuple[str, int, int]  # file, number, component
_UNITS = LANES // QUADS
_X7X: Register = ("x", 7, 0)
# Where the hardware sends what leaves the core, in this order (SC:1884-1955).
EXPORTS: tuple[Register, ...] = (*(("o", 0, n) for n in range(4)), ("o", 2, 0), ("o", 2, 1), *(("o", 1, n) for n in range(4)))


class Step(NamedTuple):
    """An instruction that has run: its number, the cycle of its issue, its sources as it saw them, and what was written where.

    `target` is None where nothing was written.
    """

    number: int
    cycle: int
    a: Wave
    b: Wave
    target: Register | None
    value: Wave


class Hang(Exception):
    """The wave never ends: the instruction of this number never issues, or there is no END (`number` None)."""

    def __init__(self, number: int | None, message: str) -> None:
        super().__init__(message)
        self.number = number


class Core:
    """A core that runs one program. Registers are kept from wave to wave where the device keeps them."""

    def __init__(
        self,
        insts: Sequence[Inst],
        device: Device,
        constants: Mapping[tuple[int, int], int] | None = None,
        initial: Mapping[Register, Sequence[int]] | None = None,
    ) -> None:
        """`constants`: patterns by (register, component), 0 where none is given. `initial`: patterns of 16 lanes by register, 0 by default.

        Raises ValueError for lanes that are not 16, or patterns of more than 32 bits.
        """
        self.insts = tuple(insts)
        self.device = device
        self.timing: Timing = time_program(self.insts, device)
        self.registers: dict[Register, Wave] = {}
        self._constants = dict(constants or {})
        self._words = Words(device)
        self._meanings = meanings(self._words)
        self._initial = {key: _checked(lanes) for key, lanes in (initial or {}).items()}
        self.registers |= self._initial

    def value(self, place: Register) -> Wave:
        """What the lanes have in a component of a register."""
        return self.registers.get(place, (0,) * LANES)

    def begin(self, inputs: Mapping[tuple[int, int], Sequence[int]], active: int = LANES) -> None:
        """Fetch the vertices of a wave: patterns by (input register, component), one for each active lane.

        The other lanes keep what their inputs had. Raises ValueError for another number of lanes.
        """
        if not 1 <= active <= LANES:
            raise ValueError(f"a wave has 1 to {LANES} active lanes, not {active}")
        if self.device.value("between_waves") == "zero":
            self.registers = dict(self._initial)
        for (number, component), values in inputs.items():
            if len(values) != active:
                raise ValueError(f"v{number}.{'xyzw'[component]} has {len(values)} values for {active} lanes")
            place = ("v", number, component)
            self.registers[place] = _checked([*values, *self.value(place)[active:]])

    def steps(self) -> Iterator[Step]:
        """Run the program over the wave, an instruction for each step. Raises Hang when an instruction never issues or there is no END."""
        stray: list[tuple[int, Wave]] = []  # (cycle of issue, what SPEC gives)
        steps: list[Step] = []
        for issue in self.timing.issues:
            inst = self.insts[issue.number]
            a, b = (self._source(source, inst) for source in (inst.a, inst.b))
            step = self._step(issue.number, issue.cycle, a, b, stray)
            if step.target is not None:
                self.registers[step.target] = step.value
            if inst.op.pipe == "SPEC":
                stray.append((issue.cycle, self._special(inst, a)))
                del stray[:-4]
            steps.append(step)
            yield step
        if self.timing.hangs is not None:
            raise Hang(self.timing.hangs, f"instruction {self.timing.hangs} never issues: it names x7.x as a source")
        if not self.timing.ended:
            raise Hang(None, "the program has no end")
        self._clear(steps)

    def run(self) -> None:
        """Run the program over the wave. Raises Hang."""
        for _ in self.steps():
            pass

    def exported(self) -> dict[Register, Wave]:
        """What leaves the core: the outputs, in order, of all 16 lanes; inactive ones are the caller's to leave out."""
        places = EXPORTS if self.device.value("exports") == "fixed" else [("o", n, c) for n in range(8) for c in range(4)]
        return {place: self.value(place) for place in places}

    # One instruction

    def _step(self, number: int, cycle: int, a: Wave, b: Wave, stray: Sequence[tuple[int, Wave]]) -> Step:
        inst = self.insts[number]
        function = self._meanings[inst.op.name]
        target = written(inst.dest)
        if function is not None:
            result = function(a, b)
        elif self.device.value("nop_dest") == "zero":
            result = (0,) * LANES
        else:
            target, result = None, (0,) * LANES
        nothing = function is None or (inst.op.name in ("exp", "log") and self.device.value("exp_log") == "zero")
        if nothing and self.device.value("stray_special") == "lands":
            result = self._with_strays(result, cycle, self.device.latency(inst.op), stray)
        if inst.dest.saturate:
            result = self._words.saturate(result)
        return Step(number, cycle, a, b, target, result)

    def _source(self, source: Source, inst: Inst) -> Wave:
        file = SOURCE_FILES[source.file]
        if source.file == C:
            # one port: the address is that of the first source that is a constant
            one = self.device.value("constant_ports") == "one" and inst.a.file == C
            read = inst.a if one else source
            value: Wave = (self._constants.get((read.number, read.component), 0),) * LANES
        elif source.file == ZERO:
            value = (0,) * LANES
        elif source.file == ONE:
            value = self._words.one_register(LANES)
        elif source.file == MINUS_ONE:
            value = (MINUS_ONE_BITS,) * LANES
        else:
            place = register(source)
            assert place is not None, file
            value = self.value(place)
        return modified(self._words, value, source.modifier)

    # What the hardware does besides

    def _special(self, inst: Inst, a: Wave) -> Wave:
        """What the SPEC pipe makes: EXP and LOG start a reciprocal that nobody has asked for (SC:834,892)."""
        return self._words.rsq(a) if inst.op.name == "rsq" else self._words.rcp(a)

    def _with_strays(self, result: Wave, cycle: int, latency: int, stray: Sequence[tuple[int, Wave]]) -> Wave:
        """A result that no pipe makes, with what SPEC gives in the cycles of its writes: quad q of one that issued so long before."""
        lanes = list(result)
        for issued, values in stray:
            for quad, source in landing(issued, cycle, latency):
                lanes[_UNITS * quad : _UNITS * (quad + 1)] = values[_UNITS * source : _UNITS * (source + 1)]
        return tuple(lanes)

    def _clear(self, steps: Sequence[Step]) -> None:
        """Idle write slots clear x7.x in quad 0, but for a write right before END (reference 2b, effect 2)."""
        if self.device.value("x7x") != "cleared":
            return
        if len(steps) > 1 and steps[-2].target == _X7X:
            return
        if _X7X in self.registers:
            self.registers[_X7X] = (*(0,) * _UNITS, *self.registers[_X7X][_UNITS:])


def _checked(lanes: Sequence[int]) -> Wave:
    if len(lanes) != LANES or any(not 0 <= value < 1 << 32 for value in lanes):
        raise ValueError(f"a register has {LANES} lanes of 32 bits")
    return tuple(lanes)


def run_vertices(core: Core, inputs: Mapping[tuple[int, int], Sequence[int]], count: int) -> dict[Register, list[int]]:
    """The exported patterns of `count` vertices, in order; `inputs` has one pattern for each of them.

    They are cut into waves of 16 from the start, so the answer is a matter of this call alone. Raises Hang; ValueError for fewer than one vertex.
    """
    if count < 1:
        raise ValueError("there is at least one vertex")
    found: dict[Register, list[int]] = {place: [] for place in core.exported()}
    for first in range(0, count, LANES):
        active = min(LANES, count - first)
        core.begin({place: values[first : first + active] for place, values in inputs.items()}, active)
        core.run()
        for place, wave in core.exported().items():
            found[place] += wave[:active]
    return found
