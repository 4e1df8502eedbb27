from __future__ import annotations

import lanewise as lw
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.api.translating import translated
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.translate.structure import Dispatcher, If, Leave, Loop, Once, Statement, Stop, statements

HEAD = ".out pos position\n.in value\n.bool flag\n.bool other\n.ivec count\n.proc main\n"


def kinds(body: tuple[Statement, ...]) -> list[object]:
    """The shape of statements: names, with those inside."""
    found: list[object] = []
    for statement in body:
        match statement:
            case If(_, yes, no):
                found.append(("if", kinds(yes), kinds(no)))
            case Loop(inner) | Once(inner):
                found.append((type(statement).__name__.lower(), kinds(inner)))
            case Leave() | Stop() | Dispatcher():
                found.append(type(statement).__name__.lower())
            case _:
                pass
    return found


def structured(text: str) -> tuple[Statement, ...]:
    shader = lw.assemble(HEAD + text + ".end\n").vertex
    found = statements([decode(word) for word in shader.words], shader.interface.entry, HARDWARE)
    assert not isinstance(found, BudgetExceeded)
    return found


def shape(text: str) -> list[object]:
    return kinds(structured(text))


def test_branches():
    assert shape("ifu flag\nmov pos, value\n.else\nmov pos, -value\n.end\nend\n") == [("if", [], [])]
    assert shape("ifu flag\nifu other\nmov pos, value\n.end\n.end\nend\n") == [("if", [("if", [], [])], [])]


def test_loops():
    assert shape("for count\nadd r0, r0, value\n.end\nmov pos, r0\nend\n") == [("loop", [("if", ["leave"], [])])]
    inner: tuple[str, list[object]] = ("loop", [("if", ["leave"], [])])
    assert shape("for count\nfor count\nadd r0, r0, value\n.end\n.end\nmov pos, r0\nend\n") == [
        ("loop", [inner, ("if", ["leave"], [])])
    ]


def test_what_follows_a_break_is_there_once():
    """The IF ring keeps the slot of the branch that the break leaves, which nothing looks at again."""
    text = "for count\nifu flag\nbreak\n.end\nadd r0, r0, value\n.end\nmov pos, r0\nend\n"
    assert shape(text) == [("loop", [("if", ["leave"], []), ("if", ["leave"], [])])]
    made = translated([lw.assemble(HEAD + text + ".end\n").vertex], "c").text
    assert made.count("out->pos = ") == 1


def test_a_jump_past_blocks_leaves_what_is_done_once():
    text = "jmpu flag, there\nadd r0, r0, value\njmpu other, far\nthere:\nmul r0, r0, value\nfar:\nmov pos, r0\nend\n"
    assert shape(text) == [("once", [("if", [], [("if", ["leave"], [])])])]


def test_a_loop_with_two_entries_is_numbered_blocks():
    text = "jmpu flag, inside\nagain:\nadd r0, r0, value\ninside:\nmul r0, r0, value\njmpu other, again\nmov pos, r0\nend\n"
    assert shape(text) == ["dispatcher"]
