"""A trace for people: a block of lines for each step, a table of a line each, and where a result came from."""

from __future__ import annotations

import math

from lanewise.core.diagnostics import visible
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.api.emission_report import brief, given_lines, placed, sent_lines, step_lines
from lanewise.pica200.api.naming import says_more
from lanewise.pica200.engine.provenance import sources_of_al
from lanewise.pica200.ir.labels import action_text, question_text
from lanewise.pica200.isa.facts import ZERO_TIMES_INFINITY
from lanewise.pica200.isa.table import COMPONENTS, FLOAT, INDEX_NAMES, INPUT, INTEGER, mask_text, register_name
from lanewise.pica200.sem.components import AL, Component
from lanewise.pica200.sem.flow import Flags
from lanewise.pica200.sem.registers import FLOAT_COUNT, SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.api.tracing import Explanation, Trace
    from lanewise.pica200.engine.trace import Operand, TraceStep, Write

_INDENT = "  "


def as_text(trace: Trace) -> str:
    """A block for each step, then how it ended."""
    return "\n\n".join(["\n".join(heading(trace)), *("\n".join(_block(trace, step)) for step in trace.steps), ending(trace)])


def blocks(trace: Trace) -> Iterator[str]:
    """The lines of each step below its instruction."""
    for step in trace.steps:
        yield "\n".join([*_block(trace, step)][2:])


def heading(trace: Trace) -> list[str]:
    """What is traced, under which profile; of a run of a geometry shader also what it was given."""
    start = f"starts at word {trace.shader.interface.entry:#x}"
    title = f"{visible(trace.shader.name, '')}, {_counted(trace)}: profile {trace.profile.describe()}, {start}"
    return [title, *(_line("given", line) for line in (given_lines(trace, trace.run) if trace.run else ()))]


def _counted(trace: Trace) -> str:
    """What is traced; of a vertex, those that there are, as they count from 0."""
    last = trace.given.lanes - 1
    return f"{trace.subject} of 0 to {last}" if last > 0 and not trace.run else trace.subject


def ending(trace: Trace) -> str:
    """How it ended, with the outputs."""
    if trace.fault:
        span = trace.span(trace.fault.pc)
        place = f"\n{_INDENT}at {visible(str(span), '')}: {trace.instruction(trace.fault.pc)}" if span.line else ""
        lines = [f"stopped at step {trace.fault.step}: {trace.fault.code}, {trace.fault.message}{place}"]
    else:
        lines = [f"end after {len(trace.steps)} steps"]
    if trace.run:
        return "\n".join([*lines, *(f"{_INDENT}{line}" for line in sent_lines(trace, trace.run))])
    for number, (words, mask) in enumerate(zip(trace.outputs.outputs, trace.outputs.written, strict=True)):
        if mask and not trace.fault:
            lines.append(f"{_INDENT}{_named(trace, f'o{number}', mask)} = {_numbers(trace, _masked(words, mask))}")
    return "\n".join(lines)


def _block(trace: Trace, step: TraceStep) -> Iterator[str]:
    span = trace.span(step.pc)
    place = f", {visible(str(span), '')}" if span.line else ""
    yield f"step {step.number}, word {step.pc:#x}{place}"
    yield f"    {trace.instruction(step.pc) or 'no word here'}"
    if written := _written(trace, step.pc):
        yield _line("line", written)
    for operand in step.operands:
        if operand.used:
            yield _line("read", operand_text(trace, step.pc, operand, operand.used))
    for component in step.unwritten:
        yield _line("note", f"{component} has never been written")
    for write in step.writes:
        yield _line("wrote", _write(trace, step.pc, write, raw=True) + f", was {_values(trace, write, write.old)}")
    for line in step_lines(trace, step):
        yield _line("emit", line)
    for line in _flow(trace, step):
        yield _line("flow", line)
    if not step.ended and step.state.pc != step.pc + 1:
        yield _line("next", f"word {step.state.pc:#x}")
    yield _line("state", state(step))


def _written(trace: Trace, pc: int) -> str:
    """The source line of a word where it says more than the text of the instruction."""
    line = trace.statement(pc)
    return line if says_more(line, trace.instruction(pc)) else ""


def _line(what: str, text: str) -> str:
    return f"{_INDENT}{what:5}  {text}"


def _flow(trace: Trace, step: TraceStep) -> list[str]:
    lines = [f"{question_text(question, trace.labels)} {'yes' if answer else 'no'}" for question, answer in step.answers]
    return lines + [action_text(action, trace.labels) for action in step.actions]


def state(step: TraceStep) -> str:
    """Flags, a0 and aL after a step, and the rings: `cmp 10  a0 3,0  aL 1  CALL 0x9>0x3  IF 0x7>0x9  LOOP i0 0x4-0x6 x2`.

    A call comes back from its end to the second address, a true branch goes on at it; a loop has so many further rounds.
    """
    flags = "".join("1" if flag else "0" for flag in step.cmp)
    return f"cmp {flags}  a0 {step.a0[0]},{step.a0[1]}  aL {step.loops.al}" + (f"  {rings(step)}" if rings(step) else "")


