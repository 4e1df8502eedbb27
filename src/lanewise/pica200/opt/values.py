"""Values of temporaries in a shader: where they are written, which words read them, and what they are equal to.

Decided by dataflow over the graph. What the moves propose on these grounds is proved afterwards.
"""

from __future__ import annotations

from lanewise.core.bits import bit_numbers
from lanewise.core.cached import cached_property
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.dataflow import Step
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.demand import demand
from lanewise.pica200.check.equality import Equality
from lanewise.pica200.isa.table import COMPONENTS, FLOAT, TEMPORARY, register_name
from lanewise.pica200.sem.components import Component, components_written, slots_used
from lanewise.pica200.sem.influence import written
from lanewise.pica200.sem.meaning import DOT
from lanewise.pica200.sem.registers import SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.check.demand import Demand
    from lanewise.pica200.check.equality import State
    from lanewise.pica200.ir.graph import Graph
    from lanewise.pica200.isa.program import Source
    from lanewise.pica200.sem.instruction import ResolvedInst

_ONE = 0x3F0000  # 1.0
_TEMPORARIES = dataflow.bits([Component("r", n, channel) for n in range(FLOAT - TEMPORARY) for channel in range(4)])


class Value(Record):
    """A write of a temporary: the address of the word, the register and the channels."""

    pc: int
    register: int
    channels: tuple[int, ...]


class Use(Record):
    """A word that reads a value, with the numbers of the sources by which it does."""

    pc: int
    sources: tuple[int, ...]


class Ones(Record):
    """The temporaries of which some word makes a component 1, and the sources of dp4 (address, number) whose last component is
    1 on every path."""

    registers: frozenset[int]
    last: frozenset[tuple[int, int]]


