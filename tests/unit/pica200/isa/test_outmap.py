"""Output maps against tables worked out by hand from libctru's shbin.c and shaderProgram.c, and 3dbrew's GPU/Pitfalls."""

import lanewise as lw
from lanewise.pica200.api.file import assemble_texts
from lanewise.pica200.isa.outmap import COMPONENTS, EMPTY, PROPERTIES, OutputMap, carried, output_map, semantics_of
from lanewise.pica200.isa.program import Interface, Output
from lanewise.pica200.isa.table import SEMANTICS
from together import together

POSITION, COLOR, TEX0 = 0x03020100, 0x0B0A0908, 0x1F1F0D0C
P, NQ, C, T0, T0W, T1, T2, VIEW, DUMMY = 0, 1, 2, 3, 4, 5, 6, 8, 9


def stage(*outputs: tuple[int, int] | tuple[int, int, int], geometry: bool = False) -> Interface:
    """A stage with (semantic, register, mask) wired; a geometry shader with a dummy output merges."""
    wired = tuple(
        [Output(semantic=output[0], register=output[1], mask=output[2] if len(output) > 2 else 0xF) for output in outputs]
    )
    merges = geometry and any(output.semantic == DUMMY for output in wired)
    return Interface(name="stage", geometry=geometry, outputs=wired, merge_outputs=merges)


def behind(*outputs: tuple[int, int] | tuple[int, int, int]) -> Interface:
    return stage(*outputs, geometry=True)


def codes(made: OutputMap) -> list[str]:
    return [finding.code for finding in made.diagnostics]


def test_properties_are_those_of_a_file():
    assert {number: row.name for number, row in PROPERTIES.items()} == {
        number: name for number, name in enumerate(SEMANTICS) if name not in ("7", "dummy")
    }
    assert sorted(COMPONENTS) == [*range(0x11), 0x12, 0x13, 0x14, 0x16, 0x17]


@together(
    ("outputs", "total", "words", "mode", "clock", "mask"),
    [
        ([(P, 0)], 1, [POSITION], 0, 1, 1),
        ([(P, 0), (C, 1), (T0, 2, 3)], 3, [POSITION, COLOR, TEX0], 1, 0x103, 7),
        # Two properties of one register: each takes the components of its mask in order.
        ([(P, 0), (T0, 1, 0b0011), (T1, 1, 0b1100)], 2, [POSITION, 0x0F0E0D0C], 1, 0x301, 3),
        ([(P, 0), (T0, 1, 0b0011), (T0W, 1, 0b0100)], 2, [POSITION, 0x1F100D0C], 1, 0x10101, 3),
        # A mask of more components than the property has: the first ones count.
        ([(P, 0), (T2, 1, 15)], 2, [POSITION, 0x1F1F1716], 1, 0x401, 3),
        ([(P, 0), (VIEW, 1, 0b1110)], 2, [POSITION, 0x1413121F], 0, 0x1000001, 3),
        ([(P, 0), (NQ, 1)], 2, [POSITION, 0x07060504], 0, 0x1000001, 3),
        # Position without z does not need its clock.
        ([(P, 0, 3)], 1, [0x1F1F0100], 0, 0, 1),
        ([(P, 0), (DUMMY, 1)], 2, [POSITION, EMPTY], 0, 1, 3),
        ([], 0, [], 0, 0, 0),
    ],
)
def test_a_vertex_shader_alone(outputs: list[tuple[int, int]], total: int, words: list[int], mode: int, clock: int, mask: int):
    made = output_map(stage(*outputs))
    assert (made.total, list(made.words)) == (total, words + [EMPTY] * (7 - len(words)))
    assert (made.mode, made.clock, made.vertex_mask, made.vertex_total) == (mode, clock, mask, total)
    assert (made.geometry_mask, made.merged, made.diagnostics) == (None, False, ())
    assert [slot.register for slot in made.slots] == sorted({register for _, register, *_ in outputs})


def test_what_a_word_means():
    assert semantics_of(0x1F100D0C) == ("texcoord0.u", "texcoord0.v", "texcoord0.w", "")
    assert semantics_of(0x0F0E0D0C) == ("texcoord0.u", "texcoord0.v", "texcoord1.u", "texcoord1.v")
    assert semantics_of(0x1413121F) == ("", "view.x", "view.y", "view.z")
    assert semantics_of(0x1E151811) == ("", "", "", "")  # numbers that nothing has
    assert carried(0x0F0E0D0C) == [("texcoord0", "xy"), ("texcoord1", "zw")]


