"""Building and writing SHBINs, and the interface that comes back out of them."""

import struct

import pytest

from lanewise.pica200.container.build import build, entry_of_tool, interfaces
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import ConstantEntry, Dvle, OutputEntry, Shbin, UniformEntry, sections, write_shbin
from lanewise.pica200.isa.program import Constant, Interface, Output, Program, Uniform
from together import together

WORDS = (0x4C201000, 0x88000000)
DESCRIPTORS = (0x36F, 0x1B)


def program(*shaders: Interface, labels: dict[str, int] | None = None) -> Program:
    return Program(operations=(), interfaces=shaders, labels=labels or {})


def test_the_smallest_picasso_file_byte_for_byte():
    data = write_shbin(build(program(Interface(name="main", entry_end=1)), WORDS[1:], ()))
    expected = (
        b"DVLB"
        + struct.pack("<II", 1, 0x38)
        + b"DVLP"
        + struct.pack("<9I", 0, 0x28, 1, 0x2C, 0, 0x2C, 0, 0, 0)
        + struct.pack("<I", 0x88000000)
        + b"DVLE"
        + struct.pack("<HBBIIHHBBBB", 0x1002, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
        + struct.pack("<10I", 0x40, 0, 0x40, 0, 0x40, 0, 0x40, 0, 0x40, 0)
    )
    assert data == expected


def test_uniforms_are_sorted_by_register_and_stay_in_order_on_equal_ones():
    shader = Interface(
        name="main",
        inputs=(Uniform(name="_late", first=3, last=3), Uniform(name="early", first=0, last=0)),
        uniforms=(
            Uniform(name="flag", first=0x88, last=0x88),
            Uniform(name="count", first=0x83, last=0x83),
            Uniform(name="second$half", first=0x7F, last=0x7F),
            Uniform(name="_hidden", first=0x21, last=0x21),
            Uniform(name="twin", first=0x20, last=0x23),
            Uniform(name="other", first=0x20, last=0x20),
        ),
    )
    dvle = build(program(shader), WORDS, DESCRIPTORS).dvles[0]
    assert dvle.symbols == b"early\0_late\0twin\0other\0second.half\0count\0flag\0"
    assert [(entry.first, entry.last) for entry in dvle.uniforms] == [
        (0x00, 0x00),
        (0x03, 0x03),
        (0x10, 0x13),
        (0x10, 0x10),
        (0x6F, 0x6F),
        (0x73, 0x73),
        (0x78, 0x78),
    ]
    assert [entry.symbol for entry in dvle.uniforms] == [0, 6, 12, 17, 23, 35, 41]


def test_constants_and_outputs_are_written_in_order():
    shader = Interface(
        name="main",
        constants=(Constant(0x8F, (1,)), Constant(0x81, (1, 2, 3, 255)), Constant(0x20, (0x3F0000, 0, 0xBF0000, 1))),
        outputs=(Output(semantic=2, register=1, mask=0b1111), Output(semantic=0, register=0, mask=0b0011)),
    )
    dvle = build(program(shader), WORDS, DESCRIPTORS).dvles[0]
    assert dvle.constants == (
        ConstantEntry(0, 7, struct.pack("<I12x", 1)),
        ConstantEntry(1, 1, bytes([1, 2, 3, 255]) + bytes(12)),
        ConstantEntry(2, 0, struct.pack("<4I", 0x3F0000, 0, 0xBF0000, 1)),
    )
    assert dvle.outputs == (OutputEntry(2, 1, 0b1111), OutputEntry(0, 0, 0b0011))


@pytest.mark.parametrize(("mode", "fields"), [(0, (0, 0, 7, 0, 0)), (1, (1, 0, 7, 3, 0)), (2, (1, 0, 7, 0, 3))])
def test_the_vertex_count_goes_where_the_mode_says(mode: int, fields: tuple[int, ...]):
    shader = Interface(name="g", geometry=mode > 0, geometry_mode=mode, array_start=7, vertex_count=3)
    dvle = build(program(shader), WORDS, ()).dvles[0]
    assert (dvle.type, dvle.flags, dvle.array_start, dvle.variable_count, dvle.fixed_count) == fields
    assert build(program(shader._replace(merge_outputs=True)), WORDS, ()).dvles[0].flags == 1


def test_interfaces_mirror_build():
    shaders = (
        Interface(
            name="dvle0",
            entry=1,
            entry_end=2,
            inputs=(Uniform(name="position", first=0, last=0),),
            uniforms=(
                Uniform(name="matrix", first=0x20, last=0x23),
                Uniform(name="lights", first=0x80, last=0x80),
                Uniform(name="on", first=0x88, last=0x96),
            ),
            outputs=(Output(semantic=0, register=0), Output(semantic=3, register=1, mask=3)),
            constants=(Constant(0x7F, (0, 1, 2, 0xFFFFFF)), Constant(0x83, (4, 3, 2, 1)), Constant(0x97, (1,))),
            input_mask=1,
            output_mask=3,
        ),
        Interface(name="dvle1", geometry=True, geometry_mode=2, array_start=5, vertex_count=4, merge_outputs=True),
        Interface(name="dvle2", geometry=True, geometry_mode=1, vertex_count=2),
    )
    assert interfaces(build(program(*shaders), WORDS, DESCRIPTORS)) == shaders


def test_interfaces_leave_out_what_makes_no_sense():
    dvle = Dvle(
        type=7,
        geometry_mode=9,
        array_start=5,
        constants=(
            ConstantEntry(2, 0, b"\xff" * 16),
            ConstantEntry(3, 0),
            ConstantEntry(2, 96),
            ConstantEntry(1, 4),
            ConstantEntry(0, 16),
            ConstantEntry(0, 15, b"\xff" * 16),
        ),
        outputs=(
            OutputEntry(10, 0, 1),
            OutputEntry(0, 16, 1),
            OutputEntry(0, 0, 0),
            OutputEntry(0, 0, 16),
            OutputEntry(9, 15, 15),
        ),
        uniforms=(
            UniformEntry(0, 0x74, 0x74),
            UniformEntry(0, 5, 4),
            UniformEntry(0, 0xF, 0x10),
            UniformEntry(0, 0x88, 0x88),
            UniformEntry(0, 1, 1),
            UniformEntry(99, 2, 2),
            UniformEntry(4, 0x6F, 0x6F),
            UniformEntry(8, 3, 3),
        ),
        symbols=b"a.b\0a b\0end",
    )
    (shader,) = interfaces(Shbin(dvles=(dvle,)))
    assert shader.constants == (Constant(0x20, (0xFFFFFF,) * 4), Constant(0x97, (1,)))
    assert shader.outputs == (Output(semantic=9, register=15, mask=15),)
    assert shader.inputs == (
        Uniform(name="a.b", first=1, last=1),
        Uniform(name="unnamed5", first=2, last=2),
        Uniform(name="unnamed7", first=3, last=3),
    )
    assert shader.uniforms == (Uniform(name="unnamed6", first=0x7F, last=0x7F),)
    assert (shader.geometry, shader.geometry_mode, shader.array_start, shader.vertex_count) == (False, 0, 0, 0)


def test_nihstro_files_have_its_order_labels_and_entry():
    shader = Interface(
        name="dvle0",
        entry=1,
        uniforms=(Uniform(name="scale", first=0x20, last=0x20),),
        inputs=(Uniform(name="place", first=0, last=0),),
    )
    shbin = build(program(shader, labels={"helper": 0, "main": 1}), WORDS, DESCRIPTORS, "nihstro")
    assert [section.name for section in sections(shbin) if section.size] == [
        "dvlb",
        "dvlp",
        "dvle0",
        "code",
        "descriptors",
        "dvle0.uniforms",
        "dvle0.labels",
        "dvle0.symbols",
    ]
    dvle = shbin.dvles[0]
    assert dvle.symbols == b"helper\0main\0scale\0place\0"
    assert dvle.main == 1, "the word, though nihstro writes the offset of the entry label's name"
    assert entry_of_tool(program(shader, labels={"helper": 0, "main": 1}), shader, "nihstro") == len(b"helper\0")
    assert entry_of_tool(program(shader, labels={"helper": 0, "main": 1}), shader, "picasso") == 1
    assert [(label.word, label.symbol) for label in dvle.labels] == [(0, 0), (1, 7)]
    data = write_shbin(shbin)
    assert data[12 + 0x1C :][:4] == b"DVLE"
    assert read_shbin(data, "")[0] == shbin


def test_official_files_have_names_after_the_descriptors_and_padding():
    built = build(program(Interface(name="main")), WORDS, DESCRIPTORS, "official")
    assert struct.unpack_from("<II", write_shbin(built), 12 + 0x20) == (0x28 + 8 + 16, 0), "an empty table has its place too"
    shbin = built._replace(files=b"light.vsh\0", version=0x1002)
    placed = {section.name: section for section in sections(shbin)}
    assert (placed["files"].offset, placed["files"].padding) == (12 + 0x28 + 8 + 16, 2)
    data = write_shbin(shbin)
    assert struct.unpack_from("<II", data, 12 + 0x20) == (0x28 + 8 + 16, 10)
    assert struct.unpack_from("<I", data, 12 + 0x18) == (0x28 + 8 + 16,)
    assert read_shbin(data, "")[0] == shbin


def test_build_refuses_an_unknown_layout():
    with pytest.raises(ValueError, match="unknown layout 'zpsh'"):
        build(program(), WORDS, (), "zpsh")


@together(
    ("change", "reason"),
    [
        ({"words": (1 << 32,)}, "does not fit"),
        ({"dvles": (Dvle(version=0x10000),)}, "does not fit"),
        ({"header": 0x20}, "dvlp.header is 0x20"),
        ({"header": 0x1C, "files": b"x"}, "no room"),
        ({"header": 0x1C, "unknown1c": 1}, "no room"),
        ({"layout": "code nothing"}, "no section 'nothing'"),
        ({"layout": "code code"}, "no section 'code'"),
        ({"layout": "dvle0.symbols dvle0", "dvles": (Dvle(symbols=b"a\0"),)}, "before dvle0"),
        ({"offsets": {"code": 4}, "words": (0,)}, "only an empty table"),
        ({"offsets": {"dvle4.labels": 4}}, "does not have: dvle4.labels"),
        ({"after": {"dvlb": b"gap"}}, "does not have: dvlb"),
    ],
)
def test_write_refuses_what_no_file_can_say(change: dict[str, object], reason: str):
    with pytest.raises(ValueError, match=reason):
        write_shbin(Shbin()._replace(**change))  # pyright: ignore[reportArgumentType]


def test_a_custom_layout_needs_to_name_only_what_is_unusual():
    shbin = Shbin(words=WORDS, descriptors=DESCRIPTORS, dvles=(Dvle(symbols=b"a\0"),), layout="descriptors code")
    assert [section.name for section in sections(shbin) if section.size] == [
        "dvlb",
        "dvlp",
        "descriptors",
        "code",
        "dvle0",
        "dvle0.symbols",
    ]
    read, _ = read_shbin(write_shbin(shbin), "")
    assert read is not None
    assert (read.words, read.descriptors) == (WORDS, DESCRIPTORS)
