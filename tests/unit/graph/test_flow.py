"""Exits of nodes: where they lead, and the same exit over other numbers."""

from __future__ import annotations

from lanewise.core.record import Record
from lanewise.graph.flow import Branch, Goto, renumbered, targets


class Zero(Record):
    """Whether a counter is zero."""

    counter: int


class Down(Record):
    """A counter goes down by one."""

    counter: int


class Stop(Record):
    """An end."""

    code: str = ""


def test_an_exit_leads_where_its_leaves_do_yes_before_no():
    inner = Branch(Zero(1), Goto(5), Goto(3))
    assert targets(Branch(Zero(0), inner, Goto(5))) == [5, 3, 5]
    assert targets(Goto(2)) == [2]
    assert targets(Stop()) == []


def test_an_end_that_equals_a_leaf_as_a_tuple_leads_nowhere():
    class Odd(Record):
        node: int
        actions: tuple[int, ...] = ()

    assert Odd(4) == Goto(4)
    assert targets(Branch(Zero(0), Odd(4), Goto(1))) == [1]


def test_renumbering_keeps_questions_and_actions():
    exit = Branch(Zero(0), Goto(1, (Down(0),)), Stop("X1"), (Down(1),))
    assert repr(renumbered(exit, {1: 7})) == repr(Branch(Zero(0), Goto(7, (Down(0),)), Stop("X1"), (Down(1),)))


def test_a_question_whose_answers_then_lead_to_the_same_is_left_out_but_its_actions_stay():
    exit = Branch(Zero(0), Goto(1, (Down(0),)), Goto(2, (Down(0),)), (Down(1),))
    assert repr(renumbered(exit, {1: 3, 2: 3})) == repr(Goto(3, (Down(1), Down(0))))


def test_a_question_stays_where_its_answers_do_other_actions():
    exit = Branch(Zero(0), Goto(1, (Down(0),)), Goto(1, (Zero(0),)))  # equal as tuples
    assert exit.yes == exit.no
    assert repr(renumbered(exit, {1: 1})) == repr(exit)
