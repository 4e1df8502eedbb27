"""Both engines on one random Direct3D 9 shader: whether they give the same bits."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.words import Words
from lanewise.core.record import Record
from lanewise.direct3d9.engine import reference
from lanewise.direct3d9.engine.data import Raw, bind
from lanewise.direct3d9.engine.llvm import kernel as kernels
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.sem.tree import resolve

if TYPE_CHECKING:
    from lanewise.direct3d9.engine.random_programs import Case
    from lanewise.direct3d9.sem.numbers import Rule


class Difference(Record):
    """The first difference between the engines."""

    register: str
    "The name of the output register."
    component: int
    "Its number, 0 for x."
    lane: int
    "The number of the lane."
    reference: int
    "The pattern of the reference engine."
    llvm: int
    "The pattern of the compiled shader."


class Comparison(NamedTuple):
    """The first difference, None for none, and a hash of what the reference engine gave."""

    difference: Difference | None
    results: bytes


def compare(case: Case, rule: Rule, level: str = "native") -> Difference | None:
    """The first difference, None for none. Raises ValueError for a shader that cannot be resolved or compiled."""
    return compared(case, rule, level).difference


def compared(case: Case, rule: Rule, level: str = "native") -> Comparison:
    """As `compare`, with the hash of the results."""
    flow, findings = resolve(case.shader)
    if flow is None:
        raise ValueError(findings[0].message)
    ports = interface.outputs(case.shader)
    data = bind(
        flow,
        interface.inputs(case.shader),
        rule,
        inputs={name: Words(grid) for name, grid in case.inputs.items()},
        constants={name: Words(row) for name, row in case.constants.items()},
        integers=case.integers,
        booleans=case.booleans,
        samplers={},
        count=case.lanes,
    )
    wanted = tuple(dict.fromkeys((port.file, port.number) for port in ports))
    first = reference.run(flow, rule, data, wanted)
    second = kernels.run(flow, rule, data, wanted, kills=False, level=level)
    if not isinstance(second, Raw):
        raise ValueError(second)
    found = blake2b(digest_size=16)
    for port in ports:
        found.update(np.ascontiguousarray(first.outputs[port.file, port.number]).tobytes())
    for port in ports:
        a, b = (raw.outputs[port.file, port.number] for raw in (first, second))
        if not np.array_equal(a, b):
            lane, component = (int(n) for n in np.argwhere(a != b)[0])
            difference = Difference(
                register=port.register,
                component=component,
                lane=lane,
                reference=int(a[lane, component]),
                llvm=int(b[lane, component]),
            )
            return Comparison(difference, found.digest())
    return Comparison(None, found.digest())
