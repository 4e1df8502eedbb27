"""Promise 2 over made files: whatever the container reads, the disassembler writes, and the bytes come back."""

from __future__ import annotations

import random

from hypothesis import given

from effort import examples, times
from lanewise.pica200.api.disassembling import disassemble
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import ConstantEntry, Dvle, LabelEntry, OutputEntry, Shbin, UniformEntry, write_shbin
from property.test_container import shbins

# Names that collide with what the disassembler makes up, hide registers, or are no identifiers.
NAMES = [
    b"a",
    b"b",
    b"_x",
    b"a.b",
    b"a$b",
    b"r0",
    b"v3",
    b"c1",
    b"i0",
    b"\xff",
    b"",
    b"9",
    b"main",
    b"mov",
    b"outpos",
    b"reg_v0",
    b"at_c0",
    b"_gap_c0",
    b"a b",
    b'q"',
    b"sub_0",
    b"words_0",
    b"at_0",
    b"a;b",
    b"a:b",
    b"aL",
]


def come_back(shbin: Shbin) -> None:
    data = write_shbin(shbin)
    read, _ = read_shbin(data, "made")
    assert read is not None
    disassemble(read, "made", data)  # compares the bytes itself, and raises


@examples(24, 1200)
@given(shbins())
def test_any_container(shbin: Shbin):
    come_back(shbin)


def _word(rng: random.Random, size: int) -> int:
    kind = rng.random()
    if kind < 0.5:  # flow that stays near the program
        opcode = rng.choice([0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2C, 0x2D])
        return opcode << 26 | rng.randrange(16) << 22 | rng.randrange(size + 3) << 10 | rng.randrange(6)
    if kind < 0.8:
        return rng.choice(
            [0x88000000, 0x84000000, 0x4C000000 | rng.getrandbits(21), 0xAC000000 | rng.randrange(16) << 22, 0xA8000000]
        )
    return rng.getrandbits(32)


def _shader(rng: random.Random, size: int) -> Dvle:
    symbols = b""

    def symbol() -> int:
        nonlocal symbols
        symbols += rng.choice(NAMES) + b"\0"
        return symbols.rindex(b"\0", 0, -1) + 1 if b"\0" in symbols[:-1] else 0

    uniforms: list[UniformEntry] = []
    for _ in range(rng.randrange(7)):
        first = rng.choice([rng.randrange(16), 16 + rng.randrange(96), 0x70 + rng.randrange(4), 0x78 + rng.randrange(16)])
        uniforms.append(UniformEntry(symbol(), first, first + rng.choice([0, 0, 1, 3, rng.randrange(90)])))
    labels = [
        LabelEntry(id=0, unknown=0, word=rng.randrange(size + 2), size=rng.randrange(5), symbol=symbol())
        for _ in range(rng.randrange(3))
    ]
    constants = [
        ConstantEntry(rng.choice([0, 1, 2, 2]), rng.choice([rng.randrange(4), rng.randrange(96)]), rng.randbytes(16))
        for _ in range(rng.randrange(5))
    ]
    outputs = [OutputEntry(rng.randrange(11), rng.randrange(17), rng.randrange(17), 0) for _ in range(rng.randrange(5))]
    return Dvle(
        version=0x1002,
        type=rng.choice([0, 0, 1]),
        flags=rng.choice([0, 1]),
        main=rng.randrange(size + 2),
        endmain=rng.randrange(size + 3),
        geometry_mode=rng.choice([0, 1, 2, 9]),
        array_start=rng.choice([0, 5, 90, 200]),
        constants=tuple(constants),
        labels=tuple(labels),
        outputs=tuple(outputs),
        uniforms=tuple(uniforms),
        symbols=symbols,
    )


def test_files_with_names_and_tables():
    rng = random.Random(1955)
    for _ in range(times(60, 600)):
        size = rng.randrange(30)
        words = tuple(_word(rng, size) for _ in range(size))
        descriptors = tuple(rng.choice([0x36F, rng.getrandbits(32)]) for _ in range(rng.randrange(10)))
        shaders = tuple(_shader(rng, size) for _ in range(rng.choice([0, 1, 1, 2, 3])))
        come_back(Shbin(words=words, descriptors=descriptors, dvles=shaders, layout=rng.choice(["picasso", "official"])))


def test_more_than_a_unit_holds():
    come_back(Shbin(words=(0x88000000,), descriptors=tuple(range(200)), dvles=(Dvle(version=0x1002, endmain=1),)))
    many = tuple(ConstantEntry(2, n % 96, bytes(16)) for n in range(120))
    come_back(Shbin(words=(0x88000000,), descriptors=(), dvles=(Dvle(version=0x1002, endmain=1, constants=many),)))
    come_back(Shbin(words=(0x84000000,) * 5000, descriptors=(), dvles=(Dvle(version=0x1002, endmain=5000),)))
