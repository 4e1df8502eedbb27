"""The run of a Direct3D 9 shader that a request asks for: `Plan`, read once by `plan_of`.

`run`, `trace` and `debug` take the plan; what to show is a `lanewise.core.view.View`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanewise.arrays.data import option_values, refuse, run_data
from lanewise.arrays.values import origin_of
from lanewise.core.diagnostics import SAMPLER, UNIFORM
from lanewise.core.engines import AUTO
from lanewise.core.extras import require_numpy
from lanewise.core.origins import Origin
from lanewise.core.ranges import AT_LEAST_ONE, STEPS, check_options
from lanewise.core.record import Record
from lanewise.core.service import InputFailure, UsageError
from lanewise.direct3d9.api.given import plain, samplers_of
from lanewise.direct3d9.engine.data import MOST_ITERATIONS
from lanewise.direct3d9.sem.numbers import IEEE, rule_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from lanewise.arrays.words import Words
    from lanewise.core.service import Request
    from lanewise.direct3d9.sem.numbers import Rule

    Values = dict[str, NDArray[Any] | Words]

_TRUTH = {"true": True, "1": True, "on": True, "yes": True, "false": False, "0": False, "off": False, "no": False}


class Named(Record):
    """Data from options of the command line, without the data file: data without an effect is a remark."""

    uniforms: Values
    """Uniforms of `--uniform`."""
    integers: tuple[str, ...]
    """Names of `--int`."""
    booleans: tuple[str, ...]
    """Names of `--bool`."""
    samplers: tuple[str, ...]
    """Names of `--sampler`."""


class Plan(Record):
    """The data of a run, and how it computes."""

    inputs: Values
    """By usage or register."""
    uniforms: Values
    """Constants by name or register."""
    integers: dict[str, list[Any]]
    """Values of i# by name."""
    booleans: dict[str, bool]
    """Values of b# by name."""
    samplers: Mapping[int | str, Any]
    """Pictures with their states, by name or by the number of the stage."""
    rule: Rule
    """What a number is, and what an operation on it gives."""
    lanes: int | None
    """The number of lanes; None for as many as the inputs have."""
    turns: int
    """The most iterations of loops."""
    defaults: int | None
    """The value of what has no data; None where that is an error."""
    engine: str
    """A name of `lanewise.core.engines`."""
    progress: Callable[[int, int], None] | None
    """What is called during long work."""
    named: Named
    """What options give."""

    def arguments(self) -> dict[str, Any]:
        """The arguments of `Direct3DShader.trace` besides the lane."""
        return {
            "inputs": self.inputs,
            "uniforms": self.uniforms,
            "integers": self.integers,
            "booleans": self.booleans,
            "samplers": self.samplers,
            "rule": self.rule,
            "count": self.lanes,
            "turns": self.turns,
            "defaults": self.defaults,
        }


def plan_of(request: Request) -> Plan:
    """The plan of a request. Raises UsageError, InputFailure, InputError."""
    check_options(request, {"turns": STEPS, "count": AT_LEAST_ONE})
    integers, booleans = flow_values(request)
    data = run_data(request, "direct3d9")
    refuse(data, "Direct3D 9", ("initial", "outputs"))
    samplers = _samplers(request)
    inputs, uniforms = option_values(request, "input", data.inputs), option_values(request, "uniform")
    return Plan(
        inputs=inputs,
        uniforms={**data.uniforms, **uniforms},
        integers={**_lists(data.integers), **integers},
        booleans={**_truths(data.booleans), **booleans},
        samplers={**samplers_of(data.samplers), **samplers},
        rule=chosen_rule(request),
        lanes=request.whole("count") if request.has("count") else data.count,
        turns=request.integer("turns", MOST_ITERATIONS),
        defaults=0 if request.has("default") else None,
        engine=request.text("engine", AUTO),
        progress=request.progress,
        named=Named(uniforms, tuple(integers), tuple(booleans), tuple(samplers)),
    )


def flow_values(request: Request) -> tuple[dict[str, list[int]], dict[str, bool]]:
    """The i# and b# of a command line, by name. Raises UsageError, InputFailure."""
    integers = {name: _integers(value, f"--int {name}") for name, value in _pairs(request, "int")}
    return integers, {name: _boolean(value, f"--bool {name}") for name, value in _pairs(request, "bool")}


def _lists(values: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {name: plain(value) for name, value in values.items()}


def _truths(values: Mapping[str, Any]) -> dict[str, bool]:
    return {name: all(plain(value)) for name, value in values.items()}


def _samplers(request: Request) -> dict[str, Any]:
    """The samplers of the command line. Raises UsageError, InputFailure, InputError."""
    pairs = _pairs(request, "sampler")
    if not pairs:
        return {}
    require_numpy("--sampler")
    from lanewise.arrays.pictures import read_sampler

    return {name: read_sampler(value, f"--sampler {name}", request.files) for name, value in pairs}


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
        option = f"--{key} {name.strip()}={value}"
        request.origins[SAMPLER if key == "sampler" else UNIFORM, name.strip()] = (
            origin_of(value, request.files, option) if key == "sampler" else Origin(option=option)
        )
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
