"""A shader over chunks of a `dask.array`, with the bits of one run."""

from __future__ import annotations

import math
import pickle
from functools import lru_cache
from importlib import import_module
from operator import getitem
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lanewise.arrays.frames import split_column, uniforms_of
from lanewise.core.engines import ENGINES, LLVM, unknown_engine
from lanewise.core.extras import DISTRIBUTED, optional
from lanewise.core.objects import checked
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.isa.table import VERTEX
from lanewise.direct3d9.sem.numbers import D3D9, IEEE, Rule, rule_of
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.sem.profile import find_profile
from lanewise.shadercore.api.devices import device as device_of
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.engine.llvm.waves import plan_waves
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.steps import exports

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol

    from numpy.typing import NDArray

    class Chunked(Protocol):
        """The needed part of a `dask.array.Array`, whose own types are partial."""

        dtype: np.dtype[Any]
        ndim: int
        shape: tuple[float, ...]
        chunks: tuple[tuple[float, ...], ...]

        def to_delayed(self) -> NDArray[Any]: ...


@checked
def map_vertices(
    shader: Shader | ShaderCoreProgram | Direct3DShader,
    inputs: Mapping[str, object],
    uniforms: Mapping[str, object] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Outputs of a shader by name, as `dask.array` (vertices, components) of float32 with the chunks of the inputs.

    `shader` is a vertex shader of the PICA200, a ShaderCore program, or a Direct3D 9 shader. `inputs` are as those of its
    `run`, those with a row for each vertex as `dask.array` (vertices, 1 to 4), all with the same chunks of rows and the
    components in one chunk; others have one row for all vertices. `uniforms` and `options` (`profile`, `device`, `rule`,
    `engine`, `budget`, `defaults`) are those of `run`. Nothing runs until the arrays are computed. The shader travels as
    source, and each worker compiles it once. Where lanes of a wave see each other, chunks are whole waves of 16.

    Raises ModuleNotFoundError without Dask; TypeError for what is not a shader, such as a file; ValueError for chunks that do
    not fit, and for a profile or device under which a vertex or wave can see registers of the one before; InputError for values
    that do not fit the shader. Computing raises RunError if a vertex of the PICA200 stops without `end`.
    """
    array = optional("dask.array", DISTRIBUTED, "lanewise.distributed.map_vertices")
    delayed = import_module("dask").delayed
    check = _check_of(shader)
    if hasattr(inputs, "to_dask_array"):
        raise TypeError(f"inputs are a {type(inputs).__name__} of Dask, expected arrays by name: {_by_name(inputs)}")
    if not hasattr(inputs, "items") or hasattr(inputs, "columns"):
        kind = type(cast("object", inputs)).__name__
        fix = "`run` takes a data frame in memory"
        if hasattr(inputs, "chunks"):
            names = [str(getattr(each, "name", each)) for each in shader.inputs]
            fix = f"`{{{', '.join([f'{name!r}: array' for name in names])}}}`"
        raise TypeError(f"inputs are of the type {kind}, expected arrays of Dask by name: {fix}")
    uniforms = uniforms_of(uniforms)
    if options.get("engine", LLVM) not in ENGINES:
        raise unknown_engine(options["engine"])
    cluster = next((name for name in options if name in _OF_CLUSTERS), "")
    if cluster:
        how = f"`distributed.Client(n_workers={options[cluster]!r})` before it, or `.compute(num_workers={options[cluster]!r})`"
        raise ValueError(f"{cluster} is of the cluster, and not of a run: {how}")
    for name in ("count", "progress", "streams", "indices", "keep_faults"):
        if name in options:
            raise ValueError(
                f"{name} is of one run: leave it out"
                if name not in ("count", "progress")
                else "count and progress are of one run: leave them out"
            )
    chunked = {name: cast("Chunked", value) for name, value in inputs.items() if isinstance(value, array.Array)}
    if not chunked:
        arrays_of = {name: np.shape(cast("Any", value)) for name, value in inputs.items() if hasattr(value, "shape")}
        raise ValueError(
            f"no input is a dask.array: use `run`, or give one with a row for each vertex{_chunked_like(arrays_of)}"
        )
    rows = _rows(chunked)
    constant = {name: _sent(value) for name, value in inputs.items() if name not in chunked}
    values = {name: _sent(value) for name, value in uniforms.items()}
    _check_constant(constant, next(iter(chunked)))
    check(shader, values, options, rows)
    # One vertex here: what does not fit is an error now, and the outputs have names and shapes.
    first = {name: np.zeros((1, int(value.shape[1])), value.dtype) for name, value in chunked.items()}
    run: Any = shader.run
    alone: dict[str, Any] = {**options, **({"keep_faults": True} if isinstance(shader, Shader) else {}), "engine": "reference"}
    outputs: Mapping[str, NDArray[Any]] = run({**constant, **first}, values, **alone).outputs
    widths = {name: found.shape[1] for name, found in outputs.items()}
    job = delayed(pickle.dumps((shader, constant, values, options, widths)), pure=True)
    blocks = {name: value.to_delayed().ravel() for name, value in chunked.items()}
    starts = np.cumsum([0, *rows]).tolist()
    parts = [
        delayed(run_chunk, pure=True)(job, starts[number], {name: blocks[name][number] for name in chunked})
        for number in range(len(rows))
    ]
    graph = import_module("dask.highlevelgraph").HighLevelGraph
    arrays: dict[str, Any] = {}
    for name, found in outputs.items():
        key = f"vertices-{import_module('dask.base').tokenize(name, *parts)}"
        # Not array.concatenate, which leaves empty chunks out.
        tasks = {(key, number, 0): (getitem, part.key, name) for number, part in enumerate(parts)}
        graphs = graph.from_collections(key, tasks, dependencies=parts)
        arrays[name] = array.Array(graphs, key, (rows, (found.shape[1],)), dtype=found.dtype)
    return arrays


_OF_CLUSTERS = ("n_workers", "num_workers", "workers", "processes", "n_jobs", "threads_per_worker", "scheduler")


_COMPONENTS = 4  # the most of a vertex


def _chunked_like(shapes: Mapping[str, tuple[int, ...]]) -> str:
    """The fix of an array in memory, as one writes it; empty without arrays of rows."""
    name = next((name for name, shape in shapes.items() if len(shape) == 2), "")
    return f", `dask.array.from_array({name}, chunks=({_CHUNK}, {shapes[name][1]}))`" if name else ""


_CHUNK = 1 << 16  # vertices of a chunk in messages


def _by_name(frame: Any) -> str:
    """The columns of a data frame of Dask as arrays by the names of inputs, as one writes it."""
    columns: dict[str, list[str]] = {}
    for column in map(str, getattr(frame, "columns", ())):
        columns.setdefault(split_column(column)[0] if split_column(column)[1] else "position", []).append(column)
    listed = [f"{name!r}: frame[{of}].to_dask_array(lengths=True)" for name, of in columns.items()]
    return f"`{{{', '.join(listed)}}}`" if listed else "`{name: array}`"


def _rows(chunked: Mapping[str, Chunked]) -> tuple[int, ...]:
    """The chunks of rows that all arrays have. Raises ValueError."""
    found: dict[str, tuple[float, ...]] = {}
    for name, value in chunked.items():
        if value.ndim != 2:
            fix = f": use `{name}[:, None]`" if value.ndim == 1 else ""
            found_shape = f"{value.ndim} dimension{'s' if value.ndim != 1 else ''}"
            raise ValueError(f"input '{name}' has {found_shape}, expected (vertices, components){fix}")
        rows, components = value.chunks
        if value.shape[0] <= _COMPONENTS < value.shape[1]:
            shape = f"{value.shape[0]} rows of {value.shape[1]} components"
            raise ValueError(f"input '{name}' has {shape}, expected a row for each vertex: use `{name}.T`")
        if len(components) > 1:
            raise ValueError(f"input '{name}' has its components in {len(components)} chunks: use `{name}.rechunk({{1: -1}})`")
        if any(math.isnan(size) for size in rows):
            raise ValueError(f"input '{name}' has chunks of unknown size: use `{name}.compute_chunk_sizes()`")
        found[name] = rows
    name, rows = next(iter(found.items()))
    for other, theirs in found.items():
        if sum(theirs) != sum(rows):
            raise ValueError(f"input '{other}' has {sum(theirs)} vertices, '{name}' {sum(rows)}: give as many")
        if theirs != rows:
            raise ValueError(f"input '{other}' has other chunks than '{name}': use `{other}.rechunk({{0: {name}.chunks[0]}})`")
    return tuple(int(size) for size in rows)


def _sent(value: object) -> object:
    """A value as it goes to other processes: an array in place of a view of memory."""
    return np.asarray(value) if isinstance(value, memoryview) else value


def _check_constant(constant: Mapping[str, object], chunked: str) -> None:
    """Inputs that are not chunked have one row. Raises ValueError."""
    for name, value in constant.items():
        try:
            shape = np.shape(cast("Any", getattr(value, "array", value)))
        except ValueError:  # rows of different lengths, of which `run` says more
            continue
        if (len(shape) == 2 and shape[0] != 1) or len(shape) > 2 or (len(shape) == 1 and shape[0] > 4):
            fix = f"`dask.array.from_array({name}).rechunk({{0: {chunked}.chunks[0], 1: -1}})`"
            raise ValueError(
                f"input '{name}' has a row for each vertex: give it as a dask.array with the chunks of the others, {fix}"
            )


def _check_of(shader: object) -> Callable[..., None]:
    """The function that refuses chunks whose vertices are not independent of others. Raises TypeError, ValueError."""
    if isinstance(shader, ShaderCoreProgram):
        return _check_waves
    if isinstance(shader, Direct3DShader):
        return _check_lanes
    if not isinstance(shader, Shader):
        raise TypeError(f"{_shown(shader)} is not a shader: {_fix(shader)}")
    if shader.stage != "vertex":
        raise ValueError(f"{shader!r} is not a vertex shader: only its vertices are independent of each other")
    return _check_independent


def _shown(given: object) -> str:
    return f"a {type(given).__name__}" if isinstance(given, (bytes, bytearray)) else repr(given)[:200]


def _fix(given: object) -> str:
    """The imperative for what is not a shader: a path or text, a file, a compilation."""
    if isinstance(given, str) and "\n" in given:
        return "load its text, `lw.load(text.encode()).vertex`"
    if isinstance(given, (str, PathLike)):
        return f"load it, `lw.load({str(cast('Any', given))!r}).vertex`"
    for name in ("vertex", "program"):
        if hasattr(given, name):
            return f"use its `.{name}`"
    return "give the `vertex` of a file, or the `program` of a compilation"


def _check_waves(program: ShaderCoreProgram, _: Mapping[str, object], options: Mapping[str, Any], rows: Sequence[int]) -> None:
    """Raises ValueError if a wave may see what the one before has left, or a chunk is not whole waves."""
    device = device_of(options.get("device", RTL))
    given = [(int(register[1:]), n) for register in program.inputs.values() for n in range(4)]
    if plan_waves(program.time(device), given, exports(device)).carried or options.get("initial"):
        raise ValueError(
            "on this device registers stay from wave to wave, and a wave may read them: use a device with between_waves=zero, "
            "or `run` for all vertices at once"
        )
    _check_whole(rows, f"on {device.describe()}")
    filled = [size for size in rows if size]
    if len(filled) > 1 and filled[-1] < LANES and "stale" in (device.value("rcp_sigma"), device.value("rsq_gate")):
        raise ValueError(
            f"the last chunk has {filled[-1]} vertices, whose results depend on lanes that the wave before has filled: give it "
            f"at least {LANES}"
        )


def _check_lanes(shader: Direct3DShader, _: Mapping[str, object], options: Mapping[str, Any], rows: Sequence[int]) -> None:
    """Raises ValueError for chunks that are not whole waves where lanes of one see each other: pixels, and rules of devices."""
    given = options.get("rule", IEEE)
    rule = given if isinstance(given, Rule) else rule_of(given)
    version = shader.shader.version
    if version.kind != VERTEX or rule.name not in (IEEE, D3D9):
        _check_whole(rows, f"for {version.name} under {rule.name}")


def _check_whole(rows: Sequence[int], where: str) -> None:
    """Raises ValueError for chunks, the last one aside, that are not whole waves."""
    filled = [size for size in rows if size]
    wrong = next((size for size in filled[:-1] if size % LANES), None)
    if wrong is not None:
        size = -(-wrong // LANES) * LANES
        fix = f"rechunk each input, `array.rechunk({{0: {size}}})`"
        raise ValueError(f"a chunk has {wrong} vertices, expected a multiple of {LANES} {where}, the last one aside: {fix}")


def _check_independent(shader: Shader, uniforms: Mapping[str, object], options: Mapping[str, Any], _: Sequence[int]) -> None:
    """Raises ValueError if a vertex may see what the one before has left, which is in another chunk."""
    rules = find_profile(options.get("profile"))
    if rules.initial_state != "kept":
        return
    chosen = shader.explain_engine(cast("Any", uniforms), profile=rules, engine=LLVM)
    if not chosen.startswith(LLVM) or rules.index_wrap == "registers":
        raise ValueError(
            "under this profile registers stay from vertex to vertex (initial_state is kept), and a vertex may read them: "
            "use profile.replace(initial_state='zero'), or `run` for all vertices at once"
        )


@lru_cache(16)
def _job(data: bytes) -> tuple[Any, dict[str, Any], dict[str, Any], dict[str, Any], dict[str, int]]:
    """The shader of a chunk with its arguments; a worker keeps it with its compiled code."""
    return pickle.loads(data)


def run_chunk(job: bytes, start: int, blocks: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The outputs of a chunk of vertices, the first of which is number `start` of the whole. Raises RunError with a note of
    where the chunk is."""
    shader, constant, uniforms, options, widths = _job(job)
    count = len(next(iter(blocks.values())))
    if not count:
        return {name: np.zeros((0, width), np.float32) for name, width in widths.items()}
    try:
        found = shader.run({**constant, **blocks}, uniforms, **{"engine": LLVM, **options, "count": count})
    except Exception as error:
        error.add_note(f"in the chunk of vertices {start} to {start + count - 1}: vertex N there is vertex {start} + N")
        raise
    return dict(found.outputs)
