"""Random shaders beside what `lanewise opt` makes of them: `lanewise fuzz --target direct3d9-opt`.

Both run on the same random and boundary values under each rule of the proofs in turn; a differing bit is a finding.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.core.fuzzing import Compared, Difference, Origin, RandomPrograms, Reduced
from lanewise.direct3d9.api.services.fuzz import case_of, source_of
from lanewise.direct3d9.engine import reference
from lanewise.direct3d9.engine.data import bind
from lanewise.direct3d9.engine.reduce import reduced
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.opt.shader import RULES, optimised_shader
from lanewise.direct3d9.sem.tree import resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.direct3d9.engine.data import Raw
    from lanewise.direct3d9.engine.random_programs import Case
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.sem.numbers import Rule


class _Found(NamedTuple):
    difference: Difference | None
    steps: int
    reason: str
    results: bytes = b""


def _run(shader: Shader, case: Case, rule: Rule) -> Raw:
    """A run of a shader with the data of a case. Raises ValueError, InputError."""
    flow, findings = resolve(shader)
    if flow is None:
        raise ValueError(findings[0].message)
    used = {name for port in interface.inputs(shader) for name in port.names}
    data = bind(
        flow,
        interface.inputs(shader),
        rule,
        inputs={name: Words(grid) for name, grid in case.inputs.items() if name.lower() in used},
        constants={name: Words(row) for name, row in case.constants.items()},
        integers=case.integers,
        booleans=case.booleans,
        samplers={},
        count=case.lanes,
    )
    wanted = tuple(dict.fromkeys([(port.file, port.number) for port in interface.outputs(shader)]))
    return reference.run(flow, rule, data, wanted, kills=interface.kills(shader))


def _compared(case: Case) -> _Found:
    try:
        found = optimised_shader(case.shader)
    except ValueError as error:
        return _Found(None, 0, str(error))
    if found is None:
        return _Found(None, 0, "not provable")
    if not found.steps:
        return _Found(None, 0, "nothing to remove")
    smaller = case.shader._replace(items=found.items)
    digest = blake2b(repr(smaller.words).encode(), digest_size=16)
    ports = {(port.file, port.number): port for port in interface.outputs(case.shader)}
    for rule in RULES:
        try:
            runs = [_run(shader, case, rule) for shader in (case.shader, smaller)]
        except (InputError, ValueError) as error:
            return _Found(None, 0, str(error))
        killed = [np.zeros(case.lanes, bool) if run.killed is None else run.killed for run in runs]
        if not np.array_equal(killed[0], killed[1]):
            lane = int(np.nonzero(killed[0] != killed[1])[0][0])
            return _Found(_difference("whether the pixel is stopped", lane, rule, killed[0][lane], killed[1][lane]), 1, "")
        for key, port in ports.items():
            first, second = (run.outputs[key] for run in runs)
            unequal = np.argwhere((first != second) & ~killed[0][:, None])
            if len(unequal):
                lane, component = map(int, unequal[0])
                where = f"{port.register}.{'xyzw'[component]}"
                return _Found(_difference(where, lane, rule, first[lane, component], second[lane, component]), 1, "")
    return _Found(None, len(found.steps), "", digest.digest())


def _difference(where: str, lane: int, rule: Rule, first: object, second: object) -> Difference:
    one, other = [f"0x{int(str(each)):08X}" if str(each).isdigit() else str(each) for each in (first, second)]
    return Difference(f"{where} of lane {lane} under {rule.describe()}", one, other, 0)


def compare(seed: int, number: int, level: str) -> Compared:
    """One shader beside its smaller form."""
    case = case_of(seed, number)
    found = _compared(case)
    lanes = len(RULES) * case.lanes if found.steps else 0
    return Compared(
        number=number, reason=found.reason, lanes=lanes, ended=lanes, difference=found.difference, results=found.results
    )


def reduce(seed: int, number: int, level: str, origin: Origin, tick: Callable[[], None]) -> Reduced:
    """The fewest instructions and lanes that still differ."""

    def differs(candidate: Case) -> bool:
        tick()
        return _compared(candidate).difference is not None

    small = reduced(case_of(seed, number), differs)
    difference = _compared(small).difference
    if difference is None:
        raise ValueError(f"program {number} of seed {seed} does not differ")
    return source_of(small, _WHAT, difference, origin)


def written(seed: int, number: int, difference: Difference, origin: Origin) -> Reduced:
    """The whole shader as a source."""
    return source_of(case_of(seed, number), _WHAT, difference, origin)


_WHAT = "The shader that lanewise opt makes of this one differs"
OPTIMISED_PROGRAMS = RandomPrograms(compare=compare, reduce=reduce, written=written, budget=0, done="shortened")
