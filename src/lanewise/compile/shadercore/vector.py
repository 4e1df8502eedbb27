"""The compiler from vector programs to ShaderCore.

result = compile_vector(program, device)
if result.compiled is not None:
    data = write_binary(result.compiled.program)

The program is walked on symbols (`lowering`); passes, scheduling, register allocation and encoding are those of Direct3D 9
shaders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.shadercore.allocate import TooMany
from lanewise.compile.shadercore.backend import Finished, TooLong, finish
from lanewise.compile.shadercore.code import CONSTANT, INPUT, without_dead
from lanewise.compile.shadercore.constants import NoRoom
from lanewise.compile.shadercore.lowering import Lowering, Refused, Registers
from lanewise.compile.shadercore.numbers import DeviceNumbers
from lanewise.compile.shadercore.strategies import OPTIMISED
from lanewise.compile.vector import code as v
from lanewise.compile.vector.passes import simplified
from lanewise.compile.vector.walk import statements
from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, listed
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.shadercore.isa.codec import encode
from lanewise.shadercore.isa.devices import refuse_tables
from lanewise.shadercore.isa.program import NO_HASH, REGISTERS, USAGE_NUMBERS, USAGES, Constant, Program, usage_byte, usage_name
from lanewise.shadercore.sem.steps import exports

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.compile.shadercore.code import Code
    from lanewise.compile.shadercore.constants import Upload
    from lanewise.shadercore.isa.devices import Device

# The outputs that the hardware exports, with the components that a shader may give; others follow in o3 to o7.
SEMANTICS: Mapping[str, int] = {"position": 4, "color": 4, "texcoord0": 4}
# All that the header of a file can say of an output or an input; a reader has four components of each.
OUTPUTS: Mapping[str, int] = {"texcoord0" if byte == 1 else usage_name(byte): 4 for byte in range(len(USAGES) * USAGE_NUMBERS)}
_FIXED: Mapping[str, int] = {"position": 0, "color": 1, "texcoord0": 2}


class Port(NamedTuple):
    """An input or output: its v# or o#, its name in the source, what it means (empty: nothing that the header can say), its
    components (x is bit 0)."""

    register: int
    name: str
    usage: str
    mask: int


class Range(Record):
    """A uniform in constant registers."""

    name: str
    "The name of the uniform."
    first: int
    "The number of its first c#."
    rows: int
    "How many registers it has."
    columns: int
    "How many lanes of a register are meant."
    read: tuple[int, ...]
    "Numbers of the c# that the program reads."


class Setting(NamedTuple):
    """A flag or count: the component of a c# that the application sets to 1.0 or 0.0, or to the count, which is at most `most`
    (-1: a flag)."""

    name: str
    register: int
    component: int
    most: int = -1

    @property
    def is_flag(self) -> bool:
        return self.most < 0


class VectorCompiled(Record):
    """A compiled vector program with its interface and compilation stages."""

    program: Program
    "The program with the header of its file."
    device: Device
    "The device that it was compiled for."
    inputs: tuple[Port, ...]
    "The inputs that it reads, by register."
    outputs: tuple[Port, ...]
    "The outputs, by register."
    uniforms: tuple[Range, ...]
    "The uniforms of which it reads a register."
    settings: tuple[Setting, ...]
    "The flags, then the counts."
    uploads: tuple[Upload, ...]
    "Constants of the program itself, which the application sets once."
    finished: Finished
    "The stages of the back end."
    traced: Code
    "The code before the back end."
    lines: tuple[int, ...]
    "The index of the place of each word in the vector program; -1: none."
    spans: tuple[Span | None, ...]
    "The place of each word in the source; None where it has none."
    strategy: str = OPTIMISED
    "One of `shadercore.strategies.STRATEGIES`."

    @property
    def slots(self) -> int:
        return len(self.program.words)


class Result(NamedTuple):
    """A compiled program, None where a diagnostic is an error; and the findings."""

    compiled: VectorCompiled | None
    diagnostics: tuple[Diagnostic, ...]


def compile_vector(
    program: v.Program, device: Device, bounds: Mapping[str, int] | None = None, *, name: str = "", hashed: int = NO_HASH
) -> Result:
    """Compile a vector program. `bounds`: the most that counts can be, by name; `name` is that of the file in messages,
    `hashed` identifies it in the header. Raises UsageError for a device with tables of results."""
    refuse_tables(device)
    program = program._replace(name=name or program.name)
    numbers = DeviceNumbers(device)
    simple = simplified(program, numbers, extremes=False)
    try:
        compiled = _compiled(simple, device, bounds or {}, hashed)
    except Refused as reason:
        span = _span(program, reason.line) or Span(file=program.name)
        fix = (_would_fit(simple, device, bounds or {}) if reason.code == "L003" else "") or reason.fix
        return Result(None, (Diagnostic(code=reason.code, severity=ERROR, message=reason.message, span=span, fix=fix),))
    return Result(compiled, (*_not_exported(compiled, program), *_without_usage(compiled, program)))


def _would_fit(program: v.Program, device: Device, bounds: Mapping[str, int]) -> str:
    """The largest bound with which a program fits, all others unchanged; empty where none does."""
    for name, most in bounds.items():
        low, high = 0, most
        while low + 1 < high:  # `low` fits, but for 0, and `high` does not
            middle = (low + high) // 2
            try:
                _compiled(program, device, {**bounds, name: middle}, NO_HASH)
                low = middle
            except Refused:
                high = middle
        if low:
            return f"--bound {name}={low} would fit"
    return ""


def _span(program: v.Program, line: int) -> Span | None:
    return program.lines[line] if 0 <= line < len(program.lines) else None


def _compiled(program: v.Program, device: Device, bounds: Mapping[str, int], hashed: int) -> VectorCompiled:
    inputs = _inputs(program)
    outputs = _outputs(program)
    count = device.cycles("c_registers")
    registers = _registers(program, inputs, count)
    lowering = Lowering(program, device, registers, bounds)
    lowering.all(outputs)
    code = without_dead(lowering.builder.code())
    reserved = frozenset(_rows(program, registers)) | {number for number, _ in (*registers.flags, *registers.counts)}
    try:
        finished = finish(code, device, {}, reserved)
    except TooLong as reason:
        raise Refused(
            "L003",
            f"the program takes {reason.slots} slots, but the device has {reason.most}",
            f"save {reason.slots - reason.most} slots: {_smaller(program)}",
            _longest(code),
        ) from reason
    except TooMany as reason:
        raise Refused(
            "L004",
            f"the program needs more registers than the device has: {reason}",
            "compute late values closer to their use, or split the program",
        ) from reason
    except NoRoom as reason:
        raise Refused(
            "L009",
            f"no free constants in c0 to c{count - 1} for the patterns of the program",
            "use smaller arrays of uniforms",
        ) from reason
    read = {(node.op, node.number): 0 for node in code.nodes}
    for node in code.nodes:
        read[node.op, node.number] |= 1 << node.component
    # An input keeps its register, and those that nothing reads after all are left out.
    inputs_read = [
        Port(register, each.name, _usage(each.semantic) or _usage(each.name), read[INPUT, register])
        for register, each in zip(inputs, program.inputs, strict=True)
        if (INPUT, register) in read
    ]
    ports_out = [Port(register, o.name, o.semantic, o.mask) for register, o in zip(outputs, program.outputs, strict=True)]
    ports_out.sort()
    rows = tuple([Constant(u.number, tuple([bits or 0 for bits in u.values])) for u in finished.pool.uploads])
    words = tuple([encode(inst) for inst in finished.insts])
    machine_program = Program(
        words=words,
        inputs=_header(inputs_read),
        outputs=_header(ports_out),
        hash=hashed,
        padding=0,
        constants=rows,
        added=device.added,
    )
    settings = [Setting(flag.name, *place) for flag, place in zip(program.flags, registers.flags, strict=True)]
    settings += [
        Setting(count.name, *place, bounds.get(count.name, count.most))
        for count, place in zip(program.counts, registers.counts, strict=True)
    ]
    found = [
        Range(
            name=uniform.name,
            first=first,
            rows=uniform.rows,
            columns=uniform.columns,
            read=tuple([n for n in range(first, first + uniform.rows) if (CONSTANT, n) in read]),
        )
        for uniform, first in zip(program.uniforms, registers.uniforms, strict=True)
    ]
    first: dict[tuple[str, int], int] = {}
    lines = tuple(
        [first.setdefault((program.lines[n].file, program.lines[n].line), n) if n >= 0 else -1 for n in finished.lines]
    )
    spans = tuple([_span(program, line) for line in lines])
    return VectorCompiled(
        program=machine_program,
        device=device,
        inputs=tuple(sorted(inputs_read)),
        outputs=tuple(ports_out),
        uniforms=tuple([row for row in found if row.read]),
        settings=tuple(settings),
        uploads=finished.pool.uploads,
        finished=finished,
        traced=code,
        lines=lines,
        spans=spans,
    )


def _smaller(program: v.Program) -> str:
    """The fix of a program that is too long: smaller arrays, where it reads some by an index."""
    read = [each.uniform for each in statements(program.body) if isinstance(each, v.Row) and each.offset is not None]
    if not read:
        return "compute less in the shader, or split it"
    largest = max(set(read), key=lambda n: program.uniforms[n].rows * read.count(n))
    name, rows = program.uniforms[largest].name, program.uniforms[largest].rows
    return f"make '{name}' smaller, as reads by an index compare with each of its {rows} registers, or compute less"


def _longest(code: Code) -> int:
    """The line that takes the most instructions."""
    lines: dict[int, int] = {}
    for node in code.nodes:
        if not node.is_leaf and node.line >= 0:
            lines[node.line] = lines.get(node.line, 0) + 1
    return max(lines, key=lambda line: lines[line], default=-1)


# Registers


def _inputs(program: v.Program) -> list[int]:
    """A v# for each input: its location where all have one below 8, else in the order of locations, and then of declarations.
    Raises Refused."""
    inputs = program.inputs
    if len(inputs) > REGISTERS:
        extra = inputs[REGISTERS]
        raise Refused(
            "L002",
            f"the shader reads {len(inputs)} inputs, but the device has {REGISTERS}",
            "pack several values into one input",
            extra.line,
        )
    wanted = [each.register for each in inputs]
    if all(0 <= n < REGISTERS for n in wanted) and len(set(wanted)) == len(wanted):
        return wanted
    order = sorted(range(len(inputs)), key=lambda n: (wanted[n] < 0, wanted[n], n))
    return [order.index(n) for n in range(len(inputs))]


def _outputs(program: v.Program) -> list[int]:
    """An o# for each output. Raises Refused."""
    free = iter(range(len(_FIXED), REGISTERS))
    found: list[int] = []
    for output in program.outputs:
        register = _FIXED.get(output.semantic)
        if register is None:
            register = next(free, None)
        if register is None:
            message = (
                f"the shader writes {len(program.outputs)} outputs, but only five fit besides position, color and texcoord0 "
                "(o0 to o2)"
            )
            raise Refused(
                "L002",
                message,
                f"pack several values into one output, or leave some out: --output {output.name}=none",
                output.line,
            )
        found.append(register)
    return found


