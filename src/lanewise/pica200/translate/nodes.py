"""The words of a program as nodes of a flow: the trees of `sem.flow` over numbers of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.graph.flow import Branch, Goto, Node
    from lanewise.pica200.sem.flow import Action, End, Hang, Question

    WordGoto = Goto[Action | "Invoke"]
    WordBranch = Branch[Question, Action | "Invoke", End | Hang]
    WordNode = Node[int, Question, Action | "Invoke", End | Hang]  # its items are the addresses of words
    Exit = WordGoto | WordBranch | End | Hang


class Invoke(Record):
    """The action that calls the procedure with a number, from an address."""

    procedure: int
    address: int


class Code(Record):
    """The nodes of a program or a procedure, which starts in node 0; a procedure is done at `End`."""

    nodes: Mapping[int, WordNode]
