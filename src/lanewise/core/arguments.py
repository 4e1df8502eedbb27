"""Calls of public methods with arguments that they do not have: a sentence with the fix in place of Python's."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# What arguments are called elsewhere.
_CALLED = {
    "bits": "dtype raw words hex",
    "budget": "fuel limit max_instructions max_iter max_steps steps timeout",
    "count": "chunks length n num rows size total",
    "defaults": "default fill fill_value fillna missing nan zero zeros",
    "engine": "accelerator backend compiled cuda gpu jit method mode",
    "inputs": "arrays attribs attributes buffers data df frame inp input points table vbo x",
    "keep_faults": "errors ignore_errors on_error raise_errors raise_on_fault",
    "lane": "index row vertex",
    "progress": "callback pbar tqdm verbose",
    "threads": "jobs n_jobs n_threads nthreads num_threads num_workers parallel processes workers",
    "uniforms": "consts constants parameters params uniform_values",
}
_FILES = ("file", "filename", "out", "output", "path")
_SYNONYMS = {each: name for name, names in _CALLED.items() for each in names.split()}
_MODELS = ("profile", "device", "rule")  # of the PICA200, ShaderCore, Direct3D 9
_BY_VALUE = {"vertices": ("inputs", "count")}


def sentence(function: Callable[..., object], values: tuple[object, ...], named: Iterable[str], error: TypeError) -> str:
    """The message for a call that Python refuses with `error`."""
    from difflib import get_close_matches
    from inspect import Parameter, signature

    parameters = signature(function).parameters
    known = [name for name in parameters if name != "self"]
    strange = next((name for name in named if name not in parameters), "")
    called = f"{function.__qualname__}()"
    drawn = _is_path(values[1]) if len(values) > 1 else strange in _FILES
    if drawn and known[:1] == ["indices"] and "wireframe" in known:  # a drawing, which is returned
        name = function.__name__
        path = values[1] if len(values) > 1 else "drawing." + name
        returned = "the text" if name == "svg" else "bytes"
        how = f"`pathlib.Path({str(path)!r}).write_{'text' if name == 'svg' else 'bytes'}(result.{name}(indices=...))`"
        return f"{called} takes no path, it returns {returned}: {how}"
    if not strange:
        kinds = [parameter.kind for parameter in parameters.values()]
        if len(values) <= kinds.count(Parameter.POSITIONAL_OR_KEYWORD):
            return str(error)
        placed = [name for name in known if parameters[name].kind == Parameter.POSITIONAL_OR_KEYWORD]
        rest = [f"{name}=" for name in known if name not in placed]
        return f"{called} takes {' and '.join(placed) or 'nothing'} by place: give the rest by name, {', '.join(rest)}"
    text = f"{called} has no argument '{strange}'"
    owner = values[0] if values else None
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
    if strange in _MODELS and (model := next((name for name in _MODELS if name in known), "")):
        return f"{text}, which other instruction sets have: here it is {model}="
    if strange in ("strict", "warn", "warnings") and "inputs" in known:
        return f"{text}: `warnings.simplefilter('error', lanewise.InputWarning)` makes errors of warnings about values"
    lower = strange.lower()
    meant = _BY_VALUE.get(lower) or (lower, _SYNONYMS.get(lower, ""))
    close = [name for name in meant if name in known] or get_close_matches(lower, known, 2, 0.7)
    return f"{text}: " + (f"did you mean {' or '.join(close)}?" if close else f"it has {', '.join(known)}")


def _is_path(value: object) -> bool:
    return isinstance(value, str) or hasattr(value, "__fspath__")


def _names(owner: object, attribute: str) -> list[str]:
    """The names of the inputs or uniforms of a program, as far as it knows them."""
    found: Iterable[object] = getattr(owner, attribute, None) or ()
    return [str(getattr(one, "name", one)) for one in found]


__all__ = ["sentence"]
