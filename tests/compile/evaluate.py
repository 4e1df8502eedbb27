"""What code gives for a wave, by the exact words of a device: the definition that compiled instructions are compared with."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from lanewise.compile.shadercore.code import CONSTANT, INPUT, PATTERN
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.meaning import added_meaning, meanings
from lanewise.shadercore.sem.numbers import Wave, WaveOps
from lanewise.shadercore.sem.peephole import modified_bits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.compile.shadercore.code import Code
    from lanewise.shadercore.isa.devices import Device


def evaluate(
    code: Code, device: Device, inputs: Mapping[tuple[int, int], Wave], constants: Mapping[tuple[int, int], int]
) -> dict[tuple[int, int], Wave]:
    """The outputs by (register, component); `inputs` and `constants` likewise, 0 where none is given."""
    words, functions = _of(device)
    values: list[Wave] = []
    for node in code.nodes:
        if node.op == PATTERN:
            value: Wave = (node.number,) * LANES
        elif node.op == CONSTANT:
            value = (constants.get((node.number, node.component), 0),) * LANES
        elif node.op == INPUT:
            value = inputs.get((node.number, node.component), (0,) * LANES)
        else:
            waves = [tuple([modified_bits(bits, ref.modifier) for bits in values[ref.node]]) for ref in node.sources]
            function = functions[node.op]
            assert function is not None
            value = function(waves)
            if node.saturate:
                value = words.saturate(value)
        values.append(value)
    return {
        (o.number, o.component): tuple([modified_bits(bits, o.value.modifier) for bits in values[o.value.node]])
        for o in code.outputs
    }


@cache
def _of(device: Device) -> tuple[WaveOps, Mapping[str, Callable[[Sequence[Wave]], Wave] | None]]:
    """The words of a device and its instructions, its own too, which are the same for every wave."""
    words = WaveOps(device)
    tabled = {name: _of_sources(function) for name, function in meanings(words).items()}
    return words, {**tabled, **{op.name: added_meaning(words, op) for op in device.added}}


def _of_sources(function: Callable[[Wave, Wave], Wave] | None) -> Callable[[Sequence[Wave]], Wave] | None:
    return None if function is None else lambda waves: function(waves[0], waves[-1])
