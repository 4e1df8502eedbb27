"""Calls of public methods with arguments that they do not have: a sentence with the fix in place of Python's."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from inspect import Parameter
    from typing import Any

# What arguments are called elsewhere.
_CALLED = {
    "bits": "dtype raw words hex",
    "budget": "fuel limit max_instructions max_iter max_steps steps timeout",
    "count": "chunks length n num rows size total",
    "defaults": "default fill fill_value fillna missing nan zero zeros",
    "engine": "accelerator backend compiled cuda gpu jit method mode",
    "inputs": "arrays attribs attributes buffers data df frame inp input points table vbo x",
    "include": "include_dirs include_path includes",
    "keep_faults": "errors ignore_errors on_error raise_errors raise_on_fault",
    "lane": "index row vertex",
    "outputs": "actual answer desired expect expected expects golden output reference result results want",
    "progress": "callback pbar tqdm verbose",
    "source": "code file filename path src text",
    "path": "file filename source src",
    "name": "filename",
    "tolerance": "abs abs_tol atol delta eps epsilon rel rel_tol rtol tol ulp ulps",
    "indices": "faces index triangles",
    "scale": "dpi figsize height resolution size width zoom",
    "nearest": "mode round rounding",
    "values": "array data floats input numbers x",
    "words": "array bits data input raw values x",
    "threads": "jobs n_jobs n_threads nthreads num_threads num_workers parallel processes workers",
    "to": "dialect format into language target",
    "uniforms": "consts constants parameters params uniform_values",
}
_INSTEAD = {  # what others have arguments for
    "out": "results are new arrays; `shader.batch(inputs, uniforms, out=arrays)` writes into those that are there",
    "dtype": "outputs are float32: `outputs[name].astype(dtype)`",
    "seed": "runs have no random numbers: leave it out",
    "copy": "inputs are not changed: leave it out",
    "verbose": "`progress=print` shows how many vertices are done",
}
_FILES = ("file", "filename", "out", "output", "path")
_SYNONYMS: dict[str, list[str]] = {}
for _name, _names_there in _CALLED.items():
    for _each in _names_there.split():
        _SYNONYMS.setdefault(_each, []).append(_name)
_MODELS = ("profile", "device", "rule")  # of the PICA200, ShaderCore, Direct3D 9
_ENGINES = ("auto", "llvm", "reference", "jit", "cuda", "gpu", "cpu")
_ELSEWHERE = frozenset(("cuda", "gpu", "mps", "tpu", "xpu", "rocm", "opencl"))
NO_GPU = "programs run on the processor"
_LISTS = ("assemble()",)  # whose first argument may be several sources
_BESIDE = {"Batch.run()": "write into the arrays of inputs and `batch.uniforms`, or use `shader.run`"}
_OF_KIND: dict[type, tuple[str, ...]] = {
    int: ("count", "lane", "vertices"),
    str: ("target", "name"),
    bool: ("bits", "everything", "nearest"),
}
_OF_CASES = ("inputs", "uniforms", "outputs", "tolerance", "count", "defaults", "registers")
_BY_VALUE = {"vertices": ("inputs", "count")}


def sentence(function: Callable[..., object], values: tuple[object, ...], named: Mapping[str, object], error: TypeError) -> str:
    """The message for a call that Python refuses with `error`."""
    from difflib import get_close_matches
    from inspect import signature

    parameters = signature(function).parameters
    known = [name for name in parameters if name != "self"]
    strange = next((name for name in named if name not in parameters), "")
    called = f"{function.__qualname__.removesuffix('.__init__')}()"
    drawn = _is_path(values[1]) if len(values) > 1 else strange in _FILES
    if drawn and known[:1] == ["indices"] and "wireframe" in known:  # a drawing, which is returned
        name = function.__name__
        path = values[1] if len(values) > 1 else "drawing." + name
        returned = "the text" if name == "svg" else "bytes"
        how = f"`pathlib.Path({str(path)!r}).write_{'text' if name == 'svg' else 'bytes'}(result.{name}(indices=...))`"
        return f"{called} takes no path, it returns {returned}: {how}"
    if not strange:
        needed = [name for name in known if f"'{name}'" in str(error)] if " missing " in str(error) else []
        return _by_place(called, parameters, values, named) or (
            f"{called} needs {' and '.join(needed)}" if needed else str(error).replace(".__init__", "")
        )
    if str(named[strange]).partition(":")[0].lower() in _ELSEWHERE:
        return f"{called} has no argument '{strange}': {NO_GPU}, leave it out" + (
            ", or give engine='llvm', threads=os.cpu_count()" if "threads" in known else ""
        )
    text = f"{called} has no argument '{strange}'"
    owner: Any = values[0] if values else None
    given = [*named]
    placed = {argument: [name for name in given if name in _names(owner, argument)] for argument in ("inputs", "uniforms")}
    placed = {argument: names for argument, names in placed.items() if names and argument in known}
    if any(strange in names for names in placed.values()):
        wrong = [name for names in placed.values() for name in names]
        listed = ", ".join(
            f"{argument}={{{', '.join(f'{name!r}: ...' for name in names)}}}" for argument, names in placed.items()
        )
        many = "s" if len(wrong) > 1 else ""
        text = f"{called} has no argument{many} {', '.join(map(repr, wrong))}"
        return f"{text}: give {'them' if many else 'it'} in {' and '.join(placed)}, {listed}"
    if "case" in known and strange in _OF_CASES:
        return f"{text}: a Case has it, `mismatches(program, lanewise.Case({', '.join([f'{name}=...' for name in named])}))`"
    if hasattr(owner, "_setting"):
        return f"{text}: use `{owner._setting(named)}`"
    if strange in _MODELS and (model := next((name for name in _MODELS if name in known), "")):
        return f"{text}, which other instruction sets have: here it is {model}="
    if strange in ("strict", "warn", "warnings") and "inputs" in known:
        return f"{text}: `warnings.simplefilter('error', lanewise.InputWarning)` makes errors of warnings about values"
    if strange in _INSTEAD and "inputs" in known:
        return f"{text}: {_INSTEAD[strange]}"
    lower = strange.lower()
    meant = _BY_VALUE.get(lower) or (lower, *_SYNONYMS.get(lower, ()))
    close = [name for name in meant if name in known] or get_close_matches(lower, known, 2, 0.7)
    return f"{text}: " + (f"did you mean {' or '.join(close)}?" if close else f"it has {', '.join(known)}")


def _by_place(called: str, parameters: Mapping[str, Parameter], values: Sequence[object], named: Mapping[str, object]) -> str:
    """The message for values by place that are too many, or that are given by name too; empty for another mistake."""
    placed = [name for name, each in parameters.items() if each.kind == each.POSITIONAL_OR_KEYWORD]
    twice = next((name for name in placed[: len(values)] if name in named), "")
    shown = [name for name in placed if name != "self"]
    owner: Any = values[0] if values else None
    if hasattr(owner, "_setting") and len(values) == 2 and isinstance(values[1], dict):
        return f"{called} takes no dict: use `{owner._setting(values[1])}`"
    if hasattr(owner, "_setting") and len(values) == 3 and isinstance(values[1], str):
        return f"{called} takes one value by place: use `{owner._setting({values[1]: values[2]})}`"
    if twice:
        place = ["first", "second", "third", "fourth", "fifth"][min(shown.index(twice), 4)]
        value = values[placed.index(twice)]
        meant = "uniforms" if isinstance(value, dict) and "uniforms" in placed else ""
        return f"{called} takes {twice} {place}, and by name once more: " + (
            f"give what is {place} by name too, `{meant}=...`" if meant else "give it once"
        )
    if len(values) <= len(placed):
        return ""
    if called in _LISTS and "-o" in values:
        path = next((value for value in values[2:] if isinstance(value, str) and value[:1] != "-"), "shader.shbin")
        return f"{called} takes a source: write the file with `.save({path!r})`"
    if called in _LISTS and all(isinstance(value, str) or hasattr(value, "__fspath__") for value in values):
        return f"{called} takes one source: several are a list, `lanewise.{called[:-1]}{[*map(str, values)]})`"
    if len(shown) == 1 and len(values) > 1 and all(isinstance(value, (int, float)) for value in values):
        return f"{called} takes {shown[0]}, one array: `{called[:-1]}{[*values]!r})`"
    rest = [name for name, each in parameters.items() if each.kind == each.KEYWORD_ONLY]
    value = values[len(placed)]

    if isinstance(value, str) and value.startswith("-"):
        return f"{called} takes {' and '.join(shown)} by place, options by name with _ for -: leave {value!r} out"
    first = _OF_KIND.get(type(value), ()) if len(values) == len(placed) + 1 else ()
    if isinstance(value, str) and "engine" in rest:
        first = ("engine",) if value.lower() in _ENGINES else _MODELS
    likely = [f"{name}={value!r}" for name in first if name in rest and name not in named]
    if not rest and not shown:
        return f"{called} takes no arguments: {_BESIDE.get(called, 'leave them out')}"
    names = ", ".join(f"{name}=" for name in rest)
    return f"{called} takes {' and '.join(shown) or 'nothing'} by place" + (
        f": give {value!r} by name, {' or '.join(likely)}" if likely else f": give the rest by name, {names}" if rest else ""
    )


def check_progress(progress: object) -> None:
    """Raise TypeError for what cannot be called with two numbers."""
    from inspect import signature

    what = "expected a function of how many are done and of all"
    if not callable(progress):
        from lanewise.core.argument_kinds import shown

        raise TypeError(f"progress is {shown(progress)}, {what}, such as print") from None
    try:
        signature(progress).bind(0, 1)
    except TypeError:
        name = getattr(progress, "__qualname__", "") or type(progress).__name__
        name = name.rpartition("<locals>.")[2]
        how = "bar.update(done - bar.n)" if name.endswith(".update") else f"{name}(done)"
        if "<" in name:  # a lambda has no name
            name, how = "a lambda", "print(done, total)"
        raise TypeError(f"progress is {name}, which does not take two numbers, {what}: `lambda done, total: {how}`") from None
    except ValueError:  # a builtin without a signature
        return


def component_of(value: object) -> str:
    """The component of an output or register that is to be explained. Raises TypeError for what is not a text."""
    if isinstance(value, str):
        return value.strip()
    raise TypeError(f"component is {value!r}, expected a text such as 'position.x'; `lane=` of `trace` is the vertex or pixel")


def _is_path(value: object) -> bool:
    return isinstance(value, str) or hasattr(value, "__fspath__")


def _names(owner: object, attribute: str) -> list[str]:
    """The names of the inputs or uniforms of a program, as far as it knows them."""
    found: Iterable[object] = getattr(owner, attribute, None) or ()
    return [str(getattr(one, "name", one)) for one in found]


__all__ = ["NO_GPU", "check_progress", "component_of", "sentence"]
