"""Functions as text, which `reading` reads back.

function sums -> color.x
input count lanes=1
block 0:
  %0 = input count
  %1 = const 0.0
  jump block 1(%1)
block 1(%2: number):
  %3 = add %2, -%0.x            ; sums.vert:3
  ...
"""

from __future__ import annotations

import re

from lanewise.core.record import TYPE_CHECKING
from lanewise.ssa.function import Branch, Jump, Return
from lanewise.ssa.nodes import NEGATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.ssa.function import Declaration, Edge, Exit, Function
    from lanewise.ssa.nodes import Immediate, Node, Ref

PLAIN = re.compile(r"[A-Za-z_][\w.\[\]]*")  # names that need no quotes


def text_of(function: Function) -> str:
    """A function as lines: what it declares, then its blocks; at the right the places that nodes come from."""
    arrow = f" -> {', '.join(map(quoted, function.results))}" if function.results else ""
    lines = [f"function {quoted(function.name)}{arrow}", *map(_declared, function.declarations)]
    for number, block in enumerate(function.blocks):
        parameters = ", ".join([f"%{n}: {function.nodes[n].type}" for n in block.parameters])
        lines.append(f"block {number}{f'({parameters})' if parameters else ''}:")
        lines += [_placed(f"  %{n} = {shown(function.nodes[n])}", function, function.nodes[n].line) for n in block.nodes]
        lines += [_placed(f"  {line}", function, block.exit.line) for line in _exit(block.exit)]
    return "\n".join(lines) + "\n"


def quoted(name: str) -> str:
    """A name, in quotes where it is not a plain one."""
    if PLAIN.fullmatch(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def shown(node: Node) -> str:
    """A node as its operation and what it takes."""
    taken = [*map(reference, node.sources), *map(_immediate, node.immediates)]
    return f"{node.op} {', '.join(taken)}".rstrip()


def reference(ref: Ref) -> str:
    """A value as a source sees it: `%5`, `-%5.xy`."""
    return f"{'-' * (ref.modifier == NEGATE)}%{ref.node}{'.' * bool(ref.lanes)}{ref.lanes}"


def _immediate(value: Immediate) -> str:
    return quoted(value) if isinstance(value, str) else repr(value)


def _declared(declaration: Declaration) -> str:
    facts = [f" {key}={_immediate(value)}" for key, value in declaration.facts]
    return f"{declaration.kind} {quoted(declaration.name)}{''.join(facts)}"


def _edge(edge: Edge) -> str:
    arguments = ", ".join(map(reference, edge.arguments))
    return f"block {edge.block}{f'({arguments})' if arguments else ''}"


def _exit(exit: Exit) -> Iterator[str]:
    match exit:
        case Jump(edge):
            yield f"jump {_edge(edge)}"
        case Branch(question, yes, no):
            yield f"branch {reference(question)}, {_edge(yes)}, {_edge(no)}"
        case Return(results):
            yield f"return {', '.join(map(reference, results))}".rstrip()


def _placed(line: str, function: Function, place: int) -> str:
    if not 0 <= place < len(function.lines):
        return line
    span = function.lines[place]
    return f"{line:<40}  ; {span.file}:{span.line}".replace("\n", " ")
