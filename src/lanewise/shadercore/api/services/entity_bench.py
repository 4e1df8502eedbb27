"""`lanewise rtl --entity FILE`: a bench for a core with ports of its own, in VHDL, Verilog or cocotb."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.core.text.counting import counted
from lanewise.shadercore.api.entity import Load, Read, Start, Wave, Work, places, steps
from lanewise.shadercore.api.entity_languages import LANGUAGES, MARK, bench
from lanewise.shadercore.container.memory import Shape, program_memory
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.table import LANES, SOURCE_FILES

if TYPE_CHECKING:
    from lanewise.shadercore.api.entity import Entity
    from lanewise.shadercore.api.entity_languages import Language
    from lanewise.shadercore.engine.recording import Data
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.timing import Timing

README_FILE = "README.md"
MOST_STEPS = 200_000


def language_of(name: str) -> Language:
    """Raises UsageError."""
    for language in LANGUAGES:
        if language.name == name:
            return language
    raise UsageError(f"--language {name}: use {', '.join(language.name for language in LANGUAGES)}")


def entity_files(
    entity: Entity, language: Language, name: str, program: Program, timing: Timing, data: Data
) -> tuple[dict[str, str], str, dict[str, object]]:
    """The files of the bench by name, what is said about them in text, and the same as JSON. Raises UsageError."""
    if entity.parts and not language.parts:
        raise UsageError(
            f"--language {language.name} runs one module, and [[parts]] of the entity file have another, "
            f"{entity.parts[0].entity}: use --language verilog or vhdl, or put {entity.name} and {entity.parts[0].entity} into "
            "a module of yours, and describe its ports"
        )
    try:
        memory = program_memory(program, "", Shape(entity.program.width))
    except ValueError as error:
        raise UsageError(f"program.{error}") from None
    if len(memory.rows) > 1 << entity.program.address_width:
        raise UsageError(
            f"the program has {len(memory.rows)} rows of {entity.program.width} bits: program.address_width "
            f"{entity.program.address_width} has room for {1 << entity.program.address_width}; it is "
            f"{(len(memory.rows) - 1).bit_length()} or more"
        )
    constants = _constants(entity, program, data)
    issues = [issue.cycle for issue in timing.issues]
    work = Work(
        rows=memory.rows,
        constants=constants,
        waves=_waves(entity, timing, data),
        cycles=timing.total_cycles or 0,
        issues=issues,
    )
    found = steps(entity, work)
    if len(found) > MOST_STEPS:
        raise UsageError(f"the bench has {len(found)} steps, expected at most {MOST_STEPS}: use fewer vertices")
    device = timing.device.describe()
    counts = {
        "slots": len(program.words),
        "waves": len(work.waves),
        "rows": sum(isinstance(step, Load) for step in found),
        "comparisons": sum(
            1 + (len(step.issues) + 1 if step.issues else 0) if isinstance(step, Start) else isinstance(step, Read)
            for step in found
        ),
    }
    files = {
        README_FILE: _readme(entity, language, name, device, counts),
        language.file: bench(language, entity, found),
    }
    text = (
        f"{counted(counts['slots'], 'slot')}, {counted(data.vertices, 'vertex', 'vertices')} in "
        f"{counted(counts['waves'], 'wave')}; expected of a wave: {work.cycles + entity.overhead} cycles from start to done, "
        f"{work.cycles} on {device} and {entity.overhead or 'none'} besides (overhead under [done]); "
        f"{counts['comparisons']} comparisons\n"
        f"wrote {', '.join(files)}\n"
    )
    shown: dict[str, object] = {
        "device": device,
        "entity": entity.name,
        "language": language.name,
        "files": list(files),
        **counts,
        "vertices": data.vertices,
        "cycles": work.cycles + entity.overhead,
    }
    return files, text, shown


def _constants(entity: Entity, program: Program, data: Data) -> dict[tuple[int, int], int]:
    """The constants of the data, and those that are read and have no value, as 0. Raises UsageError where they cannot be
    written."""
    sources = [source for inst in program.insts for source in inst.operands]
    read = {(source.number, source.component) for source in sources if SOURCE_FILES[source.file] == "c"}
    if read and entity.constants is None:
        raise UsageError("the program reads constants, and the entity has no table [constants]")
    constants = dict.fromkeys(sorted(read), 0) | dict(data.constants)
    if entity.constants is None:
        return {}
    last = 1 << entity.constants.address_width
    for number, component in constants:
        if (4 * number + component) * 32 // entity.constants.width >= last:
            raise UsageError(f"c{number} is beyond constants.address_width {entity.constants.address_width}")
    return constants


def _waves(entity: Entity, timing: Timing, data: Data) -> list[Wave]:
    """The data of each wave; lanes without a vertex have zeros in their inputs."""
    core = Core(timing.insts, timing.device, data.constants, data.initial, timing)
    first = {place: data.initial.get(place, (0,) * LANES) for place in places(entity.registers.files)}
    compared = places(entity.results.files)
    waves: list[Wave] = []
    for start in range(0, data.vertices, LANES):
        active = min(LANES, data.vertices - start)
        inputs = {
            place: [*map(int, values[start : start + active]), *[0] * (LANES - active)] for place, values in data.inputs.items()
        }
        core.begin(inputs)
        written = {("v", number, component): values for (number, component), values in inputs.items()}
        before = {**first, **written} if not waves else written
        core.run()
        waves.append(Wave(before, {place: core.value(place) for place in compared}))
    return waves


def _readme(entity: Entity, language: Language, name: str, device: str, counts: dict[str, int]) -> str:
    of_issues = " and of each issue" if entity.issue is not None else ""
    return f"""# Test bench of {name} for {entity.name}

Files {MARK}: a program for ShaderCore with its data, and what the device `{device}` expects, for the entity \
`{entity.name}` with the ports of its description.

`{language.file}` writes {counted(counts["rows"], "row")} of memories, starts {counted(counts["waves"], "wave")} and makes \
{counted(counts["comparisons"], "comparison")}: the cycles of each wave{of_issues}, and all registers after it.
It prints `PASS`, or a line `FAIL` for each difference, and then ends with an error.
If only the cycles of each wave differ, by one number in all waves, add that number to `overhead` under `[done]` of the \
description.

```sh
{language.commands}
```
"""