def test_without_merging_the_geometry_shader_has_its_own():
    made = output_map(stage((P, 0), (C, 1), (T0, 2, 3)), behind((P, 0), (T1, 1, 3)))
    assert (made.total, made.words[:3]) == (2, (POSITION, 0x1F1F0F0E, EMPTY))
    assert (made.mode, made.clock) == (1, 0x201)  # colour and texcoord0 are the vertex shader's
    assert (made.vertex_mask, made.vertex_total, made.geometry_mask, made.merged) == (7, 3, 3, False)
    assert [slot.stages for slot in made.slots] == [("geometry",)] * 2
    assert not made.diagnostics


def test_merged_common_then_geometry_then_vertex():
    made = output_map(stage((P, 0), (C, 1), (T0, 2, 3), (NQ, 3)), behind((P, 0), (C, 1), (VIEW, 2, 7), (DUMMY, 3), (DUMMY, 4)))
    assert made.words == (POSITION, COLOR, 0x1F141312, TEX0, 0x07060504, EMPTY, EMPTY)
    assert (made.total, made.mode, made.clock) == (5, 1, 0x1000103)
    assert (made.vertex_mask, made.geometry_mask, made.merged) == (0xF, 0x1F, True)
    assert [(slot.register, slot.stages) for slot in made.slots] == [
        (0, ("vertex", "geometry")),
        (1, ("vertex", "geometry")),
        (2, ("geometry",)),
        (3, ("vertex",)),
        (4, ("vertex",)),
    ]
    assert not made.diagnostics


def test_the_common_part_has_the_geometry_shaders_order():
    made = output_map(stage((C, 0), (P, 1), (T0, 2, 3)), behind((P, 0), (C, 1), (DUMMY, 2)))
    assert made.words[:4] == (POSITION, COLOR, TEX0, EMPTY)
    assert not made.diagnostics


# What does not fit together


def test_gaps_between_outputs():
    made = output_map(stage((P, 0), (C, 4)))  # the example of 3dbrew's Pitfalls, whose O1 would have to be the colour
    assert (made.total, made.vertex_mask, made.words[:5]) == (2, 0x11, (POSITION, EMPTY, EMPTY, EMPTY, COLOR))
    assert [(slot.register, slot.word) for slot in made.slots] == [(0, POSITION), (4, EMPTY)]
    assert [finding.message for finding in made.diagnostics] == ["o4 of the vertex shader is color, but arrives as nothing"]
    assert codes(made) == ["B016"]


def test_geometry_outputs_that_merging_moves():
    made = output_map(stage((P, 0), (C, 1)), behind((P, 0), (T0, 1, 3), (C, 2), (DUMMY, 3)))
    assert made.words[:4] == (POSITION, COLOR, TEX0, EMPTY)
    assert [finding.message for finding in made.diagnostics] == [
        "o1 of the geometry shader is texcoord0, but arrives as color",
        "o2 of the geometry shader is color, but arrives as texcoord0",
        "the geometry shader has 4 outputs, the merged table 3",
    ]


def test_merging_ends_at_a_dummy_output():
    made = output_map(stage((P, 0), (T0, 1, 3)), behind((P, 0), (DUMMY, 1), (C, 2)))
    assert made.words[:3] == (POSITION, TEX0, EMPTY)
    assert [finding.message for finding in made.diagnostics] == [
        "color (o2 of the geometry shader) is not in the merged table: it ends at o1, which has no property",
        "the geometry shader has 3 outputs, the merged table 2",
    ]
    made = output_map(stage((P, 0), (DUMMY, 1), (T0, 2, 3)), behind((P, 0), (DUMMY, 1)))
    assert made.words[:2] == (POSITION, EMPTY)
    assert "texcoord0 (o2 of the vertex shader) is not in the merged table" in made.diagnostics[0].message


def test_too_few_dummy_outputs():
    made = output_map(stage((P, 0), (C, 1), (T0, 2, 3)), behind((P, 0), (DUMMY, 1)))
    assert [(slot.register, slot.word) for slot in made.slots] == [(0, POSITION), (1, COLOR), (-1, TEX0)]
    assert [finding.message for finding in made.diagnostics] == [
        "nothing arrives for texcoord0 (O2): the geometry shader has 2 outputs, the table 3"
    ]


def test_a_property_wired_in_two_ways():
    made = output_map(stage((P, 0), (C, 1, 7)), behind((P, 0), (C, 1), (DUMMY, 2)))
    assert made.words[:3] == (POSITION, COLOR, 0x1F0A0908)
    assert codes(made) == ["B017"]
    assert made.diagnostics[0].message == "color.r is in the table twice: 0x0B0A0908 (O1, geometry) and 0x1F0A0908 (O2, vertex)"


