"""Names that users of data frames and arrays look for on programs and results, and where they are."""

from __future__ import annotations

from lanewise.core.arguments import NO_GPU
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_FRAMES = frozenset(("to_dataframe", "to_df", "dataframe", "df", "pandas", "as_dataframe", "frame", "to_frame", "as_pandas"))
_OF_FRAMES = frozenset(
    (
        *("agg", "apply", "columns", "describe", "dtypes", "groupby", "head", "hist", "iloc", "index", "items", "join", "loc"),
        *("max", "mean", "merge", "min", "plot", "query", "sample", "shape", "sort_values", "std", "sum", "tail"),
        *("to_csv", "to_excel", "to_feather", "to_parquet", "values"),
    )
)
_ARRAYS = frozenset(("array", "arrays", "asarray", "numpy", "to_numpy", "data", "ndarray", "output", "result", "results"))
_CALLED = {"table": "table()", **dict.fromkeys(("to_pandas", *_FRAMES), "to_pandas()")}
_OF_RUNS = frozenset(("outputs", "table", "to_pandas", "warnings", "faults", "bits", "registers", *_FRAMES, *_OF_FRAMES))


_CALLS = {
    *("apply", "call", "compute", "dispatch", "eval", "execute", "forward", "invoke", "launch", "main"),
    *("predict", "process", "shade", "simulate", "transform"),
}
_MOVES = frozenset(("bfloat16", "cpu", "cuda", "double", "float", "gpu", "half", "jit", "requires_grad_", "to", "train"))


_CALLED_ELSEWHERE = {  # of a program: names of other libraries
    **dict.fromkeys(
        ("bind", "set", "set_uniform", "set_uniforms", "uniform", "use", "set_input"), "values are given to `{call}`"
    ),
    **dict.fromkeys(("draw", "render", "plot", "show"), "`{call}.svg(indices=faces)` draws triangles"),
    **dict.fromkeys(("attributes", "attribs", "parameters", "args"), "use `inputs` and `uniforms`"),
    **dict.fromkeys(("varyings", "results_names", "output_names"), "use `outputs`"),
    **dict.fromkeys(("source", "code", "asm", "disassemble", "disassembly", "listing"), "use `text`, its source"),
    **dict.fromkeys(("optimize", "optimise"), "`lanewise opt FILE` shortens programs"),
    **dict.fromkeys(("time", "cycles", "benchmark", "profile"), "`lanewise time FILE` estimates cycles"),
    **dict.fromkeys(("cfg", "flow", "control_flow"), "use `graph()`"),
}
_OF_RESULTS = {
    "to_dict": "use `dict(outputs)`",
    **dict.fromkeys(("show", "draw", "render", "display"), "`svg(indices=faces)` is a drawing, `png(indices=faces)` a picture"),
    "fault": "use `faults`",
    **dict.fromkeys(("ok", "success", "status", "error", "errors"), "`faults` are the lanes that stopped, none if all is well"),
    **dict.fromkeys(("vertices", "count", "n", "size"), "use `lanes`"),
    **dict.fromkeys(("cycles", "time", "timing", "total_cycles"), "times are of the program, not of its results"),
}
_OF_BATCHES = {
    "inputs": "the arrays that it was made with are read: write into them",
    **dict.fromkeys(("set_inputs", "set_input", "update"), "write into the arrays of inputs"),
    **dict.fromkeys(("result", "results"), "`run` gives `outputs`, arrays by name"),
    **dict.fromkeys(("close", "release", "free"), "it needs no closing"),
    **dict.fromkeys(
        ("faults", "warnings", "to_pandas", "svg", "table"), "`shader.run(inputs, uniforms)` gives a result that has it"
    ),
}


def of_batch(name: str, outputs: Iterable[str]) -> str:
    """Where a name is that a batch does not have."""
    return f"use `outputs['{name}']`" if name in [*outputs] else _OF_BATCHES.get(name, "")


def of_result(name: str, outputs: Iterable[str]) -> str:
    """Where a name is that a result does not have."""
    listed = [*outputs]
    if name in listed:
        return f"use `outputs['{name}']`"
    if name in _FRAMES:
        return "use `to_pandas()`"
    if name in _OF_FRAMES:
        return f"a data frame has it, `to_pandas().{name}`"
    if name in _ARRAYS:
        return f"use `outputs`, arrays by name: {', '.join(listed) or 'none'}"
    if name in ("trace", "explain"):
        return "`shader.trace(inputs, uniforms, lane=0)` is that of one vertex"
    if name in _OF_RESULTS:
        return _OF_RESULTS[name]
    if name in ("save", "write", "to_file"):
        return "write a data frame, `to_pandas().to_parquet(path)`, or arrays, `numpy.savez(path, **outputs)`"
    return ""


def of_program(name: str, call: str) -> str:
    """Where a name is that a program does not have; `call` runs it."""
    if name in _OF_RUNS:
        inner = f"to_pandas().{name}" if name in _OF_FRAMES else _CALLED.get(name, name)
        return f"results have it, `{call}.{inner}`"
    if name in ("vertex", "geometry", "program", "programs"):
        return f"this is the program: `{call}`"
    if name == "explain":
        return f"traces have it, `{call.replace('.run(', '.trace(').replace(')', ', lane=0)')}.explain(component)`"
    if name in ("map", "map_vertices", "map_blocks"):
        return "use `lanewise.distributed.map_vertices`"
    if name in ("uniforms", "constants"):
        return f"values are given to `{call}` by register, {{'c0': [1, 0, 0, 0]}}"
    if name in _CALLED_ELSEWHERE:
        return _CALLED_ELSEWHERE[name].format(call=call)
    if name in _CALLS:
        return f"use `{call}`"
    if name in _MOVES:
        return f"{NO_GPU}, with the arithmetic of the hardware: leave `{name}` out"
    return ""


def of_file(name: str, shared: bool, several: bool) -> str:
    """Where a name is that a file of shaders does not have; `shared`: each shader has it, `several`: there is more than one."""
    if shared:
        return f"each shader has it, `file.vertex.{name}`" + (", or `file.pipeline.run` for all" if several else "")
    if name in ("shaders", "entries", "entry_points", "stages"):
        return "use `file.programs`"
    if name in ("dump", "export", "store", "to_file", "write", "write_file"):
        return "use `file.save(path)`"
    return of_program(name, "file.vertex.run(inputs, uniforms)")


__all__ = ["of_file", "of_program", "of_result"]
