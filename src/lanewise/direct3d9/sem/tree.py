"""The tree of a Direct3D 9 shader: blocks, branches, loops, calls.

Labels are resolved and constants collected.

`resolve` gives a `Flow`, or diagnostics about the structure. `check` knows the limits of versions; only shaders without a
meaning are refused here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import FLOAT, INTEGER, PRED, SAMPLED, SETP, TRUTH
from lanewise.direct3d9.isa.program import Inst, Unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.isa.table import Version

DEEPEST = 130  # blocks that may be open at once, one of them the routine


class Step(NamedTuple):
    """Instructions that do no flow: one, or a pair that is issued together."""

    insts: tuple[Inst, ...]


class If(NamedTuple):
    """`if`, `ifc` with both arms. `leaves`: an arm may take lanes out of the loop or routine around."""

    inst: Inst
    then: Block
    other: Block
    leaves: bool


class Loop(NamedTuple):
    """`loop` or `rep`. `leaves`: the body may take lanes out of the routine around."""

    inst: Inst
    body: Block
    leaves: bool

    @property
    def counts(self) -> bool:
        """Has an aL: `loop`, not `rep`."""
        return self.inst.op.block == isa.LOOP_BLOCK

    @property
    def register(self) -> int:
        """The number of the i#."""
        return self.inst.sources[-1].number


class Call(NamedTuple):
    """`call` or `callnz` of a routine, by the number of its label."""

    inst: Inst
    label: int


class Leave(NamedTuple):
    """`break`, `breakc`, `breakp` or `ret`."""

    inst: Inst

    @property
    def returns(self) -> bool:
        return self.inst.op.part == isa.RETURNS


Node = Step | If | Loop | Call | Leave
Block = tuple[Node, ...]


class Routine(NamedTuple):
    """Main, or the routine of a label. `returns`: it has a ret before its end."""

    block: Block
    returns: bool


class Declared(Record):
    """A `dcl`: the meaning of a register."""

    inst: Inst
    "The declaration itself, with its place."
    file: int
    "The number of the register file."
    number: int
    "The number of the register."
    mask: int
    "The components that it declares; x is bit 0."
    usage: tuple[int, int]
    "The number of the usage and its index; (0, 0) without a meaning for samplers."


class Flow(Record):
    """A shader in the form of the walker."""

    version: Version
    "The version of the shader."
    main: Routine
    "The routine that runs."
    routines: Mapping[int, Routine]
    "The subroutines by the number of their label."
    constants: Mapping[int, tuple[int, ...]]
    "Four patterns by c#, of those that it defines."
    integers: Mapping[int, tuple[int, ...]]
    "Four patterns by i#, of those that it defines."
    booleans: Mapping[int, bool]
    "Values by b#, of those that it defines."
    declared: tuple[Declared, ...]
    "Its declarations in order."
    insts: tuple[Inst, ...]
    "All its instructions in order."
    direct3d8: bool = False
    "Its inputs are not declared, and have the usages of `isa.interface.DIRECT3D8`."


class _Open:
    """A block that is not closed yet."""

    def __init__(self, inst: Inst | None) -> None:
        self.inst = inst
        self.nodes: list[Node] = []
        self.then: Block | None = None  # the first arm, once `else` was met


