"""Warnings about the values of a run: what the format cannot hold, what a data frame lacks, matrices with rows and columns
exchanged, bytes that are colours."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from lanewise.arrays.layout_warnings import cut_matrices, layout_warnings
from lanewise.arrays.matrices import suspect
from lanewise.arrays.value_warnings import format_warnings, numbers_of, warning
from lanewise.core.diagnostics import INPUT, UNIFORM, About
from lanewise.pica200.api.colours import BRIGHT, COLOUR, bright_colours, scales_bytes, with_commas
from lanewise.pica200.api.missing import COUNTER
from lanewise.pica200.engine.names import INPUT_FILES, UNIFORM_FILES, find
from lanewise.pica200.engine.reads import reads
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.program import Source, Target
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, LOOP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.api.tracing import Trace
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.sem.profile import Profile


_FOUR = 4
_FIRST = ({0}, {0, 1})  # components that a program reads of an input of one or two; of more it is a vector
_NEAR = 0.02
_OF_VERTICES = ("weight", "bone")  # parts of names of inputs that are seldom the same in all vertices


def value_warnings(
    inputs: Mapping[str, object], uniforms: Mapping[str, object], shader: Shader, profile: Profile
) -> list[Diagnostic]:
    """Warnings about values that the format of a profile cannot hold, and about matrices with rows and columns exchanged."""
    form = "float32" if profile.rounding == "float32" else "float24"
    found = [*format_warnings(inputs, uniforms, shader.name, form, "float24"), *_matrices(uniforms, shader)]
    found += [*_standing(uniforms, shader), *cut_matrices(uniforms, shader.name)]
    return [*found, *layout_warnings(inputs, shader.name), *_vectors(inputs, shader, profile)]


def _standing(uniforms: Mapping[str, object], shader: Shader) -> list[Diagnostic]:
    """B046: a loop whose aL stays where it is, of a program that reads by it."""
    found: list[Diagnostic] = []
    for key, value in uniforms.items():
        place = find(key, shader.uniform_names, UNIFORM_FILES)
        array: Any = numbers_of(value) if place is not None and INTEGER <= place.first < BOOLEAN else None
        numbers: list[float] = array.reshape(-1).tolist() if array is not None else []
        if len(numbers) not in (3, 4) or numbers[0] < 1 or numbers[2]:
            continue
        indexed = place is not None and _reads_by_index(shader, place.first - INTEGER)
        if indexed:
            first, start, _ = map(int, numbers[:3])
            message = (
                f"uniform '{key}' is {first}, {start}, 0: aL stays {start}, so that all {first + 1} iterations read one element"
            )
            fix = f"give a step, [{first}, {start}, 1]"
            found.append(warning("B046", message, fix, shader.name, About(UNIFORM, key)))
    return found


def _reads_by_index(shader: Shader, number: int) -> bool:
    """Whether a loop of an integer register reads by aL."""
    operations = shader.program.operations
    for at, loop in enumerate(operations):
        if loop.op.kind != LOOP or loop.operands[0] != number or not isinstance(loop.operands[-1], Target):
            continue
        body = operations[at + 1 : loop.operands[-1].address + 1]
        if any(isinstance(each, Source) and each.relative == COUNTER for operation in body for each in operation.operands):
            return True
    return False


def colour_warnings(
    inputs: Mapping[str, Any], uniforms: Mapping[str, Any], shader: Shader, result: ShaderResult
) -> list[Diagnostic]:
    """Warnings about colours far above 1 of a run, whose color is bytes or has any other reason.

    Above 1 lights that add up are, too, of bytes that the program scales or that are no colours.
    """
    arrays = {key: value for key, value in inputs.items() if str(getattr(value, "dtype", "")) == "uint8"}
    key = next((key for key, array in arrays.items() if COLOUR in key.lower() and array.size and array.max() > 1), "")
    for output in shader.outputs if key and not scales_bytes(uniforms, shader) else ():
        top = float(result.outputs[output.semantic].max(initial=0.0)) if output.semantic.startswith(COLOUR) else 0.0
        if BRIGHT < top < math.inf:
            clamps = "the rasterizer clamps colors at 1"
            message = f"{output.semantic} reaches {top:g}, and {clamps}; input '{key}' is bytes (uint8)"
            fix = f"divide it by 255: `{key} / numpy.float32(255)`"
            return [warning("B022", message, fix, shader.name, About(INPUT, key))]

    def trace(row: int) -> Trace:
        return shader.trace(inputs, uniforms, lane=row, profile=result.profile, defaults=0)

    return with_commas(bright_colours(shader, shader.outputs, result.outputs, trace), inputs)


def _vectors(inputs: Mapping[str, object], shader: Shader, profile: Profile) -> list[Diagnostic]:
    """B031: vectors of as many numbers as there are vertices, of which the program does not read all."""
    rows = max([len(cast("Any", value)) for value in inputs.values() if len(_shape(value)) > 1], default=1)
    found: list[Diagnostic] = []
    known: Mapping[int, set[int]] | None = None
    for key, value in inputs.items():
        shape = _shape(value)
        if len(shape) != 1 or not 1 < shape[0] <= _FOUR or not (rows == shape[0] or (rows == 1 and hasattr(value, "dtype"))):
            continue
        place = find(key, shader.input_names, INPUT_FILES)
        known = _components_read(shader, profile) if known is None else known
        used = known.get(place.first, set()) if place is not None else set[int]()
        numbers = [*cast("Sequence[Any]", value)]
        if "weight" in key.lower() and abs(math.fsum(numbers) - 1) < _NEAR:
            continue  # of one vertex, as B037 takes them
        rising = [first < second for first, second in pairwise(numbers)]
        named = any(part in key.lower() for part in _OF_VERTICES)
        if not named and (not hasattr(value, "dtype") or key[1:].isdecimal()) and len({*rising}) > 1:
            continue  # of a list, or data of registers, which may be what a console held, only those that are a sequence
        if used in _FIRST and any(numbers[each] != (each == _FOUR - 1) for each in range(shape[0]) if each not in used):
            letters = ", ".join(["xyzw"[each] for each in sorted(used)])
            message = (
                f"input '{key}' is one vector of {shape[0]} numbers for all vertices, of which the program reads {letters}"
            )
            column = ";".join([f"{number:.9g}" for number in numbers])
            fix = (
                f"for a number of each vertex give a column, `numpy.reshape({key}, (-1, 1))`, on a command line "
                f'`--input "{key}={column}"`'
            )
            found.append(warning("B031", message, fix, shader.name, About(INPUT, key)))
    return found


def _components_read(shader: Shader, profile: Profile) -> Mapping[int, set[int]]:
    """The components of v registers that have an effect on what outputs are wired to."""
    from lanewise.pica200.check.demand import inputs_seen

    counts = inputs_seen(shader.analysis_context(profile))
    found: dict[int, set[int]] = {}
    for (register, component), places in reads(shader.words, shader.descriptors, shader.interface.entry, {}).inputs.items():
        if any(counts(address, component) for address in places):
            found.setdefault(register, set()).add(component)
    return found


def _shape(value: object) -> tuple[int, ...]:
    """The shape of an array, or of a list of numbers or rows; empty for other values."""
    if hasattr(value, "dtype") and not hasattr(value, "iloc"):
        return cast("Any", value).shape
    if not isinstance(value, (list, tuple)) or not cast("Sequence[object]", value):
        return ()
    numbers = cast("Sequence[object]", value)
    rows = hasattr(numbers[0], "__len__")
    return (len(numbers), 1) if rows else (len(numbers),) if isinstance(numbers[0], (int, float)) else ()


def unplaced(uniforms: Mapping[str, object], shader: Shader, result: ShaderResult) -> list[Diagnostic]:
    """B033: a position that is 0 in every vertex, where a float uniform that is read has no value."""
    if not result.lanes or "position" not in result.outputs:
        return []
    position = result.outputs["position"]
    if position.size and (position.max() or position.min()):
        return _partial(uniforms, shader, position)
    places = [find(key, shader.uniform_names, UNIFORM_FILES) for key in uniforms]
    given = {register for place in places if place is not None for register in range(place.first, place.last + 1)}
    read = reads(shader.words, shader.descriptors, shader.interface.entry, {}).direct
    lacking = [
        uniform
        for uniform in shader.interface.uniforms
        if FLOAT <= uniform.first < INTEGER
        and any(each in read and each not in given for each in range(uniform.first, uniform.last + 1))
    ]
    if not lacking:
        return []
    names = ", ".join([each.name for each in lacking])
    message = f"position is 0 in every vertex, so that nothing is visible: {names} has no value, and `defaults` makes it 0"
    options = " ".join([f"--uniform {each.name}=..." for each in lacking])
    fix = f"give `{options}` (uniforms={{{', '.join(f'{each.name!r}: ...' for each in lacking)}}})"
    return [
        warning(
            "B033", message.replace("has no value", "have no values") if len(lacking) > 1 else message, fix, shader.name, None
        )
    ]


def _partial(uniforms: Mapping[str, object], shader: Shader, position: Any) -> list[Diagnostic]:
    """B033: a position whose w is 0 in every vertex, where a matrix of four rows has fewer rows or columns."""
    if position.shape[-1] < _FOUR or not _zeros(position[:, 3]):
        return []
    for key, value in uniforms.items():
        place = find(key, shader.uniform_names, UNIFORM_FILES)
        shape = _shape(value)
        if place is None or place.first < FLOAT or place.size != _FOUR or len(shape) != 2 or shape == (_FOUR, _FOUR):
            continue
        rows, columns = shape
        message = f"position.w is 0 in every vertex: '{key}' has {rows} rows of {columns} numbers, `defaults` makes the rest 0"
        fix = f"give 4 rows of 4: `matrix = numpy.eye(4); matrix[:{rows}, :{columns}] = {key}`"
        return [warning("B033", message, fix, shader.name, None)]
    return []


def _zeros(array: Any) -> bool:
    return not (array.max() or array.min())


def directions_as_points(inputs: Mapping[str, Any], shader: Shader, result: ShaderResult) -> list[Diagnostic]:
    """B039: a position whose w is 0 in every vertex, as that of an input is."""
    if not result.lanes or "position" not in result.outputs:
        return []
    position: Any = result.outputs["position"]
    if position.shape[-1] < _FOUR or not _zeros(position[:, 3]) or _zeros(position):
        return []
    for key, value in inputs.items():
        array: Any = numbers_of(value)
        if array is None or array.ndim != 2 or array.shape[1] != _FOUR or not len(array):
            continue
        if _zeros(array[:, 3]) and not _zeros(array) and find(key, shader.input_names, INPUT_FILES) is not None:
            message = (
                f"position.w is 0 in every vertex, as w of input '{key}' is: directions, which no matrix moves, have no place"
            )
            fix = f"give points w = 1, `{key}[:, 3] = 1`, or three columns, `{key}[:, :3]`, to which it is added"
            return [warning("B039", message, fix, shader.name, About(INPUT, key))]
    return []


def _matrices(uniforms: Mapping[str, object], shader: Shader) -> list[Diagnostic]:
    """Warnings about matrices whose columns are in the registers, where the shader takes their rows; or whose rows are one
    list."""
    suspects = {name: finding for name, value in uniforms.items() if (finding := suspect(name, value, shader.name)) is not None}
    found: list[Diagnostic] = []
    for name, finding in suspects.items():
        place = find(name, shader.uniform_names, UNIFORM_FILES)
        if place is not None and place.first >= FLOAT and _multiplies_rows(shader, place.first):
            found.append(finding)
    return found


def _multiplies_rows(shader: Shader, first: int) -> bool:
    """Whether a shader reads the registers of a matrix only in dot products, the first three in those of four components."""
    read = reads(shader.words, shader.descriptors, shader.interface.entry, {})
    widths: dict[int, set[int]] = {register: set() for register in range(first, first + 4)}
    for (register, _), addresses in read.components.items():
        for address in addresses if register in widths else ():
            widths[register].add(max(decode(shader.words[address]).op.widths, default=0))
    single = set(read.relative).isdisjoint(widths) and all(each <= {3, 4} for each in widths.values())
    return single and all(4 in widths[register] for register in range(first, first + 3))


__all__ = ["colour_warnings", "directions_as_points", "unplaced", "value_warnings"]
