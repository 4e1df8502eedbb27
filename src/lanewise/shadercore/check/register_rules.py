"""Rules about ShaderCore registers.

Uninitialised reads, outputs that are not exported, unusable registers."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import Edit
from lanewise.core.finding import Finding
from lanewise.core.numbers.floats import float32_bits, float_from_bits
from lanewise.shadercore.check.context import place_name
from lanewise.shadercore.isa.codec import register, written
from lanewise.shadercore.isa.program import usage_name
from lanewise.shadercore.isa.table import (
    ABS,
    COMPONENTS,
    FILES,
    LANES,
    LOW_BITS,
    MINUS_ONE,
    NEG_ABS,
    NEGATE,
    NONE,
    ONE,
    SMALLEST,
    SOURCE_FILES,
    C,
    V,
)
from lanewise.shadercore.text.operands import read_source
from lanewise.shadercore.text.pieces import Token, split_operands
from lanewise.shadercore.text.printer import line_of_inst

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.shadercore.check.context import AnalysisContext, Place
    from lanewise.shadercore.isa.codec import Inst, Source

_X7X: Place = ("x", 7, 0)


def _first_reads(context: AnalysisContext) -> Iterator[tuple[int, Place]]:
    """The first read of each component of r, x and o that no instruction before has written, by instruction."""
    hangs = context.device.value("x7x") == "cleared"
    known: set[Place] = {_X7X} if hangs else set()  # whoever reads it hangs, written or not
    for slot, _ in context.slots():
        for place in context.reads(slot):
            if place[0] != "v" and place not in known:
                known.add(place)
                if not context.may_write(*place[:2], slot):
                    yield slot, place
        target = context.targets[slot]
        if target is not None:
            known.add(target)


def left_by_the_wave_before(context: AnalysisContext) -> Iterator[Finding]:
    """V210 where registers are kept: a value of the previous wave is read."""
    for slot, place in _first_reads(context):
        name = place_name(place)
        later = next((n for n in range(slot, len(context.insts)) if context.targets[n] == place), None)
        note = f"a later instruction writes {name}: the next wave reads that value here"
        related = context.because_of(later, note) if later is not None else ()
        notes = (note,) if later is not None and not related else ()
        yield Finding(
            message=f"{name} is read before it is written: it holds the value of the previous wave",
            fix=_written_first(context, slot, place, later),
            pc=slot,
            span=None,
            notes=notes,
            topic=name,
            related=related,
        )


def _written_first(context: AnalysisContext, slot: int, place: Place, later: int | None) -> str:
    """The fix of a read before `later`, the first instruction that writes the component: moved, where its sources are there."""
    name = place_name(place)
    if later == slot:
        return f"write it first: `mov {name}, 0` for a sum"
    if later is not None:
        changed = set(context.targets[slot:later])
        here, there = context.place(slot), context.place(later)
        if here is None or there is None or here.line == there.line:
            return f"write {name} first"
        if changed.isdisjoint(context.reads(later)):
            return f"move line {there.line}, which writes {name}, before line {here.line}"
        return f"write {name} first: line {there.line} writes it from what is computed after line {here.line}"
    others = [COMPONENTS[n] for n in range(len(COMPONENTS)) if (*place[:2], n) in context.targets[:slot]]
    register_name = f"{place[0]}{place[1]}"
    if place[:2] == _X7X[:2] and others == [COMPONENTS[0]] and context.device.value("x7x") == "cleared":
        writer = context.place(next(n for n in range(slot) if context.targets[n] == _X7X))
        where = f"in line {writer.line}" if writer is not None and writer.line else "where x7.x is written"
        return f"write {name} first: {where} in place of x7.x, which idle write slots clear"
    return f"write {name} first" + (f", or read {register_name}.{others[0]}" if len(others) == 1 else "")


def zero_at_first(context: AnalysisContext) -> Iterator[Finding]:
    """V210 where registers begin as 0."""
    for slot, place in _first_reads(context):
        name = place_name(place)
        later = next((n for n in range(slot, len(context.insts)) if context.targets[n] == place), None)
        yield Finding(
            message=f"{name} is read before it is written: 0 on this device, but not defined by the specification",
            fix=f"{_written_first(context, slot, place, later)}; or read 0",
            pc=slot,
            span=None,
            notes=(),
            topic=name,
        )


def input_not_named(context: AnalysisContext) -> Iterator[Finding]:
    """V211: an input is read that the source, or the header, does not name."""
    program = context.program
    if context.declarations_damaged:
        return
    reads = [(slot, place[1]) for slot, _ in context.slots() for place in context.reads(slot) if place[0] == "v"]
    numbers = sorted({number for _, number in reads})
    first = {number: slot for slot, number in reversed(reads)}
    if any(declared.file == "v" for declared in program.declared):
        for number in numbers:
            if context.declared("v", number) is None:
                yield Finding(
                    message=f"v{number} is read without .input: its usage in the header is position",
                    fix=f"declare `.input v{number}` and its usage",
                    pc=first[number],
                    span=None,
                    notes=(),
                    topic=f"v{number}",
                )
    elif not program.declared and any((*program.inputs, *program.outputs)):
        positions = [number for number in numbers if not program.inputs[number]]
        for number in positions[1:]:
            yield Finding(
                message=f"v{number} has the usage position in the header, like v{positions[0]}: the byte may be unset",
                fix=f"set byte {8 + number} of the header to the usage of v{number}",
                pc=first[number],
                span=None,
                notes=(),
                topic=f"v{number}",
            )


def other_than_x7x(insts: Sequence[Inst]) -> str:
    """A component of x that a program does not name, the last one; x7.y where it names all."""
    named = {place for inst in insts for place in (*map(register, inst.operands), written(inst.dest)) if place is not None}
    places = [("x", number, n) for number in range(FILES["x"].size) for n in (3, 2, 1, 0)]
    return place_name(next((place for place in reversed(places) if place != _X7X and place not in named), ("x", 7, 1)))


def without_x7x(insts: Sequence[Inst], slot: int, lines: Sequence[int]) -> str:
    """The fix of an instruction that names x7.x: another component, here and in the other lines that name x7.x."""
    named = [n for n, inst in enumerate(insts) if _X7X in (*map(register, inst.operands), written(inst.dest))]
    here = lines[slot] if slot < len(lines) else 0
    others = sorted({lines[n] for n in named if n < len(lines)} - {here, 0})
    too = f", here and in {'line' if len(others) == 1 else 'lines'} {' and '.join(map(str, others))}" if others else ""
    if not here and len(named) > 1:
        too = ", in all instructions that name it"
    return f"write {other_than_x7x(insts)} in place of x7.x, which idle write slots clear{too}"


def _lines(context: AnalysisContext) -> list[int]:
    places = [context.place(slot) for slot in range(len(context.insts))]
    return [place.line if place is not None else 0 for place in places]


def hangs(context: AnalysisContext) -> Iterator[Finding]:
    """V212: x7.x in a source field that the hazard logic looks at."""
    both = context.device.value("hazard_fields") == "both"
    for slot, inst in context.slots():
        used = _X7X in context.reads(slot)
        if used or (both and any(register(source) == _X7X for source in context.unused(slot))):
            what = "" if used else f" in a source field that {inst.op.name} does not use"
            yield Finding(
                message=f"{inst.op.name} names x7.x{what}: it never issues, and the core hangs",
                fix=without_x7x(context.insts, slot, _lines(context)) if used else "set the field to 0",
                pc=slot,
            )


def cleared(context: AnalysisContext) -> Iterator[Finding]:
    """V213: x7.x as a destination."""
    for slot, target in enumerate(context.targets):
        if target == _X7X:
            last = slot + 2 == len(context.insts)
            read = any(_X7X in context.reads(other) for other, _ in context.slots())
            notes = ("an `end` follows directly, so this write survives; nothing can read it nevertheless",) if last else ()
            yield Finding(
                message="x7.x does not keep this value: idle write slots clear lanes 0-3, and nothing can read it",
                fix=without_x7x(context.insts, slot, _lines(context)) if read else "use another register, or NULL",
                pc=slot,
                span=None,
                notes=notes,
            )


def one_is_zero(context: AnalysisContext) -> Iterator[Finding]:
    """V214: the register 1."""
    for slot, inst in context.slots():
        sources = context.sources(slot)
        if inst.op.name == "and" and any(source.file == V for source in sources):
            continue  # V242 has it: a mask of bits
        for source in sources:
            if source.file == ONE:
                minus = source.modifier & NEGATE  # also of -abs
                yield Finding(
                    message=f"register 1 reads as {'-0.0' if minus else '0.0'} on this device",
                    fix="write -1" if minus else "write -(-1) or abs(-1) for 1.0",
                    pc=slot,
                    span=None,
                    notes=(),
                    topic=f"{minus}",
                    related=(),
                    edits=_with_minus_one(context, slot),
                )


def _with_minus_one(context: AnalysisContext, slot: int) -> tuple[Edit, ...]:
    """The edits of a statement that reads the register 1: -(-1) in its place, or -1 where it is negated."""
    span = context.place(slot)
    if span is None or not context.rewritten(slot, ""):
        return ()
    head, _, rest = span.text[span.column - 1 : span.column - 1 + span.length].partition(" ")
    found: list[Edit] = []
    for token in split_operands(Token(rest, span.column + len(head) + 1))[1:]:
        operand = read_source(token.text, token.column)
        if operand.file == SOURCE_FILES[ONE]:
            component = "." + "".join(COMPONENTS[n] for n in operand.components) if any(operand.components) else ""
            text = {NONE: "-(-1{})", NEGATE: "-1{}", ABS: "abs(-1{})", NEG_ABS: "-abs(-1{})"}[operand.modifier]
            found.append(Edit(span.at(token.column, len(token.text)), text.format(component)))
    return tuple(found)


def never_exported(context: AnalysisContext) -> Iterator[Finding]:
    """V217: outputs that do not leave the core, unless they are read again as registers to work with."""
    for slot, target in enumerate(context.targets):
        if target is None or target[0] != "o" or target in context.exported or context.may_read(*target[:2], slot):
            continue
        if not _read_later(context, slot, target):
            name = place_name(target)
            yield Finding(
                message=f"{name} is not exported (o0.xyzw, o2.xy and o1.xyzw are), and nothing reads it",
                fix="write o2.xy only; o0 and o1 have four components" if target[1] == 2 else _OTHER_OUTPUT,
                pc=slot,
                span=None,
                notes=(),
                topic=name,
            )
    for number in range(8):
        place = context.declared("o", number)
        if place is not None and not any(("o", number, c) in context.exported for c in range(4)):
            usage = usage_name(context.program.outputs[number])
            yield Finding(
                message=f"o{number} is declared as {usage} but not exported: o0, o1 and o2.xy are",
                fix=_declaration(context, number),
                pc=-1,
                span=place,
                notes=(),
                topic=f".output o{number}",
            )


_OTHER_OUTPUT = "write one of these, or remove the instruction"


def _declaration(context: AnalysisContext, number: int) -> str:
    """The declaration of an output that is exported, in place of one that is not."""
    taken = {target[1] for target in context.targets if target is not None and target[0] == "o"}
    free = next((n for n in (1, 0, 2) if n not in taken and context.declared("o", n) is None), None)
    if free is None:
        return "remove it: o0, o1 and o2 have other values"
    components = "o2.xy" if free == 2 else f"o{free}"
    return f"write `.output o{free} {usage_name(context.program.outputs[number])}`, and {components} for o{number}"


def _read_later(context: AnalysisContext, slot: int, place: Place) -> bool:
    """Whether a later instruction reads a component before another writes it."""
    for later in range(slot + 1, len(context.insts)):
        if place in context.reads(later):
            return True
        if context.targets[later] == place:
            return False
    return False


def nothing_written(context: AnalysisContext) -> Iterator[Finding]:
    """V218: no output is written that leaves the core."""
    if any(context.may_write("o", number) for number in range(8)):
        return
    if not context.exported.intersection(context.targets):
        yield Finding(
            message="the program writes no exported output", fix="write the position to o0", pc=max(0, len(context.insts) - 1)
        )


def declared_and_not_written(context: AnalysisContext) -> Iterator[Finding]:
    """V219: a declared output, all or some of whose components nothing writes, where one leaves the core."""
    if not context.exported.intersection(context.targets):
        return
    for number in range(8):
        place = context.declared("o", number)
        leaves = [c for c in range(4) if ("o", number, c) in context.exported]
        missing = [c for c in leaves if ("o", number, c) not in context.targets]
        if place is None or not missing or context.may_write("o", number):
            continue
        name = f"o{number}.{''.join(COMPONENTS[c] for c in missing)}"
        holds = "the value of the previous wave" if context.device.value("between_waves") == "kept" else "0"
        yield Finding(
            message=f"o{number} is declared, but {name} is never written: it is exported with {holds}",
            fix=f"write {name}",
            pc=-1,
            span=place,
            notes=(),
            topic=name,
        )


# What gives an integer or a float16 in the low bits: what it is called, and the instructions that make a float32 of it.
_ROUND = (
    "to round and stay in float32, write `add {0}, {1}, {2}.x` with `.const {2} (0.5, 0, 0, 0)`, then `frc {3}.x, {0}`, then "
    "`add {0}, {0}, -{3}.x` in its place; or, of what is not negative, convert it: `cnv_u32_to_f {0}, {0}`"
)
_CONVERT = "convert it first: `cnv_u32_to_f {0}, {0}`"
INTEGERS = MappingProxyType(
    dict(
        zip(
            LOW_BITS,
            (
                ("an integer", _ROUND),
                ("an integer", _ROUND),
                ("an integer from 0 to 65535", _CONVERT),
                ("an integer from 0 to 255", _CONVERT),
                ("a float16", "convert it first: `cnv_half_to_f {0}, {0}`"),
            ),
            strict=True,
        )
    )
    | {
        f"bshftr{bits}": (
            "shifted bits",
            f"to divide by 2^{bits}, write `mul {{0}}, {{1}}, {{2}}.x` with `.const {{2}} ({2.0**-bits!r}, 0, 0, 0)` in its "
            "place; an integer is converted first: `cnv_u32_to_f {0}, {0}`",
        )
        for bits in (8, 16, 24)
    }
)
# What computes with float32 numbers. Comparisons are not among them: they compare patterns of integers, too.
_FLOATS = frozenset(("add", "mul", "rcp", "frc", "exp", "log", "rsq", "shft", *LOW_BITS))


def integer_as_float(context: AnalysisContext) -> Iterator[Finding]:
    """V241: an integer or a float16 in the low bits is computed with as a float32."""
    known: dict[Place, int] = {}  # the slot of the instruction that gives it
    integers = {
        ("c", constant.number, component): bits
        for constant in context.program.constants
        for component, bits in enumerate(constant.values)
        if 0 < bits < SMALLEST
    }
    for slot, inst in context.slots():
        if slot >= context.damaged:
            return
        name = inst.op.name
        if integers:
            yield from _integer_constants(context, slot, integers)
        for place in context.reads(slot) if name in _FLOATS else ():
            origin = known.get(place)
            if origin is not None:
                maker, register_name = context.insts[origin].op.name, place_name(place)
                what, fix = INTEGERS[maker]
                rounded = line_of_inst(context.insts[origin]).rpartition(", ")[2]
                yield Finding(
                    message=f"{name} reads {register_name} as a float32, but it holds {what} of {maker}: a subnormal, about 0",
                    fix=fix.format(register_name, rounded, _free(context, "c"), _free(context, "r")),
                    pc=slot,
                    topic=register_name,
                    related=context.because_of(origin, f"{what} in the low bits"),
                )
        target = context.targets[slot]
        if target is None:
            continue
        read = context.reads(slot)
        if name in INTEGERS:
            known[target] = slot
        elif name == "mov" and read and read[0] in known and not inst.dest.saturate and not inst.a.modifier:
            known[target] = known[read[0]]
        else:
            known.pop(target, None)


def _integer_constants(context: AnalysisContext, slot: int, integers: dict[Place, int]) -> Iterator[Finding]:
    """V241 of the bits of small integers that a constant has, and what mov copies of them."""
    inst, target = context.insts[slot], context.targets[slot]
    sources = [place for place in map(_source_place, context.sources(slot)) if place in integers]
    for place in sources if inst.op.name in _FLOATS else ():
        bits, name = integers[place], place_name(place)
        yield Finding(
            message=f"{inst.op.name} reads {name} as a float32, but it holds the bits 0x{bits:08X}: a subnormal, about 0",
            fix=f"write the number {bits}.0 in .const for the integer {bits}; of bits, convert them first: "
            f"`cnv_u32_to_f {_free(context, 'r')}.x, {name}`",
            pc=slot,
            topic=name,
        )
    if target is None:
        return
    if inst.op.name == "mov" and sources and not inst.a.modifier and not inst.dest.saturate:
        integers[target] = integers[sources[0]]
    else:
        integers.pop(target, None)


COMPARISONS = frozenset(("slt", "sge"))
_SELECTED = frozenset(("add", "mul", "rcp", "frc", "exp", "log", "rsq", "shft", "cnv_half_to_f", "cnv_u32_to_f"))
_KEEPING = frozenset(("mov", "min", "max"))
_JOINING = frozenset(("mov", "min", "max", "mul", "and", "or"))
_TRUE = 0x3F800000  # 1.0
_LARGEST_MASK = 0xFFFF  # of the integers that rnd_sint16ne gives


def comparison_as_mask(context: AnalysisContext) -> Iterator[Finding]:
    """V242: AND of what a comparison gives, 1.0 or 0.0, or of a whole number, with a number, as if it were a mask of bits."""
    masks: dict[Place, int] = {}  # the slot of the comparison whose result it is
    numbers: set[Place] = {("v", number, component) for number in range(FILES["v"].size) for component in range(4)}
    numbers |= {
        ("c", constant.number, component)
        for constant in context.program.constants
        for component, bits in enumerate(constant.values)
        if bits >= SMALLEST and bits & _TRUE != _TRUE
    }
    whole = {
        ("c", constant.number, component): int(value)
        for constant in context.program.constants
        for component, value in enumerate(map(float_from_bits, constant.values))
        if 1.0 <= value <= _LARGEST_MASK and value.is_integer()
    }
    for slot, inst in context.slots():
        if slot >= context.damaged:
            return
        name, target = inst.op.name, context.targets[slot]
        read = [place for place in map(_source_place, context.sources(slot)) if place is not None]
        mask = next((place for place in read if place in whole), None) if name == "and" else None
        masked = next((place for place in read if place != mask and place in numbers), None)
        if mask is not None and masked is not None:
            yield _number_as_mask(context, slot, place_name(mask), whole[mask], masked)
        elif name == "and" and masked is not None and any(source.file in (ONE, MINUS_ONE) for source in context.sources(slot)):
            yield _number_as_mask(context, slot, f"{_free(context, 'c')}.x", 1, masked)
        held = next((place for place in read if place in masks), None)
        other = next((place for place in read if place in numbers), None)
        if name == "and" and held is not None and other is not None:
            origin = masks[held]
            maker = context.insts[origin].op.name
            yield Finding(
                message=f"and of {held[0]}{held[1]} with the number {other[0]}{other[1]}: {maker} gives 1.0, the bits "
                "0x3F800000, which are no mask",
                fix=f"write `{_multiplied(context, slot)}`",
                pc=slot,
                topic=place_name(held),
                related=context.because_of(origin, "1.0 or 0.0"),
            )
        if target is None:
            continue
        truths = [place in masks for place in read]
        is_number = name in _SELECTED or (name in _KEEPING and other is not None)
        numbers.discard(target)
        if name in COMPARISONS:
            masks[target] = slot
        elif name in _JOINING and truths and all(truths) and held is not None:
            masks[target] = masks[held]
        else:
            masks.pop(target, None)
            if is_number:
                numbers.add(target)


def _number_as_mask(context: AnalysisContext, slot: int, constant: str, value: int, number: Place) -> Finding:
    """V242 of a whole number in a constant, with which the bits of another number are masked."""
    free, register_name, to = _free(context, "r"), place_name(number), place_name(context.targets[slot] or number)
    return Finding(
        message=f"and of the numbers {register_name} and {constant}: {value}.0 has the bits 0x{float32_bits(value):08X}, not "
        f"those of the integer {value}",
        fix=f"write 0x{value:08X} for {constant} in .const, and in place of this instruction `rnd_sint16ne {free}.x, "
        f"{register_name}`, `and {free}.x, {free}.x, {constant}`, then `cnv_u32_to_f {to}, {free}.x`",
        pc=slot,
        topic=constant,
    )


def _multiplied(context: AnalysisContext, slot: int) -> str:
    """The statement of a slot with `mul` in place of its instruction."""
    span = context.place(slot)
    statement = span.text[span.column - 1 : span.column - 1 + span.length] if span is not None else ""
    if not statement.lower().startswith("and "):
        statement = line_of_inst(context.insts[slot])
    return "mul" + statement[len("and") :]


def _source_place(source: Source) -> Place | None:
    """The register component of a source, of the constants too."""
    return ("c", source.number, source.component) if source.file == C else register(source)


def _free(context: AnalysisContext, file: str) -> str:
    """A register that the program does not name; the last one where it names all."""
    used = {constant.number for constant in context.program.constants} if file == "c" else set[int]()
    for slot, inst in context.slots():
        used |= {source.number for source in inst.operands if source.file == C} if file == "c" else set()
        used |= {place[1] for place in (*context.reads(slot), context.targets[slot]) if place is not None and place[0] == file}
    return f"{file}{next((n for n in range(FILES[file].size) if n not in used), FILES[file].size - 1)}"


def rsq_of_later_quads(context: AnalysisContext) -> Iterator[Finding]:
    """V220: RSQ of values that differ from lane to lane."""
    for slot, inst in context.slots():
        if inst.op.name == "rsq" and not context.uniform[slot] and context.targets[slot] is not None:
            yield Finding(
                message=f"rsq can be wrong in lanes 4-{LANES - 1}, by some percent and more: they use the product of lanes 0-3",
                fix="write the shader in GLSL, HLSL or Direct3D 9: `lanewise compile` computes the root with other "
                "instructions; --set rsq_gate=fixed is a repaired core, right to 11.5 bits (0.035 %), as rsq of equal values "
                "in all lanes is; --set rsq_gate=fixed,rsq=exact is one with all bits",
                pc=slot,
            )
