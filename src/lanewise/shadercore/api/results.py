"""The result of a run of a ShaderCore program: `WaveResult`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lanewise.arrays.outputs import Arrays
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.shadercore.isa.devices import Device


class WaveResult(NamedTuple):
    """The result of a run over `vertices` vertices.

    `outputs` are arrays of float32 (vertices, components), by what an output is (`position`) or by register (`o0`): the components that
    leave the core, four, or of o2 on the public hardware two. `bits` are the same as patterns, uint32. `device` is the one that it ran
    on, `warnings` what there was to say. `zeroed` are the inputs that the program reads and that `defaults` made 0.
    """

    vertices: int
    outputs: Arrays
    bits: Arrays
    device: Device
    warnings: tuple[Diagnostic, ...]
    zeroed: tuple[str, ...] = ()
