"""Direct3D 9 shaders for tests: the corpus of texts and words, and token streams of any kind."""

from __future__ import annotations

import json
import random
import struct
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st

from lanewise.direct3d9.check import files
from lanewise.direct3d9.isa.program import Shader, Source, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.table import (
    ADDR,
    ARITHMETIC,
    CONST,
    CONST2,
    CONST3,
    CONST4,
    CONSTBOOL,
    CONSTINT,
    DECLARATION,
    DEFINITION,
    DEPTHOUT,
    FLOW,
    LABEL,
    LOOP,
    MISC,
    OPS,
    PREDICATE,
    RASTOUT,
    TEXTURING,
    VERSIONS,
    has,
    operand_count,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPUS = SHARED / "conformance" / "direct3d9.json"
needs_corpus = pytest.mark.skipif(not CORPUS.exists(), reason="the folder ../shared is not there")


@cache
def rows() -> tuple[dict[str, Any], ...]:
    """The corpus: texts of our own with the words or the refusal of Wine's assembler. Empty where it is not there."""
    if not CORPUS.exists():
        return ()
    return tuple(json.loads(CORPUS.read_text(encoding="utf-8"))["rows"])


def words_of(row: dict[str, Any]) -> list[int]:
    return [int(word, 16) for word in row["words"]]


def _instruction(opcode: int, control: int, length: int, flags: int) -> int:
    return opcode | control << 16 | length << 24 | flags << 28


def _operand(file: int, number: int, middle: int, relative: int) -> int:
    return 1 << 31 | (file & 7) << 28 | (file >> 3) << 11 | number | middle << 16 | relative << 13


def _comment(length: int) -> int:
    return 0xFFFE | length << 16


def _stream(version: int, body: list[int]) -> list[int]:
    return [version, *body]


_operands = st.builds(_operand, st.integers(0, 19), st.integers(0, 16), st.integers(0, 0xFFF), st.sampled_from([0, 0, 0, 1]))
tokens = st.one_of(
    st.builds(
        _instruction,
        st.sampled_from([op.opcode for op in OPS]),
        st.integers(0, 7),
        st.integers(0, 6),
        st.sampled_from([0, 0, 0, 1, 4]),
    ),
    _operands,
    _operands,
    st.builds(_comment, st.integers(0, 5)),
    st.integers(0, 0xFFFFFFFF),
    st.just(0xFFFF),
)
streams = st.builds(_stream, st.sampled_from([version.token for version in VERSIONS]), st.lists(tokens, max_size=40))


def coverage() -> list[list[int]]:
    """Streams of one instruction each: every opcode in every version, with each modifier, shift, register file and address."""
    made: list[list[int]] = []
    for version in VERSIONS:
        relative = [0xF0E40800] if version.major >= 2 else []
        for op in OPS:
            has_dest, sources = operand_count(op, version)
            for variant in range(16):
                file = (variant * 5 + op.opcode) % 20
                dest = _operand(file, variant % 4, 0xF | (variant % 8) << 4, 0)
                source = _operand((file + 7) % 20, variant % 3, 0xE4 | variant << 8, int(variant % 5 == 4))
                body = [0x80000000 | variant] if op.name == "dcl" else []
                body += [dest] if has_dest else []
                flags = 0
                if version.major >= 2 and variant % 4 == 3:
                    body.append(0xB0E41000 | (0x0D000000 if variant % 8 == 7 else 0))
                    flags = 1
                elif version.major < 2 and variant % 4 == 3:
                    flags = 4
                for _ in range(sources):
                    body += [source, *(relative if variant % 5 == 4 else [])]
                body += [variant * 0x11111111] * (op.payload if op.name != "dcl" else 0)
                control = variant % 8 if op.name in ("ifc", "breakc", "setp", "tex") else 0
                length = len(body) if version.major >= 2 and op.opcode != 0xFFFD else 0
                made.append([version.token, _instruction(op.opcode, control, length, flags), *body, 0xFFFF])
    return made


def table(
    constants: Sequence[tuple[str, int, int, int, int]], types: bytes = b"", creator: str = "tests", target: str = "vs_2_0"
) -> list[int]:
    """The words of a CTAB comment: constants as (name, set, register, count, offset of the type in `types`).

    Type 0 is float4x4 by columns, type 16 float4, type 32 sampler2D; `types` replaces them.
    """
    types = types or struct.pack("<6HI", 3, 3, 4, 4, 1, 0, 0) + struct.pack("<6HI", 1, 3, 1, 4, 1, 0, 0) + struct.pack(
        "<6HI", 4, 12, 1, 1, 1, 0, 0
    )
    start = 28
    types_at = start + 20 * len(constants)
    strings = bytearray()
    strings_at = types_at + len(types)

    def string(text: str) -> int:
        at = strings_at + len(strings)
        strings.extend(text.encode("latin-1") + b"\0")
        return at

    infos = b"".join(
        struct.pack("<I4H2I", string(name), kind, register, count, 0, types_at + type_at, 0)
        for name, kind, register, count, type_at in constants
    )
    header = struct.pack("<7I", 28, string(creator), 0xFFFE0200, len(constants), start, 0, string(target))
    data = b"CTAB" + header + infos + types + bytes(strings)
    data += b"\xab" * (-len(data) % 4)
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    return [0xFFFE | len(words) << 16, *words]


def with_registers(variants: int = 12) -> list[Shader]:
    """Shaders of one instruction each: every opcode of every version with registers of each file that it can read and write,
    modifiers of the version, relative addresses, predicates, pairs."""
    rng = random.Random(9)
    made: list[Shader] = []
    for version in VERSIONS:
        for op in OPS:
            if not has(op, version) or op.role == DECLARATION:
                continue
            has_dest, sources = operand_count(op, version)
            for _ in range(variants):
                dest = None
                if has_dest:
                    file = rng.choice(sorted(files.writable(op, version) - {CONST2, CONST3, CONST4}))
                    masks = (15,) if op.role in (TEXTURING, DEFINITION) or file == RASTOUT else (15, 1, 3, 7, 8)
                    results = (0, 1, 2, 3) if version.kind == "ps" and op.role == ARITHMETIC else (0,)
                    number = 5 if op.name == "texdepth" else rng.randrange(2 if file not in (ADDR, PREDICATE, DEPTHOUT) else 1)
                    dest = make_dest(file, number, mask=rng.choice(masks), modifiers=rng.choice(results))
                found: list[Source] = []
                for index in range(sources):
                    file = rng.choice(sorted(files.readable(op, index, version) - {CONST2, CONST3, CONST4}))
                    plain = op.role != ARITHMETIC or file not in files.values(version)
                    swizzle = 0xE4 if plain and op.role != FLOW else rng.choice((0xE4, 0, 0x55, 0xAA, 0xFF, 0x1B, 0xC9))
                    if file in (LABEL, CONSTINT, CONSTBOOL, LOOP):
                        swizzle = 0xE4
                    index_register = version.kind == "vs" and file == CONST and version.major >= 2 and rng.random() < 0.2
                    found.append(
                        make_source(
                            file,
                            0 if file in (LOOP, PREDICATE, MISC) else rng.randrange(2),
                            swizzle=swizzle,
                            modifier=0 if plain else rng.choice((0, 0, 1)),
                            relative=rng.choice((0xB0000000, 0xB0AA0000, 0xF0E40800)) if index_register else None,
                        )
                    )
                predicate = None
                if version.order >= (2, 1) and op.role == ARITHMETIC and op.name != "setp" and has_dest and rng.random() < 0.2:
                    predicate = make_source(PREDICATE, 0, modifier=rng.choice((0, 13)), swizzle=rng.choice((0xE4, 0, 0xFF)))
                payload = (
                    tuple([rng.randrange(2) for _ in range(op.payload)])
                    if op.name != "def"
                    else (0x3F800000, 0, 0x40490FDB, 0xBF000000)
                )
                control = rng.randint(1, 6) if op.name in ("ifc", "breakc", "setp") else 0
                inst = make_inst(op, version, dest, tuple(found), predicate=predicate, payload=payload, control=control)
                made.append(Shader(version=version, items=(inst,)))
    return made
