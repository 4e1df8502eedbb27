"""Texture instructions: coordinates and results.

The caller provides the samplers.

Sources: Microsoft's reference of ps_1_x to ps_3_0 [D], reference 4. Only the reference engine runs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.table import EQ, LT, TEXLDB, TEXLDP
from lanewise.direct3d9.sem.algebra import BUMP, KILLED, ONE, ZERO, B, Component, I, Sampling, V
from lanewise.direct3d9.sem.meaning import bumped

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.direct3d9.isa.program import Dest, Source
    from lanewise.direct3d9.sem.issue import Issuer
    from lanewise.direct3d9.sem.meaning import Job

X, Y, Z, W = range(4)
Quad = tuple[V, V, V, V]


def textured(issuer: Issuer[V, B, I], j: Job[V, B, I], mask: B, masks: dict[int, B]) -> Callable[[], None]:
    """Compute a texture instruction for the lanes of a mask; the returned function writes the result."""
    inst, name = j.inst, j.inst.op.name
    dest = inst.dest
    assert dest is not None
    if name == "texkill":
        dead = _killed(issuer, j, dest)
        return lambda: issuer.write_truth(Component(KILLED, 0, 0), issuer.ops.truth(True), issuer.both(mask, dead))
    if name in ("texdepth", "texm3x2depth"):
        depth = _depth(issuer, j, dest)
        return lambda: issuer.write(isa_depth(), {X: depth}, {X: mask})
    found = _Texture(issuer, j, dest).value()
    return lambda: issuer.write(dest, {c: found[c] for c in j.wanted}, masks)


def isa_depth() -> Dest:
    """oDepth, which texdepth and texm3x2depth write without naming it."""
    from lanewise.direct3d9.isa.program import make_dest

    return make_dest(isa.DEPTHOUT, 0, mask=1)


def _own(issuer: Issuer[V, B, I], dest: Dest, component: int) -> V:
    """A component of the register that a destination names, as a source."""
    return issuer.state.read(Component(dest.file, dest.number, component))


def _killed(issuer: Issuer[V, B, I], j: Job[V, B, I], dest: Dest) -> B:
    """Where a component that counts is negative: three of them in ps_1_x, all from ps_2_0 on if so chosen."""
    m = issuer.ops
    components = 3 if j.version.major < 2 or j.chosen("texkill", "xyz") else 4
    zero = m.constant(ZERO)
    found = m.truth(False)
    for c in range(components):
        found = m.either(found, m.compare(LT, _own(issuer, dest, c), zero))
    return found


def _quotient(issuer: Issuer[V, B, I], a: V, b: V) -> V:
    """a / b, 1.0 where b is 0."""
    m = issuer.ops
    return m.select(m.compare(EQ, b, m.constant(ZERO)), m.constant(ONE), m.mul(a, m.rcp(b)))


def _depth(issuer: Issuer[V, B, I], j: Job[V, B, I], dest: Dest) -> V:
    """texdepth: r5.x / r5.y. texm3x2depth: z / w of the two rows of the matrix."""
    if j.inst.op.name == "texdepth":
        return _quotient(issuer, _own(issuer, dest, X), _own(issuer, dest, Y))
    texture = _Texture(issuer, j, dest)
    return _quotient(issuer, texture.row(-1), texture.row(0))


class _Texture(Generic[V, B, I]):
    """One instruction that gives a color or coordinates."""

    def __init__(self, issuer: Issuer[V, B, I], j: Job[V, B, I], dest: Dest) -> None:
        self.issuer, self.j, self.dest = issuer, j, dest
        self.m = issuer.ops

    def value(self) -> Quad[V]:
        name = self.j.inst.op.name
        if name == "tex":
            return self._tex()
        if name == "texcoord":
            return self._texcoord()
        if name in ("texldl", "texldd"):
            return self._texld(name)
        if name in ("texbem", "texbeml"):
            return self._texbem()
        return self._addressed(name)

    def _sample(self, name: str, stage: int, coordinates: Quad[V], gradients: tuple[Quad[V], ...] = ()) -> Quad[V]:
        return self.issuer.state.sample(Sampling(name, stage, coordinates, gradients))

    def _constant(self, bits: int) -> V:
        return self.m.constant(bits)

    def _whole(self, n: int) -> Quad[V]:
        source = self.j.s[n]
        return source[0], source[1], source[2], source[3]

    def _coordinates(self) -> Quad[V]:
        """The value of the destination's t#."""
        x, y, z, w = (_own(self.issuer, self.dest, c) for c in range(4))
        return x, y, z, w

    # ps_1_4 and later, with operands

    def _tex(self) -> Quad[V]:
        inst, version = self.j.inst, self.j.version
        if not inst.sources:
            return self._sample("tex", self.dest.number, self._coordinates())
        if version.major < 2:
            return self._sample("texld", self.dest.number, self._whole(0))
        if inst.control == TEXLDP:
            x, y, z, w = self._whole(0)
            share = self.m.rcp(w)
            x, y, z = (self.m.mul(part, share) for part in (x, y, z))
            return self._swizzled(self._sample("texldp", self._sampler(), (x, y, z, w)))
        return self._texld("texldb" if inst.control == TEXLDB else "texld")

    def _texld(self, name: str) -> Quad[V]:
        gradients = (self._whole(1), self._whole(2)) if name == "texldd" else ()
        return self._swizzled(self._sample(name, self._sampler(), self._whole(0), gradients))

    def _sampler_source(self) -> Source:
        return next(source for source in self.j.inst.sources if source.file == isa.SAMPLER)

    def _sampler(self) -> int:
        return self._sampler_source().number

    def _swizzled(self, found: Quad[V]) -> Quad[V]:
        """A sampler may have a swizzle (ps_2_x with the capability, ps_3_0)."""
        a, b, c, d = self._sampler_source().swizzle
        return found[a], found[b], found[c], found[d]

    def _texcoord(self) -> Quad[V]:
        """texcoord clamps to 0 to 1 and gives 1 for w [D]; texcrd of ps_1_4 does neither."""
        if self.j.inst.sources:
            return self._whole(0)
        x, y, z = (self.m.saturate(_own(self.issuer, self.dest, c)) for c in range(3))
        return x, y, z, self._constant(ONE)

    # ps_1_0 to ps_1_3, by the register of the destination

    def _source(self, component: int) -> V:
        return self.j.s[0][component]

    def _texbem(self) -> Quad[V]:
        """Samples at the stage's coordinates, moved by the matrix times (du, dv); texbeml scales the color by the luminance
        [D]."""
        stage = self.dest.number
        u, v, z, w = self._coordinates()
        du, dv = self._source(X), self._source(Y)
        u, v = (bumped(self.j, stage, base, du, dv, c) for c, base in ((0, u), (1, v)))
        found = self._sample("tex", stage, (u, v, z, w))
        if self.j.inst.op.name == "texbem":
            return found
        scale, offset = (self.issuer.state.read(Component(BUMP, stage + 16, c)) for c in (0, 1))
        light = self.m.add(self.m.mul(self._source(Z), scale), offset)
        x, y, z, w = (self.m.mul(part, light) for part in found)
        return x, y, z, w

    def _addressed(self, name: str) -> Quad[V]:
        zero, stage = self._constant(ZERO), self.dest.number
        if name in ("texreg2ar", "texreg2gb", "texreg2rgb"):
            parts = {"texreg2ar": (W, X), "texreg2gb": (Y, Z), "texreg2rgb": (X, Y, Z)}[name]
            x, y, *rest = (self._source(c) for c in parts)
            return self._sample("tex", stage, (x, y, rest[0] if rest else zero, zero))
        if name in ("texm3x2pad", "texm3x3pad"):
            return self._coordinates()  # what it computes is computed again by the instruction that ends the matrix
        if name in ("texdp3", "texdp3tex"):
            x = self.row(0)
            return (x, x, x, x) if name == "texdp3" else self._sample("tex", stage, (x, zero, zero, zero))
        if name == "texm3x2tex":
            return self._sample("tex", stage, (self.row(-1), self.row(0), zero, zero))
        x, y, z = (self.row(n) for n in (-2, -1, 0))
        if name == "texm3x3":
            return x, y, z, self._constant(ONE)
        if name == "texm3x3tex":
            return self._sample("tex", stage, (x, y, z, zero))
        return self._sample("tex", stage, (*self._reflected((x, y, z)), zero))

    def row(self, offset: int) -> V:
        """Row of a matrix: the coordinates of a stage (the destination's, or one before it) times the source, three
        components."""
        total = None
        for c in range(3):
            coordinate = self.issuer.state.read(Component(self.dest.file, self.dest.number + offset, c))
            product = self.m.mul(coordinate, self._source(c))
            total = product if total is None else self.m.add(total, product)
        assert total is not None
        return total

    def _reflected(self, normal: tuple[V, V, V]) -> tuple[V, V, V]:
        """2 * (N.E / N.N) * N - E; the eye E is a source, or the w of the three stages (texm3x3vspec) [D]."""
        m = self.m
        if len(self.j.s) > 1:
            eye = self.j.s[1][X], self.j.s[1][Y], self.j.s[1][Z]
        else:
            first, second, third = (Component(self.dest.file, self.dest.number + n, W) for n in (-2, -1, 0))
            read = self.issuer.state.read
            eye = read(first), read(second), read(third)

        def dot(a: tuple[V, V, V], b: tuple[V, V, V]) -> V:
            return m.add(m.add(m.mul(a[0], b[0]), m.mul(a[1], b[1])), m.mul(a[2], b[2]))

        share = m.mul(dot(normal, eye), m.rcp(dot(normal, normal)))
        twice = m.scale(share, 1)
        x, y, z = (m.sub(m.mul(twice, n), e) for n, e in zip(normal, eye, strict=True))
        return x, y, z
