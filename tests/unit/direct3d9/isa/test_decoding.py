"""Decoding takes work by the instruction: calls of functions are counted, because times depend on the machine."""

from __future__ import annotations

from functools import partial

import pytest

from lanewise.core.source import Span
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.isa.codec import Decoded, decode
from lanewise.direct3d9.isa.program import Dest, Inst, Shader, Source, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.table import BY_NAME, BY_VERSION_NAME, CONST, INPUT, TEMP
from work import calls

NAMES = ("mov", "mul", "mad", "dp4")


def words(version: str, count: int) -> list[int]:
    target = BY_VERSION_NAME[version]
    files = (TEMP, INPUT, CONST)
    insts = [
        make_inst(
            BY_NAME[NAMES[n % 4]],
            target,
            make_dest(TEMP, n % 12),
            tuple(make_source(files[(n + k) % 3], n % 11) for k in range(len(BY_NAME[NAMES[n % 4]].sources))),
        )
        for n in range(count)
    ]
    return Shader(version=target, items=tuple(insts)).words


@pytest.mark.parametrize("version", ["vs_1_1", "vs_2_0", "vs_3_0"])
def test_an_ordinary_instruction_takes_few_calls(version: str):
    """Its place, its record, the list of its operands; what its words mean is known from the instructions before it."""
    decode(words(version, 500))  # gets to know the words
    few, many = (calls(partial(decode, words(version, count))) for count in (100, 500))
    assert many - few <= 5 * 400


@pytest.mark.parametrize("version", ["vs_1_1", "vs_2_0", "vs_3_0"])
def test_records_are_those_of_their_classes(version: str):
    """They are made without their classes, which would notice a field that is missing."""
    given = words(version, 24)
    found = decode(given)
    assert isinstance(found, Decoded)
    shader = read_stream(given).shader
    assert shader is not None
    for item in shader.items:
        assert isinstance(item, Inst) and item.place is not None
        assert [len(record) for record in (item, item.place)] == [len(Inst._fields), len(Span._fields)]
        assert (type(item), type(item.place), type(item.dest), *map(type, item.sources)) == (
            Inst,
            Span,
            Dest,
            *[Source] * len(item.op.sources),
        )
    assert shader.words == given
