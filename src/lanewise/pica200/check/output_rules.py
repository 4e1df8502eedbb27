"""Rules of outputs: written once by a vertex shader, again before each EMIT."""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE, Related
from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING
from lanewise.graph import dataflow as flow
from lanewise.graph.dataflow import EVERYTHING, NOTHING, Step
from lanewise.graph.paths import reaching
from lanewise.pica200.check import dataflow
from lanewise.pica200.check.counterexample import decisions, path_to
from lanewise.pica200.check.dataflow import OUTPUTS, output_bits
from lanewise.pica200.check.register_rules import spare
from lanewise.pica200.check.wiring import DUMMY
from lanewise.pica200.isa.outmap import PROPERTIES, wired_components
from lanewise.pica200.isa.table import ARITHMETIC, EMIT, END, SEMANTICS, SETEMIT, mask_text
from lanewise.pica200.sem.flow import End

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.ir.graph import Edge, Graph
    from lanewise.pica200.isa.program import Output

_LAST_MAPPED = 6  # o7 and up hold no property
_POSITION = SEMANTICS.index("position")
_W = 1  # of a mask
_PAIR = 2
_ALL = 0b1111
_MOST_LINES = 5  # that a fix names
_LAST = 2  # vertex of a triangle
_WITH_W = ("position", "color")
_ONE = 0x3F0000  # 1.0 as float24


def _writes(context: AnalysisContext, pc: int) -> int:
    return context.effect(pc).writes & OUTPUTS


def _surely(context: AnalysisContext, pc: int) -> int:
    """As `_writes`, without what a damaged word may write."""
    return 0 if pc in context.damaged else _writes(context, pc)


def _topic(output: Output) -> str:
    return f"{output.semantic} o{output.register} {output.mask}"


def _label(output: Output) -> str:
    return output.name or f"o{output.register}"


def _what(context: AnalysisContext, output: Output, mask: int) -> str:
    """Some components of an output, or all that a later stage takes."""
    return f"'{_label(output)}'" if mask == context.taken[output] else f"{mask_text(mask)} of '{_label(output)}'"


def _lacking(context: AnalysisContext, output: Output, written: int) -> int:
    """The components of an output that a later stage takes and that are not in a set, as a mask with x in bit 3."""
    return context.taken[output] & ~_mask_of(output, written)


def _mask_of(output: Output, components: int) -> int:
    """The components of an output in a set, as a mask with x in bit 3."""
    return _in(output.register, components)


def _in(register: int, components: int) -> int:
    return sum(bit for bit in (8, 4, 2, 1) if components & output_bits(register, bit))


def _part(context: AnalysisContext, pc: int, register: int) -> int:
    """The components of an output that a word writes, as a mask."""
    return _in(register, _surely(context, pc))


def never_written(context: AnalysisContext) -> Iterator[Finding]:
    """V083: a component that a later stage takes and no word writes (E7).

    Vertex shaders only: released geometry shaders leave components unwritten, and show (E7b).
    """
    if context.interface.geometry:
        return
    ever = _all_writes(context)
    ends = [pc for pc in context.reached if context.kind(pc) == END]
    for lost in (context.stopped if ends else context.unreturned).values():  # V130, or V076 and V094, say why
        for pc in lost:
            ever |= _writes(context, pc)
    why = "the geometry shader reads it" if context.followers else "the GPU waits for every wired component"
    for output in context.interface.outputs:
        mask = _lacking(context, output, ever)
        if mask:
            message = f"{_what(context, output, mask)} is never written: {why}"
            yield Finding(
                message=message,
                fix=_written(context, output, mask),
                pc=min(ends, default=context.interface.entry),
                span=output.span,
                notes=(),
                topic=_topic(output),
            )


