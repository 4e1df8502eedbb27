"""Control flow of the PICA200 as one pure function: `step(shape, inst)` gives every way to go on.

The sequencer's state has two parts. The *shape* is the program counter and the three rings without numbers: hashable, and there
are finitely many. The *values* are the numbers: a counter and a saved aL per slot of the LOOP ring, and aL. `step` looks at
the shape alone and returns a tree: inner nodes ask about values, leaves say which shape comes next, and both list actions on
values. An interpreter walks one path; whoever needs the graph takes every path. What questions and actions mean is `answer` and
`perform`, over the words of the algebra.

Source: 3dbrew, GPU/Shader Instruction Set, Control Flow, unless a line names another; no public test program backs that text.
Azahar's interpreter (video_core/shader/shader_interpreter.cpp) reads it the same way and settles what it leaves open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple

from lanewise.isa.pica200 import VERTEX
from lanewise.sem.algebra import B, I, Pair, V, Vector

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.isa.codec import Inst
    from lanewise.sem.algebra import Algebra

# The ring depths are the same in both units.
CALL_DEPTH, IF_DEPTH, LOOP_DEPTH = VERTEX.call_depth, VERTEX.if_depth, VERTEX.loop_depth

# Why a program stops without END: codes of `core.codes`.
EMPTY_BREAK = "R002"
PAST_END = "R003"
UNKNOWN_WORD = "R004"


class CallSlot(NamedTuple):
    """A call under way: at address `end`, go back to `back`."""

    end: int
    back: int


class IfSlot(NamedTuple):
    """A true branch under way: at address `end`, jump over the else part to `jump`."""

    end: int
    jump: int


class LoopSlot(NamedTuple):
    """A loop under way: at address `end`, go to `start` again or go on; `register` is its integer register, 0-3."""

    end: int
    start: int
    register: int


class Shape(NamedTuple):
    """Where a program is: the address of the next instruction and the rings, oldest slot first."""

    pc: int
    calls: tuple[CallSlot, ...] = ()
    ifs: tuple[IfSlot, ...] = ()
    loops: tuple[LoopSlot, ...] = ()


# Actions on values. Slots count from 0, the oldest of the LOOP ring.


class Push(NamedTuple):
    """Slot `slot` is new: its counter is x of the integer register, its saved aL is aL as it stands."""

    slot: int
    register: int


class DropOldest(NamedTuple):
    """Slot 0 is gone, and each other slot moves down by one with its numbers."""


class Pop(NamedTuple):
    """Slot `slot`, the newest, is gone."""

    slot: int


class StartAl(NamedTuple):
    """aL = y of the integer register."""

    register: int


class StepAl(NamedTuple):
    """aL += z of the integer register."""

    register: int


class RestoreAl(NamedTuple):
    """aL = the saved aL of the slot."""

    slot: int


class CountDown(NamedTuple):
    """The counter of the slot goes down by one."""

    slot: int


Action = Push | DropOldest | Pop | StartAl | StepAl | RestoreAl | CountDown


# Questions about values.


class Flags(NamedTuple):
    """Does the condition hold: `combine` 0 or, 1 and, 2 x, 3 y; each flag is compared with its reference bit."""

    combine: int
    x: int
    y: int


class Boolean(NamedTuple):
    """Is the boolean uniform set?"""

    number: int


class CounterIsZero(NamedTuple):
    """Is the counter of the slot zero?"""

    slot: int


Question = Flags | Boolean | CounterIsZero


class Edge(NamedTuple):
    """The program goes on at another shape."""

    shape: Shape
    actions: tuple[Action, ...] = ()


class End(NamedTuple):
    """The vertex is done."""


class Hang(NamedTuple):
    """The program stops without END; `code` is a key of `core.codes.CODES`."""

    code: str


class Ask(NamedTuple):
    """A question, asked after `actions` have been done."""

    question: Question
    yes: Tree
    no: Tree
    actions: tuple[Action, ...] = ()


Tree = Edge | End | Hang | Ask


def step(shape: Shape, inst: Inst | None) -> Tree:
    """Every way to go on from the instruction at `shape.pc`; `inst` is None where the program has no word."""
    if inst is None:
        return Hang(PAST_END)
    flow = _FLOW.get(inst.op.base)
    return flow(shape, inst) if flow else _leave(shape)


def _leave(shape: Shape, jump: int = -1, actions: tuple[Action, ...] = ()) -> Tree:
    """What every instruction ends with: the three rings are compared with the address after it.

    `shape` has the instruction's own pushes; `jump` is its own jump or -1. Each ring has its own copy of the address and may
    change it; LOOP's counts before IF's before CALL's, and the instruction's own jump only if no ring had a match.
    """
    loops = shape.loops
    following = _leave_blocks(shape, jump)
    if not loops or loops[-1].end != shape.pc + 1:
        return Edge(following, actions)
    # At most one loop per instruction. The counter counts the further rounds: x + 1 rounds in all.
    slot = len(loops) - 1
    again = Edge(following._replace(pc=loops[-1].start), (StepAl(loops[-1].register), CountDown(slot)))
    return Ask(CounterIsZero(slot), _leave_loop(following), again, actions)


def _leave_blocks(shape: Shape, jump: int) -> Shape:
    """The shape after the checks of the IF and CALL rings; the LOOP ring stays as it is."""
    after = shape.pc + 1
    calls, call_to = _return(shape.calls, after)
    ifs, if_to = shape.ifs, -1
    if ifs and ifs[-1].end == after:  # at most one per instruction, even if two blocks end here
        if_to = ifs[-1].jump
        ifs = ifs[:-1]
    goal = next((to for to in (if_to, call_to, jump) if to >= 0), after)
    return Shape(goal, calls, ifs, shape.loops)


def _leave_loop(shape: Shape) -> Edge:
    """The newest loop is over, by its counter or by BREAK: go on behind it, wherever the other rings have led.

    aL takes its step here too, at BREAK as well; inside another loop it then gets back the value that it had when this loop
    began. Both as in Azahar; unproven (reference C5).
    """
    slot = len(shape.loops) - 1
    restore = (RestoreAl(slot),) if slot else ()
    actions = (StepAl(shape.loops[-1].register), *restore, Pop(slot))
    return Edge(shape._replace(pc=shape.loops[-1].end, loops=shape.loops[:-1]), actions)


def _return(calls: tuple[CallSlot, ...], after: int) -> tuple[tuple[CallSlot, ...], int]:
    """(the CALL ring after its checks, where it leads or -1).

    A return address can be the end of the call around it, so the check goes on; the fourth pop in a row comes too late to
    change the address.
    """
    goal, copy = -1, after
    for pops in range(1, CALL_DEPTH + 1):
        if not calls or calls[-1].end != copy:
            break
        if pops < CALL_DEPTH:
            goal = copy = calls[-1].back
        calls = calls[:-1]
    return calls, goal


def _conditional(inst: Inst) -> Flags:
    return Flags(inst.field("condop"), inst.field("refx"), inst.field("refy"))


def _boolean(inst: Inst) -> Boolean:
    return Boolean(inst.field("reg"))


def _end(shape: Shape, inst: Inst) -> Tree:
    # At once, inside blocks too (Panda3DS's LITP program relies on it on a console).
    return End()


def _unknown(shape: Shape, inst: Inst) -> Tree:
    return Hang(UNKNOWN_WORD)


def _call(shape: Shape, inst: Inst) -> Tree:
    to = inst.field("dst")
    slot = CallSlot(to + inst.field("num"), shape.pc + 1)
    # A fifth call overwrites the oldest; the other rings do the same.
    return _leave(shape._replace(calls=(*shape.calls, slot)[-CALL_DEPTH:]), to)


def _callc(shape: Shape, inst: Inst) -> Tree:
    return Ask(_conditional(inst), _call(shape, inst), _leave(shape))


def _callu(shape: Shape, inst: Inst) -> Tree:
    return Ask(_boolean(inst), _call(shape, inst), _leave(shape))


def _if(shape: Shape, inst: Inst, question: Question) -> Tree:
    to = inst.field("dst")
    inside = shape._replace(ifs=(*shape.ifs, IfSlot(to, to + inst.field("num")))[-IF_DEPTH:])
    # False pushes nothing: the else part just runs on into what follows.
    return Ask(question, _leave(inside), _leave(shape, to))


def _ifc(shape: Shape, inst: Inst) -> Tree:
    return _if(shape, inst, _conditional(inst))


def _ifu(shape: Shape, inst: Inst) -> Tree:
    return _if(shape, inst, _boolean(inst))


def _loop(shape: Shape, inst: Inst) -> Tree:
    # The field has 4 bits and there are 4 registers; that the upper bits are ignored is unproven (reference C16).
    register = inst.field("reg") & 3
    # DST is the last word of the body (citra PR 2848, compared with a console).
    slot = LoopSlot(inst.field("dst") + 1, shape.pc + 1, register)
    kept, overflow = shape.loops, ()
    if len(kept) == LOOP_DEPTH:
        kept, overflow = kept[1:], (DropOldest(),)
    actions = (*overflow, Push(len(kept), register), StartAl(register))
    return _leave(shape._replace(loops=(*kept, slot)), actions=actions)


def _break(shape: Shape, inst: Inst) -> Tree:
    if not shape.loops:
        return Hang(EMPTY_BREAK)
    # The LOOP ring pops once per instruction, so the loop's end is not looked at again; the other rings check as ever.
    return _leave_loop(_leave_blocks(shape, -1))


def _breakc(shape: Shape, inst: Inst) -> Tree:
    return Ask(_conditional(inst), _break(shape, inst), _leave(shape))


def _jmpc(shape: Shape, inst: Inst) -> Tree:
    return Ask(_conditional(inst), _leave(shape, inst.field("dst")), _leave(shape))


def _jmpu(shape: Shape, inst: Inst) -> Tree:
    taken, not_taken = _leave(shape, inst.field("dst")), _leave(shape)
    if inst.field("num") & 1:  # bit 0 of NUM inverts the test
        taken, not_taken = not_taken, taken
    return Ask(_boolean(inst), taken, not_taken)


# By base of the row. EMIT and SETEMIT are not here: they move no program counter.
_FLOW: Mapping[str, Callable[[Shape, Inst], Tree]] = {
    "end": _end,
    ".word": _unknown,
    "call": _call,
    "callc": _callc,
    "callu": _callu,
    "ifc": _ifc,
    "ifu": _ifu,
    "for": _loop,
    "break": _break,
    "breakc": _breakc,
    "jmpc": _jmpc,
    "jmpu": _jmpu,
}


class LoopValues(NamedTuple, Generic[I]):
    """The numbers of the LOOP ring, oldest slot first, and aL, which has no bounds here (its width is unknown, reference C5)."""

    al: I
    counters: tuple[I, ...] = ()
    saved: tuple[I, ...] = ()


def answer(m: Algebra[V, B, I], question: Question, cmp: Pair[B], booleans: Sequence[B], values: LoopValues[I]) -> B:
    """The truth value of a question: `cmp` are the two flags, `booleans` the 16 boolean uniforms."""
    match question:
        case Boolean(number):
            return booleans[number]
        case CounterIsZero(slot):
            return m.integer_within(values.counters[slot], 0, 0)
        case Flags(combine, x, y):
            matches_x = cmp[0] if x else m.invert(cmp[0])
            matches_y = cmp[1] if y else m.invert(cmp[1])
            if combine == 0:
                return m.either(matches_x, matches_y)
            if combine == 1:
                return m.both(matches_x, matches_y)
            return matches_x if combine == 2 else matches_y


def perform(
    m: Algebra[V, B, I], actions: Sequence[Action], values: LoopValues[I], integers: Sequence[Vector[I]]
) -> LoopValues[I]:
    """The values after some actions; `integers` are i0-i3, each component an unsigned byte."""
    al, counters, saved = values
    for action in actions:
        match action:
            case Push(_, register):
                counters, saved = (*counters, integers[register][0]), (*saved, al)
            case DropOldest():
                counters, saved = counters[1:], saved[1:]
            case Pop(slot):
                counters, saved = counters[:slot], saved[:slot]
            case StartAl(register):
                al = integers[register][1]
            case StepAl(register):
                al = m.integer_add(al, integers[register][2])
            case RestoreAl(slot):
                al = saved[slot]
            case CountDown(slot):
                counters = (*counters[:slot], m.integer_add(counters[slot], m.integer(-1)))
    return LoopValues(al, counters, saved)
