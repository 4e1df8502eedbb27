"""`lanewise run` for Direct3D 9 shaders, under a number rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lanewise.arrays.data import option_values, refuse, run_data
from lanewise.arrays.lists import asarray
from lanewise.arrays.report import answered
from lanewise.arrays.words import Words
from lanewise.core.engines import AUTO, LLVM
from lanewise.core.extras import require_numpy
from lanewise.core.ranges import AT_LEAST_ONE, STEPS, check_options
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.trace import shown
from lanewise.core.view import view_of
from lanewise.direct3d9.api.given import plain, samplers_of
from lanewise.direct3d9.engine.data import MOST_ITERATIONS
from lanewise.direct3d9.isa.constants import FLOAT_SET
from lanewise.direct3d9.isa.table import CONSTBOOL, CONSTINT, SAMPLER, TEXTURING
from lanewise.direct3d9.sem.flow import CONSTANT_FILES
from lanewise.direct3d9.sem.numbers import IEEE, rule_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lanewise.core.service import Answer, Request
    from lanewise.direct3d9.api.shader import Direct3DShader
    from lanewise.direct3d9.sem.numbers import Rule

_TRUTH = {"true": True, "1": True, "on": True, "yes": True, "false": False, "0": False, "off": False, "no": False}


def run(shader: Direct3DShader, request: Request) -> Answer:
    """The outputs of a shader over lanes. Raises UsageError, InputFailure, InputError."""
    engine = request.text("engine", AUTO)
    view = view_of(request)
    arguments = run_arguments(request)
    result = shader.run(**arguments, engine=engine)
    remarks: list[str] = []
    unused = [
        *_unused(shader, request),
        *_unread_constants(shader, option_values(request, "uniform")),
        *_unread_samplers(shader, request),
    ]
    if unused:
        remarks.append(f"no effect: {', '.join(unused)}; the shader does not read it or defines it")
    if engine == LLVM and result.reason:
        remarks.append(f"run by the reference engine: {result.reason}")
    return answered(view, result, shader.name, before=shader.diagnostics, remarks=remarks)


def _lists(values: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {name: plain(value) for name, value in values.items()}


def _truths(values: Mapping[str, Any]) -> dict[str, bool]:
    return {name: all(plain(value)) for name, value in values.items()}


def trace(shader: Direct3DShader, request: Request) -> Answer:
    """What one lane does, or where a component came from. Raises UsageError, InputFailure, InputError."""
    view = view_of(request)
    arguments = {key: value for key, value in run_arguments(request).items() if key != "progress"}
    return shown(view, shader.diagnostics, shader.trace(**arguments, lane=view.lane or 0))


def run_arguments(request: Request) -> dict[str, Any]:
    """What `run` and `trace` of a shader take, from a command line. Raises UsageError, InputFailure."""
    check_options(request, {"turns": STEPS, "count": AT_LEAST_ONE})
    integers, booleans = flow_values(request)
    data = run_data(request, "direct3d9")
    refuse(data, "Direct3D 9", ("initial", "outputs"))
    samplers = _samplers(request)
    return {
        "inputs": option_values(request, "input", data.inputs),
        "uniforms": option_values(request, "uniform", data.uniforms),
        "integers": {**_lists(data.integers), **integers},
        "booleans": {**_truths(data.booleans), **booleans},
        "samplers": {**samplers_of(data.samplers), **samplers},
        "rule": chosen_rule(request),
        "count": request.whole("count") if request.has("count") else data.count,
        "turns": request.integer("turns", MOST_ITERATIONS),
        "defaults": 0 if request.has("default") else None,
        "progress": request.progress,
    }


def _samplers(request: Request) -> dict[str, Any]:
    """The samplers of the command line. Raises UsageError, InputFailure, InputError."""
    pairs = _pairs(request, "sampler")
    if not pairs:
        return {}
    require_numpy("--sampler")
    from lanewise.arrays.pictures import read_sampler

    return {name: read_sampler(value, f"--sampler {name}", request.files) for name, value in pairs}


def flow_values(request: Request) -> tuple[dict[str, list[int]], dict[str, bool]]:
    """The i# and b# of a command line, by name. Raises UsageError, InputFailure."""
    integers = {name: _integers(value, f"--int {name}") for name, value in _pairs(request, "int")}
    return integers, {name: _boolean(value, f"--bool {name}") for name, value in _pairs(request, "bool")}


