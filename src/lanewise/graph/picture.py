"""Drawings of graphs as data: a package builds a `Picture`, printers draw it.

    Picture(
        (
            Node("0 to 1", (Row(0, "load 10"), Row(1, "jz 3")), (Branch("zero?", Goto(2), Goto(1)),)),
            Node("2", (Row(2, "sub 1"),), (Goto(1),)),
            Node("3", (Row(3, "halt"),), (Goto(Stop("end")),)),
        ),
        title="countdown",
    )

The printers are `text.as_text`, `dot.as_dot`, `svg.as_svg` and `json.as_json`; `paths` has the dominators of `Picture.flow`.
"""

from __future__ import annotations

from lanewise.core.cached import cached_property
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.flow import Flow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

END, HANG = "end", "hang"
_NO_DATA: Mapping[str, object] = {}


class Row(Record):
    """An instruction of a node: its address and its text. `source` is the line of the source that begins with it, for a program
    that was compiled."""

    address: int
    text: str
    source: str = ""


class Stop(Record):
    """An end of the program, drawn as a separate box: `END`, or `HANG` for a stop without one.

    JSON has `value` under the name of the kind: `{"end": true}`.
    """

    text: str
    kind: str = END
    value: object = True


class Goto(Record):
    """An edge to a node or to a stop."""

    target: int | Stop
    "The number of the node, or the stop."
    text: str = ""
    "The actions on the edge, a line in the box of its source."
    label: str = ""
    "The words next to the arrow."
    data: Mapping[str, object] = _NO_DATA
    "The keys of the edge in JSON; empty: its label."
    faint: bool = False
    "The edge only keeps an order, and is drawn thin."


class Branch(Record):
    """A condition with the edges for true and false; `text` is the actions before it."""

    condition: str
    yes: Next
    no: Next
    text: str = ""


Next = Goto | Branch


class Node(Record):
    """A box. A node of control flow has one `Goto` or `Branch`; other graphs may have any number."""

    heading: str
    "The title, such as the range of its addresses."
    rows: tuple[Row, ...] = ()
    "Its instructions."
    leaving: tuple[Next, ...] = ()
    "The edges out of it."
    name: str = ""
    "The label in the program; empty for none."
    notes: tuple[str, ...] = ()
    "Lines below the heading."
    data: Mapping[str, object] = _NO_DATA
    "The keys of the node in JSON before its instructions; empty: the heading."


class Edge(Record):
    """One path from a node through its branches."""

    source: int
    "The number of the node that it leaves."
    target: int | Stop
    "The number of the node that it leads to, or a stop."
    label: str
    "The answers on the path and the label of its end, separated by commas."
    taken: bool | None
    "The answer, if the path has exactly one; else None."
    data: Mapping[str, object]
    "`Goto.data` of its end."
    faint: bool = False
    "`Goto.faint` of its end."

    @property
    def back(self) -> bool:
        """Whether this is a back edge: to its source, or a node with a lower number."""
        return isinstance(self.target, int) and self.target <= self.source


class Picture:
    """The nodes of a graph, numbered from 0.

    A node comes before its successors, except over back edges. `title` is that of an SVG; `summary` is the first line of the
    text (default: the number of nodes). `entry` is the node where the program starts, None for a graph without one; `noun` is
    the word for a node. `decimal`: addresses are slots, printed as decimal numbers.
    """

    nodes: tuple[Node, ...]
    title: str
    summary: str
    entry: int | None
    noun: str
    decimal: bool

    def __init__(
        self,
        nodes: tuple[Node, ...],
        title: str = "",
        summary: str = "",
        entry: int | None = 0,
        noun: str = "block",
        decimal: bool = False,
    ) -> None:
        self.nodes, self.title, self.summary = nodes, title, summary
        self.entry, self.noun, self.decimal = entry, noun, decimal

    def lines(self, node: Node) -> Iterator[tuple[str, str]]:
        """The rows of a node as printed: address and text, and lines of the source, which have no address."""
        for row in node.rows:
            if row.source:
                yield "", row.source
            yield self.address(row), row.text

    def address(self, row: Row) -> str:
        """The address of a row as printed."""
        return str(row.address) if self.decimal else f"{row.address:x}"

    def __repr__(self) -> str:
        return f"<Picture {self.title}: {len(self.nodes)} {self.noun}s>"

    @cached_property
    def edges(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges out of each node, yes before no."""
        return tuple(
            tuple(edge for following in node.leaving for edge in _edges(number, following, ()))
            for number, node in enumerate(self.nodes)
        )

    @cached_property
    def flow(self) -> Flow:
        """The edges without texts; exits are the nodes with an edge to a stop."""
        targets = [dict.fromkeys(edge.target for edge in leaving if isinstance(edge.target, int)) for leaving in self.edges]
        exits = frozenset(edge.source for leaving in self.edges for edge in leaving if isinstance(edge.target, Stop))
        return Flow(tuple(map(tuple, targets)), exits)


def outcome(node: Node, *, targets: bool = False) -> list[str]:
    """The end of a node as lines: actions, conditions and, with `targets`, successors.

    The line of an answer is indented by two blanks for each condition before it.
    """
    return [line for following in node.leaving for line in _lines(following, targets)]


def _edges(source: int, following: Next, answers: Sequence[bool]) -> Iterator[Edge]:
    if isinstance(following, Branch):
        yield from _edges(source, following.yes, (*answers, True))
        yield from _edges(source, following.no, (*answers, False))
        return
    labels = [*("true" if answer else "false" for answer in answers), *([following.label] if following.label else [])]
    yield Edge(
        source=source,
        target=following.target,
        label=", ".join(labels),
        taken=answers[0] if len(answers) == 1 else None,
        data=following.data,
        faint=following.faint,
    )


def _lines(following: Next, targets: bool) -> Iterator[str]:
    if isinstance(following, Goto):
        target = following.target.text if isinstance(following.target, Stop) else following.target
        parts = [following.label, following.text, f"-> {target}"] if targets else [following.text]
        if line := " ".join(filter(None, parts)):
            yield line
        return
    if following.text:
        yield following.text
    yield following.condition
    for answer, side in (("true", following.yes), ("false", following.no)):
        lines = list(_lines(side, targets))
        if len(lines) == 1:
            yield f"  {answer}{'' if lines[0].startswith('->') else ':'} {lines[0]}"
        elif lines:
            yield f"  {answer}:"
            yield from (f"    {line}" for line in lines)
