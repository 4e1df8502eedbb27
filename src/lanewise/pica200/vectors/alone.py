"""The steps of a job, each in a job that shows it alone.

An implementation outside gives outputs only. A step alone has in inputs, uniforms and flags what the job has at that place, so
a step whose answer differs is wrong whatever the steps before it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.vectors.model import GEOMETRY, Job
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BREAK,
    CALL,
    CONDITIONAL,
    FLOAT,
    JUMP,
    LOOP,
    WIDE_SOURCE,
)
from lanewise.pica200.sem.emission import SENT
from lanewise.pica200.sem.registers import FLOAT_COUNT
from lanewise.pica200.vectors.building import INDEXED_LOOP, INDEXED_X, INDEXED_Y, C, Code, R, descriptor
from lanewise.pica200.vectors.data import Numbers
from lanewise.pica200.vectors.random_jobs import case_of
from lanewise.pica200.vectors.running import variant_profile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lanewise.core.vectors.model import Vector
    from lanewise.pica200.engine.reference import Machine, Words
    from lanewise.pica200.isa.codec import Inst

_MOST = 256  # steps of a job
_ONE, _FLAGS, _ZERO = 13, 14, 15  # inputs: ones, the flags to set as 0 and 1, zeros
_X, _Y = 8, 4  # bits of a mask
_BYTE = 255
_ROUNDS = 5  # the largest int.x whose iterations are counted
Step = tuple[str, Job]


def alone(one: Job, variant: str) -> Iterator[Step]:
    """The steps of all lanes in order, each once: the instruction, or the part of one, that a job shows alone. Those of a
    geometry shader are in one that sends the results three times, as a triangle."""
    profile, geometry = variant_profile(variant), one.kind == GEOMETRY
    program = Reference(one.code, one.descriptors, one.entry, profile=profile, budget=_MOST, geometry=geometry)
    case = case_of(one, profile)
    maker = _Maker(one, Numbers(profile))
    insts = [decode(word) for word in one.code]
    machine: Machine | None = None
    seen: set[object] = set()
    for lane in range(one.lanes):
        inputs = {register: rows[lane] for register, rows in one.inputs.items()}
        machine = program.start(inputs, case.floats, case.integers, case.booleans, machine)
        while not machine.finished:
            at = machine.state.pc
            found = list(maker.steps(insts[at], machine)) if 0 <= at < len(insts) else []
            machine.step()
            for name, job in found:
                key = name, job.code, job.descriptors, *[tuple(part.items()) for part in (job.inputs, job.integers, job.floats)]
                if key not in seen:
                    seen.add(key)
                    yield name, job


class _Sending(Code):
    """A geometry shader whose end sends a triangle of its outputs."""

    def end(self) -> None:
        for vertex in range(SENT):
            self.add("setemit", vertex=vertex, primitive=int(vertex == SENT - 1))
            self.add("emit")
        super().end()


class _Maker:
    """Jobs of single steps, with the descriptors and data of a job."""

    def __init__(self, one: Job, numbers: Numbers) -> None:
        self.one, self.numbers = one, numbers
        self.geometry = one.kind == GEOMETRY
        self.ones, self.zeros = numbers.vector(1, 1, 1, 1), numbers.vector(0, 0, 0, 0)
        # Uniforms whose value says which register was read.
        self.table: dict[int, Vector] = {n: numbers.vector(n + 2, n + 2, n + 2, n + 2) for n in range(FLOAT_COUNT)}

    def _code(self) -> Code:
        return _Sending() if self.geometry else Code()

    def steps(self, inst: Inst, machine: Machine) -> Iterator[Step]:
        """The jobs of an instruction in front of which a machine is."""
        op = inst.op
        if op.kind == ARITHMETIC and op.format.has("desc"):
            yield from self._computed(inst, machine)
        elif op.kind == LOOP:
            yield from self._loop(inst, machine)
        elif op.kind == BREAK:
            yield from self._left(inst, machine)
        elif op.kind in (CONDITIONAL, CALL, JUMP):
            yield self._asked(inst, machine.registers.cmp)

    def _job(
        self,
        code: Code,
        outputs: tuple[int, ...],
        inputs: Mapping[int, Words] | None = None,
        floats: Mapping[int, Vector] | None = None,
        integers: Mapping[int, Vector] | None = None,
    ) -> Job:
        """A job of one lane; inputs that code names and that are not given are ones or zeros."""
        rows: dict[int, tuple[Vector, ...]] = {_ONE: (self.ones,)}
        for register, (x, y, z, w) in (inputs or {}).items():
            rows[register] = ((x, y, z, w),)
        result = code.job(
            rows, floats, integers or self.one.integers, self.one.booleans, outputs=outputs, geometry=self.geometry, lanes=1
        )
        return result._replace(number=self.one.number, state=())

    def _computed(self, inst: Inst, machine: Machine) -> Iterator[Step]:
        """An instruction that computes: with its operands in inputs, or in the uniforms that an index leads to."""
        op, number, registers = inst.op, inst.field("desc"), machine.registers
        if number >= len(self.one.descriptors):
            return
        fields = {field.name: inst.field(field.name) for field in op.format.fields if field.name not in ("opcode", "desc")}
        wide, inputs = WIDE_SOURCE[op.format.name], dict[int, "Words"]()
        idx = fields.get("idx", 0)
        for source in range(1, op.source_count + 1):
            register = fields[f"src{source}"]
            if source == wide and idx:
                yield from self._index(register, idx, machine)
                idx = fields["idx"] = idx if register >= FLOAT else 0
            if register < FLOAT:
                fields[f"src{source}"] = len(inputs)
                inputs[len(inputs)] = registers.readable[register]
        code = self._code()
        loop = self._indexed(code, idx, machine, inputs)
        if loop is None:
            return
        if "cmp" in op.operands:
            yield "ifc", self._flags(self._code(), {})
        if "adr" in op.operands:
            code.add(op.name, self.one.descriptors[number], **fields)
            result = self._addresses(code, inputs, self.one.descriptors[number], machine, fields)
            if result is not None:
                yield op.name, result
            return
        if op.format.has("dst"):
            fields["dst"] = 0
        code.add(op.name, self.one.descriptors[number], **fields)
        if loop:
            code.patch(loop[0], dst=code.here - 1)
        integers = {0: loop[1]} if loop else None
        if "cmp" in op.operands:
            yield op.name, self._flags(code, inputs, integers)
            return
        code.end()
        yield op.name, self._job(code, (0,), inputs, self.one.floats, integers)

    def _indexed(
        self, code: Code, idx: int, machine: Machine, inputs: dict[int, Words]
    ) -> tuple[int, Vector] | tuple[()] | None:
        """Give the index register its value: for aL the address of a loop and its integers, in whose body it has it; None where
        no job can."""
        registers = machine.registers
        if idx == INDEXED_LOOP:
            al = registers.loops.al
            if not al:
                return ()
            return (code.add("for", reg=0), (0, al, 0, 0)) if 0 < al <= _BYTE else None
        if idx in (INDEXED_X, INDEXED_Y) and registers.a0[idx - 1]:
            word = self.numbers.of(float(registers.a0[idx - 1]))
            inputs[_FLAGS] = (word, word, word, word)
            code.add("mova", descriptor(_X if idx == INDEXED_X else _Y), src1=_FLAGS)
        return ()

    def _index(self, register: int, idx: int, machine: Machine) -> Iterator[Step]:
        """The register that an index leads to; it has no effect on v and r registers, as far as is known."""
        code, inputs = self._code(), dict[int, "Words"]()
        if register < FLOAT:
            register = min(register, _ONE - 1)
            inputs = dict[int, "Words"](list(self.table.items())[:_ONE])
        loop = self._indexed(code, idx, machine, inputs)
        if loop is None:
            return
        code.mov(0, register, idx=idx)
        if loop:
            code.patch(loop[0], dst=code.here - 1)
        code.end()
        yield "index", self._job(code, (0,), inputs, self.table, {0: loop[1]} if loop else None)

    def _addresses(
        self, code: Code, inputs: Mapping[int, Words], described: int, machine: Machine, fields: Mapping[str, int]
    ) -> Job | None:
        """The result of MOVA, as the number of the uniform that it leads to. None where it reads an index register."""
        if fields.get("idx", 0):
            return None
        code.mov(0, C, idx=INDEXED_X)
        code.mov(1, C + FLOAT_COUNT // 2, idx=INDEXED_X)
        code.mov(2, C, idx=INDEXED_Y)
        code.mov(3, C + FLOAT_COUNT // 2, idx=INDEXED_Y)
        code.end()
        floats = {**self.table}
        source = fields["src1"]
        if source >= FLOAT:
            floats[source - FLOAT] = self.one.floats.get(source - FLOAT, self.zeros)
        return self._job(code, (0, 1, 2, 3), inputs, floats)

    def _flags(self, code: Code, inputs: Mapping[int, Words], integers: Mapping[int, Vector] | None = None) -> Job:
        """Both flags as a one or a zero in an output each."""
        for output, refs in enumerate(({"condop": 2, "refx": 1}, {"condop": 3, "refy": 1})):
            at = code.add("ifc", **refs)
            code.mov(output, _ONE)
            code.add("nop")
            code.patch(at, dst=code.here, num=2)
            code.mov(output, _ZERO)
            code.add("nop")
        code.end()
        return self._job(code, (0, 1), inputs, self.one.floats, integers)

    def _set(self, code: Code, flags: tuple[bool, bool]) -> dict[int, Words]:
        """Give the flags their values, by equal numbers or others."""
        if not any(flags):
            return {}
        code.add("cmp", src1=_FLAGS, src2=_ONE, cmpx=0, cmpy=0)
        x, y = (self.ones[0] if flag else self.zeros[0] for flag in flags)
        return {_FLAGS: (x, y, 0, 0)}

    def _asked(self, inst: Inst, flags: tuple[bool, bool]) -> Step:
        """The target of a branch, a call or a jump."""
        code, fields = (
            self._code(),
            {name: inst.field(name) for name in ("condop", "refx", "refy", "reg") if inst.op.format.has(name)},
        )
        inputs = self._set(code, flags if inst.op.format.has("condop") else (False, False))
        code.mov(0, _ZERO)
        code.mov(1, _ZERO)
        at = code.add(inst.op.name, **fields)
        if inst.op.kind == JUMP:
            code.mov(0, _ONE)
            code.patch(at, dst=code.here, num=inst.field("num") & 1)
            code.end()
        elif inst.op.kind == CALL:
            code.mov(1, _ONE)
            code.end()
            code.patch(at, dst=code.here, num=2)
            code.mov(0, _ONE)
            code.add("nop")
        else:
            code.mov(0, _ONE)
            code.add("nop")
            code.patch(at, dst=code.here, num=2)
            code.mov(1, _ONE)
            code.add("nop")
            code.end()
        return inst.op.name, self._job(code, (0, 1), inputs)

    def _loop(self, inst: Inst, machine: Machine) -> Iterator[Step]:
        """The parts of a loop with its integers: aL at its start, its iterations, the step of aL, aL after it, and aL after it
        in a loop around it."""
        register = inst.field("reg")
        x, y, z, w = self._integers(register, machine)

        def loop(code: Code, *body: tuple[int, int, int], reg: int = register) -> None:
            at = code.add("for", reg=reg)
            for to, source, idx in body:
                code.mov(to, source, idx=idx)
            code.patch(at, dst=code.here - 1)

        def job(name: str, code: Code, outputs: tuple[int, ...], first: int, **more: Vector) -> Step:
            code.end()
            integers = {**self.one.integers, register & 3: (first, y, z, w)}
            integers |= {int(key[1:]): value for key, value in more.items()}
            return name, self._job(code, outputs, None, self.table, integers)

        shows = (0, C, INDEXED_LOOP)
        code = self._code()
        loop(code, shows)
        yield job("for, aL at its start", code, (0,), 0)
        if x <= _ROUNDS:
            code = self._code()
            last = R + x + 2
            loop(code, *[(to, to - 1, 0) for to in range(last, R + 1, -1)], (R + 1, _ONE, 0))
            for to in range(R + 1, last + 1):
                code.mov(to - R - 1, to)
            yield job("for, iterations", code, tuple(range(x + 2)), x)
        code = self._code()
        loop(code, shows)
        yield job("for, step of aL", code, (0,), max(x, 1))
        code = self._code()
        loop(code, (0, _ZERO, 0))
        code.mov(0, C, idx=INDEXED_LOOP)
        yield job("for, aL after it", code, (0,), x)
        if machine.state.loops and (outer := machine.state.loops[-1].register) != register & 3:
            code = self._code()
            at = code.add("for", reg=outer)
            loop(code, (0, _ZERO, 0))
            code.mov(0, C, idx=INDEXED_LOOP)
            code.add("nop")
            code.patch(at, dst=code.here - 1)
            _, start, _, rest = self._integers(outer, machine)
            # Steps of 1, so that it does not show the step of aL, which is asked by itself.
            loops = {f"i{outer & 3}": (0, start, 1, rest), f"i{register & 3}": (x, y, 1, w)}
            yield job("for, aL after an inner one", code, (0,), x, **loops)

    def _integers(self, register: int, machine: Machine) -> Vector:
        x, y, z, w = machine.integers[register & 3]
        return x, y, z, w

    def _left(self, inst: Inst, machine: Machine) -> Iterator[Step]:
        """A break: whether it leaves the loop, and aL after it."""
        if not machine.state.loops:
            return
        flags = machine.registers.cmp
        fields = {name: inst.field(name) for name in ("condop", "refx", "refy") if inst.op.format.has(name)}
        register = machine.state.loops[-1].register
        _, y, z, w = self._integers(register, machine)
        for name, floats in ((inst.op.name, None), (f"{inst.op.name}, aL after it", self.table)):
            code = self._code()
            inputs = self._set(code, flags if fields else (False, False))
            code.mov(0, _ZERO)
            at = code.add("for", reg=register)
            code.add(inst.op.name, **fields)
            if floats is None:
                code.mov(0, _ONE)
            code.add("nop")
            code.patch(at, dst=code.here - 1)
            if floats is not None:
                code.mov(0, C, idx=INDEXED_LOOP)
            code.end()
            yield name, self._job(code, (0,), inputs, floats, {**self.one.integers, register & 3: (1, y, z, w)})
