"""C in float32 that tests many products for NaN at once, beside the reference engine, on zeros and infinities."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import lanewise as lw
from effort import times
from installed import missing
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.sem.profile import profiles
from lanewise.pica200.translate.emit import part_of
from lanewise.pica200.translate.languages import LANGUAGES
from lanewise.pica200.translate.program import file_of
from lanewise.pica200.translate.support import Support
from translations import Shader, build, compiler, same, subject

if TYPE_CHECKING:
    from pathlib import Path

    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.translate.emit import Part

PROFILE = profiles["azahar"].replace(initial_state="zero")
HEAD = ".fvec u0, u1, u2\n.ivec turns\n.out o0 position\n.out o1 color\n.proc main\n"
# Numbers of which few are special, so that a NaN comes up in few places of a program.
SPECIAL = (0, 0, 0x80000000, 0x7F800000, 0x7F800000, 0xFF800000)
ORDINARY = (0x3F800000, 0xC0000000, 0x3F000000, 0x40400000)
SWIZZLES = ("xyzw", "xyzw", "yxwz", "wzyx", "xxxx", "wwww")
MASKS = ("xyzw", "xyzw", "xyz", "x", "w", "xw")
ONE = ("rcp", "rsq", "mov", "flr", "mova")
# What hides NaN, or shows the sign of a zero: u0 times v0 comes to it, and to nothing else.
HIDING = (
    "mul r0, u0, v0\nmax r1, r0, v1\nmov o0, r1",
    "mul r0, u0, v0\nmin r1, r0, v1\nmov o0, r1",
    "dp3 r0, u0, v0\nslt r1, r0, v1\nmov o0, r1",
    "mad r0, v0, u0, -r1\nmova a0.x, r0.x\nmov o0, u0[a0.x]",
    "dp4 r0, u0, v0\ncmp r0, gt, lt, v1\nmov o0, v1\nifc cmp.x\nmov o0, -v1\n.end",
    "mul r0, u0, v0\ncmp v1, gt, lt, r1\nifc cmp.x\nmax r0, r0, v1\n.end\nmov o0, r0",
    "mul r0, u0, v0\ncmp v1, gt, lt, r1\nifc cmp.x\nmul r0, v1, r0\n.else\nmov r0, v1\n.end\nmov o0, r0\nmax o1, v1, r0",
    "mov r2, u0\nfor turns\nmax r1, r0, v1\nadd r3, r3, r1\nmul r0, r2, v0\nmov r2, v1\n.end\nmov o0, r0\nmov o1, r3",
    "mov r1, v1\nfor turns\nadd r2, r2, r1\nmov r1, r0\nmul r0, u0, v0\nmov r0.x, v1.x\n.end\nmov o0, r2",
    "for turns\nmul r0, u0, v0\nmax r0, v1, r0\nmin r0, u1, r0\n.end\nmov o0, r0",
    "dp4 r0, u0, v0\nrcp r1, r0.x\nmov o0, r1",
    "dp4 r0, u0, v0\nrcp r1, r0.x\nslt o0, r1, v1",
    "mul r0, u0, v0\nmax r1, r0, v1\nmov r0, v1\nmov o0, r0\nmov o1, r1",
    "dp4 r0, u0, v0\ndp3 r1, r0, v1\nadd o0, r1, r2",
    "dp3 r0, u0, v0\nsge r1, r0, r2\nmad r1, r1, r0, r0\nmax o0, r1, r2",
    "mul r0, u0, v0\nmul r0, r0, r0\nrsq r1, r0.x\nmin o0, r1, r2",
)
TWO = ("mul", "mul", "dp3", "dp4", "dph", "add", "max", "max", "min", "min", "sge", "slt", "cmp")


def random_program(rng: random.Random) -> str:
    """A program of products, sums, and what hides NaN, with branches and a loop."""

    def source(files: str = "rrrvu") -> str:
        file = rng.choice(files)
        number = rng.randrange({"r": 3, "v": 2, "u": 3}[file])
        return f"{rng.choice(('', '', '', '-'))}{file}{number}.{rng.choice(SWIZZLES)}"

    def instruction() -> str:
        name = rng.choice((*ONE, *TWO, "mad", "mad"))
        target = f"{rng.choice(('r0', 'r1', 'r2'))}.{rng.choice(MASKS)}"
        match name:
            case "mova":
                return f"mova a0.x, {source()}"
            case "cmp":
                return f"cmp {source()}, gt, lt, {source('r')}"
            case "mad":
                return f"mad {target}, {source('r')}, {source()}, {source('r')}"
            case _ if name in ONE:
                return f"{name} {target}, {source()}"
            case _:
                return f"{name} {target}, {source()}, {source('r')}"

    def some(most: int) -> list[str]:
        return [instruction() for _ in range(rng.randrange(most + 1))]

    product = rng.choice(("mul", "dp3", "dp4", "dph"))
    lines = [f"mov r{n}, {source('vu')}" for n in range(3)] + some(1) + [f"{product} r0, u0, v0"] + some(1)
    inner = [instruction(), *some(1)]
    match rng.randrange(4):
        case 0:
            lines += [f"ifc {rng.choice(('cmp.x', 'cmp.y', 'cmp.x && cmp.y'))}", *inner, ".else", *some(1), ".end"]
        case 1:
            lines += ["for turns", *inner, *some(1), ".end"]
        case _:
            lines += inner
    return HEAD + "\n".join([*lines, f"mov o0, {source('r')}", "mov o1, r2", "end", ".end"])


class Compared:
    """Programs in one library, each beside the reference engine."""

    def __init__(self, programs: list[str], folder: Path, profile: Profile = PROFILE) -> None:
        support = Support(LANGUAGES["c"](exact=False), profile)
        self._shaders = [lw.assemble(text).vertex for text in programs]
        self.parts: list[Part] = [part_of(support, subject(each, f"p{n}")) for n, each in enumerate(self._shaders)]  # pyright: ignore[reportArgumentType] - a shader has the words of a case
        self._library = build(file_of(support, self.parts).text, folder, ("-O0",), compiler())
        self._profile = profile

    def differences(self, rng: random.Random, lanes: int) -> list[str]:
        def vector(special: float = 0.1) -> tuple[int, int, int, int]:
            if rng.random() < special / 2:  # so that all products are -0
                zero = rng.choice(SPECIAL[:3])
                return zero, zero, zero, zero
            x, y, z, w = (rng.choice(SPECIAL if rng.random() < special else ORDINARY) for _ in range(4))
            return x, y, z, w

        found: list[str] = []
        for shader, part in zip(self._shaders, self.parts, strict=True):
            program = Reference(shader.words, shader.descriptors, 0, profile=self._profile)
            function = Shader.of_part(self._library, part)
            for _ in range(lanes):
                floats, inputs = [vector(0.5), *[vector()] * 95], {0: vector(0.5), 1: vector()}
                data = b"".join([word.to_bytes(4, "little") for row in floats for word in row])
                wanted = program.run(inputs, floats, [(2, 0, 1, 0)] * 4, [False] * 16)
                _, outputs = function.run(inputs, data + bytes([2, 0, 1, 0] * 4) + bytes(16))
                found += [
                    f"{part.name}, {inputs}, o{register}: {own}, not {wanted.outputs[register]}"
                    for register, own in outputs.items()
                    if not same(own, wanted.outputs[register], exact=False)
                ]
        return found


@pytest.mark.skipif(not compiler(), reason=missing("gcc", "clang"))
def test_products_of_infinities(tmp_path: Path):
    rng = random.Random(3)
    programs = [HEAD + text + "\nend\n.end" for text in HIDING] + [random_program(rng) for _ in range(times(6, 400))]
    compared = Compared(programs, tmp_path)
    assert all(part.infinities for part in compared.parts[: len(HIDING)])
    assert not compared.differences(rng, times(30, 100))
