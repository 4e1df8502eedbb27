"""Random cases of `fuzz --target shadercore`.

A random Direct3D 9 shader is compiled for a device and compared with itself under the rule of the device, with the routines of
compiled programs."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.words import Words
from lanewise.compile.shadercore.comparing import compare
from lanewise.compile.shadercore.direct3d9 import Compiled, Options, compile_shader
from lanewise.compile.shadercore.tracer import Array, Bound
from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.engine.data import bind
from lanewise.direct3d9.engine.random_programs import ARRAY_END, Case, random_case
from lanewise.direct3d9.engine.random_programs import Options as Kind
from lanewise.direct3d9.isa.interface import inputs
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.direct3d9.sem.tree import resolve
from lanewise.shadercore.isa.table import LANES

if TYPE_CHECKING:
    from lanewise.compile.shadercore.comparing import Difference
    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.shadercore.isa.devices import Device

# Instructions that are routines where a device lacks them, or has them only coarsely: their bits are not those of its words.
ROUTINES = frozenset({"rcp", "rsq", "exp", "log", "expp", "logp", "pow", "nrm", "lit"})
# Relative addresses of random shaders reach these; above them no constant is set, so that what is outside is 0 for both.
ARRAYS = (Array(0, ARRAY_END),)


class Outcome(NamedTuple):
    """The result of a case: the code with which it was `refused`, or the differences. `exact`: it uses no routine."""

    refused: str
    exact: bool
    differences: tuple[Difference, ...]
    compiled: Compiled | None

    @property
    def wrong(self) -> bool:
        """Unexplained differences of bits."""
        return bool(self.differences)


def case_of(seed: int) -> Case:
    """The case of a seed: a small shader, every fourth with relative addresses."""
    rng = random.Random(seed)
    return random_case(
        rng, Kind(size=rng.choice((4, 8, 12)), relative=seed % 4 == 0, compiles=True, returns=True), rng.choice((16, 16, 19))
    )


def data_of(case: Case, flow: Flow, device: Device) -> Data:
    """The data of a case, bound to registers. Raises InputError."""
    return bind(
        flow,
        inputs(case.shader),
        rule_of(device),
        inputs={name: Words(grid) for name, grid in case.inputs.items()},
        constants={name: Words(row) for name, row in case.constants.items()},
        integers=dict(case.integers),
        booleans=dict(case.booleans),
        samplers={},
        count=case.lanes,
    )


def uses_routines(shader: Shader, device: Device) -> bool:
    """Whether an instruction is one that the device has not exactly."""
    exact = all(device.value(key) == "exact" for key in ("rcp", "rsq", "exp_log"))
    return not exact and any(inst.op.name in ROUTINES for inst in shader.insts)


def _knows(case: Case, period: int) -> bool:
    """Whether the compiler knows the values of b# (period 2) or i# (period 3): not in every case, and mostly unchanged while
    one is reduced."""
    return sum([int(row[0]) for row in case.constants.values()]) % period == 0


def _lanes(case: Case, device: Device) -> int:
    """How many lanes are compared: not those of a last wave that is not full where RCP and RSQ see other lanes, as
    a shader has no idle ones."""
    sees = device.value("rcp_sigma") == "stale" or device.value("rsq_gate") == "stale"
    return case.lanes - case.lanes % LANES if sees else case.lanes


def outcome(case: Case, device: Device, *, engine: str = "auto") -> Outcome:
    """Compile a case and compare."""
    flow, found = resolve(case.shader, "random")
    if flow is None:
        return Outcome(found[0].code, True, (), None)
    integers = {int(name[1:]): (v[0], v[1], v[2]) for name, v in case.integers.items()}
    known = _knows(case, 3)
    options = Options(
        integers=integers if known else {},
        bounds={} if known else {number: Bound(max(3, v[0]), v[1], v[2]) for number, v in integers.items()},
        booleans={int(name[1:]): value for name, value in case.booleans.items()} if _knows(case, 2) else {},
        arrays=ARRAYS,
    )
    result = compile_shader(case.shader, device, options)
    if result.compiled is None:
        return Outcome(result.diagnostics[0].code, True, (), None)
    try:
        rule = rule_of(device).set("functions=compiled")
        differences = compare(result.compiled, flow, data_of(case, flow, device), rule=rule, engine=engine)
    except InputError as failure:
        return Outcome(failure.diagnostics[0].code, True, (), result.compiled)
    lanes = _lanes(case, device)
    seen = tuple([each for each in differences if each.lane < lanes])
    return Outcome("", not uses_routines(case.shader, device), seen, result.compiled)
