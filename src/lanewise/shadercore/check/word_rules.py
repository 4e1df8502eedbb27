"""Rules about single ShaderCore instructions and their effects through the pipes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import WARNING
from lanewise.core.finding import Finding
from lanewise.core.text.counting import counted
from lanewise.shadercore.check.context import place_name, source_name
from lanewise.shadercore.isa.codec import DISCARD, NONE, NOTHING, Inst, register
from lanewise.shadercore.isa.program import lacking
from lanewise.shadercore.isa.schedule import idle_nops
from lanewise.shadercore.isa.table import COMPONENTS, LANES, QUADS, SPEC, C
from lanewise.shadercore.isa.timing import landing, time_program
from lanewise.shadercore.text.operands import registers_in
from lanewise.shadercore.text.pieces import Token, split_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.diagnostics import Edit
    from lanewise.shadercore.check.context import AnalysisContext

_MOST_LISTED = 9  # lines in a note


def two_constants(context: AnalysisContext) -> Iterator[Finding]:
    """V215: two constant values in one instruction, where one port reads them."""
    for slot, inst in context.slots():
        constants = [source for source in context.sources(slot) if source.file == C]
        for source in constants[1:]:
            a, b = ((each.number, each.component) for each in (constants[0], source))
            if a != b:
                first, second = source_name(constants[0]), source_name(source)
                what = "another component of the same register" if a[0] == b[0] else "another register"
                yield Finding(
                    message=f"{inst.op.name} also reads {first} instead of {second}: there is one port for constants",
                    fix=_through_registers(context, slot)
                    or f"mov one of them to a register first; {what} counts as another constant",
                    pc=slot,
                )
                break


def _through_registers(context: AnalysisContext, slot: int) -> str:
    """The fix for a statement with several constants: the lines that bring all but the first to registers that are free."""
    span = context.place(slot)
    text = "" if span is None else span.text[span.column - 1 : span.column - 1 + span.length]
    constants = [(at, f"c{number}", letters) for file, number, at, letters in registers_in(text) if file == "c"]
    first = constants[0] if constants else (0, "", "")
    others = list(dict.fromkeys([(name, letters) for _, name, letters in constants if (name, letters) != first[1:]]))
    used = {name for place in context.targets if place for name in (f"{place[0]}{place[1]}",)}
    used |= {f"{place[0]}{place[1]}" for each in range(len(context.insts)) for place in context.reads(each)}
    free = [name for name in (*[f"r{n}" for n in range(8)], *[f"x{n}" for n in range(7)]) if name not in used]
    if not others or len(free) < len(others) or not all(letters and set(letters) <= {*COMPONENTS} for _, letters in others):
        return ""
    chosen = {each: f"{name}.{''.join(COMPONENTS[: len(each[1])])}" for each, name in zip(others, free, strict=False)}
    for at, name, letters in reversed(constants):
        if (name, letters) in chosen:
            text = text[:at] + chosen[name, letters] + text[at + len(name) + 1 + len(letters) :]
    lines = [f"`mov {register}, {name}.{letters}`" for (name, letters), register in chosen.items()]
    return f"write {', '.join(lines)}, then `{' '.join(text.split())}`"


def zero_to_destination(context: AnalysisContext) -> Iterator[Finding]:
    """V216: a NOP, opcode 14 or END with a destination, where that gets 0.0."""
    for slot, inst in context.slots():
        target = context.targets[slot]
        if not inst.op.dests and target is not None:
            name = place_name(target)
            yield Finding(
                message=f"{inst.op.name} writes 0.0 to {name}",
                fix=f"write `{inst.op.name}` without operands, so that its destination is NULL; or mov {name}, 0 to make the "
                "write explicit",
                pc=slot,
                edits=context.rewritten(slot, inst.op.name),
            )


_MEANS = {"exp": "2 to the power of its source", "log": "the logarithm to base 2"}


def nothing_computed(context: AnalysisContext) -> Iterator[Finding]:
    """V221: EXP and LOG, where they give 0.0."""
    for slot, inst in context.slots():
        if inst.op.dests and not inst.op.built:
            yield Finding(
                message=f"{inst.op.name} gives 0.0: the device does not implement it",
                fix=f"write the shader in GLSL, HLSL or Direct3D 9: `lanewise compile` computes {inst.op.name} with other "
                f"instructions; --device document has it, as {_MEANS.get(inst.op.name, inst.op.name)}",
                pc=slot,
            )


def stray_results(context: AnalysisContext) -> Iterator[Finding]:
    """V222: a result of SPEC that nothing waits for comes where another instruction writes."""
    timing = context.timing
    absent = context.device.value("exp_log") == "zero"
    special_latency = context.device.cycles("special_latency")
    for later in timing.issues[: context.damaged]:
        inst = context.insts[later.number]
        target = context.targets[later.number]
        if target is None or not (not inst.op.dests or (absent and not inst.op.built)):
            continue
        for earlier in timing.issues[max(0, later.number - special_latency) : later.number]:
            if context.device.pipe(context.insts[earlier.number].op) != SPEC:
                continue
            quads = [quad for quad, _ in landing(earlier.cycle, later.cycle, later.latency, special_latency)]
            if quads:
                lanes = f"lanes {quads[0] * LANES // QUADS}-{(quads[-1] + 1) * LANES // QUADS - 1}"
                name = context.insts[earlier.number].op.name
                note = f"{name} is instruction {earlier.number}, {later.cycle - earlier.cycle} cycles before"
                related = context.because_of(earlier.number, note)
                yield Finding(
                    message=f"unclaimed result of {name} is written to {place_name(target)}, {lanes}, instead of 0.0",
                    fix=f"use NULL as the destination of {inst.op.name}, or move it away from {name}",
                    pc=later.number,
                    span=None,
                    notes=() if related else (note,),
                    topic="",
                    related=related,
                    edits=context.rewritten(later.number, inst.op.name) if not inst.op.dests else (),
                )


def false_dependences(context: AnalysisContext) -> Iterator[Finding]:
    """V223: an instruction waits for a register in a source field that it does not have."""
    whole = context.timing.total_cycles if context.damaged == len(context.program.words) else None
    for issue in context.timing.issues:
        slot = issue.number
        names = [source_name(source) for source in context.unused(slot) if register(source) is not None]
        if not issue.input_stalls or not names or whole is None:
            continue
        other = time_program(
            (*context.insts[:slot], _with_nothing(context.insts[slot]), *context.insts[slot + 1 :]), context.device
        )
        saved = whole - (other.total_cycles or whole)
        if saved > 0:
            op = context.insts[slot].op.name
            fix = f"set the field to the register 0: the line `{op}` with only its own operands does"
            yield Finding(
                message=f"{op} waits for {names[0]}, which it does not read: {saved} cycle{'' if saved == 1 else 's'} per wave",
                fix=fix,
                pc=slot,
                edits=_own_operands(context, slot),
            )


def _with_nothing(inst: Inst) -> Inst:
    """The instruction with 0.x in the source fields that it does not have."""
    if not inst.op.sources:
        return inst._replace(a=NOTHING, b=NOTHING)
    return inst._replace(b=NOTHING) if inst.op.sources == 1 else inst


def _own_operands(context: AnalysisContext, slot: int) -> tuple[Edit, ...]:
    """The edit that leaves a statement only the operands that its instruction has."""
    span, op = context.place(slot), context.insts[slot].op
    if span is None:
        return ()
    head, _, rest = span.text[span.column - 1 : span.column - 1 + span.length].partition(" ")
    if head.startswith("."):  # .word
        return ()
    operands = split_operands(Token(rest, 1))[: op.dests + op.sources]
    return context.rewritten(slot, " ".join([head, ", ".join([operand.text for operand in operands])]).strip())


def beyond_the_device(context: AnalysisContext) -> Iterator[Finding]:
    """V225: more slots than the device has, and registers that it lacks."""
    for slot, message, fix in lacking(context.insts, context.device):
        yield Finding(message=message, fix=fix, pc=slot, topic=message)


def discarded(context: AnalysisContext) -> Iterator[Finding]:
    """V224: an instruction whose result goes to NULL."""
    for slot, inst in context.slots():
        if inst.op.dests and inst.dest.file == DISCARD.file:
            yield Finding(
                message=f"result of {inst.op.name} is written to NULL: no effect",
                fix="remove it",
                pc=slot,
                edits=context.rewritten(slot, ""),
            )


def overwritten(context: AnalysisContext) -> Iterator[Finding]:
    """V224: a result that a later instruction overwrites before any reads it."""
    for slot, inst in context.slots():
        target = context.targets[slot]
        if not inst.op.dests or target is None or (target[0] == "o" and target not in context.exported):
            continue
        later = next(
            (n for n in range(slot + 1, len(context.insts)) if target in context.reads(n) or context.targets[n] == target), None
        )
        if later is None or later >= context.damaged or target in context.reads(later) or context.insts[later] == inst:
            continue
        name = place_name(target)
        yield Finding(
            message=f"result of {inst.op.name} in {name} is overwritten before it is read: no effect",
            fix=_exchange(context, later) or f"read {name} in {context.insts[later].op.name}, or remove the instruction",
            pc=slot,
            topic=name,
            severity=WARNING,
            related=context.because_of(later, f"{name} is written again"),
        )


def _exchange(context: AnalysisContext, slot: int) -> str:
    """The fix for two `mov` that shall exchange two components, `mov r0.x, r0.y` and `mov r0.y, r0.x`, from `slot` on."""
    pair = context.insts[slot : slot + 2]
    places = [(context.targets[slot + n], *context.reads(slot + n)) for n in range(len(pair))]
    if [inst.op.name for inst in pair] != ["mov", "mov"] or places[0] != places[1][::-1] or slot + 1 >= context.damaged:
        return ""
    if any(source.modifier != NONE for inst in pair for source in inst.operands):
        return ""
    used = {place[:2] for place in context.targets if place} | {
        place[:2] for each in range(len(context.insts)) for place in context.reads(each)
    }
    free = next((f"r{n}.x" for n in range(8) if ("r", n) not in used), "")
    one, other = (place_name(place) for place in places[0] if place is not None)
    lines = f"`mov {free}, {one}`, `mov {one}, {other}`, `mov {other}, {free}`"
    return f"to exchange {one} and {other}, write {lines}" if free else ""


def nops_that_cost(context: AnalysisContext) -> Iterator[Finding]:
    """V240: NOPs without which the program takes fewer cycles."""
    if context.damaged != len(context.program.words):
        return
    found = idle_nops(context.timing)
    if found is None:
        return
    slots, saved, whole = found
    first, *rest = sorted(slots)
    several = len(slots) > 1
    lines = sorted({span.line for slot in rest if (span := context.place(slot)) is not None})
    listed = ", ".join(map(str, lines)) if len(lines) < _MOST_LISTED else f"{lines[0]} to {lines[-1]}"
    yield Finding(
        message=f"{counted(len(slots), 'nop')} without effect: {counted(saved, 'cycle')} per wave",
        fix=f"remove {'them' if several else 'it'}: an instruction waits for its sources by itself, and a wave takes "
        f"{counted(whole, 'cycle')} without",
        pc=first,
        notes=(f"the other{'s are' if len(lines) > 1 else ' is'} in line{'s' if len(lines) > 1 else ''} {listed}",)
        if lines
        else (),
        edits=tuple([edit for nop in sorted(slots) for edit in context.rewritten(nop, "")]),
    )
