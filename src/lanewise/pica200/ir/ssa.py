"""SSA as data: components, nodes, blocks and their text form.

`ir.build` builds it from programs, `ir.passes` analyses it.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.table import COMPONENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.isa.program import Emission
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.components import Component
    from lanewise.pica200.sem.flow import ControlState
    from lanewise.pica200.sem.profile import Profile

# A node's number: its index in `Block.nodes`.
Value = int
# The operation, then numbers of nodes; the source of a leaf, and immediates, follow. The operations that enter a block have a
# `Component` there, which is left out of this type so that other code need not test immediates: `ir.build` builds them,
# `ir.passes` tests for them.
Node = tuple[str | int | float | bool, ...]

NUMBER, TRUTH, INTEGER = "number", "truth", "integer"

# The kind of result of each operation, and how many of its arguments are nodes.
OPERATIONS: Mapping[str, tuple[str, int]] = {
    "const": (NUMBER, 0),
    "enter": (NUMBER, 0),
    "input": (NUMBER, 0),
    "uniform": (NUMBER, 0),
    "gather": (NUMBER, 1),
    "fed": (NUMBER, 1),
    "negate": (NUMBER, 1),
    "flush": (NUMBER, 1),
    "floor": (NUMBER, 1),
    "rcp": (NUMBER, 1),
    "rsq": (NUMBER, 1),
    "exp2": (NUMBER, 1),
    "log2": (NUMBER, 1),
    "add": (NUMBER, 2),
    "mul": (NUMBER, 2),
    "max": (NUMBER, 2),
    "min": (NUMBER, 2),
    "at_least": (NUMBER, 2),
    "at_most": (NUMBER, 2),
    "select": (NUMBER, 3),
    "truth": (TRUTH, 0),
    "enter_truth": (TRUTH, 0),
    "boolean": (TRUTH, 0),
    "compare": (TRUTH, 2),
    "not_negative": (TRUTH, 1),
    "invert": (TRUTH, 1),
    "both": (TRUTH, 2),
    "either": (TRUTH, 2),
    "within": (TRUTH, 1),
    "integer": (INTEGER, 0),
    "enter_integer": (INTEGER, 0),
    "component": (INTEGER, 0),
    "to_integer": (INTEGER, 1),
    "integer_add": (INTEGER, 2),
    "integer_and": (INTEGER, 1),
    "integer_select": (INTEGER, 3),
}


_ENDS: Mapping[object, int] = {op: 1 + count for op, (_, count) in OPERATIONS.items()}


# The operation that gives the value of a component when a block begins, by its kind.
ENTER = {NUMBER: "enter", TRUTH: "enter_truth", INTEGER: "enter_integer"}


def kind_of(component: Component) -> str:
    """The kind of a component's value: NUMBER, TRUTH or INTEGER."""
    return _KINDS.get(component.file, INTEGER)


_KINDS = {"r": NUMBER, "o": NUMBER, "bank": NUMBER, "cmp": TRUTH, "written": TRUTH, "banked": TRUTH}

FED = 16  # number of the `input` for c0 where a geometry shader is fed its vertices as uniforms
INHERITED = 16  # in place of a setting: no SETEMIT of this run has set it


class Geometry(Record):
    """Parameters of a geometry shader's function.

    `outputs` are the outputs wanted of emitted vertices, `fed` the c registers that have separate values for each run.
    """

    outputs: tuple[int, ...]
    fed: range


class Emit(Record):
    """A vertex that a block emits."""

    pc: int
    "Address of the EMIT."
    outputs: Mapping[int, Vector[Value]]
    "Nodes by o register."
    written: Mapping[int, Vector[Value]]
    "Written flags by o register."
    setting: Value
    "Node of the setting."
    step: int = 0
    "Number of instructions of the block before it."


def setting_of(emission: Emission) -> int:
    """A SETEMIT as a number: the slot, plus 4 for end of primitive, plus 8 if inverted."""
    return emission.vertex | emission.primitive << 2 | emission.invert << 3


class Jump(Record):
    """Continue with a block; `writes` are the loop components changed on the edge."""

    block: int
    writes: tuple[tuple[Component, Value], ...] = ()


class Fork(Record):
    """A question: a node that is a truth value."""

    question: Value
    yes: Exit
    no: Exit


class Stop(Record):
    """END, or with a code a stop without it."""

    code: str = ""


