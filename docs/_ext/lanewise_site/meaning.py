"""Meaning of an instruction as code: the functions of the source that compute it, and those of their modules that they call."""

from __future__ import annotations

import inspect
import textwrap
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, cast

from lanewise.direct3d9.engine import reference as direct3d9_reference
from lanewise.direct3d9.isa import table as direct3d9
from lanewise.direct3d9.sem import flow as direct3d9_flow
from lanewise.direct3d9.sem import meaning as direct3d9_meaning
from lanewise.direct3d9.sem import texture
from lanewise.pica200.sem import emission
from lanewise.pica200.sem import flow as pica200_flow
from lanewise.pica200.sem import meaning as pica200_meaning
from lanewise.shadercore.isa import table as shadercore
from lanewise.shadercore.isa.devices import DEVICES, value_text
from lanewise.shadercore.sem import meaning as shadercore_meaning
from lanewise.shadercore.sem.numbers import WaveOps
from lanewise_site.markup import details, fence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from lanewise.direct3d9.isa.table import Op as Direct3D9Op

_ALGEBRA = (
    "The function that every engine, the tracer and the compiler use. `m` is the algebra: numbers, symbols or vector code."
)


def meaning(isa: str, row: Mapping[str, Any]) -> list[str]:
    """The Markdown blocks of an instruction's code, without a heading; none for a row that has no code, such as a
    declaration."""
    name = str(row.get("base") or row["name"])
    return {"pica200": _pica200, "shadercore": _shadercore, "direct3d9": _direct3d9}[isa](name)


# PICA200


def _pica200(name: str) -> list[str]:
    if name in pica200_meaning.MEANING:
        return [_ALGEBRA, _listing(pica200_meaning.MEANING[name])]
    if name in ("emit", "setemit"):
        return ["The function that every engine of geometry shaders uses.", _listing(emission.emit)]
    start = pica200_flow.FLOW.get(name, pica200_flow.step)
    every = [*_reached(start, None)]
    after = [function for function in every if function.__name__.startswith("_leave") or function.__name__ == "_return"]
    return [
        "The sequencer's function: it gives all successors as a tree, which the interpreter, the graph and the checker walk.",
        _source([function for function in every if function not in after]),
        details("_leave: what follows every instruction", _source(after)) if after else "",
    ]


# ShaderCore


def _shadercore(name: str) -> list[str]:
    op = shadercore.BY_NAME[name]
    if not op.dests:
        return []
    modifiers = details(
        "Modifiers of sources, and saturation", _source([shadercore_meaning.modified, *_reached(WaveOps.saturate, None)])
    )
    if not op.operation:
        return ["The source with its modifier is the result.", modifiers]
    number = f" with the number {op.immediate}" if op.immediate else ""
    parts = [
        f"The row names the operation `{op.operation}`{number}. A value is the 32-bit patterns of a wave, a lane each.",
    ]
    listings = {device: _on_device(op.operation, WaveOps(DEVICES[device])) for device in DEVICES}
    if len(set(listings.values())) == 1:
        parts.append(next(iter(listings.values())))
    else:
        for device, text in listings.items():
            parts += [f"### On `{device}`", text]
    return [*parts, modifiers]


def _on_device(operation: str, ops: WaveOps) -> str:
    """The functions with the rules of a device, and the answers that they look at."""
    functions = [*_reached(getattr(WaveOps, operation), ops)]
    names = {name for function in functions for code in _codes(function.__code__) for name in code.co_names}
    answers = {name: value for name, value in vars(ops).items() if name in names and isinstance(value, (bool, int))}
    known = ["`_EXACT` is binary32 of IEEE 754, to nearest with ties to even"] if "_EXACT" in names else []
    known += [f"`self.{name}` is {value if isinstance(value, bool) else value_text(value)}" for name, value in answers.items()]
    return (f"{'; '.join(known)}.\n\n" if known else "") + _source(functions)


# Direct3D 9

