"""The control-flow graph of a shader as a picture: what `lanewise graph` draws.

Each routine is a graph of its own: a call has an edge to the routine and one to the block after the call, and the routine ends
in a return. A loop tests its count where it begins and again where it ends. Definitions (defb, defi) and values that the caller
knows decide branches; blocks that nothing reaches are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.direct3d9.engine.data import signed
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.program import addresses, block_ends
from lanewise.direct3d9.sem.tree import Call, If, Loop, Step
from lanewise.direct3d9.text.printer import condition_text, instruction_text
from lanewise.graph.picture import Branch, Goto, Node, Picture, Row, Stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.direct3d9.isa.program import Inst, Shader
    from lanewise.direct3d9.sem.tree import Block, Flow, Leave
    from lanewise.direct3d9.text.printer import Names
    from lanewise.graph.picture import Next

_MAIN = "main"


class _To(NamedTuple):
    """An edge to a block or stop."""

    target: _Box | Stop
    text: str = ""
    label: str = ""
    data: Mapping[str, object] = {}


class _Fork(NamedTuple):
    """A condition with its edges."""

    condition: str
    yes: _To
    no: _To
    text: str = ""


class _Box:
    """A block that is being built."""

    def __init__(self, routine: str, notes: Sequence[str]) -> None:
        self.routine, self.notes, self.name = routine, tuple(notes), ""
        self.insts: list[Inst] = []
        self.leaving: tuple[_To | _Fork, ...] = ()


class _Around(NamedTuple):
    """Where a block is: its routine, the end of it, the block after the innermost loop, and the loops in words."""

    routine: str
    stop: Stop
    after: _Box | None = None
    loops: tuple[str, ...] = ()


def flow_picture(
    shader: Shader,
    flow: Flow,
    names: Names,
    *,
    title: str = "",
    integers: Mapping[int, Sequence[int]] | None = None,
    booleans: Mapping[int, bool] | None = None,
) -> Picture:
    """The graph of a shader; `integers` and `booleans` are known values of i# and b#, which definitions of the shader
    override."""
    builder = _Builder(shader, flow, names, {**(integers or {}), **flow.integers}, {**(booleans or {}), **flow.booleans})
    boxes = builder.boxes()
    numbers = {id(box): number for number, box in enumerate(boxes)}
    nodes = tuple([builder.node(box, numbers) for box in boxes])
    shown = sum(len(box.insts) for box in boxes)
    summary = f"{_count(len(nodes), 'block')}, {_count(shown, 'instruction')}"
    if builder.written > shown:
        summary += f", {_count(builder.written - shown, 'instruction')} unreachable"
    return Picture(nodes, title, summary, decimal=True)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


class _Builder:
    def __init__(
        self, shader: Shader, flow: Flow, names: Names, integers: Mapping[int, Sequence[int]], booleans: Mapping[int, bool]
    ) -> None:
        self._flow, self._names, self._integers, self._booleans = flow, names, integers, booleans
        self._addresses = addresses(shader)
        self._ends = block_ends(shader)
        self._order: list[_Box] = []
        self._entries = {label: _Box(f"l{label}", ()) for label in flow.routines}
        self.written = 0

    def boxes(self) -> list[_Box]:
        """The blocks that the entry reaches, in the order of the shader."""
        entry = _Box(_MAIN, ())
        entry.name = _MAIN
        self._routine(self._flow.main.block, entry, _Around(_MAIN, Stop("end")))
        for label, routine in self._flow.routines.items():
            name = f"l{label}"
            self._entries[label].name = name
            self._routine(routine.block, self._entries[label], _Around(name, Stop(f"return from {name}", value=name)))
        self.written = sum(len(box.insts) for box in self._order)
        reached: dict[int, _Box] = {}
        waiting = [entry]
        while waiting:
            box = waiting.pop()
            if id(box) in reached:
                continue
            reached[id(box)] = box
            box.leaving = tuple([_forwarded(following) for following in box.leaving])
            waiting += [edge.target for edge in _edges(box) if isinstance(edge.target, _Box)]
        return [box for box in self._order if id(box) in reached]

    def node(self, box: _Box, numbers: Mapping[int, int]) -> Node:
        rows = tuple([Row(self._addresses[id(inst)], self._text(inst)) for inst in box.insts])
        lines = [inst.place.line for inst in box.insts if inst.place is not None and inst.place.line]
        if lines:
            heading = f"line {lines[0]}" if lines[0] == lines[-1] else f"lines {lines[0]} to {lines[-1]}"
        elif rows:
            first, last = rows[0].address, rows[-1].address
            heading = f"word {first}" if first == last else f"words {first} to {last}"
        else:
            heading = "no instructions"
        data: dict[str, object] = {
            "routine": box.routine,
            "lines": [lines[0], lines[-1]] if lines else None,
            "loops": list(box.notes),
        }
        leaving = tuple([_next(following, numbers) for following in box.leaving])
        return Node(
            heading=heading,
            rows=rows,
            leaving=leaving,
            name=box.name,
            notes=tuple([f"in {loop}" for loop in box.notes]),
            data=data,
        )

    def _text(self, inst: Inst) -> str:
        return instruction_text(inst, self._names) or inst.op.name

    # Blocks

    def _routine(self, block: Block, entry: _Box, around: _Around) -> None:
        last = self._block(block, self._begin(entry), around)
        last.leaving = last.leaving or (_To(around.stop),)

    def _begin(self, box: _Box) -> _Box:
        self._order.append(box)
        return box

    def _new(self, around: _Around) -> _Box:
        return _Box(around.routine, around.loops)

    def _block(self, block: Block, here: _Box, around: _Around) -> _Box:
        """Add the nodes of a block to `here`; the block that is open at their end. What follows a break or ret is a block that
        nothing reaches."""
        for node in block:
            if here.leaving:
                here = self._begin(self._new(around))
            if isinstance(node, Step):
                here.insts += node.insts
                continue
            here.insts.append(node.inst)
            if isinstance(node, If):
                here = self._if(node, here, around)
            elif isinstance(node, Loop):
                here = self._loop(node, here, around)
            elif isinstance(node, Call):
                here = self._call(node, here, around)
            else:
                here = self._leave(node, here, around)
        return here

    def _if(self, node: If, here: _Box, around: _Around) -> _Box:
        then, other, join = self._new(around), self._new(around), self._new(around)
        here.leaving = (self._branch(node.inst, then, other if node.other else join),)
        for block, box in ((node.then, then), (node.other, other)):
            if block or box is then:
                last = self._block(block, self._begin(box), around)
                last.leaving = last.leaving or (_To(join),)
        return self._begin(join)

    def _loop(self, node: Loop, here: _Box, around: _Around) -> _Box:
        after = self._new(around)
        inner = around._replace(after=after, loops=(*around.loops, self._text(node.inst)))
        body, latch = self._new(inner), self._new(inner)
        register = f"i{node.register}"
        values = self._integers.get(node.register)
        count = signed(values) if values is not None else None
        known = f"{register} = {', '.join(str(signed(values, n)) for n in range(3))}" if values is not None else ""
        first = f"{register}.x > 0"
        if count is None:
            here.leaving = (_Fork(first, _answer(body, first, True), _answer(after, first, False)),)
        else:
            here.leaving = (_To(body if count > 0 else after, known),)
        last = self._block(node.body, self._begin(body), inner)
        last.leaving = last.leaving or (_To(latch),)
        end = self._ends.get(id(node.inst))
        self._begin(latch).insts += [end] if end is not None else []
        left = f"fewer than {count if count is not None else f'{register}.x'} iterations"
        step = f"aL += {signed(values, 2) if values is not None else f'{register}.z'}" if node.counts else ""
        latch.leaving = (_Fork(left, _answer(body, left, True), _answer(after, left, False), step),)
        return self._begin(after)

    def _call(self, node: Call, here: _Box, around: _Around) -> _Box:
        name = f"l{node.label}"
        after = self._new(around)
        call = _To(self._entries[node.label], label=f"call {name}", data={"calls": name})
        later = _To(after, label="after the call", data={"after": name})
        if len(node.inst.sources) == 1:
            here.leaving = (call, later)
        else:
            fork = self._branch(node.inst, call.target, after)
            if isinstance(fork, _Fork):
                yes = fork.yes._replace(label=call.label, data={**fork.yes.data, **call.data})
                here.leaving = (fork._replace(yes=yes), later)
            else:
                here.leaving = (call._replace(text=fork.text), later) if fork.target is call.target else (fork,)
        return self._begin(after)

    def _leave(self, node: Leave, here: _Box, around: _Around) -> _Box:
        target = around.stop if node.returns or around.after is None else around.after
        if not node.inst.sources:
            here.leaving = (_To(target),)
            return here
        after = self._new(around)
        here.leaving = (self._branch(node.inst, target, after),)
        return self._begin(after)

    # Conditions

    def _branch(self, inst: Inst, yes: _Box | Stop, no: _Box | Stop) -> _Fork | _To:
        """The condition of an instruction; the edge that is always taken where that is known."""
        source, text = inst.sources[-1], condition_text(inst, self._names)
        if text is None:
            return _To(no, "a reserved comparison never holds")
        if source.file == isa.CONSTBOOL and source.number in self._booleans:
            value = self._booleans[source.number]
            taken = value != (source.modifier == isa.NOT)
            return _To(yes if taken else no, f"b{source.number} = {str(value).lower()}")
        return _Fork(text, _answer(yes, text, True), _answer(no, text, False))


def _answer(target: _Box | Stop, condition: str, answer: bool) -> _To:
    return _To(target, data={"condition": condition, "answer": answer})


def _edges(box: _Box) -> Iterator[_To]:
    for following in box.leaving:
        yield from (following.yes, following.no) if isinstance(following, _Fork) else (following,)


def _forwarded(following: _To | _Fork) -> _To | _Fork:
    """An edge with blocks skipped that are empty."""
    if isinstance(following, _Fork):
        return following._replace(yes=_skipped(following.yes), no=_skipped(following.no))
    return _skipped(following)


def _skipped(edge: _To) -> _To:
    while isinstance(edge.target, _Box) and not edge.target.insts and not edge.target.name and len(edge.target.leaving) == 1:
        only = edge.target.leaving[0]
        if isinstance(only, _Fork) or only.text or only.label:
            break
        edge = edge._replace(target=only.target)
    return edge


def _next(following: _To | _Fork, numbers: Mapping[int, int]) -> Next:
    if isinstance(following, _Fork):
        return Branch(following.condition, _goto(following.yes, numbers), _goto(following.no, numbers), following.text)
    return _goto(following, numbers)


def _goto(edge: _To, numbers: Mapping[int, int]) -> Goto:
    target = edge.target if isinstance(edge.target, Stop) else numbers[id(edge.target)]
    return Goto(target=target, text=edge.text, label=edge.label, data=edge.data)
