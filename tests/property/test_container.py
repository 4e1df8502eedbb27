"""Containers over made-up files: any value survives writing and reading, any bytes are read or refused."""

import random
import struct
from pathlib import Path
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from effort import examples, times
from lanewise.core.diagnostics import has_errors
from lanewise.core.record import by_position
from lanewise.pica200.container.build import interfaces
from lanewise.pica200.container.flat import apply, flatten
from lanewise.pica200.container.layout import LONG_HEADER, SHORT_HEADER, order
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import (
    ConstantEntry,
    Dvle,
    LabelEntry,
    OutputEntry,
    Shbin,
    UniformEntry,
    sizes,
    write_shbin,
)

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "conformance"

u8, u16, u32 = (st.integers(0, (1 << bits) - 1) for bits in (8, 16, 32))


T = TypeVar("T")


def several(strategy: st.SearchStrategy[T], most: int = 3) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(strategy, max_size=most).map(tuple)


dvles = st.builds(
    by_position(Dvle),
    u16,
    u8,
    u8,
    u32,
    u32,
    u16,
    u16,
    u8,
    u8,
    u8,
    u8,
    several(st.builds(ConstantEntry, u16, u16, st.binary(min_size=16, max_size=16))),
    several(st.builds(by_position(LabelEntry), u16, u16, u32, u32, u32)),
    several(st.builds(OutputEntry, u16, u16, u16, u16)),
    several(st.builds(UniformEntry, u32, u16, u16)),
    st.binary(max_size=9),
)


@st.composite
def shbins(draw: st.DrawFn) -> Shbin:
    """Values of every layout, with gaps, odd orders and odd offsets; only those whose bytes have one reading."""
    layout = draw(st.sampled_from(["picasso", "official", "nihstro", "custom"]))
    objects = draw(st.lists(dvles, min_size=1 if layout == "nihstro" else 0, max_size=3))
    shbin = Shbin(
        words=draw(several(u32)),
        descriptors=draw(several(u32)),
        dvles=tuple(objects),
        seconds=draw(several(u32)),
        version=draw(u32),
        unknown18=draw(st.just(-1) | u32),
    )
    if layout == "nihstro":
        shbin = shbin._replace(header=SHORT_HEADER, layout=layout)
    else:
        shbin = shbin._replace(unknown1c=draw(u32), files=draw(st.binary(max_size=5)), layout=layout)
    names = order("picasso", len(objects))[1:]
    if layout == "custom":
        shuffled = draw(st.permutations(names[1:]))
        shuffled.sort(key=lambda name: "." in name)
        shbin = shbin._replace(layout=" ".join(shuffled))
    gaps = draw(st.dictionaries(st.sampled_from(names[1:]), st.binary(min_size=1, max_size=5), max_size=3))
    size_of = sizes(shbin)
    empty = [name for name in names if not size_of[name] and (shbin.header == LONG_HEADER or name != "files")]
    offsets = draw(st.dictionaries(st.sampled_from(empty), u32, max_size=3)) if empty else {}
    return shbin._replace(after=gaps, offsets=offsets)


@examples(30, 1200)
@given(shbins())
def test_what_is_written_is_read(shbin: Shbin):
    data = write_shbin(shbin)
    read, diagnostics = read_shbin(data, "x")
    assert not has_errors(diagnostics)
    assert read is not None
    assert write_shbin(read) == data
    size = len(shbin.descriptors)
    assert (read.words, read.descriptors, read.dvles, read.files) == (shbin.words, shbin.descriptors, shbin.dvles, shbin.files)
    assert (read.seconds + (0,) * size)[:size] == (shbin.seconds + (0,) * size)[:size]
    assert (read.version, read.unknown1c, read.header) == (shbin.version, shbin.unknown1c, shbin.header)


@examples(24, 1200)
@given(shbins(), shbins())
def test_differing_pairs_turn_one_file_into_another(first: Shbin, second: Shbin):
    a, b = (read_shbin(write_shbin(shbin), "x")[0] for shbin in (first, second))
    assert a is not None
    assert b is not None
    before = flatten(a)
    changes = {key: value for key, value in flatten(b).items() if before.get(key) != value}
    assert apply(a._replace(words=b.words, descriptors=b.descriptors), changes) == b
    assert apply(a._replace(words=b.words, descriptors=b.descriptors), flatten(b)) == b


@examples(60, 1200)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes):
    for attempt in (data, b"DVLB" + struct.pack("<II", 1, 0x28) + b"DVLP" + data):
        shbin, diagnostics = read_shbin(attempt, "x")
        assert (shbin is None) == has_errors(diagnostics)


