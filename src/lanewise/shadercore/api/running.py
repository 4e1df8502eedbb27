"""Run a ShaderCore program on named data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.lists import broadcast, completed, float32_numbers, stacked, table
from lanewise.arrays.outputs import Arrays, Column
from lanewise.arrays.results import LETTERS, Port
from lanewise.arrays.words import FILL, MASKED, is_masked
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.extras import require_numpy
from lanewise.core.later import Later
from lanewise.core.missing import zeros_requested
from lanewise.core.ranges import THREADS, count_or_none, whole
from lanewise.core.source import Span
from lanewise.shadercore.api.binding import Binder
from lanewise.shadercore.api.matrices import matrix_warnings
from lanewise.shadercore.api.missing import missing, read_components
from lanewise.shadercore.api.results import WaveResult
from lanewise.shadercore.api.stream_warnings import narrower
from lanewise.shadercore.api.streams import Fetched, fetch
from lanewise.shadercore.engine.recording import PLACES, Data, record
from lanewise.shadercore.engine.reference import Hang
from lanewise.shadercore.engine.run import engine_for, run_waves
from lanewise.shadercore.isa.program import used_outputs
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.sem.fetch import elements_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from lanewise.arrays.words import Words
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.api.streams import Stream
    from lanewise.shadercore.engine.recording import WaveRecord
    from lanewise.shadercore.engine.reference import Register
    from lanewise.shadercore.isa.devices import Device


_COMPILED = (".scb", ".scbin")
_DEFAULTS = 0, 0, 0, 0x3F800000  # of a compiled shader


def run(
    program: ShaderCoreProgram,
    inputs: Mapping[str, ArrayLike | Words],
    constants: Mapping[str, ArrayLike | Words],
    *,
    device: Device,
    engine: str,
    threads: int,
    count: int | None,
    streams: Sequence[Stream],
    indices: ArrayLike | None,
    initial: Mapping[str, ArrayLike | Words],
    defaults: int | None,
    progress: Callable[[int, int], None] | None,
) -> WaveResult:
    """See `ShaderCoreProgram.run`."""
    threads = whole("threads", threads, THREADS)
    bound = bind(
        program,
        inputs,
        constants,
        device=device,
        count=count,
        streams=streams,
        indices=indices,
        initial=initial,
        defaults=defaults,
    )
    data = bound.data
    try:
        found = run_waves(
            program.insts,
            device,
            data.constants,
            data.inputs,
            data.vertices,
            initial=data.initial,
            engine=engine,
            threads=threads,
            elements=data.elements,
            progress=progress,
        )
    except Hang as hang:
        raise InputError([never_ends(program, device, hang)]) from None
    outputs, bits = _outputs(program, found)
    written = used_outputs(program.insts)
    ports = [Port(name, f"o{column.register}", LETTERS[: len(column.components)]) for name, column in outputs.columns()]
    shown = sorted([port for port in ports if int(port.register[1:]) in written], key=lambda port: int(port.register[1:]))
    return WaveResult(
        data.vertices,
        outputs,
        bits,
        device,
        bound.warnings,
        bound.zeroed,
        ports=shown,
        registers=Later(last_registers, program, device, data),
        engine=engine_for(program.insts, device, engine, data.vertices),
    )


class Bound(NamedTuple):
    """Data of a run by registers, warnings about it, and the inputs that `defaults` made 0."""

    data: Data
    warnings: tuple[Diagnostic, ...]
    zeroed: tuple[str, ...]


def bind(
    program: ShaderCoreProgram,
    inputs: Mapping[str, ArrayLike | Words],
    constants: Mapping[str, ArrayLike | Words],
    *,
    device: Device,
    count: int | None,
    streams: Sequence[Stream],
    indices: ArrayLike | None,
    initial: Mapping[str, ArrayLike | Words],
    defaults: int | None,
) -> Bound:
    """Bind named data to the registers of a program. Raises InputError."""
    zeros = zeros_requested(defaults)
    count = count_or_none(count)
    beside = program.beside
    binder = Binder.of(program.program, program.insts, beside)
    if beside is None and program.name.lower().endswith(_COMPILED):
        interface = f"{program.name.rpartition('.')[0]}.json"
        binder.without = f"{interface} is missing, in which `lanewise compile` writes the names: copy it there; or "
    rows = binder.bind_inputs(inputs)
    numbers = {name: value for name, value in constants.items() if beside and (name in beside.numbers or name in beside.known)}
    patterns = binder.bind_constants({name: value for name, value in constants.items() if name not in numbers})
    if beside:
        rows = {register: completed(values, _DEFAULTS) for register, values in rows.items()}
        for name, value in numbers.items():
            flag = name in beside.flags if name in beside.numbers else None
            pattern = binder.bind_number(name, value, beside.known.get(name, beside.limits.get(name)), flag=flag)
            if name in beside.numbers:
                patterns[beside.numbers[name]] = pattern
    held = binder.bind_initial(initial)
    described = _described(binder, streams, rows)
    if binder.findings:
        raise InputError(binder.findings)
    asked = count if indices is not None else _asked(described, rows, count)
    fetched = fetch(described, device, indices, asked) if described else Fetched({}, 0, ())
    if indices is not None:
        rows = _chosen(rows, indices, streamed=bool(described))
    vertices = binder.count(rows, fetched.vertices if described else None, count)
    if binder.findings:
        raise InputError(binder.findings)
    given = dict(fetched.values)
    for register, values in rows.items():
        filled = broadcast(values, (vertices, values.shape[1])) if len(values) == 1 else values[:vertices]
        given |= {(register, n): filled[:, n].copy() for n in range(values.shape[1])}
    there = {(place[1], place[2]) for place in held if place[0] == "v"} | given.keys()
    names = {place: name for name, place in beside.numbers.items()} if beside else {}
    zeroed = tuple(f"v{number}" for number in sorted(binder.read - {number for number, _ in there})) if zeros else ()
    narrow = narrower(described, read_components(program, "v")) if described else {}
    lacking = [] if zeros else missing(program, there | narrow.keys(), patterns, names)
    if any(finding.severity == ERROR for finding in lacking):
        raise InputError(lacking)
    plain = {place: values for place, values in given.items() if place not in fetched.values}
    elements = (*fetched.elements, *elements_of(plain))
    return Bound(
        Data(constants=patterns, inputs=given, vertices=vertices, initial=held, elements=elements),
        (
            *program.diagnostics,
            *fetched.warnings,
            *dict.fromkeys(narrow.values()),
            *lacking,
            *matrix_warnings(program, constants),
        ),
        zeroed,
    )


def last_registers(program: ShaderCoreProgram, device: Device, data: Data) -> dict[str, NDArray[np.uint32]]:
    """Patterns of (16 lanes, 4 components) by register after the last wave, of all registers of the core.

    The reference engine computes them, whichever engine ran: it runs the last wave, and those before that it depends on.
    """
    (*_, last) = record(time_program(program.insts, device), data, data.waves - 1)
    return registers_of(last)


def registers_of(wave: WaveRecord) -> dict[str, NDArray[np.uint32]]:
    """The registers after a wave, of (16, 4) each."""
    none = (0,) * LANES
    names = dict.fromkeys([(file, number) for file, number, _ in PLACES])
    return {
        f"{file}{number}": table(list(zip(*[wave.leaving.get((file, number, n), none) for n in range(4)], strict=True)), "u", 4)
        for file, number in names
    }


def _asked(streams: Mapping[int, Stream], rows: Mapping[int, NDArray[np.uint32]], count: int | None) -> int | None:
    """How many vertices streams are asked for: where each vertex reads the same of all of them, as many as other inputs
    have."""
    if count is None and all(stream.stride == 0 for stream in streams.values()):
        return max((len(values) for values in rows.values()), default=1)
    return count


def _described(binder: Binder, streams: Sequence[Stream], rows: Mapping[int, NDArray[np.uint32]]) -> dict[int, Stream]:
    """Streams by the register that they feed."""
    found: dict[int, Stream] = {}
    for stream in streams:
        register = binder.register(stream.input)
        if register is None:
            continue
        if register in found or register in rows:
            fix = "one descriptor, or one value, for each input"
            binder.findings.append(
                Diagnostic(
                    code="B006",
                    severity=ERROR,
                    message=f"v{register} already has data: '{stream.input}' gives it again",
                    span=Span(file=""),
                    fix=fix,
                )
            )
        else:
            found[register] = stream
    return found


def _chosen(rows: Mapping[int, NDArray[np.uint32]], indices: ArrayLike, *, streamed: bool) -> dict[int, NDArray[np.uint32]]:
    """The rows of the vertices that indices name; one row is for all that other inputs or streams (`streamed`) have. Raises
    InputError (B011)."""
    if is_masked(indices):
        raise InputError(
            [Diagnostic(code="B011", severity=ERROR, message=f"the list of indices {MASKED}", span=Span(file=""), fix=FILL)]
        )
    require_numpy("a list of indices")
    import numpy as np

    numbers = np.asarray(indices)
    if (
        numbers.ndim != 1
        or not len(numbers)
        or numbers.dtype.kind not in "iu"
        or int(numbers.min()) < 0
        or int(numbers.max()) > 0xFFFF
    ):
        raise InputError(
            [
                Diagnostic(
                    code="B011",
                    severity=ERROR,
                    message="the indices are not a list of 16-bit integers",
                    span=Span(file=""),
                    fix="use numbers from 0 to 65535: `indices.astype(numpy.uint16)`",
                )
            ]
        )
    most = int(numbers.max())
    if most and rows and not streamed and all(len(values) == 1 for values in rows.values()):
        message = f"index {most} is out of range: the inputs have one row, so vertex 0 is the only one"
        raise InputError(
            [
                Diagnostic(
                    code="B011",
                    severity=ERROR,
                    message=message,
                    span=Span(file=""),
                    fix="give a row for each vertex, or use index 0",
                )
            ]
        )
    found: dict[int, NDArray[np.uint32]] = {}
    for register, values in rows.items():
        if len(values) > 1 and most >= len(values):
            message = f"vertex {most} of v{register} is out of range: there are {len(values)} rows"
            raise InputError(
                [
                    Diagnostic(
                        code="B011",
                        severity=ERROR,
                        message=message,
                        span=Span(file=""),
                        fix="give more rows, or use existing vertices",
                    )
                ]
            )
        found[register] = values[numbers] if len(values) > 1 else np.repeat(values, len(numbers), 0)
    return found


def _outputs(program: ShaderCoreProgram, found: Mapping[Register, NDArray[np.uint32]]) -> tuple[Arrays, Arrays]:
    """The outputs that the program writes or names, as float32 and as patterns."""
    whole: dict[int, NDArray[np.uint32]] = {}
    columns: dict[str, Column] = {}
    for name, register in program.outputs.items():
        number = int(register[1:])
        places = [place for place in sorted(found) if place[1] == number]
        if places:
            whole[number] = stacked([found[place] for place in places])
            columns[name] = columns[register] = Column(number, tuple(range(len(places))))
    for name, number in program.beside.sources.items() if program.beside else ():
        if number in whole:  # what the source calls an output is another name of it
            columns.setdefault(name, columns[f"o{number}"])
    listed = [name for name in program.outputs if name in columns]
    numbers = {number: float32_numbers(bits) for number, bits in whole.items()}
    return Arrays(columns, listed, numbers.__getitem__), Arrays(columns, listed, whole.__getitem__)


def never_ends(program: ShaderCoreProgram, device: Device, hang: Hang) -> Diagnostic:
    places = program.placed().places
    slot = hang.number if hang.number is not None else len(places) - 1
    span = places[slot] if 0 <= slot < len(places) else Span(file=program.name)
    if hang.number is None:
        fix = "write `end` after the last instruction"
    else:
        from lanewise.shadercore.check.register_rules import without_x7x

        fix = without_x7x(program.insts, slot, [place.line for place in places])
    return Diagnostic(
        code="R201",
        severity=ERROR,
        message=f"the program does not terminate on {device.describe()}: {hang}",
        span=span,
        notes=(),
        fix=fix,
    )