def rings(step: TraceStep) -> str:
    """The rings after a step, the newest slot of each last."""
    state, counters = step.state, step.loops.counters
    calls = [f"CALL {end:#x}>{back:#x}" for end, back in state.calls]
    ifs = [f"IF {end:#x}>{jump:#x}" for end, jump in state.ifs]
    loops = [
        f"LOOP i{slot.register} {slot.start:#x}-{slot.end - 1:#x} x{n}" for slot, n in zip(state.loops, counters, strict=True)
    ]
    return "  ".join((*calls, *ifs, *loops))


def operand_text(trace: Trace, pc: int, operand: Operand, slots: Sequence[int]) -> str:
    """`-bones[2].xy (c6, a0.x: +2 from c4) = 1, 2 [3f0000 400000]`: what the source calls the register read, components,
    values."""
    letters = "".join(COMPONENTS[SLOTS[operand.source.selector][slot]] for slot in slots)
    words = [operand.words[slot] for slot in slots]
    name = trace.name(operand.register, pc)
    notes = [operand.register] if name != operand.register else []
    notes += [source] if (source := trace.source(operand.register)) else []
    if operand.indexed:
        offset = operand.row - operand.source.register
        notes.append(f"{INDEX_NAMES[operand.source.relative]}: {offset:+d} from {register_name(operand.source.register)}")
    sign = "-" if operand.source.negate else ""
    suffix = f".{letters}" if letters not in ("", COMPONENTS) else ""
    noted = f" ({', '.join(notes)})" if notes else ""
    return f"{sign}{name}{suffix}{noted} = {trace.words_text(words, raw=True)}"


def _named(trace: Trace, register: str, mask: int, pc: int = -1) -> str:
    name = trace.name(register, pc)
    components = "" if mask == 0xF else f".{mask_text(mask)}"
    return name + components + (f" ({register})" if name != register else "")


def _write(trace: Trace, pc: int, write: Write, *, raw: bool) -> str:
    if write.register in ("a0", "cmp"):
        return f"{write.register}.{mask_text(write.mask)} = {_values(trace, write, write.new)}"
    words = _masked(write.new, write.mask)
    return f"{_named(trace, write.register, write.mask, pc)} = {trace.words_text(words, raw=raw)}"


def write_text(trace: Trace, pc: int, write: Write) -> str:
    """`outclr.xy (o1) = 1, 2 [3f0000 400000]`: the components that a step wrote."""
    return _write(trace, pc, write, raw=True)


def _values(trace: Trace, write: Write, values: Sequence[int]) -> str:
    chosen = _masked(values, write.mask)
    return ", ".join(str(int(value)) for value in chosen) if write.register in ("a0", "cmp") else _numbers(trace, chosen)


def _masked(values: Sequence[int], mask: int) -> list[int]:
    return [value for place, value in enumerate(values) if mask >> (3 - place) & 1]


def _numbers(trace: Trace, words: Sequence[int]) -> str:
    return trace.words_text(words, raw=False)


