"""A shader over chunks of a `dask.array`, with the bits of one run."""

from __future__ import annotations

import math
import pickle
from functools import lru_cache
from importlib import import_module
from operator import getitem
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lanewise.core.engines import LLVM
from lanewise.core.extras import DISTRIBUTED, optional
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.sem.profile import find_profile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from numpy.typing import NDArray

    class Chunked(Protocol):
        """The needed part of a `dask.array.Array`, whose own types are partial."""

        dtype: np.dtype[Any]
        ndim: int
        shape: tuple[float, ...]
        chunks: tuple[tuple[float, ...], ...]

        def to_delayed(self) -> NDArray[Any]: ...


def map_vertices(
    shader: Shader,
    inputs: Mapping[str, object],
    uniforms: Mapping[str, object] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Outputs of a vertex shader by name, as `dask.array` (vertices, components) of float32 with the chunks of the inputs.

    `inputs` are as those of `Shader.run`, those with a row for each vertex as `dask.array` (vertices, 1 to 4), all with the
    same chunks of rows and the components in one chunk; others have one row for all vertices. `uniforms` and `options`
    (`profile`, `engine`, `budget`, `defaults`) are those of `Shader.run`. Nothing runs until the arrays are computed. The
    shader travels as source, and each worker compiles it once.

    Raises TypeError for a file or a shader of another instruction set; ValueError for chunks that do not fit, and for a profile
    under which a vertex can see registers of the one before; InputError for values that do not fit the shader. Computing raises
    RunError if a vertex stops without `end`.
    """
    array = optional("dask.array", DISTRIBUTED, "lanewise.distributed.map_vertices")
    delayed = import_module("dask").delayed
    if not isinstance(cast("object", shader), Shader):
        raise TypeError(f"{shader!r} is not a shader of the PICA200: give the `vertex` of a file")
    if shader.stage != "vertex":
        raise ValueError(f"{shader!r} is not a vertex shader: only its vertices are independent of each other")
    if "count" in options or "progress" in options:
        raise ValueError("count and progress are of one run: leave them out")
    chunked = {name: cast("Chunked", value) for name, value in inputs.items() if isinstance(value, array.Array)}
    rows = _rows(chunked)
    constant = {name: _sent(value) for name, value in inputs.items() if name not in chunked}
    values = {name: _sent(value) for name, value in (uniforms or {}).items()}
    _check_constant(constant)
    _check_independent(shader, values, options)
    # One vertex here: what does not fit is an error now, and the outputs have names and shapes.
    first = {name: np.zeros((1, int(value.shape[1])), value.dtype) for name, value in chunked.items()}
    run: Any = shader.run
    alone: dict[str, Any] = {**options, "keep_faults": True, "engine": "reference"}
    outputs: Mapping[str, NDArray[Any]] = run({**constant, **first}, values, **alone).outputs
    job = delayed(pickle.dumps((shader, constant, values, options)), pure=True)
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


def _rows(chunked: Mapping[str, Chunked]) -> tuple[int, ...]:
    """The chunks of rows that all arrays have. Raises ValueError."""
    if not chunked:
        raise ValueError("no input is a dask.array: use `run`, or give one with a row for each vertex")
    found: dict[str, tuple[float, ...]] = {}
    for name, value in chunked.items():
        if value.ndim != 2:
            raise ValueError(
                f"input '{name}' has {value.ndim} dimension{'s' if value.ndim != 1 else ''}: expected (vertices, components)"
            )
        rows, components = value.chunks
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


def _check_constant(constant: Mapping[str, object]) -> None:
    """Inputs that are not chunked have one row. Raises ValueError."""
    for name, value in constant.items():
        try:
            shape = np.shape(cast("Any", getattr(value, "array", value)))
        except ValueError:  # rows of different lengths, of which `run` says more
            continue
        if (len(shape) == 2 and shape[0] != 1) or len(shape) > 2 or (len(shape) == 1 and shape[0] > 4):
            raise ValueError(f"input '{name}' has a row for each vertex: give it as a dask.array with the chunks of the others")


def _check_independent(shader: Shader, uniforms: Mapping[str, object], options: Mapping[str, Any]) -> None:
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
def _job(data: bytes) -> tuple[Shader, dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The shader of a chunk with its arguments; a worker keeps it with its compiled code."""
    return pickle.loads(data)


def run_chunk(job: bytes, start: int, blocks: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The outputs of a chunk of vertices, the first of which is number `start` of the whole. Raises RunError with a note of
    where the chunk is."""
    shader, constant, uniforms, options = _job(job)
    count = len(next(iter(blocks.values())))
    run: Any = shader.run
    try:
        found = run({**constant, **blocks}, uniforms, **{"engine": LLVM, **options, "count": count})
    except Exception as error:
        error.add_note(f"in the chunk of vertices {start} to {start + count - 1}: vertex N there is vertex {start} + N")
        raise
    return dict(found.outputs)
