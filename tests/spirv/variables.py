"""Variables of GLSL in the debugger, held against the vector program: what a variable is shown to be in front of an instruction
it is in the source there.

`Places` is a shader with the lines of its words; `faults` steps a vertex through it and compares each variable that has a place
with what the interpreter of vector programs has for the line at that time: its values are those of one visit of the line, in
the order of the visits. And the evaluator, which knows nothing of the compiler, says of each value whether the variable ever
had it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lanewise.compile.pica200 import backend
from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.pica200.optimised import Shrunk
from lanewise.compile.pica200.variables import Tracking
from lanewise.compile.spirv.lower import Options, lower
from lanewise.compile.spirv.module import Module, read_module
from lanewise.compile.vector import interpret
from lanewise.compile.vector.code import For, Number, Ref, Store
from lanewise.compile.vector.walk import bodies, with_bodies
from lanewise.core.numbers.floats import float24_from_float, float_from_float24
from lanewise.debugger.variables import Variables
from lanewise.pica200.api.debugging import Vertices
from lanewise.pica200.api.file import read_file
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.sem.profile import HARDWARE
from spirv.approximate import MARGIN, Real
from spirv.compiled import Compiled, Refusal
from spirv.evaluator import Evaluator, Run
from spirv.trees import Pointer, flattened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pytest
    from numpy.typing import NDArray

    from lanewise.compile.vector.code import Program, Statement
    from lanewise.core.debugging import Inlined
    from lanewise.pica200.api.debugging import PicaMachine
    from spirv.binary import Function, Inst

    Array = NDArray[Any]

Seen = dict[tuple[int, str, str], float]  # by depth of the function, variable and component


class Places(NamedTuple):
    """A shader that runs, what a debugger sees at its words, and the line of the vector program that each word comes from."""

    binary: bytes
    compiled: Compiled
    variables: Sequence[Sequence[Inlined]]
    lines: Sequence[int]


def placed(data: bytes, patch: pytest.MonkeyPatch) -> Places:
    """Raises Refusal."""
    module = read_module(data, "shader")
    if not isinstance(module, Module):
        raise Refusal(module)
    lowered = lower(module, Options(variables=True))
    if lowered.program is None:
        raise Refusal(lowered.diagnostics)
    lines: dict[int, int] = {}

    class Noting(Tracking):
        def of(self, inst: Any, call: Any) -> Any:
            found = super().of(inst, call)
            lines[id(found)] = inst.line
            kept.append(found)
            return found

    kept: list[Any] = []
    before: list[int] = []
    origins: list[int] = []
    own = backend.shrunk

    unoptimised: list[Any] = []

    def noted(program: Any, encoded: Any, *given: Any) -> Any:
        unoptimised.append(encoded)
        if not program.inlined:
            return Shrunk(program, encoded, ())
        found = own(program, encoded, *given)
        before[:] = [lines.get(id(each), -1) if each else -1 for each in program.inlined]
        origins[:] = found.origins
        return found

    patch.setattr(backend, "Tracking", Noting)
    patch.setattr(backend, "shrunk", noted)
    made = compile_vector(lowered.program, name="shader")
    if made.program is None:
        raise Refusal(made.diagnostics)
    compile_vector(lowered.program._replace(scopes=()), name="shader")
    assert unoptimised[0] == unoptimised[1], "debug information changes the program"
    file = read_file(write_shbin(build(made.program, *made.encoded)), "shader.shbin")
    compiled = Compiled(file.programs[0], lowered.program, made.counts, len(made.encoded.words), ())
    return Places(data, compiled, made.program.inlined, [before[origin] for origin in origins])


class Watched(interpret.Run[int]):
    """A run that notes what the variables are in front of each statement."""

    def __init__(self, program: Program, *given: Any) -> None:
        super().__init__(program, Words(), *given)
        self.seen: dict[int, list[Seen]] = {}
        self.visits: Counter[int] = Counter()

    def statement(self, s: Statement) -> None:
        self.visits[s.line] += 1
        if not isinstance(s, Number):
            self._note(s.line)
        super().statement(s)

    def _note(self, line: int) -> None:
        if line < 0:
            return
        found: Seen = {}
        for depth, frame in enumerate(self.program.scopes[line]):
            for local in frame.locals:
                for letter, component in zip("xyzw", local.components, strict=False):
                    if isinstance(component, Ref) and component.value in self.values:
                        found[depth, local.name, letter] = self.numbers.value(self.take(component))
                    elif isinstance(component, float):
                        found[depth, local.name, letter] = float_from_float24(float24_from_float(component))
        visits = self.seen.setdefault(line, [])
        if not visits or repr(visits[-1]) != repr(found):
            visits.append(found)


def machine_of(
    places: Places, inputs: Mapping[str, Array], uniforms: Mapping[str, Array], count: int, vertex: int
) -> PicaMachine:
    """A vertex in front of its first instruction."""
    made = places.compiled
    shader, program = made.shader, made.vector
    given: dict[str, Array] = {}
    for item in program.inputs:
        base, _, column = item.name.rpartition("_")
        if item.name in inputs:
            given[item.name] = np.asarray(inputs[item.name]).reshape(count, -1)
        elif column.isdecimal() and base in inputs:
            given[item.name] = np.asarray(inputs[base])[..., int(column)]
    bound, values, _ = shader.bound(given, made.settings(uniforms), count=count, profile=HARDWARE, defaults=0)
    return Vertices(shader, bound, values, HARDWARE).machine(vertex, {})


def faults(
    places: Places, inputs: Mapping[str, Array], uniforms: Mapping[str, Array], count: int, vertex: int
) -> tuple[list[str], int, int]:
    """What is wrong with a vertex; and how many components had a place, of how many."""
    made = places.compiled
    shader, program = made.shader, made.vector
    machine = machine_of(places, inputs, uniforms, count, vertex)

    def row(register: int, file: str) -> list[int]:
        found = [machine.read(f"{file}{register}.{letter}") for letter in "xyzw"]
        return [each.bits if each is not None else 0 for each in found]

    interface = shader.interface
    first = {name.name: name.first for name in (*interface.inputs, *interface.uniforms)}
    attributes = [row(first[item.name], "v") for item in program.inputs]
    rows = [[row(first[item.name] - 32 + n, "c") for n in range(item.rows)] for item in program.uniforms]
    counts = [int(uniforms[item.name]) for item in program.counts]
    flags = [bool(uniforms[item.name]) for item in program.flags]
    run = Watched(program, attributes, rows, flags, counts)
    run.block(_with_ends(program.body))
    snapshots = Snapshots(Evaluator(places.binary))
    with np.errstate(all="ignore"):
        snapshots.go({name: value[vertex : vertex + 1] for name, value in inputs.items()}, uniforms)
    wrong: list[str] = []
    at: dict[int, int] = {}
    coming: Counter[int] = Counter()
    held = every = steps = 0
    while not machine.finished and steps < 4000:
        steps += 1
        address = machine.address
        line = places.lines[address] if 0 <= address < len(places.lines) else -1
        if line >= 0 and line in run.seen:
            shown = _shown(places.variables[address], machine.read)
            every += len(shown)
            if not snapshots.apart[0] and not snapshots.agrees(program.lines[line].line, shown):
                wrong.append(f"word {address}: line {program.lines[line].line} of the source never has {shown}")
            there = {key: value for key, value in shown.items() if value is not None}
            held += len(there)
            visits = run.seen[line]
            start = at.get(address, 0)
            match = next((n for n in range(start, len(visits)) if _agree(there, visits[n])), None)
            coming[address] += 1
            if coming[address] > run.visits[line]:
                wrong.append(f"word {address} is executed more often than line {program.lines[line].line} of the source")
            if match is None:
                wrong.append(f"word {address}, line {program.lines[line].line}: shown {there}, is {visits[start : start + 3]}")
            else:
                at[address] = match
        machine.advance()
    return wrong, held, every


def _with_ends(body: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements with one at the end of each loop that counts, in place of its step."""
    found: list[Statement] = []
    for s in body:
        inner = with_bodies(s, tuple([_with_ends(each) for each in bodies(s)])) if bodies(s) else s
        found.append(
            inner._replace(body=(*inner.body, Store(0, 0, (), s.end)))
            if isinstance(inner, For) and isinstance(s, For)
            else inner
        )
    return tuple(found)


