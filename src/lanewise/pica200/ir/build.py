"""SSA construction: the semantics run once per block of the graph, on symbols.

`symbols.NodeOps` are the operations of the algebra. Between blocks, values travel in components: a component of a temporary or
an output, a flag, an address register, a number of the LOOP ring. EMIT is `sem.emission`, run on symbols too; the vertices that
a block emits are recorded separately from its values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.graph.flow import Branch, BudgetExceeded, Goto
from lanewise.pica200.ir.graph import MOST_STATES, unfold
from lanewise.pica200.ir.ssa import (
    FED,
    Block,
    Emit,
    Fork,
    Function,
    Geometry,
    Jump,
    Stop,
    Unsupported,
    leaves,
    setting_of,
)
from lanewise.pica200.ir.symbols import (
    BANK,
    BOOLEANS,
    INPUTS,
    INTEGERS,
    OUTPUTS,
    TEMPORARIES,
    UNIFORMS,
    NodeOps,
    UnsupportedError,
)
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import FLOAT, TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.components import AL, SETEMIT, Component
from lanewise.pica200.sem.emission import Emitter, emit
from lanewise.pica200.sem.flow import End, Hang, LoopValues
from lanewise.pica200.sem.instruction import computes, execute, resolve
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.sem.registers import Registers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.ir.graph import Graph, Terminator
    from lanewise.pica200.ir.ssa import Exit, Value
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.flow import Action
    from lanewise.pica200.sem.profile import Profile

# Programs with more blocks than this would take longer to compile than to run.
MOST_BLOCKS = 500


def build(
    words: Sequence[int],
    descriptors: Sequence[int],
    entry: int,
    *,
    booleans: Mapping[int, bool] | None = None,
    profile: Profile = HARDWARE,
    limit: int = MOST_STATES,
    geometry: Geometry | None = None,
) -> Function | Unsupported:
    """Build the SSA of the program that starts at the word `entry`.

    `booleans` are uniforms whose values are known. Without `geometry`, EMIT and SETEMIT have no effect, as in a vertex shader.
    Blocks after questions with constant answers are not built.
    """
    size = flow.memory_size(geometry=geometry is not None)
    insts = [decode(word) for word in flow.code_memory(words, profile, size)]
    graph = unfold(insts, entry, booleans=booleans, limit=limit, profile=profile)
    if isinstance(graph, BudgetExceeded):
        return Unsupported(graph.reason)
    chains = _chains(graph)
    numbers = {chain[0]: number for number, chain in enumerate(chains)}
    program = _Program(graph=graph, numbers=numbers, insts=insts, descriptors=descriptors, profile=profile, geometry=geometry)
    # Registers start as zeros if no edge leads to the first block and no state is kept from the vertex before.
    cleared = profile.initial_state == "zero" if geometry is None else profile.keep_registers_between_invocations == "cleared"
    zeros = cleared and not graph.predecessors[0]
    built: dict[int, Block] = {}
    waiting = [0]
    try:
        while waiting:
            number = waiting.pop()
            if number in built:
                continue
            if len(built) == MOST_BLOCKS:
                return Unsupported(f"the program has more than {MOST_BLOCKS} blocks")
            block = built[number] = BlockBuilder(program, chains[number], fresh=zeros and not number).build()
            waiting += [leaf.block for leaf in leaves(block.exit) if isinstance(leaf, Jump)]
    except UnsupportedError as reason:
        return Unsupported(str(reason))
    return Function(renumbered(built), profile)


def renumbered(blocks: Mapping[int, Block]) -> tuple[Block, ...]:
    """The blocks in order, numbered without gaps."""
    order = sorted(blocks)
    if order[-1] == len(order) - 1:
        return tuple(blocks[number] for number in order)
    numbers = {old: new for new, old in enumerate(order)}

    def moved(exit: Exit) -> Exit:
        match exit:
            case Fork(question, yes, no):
                return Fork(question, moved(yes), moved(no))
            case Jump(target, writes):
                return Jump(numbers[target], writes)
            case Stop():
                return exit

    return tuple(blocks[old]._replace(exit=moved(blocks[old].exit)) for old in order)


def _chains(graph: Graph) -> list[list[int]]:
    """Chains of the graph's blocks that always execute one after the other, the entry's first."""
    inner = {
        target
        for number, following in enumerate(graph.successors)
        for target in following
        if target
        and isinstance(graph.blocks[number].terminator, Goto)
        and len(graph.predecessors[target]) == 1
        and target != number
    }
    chains: list[list[int]] = []
    for block in graph.blocks:
        if block.number in inner:
            continue
        chain = [block.number]
        while isinstance(terminator := graph.blocks[chain[-1]].terminator, Goto) and terminator.node in inner:
            chain.append(terminator.node)
        chains.append(chain)
    return chains


class _Program(Record):
    """Data shared by all blocks."""

    graph: Graph
    "Control-flow graph."
    numbers: Mapping[int, int]
    "SSA block of each block of the graph that starts a chain."
    insts: Sequence[Inst]
    "Instructions by address."
    descriptors: Sequence[int]
    "Operand descriptors."
    profile: Profile
    "Rules of the run."
    geometry: Geometry | None
    "Setup of a geometry shader; None for a vertex shader."


class BlockBuilder:
    """Builder of one SSA block: runs a chain of the graph's blocks on symbols."""

    def __init__(self, program: _Program, chain: Sequence[int], *, fresh: bool) -> None:
        """`fresh`: every register is zero when the block begins."""
        self._program, self._chain = program, chain
        geometry = program.geometry
        self._m = m = NodeOps(program.profile, geometry.fed if geometry else range(0))
        self._registers: Registers[Value, Value, Value] = Registers(m, INPUTS, _uniforms(m, geometry))
        self._sending = _Sending(m, self._registers, geometry, fresh=fresh) if geometry else None
        if not fresh:
            self._enter(len(program.graph.blocks[chain[0]].state.loops))
        self._loops_before = _loop_state(self._registers.loops)
        registers = self._registers
        self._before = registers.readable[TEMPORARY:FLOAT], [*registers.outputs], [registers.cmp], [registers.a0]

    def _enter(self, depth: int) -> None:
        """Set the registers to the values from the blocks before; `depth` loops are active."""
        m, registers = self._m, self._registers
        registers.readable[TEMPORARY:FLOAT] = TEMPORARIES
        registers.outputs = [*OUTPUTS]
        registers.cmp = (m.enter(Component("cmp", 0, 0)), m.enter(Component("cmp", 0, 1)))
        registers.a0 = (m.enter(Component("a0", 0, 0)), m.enter(Component("a0", 0, 1)))
        counters = tuple(m.enter(Component("counter", slot)) for slot in range(depth))
        registers.loops = LoopValues(m.enter(AL), counters, tuple(m.enter(Component("saved", slot)) for slot in range(depth)))

    def build(self) -> Block:
        graph, registers, sending = self._program.graph, self._registers, self._sending
        size, stop = self._run()
        leave: Exit = Stop(stop) if stop else self._exit(graph.blocks[self._chain[-1]].terminator, registers.loops)
        now = registers.readable[TEMPORARY:FLOAT], registers.outputs, [registers.cmp], [registers.a0]
        writes = sending.changes() if sending else {}
        for file, before, after in zip(_FILES, self._before, now, strict=True):
            writes |= _changes(file, before, after)
        outputs = {n: mask for n, mask in enumerate(registers.written) if mask}
        emits = tuple(sending.emits) if sending else ()
        parts = [graph.blocks[number] for number in self._chain]
        states = tuple((part.state, max(part.size, 1)) for part in parts)
        first = parts[0].state.pc
        return Block(
            nodes=tuple(self._m.nodes),
            writes=writes,
            exit=leave,
            size=size,
            pc=first,
            outputs=outputs,
            emits=emits,
            indexed=tuple(sorted(self._m.indexed)),
            states=states,
        )

    def _run(self) -> tuple[int, str]:
        """Run the instructions. Returns their count, and the code of a hang among them, or empty."""
        size = 0
        for number in self._chain:
            block = self._program.graph.blocks[number]
            size += not block.size  # continuing where there is no word counts as a step
            for address in block.addresses:
                stop = self._execute(address, size)
                if stop:
                    return size, stop
                size += 1
            if number != self._chain[-1] and isinstance(block.terminator, Goto):
                self._registers.loops = self._performed(block.terminator.actions, self._registers.loops)
        return size, ""

    def _execute(self, address: int, step: int) -> str:
        program, inst = self._program, self._program.insts[address]
        if computes(inst):
            if inst.field("desc") >= len(program.descriptors):
                return "R005"
            instruction = resolve(inst, operands(inst, program.descriptors[inst.field("desc")]), program.profile)
            execute(self._m, self._registers, instruction)
        elif self._sending is not None:
            self._sending.do(address, inst, step)
        return ""

    def _performed(self, actions: tuple[Action, ...], loops: LoopValues[Value]) -> LoopValues[Value]:
        return flow.perform(self._m, actions, loops, INTEGERS, self._program.profile) if actions else loops

    def _exit(self, terminator: Terminator, loops: LoopValues[Value]) -> Exit:
        """The exit of the block, with the values of the loops before `terminator`."""
        match terminator:
            case Goto(target, actions):
                found = _loop_state(self._performed(actions, loops))
                changed = tuple(
                    (component, value) for component, value in found.items() if self._loops_before.get(component) != value
                )
                return Jump(self._program.numbers[target], changed)
            case Branch(question, yes, no, actions):
                values = self._performed(actions, loops)
                asked = flow.answer(self._m, question, self._registers.cmp, BOOLEANS, values)
                node = self._m.nodes[asked]
                if node[0] == "truth":
                    return self._exit(yes if node[1] else no, values)
                return Fork(asked, self._exit(yes, values), self._exit(no, values))
            case Hang(code):
                return Stop(code)
            case End():
                return Stop()


