"""What would fit: the largest array or bound with which a program that is too long would find room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.code import without_dead
from lanewise.compile.passes import join_saturation
from lanewise.isa.shadercore import SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.compile.direct3d9 import Options
    from lanewise.isa.direct3d9_choices import Choices
    from lanewise.isa.shadercore_devices import Device
    from lanewise.sem.direct3d9_tree import Flow


def largest(flow: Flow, device: Device, options: Options, choices: Choices) -> str:
    """A sentence for the user; empty where neither an array nor a bound makes the program long."""
    found: list[str] = []
    for place, array in enumerate(options.arrays):

        def with_count(count: int, place: int = place) -> Options:
            arrays = list(options.arrays)
            arrays[place] = arrays[place]._replace(size=count)
            return options._replace(arrays=tuple(arrays))

        most = _most(with_count, array.size, flow, device, choices)
        if most:
            found.append(f"--array c{array.first}={most} would fit")
    for register, bound in options.bounds.items():

        def with_most(most: int, register: int = register) -> Options:
            return options._replace(bounds={**options.bounds, register: options.bounds[register]._replace(most=most)})

        most = _most(with_most, bound.most, flow, device, choices)
        if most:
            found.append(f"--bound i{register}={most} would fit")
    return "; ".join(found)


def _most(options: Callable[[int], Options], now: int, flow: Flow, device: Device, choices: Choices) -> int:
    """The largest number below `now` whose program fits, 0 if none does."""
    low, high = 0, now
    while high - low > 1:
        middle = (low + high) // 2
        if _slots(flow, device, options(middle), choices) <= SLOTS:
            low = middle
        else:
            high = middle
    return low


def _slots(flow: Flow, device: Device, options: Options, choices: Choices) -> int:
    """The slots of a program before its constants are fitted to the ports."""
    from lanewise.compile.direct3d9 import outputs_of, trace
    from lanewise.compile.tracer import Refused

    try:
        tracer = trace(flow, device, options, choices)
    except Refused:
        return SLOTS + 1
    outputs_of(tracer)
    return join_saturation(without_dead(tracer.builder.code())).slots + len(tracer.builder.outputs) // 4 + 1
