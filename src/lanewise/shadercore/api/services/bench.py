"""`lanewise rtl` for ShaderCore programs: a test bench with a program, its data, and what a device expects."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError, to_json
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import Answer, InputFailure, UsageError
from lanewise.core.text.counting import counted
from lanewise.shadercore.api import testbench
from lanewise.shadercore.api.running import bind, never_ends
from lanewise.shadercore.api.services.devices import compiled_for
from lanewise.shadercore.api.services.plan import plan_of
from lanewise.shadercore.api.streams import MOST_INDEX, MOST_STREAMS, descriptor_of
from lanewise.shadercore.api.surprises import may_surprise, surprises
from lanewise.shadercore.api.testbench import Case, Draw, Expected, Stream
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.isa.vertex_cache import Descriptor, fetch_waves
from lanewise.shadercore.sem.fetch import Element, idle_lanes
from lanewise.shadercore.sem.steps import EXPORTS, hang

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Request
    from lanewise.shadercore.api import streams
    from lanewise.shadercore.api.program import ShaderCoreProgram
    from lanewise.shadercore.engine.recording import Data
    from lanewise.shadercore.isa.timing import Timing

MOST_DWORDS = 1 << 16  # of vertices in a bench
_LEFT_ALONE = ("v", 7, 0)  # what a program without inputs fetches: what it holds anyway


_SPECIFICATION = (
    "this bench is for the VHDL of the public core, which --device document does not describe (cycles and results differ): "
    "leave --device out, or describe a core that follows the specification with --entity"
)


class Fetched(Record):
    """The draw of a bench, its descriptors for the time of the fetch, and the indices of all vertices."""

    draw: Draw
    descriptors: list[Descriptor]
    indices: list[int]


def _description(request: Request, path: str) -> bytes:
    """The file of `--entity`. Raises InputFailure."""
    try:
        return request.files.read(path)
    except InputFailure as error:
        if request.files.exists(path):
            raise
        raise InputFailure(
            f"{error}; --entity takes a file with the ports of a core, whose key `entity` is the name: "
            "`lanewise rtl --template > core.toml` writes one, for --entity core.toml"
        ) from None


def bench(request: Request, program: ShaderCoreProgram | None) -> Answer:
    """The files of a test bench, named without their folder; without a program, the template of `--template` or nothing. Raises
    UsageError, InputFailure, InputError."""
    from lanewise.shadercore.api.services import entity_bench, entity_files

    if request.flag("template"):
        return Answer(text=entity_files.TEMPLATE)
    language = entity_bench.language_of(request.text("language", "vhdl"))
    path = request.text("entity")
    if not path and language.name != "vhdl":
        raise UsageError(
            f"--language {language.name}: without --entity the bench is for the VHDL of the public core; name your core with "
            "--entity FILE: `lanewise rtl --template > core.toml` writes one to fill in"
        )
    if program is None:
        return Answer()
    entity = entity_files.read_entity(_description(request, path), path) if path else None
    plan = plan_of(request)
    device = plan.device
    timing = time_program(program.insts, device)
    reason = hang(timing)
    if reason is not None:
        raise InputError([never_ends(program, device, reason)])
    bound = bind(program, plan.inputs, plan.uniforms, **plan.settings())
    data, compiled = bound.data, compiled_for(request, program.beside, device)
    if may_surprise(program.insts):
        found = surprises(program.placed(), device, program.name, data.vertices)
        bound = bound._replace(warnings=(*bound.warnings, *found))
    if entity is not None:
        files, text, shown = entity_bench.entity_files(entity, language, request.name, program.program, timing, data)
        found = [to_json(finding) for finding in bound.warnings]
        remarks = (*compiled, *entity_files.doubts(entity))
        return _answer(request, program, bound.warnings, files, text, {**shown, "diagnostics": found}, remarks)
    if not data.elements:
        data = _without_inputs(data)
    fetched = _fetched(data, plan.streams, plan.indices)
    case = Case(
        words=program.program.words,
        constants=data.constants,
        registers=data.initial,
        draw=fetched.draw,
        expected=_expected(timing, data, fetched),
    )
    files = testbench.files(case, request.name, device.describe())
    shown = _data(case, timing, files, bound.warnings)
    remarks = (*compiled, *((_SPECIFICATION,) if device.name == "document" else ()))
    return _answer(request, program, bound.warnings, files, _text(case, timing, files), shown, remarks)


def _answer(
    request: Request,
    program: ShaderCoreProgram,
    warnings: tuple[Diagnostic, ...],
    files: Mapping[str, str],
    text: str,
    data: Mapping[str, object],
    remarks: tuple[str, ...] = (),
) -> Answer:
    return Answer(
        data=data if request.as_json else {},
        text="" if request.as_json else text,
        first=program.diagnostics,
        last=warnings[len(program.diagnostics) :],
        files=tuple((name, written.encode()) for name, written in files.items()),
        remarks=remarks,
    )


def _without_inputs(data: Data) -> Data:
    """The data of a program that reads no input: a core fetches at least one, so it gets what it has."""
    held = data.initial.get(_LEFT_ALONE, (0,) * LANES)
    column = [held[vertex % LANES] for vertex in range(data.vertices)]
    return data._replace(elements=(Element(_LEFT_ALONE[1], [column], color=False),))


def _fetched(data: Data, given: Sequence[streams.Stream], indices: NDArray[Any] | None) -> Fetched:
    """The draw: streams as they are given, and a stream of its own for each other input. Raises UsageError."""
    if len(data.elements) > MOST_STREAMS:
        raise UsageError(
            f"found {len(data.elements)} inputs, expected at most {MOST_STREAMS}: a core has so many stream descriptors"
        )
    if indices is None and data.vertices > MOST_INDEX + 1:
        raise UsageError(f"found {data.vertices} vertices, expected at most {MOST_INDEX + 1}: an index has 16 bits")
    numbers = list(range(data.vertices)) if indices is None else [int(index) for index in indices]
    memory: list[int] = []
    descriptors: list[Descriptor] = []
    found: list[Stream] = []
    for n, element in enumerate(data.elements):
        base = len(memory)
        if n < len(given):
            stream = descriptor_of(given[n])
            memory += _dwords(given[n], stream, numbers)
        else:
            stream = Descriptor(len(element.dwords), element.color, len(element.dwords))
            memory += _by_index(element, numbers)
        memory += [0] * (-len(memory) % testbench.LINE_DWORDS)
        descriptors.append(stream)
        found.append(
            Stream(
                number=element.number,
                dwords=stream.dwords,
                color=stream.color,
                stride=stream.stride,
                offset=stream.offset,
                base=base,
            )
        )
        if len(memory) > MOST_DWORDS:
            raise UsageError(f"the vertices have more than {MOST_DWORDS} DWORDs, which a bench holds: use fewer vertices")
    batches = [numbers[first : first + LANES] for first in range(0, len(numbers), LANES)]
    return Fetched(Draw(found, memory, batches), descriptors, numbers)


def _dwords(given: streams.Stream, stream: Descriptor, indices: Sequence[int]) -> list[int]:
    """The memory of a stream from its base on, as far as the vertices need it."""
    data = bytes(given.data)[4 * given.base :]
    needed = max(indices) * stream.stride + stream.offset + stream.dwords
    return [int.from_bytes(data[4 * n : 4 * n + 4], "little") for n in range(needed)]


def _by_index(element: Element, indices: Sequence[int]) -> list[int]:
    """Memory in which each vertex is where its index says."""
    width = len(element.dwords)
    columns = [[int(value) for value in column[:]] for column in element.dwords]
    memory = [0] * (width * (max(indices) + 1))
    for vertex, index in enumerate(indices):
        memory[width * index : width * (index + 1)] = [row[vertex] for row in columns]
    return memory


def _expected(timing: Timing, data: Data, fetched: Fetched) -> Expected:
    """The behaviour to expect of the core, by the reference engine and the timing of the device."""
    device = timing.device
    core = Core(timing.insts, device, data.constants, data.initial, timing)
    idle = idle_lanes(data.elements, data.vertices, device)
    exports: list[list[int]] = []
    for first in range(0, data.vertices, LANES):
        active = min(LANES, data.vertices - first)
        extra = idle if first + active == data.vertices else {}
        inputs = data.inputs or {(_LEFT_ALONE[1], 0): data.elements[0].dwords[0]}
        core.begin(
            {place: [*map(int, values[first : first + active]), *extra.get(place, ())] for place, values in inputs.items()},
            active,
        )
        core.run()
        exports += [[core.value(place)[lane] for place in EXPORTS] for lane in range(active)]
    waves = fetch_waves(device, fetched.descriptors, fetched.indices) or ()
    hits = [wave.hit_cycles for wave in waves if wave.hit_cycles is not None]
    miss = device.defined_cycles("fetch_miss")
    known = len(hits) == len(waves) and miss is not None
    return Expected(
        issues=[issue.cycle for issue in timing.issues],
        o_stalls=timing.output_stalls,
        i_stalls=timing.input_stalls,
        run_cycles=timing.run_cycles or 0,
        wait_cycles=timing.drain_cycles or 0,
        exports=exports,
        registers={(file, n, c): core.value((file, n, c)) for file in testbench.FILES for n in range(8) for c in range(4)},
        hit_cycles=hits if known else (),
        misses=[wave.misses for wave in waves] if known else (),
        miss_cycles=miss or 0,
    )


def _text(case: Case, timing: Timing, files: dict[str, str]) -> str:
    waves, vertices = len(case.draw.batches), sum(map(len, case.draw.batches))
    return (
        f"{counted(len(case.words), 'slot')}, {counted(vertices, 'vertex', 'vertices')} in {counted(waves, 'wave')}; "
        f"expected on {timing.device.describe()}: {timing.total_cycles} cycles a wave\n"
        f"wrote {', '.join(files)}\n"
    )


def _data(case: Case, timing: Timing, files: dict[str, str], found: Sequence[Diagnostic]) -> dict[str, object]:
    expected = case.expected
    assert expected is not None
    return {
        "device": timing.device.describe(),
        "files": list(files),
        "slots": len(case.words),
        "waves": len(case.draw.batches),
        "vertices": sum(map(len, case.draw.batches)),
        "issue_cycle": list(expected.issues),
        "o_stalls": expected.o_stalls,
        "i_stalls": expected.i_stalls,
        "run_cycles": expected.run_cycles,
        "drain_cycles": expected.wait_cycles,
        "fetch_hit_cycles": list(expected.hit_cycles),
        "fetch_misses": list(expected.misses),
        "diagnostics": [to_json(finding) for finding in found],
    }