class _Resolver:
    def __init__(self, shader: Shader, name: str) -> None:
        self.shader, self.name = shader, name
        self.found: list[Diagnostic] = []
        self.routines: dict[int, Routine] = {}
        self.main: Routine | None = None
        self.label: int | None = None  # of the routine that is being read
        self.order: dict[int, int] = {}  # the place of each label
        self.calls: list[tuple[int, Inst, int]] = []  # (place, instruction, label)
        self.open = [_Open(None)]
        self.constants: dict[int, tuple[int, ...]] = {}
        self.integers: dict[int, tuple[int, ...]] = {}
        self.booleans: dict[int, bool] = {}
        self.declared: list[Declared] = []

    def run(self) -> Flow | None:
        for place, item in enumerate(self.shader.items):
            if isinstance(item, Inst):
                self._inst(place, item)
            elif isinstance(item, Unknown):
                self._say(
                    "R304",
                    "a word of the stream is not an instruction of this version",
                    item.place,
                    "remove it, or select its version",
                )
        self._finish_routine()
        for place, inst, label in self.calls:
            if label not in self.order:
                self._say("R303", f"call of undefined label l{label}", inst.place, f"add `label l{label}`")
            elif self.order[label] < place:
                self._say(
                    "R303",
                    f"call of l{label}, which precedes the call",
                    inst.place,
                    "move the routine after its callers: calls go forward only",
                )
        if not self.found:
            self._measure_depth()
        if self.found or self.main is None:
            return None
        return Flow(
            version=self.shader.version,
            main=self.main,
            routines=self.routines,
            constants=self.constants,
            integers=self.integers,
            booleans=self.booleans,
            declared=tuple(self.declared),
            insts=tuple(self.shader.insts),
            direct3d8=self.shader.direct3d8,
        )

    def _measure_depth(self) -> None:
        """Blocks and calls in each other are walked in each other. Calls go forward, so the last routines are measured
        first."""
        deepest: dict[int | None, int] = {}
        routines = [(None, self.main), *self.routines.items()]
        for label, routine in reversed(routines):
            deepest[label] = _depth(routine.block, deepest) if routine else 0
        if deepest[None] > DEEPEST:
            self._say(
                "R301",
                f"calls and blocks are nested {deepest[None]} deep",
                None,
                f"use fewer levels: no version allows more than 24, and {DEEPEST} can be run",
            )

    def _say(self, code: str, message: str, place: Span | None, fix: str) -> None:
        self.found.append(
            Diagnostic(code=code, severity=ERROR, message=message, span=place or Span(file=self.name), notes=(), fix=fix)
        )

    def _inst(self, place: int, inst: Inst) -> None:
        role = inst.op.role
        if role == isa.DECLARATION:
            self._declare(inst)
        elif role == isa.DEFINITION:
            self._define(inst)
        elif role == isa.FLOW:
            self._flow(place, inst)
        elif role != isa.MARK and inst.op.dest is not None and self._runnable(inst):
            nodes = self.open[-1].nodes
            last = nodes[-1] if nodes else None
            if inst.coissue and isinstance(last, Step) and len(last.insts) == 1:
                nodes[-1] = Step((*last.insts, inst))
            else:
                nodes.append(Step((inst,)))

    def _runnable(self, inst: Inst) -> bool:
        """Whether all operands are valid registers; reports others."""
        kind = self.shader.version.kind
        text = ""
        if inst.op.vs is None and inst.op.ps is None:
            text = f"{inst.op.name} is reserved and undocumented"
        samplers = [source.file == isa.SAMPLER for source in inst.sources]
        if samplers.count(True) != _samplers(inst, self.shader.version):
            text = (
                f"{inst.op.name} needs one sampler" if not any(samplers) else f"{inst.op.name} has a sampler as a value operand"
            )
        for source in inst.sources:
            if source.file not in _READABLE[kind] and source.file != isa.SAMPLER:
                text = f"{inst.op.name} reads a register file that has no values ({source.file})"
        if inst.dest is None or inst.dest.file not in _WRITABLE[kind]:
            text = f"{inst.op.name} writes to a register file that cannot be written"
        elif (inst.dest.file == isa.PREDICATE) != (inst.op.dest == SETP):
            text = "p0 can only be written by setp"
        if text:
            self._say("R304", text, inst.place, "use another register; `lanewise check` lists them")
        return not text

    def _declare(self, inst: Inst) -> None:
        if inst.dest is not None and inst.payload:
            usage = inst.payload[0]
            pair = (usage & 0x1F, usage >> 16 & 0xF) if inst.dest.file != isa.SAMPLER else (0, 0)
            self.declared.append(
                Declared(inst=inst, file=inst.dest.file, number=inst.dest.number, mask=inst.dest.mask, usage=pair)
            )

    def _define(self, inst: Inst) -> None:
        if inst.dest is None or len(inst.payload) < inst.op.payload:
            return
        number = inst.dest.number + isa.constant_base(inst.dest.file)
        if inst.op.dest == FLOAT:
            self.constants[number] = inst.payload[:4]
        elif inst.op.dest == INTEGER:
            self.integers[number] = inst.payload[:4]
        else:
            self.booleans[number] = bool(inst.payload[0])

    def _flow(self, place: int, inst: Inst) -> None:
        name, part = inst.op.name, inst.op.part
        if (
            inst.op.sources
            and inst.op.sources[-1] in (TRUTH, PRED)
            and inst.sources[-1].file not in (isa.CONSTBOOL, isa.PREDICATE)
        ):
            self._say(
                "R304", f"{name} tests a register that is neither b# nor p0", inst.place, "use a b#, or p0 with a component"
            )
        if part == isa.OPENS:
            self.open.append(_Open(inst))
            if len(self.open) == DEEPEST:
                self._say(
                    "R301",
                    f"blocks are nested more than {DEEPEST - 2} deep",
                    inst.place,
                    "use fewer levels: no version allows more than 24",
                )
        elif part == isa.SPLITS:
            self._else(inst)
        elif part == isa.CLOSES:
            self._close(inst)
        elif part == isa.BEGINS:
            self._label(place, inst)
        elif part == isa.CALLS:
            label = inst.sources[0].number
            self.calls.append((place, inst, label))
            self.open[-1].nodes.append(Call(inst, label))
        else:
            if part == isa.BREAKS and not any(block.inst and block.inst.op.block in _LOOPS for block in self.open):
                self._say(
                    "R302",
                    f"{name} outside a loop",
                    inst.place,
                    "put it between loop and endloop, or rep and endrep, of its routine",
                )
            self.open[-1].nodes.append(Leave(inst))

    def _else(self, inst: Inst) -> None:
        top = self.open[-1]
        if top.inst is None or top.inst.op.block != inst.op.block or top.then is not None:
            self._say("R301", "else without an if", inst.place, "put it between an if and its endif, once")
            return
        top.then, top.nodes = tuple(top.nodes), []

    def _close(self, inst: Inst) -> None:
        top = self.open[-1]
        if top.inst is None or top.inst.op.block != inst.op.block:
            has = f", but {top.inst.op.name} is open" if top.inst else ""
            self._say(
                "R301",
                f"{inst.op.name} without {_OPENERS[inst.op.block]}{has}",
                inst.place,
                "close blocks in reverse order of opening",
            )
            return
        self.open.pop()
        block = tuple(top.nodes)
        if inst.op.block not in _LOOPS:
            then, other = (block, ()) if top.then is None else (top.then, block)
            self.open[-1].nodes.append(If(top.inst, then, other, _leaves(then, loops=True) or _leaves(other, loops=True)))
        else:
            self.open[-1].nodes.append(Loop(top.inst, block, _leaves(block, loops=False)))

    def _label(self, place: int, inst: Inst) -> None:
        self._finish_routine()
        self.label = inst.sources[0].number
        if self.label in self.order:
            self._say("R303", f"label l{self.label} is defined twice", inst.place, "use separate labels")
        self.order[self.label] = place

    def _finish_routine(self) -> None:
        for block in self.open[1:]:
            assert block.inst is not None
            self._say("R301", f"{block.inst.op.name} is not closed", block.inst.place, "add its end, in the same routine")
        nodes = self.open[0].nodes
        while nodes and isinstance(nodes[-1], Leave) and nodes[-1].returns:
            nodes.pop()  # the end of the routine
        routine = Routine(tuple(nodes), _returns(nodes))
        if self.label is None:
            self.main = routine
        else:
            self.routines[self.label] = routine
        self.open = [_Open(None)]


