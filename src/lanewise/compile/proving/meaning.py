"""A Direct3D 9 shader and a program for the PICA200, compared by their own meanings on the same terms.

The shader is not compiled: its instructions are operations of the target (`OPERATIONS`), as `compile.direct3d9.float24` runs
them, and the walk of `proving` goes over both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.compile.direct3d9.lowering import CHOICES
from lanewise.core.numbers.binary import EQ, GE, GT, LE, LT, NE
from lanewise.core.numbers.floats import float24_from_float32_bits
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.proof.machine import Lane, side_of
from lanewise.direct3d9.sem.algebra import HALF, MAGNITUDE, SIGN, Algebra, Component
from lanewise.pica200.isa.table import BOOLEAN, FLOAT
from lanewise.pica200.proof.asked import Asked
from lanewise.pica200.proof.code import Unfolded, opcodes_of
from lanewise.pica200.proof.machine import Machine as Program
from lanewise.pica200.proof.machine import Used
from lanewise.pica200.proof.questions import profiles_asked
from lanewise.pica200.proof.structure import Assumptions, leaves_of
from lanewise.pica200.proof.terms import Terms
from lanewise.proving import walk
from lanewise.proving.machine import Result
from lanewise.proving.terms import Effort

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lanewise.compile.direct3d9.options import Lowered, Sources
    from lanewise.compile.vector.code import Program as Vector
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.proof.machine import Side
    from lanewise.direct3d9.sem.algebra import Sampling
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.pica200.isa.program import Interface
    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.proof.machine import Leaves
    from lanewise.pica200.sem.profile import Profile
    from lanewise.proving.terms import Term

# What an instruction of the shader counts as, where the hardware has no operation of its name. `dot` sums as the hardware does.
OPERATIONS: Mapping[str, str] = {
    "abs": "max(-a, a)",
    "crs": "a.y * b.z + -(a.z * b.y), and so on",
    "expp": "exp2",
    "frc": "a + -floor(a)",
    "lit": "max(x, 0), and exp2(min(max(w, -127.99), 127.99) * log2(max(-y, y))) where x > 0 and y > 0",
    "logp": "log2(max(-a, a))",
    "log": "log2(max(-a, a))",
    "lrp": "a * (b + -c) + c",
    "m4x4": "a dot product of four components for each row",
    "m4x3": "a dot product of four components for each row",
    "m3x4": "a dot product of three components for each row",
    "m3x3": "a dot product of three components for each row",
    "m3x2": "a dot product of three components for each row",
    "nrm": "a * rsq(dot product of three components)",
    "pow": "exp2(b * log2(max(-a, a)))",
    "rsq": "rsq(max(-a, a))",
    "sgn": "(0 < a) + -(a < 0)",
    "sincos": "the series of the half angle",
    "sub": "a + -b",
    "slt": "1 where a < b, else 0",
    "sge": "1 where a >= b, else 0",
    "mova": "the whole number of floor(a + 0.5)",
}
# The comparisons of Direct3D 9 as those of the hardware.
_COMPARISONS: Mapping[int, int] = {isa.GT: GT, isa.EQ: EQ, isa.GE: GE, isa.LT: LT, isa.NE: NE, isa.LE: LE}
# Terms whose constants are computed or not, with dot products as one operation or sums.
_KINDS = ((False, True), (False, False), (True, False))


class Unmatched(Exception):
    """A part of the shader that the program does not have under its name; the text says which."""


def unproved(
    shader: Shader,
    flow: Flow,
    lowered: Lowered,
    code: Code,
    interface: Interface,
    profiles: Sequence[Profile] | None = None,
) -> str:
    """Why the two are not shown to be equal under every profile; empty where they are.

    `lowered` tells what the parts of the shader are called. Constants of the file are not overwritten.
    """
    program, sources = lowered.program, lowered.sources
    if program is None or sources is None:
        return "the shader has no program"
    try:
        side, names = side_of(shader, flow), _Names(program, sources, interface)
    except (ValueError, Unmatched) as error:
        return str(error)
    effort = Effort()
    effort.start()
    shown: list[Mapping[str, str]] = []
    kind = _KINDS[0]
    for profile in profiles or profiles_asked(opcodes_of(code), geometry=False):
        if any(all(getattr(profile, key) == value for key, value in asked.items()) for asked in shown):
            continue
        reason = ""
        for each in sorted(_KINDS, key=lambda one: one != kind):
            asked = Asked(profile)
            reason = _under(asked, side, names, code, effort, each)
            if not reason:
                kind = each
                shown.append(dict(asked.asked))
                break
        if reason:
            return f"under profile {profile.describe()}: {reason}"
    return ""


def _under(asked: Asked, side: Side, names: _Names, code: Code, effort: Effort, kind: tuple[bool, bool]) -> str:
    computing, dots = kind
    m = Terms(asked, computing=computing, dots=dots, effort=effort)
    try:
        unfolded = Unfolded(code, asked, {})
    except ValueError as error:
        return str(error)
    leaves = leaves_of(m, code, Assumptions(constants=True))
    mine = _Lane(m, side, names, leaves, code)
    theirs = _Alone(m, unfolded, leaves, Used.by([unfolded]), keeps=True)
    size = len(code.words) + sum([len(node.items) + 1 for node in side.nodes.nodes])
    reason, _ = walk.compare(m, ((side.nodes, mine), (unfolded.flow, theirs)), size=size)
    return "" if reason is None else reason.what


def operations_of(flow: Flow) -> list[str]:
    """Return sentences that name the operations as which the instructions of a shader count."""
    names = sorted({inst.op.name for inst in flow.insts} & OPERATIONS.keys())
    return [f"{name} is {OPERATIONS[name]}" for name in names]


class _Names:
    """The registers of the program, by those of the shader."""

    def __init__(self, program: Vector, sources: Sources, interface: Interface) -> None:
        inputs = {each.name: each.first for each in interface.inputs}
        uniforms = {each.name: each.first for each in interface.uniforms}
        self.inputs = {port.register: _found(inputs, port.name) for port in program.inputs}
        self.floats = {
            first + row: _found(uniforms, uniform.name) - FLOAT + row
            for first, uniform in zip(sources.uniforms, program.uniforms, strict=True)
            for row in range(uniform.rows)
        }
        self.booleans = {
            number: _found(uniforms, flag.name) - BOOLEAN for number, flag in zip(sources.flags, program.flags, strict=True)
        }
        self.outputs = {
            f"{output.semantic}.{'xyzw'[place]}": Component(file, number, component)
            for output, (file, number, components) in zip(program.outputs, sources.outputs, strict=True)
            for place, component in enumerate(components)
            if output.mask >> place & 1
        }


def _found(registers: Mapping[str, int], name: str) -> int:
    if name not in registers:
        raise Unmatched(f"the program has no {name}")
    return registers[name]


class _Alone(Program):
    """The program with registers that hold anything when it starts."""

    def carried(self) -> list[Term]:
        return []

    def start(self, terms: Sequence[Term]) -> None:
        super().start([self.m.node("phi", -1, n) for n in range(len(super().carried()))])


class _Lane(Lane["Terms"]):
    """The shader on the terms of the program."""

    def __init__(self, m: Terms, side: Side, names: _Names, leaves: Leaves, code: Code) -> None:
        super().__init__(m, side, _Operations(m), CHOICES)
        self._names, self._leaves, self._code = names, leaves, code

    def results(self) -> list[Result]:
        """The outputs of the program, in its order."""
        found = self._names.outputs
        missing = [wired.name for wired in self._code.outputs if wired.name not in found]
        if missing:
            raise OverflowError(f"the shader has no {missing[0]}")
        return [Result(wired.name, self.value(found[wired.name]), self.m.true) for wired in self._code.outputs]

    def indexed(self, place: Term, component: int) -> Term:
        m, number, defined = self.m, self.m.known_integer(place), self.side.flow.constants
        if number is None:
            return m.node("indexed", place, component)  # nothing of the program is equal to it
        if number in defined:
            return self.ops.constant(defined[number][component])
        register = self._names.floats.get(number)
        return m.node("unnamed", number, component) if register is None else self._leaves.floats[register][component]

    def given(self, cell: Component) -> Term | None:
        register = self._names.inputs.get(cell.number) if cell.file == isa.INPUT else None
        return None if register is None else self._leaves.inputs[register][cell.component]

    def sample(self, request: Sampling[Term]) -> tuple[Term, Term, Term, Term]:
        raise NotImplementedError("a vertex shader that compiles reads no texture")

    def difference(self, value: Term, axis: int) -> Term:
        raise NotImplementedError("a vertex shader has no neighbours")

    def outer_boolean(self, number: int) -> Term:
        register = self._names.booleans.get(number)
        return super().outer_boolean(number) if register is None else self._leaves.booleans[register]


class _Operations(Algebra["Term", "Term", "Term"]):
    """The algebra of Direct3D 9 in operations of the PICA200: those of `compile.direct3d9.float24`."""

    def __init__(self, m: Terms) -> None:
        self.m = m
        self._lanewise: Mapping[str, Callable[..., Term]] = {
            "add": m.add,
            "mul": m.mul,
            "min": m.min,
            "max": m.max,
            "rcp": m.rcp,
            "rsq": m.rsq,
            "exp2": m.exp2,
            "log2": m.log2,
            "less": self._less,
            "at_least": self._at_least,
            "fraction": self._fraction,
            "saturate": self._saturated,
            "sign": self._sign,
        }

    def apply(self, operation: str, *values: Term, immediate: int | None = None) -> Term:
        m = self.m
        if operation == "xor" and immediate == SIGN:
            return m.negate(values[0])
        if operation == "mask" and immediate == MAGNITUDE:
            return m.max(m.negate(values[0]), values[0])
        if operation == "scale" and immediate == 1:
            return m.add(values[0], values[0])
        if operation not in self._lanewise:
            return m.node(f"only of Direct3D 9: {operation} {immediate}", *values)
        return self._lanewise[operation](*values)

    def _less(self, a: Term, b: Term) -> Term:
        return self._one_where(LT, a, b)

    def _at_least(self, a: Term, b: Term) -> Term:
        return self._one_where(GE, a, b)

    def _fraction(self, a: Term) -> Term:
        return self.m.add(a, self.m.negate(self.m.floor(a)))

    def _one_where(self, op: int, a: Term, b: Term) -> Term:
        return self.m.select(self.m.compare(op, a, b), self.m.constant(1.0), self.m.constant(0.0))

    def _saturated(self, a: Term) -> Term:
        return self.m.min(self.m.max(a, self.m.constant(0.0)), self.m.constant(1.0))

    def _sign(self, a: Term) -> Term:
        zero = self.m.constant(0.0)
        return self.m.add(self._one_where(LT, zero, a), self.m.negate(self._one_where(LT, a, zero)))

    def constant(self, bits: int) -> Term:
        return self.m.word(float24_from_float32_bits(bits))

    def mad(self, a: Term, b: Term, c: Term) -> Term:
        return self.m.mad(a, b, c)

    def dot(self, pairs: Iterable[tuple[Term, Term]]) -> Term:
        first, second = zip(*pairs, strict=True)
        return self.m.dot(first, second)

    def normal_scale(self, squared: Term) -> Term:
        return self.m.rsq(squared)

    def truth(self, value: bool) -> Term:
        return self.m.boolean(value)

    def ordered(self, a: Term, b: Term, *, or_equal: bool) -> Term:
        return self.m.compare(GE if or_equal else LT, a, b)

    def compare(self, op: int, a: Term, b: Term) -> Term:
        return self.m.compare(_COMPARISONS[op], a, b)

    def invert(self, a: Term) -> Term:
        return self.m.invert(a)

    def both(self, a: Term, b: Term) -> Term:
        return self.m.both(a, b)

    def either(self, a: Term, b: Term) -> Term:
        return self.m.either(a, b)

    def select(self, condition: Term, a: Term, b: Term) -> Term:
        return self.m.select(condition, a, b)

    def address(self, a: Term, how: str) -> Term:
        m = self.m
        return m.to_integer(m.floor(a if how == "floor" else m.add(a, self.constant(HALF))))

    def integer(self, value: int) -> Term:
        return self.m.integer(value)

    def integer_add(self, a: Term, b: Term) -> Term:
        return self.m.integer_add(a, b)

    def integer_select(self, condition: Term, a: Term, b: Term) -> Term:
        return self.m.integer_select(condition, a, b)

    def integer_is(self, a: Term, value: int) -> Term:
        return self.m.integer_within(a, value, value)

    def look_up(self, rows: Sequence[Term], index: Term, outside: Term) -> Term:
        return self.m.node("look_up", index, outside, *rows)


__all__ = ["OPERATIONS", "operations_of", "unproved"]
