"""PLACEHOLDER until branch f-routines."""

from __future__ import annotations

from lanewise.compile.building import Builder
from lanewise.compile.code import Ref


class Routines:
    def __init__(self, builder: Builder) -> None:
        self.b = builder

    def rcp(self, a: Ref) -> Ref:
        return self.b.rcp(a)

    def rsq(self, a: Ref) -> Ref:
        return self.b.rsq(a)

    def exp2(self, a: Ref) -> Ref:
        return self.b.exp2(a)

    def log2(self, a: Ref) -> Ref:
        return self.b.log2(a)

    def expp(self, a: Ref) -> Ref:
        return self.b.exp2(a)

    def logp(self, a: Ref) -> Ref:
        return self.b.log2(a)

    def power(self, a: Ref, b: Ref) -> Ref:
        return self.exp2(self.b.mul(b, self.log2(a)))

    def normal_scale(self, a: Ref) -> Ref:
        return self.rsq(a)
