from __future__ import annotations

import pytest

import lanewise as lw
from lanewise.graph.flow import BudgetExceeded
from lanewise.pica200.api.translating import translated
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.translate.nodes import Invoke
from lanewise.pica200.translate.routines import Statements, statements
from lanewise.translating import structure
from lanewise.translating.structure import (
    Dispatcher,
    Do,
    If,
    Leave,
    Loop,
    Once,
    Statement,
    Stop,
    Word,
)

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


def structured(text: str) -> Statements:
    shader = lw.assemble(HEAD + text + ".end\n").vertex
    found = statements([decode(word) for word in shader.words], shader.interface.entry, HARDWARE, reads_al=False)
    assert not isinstance(found, BudgetExceeded)
    return found


def shape(text: str) -> list[object]:
    return kinds(structured(text).main.body)


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


TWO_ENTRIES = "jmpu flag, inside\nagain:\nadd r0, r0, value\ninside:\nmul r0, r0, value\njmpu other, again\nmov pos, r0\nend\n"


def test_a_block_of_a_loop_with_two_entries_is_copied():
    assert shape(TWO_ENTRIES) == [("once", [("if", [("if", [], ["leave"])], []), ("loop", [("if", [], ["leave"])])])]
    made = translated([lw.assemble(HEAD + TWO_ENTRIES + ".end\n").vertex], "c").text
    assert (made.count("r0 = pica_add4("), made.count("r0 = pica_mul4("), made.count("out->pos = ")) == (1, 2, 1)


def test_paths_that_statements_cannot_take_get_a_copy():
    """The second jump goes past the code of the first, into code that goes past what the second jump goes to."""
    text = (
        "jmpu flag, one\nmov r1, value\njmpu other, two\none:\nadd r0, r0, value\njmpu flag, three\n"
        "two:\nmul r0, r0, r1\nthree:\nmov pos, r0\nend\n"
    )
    assert "dispatcher" not in shape(text)


def test_large_blocks_are_not_copied(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(structure, "MOST_COPIED", 1)
    assert shape(TWO_ENTRIES) == ["dispatcher"]


def test_procedures():
    text = "call twice\nmov pos, r0\ncallu flag, twice\nfor count\ncall twice\n.end\nend\n.end\n"
    text += ".proc once\nadd r0, r0, value\nnop\n.end\n.proc twice\ncall once\nfor count\ncall once\n.end\n"
    found = structured(text)
    assert len(found.procedures) == 2
    assert calls(found.procedures[0].body) == []
    assert calls(found.procedures[1].body) == [0, 0]
    assert calls(found.main.body) == [1, 1, 1]


def test_a_procedure_that_may_end_the_program_is_copied_to_its_calls():
    text = "call maybe\ncall maybe\nmov pos, r0\nend\n.end\n.proc maybe\nadd r0, r0, value\nifu flag\nend\n.end\nnop\n"
    found = structured(text)
    assert not found.procedures
    assert len([each for each in every(found.main.body) if isinstance(each, Word)]) > 4


def test_a_procedure_that_asks_about_a_loop_around_its_call_is_copied():
    """BREAK leaves the loop of the caller."""
    text = "for count\ncall leave\nadd r0, r0, value\n.end\nmov pos, r0\nend\n.end\n.proc leave\nmul r0, r0, r0\nbreak\nnop\n"
    assert not structured(text).procedures


def every(body: tuple[Statement, ...]) -> list[Statement]:
    found: list[Statement] = []
    for statement in body:
        found.append(statement)
        match statement:
            case If(_, yes, no):
                found += [*every(yes), *every(no)]
            case Loop(inner) | Once(inner):
                found += every(inner)
            case _:
                pass
    return found


def calls(body: tuple[Statement, ...]) -> list[int]:
    """The procedures that statements call."""
    actions = [action for each in every(body) if isinstance(each, Do) for action in each.actions]
    return [action.procedure for action in actions if isinstance(action, Invoke)]
