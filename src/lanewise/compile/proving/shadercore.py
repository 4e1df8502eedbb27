"""A Direct3D 9 shader and a program for ShaderCore, compared by their own meanings on the same terms.

The shader is not compiled: its instructions are operations of the device (`OPERATIONS`), one lane of which the walk of
`proving` follows beside the program, which has no branches. What the compiler tells is where the interface has its inputs,
outputs and numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.shadercore.interface import ELEMENTS
from lanewise.direct3d9.engine.data import DEFAULTS
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.choices import choices_of
from lanewise.direct3d9.proof.machine import Lane, side_of
from lanewise.direct3d9.proof.terms import Paths
from lanewise.direct3d9.proof.terms import Symbols as Operations
from lanewise.direct3d9.sem.algebra import LARGEST, ONE, ZERO
from lanewise.direct3d9.sem.nodes import Condition
from lanewise.direct3d9.sem.numbers import Rule
from lanewise.graph.flow import Node
from lanewise.proving import walk
from lanewise.proving.machine import Flow, Machine, Result
from lanewise.shadercore.isa.timing import time_program
from lanewise.shadercore.proof.terms import Symbols, WaveTerms
from lanewise.shadercore.sem.steps import exports, hang

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from lanewise.compile.shadercore.direct3d9 import Compiled, Options
    from lanewise.compile.shadercore.interface import Place
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.proof.machine import Side
    from lanewise.direct3d9.sem import tree
    from lanewise.direct3d9.sem.algebra import Component, Sampling
    from lanewise.direct3d9.sem.nodes import Turns
    from lanewise.proving.terms import Term
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.timing import Timing
    from lanewise.shadercore.sem.steps import Register

# What an instruction of the shader counts as, where a device has no operation of its name.
OPERATIONS: Mapping[str, str] = {
    "crs": "a.y * b.z + -(a.z * b.y), and so on",
    "dp2add": "the sum of two products, then of that and c",
    "dp3": "the sum of three products, from the left",
    "dp4": "the sum of four products, from the left",
    "exp": "exp2",
    "expp": "exp2",
    "lit": "max(x, 0), and exp2(min(max(w, -127.9961), 127.9961) * log2(|y|)) where x > 0 and y > 0",
    "log": "log2(|a|)",
    "logp": "log2(|a|)",
    "lrp": "a * (b + -c) + c, each rounded",
    "m4x4": "the sum of four products, from the left, for each row",
    "m4x3": "the sum of four products, from the left, for each row",
    "m3x4": "the sum of three products, from the left, for each row",
    "m3x3": "the sum of three products, from the left, for each row",
    "m3x2": "the sum of three products, from the left, for each row",
    "mad": "a * b + c, each rounded",
    "nrm": "a * min(rsq(d), FLT_MAX), where d is the sum of three squares; NaN where d is one",
    "pow": "exp2(b * log2(|a|))",
    "rsq": "rsq(|a|)",
    "sincos": "the series of the half angle",
    "sub": "a + -b",
}


def operations_of(flow: tree.Flow) -> list[str]:
    """Return sentences that name the operations as which the instructions of a shader count."""
    return [f"{name} is {OPERATIONS[name]}" for name in sorted({inst.op.name for inst in flow.insts} & OPERATIONS.keys())]


def unproved(shader: Shader, flow: tree.Flow, compiled: Compiled, program: Program) -> str:
    """Why the two are not shown to be equal on the device that `compiled` is for; empty where they are.

    `compiled` tells where the interface of the shader is. Constants that come with the program are not overwritten.
    """
    if shader.version.kind == isa.PIXEL and shader.version.major < 2:
        return "numbers of ps_1 have a limited range"
    device = compiled.device
    timing = time_program(program.insts, device)
    stops = hang(timing)
    if stops is not None:
        return str(stops)
    try:
        side = side_of(shader, _known(flow, compiled.options))
    except ValueError as error:
        return str(error)
    if side.kills:
        return "the program stops no pixels"
    places, lacking = _outputs(side, compiled)
    if lacking:
        return f"the program has no {lacking}"
    m = _Terms(Rule(device.name, device, choices_of(device.name)))
    m.effort.start()
    presets = {(row.number, component): bits for row in program.constants for component, bits in enumerate(row.values)}
    mine, theirs = _Lane(m, side, compiled), _Program(_Wave(timing, m, presets, _flags(compiled)), places)
    size = len(program.words) + sum([len(node.items) + 1 for node in side.nodes.nodes])
    reason, _ = walk.compare(m, ((side.nodes, mine), (Flow([Node((), _End())]), theirs)), size=size)
    if reason is not None:
        return reason.what
    return f"{min(m.looks_across)} looks at other lanes, which may be elsewhere" if m.looks_across and m.diverges else ""


def _known(flow: tree.Flow, options: Options) -> tree.Flow:
    """A tree with the numbers that the shader was compiled with, but where it has its own."""
    integers = {n: tuple([(each or 0) & 0xFFFFFFFF for each in (*row, 0)]) for n, row in options.integers.items()}
    return flow._replace(integers={**integers, **flow.integers}, booleans={**options.booleans, **flow.booleans})


def _outputs(side: Side, compiled: Compiled) -> tuple[dict[str, Register], str]:
    """The registers of the program by the names of what leaves the core, and the name of one that has none."""
    places = {
        (place.file, place.number, c): ("o", place.register, c)
        for place in compiled.outputs
        for c in range(4)
        if place.mask >> c & 1
    }
    leaving, written = {*exports(compiled.device)}, {*side.values}
    found: dict[str, Register] = {}
    for name, cell in side.outputs.items():
        if cell not in written:
            continue
        register = places.get(cell)
        if register is None:
            return found, name
        if register in leaving:
            found[name] = register
    return found, ""


def _flags(compiled: Compiled) -> dict[tuple[int, int], int]:
    """The numbers of b# by the components of constants that they are in."""
    return {place: int(name[1:]) for name, place in compiled.counts.items() if name[0] == "b"}


