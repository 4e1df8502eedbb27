from __future__ import annotations

from lanewise.graph.flow import Branch, Goto, Node
from lanewise.translating.languages import Language
from lanewise.translating.structure import Again, Dispatcher, GoTo, If, Leave, Loop, Once, Stop, Word, routine
from lanewise.translating.writing import Writer


class Letters(Writer):
    """Questions are letters, items and actions numbers."""

    def word(self, address: int, depth: int) -> None:
        self.line(depth, f"w{address};")

    def action(self, action: object, depth: int) -> None:
        self.line(depth, f"{action};")

    def truth(self, question: object) -> str:
        return str(question)

    def inverted(self, text: str) -> str:
        return f"!{text}"

    def numbered(self) -> None:
        self.lines.append("block")


def written(*body: object) -> str:
    writer = Letters(Language())
    writer.block(body, 0)  # pyright: ignore[reportArgumentType]
    return " ".join(" ".join(writer.lines).split())


def test_branches():
    assert written(If("a", (Word(1),), ())) == "if (a) { w1; }"
    assert written(If("a", (), (Word(1),))) == "if (!a) { w1; }"
    assert written(If("a", (If("b", (Word(1),), ()),), ())) == "if (a && b) { w1; }"
    assert written(If("a", (Word(1),), (If("b", (Word(2),), (Word(3),)),))) == (
        "if (a) { w1; } else if (b) { w2; } else { w3; }"
    )


def test_a_choice_of_blocks_inside_a_branch_closes_it():
    inner = If("b", (GoTo(2),), (GoTo(3),))
    assert written(inner) == "block = b ? 2 : 3;"
    assert written(If("a", (GoTo(1),), (inner,))) == "if (a) { block = 1; } else { block = b ? 2 : 3; }"


def test_loops_and_dispatchers():
    assert written(Loop((If("a", (Leave(),), ()), Again()))) == "for (;;) { if (a) { break; } continue; }"
    assert written(Once((Word(1), Leave()))) == "do { w1; break; } while (false);"
    assert written(Dispatcher(((GoTo(1),), (Stop(""),)))) == (
        "block for (;;) { switch (block) { case 0: block = 1; break; default: return; } }"
    )


def test_nodes_become_loops():
    nodes: dict[int, Node[int, str, str, None]] = {
        0: Node((0,), Goto(1)),
        1: Node((1,), Branch("a", Goto(1, ("next",)), Goto(2))),
        2: Node((2,), None),
    }
    found = routine(0, nodes)
    assert found.structured
    assert written(*found.body) == "w0; for (;;) { w1; if (a) { next; continue; } w2; return; }"
