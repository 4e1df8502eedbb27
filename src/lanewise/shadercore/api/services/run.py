"""`lanewise run` for ShaderCore programs: waves of 16 vertices on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.arrays.report import answered
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.core.engines import REFERENCE
from lanewise.core.numbers.floats import float_from_bits
from lanewise.core.view import view_of
from lanewise.shadercore.api.binding import Binder
from lanewise.shadercore.api.interface import Limits
from lanewise.shadercore.api.missing import read_components
from lanewise.shadercore.api.services.devices import compiled_for
from lanewise.shadercore.api.services.plan import plan_of
from lanewise.shadercore.api.services.slips import slips
from lanewise.shadercore.api.stream_layouts import DWORD
from lanewise.shadercore.api.surprises import hidden, may_surprise, surprises, unwritten
from lanewise.shadercore.isa.codec import register, written
from lanewise.shadercore.isa.devices import tabled_of
from lanewise.shadercore.isa.table import COMPONENTS, LANES, SMALLEST
from lanewise.shadercore.sem.functions import rounds_often, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.service import Answer, Request
    from lanewise.shadercore.api.interface import Beside
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.api.results import WaveResult
    from lanewise.shadercore.api.services.plan import Plan


def results(request: Request, program: ShaderCoreProgram) -> Answer:
    """The outputs of a run as a table, JSON and `.npz`. Raises UsageError, InputFailure, InputError."""
    view = view_of(request)
    plan = plan_of(request)
    try:
        result = program.run(plan.inputs, plan.uniforms, **plan.settings(), engine=plan.engine, threads=plan.threads)
    except InputError as error:
        raise InputError((*program.diagnostics, *error.diagnostics)) from None
    beside, found = program.beside, len(program.diagnostics)
    remarks = (f"constants and names of inputs are those of {beside.path}",) if beside is not None else ()
    if view.registers and result.engine != REFERENCE:
        remarks += ("registers are those of the reference engine: compiled code does not keep them",)
    remarks += (*compiled_for(request, beside, plan.device), *_neighbours(request, plan, program, result.lanes))
    remarks += () if view.registers else (*_unread(plan, program), *_beyond(plan, program))
    remarks += (*_unseparated(request, plan, program), *_coarse(plan, program))
    remarks += (*_scalars(request, program), *_integers(plan, program))
    remarks += (*_colors(plan), *slips(program, result))
    remarks += tuple(_patterns(program, result)) if not view.bits else ()
    before, after = result.warnings[:found], result.warnings[found:]
    if may_surprise(program.insts, program.program.constants):
        after = (*surprises(program.placed(), plan.device, program.name, result.lanes), *after)
    after = (*hidden(program.placed(), plan.device, program.name, partly=True), *after)
    after = (*unwritten(program.placed(), plan.device, program.name, plan.initial), *after)
    return answered(view, result, program.name, before=before, after=after, remarks=remarks, origins=request.origins)


def _unseparated(request: Request, plan: Plan, program: ShaderCoreProgram) -> Iterator[str]:
    """Remarks about inputs with numbers between commas, of which the program reads x only: vertices may be meant."""
    read = read_components(program, "v")
    for text in request.texts("input"):
        name, _, value = (part.strip() for part in text.partition("="))
        if "," not in value or not _ONE_VERTEX.issuperset(value):
            continue
        rows = Binder.of(program.program, program.insts, program.beside).bind_inputs({name: plan.inputs[name]})
        for bound, values in rows.items():
            if {component for number, component in read if number == bound} == {0}:
                letters = "".join(COMPONENTS[1 : values.shape[1]])
                yield f"{name}.{letters} is given but never read: vertices are separated by `;`, components by `,`"


def _scalars(request: Request, program: ShaderCoreProgram) -> Iterator[str]:
    """Remarks about uniforms of a compiled shader that are one number and get several."""
    registers = {text: number for number, text in program.beside.names.items()} if program.beside is not None else {}
    read = read_components(program, "c") if registers else {}
    for text in request.texts("uniform"):
        name, _, value = (part.strip() for part in text.partition("="))
        numbers = value.split(",")
        components = {component for number, component in read if number == registers.get(name)}
        if components == {0} and len(numbers) > 1 and _ONE_VERTEX.issuperset(value):
            yield f"{name} is one number in the program: {numbers[0]} is used, {','.join(numbers[1:])} never read"


def _integers(plan: Plan, program: ShaderCoreProgram) -> Iterator[str]:
    """Remarks about inputs that are given as whole numbers, whose bits the program takes for an integer."""
    seen = {
        place[1]: slot
        for slot, inst in enumerate(program.insts)
        if inst.op.name == "cnv_u32_to_f" and (place := register(inst.a)) is not None and place[0] == "v"
    }
    for name, value in plan.inputs.items() if seen else ():
        rows = Binder.of(program.program, program.insts, program.beside).bind_inputs({name: value})
        number = next(iter(rows), -1)
        if isinstance(value, Words) or number not in seen:
            continue
        component = program.insts[seen[number]].a.component
        column = [
            bits for row in rows[number].tolist() for bits in row[component : component + 1] if SMALLEST <= bits < _NEGATIVE
        ]
        whole = next((bits for bits in column if float_from_bits(bits).is_integer()), 0)
        if whole:
            places, count = program.placed().places, int(float_from_bits(whole))
            where = f" in line {places[seen[number]].line}" if seen[number] < len(places) else ""
            yield (
                f"{name}.{COMPONENTS[component]} is given as a number, and cnv_u32_to_f{where} takes its bits for an integer: "
                f"{count} is 0x{whole:08X}; write mov in its place, or give bits: {name}=words:{count}"
            )


_NEGATIVE = 1 << 31


def _colors(plan: Plan) -> Iterator[str]:
    """Remarks about colours in memory, whose order of bytes no value shows: how that of the first vertex is read."""
    for stream in plan.streams:
        first = (stream.base + stream.offset) * DWORD
        data = bytes(stream.data[first : first + DWORD]) if isinstance(stream.data, bytes) else b""
        if stream.kind == "d3dcolor" and len(data) == DWORD and data[0] != data[2]:
            blue, green, red, alpha = data
            yield (
                f"{stream.input}: bytes {data.hex(' ').upper()} are blue {blue}, green {green}, red {red}, alpha {alpha}: "
                "d3dcolor is 0xAARRGGBB"
            )


def _unread(plan: Plan, program: ShaderCoreProgram) -> Iterator[str]:
    """Remarks about constants, inputs and registers by their numbers that have values and are never read."""
    for values in (plan.inputs, plan.uniforms, plan.initial):
        for name, value in values.items():
            file, digits = name[:1].lower(), name[1:].partition(".")[0]
            if file not in ("v", "c", "r", "x") or not digits.isdecimal():  # o leaves the core without being read
                continue
            array = value.array if isinstance(value, Words) else value
            rows = max(len(array) if array.ndim > 1 else 1, -(-array.size // len(COMPONENTS))) if file == "c" else 1
            read = {number for number, _ in read_components(program, file)}
            if read.isdisjoint(range(int(digits), int(digits) + rows)):
                others = ", ".join(f"{file}{number}" for number in sorted(read)[:_MOST])
                yield f"{name} is given but never read" + (f": the program reads {others}" if others else "")


def _beyond(plan: Plan, program: ShaderCoreProgram) -> Iterator[str]:
    """Remarks about rows behind the last that a compiled shader reads: of an array or a loop that was compiled with fewer."""
    if program.beside is None:
        return
    read = {number for number, _ in read_components(program, "c")}
    for name, value in plan.uniforms.items():
        if name[:1].lower() != "c" or not name[1:].isdecimal() or isinstance(value, Words) or value.ndim < 2:
            continue
        first, rows = int(name[1:]), value.tolist()
        there = [row for row in range(len(rows)) if first + row in read]
        count = there[-1] + 1 if there else 0
        behind = rows[count:]
        if not there or there[0] or not any(any(row[:3]) for row in behind):  # 0, 0, 0, 1 is the last row of a matrix
            continue
        last = first + len(rows) - 1
        shown = f"c{last} is" if len(behind) == 1 else f"c{first + count} to c{last} are"
        fix = _larger(program.beside, first, len(rows), count)
        yield f"{shown} given but never read: the shader was compiled to read c{first} to c{first + count - 1}; {fix}"


def _larger(beside: Beside, first: int, rows: int, read: int) -> str:
    """The fix for rows behind those that are read: of a loop with a known count, or of an array."""
    for name, limits in beside.known.items():
        if not isinstance(limits, Limits):
            continue
        count = limits.exact
        if count and read % count == 0 and rows % (read // count) == 0:
            others = [str(each) for each in (limits.start, limits.step) if each is not None]
            return f"compile it with `--int {name}={','.join([str(rows // (read // count)), *others])}`"
    return f"compile it with `--array c{first}={rows}`, and the /STEP that it had, if any"


def _neighbours(request: Request, plan: Plan, program: ShaderCoreProgram, vertices: int) -> Iterator[str]:
    """A remark about results to compare with, of a wave that is not full, whose last places depend on the empty lanes."""
    device, empty = plan.device, -vertices % LANES
    stale = device.value("rcp") == "table" and device.value("rcp_sigma") == "stale"
    if empty and stale and request.has("output") and any(inst.op.operation == "rcp" for inst in program.insts):
        yield (
            f"a lane of rcp takes a term from a later quad of its wave (rcp_sigma), and {empty} of {LANES} lanes are empty: "
            "for values to compare, give the vertices of whole waves, or --set rcp_sigma=fixed for a repaired core"
        )


def _patterns(program: ShaderCoreProgram, result: WaveResult) -> Iterator[str]:
    """Remarks about outputs of the first vertices that are bits, not float32 numbers: results of rounding, packing, shifts."""
    from lanewise.shadercore.check.register_rules import INTEGERS

    if not any(inst.op.name in INTEGERS for inst in program.insts):
        return
    places = program.placed().places
    for port in result.ports:
        rows = result.bits[port.name][:LANES].tolist()
        for column, letter in enumerate(port.components):
            value = next((row[column] for row in rows if 0 < row[column] < SMALLEST), 0)
            target = (port.register[0], int(port.register[1:]), COMPONENTS.index(letter))
            slots = [slot for slot, inst in enumerate(program.insts) if written(inst.dest) == target]
            name = program.insts[slots[-1]].op.name if slots else ""
            if not value or name not in INTEGERS:
                continue
            where = f" in line {places[slots[-1]].line}" if slots[-1] < len(places) else ""
            yield (
                f"{port.name}.{letter} has {INTEGERS[name][0]} of {name}{where}, such as 0x{value:08X}, which is about 0 as a "
                f"float32: {_MEANT.get(name, _AS_FLOAT).format(port.register + '.' + letter)}; --bits shows bits"
            )


_AS_FLOAT = "`cnv_u32_to_f {0}, {0}` makes a number of an integer"
_MEANT = {
    "cnv_unorm8": "it makes 255 of 1.0; for 1.0 of 255 multiply by 0.003921569",
    "cnv_unorm16": "it makes 65535 of 1.0; for 1.0 of 65535 multiply by 0.0000152590",
    "cnv_f_to_half": "`cnv_half_to_f {0}, {0}` makes a number of a float16",
    "bshftr8": "to divide by 2^8, multiply by 0.00390625",
    "bshftr16": "to divide by 2^16, multiply by 0.0000152587890625",
    "bshftr24": "to divide by 2^24, multiply by 0.000000059604644775",
}


def _coarse(plan: Plan, program: ShaderCoreProgram) -> Iterator[str]:
    """Remarks about tables of results that see a part of the exponent only, and products whose rounding shows before a sum."""
    device, given = plan.device, (*plan.inputs.values(), *plan.uniforms.values())
    used = {inst.op.name for inst in program.insts}
    for op in device.added:
        if op.name in tabled_of(device) and op.name in used:
            count = len(table_of(op.operation)[1])
            bits = count.bit_length() - 2  # but the sign
            if 0 < bits <= _EXPONENT:
                yield (
                    f"the table of {op.name} has {count} results, by the upper bits of the source: the sign and {bits} of "
                    f"{_EXPONENT} bits of the exponent, so 1.0 and 1.5 give one result; 65536 see 7 bits of the mantissa"
                )
        elif "fma" in op.name and op.name in used and rounds_often(op) and any(map(_rounds, given)):
            from lanewise.shadercore.api.services.device_files import FUNCTION

            yield (
                f"{op.name} rounds after each operation of {op.operation} (meaning of [instructions.{op.name}] in "
                f"{device.name}); one that rounds once is {FUNCTION}"
            )


def _rounds(value: NDArray[Any] | Words) -> bool:
    """Whether some numbers have so many bits that a product of two is not exact."""
    import numpy as np

    bits = value.array if isinstance(value, Words) else np.asarray(value, np.float32).view(np.uint32)
    return bool((bits & _LOWER_HALF).any())


_LOWER_HALF = 0xFFF  # of the mantissa
_EXPONENT = 8
_MOST = 8
_ONE_VERTEX = frozenset("0123456789+-.eE, ")