def test_more_than_seven_words():
    vertex = stage((P, 0), (T1, 1, 3), (T2, 2, 3), (NQ, 3), (VIEW, 4, 7))
    made = output_map(vertex, behind((P, 0), (C, 1), (T0, 2, 3), (T0W, 3, 1), (DUMMY, 4), (DUMMY, 5), (DUMMY, 6)))
    assert (made.total, len(made.words), len(made.slots)) == (8, 7, 7)
    assert "B017" in codes(made)
    assert "both stages together have 8 outputs" in made.diagnostics[0].message
    assert codes(output_map(stage((P, 0), (C, 9)))) == ["B017", "B016", "B016"]


def test_outputs_that_libctru_does_not_enable():
    made = output_map(stage(*[(DUMMY, n) for n in range(10)]), behind((P, 0)))
    assert (made.vertex_mask, made.vertex_total) == (0xFF, 10)
    assert "o8 of the vertex shader is not enabled" in made.diagnostics[0].message


# Pipelines

VERTEX = """.entry v
.out opos position
.out oclr color
.out otex texcoord0.xy
.in position
.in color
.in tex
.proc v
mov opos, position
mov oclr, color
mov otex.xy, tex
end
.end
"""


def pipeline(head: str) -> lw.pica200.Pipeline:
    """A geometry shader that hands three vertices on: o0 and o1 as they are, o2 with x and y exchanged."""
    sent = [
        f"mov o0, v{3 * n}\nmov o1, v{3 * n + 1}\nmov o2, v{3 * n + 2}.yxzw\nsetemit {n}{', prim' if n == 2 else ''}\nemit\n"
        for n in range(3)
    ]
    text = f".gsh point c0\n.entry g\n{head}.proc g\n{''.join(sent)}end\n.end\n"
    return assemble_texts([("a.v.pica", VERTEX), ("b.g.pica", text)]).pipeline


POINTS = {"position": [[n, 0, 0] for n in range(3)], "color": [0.5, 0.25, 1], "tex": [[n, 8] for n in range(3)]}


def test_a_dummy_output_carries_the_vertex_shaders_property():
    stages = pipeline(".out a position\n.out b color\n.out rest dummy\n")
    assert [(output.semantic, output.register, output.components, output.name) for output in stages.outputs] == [
        ("position", "o0", "xyzw", "a"),
        ("color", "o1", "xyzw", "b"),
        ("texcoord0", "o2", "xy", "rest"),
    ]
    result = stages.run(POINTS)
    assert list(result.outputs) == ["position", "color", "texcoord0"]
    assert result.outputs["texcoord0"].tolist() == [[[8, 0], [8, 1], [8, 2]]]
    assert result.outputs["rest"] is not None
    assert result.rasterized()["texcoord0"].tolist() == [[[8, 0], [8, 1], [8, 2]]]
    assert result.output_map == stages.output_map
    assert stages.output_map.merged and not stages.output_map.diagnostics


def test_without_merging_a_dummy_carries_nothing():
    stages = pipeline(".out a position\n.out b color\n.out c view\n")
    assert not stages.output_map.merged
    seen = stages.run(POINTS).rasterized()
    assert (seen["texcoord0"] == 1).all()
    assert seen["view"].tolist() == [[[8, 0, 0], [8, 1, 0], [8, 2, 0]]]


def test_the_rasterizer_goes_by_the_slots():
    stages = pipeline(".out a position o0\n.out ta texcoord0 o1.xy\n.out tb texcoord1 o1.zw\n.out c texcoord2 o2.xy\n")
    seen = stages.run(POINTS).rasterized()
    assert seen["texcoord0"][0, 0].tolist() == [0.5, 0.25]
    assert seen["texcoord1"][0, 0].tolist() == [1, 1]  # z and w of o1
    alone = lw.assemble(".out a position\n.out b color o3\n.in p\n.proc main\nmov a, p\nmov b, p\nend\n.end\n").pipeline
    assert alone.output_map.diagnostics[0].span.line == 2
    result = alone.run({"p": [[0, 0.5, 0.25]] * 3})
    assert result.outputs["color"][0, 0].tolist() == [0, 0.5, 0.25, 1]
    assert result.rasterized()["color"][0, 0].tolist() == [1, 1, 1, 1]  # O1 says nothing