Components = list[tuple[float, float]]  # of a variable, each with the bound of its error


class Snapshots(Run):
    """A run of the evaluator for one vertex that notes what the variables of a function are in front of each instruction, by
    its line."""

    def __init__(self, own: Evaluator) -> None:
        super().__init__(own, 1)
        self.seen: dict[int, list[dict[str, Components]]] = {}
        self.frames: list[dict[int, Any]] = []

    def call(self, function: Function, arguments: Sequence[Any], mask: Any) -> Any:
        self.frames.append(dict(zip(function.parameters, arguments, strict=True)))
        found = super().call(function, arguments, mask)
        self.frames.pop()
        return found

    def _do(self, inst: Inst, values: dict[int, Any], active: Any, whole: bool) -> None:
        self._note(inst.line)
        super()._do(inst, values, active, whole)
        if inst.op == 59:
            self.frames[-1][inst.result] = values[inst.result]
        self._note(inst.line)  # the branch at the end of a block is behind its last instruction

    def _note(self, line: int) -> None:
        found: dict[str, Components] = {}
        for number, value in self.frames[-1].items():
            tree = self._load(value) if isinstance(value, Pointer) else value
            for leaf in flattened(tree):
                error = leaf.error if isinstance(leaf, Real) else np.where(leaf.doubt, np.inf, 0.0)
                found.setdefault(self.module.names.get(number, ""), []).append(
                    (float(np.ravel(leaf[0])[0]), float(np.ravel(error)[0]))
                )
        there = self.seen.setdefault(line, [])
        if repr(found) not in map(repr, there[-1:]):
            there.append(found)

    def agrees(self, line: int, shown: Mapping[tuple[int, str, str], float | None]) -> bool:
        """Whether what is shown at a line of the innermost function is so in front of one of its instructions, at one time."""
        return line not in self.seen or any(  # a line of which the path has only a branch
            all(
                _within(value, found[name.partition("[")[0].partition(".")[0]])
                for (depth, name, _), value in shown.items()
                if depth == 0 and value is not None and name.partition("[")[0].partition(".")[0] in found
            )
            for found in self.seen.get(line, ())
        )


def _within(value: float, components: Components) -> bool:
    return any(
        value == wanted
        or (np.isnan(value) and np.isnan(wanted))
        or not np.isfinite(error)
        or abs(value - wanted) <= MARGIN * error
        for wanted, error in components
    )


def _shown(active: Sequence[Inlined], read: Any) -> dict[tuple[int, str, str], float | None]:
    found: dict[tuple[int, str, str], float | None] = {}
    for depth, each in enumerate(active):
        values = Variables([each], read, "float24")
        for name, register in values.by_name.items():
            for letter, value in zip("xyzw", register.values, strict=False):
                found[depth, name.removeprefix("$"), letter] = None if value is None else float(value.number)
    return found


def _agree(shown: Mapping[tuple[int, str, str], float], seen: Seen) -> bool:
    return all(
        key in seen and (seen[key] == value or (np.isnan(seen[key]) and np.isnan(value))) for key, value in shown.items()
    )
