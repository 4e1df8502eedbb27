"""Compile Direct3D 9 shaders for ShaderCore.

The semantics run on symbols; passes, scheduling, register allocation, encoding and the interface follow.

Control flow is resolved: calls are inlined, loops unrolled, and unknown branches become bitwise selections. A shader that
cannot be resolved is refused with the missing fact. Two other translations serve as baselines: `TABLE`, a row of the
specification's table for each instruction, and `PUBLIC`, which has the habits of the public compiler besides (reference 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.shadercore import strategies
from lanewise.compile.shadercore.allocate import TooMany
from lanewise.compile.shadercore.backend import Finished, TooLong, finish
from lanewise.compile.shadercore.code import CONSTANT, INPUT, Output, without_dead
from lanewise.compile.shadercore.constants import CONSTANTS, NoRoom
from lanewise.compile.shadercore.fit_search import element, largest
from lanewise.compile.shadercore.interface import (
    ELEMENTS,
    POSITION,
    Place,
    header_byte,
    input_places,
    is_output,
    output_places,
)
from lanewise.compile.shadercore.lacking import ABSENT, lacking
from lanewise.compile.shadercore.tracer import FIRST_NUMBER, Array, Given, Refused, Tracer, reads_counter
from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.choices import choices_of
from lanewise.direct3d9.isa.constants import COLUMNS, FLOAT_SET, ROWS
from lanewise.direct3d9.isa.interface import SCALARS
from lanewise.direct3d9.isa.table import CONSTANT_FILES
from lanewise.direct3d9.sem.algebra import ONE, Component
from lanewise.direct3d9.sem.flow import Walker
from lanewise.direct3d9.sem.tree import resolve
from lanewise.shadercore.isa.codec import Inst, encode
from lanewise.shadercore.isa.devices import DOCUMENT, refuse_tables
from lanewise.shadercore.isa.program import Constant, Program
from lanewise.shadercore.isa.table import NOP
from lanewise.shadercore.sem.steps import exports

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from lanewise.compile.shadercore.code import Code, Node
    from lanewise.compile.shadercore.constants import Upload
    from lanewise.compile.shadercore.tracer import Bound, Three
    from lanewise.direct3d9.isa.choices import Choices
    from lanewise.direct3d9.isa.constants import Constant as Named
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.shadercore.isa.devices import Device
    from lanewise.ssa.nodes import Ref

OPTIMISED, TABLE, PUBLIC, STRATEGIES = strategies.OPTIMISED, strategies.TABLE, strategies.PUBLIC, strategies.STRATEGIES


class Options(Record):
    """Facts about a shader that its words do not contain."""

    integers: Mapping[int, Three] = {}
    "Values of i# that no defi gives; start and step may be None unless the shader reads aL."
    bounds: Mapping[int, Bound] = {}
    "The most that the count of an i# can be, where its value is not known."
    booleans: Mapping[int, bool] = {}
    "Values of b# that no defb gives."
    arrays: tuple[Array, ...] = ()
    "Constants that relative addresses may reach."
    elements: Mapping[int, str] = {}
    "The kind of the vertex element of v# (`ELEMENTS`); components that it does not have are (0, 0, 0, 1)."


class Compiled(Record):
    """A compiled program with its interface and compilation stages."""

    program: Program
    "The program with the header of its file."
    device: Device
    "The device that it was compiled for."
    strategy: str
    "The way in which it was compiled, one of `STRATEGIES`."
    inputs: tuple[Place, ...]
    "The inputs that it reads."
    outputs: tuple[Place, ...]
    "The outputs that it writes."
    uploads: tuple[Upload, ...]
    "Constants of the program itself, which the application sets once."
    uniforms: tuple[int, ...]
    "The c# of the source that the application sets, each at its own number."
    counts: Mapping[str, tuple[int, int]]
    "Components (c#, component) that the application sets to a count (i#) or to 1.0 or 0.0 (b#), by name."
    most: Mapping[str, Bound]
    "The bounds of such counts, by name."
    finished: Finished
    "The stages of the back end."
    traced: Code
    "The code before the back end."
    lines: tuple[int, ...]
    "The index of the source instruction of each word; -1: none."
    options: Options
    "The facts that it was compiled with."
    reads_counter: bool
    "An operand of the shader is relative to aL, so that start and step of loops count."

    @property
    def slots(self) -> int:
        return len(self.program.words)


class Result(NamedTuple):
    """A compiled program, None if it was refused, and the findings."""

    compiled: Compiled | None
    diagnostics: tuple[Diagnostic, ...]


def compile_shader(
    shader: Shader,
    device: Device,
    options: Options | None = None,
    *,
    name: str = "shader",
    strategy: str = OPTIMISED,
    choices: Choices | None = None,
) -> Result:
    """Compile a shader for a device. `name` is for messages; `choices` as in a run under the device's rule
    (`direct3d9.isa.choices`). Raises UsageError for a device with tables of results."""
    refuse_tables(device)
    flow, found = resolve(shader, name)
    if flow is None:
        return Result(None, tuple(found))
    options = options or Options()

    def span(line: int) -> Span:
        return (flow.insts[line].place if 0 <= line < len(flow.insts) else None) or Span(file=name)

    choices = choices or choices_of(device.name)
    try:
        compiled = _compiled(shader, flow, device, options, strategy, choices)
    except Refused as reason:

        def code_of(others: Options) -> Code | None:
            return _unoptimised(flow, device, others, choices)

        would_fit = largest(flow, device, options, code_of) if reason.code == "L003" and strategy == OPTIMISED else ""
        fix = would_fit or _smaller(flow, options, reason)
        first = Diagnostic(code=reason.code, severity=ERROR, message=reason.message, span=span(reason.line), fix=fix)
        found = [*lacking(flow, span)] if reason.code == ABSENT else []
        return Result(None, (*([] if first.message in [each.message for each in found] else [first]), *found))
    return Result(
        compiled,
        (*_no_position(compiled, flow, span(-1)), *_warnings(compiled, span), *_cut_elements(flow, options, Span(file=name))),
    )


def _cut_elements(flow: Flow, options: Options, place: Span) -> list[Diagnostic]:
    """L013: arrays whose last element lacks registers."""
    found: list[Diagnostic] = []
    for array in options.arrays:
        rows = element(flow, array.first, array.size)
        if rows > 1 and array.size % rows:
            text = f"--array c{array.first}={array.size}"
            message = (
                f"{text}: {array.size} registers are not whole elements: an address reads {rows} of them, from "
                f"c{array.first} to c{array.first + rows - 1}"
            )
            whole = f"--array c{array.first}={array.size * rows}/{rows}"
            fix = f"write {whole} for {array.size} elements, or another multiple of {rows}"
            found.append(Diagnostic(code="L013", severity=WARNING, message=message, span=place, fix=fix))
    return found


def _smaller(flow: Flow, options: Options, reason: Refused) -> str:
    """The fix of a program that fits with no single array or bound."""
    searched = [array for array in options.arrays if addresses(flow, array)]
    if reason.code != "L003" or not searched:
        return reason.fix
    names = " or ".join([f"c{array.first}" for array in searched])
    return (
        f"no size of the array at {names} is small enough: an element that an address chooses costs instructions; give what it "
        "holds as inputs of each vertex, or choose it before the draw (docs/tutorials/skinning.md)"
    )


def addresses(flow: Flow, array: Array) -> bool:
    """Whether a relative address names an array."""
    return any(
        source.is_relative and source.file in CONSTANT_FILES and array.first <= source.constant < array.first + array.size
        for inst in flow.insts
        for source in inst.sources
    )


def named_arrays(constants: Sequence[Named], given: Sequence[Array]) -> tuple[Array, ...]:
    """Arrays of the options and of the constant table."""
    taken = {array.first for array in given}
    named = [
        Array(row.register, min(row.registers, CONSTANTS - row.register), _registers_of(row))
        for row in constants
        if row.set == FLOAT_SET and row.registers > 1 and row.register < CONSTANTS and row.register not in taken
    ]
    return (*given, *named)


def _registers_of(row: Named) -> int:
    """The registers of an element of an array; 1 where it is not one of matrices."""
    found = {ROWS: row.type.rows, COLUMNS: row.type.columns}.get(row.type.kind, 1) if row.type.elements > 1 else 1
    return found if found and row.registers % found == 0 else 1


def trace(flow: Flow, device: Device, options: Options, choices: Choices, strategy: str = OPTIMISED) -> Tracer:
    """The shader as code: the state after the walk. Raises Refused."""
    given = Given(options.integers, options.bounds, options.booleans, options.arrays)
    tracer = Tracer(
        flow, device, given, choices, _leaf(flow, options), optimise=strategy == OPTIMISED, copies=strategy == PUBLIC
    )
    Walker(flow, tracer, tracer, choices).run(True)
    return tracer


def _unoptimised(flow: Flow, device: Device, options: Options, choices: Choices) -> Code | None:
    """The program before it is optimised; None where even that is refused."""
    try:
        tracer = trace(flow, device, options, choices)
        outputs_of(tracer)
    except Refused:
        return None
    return tracer.builder.code()


def outputs_of(tracer: Tracer, *, through: bool = False) -> list[Place]:
    """The outputs of a shader that was walked, which the tracer's code is given. `through`: moved into place through an x#.
    Raises Refused."""
    flow, builder = tracer.flow, tracer.builder
    cells = [cell for cell in tracer.written if is_output(flow.version, cell.file, cell.number)]
    if any(inst.dest is not None and inst.dest.is_relative for inst in flow.insts):
        # an address reaches all o#; those that nothing declares are not there
        cells = [
            cell
            for cell in cells
            if any((d.file, d.number) == cell[:2] and d.mask >> cell.component & 1 for d in flow.declared)
        ]
    # oFog, oPts and oDepth are one number, whatever their mask
    cells = [cell for cell in cells if not cell.component or cell[:2] not in SCALARS or cell._replace(component=0) not in cells]
    try:
        outputs = output_places(flow, cells)
    except ValueError as reason:
        raise Refused("L002", str(reason), "write fewer outputs, with the numbers of the version") from reason
    builder.line = -1
    for place in outputs:
        for component in range(4):
            cell = Component(place.file, place.number, component)
            if place.mask >> component & 1:
                value = tracer.cells[cell]
                if through and place.register != place.number:
                    value = builder.op("mov", builder.op("mov", value))
                builder.outputs.append(Output(place.register, component, value, tracer.written[cell]))
    return outputs


def _leaf(flow: Flow, options: Options) -> Callable[[Tracer, int, int, int], Ref | None]:
    """The initial value of a register. Inputs are renumbered here: 16 * (0 for v#, 1 for t#) + number."""
    pixel = flow.version.kind == isa.PIXEL

    def leaf(tracer: Tracer, file: int, number: int, component: int) -> Ref | None:
        if file == isa.INPUT or (pixel and file == isa.TEXTURE):
            if number >= _TEXTURE:  # no version has so many, and a damaged file may name it
                name = isa.register_name(flow.version, file, number) or f"v{number}"
                raise tracer.refused(
                    "L002",
                    f"unknown register {name} in {flow.version.name}",
                    "run `lanewise check`: it lists the registers of the version",
                )
            element = options.elements.get(number) if file == isa.INPUT else None
            if element is not None and component >= ELEMENTS[element]:
                return tracer.builder.constant(ONE if component == 3 else 0, "default")
            return tracer.builder.input(number + (0 if file == isa.INPUT else _TEXTURE), component)
        if pixel and file == isa.MISC:
            raise tracer.refused(
                "L001", "vPos and vFace need a rasterizer, which the device does not have", "pass the value in as an input"
            )
        return None

    return leaf


_TEXTURE = 16


def _compiled(shader: Shader, flow: Flow, device: Device, options: Options, strategy: str, choices: Choices) -> Compiled:
    optimise = strategy == OPTIMISED
    tracer = trace(flow, device, options, choices, strategy)
    builder = tracer.builder
    outputs = outputs_of(tracer, through=strategy == PUBLIC)
    code = without_dead(builder.code()) if optimise else builder.code()
    read: dict[tuple[int, int], int] = {}
    for node in code.nodes:
        if node.op == INPUT:
            key = (isa.INPUT if node.number < _TEXTURE else isa.TEXTURE, node.number % _TEXTURE)
            read[key] = read.get(key, 0) | 1 << node.component
    try:
        inputs = input_places(flow, read, options.elements)
    except ValueError as reason:
        raise Refused("L002", str(reason), "pack several values into one input") from reason
    registers = {place.number + (0 if place.file == isa.INPUT else _TEXTURE): place.register for place in inputs}
    constants = {number: (row[0], row[1], row[2], row[3]) for number, row in flow.constants.items() if number < CONSTANTS}
    reserved = _reserved(flow, code, options)
    count = device.cycles("c_registers")
    numbers = _number_places(tracer, {*constants, *reserved}, count)
    code = code._replace(nodes=tuple([_in_place(node, registers, numbers) for node in code.nodes]))
    counts = {f"i{key}" if key >= 0 else f"b{-1 - key}": numbers[order] for key, order in tracer.counts.items()}
    try:
        finished = finish(code, device, constants, reserved | {number for number, _ in numbers}, optimise=optimise)
    except TooLong as reason:
        raise Refused(
            "L003",
            f"the program takes {reason.slots} slots, but the device has {reason.most}",
            f"save {reason.slots - reason.most} slots: compute less in the shader, or split it",
        ) from reason
    except TooMany as reason:
        raise Refused(
            "L004",
            f"the program needs more registers than the device has: {reason}",
            "compute late values closer to their use, or split the program",
        ) from reason
    except NoRoom as reason:
        raise _no_room(count) from reason
    insts = [*finished.insts[:-1], *([Inst(op=NOP)] * 2 if strategy == PUBLIC else []), finished.insts[-1]]
    lines = (*finished.lines[:-1], *([-1] * 2 if strategy == PUBLIC else []), -1)
    bytes_in, bytes_out = _header(inputs), _header(outputs)
    rows = tuple(Constant(u.number, tuple(bits or 0 for bits in u.values)) for u in finished.pool.uploads)
    program = Program(
        words=tuple(encode(inst) for inst in insts),
        inputs=bytes_in,
        outputs=bytes_out,
        hash=token_hash(shader.words),
        padding=0,
        constants=rows,
        added=device.added,
    )
    taken = {place[0] for place in counts.values()}
    uniforms = sorted({node.number for node in finished.code.nodes if node.op == "constant"} - taken)
    return Compiled(
        program=program,
        device=device,
        strategy=strategy,
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        uploads=finished.pool.uploads,
        uniforms=tuple(uniforms),
        counts=counts,
        most={name: options.bounds[int(name[1:])] for name in counts if name[0] == "i"},
        finished=finished,
        traced=code,
        lines=lines,
        options=options,
        reads_counter=reads_counter(flow),
    )


def _in_place(node: Node, inputs: Mapping[int, int], numbers: Sequence[tuple[int, int]]) -> Node:
    """A node of the tracer with its register: v# are packed, and a count gets a free c#."""
    if node.op == INPUT:
        return node._replace(number=inputs[node.number])
    if node.op == CONSTANT and node.number >= FIRST_NUMBER:
        number, component = numbers[(node.number - FIRST_NUMBER) * 4 + node.component]
        return node._replace(number=number, component=component)
    return node


def _number_places(tracer: Tracer, taken: Container[int], count: int) -> list[tuple[int, int]]:
    """A component of a c# for each of the tracer's counts, from the last of `count` down. Raises Refused."""
    free = [n for n in range(count - 1, -1, -1) if n not in taken]
    if len(tracer.counts) > 4 * len(free):
        raise _no_room(count)
    return [(free[order // 4], order % 4) for order in range(len(tracer.counts))]


def _no_room(count: int) -> Refused:
    return Refused(
        "L009",
        f"no free constants in c0 to c{count - 1} for the patterns and counts of the program",
        "use fewer constants, or smaller arrays",
    )


def _reserved(flow: Flow, code: Code, options: Options) -> frozenset[int]:
    """The c# that the application sets, or may set."""
    found = {node.number for node in code.nodes if node.op == CONSTANT and node.number < FIRST_NUMBER}
    for inst in flow.insts:
        for source in inst.sources:
            if source.file in CONSTANT_FILES and not source.is_relative:
                found.update(range(source.constant, source.constant + max(1, inst.op.rows)))
    for array in options.arrays:
        found.update(range(array.first, array.first + array.size))
    return frozenset(found - set(flow.constants))


def _header(places: Sequence[Place]) -> tuple[int, ...]:
    found = [0] * 8
    for place in places:
        found[place.register] = header_byte(place.usage)
    return tuple(found)


def token_hash(words: Sequence[int]) -> int:
    """The hash of the header of a ShaderCore file: over all tokens, h = rotate left(h, 1) xor token (reference 1)."""
    found = 0
    for word in words:
        found = (found << 1 | found >> 31) & 0xFFFFFFFF ^ word
    return found


def _no_position(compiled: Compiled, flow: Flow, span: Span) -> list[Diagnostic]:
    """The missing components of a vertex shader's position."""
    if flow.version.kind == isa.PIXEL:
        return []
    written = sum([place.mask for place in compiled.outputs if place.usage == (POSITION, 0)])
    lost = "".join("xyzw"[c] for c in range(4) if not written >> c & 1)
    if not lost:
        return []
    text = "the position is never written" if not written else f"{lost} of the position is never written"
    return [
        Diagnostic(
            code="L008",
            severity=WARNING,
            message=text,
            span=span,
            fix="write all of oPos, or of the output declared as position",
        )
    ]


def _warnings(compiled: Compiled, span: Callable[[int], Span]) -> list[Diagnostic]:
    """Outputs that never leave the core, and colours that the device does not convert as Direct3D 9 does."""
    found: list[Diagnostic] = []
    leaving = set(exports(compiled.device))
    for place in compiled.outputs:
        lost = [c for c in range(4) if place.mask >> c & 1 and ("o", place.register, c) not in leaving]
        if lost:
            components = "".join("xyzw"[c] for c in lost)
            found.append(
                Diagnostic(
                    code="L007",
                    severity=WARNING,
                    message=f"{place.meaning} is in o{place.register}.{components}, which {compiled.device.name} does not "
                    "export",
                    span=span(-1),
                    fix="remove it, or pass it in an exported output: position, color, two components of texcoord",
                )
            )
    if compiled.device.value("d3dcolor") != DOCUMENT.value("d3dcolor"):
        found += [
            Diagnostic(
                code="L012",
                severity=NOTE,
                message=f"{place.name} is a D3DCOLOR: {compiled.device.name} converts n to n / 256, and 255 to 1.0, not to n / "
                "255",
                span=span(-1),
                fix="where that matters, multiply it by 1.0039216 (256 / 255) and limit it to 1",
            )
            for place in compiled.inputs
            if place.element == "d3dcolor"
        ]
    return found
