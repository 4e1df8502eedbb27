"""The dependences of a ShaderCore program as a picture: an expression for each box, waits on the arrows."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from lanewise.core.text.counting import counted
from lanewise.graph.picture import HANG, Goto, Node, Picture, Row, Stop
from lanewise.graph.trees import trees
from lanewise.shadercore.check.context import place_name
from lanewise.shadercore.isa.program import usage_name
from lanewise.shadercore.isa.table import COMPONENTS
from lanewise.shadercore.sem.dependences import DRAIN, PORT, RAW, STRAY, UNUSED, WAR, WAW, dependences
from lanewise.shadercore.sem.steps import X7X, exports
from lanewise.shadercore.text.printer import line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.graph.picture import Next
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.timing import Timing
    from lanewise.shadercore.sem.dependences import Dependence
    from lanewise.shadercore.sem.steps import Register

_WORDS = {
    RAW: "",
    WAR: "WAR",
    WAW: "WAW",
    UNUSED: "unused field",
    STRAY: "stray SPEC result",
    PORT: "port",
    DRAIN: "drain",
}
_LEAST_GAP = 2  # blanks between an instruction and its remark


def dependence_picture(timing: Timing, program: Program, name: str = "", *, each: bool = False, order: bool = False) -> Picture:
    """The dependences of a program on a device. `each`: a box for each instruction, not for each expression; `order`: also WAR
    and WAW."""
    found = [d for d in dependences(timing) if order or d.kind not in (WAR, WAW)]
    results = _results(timing, program)
    count = len(timing.insts)
    if each:
        groups = tuple([(number,) for number in range(count)])
    else:
        carried = [(d.earlier, d.later) for d in found if d.carries]
        orders = [(d.earlier, d.later) for d in found if not d.carries]
        groups = trees(count, carried, orders, results)
    group_of = {number: place for place, numbers in enumerate(groups) for number in numbers}
    remarks = {number: _remark(number, found, timing) for number in range(count)}
    nodes: list[Node] = []
    for place, numbers in enumerate(groups):
        own = set(numbers)
        inner = [d for d in found if d.earlier in own and d.later in own]
        leaving = sorted(
            [d for d in found if d.earlier in own and d.later not in own], key=lambda d: (group_of[d.later], d.kind)
        )
        arrows: list[Next] = [
            _arrow(group_of_later, list(some))
            for (group_of_later, _), some in groupby(leaving, key=lambda d: (group_of[d.later], d.kind))
        ]
        arrows += [
            Goto(target=Stop(text, value=text), data={"register": register})
            for number in numbers
            for register, text in results.get(number, ())
        ]
        if timing.hangs in own:
            arrows.append(Goto(target=Stop("never issues", HANG)))
        nodes.append(_node(place, numbers, arrows, remarks, inner, timing, program))
    return Picture(
        tuple(nodes),
        f"{name} on {timing.device.describe()}",
        _summary(timing, groups),
        None,
        "instruction" if each else "expression",
        decimal=True,
    )


def _node(
    place: int,
    numbers: Sequence[int],
    arrows: Sequence[Next],
    remarks: Mapping[int, str],
    inner: Sequence[Dependence],
    timing: Timing,
    program: Program,
) -> Node:
    texts = {number: line_of(program.words[number], program.added) for number in numbers}
    width = max(map(len, texts.values())) + _LEAST_GAP
    rows = [Row(number, f"{texts[number]:{width}}{remarks[number]}".rstrip()) for number in numbers]
    issues = [timing.issues[number] for number in numbers if number < len(timing.issues)]
    stalls = sum(issue.stalls for issue in issues)
    cycles = (
        [f"cycle {issues[0].cycle}" if len(issues) == 1 else f"cycles {issues[0].cycle} to {issues[-1].cycle}"]
        if issues
        else []
    )
    heading = ", ".join([*cycles, *([f"waits {stalls}"] if stalls else [])])
    data = {
        "slots": list(numbers),
        "cycles": [issue.cycle for issue in issues],
        "stalls": stalls,
        "dependences": [_plain(dependence) for dependence in inner],
    }
    return Node(heading=heading or "no cycle", rows=tuple(rows), leaving=tuple(arrows), data=data)


def _arrow(target: int, some: Sequence[Dependence]) -> Goto:
    """The dependences of one kind between two boxes."""
    cycles = max(d.cycles for d in some)
    places = _joined([d.place for d in some if d.place is not None])
    parts = [part for part in (_WORDS[some[0].kind], places) if part]
    label = " ".join(parts) + (f", {counted(cycles, 'cycle')}" if cycles else "")
    return Goto(
        target=target,
        label=label,
        faint=not some[0].carries,
        data={"kind": some[0].kind, "cycles": cycles, "dependences": [_plain(d) for d in some]},
    )


def _remark(number: int, found: Iterable[Dependence], timing: Timing) -> str:
    """The reason why an instruction waits: `waits 5 for slot 3 (r0.x)`."""
    if number >= len(timing.issues):
        return "; never issues: it names x7.x as a source"
    issue = timing.issues[number]
    cleared = timing.target(issue) == X7X and timing.device.value("x7x") == "cleared"
    if cleared and number != len(timing.issues) - 2:  # directly before END it stays
        return "; idle write slots clear lanes 0 to 3"
    if not issue.stalls:
        return ""
    reasons = [d for d in found if d.later == number and d.cycles and d.kind != DRAIN]
    texts = [f"{d.earlier} ({place_name(d.place) if d.place else _WORDS[d.kind]})" for d in reasons]
    return f"; waits {issue.stalls} for {', '.join(texts)}"


def _results(timing: Timing, program: Program) -> dict[int, list[tuple[str, str]]]:
    """By instruction that is the last to write them: the components that leave the core, as registers and by what they are."""
    writer: dict[Register, int] = {}
    for issue in timing.issues:
        target = timing.target(issue)
        if target is not None:
            writer[target] = issue.number
    found: dict[int, list[tuple[str, str]]] = {}
    known = any((*program.outputs, *program.inputs)) or bool(program.declared)
    for place in exports(timing.device):
        if place in writer:
            usage = f"{usage_name(program.outputs[place[1]])}.{COMPONENTS[place[2]]} " if known else ""
            register = place_name(place)
            found.setdefault(writer[place], []).append((register, f"{usage}({register})" if usage else register))
    return found


def _summary(timing: Timing, groups: Sequence[Sequence[int]]) -> str:
    total = (
        f"{timing.total_cycles} cycles"
        if timing.total_cycles is not None
        else "hangs"
        if timing.hangs is not None
        else "no end"
    )
    stalls = timing.input_stalls + timing.output_stalls
    return (
        f"{counted(len(timing.insts), 'instruction')} in {counted(len(groups), 'box', 'boxes')}, a wave on "
        f"{timing.device.describe()}: {total}, {stalls} of them waits"
    )


def _joined(places: Sequence[Register]) -> str:
    """`r0.xy r1.x`."""
    letters: dict[tuple[str, int], str] = {}
    for file, number, component in sorted(set(places)):
        letters[file, number] = letters.get((file, number), "") + COMPONENTS[component]
    return " ".join([f"{file}{number}.{components}" for (file, number), components in letters.items()])


def _plain(dependence: Dependence) -> dict[str, object]:
    return {
        "kind": dependence.kind,
        "from": dependence.earlier,
        "to": dependence.later,
        "register": place_name(dependence.place) if dependence.place else None,
        "cycles": dependence.cycles,
    }