class _End:
    """The end of a program."""


class _Terms(Paths, WaveTerms):
    """The terms of the shader, on which programs run too."""

    kept = Paths.kept | WaveTerms.kept
    across = Paths.across | WaveTerms.across
    of_lanes = Paths.of_lanes | WaveTerms.of_lanes


class _Operations(Operations):
    """The algebra of Direct3D 9 in the operations of the device."""

    def normal_scale(self, squared: Term) -> Term:
        """FLT_MAX of infinity; where comparisons see a NaN, one instruction gives FLT_MAX of it too, to which its pattern is
        added."""
        m = self.m
        if m.device.value("compare") != "ieee":
            return super().normal_scale(squared)
        zero, one = m.constant(ZERO), m.constant(ONE)
        number = m.select(m.ordered(squared, zero, or_equal=True), one, zero)
        nan = m.select(m.ordered(zero, number, or_equal=True), one, zero)
        least = m.operation("min", (m.operation("rsq", (squared,)), m.constant(LARGEST)))
        return m.operation("bit_or", (least, nan))


class _Lane(Lane["_Terms"]):
    """The shader on the terms of the program."""

    def __init__(self, m: _Terms, side: Side, compiled: Compiled) -> None:
        super().__init__(m, side, _Operations(m), m.rule.choices)
        self._places: dict[tuple[int, int], Place] = {(place.file, place.number): place for place in compiled.inputs}
        self._leaving, _ = _outputs(side, compiled)

    def results(self) -> list[Result]:
        return [Result(name, self.value(self.side.outputs[name]), self.m.true) for name in sorted(self._leaving)]

    def answer(self, question: Condition | Turns) -> Term:
        found = super().answer(question)
        return self.m.asked(found) if isinstance(question, Condition) else found

    def indexed(self, place: Term, component: int) -> Term:
        return self.m.uniform(place, component, self.side.flow.constants)

    def given(self, cell: Component) -> Term | None:
        if cell not in self.side.inputs:
            return None
        place = self._places.get((cell.file, cell.number))
        if place is None:
            return self.m.node("input", self.side.inputs[cell])
        if place.element and cell.component >= ELEMENTS[place.element]:
            return self.m.constant(DEFAULTS[cell.component])
        return self.m.node("entering", "v", place.register, cell.component)

    def sample(self, request: Sampling[Term]) -> tuple[Term, Term, Term, Term]:
        raise NotImplementedError("a shader that compiles reads no texture")

    def difference(self, value: Term, axis: int) -> Term:
        raise NotImplementedError("a shader that compiles reads no other pixel")


class _Wave(Symbols):
    """The program on terms; `flags` are the components of constants that are b# of the shader."""

    def __init__(
        self,
        timing: Timing,
        terms: WaveTerms,
        constants: Mapping[tuple[int, int], int],
        flags: Mapping[tuple[int, int], int],
    ) -> None:
        super().__init__(timing, terms, constants, {})
        self._flags = flags

    def uniform(self, number: int, component: int) -> int:
        flag, m = self._flags.get((number, component)), self.terms
        if flag is None:
            return super().uniform(number, component)
        return m.select(m.node("boolean", flag), m.constant(ONE), m.constant(ZERO))


class _Program(Machine[None, None, None]):
    """The program beside the shader: one node without items, because it has run."""

    def __init__(self, wave: _Wave, places: Mapping[str, Register]) -> None:
        wave.run()
        self._results = [Result(name, wave.value(place), wave.terms.true) for name, place in sorted(places.items())]

    def run(self, items: Sequence[None]) -> str:
        return ""

    def answer(self, question: None) -> Term:
        raise NotImplementedError("programs of ShaderCore ask nothing")

    def components(self) -> list[Term]:
        return []

    def enter(self, node: int, terms: Sequence[Term]) -> None:
        """Nothing travels."""

    def results(self) -> Sequence[Result]:
        return self._results

    def copy(self) -> Self:
        return self


__all__ = ["OPERATIONS", "operations_of", "unproved"]