class Values:
    """The values of one shader. `constants`: those of the file are known. `progress` is called at each step of long work."""

    context: AnalysisContext
    graph: Graph
    constants: bool
    resolved: dict[int, ResolvedInst]
    all: dict[int, Value]

    def __init__(
        self,
        context: AnalysisContext,
        graph: Graph,
        others: Sequence[AnalysisContext] = (),
        *,
        constants: bool = True,
        progress: Callable[[], None] | None = None,
    ) -> None:
        self.progress = progress
        self.context, self.graph, self.constants = context, graph, constants
        self.others = others  # of the other shaders of the program
        self.places: dict[int, list[int]] = {}  # the blocks of each word
        for block in graph.blocks:
            for pc in block.addresses:
                self.places.setdefault(pc, []).append(block.number)
        self.resolved = {pc: instruction for pc in self.places if (instruction := context.resolved(pc)) is not None}
        self.all = {pc: value for pc in sorted(self.resolved) if (value := self._value(pc)) is not None}

    @cached_property
    def observable(self) -> int:
        """The components of outputs that the file declares, and those that can be seen, as bits of `dataflow`."""
        found = self.context.observable
        for register, mask in self.context.outputs.items():
            found |= dataflow.output_bits(register, mask)
        return found

    @cached_property
    def demand(self) -> Demand:
        return demand(self.context, self.graph, self.observable, kept=True)  # as some profiles of the proofs have it

    @cached_property
    def kept(self) -> int:
        """The registers that are live where a geometry shader starts, and so at its end: they stay from run to run."""
        return self.demand.live[0] if self.context.interface.geometry else 0

    def _value(self, pc: int) -> Value | None:
        """Return the temporary that a word writes, if it does nothing else."""
        instruction = self.resolved[pc]
        found = written(instruction)
        register = instruction.dest.register
        if not found or not TEMPORARY <= register < FLOAT or any(what != "dst" for what, _ in found):
            return None
        return Value(pc, register, tuple(sorted(channel for _, channel in found)))

    @cached_property
    def readers(self) -> dict[int, dict[int, tuple[int, ...]]]:
        """By the word that writes a value, the words that may read it with the numbers of the sources by which they do.

        One solution for all values: the set has a bit for each value and channel.
        """
        context, graph = self.context, self.graph
        owners = list(self.all)
        own, of_component = _numbered([self.all[pc] for pc in owners])

        def step(pc: int) -> Step:
            gone = sum([of_component.get(component, 0) for component in bit_numbers(context.effect(pc).writes & _TEMPORARIES)])
            return Step(~gone, sum([own[n] for n in positions.get(pc, ())]))

        positions: dict[int, list[int]] = {pc: [n] for n, pc in enumerate(owners)}
        found: dict[int, dict[int, tuple[int, ...]]] = {pc: {} for pc in owners}
        for block, pc, perhaps in dataflow.before(graph, dataflow.forward(graph, step, 0, must=False), step):
            reads = self.demand.at[block, pc] & _TEMPORARIES
            for component in bit_numbers(reads) if perhaps else ():
                for n in bit_numbers(perhaps & of_component.get(component, 0)):
                    owner = owners[n // 4]
                    if pc not in found[owner]:
                        found[owner][pc] = _reading(self.resolved[pc], self.all[owner].register)
        return found

    def read(self, pc: int) -> int:
        """The bits that a word reads with an effect, in any block: bits of `dataflow`, in which those of r0 come first."""
        return self._reads.get(pc, 0)

    @cached_property
    def _reads(self) -> dict[int, int]:
        return self.demand.by_address()

    def mask(self, pc: int) -> int:
        """The components of its destination that a word writes with an effect, as in a descriptor."""
        instruction, wanted = self.resolved[pc], self.observable
        for number in self.places[pc]:
            wanted |= self.demand.after[number, pc]
        components = zip(components_written(instruction), written(instruction), strict=True)
        return sum(
            [8 >> channel for component, (what, channel) in components if what == "dst" and wanted & dataflow.bit(component)]
        )

    def only_reader(self, value: Value, pc: int) -> bool:
        return not self.kept & bits_of(value) and [*self.readers.get(value.pc, {})] == [pc]

    def uses(self, candidates: Sequence[tuple[Value, int]], ones: Ones | None = None) -> list[list[Use] | None]:
        """For each value, the words that read it, if they read nothing else by the same source, and no component of a set has
        changed there.

        With `ones`, the last component of a source of dp4 that is 1 does not count.

        None where one of them does not fit, and where the value may outlive the run. What the word itself overwrites has not
        changed: the word goes.
        """
        context, graph = self.context, self.graph
        own, of_component = _numbered([value for value, _ in candidates])
        depending: dict[int, int] = {}
        written_by: dict[int, list[int]] = {}
        for n, (value, depends) in enumerate(candidates):
            written_by.setdefault(value.pc, []).append(n)
            for component in bit_numbers(depends):
                depending[component] = depending.get(component, 0) | own[n]

        followed = sum([1 << component for component in {*of_component, *depending}])

        def step(pc: int) -> Step:
            gone = 0
            for component in bit_numbers(context.effect(pc).writes & followed):
                gone |= of_component.get(component, 0) | depending.get(component, 0)
            return Step(~gone, sum([own[n] for n in written_by.get(pc, ())]))

        wanted: dict[int, list[int]] = {}  # by reader, the candidates
        for n, (value, _) in enumerate(candidates):
            for reader in self.readers[value.pc]:
                wanted.setdefault(reader, []).append(n)
        everywhere: dict[tuple[int, int], int] = {}  # by candidate and reader, the channels that are sure in every state
        for _, pc, sure in dataflow.before(graph, dataflow.forward(graph, step, 0, must=True), step) if candidates else ():
            for n in wanted.get(pc, ()):
                everywhere[n, pc] = everywhere.get((n, pc), 0xF) & sure >> 4 * n
        return [
            None if self.kept & bits_of(value) else self._fitting(n, value, everywhere, ones)
            for n, (value, _) in enumerate(candidates)
        ]

    def _fitting(self, n: int, value: Value, everywhere: dict[tuple[int, int], int], ones: Ones | None) -> list[Use] | None:
        uses: list[Use] = []
        for pc, sources in sorted(self.readers[value.pc].items()):
            if not sources:
                return None
            instruction, reads = self.resolved[pc], self.read(pc)
            needed = {
                channel
                for number, slot in slots_used(instruction)
                if number in sources
                and not (slot == 3 and ones is not None and (pc, number) in ones.last)
                and reads >> 4 * (value.register - TEMPORARY) + (channel := SLOTS[instruction.sources[number].selector][slot])
                & 1
            }
            if not needed <= set(value.channels) or any(not everywhere[n, pc] >> channel & 1 for channel in needed):
                return None
            uses.append(Use(pc, sources))
        return uses

    @cached_property
    def equality(self) -> Equality:
        return Equality(self.context, self.graph, constants=self.constants)

    @cached_property
    def steps(self) -> Sequence[tuple[int, int, State, State]]:
        """Every word, in each block, with the value numbers before and after it."""
        return [*self.equality.steps()]

    def equal(self) -> Mapping[int, set[int]]:
        """The registers that hold the value of a word before it, on all paths; words without one are left out."""
        found: dict[int, set[int]] = {}
        for _, pc, before, after in self.steps:
            value = self.all.get(pc)
            if value is None or (pc in found and not found[pc]):
                continue
            base = 4 * (value.register - TEMPORARY)
            same = {
                TEMPORARY + n
                for n in range(FLOAT - TEMPORARY)
                if all(before[4 * n + channel] == after[base + channel] for channel in value.channels)
            }
            found[pc] = found[pc] & same if pc in found else same
        return {pc: registers for pc, registers in found.items() if registers}

    def ones(self) -> Ones:
        """Where values are 1."""
        one = self.equality.constant(_ONE)
        registers: set[int] = set()
        yes: set[tuple[int, int]] = set()
        no: set[tuple[int, int]] = set()
        for block, pc, before, after in self.steps:
            value = self.all.get(pc)
            if value is not None and any(
                after[4 * (value.register - TEMPORARY) + channel] == one for channel in value.channels
            ):
                registers.add(value.register)
            if self.context.op(pc) == DOT and pc in self.resolved:
                for n, source in enumerate(self.resolved[pc].sources):
                    same = self.equality.slot(block, pc, source, 3, before) == one
                    (yes if same else no).add((pc, n))
        return Ones(frozenset(registers), frozenset(yes - no))

    # Names

    def listed(self, words: Sequence[int]) -> str:
        """Words by their places: `line 12`, `lines 12, 13 and 15`."""
        places = [self.context.place(pc) for pc in words]
        kind = places[0].partition(" ")[0]
        numbers = list(dict.fromkeys([place.partition(" ")[2] for place in places]))
        if len(numbers) == 1:
            return places[0]
        return f"{kind}s {', '.join(numbers[:-1])} and {numbers[-1]}"

    def name(self, source: Source) -> str:
        name = register_name(source.register)
        interface = self.context.interface
        for uniform in (*interface.inputs, *interface.uniforms, *interface.private):
            if uniform.first <= source.register <= uniform.last:
                name = uniform.name if uniform.size == 1 else f"{uniform.name}[{source.register - uniform.first}]"
                break
        return f"-{name}" if source.negate else name

    def output(self, register: int) -> str:
        names = [output.name for output in self.context.interface.outputs if output.register == register and output.name]
        return names[0] if names else f"o{register}"

    def written_name(self, register: int) -> str:
        return register_name(register) if register >= TEMPORARY else self.output(register)


def bits_of(value: Value) -> int:
    """The components of a value, as bits of `dataflow`."""
    return dataflow.bits([Component("r", value.register - TEMPORARY, channel) for channel in value.channels])


def letters(channels: Sequence[int]) -> str:
    """The channels as a suffix: `.xy`; none for all four."""
    return "" if len(channels) == 4 else "." + "".join([COMPONENTS[n] for n in channels])


def _numbered(values: Sequence[Value]) -> tuple[list[int], dict[int, int]]:
    """Bits 4n to 4n + 3 for the channels of value n: those of each value, and those of all values by the component (its number
    in sets of `dataflow`) that they are in."""
    own: list[int] = []
    of_component: dict[int, int] = {}
    for n, value in enumerate(values):
        own.append(0)
        for channel in value.channels:
            bit = 1 << 4 * n + channel
            own[n] |= bit
            component = 4 * (value.register - TEMPORARY) + channel
            of_component[component] = of_component.get(component, 0) | bit
    return own, of_component


def _reading(instruction: ResolvedInst, register: int) -> tuple[int, ...]:
    """The sources of an instruction that are a register, and that have an effect."""
    used = {number for number, _ in slots_used(instruction)}
    return tuple(
        [n for n, source in enumerate(instruction.sources) if n in used and source.register == register and not source.relative]
    )