def _written(context: AnalysisContext, output: Output, mask: int) -> str:
    """The fix for components that are never written: with a constant 1.0 of the file where w is meant."""
    name, row = _label(output), PROPERTIES.get(output.semantic)
    again = _again(context, output, mask)
    if again is not None:
        here, there, written = again
        return (
            f"write `{name}.{mask_text(mask)}` in {context.place(here)}: {name}.{mask_text(written)} is written in "
            f"{context.place(there)} too"
        )
    letters, rest = mask_text(mask).lstrip("."), mask_text(output.mask & ~mask).lstrip(".")
    if not rest:
        return f"write `mov {name}, SOURCE` before `end`, or remove the `.out`"
    source = _one(context) if letters == "w" and row is not None and row.name in _WITH_W else "SOURCE"
    first = f"write `mov {name}.{letters}, {source}` before `end`"
    if row is not None and row.name == "position":
        return first
    if row is None or not "xyzw".startswith(rest) or output.mask != 15 or not output.name:
        return f"{first}, or leave the components out of the `.out` mask"
    return f"{first}, or declare `.out {name} {row.name}.{rest}`"


def _again(context: AnalysisContext, output: Output, mask: int) -> tuple[int, int, int] | None:
    """The word that writes a component a second time where one other component is never written, the word that writes it too,
    and the component: a line that was copied. The row that it reads says which of the two."""
    if mask not in (8, 4, 2, 1):
        return None
    single: dict[int, list[int]] = {}
    for pc in sorted(context.reached):
        written = _mask_of(output, _surely(context, pc))
        if written in (8, 4, 2, 1):
            single.setdefault(written, []).append(pc)
    pairs = [(written, pcs) for written, pcs in single.items() if len(pcs) == _PAIR]
    if len(pairs) != 1:
        return None
    written, (first, second) = pairs[0]
    if not _straight(context, first, second):
        return None  # they may be on different paths
    wanted = (8, 4, 2, 1).index(mask)
    rows = [
        source.register - uniform.first
        for uniform in context.interface.uniforms
        for source in context.sources[first]
        if uniform.first <= source.register <= uniform.last and uniform.last > uniform.first
    ]
    return (first, second, written) if wanted in rows else (second, first, written)


def _one(context: AnalysisContext) -> str:
    """The component of a constant of the source that is 1.0, by its name."""
    constants = {constant.register: constant.values for constant in context.interface.constants}
    rows = [(named.name, constants.get(named.first, ())) for named in context.interface.private]
    found = [
        f"{name}.{'xyzw'[values.index(_ONE)]}"
        for name, values in sorted(rows, key=lambda row: 0 not in row[1])
        if _ONE in values
    ]
    return found[0] if found else "SOURCE"  # of one with a 0 too first: a colour has another meaning