def chosen_rule(request: Request) -> Rule:
    """The number rule of `--rule` or `--device`, with the answers of `--set`. Raises UsageError, InputFailure."""
    name, device, settings = request.text("rule"), request.text("device"), request.texts("set")
    if name and device:
        raise UsageError("--rule and --device both name a number rule: use one of them")
    try:
        if device.lower().endswith(".toml"):
            from lanewise.shadercore.api.services.devices import read_device

            rule = rule_of(read_device(device, request.files))
        else:
            rule = rule_of(device or name or IEEE)
        return rule.set(",".join(settings)) if settings else rule
    except ValueError as error:
        raise UsageError(str(error)) from None


def _unused(shader: Direct3DShader, request: Request) -> list[str]:
    """The i# and b# of the command line that have no effect, such as those with a wrong number."""
    flow = shader.flow
    read = {(source.file, source.number) for inst in flow.insts for source in inst.sources}
    found: list[str] = []
    for letter, key, file, own in (("i", "int", CONSTINT, flow.integers), ("b", "bool", CONSTBOOL, flow.booleans)):
        for name, _ in (*_pairs(request, key), *_pairs(request, "uniform")):
            digits = name[1:]
            if name[:1].lower() == letter and digits.isdigit() and (int(digits) in own or (file, int(digits)) not in read):
                found.append(name)
    return found


def _unread_constants(shader: Direct3DShader, given: Mapping[str, object]) -> list[str]:
    """The constants of the command line that have no effect. A relative address may read any that the shader does not
    define."""
    flow = shader.flow
    read: set[int] = set()
    sources = [(inst, source) for inst in flow.insts for source in inst.sources if source.file in CONSTANT_FILES]
    relative = any(source.is_relative for _, source in sources)
    for inst, source in sources:
        read.update(range(source.constant, source.constant + max(1, inst.op.rows)))
    table = {constant.name: constant for constant in shader.constants}
    found: list[str] = []
    for name, value in given.items():
        constant = table.get(name)
        register = re.fullmatch(r"[cC](\d{1,4})", name)
        if constant is not None and constant.set == FLOAT_SET:
            numbers = set(range(constant.register, constant.register + constant.registers))
        elif constant is None and register is not None:
            array = asarray(value.array if isinstance(value, Words) else value)
            rows = len(array) if array.ndim > 1 else 1
            numbers = set(range(int(register[1]), int(register[1]) + rows))
        else:
            continue
        numbers -= set(flow.constants)
        if not numbers or not (relative or numbers & read):
            found.append(name)
    return found


def _unread_samplers(shader: Direct3DShader, request: Request) -> list[str]:
    """The samplers of the command line that no instruction samples."""
    flow = shader.flow
    stages = {source.number for inst in flow.insts for source in inst.sources if source.file == SAMPLER}
    if flow.version.major < 2:  # the stage of the destination
        stages |= {inst.dest.number for inst in flow.insts if inst.op.role == TEXTURING and inst.dest is not None}
    given = [shader.stage(name) for name, _ in _pairs(request, "sampler")]
    return [f"s{stage}" for stage in given if stage not in stages]


def _pairs(request: Request, key: str) -> list[tuple[str, str]]:
    """The names and values of an option that may be repeated. Raises UsageError."""
    found: list[tuple[str, str]] = []
    for text in request.texts(key):
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--{key} {text}: write NAME=VALUE")
        if name.strip() in [before for before, _ in found]:
            raise UsageError(f"--{key} {name.strip()} is given twice")
        found.append((name.strip(), value))
    return found


def _integers(text: str, what: str) -> list[int]:
    try:
        return [int(part, 0) for part in text.split(",")]
    except ValueError:
        raise InputFailure(f"{what}: expected whole numbers: count, start, step") from None


def _boolean(text: str, what: str) -> bool:
    if text.strip().lower() not in _TRUTH:
        raise InputFailure(f"{what}: '{text}' is neither true nor false")
    return _TRUTH[text.strip().lower()]
