"""Programs of both languages, turned into the other one and back: the same operations, and the same results on edge inputs."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from conformance.test_disassembly import random_image
from conformance.test_nihstro_words import BAD, HAND
from conformance.test_nihstro_words import Row as NihstroRow
from corpus import Row, name_of, needs_shared, rows
from effort import sample, times
from engines.both import check_lane
from lanewise.pica200.api.assembling import Assembly, assemble_sources
from lanewise.pica200.api.converting import convert_assembly, convert_file
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.sem.normal import normal
from lanewise.pica200.sem.profile import HARDWARE
from together import together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engines.shaders import Words

pytestmark = needs_shared

PICASSO = [row for part in ("hand", "gen") for row in rows("picasso", part) if row.data is not None]
SETTINGS = times(2, 4)
# Programs that are run on both engines, which agree on random programs too (tests/engines).
ON_BOTH = {name_of(row) for row in sample(PICASSO, 24)}
NIHSTRO = [row for row in (*HAND, *BAD) if row.name != "missing_input"]
# 0, -0, 1, -1, 0.5, 2, 127, -128, the largest, the smallest, a subnormal, infinity, -infinity, NaN
EDGES = (
    0,
    0x800000,
    0x3F0000,
    0xBF0000,
    0x3E0000,
    0x400000,
    0x45FC00,
    0xC60000,
    0x7EFFFF,
    0x010000,
    0x000001,
    0x7F0000,
    0xFF0000,
    0x7FFFFF,
)


def _edges(rng: random.Random) -> Words:
    x, y, z, w = (rng.choice(EDGES) for _ in range(4))
    return x, y, z, w


def _results(words: Sequence[int], descriptors: Sequence[int], entries: Sequence[int], on_both: int = 0) -> list[object]:
    """What a program leaves behind for some settings of its inputs and uniforms, the first `on_both` of them on both
    engines."""
    rng = random.Random(24)
    found: list[object] = []
    for entry in entries:
        program = Reference(words, descriptors, entry, budget=400)
        for number in range(SETTINGS):
            inputs = {n: _edges(rng) for n in range(16)}
            floats = [_edges(rng) for _ in range(96)]
            integers = [(rng.choice((0, 1, 3)), rng.choice((0, 1, 250)), rng.choice((0, 1, 2)), 0) for _ in range(4)]
            booleans = [rng.random() < 0.5 for _ in range(16)]
            lane = program.run(inputs, floats, integers, booleans)
            if number < on_both:
                check_lane(lane, words, descriptors, entry, inputs, floats, integers, booleans, profile=HARDWARE, budget=400)
            found.append((lane.outputs, lane.written, lane.steps, lane.fault and lane.fault.code))
    return found


def _computes_the_same(before: Assembly, *after: Assembly, on_both: int) -> None:
    """All programs give the same results; engines agree on those of the first with `on_both` settings."""
    entries = [interface.entry for interface in before.program.interfaces]
    wanted = _results(*before.encoded, entries, on_both)
    for other in after:
        assert entries == [interface.entry for interface in other.program.interfaces]
        assert _results(*other.encoded, entries) == wanted


def _operations(assembly: Assembly) -> list[object]:
    return list(map(normal, lift(*assembly.encoded)))


def _again(assembly: Assembly, to: str) -> Assembly:
    """A conversion, assembled."""
    made = convert_assembly(assembly, to, "x")
    return assemble_sources(
        made.sources, dialect=to, compatible="--picasso-compat" in made.arguments, padding="--no-nop" not in made.arguments
    )


@pytest.mark.one_of(2)
@pytest.mark.parametrize("row", sample(PICASSO, 30), ids=name_of)
def test_picasso_to_nihstro_and_back(row: Row):
    before = assemble_sources(row.sources(), compatible=True, padding=row.padding)
    nihstro = _again(before, "nihstro")
    assert _operations(nihstro) == _operations(before)
    back = _again(nihstro, "picasso")
    assert _operations(back) == _operations(before)
    _computes_the_same(before, nihstro, back, on_both=times(1, SETTINGS) if name_of(row) in ON_BOTH else 0)


@pytest.mark.one_of(2)
@pytest.mark.parametrize("row", NIHSTRO, ids=lambda row: row.name)
def test_nihstro_to_picasso_and_back(row: NihstroRow):
    before = row.assemble()
    if before.data is None:
        return
    picasso = _again(before, "picasso")
    assert _operations(picasso) == _operations(before)
    back = _again(picasso, "nihstro")
    assert _operations(back) == _operations(before)
    _computes_the_same(before, picasso, back, on_both=times(1, SETTINGS))
    again = _again(before, "nihstro")
    assert again.encoded.words == before.encoded.words, "nihstro source printed from nihstro source is the same words"


@together("row", [row for part in ("hand", "bad") for row in rows("nihstro", part) if row.data], ids=name_of)
def test_files_of_nihstro_become_source(row: Row):
    shbin, _ = read_shbin(row.data or b"", row.name)
    assert shbin is not None
    made = convert_file(shbin, "nihstro", "x")
    again = assemble_sources(made.sources)
    assert _operations(again) == list(map(normal, lift(shbin.words, shbin.descriptors)))


def test_random_images_become_source():
    """Whatever the container reads, the writer can write; `convert_file` compares the words itself, and raises."""
    rng = random.Random(31)
    for _ in range(times(40, 200)):
        shbin, _ = read_shbin(random_image(rng), "random")
        assert shbin is not None
        convert_file(shbin, "nihstro", "random")


def test_mutated_files_become_source():
    rng = random.Random(32)
    seeds = [row.data for row in PICASSO[:80] if row.data] + [row.data for row in NIHSTRO if row.data]
    done = 0
    for _ in range(times(160, 400)):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice([1, 1, 2, 4])):
            data[rng.randrange(len(data))] = rng.choice([0, 1, 0x7F, 0xFF, rng.randrange(256)])
        shbin, _ = read_shbin(bytes(data), "mutated")
        if shbin is not None and len(shbin.words) < 300:
            convert_file(shbin, "nihstro", "mutated")
            done += 1
    assert done > times(40, 100)


@pytest.mark.parametrize("name", ["31_lighting", "32_aliases"])
def test_right_programs_stay_right(name: str):
    before = next(row for row in HAND if row.name == name).assemble()
    assert _again(before, "picasso").diagnostics == ()


@pytest.mark.parametrize("number", range(70, 78))
def test_right_picasso_programs_stay_right(number: int):
    row = next(row for row in PICASSO if row.name.startswith(f"{number}_"))
    before = assemble_sources(row.sources(), padding=row.padding)
    after = _again(before, "nihstro")
    assert not [d for d in after.diagnostics if d.severity != "note"]
