"""Control flow of the PICA200 as one pure function: `step(state, inst, profile)`.

The sequencer's state has two parts. The *control state* is the program counter and the three rings without numbers: hashable,
and there are finitely many. The *values* are the numbers: a counter and a saved aL per slot of the LOOP ring, and aL. `step`
reads only the state and returns a tree of all successors: inner nodes ask about values, leaves name the next state, and both
list actions on values. An interpreter walks one path; the graph is built from all paths. `answer` and `perform` evaluate
questions and actions with the operations of an algebra.

Source: 3dbrew, GPU/Shader Instruction Set, Control Flow, unless a line names another; no public test program backs that text.
Azahar's interpreter (video_core/shader/shader_interpreter.cpp) agrees with it. Points that both leave open, or on which others
differ, are choices of the profile: the rows of `isa.facts` under "Flow".
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Generic, Record
from lanewise.pica200.isa.table import GEOMETRY, VERTEX
from lanewise.pica200.sem.algebra import B, I, Pair, V, Vector
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.algebra import Algebra
    from lanewise.pica200.sem.profile import Profile

# The ring depths are the same in both units.
CALL_DEPTH, IF_DEPTH, LOOP_DEPTH = VERTEX.call_depth, VERTEX.if_depth, VERTEX.loop_depth

# Why a program stops without END: codes of `core.codes`.
EMPTY_BREAK = "R002"
PAST_END = "R003"
UNKNOWN_WORD = "R004"


class CallSlot(Record):
    """An active call: at address `end`, return to `back`."""

    end: int
    back: int


class IfSlot(Record):
    """An active true branch: at address `end`, jump over the else part to `jump`."""

    end: int
    jump: int


class LoopSlot(Record):
    """An active loop: at address `end`, go to `start` again or continue.

    `register` is its integer register, 0 to 3. With a profile that reads four bits of the field it is 0 to 15; those above i3
    are zero.
    """

    end: int
    start: int
    register: int


class ControlState(Record):
    """The control state: the address of the next instruction and the rings, oldest slot first."""

    pc: int
    calls: tuple[CallSlot, ...] = ()
    ifs: tuple[IfSlot, ...] = ()
    loops: tuple[LoopSlot, ...] = ()


# Actions on values. Slots count from 0, the oldest of the LOOP ring.


class Push(Record):
    """Slot `slot` is new: its counter is x of the integer register, its saved aL the present aL."""

    slot: int
    register: int


class DropOldest(Record):
    """Slot 0 is gone, and each other slot moves down by one with its numbers."""


class Pop(Record):
    """Slot `slot`, the newest, is gone."""

    slot: int


class StartAl(Record):
    """aL = y of the integer register."""

    register: int


class StepAl(Record):
    """aL += z of the integer register."""

    register: int


class RestoreAl(Record):
    """aL = the saved aL of the slot."""

    slot: int


class CountDown(Record):
    """The counter of the slot goes down by one."""

    slot: int


Action = Push | DropOldest | Pop | StartAl | StepAl | RestoreAl | CountDown


# Questions about values.


class Flags(Record):
    """Whether the condition holds: `combine` 0 or, 1 and, 2 x, 3 y.

    Each flag is compared with its reference bit.
    """

    combine: int
    x: int
    y: int


class Boolean(Record):
    """Whether the boolean uniform is true."""

    number: int


class CounterIsZero(Record):
    """Whether the counter of the slot is zero."""

    slot: int


Question = Flags | Boolean | CounterIsZero


class Edge(Record):
    """The program continues in another state."""

    state: ControlState
    actions: tuple[Action, ...] = ()


class End(Record):
    """The vertex is done."""


class Hang(Record):
    """The program stops without END; `code` is a finding code."""

    code: str


class Ask(Record):
    """A question, asked after `actions`."""

    question: Question
    yes: Tree
    no: Tree
    actions: tuple[Action, ...] = ()


Tree = Edge | End | Hang | Ask


def memory_size(*, geometry: bool) -> int:
    """The number of words that the code memory of a unit has."""
    return (GEOMETRY if geometry else VERTEX).code_words


def code_memory(words: Sequence[int], profile: Profile = HARDWARE, size: int = VERTEX.code_words) -> list[int]:
    """The words of a program that the code memory of a unit holds.

    `size` is the number of words by the unit's registers.
    """
    if profile.code_limit == "dropped":
        return list(words[:size])
    memory = list(words[:size])
    if profile.code_limit == "wrap":
        for address, word in enumerate(words[size:]):
            memory[address % size] = word
        return memory
    return [*memory, *words[size:]]


def step(state: ControlState, inst: Inst | None, profile: Profile = HARDWARE) -> Tree:
    """All successors of the instruction at `state.pc`, as a tree.

    `inst` is None where the program has no word.
    """
    if inst is None:
        if profile.past_end == "end":
            return End()
        return Edge(state._replace(pc=0)) if profile.past_end == "wrap" else Hang(PAST_END)
    flow = FLOW.get(inst.op.base)
    if flow is not None:
        return flow(state, inst, profile)
    pc, calls, ifs, loops = state
    return _leave(state, profile) if calls or ifs or loops else Edge(ControlState(pc + 1))


def _leave(state: ControlState, profile: Profile, jump: int = -1, actions: tuple[Action, ...] = ()) -> Tree:
    """The end of every instruction: the three rings are compared with the address after it.

    `state` has the instruction's own pushes; `jump` is its own jump or -1. Each ring has its own copy of the address and may
    change it; LOOP's counts before IF's before CALL's, and the instruction's own jump only if no ring had a match.
    """
    if profile.stack_check == "nested":
        return _leave_nested(state._replace(pc=jump if jump >= 0 else state.pc + 1), profile, actions)
    if profile.stack_check == "sequence":
        return _leave_in_sequence(state._replace(pc=jump if jump >= 0 else state.pc + 1), profile, actions)
    loops = state.loops
    following = _leave_blocks(state, profile, jump)
    if not loops or loops[-1].end != state.pc + 1:
        return Edge(following, actions)
    # At most one loop per instruction. The counter counts the further iterations: x + 1 in all.
    slot = len(loops) - 1
    again = Edge(following._replace(pc=loops[-1].start), (StepAl(loops[-1].register), CountDown(slot)))
    return Ask(CounterIsZero(slot), _leave_loop(following, profile), again, actions)


def _leave_blocks(state: ControlState, profile: Profile, jump: int) -> ControlState:
    """The state after the checks of the IF and CALL rings; the LOOP ring is unchanged."""
    after = state.pc + 1
    calls, call_to = _return(state.calls, after, profile)
    ifs, if_to = state.ifs, -1
    if ifs and ifs[-1].end == after:  # at most one per instruction, even if two blocks end here
        if_to = ifs[-1].jump
        ifs = ifs[:-1]
    goal = if_to if if_to >= 0 else call_to if call_to >= 0 else jump if jump >= 0 else after
    return ControlState(goal, calls, ifs, state.loops)


def _leave_in_sequence(state: ControlState, profile: Profile, actions: tuple[Action, ...]) -> Tree:
    """The same in Panda3DS's interpreter: each ring is compared with the address that the one before left.

    `state.pc` is the address after the instruction, its own jump done.
    """
    loops = state.loops
    if not loops or loops[-1].end != state.pc:
        return Edge(_leave_blocks_in_sequence(state), actions)
    slot = len(loops) - 1
    again = _leave_blocks_in_sequence(state._replace(pc=loops[-1].start))
    over = _leave_loop(state, profile)
    return Ask(
        CounterIsZero(slot),
        over._replace(state=_leave_blocks_in_sequence(over.state)),
        Edge(again, (StepAl(loops[-1].register), CountDown(slot))),
        actions,
    )


def _leave_blocks_in_sequence(state: ControlState) -> ControlState:
    """IF, then CALL, at most one of each."""
    if state.ifs and state.ifs[-1].end == state.pc:
        state = state._replace(pc=state.ifs[-1].jump, ifs=state.ifs[:-1])
    if state.calls and state.calls[-1].end == state.pc:
        state = state._replace(pc=state.calls[-1].back, calls=state.calls[:-1])
    return state


def _leave_nested(state: ControlState, profile: Profile, actions: tuple[Action, ...]) -> Tree:
    """The same in code of the emulators' compilers: all that ends at an address ends, from the inside out.

    `state.pc` is the address after the instruction, its own jump done.
    """
    while True:
        calls, ifs, loops = state.calls, state.ifs, state.loops
        if ifs and ifs[-1].end == ifs[-1].jump == state.pc:  # without ELSE; a loop around it can end here too
            state = state._replace(ifs=ifs[:-1])
        elif loops and loops[-1].end == state.pc:
            slot = len(loops) - 1
            over = _leave_loop(state, profile)
            again = Edge(state._replace(pc=loops[-1].start), (StepAl(loops[-1].register), CountDown(slot)))
            return Ask(CounterIsZero(slot), _leave_nested(over.state, profile, over.actions), again, actions)
        elif ifs and ifs[-1].end == state.pc:
            state = state._replace(pc=ifs[-1].jump, ifs=ifs[:-1])
        elif calls and calls[-1].end == state.pc:
            state = state._replace(pc=calls[-1].back, calls=calls[:-1])
        else:
            return Edge(state, actions)


def _leave_loop(state: ControlState, profile: Profile, *, broken: bool = False) -> Edge:
    """Leave the newest loop, by its counter or by BREAK: continue after it, wherever the other rings led.

    The value of aL is unproven (reference C5): whether it is stepped, and its value in the enclosing loop.
    """
    slot, loop = len(state.loops) - 1, state.loops[-1]
    actions: list[Action] = []
    if (profile.al_break if broken else profile.al_last) == "step":
        actions.append(StepAl(loop.register))
    if slot and profile.al_restore == "outer":
        actions.append(RestoreAl(slot))
    elif slot and profile.al_restore == "start":
        actions.append(StartAl(loop.register))
    once_more = profile.loop_rounds == "x+2" and not broken
    goal = loop.start if once_more else loop.end
    return Edge(state._replace(pc=goal, loops=state.loops[:-1]), (*actions, Pop(slot)))


def _return(calls: tuple[CallSlot, ...], after: int, profile: Profile) -> tuple[tuple[CallSlot, ...], int]:
    """(the CALL ring after its checks, where it leads or -1).

    A return address can be the end of the call around it, so the check goes on; the fourth pop in a row comes too late to
    change the address.
    """
    goal, copy = -1, after
    if not calls or calls[-1].end != after:
        return calls, goal
    for pops in range(1, CALL_DEPTH + 1):
        if not calls or calls[-1].end != copy:
            break
        if pops < CALL_DEPTH or profile.fourth_return == "kept":
            goal = copy = calls[-1].back
        calls = calls[:-1]
    return calls, goal


def _conditional(inst: Inst) -> Flags:
    return Flags(inst.field("condop"), inst.field("refx"), inst.field("refy"))


def _boolean(inst: Inst) -> Boolean:
    return Boolean(inst.field("reg"))


def _end(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    # At once, inside blocks too (Panda3DS's LITP program relies on it on a console).
    return End()


def _unknown(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    return _leave(state, profile) if profile.unknown_words == "nothing" else Hang(UNKNOWN_WORD)


def _call(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    to = inst.field("dst")
    calls = (*state.calls, CallSlot(to + inst.field("num"), state.pc + 1))
    # A fifth call overwrites the oldest; the other rings do the same.
    if profile.stack_depth == "ring":
        calls = calls[-CALL_DEPTH:]
    if profile.stack_check == "nested" and inst.field("num"):  # a block of the caller can end where the procedure begins
        return Edge(state._replace(pc=to, calls=calls))
    return _leave(state._replace(calls=calls), profile, to)


def _callc(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    return Ask(_conditional(inst), _call(state, inst, profile), _leave(state, profile))


def _callu(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    return Ask(_boolean(inst), _call(state, inst, profile), _leave(state, profile))


def _if(state: ControlState, inst: Inst, profile: Profile, question: Question) -> Tree:
    to = inst.field("dst")
    ifs = (*state.ifs, IfSlot(to, to + inst.field("num")))
    if profile.stack_depth == "ring":
        ifs = ifs[-IF_DEPTH:]
    # False pushes nothing: the else part just runs on into what follows.
    return Ask(question, _leave(state._replace(ifs=ifs), profile), _leave(state, profile, to))


def _ifc(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    return _if(state, inst, profile, _conditional(inst))


def _ifu(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    return _if(state, inst, profile, _boolean(inst))


def _loop(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    register = inst.field("reg")
    if profile.loop_register == "modulo":
        register &= 3  # the field has 4 bits and there are 4 registers (reference C16)
    # DST is the last word of the body (citra PR 2848, compared with a console).
    slot = LoopSlot(inst.field("dst") + 1, state.pc + 1, register)
    kept, overflow = state.loops, ()
    if len(kept) >= LOOP_DEPTH and profile.stack_depth == "ring":
        kept, overflow = kept[1:], (DropOldest(),)
    actions = (*overflow, Push(len(kept), register), StartAl(register))
    return _leave(state._replace(loops=(*kept, slot)), profile, actions=actions)


def _break(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    if not state.loops:
        return _leave(state, profile) if profile.empty_break == "nothing" else Hang(EMPTY_BREAK)
    # The LOOP ring pops once per instruction, so the loop's end is not looked at again; the other rings check as ever.
    if profile.stack_check == "sequence":
        left = _leave_loop(state, profile, broken=True)
        return left._replace(state=_leave_blocks_in_sequence(left.state))
    if profile.stack_check == "nested":  # the IFs that are left end too; one whose ELSE part is after the loop is around it
        loop = state.loops[-1]
        ifs = tuple([slot for slot in state.ifs if not loop.start <= slot.end <= slot.jump <= loop.end])
        left = _leave_loop(state._replace(ifs=ifs), profile, broken=True)
        return _leave_nested(left.state, profile, left.actions)
    return _leave_loop(_leave_blocks(state, profile, -1), profile, broken=True)


def _breakc(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    return Ask(_conditional(inst), _break(state, inst, profile), _leave(state, profile))


def _jump(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    to = inst.field("dst")
    if profile.stack_check == "nested" or (profile.jump_at_end == "taken" and profile.stack_check == "parallel"):
        return Edge(state._replace(pc=to))
    return _leave(state, profile, to)


def _jmpc(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    return Ask(_conditional(inst), _jump(state, inst, profile), _leave(state, profile))


def _jmpu(state: ControlState, inst: Inst, profile: Profile) -> Tree:
    taken, not_taken = _jump(state, inst, profile), _leave(state, profile)
    if inst.field("num") & 1:  # bit 0 of NUM inverts the test
        taken, not_taken = not_taken, taken
    return Ask(_boolean(inst), taken, not_taken)


# By base of the row. EMIT and SETEMIT are not here: they move no program counter.
FLOW: Mapping[str, Callable[[ControlState, Inst, Profile], Tree]] = {
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


class LoopValues(Record, Generic[I]):
    """Numbers of the LOOP ring, oldest slot first, and aL in the profile's width."""

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
    m: Algebra[V, B, I],
    actions: Sequence[Action],
    values: LoopValues[I],
    integers: Sequence[Vector[I]],
    profile: Profile = HARDWARE,
) -> LoopValues[I]:
    """The values after some actions; `integers` are i0 to i3, unsigned bytes."""
    al, counters, saved = values
    for action in actions:
        match action:
            case Push(_, register):
                counters, saved = (*counters, _component(m, integers, register, 0)), (*saved, al)
            case DropOldest():
                counters, saved = counters[1:], saved[1:]
            case Pop(slot):
                counters, saved = counters[:slot], saved[:slot]
            case StartAl(register):
                al = _narrowed(m, _component(m, integers, register, 1), profile)
            case StepAl(register):
                al = _narrowed(m, m.integer_add(al, _component(m, integers, register, 2)), profile)
            case RestoreAl(slot):
                al = saved[slot]
            case CountDown(slot):
                counters = (*counters[:slot], m.integer_add(counters[slot], m.integer(-1)))
    return LoopValues(al, counters, saved)


def _component(m: Algebra[V, B, I], integers: Sequence[Vector[I]], register: int, component: int) -> I:
    return integers[register][component] if register < len(integers) else m.integer(0)


def _narrowed(m: Algebra[V, B, I], al: I, profile: Profile) -> I:
    """A new value of aL, wrapped to its width."""
    half = {"s8": 1 << 7, "s16": 1 << 15}.get(profile.al_width, 0)
    if not half:
        return al
    return m.integer_add(m.integer_and(m.integer_add(al, m.integer(half)), 2 * half - 1), m.integer(-half))
