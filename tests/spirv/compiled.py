"""SPIR-V through lanewise's compiler, and what comes out beside the evaluator's values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.spirv.lower import Options, lower
from lanewise.compile.spirv.module import Module, read_module
from lanewise.compile.spirv.semantics import LOCATIONS
from lanewise.pica200.api.file import read_file
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import write_shbin
from spirv.approximate import MARGIN
from spirv.evaluator import Output

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.compile.pica200.backend import Counted, Result
    from lanewise.compile.vector.code import Program
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.shader import Shader
    from spirv.evaluator import Outcome

    Array = NDArray[Any]


class Refusal(Exception):
    """lanewise refuses the module; the findings say why."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.codes = tuple(sorted({item.code for item in diagnostics if item.severity == "error"}))
        super().__init__("; ".join(f"{item.code} {item.message}" for item in diagnostics))


class Compiled(NamedTuple):
    """A shader that can run, with the program between front end and back end, and its registers for counts."""

    shader: Shader
    vector: Program
    counts: tuple[Counted, ...]
    words: int
    diagnostics: tuple[Diagnostic, ...]

    def settings(self, uniforms: Mapping[str, Array]) -> dict[str, Any]:
        """Values of uniforms by their names in the source, as the registers want them: a row for each. Those that the program
        does not have are left out."""
        found: dict[str, Any] = {}
        for uniform in self.vector.uniforms:
            found[uniform.name] = np.asarray(uniforms[uniform.name], np.float64).reshape(-1, uniform.columns)
        for flag in self.vector.flags:
            found[flag.name] = bool(uniforms[flag.name])
        for count in self.counts:
            turns = int(uniforms[count.name])
            found[f"i{count.register}"] = [max(turns - 1, 0), count.start & 0xFF, count.step & 0xFF]
            if count.guard >= 0:
                found[f"b{count.guard}"] = turns > 0
        return found

    def run(
        self, inputs: Mapping[str, Array], uniforms: Mapping[str, Array], count: int, engine: str = "llvm"
    ) -> dict[str, Array]:
        """Outputs by semantic, in float32."""
        given: dict[str, Array] = {}
        for item in self.vector.inputs:
            base, _, column = item.name.rpartition("_")
            if item.name in inputs:
                given[item.name] = np.asarray(inputs[item.name]).reshape(count, -1)
            elif column.isdecimal() and base in inputs:  # a matrix has an input for each column
                given[item.name] = np.asarray(inputs[base])[..., int(column)]
        result = self.shader.run(inputs=given, uniforms=self.settings(uniforms), count=count, engine=engine, defaults=0)
        return {name: np.asarray(value) for name, value in result.outputs.items()}


def compile_module(data: bytes, name: str = "shader", *, output_locations: bool = False, strict: bool = False) -> Compiled:
    """Compile a module; `strict`: in the order of the source. Raises Refusal."""
    module = read_module(data, name)
    if not isinstance(module, Module):
        raise Refusal(module)
    lowered = lower(module, Options(output_locations=LOCATIONS if output_locations else {}, strict=strict))
    if lowered.program is None:
        raise Refusal(lowered.diagnostics)
    made = compile_vector(lowered.program, name=name)
    if made.program is None:
        raise Refusal(made.diagnostics)
    diagnostics = (*lowered.diagnostics, *made.diagnostics)
    return Compiled(program_of(made, name), lowered.program, made.counts, len(made.encoded.words), diagnostics)


def program_of(made: Result, name: str) -> Shader:
    """The program of a result, read from its file."""
    assert made.program is not None
    shbin = build(made.program, made.encoded.words, made.encoded.descriptors)
    return read_file(write_shbin(shbin), f"{name}.shbin").programs[0]


class Comparison(NamedTuple):
    """How outputs compare: the parts of components that are judged, and of vertices in doubt; what is wrong, as text; the
    greatest ratio of error to bound."""

    judged: float
    apart: float
    wrong: tuple[str, ...]
    ratio: float


def compare(wanted: Outcome, found: Mapping[str, Array], names: Mapping[str, str] | None = None) -> Comparison:
    """The evaluator's outputs and those of a run, within 4 times the bound. `names`: the semantics of outputs; by default their
    names."""
    wrong: list[str] = []
    judged: list[float] = []
    greatest = 0.0
    for name, whole in wanted.outputs.items():
        semantic = "position" if name == "gl_Position" else (names or {}).get(name, name)
        if semantic not in found:  # what nothing writes is no output
            if (np.isfinite(whole.error) & ~wanted.apart[:, None]).any():
                wrong.append(f"{name} is missing")
            continue
        # A semantic may have fewer components than the output: view has three.
        width = min(found[semantic].shape[1], whole.value.shape[1])
        got = found[semantic][:, :width].astype(np.float64)
        output = Output(whole.value[:, :width], whole.error[:, :width])
        known = ~wanted.apart[:, None] & np.isfinite(output.error)
        with np.errstate(invalid="ignore"):
            off = np.where(output.value == got, 0.0, np.abs(got - output.value))
        off = np.where(np.isnan(got) & np.isnan(output.value), 0.0, off)
        off[np.isnan(off)] = np.inf
        bad = known & (off > MARGIN * output.error)
        judged.append(float(known.mean()))
        judging = known & (output.error > 0)
        greatest = max(greatest, float((off[judging] / output.error[judging]).max(initial=0.0)))
        if bad.any():
            lane = int(np.flatnonzero(bad.any(1))[0])
            wrong.append(
                f"{name} of vertex {lane}: found {got[lane]}, wanted {output.value[lane]}, bound {output.error[lane]}"
                f" ({int(bad.any(1).sum())} of {len(bad)} vertices)"
            )
    return Comparison(float(np.mean(judged or [0.0])), float(wanted.apart.mean()), tuple(wrong), greatest)
