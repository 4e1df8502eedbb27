"""Equality of two toy programs: values are polynomials over the inputs, whose factors are modulo 2^32."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

from lanewise.core.comparison import Comparison, Example, Setting
from lanewise.proving import machine, walk
from lanewise.proving.conclusion import concluded
from lanewise.proving.terms import Term, Terms
from toy_isa.machine import INPUTS, MASK, REGISTERS, Inst, ended, nodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Product = tuple[Term, ...]

MOST_PARTS, LANES = 64, 64
EDGES = (0, 1, 2, 3, MASK, MASK - 1, 1 << 31, 1 << 16)


class Ring(Terms):
    """The operations on terms. A polynomial has by product of other terms its factor, so equal ones are one term."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[Term, Mapping[Product, int]] = {}

    def parts(self, a: Term) -> Mapping[Product, int]:
        return self._known.get(a, {(a,): 1})

    def total(self, *parts: tuple[Product, int]) -> Term:
        sums: dict[Product, int] = {}
        for product, factor in parts:
            sums[product] = sums.get(product, 0) + factor & MASK
        sums = {product: sums[product] for product in sorted(sums) if sums[product]}
        if [*sums.values()] == [1] and len(product := next(iter(sums))) == 1:
            return product[0]
        term = self.node("polynomial", *[n for product, factor in sums.items() for n in (factor, len(product), *product)])
        self._known[term] = sums
        return term

    def number(self, value: int) -> Term:
        return self.total(((), value))

    def add(self, a: Term, b: Term) -> Term:
        return self.total(*self.parts(a).items(), *self.parts(b).items())

    def sub(self, a: Term, b: Term) -> Term:
        return self.add(a, self.mul(self.number(-1), b))

    def mul(self, a: Term, b: Term) -> Term:
        one, other = self.parts(a).items(), self.parts(b).items()
        if len(one) * len(other) > MOST_PARTS:
            return self.node("mul", min(a, b), max(a, b))
        return self.total(*[(tuple(sorted(x + y)), p * q) for x, p in one for y, q in other])


class Machine(machine.Machine[int, str, None]):
    """A program on terms."""

    def __init__(self, m: Ring, insts: Sequence[Inst], acc: Term, registers: Sequence[Term]) -> None:
        self.m, self.insts, self.acc, self.registers = m, insts, acc, [*registers]

    def run(self, items: Sequence[int]) -> str:
        for op, operand in [self.insts[address] for address in items]:
            if op.name == "store":
                self.registers[operand] = self.acc
            elif op.compute is not None:
                value = self.registers[operand] if op.operand == "register" else self.m.number(operand)
                self.acc = value if op.name in ("load", "set") else getattr(self.m, op.name)(self.acc, value)
        return ""

    def answer(self, question: str) -> Term:
        parts = self.m.parts(self.acc)
        return self.m.boolean(bool(parts)) if not parts or [*parts] == [()] else self.m.node("not zero", self.acc)

    def components(self) -> list[Term]:
        return [self.acc, *self.registers]

    def enter(self, node: int, terms: Sequence[Term]) -> None:
        self.acc, *self.registers = terms

    def results(self) -> Sequence[machine.Result]:
        return [machine.Result(f"r{n}", self.registers[n], self.m.true) for n in range(INPUTS, REGISTERS)]

    def copy(self) -> Machine:
        return Machine(self.m, self.insts, self.acc, self.registers)


def compare(first: Sequence[Inst], second: Sequence[Inst], names: tuple[str, str]) -> Comparison:
    """Compare two programs for all inputs."""
    m = Ring()
    zero = m.number(0)
    start = [m.node("input", n) if n < INPUTS else zero for n in range(REGISTERS)]
    one, other = ((machine.Flow(nodes(insts)), Machine(m, insts, zero, start)) for insts in (first, second))
    reason, _ = walk.compare(m, (one, other), size=len(first) + len(second))
    used = ["arithmetic is modulo 2^32", "a lane may make any number of steps"]
    example = partial(_example, (first, second))
    return concluded(reason and reason.what, names, used=used, search=example, searched=f"for {LANES} lanes")


def _example(pair: Sequence[Sequence[Inst]]) -> Example | None:
    rng = random.Random(0)
    for _ in range(LANES):
        given = [rng.choice(EDGES) if rng.random() < 0.6 else rng.getrandbits(32) for _ in range(INPUTS)]
        try:
            one, other = (ended(insts, [*given, *[0] * (REGISTERS - INPUTS)]) for insts in pair)
        except OverflowError:
            continue
        for n in range(INPUTS, REGISTERS):
            if one[n] != other[n]:
                inputs = tuple([Setting(f"r{r}", f"r{r}", (str(value),)) for r, value in enumerate(given)])
                return Example(
                    vertices=(inputs,), uniforms=(), output=f"r{n}", first=str(one[n]), second=str(other[n]), profile="toy"
                )
    return None