def _uniforms(m: NodeOps, geometry: Geometry | None) -> list[Vector[Value]]:
    if geometry is None or not geometry.fed:
        return UNIFORMS
    found = [*UNIFORMS]
    for row in geometry.fed:
        number = FED + row
        found[row] = (
            m.node("input", number, 0),
            m.node("input", number, 1),
            m.node("input", number, 2),
            m.node("input", number, 3),
        )
    return found


class _Sending:
    """Effects of a geometry shader's block on the state of EMIT.

    In `sem.emission` the written components are a mask; here the mask is that of the block, and earlier writes are components.
    """

    def __init__(self, m: NodeOps, registers: Registers[Value, Value, Value], geometry: Geometry, *, fresh: bool) -> None:
        self._m, self._registers, self._outputs = m, registers, geometry.outputs
        self._emitter: Emitter[Value] = Emitter(m, m.profile)
        if not fresh:
            self._emitter.bank = [*BANK]
        self._bank = [*self._emitter.bank]
        self._setting = self._before = m.enter(SETEMIT)
        self.emits: list[Emit] = []

    def do(self, pc: int, inst: Inst, step: int) -> None:
        result = emit(self._emitter, inst, self._registers)
        setting, sent = result.get("setemit"), result.get("emit")
        if setting is not None:
            self._setting = self._m.integer(setting_of(setting))
        if sent is not None:
            # The banks have changed places already.
            files = ("banked", "written") if len(self.emits) % 2 else ("written", "banked")
            written = {n: self._flags(files[0], n, sent.vertex.written[n]) for n in self._outputs}
            self.emits.append(
                Emit(
                    pc=pc,
                    outputs={n: sent.vertex.outputs[n] for n in self._outputs},
                    written=written,
                    setting=self._setting,
                    step=step,
                )
            )

    def _flags(self, file: str, number: int, mask: int) -> Vector[Value]:
        m, components = self._m, _COMPONENTS[file][number]
        x, y, z, w = (m.boolean(True) if mask & 8 >> c else m.enter(component) for c, component in enumerate(components))
        return x, y, z, w

    def changes(self) -> dict[Component, Value]:
        """The components of this state that have other values than when the block began, except the outputs that are written to
        now."""
        found: dict[Component, Value] = {SETEMIT: self._setting} if self._setting != self._before else {}
        found |= _changes("bank", self._bank, self._emitter.bank)
        swapped = len(self.emits) % 2
        masks = self._registers.written, self._emitter.written
        for name, file, mine in zip(_MARKS, reversed(_MARKS) if swapped else _MARKS, masks, strict=True):
            for n in self._outputs:
                if swapped or mine[n]:
                    values = zip(_COMPONENTS[name][n], self._flags(file, n, mine[n]), strict=True)
                    found.update(
                        (component, value) for c, (component, value) in enumerate(values) if swapped or mine[n] & 8 >> c
                    )
        return found


_FILES = "r", "o", "cmp", "a0"
_MARKS = "written", "banked"
_COMPONENTS = {
    file: [tuple(Component(file, n, c) for c in range(4)) for n in range(16)]
    for file in ("r", "o", "bank", "written", "banked")
} | {file: [tuple(Component(file, 0, c) for c in range(2))] for file in ("cmp", "a0")}


def _changes(file: str, before: Sequence[tuple[Value, ...]], after: Sequence[tuple[Value, ...]]) -> dict[Component, Value]:
    """The components of a file that have other values."""
    return {
        component: new
        for components, olds, news in zip(_COMPONENTS[file], before, after, strict=True)
        if olds is not news
        for component, old, new in zip(components, olds, news, strict=True)
        if old != new
    }


def _loop_state(loops: LoopValues[Value]) -> dict[Component, Value]:
    return (
        {AL: loops.al}
        | {Component("counter", slot): value for slot, value in enumerate(loops.counters)}
        | {Component("saved", slot): value for slot, value in enumerate(loops.saved)}
    )
