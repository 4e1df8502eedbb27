"""A recorded draw as a shader test that needs no other file: `saved`."""

from __future__ import annotations

from typing import Any

import numpy as np

from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError, visible
from lanewise.core.numbers.floats import float24_from_float, float_from_float24
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import InputFailure
from lanewise.core.text.quoting import toml_text
from lanewise.pica200.api.disassembling import disassemble
from lanewise.pica200.api.drawn import drawn_file
from lanewise.pica200.api.file import assemble_texts
from lanewise.pica200.api.frame_review import stages_of
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.engine.reads import reads
from lanewise.pica200.frame.vertices import LOADED, feeds_of
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.drawn import DrawData
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.reads import Reads
    from lanewise.pica200.frame.draws import Draw
    from lanewise.pica200.sem.profile import Profile

_MOST = 16 << 20  # bytes of a shader test: core.files, kind `test`
_USUAL = np.array([0.0, 0.0, 0.0, 1.0])
_SMALLEST = 1 << 16  # float24 patterns below are 0 or subnormal, which profiles read in several ways


class _Expected(Record):
    """What a draw gives."""

    outputs: Mapping[str, NDArray[Any]]
    "Rows of each output by name."
    faults: tuple[str, ...]
    "The code with which each vertex stops; empty if all end."


class Edit(Record):
    """What runs in place of a recorded draw."""

    sources: Sequence[tuple[str, str]]
    "Names and texts of the sources of its programs, one for each stage."
    data: DrawData
    "Its data, with other values."


def saved(
    draw: Draw,
    name: str,
    profile: Profile,
    findings: Sequence[Diagnostic] = (),
    setup: Sequence[str] = (),
    edit: Edit | None = None,
) -> str:
    """A shader test of a draw as TOML: its programs as sources, the values that they read, and what they give under a profile.

    `name` is that of the draw; `findings` and `setup`, lines about it, are comments. What is not in the recording is 0. `edit`
    takes the place of its programs and values. Raises InputError for programs that cannot be read, InputFailure for what a test
    cannot hold.
    """
    stages = stages_of(draw)
    if edit is None:
        file = drawn_file(draw, name)
        if file.data is None:
            raise ValueError(f"{name} has no data")
        sources, data = _sources(draw, file, name), file.data
        whole = assemble_texts(sources)
        expected = _expected(whole, data, profile)
        if not _same(expected, _expected(file, data, profile)):
            raise InputFailure(f"{name}: its programs as sources give other results; `frame convert --only` keeps the draw")
        numbers = [_read(stage.reads) for stage in stages]
    else:
        sources, whole = edit.sources, assemble_texts(edit.sources)
        if [shader.stage for shader in whole.programs] != [stage.name for stage in stages]:
            raise InputFailure(
                f"{name}: a test has one shader for each stage of the draw: {' and '.join([s.name for s in stages])}"
            )
        data = edit.data.beside(whole)
        expected = _expected(whole, data, profile)
        numbers = [_read(_reads(shader)) for shader in whole.programs]
    title = f"draw {draw.number}"
    lines = [f"# Draw {draw.number} of {visible(name.rpartition(':')[0], '')}: {draw.where}"]
    lines += [f"# {visible(line, '')}" for line in setup]
    lines += [f"# {finding.severity}[{finding.code}]: {visible(finding.message, '')}" for finding in findings]
    lines += ["", f"profile = {_profile(profile)}", "defaults = 0  # what is not in the recording"]
    lines += [f"count = {len(data.vertices)}"]
    if len(stages) > 1:
        lines += [f"topology = {toml_text(data.topology)}"]
        lines += [f"vertices_per_primitive = {data.per_primitive}"] if data.per_primitive is not None else []
        lines += [f"indices = {data.indices.tolist()}"] if data.indices is not None else []
    for source, text in sources:
        lines += ["", "[[source]]", f"name = {toml_text(source)}", f"text = {toml_text(text, lines=True)}"]
    lines += _table("inputs", _inputs(draw, data))
    lines += _table("uniforms", _floats(data.vertex_uniforms, numbers[0]))
    lines += _table("integers", _integers(data.vertex_uniforms, numbers[0]))
    lines += _table("booleans", _booleans(data.vertex_uniforms, numbers[0]))
    if len(stages) > 1:
        own = data.geometry_uniforms
        unknown = [(key, "[0.0, 0.0, 0.0, 0.0]") for key in numbers[1] if key[0] == "c" and key not in own]
        given = [*_floats(own, numbers[1]), *_integers(own, numbers[1]), *_booleans(own, numbers[1])]
        lines += _table("geometry_uniforms", [*given, *unknown])
    lines += ["", "[[test]]", f"name = {toml_text(title)}"]
    if any(expected.faults):
        lines += [f"faults = [{', '.join([toml_text(code) for code in expected.faults])}]"]
    lines += _table("test.outputs", [(key, _rows(rows)) for key, rows in expected.outputs.items()])
    text = "\n".join(lines) + "\n"
    if len(text.encode()) > _MOST:
        raise InputFailure(f"{name}: a test of {len(text) >> 20} MiB is not read again; `frame convert --only` keeps the draw")
    return text