def as_table(trace: Trace) -> str:
    """A line for each step: what it wrote or asked, where it went if not to the next word, and the rings after it.

    Before them stands what a run of a geometry shader was given.
    """
    rows = [("step", "word", "instruction", "what happened", "next", "after it", "line", "source")]
    for step in trace.steps:
        span = trace.span(step.pc)
        happened = [_write(trace, step.pc, write, raw=False) for write in step.writes] + brief(trace, step) + _flow(trace, step)
        after = rings(step)
        if step.state.loops:
            after += f"  aL {step.loops.al}"
        following = "end" if step.ended else "" if step.state.pc == step.pc + 1 else f"{step.state.pc:#x}"
        text = trace.instruction(step.pc) or "(no word)"
        rows.append(
            (
                str(step.number),
                f"{step.pc:#x}",
                text,
                "; ".join(happened),
                following,
                after,
                str(span.line or ""),
                _written(trace, step.pc),
            )
        )
    if trace.fault:
        fault = trace.fault
        text = trace.instruction(fault.pc) or "(no word)"
        line = str(trace.span(fault.pc).line or "")
        rows.append(
            (
                str(fault.step),
                f"{fault.pc:#x}",
                text,
                f"stopped: {fault.message}",
                fault.code,
                "",
                line,
                _written(trace, fault.pc),
            )
        )
    kept = [column for column in zip(*rows, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in kept]
    right = [column[0] in ("step", "word", "line") for column in kept]
    lines: list[str] = [*heading(trace), ""] if trace.run else []
    for row in zip(*kept, strict=True):
        cells = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def explained(explanation: Explanation) -> str:
    """The instructions in order, then what was given, then the decisions on the way."""
    trace, found = explanation.trace, explanation.origins
    emitted = f", {placed(explanation.emitted)}" if explanation.emitted else ""
    shown = trace.words_text([explanation.word], raw=True)
    lines = [
        f"{explanation.component} ({found.component}) = {shown}, {_counted(trace) if trace.lane else trace.subject}{emitted}"
    ]
    if not found.causes:
        before = f"{trace.subject.split()[0]}"
        lines.append(
            f"not written here: left by an earlier {before}"
            if explanation.left_before
            else "never written: initial value of the register"
        )
    for step, components in found.causes:
        lines += ["", f"step {step.number}, {_place(trace, step.pc)}"]
        lines += [f"{_INDENT}from  {source}" for source in _sources(trace, step, components)]
        lines += [f"{_INDENT}made  {text}" for text in _made(trace, step, components)]
        if _is_zero_times_infinity(trace, step, components):
            lines.append(f"{_INDENT}note  0 times infinity is 0, as measured on consoles")
    if found.given:
        lines += ["", "given:", *(f"{_INDENT}{line}" for line in _given(trace, found.given))]
    left = f"left by an earlier {trace.subject.split()[0]}:"
    for title, components in (("never written:", explanation.never_written), (left, explanation.left_before)):
        if found.causes and components:
            lines += ["", title, *(f"{_INDENT}{component}" for component in components)]
    if found.decisions:
        lines += ["", "conditions on the path:"]
    for step, question, answer, set_by in found.decisions:
        by = (
            f", set by step {' and '.join(map(str, set_by))}"
            if set_by
            else ", never set"
            if isinstance(question, Flags)
            else ""
        )
        asked = f"{question_text(question, trace.labels)} {'yes' if answer else 'no'}{by}"
        lines.append(f"{_INDENT}step {step.number}, {_place(trace, step.pc)}: {asked}")
    return "\n".join(lines)


def _place(trace: Trace, pc: int) -> str:
    """`word 0x4, light.v.pica:28: dp3 r1.x, modelview[0], normal`."""
    span = trace.span(pc)
    where = f", {visible(span.file, '')}:{span.line}" if span.line else ""
    line = f" (line: {written})" if (written := _written(trace, pc)) else ""
    return f"word {pc:#x}{where}: {trace.instruction(pc) or 'no word'}{line}"


def _sources(trace: Trace, step: TraceStep, components: Sequence[Component]) -> Iterator[str]:
    """What the components that a step made are made of, operand by operand; then what aL is made of."""
    wanted = {source for component in components for source in step.made.get(component, ())}
    for operand in step.operands:
        # A scalar that is read into every component is one value.
        slots = {operand.component(slot): slot for slot in reversed(operand.used) if operand.component(slot) in wanted}
        if slots:
            yield operand_text(trace, step.pc, operand, sorted(slots.values()))
    if AL in components:
        moved = sources_of_al(step)[AL]
        yield from _given(trace, [component for component in moved if component.file == "i"])


def _is_zero_times_infinity(trace: Trace, step: TraceStep, components: Sequence[Component]) -> bool:
    """Whether a step made one of the components of a product of 0 and infinity."""
    if step.inst is None or step.inst.op.name not in ZERO_TIMES_INFINITY.ops:
        return False
    wanted = {source for component in components for source in step.made.get(component, ())}
    factors = step.operands[:2]
    slots = [slot for slot in factors[0].used if all(operand.component(slot) in wanted for operand in factors)]
    pairs = [sorted(abs(trace.number(operand.words[slot])) for operand in factors) for slot in slots]
    return any(small == 0 and large == math.inf for small, large in pairs)


def _made(trace: Trace, step: TraceStep, components: Sequence[Component]) -> Iterator[str]:
    for write in step.writes:
        mask = sum(8 >> component.channel for component in components if str(component).partition(".")[0] == write.register)
        if mask:
            yield _write(trace, step.pc, write._replace(mask=mask), raw=True)
    if AL in components:
        yield f"aL = {step.loops.al}"


def _given(trace: Trace, components: Sequence[Component]) -> Iterator[str]:
    """Inputs, uniforms and constants, a line for each register."""
    registers: dict[tuple[str, int], list[Component]] = {}
    for component in components:
        registers.setdefault((component.file, component.number), []).append(component)
    for (file, number), mine in registers.items():
        values = [trace.value(component) for component in mine]
        mask = sum(8 >> component.channel for component in mine)
        first = {"v": INPUT, "c": FLOAT, "i": INTEGER}[file]
        kind = "input" if file == "v" else "uniform"
        if file != "v" and trace.is_constant(first + number):
            kind = "constant"
        beyond = file == "c" and number >= FLOAT_COUNT
        name = f"ones.{mask_text(mask)} (past the last uniform)" if beyond else _named(trace, f"{file}{number}", mask)
        shown = ", ".join(map(str, values)) if file == "i" else trace.words_text(values, raw=True)
        source = trace.source(f"{file}{number}") or (_filled(trace, number, mine) if file == "v" else "")
        yield f"{kind} {name} = {shown}{f', {source}' if source else ''}"


def _filled(trace: Trace, number: int, components: Sequence[Component]) -> str:
    """The components of an input that the data did not have, among some; empty without them."""
    width = dict(trace.given.widths).get(number, 4)
    letters = "".join(["xyzw"[component.channel] for component in components if component.channel >= width])
    return f"of which {letters} {'is' if len(letters) == 1 else 'are'} filled in: the data has {width}" if letters else ""
