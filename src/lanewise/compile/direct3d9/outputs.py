"""The outputs of a Direct3D 9 vertex shader as semantics of the PICA200.

What the hardware has no place for is left out with a finding, and so is what Direct3D 9 has no name for; options say what goes
where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.compile.direct3d9.options import NOWHERE, Refused
from lanewise.compile.vector.code import Load, Output, Ref, Store, Variable, lanes_of
from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.source import Span
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.interface import SCALARS, outputs
from lanewise.direct3d9.sem.algebra import Component

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.compile.direct3d9.recorder import Recorder
    from lanewise.direct3d9.isa.interface import Port
    from lanewise.direct3d9.isa.program import Shader

# The semantics that the hardware has, with their components (3dbrew, GPU/Internal Registers, GPUREG_SH_OUTMAP).
SEMANTICS: Mapping[str, int] = {
    "position": 4,
    "normalquat": 4,
    "color": 4,
    "texcoord0": 2,
    "texcoord0w": 1,
    "texcoord1": 2,
    "texcoord2": 2,
    "view": 3,
}
_USUAL = {
    ("position", 0): "position",
    ("color", 0): "color",
    ("texcoord", 0): "texcoord0",
    ("texcoord", 1): "texcoord1",
    ("texcoord", 2): "texcoord2",
}
_WHY = {
    "fog": ("fog is computed from the depth", "remove it, and set the fog table of the GPU"),
    "psize": ("there are no point sprites", "remove it, and draw two triangles"),
    "color": ("there is one color", "add it to the first one"),
    "normal": ("it has a quaternion in place of a normal", "write four components"),
}
_PROJECTED = "texcoord0w"


class _Part(NamedTuple):
    """A semantic, and the components of a register that are its components in order."""

    port: Port
    semantic: str
    components: tuple[int, ...]


class Wiring:
    """Decides what each output of a shader is; `findings` are about those that are left out."""

    def __init__(self, shader: Shader, recorder: Recorder, chosen: Mapping[str, str], name: str) -> None:
        self.findings: list[Diagnostic] = []
        self.sources: list[tuple[int, int, tuple[int, ...]]] = []  # of each output: file, number and components of its register
        self._recorder, self._name = recorder, name
        self._ports = outputs(shader)
        self._chosen = {key.lower(): value for key, value in chosen.items()}
        self._insts = recorder.flow.insts

    def outputs(self) -> tuple[Output, ...]:
        """The outputs of the program, whose variables the recorder has. Raises Refused."""
        self._check_options()
        parts = [part for port in self._ports for part in self._parts(port)]
        taken: dict[str, Port] = {}
        for part in parts:
            other = taken.setdefault(part.semantic, part.port)
            if other is not part.port:
                raise Refused(
                    "L309",
                    f"{other.register} and {part.port.register} are both {part.semantic}",
                    f"leave one out: --output {part.port.name}={NOWHERE}",
                )
        alone = [
            sum((each.port.file, each.port.number) == (part.port.file, part.port.number) for each in parts) == 1
            for part in parts
        ]
        found = tuple([self._output(part, alone=own) for part, own in zip(parts, alone, strict=True)])
        mask = next((output.mask for output in found if output.semantic == "position"), 0)
        lost = "".join(letter for n, letter in enumerate(isa.COMPONENTS) if not mask >> n & 1)
        if lost:
            text = f"{lost} of the position is never written" if mask else "the position is never written"
            self._say("L308", text, "write all of oPos, or of the output declared as position")
        return found

    def _check_options(self) -> None:
        names = {name for port in self._ports for name in port.names}
        for key, semantic in self._chosen.items():
            if semantic not in (*SEMANTICS, NOWHERE):
                raise Refused("L309", f"unknown semantic '{semantic}' of {key}", f"use {', '.join(SEMANTICS)} or {NOWHERE}")
            if key not in names:
                raise Refused(
                    "L310", f"--output names {key}, which the shader does not write", "leave it out, or correct the name"
                )

    def _parts(self, port: Port) -> list[_Part]:
        cells = self._recorder.ever
        written = tuple(c for c in port.components if Component(port.file, port.number, c) in cells)
        if (port.file, port.number) in SCALARS:
            written = (0,) if any(cell[:2] == (port.file, port.number) for cell in cells) else ()
        if not written:
            return []
        chosen = next((self._chosen[name] for name in port.names if name in self._chosen), None)
        semantic = (
            chosen
            or _USUAL.get((port.usage, port.ordinal))
            or ("normalquat" if port.usage == "normal" and len(written) == 4 else None)
        )
        if semantic == NOWHERE:
            return []
        if semantic is None:
            why, fix = _WHY.get(port.usage, ("the hardware has no such output", "remove it"))
            self._say(
                "L307",
                f"{port.name} ({port.register}) is left out: {why}",
                f"{fix}, or say what it is: --output {port.name}=SEMANTIC",
                port,
            )
            return []
        width = SEMANTICS[semantic]
        # components in the places that the semantic has: x of an output that is declared as zw is its z
        base = port.components[0] if port.mask != isa.ALL else 0
        places = tuple(c for c in written if c - base < width)
        rest = tuple(c for c in written if c - base >= width)
        parts = [_Part(port, semantic, tuple(range(base, base + width)))] if places else []
        projected = chosen is None and semantic == "texcoord0" and rest and _PROJECTED not in self._chosen.values()
        if projected:
            parts.append(_Part(port, _PROJECTED, (rest[-1],)))
            rest = rest[:-1]
        if rest:
            letters = "".join(isa.COMPONENTS[c] for c in rest)
            there = (
                f"{semantic} has {width} components"
                if not projected
                else f"{_PROJECTED} is one component, and has {isa.COMPONENTS[parts[-1].components[0]]}"
            )
            self._say(
                "L307",
                f"{letters} of {port.name} ({port.register}) is left out: {there}",
                "write fewer components, or pass them in another output",
                port,
            )
        return parts

    def _output(self, part: _Part, *, alone: bool) -> Output:
        """The output of a part: the variable of its register, or a copy of some of its components."""
        recorder, port = self._recorder, part.port
        variable = recorder.register(port.file, port.number)
        cells = [Component(port.file, port.number, c) for c in part.components]
        self.sources.append((port.file, port.number, part.components))
        scalar = (port.file, port.number) in SCALARS
        mask = sum(1 << lane for lane, cell in enumerate(cells) if cell in recorder.ever or (scalar and lane == 0))
        if recorder.assigned is not None:
            recorder.uninitialised.update(cell for cell in cells if cell in recorder.ever and cell not in recorder.assigned)
        if not alone or part.components[0] != 0:
            value = recorder.new()
            recorder.block.append(Load(value, variable))
            variable = len(recorder.variables)
            recorder.variables.append(Variable(f"{port.register}_{part.semantic}"))
            recorder.block.append(Store(variable, mask, tuple(Ref(value, part.components[lane]) for lane in lanes_of(mask))))
        return Output(
            name=port.register if alone else f"{port.register}_{part.semantic}",
            semantic=part.semantic,
            variable=variable,
            mask=mask,
        )

    def _say(self, code: str, message: str, fix: str, port: Port | None = None) -> None:
        places = [
            inst.place
            for inst in self._insts
            if port is not None and inst.dest is not None and (inst.dest.file, inst.dest.number) == (port.file, port.number)
        ]
        self.findings.append(
            Diagnostic(
                code=code,
                severity=WARNING,
                message=message,
                span=next((place for place in places if place), None) or Span(file=self._name),
                fix=fix,
            )
        )