def _sources(draw: Draw, file: ShaderFile, name: str) -> list[tuple[str, str]]:
    """The programs as sources; each has been assembled to the same words. Raises InputError, InputFailure."""
    containers = {file.to_bytes(): ""}
    if len({shader.words for shader in file.programs}) > 1:  # the stages are apart
        containers = {drawn_file(draw, name, stage).to_bytes(): f"_{stage}" for stage in ("vertex", "geometry")}
    found: list[tuple[str, str]] = []
    for data, stage in containers.items():
        shbin, findings = read_shbin(data, name)
        if shbin is None:
            raise InputError(findings)
        found += [(each.name, each.text) for each in disassemble(shbin, f"draw_{draw.number}{stage}", data).sources]
    return found


# Values


def _reads(shader: Shader) -> Reads:
    return reads(tuple(shader.words), tuple(shader.descriptors), shader.interface.entry, {})


def _read(found_by: Reads | None) -> list[str]:
    """The uniforms that a shader reads, by register; all of c where an index decides."""
    if found_by is None:
        return []
    found = sorted({*found_by.direct, *(range(FLOAT, INTEGER) if found_by.relative else ())})
    kinds = (("b", BOOLEAN), ("i", INTEGER), ("c", FLOAT))
    uniforms = [number for number in found if number >= FLOAT]
    return [next(f"{letter}{number - first}" for letter, first in kinds if number >= first) for number in uniforms]


def _inputs(draw: Draw, data: DrawData) -> Iterator[tuple[str, str]]:
    fed = {f"v{feed.register}": feed.elements for feed in feeds_of(draw) if feed.source == LOADED and feed.elements}
    for register, values in sorted(data.inputs.items(), key=lambda item: int(item[0][1:])):
        yield register, _values(values, fed.get(register, 4))


def _floats(values: Mapping[str, NDArray[Any] | Words], read: Sequence[str]) -> Iterator[tuple[str, str]]:
    for key in read:
        if key[0] == "c" and key in values:
            yield key, _values(values[key], 4)


def _integers(values: Mapping[str, NDArray[Any] | Words], read: Sequence[str]) -> Iterator[tuple[str, str]]:
    for key in read:
        value = values.get(key)
        if key[0] == "i" and value is not None and not isinstance(value, Words):
            yield key, str(value.tolist())


def _booleans(values: Mapping[str, NDArray[Any] | Words], read: Sequence[str]) -> Iterator[tuple[str, str]]:
    for key in read:
        value = values.get(key)
        if key[0] == "b" and value is not None and not isinstance(value, Words):
            yield key, "true" if bool(value) else "false"


def _values(values: NDArray[Any] | Words, columns: int) -> str:
    """Rows as numbers; float24 words that numbers do not stand for in every profile as bits."""
    if not isinstance(values, Words):
        rows = values.reshape(-1, 4)
        usual = bool((rows[:, columns:] == _USUAL[columns:]).all())  # what a shader test gives components that are left out
        return _rows(rows[:, :columns] if usual else rows)
    words = values.array.reshape(-1, 4).tolist()
    if all(_is_number(word) for row in words for word in row):
        return _lines([f"[{', '.join([repr(float_from_float24(word)) for word in row])}]" for row in words])
    return "{ bits = [" + ", ".join([f"[{', '.join([f'0x{word:06X}' for word in row])}]" for row in words]) + "] }"


def _is_number(word: int) -> bool:
    """Whether a float24 word is the number that it is read as, in every profile."""
    magnitude = word & 0x7FFFFF
    return not magnitude or (magnitude >= _SMALLEST and float24_from_float(float_from_float24(word)) == word)


def _rows(rows: NDArray[Any]) -> str:
    return _lines([f"[{', '.join([repr(float(number)) for number in row])}]" for row in rows.tolist()])


def _lines(rows: Sequence[str]) -> str:
    return f"[{rows[0]}]" if len(rows) == 1 else "[\n" + "".join([f"    {row},\n" for row in rows]) + "]"


def _table(title: str, entries: Iterable[tuple[str, str]]) -> list[str]:
    found = [f"{key} = {value}" for key, value in entries]
    return ["", f"[{title}]", *found] if found else []


def _profile(profile: Profile) -> str:
    preset = profile.describe().partition(",")[0]
    fields = [f"{field} = {toml_text(value)}" for field, value in profile.differences(preset).items()]
    return f"{{ preset = {toml_text(preset)}, {', '.join(fields)} }}" if fields else toml_text(preset)


# Results


def _expected(file: ShaderFile, data: DrawData, profile: Profile) -> _Expected:
    options: dict[str, Any] = {"count": len(data.vertices), "profile": profile, "defaults": 0, "keep_faults": True}
    if not any(shader.stage == "geometry" for shader in file.programs):
        result = file.vertex.run(data.inputs, data.vertex_uniforms, **options)
        codes = {fault.lane: fault.fault.code for fault in result.faults}
        faults = tuple([codes.get(lane, "") for lane in range(result.lanes)]) if codes else ()
        return _Expected({output.semantic: result.outputs[output.semantic] for output in file.vertex.outputs}, faults)
    primitives = data.run_on(file.pipeline, **options)
    if primitives.faults:
        stopped = primitives.faults[0]
        raise InputFailure(f"{file.name}: {stopped.stage} run {stopped.number} stops, which a test of two stages cannot expect")
    flat = {key: primitives.outputs[key] for key in [binding.semantic for binding in primitives.bindings]}
    return _Expected({key: array.reshape(-1, array.shape[-1]) for key, array in flat.items()}, ())


def _same(one: _Expected, other: _Expected) -> bool:
    return one.outputs.keys() == other.outputs.keys() and all(
        np.array_equal(one.outputs[key].view(np.uint32), other.outputs[key].view(np.uint32)) for key in one.outputs
    )