_LOOPS = (isa.LOOP_BLOCK, isa.REP_BLOCK)
# The first instruction that opens each kind of block, for messages.
_OPENERS: Mapping[str, str] = {op.block: op.name for op in reversed(isa.OPS) if op.part == isa.OPENS}
_VALUES = (isa.TEMP, isa.INPUT, isa.CONST, isa.CONST2, isa.CONST3, isa.CONST4)
# Register files whose components an instruction can read; p0 is for setp's own readers, and t# and a0 share a number.
_READABLE = {isa.VERTEX: _VALUES, isa.PIXEL: (*_VALUES, isa.TEXTURE, isa.MISC)}
_WRITABLE = {
    isa.VERTEX: (isa.TEMP, isa.ADDR, isa.RASTOUT, isa.ATTROUT, isa.OUTPUT, isa.PREDICATE),
    isa.PIXEL: (isa.TEMP, isa.INPUT, isa.TEXTURE, isa.COLOROUT, isa.DEPTHOUT, isa.PREDICATE),
}


def _samplers(inst: Inst, version: Version) -> int:
    """How many of an instruction's sources are samplers."""
    return isa.sources_in(inst.op, version).count(SAMPLED)


def _leaves(block: Block, *, loops: bool) -> bool:
    """Whether a block may take lanes away from what follows it: by ret, or where `loops` by a break of the loop that it is
    in."""
    for node in block:
        if isinstance(node, Leave) and (loops or node.returns):
            return True
        if isinstance(node, If) and (_leaves(node.then, loops=loops) or _leaves(node.other, loops=loops)):
            return True
        if isinstance(node, Loop) and node.leaves:
            return True
    return False


def _depth(block: Block, routines: Mapping[int | None, int]) -> int:
    """The nesting depth of a block, including called routines."""
    most = 0
    for node in block:
        if isinstance(node, If):
            most = max(most, _depth(node.then, routines), _depth(node.other, routines))
        elif isinstance(node, Loop):
            most = max(most, _depth(node.body, routines))
        elif isinstance(node, Call):
            most = max(most, routines[node.label])
    return most + 1


def _returns(block: Block | list[Node]) -> bool:
    return _leaves(tuple(block), loops=False)


def resolve(shader: Shader, name: str = "shader") -> tuple[Flow | None, list[Diagnostic]]:
    """The tree of a shader and no findings, or None and what is wrong (R301 to R304); `name` is for messages."""
    resolver = _Resolver(shader, name)
    flow = resolver.run()
    return flow, resolver.found


def expanded(flow: Flow) -> int:
    """How many instructions a shader has when every call is put in place; calls go forward, so the last routines are counted
    first."""
    sizes: dict[int, int] = {}

    def size(block: Block) -> int:
        total = 0
        for node in block:
            if isinstance(node, Step):
                total += len(node.insts)
            elif isinstance(node, If):
                total += 2 + size(node.then) + size(node.other)
            elif isinstance(node, Loop):
                total += 2 + size(node.body)
            else:
                total += 1 + (sizes[node.label] if isinstance(node, Call) else 0)
        return total

    for label, routine in reversed(list(flow.routines.items())):
        sizes[label] = size(routine.block)
    return size(flow.main.block)