def left_unwritten(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V083: a declared component that is written on some paths to END, not on all (E7).

    Vertex shaders only.
    """
    if context.interface.geometry:
        return
    ever = _all_writes(context)

    def step(pc: int) -> Step:
        return Step(EVERYTHING, _writes(context, pc))

    values = dataflow.forward(graph, step, 0, must=True, of=context.sending)
    reported: set[Output] = set()
    for number, pc, value in dataflow.before(graph, values, step, context.sending):
        if context.kind(pc) != END:
            continue
        for output in context.interface.outputs:
            mask = _lacking(context, output, value) & ~_lacking(context, output, ever)
            if mask and output not in reported:
                reported.add(output)
                yield _on_some_path(context, graph, output, mask, number, pc)


def _all_writes(context: AnalysisContext) -> int:
    found = 0
    for pc in context.sending:
        found |= _writes(context, pc) if pc in context.reached else 0
    return found


def _on_some_path(context: AnalysisContext, graph: Graph, output: Output, mask: int, end: int, pc: int) -> Finding:
    wanted = output_bits(output.register, mask)
    lowest = wanted & -wanted
    writing = {block.number for block in graph.blocks if any(_writes(context, address) & lowest for address in block.addresses)}

    def arrives(edge: Edge) -> bool:
        return edge.source == end and isinstance(edge.target, End)

    notes = decisions(context, graph, path_to(graph, arrives, writing))
    message = f"{_what(context, output, mask)} is not written on every path to the end in {context.place(pc)}"
    return Finding(
        message=message,
        fix="write it on the other paths too, or once after they join",
        pc=pc,
        span=output.span,
        notes=notes,
        topic=_topic(output),
    )


def written_twice(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V084: a write to a component already written on some path (E7); vertex shaders only."""
    if context.interface.geometry:
        return

    def step(pc: int) -> Step:
        return Step(EVERYTHING, _surely(context, pc))

    values = dataflow.forward(graph, step, 0, must=False, of=context.sending)
    copied = _copied(context)
    reported: set[int] = set()
    for number, pc, value in dataflow.before(graph, values, step, context.sending):
        twice = value & _surely(context, pc)
        if twice and pc not in reported:
            reported.add(pc)
            if pc in copied:
                continue  # V083 says which component is meant
            components = dataflow.components(twice)
            mask = sum(8 >> component.channel for component in components)
            name = f"o{components[0].number}.{mask_text(mask)}"
            earlier = sorted(set(_earlier(context, graph, twice, number, pc)))
            rows = _rows(context, components[0].number)
            reported.update(rows)  # one cause
            others = sorted({context.place(other) for other in earlier})
            again = "is rewritten in each iteration" if others == [context.place(pc)] else "is written twice"
            related = context.related([other for other in earlier if other != pc], f"{name} is also written here")
            notes = (f"it is also written in {', '.join(others)}",) if others != [context.place(pc)] and not related else ()
            yield Finding(
                message=f"{name} {again}: this can hang the GPU",
                fix=_once(context, components[0].number, rows, earlier, pc),
                pc=pc,
                span=None,
                notes=notes,
                topic="",
                related=related,
            )


def _rows(context: AnalysisContext, register: int) -> list[int]:
    """The words that write all of an output, each with a product of another row: a component of each is meant."""
    writes = [pc for pc in sorted(context.reached) if _part(context, pc, register)]
    products = [(context.row(pc).widths, frozenset(source.register for source in context.sources[pc])) for pc in writes]
    same = (
        all(_part(context, pc, register) == _ALL for pc in writes)
        and 2 <= len(writes) <= 4
        and _straight(context, writes[0], writes[-1])
    )
    return writes if same and all(widths for widths, _ in products) and len({*products}) == len(products) else []


def _once(context: AnalysisContext, register: int, rows: Sequence[int], earlier: Sequence[int], pc: int) -> str:
    """The fix for an output that is written twice."""
    name = next((_label(output) for output in context.interface.outputs if output.register == register), f"o{register}")
    if rows:
        letters = ", ".join([f"`{name}.{letter}` in {context.place(row)}" for letter, row in zip("xyzw", rows, strict=False)])
        return f"write {letters}: a product is one number, and without a mask it goes to all components"
    if len(earlier) == 1 and earlier[0] < pc and _straight(context, earlier[0], pc):
        rest = _part(context, earlier[0], register) & ~_part(context, pc, register)
        there = context.place(earlier[0])
        return f"write `{name}.{mask_text(rest)}` in {there}" if rest else f"remove {there}: its value is replaced here"
    lines = sorted({context.place(each).removeprefix("line ") for each in (*earlier, pc)}, key=lambda line: (len(line), line))
    if len(lines) > _MOST_LINES or not all(line.isdigit() for line in lines):
        return "collect the value in a temporary and write the output once"
    where = f"lines {', '.join(lines[:-1])} and {lines[-1]}" if len(lines) > 1 else f"line {lines[0]}"
    return f"write {spare(context)} for {name} in {where}, and `mov {name}, {spare(context)}` before `end`"


def _straight(context: AnalysisContext, first: int, last: int) -> bool:
    """Whether nothing leads away from the words between two, or to them."""
    joins = {address for _, target in context.targets for address in (target.address, target.address + target.num)}
    return all(context.kind(pc) == ARITHMETIC and pc + 1 not in joins for pc in range(first, last))


def _copied(context: AnalysisContext) -> set[int]:
    """The words of pairs that write a component twice in the place of one that is never written."""
    ever = _all_writes(context)
    found = [_again(context, output, _lacking(context, output, ever)) for output in context.interface.outputs]
    return {pc for pair in found if pair is not None for pc in pair[:2]}


def _earlier(context: AnalysisContext, graph: Graph, twice: int, number: int, pc: int) -> Iterator[int]:
    """The words that may have written some of these components before the word `pc` of a block does."""
    coming = reaching(graph.flow, graph.predecessors[number])
    for block in graph.blocks:
        for address in block.addresses:
            if _surely(context, address) & twice and (block.number in coming or (block.number == number and address < pc)):
                yield address


def not_wired(context: AnalysisContext) -> Iterator[Finding]:
    """V085: writes to outputs that are not declared."""
    if not context.wired:
        return
    reported: set[int] = set()
    for pc in sorted(context.reached):
        writes = _writes(context, pc)
        for component in dataflow.components(writes) if writes else ():
            if component.number not in context.outputs and component.number not in reported:
                reported.add(component.number)
                yield Finding(
                    message=f"o{component.number} is written but not declared: the value is discarded",
                    fix=f"declare `.out NAME PROPERTY o{component.number}`, or remove the write"
                    if component.number <= _LAST_MAPPED
                    else f"write o0 to o{_LAST_MAPPED}, and declare it: `.out NAME PROPERTY o{_LAST_MAPPED}`",
                    pc=pc,
                    span=None,
                    notes=(),
                    topic=f"o{component.number}",
                )


def lost_components(context: AnalysisContext) -> Iterator[Finding]:
    """V120: a component of a property that the shader writes by name, and that no output wires to it.

    A write without a mask does not name its components. Before a geometry shader, semantics have no meaning.
    """
    if not context.wired or context.followers:
        return
    reported: set[tuple[int, int]] = set()
    for output in context.interface.outputs:
        row = PROPERTIES.get(output.semantic)
        wired = sum(_places(other) for other in context.interface.outputs if other.semantic == output.semantic)
        if row is None or wired >= len(row.letters):
            continue
        declared = context.outputs[output.register]
        for pc in sorted(context.reached):
            written = _mask_of(output, _surely(context, pc))
            lost = written & ~declared
            if written == 0xF or not lost or (output.register, lost) in reported:
                continue
            reported.add((output.register, lost))
            yield Finding(
                message=f"{mask_text(lost)} of '{_label(output)}' is written and not wired: the rasterizer takes 1.0 for the "
                f"{row.letters[wired:]} of {row.name}",
                fix=f"wire it too: declare `.out {output.name or 'NAME'} {row.name}` without a mask; or remove the write",
                pc=pc,
                related=(Related(output.span, "the output is declared here"),) if output.span is not None else (),
            )


def gaps(context: AnalysisContext) -> Iterator[Finding]:
    """V125: a mask that leaves out a letter between others, so that those after it are other components of the property.

    Not where another output has the register's component: two properties may share a register. Before a geometry shader,
    semantics have no meaning.
    """
    if not context.wired or context.followers:
        return
    for output in context.interface.outputs:
        row, taken = PROPERTIES.get(output.semantic), wired_components(output.semantic, output.mask)
        places = [place for place in range(4) if taken >> place & 1]
        left_out = {place for place in range(4) if places and places[0] < place < places[-1]} - {*places}
        others = [other for other in context.interface.outputs if other is not output and other.register == output.register]
        if row is None or not left_out or any(other.mask >> place & 1 for other in others for place in left_out):
            continue
        number, moved = next((number, place) for number, place in enumerate(places) if place > min(left_out))
        letters = "".join(["xyzw"[place] for place in places])
        yield Finding(
            message=f".{letters} of '{_label(output)}' wires {'xyzw'[moved]} to {row.name}.{row.letters[number]}: the letters "
            "of a mask are components of the property in turn",
            fix=f"declare `.out {output.name or 'NAME'} {row.name}` without a mask, or with letters that follow each other",
            pc=context.interface.entry,
            span=output.span,
            topic=_topic(output),
        )


def position_without_w(context: AnalysisContext) -> Iterator[Finding]:
    """V121: a position that has no w, and whose shader writes none."""
    if not context.wired or context.followers:
        return
    outputs = [output for output in context.interface.outputs if output.semantic == _POSITION]
    if not outputs or sum(_places(output) for output in outputs) >= len(PROPERTIES[_POSITION].letters):
        return
    if next(gaps(context), None) is not None or any(
        finding.related and finding.related[0].span == output.span for finding in lost_components(context) for output in outputs
    ):
        return
    yield Finding(
        message=f"position has no w: '{_label(outputs[-1])}' wires {wired_text(outputs)}, and the rasterizer takes 1.0",
        fix=f"declare `.out {outputs[-1].name or 'NAME'} position` and write w, unless nothing is seen in perspective",
        pc=context.interface.entry,
        span=outputs[-1].span,
    )


def _places(output: Output) -> int:
    """How many components an output wires to its property."""
    return wired_components(output.semantic, output.mask).bit_count()


def wired_text(outputs: Sequence[Output]) -> str:
    """The letters of a property that some outputs wire, in their order."""
    return PROPERTIES[outputs[0].semantic].letters[: sum(_places(output) for output in outputs)] or "nothing"


def no_position(context: AnalysisContext) -> Iterator[Finding]:
    """V087: a vertex shader without a position, unless a geometry shader follows."""
    if context.interface.geometry or not context.wired or any(other.geometry for other in context.program.interfaces):
        return
    outputs = context.interface.outputs
    if not {_POSITION, DUMMY} & {output.semantic for output in outputs}:
        place = next((output.span for output in outputs if output.span), None)
        message = (
            "no output is the position: nothing can be drawn" if outputs else "no output is declared: nothing can be drawn"
        )
        yield Finding(message=message, fix="declare `.out NAME position`", pc=context.interface.entry, span=place)


def emit_in_vertex_shader(context: AnalysisContext) -> Iterator[Finding]:
    """V082: EMIT in a vertex shader."""
    if context.wired and not context.interface.geometry:
        for pc in sorted(context.reached):
            if context.kind(pc) == EMIT:
                fix = "remove it: each vertex gives one; a geometry shader has `.gsh` at its top and `setemit` before `emit`"
                yield Finding(message="`emit` in a vertex shader", fix=fix, pc=pc)
                return


def no_primitive(context: AnalysisContext) -> Iterator[Finding]:
    """V128: vertices are emitted, and no SETEMIT has the primitive flag."""
    setting = [pc for pc in sorted(context.reached) if context.kind(pc) == SETEMIT]
    emits = any(context.kind(pc) == EMIT for pc in context.reached)
    lost = set[int]().union(*context.stopped.values())  # V130 says why those are not reached
    with_flag = any(context.insts[pc].field("primitive") for pc in (*setting, *lost) if context.kind(pc) == SETEMIT)
    if setting and emits and not context.damaged and not with_flag:
        rows = last_vertices(context, setting)
        (pc, text), several = rows[-1], len(rows) > 1
        listed = " and ".join([f"`{text}` in {context.place(pc)}" for pc, text in rows])
        yield Finding(
            message="no `setemit` has the primitive flag: the emitted vertices make no triangle",
            fix=f"write {listed}" if several else f"write `{text}` where the last vertex of a triangle is",
            pc=pc,
        )


def last_vertices(context: AnalysisContext, setting: Sequence[int]) -> list[tuple[int, str]]:
    """The SETEMIT that may be the last vertex of a triangle, each with the primitive flag: those of vertex 2, and those that
    turn one; the last where there are none."""
    rows = [(pc, context.insts[pc].field("vertex"), bool(context.insts[pc].field("winding"))) for pc in setting]
    found = [row for row in rows if row[1] == _LAST or row[2]] or rows[-1:]
    return [(pc, f"setemit {vertex}, prim{' inv' * turned}") for pc, vertex, turned in found]


def emit_without_setemit(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V099: EMIT before any SETEMIT."""
    if not context.interface.geometry:
        return

    def step(pc: int) -> Step:
        return Step(EVERYTHING, dataflow.SETEMIT) if context.kind(pc) == SETEMIT or pc in context.damaged else NOTHING

    values = dataflow.forward(graph, step, 0, must=True, of=context.sending)
    reported: set[int] = set()
    for number, pc, value in dataflow.before(graph, values, step, context.sending):
        if context.kind(pc) == EMIT and not value & dataflow.SETEMIT and pc not in reported:
            reported.add(pc)
            setting = {
                block.number for block in graph.blocks if any(context.kind(address) == SETEMIT for address in block.addresses)
            }
            notes = decisions(context, graph, path_to(graph, lambda edge, n=number: edge.target == n, setting))
            message = "`emit` before any `setemit`: it uses the state of the previous run"
            yield Finding(message=message, fix="select the vertex first: `setemit 0`", pc=pc, span=None, notes=notes)


def stale_outputs(context: AnalysisContext, graph: Graph) -> Iterator[Finding]:
    """V088: a component that the run writes, but not between the last EMIT and this one (E8).

    Components that no path through the EMIT writes do not count: released geometry shaders have them, and show (E7b).
    """
    if not context.interface.geometry:
        return
    nodes = dataflow.items(graph, context.sending)

    def emits(item: tuple[int, int]) -> bool:
        return context.kind(item[1]) == EMIT

    def since(item: tuple[int, int]) -> Step:
        return Step(~OUTPUTS) if emits(item) else Step(EVERYTHING, _writes(context, item[1]))

    def ever(item: tuple[int, int]) -> Step:
        return Step(EVERYTHING, _surely(context, item[1]))

    def stale(item: tuple[int, int]) -> Step:
        return Step(EVERYTHING, earlier[item]) if emits(item) else Step(~_writes(context, item[1]))

    def forward(step: Callable[[tuple[int, int]], Step], *, must: bool = False) -> dict[tuple[int, int], int]:
        values = flow.forward(graph.flow, nodes, step, {0: 0}, must=must)
        return {item: value for _, item, value in flow.before(nodes, values, step) if emits(item)}

    earlier = forward(ever)
    fresh, left = forward(since, must=True), forward(stale)
    coming = flow.backward(graph.flow, nodes, ever, {})
    later = {item: value for _, item, value in flow.after(nodes, coming, ever) if emits(item)}
    lacking: dict[Output, dict[int, tuple[int, int]]] = {}  # by output and emit: the components that are old, or come later
    for item in sorted(earlier, key=lambda item: item[1]):
        for output, mask in context.taken.items():
            missing = mask & ~_mask_of(output, fresh[item])
            old, late = missing & _mask_of(output, left[item]), missing & _mask_of(output, later[item])
            if old | late:
                before = lacking.setdefault(output, {}).get(item[1], (0, 0))
                lacking[output][item[1]] = before[0] | old, before[1] | late & ~old
    ever_written = _all_writes(context)
    for output, emits_without in lacking.items():
        yield _stale(context, output, emits_without, context.taken[output] & ~_mask_of(output, ever_written))


def _stale(context: AnalysisContext, output: Output, lacking: Mapping[int, tuple[int, int]], never: int) -> Finding:
    """The finding about an output that some words EMIT without having written it; `never` are its components that no word
    writes."""
    pcs = sorted(lacking)
    old = late = 0
    for emitted_old, emitted_late in lacking.values():
        old |= emitted_old
        late |= emitted_late
    name = f"o{output.register}.{mask_text(old or late)}"
    message = (
        f"{name} was not written since the last emit: the value of two emits ago is sent"
        if old
        else f"{name} has not been written when this vertex is sent"
    )
    fix, notes, severity = "write every output before every `emit`", list[str](), ""
    if len(pcs) > 1 and not context.span(pcs[0]):
        notes.append(f"the same holds for the emit in {', '.join([context.place(pc) for pc in pcs[1:]])}")
    if output.semantic == _POSITION and old | late == _W:
        severity = NOTE
        fix = "write it before every `emit`, or nowhere"
        notes.append("an unwritten w of the position is harmless on consoles: released geometry shaders have it (E7b)")
    elif output.semantic == _POSITION and never & _W:
        notes.append(f"w of '{_label(output)}' is never written, which is harmless: released geometry shaders do so (E7b)")
    return Finding(
        message=message,
        fix=fix,
        pc=pcs[0],
        span=None,
        notes=tuple(notes),
        topic=_topic(output),
        related=context.related(pcs[1:], f"{name} is not written before this emit either"),
        severity=severity,
    )