_FLOW: Mapping[str, str] = {
    direct3d9.IF_BLOCK: "_if",
    direct3d9.LOOP_BLOCK: "_loop",
    direct3d9.REP_BLOCK: "_loop",
    direct3d9.CALLS: "_call",
    direct3d9.RETURNS: "_leave",
    direct3d9.BREAKS: "_leave",
}
_TEXTURES: Mapping[str, str] = {
    "tex": "_tex",
    "texcoord": "_texcoord",
    "texldl": "_texld",
    "texldd": "_texld",
    "texbem": "_texbem",
    "texbeml": "_texbem",
}
# What walks a shader, not one instruction.
_WALKS = frozenset({"_block", "_routine", "_new_live", "_remaining"})


def _direct3d9(name: str) -> list[str]:
    op = next(op for op in direct3d9.OPS if op.name == name)
    functions: Mapping[str, Callable[..., object]] = direct3d9_meaning.meanings(cast("Any", None))
    if name in functions:
        return [_ALGEBRA.replace("`m`", "`j.m`"), _listing(functions[name])]
    walker = direct3d9_flow.Walker
    if op.role == direct3d9.TEXTURING:
        return ["The caller provides the samplers.", _textured(op)]
    if name in ("dsx", "dsy"):
        return [
            "The lanes of a wave are pixels of quads; `axis` is 0 for dsx, 1 for dsy.",
            _source([direct3d9_reference.Machine.difference]),
        ]
    start = "_compare" if name == "setp" else _FLOW.get(op.block) or _FLOW.get(op.part)
    if start is None:
        return []
    return [
        "The walker keeps a mask of the active lanes, which flow control narrows.",
        _source([*_reached(_function(walker, start), walker, _WALKS)]),
    ]


def _textured(op: Direct3D9Op) -> str:
    if op.name == "texkill":
        return _listing(_function(texture, "_killed"))
    if "depth" in op.name:
        return _listing(_function(texture, "_depth"))
    sampling = _function(texture, "_Texture")
    return _source([*_reached(_function(sampling, _TEXTURES.get(op.name, "_addressed")), sampling, public=("row",))])


def _function(owner: object, name: str) -> Callable[..., object]:
    return cast("Callable[..., object]", inspect.getattr_static(owner, name))


# Functions and what they call


def _listing(start: Callable[..., object]) -> str:
    return _source(_reached(start, None))


def _source(functions: Collection[Callable[..., object]] | Iterator[FunctionType]) -> str:
    parts: list[str] = []
    module = ""
    for function in functions:
        text = textwrap.dedent(inspect.getsource(function)).rstrip()
        parts.append(f"# in {function.__module__}\n{text}" if module not in ("", function.__module__) else text)
        module = function.__module__
    return fence("\n\n".join(parts), "python")


def _reached(
    start: object, owner: object, without: Collection[str] = (), public: Collection[str] = ()
) -> Iterator[FunctionType]:
    """A function, and those that it calls: of its own module, and private methods and rules of `owner`, also some `public`
    ones. Each once."""
    home = (owner if isinstance(owner, type) else type(owner)).__module__
    seen: set[FunctionType] = set()
    left = [*_functions(start)]
    while left:
        function = left.pop(0)
        if function in seen:
            continue
        seen.add(function)
        yield function
        for name in dict.fromkeys([name for code in _codes(function.__code__) for name in code.co_names]):
            if name in without:
                continue
            found: object = function.__globals__.get(name)
            if isinstance(found, FunctionType) and found.__module__ == function.__module__:
                left.append(found)
            elif function.__module__ == home and (name.startswith("_") or name in public):
                left += _functions(getattr(owner, name, None))


def _functions(value: object) -> list[FunctionType]:
    """The functions with names that a value is or, as a closure, calls."""
    if isinstance(value, MethodType):
        value = value.__func__
    if not isinstance(value, FunctionType):
        return []
    if value.__name__ != "<lambda>":
        return [value]
    return [function for cell in value.__closure__ or () for function in _functions(cell.cell_contents)]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)