def _seeds() -> list[bytes]:
    """Files to spoil: recorded ones where they are at hand, and made ones with every kind of table."""
    made = Dvle(
        version=0x1002,
        constants=(ConstantEntry(2, 95), ConstantEntry(0, 3)),
        labels=(LabelEntry(id=0, unknown=1, word=1, size=2, symbol=0),),
        outputs=(OutputEntry(0, 0, 15), OutputEntry(2, 1, 15)),
        uniforms=(UniformEntry(0, 0, 0), UniformEntry(5, 16, 19)),
        symbols=b"main\0matrix\0",
    )
    values = [
        Shbin(words=tuple(range(20)), descriptors=(0x36F, 0x1B, 0x7), dvles=(made, made._replace(type=1))),
        Shbin(words=(0x88000000,), descriptors=(0x36F,), dvles=(made,), header=SHORT_HEADER, layout="nihstro"),
        Shbin(words=(1, 2), descriptors=(3,), dvles=(made,), seconds=(9,), files=b"light.vsh\0", layout="official"),
    ]
    recorded = [path.read_bytes() for path in sorted(CORPUS.glob("*/hand/*.shbin"))]
    return [write_shbin(value) for value in values] * 5 + recorded


_NUMBERS = (0, 1, 2, 3, 4, 0x1C, 0x28, 0x40, 0x74, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFC, 0xFFFFFFFF)


def _spoil(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    spoilt = bytearray(data)
    kind = rng.randrange(6)
    if kind == 0:  # flip bits
        for _ in range(rng.randint(1, 4)):
            spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
    elif kind == 1:  # cut short, or add bytes
        spoilt = spoilt[: rng.randrange(len(spoilt))] if rng.random() < 0.5 else spoilt + rng.randbytes(rng.randrange(40))
    elif kind in {2, 3}:  # another number in a field of a header
        for _ in range(rng.randint(1, 3)):
            magics = [at for magic in (b"DVLB", b"DVLP", b"DVLE") if (at := data.find(magic)) >= 0]
            field = min(rng.choice(magics) + 4 * rng.randrange(1, 16), len(spoilt) - 4)
            present = struct.unpack_from("<I", spoilt, field)[0]
            number = rng.choice((*_NUMBERS, len(data), len(data) - 4, present + 4, present - 4, present + 1, present // 2))
            struct.pack_into("<I", spoilt, field, number & 0xFFFFFFFF)
    elif kind == 4:  # put a piece of another file into this one, or over a part of it
        other = rng.choice(seeds)
        start, to = rng.randrange(len(other)), rng.randrange(len(spoilt))
        piece = other[start : start + rng.randrange(64)]
        spoilt[to : to + (len(piece) if rng.random() < 0.5 else 0)] = piece
    elif rng.random() < 0.5:  # objects that are not there
        spoilt[4:8] = struct.pack("<I", rng.randrange(6))
    else:  # code moved behind everything else, to an odd place
        dvlp = data.index(b"DVLP")
        words = struct.unpack_from("<I", data, dvlp + 12)[0]
        struct.pack_into("<I", spoilt, dvlp + 8, len(spoilt) + 1 - dvlp)
        spoilt += bytes(1 + 4 * words)
    return bytes(spoilt)


def test_spoilt_files_are_read_or_refused():
    count = times(2_000, 10_000)
    rng = random.Random(20111111)
    seeds = _seeds()
    readable = [shbin for seed in seeds[:15] if (shbin := read_shbin(seed, "x")[0]) is not None]
    assert len(readable) == 15
    accepted: list[bytes] = []
    layouts: set[str] = set()
    codes: set[str] = set()
    for n in range(count):
        data = _spoil(rng, rng.choice(seeds), seeds)
        shbin, diagnostics = read_shbin(data, "x")
        codes |= {diagnostic.code for diagnostic in diagnostics}
        assert (shbin is None) == has_errors(diagnostics)
        assert all(diagnostic.message and diagnostic.fix for diagnostic in diagnostics)
        assert all(0 <= diagnostic.span.offset <= len(data) for diagnostic in diagnostics)
        if shbin is None:
            continue
        accepted.append(data)
        layouts.add(shbin.layout if " " not in shbin.layout else "custom")
        assert write_shbin(shbin) == data
        assert len(interfaces(shbin)) == len(shbin.dvles)
        if n % 8 == 0:
            a = rng.choice(readable)
            before = flatten(a)
            changes = {key: value for key, value in flatten(shbin).items() if before.get(key) != value}
            assert apply(a._replace(words=shbin.words, descriptors=shbin.descriptors), changes) == shbin
    assert count / 5 < len(accepted) < count * 4 / 5, "the spoiling should leave some files readable and make some not"
    assert layouts == {"picasso", "official", "nihstro", "custom"}
    assert codes >= {f"C{number:03}" for number in range(1, 13)}, "every finding but the sizes of C014 comes up"
