"""SSA as data: components, nodes, blocks and how they print. `ir.build` makes it of programs, `ir.passes` analyses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from lanewise.pica200.isa.table import COMPONENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.pica200.isa.program import Emission
    from lanewise.pica200.sem.algebra import Vector
    from lanewise.pica200.sem.components import Component
    from lanewise.pica200.sem.profile import Profile

# A node's number; what it is stands in `Block.nodes`.
Value = int
# The word, then numbers of nodes; what a leaf is of, and immediates, follow. The words that enter a block have a `Component` there, which is
# left out here so that everybody else need not ask what an immediate is: `ir.build` makes them, `ir.passes` asks for them.
Node = tuple[str | int | float | bool, ...]

NUMBER, TRUTH, INTEGER = "number", "truth", "integer"

# What each word makes of nodes, and how many of its arguments are nodes.
WORDS: Mapping[str, tuple[str, int]] = {
    "const": (NUMBER, 0), "enter": (NUMBER, 0), "input": (NUMBER, 0), "uniform": (NUMBER, 0), "gather": (NUMBER, 1), "fed": (NUMBER, 1),
    "negate": (NUMBER, 1), "flush": (NUMBER, 1), "floor": (NUMBER, 1), "rcp": (NUMBER, 1), "rsq": (NUMBER, 1),
    "exp2": (NUMBER, 1), "log2": (NUMBER, 1), "add": (NUMBER, 2), "mul": (NUMBER, 2), "max": (NUMBER, 2), "min": (NUMBER, 2),
    "at_least": (NUMBER, 2), "at_most": (NUMBER, 2), "select": (NUMBER, 3),
    "truth": (TRUTH, 0), "enter_truth": (TRUTH, 0), "boolean": (TRUTH, 0), "compare": (TRUTH, 2), "not_negative": (TRUTH, 1),
    "invert": (TRUTH, 1), "both": (TRUTH, 2), "either": (TRUTH, 2), "within": (TRUTH, 1),
    "integer": (INTEGER, 0), "enter_integer": (INTEGER, 0), "component": (INTEGER, 0), "to_integer": (INTEGER, 1),
    "integer_add": (INTEGER, 2), "integer_and": (INTEGER, 1), "integer_select": (INTEGER, 3),
}  # fmt: skip


def kind_of(component: Component) -> str:
    """What a component holds: NUMBER, TRUTH or INTEGER."""
    return _KINDS.get(component.file, INTEGER)


_KINDS = {"r": NUMBER, "o": NUMBER, "bank": NUMBER, "cmp": TRUTH, "written": TRUTH, "banked": TRUTH}

FED = 16  # number of the `input` that stands for c0 where a geometry shader is fed its vertices as uniforms
INHERITED = 16  # instead of a setting: no SETEMIT of this run has said it


class Geometry(NamedTuple):
    """What the function of a geometry shader depends on: the `outputs` of which emitted vertices are wanted, and the c registers that each run has
    its own values of."""

    outputs: tuple[int, ...]
    fed: range


class Emit(NamedTuple):
    """A vertex that a block emits: nodes of its outputs, of whether each component was written, and of the setting it goes by."""

    pc: int
    outputs: Mapping[int, Vector[Value]]
    written: Mapping[int, Vector[Value]]
    setting: Value


def setting_of(emission: Emission) -> int:
    """What SETEMIT says as a number: the slot, 4 if it finishes a primitive, 8 if that is inverted."""
    return emission.vertex | emission.primitive << 2 | emission.invert << 3


class Jump(NamedTuple):
    """The program goes on with a block; `writes` are the components of the LOOP ring that change on the way."""

    block: int
    writes: tuple[tuple[Component, Value], ...] = ()


class Fork(NamedTuple):
    """A question: a node that is a truth value."""

    question: Value
    yes: Exit
    no: Exit


class Stop(NamedTuple):
    """END, or with a code a stop without it."""

    code: str = ""


Exit = Jump | Fork | Stop


class Block(NamedTuple):
    """Straight code. `nodes` are in an order in which each comes after what it is made of.

    `writes` are the components that it leaves with another value; `exit` is what follows; `size` is how many instructions it has, and
    `pc` the address of the first. `outputs` are the masks of the outputs written (x in bit 3), `emits` the vertices emitted, in order.
    """

    nodes: tuple[Node, ...]
    writes: Mapping[Component, Value]
    exit: Exit
    size: int
    pc: int
    outputs: Mapping[int, int]
    emits: tuple[Emit, ...] = ()


class Function(NamedTuple):
    """The blocks of a program; 0 is where it starts, with every component zero or false (but `SETEMIT`, which is `INHERITED`)."""

    blocks: tuple[Block, ...]
    profile: Profile

    def __str__(self) -> str:
        return "\n".join(line for number, block in enumerate(self.blocks) for line in _lines(number, block))


class Unsupported(NamedTuple):
    """The program has no SSA form, or none that is compiled; the reason is a sentence without its full stop."""

    reason: str


def leaves(exit: Exit) -> list[Jump | Stop]:
    """The ends of an exit, yes before no."""
    return [*leaves(exit.yes), *leaves(exit.no)] if isinstance(exit, Fork) else [exit]


def questions(exit: Exit) -> list[Value]:
    return [exit.question, *questions(exit.yes), *questions(exit.no)] if isinstance(exit, Fork) else []


def arguments(node: Node) -> tuple[Value, ...]:
    """The nodes that a node is made of."""
    return cast("tuple[Value, ...]", node[1 : 1 + WORDS[str(node[0])][1]])


def _lines(number: int, block: Block) -> list[str]:
    """A block as text: only what its writes and its exit are made of, numbered anew."""
    names: dict[Value, str] = {}
    lines = [f"block {number} at {block.pc:#x}, {block.size} instructions"]

    def name(value: Value) -> str:
        node = block.nodes[value]
        if value not in names:
            word, immediates = str(node[0]), node[1 + WORDS[str(node[0])][1] :]
            if word in ("enter", "enter_truth", "enter_integer"):
                names[value] = str(node[1])
            elif word in ("const", "truth", "integer"):
                names[value] = f"{node[1]:#08x}" if word == "const" else str(node[1]).lower()
            elif word == "input":
                number = int(node[1])
                names[value] = f"{f'v{number}' if number < FED else f'c{number - FED} of the run'}.{COMPONENTS[int(node[2])]}"
            elif word == "uniform":
                names[value] = f"c{node[1]}.{COMPONENTS[int(node[2])]}"
            elif word == "component":
                names[value] = f"i{node[1]}.{COMPONENTS[int(node[2])]}"
            elif word == "boolean":
                names[value] = f"b{node[1]}"
            else:
                parts = [name(argument) for argument in arguments(node)] + [str(immediate) for immediate in immediates]
                names[value] = f"%{sum(known.startswith('%') for known in names.values())}"
                lines.append(f"  {names[value]} = {word} {', '.join(parts)}")
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
