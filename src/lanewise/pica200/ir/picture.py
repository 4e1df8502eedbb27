"""The graph of a program as a picture: what `lanewise graph` draws."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.graph import picture
from lanewise.graph.flow import Branch, Goto
from lanewise.graph.picture import HANG, Node, Picture, Row, Stop
from lanewise.pica200.ir.labels import actions_text, question_text, rings, stop_text
from lanewise.pica200.sem.flow import End, Hang

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lanewise.pica200.ir.graph import Block, Edge, Graph, Terminator
    from lanewise.pica200.ir.labels import Labels
    from lanewise.pica200.sem.flow import Action, Question


def picture_of(graph: Graph, labels: Labels, title: str = "", lines: Mapping[int, str] | None = None) -> Picture:
    """The graph as a picture: blocks with instructions and rings, questions, actions. `lines` are those of the source by
    address, for a program that was compiled."""
    nodes = tuple(_node(block, graph.edges[block.number], labels, lines or {}) for block in graph.blocks)
    summary = f"{_count(len(nodes), 'block')}, {_count(len(graph.at), 'word')}, starts at {graph.entry.state.pc:#x}"
    return Picture(nodes, title, summary)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _node(block: Block, edges: tuple[Edge, ...], labels: Labels, lines: Mapping[int, str]) -> Node:
    state, addresses = block.state, block.addresses
    if not addresses:
        heading = f"{state.pc:#x}: no word is there"
    elif len(addresses) == 1:
        heading = f"word {addresses[0]:#x}"
    else:
        heading = f"words {addresses[0]:#x} to {addresses[-1]:#x}"
    name = labels.place(state.pc)
    data: dict[str, object] = {
        "address": state.pc,
        "place": name or None,
        "calls": [slot._asdict() for slot in state.calls],
        "ifs": [slot._asdict() for slot in state.ifs],
        "loops": [slot._asdict() for slot in state.loops],
    }
    rows = tuple(
        Row(address, labels.instruction(address), _begins(lines, before, address))
        for before, address in zip((-1, *addresses), addresses, strict=False)
    )
    return Node(
        heading=heading,
        rows=rows,
        leaving=(_next(block.terminator, iter(edges), labels),),
        name=name,
        notes=tuple(rings(state, labels)),
        data=data,
    )


def _begins(lines: Mapping[int, str], before: int, address: int) -> str:
    """The line of the source that begins with a word, which the word before it is not of."""
    line = lines.get(address, "")
    return line if line != lines.get(before, "") else ""


def _next(terminator: Terminator, edges: Iterator[Edge], labels: Labels) -> picture.Next:
    """The end of a block as a picture; `edges` are those of its leaves, in order."""
    if isinstance(terminator, Branch):
        yes = _next(terminator.yes, edges, labels)
        no = _next(terminator.no, edges, labels)
        return picture.Branch(question_text(terminator.question, labels), yes, no, actions_text(terminator.actions, labels))
    edge = next(edges)
    data: dict[str, object] = {
        "answers": [{**_named(question), "answer": answer} for question, answer in edge.answers],
        "actions": [_named(action) for action in edge.actions],
    }
    match terminator:
        case Goto(block, actions):
            return picture.Goto(target=block, text=actions_text(actions, labels), data=data)
        case End():
            return picture.Goto(target=Stop(stop_text(terminator, labels)), data=data)
        case Hang(code):
            return picture.Goto(target=Stop(stop_text(terminator, labels), HANG, code), data=data)


def _named(item: Question | Action) -> dict[str, object]:
    """A question or an action: its name in `sem.flow` and its numbers."""
    return {"kind": type(item).__name__, **item._asdict()}