def _registers(program: v.Program, inputs: Sequence[int], count: int) -> Registers:
    """Uniforms from c0 on, below c`count`: those that ask for a register have it, the others follow in their order, and then
    flags and counts by component. Raises Refused."""
    asked = [row for row in program.uniforms if row.register >= 0]
    taken = {n for row in asked for n in range(row.register, min(row.register + row.rows, count))}
    uniforms: list[int] = []
    for row in program.uniforms:
        first = row.register
        if first < 0:
            first = next((n for n in range(count - row.rows + 1) if taken.isdisjoint(range(n, n + row.rows))), count)
        if first + row.rows > count:  # before they are listed: a source may ask for thousands of millions
            rows = sum([each.rows for each in program.uniforms])
            largest = max(program.uniforms, key=lambda each: each.rows)
            part = f", of which '{largest.name}' is {largest.rows}" if len(program.uniforms) > 1 else ""
            raise Refused(
                "L002",
                f"the uniforms of the shader take {rows} registers{part}, but the device has c0 to c{count - 1}",
                f"make '{largest.name}' smaller",
                largest.line,
            )
        taken.update(range(first, first + row.rows))
        uniforms.append(first)
    wanted = len(program.flags) + len(program.counts)
    free = [n for n in range(count) if n not in taken][: (wanted + 3) // 4]
    if 4 * len(free) < wanted:
        raise Refused(
            "L009",
            f"no free constants in c0 to c{count - 1} for the flags and counts of the program",
            "use smaller arrays of uniforms",
        )
    places = [(free[n // 4], n % 4) for n in range(wanted)]
    return Registers(inputs, uniforms, places[: len(program.flags)], places[len(program.flags) :])


def _rows(program: v.Program, registers: Registers) -> Iterator[int]:
    for row, first in zip(program.uniforms, registers.uniforms, strict=True):
        yield from range(first, first + row.rows)


def _usage(name: str) -> str:
    return name if usage_byte(name) is not None else ""


def _header(ports: Sequence[Port]) -> tuple[int, ...]:
    found = [0] * REGISTERS
    for port in ports:
        found[port.register] = usage_byte(port.usage) or 0
    return tuple(found)


def _without_usage(compiled: VectorCompiled, program: v.Program) -> Iterator[Diagnostic]:
    """L011: inputs beside the first whose usage in the header is position because there is none."""
    unset = [port.name for port in compiled.inputs if not usage_byte(port.usage)]
    names = [port.name for port in compiled.inputs if not port.usage]
    if len(unset) > 1 and names:
        lines = {row.name: row.line for row in program.inputs}
        yield Diagnostic(
            code="L011",
            severity=NOTE,
            message=f"input{'s' * (len(names) > 1)} {listed(names)} {'have' if len(names) > 1 else 'has'} no usage: the header "
            "says position",
            span=_span(program, lines[names[0]]) or Span(file=program.name),
            fix=f"say what it is: --semantic {names[0]}=texcoord0",
        )


def _not_exported(compiled: VectorCompiled, program: v.Program) -> Iterator[Diagnostic]:
    """L007: outputs that never leave the core."""
    leaving = set(exports(compiled.device))
    lines = {output.name: output.line for output in program.outputs}
    for port in compiled.outputs:
        lost = "".join(["xyzw"[c] for c in range(4) if port.mask >> c & 1 and ("o", port.register, c) not in leaving])
        if lost:
            yield Diagnostic(
                code="L007",
                severity=WARNING,
                message=f"{port.name} is in o{port.register}.{lost}, which {compiled.device.name} does not export",
                span=_span(program, lines[port.name]) or Span(file=program.name),
                fix=f"remove it, or pass it in an exported output: --output {port.name}=color, or two components of texcoord0",
            )