Exit = Jump | Fork | Stop


class Block(Record):
    """Straight-line code."""

    nodes: tuple[Node, ...]
    "Each after its arguments."
    writes: Mapping[Component, Value]
    "Components whose value it changes."
    exit: Exit
    "End of the block."
    size: int
    "Number of instructions."
    pc: int
    "Address of the first instruction."
    outputs: Mapping[int, int]
    "Masks of the outputs written, x in bit 3."
    emits: tuple[Emit, ...] = ()
    "Vertices emitted, in order."
    indexed: tuple[Value, ...] = ()
    "Temporaries that an index can read where it may lead below c0."
    states: tuple[tuple[ControlState, int], ...] = ()
    "Control states of stretches of instructions, with their sizes."


class Function(Record):
    """A program in SSA form; block 0 is the entry.

    There every component is zero or false, except `SETEMIT`, which is `INHERITED`.
    """

    blocks: tuple[Block, ...]
    profile: Profile

    def __str__(self) -> str:
        return "\n".join(line for number, block in enumerate(self.blocks) for line in _lines(number, block))


class Written(Record):
    """Components of an output written on every path to END, and on some path.

    Both are masks with x in bit 3.
    """

    always: int
    ever: int


class Unsupported(Record):
    """The program has no SSA form, or none that can be compiled.

    `reason` is a sentence without its full stop.
    """

    reason: str


def leaves(exit: Exit) -> list[Jump | Stop]:
    """The ends of an exit, yes before no."""
    return [*leaves(exit.yes), *leaves(exit.no)] if isinstance(exit, Fork) else [exit]


def questions(exit: Exit) -> list[Value]:
    return [exit.question, *questions(exit.yes), *questions(exit.no)] if isinstance(exit, Fork) else []


def arguments(node: Node) -> tuple[Value, ...]:
    """The argument nodes of a node."""
    return node[1 : _ENDS[node[0]]]  # pyright: ignore[reportReturnType] - numbers of nodes; `cast` takes longer than this


def _lines(number: int, block: Block) -> list[str]:
    """A block as text: only the nodes that its writes, emits and exit depend on, renumbered."""
    names: dict[Value, str] = {}
    lines = [f"block {number} at {block.pc:#x}, {block.size} instructions"]

    def name(value: Value) -> str:
        node = block.nodes[value]
        if value not in names:
            op, immediates = str(node[0]), node[1 + OPERATIONS[str(node[0])][1] :]
            if op in ("enter", "enter_truth", "enter_integer"):
                names[value] = str(node[1])
            elif op in ("const", "truth", "integer"):
                names[value] = f"{node[1]:#08x}" if op == "const" else str(node[1]).lower()
            elif op == "input":
                number = int(node[1])
                names[value] = f"{f'v{number}' if number < FED else f'c{number - FED} of the run'}.{COMPONENTS[int(node[2])]}"
            elif op == "uniform":
                names[value] = f"c{node[1]}.{COMPONENTS[int(node[2])]}"
            elif op == "component":
                names[value] = f"i{node[1]}.{COMPONENTS[int(node[2])]}"
            elif op == "boolean":
                names[value] = f"b{node[1]}"
            else:
                parts = [name(argument) for argument in arguments(node)] + [str(immediate) for immediate in immediates]
                names[value] = f"%{sum(known.startswith('%') for known in names.values())}"
                lines.append(f"  {names[value]} = {op} {', '.join(parts)}")
        return names[value]

    def show(exit: Exit, indent: str) -> None:
        match exit:
            case Jump(target, writes):
                changes = "".join([f", {component} = {name(value)}" for component, value in writes])
                lines.append(f"{indent}goto block {target}{changes}")
            case Fork(question, yes, no):
                lines.append(f"{indent}if {name(question)}")
                show(yes, indent + "  ")
                lines.append(f"{indent}else")
                show(no, indent + "  ")
            case Stop(code):
                lines.append(f"{indent}stop {code}" if code else f"{indent}end")

    for sent in block.emits:
        parts = [f"o{n} {', '.join([name(value) for value in vector])}" for n, vector in sent.outputs.items()]
        lines.append(f"  emit at {sent.pc:#x}, setting {name(sent.setting)}: {'; '.join(parts)}")
    for component, value in block.writes.items():
        lines.append(f"  {component} = {name(value)}")
    show(block.exit, "  ")
    return lines
