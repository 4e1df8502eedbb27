"""SPIR-V through lanewise's compiler for ShaderCore: what `compiled` is for the PICA200."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lanewise.compile.shadercore.vector import SEMANTICS, compile_vector
from lanewise.compile.spirv.lower import Options, lower
from lanewise.compile.spirv.module import Module, read_module
from lanewise.compile.spirv.semantics import LOCATIONS
from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.isa.devices import DOCUMENT
from spirv.compiled import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from lanewise.compile.shadercore.vector import VectorCompiled
    from lanewise.compile.vector.code import Program
    from lanewise.shadercore.isa.devices import Device

    Array = NDArray[Any]

BOUND = 5  # of counts: what random data has at most


class Compiled(NamedTuple):
    """A shader for a device, with the program between front end and back end."""

    made: VectorCompiled
    vector: Program
    words: int

    def constants(self, uniforms: Mapping[str, Array]) -> dict[tuple[int, int], int]:
        """Patterns of c# by number and component."""
        found = {(upload.number, n): bits or 0 for upload in self.made.uploads for n, bits in enumerate(upload.values)}
        for row in self.made.uniforms:
            values = np.asarray(uniforms[row.name], np.float64).reshape(-1, row.columns)
            found |= {(row.first + at, n): _bits(value) for at, each in enumerate(values) for n, value in enumerate(each)}
        for setting in self.made.settings:
            given = uniforms[setting.name]
            found[setting.register, setting.component] = _bits(float(bool(given) if setting.is_flag else int(given)))
        return found

    def run(
        self, inputs: Mapping[str, Array], uniforms: Mapping[str, Array], count: int, engine: str = "auto"
    ) -> dict[str, Array]:
        """What leaves the core, by semantic or name, in float32; components that nothing writes are NaN."""
        given: dict[tuple[int, int], Array] = {}
        lanes = {item.name: item.lanes for item in self.vector.inputs}
        for port in self.made.inputs:
            base, _, column = port.name.rpartition("_")
            if port.name in inputs:
                values = np.asarray(inputs[port.name]).reshape(count, -1)
            elif column.isdecimal() and base in inputs:  # a matrix has an input for each column
                values = np.asarray(inputs[base])[..., int(column)].reshape(count, -1)
            else:
                continue
            for n in range(min(lanes[port.name], values.shape[1])):
                given[port.register, n] = np.ascontiguousarray(values[:, n].astype(np.float32)).view(np.uint32)
        found = run_waves(self.made.program.insts, self.made.device, self.constants(uniforms), given, count, engine=engine)
        outputs: dict[str, Array] = {}
        for port in self.made.outputs:
            columns = [n for n in range(4) if ("o", port.register, n) in found and port.mask >> n & 1]
            if columns:
                rows = np.full((count, max(columns) + 1), np.nan, np.float32)
                for n in columns:
                    rows[:, n] = found["o", port.register, n].view(np.float32)
                outputs[port.usage or port.name] = rows
        return outputs


def _bits(value: float) -> int:
    return int(np.float32(value).view(np.uint32))


def compile_module(data: bytes, name: str = "shader", device: Device = DOCUMENT, *, output_locations: bool = False) -> Compiled:
    """Raises Refusal."""
    module = read_module(data, name)
    if not isinstance(module, Module):
        raise Refusal(module)
    locations = {n: semantic for n, semantic in LOCATIONS.items() if semantic in SEMANTICS} if output_locations else {}
    lowered = lower(module, Options(semantics=SEMANTICS, unnamed=True, output_locations=locations))
    if lowered.program is None:
        raise Refusal(lowered.diagnostics)
    counts = [count.name for count in lowered.program.counts]
    counts += [uniform.name for uniform in lowered.program.uniforms if uniform.name[0] == "n"]  # integers of random shaders
    bounds = dict.fromkeys(counts, BOUND)
    result = compile_vector(lowered.program, device, bounds)
    if result.compiled is None:
        raise Refusal(result.diagnostics)
    return Compiled(result.compiled, lowered.program, result.compiled.slots)
