"""Shaders as vector programs: the work of well-known examples, written anew as a front end would give it."""

from __future__ import annotations

from compile.vector_builder import Builder, Value
from lanewise.compile.vector import code as v


def triangle() -> v.Program:
    b = Builder("triangle")
    position, colour = b.input("inpos", 3), b.input("inclr")
    b.output("position", b.times(b.matrix("projection"), b.vec(position, 1.0)))
    b.output("color", colour)
    return b.program()


def sprite() -> v.Program:
    b = Builder("sprite")
    position, texture, blend, colour = b.input("inpos", 3), b.input("intex", 2), b.input("inproc", 2), b.input("inclr")
    b.output("position", b.times(b.matrix("proj"), b.times(b.matrix("mdlv"), b.vec(position, 1.0))))
    b.output("color", colour * (1 / 255))
    b.output("texcoord0", texture, 2)
    b.output("texcoord1", blend, 2)
    return b.program()


def cube() -> v.Program:
    b = Builder("cube")
    position, texture, normal = b.input("inpos", 3), b.input("intex", 2), b.input("innrm", 3)
    projection, view = b.matrix("projection"), b.matrix("modelView")
    light, half, colour, ambient, diffuse, specular, emission = [
        b.row(b.uniform(name)) for name in ("lightVec", "lightHalfVec", "lightClr", "mat_amb", "mat_dif", "mat_spe", "mat_emi")
    ]
    p = b.times(view, b.vec(position, 1.0))
    b.output("position", b.times(projection, p))
    b.output("texcoord0", texture, 2)
    n = b.normalize(b.times(view, b.vec(normal, 0.0)).xyz)
    d = b.op(v.MAX, b.value(0.0), -b.dot(light.xyz, n))
    s = b.op(v.MAX, b.value(0.0), b.dot(-half.xyz, n))
    s = s * s
    b.output("color", b.op(v.MIN, b.value(1.0, 4), emission + colour * s * specular + colour * d * diffuse + colour * ambient))
    return b.program()


def lenny() -> v.Program:
    b = Builder("lenny")
    position, normal = b.input("inpos", 3), b.input("innrm", 3)
    projection, view = b.matrix("projection"), b.matrix("modelView")
    p = b.times(view, b.vec(position, 1.0))
    b.output("view", -p)
    b.output("position", b.times(projection, p))
    n = b.normalize(b.times(view[:3], normal))
    q = b.variable(4, "q")
    b.store(q, [1.0, 0.0, 0.0, 0.0])
    h = (n.z + 1.0) * 0.5
    with b.when(h > 0.0):
        r = b.op(v.RSQ, h)
        b.store(q, b.op(v.RCP, r), "z")
        b.store(q, n.xy * 0.5 * r, "xy")
    b.output("normalquat", b.load(q))
    b.output("color", 1.0)
    return b.program()


def normal_mapping() -> v.Program:
    b = Builder("normal_mapping")
    position, texture, normal, tangent = b.input("inpos", 3), b.input("intex", 2), b.input("innrm", 3), b.input("intng", 3)
    projection, view = b.matrix("projection"), b.matrix("modelView")
    p = b.times(view, b.vec(position, 1.0))
    b.output("view", -p)
    b.output("position", b.times(projection, p))
    b.output("texcoord0", texture, 2)
    b.output("texcoord1", texture, 2)
    n, t = b.times(view[:3], normal), b.times(view[:3], tangent)
    s = b.op(v.RSQ, b.dot(n, n))
    n, t = n * s, t * s
    w = b.cross(n, t)
    t = b.cross(w, n)
    q = b.variable(4, "q")
    one = b.value(1.0)
    with b.when(n.z <= 0.0):
        with b.when(t.x >= w.y):
            b.store(q, b.vec(one + t.x - w.y - n.z, t.y + w.x, t.z + n.x, w.z - n.y))
        with b.otherwise():
            b.store(q, b.vec(t.y + w.x, one - t.x + w.y - n.z, w.z + n.y, -t.z + n.x))
    with b.otherwise():
        with b.when(-t.x >= w.y):
            b.store(q, b.vec(t.z + n.x, w.z + n.y, one - t.x - w.y + n.z, t.y - w.x))
        with b.otherwise():
            b.store(q, b.vec(w.z - n.y, -t.z + n.x, t.y - w.x, one + t.x + w.y + n.z))
    found = b.load(q)
    b.output("normalquat", found * b.op(v.RSQ, b.dot(found, found)))
    b.output("color", 1.0)
    return b.program()


def skin() -> v.Program:
    b = Builder("skin")
    position, normal, weights, joints = b.input("inpos", 3), b.input("innrm", 3), b.input("inw", 2), b.input("inb", 2)
    projection = b.matrix("projection")
    bones, light = b.uniform("bones", 60), b.row(b.uniform("light"))
    p = b.vec(position, 1.0)
    parts: list[tuple[Value, Value]] = []
    for joint, weight in ((joints.x, weights.x), (joints.y, weights.y)):
        rows = [b.row(bones, k, joint) for k in range(3)]
        moved = weight * b.vec(*[b.dot(row, p) for row in rows])
        parts.append((moved, weight * b.vec(*[b.dot(row.xyz, normal) for row in rows])))
    q, n = (first + second for first, second in zip(*parts, strict=True))
    b.output("position", b.times(projection, b.vec(q, 1.0)))
    bright = b.op(v.MAX, b.value(0.0), b.dot(b.normalize(n), light.xyz))
    b.output("color", b.vec(bright, bright, bright, 1.0))
    return b.program()


# Words by hand: of the examples by their authors; of skin by us.
BY_HAND = {triangle: 8, sprite: 14, cube: 34, lenny: 29, normal_mapping: 64}
